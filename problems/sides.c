/* sides.c: constraints that keep contacts and limits on their side of where they begin.
 *
 * With g the distance of a point or a joint beyond the margin of its contact or limit: what has
 * |g| < REACH at a step of the motion that the problem begins with is constrained there to
 *
 *     g <= -CLEAR  if g < 0       g >= CLEAR  otherwise
 *
 * A sphere, the ends of a capsule and the corners of a box over a plane are points of their own;
 * of other pairs of geoms g is the distance of the two.
 */
#include "problems/states.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CLEAR = 2e-6, TOLERANCE = 1e-6; /* m, rad */
static const double SCALE = 1e-3;                   /* m, rad: an excess that counts as one */
enum { CORNERS = 8 };

/* What has a distance of its own: a point of a pair's geom, a pair, or an end of a joint's range */
typedef struct side {
    prb_quantity_code quantity;
    int id;    /* the pair, or the joint */
    int which; /* its corner, or end: 0 .. CORNERS - 1; of a joint's range 0 or 1 */
    sal_point point;
    /* g, where it begins; of the upper end of a range the value falls as g rises */
    double *gap; /* [nstep] */
} side;

typedef struct sides {
    sal_problem *p;
    sal_model *wide; /* its model, which lists contacts before they begin */
    sal_data *d;
    side *one;
    int n, room;
    int nstep, t;
} sides;

static sal_status no_memory(sal_err *err)
{
    return sal_fail(err, SAL_NOMEM, "out of memory for constraints on contacts");
}

/* ---- gaps ---- */

/* The gaps of one of these, step by step; NULL: no memory */
static side *find(sides *s, prb_quantity_code quantity, int id, int which)
{
    for (int i = 0; i < s->n; i++) {
        side *one = s->one + i;
        if (one->quantity == quantity && one->id == id && one->which == which) {
            return one;
        }
    }
    side *list = sal_list_grow(s->one, s->n, &s->room, sizeof *list);
    double *gap = list == NULL ? NULL : sal_alloc((size_t)s->nstep, sizeof *gap);
    s->one = list == NULL ? s->one : list;
    if (gap == NULL) {
        return NULL;
    }
    for (int t = 0; t < s->nstep; t++) {
        gap[t] = INFINITY;
    }
    s->one[s->n] = (side){.quantity = quantity, .id = id, .which = which, .gap = gap};
    return s->one + s->n++;
}

/* Over a plane: how many points of the geom may touch it; 0: its distance has to do. */
static int points_of(const sal_model *m, int pair)
{
    if (m->geom_type[m->pair_geom1[pair]] != SAL_GEOM_PLANE) {
        return 0;
    }
    const int type = m->geom_type[m->pair_geom2[pair]];
    return type == SAL_GEOM_SPHERE    ? 1
           : type == SAL_GEOM_CAPSULE ? 2
           : type == SAL_GEOM_BOX     ? CORNERS
                                      : 0;
}

static sal_point point_of(const sal_model *m, int pair, int n, int which)
{
    const int geom = m->pair_geom2[pair];
    return n == CORNERS ? sal_point_corner(m, geom, which)
                        : sal_point_geom(m, geom, n == 1 ? 0 : 1 - 2 * which);
}

/* Height of a point of a geom over the plane of the pair */
static double height(const sides *s, int pair, const sal_point *point)
{
    const int plane = s->p->model->pair_geom1[pair];
    const double *pos = s->d->geom_xpos + 3 * plane, *mat = s->d->geom_xmat + 9 * plane;
    const double *body = s->d->xpos + 3 * point->body, *turn = s->d->xmat + 9 * point->body;
    double sum = -point->radius;
    for (int i = 0; i < 3; i++) {
        double x = body[i] - pos[i];
        for (int k = 0; k < 3; k++) {
            x += turn[3 * i + k] * point->pos[k];
        }
        sum += mat[3 * i + 2] * x;
    }
    return sum;
}

static bool note(sides *s, prb_quantity_code quantity, int id, int which, double g)
{
    side *one = fabs(g) < PRB_HOLD_REACH ? find(s, quantity, id, which) : NULL;
    if (one != NULL) {
        one->gap[s->t] = fmin(one->gap[s->t], g);
    }
    return one != NULL || !(fabs(g) < PRB_HOLD_REACH);
}

static bool note_contact(sides *s, const sal_contact *contact)
{
    const sal_model *m = s->p->model;
    const int n = points_of(m, contact->pair);
    const double begin = m->pair_include[contact->pair];
    bool room = n > 0 || note(s, PRB_QTY_DISTANCE, contact->pair, 0, contact->dist - begin);
    for (int k = 0; k < n && room; k++) {
        const sal_point point = point_of(m, contact->pair, n, k);
        room = note(s, PRB_QTY_HEIGHT, contact->pair, k, height(s, contact->pair, &point) - begin);
    }
    return room;
}

static sal_status measure(sides *s, const double *q, sal_err *err)
{
    const sal_model *m = s->wide;
    memcpy(s->d->qpos, q, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, s->d);
    const sal_status status = sal_collide(m, s->d, err);
    bool room = true;
    for (int i = 0; i < s->d->ncon && status == SAL_OK && room; i++) {
        room = note_contact(s, s->d->contact + i);
    }
    for (int j = 0; j < m->njnt && room; j++) {
        for (int end = 0; end < 2 && room; end++) {
            room = note(s, PRB_QTY_JOINT, j, end, prb_limit_gap(m, q, j, end));
        }
    }
    return room ? status : no_memory(err);
}

