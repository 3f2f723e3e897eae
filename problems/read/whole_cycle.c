/* whole_cycle.c: a mirrored cycle of a model that is not quite its own mirror image. What was read
 * is the problem of half a cycle; with the averaged model (sal_model_symmetrise) it is solved
 * first. The problem itself becomes that of the whole cycle, of the model as it is:
 *
 *     steps, duration, travel     twice as many, as long, as far
 *     terms and constraints       in the second half those of the images of their objects; the
 *                                 cost of a motion that is its own image is that of its half
 *     what is required            of the whole cycle
 *
 * A term has half its weight in each half: its mean over the cycle is the mean of both. Per motion
 * it is summed over twice the time, and per distance over twice the distance as well. */
#include "problems/read/whole_cycle.h"

#include "problems/recordings/data.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- terms ---- */

static void rename_second(const prb_whole *w, prb_feature *f)
{
    char name[64];
    snprintf(name, sizeof name, "%.50s, 2nd half", f->name == NULL ? "" : f->name);
    sal_free(f->name);
    f->name = prb_reader_copy(w->r, name);
}

static void scale_term(prb_term *term, double factor)
{
    term->weight *= factor;
    term->softweight *= factor;
}

static bool add_term(prb_whole *w, const prb_term *term)
{
    sal_problem *p = w->r->p;
    prb_term *first = p->term + p->nterm, *second = first + 1;
    *first = *second = *term;
    first->feature = second->feature = (prb_feature){0};
    w->one_sided = term->norm.kind == SAL_NORM_SOFTPLUS;
    p->nterm += 2;
    if (!prb_whole_feature(w, &second->feature, &term->feature, PRB_SECOND_HALF, NULL, NULL)) {
        return false;
    }
    if (prb_whole_is_even(w, &term->feature, NULL, NULL)) {
        prb_feature_clear(&second->feature);
        p->nterm--;
        scale_term(first, term->per == PRB_PER_MOTION ? 0.5 : 1);
        return prb_whole_feature(w, &first->feature, &term->feature, PRB_WHOLE_CYCLE, NULL, NULL);
    }
    /* the mean over the steps of a half is weighed; the integral over them, by whole durations */
    const double factor = term->per == PRB_PER_MOTION ? 0.25 : 0.5;
    scale_term(first, factor);
    scale_term(second, factor);
    rename_second(w, &second->feature);
    return prb_whole_feature(w, &first->feature, &term->feature, PRB_FIRST_HALF, NULL, NULL);
}

/* ---- constraints ---- */

static double *copy_bounds(const prb_whole *w, const double *from, int dim)
{
    double *to = from == NULL ? NULL : prb_reader_alloc(w->r, (size_t)dim, sizeof *to);
    if (to != NULL) {
        memcpy(to, from, (size_t)dim * sizeof *to);
    }
    return to;
}

static bool add_constraint(prb_whole *w, const prb_constraint *c)
{
    sal_problem *p = w->r->p;
    prb_constraint *first = p->constraint + p->nconstraint, *second = first + 1;
    const int dim = c->feature.dim;
    *first = *second = *c;
    first->feature = second->feature = (prb_feature){0};
    first->lower = copy_bounds(w, c->lower, dim), first->upper = copy_bounds(w, c->upper, dim);
    second->lower = copy_bounds(w, c->lower, dim), second->upper = copy_bounds(w, c->upper, dim);
    w->one_sided = false;
    p->nconstraint += 2;
    if (w->r->nomem || !prb_whole_feature(w, &second->feature, &c->feature, PRB_SECOND_HALF,
                                          second->lower, second->upper)) {
        return false;
    }
    const bool even = prb_whole_is_even(w, &c->feature, c->lower, c->upper);
    if (even) {
        prb_feature_clear(&second->feature);
        sal_free(second->lower);
        sal_free(second->upper);
        p->nconstraint--;
    } else {
        rename_second(w, &second->feature);
    }
    return prb_whole_feature(w, &first->feature, &c->feature,
                             even ? PRB_WHOLE_CYCLE : PRB_FIRST_HALF, NULL, NULL);
}

/* ---- what is required ---- */

/* What may touch in one half may, as its image, touch in the other. */
static void add_only(const prb_whole *w)
{
    const prb_require *from = &w->half->require;
    prb_require *to = &w->r->p->require;
    *to = *from;
    to->only =
        from->nonly == 0 ? NULL : prb_reader_alloc(w->r, 2 * (size_t)from->nonly, sizeof *to->only);
    to->nonly = 0;
    for (int i = 0; i < from->nonly && to->only != NULL; i++) {
        const int image = prb_whole_shape(w, from->only[i]);
        to->only[to->nonly++] = from->only[i];
        if (image != INT_MIN && image != from->only[i]) {
            to->only[to->nonly++] = image;
        }
    }
}

/* ---- points and distances, which grow by their images ---- */

static void copy_objects(const prb_whole *w)
{
    const sal_problem *from = w->half;
    sal_problem *to = w->r->p;
    const size_t npoint = (size_t)from->npoint, ndistance = (size_t)from->ndistance;
    to->npoint = to->ndistance = 0;
    to->point = prb_reader_alloc(w->r, 2 * npoint + 1, sizeof *to->point);
    to->point_geom = prb_reader_alloc(w->r, 2 * npoint + 1, sizeof *to->point_geom);
    to->point_name = prb_reader_alloc(w->r, 2 * npoint + 1, sizeof *to->point_name);
    to->distance = prb_reader_alloc(w->r, 2 * ndistance + 1, sizeof *to->distance);
    if (w->r->nomem) {
        return;
    }
    for (int i = 0; i < from->npoint; i++) {
        prb_reader_add_point(w->r, from->point_name[i], from->point[i], from->point_geom[i]);
    }
    memcpy(to->distance, from->distance, ndistance * sizeof *to->distance);
    to->ndistance = from->ndistance;
}

