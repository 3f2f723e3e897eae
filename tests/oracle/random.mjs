// Random mechanisms beside MuJoCo 3.12: what each compiles to, its inverse in random states, and steps (see beside.mjs).
//
//     node tests/oracle/random.mjs [--from SEED] [--count N] [--shrink K] [--refused] [--test]
//
// Seeds SEED (1) to SEED + N - 1 (150), one model each, always the same one. Of the first K models that differ (3, in a test 1) the least model that still differs is
// printed, with its seed, where the difference is, and both values; of the others the seed. --refused prints what both refuse, and why.
//
// The interface for long runs: the last line of standard output is the summary, one object of JSON on one line:
//     from, count   the seeds           compared  models without a difference
//     refused       by both readers, or by ours alone for a reason of docs/compatibility.md
//     differ        with a difference   broken    at which MuJoCo itself fails (faults.mjs)
//     states, steps that were looked at; of them left out: convex (contacts of round shapes that MuJoCo only approximates), entered (a box by a capsule's axis),
//     passed (MuJoCo passed over two boxes whose edges are within the margin along their normal, the boxes not),
//     unsolved (its solver stopped early and ours did not, or the mass matrix is indefinite), unresolved (rounding of the acceleration, or of a Jacobian, decides a force), cancelled (bias forces
//     that differ by the rounding of terms that cancel; the rest of the state is compared), sensitive (rounding of the state decides), slope (MuJoCo's step is that of another slope of fluid forces than the true one, ours of the true one: fluid_slope.mjs),
//     mesh (models in which rounding of the corners of meshes decides their principal axes), axes (models in which the angles of principal axes do, which MuJoCo
//     has to 1e-7, or which are any for equal inertias), weights (models whose mass matrix is nearly singular, so that its
//     inverse, which weighs the rows, is uncertain)
// The exit code is 0 if nothing differs, 1 if something does, 77 if MuJoCo is not there. A long run is cut into ranges of seeds that run side by side.
// --test (also if there are no arguments) ends with the line of a test program instead. SALTUS_BUILD and SALTUS_ORACLE say where things are.
import { beside } from './beside.mjs';
import { check, done, run } from './mujoco.mjs';
import { randomModel, write } from './random_model.mjs';
import { shrink } from './shrink.mjs';

const words = process.argv.slice(2), BATCH = 40;
const word = (name, usual) => words.includes(name) ? Number(words[words.indexOf(name) + 1]) : usual;
const from = word('--from', 1), count = word('--count', 150), test = words.includes('--test') || words.length === 0;
let toShrink = word('--shrink', test ? 1 : 3);
const total = { from, count, compared: 0, refused: 0, differ: 0, broken: 0, states: 0, steps: 0, convex: 0, entered: 0, passed: 0, unsolved: 0, unresolved: 0, cancelled: 0, sensitive: 0, slope: 0, mesh: 0, axes: 0, weights: 0 };
const oneLine = text => text.replace(/\s+/g, ' ').slice(0, 600);

async function report(seed, finding)
{
    if (toShrink-- > 0) {
        const least = await shrink(randomModel(seed), seed, finding);
        console.log(write(least.model));
        finding = least.finding;
    }
    const { what, place, at, error, ours, theirs } = finding;
    console.log(oneLine(`seed ${seed}: ${what}${at === undefined ? '' : ` [${at}]`}${place ? ` in ${place}` : ''}: ours ${ours}, MuJoCo ${theirs}` +
        (error === undefined ? '' : ` (${error.toExponential(1)})`)));
}

// What MuJoCo reads and we refuse: docs/compatibility.md, "Random models"
const ours = [/: frictionloss is -[\d.e+-]+; it must not be negative/];

async function account(seed, f)
{
    if (f.what === 'read' && f.theirs === 'read' && ours.some(reason => reason.test(f.ours)))
        f.verdict = 'refused';
    total[{ same: 'compared', refused: 'refused', differ: 'differ', broken: 'broken' }[f.verdict]]++;
    total.states += f.states ?? 0;
    total.steps += f.steps ?? 0;
    for (const reason of Object.keys(f.left ?? {}))
        total[reason] += f.left[reason];
    if (f.verdict === 'differ')
        await report(seed, f);
    if (f.verdict === 'broken')
        console.log(oneLine(`seed ${seed}: MuJoCo fails: ${f.theirs}`));
    if (f.verdict === 'refused' && words.includes('--refused'))
        console.log(oneLine(`seed ${seed}: refused: ${f.ours} | MuJoCo: ${f.theirs}`));
}

for (let first = from; first < from + count; first += BATCH) {
    const models = [];
    for (let seed = first; seed < Math.min(first + BATCH, from + count); seed++)
        models.push({ seed, xml: write(randomModel(seed)) });
    const findings = await beside(models);
    for (let i = 0; i < models.length; i++)
        await account(models[i].seed, findings[i]);
}
console.log(JSON.stringify(total));
if (test) {
    run('random_models_agree', () => check(total.differ === 0, `${total.differ} of ${count} models differ`));
    run('enough_is_compared', () => check(total.compared > 0.7 * count && total.broken < 0.01 * count, 'too few models are compared'));
    done();
}
process.exit(total.differ > 0 ? 1 : 0);
