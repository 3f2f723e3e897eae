/* symmetrise_joints.c: axes, anchors and numbers of joints and actuators become means of theirs and
 * of their mirror images' (symmetrise.c). A hinge turns about a line: where along it the anchor
 * stands does not matter, and is not changed. */
#include "base/house.h"
#include "invdyn/mirror_check.h"
#include "invdyn/symmetrise.h"

#include <string.h>

/* ---- where joints are ---- */

/* a and b, unit vectors in the world that should be mirrored, up to sign */
static void even_axis(const inv_symmetry *w, int j, int k, double a[3], double b[3])
{
    const bool hinge = w->m->jnt_type[j] == SAL_JNT_HINGE;
    double between[3];
    for (int i = 0; i < 3; i++) {
        const double sign = w->sign[j] * (hinge == (i == 1) ? 1 : -1);
        between[i] = sign * b[i] - a[i];
    }
    if (!inv_symmetry_within(w, sal_v3_norm(between), SAL_OBJ_JOINT, j, k,
                             "have axes in slightly different directions")) {
        return;
    }
    sal_v3_addscaled(a, a, 0.5, between);
    sal_v3_normalise(a);
    for (int i = 0; i < 3; i++) {
        b[i] = w->sign[j] * (hinge == (i == 1) ? 1 : -1) * a[i];
    }
}

/* Out of x: what of it is along the axis, if the joint is a hinge */
static void across(const inv_symmetry *w, int j, double x[3], const double axis[3])
{
    if (w->m->jnt_type[j] == SAL_JNT_HINGE) {
        sal_v3_addscaled(x, x, -sal_v3_dot(x, axis), axis);
    }
}

/* x_j' = x_j + P_j (F x_k - x_j)/2, P the projection across the axis, and back */
static void even_anchor(const inv_symmetry *w, int j, int k, double x[2][3], double axis[2][3])
{
    const int pair[2] = {j, k};
    double lack[2][3], none[3] = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 3; i++) {
            lack[side][i] = (i == 1 ? -1 : 1) * x[1 - side][i] - x[side][i];
        }
        across(w, j, lack[side], axis[side]);
    }
    double apart[3];
    sal_v3_copy(apart, lack[0]);
    if (inv_symmetry_points(w, none, apart, w->scale[w->m->jnt_bodyid[j]], SAL_OBJ_JOINT, pair,
                            "anchors")) {
        sal_v3_addscaled(x[0], x[0], 0.5, lack[0]);
        sal_v3_addscaled(x[1], x[1], 0.5, lack[1]);
    }
}

static void even_place(const inv_symmetry *w, int j, int k)
{
    sal_model *s = w->s;
    const int pair[2] = {j, k};
    double x[2][3], axis[2][3];
    for (int side = 0; side < 2; side++) {
        sal_v3_copy(x[side], w->d->xanchor + 3 * pair[side]);
        sal_v3_copy(axis[side], w->d->xaxis + 3 * pair[side]);
    }
    if (s->jnt_type[j] == SAL_JNT_HINGE || s->jnt_type[j] == SAL_JNT_SLIDE) {
        even_axis(w, j, k, axis[0], axis[1]);
    }
    even_anchor(w, j, k, x, axis);
    for (int side = 0; side < 2; side++) {
        const int b = s->jnt_bodyid[pair[side]];
        double inverse[4];
        sal_quat_conj(inverse, w->quat + 4 * b);
        inv_symmetry_local(w, b, s->jnt_pos + 3 * pair[side], NULL, x[side], NULL);
        sal_quat_rotate(s->jnt_axis + 3 * pair[side], inverse, axis[side]);
    }
}

void inv_symmetrise_axes(const inv_symmetry *w)
{
    for (int j = 0; j < w->m->njnt; j++) {
        if (w->joint[j] >= j && w->m->jnt_type[j] != SAL_JNT_FREE &&
            w->body[w->m->jnt_bodyid[j]] >= 0) {
            even_place(w, j, w->joint[j]);
        }
    }
}

/* ---- numbers ---- */

/* Two numbers of the same sign, compared with the larger one */
static void even_number(const inv_symmetry *w, double *array, sal_object type, const int object[2],
                        int a, int b, const char *what)
{
    inv_symmetry_even(w, array + a, array + b, 1, fmax(fabs(array[a]), fabs(array[b])), type,
                      object, what);
}

/* [lo, hi] of one is that of the other, or [-hi, -lo] */
static void even_range(const inv_symmetry *w, double *range, sal_object type, const int object[2],
                       double sign, const char *what)
{
    double *x = range + 2 * object[0], *y = range + 2 * object[1];
    const double width = fmax(x[1] - x[0], y[1] - y[0]);
    if (object[0] != object[1] || sign < 0) {
        inv_symmetry_even(w, x, sign > 0 ? y : y + 1, sign, width, type, object, what);
    }
    if (object[0] != object[1]) {
        inv_symmetry_even(w, x + 1, sign > 0 ? y + 1 : y, sign, width, type, object, what);
    }
}

