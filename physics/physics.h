/* physics.h: a mechanism at one instant.
 *
 *   sal_model   what does not change: read from MJCF, compiled, shared by threads
 *   sal_data    what does: one per thread; every field is written by the function named above it
 *
 * Names, units and conventions are MuJoCo's (SI, radians, quaternions wxyz, z up; free joint:
 * linear velocity in world axes, angular velocity in body axes). The mechanics are MuJoCo's
 * soft-constraint model, in the behaviour of version 3.14, or of 3.12 or 2.2.2 with `compat`.
 * (Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", ICRA
 * 2014; MuJoCo documentation, "Computation".)
 *
 *     forward:  M a + c = tau + passive + J'f,   f = law(J a - aref)
 *     inverse:  tau = M a + c - passive - J'f
 *
 * model.h, which this includes, has the model; kinds.h, which that includes, has the words: types
 * of joints, geoms, constraints, actuators, sensors, and flags. Nothing here allocates except the
 * functions that make a model or data.
 */
#ifndef SAL_PHYSICS_H
#define SAL_PHYSICS_H

#include "base/base.h"
#include "physics/model.h"

#include <stdbool.h>

SAL_BEGIN_C

/* ---- the data ---- */

typedef struct sal_contact {
    /* m; negative: penetration */
    double dist;
    /* midway between the surfaces */
    double pos[3];
    /* rows: normal from geom1 to geom2, two tangents */
    double frame[9];
    /* friction of the regularised cone */
    double mu;
    int pair;
    int geom1;
    int geom2;
    /* 1, whatever its pair says, where it sticks across its gap */
    int dim;
    /* of geom1, a height field: which of its prisms touches (field.h); else -1 */
    int prism;
    /* first row; -1: none */
    int efc_address;
} sal_contact;

typedef enum sal_efc_type {
    SAL_EFC_EQUALITY,
    SAL_EFC_FRICTION_DOF,
    SAL_EFC_FRICTION_TENDON,
    SAL_EFC_LIMIT_JOINT,
    SAL_EFC_LIMIT_TENDON,
    SAL_EFC_CONTACT_FRICTIONLESS,
    SAL_EFC_CONTACT_PYRAMIDAL,
    SAL_EFC_CONTACT_ELLIPTIC
} sal_efc_type;

typedef enum sal_efc_state {
    SAL_EFC_SATISFIED,
    SAL_EFC_QUADRATIC,
    SAL_EFC_LINEARNEG,
    SAL_EFC_LINEARPOS,
    SAL_EFC_CONE
} sal_efc_state;

/* X(type, name, rows, columns): all arrays of a data, in the order in which they are written. Sizes
 * are the model's. */
