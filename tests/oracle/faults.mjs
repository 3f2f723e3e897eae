// What MuJoCo 3.12 makes wrongly of a few models, each found by its cause, which is checked; and models that are at the edge of what either can read.
//
//     faultOf(mujoco, m, xml, ours, said)    the fault, in words, or undefined; m: what MuJoCo compiled, or what it said instead; ours: our arrays, or our text
//     isSingular(mujoco, m)                  whether the mass matrix at qpos0 is singular up to rounding
//     isIndefinite(mujoco, m, d)             whether it is not positive in the state d, which is taken
const GEOM = 5, SITE = 6, OF_SITE = 4, OF_TENDON = 3, DISTANCE = 39, FROMTO = 41;

// With fusestatic, a sensor of a body whose name MuJoCo has lost: it was copied, or the sensor names it as an xbody
function losesName(m, xml, ours, said)
{
    const [, name] = /unrecognized name '([^']*)' of sensorized object/.exec(said ?? '') ?? [];
    return !m && typeof ours !== 'string' && name !== undefined && /fusestatic="true"/.test(xml) && xml.includes(`"${name}"`) &&
        (/<replicate /.test(xml) || xml.includes(`type="xbody" objname="${name}"`) || xml.includes(`type="xbody" refname="${name}"`));
}

// What two attributes of elements (of these names) say, of each
function namedPairs(xml, elements, first, second)
{
    const word = (text, name) => new RegExp(` ${name}="([^"]*)"`).exec(text)?.[1];
    return new Set(Array.from(xml.matchAll(new RegExp(`<(${elements}) [^>]*`, 'g')), ([text]) => String([word(text, first), word(text, second)])));
}

// With fusestatic, an actuator at another site than the one it names: the id that we have is of that name
function takesAnotherSite(mujoco, m, xml, ours)
{
    if (!m || typeof ours === 'string' || !/fusestatic="true"/.test(xml))
        return false;
    return Array.from(m.actuator_trntype).some((type, i) => {
        const id = ours.actuator_trnid[i];
        return type === OF_SITE && id !== m.actuator_trnid[2 * i] && xml.includes(` site="${mujoco.mj_id2name(m, SITE, id)}"`);
    });
}

// With fusestatic, a <pair> of other geoms than it names: ids are given anew after the geoms of a fused body have moved to another
function pairsOtherGeoms(mujoco, m, xml)
{
    if (!m || !/fusestatic="true"/.test(xml))
        return false;
    const sorted = text => String(text.split(',').sort()), named = new Set(Array.from(namedPairs(xml, 'pair', 'geom1', 'geom2'), sorted));
    return Array.from(m.pair_geom1).some((g, p) => !named.has(sorted(String([g, m.pair_geom2[p]].map(id => mujoco.mj_id2name(m, GEOM, id))))));
}

// With fusestatic, an equality of other sites than it names
function tiesOtherSites(mujoco, m, xml)
{
    if (!m || !/fusestatic="true"/.test(xml))
        return false;
    const named = namedPairs(xml, 'connect|weld', 'site1', 'site2');
    return Array.from(m.eq_objtype).some((type, e) => type === SITE && !named.has(String([m.eq_obj1id[e], m.eq_obj2id[e]].map(id => mujoco.mj_id2name(m, SITE, id)))));
}

// With fusestatic, a sensor between other geoms than it names, for the same reason
function sensesOtherGeoms(mujoco, m, xml)
{
    if (!m || !/fusestatic="true"/.test(xml))
        return false;
    const named = namedPairs(xml, 'distance|normal|fromto', 'geom1', 'geom2');
    return Array.from(m.sensor_type).some((type, i) => type >= DISTANCE && type <= FROMTO && m.sensor_objtype[i] === GEOM && m.sensor_reftype[i] === GEOM &&
        !named.has(String([m.sensor_objid[i], m.sensor_refid[i]].map(id => mujoco.mj_id2name(m, GEOM, id)))));
}

// M of a body that turns about its centre of mass is diagonal in MuJoCo, also if the armature of an actuator on a tendon adds to the entries beside it
function lacksArmature(mujoco, m)
{
    if (!m || !m.dof_simplenum.some(n => n > 0))
        return false;
    const d = new mujoco.MjData(m);
    mujoco.mj_forward(m, d);
    const lacking = Array.from(m.actuator_armature).some((armature, i) => armature > 0 && m.actuator_trntype[i] === OF_TENDON &&
        Array.from({ length: d.moment_rownnz[i] }, (_, k) => d.moment_colind[d.moment_rowadr[i] + k]).filter(dof => m.dof_simplenum[dof] > 1).length > 0);
    d.delete();
    return lacking;
}

export function faultOf(mujoco, m, xml, ours, said)
{
    if (losesName(m, xml, ours, said))
        return 'with fusestatic it loses the name of a body that a sensor names';
    if (takesAnotherSite(mujoco, m, xml, ours))
        return 'with fusestatic it takes another site than the one that an actuator names';
    if (pairsOtherGeoms(mujoco, m, xml))
        return 'with fusestatic it takes other geoms than those that a pair names';
    if (tiesOtherSites(mujoco, m, xml))
        return 'with fusestatic it takes other sites than those that an equality names';
    if (sensesOtherGeoms(mujoco, m, xml))
        return 'with fusestatic it takes other geoms than those that a sensor names';
    if (lacksArmature(mujoco, m))
        return 'the mass matrix lacks what the armature of an actuator on a tendon adds to a body that turns about its centre of mass';
    return undefined;
}

// The least pivot of M, relative to its diagonal
function leastPivot(mujoco, m, d)
{
    const n = m.nv;
    mujoco.mj_forward(m, d);
    const M = Array.from({ length: n }, () => new Float64Array(n));
    for (let i = 0; i < n; i++)
        for (let k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; k++)
            M[i][m.M_colind[k]] = M[m.M_colind[k]][i] = d.M[k];
    d.delete();
    const diagonal = M.map((row, i) => row[i]);
    let least = 1;
    for (let k = n - 1; k >= 0; k--) {
        least = Math.min(least, M[k][k] / diagonal[k]);
        for (let i = 0; i < k; i++)
            for (let j = 0; j < k; j++)
                M[i][j] -= M[i][k] * M[k][j] / M[k][k];
    }
    return least;
}

export const isSingular = (mujoco, m) => !(leastPivot(mujoco, m, new mujoco.MjData(m)) > 1e-14);

// A tendon's armature adds to M only where M has entries: across branches it has none, and what is left need not be positive.
export const isIndefinite = (mujoco, m, d) => !(leastPivot(mujoco, m, d) > 0);
