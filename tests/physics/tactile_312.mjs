// Tactile sensors beside MuJoCo 3.14, and beside 3.12 with compat="3.12": taxels of plates and wedges, scaled, turned and mirrored, on geoms of all
// kinds, in random states in contact with each kind of geom. What we write has the same sensors. What MuJoCo refuses, we refuse.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const build = process.env.SALTUS_BUILD ?? 'build', STATES = 100, FREE = 0;
const values = path.join(build, 'tests/physics/sensor-values'), dump = path.join(build, 'tests/mjcf/dump-models');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-tactile-'));

const meshes = `
    <mesh name="skin" builtin="wedge" params="7 5 70 50 .4" scale=".2 .25 .15"/>
    <mesh name="cap" builtin="wedge" params="4 6 40 80 0" scale=".1 -.15 .2" refpos=".1 .2 -.3" refquat=".9 .1 -.3 .2" inertia="shell"/>
    <mesh name="bowl" builtin="wedge" params="6 6 170 85 1" scale=".08 .1 .12" inertia="exact"/>
    <mesh name="pad" builtin="plate" params="5 8" scale=".12 .1 .05"/>
    <mesh name="patch" builtin="plate" params="3 4" scale="-.1 .12 .1" refpos="1 2 3" refquat=".5 .5 .5 .5"/>
    <mesh name="square" builtin="plate" params="4 4" scale=".1 .1 .1"/>
    <mesh name="rock" builtin="sphere" params="1" scale=".1 .12 .09"/>`;
const kinds = { plane: '', sphere: 'size=".1"', capsule: 'size=".07 .08"', ellipsoid: 'size=".08 .12 .1"', cylinder: 'size=".09 .1"', box: 'size=".1 .07 .12"',
    mesh: 'mesh="rock"' };
const pairs = ['tip skin', 'tip cap', 'block pad', 'block bowl', 'nail patch', 'nail pad', 'bone square', 'bone cap', 'floor pad', 'floor patch', 'lump bowl',
    'other0 square', 'other0 skin'];
const sensorsOf = version => pairs.map(pair => pair.split(' ')).flatMap(([geom, mesh], i) => ['', ...i % 3 || version === '3.12' ? [] : [' cutoff=".03"']] // not in 3.12
    .map(cut => `geom="${geom}" mesh="${mesh}"${cut}`));

const model = (others, names) => `<mujoco><asset>${meshes}</asset><worldbody>
    <geom name="floor" type="plane" size="2 2 .1" euler="2 -3 10"/><geom name="lump" type="ellipsoid" size=".1 .15 .08" pos=".1 0 0" euler="30 10 0"/>
    <body name="finger"><freejoint/><geom name="tip" type="mesh" mesh="skin" euler="10 20 30"/><geom name="block" type="box" size=".1 .08 .05" pos=".05 0 -.05"/>
      <body name="nail" pos="0 .1 0" euler="0 40 0"><geom name="nail" type="ellipsoid" size=".05 .09 .04"/></body>
      <body name="bone" pos="0 -.15 0"><joint axis="1 2 0"/><joint type="slide" axis="0 0 1"/><geom name="bone" type="capsule" size=".04 .1" pos="0 0 .05"/></body></body>
    ${others.map((other, i) => `<body><freejoint/><geom name="other${i}" ${other}/></body>`).join('\n')}
  </worldbody><sensor>${names.map(of => `<tactile ${of}/>`).join('')}</sensor></mujoco>`;

