/* member_residuals.c: the residuals of a recording and their derivatives (see fit.h), as sal_joint
 * asks for them.
 *
 * By configurations derivatives are those of invdyn; by a parameter they are exact where that is
 * known (exact_derivatives.c), else differences of
 * two models,  (r(u + e) - r(u)) / e.
 */
#include "identify/fit.h"

#include <math.h>
#include <string.h>

void idn_member_retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    const idn_fit *fit = ctx;
    const sal_model *m = fit->p->model;
    const sal_member *of = fit->member + member;
    for (int k = 0; k < of->nblock; k++) {
        sal_integrate_pos(m, out + (size_t)k * (size_t)m->nq, x + (size_t)k * (size_t)m->nq,
                          d + (size_t)k * (size_t)m->nv, 1);
    }
    const double *local = d + (size_t)of->nblock * (size_t)m->nv;
    for (int k = 0; k < of->nlocal; k++) {
        out[of->nx - of->nlocal + k] = x[of->nx - of->nlocal + k] + local[k];
    }
}

/* Those with parameter k moved */
static idn_signals moved(const idn_fit *fit, const idn_worker *w, int k)
{
    const size_t nc = 3 * (size_t)fit->data->nchannel;
    return (idn_signals){w->yk + (size_t)k * w->most_y, NULL,
                         w->unit_k + (size_t)k * (size_t)fit->nv,
                         w->calibration + nc * (size_t)(k + 1)};
}

/* ---- dynamics ---- */

/* Residual of dofs first .. first+n-1 at a step */
static void unexplained(const idn_fit *fit, const double *y, const double *unit, int first, int n,
                        double *r)
{
    const double sigma = fit->stage->sigma;
    for (int i = 0; i < n; i++) {
        const int dof = first + i;
        if (fit->stage->kinematic) {
            r[i] = y[fit->out_acceleration + dof] / sigma;
        } else {
            const double known = fit->out_actuation < 0 ? 0 : y[fit->out_actuation + dof];
            r[i] = (y[fit->out_force + dof] - known) / (sigma * unit[dof]);
        }
    }
}

static void unexplained_deriv(const idn_fit *fit, const double *Y, const double *unit, int first,
                              int n, double *J)
{
    const size_t nc = (size_t)fit->ncolumn;
    const int width = 3 * fit->nv;
    for (int i = 0; i < n; i++) {
        const int dof = first + i;
        const double sigma = fit->stage->sigma * (fit->stage->kinematic ? 1 : unit[dof]);
        const double *f =
            Y +
            (size_t)((fit->stage->kinematic ? fit->out_acceleration : fit->out_force) + dof) * nc;
        for (int j = 0; j < width; j++) {
            J[i * width + j] = f[j] / sigma;
        }
        if (!fit->stage->kinematic && fit->out_actuation >= 0) {
            const double *a = Y + (size_t)(fit->out_actuation + dof) * nc;
            for (int j = 0; j < width; j++) {
                J[i * width + j] -= a[j] / sigma;
            }
        }
    }
}

/* ---- value ---- */

/* A recording's own parameters keep to their priors. */
static double prior(const idn_fit *fit, const double *local, int k)
{
    return sqrt(fit->local_weight[k]) * (local[k] - fit->local_mean[k]);
}

/* Configurations that are given have no neighbours at their ends, and so say nothing of forces
 * there: steps that are passed over. */
static int given_end(const idn_fit *fit)
{
    return fit->settings->fixed ? fit->substeps : 0;
}

static double value_of_dynamics(const idn_fit *fit, idn_worker *w, int nstep)
{
    const sal_norm quadratic = {.kind = SAL_NORM_QUADRATIC};
    const int end = given_end(fit);
    double sum = 0;
    for (int t = end; t < nstep - end; t++) {
        for (int s = 0; s < fit->nsegment; s++) {
            const int first = fit->segment[s], n = fit->segment[s + 1] - first;
            unexplained(fit, w->y + (size_t)t * (size_t)fit->ny, w->unit, first, n, w->r);
            sum += sal_norm_value(fit->stage->kinematic ? &quadratic : &fit->stage->norm, w->r, n);
        }
    }
    return sum;
}

sal_status idn_member_value(void *ctx, int worker, int member, const double *x, const double *p,
                            double *cost, sal_err *err)
{
    const idn_fit *fit = ctx;
    idn_worker *w = fit->worker + worker;
    const idn_member *of = fit->of + member;
    const idn_point at = idn_member_at(fit, member, x, p);
    const idn_signals own = idn_worker_signals(w, false);
    const sal_status status = idn_member_outputs(fit, w, w->m, &at, &own, err);
    if (status != SAL_OK) {
        return status;
    }
    double sum = value_of_dynamics(fit, w, of->nstep);
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < fit->data->nchannel; c++) {
            idn_slopes none = {.J = NULL};
            const int n = idn_channel_residual(fit, &at, &own, c, k, w->r, &none);
            sum += n > 0 ? sal_norm_value(&fit->data->channel[c].norm, w->r, n) : 0;
        }
    }
    for (int k = 0; k < fit->ps->nlocal; k++) {
        const double r = prior(fit, at.local, k);
        sum += 0.5 * r * r;
    }
    *cost = sum;
    return SAL_OK;
}

