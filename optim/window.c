/* window.c: the constraints are met in a few windows of blocks, while all others stand still.
 *
 * A projection that crawls has mostly come to kinks in a few places. The damping of all is then
 * that of the worst of them, and each step costs as much as all blocks do. So each place is
 * projected as a problem of its own:
 *
 *     blocks      first .. first+n-1: those that keep more than a share of the largest violation,
 *                 and BESIDE of them on either side
 *     variables   those that no other block feels
 *
 * A step costs by the length of its window, and has the damping that this window needs. What blocks
 * beside it violate, a window may keep: that share of the largest violation is near enough. Where
 * its steps do not come so near, they do with a part of the window softened, which hardens again
 * (stretch.c). A window where that fails, too, or some of it stays soft, stays as it was.
 *
 * Once few blocks of a long motion violate any constraint, their windows are solved to the end: the
 * last digits of all others are known.
 *
 * The share is a hundredth, and twice as much, again and again, while windows are too long
 * together: then these are the worst places.
 */
#include "base/house.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double SHARE = 0.01; /* of the largest violation; then twice as much, and so on */
static const double LONG = 0.5;   /* share of all blocks; more of them are better solved at once */
static const double FEW = 0.3;    /* the same where nothing crawls */
enum { BESIDE = 30 };             /* blocks */
enum { HARD_MOST = 60, SOFT_MOST = 300 }; /* linearisations of a window */

typedef struct opt_window {
    sal_optim *o;
    /* what its solver sees, and that */
    sal_nls nls;
    sal_optim *solver;
    int first, n;
    /* the violation that it may keep */
    double enough;
    /* [n] */
    sal_block *block;
    /* of the columns of its blocks: variables, and places among the columns of the whole's block */
    int *col, *place;
    /* [nvar of the whole] the window's variable, or -1; and the other way round */
    int *inner, *outer;
    /* [as outer] as in sal_nls */
    unsigned char *linear;
    /* [nblock of the whole] */
    unsigned char *soft;
    /* [nvar of the whole] a step, zero outside */
    double *d;
    /* [workers of the whole x part_room] of a part of its blocks */
    double *J;
    size_t part_room;
    /* [nx] */
    double *x;
} opt_window;

/* ---- what its solver calls ---- */

static void retract(void *ctx, double *out, const double *x, const double *d)
{
    const opt_window *w = ctx;
    const sal_nls *whole = w->o->nls;
    for (int i = 0; i < w->nls.nvar; i++) {
        w->d[w->outer[i]] = d[i];
    }
    whole->retract(whole->ctx, out, x, w->d);
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const opt_window *w = ctx;
    const sal_nls *whole = w->o->nls;
    return whole->residual_part(whole->ctx, r, x, w->first, w->n, err);
}

static void place(void *ctx, const double *x)
{
    const opt_window *w = ctx;
    w->o->nls->place(w->o->nls->ctx, x);
}

static sal_status linearise_part(void *ctx, double *r, double *J, int first, int n, int worker,
                                 sal_err *err)
{
    const opt_window *w = ctx;
    const sal_nls *whole = w->o->nls;
    double *all = w->J + (size_t)worker * w->part_room;
    const sal_status status =
        whole->linearise_part(whole->ctx, r, all, w->first + first, n, worker, err);
    const double *row = all;
    for (int b = first; b < first + n && status == SAL_OK; b++) {
        const sal_block *block = &w->block[b];
        const int *place = w->place + (block->col - w->col);
        for (int i = 0; i < block->nres; i++, row += whole->block[w->first + b].ncol) {
            for (int k = 0; k < block->ncol; k++) {
                *J++ = row[place[k]];
            }
        }
    }
    return status;
}

static sal_status stage(void *ctx, double softness, double smoothing, double *x, sal_err *err)
{
    const opt_window *w = ctx;
    return w->o->nls->stage(w->o->nls->ctx, softness, smoothing, x, err);
}

static sal_status soften(void *ctx, const unsigned char *soft, double softness, sal_err *err)
{
    const opt_window *w = ctx;
    if (soft != NULL) {
        memcpy(w->soft + w->first, soft, (size_t)w->n);
    }
    return w->o->nls->soften(w->o->nls->ctx, soft == NULL ? NULL : w->soft, softness, err);
}