#define SAL_DATA_ARRAYS(X)                                                                         \
    /* state and inputs: the user */                                                               \
    X(double, qpos, nq, 1)                                                                         \
    X(double, qvel, nv, 1)                                                                         \
    X(double, qacc, nv, 1) /* input of the inverse, output of the forward */                       \
    X(double, ctrl, nu, 1)                                                                         \
    X(double, act, na, 1)           /* activations: actuator i's from actuator_actadr[i] on */     \
    X(double, history, nhistory, 1) /* controls and readings of before; sal_advance */             \
    X(double, qfrc_applied, nv, 1)                                                                 \
    X(double, xfrc_applied, nbody, 6) /* force, torque at xipos (world axes) */                    \
    X(double, mocap_pos, nmocap, 3)                                                                \
    X(double, mocap_quat, nmocap, 4)                                                               \
    /* sal_kinematics */                                                                           \
    X(double, xpos, nbody, 3)                                                                      \
    X(double, xquat, nbody, 4)                                                                     \
    X(double, xmat, nbody, 9)                                                                      \
    X(double, xipos, nbody, 3)                                                                     \
    X(double, ximat, nbody, 9)                                                                     \
    X(double, xanchor, njnt, 3)                                                                    \
    X(double, xaxis, njnt, 3)                                                                      \
    X(double, geom_xpos, ngeom, 3)                                                                 \
    X(double, geom_xmat, ngeom, 9)                                                                 \
    X(double, site_xpos, nsite, 3)                                                                 \
    X(double, site_xmat, nsite, 9)                                                                 \
    /* sal_com: about the centre of mass of the body's tree, subtree_com[body_rootid] */           \
    X(double, subtree_com, nbody, 3)                                                               \
    X(double, cdof, nv, 6) /* motion column of each dof */                                         \
    X(double, cinert, nbody, 10)                                                                   \
    /* sal_tendon */                                                                               \
    X(double, ten_length, ntendon, 1)                                                              \
    X(double, ten_J, ntenJ, 1) /* row t at tendon_Jadr[t], its columns in ten_dof */               \
    /* sal_crb, sal_factor */                                                                      \
    X(double, crb, nbody, 10)                                                                      \
    X(double, qM, nM, 1)                                                                           \
    X(double, qLD, nM, 1) /* M = L'DL */                                                           \
    X(double, qLDiagInv, nv, 1)                                                                    \
    /* sal_collide */                                                                              \
    X(int, sweep_order, nsweep, 1)      /* geoms by their lower ends along an axis */              \
    X(sal_contact, contact, nconmax, 1) /* [ncon] */                                               \
    /* sal_make_constraint: rows in the order equality, friction loss, limits, contacts */         \
    X(int, efc_type, nefcmax, 1)                                                                   \
    X(int, efc_id, nefcmax, 1) /* equality, dof, tendon, joint, contact */                         \
    X(int, efc_J_rowadr, nefcmax, 1)                                                               \
    X(int, efc_J_rownnz, nefcmax, 1)                                                               \
    X(int, efc_J_colind, nJmax, 1)                                                                 \
    X(double, efc_J, nJmax, 1) /* sparse rows, columns ascending */                                \
    X(double, efc_pos, nefcmax, 1)                                                                 \
    X(double, efc_margin, nefcmax, 1)                                                              \
    X(double, efc_frictionloss, nefcmax, 1)                                                        \
    X(double, efc_diagApprox, nefcmax, 1)                                                          \
    X(double, efc_KBIP, nefcmax, 4) /* stiffness, damping, impedance, its derivative */            \
    X(double, efc_D, nefcmax, 1)                                                                   \
    X(double, efc_R, nefcmax, 1)                                                                   \
    /* next_gap.h: of the first row of contacts, its row of J by the columns of efc_J */           \
    X(double, efc_next, nnext, 1)                                                                  \
    X(double, next_J, nnextJ, 1)                                                                   \
    X(double, next_feature, nnext, 9)                                                              \
    /* sal_velocity */                                                                             \
    X(double, cvel, nbody, 6)                                                                      \
    X(double, cdof_dot, nv, 6)                                                                     \
    X(double, qfrc_bias, nv, 1)                                                                    \
    X(double, qfrc_gravcomp, nv, 1) /* in qfrc_passive, or qfrc_actuator where jnt_actgravcomp */  \
    X(double, qfrc_passive, nv, 1)                                                                 \
    X(double, ten_velocity, ntendon, 1)                                                            \
    X(double, efc_vel, nefcmax, 1)                                                                 \
    X(double, efc_aref, nefcmax, 1)                                                                \
    X(double, subtree_linvel, nbody, 3)                                                            \
    X(double, subtree_angmom, nbody, 3)                                                            \
    /* sal_actuator_moment */                                                                      \
    X(double, actuator_length, nu, 1)                                                              \
    X(double, actuator_velocity, nu, 1)                                                            \
    X(double, actuator_moment, nmoment,                                                            \
      1) /* row i at moment_rowadr[i], its dofs in moment_colind */                                \
    /* sal_actuation */                                                                            \
    X(double, act_dot, na, 1)                                                                      \
    X(double, actuator_force, nu, 1)                                                               \
    X(double, qfrc_actuator, nv, 1)                                                                \
    /* what integrator="discrete" puts beside M and c: physics/implicit/step_metric.h */           \
    X(double, step_joint, nv, 1)                                                                   \
    X(double, step_diag, nv, 1)                                                                    \
    X(double, step_bias, nv, 1)                                                                    \
    X(double, step_tendon, ntendon, 1)                                                             \
    X(double, step_actuator, nu, 1)                                                                \
    /* sal_acceleration / sal_forward */                                                           \
    X(double, qfrc_smooth, nv, 1)                                                                  \
    X(double, qacc_smooth, nv, 1)                                                                  \
    X(double, qacc_warmstart, nv, 1)                                                               \
    X(double, efc_acc, nefcmax, 1) /* J qacc */                                                    \
    X(double, efc_force, nefcmax, 1)                                                               \
    X(int, efc_state, nefcmax, 1)                                                                  \
    X(double, qfrc_constraint, nv, 1)                                                              \
    X(double, qfrc_inverse, nv, 1)                                                                 \
    /* sal_body_force: about subtree_com[body_rootid], rotation first */                           \
    X(double, cacc, nbody, 6)     /* acceleration; the world's is -gravity */                      \
    X(double, cfrc_ext, nbody, 6) /* from outside: applied, contacts, connects, welds, tendons */  \
    X(double, cfrc_int, nbody, 6) /* from the parent */                                            \
    X(double, sensordata, nsensordata, 1)

