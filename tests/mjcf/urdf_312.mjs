// Our URDF robots beside MuJoCo 3.14: the same compiled arrays; and small ones, which both read as the same model or both refuse.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
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
    const equalities = (o, n, width) => JSON.stringify(Array.from({ length: n }, (_, i) => [o.eq_type[i], o.eq_obj1id[i], o.eq_obj2id[i],
        ...o.eq_data.slice(width * i, width * i + 5)]));
    const mine = equalities(ours, ours.eq_type.length, ours.eq_data.length / ours.eq_type.length), theirs = equalities(m, m.neq, m.eq_data.length / m.neq);
    check(mine === theirs, `equalities ${mine}, MuJoCo ${theirs}`);
    for (const d of compiledDifferences(ours, m, 1e-12))
        check(false, `${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
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
// ---- small ones ----

const heavy = '<inertial><origin xyz="0 0 .1"/><mass value="2"/><inertia ixx=".1" iyy=".12" izz=".13" ixy=".001" ixz="0" iyz=".002"/></inertial>';
const link = (name, inside = heavy) => `<link name="${name}">${inside}</link>`;
const joint = (type, inside = '', parent = 'world', child = 'b') => `<joint name="${type}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${inside}</joint>`;
const sphere = '<geometry><sphere radius=".1"/></geometry>', world = link('world', '');
const read = {
    nothing: '',
    mimic: world + link('a') + link('b') + joint('revolute', '<mimic joint="prismatic" multiplier="-2" offset=".5"/>', 'world', 'a') + joint('prismatic', '', 'a'),
    mimic_each_other: world + link('a') + link('b') + joint('prismatic', '<mimic joint="continuous"/>', 'a') + joint('continuous', '<mimic joint="prismatic" multiplier="0"/>', 'world', 'a'),
    mimic_of_what_is_fixed: world + link('a') + link('b') + joint('revolute', '<mimic joint="fixed"/>', 'world', 'a') + joint('fixed', '<mimic joint="revolute"/>', 'a'),
    mimic_of_a_ball: world + link('a') + link('b') + joint('revolute', '<mimic joint="spherical"/>', 'world', 'a') + joint('spherical', '<mimic joint="revolute"/>', 'a'),
    mimic_of_a_plane: world + link('a') + link('b') + joint('revolute', '<mimic joint="planar"/>', 'world', 'a') + joint('planar', '<mimic joint="revolute"/>', 'a'),
    mimic_of_nothing: world + link('b') + joint('revolute', '<mimic joint="none"/>'),
    turned_inertia: world + link('b', heavy.replace('xyz="0 0 .1"', 'xyz="0 0 .1" rpy=".3 -1.2 2"')) + joint('revolute'),
    links_without_joints: link('a') + link('b'),
    world_before_another_root: world + link('a') + link('b') + link('c') + joint('revolute', '', 'world', 'a') + joint('prismatic', '', 'b', 'c'),
    world_after_another_root: link('b') + link('c') + link('a') + world + link('d') + joint('revolute', '', 'world', 'a') + joint('prismatic', '', 'b', 'c') + joint('continuous', '', 'a', 'd'),
    plane_that_faces_down: world + link('b') + joint('planar', '<axis xyz="0 0 -1"/>'),
    floating_from_what_is_fixed: world + link('a', '') + link('b') + joint('fixed', '<origin xyz="1 2 3" rpy=".1 .2 .3"/>', 'world', 'a') + joint('floating', '<origin xyz="0 0 1"/>', 'a'),
    limits_that_are_equal: world + link('b') + joint('revolute', '<limit lower="0.5" upper="0.5"/>'),
    limits_of_zero: world + link('b') + joint('revolute', '<limit lower="0" upper="0"/>'),
    ball_with_effort: world + link('b') + joint('spherical', '<limit lower="0" upper="1" effort="4"/>'),
    empty_numbers: world + link('b', heavy.replace('xyz="0 0 .1"', 'xyz="" rpy=" "')) + joint('revolute', '<origin xyz="" rpy=""/><dynamics damping="" friction=""/><limit lower="" upper="" effort="" velocity=""/>'),
    half_empty_limits: world + link('b') + joint('revolute', '<limit lower="-1" upper=""/>'),
    limits_without_end: world + link('b') + joint('revolute', '<limit lower="-inf" upper="inf" effort="inf"/>'),
    limits_far_away: world + link('b') + joint('revolute', '<limit lower="-1e16" upper="1e16" effort="1e20"/>'),
    two_joints_of_a_name: world + link('a') + link('b') + link('c') + joint('revolute', '', 'world', 'a') + joint('revolute', '', 'a', 'b') + joint('prismatic', '<mimic joint="revolute"/>', 'b', 'c'),
    joint_with_the_name_of_a_fixed_one: world + link('a') + link('b') + joint('fixed', '', 'world', 'a') + joint('revolute', '', 'a', 'b').replace('name="revolute"', 'name="fixed"'),
    plane_with_the_name_of_a_joint: world + link('a') + link('b') + joint('revolute', '', 'world', 'a').replace('name="revolute"', 'name="planar_TX"') + joint('planar', '', 'a', 'b'),
    joint_with_the_name_of_a_plane: world + link('a') + link('b') + joint('planar', '', 'world', 'a') + joint('revolute', '', 'a', 'b').replace('name="revolute"', 'name="planar_RZ"'),
    unknown_setting: '<mujoco><compiler nope="1" fusestatic="false"/></mujoco>' + world + link('b') + joint('revolute'),
    tip_without_mass: world + link('b') + link('tip', '') + joint('revolute') + joint('fixed', '<origin xyz="1 0 0"/>', 'b', 'tip'),
    visual_without_inertia: '<mujoco><compiler discardvisual="false"/></mujoco>' + world + link('b', `<visual>${sphere}</visual><collision><geometry><box size=".1 .1 .1"/></geometry></collision>`) + joint('revolute'),
};
const refused = {
    floating_from_what_moves: world + link('a') + link('b') + joint('continuous', '', 'world', 'a') + joint('floating', '', 'a'),
    floating_from_a_kept_link: '<mujoco><compiler fusestatic="false"/></mujoco>' + link('a', '') + link('b') + joint('floating', '', 'a'),
    ball_whose_range_begins_below_zero: world + link('b') + joint('spherical', '<limit lower="-1" upper="1"/>'),
    nothing_but_visual_moves: '<mujoco><compiler discardvisual="false"/></mujoco>' + world + link('b', `<visual>${sphere}</visual>`) + joint('revolute'),
    mimic_of_itself: world + link('b') + joint('revolute', '<mimic joint="revolute"/>'),
    two_mimics: world + link('a') + link('b') + joint('revolute', '<mimic joint="prismatic"/><mimic joint="prismatic"/>', 'world', 'a') + joint('prismatic', '', 'a'),
    two_of_a_name: link('b') + link('b'),
    two_parents: link('a') + link('c') + link('b') + joint('revolute', '', 'a') + joint('prismatic', '', 'c'),
    cycle: link('a') + link('b') + joint('revolute', '', 'a') + joint('prismatic', '', 'b', 'a'),
    no_such_link: link('a') + joint('revolute', '', 'a'),
    unknown_type: world + link('b') + joint('screw'),
    two_numbers: world + link('b') + joint('revolute', '<axis xyz="1 0"/>'),
    empty_size: link('b', '<collision><geometry><sphere radius=""/></geometry></collision>'),
    empty_axis: world + link('b') + joint('revolute', '<axis xyz=""/>'),
    no_axis: world + link('b') + joint('revolute', '<axis xyz="0 0 0"/>'),
    half_an_inertia: link('b', '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'),
    child_is_the_world: link('a') + link('world') + joint('revolute', '', 'a', 'world'),
    no_shape: link('b', '<collision><geometry/></collision>'),
};
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-urdf-')), small = { ...read, ...refused };
for (const [name, inside] of Object.entries(small))
    fs.writeFileSync(path.join(scratch, `${name}.urdf`), `<robot name="${name}">${inside}</robot>`);
files(scratch, '/small', ['.urdf']);
compiled(Object.keys(small).map(name => path.join(scratch, `${name}.urdf`))).forEach((ours, i) => run(Object.keys(small)[i], () => {
    const name = Object.keys(small)[i], m = load(`/small/${name}.urdf`);
    check(!ours.error === name in read && (m !== null) === name in read, `ours: ${ours.error ?? 'read'}, MuJoCo: ${m === null ? 'refused' : 'read'}`);
    if (!ours.error && m !== null)
        same(ours, m);
    m?.delete();
}));
fs.rmSync(scratch, { recursive: true });
console.log(`  ${robots.length} robots, ${Object.keys(small).length} small ones`);
done();
