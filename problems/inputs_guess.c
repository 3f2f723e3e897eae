/* inputs_guess.c: what the actuators of a driven motion do at first: what the guess asks of them.
 *
 * The inverse dynamics of the guess, in the world where the search begins, ask for the force f_t
 * (where there are activations: those of its poses, at rest).
 * Of all inputs within their ranges those are taken that give most of it, and of these the least:
 *
 *     minimise  | b - D y |^2 + eps |y|^2,   low <= y <= high
 *
 * b = f - F0 over its units, F0 what the actuators do without input; D y what they do with input,
 * y over its scales. Without ranges, and of inputs of which some are held at a bound,
 *
 *     y_free = D' (D D' + eps 1)^-1 (b - D y_held)
 *
 * so inputs that leave their range are held at its bound, until none does. A search that begins so
 * has no unactuated force at actuated dofs, like one whose actuators are eliminated. Activations
 * had better be small at first: eps is larger, and they are only cut at their bounds. (Where the
 * others take over instead, the arm with muscles ends at 1.6 times the cost.)
 */
#include "base/house.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

/* eps: of the mean diagonal entry of D D'; of activations */
static const double damping = 1e-9, damping_still = 1e-3;

/* One instant */
typedef struct demand {
    int nv, nu;
    /* [nv x nu], [nv] */
    double *D, *b;
    /* [nu] */
    double *y, *low, *high, *slope;
    /* [nu] y is at a bound */
    unsigned char *held;
    /* [nv x nv], [nv] */
    double *gram, *rest;
    /* there are activations */
    bool still;
} demand;

/* ---- least squares within bounds ---- */

/* gram := D D' + eps 1 over the inputs that are free, factorised; rest := b - D y_held */
static void reduce(const demand *a)
{
    const int nv = a->nv, nu = a->nu;
    double trace = 0;
    for (int c = 0; c < nv; c++) {
        const double *row = a->D + c * nu;
        a->rest[c] = a->b[c];
        for (int i = 0; i < nu; i++) {
            a->rest[c] -= a->held[i] ? row[i] * a->y[i] : 0;
        }
        for (int k = 0; k <= c; k++) {
            double sum = 0;
            for (int i = 0; i < nu; i++) {
                sum += a->held[i] ? 0 : row[i] * a->D[k * nu + i];
            }
            a->gram[c * nv + k] = sum;
        }
        trace += a->gram[c * nv + c];
    }
    const double eps = trace > 0 ? damping * trace / nv : 1;
    for (int c = 0; c < nv; c++) {
        a->gram[c * nv + c] += a->still ? damping_still : eps;
    }
    sal_dense_cholesky(a->gram, nv);
}

/* y_free = D' gram^-1 rest */
static void spread(const demand *a)
{
    sal_dense_cholesky_solve(a->rest, a->gram, a->nv);
    for (int i = 0; i < a->nu; i++) {
        double sum = 0;
        for (int c = 0; c < a->nv; c++) {
            sum += a->D[c * a->nu + i] * a->rest[c];
        }
        a->y[i] = a->held[i] ? a->y[i] : sum;
    }
}

/* Those that have left their range are held at its bound. Returns whether there were any. */
static bool hold(const demand *a)
{
    bool any = false;
    for (int i = 0; i < a->nu; i++) {
        const double within = fmin(fmax(a->y[i], a->low[i]), a->high[i]);
        if (within != a->y[i]) {
            a->y[i] = within;
            a->held[i] = 1;
            any = true;
        }
    }
    return any;
}

static void meet(const demand *a)
{
    memset(a->held, 0, (size_t)a->nu);
    do {
        reduce(a);
        spread(a);
    } while (hold(a) && !a->still);
}

/* ---- what is asked at an instant ---- */

static void narrow(const demand *a, int i, double low, double high)
{
    a->low[i] = fmax(a->low[i], low);
    a->high[i] = fmin(a->high[i], high);
}

/* Bounds of the inputs, from those of controls, activations and forces F0 + slope w */
static void bound(const demand *a, const prb_transcription *tr, const sal_data *d)
{
    const prb_actuation_map *map = tr->map;
    for (int i = 0; i < a->nu; i++) {
        a->low[i] = -(double)INFINITY, a->high[i] = (double)INFINITY;
    }
    for (int k = 0; k < map->nrange; k++) {
        const prb_actuator_range *range = map->range + k;
        const int i = range->id;
        const double *limit = range->range, scale = map->scale[i];
        if (range->kind == PRB_RANGE_ACT ||
            (range->kind == PRB_RANGE_CTRL && tr->p->model->actuator_actadr[i] < 0)) {
            narrow(a, i, limit[0] / scale, limit[1] / scale);
        } else if (range->kind == PRB_RANGE_FORCE && a->slope[i] != 0) {
            const double slope = a->slope[i] * scale, F0 = d->actuator_force[i],
                         at[2] = {(limit[0] - F0) / slope, (limit[1] - F0) / slope};
            narrow(a, i, fmin(at[0], at[1]), fmax(at[0], at[1]));
        }
    }
}

