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
#include "physics/scratch.h"
#include "physics/width.h"

#include <stdint.h>
#include <string.h>

/* Of one instant columns and positions have four numbers, the last of no use, so that compilers
 * take them two or four at a time. */
enum { COLUMN = PHY_WIDTH == 1 ? 4 : 3 };

/* A frame under way, its rotation kept as a quaternion and as a matrix. The matrix by columns,
 * which is what joints turn. */
typedef struct frame {
    phy_real x[COLUMN], q[4], r[3][COLUMN];
} frame;

/* Of either sign */
static SAL_INLINE bool is_zero(const double a[3])
{
    uint64_t bits[3];
    memcpy(bits, a, sizeof bits);
    return (bits[0] | bits[1] | bits[2]) << 1 == 0;
}

/* The coordinate axis along which a vector points, most often one does; -1: none */
static SAL_INLINE int along_axis(const double a[3])
{
    return a[1] == 0 && a[2] == 0   ? 0
           : a[0] == 0 && a[2] == 0 ? 1
           : a[0] == 0 && a[1] == 0 ? 2
                                    : -1;
}

/* R := R(Q) */
static SAL_INLINE void set_matrix(frame *f)
{
    phy_real r[9];
    phy_quat_matrix(r, f->q);
    for (int k = 0; k < 3; k++) {
        phy_m3_column(f->r[k], r, k);
    }
}

/* y = x + R p */
static SAL_INLINE void place(phy_real y[COLUMN], const phy_real x[COLUMN], const frame *f,
                             const double p[3])
{
    for (int i = 0; i < COLUMN; i++) {
        y[i] = x[i] + f->r[0][i] * p[0] + f->r[1][i] * p[1] + f->r[2][i] * p[2];
    }
}

/* Q = Q_from turn,  R = R(Q);  from may be f, here and below */
static SAL_INLINE void turn_by(frame *f, const frame *from, const phy_real turn[4])
{
    phy_real q[4];
    phy_quat_mul(q, from->q, turn);
    phy_quat_copy(f->q, q);
    set_matrix(f);
}

/* Q = Q_from rot(e_i, t),  R = R_from rot(e_i, t): with (c, s) of the half angle, i j k in circular
 *                          order,
 *     (Q_0, Q_i) and (Q_k, Q_j) turn by t/2,   R_j := R_j cos t + R_k sin t,
 *     R_k := R_k cos t - R_j sin t */
static SAL_INLINE void turn_about(frame *f, const frame *from, int i, int j, int k,
                                  const phy_real *cosine, const phy_real *sine, double sign)
{
    const phy_real *q = from->q + 1, q0 = from->q[0], qi = q[i], qj = q[j], qk = q[k];
    const phy_real c = *cosine, s = *sine * sign, cost = 1 - 2 * s * s, sint = 2 * s * c;
    f->q[0] = c * q0 - s * qi;
    f->q[1 + i] = c * qi + s * q0;
    f->q[1 + j] = c * qj + s * qk;
    f->q[1 + k] = c * qk - s * qj;
    for (int n = 0; n < COLUMN; n++) {
        const phy_real rj = from->r[j][n], rk = from->r[k][n];
        f->r[i][n] = from->r[i][n];
        f->r[j][n] = cost * rj + sint * rk;
        f->r[k][n] = cost * rk - sint * rj;
    }
}

/* By the angle t about the unit vector u, given cos t/2 and sin t/2; along: see along_axis */
static SAL_INLINE void turn_hinge(frame *f, const frame *from, const double u[3], int along,
                                  const phy_real *c, const phy_real *s)
{
    switch (along) {
    case 0:
        turn_about(f, from, 0, 1, 2, c, s, u[0]);
        break;
    case 1:
        turn_about(f, from, 1, 2, 0, c, s, u[1]);
        break;
    case 2:
        turn_about(f, from, 2, 0, 1, c, s, u[2]);
        break;
    default:
        turn_by(f, from, (phy_real[4]){*c, *s * u[0], *s * u[1], *s * u[2]});
    }
}

/* At x, turned by q of any length. */
static void set_pose(frame *f, const phy_real x[3], const phy_real q[4])
{
    phy_v3_copy(f->x, x);
    phy_quat_copy(f->q, q);
    phy_quat_normalise(f->q);
    set_matrix(f);
}

/* The frame of a body before its joints move it:  x = x_p + R_p pos, Q = Q_p quat. Returns where
 *                                                 its axes are: if they are those of its
 * parent there, not yet in f. */
static SAL_INLINE const frame *place_in_parent(const sal_model *m, const phy_instants *d, int b,
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
    phy_real turn[4];
    phy_spread(turn, m->body_quat + 4 * b, 4);
    turn_by(f, parent, turn);
    return f;
}

/* Moves f, whose axes are those of `from`, through joint j; xanchor and xaxis are those of the
 * frame before. c, s: of a hinge, see half_angles. Returns where the axes are then. */
