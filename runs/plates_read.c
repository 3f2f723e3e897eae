/* plates_read.c: what force plates measured, from a file.
 *
 * The axis along which the mean force is largest is up.
 */
#include "runs/plates.h"

#include <math.h>
#include <string.h>

/* Files of plates that give no unit are in SI, and those in degrees mean angles. */
double run_plates_unit(const run_plates *p, int column)
{
    const char *unit = p->s.column[column].unit;
    char of = 0;
    const double si = sig_unit(unit, &of);
    return unit[0] == 0 || of == 'A' || of == 'W' ? 1 : si;
}

/* ---- the file ---- */

/* The first column whose unit is unknown, or -1. */
static int column_of_unknown_unit(const run_plates *p)
{
    for (int i = 0; i < p->n; i++) {
        const int first[3] = {p->plate[i].force, p->plate[i].point, p->plate[i].torque};
        for (int k = 0; k < 9; k++) {
            const int column = first[k / 3] + k % 3;
            if (first[k / 3] >= 0 && !(run_plates_unit(p, column) > 0)) {
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
            run_plates_force(p, i, row, f);
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
    return status == SAL_OK ? run_plates_measure(p, err) : status;
}

void run_plates_clear(run_plates *p)
{
    sig_clear(&p->s);
}