void inv_symmetrise_joints(const inv_symmetry *w)
{
    sal_model *s = w->s;
    for (int j = 0; j < s->njnt; j++) {
        const int k = w->joint[j], pair[2] = {j, k};
        if (k < j) {
            continue;
        }
        const bool one = s->jnt_type[j] == SAL_JNT_SLIDE || s->jnt_type[j] == SAL_JNT_HINGE;
        const int n = one ? 1 : s->jnt_type[j] == SAL_JNT_BALL ? 3 : 6;
        if (s->jnt_limited[j] && s->jnt_limited[k]) {
            even_range(w, s->jnt_range, SAL_OBJ_JOINT, pair, one ? w->sign[j] : 1, "limits");
        }
        even_number(w, s->jnt_stiffness, SAL_OBJ_JOINT, pair, j, k, "stiffness");
        for (int i = 0; i < n; i++) {
            const int a = s->jnt_dofadr[j] + i, b = s->jnt_dofadr[k] + i;
            even_number(w, s->dof_damping, SAL_OBJ_JOINT, pair, a, b, "damping");
            even_number(w, s->dof_armature, SAL_OBJ_JOINT, pair, a, b, "armature");
            even_number(w, s->dof_frictionloss, SAL_OBJ_JOINT, pair, a, b, "frictionloss");
        }
    }
}

/* ---- actuators ---- */

/* By its name, or by the joint it moves; -1: none */
static int partner_of(const inv_symmetry *w, int a, const char *left, const char *right)
{
    const sal_model *m = w->m;
    const int named = sal_model_name(m, SAL_OBJ_ACTUATOR, a)[0] == 0
                          ? a
                          : sal_mirror_partner(m, SAL_OBJ_ACTUATOR, a, left, right);
    if (m->actuator_trntype[a] != SAL_TRN_JOINT) {
        return named;
    }
    const int joint = w->joint[m->actuator_trnid[a]];
    for (int i = 0; i < m->nu && joint >= 0; i++) {
        const int p = (named > 0 ? named + i : i) % m->nu; /* the one of that name first */
        if (m->actuator_trntype[p] == SAL_TRN_JOINT && m->actuator_trnid[p] == joint) {
            return p;
        }
    }
    return -1;
}

static void even_actuator(const inv_symmetry *w, int a, int p)
{
    sal_model *s = w->s;
    const int pair[2] = {a, p};
    const double *gear = s->actuator_gear + 6 * a, *its = s->actuator_gear + 6 * p;
    const double turned =
                     s->actuator_trntype[a] == SAL_TRN_JOINT ? w->sign[s->actuator_trnid[a]] : 1,
                 sign = turned * (gear[0] * its[0] >= 0 ? 1 : -1);
    for (int i = 0; i < 6; i++) {
        inv_symmetry_even(w, s->actuator_gear + 6 * a + i, s->actuator_gear + 6 * p + i,
                          s->actuator_trntype[a] == SAL_TRN_JOINT && i == 0 ? sign * turned : 1,
                          fmax(fabs(gear[0]), fabs(its[0])), SAL_OBJ_ACTUATOR, pair, "gears");
    }
    for (int i = 0; i < 10; i++) {
        even_number(w, s->actuator_gainprm, SAL_OBJ_ACTUATOR, pair, 10 * a + i, 10 * p + i,
                    "gain parameters");
        even_number(w, s->actuator_dynprm, SAL_OBJ_ACTUATOR, pair, 10 * a + i, 10 * p + i,
                    "dynamics parameters");
        if (i > 0 || sign > 0) {
            even_number(w, s->actuator_biasprm, SAL_OBJ_ACTUATOR, pair, 10 * a + i, 10 * p + i,
                        "bias parameters");
        }
    }
    const struct {
        double *range;
        const int *limited;
        const char *what;
    } part[] = {{s->actuator_ctrlrange, s->actuator_ctrllimited, "control ranges"},
                {s->actuator_forcerange, s->actuator_forcelimited, "force ranges"},
                {s->actuator_actrange, s->actuator_actlimited, "activation ranges"}};
    for (int i = 0; i < 3; i++) {
        if (part[i].limited[a] && part[i].limited[p]) {
            even_range(w, part[i].range, SAL_OBJ_ACTUATOR, pair, sign, part[i].what);
        }
    }
}

void inv_symmetrise_actuators(const inv_symmetry *w, const char *left, const char *right)
{
    for (int a = 0; a < w->m->nu; a++) {
        const int p = partner_of(w, a, left, right);
        if (p > a) {
            even_actuator(w, a, p);
        }
    }
}
