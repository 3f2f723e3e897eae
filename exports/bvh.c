/* bvh.c: a motion as a skeleton in Biovision's hierarchical format: a joint for each body that can
 * move, in metres and degrees.
 *
 * BVH's y is up, and its figures look along z. The axes of the world and of every body are renamed
 * by C, a rotation:
 *
 *     (x, y, z) -> (y, z, x)          R -> C R C'
 *
 * A body of the model may turn about points other than its origin, and slide. So the pose of each
 * relative to its parent decides: its rotation, R = Rz(a) Rx(b) Ry(c) in the order of the channels,
 * and its place, which is an OFFSET where it never changes, and else three channels beside an
 * OFFSET of 0, since readers do not agree on whether channels are added to an OFFSET.
 */
#include "exports/formats.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 9 };

/* m: a place that changes by less is a constant */
static const double STILL = 1e-7;

typedef struct skeleton {
    exp_frames f;
    /* [nbody] above which body it hangs here; -1: above none; -2: it cannot move, and is left
     * out */
    int *parent;
    /* [nbody] its place relative to its parent changes */
    bool *wanders;
    int order; /* how many places were put in */
} skeleton;

static void turn_axes(double out[3], const double v[3])
{
    sal_v3_set(out, v[1], v[2], v[0]);
}

/* ---- poses ---- */

/* The place of a body in the axes of its parent, and its rotation, with axes renamed */
static void relative_pose(const skeleton *g, int k, int b, double x[3], double quat[4])
{
    const int nbody = g->f.m->nbody, parent = g->parent[b];
    const double *p = g->f.xpos + 3 * (k * nbody + b), *q = g->f.xquat + 4 * (k * nbody + b);
    double own[3], rotation[4];
    sal_v3_copy(own, p);
    sal_quat_copy(rotation, q);
    if (parent >= 0) {
        double back[4], far[3];
        sal_quat_conj(back, g->f.xquat + 4 * (k * nbody + parent));
        sal_v3_sub(far, p, g->f.xpos + 3 * (k * nbody + parent));
        sal_quat_rotate(own, back, far);
        sal_quat_mul(rotation, back, q);
    }
    turn_axes(x, own);
    quat[0] = rotation[0];
    turn_axes(quat + 1, rotation + 1);
}

/* Degrees about z, x, y: R = Rz(a) Rx(b) Ry(c) has the rows
 *
 *     ca cc - sa sb sc   -sa cb   ca sc + sa sb cc
 *     sa cc + ca sb sc    ca cb   sa sc - ca sb cc
 *     -cb sc              sb      cb cc
 */
static void find_angles(double angle[3], const double quat[4])
{
    const double degrees = 45 / atan(1);
    double R[9];
    sal_quat_matrix(R, quat);
    angle[0] = degrees * atan2(-R[1], R[4]);
    angle[1] = degrees * asin(fmin(fmax(R[7], -1), 1));
    angle[2] = degrees * atan2(-R[6], R[8]);
}

/* ---- the tree ---- */

static void find_parents(skeleton *g)
{
    const sal_model *m = g->f.m;
    g->parent[0] = -2;
    for (int b = 1; b < m->nbody; b++) {
        const int above = m->body_parentid[b];
        g->parent[b] = m->body_weldid[b] == 0 ? -2 : g->parent[above] == -2 ? -1 : above;
    }
}

static void find_wanderers(skeleton *g)
{
    double first[3], x[3], quat[4];
    for (int b = 1; b < g->f.m->nbody; b++) {
        g->wanders[b] = g->parent[b] == -1;
        if (g->parent[b] >= 0) {
            relative_pose(g, 0, b, first, quat);
        }
        for (int k = 1; k < g->f.n && g->parent[b] >= 0 && !g->wanders[b]; k++) {
            relative_pose(g, k, b, x, quat);
            sal_v3_sub(x, x, first);
            g->wanders[b] = sal_v3_norm(x) > STILL;
        }
    }
}

/* ---- the hierarchy ---- */

static void put_vector(sal_text *out, const char *word, const double x[3])
{
    sal_text_add(out, word);
    for (int i = 0; i < 3; i++) {
        sal_text_add(out, " ");
        sal_text_real(out, x[i] + 0.0, DIGITS); /* no -0 */
    }
    sal_text_add(out, "\n");
}

