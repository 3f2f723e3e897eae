// Models with meshes (tests/mjcf/meshes), compiled by us and by MuJoCo 3.14: masses, poses, sizes, hulls and their sides; what we write moves alike.
// Their contacts, with planes also by 3.12 and by ours of that version.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
const folder = path.join(root, 'tests/mjcf/meshes'), MULTICCD = 1 << 19;

// relative to the largest entry
function same(what, ours, theirs, tolerance = 1e-12)
{
    const scale = Math.max(1e-300, ...theirs.map(Math.abs));
    check(ours.length === theirs.length, `${what}: ${ours.length} numbers, MuJoCo ${theirs.length}`);
    const worst = theirs.reduce((w, x, i) => Math.abs(x - ours[i]) > w[0] ? [Math.abs(x - ours[i]), i] : w, [0, 0]);
    check(worst[0] <= tolerance * scale, `${what}[${worst[1]}] = ${ours[worst[1]]}, MuJoCo ${theirs[worst[1]]}`);
}

const rows = (a, k) => Array.from({ length: a.length / k }, (_, i) => Array.from(a.slice(k * i, k * i + k)));

function matrix([w, x, y, z])
{
    return [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
        w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z];
}

// The sides of a hull, which MuJoCo lists in no order: by their corners, from the same corner on.
function comparePolygons(ours, m, mesh, ids)
{
    const theirs = new Map(), first = ours.mesh_hulladr[mesh], listFrom = (list, at) => list.slice(at, list.indexOf(-1, at));
    for (let p = m.mesh_polyadr[mesh]; p < m.mesh_polyadr[mesh] + m.mesh_polynum[mesh]; p++) {
        const adr = m.mesh_polyvertadr[p];
        theirs.set(String(m.mesh_polyvert.slice(adr, adr + m.mesh_polyvertnum[p])), Array.from(m.mesh_polynormal.slice(3 * p, 3 * p + 3)));
    }
    const sides = ids.map((_, k) => listFrom(ours.hull_polymap, ours.hull_polymapadr[first + k]));
    const all = [...new Set(sides.flat())];
    check(all.length === theirs.size, `mesh ${mesh}: ${all.length} sides, MuJoCo ${theirs.size}`);
    for (const p of all) {
        const corners = listFrom(ours.hull_polyvert, ours.hull_polyadr[p]), normal = theirs.get(String(corners.map(k => ids[k])));
        check(normal !== undefined, `mesh ${mesh}: its side ${corners.map(k => ids[k])} is none of MuJoCo's`);
        if (normal)
            same(`normal of side ${p}`, ours.hull_polynormal.slice(3 * p, 3 * p + 3), normal, 1e-9);
        check(corners.every(k => sides[k].includes(p)), `side ${p} is one of its corners'`);
    }
}

function compare(ours, m, tolerance)
{
    for (const name of ['body_mass', 'body_inertia', 'body_ipos', 'geom_size', 'geom_pos', 'geom_rbound', 'geom_surfacevel', 'mesh_pos', 'geom_type'])
        same(name, ours[name], Array.from(m[name]), tolerance);
    for (const name of ['geom_quat', 'mesh_quat', 'body_iquat'])
        same(name, rows(ours[name], 4).flatMap(matrix), rows(m[name], 4).flatMap(matrix), tolerance);
    const theirs = m.mesh_graph, vertices = m.mesh_vert;
    for (let i = 0; i < m.nmesh; i++) {
        const at = m.mesh_graphadr[i], n = ours.mesh_hullnum[i], nface = ours.mesh_hullfacenum[i];
        if (n === 0)
            continue;
        check(theirs[at] === n && theirs[at + 1] === nface, `hull of mesh ${i}: ${n}, ${nface}, MuJoCo ${theirs[at]}, ${theirs[at + 1]}`);
        const corner = [], ids = Array.from(theirs.slice(at + 2 + n, at + 2 + 2 * n));
        for (const id of ids)
            corner.push(...vertices.slice(3 * (m.mesh_vertadr[i] + id), 3 * (m.mesh_vertadr[i] + id) + 3));
        const first = ours.mesh_hulladr[i], size = Math.max(...corner.map(Math.abs));
        same(`corners of mesh ${i}`, ours.hull_vert.slice(3 * first, 3 * (first + n)).map(x => x / size), corner.map(x => x / size), 2e-7);
        same(`neighbours in mesh ${i}`, ours.hull_edge.slice(ours.hull_edgeadr[first], ours.hull_edgeadr[first] + n + 3 * nface),
            Array.from(theirs.slice(at + 2 + 2 * n, at + 2 + 3 * n + 3 * nface)), 0);
        const faces = Array.from(theirs.slice(at + 2 + 3 * n + 3 * nface, at + 2 + 3 * n + 6 * nface)).map(id => ids.indexOf(id));
        same(`where a climb begins in mesh ${i}`, ours.mesh_extrema.slice(27 * i, 27 * i + 27), Array.from(m.mesh_extrema.slice(27 * i, 27 * i + 27)), 0);
        comparePolygons(ours, m, i, ids);
        same(`faces of mesh ${i}`, ours.hull_face.slice(3 * ours.mesh_hullfaceadr[i], 3 * (ours.mesh_hullfaceadr[i] + nface)), faces, 0);
    }
}

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;

