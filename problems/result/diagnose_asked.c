/* diagnose_asked.c: requirements that a motion does not satisfy (judge.c); and of what nobody
 * required, what may surprise:
 *
 *     stands on others    a body that no term about contacts names carries 1 % of the load from
 *                         what cannot move, while terms name others
 *     at its bound        a free duration, travel or turn is within 1 % of an end of its range
 *     hops at rest        an end that is pinned at rest, where less than half of the weight is
 *                         carried, of what no joint holds
 *     corrected           the whole of a mirrored cycle was found from its half (solve/correct.c)
 */
#include "problems/quantity.h"
#include "problems/result/diagnose.h"
#include "problems/result/gait.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SHARE = 0.01; /* of the load */
static const double ALOFT = 0.5;  /* of the weight */

/* ---- what was asked for ---- */

static void tell_missed(prb_diagnosis *d, const prb_requirement_report *q)
{
    const char *unit = q->unit, *begin = strchr(q->name, '[') + 1;
    char name[64], when[32] = "";
    snprintf(name, sizeof name, "%.*s", (int)(strrchr(q->name, ']') - begin), begin);
    if (!isnan(q->time)) {
        snprintf(when, sizeof when, " at %.4g s", q->time);
    }
    prb_diagnosis_add(d, PRB_FIND_MISSED, name, q->found, q->time,
                      "term '%s' misses its target%s%s%s by %.3g%s%s%s (allowed: %.3g)", name,
                      q->what[0] == 0 ? "" : " (", q->what, q->what[0] == 0 ? "" : ")", q->found,
                      unit[0] == 0 ? "" : " ", unit, when, q->allowed);
}

static void tell(prb_diagnosis *d, const sal_model *m, const prb_requirement_report *q)
{
    const char *what = strchr(q->name, '/');
    char place[64], name[100];
    snprintf(place, sizeof place, "%.63s", q->what);
    if (strncmp(q->name, "term[", 5) == 0) {
        tell_missed(d, q);
    } else if (strcmp(what, "/penetration") == 0) {
        prb_diagnosis_add(d, PRB_FIND_TOO_DEEP, place, q->found, q->time,
                          "%s: the contact is %.3g m deep at %.4g s (required: at most %.3g m)",
                          q->what, q->found, q->time, q->allowed);
    } else if (strcmp(what, "/slip") == 0) {
        prb_diagnosis_add(d, PRB_FIND_SLIPS, place, q->found, q->time,
                          "contacts slide under load at %.3g m/s on average, most %s at %.4g s "
                          "(required: at most %.3g m/s)",
                          q->found, q->what, q->time, q->allowed);
    } else if (strcmp(what, "/load") == 0) {
        prb_diagnosis_add(d, PRB_FIND_OVERLOAD, place, q->found, q->time,
                          "the mechanism is carried with %.3g times its weight at %.4g s, most "
                          "between %s (required: at most %.3g times)",
                          q->found, q->time, q->what, q->allowed);
    } else if (strcmp(what, "/rest") == 0) {
        prb_free_name(name, m);
        prb_diagnosis_add(d, PRB_FIND_UNREST, "", q->found, q->time,
                          "at %.4g s, where %s is to be at rest, what carries it differs from its "
                          "weight by %.3g times the weight (required: at most %.3g times)",
                          q->time, name, q->found, q->allowed);
    } else if (strcmp(what, "/bound") == 0) {
        place[strcspn(place, " ")] = 0;
        prb_diagnosis_add(d, PRB_FIND_BOUNDED, place, q->found, q->time,
                          "the free %s is at an end of its range (required: not)", q->what);
    } else {
        const bool itself = strcmp(what, "/selfcontact") == 0;
        prb_diagnosis_add(d, itself ? PRB_FIND_SELF : PRB_FIND_TOUCHES, place, q->found, q->time,
                          "%s touch with %.3g N at %.4g s (required: no contact, that is at most "
                          "%.2g N)",
                          q->what, q->found, q->time, q->allowed);
    }
}

/* ---- what was not ---- */

