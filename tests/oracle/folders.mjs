// Folders of models that a person names with --folder DIR, for programs that look at every model of some folders.
import fs from 'node:fs';
import path from 'node:path';

const LARGE = 1 << 26;

// The folders after each --folder; both are taken out of the words.
export function foldersNamed(words)
{
    const folders = [];
    for (let i; (i = words.indexOf('--folder')) >= 0;) {
        const [, folder] = words.splice(i, 2);
        if (!folder || !fs.existsSync(folder)) {
            console.error(`--folder: there is no folder ${folder ?? '(its name is missing)'}`);
            process.exit(2);
        }
        folders.push(path.resolve(folder));
    }
    return folders;
}

// The models in a folder and below it, as names from there: URDF, and XML with <mujoco> or <robot> in it
export function modelsBelow(folder)
{
    const isModel = name => /\.urdf$/i.test(name) || (/\.xml$/i.test(name) && /<(mujoco|robot)[\s/>]/.test(fs.readFileSync(path.join(folder, name), 'utf8')));
    return fs.readdirSync(folder, { recursive: true }).filter(name => fs.statSync(path.join(folder, name)).isFile() && isModel(name)).sort();
}

// A folder with all that is below it, to be found by MuJoCo at the place `at`
export function mount(mujoco, folder, at)
{
    mujoco.FS.mkdirTree(at);
    for (const name of fs.readdirSync(folder, { recursive: true })) {
        const from = path.join(folder, name), to = `${at}/${name}`, found = fs.statSync(from);
        if (found.isDirectory())
            mujoco.FS.mkdirTree(to);
        else if (found.isFile() && found.size < LARGE)
            mujoco.FS.writeFile(to, fs.readFileSync(from));
    }
}
