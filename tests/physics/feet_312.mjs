// Flat feet of robots on a plane, a box, a beam narrower than the foot, and a height field, beside MuJoCo 3.14: the feet are the robots' own
// (boxes), and in their place meshes: the same box, a shoe, a sole that is symmetric, and a sole as from a scanner, flat to 0.1 mm.
//     feet_312.mjs [poses of a foot on a ground, 10]
// A pose: joints anywhere in half their range, the foot turned flat on the ground but for a tilt of 0 to 0.3 rad, up to 5 mm deep. Of a pair
// of foot and ground all contacts are compared: how many, places to 1e-6 m, depths to 1e-9 m, normals to 1e-6. Where they differ, why:
//     margin     the pair has one: MuJoCo has up to four contacts more, all as deep as the deepest; ours is the one, and the first of theirs
//     corners    both keep four of the same side's more corners; ours span as much area, or more
//     facets     several sides of the foot face the ground to within 5.1 degrees, and MuJoCo takes another one
//     edges      several edges at the foot's lowest corner lie along the ground to within 5.1 degrees, and MuJoCo takes another one
//     one        both have one contact, which MuJoCo finds by iteration; ours is judged by support functions written here: its depth is
//                sep(n) = min n.(b - a) over points of ground and foot, to rounding, and no less than sep of MuJoCo's normal
//     field      of the height field's prisms MuJoCo finds contacts by iteration (tests/physics/hfield_312.mjs judges them)
//     other      none of these
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { contactsOf } from '../oracle/contacts.mjs';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle(), corpus = process.env.SALTUS_CORPUS ?? '../shared';
const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts'), POSES = Number(process.argv[2] ?? 10);
const PLANE = 0, HFIELD = 1, BOX = 6, MESH = 7;
let seed = 5;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const between = (a, b) => a + (b - a) * random(), pick = list => list[Math.floor(random() * list.length * .999999)];
const dot = (a, b) => a.reduce((s, x, i) => s + x * b[i], 0), far = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

// ---- models ----

const robots = {
    r1: { file: 'robots/r1.xml', foot: ['0.09 0.025 0.0075'] },
    t1: { file: 'robots/t1.xml', foot: ['0.1115 0.05 0.015'] },
    berkeley_humanoid: { file: 'robots/berkeley_humanoid.xml', foot: ['0.08 0.0275 0.006'] },
    atlas: { file: 'models/loco_atlas.xml', foot: ['0.1135 0.0669435 0.025', '0.05 0.04 0.01'] },
};
const outline = (n, s, z, share) => Array.from({ length: n }, (_, i) => [Math.cos(2 * Math.PI * i / n), Math.sin(2 * Math.PI * i / n)])
    .map(([x, y]) => [share * s[0] * Math.sign(x) * Math.abs(x) ** .6, share * s[1] * Math.sign(y) * Math.abs(y) ** .6, z]);
const corners = s => [-1, 1].flatMap(x => [-1, 1].flatMap(y => [-1, 1].map(z => [x * s[0], y * s[1], z * s[2]])));
const meshes = {
    box: s => corners(s),
    shoe: s => [...outline(14, s, -s[2], 1), ...outline(10, s, s[2], .8)].map(([x, y, z]) => [x, (1 + .2 * x / s[0]) * y + .15 * s[1] * (x / s[0]) ** 2, z]),
    sole: s => [...outline(14, s, -s[2], 1), ...outline(10, s, s[2], .8)],
    scan: s => [...[1, .8, .5, .2].flatMap(share => outline(14, s, 0, share).map(v => [v[0], v[1], -s[2] + between(0, 1e-4)])), ...outline(10, s, s[2], .8)],
};
const grounds = {
    plane: 'type="plane" size="0 0 .01"',
    box: 'type="box" size="3 3 .1" pos="0 0 -.1"',
    beam: 'type="box" size=".03 3 .1" pos="0 0 -.1"',
    field: 'type="hfield" hfield="hills"',
};
const hills = Array.from({ length: 900 }, () => random().toFixed(3)).join(' ');

