// How long a large page takes in headless Chromium, which draws without a graphics card: from navigation to the first
// frame of the motion, and from a move of the slider to the frame after it. Each page is opened in turn, several times:
// the median. The very first page of a browser also waits for what the browser starts; its time stands below.
// With paths of pages, these instead.
//     page_speed.mjs [PAGE.html ...]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus } from '../tests/oracle/motion.mjs';
import { Browser, find } from '../tests/pages/browser.mjs';
import { longMotions } from '../tests/pages/long_motion.mjs';

const build = process.env.SALTUS_BUILD ?? 'build', root = process.env.SALTUS_ROOT ?? '.';
const work = path.resolve(build, 'bench', 'page_speed'), MOST = 60000; // ms
const REPEATS = 5;

// In the page: notes when it is ready and that has been drawn
const WATCH = `new MutationObserver(() => {
    if (document.getElementById('player')?.dataset.ready && !('first' in window)) {
        window.first = 0;
        requestAnimationFrame(() => setTimeout(() => { window.first = performance.now(); }));
    }
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-ready'] });`;

const SCRUB = `(async () => {
    const frame = () => new Promise((go) => requestAnimationFrame(go)), taken = [], find = (name) => document.querySelector('#player ' + name);
    if (find('.play').textContent === 'Pause')
        find('.play').click();
    find('.stage').scrollIntoView();
    await frame();
    await frame();
    for (let i = 0; i < 40; i++) {
        const begun = performance.now();
        find('.scrub').value = find('.scrub').max * (17 * i % 40) / 40;
        find('.scrub').dispatchEvent(new Event('input'));
        await frame();
        await frame();
        taken.push((performance.now() - begun) / 2);
    }
    return taken.sort((a, b) => a - b)[taken.length >> 1];
})()`;

async function measure(browser, html)
{
    const page = await browser.open('about:blank'), begun = Date.now();
    await page.call('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
    await page.call('Page.navigate', { url: `file://${html}` });
    let first = 0;
    while (!first && Date.now() - begun < MOST) {
        await new Promise((go) => setTimeout(go, 50));
        first = await page.evaluate('window.first ?? 0').catch(() => 0);
    }
    const scrub = first ? await page.evaluate(SCRUB) : NaN;
    await page.close();
    return { first, scrub };
}

function made()
{
    return longMotions(work, root).map(({ name, result }) => {
        const html = path.join(work, `${path.parse(result).name}.html`);
        execFileSync(saltus, ['report', result, '-q', '-o', html]);
        return { name, html };
    });
}

const chromium = find(), given = process.argv.slice(2);
if (chromium === null) {
    console.log('Chromium is not there');
    process.exit(77);
}
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const browser = new Browser(chromium), pages = given.length ? given.map((html) => ({ name: path.basename(html), html: path.resolve(html) })) : made();
const { first: cold } = await measure(browser, pages[0].html);
const taken = pages.map(() => []);
for (let k = 0; k < REPEATS; k++) {
    for (const [i, { html }] of pages.entries())
        taken[i].push(await measure(browser, html));
}
console.log('page               MB  first frame, ms  slider, ms');
pages.forEach(({ name, html }, i) => {
    const [first, scrub] = ['first', 'scrub'].map((what) => median(taken[i].map((one) => one[what])).toFixed(0));
    console.log(`${name.padEnd(16)} ${(fs.statSync(html).size / 1e6).toFixed(1).padStart(4)} ${first.padStart(16)} ${scrub.padStart(11)}`);
});
console.log(`${pages[0].name}, the first page of the browser: ${cold.toFixed(0)} ms`);
await browser.close();
