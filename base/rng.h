/* rng.h: random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014). */
#ifndef SAL_BASE_RNG_H
#define SAL_BASE_RNG_H

#include <math.h>
#include <stdint.h>

typedef struct sal_rng {
    uint64_t state;
} sal_rng;

static inline uint64_t sal_rng_next(sal_rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Uniform in [lo, hi): 53 random bits. */
static inline double sal_rng_uniform(sal_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(sal_rng_next(rng) >> 11) * 0x1p-53);
}

/* Normal, of mean 0 and variance 1: Box, Muller, "A note on the generation of random normal
 * deviates", Ann. Math. Statist. 29 (1958). */
static inline double sal_rng_normal(sal_rng *rng)
{
    const double u = 1 - sal_rng_uniform(rng, 0, 1), v = sal_rng_uniform(rng, 0, 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

#endif
