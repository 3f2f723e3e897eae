// What random models got later than the rest, in a quarter of them. It is drawn from numbers of its own, so that all else in the model of a seed is as it was.
//
//     additions(model, seed);      a tree of random_model.mjs, changed in place
import { generator } from './random_numbers.mjs';

const nodes = (node, tag) => [...node.tag === tag ? [node] : [], ...node.children.flatMap(child => nodes(child, tag))];

// `turns`: on a ball joint or between sites, where a position is not supported
function turnIntoDcmotor(motor, turns, { chance, real, pick })
{
    const positive = (low, high) => real(low, high).toPrecision(3), { attr } = motor;
    motor.tag = 'dcmotor';
    delete attr.forcerange;
    delete attr.forcelimited;
    if (chance(0.4))
        attr.nominal = `${positive(1, 20)} ${positive(0.1, 3)} ${positive(3, 100)}`;
    if (!attr.nominal || chance(0.4))
        attr.motorconst = chance(0.5) ? positive(0.05, 1) : `${pick(['0', positive(0.05, 1)])} ${positive(0.05, 1)}`;
    if (!attr.nominal || chance(0.4))
        attr.resistance = positive(0.2, 3);
    if (chance(0.3))
        attr.saturation = pick([positive(0.2, 3), `0 ${positive(0.2, 3)}`]);
    if (chance(0.5)) {
        attr.input = pick(['vel', 'ff', turns ? 'vel' : 'pos']);
        attr.controller = `${positive(0.1, 20)} 0 ${positive(0.01, 2)}`;
    }
}

export function additions(model, seed)
{
    const { chance, real, pick, whole } = generator(seed ^ 0x2545f491);
    if (!chance(0.25))
        return;
    const bodies = nodes(model, 'body'), joints = nodes(model, 'joint').filter(joint => joint.attr.type);
    if (chance(0.4) && !bodies.some(body => body.attr.gravcomp)) // of which none counts
        for (const body of bodies.filter(() => chance(0.5)))
            body.attr.gravcomp = pick(['0', '-1', real(-2, 0).toPrecision(3)]);
    for (const pair of nodes(model, 'pair').filter(() => chance(0.6)))
        pair.attr.solreffriction = (chance(0.7) ? real(0.004, 0.1) : real(-3000, -10)).toPrecision(3);
    if (chance(0.3)) { // with what makes MuJoCo's discrete inverse that of the state
        const [option] = nodes(model, 'option'), [flag] = nodes(model, 'flag');
        option.attr.integrator = 'Euler';
        Object.assign(flag.attr, { eulerdamp: 'disable', invdiscrete: 'enable' });
    }
    if (chance(0.05) && joints.length)
        joints[whole(joints.length)].attr.frictionloss = real(-2, 0).toPrecision(3);
    const classes = nodes(model, 'default'), kinds = ['muscle', 'general'].some(kind => classes.some(c => nodes(c, kind).length > 0));
    const motors = nodes(model, 'actuator').filter(list => list.children.length > 0).flatMap(list => nodes(list, 'motor'));
    const turns = attr => attr.refsite || [attr.joint, attr.jointinparent].some(name => name &&
        !joints.some(joint => joint.attr.name === name && ['hinge', 'slide'].includes(joint.attr.type)));
    for (const motor of kinds ? [] : motors) // MuJoCo takes what such a class says for the motor's own
        if (chance(0.6)) {
            turnIntoDcmotor(motor, turns(motor.attr), { chance, real, pick });
            for (const key of nodes(model, 'key')) // MuJoCo refuses it: it gives the motor an activation there, though it has none
                delete key.attr.act;
        }
    if (chance(0.3))
        for (const { attr } of ['geom', 'pair'].flatMap(tag => nodes(model, tag)).filter(() => chance(0.4)))
            attr.adhesion = real(0, 20).toPrecision(3);
}
