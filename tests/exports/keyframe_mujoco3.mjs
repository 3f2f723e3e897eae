// `saltus export --to keyframe` in MuJoCo 3.12: the file loads alone, and a step from each keyframe of the motion leads to the
// next one. Of a mirrored cycle both halves are there.
//     keyframe_mujoco3.mjs EXAMPLE...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { difference, largest } from '../oracle/tangent.mjs';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'keyframe_mujoco3'), saltus = path.join(build, 'cli', 'saltus');

function load(example, cycles)
{
    const out = path.join(work, `${example}.saltus`), xml = path.join(work, `${example}.xml`);
    fs.mkdirSync(work, { recursive: true });
    if (!fs.existsSync(path.join(out, 'result.h5')))
        execFileSync(saltus, ['solve', path.join(root, 'examples', `${example}.xml`), '-q', '-o', out]);
    execFileSync(saltus, ['export', out, '--to', 'keyframe', ...(cycles > 0 ? ['--cycles', `${cycles}`] : []), '-o', xml]);
    mujoco.FS.writeFile('/keys.xml', fs.readFileSync(xml));
    return { m: mujoco.MjModel.from_xml_path('/keys.xml'), xml: fs.readFileSync(xml, 'utf8') };
}

// Numbers of the keyframes of the motion, in order
const keys = (m, stem) => Array.from({ length: m.nkey }, (_, k) => k).filter((k) => m.key(k).name.startsWith(`${stem}_`));

function worstStep(m, list)
{
    const from = new mujoco.MjData(m), to = new mujoco.MjData(m);
    let worst = 0;
    for (let i = 0; i + 1 < list.length; i++) {
        mujoco.mj_resetDataKeyframe(m, from, list[i]);
        mujoco.mj_step(m, from);
        mujoco.mj_resetDataKeyframe(m, to, list[i + 1]);
        const q = difference(m, Array.from(to.qpos), Array.from(from.qpos));
        worst = largest([worst, ...q, ...Array.from(to.qvel).map((v, k) => v - from.qvel[k]), from.time - to.time]);
    }
    from.delete(), to.delete();
    return worst;
}

for (const example of process.argv.slice(2)) {
    run(`${example}_keyframes_are_steps`, () => {
        const once = load(example, 0), twice = load(example, 2);
        const rows = keys(once.m, 'motion').length, more = keys(twice.m, 'motion').length;
        console.log(`${example}: ${rows} rows, ${more} of two periods`);
        check(rows > 10 && ((more - 1) % (rows - 1) === 0) && more > rows, 'rows');
        near(worstStep(once.m, keys(once.m, 'motion')), 0, 1e-8, 'a step');
        near(worstStep(twice.m, keys(twice.m, 'motion')), 0, 1e-8, 'a step of two periods');
    });
}
done();
