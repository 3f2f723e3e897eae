// Contacts that stick (adhesion of geoms and pairs) beside MuJoCo 3.14, and beside 3.12 with compat="3.12": rows, forces, the inverse, the forward and
// sensors of small models in 100 random states each, what is written of them, and steps of every integrator.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const build = process.env.SALTUS_BUILD ?? 'build', states = path.join(build, 'tests/physics/evaluate-states'), sensors = path.join(build, 'tests/physics/sensor-values');
const saltus = path.join(build, 'cli/saltus'), integrators = ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete'], FREE = 0, NEWTON = 2;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-adhesion-')), file = path.join(folder, 'm.xml'), STATES = 100, STEPS = 50;
const arrays = ['M', 'qfrc_bias', 'qfrc_passive', 'ten_length', 'ten_velocity', 'actuator_length', 'actuator_velocity', 'moment', 'act_dot', 'actuator_force',
    'qfrc_actuator', 'contact', 'efc_type', 'efc_J', 'efc_pos', 'efc_margin', 'efc_KBIP', 'efc_D', 'efc_R', 'efc_vel', 'efc_aref', 'efc_force',
    'qfrc_constraint', 'qfrc_inverse', 'sensordata'];
const compared = ['qfrc_passive', 'actuator_velocity', 'efc_type', 'efc_pos', 'efc_margin', 'efc_KBIP', 'efc_D', 'efc_R', 'efc_vel', 'efc_aref', 'efc_force',
    'qfrc_constraint', 'qfrc_inverse', 'sensordata'];
let mujoco, version;

let seed = 1;
function random(low, high)
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return low + (high - low) * seed / 0x80000000;
}
const randoms = (n, low, high) => Array.from({ length: n }, () => random(low, high));

function load(xml)
{
    mujoco.FS.writeFile('/adhesion.xml', xml);
    const m = mujoco.MjModel.from_xml_path('/adhesion.xml');
    m.opt.tolerance = 0;
    m.opt.iterations = 300;
    return m;
}

// Relative to the largest entry; forces that cancel, to the rounding of the forces
function error(ours, theirs, scale)
{
    let worst = 0;
    if (ours.length !== theirs.length)
        return Infinity;
    for (let i = 0; i < ours.length; i++) {
        scale = Math.max(scale, Math.abs(theirs[i]));
        const e = Math.abs(ours[i] - theirs[i]);
        worst = e <= worst ? worst : e;
    }
    return worst / scale;
}

function randomState(m, d)
{
    const step = Array.from({ length: m.nv }, (_, i) => {
        const j = m.dof_jntid[i];
        return m.jnt_type[j] === FREE && i - m.jnt_dofadr[j] < 3 ? random(-0.02, 0.02) : random(-0.5, 0.5);
    });
    mujoco.mj_resetData(m, d);
    mujoco.mj_integratePos(m, d.qpos, step, 1);
    return { qpos: Array.from(d.qpos), qvel: randoms(m.nv, -0.5, 0.5), qacc: randoms(m.nv, -20, 20), ctrl: randoms(m.nu, 0, 2) };
}

function set(m, d, s)
{
    mujoco.mj_resetData(m, d);
    for (const name of ['qpos', 'qvel', 'qacc', 'ctrl'])
        d[name].set(s[name]);
}

// ---- the inverse ----

function oursInverse(m, list, discrete)
{
    const input = Buffer.from(Float64Array.from(list.flatMap(s => [...s.qpos, ...s.qvel, ...s.qacc, ...s.ctrl])).buffer);
    const { stdout, stderr, status } = spawnSync(states, [file, version, ...(discrete ? ['discrete'] : [])], { input, maxBuffer: 1 << 30 });
    check(status === 0 && stderr.length === 0, String(stderr));
    const x = new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
    let at = 0;
    return list.map(() => Object.fromEntries(arrays.map(name => {
        const n = x[at++];
        at += n;
        return [name, x.subarray(at - n, at)];
    })));
}

