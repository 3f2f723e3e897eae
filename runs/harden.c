/* harden.c: a solved motion brought to more steps and to harder contacts, without losing its
 * optimum.
 *
 *     sal_result_harden
 *         { climb: share 1 of the way from the contacts as they were to those asked for;
 *                  where that fails half as far, then on from there
 *             { round: from the motion so far along the last part of the path, with one softness
 *                      at its beginning after the other; the lowest cost wins } }
 *
 *     width, timeconst, impratio   geometric in the share; dmax as d/(1-d)
 *
 * A motion that is kept feasible while contacts harden little by little ends at the first kink of
 * the contact law that it meets: at a cost several times as large after some such steps. Softened
 * again, and not much, it goes round the kinks. How much is best differs from motion to motion (at
 * .1 it hardly changes, from .7 on it may become another), so several are tried.
 */
#include "problems/result/diagnose.h"
#include "runs/again.h"
#include "runs/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Softness at which the path begins. A motion with other steps is farther from a solution. */
static const double near_soft[] = {0.1, 0.3, 0.5, 0.7, 0.2, 1}, far_soft[] = {0.7, 0.5, 0.3, 1};
enum { NEAR = sizeof near_soft / sizeof *near_soft, FAR = sizeof far_soft / sizeof *far_soft };
static const double RISE = 0.01;        /* of the cost: no other softness is tried for less */
static const double PACE_LEAST = 0.1;   /* share below which there is no way on */
static const double SAME_TIME = 1e-9;   /* s */
static const double WHOLE_STEPS = 1e-6; /* of a step: the duration is a multiple of it */
enum { STEPS_LEAST = 3, SETTINGS = 9, VALUE = 64, DESCRIBED = 200 };

typedef struct contact {
    double width, dmax, timeconst, impratio;
} contact;

typedef struct hardener {
    /* as the motion was solved */
    const sal_problem *p;
    const sal_watch *watch;
    int nthread;
    /* of the motion asked for, as the problem's file counts them: of a mirrored cycle half */
    int nstep;
    double duration;
    /* the steps are others than those of the motion so far */
    bool resampled;
    /* the contacts are the model's own; else those of the table, from .. to */
    bool own;
    contact from, to;
    /* the motion so far; that of the round; and why the last one that failed did */
    sal_result *best;
    sal_result *found;
    char why[300];
} hardener;

static void say(const hardener *h, sal_level level, const char *text)
{
    if (h->watch != NULL) {
        sal_say(h->watch->log, level, "%s", text);
    }
}

/* ---- contacts ---- */

static double geometric(double from, double to, double share)
{
    return from == to ? from : from * pow(to / from, share);
}

static contact contact_at(const hardener *h, double share)
{
    const contact *a = &h->from, *b = &h->to;
    const double odds = geometric(a->dmax / (1 - a->dmax), b->dmax / (1 - b->dmax), share);
    return share >= 1 ? *b
                      : (contact){.width = geometric(a->width, b->width, share),
                                  .dmax = odds / (1 + odds),
                                  .timeconst = geometric(a->timeconst, b->timeconst, share),
                                  .impratio = geometric(a->impratio, b->impratio, share)};
}

static bool contacts_change(const hardener *h)
{
    return !h->own && (h->from.width != h->to.width || h->from.dmax != h->to.dmax ||
                       h->from.timeconst != h->to.timeconst || h->from.impratio != h->to.impratio);
}

/* c NULL: the model's own */
static void describe(char text[DESCRIBED], int nstep, double duration, const contact *c)
{
    char contacts[120] = "contacts of the model";
    if (c != NULL) {
        snprintf(contacts, sizeof contacts,
                 "contacts of width %.4g m, dmax %.4g, time constant %.4g s, impratio %.4g",
                 c->width, c->dmax, c->timeconst, c->impratio);
    }
    snprintf(text, DESCRIBED, "%d steps of %.6g s, %s", nstep, duration / nstep, contacts);
}

static void describe_share(char text[DESCRIBED], const hardener *h, double share)
{
    const contact c = contact_at(h, share);
    describe(text, h->nstep, h->duration, h->own ? NULL : &c);
}

/* ---- the problem of a share ---- */

/* The row of the table, its soft end as it was */
static void ramp(char value[VALUE], double soft, double final)
{
    snprintf(value, VALUE, "%.17g %.17g", soft, final);
}

