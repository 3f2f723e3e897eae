// Contacts of MuJoCo 3.12, and which of them it finds by iteration.
//
//     for (const { geom, dist, margin, pos, frame } of contactsOf(d)) ...       of d, after its positions are computed
//     iterated(m, geom)                                                    the two geoms are of shapes whose contacts are found by iteration
const [PLANE, SPHERE, ELLIPSOID, CYLINDER, MESH] = [0, 2, 4, 5, 7];

export function contactsOf(d)
{
    const out = [], list = d.contact; // every time it is asked for, a copy
    for (let i = 0; i < d.ncon; i++) {
        const c = list.get(i);
        out.push({ geom: [c.geom1 ?? c.geom[0], c.geom2 ?? c.geom[1]], dist: c.dist, margin: c.includemargin, pos: Array.from(c.pos), frame: Array.from(c.frame) });
        c.delete();
    }
    list.delete();
    return out;
}

export function iterated(m, [g1, g2])
{
    const [a, b] = [m.geom_type[g1], m.geom_type[g2]].sort((x, y) => x - y);
    const curved = [a, b].some(t => t === ELLIPSOID || t === CYLINDER || t === MESH);
    return curved && a !== PLANE && !(a === SPHERE && b === CYLINDER);
}
