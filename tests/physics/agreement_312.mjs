// Everything the inverse does beside MuJoCo 3.14, default mode, or beside 3.12 with compat="3.12": every model of the corpus that it loads, and
// ours, in random states.
//     agreement_312.mjs [--folder DIR]... [states of a model, 5] [version, 3.14] [of n models one, 1] [discrete]
// With the last word every model has integrator="discrete", and the solver Newton. With --folder: every model in that folder and below (URDF, too)
// instead of the corpus and ours, those that MuJoCo refuses with what we say of them; nothing but a difference is a fault then.
// Errors are relative to the largest entry of the vector compared, and at most 1e-9; bias forces that cancel may differ by the rounding of their terms
// (rounding.mjs), and so may sensors of forces that cancel, and contacts that graze: where the depth is all but 0, rounding of places is all there is. States with contacts that MuJoCo only finds to its tolerance (an
// ellipsoid, cylinder or mesh against anything but a plane, but for a sphere against a cylinder) are compared in what is smooth, unless all agrees;
// their deepest contacts are counted.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';
import { foldersNamed, modelsBelow, mount } from '../oracle/folders.mjs';
import { biasTerms, contactForce, depthRounding, readingsRounded, rowRounding } from '../oracle/rounding.mjs';

const words = process.argv.slice(2), foldersOfUser = foldersNamed(words);
const [states = 5, version = '3.14', every = 1, last] = words, STATES = Number(states), EVERY = Number(every), discrete = last === 'discrete';
let mujoco = await oracle(version);
const corpus = process.env.SALTUS_CORPUS ?? '../shared';
const program = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/evaluate-states');
const LARGE = 100, SLEEP = 16, DISCRETE = 4, NEWTON = 2, tolerance = 1e-9;

const arrays = ['M', 'qfrc_bias', 'qfrc_passive', 'ten_length', 'ten_velocity', 'actuator_length', 'actuator_velocity', 'moment', 'act_dot', 'actuator_force',
    'qfrc_actuator', 'contact', 'efc_type', 'efc_J', 'efc_pos', 'efc_margin', 'efc_KBIP', 'efc_D', 'efc_R', 'efc_vel', 'efc_aref', 'efc_force',
    'qfrc_constraint', 'qfrc_inverse', 'sensordata'];
const smooth = { M: 'M', bias: 'qfrc_bias', passive: 'qfrc_passive', tendon: ['ten_length', 'ten_velocity'],
    length: ['actuator_length', 'actuator_velocity'], moment: 'moment', actuat: ['act_dot', 'actuator_force', 'qfrc_actuator'] };
const rows = { pos: ['efc_pos', 'efc_margin'], J: 'efc_J', D: ['efc_KBIP', 'efc_D'], R: 'efc_R', aref: ['efc_vel', 'efc_aref'], force: 'efc_force' };
const columns = [...Object.keys(smooth), 'contact', ...Object.keys(rows), 'invers', 'sensor'];

let seed = 1;
function random(low, high)
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return low + (high - low) * seed / 0x80000000;
}
const randoms = (n, low, high) => Array.from({ length: n }, () => random(low, high));

// ---- states -------------------------------------------------------------------------------------------------------------------

// The k-th state: near qpos0, far from it, or where MuJoCo got to in some steps from there, so that what should touch does.
function livelyState(m, d, k)
{
    const spread = [0.3, 2, 0.1, 0.5][k % 4];
    const step = randoms(m.nv, -spread, spread);
    for (let i = 0; i < m.nv; i++)
        step[i] *= m.jnt_type[m.dof_jntid[i]] === 0 && i - m.jnt_dofadr[m.dof_jntid[i]] < 3 ? 0.1 : 1;
    mujoco.mj_resetData(m, d);
    mujoco.mj_integratePos(m, d.qpos, step, 1); // only what lies in MuJoCo's own memory is written
    const q = Float64Array.from(d.qpos);
    const ctrl = randoms(m.nu, -1, 1);
    let qvel = randoms(m.nv, -1, 1), act = randoms(m.na, 0, 1);
    d.qpos.set(q);
    if (k % 4 >= 2) {
        d.ctrl.set(ctrl);
        d.act.set(act);
        for (let i = 0; i < (m.nv > LARGE ? 3 : 5 * (1 + k % 37)); i++)
            mujoco.mj_step(m, d);
        [qvel, act] = [Array.from(d.qvel), Array.from(d.act)];
        q.set(d.qpos);
    }
    return { qpos: Array.from(q), qvel, qacc: randoms(m.nv, -3, 3), ctrl, act };
}

