/* refine.c: a first guess from the same problem with fewer steps.
 *
 *     for each level:  N' = N / divisor -> guess from the level before -> solve -> q(k/N') for the
 *                      next
 *
 * Features that count at some steps count at the nearest ones of a coarser motion, tabulated
 * targets are interpolated. Contact with longer steps is softer: a finer level begins its path
 * where contact is soft again.
 */
#include "problems/solve/refine.h"

#include "base/house.h"
#include "problems/states.h"

#include <math.h>
#include <string.h>

static const double soft_again = 0.7; /* softness at which the path of a finer level begins */

/* The problem of a level, and the motion that its guess follows. What it does not own is the
 * original's. */
typedef struct level {
    sal_problem p;
    sal_image image;
    prb_states states;
    /* [noffset x 3] p.init_offset */
    double *offset;
} level;

/* ---- a problem with fewer steps ---- */

static sal_status coarsen_steps(prb_feature *f, int N, int n, sal_err *err)
{
    const int *from = f->step;
    int count = 0;
    f->step = sal_alloc((size_t)f->nstep, sizeof *f->step);
    if (f->step == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a coarse problem");
    }
    for (int i = 0; i < f->nstep; i++) {
        const int step = (int)lround((double)from[i] * n / N);
        if (count == 0 || f->step[count - 1] != step) {
            f->step[count++] = step;
        }
    }
    f->nstep = count;
    return SAL_OK;
}

/* Row k of n + 1 is at k N/n of N + 1. */
static double *coarse_rows(const double *from, int dim, int N, int n, sal_err *err)
{
    double *to = sal_alloc((size_t)(n + 1) * (size_t)dim, sizeof *to);
    if (to == NULL) {
        sal_fail(err, SAL_NOMEM, "out of memory for a coarse problem");
        return NULL;
    }
    for (int k = 0; k <= n; k++) {
        const double at = (double)k * N / n;
        const int row = at < N ? (int)at : N - 1;
        for (int i = 0; i < dim; i++) {
            const double *pair = from + row * dim + i;
            to[k * dim + i] = pair[0] + (at - row) * (pair[dim] - pair[0]);
        }
    }
    return to;
}

/* Of the target and what of it turns with a floor, or of the reference of an orientation, whose
 * quaternions are near enough for straight lines. */
static sal_status coarsen_tables(const sal_model *m, prb_feature *f, int N, int n, sal_err *err)
{
    const bool turns = f->reference != NULL, leans = f->arm != NULL;
    double **own = turns ? &f->reference : &f->target;
    *own = coarse_rows(*own, turns ? 4 * f->nobject : f->dim, N, n, err);
    f->arm = leans ? coarse_rows(f->arm, prb_feature_dim(m, f), N, n, err) : NULL;
    for (int k = 0; turns && *own != NULL && k < (n + 1) * f->nobject; k++) {
        sal_quat_normalise(*own + 4 * k);
    }
    return *own == NULL || (leans && f->arm == NULL) ? SAL_NOMEM : SAL_OK;
}

/* f shares its arrays with the original's, and gets its own of those that depend on the number of
 * steps; NULL where it fails. */
static sal_status coarsen(const sal_model *m, prb_feature *f, int N, int n, sal_err *err)
{
    sal_status status = SAL_OK;
    if (f->nstep > 0) {
        status = coarsen_steps(f, N, n, err);
    } else {
        f->step = NULL;
    }
    if (f->tabulated) {
        const sal_status table = coarsen_tables(m, f, N, n, err);
        status = status == SAL_OK ? table : status;
    }
    return status;
}

static void clear_feature(const prb_feature *f)
{
    sal_free(f->step);
    if (f->tabulated) {
        sal_free(f->reference != NULL ? f->reference : f->target);
        sal_free(f->arm);
    }
}

static void level_clear(level *l)
{
    for (int i = 0; i < l->p.nterm && l->p.term != NULL; i++) {
        clear_feature(&l->p.term[i].feature);
    }
    for (int i = 0; i < l->p.nconstraint && l->p.constraint != NULL; i++) {
        clear_feature(&l->p.constraint[i].feature);
    }
    sal_free(l->p.term);
    sal_free(l->p.constraint);
    l->p.term = NULL;
    l->p.constraint = NULL;
}

/* The problem p with n steps; its guess is that of l->states, if they are there. */
static sal_status level_begin(level *l, const sal_problem *p, int n, sal_err *err)
{
    l->p.nstep = n;
    l->p.term = sal_alloc((size_t)p->nterm, sizeof *p->term);
    l->p.constraint = sal_alloc((size_t)p->nconstraint, sizeof *p->constraint);
    if (l->p.term == NULL || l->p.constraint == NULL) {
        sal_free(l->p.term);
        sal_free(l->p.constraint);
        l->p.term = NULL, l->p.constraint = NULL;
        return sal_fail(err, SAL_NOMEM, "out of memory for a coarse problem");
    }
    sal_status status = SAL_OK;
    for (int i = 0; i < p->nterm; i++) {
        l->p.term[i] = p->term[i];
        const sal_status one = coarsen(p->model, &l->p.term[i].feature, p->nstep, n, err);
        status = status == SAL_OK ? one : status;
    }
    for (int i = 0; i < p->nconstraint; i++) {
        l->p.constraint[i] = p->constraint[i];
        const sal_status one = coarsen(p->model, &l->p.constraint[i].feature, p->nstep, n, err);
        status = status == SAL_OK ? one : status;
    }
    return status;
}

