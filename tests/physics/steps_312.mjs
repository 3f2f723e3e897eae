// Simulations beside MuJoCo 3.12: every integrator on small models that show what tells them apart, and on models of the corpus, under
// controls from a table; with the word `all` every model of it with every integrator. A run is compared as long as MuJoCo's own, started 1e-9 away, stays near, and its contacts are where it says.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const saltus = path.join(process.env.SALTUS_BUILD ?? 'build', 'cli/saltus');
const corpus = process.env.SALTUS_CORPUS ?? '../shared';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-steps-'));
const integrators = ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete'];

const NEWTON = 2;

function solve(xml, integrator)
{
    const written = mujoco.MjModel.from_xml_string ? mujoco.MjModel.from_xml_string(xml) : load(xml);
    const kinds = { Euler: 0, RK4: 1, implicit: 2, implicitfast: 3, discrete: 4 };
    written.opt.integrator = kinds[integrator];
    if (integrator === 'discrete')
        written.opt.solver = NEWTON;
    written.opt.tolerance = 0;
    written.opt.iterations = 300;
    return written;
}

function load(xml)
{
    mujoco.FS.writeFile('/steps.xml', xml);
    return mujoco.MjModel.from_xml_path('/steps.xml');
}

const control = (k, i, size) => size * Math.sin(0.03 * k + i);

function table(nu, steps, size)
{
    const rows = [Array.from({ length: nu }, (_, i) => `ctrl${i}`).join(',')];
    for (let k = 0; k < steps; k++)
        rows.push(Array.from({ length: nu }, (_, i) => control(k, i, size)).join(','));
    return rows.join('\n') + '\n';
}

// [[qpos, qvel]] for each step
function theirs(m, steps, size, offset)
{
    const own = (a, b) => a === 0 || b <= 3 || (a <= 3 && b === 6); /* shapes whose contact is no one's approximation */
    const d = new mujoco.MjData(m), rows = [];
    if (m.nkey > 0)
        mujoco.mj_resetDataKeyframe(m, d, 0);
    for (let i = 0; i < m.nq; i++)
        d.qpos[i] += offset;
    for (let k = 0; k <= steps; k++) {
        rows.push([Array.from(d.qpos), Array.from(d.qvel)]);
        for (let i = 0; i < m.nu; i++)
            d.ctrl[i] = control(k, i, size);
        mujoco.mj_step(m, d);
        for (let i = 0; i < d.ncon; i++) {
            const c = d.contact.get(i), a = m.geom_type[c.geom1], b = m.geom_type[c.geom2];
            if (!own(Math.min(a, b), Math.max(a, b))) {
                d.delete();
                return rows;
            }
        }
    }
    d.delete();
    return rows;
}

