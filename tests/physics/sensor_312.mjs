// Sensors of every type on every kind of object beside MuJoCo, in the inverse and the forward, in 100 random states and more:
// beside 3.14, and beside 3.12 with compat="3.12".
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { contactsOf } from '../oracle/contacts.mjs';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';

let mujoco;
const program = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/sensor-values');
const geometric = /^(distance|normal|fromto)/, STATES = 120, FREE = 0, PLANE_TO_CAPSULE = [0, 2, 3];

const sites = ['station', 'bolt', 'clapper', 'eye', 'skin_ball', 'skin_capsule', 'skin_box', 'skin_egg', 'skin_drum', 'elbow', 'palm',
    'tag', 'goal', 'pin'];
const objects = [['body', 'hand'], ['xbody', 'hand'], ['geom', 'head'], ['site', 'palm'], ['camera', 'camera'], ['body', 'world'],
    ['site', 'goal'], ['xbody', 'bell'], ['geom', 'floor']];
const cameras = ['lamp', 'camera', 'watcher', 'porter', 'tracker', 'escort', 'looker', 'rider'];
// What 2.2.2 does not know
const lenses = { camera: 'resolution="640 480" fovy="63.7"', watcher: 'resolution="641 483" sensorsize="0.0036 0.0024" focal="0.0021 0.0023"',
    porter: 'resolution="1279 719" sensorsize="0.0047 0.0028" focalpixel="811.3 645.7" principal="0.0001 0.0002"',
    looker: 'resolution="320 200" sensorsize="0.0047 0.0028" focal="0.004 0.003" focalpixel="0 -330.1"', rider: 'resolution="33 57"' };
const onSite = ['touch', 'accelerometer', 'velocimeter', 'gyro', 'force', 'torque', 'magnetometer', 'rangefinder'];
const relative = ['framepos', 'framequat', 'framexaxis', 'frameyaxis', 'framezaxis', 'framelinvel', 'frameangvel'];
const others = ['jointpos joint="wrist"', 'jointvel joint="reach"', 'ballquat joint="bell"', 'ballangvel joint="bell"',
    'jointlimitpos joint="bell"', 'jointlimitvel joint="shoulder"', 'jointlimitfrc joint="shoulder"', 'tendonpos tendon="cord"',
    'tendonvel tendon="sum"', 'tendonlimitpos tendon="cord"', 'tendonlimitvel tendon="sum"', 'tendonlimitfrc tendon="sum"',
    'actuatorpos actuator="cord"', 'actuatorvel actuator="wrist"', 'actuatorfrc actuator="sum"', 'jointactuatorfrc joint="wrist"',
    'tendonactuatorfrc tendon="sum"', 'subtreecom body="arm"', 'subtreelinvel body="trunk"', 'subtreeangmom body="arm"', 'clock',
    'e_potential', 'e_kinetic', 'user dim="2" noise="0.1" user="3 1.5 -2"', 'clock user="7"'];
const pairs = ['geom1="head" geom2="bob"', 'geom1="bob" geom2="head"', 'geom1="belly" geom2="floor"', 'geom1="floor" geom2="fist"',
    'geom1="arm" geom2="post"', 'body1="trunk" body2="bob"', 'body1="bob" body2="trunk"', 'body1="hand" geom2="crate"',
    'geom1="bell" body2="world"', 'body1="target" body2="trunk"', 'geom1="tag" geom2="arm"'];

const sides = ['', 'geom1="floor"', 'geom2="floor"', 'geom1="floor" geom2="head"', 'geom1="head" geom2="floor"', 'body1="trunk"',
    'subtree1="trunk"', 'subtree2="trunk"', 'subtree1="arm" body2="world"', 'body1="world" subtree2="trunk"', 'site="skin_capsule"',
    'site="skin_box" geom2="floor"', 'subtree1="trunk" subtree2="trunk"', 'subtree1="trunk" subtree2="arm"', 'subtree1="world"',
    'site="skin_ball" subtree2="world"', 'geom1="bob" geom2="belly"'];
const data = ['', 'data="force"', 'data="torque"', 'data="dist pos"', 'data="normal tangent"', 'data="found force torque dist pos normal tangent"'];
const slots = ['', 'num="3"', 'reduce="mindist"', 'reduce="maxforce" num="2"', 'reduce="netforce"', 'reduce="netforce" num="2"', 'reduce="mindist" num="5"'];

