// A motion that saltus found, in MuJoCo 3.12: does each step lead to the next row, and does the feedback of
// `saltus export --to gains` hold it?
//
//     const { out, m, h, motion } = solved(mujoco, work, 'walker_walk');      // an example, by the command
//     const motion = table(csv);            // of `saltus export --to csv` or `--to gains`
//     const { qpos, qvel, act } = oneStep(mujoco, m, motion);
//     const worst = hold(mujoco, m, motion, { seconds: 10, push: { begin: 2, end: 2.1, share: 0.1 } });
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './mujoco.mjs';
import { difference, largest } from './tangent.mjs';

export const saltus = path.join(process.env.SALTUS_BUILD ?? 'build', 'cli', 'saltus');

const FREE = 0, SLIDE = 2; // mjtJoint
const GRAVITY = 9.81;      // m/s^2

// The columns of a table by their kinds, a row for each step; gain: K_t of u = u_t + K_t dx, [nu x n] by rows
export function table(csv)
{
    const [header, ...rows] = csv.trim().split('\n').map((line) => line.split(','));
    const columns = (kind) => header.flatMap((name, i) => (new RegExp(`^${kind}\\d`).test(name) ? [i] : []));
    const pick = (list) => rows.map((row) => list.map((i) => Number(row[i])));
    return Object.fromEntries(['qpos', 'qvel', 'act', 'ctrl', 'gain'].map((kind) => [kind, pick(columns(kind))]));
}

// An example, solved into `out` in the folder `work`: the model of its result in MuJoCo, its time step, and the rows of a whole
// period
export function solved(mujoco, work, example)
{
    const out = path.join(work, `${example}.saltus`);
    fs.mkdirSync(work, { recursive: true });
    execFileSync(saltus, ['solve', path.join(root, 'examples', `${example}.xml`), '-q', '-o', out]);
    mujoco.FS.writeFile('/model.xml', execFileSync(saltus, ['export', out, '--to', 'mjcf']));
    const m = mujoco.MjModel.from_xml_path('/model.xml');
    const motion = table(execFileSync(saltus, ['export', out, '--to', 'csv', '--cycles', '1'], { encoding: 'utf8' }));
    return { out, m, h: m.opt.timestep, motion };
}

function put(d, motion, t)
{
    for (const kind of ['qpos', 'qvel', 'act', 'ctrl'])
        d[kind].set(motion[kind][t]);
}

const minus = (x, y) => x.map((value, i) => value - y[i]);

// Largest differences between mj_step from row t and row t + 1: of positions in the tangent space (m, rad), of velocities
// and of activations; `row`: where that of positions and velocities is largest
export function oneStep(mujoco, m, motion)
{
    const d = new mujoco.MjData(m), found = { qpos: 0, qvel: 0, act: 0, row: 0 };
    for (let t = 0; t + 1 < motion.qpos.length; t++) {
        mujoco.mj_resetData(m, d); // nothing of the step before may help
        put(d, motion, t);
        mujoco.mj_step(m, d);
        const q = difference(m, motion.qpos[t + 1], Array.from(d.qpos)), v = minus(motion.qvel[t + 1], d.qvel);
        found.row = largest([...q, ...v]) > largest([found.qpos, found.qvel]) ? t : found.row;
        found.qpos = largest([found.qpos, ...q]);
        found.qvel = largest([found.qvel, ...v]);
        found.act = largest([found.act, ...minus(motion.act[t + 1], d.act)]);
    }
    d.delete();
    return found;
}

// How far slide and free joints go in a cycle of steps of h:  q_N - q_0 with  q_N = q_{N-1} + h v_0
function travel(m, motion, h)
{
    const last = motion.qpos.at(-1), first = motion.qpos[0];
    const far = Array(m.nq).fill(0);
    for (let j = 0; j < m.njnt; j++) {
        const q = m.jnt_qposadr[j], v = m.jnt_dofadr[j], type = m.jnt_type[j];
        for (let k = 0; k < (type === FREE ? 3 : type === SLIDE ? 1 : 0); k++)
            far[q + k] = last[q + k] + h * motion.qvel[0][v + k] - first[q + k];
    }
    return far;
}

// Of the bodies that can move: the heaviest, and the weight of all (N)
function movable(m)
{
    const mass = Array.from(m.body_mass).map((x, i) => (m.body_weldid[i] === 0 ? 0 : x));
    return { heaviest: mass.indexOf(Math.max(...mass)), weight: GRAVITY * mass.reduce((a, b) => a + b, 0) };
}

// Controls of row t with feedback about it: u = u_t + K_t dx; mj_step clips them to their ranges
function controls(motion, t, dx)
{
    return motion.ctrl[t].map((u, i) => dx.reduce((sum, x, n) => sum + motion.gain[t][i * dx.length + n] * x, u));
}

// The largest deviation of a joint (m, rad) in each tenth of the motion with its gains: a cycle goes round for `seconds`, an
// open motion is as long as it is. The push: a share of the weight, along x on the heaviest body from `begin` to `end`.
export function hold(mujoco, m, motion, { seconds, push = { begin: 0, end: 0, share: 0 }, open = false })
{
    const d = new mujoco.MjData(m), h = m.opt.timestep, N = motion.qpos.length;
    const far = open ? motion.qpos[0].map(() => 0) : travel(m, motion, h), { heaviest, weight } = movable(m);
    const steps = open ? N : Math.round(seconds / h), worst = Array(10).fill(0);
    put(d, motion, 0);
    for (let k = 0; k < steps; k++) {
        const t = k % N, round = Math.floor(k / N);
        const reference = motion.qpos[t].map((x, i) => x + round * far[i]);
        const apart = difference(m, reference, Array.from(d.qpos));
        const part = Math.floor(k / steps * worst.length);
        worst[part] = largest([worst[part], ...apart]);
        d.ctrl.set(controls(motion, t, [...apart, ...minus(Array.from(d.qvel), motion.qvel[t]), ...minus(Array.from(d.act), motion.act[t])]));
        d.xfrc_applied[6 * heaviest] = k * h >= push.begin && k * h < push.end ? push.share * weight : 0;
        mujoco.mj_step(m, d);
    }
    d.delete();
    return worst;
}
