// Models of the corpus, compiled by us and by MuJoCo 3.12: the same constants, and in random states contacts only at our pairs,
// with their parameters.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';

let mujoco = await oracle();
const corpus = process.env.SALTUS_CORPUS ?? '../shared';
const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
const tolerance = 1e-12, FREE = 0, MULTICCD = 1 << 19;

// name: numbers a row; arrays that have the same name and meaning
const arrays = ['qpos0', 'qpos_spring', 'body_parentid', 'body_rootid', 'body_mocapid', 'body_jntadr', 'body_jntnum',
    'body_dofadr', 'body_dofnum', 'body_geomadr', 'body_geomnum', 'body_pos', 'body_ipos', 'body_mass', 'body_subtreemass',
    'body_invweight0', 'jnt_type', 'jnt_qposadr', 'jnt_dofadr', 'jnt_bodyid', 'jnt_pos', 'jnt_axis', 'jnt_range', 'jnt_margin',
    'jnt_stiffness', 'jnt_solref', 'jnt_solimp', 'dof_bodyid', 'dof_jntid', 'dof_parentid', 'dof_armature', 'dof_damping',
    'dof_frictionloss', 'dof_invweight0', 'dof_M0', 'dof_solref', 'dof_solimp', 'geom_type', 'geom_bodyid', 'geom_contype',
    'geom_conaffinity', 'geom_condim', 'geom_priority', 'geom_group', 'geom_solmix', 'geom_solref', 'geom_solimp', 'geom_size',
    'geom_rbound', 'geom_pos', 'geom_friction', 'geom_margin', 'geom_gap', 'geom_fluid', 'body_gravcomp', 'jnt_stiffnesspoly',
    'dof_dampingpoly', 'tendon_stiffnesspoly', 'tendon_dampingpoly', 'tendon_armature', 'tendon_lengthspring', 'site_bodyid', 'site_type', 'site_size', 'site_pos',
    'actuator_gear', 'actuator_gainprm', 'actuator_biasprm', 'actuator_ctrlrange', 'actuator_forcerange', 'actuator_acc0',
    'actuator_group', 'actuator_dynprm', 'actuator_actrange', 'actuator_cranklength', 'jnt_actfrcrange', 'tendon_actfrcrange', 'key_act',
    'actuator_length0', 'sensor_dim', 'sensor_adr', 'sensor_cutoff', 'key_time', 'key_qpos', 'key_qvel', 'key_ctrl', 'key_mpos',
    'key_mquat', 'numeric_adr', 'numeric_size', 'numeric_data', 'tuple_adr', 'tuple_size', 'tuple_objid', 'tuple_objprm'];
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

function matrix([w, x, y, z])
{
    return [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
        w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z];
}

const rows = (a, k) => Array.from({ length: a.length / k }, (_, i) => Array.from(a.slice(k * i, k * i + k)));

// R diag(I) R'
function tensor(quat, inertia)
{
    const r = matrix(quat), out = [];
    for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++)
            out.push(r[3 * i] * inertia[0] * r[3 * j] + r[3 * i + 1] * inertia[1] * r[3 * j + 1] + r[3 * i + 2] * inertia[2] * r[3 * j + 2]);
    return out;
}

function compare(ours, m)
{
    for (const size of sizes)
        check(ours[size] === m[size], `${size} = ${ours[size]}, MuJoCo ${m[size]}`);
    for (const name of arrays)
        same(name, ours[name], m[name]);
    for (const name of ['body_quat', 'geom_quat', 'site_quat'])
        same(name, rows(ours[name], 4).flatMap(matrix), rows(m[name], 4).flatMap(matrix));
    const tensors = (quat, inertia) => rows(quat, 4).flatMap((q, i) => tensor(q, rows(inertia, 3)[i]));
    same('body_inertia', tensors(ours.body_iquat, ours.body_inertia), tensors(m.body_iquat, m.body_inertia));
    same('meaninertia', ours.meaninertia, [m.stat.meaninertia]);
    same('actuator_trnid', ours.actuator_trnid, rows(m.actuator_trnid, 2).map(pair => pair[0]));
    same('actuator_refid', ours.actuator_refid, rows(m.actuator_trnid, 2).map(pair => pair[1]));
    for (const name of ['actuator_dyntype', 'actuator_gaintype', 'actuator_biastype'])
        same(name, ours[name], m[name]);
    // of muscles by simulation: the solvers' tolerances add up
    rows(m.actuator_lengthrange, 2).forEach((range, i) => range.forEach((length, k) =>
        check(Math.abs(ours.actuator_lengthrange[2 * i + k] - length) <= 1e-7 * Math.abs(range[1] - range[0]), `lengthrange ${i}`)));
}

let seed = 1;
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
    const q = d.qpos.slice();
    mujoco.mj_integratePos(m, q, d.qvel, 2 * random());
    for (let j = 0; j < m.njnt; j++)
        for (let k = 0; k < (m.jnt_type[j] === FREE ? 3 : 0); k++)
            q[m.jnt_qposadr[j] + k] *= 0.5;
    d.qpos.set(q);
}

// Whether a contact only just touches: rounding then decides whether it is one (the pads of a closed gripper, face on face).
function touchesByRounding(d)
{
    const list = d.contact; // every time it is asked for, a copy
    let touches = false;
    for (let i = 0; i < d.ncon; i++)
        touches ||= Math.abs(list.get(i).dist - list.get(i).includemargin) < 1e-8; // corners of meshes are floats
    list.delete();
    return touches;
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
        if (touchesByRounding(d) || touchesByRounding(dw))
            continue;
        compared++;
        check(d.ncon === dw.ncon, `written: ${dw.ncon} contacts, read: ${d.ncon}`);
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
            check(ours.pair_dim[p] === c.dim, `dim of ${geom}: ${ours.pair_dim[p]}, MuJoCo ${c.dim}`);
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
        .filter(name => !folder.endsWith('states') || name !== 'actuators.xml') // their armature and damping are the dofs' with us
        .sort();
    const out = execFileSync(dump, names.map(name => path.join(folder, name)), { maxBuffer: 1 << 30 }).toString();
    for (const line of out.trim().split('\n')) {
        const ours = JSON.parse(line), name = path.basename(ours.file);
        if (ours.error) {
            refused++;
            continue;
        }
        mujoco = await oracle(); // a fresh one: what a model took is not given back
        for (const other of names)
            mujoco.FS.writeFile('/' + other, fs.readFileSync(path.join(folder, other)));
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
const scratch = fs.mkdtempSync('/tmp/saltus-312-');
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
console.log(`  ${loaded} models and ${lines.length} small ones compared, ${refused} refused by us; ${contacts} contacts in ${touching} models; ${written} states of written ones`);
done();