function theirs(m, d, s)
{
    mujoco.mj_resetData(m, d);
    for (const name of ['qpos', 'qvel', 'qacc', 'ctrl', 'act'])
        d[name].set(s[name]);
    mujoco.mj_inverse(m, d);
    mujoco.mj_fwdActuation(m, d);
    mujoco.mj_inverse(m, d);
    const o = {}, M = new mujoco.DoubleBuffer(m.nv * m.nv);
    mujoco.mj_fullM(m, d, M);
    for (const name of arrays)
        o[name] = d[name]?.slice?.();
    o.M = M.GetView().slice();
    M.delete();
    o.biasTerms = biasTerms(m, d);
    o.efc_J = o.efc_J.slice(0, d.nefc * m.nv);
    o.moment = new Float64Array(m.nu * m.nv);
    for (let i = 0; i < m.nu; i++)
        for (let k = d.moment_rowadr[i]; k < d.moment_rowadr[i] + d.moment_rownnz[i]; k++)
            o.moment[i * m.nv + d.moment_colind[k]] = d.actuator_moment[k];
    o.contact = [];
    const list = d.contact;
    for (let i = 0; i < d.ncon; i++) {
        const c = list.get(i), geom = [c.geom1 ?? c.geom[0], c.geom2 ?? c.geom[1]], type = m.geom_type[geom[1]];
        const axis = [2, 5, 8].map(k => d.geom_xmat[9 * geom[1] + k]);
        const lean = Math.hypot(axis[0] * c.frame[1] - axis[1] * c.frame[0], axis[1] * c.frame[2] - axis[2] * c.frame[1],
            axis[2] * c.frame[0] - axis[0] * c.frame[2]);
        const upright = m.geom_type[geom[0]] === PLANE && (type === CYLINDER || type === CAPSULE) && lean < 1e-3;
        const across = geom.every(g => m.geom_type[g] === BOX) &&
            Math.abs([0, 1, 2].reduce((sum, k) => sum + c.frame[k] * (d.geom_xpos[3 * geom[1] + k] - d.geom_xpos[3 * geom[0] + k]), 0)) < 1e-12;
        o.contact.push({ rounding: depthRounding(m, d, geom, c.pos, lean), vague: upright || across, geom, dim: c.dim, row: c.efc_address, dist: c.dist, pos: c.pos.slice(), frame: c.frame.slice(), margin: c.includemargin });
        c.delete();
    }
    list.delete();
    const reach = new Float64Array(d.nefc);
    o.contact.forEach((c, i) => reach.fill(c.rounding, Math.max(c.row, 0), c.row < 0 ? 0 : o.contact.slice(i + 1).find(x => x.row >= 0)?.row ?? d.nefc));
    o.rounding = rowRounding(d, m.nv, reach);
    return o;
}