let seed = 11;
const uniform = (low, high) => low + (high - low) * (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const numbers = (n, size) => Array.from({ length: n }, () => uniform(-size, size));

function randomState(m)
{
    const q = numbers(m.nq, .5);
    for (let j = 0; j < m.njnt; j++) {
        const at = m.jnt_qposadr[j];
        if (m.jnt_type[j] !== FREE)
            continue;
        const turn = numbers(4, 1), length = Math.hypot(...turn);
        q.splice(at, 7, ...numbers(2, .15), uniform(-.05, .2), ...turn.map(x => x / length));
    }
    return { qpos: q, qvel: numbers(m.nv, 1), qacc: numbers(m.nv, 3), ctrl: [], xfrc_applied: Array(6 * m.nbody).fill(0) };
}

const set = (d, state) => Object.entries(state).forEach(([name, x]) => x.length && d[name].set(x));

// Directions of a mesh are floats, within 5e-8; of up to five geoms, which pass at up to 4 m/s.
function compare(what, ours, theirs)
{
    const at = theirs.findIndex((x, i) => !(Math.abs(x - ours[i]) <= 1e-6));
    check(ours.length === theirs.length && at < 0, `${what}[${at}]: ${ours[at]}, MuJoCo ${theirs[at]}`);
}

// What we write of the model alone, and of the model and its file.
function* writtenOf(mujoco, file)
{
    const out = path.join(scratch, 'out.xml');
    execFileSync(path.join(build, 'cli/saltus'), ['convert', file, '-o', out]);
    for (const xml of [JSON.parse(execFileSync(dump, [file], { maxBuffer: 1 << 30 }).toString()).written, fs.readFileSync(out)]) {
        mujoco.FS.writeFile('/written.xml', xml);
        const w = mujoco.MjModel.from_xml_path('/written.xml');
        yield { w, written: new mujoco.MjData(w) };
    }
}

function beside(mujoco, version, others)
{
    const file = path.join(scratch, 'model.xml'), names = sensorsOf(version), xml = model(others, names);
    fs.writeFileSync(file, xml);
    mujoco.FS.writeFile('/model.xml', xml);
    const m = mujoco.MjModel.from_xml_path('/model.xml'), d = new mujoco.MjData(m), rewritten = [...writtenOf(mujoco, file)];
    const states = Array.from({ length: STATES }, () => randomState(m)), n = m.nsensordata;
    const input = states.map(state => Object.values(state).flat().join(' ')).join('\n');
    const ours = execFileSync(values, [file, version], { input, maxBuffer: 1 << 30 }).toString().trim().split('\n').map(line => line.trim().split(' ').map(Number));
    const first = m.sensor_adr[names.findIndex(of => of.includes('other0'))];
    let felt = 0, feltByOther = 0, contacts = 0;
    states.forEach((state, k) => {
        set(d, state);
        mujoco.mj_inverse(m, d);
        contacts += d.ncon;
        compare(`${k}: inverse`, ours[k].slice(1, 1 + n), Array.from(d.sensordata));
        const read = Array.from(d.sensordata);
        felt += read.filter(x => x !== 0).length;
        feltByOther += read.slice(first).filter(x => x !== 0).length;
        for (const { w, written } of rewritten) {
            set(written, state);
            mujoco.mj_inverse(w, written);
            compare(`${k}: written`, Array.from(written.sensordata), read);
        }
        mujoco.mj_forward(m, d);
        compare(`${k}: forward`, ours[k].slice(1 + n + m.nv), Array.from(d.sensordata));
    });
    [m, d, ...rewritten.flatMap(Object.values)].forEach(x => x.delete());
    return { felt, feltByOther, contacts };
}

for (const version of ['3.14', '3.12']) {
    const says = version.replace('.', '_'), mujoco = await oracle(version);
    for (const [kind, rest] of Object.entries(kinds))
        run(`${kind}_is_felt_as_by_${says}`, () => {
            const others = kind === 'plane' ? ['size=".02"'] : Array.from({ length: 3 }, () => `type="${kind}" ${rest}`);
            const { felt, feltByOther, contacts } = beside(mujoco, version, others);
            console.log(`     ${STATES} states, ${contacts} contacts, ${felt} numbers that are not 0`);
            check(felt > 1000 && feltByOther > 100 && contacts > 500, 'enough was felt');
        });
    run(`all_kinds_at_once_are_felt_as_by_${says}`, () => {
        const { felt } = beside(mujoco, version, Object.entries(kinds).slice(1).map(([kind, rest]) => `type="${kind}" ${rest}`));
        check(felt > 10000, `${felt} numbers that are not 0`);
    });
}
fs.rmSync(scratch, { recursive: true });
done();
