// What `saltus convert` makes of the models of the corpus, of ours, and of our URDF robots, read by MuJoCo 3.14 and by us: every array of the
// model it was made from, to 1e-12.
//     convert_312.mjs [--folder DIR]...       every model in that folder and below, instead of those
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tensorsOf } from '../oracle/compiled.mjs';
import { foldersNamed, modelsBelow, mount } from '../oracle/folders.mjs';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';

const foldersOfUser = foldersNamed(process.argv);
const build = process.env.SALTUS_BUILD ?? 'build', corpus = process.env.SALTUS_CORPUS ?? '../shared';
const saltus = path.join(build, 'cli/saltus'), dump = path.join(build, 'tests/mjcf/dump-models'), TOLERANCE = 1e-12, NONE = 'emsc'; // what MuJoCo's WASM says where there is no name

// ---- what is not written, and why ----

// Only drawn, or paths, or data of users and plugins, which saltus does not keep
const drawn = /^(mat_|tex_|skin_|light_|cam_ipd|cam_output|cam_intrinsic|nlight|nmat|ntex|nskin|npaths|paths|vis|.*_user$|nuser_|.*_rgba$|.*_matid$|text_|tendon_width|name_|names|nnames|ntext)|_group$/;
// How arrays are laid out in memory, or by which the drawing finds its way
const layout = /^(nbuffer|.*bvh.*|.*oct.*|signature|buffer|.*_sameframe|.*_simple|.*_pathadr|.*_polynorm.*|.*_poly.*adr|.*_polyvert.*|.*_polymap.*|mesh_normal.*|mesh_texcoord.*|mesh_facenormal|mesh_facetexcoord|mesh_poly.*|nmeshnormal|nmeshtexcoord|nmeshpoly.*|mesh_graph.*|nmeshgraph|narena|nplugin.*)$/;

function numbersOf(m)
{
    const out = {};
    for (let at = Object.getPrototypeOf(m); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
        for (const name of Object.getOwnPropertyNames(at)) {
            if (name in out || drawn.test(name) || layout.test(name))
                continue;
            let value;
            try { // arrays of truth values cannot be read
                value = m[name];
            } catch {
                continue;
            }
            if (typeof value === 'number')
                out[name] = [value];
            else if (ArrayBuffer.isView(value))
                out[name] = Array.from(value);
        }
    }
    const opt = m.opt;
    for (const name of ['timestep', 'impratio', 'tolerance', 'iterations', 'ls_iterations', 'cone', 'solver', 'jacobian', 'integrator', 'disableflags', 'enableflags', 'disableactuator', 'density', 'viscosity', 'o_margin'])
        out[`opt_${name}`] = [opt[name]];
    for (const name of ['gravity', 'wind', 'magnetic', 'o_solref', 'o_solimp', 'o_friction'])
        out[`opt_${name}`] = Array.from(opt[name]);
    out.stat_meaninertia = [m.stat.meaninertia];
    return out;
}

function matrix([w, x, y, z])
{
    return [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
        w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z];
}

// The first entry that differs by more than the tolerance of the largest; of quaternions, the rotations.
function difference(name, a, b)
{
    if (/quat$/.test(name) && !/^key_/.test(name) && a.length % 4 === 0 && a.length === b.length) {
        const turns = list => Array.from({ length: list.length / 4 }, (_, i) => matrix(list.slice(4 * i, 4 * i + 4))).flat();
        [a, b] = [turns(a), turns(b)];
    }
    if (a.length !== b.length)
        return { name, at: 'length', from: a.length, to: b.length };
    let scale = 1;
    for (const x of a)
        scale = Number.isFinite(x) ? Math.max(scale, Math.abs(x)) : scale;
    for (let i = 0; i < a.length; i++)
        if (!(Object.is(a[i], b[i]) || Math.abs(a[i] - b[i]) <= TOLERANCE * scale))
            return { name, at: i, from: a[i], to: b[i] };
    return null;
}

const differences = (a, b) => Object.keys(a).map(name => difference(name, a[name], b[name] ?? [])).filter(d => d);

