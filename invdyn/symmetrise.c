/* symmetrise.c: a model that is nearly its own mirror image, made one. At the home pose, in the
 * world, with F = diag(1, -1, 1), p the partner of b (itself on the middle plane), every number x
 * of b, and what it should be there, the image F x of its partner's, become their mean:
 *
 *     x_b' = (x_b + F x_p)/2        x_p' = F x_b'
 *
 * if they differ by no more than the tolerance times their scale:
 *
 *     masses                          the larger one
 *     inertias about the centre       the largest entry of both matrices
 *     places                          the size of the body: of the distances from its origin, in
 *                                     the world, to its centre of mass, to the origins of parent
 *                                     and children and to the far ends of its geoms, the largest
 *     axes, orientations              1 rad
 *     sizes of geoms, stiffness, ..   the larger one
 *     ranges                          their width
 *
 * What differs by more stays as it is, and sal_image_mirror says so. The frame of a body is a
 * convention: its joints, its mass and its geoms stay where they are in the world if it is moved,
 * and it is not moved if it is nowhere near the image of its partner's.
 */
#include "invdyn/symmetrise.h"

#include "base/house.h"
#include "invdyn/mirror_check.h"
#include "physics/compiling.h"

#include <stdio.h>
#include <string.h>

static const double vector_sign[3] = {1, -1, 1}, quat_sign[4] = {1, -1, 1, -1};

/* ---- means ---- */

bool inv_symmetry_within(const inv_symmetry *w, double difference, sal_object type, int a, int b,
                         const char *what)
{
    char one[SAL_LABEL_MAX], other[SAL_LABEL_MAX];
    if (!(difference <= w->tolerance)) {
        return false;
    }
    if (difference > w->largest->most && difference > 1e-9) {
        w->largest->most = difference;
        sal_model_label(w->m, type, a, one);
        sal_model_label(w->m, type, b, other);
        snprintf(w->largest->text, sizeof w->largest->text, "%s and %s %s", one,
                 a == b ? "its image" : other, what);
    }
    return true;
}

void inv_symmetry_even(const inv_symmetry *w, double *a, double *b, double sign, double scale,
                       sal_object type, const int object[2], const char *what)
{
    char text[160];
    const double difference = fabs(*b - sign * *a), mean = (*a + sign * *b) / 2;
    snprintf(text, sizeof text, "have the %s %.6g and %.6g", what, *a, *b);
    if (difference > 0 &&
        inv_symmetry_within(w, difference / scale, type, object[0], object[1], text)) {
        *a = mean, *b = sign * mean;
    }
}

bool inv_symmetry_points(const inv_symmetry *w, double a[3], double b[3], double scale,
                         sal_object type, const int object[2], const char *what)
{
    char text[160];
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (b[i] - vector_sign[i] * a[i]) * (b[i] - vector_sign[i] * a[i]);
    }
    snprintf(text, sizeof text, "have %s %.3g m from mirrored places", what, sqrt(sum));
    if (!inv_symmetry_within(w, sum > 0 ? sqrt(sum) / scale : 0, type, object[0], object[1],
                             text)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = (a[i] + vector_sign[i] * b[i]) / 2;
        b[i] = vector_sign[i] * a[i];
    }
    return true;
}

bool inv_symmetry_turns(const inv_symmetry *w, double a[4], double b[4])
{
    double dot = 0;
    for (int i = 0; i < 4; i++) {
        dot += quat_sign[i] * a[i] * b[i];
    }
    /* 1 - cos(angle/2) of the rotation between them */
    if (!(1 - fabs(dot) <= 1 - cos(fmin(w->tolerance, 1) / 2) + 1e-15)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        a[i] = a[i] + copysign(1, dot) * quat_sign[i] * b[i];
    }
    sal_quat_normalise(a);
    for (int i = 0; i < 4; i++) {
        b[i] = quat_sign[i] * a[i];
    }
    return true;
}

/* ---- partners ---- */

static void find_partners(const inv_symmetry *w, const char *left, const char *right)
{
    const sal_model *m = w->m;
    for (int j = 0; j < m->njnt; j++) {
        w->joint[j] = sal_mirror_partner(m, SAL_OBJ_JOINT, j, left, right);
        const int k = w->joint[j];
        if (k >= 0 && m->jnt_type[j] != m->jnt_type[k]) {
            w->joint[j] = -1;
        } else if (k >= 0) {
            const double *a = w->d->xaxis + 3 * j, *b = w->d->xaxis + 3 * k;
            const double turned = -a[0] * b[0] + a[1] * b[1] - a[2] * b[2];
            w->sign[j] = (m->jnt_type[j] == SAL_JNT_HINGE ? turned : -turned) >= 0 ? 1 : -1;
        }
    }
    for (int b = 1; b < m->nbody; b++) {
        const int first = w->m->body_jntnum[b] > 0 ? w->joint[m->body_jntadr[b]] : -1;
        w->body[b] = m->body_jntnum[b] == 0 ? sal_mirror_partner(m, SAL_OBJ_BODY, b, left, right)
                     : first >= 0           ? m->jnt_bodyid[first]
                                            : -1;
    }
    for (int b = 1; b < m->nbody; b++) { /* whose partner is another's, and what does not move */
        const int p = w->body[b];
        w->body[b] = p > 0 && w->body[p] == b && m->body_weldid[b] != 0 ? p : -1;
    }
}

