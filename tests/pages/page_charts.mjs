// `saltus report`: the charts of the player in headless Chromium. What the legends say at a time or under the cursor are the numbers
// of the result: of the search, of an identification, and of recordings that motions follow.
//     page_charts.mjs
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus, table } from '../oracle/motion.mjs';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';
import { Browser, find } from './browser.mjs';
import { clock, drag, opened, shown, under } from './player.mjs';

const mujoco = await oracle(), chromium = find();
const work = path.resolve(process.env.SALTUS_BUILD ?? 'build', 'tests', 'page_charts');
const at = (name) => path.join(work, name), examples = path.resolve(root, 'examples');
const said = (...words) => execFileSync(saltus, words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });

function skip(why)
{
    console.log(`skip all: ${why}\n0 passed, 0 failed, 1 skipped`);
    process.exit(77);
}

// 5 digits, of numbers that the page holds as floats
const same = (text, right, what) => near(Number(text), right, 1e-4 * Math.abs(right) + 1e-9, what);

// An example, with some of its words replaced, solved: [folder of the result, its page]
function reported(name, example, ...changes)
{
    let text = fs.readFileSync(path.join(examples, `${example}.xml`), 'utf8').replaceAll('="../models/', `="${path.resolve(root, 'models')}/`)
        .replaceAll('data file="', `data file="${examples}/`);
    for (const [from, to] of changes) {
        if (!text.includes(from))
            throw new Error(`${example} does not say ${from}`);
        text = text.replace(from, to);
    }
    fs.writeFileSync(at(`${name}.xml`), text);
    return report(name);
}

function report(name)
{
    fs.rmSync(at(name), { recursive: true, force: true });
    said('solve', at(`${name}.xml`), '-q', '-o', at(name));
    said('report', at(name), '-q', '-o', at(`${name}.html`));
    return [at(name), at(`${name}.html`)];
}

// The clean page: nothing in the console, no other file
function quiet(page)
{
    check(page.logged.length === 0, `the console says ${page.logged.join('; ')}`);
    check(page.asked.length === 1, `it asks for ${page.asked.slice(1).join(' ')}`);
}

// ---- the search ----