// The same poses of geoms and the same forces, near the floor and each other.
function compareWritten(ours, m)
{
    mujoco.FS.writeFile('/written.xml', ours.written);
    const w = mujoco.MjModel.from_xml_path('/written.xml'), d = new mujoco.MjData(m), dw = new mujoco.MjData(w);
    check((w.opt.disableflags & MULTICCD) === 0, 'written: several contacts of two hulls, as ours');
    let contacts = 0;
    for (let state = 0; state < 20; state++) {
        for (let i = 0; i < m.nbody - 1; i++)
            for (let k = 0; k < 7; k++)
                d.qpos[7 * i + k] = k < 2 ? .1 * random() : k === 2 ? .08 * random() : 2 * random() - 1;
        d.qvel.set(Array.from({ length: m.nv }, () => 2 * random() - 1));
        dw.qpos.set(d.qpos);
        dw.qvel.set(d.qvel);
        mujoco.mj_inverse(m, d);
        mujoco.mj_inverse(w, dw);
        contacts += d.ncon;
        check(d.ncon === dw.ncon, `written: ${dw.ncon} contacts, read: ${d.ncon}`);
        same('written: poses', Array.from(dw.geom_xpos), Array.from(d.geom_xpos), 1e-14);
        same('written: forces', Array.from(dw.qfrc_inverse), Array.from(d.qfrc_inverse), 1e-8);
        same('written: sensors', Array.from(dw.sensordata), Array.from(d.sensordata), 1e-8);
    }
    return contacts;
}

// What we write are the same meshes, corner by corner.
function compareTriangles(ours, m)
{
    mujoco.FS.writeFile('/written.xml', ours.written);
    const w = mujoco.MjModel.from_xml_path('/written.xml');
    for (const name of ['mesh_vert', 'mesh_face', 'mesh_graph'])
        same(`written: ${name}`, Array.from(w[name]), Array.from(m[name]), 0);
    for (const name of ['geom_pos', 'geom_surfacevel', 'body_mass', 'body_inertia', 'body_ipos'])
        same(`written: ${name}`, Array.from(w[name]), Array.from(m[name]), 1e-14);
}

