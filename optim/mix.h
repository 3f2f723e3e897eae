/* mix.h: the matrices that are factorised: sums of two of one pattern and of the identity. Private
 * to optim. */
#ifndef SAL_OPTIM_MIX_H
#define SAL_OPTIM_MIX_H

/* a X + b Y + shift I, values in the order of the pattern; a matrix whose coefficient is 0 is not
 * looked at. */
typedef struct opt_mix {
    const double *X;
    const double *Y;
    double a;
    double b;
    double shift;
} opt_mix;

/* Entry k of a X + b Y */
static inline double opt_mix_entry(const opt_mix *mix, int k)
{
    return (mix->a != 0 ? mix->a * mix->X[k] : 0) + (mix->b != 0 ? mix->b * mix->Y[k] : 0);
}

#endif
