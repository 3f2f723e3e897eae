/* sweep.c: which pairs may be near, for models of many pairs: sort and sweep of the bounding
 * spheres. (Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE", Symposium on Interactive 3D Graphics, 1995.)
 *
 *     [x - r, x + r + margin] of every geom along the axis on which centres spread most, sorted by
 *         their lower ends; only geoms whose intervals
 *     overlap can be near. The order of the call before is nearly right already: insertion sort.
 *
 * What may be near is marked, a bit a pair, so that the list of contacts is that of all pairs, in
 * the same order.
 */
#include "physics/collision/sweep.h"

#include "physics/compiling.h"

#include <math.h>
#include <string.h>

static const double far_away = 1e3; /* m: with such margins all is near */

enum { LEAST_PAIRS = 500, PAIRS_PER_GEOM = 8 }; /* below, looking at every pair is faster, */
enum { MANY = 8, REST = 100 }; /* and where an eighth is near: so the next hundred times */

bool phy_sweep_pays(int ngeom, long npair)
{
    return npair >= LEAST_PAIRS && npair >= PAIRS_PER_GEOM * (long)ngeom;
}

/* Pairs of each geom with geoms of higher ids, which ascend. Pairs are listed nearly in that order:
 * insertion sort. */
void phy_sweep_index(sal_model *m)
{
    for (int p = 0; p < m->nsweeppair; p++) {
        const int g1 = m->pair_geom1[p], g2 = m->pair_geom2[p];
        m->sweep_num[g1 < g2 ? g1 : g2]++;
    }
    for (int g = 1; g < m->nsweep; g++) {
        m->sweep_adr[g] = m->sweep_adr[g - 1] + m->sweep_num[g - 1];
    }
    memset(m->sweep_num, 0, (size_t)m->nsweep * sizeof *m->sweep_num);
    for (int p = 0; p < m->nsweeppair; p++) {
        const int g1 = m->pair_geom1[p], g2 = m->pair_geom2[p];
        const int low = g1 < g2 ? g1 : g2, high = g1 < g2 ? g2 : g1, adr = m->sweep_adr[low];
        int at = adr + m->sweep_num[low]++;
        for (; at > adr && m->sweep_partner[at - 1] > high; at--) {
            m->sweep_partner[at] = m->sweep_partner[at - 1];
            m->sweep_pair[at] = m->sweep_pair[at - 1];
        }
        m->sweep_partner[at] = high;
        m->sweep_pair[at] = p;
    }
    sal_model_margins(m);
}

/* Marks all pairs of two geoms; returns how many. */
static int mark(const sal_model *m, uint64_t *near, int g1, int g2)
{
    const int g = g1 < g2 ? g1 : g2, other = g1 < g2 ? g2 : g1;
    const int *partner = m->sweep_partner + m->sweep_adr[g], n = m->sweep_num[g];
    int low = 0, high = n, marked = 0;
    while (low < high) { /* the first that is not less */
        const int middle = (low + high) / 2;
        if (partner[middle] < other) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < n && partner[low] == other; low++, marked++) {
        const int pair = m->sweep_pair[m->sweep_adr[g] + low];
        near[pair / 64] |= UINT64_C(1) << pair % 64;
    }
    return marked;
}

/* The axis along which the centres of what has a bounding sphere spread most. */
static int widest_axis(const sal_model *m, const sal_data *d)
{
    double sum[3] = {0}, square[3] = {0}, n = 0;
    int best = 0;
    for (int g = 0; g < m->ngeom; g++) {
        for (int k = 0; k < 3 && m->geom_rbound[g] > 0; k++) {
            const double x = d->geom_xpos[3 * g + k];
            sum[k] += x;
            square[k] += x * x;
            n += k == 0;
        }
    }
    for (int k = 1; k < 3; k++) {
        const double spread = square[k] - sum[k] * sum[k] / n;
        best = spread > square[best] - sum[best] * sum[best] / n ? k : best;
    }
    return best;
}

void sal_model_margins(sal_model *m)
{
    m->sweep_margin = 0;
    for (int p = 0; p < m->npair && m->nsweep > 0; p++) {
        m->sweep_margin = fmax(m->sweep_margin, m->pair_detect[p]);
    }
}

/* order: by low */
static void sort(const sal_model *m, int *order, const double *low)
{
    if (order[0] == order[1]) { /* the first time */
        for (int g = 0; g < m->nsweep; g++) {
            order[g] = g;
        }
    }
    for (int i = 1; i < m->nsweep; i++) {
        const int g = order[i];
        int at = i;
        for (; at > 0 && low[order[at - 1]] > low[g]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = g;
    }
}

/* Planes have no bounding sphere and may be near to anything. */
static void mark_unbounded(const sal_model *m, uint64_t *near)
{
    for (int g = 0; g < m->ngeom; g++) {
        for (int h = 0; h < m->ngeom && !(m->geom_rbound[g] > 0); h++) {
            mark(m, near, g, h);
        }
    }
}

bool phy_sweep_take(const sal_model *m, sal_arena *arena, phy_swept *s)
{
    s->words = ((size_t)m->nsweeppair + 63) / 64;
    s->near = sal_arena_take(arena, s->words, sizeof *s->near);
    s->low = sal_arena_take(arena, (size_t)m->nsweep, sizeof *s->low);
    return s->low != NULL;
}

int phy_sweep_sort(const sal_model *m, sal_data *d, const phy_swept *s)
{
    double *low = s->low;
    const int axis = widest_axis(m, d);
    const double *r = m->geom_rbound;
    for (int g = 0; g < m->ngeom; g++) { /* not numbers: at the end, as what has no sphere */
        const double from = d->geom_xpos[3 * g + axis] - r[g];
        low[g] = r[g] > 0 && from < HUGE_VAL ? from : HUGE_VAL;
    }
    sort(m, d->sweep_order, low);
    return axis;
}

bool phy_sweep(const sal_model *m, sal_data *d, const phy_swept *s)
{
    uint64_t *near = s->near;
    const double *low = s->low;
    const double margin = m->sweep_margin + PHY_SWEEP_ROUNDING, *r = m->geom_rbound;
    if (margin > far_away || d->sweep_rest > 0) {
        d->sweep_rest -= d->sweep_rest > 0;
        return false;
    }
    const int axis = phy_sweep_sort(m, d, s), second = (axis + 1) % 3, third = (axis + 2) % 3;
    int marked = 0;
    memset(near, 0, s->words * sizeof *near);
    for (int i = 0; i < m->nsweep; i++) {
        const int g = d->sweep_order[i];
        const double *x = d->geom_xpos + 3 * g, high = low[g] + 2 * r[g] + margin;
        for (int k = i + 1; k < m->nsweep && low[d->sweep_order[k]] <= high; k++) {
            const int h = d->sweep_order[k];
            const double *y = d->geom_xpos + 3 * h, reach = r[g] + r[h] + margin;
            if (fabs(x[second] - y[second]) <= reach && fabs(x[third] - y[third]) <= reach) {
                marked += mark(m, near, g, h);
            }
        }
    }
    d->sweep_rest = marked > m->npair / MANY ? REST : 0;
    mark_unbounded(m, near);
    return true;
}
