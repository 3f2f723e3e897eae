/* abreast.c: several instants of one mechanism, their memory, and which width they take. */
#include "physics/abreast/abreast.h"

#include "base/house.h"
#include "physics/abreast/kernel.h"
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

struct phy_abreast {
    const phy_abreast_kernel *kernel;
    sal_data *d[PHY_ABREAST_MAX];
    void *block, *deriv; /* of the kernel, and of its derivatives */
    phy_abreast_end end; /* of the last phy_abreast_place */
};

static int chosen;

void phy_abreast_choose(int width)
{
    chosen = width;
}

static const phy_abreast_kernel *kernel_here(void)
{
    if (chosen == 4) {
        return &phy_abreast_kernel_here_4;
    }
    if (chosen == PHY_ABREAST_MAX) {
        return &phy_abreast_kernel_here_8;
    }
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) {
        return &phy_abreast_kernel_here_8_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return &phy_abreast_kernel_here_4_avx2;
    }
#endif
    return &phy_abreast_kernel_here_4;
}

sal_status phy_abreast_new(phy_abreast **out, const sal_model *m, sal_err *err)
{
    phy_abreast *w = sal_alloc(1, sizeof *w);
    sal_status status = SAL_OK;
    *out = NULL;
    if (w == NULL) {
        goto nomem;
    }
    w->kernel = kernel_here();
    w->block = sal_alloc(w->kernel->size(m), 1);
    w->deriv = sal_alloc(w->kernel->deriv->size(m), 1);
    if (w->block == NULL || w->deriv == NULL) {
        goto nomem;
    }
    w->kernel->begin(m, w->block);
    w->kernel->deriv->begin(m, w->deriv);
    for (int i = 0; i < w->kernel->width && status == SAL_OK; i++) {
        status = sal_data_new(&w->d[i], m, err);
    }
    if (status != SAL_OK) {
        goto failed;
    }
    *out = w;
    return SAL_OK;
nomem:
    status = sal_fail(err, SAL_NOMEM, "out of memory for instants of a model of %d dofs", m->nv);
failed:
    phy_abreast_free(w);
    return status;
}

void phy_abreast_free(phy_abreast *w)
{
    if (w != NULL) {
        for (int i = 0; i < w->kernel->width; i++) {
            sal_data_free(w->d[i]);
        }
        sal_free(w->block);
        sal_free(w->deriv);
        sal_free(w);
    }
}

int phy_abreast_width(const phy_abreast *w)
{
    return w->kernel->width;
}

sal_data *phy_abreast_data(const phy_abreast *w, int i)
{
    return w->d[i];
}

/* a = a' + 0, which is what sal_inverse_discrete makes of a zero below zero. */
static void settle(double *a, int n)
{
    for (int k = 0; k < n; k++) {
        a[k] += 0;
    }
}

/* With tendons that have an armature, and with the other integrators, each instant finds its a by
 * itself. */
static phy_abreast_end end_of_step(const sal_model *m)
{
    bool of_bodies = m->opt.integrator == SAL_INT_EULER;
    for (int t = 0; t < m->ntendon; t++) {
        of_bodies = of_bodies && !(m->tendon_armature[t] > 0);
    }
    return phy_nothing_is_implicit(m) ? PHY_ABREAST_INERTIAL
           : of_bodies                ? PHY_ABREAST_DAMPED
                                      : PHY_ABREAST_BIAS;
}

void phy_abreast_place(phy_abreast *w, const sal_model *m, int n, bool discrete)
{
    const sal_data *last = w->d[n - 1];
    for (int i = n; i < w->kernel->width; i++) { /* lanes without an instant repeat the last */
        memcpy(w->d[i]->qpos, last->qpos, (size_t)m->nq * sizeof(double));
        memcpy(w->d[i]->qvel, last->qvel, (size_t)m->nv * sizeof(double));
        memcpy(w->d[i]->qacc, last->qacc, (size_t)m->nv * sizeof(double));
    }
    w->end = discrete ? end_of_step(m) : PHY_ABREAST_INERTIAL;
    for (int i = 0; discrete && w->end == PHY_ABREAST_INERTIAL && i < w->kernel->width; i++) {
        settle(w->d[i]->qacc, m->nv);
    }
    w->kernel->place(m, w->block, w->d, w->end);
    if (phy_law_of(m)->needs & (PHY_LAW_NEEDS_NEXT_GAP | PHY_LAW_NEEDS_MATRIX)) { /* poses, M */
        phy_abreast_bring(w, m);
    }
}

void phy_abreast_bring(phy_abreast *w, const sal_model *m)
{
    w->kernel->bring(m, w->block, w->d);
}

