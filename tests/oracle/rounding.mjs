// How large the terms are of which MuJoCo 3.12 sums bias forces and torques of contacts, and so how large rounding is where they cancel.
//
//     contactForce(d)      of all contacts; d: after its inverse dynamics: the sum of their forces
//     contactTorque(d)     at most, of all contacts; d: after its inverse dynamics: the sum of their forces times their largest distance from the origin
//     biasTerms(m, d)      of each dof; d: after its velocities are computed
//     readingsRounded(m, i, ours, theirs, { force, torque })      the readings of sensor i; ours where they are theirs up to the rounding of the terms
//                          they are the sum of (CANCELLED of these)
//
// With w, v the velocities of a body's frame, a, g its accelerations (turning, moving) without those of qacc, and inertia I, first moment h, mass m:
//
//     p = |I| |w| + |h| |v|,   q = m |v| + |h| |w|                               momentum
//     t = |I| |a| + |h| |g| + |w| p + |v| q,   f = m |g| + |h| |a| + |w| q       torque and force
//     of a dof: the sum over the bodies that it moves of |axis| t + |lever| f
//     depthRounding(m, d, geom, pos, lean)   of the distance of a contact there between these two geoms; lean: of a cylinder on a plane, the sine of the
//                          angle between its axis and the normal
//     rowRounding(d, reach)    of aref and force of each row, reach: how much rounding moves its pos
//
// The distance of two geoms is a difference of coordinates. The lowest point of a cylinder's rim lies where the normal, less its part along the axis,
// points; this difference of length `lean` is made a unit vector, which divides its rounding by lean:
//
//     dist    eps (|x_1| + r_1 + |x_2| + r_2) / lean
//     aref    K I dist + B eps sum |J| |v|,       force    D (aref + eps sum |J| |a|)
import { contactsOf } from './contacts.mjs';

export const CANCELLED = 16 * Number.EPSILON;

const FIRST_OF_CONTACTS = 5; // type of rows
const FORCESENSOR = 4, TORQUESENSOR = 5, CONTACT = 42, NETFORCE = 3, [FOUND, FORCE, TORQUE] = [1, 2, 4];

const norm = x => Math.hypot(...x);

export function contactForce(d)
{
    const type = d.efc_type, force = d.efc_force;
    let sum = 0;
    for (let i = 0; i < d.nefc; i++)
        sum += type[i] >= FIRST_OF_CONTACTS ? Math.abs(force[i]) : 0;
    return sum;
}

export function contactTorque(d)
{
    return contactForce(d) * contactsOf(d).reduce((most, c) => Math.max(most, norm(c.pos)), 0);
}

// The accelerations that gravity and the velocities of the dofs give a body, no term cancelled
function accelerations(m, d, moving)
{
    const motion = i => [d.cdof_dot.slice(6 * i, 6 * i + 3), d.cdof_dot.slice(6 * i + 3, 6 * i + 6)].map(x => norm(x) * Math.abs(d.qvel[i]));
    const gravity = norm(m.opt.gravity);
    return moving.map(dofs => dofs.map(motion).reduce((sum, x) => [sum[0] + x[0], sum[1] + x[1]], [0, gravity]));
}

// The dofs that move each body
function movers(m)
{
    const moving = [[]];
    for (let b = 1; b < m.nbody; b++)
        moving.push([...moving[m.body_parentid[b]], ...Array.from({ length: m.body_dofnum[b] }, (_, i) => m.body_dofadr[b] + i)]);
    return moving;
}

export function biasTerms(m, d)
{
    const terms = new Float64Array(m.nv), moving = movers(m), acceleration = accelerations(m, d, moving);
    for (let b = 1; b < m.nbody; b++) {
        const c = d.cinert.slice(10 * b, 10 * b + 10), I = norm([...c.slice(0, 6), ...c.slice(3, 6)]), h = norm(c.slice(6, 9)), mass = c[9];
        const w = norm(d.cvel.slice(6 * b, 6 * b + 3)), v = norm(d.cvel.slice(6 * b + 3, 6 * b + 6)), [a, g] = acceleration[b];
        const p = I * w + h * v, q = mass * v + h * w, t = I * a + h * g + w * p + v * q, f = mass * g + h * a + w * q;
        for (const i of moving[b])
            terms[i] += norm(d.cdof.slice(6 * i, 6 * i + 3)) * t + norm(d.cdof.slice(6 * i + 3, 6 * i + 6)) * f;
    }
    return terms;
}

const PLANE = 0, CYLINDER = 5;

export function depthRounding(m, d, geom, pos, lean)
{
    const far = geom.map(g => m.geom_type[g] === PLANE ? norm(pos) : norm(d.geom_xpos.slice(3 * g, 3 * g + 3)) + m.geom_rbound[g]);
    const rim = m.geom_type[geom[0]] === PLANE && m.geom_type[geom[1]] === CYLINDER;
    return CANCELLED * (far[0] + far[1]) / (rim ? lean : 1);
}

export function rowRounding(d, nv, reach)
{
    const size = (row, x) => Array.from({ length: nv }, (_, k) => Math.abs(d.efc_J[row * nv + k] * x[k])).reduce((a, b) => a + b, 0);
    const aref = Array.from(reach, (r, i) => d.efc_KBIP[4 * i] * d.efc_KBIP[4 * i + 2] * r + d.efc_KBIP[4 * i + 1] * CANCELLED * size(i, d.qvel));
    return { aref, force: aref.map((x, i) => d.efc_D[i] * (x + CANCELLED * size(i, d.qacc))) };
}

// How large the terms are of which a reading is summed, and which cancel: forces between the bodies beyond a joint in what a sensor of force or torque reads
// there, levers in the net torque of contacts. 0: they do not cancel.
function termsOf(m, i, k, t)
{
    const data = m.sensor_intprm[3 * i], at = (data & FOUND ? 1 : 0) + (data & FORCE ? 3 : 0), type = m.sensor_type[i];
    const net = type === CONTACT && data & TORQUE && m.sensor_intprm[3 * i + 1] === NETFORCE && k >= at && k < at + 3;
    return type === FORCESENSOR ? t.force : type === TORQUESENSOR || net ? t.torque : 0;
}

export const readingsRounded = (m, i, ours, theirs, t) => theirs.map((x, k) => Math.abs(ours[k] - x) <= CANCELLED * termsOf(m, i, k, t) ? ours[k] : x);
