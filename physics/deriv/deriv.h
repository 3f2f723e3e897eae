/* deriv.h: what the exact derivatives of the inverse are made of; private to physics/.
 *
 *     tau = M a + c - passive - J'f,        Dq[i][k] = d tau_i/d q_k,  Dv, Da likewise;
 *     q_k varies in the tangent space
 *
 * World axes, about O = subtree_com of the body's tree, a point that stays where it is while q
 * varies. s_k is the motion column of dof k (cdof), V_b = sum s_k v_k, G_b = sum s_k a_k over the
 * dofs of b and its ancestors. A group is what starts from one frame: a hinge, a slide, the three
 * turns of a ball, the three shifts of a free joint, its three turns; V_k- is the value before the
 * group of k, V_k+ after it:
 *
 *     psi_k = V_k- x s_k        gam_k = G_k- x s_k        chi_k = (V_k- + V_k+) x s_k
 *     alp_k = A_k- x s_k + V_k- x psi_k
 *
 *     dV_b/dq_k = s_k x V_b + psi_k     dV_b/dv_k = s_k            dG_b/dq_k = s_k x G_b + gam_k
 *     dG_b/da_k = s_k
 */
#ifndef SAL_PHYSICS_DERIV_DERIV_H
#define SAL_PHYSICS_DERIV_DERIV_H

#include "physics/lanes.h"
#include "physics/stages.h"

#include <stdint.h>

/* A wrench W on a body about O (moment first; it enters tau_i as -s_i'W) that depends on the body's
 * pose and motion, for k in its chain:
 *     dW/dq_k = Th s_k - La gam_k - LB psi_k        dW/dv_k = -LB s_k        dW/da_k = -La s_k
 * Matrices by rows. */
typedef struct phy_load {
    double W[6];
    double La[36];
    double LB[36];
    double Th[36];
} phy_load;

/* What a subtree's motion calls for, summed over its bodies about O: inertia; E and p of the
 * velocity-dependent part D,
 *     D x = ( E x_w ; x_w x p )      D'y = ( E'y_w + p x y_u ; 0 )            F = I A + V x* (I V)
 *     (smooth_deriv.c) */
typedef struct phy_composite {
    double I[10];
    double E[9];
    double p[3];
    double F[6];
} phy_composite;

/* Loads of a subtree, matrices as six rows of eight; t: transposed. */
typedef struct phy_wide_load {
    double W[PHY_WIDE];
    double La[6 * PHY_WIDE];
    double LB[6 * PHY_WIDE];
    double LBt[6 * PHY_WIDE];
    double Th[6 * PHY_WIDE];
    double Tht[6 * PHY_WIDE];
} phy_wide_load;

/* The motions before and after the group of a dof: V_k-, V_k+, G_k-, A_k-. */
typedef struct phy_around {
    double V[PHY_WIDE];
    double Vplus[PHY_WIDE];
    double G[PHY_WIDE];
    double A[PHY_WIDE];
} phy_around;

/* What a dof is multiplied with, see smooth_rows.c:
 *     Dq[i][k] = mm_i'alp_k + rp_i'psi_k + rg_i'gam_k + rs_i's_k
 *     Dv[i][k] = mm_i'chi_k + rp_i's_k      Da[i][k] = ml_i's_k
 *     Dq[k][i] = y_i's_k                                               Dv[k][i] = z_i's_k
 *     Da[k][i] = ml_i's_k
 * Of these, what only dofs with loads have. */
typedef struct phy_load_row {
    double rg[PHY_WIDE];
    double rs[PHY_WIDE];
} phy_load_row;

/* X(type, name, count): the arrays of one evaluation, in the arena of the data. With nv, nbody, and
 * of whole blocks `columns`, see phy_column; `words` of a row of bits. */
#define PHY_DERIV_ARRAYS(X)                                                                        \
    /* columns of dofs: what moves them */                                                         \
    X(double, s, columns)                                                                          \
    X(double, psi, columns)                                                                        \
    X(double, gam, columns)                                                                        \
    X(double, alp, columns)                                                                        \
    X(double, chi, columns)                                                                        \
    /* columns of dofs: what they are multiplied with */                                           \
    X(double, y, columns)                                                                          \
    X(double, z, columns)                                                                          \
    X(double, ml, columns)                                                                         \
    X(double, mm, columns)                                                                         \
    X(double, rp, columns)                                                                         \
    /* scratch of whoever writes a row: three of nv, and room for whole lanes */                   \
    X(double, spare, 3 * (nv + PHY_LANES))                                                         \
    /* of bodies; A of the world is minus gravity */                                               \
    X(double, G, PHY_WIDE *nbody)                                                                  \
    X(double, A, PHY_WIDE *nbody)                                                                  \
    /* F - W of the subtree */                                                                     \
    X(double, net, 6 * nbody)                                                                      \
    X(phy_composite, composite, nbody)                                                             \
    /* what acts on the body, but for contacts */                                                  \
    X(phy_load, load, nbody)                                                                       \
    /* contacts of the body, then all loads of its subtree, until its parent goes on with them */  \
    X(phy_wide_load, wide, nbody)                                                                  \
    /* only of dofs with loads */                                                                  \
    X(phy_load_row, row, nv)                                                                       \
    X(phy_around, around, nv)                                                                      \
    /* the first dof of the group of each dof; the first dof after its subtree */                  \
    X(int, first, nv)                                                                              \
    X(int, end, nv)                                                                                \
    /* 1: load is in use */                                                                        \
    X(unsigned char, loaded, nbody)                                                                \
    /* where the loads of the subtree are; NULL: there are none */                                 \
    X(phy_wide_load *, subtree, nbody)                                                             \
    /* [nv x words] bit k of row i: dof k is i or an ancestor of it */                             \
    X(uint64_t, above, nv *words)

