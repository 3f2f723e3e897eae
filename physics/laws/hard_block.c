#include "physics/laws/hard_block.h"

#include <stddef.h>

int phy_hard_tangents(const phy_hard_block *block)
{
    return block->kind == PHY_HARD_CONTACT ? block->dim - 1
                                           : block->kind == PHY_HARD_LOSS && block->bound > 0;
}

static double mu_of(const phy_hard_block *block, int j)
{
    return block->kind == PHY_HARD_CONTACT ? block->mu[j - 1] : 1;
}

/* out += a o b */
static void add_product(double *out, const double *a, const double *b, int n)
{
    out[0] += a[0] * b[0];
    for (int j = 1; j <= n; j++) {
        out[0] += a[j] * b[j];
        out[j] += a[0] * b[j] + b[0] * a[j];
    }
}

void phy_hard_errors(phy_hard_error *e, const phy_hard_problem *p, const phy_hard_iterate *at,
                     int b, const phy_hard_target *goal)
{
    const phy_hard_block *block = p->block + b;
    const phy_hard_point *x = at->x + b, *d = goal->predicted == NULL ? NULL : goal->predicted + b;
    const int n = phy_hard_tangents(block);
    const bool is_contact = block->kind == PHY_HARD_CONTACT;
    *e = (phy_hard_error){0};
    if (is_contact) {
        e->s = x->s - at->s[b];
        e->gamma = x->gamma * x->s - goal->kappa_n + (d == NULL ? 0 : d->gamma * d->s);
    }
    if (n == 0) {
        return;
    }
    e->xi = x->xi[0] - (is_contact ? x->gamma : block->bound);
    for (int j = 1; j <= n; j++) {
        e->eta[j] =
            x->eta[j] - mu_of(block, j) * at->Jv[block->row + phy_hard_tangent_row(block, j)];
    }
    e->product[0] = -goal->kappa_t;
    add_product(e->product, x->xi, x->eta, n);
    if (d != NULL) {
        add_product(e->product, d->xi, d->eta, n);
    }
}

/* dxi_t and deta_1 of dxi_1 and deta_t */
static void cone_step(phy_hard_point *d, const phy_hard_point *x, const double *c, int n)
{
    double y[PHY_HARD_DIM], inner = 0, across = 0, det = x->xi[0] * x->eta[0];
    for (int j = 1; j <= n; j++) {
        inner += x->xi[j] * d->eta[j];
        det -= x->xi[j] * x->eta[j];
    }
    for (int j = 1; j <= n; j++) {
        const double share = x->xi[j] / x->xi[0];
        y[j] = -c[j] + share * c[0] + (share * x->eta[0] - x->eta[j]) * d->xi[0] -
               (x->xi[0] * d->eta[j] - share * inner);
        across += x->eta[j] * y[j];
    }
    d->eta[0] = -c[0] - x->eta[0] * d->xi[0] - inner;
    for (int j = 1; j <= n; j++) {
        d->xi[j] = (y[j] + x->xi[j] * across / det) / x->eta[0];
        d->eta[0] -= x->eta[j] * d->xi[j];
    }
    d->eta[0] /= x->xi[0];
}

void phy_hard_step(phy_hard_point *d, const phy_hard_block *block, const phy_hard_point *x,
                   const phy_hard_error *e, double Gdv, const double *Jdv)
{
    const int n = phy_hard_tangents(block);
    *d = (phy_hard_point){0};
    if (block->kind == PHY_HARD_CONTACT) {
        d->s = Gdv - e->s;
        d->gamma = -(e->gamma + x->gamma * d->s) / x->s;
    }
    if (n == 0) {
        return;
    }
    d->xi[0] = d->gamma - e->xi;
    for (int j = 1; j <= n; j++) {
        const double speed = Jdv == NULL ? 0 : Jdv[phy_hard_tangent_row(block, j)];
        d->eta[j] = mu_of(block, j) * speed - e->eta[j];
    }
    cone_step(d, x, e->product, n);
}

void phy_hard_rows(double *F, const phy_hard_problem *p, int b, const phy_hard_point *x,
                   const double *G)
{
    const phy_hard_block *block = p->block + b;
    const int n = phy_hard_tangents(block), nv = p->nv;
    const double zero[PHY_HARD_DIM] = {0}, *J = p->J + (size_t)block->row * (size_t)nv;
    if (block->kind != PHY_HARD_LOSS) {
        const double slope =
            block->kind == PHY_HARD_EQUALITY ? -1 / block->compliance : -x->gamma / x->s;
        for (int k = 0; k < nv; k++) {
            F[k] = slope * G[k];
        }
    }
    for (int j = 1; j <= n; j++) { /* by the normal impulse */
        for (int k = 0; k < nv; k++) {
            F[phy_hard_tangent_row(block, j) * nv + k] = 0;
        }
    }
    for (int i = 0; i <= n && n > 0; i++) { /* by the normal impulse (i = 0) and each velocity */
        phy_hard_point d = {0};
        if (i == 0 && block->kind == PHY_HARD_LOSS) {
            continue;
        }
        *(i == 0 ? &d.xi[0] : &d.eta[i]) = 1;
        cone_step(&d, x, zero, n);
        const double *source = i == 0 ? F : J + phy_hard_tangent_row(block, i) * nv;
        for (int j = 1; j <= n; j++) {
            const double slope = mu_of(block, j) * d.xi[j] * (i == 0 ? 1 : mu_of(block, i));
            for (int k = 0; k < nv; k++) {
                F[phy_hard_tangent_row(block, j) * nv + k] += slope * source[k];
            }
        }
    }
}

void phy_hard_impulses(double *f, const phy_hard_problem *p, const phy_hard_point *x)
{
    for (int b = 0; b < p->nblock; b++) {
        const phy_hard_block *block = p->block + b;
        f[block->row] = block->kind == PHY_HARD_CONTACT ? x[b].gamma : 0;
        for (int j = 1; j <= phy_hard_tangents(block); j++) {
            f[block->row + phy_hard_tangent_row(block, j)] = mu_of(block, j) * x[b].xi[j];
        }
    }
}
