/* invdyn.h: a motion and the forces it needs.
 *
 * A motion is a sequence of configurations; velocities, accelerations and forces follow from three
 * of them:
 *
 *     v_t = (q_t (-) q_{t-1}) / h         v_{t+1} likewise         a_t = (v_{t+1} - v_t) / h
 *     f_t = ID(q_t, v_t, a_t)             the force applied from t to t+1, t = 0..N-1
 *
 * This is the map of semi-implicit Euler, undone: set the engine to (q_t, v_t), apply f_t, step
 * once by h, and (q_{t+1}, v_{t+1}) comes out. (Erez, Todorov, "Trajectory optimization for domains
 * with contacts using inverse dynamics", IROS 2012.)
 *
 * At every step the user asks for outputs y_t = (forces; sensors; contact features), each a
 * function of (q_t, v_t, a_t, h); here they are evaluated and differentiated with respect to the
 * three configurations and to log h, in parallel over t. A row of a Jacobian is an output, a column
 * a variable; configurations vary in their tangent space (q (+) d).
 *
 * What the actuators do may be part of the motion, too: z_t [nu] holds the activation of each at t,
 * or the control of one that has none. Then y_t also depends on z_t and z_{t+1}: two activations in
 * a row say what the control between them was.
 */
#ifndef SAL_INVDYN_H
#define SAL_INVDYN_H

#include "physics/physics.h"

SAL_BEGIN_C

/* ---- outputs ---- */

/* A point on a body whose height over the floor and velocity matter: a site, or an end of a
 * geom. */
typedef struct sal_point {
    int body;
    /* 1 + the site that it is: where that is in the model at hand counts, not pos; 0: none */
    int site;
    /* in the body's frame */
    double pos[3];
    /* of the sphere around it; its height is that of the sphere's lowest point (0 for a site) */
    double radius;
    /* geom id of the highest static plane under it; -1: the level plane through the origin */
    int plane;
} sal_point;

/* The end of a geom along its own z axis (sign +1 or -1), or its centre (0): centre and radius of
 * the rounded end of a capsule; the middle of the end face, radius 0, of a cylinder or box; a
 * sphere is all ends. plane: -1 until sal_point_settle. */
SAL_API sal_point sal_point_geom(const sal_model *m, int geom, int sign);
/* One of the eight corners of a box. */
SAL_API sal_point sal_point_corner(const sal_model *m, int geom, int corner);
SAL_API sal_point sal_point_site(const sal_model *m, int site);
/* Its place in the frame of its body; of a site the one that m has. */
SAL_API const double *sal_point_local(const sal_model *m, const sal_point *point);
/* Chooses the highest static plane under the point at the positions in d (sal_kinematics done).
 * SAL_BADINPUT if there is none. */
SAL_API sal_status sal_point_settle(sal_point *point, const sal_model *m, const sal_data *d,
                                    sal_err *err);

typedef enum sal_output_kind {
    /* f_t [nv]                                                     N, N m       from a */
    SAL_OUT_FORCE,
    /* sensor `id` [its dim]                                                     its stage
     * Not of those that read actuators: SAL_OUT_ACTUATION and _ACTUATOR_FORCE have these. */
    SAL_OUT_SENSOR,
    /* of `point`: height over its plane; velocity v_t along two tangents of the plane and its
     *     normal [4] m, m/s from v */
    SAL_OUT_POINT,
    /* sum of the normal forces of all contacts of the geoms marked in `geoms` [1]    N    from a */
    SAL_OUT_NORMAL,
    /* position of joint `id`: q, or rotation vector relative to qpos0 (ball: 3); free: 6 [its dofs]
     * from q */
    SAL_OUT_JOINT,
    /* signed distance of the geoms `id` and `other` [1]              m    from q */
    SAL_OUT_DISTANCE,
    /* `point` in the world [3]                                          m    from q */
    SAL_OUT_PLACE,
    /* its velocity v_t [3]                                     m/s  from v */
    SAL_OUT_PLACE_VELOCITY,
    SAL_OUT_QUAT, /* orientation of body `id`, w x y z [4]                         from q */
    /* force of all contacts on the geoms marked in `geoms` from those marked in `others` (NULL:
     *     all), world axes [3] N from a */
    SAL_OUT_CONTACT,
    /* where those forces act, x and y: see `load` [2]                m    from a */
    SAL_OUT_PRESSURE,
    SAL_OUT_BULK, /* sal_bulk number `other` of body `id` [3]                            its own */
    SAL_OUT_ENERGY, /* potential (`id` 0; from q) or kinetic (1; from v) [1]          J */
    /* length of tendon `id` [1]                                  m, rad    from q */
    SAL_OUT_TENDON,
    /* its rate [1]                                                 from v */
    SAL_OUT_TENDON_VELOCITY,
    /* of actuator `id` [1]                                       from v */
    SAL_OUT_ACTUATOR_VELOCITY,
    SAL_OUT_VELOCITY,     /* v_t [nv] */
    SAL_OUT_ACCELERATION, /* a_t [nv] */
    /* of driven motions: */
    SAL_OUT_ACTUATION,      /* qfrc_actuator [nv], no force being limited  N, N m    from v, z */
    SAL_OUT_ACTUATOR_FORCE, /* actuator_force [nu], the same              N, N m    from v, z */
    SAL_OUT_CONTROL,        /* ctrl [nu], not limited, from t to t+1                from z */
    SAL_OUT_INPUT,          /* z_t, then z_{t+1} [2 nu] */
} sal_output_kind;

