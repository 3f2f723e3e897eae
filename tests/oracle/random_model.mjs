// A random mechanism in MJCF, the same for the same seed: many features in each model, none alone.
//
//     const model = randomModel(seed);      a tree: { tag, attr: { name: text }, children: [tree] }
//     const xml = write(model);
//
// Most models are valid; some have faults, which both readers must refuse. What is left out on purpose stands in docs/compatibility.md, "Random models".
export function generator(seed)
{
    let a = (seed ^ 0x9e3779b9) >>> 0;
    const next = () => {
        a = (a + 0x6d2b79f5) >>> 0;
        let t = Math.imul(a ^ a >>> 15, a | 1);
        t ^= t + Math.imul(t ^ t >>> 7, t | 61);
        return ((t ^ t >>> 14) >>> 0) / 0x100000000;
    };
    for (let i = 0; i < 8; i++)
        next();
    const whole = n => Math.floor(n * next());
    return { next, whole, chance: p => next() < p, real: (low, high) => low + (high - low) * next(), pick: list => list[whole(list.length)] };
}

export function write(node)
{
    const attr = Object.entries(node.attr).map(([name, value]) => ` ${name}="${value}"`).join('');
    return node.children.length ? `<${node.tag}${attr}>${node.children.map(write).join('')}</${node.tag}>` : `<${node.tag}${attr}/>`;
}

