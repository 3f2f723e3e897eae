/* com.c: inertias and motion columns about the centre of mass c of each tree (a tree hangs from the
 * world by one child of it). One point per tree, so that spatial vectors of its bodies add without
 * shifting; near the masses, so that little is lost to rounding. */
#include "physics/width.h"

#include <string.h>

/* subtree_com[b] = sum of m xi over b and what hangs from it, / its mass */
static void subtree_com(const sal_model *m, phy_instants *d)
{
    phy_real *com = d->subtree_com;
    for (int b = 0; b < m->nbody; b++) {
        phy_v3_scale(com + 3 * b, d->xipos + 3 * b, m->body_mass[b]);
    }
    for (int b = m->nbody - 1; b > 0;
         b--) { /* children come after their parents: com[b] is complete */
        const int p = m->body_parentid[b];
        phy_v3_add(com + 3 * p, com + 3 * p, com + 3 * b);
    }
    for (int b = 0; b < m->nbody; b++) {
        if (m->body_subtreemass[b] < SAL_MINVAL) {
            phy_v3_copy(com + 3 * b, d->xipos + 3 * b);
        } else {
            phy_v3_scale(com + 3 * b, com + 3 * b, 1 / m->body_subtreemass[b]);
        }
    }
}

/* I_c = R diag(I) R' + m (|r|^2 1 - r r'),   h = m r,   r = xi - c */
static SAL_INLINE void inertia_about(phy_real inert[10], const phy_real c[3], const phy_real xi[3],
                                     const phy_real r[9], const double diag[3], double mass)
{
    phy_real a[3], t[9], d[6];
    phy_v3_sub(a, xi, c);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t[3 * i + k] = r[3 * i + k] * diag[k];
        }
    }
    const phy_real hx = mass * a[0], hy = mass * a[1], hz = mass * a[2];
    phy_v3_dot(d, t, r);
    phy_v3_dot(d + 1, t + 3, r + 3);
    phy_v3_dot(d + 2, t + 6, r + 6);
    phy_v3_dot(d + 3, t, r + 3);
    phy_v3_dot(d + 4, t, r + 6);
    phy_v3_dot(d + 5, t + 3, r + 6);
    inert[0] = d[0] + hy * a[1] + hz * a[2];
    inert[1] = d[1] + hx * a[0] + hz * a[2];
    inert[2] = d[2] + hx * a[0] + hy * a[1];
    inert[3] = d[3] - hx * a[1];
    inert[4] = d[4] - hx * a[2];
    inert[5] = d[5] - hy * a[2];
    inert[6] = hx, inert[7] = hy, inert[8] = hz;
    inert[9] = mass - (phy_real){0};
}

/* s = (w ; w x (c - anchor)): a turn with axis w about a line through the anchor, seen at c */
static SAL_INLINE void turn_column(phy_real s[6], const phy_real w[3], const phy_real arm[3])
{
    phy_v3_copy(s, w);
    phy_v3_cross(s + 3, w, arm);
}

/* The motion columns of joint j. */
static SAL_INLINE void joint_columns(const sal_model *m, phy_instants *d, int j)
{
    const int b = m->jnt_bodyid[j];
    phy_real *s = d->cdof + 6 * m->jnt_dofadr[j], arm[3], w[3];
    phy_v3_sub(arm, d->subtree_com + 3 * m->body_rootid[b], d->xanchor + 3 * j);
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        memset(s, 0, 18 * sizeof *s);
        for (int k = 0; k < 3; k++) {
            s[7 * k + 3] += 1; /* (0; e_k) */
        }
        s += 18;
        /* fall through */
    case SAL_JNT_BALL:
        for (int k = 0; k < 3; k++) {
            phy_m3_column(w, d->xmat + 9 * b, k);
            turn_column(s + 6 * k, w, arm);
        }
        break;
    case SAL_JNT_SLIDE:
        memset(s, 0, 3 * sizeof *s);
        phy_v3_copy(s + 3, d->xaxis + 3 * j);
        break;
    case SAL_JNT_HINGE:
        turn_column(s, d->xaxis + 3 * j, arm);
        break;
    }
}

void phy_com(const sal_model *m, phy_instants *d)
{
    d->composed = d->factored = false;
    subtree_com(m, d);
    memset(d->cinert, 0, SAL_SP_INERTIA * sizeof *d->cinert);
    for (int b = 1; b < m->nbody; b++) {
        inertia_about(d->cinert + SAL_SP_INERTIA * b, d->subtree_com + 3 * m->body_rootid[b],
                      d->xipos + 3 * b, d->ximat + 9 * b, m->body_inertia + 3 * b, m->body_mass[b]);
    }
    for (int j = 0; j < m->njnt; j++) {
        joint_columns(m, d, j);
    }
}
