/* hard_fall.h: a limp mechanism under the hard contact model. What touches the ground are points:
 * the centres of spheres, the ends of capsules, the corners of boxes. Geoms of other shapes do not
 * touch it. */
#ifndef SAL_TESTS_HARD_FALL_H
#define SAL_TESTS_HARD_FALL_H

#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/laws/hard_forward.h"

enum { FALL_DOFS = 48, FALL_POINTS = 80, FALL_BLOCKS = 160 };

static _Alignas(64) char fall_scratch[16 << 20];

typedef struct fall_option {
    double timestep, kappa, mu;
    bool with_limits;
    /* only geoms whose name has this in it; NULL: all */
    const char *only;
} fall_option;

typedef struct fall {
    sal_model *m;
    sal_data *d, *next; /* now, and at the gaps that the solver asks for */
    double timestep, floor, mu[2];
    int npoint, geom[FALL_POINTS];
    double offset[FALL_POINTS][3], radius[FALL_POINTS]; /* in the geom's frame */
    /* of a limit: its joint, and 1 (lower) or -1 */
    int nlimit, joint[FALL_BLOCKS];
    double sign[FALL_BLOCKS];
    phy_hard_problem p;
    phy_hard_block block[FALL_BLOCKS];
    phy_hard_point point[FALL_BLOCKS];
    phy_hard_result result;
    double J[3 * FALL_BLOCKS * FALL_DOFS], M[FALL_DOFS * FALL_DOFS], rhs[FALL_DOFS];
    double v[FALL_DOFS], f[3 * FALL_BLOCKS];
} fall;

/* The height of a point above the floor; its Jacobian [3 x nv] */
static inline double fall_height(double *jac, const fall *x, const sal_data *d, int i)
{
    const int g = x->geom[i];
    double at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = d->geom_xpos[3 * g + k];
        for (int j = 0; j < 3; j++) {
            at[k] += d->geom_xmat[9 * g + 3 * k + j] * x->offset[i][j];
        }
    }
    if (jac != NULL) {
        sal_jac(x->m, d, jac, NULL, at, x->m->geom_bodyid[g]);
    }
    return at[2] - x->radius[i] - x->floor;
}

static inline double fall_limit(const fall *x, const double *q, int i)
{
    const int j = x->joint[i];
    const double at = q[x->m->jnt_qposadr[j]];
    return x->sign[i] > 0 ? at - x->m->jnt_range[2 * j] : x->m->jnt_range[2 * j + 1] - at;
}

/* row := J' row with the right Jacobian of exp([a]x), 1 - c [a] + e [a]^2: turns are about axes of
 * the body as it is after the step */
static inline void fall_turned(double *row, const double *a)
{
    const double t2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], t = sqrt(t2);
    const double c = t > 1e-3 ? (1 - cos(t)) / t2 : 0.5 - t2 / 24;
    const double e = t > 1e-2 ? (t - sin(t)) / (t2 * t) : (1 - t2 / 20) / 6;
    const double once[3] = {a[1] * row[2] - a[2] * row[1], a[2] * row[0] - a[0] * row[2],
                            a[0] * row[1] - a[1] * row[0]};
    const double along = a[0] * row[0] + a[1] * row[1] + a[2] * row[2];
    for (int k = 0; k < 3; k++) {
        row[k] += c * once[k] + e * (a[k] * along - t2 * row[k]);
    }
}

/* G of a point from its Jacobian, and through the turns of free joints */
static inline void fall_slopes(double *G, const fall *x, const double *jac, const double *v)
{
    const sal_model *m = x->m;
    for (int k = 0; k < m->nv; k++) {
        G[k] = x->timestep * jac[2 * m->nv + k];
    }
    for (int j = 0; j < m->njnt; j++) {
        const int dof = m->jnt_dofadr[j] + 3;
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            const double turn[3] = {x->timestep * v[dof], x->timestep * v[dof + 1],
                                    x->timestep * v[dof + 2]};
            fall_turned(G + dof, turn);
        }
    }
}

static inline bool fall_gaps(double *s, double *G, const double *v, void *user)
{
    const fall *x = user;
    const int nv = x->m->nv;
    double jac[3 * FALL_DOFS];
    sal_integrate_pos(x->m, x->next->qpos, x->d->qpos, v, x->timestep);
    sal_kinematics(x->m, x->next);
    if (G != NULL) {
        sal_com(x->m, x->next);
        memset(G, 0, sizeof *G * (size_t)(x->p.nblock * nv));
    }
    for (int i = 0; i < x->npoint; i++) {
        s[i] = fall_height(G == NULL ? NULL : jac, x, x->next, i);
        if (G != NULL) {
            fall_slopes(G + i * nv, x, jac, v);
        }
    }
    for (int i = 0; i < x->nlimit; i++) {
        const int b = x->npoint + i;
        s[b] = fall_limit(x, x->next->qpos, i);
        if (G != NULL) {
            G[b * nv + x->m->jnt_dofadr[x->joint[i]]] = x->timestep * x->sign[i];
        }
    }
    return true;
}

static inline void fall_block(fall *x, int dim, const double *mu)
{
    const int b = x->p.nblock++;
    x->block[b] = (phy_hard_block){PHY_HARD_CONTACT, x->p.nrow, dim, mu, 0, 0};
    x->p.nrow += dim;
}

