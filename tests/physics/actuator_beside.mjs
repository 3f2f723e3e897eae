// Actuators of a model beside MuJoCo's: forces in random states, what is written of the model, and steps of every integrator.
//
//     const { compare, finish } = comparison(mujoco, (classes, actuators) => '<mujoco> .. </mujoco>');
//     compare('what is compared', '<default> .. </default>', '<motor/> ..');
//     finish();
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, run } from '../oracle/mujoco.mjs';

const build = process.env.SALTUS_BUILD ?? 'build';
const integrators = ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete'], NEWTON = 2, STEPS = 60, STATES = 20;
export const rows = ['actuator_length', 'actuator_velocity', 'actuator_force', 'qfrc_actuator', 'act_dot'];

// Relative to the largest entry of MuJoCo's vector; what is nothing but rounding, to 1e-6.
export function error(ours, theirs)
{
    let worst = 0, scale = 1e-6;
    if (ours.length !== theirs.length)
        return Infinity;
    for (let i = 0; i < ours.length; i++) {
        scale = Math.max(scale, Math.abs(theirs[i]));
        const e = Math.abs(ours[i] - theirs[i]);
        worst = e <= worst ? worst : e;
    }
    return worst / scale;
}

export function comparison(mujoco, scene)
{
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-actuator-')), file = path.join(folder, 'm.xml');

    function load(xml)
    {
        mujoco.FS.writeFile('/actuator.xml', xml);
        return mujoco.MjModel.from_xml_path('/actuator.xml');
    }

    function compareStates(m, d, states, what, arrays)
    {
        for (const s of states) {
            mujoco.mj_resetData(m, d);
            d.qpos.set(s.qpos);
            d.qvel.set(s.qvel);
            d.ctrl.set(s.ctrl);
            d.act.set(s.act);
            mujoco.mj_forward(m, d);
            for (const name of arrays) {
                const e = error(s[name], d[name]);
                check(e <= 1e-9, `${what}: ${name} is off by ${e}: ${s[name]}, expected ${Array.from(d[name])}`);
            }
        }
    }

    const control = (k, i) => 2 * Math.sin(0.05 * k + i);

    function ours(m, integrator)
    {
        const csv = path.join(folder, 'u.csv'), numbers = f => Array.from({ length: m.nu }, (_, i) => f(i)).join(',');
        const rows = [numbers(i => `ctrl${i}`), ...Array.from({ length: STEPS }, (_, k) => numbers(i => control(k, i)))];
        fs.writeFileSync(csv, rows.join('\n') + '\n');
        const newton = integrator === 'discrete' ? ['--set', 'option/solver=Newton'] : [];
        const outcome = spawnSync(path.join(build, 'cli/saltus'), ['simulate', file, '-q', '--controls', csv, '--time', String(STEPS * m.opt.timestep),
            '--set', `option/integrator=${integrator}`, ...newton], { encoding: 'utf8' });
        check(outcome.status === 0, outcome.stderr);
        return outcome.stdout.trim().split('\n').slice(1).map(line => line.split(',').slice(1, 1 + m.nq + m.nv + m.na).map(Number));
    }

    function compareSteps(m, d, integrator)
    {
        const found = ours(m, integrator);
        const solver = m.opt.solver;
        m.opt.integrator = integrators.indexOf(integrator);
        m.opt.solver = integrator === 'discrete' ? NEWTON : solver;
        mujoco.mj_resetData(m, d);
        let worst = found.length > STEPS ? 0 : Infinity;
        for (let k = 0; k <= STEPS; k++) {
            worst = Math.max(worst, error(found[k] ?? [], [...d.qpos, ...d.qvel, ...d.act]));
            for (let i = 0; i < m.nu; i++)
                d.ctrl[i] = control(k, i);
            mujoco.mj_step(m, d);
        }
        check(worst <= 1e-9, `${integrator}: off by ${worst} in ${STEPS} steps`);
        m.opt.solver = solver;
    }

    function compare(name, classes, actuators, arrays = rows, steps = integrators)
    {
        run(name, () => {
            const xml = scene(classes, actuators), m = load(xml), d = new mujoco.MjData(m);
            fs.writeFileSync(file, xml);
            const states = JSON.parse(execFileSync(path.join(build, 'tests/physics/smooth-states'), [String(STATES), file], { maxBuffer: 1 << 28 }).toString());
            check(states.error === undefined, states.error);
            compareStates(m, d, states.states ?? [], 'forces', arrays);
            const written = load(JSON.parse(execFileSync(path.join(build, 'tests/mjcf/dump-models'), [file], { maxBuffer: 1 << 28 }).toString()).written);
            const dw = new mujoco.MjData(written);
            compareStates(written, dw, states.states ?? [], 'written', arrays);
            steps.forEach(integrator => compareSteps(m, d, integrator));
            [d, dw, m, written].forEach(x => x.delete());
        });
    }

    return { compare, finish: () => fs.rmSync(folder, { recursive: true }) };
}
