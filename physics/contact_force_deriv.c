/* contact_force_deriv.c: how the force of a contact varies, number by number, in the contact's own frame. contact_deriv.c has the notation and
 * djar; here they are taken along every dof of the two bodies.
 *
 *     f = law(jar)      df_j = - sum_l H_jl djar_l + rho f_j ddist
 *
 * A dof that moves B alone: djar_l, ddist from the collider's maps along s_k, and e_l'(gam_k + B_l psi_k) of its own. What moves both leaves f
 * as it is, but for the tangents, which spin by n (c'w): djar_l = -r_l'(n x Y^l)(c'w). What moves A alone is the difference of the two.
 */
#include "physics/collide_deriv.h"
#include "physics/contact_law.h"
#include "physics/deriv.h"
#include "physics/stages.h"

#include <string.h>

enum { DIM = 6 };

/* A contact, with the motion of B's body and of B over A at its point for the damping of every row. */
typedef struct pressed {
    const sal_contact *contact;
    sal_contact_law law;
    int n; /* numbers asked for */
    double YB[DIM][6], Y[DIM][6];
    sal_contact_map map;
} pressed;

static void arm_of(const sal_model *m, const sal_data *d, double arm[3], const double point[3],
                   int body)
{
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
}

/* G = sum s a of the body, at P; V likewise */
static void motion_at(const sal_model *m, const sal_data *d, double G[6], double V[6], int body,
                      const double point[3])
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    double arm[3], sum[6] = {0};
    arm_of(m, d, arm, point, body);
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        sal_sp_addscaled(sum, sum, d->qacc[chain[i]], d->cdof + 6 * chain[i]);
    }
    sal_sp_at_point(G, sum, arm);
    sal_sp_at_point(V, d->cvel + 6 * body, arm);
}

static bool is_pressed(const sal_model *m, const sal_data *d, int i, pressed *c)
{
    double GA[6], VA[6], GB[6], VB[6];
    c->contact = d->contact + i;
    if (!sal_contact_law_at(m, d, i, &c->law)) {
        return false;
    }
    const int bodyA = m->geom_bodyid[c->contact->geom1], bodyB = m->geom_bodyid[c->contact->geom2];
    sal_contact_map_at(m, d, i, &c->map);
    motion_at(m, d, GA, VA, bodyA, c->contact->pos);
    motion_at(m, d, GB, VB, bodyB, c->contact->pos);
    for (int l = 0; l < c->law.dim; l++) { /* Y^l = G + B_l V */
        double YA[6];
        sal_sp_addscaled(YA, GA, c->law.b[l], VA);
        sal_sp_addscaled(c->YB[l], GB, c->law.b[l], VB);
        sal_sp_addscaled(c->Y[l], c->YB[l], -1, YA);
    }
    return true;
}

/* e_l'x of a motion at P */
static double along_row(const pressed *c, int l, const double x[6])
{
    return sal_v3_dot(c->contact->frame + 3 * (l % 3), l < 3 ? x + 3 : x);
}

static void map_mul(double r[3], const double map[18], const double s[6])
{
    for (int i = 0; i < 3; i++) {
        r[i] = sal_sp_dot(map + 6 * i, s);
    }
}

/* djar of B moving along s = (w; u) at P, but for what gam and psi add:
 *     forces   r'(w x y_B + u x w_B + w_Y x dP - theta x y) + [l = 0] kap ddist        moments   r'(w x w_B - theta x w_Y) */
static void slope_along(const pressed *c, const double s[6], double ddist, double djar[DIM])
{
    double dP[3], theta[3];
    map_mul(dP, c->map.pos, s);
    map_mul(theta, c->map.turn, s);
    for (int l = 0; l < c->law.dim; l++) {
        const double *YB = c->YB[l], *Y = c->Y[l];
        double x[3];
        if (l < 3) {
            sal_v3_cross(x, s, YB + 3);
            sal_v3_addcross(x, s + 3, YB);
            sal_v3_addcross(x, Y, dP);
            sal_v3_addcross(x, Y + 3, theta);
        } else {
            sal_v3_cross(x, s, YB);
            sal_v3_addcross(x, Y, theta);
        }
        djar[l] = sal_v3_dot(c->contact->frame + 3 * (l % 3), x);
    }
    djar[0] += c->law.kap * ddist;
}

