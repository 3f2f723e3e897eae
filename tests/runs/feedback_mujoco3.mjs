// Finished motions in MuJoCo 3.12: the controls of a cycle and the gains of `export --to gains` hold it for 10 s in the file of the
// model as its user has it, though the heaviest body is pushed by a tenth of the weight for 0.1 s.
//     feedback_mujoco3.mjs PROBLEM MODEL...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hold, table } from '../oracle/motion.mjs';
import { check, done, model, oracle, root, run } from '../oracle/mujoco.mjs';
import { largest } from '../oracle/tangent.mjs';

const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'feedback_mujoco3');
const seconds = 10, push = { begin: 2, end: 2.1, share: 0.1 };

// One row for each step of the cycle: state, controls, and the gains
function gains(problem)
{
    const saltus = path.join(build, 'cli', 'saltus'), out = path.join(work, `${path.basename(problem, '.xml')}.saltus`);
    fs.mkdirSync(work, { recursive: true });
    execFileSync(saltus, ['solve', path.resolve(root, problem), '-q', '--set', 'init/nstart=1', '--set', 'solver/finish=model', '-o', out]);
    return table(execFileSync(saltus, ['export', out, '--to', 'gains'], { encoding: 'utf8', maxBuffer: 1 << 28 }));
}

const files = process.argv.slice(2);
for (let i = 0; i + 1 < files.length; i += 2) {
    const name = path.basename(files[i], '.xml');
    run(`${name}_is_held`, () => {
        const motion = gains(files[i]), m = model(mujoco, files[i + 1]);
        const free = hold(mujoco, m, motion, { seconds }), pushed = hold(mujoco, m, motion, { seconds, push });
        console.log(`${name}: largest deviation ${largest(free).toExponential(1)}; pushed ${largest(pushed).toExponential(1)}, in the last second ${pushed.at(-1).toExponential(1)}`);
        check(largest(free) < 1e-6, 'the motion is held');
        check(largest(pushed) > 1e-3, 'the push is felt');
        check(pushed.at(-1) < 0.2, 'it goes on'); // a foot may land a step earlier or later for ever
    });
}
done();
