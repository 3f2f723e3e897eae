// Results in MuJoCo 3.12: loaded from the result's own model file and driven by its ctrl, each step of the motion leads to the next.
// EXAMPLE:MODEL is solved with finish="model" and replayed in the file models/MODEL.xml, as its user has it.
//     replay_mujoco3.mjs EXAMPLE[:MODEL]...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';
import { difference, largest } from '../oracle/tangent.mjs';

const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'replay_mujoco3');
const tolerance = 1e-8;

// The result of one start, as the command leaves it: its model, and its motion as rows of named numbers
function solve(which)
{
    const [example, own] = which.split(':');
    const finish = own === undefined ? [] : ['--set', 'solver/finish=model'];
    const saltus = path.join(build, 'cli', 'saltus'), out = path.join(work, `${which.replace(':', '_')}.saltus`);
    fs.mkdirSync(work, { recursive: true });
    execFileSync(saltus, ['solve', path.join(root, 'examples', `${example}.xml`), '-q', '--set', 'init/nstart=1', ...finish, '-o', out]);
    const xml = own !== undefined ? fs.readFileSync(path.join(root, 'models', `${own}.xml`)) : execFileSync(path.join(build, 'tests', 'runs', 'result_model'), [path.join(out, 'result.h5')]);
    const csv = execFileSync(saltus, ['export', out, '--to', 'csv'], { encoding: 'utf8' });
    const [header, ...rows] = csv.trim().split('\n').map(line => line.split(','));
    const columns = kind => header.flatMap((name, i) => name.startsWith(kind) ? [i] : []);
    const pick = kind => rows.map(row => columns(kind).map(i => Number(row[i])));
    return { xml, qpos: pick('qpos'), qvel: pick('qvel'), ctrl: pick('ctrl'), act: pick('act') };
}

for (const example of process.argv.slice(2)) {
    run(`${example.replace(':', '_in_')}_replays`, () => {
        const motion = solve(example);
        mujoco.FS.writeFile('/model.xml', motion.xml);
        const m = mujoco.MjModel.from_xml_path('/model.xml'), d = new mujoco.MjData(m);
        let q = 0, v = 0, act = 0;
        check(motion.qpos.length > 1 && motion.qpos[0].length === m.nq && motion.ctrl[0].length === m.nu, 'sizes');
        for (let t = 0; t + 1 < motion.qpos.length; t++) {
            mujoco.mj_resetData(m, d); // nothing of the step before may help
            d.qpos.set(motion.qpos[t]);
            d.qvel.set(motion.qvel[t]);
            d.ctrl.set(motion.ctrl[t]);
            d.act.set(motion.act[t]);
            mujoco.mj_step(m, d);
            q = largest([q, ...difference(m, motion.qpos[t + 1], Array.from(d.qpos))]);
            v = largest([v, ...motion.qvel[t + 1].map((x, i) => d.qvel[i] - x)]);
            act = largest([act, ...motion.act[t + 1].map((x, i) => d.act[i] - x)]);
        }
        console.log(`${example}: largest one-step error ${q.toExponential(1)} in q, ${v.toExponential(1)} in v, ${act.toExponential(1)} in act`);
        near(q, 0, tolerance, 'error in q');
        near(v, 0, tolerance, 'error in v');
        near(act, 0, 1e-12, 'error in act');
    });
}
done();
