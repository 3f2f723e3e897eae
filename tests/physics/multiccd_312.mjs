// Several contacts of two convex shapes with flat sides beside MuJoCo 3.14: how many, in which order, where, how deep and with which normals,
// in random poses: side on side, tilted by up to 6 degrees (beyond 5.1 they no longer face each other), edges along sides, and others.
//     multiccd_312.mjs [poses of a pair, 150]
// MuJoCo's ccd_tolerance is made small, so that its one contact, too, is exact where its iterations end.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts'), POSES = Number(process.argv[2] ?? 150);
const mujoco = await oracle(), BOX = 6;
let seed = 1;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const between = (a, b) => a + (b - a) * random();
const unit = n => {
    const x = Array.from({ length: n }, () => between(-1, 1));
    return x.map(c => c / Math.hypot(...x));
};

const ring = (n, z, r = 1) => Array.from({ length: n }, (_, i) => [r * Math.cos(2 * Math.PI * i / n), r * Math.sin(2 * Math.PI * i / n), z]).flat();
const ball = n => Array.from({ length: n }, () => unit(3).map(c => .25 * c)).flat();
const meshes = {
    foot: [...ring(4, -.1, .3), ...ring(4, .1, .2)],
    sole: [...ring(16, -.05, .2).map((x, i) => i % 3 === 0 ? 1.5 * x : x), ...ring(5, .1, .15)],
    wedge: [0, 0, 0, .3, 0, 0, 0, .2, 0, .3, .2, 0, 0, 0, .15, 0, .2, .15],
    prism: [...ring(7, -.1, .2), ...ring(7, .1, .2)],
    tetrahedron: [0, 0, 0, .4, 0, 0, 0, .5, 0, .1, .1, .4],
    round: ball(200),
    pebble: ball(30),
};
const shapes = Object.fromEntries([...Object.keys(meshes).map(name => [name, `type="mesh" mesh="${name}"`]),
    ['box', 'type="box" size=".2 .15 .1"'], ['bar', 'type="box" size=".05 .3 .04"'], ['disc', 'type="cylinder" size=".2 .05"'], ['rod', 'type="cylinder" size=".05 .25"']]);

const model = (one, other, flag) => `<mujoco><option ccd_tolerance="1e-12" ccd_iterations="200">${flag}</option><asset>
    ${Object.entries(meshes).map(([name, vertex]) => `<mesh name="${name}" vertex="${vertex.join(' ')}"/>`).join('')}</asset><worldbody>
    <body><freejoint/><geom ${shapes[one]}/></body><body><freejoint/><geom ${shapes[other]}/></body></worldbody></mujoco>`;

const product = ([a, b, c, d], [w, x, y, z]) => [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w];
const turn = (q, x) => product(product(q, [0, ...x]), [q[0], -q[1], -q[2], -q[3]]).slice(1);

// The turn that takes direction a to b
function between_directions(a, b)
{
    const w = 1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const q = w < 1e-9 ? [0, ...(Math.abs(a[0]) < .9 ? [0, a[2], -a[1]] : [-a[2], 0, a[0]])] : [w, ...cross];
    return q.map(x => x / Math.hypot(...q));
}

// Normals of a geom's sides, and lines along its edges, in the axes of its body
function directionsOf(m, g)
{
    const q = Array.from(m.geom_quat.slice(4 * g, 4 * g + 4)), out = { side: [], edge: [] };
    if (m.geom_type[g] === 7) {
        const mesh = m.geom_dataid[g], at = m.mesh_polyadr[mesh];
        for (let p = at; p < at + m.mesh_polynum[mesh]; p++) {
            out.side.push(turn(q, Array.from(m.mesh_polynormal.slice(3 * p, 3 * p + 3))));
            const [a, b] = [0, 1].map(k => m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[p] + k]).map(i => m.mesh_vert.slice(3 * i, 3 * i + 3));
            const e = [0, 1, 2].map(k => b[k] - a[k]);
            out.edge.push(turn(q, e.map(x => x / Math.hypot(...e))));
        }
    } else
        for (let k = m.geom_type[g] === BOX ? 0 : 2; k < 3; k++) {
            const e = [0, 1, 2].map(i => i === k ? 1 : 0);
            out.edge.push(turn(q, e));
            out.side.push(turn(q, e), turn(q, e.map(x => -x)));
        }
    return out;
}

