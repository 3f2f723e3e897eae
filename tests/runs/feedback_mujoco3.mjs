// Finished motions in MuJoCo 3.12: the controls of a cycle and the gains of `export --to gains` hold it for 10 s in the file of the
// model as its user has it, though the heaviest body is pushed by a tenth of the weight for 0.1 s.
//     feedback_mujoco3.mjs PROBLEM MODEL...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, model, oracle, run } from '../oracle/mujoco.mjs';
import { difference, largest } from '../oracle/tangent.mjs';

const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build';
const root = process.env.SALTUS_ROOT ?? '.';
const work = path.join(build, 'tests', 'feedback_mujoco3');
const seconds = 10, push = { begin: 2, end: 2.1, share: 0.1 };

// One row for each step of the cycle: state, controls, and the gains [nu x n]
function gains(problem)
{
    const saltus = path.join(build, 'cli', 'saltus'), out = path.join(work, `${path.basename(problem, '.xml')}.saltus`);
    fs.mkdirSync(work, { recursive: true });
    execFileSync(saltus, ['solve', path.resolve(root, problem), '-q', '--set', 'init/nstart=1', '--set', 'solver/finish=model', '-o', out]);
    const csv = execFileSync(saltus, ['export', out, '--to', 'gains'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const [header, ...rows] = csv.trim().split('\n').map(line => line.split(','));
    const columns = kind => header.flatMap((name, i) => name.startsWith(kind) ? [i] : []);
    const pick = kind => rows.map(row => columns(kind).map(i => Number(row[i])));
    return { qpos: pick('qpos'), qvel: pick('qvel'), ctrl: pick('ctrl'), gain: pick('gain') };
}

// How far slide and free joints go in a cycle of steps of h:  q_N - q_0 with  q_N = q_{N-1} + h v_0
function travel(m, motion, h)
{
    const last = motion.qpos.at(-1), first = motion.qpos[0], FREE = 0, SLIDE = 2;
    const far = Array(m.nq).fill(0);
    for (let j = 0; j < m.njnt; j++) {
        const q = m.jnt_qposadr[j], v = m.jnt_dofadr[j], type = m.jnt_type[j];
        for (let k = 0; k < (type === FREE ? 3 : type === SLIDE ? 1 : 0); k++)
            far[q + k] = last[q + k] + h * motion.qvel[0][v + k] - first[q + k];
    }
    return far;
}

function heaviest(m)
{
    return Array.from(m.body_mass).reduce((best, mass, i, all) => i > 0 && mass > all[best] ? i : best, 1);
}

// The largest deviation of a joint in each second, m or rad
function hold(m, motion, pushed)
{
    const d = new mujoco.MjData(m), h = m.opt.timestep, N = motion.qpos.length, far = travel(m, motion, h);
    const weight = 9.81 * Array.from(m.body_mass).reduce((a, b) => a + b, 0), body = heaviest(m);
    const worst = Array(seconds).fill(0);
    d.qpos.set(motion.qpos[0]);
    d.qvel.set(motion.qvel[0]);
    for (let k = 0; k < Math.round(seconds / h); k++) {
        const t = k % N, round = Math.floor(k / N);
        const reference = motion.qpos[t].map((x, i) => x + round * far[i]);
        const apart = difference(m, reference, Array.from(d.qpos)), dx = [...apart, ...motion.qvel[t].map((x, i) => d.qvel[i] - x)];
        for (let i = 0; i < m.nu; i++) {
            const u = dx.reduce((sum, x, n) => sum + motion.gain[t][i * dx.length + n] * x, motion.ctrl[t][i]);
            const [low, high] = m.actuator_ctrlrange.slice(2 * i, 2 * i + 2);
            d.ctrl[i] = low < high ? Math.min(Math.max(u, low), high) : u; // 0 0: not limited
        }
        d.xfrc_applied[6 * body] = pushed && k * h >= push.begin && k * h < push.end ? push.share * weight : 0;
        mujoco.mj_step(m, d);
        const second = Math.min(seconds - 1, Math.floor(k * h));
        worst[second] = largest([worst[second], ...apart]);
    }
    return worst;
}

const files = process.argv.slice(2);
for (let i = 0; i + 1 < files.length; i += 2) {
    const name = path.basename(files[i], '.xml');
    run(`${name}_is_held`, () => {
        const motion = gains(files[i]), m = model(mujoco, files[i + 1]);
        const free = hold(m, motion, false), pushed = hold(m, motion, true);
        console.log(`${name}: largest deviation ${largest(free).toExponential(1)}; pushed ${largest(pushed).toExponential(1)}, in the last second ${pushed.at(-1).toExponential(1)}`);
        check(largest(free) < 1e-6, 'the motion is held');
        check(largest(pushed) > 1e-3, 'the push is felt');
        check(pushed.at(-1) < 0.2, 'it goes on'); // a foot may land a step earlier or later for ever
    });
}
done();
