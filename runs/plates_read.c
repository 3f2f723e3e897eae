/* plates_read.c: what force plates measured, from a file.
 *
 * The axis along which the mean force is largest is up. With y up (x, y, z) becomes (x, -z, y).
 * A force may stand anywhere in a plate with the moment about that point: at an instant it is moved
 * along the surface to the centre of pressure, where only the free moment is left,
 *
 *     x' = x + (-M_y, M_x, 0)/F_z
 */
#include "runs/plates.h"

#include <math.h>
#include <string.h>

static const double *row_of(const run_plates *p, int row)
{
    return p->s.value + (size_t)row * (size_t)p->s.ncol;
}

/* SI units that one of a column is; 0: unknown. Files of plates that give none are in SI, and those
 * in degrees mean angles. */
static double unit_of(const run_plates *p, int column)
{
    const char *unit = p->s.column[column].unit;
    char of = 0;
    const double si = sig_unit(unit, &of);
    return unit[0] == 0 || of == 'A' || of == 'W' ? 1 : si;
}

/* Three numbers from column k on, z up; zeros where there is no such column, or no number. */
static void vector(const run_plates *p, int row, int k, double v[3])
{
    sal_v3_set(v, 0, 0, 0);
    if (k >= 0) {
        const double *x = row_of(p, row) + k, unit = unit_of(p, k);
        if (p->up == 'y') {
            sal_v3_set(v, unit * x[0], unit * -x[2], unit * x[1]);
        } else {
            sal_v3_set(v, unit * x[0], unit * x[1], unit * x[2]);
        }
    }
    if (!isfinite(v[0] + v[1] + v[2])) {
        sal_v3_set(v, 0, 0, 0);
    }
}

/* ---- the file ---- */

/* The first column whose unit is unknown, or -1. */
static int column_of_unknown_unit(const run_plates *p)
{
    for (int i = 0; i < p->n; i++) {
        const int first[3] = {p->plate[i].force, p->plate[i].point, p->plate[i].torque};
        for (int k = 0; k < 9; k++) {
            const int column = first[k / 3] + k % 3;
            if (first[k / 3] >= 0 && !(unit_of(p, column) > 0)) {
                return column;
            }
        }
    }
    return -1;
}

static sal_status check(run_plates *p, const char *path, sal_err *err)
{
    if (p->n == 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' has no force plates: columns NAME_vx NAME_vy NAME_vz NAME_px "
                        "NAME_py NAME_pz with \"force\" in their names are expected",
                        path);
    }
    if (p->s.time < 0 && !(p->s.rate > 0)) {
        return sal_fail(err, SAL_BADINPUT, "'%.200s' has no column of the time and no rate", path);
    }
    for (int i = 0; i < p->n; i++) {
        if (p->plate[i].point < 0) {
            return sal_fail(err, SAL_BADINPUT,
                            "'%.200s' does not say where the force '%.80s' acts: columns NAME_px "
                            "NAME_py NAME_pz are expected",
                            path, p->s.column[p->plate[i].force].name);
        }
    }
    const int strange = column_of_unknown_unit(p);
    return strange < 0 ? SAL_OK
                       : sal_fail(err, SAL_BADINPUT,
                                  "'%.200s': '%.16s' is not a known unit (column '%.80s'); force "
                                  "plates are in N or kN, m, cm, mm or in, and Nm, Ncm or Nmm",
                                  path, p->s.column[strange].unit, p->s.column[strange].name);
}

static sal_status find_up(run_plates *p, const char *path, sal_err *err)
{
    double mean[3] = {0};
    p->up = 'z';
    for (int row = 0; row < p->s.nrow; row++) {
        for (int i = 0; i < p->n; i++) {
            double f[3];
            vector(p, row, p->plate[i].force, f);
            sal_v3_addscaled(mean, mean, 1. / p->s.nrow, f);
        }
    }
    const int axis = fabs(mean[1]) > fabs(mean[2]) ? 1 : 2;
    p->up = axis == 1 ? 'y' : 'z';
    return mean[axis] > 0 && mean[axis] > fabs(mean[0])
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "the mean force of the plates in '%.200s' is (%.3g, %.3g, %.3g) N; the "
                          "force on the feet is expected, with y or z up. Is it the force on the "
                          "plates?",
                          path, mean[0], mean[1], mean[2]);
}

