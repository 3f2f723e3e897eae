/* jacobian_row.c: a row of the Jacobian of a step, from the derivatives of the step's outputs: by
 * the variables of the window's configurations and inputs, by duration, travel, turn and floor. */
#include "base/house.h"
#include "problems/transcribe.h"

#include <string.h>

/* A free duration is held until half of the path: released while the world is soft, the motion
 * slows down or hurries in ways that the hard world does not allow. */
static const double duration_release = 0.5;

bool prb_duration_varies(const prb_transcription *tr)
{
    return tr->at.s <= duration_release;
}

/* dy/d(length of travel), dy/d(its turn): of the images in the window, q_N and q_{-1}.
 * motion: layout.along or layout.around */
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

/* dy/d log(duration): of the time step itself, of the travel tied to it, of what a given velocity
 * carries along. */
static double duration_derivative(const prb_transcription *tr, int t, const double *Yrow)
{
    const int nv = tr->model->nv;
    double sum = Yrow[tr->window];
    if (tr->p->travel == PRB_TRAVEL_SPEED) {
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

static void put_globals(const prb_transcription *tr, int t, double *row, const double *Yrow,
                        double coefficient)
{
    const int window = tr->window, *place = tr->place + t * (window + PRB_NGLOBAL);
    const int duration = place[window + PRB_GLOBAL_DURATION],
              travel = place[window + PRB_GLOBAL_TRAVEL], turn = place[window + PRB_GLOBAL_TURN];
    if (duration >= 0 && prb_duration_varies(tr)) {
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

/* y = s x and y += s x, over n columns */
SAL_CLONES("avx512f", "avx2")
static void set(double *restrict y, double s, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = s * x[i];
    }
}

SAL_CLONES("avx512f", "avx2")
static void add(double *restrict y, double s, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] += s * x[i];
    }
}

/* How much of the window an output may depend on: inputs come last in it, and outputs that
 * depend on them last among those. */
static int reach(const prb_transcription *tr, int index)
{
    return tr->map->driven && index >= tr->out_actuation ? tr->window : 3 * tr->model->nv;
}

void prb_residual_put(const prb_transcription *tr, int t, const double *Y, double *restrict row,
                      int index, double coefficient)
{
    const int configurations = 3 * tr->model->nv, window = reach(tr, index);
    const int *place = tr->place + t * (tr->window + PRB_NGLOBAL);
    const double *sign = tr->sign + t * tr->window;
    const double *restrict Yrow = Y + (size_t)index * (size_t)(tr->window + 1);
    if (tr->plain[t]) {
        add(row, coefficient, Yrow, configurations);
    }
    for (int i = tr->plain[t] ? configurations : 0; i < window; i++) {
        if (place[i] >= 0) {
            row[place[i]] += coefficient * sign[i] * Yrow[i];
        }
    }
    put_globals(tr, t, row, Yrow, coefficient);
}

void prb_residual_set(const prb_transcription *tr, int t, const double *Y, double *restrict row,
                      int index, double coefficient)
{
    const int configurations = 3 * tr->model->nv, ncol = tr->block[t].ncol;
    const double *restrict Yrow = Y + (size_t)index * (size_t)(tr->window + 1),
                           *sign = tr->sign + t * tr->window;
    if (!tr->plain[t]) {
        memset(row, 0, (size_t)ncol * sizeof(double));
        prb_residual_put(tr, t, Y, row, index, coefficient);
        return;
    }
    set(row, coefficient, Yrow, configurations);
    memset(row + configurations, 0, (size_t)(ncol - configurations) * sizeof(double));
    for (int i = configurations; i < reach(tr, index); i++) {
        row[i] = coefficient * sign[i] * Yrow[i];
    }
    put_globals(tr, t, row, Yrow, coefficient);
}

void prb_residual_put_floor(const prb_transcription *tr, int t, double *row, int global,
                            double coefficient)
{
    const int window = tr->window, place = tr->place[t * (window + PRB_NGLOBAL) + window + global];
    if (place >= 0) {
        row[place] += coefficient;
    }
}

/* log(extent) = log(duration) [- log|travel|]; a travel tied to the duration by a speed leaves
 * its ratio to it as it is. */
void prb_residual_put_extent(const prb_transcription *tr, int t, double *row, prb_per per,
                             double coefficient)
{
    const int window = tr->window, *place = tr->place + t * (window + PRB_NGLOBAL);
    if (place[window] >= 0 && prb_duration_varies(tr)) {
        row[place[window]] += coefficient * tr->duration_slope;
    }
    if (place[window + 1] >= 0 && per == PRB_PER_DISTANCE) {
        row[place[window + 1]] -= coefficient * tr->travel_slope / tr->length;
    }
}
