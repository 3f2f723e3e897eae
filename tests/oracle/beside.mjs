// Models beside MuJoCo 3.12, many in one run of the program oracle-answers: whether both read them, what they are compiled to, the inverse in random
// states, and steps, each begun from MuJoCo's state, so that no difference grows.
//
//     const findings = await beside([{ seed, xml }]);      one for each model: { verdict, what, ours, theirs, ... }
//
// verdict: 'same', 'refused' (by both), 'differ' (what: where). A state is left out of a comparison only for a reason that is counted in `left`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { oracle } from './mujoco.mjs';
import { compiledDifferences } from './compiled.mjs';
import { contactsOf, iterated } from './contacts.mjs';
import { faultOf, isIndefinite, isSingular } from './faults.mjs';
import { withTrueFluidSlope } from './fluid_slope.mjs';
import { generator } from './random_model.mjs';
import { biasTerms, CANCELLED, contactForce, contactTorque, readingsRounded } from './rounding.mjs';

const program = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/oracle/oracle-answers');
const STATES = 24, STEPS = 60, SHAKES = 12, TOLERANCE = 1e-9, COMPILED = 1e-9, SOLVED = 1e-11, LARGEST = 1e7;
const [CAPSULE, ELLIPSOID, CYLINDER, MESH] = [3, 4, 5, 7];
const OVERRIDE = 1, DISTANCE = 39, FROMTO = 41, CONTACT = 42, BOX = 6, RK4 = 1, RANGEFINDER = 7, JOINTACTUATORFRC = 16, NATIVECCD = 1 << 17;
const parts = ['qpos', 'qvel', 'qacc', 'ctrl', 'act', 'qfrc_applied', 'xfrc_applied', 'mocap_pos', 'mocap_quat'];

let mujoco, judging, names, used = 0; // judging: the module of the model at hand, which may be an older one

async function begin()
{
    if (!mujoco || used++ > 400)
        [mujoco, used] = [await oracle(), 0]; // what a model took is not all given back
    names ??= JSON.parse(spawnSync(program, ['--names'], { encoding: 'utf8' }).stdout);
}

// ---- MuJoCo's side ----

const finite = x => x.every(v => Math.abs(v) < LARGEST);

// The k-th state: near qpos0, far from it, or where some steps lead from there; at times with a keyframe's, forces, other mocap poses.
function setState(m, d, r, k)
{
    const spread = [0.3, 2, 0.1, 0.6][k % 4], randoms = (n, low, high) => Array.from({ length: n }, () => r.real(low, high));
    mujoco.mj_resetData(m, d);
    if (m.nkey > 0 && k % 6 === 5)
        mujoco.mj_resetDataKeyframe(m, d, r.whole(m.nkey));
    const step = randoms(m.nv, -spread, spread);
    for (let i = 0; i < m.nv; i++)
        step[i] *= m.jnt_type[m.dof_jntid[i]] === 0 && i - m.jnt_dofadr[m.dof_jntid[i]] < 3 ? 0.3 : 1;
    mujoco.mj_integratePos(m, d.qpos, step, 1); // only what lies in MuJoCo's own memory is written
    const q = d.qpos;
    for (let j = 0; k % 5 === 1 && j < m.njnt; j++) { // quaternions of another length
        const a = m.jnt_qposadr[j] + (m.jnt_type[j] === 0 ? 3 : 0), factor = r.real(0.5, 2);
        for (let i = 0; m.jnt_type[j] < 2 && i < 4; i++)
            q[a + i] *= factor;
    }
    d.time = r.real(0, 1);
    d.qvel.set(randoms(m.nv, -2, 2));
    d.ctrl.set(randoms(m.nu, -1.5, 1.5));
    d.act.set(randoms(m.na, -0.2, 1.2));
    if (k % 3 === 0) {
        d.qfrc_applied.set(randoms(m.nv, -1, 1));
        d.xfrc_applied.set(randoms(6 * m.nbody, -1, 1));
        d.mocap_pos.set(randoms(3 * m.nmocap, -0.5, 0.5));
        d.mocap_quat.set(randoms(4 * m.nmocap, -1, 1));
    }
    for (let i = 0; k % 4 >= 2 && i < 1 + k % 9; i++)
        mujoco.mj_step(m, d);
    d.qacc.set(randoms(m.nv, -5, 5));
}