// MuJoCo lists the meshes of a URDF in the order of links, what we write in that of geoms: what a mesh has, geom by geom
function meshesByGeom(o)
{
    const MESH = 7, used = o.geom_dataid.filter((_, g) => o.geom_type[g] === MESH), out = { ...o };
    const each = (name, width, adr, num) => out[name] = used.flatMap(k => o[name].slice(width * (adr?.[k] ?? k), width * ((adr?.[k] ?? k) + (num?.[k] ?? 1))));
    each('mesh_pos', 3);
    each('mesh_quat', 4);
    each('mesh_extrema', o.mesh_extrema.length / o.nmesh[0]);
    each('mesh_vert', 3, o.mesh_vertadr, o.mesh_vertnum);
    each('mesh_face', 3, o.mesh_faceadr, o.mesh_facenum);
    for (const name of ['geom_dataid', 'mesh_vertadr', 'mesh_vertnum', 'mesh_faceadr', 'mesh_facenum'])
        delete out[name];
    return out;
}

// Numbers that are known to less: lengths found by simulation, and the axes of inertias that are nearly equal
function excused(d, m, w)
{
    if (d.name === 'actuator_lengthrange')
        return Math.abs(d.from - d.to) <= 1e-7 * Math.abs(m.actuator_lengthrange[d.at | 1] - m.actuator_lengthrange[d.at & ~1]);
    return d.name === 'body_iquat' && difference('', tensorsOf(m), tensorsOf(w)) === null;
}

// Names, of what has one
function compareNames(m, w)
{
    const kinds = { body: [1, 'nbody'], joint: [3, 'njnt'], geom: [5, 'ngeom'], site: [6, 'nsite'] };
    for (const [kind, [type, n]] of Object.entries(kinds)) {
        for (let i = 0; i < m[n]; i++) {
            const from = mujoco.mj_id2name(m, type, i), to = mujoco.mj_id2name(w, type, i);
            check(from === to || from === NONE || from === '', `MuJoCo: ${kind} ${i} is named ${to}, was ${from}`);
        }
    }
}

// What the truth values that cannot be read decide: which limits there are, and what they do to controls and forces
function compareRows(m, w)
{
    const d = new mujoco.MjData(m), dw = new mujoco.MjData(w);
    for (let state = 0; state < 6; state++) {
        const step = Array.from({ length: m.nv }, () => (2 * random() - 1) * 3), ctrl = Array.from({ length: m.nu }, () => 20 * random() - 10);
        for (const [model, data] of [[m, d], [w, dw]]) {
            mujoco.mj_resetData(model, data);
            data.qvel.set(step);
            mujoco.mj_integratePos(model, data.qpos, data.qvel, 1);
            data.ctrl.set(ctrl);
            mujoco.mj_forward(model, data);
        }
        for (const count of ['ne', 'nf', 'nl'])
            check(d[count] === dw[count], `MuJoCo: ${count} = ${dw[count]}, was ${d[count]}`);
        const a = d.qfrc_actuator, b = dw.qfrc_actuator, most = a.reduce((x, y) => Math.max(x, Math.abs(y)), 1);
        check(a.every((x, i) => Math.abs(x - b[i]) <= 1e-9 * most), 'MuJoCo: forces of actuators');
    }
    d.delete();
    dw.delete();
}

let seed = 1;
function random()
{
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
}

// ---- models ----

let mujoco, left = 0, folderThere;

async function fresh(folder)
{
    if (left-- > 0 && folderThere === folder)
        return;
    [mujoco, left, folderThere] = [await oracle(), 9, folder]; // what models took is not all given back
    const put = (from, to) => {
        mujoco.FS.mkdirTree(to);
        for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
            if (entry.isFile() && /\.(xml|urdf|stl|obj|msh|png)$/i.test(entry.name))
                mujoco.FS.writeFile(`${to}/${entry.name}`, fs.readFileSync(path.join(from, entry.name)));
            else if (entry.isDirectory() && !['modern', 'oracle'].includes(entry.name))
                put(path.join(from, entry.name), `${to}/${entry.name}`);
        }
    };
    if (foldersOfUser.includes(folder))
        mount(mujoco, folder, '/a/there');
    else
        put(folder, '/a/there');
    if (folder.endsWith('mjcf/urdf'))
        put(path.join(root, 'tests/mjcf/meshes'), '/a/meshes');
}

function load(name)
{
    try {
        return mujoco.MjModel.from_xml_path(name);
    } catch {
        return null;
    }
}

