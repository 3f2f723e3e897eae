// `saltus report -o x.mp4 | x.gif`: chromium and ffmpeg make a film of the size and length that it should have, in which
// something moves; without them, and for what has no film, it says so.
//     page_film.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus } from '../oracle/motion.mjs';
import { check, done, root, run } from '../oracle/mujoco.mjs';
import { find } from './browser.mjs';

const work = path.resolve(process.env.SALTUS_BUILD ?? 'build', 'tests', 'page_film'), out = path.join(work, 'quick.saltus');
const RATE = { mp4: 30, gif: 20 }, SIZE = { mp4: [1280, 720], gif: [640, 360] };

function skip(why)
{
    console.log(`skip all: ${why}\n0 passed, 0 failed, 1 skipped`);
    process.exit(77);
}

const report = (words, env = process.env) => spawnSync(path.resolve(saltus), ['report', ...words], { cwd: work, env, encoding: 'utf8' });

// { width, height, frames, different }: how many of its pictures are not that before them
function probe(file)
{
    const said = execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=width,height,nb_read_frames',
        '-of', 'csv=p=0', file], { encoding: 'utf8' });
    const [width, height, frames] = said.trim().split(',').map(Number);
    const sums = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'framemd5', '-'], { encoding: 'utf8' })
        .split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.split(',').at(-1).trim());
    return { width, height, frames, different: sums.filter((sum, i) => i > 0 && sum !== sums[i - 1]).length };
}

if (find() === null)
    skip('Chromium is not there');
if (spawnSync('ffprobe', ['-version']).error)
    skip('ffmpeg is not there');
fs.rmSync(work, { recursive: true, force: true });
fs.mkdirSync(work, { recursive: true });
execFileSync(saltus, ['solve', path.join(root, 'examples', 'pendulum_quick.xml'), '-q', '-o', out]);
const csv = execFileSync(saltus, ['export', out, '--to', 'csv'], { encoding: 'utf8' }).trim().split('\n');
const seconds = Number(csv.at(-1).split(',')[0]) - Number(csv[1].split(',')[0]);

for (const kind of ['mp4', 'gif']) {
    run(`a_film_as_${kind}`, () => {
        const said = report([out, '-o', `swing.${kind}`]), wanted = Math.round(seconds * RATE[kind]) + 1;
        check(said.status === 0, said.stderr);
        check(said.stderr.includes(`film: swing.${kind}, ${wanted} pictures`), said.stderr);
        const film = probe(path.join(work, `swing.${kind}`));
        check(film.width === SIZE[kind][0] && film.height === SIZE[kind][1], `${film.width} x ${film.height}`);
        check(film.frames === wanted, `${film.frames} pictures; expected ${wanted}`);
        check(film.different > 0.8 * (film.frames - 1), `${film.different} of ${film.frames} pictures differ from that before`);
        check(fs.readdirSync(work).every((name) => !name.endsWith('.tmp')), 'a temporary file was left');
    });
}

run('a_film_may_be_replaced_and_nothing_else', () => {
    fs.writeFileSync(path.join(work, 'notes.mp4'), 'mine\n');
    const said = report([out, '-o', 'notes.mp4']);
    check(said.status === 2 && said.stderr.includes('it is a text'), said.stderr);
    check(fs.readFileSync(path.join(work, 'notes.mp4'), 'utf8') === 'mine\n', 'it was overwritten');
});

run('what_lacks_is_said', () => {
    const empty = { ...process.env, PATH: work };
    const said = report([out, '-o', 'none.gif'], empty);
    check(said.status === 5 && said.stderr.includes('a film needs the programs chromium and ffmpeg, and chromium is not installed'),
        said.stderr);
    check(!fs.existsSync(path.join(work, 'none.gif')), 'there is a film');
    fs.writeFileSync(path.join(work, 'chromium'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    fs.writeFileSync(path.join(work, 'ffmpeg'), '#!/bin/sh\ncat >/dev/null\n', { mode: 0o755 });
    const broken = report([out, '-o', 'none.gif'], { ...process.env, PATH: `${work}:${process.env.PATH}` });
    check(broken.status === 5 && broken.stderr.includes('chromium cannot draw the page'), broken.stderr);
    check(fs.readdirSync(work).every((name) => !name.endsWith('.tmp')), 'a temporary file was left');
});

run('two_results_have_no_film', () => {
    const said = report([out, out, '-o', 'two.mp4']);
    check(said.status === 2 && said.stderr.includes('no film'), said.stderr);
});
done();
