/* kinematics.c: where everything is.
 *
 * A body starts at its place in its parent, x = x_p + R_p pos, Q = Q_p quat, and is then moved by
 * its joints in order, each acting in the frame left by those before it, with axis u and anchor p
 * given in the body's frame:
 *
 *     slide   x += R u (q - q0)
 *     hinge   Q := Q rot(u, q - q0),  x := anchor - R p
 *     so that the anchor x + R p stays where it is
 *     ball    Q := Q q,               x := anchor - R p
 *     free    x = q[0:3], Q = q[3:7]
 */
#include "base/house.h"
#include "physics/physics.h"
#include "physics/scratch.h"

#include <stdint.h>
#include <string.h>

/* A frame under way, its rotation kept as a quaternion and as a matrix. The matrix by columns,
 * which is what joints turn; columns and positions of four numbers, the last of no use, so that
 * compilers take them two or four at a time. */
typedef struct frame {
    double x[4], q[4], r[3][4];
} frame;

/* Of either sign */
static inline bool is_zero(const double a[3])
{
    uint64_t bits[3];
    memcpy(bits, a, sizeof bits);
    return (bits[0] | bits[1] | bits[2]) << 1 == 0;
}

/* The coordinate axis along which a vector points, most often one does; -1: none */
static inline int along_axis(const double a[3])
{
    return a[1] == 0 && a[2] == 0   ? 0
           : a[0] == 0 && a[2] == 0 ? 1
           : a[0] == 0 && a[1] == 0 ? 2
                                    : -1;
}

/* R := R(Q) */
static inline void set_matrix(frame *f)
{
    double r[9];
    sal_quat_matrix(r, f->q);
    for (int k = 0; k < 3; k++) {
        sal_m3_column(f->r[k], r, k);
    }
}

/* y = x + R p */
static inline void place(double y[4], const double x[4], const frame *f, const double p[3])
{
    for (int i = 0; i < 4; i++) {
        y[i] = x[i] + f->r[0][i] * p[0] + f->r[1][i] * p[1] + f->r[2][i] * p[2];
    }
}

/* Q = Q_from turn,  R = R(Q);  from may be f, here and below */
static inline void turn_by(frame *f, const frame *from, const double turn[4])
{
    double q[4];
    sal_quat_mul(q, from->q, turn);
    sal_quat_copy(f->q, q);
    set_matrix(f);
}

/* Q = Q_from rot(e_i, t),  R = R_from rot(e_i, t): with (c, s) of the half angle, i j k in circular
 *                          order,
 *     (Q_0, Q_i) and (Q_k, Q_j) turn by t/2,   R_j := R_j cos t + R_k sin t,
 *     R_k := R_k cos t - R_j sin t */
static inline void turn_about(frame *f, const frame *from, int i, int j, int k, double c, double s)
{
    const double *q = from->q + 1, q0 = from->q[0], qi = q[i], qj = q[j], qk = q[k];
    const double cost = 1 - 2 * s * s, sint = 2 * s * c;
    f->q[0] = c * q0 - s * qi;
    f->q[1 + i] = c * qi + s * q0;
    f->q[1 + j] = c * qj + s * qk;
    f->q[1 + k] = c * qk - s * qj;
    for (int n = 0; n < 4; n++) {
        const double rj = from->r[j][n], rk = from->r[k][n];
        f->r[i][n] = from->r[i][n];
        f->r[j][n] = cost * rj + sint * rk;
        f->r[k][n] = cost * rk - sint * rj;
    }
}

/* By the angle t about the unit vector u, given cos t/2 and sin t/2; along: see along_axis */
static inline void turn_hinge(frame *f, const frame *from, const double u[3], int along, double c,
                              double s)
{
    switch (along) {
    case 0:
        turn_about(f, from, 0, 1, 2, c, s * u[0]);
        break;
    case 1:
        turn_about(f, from, 1, 2, 0, c, s * u[1]);
        break;
    case 2:
        turn_about(f, from, 2, 0, 1, c, s * u[2]);
        break;
    default:
        turn_by(f, from, (double[4]){c, s * u[0], s * u[1], s * u[2]});
    }
}

/* At x, turned by q of any length. */
static void set_pose(frame *f, const double x[3], const double q[4])
{
    sal_v3_copy(f->x, x);
    sal_quat_copy(f->q, q);
    sal_quat_normalise(f->q);
    set_matrix(f);
}

/* The frame of a body before its joints move it:  x = x_p + R_p pos, Q = Q_p quat. Returns where
 *                                                 its axes are: if they are those of its
 * parent there, not yet in f. */
static inline const frame *place_in_parent(const sal_model *m, const sal_data *d, int b,
                                           const frame *parent, frame *f)
{
    const int mocap = m->body_mocapid[b];
    if (mocap >= 0) {
        set_pose(f, d->mocap_pos + 3 * mocap, d->mocap_quat + 4 * mocap);
        return f;
    }
    place(f->x, parent->x, parent, m->body_pos + 3 * b);
    if (is_zero(m->body_quat + 4 * b + 1)) {
        return parent;
    }
    turn_by(f, parent, m->body_quat + 4 * b);
    return f;
}

/* Moves f, whose axes are those of `from`, through joint j; xanchor and xaxis are those of the
 * frame before. c, s: of a hinge, see half_angles. Returns where the axes are then. */