/* ---- from one level to the next ---- */

/* The motion at x becomes the guess of the next level. */
static sal_status keep_motion(level *l, prb_transcription *tr, const double *x, sal_err *err)
{
    sal_problem *p = &l->p;
    const bool cycle = p->boundary == PRB_CYCLE;
    const int nq = p->model->nq, moved = p->nstep + 2, rows = moved + cycle;
    prb_states_clear(&l->states);
    const sal_status status = prb_states_new(&l->states, p->model, rows, p->init_qpos, err);
    if (status != SAL_OK) {
        return status;
    }
    prb_transcription_place(tr, x);
    memcpy(l->states.qpos, tr->q, (size_t)(moved * nq) * sizeof(double));
    if (cycle) { /* q_{N+1} is the image of q_1 */
        sal_image_apply_arc(p->image, p->model, l->states.qpos + moved * nq, tr->q + 2 * nq, 1,
                            tr->length, tr->turn);
    }
    l->states.smooth = true;
    for (int k = 0; k < rows; k++) {
        l->states.time[k] = (double)(k - 1) / p->nstep;
    }
    prb_problem_begin(p, &l->states, tr->length, tr->turn, &tr->floor);
    memcpy(l->offset, tr->offset, 3 * (size_t)p->noffset * sizeof *l->offset);
    p->init_offset = l->offset;
    if (p->duration_range[1] > p->duration_range[0]) {
        p->duration = tr->timestep * p->nstep;
    }
    return SAL_OK;
}

static sal_status solve_level(level *l, const prb_transcription *fine, unsigned long seed,
                              const sal_log *log, prb_refined *refined, sal_err *err)
{
    prb_transcription *tr = NULL;
    sal_optim *optim = NULL;
    double *x = NULL;
    sal_optim_options options = l->p.optim;
    sal_optim_result found = {0};
    prb_smoothing_pace(&l->p, &options);
    options.nthread = fine->nthread;
    options.maxtime /= 2 * l->p.nrefine;
    sal_status status = prb_transcription_new(&tr, &l->p, fine->nthread, err);
    if (status != SAL_OK) {
        return status;
    }
    tr->watcher = fine->watcher;
    tr->nls.progress = fine->nls.progress;
    tr->nls.clock = fine->nls.clock;
    tr->nls.ranks = fine->nls.ranks;
    x = sal_alloc((size_t)tr->layout.nx, sizeof *x);
    status = x == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a coarse motion")
                       : prb_guess_like(tr, &l->p, x, seed, err);
    status = status == SAL_OK ? sal_optim_new(&optim, &tr->nls, &options, err) : status;
    if (status == SAL_OK) {
        const sal_status solved = sal_solve(optim, x, &found, err);
        status = solved == SAL_NOMEM ? solved : keep_motion(l, tr, x, err);
        refined->linearisations += found.linearisations;
        refined->evaluations += found.evaluations;
        refined->factorisations += found.factorisations;
        sal_say(log, SAL_INFO, "%d steps: %s, cost %.6g after %d linearisations", l->p.nstep,
                sal_stop_text(found.stop), found.cost, found.linearisations);
    }
    sal_optim_free(optim);
    prb_transcription_free(tr);
    sal_free(x);
    return status;
}

sal_status prb_refine(prb_transcription *fine, double *x, unsigned long seed, const sal_log *log,
                      prb_refined *refined, sal_err *err)
{
    const sal_problem *p = fine->p;
    level l = {.p = *p, .offset = sal_alloc(3 * (size_t)p->noffset, sizeof *l.offset)};
    sal_status status =
        l.offset == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for markers") : SAL_OK;
    *refined = (prb_refined){0};
    if (p->nrefine > 0) {
        l.p.init_qpos = fine->pose;
    }
    if (p->image != NULL) {
        l.image = *p->image;
        l.p.image = &l.image;
    }
    for (int i = 0; i < p->nrefine && status == SAL_OK; i++) {
        const int n = p->nstep / p->refine[i];
        status = level_begin(&l, p, n > 3 ? n : 3, err);
        status = status == SAL_OK ? solve_level(&l, fine, seed, log, refined, err) : status;
        level_clear(&l);
        l.p.optim.softness = prb_refine_softness(p);
    }
    status = status == SAL_OK ? prb_guess_like(fine, &l.p, x, seed, err) : status;
    sal_free(l.offset);
    prb_states_clear(&l.states);
    return status;
}

double prb_refine_softness(const sal_problem *p)
{
    return p->optim.softness < soft_again ? p->optim.softness : soft_again;
}
