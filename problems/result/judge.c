/* judge.c: whether a motion is what was asked for. It is, where it is physical and meets all of
 *
 *     term[NAME]/target      deviation from the target <= tol                     (summary.c)
 *     require/penetration    deepest contact <= penetration, m; with the model's own contacts <=
 *                            ownpenetration, where that is given
 *     require/slip           sum N s / sum N <= slip, m/s; N, s force and slip of each contact
 *     require/load           largest sum of N from what cannot move, by the weight W <= load
 *     require/only           largest N of another geom with what cannot move <= W/1000
 *     require/selfcontact    largest N between two bodies of a tree <= W/1000
 *     require/rest           |force up on what no joint holds / its weight - 1| <= rest, at ends at
 *                            rest
 *     require/bound          |x - (a + b)/2| / ((b - a)/2) <= .98, x free in a .. b      (free.c)
 *
 * The first three are the figures of gait.c; a contact of less than W/1000 carries nothing.
 */
#include "problems/result/diagnose.h"
#include "problems/result/gait.h"
#include "problems/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool prb_requirement_is_met(const prb_requirement_report *report)
{
    return report->found <= report->allowed;
}

bool prb_result_is_solved(const sal_result *r)
{
    return r->exit_code == 0 || (r->judged && !r->as_asked && r->optim.stop == SAL_STOP_CONVERGED);
}

bool prb_result_has_problem(const sal_result *r)
{
    return r->problem_xml != NULL && r->problem_xml[0] != 0;
}

/* ---- contacts ---- */

/* How much contact k of a result has of what a requirement limits. */
typedef double measure(const sal_result *r, const prb_require *asked, int k);

static double depth_of(const sal_result *r, const prb_require *asked, int k)
{
    (void)asked;
    return -r->contact_dist[k];
}

/* Its share in the mean slip. */
static double drag_of(const sal_result *r, const prb_require *asked, int k)
{
    (void)asked;
    return r->contact_force[6 * k] * r->contact_slip[k];
}

/* Whether `only` names the body, or its geom; geom -1: or any geom of it. */
static bool is_named(const sal_model *m, const prb_require *asked, int body, int geom)
{
    bool named = false;
    for (int i = 0; i < asked->nonly; i++) {
        const int object = asked->only[i];
        named = named || (object < 0 ? body == m->body_weldid[-1 - object]
                          : geom < 0 ? body == prb_contact_body(m, object)
                                     : geom == object);
    }
    return named;
}

/* Whether this geom may touch what cannot move, and in a mirrored cycle the image of its body. */
static bool may_touch(const sal_result *r, const prb_require *asked, int geom)
{
    const sal_model *m = r->model;
    const int body = prb_contact_body(m, geom);
    bool may = is_named(m, asked, body, geom);
    if (r->image != NULL && r->image->mirrored) {
        const int dof = r->image->dof_index[m->body_dofadr[body]];
        may = may && is_named(m, asked, m->body_weldid[m->dof_bodyid[dof]], -1);
    }
    return may;
}

/* The normal force of something else than `only` from what cannot move; of a mirrored cycle also
 * that of its other half, in which the image of this body touches. */
static double stray_of(const sal_result *r, const prb_require *asked, int k)
{
    const sal_model *m = r->model;
    const int *geom = r->contact_geom + 2 * k;
    const int body1 = prb_contact_body(m, geom[0]), body2 = prb_contact_body(m, geom[1]);
    const bool fixed = (body1 == 0) != (body2 == 0);
    const int moving = geom[body1 == 0];
    return fixed && !may_touch(r, asked, moving) ? r->contact_force[6 * k] : 0;
}

/* The normal force between two bodies of a tree. */
static double inner_of(const sal_result *r, const prb_require *asked, int k)
{
    const sal_model *m = r->model;
    const int *geom = r->contact_geom + 2 * k;
    const bool apart = prb_contact_body(m, geom[0]) != prb_contact_body(m, geom[1]);
    (void)asked;
    return apart && prb_are_of_a_tree(m, geom[0], geom[1]) ? r->contact_force[6 * k] : 0;
}

/* The contact, of first .. end-1, with the most; -1: none has any. */
static int worst(const sal_result *r, const prb_require *asked, measure *of, int first, int end)
{
    double most = 0;
    int which = -1;
    for (int k = first; k < end; k++) {
        const double value = of(r, asked, k);
        if (value > most) {
            most = value;
            which = k;
        }
    }
    return which;
}

static double force_of(const sal_result *r, const prb_require *asked, int k)
{
    const sal_model *m = r->model;
    const int *geom = r->contact_geom + 2 * k;
    (void)asked;
    return prb_contact_body(m, geom[0]) == 0 || prb_contact_body(m, geom[1]) == 0
               ? r->contact_force[6 * k]
               : 0;
}

/* ---- reports ---- */

static prb_requirement_report *add(sal_result *r, const char *name, const char *unit, double found,
                                   double allowed)
{
    prb_requirement_report *report = r->requirement + r->nrequirement++;
    *report = (prb_requirement_report){
        .found = isnan(found) ? 0 : found, .allowed = allowed, .time = (double)NAN};
    snprintf(report->name, sizeof report->name, "require/%s", name);
    snprintf(report->unit, sizeof report->unit, "%s", unit);
    return report;
}