// Every sensor alone, every second one that may also with a cutoff in the midst of its readings.
function sensors()
{
    const all = [];
    for (const type of onSite)
        all.push(...sites.map(site => `${type} site="${site}"`));
    for (const [objtype, objname] of objects) {
        const object = `objtype="${objtype}" objname="${objname}"`;
        all.push(...['framelinacc', 'frameangacc'].map(type => `${type} ${object}`));
        all.push(...sites.map(site => `insidesite site="${site}" ${object}`));
        for (const type of relative)
            all.push(`${type} ${object}`, ...objects.map(([t, n]) => `${type} ${object} reftype="${t}" refname="${n}"`));
    }
    for (const [i, camera] of cameras.entries()) {
        const object = `objtype="camera" objname="${camera}"`, another = cameras[(i + 3) % cameras.length];
        all.push(`framelinacc ${object}`, `frameangacc ${object}`, `insidesite site="skin_box" ${object}`);
        for (const type of relative)
            all.push(`${type} ${object}`, `${type} ${object} reftype="site" refname="palm"`, `${type} ${object} reftype="camera" refname="${another}"`,
                `${type} objtype="body" objname="hand" reftype="camera" refname="${camera}"`);
        all.push(...sites.map(site => `camprojection site="${site}" camera="${camera}"`));
    }
    for (const type of ['distance', 'normal', 'fromto'])
        for (const cutoff of ['', ' cutoff="0.3"', ' cutoff="5"'])
            all.push(...pairs.map(pair => `${type} ${pair}${cutoff}`));
    for (const side of sides)
        all.push(...data.flatMap(what => slots.map(which => `contact ${side} ${what} ${which}`)));
    all.push(...others);
    return all.flatMap((sensor, i) => i % 2 || /axis|quat|distance|normal|fromto|contact/.test(sensor) ? [sensor] : [sensor, `${sensor} cutoff="0.4"`]);
}

let seed = 7;
function uniform(low, high)
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return low + (high - low) * seed / 0x7fffffff;
}

function randomState(m, k)
{
    const step = Array.from({ length: m.nv }, () => uniform(-1, 1) * (k % 2 ? 0.3 : 2));
    for (let j = 0; j < m.njnt; j++)
        for (let i = 0; i < (m.jnt_type[j] === FREE ? 3 : 0); i++)
            step[m.jnt_dofadr[j] + i] *= 0.1;
    mujoco.mj_resetData(m, d);
    mujoco.mj_integratePos(m, d.qpos, step, 1); // only what lies in MuJoCo's own memory is written
    const q = d.qpos;
    for (let j = 0; j < m.njnt; j++)
        q[m.jnt_qposadr[j] + 2] -= m.jnt_type[j] === FREE ? 0.05 * (k % 4) : 0; // so that they touch the floor, too
    const numbers = (n, size) => Array.from({ length: n }, () => uniform(-size, size));
    const push = [0, 0, 0, 0, 0, 0, ...numbers(6 * (m.nbody - 1), k % 3 ? 5 : 0)];
    return { qpos: Array.from(q), qvel: numbers(m.nv, 1), qacc: numbers(m.nv, 3), ctrl: numbers(m.nu, 1), xfrc_applied: push };
}

// Contacts of shapes that MuJoCo finds by iteration: what they do to sensors is judged elsewhere.
function approximate(m, d)
{
    return contactsOf(d).some(({ geom }) => !geom.every(g => PLANE_TO_CAPSULE.includes(m.geom_type[g])));
}

function compare(worst, what, names, ours, tolerance, judge)
{
    const theirs = d.sensordata;
    for (let i = 0; i < m.nsensor; i++) {
        if (!judge(names[i]))
            continue;
        const adr = m.sensor_adr[i], dim = m.sensor_dim[i];
        const a = ours.slice(adr, adr + dim), b = Array.from(theirs.slice(adr, adr + dim));
        const scale = Math.max(/torque.*netforce/.test(names[i]) ? 1 : 1e-3, ...b.map(Math.abs)), // forces cancel there
             error = Math.max(...a.map((x, k) => Math.abs(x - b[k]))) / scale;
        check(error <= tolerance, `${what} ${names[i]}: ${a}, expected ${b}`);
        worst[what] = Math.max(worst[what] ?? 0, error);
    }
}

// A model with these sensors, beside a version, in random states: what we read, and what MuJoCo reads
async function begin(name, names, version)
{
    const xml = fs.readFileSync(path.join(root, `tests/physics/${name}.xml`), 'utf8')
        .replace('<sensor/>', `<sensor>${names.map(sensor => `<${sensor}/>`).join('\n')}</sensor>`)
        .replace(/<camera name="(\w+)"/g, (tag, camera) => `${tag} ${lenses[camera] ?? ''}`);
    const file = path.join(scratch, `${name}.xml`);
    fs.writeFileSync(file, xml);
    mujoco = await oracle(version);
    mujoco.FS.writeFile('/sensors.xml', xml);
    m = mujoco.MjModel.from_xml_path('/sensors.xml');
    d = new mujoco.MjData(m);
    m.opt.tolerance = 0;
    m.opt.iterations = 300;
    states = Array.from({ length: STATES }, (_, k) => randomState(m, k));
    const input = states.map(s => Object.values(s).flat().join(' ')).join('\n');
    ours = execFileSync(program, [file, version], { input, maxBuffer: 1 << 30 }).toString().trim().split('\n')
        .map(line => line.trim().split(' ').map(Number));
    return file;
}

