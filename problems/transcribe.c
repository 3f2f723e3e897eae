/* transcribe.c: memory of a transcription, and the three functions the optimizer calls. */
#include "base/house.h"
#include "problems/floor.h"
#include "problems/quantity.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- residuals and Jacobian ---- */

/* One call of the optimizer, as the parallel loop hands it to its body: steps from `first` on,
 * whose residuals, Jacobians and derivatives of the outputs begin at r, J and Y. */
typedef struct prb_call {
    const prb_transcription *tr;
    int first;
    double *r;
    /* NULL: not wanted */
    double *J, *Y;
} prb_call;

/* Step t of those from `first` on */
static void write_one(const prb_call *call, int t, int worker)
{
    const prb_transcription *tr = call->tr;
    const int first = call->first;
    double *r = call->r + tr->r_adr[t] - tr->r_adr[first];
    if (call->J == NULL) {
        prb_terms_residual(tr, t, worker, NULL, r, NULL);
    } else {
        const size_t each = (size_t)tr->ny * (size_t)(tr->window + 1);
        prb_terms_residual(tr, t, worker, call->Y + (size_t)(t - first) * each, r,
                           call->J + (tr->J_adr[t] - tr->J_adr[first]));
    }
}

static void write_step(void *ctx, int index, int worker)
{
    const prb_call *call = ctx;
    write_one(call, call->first + index, worker);
}

/* ns: of a residual, of a dof of the derivatives of a step, about */
static const double WORK_RESIDUAL = 20, WORK_DERIVATIVES = 1200;

int prb_transcription_crew(const sal_problem *p, int nthread)
{
    return sal_parallel_crew(nthread, WORK_DERIVATIVES * p->model->nv * p->nstep);
}

/* Residuals of n steps */
static void write_residuals(prb_call *call, int n)
{
    const prb_transcription *tr = call->tr;
    const double nres = (double)(tr->r_adr[call->first + n] - tr->r_adr[call->first]);
    sal_parallel_for(n, sal_parallel_worth(tr->nthread, WORK_RESIDUAL * nres), write_step, call);
}

sal_motion prb_transcription_motion(const prb_transcription *tr, int first, int n)
{
    const size_t begin = (size_t)first;
    const prb_stretch *stretch = &tr->stretch;
    return (sal_motion){.nstep = n,
                        .q = tr->q + begin * (size_t)tr->model->nq,
                        .z = tr->z == NULL ? NULL : tr->z + begin * (size_t)tr->model->nu,
                        .soft = stretch->soft == NULL ? NULL : stretch->soft + begin,
                        .softer = stretch->model,
                        .softer_h = stretch->model_h,
                        .held = prb_held(tr, first),
                        .first = first};
}

static sal_status residual_part(void *ctx, double *r, const double *x, int first, int n,
                                sal_err *err)
{
    prb_transcription *tr = ctx;
    prb_transcription_place(tr, x);
    const sal_motion motion = prb_transcription_motion(tr, first, n);
    const sal_status status = sal_invdyn_eval(tr->invdyn, tr->model,
                                              tr->y + (size_t)first * (size_t)tr->ny, &motion, err);
    if (status == SAL_OK) {
        prb_call call = {.tr = tr, .first = first, .r = r};
        write_residuals(&call, n);
    }
    return status;
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const prb_transcription *tr = ctx;
    return residual_part(ctx, r, x, 0, tr->nblock, err);
}

/* The contact of this softness; what is held has to be listed. */
static void apply(const prb_transcription *tr, double softness, double timestep, sal_model *m)
{
    prb_softness at = tr->at;
    at.s = softness;
    m->opt.timestep = timestep;
    prb_smoothing_apply(tr->p, &at, m);
    if (tr->hold != NULL) {
        prb_hold_widen(m);
    }
}

/* The contact of the stage, and of the stretch that is softer */
static void apply_stage(const prb_transcription *tr, double timestep, sal_model *m,
                        sal_model *softer)
{
    apply(tr, tr->at.s, timestep, m);
    if (tr->stretch.soft != NULL) {
        apply(tr, fmax(tr->at.s, tr->stretch.softness), timestep, softer);
    }
}

void prb_transcription_contact(prb_transcription *tr)
{
    apply_stage(tr, tr->timestep, tr->model, tr->stretch.model);
}

static bool timestep_varies(const prb_transcription *tr)
{
    return tr->layout.global[PRB_GLOBAL_DURATION] >= 0 && prb_duration_varies(tr);
}

static void place(void *ctx, const double *x)
{
    prb_transcription *tr = ctx;
    prb_transcription_place(tr, x);
    if (timestep_varies(tr)) {
        apply_stage(tr, tr->timestep * (1 + SAL_FD_STEP), tr->model_h, tr->stretch.model_h);
    }
}

