/* layout.c: where every configuration of a motion comes from, and how variables move it.
 *
 *     cycle   q_0 .. q_{N-1} are variables; q_{-1} is the configuration whose image is q_{N-1}, q_N the image of q_0
 *     open    q_0 .. q_N are variables, and the ghost q_{-1} = q_0 (-) h v_0; pinned ones are not
 *
 * Where something counts at the last instant N of an open motion, a configuration q_{N+1} completes its window.
 */
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

static void slots_of_cycle(sal_layout_of_motion *layout, int nstep)
{
    layout->nblock = nstep;
    for (int k = 0; k < nstep; k++) {
        layout->slot[k + 1] = (sal_slot){k, 0};
    }
    layout->slot[0] = (sal_slot){nstep - 1, -1};
    layout->slot[nstep + 1] = (sal_slot){0, 1};
}

static void slots_of_open(sal_layout_of_motion *layout, const sal_problem *p)
{
    layout->nblock = 0;
    for (int k = 0; k < layout->nslot; k++) {
        const bool pinned =
            k == p->nstep + 2 || (k <= 1 && p->start.fixed_pos && (k == 1 || p->start.fixed_vel)) ||
            (k >= p->nstep && p->end.fixed_pos && (k == p->nstep + 1 || p->end.fixed_vel));
        layout->slot[k] = (sal_slot){pinned ? -1 : layout->nblock++, 0};
    }
}

/* Columns of step t: the blocks of its three configurations, ascending and without repetition, then the globals. */
static void columns_of_step(sal_transcription *tr, int t)
{
    const sal_layout_of_motion *layout = &tr->layout;
    const int nv = tr->model->nv, window = 3 * nv + 2;
    int *columns = tr->columns + t * window, *place = tr->place + t * window, start[3], n = 0;
    double *sign = tr->sign + t * 3 * nv;
    tr->plain[t] = 1;
    for (int w = 0; w < 3; w++) {
        const sal_slot *slot = layout->slot + t + w;
        start[w] = -1;
        for (int u = 0; u < w; u++) {
            start[w] =
                slot->block >= 0 && layout->slot[t + u].block == slot->block ? start[u] : start[w];
        }
        if (slot->block >= 0 && start[w] < 0) {
            start[w] = n;
            for (int i = 0; i < nv; i++) {
                columns[n++] = slot->block * nv + i;
            }
        }
        const bool image = slot->image != 0;
        for (int i = 0; i < nv; i++) {
            place[w * nv + i] =
                start[w] < 0 ? -1 : start[w] + (image ? tr->p->image->dof_index[i] : i);
            sign[w * nv + i] = image ? tr->p->image->dof_sign[i] : 1;
        }
        tr->plain[t] = tr->plain[t] && !image && start[w] == w * nv;
    }
    place[3 * nv] = layout->duration < 0 ? -1 : n;
    columns[n] = layout->duration;
    n += layout->duration >= 0;
    place[3 * nv + 1] = layout->travel < 0 ? -1 : n;
    columns[n] = layout->travel;
    n += layout->travel >= 0;
    const sal_class *c = tr->class + tr->class_of[t];
    tr->block[t] =
        (sal_block){.nres = c->nres, .ncol = n, .col = columns, .nseg = c->nseg, .seg = c->segment};
}

sal_status sal_layout_motion(sal_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    sal_layout_of_motion *layout = &tr->layout;
    const size_t nblock = (size_t)tr->nblock, nv = (size_t)p->model->nv;
    layout->nslot = tr->nblock + 2;
    layout->slot = sal_alloc((size_t)layout->nslot, sizeof(sal_slot));
    tr->block = sal_alloc(nblock, sizeof(sal_block));
    tr->columns = sal_alloc(nblock * (3 * nv + 2), sizeof(int));
    tr->place = sal_alloc(nblock * (3 * nv + 2), sizeof(int));
    tr->sign = sal_alloc(nblock * 3 * nv, sizeof(double));
    tr->plain = sal_alloc(nblock, 1);
    tr->J_adr = sal_alloc(nblock + 1, sizeof(size_t));
    tr->r_adr = sal_alloc(nblock + 1, sizeof(size_t));
    if (layout->slot == NULL || tr->J_adr == NULL || tr->r_adr == NULL || tr->block == NULL ||
        tr->columns == NULL || tr->place == NULL || tr->sign == NULL || tr->plain == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a motion of %d steps", p->nstep);
    }
    if (p->boundary == SAL_CYCLE) {
        slots_of_cycle(layout, p->nstep);
    } else {
        slots_of_open(layout, p);
    }
    layout->nvar = layout->nblock * p->model->nv;
    layout->duration = p->duration_range[1] > p->duration_range[0] ? layout->nvar++ : -1;
    layout->travel = p->boundary == SAL_CYCLE && p->travel == SAL_TRAVEL_FREE ? layout->nvar++ : -1;
    layout->nx =
        layout->nblock * p->model->nq + 2; /* log(duration) and travel always have their place */
    for (int t = 0; t < tr->nblock; t++) {
        columns_of_step(tr, t);
        const size_t nres = (size_t)tr->block[t].nres;
        tr->r_adr[t + 1] = tr->r_adr[t] + nres;
        tr->J_adr[t + 1] = tr->J_adr[t] + nres * (size_t)tr->block[t].ncol;
    }
    return SAL_OK;
}