function compareInverse(what, m, d, list, discrete)
{
    let afar = 0, near = 0;
    oursInverse(m, list, discrete).forEach((o, k) => {
        set(m, d, list[k]);
        mujoco.mj_inverse(m, d);
        mujoco.mj_fwdActuation(m, d);
        mujoco.mj_inverse(m, d);
        const dims = [], theirs = d.contact;
        for (let i = 0; i < d.ncon; i++) {
            const c = theirs.get(i);
            dims.push(c.geom1, c.geom2, c.dim, c.efc_address);
            afar += c.efc_address >= 0 && c.dist >= c.includemargin;
            near += c.efc_address >= 0 && c.dist < c.includemargin;
            c.delete();
        }
        theirs.delete();
        const contacts = Array.from({ length: o.contact.length / 18 }, (_, i) => Array.from(o.contact.subarray(18 * i, 18 * i + 4))).flat();
        check(String(contacts) === String(dims), `${what}: state ${k} has contacts ${contacts}, expected ${dims}`);
        const forces = Math.max(1, ...[...d.efc_force, ...d.qfrc_bias, ...d.qfrc_inverse, ...d.qfrc_constraint].map(Math.abs));
        for (const name of compared) {
            const e = error(o[name], d[name], /qfrc_inv|sensor|qfrc_pass/.test(name) ? forces : 1e-4);
            check(e <= 1e-9, `${what}: ${name} in state ${k} is off by ${e}: ${o[name]}, expected ${Array.from(d[name])}`);
        }
    });
    return { afar, near };
}

// ---- the forward ----

function compareForward(what, m, d, list)
{
    const input = list.map(s => [...s.qpos, ...s.qvel, ...s.qacc, ...s.ctrl, ...new Array(6 * m.nbody).fill(0)].join(' ')).join('\n');
    const lines = execFileSync(sensors, [file, version], { input, maxBuffer: 1 << 30 }).toString().trim().split('\n');
    lines.forEach((line, k) => {
        const x = line.trim().split(' ').slice(1 + m.nsensordata).map(Number), qacc = x.slice(0, m.nv), sensordata = x.slice(m.nv);
        set(m, d, list[k]);
        mujoco.mj_forward(m, d);
        const close = error(qacc, d.qacc, 1), forces = Math.max(1, ...[...d.efc_force, ...d.qfrc_bias].map(Math.abs));
        check(close <= 1e-7, `${what}: qacc in state ${k} is off by ${close}: ${qacc}, expected ${Array.from(d.qacc)}`);
        const read = error(sensordata, d.sensordata, forces);
        check(read <= 1e-7, `${what}: forward sensors in state ${k} are off by ${read}: ${sensordata}, expected ${Array.from(d.sensordata)}`);
    });
}

function compareSteps(what, xml, integrator)
{
    const m = load(xml.replace('<option', `<option integrator="${integrator}" solver="Newton"`)), d = new mujoco.MjData(m);
    fs.writeFileSync(file, xml.replace('<option', `<option integrator="${integrator}" solver="Newton" tolerance="0" iterations="300"`));
    const outcome = spawnSync(saltus, ['simulate', file, '-q', '--compat', version, '--time', String(STEPS * m.opt.timestep)], { encoding: 'utf8' });
    check(outcome.status === 0, `${what}: ${outcome.stderr}`);
    const rows = outcome.stdout.trim().split('\n').slice(1).map(line => line.split(',').slice(1, 1 + m.nq + m.nv).map(Number));
    for (const row of rows) {
        const expected = [...d.qpos, ...d.qvel], e = error(row, expected, 1e-2);
        check(e <= 1e-7, `${what}, ${integrator}: off by ${e} at ${d.time}: ${row}, expected ${expected}`);
        mujoco.mj_step(m, d);
    }
    check(rows.length === STEPS + 1, `${what}: ${rows.length} rows`);
    d.delete();
    m.delete();
}

// ---- what is written ----

function compareWritten(what, m)
{
    const { stdout, stderr, status } = spawnSync(saltus, ['convert', file], { encoding: 'utf8' });
    check(status === 0, `${what}: ${stderr}`);
    const w = load(stdout);
    for (const name of ['geom_adhesion', 'pair_adhesion', 'geom_gap', 'geom_margin', 'pair_gap'])
        check(String(w[name]) === String(m[name]), `${what}: ${name} is written as ${w[name]}, expected ${m[name]}`);
    w.delete();
}

function compare(what, xml, { wants = ['near', 'afar'], steps = integrators.slice(0, version === '3.14' ? 5 : 4) } = {})
{
    run(`${what}, ${version}`, () => {
        const m = load(xml), d = new mujoco.MjData(m);
        fs.writeFileSync(file, xml);
        compareWritten(what, m);
        const list = Array.from({ length: STATES }, () => randomState(m, d));
        const seen = compareInverse(what, m, d, list, false);
        for (const kind of wants)
            check(seen[kind] > 10, `${what}: ${seen[kind]} contacts are ${kind}`);
        compareForward(what, m, d, list);
        d.delete();
        m.delete();
        if (steps.includes('discrete')) {
            const discrete = load(xml.replace('<option', '<option integrator="discrete" solver="Newton"')), data = new mujoco.MjData(discrete);
            compareInverse(`${what}, discrete`, discrete, data, list, true);
            data.delete();
            discrete.delete();
        }
        for (const integrator of steps)
            compareSteps(what, xml, integrator);
    });
}

