// Contacts of meshes with planes beside MuJoCo 3.14, and beside 3.12 with its rule: how many, in which order, where and how deep, in random
// poses and on each of their sides, where these are tilted by 1e-4 rad. Sides that lie in the plane have the same contacts as in 3.14, but which of
// their corners is the lowest is rounding, and with it what 3.12 takes, or 3.14 of a mirrored mesh, whose sides have their normals inside.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts'), POSES = 200;
let seed = 1;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const between = (a, b) => a + (b - a) * random();

const ring = (n, z, r = 1) => Array.from({ length: n }, (_, i) => [r * Math.cos(2 * Math.PI * i / n), r * Math.sin(2 * Math.PI * i / n), z]).flat();
const cloud = n => Array.from({ length: 3 * n }, () => between(-.5, .5));
const ball = n => Array.from({ length: n }, () => {
    const x = [0, 1, 2].map(() => between(-1, 1)), length = Math.hypot(...x);
    return x.map(c => .3 * c / length);
}).flat();
const meshes = {
    foot: [...ring(4, -.1), ...ring(4, .1, .7)],
    sole: [...ring(16, 0).map((x, i) => i % 3 === 0 ? 1.5 * x : x), ...ring(5, .3, .6)],
    wedge: [0, 0, 0, 1, 0, 0, 0, .5, 0, 1, .5, 0, 0, 0, .3, 0, .5, .3],
    prism: [...ring(12, -.2, .5), ...ring(12, .2, .5)],
    tetrahedron: [0, 0, 0, .4, 0, 0, 0, .5, 0, .1, .1, .6],
    // not all on the hull, and fewer than ten: 3.12 reads beyond its lists there
    eight: [...cloud(2), ...ring(3, -.8), ...ring(3, .8)],
    nine: cloud(9),
    twelve: cloud(12),
    hull: cloud(60),
    round: ball(400),
    roof: [-.5, -.5, 0, .5, -.5, 0, .5, .5, 0, -.5, .5, 0, -.5, -.5, .3, .5, -.5, .3, .5, .5, .3, -.5, .5, .3, -.5, 0, .302, .5, 0, .302],
};