function ours(file, m, integrator, steps, size)
{
    const csv = path.join(folder, 'u.csv');
    const words = ['simulate', file, '-q', '--set', `option/integrator=${integrator}`, '--set', 'option/tolerance=0',
        '--set', 'option/iterations=300',
        ...(integrator === 'discrete' ? ['--set', 'option/solver=Newton'] : []), '--time', String(steps * m.opt.timestep)];
    if (m.nu > 0) {
        fs.writeFileSync(csv, table(m.nu, steps, size));
        words.push('--controls', csv);
    }
    if (m.nkey > 0)
        words.push('--key', '0');
    const outcome = spawnSync(saltus, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (/are not supported together/.test(outcome.stderr))
        return [];
    if (outcome.status !== 0 && !/simulation is unstable/.test(outcome.stderr))
        throw new Error(outcome.stderr);
    return outcome.stdout.trim().split('\n').slice(1).map(line => {
        const row = line.split(',').map(Number);
        return [row.slice(1, 1 + m.nq), row.slice(1 + m.nq, 1 + m.nq + m.nv)];
    });
}

const distance = (a, b, least = 1e-6) => {
    let worst = 0, scale = least;
    for (let i = 0; i < b.length; i++) {
        worst = Math.max(worst, Math.abs(a[i] - b[i]));
        scale = Math.max(scale, Math.abs(b[i]));
    }
    return Number.isFinite(worst) ? worst / scale : Infinity;
};

// Largest error, and for how many steps it could be looked for
function compare(file, m, integrator, steps, size)
{
    const a = ours(file, m, integrator, steps, size), b = theirs(m, steps, size, 0), c = theirs(m, steps, size, 1e-9);
    let worst = 0, k = 0;
    for (; k <= steps && k < Math.min(a.length, b.length, c.length); k++) {
        if (distance(c[k][0], b[k][0], 1) > 1e-5 || distance(c[k][1], b[k][1], 1) > 1e-4)
            break;
        worst = Math.max(worst, distance(a[k][0], b[k][0]), distance(a[k][1], b[k][1]));
    }
    return [worst, k];
}

// ---- what tells integrators apart ----

const ball = '<geom type="box" size=".1 .2 .3" mass="1" contype="0" conaffinity="0"/>';
const rod = '<geom type="capsule" size=".03" fromto="0 0 0 .1 .05 -.4" mass="1" contype="0" conaffinity="0"/>';
const small = {
    'a spinning free body': `<worldbody><body><freejoint/>${ball}</body></worldbody>
        <keyframe><key name="k" qvel="1 2 3 9 5 -7"/></keyframe>`,
    'a free body with an arm': `<worldbody><body><freejoint/>${ball}<body><joint axis="0 1 0" damping=".1"/>${rod}</body></body></worldbody>
        <keyframe><key name="k" qvel="1 2 3 9 5 -7 3"/></keyframe>`,
    'a free body with a fixed one': `<worldbody><body><freejoint/>${ball}<body pos=".1 0 0" euler="10 20 30">${rod}</body></body></worldbody>
        <keyframe><key name="k" qvel="1 2 3 9 5 -7"/></keyframe>`,
    'ball joints': `<worldbody><body><joint type="ball" damping=".2"/>${rod}<body pos=".1 .05 -.4"><joint type="ball"/>${rod}</body></body></worldbody>
        <keyframe><key name="k" qvel="1 2 3 4 5 -7"/></keyframe>`,
    'damping and servos': `<worldbody><body><joint name="a" axis="0 1 0" damping="2"/>${rod}<body pos=".1 .05 -.4"><joint name="b" axis="1 1 0" armature=".1"/>${rod}</body></body></worldbody>
        <actuator><position joint="a" kp="50" kv="5"/><velocity joint="b" kv="3"/></actuator><keyframe><key name="k" qvel="4 -3"/></keyframe>`,
    'a damper beyond its range': `<worldbody><body><joint name="a" axis="0 1 0"/>${rod}</body></worldbody>
        <actuator><general joint="a" gaintype="affine" gainprm="0 0 -3" ctrlrange="0 .1"/></actuator><keyframe><key name="k" qvel="4"/></keyframe>`,
    'a servo at its limit': `<worldbody><body><joint name="a" axis="0 1 0"/>${rod}</body></worldbody>
        <actuator><position joint="a" kp="50" kv="5" forcerange="-2 2"/></actuator><keyframe><key name="k" qvel="4"/></keyframe>`,
    'a tendon across branches': `<worldbody><body><joint name="r" type="slide" axis="1 0 0"/>${ball}<body><joint name="a" axis="0 1 0"/>${rod}</body>
        <body pos="0 .5 0"><joint name="b" axis="0 1 0"/>${rod}</body></body></worldbody>
        <tendon><fixed name="t" damping="2" stiffness="5"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
        <actuator><general tendon="t" biastype="affine" biasprm="0 0 -1"/></actuator><keyframe><key name="k" qvel="0 1 0"/></keyframe>`,
    'springs, limits and friction': `<worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .5"><joint type="slide" axis="0 0 1" stiffness="200 30" damping="3" springref=".1"/>
        <joint name="a" axis="0 1 0" range="-10 10" frictionloss=".2" solreflimit=".002 1"/>${rod}<body pos=".1 .05 -.4"><joint name="b" axis="1 1 0" stiffness="90"/>
        <geom size=".11" pos="0 0 -.05" solref=".003 1"/></body></body></worldbody>
        <tendon><fixed name="t" stiffness="9" damping=".2" springlength=".1 .2"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
        <actuator><position joint="b" kp="40" kv=".5"/></actuator><keyframe><key name="k" qvel="-1 3 2"/></keyframe>`,
    'polynomial damping': `<worldbody><body><joint name="a" axis="0 1 0" damping=".1 .5 .3"/>${rod}</body></worldbody><keyframe><key name="k" qvel="6"/></keyframe>`,
    'a weld and a limit': `<worldbody><body name="w"><joint type="ball"/>${rod}</body><body name="v" pos=".1 .05 -.4"><joint axis="0 1 0" limited="true" range="-10 10"/>${rod}</body></worldbody>
        <equality><connect body1="w" body2="v" anchor=".1 .05 -.4"/></equality><keyframe><key name="k" qvel="1 2 3 1"/></keyframe>`
};

for (const [name, text] of Object.entries(small)) {
    run(name, () => {
        const xml = `<mujoco><option timestep="0.005"/>${text}</mujoco>`, file = path.join(folder, 'm.xml');
        fs.writeFileSync(file, xml);
        for (const integrator of integrators) {
            const m = solve(xml, integrator);
            const [worst, steps] = compare(file, m, integrator, 100, 1);
            check(worst <= 1e-9 && steps > 20, `${integrator}: off by ${worst} in ${steps} steps`);
            m.delete();
        }
    });
}

// ---- the corpus ----

const STEPS = 50;
let nmodel = 0, nwhole = 0, turn = 0;
const files = f => fs.existsSync(path.join(corpus, f)) ? fs.readdirSync(path.join(corpus, f)).filter(n => n.endsWith('.xml')).map(n => path.join(f, n)) : [];
const all = process.argv[2] === 'all'; /* else one model in four, each with one integrator */
const list = [...files('models'), ...files('models/modern')].sort().filter((_, i) => all || i % 4 === 0);
const skipped = [];

function corpusModel(name)
{
    const file = path.join(corpus, name), text = fs.readFileSync(file, 'utf8');
    let m;
    if (/<include|<mesh|<hfield|file=|plugin/.test(text))
        return;
    if (spawnSync(saltus, ['simulate', file, '-q', '--time', '1e-9', '--json'], { stdio: 'ignore' }).status !== 0) {
        skipped.push(name);
        return;
    }
    try {
        load(text).delete();
    } catch { /* a part of a larger file, for instance */
        skipped.push(name);
        return;
    }
    const turns = all ? integrators : [integrators[turn++ % integrators.length]];
    run(name, () => {
        for (const integrator of turns) {
            m = solve(text, integrator);
            if (m.nv > 0 && m.nv < 100) {
                const [worst, steps] = compare(file, m, integrator, STEPS, 0.1);
                check(worst <= 1e-6, `${integrator}: off by ${worst} in ${steps} steps`);
                nmodel++;
                nwhole += steps > STEPS;
            }
            m.delete();
        }
    });
}

for (const name of list)
    corpusModel(name);
if (list.length > 0) {
    run('enough of the corpus', () => check(nwhole >= (all ? 250 : 12), `only ${nwhole} whole runs`));
    console.log(`     ${nmodel} runs of the corpus, ${nwhole} of them compared to the end of ${STEPS} steps; not taken: ${skipped.join(' ')}`);
}
fs.rmSync(folder, { recursive: true });
done();