// ---- models ----

const site = '<site name="s" type="ellipsoid" size=".15 .2 .3"/>';
const readings = `<sensor><touch site="s"/><force site="s"/><torque site="s"/><accelerometer site="s"/><framelinacc objtype="body" objname="a"/>
    <contact subtree1="a" data="found force torque dist pos normal tangent" num="2"/><contact subtree1="a" data="force torque" reduce="netforce"/>
    <contact geom2="g" data="force" reduce="maxforce"/></sensor>`;
const on = (options, floor, geom, more = '/>', last = '') => `<mujoco><option timestep=".003" ${options}/>
    <default><geom solimp=".7 .95 .03" ${more}</default>
    <worldbody><geom name="floor" type="plane" size="3 3 1" euler="3 -2 20" ${floor}/>
    <body name="a" pos="0 0 .1"><freejoint/>${site}<geom name="g" type="capsule" size=".07 .1" euler="80 20 0" mass=".7" friction=".8 .03 .01" ${geom}/>
    <body name="b" pos=".25 0 0"><joint axis="0 1 .3" damping=".1"/><geom name="h" size=".1" mass=".3" ${geom}/></body></body></worldbody>${last}${readings}</mujoco>`;
const two = (options, one, other, last = '') => `<mujoco><option timestep=".003" gravity="0 0 -3" ${options}/><default><geom solimp=".7 .95 .03"/></default>
    <worldbody><geom name="rail" type="box" size=".3 .2 .05" pos="0 0 .25" euler="0 5 10" ${one}/>
    <body name="a" pos="0 0 .12"><freejoint/>${site}<geom name="g" size=".08" mass=".7" friction=".8 .03 .01" ${other}/></body>
    <body name="b" pos="0 .02 -.03"><freejoint/><geom name="h" type="capsule" size=".07 .1" euler="85 30 0" mass=".4" ${other}/></body></worldbody>${last}${readings}</mujoco>`;

for (version of ['3.14', '3.12']) {
    mujoco = await oracle(version);
    for (const cone of ['cone="elliptic"', 'cone="elliptic" impratio="4"', 'cone="pyramidal"', 'cone="pyramidal" impratio=".5"']) {
        for (const condim of cone.includes('impratio') ? [3, 6] : [1, 3, 4, 6])
            compare(`${cone}, condim ${condim}`, on(cone, 'adhesion="2"', `condim="${condim}" adhesion="5" gap=".03"`));
        compare(`${cone}: geoms that move both`, two(cone, 'adhesion="3" gap=".03" margin=".005"', 'adhesion="2" gap=".01" condim="4"'));
        compare(`${cone}: a priority`, two(cone, 'adhesion="3" priority="1" gap=".03"', 'adhesion="20" gap=".01" condim="6"'));
    }
    compare('a pair', two('cone="elliptic"', 'adhesion="3"', 'gap=".01"', '<contact><pair geom1="g" geom2="rail" adhesion="4" gap=".02" condim="6"/><pair geom1="g" geom2="h" gap=".05"/></contact>'));
    compare('classes', on('', '', 'gap=".02"', 'adhesion="3"/><pair adhesion="5" gap=".04"/>', '<contact><pair geom1="floor" geom2="g"/></contact>'));
    compare('no gap', on('cone="elliptic"', '', 'adhesion="6"'), { wants: ['near'] });
    compare('no passive forces', on('cone="elliptic"', '', 'adhesion="6" gap=".03"').replace('timestep=".003" cone="elliptic"/>', 'timestep=".003" cone="elliptic"><flag spring="disable" damper="disable"/></option>'));
    compare('pyramids without passive forces', on('', '', 'adhesion="6" gap=".03"').replace('timestep=".003" />', 'timestep=".003"><flag spring="disable" damper="disable"/></option>'));
    compare('parameters of all contacts', on('', '', 'adhesion="6" gap=".03"').replace('timestep=".003" />', 'timestep=".003" o_margin=".01" o_solref=".03 1"><flag override="enable"/></option>'));
    compare('an actuator of adhesion', on('cone="elliptic"', 'adhesion="1"', 'adhesion="2" gap=".03"', '/>', '<actuator><adhesion body="a" ctrlrange="0 2" gain="3"/></actuator>'));
    compare('diagonals of the rows themselves', on('', '', 'adhesion="6" gap=".03"').replace('timestep=".003" />', 'timestep=".003"><flag diagexact="enable"/></option>'), { steps: ['Euler', 'implicit'] });
}

fs.rmSync(folder, { recursive: true });
done();
