/* wide_deriv.h: what the derivatives of several instants at once work with; private to the files
 * of physics/abreast. */
#ifndef SAL_PHYSICS_ABREAST_WIDE_DERIV_H
#define SAL_PHYSICS_ABREAST_WIDE_DERIV_H

#include "physics/abreast/deriv_kernel.h"
#include "physics/abreast/turn.h"
#include "physics/width.h"

/* phy_composite of so many instants */
typedef struct phy_composites_abreast {
    phy_real I[10];
    phy_real E[9];
    phy_real p[3];
    phy_real F[6];
} phy_composites_abreast;

/* phy_wide_load, matrices as six rows of six; minus zero, to which anything may be added without a
 * change, in lanes without loads */
typedef struct phy_loads_abreast {
    phy_real W[6];
    phy_real La[36];
    phy_real LB[36];
    phy_real Th[36];
    phy_real LBt[36]; /* not where LB is symmetric: the last */
} phy_loads_abreast;

/* X(type, name, count) */
#define PHY_WIDE_DERIV_ARRAYS(X)                                                                   \
    X(phy_real, gam, 6 * nv)                                                                       \
    X(phy_real, alp, 6 * nv)                                                                       \
    X(phy_real, chi, 6 * nv)                                                                       \
    X(phy_real, y, 6 * nv)                                                                         \
    X(phy_real, z, 6 * nv)                                                                         \
    X(phy_real, ml, 6 * nv)                                                                        \
    X(phy_real, mm, 6 * nv)                                                                        \
    X(phy_real, rp, 6 * nv)                                                                        \
    X(phy_real, rg, 6 * nv)                                                                        \
    X(phy_real, rs, 6 * nv)                                                                        \
    /* of bodies; rows of G are of eight */                                                        \
    X(phy_real, G, PHY_WIDE *nbody)                                                                \
    X(phy_real, A, 6 * nbody)                                                                      \
    X(phy_real, net, 6 * nbody)                                                                    \
    X(phy_composites_abreast, composite, nbody)                                                    \
    X(phy_loads_abreast, load, nbody)                                                              \
    /* where the loads of the subtree are, NULL: there are none; and in which lanes, a bit each */ \
    X(phy_loads_abreast *, subtree, nbody)                                                         \
    X(unsigned char, loaded, nbody)                                                                \
    /* rows of Dq, Dv, Da in the making; scratch of whoever makes them */                          \
    X(phy_real, row, 3 * (nv + PHY_TURNED))                                                        \
    X(phy_real, spare, 2 * nv)                                                                     \
    /* as in phy_deriv */                                                                          \
    X(int, first, nv)                                                                              \
    X(int, end, nv)                                                                                \
    X(uint64_t, above, nv *words)                                                                  \
    /* which columns of rows are filled, see phy_row_blocks */                                     \
    X(unsigned char, block, nv *((nv + PHY_TURNED - 1) / PHY_TURNED))                              \
    /* a load of minus zeros */                                                                    \
    X(phy_wide_load, nothing, 1)

typedef struct phy_wide_deriv {
    int words;
    bool alike; /* loads were found side by side, and their LB is La times numbers: LBt = LB */
    phy_deriv instant[PHY_WIDTH];
#define PHY_WIDE_FIELD(type, name, count) type *name;
    PHY_WIDE_DERIV_ARRAYS(PHY_WIDE_FIELD)
#undef PHY_WIDE_FIELD
} phy_wide_deriv;

/* As phy_smooth_columns, phy_smooth_rows. deriv_columns.c, deriv_rows.c */
void phy_columns_abreast(const sal_model *m, const phy_instants *x, phy_wide_deriv *w);
void phy_rows_abreast(const sal_model *m, const phy_instants *x, phy_wide_deriv *w);
/* The loads of all contacts of the data d[0] .. d[n - 1] that are loads; false, and none of them:
 * some are of other kinds than those that are found side by side. deriv_contacts.c */
bool phy_contacts_abreast(const sal_model *m, const phy_instants *x, phy_wide_deriv *w,
                          sal_data *const *d, int n);
/* What the columns of rows hold, which the model alone decides about (above and end are known);
 * as phy_smooth_products, of the first n instants. deriv_products.c */
void phy_row_blocks(const sal_model *m, const phy_wide_deriv *w);
void phy_products_abreast(const sal_model *m, const phy_instants *x, const phy_wide_deriv *w,
                          const phy_abreast_jacobian *J, int n);

/* All bits in the lanes that are set */
static SAL_INLINE void phy_lanes_of_bits(phy_truth *r, unsigned bits)
{
    for (int l = 0; l < PHY_WIDTH; l++) {
        (*r)[l] = -(long long)(bits >> l & 1);
    }
}

/* r = a where which holds, else b */
static SAL_INLINE void phy_choose(phy_real *r, const phy_truth *which, const phy_real *a,
                                  const phy_real *b)
{
    *r = (phy_real)(((phy_truth)*a & *which) | ((phy_truth)*b & ~*which));
}

static SAL_INLINE void phy_copy(phy_real *r, const phy_real *a, int n)
{
    for (int j = 0; j < n; j++) {
        r[j] = a[j];
    }
}

#endif
