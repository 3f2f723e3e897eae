// Delays of actuators and sensors, and intervals of sensors, beside MuJoCo 3.14: steps of every integrator, what is written of
// the model, keyframes, and what is refused.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';
import { error } from './actuator_beside.mjs';

const mujoco = await oracle(), build = process.env.SALTUS_BUILD ?? 'build', saltus = path.join(build, 'cli/saltus');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-delay-')), file = path.join(folder, 'm.xml'), csv = path.join(folder, 'u.csv');
const integrators = ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete'], some = ['Euler', 'RK4'], NEWTON = 2, STEPS = 200;

const rod = '<geom type="capsule" size=".03" fromto="0 0 0 .1 .05 -.4" mass="1" contype="0" conaffinity="0"/>';
const scene = (actuators, sensors = '', h = 0.004, more = '', flags = '') => `<mujoco><option timestep="${h}" tolerance="1e-14">${flags}</option>${more}
    <worldbody><body name="root"><joint name="s" type="slide" axis="1 0 0" damping="1"/>${rod}<site name="p" pos=".1 .2 .3"/>
    <body pos=".1 .05 -.4"><joint name="a" axis="0 1 0" damping=".6"/>${rod}
    <body pos=".1 .05 -.4"><joint name="b" axis="1 1 0" armature=".01" damping=".6"/>${rod}<site name="q" pos="0 .1 0" euler="10 20 30"/>
    <body name="tip" pos=".1 .05 -.4"><joint name="ball" type="ball" damping=".1"/>${rod}</body></body></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
    <actuator>${actuators}</actuator><sensor>${sensors}</sensor></mujoco>`;

const control = (k, i) => 2 * Math.sin(0.05 * k + i) + 0.3 * Math.sin(1.3 * k);

function load(xml)
{
    mujoco.FS.writeFile('/delay.xml', xml);
    return mujoco.MjModel.from_xml_path('/delay.xml');
}

function ours(m, integrator, key)
{
    const numbers = f => Array.from({ length: m.nu }, (_, i) => f(i)).join(',');
    fs.writeFileSync(csv, [numbers(i => `ctrl${i}`), ...Array.from({ length: STEPS + 1 }, (_, k) => numbers(i => control(k, i)))].join('\n') + '\n');
    const outcome = spawnSync(saltus, ['simulate', file, '-q', ...m.nu > 0 ? ['--controls', csv] : [], '--time', String(STEPS * m.opt.timestep),
        '--set', `option/integrator=${integrator}`, ...integrator === 'discrete' ? ['--set', 'option/solver=Newton'] : [],
        ...key === undefined ? [] : ['--key', String(key)]], { encoding: 'utf8', maxBuffer: 1 << 28 });
    check(outcome.status === 0, outcome.stderr);
    return outcome.stdout.trim().split('\n').slice(1).map(line => line.split(',').map(Number));
}

// States and sensors before each step
function compareSteps(m, integrator, key)
{
    const found = ours(m, integrator, key), d = new mujoco.MjData(m), worst = { state: 0 };
    const at = 1 + m.nq + m.nv + m.na + m.nu;
    m.opt.integrator = integrators.indexOf(integrator);
    m.opt.solver = integrator === 'discrete' ? NEWTON : m.opt.solver;
    if (key !== undefined)
        mujoco.mj_resetDataKeyframe(m, d, key);
    check(found.length === STEPS + 1, `${found.length} rows`);
    for (let k = 0; k < found.length; k++) {
        const row = found[k];
        for (let i = 0; i < m.nu; i++)
            d.ctrl[i] = control(k, i);
        mujoco.mj_forward(m, d);
        worst.state = Math.max(worst.state, error(row.slice(1, 1 + m.nq + m.nv + m.na), [...d.qpos, ...d.qvel, ...d.act]));
        for (let i = 0; i < m.nsensor; i++) {
            const from = m.sensor_adr[i], n = m.sensor_dim[i];
            const e = error(row.slice(at + from, at + from + n), Array.from(d.sensordata).slice(from, from + n));
            worst[`sensor ${i}`] = Math.max(worst[`sensor ${i}`] ?? 0, e);
            if (e > 1e-9 && !worst.first)
                worst.first = `step ${k}, sensor ${i}: ${row.slice(at + from, at + from + n)}, expected ${Array.from(d.sensordata).slice(from, from + n)}`;
        }
        mujoco.mj_step(m, d);
    }
    for (const [name, e] of Object.entries(worst))
        check(name === 'first' || e <= 1e-9, `${integrator}: ${name} is off by ${e} in ${STEPS} steps; ${worst.first ?? ''}`);
    d.delete();
}

const kept = ['actuator_history', 'actuator_delay', 'actuator_historyadr', 'sensor_history', 'sensor_delay', 'sensor_interval', 'sensor_historyadr'];

