// Models of the corpus, compiled by us and by MuJoCo 3.12: the same constants, and in random states contacts only at our pairs,
// with their parameters.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiledDifferences } from '../oracle/compiled.mjs';
import { contactsOf, iterated } from '../oracle/contacts.mjs';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';

let mujoco = await oracle();
const corpus = process.env.SALTUS_CORPUS ?? '../shared';
const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
const tolerance = 1e-12, FREE = 0, MULTICCD = 1 << 19;

const sizes = ['nq', 'nv', 'nu', 'na', 'nbody', 'njnt', 'ngeom', 'nsite', 'nsensor', 'nsensordata', 'nkey'];

function same(what, ours, theirs)
{
    let scale = 1, worst = 0;
    for (const x of theirs)
        scale = Number.isFinite(x) ? Math.max(scale, Math.abs(x)) : scale;
    if (ours.length !== theirs.length)
        return check(false, `${what}: ${ours.length} numbers, MuJoCo ${theirs.length}`);
    for (let i = 0; i < ours.length; i++) {
        const error = ours[i] === theirs[i] || !Number.isFinite(theirs[i]) ? 0 : Math.abs(ours[i] - theirs[i]) / scale;
        if (!(error <= tolerance) && worst <= tolerance)
            check(false, `${what}[${i}] = ${ours[i]}, MuJoCo ${theirs[i]}`);
        worst = Math.max(worst, error);
    }
}

