// What all parts of a random model are made with: random numbers, their texts, and the names that can be referred to.
//
//     const t = tools(seed);      the same for the same seed; each part takes from it what it needs
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

export function tools(seed)
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
    const rigid = {}; // of bodies and sites: what they are fixed to
    const now = { count: 0, suffixes: [''], copies: 1, anchor: 'world', repeated: false, activations: true };
    const name = (letter, kinds, p = 0.95) => {
        if (!chance(p))
            return undefined;
        const plain = letter + String(now.count++).padStart(3, '0'); // no name is another with a digit more
        for (const kind of kinds)
            for (const suffix of now.suffixes) {
                known[kind].push(plain + suffix);
                rigid[plain + suffix] = now.anchor.endsWith('*') ? now.anchor + suffix : now.anchor;
            }
        return plain;
    };
    const named = (attr, value) => value === undefined ? attr : { name: value, ...attr };
    const two = kind => {
        const a = pick(known[kind]), others = known[kind].filter(x => x !== a);
        return [a, chance(0.99) && others.length ? pick(others) : pick(known[kind])];
    };
    const size = { nq: 0, nv: 0, nu: 0, na: 0, nmocap: 0 };

    // ---- what several parts must know ----

    const classes = [];
    const autolimits = chance(0.85);
    const said = () => autolimits ? chance(0.2) : chance(0.995), limitWord = () => pick(autolimits || chance(0.01) ? ['true', 'auto', 'false'] : ['true', 'false']);
    const inferred = chance(0.2) ? pick(['true', 'false', 'auto', 'auto']) : undefined; // inertiafromgeom
    const classy = attr => {
        if (classes.length > 0 && chance(0.2))
            attr.class = pick(classes);
        return attr;
    };
    return { r, node, text, list, positive, positives, some, degree, angle, solref, solimp, range, place, known, name, named, two, rigid, now, size, classes, autolimits, said,
        limitWord, inferred, classy };
}
