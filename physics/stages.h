/* stages.h: the smaller steps that the stages of physics.h are made of; private to physics/. */
#ifndef SAL_PHYSICS_STAGES_H
#define SAL_PHYSICS_STAGES_H

#include "physics/physics.h"

/* What may matter in some of several instants: in each of them the things whose bit is set. */
typedef struct phy_listed {
    const int *thing;
    const unsigned char *lanes;
    int n;
} phy_listed;

/* A contact in those of several instants whose bit is set. Its numbers begin at `at`: dist, pos and
 * frame, then of its rows J v, J a, J. */
typedef struct phy_met {
    int pair;
    int at;
    unsigned char lanes;
} phy_met;
enum { PHY_MET_ROWS = 13 };

/* Most pairs that are looked at one by one where several instants are side by side: a pair costs a
 * quarter there. */
enum { PHY_LISTED_MOST = 2000 };

static inline bool phy_lists_pairs(const sal_model *m)
{
    return m->nkind == 0 && (m->nsweep == 0 || m->npair <= PHY_LISTED_MOST);
}

/* What is known of an instant from those beside it: pairs of geoms that may be near, joints that
 * may be at their limits where none is held beyond its margin; whether any dof has friction, and
 * whether length, velocity and moment of the actuators are there. */
typedef struct phy_placed {
    phy_listed pairs, limits;
    int lane;
    bool has_friction;
    bool actuated;
    /* contacts of listed pairs: of pair i from near_met[i] on, or -1: they are not known; their
     * numbers in this instant */
    const phy_met *met;
    const int *near_met;
    int nmet;
    const double *met_number;
    /* of the rows, how many have a J v and J a that is not known: phy_make_constraint */
    int unknown;
} phy_placed;

static inline bool phy_has_met(const phy_placed *placed, int k)
{
    return placed->met[k].lanes >> placed->lane & 1;
}

static inline bool phy_is_listed(const phy_placed *placed, const phy_listed *list, int i)
{
    return list->lanes[i] >> placed->lane & 1;
}

/* sal_collide, sal_make_constraint for such an instant; placed NULL: nothing is known of it.
 * collision/collide.c, constraint.c */
sal_status phy_collide(const sal_model *m, sal_data *d, const phy_placed *placed, sal_err *err);
sal_status phy_make_constraint(const sal_model *m, sal_data *d, phy_placed *placed, sal_err *err);

/* What sal_position does after sal_kinematics and sal_com; what sal_velocity does after
 * phy_bias_force and phy_joint_passive_force; what sal_inverse_discrete does where qfrc_inverse
 * holds M a already, the integrator has nothing implicit and qacc is set. */
sal_status phy_position_of_placed(const sal_model *m, sal_data *d, phy_placed *placed,
                                  sal_err *err);
void phy_velocity_of_placed(const sal_model *m, sal_data *d, const phy_placed *placed);
void phy_inverse_acceleration_of_placed(const sal_model *m, sal_data *d, const phy_placed *placed);

/* r = M a [nv] without M (sal_com and sal_tendon done). */
void phy_inertial_force(const sal_model *m, sal_data *d, double *r, const double *a);

/* qfrc_passive, qfrc_gravcomp: springs and dampers of joints and tendons, gravity compensation, the
 * medium. */
void phy_passive_force(const sal_model *m, sal_data *d);
/* The same after phy_joint_passive_force (width.h). */
void phy_further_passive_force(const sal_model *m, sal_data *d);
/* Springs and dampers both disabled (2.2.2 has one flag for both): then nothing is passive. */
static inline bool phy_passive_is_off(const sal_model *m)
{
    const int both = SAL_DSBL_SPRING | SAL_DSBL_DAMPER;
    return (m->opt.disable & both) == both;
}

/* World velocity of a point fixed to a body and angular velocity of the body, and how both change
 * while qacc = 0 and nothing falls
 * (phy_bias_force done): with A = sum cdof_dot_k v_k about c, wdot = A_angular, a = A_linear +
 *     A_angular x (P - c) + w x v. */