/* ---- sizes ---- */

static double apart(const double a[3], const double b[3])
{
    double between[3];
    sal_v3_sub(between, a, b);
    return sal_v3_norm(between);
}

static void measure(const inv_symmetry *w)
{
    const sal_model *m = w->m;
    const double *x = w->d->xpos;
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b];
        const double link = p > 0 ? apart(x + 3 * b, x + 3 * p) : 0;
        w->scale[b] = fmax(fmax(w->scale[b], link), apart(w->d->xipos + 3 * b, x + 3 * b));
        w->scale[p] = fmax(w->scale[p], link);
    }
    for (int g = 0; g < m->ngeom; g++) {
        const int b = m->geom_bodyid[g];
        w->scale[b] =
            fmax(w->scale[b], apart(w->d->geom_xpos + 3 * g, x + 3 * b) + m->geom_rbound[g]);
    }
    for (int b = 1; b < m->nbody; b++) {
        const int p = w->body[b];
        w->scale[b] = p >= 0 ? fmax(w->scale[b], w->scale[p]) : w->scale[b];
    }
}

/* ---- frames ---- */

/* aligned [nbody] NULL: it is not asked which frames are images */
static void even_frames(const inv_symmetry *w, bool *aligned)
{
    const sal_model *m = w->m;
    for (int b = 1; b < m->nbody; b++) {
        const int p = w->body[b];
        double q[4], its[4];
        if (p < b) {
            continue;
        }
        sal_quat_copy(q, w->quat + 4 * b);
        sal_quat_copy(its, w->quat + 4 * p);
        if (inv_symmetry_turns(w, q, its) &&
            inv_symmetry_points(w, w->pos + 3 * b, w->pos + 3 * p, w->scale[b], SAL_OBJ_BODY,
                                (const int[2]){b, p}, "origins")) {
            sal_quat_copy(w->quat + 4 * b, q);
            sal_quat_copy(w->quat + 4 * p, its);
            if (aligned != NULL) {
                aligned[b] = aligned[p] = true;
            }
        }
    }
}

/* A point or a rotation in the frame at pos, quat */
static void into_frame(const double *pos, const double *quat, double *out_pos, double *out_quat,
                       const double *world_pos, const double *world_quat)
{
    double inverse[4], between[3];
    sal_quat_conj(inverse, quat);
    sal_v3_sub(between, world_pos, pos);
    sal_quat_rotate(out_pos, inverse, between);
    if (world_quat != NULL) {
        sal_quat_mul(out_quat, inverse, world_quat);
    }
}

void inv_symmetry_local(const inv_symmetry *w, int body, double *pos, double *quat,
                        const double *world_pos, const double *world_quat)
{
    into_frame(w->pos + 3 * body, w->quat + 4 * body, pos, quat, world_pos, world_quat);
}

/* Of each body in its parent; a free joint's coordinates are its body's in the world. */
static void write_frames(const inv_symmetry *w)
{
    sal_model *s = w->s;
    for (int b = 1; b < s->nbody; b++) {
        inv_symmetry_local(w, s->body_parentid[b], s->body_pos + 3 * b, s->body_quat + 4 * b,
                           w->pos + 3 * b, w->quat + 4 * b);
        const int j = s->body_jntadr[b];
        if (s->body_jntnum[b] > 0 && s->jnt_type[j] == SAL_JNT_FREE) {
            memcpy(s->qpos0 + s->jnt_qposadr[j], w->pos + 3 * b, 3 * sizeof(double));
            memcpy(s->qpos0 + s->jnt_qposadr[j] + 3, w->quat + 4 * b, 4 * sizeof(double));
        }
    }
}

/* ---- the model ---- */

/* Loops are closed at points that stand in the frames of two bodies. */
static sal_status check_loops(const sal_model *m, sal_err *err)
{
    for (int i = 0; i < m->neq; i++) {
        if (m->eq_type[i] == SAL_EQ_CONNECT || m->eq_type[i] == SAL_EQ_WELD) {
            char name[SAL_LABEL_MAX];
            return sal_fail(err, SAL_BADINPUT,
                            "left and right of a model with connect or weld constraints cannot be "
                            "averaged (%s)",
                            sal_model_label(m, SAL_OBJ_EQUALITY, i, name));
        }
    }
    return SAL_OK;
}

