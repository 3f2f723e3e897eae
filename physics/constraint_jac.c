/* constraint_jac.c: products with the sparse constraint Jacobian. */
#include "physics/constraint.h"

#include <string.h>

/* The rows of one contact have the same columns, so that three of them go at once: */
enum { TOGETHER = 3 };

static inline bool three_alike(const sal_data *d, int i, int rows)
{
    return d->efc_type[i] >= SAL_EFC_CONTACT_FRICTIONLESS && i + TOGETHER <= rows &&
           d->efc_id[i] == d->efc_id[i + TOGETHER - 1];
}

void phy_mul_jac(const sal_data *d, double *restrict r, const double *restrict x, int rows)
{
    for (int i = 0; i < rows;) {
        const int adr = d->efc_J_rowadr[i], n = d->efc_J_rownnz[i];
        const int *column = d->efc_J_colind + adr;
        const double *e0 = d->efc_J + adr, *e1 = e0 + n, *e2 = e1 + n;
        double sum[TOGETHER] = {0};
        if (!three_alike(d, i, rows)) {
            for (int k = 0; k < n; k++) {
                sum[0] += e0[k] * x[column[k]];
            }
            r[i++] = sum[0];
            continue;
        }
        for (int k = 0; k < n; k++) {
            const double xk = x[column[k]];
            sum[0] += e0[k] * xk, sum[1] += e1[k] * xk, sum[2] += e2[k] * xk;
        }
        r[i] = sum[0], r[i + 1] = sum[1], r[i + 2] = sum[2];
        i += TOGETHER;
    }
}

void phy_mul_jac_t(const sal_model *m, const sal_data *d, double *restrict r,
                   const double *restrict f)
{
    memset(r, 0, (size_t)m->nv * sizeof(double));
    for (int i = 0; i < d->nefc;) {
        const int adr = d->efc_J_rowadr[i], n = d->efc_J_rownnz[i];
        const int *column = d->efc_J_colind + adr;
        const double *e0 = d->efc_J + adr, *e1 = e0 + n, *e2 = e1 + n;
        const bool three = three_alike(d, i, d->nefc);
        if (!three && f[i] != 0) {
            for (int k = 0; k < n; k++) {
                r[column[k]] += e0[k] * f[i];
            }
        }
        if (three && (f[i] != 0 || f[i + 1] != 0 || f[i + 2] != 0)) {
            for (int k = 0; k < n; k++) {
                r[column[k]] += e0[k] * f[i] + e1[k] * f[i + 1] + e2[k] * f[i + 2];
            }
        }
        i += three ? TOGETHER : 1;
    }
}