typedef struct sal_output {
    sal_output_kind kind;
    int id;
    int other;
    sal_point point;
    /* [ngeom] 1: counts; owned by the caller */
    const unsigned char *geoms;
    const unsigned char *others;
    /* N, > 0, so that the centre of pressure is defined without contact: (sum N_i x_i + load x_0) /
     *     (sum N_i + load), N_i and x_i the normal
     * force and place of each contact, x_0 the mean of the centres of the geoms */
    double load;
    /* place in y; filled by sal_invdyn_new */
    int adr, n;
} sal_output;

/* ---- evaluation ---- */

typedef enum sal_differences { SAL_FD_FORWARD, SAL_FD_CENTRED } sal_differences;

/* How outputs are differentiated: exactly where that is known, the rest by differences; only
 * exactly; only by differences. */
typedef enum sal_derivatives { SAL_DERIV_AUTO, SAL_DERIV_ANALYTIC, SAL_DERIV_FD } sal_derivatives;

typedef struct sal_invdyn sal_invdyn; /* one sal_data per worker and scratch; allocated once */

/* outputs [noutput]: adr and n are filled in; the array is copied. Sizes come from m; later calls
 * may pass any copy of m. SAL_UNSUPPORTED where SAL_DERIV_ANALYTIC is asked of an output that has
 * no exact derivatives, or of a sensor that reads actuators. */
SAL_API sal_status sal_invdyn_new(sal_invdyn **w, const sal_model *m, sal_output *outputs,
                                  int noutput, sal_derivatives derivatives, sal_differences how,
                                  int nthread, sal_err *err);
SAL_API void sal_invdyn_free(sal_invdyn *w);
/* Numbers in y_t. */
SAL_API int sal_invdyn_noutput(const sal_invdyn *w);

/* Columns of a Jacobian: 3 nv + 1, and 2 nu more if an output is of a driven motion. */
SAL_API int sal_invdyn_ncolumn(const sal_invdyn *w);

typedef struct sal_motion {
    int nstep;
    /* [(nstep+2) x nq] q_{-1}, q_0, .., q_nstep */
    const double *q;
    /* [(nstep+1) x nu] z_0, .., z_nstep; NULL: not driven */
    const double *z;
    /* [nstep] 1: this step sees the model `softer` instead of that of the call, of which it is a
     * copy but for its contacts and limits, and softer_h instead of mh; NULL: none does */
    const unsigned char *soft;
    const sal_model *softer, *softer_h;
    /* [nstep] what is held at each step (physics.h); NULL: nothing */
    const sal_held *held;
    /* in messages, the number of the first step */
    int first;
} sal_motion;

/* y [nstep x ny] of a motion. The step is m->opt.timestep. SAL_DIVERGED if an output is not
 * finite. */
SAL_API sal_status sal_invdyn_eval(sal_invdyn *w, const sal_model *m, double *y,
                                   const sal_motion *motion, sal_err *err);

/* Also Y [nstep x ny x ncolumn], by rows: columns q_{t-1}, q_t, q_{t+1}, if driven z_t, z_{t+1},
 * last log h. mh: a copy of m at a time step h (1 + SAL_FD_STEP), with all that depends on it;
 * NULL: the last column is not wanted (zero). */
SAL_API sal_status sal_invdyn_diff(sal_invdyn *w, const sal_model *m, const sal_model *mh,
                                   double *y, double *Y, const sal_motion *motion, sal_err *err);

/* The same by one thread of those that the workspace is for, number 0 .. nthread - 1, while others
 * are at other steps. */
SAL_API sal_status sal_invdyn_diff_by(sal_invdyn *w, int number, const sal_model *m,
                                      const sal_model *mh, double *y, double *Y,
                                      const sal_motion *motion, sal_err *err);

