// A random mechanism in MJCF, the same for the same seed: many features in each model, none alone.
//
//     const model = randomModel(seed);      a tree: { tag, attr: { name: text }, children: [tree] }
//     const xml = write(model);
//
// Most models are valid; some have faults, which both readers must refuse. What is left out on purpose stands in docs/compatibility.md, "Random models".
import { additions } from './random_additions.mjs';
import { bodyParts } from './random_bodies.mjs';
import { forceParts } from './random_forces.mjs';
import { generator, tools } from './random_numbers.mjs';
import { optionParts } from './random_options.mjs';

export { generator };

export function write(node)
{
    const attr = Object.entries(node.attr).map(([name, value]) => ` ${name}="${value}"`).join('');
    return node.children.length ? `<${node.tag}${attr}>${node.children.map(write).join('')}</${node.tag}>` : `<${node.tag}${attr}/>`;
}

export function randomModel(seed)
{
    const t = tools(seed), { node, now } = t, { whole, chance } = t.r;
    const bodies = bodyParts(t), forces = forceParts(t), options = optionParts(t, bodies, forces);
    const option = options.option();
    const usual = chance(0.5) && options.defaults(2, undefined);
    const asset = chance(0.4) && node('asset', {}, Array.from({ length: 1 + whole(2) }, bodies.mesh));
    const world = bodies.world();
    const rest = [chance(0.4) && forces.contact(), chance(0.5) && forces.tendon(), chance(0.5) && forces.equality(), chance(0.7) && forces.actuators(),
        chance(0.7) && forces.sensors(), chance(0.5) && !now.repeated && options.keys()];
    const compiler = (t.inferred || !t.autolimits || !t.degree || chance(0.9)) && options.compiler();
    const model = node('mujoco', {}, [compiler, option, usual, asset, world, ...rest]);
    additions(model, seed);
    return model;
}
