// Models with sub-models (tests/mjcf/attach), compiled by us and by MuJoCo 3.12: the same arrays and names; what we write moves alike.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { compiledDifferences } from '../oracle/compiled.mjs';
import { check, done, modelWithFiles, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
const file = path.join(root, 'tests/mjcf/attach/scene.xml');
const ours = JSON.parse(execFileSync(dump, [file], { maxBuffer: 1 << 30 }).toString()), m = modelWithFiles(mujoco, file);

run('sub_models_compile_the_same', () => {
    check(!ours.error, ours.error);
    for (const size of ['nq', 'nv', 'nu', 'nbody', 'njnt', 'ngeom', 'nsite', 'nsensor', 'nkey'])
        check(ours[size] === m[size], `${size} = ${ours[size]}, MuJoCo ${m[size]}`);
    for (const d of compiledDifferences(ours, m, 1e-12))
        check(false, `${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
});

// each name that MuJoCo knows is in what we write, which has neither materials nor excludes
run('names_get_the_prefixes', () => {
    const names = new TextDecoder().decode(m.names).split('\0').filter(name => name && name !== 'scene' && name !== 'world');
    const unknown = names.filter(name => !ours.written.includes(`"${name}"`));
    check(names.length > 40, `${names.length} names`);
    check(unknown.every(name => /red$|near$/.test(name)), `not known: ${unknown}`);
});

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;

run('what_we_write_moves_alike', () => {
    mujoco.FS.writeFile('/written.xml', ours.written);
    const w = mujoco.MjModel.from_xml_path('/written.xml'), d = new mujoco.MjData(m), dw = new mujoco.MjData(w);
    m.opt.disableflags = w.opt.disableflags;
    for (let state = 0; state < 20; state++) {
        mujoco.mj_resetData(m, d);
        d.qvel.set(Array.from({ length: m.nv }, () => 2 * random() - 1));
        mujoco.mj_integratePos(m, d.qpos, d.qvel, random());
        dw.qpos.set(d.qpos);
        dw.qvel.set(d.qvel);
        mujoco.mj_inverse(m, d);
        mujoco.mj_inverse(w, dw);
        const scale = Math.max(...d.qfrc_inverse.map(Math.abs));
        check(d.ncon === dw.ncon, `${d.ncon} contacts, written ${dw.ncon}`);
        check(d.qfrc_inverse.every((x, i) => Math.abs(x - dw.qfrc_inverse[i]) <= 1e-9 * scale), `forces in state ${state}`);
    }
});
done();