/* The user hears of the whole, but for the violation. */
static bool progress(void *ctx, const sal_progress *p)
{
    const opt_window *w = ctx;
    sal_progress told = *p;
    told.linearisation = w->o->state.count.linearisations;
    told.cost = w->o->now.cost;
    return w->o->nls->progress(w->o->nls->ctx, &told);
}

/* ---- its blocks and variables ---- */

/* 1 for the variables that only blocks of the window feel, -1 for others */
static void mark_variables(const opt_window *w)
{
    const sal_nls *whole = w->o->nls;
    for (int b = 0; b < whole->nblock; b++) {
        const bool inside = b >= w->first && b < w->first + w->n;
        for (int i = 0; i < whole->block[b].ncol; i++) {
            int *mark = w->inner + whole->block[b].col[i];
            *mark = !inside || *mark < 0 ? -1 : 1;
        }
    }
}

static void number_variables(opt_window *w)
{
    const sal_nls *whole = w->o->nls;
    mark_variables(w);
    for (int v = 0; v < whole->nvar; v++) {
        if (w->inner[v] <= 0) {
            w->inner[v] = -1;
            continue;
        }
        const int i = w->nls.nvar++;
        w->inner[v] = i;
        w->outer[i] = v;
        w->linear[i] = whole->linear != NULL && whole->linear[v];
    }
}

static void list_blocks(opt_window *w)
{
    int at = 0;
    for (int b = 0; b < w->n; b++) {
        const sal_block *from = &w->o->nls->block[w->first + b];
        sal_block *block = &w->block[b];
        *block = *from;
        block->col = w->col + at;
        block->ncol = 0;
        for (int i = 0; i < from->ncol; i++) {
            if (w->inner[from->col[i]] >= 0) {
                w->col[at] = w->inner[from->col[i]];
                w->place[at++] = i;
                block->ncol++;
            }
        }
    }
}

static void describe(opt_window *w)
{
    const sal_nls *whole = w->o->nls;
    number_variables(w);
    list_blocks(w);
    w->nls = (sal_nls){.ctx = w,
                       .nx = whole->nx,
                       .nvar = w->nls.nvar,
                       .nblock = w->n,
                       .block = w->block,
                       .retract = retract,
                       .residual = residual,
                       .place = place,
                       .linearise_part = linearise_part,
                       .part = whole->part,
                       .nworker = whole->nworker,
                       .stage = whole->stage == NULL ? NULL : stage,
                       /* where the whole has a soft stretch, that remains */
                       .soften = whole->soften == NULL || w->o->state.stretching ? NULL : soften,
                       .linear = whole->linear == NULL ? NULL : w->linear,
                       .progress = whole->progress == NULL ? NULL : progress,
                       .clock = whole->clock};
}

/* Numbers of the largest Jacobian of a part */
static size_t largest_part(const opt_window *w)
{
    const sal_nls *whole = w->o->nls;
    size_t most = 0;
    for (int b = w->first; b < w->first + w->n; b++) {
        const size_t n = (size_t)whole->block[b].nres * (size_t)whole->block[b].ncol;
        most = n > most ? n : most;
    }
    return most * (size_t)(whole->part > 0 && whole->part < w->n ? whole->part : w->n);
}

static void place_all(opt_window *w, sal_layout *layout)
{
    const sal_nls *whole = w->o->nls;
    const size_t nvar = (size_t)whole->nvar, n = (size_t)w->n,
                 nworker = (size_t)(whole->nworker > 1 ? whole->nworker : 1);
    size_t ncol = 0;
    for (int b = w->first; b < w->first + w->n; b++) {
        ncol += (size_t)whole->block[b].ncol;
    }
    w->block = sal_layout_take(layout, n, sizeof *w->block);
    w->col = sal_layout_take(layout, ncol, sizeof(int));
    w->place = sal_layout_take(layout, ncol, sizeof(int));
    w->inner = sal_layout_take(layout, nvar, sizeof(int));
    w->outer = sal_layout_take(layout, nvar, sizeof(int));
    w->linear = sal_layout_take(layout, nvar, 1);
    w->soft = sal_layout_take(layout, (size_t)whole->nblock, 1);
    w->d = sal_layout_take(layout, nvar, sizeof(double));
    w->part_room = largest_part(w);
    w->J = sal_layout_take(layout, w->part_room * nworker, sizeof(double));
    w->x = sal_layout_take(layout, (size_t)whole->nx, sizeof(double));
}