/* What joints let through of the force that is asked of their actuators */
static void limit(const demand *a, const prb_transcription *tr)
{
    const prb_actuation_map *map = tr->map;
    for (int k = 0; k < map->nrange; k++) {
        const prb_actuator_range *range = map->range + k;
        if (range->kind == PRB_RANGE_JOINT) {
            double *b = a->b + tr->p->model->jnt_dofadr[range->id];
            *b = fmin(fmax(*b, range->range[0]), range->range[1]);
        }
    }
}

/* f, at q_t and v_t of d. Activations cannot follow a guess that is shaken: they hold what stands
 * still. */
static sal_status force(const demand *a, const prb_transcription *tr, sal_data *d,
                        const double *y_t, sal_err *err)
{
    const sal_model *m = tr->model;
    const size_t size = (size_t)a->nv * sizeof(double);
    sal_status status;
    if (a->still) {
        status = sal_inverse(m, d, err);
        memcpy(a->b, d->qfrc_inverse, size);
        return status;
    }
    memcpy(d->qvel, y_t + tr->out_velocity, size);
    memcpy(a->b, y_t + tr->out_force, size);
    status = sal_position(m, d, err);
    if (status == SAL_OK) {
        sal_velocity(m, d);
    }
    return status;
}

/* D, b and bounds at an instant; all in units and scales */
static sal_status ask(const demand *a, const prb_transcription *tr, sal_data *d, const double *y_t,
                      sal_err *err)
{
    const sal_model *m = tr->model;
    const prb_actuation_map *map = tr->map;
    const sal_actuation_jacobian to = {.Dw = a->D, .Fw = a->slope};
    const sal_status status = force(a, tr, d, y_t, err);
    if (status != SAL_OK) {
        return status;
    }
    memset(a->y, 0, (size_t)a->nu * sizeof *a->y);
    sal_actuation_driven(m, d, a->y);
    sal_actuation_driven_deriv(m, d, a->y, &to);
    bound(a, tr, d);
    limit(a, tr);
    for (int c = 0; c < a->nv; c++) {
        a->b[c] = (a->b[c] - d->qfrc_actuator[c]) / map->unit[c];
        for (int i = 0; i < a->nu; i++) {
            a->D[c * a->nu + i] *= map->scale[i] / map->unit[c];
        }
    }
    return SAL_OK;
}

/* ---- all instants ---- */

static bool allocate(demand *a, const sal_model *m)
{
    const size_t nu = (size_t)m->nu, nv = (size_t)m->nv;
    a->nu = m->nu, a->nv = m->nv;
    a->still = m->na > 0;
    a->D = sal_alloc(nv * nu, sizeof(double));
    a->b = sal_alloc(2 * nv, sizeof(double));
    a->y = sal_alloc(4 * nu, sizeof(double));
    a->held = sal_alloc(nu, 1);
    a->gram = sal_alloc(nv * nv, sizeof(double));
    if (a->D == NULL || a->b == NULL || a->y == NULL || a->held == NULL || a->gram == NULL) {
        return false;
    }
    a->rest = a->b + nv;
    a->low = a->y + nu, a->high = a->low + nu, a->slope = a->high + nu;
    return true;
}

static void clear(const demand *a)
{
    sal_free(a->D);
    sal_free(a->b);
    sal_free(a->y);
    sal_free(a->held);
    sal_free(a->gram);
}

/* The inputs of instant t into x: of actuators that look ahead they are what z_{t+1} is. */
static void write(const demand *a, const prb_transcription *tr, int t, double *x)
{
    for (int i = 0; i < a->nu; i++) {
        const bool ahead = tr->model->actuator_actadr[i] >= 0 && tr->model->actuator_actearly[i];
        x[(t + ahead) * a->nu + i] = a->y[i] * tr->map->scale[i] / tr->layout.unit[i];
        if (ahead && t == 0) {
            x[i] = x[a->nu + i];
        }
    }
}

sal_status prb_inputs_guess(prb_transcription *tr, double softness, double *x, sal_err *err)
{
    const sal_model *m = tr->model;
    const int N = tr->p->nstep;
    demand a = {0};
    sal_data *d = NULL;
    if (tr->layout.nz == 0) {
        return SAL_OK;
    }
    sal_status status = allocate(&a, m) ? sal_data_new(&d, m, err)
                                        : sal_fail(err, SAL_NOMEM, "out of memory for a guess");
    status = status == SAL_OK ? tr->nls.stage(tr, softness, 1, NULL, err) : status;
    if (status == SAL_OK) {
        const sal_motion motion = {.nstep = N, .q = tr->q, .z = tr->z};
        status = sal_invdyn_eval(tr->invdyn, m, tr->y, &motion, err);
    }
    double *z = x + tr->layout.inputs;
    for (int t = 0; t < N && status == SAL_OK; t++) {
        memcpy(d->qpos, tr->q + (t + 1) * m->nq, (size_t)m->nq * sizeof(double));
        status = ask(&a, tr, d, tr->y + (size_t)t * (size_t)tr->ny, err);
        if (status == SAL_OK) {
            meet(&a);
            write(&a, tr, t, z);
        }
    }
    for (int i = 0; i < a.nu; i++) { /* no force acts at the last instant */
        const bool ahead = m->actuator_actadr[i] >= 0 && m->actuator_actearly[i];
        z[N * a.nu + i] = ahead ? z[N * a.nu + i] : z[(N - 1) * a.nu + i];
    }
    sal_data_free(d);
    clear(&a);
    return status;
}
