/* finish.c: a motion that was found with the contacts of the smoothing table and long steps,
 * brought into the model as it is.
 *
 *     sal_problem_finish
 *         { gentle: the motion with the model's step and its own contacts, which begin with the
 *                   impedance 0
 *           -> settle: stepped forward in the model as it is, with feedback about it
 *           -> close: brought onto the constraints of the model as it is, each contact held as it
 *                     is in that motion
 *           -> and from there to where the cost is least }
 *         keep: that motion; with finish="try" the one that was found, where that one is as asked
 *               and the other is not, or it comes nearer
 *
 * Contacts of MuJoCo begin with a jump: with the impedance d0 of their solimp, .9 where nothing
 * else is given. No search by derivatives sees what a foot that comes a step earlier would meet. So
 * the motion is first sought where contacts differ from the model's in that alone. Forward dynamics
 * then decide the rest, instant by instant: under feedback (gains.c) a cycle settles to another
 * close by, whose last period differs a little from the one before. Sometimes it never does, since
 * a foot lands a step earlier or later each time. So which contact acts at which step is taken from
 * there and held (problems/hold.c), which leaves nothing that jumps, and the optimizer makes up for
 * the difference. For the same reason the gentle motion need not be quite physical; where feedback
 * does not hold it at all, its own contacts are held. Nothing has to settle where no contact and no
 * limit jumps.
 */
#include "problems/result/diagnose.h"
#include "runs/again.h"
#include "runs/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double JUMP = 0.05; /* of the impedance: a smaller one does not hinder the search */
static const double HARD_FRICTION = 10; /* impratio beyond which friction does */
static const double FAR = 0.5;    /* m, rad: a rollout that strays so far has lost the motion */
static const double EXACT = 1e-9; /* m, rad: a period that repeats itself so is one of a cycle */
static const double ROUGH =
    0.5; /* of the weight: if no more is missing, feedback makes up for it */
enum { PERIODS = 60, ITERATIONS = 100 };
/* With finish="try": the most that may be linearised, time steps x degrees of freedom. Each takes 4
 * to 18 microseconds, so this is at most a minute on one thread. Of the robots of docs/robots.md
 * that were measured, those that can be finished take 4e4 to 2.7e6. */
static const double WORK = 3e6;

/* The contacts with which the motion is sought first: those of the smoothing table, or the model's,
 * made gentle, the penetration over which their impedance rises at least `width`, m (a foot that
 * comes down at 1 m/s goes through the usual millimetre in a step); and the increments of its path:
 * a path of other increments often passes where one has failed. */
static const struct {
    bool table;
    double width;
    const char *increments;
} tries[] = {
    {false, 0, "59"}, {false, 0.01, "90"}, {false, 0, "30"}, {true, 0, "59"}, {false, 0.01, "120"}};
enum { TRIES = sizeof tries / sizeof *tries };

typedef struct finisher {
    const sal_problem *p;
    const sal_watch *watch;
    int nthread;
    /* what it begins with; it is kept to the end, for best may be it */
    sal_result *found;
    /* time steps that may still be linearised; infinite: as many as it takes */
    double left;
    /* the model's own contacts jump: they are made gentle at first */
    bool jumping;
    /* of the finished motion, as the problem's file counts them: of a mirrored cycle half */
    int nstep;
    double duration;
    /* the motion so far; the contacts with which it is physical; why it goes no farther */
    sal_result *best;
    /* one that is nearly physical, at the last try; NULL: best is of that try */
    sal_result *rough;
    /* that of the last try, closed; NULL: none */
    sal_result *closed;
    const char *reached;
    char why[300];
} finisher;

static void say(const finisher *f, const char *text)
{
    if (f->watch != NULL) {
        sal_say(f->watch->log, SAL_INFO, "finish: %s", text);
    }
}

/* ---- the problem in the model as it is ---- */

static bool jumps(const sal_model *m)
{
    bool any = m->opt.cone == SAL_CONE_ELLIPTIC && m->opt.impratio > HARD_FRICTION;
    for (int i = 0; i < m->npair; i++) {
        any = any || m->pair_solimp[5 * i] > JUMP;
    }
    for (int j = 0; j < m->njnt; j++) {
        any = any || (m->jnt_limited[j] && m->jnt_solimp[5 * j] > JUMP);
    }
    return any;
}

