/* rne.c: velocities, and the force that velocities and gravity call for, by the recursive
 * Newton-Euler algorithm (Featherstone, "Rigid body dynamics algorithms", 2008, section 5.3), all
 * about the centre of mass of the body's tree:
 *
 *     out      V_b = V_parent + sum s_k v_k
 *              A_b = A_parent + sum sdot_k v_k          A_world = (0; -g),
 *              sdot_k = V x s_k with V before joint k
 *              F_b = I_b A_b + V_b x* (I_b V_b)
 *     back     F_parent += F_b
 *              c_k = s_k' F_body(k)
 *
 * and, of accelerations alone, M a:
 *
 *     out      G_b = G_parent + sum s_k a_k,   F_b = I_b G_b
 *     back     as above, + armature
 */
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/width.h"

#include <string.h>

/* V and A of a body */
typedef struct motion {
    phy_real *v, *a;
} motion;

/* to V = from V + s v,  to A = from A + sdot v; by number: vectors that were just written by number
 *                       are slow to read two at a time */
static SAL_INLINE void add_column(motion to, motion from, const phy_real s[6],
                                  const phy_real sdot[6], const phy_real *v)
{
    for (int i = 0; i < 6; i++) {
        to.v[i] = from.v[i] + *v * s[i];
        to.a[i] = from.a[i] + *v * sdot[i];
    }
}

/* Three turns at once (ball, free): all their columns move with V before the first of them. */
static SAL_INLINE void pass_ball(motion to, motion from, const phy_real *s, phy_real *sdot,
                                 const phy_real *v)
{
    for (int k = 0; k < 3; k++) {
        phy_sp_cross_motion(sdot + 6 * k, from.v, s + 6 * k); /* sdot = V x s */
    }
    for (int k = 0; k < 3; k++) {
        add_column(to, k == 0 ? from : to, s + 6 * k, sdot + 6 * k, v + k);
    }
}

/* Through joint j, from the motion before it to that behind it, which may be the same place */
static SAL_INLINE void pass_joint(const sal_model *m, phy_instants *d, int j, motion to,
                                  motion from)
{
    const int i = m->jnt_dofadr[j];
    const phy_real *s = d->cdof + 6 * i, *v = d->qvel + i;
    phy_real *sdot = d->cdof_dot + 6 * i;
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        memset(sdot, 0, 18 * sizeof *sdot); /* columns e_k do not move */
        phy_v3_copy(to.v, from.v);
        phy_v3_add(to.v + 3, from.v + 3, v); /* V += (0; v) */
        memcpy(to.a, from.a, 6 * sizeof *to.a);
        pass_ball(to, to, s + 18, sdot + 18, v + 3);
        break;
    case SAL_JNT_BALL:
        pass_ball(to, from, s, sdot, v);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        phy_sp_cross_motion(sdot, from.v, s); /* sdot = V x s */
        add_column(to, from, s, sdot, v);
        break;
    }
}

/* r = Irot w */
static SAL_INLINE void rotational(phy_real r[3], const phy_real inert[10], const phy_real w[3])
{
    r[0] = inert[0] * w[0] + inert[3] * w[1] + inert[4] * w[2];
    r[1] = inert[3] * w[0] + inert[1] * w[1] + inert[5] * w[2];
    r[2] = inert[4] * w[0] + inert[5] * w[1] + inert[2] * w[2];
}

/* F = I A + V x* (I V),  which with V = (w; u), A = (wdot; a) and the acceleration p = a + w x u of
 *                        the body's point at c is
 *     ( Irot wdot + w x Irot w + h x p ;  m p + wdot x h + w x (w x h) ) */
static SAL_INLINE void body_force(phy_real *restrict f, const phy_real *restrict inert, motion b)
{
    const phy_real *w = b.v, *wdot = b.a, *h = inert + 6, mass = inert[9];
    phy_real p[3], t[3], spin[3], gyro[3], arm[3], swing[3];
    phy_v3_cross(p, w, b.v + 3);
    phy_v3_add(p, p, b.a + 3);
    rotational(t, inert, w);
    phy_v3_cross(gyro, w, t);
    rotational(spin, inert, wdot);
    phy_v3_cross(arm, h, p);
    for (int i = 0; i < 3; i++) {
        f[i] = spin[i] + gyro[i] + arm[i];
    }
    phy_v3_cross(t, w, h);
    phy_v3_cross(swing, w, t);
    phy_v3_cross(arm, wdot, h);
    for (int i = 0; i < 3; i++) {
        f[3 + i] = mass * p[i] + arm[i] + swing[i];
    }
}

