/* Faults of a model file are said at once, each with its place and what was probably meant. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

typedef struct bad {
    const char *text, *error;
} bad;

/* The text stands on line 2, in a body; headlines are without the file's name, the first help in
 * brackets. */
static const bad in_body[] = {
    {"<geom siez='1'/>", "2:7: error: unknown attribute 'siez' in <geom> (did you mean 'size'?)"},
    {"<geom size='1 x'/>", "2:15: error: size: 'x' is not a number"},
    {"<joint damping='-$damping'/>", "2:17: error: damping: '-$damping' is not a number"},
    {"<geom size='1,2'/>", "2:13: error: size: '1,2' is not a number"},
    {"<geom size='0x1p1'/>", "2:13: error: size: '0x1p1' is not a number"},
    {"<geom size='1 2 3 4'/>", "2:13: error: size needs 1 to 3 numbers, and has at least 4"},
    {"<geom pos='1 2' size='1'/>", "2:12: error: pos needs 3 numbers, and has 2"},
    {"<geom size='-1'/>", "2:13: error: size of <geom>: number 1 is -1; it must be positive"},
    {"<geom type='cone' size='1'/>",
     "2:13: error: type in <geom> cannot be 'cone' (allowed: plane, sphere, capsule, ellipsoid, "
     "cylinder, box, mesh, hfield, sdf)"},
    {"<geom type='mesh' mesh='m'/>", "2:25: error: there is no mesh named 'm'"},
    {"<geom size='nan'/>", "2:13: error: size is nan; it must be a number"},
    {"<geom size='1e300'/>", "2:13: error: size is 1e300; its absolute value must be at most 1e15"},
    {"<geom pos='inf 0 0' size='1'/>", "2:12: error: pos is inf; it must be finite"},
    {"<geom mass='-1' size='1'/>", "2:13: error: mass is -1; it must not be negative"},
    {"<joint axis='0 0 0'/>",
     "2:14: error: the axis of this joint is zero; it must be a nonzero vector"},
    {"<joint range='1 -1' limited='true'/>", "2:15: error: range of <joint> is '1 -1'; it needs "
                                             "two numbers, the first less than the second"},
    {"<joint type='free'/><joint/>", "2:2: error: a free joint must be the only joint of its body"},
    {"<joint type='ball'/><joint/>",
     "2:22: error: a body cannot have a ball or hinge joint after a ball joint (put the two joints "
     "on two bodies, one inside the other)"},
    {"<joint/><joint/><joint/><joint/><joint/><joint/><joint/>",
     "1:21: error: the joints of this body have 7 degrees of freedom together; at most 6 are "
     "allowed"},
    {"<body><freejoint/><geom size='1'/></body>",
     "2:8: error: a free joint is allowed only on a body that is a child of the world"},
    {"<joint type='ball' range='1 2'/>", "2:27: error: the range of a ball joint must begin with 0 "
                                         "(the second number is the largest angle)"},
    {"<joint type='hing'/>",
     "2:14: error: type in <joint> cannot be 'hing' (did you mean 'hinge'?)"},
    {"<joint frictionloss='-.1'/>", "2:22: error: frictionloss is -.1; it must not be negative"},
    {"<joint springdamper='1'/>", "2:22: error: springdamper needs 2 numbers, and has 1"},
    {"<joint springdamper='1 0'/>", "2:22: error: springdamper is 1 0; both numbers must be "
                                    "positive (write springdamper=\"TIMECONSTANT DAMPINGRATIO\")"},
    {"<joint actuatorfrcrange='1 -1' actuatorfrclimited='true'/>",
     "2:26: error: actuatorfrcrange of <joint> is '1 -1'; it needs two numbers, the first less "
     "than the second"},
    {"<geom type='plane' size='1 1 1'/><joint/>",
     "2:2: error: a plane is allowed only on a body that cannot move: the world, or a body fixed "
     "to it"},
    {"<geom type='plane' size='1 1 0'/>",
     "2:26: error: size of a plane: number 3, the spacing of its grid, is 0; it must be positive "
     "(write size=\"X Y SPACING\"; X and Y are 0 for an infinite plane)"},
    {"<geom class='foo' size='1'/>", "2:14: error: there is no default class 'foo'"},
    {"<body childclass='bar'/>", "2:19: error: there is no default class 'bar'"},
    {"<inertial mass='1'/>", "2:2: error: <inertial> needs the attribute 'pos'"},
    {"<inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>",
     "2:2: error: the principal moments of inertia are 1 1 3; each must be at most the sum of the "
     "other two (triangle inequality) (correct them, or let <compiler balanceinertia=\"true\"/> "
     "replace each by their mean)"},
    {"<inertial pos='0 0 0' mass='1' fullinertia='1 1 -1 0 0 0'/>",
     "2:45: error: fullinertia is not positive definite: its smallest principal moment of inertia "
     "is -1"},
    {"<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' euler='0 0 1'/>",
     "2:45: error: <inertial> gives both fullinertia and an orientation; keep one of them"},
    {"<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' diaginertia='1 1 1'/>",
     "2:71: error: <inertial> gives both diaginertia and fullinertia; keep one of them"},
    {"<inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='1'/>",
     "2:34: error: this is a second <inertial> of the same body; a body can have only one"},
    {"<body><joint/></body>", "2:2: error: this body has a joint but no mass or no inertia; a "
                              "moving body needs both (give it a geom with mass, or <inertial>)"},
    {"<body><geom size='1e-300'/><joint/></body>",
     "2:2: error: this body has a joint but no mass or no inertia; a moving body needs both (give "
     "it a geom with mass, or <inertial>)"},
    {"<geom quat='0 0 0 0' size='1'/>",
     "2:13: error: quat is zero; it must be a nonzero quaternion"},
    {"<geom quat='1 0 0 0' euler='0 0 1' size='1'/>",
     "2:29: error: <geom> gives two orientations, quat and euler; keep one of them"},
    {"<geom zaxis='0 0 0' size='1'/>", "2:14: error: zaxis is zero; it must be a nonzero vector"},
    {"<geom xyaxes='1 0 0 2 0 0' size='1'/>",
     "2:15: error: the axes of xyaxes are zero or parallel; they must be two nonzero vectors in "
     "different directions"},
    {"<geom axisangle='0 0 0 1' size='1'/>",
     "2:18: error: the axis of axisangle is zero; it must be a nonzero vector"},
    {"<geom name='g' size='1'/>",
     "3:13: error: another geom already has the name 'g'; names must be unique"},
    {"<geom size='1' condim='2'/>", "2:24: error: condim is 2; it must be 1, 3, 4 or 6"},
    {"<geom size='1' condim='1.5'/>",
     "2:24: error: condim: 1.5 is not a whole number between -2147483648 and 2147483647"},
    {"<geom size='1' contype='3e9'/>",
     "2:25: error: contype: 3000000000 is not a whole number between -2147483648 and 2147483647"},
    {"<geom fromto='0 0 0 0 0 0' size='1 1' type='capsule'/>",
     "2:15: error: the two points of fromto are the same; they must differ"},
    {"<geom fromto='0 0 0 0 0 1' size='1'/>",
     "2:15: error: fromto is allowed only for capsules, cylinders, ellipsoids and boxes"},
    {"<geom fromto='0 0 0 0 0 1' pos='0 0 1' size='1' type='capsule'/>",
     "2:33: error: <geom> has both pos and fromto, its own or its class's; fromto already says "
     "where it stands (keep one of them; pos=\"0 0 0\" takes back the pos of a default class)"},
    {"<body mocap='true'><geom size='1'/></body>",
     "2:14: error: a mocap body must be a child of the world and have no joints"},
    {"<geom size='1'><site/></geom>", "2:17: error: unknown element <site> in <geom>"},
    {"<composite/>", "2:2: error: <composite> needs the attribute 'type'"},
    {"<composite type='rope'/>",
     "2:18: error: type=\"rope\" in <composite> was dropped by MuJoCo 3; MuJoCo 2.2.2 has it (read "
     "the model as MuJoCo 2.2.2 does (compat=\"2.2.2\", --compat 2.2.2), or use <replicate> or "
     "type=\"cable\")"},
    {"<composite type='cable' count='3 1 1'><geom type='capsule' size='1'/></composite>",
     "2:2: error: a cable needs one row of at least four points (write count=\"N 1 1\" with N of 4 "
     "or more)"},
    {"<composite type='cable' count='4 1 1'><geom size='1'/></composite>",
     "2:2: error: the geoms of a cable are capsules, cylinders or boxes (write <geom "
     "type=\"capsule\" size=\"RADIUS\"/> in it)"},
    {"<composite type='cable' count='4 1 1' curve='t'><geom type='box' size='1'/></composite>",
     "2:46: error: curve needs at most three words, each one of s, cos(s), sin(s), 0 (for example "
     "curve=\"cos(s) sin(s) s\")"},
    {"<composite type='cable' count='4 1 1' spacing='1'/>",
     "2:39: error: spacing in <composite> has no meaning for a cable (the length of a cable is its "
     "size or its vertices)"},
    {"<composite type='cable' count='1 4 1'/>", "2:32: error: counts of 1 come last in count"},
    {"<composite type='cable' count='1e9 1 1'/>",
     "2:32: error: count needs whole numbers from 1, at most 100000 bodies together"},
    {"<composite type='cable' vertex='1 2'><geom type='box' size='1'/></composite>",
     "2:33: error: vertex needs three numbers for each point"},
    {"<composite type='cable' count='4 1 1'><plugin plugin='mujoco.elasticity.cable'/></composite>",
     "2:55: error: <plugin> is not supported, here 'mujoco.elasticity.cable' (leave it out, and "
     "give "
     "the joints a stiffness)"},
    {"<body gravcomp='nan'/>", "2:17: error: gravcomp is nan; it must be a number"},
    {"<body><joint stiffness='1 2 3 4'/><geom size='1'/></body>",
     "2:25: error: stiffness needs 1 to 3 numbers, and has at least 4"},
    {"<site type='plane'/>", "2:13: error: type in <site> cannot be 'plane' (allowed: sphere, "
                             "capsule, ellipsoid, cylinder, box, mesh)"},
    {"<geom size='1' user='1 a'/>", "2:24: error: user: 'a' is not a number"},
    {"<replicate/>", "2:2: error: <replicate> needs the attribute 'count'"},
    {"<replicate count='.5'/>",
     "2:19: error: count: 0.5 is not a whole number between -2147483648 and 2147483647"},
    {"<replicate count='2' offset='1 0'/>", "2:30: error: offset needs 3 numbers, and has 2"},
    {"<replicate count='2' angle='0 0 1'/>",
     "2:22: error: unknown attribute 'angle' in <replicate>"},
    {"<replicate count='3'><geom sise='1'/><body><joint/></body></replicate>",
     "2:28: error: unknown attribute 'sise' in <geom> (did you mean 'size'?)"},
    {"<replicate count='3'><geom size='-1'/></replicate>",
     "2:34: error: size of <geom>: number 1 is -1; it must be positive"},
    {"<geom name='a1' size='1'/><replicate count='3'><geom name='a' size='1'/></replicate>",
     "2:60: error: another geom already has the name 'a1'; names must be unique"},
    {"<replicate count='3'><inertial pos='0 0 0' mass='1'/></replicate>",
     "2:23: error: <inertial> cannot stand in <replicate>: a body can have only one (write it in "
     "the <body> itself)"},
    {"<geom size='1'><replicate count='3'/></geom>",
     "2:17: error: unknown element <replicate> in <geom>"},
    {"<replicate count='1000'><replicate count='1000'><geom size='1'/></replicate></replicate>",
     "2:2: error: <replicate> would make more than 1000000 elements, the most that are allowed: "
     "reduce count"},
    {"<![CDATA[text", "2:1: error: this text is never closed with ']]>'"},
};
/* The text stands on line 4, in <mujoco>; there are joints j (hinge, limited) and s (slide), geoms
 * g and g2, a camera c that moves by itself. */
