// `saltus report`: in headless Chromium the page of a result plays, asks for no other file, says nothing in the console,
// shows the numbers of the result, fits a narrow screen, and is complete where there is no WebGL.
//     page_plays.mjs EXAMPLE...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus, solved } from '../oracle/motion.mjs';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';
import { Browser, find } from './browser.mjs';
import { clock, opened, shown, wait } from './player.mjs';

const mujoco = await oracle(), chromium = find();
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.resolve(build, 'tests', 'page_plays');
const NARROW = 400, SCALAR = [2, 3]; // px; mjtJoint: slide, hinge

function skip(why)
{
    console.log(`skip all: ${why}\n0 passed, 0 failed, 1 skipped`);
    process.exit(77);
}

// A page, the rows of its motion, and for each joint of one number its column
function make(example)
{
    const { out, m, h, motion } = solved(mujoco, work, example), html = path.join(work, `${example}.html`), columns = {};
    execFileSync(saltus, ['report', out, '-q', '-o', html]);
    for (let j = 0; j < m.njnt; j++) {
        if (SCALAR.includes(m.jnt_type[j]))
            columns[m.jnt(j).name] = m.jnt_qposadr[j];
    }
    return { html, out, h, motion, columns };
}

// The terms of the cost in the words of `info`: { name: value }, 6 digits
function termsOf(out)
{
    const text = execFileSync(saltus, ['info', out], { encoding: 'utf8' });
    return Object.fromEntries([...text.matchAll(/^term +(\S+) (\S+)/gm)].map(([, name, value]) => [name, Number(value)]));
}

// What each row adds to the terms, as the page holds it: { name: [number of each row] }, NaN: none
function costsOf(html)
{
    const [, json] = fs.readFileSync(html, 'utf8').match(/<script type="application\/json" id="motion0">(.*?)<\/script>/s);
    return Object.fromEntries(JSON.parse(json).costs.map(({ name, values }) => {
        const bytes = Buffer.from(values, 'base64');
        return [name, Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))];
    }));
}

// How many colours the picture of the canvas has, told by another page: this one may load no picture.
async function colours(browser, page)
{
    const { x, y, width, height } = await page.evaluate(`(() => {
        document.querySelector('#player').scrollIntoView();
        const { x, y, width, height } = document.querySelector('#player canvas').getBoundingClientRect();
        return { x: x + scrollX, y: y + scrollY, width, height }; // of the page, not of the window
    })()`);
    const png = (await page.screenshot({ clip: { x, y, width, height, scale: 1 } })).toString('base64');
    const other = await browser.open('about:blank');
    const found = await other.evaluate(`(async () => {
        const image = new Image();
        image.src = 'data:image/png;base64,${png}';
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        return new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)).size;
    })()`);
    await other.close();
    return found;
}

async function look(browser, made)
{
    const page = await opened(browser, made.html);
    const begun = await clock(page);
    await wait(400);
    const seen = { ready: page.ready, moved: (await clock(page)) !== begun, colours: await colours(browser, page) };
    await page.evaluate('document.querySelector("#player .play").click()');
    const last = made.motion.qpos.length - 1, rows = [0, Math.floor(last / 3), last];
    seen.rows = [];
    for (const row of rows)
        seen.rows.push({ row, values: await shown(page, row * made.h) });
    seen.costs = [];
    for (const row of rows)
        seen.costs.push({ row, values: await shown(page, row * made.h, 'Cost by term') });
    seen.logged = page.logged, seen.asked = page.asked;
    seen.shows = await page.evaluate(
        '[...document.querySelectorAll("#player [hidden]")].filter((e) => e.getClientRects().length > 0).map((e) => e.className)');
    await page.close();
    const low = await opened(browser, made.html, { height: 100 }); // all charts are far below
    seen.early = await low.evaluate('document.querySelectorAll("#player .uplot").length');
    seen.awaited = await low.evaluate('document.querySelectorAll("#player .awaited").length');
    await low.close();
    const narrow = await opened(browser, made.html, { width: NARROW, height: 800 });
    seen.width = await narrow.evaluate('document.scrollingElement.scrollWidth');
    await narrow.close();
    return seen;
}

if (chromium === null)
    skip('Chromium is not there');