async function search(browser)
{
    const [out, html] = reported('search', 'walker_walk'), page = await opened(browser, html);
    const best = Number(said('info', out).match(/^start +(\d+)/m)[1]);
    const all = fs.readFileSync(path.join(out, 'iterations.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const own = all.filter(({ start }) => start === best), last = Math.max(...all.map(({ linearisation }) => linearisation));
    const first = Math.min(...all.map(({ linearisation }) => linearisation)), share = (n) => (n - first) / (last - first);
    const seen = [];
    await page.evaluate('document.querySelector("#player .play").click()');
    for (const what of ['cost', 'violation']) {
        for (const k of [0, 1, 12, 40, own.length - 1])
            seen.push({ what, right: own[k], legend: await under(page, `Convergence: ${what}`, share(own[k].linearisation)) });
    }
    const before = await clock(page);
    await drag(page, 'Convergence: cost', 0.5, 0.5);
    const clicked = await clock(page);
    await drag(page, 'Convergence: cost', 0.25, 0.5);
    const zoomed = await under(page, 'Convergence: cost', 0);
    run('the_search_has_its_numbers_under_the_cursor', () => {
        check(best !== 0 && all.some(({ start }) => start !== best), 'there are other starts'); // the first is not taken for the best
        for (const { what, right, legend } of seen) {
            check(legend.linearisations === `${right.linearisation}, ${right.phase}`, `${legend.linearisations} is not ${right.linearisation}`);
            same(legend[what], right[what], `${what} at ${right.linearisation}`);
            check(Object.keys(legend).length === 2, `the legend has ${Object.keys(legend).join(', ')}`); // pale lines have no names
        }
        quiet(page);
    });
    run('the_search_is_not_tied_to_the_time_and_can_be_zoomed', () => {
        check(before === clicked, `a click set the time from ${before} to ${clicked}`);
        const begin = Number.parseFloat(zoomed.linearisations), right = first + 0.25 * (last - first);
        near(begin, right, 1, 'the first linearisation after zooming');
    });
    await page.close();
}

// ---- an identification ----

const SIGMA = 0.005; // rad, in identify_pendulum.xml

// The recordings of the result: { name: [{ 'fitted:angle': number }] }
function recordingsOf(out)
{
    const [header, ...lines] = said('export', out, '--to', 'csv').trim().split('\n').map((line) => line.split(','));
    const rows = lines.map((line) => Object.fromEntries(line.map((text, i) => [header[i], text])));
    return rows.reduce((by, row) => {
        (by[row.recording] ??= []).push(row);
        return by;
    }, {});
}

const headings = (page) => page.evaluate('[...document.querySelectorAll("#player .plot h3 span")].map((one) => one.textContent)');

async function identification(browser)
{
    const [out, html] = reported('pendulum', 'identify_pendulum', ['norm="quadratic"', 'norm="quadratic" holdout=".3"']);
    const page = await opened(browser, html), samples = recordingsOf(out), found = await headings(page);
    const wanted = ['Recording that plays: ', 'The worst of the fit: ', 'The one in the middle of the fit: ', 'Held out, the first: '];
    const charts = wanted.map((title) => found.find((one) => one.startsWith(title)));
    const played = charts[0], name = (chart) => chart.split(': ')[1], seen = [];
    await page.evaluate('document.querySelector("#player .play").click()');
    for (const k of [0, 17, samples[name(played)].length - 1])
        seen.push({ right: samples[name(played)][k], legend: await shown(page, 0.02 * k, played) });
    for (const chart of charts.slice(1)) {
        const rows = samples[name(chart)];
        for (const k of [0, 23, rows.length - 1])
            seen.push({ right: rows[k], legend: await under(page, chart, k / (rows.length - 1)) });
    }
    await drag(page, charts[1], 0.5, 0.5);
    const untied = await clock(page);
    await drag(page, played, 0.5, 0.5);
    const tied = await clock(page), duration = await page.evaluate('Number(document.querySelector("#player .scrub").max)');
    run('recordings_have_their_numbers_at_the_time_and_under_the_cursor', () => {
        let signals = 0;
        for (const { right, legend } of seen) {
            for (const [name, column] of [['measured', 'measured'], ['fitted', 'fitted'], ['predicted', 'predicted'], ['predicted, nominal', 'nominal']]) {
                const value = right[`${column}:angle`];
                check((value === 'nan') === !(name in legend), `${name} of ${right.recording}`);
                if (value !== 'nan') {
                    same(legend[name], Number(value), `${name} of ${right.recording} at ${right.time}`);
                    signals++;
                }
            }
        }
        check(signals === 3 * (2 + 2 + 2 + 3), `${signals} signals`);
        for (const { right, legend } of seen.slice(0, 3)) { // of one channel the root mean square is the residual itself
            const residual = (right['measured:angle'] - right['fitted:angle']) / SIGMA;
            same(legend.residual, Math.abs(residual), `residual at ${right.time}`);
            check(legend['unactuated torque'] >= 0 && !('unactuated force' in legend), `torque ${legend['unactuated torque']}`);
        }
        quiet(page);
    });
    run('the_recording_that_plays_alone_is_tied_to_the_time', () => {
        near(untied, 0.02 * 59, 1e-9, 'the time after a click on another');
        near(tied, duration / 2, 0.02, 'the time after a click');
    });
    await page.close();
}

// ---- recordings that motions follow ----

const SPIN = `<mujoco><option timestep=".02"/><worldbody>
  <body name="thrown" pos="0 0 2"><freejoint name="root"/><geom type="box" size=".1 .2 .3" density="300" contype="0" conaffinity="0"/>
    <body name="hung" pos="0 0 -.3"><joint name="socket" type="ball" pos="0 0 .1" damping=".05"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.6" size=".05" density="300" contype="0" conaffinity="0"/></body></body></worldbody>
  <keyframe><key name="go" qpos="0 0 2 1 0 0 0 .9 .3 .3 0" qvel="1 0 3 4 1 7 1 2 3"/></keyframe></mujoco>`;
const FOLLOW = `<problem name="spin"><model file="spin.xml"/>
  <data file="spin.csv" up="z"><channel name="thrown" body="thrown" columns="x y z qw qx qy qz" sigma=".01 .01"/>
    <channel name="hung" body="hung" columns="hx hy hz hqw hqx hqy hqz" sigma=".01 .01"/></data>
  <time nstep="50" duration="1"/><boundary type="open"/><cost><term name="seen" data="all"/></cost><init data="all"/></problem>`;

// A box that was thrown, with a rod on a ball joint, and what cameras saw of both, to two digits: the rows of qpos
function thrown()
{
    fs.writeFileSync(at('spin.xml'), SPIN);
    fs.writeFileSync(at('follow.xml'), FOLLOW);
    said('simulate', at('spin.xml'), '--key', 'go', '--time', '1', '-q', '-o', at('spin.h5'));
    const { qpos } = table(said('export', at('spin.h5'), '--to', 'csv'));
    mujoco.FS.writeFile('/spin.xml', SPIN);
    const m = mujoco.MjModel.from_xml_path('/spin.xml'), d = new mujoco.MjData(m);
    const rows = qpos.map((q, t) => {
        d.qpos.set(q);
        mujoco.mj_kinematics(m, d);
        return [t * 0.02, ...[1, 2].flatMap((b) => [...d.xpos.slice(3 * b, 3 * b + 3), ...d.xquat.slice(4 * b, 4 * b + 4)])];
    });
    const header = 'time,x,y,z,qw,qx,qy,qz,hx,hy,hz,hqw,hqx,hqy,hqz';
    fs.writeFileSync(at('spin.csv'), [header, ...rows.map((row) => row.map((x) => x.toFixed(2)))].join('\n') + '\n');
    return qpos;
}

const quatOf = (w) => {
    const angle = Math.hypot(...w), s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
    return [Math.cos(angle / 2), ...w.map((x) => s * x)];
};

// Of unit quaternions, whose sign means nothing
const apart = (p, q) => 2 * Math.acos(Math.min(1, Math.abs(p.reduce((sum, x, i) => sum + x * q[i], 0))));

// What the chart of joints says of one of its groups: [x, y, z], of the motion or its recording
const triple = (legend, recorded) => ['x', 'y', 'z'].map((axis) => legend[recorded ? `${axis}, recorded` : axis]);

// At each of the rows the legend for the joint that is chosen
async function vectors(page, title, rows)
{
    const found = [];
    for (const row of rows) {
        found.push(await page.evaluate(`(async () => {
            const plot = document.querySelector('#player .plot'), select = plot.querySelector('select'), scrub = document.querySelector('#player .scrub');
            const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
            plot.scrollIntoView();
            for (let i = 0; i < 100 && !plot.querySelector('.uplot'); i++)
                await frame();
            select.value = [...select.options].findIndex(({ text }) => text === '${title}');
            select.dispatchEvent(new Event('change'));
            scrub.value = ${0.02 * row};
            scrub.dispatchEvent(new Event('input'));
            await frame(); await frame(); await frame();
            return Object.fromEntries([...plot.querySelectorAll('.u-series')].map((row) =>
                [row.querySelector('.u-label').textContent, Number(row.querySelector('.u-value').textContent)]));
        })()`));
    }
    return found;
}

async function follow(browser)
{
    const measured = thrown(), [out, html] = report('follow'), page = await opened(browser, html);
    const { qpos } = table(said('export', out, '--to', 'csv')), rows = Array.from({ length: 51 }, (_, t) => t);
    await page.evaluate('document.querySelector("#player .play").click()');
    const place = await vectors(page, 'root position', rows);
    const turns = { 3: await vectors(page, 'root rotation', rows), 7: await vectors(page, 'socket rotation', rows) };
    run('a_free_joint_has_its_recorded_place', () => {
        for (const t of rows) {
            for (let i = 0; i < 3; i++) {
                same(triple(place[t], false)[i], qpos[t][i], `${'xyz'[i]} in row ${t}`);
                near(triple(place[t], true)[i], measured[t][i], 0.02, `recorded ${'xyz'[i]} in row ${t}`);
            }
        }
        check(rows.some((t) => Math.abs(triple(place[t], true)[0] - triple(place[t], false)[0]) > 1e-4), 'it is not the motion');
        quiet(page);
    });
    for (const [adr, name] of [[3, 'a_free'], [7, 'a_ball']]) {
        run(`${name}_joint_has_its_recorded_rotation`, () => {
            let largest = 0;
            for (const t of rows) {
                const own = triple(turns[adr][t], false), recorded = triple(turns[adr][t], true);
                near(apart(quatOf(own), qpos[t].slice(adr, adr + 4)), 0, 1e-3, `rotation in row ${t}`);
                near(apart(quatOf(recorded), measured[t].slice(adr, adr + 4)), 0, 0.06, `recorded rotation in row ${t}`);
                near(Math.hypot(...own.map((x, i) => x - recorded[i])), 0, 0.1, `the lines are beside each other in row ${t}`);
                if (t > 0)
                    near(Math.hypot(...own.map((x, i) => x - triple(turns[adr][t - 1], false)[i])), 0, 1, `the line does not jump before row ${t}`);
                largest = Math.max(largest, Math.hypot(...own));
            }
            check(adr !== 3 || largest > Math.PI + 0.5, `it turned by ${largest} rad, not by more than half a turn`);
            check(rows.some((t) => Math.abs(triple(turns[adr][t], true)[0] - triple(turns[adr][t], false)[0]) > 1e-4), 'it is not the motion');
        });
    }
    await page.close();
}

// Half of a cycle that was searched with a recording: of the other half there is none.
async function unrolled(browser)
{
    const [out, html] = reported('cycle', 'walker_follow', ['nstep="40" duration="1"', 'nstep="20" duration="0.5"'],
        ['<boundary type="open"/>', '<boundary type="cycle" mirror="left_ right_"><travel joint="rootx" speed="1.2"/></boundary>']);
    const csv = fs.readFileSync(path.join(examples, 'walker_follow.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
    const page = await opened(browser, html), { qpos } = table(said('export', out, '--to', 'csv', '--cycles', '1'));
    await page.evaluate('document.querySelector("#player .play").click()');
    const seen = [];
    for (const row of [0, 7, 20, 21, 40])
        seen.push({ row, legend: await shown(page, 0.025 * row) });
    run('an_unrolled_cycle_has_the_recording_of_its_searched_half', () => {
        for (const { row, legend } of seen) {
            const recorded = legend['rooty, recorded'];
            same(legend.rooty, qpos[row][2], `rooty in row ${row}`);
            if (row > 20) {
                check(recorded === null, `recorded in row ${row}: ${recorded}`);
                continue;
            }
            const sample = csv.find(([time]) => Math.abs(Number(time) - 0.025 * row) < 1e-6);
            near(recorded, Number(sample[csv[0].indexOf('trunk')]), 0.05, `recorded in row ${row}`);
        }
        quiet(page);
    });
    await page.close();
}

if (chromium === null)
    skip('Chromium is not there');
if (said('--version').includes('are still'))
    skip('saltus was built without what plays a motion');
fs.mkdirSync(work, { recursive: true });
const browser = new Browser(chromium);
await search(browser);
await identification(browser);
await follow(browser);
await unrolled(browser);
await browser.close();
done();
