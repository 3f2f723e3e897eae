/* deriv_products.c: physics/deriv/smooth_deriv.c for several instants at once. Only dofs that meet
 * on a branch are multiplied. */
#include "physics/abreast/turn.h"
#include "physics/abreast/wide_deriv.h"

#include <string.h>

/* Row i of Dq, Dv, Da in the making, all columns: [nv], and room for what is turned at a time. Zero
 * where dofs do not meet. */
typedef struct row {
    int i;
    phy_real *q, *v, *a;
    /* its own dof and those above it, descending; those below it stand behind i, before end */
    phy_row above;
    int end;
} row;

static SAL_INLINE void dot3(phy_real *r, const phy_real *a, const phy_real *b)
{
    *r = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* (One store: for all the compiler knows, r may be where others read.) */
static SAL_INLINE void dot6(phy_real *r, const phy_real *a, const phy_real *b)
{
    *r = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* What all products of a row have in common, in registers */
static SAL_INLINE void hold(phy_real r[6], const phy_real *of, int i)
{
    for (int j = 0; j < 6; j++) {
        r[j] = of[6 * i + j];
    }
}

/* (Below, arrays are known by names of their own: a store of lanes could change a pointer that is
 * read through another, for all the compiler knows.) */

/* With what is above:  q = mm'alp,  v = mm'chi,  a = ml's */
static SAL_INLINE void inertial_part(const row *r, const phy_instants *x, const phy_wide_deriv *w)
{
    const phy_real *alp = w->alp, *chi = w->chi, *s = x->cdof;
    const phy_row above = r->above;
    phy_real of[6], *q = r->q, *v = r->v, *a = r->a;
    hold(of, w->mm, r->i);
    for (int n = 0; n < above.n; n++) {
        const int k = phy_row_dof(above, n);
        dot6(q + k, of, alp + 6 * k);
        dot6(v + k, of, chi + 6 * k);
    }
    hold(of, w->ml, r->i);
    for (int n = 0; n < above.n; n++) {
        const int k = phy_row_dof(above, n);
        dot6(a + k, of, s + 6 * k);
    }
}

/* q += rp'psi,  v += rp's;  without loads, rp has its first three numbers only */
static SAL_INLINE void coriolis_part(const row *r, const phy_instants *x, const phy_wide_deriv *w)
{
    const phy_real *psi = x->cdof_dot, *s = x->cdof;
    const phy_row above = r->above;
    phy_real rp[6], *to_q = r->q, *to_v = r->v;
    hold(rp, w->rp, r->i);
    for (int n = 0; n < above.n; n++) {
        const int k = phy_row_dof(above, n);
        phy_real q, v;
        dot3(&q, rp, psi + 6 * k);
        dot3(&v, rp, s + 6 * k);
        to_q[k] += q;
        to_v[k] += v;
    }
}

/* The same with loads; and what it is without: q and v of `bare`, unless that is NULL */
static SAL_INLINE void damped_part(const row *r, const row *bare, const phy_instants *x,
                                   const phy_wide_deriv *w)
{
    const phy_real *psi = x->cdof_dot, *s = x->cdof;
    const phy_row above = r->above;
    phy_real rp[6], *to_q = r->q, *to_v = r->v, *bare_q = bare == NULL ? NULL : bare->q,
                    *bare_v = bare == NULL ? NULL : bare->v;
    hold(rp, w->rp, r->i);
    for (int n = 0; n < above.n; n++) {
        const int k = phy_row_dof(above, n);
        phy_real q, v, high;
        dot3(&q, rp, psi + 6 * k);
        dot3(&v, rp, s + 6 * k);
        if (bare != NULL) {
            bare_q[k] = to_q[k] + q;
            bare_v[k] = to_v[k] + v;
        }
        dot3(&high, rp + 3, psi + 6 * k + 3);
        q += high;
        dot3(&high, rp + 3, s + 6 * k + 3);
        v += high;
        to_q[k] += q;
        to_v[k] += v;
    }
}

/* q += rg'gam + rs's, one after the other */
static SAL_INLINE void load_part(const row *r, const phy_instants *x, const phy_wide_deriv *w)
{
    const phy_real *gam = w->gam, *s = x->cdof;
    const phy_row above = r->above;
    phy_real rg[6], rs[6], *to = r->q;
    hold(rg, w->rg, r->i);
    hold(rs, w->rs, r->i);
    for (int n = 0; n < above.n; n++) {
        const int k = phy_row_dof(above, n);
        phy_real q, part;
        dot6(&q, rg, gam + 6 * k);
        dot6(&part, rs, s + 6 * k);
        q = to[k] + q;
        to[k] = q + part;
    }
}

/* Of a row whose dof has loads in some lanes, the numbers of the others are those without. */
static void choose(const row *r, const row *bare, unsigned lanes)
{
    phy_truth which;
    phy_lanes_of_bits(&which, lanes);
    for (int n = 0; n < r->above.n; n++) {
        const int k = phy_row_dof(r->above, n);
        phy_choose(r->q + k, &which, r->q + k, bare->q + k);
        phy_choose(r->v + k, &which, r->v + k, bare->v + k);
    }
}

/* With what is below:  q = s'y,  v = s'z,  a = s'ml.  Inside a group the rule of what is above
 * counts:
 *     Dq[i][k] -= s_i'(s_k x* (F - W)) */
static void descendants(const row *r, const phy_instants *x, const phy_wide_deriv *w,
                        const phy_real *net)
{
    const phy_real *y = w->y, *z = w->z, *ml = w->ml;
    phy_real s[6], *q = r->q, *v = r->v, *a = r->a;
    hold(s, x->cdof, r->i);
    for (int k = r->i + 1, end = r->end; k < end; k++) {
        dot6(q + k, s, y + 6 * k);
        dot6(v + k, s, z + 6 * k);
        dot6(a + k, s, ml + 6 * k);
    }
    for (int k = r->i + 1; k < r->end && w->first[k] <= r->i; k++) {
        phy_real t[6], mend;
        phy_sp_cross_force(t, x->cdof + 6 * k, net);
        phy_sp_dot(&mend, s, t);
        r->q[k] -= mend;
    }
}

static void make_row(const sal_model *m, const phy_instants *x, const phy_wide_deriv *w,
                     const row *r)
{
    const int b = m->dof_bodyid[r->i];
    const row bare = {.q = w->spare, .v = w->spare + m->nv};
    inertial_part(r, x, w);
    if (w->loaded[b] == 0) {
        coriolis_part(r, x, w);
    } else if (w->loaded[b] == (1U << PHY_WIDTH) - 1) {
        damped_part(r, NULL, x, w);
        load_part(r, x, w);
    } else {
        damped_part(r, &bare, x, w);
        load_part(r, x, w);
        choose(r, &bare, w->loaded[b]);
    }
    descendants(r, x, w, w->net + 6 * b);
}

/* Columns of row i - 1 that row i has not: of what stands below i - 1 but not below i, or of what
 * is above i - 1 alone, where i begins another branch */
static void forget(const sal_model *m, const phy_wide_deriv *w, const row *r)
{
    const phy_real none = {0};
    const int i = r->i, parent = m->dof_parentid[i];
    for (int k = w->end[i]; i > 0 && k < w->end[i - 1]; k++) {
        r->q[k] = r->v[k] = r->a[k] = none;
    }
    for (int k = i - 1; k > parent; k = m->dof_parentid[k]) {
        r->q[k] = r->v[k] = r->a[k] = none;
    }
}

/* ---- rows into the matrices ---- */

/* Of PHY_TURNED columns of a row: nothing but zeros; else among the first four, the second four
 * something is below the row's dof, where zero is added: the one-instant path adds what is above
 * and what is below up. */
enum { EMPTY = 0, FILLED = 1, BELOW = 2 };

static int blocks_of(const sal_model *m)
{
    return (m->nv + PHY_TURNED - 1) / PHY_TURNED;
}

void phy_row_blocks(const sal_model *m, const phy_wide_deriv *w)
{
    for (int i = 0; i < m->nv; i++) {
        const uint64_t *above = w->above + (size_t)i * (size_t)w->words;
        unsigned char *block = w->block + (size_t)i * (size_t)blocks_of(m);
        for (int k = 0; k < m->nv; k += PHY_TURNED) {
            const unsigned up = (unsigned)(above[k / 64] >> (k % 64)) & ((1U << PHY_TURNED) - 1);
            int kind = up != 0 ? FILLED : EMPTY;
            for (int half = 0; half < PHY_TURNED / PHY_LANES; half++) {
                const int first = k + half * PHY_LANES;
                const bool below = first + PHY_LANES > i + 1 && first < w->end[i];
                kind |= below ? FILLED | BELOW << half : 0;
            }
            block[k / PHY_TURNED] = (unsigned char)kind;
        }
    }
}

static SAL_INLINE void put_nothing(double *const to[PHY_WIDTH], size_t at, int n)
{
    const phy_lanes none = {0};
    for (int l = 0; l < n; l++) {
        for (int c = 0; c < PHY_TURNED; c += PHY_LANES) {
            phy_lanes_store(to[l] + at + c, &none);
        }
    }
}

/* Some columns at a time, beyond the row's end too where others follow, which are written
 * afterwards. to: the row in so many instants */
static SAL_INLINE void put_row(double *const to[PHY_WIDTH], const phy_real *from,
                               const unsigned char *block, int columns, int n)
{
    for (int k = 0; k < columns; k += PHY_TURNED) {
        const int kind = block[k / PHY_TURNED];
        if (kind == EMPTY) {
            put_nothing(to, (size_t)k, n);
            continue;
        }
        phy_unpack_some(to, (size_t)k, from + k, kind & BELOW ? 0 : -0.0,
                        kind & BELOW << 1 ? 0 : -0.0, n);
    }
}

/* The columns of a last row from k on, which fill no block */
static void put_rest(double *const to[PHY_WIDTH], const phy_real *from, int kind, int k,
                     int columns, int n)
{
    for (int c = k; c < columns; c++) {
        const bool below = kind & BELOW << (c - k) / PHY_LANES;
        for (int l = 0; l < n; l++) {
            to[l][c] = kind == EMPTY ? 0 : from[c][l] + (below ? 0 : -0.0);
        }
    }
}

static void write_row(const sal_model *m, const phy_wide_deriv *w, const row *r,
                      const phy_abreast_jacobian *J, int n)
{
    const int nv = m->nv, behind = (nv - 1 - r->i) * nv;
    const int whole = behind >= PHY_TURNED - 1 ? nv : nv - nv % PHY_TURNED;
    const unsigned char *block = w->block + (size_t)r->i * (size_t)blocks_of(m);
    const phy_real *from[3] = {r->q, r->v, r->a};
    for (int matrix = 0; matrix < 3; matrix++) {
        double *to[PHY_WIDTH];
        for (int l = 0; l < PHY_WIDTH; l++) {
            to[l] = J[l < n ? l : 0].D[matrix] + (size_t)r->i * (size_t)nv;
        }
        if (n == PHY_WIDTH) {
            put_row(to, from[matrix], block, whole, PHY_WIDTH);
        } else {
            put_row(to, from[matrix], block, whole, n);
        }
        if (whole < nv) {
            put_rest(to, from[matrix], block[whole / PHY_TURNED], whole, nv, n);
        }
    }
}

void phy_products_abreast(const sal_model *m, const phy_instants *x, const phy_wide_deriv *w,
                          const phy_abreast_jacobian *J, int n)
{
    const int width = m->nv + PHY_TURNED;
    memset(w->row, 0, 3 * (size_t)width * sizeof *w->row);
    for (int i = 0; i < m->nv; i++) {
        const row r = {i, w->row, w->row + width, w->row + 2 * width, phy_row_of(m, i), w->end[i]};
        forget(m, w, &r);
        make_row(m, x, w, &r);
        write_row(m, w, &r, J, n);
    }
}
