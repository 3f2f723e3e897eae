/* kernel.h: the one dense product that assembly and factorisation are made of.
 *
 * Each entry is a sum over the rows in their order, on every processor: the width of its registers changes the time, not the bits.
 */
#ifndef SAL_KERNEL_H
#define SAL_KERNEL_H

/* C += sign sum_k row_k[i0 ..]' row_k[j0 ..]:  an ni x nj part of a sum of outer products, C by rows, ldc apart */
typedef struct sal_outer {
    const double *const *row; /* [nrow] */
    int nrow;
    double sign;
    int i0, ni, j0, nj;
} sal_outer;

void sal_outer_add(double *C, int ldc, const sal_outer *p);

/* The dot product of two vectors, as eight partial sums. */
double sal_kernel_dot(const double *a, const double *b, int n);
/* y += s x */
void sal_kernel_add(double *restrict y, double s, const double *restrict x, int n);

#endif
