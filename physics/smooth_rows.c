/* smooth_rows.c: what each dof is multiplied with in the derivatives of the smooth part, from the composites of its subtree:
 *
 *     mm = I s        rp = D's + LB's        y = I alp + D psi + s x* F + La gam + LB psi - Th s
 *     ml = mm + La s  rg = La s              z = I chi + D s + LB s
 *                     rs = - Th's - s x* W                                 (as s_i'(s_k x* W) = -s_k'(s_i x* W))
 *
 * Matrices are kept as six rows of eight numbers, so that a product is a sum of rows, r = M'x = sum_j x_j (row j of M): whole lanes, no
 * sums across them. Those that are needed both ways are kept both ways.
 */
#include "physics/deriv.h"
#include "physics/lanes.h"

#include <string.h>

enum { WIDE = SAL_WIDE };

/* ---- loads, widened ------------------------------------------------------------------------------------------- */

/* r += A, and its transpose */
SAL_INLINE void add_matrix(double r[6 * WIDE], const double A[36])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            r[WIDE * i + j] += A[6 * i + j];
        }
    }
}

SAL_INLINE void add_transpose(double r[6 * WIDE], const double A[36])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            r[WIDE * j + i] += A[6 * i + j];
        }
    }
}

SAL_INLINE void widen(sal_wide_load *to, const sal_load *load)
{
    for (int j = 0; j < 6; j++) {
        to->W[j] += load->W[j];
    }
    add_matrix(to->La, load->La);
    add_matrix(to->LB, load->LB);
    add_transpose(to->LBt, load->LB);
    add_matrix(to->Th, load->Th);
    add_transpose(to->Tht, load->Th);
}

/* r += a, both made of doubles alone, whole lanes of them */
SAL_INLINE void add_all(void *r, const void *a, size_t size)
{
    double *sum = r;
    const double *from = a;
    for (size_t j = 0; j < size / sizeof(double); j += SAL_LANES) {
        sal_lanes x, y;
        sal_lanes_load(&x, sum + j);
        sal_lanes_load(&y, from + j);
        x += y;
        sal_lanes_store(sum + j, &x);
    }
}

/* ---- products ---------------------------------------------------------------------------------------------------------------------------- */

/* r += x_j (row j of M), n rows */
SAL_INLINE void add_rows(sal_lanes r[2], const double *M, const double *x, int n)
{
    for (int j = 0; j < n; j++) {
        sal_lanes low, high;
        sal_lanes_load(&low, M + WIDE * j);
        sal_lanes_load(&high, M + WIDE * j + SAL_LANES);
        r[0] += x[j] * low;
        r[1] += x[j] * high;
    }
}

SAL_INLINE void subtract_rows(sal_lanes r[2], const double *M, const double *x)
{
    for (int j = 0; j < 6; j++) {
        sal_lanes low, high;
        sal_lanes_load(&low, M + WIDE * j);
        sal_lanes_load(&high, M + WIDE * j + SAL_LANES);
        r[0] -= x[j] * low;
        r[1] -= x[j] * high;
    }
}

/* m x* F in lanes: numbers that were just stored one by one would have to be waited for */
SAL_INLINE void cross_force(sal_lanes r[2], const double m[6], const double F[6])
{
    double x[6];
    sal_sp_cross_force(x, m, F);
    const sal_lanes low = {x[0], x[1], x[2], x[3]}, high = {x[4], x[5], 0, 0};
    r[0] = low;
    r[1] = high;
}

SAL_INLINE void put(double r[WIDE], const sal_lanes x[2])
{
    sal_lanes_store(r, x);
    sal_lanes_store(r + SAL_LANES, x + 1);
}

SAL_INLINE void get(sal_lanes r[2], const double x[WIDE])
{
    sal_lanes_load(r, x);
    sal_lanes_load(r + 1, x + SAL_LANES);
}

/* A composite as matrices: I; the three columns of D that are not zero, as rows; D, of whose rows only the first half is not zero and kept. */
typedef struct sal_matrices {
    double I[6 * WIDE], Dt[3 * WIDE], D[6 * SAL_LANES];
} sal_matrices;

/* I (w;u) = ( Irot w + h x u ; m u - h x w ),   D x = ( E x_w ; x_w x p ) */
SAL_INLINE void matrices_of(sal_matrices *r, const sal_composite *c)
{
    const double *i = c->I, *h = c->I + 6, *E = c->E, *p = c->p, mass = c->I[9];
    *r = (sal_matrices){
        .I = {i[0],      i[3],   i[4], 0,  -h[2], h[1],  0, 0,                  /* */
              i[3],  i[1],     i[5], h[2],   0,  -h[0], 0, 0,                 /* */
              i[4],      i[5], i[2], -h[1], h[0],   0,  0, 0, /* */
              0,     h[2],  -h[1], mass,  0,     0,     0, 0, /* */
              -h[2], 0,     h[0],  0,     mass,  0,     0, 0, /* */
              h[1],  -h[0], 0,     0,     0,     mass,  0, 0},
        .Dt = {E[0], E[3], E[6], 0, -p[2], p[1], 0, 0, /* */
               E[1], E[4], E[7],   p[2], 0, -p[0], 0, 0, /* */
               E[2], E[5],    E[8],   -p[1],   p[0], 0, 0, 0 },
        .D = {E[0],     E[1],       E[2],          0,       /* */
              E[3],        E[4],            E[5],            0,            /* */
              E[6],         E[7],             E[8],           0,                /* */
              0,             p[2],                 -p[1],                 0,                /* */
              -p[2],                  0,               p[0],            0,           /* */
              p[1],                -p[0],                 0,                 0                }
    };
}