static int settings_at(const hardener *h, double share, sal_setting list[SETTINGS],
                       char value[SETTINGS][VALUE])
{
    const prb_smoothing *table = &h->p->smoothing;
    const contact c = contact_at(h, share);
    const bool same = table->timeconst_tied || table->timeconst.soft == table->timeconst.final;
    static const char *const time[] = {"time/nstep", "time/duration", "time/range"};
    static const char *const row[] = {"smoothing/width", "smoothing/dmax", "smoothing/timeconst",
                                      "smoothing/impratio"};
    int n = 0;
    snprintf(value[0], VALUE, "%d", h->nstep);
    snprintf(value[1], VALUE, "%.17g", h->duration);
    ramp(value[2], h->duration, h->duration);
    for (; n < 3; n++) {
        list[n] = (sal_setting){time[n], value[n]};
    }
    if (h->p->finish != PRB_FINISH_NONE) {
        list[n++] = (sal_setting){"solver/finish", "none"};
    }
    if (h->own) {
        list[n++] = (sal_setting){"solver/contact", "model"};
        return n;
    }
    const int first = n;
    ramp(value[n++], table->width.soft, c.width);
    ramp(value[n++], table->dmax.soft, c.dmax);
    ramp(value[n++], same ? c.timeconst : fmax(table->timeconst.soft, c.timeconst), c.timeconst);
    ramp(value[n++], table->impratio.soft, c.impratio);
    for (int i = first; i < n; i++) {
        list[i] = (sal_setting){row[i - first], value[i]};
    }
    return n;
}

