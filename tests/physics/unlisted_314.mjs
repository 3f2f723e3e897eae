// Contacts of a model of ten thousand geoms, half of them free bodies' and half the world's, beside MuJoCo 3.14: which, in which order, where,
// how deep and with which normals. Its pairs are too many to be listed.
//     unlisted_314.mjs [geoms, 10000]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts');
const GEOMS = Number(process.argv[2] ?? 10000), BODIES = 40, STATES = 3, SIDE = 14;
const mujoco = await oracle();
let seed = 5;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const between = (a, b) => a + (b - a) * random();
const somewhere = s => [0, 0, 0].map(() => between(-s, s).toFixed(6)).join(' ');

// Spheres, capsules and boxes: what both have closed forms for. Boxes of bodies meet no boxes, which have as many contacts as rounding says.
function geom(k, spread, bits)
{
    const kind = k % 7 === 0 ? `type="box" size=".2 .1 .3" contype="${bits[0]}" conaffinity="${bits[1]}"`
        : k % 2 ? 'type="sphere" size=".2"' : 'type="capsule" size=".1 .2"';
    return `<geom ${kind} contype="1" pos="${somewhere(spread)}" euler="${somewhere(90)}"/>`.replace(/(contype="\d+".*) contype="1"/, '$1');
}
const range = n => Array.from({ length: n }, (_, i) => i);
const world = range(GEOMS / 2).map(k => geom(k, SIDE, [4, 1])).join('');
const bodies = range(BODIES).map(b => `<body name="b${b}"><freejoint/>${range(GEOMS / 2 / BODIES).map(k => geom(k, 3, [0, 1])).join('')}</body>`).join('');
const xml = `<mujoco><size memory="1G"/><option><flag multiccd="disable"/></option><worldbody><geom type="plane" size="1 1 1" pos="0 0 -13"/>${world}${bodies}</worldbody>
    <contact><exclude body1="b0" body2="b1"/></contact></mujoco>`;

run('contacts of ten thousand geoms', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'unlisted-')), file = path.join(folder, 'many.xml');
    fs.writeFileSync(file, xml);
    mujoco.FS.writeFile('/many.xml', xml);
    const m = mujoco.MjModel.from_xml_path('/many.xml'), d = new mujoco.MjData(m);
    const states = range(STATES).map(() => range(BODIES).flatMap(() => {
        const q = range(4).map(() => between(-1, 1));
        return [...range(3).map(() => between(-SIDE, SIDE)), ...q.map(x => x / Math.hypot(...q))];
    }));
    const output = execFileSync(ours, [file], { input: states.map(q => q.join(' ')).join('\n'), maxBuffer: 1 << 30 }).toString();
    fs.rmSync(folder, { recursive: true });
    output.trim().split('\n').forEach((line, k) => {
        const x = line.split(' ').map(Number), n = x[0];
        d.qpos.set(states[k]);
        mujoco.mj_kinematics(m, d);
        mujoco.mj_collision(m, d);
        check(n === d.ncon, `state ${k}: ${n} contacts, MuJoCo has ${d.ncon}`);
        console.log(`     ${n} contacts`);
        const contacts = d.contact; // a copy each time it is asked for
        let worst = 0, named = 0;
        for (let i = 0; i < Math.min(n, d.ncon); i++) {
            const c = contacts.get(i), at = 1 + 9 * i;
            named += c.geom1 === x[at] && c.geom2 === x[at + 1];
            const theirs = [c.dist, ...Array.from(c.pos), ...Array.from(c.frame).slice(0, 3)];
            theirs.forEach((y, j) => { worst = Math.max(worst, Math.abs(y - x[at + 2 + j])); });
            c.delete();
        }
        contacts.delete();
        check(named === n, `state ${k}: ${n - named} contacts of other geoms`);
        check(worst < 1e-9, `state ${k}: contacts differ by ${worst}`);
    });
});
done();
