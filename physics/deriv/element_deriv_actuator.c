/* element_deriv_actuator.c: how the actuators' generalised force changes, at fixed controls and
 * activations w:
 *
 *     qfrc = sum of moment_i' F_i,      F = gain(l, ldot) w + bias(l, ldot),   ldot = moment v
 *
 *     d/dq = F N + moment'(F_l dl + F_ldot v'N)        N = d moment/dq
 *     d/dv = moment' F_ldot moment                     d/dw = moment' gain
 *
 * F within forcerange. Where the sum of forces on a tendon leaves actuatorfrcrange, each becomes
 * rho F_i, rho = kept / sum:
 *     dF_i := rho (dF_i - F_i / sum dsum)
 * and where that on a joint does, its row is zero.  Of the forces themselves, where they are
 *                                                   wanted:
 *
 *     dF/dq = F_l dl + F_ldot v'N          dF/dv = F_ldot moment          dF/dw = gain
 *
 * Of an orientation, whose torque depends on several controls, see element_deriv_orientation.c: its
 * dF/dw is left out.
 */
#include "physics/actuator.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/motor.h"
#include "physics/stages.h"

#include <string.h>

typedef sal_actuation_jacobian wanted; /* what is being filled */

/* r += scale x y' */
static void add_outer(const sal_model *m, double *D, double scale, const int *dof, const double *x,
                      const double *y, int n)
{
    for (int i = 0; i < n && scale != 0; i++) {
        double *row = D + (size_t)dof[i] * (size_t)m->nv;
        for (int k = 0; k < n; k++) {
            row[dof[k]] += scale * x[i] * y[k];
        }
    }
}

/* ---- one actuator ---- */

/* N does not vanish. */
static bool turns(const sal_model *m, int i)
{
    const int id = m->actuator_trnid[i];
    if (m->actuator_trntype[i] == SAL_TRN_JOINT) {
        return m->jnt_type[id] == SAL_JNT_BALL || m->jnt_type[id] == SAL_JNT_FREE;
    }
    return true;
}

/* By v and w: what needs no N. */
static void add_rates(const sal_model *m, const sal_data *d, const wanted *to, int i,
                      const phy_actuator_law *law)
{
    const int n = m->moment_rownnz[i], *dof = m->moment_colind + m->moment_rowadr[i];
    const double *moment = d->actuator_moment + m->moment_rowadr[i];
    for (int k = 0; k < n && to->Dw != NULL; k++) {
        to->Dw[(size_t)dof[k] * (size_t)m->nu + (size_t)i] += moment[k] * law->by_input;
    }
    if (to->Dv != NULL) {
        add_outer(m, to->Dv, law->by_velocity, dof, moment, moment, n);
    }
    for (int k = 0; k < n && to->Fv != NULL; k++) {
        to->Fv[(size_t)i * (size_t)m->nv + (size_t)dof[k]] += law->by_velocity * moment[k];
    }
    if (to->Fw != NULL) {
        to->Fw[i] = law->by_input;
    }
}

/* How the moment, the length and the force of an actuator that turns vary with the n dofs of its
 * moment */
typedef struct turned {
    double *N, *dl, *dF; /* [n x n], [n], [n] */
} turned;

static bool take(const sal_model *m, sal_arena *arena, int i, turned *x)
{
    const size_t n = (size_t)m->moment_rownnz[i];
    x->N = sal_arena_take(arena, n * n, sizeof *x->N);
    x->dl = sal_arena_take(arena, n, sizeof *x->dl);
    x->dF = sal_arena_take(arena, n, sizeof *x->dF);
    return x->dF != NULL;
}

static phy_actuator_law *take_laws(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nu, sizeof(phy_actuator_law));
}

void phy_actuator_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take_laws(m, arena);
    const size_t within = arena->used;
    for (int i = 0; i < m->nu; i++, arena->used = within) {
        turned x;
        if (phy_is_orientation(m, i)) {
            phy_orientation_scratch(m, arena, i);
        } else if (turns(m, i)) {
            take(m, arena, i, &x);
        }
    }
    arena->used = mark;
}

