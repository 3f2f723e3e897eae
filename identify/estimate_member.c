/* estimate_member.c: the residuals of a recording and their derivatives (see estimator.h), as sal_joint asks for them.
 *
 * By configurations derivatives are those of invdyn; by a parameter they are exact where that is known (estimate_twin.c), else differences of
 * two models,  (r(u + e) - r(u)) / e.
 */
#include "identify/estimator.h"
#include "identify/rollout.h"

#include <math.h>
#include <string.h>

void idn_estimator_retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    const idn_estimator *est = ctx;
    const sal_model *m = est->p->model;
    const sal_member *of = est->member + member;
    for (int k = 0; k < of->nblock; k++) {
        sal_integrate_pos(m, out + (size_t)k * (size_t)m->nq, x + (size_t)k * (size_t)m->nq,
                          d + (size_t)k * (size_t)m->nv, 1);
    }
    const double *local = d + (size_t)of->nblock * (size_t)m->nv;
    for (int k = 0; k < of->nlocal; k++) {
        out[of->nx - of->nlocal + k] = x[of->nx - of->nlocal + k] + local[k];
    }
}

const double *idn_estimator_motion(const idn_estimator *est, int member, const double *x)
{
    return est->of[member].q != NULL ? est->of[member].q : x;
}

/* ---- the model at parameters -------------------------------------------------------------------------------------------------------- */

sal_status idn_estimator_model(const idn_estimator *est, idn_estimator_worker *w, sal_model *m,
                               int member, const double *shared, const double *local, sal_err *err)
{
    const prb_recording *rec = est->data->recording + est->of[member].recording;
    const sal_status status = idn_parameters_apply(est->ps, w->work, m, shared, local, err);
    m->opt.timestep = rec->dt / est->substeps;
    return status;
}

void idn_estimator_units(const idn_estimator *est, const sal_model *m, double *s)
{
    /* against forces that are known a mass can be told: a unit that grew with it would reward a mechanism which no force moves */
    m = est->knows_forces ? est->p->model : m;
    for (int i = 0; i < m->nv; i++) {
        const int root = m->body_rootid[m->dof_bodyid[i]];
        const double mass = prb_weight_of_tree(m, root) / prb_gravity_earth;
        s[i] = est->e->in_force ? 1 : sqrt(fmax(mass * m->dof_M0[i], 1e-30));
    }
}

/* Scale, offset and delay of the channels */
static void calibrate(const idn_estimator *est, const double *shared, const double *local,
                      double *calibration)
{
    const int nc = est->data->nchannel;
    idn_parameters_channels(est->ps, est->data, shared, local, calibration, calibration + nc,
                            calibration + 2 * nc);
}

/* The known controls at every step; none is zero. */
static void controls(const idn_estimator *est, idn_estimator_worker *w, int member,
                     const double *calibration)
{
    const sal_dataset *data = est->data;
    const idn_estimator_member *of = est->of + member;
    const prb_recording *rec = data->recording + of->recording;
    const size_t nu = (size_t)est->p->model->nu, nc = (size_t)data->nchannel;
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *channel = data->channel + c;
        if (channel->kind != PRB_CHANNEL_CTRL || channel->data != rec->data) {
            continue;
        }
        for (int t = 0; t <= of->nstep; t++) {
            const double control =
                idn_recorded_control(data, rec, c, (double)t / est->substeps, calibration[c],
                                     calibration[nc + (size_t)c], calibration[2 * nc + (size_t)c]);
            w->z[(size_t)t * nu + (size_t)channel->id] = isfinite(control) ? control : 0;
        }
    }
}

static sal_motion motion_of(const idn_estimator *est, const idn_estimator_worker *w, int member,
                            const double *q)
{
    return (sal_motion){est->of[member].nstep, q, est->out_actuation >= 0 ? w->z : NULL};
}

