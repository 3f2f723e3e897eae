// Contacts and distances of two geoms beside MuJoCo 3.12: every pair of primitive types, random sizes and poses.
//     pairs_312.mjs [poses of a pair of types, 400]
// Closed forms in both agree to 1e-10. What its iterations find (ccd_tolerance 1e-6) is counted where it differs by 1e-6: there, ours are
// proven in test_collide_convex.
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {oracle, run, check, done} from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/pair-contacts');
const POSES = Number(process.argv[2] ?? 400), PER_SIZE = 100, FAR = 10;
const types = {plane: 0, sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6};

let seed = 31;
function uniform(low, high)
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return low + (high - low) * seed / 0x80000000;
}

// A body each, the plane's too: then both are placed by qpos.
function xml(names, sizes, margin)
{
    const body = (name, i) => names[i] === 'plane' ? `<body mocap="true"><geom name="g${i}" type="plane" size="1 1 1"/></body>`
        : `<body><freejoint/><geom name="g${i}" type="${name}" size="${sizes[i].join(' ')}"/></body>`;
    return `<mujoco><worldbody>${names.map(body).join('')}</worldbody>
        <contact><pair geom1="g0" geom2="g1" margin="${margin}"/></contact></mujoco>`;
}

function unit(n)
{
    const x = Array.from({length: n}, () => uniform(-1, 1));
    return x.map(y => y / Math.hypot(...x));
}

// Turned in space, or axes along each other (flat on flat, standing on each other).
function place(names, s, aligned)
{
    const pos = [0, 0, 0].map(() => uniform(-0.3, 0.3)), quat = [unit(4), unit(4)], half = uniform(0, 1.5);
    if (aligned) {
        const height = {plane: 0, sphere: 0, capsule: s[1][0] + s[1][1], cylinder: s[1][1], ellipsoid: s[1][2], box: s[1][2]};
        const base = {plane: 0, sphere: s[0][0], capsule: s[0][0] + s[0][1], cylinder: s[0][1], ellipsoid: s[0][2], box: s[0][2]};
        pos[2] = height[names[1]] + base[names[0]] - uniform(-0.01, 0.02);
        quat[0] = [1, 0, 0, 0];
        quat[1] = [Math.cos(half), 0, 0, Math.sin(half)];
    } else if (names[0] === 'plane') {
        quat[0] = [1, 0, 0, 0];
        pos[2] = uniform(-0.1, 0.4);
    }
    return [[0, 0, 0, ...quat[0]], [...pos, ...quat[1]]];
}

// The poses of one pair of types, our lines and their answers.
function ask(names, lines, theirs)
{
    const fromto = new mujoco.DoubleBuffer(6);
    for (let k = 0; k < POSES / PER_SIZE; k++) {
        const s = names.map(() => [0, 0, 0].map(() => uniform(0.05, 0.25))), margin = k % 2 ? 0.02 : 0;
        mujoco.FS.writeFile('/pair.xml', xml(names, s, margin));
        const m = mujoco.MjModel.from_xml_path('/pair.xml'), d = new mujoco.MjData(m);
        for (let i = 0; i < PER_SIZE; i++) {
            const poses = place(names, s, i % 5 === 0);
            const free = names[0] === 'plane' ? poses[1] : poses.flat();
            d.qpos.set(free);
            mujoco.mj_kinematics(m, d);
            mujoco.mj_comPos(m, d);
            mujoco.mj_collision(m, d);
            const contacts = [];
            for (let c = 0; c < d.ncon; c++) {
                const contact = d.contact.get(c);
                contacts.push([contact.dist, ...contact.pos, ...Array.from(contact.frame).slice(0, 3)]);
            }
            const dist = mujoco.mj_geomDistance(m, d, 0, 1, FAR, fromto);
            theirs.push({contacts, dist, fromto: Array.from(fromto.GetView())});
            lines.push(names.map((name, j) => [types[name], ...poses[j], ...s[j]]).flat().concat(margin, FAR).join(' '));
        }
        d.delete();
        m.delete();
    }
    fromto.delete();
}

function read(line)
{
    const x = line.split(' ').map(Number), contacts = [];
    for (let c = 0; c < x[0]; c++)
        contacts.push(x.slice(1 + 7 * c, 8 + 7 * c));
    const rest = x.slice(1 + 7 * x[0]);
    return {contacts, dist: rest[0], fromto: rest.slice(1)};
}