/* Marks the bodies that a term or constraint about contacts names. False: there is none. */
static bool mark_named(const sal_problem *p, const prb_feature *f, unsigned char *named)
{
    const sal_model *m = p->model;
    const prb_object_kind kind = prb_quantity_of(f)->object;
    const bool shape = kind == PRB_OBJECT_SHAPE;
    if (!shape && kind != PRB_OBJECT_FOOTHOLD && kind != PRB_OBJECT_POINT_PAIR &&
        kind != PRB_OBJECT_GEOM_ENDS) {
        return false;
    }
    for (int i = 0; i < f->nobject; i++) {
        const int object = shape ? f->object[i] : p->point_geom[f->object[i]];
        named[m->body_weldid[object >= 0 ? m->geom_bodyid[object] : -1 - object]] = 1;
    }
    return true;
}

/* load [nbody]: of each body from what cannot move. Returns that of all together. */
static double sum_loads(const sal_result *r, double *load)
{
    double all = 0;
    for (int k = 0; k < r->ncontact; k++) {
        const int *geom = r->contact_geom + 2 * k;
        const int body1 = prb_contact_body(r->model, geom[0]),
                  body2 = prb_contact_body(r->model, geom[1]);
        const double force = r->contact_force[6 * k];
        if ((body1 == 0) != (body2 == 0) && force > PRB_LOADED * r->weight) {
            load[body1 + body2] += force;
            all += force;
        }
    }
    return all;
}

static void judge_unnamed(prb_diagnosis *d, const sal_problem *p, const sal_result *r)
{
    const int nbody = r->model->nbody;
    unsigned char *named = sal_alloc((size_t)nbody, 1);
    double *load = sal_alloc((size_t)nbody, sizeof *load);
    bool any = false;
    if (named == NULL || load == NULL) {
        d->failed = true;
    } else {
        for (int k = 0; k < p->nterm + p->nconstraint; k++) {
            any = mark_named(p, prb_terms_feature(p, k), named) || any;
        }
        const double all = sum_loads(r, load);
        for (int b = 1; b < nbody && any; b++) {
            char name[PRB_COLUMN_NAME];
            if (!named[b] && load[b] > SHARE * all) {
                prb_object_word(name, r->model, SAL_OBJ_BODY, b);
                prb_diagnosis_add(d, PRB_FIND_UNNAMED, name, load[b] / all, (double)NAN,
                                  "body '%s' carries %.2g %% of the load, and no term about "
                                  "contacts names it",
                                  name, 100 * load[b] / all);
            }
        }
    }
    sal_free(named);
    sal_free(load);
}

static void judge_bounds(prb_diagnosis *d, const sal_problem *p, const sal_result *r)
{
    prb_free free[PRB_NFREE];
    const int n = prb_free_of(free, p, r);
    for (int i = 0; i < n; i++) {
        const prb_free *f = free + i;
        if (prb_free_share(f) > PRB_AT_BOUND) {
            prb_diagnosis_add(d, PRB_FIND_BOUND, f->name, f->value, (double)NAN,
                              "the free %s of %.4g %s is at an end of its range of %.4g .. %.4g %s",
                              f->name, f->value, f->unit, f->range[0], f->range[1], f->unit);
        }
    }
}

static void judge_rest(prb_diagnosis *d, const sal_problem *p, const sal_result *r)
{
    for (int end = 0; end < 2; end++) {
        const int t = prb_rest_step(p, r, end);
        const double carried = t < 0 ? 1 : prb_carried(r, t);
        char name[100];
        if (carried < ALOFT) {
            prb_free_name(name, r->model);
            prb_diagnosis_add(d, PRB_FIND_HOPS, end == 0 ? "start" : "end", carried, r->time[t],
                              "the %s is pinned at rest, but at %.4g s only %.2g %% of the weight "
                              "is carried: %s is in the air",
                              end == 0 ? "start" : "end", r->time[t], 100 * fmax(carried, 0), name);
        }
    }
}