/* Steps first .. first+n-1, of which a worker's Y has room for as many. */
static sal_status linearise_part(void *ctx, double *r, double *J, int first, int n, int worker,
                                 sal_err *err)
{
    const prb_transcription *tr = ctx;
    const sal_motion motion = prb_transcription_motion(tr, first, n);
    const prb_call call = {.tr = tr, .first = first, .r = r, .J = J, .Y = tr->Y[worker]};
    sal_clock_turn_by(tr->nls.clock, worker, SAL_WORK_DERIVATIVES);
    const sal_status status =
        sal_invdyn_diff_by(tr->invdyn, worker, tr->model, timestep_varies(tr) ? tr->model_h : NULL,
                           tr->y + (size_t)first * (size_t)tr->ny, call.Y, &motion, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_clock_turn_by(tr->nls.clock, worker, SAL_WORK_JACOBIANS);
    prb_layout_chain(tr, call.Y, first, n);
    for (int t = first; t < first + n; t++) {
        write_one(&call, t, worker);
    }
    return SAL_OK;
}

static sal_status linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    const prb_transcription *tr = ctx;
    sal_status status = SAL_OK;
    place(ctx, x);
    for (int t = 0; t < tr->nblock && status == SAL_OK; t += tr->npart) {
        const int n = tr->nblock - t < tr->npart ? tr->nblock - t : tr->npart;
        status = linearise_part(ctx, r + tr->r_adr[t], J + tr->J_adr[t], t, n, 0, err);
    }
    return status;
}

static sal_status stage(void *ctx, double softness, double smoothing, double *x, sal_err *err)
{
    prb_transcription *tr = ctx;
    (void)x, (void)err;
    tr->at.s = softness;
    tr->at.smoothing = smoothing;
    prb_transcription_contact(tr);
    prb_terms_weights(tr);
    return SAL_OK;
}

static sal_status soften(void *ctx, const unsigned char *soft, double softness, sal_err *err)
{
    prb_transcription *tr = ctx;
    prb_stretch *stretch = &tr->stretch;
    sal_status status = SAL_OK;
    if (soft != NULL && stretch->model == NULL) {
        status = sal_model_copy(&stretch->model, tr->p->model, err);
    }
    if (soft != NULL && stretch->model_h == NULL && status == SAL_OK) {
        status = sal_model_copy(&stretch->model_h, tr->p->model, err);
    }
    stretch->soft = status == SAL_OK ? soft : NULL;
    stretch->softness = softness;
    return status;
}

/* ---- memory ---- */

static sal_status allocate(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    const sal_model *m = p->model;
    tr->pose = sal_alloc((size_t)m->nq, sizeof(double));
    tr->gap = sal_alloc((size_t)m->npair, sizeof(double));
    tr->point = sal_alloc((size_t)p->npoint, sizeof(sal_point));
    tr->q = sal_alloc(((size_t)p->nstep + 3) * (size_t)m->nq, sizeof(double));
    if (tr->point == NULL || tr->pose == NULL || tr->gap == NULL || tr->q == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the transcription of the problem");
    }
    return SAL_OK;
}

/* Steps that a thread differentiates at a time: as many as its cache holds the derivatives of, but
 * whole groups of those that are computed side by side. */
enum { FEWEST = 8, MOST = 64 };
static const size_t CACHE = (size_t)1 << 19; /* bytes */

static int steps_at_a_time(const prb_transcription *tr, size_t noutput)
{
    size_t largest = 1;
    for (int b = 0; b < tr->nblock; b++) {
        const size_t n = (size_t)tr->block[b].nres * (size_t)tr->block[b].ncol;
        largest = n > largest ? n : largest;
    }
    const size_t fit = CACHE / sizeof(double) / (largest + noutput) / FEWEST * FEWEST;
    return fit < FEWEST ? FEWEST : fit < MOST ? (int)fit : MOST;
}

static sal_status allocate_outputs(prb_transcription *tr, sal_err *err)
{
    const size_t ny = (size_t)tr->ny, width = (size_t)sal_invdyn_ncolumn(tr->invdyn);
    const int nworker = tr->nthread > 1 ? tr->nthread : 1, fit = steps_at_a_time(tr, ny * width);
    tr->npart = fit < tr->nblock ? fit : tr->nblock;
    tr->y = sal_alloc((size_t)tr->nblock * ny, sizeof(double));
    tr->Y = sal_alloc((size_t)nworker, sizeof *tr->Y);
    bool room = tr->y != NULL && tr->Y != NULL;
    for (int k = 0; k < nworker && room; k++) {
        tr->Y[k] = sal_alloc((size_t)tr->npart * ny * width, sizeof(double));
        room = tr->Y[k] != NULL;
    }
    return room ? SAL_OK
                : sal_fail(err, SAL_NOMEM, "out of memory for the Jacobians of %d steps",
                           tr->p->nstep);
}

