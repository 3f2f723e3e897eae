/* inputs.c: what the actuators of a driven motion do as variables: z_k, k = 0..N.
 *
 *     z_0 .. z_{N-1} are variables, and in open motions the activations of z_N; in a cycle z_N is
 *         the image of z_0
 *
 * They are measured by what they move: the unit is the input that, at home, moves its dof by one
 * unit within a step, at most ten times a large input. A step of the optimizer then damps and
 * weighs them as it does positions. (Measured on a pendulum, tendons, muscles and a walker with
 * filters: with 1 they are held back, with 100 muscles leave their ranges too far behind.)
 *
 * Inputs that are linear are chosen anew after each step of the optimizer (optim/complete.c), as if
 * they had been eliminated. Damping would only hold back the motion that they have to follow, so
 * their units are a hundred times as large. (Measured with the motors of all examples as variables:
 * from 10 to 100 times they take as many linearisations as with motors eliminated; with 1 a
 * humanoid's steps are short.)
 *
 * In x they stand behind all configurations, in the tangent space each behind the configuration of
 * its instant. What z_N holds of controls, and all beyond it, has no effect.
 */
#include "base/house.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

static const double input_reach =
    10; /* of a large input: most that a variable of 1 may stand for */
static const double linear_reach = 100; /* times that unit, where inputs are linear */

static bool is_image(const prb_transcription *tr, int k)
{
    return k == tr->p->nstep && tr->p->boundary == PRB_CYCLE;
}

/* Its entry in the tangent space, or -1 */
static int variable_of(const prb_transcription *tr, int k, int i)
{
    const int nz = tr->layout.nz;
    return k > tr->p->nstep  ? -1
           : is_image(tr, k) ? tr->layout.input[tr->p->image->actuator_index[i]]
                             : tr->layout.input[k * nz + i];
}

/* 1, or the sign of the image */
static double sign_of(const prb_transcription *tr, int k, int i)
{
    return is_image(tr, k) ? tr->p->image->actuator_sign[i] : 1;
}

void prb_inputs_units(prb_transcription *tr)
{
    const prb_actuation_map *map = tr->map;
    const double h = tr->p->duration / tr->p->nstep;
    for (int i = 0; i < tr->layout.nz; i++) {
        const double most = input_reach * map->scale[i];
        tr->layout.unit[i] = map->agility[i] > 0 ? fmin(1 / (map->agility[i] * h * h), most) : most;
        tr->layout.unit[i] *= prb_input_is_linear(tr->p->model, i) ? linear_reach : 1;
    }
}

void prb_inputs_number(prb_transcription *tr, int k)
{
    prb_layout_of_motion *layout = &tr->layout;
    const bool any = k >= 0 && k <= tr->p->nstep && !is_image(tr, k);
    for (int i = 0; i < layout->nz && any; i++) {
        const bool own = k < tr->p->nstep || tr->p->model->actuator_actadr[i] >= 0;
        layout->input[k * layout->nz + i] = own ? layout->nvar : -1;
        if (own) {
            const bool linear = prb_input_is_linear(tr->p->model, i);
            layout->any_linear = layout->any_linear || linear;
            layout->linear[layout->nvar++] = linear;
        }
    }
}

int prb_inputs_list(prb_transcription *tr, int t, int n)
{
    const int nv = tr->model->nv, nz = tr->layout.nz;
    int *columns = tr->columns + t * tr->ncol_most,
        *place = tr->place + t * (tr->window + PRB_NGLOBAL);
    double *sign = tr->sign + t * tr->window;
    for (int w = 0; w < 2 && nz > 0; w++) {
        const int start = n;
        for (int i = 0; i < nz; i++) { /* those of an image in the order of their own instant */
            const int k = is_image(tr, t + w) ? 0 : t + w, variable = variable_of(tr, k, i);
            if (variable >= 0) {
                columns[n++] = variable;
            }
        }
        for (int i = 0; i < nz; i++) {
            const int at = 3 * nv + w * nz + i, variable = variable_of(tr, t + w, i);
            place[at] = variable < 0 ? -1 : start;
            for (int c = start; c < n && variable >= 0; c++) {
                place[at] = columns[c] == variable ? c : place[at];
            }
            sign[at] = sign_of(tr, t + w, i) * tr->layout.unit[i];
        }
    }
    return n;
}

void prb_inputs_retract(const prb_transcription *tr, double *out, const double *x, const double *d)
{
    const prb_layout_of_motion *layout = &tr->layout;
    for (int i = 0; i < layout->nz * (tr->p->nstep + 1); i++) {
        const int variable = layout->input[i];
        out[i] = x[i] + (variable < 0 ? 0 : d[variable]);
    }
}

void prb_inputs_place(prb_transcription *tr, const double *x)
{
    const int nz = tr->layout.nz;
    for (int k = 0; k <= tr->nblock && nz > 0; k++) {
        double *z = tr->z + (size_t)k * (size_t)nz;
        for (int i = 0; i < nz; i++) {
            const bool image = is_image(tr, k);
            const int own = image ? tr->p->image->actuator_index[i] : i, from = image ? 0 : k;
            z[i] = k > tr->p->nstep ? z[i - nz]
                                    : sign_of(tr, k, i) * tr->layout.unit[own] * x[from * nz + own];
        }
    }
}