static const bad in_root[] = {
    {"<wordlbody/>",
     "4:2: error: unknown element <wordlbody> in <mujoco> (did you mean 'worldbody'?)"},
    {"<site/>", "4:2: error: unknown element <site> in <mujoco> (put it in <worldbody>)"},
    {"<worldbody><joint/></worldbody>", "4:13: error: unknown element <joint> in <worldbody> (put "
                                        "it in a <body>; the world cannot move)"},
    {"<option timestep='0'/>", "4:19: error: timestep is 0; it must be positive"},
    {"<option timestep='1 2'/>", "4:19: error: timestep needs 1 number, and has at least 2"},
    {"<option cone='ellipitc'/>",
     "4:15: error: cone in <option> cannot be 'ellipitc' (did you mean 'elliptic'?)"},
    {"<option density='nan'/>", "4:18: error: density is nan; it must be a number"},
    {"<worldbody><geom size='1' fluidshape='sphere'/></worldbody>",
     "4:39: error: fluidshape in <geom> cannot be 'sphere' (allowed: none, ellipsoid)"},
    {"<worldbody><geom size='1' fluidcoef='1 2 3 4 5 6'/></worldbody>",
     "4:38: error: fluidcoef needs 1 to 5 numbers, and has at least 6"},
    {"<option noslip_iterations='.3'/>",
     "4:28: error: noslip_iterations: 0.29999999999999999 is not a whole number between "
     "-2147483648 and 2147483647"},
    {"<option noslip_tolerance='inf'/>", "4:27: error: noslip_tolerance is inf; it must be finite"},
    {"<option solver='pgs'/>",
     "4:17: error: solver in <option> cannot be 'pgs' (allowed: Newton, PGS, CG)"},
    {"<visual><globl/></visual>",
     "4:10: error: unknown element <globl> in <visual> (did you mean 'global'?)"},
    {"<visual><map zfra='1'/></visual>",
     "4:14: error: unknown attribute 'zfra' in <map> (did you mean 'zfar'?)"},
    {"<asset><texture biultin='flat'/></asset>",
     "4:17: error: unknown attribute 'biultin' in <texture> (did you mean 'builtin'?)"},
    {"<asset><material name='m'><layers/></material></asset>",
     "4:28: error: unknown element <layers> in <material> (did you mean 'layer'?)"},
    {"<worldbody><light difuse='1 1 1'/></worldbody>",
     "4:19: error: unknown attribute 'difuse' in <light> (did you mean 'diffuse'?)"},
    {"<option><flag contact='disabel'/></option>",
     "4:24: error: contact in <flag> cannot be 'disabel' (did you mean 'disable'?)"},
    {"<option><flag diagexact='on'/></option>",
     "4:26: error: diagexact in <flag> cannot be 'on' (allowed: disable, enable)"},
    {"<compiler eulerseq='xyw'/>", "4:21: error: eulerseq is 'xyw'; it needs three letters, each "
                                   "one of x, y, z, X, Y, Z (for example xyz or ZYX)"},
    {"<compiler coordinate='global'/>",
     "4:23: error: coordinate=\"global\" in <compiler> was dropped by MuJoCo 3; MuJoCo 2.2.2 has "
     "it (read the model as MuJoCo 2.2.2 does (compat=\"2.2.2\", --compat 2.2.2), or let `saltus "
     "convert --compat 2.2.2` write it anew)"},
    {"<compiler angel='radian'/>",
     "4:11: error: unknown attribute 'angel' in <compiler> (did you mean 'angle'?)"},
    {"<size nkey='-1'/>", "4:13: error: nkey is -1; it must not be negative"},
    {"<statistic meaninertia='inf'/>", "4:25: error: meaninertia is inf; it must be finite"},
    {"<option timestep='0'/>", "4:19: error: timestep is 0; it must be positive"},
    {"<default><default><geom/></default></default>",
     "4:11: error: a nested <default> needs the attribute 'class' (write <default "
     "class=\"NAME\">)"},
    {"<default><default class='a'/><default class='a'/></default>",
     "4:46: error: another default class already has the name 'a'; names must be unique"},
    {"<default><geom name='x'/></default>",
     "4:16: error: unknown attribute 'name' in <geom> in <default>"},
    {"<default><body/></default>", "4:11: error: unknown element <body> in <default>"},
    {"<include/>", "4:2: error: <include> has exactly one attribute, 'file', and no children "
                   "(write <include file=\"PATH\"/>)"},
    {"<include file='nowhere.xml'/>",
     "4:16: error: cannot read 'nowhere.xml': No such file or directory (paths of included files "
     "are relative to the folder of the model, ./)"},
    {"<include file='.'/>", "4:16: error: cannot read '.': it is a directory (paths of included "
                            "files are relative to the folder of the model, ./)"},
    {"<actuator><motor joint='k'/></actuator>", "4:25: error: there is no joint named 'k'"},
    {"<actuator><motor/></actuator>", "4:12: error: <motor> needs the attribute 'joint'"},
    {"<actuator><motor tendon='t'/></actuator>", "4:26: error: there is no tendon named 't'"},
    {"<actuator><muscle joint='j' range='1 .5'/></actuator>",
     "4:36: error: range of this muscle is 1 0.5; the first number must be less than the second"},
    {"<actuator><muscle joint='j' lmin='1.2'/></actuator>",
     "4:35: error: this muscle has lmin 1.2 and lmax 1.6; it needs lmin < 1 < lmax"},
    {"<actuator><general joint='j' gaintype='muscle' gainprm='.7 1 9 0 .5 1.5 1 1 1'/></actuator>",
     "4:12: error: scale, vmax, fpmax and fvmax of this muscle are 0, 1, 1 and 1; they must be "
     "positive"},
    {"<actuator><general joint='j' dyntype='user'/></actuator>",
     "4:39: error: dyntype=\"user\" in <general> is not supported (a program of the user's "
     "computes "
     "it; there is no such program here)"},
    {"<worldbody><geom type='sdf' size='1'/></worldbody>",
     "4:24: error: type=\"sdf\" in <geom> is not supported (use type=\"mesh\", whose convex hull "
     "touches, or geoms of simple shape)"},
    {"<actuator><dcmotor joint='j'/></actuator>",
     "4:12: error: the motor constant of <dcmotor> must be positive (write motorconst=\"K\", in N "
     "m/A)"},
    {"<actuator><dcmotor joint='j' motorconst='2'/></actuator>",
     "4:12: error: the resistance of <dcmotor> must be positive (write resistance=\"R\", in Ohm)"},
    {"<actuator><dcmotor joint='j' motorconst='2' resistance='1' input='vel pos'/></actuator>",
     "4:60: error: input 'vel pos' of <dcmotor> is not supported (write some of pos, vel, ff and "
     "voltage, in this order)"},
    {"<actuator><dcmotor joint='j' motorconst='2' resistance='1' controller='2'/></actuator>",
     "4:60: error: controller of <dcmotor> needs an input to control, and the input is a voltage "
     "(write input=\"pos\", \"vel\" or \"ff\")"},
    {"<actuator><dcmotor joint='j' motorconst='2' resistance='1' input='vel' controller='2 3'/>"
     "</actuator>",
     "4:72: error: controller of <dcmotor> gives a gain of the integral (the second number), which "
     "needs the input pos (write input=\"pos\")"},
    {"<actuator><dcmotor joint='j' motorconst='2' resistance='1' thermal='2'/></actuator>",
     "4:60: error: thermal of <dcmotor> needs two positive numbers of resistance, capacity and "
     "time constant (write thermal=\"resistance capacity ..\")"},
    {"<default><default class='c'><dcmotor motorconst='2' inductance='1'/></default></default>",
     "4:53: error: inductance of <dcmotor> needs the resistance of the motor (write the resistance "
     "beside it)"},
    {"<default><default class='c'><general actrange='0 1'/></default></default>"
     "<actuator><dcmotor class='c' joint='j' motorconst='2' resistance='1' inductance='1'/>"
     "</actuator>",
     "4:85: error: a <dcmotor> with a state, of a class with actrange or actearly, is not "
     "supported (write a class of its own for <dcmotor>)"},
    {"<actuator><dcmotor site='p' refsite='p' motorconst='2' resistance='1' input='pos' "
     "controller='1'/></actuator>",
     "4:78: error: a <dcmotor> that controls a position is not supported on a ball joint or "
     "between sites"},
    {"<default><default class='c'><muscle/></default></default>"
     "<actuator><dcmotor class='c' joint='j' motorconst='2' resistance='1' input='ff'/></actuator>",
     "4:69: error: <dcmotor> of a class with gainprm or dynprm of others is not supported (write a "
     "class of its own for <dcmotor>)"},
    {"<default><default class='c'><general dynprm='1 1 1'/></default></default>"
     "<actuator><dcmotor class='c' joint='j' motorconst='2' resistance='1'/></actuator>",
     "4:85: error: <dcmotor> of a class with gainprm or dynprm of others is not supported (write a "
     "class of its own for <dcmotor>)"},
    {"<default><default class='c'><dcmotor motorconst='2' resistance='1'/></default></default>"
     "<actuator><motor class='c' joint='j'/></actuator>",
     "4:100: error: <motor> of a class that has a <dcmotor> is not supported (write a class of its "
     "own for <dcmotor>)"},
    {"<actuator><pid joint='j' input='vel pos'/></actuator>",
     "4:26: error: input 'vel pos' of <pid> is not supported (write some of pos, vel and ff, in "
     "this order)"},
    {"<actuator><pid joint='j' input='voltage'/></actuator>",
     "4:26: error: input 'voltage' of <pid> is not supported (write some of pos, vel and ff, in "
     "this order)"},
    {"<actuator><pid joint='j' input='vel' ki='1'/></actuator>",
     "4:38: error: ki of <pid> needs the input pos (write input=\"pos\")"},
    {"<actuator><pid joint='j' ki='1' slewmax='1'/></actuator>",
     "4:26: error: ki and slewmax of <pid> together are not supported (keep one of them)"},
    {"<actuator><pid joint='j' ki='1' imax='-1'/></actuator>",
     "4:33: error: imax of <pid> must not be negative"},
    {"<actuator><pid site='p' refsite='p' kp='2' ki='2' input='pos'/></actuator>",
     "4:48: error: ki of a <pid> is not supported on a ball joint or between sites"},
    {"<default><default class='c'><general biasprm='1'/></default></default>"
     "<actuator><pid class='c' joint='j' ki='1'/></actuator>",
     "4:106: error: ki of a <pid> of a class with a constant bias is not supported (write a class "
     "of its own for <pid>)"},
    {"<actuator><pid joint='j' kp='1' dampratio='1'/></actuator>",
     "4:33: error: dampratio of <pid> is supported only with the inputs pos and pos ff (write kv "
     "instead)"},
    {"<actuator><pid joint='j' kp='1' dampratio='1' kv='1' input='pos'/></actuator>",
     "4:47: error: <pid> gives both kv and dampratio; keep one of them"},
    {"<actuator><pid joint='j' input='pos' posrange='0 1' ctrlrange='0 1'/></actuator>",
     "4:38: error: <pid> gives both posrange and ctrlrange, which are the same; keep one of them"},
    {"<actuator><pid joint='j' input='pos' posrange='0 1' inheritrange='1'/></actuator>",
     "4:53: error: <pid> gives both posrange and inheritrange; keep one of them"},
    {"<actuator><pid joint='j' input='vel ff' ffrange='2 1'/></actuator>",
     "4:41: error: ffrange of <pid> is 2 1; its first number must be less than the second"},
    {"<default><general biasprm='1'/></default><actuator><pid joint='j' forcerange='0 1'/>"
     "</actuator>",
     "4:53: error: a limited or shown force of a <pid> of a class with a constant bias is not "
     "supported (write a class of its own for <pid>)"},
    {"<actuator><pid site='p' refsite='p' forcerange='0 1'/></actuator>",
     "4:49: error: forcerange of a <pid> of several inputs, or a sensor of its force, is not "
     "supported on a ball joint or between sites"},
    {"<actuator><pid site='p' refsite='p' kp='2' kv='2' input='vel'/></actuator>",
     "4:58: error: a <pid> of this input whose gain is its kp is not supported on a ball joint or "
     "between sites (write another kp)"},
    {"<default><default class='c'><pid kp='2'/></default></default>"
     "<actuator><motor class='c' joint='j'/></actuator>",
     "4:73: error: <motor> of a class that has a <pid> is not supported (write a class of its own "
     "for <pid>)"},
    {"<actuator><pid name='p' joint='j'/><motor name='p.vel' joint='j'/></actuator>",
     "4:49: error: another actuator already has the name 'p.vel'; names must be unique"},
    {"<actuator><orientation joint='j'/></actuator>",
     "4:31: error: <orientation> needs a ball joint"},
    {"<actuator><orientation/></actuator>",
     "4:12: error: <orientation> needs the attribute 'joint'"},
    {"<actuator><orientation site='p'/></actuator>",
     "4:30: error: <orientation> of a site needs a refsite (write refsite=\"NAME\", the site "
     "against which it turns)"},
    {"<actuator><orientation joint='j' kv='1' dampratio='1'/></actuator>",
     "4:34: error: <orientation> gives both kv and dampratio; keep one of them"},
    {"<worldbody><body><joint name='bj' type='ball'/><geom size='1'/></body></worldbody>"
     "<actuator><orientation joint='bj' forcerange='-1 1'/></actuator>",
     "4:129: error: forcerange of <orientation> is -1 1; it limits the size of the torque, so that "
     "it "
     "begins with 0 (write forcerange=\"0 MOST\")"},
    {"<default><default class='c'><general biasprm='1'/></default></default>"
     "<actuator><orientation class='c' joint='j'/></actuator>",
     "4:82: error: <orientation> of a class with a constant bias is not supported (write a class "
     "of "
     "its own for <orientation>)"},
    {"<default><default class='c'><orientation kp='2'/></default></default>"
     "<actuator><motor class='c' joint='j'/></actuator>",
     "4:81: error: <motor> of a class that has a <orientation> is not supported (write a class of "
     "its "
     "own for <orientation>)"},
    {"<worldbody><body><joint name='bj' type='ball'/><geom size='1'/></body></worldbody>"
     "<actuator><orientation name='o' joint='bj'/></actuator><sensor><actuatorvel actuator='o.y'/>"
     "</sensor>",
     "4:169: error: <actuatorvel> of one axis of an <orientation> is not supported (name the "
     "<orientation> itself)"},
    {"<actuator><motor joint='j' delay='.02'/></actuator>",
     "4:35: error: delay of <motor> needs a history to take its values from, and nsample, the "
     "number of samples in it, is 0 (write nsample=\"10\")"},
    {"<actuator><general joint='j' actrange='0 1'/></actuator>",
     "4:40: error: actrange is not allowed for an actuator without activation (dyntype=\"none\")"},
    {"<actuator><general joint='j' actdim='1'/></actuator>",
     "4:38: error: actdim of this actuator is 1; it must be 0"},
    {"<actuator><general joint='j' dyntype='filter' actdim='2'/></actuator>",
     "4:55: error: actdim of this actuator is 2; it must be 1"},
    {"<actuator><general joint='j' dyntype='integrator' actrange='2 1' "
     "actlimited='true'/></actuator>",
     "4:61: error: actrange of <general> is '2 1'; it needs two numbers, the first less than the "
     "second"},
    {"<actuator><general site='j' cranksite='j' slidersite='j' cranklength='1'/></actuator>",
     "4:40: error: <general> gives two transmissions, site and cranksite; keep one of them; "
     "4:55: error: there is no site named 'j'"},
    {"<actuator><motor joint='j' refsite='s'/></actuator>",
     "4:37: error: refsite needs the attribute 'site', too"},
    {"<actuator><motor joint='j' cranklength='1'/></actuator>",
     "4:41: error: cranklength needs the attribute 'cranksite', too"},
    {"<actuator><motor cranksite='p' cranklength='1'/></actuator>",
     "4:29: error: cranksite needs the attribute 'slidersite', too"},
    {"<actuator><motor cranksite='p' slidersite='p'/></actuator>",
     "4:12: error: cranklength is 0; it must be positive"},
    {"<actuator><motor site='p' armature='1'/></actuator>",
     "4:37: error: armature and damping are allowed only for an actuator on a joint or a tendon"},
    {"<actuator><adhesion ctrlrange='0 1'/></actuator>",
     "4:12: error: <adhesion> needs the attribute 'body'"},
    {"<actuator><adhesion body='b'/></actuator>",
     "4:12: error: <adhesion> needs the attribute 'ctrlrange'"},
    {"<actuator><adhesion body='b' ctrlrange='-1 1'/></actuator>",
     "4:30: error: ctrlrange of <adhesion> is -1 1; its numbers must not be negative"},
    {"<actuator><damper joint='j' kv='-1' ctrlrange='0 1'/></actuator>",
     "4:29: error: kv of <damper> is -1; it must not be negative"},
    {"<actuator><intvelocity joint='j' actrange='0 1' inheritrange='1'/></actuator>",
     "4:49: error: <intvelocity> gives both actrange and inheritrange; keep one of them"},
    {"<actuator><position site='p' inheritrange='1'/></actuator>",
     "4:44: error: inheritrange needs an actuator on a hinge joint, a slide joint or a tendon"},
    {"<actuator><cylinder joint='j' bias='1'/></actuator>",
     "4:37: error: bias needs 3 numbers, and has 1"},
    {"<option actuatorgroupdisable='3 31'/>",
     "4:31: error: actuator group 31 does not exist; groups are whole numbers from 0 to 30"},
    {"<actuator><motor joint='j' ctrllimited='true'/></actuator>",
     "4:12: error: ctrlrange of <motor> is not given; it needs two numbers, the first less than "
     "the second"},
    {"<actuator><position joint='j' kv='1' dampratio='1'/></actuator>",
     "4:31: error: <position> gives both kv and dampratio; keep one of them"},
    {"<actuator><position joint='s' inheritrange='1'/></actuator>",
     "4:45: error: the joint 's' has no range to inherit"},
    {"<actuator><motor name='m' joint='j'/><motor name='m' joint='j'/></actuator>",
     "4:51: error: another actuator already has the name 'm'; names must be unique"},
    {"<sensor><jointpos joint='jj'/></sensor>",
     "4:26: error: there is no joint named 'jj' (did you mean 'j'?)"},
    {"<sensor><jointpos/></sensor>", "4:10: error: <jointpos> needs the attribute 'joint'"},
    {"<sensor><ballquat joint='j'/></sensor>",
     "4:26: error: <ballquat> needs a ball joint; 'j' is of another type"},
    {"<sensor><jointlimitpos joint='s'/></sensor>",
     "4:31: error: <jointlimitpos> needs a joint with limits; 's' has none"},
    {"<sensor><framepos objtype='bdy' objname='b'/></sensor>",
     "4:28: error: objtype in <framepos> cannot be 'bdy' (did you mean 'body'?)"},
    {"<sensor><framepos objtype='body' objname='c'/></sensor>",
     "4:43: error: there is no body named 'c'"},
    {"<sensor><framepos objtype='body' objname='b' refname='b'/></sensor>",
     "4:55: error: <framepos> gives only one of reftype and refname; give both or neither"},
    {"<sensor><camprojection site='p' camera='d'/></sensor>",
     "4:41: error: there is no camera named 'd'"},
    {"<sensor><camprojection site='q' camera='c'/></sensor>",
     "4:30: error: there is no site named 'q'"},
    {"<sensor><camprojection camera='c'/></sensor>",
     "4:10: error: <camprojection> needs the attribute 'site'"},
    {"<sensor><camprojection site='p'/></sensor>",
     "4:10: error: <camprojection> needs the attribute 'camera'"},
    {"<worldbody><camera name='e' resolution='0 2'/></worldbody>"
     "<sensor><camprojection site='p' camera='e'/></sensor>",
     "4:99: error: the camera 'e' has the resolution 0 2; <camprojection> needs at least 1 pixel "
     "each way"},
    {"<worldbody><camera mode='targetbody' target='bb'/></worldbody>",
     "4:46: error: there is no body named 'bb' (did you mean 'b'?)"},
    {"<worldbody><camera mode='follow'/></worldbody>",
     "4:26: error: mode in <camera> cannot be 'follow' (allowed: fixed, track, trackcom, "
     "targetbody, targetbodycom)"},
    {"<worldbody><camera fovy='180'/></worldbody>",
     "4:26: error: fovy is 180 degrees; it must be less than 180"},
    {"<worldbody><camera sensorsize='1 1' fovy='30'/></worldbody>",
     "4:43: error: <camera> gives both fovy and sensorsize; keep one of them"},
    {"<worldbody><camera focal='1 1'/></worldbody>",
     "4:13: error: a focal length or principal point needs the size of the camera's sensor (write "
     "sensorsize=\"WIDTH HEIGHT\", in m)"},
    {"<worldbody><camera principalpixel='1 1' sensorsize='0 1'/></worldbody>",
     "4:13: error: a focal length or principal point needs the size of the camera's sensor (write "
     "sensorsize=\"WIDTH HEIGHT\", in m)"},
    {"<sensor><rangefinder/></sensor>",
     "4:10: error: <rangefinder> needs exactly one of site and camera"},
    {"<sensor><rangefinder site='p' camera='c'/></sensor>",
     "4:39: error: <rangefinder> needs exactly one of site and camera"},
    {"<sensor><rangefinder site='p' data='normal dist'/></sensor>",
     "4:37: error: 'dist' in data is unknown, repeated or out of order: write some of dist, dir, "
     "origin, point, normal, depth, in this order"},
    {"<worldbody><camera name='e' resolution='0 2'/></worldbody>"
     "<sensor><rangefinder camera='e'/></sensor>",
     "4:88: error: the camera 'e' has the resolution 0 2; <rangefinder> needs at least 1 pixel "
     "each way"},
    {"<worldbody><camera name='e' resolution='2000 2000'/></worldbody>"
     "<sensor><rangefinder camera='e' data='dir'/></sensor>",
     "4:94: error: <rangefinder> would have 12000000 numbers; at most 1000000 are allowed (lower "
     "the camera's resolution, or say less of each ray)"},
    {"<worldbody><camera sensorsize='1'/></worldbody>",
     "4:32: error: sensorsize needs 2 numbers, and has 1"},
    {"<worldbody><camera sensorsize='-1 1'/></worldbody>",
     "4:32: error: sensorsize is -1; it must not be negative"},
    {"<worldbody><camera sensorsize='1 1' resolution='-2 3'/></worldbody>",
     "4:49: error: the resolution is -2 3; a camera with sensorsize needs at least 1 pixel each "
     "way"},
    {"<sensor><framequat objtype='body' objname='b' cutoff='1'/></sensor>",
     "4:55: error: cutoff is not allowed for sensors of axes and quaternions: leave it out"},
    {"<sensor><user dim='3' datatype='quaternion'/></sensor>",
     "4:20: error: dim is 3; this datatype needs dim=\"4\""},
    {"<sensor><tendonpos tendon='t'/></sensor>", "4:28: error: there is no tendon named 't'"},
    {"<sensor><clok/></sensor>",
     "4:10: error: unknown element <clok> in <sensor> (did you mean 'clock'?)"},
    {"<contact><pair geom1='g' geom2='h'/></contact>", "4:33: error: there is no geom named 'h'"},
    {"<contact><pair geom1='g'/></contact>", "4:11: error: <pair> needs the attribute 'geom2'"},
    {"<contact><pair geom1='g' geom2='g'/></contact>",
     "4:33: error: <pair> names geom 'g' twice; it needs two different geoms"},
    {"<contact><pair geom1='g' geom2='g2' adhesion='-1'/></contact>",
     "4:47: error: adhesion is -1; it must not be negative"},
    {"<contact><pair geom1='g' geom2='g2' condim='5'/></contact>",
     "4:45: error: condim is 5; it must be 1, 3, 4 or 6"},
    {"<contact><exclude body1='b' body2='c'/></contact>",
     "4:36: error: there is no body named 'c'"},
    {"<keyframe><key qpos='1 2 3'/></keyframe>",
     "4:22: error: qpos needs 2 numbers, and has at least 3"},
    {"<keyframe><key qpos='nan 0'/></keyframe>", "4:22: error: qpos is nan; it must be a number"},
    {"<keyframe><key act='1'/></keyframe>", "4:21: error: act needs 0 numbers, and has at least 1"},
    {"<equality><weld/></equality>", "4:12: error: <weld> needs the attribute 'body1'"},
    {"<equality><connect body1='b'/></equality>",
     "4:12: error: <connect> needs the attribute 'anchor'"},
    {"<equality><weld body1='b' site1='x' site2='y'/></equality>",
     "4:12: error: <weld> connects either two bodies or two sites (give site1 and site2, or body1 "
     "(and body2, unless it is the world))"},
    {"<equality><joint joint1='j' joint2='j'/></equality>",
     "4:12: error: <joint> names the same object twice; it needs two different ones"},
    {"<equality><tendon tendon1='t'/></equality>", "4:28: error: there is no tendon named 't'"},
    {"<equality><distance geom1='g' geom2='g'/></equality>",
     "4:12: error: <distance> is not supported (MuJoCo has dropped it; a <tendon> with a range "
     "limits a distance, too)"},
    {"<tendon><fixed/></tendon>",
     "4:10: error: this tendon has no path: put sites (<spatial>) or joints (<fixed>) in it"},
    {"<tendon><fixed><joint joint='k' coef='1'/></fixed></tendon>",
     "4:30: error: there is no joint named 'k'"},
    {"<tendon><fixed><joint joint='j'/></fixed></tendon>",
     "4:17: error: <joint> needs the attribute 'coef'"},
    {"<tendon><fixed><site site='k'/></fixed></tendon>",
     "4:17: error: unknown element <site> in <fixed>"},
    {"<tendon><spatial><pulley divisor='0'/></spatial></tendon>",
     "4:35: error: divisor is 0; it must be positive"},
    {"<tendon><spatial><geom geom='g'/></spatial></tendon>",
     "4:19: error: a wrapping geom must stand between two sites of the path"},
    {"<asset><mesh file='a.stl'/></asset><worldbody><geom type='mesh' mesh='a'/></worldbody>",
     "4:20: error: cannot read 'a.stl': No such file or directory (paths of meshes are relative to "
     "the folder of the model file and its meshdir)"},
    {"<asset><hfield name='h'/></asset>", "4:9: error: <hfield> needs the attribute 'size'"},
    {"<asset><hfield name='h' size='1 1 1 1'/></asset>",
     "4:9: error: <hfield> needs the attribute 'file', or both 'nrow' and 'ncol' (write file=, or "
     "nrow, ncol and elevation; without elevation the field is flat)"},
    {"<asset><hfield name='h' nrow='3' size='1 1 1 1'/></asset>",
     "4:9: error: <hfield> needs the attribute 'file', or both 'nrow' and 'ncol' (write file=, or "
     "nrow, ncol and elevation; without elevation the field is flat)"},
    {"<asset><hfield name='h' nrow='1' ncol='3' size='1 1 1 1'/></asset>",
     "4:31: error: a height field needs at least 2 rows and 2 columns, and has 1 and 3"},
    {"<asset><hfield name='h' nrow='3' ncol='1' size='1 1 1 1'/></asset>",
     "4:40: error: a height field needs at least 2 rows and 2 columns, and has 3 and 1"},
    {"<asset><hfield name='h' nrow='9999' ncol='9999' size='1 1 1 1'/></asset>",
     "4:43: error: a height field has at most 4194304 elevations, and this one 9999 x 9999"},
    {"<asset><hfield name='h' nrow='-3' ncol='1' size='1 1 1 1'/></asset>",
     "4:31: error: nrow is -3; it must not be negative"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1'/></asset>",
     "4:49: error: size needs 4 numbers, and has 3"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 -1'/></asset>",
     "4:49: error: size of <hfield>: number 4, the depth of the ground below, is -1; it must be "
     "positive"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/></asset>",
     "4:69: error: elevation needs 4 numbers, and has 3"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3 4 5'/></asset>",
     "4:69: error: elevation needs 4 numbers, and has at least 5"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3 2e9'/></asset>",
     "4:69: error: elevation 1 is not finite, or larger than 1e9"},
    {"<asset><hfield nrow='2' ncol='2' size='1 1 1 1'/></asset>",
     "4:9: error: <hfield> needs the attribute 'name' or 'file'"},
    {"<asset><hfield name='h' file='a.png' size='1 1 1 1'/></asset>",
     "4:31: error: cannot read 'a.png': No such file or directory (paths of height fields are "
     "relative to the folder of the model file and its meshdir)"},
    {"<worldbody><geom type='hfield'/></worldbody>",
     "4:24: error: a geom of type hfield needs the attribute 'hfield', and has no mesh and no "
     "fromto"},
    {"<worldbody><geom type='hfield' hfield='h'/></worldbody>",
     "4:40: error: there is no hfield named 'h'"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody><geom size='1' "
     "hfield='h'/></worldbody>",
     "4:101: error: only a geom of type hfield has the attribute 'hfield' (write type=\"hfield\")"},
    {"<extension><plugin plugin='p'/></extension><actuator><plugin plugin='p'/></actuator>",
     "4:70: error: <plugin> is not supported, here 'p' (plugins are programs that MuJoCo runs; use "
     "elements of MJCF only)"},
    {"<deformable><flex/></deformable>",
     "4:14: error: <flex> is not supported (bodies cannot deform here; what comes nearest are "
     "bodies with joints that have a stiffness, or <composite type=\"cable\">)"},
    {"<custom><numeric name='a'/></custom>",
     "4:10: error: <numeric> needs the attribute 'data' or 'size'"},
    {"<custom><numeric name='a' size='2' data='1 2 3'/></custom>",
     "4:42: error: data needs 0 to 2 numbers, and has at least 3"},
    {"<custom><numeric name='a' size='501'/></custom>",
     "4:10: error: size in <numeric> is 501; it must be from 1 to 500"},
    {"<custom><text name='a' data=''/></custom>", "4:10: error: data in <text> must not be empty"},
    {"<custom><tuple name='a'/></custom>", "4:10: error: a <tuple> needs at least one <element>"},
    {"<custom><tuple name='a'><element objtype='jont' objname='j'/></tuple></custom>",
     "4:43: error: objtype in <element> cannot be 'jont'"},
    {"<custom><tuple name='a'><element objtype='joint' objname='k'/></tuple></custom>",
     "4:59: error: there is no joint named 'k'"},
    {"<custom><numeric name='a' data='x'/></custom>", "4:33: error: data: 'x' is not a number"},
};
/* The length range of a muscle is searched for, with some settings of <lengthrange>. */
#define SEARCHED(settings)                                                                         \
    "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"               \
    "<actuator>\n<muscle joint='j'/></actuator><compiler><lengthrange " settings                   \
    "/></compiler></mujoco>"
