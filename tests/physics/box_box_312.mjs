// Contacts of two boxes: the same points as in MuJoCo 3.12, wherever in the circle of a face's corners the list begins.
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {oracle, run, check, done} from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const ours = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/physics/box-contacts');
const SIZES = 20, POSES = 100;

let seed = 31;
function uniform(low, high)
{
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return low + (high - low) * seed / 2147483648;
}

function xml(s, margin)
{
    const body = (name, size) => `<body><freejoint/><geom name="${name}" type="box" size="${size.join(' ')}"/></body>`;
    return `<mujoco><worldbody>${body('a', s.slice(0, 3))}${body('b', s.slice(3))}</worldbody>
        <contact><pair geom1="a" geom2="b" margin="${margin}"/></contact></mujoco>`;
}

// Turned in space, or standing on each other.
function pose(s, standing)
{
    let pos = [0, 0, 0].map(() => uniform(-0.25, 0.25));
    let quat = [[0, 0, 0, 0], [0, 0, 0, 0]].map(q => q.map(() => uniform(-1, 1)));
    if (standing) {
        const half = uniform(0, 1.5);
        pos[2] = s[2] + s[5] - uniform(0, 0.02);
        quat = [[1, 0, 0, 0], [Math.cos(half), 0, 0, Math.sin(half)]];
    }
    quat = quat.map(q => q.map(x => x / Math.hypot(...q)));
    return [0, 0, 0, ...quat[0], ...pos, ...quat[1]];
}

function same(a, b)
{
    return a.every((x, i) => Math.abs(x - b[i]) < 1e-12);
}

run('contacts of boxes are those of 3.12', () => {
    const lines = [], theirs = [];
    for (let k = 0; k < SIZES; k++) {
        const s = [0, 0, 0, 0, 0, 0].map(() => uniform(0.05, 0.25)), margin = k % 2 ? 0.02 : 0;
        mujoco.FS.writeFile('/boxes.xml', xml(s, margin));
        const m = mujoco.MjModel.from_xml_path('/boxes.xml'), d = new mujoco.MjData(m);
        for (let i = 0; i < POSES; i++) {
            const q = pose(s, i % 4 === 0);
            d.qpos.set(q);
            mujoco.mj_kinematics(m, d);
            mujoco.mj_comPos(m, d);
            mujoco.mj_collision(m, d);
            const list = [];
            for (let c = 0; c < d.ncon; c++) {
                const contact = d.contact.get(c);
                list.push([contact.dist, ...contact.pos, ...Array.from(contact.frame).slice(0, 3)]);
            }
            theirs.push(list);
            lines.push([...q.slice(0, 7), ...s.slice(0, 3), ...q.slice(7), ...s.slice(3), margin].join(' '));
        }
    }
    const out = execFileSync(ours, {input: lines.join('\n') + '\n', maxBuffer: 1 << 26}).toString().trim().split('\n');
    let contacts = 0;
    theirs.forEach((list, i) => {
        const x = out[i].split(' ').map(Number);
        check(x[0] === list.length, `pose ${i}: ${x[0]} contacts, expected ${list.length}`);
        for (const contact of list) {
            let found = false;
            for (let c = 0; c < x[0]; c++) {
                found ||= same(x.slice(1 + 7 * c, 8 + 7 * c), contact);
            }
            check(found, `pose ${i}: the contact at ${contact}`);
        }
        contacts += list.length;
    });
    console.log(`     ${contacts} contacts in ${theirs.length} poses`);
    check(contacts > 2000, 'contacts');
});
done();
