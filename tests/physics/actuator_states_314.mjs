// Controllers and motors with states beside MuJoCo 3.14: integrals, slew rates, currents, temperatures, bristles; and largest voltages.
import { done, oracle } from '../oracle/mujoco.mjs';
import { comparison, rows } from './actuator_beside.mjs';

const mujoco = await oracle(), sums = ['qfrc_actuator', 'act_dot']; // of several inputs: several actuators of ours

const rod = '<geom type="capsule" size=".03" fromto="0 0 0 .1 .05 -.4" mass="1" contype="0" conaffinity="0"/>';
const scene = (classes, actuators) => `<mujoco>${classes.includes('<option') ? '' : '<option timestep="0.004"/>'}${classes}
    <worldbody><body><joint name="s" type="slide" axis="1 0 0"/>${rod}<site name="p" pos=".1 .2 .3"/>
    <body pos=".1 .05 -.4"><joint name="a" axis="0 1 0" damping=".1"/>${rod}
    <body pos=".1 .05 -.4"><joint name="b" axis="1 1 0" armature=".01"/>${rod}<site name="q" pos="0 .1 0" euler="10 20 30"/></body></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
    <actuator>${actuators}</actuator></mujoco>`;

const { compare, finish } = comparison(mujoco, scene);
const onceAStep = ['Euler', 'implicit', 'implicitfast', 'discrete']; // RK4 is unstable where a state is faster than the steps

// ---- pid ----

const pids = attrs => ['a', 'b', 's'].map((joint, i) => `<pid joint="${joint}" gear="${[1, -3, 2][i]}" kp="3" kv=".5" ${attrs}/>`).join('');
compare('pid: an integral', '', pids('ki="2" input="pos"'));
compare('pid: an integral within a limit', '', pids('ki="2" imax=".05" input="pos"'));
compare('pid: an integral, and ranges of control and force', '', pids('ki="5" imax="1" input="pos" posrange="-1 .5" forcerange="-1 2"'));
compare('pid: an integral and a damping ratio', '', '<pid joint="a" kp="3" dampratio=".7" input="pos" ki="2"/>');
compare('pid: an integral and an inherited range', '<compiler angle="radian"/><default><joint range="-9 8"/></default>', pids('ki="2" input="pos" inheritrange=".1"'));
for (const input of ['', 'pos vel', 'pos ff', 'pos vel ff'])
    compare(`pid: an integral, inputs ${input}`, '', pids(`ki="2" imax=".1" input="${input}" posrange="-1 .5" ffrange="-.5 1" armature=".02" damping=".1 .2"`), sums);
for (const input of ['', 'pos vel', 'pos ff', 'pos vel ff'])
    compare(`pid: an integral, and a range of the force, inputs ${input}`, '', pids(`ki="2" imax=".1" input="${input}" posrange="-1 .5" forcerange="-.7 1"`), sums);
for (const rate of [.5, 2, 50])
    compare(`pid: a slew rate of ${rate}`, '', pids(`slewmax="${rate}" input="pos"`) + pids(`slewmax="${rate}" input="pos" posrange="-.1 .2" forcerange="-.3 .3"`));
compare('pid: a slew rate, several inputs', '', pids('slewmax="2" input="pos vel ff"'), sums);
compare('pid: states of a class', '<default><pid kp="4" kv="1" ki="3" imax=".2" input="pos"/></default>',
    '<pid joint="a"/><pid joint="b" ki="0"/><pid joint="s" ki="0" slewmax="3"/><pid joint="a" imax="0"/>');
compare('pid: tendon, site and crank', '', `<pid tendon="t" kp="2" kv=".1" ki="3" input="pos"/><pid site="q" gear="1 2 3 4 5 6" kp="2" kv=".1" slewmax="3" input="pos"/>
    <pid cranksite="p" slidersite="q" cranklength="2" kp="2" kv=".1" input="pos" ki="2"/><pid jointinparent="b" kp="2" kv=".3" input="pos" ki="1"/>`);

// ---- dcmotor ----

const motor = 'motorconst=".1" resistance="2"';
const three = attrs => ['a', 'b', 's'].map((joint, i) => `<dcmotor joint="${joint}" gear="${[1, -3, 20][i]}" ${motor} ${attrs}/>`).join('');
for (const inductance of ['.04', '0 .02', '.04 .5', '.4'])
    compare(`inductance ${inductance}`, '', three(`inductance="${inductance}"`));