static sal_status problem_at(const hardener *h, sal_problem **fine, double share, sal_err *err)
{
    sal_setting list[SETTINGS];
    char value[SETTINGS][VALUE];
    const int n = settings_at(h, share, list, value);
    sal_status status = prb_problem_again(fine, h->p, list, n, false, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_problem_free((*fine)->half); /* the whole cycle is at hand */
    (*fine)->half = NULL;
    (*fine)->nrefine = 0;
    (*fine)->seed = h->best->seed;
    status = run_begin_from(*fine, h->best, err);
    if (status != SAL_OK) {
        sal_problem_free(*fine);
        *fine = NULL;
    }
    return status;
}

/* ---- a round ---- */

/* What is wrong with a motion that is not physical, and where. */
static void tell_fault(const sal_result *r, char why[300])
{
    const prb_extreme *e = r->force.max >= r->torque.max ? &r->force : &r->torque;
    const prb_constraint_report *worst = NULL;
    for (int k = 0; k < r->nconstraint; k++) {
        const prb_constraint_report *c = r->constraint + k;
        const bool worse =
            worst == NULL || c->violation * worst->tolerance > worst->violation * c->tolerance;
        worst = worse ? c : worst;
    }
    if (r->relative_to_weight > r->physical_tolerance && e->dof >= 0) {
        char joint[SAL_LABEL_MAX];
        sal_model_label(r->model, SAL_OBJ_JOINT, r->model->dof_jntid[e->dof], joint);
        snprintf(why, 300, "%s, %.2g of the weight missing at %s, %.4g s", r->status,
                 r->relative_to_weight, joint, e->time);
    } else if (worst != NULL && worst->violation > worst->tolerance) {
        snprintf(why, 300, "%s, %s is violated by %.3g %s at %.4g s", r->status, worst->name,
                 worst->violation, worst->unit, worst->time);
    } else {
        snprintf(why, 300, "%s", r->status);
    }
}

/* Of two physical motions: as asked before not, then the lower cost. */
static bool is_better(const sal_result *r, const sal_result *than)
{
    return than == NULL || (r->as_asked != than->as_asked ? r->as_asked : r->cost < than->cost);
}

/* A physical motion is kept if it is the best of the round. */
static void keep(hardener *h, sal_result *r, double *least)
{
    if (!run_is_physical(r)) {
        if (r->relative_to_weight < *least) {
            *least = r->relative_to_weight;
            tell_fault(r, h->why);
        }
        sal_result_free(r);
    } else if (is_better(r, h->found)) {
        sal_result_free(h->found);
        h->found = r;
    } else {
        sal_result_free(r);
    }
}

static sal_status solve_at(hardener *h, double share, double softness, double *least, sal_err *err)
{
    const sal_watch watch = run_watch_within(h->watch);
    sal_problem *fine = NULL;
    sal_result *r = NULL;
    sal_err why = {0};
    sal_status status = problem_at(h, &fine, share, err);
    if (status != SAL_OK) {
        return status;
    }
    fine->optim.softness = softness;
    status = sal_problem_solve(&r, fine, h->nthread, &watch, &why);
    if (status == SAL_NOMEM || status == SAL_INTERRUPTED) {
        sal_fail(err, status, "%s", why.message);
    } else if (status != SAL_OK) {
        snprintf(h->why, sizeof h->why, "%.250s", why.message);
        status = SAL_OK;
    } else if (r->optim.stop == SAL_STOP_INTERRUPTED) {
        sal_result_free(r);
        status = sal_fail(err, SAL_INTERRUPTED, "interrupted while the motion was hardened");
    } else {
        keep(h, r, least);
    }
    sal_problem_free(fine);
    return status;
}

/* *physical: the round found a motion, which takes the place of the best. */
static sal_status try_round(hardener *h, double share, bool *physical, sal_err *err)
{
    const double *soft = h->resampled ? far_soft : near_soft, before = h->best->cost;
    const int n = h->resampled ? FAR : NEAR;
    double least = (double)INFINITY;
    sal_status status = SAL_OK;
    bool good = false;
    for (int i = 0; i < n && status == SAL_OK && !good; i++) {
        char what[DESCRIBED], text[DESCRIBED + 60];
        describe_share(what, h, share);
        snprintf(text, sizeof text, "harden: %s; from the softness %g", what, soft[i]);
        say(h, SAL_INFO, text);
        status = solve_at(h, share, soft[i], &least, err);
        good = h->found != NULL && h->found->as_asked &&
               h->found->cost <= before + RISE * fabs(before);
    }
    *physical = h->found != NULL;
    if (*physical) { /* also of a round that was interrupted */
        const sal_status taken = run_replace(&h->best, h->found, err);
        h->found = NULL;
        h->resampled = false;
        status = status == SAL_OK ? taken : status;
    }
    return status;
}

/* ---- the way ---- */

/* *reached: the share of the way; -1: not even the steps are those asked for, or the contacts are
 * of another kind. Where no share is found, the steps alone may be. */
static sal_status climb(hardener *h, double *reached, sal_err *err)
{
    const bool way = contacts_change(h);
    sal_status status = SAL_OK;
    double pace = 1;
    *reached = way && !h->resampled ? 0 : -1;
    for (bool on = true; on && *reached < 1 && status == SAL_OK;) {
        const double share = way ? fmin(fmax(*reached, 0) + pace, 1) : 1;
        bool physical = false;
        status = try_round(h, share, &physical, err);
        if (physical) {
            *reached = share;
            pace = pace > 0 ? 2 * pace : 0.5;
        } else {
            on = way && (pace / 2 >= PACE_LEAST || (*reached < 0 && pace > 0));
            pace = pace / 2 >= PACE_LEAST ? pace / 2 : 0;
        }
    }
    return status;
}

/* ---- what is asked ---- */

static sal_status count_steps(hardener *h, const sal_hardening *asked, sal_err *err)
{
    const bool half = h->p->half != NULL;
    const sal_result *r = h->best;
    const double posed = half ? h->p->half->duration : h->p->duration,
                 found = r->nstep * r->timestep * (half ? 0.5 : 1);
    const double step = asked->model_timestep ? h->p->model->opt.timestep : asked->timestep;
    const int before = half ? r->nstep / 2 : r->nstep;
    h->duration = fabs(found - posed) < SAME_TIME ? posed : found;
    h->nstep = before * (asked->refine > 0 ? asked->refine : 1);
    if (step > 0) {
        const double n = h->duration / step;
        if (n < STEPS_LEAST - 0.5 || n > 1e6) {
            return sal_fail(err, SAL_BADINPUT,
                            "steps of %.6g s are too %s for a motion of %.6g s; it needs from %d "
                            "to 1000000 steps",
                            step, n < STEPS_LEAST ? "long" : "short", h->duration, STEPS_LEAST);
        }
        h->nstep = (int)round(n);
        if (fabs(n - h->nstep) > WHOLE_STEPS) {
            char text[200];
            snprintf(text, sizeof text,
                     "the duration of %.6g s is no multiple of %.6g s; the motion gets %d steps of "
                     "%.9g s",
                     h->duration, step, h->nstep, h->duration / h->nstep);
            say(h, SAL_WARNING, text);
        }
    }
    h->resampled = h->nstep != before;
    return SAL_OK;
}

/* What the table says with the steps asked for: of a free duration, or with "2h", its time constant
 * goes with them. */
static sal_status usual_timeconst(const hardener *h, double *timeconst, sal_err *err)
{
    char nstep[24];
    sal_problem *p = NULL;
    const sal_setting setting = {"time/nstep", nstep};
    snprintf(nstep, sizeof nstep, "%d", h->nstep);
    const sal_status status = prb_problem_again(&p, h->p, &setting, 1, false, err);
    if (status == SAL_OK) {
        const double shortest = 2 * h->duration / h->nstep;
        *timeconst =
            p->smoothing.timeconst_tied ? shortest : fmax(p->smoothing.timeconst.final, shortest);
    }
    sal_problem_free(p);
    return status;
}

/* The contacts with which the motion was found, and those asked for. */
static sal_status choose_contacts(hardener *h, const sal_hardening *asked, sal_err *err)
{
    const prb_smoothing *table = &h->p->smoothing;
    const sal_result *r = h->best;
    const double shortest = 2 * h->duration / h->nstep;
    const bool table_asked =
        asked->width > 0 || asked->dmax > 0 || asked->impratio > 0 || asked->timeconst > 0;
    h->own = asked->model_contact || !r->contact_table;
    if (h->own && table_asked) {
        return sal_fail(err, SAL_BADINPUT,
                        "width, dmax, impratio and time constant are those of the smoothing table, "
                        "but the contacts %s the model's own",
                        asked->model_contact ? "asked for are" : "of this motion are");
    }
    if (asked->timeconst > 0 && asked->timeconst < shortest * (1 - WHOLE_STEPS)) {
        return sal_fail(err, SAL_BADINPUT,
                        "a time constant of %.6g s is shorter than two time steps, %.6g s; ask for "
                        "a longer one or for more steps",
                        asked->timeconst, shortest);
    }
    const double timeconst =
        table->timeconst_tied ? 2 * r->timestep : fmax(table->timeconst.final, 2 * r->timestep);
    h->from = (contact){table->width.final, table->dmax.final, fmax(timeconst, shortest),
                        table->impratio.final};
    h->to = (contact){asked->width > 0 ? asked->width : h->from.width,
                      asked->dmax > 0 ? asked->dmax : h->from.dmax,
                      asked->timeconst > 0 ? asked->timeconst : h->from.timeconst,
                      asked->impratio > 0 ? asked->impratio : h->from.impratio};
    return asked->timeconst > 0 || !h->resampled ? SAL_OK
                                                 : usual_timeconst(h, &h->to.timeconst, err);
}

/* ---- what may be hardened ---- */
/* Terms that count at numbered steps would mean other instants. */
static sal_status check_terms(const sal_xml *root, sal_err *err)
{
    const sal_xml *cost = sal_xml_child(root, "cost");
    for (const sal_xml *c = cost == NULL ? NULL : cost->child; c != NULL; c = c->next) {
        if (sal_xml_find_attr(c, "steps") != NULL) {
            const sal_xml_attr *name = sal_xml_find_attr(c, "name");
            return sal_fail(err, SAL_BADINPUT,
                            "'%.60s' counts at the numbers of steps (steps=), which would be other "
                            "instants; say them in seconds (at=), and solve again",
                            name == NULL ? c->tag : name->value);
        }
    }
    return SAL_OK;
}

/* What the problem's text says of a motion with other steps. */
static sal_status check_text(const sal_result *r, bool resampled, sal_err *err)
{
    sal_xml_doc doc;
    sal_diag unused = {0};
    if (r->finished) {
        return sal_fail(err, SAL_BADINPUT,
                        "the motion is in the model as it is already; nothing harder can be asked "
                        "for");
    }
    sal_status status =
        sal_xml_parse(&doc, r->problem_name, r->problem_xml, strlen(r->problem_xml), &unused, err);
    if (status == SAL_OK && resampled) {
        status = check_terms(doc.root, err);
    }
    sal_xml_free(&doc);
    sal_diag_clear(&unused);
    return status;
}

static sal_status check_motion(const sal_result *r, sal_err *err)
{
    const bool motion = r->part == NULL && prb_result_has_problem(r);
    if (!motion) {
        return sal_fail(err, SAL_BADINPUT, "the result is not the motion of a problem: %s",
                        r->part != NULL ? "it is an identification" : "it is a simulation");
    }
    if (!run_is_physical(r)) {
        return sal_fail(err, SAL_BADINPUT,
                        "the motion is not physical (%s: %.2g of the weight is missing); only a "
                        "physical motion can be hardened",
                        r->status, r->relative_to_weight);
    }
    if (r->contact.model != SAL_CONTACT_SOFT) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the motion has the contact model %s; only motions with the contact model "
                        "soft can be hardened",
                        sal_contact_model_name(r->contact.model));
    }
    return check_text(r, false, err);
}