#define SEARCHES(steps)                                                                            \
    "2:2: error: the length range of this actuator cannot be computed: in <lengthrange>, " steps   \
    "; at most 100000 steps are allowed (give the attribute lengthrange to this actuator, or "     \
    "increase timestep in <lengthrange>)"
/* The text is the whole document. */
static const bad whole[] = {
    {"<sdf/>",
     "1:2: error: the root element of a model must be <mujoco> (MJCF) or <robot> (URDF), and this "
     "file has <sdf> (this is an SDF file; convert it to URDF or MJCF first, for example with "
     "sdf2urdf)"},
    {"<OpenSimDocument/>",
     "1:2: error: the root element of a model must be <mujoco> (MJCF) or <robot> (URDF), and this "
     "file has <OpenSimDocument> (this is a model of OpenSim; convert it to MJCF first, for "
     "example with MyoConverter)"},
    {"<mujoco modle='x'/>", "1:9: error: unknown attribute 'modle' in <mujoco>"},
    {"<mujoco><mujoco/></mujoco>", "1:10: error: unknown element <mujoco> in <mujoco>"},
    {SEARCHED("timestep='1e-20'"), SEARCHES("inttotal is 10 s and timestep 1e-20 s, 1e+21 steps")},
    {SEARCHED("inttotal='1e9'"), SEARCHES("inttotal is 1e+09 s and timestep 0.01 s, 1e+11 steps")},
    {SEARCHED("inttotal='1.1' timestep='1e-5'"),
     SEARCHES("inttotal is 1.1 s and timestep 1e-05 s, 110000 steps")},
};