const apart = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));

// dist, where the answer has one contact or several of the same normal: the deepest
const deepest = contacts => contacts.reduce((a, b) => a[0] <= b[0] ? a : b);

// Closed forms in both: every contact, and the distance, but for capsules whose axis has entered a box: their distance is not the least
// motion that parts them, ours is.
function compareClosed(name, ours, theirs)
{
    let contacts = 0, entered = 0;
    theirs.forEach((t, k) => {
        const o = ours[k];
        check(o.contacts.length === t.contacts.length, `${name} ${k}: ${o.contacts.length} contacts, expected ${t.contacts.length}`);
        for (const c of t.contacts)
            check(o.contacts.some(x => apart(x, c) < 1e-10), `${name} ${k}: the contact at ${c}`);
        contacts += t.contacts.length;
        if (name === 'capsule-box' && Math.abs(o.dist - t.dist) > 1e-9) {
            entered++;
            check(o.dist < 0 && t.dist < 0 && o.dist < t.dist, `${name} ${k}: distance ${o.dist}, theirs ${t.dist}`);
        } else {
            check(Math.abs(o.dist - t.dist) < 1e-9, `${name} ${k}: distance ${o.dist}, expected ${t.dist}`);
            const length = Math.hypot(...[0, 1, 2].map(i => o.fromto[i + 3] - o.fromto[i]));
            check(Math.abs(length - Math.abs(o.dist)) < 1e-9, `${name} ${k}: segment ${o.fromto}, theirs ${t.fromto}, distance ${o.dist}`);
        }
    });
    console.log(`     ${name.padEnd(19)} ${theirs.length} poses, ${contacts} contacts the same` + (entered ? `; ${entered} distances differ, the axis inside` : ''));
}

// Iterations in theirs: the polytope they stop at lies inside the true one, so that they may say less depth, never more.
function compareConvex(name, ours, theirs)
{
    const far = {distance: 0, contact: 0, normal: 0};
    let apartWorst = 0, contacts = 0, single = 0;
    theirs.forEach((t, k) => {
        const o = ours[k], error = Math.abs(o.dist - t.dist);
        if (t.dist > 0)
            apartWorst = Math.max(apartWorst, error);
        far.distance += error > 1e-6;
        check(o.dist <= t.dist + 1e-5, `${name} ${k}: distance ${o.dist}, theirs ${t.dist}`);
        const touching = t.contacts.length > 0 && o.contacts.length > 0;
        check(t.contacts.length > 0 === o.contacts.length > 0 || Math.abs(o.dist - (k % 200 < 100 ? 0 : 0.02)) < 1e-5,
            `${name} ${k}: ${o.contacts.length} contacts, theirs ${t.contacts.length}, at ${o.dist}`);
        if (touching) {
            const a = deepest(o.contacts), b = deepest(t.contacts);
            contacts++;
            single += t.contacts.length === 1;
            far.contact += Math.abs(a[0] - b[0]) > 1e-6;
            far.normal += apart(a.slice(4), b.slice(4)) > 1e-3;
        }
    });
    console.log(`     ${name.padEnd(19)} ${theirs.length} poses, distances within 1e-6 but for ${far.distance} (apart: within ${apartWorst.toExponential(0)}); ` +
        `${contacts} touch (${single} at one point in theirs): ${far.contact} deeper than theirs by 1e-6, ${far.normal} normals off by 1e-3`);
    check(far.distance <= 0.12 * theirs.length, `${name}: distances`);
}

const closed = (a, b) => a === 'plane' || (b !== 'ellipsoid' && b !== 'cylinder' && a !== 'ellipsoid' && a !== 'cylinder') || (a === 'sphere' && b === 'cylinder');

for (const [i, a] of Object.keys(types).entries())
    for (const b of Object.keys(types).slice(Math.max(i, 1)))
        run(`${a} and ${b} as in 3.12`, () => {
            const lines = [], theirs = [];
            ask([a, b], lines, theirs);
            const input = {input: lines.join('\n') + '\n', maxBuffer: 1 << 28};
            const answers = execFileSync(ours, input).toString().trim().split('\n').map(read);
            (closed(a, b) ? compareClosed : compareConvex)(`${a}-${b}`, answers, theirs);
        });
done();
