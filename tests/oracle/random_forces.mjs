// What joins, drives and measures the bodies of a random model: contact pairs, equalities, tendons, actuators, sensors.
export function forceParts(t)
{
    const { node, text, list, positive, positives, some, solref, solimp, range, known, name, named, two, rigid, now, size, autolimits, said, limitWord, classy } = t,
        { whole, chance, real, pick } = t.r;

    const tendonNumbers = (attr, p) => {
        some(attr, p, 'damping', () => chance(0.8) ? positive(0.01, 2) : positives(pick([2, 3]), 0.01, 0.5));
        some(attr, p, 'stiffness', () => chance(0.8) ? positive(0.1, 50) : positives(pick([2, 3]), 0.1, 10));
        some(attr, p / 2, 'frictionloss', () => positive(0.01, 2));
        some(attr, p / 2, 'springlength', () => { const a = real(0.1, 0.6); return chance(0.5) ? text(a) : `${text(a)} ${text(a + real(0, 0.5))}`; });
        some(attr, p / 3, 'solreflimit', solref);
        some(attr, p / 3, 'solimplimit', solimp);
        some(attr, p / 3, 'solreffriction', solref);
        some(attr, p / 3, 'solimpfriction', solimp);
        some(attr, p / 3, 'margin', () => positive(0.001, 0.3));
        return attr;
    };
    const actuatorNumbers = (attr, p) => {
        some(attr, p, 'gear', () => list(pick([1, 3, 6, 6]), -2, 2));
        if (chance(p)) {
            attr.ctrlrange = range(0, 1);
            if (said())
                attr.ctrllimited = limitWord();
        }
        if (chance(p)) {
            attr.forcerange = range(0, 5);
            if (said())
                attr.forcelimited = limitWord();
        }
        some(attr, p / 3, 'group', () => String(whole(4)));
        return attr;
    };

    // ---- what joins bodies ----

    const contact = () => {
        const children = [];
        for (let k = whole(3); k > 0 && known.geom.length > 1; k--) {
            const [geom1, geom2] = two('geom'), attr = classy({ geom1, geom2 });
            const fixed = geom => rigid[geom].startsWith('world');
            if (rigid[geom1] === rigid[geom2] || (fixed(geom1) && fixed(geom2))) // of the same one, which we refuse, with rows of nothing but rounding, or of two that cannot move, at which MuJoCo fails
                continue;
            some(attr, 0.4, 'condim', () => pick(['1', '3', '4', '6']));
            some(attr, 0.4, 'friction', () => positives(1 + whole(5), 0.001, 1.5));
            some(attr, 0.3, 'solref', solref);
            some(attr, 0.3, 'solreffriction', solref);
            some(attr, 0.3, 'solimp', solimp);
            some(attr, 0.3, 'margin', () => positive(0.001, 0.1));
            some(attr, 0.3, 'gap', () => positive(0.001, 0.05));
            children.push(node('pair', attr));
        }
        for (let k = whole(3); k > 0 && known.body.length > 1; k--) {
            const [body1, body2] = two('body');
            children.push(node('exclude', { body1, body2 }));
        }
        return children.length && node('contact', {}, children);
    };
    const equality = () => {
        const children = [];
        for (let k = 1 + whole(3); k > 0; k--) {
            const kind = pick(['connect', 'weld', 'joint', 'tendon']), attr = classy({});
            some(attr, 0.1, 'active', () => pick(['true', 'false']));
            some(attr, 0.4, 'solref', solref);
            some(attr, 0.4, 'solimp', solimp);
            if (kind === 'joint' || kind === 'tendon') {
                const names = known[kind === 'joint' ? 'scalar' : 'tendon'];
                if (names.length < 2)
                    continue;
                const [a, b] = two(kind === 'joint' ? 'scalar' : 'tendon');
                attr[`${kind}1`] = a;
                if (chance(0.8))
                    attr[`${kind}2`] = b;
                some(attr, 0.7, 'polycoef', () => list(1 + whole(5), -1, 1));
            } else if (chance(0.3) && known.site.length > 1) {
                [attr.site1, attr.site2] = two('site');
                if (rigid[attr.site1] === rigid[attr.site2]) // rows of nothing but rounding
                    continue;
            } else if (known.body.length > 1) {
                [attr.body1, attr.body2] = two('body');
                if (chance(0.3))
                    delete attr.body2;
                if (rigid[attr.body1] === (attr.body2 ? rigid[attr.body2] : 'world'))
                    continue;
                if (kind === 'connect' || chance(0.5))
                    attr.anchor = list(3, -0.2, 0.2);
                if (kind === 'weld')
                    some(attr, 0.5, 'relpose', () => `${list(3, -0.3, 0.3)} ${list(4, -1, 1)}`);
            } else
                continue;
            if (kind === 'weld')
                some(attr, 0.4, 'torquescale', () => positive(0.1, 3));
            children.push(node(kind, attr));
        }
        return children.length && node('equality', {}, children);
    };
    const tendon = () => {
        const children = [];
        for (let k = 1 + whole(3); k > 0; k--) {
            const fixed = chance(0.5), limited = chance(0.4), way = [];
            if (fixed) {
                for (const id of new Set(Array.from({ length: 1 + whole(3) }, () => known.scalar.length && pick(known.scalar)).filter(x => x)))
                    way.push(node('joint', { joint: id, coef: text(real(-2, 2)) }));
            } else {
                let pulley = false, last;
                const stop = () => {
                    last = pick(known.site.filter(x => x !== last));
                    way.push(node('site', { site: last }));
                };
                for (let branch = pick([1, 1, 1, 2, 3]); branch > 0 && known.site.length > 2; branch--) {
                    if (pulley || (branch > 1 && chance(0.3)))
                        way.push(node('pulley', { divisor: positive(0.5, 4) }));
                    pulley = true;
                    stop();
                    for (let stops = pick([1, 1, 2, 3]); stops > 0; stops--) {
                        if (known.wrap.length && chance(0.4))
                            way.push(node('geom', { geom: pick(known.wrap), ...chance(0.5) ? { sidesite: pick(known.site) } : {} }));
                        stop();
                    }
                }
            }
            if (!way.length || (!fixed && new Set(way.filter(x => x.tag === 'site').map(x => rigid[x.attr.site])).size < 2))
                continue;
            const attr = named({}, name('t', limited && autolimits ? ['tendon', 'limitedTendon'] : ['tendon']));
            tendonNumbers(classy(attr), 0.3);
            if (!way.some(x => x.tag === 'geom'))
                some(attr, 0.2, 'armature', () => positive(0.0005, 0.01)); // across branches much of it makes M indefinite
            if (limited) {
                attr.range = fixed ? range(0.1, 1) : `${text(real(0, 0.3))} ${text(real(0.4, 1))}`;
                if (said())
                    attr.limited = limitWord();
            }
            if (chance(0.15)) {
                attr.actuatorfrcrange = range(0.1, 3);
                if (said())
                    attr.actuatorfrclimited = limitWord();
            }
            children.push(node(fixed ? 'fixed' : 'spatial', attr, way));
        }
        return children.length && node('tendon', {}, children);
    };

    // ---- actuators ----

    const transmission = attr => {
        const kind = whole(10);
        if (kind < 4 && known.joint.length)
            attr.joint = pick(known.joint);
        else if (kind === 4 && known.joint.length)
            attr.jointinparent = pick(known.joint);
        else if (kind < 7 && known.tendon.length)
            attr.tendon = pick(known.tendon);
        else if (kind === 7 && known.site.length > 1)
            Object.assign(attr, { slidersite: pick(known.site), cranksite: pick(known.site), cranklength: positive(0.1, 0.6) });
        else if (known.site.length > 1) {
            attr.site = pick(known.site);
            if (chance(0.5))
                attr.refsite = pick(known.site);
        } else if (known.joint.length)
            attr.joint = pick(known.joint);
        else
            return false;
        return true;
    };
    const muscleNumbers = () => [text(real(0.6, 0.9)), text(real(1, 1.3)), positive(1, 50), positive(50, 300), text(real(0.4, 0.7)), text(real(1.3, 1.8)),
        positive(0.5, 3), positive(0.5, 2), positive(1, 1.6)].join(' ');
    const actuators = () => {
        const children = [];
        for (let k = 1 + whole(4); k > 0; k--) {
            const kind = pick(['general', 'general', 'motor', 'position', 'velocity', 'intvelocity', 'damper', 'cylinder', 'muscle', 'adhesion']);
            const attr = classy({}), muscle = () => attr.lengthrange = `${text(real(-0.5, 0.3))} ${text(real(0.4, 1.5))}`;
            let active = 0;
            if (kind === 'adhesion') {
                if (!known.moving.length)
                    continue;
                attr.body = pick(known.moving);
                attr.ctrlrange = `0 ${text(real(0.5, 2))}`;
                some(attr, 0.7, 'gain', () => positive(0.1, 10));
            } else if (!transmission(attr))
                continue;
            else
                actuatorNumbers(attr, 0.3);
            if (kind === 'muscle' && attr.site && chance(0.97)) // which no muscle can have
                continue;
            if (attr.joint || attr.tendon || chance(0.005)) {
                some(attr, 0.08, 'armature', () => positive(0.01, 0.2));
                some(attr, 0.08, 'damping', () => positives(1 + whole(3), 0.01, 0.5));
            }
            const activation = p => {
                if (!chance(p))
                    return;
                attr.actrange = range(0, 1);
                if (said())
                    attr.actlimited = limitWord();
            };
            if (kind === 'position' || kind === 'intvelocity') {
                some(attr, 0.8, 'kp', () => positive(0.5, 50));
                if (chance(0.4))
                    attr.kv = positive(0.1, 5);
                else
                    some(attr, 0.2, 'dampratio', () => positive(0.3, 2));
                if (kind === 'position')
                    some(attr, 0.3, 'timeconst', () => chance(0.9) ? positive(0.005, 0.3) : '0');
                if (chance(0.1) && attr.joint && known.limited.includes(attr.joint)) {
                    delete attr.ctrlrange;
                    attr.inheritrange = positive(0.5, 1.2);
                }
                active = kind === 'intvelocity' || Number(attr.timeconst ?? 0) > 0 ? 1 : 0;
                if (kind === 'intvelocity')
                    activation(0.8);
            }
            if (kind === 'velocity')
                some(attr, 0.8, 'kv', () => positive(0.1, 5));
            if (kind === 'damper') {
                some(attr, 0.8, 'kv', () => positive(0.1, 5));
                attr.ctrlrange = `0 ${text(real(0.3, 1))}`;
                delete attr.ctrllimited;
            }
            if (kind === 'cylinder') {
                some(attr, 0.6, 'timeconst', () => positive(0.01, 0.5));
                some(attr, 0.4, pick(['area', 'diameter']), () => positive(0.1, 2));
                some(attr, 0.4, 'bias', () => list(3, -2, 2));
                active = 1;
            }
            if (kind === 'muscle') {
                muscle();
                some(attr, 0.3, 'timeconst', () => positives(2, 0.005, 0.2));
                some(attr, 0.3, 'tausmooth', () => positive(0.01, 0.5));
                some(attr, 0.3, 'range', () => `${text(real(0.6, 0.9))} ${text(real(1, 1.3))}`);
                some(attr, attr.joint ? 0.5 : 1, 'force', () => positive(1, 50)); // else scaled by an acceleration that may be rounding only
                some(attr, 0.3, 'scale', () => positive(20, 300));
                some(attr, 0.2, 'lmin', () => text(real(0.3, 0.7)));
                some(attr, 0.2, 'lmax', () => text(real(1.3, 1.9)));
                some(attr, 0.2, 'vmax', () => positive(0.5, 3));
                some(attr, 0.2, 'fpmax', () => positive(0.5, 2));
                some(attr, 0.2, 'fvmax', () => positive(1, 1.6));
                active = 1;
            }
            if (kind === 'general') {
                const dyn = pick(['none', 'none', 'integrator', 'filter', 'filterexact', 'muscle']);
                some(attr, 0.95, 'dyntype', () => dyn);
                active = attr.dyntype && dyn !== 'none' ? 1 : 0;
                attr.gaintype = pick(['fixed', 'affine', 'muscle']);
                attr.biastype = pick(['none', 'affine', 'muscle']);
                if (attr.gaintype === 'muscle' || attr.biastype === 'muscle')
                    muscle();
                some(attr, attr.gaintype === 'muscle' ? 0.995 : 0.9, 'gainprm', () => attr.gaintype === 'muscle' ? muscleNumbers() : list(pick([1, 3]), -3, 3));
                some(attr, attr.biastype === 'muscle' ? 0.995 : 0.9, 'biasprm', () => attr.biastype === 'muscle' ? muscleNumbers() : list(3, -3, 3));
                if (Number(attr.gainprm?.split(' ')[0] ?? 1) === -Number(attr.biasprm?.split(' ')[1])) // a servo, whose damping ratio MuJoCo makes NaN if kp < 0
                    delete attr.biasprm;
                if (active) {
                    some(attr, 0.8, 'dynprm', () => dyn === 'muscle' ? positives(pick([2, 3]), 0.01, 0.3) : positive(0.005, 0.5));
                    some(attr, 0.3, 'actearly', () => pick(['true', 'false']));
                    activation(0.4);
                }
            }
            if (attr.name === undefined)
                Object.assign(attr, named({}, name('a', ['actuator'])));
            size.nu++;
            size.na += active;
            children.push(node(kind, attr));
        }
        return children.length && node('actuator', {}, children);
    };

    // ---- sensors ----

    const frames = ['body', 'xbody', 'geom', 'site', 'camera'];
    const object = (attr, kind, who) => {
        const type = pick(frames.filter(f => known[f === 'xbody' ? 'body' : f].length));
        attr[kind] = type;
        attr[who] = pick(known[type === 'xbody' ? 'body' : type]);
        return attr;
    };
    const sensorKinds = {
        site: ['touch', 'accelerometer', 'velocimeter', 'gyro', 'force', 'torque', 'magnetometer', 'rangefinder'],
        scalar: ['jointpos', 'jointvel', 'jointactuatorfrc'],
        ball: ['ballquat', 'ballangvel'],
        limited: ['jointlimitpos', 'jointlimitvel', 'jointlimitfrc'],
        tendon: ['tendonpos', 'tendonvel', 'tendonactuatorfrc'],
        limitedTendon: ['tendonlimitpos', 'tendonlimitvel', 'tendonlimitfrc'],
        actuator: ['actuatorpos', 'actuatorvel', 'actuatorfrc'],
        body: ['subtreecom', 'subtreelinvel', 'subtreeangmom', 'framepos', 'framequat', 'framexaxis', 'frameyaxis', 'framezaxis', 'framelinvel', 'frameangvel', 'framelinacc',
            'frameangacc', 'insidesite', 'contact', 'clock', 'e_potential', 'e_kinetic'],
        geom: ['distance', 'normal', 'fromto', 'contact']
    };
    const attribute = { scalar: 'joint', ball: 'joint', limited: 'joint', limitedTendon: 'tendon' };
    const sensors = () => {
        const children = [], over = Object.keys(sensorKinds).filter(kind => known[kind].length);
        for (let k = 1 + whole(8); k > 0 && over.length; k--) {
            const on = pick(over), kind = pick(sensorKinds[on]), attr = {};
            if (now.repeated && ['clock', 'e_potential', 'e_kinetic', 'contact'].includes(kind)) // of these MuJoCo makes 2^count copies
                continue;
            if (kind.startsWith('frame')) {
                object(attr, 'objtype', 'objname');
                if (chance(0.5) && !kind.endsWith('acc'))
                    object(attr, 'reftype', 'refname');
            } else if (kind === 'insidesite') {
                if (!known.site.length)
                    continue;
                object(attr, 'objtype', 'objname').site = pick(known.site);
            } else if (kind === 'contact') {
                const side = n => {
                    const what = pick(['geom', 'body', 'subtree']);
                    if (chance(0.5))
                        attr[what + n] = pick(known[what === 'geom' ? 'geom' : 'body']);
                };
                if (chance(0.2) && known.site.length)
                    attr.site = pick(known.site);
                else
                    side(1);
                side(2);
                const data = ['found', 'force', 'torque', 'dist', 'pos', 'normal', 'tangent'].filter(() => chance(0.4));
                if (data.length)
                    attr.data = data.join(' ');
                some(attr, 0.7, 'reduce', () => pick(['mindist', 'maxforce', 'netforce']));
                some(attr, 0.4, 'num', () => String(1 + whole(3)));
            } else if (['distance', 'normal', 'fromto'].includes(kind)) {
                const [geom1, geom2] = two('geom'), what = known.body.length > 1 && chance(0.4) ? 'body' : 'geom';
                if (what === 'body')
                    [attr.body1, attr.body2] = two('body');
                else if (known.geom.length > 1)
                    Object.assign(attr, { geom1, geom2 });
                attr.cutoff = positive(0.1, 2);
            } else if (!['clock', 'e_potential', 'e_kinetic'].includes(kind))
                attr[attribute[on] ?? on] = pick(known[on]);
            if (!attr.cutoff && (chance(0.01) || !/quat|axis/.test(kind)))
                some(attr, 0.15, 'cutoff', () => positive(0.1, 10));
            children.push(node(kind, attr));
        }
        return children.length && node('sensor', {}, children);
    };

    return { tendonNumbers, actuatorNumbers, contact, equality, tendon, actuators, sensors };
}