void prb_diagnose_asked(prb_diagnosis *d, const sal_problem *p, const sal_result *r)
{
    for (int i = 0; i < r->nrequirement && (prb_result_is_solved(r) || prb_result_is_physical(r));
         i++) {
        if (!prb_requirement_is_met(r->requirement + i)) {
            tell(d, r->model, r->requirement + i);
        }
    }
    if (p->require.nonly == 0) {
        judge_unnamed(d, p, r);
    }
    if (p->half != NULL) {
        prb_diagnosis_add(
            d, PRB_FIND_CORRECTED, "mirror", p->asymmetry.most, (double)NAN,
            "left and right of the model differ by up to %.2g %% (%.220s; allowed: %g %%); half a "
            "cycle was solved with their mean, then the whole cycle was corrected",
            100 * p->asymmetry.most, p->asymmetry.text, 100 * p->mirrortol);
    }
    if (p->require.bound) {
        judge_bounds(d, p, r);
    }
    if (isnan(p->require.rest)) {
        judge_rest(d, p, r);
    }
}

/* ---- a motion that is not finished, or not hardened ---- */

/* One more requirement, which is not met. */
static bool require(sal_result *r, const char *name, const char *what)
{
    const size_t n = (size_t)r->nrequirement;
    prb_requirement_report *all = sal_alloc(n + 1, sizeof *all);
    if (all == NULL) {
        return false;
    }
    memcpy(all, r->requirement, n * sizeof *all);
    all[n] = (prb_requirement_report){.found = 1, .time = (double)NAN};
    snprintf(all[n].name, sizeof all[n].name, "%s", name);
    snprintf(all[n].what, sizeof all[n].what, "%s", what);
    sal_free(r->requirement);
    r->requirement = all;
    r->nrequirement++;
    return true;
}

/* Takes the findings of a complete result, for one more. */
static prb_diagnosis reopen(const sal_result *r)
{
    return (prb_diagnosis){r->finding, r->nfinding, r->nfinding, false};
}

static sal_status close(sal_result *r, prb_diagnosis *d, bool good, sal_err *err)
{
    r->finding = d->finding;
    r->nfinding = d->n;
    if (d->failed || !good) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a diagnosis");
    }
    prb_diagnosis_sort(d);
    return SAL_OK;
}

/* d has the finding that says why. */
static sal_status fall_short(sal_result *r, prb_diagnosis *d, const char *name, const char *what,
                             sal_err *err)
{
    const sal_status status = close(r, d, require(r, name, what), err);
    if (status == SAL_OK) {
        r->as_asked = false;
        r->exit_code = r->exit_code == 0 ? 1 : r->exit_code;
    }
    return status;
}

static const char UNFINISHED[] = "not finished";

/* What an earlier attempt said */
static void forget_unfinished(sal_result *r)
{
    int n = 0;
    for (int i = 0; i < r->nfinding; i++) {
        if (strcmp(r->finding[i].kind, UNFINISHED) != 0) {
            r->finding[n++] = r->finding[i];
        }
    }
    r->nfinding = n;
}

sal_status prb_diagnose_unfinished(sal_result *result, const char *reached, const char *why,
                                   sal_err *err)
{
    forget_unfinished(result);
    prb_diagnosis d = reopen(result);
    prb_diagnosis_add(&d, PRB_FIND_UNFINISHED, "", (double)NAN, (double)NAN,
                      "the motion is physical with %s, but none was found in the model as it is "
                      "(%s)",
                      reached, why);
    return fall_short(result, &d, "solver/finish", "the model as it is", err);
}

/* "0.43 to 0.51 s, 1.2 to 1.3 s": the first few of the stretches of steps that are soft */
static void tell_stretches(const sal_result *r, char *text, size_t room, int *nstep)
{
    enum { TOLD = 3 };
    size_t n = 0;
    int k = 0;
    *nstep = 0;
    text[0] = 0;
    for (int t = 0; t < r->nstep; t++) {
        *nstep += r->soft[t];
        if (!r->soft[t] || (t > 0 && r->soft[t - 1])) {
            continue;
        }
        int end = t;
        while (end < r->nstep && r->soft[end]) {
            end++;
        }
        if (k++ < TOLD) {
            n += (size_t)snprintf(text + n, room - n, "%s%.4g to %.4g s", n > 0 ? ", " : "",
                                  r->time[t], r->time[end]);
        }
    }
    if (k > TOLD) {
        snprintf(text + n, room - n, " and %d more", k - TOLD);
    }
}

