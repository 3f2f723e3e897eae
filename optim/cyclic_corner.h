/* cyclic_corner.h: the cyclic corner of the Hessian. Each time step meets its neighbours, so the
 * Hessian is a band of blocks; the last steps of a cycle meet the first ones, too, which makes
 * blocks in the corner far from the diagonal:
 *
 *     x x . . x        the nodes (blocks of variables, banded_pattern.h) of the corner are the last
 *     x x x . .        ones of the row: those that meet nodes more than half of the row before them
 *     . x x x .
 *     . . x x x        They are eliminated after all others but the border, so that the rest is a
 *     x . . x x        band that fills in nowhere else.
 *
 * Private to banded.c and banded_pattern.c.
 */
#ifndef SAL_OPTIM_CYCLIC_CORNER_H
#define SAL_OPTIM_CYCLIC_CORNER_H

/* Which later nodes each node meets: those of node k are up[up_at[k]] .. up[up_at[k+1] - 1] */
typedef struct opt_meeting {
    int nnode;
    const int *up_at;
    const int *up;
} opt_meeting;

/* How far nodes of the row meet outside the corner; *corner is where in the row the corner's nodes
 * begin, or n, its length, if it has none. place [nnode]: where in the row a node is; -1: in the
 * border. */
int opt_cyclic_corner_find(int *corner, const int *place, int n, const opt_meeting *meeting);

/* A row of U right of its own node: what a step far from the corner knows of it fades from step to
 * step, and becomes zero where it is as good as zero. */
void opt_cyclic_corner_fade(double *row, int n);

#endif
