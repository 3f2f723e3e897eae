// Everything smooth in random states beside MuJoCo 3.12: mass matrix, bias, passive forces, tendons, actuators; of the corpus and of our own models.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';
import { error } from './actuator_beside.mjs';

let mujoco = await oracle();
const corpus = process.env.SALTUS_CORPUS ?? '../shared';
const program = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/smooth-states');
const COUNT = 20, NVMAX = 60, tolerance = 1e-9;

function fullM(m, d)
{
    const M = new mujoco.DoubleBuffer(m.nv * m.nv);
    mujoco.mj_fullM(m, d, M);
    const out = Array.from(M.GetView());
    M.delete();
    return out;
}

function compareState(m, d, s, worst)
{
    d.qpos.set(s.qpos);
    d.qvel.set(s.qvel);
    d.ctrl.set(s.ctrl);
    d.act.set(s.act);
    mujoco.mj_fwdPosition(m, d);
    mujoco.mj_fwdVelocity(m, d);
    mujoco.mj_fwdActuation(m, d);
    mujoco.mj_energyPos(m, d);
    mujoco.mj_energyVel(m, d);
    const pairs = {
        M: fullM(m, d), qfrc_bias: d.qfrc_bias, qfrc_passive: d.qfrc_passive, qfrc_gravcomp: d.qfrc_gravcomp,
        ten_length: d.ten_length, ten_velocity: d.ten_velocity,
        actuator_length: d.actuator_length, actuator_velocity: d.actuator_velocity, actuator_force: d.actuator_force,
        qfrc_actuator: d.qfrc_actuator, act_dot: d.act_dot, energy: d.energy
    };
    for (const [name, theirs] of Object.entries(pairs)) {
        const e = error(s[name], theirs);
        worst[name] = Math.max(worst[name] ?? 0, Number.isFinite(e) ? e : Infinity);
    }
}

// What a function of MuJoCo writes to matrices of these sizes
function written(sizes, call)
{
    const buffers = sizes.map(n => new mujoco.DoubleBuffer(n));
    call(...buffers);
    const out = buffers.flatMap(b => Array.from(b.GetView()));
    buffers.forEach(b => b.delete());
    return out;
}

function compareJacobians(m, d, s, worst)
{
    const n = 3 * m.nv;
    s.bodies.forEach((ours, b) => {
        const x = Array.from(d.xipos).slice(3 * b, 3 * b + 3), point = [x[0] + 0.1, x[1], x[2] - 0.2];
        const pairs = {
            jac: written([n, n], (p, r) => mujoco.mj_jacBodyCom(m, d, p, r, b)),
            subtree: written([n], p => mujoco.mj_jacSubtreeCom(m, d, p, b)),
            angmom: written([n], p => mujoco.mj_angmomMat(m, d, p, b)),
            jacdot: written([n, n], (p, r) => mujoco.mj_jacDot(m, d, p, r, point, b)),
            velocity: written([6], v => mujoco.mj_objectVelocity(m, d, 1, b, v, 1))
        };
        for (const [name, theirs] of Object.entries(pairs)) {
            if (name !== 'subtree' || m.body_subtreemass[b] > 0) // it divides by zero
                worst[name] = Math.max(worst[name] ?? 0, error(ours[name], theirs));
        }
    });
}

function compareRows(m, d, s, worst)
{
    const flags = m.opt.disableflags;
    m.opt.disableflags &= ~mujoco.mjtDisableBit.mjDSBL_CONTACT.value;
    mujoco.mj_resetData(m, d);
    d.qpos.set(s.qpos);
    d.qvel.set(s.qvel);
    d.ctrl.set(s.ctrl);
    d.act.set(s.act);
    mujoco.mj_forward(m, d);
    for (const name of ['efc_pos', 'efc_R', 'efc_diagA', 'efc_aref'])
        worst[name] = Math.max(worst[name] ?? 0, s[name] ? error(s[name], Array.from(d[name]).slice(0, d.nefc)) : Infinity);
    m.opt.disableflags = flags;
}