/* "body 'foot' and the floor" and its time, of a contact, if there is one */
static void place(prb_requirement_report *report, const sal_result *r, int k)
{
    char name[2][100];
    if (k < 0) {
        return;
    }
    const int *geom = r->contact_geom + 2 * k, fixed = prb_contact_body(r->model, geom[0]) == 0;
    prb_contact_name(name[0], r->model, geom[fixed]);
    prb_contact_name(name[1], r->model, geom[!fixed]);
    snprintf(report->what, sizeof report->what, "%.60s and %.60s", name[0], name[1]);
    report->time = r->time[prb_contact_step(r, k)];
}

static void judge_forces(sal_result *r, const prb_require *asked, const char *name, measure *of)
{
    const int k = worst(r, asked, of, 0, r->ncontact);
    place(add(r, name, "N", k < 0 ? 0 : r->contact_force[6 * k], PRB_LOADED * r->weight), r, k);
}

static void judge_load(sal_result *r, const prb_require *asked, const prb_gait *g)
{
    int t = 0;
    for (int i = 0; i < r->nstep; i++) {
        t = g->load[i] > g->load[t] ? i : t;
    }
    place(add(r, "load", "W", g->peak_load, asked->load), r,
          worst(r, asked, force_of, r->contact_offset[t], r->contact_offset[t + 1]));
}

static void judge_rest(sal_result *r, const sal_problem *p)
{
    int when = -1;
    double found = 0;
    for (int end = 0; end < 2; end++) {
        const int t = prb_rest_step(p, r, end);
        const double off = t < 0 ? 0 : fabs(prb_carried(r, t) - 1);
        when = t >= 0 && !(off <= found) ? t : when;
        found = fmax(found, off);
    }
    prb_requirement_report *report = add(r, "rest", "W", found, p->require.rest);
    report->time = when < 0 ? (double)NAN : r->time[when];
}

static void judge_bound(sal_result *r, const sal_problem *p)
{
    prb_free free[PRB_NFREE];
    const int n = prb_free_of(free, p, r);
    prb_requirement_report *report = add(r, "bound", "", 0, PRB_AT_BOUND);
    for (int i = 0; i < n; i++) {
        const double share = prb_free_share(free + i);
        if (share > report->found) {
            report->found = share;
            snprintf(report->what, sizeof report->what, "%s %.4g %s in %.4g .. %.4g %s",
                     free[i].name, free[i].value, free[i].unit, free[i].range[0], free[i].range[1],
                     free[i].unit);
        }
    }
}

static void judge_contacts(sal_result *r, const prb_require *asked, const prb_gait *g)
{
    const bool own = !r->contact_table && !isnan(asked->ownpenetration);
    const double depth = own ? asked->ownpenetration : asked->penetration;
    if (!isnan(depth)) {
        place(add(r, "penetration", "m", g->penetration, depth), r,
              worst(r, asked, depth_of, 0, r->ncontact));
    }
    if (!isnan(asked->slip)) {
        place(add(r, "slip", "m/s", g->slip, asked->slip), r,
              worst(r, asked, drag_of, 0, r->ncontact));
    }
    if (!isnan(asked->load)) {
        judge_load(r, asked, g);
    }
    if (asked->nonly > 0) {
        judge_forces(r, asked, "only", stray_of);
    }
    if (!asked->selfcontact) {
        judge_forces(r, asked, "selfcontact", inner_of);
    }
}

sal_status prb_judge(const sal_problem *p, sal_result *r, sal_err *err)
{
    prb_gait *g = NULL;
    const sal_status status = prb_gait_new(&g, r, err);
    if (status != SAL_OK) {
        return status;
    }
    judge_contacts(r, &p->require, g);
    if (!isnan(p->require.rest)) {
        judge_rest(r, p);
    }
    if (!p->require.bound) {
        judge_bound(r, p);
    }
    prb_gait_free(g);
    r->judged = true;
    r->to_finish = p->finish != PRB_FINISH_NONE;
    r->as_asked = r->optim.stop == SAL_STOP_CONVERGED || prb_result_is_physical(r);
    for (int i = 0; i < r->nrequirement; i++) {
        r->as_asked = r->as_asked && prb_requirement_is_met(r->requirement + i);
    }
    r->exit_code = prb_result_exit_code(r->optim.stop);
    r->exit_code = r->exit_code == 0 && !r->as_asked ? 1 : r->exit_code;
    return SAL_OK;
}

/* ---- in words ---- */

/* Of a physical motion that was to be finished */
static void say_finished(const sal_result *r, char text[PRB_VERDICT])
{
    const size_t n = strlen(text);
    if (r->to_finish) {
        snprintf(text + n, PRB_VERDICT - n, "; %sfinished in the model as it is",
                 r->finished ? "" : "not ");
    }
}

void prb_verdict(const sal_result *r, char text[PRB_VERDICT])
{
    int unmet = 0;
    for (int i = 0; i < r->nrequirement; i++) {
        unmet += !prb_requirement_is_met(r->requirement + i);
    }
    text[0] = 0;
    if (r->judged && r->as_asked) {
        snprintf(text, PRB_VERDICT, "physical, and as asked");
        say_finished(r, text);
    } else if (r->judged && unmet > 0 && (prb_result_is_solved(r) || prb_result_is_physical(r))) {
        snprintf(text, PRB_VERDICT,
                 "physical, but not as asked: %d of %d requirements %s not satisfied", unmet,
                 r->nrequirement, unmet == 1 ? "is" : "are");
        say_finished(r, text);
    } else if (r->judged) {
        snprintf(text, PRB_VERDICT, "not physical: the model cannot move like this");
    }
}
