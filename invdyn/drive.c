/* drive.c: what the actuators do where that is part of the motion. Each has a number z_t at every
 *     instant, its activation or, where it has
 * none, its control:
 *
 *     input    w = z_t;  of those with actearly z_{t+1}, the activation at the end of the step
 *     ctrl     z_t, or what takes the activation z_t to z_{t+1}: see sal_activation_control
 *     force    F(q_t, v_t, w),    qfrc_actuator = moment(q_t)' F
 */
#include "invdyn/workspace.h"


static bool has_activation(const sal_model *m, int i)
{
    return m->actuator_actadr[i] >= 0;
}

static bool looks_ahead(const sal_model *m, int i)
{
    return has_activation(m, i) && m->actuator_actearly[i];
}

void inv_worker_drive(const sal_model *m, inv_worker *worker)
{
    const double *z = worker->z, *next = z + m->nu;
    sal_data *d = worker->d;
    for (int i = 0; i < m->nu; i++) {
        if (has_activation(m, i)) {
            d->act[m->actuator_actadr[i]] = z[i];
            d->ctrl[i] = sal_activation_control(m, i, z[i], next[i], NULL);
        } else {
            d->ctrl[i] = z[i];
        }
        worker->input[i] = looks_ahead(m, i) ? next[i] : z[i];
    }
    sal_actuation_driven(m, d, worker->input);
}

/* ---- derivatives ---- */

/* Dw and Fw: forces are linear in the inputs but where a servo turns the shorter way. */
static void inputs_fd(const sal_model *m, inv_worker *worker)
{
    sal_data *d = worker->d;
    const int nv = m->nv, nu = m->nu;
    for (int side = 0; side < 2; side++) {
        const double step = side == 0 ? -SAL_FD_STEP : SAL_FD_STEP, scale = 0.5 / SAL_FD_STEP;
        for (int i = 0; i < nu; i++) {
            const double before = worker->input[i];
            worker->input[i] = before + step;
            sal_actuation_driven(m, d, worker->input);
            worker->input[i] = before;
            for (int k = 0; k < nv; k++) {
                double *D = worker->Dw + k * nu + i;
                *D = side == 0 ? d->qfrc_actuator[k] : (d->qfrc_actuator[k] - *D) * scale;
            }
            double *F = worker->Fw + i;
            *F = side == 0 ? d->actuator_force[i] : (d->actuator_force[i] - *F) * scale;
        }
    }
    sal_actuation_driven(m, d, worker->input);
}

/* Du, exactly or by differences; controls' own column log h is never asked for by differences. */
static void controls_deriv(const sal_model *m, inv_worker *worker, bool differ)
{
    const double *z = worker->z, *next = z + m->nu, eps = SAL_FD_STEP;
    for (int i = 0; i < m->nu; i++) {
        double *D = worker->Du + 3 * i;
        if (has_activation(m, i)) {
            sal_activation_control(m, i, z[i], next[i], D);
        }
        if (has_activation(m, i) && differ) {
            D[0] = sal_activation_control(m, i, z[i] + eps, next[i], NULL) -
                   sal_activation_control(m, i, z[i] - eps, next[i], NULL);
            D[1] = sal_activation_control(m, i, z[i], next[i] + eps, NULL) -
                   sal_activation_control(m, i, z[i], next[i] - eps, NULL);
            D[0] *= 0.5 / eps;
            D[1] *= 0.5 / eps;
        }
    }
}

/* Where the derivatives of a kind of output go; NULL: not asked for, or by differences. */
static double *rows_of(const sal_invdyn *w, double *D, sal_output_kind kind)
{
    for (int k = 0; k < w->noutput; k++) {
        if (w->output[k].kind == kind && w->twin[k]) {
            return D + (size_t)w->output[k].adr * (size_t)w->nv;
        }
    }
    return NULL;
}

void inv_worker_drive_deriv(const sal_invdyn *w, const sal_model *m, inv_worker *worker)
{
    controls_deriv(m, worker, w->derivatives == SAL_DERIV_FD);
    if (w->derivatives == SAL_DERIV_FD) {
        inputs_fd(m, worker);
        return;
    }
    const sal_actuation_jacobian to = {.Dq = rows_of(w, worker->Dq, SAL_OUT_ACTUATION),
                                       .Dv = rows_of(w, worker->Dv, SAL_OUT_ACTUATION),
                                       .Dw = worker->Dw,
                                       .Fq = rows_of(w, worker->Dq, SAL_OUT_ACTUATOR_FORCE),
                                       .Fv = rows_of(w, worker->Dv, SAL_OUT_ACTUATOR_FORCE),
                                       .Fw = worker->Fw};
    sal_actuation_driven_deriv(m, worker->d, worker->input, &to);
}

void inv_actuation_by_input(const sal_model *m, const inv_worker *worker, int i, double *z)
{
    for (int k = 0; k < m->nu; k++) {
        z[looks_ahead(m, k) ? m->nu + k : k] = worker->Dw[i * m->nu + k];
    }
}

void inv_actuator_force_by_input(const sal_model *m, const inv_worker *worker, int i, double *z)
{
    z[looks_ahead(m, i) ? m->nu + i : i] = worker->Fw[i];
}

void inv_control_by_input(const sal_model *m, const inv_worker *worker, int i, double *z)
{
    if (has_activation(m, i)) {
        z[i] = worker->Du[3 * i];
        z[m->nu + i] = worker->Du[3 * i + 1];
    } else {
        z[i] = 1;
    }
}

double inv_control_by_timestep(const inv_worker *worker, int i)
{
    return worker->Du[3 * i + 2];
}

void inv_input_by_input(const sal_model *m, const inv_worker *worker, int i, double *z)
{
    (void)m;
    (void)worker;
    z[i] = 1;
}

void inv_worker_drive_chain(const sal_invdyn *w, const sal_model *m, const inv_worker *worker,
                            double *Y)
{
    const size_t width = (size_t)w->ncolumn;
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        for (int i = 0; w->kind[k]->by_input != NULL && i < output->n; i++) {
            double *z = Y + (size_t)(output->adr + i) * width + 3 * m->nv;
            w->kind[k]->by_input(m, worker, i, z);
        }
    }
}