// Body 2 above body 1 along a direction, so that they overlap by up to 2 cm
const pick = list => list[Math.floor(random() * list.length * .999999)];
function pose(d, m, kind)
{
    const [a, b] = [0, 1].map(g => directionsOf(m, g)), up = [0, 0, 1], yaw = between(0, Math.PI);
    const around = q => product([Math.cos(yaw), 0, 0, Math.sin(yaw)], q);
    let q1 = unit(4), q2 = unit(4);
    if (kind !== 'any') {
        q1 = between_directions(pick(a.side), up);
        q2 = around(between_directions(pick(b.side), up.map(x => -x)));
        if (kind === 'edge' && random() < .5)
            q2 = around(product([Math.cos(between(0, 3)), 0, Math.sin(1), 0].map((x, i, q) => x / Math.hypot(...q)), between_directions(pick(b.edge), [0, 1, 0])));
        else if (kind === 'edge')
            [q1, q2] = [product([Math.cos(.7), 0, Math.sin(.7), 0], between_directions(pick(a.edge), [0, 1, 0])), q2];
        const tilt = pick([0, 1e-4, 1e-3, .01, .05, .1]), angle = between(0, 2 * Math.PI);
        q2 = product([Math.cos(tilt / 2), Math.sin(tilt / 2) * Math.cos(angle), Math.sin(tilt / 2) * Math.sin(angle), 0], q2);
        const all = unit(4);
        [q1, q2] = [product(all, q1), product(all, q2)];
        return { q: [q1, q2], up: turn(all, up) };
    }
    return { q: [q1, q2], up: unit(3) };
}

const segment = new mujoco.DoubleBuffer(6);
function place(m, d, kind)
{
    const { q, up } = pose(d, m, kind), side = unit(3).map(x => .08 * x);
    let high = 1.5, depth = between(1e-4, .02);
    const at = h => {
        d.qpos.set([0, 0, 0, ...q[0], ...up.map((x, k) => h * x + side[k]), ...q[1]]);
        mujoco.mj_kinematics(m, d);
        mujoco.mj_comPos(m, d);
        return mujoco.mj_geomDistance(m, d, 0, 1, 10, segment);
    };
    for (let i = 0; i < 60; i++) {
        const gap = at(high);
        if (gap <= 1e-9)
            break;
        high -= gap;
    }
    at(high - depth);
    return Array.from(d.qpos);
}

function theirContacts(m, d)
{
    return Array.from({ length: d.ncon }, (_, i) => {
        const c = d.contact.get(i), x = { dist: c.dist, pos: Array.from(c.pos), normal: Array.from(c.frame).slice(0, 3) };
        c.delete();
        return x;
    });
}

const far = (a, b) => Math.hypot(...a.map((x, i) => x - b[i])), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const same = (o, c) => far(o.pos, c.pos) <= 1e-6 && Math.abs(o.dist - c.dist) <= 1e-9 && far(o.normal, c.normal) <= 1e-6;
const total = {};

// How far a geom reaches along n
function reach(m, d, g, n)
{
    const R = d.geom_xmat.slice(9 * g, 9 * g + 9), s = m.geom_size.slice(3 * g, 3 * g + 3), l = [0, 1, 2].map(j => R[j] * n[0] + R[3 + j] * n[1] + R[6 + j] * n[2]);
    const at = dot(n, d.geom_xpos.slice(3 * g, 3 * g + 3)), mesh = m.geom_dataid[g], verts = mesh < 0 ? 0 : m.mesh_vertnum[mesh], first = m.mesh_vertadr[mesh];
    if (mesh >= 0)
        return at + Math.max(...Array.from({ length: verts }, (_, i) => dot(l, m.mesh_vert.slice(3 * (first + i), 3 * (first + i) + 3))));
    return at + (m.geom_type[g] === BOX ? dot(s, l.map(Math.abs)) : s[0] * Math.hypot(l[0], l[1]) + s[1] * Math.abs(l[2]));
}

// sep(n) = min n.(b - a) over points of the two: the least translation along n that parts them is -sep, and that of all n the contact's
const sep = (m, d, n, [g1, g2]) => -reach(m, d, g2, n.map(x => -x)) - reach(m, d, g1, n);

// Of contacts of one side: area of the quadrilateral that their corners span
function area(contacts)
{
    const [a, b, c, d] = contacts.map(c => c.pos.map((x, i) => x + c.normal[i] * c.dist / 2)), p = a.map((x, i) => x - c[i]), q = b.map((x, i) => x - d[i]);
    return .5 * Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
}

const spans = (mine, yours) => mine.length === 4 && yours.length === 4 && [...mine, ...yours].every(c => far(c.normal, yours[0].normal) < 1e-6) &&
    area(mine) >= (1 - 1e-9) * area(yours);

// The same contacts, in any order. Others that are as good, or better: a single one that is as deep as sep says, and sep of MuJoCo's normal no
// greater (it finds that by iteration); four corners of the same sides that span as much, or more.
function compare(m, d, mine, yours, t)
{
    t.poses++;
    t.contacts += yours.length;
    t.several += yours.length > 1;
    if (mine.length === yours.length && yours.every(c => mine.some(o => same(o, c)))) {
        t.same++;
        t.ordered += yours.every((c, i) => same(mine[i], c));
    } else if (mine.length === 1 && yours.length === 1 && Math.abs(sep(m, d, mine[0].normal, mine[0].geoms) - mine[0].dist) <= 1e-9 &&
        sep(m, d, yours[0].normal, mine[0].geoms) <= mine[0].dist + 1e-9)
        t.single++;
    else if (spans(mine, yours))
        t.corners++;
    else
        t[mine.length === yours.length ? 'other' : 'number']++;
}

