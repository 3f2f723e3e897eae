/* constraint_exact.c: rows regularised by their own A = J M^-1 J' at this configuration (option
 * diagexact) instead of what qpos0 says about their bodies. R is proportional to A, at least 1e-15;
 * rows of one contact keep their proportions to the first, also below 1e-15. */
#include "physics/constraint_row.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

/* J M^-1 J' of a row; x [nv] scratch */
static double diagonal(const sal_model *m, const sal_data *d, int row, double *x)
{
    const double *J = d->efc_J + d->efc_J_rowadr[row];
    const int *column = d->efc_J_colind + d->efc_J_rowadr[row];
    double sum = 0;
    memset(x, 0, (size_t)m->nv * sizeof *x);
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        x[column[k]] = J[k];
    }
    sal_solve_m(m, d, x);
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        sum += J[k] * x[column[k]];
    }
    return sum;
}

static void set_regulariser(sal_data *d, int row, double r)
{
    const double impedance = d->efc_KBIP[4 * row + 2];
    d->efc_R[row] = r;
    d->efc_D[row] = 1 / d->efc_R[row];
    d->efc_diagApprox[row] = d->efc_R[row] * impedance / (1 - impedance);
}

/* The rows of the contact that begins at `row`, from the A of that row; of a pyramid all R are 2
 * mu^2 max(1e-15, A (1 - d)/d). Returns how many. */
static int contact_rows(sal_data *d, int row, double A)
{
    const sal_contact *con = d->contact + d->efc_id[row];
    const bool pyramid = d->efc_type[row] == SAL_EFC_CONTACT_PYRAMIDAL;
    const int n = pyramid ? 2 * (con->dim - 1) : con->dim;
    const double unit = pyramid ? 2 * con->mu * con->mu : 1;
    const double impedance = d->efc_KBIP[4 * row + 2];
    const double scale = unit * phy_row_regulariser(A, impedance) / d->efc_R[row];
    for (int k = row; k < row + n; k++) {
        set_regulariser(d, k, d->efc_R[k] * scale);
    }
    return n;
}

/* x [nv] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv, sizeof(double));
}

void phy_exact_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take(m, arena);
    arena->used = mark;
}

void phy_exact_diagonal(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    double *x = take(m, &d->arena);
    if (x == NULL) {
        return;
    }
    if (!d->factored) {
        sal_factor(m, d);
    }
    for (int row = 0; row < d->nefc;) {
        const double A = diagonal(m, d, row, x);
        if (d->efc_type[row] >= SAL_EFC_CONTACT_FRICTIONLESS) {
            row += contact_rows(d, row, A);
        } else {
            const double impedance = d->efc_KBIP[4 * row + 2];
            set_regulariser(d, row, phy_row_regulariser(A, impedance));
            row++;
        }
    }
    d->arena.used = mark;
}
