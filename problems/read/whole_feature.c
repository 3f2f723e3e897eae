/* whole_feature.c: a feature of half a mirrored cycle, in the whole one. Where x is a number of an
 * object at t, and x' that of its image at t + N,
 *
 *     x' = sign x + shift        so  target' = sign target + shift, and bounds likewise
 *
 * so that the residual at t + N of a motion that is its own image is +- that at t. */
#include "problems/read/whole_cycle.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void *copy(const prb_whole *w, const void *from, size_t n, size_t each)
{
    void *to = from == NULL ? NULL : prb_reader_alloc(w->r, n + 1, each);
    if (to != NULL) {
        memcpy(to, from, n * each);
    }
    return to;
}

/* ---- where and when it counts ---- */

static void set_steps(const prb_whole *w, prb_feature *to, const prb_feature *f,
                      prb_part_of_cycle part)
{
    const int N = w->half->nstep, from = part == PRB_SECOND_HALF ? N : 0;
    const int n = f->nstep > 0 ? f->nstep : N;
    to->step = NULL;
    to->nstep = part == PRB_WHOLE_CYCLE ? 0 : n;
    if (part != PRB_WHOLE_CYCLE) {
        to->step = prb_reader_alloc(w->r, (size_t)n, sizeof *to->step);
    }
    for (int i = 0; i < n && to->step != NULL; i++) {
        to->step[i] = from + (f->nstep > 0 ? f->step[i] : i);
    }
}

static bool set_objects(const prb_whole *w, prb_feature *to, const prb_feature *f,
                        prb_part_of_cycle part)
{
    bool good = true;
    for (int i = 0; i < f->nobject && part == PRB_SECOND_HALF && good; i++) {
        good = prb_whole_object(w, f, f->object[i], to->object + i);
    }
    for (int i = 0; i < f->nwith && part == PRB_SECOND_HALF && good; i++) {
        to->with[i] = prb_whole_shape(w, f->with[i]);
        if (to->with[i] == INT_MIN) {
            prb_whole_refuse(w, f, "describe the whole cycle without mirror",
                             "something that 'with' names has no mirrored partner");
            good = false;
        }
    }
    return good;
}

/* ---- what it is compared with ---- */

/* Row k of a table of half a cycle, n numbers each, is row k or N + k of the whole one. */
static double *stretch(const prb_whole *w, const double *from, bool tabulated, int n,
                       prb_part_of_cycle part)
{
    const size_t N = (size_t)w->half->nstep, width = (size_t)n;
    if (from == NULL || !tabulated) {
        return copy(w, from, width, sizeof *from);
    }
    double *to = prb_reader_alloc(w->r, (2 * N + 1) * width, sizeof *to);
    if (to != NULL) {
        memcpy(to + (part == PRB_SECOND_HALF ? N * width : 0), from, (N + 1) * width * sizeof *to);
    }
    return to;
}

/* Rows of a table of the second half, or the one row that there is */
static void rows_of(const prb_whole *w, const prb_feature *f, int *first, int *n)
{
    *first = f->tabulated ? w->half->nstep : 0;
    *n = f->tabulated ? w->half->nstep + 1 : 1;
}

/* (w,-x,y,-z) */
static void turn_reference(const prb_whole *w, prb_feature *to)
{
    int first, n;
    rows_of(w, to, &first, &n);
    for (int k = first * to->nobject; k < (first + n) * to->nobject; k++) {
        to->reference[4 * k + 1] *= -1;
        to->reference[4 * k + 3] *= -1;
    }
}

static bool has_side(const prb_whole *w, const prb_feature *f, int i, const double *lower,
                     const double *upper)
{
    const bool target = f->target != NULL && (f->tabulated || f->target[i] != 0);
    return target || w->one_sided || (lower != NULL && lower[i] != -upper[i]);
}

/* Number i of all rows of the target, and of the bounds */
static bool turn_number(const prb_whole *w, prb_feature *to, const prb_feature *f, int i,
                        double *lower, double *upper)
{
    const prb_part part = prb_feature_part(w->r->p->model, f, i);
    prb_reflection how;
    int first, n;
    if (!prb_whole_number(w, f, part.object, part.i, &how)) {
        return false;
    }
    if ((how.sign == 0 && has_side(w, f, i, lower, upper)) || (how.sign < 0 && w->one_sided)) {
        prb_whole_refuse(w, f, "describe the whole cycle without mirror",
                         "what is more on one side may be less on the other");
        return false;
    }
    const double sign = how.sign == 0 ? 1 : how.sign;
    if (to->fall != NULL) {
        to->fall[i] *= sign;
    }
    if (to->target == NULL && how.shift != 0) {
        to->target = prb_reader_alloc(w->r, (size_t)to->dim, sizeof *to->target);
    }
    rows_of(w, to, &first, &n);
    for (int k = first; k < first + n && to->target != NULL; k++) {
        double *target = to->target + k * to->dim + i;
        *target = sign * *target + how.shift;
    }
    if (lower != NULL) {
        const double low = lower[i];
        lower[i] = (sign > 0 ? low : -upper[i]) + how.shift;
        upper[i] = (sign > 0 ? upper[i] : -low) + how.shift;
    }
    return true;
}