void phy_point_drift(const sal_model *m, const sal_data *d, double v[3], double w[3], double a[3],
                     double wdot[3], const double point[3], int body);

/* subtree_linvel, subtree_angmom (about subtree_com), after phy_bias_force. */
void phy_subtree_velocity(const sal_model *m, sal_data *d);

/* First dof behind the group of dof k: the dofs that start from one frame, see deriv.h. */
static inline int phy_group_end(const sal_model *m, int k)
{
    const int j = m->dof_jntid[k], type = m->jnt_type[j], dof = m->jnt_dofadr[j];
    const bool single = type == SAL_JNT_HINGE || type == SAL_JNT_SLIDE;
    return single ? k + 1 : type == SAL_JNT_FREE && k >= dof + 3 ? dof + 6 : dof + 3;
}

/* How many dofs at the beginning of both bodies' chains are the same: they move both alike. */
int phy_common_dofs(const sal_model *m, int b0, int b1);
/* row_k += wrench . cdof_k over the dofs of the body's chain from the common-th on. wrench [6]:
 * torque about the centre of mass of the body's tree, force; dof: of each entry of the row,
 * ascending, with all dofs of the chain among them. */
void phy_row_add_wrench(const sal_model *m, const sal_data *d, double *row, const int *dof,
                        int body, int common, const double wrench[6]);

/* actuator_length and actuator_moment, from positions, tendons and contacts; actuator_velocity from
 * the moments and qvel. */
void phy_actuator_length(const sal_model *m, sal_data *d);
void phy_actuator_velocity(const sal_model *m, sal_data *d);

/* sensordata of one stage; sensors of other stages, and the user's without a callback, keep what
 * they have. */
void phy_sensors(const sal_model *m, sal_data *d, sal_stage stage);

/* True if the Euler step treats joint damping implicitly: M a = (M + h diag(damping)) a'. */
bool phy_damping_is_implicit(const sal_model *m);
/* True if the contact model knows the acceleration a' of the step only: qacc is a', and such
 * damping stands beside M,  (M + h diag(damping)) a' + c = tau + passive + J'f. */
static inline bool phy_is_of_step(const sal_model *m)
{
    return m->opt.contact.model != SAL_CONTACT_SOFT;
}
/* True if h diag(damping) stands beside M. */
static inline bool phy_damping_is_beside(const sal_model *m)
{
    return phy_is_of_step(m) && phy_damping_is_implicit(m);
}
/* True if S stands beside M and s beside c, qacc is a' and rows are seen at the end of the step:
 * integrator="discrete", see implicit/step_metric.h. */
static inline bool phy_has_step_metric(const sal_model *m)
{
    return m->opt.integrator == SAL_INT_DISCRETE;
}
/* SAL_UNSUPPORTED, if something of the model does not go with that integrator */
sal_status phy_step_metric_refusal(const sal_model *m, sal_err *err);
/* True if the a' of a step is the a of the law: Euler without such damping. */
static inline bool phy_nothing_is_implicit(const sal_model *m)
{
    return phy_has_step_metric(m) || (m->opt.integrator == SAL_INT_EULER &&
                                      (phy_is_of_step(m) || !phy_damping_is_implicit(m)));
}
/* r += x [nv] times what stands beside M: h diag(damping), or S. implicit.c */
void phy_add_of_step(const sal_model *m, const sal_data *d, double *r, const double *x);
static inline void phy_add_beside_mass(const sal_model *m, const sal_data *d, double *r,
                                       const double *x)
{
    if (phy_is_of_step(m) || phy_has_step_metric(m)) {
        phy_add_of_step(m, d, r, x);
    }
}
/* x := (M + h diag(damping))^-1 x (sal_factor done). implicit.c */
void phy_solve_damped(const sal_model *m, sal_data *d, double *x);

/* step_*, and efc_R and efc_D of the rows in their place (sal_velocity and, with actuators,
 * sal_actuation done). implicit/step_metric.c */
