// A finished motion in the simulator of its user: MuJoCo 3.12, opened from the user's own model file.
//
//     node own_simulator.mjs SALTUS RESULT MODEL [--open]       --open: the motion is no cycle
//
// prints one JSON object:
//
//     asItIs        largest errors of one step: from each row, with its controls, to the next; positions (m, rad),
//                   velocities (relative to the largest one, or to 1), activations
//     converged     the same, when MuJoCo's solver may iterate until nothing is left
//     solver        what the file says of it
//     integrator    the file's, if the motion was found with another: its steps are others, so the above are absent
//     free, pushed  with the gains of `export --to gains`: the seconds, the largest deviation of a joint (m, rad), and that
//                   in the last tenth of the time; pushed by a tenth of the weight for 0.1 s
//     unheld        why there are no gains
import { spawnSync } from 'node:child_process';
import { find, modelWithFiles } from '../../tests/oracle/mujoco.mjs';
import { hold, oneStep, table } from '../../tests/oracle/motion.mjs';
import { largest } from '../../tests/oracle/tangent.mjs';

const SECONDS = 10, SHARE = 0.1, PUSHED_FOR = 0.1; // s; of the weight; s
const ITERATIONS = 200;
const INTEGRATORS = ['Euler', 'RK4', 'implicit', 'implicitfast']; // mjtIntegrator

function saltus(command, words)
{
    const done = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 30 });
    return { text: done.stdout, fault: done.status === 0 ? null : (done.stderr ?? String(done.error)).trim().split('\n').at(-1) };
}

// Leaves the model with another solver than the file's.
function steps(mujoco, m, motion)
{
    const fastest = Math.max(1, largest(motion.qvel.flat()));
    const errors = () => {
        const e = oneStep(mujoco, m, motion);
        return { ...e, qvel: e.qvel / fastest };
    };
    const { iterations, tolerance } = m.opt, asItIs = errors();
    m.opt.tolerance = 0;
    m.opt.iterations = m.opt.ls_iterations = ITERATIONS;
    m.opt.ls_tolerance = 1e-6;
    return { asItIs, converged: errors(), solver: { iterations, tolerance } };
}

function feedback(mujoco, m, motion, open)
{
    const seconds = open ? motion.qpos.length * m.opt.timestep : SECONDS, begin = 0.2 * seconds;
    const summary = (worst) => ({ seconds, largest: largest(worst), last: worst.at(-1) });
    const push = { begin, end: begin + PUSHED_FOR, share: SHARE };
    return { free: summary(hold(mujoco, m, motion, { seconds, open })), pushed: summary(hold(mujoco, m, motion, { seconds, open, push })) };
}

const [command, result, file, open] = process.argv.slice(2);
const mujoco = await find();
if (mujoco === null) throw new Error('MuJoCo 3.12 (npm package @mujoco/mujoco) is not there');
const m = modelWithFiles(mujoco, file), integrator = INTEGRATORS[m.opt.integrator];
const info = JSON.parse(saltus(command, ['info', result, '--json']).text);
const gains = saltus(command, ['export', result, '--to', 'gains']);
const held = gains.fault === null ? feedback(mujoco, m, table(gains.text), open === '--open') : { unheld: gains.fault };
const motion = table(saltus(command, ['export', result, '--to', 'csv']).text);
console.log(JSON.stringify({ ...held, ...(integrator === info.integrator ? steps(mujoco, m, motion) : { integrator }) }));
