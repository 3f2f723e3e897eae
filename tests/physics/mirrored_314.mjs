// Meshes that their scale mirrors, which MuJoCo 3.14 gives sides with normals that point inwards: on a box, a cylinder or a mesh that is not
// mirrored the deepest contact is MuJoCo's. Two of them, which MuJoCo lets pull each other (the normal points back), touch as the same shapes do
// that are not mirrored, with one contact.
//     mirrored_314.mjs [poses of a pair, 200]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/state-contacts'), POSES = Number(process.argv[2] ?? 200);
const mujoco = await oracle();
let seed = 7;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const between = (a, b) => a + (b - a) * random();

const corners = size => Array.from({ length: 8 }, (_, i) => size.map((s, k) => i >> k & 1 ? s : -s)).flat().join(' ');
const mesh = (name, size, scale) => `<mesh name="${name}" scale="${scale}" vertex="${corners(size)}"/>`;
const shapes = { block: 'type="mesh" mesh="block"', box: 'type="box" size=".1 .1 .1"', cylinder: 'type="cylinder" size=".1 .1"' };
const model = (shape, scales, flag = '') => `<mujoco><option ccd_tolerance="1e-12" ccd_iterations="200">${flag}</option><asset>${mesh('block', [.1, .1, .1], scales[0])}
    ${mesh('plate', [.15, .1, .035], scales[1])}</asset><worldbody><geom ${shapes[shape]}/>
    <body><freejoint/><geom type="mesh" mesh="plate" mass="1"/></body></worldbody></mujoco>`;

function pose()
{
    const yaw = between(0, 6.28), q = [Math.cos(yaw / 2), between(-.04, .04), between(-.04, .04), Math.sin(yaw / 2)];
    return [between(-.2, .2), between(-.2, .2), between(.118, .139), ...q.map(x => x / Math.hypot(...q))];
}

function theirs(m, d, q)
{
    d.qpos.set(q);
    mujoco.mj_fwdPosition(m, d);
    return Array.from({ length: d.ncon }, (_, i) => {
        const c = d.contact.get(i), x = { dist: c.dist, normal: Array.from(c.frame).slice(0, 3) };
        c.delete();
        return x;
    });
}

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-mirrored-')), file = path.join(temporary, 'model.xml');
const deepest = contacts => contacts.reduce((a, c) => c.dist < a.dist ? c : a);
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

// Contacts of saltus for one model beside MuJoCo's for another, in poses that touch
function compare(xml, reference, look)
{
    const m = mujoco.MjModel.from_xml_string(reference), d = new mujoco.MjData(m), poses = [];
    while (poses.length < POSES) {
        const q = pose();
        if (theirs(m, d, q).length > 0)
            poses.push(q);
    }
    fs.writeFileSync(file, xml);
    const out = execFileSync(ours, [file], { input: poses.map(q => q.join(' ') + '\n').join('') }).toString().trim().split('\n');
    poses.forEach((q, k) => {
        const x = out[k].split(' ').map(Number);
        const mine = Array.from({ length: x[0] }, (_, i) => ({ dist: x[3 + 9 * i], normal: x.slice(7 + 9 * i, 10 + 9 * i) }));
        look(mine, theirs(m, d, q), q);
    });
    d.delete();
    m.delete();
}

for (const shape of ['box', 'cylinder', 'block'])
    run(`a mirrored plate on a ${shape}: the deepest contact`, () => {
        const xml = model(shape, ['1 1 1', '1 -1 1']);
        compare(xml, xml, (mine, yours, q) => {
            const [o, c] = [mine, yours].map(list => list.length > 0 ? deepest(list) : { dist: 0, normal: [0, 0, 0] });
            check(Math.abs(o.dist - c.dist) <= 1e-6 && dot(o.normal, c.normal) > 1 - 1e-6,
                `${q}: ${o.dist} along ${o.normal}, expected ${c.dist} along ${c.normal}`);
        });
    });
run('two mirrored meshes touch as others do, with one contact', () => {
    compare(model('block', ['-1 1 1', '1 -1 1']), model('block', ['1 1 1', '1 1 1'], '<flag multiccd="disable"/>'), (mine, yours, q) =>
        check(mine.length === 1 && yours.length === 1 && Math.abs(mine[0].dist - yours[0].dist) <= 1e-6 && dot(mine[0].normal, yours[0].normal) > 1 - 1e-6,
            `${q}: ${JSON.stringify(mine)}, expected ${JSON.stringify(yours)}`));
});
fs.rmSync(temporary, { recursive: true });
done();