sal_status prb_diagnose_softened(sal_result *result, const sal_problem *p, double softness,
                                 sal_err *err)
{
    const prb_smoothing *table = &p->smoothing;
    prb_diagnosis d = reopen(result);
    char where[160], how[160];
    int nstep;
    tell_stretches(result, where, sizeof where, &nstep);
    snprintf(how, sizeof how, "their softness is %.2g instead of 0", softness);
    if (p->contact_table) {
        snprintf(how, sizeof how,
                 "their width is %.3g m instead of %.3g, their impratio %.3g "
                 "instead of %.3g",
                 prb_ramp_at(&table->width, softness), table->width.final,
                 prb_ramp_at(&table->impratio, softness), table->impratio.final);
    }
    prb_diagnosis_add(
        &d, PRB_FIND_SOFTENED, "", softness, result->time[0],
        "the motion is physical only with softer contacts in %d of %d steps, from %s: "
        "%s",
        nstep, result->nstep, where, how);
    return fall_short(result, &d, "solver/contact", "contacts as hard as asked for", err);
}

/* The requirements that a motion does not satisfy, as far as there is room. */
static void list_unmet(const sal_result *r, char *text, size_t room)
{
    size_t n = 0;
    text[0] = 0;
    for (int i = 0; i < r->nrequirement && n < room; i++) {
        const prb_requirement_report *q = r->requirement + i;
        if (!prb_requirement_is_met(q)) {
            n += (size_t)snprintf(text + n, room - n, "%s%s %.3g%s%s, allowed %.3g",
                                  n > 0 ? "; " : "", q->name, q->found, q->unit[0] == 0 ? "" : " ",
                                  q->unit, q->allowed);
        }
    }
}

sal_status prb_diagnose_kept(sal_result *result, const sal_result *finished, const char *reached,
                             const char *why, sal_err *err)
{
    static const char KEPT[] = "the motion found before is kept";
    prb_diagnosis d = reopen(result);
    char unmet[160];
    if (finished == NULL) {
        prb_diagnosis_add(&d, PRB_FIND_UNFINISHED, "", (double)NAN, (double)NAN,
                          "no motion was found in the model as it is: the search came no farther "
                          "than %s (%.100s); %s",
                          reached, why, KEPT);
    } else if (!finished->as_asked) {
        list_unmet(finished, unmet, sizeof unmet);
        prb_diagnosis_add(&d, PRB_FIND_UNFINISHED, "", (double)NAN, (double)NAN,
                          "a motion was found in the model as it is, but it is not as asked there "
                          "(%s); %s",
                          unmet, KEPT);
    } else {
        prb_diagnosis_add(&d, PRB_FIND_UNFINISHED, "", (double)NAN, (double)NAN,
                          "a motion was found in the model as it is, but its search did not come "
                          "to its end (%s); %s",
                          finished->status, KEPT);
    }
    if (!d.failed) {
        d.finding[d.n - 1].level = 1;
    }
    return close(result, &d, true, err);
}

sal_status prb_diagnose_unhardened(sal_result *result, const char *reached, const char *wanted,
                                   const char *why, sal_err *err)
{
    prb_diagnosis d = reopen(result);
    prb_diagnosis_add(&d, PRB_FIND_UNHARDENED, "", (double)NAN, (double)NAN,
                      "the motion is physical with %s; none was found with %s (%s)", reached,
                      wanted, why);
    return fall_short(result, &d, "harden", wanted, err);
}

sal_status prb_diagnose_hardened(sal_result *result, const char *from, double cost, sal_err *err)
{
    prb_diagnosis d = reopen(result);
    prb_diagnosis_add(&d, PRB_FIND_HARDENED, "", cost, (double)NAN,
                      "the search began with a solved motion of cost %.6g: %s", cost, from);
    return close(result, &d, true, err);
}
