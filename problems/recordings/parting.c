/* parting.c: a motion that begins with limbs within each other is hard to mend: forces there are
 * hundreds of times those of a step, and where a limb is past the middle of another, contacts push
 * it on to the wrong side. So poses q_t with contacts of a mechanism with itself deeper than
 * PRB_WITHIN are parted before the search: with contacts c at most NEAR apart, at distances d_c,
 *
 *     min  sum_i m_i e_i^2     with     d_c(q_t (+) e) >= 0
 *
 * m_i the mass that dof i carries: of an arm within a thigh it is the arm that moves. Contacts are
 * linear in a step, d_c + J (e' - e) >= 0 with J = n'(J_2 - J_1), n the normal. First e' is the
 * nearest to e that parts them, until nothing is within anything else; then that nearest to 0, as
 * long as nothing is again. Each is found by its dual, e' = e + W J'x or W J'x, x >= 0, with
 * W = diag(1/m), by coordinate descent. No step is longer than REACH: nothing passes through
 * anything.
 *
 * A stretch of such poses is parted one pose after the other, each from the correction of its
 * neighbour: so limbs stay on the side on which they came in, or on which they will go out. Of both
 * the smaller correction is taken. The root of the mechanism does not move, for it parts nothing.
 * Geoms that overlap in the model's own poses, too, are left as they are.
 */
#include "problems/recordings/parting.h"

#include "problems/touch.h"

#include <math.h>
#include <string.h>

static const double NEAR = 0.02;  /* m */
static const double REACH = 0.03; /* rad, m: of a step */
static const double STILL = 1e-4; /* rad, m: of the last step */
static const double CLEAR = 1e-4; /* m */
static const double NEVER = -1e6; /* m: as near as a pair must be that is not seen */
enum { STEPS = 60, SWEEPS = 100, HALVES = 4, ROWS = 64, SIDES = 2 };

typedef struct parting {
    const sal_model *m;
    sal_model *near; /* which sees contacts of the mechanism with itself alone */
    sal_data *d;
    int nrow;
    double *q;      /* [nrow x nq] */
    double *by;     /* [SIDES x nrow x nv] corrections from the one before, from the one after */
    double *depth;  /* [nrow] */
    double *mobile; /* [nv] W */
    bool *built;    /* [npair] nothing parts them */
    /* contacts at hand */
    int n;
    double *J, *least, *push;  /* [ROWS x nv], [ROWS] J e' is at least this, [ROWS] x */
    double *next, *last, *jac; /* [nv] e' and the e before it, [2 x 3 x nv] */
} parting;

/* ---- memory ---- */

static void clear(parting *p)
{
    void *const blocks[] = {p->by,    p->depth, p->mobile, p->built, p->J,
                            p->least, p->push,  p->next,   p->last,  p->jac};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        sal_free(blocks[i]);
    }
    sal_model_free(p->near);
    sal_data_free(p->d);
}

static bool allocate(parting *p)
{
    const size_t nrow = (size_t)p->nrow, nv = (size_t)p->m->nv;
    p->by = sal_alloc(SIDES * nrow * nv, sizeof *p->by);
    p->depth = sal_alloc(nrow, sizeof *p->depth);
    p->mobile = sal_alloc(nv, sizeof *p->mobile);
    p->built = sal_alloc((size_t)p->m->npair, sizeof *p->built);
    p->J = sal_alloc(ROWS * nv, sizeof *p->J);
    p->least = sal_alloc(ROWS, sizeof *p->least);
    p->push = sal_alloc(ROWS, sizeof *p->push);
    p->next = sal_alloc(nv, sizeof *p->next);
    p->last = sal_alloc(nv, sizeof *p->last);
    p->jac = sal_alloc(2 * 3 * nv, sizeof *p->jac);
    return p->by != NULL && p->depth != NULL && p->mobile != NULL && p->built != NULL &&
           p->J != NULL && p->least != NULL && p->push != NULL && p->next != NULL &&
           p->last != NULL && p->jac != NULL;
}

static bool is_own(const sal_model *m, int pair)
{
    return prb_are_of_a_tree(m, m->pair_geom1[pair], m->pair_geom2[pair]);
}

static bool meets_itself(const sal_model *m)
{
    for (int i = 0; i < m->npair; i++) {
        if (is_own(m, i)) {
            return true;
        }
    }
    return false;
}

static sal_status begin(parting *p, sal_err *err)
{
    if (!allocate(p)) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the poses of a recording");
    }
    sal_status status = sal_model_copy(&p->near, p->m, err);
    status = status == SAL_OK ? sal_data_new(&p->d, p->m, err) : status;
    status = status == SAL_OK ? prb_find_built_within(p->built, p->m, err) : status;
    if (status == SAL_OK) {
        for (int i = 0; i < p->m->npair; i++) {
            p->near->pair_detect[i] = is_own(p->m, i) && !p->built[i] ? NEAR : NEVER;
        }
        sal_model_margins(p->near);
        for (int i = 0; i < p->m->nv; i++) {
            p->mobile[i] = 1 / fmax(p->m->body_subtreemass[p->m->dof_bodyid[i]], 1e-6);
        }
    }
    return status;
}