/* The problem with the model's step and contacts, the duration of the motion found. */
static sal_status make_fine(const finisher *f, sal_problem **fine, bool table, bool gentle,
                            const char *increments, sal_err *err)
{
    char nstep[24], duration[32], range[64];
    snprintf(nstep, sizeof nstep, "%d", f->nstep);
    snprintf(duration, sizeof duration, "%.17g", f->duration);
    snprintf(range, sizeof range, "%.17g %.17g", f->duration, f->duration);
    const sal_setting setting[] = {
        {"time/nstep", nstep},    {"time/duration", duration},
        {"time/range", range},    {"solver/contact", table ? "table" : "model"},
        {"solver/softness", "1"}, {"solver/increments", increments}};
    const sal_status status =
        prb_problem_again(fine, f->p, setting, sizeof setting / sizeof setting[0], gentle, err);
    if (status == SAL_OK) {
        sal_problem_free((*fine)->half); /* the whole cycle is at hand */
        (*fine)->half = NULL;
        (*fine)->nrefine = 0;
        (*fine)->seed = f->p->seed;
        (*fine)->optim.maxiter = (int)fmin((*fine)->optim.maxiter, ceil(f->left / f->nstep));
    }
    return status;
}

/* ---- what a solve of it brings ---- */

/* The work of the motion so far is counted with that of the new one, which takes its place. */
static sal_status replace(finisher *f, sal_result *r, sal_err *err)
{
    sal_status status = f->closed == NULL ? SAL_OK : prb_result_continue(r, f->closed, err);
    status = status == SAL_OK ? run_continue(r, f->best, err) : status;
    sal_result *other = status == SAL_OK ? f->best : r;
    f->best = status == SAL_OK ? r : f->best;
    if (other != f->found) {
        sal_result_free(other);
    }
    return status;
}

static void keep_rough(finisher *f, sal_result *r)
{
    sal_result_free(f->rough);
    f->rough = r;
}

/* To the search, and evaluated anew, with other rounding, as it is judged. */
static bool is_physical(const sal_result *r)
{
    return run_is_physical(r) && sal_result_violation(r) <= 1;
}

/* Solves it. *r NULL: that failed, why says so. */
static sal_status run(finisher *f, const sal_problem *fine, sal_result **r, sal_err *err)
{
    const sal_watch watch = run_watch_within(f->watch);
    *r = NULL;
    sal_err why = {0};
    const sal_status status = sal_problem_solve(r, fine, f->nthread, &watch, &why);
    if (status == SAL_NOMEM || status == SAL_INTERRUPTED) {
        return sal_fail(err, status, "%s", why.message);
    }
    if (status != SAL_OK) {
        snprintf(f->why, sizeof f->why, "%.250s", why.message);
        return SAL_OK;
    }
    if ((*r)->optim.stop == SAL_STOP_INTERRUPTED) {
        sal_result_free(*r);
        *r = NULL;
        return sal_fail(err, SAL_INTERRUPTED, "interrupted while the motion was finished");
    }
    f->left -= (double)(*r)->optim.linearisations * f->nstep;
    if (!is_physical(*r)) {
        snprintf(f->why, sizeof f->why, "%s, %.2g of the weight missing at the worst instant",
                 (*r)->status, (*r)->relative_to_weight);
    }
    return SAL_OK;
}

/* Solves it; a physical motion takes the place of the best, unless its contacts are wider than any
 * that were asked for; such a one, or one that is nearly physical, is rough. */
static sal_status solve(finisher *f, const sal_problem *fine, bool wide, bool *physical,
                        sal_err *err)
{
    sal_result *r;
    const sal_status status = run(f, fine, &r, err);
    *physical = r != NULL && is_physical(r);
    if (*physical && !wide) {
        return replace(f, r, err);
    }
    const bool rough = r != NULL && r->relative_to_weight <= ROUGH;
    keep_rough(f, rough ? r : NULL);
    if (!rough) {
        sal_result_free(r);
    }
    return status;
}

/* ---- gentle ---- */

static void widen(sal_model *m, double width)
{
    for (int i = 0; i < m->npair; i++) {
        m->pair_solimp[5 * i + 2] = fmax(m->pair_solimp[5 * i + 2], width);
    }
}