const snapshot = (kind, d) => [kind, d.time, ...parts.flatMap(name => Array.from(d[name]))];

function momentOf(m, d)
{
    const moment = new Float64Array(m.nu * m.nv);
    for (let i = 0; i < m.nu; i++)
        for (let k = d.moment_rowadr[i]; k < d.moment_rowadr[i] + d.moment_rownnz[i]; k++)
            moment[i * m.nv + d.moment_colind[k]] = d.actuator_moment[k];
    return moment;
}

function theirInverse(m, d)
{
    mujoco.mj_inverse(m, d);
    mujoco.mj_fwdActuation(m, d);
    mujoco.mj_inverse(m, d);
    const t = { nefc: [rows(m, d)], contact: contactsOf(d), force: contactForce(d), torque: contactTorque(d), moment: momentOf(m, d), unresolved: unresolved(m, d), idle: idleForce(m, d) };
    for (const name of names.inverse)
        t[name] ??= Float64Array.from(d[name]);
    if (m.opt.disableflags & NATIVECCD)
        senseDistances(m, d, t.sensordata);
    return t;
}

// Without nativeccd MuJoCo does not measure distances of boxes that do not touch: what ours are compared with is measured with it.
function senseDistances(m, d, sensordata)
{
    m.opt.disableflags -= NATIVECCD;
    mujoco.mj_inverse(m, d);
    for (let i = 0; i < m.nsensor; i++)
        if (m.sensor_type[i] >= DISTANCE && m.sensor_type[i] <= FROMTO)
            sensordata.set(d.sensordata.slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]), m.sensor_adr[i]);
    m.opt.disableflags += NATIVECCD;
}

// The rows that something moves. Those of a tendon that nothing moves (its ends lie on the axes between them) have the Jacobian 0, or what rounding leaves of it.
function rows(m, d)
{
    const J = d.efc_J;
    let n = 0;
    for (let i = 0; i < d.nefc; i++)
        n += largest(J.slice(i * m.nv, (i + 1) * m.nv)) > 1e-14;
    return n;
}

// Whether rounding decides the forces of rows: that of D (J a - aref), D being 1e15 where the body's translations move no mass (it turns about its centre), or
// that of J, whose entries are differences of terms of about 1, where a force is 1e15 or more since nothing moves its tendon
function unresolved(m, d)
{
    const J = d.efc_J, D = d.efc_D, a = d.qacc, force = d.efc_force;
    let most = 0;
    for (let i = 0; i < d.nefc; i++) {
        let size = Math.abs(d.efc_aref[i]), lever = 0;
        for (let k = 0; k < m.nv; k++) {
            size += Math.abs(J[i * m.nv + k] * a[k]);
            lever = Math.max(lever, Math.abs(J[i * m.nv + k]));
        }
        most = Math.max(most, lever * D[i] * size, Math.max(lever, 1) * Math.abs(force[i]));
    }
    return 1e-16 * most > 1e-11 * largest(d.qfrc_constraint, d.qfrc_smooth);
}

// The largest force D k of rows that move nothing, for a rounding error of their position (k: their stiffness). Sensors of force and torque read such forces.
function idleForce(m, d)
{
    const J = d.efc_J, D = d.efc_D, kbip = d.efc_KBIP;
    let most = 0;
    for (let i = 0; i < d.nefc; i++)
        most = largest(J.slice(i * m.nv, (i + 1) * m.nv)) > 1e-14 ? most : Math.max(most, Number.EPSILON * D[i] * kbip[4 * i]);
    return most;
}

