/* inverse_deriv.c: exact derivatives of the inverse dynamics,  tau = M a + c - passive - J'f.
 *
 * A contact with something that cannot move acts on its body like an added inertia, damping and stiffness: these 6 x 6 matrices are summed
 * up the tree together with the inertias, so nothing is ever multiplied by a Jacobian of contacts. Whatever couples single dofs (limits,
 * springs, tendons, contacts of two moving bodies) is added afterwards.
 */
#include "physics/contact_law.h"
#include "physics/deriv_pieces.h"
#include "physics/stages.h"

#include <string.h>

static int stride_of(const sal_model *m)
{
    const int n =
        (m->nv + 7) / 8 *
        8; /* whole vectors; no power of two, whose columns would share lines of the cache */
    return (n & (n - 1)) == 0 ? n + 8 : n;
}

enum {
    COLUMNS = 9,      /* s psi gam alp chi, V V+ G A before */
    SCRATCH_ROWS = 6, /* of sal_smooth_assemble */
    PATH = 80         /* numbers of sal_contact_pairs per dof, both chains */
};

size_t sal_deriv_scratch(const sal_model *m)
{
    const size_t stride = (size_t)stride_of(m), nbody = (size_t)m->nbody, nv = (size_t)m->nv;
    return (6 * COLUMNS + SCRATCH_ROWS + PATH) * stride + nv +
           nbody * (2 * 6 + (sizeof(sal_composite) + sizeof(sal_load)) / sizeof(double) + 1) + 64;
}

static sal_status take(sal_deriv *w, const sal_model *m, sal_data *d, sal_err *err)
{
    const size_t stride = (size_t)stride_of(m), nbody = (size_t)m->nbody;
    sal_arena *arena = &d->arena;
    double *columns = sal_arena_take(arena, 6 * COLUMNS * stride);
    w->stride = stride_of(m);
    w->first = (int *)(void *)sal_arena_take(arena, (size_t)m->nv);
    w->G = sal_arena_take(arena, 6 * nbody);
    w->A = sal_arena_take(arena, 6 * nbody);
    w->composite = (sal_composite *)(void *)sal_arena_take(arena, nbody * sizeof(sal_composite) /
                                                                      sizeof(double));
    w->load = (sal_load *)(void *)sal_arena_take(arena, nbody * sizeof(sal_load) / sizeof(double));
    w->loaded = (unsigned char *)(void *)sal_arena_take(arena, nbody / sizeof(double) + 1);
    if (columns == NULL || w->first == NULL || w->G == NULL || w->A == NULL ||
        w->composite == NULL || w->load == NULL || w->loaded == NULL) {
        return sal_fail(err, SAL_INTERNAL, "the scratch of the data is too small");
    }
    w->s = columns;
    w->psi = columns + 6 * stride;
    w->gam = columns + 12 * stride;
    w->alp = columns + 18 * stride;
    w->chi = columns + 24 * stride;
    w->before.V = columns + 30 * stride;
    w->before.Vplus = columns + 36 * stride;
    w->before.G = columns + 42 * stride;
    w->before.A = columns + 48 * stride;
    memset(columns, 0, 6 * COLUMNS * stride * sizeof *columns);
    memset(w->loaded, 0, nbody);
    return SAL_OK;
}

static sal_status refuse(const sal_model *m, const sal_data *d, sal_err *err)
{
    if (d->callback.passive != NULL) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "a passive force of the user's own has no exact derivative");
    }
    if (m->opt.enable & SAL_ENBL_DIAGEXACT && d->nefc > 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "constraint rows scaled by their own J M^-1 J' (flag diagexact) have no "
                        "exact derivative");
    }
    return SAL_OK;
}

sal_status sal_inverse_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv, double *Da,
                             sal_err *err)
{
    const size_t mark = d->arena.used, bytes = (size_t)m->nv * (size_t)m->nv * sizeof(double);
    sal_deriv w = {.Dq = Dq, .Dv = Dv, .Da = Da};
    sal_status status = refuse(m, d, err);
    if (status == SAL_OK) {
        status = take(&w, m, d, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    memset(Dq, 0, bytes);
    memset(Dv, 0, bytes);
    memset(Da, 0, bytes);

    /* psi, gam, alp, chi of each dof; inertia and force of each body */
    sal_smooth_columns(m, d, &w);
    /* dW = Th s - La gam - LB psi of what touches the fixed world */
    sal_contact_load(m, d, &w);
    sal_elements_load(m, d, &w);
    /* tau_i = s_i'(F - W), summed over subtrees */
    sal_smooth_assemble(m, d, &w);
    /* -J'f of contacts between two moving bodies */
    sal_contact_pairs(m, d, &w);
    /* limits, friction loss, springs, dampers; what spatial tendons, connects and welds hold together */
    sal_rows_deriv(m, d, &w);
    sal_passive_deriv(m, d, &w);
    sal_elements_deriv(m, d, &w);
    d->arena.used = mark;
    return SAL_OK;
}
