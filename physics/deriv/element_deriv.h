/* element_deriv.h: how an element that grips two or three bodies enters the derivatives of
 * generalised forces; private to the files that know such elements.
 *
 * An element pulls at bodies with wrenches W about O. Perturbed by dof k, what comes after k is
 * carried along by s_k:
 *
 *     r_i = s_i'W          dr_i/dq_k = s_i'dW_k + (s_k x s_i)'W,  the second if k carries i
 */
#ifndef SAL_PHYSICS_DERIV_ELEMENT_DERIV_H
#define SAL_PHYSICS_DERIV_ELEMENT_DERIV_H

#include "base/house.h"
#include "physics/deriv/deriv.h"

/* True if dof k moves the body. */
bool phy_dof_moves(const sal_model *m, int k, int body);

/* The centre O about which the columns of a body are written. */
static inline const double *phy_centre(const sal_model *m, const sal_data *d, int body)
{
    return d->subtree_com + 3 * m->body_rootid[body];
}

/* How a world point moves with dof k of its body: u + w x (P - O). */
void phy_point_column(const sal_model *m, const sal_data *d, double r[3], int k,
                      const double point[3]);

/* ---- how a point of a body moves ---- */

enum { PHY_BY_Q, PHY_BY_V, PHY_BY_A };

/* The point's velocity and acceleration, without gravity; of the acceleration the part that qacc
 * makes, that which velocities make, or both. */
typedef struct phy_mover {
    int body;
    bool with_qacc;
    bool with_drift;
    /* P - O */
    double arm[3];
    /* its body's motion, and how that changes */
    double V[6], A[6];
    double v[3];
    double a[3];
} phy_mover;

/* How it changes with a dof: linear and angular velocity, linear and angular acceleration. */
typedef struct phy_motion_change {
    double v[3];
    double w[3];
    double a[3];
    double wdot[3];
} phy_motion_change;

/* body, with_qacc and with_drift are set. element_deriv_point.c */
void phy_mover_set(const sal_model *m, const sal_data *d, phy_mover *p, const double point[3]);

/* With q, v or a (by) of dof k of its body's chain. */
phy_motion_change phy_mover_change(const sal_model *m, const phy_deriv *w, const phy_mover *p,
                                   int k, int by);

/* ---- what pulls at bodies ---- */

/* A force f at the point at (world), and a torque t, on a body. */
typedef struct phy_pull {
    int body;
    double at[3];
    double f[3];
    double t[3];
} phy_pull;

/* What the dofs of the pull's body feel of it as dof k is perturbed and the pull changes by
 *     `change`: dr_i/dq_k = s_i'dW, and behind the
 * first dof that k carries s_i'(dW - s_k x* W), as (s_k x s_i)'W = -s_i'(s_k x* W). */
typedef struct phy_felt {
    double before[6];
    double behind[6];
    /* of that body's chain, that is carried; more than there are: none */
    int first;
} phy_felt;
phy_felt phy_pull_felt(const sal_model *m, const sal_data *d, const phy_pull *pull,
                       const phy_pull *change, int k);

static inline double phy_felt_by(const phy_felt *felt, const sal_data *d, int i)
{
    return sal_sp_dot(d->cdof + 6 * i, i < felt->first ? felt->before : felt->behind);
}

/* Somebody on a body who feels, along n twists s about O, what acts on all that the body carries:
 * s'E, E the sum of these wrenches. A change of E is seen with the twists as they are. */
enum { PHY_SEEN = 3 };
typedef struct phy_observer {
    int body;
    int n;
    double s[PHY_SEEN][6];
} phy_observer;

/* How a force f at a point and a torque, which act on something carried, change:
 * dW = (dT + d at x f + (at - O) x df ; df). D[.][k] += scale s'dW. element_deriv.c */
void phy_observe(const sal_model *m, const sal_data *d, const phy_observer *o, double scale,
                 const phy_pull *pull, const phy_pull *change, double *D, int k);

