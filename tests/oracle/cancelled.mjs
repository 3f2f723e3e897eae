// Sensors of force read a sum in which the forces between the bodies beyond the joint cancel. Two fingers that are pressed into each other with millions of newtons
// leave their weight, and rounding: without the contact, whose forces cancel, MuJoCo itself reads something else in the 10th digit. The readings of both programs
// agree to the rounding of their terms.
import fs from 'node:fs';
import path from 'node:path';
import { beside } from './beside.mjs';
import { check, done, oracle, run } from './mujoco.mjs';
import { generator } from './random_model.mjs';
import { contactForce } from './rounding.mjs';

const FORCE = 4, SEEDS = 12, STATES = 20, CONTACTS = 1 << 4;
const finger = (name, y) => `<body name="${name}" pos="0 ${y} 0"><joint axis="0 0 1" armature="1" limited="true" range="-.5 .5"/>
  <geom type="capsule" size=".03" fromto="0 0 0 .2 0 .01" solimp=".95 .98 .0005" solref=".002 1" density="1000"/></body>`;
const hand = `<mujoco><compiler angle="radian"/><option timestep=".002"/><worldbody><body><joint axis="0 1 0" armature="1"/>
  <geom size=".05" mass=".05" contype="0" conaffinity="0"/><site name="wrist"/>${finger('left', .02)}${finger('right', -.02)}</body></worldbody>
  <sensor><force site="wrist"/></sensor></mujoco>`;

const mujoco = await oracle();

// Of random states the one in which contacts, which are all between the fingers, change most what MuJoCo reads: by how much, and the sum of their forces
function changedByContacts(xml)
{
    mujoco.FS.writeFile('/model.xml', xml);
    const m = mujoco.MjModel.from_xml_path('/model.xml'), d = new mujoco.MjData(m), r = generator(1), from = m.sensor_adr[m.sensor_type.indexOf(FORCE)];
    const read = without => {
        m.opt.disableflags = without;
        mujoco.mj_inverse(m, d);
        return d.sensordata.slice(from, from + 3);
    };
    let found = { change: 0 };
    for (let state = 0; state < STATES; state++) {
        d.qpos.set(Array.from({ length: m.nq }, () => r.real(-.2, .2)));
        d.qvel.set(Array.from({ length: m.nv }, () => r.real(-1, 1)));
        const free = read(CONTACTS), pressed = read(0), force = contactForce(d);
        const change = Math.max(...pressed.map((x, c) => Math.abs(x - free[c])));
        found = change > found.change ? { change, force, reading: Math.hypot(...free) } : found;
    }
    d.delete();
    m.delete();
    return found;
}

run('forces that cancel change what MuJoCo reads', () => {
    const { change, force, reading } = changedByContacts(hand);
    check(force > 1e5 && reading < 30, `forces of ${force} N leave ${reading} N`);
    check(change > 1e-10, `they change the reading by ${change} N only`);
    check(change < 16 * Number.EPSILON * force, `they change the reading by ${change} N: more than rounding of ${force} N`);
});

const corpus = path.resolve(process.env.SALTUS_CORPUS ?? '../shared', 'robots/mjtest_robot_arm.xml');
const models = [['two fingers', hand], ...fs.existsSync(corpus) ? [['robot arm', fs.readFileSync(corpus, 'utf8')]] : []];
for (const [name, xml] of models) {
    const findings = await beside(Array.from({ length: SEEDS }, (_, k) => ({ seed: k + 1, xml })));
    run(`${name}: readings agree to the rounding of their terms`, () => findings.forEach(f =>
        check(f.verdict === 'same', `${f.verdict} ${f.what ?? ''}: ours ${f.ours}, MuJoCo ${f.theirs}`)));
}
done();