/* What a user adds to the dynamics of one data; any may be NULL. Called by the thread that
 * evaluates the data, with its user pointer: a function shared by several threads must not write to
 * what they share. It must not call stages of the same data. */
typedef struct sal_data sal_data;
typedef struct sal_callback {
    /* Adds to qfrc_passive what the mechanism does by itself: a function of qpos, qvel, time.
     * Called by sal_velocity, so that it is part of the inverse, too; implicit integrators do not
     * know its derivative. */
    void (*passive)(const sal_model *m, sal_data *d, void *user);
    /* Sets ctrl, qfrc_applied or xfrc_applied, from all that follows from qpos and qvel. Called by
     * sal_forward before sal_actuation (RK4: at each of its four stages); not part of the
     * inverse. */
    void (*control)(const sal_model *m, sal_data *d, void *user);
    /* Writes the sensor_dim numbers of <user> sensor i, 0 at first, after all that its stage
     * computes; its cutoff follows. */
    void (*sensor)(const sal_model *m, const sal_data *d, int i, double *out, void *user);
    void *user;
} sal_callback;

/* Contacts and limits that begin elsewhere than their margin says: those of a key act where their
 * distance is less than `beyond` past it, m or rad, with the impedance of distance 0 before that. A
 * search that holds them so finds no jump of the impedance on its way. */
typedef struct sal_held_one {
    /* sal_held_contact, sal_held_limit */
    int key;
    double beyond;
} sal_held_one;
typedef struct sal_held {
    int n;
    const sal_held_one *one;
} sal_held;
/* The key of a limit of a joint: of its lower (0) or its upper end (1, and that of a ball). */
static inline int sal_held_limit(int joint, int side)
{
    return -1 - (2 * joint + side);
}

struct sal_data {
    double time;
    /* in use */
    int ncon, nefc, nJ;
    /* times that sal_collide looks at all pairs before it sweeps again */
    int sweep_rest;
    /* crb and qM are of this configuration: sal_com says no, sal_crb yes */
    bool composed;
    /* qLD is the factor of this qM: sal_com says no, sal_factor yes */
    bool factored;
    /* J: potential, kinetic; sal_energy */
    double energy[2];
    int solver_iterations;
    /* at the end of the forward solver: |grad| / (meaninertia max(1,nv)); of PGS, by how much the
     * last sweep lowered the cost, over the same */
    double solver_gradient;
    /* it ended because that was small enough, not by the limit on iterations */
    bool solver_converged;
    /* the user's; sal_data_reset leaves them */
    sal_callback callback;
    /* NULL: none */
    const sal_held *held;
#define SAL_DATA_FIELD(type, name, rows, columns) type *name;
    SAL_DATA_ARRAYS(SAL_DATA_FIELD)
#undef SAL_DATA_FIELD
    /* scratch, enough for every function below */
    sal_arena arena;
    void *block;
    size_t nblock;
};

