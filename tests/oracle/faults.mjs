// What MuJoCo 3.12 makes wrongly of a few models, each found by its cause, which is checked; and models that are at the edge of what either can read.
//
//     faultOf(mujoco, m, xml, ours, said)    the fault, in words, or undefined; m: what MuJoCo compiled, or what it said instead; ours: our arrays, or our text
//     isSingular(mujoco, m)                  whether the mass matrix at qpos0 is singular up to rounding
const GEOM = 5, SITE = 6, OF_SITE = 4, OF_TENDON = 3;

// With fusestatic, a sensor of a copied body whose name MuJoCo has lost
function losesName(m, xml, ours, said)
{
    const [, name] = /unrecognized name '([^']*)' of sensorized object/.exec(said ?? '') ?? [];
    return !m && typeof ours !== 'string' && name !== undefined && /fusestatic="true"/.test(xml) && /<replicate /.test(xml) && xml.includes(`"${name}"`);
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
    const named = new Set(Array.from(xml.matchAll(/<pair [^>]*/g), ([pair]) => String([1, 2].map(i => new RegExp(`geom${i}="([^"]*)"`).exec(pair)?.[1]).sort())));
    return Array.from(m.pair_geom1).some((g, p) => !named.has(String([g, m.pair_geom2[p]].map(id => mujoco.mj_id2name(m, GEOM, id)).sort())));
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
        return 'with fusestatic it loses the name of a copied body that a sensor names';
    if (takesAnotherSite(mujoco, m, xml, ours))
        return 'with fusestatic it takes another site than the one that an actuator names';
    if (pairsOtherGeoms(mujoco, m, xml))
        return 'with fusestatic it takes other geoms than those that a pair names';
    if (lacksArmature(mujoco, m))
        return 'the mass matrix lacks what the armature of an actuator on a tendon adds to a body that turns about its centre of mass';
    return undefined;
}

// The least pivot of M, relative to its diagonal, is of the size of rounding errors.
export function isSingular(mujoco, m)
{
    const d = new mujoco.MjData(m), n = m.nv;
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
    return !(least > 1e-14);
}