sal_status run_plates_read(run_plates *p, const char *path, sal_text *notes, sal_diag *diag,
                           sal_err *err)
{
    *p = (run_plates){.metre = 1, .newton_metre = 1};
    sal_status status = sig_read_plates(&p->s, path, diag, err);
    if (status != SAL_OK) {
        return status;
    }
    const int n = sig_find_plates(&p->s, p->plate, RUN_PLATES_MOST);
    if (n > RUN_PLATES_MOST) {
        return sal_fail(err, SAL_BADINPUT, "'%.200s' has %d force plates; at most %d are allowed",
                        path, n, RUN_PLATES_MOST);
    }
    p->n = n;
    status = check(p, path, err);
    status = status == SAL_OK ? find_up(p, path, err) : status;
    if (status == SAL_OK && strcmp(p->s.format, "c3d") == 0) {
        sal_text_add(notes, p->s.remark.data);
        status = run_plates_rest(p, notes, err);
    }
    return status;
}

void run_plates_clear(run_plates *p)
{
    sig_clear(&p->s);
}

/* ---- an instant ---- */

/* Force, and moment about the origin, of a row, added with a weight; the point weighted by the
 * vertical force. */
static void add_row(const run_plates *p, int plate, int row, double weight, run_wrench *w)
{
    const sig_plate *at = p->plate + plate;
    double f[3], x[3], m[3], arm[3];
    vector(p, row, at->force, f);
    vector(p, row, at->point, x);
    vector(p, row, at->torque, m);
    sal_v3_scale(x, x, p->metre);
    sal_v3_scale(m, m, p->newton_metre);
    sal_v3_cross(arm, x, f);
    sal_v3_add(m, m, arm);
    sal_v3_addscaled(w->force, w->force, weight, f);
    sal_v3_addscaled(w->torque, w->torque, weight, m);
    sal_v3_addscaled(w->point, w->point, weight * f[2], x);
}

double run_plates_vertical(const run_plates *p, int plate, int row)
{
    const int k = p->plate[plate].force;
    return unit_of(p, k) * row_of(p, row)[k + (p->up == 'y' ? 1 : 2)];
}

void run_plates_point(const run_plates *p, int plate, int row, double x[3])
{
    vector(p, row, p->plate[plate].point, x);
}

/* The first row later than t; nrow: none. */
static int row_after(const run_plates *p, double t)
{
    int low = 0, high = p->s.nrow;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sig_time(&p->s, p->s.rate, middle) > t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* From the moment about the origin, and the point times the vertical force, to the centre of
 * pressure and the moment about it. */
static void to_pressure(run_wrench *w)
{
    const double share = w->force[2] > 0 ? 1 / w->force[2] : 0;
    double arm[3], m[3];
    sal_v3_scale(w->point, w->point, share);
    sal_v3_cross(arm, w->point, w->force);
    sal_v3_sub(m, w->torque, arm);
    w->point[0] -= share * m[1];
    w->point[1] += share * m[0];
    sal_v3_cross(arm, w->point, w->force);
    sal_v3_sub(w->torque, w->torque, arm);
}

bool run_plates_at(const run_plates *p, int plate, double t, double span, run_wrench *w)
{
    const double slack = 1e-6 * span;
    const int first = row_after(p, t - span / 2 + slack), end = row_after(p, t + span / 2 - slack);
    *w = (run_wrench){.point = {0}};
    for (int row = first; row < end; row++) {
        add_row(p, plate, row, 1. / (end - first), w);
    }
    if (first >= end) {
        if (first == 0 || first >= p->s.nrow) {
            return false;
        }
        const double a = sig_time(&p->s, p->s.rate, first - 1),
                     share = (t - a) / (sig_time(&p->s, p->s.rate, first) - a);
        add_row(p, plate, first - 1, 1 - share, w);
        add_row(p, plate, first, share, w);
    }
    to_pressure(w);
    return true;
}