/* A name without blanks, which would end it */
static void put_name(sal_text *out, const sal_model *m, int b)
{
    char name[PRB_COLUMN_NAME];
    prb_object_name(name, m, SAL_OBJ_BODY, b);
    for (char *at = name; *at != 0; at++) {
        if (strchr(" \t\r\n{}", *at) != NULL) {
            *at = '_';
        }
    }
    sal_text_add(out, name);
}

static bool has_child(const skeleton *g, int b)
{
    for (int c = b + 1; c < g->f.m->nbody; c++) {
        if (g->parent[c] == b) {
            return true;
        }
    }
    return false;
}

static void open_body(const skeleton *g, sal_text *out, int b)
{
    double x[3] = {0, 0, 0}, quat[4];
    if (!g->wanders[b]) {
        relative_pose(g, 0, b, x, quat);
    }
    sal_text_add(out, g->parent[b] == -1 ? "ROOT " : "JOINT ");
    put_name(out, g->f.m, b);
    sal_text_add(out, "\n{\n");
    put_vector(out, "OFFSET", x);
    sal_text_add(out, g->wanders[b] ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ");
    sal_text_add(out, "Zrotation Xrotation Yrotation\n");
    if (!has_child(g, b)) { /* ends at its centre of mass */
        turn_axes(x, g->f.m->body_ipos + 3 * b);
        sal_text_add(out, "End Site\n{\n");
        put_vector(out, "OFFSET", x);
        sal_text_add(out, "}\n");
    }
}

/* The model numbers a body before all that hang from it, and these before the next. */
static void put_hierarchy(const skeleton *g, sal_text *out)
{
    int open = -1; /* the innermost body that is not closed */
    sal_text_add(out, "HIERARCHY\n");
    for (int b = 1; b < g->f.m->nbody; b++) {
        if (g->parent[b] == -2) {
            continue;
        }
        for (; open >= 0 && open != g->parent[b]; open = g->parent[open]) {
            sal_text_add(out, "}\n");
        }
        open_body(g, out, b);
        open = b;
    }
    for (; open >= 0; open = g->parent[open]) {
        sal_text_add(out, "}\n");
    }
}

/* ---- the motion ---- */

static void put_numbers(skeleton *g, sal_text *out, const double x[3])
{
    for (int i = 0; i < 3; i++) {
        sal_text_add(out, g->order++ > 0 ? " " : "");
        sal_text_real(out, x[i] + 0.0, DIGITS); /* no -0 */
    }
}

static void put_frame(skeleton *g, sal_text *out, int k)
{
    double x[3], quat[4], angle[3];
    g->order = 0;
    for (int b = 1; b < g->f.m->nbody; b++) {
        if (g->parent[b] != -2) {
            relative_pose(g, k, b, x, quat);
            find_angles(angle, quat);
            if (g->wanders[b]) {
                put_numbers(g, out, x);
            }
            put_numbers(g, out, angle);
        }
    }
    sal_text_add(out, "\n");
}

static void put_motion(skeleton *g, sal_text *out)
{
    sal_text_format(out, "MOTION\nFrames: %d\nFrame Time: ", g->f.n);
    sal_text_real(out, 1 / g->f.rate, DIGITS);
    sal_text_add(out, "\n");
    for (int k = 0; k < g->f.n; k++) {
        put_frame(g, out, k);
    }
}

sal_status exp_write_bvh(sal_export *out, const sal_result *r, const sal_export_options *options,
                         sal_err *err)
{
    const size_t nbody = (size_t)r->model->nbody;
    skeleton g = {.parent = sal_alloc(nbody, sizeof(int)),
                  .wanders = sal_alloc(nbody, sizeof(bool))};
    sal_status status = exp_frames_new(&g.f, r, options, 30, err);
    if (status == SAL_OK && (g.parent == NULL || g.wanders == NULL)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a skeleton of %zu bodies", nbody);
    }
    if (status == SAL_OK) {
        find_parents(&g);
        find_wanderers(&g);
        put_hierarchy(&g, &out->file[0].text);
        put_motion(&g, &out->file[0].text);
    }
    sal_free(g.parent);
    sal_free(g.wanders);
    exp_frames_clear(&g.f);
    return status;
}