/* Outputs at a point, with contacts of the stage, less what measured forces do, and the units of the dynamics; out->calibration is known. */
static sal_status outputs(const idn_estimator *est, idn_estimator_worker *w, sal_model *m,
                          const idn_estimator_point *at, const idn_estimator_signals *out,
                          sal_err *err)
{
    controls(est, w, at->member, out->calibration);
    const sal_motion motion = motion_of(est, w, at->member, at->q);
    sal_status status = idn_estimator_model(est, w, m, at->member, at->shared, at->local, err);
    if (status != SAL_OK) {
        return status;
    }
    idn_estimator_units(est, m, out->unit);
    idn_estimator_soften(m, est->stage->softness, w->contact);
    status = out->Y == NULL ? sal_invdyn_eval(w->invdyn, m, out->y, &motion, err)
                            : sal_invdyn_diff(w->invdyn, m, NULL, out->y, out->Y, &motion, err);
    idn_estimator_harden(m, est->stage->softness, w->contact);
    if (status == SAL_OK) {
        idn_estimator_push(est, w, m, at, out);
    }
    return status;
}

idn_estimator_point idn_estimator_at(const idn_estimator *est, int member, const double *x,
                                     const double *shared)
{
    return (idn_estimator_point){member, idn_estimator_motion(est, member, x), shared,
                                 x + est->member[member].nx - est->ps->nlocal};
}

idn_estimator_signals idn_estimator_own(const idn_estimator_worker *w, bool slopes)
{
    return (idn_estimator_signals){w->y, slopes ? w->Y : NULL, w->unit, w->calibration};
}

/* Those with parameter k moved */
static idn_estimator_signals moved(const idn_estimator *est, const idn_estimator_worker *w, int k)
{
    const size_t nc = 3 * (size_t)est->data->nchannel;
    return (idn_estimator_signals){w->yk + (size_t)k * w->most_y, NULL,
                                   w->unit_k + (size_t)k * (size_t)est->nv,
                                   w->calibration + nc * (size_t)(k + 1)};
}

/* ---- dynamics --------------------------------------------------------------------------------------------------------------------------- */

/* Residual of dofs first .. first+n-1 at a step */
static void unexplained(const idn_estimator *est, const double *y, const double *unit, int first,
                        int n, double *r)
{
    const double sigma = est->stage->sigma;
    for (int i = 0; i < n; i++) {
        const int dof = first + i;
        if (est->stage->kinematic) {
            r[i] = y[est->out_acceleration + dof] / sigma;
        } else {
            const double known = est->out_actuation < 0 ? 0 : y[est->out_actuation + dof];
            r[i] = (y[est->out_force + dof] - known) / (sigma * unit[dof]);
        }
    }
}

static void unexplained_deriv(const idn_estimator *est, const double *Y, const double *unit,
                              int first, int n, double *J)
{
    const size_t nc = (size_t)est->ncolumn;
    const int width = 3 * est->nv;
    for (int i = 0; i < n; i++) {
        const int dof = first + i;
        const double sigma = est->stage->sigma * (est->stage->kinematic ? 1 : unit[dof]);
        const double *f =
            Y +
            (size_t)((est->stage->kinematic ? est->out_acceleration : est->out_force) + dof) * nc;
        for (int j = 0; j < width; j++) {
            J[i * width + j] = f[j] / sigma;
        }
        if (!est->stage->kinematic && est->out_actuation >= 0) {
            const double *a = Y + (size_t)(est->out_actuation + dof) * nc;
            for (int j = 0; j < width; j++) {
                J[i * width + j] -= a[j] / sigma;
            }
        }
    }
}

/* ---- value ------------------------------------------------------------------------------------------------------------------------------ */

/* A recording's own parameters keep to their priors. */
static double prior(const idn_estimator *est, const double *local, int k)
{
    return sqrt(est->local_weight[k]) * (local[k] - est->local_mean[k]);
}