SAL_INLINE void scatter(double *columns, int i, const sal_lanes x[2])
{
    double r[WIDE], *to = columns + sal_column_at(i);
    put(r, x);
    for (int j = 0; j < 6; j++) {
        to[SAL_LANES * j] = r[j];
    }
}

/* The load's part of the rows of dof i. */
SAL_INLINE void add_load(sal_deriv *w, sal_dof_row *row, const sal_wide_load *load, int i,
                         const double s[6], const double psi[6], sal_lanes y[2], sal_lanes z[2])
{
    sal_lanes r[2] = {{0}};
    double gam[6];
    sal_column(gam, w->gam, i);
    add_rows(r, load->La, s, 6);
    put(row->rg, r);
    get(r, row->mm);
    add_rows(r, load->La, s, 6);
    put(row->ml, r);
    get(r, row->rp);
    add_rows(r, load->LB, s, 6);
    put(row->rp, r);
    cross_force(r, s, load->W);
    r[0] = -r[0], r[1] = -r[1];
    subtract_rows(r, load->Th, s);
    put(row->rs, r);
    add_rows(y, load->La, gam, 6);
    add_rows(y, load->LBt, psi, 6);
    subtract_rows(y, load->Tht, s);
    add_rows(z, load->LBt, s, 6);
}

SAL_INLINE void dof_row(sal_deriv *w, const sal_composite *c, const sal_matrices *M,
                        const sal_wide_load *load, int i)
{
    sal_dof_row *row = w->row + i;
    sal_lanes r[2] = {{0}}, y[2] = {{0}}, z[2] = {{0}}, half[2] = {{0}};
    double s[6], psi[6], x[6];
    sal_column(s, w->s, i);
    sal_column(psi, w->psi, i);
    add_rows(r, M->I, s, 6);
    put(row->mm, r);
    put(row->ml, r);
    for (int j = 0; j < 6; j++) {
        sal_lanes low;
        sal_lanes_load(&low, M->D + SAL_LANES * j);
        half[0] += s[j] * low;
    }
    put(row->rp, half);

    cross_force(y, s, c->F);
    sal_column(x, w->alp, i);
    add_rows(y, M->I, x, 6);
    add_rows(y, M->Dt, psi, 3);
    sal_column(x, w->chi, i);
    add_rows(z, M->I, x, 6);
    add_rows(z, M->Dt, s, 3);
    if (load != NULL) {
        add_load(w, row, load, i, s, psi, y, z);
    }
    get(r, row->ml);
    scatter(w->ml, i, r);
    scatter(w->y, i, y);
    scatter(w->z, i, z);
}

/* The loads of a body's subtree when those of its children are in; NULL: none. */
SAL_INLINE const sal_wide_load *loads_of(sal_deriv *w, int b)
{
    if (w->loaded[b]) {
        widen(sal_deriv_wide(w, b), w->load + b);
    }
    return w->subtree[b];
}

/* On to its parent: added, or handed over where the parent has none. */
SAL_INLINE void hand_up(sal_deriv *w, int b, int p)
{
    add_all(w->composite + p, w->composite + b, sizeof(sal_composite));
    if (w->subtree[b] != NULL && w->subtree[p] != NULL) {
        add_all(w->subtree[p], w->subtree[b], sizeof(sal_wide_load));
    } else if (w->subtree[b] != NULL) {
        w->subtree[p] = w->subtree[b];
    }
}

SAL_LANED void sal_smooth_rows(const sal_model *m, sal_deriv *w)
{
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b], end = m->body_dofadr[b] + m->body_dofnum[b];
        const sal_wide_load *load = loads_of(w, b);
        sal_matrices M;
        for (int j = 0; j < 6; j++) {
            w->net[6 * b + j] = w->composite[b].F[j] - (load == NULL ? 0 : load->W[j]);
        }
        if (m->body_dofnum[b] > 0) {
            matrices_of(&M, w->composite + b);
        }
        for (int i = end - m->body_dofnum[b]; i < end; i++) {
            dof_row(w, w->composite + b, &M, load, i);
        }
        if (p > 0) {
            hand_up(w, b, p);
        }
    }
}
