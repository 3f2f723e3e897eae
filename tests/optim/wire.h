/* wire.h: members that share variables, drawn at random: chains of blocks whose residuals feel
 * three in a row, locals and shared, none of them linear; and the same problem as dense normal
 * equations, built without the optimizer. */
#ifndef SAL_TESTS_OPTIM_WIRE_H
#define SAL_TESTS_OPTIM_WIRE_H

#include "base/house.h"
#include "optim/optim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_MEMBERS = 12, WIRE_SIZE = 7, WIRE_ROWS = 9, WIRE_SHARED = 6, WIRE_LOCAL = 3 };
enum { WIRE_COLS = 3 * WIRE_SIZE + WIRE_LOCAL + WIRE_SHARED };

typedef struct wire {
    sal_member member[WIRE_MEMBERS];
    sal_joint_nls nls;
    sal_norm window_norm;
    /* how far from linear */
    double bend;
    /* all norms are squares */
    bool plain;
    /* member whose value fails; -1: none */
    int refuse;
    /* member whose value diverges where its first number is above diverge_above */
    int diverge;
    double diverge_above;
    /* member whose chain no residual feels */
    int blind;
    /* member with derivatives that are not numbers */
    int poison;
    /* member that adds 65 residuals at once */
    int too_many;
    /* of progress */
    int calls;
    /* call that ends it; 0: none */
    int stop_at;
} wire;

/* One residual block: n rows, derivatives by blocks first .. first+2, by the border */
typedef struct wire_row {
    int n;
    int first;
    int width;
    sal_norm norm;
    double weight;
    double r[WIRE_ROWS];
    double J[WIRE_ROWS * 3 * WIRE_SIZE];
    double G[WIRE_ROWS * (WIRE_LOCAL + WIRE_SHARED)];
    bool chain;
    bool border;
} wire_row;

static inline double wire_x(const sal_member *m, const double *x, int block, int i)
{
    return block < 0 || block >= m->nblock ? 0.3 : x[block * m->size + i];
}

/* rows a = M z + c, r = a + bend a^2, M and c drawn for (member, first, kind) */
static inline void wire_draw(const wire *w, int member, const double *x, const double *p,
                             wire_row *row, uint64_t kind)
{
    const sal_member *m = &w->member[member];
    const int nborder = m->nlocal + w->nls.nshared, ncol = row->width * m->size;
    sal_rng rng = {1 + (uint64_t)member * 7919 + (uint64_t)(row->first + 5) * 104729 + kind};
    for (int i = 0; i < row->n; i++) {
        double a = sal_rng_uniform(&rng, -1, 1);
        double *J = row->J + i * ncol, *G = row->G + i * nborder;
        for (int k = 0; k < ncol; k++) {
            J[k] = row->chain && member != w->blind ? sal_rng_uniform(&rng, -1, 1) : 0;
            a += J[k] * wire_x(m, x, row->first + k / m->size, k % m->size);
        }
        for (int k = 0; k < nborder; k++) {
            G[k] = row->border ? sal_rng_uniform(&rng, -1, 1) : 0;
            a += G[k] * (k < m->nlocal ? x[m->nblock * m->size + k] : p[k - m->nlocal]);
        }
        row->r[i] = a + w->bend * a * a;
        for (int k = 0; k < ncol; k++) {
            J[k] *= 1 + 2 * w->bend * a;
        }
        for (int k = 0; k < nborder; k++) {
            G[k] *= 1 + 2 * w->bend * a;
        }
    }
}

/* The k-th residual block of a member; false if there are no more. Windows hang over both ends. */
static inline bool wire_residual(const wire *w, int member, const double *x, const double *p, int k,
                                 wire_row *row)
{
    const sal_member *m = &w->member[member];
    const int nwindow = m->nblock > 0 ? m->nblock + 2 : 0;
    if (k < nwindow) {
        *row = (wire_row){.n = m->size < 3 ? 2 : m->size,
                          .first = k - 2,
                          .width = 3,
                          .norm = w->window_norm,
                          .weight = 0.7,
                          .chain = true,
                          .border = true};
        wire_draw(w, member, x, p, row, 1);
        return true;
    }
    k -= nwindow;
    if (k < m->nblock) { /* each block by itself, in one norm of its own */
        *row = (wire_row){.n = m->size, .first = k, .width = 1, .weight = 1, .chain = true};
        row->norm = (sal_norm){k % 3 == 0 && !w->plain ? SAL_NORM_L2 : SAL_NORM_QUADRATIC, 0.5, 0};
        wire_draw(w, member, x, p, row, 2);
        return true;
    }
    k -= m->nblock;
    if (k < 2) { /* the border by itself */
        *row = (wire_row){.n = 8, .first = k, .weight = 0.5, .border = true};
        row->norm = (sal_norm){w->plain ? SAL_NORM_QUADRATIC : SAL_NORM_SMOOTHABS, 0.5, 0};
        wire_draw(w, member, x, p, row, 3);
        return true;
    }
    return false;
}