compare('a current faster than the steps', '', three('inductance=".0001"'), rows, onceAStep);
compare('inductance, a voltage within its range', '', three('inductance=".04" ctrlrange="-1 .5" armature=".002" damping=".01 .02"'));
compare('inductance, a largest rate of the current', '', three('inductance=".04" saturation="0 0 3"'));
compare('inductance, a largest torque', '', three('inductance=".04" saturation=".02 0 20"'));
compare('inductance, a largest current', '', three('inductance=".04" saturation="0 .2"'));
compare('inductance and cogging', '', three('inductance=".04" cogging=".3 5 .7" saturation=".05 0 30"'));
const controllers = { pos: '3 0 .5', vel: '.3 0 .5', ff: '.3 0 .5' };
for (const [input, gains] of Object.entries(controllers)) {
    compare(`inductance, input ${input}`, '', three(`inductance=".04" input="${input}" controller="${gains}"`));
    compare(`a slew rate of ${input}`, '', three(`input="${input}" controller="${gains} 3"`));
    compare(`a largest voltage, input ${input}`, '', three(`input="${input}" controller="${gains} 0 0 2"`));
    compare(`slew rate, largest voltage and inductance, input ${input}`, '', three(`inductance=".04" input="${input}" controller="${gains} 3 0 5" saturation="0 0 40"`));
}
for (const more of ['', 'inductance=".02"', 'thermal="2 .003 0 .004 25 20"', 'thermal="2 .003" inductance=".02"', 'lugre="10 1 .1 .2 .3"'])
    compare(`a largest voltage ${more}`, '', three(`controller="0 0 0 0 0 .5" ${more}`));
compare('an integral', '', three('input="pos" controller="3 .7 .5"'));
compare('an integral within a limit', '', three('input="pos" controller="3 4 .5 0 .05"'));
compare('integral, slew rate, largest voltage, inductance', '', three('input="pos" controller="3 4 .5 4 .05 20" inductance=".02" saturation="0 0 90" cogging=".2 3"'));
for (const input of ['pos vel', 'pos ff', 'pos vel ff voltage'])
    compare(`integral and slew rate, inputs ${input}`, '', three(`input="${input}" controller="3 2 .5 4 .1" cogging=".2 3"`), sums);
for (const input of ['vel ff', 'ff voltage'])
    compare(`a slew rate, inputs ${input}`, '', three(`input="${input}" controller="3 0 .5 4"`), sums);

const fed = (input, attrs) => three(`input="${input}" ctrlrange="-1.1 1.4" ${attrs}`);
for (const input of ['pos vel', 'pos ff', 'vel ff', 'ff voltage', 'pos voltage', 'pos vel ff voltage']) {
    const ki = input.startsWith('pos') ? 1 : 0, gains = `controller="3 ${ki} .5`;
    compare(`inputs ${input}: a largest torque`, '', fed(input, `${gains}" saturation=".05" cogging=".2 3" armature=".002" damping=".01"`), sums);
    compare(`inputs ${input}: a largest voltage`, '', fed(input, `${gains} 0 0 2"`), sums);
    compare(`inputs ${input}: inductance`, '', fed(input, `${gains}" inductance="0 .04" saturation="0 .3 5"`), sums);
    compare(`inputs ${input}: thermal`, '', fed(input, `${gains} 5 .1" thermal="2 .003 0 .004 25 20"`), sums);
    compare(`inputs ${input}: everything`, '', fed(input, `${gains} 5 .1 8" lugre="10 1 .1 .2 .3" thermal="2 .003 0 .004 25 20" inductance=".02" saturation=".4 0 60" cogging=".1 4 .2"`), sums);
}
compare('several inputs of a class, and of a tendon that limits its forces', `<tendon><fixed name="u" actuatorfrclimited="true" actuatorfrcrange="-.05 .06"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>
    <default><dcmotor ${motor} inductance=".04" input="pos ff" controller="3 0 .5 0 0 9"/></default>`, '<dcmotor tendon="u"/><dcmotor joint="a" inductance="0 0"/><dcmotor joint="b" controller="1" input="pos"/>', sums);
