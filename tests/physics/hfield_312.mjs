// Contacts of height fields with every type of geom beside MuJoCo, over random fields, poses and margins.
//     hfield_312.mjs [poses of a type, 400]
// Both list the contacts of the same prisms in the same order. What MuJoCo's iterations find (ccd_tolerance 1e-6, and
// with boxes and meshes often much less deep than any direction that parts them) may differ: then support functions
// written here decide. With sep(n) = min n.(b - a) over points a of the prism and b of the shape, the signed distance is
// the largest sep of all directions; so that a contact whose dist is sep of its own normal, and not less than sep of the
// other's, is the better one.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {oracle, run, check, done} from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-hfield-'));
const POSES = Number(process.argv[2] ?? 400), PER_FIELD = 50;

let seed = 71;
function uniform(low, high)
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return low + (high - low) * seed / 0x80000000;
}

const dot = (a, b) => a.reduce((s, x, i) => s + x * b[i], 0);
const column = (R, j) => [R[j], R[3 + j], R[6 + j]];
const turn = (R, x) => [0, 1, 2].map(i => dot(R.slice(3 * i, 3 * i + 3), x));
const back = (R, x) => [0, 1, 2].map(j => dot(column(R, j), x));

function unit(n)
{
    const x = Array.from({length: n}, () => uniform(-1, 1));
    return x.map(y => y / Math.hypot(...x));
}

const geoms = {
    sphere: s => `type="sphere" size="${s[0]}"`,
    capsule: s => `type="capsule" size="${s[0]} ${s[1]}"`,
    ellipsoid: s => `type="ellipsoid" size="${s.join(' ')}"`,
    cylinder: s => `type="cylinder" size="${s[0]} ${s[1]}"`,
    box: s => `type="box" size="${s.join(' ')}"`,
    mesh: () => 'type="mesh" mesh="rock"',
};

// Farthest point of the geom along l, in its own axes
function farthest(type, s, vertices, l)
{
    const xy = Math.hypot(l[0], l[1]), length = Math.hypot(...l), sign = x => x < 0 ? -1 : 1;
    const sl = s.map((x, i) => x * l[i]), norm = Math.hypot(...sl);
    switch (type) {
    case 'sphere': return l.map(x => s[0] * x / length);
    case 'capsule': return l.map((x, i) => s[0] * x / length + (i === 2 ? sign(x) * s[1] : 0));
    case 'ellipsoid': return s.map((x, i) => x * sl[i] / norm);
    case 'cylinder': return [xy > 0 ? s[0] * l[0] / xy : 0, xy > 0 ? s[0] * l[1] / xy : 0, sign(l[2]) * s[1]];
    case 'box': return s.map((x, i) => sign(l[i]) * x);
    default: return vertices.reduce((a, b) => dot(a, l) >= dot(b, l) ? a : b);
    }
}

// Corners of all prisms in the world, tops raised.
function prisms(m, d, raise)
{
    const nrow = m.hfield_nrow[0], ncol = m.hfield_ncol[0], size = Array.from(m.hfield_size), list = [];
    const R = Array.from(d.geom_xmat).slice(0, 9), at = Array.from(d.geom_xpos).slice(0, 3);
    const world = x => turn(R, x).map((y, i) => y + at[i]);
    for (let r = 0; r < nrow - 1; r++)
        for (let k = 0; k < 2 * (ncol - 1); k++) {
            const top = [k, k + 1, k + 2].map(j => {
                const row = j % 2 ? r : r + 1, col = j >> 1;
                return [2 * size[0] * col / (ncol - 1) - size[0], 2 * size[1] * row / (nrow - 1) - size[1],
                    m.hfield_data[row * ncol + col] * size[2] + raise];
            });
            list.push([...top, ...top.map(x => [x[0], x[1], -size[3]])].map(world));
        }
    return list;
}

