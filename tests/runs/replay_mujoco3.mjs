// Results in MuJoCo 3.12: loaded from the result's own model file and driven by its ctrl, each step of the motion leads to the next.
// EXAMPLE:MODEL is solved with finish="model" and replayed in the file models/MODEL.xml, as its user has it.
//     replay_mujoco3.mjs EXAMPLE[:MODEL]...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { oneStep, table } from '../oracle/motion.mjs';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'replay_mujoco3');
const tolerance = 1e-8;

// The result as the command leaves it: its model, and its motion
function solve(which)
{
    const [example, own] = which.split(':');
    const finish = own === undefined ? [] : ['--set', 'solver/finish=model'];
    const saltus = path.join(build, 'cli', 'saltus'), out = path.join(work, `${which.replace(':', '_')}.saltus`);
    fs.mkdirSync(work, { recursive: true });
    execFileSync(saltus, ['solve', path.join(root, 'examples', `${example}.xml`), '-q', ...finish, '-o', out]);
    const xml = own !== undefined ? fs.readFileSync(path.join(root, 'models', `${own}.xml`)) : execFileSync(saltus, ['export', out, '--to', 'mjcf']);
    return { xml, motion: table(execFileSync(saltus, ['export', out, '--to', 'csv'], { encoding: 'utf8' })) };
}

for (const example of process.argv.slice(2)) {
    run(`${example.replace(':', '_in_')}_replays`, () => {
        const { xml, motion } = solve(example);
        mujoco.FS.writeFile('/model.xml', xml);
        const m = mujoco.MjModel.from_xml_path('/model.xml');
        check(motion.qpos.length > 1 && motion.qpos[0].length === m.nq && motion.ctrl[0].length === m.nu, 'sizes');
        const { qpos, qvel, act } = oneStep(mujoco, m, motion);
        console.log(`${example}: largest one-step error ${qpos.toExponential(1)} in q, ${qvel.toExponential(1)} in v, ${act.toExponential(1)} in act`);
        near(qpos, 0, tolerance, 'error in q');
        near(qvel, 0, tolerance, 'error in v');
        near(act, 0, 1e-12, 'error in act');
    });
}
done();
