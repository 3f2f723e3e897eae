// The least model that still differs: elements and attributes are left out, bodies, frames and copies give way to what is in them, numbers lose digits, as
// long as the difference remains.
//
//     const { model, finding } = await shrink(model, seed, finding);
import { beside } from './beside.mjs';
import { write } from './random_model.mjs';

const AT_ONCE = 12;

const copy = node => ({ tag: node.tag, attr: { ...node.attr }, children: node.children.map(copy) });

// every node but the root, with the way to it; the largest first
function ways(node, way = [])
{
    return node.children.flatMap((child, i) => [{ way: [...way, i], size: write(child).length }, ...ways(child, [...way, i])]);
}

const at = (node, way) => way.reduce((n, i) => n.children[i], node);

function* without(model)
{
    for (const { way } of ways(model).sort((a, b) => b.size - a.size)) {
        const parent = way.slice(0, -1), last = way.at(-1);
        const gone = copy(model);
        at(gone, parent).children.splice(last, 1);
        yield gone;
        if (at(model, way).children.length > 0) {
            const open = copy(model), place = at(open, parent).children;
            place.splice(last, 1, ...place[last].children);
            yield open;
        }
    }
}

function* plainer(model)
{
    for (const { way } of [{ way: [] }, ...ways(model)])
        for (const name of Object.keys(at(model, way).attr)) {
            const gone = copy(model);
            delete at(gone, way).attr[name];
            yield gone;
        }
}

function* rounder(model)
{
    for (const { way } of ways(model))
        for (const [name, value] of Object.entries(at(model, way).attr))
            for (const change of [x => Math.abs(x) < 0.5 && !/size|mass|inertia|vertex/.test(name) ? 0 : Math.round(x) || x, x => Number(x.toPrecision(1)),
                x => Number(x.toPrecision(2))]) {
                const numbers = value.trim().split(/\s+/).map(Number), text = numbers.map(change).join(' ');
                if (numbers.some(Number.isNaN) || text === value || numbers.length > 30)
                    continue;
                const less = copy(model);
                at(less, way).attr[name] = text;
                yield less;
            }
}

const kind = finding => `${finding.verdict} ${String(finding.what).split(' ')[0]} ` +
    (finding.what === 'read' ? `${finding.ours}|${finding.theirs}`.replace(/[^a-zA-Z ]|'[^']*'/g, '').slice(0, 80) : '');

// The first change that leaves the difference, or null
async function firstThatDiffers(changes, seed, wanted)
{
    for (let batch = []; ;) {
        const next = changes.next();
        if (!next.done)
            batch.push(next.value);
        if (batch.length === AT_ONCE || (next.done && batch.length)) {
            const findings = await beside(batch.map(model => ({ seed, xml: write(model) })));
            const i = findings.findIndex(f => kind(f) === wanted);
            if (i >= 0)
                return { model: batch[i], finding: findings[i] };
            batch = [];
        }
        if (next.done)
            return null;
    }
}

export async function shrink(model, seed, finding)
{
    const wanted = kind(finding);
    for (let changed = true; changed;) {
        changed = false;
        for (const changes of [without, plainer, rounder])
            for (let found; (found = await firstThatDiffers(changes(model), seed, wanted)); changed = true)
                ({ model, finding } = found);
    }
    return { model, finding };
}