// The program's answers: the states (null: failed), and why one failed.
function ours(file, states)
{
    const input = Buffer.from(Float64Array.from(states.flatMap(s => [...s.qpos, ...s.qvel, ...s.qacc, ...s.ctrl, ...s.act])).buffer);
    const { stdout, stderr, status } = spawnSync(program, [file, version, ...(discrete ? ['discrete'] : [])], { input, maxBuffer: 1 << 30 });
    if (status !== 0)
        throw new Error(String(stderr));
    const x = new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
    let at = 0;
    const take = () => {
        const n = x[at++];
        at += Math.max(n, 0);
        return n < 0 ? null : x.subarray(at - n, at);
    };
    const out = [];
    while (at < x.length) {
        const o = { M: take() };
        for (const name of o.M ? arrays.slice(1) : [])
            o[name] = take();
        if (o.M)
            o.contact = Array.from({ length: o.contact.length / 18 }, (_, i) => {
                const c = o.contact.subarray(18 * i, 18 * i + 18);
                return { geom: [c[0], c[1]], dim: c[2], row: c[3], dist: c[4], pos: c.subarray(5, 8), frame: c.subarray(8, 17), margin: c[17] };
            });
        out.push(o.M ? o : null);
    }
    return { states: out, why: String(stderr).split('\n')[0] };
}

// ---- comparison -----------------------------------------------------------------------------------------------------------------

function error(a, b)
{
    let worst = 0, scale = 1e-6;
    if (a.length !== b.length)
        return Infinity;
    for (let i = 0; i < a.length; i++) {
        const e = Math.abs(a[i] - b[i]);
        scale = Math.max(scale, Math.abs(b[i]));
        worst = e <= worst ? worst : e;
    }
    return Number.isNaN(worst) ? Infinity : worst / scale;
}

// Ours, where it is theirs up to rounding
const unrounded = (ours, theirs, by) => theirs.map((x, i) => Math.abs(ours[i] - x) <= by[i] ? x : ours[i]);

// Whether all bias forces differ by no more than what rounding leaves of their terms
const cancelled = (o, t) => o.qfrc_bias.every((x, i) => Math.abs(x - t.qfrc_bias[i]) <= 16 * Number.EPSILON * t.biasTerms[i]);

const PLANE = 0, HFIELD = 1, SPHERE = 2, CAPSULE = 3, ELLIPSOID = 4, CYLINDER = 5, BOX = 6, MESH = 7;
function approximate(m, [g1, g2])
{
    const [a, b] = [m.geom_type[g1], m.geom_type[g2]].sort((x, y) => x - y);
    const curved = [a, b].some(t => t === ELLIPSOID || t === CYLINDER || t === MESH);
    if (a === HFIELD) // where a shape is deep in the ground MuJoCo's depth is too small: hfield_312.mjs
        return true;
    return curved && a !== PLANE && !(a === SPHERE && b === CYLINDER);
}

// A contact without rows that ends by rounding; and one whose frame or place is nothing but rounding: axes cross, a cylinder stands upright, the normal of
// two boxes points to neither.
const rounds = c => Math.abs(c.dist - c.margin) < 1e-12, grazes = c => c.row < 0 && rounds(c);
const crosses = (m, c) => c.vague || c.geom.every(g => m.geom_type[g] === SPHERE || m.geom_type[g] === CAPSULE) &&
    c.dist + m.geom_size[3 * c.geom[0]] + m.geom_size[3 * c.geom[1]] < 1e-6;

// Corners of a mesh that are equally deep in a plane: rounding decides which of them are listed.
function ties(m, o, t)
{
    const depths = list => list.filter(c => m.geom_type[c.geom[0]] === PLANE && m.geom_type[c.geom[1]] === MESH)
        .map(c => [c.geom[0], c.geom[1], c.dist]).sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    const [a, b] = [depths(o.contact), depths(t.contact)];
    return a.length > 0 && a.length === b.length && a.every((x, i) => x[0] === b[i][0] && x[1] === b[i][1] && Math.abs(x[2] - b[i][2]) < 1e-12);
}

