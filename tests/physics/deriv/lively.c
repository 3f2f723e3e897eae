#include "tests/physics/deriv/lively.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

enum { CROWD = 40 }; /* contacts */

/* ---- poses ---- */

/* Where joint j, a hinge or slide, goes: anywhere in its range, or around its initial position. */
static double scalar_position(const sal_model *m, int j, bool beyond, sal_rng *rng)
{
    const double *range = m->jnt_range + 2 * j, width = range[1] - range[0];
    const double q0 = m->qpos0[m->jnt_qposadr[j]];
    if (!m->jnt_limited[j]) {
        const double reach = m->jnt_type[j] == SAL_JNT_SLIDE ? 0.2 : 0.8;
        return q0 + sal_rng_uniform(rng, -reach, reach);
    }
    const double over = beyond ? 0.03 : -0.02;
    return sal_rng_uniform(rng, range[0] - over * width, range[1] + over * width);
}

/* A displacement from qpos0. */
static void random_step(const sal_model *m, double *step, bool beyond, sal_rng *rng)
{
    for (int j = 0; j < m->njnt; j++) {
        double *x = step + m->jnt_dofadr[j];
        switch ((sal_joint_type)m->jnt_type[j]) {
        case SAL_JNT_FREE:
            for (int k = 0; k < 6; k++) {
                x[k] = sal_rng_uniform(rng, -1, 1) * (k < 3 ? 0.05 : 0.6);
            }
            break;
        case SAL_JNT_BALL:
            for (int k = 0; k < 3; k++) {
                x[k] = sal_rng_uniform(rng, -1, 1) * 0.6;
            }
            break;
        case SAL_JNT_SLIDE:
        case SAL_JNT_HINGE:
            x[0] = scalar_position(m, j, beyond, rng) - m->qpos0[m->jnt_qposadr[j]];
            break;
        }
    }
}

static double deepest(const sal_data *d)
{
    double dist = 0;
    for (int i = 0; i < d->ncon; i++) {
        dist = fmin(dist, d->contact[i].dist);
    }
    return dist;
}

/* The address in qpos of what lifts the tree of `root`, and how it does; -1: nothing. */
static int lift_of(const sal_model *m, const sal_data *d, int root, double *slope)
{
    for (int j = m->body_jntadr[root]; j >= 0 && j < m->body_jntadr[root] + m->body_jntnum[root];
         j++) {
        const double up = d->xaxis[3 * j + 2];
        *slope = 1;
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            return m->jnt_qposadr[j] + 2;
        }
        if (m->jnt_type[j] == SAL_JNT_SLIDE && fabs(up) > 0.7) {
            *slope = up;
            return m->jnt_qposadr[j];
        }
    }
    return -1;
}

/* The gap between the tree of `root` and what does not move; `far` if there is nothing. */
static double gap_below(const sal_model *m, const sal_data *d, int root, double far)
{
    double gap = far;
    for (int p = 0; p < m->npair; p++) {
        const int g1 = m->pair_geom1[p], g2 = m->pair_geom2[p];
        const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
        const bool still1 = m->body_chainnum[b1] == 0, still2 = m->body_chainnum[b2] == 0;
        const int root1 = m->body_rootid[b1], root2 = m->body_rootid[b2];
        if ((still1 && !still2 && root2 == root) || (still2 && !still1 && root1 == root)) {
            gap = sal_geom_distance(m, d, g1, g2, gap, NULL);
        }
    }
    return gap;
}

static void let_down(const sal_model *m, sal_data *d, sal_rng *rng)
{
    const double far = 5;
    for (int b = 1; b < m->nbody; b++) {
        const double depth = sal_rng_uniform(rng, 0.0002, 0.01);
        double slope;
        const int adr = m->body_rootid[b] == b ? lift_of(m, d, b, &slope) : -1;
        for (int pass = 0; pass < 3 && adr >= 0; pass++) {
            const double gap = gap_below(m, d, b, far);
            if (gap < far) {
                d->qpos[adr] -= (gap + depth) / slope;
                sal_kinematics(m, d);
            }
        }
    }
}

