// What random models got later than the rest, in a quarter of them. It is drawn from numbers of its own, so that all else in the model of a seed is as it was.
//
//     additions(model, seed);      a tree of random_model.mjs, changed in place
import { generator } from './random_numbers.mjs';

const nodes = (node, tag) => [...node.tag === tag ? [node] : [], ...node.children.flatMap(child => nodes(child, tag))];

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
}