/* ---- linearisation ---- */

/* Outputs and calibration with parameter k moved by its step. */
static sal_status move_parameter(const idn_fit *fit, idn_worker *w, const idn_point *at, int k,
                                 sal_err *err)
{
    const int nl = fit->ps->nlocal, ns = fit->ps->nshared;
    const idn_signals out = moved(fit, w, k);
    memcpy(w->u, at->local, (size_t)nl * sizeof(double));
    memcpy(w->u + nl, at->shared, (size_t)ns * sizeof(double));
    w->u[k] += fit->step_u[k];
    const idn_point there = {at->member, at->q, w->u + nl, w->u};
    return idn_member_outputs(fit, w, w->mk, &there, &out, err);
}

/* G of a residual from that with each parameter moved, in r[1 + k] */
static void border(const idn_fit *fit, const idn_worker *w, int n, int stride, double *G)
{
    for (int k = 0; k < fit->nborder; k++) {
        const double *rk = w->r + (size_t)(k + 1) * (size_t)stride;
        for (int i = 0; i < n; i++) {
            G[i * fit->nborder + k] = fit->varies[k] ? (rk[i] - w->r[i]) / fit->step_u[k] : 0;
        }
    }
}

static void add_dynamics(const idn_fit *fit, const idn_worker *w, int t, int s, sal_normal *a)
{
    const sal_norm quadratic = {.kind = SAL_NORM_QUADRATIC};
    const int first = fit->segment[s], n = fit->segment[s + 1] - first;
    const size_t at = (size_t)t * (size_t)fit->ny;
    unexplained(fit, w->y + at, w->unit, first, n, w->r);
    unexplained_deriv(fit, w->Y + at * (size_t)fit->ncolumn, w->unit, first, n, w->J);
    for (int k = 0; k < fit->nborder; k++) {
        if (fit->varies[k]) {
            unexplained(fit, w->yk + (size_t)k * w->most_y + at,
                        w->unit_k + (size_t)k * (size_t)fit->nv, first, n,
                        w->r + (size_t)(k + 1) * (size_t)n);
        }
    }
    border(fit, w, n, n, w->G);
    sal_normal_add(a, fit->stage->kinematic ? &quadratic : &fit->stage->norm, 1, n, w->r,
                   &(sal_slopes){w->J, t, 3, w->G});
}

static void add_measurement(const idn_fit *fit, const idn_worker *w, const idn_point *at, int c,
                            int sample, sal_normal *a)
{
    const idn_signals own = idn_worker_signals(w, true);
    idn_slopes slopes = {.J = w->J}, none = {.J = NULL};
    const int n = idn_channel_residual(fit, at, &own, c, sample, w->r, &slopes);
    if (n == 0) {
        return;
    }
    for (int k = 0; k < fit->nborder; k++) {
        if (fit->varies[k]) {
            const idn_signals other = moved(fit, w, k);
            idn_channel_residual(fit, at, &other, c, sample, w->r + (size_t)(k + 1) * (size_t)n,
                                 &none);
        }
    }
    border(fit, w, n, n, w->G);
    sal_normal_add(a, &fit->data->channel[c].norm, 1, n, w->r,
                   &(sal_slopes){w->J, slopes.first, slopes.width, w->G});
}

static void add_priors(const idn_fit *fit, const idn_worker *w, const double *local, sal_normal *a)
{
    const sal_norm quadratic = {.kind = SAL_NORM_QUADRATIC};
    for (int k = 0; k < fit->ps->nlocal; k++) {
        if (fit->local_weight[k] > 0) {
            const double r = prior(fit, local, k);
            memset(w->G, 0, (size_t)fit->nborder * sizeof(double));
            w->G[k] = sqrt(fit->local_weight[k]);
            sal_normal_add(a, &quadratic, 1, 1, &r, &(sal_slopes){.G = w->G});
        }
    }
}

sal_status idn_member_linearise(void *ctx, int worker, int member, const double *x, const double *p,
                                sal_normal *a, sal_err *err)
{
    const idn_fit *fit = ctx;
    idn_worker *w = fit->worker + worker;
    const idn_member *of = fit->of + member;
    const idn_point at = idn_member_at(fit, member, x, p);
    const idn_signals own = idn_worker_signals(w, true);
    sal_status status = idn_member_outputs(fit, w, w->m, &at, &own, err);
    status = status == SAL_OK ? idn_exact_outputs(fit, w, &at, err) : status;
    for (int k = 0; k < fit->nborder && status == SAL_OK; k++) {
        const bool moves = fit->varies[k] && !w->twin.exact[k];
        status = moves ? move_parameter(fit, w, &at, k, err) : SAL_OK;
    }
    if (status != SAL_OK) {
        return status;
    }
    const int end = given_end(fit);
    for (int t = end; t < of->nstep - end; t++) {
        for (int s = 0; s < fit->nsegment; s++) {
            add_dynamics(fit, w, t, s, a);
        }
    }
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < fit->data->nchannel; c++) {
            add_measurement(fit, w, &at, c, k, a);
        }
    }
    add_priors(fit, w, at.local, a);
    return SAL_OK;
}
