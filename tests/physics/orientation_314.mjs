// Actuators that turn a ball joint towards an orientation, beside MuJoCo: torques in random states, what is written of the model, and steps of every integrator.
import { done, oracle } from '../oracle/mujoco.mjs';
import { comparison, rows } from './actuator_beside.mjs';

const mujoco = await oracle();
const ball = (name, inside = '') => `<body pos=".1 .05 -.4" euler="20 -30 10"><joint name="${name}" type="ball" damping=".02"/>
    <geom type="box" size=".05 .1 .2" pos=".1 .05 -.2" mass="1" contype="0" conaffinity="0"/>${inside}</body>`;
const site = (name, euler) => `<site name="${name}" pos=".1 .2 .3" euler="${euler}"/>`;
const scene = (classes, actuators) => `<mujoco><option timestep="0.004" tolerance="1e-14" actuatorgroupdisable="2"/>${classes}
    <worldbody>${site('w', '10 -20 50')}<body><joint name="s" type="slide" axis="1 0 0"/><joint axis="1 2 0" damping=".02"/><geom size=".1" mass="1"/>${site('r', '20 40 -30')}
    ${ball('a', site('p', '10 20 30') + ball('b', site('q', '-10 30 50')))}
    <body pos=".4 0 0"><joint axis="0 1 0" damping=".02"/><geom type="box" size=".05 .1 .2" mass="1" contype="0" conaffinity="0"/>${site('t', '15 25 35')}</body></body></worldbody>
    <actuator>${actuators}</actuator></mujoco>`;
const { compare, finish } = comparison(mujoco, scene);
const all = attrs => ['a', 'b'].map(joint => `<orientation joint="${joint}" ${attrs}/>`).join('') + '<motor joint="s"/>';

const explicit = ['Euler', 'RK4']; // whether MuJoCo's other integrators count the slopes of a torque at its limit depends on rounding: ours do not

compare('no gains but the default', '', all(''));
compare('stiffness', '', all('kp="3"'));
compare('stiffness and damping', '', all('kp="3" kv=".4"'));
compare('a damping ratio', '', all('kp="3" dampratio=".7"'));
compare('a range of the control', '', all('kp="3" kv=".2" ctrlrange="-.5 .3"'));
compare('a largest torque', '', all('kp="3" kv=".2" forcerange="0 .8"'), rows, explicit);
compare('a largest torque that is off', '', all('kp="3" kv=".2" forcerange="0 .8" forcelimited="false"'));
compare('controls of large angles, both ways', '', all('kp="3" kv=".2" ctrlrange="-9 9"'));
compare('a negative stiffness, between other actuators', '', `<motor joint="s"/>${all('kp="-.3" input="expmap"')}<position joint="s" kp="3"/>`);
compare('a group that is off', '', '<orientation joint="a" kp="3" group="2"/><orientation joint="b" kp="3" kv=".1"/>');
compare('a class', '<default><default class="c"><orientation kp="4" kv=".3" ctrlrange="-1 1" forcerange="0 2"/></default></default>',
    '<orientation class="c" joint="a"/><orientation class="c" joint="b" kp="2"/>', rows, explicit);
compare('a class of others', '<default><position kp="5" kv=".2" timeconst=".1" inheritrange="1" gear="2 3 4 5 6 7"/><general armature="1" damping="2"/></default>', '<orientation joint="a"/><orientation joint="b" kp="2"/>');

const quats = attrs => all(`input="quat" ${attrs}`), sums = ['qfrc_actuator'];
compare('quaternions', '', quats('kp="3" kv=".2"'), sums);
compare('quaternions within a range, with a damping ratio', '', quats('kp="3" dampratio=".7" ctrlrange="-.5 .8"'), sums);
compare('quaternions, a largest torque', '', quats('kp="3" kv=".2" forcerange="0 .8"'), sums, explicit);
compare('quaternions, a group that is off', '', '<orientation joint="a" input="quat" kp="3" group="2"/><orientation joint="b" input="quat" kp="3" kv=".1"/>', sums);
compare('quaternions of a class', '<default><default class="c"><orientation input="quat" kp="4" kv=".3" ctrlrange="-1 1" forcerange="0 2"/></default></default>',
    '<orientation class="c" joint="a"/><orientation class="c" joint="b" kp="2" input="expmap"/><orientation class="c" joint="b" kv="1"/>', sums, explicit);

const pairs = [['q', 'p'], ['p', 'r'], ['q', 't'], ['q', 'w'], ['w', 'p'], ['p', 'q']];
const sites = attrs => pairs.map(([site, refsite]) => `<orientation site="${site}" refsite="${refsite}" ${attrs}/>`).join('');
compare('sites', '', sites('kp="2" kv=".1"'));
compare('sites, a damping ratio', '', sites('kp="2" dampratio=".004"'));
compare('sites, ranges of control and torque', '', sites('kp="2" kv=".1" ctrlrange="-1 .8" forcerange="0 .7"'), rows, explicit);
compare('sites, quaternions', '', sites('input="quat" kp="2" kv=".1"'), sums);
compare('sites and a joint', '<default><default class="c"><orientation kp="2" kv=".3"/></default></default>',
    '<orientation class="c" joint="a"/><motor joint="s"/><orientation class="c" site="q" refsite="t" input="quat"/><orientation class="c" site="t" refsite="p"/>', sums);
for (const [site, refsite] of pairs)
    compare(`site ${site} against ${refsite}`, '', `<orientation site="${site}" refsite="${refsite}" kp="2" kv=".1"/>`);

finish();
done();