// All that MuJoCo says of a model: its states with what follows from them.
function theirs(m, seed)
{
    const r = generator(seed ^ 0x5bd1e995), d = new mujoco.MjData(m), states = [], answers = [];
    for (let k = 0; k < STATES; k++) {
        setState(m, d, r, k);
        if (!parts.every(name => finite(d[name])) || largest(d.qvel) > 1e3)
            continue;
        const state = snapshot(0, d), t = theirInverse(m, d);
        if (finite(t.qfrc_bias)) {
            states.push(state);
            answers.push({ ...t, from: state });
        }
    }
    setState(m, d, r, 4 * r.whole(3));
    const stages = m.opt.integrator === RK4;
    for (let k = 0; k < STEPS; k++) {
        for (let i = 0; i < m.nu; i++)
            d.ctrl[i] = r.real(-1.5, 1.5);
        const state = snapshot(1, d), from = d.time, before = [];
        if (stages) { // of its stages only the last is left behind
            for (const part of [0.5, 1, 0]) {
                const here = Array.from(d.qpos);
                mujoco.mj_integratePos(m, d.qpos, d.qvel, part * m.opt.timestep);
                mujoco.mj_fwdPosition(m, d);
                d.qpos.set(here);
                before.push(...contactsOf(d));
            }
        }
        mujoco.mj_step(m, d);
        if (!(d.time > from) || !finite(d.qpos) || largest(d.qvel) > 1e4 || !finite(d.qacc))
            break;
        states.push(state);
        answers.push({ step: true, from: state, contact: [...before, ...contactsOf(d)], qpos: Float64Array.from(d.qpos), qvel: Float64Array.from(d.qvel), act: Float64Array.from(d.act),
            unresolved: unresolved(m, d), qacc: Float64Array.from(d.qacc), qacc_smooth: Float64Array.from(d.qacc_smooth) });
    }
    d.delete();
    return { states, answers };
}

// ---- our side ----

function question(xml, states)
{
    const text = Buffer.from(xml), padded = Buffer.alloc(Math.ceil(text.length / 8) * 8);
    text.copy(padded);
    const doubles = list => Buffer.from(Float64Array.from(list).buffer);
    return [doubles([text.length]), padded, doubles([states.length, states.length ? states[0].length : 0]), doubles(states.flat())];
}

class Answers {
    constructor(buffer)
    {
        this.buffer = buffer;
        this.x = new Float64Array(buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.length));
        this.at = 0;
    }
    take() // an array, or the text of a failure
    {
        const n = this.x[this.at++];
        if (n === undefined)
            throw new Error('oracle-answers ended too soon');
        const from = this.at;
        this.at += n < 0 ? Math.ceil(-n / 8) : n;
        return n < 0 ? this.buffer.toString('utf8', 8 * from, 8 * from - n - 1) : this.x.subarray(from, this.at);
    }
    takeAll(list)
    {
        const out = {}, first = this.take();
        if (typeof first === 'string')
            return first;
        list.forEach((name, i) => out[name] = i === 0 ? first : this.take());
        return out;
    }
}

// ---- comparison ----

// Whether the axis of a capsule has entered a box: then all points of it that are inside are as near, and rounding decides where and how often they touch
function entered(m, list)
{
    return list.some(({ geom, dist }) => {
        const capsule = geom.find(g => m.geom_type[g] === CAPSULE);
        return capsule !== undefined && geom.some(g => m.geom_type[g] === BOX) && Math.abs(dist + m.geom_size[3 * capsule]) < 1e-9;
    });
}

// Our contacts: [geoms, distance, margin]
const ourContacts = o => Array.from({ length: o.contact.length / 4 }, (_, i) => Array.from(o.contact.subarray(4 * i, 4 * i + 4))).map(([a, b, dist, margin]) => ({ geom: [a, b], dist, margin }));

// Whether a capsule is parallel to faces of a box up to rounding, which then decides whether it touches an edge once, or twice at one place
function touchesTwice(m, d, ours, theirs)
{
    const times = (list, geom) => list.filter(c => String(c.geom) === String(geom)).length;
    const column = (g, k) => [0, 1, 2].map(i => d.geom_xmat[9 * g + 3 * i + k]), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const unlike = [...ours, ...theirs].map(c => c.geom).filter(geom => times(ours, geom) !== times(theirs, geom));
    return unlike.length > 0 && unlike.every(([a, b]) => m.geom_type[a] === CAPSULE && m.geom_type[b] === BOX && times(ours, [a, b]) > 0 && times(theirs, [a, b]) > 0 &&
        [0, 1, 2].some(k => Math.abs(dot(column(a, 2), column(b, k))) < 1e-14));
}

