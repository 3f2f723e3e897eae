// What holds for a whole random model: options, compiler settings, defaults, keyframes.
export function optionParts(t, { jointNumbers, geomNumbers }, { tendonNumbers, actuatorNumbers })
{
    const { node, list, positive, positives, some, degree, solref, solimp, known, now, size, classes, autolimits, said, inferred } = t, { whole, chance, pick } = t.r;

    const usualActuator = () => {
        const kind = pick(['general', 'motor', 'position', 'velocity', 'damper', 'intvelocity', 'cylinder', 'muscle']), attr = actuatorNumbers({}, 0.3);
        now.activations &&= !['intvelocity', 'cylinder', 'muscle'].includes(kind);
        if (kind === 'damper')
            delete attr.ctrllimited;
        return node(kind, attr);
    };
    const defaults = (depth, label) => {
        if (label)
            classes.push(label);
        const children = [
            chance(0.5) && node('joint', jointNumbers(some({}, 0.2, 'axis', () => list(3, -1, 1)), 0.3)),
            chance(0.5) && node('geom', geomNumbers({}, 0.2)),
            chance(0.3) && node('site', some({}, 0.8, 'size', () => positives(3, 0.02, 0.1))),
            chance(0.3) && node('tendon', tendonNumbers({}, 0.3)),
            chance(0.3) && node('equality', some(some({}, 0.5, 'solref', solref), 0.5, 'solimp', solimp)),
            chance(0.3) && usualActuator(),
            chance(0.15) && node('pair', some(some({}, 0.5, 'condim', () => pick(['1', '3', '4', '6'])), 0.5, 'solref', solref)),
            chance(0.1) && node('mesh', { scale: positives(3, 0.5, 1.5) })
        ];
        for (let k = depth > 0 ? whole(3) : 0; k > 0; k--)
            children.push(defaults(depth - 1, `c${String(now.count++).padStart(3, '0')}`));
        return node('default', label ? { class: label } : {}, children);
    };
    const flags = () => {
        const attr = {};
        for (const flag of ['constraint', 'equality', 'frictionloss', 'limit', 'contact', 'spring', 'damper', 'gravity', 'clampctrl', 'warmstart', 'filterparent', 'actuation',
            'refsafe', 'sensor', 'midphase', 'nativeccd', 'eulerdamp', 'autoreset', 'island'])
            some(attr, 0.04, flag, () => pick(['disable', 'disable', 'enable']));
        attr.multiccd = 'disable'; // one contact of round shapes, as ours
        for (const flag of ['override', 'energy', 'fwdinv', 'diagexact'])
            some(attr, 0.05, flag, () => 'enable');
        return node('flag', attr);
    };
    const option = () => {
        const attr = { timestep: positive(0.0005, 0.01), tolerance: '1e-16', iterations: '50', ls_iterations: '100', ls_tolerance: '1e-6' };
        some(attr, 0.3, 'gravity', () => list(3, -10, 10));
        if (chance(0.25)) {
            attr.density = positive(0.5, 1200);
            some(attr, 0.5, 'wind', () => list(3, -3, 3));
        }
        some(attr, 0.2, 'viscosity', () => positive(0.00001, 1));
        some(attr, 0.2, 'magnetic', () => list(3, -1, 1));
        some(attr, 0.3, 'impratio', () => positive(0.2, 20));
        some(attr, 0.8, 'integrator', () => pick(['Euler', 'RK4', 'implicit', 'implicitfast']));
        some(attr, 0.6, 'cone', () => pick(['elliptic', 'pyramidal']));
        some(attr, 0.3, 'jacobian', () => pick(['dense', 'sparse', 'auto']));
        some(attr, 0.1, 'o_margin', () => positive(0.001, 0.1));
        some(attr, 0.1, 'o_solref', solref);
        some(attr, 0.1, 'o_solimp', solimp);
        some(attr, 0.1, 'o_friction', () => positives(5, 0.01, 1));
        some(attr, 0.05, 'actuatorgroupdisable', () => pick(['0', '1', '1 2']));
        return node('option', attr, [flags()]);
    };
    const compiler = () => {
        const attr = {};
        if (!degree || chance(0.3))
            attr.angle = degree ? 'degree' : 'radian';
        if (said())
            attr.autolimits = String(autolimits);
        some(attr, 0.3, 'eulerseq', () => pick(['xyz', 'XYZ', 'zyx', 'ZYX', 'xYz', 'zxz', 'YXY']));
        if (inferred)
            attr.inertiafromgeom = inferred;
        some(attr, 0.2, 'balanceinertia', () => pick(['true', 'false']));
        some(attr, 0.1, 'boundmass', () => positive(0.01, 1));
        some(attr, 0.1, 'boundinertia', () => positive(0.0001, 0.01));
        some(attr, 0.1, 'settotalmass', () => positive(1, 20));
        some(attr, 0.05, 'inertiagrouprange', () => pick(['0 2', '0 5', '1 4']));
        if (!known.wrap.length && chance(0.05) && !known.tendon.length)
            attr.fusestatic = 'true'; // MuJoCo then confuses sites and geoms of tendons
        some(attr, 0.05, 'discardvisual', () => 'true');
        some(attr, 0.1, 'fitaabb', () => 'true');
        return node('compiler', attr);
    };
    const keys = () => {
        const children = [];
        for (let k = whole(3); k > 0; k--) {
            const attr = {};
            some(attr, 0.5, 'time', () => positive(0.01, 1));
            some(attr, 0.8, 'qpos', () => list(size.nq + (chance(0.02) ? 1 : 0), -1, 1));
            some(attr, 0.6, 'qvel', () => list(size.nv, -1, 1));
            if (size.na && now.activations)
                some(attr, 0.7, 'act', () => list(size.na, 0, 1));
            if (size.nu)
                some(attr, 0.5, 'ctrl', () => list(size.nu, -1, 1));
            if (size.nmocap) {
                some(attr, 0.5, 'mpos', () => list(3 * size.nmocap, -1, 1));
                some(attr, 0.5, 'mquat', () => list(4 * size.nmocap, -1, 1));
            }
            children.push(node('key', attr));
        }
        return children.length && node('keyframe', {}, children);
    };
    return { option, compiler, defaults, keys };
}
