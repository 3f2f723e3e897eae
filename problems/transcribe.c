/* transcribe.c: memory of a transcription, and the three functions the optimizer calls. */
#include "problems/quantity.h"

#include "base/house.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- residuals and Jacobian ----------------------------------------------------------------------------------------------------- */

/* A free duration is held until half of the path: released while the world is soft, the motion slows down or hurries in ways that the
 * hard world does not allow. */
static const double duration_release = 0.5;

/* dy/d(length of travel), dy/d(its turn): of the images in the window, q_N and q_{-1}. motion: layout.along or layout.around */
static double image_derivative(const prb_transcription *tr, int t, const double *Yrow,
                               const double *motion)
{
    const int nv = tr->model->nv;
    double sum = 0;
    for (int w = 0; w < 3; w++) {
        const int image = tr->layout.slot[t + w].image;
        for (int i = 0; image != 0 && i < nv; i++) {
            sum += motion[(image < 0 ? 0 : nv) + i] * Yrow[w * nv + i];
        }
    }
    return sum;
}

/* dy/d log(duration): of the time step itself, of the travel tied to it, of what a given velocity carries along. */
static double duration_derivative(const prb_transcription *tr, int t, const double *Yrow)
{
    const int nv = tr->model->nv;
    double sum = Yrow[tr->window];
    if (tr->p->travel == SAL_TRAVEL_SPEED) {
        sum += tr->length * image_derivative(tr, t, Yrow, tr->layout.along);
    }
    for (int w = 0; w < 3; w++) {
        const double *drift = prb_layout_drift(tr, t + w);
        for (int i = 0; drift != NULL && i < nv; i++) {
            sum += tr->timestep * drift[i] * Yrow[w * nv + i];
        }
    }
    return sum;
}

static const double *derivatives_of(const prb_transcription *tr, int t, int index)
{
    const size_t row = (size_t)(t - tr->first) * (size_t)tr->ny + (size_t)index;
    return tr->Y + row * (size_t)(tr->window + 1);
}

static void put_globals(const prb_transcription *tr, int t, double *row, const double *Yrow,
                        double coefficient)
{
    const int window = tr->window, *place = tr->place + t * (window + PRB_NGLOBAL);
    const int duration = place[window + PRB_GLOBAL_DURATION],
              travel = place[window + PRB_GLOBAL_TRAVEL], turn = place[window + PRB_GLOBAL_TURN];
    if (duration >= 0 && tr->at.s <= duration_release) {
        row[duration] += coefficient * tr->duration_slope * duration_derivative(tr, t, Yrow);
    }
    if (travel >= 0) {
        row[travel] +=
            coefficient * tr->travel_slope * image_derivative(tr, t, Yrow, tr->layout.along);
    }
    if (turn >= 0) {
        row[turn] +=
            coefficient * tr->turn_slope * image_derivative(tr, t, Yrow, tr->layout.around);
    }
}

/* How much of the window an output may depend on: inputs come last in it, and outputs that depend on them last among those. */
static int reach(const prb_transcription *tr, int index)
{
    return tr->map->driven && index >= tr->out_actuation ? tr->window : 3 * tr->model->nv;
}

void prb_residual_put(const prb_transcription *tr, int t, double *restrict row, int index,
                      double coefficient)
{
    const int configurations = 3 * tr->model->nv, window = reach(tr, index);
    const int *place = tr->place + t * (tr->window + PRB_NGLOBAL);
    const double *sign = tr->sign + t * tr->window;
    const double *restrict Yrow = derivatives_of(tr, t, index);
    for (int i = 0; tr->plain[t] && i < configurations; i++) {
        row[i] += coefficient * Yrow[i];
    }
    for (int i = tr->plain[t] ? configurations : 0; i < window; i++) {
        if (place[i] >= 0) {
            row[place[i]] += coefficient * sign[i] * Yrow[i];
        }
    }
    put_globals(tr, t, row, Yrow, coefficient);
}

