// Bodies of a random model: meshes, geoms, sites, joints, inertias; in frames and in copies.
export function bodyParts(t)
{
    const { node, text, list, positive, positives, some, angle, solref, solimp, range, place, known, name, named, now, size, classes, autolimits, said, limitWord, inferred,
        classy } = t, { next, whole, chance, real, pick } = t.r;

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
        size.nq += now.copies * { free: 7, ball: 4, hinge: 1, slide: 1 }[type];
        size.nv += now.copies * { free: 6, ball: 3, hinge: 1, slide: 1 }[type];
        return node('joint', attr);
    };
    const joints = top => {
        if (top && chance(0.3)) {
            if (chance(0.5))
                return [joint('free')];
            size.nq += 7 * now.copies, size.nv += 6 * now.copies;
            return [node('freejoint', named({}, name('j', ['joint'])))];
        }
        const kinds = pick([['hinge'], ['hinge'], ['hinge'], ['slide'], ['ball'], ['hinge', 'hinge'], ['slide', 'hinge'], ['slide', 'slide', 'hinge'],
            ['hinge', 'hinge', 'hinge'], ['slide', 'ball'], ['hinge', 'ball'], [], ['slide', 'slide', 'slide', 'ball']]);
        return kinds.map(kind => joint(kind, kinds.length > 1)); // two that move the same way would make M singular
    };
    const inertial = () => {
        const attr = place({ pos: list(3, -0.1, 0.1), mass: positive(0.05, 5) }, 0.1, 0);
        const a = real(0.001, 0.05), b = real(0.001, 0.05), c = Math.abs(a - b) + (a + b - Math.abs(a - b)) * next();
        if (chance(0.3)) {
            const e = 0.3 * Math.min(a, b); // of nearly equal inertias MuJoCo finds the axes to 1e-7 only
            for (const key of ['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'])
                delete attr[key];
            attr.fullinertia = [a, b, Math.max(a, b) + real(0.2, 0.8) * Math.min(a, b), ...Array.from({ length: 3 }, () => real(-e, e) / 3)].map(text).join(' ');
        } else
            attr.diaginertia = [a, b, chance(0.99) ? c : real(0.001, 0.1)].map(text).join(' ');
        return node('inertial', attr);
    };
    let bodies = 1 + whole(12), cameras = 0;
    const gravity = chance(0.25);
    const body = (top, depth) => {
        bodies--;
        const mocap = top && now.copies === 1 && chance(0.08), moves = mocap ? [] : joints(top), outside = now.anchor, children = [];
        if (mocap || moves.length)
            now.anchor = `${mocap ? 'world' : 'group'} ${now.count}${now.copies > 1 ? '*' : ''}`;
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
        now.anchor = outside;
        return node('body', attr, children);
    };
    // a body, perhaps in a frame or repeated
    const group = depth => {
        const top = depth === 0;
        if (now.copies === 1 && bodies >= 2 && chance(0.08)) {
            now.repeated = true; // MuJoCo does not read a model with keyframes and repeated joints
            const n = 2 + whole(2), sep = pick(['-', '_', 'r', '']), old = now.suffixes;
            now.copies = n;
            now.suffixes = Array.from({ length: n }, (_, i) => `${sep}${i}`);
            const most = bodies;
            bodies = Math.min(bodies, 2);
            const inside = body(top, Math.max(depth, 5)), attr = { count: String(n) };
            bodies = Math.max(0, most - 2 * n);
            now.copies = 1;
            now.suffixes = old;
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

    const world = () => {
        const root = node('worldbody', {}, [chance(0.7) && plane(), chance(0.1) && plane(), chance(0.2) && site(), chance(0.1) && geom()]);
        while (bodies > 0)
            root.children.push(...group(0));
        return root;
    };
    return { jointNumbers, geomNumbers, mesh, world };
}