// Whether MuJoCo has passed over all contacts that only we have. Some are of two boxes of which MuJoCo itself says that they are farther apart than their margin:
// along the common normal of two edges they are nearer than that. It has such contacts, too, but not here: why, is not known (perhaps its broad phase passes over
// the pair). With an override, others are farther apart than the margin, so that they bear no force, but nearer than the gap: its midphase minds no gaps then.
function passedOver(m, d, ours, theirs)
{
    const seen = new Set(theirs.map(c => String(c.geom))), only = ours.filter(c => !seen.has(String(c.geom))), fromto = new judging.DoubleBuffer(6);
    const far = ([a, b]) => {
        const reach = m.geom_margin[a] + m.geom_margin[b] + m.geom_gap[a] + m.geom_gap[b];
        return m.geom_type[a] === BOX && m.geom_type[b] === BOX && judging.mj_geomDistance(m, d, a, b, 2 * reach + 1, fromto) > reach;
    };
    const off = m.opt.disableflags & NATIVECCD;
    m.opt.disableflags -= off; // without it distances of boxes are not measured
    const inGap = c => (m.opt.enableflags & OVERRIDE) !== 0 && c.dist > c.margin;
    const passed = only.length > 0 && only.every(c => inGap(c) || far(c.geom));
    m.opt.disableflags += off;
    fromto.delete();
    return passed;
}

function theirContacts(m, state)
{
    const d = load(m, state);
    judging.mj_fwdPosition(m, d);
    const out = contactsOf(d);
    d.delete();
    return out;
}

// Why the contacts of a state need not be the same, or undefined
function otherContacts(m, state, ours, theirs)
{
    const d = load(m, state);
    judging.mj_fwdPosition(m, d);
    const reason = passedOver(m, d, ours, theirs) ? 'passed' : touchesTwice(m, d, ours, theirs) ? 'entered' : undefined;
    d.delete();
    return reason;
}

// The largest difference, relative to the largest entry of either, or of what they were summed from.
function error(a, b, scale)
{
    let worst = 0, at = 0;
    if (a.length !== b.length)
        return { error: Infinity, ours: a.length, theirs: b.length, at: 'length' };
    for (let i = 0; i < a.length; i++) {
        scale = Math.max(scale, Math.abs(b[i]));
        const e = Object.is(a[i], b[i]) ? 0 : Math.abs(a[i] - b[i]);
        if (!(e <= worst))
            [worst, at] = [e, i];
        if (Number.isNaN(worst))
            break;
    }
    return { error: Number.isNaN(worst) ? Infinity : worst / scale, ours: a[at], theirs: b[at], at };
}

const largest = (...lists) => lists.reduce((m, list) => list.reduce((n, x) => Math.max(n, Math.abs(x)), m), 0);

function compareInverse(m, o, t, left)
{
    const found = (what, e) => ({ what, ...e });
    const withContacts = ['qfrc_constraint', 'qfrc_inverse', 'nefc', 'sensordata', 'qfrc_passive']; // fluids need none, adhesion does
    const list = [...t.contact, ...Array.from({ length: o.contact.length / 4 }, (_, i) => {
        const [geom1, geom2, dist] = o.contact.subarray(4 * i, 4 * i + 3);
        return { geom: [geom1, geom2], dist };
    })];
    const convex = list.some(c => iterated(m, c.geom)), pierced = entered(m, list) && o.nefc[0] !== t.nefc[0];
    const other = !convex && !pierced && otherContacts(m, t.from, ourContacts(o), t.contact), unlike = convex || pierced || other;
    left.convex += convex;
    left.entered += pierced || other === 'entered';
    left.passed += other === 'passed';
    const forces = largest(t.qfrc_bias, t.qfrc_passive, t.qfrc_constraint, t.qfrc_inverse);
    for (const name of names.inverse) {
        if (name === 'contact' || (unlike && (withContacts.includes(name) || /^act|^qfrc_act|moment/.test(name))))
            continue;
        if (name === 'sensordata') {
            const bad = compareSensors(m, o, t), has = type => m.geom_type.includes(type);
            if (bad && /type (39|40|41)/.test(bad.what) && has(CAPSULE) && has(BOX)) { // if the axis has entered, MuJoCo measures to its contact
                left.entered++;
                return null;
            }
            if (bad && /type [45]$/.test(bad.what) && Math.abs(bad.ours - bad.theirs) <= t.idle) {
                left.unresolved++;
                return null;
            }
            if (bad && sensitive(m, t.from, name, bad)) {
                left.sensitive++;
                return null;
            }
            if (bad)
                return bad;
            continue;
        }
        if (name === 'act_dot') // ours is zero where the actuator is off; MuJoCo's is then not used
            o[name].forEach((x, i) => t[name][i] = x === 0 && isOff(m, i) ? 0 : t[name][i]);
        const e = error(o[name], t[name], /qfrc_inv/.test(name) ? Math.max(1e-6, forces) : /qfrc_act|velocity/.test(name) ? 1e-3 : 1e-4);
        if (!(e.error <= TOLERANCE)) {
            if (t.unresolved && withContacts.includes(name)) {
                left.unresolved++;
                return null;
            }
            if (name === 'qfrc_bias' && cancelled(m, t.from, o[name], t[name])) {
                left.cancelled++;
                continue;
            }
            if (name !== 'moment' && sensitive(m, t.from, name, e)) {
                left.sensitive++;
                return null;
            }
            return found(`inverse ${name}`, e);
        }
    }
    return null;
}