static inline const frame *move_joint(const sal_model *m, sal_data *d, int j, double c, double s,
                                      frame *f, const frame *from)
{
    static const double origin[4] = {0};
    const double *q = d->qpos + m->jnt_qposadr[j], *u = m->jnt_axis + 3 * j,
                 *p = m->jnt_pos + 3 * j;
    const int type = m->jnt_type[j], along = along_axis(u);
    const bool centred = is_zero(p);
    double *anchor = d->xanchor + 3 * j, axis[4], arm[4], turn[4];
    if (type == SAL_JNT_FREE) {
        set_pose(f, q, q + 3);
        sal_v3_copy(anchor, q);
        sal_v3_set(d->xaxis + 3 * j, 0, 0, 1);
        return f;
    }
    if (along >= 0) {
        sal_v3_scale(axis, from->r[along], u[along]);
    } else {
        place(axis, origin, from, u);
    }
    sal_v3_copy(d->xaxis + 3 * j, axis);
    if (centred) {
        sal_v3_copy(anchor, f->x);
    } else {
        place(arm, origin, from, p);
        sal_v3_add(anchor, f->x, arm);
    }
    if (type == SAL_JNT_SLIDE) {
        sal_v3_addscaled(f->x, f->x, q[0] - m->qpos0[m->jnt_qposadr[j]], axis);
        return from;
    }
    if (type == SAL_JNT_HINGE) {
        turn_hinge(f, from, u, along, c, s);
    } else { /* a ball */
        sal_quat_copy(turn, q);
        sal_quat_normalise(turn);
        turn_by(f, from, turn);
    }
    if (!centred) { /* x := anchor - R p */
        place(arm, origin, f, p);
        sal_v3_sub(f->x, anchor, arm);
    }
    return f;
}

/* r by rows */
static inline void write_matrix(double r[9], const frame *f)
{
    for (int k = 0; k < 3; k++) {
        r[k] = f->r[k][0], r[3 + k] = f->r[k][1], r[6 + k] = f->r[k][2];
    }
}

/* The pose (pos, quat) given in the frame f, in the world. */
static inline void pose_in_world(const frame *f, double x[3], double r[9], const double pos[3],
                                 const double quat[4])
{
    double point[4];
    place(point, f->x, f, pos);
    sal_v3_copy(x, point);
    if (is_zero(quat + 1)) {
        write_matrix(r, f);
    } else {
        double q[4];
        sal_quat_mul(q, f->q, quat);
        sal_quat_matrix(r, q);
    }
}

/* sin t/2, cos t/2 of all hinges, t = q - q0; of other joints nothing that matters. angle:
 * scratch */
static void half_angles(const sal_model *m, const sal_data *d, double *s, double *c, double *angle)
{
    for (int j = 0; j < m->njnt; j++) {
        const int adr = m->jnt_qposadr[j];
        angle[j] = 0.5 * (d->qpos[adr] - m->qpos0[adr]);
    }
    sal_sincos(s, c, angle, m->njnt);
}

static void bodies(const sal_model *m, sal_data *d, frame *frames, const double *s, const double *c)
{
    frames[0] = (frame){{0, 0, 0, 0}, {1, 0, 0, 0}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (int b = 0; b < m->nbody; b++) {
        frame *f = frames + b;
        const frame *axes = f;
        const int end = m->body_jntadr[b] + m->body_jntnum[b];
        if (b > 0) {
            axes = place_in_parent(m, d, b, frames + m->body_parentid[b], f);
        }
        for (int j = m->body_jntadr[b]; j < end; j++) {
            axes = move_joint(m, d, j, c[j], s[j], f, axes);
        }
        if (axes != f) {
            memcpy(f->q, axes->q, sizeof f->q);
            memcpy(f->r, axes->r, sizeof f->r);
        }
        sal_v3_copy(d->xpos + 3 * b, f->x);
        sal_quat_copy(d->xquat + 4 * b, f->q);
        write_matrix(d->xmat + 9 * b, f);
        pose_in_world(f, d->xipos + 3 * b, d->ximat + 9 * b, m->body_ipos + 3 * b,
                      m->body_iquat + 4 * b);
    }
}

typedef struct frames_and_angles {
    frame *frames;                 /* [nbody] */
    double *sine, *cosine, *angle; /* [njnt] */
} frames_and_angles;

static bool take(const sal_model *m, sal_arena *arena, frames_and_angles *x)
{
    x->frames = sal_arena_take(arena, (size_t)m->nbody, sizeof *x->frames);
    x->sine = sal_arena_take(arena, (size_t)m->njnt, sizeof *x->sine);
    x->cosine = sal_arena_take(arena, (size_t)m->njnt, sizeof *x->cosine);
    x->angle = sal_arena_take(arena, (size_t)m->njnt, sizeof *x->angle);
    return x->angle != NULL;
}

void phy_kinematics_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    frames_and_angles x;
    take(m, arena, &x);
    arena->used = mark;
}

void sal_kinematics(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    frames_and_angles x;
    if (!take(m, &d->arena, &x)) {
        return;
    }
    frame *frames = x.frames;
    if (m->compat222) {
        sal_normalise_pos(
            m, d->qpos); /* 2.2.2 does so in place; since 3.2 only copies are normalised */
    }
    half_angles(m, d, x.sine, x.cosine, x.angle);
    bodies(m, d, frames, x.sine, x.cosine);
    for (int g = 0; g < m->ngeom; g++) {
        pose_in_world(frames + m->geom_bodyid[g], d->geom_xpos + 3 * g, d->geom_xmat + 9 * g,
                      m->geom_pos + 3 * g, m->geom_quat + 4 * g);
    }
    for (int i = 0; i < m->nsite; i++) {
        pose_in_world(frames + m->site_bodyid[i], d->site_xpos + 3 * i, d->site_xmat + 9 * i,
                      m->site_pos + 3 * i, m->site_quat + 4 * i);
    }
    d->arena.used = mark;
}