/* Configurations that are given have no neighbours at their ends, and so say nothing of forces there: steps that are passed over. */
static int given_end(const idn_estimator *est)
{
    return est->e->fixed ? est->substeps : 0;
}

static double value_of_dynamics(const idn_estimator *est, idn_estimator_worker *w, int nstep)
{
    const sal_norm quadratic = {.kind = SAL_NORM_QUADRATIC};
    const int end = given_end(est);
    double sum = 0;
    for (int t = end; t < nstep - end; t++) {
        for (int s = 0; s < est->nsegment; s++) {
            const int first = est->segment[s], n = est->segment[s + 1] - first;
            unexplained(est, w->y + (size_t)t * (size_t)est->ny, w->unit, first, n, w->r);
            sum += sal_norm_value(est->stage->kinematic ? &quadratic : &est->stage->norm, w->r, n);
        }
    }
    return sum;
}

sal_status idn_estimator_value(void *ctx, int worker, int member, const double *x, const double *p,
                               double *cost, sal_err *err)
{
    const idn_estimator *est = ctx;
    idn_estimator_worker *w = est->worker + worker;
    const idn_estimator_member *of = est->of + member;
    const idn_estimator_point at = idn_estimator_at(est, member, x, p);
    const idn_estimator_signals own = idn_estimator_own(w, false);
    const sal_status status = idn_estimator_outputs(est, w, &at, err);
    if (status != SAL_OK) {
        return status;
    }
    double sum = value_of_dynamics(est, w, of->nstep);
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < est->data->nchannel; c++) {
            idn_estimator_slopes none = {.J = NULL};
            const int n = idn_estimator_measure(est, &at, &own, c, k, w->r, &none);
            sum += n > 0 ? sal_norm_value(&est->data->channel[c].norm, w->r, n) : 0;
        }
    }
    for (int k = 0; k < est->ps->nlocal; k++) {
        const double r = prior(est, at.local, k);
        sum += 0.5 * r * r;
    }
    *cost = sum;
    return SAL_OK;
}

sal_status idn_estimator_outputs(const idn_estimator *est, idn_estimator_worker *w,
                                 const idn_estimator_point *at, sal_err *err)
{
    const idn_estimator_signals own = idn_estimator_own(w, false);
    calibrate(est, at->shared, at->local, own.calibration);
    return outputs(est, w, w->m, at, &own, err);
}

/* ---- linearisation ---------------------------------------------------------------------------------------------------------------------- */

/* Outputs and calibration with parameter k moved by its step. */
static sal_status move_parameter(const idn_estimator *est, idn_estimator_worker *w,
                                 const idn_estimator_point *at, int k, sal_err *err)
{
    const int nl = est->ps->nlocal, ns = est->ps->nshared;
    const idn_estimator_signals out = moved(est, w, k);
    memcpy(w->u, at->local, (size_t)nl * sizeof(double));
    memcpy(w->u + nl, at->shared, (size_t)ns * sizeof(double));
    w->u[k] += est->step_u[k];
    calibrate(est, w->u + nl, w->u, out.calibration);
    return outputs(est, w, w->mk, &(idn_estimator_point){at->member, at->q, w->u + nl, w->u}, &out,
                   err);
}

/* G of a residual from that with each parameter moved, in r[1 + k] */
static void border(const idn_estimator *est, const idn_estimator_worker *w, int n, int stride,
                   double *G)
{
    for (int k = 0; k < est->nborder; k++) {
        const double *rk = w->r + (size_t)(k + 1) * (size_t)stride;
        for (int i = 0; i < n; i++) {
            G[i * est->nborder + k] = est->varies[k] ? (rk[i] - w->r[i]) / est->step_u[k] : 0;
        }
    }
}