// Whether all bias forces differ by no more than what rounding leaves of their terms, which cancel
function cancelled(m, state, ours, theirs)
{
    const d = load(m, state);
    judging.mj_forward(m, d);
    const terms = biasTerms(m, d);
    d.delete();
    return ours.every((x, i) => Math.abs(x - theirs[i]) <= CANCELLED * terms[i]);
}

function isOff(m, act)
{
    const i = m.actuator_actadr.findIndex((adr, k) => act >= adr && act < adr + m.actuator_actnum[k]);
    return (m.opt.disableactuator & 1 << m.actuator_group[i]) !== 0;
}

function compareSensors(m, o, t)
{
    for (let i = 0; i < m.nsensor; i++) {
        if (m.sensor_type[i] >= DISTANCE && m.sensor_type[i] <= FROMTO && m.geom_type.some(type => [ELLIPSOID, CYLINDER, MESH].includes(type)))
            continue; // nearest points of round shapes are MuJoCo's to 1e-6
        if (m.sensor_type[i] === RANGEFINDER && m.nmesh > 0)
            continue; // corners of meshes are floats in MuJoCo
        if (m.sensor_type[i] === CONTACT && t.contact.some(c => c.geom.every(g => m.geom_type[g] === BOX)))
            continue; // the list of contacts of two boxes may begin elsewhere
        const from = m.sensor_adr[i], to = from + m.sensor_dim[i], ours = o.sensordata.slice(from, to);
        const scale = m.sensor_type[i] === JOINTACTUATORFRC ? Math.max(1e-3, largest(t.qfrc_actuator)) : 1e-4; // one entry of that vector
        const e = error(ours, readingsRounded(m, i, ours, t.sensordata.slice(from, to), t), scale);
        if (!(e.error <= TOLERANCE))
            return { what: `sensor of type ${m.sensor_type[i]}`, ...e };
    }
    return null;
}

function load(m, state)
{
    const d = new judging.MjData(m);
    let at = 2;
    d.time = state[1];
    for (const name of parts) {
        d[name].set(state.slice(at, at + d[name].length));
        at += d[name].length;
    }
    return d;
}

// What an acceleration leaves of MuJoCo's equations of motion, M a = smooth forces + J'f(a), relative to its largest term
function residual(m, state, qacc)
{
    const d = load(m, state);
    judging.mj_forward(m, d);
    const smooth = Float64Array.from(d.qfrc_smooth);
    d.qacc.set(qacc);
    judging.mj_inverse(m, d);
    let worst = 0;
    for (let i = 0; i < m.nv; i++)
        worst = Math.max(worst, Math.abs(d.qfrc_inverse[i] - d.qfrc_bias[i] + d.qfrc_passive[i] - smooth[i]));
    worst /= largest(smooth, d.qfrc_constraint, d.qfrc_bias) + 1e-9;
    d.delete();
    return worst;
}

// Whether rounding decides: MuJoCo's own answer changes by a tenth of the difference, or more, when the state changes in its 13th digit
function sensitive(m, state, name, { ours, theirs })
{
    const r = generator(1), changed = state.map((x, i) => i < 2 ? x : x * (1 + 1e-13 * r.real(-1, 1)));
    const [a, b] = [state, changed].map(from => {
        const d = load(m, from);
        if (from[0] === 1)
            judging.mj_step(m, d);
        else
            for (const next of ['mj_inverse', 'mj_fwdActuation', 'mj_inverse'])
                judging[next](m, d);
        const out = name === 'nefc' ? [rows(m, d)] : Array.from(d[name]);
        d.delete();
        return out;
    });
    return 10 * a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0) >= Math.abs(ours - theirs);
}

