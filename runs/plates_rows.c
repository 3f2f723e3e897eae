/* plates_rows.c: what force plates measured at an instant.
 *
 * With y up (x, y, z) becomes (x, -z, y). A force may stand anywhere in a plate with the moment
 * about that point: at an instant it is moved along the surface to the centre of pressure, where
 * only the free moment is left,
 *
 *     x' = x + (-M_y, M_x, 0)/F_z
 *
 * A row is known where force, point and moment are numbers. A plate that bears nothing has no
 * centre of pressure (0/0), and in some files no force: between faint rows a plate is unloaded.
 * Elsewhere what lacks for longer than between two rows is not known.
 */
#include "base/house.h"
#include "runs/plates.h"

#include <math.h>

static const double FAINT = .02;   /* of the largest force of all plates */
static const double BRIDGED = .02; /* s: between known rows */

static const double *row_of(const run_plates *p, int row)
{
    return p->s.value + (size_t)row * (size_t)p->s.ncol;
}

/* Three numbers from column k on, z up; zeros where there is no such column. */
static void vector(const run_plates *p, int row, int k, double v[3])
{
    sal_v3_set(v, 0, 0, 0);
    if (k >= 0) {
        const double *x = row_of(p, row) + k, unit = run_plates_unit(p, k);
        if (p->up == 'y') {
            sal_v3_set(v, unit * x[0], unit * -x[2], unit * x[1]);
        } else {
            sal_v3_set(v, unit * x[0], unit * x[1], unit * x[2]);
        }
    }
}

static bool is_number(const double v[3])
{
    return isfinite(v[0] + v[1] + v[2]);
}

void run_plates_force(const run_plates *p, int plate, int row, double f[3])
{
    vector(p, row, p->plate[plate].force, f);
    if (!is_number(f)) {
        sal_v3_set(f, 0, 0, 0);
    }
}

double run_plates_vertical(const run_plates *p, int plate, int row)
{
    double f[3];
    vector(p, row, p->plate[plate].force, f);
    return f[2];
}

void run_plates_point(const run_plates *p, int plate, int row, double x[3])
{
    vector(p, row, p->plate[plate].point, x);
    if (!is_number(x)) {
        sal_v3_set(x, 0, 0, 0);
    }
}

sal_status run_plates_measure(run_plates *p, sal_err *err)
{
    const int n = p->s.nrow;
    double *step = sal_alloc((size_t)n, sizeof *step);
    if (step == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d rows", n);
    }
    for (int row = 1; row < n; row++) {
        step[row - 1] = sig_time(&p->s, p->s.rate, row) - sig_time(&p->s, p->s.rate, row - 1);
    }
    sal_sort(step, n - 1);
    p->bridged = fmax(BRIDGED, n > 1 ? 2 * step[(n - 1) / 2] : 0);
    sal_free(step);
    for (int row = 0; row < n; row++) {
        for (int i = 0; i < p->n; i++) {
            const double f = run_plates_vertical(p, i, row);
            p->faint = f * FAINT > p->faint ? f * FAINT : p->faint;
        }
    }
    return SAL_OK;
}

/* ---- rows ---- */

static bool is_faint(const run_plates *p, int plate, int row)
{
    return run_plates_vertical(p, plate, row) <= p->faint;
}

static bool is_known(const run_plates *p, int plate, int row)
{
    const sig_plate *at = p->plate + plate;
    double f[3], x[3], m[3];
    vector(p, row, at->force, f);
    vector(p, row, at->point, x);
    vector(p, row, at->torque, m);
    return is_number(f) && ((is_number(x) && is_number(m)) || is_faint(p, plate, row));
}

/* Force, and moment about the origin, of a row, added with a weight; the point weighted by the
 * vertical force. A faint force without a point is none. */
static void add_row(const run_plates *p, int plate, int row, double weight, run_wrench *w)
{
    const sig_plate *at = p->plate + plate;
    double f[3], x[3], m[3], arm[3];
    vector(p, row, at->force, f);
    vector(p, row, at->point, x);
    vector(p, row, at->torque, m);
    if (!is_number(x) || !is_number(m)) {
        return;
    }
    sal_v3_scale(x, x, p->metre);
    sal_v3_scale(m, m, p->newton_metre);
    sal_v3_cross(arm, x, f);
    sal_v3_add(m, m, arm);
    sal_v3_addscaled(w->force, w->force, weight, f);
    sal_v3_addscaled(w->torque, w->torque, weight, m);
    sal_v3_addscaled(w->point, w->point, weight * f[2], x);
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

/* ---- instants ---- */

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

/* The mean of the known rows from `first` to before `end`; how many these are. */
static int mean(const run_plates *p, int plate, int first, int end, run_wrench *w)
{
    int n = 0;
    for (int row = first; row < end; row++) {
        n += is_known(p, plate, row);
    }
    for (int row = first; row < end; row++) {
        if (is_known(p, plate, row)) {
            add_row(p, plate, row, 1. / n, w);
        }
    }
    return n;
}

/* Between the known rows on both sides of t, the rows before `after` and from it on. */
static bool between(const run_plates *p, int plate, double t, int after, run_wrench *w)
{
    int a = after - 1, b = after;
    while (a >= 0 && !is_known(p, plate, a)) {
        a--;
    }
    while (b < p->s.nrow && !is_known(p, plate, b)) {
        b++;
    }
    if ((a < 0 || is_faint(p, plate, a)) && (b == p->s.nrow || is_faint(p, plate, b))) {
        return true;
    }
    if (a < 0 || b == p->s.nrow) {
        return false;
    }
    const double from = sig_time(&p->s, p->s.rate, a), to = sig_time(&p->s, p->s.rate, b),
                 share = (t - from) / (to - from);
    if (to - from > p->bridged * (1 + 1e-6)) {
        return false;
    }
    add_row(p, plate, a, 1 - share, w);
    add_row(p, plate, b, share, w);
    return true;
}

/* The rows from t - span/2 to t + span/2: from `first` to before `end`. */
static int find_rows(const run_plates *p, double t, double span, int *end)
{
    const double slack = 1e-6 * span;
    *end = row_after(p, t + span / 2 - slack);
    return row_after(p, t - span / 2 + slack);
}

bool run_plates_at(const run_plates *p, int plate, double t, double span, run_wrench *w)
{
    int end;
    const int first = find_rows(p, t, span, &end);
    *w = (run_wrench){.point = {0}};
    if (mean(p, plate, first, end, w) == 0 &&
        (!run_plates_cover(p, t, span) || !between(p, plate, t, row_after(p, t), w))) {
        return false;
    }
    to_pressure(w);
    return true;
}

bool run_plates_cover(const run_plates *p, double t, double span)
{
    int end;
    const int first = find_rows(p, t, span, &end);
    return first < end || (first > 0 && first < p->s.nrow);
}
