// Arrays of a compiled model, ours beside MuJoCo's: those of the same name and meaning, and frames and inertias, whose numbers may differ in sign and order.
//
//     for (const d of compiledDifferences(ours, m, tolerance)) ...     { what, at, ours, theirs, error }: of each array that differs, the first entry
//
// `ours` has arrays by name. What differs by more than tolerance times the largest entry (at least 1) differs.
const arrays = ['qpos0', 'qpos_spring', 'body_parentid', 'body_rootid', 'body_mocapid', 'body_jntadr', 'body_jntnum',
    'body_dofadr', 'body_dofnum', 'body_geomadr', 'body_geomnum', 'body_pos', 'body_ipos', 'body_mass', 'body_subtreemass',
    'body_invweight0', 'jnt_type', 'jnt_qposadr', 'jnt_dofadr', 'jnt_bodyid', 'jnt_pos', 'jnt_axis', 'jnt_range', 'jnt_margin',
    'jnt_stiffness', 'jnt_solref', 'jnt_solimp', 'dof_bodyid', 'dof_jntid', 'dof_parentid', 'dof_armature', 'dof_damping',
    'dof_frictionloss', 'dof_invweight0', 'dof_M0', 'dof_solref', 'dof_solimp', 'geom_type', 'geom_bodyid', 'geom_contype',
    'geom_conaffinity', 'geom_condim', 'geom_priority', 'geom_group', 'geom_solmix', 'geom_solref', 'geom_solimp', 'geom_size',
    'geom_rbound', 'geom_pos', 'geom_friction', 'geom_margin', 'geom_gap', 'geom_fluid', 'body_gravcomp', 'jnt_stiffnesspoly',
    'dof_dampingpoly', 'tendon_stiffnesspoly', 'tendon_dampingpoly', 'tendon_armature', 'tendon_lengthspring', 'site_bodyid',
    'site_type', 'site_size', 'site_pos', 'actuator_gear', 'actuator_gainprm', 'actuator_biasprm', 'actuator_ctrlrange',
    'actuator_forcerange', 'actuator_acc0', 'actuator_group', 'actuator_dynprm', 'actuator_actrange', 'actuator_cranklength',
    'jnt_actfrcrange', 'tendon_actfrcrange', 'key_act', 'actuator_length0', 'sensor_dim', 'sensor_adr', 'sensor_cutoff',
    'key_time', 'key_qpos', 'key_qvel', 'key_ctrl', 'key_mpos', 'key_mquat', 'numeric_adr', 'numeric_size', 'numeric_data',
    'tuple_adr', 'tuple_size', 'tuple_objid', 'tuple_objprm'];

function difference(what, ours, theirs, tolerance)
{
    if (ours.length !== theirs.length)
        return { what, at: 'length', ours: ours.length, theirs: theirs.length, error: Infinity };
    let scale = 1, first = null;
    for (const x of theirs)
        scale = Number.isFinite(x) ? Math.max(scale, Math.abs(x)) : scale;
    for (let i = 0; i < ours.length; i++) {
        const error = ours[i] === theirs[i] || !Number.isFinite(theirs[i]) ? 0 : Math.abs(ours[i] - theirs[i]) / scale;
        if (!(error <= tolerance) && !first)
            first = { what, at: i, ours: ours[i], theirs: theirs[i], error };
    }
    return first;
}

function matrix([w, x, y, z])
{
    return [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
        w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z];
}

const rows = (a, k) => Array.from({ length: a.length / k }, (_, i) => Array.from(a.slice(k * i, k * i + k)));

// R diag(I) R'
function tensor(quat, inertia)
{
    const r = matrix(quat), out = [];
    for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++)
            out.push(r[3 * i] * inertia[0] * r[3 * j] + r[3 * i + 1] * inertia[1] * r[3 * j + 1] + r[3 * i + 2] * inertia[2] * r[3 * j + 2]);
    return out;
}

// Inertias of the bodies in their frames, whatever the order of their axes
export const tensorsOf = m => rows(m.body_iquat, 4).flatMap((q, i) => tensor(q, rows(m.body_inertia, 3)[i]));

export function compiledDifferences(ours, m, tolerance)
{
    const out = [], same = (what, a, b) => {
        const found = difference(what, a, b, tolerance);
        if (found)
            out.push(found);
    };
    const meant = [3, 5, 6], USER = 5, own = name => /^actuator_(gainprm|biasprm|dynprm|dyntype|gaintype|biastype)$/.test(name);
    const others = (name, x) => { // a dcmotor (3), pid (5) or user's (6) is a general actuator with us: forces are compared in states
        const width = /prm$/.test(name) ? 10 : 1;
        return Array.from(x).filter((_, i) => {
            const actuator = Math.floor(i / width);
            return !meant.includes(m.actuator_gaintype[actuator]) && m.actuator_biastype[actuator] !== USER;
        });
    };
    for (const name of arrays)
        same(name, ...(own(name) ? [others(name, ours[name]), others(name, m[name])] : [ours[name], m[name]]));
    for (const name of ['body_quat', 'geom_quat', 'site_quat'])
        same(name, rows(ours[name], 4).flatMap(matrix), rows(m[name], 4).flatMap(matrix));
    same('body_inertia', tensorsOf(ours), tensorsOf(m));
    same('meaninertia', ours.meaninertia, [m.stat.meaninertia]);
    same('actuator_trnid', ours.actuator_trnid, rows(m.actuator_trnid, 2).map(pair => pair[0]));
    same('actuator_refid', ours.actuator_refid, rows(m.actuator_trnid, 2).map(pair => pair[1]));
    for (const name of ['actuator_dyntype', 'actuator_gaintype', 'actuator_biastype'])
        same(name, others(name, ours[name]), others(name, m[name]));
    // of muscles by simulation: the solvers' tolerances add up
    rows(m.actuator_lengthrange, 2).forEach((range, i) => range.forEach((length, k) => {
        const x = ours.actuator_lengthrange[2 * i + k], error = Math.abs(x - length);
        if (!(error <= 1e-7 * Math.abs(range[1] - range[0])))
            out.push({ what: 'actuator_lengthrange', at: 2 * i + k, ours: x, theirs: length, error });
    }));
    return out;
}