/* A data at qpos0, at rest. The caller frees. */
SAL_API sal_status sal_data_new(sal_data **d, const sal_model *m, sal_err *err);
SAL_API void sal_data_free(sal_data *d);
/* Back to qpos0 at rest, inputs zero, as they were in all histories; mocap bodies as posed. */
SAL_API void sal_data_reset(const sal_model *m, sal_data *d);
/* The same, then to keyframe `key`: time, qpos, qvel, ctrl, mocap bodies. */
SAL_API void sal_data_reset_key(const sal_model *m, sal_data *d, int key);

/* ---- configuration space ---- */

/* out = q (+) dt v: linear and scalar parts add, quaternions q exp(dt w). [nq], [nq], [nv]; out may
 * be q */
SAL_API void sal_integrate_pos(const sal_model *m, double *out, const double *q, const double *v,
                               double dt);
/* v = (q2 (-) q1) / dt, the shortest. [nv], [nq], [nq] */
SAL_API void sal_differentiate_pos(const sal_model *m, double *v, double dt, const double *q1,
                                   const double *q2);
/* Quaternions of q [nq] to unit length. */
SAL_API void sal_normalise_pos(const sal_model *m, double *q);

/* ---- stages ---- */

/* Each writes the fields listed above its name in SAL_DATA_ARRAYS, from those before. */
SAL_API void sal_kinematics(const sal_model *m, sal_data *d);
SAL_API void sal_com(const sal_model *m, sal_data *d);
SAL_API void sal_tendon(const sal_model *m, sal_data *d);
/* M. Whatever below needs it calls this if it has not been done: the inverse, which takes M a from
 * a recursion, does not. */
SAL_API void sal_crb(const sal_model *m, sal_data *d);
SAL_API void sal_factor(const sal_model *m, sal_data *d);
SAL_API sal_status sal_collide(const sal_model *m, sal_data *d, sal_err *err);
SAL_API sal_status sal_make_constraint(const sal_model *m, sal_data *d, sal_err *err);

/* All of the above except sal_crb and sal_factor, then actuator lengths and moments and the
 * position sensors; reads qpos. */
SAL_API sal_status sal_position(const sal_model *m, sal_data *d, sal_err *err);
/* Velocities, bias, passive forces, aref, actuator velocities, velocity sensors; reads qvel.
 * subtree_linvel and subtree_angmom only if a sensor of the model asks for them. */
SAL_API void sal_velocity(const sal_model *m, sal_data *d);

/* ---- dynamics ---- */

/* qfrc_inverse from qpos, qvel, qacc, continuous in time: sal_position, sal_velocity,
 * sal_inverse_acceleration. */
SAL_API sal_status sal_inverse(const sal_model *m, sal_data *d, sal_err *err);
/* Its last stage: efc_force, qfrc_constraint, qfrc_inverse and acceleration sensors, from qacc (the
 * sensor actuatorfrc repeats what sal_actuation last found). */
SAL_API void sal_inverse_acceleration(const sal_model *m, sal_data *d);
/* Exact derivatives of what sal_inverse has just computed, Dq, Dv, Da [nv x nv] by rows: row i is
 * qfrc_inverse[i], column k the variable qpos (in the tangent space: q (+) e_k), qvel, qacc. Kinks
 * of the contact law take the branch that is active. Writes nothing of the data. SAL_UNSUPPORTED
 * where there is none: callback.passive is set, or flag diagexact and there are constraints. */
SAL_API sal_status sal_inverse_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                     double *Da, sal_err *err);
/* qfrc_inverse such that one sal_step from (qpos, qvel) under it ends with velocity qvel + h qacc':
 * reads the discrete acceleration `qacc_discrete` [nv], writes the acceleration the continuous law
 * sees to d->qacc:
 *     M a = (M - h D) a',   D the derivative of forces by velocity that the model's integrator
 *                           takes into account.
 * The last stage only (the position and velocity stages must be done). With Euler D is the joints'
 * damping; with implicit and implicitfast it holds the slopes of actuators at ctrl, and
 * sal_actuation is called. With discrete qacc is a' everywhere, in sal_inverse as well: see
 * physics/implicit/step_metric.h. RK4: SAL_UNSUPPORTED. */
