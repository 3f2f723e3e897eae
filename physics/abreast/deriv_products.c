/* deriv_products.c: physics/deriv/smooth_deriv.c for several instants at once. Only dofs that meet
 * on a branch are multiplied. */
#include "physics/abreast/turn.h"
#include "physics/abreast/wide_deriv.h"

#include <string.h>

/* Four columns of one row of Dq, Dv, Da */
typedef struct entries {
    phy_real q[PHY_LANES], v[PHY_LANES], a[PHY_LANES];
} entries;

/* Row i: its number, whether its dof is loaded, and in which lanes if not in all */
typedef struct row {
    int i;
    bool loaded, mixed;
    phy_truth which;
} row;

static SAL_INLINE void dot3(phy_real *r, const phy_real *a, const phy_real *b)
{
    *r = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static SAL_INLINE void dot6(phy_real *r, const phy_real *a, const phy_real *b)
{
    phy_real high;
    dot3(r, a, b);
    dot3(&high, a + 3, b + 3);
    *r += high;
}

/* The products of row i with dof k, an ancestor or itself */
static SAL_INLINE void ancestor(entries *to, int c, const phy_instants *x, const phy_wide_deriv *w,
                                const row *r, int k)
{
    const int i = 6 * r->i, at = 6 * k;
    const phy_real *rp = w->rp + i, *s = x->cdof + at, *psi = x->cdof_dot + at;
    phy_real q, v, a, byq, byv, high;
    dot6(&q, w->mm + i, w->alp + at);
    dot6(&v, w->mm + i, w->chi + at);
    dot6(&a, w->ml + i, s);
    dot3(&byq, rp, psi);
    dot3(&byv, rp, s);
    const phy_real q_alone = q + byq, v_alone = v + byv;
    to->a[c] = a;
    if (!r->loaded) {
        to->q[c] = q_alone, to->v[c] = v_alone;
        return;
    }
    dot3(&high, rp + 3, psi + 3);
    byq += high;
    q += byq;
    dot3(&high, rp + 3, s + 3);
    byv += high;
    v += byv;
    dot6(&high, w->rg + i, w->gam + at);
    q += high;
    dot6(&high, w->rs + i, s);
    q += high;
    if (r->mixed) {
        phy_choose(&q, &r->which, &q, &q_alone);
        phy_choose(&v, &r->which, &v, &v_alone);
    }
    to->q[c] = q, to->v[c] = v;
}

/* With dof k, which hangs from i. Inside a group the rule of an ancestor counts:
 *     Dq[i][k] -= s_i'(s_k x* (F - W)) */
static SAL_INLINE void descendant(entries *to, int c, const phy_instants *x,
                                  const phy_wide_deriv *w, const row *r, const phy_real *net, int k)
{
    const phy_real *s = x->cdof + 6 * r->i, none = {0};
    phy_real q, v, a;
    dot6(&q, s, w->y + 6 * k);
    dot6(&v, s, w->z + 6 * k);
    dot6(&a, s, w->ml + 6 * k);
    q = none + q, v = none + v, a = none + a;
    if (w->first[k] <= r->i) {
        phy_real t[6], mend;
        phy_sp_cross_force(t, x->cdof + 6 * k, net);
        phy_sp_dot(&mend, s, t);
        q -= mend;
    }
    to->q[c] = q, to->v[c] = v, to->a[c] = a;
}

/* x + 0, as where the one-instant path adds what it keeps of both */
static SAL_INLINE void settle(entries *to, int c)
{
    const phy_real none = {0};
    to->q[c] += none, to->v[c] += none, to->a[c] += none;
}

/* Four columns from k on; false: all of them are zero */
static SAL_INLINE bool four_columns(entries *to, const sal_model *m, const phy_instants *x,
                                    const phy_wide_deriv *w, const row *r, int k)
{
    const int i = r->i, end = w->end[i];
    const uint64_t *above = w->above + (size_t)i * (size_t)w->words;
    const unsigned up = (unsigned)(above[k / 64] >> (k % 64)) & ((1U << PHY_LANES) - 1);
    const bool below = k + PHY_LANES > i + 1 && k < end;
    if (up == 0 && !below) {
        return false;
    }
    for (int c = 0; c < PHY_LANES; c++) {
        if (up >> c & 1) {
            ancestor(to, c, x, w, r, k + c);
            if (below) {
                settle(to, c);
            }
        } else if (k + c > i && k + c < end) {
            descendant(to, c, x, w, r, w->net + 6 * m->dof_bodyid[i], k + c);
        } else {
            to->q[c] = to->v[c] = to->a[c] = (phy_real){0};
        }
    }
    return true;
}

/* Where rows go: so many instants, and columns of the four at hand */
typedef struct target {
    const phy_abreast_jacobian *J;
    int instants, columns;
} target;

static SAL_INLINE bool is_whole(const target *to)
{
    return to->instants == PHY_WIDTH && to->columns == PHY_LANES;
}

/* Four columns of one matrix (0 .. 2), from `at` on */
static SAL_INLINE void put(const target *to, int matrix, size_t at, const phy_real from[PHY_LANES])
{
    if (is_whole(to)) {
        double *all[PHY_WIDTH];
        for (int l = 0; l < PHY_WIDTH; l++) {
            all[l] = to->J[l].D[matrix];
        }
        phy_unpack_four(all, at, from);
        return;
    }
    for (int l = 0; l < to->instants; l++) {
        for (int c = 0; c < to->columns; c++) {
            to->J[l].D[matrix][at + (size_t)c] = from[c][l];
        }
    }
}

static SAL_INLINE void put_nothing(const target *to, size_t at)
{
    const phy_lanes none = {0};
    for (int l = 0; l < to->instants; l++) {
        for (int matrix = 0; matrix < 3; matrix++) {
            if (is_whole(to)) {
                phy_lanes_store(to->J[l].D[matrix] + at, &none);
            } else {
                memset(to->J[l].D[matrix] + at, 0, (size_t)to->columns * sizeof(double));
            }
        }
    }
}

/* Row i, four columns at a time, beyond its end too where another row follows, which writes that
 * again. */
static void write_row(const sal_model *m, const phy_instants *x, const phy_wide_deriv *w,
                      const row *r, const phy_abreast_jacobian *J, int n)
{
    const size_t nv = (size_t)m->nv, at = (size_t)r->i * nv;
    const bool follows = at + nv + PHY_LANES - 1 <= nv * nv;
    for (int k = 0; k < m->nv; k += PHY_LANES) {
        const bool whole = follows || k + PHY_LANES <= m->nv;
        const target to = {J, n, whole ? PHY_LANES : m->nv - k};
        const size_t place = at + (size_t)k;
        entries e;
        if (four_columns(&e, m, x, w, r, k)) {
            put(&to, 0, place, e.q);
            put(&to, 1, place, e.v);
            put(&to, 2, place, e.a);
        } else {
            put_nothing(&to, place);
        }
    }
}

void phy_products_abreast(const sal_model *m, const phy_instants *x, const phy_wide_deriv *w,
                          const phy_abreast_jacobian *J, int n)
{
    const unsigned all = (1U << PHY_WIDTH) - 1;
    for (int i = 0; i < m->nv; i++) {
        const unsigned loaded = w->loaded[m->dof_bodyid[i]];
        row r = {.i = i, .loaded = loaded != 0, .mixed = loaded != 0 && loaded != all};
        phy_lanes_of_bits(&r.which, loaded);
        write_row(m, x, w, &r, J, n);
    }
}