// Which of several sides or edges that would do MuJoCo takes first is not followed.
const isRound = name => /round|pebble/.test(name), isRolled = name => /disc|rod/.test(name);
const least = (one, other) => isRound(one) || isRound(other) ? .75 : isRolled(one) || isRolled(other) ? .83 : .93;

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-multiccd-')), file = path.join(temporary, 'model.xml');
const names = Object.keys(shapes);
for (const [i, one] of names.entries())
    for (const other of names.slice(i)) {
        if (shapes[one].includes('box') && shapes[other].includes('box'))
            continue;
        run(`${one} and ${other}`, () => {
            fs.writeFileSync(file, model(one, other, ''));
            const m = mujoco.MjModel.from_xml_string(model(one, other, '')), d = new mujoco.MjData(m), kinds = ['side', 'edge', 'any'];
            const t = total[`${one}-${other}`] = { poses: 0, contacts: 0, several: 0, same: 0, ordered: 0, single: 0, corners: 0, number: 0, other: 0 };
            const poses = Array.from({ length: POSES }, (_, k) => place(m, d, kinds[k % 3]));
            const out = execFileSync(ours, [file], { input: poses.map(q => q.join(' ') + '\n').join(''), maxBuffer: 1 << 28 });
            out.toString().trim().split('\n').forEach((line, k) => {
                const x = line.split(' ').map(Number);
                const mine = Array.from({ length: x[0] }, (_, i) => x.slice(1 + 9 * i, 10 + 9 * i))
                    .map(c => ({ geoms: c.slice(0, 2), dist: c[2], pos: c.slice(3, 6), normal: c.slice(6) }));
                d.qpos.set(poses[k]);
                mujoco.mj_fwdPosition(m, d);
                compare(m, d, mine, theirContacts(m, d), t);
            });
            check(t.same + t.single + t.corners >= least(one, other) * t.poses && t.several >= .2 * t.poses, JSON.stringify(t));
            d.delete();
            m.delete();
        });
    }
// With a margin, or with a capsule (here in place of the disc), MuJoCo turns the shapes to and fro, and lists what it finds, each as deep as the
// deepest: that is the one that saltus has.
for (const [one, other, margin] of [['foot', 'box', .002], ['foot', 'prism', .002], ['foot', 'disc', 0], ['disc', 'rod', 0]])
    run(`${one} and ${other}, margin ${margin}: the deepest contact alone`, () => {
        const capsule = margin > 0 ? shapes.disc : 'type="capsule" size=".05 .2"';
        const xml = model(one, other, '').replaceAll(shapes.disc, capsule).replace('<asset>', `<default><geom margin="${margin}"/></default><asset>`);
        const m = mujoco.MjModel.from_xml_string(xml), d = new mujoco.MjData(m);
        let several = 0;
        fs.writeFileSync(file, xml);
        const poses = Array.from({ length: 90 }, (_, k) => place(m, d, ['side', 'edge', 'any'][k % 3]));
        const out = execFileSync(ours, [file], { input: poses.map(q => q.join(' ') + '\n').join('') }).toString().trim().split('\n');
        for (const [k, q] of poses.entries()) {
            const x = out[k].split(' ').map(Number);
            d.qpos.set(q);
            mujoco.mj_fwdPosition(m, d);
            const yours = theirContacts(m, d);
            several += yours.length > 1;
            check(x[0] === 1 && yours.length > 0 && yours.every(c => c.dist === yours[0].dist) && Math.abs(x[3] - yours[0].dist) <= 1e-9,
                `${k}: ${x.slice(0, 4)}, expected ${yours.map(c => c.dist)}`);
        }
        check(several > 5, `${several} with several`);
        d.delete();
        m.delete();
    });
run('multiccd="disable" leaves one contact', () => {
    const xml = model('foot', 'box', '<flag multiccd="disable"/>'), pose = '0 0 0 1 0 0 0 0 0 .195 1 0 0 0\n';
    fs.writeFileSync(file, xml);
    check(execFileSync(ours, [file], { input: pose }).toString().startsWith('1 '), 'with the flag');
    fs.writeFileSync(file, xml.replace('<flag multiccd="disable"/>', ''));
    check(execFileSync(ours, [file], { input: pose }).toString().startsWith('4 '), 'without it');
    check(execFileSync(ours, [file, '3.12'], { input: pose }).toString().startsWith('1 '), 'as 3.12');
});
fs.rmSync(temporary, { recursive: true });
for (const [name, t] of Object.entries(total))
    console.log(name.padEnd(20), JSON.stringify(t));
done();