// sep(n) of each prism and the geom, less half the margin
function separations(list, geom, n, margin)
{
    const b = turn(geom.R, farthest(geom.type, geom.size, geom.vertices, back(geom.R, n.map(x => -x)))).map((x, i) => x + geom.at[i]);
    return list.map(p => Math.min(...p.map(a => dot(n, b) - dot(n, a))) - margin / 2);
}

const cross = (a, b) => [0, 1, 2].map(i => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
const minus = (a, b) => a.map((x, i) => x - b[i]);

// The signed distance of a prism and a box that overlap, by all directions that can be best: normals of faces, and what
// is across an edge of each. (Separating axes; Gottschalk 1996.)
function byAxes(p, geom)
{
    const edges = [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3]].map(([i, j]) => minus(p[j], p[i]));
    const axes = [0, 1, 2].map(j => column(geom.R, j));
    const directions = [...axes, cross(edges[0], edges[1]), cross(edges[3], edges[4]), ...[0, 1, 2].map(i => cross(edges[i], edges[6])),
        ...edges.flatMap(e => axes.map(a => cross(e, a)))];
    let best = -Infinity;
    for (const d of directions) {
        const length = Math.hypot(...d);
        for (const n of length > 1e-9 ? [d.map(x => x / length), d.map(x => -x / length)] : [])
            best = Math.max(best, separations([p], geom, n, 0)[0]);
    }
    return best;
}

function xml(type, s, margin)
{
    const nrow = 2 + Math.floor(uniform(0, 5)), ncol = 2 + Math.floor(uniform(0, 5));
    const e = Array.from({length: nrow * ncol}, () => uniform(0, 1).toFixed(4)).join(' ');
    const rock = Array.from({length: 30}, () => unit(3).map(x => (.15 * x).toFixed(5)).join(' ')).join(' ');
    return `<mujoco><asset><hfield name="field" nrow="${nrow}" ncol="${ncol}" size="${uniform(.3, 1)} ${uniform(.3, 1)} ${uniform(.05, .5)} .2"
        elevation="${e}"/><mesh name="rock" vertex="${rock}"/></asset><worldbody>
        <geom type="hfield" hfield="field" pos="${unit(3).join(' ')}" quat="${unit(4).join(' ')}"/>
        <body><freejoint/><geom ${geoms[type](s)} margin="${margin}"/></body></worldbody></mujoco>`;
}

// A pose over the field, as deep as a geom may sink, or a little above.
function pose(m, d, size)
{
    const R = Array.from(d.geom_xmat).slice(0, 9), at = Array.from(d.geom_xpos).slice(0, 3);
    const x = [uniform(-1.2, 1.2) * size[0], uniform(-1.2, 1.2) * size[1], uniform(0, 1.1) * size[2] + uniform(0, .15)];
    return [...turn(R, x).map((y, i) => y + at[i]), ...unit(4)];
}

function read(line)
{
    const x = line.split(' ').map(Number);
    return Array.from({length: x[0]}, (_, c) => x.slice(3 + 9 * c, 10 + 9 * c));
}

function state(m, d, q)
{
    d.qpos.set(q);
    mujoco.mj_kinematics(m, d);
    mujoco.mj_comPos(m, d);
    mujoco.mj_collision(m, d);
    return Array.from({length: d.ncon}, (_, i) => {
        const c = d.contact.get(i);
        return [c.dist, ...c.pos, ...Array.from(c.frame).slice(0, 3)];
    });
}

const largest = (a, b, from, to) => Math.max(...a.slice(from, to).map((x, i) => Math.abs(x - b[from + i])));