/* F_parent += F_b,  r_k = s_k' F_body(k), from the leaves down */
static void hand_back(const sal_model *m, const phy_instants *d, phy_real *restrict r,
                      phy_real *restrict force)
{
    const phy_real *s = d->cdof;
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b], end = m->body_dofadr[b] + m->body_dofnum[b];
        const phy_real *F = force + 6 * b;
        for (int k = m->body_dofadr[b]; k < end; k++) {
            phy_sp_dot(r + k, s + 6 * k, F);
        }
        if (p > 0) {
            phy_sp_add(force + 6 * p, F);
        }
    }
}

/* [6 nbody] each: what passes outwards and what is handed back */
typedef struct passed {
    phy_real *acc, *force;
} passed;

static bool take(const sal_model *m, sal_arena *arena, passed *x)
{
    x->acc = sal_arena_take(arena, 6 * (size_t)m->nbody, sizeof *x->acc);
    x->force = sal_arena_take(arena, 6 * (size_t)m->nbody, sizeof *x->force);
    return x->force != NULL;
}

void phy_rne_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    passed x;
    take(m, arena, &x);
    arena->used = mark;
}

void phy_bias_force(const sal_model *m, phy_instants *d)
{
    const size_t mark = d->arena.used;
    passed x;
    if (!take(m, &d->arena, &x)) {
        return;
    }
    phy_real *acc = x.acc, *force = x.force;

    /* the world accelerates upwards instead of gravity pulling down */
    memset(d->cvel, 0, 6 * sizeof *d->cvel);
    memset(acc, 0, 6 * sizeof *acc);
    if (!(m->opt.disable & SAL_DSBL_GRAVITY)) {
        const double up[3] = {-m->opt.gravity[0], -m->opt.gravity[1], -m->opt.gravity[2]};
        phy_spread(acc + 3, up, 3);
    }
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b], first = m->body_jntadr[b], n = m->body_jntnum[b];
        const motion body = {d->cvel + 6 * b, acc + 6 * b};
        const motion parent = {d->cvel + 6 * p, acc + 6 * p};
        if (n == 0) {
            memcpy(body.v, parent.v, 6 * sizeof *body.v);
            memcpy(body.a, parent.a, 6 * sizeof *body.a);
        }
        for (int j = first; j < first + n; j++) {
            pass_joint(m, d, j, body, j == first ? parent : body);
        }
        body_force(force + 6 * b, d->cinert + SAL_SP_INERTIA * b, body);
    }

    hand_back(m, d, d->qfrc_bias, force);
    d->arena.used = mark;
}

void phy_inertial_force_of_bodies(const sal_model *m, phy_instants *d, phy_real *r,
                                  const phy_real *a)
{
    const size_t mark = d->arena.used;
    passed x;
    if (!take(m, &d->arena, &x)) {
        return;
    }
    phy_real *acc = x.acc, *force = x.force;
    memset(acc, 0, 6 * sizeof *acc);
    for (int b = 1; b < m->nbody; b++) { /* G_b = G_parent + sum s_k a_k,  F_b = I_b G_b */
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        const phy_real *from = acc + 6 * m->body_parentid[b];
        phy_sum G;
        phy_sum_begin(&G, from);
        for (int k = m->body_dofadr[b]; k < end; k++) {
            phy_sum_add(&G, a + k, d->cdof + 6 * k);
        }
        phy_sum_end(acc + 6 * b, &G);
        phy_sp_inertia_mul(force + 6 * b, d->cinert + SAL_SP_INERTIA * b, acc + 6 * b);
    }
    hand_back(m, d, r, force);
    for (int i = 0; i < m->nv; i++) {
        r[i] += m->dof_armature[i] * a[i];
    }
    d->arena.used = mark;
}