bool prb_whole_feature(const prb_whole *w, prb_feature *to, const prb_feature *f,
                       prb_part_of_cycle part, double *lower, double *upper)
{
    const size_t nobject = (size_t)f->nobject;
    *to = *f;
    to->name = copy(w, f->name, f->name == NULL ? 0 : strlen(f->name) + 1, 1);
    to->object = copy(w, f->object, nobject, sizeof *f->object);
    to->with = copy(w, f->with, (size_t)f->nwith, sizeof *f->with);
    to->component = copy(w, f->component, (size_t)f->dim, sizeof *f->component);
    to->fall = copy(w, f->fall, (size_t)f->dim, sizeof *f->fall);
    to->arm = NULL;
    to->target = stretch(w, f->target, f->tabulated, f->dim, part);
    to->reference = stretch(w, f->reference, f->tabulated, 4 * f->nobject, part);
    set_steps(w, to, f, part);
    if (w->r->nomem || !set_objects(w, to, f, part)) {
        return false;
    }
    if (f->arm != NULL || f->turned || f->offset > 0) {
        prb_whole_refuse(w, f, "describe the whole cycle without mirror",
                         f->offset > 0 ? "its marker is beside its site on one side only"
                                       : "the floor of its recording slopes to one side");
        return false;
    }
    bool good = true;
    for (int i = 0; i < f->dim && part == PRB_SECOND_HALF && good; i++) {
        good = turn_number(w, to, f, i, lower, upper);
    }
    if (to->reference != NULL && part == PRB_SECOND_HALF && good) {
        turn_reference(w, to);
    }
    return good && !w->r->nomem;
}

/* ---- features that are their own images ---- */

static bool among(const int *list, int n, const int *group, int ngroup)
{
    for (int i = 0; i + ngroup <= n; i += ngroup) {
        const bool straight = memcmp(list + i, group, (size_t)ngroup * sizeof *list) == 0;
        if (straight || (ngroup == 2 && list[i] == group[1] && list[i + 1] == group[0])) {
            return true;
        }
    }
    return false;
}

/* Whether the images of all objects are objects, too; *same: each is its own */
static bool is_closed(const prb_whole *w, const prb_feature *f, bool *same)
{
    const int ngroup = prb_object_group(prb_quantity_of(f)->object);
    bool closed = true;
    *same = true;
    for (int i = 0; i + ngroup <= f->nobject && closed; i += ngroup) {
        int image[2] = {0, 0};
        for (int k = 0; k < ngroup; k++) {
            prb_whole_object(w, f, f->object[i + k], image + k);
            *same = *same && image[k] == f->object[i + k];
        }
        closed = among(f->object, f->nobject, image, ngroup);
    }
    for (int i = 0; i < f->nwith && closed; i++) {
        const int image = prb_whole_shape(w, f->with[i]);
        closed = among(f->with, f->nwith, &image, 1);
    }
    return closed;
}

static bool is_even_number(const prb_whole *w, const prb_feature *f, int i, const double *lower,
                           const double *upper, bool same)
{
    const prb_part part = prb_feature_part(w->r->p->model, f, i);
    const double target = f->target == NULL ? 0 : f->target[i];
    prb_reflection how;
    if (!prb_whole_number(w, f, part.object, part.i, &how) || how.shift != 0) {
        return false;
    }
    if (!same && (target != 0 || lower != NULL)) {
        return false;
    }
    const bool turned = how.sign < 0;
    return !turned || (target == 0 && !w->one_sided && (lower == NULL || lower[i] == -upper[i]));
}

bool prb_whole_is_even(const prb_whole *w, const prb_feature *f, const double *lower,
                       const double *upper)
{
    bool same;
    if (f->nstep > 0 || f->mean || f->tabulated || !is_closed(w, f, &same) ||
        (!same && (f->component != NULL || f->reference != NULL))) {
        return false;
    }
    for (int i = 0; i < f->nobject && f->reference != NULL; i++) {
        const double *q = f->reference + 4 * i;
        if (q[1] != 0 || q[3] != 0) { /* turned about another axis than y */
            return false;
        }
    }
    for (int i = 0; i < f->dim; i++) {
        if (!is_even_number(w, f, i, lower, upper, same)) {
            return false;
        }
    }
    return true;
}
