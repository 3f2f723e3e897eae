/* step_floating.c: bodies that float alone and that no row of a constraint touches, in a step of
 * integrator="discrete": their gyroscopic forces are those at its end as well, to first order,
 *
 *     (M + S + h dc/dv) a' + c + s = tau + passive
 *
 * which is no metric: it is not symmetric, so the others do without. (From what MuJoCo 3.14.0
 * computes.)
 */
#include "physics/implicit/slope.h"
#include "physics/implicit/step_metric.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

/* What it takes: M + S + h dc/dv of such bodies */
typedef struct floating {
    phy_slope A;
    double *x;             /* [nv] */
    unsigned char *floats; /* [nv] whether the dof is of such a body */
} floating;

static bool take(const sal_model *m, sal_arena *arena, floating *f)
{
    f->A.lower = sal_arena_take(arena, (size_t)m->nM, sizeof *f->A.lower);
    f->A.upper = sal_arena_take(arena, (size_t)m->nM, sizeof *f->A.upper);
    f->x = sal_arena_take(arena, (size_t)m->nv, sizeof *f->x);
    f->floats = sal_arena_take(arena, (size_t)m->nv, sizeof *f->floats);
    return f->floats != NULL;
}

void phy_step_floating_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    floating f;
    take(m, arena, &f);
    phy_slope_bias_scratch(m, arena);
    arena->used = mark;
}

/* The whole body of a dof is held. */
static void hold(const sal_model *m, unsigned char *floats, int dof)
{
    if (floats[dof]) {
        memset(floats + m->body_dofadr[m->body_rootid[m->dof_bodyid[dof]]], 0, 6);
    }
}

bool phy_step_floats(const sal_model *m, const sal_data *d, unsigned char *floats)
{
    phy_step_element e;
    bool any = false;
    for (int i = 0; i < m->nv; i++) {
        floats[i] = phy_body_floats_alone(m, m->dof_bodyid[i]);
    }
    for (int row = 0; row < d->nefc; row++) {
        for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
            hold(m, floats, d->efc_J_colind[d->efc_J_rowadr[row] + k]);
        }
    }
    for (int i = 0; phy_step_element_at(m, d, i, &e); i++) {
        for (int k = 0; e.w != 0 && k < e.n; k++) {
            hold(m, floats, e.dof[k]);
        }
    }
    for (int i = 0; i < m->nv; i++) {
        any = any || floats[i];
    }
    return any;
}

/* A = - h dc/dv, negated: h dc/dv of all that float alone */
static void turn(const sal_model *m, sal_data *d, phy_slope A)
{
    memset(A.lower, 0, (size_t)m->nM * sizeof *A.lower);
    memset(A.upper, 0, (size_t)m->nM * sizeof *A.upper);
    phy_slope_add_bias(m, d, A, true);
    for (int k = 0; k < m->nM; k++) {
        A.lower[k] *= -m->opt.timestep;
        A.upper[k] *= -m->opt.timestep;
    }
}

void phy_step_floating_solve(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    floating f;
    if (take(m, &d->arena, &f) && phy_step_floats(m, d, f.floats)) {
        turn(m, d, f.A);
        for (int k = 0; k < m->nM; k++) {
            f.A.lower[k] += d->qM[k];
            f.A.upper[k] += d->qM[k];
        }
        for (int i = 0; i < m->nv; i++) {
            f.A.lower[m->dof_Madr[i]] += d->step_joint[i];
        }
        memcpy(f.x, d->qfrc_smooth, (size_t)m->nv * sizeof *f.x);
        phy_slope_solve(m, f.A, f.x);
        for (int i = 0; i < m->nv; i++) {
            d->qacc[i] = f.floats[i] ? f.x[i] : d->qacc[i];
        }
    }
    d->arena.used = mark;
}

void phy_step_floating_add(const sal_model *m, sal_data *d, double *r, const double *a)
{
    const size_t mark = d->arena.used;
    floating f;
    if (take(m, &d->arena, &f) && phy_step_floats(m, d, f.floats)) {
        turn(m, d, f.A);
        phy_slope_mul(m, f.A, f.x, a);
        for (int i = 0; i < m->nv; i++) {
            r[i] += f.floats[i] ? f.x[i] : 0;
        }
    }
    d->arena.used = mark;
}