// Arrays of one model that may differ
const fitted = ['geom_dataid', 'mesh_pos', 'mesh_quat']; // a primitive that was fitted to a mesh is written as the primitive
const exceptions = {
    'builtin.xml': fitted,
    'fitted_bounds.xml': fitted,
    'fitted_inertia.xml': fitted,
    'mj_sleep_humanoid.xml': ['tree_sleep_policy'], // no body sleeps here
    'shells.xml': ['body_inertia'], // ours and MuJoCo's sums over a surface differ by 4e-12 of it, and ours is written
};

const ownFolders = [path.join(root, 'models'), path.join(root, 'tests/mjcf/urdf'), path.join(root, 'tests/mjcf/meshes'), ...['models', 'models/modern', 'robots'].map(name => path.join(corpus, name))].filter(name => fs.existsSync(name));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-convert-'));
let converted = 0, refused = 0, unread = 0;
const namesIn = folder => foldersOfUser.includes(folder) ? modelsBelow(folder) : fs.readdirSync(folder).filter(name => /\.(xml|urdf)$/.test(name)).sort();
for (const folder of foldersOfUser.length > 0 ? foldersOfUser : ownFolders) {
    for (const name of namesIn(folder)) {
        const file = path.join(folder, name), out = path.join(scratch, `${path.basename(name)}.xml`);
        const { status, stderr } = spawnSync(saltus, ['convert', file, '-o', out, '-q'], { encoding: 'utf8' });
        if (status !== 0) {
            refused++;
            console.log(`  ${name}: ${stderr.split('\n')[0].slice(-120)}`);
            continue;
        }
        await fresh(folder);
        const m = load(`/a/there/${name}`);
        if (m === null) {
            unread++;
            console.log(`  ${name}: MuJoCo does not read it`);
            continue;
        }
        converted++;
        run(`${path.basename(folder)}/${name}`, () => {
            mujoco.FS.writeFile('/converted.xml', fs.readFileSync(out));
            let w = null;
            try {
                w = mujoco.MjModel.from_xml_path('/converted.xml');
            } catch (error) {
                check(false, `MuJoCo refuses what was made: ${String(error).slice(0, 200)}`);
                return;
            }
            const [a, b] = [m, w].map(numbersOf).map(o => /\.urdf$/i.test(name) && m.nmesh > 0 ? meshesByGeom(o) : o);
            const list = differences(a, b).filter(d => !(exceptions[name] ?? []).includes(d.name) && !excused(d, m, w));
            for (const d of list)
                check(false, `MuJoCo: ${d.name}[${d.at}] = ${d.to}, was ${d.from}`);
            compareNames(m, w);
            compareRows(m, w);
            w.delete();
            const [from, to] = execFileSync(dump, [file, out], { maxBuffer: 1 << 30 }).toString().trim().split('\n').map(line => JSON.parse(line));
            check(!to.error, `ours: ${to.error}`);
            for (const key of Object.keys(from).filter(key => !to.error && !['file', 'written'].includes(key) && !drawn.test(key))) {
                const d = difference(key, [from[key]].flat(), [to[key]].flat());
                check(d === null || (exceptions[name] ?? []).includes(key), `ours: ${key}[${d?.at}] = ${d?.to}, was ${d?.from}`);
            }
        });
        m.delete();
    }
}
// MuJoCo allows these in two elements, and not in one
run('two_elements_stay_two', () => {
    const file = path.join(scratch, 'two.xml'), out = path.join(scratch, 'two.out.xml');
    fs.writeFileSync(file, '<mujoco><size njmax="50"/><statistic extent="2"/><size memory="1M"/><statistic meansize="3"/><worldbody/></mujoco>');
    const { status, stderr } = spawnSync(saltus, ['convert', file, '-o', out, '-q'], { encoding: 'utf8' });
    check(status === 0, stderr);
    mujoco.FS.writeFile('/converted.xml', fs.readFileSync(out));
    const w = load('/converted.xml');
    check(w !== null && w.stat.extent === 2 && w.stat.meansize === 3, 'MuJoCo does not read what was made');
    w?.delete();
});
fs.rmSync(scratch, { recursive: true });
console.log(`  ${converted} models converted; ${refused} refused by us, ${unread} by MuJoCo`);
done();
