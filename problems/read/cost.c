/* cost.c: the terms of the cost, and the constraints. */
#include "problems/language/reader.h"
#include "problems/quantity.h"
#include "problems/recordings/track.h"
#include "problems/softening_schedule.h"

#include <math.h>
#include <string.h>

/* ---- constraints ---- */

/* What a deviation of 1 is to the optimizer, in units of the quantity: the weight of the mechanism
 * for forces of contact, with it what goes with force: W 1 m for energy, W 1 m/s for power, its
 * mass times 1 m/s for momentum; else a metre, radian, .. */
static double natural_unit(const prb_reader *r, const prb_feature *f)
{
    const prb_quantity *q = prb_quantity_of(f);
    return q->natural_unit == NULL ? 1 : q->natural_unit(r->p->model, f);
}

static void range_of_model(prb_reader *r, const sal_xml_attr *attr, prb_constraint *c)
{
    const prb_feature *f = &c->feature;
    const prb_quantity *q = prb_quantity_of(f);
    const bool rate = (q->uses & PRB_USE_OF) != 0 && f->order > 0;
    const bool has_ranges = q->model_range != NULL && !rate;
    if (!has_ranges || f->component != NULL) {
        sal_diag_error(
            r->diag, attr->value_place, "give two numbers instead",
            "range=\"model\" is possible only for positions of joints, for ctrl and for force");
        return;
    }
    int limited = 0, row = 0;
    for (int k = 0; k < f->nobject; k++) {
        double range[2];
        const bool given = q->model_range(r->p->model, f->object[k], range);
        const int n = prb_object_dim(r->p->model, f, k);
        limited += given;
        for (int i = 0; i < n; i++, row++) {
            c->lower[row] = given ? range[0] : -(double)INFINITY;
            c->upper[row] = given ? range[1] : (double)INFINITY;
        }
    }
    if (limited == 0) {
        sal_diag_error(r->diag, attr->value_place, NULL,
                       "none of the objects named has a range in the model");
    }
}

/* "lo hi", of which -inf and inf bound nothing */
static bool two_bounds(const char *text, double bound[2])
{
    for (int k = 0; k < 2; k++) {
        const char *end = text += strspn(text, " \t\n\r");
        if (!sal_text_number(text, &end, &bound[k]) || isnan(bound[k])) {
            return false;
        }
        text = end;
    }
    return text[strspn(text, " \t\n\r")] == 0;
}

static void read_range(prb_reader *r, const sal_xml *element, const sal_xml_attr *attr,
                       prb_constraint *c)
{
    double bound[2];
    c->range = true;
    c->lower = prb_reader_alloc(r, (size_t)c->feature.dim, sizeof *c->lower);
    c->upper = prb_reader_alloc(r, (size_t)c->feature.dim, sizeof *c->upper);
    if (sal_xml_find_attr(element, "target") != NULL || c->feature.tabulated) {
        sal_diag_error(r->diag, attr->name_place, "remove one of the two",
                       "a constraint cannot have both a target and a range");
        return;
    }
    if (c->lower == NULL || c->upper == NULL) {
        return;
    }
    if (strcmp(attr->value, "model") == 0) {
        range_of_model(r, attr, c);
        return;
    }
    if (!two_bounds(attr->value, bound) || !(bound[0] < bound[1])) {
        sal_diag_error(r->diag, attr->value_place,
                       "for example range=\"-inf 0.05\", or range=\"model\"",
                       "range must be two numbers, the lower bound first");
        return;
    }
    if (!isfinite(bound[0]) && !isfinite(bound[1])) {
        sal_diag_error(r->diag, attr->value_place, NULL,
                       "the range -inf .. inf is no limit; give at least one finite bound");
    }
    for (int i = 0; i < c->feature.dim; i++) {
        c->lower[i] = bound[0];
        c->upper[i] = bound[1];
    }
}

static void read_constraint(prb_reader *r, const sal_xml *element, prb_constraint *c)
{
    const double tolerance = 1e-6; /* of the natural unit */
    const sal_xml_attr *range = sal_xml_find_attr(element, "range");
    prb_read_feature(r, element, &c->feature);
    c->scale = r->p->model == NULL ? 1 : natural_unit(r, &c->feature);
    c->tol = prb_grammar_real("constraint", element, "tol");
    c->tol = isnan(c->tol) ? tolerance * c->scale : c->tol;
    if (range != NULL && c->feature.dim > 0) {
        read_range(r, element, range, c);
    }
}