static void add_actuator(const sal_model *m, sal_data *d, const wanted *to, int i,
                         const phy_actuator_law *law)
{
    const size_t mark = d->arena.used, n = (size_t)m->moment_rownnz[i];
    const int *dof = m->moment_colind + m->moment_rowadr[i];
    const double *moment = d->actuator_moment + m->moment_rowadr[i];
    double *Fq = to->Fq == NULL ? NULL : to->Fq + (size_t)i * (size_t)m->nv;
    add_rates(m, d, to, i, law);
    if ((to->Dq == NULL && Fq == NULL) ||
        (law->force == 0 && law->by_length == 0 && law->by_velocity == 0)) {
        return;
    }
    if (!turns(m, i)) { /* one dof */
        const double by_q = law->by_length * moment[0];
        if (to->Dq != NULL) {
            to->Dq[(m->nv + 1) * dof[0]] += by_q * moment[0];
        }
        if (Fq != NULL) {
            Fq[dof[0]] += by_q;
        }
        return;
    }
    turned x;
    if (!take(m, &d->arena, i, &x)) {
        return;
    }
    const double *N = x.N, *dl = x.dl;
    double *dF = x.dF;
    phy_transmission_turn(m, d, i, x.N, x.dl);
    for (size_t k = 0; k < n; k++) {
        dF[k] = law->by_length * dl[k];
        for (size_t j = 0; j < n; j++) {
            dF[k] += law->by_velocity * d->qvel[dof[j]] * N[j * n + k];
        }
    }
    for (size_t j = 0; j < n && to->Dq != NULL; j++) {
        double *row = to->Dq + (size_t)dof[j] * (size_t)m->nv;
        for (size_t k = 0; k < n; k++) {
            row[dof[k]] += law->force * N[j * n + k] + moment[j] * dF[k];
        }
    }
    for (size_t k = 0; k < n && Fq != NULL; k++) {
        Fq[dof[k]] += dF[k];
    }
    d->arena.used = mark;
}

/* ---- where forces come together ---- */

static bool acts_on(const sal_model *m, int i, int t)
{
    return m->actuator_trntype[i] == SAL_TRN_TENDON && m->actuator_trnid[i] == t;
}

/* Replaces the laws f_i of the actuators of a tendon whose sum S is scaled back into its range: the
 * first that has a gear takes what all do together, as they have one length. With rho = range / S,
 * gears g_i, and c_i where forcerange then holds rho f_i,
 *     pull = sum_free g_i rho f_i + sum_held g_i c_i
 *     d pull = rho (sum_free g_i df_i - share sum_all df_i),     share = sum_free g_i f_i / S
 * Dw is filled here. */
static void hold_tendon(const sal_model *m, const sal_data *d, const wanted *to, int t,
                        phy_actuator_law *law)
{
    const double *range = m->tendon_actfrcrange + 2 * t, *J = d->ten_J + m->tendon_Jadr[t];
    double sum, free = 0, held = 0, by_length = 0, by_velocity = 0;
    int first = -1;
    if (!phy_tendon_is_over(m, d, t, &sum)) {
        return;
    }
    const double rho = (sum < range[0] ? range[0] : range[1]) / sum;
    for (int i = 0; i < m->nu; i++) {
        const double gear = acts_on(m, i, t) ? m->actuator_gear[6 * i] : 0;
        const double kept = phy_actuator_within(m, i, rho * law[i].force);
        free += kept == rho * law[i].force ? gear * law[i].force : 0;
        held += kept == rho * law[i].force ? 0 : gear * kept;
        first = first < 0 && gear != 0 ? i : first;
    }
    if (first < 0) {
        return;
    }
    bool is_free = true;
    for (int i = 0; i < m->nu; i++) {
        if (acts_on(m, i, t)) {
            const double gear = m->actuator_gear[6 * i], force = rho * law[i].force;
            is_free = phy_motor_fed_by(m, i) >= 0 ? is_free /* of its motor, the one before */
                                                  : phy_actuator_within(m, i, force) == force;
            const double weight = rho * ((is_free ? gear : 0) - free / sum);
            for (int k = 0; k < m->tendon_Jnum[t] && to->Dw != NULL; k++) {
                const int dof = m->ten_dof[m->tendon_Jadr[t] + k];
                to->Dw[(size_t)dof * (size_t)m->nu + (size_t)i] += weight * law[i].by_input * J[k];
            }
            by_length += weight * gear * law[i].by_length;
            by_velocity += weight * gear * law[i].by_velocity;
            law[i] = (phy_actuator_law){0};
        }
    }
    const double gear = m->actuator_gear[6 * first];
    law[first].force = (rho * free + held) / gear;
    law[first].by_length = by_length / (gear * gear);
    law[first].by_velocity = by_velocity / (gear * gear);
}