// Our contacts in the order of theirs: within a pair of boxes the list may begin elsewhere, and prisms of a height field touch at the same place. null:
// they are others.
function matched(o, t)
{
    if (o.contact.length !== t.contact.length)
        return null;
    const isAt = (x, c) => x.geom.every((g, k) => g === c.geom[k]) && x.dim === c.dim && Math.hypot(...[0, 1, 2].map(j => x.pos[j] - c.pos[j])) <= 1e-7;
    if (t.contact.every((c, i) => isAt(o.contact[i], c)))
        return t.contact.map((_, i) => i);
    const order = t.contact.map((c, i) => {
        let best = -1, least = 1e-7;
        o.contact.forEach((x, k) => {
            const far = Math.hypot(...[0, 1, 2].map(j => x.pos[j] - c.pos[j]));
            if (x.geom[0] === c.geom[0] && x.geom[1] === c.geom[1] && x.dim === c.dim && (far < least || (k === i && far <= least)))
                [best, least] = [k, far];
        });
        return best;
    });
    return order.includes(-1) || new Set(order).size !== order.length ? null : order;
}

// Row of ours that is row i of theirs.
function rowOrder(o, t, order)
{
    const map = Array.from(t.efc_type, (_, i) => i);
    order.forEach((k, i) => {
        const from = o.contact[k].row, to = t.contact[i].row, next = t.contact.slice(i + 1).find(c => c.row >= 0)?.row ?? t.efc_type.length;
        for (let j = 0; to >= 0 && j < next - to; j++)
            map[to + j] = from + j;
    });
    return map;
}

function permute(a, map)
{
    const width = map.length ? a.length / map.length : 0, out = new Float64Array(a.length);
    map.forEach((from, to) => out.set(a.subarray(from * width, from * width + width), to * width));
    return out;
}

// Sensors of the first contacts in the list show others where the list is in another order.
const CONTACT = mujoco.mjtSensor.mjSENS_CONTACT.value;
function compareSensors(m, o, t, withForces, note)
{
    const force = contactForce({ nefc: t.efc_type.length, ...t }), torque = force * Math.max(0, ...t.contact.map(c => Math.hypot(...c.pos)));
    const moved = (matched(o, t) ?? []).some((k, i) => k !== i), asListed = i => m.sensor_type[i] === CONTACT && m.sensor_intprm[3 * i + 1] === 0;
    for (let i = 0; i < m.nsensor; i++) {
        const from = m.sensor_adr[i], to = from + m.sensor_dim[i], ours = o.sensordata.slice(from, to);
        if ((withForces || m.sensor_needstage[i] < 3) && !(moved && asListed(i)))
            note('sensor', error(ours, readingsRounded(m, i, ours, t.sensordata.slice(from, to), { force, torque })));
    }
}

const roundedRow = (name, ours, t) => name === 'efc_aref' ? unrounded(ours, t[name], t.rounding.aref) :
    name === 'efc_force' ? unrounded(ours, t[name], t.rounding.force) : ours;

// false: neither the same nor excused
function compareRows(o, t, note)
{
    const order = matched(o, t);
    if (!order || o.efc_type.length !== t.efc_type.length)
        return false;
    const map = rowOrder(o, t, order);
    if (!map.every((from, to) => o.efc_type[from] === t.efc_type[to]))
        return false;
    t.contact.forEach((c, i) => {
        const x = o.contact[order[i]];
        note('contact', Math.max(error(unrounded([x.dist], [c.dist], [c.rounding]), [c.dist]), error(x.pos, c.pos), error(x.frame, c.frame)));
    });
    for (const [column, names] of Object.entries(rows))
        for (const name of [names].flat())
            note(column, error(roundedRow(name, permute(o[name], map), t), t[name]));
    note('force', error(o.qfrc_constraint, t.qfrc_constraint));
    note('invers', error(o.qfrc_inverse, t.qfrc_inverse));
    return true;
}