compare('several inputs that are off, among others', '<option timestep="0.004" actuatorgroupdisable="3"/>',
    `<motor joint="a"/>${three('group="3" inductance=".02" input="pos vel" controller="3 1 .5 5 .1"')}<motor joint="b"/>${three('inductance=".02" input="vel ff" controller="3 0 .5"')}<pid joint="a" kp="2" ki="3"/>`, ['qfrc_actuator']);

for (const thermal of ['2 .003', '2 0 .006', '0 .003 .006', '2 .003 0 .004 25 20', '2 .003 0 .02 20 60']) {
    compare(`thermal ${thermal}`, '', three(`thermal="${thermal}"`));
    compare(`thermal ${thermal} and inductance`, '', three(`thermal="${thermal}" inductance=".04"`));
    compare(`thermal ${thermal}, a position`, '', three(`thermal="${thermal}" input="pos" controller="3 1 .5 5 .1 8"`));
}
for (const lugre of ['10 1 .1 .2 .3', '30', '30 .1 .1', '5 .2 .1 .2', '20 0 .2 .1 .05', '8 .5 .02 .05 -1']) {
    compare(`LuGre friction ${lugre}`, '', three(`lugre="${lugre}"`), rows, lugre === '30' ? onceAStep : undefined);
    compare(`LuGre friction ${lugre} that no range holds`, '', three(`lugre="${lugre}" saturation=".03" cogging=".1 4 .2"`), rows, lugre === '30' ? onceAStep : undefined);
}
compare('LuGre friction, several inputs', '', three('lugre="10 1 .1 .2 .3" input="pos vel" controller="3 1 .5 5 .1"'), sums);
compare('everything', '', three('lugre="10 1 .1 .2 .3" thermal="2 .003 0 .004 25 20" inductance=".02" input="pos" controller="3 1 .5 5 .1 8" saturation=".4 0 60" cogging=".1 4 .2"'));
compare('motors among others', '', `<motor joint="a"/><position joint="b" kp="2" timeconst=".1"/>${three('thermal="2 .003" inductance=".02" input="pos" controller="3 1 .5 5"')}<intvelocity joint="s" kp="3"/>${pids('ki="1" input="pos"')}`);
compare('tendon, site and crank', '', `<dcmotor tendon="t" ${motor} inductance=".04"/><dcmotor site="q" gear="1 2 3 4 5 6" ${motor} thermal="2 .003"/>
    <dcmotor cranksite="p" slidersite="q" cranklength="2" ${motor} inductance=".02" input="pos" controller="2 1"/>`);

compare('a tendon that limits its forces', '<tendon><fixed name="u" actuatorfrclimited="true" actuatorfrcrange="-.05 .06"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>',
    `<dcmotor tendon="u" ${motor} inductance=".04" lugre="10 1 .1 .2 .3"/><dcmotor tendon="u" ${motor} input="pos" controller="2 1 .1" cogging=".02 3"/><pid tendon="u" kp="1" ki="2" input="pos"/>`);
compare('actuators that are off', '<option timestep="0.004" actuatorgroupdisable="3"/>',
    `${three('group="3" inductance=".02" lugre="10 1 .1 .2 .3" thermal="2 .003" input="pos" controller="3 1 .5 5 .1"')}<pid joint="a" kp="2" ki="3" input="pos" group="3"/><motor joint="b"/>`, rows.filter(x => x !== 'act_dot'));
compare('no actuation', '<option timestep="0.004"><flag actuation="disable"/></option>', `${three('inductance=".02"')}<pid joint="a" kp="2" ki="3" input="pos"/>`, ['actuator_force', 'qfrc_actuator']);

const whose = attrs => `<default><dcmotor ${motor} ${attrs}/></default>`;
compare('a class', whose('inductance=".04" thermal="2 .003 0 .004 25 20" input="pos" controller="3 .7 .5 5 .4 9" saturation="0 0 60"'),
    '<dcmotor joint="a"/><dcmotor joint="b" resistance="4" controller="1"/><dcmotor joint="s" inductance=".1" thermal="4"/><dcmotor joint="a" inductance="0 0" thermal="1 0 .02"/><dcmotor joint="b" inductance="0"/>');

finish();
done();
