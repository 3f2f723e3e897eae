// MuJoCo 3.14 and 3.12 (WASM) as oracles, and the last line of a test program, for tests that run under node.
//
//     const mujoco = await oracle();           // or the program ends here, as skipped
//     const m = model(mujoco, 'models/walker.xml');
//     run('what is so', () => check(m.nv === 9, 'nv'));
//     done();
import fs from 'node:fs';
import path from 'node:path';

export const root = process.env.SALTUS_ROOT ?? '.';

let passed = 0, failed = 0, faults = 0;

// A file of an npm package that `./dev test` fetches; null: it could not, and tests go on without.
export async function fetched(name)
{
    const file = path.resolve(process.env.SALTUS_ORACLE ?? '.cache/oracle', 'node_modules', name);
    return fs.existsSync(file) ? import(file) : null;
}

// The module of a version, or null
export async function find(version = '3.14')
{
    const module = await fetched(`${version === '3.12' ? 'mujoco-3.12' : '@mujoco/mujoco'}/mujoco.js`);
    return module === null ? null : module.default();
}

// The module, or the end of the program
export async function oracle(version = '3.14')
{
    const mujoco = await find(version);
    if (mujoco === null) {
        console.log(`skip all: MuJoCo ${version} (npm package @mujoco/mujoco) is not there`);
        console.log('0 passed, 0 failed, 1 skipped');
        process.exit(77);
    }
    return mujoco;
}

// A compiled model; its file must include no other.
export function model(mujoco, file)
{
    mujoco.FS.writeFile('/model.xml', fs.readFileSync(path.resolve(root, file)));
    return mujoco.MjModel.from_xml_path('/model.xml');
}

// A compiled model, whose file finds what it includes in its folder and below.
export function modelWithFiles(mujoco, file)
{
    const from = path.dirname(path.resolve(file));
    for (const entry of fs.readdirSync(from, { recursive: true, withFileTypes: true })) {
        const name = path.join(entry.parentPath ?? entry.path, entry.name), to = `/model/${path.relative(from, name)}`;
        mujoco.FS.mkdirTree(path.dirname(to));
        if (entry.isFile())
            mujoco.FS.writeFile(to, fs.readFileSync(name));
    }
    return mujoco.MjModel.from_xml_path(`/model/${path.basename(file)}`);
}

export function check(condition, what)
{
    if (!condition) {
        faults++;
        console.log(`false: ${what}`);
    }
}

export function near(a, b, tolerance, what)
{
    check(Math.abs(a - b) <= tolerance, `${what} = ${a}, expected ${b} within ${tolerance}`);
}

export function run(name, test)
{
    faults = 0;
    try {
        test();
    } catch (error) {
        faults++;
        console.log(String(error));
    }
    faults > 0 ? failed++ : passed++;
    console.log(`${faults > 0 ? 'FAIL' : 'ok  '} ${name}`);
}

export function done()
{
    console.log(`${passed} passed, ${failed} failed, 0 skipped`);
    process.exit(failed > 0 ? 1 : 0);
}