export function randomModel(seed)
{
    const r = generator(seed), { whole, chance, real, pick } = r;
    const node = (tag, attr = {}, children = []) => ({ tag, attr, children: children.filter(x => x) });

    // ---- numbers ----

    const digits = pick([2, 3, 4, 17]);
    const text = x => String(Number(x.toPrecision(digits)));
    const list = (n, low, high) => Array.from({ length: n }, () => text(real(low, high))).join(' ');
    const positive = (low, high) => text(low * Math.pow(high / low, r.next())); // even in its logarithm
    const positives = (n, low, high) => Array.from({ length: n }, () => positive(low, high)).join(' ');
    const some = (attr, p, name, value) => {
        if (chance(p))
            attr[name] = value();
        return attr;
    };
    const degree = chance(0.6);
    const angle = x => text(degree ? x * 180 / Math.PI : x);
    const solref = () => chance(0.7) ? `${positive(0.004, 0.1)} ${positive(0.3, 2)}` : `-${positive(10, 3000)} -${positive(1, 100)}`;
    const solimp = () => [positive(0.3, 0.95), positive(0.8, 0.99), positive(0.001, 0.1), positive(0.2, 0.8), positive(1, 4)].slice(0, pick([5, 5, 3, 2, 1])).join(' ');
    const range = (low, high) => `${text(-real(low, high))} ${text(real(low, high))}`;

    const turn = attr => {
        const kind = whole(7);
        if (kind === 1)
            attr.quat = list(4, -1, 1); // not of unit length
        if (kind === 2)
            attr.axisangle = `${list(3, -1, 1)} ${angle(real(-3, 3))}`;
        if (kind === 3)
            attr.xyaxes = list(6, -1, 1);
        if (kind === 4)
            attr.zaxis = list(3, -1, 1);
        if (kind === 5)
            attr.euler = [0, 0, 0].map(() => angle(real(-3, 3))).join(' ');
        return attr;
    };
    const place = (attr, size, p = 0.8) => turn(some(attr, p, 'pos', () => list(3, -size, size)));

    // ---- names: what can be referred to ----

    const known = { body: [], moving: [], joint: [], scalar: [], ball: [], limited: [], geom: [], wrap: [], site: [], camera: [], tendon: [], limitedTendon: [], actuator: [],
        mesh: [] };
    let count = 0, suffixes = [''];
    const name = (letter, kinds, p = 0.95) => {
        if (!chance(p))
            return undefined;
        const plain = letter + String(count++).padStart(3, '0'); // no name is another with a digit more
        for (const kind of kinds)
            for (const suffix of suffixes) {
                known[kind].push(plain + suffix);
                rigid[plain + suffix] = anchor.endsWith('*') ? anchor + suffix : anchor;
            }
        return plain;
    };
    const named = (attr, value) => value === undefined ? attr : { name: value, ...attr };
    const two = kind => {
        const a = pick(known[kind]), others = known[kind].filter(x => x !== a);
        return [a, chance(0.99) && others.length ? pick(others) : pick(known[kind])];
    };
    const size = { nq: 0, nv: 0, nu: 0, na: 0, nmocap: 0 };
    let copies = 1;

    // ---- attributes that defaults may give, too ----

    const classes = [];
    const autolimits = chance(0.85);
    const said = () => autolimits ? chance(0.2) : chance(0.995), limitWord = () => pick(autolimits || chance(0.01) ? ['true', 'auto', 'false'] : ['true', 'false']);
    const inferred = chance(0.2) ? pick(['true', 'false', 'auto', 'auto']) : undefined; // inertiafromgeom
    const jointNumbers = (attr, p) => {
        some(attr, p, 'damping', () => chance(0.8) ? positive(0.01, 2) : positives(pick([2, 3]), 0.01, 0.5));
        some(attr, p, 'stiffness', () => chance(0.8) ? positive(0.1, 50) : positives(pick([2, 3]), 0.1, 10));
        some(attr, p, 'armature', () => positive(0.001, 0.5));
        some(attr, p / 2, 'frictionloss', () => positive(0.01, 2));
        some(attr, p / 3, 'solreflimit', solref);
        some(attr, p / 3, 'solimplimit', solimp);
        some(attr, p / 3, 'solreffriction', solref);
        some(attr, p / 3, 'solimpfriction', solimp);
        some(attr, p / 3, 'margin', () => positive(0.001, 0.3));
        some(attr, p / 6, 'actuatorgravcomp', () => pick(['true', 'false']));
        some(attr, p / 6, 'springdamper', () => `${positive(0.1, 1)} ${positive(0.1, 2)}`);
        return attr;
    };
    const geomNumbers = (attr, p) => {
        some(attr, p, 'condim', () => pick(['1', '3', '4', '6']));
        some(attr, p, 'friction', () => positives(pick([1, 2, 3]), 0.001, 1.5));
        some(attr, p / 2, 'priority', () => String(whole(3)));
        some(attr, p / 2, 'solmix', () => chance(0.1) ? '0' : positive(0.1, 10));
        some(attr, p / 2, 'solref', solref);
        some(attr, p / 2, 'solimp', solimp);
        some(attr, p / 2, 'margin', () => positive(0.001, 0.1));
        some(attr, p / 2, 'gap', () => positive(0.001, 0.05));
        some(attr, p / 3, 'group', () => String(whole(6)));
        if (chance(p / 3))
            attr.density = positive(100, 3000);
        else if (chance(p / 3))
            attr.mass = chance(0.03) ? '0' : positive(0.05, 5);
        some(attr, p / 4, 'fluidshape', () => pick(['ellipsoid', 'none']));
        some(attr, p / 4, 'fluidcoef', () => list(pick([5, 5, 2]), 0, 2));
        return attr;
    };
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
    let activations = true; // their number is known
    const usualActuator = () => {
        const kind = pick(['general', 'motor', 'position', 'velocity', 'damper', 'intvelocity', 'cylinder', 'muscle']), attr = actuatorNumbers({}, 0.3);
        activations &&= !['intvelocity', 'cylinder', 'muscle'].includes(kind);
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
            children.push(defaults(depth - 1, `c${String(count++).padStart(3, '0')}`));
        return node('default', label ? { class: label } : {}, children);
    };
    const classy = attr => {
        if (classes.length > 0 && chance(0.2))
            attr.class = pick(classes);
        return attr;
    };

    // ---- assets ----

    // a tetrahedron, a box or a prism, its corners moved; its faces, if they are said, look outwards
    const mesh = () => {
        const kind = whole(3), corner = [], face = [];
        if (kind === 0) {
            corner.push([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]);
            face.push([0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]);
        } else {
            const n = kind === 1 ? 4 : 3 + whole(4);
            for (let z = 0; z < 2; z++)
                for (let i = 0; i < n; i++)
                    corner.push([Math.cos(2 * Math.PI * i / n), Math.sin(2 * Math.PI * i / n), z]);
            for (let i = 0; i < n; i++)
                face.push([i, (i + 1) % n, n + (i + 1) % n], [i, n + (i + 1) % n, n + i]);
            for (let i = 1; i < n - 1; i++)
                face.push([0, i + 1, i], [n, n + i, n + i + 1]);
        }
        const attr = { name: name('m', ['mesh'], 1) };
        attr.vertex = corner.map(c => c.map(x => text(0.15 * (x + real(-0.15, 0.15)))).join(' ')).join(' ');
        if (chance(0.6))
            attr.face = face.map(f => f.join(' ')).join(' ');
        some(attr, 0.7, 'inertia', () => pick(['convex', 'exact', 'legacy', 'shell']));
        some(attr, 0.2, 'scale', () => chance(0.9) || attr.inertia === 'convex' ? positives(3, 0.5, 1.5) : `-${positives(3, 0.5, 1.5)}`); // a mirrored hull MuJoCo refuses
        some(attr, 0.2, 'refpos', () => list(3, -0.1, 0.1));
        some(attr, 0.2, 'refquat', () => list(4, -1, 1));
        return node('mesh', classy(attr));
    };

    // ---- bodies ----

    const loose = chance(0.1); // round shapes may meet anything: then only what does not follow from contacts is compared
    const bits = curved => loose ? some({}, 0.3, 'contype', () => String(whole(4))) : curved ? { contype: '2', conaffinity: '0' }
        : some(some({}, 0.1, 'contype', () => pick(['0', '1', '5'])), 0.1, 'conaffinity', () => pick(['0', '1', '4']));
    const geom = () => {
        const kinds = ['sphere', 'capsule', 'box', 'ellipsoid', 'cylinder', ...known.mesh.length ? ['mesh', 'mesh'] : []], type = pick(kinds);
        const wraps = type === 'sphere' || type === 'cylinder';
        const attr = named({ type }, name('g', wraps ? ['geom', 'wrap'] : ['geom']));
        Object.assign(attr, bits(['ellipsoid', 'cylinder', 'mesh'].includes(type)));
        classy(attr);
        if (type === 'mesh') {
            attr.mesh = pick(known.mesh);
            if (chance(0.2))
                Object.assign(attr, { type: pick(['box', 'sphere', 'capsule', 'cylinder', 'ellipsoid']) }, { contype: '0', conaffinity: '0' }); // MuJoCo makes too many contacts of some
            some(attr, attr.type === 'mesh' ? 0.05 : 0.3, 'fitscale', () => positive(0.5, 1.5));
            place(attr, 0.1);
        } else if (['capsule', 'cylinder', 'box', 'ellipsoid'].includes(type) && chance(0.4)) {
            attr.fromto = list(6, -0.2, 0.2);
            attr.size = positives(1, 0.02, 0.1);
        } else {
            attr.size = positives(3, 0.03, 0.15);
            place(attr, 0.15);
        }
        geomNumbers(attr, 0.2);
        some(attr, type === 'mesh' ? 0.005 : 0.05, 'shellinertia', () => 'true');
        some(attr, 0.1, 'rgba', () => `.5 .5 .5 ${pick(['0', '1'])}`);
        return node('geom', attr);
    };
    const plane = () => node('geom', geomNumbers(named({ type: 'plane', size: pick(['0 0 1', '3 3 1']), contype: '3', conaffinity: '3',
        ...chance(0.7) ? { pos: `0 0 ${text(real(-0.6, 0.1))}` } : place({}, 0.3) }, name('g', ['geom'])), 0.15));
    const site = () => {
        const attr = named({}, name('s', ['site']));
        some(attr, 0.7, 'type', () => pick(['sphere', 'capsule', 'ellipsoid', 'cylinder', 'box']));
        some(attr, 0.7, 'size', () => positives(3, 0.02, 0.2));
        return node('site', place(classy(attr), 0.2));
    };
    const joint = (type, several) => {
        const scalar = type === 'hinge' || type === 'slide', attr = { type };
        const limited = type !== 'free' && chance(0.35), unnamed = chance(0.05);
        const id = unnamed ? undefined : name('j', ['joint', ...scalar ? ['scalar'] : type === 'ball' ? ['ball'] : [], ...limited && autolimits ? ['limited'] : []], 1);
        Object.assign(attr, named({}, id));
        if (scalar)
            some(attr, several ? 1 : 0.8, 'axis', () => !several && chance(0.4) ? pick(['1 0 0', '0 1 0', '0 0 1', '0 -2 0']) : list(3, -1, 1));
        if (type !== 'free')
            some(attr, several ? 1 : 0.4, 'pos', () => list(3, -0.1, 0.1));
        if (limited) {
            const x = type === 'slide' ? text : angle;
            attr.range = type === 'ball' ? `0 ${x(real(0.2, 2))}` : `${x(-real(-0.2, 1.5))} ${x(real(0.3, 1.5))}`;
            if (said())
                attr.limited = limitWord();
        }
        if (scalar) {
            const x = type === 'slide' ? text : angle;
            some(attr, 0.2, 'ref', () => x(real(-0.5, 0.5)));
            some(attr, 0.2, 'springref', () => x(real(-0.5, 0.5)));
            if (chance(0.15)) {
                attr.actuatorfrcrange = range(0.1, 3);
                if (said())
                    attr.actuatorfrclimited = limitWord();
            }
        }
        jointNumbers(classy(attr), type === 'free' ? 0.05 : 0.2);
        size.nq += copies * { free: 7, ball: 4, hinge: 1, slide: 1 }[type];
        size.nv += copies * { free: 6, ball: 3, hinge: 1, slide: 1 }[type];
        return node('joint', attr);
    };
    const joints = top => {
        if (top && chance(0.3)) {
            if (chance(0.5))
                return [joint('free')];
            size.nq += 7 * copies, size.nv += 6 * copies;
            return [node('freejoint', named({}, name('j', ['joint'])))];
        }
        const kinds = pick([['hinge'], ['hinge'], ['hinge'], ['slide'], ['ball'], ['hinge', 'hinge'], ['slide', 'hinge'], ['slide', 'slide', 'hinge'],
            ['hinge', 'hinge', 'hinge'], ['slide', 'ball'], ['hinge', 'ball'], [], ['slide', 'slide', 'slide', 'ball']]);
        return kinds.map(kind => joint(kind, kinds.length > 1)); // two that move the same way would make M singular
    };
    const inertial = () => {
        const attr = place({ pos: list(3, -0.1, 0.1), mass: positive(0.05, 5) }, 0.1, 0);
        const a = real(0.001, 0.05), b = real(0.001, 0.05), c = Math.abs(a - b) + (a + b - Math.abs(a - b)) * r.next();
        if (chance(0.3)) {
            const e = 0.3 * Math.min(a, b); // of nearly equal inertias MuJoCo finds the axes to 1e-7 only
            for (const key of ['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'])
                delete attr[key];
            attr.fullinertia = [a, b, Math.max(a, b) + real(0.2, 0.8) * Math.min(a, b), ...Array.from({ length: 3 }, () => real(-e, e) / 3)].map(text).join(' ');
        } else
            attr.diaginertia = [a, b, chance(0.99) ? c : real(0.001, 0.1)].map(text).join(' ');
        return node('inertial', attr);
    };
    const rigid = {}; // of bodies and sites: what they are fixed to
    let anchor = 'world', bodies = 1 + whole(12), cameras = 0, repeated = false;
    const gravity = chance(0.25);
    const body = (top, depth) => {
        bodies--;
        const mocap = top && copies === 1 && chance(0.08), moves = mocap ? [] : joints(top), outside = anchor, children = [];
        if (mocap || moves.length)
            anchor = `${mocap ? 'world' : 'group'} ${count}${copies > 1 ? '*' : ''}`;
        const attr = named({}, name('b', mocap ? ['body'] : ['body', 'moving']));
        if (mocap) {
            attr.mocap = 'true';
            size.nmocap++;
        }
        place(attr, top ? 0.6 : 0.3, 0.95);
        if (gravity)
            some(attr, 0.5, 'gravcomp', () => chance(0.8) ? positive(0.1, 1.5) : '1');
        if (classes.length && chance(0.1))
            attr.childclass = pick(classes);
        const bare = moves.length && inferred !== 'true' && chance(inferred === 'false' ? 0.99 : 0.1);
        children.push(...moves);
        if (bare || chance(0.3))
            children.push(inertial());
        for (let k = bare && chance(0.3) || chance(0.01) ? 0 : 1 + whole(2); k > 0; k--)
            children.push(geom());
        for (let k = whole(3); k > 0; k--)
            children.push(site());
        if (cameras < 2 && chance(0.1) && ++cameras)
            children.push(node('camera', place(named({}, name('e', ['camera'], 1)), 0.1)));
        while (bodies > 0 && depth < 8 && chance(depth < 2 ? 0.65 : 0.5))
            children.push(...group(depth + 1));
        anchor = outside;
        return node('body', attr, children);
    };
    // a body, perhaps in a frame or repeated
    const group = depth => {
        const top = depth === 0;
        if (copies === 1 && bodies >= 2 && chance(0.08)) {
            repeated = true; // MuJoCo does not read a model with keyframes and repeated joints
            const n = 2 + whole(2), sep = pick(['-', '_', 'r', '']), old = suffixes;
            copies = n;
            suffixes = Array.from({ length: n }, (_, i) => `${sep}${i}`);
            const most = bodies;
            bodies = Math.min(bodies, 2);
            const inside = body(top, Math.max(depth, 5)), attr = { count: String(n) };
            bodies = Math.max(0, most - 2 * n);
            copies = 1;
            suffixes = old;
            if (sep !== '')
                attr.sep = sep;
            attr.offset = list(3, -0.3, 0.3); // of copies in the same place rounding decides how they touch
            some(attr, 0.6, 'euler', () => [0, 0, 0].map(() => angle(real(-1, 1))).join(' '));
            return [node('replicate', attr, [inside])];
        }
        if (chance(0.12)) {
            const attr = place({}, 0.2);
            if (classes.length && chance(0.2))
                attr.childclass = pick(classes);
            return [node('frame', attr, [chance(0.2) && !top ? geom() : null, body(top, depth)])];
        }
        return [body(top, depth)];
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
            if (repeated && ['clock', 'e_potential', 'e_kinetic', 'contact'].includes(kind)) // of these MuJoCo makes 2^count copies
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

    // ---- the whole ----

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
            if (size.na && activations)
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

    const before = option();
    const usual = chance(0.5) && defaults(2, undefined);
    const asset = chance(0.4) && node('asset', {}, Array.from({ length: 1 + whole(2) }, mesh));
    const world = node('worldbody', {}, [chance(0.7) && plane(), chance(0.1) && plane(), chance(0.2) && site(), chance(0.1) && geom()]);
    while (bodies > 0)
        world.children.push(...group(0));
    const rest = [chance(0.4) && contact(), chance(0.5) && tendon(), chance(0.5) && equality(), chance(0.7) && actuators(), chance(0.7) && sensors(), chance(0.5) && !repeated && keys()];
    const head = [(inferred || !autolimits || !degree || chance(0.9)) && compiler(), before];
    return node('mujoco', {}, [...head, usual, asset, world, ...rest]);
}
