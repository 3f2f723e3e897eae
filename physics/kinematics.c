/* kinematics.c: where everything is.
 *
 * A body starts at its place in its parent, x = x_p + R_p pos, Q = Q_p quat, and is then moved by its joints in order, each acting in the frame
 * left by those before it, with axis u and anchor p given in the body's frame:
 *
 *     slide   x += R u (q - q0)
 *     hinge   Q := Q rot(u, q - q0),  x := anchor - R p         so that the anchor x + R p stays where it is
 *     ball    Q := Q q,               x := anchor - R p
 *     free    x = q[0:3], Q = q[3:7]
 */
#include "physics/physics.h"

#include <string.h>

/* A frame under way, its rotation kept as a quaternion and as a matrix. */
typedef struct frame {
    double x[3], q[4], r[9];
} frame;

static inline bool is_zero(const double a[3])
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

/* Q := Q turn */
static inline void turn_by(frame *f, const double turn[4])
{
    double q[4];
    sal_quat_mul(q, f->q, turn);
    sal_quat_copy(f->q, q);
    sal_quat_matrix(f->r, q);
}

/* r = q / |q| for a q this close to unit length: 1/sqrt(s) = (3 - s)/2 to the last digit, s = |q|^2. */
static inline void renormalise(double r[4], const double q[4])
{
    const double s = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    const double scale = 1.5 - 0.5 * s;
    r[0] = scale * q[0], r[1] = scale * q[1], r[2] = scale * q[2], r[3] = scale * q[3];
}

/* The frame of a body before its joints move it. */
static inline void place_in_parent(const sal_model *m, const sal_data *d, int b, frame *f)
{
    const int p = m->body_parentid[b], mocap = m->body_mocapid[b];
    if (mocap >= 0) {
        sal_v3_copy(f->x, d->mocap_pos + 3 * mocap);
        sal_quat_copy(f->q, d->mocap_quat + 4 * mocap);
        sal_quat_normalise(f->q);
        sal_quat_matrix(f->r, f->q);
        return;
    }
    /* x = x_p + R_p pos,  Q = Q_p quat */
    double offset[3];
    sal_m3_mulv(offset, d->xmat + 9 * p, m->body_pos + 3 * b);
    sal_v3_add(f->x, d->xpos + 3 * p, offset);
    sal_quat_copy(f->q, d->xquat + 4 * p);
    memcpy(f->r, d->xmat + 9 * p, sizeof f->r);
    if (!is_zero(m->body_quat + 4 * b + 1)) {
        turn_by(f, m->body_quat + 4 * b);
    }
}

/* x := anchor - R p after a turn */
static inline void hold_anchor(frame *f, const double anchor[3], const double p[3])
{
    if (!is_zero(p)) {
        double arm[3];
        sal_m3_mulv(arm, f->r, p);
        sal_v3_sub(f->x, anchor, arm);
    }
}

/* Moves the frame through joint j; xanchor and xaxis are those of the frame before. */
static inline void move_joint(const sal_model *m, sal_data *d, int j, frame *f)
{
    const double *q = d->qpos + m->jnt_qposadr[j], *q0 = m->qpos0 + m->jnt_qposadr[j];
    const double *u = m->jnt_axis + 3 * j, *p = m->jnt_pos + 3 * j;
    double *anchor = d->xanchor + 3 * j, *axis = d->xaxis + 3 * j, turn[4];
    if (m->jnt_type[j] == SAL_JNT_FREE) {
        sal_v3_copy(f->x, q);
        sal_quat_copy(f->q, q + 3);
        sal_quat_normalise(f->q);
        sal_quat_matrix(f->r, f->q);
        sal_v3_copy(anchor, f->x);
        sal_v3_set(axis, 0, 0, 1);
        return;
    }
    sal_m3_mulv(axis, f->r, u);
    sal_m3_mulv(anchor, f->r, p);
    sal_v3_add(anchor, f->x, anchor);
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_SLIDE:
        sal_v3_addscaled(f->x, f->x, q[0] - q0[0], axis);
        break;
    case SAL_JNT_HINGE:
        sal_quat_axisangle(turn, u, q[0] - q0[0]);
        turn_by(f, turn);
        hold_anchor(f, anchor, p);
        break;
    case SAL_JNT_BALL:
        sal_quat_copy(turn, q);
        sal_quat_normalise(turn);
        turn_by(f, turn);
        hold_anchor(f, anchor, p);
        break;
    case SAL_JNT_FREE:
        break;
    }
}

/* The pose (pos, quat) given in the frame of body b, in the world. */
static inline void pose_in_world(const sal_data *d, int b, double x[3], double r[9],
                                 const double pos[3], const double quat[4])
{
    if (is_zero(pos)) {
        sal_v3_copy(x, d->xpos + 3 * b);
    } else {
        sal_m3_mulv(x, d->xmat + 9 * b, pos);
        sal_v3_add(x, x, d->xpos + 3 * b);
    }
    if (is_zero(quat + 1)) {
        memcpy(r, d->xmat + 9 * b, 9 * sizeof *r);
    } else {
        double q[4];
        sal_quat_mul(q, d->xquat + 4 * b, quat);
        sal_quat_matrix(r, q);
    }
}

void sal_kinematics(const sal_model *m, sal_data *d)
{
    static const frame world = {
        {0,  0,            0                        },
        {                                                    1, 0, 0, 0},
        { 1, 0,            0,                         0,                                                   1, 0, 0, 0, 1}
    };
    if (m->compat222) {
        sal_normalise_pos(
            m, d->qpos); /* 2.2.2 does so in place; since 3.2 only copies are normalised */
    }
    for (int b = 0; b < m->nbody; b++) {
        frame f = world;
        if (b > 0) {
            place_in_parent(m, d, b, &f);
        }
        const int end = m->body_jntadr[b] + m->body_jntnum[b];
        for (int j = m->body_jntadr[b]; j < end; j++) {
            move_joint(m, d, j, &f);
        }
        sal_v3_copy(d->xpos + 3 * b, f.x);
        renormalise(d->xquat + 4 * b, f.q);
        memcpy(d->xmat + 9 * b, f.r, sizeof f.r);
        pose_in_world(d, b, d->xipos + 3 * b, d->ximat + 9 * b, m->body_ipos + 3 * b,
                      m->body_iquat + 4 * b);
    }
    for (int g = 0; g < m->ngeom; g++) {
        pose_in_world(d, m->geom_bodyid[g], d->geom_xpos + 3 * g, d->geom_xmat + 9 * g,
                      m->geom_pos + 3 * g, m->geom_quat + 4 * g);
    }
    for (int s = 0; s < m->nsite; s++) {
        pose_in_world(d, m->site_bodyid[s], d->site_xpos + 3 * s, d->site_xmat + 9 * s,
                      m->site_pos + 3 * s, m->site_quat + 4 * s);
    }
}