static sal_status find(finisher *f, int k, bool *physical, sal_err *err)
{
    const bool table = tries[k].table, wide = f->jumping && tries[k].width > 0;
    const char *contacts = table        ? "contacts of the smoothing table"
                           : wide       ? "contacts that begin with the impedance 0, 1 cm wide"
                           : f->jumping ? "contacts that begin with the impedance 0"
                                        : "contacts of the model";
    sal_problem *fine = NULL;
    char text[120];
    *physical = false;
    snprintf(text, sizeof text, "%d steps of %.6g s, %s", f->nstep, f->duration / f->nstep,
             contacts);
    say(f, text);
    sal_status status = make_fine(f, &fine, table, f->jumping && !table, tries[k].increments, err);
    if (status != SAL_OK) {
        return status;
    }
    widen(fine->model, wide ? tries[k].width : 0);
    status = run_begin_from(fine, f->best, err);
    status = status == SAL_OK ? solve(f, fine, wide, physical, err) : status;
    f->reached = *physical && !wide ? contacts : f->reached;
    sal_problem_free(fine);
    return status;
}

/* ---- settle ---- */

/* Row i >= 0 of a rollout from the motion of r: row 0 is where it began. */
static const double *rolled(const sal_result *r, const sal_rollout *rollout, int i)
{
    return i == 0 ? r->qpos : rollout->qpos + (size_t)(i - 1) * (size_t)r->model->nq;
}

/* Largest difference between the configurations of rows (k + 1) N and the images of rows k N, and
 * of the rows that follow them. */
static double mismatch(const sal_result *r, const sal_rollout *rollout, int k, double *image,
                       double *e)
{
    double most = 0;
    for (int i = 0; i < 2; i++) {
        sal_image_apply(r->image, r->model, image, rolled(r, rollout, k * r->nstep + i),
                        prb_result_length(r));
        sal_differentiate_pos(r->model, e, 1, image, rolled(r, rollout, (k + 1) * r->nstep + i));
        for (int j = 0; j < r->model->nv; j++) {
            most = fmax(most, fabs(e[j]));
        }
    }
    return most;
}

/* The configuration `row` of a rollout, k periods back. */
static void put_row(const sal_result *r, const sal_rollout *rollout, int row, int k, double *out,
                    double *scratch)
{
    const size_t size = (size_t)r->model->nq * sizeof(double);
    memcpy(out, rolled(r, rollout, row), size);
    for (int i = 0; i < k; i++) {
        memcpy(scratch, out, size);
        sal_image_apply_inverse(r->image, r->model, out, scratch, prb_result_length(r));
    }
}

/* The period of the rollout that repeats itself best, as rows -1 .. N + 1; of an open motion all
 * of it, rows -1 .. N. */
static sal_status take_period(prb_states *states, const sal_result *r, const sal_rollout *rollout,
                              double *repeats, sal_err *err)
{
    const sal_model *m = r->model;
    const int N = r->nstep, last = rollout->nstep;
    const bool cycle = r->image != NULL;
    double *scratch = sal_alloc((size_t)m->nq + (size_t)m->nv, sizeof *scratch);
    sal_status status = scratch == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a period")
                                        : prb_states_new(states, m, N + 2 + cycle, r->qpos, err);
    int best = 0;
    *repeats = cycle ? (double)INFINITY : 0;
    for (int k = 1; status == SAL_OK && cycle && (k + 1) * N + 1 <= last; k++) {
        const double apart = mismatch(r, rollout, k, scratch, scratch + m->nq);
        best = apart < *repeats ? k : best;
        *repeats = fmin(apart, *repeats);
    }
    for (int i = 0; i < states->nrow && status == SAL_OK; i++) {
        double *row = states->qpos + (size_t)i * (size_t)m->nq;
        states->time[i] = (double)(i - 1) / N;
        if (best == 0 && i == 0) {
            memcpy(row, r->qpos_before, (size_t)m->nq * sizeof(double));
        } else {
            put_row(r, rollout, best * N + i - 1, best, row, scratch);
        }
    }
    sal_free(scratch);
    states->smooth = true;
    return status;
}

/* The motion of the last try */
static const sal_result *last_of(const finisher *f)
{
    return f->rough != NULL ? f->rough : f->best;
}

/* The model with steps to the last digit, not only to the tolerance of its solver; nothing reads
 * its sensors. */
static sal_status make_thorough(sal_model **thorough, const sal_model *m, sal_err *err)
{
    const sal_status status = sal_model_copy(thorough, m, err);
    if (status == SAL_OK) {
        (*thorough)->opt.solver = SAL_SOLVER_NEWTON;
        (*thorough)->opt.tolerance = 0;
        (*thorough)->opt.iterations = ITERATIONS;
        (*thorough)->opt.disable |= SAL_DSBL_SENSOR;
    }
    return status;
}