static void clear(double *D, size_t rows, size_t columns)
{
    if (D != NULL) {
        memset(D, 0, rows * columns * sizeof *D);
    }
}

/* Rows of joints whose actuators' force is held. */
static void hold_joints(const sal_model *m, const sal_data *d, const wanted *to)
{
    const size_t nv = (size_t)m->nv, nu = (size_t)m->nu;
    for (int j = 0; j < m->njnt; j++) {
        const double *range = m->jnt_actfrcrange + 2 * j;
        const size_t dof = (size_t)m->jnt_dofadr[j];
        const double force = d->qfrc_actuator[dof];
        if (m->jnt_actfrclimited[j] && !(force > range[0] && force < range[1])) {
            clear(to->Dq == NULL ? NULL : to->Dq + dof * nv, 1, nv);
            clear(to->Dv == NULL ? NULL : to->Dv + dof * nv, 1, nv);
            clear(to->Dw == NULL ? NULL : to->Dw + dof * nu, 1, nu);
        }
    }
}

static void clear_all(const sal_model *m, const wanted *to)
{
    const size_t nv = (size_t)m->nv, nu = (size_t)m->nu;
    clear(to->Dq, nv, nv);
    clear(to->Dv, nv, nv);
    clear(to->Dw, nv, nu);
    clear(to->Fq, nu, nv);
    clear(to->Fv, nu, nv);
    clear(to->Fw, nu, 1);
}

/* w [nu]: controls; NULL: those of d, and the torque of an orientation within its limit */
static void add_all(const sal_model *m, sal_data *d, const wanted *to, const phy_actuator_law *law,
                    const double *w)
{
    for (int i = 0; i < m->nu; i++) {
        if (!phy_is_orientation(m, i)) {
            add_actuator(m, d, to, i, law + i);
        } else if (phy_orientation_first(m, i) == i && !phy_actuator_is_off(m, i)) {
            const double torque[3] = {law[i].force, law[i + 1].force, law[i + 2].force};
            int begin;
            double u[4];
            phy_orientation_inputs(m, i, &begin);
            phy_orientation_controls(m, d, i, u);
            phy_add_orientation(m, d, to, i, w == NULL ? u : w + begin,
                                w == NULL ? phy_orientation_share(m, i, torque) : 1);
        }
    }
    if (to->Dq != NULL) {
        phy_actuator_compensation_deriv(m, d, to->Dq);
    }
}

void sal_actuation_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv, double *Dw)
{
    const size_t mark = d->arena.used;
    const wanted to = {.Dq = Dq, .Dv = Dv, .Dw = Dw};
    clear_all(m, &to);
    if (m->opt.disable & SAL_DSBL_ACTUATION || m->nu == 0) {
        return;
    }
    phy_actuator_law *law = take_laws(m, &d->arena);
    if (law == NULL) {
        return;
    }
    phy_actuator_laws(m, d, law);
    for (int t = 0; t < m->ntendon; t++) {
        hold_tendon(m, d, &to, t, law);
    }
    phy_add_cogging(m, d, law);
    add_all(m, d, &to, law, NULL);
    hold_joints(m, d, &to);
    d->arena.used = mark;
}

void sal_actuation_driven_deriv(const sal_model *m, sal_data *d, const double *w,
                                const sal_actuation_jacobian *to)
{
    const size_t mark = d->arena.used;
    clear_all(m, to);
    if (m->opt.disable & SAL_DSBL_ACTUATION || m->nu == 0) {
        return;
    }
    phy_actuator_law *law = take_laws(m, &d->arena);
    if (law == NULL) {
        return;
    }
    phy_actuator_laws_driven(m, d, w, law);
    phy_add_cogging(m, d, law);
    add_all(m, d, to, law, w);
    d->arena.used = mark;
}