/* Trees that lie on one another are lifted off, each by more than the one before: among hundreds of
 * contacts there is always one with a kink. */
static void scatter(const sal_model *m, sal_data *d, sal_rng *rng)
{
    double height = 0;
    for (int b = 1; b < m->nbody; b++) {
        double slope;
        const int adr = m->body_rootid[b] == b ? lift_of(m, d, b, &slope) : -1;
        if (adr >= 0) {
            d->qpos[adr] += height / slope;
            height += sal_rng_uniform(rng, 0.3, 1.2);
        }
    }
}

/* Shapes that start deep inside each other have no good directions: such poses are drawn back
 * towards qpos0. */
static void pose(const sal_model *m, sal_data *d, bool beyond, sal_rng *rng)
{
    const size_t mark = d->arena.used;
    double *step = sal_arena_take(&d->arena, (size_t)m->nv + 1, sizeof(double)), share = 1;
    sal_err err;
    memset(step, 0, ((size_t)m->nv + 1) * sizeof *step);
    random_step(m, step, beyond, rng);
    for (int attempt = 0; attempt < 5; attempt++, share *= 0.6) {
        sal_integrate_pos(m, d->qpos, m->qpos0, step, share);
        sal_kinematics(m, d);
        let_down(m, d, rng);
        if (sal_collide(m, d, &err) == SAL_OK && deepest(d) > -0.015) {
            break;
        }
    }
    if (d->ncon > CROWD) {
        scatter(m, d, rng);
    }
    d->arena.used = mark;
}

/* ---- motions ---- */

static bool is_tame(const sal_model *m, const sal_data *d)
{
    bool tame = true;
    for (int i = 0; i < m->nv; i++) {
        tame = tame && fabs(d->qvel[i]) < 30 && fabs(d->qacc[i]) < 1e5;
    }
    return tame;
}

/* False if the motion gets out of hand. */
static bool simulate(const sal_model *m, sal_data *d, sal_rng *rng)
{
    const int most = m->nv > 30 ? 40 : 150, steps = 3 + (int)(sal_rng_next(rng) % (uint64_t)most);
    sal_err err;
    for (int i = 0; i < m->nu; i++) {
        const double *range = m->actuator_ctrlrange + 2 * i;
        d->ctrl[i] = m->actuator_ctrllimited[i] ? sal_rng_uniform(rng, range[0], range[1])
                                                : sal_rng_uniform(rng, -1, 1);
    }
    for (int i = 0; i < steps; i++) {
        if (sal_step(m, d, &err) != SAL_OK) {
            return false;
        }
    }
    return is_tame(m, d);
}

/* Away from what is exactly at rest, upright or closed. */
static void shake(const sal_model *m, sal_data *d, sal_rng *rng)
{
    const size_t mark = d->arena.used;
    double *step = sal_arena_take(&d->arena, (size_t)m->nv + 1, sizeof(double));
    for (int i = 0; i < m->nv; i++) {
        step[i] = sal_rng_uniform(rng, -4e-3, 4e-3);
    }
    sal_integrate_pos(m, d->qpos, d->qpos, step, 1);
    d->arena.used = mark;
}

/* Of a velocity at random: no more than some thousand newtons of damping. */
static double pace(const sal_model *m, int dof)
{
    const double damping = m->dof_damping[dof];
    return damping > 1e3 ? 2e3 / damping : 2;
}

void lively_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k * 7919 + 12345};
    sal_data_reset(m, d);
    pose(m, d, k / 2 % 4 == 2, &rng);
    bool moves = k / 2 % 2 == 1;
    if (moves) {
        const uint64_t seed = sal_rng_next(&rng);
        moves = simulate(m, d, &rng);
        if (!moves) {
            rng.state = seed;
            sal_data_reset(m, d);
            pose(m, d, false, &rng);
        }
        shake(m, d, &rng);
    }
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = moves ? d->qvel[i] + sal_rng_uniform(&rng, -0.05, 0.05) * pace(m, i)
                           : sal_rng_uniform(&rng, -1, 1) * pace(m, i);
        d->qacc[i] = sal_rng_uniform(&rng, -10, 10) + (moves ? 0.5 * d->qacc[i] : 0);
    }
}
