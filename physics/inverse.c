/* inverse.c: the force that a motion needs (Todorov, "Convex and analytically-invertible dynamics
 * with contacts and constraints", ICRA 2014).
 *
 *     tau = M a + c - passive - J' law(J a - aref)
 *
 * with M + h diag(damping) instead of M where phy_damping_is_beside; with M + S instead of M and
 * c + s instead of c where phy_has_step_metric.
 */
#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/tendon.h"
#include "physics/width.h"

#include <math.h>
#include <string.h>

void phy_inertial_force(const sal_model *m, sal_data *d, double *r, const double *a)
{
    phy_inertial_force_of_bodies(m, d, r, a);
    phy_tendon_inertial_force(m, d, r, a);
}

sal_status sal_inverse(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_status status = phy_has_step_metric(m) ? phy_step_metric_refusal(m, err) : SAL_OK;
    status = status == SAL_OK ? sal_position(m, d, err) : status;
    if (status == SAL_OK) {
        sal_velocity(m, d);
        sal_inverse_acceleration(m, d);
    }
    return phy_scratch_status_after(status, d, err);
}

void sal_inverse_acceleration(const sal_model *m, sal_data *d)
{
    phy_inertial_force_of_bodies(m, d, d->qfrc_inverse, d->qacc);
    phy_inverse_acceleration_of_placed(m, d, NULL);
}

/* s, and what turns bodies that float alone */
static void add_of_step(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_inverse[i] += d->step_bias[i];
    }
    phy_step_floating_add(m, d, d->qfrc_inverse, d->qacc);
}

void phy_inverse_acceleration_of_placed(const sal_model *m, sal_data *d, const phy_placed *placed)
{
    if (phy_has_step_metric(m)) {
        sal_actuation(m, d); /* actuators whose force is clamped do not give way */
        phy_step_metric(m, d);
    }
    /* qfrc_constraint = J' law(J a - aref) */
    phy_constraint_force(m, d, placed == NULL ? d->nefc : placed->unknown);

    /* tau = M a + c - passive - qfrc_constraint */
    phy_tendon_inertial_force(m, d, d->qfrc_inverse, d->qacc);
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_inverse[i] += d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
    }
    phy_add_beside_mass(m, d, d->qfrc_inverse, d->qacc);
    if (phy_has_step_metric(m)) {
        add_of_step(m, d);
    }
    phy_sensors(m, d, SAL_STAGE_ACC);
}

sal_status sal_inverse_discrete(const sal_model *m, sal_data *d, const double *qacc_discrete,
                                sal_err *err)
{
    if (m->opt.integrator == SAL_INT_RK4) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "integrator=\"RK4\" has no inverse dynamics, since each of its steps takes "
                        "four evaluations; use Euler, implicit or implicitfast");
    }
    const sal_status status = phy_step_metric_refusal(m, err);
    if (status != SAL_OK) {
        return status;
    }
    phy_continuous_acceleration(m, d, d->qacc, qacc_discrete);
    sal_inverse_acceleration(m, d);
    return phy_scratch_status(d, err);
}

/* What the comparison keeps: qfrc_constraint, qfrc_inverse, sensordata */
typedef struct kept {
    double *constraint, *inverse, *sensors;
} kept;

static bool take(const sal_model *m, sal_arena *arena, kept *k)
{
    k->constraint = sal_arena_take(arena, (size_t)m->nv, sizeof *k->constraint);
    k->inverse = sal_arena_take(arena, (size_t)m->nv, sizeof *k->inverse);
    k->sensors = sal_arena_take(arena, (size_t)m->nsensordata, sizeof *k->sensors);
    return k->sensors != NULL;
}

void phy_inverse_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    kept k;
    take(m, arena, &k);
    phy_rne_scratch(m, arena);
    phy_energy_scratch(m, arena);
    phy_law_scratch(m, arena);
    arena->used = mark;
}

void sal_compare_forward_inverse(const sal_model *m, sal_data *d, double difference[2])
{
    const size_t mark = d->arena.used, bytes = (size_t)m->nv * sizeof(double);
    kept k;
    difference[0] = difference[1] = 0;
    if (d->nefc > 0 && take(m, &d->arena, &k)) {
        memcpy(k.constraint, d->qfrc_constraint, bytes);
        memcpy(k.inverse, d->qfrc_inverse, bytes);
        memcpy(k.sensors, d->sensordata, (size_t)m->nsensordata * sizeof *k.sensors);
        sal_inverse_acceleration(m, d);
        for (int i = 0; i < m->nv; i++) {
            /* what was applied: qfrc_smooth + c - passive */
            const double of_step = phy_has_step_metric(m) ? d->step_bias[i] : 0;
            const double applied =
                d->qfrc_smooth[i] + d->qfrc_bias[i] + of_step - d->qfrc_passive[i];
            const double e = k.constraint[i] - d->qfrc_constraint[i],
                         g = applied - d->qfrc_inverse[i];
            difference[0] += e * e;
            difference[1] += g * g;
        }
        memcpy(d->qfrc_constraint, k.constraint, bytes);
        memcpy(d->qfrc_inverse, k.inverse, bytes);
        memcpy(d->sensordata, k.sensors, (size_t)m->nsensordata * sizeof *k.sensors);
    }
    difference[0] = sqrt(difference[0]);
    difference[1] = sqrt(difference[1]);
    d->arena.used = mark;
}
