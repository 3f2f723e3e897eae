// What axe-core finds in a page that a browser shows, for tests of pages.
import fs from 'node:fs';
import path from 'node:path';

export const axe = path.join(process.env.SALTUS_ORACLE ?? '', 'node_modules', 'axe-core', 'axe.min.js');
export const LOOKS = [{ name: 'light', width: 1200 }, { name: 'narrow', width: 400 },
    { name: 'dark', width: 1200, media: [{ name: 'prefers-color-scheme', value: 'dark' }] }];

// Ends the test.
export function skip(why)
{
    console.log(`skip all: ${why}\n0 passed, 0 failed, 1 skipped`);
    process.exit(77);
}

// { found: ["rule: where"], rules: how many were tried, beyond: by how many pixels the page is wider than the window,
//   awaited: charts that have not been made }
export async function faults(browser, html, look)
{
    const page = await browser.open(`file://${html}`, { height: 900, ...look });
    await page.evaluate(`(async () => { // until it plays, if it does
        const player = document.getElementById('player');
        for (let i = 0; player && i < 300 && !player.dataset.ready; i++)
            await new Promise((go) => setTimeout(go, 100));
        for (const plot of document.querySelectorAll('#player .plot')) { // a chart is made when it is seen
            for (let i = 0; i < 50 && !plot.querySelector('.uplot'); i++) {
                plot.scrollIntoView();
                await new Promise((go) => setTimeout(go, 20));
            }
        }
    })()`);
    const awaited = await page.evaluate('document.querySelectorAll("#player .awaited").length');
    await page.evaluate(fs.readFileSync(axe, 'utf8') + ';0');
    const found = await page.evaluate(`axe.run(document).then((r) =>
        r.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.target.join(' ') + ' ' + n.html.slice(0, 120))))`);
    const rules = await page.evaluate('axe.getRules().length');
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await page.close();
    return { found, rules, beyond, awaited };
}