static SAL_INLINE const frame *move_joint(const sal_model *m, phy_instants *d, int j,
                                          const phy_real *c, const phy_real *s, frame *f,
                                          const frame *from)
{
    const phy_real *q = d->qpos + m->jnt_qposadr[j];
    const double *u = m->jnt_axis + 3 * j, *p = m->jnt_pos + 3 * j;
    const int type = m->jnt_type[j], along = along_axis(u);
    const bool centred = is_zero(p);
    static const double z[3] = {0, 0, 1};
    phy_real *anchor = d->xanchor + 3 * j, origin[COLUMN] = {0}, axis[COLUMN], arm[COLUMN], turn[4];
    if (type == SAL_JNT_FREE) {
        set_pose(f, q, q + 3);
        phy_v3_copy(anchor, q);
        phy_spread(d->xaxis + 3 * j, z, 3);
        return f;
    }
    if (along >= 0) {
        phy_v3_scale(axis, from->r[along], u[along]);
    } else {
        place(axis, origin, from, u);
    }
    phy_v3_copy(d->xaxis + 3 * j, axis);
    if (centred) {
        phy_v3_copy(anchor, f->x);
    } else {
        place(arm, origin, from, p);
        phy_v3_add(anchor, f->x, arm);
    }
    if (type == SAL_JNT_SLIDE) {
        const phy_real way = q[0] - m->qpos0[m->jnt_qposadr[j]];
        for (int i = 0; i < 3; i++) {
            f->x[i] += way * axis[i];
        }
        return from;
    }
    if (type == SAL_JNT_HINGE) {
        turn_hinge(f, from, u, along, c, s);
    } else { /* a ball */
        phy_quat_copy(turn, q);
        phy_quat_normalise(turn);
        turn_by(f, from, turn);
    }
    if (!centred) { /* x := anchor - R p */
        place(arm, origin, f, p);
        phy_v3_sub(f->x, anchor, arm);
    }
    return f;
}

/* r by rows */
static SAL_INLINE void write_matrix(phy_real r[9], const frame *f)
{
    for (int k = 0; k < 3; k++) {
        r[k] = f->r[k][0], r[3 + k] = f->r[k][1], r[6 + k] = f->r[k][2];
    }
}

/* The pose (pos, quat) given in the frame f, in the world. */
static SAL_INLINE void pose_in_world(const frame *f, phy_real x[3], phy_real r[9],
                                     const double pos[3], const double quat[4])
{
    phy_real point[COLUMN];
    place(point, f->x, f, pos);
    phy_v3_copy(x, point);
    if (is_zero(quat + 1)) {
        write_matrix(r, f);
    } else {
        phy_real q[4], turn[4];
        phy_spread(turn, quat, 4);
        phy_quat_mul(q, f->q, turn);
        phy_quat_matrix(r, q);
    }
}

/* sin t/2, cos t/2 of all hinges, t = q - q0; of other joints nothing that matters. angle:
 * scratch */
static void half_angles(const sal_model *m, const phy_instants *d, phy_real *s, phy_real *c,
                        phy_real *angle)
{
    for (int j = 0; j < m->njnt; j++) {
        const int adr = m->jnt_qposadr[j];
        angle[j] = 0.5 * (d->qpos[adr] - m->qpos0[adr]);
    }
    sal_sincos((double *)s, (double *)c, (const double *)angle, PHY_WIDTH * m->njnt);
}

/* The frame of the world */
static void set_world(frame *f)
{
    memset(f, 0, sizeof *f);
    f->q[0] = 1 - f->q[0];
    for (int k = 0; k < 3; k++) {
        f->r[k][k] = f->q[0];
    }
}

static void bodies(const sal_model *m, phy_instants *d, frame *frames, const phy_real *s,
                   const phy_real *c)
{
    set_world(frames);
    for (int b = 0; b < m->nbody; b++) {
        frame *f = frames + b;
        const frame *axes = f;
        const int end = m->body_jntadr[b] + m->body_jntnum[b];
        if (b > 0) {
            axes = place_in_parent(m, d, b, frames + m->body_parentid[b], f);
        }
        for (int j = m->body_jntadr[b]; j < end; j++) {
            axes = move_joint(m, d, j, c + j, s + j, f, axes);
        }
        if (axes != f) {
            memcpy(f->q, axes->q, sizeof f->q);
            memcpy(f->r, axes->r, sizeof f->r);
        }
        phy_v3_copy(d->xpos + 3 * b, f->x);
        phy_quat_copy(d->xquat + 4 * b, f->q);
        write_matrix(d->xmat + 9 * b, f);
        pose_in_world(f, d->xipos + 3 * b, d->ximat + 9 * b, m->body_ipos + 3 * b,
                      m->body_iquat + 4 * b);
    }
}

typedef struct frames_and_angles {
    frame *frames;                   /* [nbody] */
    phy_real *sine, *cosine, *angle; /* [njnt] */
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

/* 2.2.2 makes the quaternions of a configuration units in place; since 3.2 only copies are. */
static void normalise(const sal_model *m, phy_instants *d)
{
    for (int j = 0; m->mujoco == SAL_MUJOCO_222 && j < m->njnt; j++) {
        phy_real *q = d->qpos + m->jnt_qposadr[j];
        if (m->jnt_type[j] == SAL_JNT_FREE || m->jnt_type[j] == SAL_JNT_BALL) {
            phy_quat_normalise(q + (m->jnt_type[j] == SAL_JNT_FREE ? 3 : 0));
        }
    }
}

void phy_kinematics(const sal_model *m, phy_instants *d)
{
    const size_t mark = d->arena.used;
    frames_and_angles x;
    if (!take(m, &d->arena, &x)) {
        return;
    }
    frame *frames = x.frames;
    normalise(m, d);
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
