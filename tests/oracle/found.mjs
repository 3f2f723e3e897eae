// Least models in which we once differed from MuJoCo 3.12 (found_models.txt, one a line): compared in all that random ones are.
import fs from 'node:fs';
import path from 'node:path';
import { beside } from './beside.mjs';
import { check, done, root, run } from './mujoco.mjs';

const lines = fs.readFileSync(path.join(root, 'tests/oracle/found_models.txt'), 'utf8').split('\n').filter(line => /^[-=] </.test(line));
const findings = await beside(lines.map((line, seed) => ({ seed, xml: line.slice(2) })));
lines.forEach((line, i) => run(line, () => {
    const f = findings[i];
    check(f.verdict === (line[0] === '=' ? 'same' : 'refused'), `${f.verdict} ${f.what ?? ''}: ours ${f.ours}, MuJoCo ${f.theirs}`);
}));
done();