// Where the stages of a step begin; with RK4 those between, after q' = v, v' = a (activations stay)
function stagesOf(m, state)
{
    if (m.opt.integrator !== RK4)
        return [state];
    const h = m.opt.timestep, d = load(m, state), v0 = Float64Array.from(d.qvel), out = [state], at = 2 + m.nq;
    for (const part of [0.5, 0.5, 1]) {
        judging.mj_forward(m, d);
        const v = Float64Array.from(d.qvel), a = Float64Array.from(d.qacc), next = [...state];
        d.qpos.set(state.slice(2, at));
        d.qvel.set(v);
        judging.mj_integratePos(m, d.qpos, d.qvel, part * h);
        d.qvel.set(v0.map((x, i) => x + part * h * a[i]));
        d.time = state[1] + part * h;
        next.splice(1, 1 + m.nq + m.nv, d.time, ...d.qpos, ...d.qvel);
        out.push(next);
    }
    d.delete();
    return out;
}

// Our contacts in a state
function contactsAt(xml, state)
{
    const { stdout } = spawnSync(program, [], { input: Buffer.concat(question(xml, [[0, ...state.slice(1)]])), maxBuffer: 1 << 28 }), reader = new Answers(stdout);
    reader.takeAll(names.model);
    reader.take();
    return ourContacts(reader.takeAll(names.inverse));
}

function compareStep(m, xml, o, t, left)
{
    if (t.contact.some(c => iterated(m, c.geom))) {
        left.convex++;
        return null;
    }
    if (entered(m, t.contact)) {
        left.entered++;
        return null;
    }
    if (t.unresolved) {
        left.unresolved++;
        return null;
    }
    const h = m.opt.timestep, scale = { act: 1e-3, qvel: largest(t.qvel, t.from.slice(2 + m.nq, 2 + m.nq + m.nv)) + h * largest(t.qacc, t.qacc_smooth) };
    scale.qpos = Math.max(1e-3, h * scale.qvel);
    for (const name of ['act', 'qvel', 'qpos']) {
        const e = error(o[name], t[name], Math.max(1e-6, scale[name]));
        if (!(e.error <= TOLERANCE)) {
            const rest = [residual(m, t.from, o.qacc), residual(m, t.from, t.qacc)];
            if (rest[1] > 1e-12 && rest[0] < rest[1]) { // MuJoCo's acceleration does not satisfy its own equations, ours does so better
                left.unsolved++;
                return null;
            }
            if (Math.max(...rest) < (uncertain(m) ? 10 : 1) * SOLVED) { // both do, up to rounding, which the equations enlarge
                left.sensitive++;
                return null;
            }
            const stages = stagesOf(m, t.from);
            if (stages.some(state => isIndefinite(judging, m, load(m, state)))) {
                left.unsolved++;
                return null;
            }
            if (stages.some(state => theirContacts(m, state).some(c => iterated(m, c.geom)))) {
                left.convex++;
                return null;
            }
            const other = stages.map(state => otherContacts(m, state, contactsAt(xml, state), theirContacts(m, state))).find(reason => reason);
            if (other) {
                left[other]++;
                return null;
            }
            if (sensitive(m, t.from, name, e)) {
                left.sensitive++;
                return null;
            }
            if (name === 'qvel' && withTrueFluidSlope(judging, m, () => load(m, t.from)).some(v => error(o.qvel, v, scale.qvel).error <= TOLERANCE)) {
                left.slope++;
                return null;
            }
            return { what: `step ${name}`, ...e, rest };
        }
    }
    return null;
}

function compareStates(m, it, reader)
{
    const left = { convex: 0, entered: 0, passed: 0, unsolved: 0, unresolved: 0, cancelled: 0, sensitive: 0, slope: 0, mesh: 0, axes: 0, weights: 0 };
    let finding = null;
    it.answers.forEach((t, k) => {
        const o = reader.takeAll(t.step ? names.step : names.inverse);
        if (finding)
            return;
        const place = t.step ? `step ${k}` : `state ${k}`;
        if (typeof o === 'string')
            finding = { what: t.step ? 'step fails' : 'inverse fails', ours: o, theirs: 'computed', place };
        else
            finding = t.step ? compareStep(m, it.xml, o, t, left) : compareInverse(m, o, t, left);
        if (finding)
            finding.place = place;
    });
    return { finding, left };
}

