/* width.h: the numbers that files of several widths compute with; private to physics/.
 *
 * These files are compiled several times (physics/abreast/meson.build, which gives the functions of
 * each time names of their own). Without PHY_WIDTH a phy_real is one number, of one instant, and
 * phy_instants is a data. With PHY_WIDTH = 4 or 8 a phy_real holds the same number of so many
 * instants of one mechanism, side by side: lanes. What depends on the model alone, such as which
 * joint a body has, is the same in all lanes. Lanes never mix, and every lane does the same
 * operations in the same order as the one number does, so that all widths give the same bits.
 *
 * Lanes are given by address: gcc and clang disagree on how a function takes wide vectors by value
 * on processors without registers for them.
 */
#ifndef SAL_PHYSICS_WIDTH_H
#define SAL_PHYSICS_WIDTH_H

#include "base/house.h"
#include "physics/stages.h"

#include <limits.h>
#include <math.h>

#ifndef PHY_WIDTH

#define PHY_WIDTH 1
typedef double phy_real;
typedef long long phy_truth; /* of a comparison: not 0 where it holds */
typedef sal_data phy_instants;

#else

typedef double phy_real
    __attribute__((vector_size(PHY_WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef long long phy_truth
    __attribute__((vector_size(PHY_WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));

/* X(name, rows, columns): what is known of the instants, as in a data: first what is given, then
 * what follows from it. */
#define PHY_GIVEN_ARRAYS(X)                                                                        \
    X(qpos, nq, 1)                                                                                 \
    X(qvel, nv, 1)                                                                                 \
    X(qacc, nv, 1)                                                                                 \
    X(mocap_pos, nmocap, 3)                                                                        \
    X(mocap_quat, nmocap, 4)
/* what the rest of the inverse reads of all models */
#define PHY_INVERSE_ARRAYS(X)                                                                      \
    X(qfrc_bias, nv, 1)                                                                            \
    X(qfrc_passive, nv, 1) /* of joints */                                                         \
    X(qfrc_inverse, nv, 1) /* M a at first */
/* what it reads of geoms that each instant lets meet by itself */
#define PHY_GEOM_ARRAYS(X)                                                                         \
    X(geom_xpos, ngeom, 3)                                                                         \
    X(geom_xmat, ngeom, 9)                                                                         \
    X(subtree_com, nbody, 3)                                                                       \
    X(cdof, nv, 6)
/* what sensors of the frames of bodies read */
#define PHY_BODY_ARRAYS(X)                                                                         \
    X(xpos, nbody, 3)                                                                              \
    X(xquat, nbody, 4)                                                                             \
    X(xmat, nbody, 9)
/* and what others read */
#define PHY_FURTHER_ARRAYS(X)                                                                      \
    X(xipos, nbody, 3)                                                                             \
    X(ximat, nbody, 9)                                                                             \
    X(xanchor, njnt, 3)                                                                            \
    X(xaxis, njnt, 3)                                                                              \
    X(site_xpos, nsite, 3)                                                                         \
    X(site_xmat, nsite, 9)                                                                         \
    X(cinert, nbody, 10)                                                                           \
    X(cvel, nbody, 6)                                                                              \
    X(cdof_dot, nv, 6)
#define PHY_FOUND_ARRAYS(X)                                                                        \
    PHY_INVERSE_ARRAYS(X) PHY_GEOM_ARRAYS(X) PHY_BODY_ARRAYS(X) PHY_FURTHER_ARRAYS(X)
/* Of these, a bit for those that the data have (with those of the inverse) */
enum { PHY_GEOMS = 1, PHY_BODIES = 2, PHY_FURTHER = 4, PHY_ALL_FOUND = 7 };
/* and of actuators, where all of them are of slides and hinges */
#define PHY_ACTUATOR_ARRAYS(X)                                                                     \
    X(actuator_moment, nmoment, 1)                                                                 \
    X(actuator_length, nu, 1)                                                                      \
    X(actuator_velocity, nu, 1)
/* The mass matrix and its factor, where a step takes damping at its end. */
#define PHY_MASS_ARRAYS(X)                                                                         \
    X(crb, nbody, 10)                                                                              \
    X(qM, nM, 1)                                                                                   \
    X(qLD, nM, 1)                                                                                  \
    X(qLDiagInv, nv, 1)

/* Most contacts with planes, and most numbers of them */
typedef struct phy_met_room {
    int contacts, numbers;
} phy_met_room;
phy_met_room phy_touching_room(const sal_model *m);

typedef struct phy_instants {
#define PHY_FIELD(name, rows, columns) phy_real *name;
    PHY_GIVEN_ARRAYS(PHY_FIELD)
    PHY_FOUND_ARRAYS(PHY_FIELD)
    PHY_MASS_ARRAYS(PHY_FIELD)
    PHY_ACTUATOR_ARRAYS(PHY_FIELD)
#undef PHY_FIELD
    bool composed, factored;
    unsigned brought;  /* what of it the data have */
    bool has_friction; /* some dof has */
    bool actuated;     /* the arrays of actuators are known */
    /* [npair], [njnt] the pairs of geoms that may be near in any lane and the joints that may be at
     * their limits, in their order, and in which: a bit a lane */
    int nnear, *near_pair;
    unsigned char *near_lanes;
    int nlimit, *limit_joint;
    unsigned char *limit_lanes;
    /* contacts with planes: of near pair i from near_met[i] on, or -1: each instant looks for
     * itself; their numbers */
    phy_met_room met_room;
    int nmet, nmet_number, *near_met;
    phy_met *met;
    phy_real *met_number;
    double *met_by_lane; /* the same, one instant after the other */
    sal_arena arena;
} phy_instants;

/* nnear, near_pair, near_lanes (phy_kinematics done). collision/near.c */
void phy_near_pairs(const sal_model *m, phy_instants *d);
/* After that met, near_met, met_number, from qvel and qacc too. collision/touching.c */
void phy_touching(const sal_model *m, phy_instants *d);
/* nlimit, limit_joint, limit_lanes, where nothing is held beyond its margin. abreast/joints.c */
void phy_near_limits(const sal_model *m, phy_instants *d);
/* The arrays of actuators; false, and they are not known, if an actuator is of anything but a slide
 * or hinge. abreast/joints.c */
bool phy_joint_actuators(const sal_model *m, phy_instants *d);

/* Lanes in which a comparison holds, a bit a lane */
static SAL_INLINE unsigned char phy_bits(const phy_truth *x)
{
    unsigned sum = 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        sum |= (unsigned)((*x)[l] & 1) << l;
    }
    return (unsigned char)sum;
}

#endif

/* sal_kinematics, sal_com */
void phy_kinematics(const sal_model *m, phy_instants *d);
void phy_com(const sal_model *m, phy_instants *d);
/* cvel, cdof_dot and qfrc_bias: Coriolis, centrifugal and gravity forces, c(q, v) = RNE(q, v, a =
 * 0). rne.c */
void phy_bias_force(const sal_model *m, phy_instants *d);
/* crb, and qM without the armatures of tendons (phy_com done). mass/crb.c */
void phy_mass_of_bodies(const sal_model *m, phy_instants *d);
/* L'DL factor, in the layout of qM, of a matrix in that layout; diaginv[i] = 1 / D_ii. */
void phy_factor_sparse(const sal_model *m, phy_real *ld, phy_real *diaginv);
/* x := (L'DL)^-1 x */
void phy_solve_sparse(const sal_model *m, const phy_real *ld, const phy_real *diaginv, phy_real *x);
/* M is qM, qLD its factor. mass/factor.c */
void phy_factor_mass(const sal_model *m, phy_instants *d);
/* lag [nv] = a - a' = M^-1 h diag(damping) a', for an Euler step that takes joint damping at its
 * end (phy_factor_mass done). implicit/lag.c */
void phy_damping_lag(const sal_model *m, const phy_instants *d, phy_real *lag,
                     const phy_real *discrete);
/* M a of the bodies and the armatures of dofs, without that of tendons (phy_com done). rne.c */
void phy_inertial_force_of_bodies(const sal_model *m, phy_instants *d, phy_real *r,
                                  const phy_real *a);
/* qfrc_passive of the springs and dampers of joints. spring.c */
void phy_joint_passive_force(const sal_model *m, phy_instants *d);

/* r = a in every lane, n numbers. (Minus zero keeps the sign of a zero.) */
static SAL_INLINE void phy_spread(phy_real *r, const double *a, int n)
{
    for (int i = 0; i < n; i++) {
        r[i] = a[i] - (phy_real){0};
    }
}

/* As the functions of base/v3.h, base/quat.h and base/spatial.h with these names. */

static SAL_INLINE void phy_v3_copy(phy_real r[3], const phy_real a[3])
{
    r[0] = a[0], r[1] = a[1], r[2] = a[2];
}

static SAL_INLINE void phy_v3_add(phy_real r[3], const phy_real a[3], const phy_real b[3])
{
    r[0] = a[0] + b[0], r[1] = a[1] + b[1], r[2] = a[2] + b[2];
}

static SAL_INLINE void phy_v3_sub(phy_real r[3], const phy_real a[3], const phy_real b[3])
{
    r[0] = a[0] - b[0], r[1] = a[1] - b[1], r[2] = a[2] - b[2];
}

static SAL_INLINE void phy_v3_scale(phy_real r[3], const phy_real a[3], double s)
{
    r[0] = s * a[0], r[1] = s * a[1], r[2] = s * a[2];
}

static SAL_INLINE void phy_v3_dot(phy_real *r, const phy_real a[3], const phy_real b[3])
{
    *r = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static SAL_INLINE void phy_v3_cross(phy_real r[3], const phy_real a[3], const phy_real b[3])
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

static SAL_INLINE void phy_m3_column(phy_real r[3], const phy_real m[9], int j)
{
    r[0] = m[j], r[1] = m[3 + j], r[2] = m[6 + j];
}

static SAL_INLINE void phy_quat_copy(phy_real r[4], const phy_real a[4])
{
    r[0] = a[0], r[1] = a[1], r[2] = a[2], r[3] = a[3];
}

static SAL_INLINE void phy_quat_mul(phy_real r[4], const phy_real a[4], const phy_real b[4])
{
    r[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    r[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    r[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    r[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static SAL_INLINE void phy_quat_matrix(phy_real m[9], const phy_real q[4])
{
    const phy_real w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = w * w + x * x - y * y - z * z, m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = w * w - x * x + y * y - z * z, m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = w * w - x * x - y * y + z * z;
}

#if PHY_WIDTH == 1

static SAL_INLINE double phy_lane_of(const double *x, int lane)
{
    return x[lane];
}

static SAL_INLINE void phy_lane_set(double *x, int lane, double y)
{
    x[lane] = y;
}

static SAL_INLINE void phy_abs(double *r, const double *a)
{
    *r = fabs(*a);
}

static SAL_INLINE void phy_sqrt(double *r, const double *a)
{
    *r = sqrt(*a);
}

/* Whether a comparison holds in any lane, in all */
static SAL_INLINE bool phy_any(const phy_truth *x)
{
    return *x != 0;
}

static SAL_INLINE bool phy_all(const phy_truth *x)
{
    return *x != 0;
}

/* x := x and not y */
static SAL_INLINE void phy_except(phy_truth *x, const phy_truth *y)
{
    *x = *x != 0 && *y == 0;
}

static SAL_INLINE void phy_v3_normalise(double a[3])
{
    sal_v3_normalise(a);
}

static SAL_INLINE void phy_quat_normalise(double q[4])
{
    sal_quat_normalise(q);
}

static SAL_INLINE void phy_sp_add(double r[6], const double a[6])
{
    sal_sp_add(r, a);
}

static SAL_INLINE void phy_sp_dot(double *r, const double a[6], const double b[6])
{
    *r = sal_sp_dot(a, b);
}

/* A spatial vector while a sum is made of it: three pairs, which stay in registers. */
typedef struct phy_sum {
    sal_pair pair[3];
} phy_sum;

static SAL_INLINE void phy_sum_begin(phy_sum *sum, const double a[6])
{
    for (int i = 0; i < 3; i++) {
        sum->pair[i] = sal_pair_at(a + 2 * i);
    }
}

/* sum += s a */
static SAL_INLINE void phy_sum_add(phy_sum *sum, const double *s, const double a[6])
{
    const sal_pair scale = {*s, *s};
    for (int i = 0; i < 3; i++) {
        sum->pair[i] += scale * sal_pair_at(a + 2 * i);
    }
}

static SAL_INLINE void phy_sum_end(double r[6], const phy_sum *sum)
{
    for (int i = 0; i < 3; i++) {
        sal_pair_put(r + 2 * i, sum->pair[i]);
    }
}

#else

static SAL_INLINE double phy_lane_of(const phy_real *x, int lane)
{
    return (*x)[lane];
}

static SAL_INLINE void phy_lane_set(phy_real *x, int lane, double y)
{
    (*x)[lane] = y;
}

static SAL_INLINE void phy_abs(phy_real *r, const phy_real *a)
{
    *r = (phy_real)((phy_truth)*a & LLONG_MAX); /* all bits but the sign */
}

static SAL_INLINE void phy_sqrt(phy_real *r, const phy_real *a)
{
    for (int l = 0; l < PHY_WIDTH; l++) {
        (*r)[l] = sqrt((*a)[l]);
    }
}

static SAL_INLINE bool phy_any(const phy_truth *x)
{
    long long sum = 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        sum |= (*x)[l];
    }
    return sum != 0;
}

static SAL_INLINE bool phy_all(const phy_truth *x)
{
    long long sum = -1;
    for (int l = 0; l < PHY_WIDTH; l++) {
        sum &= (*x)[l];
    }
    return sum != 0;
}

static SAL_INLINE void phy_except(phy_truth *x, const phy_truth *y)
{
    *x &= ~*y;
}

/* Each lane by itself, here and below: a length of zero takes another branch. */
static SAL_INLINE void phy_v3_normalise(phy_real a[3])
{
    for (int l = 0; l < PHY_WIDTH; l++) {
        double one[3] = {a[0][l], a[1][l], a[2][l]};
        sal_v3_normalise(one);
        a[0][l] = one[0], a[1][l] = one[1], a[2][l] = one[2];
    }
}

static SAL_INLINE void phy_quat_normalise(phy_real q[4])
{
    for (int l = 0; l < PHY_WIDTH; l++) {
        double one[4] = {q[0][l], q[1][l], q[2][l], q[3][l]};
        sal_quat_normalise(one);
        q[0][l] = one[0], q[1][l] = one[1], q[2][l] = one[2], q[3][l] = one[3];
    }
}

static SAL_INLINE void phy_sp_add(phy_real r[6], const phy_real a[6])
{
    for (int i = 0; i < 6; i++) {
        r[i] += a[i];
    }
}

static SAL_INLINE void phy_sp_dot(phy_real *r, const phy_real a[6], const phy_real b[6])
{
    *r = (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5]);
}

typedef struct phy_sum {
    phy_real number[6];
} phy_sum;

static SAL_INLINE void phy_sum_begin(phy_sum *sum, const phy_real a[6])
{
    for (int i = 0; i < 6; i++) {
        sum->number[i] = a[i];
    }
}

static SAL_INLINE void phy_sum_add(phy_sum *sum, const phy_real *s, const phy_real a[6])
{
    for (int i = 0; i < 6; i++) {
        sum->number[i] += *s * a[i];
    }
}

static SAL_INLINE void phy_sum_end(phy_real r[6], const phy_sum *sum)
{
    for (int i = 0; i < 6; i++) {
        r[i] = sum->number[i];
    }
}

#endif

static SAL_INLINE void phy_sp_cross_motion(phy_real r[6], const phy_real a[6], const phy_real b[6])
{
    phy_real t[3];
    phy_v3_cross(r, a, b);
    phy_v3_cross(r + 3, a, b + 3);
    phy_v3_cross(t, a + 3, b);
    phy_v3_add(r + 3, r + 3, t);
}

static SAL_INLINE void phy_sp_cross_force(phy_real r[6], const phy_real a[6], const phy_real f[6])
{
    phy_real t[3];
    phy_v3_cross(r, a, f);
    phy_v3_cross(t, a + 3, f + 3);
    phy_v3_add(r, r, t);
    phy_v3_cross(r + 3, a, f + 3);
}

static SAL_INLINE void phy_sp_inertia_mul(phy_real r[6], const phy_real J[10], const phy_real m[6])
{
    const phy_real *w = m, *u = m + 3, *h = J + 6;
    r[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2] + h[1] * u[2] - h[2] * u[1];
    r[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2] + h[2] * u[0] - h[0] * u[2];
    r[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2] + h[0] * u[1] - h[1] * u[0];
    r[3] = J[9] * u[0] - h[1] * w[2] + h[2] * w[1];
    r[4] = J[9] * u[1] - h[2] * w[0] + h[0] * w[2];
    r[5] = J[9] * u[2] - h[0] * w[1] + h[1] * w[0];
}

#endif