const browser = new Browser(chromium), blind = new Browser(chromium, ['--disable-3d-apis']);
for (const example of process.argv.slice(2)) {
    const made = make(example);
    if (!fs.readFileSync(made.html, 'utf8').includes('id="player"'))
        skip('saltus was built without what plays a motion');
    const seen = await look(browser, made), still = await opened(blind, made.html);
    const strip = await still.evaluate('document.querySelector(".strip-figure").getBoundingClientRect().height');
    run(`${example}_plays`, () => {
        check(seen.ready === 'played' && seen.moved, `it plays: ${seen.ready}`);
        check(seen.colours > 50, `the canvas has ${seen.colours} colours`);
        check(seen.logged.length === 0, `the console says ${seen.logged.join('; ')}`);
        check(seen.asked.length === 1, `it asks for ${seen.asked.slice(1).join(' ')}`);
    });
    run(`${example}_shows_nothing_that_is_hidden`, () => check(seen.shows.length === 0, seen.shows.join(', ')));
    run(`${example}_shows_the_numbers_of_the_result`, () => {
        let n = 0;
        for (const { row, values } of seen.rows) {
            for (const [name, column] of Object.entries(made.columns)) {
                const right = made.motion.qpos[row][column];
                near(values[name], right, 1e-4 * Math.max(1, Math.abs(right)), `${name} in row ${row}`); // 5 digits
                n++;
            }
        }
        check(n > 0, 'joints');
    });
    run(`${example}_shows_costs_that_add_up_to_the_terms`, () => {
        const terms = termsOf(made.out), costs = costsOf(made.html), names = Object.keys(terms);
        check(names.length > 1, 'terms');
        for (const name of names) {
            const sum = costs[name].reduce((all, value) => all + (value || 0), 0);
            near(sum, terms[name], 1e-5 * terms[name], `sum of ${name}`);
            for (const { row, values } of seen.costs) {
                const right = costs[name][row];
                check(Number.isNaN(right) ? values[name] === null : Math.abs(values[name] - right) <= 1e-4 * right,
                    `${name} in row ${row}: ${values[name]} for ${right}`);
            }
        }
    });
    if (example === 'walker_follow')
        run(`${example}_shows_its_recording`, () => recorded(seen, made));
    if (example === 'cartpole_swingup')
        run(`${example}_shows_the_cost_of_a_row`, () => upright(made));
    run(`${example}_makes_charts_when_they_come_into_view`, () => {
        check(seen.early === 0 && seen.awaited > 0, `${seen.early} made, ${seen.awaited} awaited`);
    });
    run(`${example}_fits_a_narrow_screen`, () => check(seen.width <= NARROW, `${seen.width} px wide`));
    run(`${example}_is_complete_without_webgl`, () => check(still.ready === 'charts' && strip > 50, `${still.ready} ${strip}`));
}

// Of a term that follows from one column of the motion: weight * |q - target|^2 / 2, the mean over the rows
function upright(made)
{
    const N = made.motion.qpos.length - 1, costs = costsOf(made.html).upright;
    for (const row of [0, 100, 211, N - 1]) {
        const right = (made.motion.qpos[row][made.columns.hinge] - Math.PI) ** 2 / 2 / N;
        near(costs[row], right, 1e-6 * right + 1e-12, `row ${row}`);
    }
}

// The recording of walker_follow beside its motion: two of its joints were measured, by 10 mrad. The poses are a fit to all
// channels.
function recorded(seen, made)
{
    const lines = fs.readFileSync(path.resolve(root, 'examples', 'walker_follow.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
    const [header, ...samples] = lines;
    for (const { row, values } of seen.rows) {
        const sample = samples.find(([time]) => Math.abs(Number(time) - row * made.h) < 1e-6);
        for (const [joint, column] of [['rooty', 'trunk'], ['left_ankle', 'left_foot']]) {
            const shown = values[`${joint}, recorded`];
            near(shown, Number(sample[header.indexOf(column)]), 0.03, `${joint} in row ${row}`);
            check(Math.abs(shown - made.motion.qpos[row][made.columns[joint]]) > 1e-6, 'it is not the motion');
        }
    }
}

// Of a sweep one motion plays at a time, which the reader chooses.
function makeSweep()
{
    const file = path.join(work, 'speeds.xml'), folder = path.join(work, 'speeds.sweep'), html = path.join(work, 'sweep.html');
    const problem = path.resolve(root, 'examples', 'pendulum_quick.xml');
    fs.writeFileSync(file, `<sweep problem="${problem}"><axis name="time" path="time/duration" values="2 2.5 3"/></sweep>`);
    fs.rmSync(folder, { recursive: true, force: true });
    execFileSync(saltus, ['sweep', file, '-o', folder, '-q']);
    execFileSync(saltus, ['report', folder, '-o', html], { stdio: 'ignore' });
    return html;
}

const sweep = await opened(browser, makeSweep());
const played = [];
for (let i = 0; i < 3; i++) {
    played.push(await sweep.evaluate(`(async () => {
        const choice = document.querySelector('#player .choice select');
        if (${i} > 0) {
            delete document.getElementById('player').dataset.ready;
            choice.value = ${i};
            choice.dispatchEvent(new Event('change'));
            for (let k = 0; k < 300 && !document.getElementById('player').dataset.ready; k++)
                await new Promise((go) => setTimeout(go, 100));
        }
        const now = document.querySelector('#player .choice select');
        return { name: now.selectedOptions[0].text, seconds: Number(document.querySelector('#player .scrub').max),
            ready: document.getElementById('player').dataset.ready, canvases: document.querySelectorAll('#player canvas').length };
    })()`));
}
run('a_sweep_plays_the_motion_that_is_chosen', () => {
    check(new Set(played.map(({ name }) => name)).size === 3, played.map(({ name }) => name).join(', '));
    for (const { name, seconds, ready } of played)
        check(ready === 'played' && name === `time ${seconds}`, `${name}: ${seconds} s, ${ready}`);
    check(sweep.logged.length === 0, `the console says ${sweep.logged.join('; ')}`);
    check(sweep.asked.length === 1, `it asks for ${sweep.asked.slice(1).join(' ')}`);
});
await sweep.close();
await browser.close();
await blind.close();
done();
