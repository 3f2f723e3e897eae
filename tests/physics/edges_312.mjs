// Numbers at the edge, in MuJoCo 3.12 and in saltus: masses from 1e-9 to 1e9 in one model, time steps from 1e-9 to
// 1000 s, solref, solimp and friction at their limits and beyond. The simulation and the inverse of both agree, or
// saltus refuses with the value and its place. No result holds a number that is not finite.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { check, done, oracle, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const saltus = path.join(process.env.SALTUS_BUILD ?? 'build', 'cli/saltus');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-edges-'));
const STEPS = 20, NQ = 9, NV = 8;

// A ball that rolls on a floor, and two links of which the first is at its limit.
function text(c)
{
    const s = {h: .002, ball: 1, link: 1, solref: '.02 1', solimp: '.9 .95 .001 .5 2', friction: '1 .005 .0001',
        condim: 3, option: '', ...c};
    const contact = `solref="${s.solref}" solimp="${s.solimp}" friction="${s.friction}"`;
    const ghost = 'type="capsule" size=".05" contype="0" conaffinity="0"';
    return `<mujoco><option timestep="${s.h}" ${s.option}/><worldbody><geom type="plane" size="5 5 .1" ${contact}/>
      <body pos="0 0 .095"><freejoint name="root"/>
        <geom type="sphere" size=".1" mass="${s.ball}" condim="${s.condim}" ${contact}/></body>
      <body pos="1 0 1">
        <joint name="hip" axis="0 1 0" range="-20 20" solreflimit="${s.solref}" solimplimit="${s.solimp}"/>
        <geom ${ghost} fromto="0 0 0 0 0 -.4" mass="${s.link}"/>
        <body pos="0 0 -.4"><joint name="knee" axis="0 1 0" damping=".1"/>
          <geom ${ghost} fromto="0 0 0 .3 0 0" mass="${s.ball}"/></body>
      </body></worldbody>
      <keyframe><key qpos="0 0 .095 1 0 0 0 .36 0" qvel=".5 0 -1 0 3 0 .4 .2"/></keyframe></mujoco>`;
}

// The state of MuJoCo after the steps, and the forces of its key under these accelerations; null where it warns.
function reference(xml, qacc)
{
    mujoco.FS.writeFile('/edge.xml', xml);
    const m = mujoco.MjModel.from_xml_path('/edge.xml'), d = new mujoco.MjData(m);
    mujoco.mj_resetDataKeyframe(m, d, 0);
    d.qacc.set(qacc);
    mujoco.mj_inverse(m, d);
    const force = [...d.qfrc_inverse];
    const of = [...d.qfrc_inverse].map((f, i) => Math.abs(f) + Math.abs(d.qfrc_constraint[i]) +
        Math.abs(d.qfrc_bias[i]) + Math.abs(d.qfrc_passive[i]));
    mujoco.mj_resetDataKeyframe(m, d, 0);
    for (let i = 0; i < STEPS; i++)
        mujoco.mj_step(m, d);
    let warnings = 0;
    for (let i = 0; i < 7; i++)
        warnings += d.warning.get(i).number;
    const state = warnings > 0 ? null : [...d.qpos, ...d.qvel];
    d.delete(), m.delete();
    return {state, force, of};
}

const numbers = line => line.split(',').map(Number);

function simulate(c, xml, expected)
{
    const out = path.join(folder, 'out.csv'), h = c.h ?? .002;
    const r = spawnSync(saltus, ['simulate', path.join(folder, 'edge.xml'), '--key', '0', '--time', `${STEPS * h}`,
        '-o', out], {encoding: 'utf8'});
    if (expected === null) {
        check(r.status === 1 && /unstable: q(acc|pos|vel)\[\d+\] of joint '\w+' is .* at time/.test(r.stderr),
            `exit code ${r.status}: ${r.stderr}`);
        return;
    }
    check(r.status === 0, `exit code ${r.status}: ${r.stderr}`);
    const state = numbers(fs.readFileSync(out, 'utf8').trim().split('\n').at(-1)).slice(1, 1 + NQ + NV);
    expected.forEach((x, i) => check(Math.abs(state[i] - x) <= 1e-6 * Math.max(1, Math.abs(x)),
        `state ${i} is ${state[i]}, expected ${x}`));
}

function invert(qacc, expected)
{
    const names = (word, n) => [...Array(n).keys()].map(i => word + i);
    const qpos = [0, 0, .095, 1, 0, 0, 0, .36, 0], qvel = [.5, 0, -1, 0, 3, 0, .4, .2];
    fs.writeFileSync(path.join(folder, 'in.csv'), [[...names('qpos', NQ), ...names('qvel', NV), ...names('qacc', NV)],
        [...qpos, ...qvel, ...qacc]].map(row => row.join(',')).join('\n') + '\n');
    const r = spawnSync(saltus, ['inverse', path.join(folder, 'edge.xml'), path.join(folder, 'in.csv')],
        {encoding: 'utf8'});
    check(r.status === 0, `exit code ${r.status}: ${r.stderr}`);
    const force = r.status === 0 ? numbers(r.stdout.trim().split('\n').at(-1)) : [];
    expected.force.forEach((f, i) => check(Math.abs(force.at(i - NV) - f) <= 1e-9 * expected.of[i] + 1e-24,
        `force ${i} is ${force.at(i - NV)}, expected ${f} (terms ${expected.of[i]})`));
}

const cases = [
    ...[1e-9, 1e-6, .002, .1, 1, 1000].map(h => ({h})),
    ...[[1e-9, 1e9], [1e9, 1e-9], [1e-9, 1e-9], [1e9, 1e9], [1, 1e9], [1e-9, 1]].map(([ball, link]) => ({ball, link})),
    ...['1e-9 1', '1e9 1', '.02 1e-9', '.02 1e9', '-1e9 -1e9', '-1e-9 -1e-9', '0 0', '.02 0', '-100 0', '1e-300 1']
        .map(solref => ({solref})),
    ...['0 0 0 0 0', '1 1 1 1 1', '.9999 .9999 1e-15 .5 2', '.0001 .0001 1e9 .5 2', '.9 .95 .001 0 2',
        '.9 .95 .001 1 2', '.9 .95 .001 .5 1000', '.95 .9 .001 .5 2', '-1 2 -1 -1 -1', '.9 .95 0 .5 2']
        .map(solimp => ({solimp})),
    ...['0 0 0', '1e6 1e6 1e6', '1e-9 0 0', '1e6 0 0'].flatMap(friction => [1, 3, 6].flatMap(condim =>
        ['pyramidal', 'elliptic'].map(cone => ({friction, condim, option: `cone="${cone}"`})))),
    ...['impratio="1e-6"', 'impratio="1e9" tolerance="0" iterations="1000"', 'gravity="0 0 0"', 'gravity="0 0 -1e9"',
        'integrator="implicit"', 'integrator="RK4"', 'density="1e9" viscosity="1e9"'].map(option => ({option})),
];
const qacc = [1, -2, 3, 1, 2, -1, 5, -4];
for (const c of cases) {
    run(JSON.stringify(c).replace(/\W+/g, '_'), () => {
        const xml = text(c), expected = reference(xml, qacc);
        fs.writeFileSync(path.join(folder, 'edge.xml'), xml);
        simulate(c, xml, expected.state);
        invert(qacc, expected);
    });
}
fs.rmSync(folder, {recursive: true});
done();