const model = (vertex, mesh, plane) => `<mujoco><asset><mesh name="m" ${mesh} vertex="${vertex.join(' ')}"/></asset><worldbody>
    <geom type="plane" size="2 2 .1" ${plane}/><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
const normalised = q => q.map(x => x / Math.hypot(...q));

// The turn that takes direction a to -z
function downwards(a)
{
    const [x, y, z] = a;
    return z > 1 - 1e-9 ? [0, 1, 0, 0] : normalised([1 - z, -y, x, 0]);
}

// The mesh stands in the axes of its body: of the geom's pose only the position is given by MuJoCo's, so the sides are asked of a model.
function sidesOf(m)
{
    const axes = [0, 1, 2].map(i => [0, 1, 2].map(k => {
        const [w, x, y, z] = m.geom_quat.slice(4, 8);
        return [[w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]][i][k];
    }));
    return Array.from({ length: m.mesh_polynum[0] }, (_, p) => axes.map(row => row.reduce((s, x, k) => s + x * m.mesh_polynormal[3 * p + k], 0)));
}

const product = ([a, b, c, d], [w, x, y, z]) => [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w];
const tilted = q => normalised(product([1, 1e-4 * between(.5, 1), -1e-4 * random(), 0], q));

// Heights: so that the lowest corner is within 5 cm of the floor
function poses(mujoco, m, sides, flat)
{
    const d = new mujoco.MjData(m), list = [];
    const turns = [...Array.from({ length: POSES }, () => normalised([1, 2, 3, 4].map(() => between(-1, 1)))), ...sides.map(downwards).map(tilted),
        ...flat ? sides.map(downwards) : []];
    for (const turn of turns) {
        d.qpos.set([0, 0, 0, ...turn]);
        mujoco.mj_kinematics(m, d);
        let low = Infinity;
        for (let i = 0; i < m.nmeshvert; i++) {
            const x = m.mesh_vert.slice(3 * i, 3 * i + 3);
            low = Math.min(low, d.geom_xpos[5] + [6, 7, 8].reduce((s, k) => s + d.geom_xmat[9 + k] * x[k - 6], 0));
        }
        list.push([between(-1, 1), between(-1, 1), between(-.05, .02) - low, ...turn]);
    }
    d.delete();
    return list;
}

function theirContacts(m, d)
{
    return Array.from({ length: d.ncon }, (_, i) => {
        const c = d.contact.get(i), x = { dist: c.dist, pos: Array.from(c.pos), normal: Array.from(c.frame).slice(0, 3) };
        c.delete();
        return x;
    });
}

const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

// On a side that lies in the plane what touches is the same, but its order is rounding.
function compare(mine, yours, ordered, where)
{
    check(mine.length === yours.length, `${where}: ${mine.length} contacts, MuJoCo ${yours.length}`);
    yours.forEach((c, i) => {
        const o = ordered ? mine[i] : mine.find(x => apart(x.pos, c.pos) <= 1e-6);
        check(o && apart(o.pos, c.pos) <= 1e-6 && Math.abs(o.dist - c.dist) <= 1e-9 && apart(o.normal, c.normal) <= 1e-9,
            `${where}, contact ${i}: ${JSON.stringify(o)}, MuJoCo ${JSON.stringify(c)}`);
    });
}

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-plane-')), file = path.join(temporary, 'model.xml');
const newest = await oracle(), counts = {};
for (const [version, mujoco] of [['3.14', newest], ['3.12', await oracle('3.12')]])
    for (const [name, vertex] of Object.entries(meshes).filter(([name]) => version === '3.14' || !/eight|nine/.test(name)))
        for (const [mesh, plane] of [['', ''], ['scale="1 1.5 .8" refquat="1 .2 -.3 .1"', 'margin=".03"'], ['scale="-1 1 1"', 'margin=".02" gap=".01"'], ['', 'zaxis=".1 -.05 1"']])
            run(`${name} ${mesh} on a plane ${plane} as in ${version}`, () => {
                fs.writeFileSync(file, model(vertex, mesh, plane));
                const xml = fs.readFileSync(file, 'utf8'), m = mujoco.MjModel.from_xml_string(xml), d = new mujoco.MjData(m);
                const one = newest.MjModel.from_xml_string(xml), sides = sidesOf(one), list = poses(mujoco, m, sides, version === '3.14' && !mesh.includes('-1'));
                const out = execFileSync(ours, [file, version], { input: list.map(q => q.join(' ') + '\n').join(''), maxBuffer: 1 << 28 });
                out.toString().trim().split('\n').forEach((line, k) => {
                    const x = line.split(' ').map(Number);
                    const mine = Array.from({ length: x[0] }, (_, i) => x.slice(3 + 9 * i, 10 + 9 * i)).map(c => ({ dist: c[0], pos: c.slice(1, 4), normal: c.slice(4) }));
                    d.qpos.set(list[k]);
                    mujoco.mj_fwdPosition(m, d);
                    const yours = theirContacts(m, d), count = counts[version] ??= {};
                    count[yours.length] = (count[yours.length] ?? 0) + 1;
                    compare(mine, yours, k < POSES + sides.length, `pose ${k}`);
                });
                for (const what of [d, m, one])
                    what.delete();
            });
fs.rmSync(temporary, { recursive: true });
for (const [version, count] of Object.entries(counts))
    console.log(`  poses by their number of contacts in ${version}: ${Object.entries(count).map(([n, k]) => `${n}: ${k}`).join(', ')}`);
run('poses with two to four contacts', () => check([2, 3, 4].every(n => counts['3.14'][n] > 100), JSON.stringify(counts)));
done();