static sal_status check_model(const sal_problem *p, const sal_result *r, sal_err *err)
{
    return strcmp(p->sha256_model, r->sha256_model) == 0
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "the model '%.200s' is not the one that the motion was found with; it "
                          "has changed since, or is another one: solve the problem again",
                          p->model_path);
}

/* ---- the whole ---- */

/* What the hardening began with, in words, and what it takes from there. */
typedef struct source {
    char text[DESCRIBED];
    double cost, begin;
    int linearisations;
    char sha256_data[65];
    const sal_problem *p;
} source;

static source source_of(const sal_problem *p, const sal_result *r, const contact *c)
{
    const int halves = p->half != NULL ? 2 : 1;
    source s = {.cost = r->cost,
                .begin = sal_seconds_now(),
                .linearisations = r->optim.linearisations,
                .p = p};
    describe(s.text, r->nstep / halves, r->nstep * r->timestep / halves, c);
    memcpy(s.sha256_data, r->sha256_data, sizeof s.sha256_data);
    return s;
}

/* What is to be said of a motion that came from another. */
static sal_status complete(sal_result *r, const source *s, sal_err *err)
{
    r->seconds = sal_seconds_now() - s->begin;
    memcpy(r->sha256_data, s->sha256_data, sizeof r->sha256_data);
    const sal_status status = prb_result_places(r, s->p, err);
    return status != SAL_OK || r->optim.linearisations == s->linearisations
               ? status
               : prb_diagnose_hardened(r, s->text, s->cost, err);
}