/* Physical is an unactuated force of at most max(1e-10, 100 eps max|q| / (9.81 h^2)) of the weight;
 * what double precision can resolve. */
static double physical_tolerance(const sal_problem *p)
{
    const double h =
        p->duration_range[0] > 0 ? p->duration_range[0] / p->nstep : p->duration / p->nstep;
    double largest = fabs(p->travel_value) * (p->travel == PRB_TRAVEL_SPEED ? p->duration : 1);
    for (int i = 0; i < p->model->nq; i++) {
        largest = fmax(largest, fabs(p->init_qpos[i]));
    }
    return fmax(1e-10, 100 * DBL_EPSILON * largest / (9.81 * h * h));
}

/* Half of it in the units of each dof: the result is evaluated anew, with other rounding. */
static void fill_tolerances(prb_transcription *tr)
{
    const double tol = 0.5 * physical_tolerance(tr->p);
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
                        .place = place,
                        .linearise_part = linearise_part,
                        .part = tr->npart,
                        .nworker = tr->nthread > 1 ? tr->nthread : 1,
                        .residual_part = residual_part,
                        .stage = stage,
                        .soften = soften,
                        .closed = tr->p->boundary == PRB_CYCLE,
                        .linear = tr->layout.any_linear ? tr->layout.linear : NULL};
}

/* Whether a quantity measures the point from the floor: its height, or its speed along the floor.
 * (Where the only ground is a height field, that is the speed along the level.) */
static bool is_over_the_floor(const sal_problem *p, int point)
{
    const bool plane = prb_floor_has(p->model, SAL_GEOM_PLANE);
    for (int k = 0; k < p->nterm + p->nconstraint + p->ninput; k++) {
        const prb_feature *f = prb_terms_feature(p, k);
        const bool floor =
            prb_object_is_over_floor(prb_quantity_of(f)->object) && (plane || !f->by_force);
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
    if (status == SAL_OK && p->contact_model != SAL_CONTACT_SOFT) { /* data are made for it */
        prb_smoothing_apply(p, &tr->at, tr->model);
    }
    status = status == SAL_OK ? prb_actuation_map_new(&tr->map, p->model, err) : status;
    if (status == SAL_OK) {
        fill_tolerances(tr);
    }
    status = status == SAL_OK ? prb_smoothing_load(p->model, tr->pose, &tr->at.load, err) : status;
    status = status == SAL_OK ? prb_smoothing_gaps(p->model, tr->pose, tr->gap, err) : status;
    tr->at.gap = tr->gap;
    status = status == SAL_OK ? prb_terms_plan(tr, err) : status;
    tr->timestep = p->duration / p->nstep;
    tr->length = p->travel == PRB_TRAVEL_SPEED ? p->travel_value * p->duration : p->travel_value;
    status = status == SAL_OK ? prb_terms_classes(tr, err) : status;
    status = status == SAL_OK ? prb_layout_motion(tr, err) : status;
    status = status == SAL_OK ? prb_function_allocate(tr, err) : status;
    status = status == SAL_OK ? allocate_outputs(tr, err) : status;
    if (status != SAL_OK) {
        prb_transcription_free(tr);
        return status;
    }
    prb_transcription_contact(tr);
    describe(tr);
    *out = tr;
    return SAL_OK;
}

void prb_transcription_free(prb_transcription *tr)
{
    if (tr == NULL) {
        return;
    }
    for (int k = 0; tr->Y != NULL && (k == 0 || k < tr->nthread); k++) {
        sal_free(tr->Y[k]);
    }
    void *const blocks[] = {tr->layout.end,
                            tr->layout.input,
                            tr->layout.linear,
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
                            tr->function_scratch,
                            tr->q,
                            tr->y,
                            tr->Y,
                            tr->r_adr,
                            tr->block,
                            tr->columns,
                            tr->offset,
                            tr->place,
                            tr->sign,
                            tr->plain,
                            tr->point,
                            tr->J_adr,
                            tr->gap,
                            tr->pose};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        sal_free(blocks[i]);
    }
    prb_terms_free(tr);
    prb_hold_free(tr->hold);
    sal_invdyn_free(tr->invdyn);
    prb_actuation_map_free(tr->map);
    sal_model_free(tr->model);
    sal_model_free(tr->model_h);
    sal_model_free(tr->stretch.model);
    sal_model_free(tr->stretch.model_h);
    sal_free(tr);
}