SAL_API sal_status sal_inverse_discrete(const sal_model *m, sal_data *d,
                                        const double *qacc_discrete, sal_err *err);

/* Exact derivatives of what sal_inverse_discrete has just computed from this qacc_discrete, by (q,
 * v, a'). SAL_UNSUPPORTED: what is so in sal_inverse_deriv; RK4; spatial tendons with armature, if
 * anything is implicit; and with implicit and implicitfast a D that is more than -dc/dv, dampers of
 * joints and constants: a medium, damped spatial tendons, powers of a tendon's damping, muscles,
 * and actuators that damp anything but hinges, slides and fixed tendons. */
SAL_API sal_status sal_inverse_discrete_deriv(const sal_model *m, sal_data *d, double *Dq,
                                              double *Dv, double *Da, const double *qacc_discrete,
                                              sal_err *err);

/* qacc from qpos, qvel, ctrl, qfrc_applied, xfrc_applied: Newton's method on the primal problem,
 * both cones. */
SAL_API sal_status sal_forward(const sal_model *m, sal_data *d, sal_err *err);
/* sal_forward, then the model's integrator. What follows from the state is that of its beginning
 * (RK4: of the last stage, but sensordata). SAL_DIVERGED if state or acceleration leave the finite
 * numbers: the message says where and when, the state stays at the beginning. */
SAL_API sal_status sal_step(const sal_model *m, sal_data *d, sal_err *err);
/* The second half of it, for those who look at the forward dynamics before the state moves on
 * (sal_forward done). */
SAL_API sal_status sal_advance(const sal_model *m, sal_data *d, sal_err *err);

/* The forward direction held against the inverse (sal_forward done, the data stays as it is):
 * Euclidean norms of the differences of
 * J'f and of the applied force,  |J'f - J'f_inverse| and |applied + actuator + J'xfrc -
 *                                qfrc_inverse|; 0 without constraints.
 * The second is what the solver left undone. (MuJoCo documentation, "Computation", its flag
 * fwdinv.) */
SAL_API void sal_compare_forward_inverse(const sal_model *m, sal_data *d, double difference[2]);

/* actuator_length, _moment from qpos and _velocity from qvel, with those of tendons (sal_position
 * and sal_velocity do this, too) */
SAL_API void sal_actuator_moment(const sal_model *m, sal_data *d);
/* act_dot, actuator_force and qfrc_actuator, from ctrl and act; sal_position and sal_velocity
 * done. */
SAL_API void sal_actuation(const sal_model *m, sal_data *d);
/* act := act + h act_dot, exactly for filterexact and currents, within actrange; integrated targets
 * of servos that turn keep within half a turn. act_dot [na] is d->act_dot or a mean of several
 * (Runge-Kutta). */
SAL_API void sal_advance_act(const sal_model *m, sal_data *d, const double *act_dot, double h);
/* actuator_force and qfrc_actuator for inputs w [nu] that are given instead of ctrl and act,
 * without the limits of forces: those of actuators, joints and tendons. w is what an actuator's
 * gain multiplies: its control, or its activation if it has one (with actearly that at the end of
 * the step); of a motor its control. sal_position and sal_velocity done. */
SAL_API void sal_actuation_driven(const sal_model *m, sal_data *d, const double *w);
/* The control of actuator i, no motor, that takes its activation from act to next in one step
 * (opt.timestep): sal_step undone, without the limits of ctrl and act. slope: its derivatives by
 * act, next and log of the timestep; may be NULL. activation.c */
SAL_API double sal_activation_control(const sal_model *m, int i, double act, double next,
                                      double slope[3]);

/* cacc, cfrc_ext, cfrc_int, from qacc, efc_force and xfrc_applied (sal_inverse or sal_forward
 * done). Those do it themselves if a sensor of the model asks for it. */
SAL_API void sal_body_force(const sal_model *m, sal_data *d);
/* Sensors of force and torque again, with actuators that pull with d->actuator_force (the rest as
 * they found it). */
