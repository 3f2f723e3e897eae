// Results whose pages are large: a walker that falls, for 10,000 steps, and ten chains of ten links each.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus } from '../oracle/motion.mjs';

const CHAINS = 10, LINKS = 10;

// The links of a chain from link k on
function chain(name, k)
{
    if (k === LINKS)
        return '';
    const joint = k === 0 ? `<joint name='${name}' type='ball'/>` : `<joint name='${name}_${k}' axis='${k % 2} ${1 - k % 2} 0' damping='.002'/>`;
    return `<body name='${name}_${k}' pos='${k === 0 ? `${name.slice(1) / 2} 0 2` : '0 0 -.1'}'>${joint}` +
        `<geom type='capsule' fromto='0 0 0 0 0 -.1' size='.02' density='500'/>${chain(name, k + 1)}</body>`;
}

const chains = () => `<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='0 0 1'/>${
    Array.from({ length: CHAINS }, (_, i) => chain(`c${i}`, 0)).join('')}</worldbody></mujoco>`;

function simulated(model, words, out)
{
    execFileSync(saltus, ['simulate', model, ...words, '-q', '-o', out], { stdio: ['ignore', 'ignore', 'inherit'] });
    return out;
}

// [{ name, result }], written to the folder
export function longMotions(folder, root)
{
    const model = path.join(folder, 'chains.xml');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(model, chains());
    return [
        { name: '10,000 steps', result: simulated(path.join(root, 'models', 'walker.xml'),
            ['--time', '25', '--set', 'option/timestep=.0025'], path.join(folder, 'steps.h5')) },
        { name: '100 bodies', result: simulated(model, ['--time', '8'], path.join(folder, 'bodies.h5')) },
    ];
}