/* "line:column: error: ...; line:column: error: ... (help)" from the messages. */
static void summarise(const sal_diag *diag, sal_text *out)
{
    const char *help = NULL;
    for (const char *line = diag->text.data; line != NULL && *line != 0;) {
        const char *end = strchr(line, '\n');
        if (strncmp(line, "t.xml:", 6) == 0) {
            sal_text_add(out, out->length == 0 ? "" : "; ");
            sal_text_addn(out, line + 6, (size_t)(end - line) - 6);
        } else if (strncmp(line, "      = help: ", 14) == 0 && help == NULL) {
            help = line + 14;
        }
        line = end + 1;
    }
    if (help != NULL) {
        sal_text_format(out, " (%.*s)", (int)(strchr(help, '\n') - help), help);
    }
}

static void check_bad(const bad *b, const char *before, const char *after)
{
    char xml[2000];
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_text said = {0};
    sal_err err = {0};
    const int n = snprintf(xml, sizeof xml, "%s%s%s", before, b->text, after);
    const sal_status status = sal_model_parse(&m, "t.xml", xml, (size_t)n, NULL, &diag, &err);
    CHECK(status == SAL_BADINPUT && m == NULL && err.message[0] != 0);
    summarise(&diag, &said);
    CHECK_TEXT(said.data, b->error);
    sal_text_clear(&said);
    sal_diag_clear(&diag);
    sal_model_free(m);
}