SAL_API void sal_force_sensors(const sal_model *m, sal_data *d);
/* Whether sensor i is one of those and feels actuators: they pull on a spatial tendon that joins
 * what its body carries to something else (3.14; before, sensors do not feel tendons). */
SAL_API bool sal_sensor_feels_actuators(const sal_model *m, int i);
/* Whether sensor i reads what actuators do: actuatorfrc, jointactuatorfrc, tendonactuatorfrc. */
SAL_API bool sal_sensor_reads_actuators(const sal_model *m, int i);

/* d->energy, potential (gravity and springs) and kinetic, from qpos and qvel (sal_com and
 * sal_tendon done; sal_velocity does this with SAL_ENBL_ENERGY). */
SAL_API void sal_energy(const sal_model *m, sal_data *d);

/* How both vary, [nv] each (sal_velocity done); of the second nothing is known with spatial tendons
 * that have armature. */
SAL_API void sal_potential_energy_deriv(const sal_model *m, sal_data *d, double *Dq);
SAL_API void sal_kinetic_energy_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv);
SAL_API bool sal_kinetic_energy_has_deriv(const sal_model *m);

/* ---- bodies as one ---- */

/* Of all that can move among a body and what hangs from it (0: the whole mechanism), in world
 * axes. */
typedef enum sal_bulk {
    SAL_BULK_COM,    /* centre of mass, m (sal_com done) */
    SAL_BULK_LINVEL, /* its velocity, m/s (sal_velocity done) */
    SAL_BULK_ANGMOM, /* angular momentum about it, kg m^2/s */
    SAL_BULK_LINACC, /* its acceleration under qacc, m/s^2; gravity is not in it */
} sal_bulk;
/* kg */
SAL_API double sal_bulk_mass(const sal_model *m, int body);
/* y [3], and how it varies with (qpos, qvel, qacc), [3 x nv] by rows, qpos in the tangent space: Dv
 * is written but for the first, Da for the last. */
SAL_API void sal_bulk_value(const sal_model *m, sal_data *d, sal_bulk which, int body, double y[3]);
SAL_API void sal_bulk_deriv(const sal_model *m, sal_data *d, sal_bulk which, int body, double *Dq,
                            double *Dv, double *Da);

/* ---- linear maps ---- */

/* r = M x (sal_com and sal_tendon done), x := M^-1 x (sal_factor done). [nv] */
SAL_API void sal_mul_m(const sal_model *m, sal_data *d, double *r, const double *x);
SAL_API void sal_solve_m(const sal_model *m, const sal_data *d, double *x);
/* Dense M [nv x nv] (sal_com and sal_tendon done). */
SAL_API void sal_full_m(const sal_model *m, sal_data *d, double *dense);
/* Jacobians [3 x nv] (rows; NULL: not wanted) of the world point `point` fixed to a body, and of
 * the body's rotation. */
SAL_API void sal_jac(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                     const double point[3], int body);
/* The same of named points: a body's origin, its centre of mass, the centre of a geom, of a
 * site. */
SAL_API void sal_jac_body(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                          int body);
SAL_API void sal_jac_body_com(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                              int body);
SAL_API void sal_jac_geom(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                          int geom);
SAL_API void sal_jac_site(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                          int site);
/* Jacobian [3 x nv] of the centre of mass of a body and all that hangs from it. */
SAL_API void sal_jac_subtree_com(const sal_model *m, const sal_data *d, double *jacp, int body);
/* Matrix [3 x nv] by which qvel gives their angular momentum about that centre (sal_com done). */
SAL_API void sal_angular_momentum_matrix(const sal_model *m, sal_data *d, double *matrix, int body);
/* d/dt along qvel of what sal_jac writes, the point moving with the body (sal_velocity done). */
SAL_API void sal_jac_dot(const sal_model *m, const sal_data *d, double *jacp, double *jacr,
                         const double point[3], int body);
/* Velocity (sal_velocity done) of a body's inertial frame (SAL_OBJ_BODY), its own (SAL_OBJ_XBODY),
 * a geom, site or camera; in world axes, or the object's own. */
