// Least models in which we once differed from MuJoCo 3.12 (found_models.txt, one a line), and random ones (found_seeds.txt): compared in all that random ones are.
import fs from 'node:fs';
import path from 'node:path';
import { beside } from './beside.mjs';
import { check, done, root, run } from './mujoco.mjs';
import { randomModel, write } from './random_model.mjs';

const linesOf = name => fs.readFileSync(path.join(root, 'tests/oracle', name), 'utf8').split('\n');
const lines = linesOf('found_models.txt').filter(line => /^[-=] </.test(line));
const seeds = linesOf('found_seeds.txt').filter(line => /^\d/.test(line)).flatMap(line => line.split(' ').map(Number));
const findings = await beside(lines.map((line, seed) => ({ seed, xml: line.slice(2) })));
lines.forEach((line, i) => run(line, () => {
    const f = findings[i];
    check(f.verdict === (line[0] === '=' ? 'same' : 'refused'), `${f.verdict} ${f.what ?? ''}: ours ${f.ours}, MuJoCo ${f.theirs}`);
}));
for (const seed of seeds) {
    const [f] = await beside([{ seed, xml: write(randomModel(seed)) }]);
    run(`seed ${seed}`, () => check(f.verdict === 'same' || f.verdict === 'broken', `${f.verdict} ${f.what ?? ''}: ours ${f.ours}, MuJoCo ${f.theirs}`));
}
done();