typedef struct phy_deriv {
    /* [nv x nv] by rows: row i a force, column k a variable */
    double *Dq;
    double *Dv;
    double *Da;
    /* of a row of `above` */
    int words;
#define PHY_DERIV_FIELD(type, name, count) type *name;
    PHY_DERIV_ARRAYS(PHY_DERIV_FIELD)
#undef PHY_DERIV_FIELD
} phy_deriv;

/* Whole blocks of columns hold so many numbers; so many words has a row of `above`. */
static inline size_t phy_deriv_columns(const sal_model *m)
{
    return 6 * PHY_LANES * (((size_t)m->nv + PHY_LANES - 1) / PHY_LANES);
}

static inline size_t phy_deriv_words(const sal_model *m)
{
    return ((size_t)m->nv + PHY_LANES + 63) / 64;
}

/* Columns hold six numbers of each dof in blocks of PHY_LANES dofs: number j of dof k is at
 * PHY_LANES j after this. */
static inline size_t phy_column_at(int k)
{
    return 6 * PHY_LANES * ((size_t)k / PHY_LANES) + (size_t)k % PHY_LANES;
}

static inline void phy_column(double r[6], const double *columns, int k)
{
    const double *from = columns + phy_column_at(k);
    for (int j = 0; j < 6; j++) {
        r[j] = from[PHY_LANES * j];
    }
}

/* The load of a body, and of its subtree, zero when first asked for. */
static inline phy_load *phy_deriv_load(phy_deriv *w, int body)
{
    phy_load *load = w->load + body;
    if (!w->loaded[body]) {
        static const phy_load none = {{0}, {0}, {0}, {0}};
        *load = none;
        w->loaded[body] = 1;
    }
    return load;
}

static inline phy_wide_load *phy_deriv_wide(phy_deriv *w, int body)
{
    if (w->subtree[body] == NULL) {
        static const phy_wide_load none = {{0}, {0}, {0}, {0}, {0}, {0}};
        w->wide[body] = none;
        w->subtree[body] = w->wide + body;
    }
    return w->subtree[body];
}

/* Takes all arrays; run twice, to measure and to place. No body has a load yet. inverse_deriv.c */
bool phy_deriv_take(const sal_model *m, sal_arena *arena, phy_deriv *w);
void phy_deriv_clear(const sal_model *m, phy_deriv *w);

/* The columns, G, A and the composites of single bodies (sal_inverse done). smooth_columns.c
 * Composites and loads of subtrees, and the rows of dofs. smooth_rows.c Dq, Dv, Da of them: every
 * entry, zero where neither dof is an ancestor of the other. smooth_deriv.c */
void phy_smooth_columns(const sal_model *m, const sal_data *d, phy_deriv *w);
void phy_smooth_rows(const sal_model *m, phy_deriv *w);
void phy_smooth_products(const sal_model *m, const sal_data *d, const phy_deriv *w);

/* `above` and `end`, which the model alone decides about. inverse_deriv.c */
void phy_deriv_subtrees(const sal_model *m, uint64_t *above, int words, int *end);

/* Contacts of one moving body as loads; those of two into Dq, Dv, Da. contact_deriv.c */
void phy_contact_load(const sal_model *m, const sal_data *d, phy_deriv *w);
void phy_contact_pairs(const sal_model *m, sal_data *d, phy_deriv *w);

/* The law of a contact at its present force, in the order n, t1, t2, torsion, rolling: f, H =
 * -df/djar [dim x dim], the damping of each row; jar_l varies by kap_l ddist (kap_0 alone, but for
 * pyramids of integrator="discrete"), and f by rho f ddist
 * and by_gap ddist (zero of the level of accelerations: `gapped` is false), and by by_next ds where
 * the law knows the gap s at the next instant. False: no force, nothing written but that.
 * contact_law_deriv.c */
typedef struct phy_contact_law {
    int dim;
    double force[6];
    double H[36];
    double b[6];
    double kap[6];
    double rho;
    bool gapped;
    double by_gap[6];
    double by_next[6];
    /* only then: how f varies with log D, else f itself; by_gap is what that adds to rho f */
    bool sticks;
    double by_log_D[6];
} phy_contact_law;
bool phy_contact_law_at(const sal_model *m, const sal_data *d, int i, phy_contact_law *law);

#endif
