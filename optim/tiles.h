/* tiles.h: what the two dense kernels share, kernel.c (rows anywhere) and joint_kernel.c (rows one
 * after the other): lanes of numbers, and the rows of a product four at a time. */
#ifndef SAL_OPTIM_TILES_H
#define SAL_OPTIM_TILES_H

#include "base/house.h"

#define OPT_WIDEST SAL_CLONES("avx512f", "avx2")

typedef double opt_lane8 __attribute__((vector_size(64)));
typedef double opt_lane4 __attribute__((vector_size(32)));

/* rows of C at a time */
enum { OPT_TILE = 4 };

/* strip(C, ldc, p, i, n) for all p->ni rows of C, n at a time from row i on; n is a constant in
 * each call, so that the compiler keeps a tile in registers. */
#define OPT_EACH_STRIP(strip, C, ldc, p)                                                           \
    do {                                                                                           \
        int row_ = 0;                                                                              \
        for (; row_ + OPT_TILE <= (p)->ni; row_ += OPT_TILE) {                                     \
            strip(C, ldc, p, row_, OPT_TILE);                                                      \
        }                                                                                          \
        switch ((p)->ni - row_) {                                                                  \
        case 3:                                                                                    \
            strip(C, ldc, p, row_, 3);                                                             \
            break;                                                                                 \
        case 2:                                                                                    \
            strip(C, ldc, p, row_, 2);                                                             \
            break;                                                                                 \
        case 1:                                                                                    \
            strip(C, ldc, p, row_, 1);                                                             \
            break;                                                                                 \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

#endif