static sal_status begin(inv_symmetry *w, sal_data **d, sal_err *err)
{
    const size_t nbody = (size_t)w->m->nbody, njnt = (size_t)w->m->njnt;
    w->body = sal_alloc(nbody, sizeof(int));
    w->joint = sal_alloc(njnt, sizeof(int));
    w->sign = sal_alloc(njnt, sizeof(double));
    w->scale = sal_alloc(8 * nbody, sizeof(double));
    if (w->body == NULL || w->joint == NULL || w->sign == NULL || w->scale == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a mirror image");
    }
    w->pos = w->scale + nbody;
    w->quat = w->pos + 3 * nbody;
    sal_status status = sal_data_new(d, w->m, err);
    status = status == SAL_OK ? sal_model_copy(&w->s, w->m, err) : status;
    if (status == SAL_OK) {
        sal_kinematics(w->m, *d);
        memcpy(w->pos, (*d)->xpos, 3 * nbody * sizeof(double));
        memcpy(w->quat, (*d)->xquat, 4 * nbody * sizeof(double));
        w->d = *d;
    }
    return status;
}

static void end(inv_symmetry *w, sal_data *d)
{
    sal_data_free(d);
    sal_free(w->body);
    sal_free(w->joint);
    sal_free(w->sign);
    sal_free(w->scale);
}

sal_status sal_model_symmetrise(sal_model **out, sal_asymmetry *largest, const sal_model *m,
                                const char *left, const char *right, double tolerance, sal_err *err)
{
    inv_symmetry w = {.m = m, .tolerance = tolerance, .largest = largest};
    sal_data *d = NULL;
    *out = NULL;
    *largest = (sal_asymmetry){0};
    sal_status status = check_loops(m, err);
    status = status == SAL_OK ? begin(&w, &d, err) : status;
    if (status == SAL_OK) {
        find_partners(&w, left, right);
        measure(&w);
        even_frames(&w, NULL);
        write_frames(&w);
        inv_symmetrise_axes(&w);
        inv_symmetrise_joints(&w);
        inv_symmetrise_inertias(&w);
        inv_symmetrise_geoms(&w);
        inv_symmetrise_sites(&w);
        inv_symmetrise_actuators(&w, left, right);
        status = phy_model_constants(w.s, err);
    }
    if (status == SAL_OK) {
        *out = w.s;
    } else {
        sal_model_free(w.s);
    }
    end(&w, d);
    return status;
}

/* ---- which object is whose image ---- */

static void name_twins(sal_twins *t, const inv_symmetry *w, const char *left, const char *right)
{
    const sal_model *m = w->m;
    for (int b = 0; b < m->nbody; b++) {
        t->body[b] = m->body_weldid[b] == 0 ? b : w->body[b];
        t->aligned[b] = t->aligned[b] || m->body_weldid[b] == 0;
    }
    for (int g = 0; g < m->ngeom; g++) {
        t->geom[g] = m->body_weldid[m->geom_bodyid[g]] == 0 ? g : inv_symmetry_geom(w, g);
    }
    for (int i = 0; i < m->nsite; i++) {
        t->site[i] = m->body_weldid[m->site_bodyid[i]] == 0 ? i : inv_symmetry_site(w, i);
    }
    for (int i = 0; i < m->ntendon; i++) {
        t->tendon[i] = sal_mirror_partner(m, SAL_OBJ_TENDON, i, left, right);
    }
}

sal_status sal_twins_new(sal_twins **out, const sal_model *m, const char *left, const char *right,
                         double tolerance, sal_err *err)
{
    sal_asymmetry largest = {0};
    inv_symmetry w = {.m = m, .tolerance = tolerance, .largest = &largest};
    sal_data *d = NULL;
    sal_twins *t = *out = sal_alloc(1, sizeof *t);
    sal_status status = begin(&w, &d, err);
    if (t != NULL) {
        t->body = sal_alloc((size_t)m->nbody, sizeof(int));
        t->geom = sal_alloc((size_t)m->ngeom, sizeof(int));
        t->site = sal_alloc((size_t)m->nsite, sizeof(int));
        t->tendon = sal_alloc((size_t)m->ntendon, sizeof(int));
        t->aligned = sal_alloc((size_t)m->nbody, sizeof(bool));
    }
    if (status == SAL_OK && (t == NULL || t->body == NULL || t->geom == NULL || t->site == NULL ||
                             t->tendon == NULL || t->aligned == NULL)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a mirror image");
    }
    if (status == SAL_OK) {
        find_partners(&w, left, right);
        measure(&w);
        even_frames(&w, t->aligned);
        name_twins(t, &w, left, right);
    } else {
        sal_twins_free(t);
        *out = NULL;
    }
    sal_model_free(w.s);
    end(&w, d);
    return status;
}

void sal_twins_free(sal_twins *t)
{
    if (t != NULL) {
        sal_free(t->body);
        sal_free(t->geom);
        sal_free(t->site);
        sal_free(t->tendon);
        sal_free(t->aligned);
        sal_free(t);
    }
}