static inline void wire_retract(void *ctx, int member, double *out, const double *x,
                                const double *d)
{
    const wire *w = ctx;
    for (int i = 0; i < w->member[member].nx; i++) {
        out[i] = x[i] + d[i];
    }
}

static inline sal_status wire_value(void *ctx, int worker, int member, const double *x,
                                    const double *p, double *cost, sal_err *err)
{
    const wire *w = ctx;
    wire_row row;
    (void)worker;
    if (member == w->refuse) {
        return sal_fail(err, SAL_NOMEM, "member %d has had enough", member);
    }
    if (member == w->diverge && x[0] > w->diverge_above) {
        return SAL_DIVERGED;
    }
    *cost = 0;
    for (int k = 0; wire_residual(w, member, x, p, k, &row); k++) {
        *cost += row.weight * sal_norm_value(&row.norm, row.r, row.n);
    }
    return SAL_OK;
}

static inline sal_status wire_linearise(void *ctx, int worker, int member, const double *x,
                                        const double *p, sal_normal *a, sal_err *err)
{
    const wire *w = ctx;
    wire_row row;
    (void)worker, (void)err;
    for (int k = 0; wire_residual(w, member, x, p, k, &row); k++) {
        row.J[0] = member == w->poison ? (double)NAN : row.J[0];
        const sal_slopes slopes = {row.chain ? row.J : NULL, row.first, row.width,
                                   row.border ? row.G : NULL};
        row.n = member == w->too_many ? SAL_NORMAL_MOST + 1 : row.n;
        sal_normal_add(a, &row.norm, row.weight, row.n, row.r, &slopes);
    }
    return SAL_OK;
}

static inline bool wire_progress(void *ctx, const sal_joint_progress *p)
{
    wire *w = ctx;
    (void)p;
    return ++w->calls != w->stop_at;
}

/* Members of many shapes: none longer than 8 blocks; some without locals, some without a chain, of
 * 1, 2 blocks */
static inline int wire_make(wire *w, int nmember, int nshared, double bend)
{
    static const sal_member shapes[] = {{0, 8, 3, 2}, {0, 5, 6, 0}, {0, 1, 4, 1}, {0, 2, 7, 3},
                                        {0, 0, 0, 2}, {0, 4, 1, 0}, {0, 3, 5, 3}};
    int nx = 0;
    memset(w, 0, sizeof *w);
    for (int i = 0; i < nmember; i++) {
        w->member[i] = shapes[i % (int)(sizeof shapes / sizeof *shapes)];
        w->member[i].nx = w->member[i].nblock * w->member[i].size + w->member[i].nlocal;
        nx += w->member[i].nx;
    }
    w->bend = bend;
    w->refuse = w->diverge = w->blind = w->poison = w->too_many = -1;
    w->window_norm = (sal_norm){SAL_NORM_CAUCHY, 2, 0};
    w->nls = (sal_joint_nls){.ctx = w,
                             .nmember = nmember,
                             .member = w->member,
                             .nshared = nshared,
                             .retract = wire_retract,
                             .value = wire_value,
                             .linearise = wire_linearise,
                             .progress = wire_progress};
    return nx;
}

/* ---- the same, dense ---- */

/* H, g of a member's own variables (first) and the shared: (n x n), (n) with n = tangent + nshared;
 * returns its cost */
static inline double wire_dense(const wire *w, int member, const double *x, const double *p,
                                double *H, double *g)
{
    const sal_member *m = &w->member[member];
    const int nchain = m->nblock * m->size, nborder = m->nlocal + w->nls.nshared;
    const int n = nchain + nborder;
    double cost = 0;
    wire_row row;
    memset(H, 0, (size_t)(n * n) * sizeof *H);
    memset(g, 0, (size_t)n * sizeof *g);
    for (int k = 0; wire_residual(w, member, x, p, k, &row); k++) {
        double scaled[WIRE_ROWS], root[WIRE_ROWS * WIRE_ROWS], D[WIRE_ROWS][200] = {{0}};
        bool diagonal;
        cost += row.weight * sal_norm_scale(&row.norm, row.r, row.n, scaled, root, &diagonal);
        for (int i = 0; i < row.n; i++) {
            for (int s = 0; s < row.n; s++) {
                const double f = diagonal ? (i == s) * root[i] : root[i * row.n + s];
                for (int c = 0; row.chain && c < row.width * m->size; c++) {
                    const int at = row.first * m->size + c;
                    if (at >= 0 && at < nchain) {
                        D[i][at] += f * row.J[s * row.width * m->size + c];
                    }
                }
                for (int c = 0; row.border && c < nborder; c++) {
                    D[i][nchain + c] += f * row.G[s * nborder + c];
                }
            }
        }
        for (int i = 0; i < row.n; i++) {
            for (int a = 0; a < n; a++) {
                g[a] += row.weight * D[i][a] * scaled[i];
                for (int b = 0; b < n; b++) {
                    H[a * n + b] += row.weight * D[i][a] * D[i][b];
                }
            }
        }
    }
    return cost;
}

#endif