// Of each pair that MuJoCo approximates: whether the deepest contacts agree to 1e-6.
function compareConvex(m, o, t, count)
{
    const deepest = list => {
        const found = new Map();
        for (const c of list.filter(c => approximate(m, c.geom))) {
            const key = String(c.geom);
            found.set(key, Math.min(found.get(key) ?? Infinity, c.dist));
        }
        return found;
    };
    const a = deepest(o.contact), b = deepest(t.contact);
    for (const [key, dist] of b) {
        count.pairs++;
        count.far += !(Math.abs((a.get(key) ?? Infinity) - dist) <= 1e-6);
    }
    count.extra += [...a].filter(([key, dist]) => !b.has(key) && dist < -1e-6).length;
}

const total = { models: 0, states: 0, rows: 0, contacts: 0, convex: 0, rounding: 0, pairless: 0, pairs: 0, far: 0, extra: 0, worst: {} };

function compareModel(name, file, m)
{
    const d = new mujoco.MjData(m), states = [], expected = [], worst = {};
    const out = { rows: 0, contacts: 0, convex: 0, rounding: 0, pairless: 0, pairs: 0, far: 0, extra: 0 };
    m.opt.jacobian = 0;
    m.opt.enableflags &= ~SLEEP;
    if (discrete)
        Object.assign(m.opt, { integrator: DISCRETE, solver: NEWTON });
    for (const kind of ['body', 'geom', 'site']) // frames that are nearly the same are not taken as the same
        m[`${kind}_sameframe`].fill(0);
    seed = 1;
    const n = m.nq === 0 ? 0 : m.nv > LARGE ? Math.ceil(STATES / 10) : STATES;
    for (let k = 0; k < n; k++)
        states.push(livelyState(m, d, k));
    const answer = ours(file, states);
    states.forEach((s, k) => {
        const t = theirs(m, d, s), o = answer.states[k];
        const note = (column, e) => worst[column] = Math.max(worst[column] ?? 0, e);
        if (!o) {
            check(/are not supported/.test(answer.why), `state ${k} fails: ${answer.why}`);
            return void out.pairless++;
        }
        for (const [column, names] of Object.entries(smooth))
            for (const what of [names].flat())
                if (t[what].length > 0 && !(column === 'bias' && cancelled(o, t)))
                    note(column, error(o[what], t[what]));
        for (const x of [o, t])
            x.contact = x.contact.filter(c => !grazes(c));
        const all = [...o.contact, ...t.contact], convex = all.some(c => approximate(m, c.geom)), crossed = all.some(c => crosses(m, c));
        const found = {}, matches = compareRows(o, t, (column, e) => found[column] = Math.max(found[column] ?? 0, e));
        const same = matches && (!(convex || crossed) || Object.values(found).every(e => e <= tolerance));
        for (const [column, e] of same ? Object.entries(found) : [])
            note(column, e);
        compareSensors(m, o, t, same, note);
        out.rows += same;
        out.contacts += same ? t.contact.length : 0;
        out.convex += convex && !same;
        if (convex)
            compareConvex(m, o, t, out);
        else if (!same && (crossed || all.some(rounds) || ties(m, o, t)))
            out.rounding++;
        else
            check(same, `state ${k}: ${o.contact.length} contacts, ${o.efc_type.length} rows; ${version} has ${t.contact.length}, ${t.efc_type.length}`);
    });
    d.delete();
    console.log(name.padEnd(40).slice(0, 40), String(out.rows).padStart(4), String(out.contacts).padStart(5),
        ...columns.map(c => (worst[c] === undefined ? '-' : worst[c].toExponential(0)).padStart(6)), out.convex ? ` ${out.convex} convex` : '', out.far ? ` (${out.far} of ${out.pairs} pairs differ by 1e-6)` : '',
        out.rounding ? ` ${out.rounding} by rounding` : '',
        out.pairless ? ` ${out.pairless} without a collision function` : '');
    for (const [c, e] of Object.entries(worst)) {
        check(e <= tolerance, `${name}: ${c} off by ${e}`);
        total.worst[c] = Math.max(total.worst[c] ?? 0, e);
    }
    total.models++;
    total.states += n;
    for (const key of Object.keys(out))
        total[key] += out[key];
}