function compare(type)
{
    const count = {poses: 0, contacts: 0, better: 0, missing: 0}, worst = {dist: 0, pos: 0, normal: 0};
    for (let k = 0; k < POSES / PER_FIELD; k++) {
        const s = [0, 0, 0].map(() => uniform(.04, .2)), margin = k % 2 ? .02 : 0, file = path.join(folder, 'field.xml');
        const text = xml(type, s, margin);
        fs.writeFileSync(file, text);
        mujoco.FS.writeFile('/field.xml', text);
        const m = mujoco.MjModel.from_xml_path('/field.xml'), d = new mujoco.MjData(m);
        mujoco.mj_kinematics(m, d);
        const q = Array.from({length: PER_FIELD}, () => pose(m, d, Array.from(m.hfield_size)));
        const input = q.map(x => x.join(' ')).join('\n') + '\n';
        const answers = execFileSync(ours, [file], {input, maxBuffer: 1 << 28}).toString().trim().split('\n').map(read);
        const vertices = type === 'mesh' ? Array.from({length: m.nmeshvert}, (_, i) => Array.from(m.mesh_vert).slice(3 * i, 3 * i + 3)) : [];
        q.forEach((x, i) => {
            const theirs = state(m, d, x), o = answers[i], list = prisms(m, d, margin);
            const geom = {type, size: s, vertices, R: Array.from(d.geom_xmat).slice(9, 18), at: Array.from(d.geom_xpos).slice(3, 6)};
            const sep = n => separations(list, geom, n, margin);
            count.poses++;
            count.contacts += o.length;
            for (const c of o) // a bound by itself
                check(sep(c.slice(4)).some(x => Math.abs(x - c[0]) < 1e-10), `${type} ${k} ${i}: dist ${c[0]} is not that of its normal`);
            if (type === 'box' && margin === 0) { // all overlap: another way to the same
                const all = list.map(p => byAxes(p, geom));
                for (const c of o)
                    check(all.some(x => Math.abs(x - c[0]) < 1e-10), `${type} ${k} ${i}: dist ${c[0]}, by axes ${all}`);
            }
            if (o.length !== theirs.length) {
                const odd = [...o, ...theirs].filter(c => !(o.some(y => largest(c, y, 0, 4) < 1e-4) && theirs.some(y => largest(c, y, 0, 4) < 1e-4)));
                count.missing++;
                check(odd.every(c => Math.abs(c[0]) < 1e-5), `${type} ${k} ${i}: ${o.length} contacts, theirs ${theirs.length}: ${odd.map(c => c[0])}`);
                return;
            }
            theirs.forEach((t, c) => {
                const same = largest(o[c], t, 0, 1) < 1e-9 && largest(o[c], t, 1, 4) < 1e-6 && largest(o[c], t, 4, 7) < 1e-6;
                if (same) {
                    worst.dist = Math.max(worst.dist, largest(o[c], t, 0, 1));
                    worst.pos = Math.max(worst.pos, largest(o[c], t, 1, 4));
                    worst.normal = Math.max(worst.normal, largest(o[c], t, 4, 7));
                } else {
                    count.better++;
                    const mine = sep(o[c].slice(4)), there = sep(t.slice(4)); // of the prism, or those that share what touches
                    const least = Math.min(...there.filter((_, p) => Math.abs(mine[p] - o[c][0]) < 1e-10));
                    check(least <= o[c][0] + 1e-10, `${type} ${k} ${i} ${c}: dist ${o[c][0]}, theirs ${t[0]}, by its normal ${least}`);
                }
            });
        });
        d.delete();
        m.delete();
    }
    console.log(`     ${type.padEnd(10)} ${count.poses} poses, ${count.contacts} contacts; the same but for ${count.better}, whose distances ` +
        `are not less than theirs, and ${count.missing} poses with one more or less at the border; worst dist ${worst.dist.toExponential(0)}, ` +
        `pos ${worst.pos.toExponential(0)}, normal ${worst.normal.toExponential(0)}`);
    return count;
}

for (const type of Object.keys(geoms))
    run(`a height field and a ${type} as MuJoCo has it`, () => {
        const count = compare(type);
        check(count.contacts > count.poses, 'few contacts');
    });
