// The page of robots, made from our own models: what was solved is kept, what is refused is said, and the page waits for
// the last line.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { spawnSync } from 'node:child_process';
import { check, done, find, run } from '../oracle/mujoco.mjs';

const root = process.env.SALTUS_ROOT ?? '.', build = process.env.SALTUS_BUILD ?? 'build';
const saltus = path.join(build, 'cli', 'saltus'), there = await find() !== null;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-gallery-'));
const table = path.join(folder, 'robots.txt'), page = path.join(folder, 'docs', 'robots.md');
fs.writeFileSync(table, '# a comment\nmodels/arm.xml   arm   reach\n\nmodels/walker.xml   biped   trot   --speed 1\n');

function gallery(...words)
{
    return spawnSync(process.execPath, [path.join(root, 'bench', 'gallery', 'gallery.mjs'), saltus, root,
        path.join(folder, 'cache'), path.join(folder, 'docs'), '--table', table, ...words], { encoding: 'utf8' });
}

const time = (name) => fs.statSync(path.join(folder, 'cache', 'arm_reach', name)).mtimeMs;

run('the_page_waits_for_the_last_line', () => {
    const tried = gallery('arm');
    check(tried.status === 0, tried.stderr);
    check(tried.stderr.includes('1 of 2 lines have not been tried'), tried.stderr);
    check(!fs.existsSync(page), 'there is no page yet');
    check(gallery('arm', '--so-far').status === 0, 'a page of what there is');
    check(fs.readFileSync(page, 'utf8').includes('Not tried yet: walker trot --speed 1.'), 'and what there is not');
});

run('what_was_solved_is_kept', () => {
    const before = time('record.json');
    check(gallery().status === 0, 'the rest is tried');
    check(time('record.json') === before, 'a draft that is the same is not solved again');
    check(gallery('arm', '--anew').status === 0 && time('record.json') > before, '--anew solves it again');
});

run('the_page_says_what_came_out', () => {
    const text = fs.readFileSync(page, 'utf8');
    check(text.includes('**1 of 1 motions are as asked**'), text);
    check(/\| \[arm\]\(#arm-reach\) \| arm \| reach \| - \| yes \| yes \| yes \|/.test(text), text);
    check(text.includes('1 of 1 of these are finished, too.'), text);
    check(text.includes("- walker trot --speed 1: error: task 'trot' cannot be drafted: the model stands on 2 feet"), text);
    const picture = fs.readFileSync(path.join(folder, 'docs', 'robots', 'arm_reach.svg'), 'utf8');
    check(picture.includes('<svg xmlns="http://www.w3.org/2000/svg"') && picture.length < 60000, 'its picture');
});

run('seeds_are_counted', () => {
    check(gallery('arm', '--seeds', '2').status === 0, 'two seeds');
    check(/\| arm reach \| 2 \| 2 \| 2 \|/.test(fs.readFileSync(page, 'utf8')), 'both are as asked');
});

// The arm has no contacts: it is finished at once, and its steps are those of both versions of MuJoCo.
run('a_finished_motion_is_judged_in_other_simulators', () => {
    const tried = gallery('arm', '--finish', '--steps-222', path.join(build, 'bench', 'steps_222'));
    check(tried.status === 0 && /arm_reach: finished \([\d.]+ s\)/.test(tried.stderr), tried.stderr);
    const { now, old } = JSON.parse(fs.readFileSync(path.join(folder, 'cache', 'arm_reach', 'judged.json'), 'utf8'));
    check(old.as_it_is.qpos < 1e-8 && old.as_it_is.qvel < 1e-8 && old.rough.length === 0, JSON.stringify(old));
    check(!there || (now.asItIs.qpos < 1e-8 && now.asItIs.qvel < 1e-8), JSON.stringify(now));
    check(!there || (now.free.largest < 1e-6 && now.pushed.largest > now.free.largest), JSON.stringify(now));
    check(there || now.failed.includes('is not there'), JSON.stringify(now));
    const text = fs.readFileSync(page, 'utf8');
    check(text.includes('**1 of 1 motions are finished**, 1 of 1 as asked.'), text);
    check(/\| \[arm\]\(#arm-reach\) \| reach \| yes \| \d+ \|/.test(text), text);
    const before = time('finish.json'), judged = time('judged.json');
    check(gallery('arm', '--finish', '--steps-222', path.join(build, 'bench', 'steps_222')).status === 0, 'again');
    check(time('finish.json') === before && time('judged.json') === judged, 'what was judged is kept');
    check(gallery('arm', '--finish').status === 0 && time('finish.json') === before, 'with other judges,');
    check(time('judged.json') > judged, 'it is judged anew');
});

run('what_is_wrong_is_said', () => {
    check(gallery('nothing').stderr.includes('no line of'), 'a word that no line has');
    check(gallery('--limit', 'x').status === 2, 'a limit that is no number');
    fs.appendFileSync(table, 'models/nowhere.xml   arm   reach\n');
    check(gallery().stderr.includes('1 of 3 models are not in'), 'a model that is not there');
});

fs.rmSync(folder, { recursive: true });
done();