void prb_residual_set(const prb_transcription *tr, int t, double *restrict row, int index,
                      double coefficient)
{
    const int configurations = 3 * tr->model->nv, ncol = tr->block[t].ncol;
    const double *restrict Yrow = derivatives_of(tr, t, index), *sign = tr->sign + t * tr->window;
    if (!tr->plain[t]) {
        memset(row, 0, (size_t)ncol * sizeof(double));
        prb_residual_put(tr, t, row, index, coefficient);
        return;
    }
    for (int i = 0; i < configurations; i++) {
        row[i] = coefficient * Yrow[i];
    }
    memset(row + configurations, 0, (size_t)(ncol - configurations) * sizeof(double));
    for (int i = configurations; i < reach(tr, index); i++) {
        row[i] = coefficient * sign[i] * Yrow[i];
    }
    put_globals(tr, t, row, Yrow, coefficient);
}

/* log(extent) = log(duration) [- log|travel|]; a travel tied to the duration by a speed leaves its ratio to it as it is. */
void prb_residual_put_extent(const prb_transcription *tr, int t, double *row, sal_per per,
                             double coefficient)
{
    const int window = tr->window, *place = tr->place + t * (window + PRB_NGLOBAL);
    if (place[window] >= 0 && tr->at.s <= duration_release) {
        row[place[window]] += coefficient * tr->duration_slope;
    }
    if (place[window + 1] >= 0 && per == SAL_PER_DISTANCE) {
        row[place[window + 1]] -= coefficient * tr->travel_slope / tr->length;
    }
}

/* A message that counts steps from `first` on */
static sal_status from_step(sal_status status, int first, sal_err *err)
{
    if (status != SAL_OK && first > 0 && err != NULL) {
        const sal_err why = *err;
        return sal_fail(err, status, "from step %d on, %.400s", first, why.message);
    }
    return status;
}

/* Step `index` of those from `first` on */
static void residual_of_part(void *ctx, int index, int worker)
{
    prb_transcription *tr = ctx;
    const int t = tr->first + index;
    (void)worker;
    prb_terms_residual(tr, t, tr->r + tr->r_adr[t] - tr->r_adr[tr->first], NULL);
}

/* The configurations of steps first .. first+n-1 */
static sal_motion motion_of_part(const prb_transcription *tr, int first, int n)
{
    const size_t begin = (size_t)first;
    return (sal_motion){n, tr->q + begin * (size_t)tr->model->nq,
                        tr->z == NULL ? NULL : tr->z + begin * (size_t)tr->model->nu};
}

static sal_status residual_part(void *ctx, double *r, const double *x, int first, int n,
                                sal_err *err)
{
    prb_transcription *tr = ctx;
    prb_transcription_place(tr, x);
    const sal_motion motion = motion_of_part(tr, first, n);
    const sal_status status = sal_invdyn_eval(tr->invdyn, tr->model,
                                              tr->y + (size_t)first * (size_t)tr->ny, &motion, err);
    if (status == SAL_OK) {
        tr->r = r;
        tr->first = first;
        sal_parallel_for(n, tr->nthread, residual_of_part, tr);
    }
    return from_step(status, first, err);
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const prb_transcription *tr = ctx;
    return residual_part(ctx, r, x, 0, tr->nblock, err);
}

/* Step `index` of those that Y is of */
static void linearise_step(void *ctx, int index, int worker)
{
    prb_transcription *tr = ctx;
    const int t = tr->first + index;
    (void)worker;
    prb_terms_residual(tr, t, tr->r + tr->r_adr[t] - tr->r_adr[tr->first],
                       tr->J + (tr->J_adr[t] - tr->J_adr[tr->first]));
}

/* Inverse dynamics and derivatives of the part's steps */
static sal_status differentiate(prb_transcription *tr, const sal_model *mh, int n, sal_err *err)
{
    const sal_motion motion = motion_of_part(tr, tr->first, n);
    const sal_status status = sal_invdyn_diff(
        tr->invdyn, tr->model, mh, tr->y + (size_t)tr->first * (size_t)tr->ny, tr->Y, &motion, err);
    return from_step(status, tr->first, err);
}