/* ---- constraints ---- */

/* Room for one more behind n, in a list that was allocated with exactly n. */
static bool extend(void **list, int n, size_t size)
{
    void *more = sal_alloc((size_t)n + 1, size);
    if (more != NULL) {
        if (n > 0) {
            memcpy(more, *list, (size_t)n * size);
        }
        sal_free(*list);
        *list = more;
    }
    return more != NULL;
}

/* The object of the constraint's feature: a point, a pair of geoms, or the joint; -1: no memory */
static int add_object(sal_problem *p, const side *one)
{
    const sal_model *m = p->model;
    if (one->quantity == PRB_QTY_JOINT) {
        return one->id;
    }
    if (one->quantity == PRB_QTY_DISTANCE) {
        if (!extend((void **)&p->distance, p->ndistance, sizeof *p->distance)) {
            return -1;
        }
        p->distance[p->ndistance][0] = m->pair_geom1[one->id];
        p->distance[p->ndistance][1] = m->pair_geom2[one->id];
        return p->ndistance++;
    }
    const int n = p->npoint;
    char *name = sal_alloc(32, 1);
    if (name == NULL || !extend((void **)&p->point, n, sizeof *p->point) ||
        !extend((void **)&p->point_geom, n, sizeof *p->point_geom) ||
        !extend((void **)&p->point_name, n, sizeof *p->point_name)) {
        sal_free(name);
        return -1;
    }
    snprintf(name, 32, "contact %d.%d", one->id, one->which);
    p->point_name[n] = name;
    p->point_geom[n] = m->pair_geom2[one->id];
    p->point[n] = point_of(m, one->id, points_of(m, one->id), one->which);
    p->point[n].plane = m->pair_geom1[one->id];
    return p->npoint++;
}

/* lower <= value <= upper, from -|bound| or to it, where g has this sign */
static void set_bounds(const sal_model *m, const side *one, bool acts, double *lower, double *upper)
{
    const double g = acts ? -CLEAR : CLEAR;
    bool at_most = acts; /* the value rises with g, but for */
    double value;
    *lower = -(double)INFINITY, *upper = INFINITY;
    if (one->quantity == PRB_QTY_JOINT) {
        const double *range = m->jnt_range + 2 * one->id, margin = m->jnt_margin[one->id];
        value = one->which == 0 ? range[0] + margin + g : range[1] - margin - g;
        at_most = one->which == 0 ? acts : !acts;
    } else {
        value = m->pair_include[one->id] + g;
    }
    *(at_most ? upper : lower) = value;
}

static sal_status constrain(sides *s, const side *one, bool acts, sal_err *err)
{
    sal_problem *p = s->p;
    int n = 0;
    for (int t = 0; t < s->nstep; t++) {
        n += isfinite(one->gap[t]) && (one->gap[t] < 0) == acts;
    }
    if (n == 0) {
        return SAL_OK;
    }
    prb_constraint c = {.range = true, .tol = TOLERANCE, .scale = SCALE};
    c.feature = (prb_feature){.quantity = one->quantity, .nobject = 1, .dim = 1, .nstep = n};
    c.lower = sal_alloc(1, sizeof *c.lower);
    c.upper = sal_alloc(1, sizeof *c.upper);
    c.feature.object = sal_alloc(1, sizeof *c.feature.object);
    c.feature.step = sal_alloc((size_t)n, sizeof *c.feature.step);
    c.feature.name = sal_alloc(1, 1);
    const bool room = c.lower != NULL && c.upper != NULL && c.feature.object != NULL &&
                      c.feature.step != NULL && c.feature.name != NULL &&
                      extend((void **)&p->constraint, p->nconstraint, sizeof c);
    const int object = room ? add_object(p, one) : -1;
    if (object < 0) {
        void *const blocks[] = {c.lower, c.upper, c.feature.object, c.feature.step, c.feature.name};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            sal_free(blocks[i]);
        }
        return no_memory(err);
    }
    c.feature.object[0] = object;
    set_bounds(p->model, one, acts, c.lower, c.upper);
    for (int t = 0, k = 0; t < s->nstep; t++) {
        if (isfinite(one->gap[t]) && (one->gap[t] < 0) == acts) {
            c.feature.step[k++] = t;
        }
    }
    p->constraint[p->nconstraint++] = c;
    return SAL_OK;
}

sal_status prb_keep_sides(sal_problem *p, sal_err *err)
{
    sides s = {.p = p, .nstep = p->nstep};
    sal_status status = sal_model_copy(&s.wide, p->model, err);
    if (status == SAL_OK) {
        prb_hold_widen(s.wide);
        status = sal_data_new(&s.d, s.wide, err);
    }
    for (s.t = 0; s.t < s.nstep && status == SAL_OK; s.t++) {
        const size_t row = (size_t)s.t + 1;
        status = measure(&s, p->init_states->qpos + row * (size_t)p->model->nq, err);
    }
    for (int i = 0; i < s.n && status == SAL_OK; i++) {
        status = constrain(&s, s.one + i, true, err);
        status = status == SAL_OK ? constrain(&s, s.one + i, false, err) : status;
    }
    for (int i = 0; i < s.n; i++) {
        sal_free(s.one[i].gap);
    }
    sal_free(s.one);
    sal_data_free(s.d);
    sal_model_free(s.wide);
    return status;
}
