// The elements, attributes and words that we read are those that MuJoCo 3.12 reads, or a message says that one is not supported.
// Names that versions before 3.12 had are read too, because files have them.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const probes = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/grammar-probes');
const older = ['composite spacing', 'composite flatinertia', 'composite solrefsmooth', 'composite solimpsmooth',
    'compiler convexhull', 'compiler exactmeshinertia', 'option collision', 'option mpr_iterations', 'option mpr_tolerance',
    'option apirate', 'flag passive', 'flag sensornoise', 'lengthrange inteval', 'camera orthographic'];

let mujoco = await oracle(), asked = 0;

function mujocoKnows(xml, about)
{
    mujoco.FS.writeFile('/probe.xml', xml);
    try {
        mujoco.MjModel.from_xml_path('/probe.xml').delete();
    } catch (error) {
        return !(about.includes('=') ? /Schema violation: unrecognized|invalid keyword/ : /Schema violation: unrecognized/).test(String(error));
    }
    return true;
}

const lines = execFileSync(probes, { maxBuffer: 1 << 26 }).toString().trim().split('\n');
const count = { read: 0, unsupported: 0, unknown: 0 };
const used = new Set();
for (const line of lines) {
    const [verdict, about, xml] = line.split('\t'), known = mujocoKnows(xml, about);
    count[verdict]++;
    if (!known && verdict === 'read')
        used.add(about.includes('=') && older.includes(about.split('=')[0]) ? about.split('=')[0] : about);
    else if (known)
        run(`known: ${about}`, () => check(verdict !== 'unknown', `we do not know it: ${xml}`));
    if (++asked % 500 === 0)
        mujoco = await oracle(); // what a model took is not given back
}
for (const name of used)
    run(`older: ${name}`, () => check(older.includes(name), `MuJoCo 3.12 does not know it`));
run('names of older versions', () => older.forEach(name => check(used.has(name), `${name} is not read, or MuJoCo 3.12 knows it`)));
console.log(`  ${lines.length} names: ${count.read} read, ${count.unsupported} not supported`);
done();
