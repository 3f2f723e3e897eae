// Each solver beside MuJoCo 3.12's of the same name, to convergence: capsules and a sphere that fall onto a floor and slide there, with a
// limit, dry friction and a connect; then with noslip. The states of a simulation are compared.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, done, oracle, run } from '../../oracle/mujoco.mjs';

const mujoco = await oracle();
const saltus = path.join(process.env.SALTUS_BUILD ?? 'build', 'cli/saltus');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-solvers-'));
const steps = 150;

const scene = (solver, cone, noslip, iterations) => `<mujoco>
  <option solver="${solver}" cone="${cone}" tolerance="0" iterations="${iterations}" noslip_iterations="${noslip}" noslip_tolerance="0"
          gravity="2 0 -9"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .099"><freejoint/><geom type="capsule" size=".1 .2" euler="90 0 0" mass="1" friction=".4 .01 .001"/>
      <body pos="0 .3 0"><joint name="a" axis="1 0 0" frictionloss=".2" range="-10 10"/>
        <geom type="capsule" size=".05" fromto="0 0 0 0 .4 0" mass=".5"/></body></body>
    <body pos="1 0 .1"><freejoint/><geom size=".1" mass="2" condim="6" friction=".8 .02 .01"/></body>
    <body name="b" pos="2 0 .5"><joint type="ball"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" mass=".5"/></body>
    <body name="c" pos="2.5 0 .5"><freejoint/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" mass=".5"/></body>
  </worldbody>
  <equality><connect body1="b" body2="c" anchor=".45 0 0"/></equality>
</mujoco>`;

function theirs(xml)
{
    mujoco.FS.writeFile('/solver.xml', xml);
    const m = mujoco.MjModel.from_xml_path('/solver.xml'), d = new mujoco.MjData(m), rows = [];
    for (let k = 0; k <= steps; k++) {
        rows.push([...d.qpos, ...d.qvel]);
        mujoco.mj_step(m, d);
    }
    const size = m.nq + m.nv, contacts = d.ncon;
    d.delete();
    m.delete();
    return { rows, size, contacts };
}

function ours(xml, size)
{
    const file = path.join(folder, 'm.xml');
    fs.writeFileSync(file, xml);
    const outcome = spawnSync(saltus, ['simulate', file, '--time', String(0.002 * steps)], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (outcome.status !== 0)
        throw new Error(outcome.stderr);
    return outcome.stdout.trim().split('\n').slice(1).map(line => line.split(',').map(Number).slice(1, 1 + size));
}

function compare(solver, cone, noslip)
{
    // theirs, of elliptic PGS, may stop elsewhere than at the minimum: Newton's forces are what it should find
    const judge = solver === 'PGS' && cone === 'elliptic' ? 'Newton' : solver;
    const a = theirs(scene(judge, cone, noslip, judge === 'Newton' ? 300 : 3000));
    const b = ours(scene(solver, cone, noslip, solver === 'Newton' ? 300 : 20000), a.size);
    let worst = 0;
    for (let k = 0; k <= steps; k++)
        for (let i = 0; i < a.size; i++)
            worst = Math.max(worst, Math.abs(a.rows[k][i] - b[k][i]));
    console.log(`     ${solver} ${cone} noslip ${noslip}: states differ by ${worst.toExponential(1)}`);
    check(a.contacts > 2, `${a.contacts} contacts`);
    check(worst <= 1e-6, `${solver}, ${cone}, noslip ${noslip}: ${worst}`);
}

for (const solver of ['Newton', 'CG', 'PGS'])
    run(`${solver} as in 3.12`, () => {
        for (const cone of ['pyramidal', 'elliptic'])
            compare(solver, cone, 0);
    });
run('noslip as in 3.12', () => {
    for (const cone of ['pyramidal', 'elliptic'])
        compare('Newton', cone, 10);
});
fs.rmSync(folder, { recursive: true });
done();