// With us armature and damping of actuators are those of dofs and tendons.
function comparable(m, { what, error })
{
    if (/^(dof|tendon)_(armature|damping)/.test(what))
        return m.actuator_armature.every(x => x === 0) && m.actuator_damping.every(x => x === 0);
    if (/invweight0|acc0/.test(what)) // of a mass matrix that is nearly singular, in proportion
        return error > 1e-13 * m.dof_invweight0.reduce((most, x, i) => Math.max(most, x * m.dof_M0[i]), 1);
    return true;
}

function judge(it, reader)
{
    const model = reader.takeAll(names.model), refused = typeof model === 'string';
    if (it.broken) {
        if (!refused)
            reader.take();
        return { verdict: 'broken', theirs: it.fault };
    }
    const fault = faultOf(it.module, it.m, it.xml, model, it.fault);
    if (refused || !it.m) {
        if (!refused)
            reader.take();
        if (fault)
            return { verdict: 'broken', theirs: fault };
        if (refused && it.m && /the mass matrix is singular/.test(model) && isSingular(it.module, it.m))
            return { verdict: 'refused', ours: model, theirs: 'read, but the mass matrix is singular up to rounding' };
        return refused && !it.m ? { verdict: 'refused', ours: model, theirs: it.fault }
            : { verdict: 'differ', what: 'read', ours: refused ? model : 'read', theirs: it.m ? 'read' : it.fault };
    }
    const answered = reader.take()[0];
    judging = it.module;
    const { m } = it, size = Array.from(model.sizes);
    const theirSize = ['nq', 'nv', 'nu', 'na', 'nbody', 'njnt', 'ngeom', 'nsite', 'nsensor', 'nsensordata', 'nkey', 'nmocap'].map(key => m[key]);
    const { finding, left } = answered ? compareStates(m, it, reader) : { left: {} };
    if (String(size) !== String(theirSize))
        return { verdict: 'differ', what: 'sizes', ours: String(size), theirs: String(theirSize), left };
    const compiled = compiledDifferences(model, m, COMPILED).filter(d => comparable(m, d))[0];
    if (compiled)
        return fault ? { verdict: 'broken', theirs: fault } : { verdict: 'differ', ...compiled, left };
    if (fault && finding)
        return { verdict: 'broken', theirs: fault };
    const steps = it.answers.filter(t => t.step).length;
    return { verdict: finding ? 'differ' : 'same', ...finding, left, uncertain: uncertain(m), states: it.answers.length - steps, steps };
}

// What a step differs in may be what a solver has left undone: then both go on for as long as it helps.
const patient = xml => xml.replace(/ tolerance="[^"]*"/, ' tolerance="0"').replace(/ iterations="[^"]*"/, ' iterations="300"')
    .replace(/ ls_tolerance="[^"]*"/, ' ls_tolerance="1e-12"');

// The corners of meshes, changed in the 15th digit
const shaken = (xml, seed) => {
    const r = generator(seed);
    return xml.replace(/ vertex="([^"]*)"/g, (_, list) => ` vertex="${list.trim().split(/\s+/).map(x => Number(x) * (1 + 1e-15 * r.real(-1, 1))).join(' ')}"`);
};