/* ---- the whole ---- */

/* A slide moves along its axis at home, a free joint along x and y. */
static void find_direction(prb_whole *w)
{
    const sal_problem *half = w->half;
    const sal_model *m = w->r->p->model;
    for (int j = 0; j < m->njnt; j++) {
        const double *per = half->image->travel_dof + m->jnt_dofadr[j];
        for (int i = 0; i < 2; i++) {
            w->direction[i] += m->jnt_type[j] == SAL_JNT_FREE ? per[i]
                               : m->jnt_type[j] == SAL_JNT_SLIDE
                                   ? per[0] * w->home->xaxis[3 * j + i]
                                   : 0;
        }
    }
    for (int i = 0; i < 2; i++) {
        w->direction[i] = fabs(w->direction[i]) < 1e-9 ? 0 : w->direction[i];
    }
    const bool tied = half->duration_range[1] <= half->duration_range[0];
    w->fixed = half->travel == PRB_TRAVEL_VALUE || half->travel == PRB_TRAVEL_NONE ||
               (half->travel == PRB_TRAVEL_SPEED && tied);
    w->length = half->travel == PRB_TRAVEL_SPEED   ? half->travel_value * half->duration
                : half->travel == PRB_TRAVEL_VALUE ? half->travel_value
                                                   : 0;
}

/* The same travel, without the mirror */
static void new_image(const prb_whole *w)
{
    sal_problem *p = w->r->p;
    const sal_image *from = w->half->image;
    sal_err why;
    if (sal_image_new(&p->image, p->model, &why) != SAL_OK) {
        w->r->nomem = true;
        return;
    }
    memcpy(p->image->travel, from->travel, (size_t)p->model->nq * sizeof *from->travel);
    memcpy(p->image->travel_dof, from->travel_dof, (size_t)p->model->nv * sizeof *from->travel_dof);
}

static void double_time(sal_problem *p)
{
    p->nstep *= 2;
    p->duration *= 2;
    for (int i = 0; i < 2; i++) {
        p->duration_range[i] *= 2;
        p->travel_range[i] *= 2;
    }
    p->travel_value *= p->travel == PRB_TRAVEL_SPEED ? 1 : 2;
}

/* r->p, which keeps its numbers, gets texts, guess and lists of its own. */
static void renew(prb_reader *r, const sal_problem *half)
{
    sal_problem *p = r->p;
    p->name = prb_reader_copy(r, half->name);
    p->path = prb_reader_copy(r, half->path);
    p->model_path = prb_reader_copy(r, half->model_path);
    p->problem_xml = half->problem_xml == NULL ? NULL : prb_reader_copy(r, half->problem_xml);
    p->start = p->end = (prb_endpoint){0};
    p->init_states = p->recorded = NULL;
    p->init_travel = p->init_turn = 0;
    p->init_qpos = prb_reader_alloc(r, (size_t)p->model->nq, sizeof *p->init_qpos);
    if (p->init_qpos != NULL) {
        memcpy(p->init_qpos, half->init_qpos, (size_t)p->model->nq * sizeof *p->init_qpos);
    }
    p->term = prb_reader_alloc(r, 2 * (size_t)half->nterm + 1, sizeof *p->term);
    p->constraint = prb_reader_alloc(r, 2 * (size_t)half->nconstraint + 1, sizeof *p->constraint);
    p->nterm = p->nconstraint = p->npoint = p->ndistance = p->nfunction = p->ninput = 0;
    p->function = NULL, p->input = NULL;
    p->point = NULL, p->point_geom = NULL, p->point_name = NULL, p->distance = NULL;
    p->require.only = NULL, p->require.nonly = 0;
    p->noffset = 0, p->offset = NULL, p->init_offset = NULL;
    p->image = NULL;
    double_time(p);
}

/* What was read becomes the half; r->p the whole. */
static sal_problem *split(prb_reader *r)
{
    sal_problem *half = prb_reader_alloc(r, 1, sizeof *half);
    if (half == NULL) {
        return NULL;
    }
    *half = *r->p;
    half->half = NULL;
    half->model = r->symmetric;
    half->data = NULL;
    r->symmetric = NULL;
    r->p->half = half;
    renew(r, half);
    return half;
}

static void add_features(prb_whole *w)
{
    for (int i = 0; i < w->half->nterm && !w->r->nomem; i++) {
        add_term(w, w->half->term + i);
    }
    for (int i = 0; i < w->half->nconstraint && !w->r->nomem; i++) {
        add_constraint(w, w->half->constraint + i);
    }
}

static void unfold(prb_reader *r)
{
    sal_data *home = NULL;
    sal_err why;
    const sal_problem *half = split(r);
    if (half == NULL || sal_data_new(&home, r->p->model, &why) != SAL_OK) {
        r->nomem = true;
        return;
    }
    sal_kinematics(r->p->model, home);
    prb_whole w = {.r = r,
                   .half = half,
                   .twins = r->twins,
                   .home = home,
                   .place = prb_reader_place(prb_reader_element(r, "boundary"), "mirror")};
    find_direction(&w);
    new_image(&w);
    copy_objects(&w);
    if (!r->nomem) {
        add_only(&w);
        add_features(&w);
    }
    sal_data_free(home);
}

void prb_read_whole_cycle(prb_reader *r)
{
    if (r->symmetric != NULL && r->diag->nerror == 0 && !r->nomem) {
        unfold(r);
    }
    sal_model_free(r->symmetric);
    sal_twins_free(r->twins);
    r->symmetric = NULL;
    r->twins = NULL;
}
