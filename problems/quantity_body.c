/* quantity_body.c: where bodies are and how they move: position, velocity, com, momenta, energy,
 * orientation. */
#include "base/house.h"
#include "problems/quantity.h"

#include <math.h>

/* ---- position, velocity ---- */

static void want_places(prb_wanted *list, const prb_feature *f, sal_output_kind kind)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want(list, (sal_output){.kind = kind, .point = list->tr->point[f->object[k]]});
    }
}

/* Of a marker beside its site also where the body's origin is, and what is 1 m along its axes. */
void prb_position_want(prb_wanted *list, const prb_feature *f)
{
    want_places(list, f, SAL_OUT_PLACE);
    for (int c = -1; c < 3 && f->offset > 0; c++) {
        sal_point point = {.body = list->tr->point[f->object[0]].body, .plane = -1};
        if (c >= 0) {
            point.pos[c] = 1;
        }
        prb_want(list, (sal_output){.kind = SAL_OUT_PLACE, .point = point});
    }
}

/* x = P + sum_c o_c (E_c - E), o the marker's place beside its site P; E_c and E: see above */
static void write_marker(prb_writer *w, const double o[3])
{
    const int site = w->own[0], origin = w->own[1], *along = w->own + 2,
              first = 3 * (w->feature->offset - 1);
    for (int i = 0; i < 3; i++) {
        double x = w->y[site + i];
        prb_row_put(w, site + i, 1);
        prb_row_put(w, origin + i, -o[0] - o[1] - o[2]);
        for (int c = 0; c < 3; c++) {
            const double axis = w->y[along[c] + i] - w->y[origin + i];
            prb_row_put(w, along[c] + i, o[c]);
            prb_row_put_offset(w, first + c, axis);
            x += o[c] * axis;
        }
        prb_row_end(w, x);
    }
}

void prb_position_write(prb_writer *w)
{
    if (w->feature->offset > 0) {
        write_marker(w, w->tr->offset + 3 * (w->feature->offset - 1));
    } else {
        prb_write_outputs(w, 3);
    }
}

void prb_velocity_want(prb_wanted *list, const prb_feature *f)
{
    want_places(list, f, SAL_OUT_PLACE_VELOCITY);
}

void prb_velocity_write(prb_writer *w)
{
    prb_write_outputs(w, 3);
}

/* ---- com, momenta ---- */

static void want_bulks(prb_wanted *list, const prb_feature *f, sal_bulk which)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want(list, (sal_output){.kind = SAL_OUT_BULK, .id = f->object[k], .other = (int)which});
    }
}

const char *prb_com_unit(const sal_model *m, const prb_feature *f, int body, int i)
{
    static const char *const unit[] = {"m", "m/s", "m/s^2"};
    (void)m;
    (void)body;
    (void)i;
    return unit[f->order];
}

void prb_com_want(prb_wanted *list, const prb_feature *f)
{
    static const sal_bulk of_com[] = {SAL_BULK_COM, SAL_BULK_LINVEL, SAL_BULK_LINACC};
    want_bulks(list, f, of_com[f->order]);
}

void prb_com_write(prb_writer *w)
{
    prb_write_outputs(w, 3);
}

/* The mass of the mechanism times 1 m/s, or 1 m^2/s */
double prb_mass_unit(const sal_model *m, const prb_feature *f)
{
    (void)f;
    return fmax(sal_bulk_mass(m, 0), 1e-6);
}

void prb_momentum_want(prb_wanted *list, const prb_feature *f)
{
    want_bulks(list, f, SAL_BULK_LINVEL);
}

/* m c' */
void prb_momentum_write(prb_writer *w)
{
    const prb_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        const double mass = sal_bulk_mass(w->tr->p->model, f->object[k]);
        for (int i = w->own[k]; i < w->own[k] + 3; i++) {
            prb_row_put(w, i, mass);
            prb_row_end(w, mass * w->y[i]);
        }
    }
}

void prb_angmomentum_want(prb_wanted *list, const prb_feature *f)
{
    want_bulks(list, f, SAL_BULK_ANGMOM);
}

void prb_angmomentum_write(prb_writer *w)
{
    prb_write_outputs(w, 3);
}

/* ---- energy ---- */