// Contacts in random states, one of a pair. Theirs stop at ccd_tolerance 1e-6, inside the true depth; their normals are good to 1e-5 where both shapes
// are flat, to 1e-3 on round ones. Ours are proven in test_collide_convex.
function compareContacts(mujoco, m, file, version)
{
    m.opt.disableflags |= MULTICCD;
    const d = new mujoco.MjData(m), theirs = [];
    let lines = '', planes = 0, touching = 0, deeper = 0, turned = 0, flat = 0, single = 0;
    for (let state = 0; state < 300; state++) {
        const q = [];
        for (let b = 1; b < m.nbody; b++) {
            const turn = [0, 1, 2, 3].map(() => 2 * random() - 1), length = Math.hypot(...turn);
            q.push(.16 * random(), .16 * random(), .16 * random() + .02, ...turn.map(x => x / length));
        }
        lines += q.join(' ') + '\n';
        d.qpos.set(q);
        mujoco.mj_fwdPosition(m, d);
        const contacts = [];
        for (let i = 0; i < d.ncon; i++) {
            const c = d.contact.get(i);
            contacts.push([c.geom1 ?? c.geom[0], c.geom2 ?? c.geom[1], c.dist, ...c.pos, ...Array.from(c.frame).slice(0, 3)]);
        }
        theirs.push(contacts);
    }
    const out = execFileSync(path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts'), [file, version], { input: lines, maxBuffer: 1 << 28 });
    out.toString().trim().split('\n').forEach((line, state) => {
        const x = line.split(' ').map(Number), ours = rows(x.slice(1, 1 + 9 * x[0]), 9);
        const grouped = list => list.reduce((map, c) => map.set(`${c[0]} ${c[1]}`, [...map.get(`${c[0]} ${c[1]}`) ?? [], c]), new Map());
        const a = grouped(ours), b = grouped(theirs[state]);
        for (const key of new Set([...a.keys(), ...b.keys()])) {
            const mine = a.get(key) ?? [], yours = b.get(key) ?? [], [g, h] = key.split(' ').map(Number);
            if (m.geom_type[h] !== 7)
                continue;
            if (m.geom_type[g] === 0) { // a plane: all contacts, in order
                planes += yours.length;
                check(mine.length === yours.length, `state ${state}, ${key}: ${mine.length} contacts, MuJoCo ${yours.length}`);
                same(`contacts of ${key}`, mine.flat(), yours.flat(), 1e-7);
                continue;
            }
            const deepest = list => list.reduce((u, v) => u[2] <= v[2] ? u : v, [0, 0, Infinity]);
            const u = deepest(mine), v = deepest(yours);
            if (!mine.length || !yours.length) { // at the margin only
                check(Math.abs(Math.min(u[2], v[2]) - .005 * (m.geom_margin[g] + m.geom_margin[h] > .006 ? 2 : 1)) < 1e-5, `state ${state}, ${key}: ${u[2]}, MuJoCo ${v[2]}`);
                continue;
            }
            touching++;
            single += yours.length === 1;
            check(u[2] <= v[2] + 1e-5, `state ${state}, ${key}: dist ${u[2]}, MuJoCo ${v[2]}`);
            deeper += Math.abs(u[2] - v[2]) > 1e-6;
            turned += m.geom_type[g] >= 6 && Math.hypot(u[6] - v[6], u[7] - v[7], u[8] - v[8]) > 1e-4;
            flat += m.geom_type[g] >= 6;
        }
    });
    console.log(`  ${version}: ${planes} contacts with the plane the same; ${touching} pairs touch (${single} at one point in theirs): ${deeper} differ by 1e-6; ${turned} normals of ${flat} flat pairs by 1e-4`);
    check(touching > 500 && planes > 300, 'enough contacts');
    check(deeper < .02 * touching && turned < .02 * flat, 'contacts agree');
}

const older = await oracle('3.12'), names = fs.readdirSync(folder);
for (const name of names)
    for (const one of [mujoco, older])
        one.FS.writeFile('/' + name, fs.readFileSync(path.join(folder, name)));
const models = names.filter(name => name.endsWith('.xml'));
const out = execFileSync(dump, models.map(name => path.join(folder, name)), { maxBuffer: 1 << 30 }).toString();
let contacts = 0;
for (const line of out.trim().split('\n')) {
    const ours = JSON.parse(line), name = path.basename(ours.file);
    run(`${name}_compiles_the_same`, () => {
        check(!ours.error, ours.error);
        const m = mujoco.MjModel.from_xml_path('/' + name);
        compare(ours, m, name === 'shells.xml' ? 1e-9 : 1e-12); // a layer of 1e-6 m, by difference
        if (name === 'pairs.xml')
            for (const [version, one] of [['3.14', mujoco], ['3.12', older]])
                compareContacts(one, one.MjModel.from_xml_path('/' + name), ours.file, version);
        if (name === 'shapes.xml' || name === 'inertia.xml')
            contacts += compareWritten(ours, m);
        if (name === 'builtin.xml') // some touch in one of several equal ways, as rounding decides
            compareTriangles(ours, m);
    });
}
console.log(`  ${models.length} models, ${contacts} contacts of written ones`);
done();
