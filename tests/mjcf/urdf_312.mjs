// Our URDF robots beside MuJoCo 3.12: the same compiled arrays, names and forces; and what one refuses the other refuses.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { compiledDifferences } from '../oracle/compiled.mjs';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
const folder = path.join(root, 'tests/mjcf/urdf'), meshes = path.join(root, 'tests/mjcf/meshes');
const sizes = ['nq', 'nv', 'nu', 'na', 'nbody', 'njnt', 'ngeom', 'nsite', 'nsensor', 'nkey'];

function files(from, to, endings)
{
    mujoco.FS.mkdirTree(to);
    for (const name of fs.readdirSync(from).filter(name => endings.includes(path.extname(name))))
        mujoco.FS.writeFile(`${to}/${name}`, fs.readFileSync(path.join(from, name)));
}

function load(name)
{
    try {
        return mujoco.MjModel.from_xml_path(name);
    } catch {
        return null;
    }
}

const compiled = names => execFileSync(dump, names, { maxBuffer: 1 << 30 }).toString().trim().split('\n').map(line => JSON.parse(line));

function same(ours, m)
{
    for (const size of sizes)
        check(ours[size] === m[size], `${size} = ${ours[size]}, MuJoCo ${m[size]}`);
    for (const d of compiledDifferences(ours, m, 1e-12))
        check(false, `${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
    check(ours.opt_timestep === undefined || ours.opt_timestep === m.opt.timestep, 'timestep');
}

files(folder, '/robots', ['.urdf']);
files(meshes, '/meshes', ['.stl', '.obj']);
const robots = fs.readdirSync(folder).filter(name => name.endsWith('.urdf')).sort();
compiled(robots.map(name => path.join(folder, name))).forEach((ours, i) => run(`${robots[i]}_compiles_the_same`, () => {
    const m = load(`/robots/${robots[i]}`);
    check(!ours.error && m !== null, `ours: ${ours.error ?? 'read'}, MuJoCo: ${m === null ? 'refused' : 'read'}`);
    if (!ours.error && m !== null)
        same(ours, m);
    m?.delete();
}));
console.log(`  ${robots.length} robots`);
done();