/* Steps first .. first+n-1, of which Y has room for as many. */
static sal_status linearise_part(void *ctx, double *r, double *J, const double *x, int first, int n,
                                 sal_err *err)
{
    prb_transcription *tr = ctx;
    const sal_model *mh = NULL;
    tr->first = first;
    if (x != NULL) {
        prb_transcription_place(tr, x);
    }
    if (tr->layout.global[PRB_GLOBAL_DURATION] >= 0 && tr->at.s <= duration_release) {
        tr->model_h->opt.timestep = tr->timestep * (1 + SAL_FD_STEP);
        prb_smoothing_apply(tr->p, &tr->at, tr->model_h);
        mh = tr->model_h;
    }
    sal_clock_turn(tr->nls.clock, SAL_WORK_DERIVATIVES);
    const sal_status status = differentiate(tr, mh, n, err);
    if (status == SAL_OK) {
        sal_clock_turn(tr->nls.clock, SAL_WORK_JACOBIANS);
        prb_layout_chain(tr, first, n);
        tr->r = r, tr->J = J;
        sal_parallel_for(n, tr->nthread, linearise_step, tr);
    }
    return status;
}

static sal_status linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    const prb_transcription *tr = ctx;
    sal_status status = SAL_OK;
    for (int t = 0; t < tr->nblock && status == SAL_OK; t += tr->npart) {
        const int n = tr->nblock - t < tr->npart ? tr->nblock - t : tr->npart;
        status =
            linearise_part(ctx, r + tr->r_adr[t], J + tr->J_adr[t], t == 0 ? x : NULL, t, n, err);
    }
    return status;
}

static sal_status stage(void *ctx, double softness, double smoothing, double *x, sal_err *err)
{
    prb_transcription *tr = ctx;
    (void)x, (void)err;
    tr->at.s = softness;
    tr->at.smoothing = smoothing;
    prb_smoothing_apply(tr->p, &tr->at, tr->model);
    prb_terms_weights(tr);
    return SAL_OK;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------------- */

static sal_status allocate(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    const sal_model *m = p->model;
    tr->pose = sal_alloc((size_t)m->nq, sizeof(double));
    tr->point = sal_alloc((size_t)p->npoint, sizeof(sal_point));
    tr->q = sal_alloc(((size_t)p->nstep + 3) * (size_t)m->nq, sizeof(double));
    if (tr->point == NULL || tr->pose == NULL || tr->q == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the transcription of the problem");
    }
    return SAL_OK;
}

enum {
    PART = 64
}; /* steps that are differentiated at a time: their derivatives need not all be remembered */

static sal_status allocate_outputs(prb_transcription *tr, sal_err *err)
{
    const size_t ny = (size_t)tr->ny, width = (size_t)sal_invdyn_ncolumn(tr->invdyn);
    tr->npart = PART * (tr->nthread > 1 ? tr->nthread : 1);
    tr->npart = tr->npart < tr->nblock ? tr->npart : tr->nblock;
    tr->y = sal_alloc((size_t)tr->nblock * ny, sizeof(double));
    tr->Y = sal_alloc((size_t)tr->npart * ny * width, sizeof(double));
    return tr->y == NULL || tr->Y == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the Jacobians of %d steps",
                          tr->p->nstep)
               : SAL_OK;
}

/* Physical is an unactuated force of at most max(1e-10, 100 eps max|q| / (9.81 h^2)) of the weight; what double precision can resolve. */
static double physical_tolerance(const sal_problem *p)
{
    const double h =
        p->duration_range[0] > 0 ? p->duration_range[0] / p->nstep : p->duration / p->nstep;
    double largest = fabs(p->travel_value) * (p->travel == SAL_TRAVEL_SPEED ? p->duration : 1);
    for (int i = 0; i < p->model->nq; i++) {
        largest = fmax(largest, fabs(p->init_qpos[i]));
    }
    return fmax(1e-10, 100 * DBL_EPSILON * largest / (9.81 * h * h));
}

/* The same in the units of each dof. */
static void fill_tolerances(prb_transcription *tr)
{
    const double tol = physical_tolerance(tr->p);
    for (int i = 0; i < tr->map->nfree; i++) {
        tr->map->tol[i] = tol * tr->weight / tr->map->unit[i];
    }
}

static void describe(prb_transcription *tr)
{
    tr->nls = (sal_nls){.ctx = tr,
                        .nx = tr->layout.nx,
                        .nvar = tr->layout.nvar,
                        .nblock = tr->nblock,
                        .block = tr->block,
                        .retract = prb_layout_retract,
                        .residual = residual,
                        .linearise = linearise,
                        .part = tr->npart,
                        .linearise_part = linearise_part,
                        .residual_part = residual_part,
                        .stage = stage};
}

