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

// How large the terms are of which a reading is summed, and which cancel: forces between the bodies beyond a joint in what a sensor of force or torque reads
// there, levers in the net torque of contacts. 0: they do not cancel.
function termsOf(m, i, k, t)
{
    const data = m.sensor_intprm[3 * i], at = (data & FOUND ? 1 : 0) + (data & FORCE ? 3 : 0), type = m.sensor_type[i];
    const net = type === CONTACT && data & TORQUE && m.sensor_intprm[3 * i + 1] === NETFORCE && k >= at && k < at + 3;
    return type === FORCESENSOR ? t.force : type === TORQUESENSOR || net ? t.torque : 0;
}

export const readingsRounded = (m, i, ours, theirs, t) => theirs.map((x, k) => Math.abs(ours[k] - x) <= CANCELLED * termsOf(m, i, k, t) ? ours[k] : x);
