/* posthoc.h: an inverse for models of contact that have none; private to laws/ (Todorov, Erez,
 * Tassa, "MuJoCo", IROS 2012). All memory is the caller's.
 *
 * The impulses are those of the limp mechanism, tau = 0. Then tau acts through an inertia that is
 * larger along the rows that carry an impulse:
 *
 *     c0 = J (v + h M^-1 F) - w*,    f = model(A, c0),    A = J M^-1 J'
 *     v0 = v + M^-1 (h F + J'f),     M+ = M + sum_active weight_i J_i'J_i
 *     forward: v^ = v0 + h M+^-1 tau             inverse: tau = M+ (v^ - v0)/h
 *
 * so that forward and inverse agree by construction, and dtau/da = M+ (v^ = v + h a). A figure that
 * stands by its muscles shows the contact forces of one that collapses: good for recordings that
 * violate contacts, poor for forces.
 */
#ifndef SAL_PHYSICS_LAWS_POSTHOC_H
#define SAL_PHYSICS_LAWS_POSTHOC_H

#include "physics/laws/impulse.h"

/* A model of contact: f [k] from A [k x k] and c [k]. slope [k x k] = df/dc, if not NULL. */
typedef sal_status (*phy_posthoc_model)(double *f, double *slope, const double *A, const double *c,
                                        void *context);

typedef struct phy_posthoc {
    /* the mechanism: dofs, rows, blocks that cover each row once */
    int nv, k, nblock;
    const phy_impulse_block *block;
    double timestep;
    /* [nv x nv] mass matrix; [k x nv] Jacobian of the rows; [nv] velocity; [nv] passive - bias */
    const double *M, *J, *v, *F;
    /* [k] reference velocity of the rows, m/s; [k] >= 0, kg: w_E of equalities, w_C of contacts */
    const double *wref, *weight;
    phy_posthoc_model model;
    void *context;
    /* the caller's memory, filled by phy_posthoc_impulses: Cholesky factors of M and M+ [nv x nv],
     * M+ [nv x nv], A [k x k], M^-1 J' as [k x nv]; c0 and f [k]; v0 [nv] */
    double *factor, *factor_plus, *M_plus, *A, *MinvJ, *c, *f, *v0;
} phy_posthoc;

/* Places the arrays into memory [phy_posthoc_size(nv, k)]. */
void phy_posthoc_place(phy_posthoc *posthoc, double *memory);
size_t phy_posthoc_size(int nv, int k);

/* A row is active if its block carries an impulse, or is an equality. */
bool phy_posthoc_is_active(const phy_posthoc *posthoc, const phy_impulse_block *block);

/* f, v0 and M+. slope [k x k] as of the model, or NULL. SAL_SINGULAR: M is not positive
 * definite; SAL_DIVERGED: a number is not finite; errors of the model. */
sal_status phy_posthoc_impulses(phy_posthoc *posthoc, double *slope);

/* v^ [nv] from tau [nv], and back; after phy_posthoc_impulses. */
void phy_posthoc_forward(double *next, const phy_posthoc *posthoc, const double *tau);
void phy_posthoc_inverse(double *tau, const phy_posthoc *posthoc, const double *next);

/* dtau/dv [nv x nv] at constant a, v^ = v + h a, from slope = df/dc [k x k] and dF/dv [nv x nv] or
 * NULL for none (dtau/da is M+):
 *
 *     dtau/dv = -M+ M^-1 (J' df/dc J (I + h M^-1 dF/dv)/h + dF/dv)
 *
 * where the active rows stay. scratch [2 nv]. */
void phy_posthoc_by_velocity(double *dtau, const phy_posthoc *posthoc, const double *slope,
                             const double *dF, double *scratch);

#endif