/* ---- one pose ---- */

/* Contacts of pose t with correction e; how deep the deepest is. */
static sal_status look(parting *p, int t, const double *e, double *depth, sal_err *err)
{
    sal_integrate_pos(p->m, p->d->qpos, p->q + t * p->m->nq, e, 1);
    sal_kinematics(p->near, p->d);
    sal_com(p->near, p->d);
    const sal_status status = sal_collide(p->near, p->d, err);
    *depth = 0;
    for (int i = 0; i < p->d->ncon && status == SAL_OK; i++) {
        *depth = fmax(*depth, -p->d->contact[i].dist);
    }
    return status;
}

/* J = n'(J_2 - J_1), and J e - d */
static void add_row(parting *p, const sal_contact *con, const double *e)
{
    const sal_model *m = p->m;
    const int nv = m->nv;
    double *row = p->J + p->n * nv, *one = p->jac, *two = p->jac + 3 * nv;
    double least = -con->dist;
    sal_jac(m, p->d, one, NULL, con->pos, m->geom_bodyid[con->geom1]);
    sal_jac(m, p->d, two, NULL, con->pos, m->geom_bodyid[con->geom2]);
    for (int j = 0; j < nv; j++) {
        row[j] = 0;
        for (int i = 0; i < 3; i++) {
            row[j] += con->frame[i] * (two[i * nv + j] - one[i * nv + j]);
        }
        least += row[j] * e[j];
    }
    p->least[p->n] = least;
    p->push[p->n++] = 0;
}

/* next := the nearest to what it is, one contact after the other */
static void descend(parting *p)
{
    const int nv = p->m->nv;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0;
        for (int c = 0; c < p->n; c++) {
            const double *row = p->J + c * nv;
            double lacks = p->least[c], curvature = 1e-12;
            for (int j = 0; j < nv; j++) {
                lacks -= row[j] * p->next[j];
                curvature += row[j] * row[j] * p->mobile[j];
            }
            const double x = fmax(0, p->push[c] + lacks / curvature), by = x - p->push[c];
            for (int j = 0; j < nv && by != 0; j++) {
                p->next[j] += by * p->mobile[j] * row[j];
            }
            p->push[c] = x;
            moved = fmax(moved, fabs(by) * curvature);
        }
        if (moved < CLEAR / 2) {
            return;
        }
    }
}

/* e stays within what joints may do, or within what the recording did. */
static void keep_ranges(const parting *p, int t, double *e)
{
    const sal_model *m = p->m;
    for (int j = 0; j < m->njnt; j++) {
        const bool one = m->jnt_type[j] == SAL_JNT_HINGE || m->jnt_type[j] == SAL_JNT_SLIDE;
        if (one && m->jnt_limited[j]) {
            const double at = p->q[t * m->nq + m->jnt_qposadr[j]], *range = m->jnt_range + 2 * j;
            double *of = e + m->jnt_dofadr[j];
            *of = fmin(fmax(*of, fmin(0, range[0] - at)), fmax(0, range[1] - at));
        }
    }
}

/* Moves e towards next, not farther than `most`; how far. */
static double step(parting *p, int t, double most, double *e)
{
    const int nv = p->m->nv;
    double way = 0, moved = 0;
    memcpy(p->last, e, (size_t)nv * sizeof *e);
    for (int i = 0; i < nv; i++) {
        way = fmax(way, fabs(p->next[i] - e[i]));
    }
    for (int i = 0; i < nv; i++) {
        e[i] += (way > most ? most / way : 1) * (p->next[i] - e[i]);
    }
    keep_ranges(p, t, e);
    for (int i = 0; i < nv; i++) {
        moved = fmax(moved, fabs(e[i] - p->last[i]));
    }
    return moved;
}

/* Contacts of the pose at hand, as rows. */
static void make_rows(parting *p, const double *e)
{
    p->n = 0;
    for (int i = 0; i < p->d->ncon && p->n < ROWS; i++) {
        add_row(p, p->d->contact + i, e);
    }
}

/* e [nv], of pose t, becomes one with which nothing is within anything else. */
static sal_status clear_up(parting *p, int t, double *e, sal_err *err)
{
    double depth = 0, moved = 1;
    sal_status status = look(p, t, e, &depth, err);
    for (int k = 0; k < STEPS && depth > CLEAR && moved > 0 && status == SAL_OK; k++) {
        make_rows(p, e);
        memcpy(p->next, e, (size_t)p->m->nv * sizeof *e);
        descend(p);
        moved = step(p, t, REACH, e);
        status = look(p, t, e, &depth, err);
    }
    return status;
}