/* P [nstep x n x nv]: how SAL_OUT_FORCE of a motion varies with each of n changes of the model, see
 * sal_model_change_of. */
SAL_API sal_status sal_invdyn_parameters(sal_invdyn *w, const sal_model *m, double *P,
                                         const sal_motion *motion, const sal_model_change *change,
                                         int n, sal_err *err);

#define SAL_FD_STEP 1e-6 /* of all finite differences: m, rad, m/s, m/s^2, relative for h */

/* v [nv] and a [nv] of step t; one row each of v_t, a_t as defined above */
SAL_API void sal_motion_velocity(const sal_model *m, double *v, const double *q0, const double *q1);
/* Sets d to step t of the motion (qpos, qvel, discrete acceleration) and runs the discrete inverse;
 * everything of d is then consistent. */
SAL_API sal_status sal_motion_step(const sal_model *m, sal_data *d,
                                   const double *q /* q_{t-1}, q_t, q_{t+1}: 3 x nq */,
                                   sal_err *err);

/* d(q1 (-) q0)/dq0 and d(q1 (-) q0)/dq1 are block diagonal: [nv x 3], row i of dof i holds the row
 * of its block. Scalar joints and the translations of a free joint have 1 x 1 blocks (-1 and 1, in
 * column 0), the rotations of a ball or free joint one 3 x 3 block. */
SAL_API void sal_differentiate_pos_deriv(const sal_model *m, double *d0, double *d1,
                                         const double *q0, const double *q1);

/* ---- many states that know nothing of each other (states.c) ---- */

/* Numbers of n states, row by row: qpos, qpos_next [n x nq], ctrl [n x nu], act, act_next [n x na],
 * derivatives [n x nv x nv], the others [n x nv]. Each function reads some and writes some, with at
 * most nthread threads; row i is the same, bit for bit, for any n and any number of threads. */
typedef struct sal_states {
    int n;
    const double *qpos, *qvel;
    /* read by the inverse, written by the forward direction */
    double *qacc;
    /* NULL: zero */
    const double *ctrl;
    double *qfrc_inverse;
    /* derivatives of qfrc_inverse (physics.h, sal_inverse_deriv); NULL: not wanted */
    double *Dq, *Dv, *Da;
    /* activations; NULL: zero */
    const double *act;
    /* written by a step; NULL: not wanted */
    double *qpos_next, *qvel_next, *act_next;
} sal_states;
/* The first fault, with the row, to err. */
SAL_API sal_status sal_states_inverse(const sal_model *m, const sal_states *s, int nthread,
                                      sal_err *err);
SAL_API sal_status sal_states_forward(const sal_model *m, const sal_states *s, int nthread,
                                      sal_err *err);
/* Each state one sal_step later: opt.timestep, by the model's integrator. */
SAL_API sal_status sal_states_step(const sal_model *m, const sal_states *s, int nthread,
                                   sal_err *err);

/* ---- cycles ---- */

/* The image of a configuration: q -> travel o mirror(q), and how tangent vectors follow: (S d)_i =
 * dof_sign_i d_{dof_index_i}. */
typedef struct sal_image {
    /* [nq], [nv] */
    int *qpos_index, *dof_index;
    /* [nq], [nv] */
    double *qpos_sign, *dof_sign;
    /* [nq] change of qpos per unit of travel */
    double *travel;
    /* [nv] the same in the tangent space */
    double *travel_dof;
    /* [nu] inputs: z_i = actuator_sign_i z_{actuator_index_i} */
    int *actuator_index;
    /* [nu] */
    double *actuator_sign;
    bool mirrored;
    /* travel along an arc; its length and angle here are those given or found, and may be others in
     * calls that take them */
    /* the free joint that turns; -1: none */
    int turning;
    /* m, rad to the left */
    double arc, turn;
    /* m: where the arc begins, in the direction of travel */
    double place[2];
} sal_image;

/* The identity. The caller frees. */
SAL_API sal_status sal_image_new(sal_image **image, const sal_model *m, sal_err *err);
SAL_API void sal_image_free(sal_image *image);
/* Which object is whose image, by their names (mirror_names.c has the rules): left and right are
 * words separated by blanks, as many of one as of the other; the k-th of each are swapped where
 * they begin in a name. An unnamed joint goes with its body. The object itself if its name has none
 * of the words, -1 if the partner does not exist. */
SAL_API int sal_mirror_partner(const sal_model *m, sal_object type, int id, const char *left,
                               const char *right);