function writtenHasTheSame(file, names)
{
    const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
    mujoco.FS.writeFile('/written.xml', JSON.parse(execFileSync(dump, [file], { maxBuffer: 1 << 30 }).toString()).written);
    const w = mujoco.MjModel.from_xml_path('/written.xml');
    for (const name of ['sensor_type', 'sensor_datatype', 'sensor_needstage', 'sensor_objtype', 'sensor_objid', 'sensor_reftype', 'sensor_refid',
        'sensor_intprm', 'sensor_dim', 'sensor_adr', 'sensor_cutoff', 'sensor_noise', 'sensor_user',
        'cam_bodyid', 'cam_mode', 'cam_targetbodyid', 'cam_projection', 'cam_resolution', 'cam_sensorsize', 'cam_intrinsic', 'cam_fovy', 'cam_pos0',
        'cam_poscom0', 'cam_mat0']) {
        const read = Array.from(m[name]), written = Array.from(w[name]), at = read.findIndex((x, i) => !(Math.abs(x - written[i]) <= 1e-12));
        const of = name.startsWith('cam') ? [] : names, n = of.length || m.ncam, i = Math.floor(at * n / read.length);
        check(at < 0 && read.length === written.length, `${name}: ${of[i] ?? `camera ${i}`}: ${read[at]}, written ${written[at]}`);
    }
    w.delete();
}

// loose: what is judged less strictly
function compareAll(names, fewest, loose)
{
    const worst = {};
    let contacts = 0, elsewhere = 0;
    for (let k = 0; k < STATES; k++) {
        mujoco.mj_resetData(m, d);
        for (const [name, values] of Object.entries(states[k]))
            d[name].set(values);
        mujoco.mj_inverse(m, d);
        const clean = !approximate(m, d), n = m.nsensordata;
        contacts += clean ? d.ncon : 0;
        elsewhere += !clean;
        check(!clean || ours[k][0] === d.ncon, `${k}: ${ours[k][0]} contacts, expected ${d.ncon}`);
        compare(worst, 'inverse', names, ours[k].slice(1, 1 + n), 1e-9, name => clean && !loose.test(name));
        compare(worst, 'distance', names, ours[k].slice(1, 1 + n), 1e-5, name => loose.test(name));
        mujoco.mj_forward(m, d);
        compare(worst, 'forward', names, ours[k].slice(1 + n + m.nv), 1e-7, name => clean && !loose.test(name));
    }
    console.log(`     ${names.length} sensors, ${contacts} contacts, ${elsewhere} of ${STATES} states left out; worst ${JSON.stringify(worst)}`);
    check(STATES - elsewhere >= 100 && contacts >= fewest, 'enough was compared');
}

let m, d, states, ours;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-sensor-'));
const all = sensors(), ropes = ['hook', 'back', 'front', 'elbow', 'palm', 'tag', 'pin', 'clapper'];
const rays = ['site="ahead"', 'site="aside"', 'site="below"', ...['above', 'within', 'ortho', 'lens', 'pixels', 'tracker', 'long'].map(c => `camera="${c}"`)]
    .flatMap(from => ['', 'data="dir"', 'data="dist normal"', 'data="origin point depth"', 'data="dist dir origin point normal depth"']
        .flatMap(what => [`rangefinder ${from} ${what}`, `rangefinder ${from} ${what} cutoff="0.7"`]));
const pulled = ropes.flatMap(site => [`force site="${site}"`, `torque site="${site}"`]);
for (const version of ['3.12', '3.14']) {
    const says = version.replace('.', '_');
    const file = await begin('sensors', all, version);
    run(`all_types_agree_with_${says}`, () => compareAll(all, 50, geometric));
    run(`what_we_write_has_the_same_sensors_in_${says}`, () => writtenHasTheSame(file, all));
    const seen = await begin('rays', rays, version);
    run(`rays_agree_with_${says}`, () => compareAll(rays, 0, /./));
    run(`what_we_write_sees_the_same_in_${says}`, () => writtenHasTheSame(seen, rays));
    await begin('ropes', pulled, version);
    run(`forces_of_tendons_and_welds_agree_with_${says}`, () => compareAll(pulled, 0, geometric));
}
fs.rmSync(scratch, { recursive: true });
done();