/* e, that of clear_up, at which d still is, becomes smaller. */
static sal_status shorten(parting *p, int t, double *e, sal_err *err)
{
    const size_t size = (size_t)p->m->nv * sizeof *e;
    double depth = 0, moved = 1, reach = REACH;
    int halves = 0;
    sal_status status = SAL_OK;
    for (int k = 0; k < STEPS && halves < HALVES && moved > STILL && status == SAL_OK; k++) {
        make_rows(p, e);
        memset(p->next, 0, size);
        descend(p);
        moved = step(p, t, reach, e);
        status = look(p, t, e, &depth, err);
        if (depth > CLEAR && status == SAL_OK) {
            memcpy(e, p->last, size);
            reach /= 2;
            halves++;
            status = look(p, t, e, &depth, err);
        }
    }
    return status;
}

/* e [nv] := the correction of pose t, from e */
static sal_status correct(parting *p, int t, double *e, sal_err *err)
{
    const sal_status status = clear_up(p, t, e, err);
    return status == SAL_OK ? shorten(p, t, e, err) : status;
}

/* ---- stretches of them ---- */

static double *correction(const parting *p, int side, int t)
{
    return p->by + (size_t)(side * p->nrow + t) * (size_t)p->m->nv;
}

/* Corrections of poses from..to in this order, the first from none, into those of a side. */
static sal_status pass(parting *p, int side, int from, int to, sal_err *err)
{
    const int way = from <= to ? 1 : -1;
    const size_t size = (size_t)p->m->nv * sizeof(double);
    sal_status status = SAL_OK;
    memset(correction(p, side, from), 0, size);
    for (int t = from; t != to + way && status == SAL_OK; t += way) {
        if (t != from) {
            memcpy(correction(p, side, t), correction(p, side, t - way), size);
        }
        status = correct(p, t, correction(p, side, t), err);
    }
    return status;
}

static double size_of(const parting *p, const double *e)
{
    double sum = 0;
    for (int i = 0; i < p->m->nv; i++) {
        sum += e[i] * e[i] / p->mobile[i];
    }
    return sum;
}

/* The pose first..last that is the least deep. */
static int shallowest(const parting *p, int first, int last)
{
    int least = first;
    for (int t = first; t <= last; t++) {
        least = p->depth[t] < p->depth[least] ? t : least;
    }
    return least;
}

/* Poses first..last, beyond which others are clear, or none are. */
static sal_status part(parting *p, int first, int last, sal_err *err)
{
    const bool before = first > 0, after = last < p->nrow - 1;
    int from = first, to = last; /* from.. have a correction from before, ..to one from after */
    if (!before && !after) {
        from = to = shallowest(p, first, last);
    } else if (!before) {
        from = last + 1;
    } else if (!after) {
        to = first - 1;
    }
    sal_status status = from <= last ? pass(p, 0, from, last, err) : SAL_OK;
    status = status == SAL_OK && to >= first ? pass(p, 1, to, first, err) : status;
    for (int t = first; t <= last && status == SAL_OK; t++) {
        double *q = p->q + t * p->m->nq, *one = correction(p, 0, t), *other = correction(p, 1, t);
        const bool take = t < from || (t <= to && size_of(p, other) < size_of(p, one));
        sal_integrate_pos(p->m, q, q, take ? other : one, 1);
    }
    return status;
}

static sal_status part_all(parting *p, sal_err *err)
{
    sal_status status = SAL_OK;
    memset(p->next, 0, (size_t)p->m->nv * sizeof *p->next);
    for (int t = 0; t < p->nrow && status == SAL_OK; t++) {
        status = look(p, t, p->next, p->depth + t, err);
    }
    for (int t = 0; t < p->nrow && status == SAL_OK; t++) {
        const int first = t;
        for (; t < p->nrow && p->depth[t] > PRB_WITHIN; t++) {
        }
        status = t > first ? part(p, first, t - 1, err) : SAL_OK;
    }
    return status;
}

static void copy(prb_states *out, const prb_states *in, const sal_model *m)
{
    memcpy(out->time, in->time, (size_t)in->nrow * sizeof *out->time);
    memcpy(out->qpos, in->qpos, (size_t)in->nrow * (size_t)m->nq * sizeof *out->qpos);
}

sal_status prb_part_poses(prb_states *out, const prb_states *in, const sal_model *m, sal_err *err)
{
    sal_status status = prb_states_new(out, m, in->nrow, m->qpos0, err);
    if (status != SAL_OK) {
        return status;
    }
    copy(out, in, m);
    if (!meets_itself(m)) {
        return SAL_OK;
    }
    parting p = {.m = m, .nrow = in->nrow, .q = out->qpos};
    status = begin(&p, err);
    status = status == SAL_OK ? part_all(&p, err) : status;
    clear(&p);
    return status;
}