sal_status phy_abreast_inverse(const phy_abreast *w, const sal_model *m, int i, sal_err *err)
{
    sal_data *d = w->d[i];
    phy_placed placed = w->kernel->placed(w->block, i);
    const sal_status status = phy_position_of_placed(m, d, &placed, err);
    if (status != SAL_OK) {
        return status;
    }
    phy_velocity_of_placed(m, d, &placed);
    if (w->end == PHY_ABREAST_BIAS) {
        return sal_inverse_discrete(m, d, d->qacc, err);
    }
    phy_inverse_acceleration_of_placed(m, d, &placed);
    return phy_scratch_status(d, err);
}

/* ---- derivatives ---- */

static sal_status refuse(const phy_abreast *w, const sal_model *m, int n, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < n && status == SAL_OK; i++) {
        status = phy_inverse_deriv_refusal(m, w->d[i], err);
    }
    return status;
}

static bool moves(const sal_model *m, int geom)
{
    return m->body_chainnum[m->geom_bodyid[geom]] > 0;
}

/* Something of the instant is multiplied with columns of single dofs. */
static bool asks_for_columns(const sal_model *m, const sal_data *d)
{
    bool asks = m->neq > 0 || phy_tendons_touch_bodies(m);
    for (int i = 0; i < d->ncon && !asks; i++) {
        asks = moves(m, d->contact[i].geom1) && moves(m, d->contact[i].geom2);
    }
    return asks;
}

static bool some_ask_for_columns(const phy_abreast *w, const sal_model *m, int n)
{
    int i = 0;
    while (i < n && !asks_for_columns(m, w->d[i])) {
        i++;
    }
    return i < n;
}

/* What is not smooth, of instant i */
static void finish(const phy_abreast *w, const sal_model *m, double *const D[3], int i)
{
    const phy_deriv_kernel *deriv = w->kernel->deriv;
    phy_deriv *one = deriv->instant(w->deriv, i);
    if (asks_for_columns(m, w->d[i])) {
        deriv->bring(m, w->deriv, w->block, i);
    }
    one->Dq = D[0], one->Dv = D[1], one->Da = D[2];
    phy_inverse_deriv_further(m, w->d[i], one);
}

static sal_status derive_abreast(phy_abreast *w, const sal_model *m, const phy_abreast_jacobian *J,
                                 int n, sal_err *err)
{
    const phy_deriv_kernel *deriv = w->kernel->deriv;
    sal_status status = SAL_OK;
    deriv->columns(m, w->deriv, w->block, w->d, n);
    const bool loaded = deriv->contacts(m, w->deriv, w->block, w->d, n);
    if (!loaded || some_ask_for_columns(w, m, n)) {
        phy_abreast_bring(w, m);
        deriv->motions(m, w->deriv);
    }
    for (int i = 0; i < n && !loaded; i++) {
        phy_deriv *one = deriv->instant(w->deriv, i);
        memset(one->subtree, 0, (size_t)m->nbody * sizeof *one->subtree);
        phy_contact_load(m, w->d[i], one);
    }
    deriv->products(m, w->deriv, w->block, J, n);
    for (int i = 0; i < n && status == SAL_OK; i++) {
        finish(w, m, J[i].D, i);
        status = phy_scratch_status(w->d[i], err);
    }
    return status;
}

/* Where bodies have loads of their own */
static sal_status derive_apart(phy_abreast *w, const sal_model *m, const phy_abreast_jacobian *J,
                               int n, sal_err *err)
{
    sal_status status = SAL_OK;
    phy_abreast_bring(w, m);
    for (int i = 0; i < n && status == SAL_OK; i++) {
        status = sal_inverse_deriv(m, w->d[i], J[i].D[0], J[i].D[1], J[i].D[2], err);
    }
    return status;
}

/* From a to a', where the step makes them differ */
static sal_status lag(phy_abreast *w, const sal_model *m, const phy_abreast_jacobian *J, int n,
                      sal_err *err)
{
    sal_status status = SAL_OK;
    if (!phy_nothing_is_implicit(m)) {
        phy_abreast_bring(w, m);
        for (int i = 0; i < n && status == SAL_OK; i++) {
            status = phy_inverse_lag_deriv(m, w->d[i], J[i].D, J[i].qacc_discrete, err);
        }
    }
    return status;
}

sal_status phy_abreast_deriv(phy_abreast *w, const sal_model *m, const phy_abreast_jacobian *J,
                             int n, bool discrete, sal_err *err)
{
    sal_status status = refuse(w, m, n, err);
    if (status == SAL_OK) {
        status = phy_elements_may_load(m) ? derive_apart(w, m, J, n, err)
                                          : derive_abreast(w, m, J, n, err);
    }
    return status == SAL_OK && discrete ? lag(w, m, J, n, err) : status;
}