/* Steps the gentle motion, physical or rough, forward in the model as it is. *repeats: itself
 * within so much; infinite: it strays. */
static sal_status settle(finisher *f, const sal_model *own, prb_states *states, double *repeats,
                         sal_err *err)
{
    sal_gains *gains = NULL;
    sal_rollout rollout = {0};
    const sal_result *r = last_of(f);
    const bool cycle = r->image != NULL;
    sal_err why = {0};
    *repeats = (double)INFINITY;
    sal_status status = sal_gains_new(&gains, r, &why);
    if (status == SAL_DIVERGED || status == SAL_UNSUPPORTED) {
        snprintf(f->why, sizeof f->why, "no feedback holds it: %.200s", why.message);
        return SAL_OK;
    }
    if (status != SAL_OK) {
        return sal_fail(err, status, "%s", why.message);
    }
    const sal_rollout_options options = {.time = (cycle ? PERIODS * r->nstep + 2 : r->nstep) *
                                                 r->timestep,
                                         .tolerance = FAR,
                                         .gains = gains};
    status = sal_result_roll(&rollout, r, own, &options, err);
    if (status == SAL_OK && (rollout.diverged || rollout.joint_departs >= 0)) {
        const int k = rollout.joint_departs >= 0 ? rollout.joint_departs : rollout.nstep - 1;
        snprintf(f->why, sizeof f->why,
                 "in the model as it is the motion is lost after %.3g s, though feedback holds it",
                 k >= 0 ? rollout.time[k] : 0);
    } else if (status == SAL_OK) {
        status = take_period(states, r, &rollout, repeats, err);
    }
    if (status == SAL_OK && isfinite(*repeats)) {
        char text[120];
        snprintf(text, sizeof text, "stepped forward, it repeats itself within %.2g", *repeats);
        say(f, text);
    }
    sal_gains_free(gains);
    sal_rollout_clear(&rollout);
    return status;
}

/* ---- close ---- */

/* Contacts and limits that are near their begin are held as they are in these states, and kept on
 * their side of it, while the motion is brought onto the constraints: then nothing jumps. If that
 * succeeds, the states become those of that motion. */
static sal_status close(finisher *f, prb_states *states, sal_err *err)
{
    sal_problem *held = NULL;
    sal_result *r = NULL;
    sal_status status = make_fine(f, &held, false, false, tries[0].increments, err);
    status = status == SAL_OK ? run_begin_with(held, states, last_of(f), err) : status;
    status = status == SAL_OK ? prb_keep_sides(held, err) : status;
    if (status == SAL_OK) {
        held->held = held->once = true;
        status = run(f, held, &r, err);
    }
    if (r != NULL && is_physical(r)) {
        f->closed = r;
        r = NULL;
        status = run_states_of(states, held, f->closed, err);
    } else if (status == SAL_OK) {
        *states = *held->init_states; /* which it had taken */
        *held->init_states = (prb_states){0};
    }
    sal_result_free(r);
    sal_problem_free(held);
    return status;
}

static sal_status find_exact(finisher *f, bool *physical, sal_err *err)
{
    sal_problem *fine = NULL;
    prb_states states = {0};
    double repeats = (double)INFINITY;
    *physical = false;
    sal_model *thorough = NULL;
    sal_status status = make_fine(f, &fine, false, false, tries[0].increments, err);
    status = status == SAL_OK ? make_thorough(&thorough, fine->model, err) : status;
    status = status == SAL_OK ? settle(f, thorough, &states, &repeats, err) : status;
    if (status == SAL_OK && !isfinite(repeats)) {
        status = run_states_of(&states, fine, last_of(f), err);
    }
    if (status == SAL_OK && (repeats > EXACT || last_of(f)->image == NULL)) {
        status = close(f, &states, err);
    }
    if (status == SAL_OK && (f->closed != NULL || isfinite(repeats))) {
        fine->settled = true;
        status = run_begin_with(fine, &states, last_of(f), err);
        status = status == SAL_OK ? solve(f, fine, false, physical, err) : status;
    }
    sal_result_free(f->closed);
    f->closed = NULL;
    sal_model_free(thorough);
    prb_states_clear(&states);
    sal_problem_free(fine);
    return status;
}

/* ---- the whole ---- */