function compareWritten(m)
{
    const dumped = JSON.parse(execFileSync(path.join(build, 'tests/mjcf/dump-models'), [file], { maxBuffer: 1 << 28 }).toString());
    const w = load(dumped.written);
    for (const name of kept)
        check(String(Array.from(m[name])) === String(Array.from(w[name])), `written: ${name} is ${Array.from(w[name])}, expected ${Array.from(m[name])}`);
    w.delete();
}

function compare(name, actuators, sensors = '', { h, more, flags, key, which = integrators, written = true } = {})
{
    run(name, () => {
        const xml = scene(actuators, sensors, h, more, flags);
        fs.writeFileSync(file, xml);
        const m = load(xml);
        for (const integrator of which)
            compareSteps(m, integrator, key);
        if (written)
            compareWritten(m);
        m.delete();
    });
}

// ---- actuators ----

const motors = (attrs, tag = 'motor') => ['a', 'b', 's'].map((joint, i) => `<${tag} joint="${joint}" gear="${[1, -3, 2][i]}" ${attrs}/>`).join('');
for (const interp of ['zoh', 'linear', 'cubic'])
    for (const [delay, nsample] of [[0, 3], [.004, 1], [.004, 4], [.012, 3], [.02, 9], [.0021, 3], [.0117, 4], [.0301, 8], [.0301, 12], [.05, 4]])
        compare(`${interp}: ${delay} s of ${nsample} samples`, motors(`delay="${delay}" nsample="${nsample}" interp="${interp}"`), '',
            { which: delay === .0117 ? integrators : some });
for (const h of [.002, .003, .005, 1 / 256])
    compare(`steps of ${h} s`, [1, 2, 5, 7, 10].map(k => `<motor joint="a" delay="${k * h}" nsample="12"/>`).join(''), '', { h, which: some });
const late = 'delay=".0117" nsample="5" interp="linear"';
compare('servos', `<position joint="a" kp="20" kv="1" ${late}/><velocity joint="b" kv="2" ${late}/><position joint="s" kp="30" timeconst=".05" ${late}/>
    <intvelocity joint="b" kp="5" actrange="-1 1" ${late}/>`);
compare('activations and ranges', `<general joint="a" dyntype="filter" dynprm=".05" gainprm=".5" ctrlrange="-1 1.2" ${late}/>
    <general joint="b" dyntype="integrator" gainprm="2" actearly="true" actlimited="true" actrange="-.3 .4" ${late}/>
    <muscle joint="s" lengthrange="-1 1" force="2" ${late}/><general tendon="t" gainprm="1 .2 -.1" gaintype="affine" ctrlrange="-1 1" ${late}/>
    <damper joint="s" kv="2" ctrlrange="0 1" ${late}/><cylinder joint="a" timeconst=".1" area=".5" ${late}/>`);
compare('sites, dcmotor, pid, orientation', `<motor site="q" refsite="p" gear="1 2 3 1 2 3" ${late}/>
    <dcmotor joint="a" motorconst=".1" resistance="2" cogging=".3 5 .7" ${late}/><pid joint="b" kp="3" kv=".3" input="pos" ${late}/>
    <orientation joint="ball" kp="2" kv=".2" ${late}/>`);
compare('some late and some not', `<motor joint="a"/><motor joint="b" ${late}/><motor joint="s" nsample="2"/><motor joint="a" delay=".03" nsample="9" interp="cubic"/>`);
compare('pid and dcmotor of several inputs', `<pid joint="a" kp="3" kv=".3" ${late}/><dcmotor joint="b" motorconst=".1" resistance="2" input="pos vel" controller="2 0 .1" ${late}/>`, '',
    { written: false });
compare('dcmotor of several inputs with a current', `<dcmotor name="m" joint="b" motorconst=".1" resistance="2" inductance=".04" input="pos vel" controller="2 0 .1" ${late}/>`, '<actuatorfrc actuator="m"/>');
compare('a class', '<motor joint="a"/><motor joint="b" delay=".02"/><position class="c" joint="s" kp="3"/>', '',
    { more: '<default><general delay=".011" nsample="6" interp="cubic"/><default class="c"><position nsample="3" delay=".005" interp="linear"/></default></default>' });

const sees = '<actuatorpos actuator="o"/><actuatorvel actuator="o"/><actuatorfrc actuator="o" cutoff=".2"/><actuatorfrc actuator="o" delay=".009" nsample="4"/>';
for (const what of ['joint="ball"', 'joint="ball" input="quat"', 'site="q" refsite="p"', 'site="p" refsite="q" input="quat"'])
    for (const attrs of ['', late, 'delay=".009" nsample="4" interp="cubic"'])
        compare(`orientation of ${what} ${attrs}, and its sensors`, `<motor joint="a"/><orientation name="o" ${what} kp=".2" kv=".02" ${attrs}/>`, sees,
            { which: attrs ? some : integrators });
for (const [delay, nsample] of [[-.1, 3], [-.1, 0], [-.001, 1], [-.0041, 4]])
    compare(`a negative delay of ${nsample} samples: ${delay} s`, ['zoh', 'linear', 'cubic'].map(interp => `<position joint="a" kp="3" delay="${delay}" nsample="${nsample}" interp="${interp}"/>`).join(''), '',
        { written: nsample > 0 });

