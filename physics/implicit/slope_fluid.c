/* slope_fluid.c: how the forces of the medium change with velocity: D += J' B J over the elements
 * of fluid.h, with B their own 6 x 6 slope, in their axes, and J their velocity per dof. */
#include "base/house.h"
#include "physics/fluid.h"
#include "physics/implicit/slope.h"
#include "physics/scratch.h"
#include "physics/stages.h"

/* (R' w ; R' (u + w x (P - c))) of a dof: the element's velocity per unit of the dof's */
static void column(const sal_model *m, const sal_data *d, const phy_fluid *f, int dof, double r[6])
{
    const double *s = d->cdof + 6 * dof;
    double arm[3], u[3];
    sal_v3_sub(arm, f->pos, d->subtree_com + 3 * m->body_rootid[f->body]);
    sal_v3_cross(u, s, arm);
    sal_v3_add(u, u, s + 3);
    sal_m3_multv(r, f->mat, s);
    sal_m3_multv(r + 3, f->mat, u);
}

static void symmetrise(double B[36])
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) {
            B[6 * i + k] = B[6 * k + i] = 0.5 * (B[6 * i + k] + B[6 * k + i]);
        }
    }
}

/* J and B J [n x 6] of a body that n dofs move */
typedef struct columns {
    double *J, *BJ;
} columns;

static bool take(const sal_model *m, sal_arena *arena, int body, columns *x)
{
    const size_t n = (size_t)m->body_chainnum[body];
    x->J = sal_arena_take(arena, 6 * n, sizeof *x->J);
    x->BJ = sal_arena_take(arena, 6 * n, sizeof *x->BJ);
    return x->BJ != NULL;
}

void phy_slope_fluid_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    for (int b = 0; b < m->nbody; b++) {
        columns x;
        take(m, arena, b, &x);
        arena->used = mark;
    }
}

/* D_ij += J_i' B J_j over the chain of the element's body: all its dofs are above each other */
static void add_element(const sal_model *m, sal_data *d, phy_slope D, const phy_fluid *f)
{
    const size_t mark = d->arena.used;
    const int n = m->body_chainnum[f->body], *chain = m->chain_dof + m->body_chainadr[f->body];
    columns x;
    if (!take(m, &d->arena, f->body, &x)) {
        return;
    }
    double *J = x.J, *BJ = x.BJ;
    for (int k = 0; k < n; k++) {
        column(m, d, f, chain[k], J + 6 * k);
        for (int i = 0; i < 6; i++) {
            BJ[6 * k + i] = sal_sp_dot(f->slope + 6 * i, J + 6 * k);
        }
    }
    for (int i = 0; i < n; i++) {
        const int adr = m->dof_Madr[chain[i]]; /* its row goes up the chain */
        for (int k = 0; k <= i; k++) {
            D.lower[adr + k] += sal_sp_dot(J + 6 * i, BJ + 6 * (i - k));
            D.upper[adr + k] += sal_sp_dot(J + 6 * (i - k), BJ + 6 * i);
        }
    }
    d->arena.used = mark;
}

void phy_slope_add_fluid(const sal_model *m, sal_data *d, phy_slope D, bool symmetric)
{
    phy_fluid f = {0};
    for (int b = 1; b < m->nbody; b++) {
        for (int next = 0; phy_fluid_next(m, d, b, &next, true, &f);) {
            if (symmetric && !phy_body_floats_alone(m, b)) {
                symmetrise(f.slope);
            }
            add_element(m, d, D, &f);
        }
    }
}