static sal_status harden(hardener *h, const source *s, sal_err *err)
{
    char wanted[DESCRIBED], came[DESCRIBED];
    double reached = 0;
    sal_err why = {0};
    sal_status status = climb(h, &reached, &why);
    if (status == SAL_INTERRUPTED) {
        run_interrupt(h->best);
    } else if (status != SAL_OK) {
        return sal_fail(err, status, "%s", why.message);
    } else if (reached < 1) {
        describe_share(wanted, h, 1);
        describe_share(came, h, fmax(reached, 0));
        status =
            prb_diagnose_unhardened(h->best, reached < 0 ? s->text : came, wanted, h->why, err);
    }
    return status == SAL_OK || status == SAL_INTERRUPTED ? complete(h->best, s, err) : status;
}

static sal_status harden_by_table(sal_result **result, const sal_problem *p,
                                  const sal_hardening *asked, int nthread, const sal_watch *watch,
                                  sal_err *err)
{
    hardener h = {.p = p, .watch = watch, .nthread = nthread, .best = *result};
    sal_status status = count_steps(&h, asked, err);
    status = status == SAL_OK ? choose_contacts(&h, asked, err) : status;
    status = status == SAL_OK && h.resampled ? check_text(h.best, true, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    const bool table = h.best->contact_table;
    if (!h.resampled && !contacts_change(&h) && h.own != table) {
        return sal_fail(err, SAL_BADINPUT,
                        "the motion has these steps and these contacts already; ask for others");
    }
    const source s = source_of(p, h.best, table ? &h.from : NULL);
    status = harden(&h, &s, err);
    *result = h.best;
    return status;
}

static sal_status bring_into_model(sal_result **result, const sal_problem *p, int nthread,
                                   const sal_watch *watch, sal_err *err)
{
    const prb_smoothing *table = &p->smoothing;
    const contact c = {table->width.final, table->dmax.final,
                       table->timeconst_tied ? 2 * (*result)->timestep : table->timeconst.final,
                       table->impratio.final};
    const source s = source_of(p, *result, (*result)->contact_table ? &c : NULL);
    if ((*result)->optim.stop == SAL_STOP_INTERRUPTED) {
        return sal_fail(err, SAL_BADINPUT,
                        "the search for this motion was interrupted; it has to come to its end "
                        "(saltus solve --resume) before it is brought into the model");
    }
    const sal_status status = sal_problem_finish(result, p, nthread, watch, err);
    return status == SAL_OK ? complete(*result, &s, err) : status;
}

sal_status sal_result_harden(sal_result **result, const sal_hardening *asked, int nthread,
                             const sal_watch *watch, sal_err *err)
{
    const bool whole = asked->model_contact && asked->model_timestep;
    const sal_setting finish = {"solver/finish", "model"};
    sal_problem *p = NULL;
    sal_status status = check_motion(*result, err);
    status = status == SAL_OK ? prb_problem_of_result(&p, *result, asked->problem, asked->model,
                                                      &finish, whole ? 1 : 0, err)
                              : status;
    status = status == SAL_OK ? check_model(p, *result, err) : status;
    if (status == SAL_OK && whole) {
        status = bring_into_model(result, p, nthread, watch, err);
    } else if (status == SAL_OK) {
        status = harden_by_table(result, p, asked, nthread, watch, err);
    }
    sal_problem_free(p);
    return status;
}