// ---- keyframes ----

for (const time of [0, .5, -.015, -.008, -.0333])
    compare(`from ${time} s`, motors(late) + motors('delay=".008" nsample="3"'),
        '<jointpos joint="a" delay=".01" nsample="4"/><jointvel joint="b" interval=".01" nsample="3"/>',
        { key: 0, which: some, more: `<keyframe><key time="${time}" qpos=".1 .2 .3 1 0 0 0" ctrl="1 2 3 4 5 6"/></keyframe>` });

// ---- sensors ----

const each = attrs => ['jointpos joint="a"', 'jointvel joint="b"', 'ballquat joint="ball"', 'framepos objtype="site" objname="q"', 'framelinvel objtype="body" objname="tip"',
    'accelerometer site="q"', 'force site="p"', 'torque site="q"', 'actuatorfrc actuator="m"', 'subtreelinvel body="root"', 'subtreeangmom body="root"', 'subtreecom body="root"',
    'framelinacc objtype="site" objname="q"', 'clock', 'e_potential', 'e_kinetic', 'tendonpos tendon="t"', 'magnetometer site="q"', 'frameyaxis objtype="body" objname="tip"',
    'actuatorpos actuator="m"', 'jointactuatorfrc joint="a"', 'gyro site="q"', 'velocimeter site="p"'].map(sensor => `<${sensor} ${attrs}/>`).join('');
const driven = `<motor name="m" joint="a" ${late}/><motor joint="b"/>`;
for (const interp of ['zoh', 'linear', 'cubic'])
    for (const [delay, nsample] of [[0, 3], [.004, 3], [.0117, 4], [.02, 8]])
        compare(`sensors, ${interp}: ${delay} s of ${nsample} samples`, driven, each(`delay="${delay}" nsample="${nsample}" interp="${interp}"`));
for (const interval of ['.004', '.01', '.012 -.004', '.0113', '.02 -.0071', '.001', '.02 -.0199'])
    for (const delay of [0, .006, .03])
        compare(`sensors each ${interval} s, ${delay} s late`, driven, each(`interval="${interval}" delay="${delay}" nsample="5" interp="linear"`), { which: delay > 0 ? some : integrators });
for (const attrs of ['delay="-.1" nsample="3"', 'delay="-.1"', 'delay="-.003" nsample="3" interp="linear"', 'delay="-.003" nsample="3" interval=".01" interp="linear"'])
    compare(`sensors with a negative delay: ${attrs}`, driven, each(attrs), { written: attrs.includes('nsample') });
compare('a cutoff', driven, each('nsample="4" delay=".009" interp="cubic"').replaceAll('/>', ' cutoff=".1"/>').replace(/<(ballquat|frameyaxis)[^>]*>/g, ''));
compare('without actuators', '', each('nsample="4" delay=".009"').replace(/<actuator[^>]*>/g, ''));
compare('sensors that are switched off', driven, each('nsample="4" delay=".009"'), { flags: '<flag sensor="disable"/>' });
compare('actuators that are switched off', driven, each('nsample="4" delay=".009"'), { flags: '<flag actuation="disable"/>' });

// ---- what is refused, by both ----

const refused = {
    'no history': '<motor joint="a" delay=".02"/>', 'a negative number of samples': '<motor joint="a" delay=".02" nsample="-3"/>',
    'too many samples': '<motor joint="a" nsample="16777217"/>', 'half a sample': '<motor joint="a" nsample="1.5"/>', 'two delays': '<motor joint="a" nsample="3" delay=".1 .2"/>',
    'another way between samples': '<motor joint="a" nsample="3" interp="spline"/>',
};
const refusedSensors = {
    'no history': 'delay=".02"', 'a negative interval': 'interval="-.1" nsample="2"', 'a positive phase': 'interval=".1 .01" nsample="2"',
    'a phase as long as the interval': 'interval=".1 -.1" nsample="2"', 'three numbers': 'interval=".1 0 0" nsample="2"', 'too many samples': 'nsample="16777217"',
};
const cases = [...Object.entries(refused).map(([name, xml]) => [name, scene(xml)]),
    ...Object.entries(refusedSensors).map(([name, attrs]) => [`sensor: ${name}`, scene('', `<jointpos joint="a" ${attrs}/>`)]),
    ['user sensors have none', scene('', '<user dim="1" nsample="2"/>')]];
run('both refuse', () => {
    for (const [name, xml] of cases) {
        let loaded = true;
        try {
            load(xml).delete();
        } catch {
            loaded = false;
        }
        fs.writeFileSync(file, xml);
        const outcome = spawnSync(saltus, ['simulate', file, '-q', '--time', '.004'], { encoding: 'utf8' });
        check(!loaded, `MuJoCo refuses: ${name}`);
        check(outcome.status === 3 && /m\.xml:\d+:\d+: error/.test(outcome.stderr), `${name}: ${outcome.status} ${outcome.stderr}`);
    }
});

fs.rmSync(folder, { recursive: true });
done();