/* Column k of D += - H djar + rho f ddist */
static void add_column(const pressed *c, const double djar[DIM], double ddist, double *D, int nv,
                       int k)
{
    for (int j = 0; j < c->n; j++) {
        double sum = c->law.rho * c->law.force[j] * ddist;
        for (int l = 0; l < c->law.dim; l++) {
            sum -= c->law.H[j * c->law.dim + l] * djar[l];
        }
        D[j * nv + k] += sum;
    }
}

/* The tangents' spin by a dof that moves A: djar_l = -r_l'(n x Y^l)(c'w) */
static void spin_along(const pressed *c, const double s[6], double djar[DIM])
{
    const double turn = sal_v3_dot(c->map.spin, s);
    for (int l = 0; l < c->law.dim; l++) {
        double t[3];
        sal_v3_cross(t, c->contact->frame, l < 3 ? c->Y[l] + 3 : c->Y[l]);
        djar[l] -= turn * sal_v3_dot(c->contact->frame + 3 * (l % 3), t);
    }
}

/* The dofs of one side's chain from the common-th on, +1: of B; G- before their groups. */
static void add_side(const sal_model *m, const sal_data *d, const pressed *c, int side, int common,
                     double *const D[3])
{
    const int body = m->geom_bodyid[side > 0 ? c->contact->geom2 : c->contact->geom1];
    const int *chain = m->chain_dof + m->body_chainadr[body];
    double arm[3], before[6] = {0}, G[6] = {0};
    int end = -1;
    arm_of(m, d, arm, c->contact->pos, body);
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        const int k = chain[i];
        const double *column = d->cdof + 6 * k;
        double s[6], gam[6], psi[6], t[6], q[DIM] = {0}, v[DIM], a[DIM], ddist = 0;
        if (k >= end) {
            end = sal_group_end(m, k);
            memcpy(before, G, sizeof before);
        }
        sal_sp_addscaled(G, G, d->qacc[k], column);
        sal_sp_at_point(s, column, arm);
        if (i >= common) {
            ddist = side * sal_sp_dot(c->map.dist, s);
            sal_sp_cross_motion(t, before, column);
            sal_sp_at_point(gam, t, arm);
            sal_sp_at_point(psi, d->cdof_dot + 6 * k, arm);
            slope_along(c, s, sal_sp_dot(c->map.dist, s), q);
            for (int l = 0; l < c->law.dim; l++) {
                q[l] = side * (q[l] + along_row(c, l, gam) + c->law.b[l] * along_row(c, l, psi));
                a[l] = side * along_row(c, l, s);
                v[l] = c->law.b[l] * a[l];
            }
            add_column(c, v, 0, D[1], m->nv, k);
            add_column(c, a, 0, D[2], m->nv, k);
        }
        if (side < 0) {
            spin_along(c, s, q);
        }
        add_column(c, q, ddist, D[0], m->nv, k);
    }
}

bool sal_contact_force_deriv(const sal_model *m, const sal_data *d, int i, int n, double *Dq,
                             double *Dv, double *Da)
{
    double *const D[3] = {Dq, Dv, Da};
    pressed c;
    if (m->opt.enable & SAL_ENBL_DIAGEXACT) {
        return false;
    }
    if (is_pressed(m, d, i, &c)) {
        const int common =
            sal_common_dofs(m, m->geom_bodyid[c.contact->geom1], m->geom_bodyid[c.contact->geom2]);
        c.n = n < c.law.dim ? n : c.law.dim;
        add_side(m, d, &c, -1, common, D);
        add_side(m, d, &c, 1, common, D);
    }
    return true;
}
