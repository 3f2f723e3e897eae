// `saltus report`: axe-core finds no fault in the pages of a motion, an identification, a simulation, two results and a sweep, in light
// and dark, wide and narrow; none is wider than its window.
//     page_access.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus } from '../oracle/motion.mjs';
import { check, done, run } from '../oracle/mujoco.mjs';
import { LOOKS, axe, faults, skip } from './access.mjs';
import { Browser, find } from './browser.mjs';

const build = process.env.SALTUS_BUILD ?? 'build', root = process.env.SALTUS_ROOT ?? '.';
const work = path.resolve(build, 'tests', 'page_access'), examples = path.resolve(root, 'examples');

// One page of each kind: [name, path]
function make()
{
    fs.rmSync(work, { recursive: true, force: true });
    fs.mkdirSync(work, { recursive: true });
    const at = (name) => path.join(work, name);
    const go = (...words) => execFileSync(saltus, [...words, '-q'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const sweep = `<sweep name="small" problem="${path.join(examples, 'pendulum_swingup.xml')}">
        <axis name="time" path="time/duration" values="3 4"/><axis name="steps" path="time/nstep" values="50 60"/>
        <column figure="cost"/></sweep>`;
    fs.writeFileSync(at('small.xml'), sweep);
    go('solve', path.join(examples, 'walker_walk.xml'), '-o', at('motion'));
    go('solve', path.join(examples, 'identify_pendulum.xml'), '-o', at('identification'));
    go('simulate', path.join(root, 'models', 'walker.xml'), '--time', '.3', '-o', at('simulation.h5'));
    spawnSync(saltus, ['sweep', at('small.xml'), '-q', '-o', at('sweep')], { stdio: 'ignore' }); // some cells have no solution
    return [['motion', at('motion')], ['identification', at('identification')], ['simulation', at('simulation.h5')],
        ['two', at('motion'), at('simulation.h5')], ['sweep', at('sweep')]].map(([name, ...what]) => {
        go('report', ...what, '-o', at(`${name}.html`));
        return [name, at(`${name}.html`)];
    });
}

const chromium = find();
if (chromium === null)
    skip('Chromium is not there');
if (!fs.existsSync(axe))
    skip('axe-core is not there');
const browser = new Browser(chromium);
for (const [name, html] of make()) {
    for (const look of LOOKS) {
        const { found, rules, awaited, beyond } = await faults(browser, html, look);
        run(`${name}_${look.name}`, () => {
            check(rules > 50 && awaited === 0, `${rules} rules, ${awaited} charts that were not made`);
            check(beyond <= 0, `the page is ${beyond} pixels wider than its window`);
            check(found.length === 0, found.slice(0, 5).join('\n'));
        });
    }
}
await browser.close();
done();
