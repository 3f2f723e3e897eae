/* compile_frame.c: a frame in a frame, and the rotation that the attributes of an element say. */
#include "base/house.h"
#include "mjcf/compile.h"

static const double tiny = 1e-14; /* lengths below have no direction */

void spec_frame_mul(spec_frame *r, const spec_frame *a, const spec_frame *b)
{
    double moved[3], q[4];
    sal_quat_rotate(moved, a->quat, b->pos);
    sal_quat_mul(q, a->quat, b->quat);
    sal_v3_add(r->pos, a->pos, moved);
    sal_quat_copy(r->quat, q);
    sal_quat_normalise(r->quat);
}

void spec_frame_inverse(spec_frame *r, const spec_frame *a)
{
    sal_quat_conj(r->quat, a->quat);
    sal_quat_rotate(r->pos, r->quat, a->pos);
    sal_v3_scale(r->pos, r->pos, -1);
}

/* euler: elementary rotations in the order of the sequence; a small letter rotates about the moved
 * axis (q := q r), a capital one about the fixed axis (q := r q). */
static void from_euler(const spec_compiler *c, const double euler[3], double q[4])
{
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    for (int i = 0; i < 3; i++) {
        const char letter = c->eulerseq[i], lower = (char)(letter | 0x20);
        double axis[3] = {0, 0, 0}, r[4], next[4];
        axis[lower - 'x'] = 1;
        sal_quat_axisangle(r, axis, euler[i] * (c->degree ? SAL_DEGREE : 1));
        if (letter == lower) {
            sal_quat_mul(next, q, r);
        } else {
            sal_quat_mul(next, r, q);
        }
        sal_quat_copy(q, next);
    }
}

/* x axis as given, y axis made orthogonal to it, z = x x y */
static bool from_xyaxes(const double xy[6], double q[4])
{
    double x[3], y[3], z[3], m[9];
    sal_v3_copy(x, xy);
    sal_v3_copy(y, xy + 3);
    if (sal_v3_normalise(x) < tiny) {
        return false;
    }
    sal_v3_addscaled(y, y, -sal_v3_dot(x, y), x);
    if (sal_v3_normalise(y) < tiny) {
        return false;
    }
    sal_v3_cross(z, x, y);
    for (int i = 0; i < 3; i++) {
        m[3 * i] = x[i], m[3 * i + 1] = y[i], m[3 * i + 2] = z[i];
    }
    sal_quat_from_matrix(q, m);
    return true;
}

static void check_single(spec_work *w, const spec_head *head)
{
    static const char *const names[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    const char *first = NULL;
    for (size_t i = 0; i < 5 && head->xml != NULL; i++) {
        if (sal_xml_find_attr(head->xml, names[i]) == NULL) {
            continue;
        }
        if (first != NULL) {
            spec_error(w, head, names[i], NULL,
                       "<%s> gives two orientations, %s and %s; keep one of them", head->xml->tag,
                       first, names[i]);
        }
        first = names[i];
    }
}

void spec_orientation(spec_work *w, const spec_head *head, const spec_pose *pose, double q[4])
{
    const spec_compiler *c = spec_compiler_of(w->spec, head);
    check_single(w, head);
    sal_quat_copy(q, pose->quat);
    if (!isnan(pose->axisangle[0])) {
        double axis[3];
        sal_v3_copy(axis, pose->axisangle);
        if (sal_v3_normalise(axis) < tiny) {
            spec_error(w, head, "axisangle", NULL,
                       "the axis of axisangle is zero; it must be a nonzero vector");
        }
        sal_quat_axisangle(q, axis, pose->axisangle[3] * (c->degree ? SAL_DEGREE : 1));
    }
    if (!isnan(pose->xyaxes[0]) && !from_xyaxes(pose->xyaxes, q)) {
        spec_error(w, head, "xyaxes", NULL,
                   "the axes of xyaxes are zero or parallel; they must be two nonzero vectors in "
                   "different directions");
    }
    if (!isnan(pose->zaxis[0])) {
        if (sal_v3_norm(pose->zaxis) < tiny) {
            spec_error(w, head, "zaxis", NULL, "zaxis is zero; it must be a nonzero vector");
        }
        sal_quat_z_to(q, pose->zaxis);
    }
    if (!isnan(pose->euler[0])) {
        from_euler(c, pose->euler, q);
    }
    if (sal_quat_normalise(q) < tiny) {
        spec_error(w, head, "quat", NULL, "quat is zero; it must be a nonzero quaternion");
    }
}