/* ---- both ---- */

static void check_twice(prb_reader *r, const sal_xml *element, const prb_feature *f,
                        const char *const *name, int n)
{
    for (int i = 0; i < n && f->name != NULL && f->name[0] != 0; i++) {
        if (name[i] != NULL && strcmp(name[i], f->name) == 0) {
            prb_reader_named_twice(r, element, f->name);
            return;
        }
    }
}

static size_t count_words(const sal_xml *list)
{
    size_t n = 0;
    for (const sal_xml *c = list == NULL ? NULL : list->child; c != NULL; c = c->next) {
        for (int i = 0; i < c->nattr; i++) {
            n += (size_t)prb_reader_count_words(&c->attr[i]);
        }
    }
    return n;
}

static size_t count_children(const sal_xml *list)
{
    size_t n = 0;
    for (const sal_xml *c = list == NULL ? NULL : list->child; c != NULL; c = c->next) {
        n++;
    }
    return n;
}

/* Of the inputs of all functions */
static size_t count_inputs(const prb_reader *r)
{
    size_t n = 0;
    for (const sal_xml *e = r->doc.root->child; e != NULL; e = e->next) {
        n += strcmp(e->tag, "function") == 0 ? count_words(e) : 0;
    }
    return n;
}

/* Room for all terms and constraints, and for the points of all features. */
static bool allocate(prb_reader *r, const sal_xml *cost, const sal_xml *constraints)
{
    sal_problem *p = r->p;
    const size_t npoint = 2 * (count_words(cost) + count_words(constraints) + count_inputs(r)) +
                          (size_t)prb_reader_most_points(r) + prb_track_most_terms(r, cost);
    p->term =
        prb_reader_alloc(r, count_children(cost) + prb_track_most_terms(r, cost), sizeof *p->term);
    p->constraint = prb_reader_alloc(r, count_children(constraints), sizeof *p->constraint);
    p->point = prb_reader_alloc(r, npoint, sizeof *p->point);
    p->point_geom = prb_reader_alloc(r, npoint, sizeof *p->point_geom);
    p->distance = prb_reader_alloc(r, npoint, sizeof *p->distance);
    p->point_name = prb_reader_alloc(r, npoint, sizeof *p->point_name);
    return !r->nomem;
}

/* What a motion may miss the target of a term by: as `tol` says, or where the target counts at
 * named instants or for the mean, 5 % of its largest number and at most 5 % of the natural unit. A
 * target that counts all the time is a direction to go, and nothing is judged by it. */
static double tolerance_of(prb_reader *r, const sal_xml *element, const prb_term *term)
{
    const double share = 0.05, given = prb_grammar_real("term", element, "tol");
    const prb_feature *f = &term->feature;
    const bool has_target = f->target != NULL || sal_xml_find_attr(element, "target") != NULL;
    const bool named = sal_xml_find_attr(element, "at") != NULL ||
                       sal_xml_find_attr(element, "steps") != NULL || f->mean;
    double most = 0;
    if (!isnan(given) && term->per != PRB_PER_TIME) {
        sal_diag_error(r->diag, prb_reader_place(element, "tol"), "remove one of the two",
                       "'tol' and 'per' cannot be combined");
    }
    if (!isnan(given) || !has_target || !named || term->weight == 0 || term->per != PRB_PER_TIME ||
        r->p->model == NULL) {
        return isnan(given) ? 0 : given;
    }
    const int rows = f->tabulated ? r->p->nstep + 1 : 1;
    for (int i = 0; f->target != NULL && i < rows * f->dim; i++) {
        most = fmax(most, fabs(f->target[i]));
    }
    const double unit = natural_unit(r, f);
    return share * (most > 0 ? fmin(most, unit) : unit);
}