void phy_step_metric(const sal_model *m, sal_data *d);
/* r += S x [nv] */
void phy_step_metric_add(const sal_model *m, const sal_data *d, double *r, const double *x);
/* One element that couples dofs: S has w x'x, x the n numbers in the columns `dof`. */
typedef struct phy_step_element {
    const int *dof;
    const double *x;
    int n;
    double w;
} phy_step_element;

/* Element i of them, tendons first; false behind the last. w may be 0. implicit/step_metric.c */
bool phy_step_element_at(const sal_model *m, const sal_data *d, int i, phy_step_element *e);

/* Bodies that float alone and touch nothing: qacc from qfrc_smooth; r += h dc/dv a [nv].
 * implicit/step_floating.c */
void phy_step_floating_solve(const sal_model *m, sal_data *d);
void phy_step_floating_add(const sal_model *m, sal_data *d, double *r, const double *a);
/* d (damping force) / d v of dof i, positive: what implicit steps put beside M. */
double phy_damping_slope(const sal_model *m, const sal_data *d, int i);
/* The same of tendon t by its rate. */
double phy_tendon_damping_slope(const sal_model *m, const sal_data *d, int t);

/* Whether surfaces move along the geoms of a contact with friction; and efc_vel of all contacts +=
 * these motions. contact_surface.c */
bool phy_surfaces_move(const sal_model *m, const sal_contact *contact);
static inline bool phy_surfaces_slide(const sal_model *m, const sal_contact *contact)
{
    return m->nsurfacevel > 0 && phy_surfaces_move(m, contact);
}
void phy_add_surface_motion(const sal_model *m, sal_data *d);

/* How much a contact may pull, N: 0 of one without rows. The share of that of one of its rows; the
 * aref of all such contacts' rows; what the rows exert too much, to qfrc_passive.
 * contact_adhesion.c */
static inline double phy_adhesion_of(const sal_model *m, const sal_contact *contact)
{
    return m->nadhesion > 0 && contact->efc_address >= 0 ? m->pair_adhesion[contact->pair] : 0;
}
double phy_adhesion_of_row(const sal_model *m, const sal_data *d, const sal_contact *contact,
                           int row);
void phy_adhesion_reference(const sal_model *m, sal_data *d);
void phy_adhesion_force(const sal_model *m, sal_data *d);

/* cfrc_ext of body b += sign (torque + (point - c) x force ; force); the world keeps none.
 * body_force.c */
void phy_add_external(const sal_model *m, sal_data *d, int b, double sign, const double force[3],
                      const double torque[3], const double point[3]);

/* a' [nv], by which a step changes the velocity (sal_forward done; not for RK4). implicit.c */
void phy_discrete_acceleration(const sal_model *m, sal_data *d, double *a);
/* a [nv], which the continuous law sees where a step changes the velocity by a' (sal_velocity done;
 * a may be a'). Factors M and, for the implicit integrators, calls sal_actuation. */
void phy_continuous_acceleration(const sal_model *m, sal_data *d, double *a,
                                 const double *discrete);

/* sal_crb, unless it has been done at this configuration. */
void phy_compose(const sal_model *m, sal_data *d);

/* The dofs above dof i in its chain and i itself, descending: i = phy_row_dof(row, 0), then its
 * parent, ... row.n of them. Row i of qM holds its entries in this order. */
typedef struct phy_row {
    /* i in the chain of its body: chains ascend, so rows run backwards through them */
    const int *last;
    int n;
    int adr;
} phy_row;

static inline phy_row phy_row_of(const sal_model *m, int i)
{
    const int adr = m->dof_Madr[i], end = i + 1 < m->nv ? m->dof_Madr[i + 1] : m->nM;
    return (phy_row){m->chain_dof + m->body_chainadr[m->dof_bodyid[i]] + (end - adr - 1), end - adr,
                     adr};
}

static inline int phy_row_dof(phy_row row, int k)
{
    return row.last[-k];
}

#endif