/* The points of a geom */
static inline void fall_geom(fall *x, int g)
{
    const double *size = x->m->geom_size + 3 * g;
    const int type = x->m->geom_type[g];
    const int n = type == SAL_GEOM_SPHERE    ? 1
                  : type == SAL_GEOM_CAPSULE ? 2
                  : type == SAL_GEOM_BOX     ? 8
                                             : 0;
    for (int i = 0; i < n && x->npoint < FALL_POINTS; i++) {
        double *offset = x->offset[x->npoint];
        offset[2] = type == SAL_GEOM_CAPSULE ? (2 * i - 1) * size[1] : 0;
        for (int k = 0; k < 3 && type == SAL_GEOM_BOX; k++) {
            offset[k] = (i >> k & 1) != 0 ? size[k] : -size[k];
        }
        x->radius[x->npoint] = type == SAL_GEOM_BOX ? 0 : size[0];
        x->geom[x->npoint++] = g;
        fall_block(x, 3, x->mu);
    }
}

/* Takes the model, which fall_free frees. */
static inline void fall_new(fall *x, sal_model *m, const fall_option *o)
{
    sal_err err = {0};
    *x = (fall){.m = m, .timestep = o->timestep, .mu = {o->mu, o->mu}};
    CHECK_OK(sal_data_new(&x->d, m, &err), err);
    CHECK_OK(sal_data_new(&x->next, m, &err), err);
    x->p = (phy_hard_problem){.nv = m->nv,
                              .block = x->block,
                              .M = x->M,
                              .rhs = x->rhs,
                              .J = x->J,
                              .relax = {o->kappa, o->kappa, 0},
                              .gaps = fall_gaps,
                              .user = x};
    for (int g = 0; g < m->ngeom; g++) {
        const char *name = sal_model_name(m, SAL_OBJ_GEOM, g);
        if (m->geom_bodyid[g] > 0 && (o->only == NULL || strstr(name, o->only) != NULL)) {
            fall_geom(x, g);
        }
    }
    for (int j = 0; j < m->njnt && o->with_limits; j++) {
        for (int end = 0; end < 2 && m->jnt_limited[j]; end++) {
            x->joint[x->nlimit] = j;
            x->sign[x->nlimit++] = end == 0 ? 1 : -1;
            fall_block(x, 1, NULL);
        }
    }
}

static inline void fall_free(fall *x)
{
    sal_data_free(x->d);
    sal_data_free(x->next);
    sal_model_free(x->m);
}

/* M + h D + h^2 K, and M v + h (passive - bias) + h D v: joint damping and springs at the end of
 * the step */
static inline void fall_fill(fall *x)
{
    const sal_model *m = x->m;
    const double h = x->timestep;
    double jac[3 * FALL_DOFS];
    sal_err err = {0};
    CHECK_OK(sal_position(m, x->d, &err), err);
    sal_velocity(m, x->d);
    sal_crb(m, x->d);
    sal_full_m(m, x->d, x->M);
    sal_mul_m(m, x->d, x->rhs, x->d->qvel);
    for (int i = 0; i < m->nv; i++) {
        x->rhs[i] +=
            h * (x->d->qfrc_passive[i] - x->d->qfrc_bias[i] + m->dof_damping[i] * x->d->qvel[i]);
        x->M[i * m->nv + i] += h * m->dof_damping[i];
    }
    for (int j = 0; j < m->njnt; j++) {
        const bool has_spring = m->jnt_type[j] == SAL_JNT_HINGE || m->jnt_type[j] == SAL_JNT_SLIDE;
        x->M[m->jnt_dofadr[j] * (m->nv + 1)] += has_spring ? h * h * m->jnt_stiffness[j] : 0;
    }
    memset(x->J, 0, sizeof x->J);
    for (int i = 0; i < x->npoint; i++) {
        fall_height(jac, x, x->d, i);
        for (int k = 0; k < 3 * m->nv; k++) { /* z, x, y */
            x->J[(3 * i + (k / m->nv + 1) % 3) * m->nv + k % m->nv] = jac[k];
        }
    }
    for (int i = 0; i < x->nlimit; i++) {
        x->J[(3 * x->npoint + i) * m->nv + m->jnt_dofadr[x->joint[i]]] = x->sign[i];
    }
}

/* The next velocity v; and the move to the end of the step. */
static inline void fall_solve(fall *x)
{
    sal_arena arena = {.base = fall_scratch, .size = sizeof fall_scratch};
    fall_fill(x);
    const sal_status status = phy_hard_forward(x->v, x->f, x->point, &x->result, &x->p,
                                               &(phy_hard_effort){0}, false, &arena);
    CHECK(status == SAL_OK);
}

static inline void fall_move(fall *x)
{
    memcpy(x->d->qvel, x->v, sizeof(double) * (size_t)x->m->nv);
    sal_integrate_pos(x->m, x->d->qpos, x->d->qpos, x->d->qvel, x->timestep);
}

/* The lowest point, and how near the nearest limit is */
static inline double fall_lowest(const fall *x, double *limit)
{
    double low = (double)INFINITY;
    sal_kinematics(x->m, x->d);
    for (int i = 0; i < x->npoint; i++) {
        low = fmin(low, fall_height(NULL, x, x->d, i));
    }
    *limit = (double)INFINITY;
    for (int i = 0; i < x->nlimit; i++) {
        *limit = fmin(*limit, fall_limit(x, x->d->qpos, i));
    }
    return low;
}

#endif
