/* constraint_jac.c: products with the sparse constraint Jacobian. */
#include "physics/constraint.h"

#include <string.h>

void sal_mul_jac(const sal_data *d, double *r, const double *x)
{
    for (int i = 0; i < d->nefc; i++) {
        const int adr = d->efc_J_rowadr[i], n = d->efc_J_rownnz[i];
        const int *column = d->efc_J_colind + adr;
        const double *entry = d->efc_J + adr;
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += entry[k] * x[column[k]];
        }
        r[i] = sum;
    }
}

void sal_mul_jac_t(const sal_model *m, const sal_data *d, double *r, const double *f)
{
    memset(r, 0, (size_t)m->nv * sizeof(double));
    for (int i = 0; i < d->nefc; i++) {
        const int adr = d->efc_J_rowadr[i], n = f[i] != 0 ? d->efc_J_rownnz[i] : 0;
        const int *column = d->efc_J_colind + adr;
        const double *entry = d->efc_J + adr;
        for (int k = 0; k < n; k++) {
            r[column[k]] += entry[k] * f[i];
        }
    }
}
