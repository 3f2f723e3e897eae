/* plates_rest.c: what force plates of a C3D file read while nothing stands on them.
 *
 * Amplifiers drift, and recordings begin with an offset. Where a plate is unloaded for a while it
 * is seen: the vertical force is small beside that of the steps, and hardly changes. The median of
 * such stretches is the plate's zero; the mean force and moment of those near it are taken off all
 * rows. A plate that is loaded throughout has no zero, and is left as it is. So are tables: nobody
 * knows with which offset their centres of pressure were computed.
 */
#include "runs/plates.h"

#include <math.h>
#include <string.h>

static const double STRETCH = .1; /* s */
static const double SMALL = .05; /* of the largest force of all plates: mean, and change, at rest */
static const double NEAR = .01;  /* of it, from the median */
static const double SAID = .1;   /* N */

static double *row_of(run_plates *p, int row)
{
    return p->s.value + (size_t)row * (size_t)p->s.ncol;
}

/* Column of the vertical force */
static int vertical(const run_plates *p, int plate)
{
    return p->plate[plate].force + (p->up == 'y' ? 1 : 2);
}

static double largest(run_plates *p)
{
    double most = 0;
    for (int row = 0; row < p->s.nrow; row++) {
        for (int i = 0; i < p->n; i++) {
            most = fmax(most, row_of(p, row)[vertical(p, i)]);
        }
    }
    return most;
}

/* Mean of a column over a stretch, and how far it changes. */
static double mean_of(run_plates *p, int column, int first, int n, double *change)
{
    double sum = 0, least = (double)INFINITY, most = -(double)INFINITY;
    for (int row = first; row < first + n; row++) {
        const double x = row_of(p, row)[column];
        sum += x;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    *change = most - least;
    return sum / n;
}

/* The zero of a plate from stretches of n rows; how many rows it is of, 0: it is never at rest. */
static int find_rest(run_plates *p, int plate, double peak, int n, double *mean, double zero[6])
{
    const int column = vertical(p, plate), force = p->plate[plate].force,
              torque = p->plate[plate].torque, nstretch = p->s.nrow / n;
    int nquiet = 0, count = 0;
    double change;
    for (int k = 0; k < nstretch; k++) {
        const double x = mean_of(p, column, k * n, n, &change);
        if (fabs(x) < SMALL * peak && change < SMALL * peak) {
            mean[nquiet++] = x;
        }
    }
    if (nquiet == 0) {
        return 0;
    }
    sal_sort(mean, nquiet);
    memset(zero, 0, 6 * sizeof *zero);
    for (int k = 0; k < nstretch; k++) {
        const double x = mean_of(p, column, k * n, n, &change);
        if (change < SMALL * peak && fabs(x - mean[nquiet / 2]) <= NEAR * peak) {
            for (int i = 0; i < 6; i++) {
                zero[i] += mean_of(p, i < 3 ? force + i : torque + i - 3, k * n, n, &change);
            }
            count++;
        }
    }
    for (int i = 0; i < 6; i++) {
        zero[i] /= count;
    }
    return count * n;
}

static void take_off(run_plates *p, int plate, const double zero[6])
{
    for (int row = 0; row < p->s.nrow; row++) {
        double *force = row_of(p, row) + p->plate[plate].force,
               *torque = row_of(p, row) + p->plate[plate].torque;
        sal_v3_sub(force, force, zero);
        sal_v3_sub(torque, torque, zero + 3);
    }
}

sal_status run_plates_rest(run_plates *p, sal_text *notes, sal_err *err)
{
    const double peak = largest(p);
    const int n = (int)fmax(2, STRETCH * p->s.rate);
    double *mean = sal_alloc((size_t)p->s.nrow + 1, sizeof *mean), zero[6];
    if (mean == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d rows", p->s.nrow);
    }
    for (int i = 0; i < p->n; i++) {
        const int count = find_rest(p, i, peak, n, mean, zero);
        if (count == 0) {
            continue;
        }
        take_off(p, i, zero);
        if (sal_v3_norm(zero) > SAID) {
            const char *name = p->s.column[p->plate[i].force].name;
            sal_text_format(notes,
                            "plate '%.*s': reads %.3g N, upward %.3g N, for %.3g s at rest; this "
                            "is taken off\n",
                            (int)strlen(name) - 3, name, sal_v3_norm(zero),
                            zero[p->up == 'y' ? 1 : 2], count / p->s.rate);
        }
    }
    sal_free(mean);
    return SAL_OK;
}