function modelOf({ file, foot }, shape, ground)
{
    let xml = fs.readFileSync(path.join(corpus, file), 'utf8'), assets = '';
    for (const [i, size] of foot.entries())
        if (shape !== 'own') {
            const vertex = meshes[shape](size.split(' ').map(Number)).flat().join(' ');
            xml = xml.replaceAll(new RegExp(`<geom([^>]*)size="${size}"([^>]*)>`, 'g'), (_, a, b) => `<geom mesh="foot${i}" ${(a + b).replace('"box"', '"mesh"')}>`);
            assets += `<mesh name="foot${i}" vertex="${vertex}"/>`;
        }
    xml = xml.replace(/<geom[^>]*name="floor"[^>]*>/, `<geom name="floor" ${grounds[ground]} contype="7" conaffinity="7"/>`);
    if (!/<freejoint|type="free"/.test(xml))
        xml = xml.replace(/(<body name="pelvis"[^>]*>)/, '$1<freejoint/>').replace(/<joint name="pelvis_[^>]*>/g, '');
    if (ground === 'field')
        assets += `<hfield name="hills" nrow="30" ncol="30" size="1.5 1.5 .02 .1" elevation="${hills}"/>`;
    return xml.replace('<worldbody>', `<asset>${assets}</asset><worldbody>`);
}

// ---- poses ----

const product = ([a, b, c, d], [w, x, y, z]) => [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w];
const rotation = (m, d, g) => Array.from(d.geom_xmat.slice(9 * g, 9 * g + 9)), centre = (d, g) => Array.from(d.geom_xpos.slice(3 * g, 3 * g + 3));
const out = (R, l) => [0, 1, 2].map(i => dot(R.slice(3 * i, 3 * i + 3), l)), back = (R, w) => [0, 1, 2].map(j => R[j] * w[0] + R[3 + j] * w[1] + R[6 + j] * w[2]);

// Corners of a box or mesh, and the normals of its sides, in its axes
function cornersOf(m, g)
{
    if (m.geom_type[g] === BOX)
        return corners(Array.from(m.geom_size.slice(3 * g, 3 * g + 3)));
    const mesh = m.geom_dataid[g], at = m.mesh_vertadr[mesh];
    return Array.from({ length: m.mesh_vertnum[mesh] }, (_, i) => Array.from(m.mesh_vert.slice(3 * (at + i), 3 * (at + i) + 3)));
}

function sidesOf(m, g)
{
    if (m.geom_type[g] === BOX)
        return [0, 1, 2].flatMap(k => [-1, 1].map(s => [0, 1, 2].map(i => i === k ? s : 0)));
    const mesh = m.geom_dataid[g], at = m.mesh_polyadr[mesh];
    return Array.from({ length: m.mesh_polynum[mesh] }, (_, p) => Array.from(m.mesh_polynormal.slice(3 * (at + p), 3 * (at + p) + 3)));
}

const world = (m, d, g) => cornersOf(m, g).map(x => out(rotation(m, d, g), x).map((y, i) => y + centre(d, g)[i]));

// The side that is below where the robot stands as its file has it
function soleOf(m, d, g)
{
    d.qpos.set(m.qpos0);
    mujoco.mj_kinematics(m, d);
    const down = back(rotation(m, d, g), [0, 0, -1]);
    return sidesOf(m, g).reduce((a, b) => dot(a, down) > dot(b, down) ? a : b);
}

function turnOver(a, b)
{
    const q = [1 + dot(a, b), a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], n = Math.hypot(...q);
    return n < 1e-6 ? [0, 1, 0, 0] : q.map(x => x / n);
}

const segment = new mujoco.DoubleBuffer(6);
function pose(m, d, floor, foot, sole, ground)
{
    const q = Array.from(m.qpos0), around = between(0, Math.PI), angle = between(0, 2 * Math.PI), tilt = pick([0, 1e-4, 1e-3, .01, .05, .1, .3]);
    for (let j = 1; j < m.njnt; j++) {
        const [low, high] = m.jnt_range.slice(2 * j, 2 * j + 2);
        q[m.jnt_qposadr[j]] += low < high ? between(.5 * low, .5 * high) : 0;
    }
    q.splice(0, 7, 0, 0, 0, 1, 0, 0, 0);
    const put = () => {
        d.qpos.set(q);
        mujoco.mj_kinematics(m, d);
    };
    put();
    const level = turnOver(out(rotation(m, d, foot), sole), [0, 0, -1]), yaw = [Math.cos(around), 0, 0, Math.sin(around)];
    const lean = [Math.cos(tilt / 2), Math.sin(tilt / 2) * Math.cos(angle), Math.sin(tilt / 2) * Math.sin(angle), 0];
    q.splice(3, 4, ...product(lean, product(yaw, level)));
    put();
    const far = ground === 'beam' ? .03 : .4, c = centre(d, foot);
    q.splice(0, 2, between(-far, far) - c[0], between(-far, far) - c[1]);
    put();
    const lowest = Math.min(...world(m, d, foot).map(x => x[2])), depth = between(1e-5, 5e-3);
    q[2] -= lowest + (ground === 'field' ? between(-.02, 0) : depth);
    put();
    if (ground === 'beam') { // its ends may be below the top
        q[2] += .1;
        put();
        for (let i = 0, gap = 1; i < 50 && gap > 1e-9; i++) {
            gap = mujoco.mj_geomDistance(m, d, floor, foot, 10, segment);
            q[2] -= gap;
            put();
        }
        q[2] -= depth;
    }
    return q;
}

// ---- contacts ----

const same = (o, c) => far(o.pos, c.pos) <= 1e-6 && Math.abs(o.dist - c.dist) <= 1e-9 && far(o.normal, c.normal) <= 1e-6;
const sep = (A, B, n) => Math.min(...B.map(b => dot(n, b))) - Math.max(...A.map(a => dot(n, a)));

// Of contacts of one side: area of the quadrilateral that their corners span
function area(contacts)
{
    const [a, b, c, d] = contacts.map(c => c.pos.map((x, i) => x + c.normal[i] * c.dist / 2)), p = a.map((x, i) => x - c[i]), q = b.map((x, i) => x - d[i]);
    return .5 * Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
}

const isSpan = (mine, yours) => mine.length === 4 && yours.length === 4 && [...mine, ...yours].every(c => far(c.normal, yours[0].normal) < 1e-6) &&
    area(mine) >= (1 - 1e-9) * area(yours);

// Edges at the lowest corner that lie along the ground
function edgesAlong(m, d, foot)
{
    const mesh = m.geom_dataid[foot], x = world(m, d, foot), low = x.reduce((k, v, i) => v[2] < x[k][2] ? i : k, 0), ends = new Set();
    for (let p = m.mesh_polyadr[mesh]; p < m.mesh_polyadr[mesh] + m.mesh_polynum[mesh]; p++) {
        const v = Array.from(m.mesh_polyvert.slice(m.mesh_polyvertadr[p], m.mesh_polyvertadr[p] + m.mesh_polyvertnum[p])), k = v.indexOf(low);
        if (k >= 0)
            ends.add(v[(k + 1) % v.length]).add(v[(k + v.length - 1) % v.length]);
    }
    return [...ends].filter(i => Math.abs(x[i][2] - x[low][2]) < .0888 * far(x[i], x[low])).length;
}

function whyNot(m, d, floor, foot, mine, yours, ground)
{
    if (ground === 'field')
        return mine.length === yours.length ? 'field' : 'other';
    if (ground !== 'plane' && m.geom_margin[floor] + m.geom_margin[foot] > 0)
        return mine.length === 1 && yours.some(c => Math.abs(c.dist - mine[0].dist) < 1e-9) ? 'margin' : 'other';
    if (mine.length === 1 && yours.length === 1) {
        const [A, B] = [world(m, d, floor), world(m, d, foot)], [o, c] = [mine[0], yours[0]];
        if (Math.abs(sep(A, B, o.normal) - o.dist) <= 1e-9 && sep(A, B, c.normal) <= o.dist + 1e-9)
            return 'one';
    }
    if (isSpan(mine, yours))
        return 'corners';
    if (sidesOf(m, foot).filter(s => out(rotation(m, d, foot), s)[2] < -.996).length > 1)
        return 'facets';
    return m.geom_type[foot] === MESH && edgesAlong(m, d, foot) > 1 ? 'edges' : 'other';
}

function theirContacts(d, floor, foot)
{
    return contactsOf(d).filter(c => c.geom.includes(floor) && c.geom.includes(foot)).map(c => ({ dist: c.dist, pos: c.pos, normal: c.frame.slice(0, 3) }));
}

function ourContacts(line, floor, foot)
{
    const x = line.split(' ').map(Number);
    return Array.from({ length: x[0] }, (_, i) => x.slice(1 + 9 * i, 10 + 9 * i)).filter(c => c.slice(0, 2).includes(floor) && c.slice(0, 2).includes(foot))
        .map(c => ({ dist: c[2], pos: c.slice(3, 6), normal: c.slice(6, 9) }));
}

function survey(robot, shape, ground, t)
{
    const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-feet-')), file = path.join(temporary, 'model.xml'), xml = modelOf(robot, shape, ground);
    fs.writeFileSync(file, xml);
    const m = mujoco.MjModel.from_xml_string(xml), d = new mujoco.MjData(m), size = robot.foot.map(s => s.split(' ').map(Number));
    m.opt.ccd_tolerance = 1e-12;
    m.opt.ccd_iterations = 200;
    const all = Array.from({ length: m.ngeom }, (_, g) => g), floor = all.find(g => m.geom_bodyid[g] === 0 && m.geom_type[g] === { plane: PLANE, field: HFIELD }[ground] ||
        m.geom_bodyid[g] === 0 && m.geom_type[g] === BOX);
    const feet = all.filter(g => m.geom_type[g] === MESH || m.geom_type[g] === BOX && size.some(s => far(s, m.geom_size.slice(3 * g, 3 * g + 3)) < 1e-9));
    const cases = feet.flatMap(foot => {
        const sole = soleOf(m, d, foot);
        return Array.from({ length: POSES }, () => ({ foot, q: pose(m, d, floor, foot, sole, ground) }));
    });
    const lines = execFileSync(ours, [file], { input: cases.map(c => c.q.join(' ') + '\n').join(''), maxBuffer: 1 << 28 }).toString().trim().split('\n');
    cases.forEach(({ foot, q }, k) => {
        d.qpos.set(q);
        mujoco.mj_fwdPosition(m, d);
        const mine = ourContacts(lines[k], floor, foot), yours = theirContacts(d, floor, foot);
        const key = mine.length === yours.length && yours.every(c => mine.some(o => same(o, c))) ? 'same' : whyNot(m, d, floor, foot, mine, yours, ground);
        t[key] = (t[key] ?? 0) + 1;
        t.poses++;
        t.several += yours.length > 1;
        t.contacts += yours.length;
        if (key === 'other' && process.env.FEET_SHOW)
            console.log(robot.file, shape, ground, JSON.stringify(mine), JSON.stringify(yours), mine.length===4&&yours.length===4?area(mine)/area(yours):0);
    });
    fs.rmSync(temporary, { recursive: true });
    d.delete();
    m.delete();
}

// Of the poses without margin, which share has the same contacts at least; on a field what MuJoCo's iterations find is compared, too.
const least = { own: 1, box: .95, shoe: .92, sole: .4, scan: .4 };
for (const shape of ['own', ...Object.keys(meshes)])
    for (const ground of Object.keys(grounds))
        run(`${shape} feet on a ${ground}`, () => {
            const t = { poses: 0, several: 0, contacts: 0, same: 0 };
            for (const robot of Object.values(robots))
                survey(robot, shape, ground, t);
            console.log(`     ${JSON.stringify(t)}`);
            check(t.same >= (ground === 'field' ? .5 : ground === 'plane' ? .9 : least[shape]) * (t.poses - (t.margin ?? 0)), 'the same contacts');
            check((t.other ?? 0) <= .01 * t.poses, 'contacts that differ for no known reason');
            check(t.several >= .4 * t.poses, 'feet that stand on several points');
        });
done();
