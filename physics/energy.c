/* energy.c: what the mechanism holds.
 *
 *     potential   - sum m g.xi + sum of springs, int k(x) x dx = x^2 (k_0/2 + k_1 x/3 + k_2 x^2/4)
 *     x as in passive.c
 *     kinetic     v'M v / 2
 *
 * Gravity compensation, dampers and the medium are not in it, as in MuJoCo.
 */
#include "base/house.h"
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/tendon.h"

static double spring_energy(double k0, const double k[2], double x)
{
    return x * x * (k0 / 2 + x * (k[0] / 3 + x * k[1] / 4));
}

static double turned(const double q[4], const double rest[4])
{
    double back[4], away[4], r[3];
    sal_quat_conj(back, rest);
    sal_quat_mul(away, back, q);
    sal_quat_normalise(away);
    sal_quat_log(r, away);
    return sal_v3_norm(r);
}

static double joint_energy(const sal_model *m, const sal_data *d, int j)
{
    const double k0 = m->jnt_stiffness[j], *k = m->jnt_stiffnesspoly + 2 * j;
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
    double away[3], sum = 0;
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_v3_sub(away, q, rest);
        sum =
            spring_energy(k0, k, sal_v3_norm(away)) + spring_energy(k0, k, turned(q + 3, rest + 3));
        break;
    case SAL_JNT_BALL:
        sum = spring_energy(k0, k, turned(q, rest));
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        sum = spring_energy(k0, k, q[0] - rest[0]);
        break;
    }
    return sum;
}

static double potential(const sal_model *m, const sal_data *d)
{
    double sum = 0;
    for (int b = 1; b < m->nbody && !(m->opt.disable & SAL_DSBL_GRAVITY); b++) {
        sum -= m->body_mass[b] * sal_v3_dot(m->opt.gravity, d->xipos + 3 * b);
    }
    if (m->opt.disable & SAL_DSBL_SPRING) {
        return sum;
    }
    for (int j = 0; j < m->njnt; j++) {
        sum += joint_energy(m, d, j);
    }
    for (int t = 0; t < m->ntendon; t++) {
        sum += spring_energy(m->tendon_stiffness[t], m->tendon_stiffnesspoly + 2 * t,
                             phy_tendon_stretch(m, d, t));
    }
    return sum;
}

/* momentum [nv] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv, sizeof(double));
}

void phy_energy_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take(m, arena);
    phy_rne_scratch(m, arena);
    arena->used = mark;
}

void sal_energy(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    double *momentum = take(m, &d->arena), sum = 0;
    if (momentum == NULL) {
        return;
    }
    phy_inertial_force(m, d, momentum, d->qvel);
    for (int i = 0; i < m->nv; i++) {
        sum += momentum[i] * d->qvel[i];
    }
    d->arena.used = mark;
    d->energy[0] = potential(m, d);
    d->energy[1] = sum / 2;
}
