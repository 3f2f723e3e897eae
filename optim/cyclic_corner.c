#include "optim/cyclic_corner.h"

#include "optim/kernel.h"

int opt_cyclic_corner_find(int *corner, const int *place, int n, const opt_meeting *meeting)
{
    int band = 0;
    *corner = n;
    for (int k = 0; k < meeting->nnode; k++) {
        for (int e = meeting->up_at[k]; e < meeting->up_at[k + 1]; e++) {
            const int i = place[k], j = place[meeting->up[e]];
            if (i < 0 || j < 0) {
                continue;
            }
            if (2 * (j - i) > n) {
                *corner = j < *corner ? j : *corner;
            } else {
                band = j - i > band ? j - i : band;
            }
        }
    }
    return band;
}

/* Products of smaller numbers are too small for normal arithmetic, which is a hundred times
 * faster. */
static const double FELT_LEAST = 1e-150;

void opt_cyclic_corner_fade(double *row, int n)
{
    opt_kernel_flush(row, n, FELT_LEAST);
}