/* One term, or those of the channels that it follows; name: of all terms so far. */
static void read_term(prb_reader *r, const sal_xml *element, const char **name)
{
    sal_problem *p = r->p;
    int first = p->nterm;
    if (sal_xml_find_attr(element, "data") != NULL) {
        prb_read_track(r, element);
    } else {
        prb_read_feature(r, element, &p->term[p->nterm].feature);
        prb_read_measure(r, element, &p->term[p->nterm]);
        p->term[p->nterm].tol = tolerance_of(r, element, &p->term[p->nterm]);
        p->nterm++;
    }
    for (; first < p->nterm; first++) {
        check_twice(r, element, &p->term[first].feature, name, first);
        name[first] = p->term[first].feature.name;
    }
}

/* A floor that is found must be felt. */
static void check_floor(prb_reader *r, const sal_xml *list)
{
    const sal_problem *p = r->p;
    bool felt[2] = {false, false}; /* height, slope */
    for (int k = 0; k < p->nterm; k++) {
        const prb_feature *f = &p->term[k].feature;
        felt[0] = felt[0] || f->fall != NULL;
        felt[1] = felt[1] || f->arm != NULL || f->turned;
    }
    for (const sal_xml *c = list == NULL ? NULL : list->child; c != NULL; c = c->next) {
        const sal_xml_attr *attr = sal_xml_find_attr(c, "floor");
        const bool height = attr != NULL && strstr(attr->value, "height") != NULL,
                   slope = attr != NULL && strstr(attr->value, "slope") != NULL;
        if ((height && !felt[0]) || (slope && !felt[1])) {
            sal_diag_warning(
                r->diag, attr->name_place,
                "add <term data=\"..\"/> for a channel with body or site, or remove it",
                "the %s of the floor has no effect, since no term follows the "
                "place of anything that was recorded",
                height && !felt[0] ? "height" : "slope");
        }
    }
}

static bool names_function(const sal_xml *list, const char *name)
{
    for (const sal_xml *c = list == NULL ? NULL : list->child; c != NULL; c = c->next) {
        const sal_xml_attr *attr = sal_xml_find_attr(c, "function");
        if (attr != NULL && strcmp(attr->value, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A function that nothing names has no effect. */
static void check_functions(prb_reader *r, const sal_xml *cost, const sal_xml *constraints)
{
    for (const sal_xml *e = r->doc.root->child; e != NULL; e = e->next) {
        const char *name =
            strcmp(e->tag, "function") == 0 ? prb_grammar_text("function", e, "name") : NULL;
        if (name != NULL && !names_function(cost, name) && !names_function(constraints, name)) {
            sal_diag_warning(r->diag, e->place, "add <term function=\"..\"/>, or remove it",
                             "the function '%.64s' has no effect, since no term or constraint "
                             "names it",
                             name);
        }
    }
}

void prb_read_cost(prb_reader *r)
{
    const sal_xml *cost = prb_reader_element(r, "cost"),
                  *constraints = prb_reader_element(r, "constraints");
    const size_t n =
        count_children(cost) + prb_track_most_terms(r, cost) + count_children(constraints);
    const char **name = prb_reader_alloc(r, n, sizeof *name);
    sal_problem *p = r->p;
    if (name == NULL || !allocate(r, cost, constraints)) {
        sal_free(name);
        return;
    }
    if (p->model != NULL) {
        prb_track_centre(r);
        prb_track_markers(r);
    }
    prb_read_functions(r);
    for (const sal_xml *c = cost == NULL ? NULL : cost->child; c != NULL; c = c->next) {
        if (strcmp(c->tag, "term") == 0) {
            read_term(r, c, name);
        }
    }
    for (const sal_xml *c = constraints == NULL ? NULL : constraints->child; c != NULL;
         c = c->next) {
        if (strcmp(c->tag, "constraint") == 0) {
            prb_feature *f = &p->constraint[p->nconstraint].feature;
            read_constraint(r, c, &p->constraint[p->nconstraint]);
            check_twice(r, c, f, name, p->nconstraint);
            name[p->nconstraint++] = f->name;
        }
    }
    check_floor(r, cost);
    check_floor(r, constraints);
    prb_check_markers(r, cost);
    prb_check_markers(r, constraints);
    check_functions(r, cost, constraints);
    sal_free(name);
}