/* Potential and kinetic; where only one counts, twice that. */
void prb_energy_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        for (int i = 0; i < 2; i++) {
            const int which = f->object[k] < 2 ? f->object[k] : i;
            prb_want(list, (sal_output){.kind = SAL_OUT_ENERGY, .id = which});
        }
    }
}

/* T, U, or T + U */
void prb_energy_write(prb_writer *w)
{
    const prb_feature *f = w->feature;
    for (int k = 0; k < f->nobject; k++) {
        const int one = w->own[2 * k], other = w->own[2 * k + 1];
        prb_row_put(w, one, 1);
        if (other != one) {
            prb_row_put(w, other, 1);
        }
        prb_row_end(w, w->y[one] + (other != one ? w->y[other] : 0));
    }
}

/* ---- orientation ---- */

void prb_orientation_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want(list, (sal_output){.kind = SAL_OUT_QUAT, .id = f->object[k]});
    }
}

/* r = log(p),  p = target* q = (w, v):   r = 2 atan2(|v|, w) v/|v|, of p and -p the
 * shorter. Along the sphere
 *
 *     dr/dv = k 1 + (k' / |v|) v v',   k = 2 atan2(|v|, w)/|v|,  k' = (2 w - k) / |v|
 *     dr/dw = -2 v                                                                  (|p| = 1)
 *
 * and for |v| -> 0, w -> 1: dr/dv = 2. */
static void log_deriv(const double p[4], double r[3], double D[12])
{
    const double sign = p[0] < 0 ? -1 : 1, w = sign * p[0];
    double v[3];
    sal_v3_scale(v, p + 1, sign);
    const double s = sal_v3_norm(v), k = s < 1e-8 ? 2 : 2 * atan2(s, w) / s,
                 bend = s < 1e-8 ? 0 : (2 * w - k) / (s * s);
    sal_v3_scale(r, v, k);
    for (int i = 0; i < 3; i++) {
        D[4 * i] = -2 * v[i] * sign;
        for (int j = 0; j < 3; j++) {
            D[4 * i + 1 + j] = sign * ((i == j ? k : 0) + bend * v[i] * v[j]);
        }
    }
}

/* Of a recorded target R Q, R of prb_level: dp/d(slope) = (dR Q)* q */
static void put_level(prb_writer *w, const double recorded[4], const double q[4], const double D[4])
{
    for (int k = 0; k < 2; k++) {
        double target[4], back[4], dp[4];
        sal_quat_mul(target, w->tr->level.quat_deriv[k], recorded);
        sal_quat_conj(back, target);
        sal_quat_mul(dp, back, q);
        prb_row_put_floor(w, PRB_GLOBAL_SLOPE + k,
                          D[0] * dp[0] + D[1] * dp[1] + D[2] * dp[2] + D[3] * dp[3]);
    }
}

/* The rotation vector of each body from its target; dp = target* dq */
void prb_orientation_write(prb_writer *w)
{
    static const double home[4] = {1, 0, 0, 0};
    const prb_feature *f = w->feature;
    const int step = f->tabulated ? w->t * f->nobject : 0;
    for (int k = 0; k < f->nobject; k++) {
        const double *given = f->reference == NULL ? home : f->reference + 4 * (step + k);
        double target[4], back[4], p[4], r[3], D[12], column[4][4];
        sal_quat_copy(target, given);
        if (f->turned) {
            sal_quat_mul(target, w->tr->level.quat, given);
        }
        sal_quat_conj(back, target);
        sal_quat_mul(p, back, w->y + w->own[k]);
        log_deriv(p, r, D);
        for (int c = 0; c < 4; c++) {
            const double e[4] = {c == 0, c == 1, c == 2, c == 3};
            sal_quat_mul(column[c], back, e);
        }
        for (int i = 0; i < 3; i++) {
            for (int c = 0; c < 4; c++) {
                double sum = 0;
                for (int j = 0; j < 4; j++) {
                    sum += D[4 * i + j] * column[c][j];
                }
                prb_row_put(w, w->own[k] + c, sum);
            }
            if (f->turned) {
                put_level(w, given, w->y + w->own[k], D + 4 * i);
            }
            prb_row_end(w, r[i]);
        }
    }
}