/* Whether a quantity measures the point from the floor. */
static bool is_over_the_floor(const sal_problem *p, int point)
{
    for (int k = 0; k < p->nterm + p->nconstraint; k++) {
        const sal_feature *f = prb_terms_feature(p, k);
        const bool floor = prb_object_is_over_floor(prb_quantity_of(f)->object);
        for (int i = 0; i < f->nobject && floor; i++) {
            if (f->object[i] == point) {
                return true;
            }
        }
    }
    return false;
}

/* Points are settled on their planes in the initial pose. */
static sal_status settle_points(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    sal_data *d = NULL;
    sal_status status = sal_data_new(&d, p->model, err);
    if (status == SAL_OK) {
        memcpy(d->qpos, tr->pose, (size_t)p->model->nq * sizeof(double));
        sal_kinematics(p->model, d);
    }
    for (int k = 0; k < p->npoint && status == SAL_OK; k++) {
        tr->point[k] = p->point[k];
        if (is_over_the_floor(p, k)) {
            status = sal_point_settle(tr->point + k, p->model, d, err);
        }
    }
    sal_data_free(d);
    return status;
}

sal_status prb_transcription_new(prb_transcription **out, const sal_problem *p, int nthread,
                                 sal_err *err)
{
    prb_transcription *tr = sal_alloc(1, sizeof *tr);
    *out = NULL;
    if (tr == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the transcription of the problem");
    }
    tr->p = p, tr->nthread = nthread, tr->weight = prb_weight(p->model);
    tr->at = (prb_softness){.s = 1, .smoothing = 1};
    sal_status status = allocate(tr, err);
    status = status == SAL_OK ? prb_guess_pose(p, tr->pose, err) : status;
    status = status == SAL_OK ? settle_points(tr, err) : status;
    status = status == SAL_OK ? sal_model_copy(&tr->model, p->model, err) : status;
    status = status == SAL_OK ? sal_model_copy(&tr->model_h, p->model, err) : status;
    status = status == SAL_OK ? prb_actuation_map_new(&tr->map, p->model, err) : status;
    if (status == SAL_OK) {
        fill_tolerances(tr);
    }
    status = status == SAL_OK ? prb_smoothing_load(p->model, tr->pose, &tr->at.load, err) : status;
    status = status == SAL_OK ? prb_terms_plan(tr, err) : status;
    tr->timestep = p->duration / p->nstep;
    tr->length = p->travel == SAL_TRAVEL_SPEED ? p->travel_value * p->duration : p->travel_value;
    status = status == SAL_OK ? prb_terms_classes(tr, err) : status;
    status = status == SAL_OK ? allocate_outputs(tr, err) : status;
    status = status == SAL_OK ? prb_layout_motion(tr, err) : status;
    if (status != SAL_OK) {
        prb_transcription_free(tr);
        return status;
    }
    tr->model->opt.timestep = tr->timestep;
    prb_smoothing_apply(p, &tr->at, tr->model);
    describe(tr);
    *out = tr;
    return SAL_OK;
}

void prb_transcription_free(prb_transcription *tr)
{
    if (tr == NULL) {
        return;
    }
    void *const blocks[] = {tr->layout.end,
                            tr->layout.input,
                            tr->layout.unit,
                            tr->z,
                            tr->layout.slot,
                            tr->layout.first,
                            tr->layout.variable,
                            tr->layout.drift,
                            tr->layout.tangent,
                            tr->layout.moved,
                            tr->layout.along,
                            tr->layout.around,
                            tr->output,
                            tr->out_joint,
                            tr->own,
                            tr->own_adr,
                            tr->own_marks,
                            tr->q,
                            tr->y,
                            tr->Y,
                            tr->r_adr,
                            tr->block,
                            tr->columns,
                            tr->place,
                            tr->sign,
                            tr->plain,
                            tr->point,
                            tr->J_adr,
                            tr->pose};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        sal_free(blocks[i]);
    }
    prb_terms_free(tr);
    sal_invdyn_free(tr->invdyn);
    prb_actuation_map_free(tr->map);
    sal_model_free(tr->model);
    sal_model_free(tr->model_h);
    sal_free(tr);
}