function compare(ours, m)
{
    for (const size of sizes)
        check(ours[size] === m[size], `${size} = ${ours[size]}, MuJoCo ${m[size]}`);
    for (const d of compiledDifferences(ours, m, tolerance))
        check(false, `${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
}

let seed = 1, unlike = 0;
function random()
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
}

// A random state, free bodies near where they were posed, and each other.
function randomState(m, d)
{
    mujoco.mj_resetData(m, d);
    d.qvel.set(Array.from({ length: m.nv }, () => 2 * random() - 1));
    mujoco.mj_integratePos(m, d.qpos, d.qvel, 2 * random()); // only what lies in MuJoCo's own memory is written
    const q = d.qpos;
    for (let j = 0; j < m.njnt; j++)
        for (let k = 0; k < (m.jnt_type[j] === FREE ? 3 : 0); k++)
            q[m.jnt_qposadr[j] + k] *= 0.5;
}

// Whether a contact only just touches: rounding then decides whether it is one (the pads of a closed gripper, face on face).
const touchesByRounding = list => list.some(c => Math.abs(c.dist - c.margin) < 1e-8); // corners of meshes are floats

// Whether MuJoCo, where it iterates to find a contact, ended at another normal for the written model: it ends when the distance is known to 1e-6.
function endedElsewhere(m, list, written)
{
    let elsewhere = false;
    list.forEach((c, i) => {
        const other = written[i], turned = Math.max(...c.frame.slice(0, 3).map((x, k) => Math.abs(x - other.frame[k])));
        if (!iterated(m, c.geom) || turned < 1e-9)
            return;
        check(String(c.geom) === String(other.geom) && Math.abs(c.dist - other.dist) <= 1e-6,
            `written: contact of ${other.geom} at ${other.dist}, read: of ${c.geom} at ${c.dist}`);
        elsewhere = true;
    });
    return elsewhere;
}

// What we write moves as what we read: same contacts, same inverse dynamics.
function compareWritten(ours, m)
{
    mujoco.FS.writeFile('/written.xml', ours.written);
    const w = mujoco.MjModel.from_xml_path('/written.xml'), d = new mujoco.MjData(m), dw = new mujoco.MjData(w);
    m.opt.disableflags |= w.opt.disableflags & MULTICCD; // one contact of convex shapes, as ours
    let compared = 0;
    for (let state = 0; state < 10 && m.nv > 0 && m.ngeom < 100; state++) {
        randomState(m, d);
        dw.qpos.set(d.qpos);
        dw.qvel.set(d.qvel);
        mujoco.mj_inverse(m, d);
        mujoco.mj_inverse(w, dw);
        const list = contactsOf(d), listWritten = contactsOf(dw);
        if (touchesByRounding(list) || touchesByRounding(listWritten))
            continue;
        check(d.ncon === dw.ncon, `written: ${dw.ncon} contacts, read: ${d.ncon}`);
        if (d.ncon === dw.ncon && endedElsewhere(m, list, listWritten)) {
            unlike++;
            continue;
        }
        compared++;
        const scale = Math.max(1e-9, ...d.qfrc_inverse.map(Math.abs));
        check(d.qfrc_inverse.every((x, i) => Math.abs(x - dw.qfrc_inverse[i]) <= 1e-9 * scale), 'written: same forces');
    }
    return compared;
}

// Contacts in the order of our pairs, with their parameters.
function compareContacts(ours, m)
{
    const d = new mujoco.MjData(m);
    let contacts = 0;
    for (let state = 0; state < 30 && m.nv > 0 && m.ngeom < 100; state++) {
        randomState(m, d);
        mujoco.mj_fwdPosition(m, d);
        let p = 0;
        const list = d.contact;
        for (let i = 0; i < d.ncon; i++, contacts++) {
            const c = list.get(i), geom = [c.geom1 ?? c.geom[0], c.geom2 ?? c.geom[1]];
            while (p < ours.npair && !(ours.pair_geom1[p] === geom[0] && ours.pair_geom2[p] === geom[1]))
                p++;
            if (p === ours.npair)
                return check(false, `geoms ${geom} touch out of order, or are no pair`);
            const dim = c.adhesion > 0 && c.dist >= c.includemargin ? 1 : ours.pair_dim[p]; // what sticks across its gap does so without friction
            check(dim === c.dim, `dim of ${geom}: ${dim}, MuJoCo ${c.dim}`);
            same(`includemargin of ${geom}`, [ours.pair_include[p]], [c.includemargin]);
            same(`friction of ${geom}`, ours.pair_friction.slice(5 * p, 5 * p + 5), c.friction);
            same(`solref of ${geom}`, ours.pair_solref.slice(2 * p, 2 * p + 2), c.solref);
            same(`solimp of ${geom}`, ours.pair_solimp.slice(5 * p, 5 * p + 5), c.solimp);
        }
        list.delete();
    }
    d.delete();
    return contacts;
}

const folders = ['models', 'models/modern'].map(name => path.join(corpus, name)).filter(name => fs.existsSync(name));
if (folders.length === 0) {
    console.log('skip all: the corpus is absent');
    console.log('0 passed, 0 failed, 1 skipped');
    process.exit(77);
}
folders.push(path.resolve(root, 'models'), path.resolve(root, 'tests/physics/states'));
let loaded = 0, refused = 0, touching = 0, contacts = 0, written = 0;
for (const folder of folders) {
    const names = fs.readdirSync(folder).filter(name => name.endsWith('.xml'))
        // armature and damping of actuators are the dofs' with us; an orientation is three actuators, or four
        .filter(name => !folder.endsWith('states') || !['actuators.xml', 'orientations.xml'].includes(name))
        .sort();
    const out = execFileSync(dump, names.map(name => path.join(folder, name)), { maxBuffer: 1 << 30 }).toString();
    let left = 0; // models that MuJoCo as it is may still take
    for (const line of out.trim().split('\n')) {
        const ours = JSON.parse(line), name = path.basename(ours.file);
        if (ours.error) {
            refused++;
            continue;
        }
        if (left-- === 0) {
            [mujoco, left] = [await oracle(), 9]; // a fresh one: what models took is not all given back
            for (const other of names)
                mujoco.FS.writeFile('/' + other, fs.readFileSync(path.join(folder, other)));
        }
        let m;
        try {
            m = mujoco.MjModel.from_xml_path('/' + name);
        } catch (error) {
            console.log(`  ${name}: MuJoCo refuses it: ${String(error).slice(0, 100)}`);
            continue;
        }
        loaded++;
        run(`${name}_compiles_the_same`, () => {
            compare(ours, m);
            const found = compareContacts(ours, m);
            touching += found > 0;
            contacts += found ?? 0;
            written += compareWritten(ours, m);
        });
        m.delete();
    }
}

// Small models, one a line: both load it as the same model or both refuse it, or the line says who does not.
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-312-'));
const lines = fs.readFileSync(path.join(root, 'tests/mjcf/small_models_312.txt'), 'utf8').split('\n')
    .filter(line => /^[=<>] /.test(line));
const files = lines.map((line, i) => path.join(scratch, `${i}.xml`));
lines.forEach((line, i) => fs.writeFileSync(files[i], line.slice(2)));
const compiled = execFileSync(dump, files, { maxBuffer: 1 << 30 }).toString().trim().split('\n').map(line => JSON.parse(line));
fs.rmSync(scratch, { recursive: true });
run('small_models_compile_the_same', () => {
    lines.forEach((line, i) => {
        let m;
        mujoco.FS.writeFile('/small.xml', line.slice(2));
        try {
            m = mujoco.MjModel.from_xml_path('/small.xml');
        } catch {
        }
        const verdict = !!m === !compiled[i].error ? '=' : m ? '<' : '>';
        check(verdict === line[0], `${verdict} and not ${line}`);
        if (m && !compiled[i].error)
            compare(compiled[i], m);
        m?.delete();
    });
});
console.log(`  ${loaded} models and ${lines.length} small ones compared, ${refused} refused by us; ${contacts} contacts in ${touching} models; ${written} states of written ones, in ${unlike} MuJoCo ended elsewhere`);
done();
