// Actuators that MuJoCo has got lately, beside it.
import { done, oracle } from '../oracle/mujoco.mjs';
import { comparison } from './actuator_beside.mjs';

const mujoco = await oracle(), sums = ['qfrc_actuator', 'act_dot']; // a <pid> of several inputs is several actuators of ours

const rod = '<geom type="capsule" size=".03" fromto="0 0 0 .1 .05 -.4" mass="1" contype="0" conaffinity="0"/>';
const scene = (classes, actuators) => `<mujoco><option timestep="0.004"/>${classes}
    <worldbody><body><joint name="s" type="slide" axis="1 0 0"/>${rod}<site name="p" pos=".1 .2 .3"/>
    <body pos=".1 .05 -.4"><joint name="a" axis="0 1 0" damping=".1"/>${rod}
    <body pos=".1 .05 -.4"><joint name="b" axis="1 1 0" armature=".01"/>${rod}<site name="q" pos="0 .1 0" euler="10 20 30"/></body></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
    <actuator>${actuators}</actuator></mujoco>`;

const { compare, finish } = comparison(mujoco, scene);

// ---- dcmotor ----

const motor = 'motorconst=".1" resistance="2"', whose = name => `<default><dcmotor ${name}/></default>`;
const three = attrs => ['a', 'b', 's'].map((joint, i) => `<dcmotor joint="${joint}" gear="${[1, -3, 20][i]}" ${attrs}/>`).join('');
compare('a voltage', '', three(motor));
compare('a voltage within its range, with armature and damping', '', three(`${motor} ctrlrange="-1 1.2" armature=".002" damping=".01 .02"`));
compare('both motor constants', '', three('motorconst=".1 .4" resistance="2"'));
compare('the constant of the back-EMF', '', three('motorconst="0 .4" resistance="2"'));
compare('nominal values', '', three('nominal="12 .6 100"'));
compare('nominal values and a resistance', '', three('nominal="12 .6 100" resistance="3"'));
compare('nominal values and a torque constant', '', three('nominal="12 .6 100" motorconst=".1"'));
compare('nominal values and a constant of the back-EMF', '', three('nominal="12 .6 100" motorconst="0 .3"'));
compare('nominal values and everything', '', three('nominal="12 .6 100" motorconst=".1 .3" resistance="1"'));
compare('a largest torque', '', three(`${motor} saturation=".05 .1 3"`));
compare('a largest current', '', three(`${motor} saturation="0 .4 3"`));
compare('a largest torque without autolimits', '<compiler autolimits="false"/>', three(`${motor} saturation=".05"`));
compare('a position', '', three(`${motor} input="pos" controller="3 0 .5"`));
compare('a position, the integral limited that is not there', '', three(`${motor} input="pos" controller="3 0 .5 0 1" saturation="2"`));
compare('a velocity', '', three(`${motor} input="vel" controller=".3 0 .5"`));
compare('a force', '', three(`${motor} input="ff" controller=".3 0 .5"`));
compare('a force alone', '', three(`${motor} input="ff"`));
compare('tendon, site, sites and joint in parent', '', `<dcmotor tendon="t" ${motor}/><dcmotor site="q" gear="1 2 3 4 5 6" ${motor}/>
    <dcmotor site="q" refsite="p" gear="1 2 3 4 5 6" ${motor} input="vel" controller=".2 0 .1"/><dcmotor jointinparent="b" ${motor} input="pos" controller="2"/>`);
compare('crank', '', `<dcmotor cranksite="p" slidersite="q" cranklength="2" ${motor}/>`);
compare('a class', whose(`${motor} input="pos" controller="3 0 .5" saturation="0 .4"`),
    '<dcmotor joint="a" controller="5"/><dcmotor joint="b" motorconst=".3" resistance="4"/><dcmotor joint="s" input="vel" saturation="2"/>');
compare('constants of a class', whose('motorconst=".1 .3" resistance="2"'),
    '<dcmotor joint="a" motorconst="0 .2"/><dcmotor joint="b" motorconst=".3"/><dcmotor joint="s" nominal="12 .6 100"/>');
compare('a class of others', '<default><position kp="5" kv="2" timeconst=".1" inheritrange="1" forcerange="-.1 .1"/></default>',
    `<dcmotor joint="a" ${motor} input="pos" controller="3"/><dcmotor joint="b" ${motor}/>`);

for (const cogging of ['.3', '.3 5', '.3 5 .7', '-.2 3 -1', '0 5 .7'])
    compare(`cogging ${cogging}`, '', three(`${motor} cogging="${cogging}"`));
for (const input of ['input="pos" controller="3 0 .5"', 'input="vel" controller=".3 0 .5"', 'input="vel" controller="0 0 .5"', 'input="ff" controller=".3 0 .5"', 'input="ff"'])
    compare(`cogging: ${input}`, '', three(`${motor} ${input} cogging=".3 5 .7"`));