SAL_API void sal_object_velocity(const sal_model *m, const sal_data *d, double linear[3],
                                 double angular[3], sal_object type, int id, bool local);
/* World velocity of the point fixed to the body (sal_velocity done): linear, and angular if not
 * NULL. */
SAL_API void sal_point_velocity(const sal_model *m, const sal_data *d, double linear[3],
                                double angular[3], const double point[3], int body);
/* r += J' (force; torque), world axes, at the world point `point` fixed to a body. [nv] */
SAL_API void sal_apply_force(const sal_model *m, const sal_data *d, double *r,
                             const double force[3], const double torque[3], const double point[3],
                             int body);
/* Dq[i][k] = d r_i/d q_k [nv x nv] by rows, of r = sum J'(xfrc_applied), forces and torques
 * constant in the world (sal_position done). */
SAL_API void sal_applied_force_deriv(const sal_model *m, const sal_data *d, double *Dq);
/* Derivatives of qfrc_actuator by q, v [nv x nv] and by w [nv x nu], what each actuator's gain
 * multiplies: its control, or its activation if it has one and is no motor; the others and act
 * fixed. By rows; NULL: not wanted. (sal_actuation done.) */
SAL_API void sal_actuation_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                 double *Dw);
/* The same at given inputs w [nu], and of the actuators' forces: Fq, Fv [nu x nv], Fw [nu]; NULL:
 * not wanted. (sal_actuation_driven done.) */
typedef struct sal_actuation_jacobian {
    double *Dq;
    double *Dv;
    double *Dw;
    double *Fq;
    double *Fv;
    double *Fw;
} sal_actuation_jacobian;
SAL_API void sal_actuation_driven_deriv(const sal_model *m, sal_data *d, const double *w,
                                        const sal_actuation_jacobian *to);
/* How the length of a tendon or an actuator varies with qpos, and its rate with qpos and qvel; [nv]
 * (sal_velocity done). */
SAL_API void sal_tendon_length_deriv(const sal_model *m, const sal_data *d, int t, double *Dq);
SAL_API void sal_tendon_velocity_deriv(const sal_model *m, sal_data *d, int t, double *Dq,
                                       double *Dv);
SAL_API void sal_actuator_length_deriv(const sal_model *m, sal_data *d, int i, double *Dq);
SAL_API void sal_actuator_velocity_deriv(const sal_model *m, sal_data *d, int i, double *Dq,
                                         double *Dv);
/* World acceleration of the point fixed to the body, minus gravity: what an accelerometer feels
 * (sal_body_force done); angular if not NULL. */
SAL_API void sal_point_acceleration(const sal_model *m, const sal_data *d, double linear[3],
                                    double angular[3], const double point[3], int body);
/* The least x >= 0 at which from + x dir meets a geom that can be seen (alpha > 0), and its id (or
 * -1; may be NULL); -1: none. Geoms of the body `exclude` do not count (-1: all do); planes are
 * seen from above, meshes only where their vertices are kept. (sal_kinematics done.) */
SAL_API double sal_ray(const sal_model *m, const sal_data *d, const double from[3],
                       const double dir[3], int exclude, int *geom);
/* How high the point is over the surface of a height field, along the z axis of its geom; NaN
 * beyond its border. (sal_kinematics done.) */
SAL_API double sal_field_height(const sal_model *m, const sal_data *d, int geom,
                                const double point[3]);
/* (w; v): how the surface of a geom turns and moves at the point beyond its body, by surfacevel
 * (positions done). */
SAL_API void sal_surface_motion(const sal_model *m, const sal_data *d, int geom,
                                const double point[3], double motion[6]);
/* Force and torque of contact i in its frame: normal (negative where it sticks and is pulled), two
 * tangents, torsion, two rolling; acts on geom2's body. */
SAL_API void sal_contact_force(const sal_model *m, const sal_data *d, int i, double force[6]);
/* Adds to Dq, Dv, Da [n x nv], by rows, how the first n of its numbers vary with (qpos, qvel,
 * qacc), sal_inverse done: exactly, qpos in the tangent space. The contact's further rows, n beyond
 * its dim, are zero: nothing is added. False: not known with flag diagexact. */
