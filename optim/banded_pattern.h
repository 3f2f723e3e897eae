/* banded_pattern.h: what the analysis of banded.c's pattern finds. Private to banded.c and
 * banded_pattern.c.
 *
 * Successive variables that meet the same others form a node: the variables of one time step, say.
 * Nodes are eliminated one after the other, in positions 0 .. nnode-1: the first half of the steps
 * upwards, the second half downwards, then what lies between the two halves, the cyclic corner
 * (cyclic_corner.h), and the border of those that meet many. The halves do not meet, so that two
 * threads can eliminate one each. Where the pattern has no two such halves all nodes are in the
 * first, in their order.
 */
#ifndef SAL_OPTIM_BANDED_PATTERN_H
#define SAL_OPTIM_BANDED_PATTERN_H

#include "base/base.h"

#include <stdbool.h>

/* n successive numbers that go from one place to another */
typedef struct opt_run {
    int from;
    int to;
    int n;
} opt_run;

/* A part of H in the panel of a node with `size` variables, for each of its rows i:
 *     n successive entries of column first+i of H, `from` behind the node's own; they go to column
 *         `to` of the panel
 * across: of columns column .. column+n-1, of another node, the entry number i from `from` on
 * behind that node's own */
typedef struct opt_fill {
    /* -1: not across */
    int column;
    int from;
    int to;
    int n;
} opt_fill;

enum { OPT_HALVES = 2, OPT_PARTS = 3 };

typedef struct opt_banded_pattern {
    int n;
    int nnode;
    /* positions where a half, and what is between them, begin */
    int part[OPT_PARTS + 1];
    /* variables of a node; columns of a panel */
    int most, widest;
    /* [nnode] by position: a node's first variable and their number */
    int *first, *size;
    /* [nnode+1] later positions that each meets in U, increasing */
    int *below_at, *below;
    /* [nnode] columns of a panel, own ones first, and from row to row */
    int *width, *ld;
    /* [nnode+1] where a panel begins: the first half's one after the other, the second half's one
     * before the other, then those between them to the end */
    size_t *at;
    /* where the entries of a matrix may stand, in its order, until the panels made of them take
     * their places */
    size_t room_at;
    /* [nnode+1] */
    int *fill_at;
    opt_fill *fill;
    /* [nbelow+1] of each of below: from columns of the panel to those of that position's panel */
    int *update_at;
    opt_run *update;
    /* sum of squares of the lengths of U's rows */
    double work;
    void *node_memory;
    void *below_memory;
    void *memory;
} opt_banded_pattern;

/* f->nnode is more than nnode_most, and nothing else is found, where the pattern falls into more
 * nodes. */
sal_status opt_banded_analyse(opt_banded_pattern *f, int n, const int *colptr, const int *rowind,
                              int nnode_most);
void opt_banded_forget(opt_banded_pattern *f);

#endif