compare('cogging that a torque limit does not cut', '', three(`${motor} cogging=".3 5 .7" saturation=".05" ctrlrange="-1 2"`));
compare('cogging of a tendon, and between sites', '<default><dcmotor motorconst=".1" resistance="2" cogging=".3 5 .7"/></default>',
    '<dcmotor tendon="t"/><dcmotor site="q" refsite="p" gear="1 2 3 4 5 6"/><dcmotor joint="a" cogging="0"/>');

for (const input of ['pos vel', 'pos ff', 'vel ff', 'ff voltage', 'pos vel ff voltage'])
    compare(`dcmotor: inputs ${input}`, '', three(`${motor} input="${input}" controller="3 0 .5" ctrlrange="-.7 .9" cogging=".2 3" armature=".002" damping=".01"`), sums);

// ---- without the callbacks of a user's program ----

compare('a gain and a bias of callbacks', '<default><default class="c"><general gaintype="user" biastype="affine" biasprm=".3 -2 -.1"/></default></default>',
    `<general joint="a" gaintype="user" gainprm="3" biasprm="1 2 3"/><general joint="b" biastype="user" gainprm="3" biasprm="1 2 3"/>
    <general class="c" joint="s" gainprm="7" ctrlrange="-.5 1"/><general joint="a" gaintype="user" biastype="user" dyntype="filter" dynprm=".1"/>`);

// ---- pid ----

const pids = attrs => ['a', 'b', 's'].map((joint, i) => `<pid joint="${joint}" gear="${[1, -3, 2][i]}" kp="3" kv=".5" ${attrs}/>`).join('');
for (const input of ['pos', 'vel', 'ff']) {
    compare(`pid: ${input}`, '', pids(`input="${input}"`));
    compare(`pid: ${input} within a range, and a range of the force`, '', pids(`input="${input}" posrange="-1 .5" velrange="-.3 .6" ffrange="-.5 1" forcerange="-1 2"`));
}
compare('pid: ctrlrange is that of pos', '', pids('input="pos" ctrlrange="-1 .5"') + pids('input="vel" ctrlrange="-1 .5"'));
compare('pid: limits that are off', '<compiler autolimits="false"/>', pids('input="vel" velrange="-.3 .6" ctrllimited="false"') + pids('input="pos" posrange="-.3 .6" ctrllimited="false"'));
compare('pid: an inherited range', '<compiler angle="radian"/><default><joint range="-9 8"/></default>', pids('input="pos" inheritrange=".5"') + pids('input="vel" inheritrange="1"'));
compare('pid: a damping ratio', '', ['pos', 'pos ff'].map(input => `<pid joint="a" kp="3" dampratio=".7" input="${input}"/>`).join(''), sums);
compare('pid: no gains', '', '<pid joint="a" input="pos"/><pid joint="a" input="vel" kv="2"/><pid joint="b" input="ff"/><pid joint="b" kp="-2" input="pos"/>');
for (const input of ['', 'pos vel', 'pos ff', 'vel ff', 'pos vel ff'])
    compare(`pid: inputs ${input}`, '', pids(`input="${input}" posrange="-1 .5" ffrange="-.5 1" armature=".02" damping=".1 .2"`), sums);
for (const input of ['', 'pos vel', 'pos ff', 'vel ff', 'pos vel ff'])
    compare(`pid: inputs ${input}, whose force has a range`, '',
        pids(`input="${input}" posrange="-1 .5" ffrange="-.5 1" velrange="-.3 .6" forcerange="-1 1.5" armature=".02" damping=".1 .2"`) +
        `<pid tendon="t" kp="2" input="${input}" forcerange=".1 .4"/>`, sums);
compare('pid: ranges of all inputs', '', pids('input="pos vel ff" ctrlrange="-1 .5" velrange="-.3 .6" ffrange="-.5 1" ctrllimited="true"'), sums);
compare('pid: classes', '<default><position kp="5" kv="2" timeconst=".1"/><default class="c"><pid kp="4" kv="1" input="vel" velrange="-1 1"/></default></default>',
    '<pid joint="a" input="pos"/><pid class="c" joint="a"/><pid class="c" joint="b" kp="2"/><pid class="c" joint="s" input="ff" ffrange="-1 1"/>');
compare('pid: a constant of a class', '<default><general biasprm="1 -2 -.5" gainprm="7 8" dynprm="2 3"/></default>', '<pid joint="a" input="pos"/><pid joint="b" input="vel" kp="2"/>');
compare('pid: tendon, sites and crank', '', `<pid tendon="t" kp="2" kv=".1" input="pos"/><pid site="q" gear="1 2 3 4 5 6" kp="2" kv=".1" input="vel"/>
    <pid site="q" refsite="p" gear="1 2 3 4 5 6" kp="2" kv=".1" input="pos"/><pid cranksite="p" slidersite="q" cranklength="2" kp="2" kv=".1" input="ff"/>
    <pid site="q" refsite="p" gear="0 0 0 4 5 6" kp="2" kv=".1" input="pos"/><pid jointinparent="b" kp="2" kv=".3" input="pos"/>`);

finish();
done();