/* A global that has to stay in a range [mid - half, mid + half] is the image of a variable u that need not:
 *     value = mid + half tanh((u - mid)/half),     slope = d value/du = 1 - tanh^2
 * so that no step is cut at a bound, which would leave the configurations behind that moved with it. */
double sal_bounded(const double range[2], double u, double *slope)
{
    const double mid = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]);
    if (!isfinite(half)) {
        *slope = 1;
        return u;
    }
    const double t = tanh((u - mid) / half);
    *slope = 1 - t * t;
    return mid + half * t;
}

/* The u of a value; a value at a bound, whose u is infinite, is taken to lie a hundredth of the range inside. */
double sal_bounded_inverse(const double range[2], double value)
{
    const double mid = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]), most = 0.98;
    return !isfinite(half) ? value
                           : mid + half * atanh(fmin(fmax((value - mid) / half, -most), most));
}

/* Configurations move in their tangent spaces; the globals add. */
void sal_layout_retract(void *ctx, double *out, const double *x, const double *d)
{
    const sal_transcription *tr = ctx;
    const sal_layout_of_motion *layout = &tr->layout;
    const sal_problem *p = tr->p;
    const int nq = p->model->nq, nv = p->model->nv, globals = layout->nblock * nq;
    for (int b = 0; b < layout->nblock; b++) {
        sal_integrate_pos(p->model, out + b * nq, x + b * nq, d + b * nv, 1);
    }
    out[globals] = x[globals] + (layout->duration >= 0 ? d[layout->duration] : 0);
    out[globals + 1] = x[globals + 1] + (layout->travel >= 0 ? d[layout->travel] : 0);
}

/* q_{-1} of a pinned start: q_0 (+) (-h v_0); likewise q_{N-1} of a pinned end. */
static void place_pinned(sal_transcription *tr, int k, double *q)
{
    const sal_problem *p = tr->p;
    const bool start = k <= 1;
    const sal_endpoint *end = start ? &p->start : &p->end;
    const bool ghost = start ? k == 0 : k == p->nstep;
    if (ghost) {
        sal_integrate_pos(p->model, q, end->qpos, end->qvel, -tr->timestep);
    } else {
        memcpy(q, end->qpos, (size_t)p->model->nq * sizeof(double));
    }
}

void sal_transcription_place(sal_transcription *tr, const double *x)
{
    const sal_problem *p = tr->p;
    const sal_layout_of_motion *layout = &tr->layout;
    const int nq = p->model->nq, globals = layout->nblock * nq;
    const double range[2] = {log(p->duration_range[0]), log(p->duration_range[1])};
    const double duration = layout->duration >= 0
                                ? exp(sal_bounded(range, x[globals], &tr->duration_slope))
                                : p->duration;
    const double travel = layout->travel >= 0
                              ? sal_bounded(p->travel_range, x[globals + 1], &tr->travel_slope)
                              : p->travel_value;
    tr->timestep = duration / p->nstep;
    tr->length = p->travel == SAL_TRAVEL_SPEED ? p->travel_value * duration : travel;
    if (tr->model->opt.timestep != tr->timestep) {
        tr->model->opt.timestep = tr->timestep;
        sal_smoothing_apply(p, &tr->at, tr->model);
    }
    for (int k = 0; k < layout->nslot; k++) {
        const sal_slot *slot = layout->slot + k;
        double *q = tr->q + k * nq;
        const double *block = x + slot->block * nq;
        if (k ==
            p->nstep + 2) { /* q_{N+1}: nothing that counts at the last instant depends on it */
            memcpy(q, q - nq, (size_t)nq * sizeof(double));
        } else if (slot->block < 0) {
            place_pinned(tr, k, q);
        } else if (slot->image == 0) {
            memcpy(q, block, (size_t)nq * sizeof(double));
        } else if (slot->image > 0) {
            sal_image_apply(p->image, p->model, q, block, tr->length);
        } else {
            sal_image_apply_inverse(p->image, p->model, q, block, tr->length);
        }
    }
}
