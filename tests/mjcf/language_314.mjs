// What a model file may hold besides bodies and forces: frames, copies, sub-models, cables, user data, text between elements. Each small model
// is compiled by MuJoCo 3.14 and by us: the same arrays, or both refuse it, or the mark says who does not.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiledDifferences } from '../oracle/compiled.mjs';
import { check, done, oracle, root, run } from '../oracle/mujoco.mjs';
import { groups } from './language_models.mjs';

const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models'), tolerance = 1e-12;
const sizes = ['nq', 'nv', 'nu', 'na', 'nbody', 'njnt', 'ngeom', 'nsite', 'nsensor', 'nsensordata', 'nkey'];
const kinds = { body: [1, 'nbody'], joint: [3, 'njnt'], geom: [5, 'ngeom'], site: [6, 'nsite'] };

// What MuJoCo calls its elements is in what we write, by which names are compared.
function compareNames(mujoco, m, written)
{
    for (const [kind, [type, n]] of Object.entries(kinds)) {
        for (let i = kind === 'body' ? 1 : 0; i < m[n]; i++) {
            const name = mujoco.mj_id2name(m, type, i);
            check(!name || name === 'emsc' || written.includes(`name="${name}"`), `${kind} ${i} is named ${name} by MuJoCo`);
        }
    }
}

function compare(mujoco, ours, m)
{
    for (const size of sizes)
        check(ours[size] === m[size], `${size} = ${ours[size]}, MuJoCo ${m[size]}`);
    for (const d of compiledDifferences(ours, m, tolerance))
        check(false, `${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
    if (ours.nq === m.nq)
        compareNames(mujoco, m, ours.written);
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-language-'));
let mujoco, n = 0;
for (const [group, models] of Object.entries(groups)) {
    mujoco = await oracle(); // what models took is not all given back
    const folders = models.map(([, content], i) => {
        const files = content['model.xml'] ? content : { 'model.xml': content }, folder = `${group}${i}`;
        fs.mkdirSync(path.join(scratch, folder));
        mujoco.FS.mkdirTree(`/${folder}`);
        for (const name in files) {
            fs.writeFileSync(path.join(scratch, folder, name), files[name]);
            mujoco.FS.writeFile(`/${folder}/${name}`, files[name]);
        }
        return folder;
    });
    const out = execFileSync(dump, folders.map(folder => path.join(scratch, folder, 'model.xml')), { maxBuffer: 1 << 30 }).toString();
    const compiled = out.trim().split('\n').map(line => JSON.parse(line));
    run(group, () => models.forEach(([mark, content, says], i) => {
        const ours = compiled[i], text = content['model.xml'] ?? content;
        let m = null, why = '';
        try {
            m = mujoco.MjModel.from_xml_path(`/${folders[i]}/model.xml`);
        } catch (error) {
            why = String(error).replace(/\s+/g, ' ');
        }
        const verdict = !!m === !ours.error ? '=' : m ? '<' : '>';
        check(verdict === mark, `${verdict} and not ${mark}: ${text}\n    we: ${ours.error}\n    MuJoCo: ${why}`);
        check(!says || (ours.error ?? '').includes(says), `we should say '${says}', and say '${ours.error}': ${text}`);
        if (m && !ours.error && says !== false)
            compare(mujoco, ours, m);
        m?.delete();
        n++;
    }));
}
fs.rmSync(scratch, { recursive: true });
console.log(`  ${n} models`);
done();