// What differs with meshes may be what their principal axes are: MuJoCo ends its iteration at angles of 1e-9 to 1e-7, and where it ends rounding decides. Then
// MuJoCo itself, given corners that are changed in the 15th digit, answers all that we answer.
async function withShakenMeshes({ seed, xml }, finding)
{
    if (finding.verdict !== 'differ' || finding.what === 'read' || !/ vertex="/.test(xml))
        return finding;
    for (let k = 1; k <= SHAKES; k++) {
        const [other] = await besideOnce([{ seed, xml, changed: shaken(xml, k) }]);
        if (other.verdict === 'same')
            return { ...other, left: { ...other.left, mesh: 1 } };
    }
    return finding;
}

// Inverse masses at qpos0 that are uncertain in the 10th digit or before, since the mass matrix is nearly singular (see comparable)
const uncertain = m => m.dof_invweight0.some((x, i) => 1e-13 * x * m.dof_M0[i] > COMPILED);

const WEIGHTS = ['body_invweight0', 'dof_invweight0', 'tendon_invweight0', 'actuator_acc0'], AXES = ['body_iquat', 'body_inertia'];

// MuJoCo's model gets arrays of ours: those that the masses decide, too
function giveOurs(m, xml, list)
{
    const { stdout } = spawnSync(program, [], { input: Buffer.concat(question(xml, [])), maxBuffer: 1 << 28 });
    const ours = new Answers(stdout).takeAll(names.model);
    for (const name of list)
        m[name].set(ours[name]);
    if (list === AXES) {
        const d = new mujoco.MjData(m);
        mujoco.mj_setConst(m, d);
        d.delete();
        m.jnt_stiffness.set(ours.jnt_stiffness.map((x, j) => Math.abs(x - m.jnt_stiffness[j]) <= 1e-7 * x ? x : m.jnt_stiffness[j])); // springdamper: of M
        m.dof_damping.set(ours.dof_damping.map((x, i) => Math.abs(x - m.dof_damping[i]) <= 1e-7 * x ? x : m.dof_damping[i]));
    }
}

// The angles of principal axes are MuJoCo's to 1e-7 only, and those of equal inertias are any (boxes of equal inertia meet a fluid by them). Then MuJoCo, given
// inertias and axes of ours, which are the same tensors up to 1e-9, answers all that we answer.
async function withOurAxes({ seed, xml }, finding)
{
    if (finding.verdict !== 'differ' || finding.what === 'read')
        return finding;
    const [other] = await besideOnce([{ seed, xml, given: AXES }]);
    return other.verdict === 'same' ? { ...other, left: { ...other.left, axes: 1 } } : finding;
}

// They decide the stiffness of rows. Then MuJoCo, given those that we have, answers all that we answer.
async function withOurWeights({ seed, xml }, finding)
{
    if (finding.verdict !== 'differ' || !finding.uncertain)
        return finding;
    const [other] = await besideOnce([{ seed, xml, given: WEIGHTS }]);
    return other.verdict === 'same' ? { ...other, left: { ...other.left, weights: 1 } } : finding;
}

async function withOtherRounding(model, finding)
{
    return withOurAxes(model, await withShakenMeshes(model, await withOurWeights(model, finding)));
}

export async function beside(models)
{
    const findings = await besideOnce(models), again = models.map((_, i) => i).filter(i => /^step/.test(findings[i].what));
    if (again.length > 0) {
        const second = await besideOnce(again.map(i => ({ seed: models[i].seed, xml: patient(models[i].xml) })));
        for (const [k, i] of again.entries())
            findings[i] = await withOtherRounding({ seed: models[i].seed, xml: patient(models[i].xml) }, second[k]);
    }
    for (const [i, model] of models.entries())
        findings[i] = again.includes(i) ? findings[i] : await withOtherRounding(model, findings[i]);
    return findings;
}

async function besideOnce(models)
{
    await begin();
    const ask = async ({ seed, xml, changed = xml, given }) => { // changed: what MuJoCo is given instead; given: arrays of ours that it gets
        let m;
        try {
            m = mujoco.MjModel.from_xml_string(changed);
            m.opt.jacobian = 0; // dense: the same numbers, easier to read
            for (const kind of ['body', 'geom', 'site']) // frames that are nearly the same are not taken as the same
                m[`${kind}_sameframe`].fill(0);
            if (given)
                giveOurs(m, xml, given);
            used++;
            return { m, xml, module: mujoco, ...theirs(m, seed) };
        } catch (fault) {
            const broken = m !== undefined; // while it simulates: its memory is not to be trusted any more
            if (broken)
                mujoco = await oracle();
            return { broken, xml, module: mujoco, fault: String(fault?.message ?? fault), states: [], answers: [] };
        }
    };
    const list = [];
    for (const model of models)
        list.push(await ask(model));
    const input = Buffer.concat(list.flatMap((it, i) => question(models[i].xml, it.states)));
    const { stdout, status, signal, stderr } = spawnSync(program, [], { input, maxBuffer: 1 << 30 });
    const reader = new Answers(stdout);
    const out = list.map(it => {
        try {
            return judge(it, reader);
        } catch (fault) {
            return { verdict: 'differ', what: 'program', ours: `${fault.message}; status ${status ?? signal}; ${stderr}`, theirs: '' };
        }
    });
    list.forEach(it => it.m?.delete());
    return out;
}
