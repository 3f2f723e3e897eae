// The walk of examples/walker_walk.xml found under integrator="discrete": each of its steps must be one of MuJoCo's under that integrator.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { oneStep, table } from '../oracle/motion.mjs';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';

const DISCRETE = 4;
const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build', saltus = path.join(build, 'cli', 'saltus');
const work = path.join(build, 'tests', 'walk_discrete'), out = path.join(work, 'walk.saltus');

run('a walk steps through the integrator discrete of MuJoCo', () => {
    fs.mkdirSync(work, { recursive: true });
    const problem = path.resolve(root, 'examples/walker_walk.xml');
    const found = JSON.parse(execFileSync(saltus, ['solve', problem, '--set', 'option/integrator=discrete', '-q', '--json', '-o', out],
        { encoding: 'utf8', maxBuffer: 1 << 26 }));
    check(found.physical && found.as_asked, `verdict: ${found.verdict}`);
    mujoco.FS.writeFile('/model.xml', execFileSync(saltus, ['export', out, '--to', 'mjcf']));
    const m = mujoco.MjModel.from_xml_path('/model.xml');
    check(m.opt.integrator === DISCRETE, 'the model of the result has the integrator');
    const motion = table(execFileSync(saltus, ['export', out, '--to', 'csv'], { encoding: 'utf8', maxBuffer: 1 << 28 }));
    const { qpos, qvel } = oneStep(mujoco, m, motion);
    console.log(`largest one-step error ${qpos.toExponential(1)} in q, ${qvel.toExponential(1)} in v`);
    near(qpos, 0, 1e-8, 'error in q');
    near(qvel, 0, 1e-8, 'error in v');
    m.delete();
});
done();