/* Exchanges left and right, y -> -y. A joint's partner is that of sal_mirror_partner. Proves at the
 * home pose that the model is its own mirror image (masses, inertias, geoms that collide, limits,
 * actuators); SAL_BADINPUT says what is not. */
SAL_API sal_status sal_image_mirror(sal_image *image, const sal_model *m, const char *left,
                                    const char *right, sal_err *err);
/* The largest difference between left and right that was averaged. */
typedef struct sal_asymmetry {
    /* relative to what it is compared with (symmetrise.c); 0: there is none */
    double most;
    /* "body 'l_foot' and body 'r_foot' have the masses (kg) 1 and 1.02" */
    char text[512];
} sal_asymmetry;
/* A copy of m in which whatever differs between the sides by at most `tolerance`, relative to its
 * scale, is the mean of both: masses and inertias of bodies, places and axes, geoms that collide,
 * numbers of joints and actuators (symmetrise.c has the formulas). left, right as above. It is not
 * proved that the copy is its own mirror image: what differs by more is as in m, and
 * sal_image_mirror of the copy says what that is. SAL_BADINPUT where loops are closed by connect or
 * weld constraints. The caller frees. */
SAL_API sal_status sal_model_symmetrise(sal_model **copy, sal_asymmetry *largest,
                                        const sal_model *m, const char *left, const char *right,
                                        double tolerance, sal_err *err);
/* Which body, geom, site or tendon of m is the image of each; -1: none is. What does not move is
 * its own. aligned: the body's frame is the image of its partner's, within the tolerance. */
typedef struct sal_twins {
    /* [nbody], [ngeom], [nsite], [ntendon] */
    int *body, *geom, *site, *tendon;
    /* [nbody] */
    bool *aligned;
} sal_twins;
/* Bodies by their joints' names, or their own; tendons by their names; geoms and sites of these
 * bodies by their places at home. The caller frees. */
SAL_API sal_status sal_twins_new(sal_twins **twins, const sal_model *m, const char *left,
                                 const char *right, double tolerance, sal_err *err);
SAL_API void sal_twins_free(sal_twins *twins);
/* Finds which actuator is whose image, in a mirrored cycle, and proves that it is. SAL_BADINPUT if
 * one has none: then each is its own. mirror_actuator.c */
SAL_API sal_status sal_image_actuators(sal_image *image, const sal_model *m, sal_err *err);
/* Travel along a slide joint (direction NULL) or along a direction (x, y) of a free joint.
 * SAL_BADINPUT if that is sideways for the mirror, or if a tendon, an equality constraint or a
 * passive force would stay behind. */
SAL_API sal_status sal_image_travel(sal_image *image, const sal_model *m, int joint,
                                    const double direction[2], sal_err *err);
/* The travel of this free joint, set before, bends by `turn` rad: the cycle goes on by g, a motion
 * of the plane,
 *     g(p) = p_0 + R(turn) (p - p_0) + length V(turn) u
 *     V(s) = ( sin s, cos s - 1; 1 - cos s, sin s )/s
 * the arc of that length and angle which begins at p_0 = place in direction u. SAL_BADINPUT for a
 * mirrored cycle, where gravity is not vertical, or if something would stay behind. */
SAL_API sal_status sal_image_turn(sal_image *image, const sal_model *m, int joint, double turn,
                                  sal_err *err);
/* out = the image of q after travelling `length`; inverse: the configuration whose image q is.
 * [nq]; out is not q */
SAL_API void sal_image_apply(const sal_image *image, const sal_model *m, double *out,
                             const double *q, double length);
SAL_API void sal_image_apply_inverse(const sal_image *image, const sal_model *m, double *out,
                                     const double *q, double length);
/* The same along an arc of this angle: the image (side 1), or what q is the image of (side -1). */
SAL_API void sal_image_apply_arc(const sal_image *image, const sal_model *m, double *out,
                                 const double *q, int side, double length, double turn);
/* The image v [nv] of a velocity at the angle image->turn; out is not v. */
SAL_API void sal_image_velocity(const sal_image *image, const sal_model *m, double *out,
                                const double *v);
/* How the image of q (side 1) or what q is the image of (side -1) moves with length and turn, as
 * motions of q that would do the same: along, around [nv]. */
SAL_API void sal_image_deriv(const sal_image *image, const sal_model *m, double *along,
                             double *around, const double *q, int side, double length, double turn);
/* row [nv], a derivative with respect to that image's tangent space, but for mirroring: to that of
 * q. */
SAL_API void sal_image_chain(const sal_image *image, const sal_model *m, double *row, int side,
                             double turn);

SAL_END_C

#endif