/* ---- its solution ---- */

static sal_status begin(opt_window *w, sal_err *err)
{
    sal_optim_options options = w->o->options;
    options.factor = opt_factor_chosen(w->o->factor);
    options.tolerance = 1; /* the last steps are taken by the whole */
    options.log = NULL;
    if (sal_ranks_are_many(w->o->nls->ranks)) { /* each rank solves it, to the same bits */
        options.maxtime = 0;
        w->nls.progress = NULL;
    }
    const sal_status status = sal_optim_new(&w->solver, &w->nls, &options, err);
    if (status == SAL_OK) {
        w->solver->enough = w->enough;
        w->solver->window = true;
    }
    return status;
}

typedef sal_status projection(sal_optim *optim, double *x, sal_optim_result *result, sal_err *err);

/* One attempt from where the whole is: at most so many linearisations. */
static sal_status attempt(opt_window *w, projection *project, int most, sal_optim_result *found,
                          sal_err *err)
{
    sal_optim_result *count = &w->o->state.count;
    sal_clock *const clock = w->nls.clock, before = clock == NULL ? (sal_clock){0} : *clock;
    memcpy(w->x, w->o->now.x, (size_t)w->nls.nx * sizeof(double));
    w->solver->options.maxiter = most;
    if (w->solver->options.maxtime > 0) { /* what is left of it */
        w->solver->options.maxtime = fmax(w->o->options.maxtime - opt_elapsed(w->o), 1e-3);
    }
    const sal_status status = project(w->solver, w->x, found, err);
    for (int i = 0; i < SAL_NWORK && clock != NULL; i++) {
        clock->seconds[i] += before.seconds[i];
    }
    const int nblock = w->o->nls->nblock;
    count->linearisations += (int)(((long)found->linearisations * w->n + nblock - 1) / nblock);
    count->evaluations += found->evaluations;
    count->factorisations += found->factorisations;
    const sal_status back = opt_point_stage(w->o, 0, 0, err); /* with nothing of this softened */
    return status == SAL_OK ? back : status;
}

static bool is_halted(const sal_optim_result *found)
{
    return found->stop == SAL_STOP_INTERRUPTED || found->stop == SAL_STOP_MAXTIME;
}