static void add_dynamics(const idn_estimator *est, const idn_estimator_worker *w, int t, int s,
                         sal_normal *a)
{
    const sal_norm quadratic = {.kind = SAL_NORM_QUADRATIC};
    const int first = est->segment[s], n = est->segment[s + 1] - first;
    const size_t at = (size_t)t * (size_t)est->ny;
    unexplained(est, w->y + at, w->unit, first, n, w->r);
    unexplained_deriv(est, w->Y + at * (size_t)est->ncolumn, w->unit, first, n, w->J);
    for (int k = 0; k < est->nborder; k++) {
        if (est->varies[k]) {
            unexplained(est, w->yk + (size_t)k * w->most_y + at,
                        w->unit_k + (size_t)k * (size_t)est->nv, first, n,
                        w->r + (size_t)(k + 1) * (size_t)n);
        }
    }
    border(est, w, n, n, w->G);
    sal_normal_add(a, est->stage->kinematic ? &quadratic : &est->stage->norm, 1, n, w->r,
                   &(sal_slopes){w->J, t, 3, w->G});
}

static void add_measurement(const idn_estimator *est, const idn_estimator_worker *w,
                            const idn_estimator_point *at, int c, int sample, sal_normal *a)
{
    const idn_estimator_signals own = idn_estimator_own(w, true);
    idn_estimator_slopes slopes = {.J = w->J}, none = {.J = NULL};
    const int n = idn_estimator_measure(est, at, &own, c, sample, w->r, &slopes);
    if (n == 0) {
        return;
    }
    for (int k = 0; k < est->nborder; k++) {
        if (est->varies[k]) {
            const idn_estimator_signals other = moved(est, w, k);
            idn_estimator_measure(est, at, &other, c, sample, w->r + (size_t)(k + 1) * (size_t)n,
                                  &none);
        }
    }
    border(est, w, n, n, w->G);
    sal_normal_add(a, &est->data->channel[c].norm, 1, n, w->r,
                   &(sal_slopes){w->J, slopes.first, slopes.width, w->G});
}

static void add_priors(const idn_estimator *est, const idn_estimator_worker *w, const double *local,
                       sal_normal *a)
{
    const sal_norm quadratic = {.kind = SAL_NORM_QUADRATIC};
    for (int k = 0; k < est->ps->nlocal; k++) {
        if (est->local_weight[k] > 0) {
            const double r = prior(est, local, k);
            memset(w->G, 0, (size_t)est->nborder * sizeof(double));
            w->G[k] = sqrt(est->local_weight[k]);
            sal_normal_add(a, &quadratic, 1, 1, &r, &(sal_slopes){.G = w->G});
        }
    }
}

sal_status idn_estimator_linearise(void *ctx, int worker, int member, const double *x,
                                   const double *p, sal_normal *a, sal_err *err)
{
    const idn_estimator *est = ctx;
    idn_estimator_worker *w = est->worker + worker;
    const idn_estimator_member *of = est->of + member;
    const idn_estimator_point at = idn_estimator_at(est, member, x, p);
    const idn_estimator_signals own = idn_estimator_own(w, true);
    calibrate(est, at.shared, at.local, own.calibration);
    sal_status status = outputs(est, w, w->m, &at, &own, err);
    status = status == SAL_OK ? idn_estimator_twins(est, w, &at, err) : status;
    for (int k = 0; k < est->nborder && status == SAL_OK; k++) {
        const bool moves = est->varies[k] && !w->twin.exact[k];
        status = moves ? move_parameter(est, w, &at, k, err) : SAL_OK;
    }
    if (status != SAL_OK) {
        return status;
    }
    const int end = given_end(est);
    for (int t = end; t < of->nstep - end; t++) {
        for (int s = 0; s < est->nsegment; s++) {
            add_dynamics(est, w, t, s, a);
        }
    }
    for (int k = 0; k < of->nsample; k++) {
        for (int c = 0; c < est->data->nchannel; c++) {
            add_measurement(est, w, &at, c, k, a);
        }
    }
    add_priors(est, w, at.local, a);
    return SAL_OK;
}
