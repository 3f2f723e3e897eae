// ./dev site: axe-core finds no fault in any page, wide and narrow, nor in the dark, and no page is wider than its window.
//     access.mjs
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { check, done, run } from '../oracle/mujoco.mjs';
import { LOOKS, axe, faults, skip } from '../pages/access.mjs';
import { Browser, find } from '../pages/browser.mjs';

const root = path.resolve(process.env.SALTUS_ROOT ?? '.');
const site = path.resolve(process.env.SALTUS_BUILD ?? 'build', 'tests', 'site', 'access');
const IN_THE_DARK = ['index.html', 'docs/concepts.html', 'docs/command.html'];

const chromium = find();
if (chromium === null)
    skip('Chromium is not there');
if (!fs.existsSync(axe))
    skip('axe-core is not there');
if (spawnSync('pandoc', ['--version']).error)
    skip('pandoc is not there');
fs.mkdirSync(path.dirname(site), { recursive: true });
const made = spawnSync('sh', ['site/site.sh', site], { cwd: root, encoding: 'utf8' });
run('made', () => check(made.status === 0, made.stdout + made.stderr));

const pages = fs.readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html')).sort();
run('all_pages', () => check(pages.length > 30, `${pages.length} pages`));
const browser = new Browser(chromium);
for (const look of LOOKS) { // colours are those of one style sheet: in the dark a few pages are enough
    for (const name of look.name === 'dark' ? IN_THE_DARK : pages) {
        const { found, rules, beyond } = await faults(browser, path.join(site, name), look);
        run(`${name}_${look.name}`, () => {
            check(rules > 50, `${rules} rules`);
            check(found.length === 0, found.slice(0, 5).join('\n'));
            check(beyond <= 0, `${beyond} pixels beyond the window`);
        });
    }
}

// A page with three faults, so that no silence is taken for praise
const bad = path.join(site, 'bad.html');
fs.writeFileSync(bad, '<!DOCTYPE html><html><title>bad</title><main><h1>a</h1><h4>b</h4><table><tr><th></th><td>1</td></tr></table></main></html>');
const { found } = await faults(browser, bad, LOOKS[0]);
run('faults_are_found', () => {
    for (const rule of ['html-has-lang', 'heading-order', 'empty-table-header'])
        check(found.some((fault) => fault.startsWith(rule)), `${rule} in ${found.join('\n')}`);
});
await browser.close();
done();