SAL_API bool sal_contact_force_deriv(const sal_model *m, sal_data *d, int i, int n, double *Dq,
                                     double *Dv, double *Da);

/* The same of n sums over the contact: force . (its force in world axes, on geom2) + pos . (its
 * place) + normal (its normal force) + torque . (its torque, of torsion and rolling, in world
 * axes). To a contact without force nothing is added. */
typedef struct sal_contact_weight {
    double force[3];
    double pos[3];
    double normal;
    double torque[3];
} sal_contact_weight;
SAL_API bool sal_contact_sum_deriv(const sal_model *m, sal_data *d, int i, int n,
                                   const sal_contact_weight *weight, double *Dq, double *Dv,
                                   double *Da);

/* The key of a contact (positions done): of a pair of geoms; where one is a plane, of the octant of
 * the other's frame that the contact is in (a capsule: the end), since each may begin by itself. */
SAL_API int sal_held_contact(const sal_model *m, const sal_data *d, const sal_contact *contact);

/* Signed distance of two geoms (positions done), m; overlapping: minus the least motion that parts
 * them. At most distmax; then, or of a pair that has none, distmax itself. fromto [6], if not NULL:
 * the segment from geom1's surface to geom2's, zero where distmax is returned. Exact but for
 * rounding (flat on flat has many segments: one of them). */
SAL_API double sal_geom_distance(const sal_model *m, const sal_data *d, int geom1, int geom2,
                                 double distmax, double fromto[6]);
/* How it varies with qpos, in the tangent space [nv]; false where the surfaces touch, so that no
 * direction is known. */
SAL_API bool sal_geom_distance_deriv(const sal_model *m, const sal_data *d, int geom1, int geom2,
                                     double distmax, double *Dq);

/* ---- derivatives by numbers of the model (parameter_deriv.c) ---- */

/* What a number u changes: two models a step of u apart, on both sides of the one at hand. */
typedef struct sal_model_change {
    const sal_model *minus;
    const sal_model *plus;
    /* 1/step */
    double scale;
    unsigned what;
} sal_model_change;
/* Compares them (which must outlive c). False: a contact model other than soft and hard, or
 * something changes of which no derivative is known, such as lengths of the tree. Known are
 * inertias, armature, damping and stiffness of joints, friction loss of dofs, gravity, friction,
 * solref and solimp of contacts, size and place of geoms; with hard contacts not damping,
 * stiffness, friction loss, solref and solimp. */
SAL_API bool sal_model_change_of(sal_model_change *c, const sal_model *minus, const sal_model *plus,
                                 double step);
/* out [nv] = d qfrc_inverse / du of what sal_inverse_discrete has just computed for this
 * qacc_discrete (or sal_inverse for qacc), the motion staying as it is. Kinks take the branch that
 * is active. False: a shape that changes touches another than a plane. */
SAL_API bool sal_inverse_parameter_deriv(const sal_model *m, sal_data *d, const sal_model_change *c,
                                         const double *qacc_discrete, double *out);

/* ---- exact derivatives of sensors ---- */

/* Jacobians of what sensor i shows by (qpos, qvel, qacc), [sensor_dim x nv] by rows, qpos in the
 * tangent space; its stage is done. Dv is written for sensors of the velocity stage and later, Da
 * for those of the acceleration stage; where a cutoff cuts they are zero. False, and nothing is
 * known: sensors of other kinds, and states at which there is no derivative. */
SAL_API bool sal_sensor_has_deriv(const sal_model *m, int i);
SAL_API bool sal_sensor_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv,
                              double *Da);
/* From n rows of Jacobians by (qpos, qvel, qacc) to those by (qpos, qvel, qacc_discrete), see
 * sal_inverse_discrete, which is done. Errors as of sal_inverse_discrete_deriv; then nothing is
 * written. */
SAL_API sal_status sal_discrete_rows_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv,
                                           double *Da, const double *qacc_discrete, int n,
                                           sal_err *err);

SAL_END_C

#endif
