// Pieces of clips that others retargeted to a robot: `follow` and `solve` as a stranger runs them, with no edit. The motion must obey
// the limits of the robot, stay near the clip, hardly sink and slide, and each step must be one of MuJoCo 3.12 with the model of the result.
//     follow_mujoco3.mjs ROBOT CLIP:FROM:TO[:SLIP[:PLACE:DEGREES]]...      s, m/s, m; paths relative to the corpus
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { oneStep, table } from '../oracle/motion.mjs';
import { check, done, near, oracle, run } from '../oracle/mujoco.mjs';

const corpus = process.env.SALTUS_CORPUS ?? '../shared';
const [robot, ...pieces] = process.argv.slice(2);
if (!fs.existsSync(path.join(corpus, robot))) {
    console.log(`skip all: ${corpus} has no ${robot}`);
    console.log('0 passed, 0 failed, 1 skipped');
    process.exit(77);
}
const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'follow_mujoco3'), saltus = path.join(build, 'cli', 'saltus');
const degree = Math.PI / 180;

// The rows of a clip from one time to another, as a file of its own
function cut(clip, from, to)
{
    const [header, ...rows] = fs.readFileSync(path.join(corpus, clip), 'utf8').trim().split('\n');
    const kept = rows.filter(row => parseFloat(row) >= from - 1e-6 && parseFloat(row) <= to + 1e-6);
    const file = path.join(work, `${path.basename(clip, '.csv')}.csv`);
    fs.writeFileSync(file, [header, ...kept].join('\n') + '\n');
    return file;
}

function follow(clip, from, to)
{
    fs.mkdirSync(work, { recursive: true });
    const file = cut(clip, from, to), problem = file.replace('.csv', '.xml'), out = file.replace('.csv', '.saltus');
    fs.rmSync(problem, { force: true });
    execFileSync(saltus, ['follow', file, '--robot', path.join(corpus, robot), '-o', problem, '-q']);
    const found = JSON.parse(execFileSync(saltus, ['solve', problem, '-q', '--json', '-o', out], { encoding: 'utf8', maxBuffer: 1 << 26 }));
    const xml = execFileSync(saltus, ['export', out, '--to', 'mjcf']);
    return { found, xml, motion: table(execFileSync(saltus, ['export', out, '--to', 'csv'], { encoding: 'utf8', maxBuffer: 1 << 28 })) };
}

// m, m/s, rad; largest torque over its limit
function judge(found, slip, place, angle)
{
    const r = found.recording, f = r.found;
    check(found.physical && found.as_asked, `verdict: ${found.verdict}`);
    check(f.depth <= 0.01, `99 % of the steps at most ${f.depth} m deep, expected 0.01`);
    check(f.depth_most.value <= 0.025, `deepest ${f.depth_most.value} m, expected at most 0.025`);
    check(f.slip <= slip, `slip ${f.slip} m/s, expected at most ${slip}`);
    check(f.load_most.value <= 1 + 1e-6, `torque ${f.load_most.value} times its limit`);
    check(r.joints <= angle, `joints ${r.joints} rad, expected at most ${angle}`);
    check(r.place <= place && r.turn <= angle, `root ${r.place} m, ${r.turn} rad, expected at most ${place} m, ${angle}`);
}

for (const piece of pieces) {
    const [clip, from, to, slip, place, degrees] = piece.split(':');
    run(`${path.basename(clip, '.csv')}_from_${from}_to_${to}_s`, () => {
        const { found, xml, motion } = follow(clip, Number(from), Number(to));
        judge(found, Number(slip ?? 0.05), Number(place ?? 0.05), Number(degrees ?? 5) * degree);
        mujoco.FS.writeFile('/model.xml', xml);
        const m = mujoco.MjModel.from_xml_path('/model.xml');
        const { qpos, qvel } = oneStep(mujoco, m, motion);
        console.log(`${clip}: largest one-step error ${qpos.toExponential(1)} in q, ${qvel.toExponential(1)} in v`);
        near(qpos, 0, 1e-8, 'error in q');
        near(qvel, 0, 1e-8, 'error in v');
    });
}
done();