static sal_status finish(finisher *f, bool *done, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < TRIES && status == SAL_OK && !*done && f->left > 0; i++) {
        bool physical;
        keep_rough(f, NULL);
        status = find(f, i, &physical, err);
        *done = physical && !f->jumping && !tries[i].table;
        if (status == SAL_OK && !*done && f->left > 0 && (physical || f->rough != NULL)) {
            status = find_exact(f, done, err);
        }
    }
    keep_rough(f, NULL);
    if (!*done && f->left <= 0) {
        snprintf(f->why, sizeof f->why, "the work that finish=\"try\" allows was not enough");
    }
    return status;
}

/* ---- which motion is kept ---- */

/* How far a motion is from what is asked: its worst requirement, in units of what is allowed;
 * 0: all are satisfied. */
static double distance(const sal_result *r)
{
    double most = 0;
    for (int i = 0; i < r->nrequirement; i++) {
        const prb_requirement_report *q = &r->requirement[i];
        if (!prb_requirement_is_met(q)) {
            const double times = q->found / q->allowed;
            most = times > 1 ? fmax(most, times) : (double)INFINITY; /* none is allowed, or NaN */
        }
    }
    return most;
}

/* Whether the motion in the model as it is takes the place of the one found: it is as asked, or the
 * other is not, either, and farther from it. */
static bool is_better(const finisher *f)
{
    const bool nearer = !f->found->as_asked && distance(f->best) < distance(f->found);
    return (f->best->as_asked || nearer) && (f->best->exit_code == 0 || f->found->exit_code != 0);
}

/* finish="model": the best that there is; "try": what was found, unless the other is better. */
static sal_status keep(finisher *f, bool done, sal_err *err)
{
    const bool try = f->p->finish == PRB_FINISH_TRY;
    sal_status status = SAL_OK;
    if (try && !(done && is_better(f))) {
        status = prb_diagnose_kept(f->found, done ? f->best : NULL, f->reached, f->why, err);
        if (f->best != f->found) {
            sal_result_free(f->best);
        }
        f->best = f->found;
        done = false;
    } else if (!done) {
        status = prb_diagnose_unfinished(f->best, f->reached, f->why, err);
    }
    f->best->to_finish = true;
    f->best->finished = done;
    return status;
}

/* Interrupted: what there is by then, of "try" what was found. */
static void keep_interrupted(finisher *f)
{
    if (f->p->finish == PRB_FINISH_TRY && f->best != f->found) {
        sal_result_free(f->best);
        f->best = f->found;
    }
    run_interrupt(f->best);
}

/* With "try" a motion that was found is not lost to what the attempt runs into. */
static sal_status forgive(finisher *f, sal_status status, const sal_err *err)
{
    const bool other = status != SAL_OK && status != SAL_NOMEM && status != SAL_INTERRUPTED;
    if (!other || f->p->finish != PRB_FINISH_TRY) {
        return status;
    }
    snprintf(f->why, sizeof f->why, "%.250s", err->message);
    return SAL_OK;
}

sal_status sal_problem_finish(sal_result **result, const sal_problem *p, int nthread,
                              const sal_watch *watch, sal_err *err)
{
    sal_result *found = *result;
    if (p->finish == PRB_FINISH_NONE || !run_is_physical(found) ||
        found->optim.stop == SAL_STOP_INTERRUPTED) {
        return SAL_OK;
    }
    const double h = p->model->opt.timestep, begin = sal_seconds_now() - found->seconds;
    const double duration = found->nstep * found->timestep * (p->half != NULL ? 0.5 : 1);
    finisher f = {.p = p,
                  .watch = watch,
                  .nthread = nthread,
                  .found = found,
                  .left = p->finish == PRB_FINISH_TRY ? WORK / p->model->nv : (double)INFINITY,
                  .jumping = jumps(p->model),
                  .best = found,
                  .reached = "the contacts of the smoothing table and steps of its own"};
    f.nstep = (int)fmax(3, round(duration / h));
    f.duration = f.nstep * h;
    bool done = false;
    sal_status status = forgive(&f, finish(&f, &done, err), err);
    if (status == SAL_INTERRUPTED) {
        keep_interrupted(&f);
        status = SAL_OK;
    } else if (status == SAL_OK) {
        status = keep(&f, done, err);
    }
    if (f.best != found) {
        sal_result_free(found);
    }
    f.best->seconds = sal_seconds_now() - begin;
    *result = f.best;
    return status == SAL_OK ? run_tell_problem(*result, p->problem_xml, err) : status;
}