/* D[.] += scale s'dE of the connect or weld whose first row this is. element_deriv_joined.c */
void phy_joined_seen(const sal_model *m, sal_data *d, const phy_deriv *w, const phy_observer *o,
                     int row, double scale, double *const D[3]);

/* What is being found out of a length: how it and its Jacobian change with the n dofs that have to
 * do with it. */
typedef struct phy_turn {
    const sal_model *m;
    const sal_data *d;
    int n;
    const int *dof;
    /* dJ_i/dq_k [n x n] by rows, dl/dq_k [n] */
    double *N, *dl;
    /* who sees the pulls, times `scale`, too [o->n x nv]; NULL: nobody */
    const phy_observer *observer;
    double scale;
    double *seen;
} phy_turn;

/* N[.][k] += the pull's generalised force over the dofs of its body, but not over those that move
 * the body `apart`, too (-1: all), as the k-th dof moves and the pull changes by `change`. */
void phy_turn_pull(const phy_turn *turn, const phy_pull *pull, const phy_pull *change, int apart,
                   int k);

/* Where a point of a body goes with a dof: nowhere if that does not move the body. */
void phy_displacement(const phy_turn *turn, double r[3], int dof, int body, const double point[3]);

/* D += scale dr/dq [nv x nv] of a pull at a fixed point of its body with force and torque constant
 * in the world, over the rows i that are wanted (NULL: all). */
void phy_constant_pull_add(const sal_model *m, const sal_data *d, double *D, double scale,
                           const phy_pull *pull, bool (*wanted)(const sal_model *m, int i));

/* Dq -= d(gravity compensation)/dq over the dofs for which it is passive, of bodies that other dofs
 * move, too; the others' is a load. */
void phy_compensation_deriv(const sal_model *m, const sal_data *d, double *Dq);

/* Connects and welds, into Dq, Dv, Da. element_deriv_joined.c */
void phy_joined_deriv(const sal_model *m, sal_data *d, const phy_deriv *w);

/* Spatial tendons, into Dq, Dv, Da. element_deriv_tendon.c */
void phy_tendons_deriv(const sal_model *m, sal_data *d, phy_deriv *w);

/* N[i][k] = dJ_i/dq_k [n x n] by rows and dl/dq [n], over the n dofs of a spatial tendon.
 * element_deriv_path.c */
void phy_tendon_turn(const sal_model *m, const sal_data *d, int t, double *N, double *dl);

/* And D[.] += scale s'dE of its pulls at what somebody's body carries, as a force of 1 lengthens
 * it. */
void phy_tendon_turn_seen(const phy_turn *turn, int t);
/* D[.] += scale s'dE of all that pulls along spatial tendon t, but for the rows of equalities.
 * element_deriv_tendon.c */
void phy_tendon_seen(const sal_model *m, sal_data *d, const phy_deriv *w, const phy_observer *o,
                     int t, double scale, double *const D[3]);

/* Dq += k w'N of a spatial tendon, w [nv]. length_deriv.c */
void phy_tendon_turn_add(const sal_model *m, sal_data *d, int t, double k, const double *w,
                         double *Dq);

/* r [n]: how dJ/dt v of a tendon of straight pieces changes with q or v (by) of each of its
 * dofs. */
void phy_tendon_drift_turn(const sal_model *m, const sal_data *d, const phy_deriv *w, int t, int by,
                           double *r);

/* The same of an actuator's moment and length, over the dofs of its row of the moment.
 * element_deriv_transmission.c */
void phy_transmission_turn(const sal_model *m, const sal_data *d, int i, double *N, double *dl);

/* Of the torque of an orientation whose first axis is given, with controls u, of which a limit
 * leaves this share. element_deriv_orientation.c */
void phy_add_orientation(const sal_model *m, sal_data *d, const sal_actuation_jacobian *to,
                         int first, const double *u, double share);
/* Takes what that needs. */
void phy_orientation_scratch(const sal_model *m, sal_arena *arena, int i);
/* Dq += d(gravity compensation)/dq over the dofs for which it counts as the actuators'. */
void phy_actuator_compensation_deriv(const sal_model *m, const sal_data *d, double *Dq);

#endif