/* Where it comes near enough to its constraints, the whole is moved there. */
static sal_status solve(opt_window *w, opt_window_end *end, sal_err *err)
{
    sal_optim_result found;
    sal_status status = attempt(w, sal_solve_nearest, HARD_MOST, &found, err);
    const double enough = w->enough;
    if (status == SAL_OK && found.violation > enough && w->nls.soften != NULL &&
        !is_halted(&found)) {
        status = attempt(w, sal_solve_softening, SOFT_MOST, &found, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    const bool met = found.violation <= enough && found.softness == 0;
    if (met) {
        memcpy(w->o->now.x, w->x, (size_t)w->nls.nx * sizeof(double));
    }
    sal_say(w->o->options.log, SAL_DEBUG,
            "blocks %d to %d, projected apart: violation %.3g (wanted: at most %.3g), %s", w->first,
            w->first + w->n - 1, found.violation, enough, sal_stop_text(found.stop));
    *end = is_halted(&found) ? OPT_WINDOW_HALTED : met ? OPT_WINDOW_MET : OPT_WINDOW_FAILED;
    return SAL_OK;
}

static sal_status solve_window(sal_optim *o, int first, int n, double enough, opt_window_end *end,
                               sal_err *err)
{
    opt_window w = {.o = o, .first = first, .n = n, .enough = enough};
    sal_layout layout = {0};
    place_all(&w, &layout);
    void *memory = sal_alloc(layout.size, 1);
    if (memory == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a window of %d blocks", n);
    }
    layout = (sal_layout){.base = memory};
    place_all(&w, &layout);
    describe(&w);
    *end = OPT_WINDOW_FAILED;
    sal_status status = SAL_OK;
    if (w.nls.nvar > 0) {
        status = begin(&w, err);
        status = status == SAL_OK ? solve(&w, end, err) : status;
        sal_optim_free(w.solver);
    }
    sal_free(memory);
    return status;
}

/* ---- which there are ---- */

/* in [nblock+1]: 1 in windows, around blocks that violate by more than `enough`; returns how many
 * blocks that are. */
static int mark_windows(const sal_optim *o, double enough, unsigned char *in)
{
    const sal_nls *nls = o->nls;
    const double *r = o->now.r;
    int n = 0;
    memset(in, 0, (size_t)nls->nblock + 1);
    for (int b = 0; b < nls->nblock; r += nls->block[b++].nres) {
        if (opt_point_violation_of(&nls->block[b], r) <= enough) {
            continue;
        }
        const int end = b + BESIDE + 1 < nls->nblock ? b + BESIDE + 1 : nls->nblock;
        for (int k = b > BESIDE ? b - BESIDE : 0; k < end; k++) {
            n += !in[k];
            in[k] = 1;
        }
    }
    return n;
}

/* The windows of as many of the worst places as are not too long together; at least of those with
 * more than a share `most` of the largest violation. *enough: what they may keep. Returns how many
 * blocks they are; 0: none, or too many. */
static int choose_windows(const sal_optim *o, double most, double *enough, unsigned char *in)
{
    int n;
    double share = SHARE;
    do {
        *enough = fmax(1, share * o->now.violation);
        n = mark_windows(o, *enough, in);
        share *= 2;
    } while (n >= LONG * o->nls->nblock && share <= most);
    return n < LONG * o->nls->nblock ? n : 0;
}

/* *end: the worst of all. `now` is valued afterwards. */
static sal_status solve_windows(sal_optim *o, const unsigned char *in, double enough,
                                opt_window_end *end, sal_err *err)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_REST);
    sal_status status = SAL_OK;
    *end = OPT_WINDOW_MET;
    for (int b = 0; b < o->nls->nblock && status == SAL_OK && *end != OPT_WINDOW_HALTED; b++) {
        const int first = b;
        while (in[b]) {
            b++;
        }
        if (b > first) {
            opt_window_end one = OPT_WINDOW_FAILED;
            status = solve_window(o, first, b - first, enough, &one, err);
            *end = one > *end ? one : *end;
        }
    }
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    sal_clock_turn(o->nls->clock, before);
    return status;
}

/* [nblock+1] of marks */
static sal_status take_marks(const sal_optim *o, unsigned char **in, sal_err *err)
{
    *in = sal_alloc((size_t)o->nls->nblock + 1, 1);
    return *in == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for %d blocks", o->nls->nblock)
                       : SAL_OK;
}

sal_status opt_window_project(sal_optim *o, double most, opt_window_end *end, sal_err *err)
{
    *end = OPT_WINDOW_NONE;
    if (!o->has_places) {
        return SAL_OK;
    }
    double enough;
    unsigned char *in;
    sal_status status = take_marks(o, &in, err);
    if (status == SAL_OK && choose_windows(o, most, &enough, in) > 0) {
        status = solve_windows(o, in, enough, end, err);
    }
    sal_free(in);
    return status;
}

sal_status opt_window_finish(sal_optim *o, opt_window_end *end, sal_err *err)
{
    *end = OPT_WINDOW_NONE;
    if (!o->is_long || o->window) {
        return SAL_OK;
    }
    unsigned char *in;
    sal_status status = take_marks(o, &in, err);
    const int n = status == SAL_OK ? mark_windows(o, 1, in) : 0;
    if (n > 0 && n < FEW * o->nls->nblock) {
        status = solve_windows(o, in, 1, end, err);
    }
    sal_free(in);
    return status;
}