// qvel and act after one step of each integrator without constraints
function compareSteps(m, d, s, worst)
{
    const flags = m.opt.disableflags, integrators = ['Euler', 'RK4', 'implicit', 'implicitfast'];
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value;
    integrators.forEach((name, i) => {
        m.opt.integrator = i;
        mujoco.mj_resetData(m, d);
        d.qpos.set(s.qpos);
        d.qvel.set(s.qvel);
        d.ctrl.set(s.ctrl);
        d.act.set(s.act);
        mujoco.mj_step(m, d);
        worst[name] = Math.max(worst[name] ?? 0, s[name] ? error(s[name], d.qvel) : Infinity);
        worst[name + '_act'] = Math.max(worst[name + '_act'] ?? 0, s[name] ? error(s[name + '_act'], d.act) : Infinity);
    });
    m.opt.disableflags = flags;
}

// What we write of our own models acts in MuJoCo as what we read: forces of actuators and the accelerations they bring about.
function compareWritten(m, file, states, worst)
{
    const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
    const written = JSON.parse(execFileSync(dump, [file], { maxBuffer: 1 << 28 }).toString()).written;
    mujoco.FS.writeFile('/written.xml', written);
    const w = mujoco.MjModel.from_xml_path('/written.xml'), d = new mujoco.MjData(m), dw = new mujoco.MjData(w);
    for (const s of states.slice(0, 5)) {
        for (const [model, data] of [[m, d], [w, dw]]) {
            model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value;
            data.qpos.set(s.qpos);
            data.qvel.set(s.qvel);
            data.ctrl.set(s.ctrl);
            data.act.set(s.act);
            mujoco.mj_forward(model, data);
        }
        for (const name of ['actuator_force', 'act_dot', 'qfrc_passive', 'qacc'])
            worst['written ' + name] = Math.max(worst['written ' + name] ?? 0, error(dw[name], d[name]));
    }
}

const own = [path.resolve(root, 'tests/physics/states'), path.resolve(root, 'models')];
let compared = 0;
async function compareFolder(folder)
{
    const names = fs.readdirSync(folder).filter(name => name.endsWith('.xml')).sort();
    const out = execFileSync(program, [String(COUNT), ...names.map(name => path.join(folder, name))], { maxBuffer: 1 << 30 });
    let left = 0; // models that MuJoCo as it is may still take
    for (const line of out.toString().trim().split('\n')) {
        const ours = JSON.parse(line), name = path.basename(ours.file);
        if (ours.error || ours.states[0].qvel.length > NVMAX)
            continue;
        if (left-- === 0) {
            [mujoco, left] = [await oracle(), 9]; // a fresh one: what models took is not all given back
            for (const other of names)
                mujoco.FS.writeFile('/' + other, fs.readFileSync(path.join(folder, other)));
        }
        let m;
        try {
            m = mujoco.MjModel.from_xml_path('/' + name);
        } catch {
            continue;
        }
        const d = new mujoco.MjData(m), worst = {};
        m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT.value;
        run(`${name} is the same in motion`, () => {
            for (const state of ours.states) {
                compareState(m, d, state, worst);
                compareJacobians(m, d, state, worst);
                if (folder === own[0]) {
                    compareRows(m, d, state, worst);
                    compareSteps(m, d, state, worst);
                }
            }
            if (folder === own[0])
                compareWritten(m, ours.file, ours.states, worst);
            for (const [what, e] of Object.entries(worst))
                check(e <= tolerance, `${what}: ${e}`);
        });
        compared++;
        d.delete();
        m.delete();
    }
}

const theirs = [path.join(corpus, 'models/modern')].filter(name => fs.existsSync(name));
if (theirs.length === 0)
    console.log('  the corpus is absent: only our own models are compared');
for (const folder of [...own, ...theirs])
    await compareFolder(folder);
console.log(`  ${compared} models, ${COUNT} states each`);
done();