static void faults_are_said_with_their_place(void)
{
    for (size_t i = 0; i < sizeof in_body / sizeof in_body[0]; i++) {
        check_bad(
            &in_body[i], "<mujoco><worldbody><body name='b'>\n",
            "\n<geom name='g' size='.1'/><geom name='g2' size='.1'/></body></worldbody></mujoco>");
    }
    for (size_t i = 0; i < sizeof in_root / sizeof in_root[0]; i++) {
        check_bad(&in_root[i],
                  "<mujoco><worldbody><body name='b'><joint name='j' range='-1 1'/>\n"
                  "<joint name='s' type='slide'/><camera name='c' mode='track'/>\n"
                  "<geom name='g' size='.1'/><geom name='g2' size='.1'/><site name='p'/></body>"
                  "</worldbody>\n",
                  "\n</mujoco>");
    }
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        check_bad(&whole[i], "", "");
    }
}

static void all_faults_are_said_at_once(void)
{
    static const char xml[] = "<mujoco>\n"
                              "  <worldbody>\n"
                              "    <geom type='box' sise='1 1 1'/>\n"
                              "    <body><joint type='hinje'/><geom size='a'/></body>\n"
                              "  </worldbody>\n"
                              "  <actuator><motor joint='x' gaer='3'/></actuator>\n"
                              "</mujoco>\n";
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK(sal_model_parse(&m, "t.xml", xml, strlen(xml), NULL, &diag, &err) == SAL_BADINPUT);
    CHECK_TEXT(diag.text.data, "t.xml:3:22: error: unknown attribute 'sise' in <geom>\n"
                               "    3 |     <geom type='box' sise='1 1 1'/>\n"
                               "      |                      ^~~~\n"
                               "      = help: did you mean 'size'?\n"
                               "t.xml:4:24: error: type in <joint> cannot be 'hinje'\n"
                               "    4 |     <body><joint type='hinje'/><geom size='a'/></body>\n"
                               "      |                        ^~~~~\n"
                               "      = help: did you mean 'hinge'?\n"
                               "t.xml:4:44: error: size: 'a' is not a number\n"
                               "    4 |     <body><joint type='hinje'/><geom size='a'/></body>\n"
                               "      |                                            ^\n"
                               "t.xml:6:30: error: unknown attribute 'gaer' in <motor>\n"
                               "    6 |   <actuator><motor joint='x' gaer='3'/></actuator>\n"
                               "      |                              ^~~~\n"
                               "      = help: did you mean 'gear'?\n");
    CHECK_TEXT(err.message,
               "t.xml:3:22: error: unknown attribute 'sise' in <geom> (and 3 more errors)");
    sal_diag_clear(&diag);
}

int main(void)
{
    RUN(faults_are_said_with_their_place);
    RUN(all_faults_are_said_at_once);
    return check_done();
}