// ---- models -----------------------------------------------------------------------------------------------------------------------

const never = ['<composite>', 'hfield', '<plugin>', '<flex', '<attach>', '<model>'];
let pending = 0, refused = 0, unread = 0, fresh = 0;

const firstLine = text => String(text).split('\n')[0];

// What we say against a model, or null
function refusal(file)
{
    try {
        ours(file, []);
        return null;
    } catch (fault) {
        return firstLine(fault.message).replace(/^.*error: /, '');
    }
}

// The model `name` of a folder, which MuJoCo finds at the place `at`. True: MuJoCo broke down over it, and its memory is not to be trusted any more.
function compareFile(folder, name, at)
{
    let m;
    const why = refusal(path.join(folder, name)), is = text => console.log(`${name.padEnd(40)} ${text}`);
    try {
        m = mujoco.MjModel.from_xml_path(`${at}/${name}`);
    } catch (fault) {
        is(`not a model of ${version}: ${firstLine(fault).slice(0, 100)}${foldersOfUser.length > 0 ? `; ours: ${why ?? 'read'}` : ''}`);
        unread++;
        return fault instanceof WebAssembly.RuntimeError;
    }
    if (why === null) {
        run(name, () => compareModel(name, path.join(folder, name), m));
    } else {
        is(`refused: ${why}`);
        refused++;
        pending += !never.some(word => why.includes(word));
    }
    m.delete();
    return false;
}

async function compareFolder(folder)
{
    const names = fs.readdirSync(folder).filter(name => name.endsWith('.xml')).sort();
    for (const name of names.filter(name => !name.includes('__') && !name.startsWith('dmc_common')).filter((_, i) => i % EVERY === 0)) {
        if (fresh-- <= 0)
            [mujoco, fresh] = [await oracle(version), 10]; // what a model took is not given back
        for (const other of fs.readdirSync(folder).filter(other => /\.(xml|stl|obj|msh|png)$/i.test(other)))
            mujoco.FS.writeFile('/' + other, fs.readFileSync(path.join(folder, other)));
        compareFile(folder, name, '');
    }
}

async function compareFolderOfUser(folder)
{
    let left = 0;
    for (const name of modelsBelow(folder).filter((_, i) => i % EVERY === 0)) {
        if (left-- === 0) {
            [mujoco, left] = [await oracle(version), 9];
            mount(mujoco, folder, '/folder');
        }
        if (compareFile(folder, name, '/folder'))
            left = 0;
    }
}

console.log('model'.padEnd(40), 'rows', 'cont.', ...columns.map(c => c.padStart(6)));
for (const folder of foldersOfUser)
    await compareFolderOfUser(folder);
if (foldersOfUser.length === 0) {
    const folders = ['models', 'models/modern', 'reference/vectors'].map(name => path.join(corpus, name)).filter(name => fs.existsSync(name));
    if (folders.length === 0)
        console.log('  the corpus is absent: only our own models are compared');
    for (const folder of [path.resolve(root, 'models'), path.resolve(root, 'tests/physics/states'), ...folders])
        await compareFolder(folder);
    run('what is refused is not supported for good', () => check(pending === 0, `${pending} models`));
}
console.log(`${total.models} models compared in ${total.states} states, in ${total.rows} of them with rows (${total.contacts} contacts); left out: ` +
    `${total.convex} with contacts of convex pairs (of ${total.pairs} pairs ${total.far} differ by 1e-6 in depth, ${total.extra} touch in ours alone), ` +
    `${total.rounding} that touch or cross by rounding, ${total.pairless} with pairs without a collision function; ${refused} models refused by us alone, ` +
    `${unread} by MuJoCo`);
console.log('worst:', ...columns.map(c => `${c} ${(total.worst[c] ?? 0).toExponential(0)}`));
done();