// Rangefinders in all directions, from over, beside and within the ground.
function rays()
{
    const RAYS = 100, STATES = 20;
    let hits = 0, worst = 0, odd = 0;
    for (let k = 0; k < POSES / PER_FIELD; k++) {
        const sites = Array.from({length: RAYS}, (_, i) => `<site name="s${i}" quat="${unit(4).join(' ')}"/>`).join('');
        const text = xml('sphere', [.01, .01, .01], 0).replace('<body><freejoint/>', `<body><freejoint/>${sites}`)
            .replace('</mujoco>', `<sensor>${Array.from({length: RAYS}, (_, i) => `<rangefinder site="s${i}"/>`).join('')}</sensor></mujoco>`);
        const file = path.join(folder, 'rays.xml');
        fs.writeFileSync(file, text);
        mujoco.FS.writeFile('/rays.xml', text);
        const m = mujoco.MjModel.from_xml_path('/rays.xml'), d = new mujoco.MjData(m);
        mujoco.mj_kinematics(m, d);
        const q = Array.from({length: STATES}, () => pose(m, d, Array.from(m.hfield_size)));
        const zeros = Array(m.nv * 2 + m.nu + 6 * m.nbody).fill(0).join(' ');
        const input = q.map(x => `${x.join(' ')} ${zeros}`).join('\n') + '\n';
        const program = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/sensor-values');
        const answers = execFileSync(program, [file], {input, maxBuffer: 1 << 28}).toString().trim().split('\n');
        answers.forEach((line, i) => {
            const o = line.split(' ').map(Number).slice(1, 1 + RAYS);
            d.qpos.set(q[i]);
            mujoco.mj_forward(m, d);
            Array.from(d.sensordata).forEach((t, r) => {
                hits += t >= 0;
                odd += !(Math.abs(t - o[r]) < 1e-9);
                worst = Math.max(worst, Math.abs(t - o[r]));
            });
        });
        d.delete();
        m.delete();
    }
    console.log(`     ${hits} rays meet a field, ${odd} elsewhere than theirs; within ${worst.toExponential(0)}`);
    check(hits > 5 * POSES && odd === 0, 'rays');
}

// Bodies that fall on hills and roll: the same motion, with and without a margin.
function falls()
{
    const saltus = path.join(process.env.SALTUS_BUILD ?? 'build', 'cli/saltus');
    for (const margin of [0, .01]) {
        const file = path.join(folder, 'fall.xml'), out = path.join(folder, 'fall.csv'), STEPS = 500;
        const text = `<mujoco><option tolerance="0" iterations="100"/><asset><hfield name="field" nrow="4" ncol="4"
            size="1 1 .2 .25" elevation="0 1 2 3 4 5 3 7 8 2 1 7 3 4 5 6"/></asset><worldbody>
            <geom type="hfield" hfield="field" margin="${margin}"/><body pos=".1 .2 .4"><freejoint/><geom size=".1"/>
            <geom type="capsule" size=".05 .2" euler="0 70 0"/></body></worldbody>
            <keyframe><key qpos=".1 .2 .4 1 0 0 0"/></keyframe></mujoco>`;
        fs.writeFileSync(file, text);
        mujoco.FS.writeFile('/fall.xml', text);
        const m = mujoco.MjModel.from_xml_path('/fall.xml'), d = new mujoco.MjData(m);
        mujoco.mj_resetDataKeyframe(m, d, 0);
        execFileSync(saltus, ['simulate', '-q', file, '--key', '0', '--time', `${STEPS * .002}`, '-o', out]);
        const rows = fs.readFileSync(out, 'utf8').trim().split('\n').slice(1).map(line => line.split(',').slice(1, 14).map(Number));
        let worst = 0, contacts = 0;
        for (let i = 0; i <= STEPS; i++) {
            worst = Math.max(worst, ...[...d.qpos, ...d.qvel].map((x, k) => Math.abs(x - rows[i][k])));
            mujoco.mj_step(m, d);
            contacts += d.ncon;
        }
        console.log(`     margin ${margin}: ${STEPS} steps, ${contacts} contacts, within ${worst.toExponential(0)}`);
        check(contacts > 100 && worst < 1e-8, `margin ${margin}`);
        d.delete();
        m.delete();
    }
}

run('bodies fall on a height field as in MuJoCo', falls);
run('rays meet a height field where MuJoCo says', rays);
fs.rmSync(folder, {recursive: true});
done();
