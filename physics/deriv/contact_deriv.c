/* contact_deriv.c: how the wrench of a contact varies with the poses and motions of its two bodies.
 *
 * A, B are the bodies of geom1, geom2; W acts on B, -W on A. At the contact point P, with B_l the
 * damping of row l, e_l its wrench (rows n, t1, t2 of the frame as forces, then as moments) and
 * Y^l_b = G_b + B_l V_b:
 *
 *     jar_l = e_l'(Y^l_B - Y^l_A) + [l = 0] K d x,   x = dist - margin        f = law(jar)
 *     H = -df/djar        g = sum f_j e_j
 *
 * The collider's maps say, for a twist xi = (w; u) of B at P with A held fixed, how dist, P and the
 * frame move (ddist, dP, theta). With y, w_Y the linear and angular part of Y^l_B - Y^l_A at P, and
 * y_B, w_B those of Y^l_B, rows of the frame r:
 *
 *     djar_l = r'( w x y_B + u x w_B + w_Y x dP - theta x y ) + [l = 0] kap ddist         forces
 *     kap = K (d + d' x)
 *     djar_l = r'( w x w_B - theta x w_Y )                                                moments
 *     dg     = - sum e_j H_jl djar_l + theta x g + rho g ddist
 *     rho = d'/(d (1 - d)), as f is proportional to D
 *     dW     = dg, and the moment dP x force
 *
 * Where surfaces move along their geoms (contact_surface.c), their motions S_b, which their bodies
 * carry along, stand beside V_b in the rows of both tangents and of torsion.
 *
 * Where it sticks (contact_adhesion.c), R a in jar_0 varies with dist too, whence dg += sum e_j
 * by_gap_j ddist.
 *
 * Laws of the level of velocities know the next velocity J v + h J a, so that B = 1/h in all rows,
 * and the gap by itself: K = 0, rho = 0, and dg += sum e_j (df_j/dgap) ddist.
 *
 * All this is a matrix,  dW = Theta xi,  and dof k of B's chain alone gives
 *
 *     dW/dq_k = Theta s_k - La gam_k - LB psi_k,   La = sum e_j H_jl e_l',
 *     LB = sum e_j H_jl B_l e_l'
 *
 * A dof that moves both carries W along: dW/dq_k = s_k x* W. One that moves A only is the
 * difference of the two. Tangents that are aligned with an axis of the world do not quite follow a
 * common rotation w: they spin by n (c'w) more, which matters where the cone is not round:
 *
 *     dW = sp (c'w),    sp = n x g + sum e_j H_jl r_l'(n x ..)
 *     (moments and forces)
 */
#include "physics/contact_law.h"
#include "physics/deriv/collide_deriv.h"
#include "physics/deriv/deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/deriv/step_deriv.h"
#include "physics/lanes.h"
#include "physics/stages.h"

#include <string.h>

enum { DIM = 6, A = 0, B = 1, WIDE = PHY_WIDE };

/* One contact with force. Matrices by six rows of eight, at P, in world axes. */
typedef struct phy_contact_terms {
    phy_contact_law law;
    int body[2];
    const double *frame, *pos;
    double W[6], spin[6];
    double Theta[6 * WIDE], La[6 * WIDE], LB[6 * WIDE];
    phy_contact_map map;
    bool anisotropic, alike; /* alike: all B_l are the same, and LB = B La is not written */
    bool slides;             /* surfaces move along the geoms */
} phy_contact_terms;

/* Friction is the same along both tangents, and about them: how the frame spins about its normal
 * makes no difference. */
static bool is_round(const sal_model *m, const sal_contact *c)
{
    const double *mu = m->pair_friction + 5 * c->pair;
    return c->dim == 1 || (m->opt.cone == SAL_CONE_ELLIPTIC && mu[0] == mu[1] &&
                           (c->dim < 6 || mu[3] == mu[4]) && m->opt.sigma == 0);
}

/* ---- variation at P ---- */

/* Y_b = G_b + b V_b of both bodies at the contact point, and Y = Y_B - Y_A */
typedef struct phy_jar_velocity {
    double B[6], Y[6];
} phy_jar_velocity;

static SAL_INLINE void jar_velocity(const sal_model *m, const sal_data *d, const phy_deriv *w,
                                    const phy_contact_terms *c, double b, phy_jar_velocity *r)
{
    double Y[2][6];
    for (int side = A; side <= B; side++) {
        const int body = c->body[side];
        double arm[3], y[6];
        sal_v3_sub(arm, c->pos, d->subtree_com + 3 * m->body_rootid[body]);
        sal_sp_addscaled(y, w->G + WIDE * body, b, d->cvel + 6 * body);
        sal_sp_at_point(Y[side], y, arm);
    }
    memcpy(r->B, Y[B], sizeof r->B);
    sal_sp_addscaled(r->Y, Y[B], -1, Y[A]);
}

/* Y_b += b S_b */
static void add_surfaces(const sal_model *m, const sal_data *d, const phy_contact_terms *c,
                         const sal_contact *contact, phy_jar_velocity *r)
{
    double S[2][6];
    sal_surface_motion(m, d, contact->geom1, c->pos, S[A]);
    sal_surface_motion(m, d, contact->geom2, c->pos, S[B]);
    sal_sp_addscaled(r->B, r->B, c->law.b[1], S[B]);
    sal_sp_addscaled(r->Y, r->Y, c->law.b[1], S[B]);
    sal_sp_addscaled(r->Y, r->Y, -c->law.b[1], S[A]);
}

/* Which of the three of contact_terms is that of row l */
static SAL_INLINE int jar_of_row(const phy_contact_terms *c, int l)
{
    return c->slides && l > 0 && l < 4 ? 2 : l > 0 && !c->alike;
}

static SAL_INLINE phy_six six_of(const double w[3], const double u[3])
{
    const phy_six r = {{w[0], w[1], w[2], u[0]}, {u[1], u[2], 0, 0}};
    return r;
}

/* r += s row, a row of six */
static SAL_INLINE void add_six(phy_six *r, double s, const double row[6])
{
    phy_six x = {{0}, {0}};
    phy_six_load(&x, row);
    phy_six_add(r, s, &x);
}

/* to += s x, a row of eight */
static SAL_INLINE void add_to_row(double *to, double s, const phy_six *x)
{
    phy_six row = {{0}, {0}};
    phy_six_load_wide(&row, to);
    phy_six_add(&row, s, x);
    phy_six_store_wide(to, &row);
}

/* The covector of djar_l but for dist. */
static SAL_INLINE phy_six jar_slope(const phy_contact_terms *c, const phy_jar_velocity *Y, int l)
{
    static const double none[3] = {0, 0, 0};
    const double *r = c->frame + 3 * (l % 3), *relative = l < 3 ? Y->Y + 3 : Y->Y;
    double x[3], y[3];
    phy_six slope;
    if (l < 3) {
        sal_v3_cross(x, Y->B + 3, r); /* r'(w x y_B) = (y_B x r)'w, and so on */
        sal_v3_cross(y, Y->B, r);
        slope = six_of(x, y);
        sal_v3_cross(x, r, Y->Y);
        for (int j = 0; j < 3; j++) {
            add_six(&slope, x[j], c->map.pos + 6 * j);
        }
    } else {
        sal_v3_cross(x, Y->B, r);
        slope = six_of(x, none);
    }
    sal_v3_cross(x, r, relative);
    for (int j = 0; j < 3; j++) {
        add_six(&slope, x[j], c->map.turn + 6 * j);
    }
    return slope;
}

/* e_l: row l as a wrench */
static SAL_INLINE phy_six wrench_of(const phy_contact_terms *c, int l)
{
    static const double none[3] = {0, 0, 0};
    const double *r = c->frame + 3 * (l % 3);
    return l < 3 ? six_of(none, r) : six_of(r, none);
}

/* Theta -= sum e_j H_jl slope_l,    La += sum e_j H_jl e_l',
 * LB += sum e_j H_jl B_l e_l' where that is no multiple of La */
static SAL_INLINE void add_law(phy_contact_terms *c, const phy_six *slope)
{
    const int n = c->law.dim;
    for (int j = 0; j < n; j++) {
        const double *r = c->frame + 3 * (j % 3);
        const int rows = j < 3 ? 3 : 0;
        phy_six h = {{0}, {0}}, la = h, lb = h;
        for (int l = 0; l < n; l++) {
            const double weight = c->law.H[j * n + l];
            const phy_six e = wrench_of(c, l);
            phy_six_add(&h, weight, slope + l);
            phy_six_add(&la, weight, &e);
            phy_six_add(&lb, weight * c->law.b[l], &e);
        }
        for (int i = 0; i < 3; i++) {
            add_to_row(c->Theta + WIDE * (rows + i), -r[i], &h);
            add_to_row(c->La + WIDE * (rows + i), r[i], &la);
            if (!c->alike) {
                add_to_row(c->LB + WIDE * (rows + i), r[i], &lb);
            }
        }
    }
}

/* M = 0 */
static SAL_INLINE void clear(double M[6 * WIDE])
{
    const phy_lanes zero = {0};
    for (int j = 0; j < 6 * WIDE; j += PHY_LANES) {
        phy_lanes_store(M + j, &zero);
    }
}

/* to += s from, a row of eight */
static SAL_INLINE void add_row(double *to, double s, const double *from)
{
    phy_six x = {{0}, {0}};
    phy_six_load_wide(&x, from);
    add_to_row(to, s, &x);
}

/* M (three rows of eight) -= f x map, a 3 x 6 matrix */
static SAL_INLINE void subtract_crossed(double *M, const double f[3], const double map[18])
{
    for (int j = 0; j < 6; j++) {
        const double x = map[j], y = map[6 + j], z = map[12 + j];
        M[j] -= f[1] * z - f[2] * y;
        M[WIDE + j] -= f[2] * x - f[0] * z;
        M[2 * WIDE + j] -= f[0] * y - f[1] * x;
    }
}

/* sum e_j (df_j/dgap) ddist */
static void add_gap(phy_contact_terms *c)
{
    for (int j = 0; j < c->law.dim; j++) {
        const double *r = c->frame + 3 * (j % 3);
        for (int i = 0; i < 3; i++) {
            double *row = c->Theta + WIDE * ((j < 3 ? 3 : 0) + i);
            for (int k = 0; k < 6; k++) {
                row[k] += r[i] * c->law.by_gap[j] * c->map.dist[k];
            }
        }
    }
}

/* The frame turns by theta and P moves by dP: theta x g, rho g ddist, dP x force. */
static SAL_INLINE void add_geometry(phy_contact_terms *c, double rho)
{
    const double *moment = c->W, *force = c->W + 3;
    if (c->law.dim > 3) {
        subtract_crossed(c->Theta, moment, c->map.turn);
    }
    subtract_crossed(c->Theta, force, c->map.pos);
    subtract_crossed(c->Theta + 3 * WIDE, force, c->map.turn);
    for (int i = c->law.dim > 3 ? 0 : 3; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            c->Theta[WIDE * i + k] += rho * c->W[i] * c->map.dist[k];
        }
    }
}

/* sp = n x g + sum e_j H_jl r_l'(n x Y^l) */
static void spin_of(phy_contact_terms *c, const phy_jar_velocity Y[3])
{
    const double *normal = c->frame;
    double turned[DIM];
    sal_v3_cross(c->spin, normal, c->W);
    sal_v3_cross(c->spin + 3, normal, c->W + 3);
    for (int l = 0; l < c->law.dim; l++) {
        const double *y = Y[jar_of_row(c, l)].Y;
        double t[3];
        sal_v3_cross(t, normal, l < 3 ? y + 3 : y);
        turned[l] = sal_v3_dot(c->frame + 3 * (l % 3), t);
    }
    for (int j = 0; j < c->law.dim; j++) {
        double sum = 0;
        for (int l = 0; l < c->law.dim; l++) {
            sum += c->law.H[j * c->law.dim + l] * turned[l];
        }
        double *to = c->spin + (j < 3 ? 3 : 0);
        sal_v3_addscaled(to, to, sum, c->frame + 3 * (j % 3));
    }
}

/* W at P from the force in the contact's frame. */
static SAL_INLINE void wrench(phy_contact_terms *c, const double force[6])
{
    for (int i = 0; i < 6; i++) {
        c->W[i] = 0;
    }
    for (int j = 0; j < c->law.dim; j++) {
        double *to = c->W + (j < 3 ? 3 : 0);
        sal_v3_addscaled(to, to, force[j], c->frame + 3 * (j % 3));
    }
}

/* Without passive forces all that acts is what the rows exert. */
static void leave_rows(const sal_model *m, const sal_contact *contact, phy_contact_law *law)
{
    const double a = phy_adhesion_of(m, contact);
    law->force[0] += a;
    law->by_gap[0] -= law->rho * a;
}

/* Everything of contact i; false if it exerts no force. */
static SAL_INLINE bool contact_terms(const sal_model *m, const sal_data *d, const phy_deriv *w,
                                     phy_contact_terms *c, int i)
{
    const sal_contact *contact = d->contact + i;
    phy_jar_velocity Y[3]; /* of the normal row, of the others, and of those that surfaces move */
    phy_six slope[DIM];
    if (!phy_contact_law_at(m, d, i, &c->law)) {
        return false;
    }
    c->frame = contact->frame, c->pos = contact->pos;
    c->body[A] = m->geom_bodyid[contact->geom1], c->body[B] = m->geom_bodyid[contact->geom2];
    c->anisotropic = !is_round(m, contact);
    c->alike = c->law.dim < 2 || c->law.b[1] == c->law.b[0];
    if (c->law.sticks && phy_passive_is_off(m)) {
        leave_rows(m, contact, &c->law);
    }
    wrench(c, c->law.force);
    phy_contact_map_at(m, d, i, &c->map);
    jar_velocity(m, d, w, c, c->law.b[0], Y);
    if (!c->alike) {
        jar_velocity(m, d, w, c, c->law.b[1], Y + 1);
    }
    c->slides = phy_surfaces_slide(m, contact);
    if (c->slides) {
        Y[2] = Y[!c->alike];
        add_surfaces(m, d, c, contact, Y + 2);
    }
    for (int l = 0; l < c->law.dim; l++) {
        slope[l] = jar_slope(c, Y + jar_of_row(c, l), l);
    }
    for (int l = 0; l < c->law.dim && (l == 0 || c->law.kap[l] != 0); l++) {
        add_six(slope + l, c->law.kap[l], c->map.dist);
    }
    clear(c->Theta);
    clear(c->La);
    if (!c->alike) {
        clear(c->LB);
    }
    add_law(c, slope);
    add_geometry(c, c->law.rho);
    if (c->law.gapped || c->law.sticks) {
        add_gap(c);
    }
    if (c->anisotropic) {
        spin_of(c, Y);
    }
    return true;
}

/* ---- one moving body ---- */

/* A matrix at P as one about O:  X'T X,   X = (1, 0; -[arm], 1) */
static SAL_INLINE void shift(double T[6 * WIDE], const double arm[3])
{
    for (int i = 0; i < 6; i++) { /* (T X)_w = T_w + arm x T_u, row by row */
        double t[3], *row = T + WIDE * i;
        sal_v3_cross(t, arm, row + 3);
        sal_v3_add(row, row, t);
    }
    for (int i = 0; i < 3; i++) { /* moments += arm x forces */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        add_row(T + WIDE * i, arm[j], T + WIDE * (3 + k));
        add_row(T + WIDE * i, -arm[k], T + WIDE * (3 + j));
    }
}

static SAL_INLINE void add_matrix(double r[6 * WIDE], const double a[6 * WIDE])
{
    for (int i = 0; i < 6; i++) {
        add_row(r + WIDE * i, 1, a + WIDE * i);
    }
}

static SAL_INLINE void add_transpose(double r[6 * WIDE], const double a[6 * WIDE])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            r[WIDE * j + i] += a[WIDE * i + j];
        }
    }
}

/* Th -= (x -> x x* W): what is carried along, for the side of geom1
 *     (w; u) x* (n; f) = (w x n + u x f ; w x f) = -( [n] w + [f] u ; [f] w ) */
static void subtract_carried(double Th[6 * WIDE], const double W[6])
{
    static const int row[6] = {0, 0, 1, 1, 2, 2}, column[6] = {1, 2, 0, 2, 0, 1},
                     from[6] = {2, 1, 2, 0, 1, 0};
    static const double sign[6] = {-1, 1, 1, -1, -1, 1};
    const double *n = W, *f = W + 3;
    for (int i = 0; i < 6; i++) {
        Th[WIDE * row[i] + column[i]] += sign[i] * n[from[i]];
        Th[WIDE * row[i] + 3 + column[i]] += sign[i] * f[from[i]];
        Th[WIDE * (3 + row[i]) + column[i]] += sign[i] * f[from[i]];
    }
}

/* The body of geom2 (side B), or of geom1, moves alone:  W_A = -W, Th_A = Theta - (x -> x x* W) -
 *                                                        sp c' */
static SAL_INLINE void load_body(const sal_model *m, const sal_data *d, phy_deriv *w,
                                 phy_contact_terms *c, int side)
{
    const int body = c->body[side];
    phy_wide_load *load = phy_deriv_wide(w, body);
    const double sign = side == B ? 1 : -1;
    double arm[3], moment[3];
    sal_v3_sub(arm, c->pos, d->subtree_com + 3 * m->body_rootid[body]);
    if (side == A) {
        subtract_carried(c->Theta, c->W);
        for (int i = 0; i < 6 && c->anisotropic; i++) {
            double *row = c->Theta + WIDE * i;
            sal_v3_addscaled(row, row, -c->spin[i], c->map.spin);
        }
    }
    shift(c->Theta, arm);
    shift(c->La, arm);
    add_matrix(load->La, c->La);
    if (c->alike) { /* LB = B La */
        for (int i = 0; i < 6; i++) {
            add_row(load->LB + WIDE * i, c->law.b[0], c->La + WIDE * i);
            add_row(load->LBt + WIDE * i, c->law.b[0], c->La + WIDE * i);
        }
    } else {
        shift(c->LB, arm);
        add_matrix(load->LB, c->LB);
        add_transpose(load->LBt, c->LB);
    }
    add_matrix(load->Th, c->Theta);
    add_transpose(load->Tht, c->Theta);
    sal_v3_cross(moment, arm, c->W + 3);
    sal_v3_add(moment, moment, c->W);
    sal_v3_addscaled(load->W, load->W, sign, moment);
    sal_v3_addscaled(load->W + 3, load->W + 3, sign, c->W + 3);
}

PHY_LANED void phy_contact_load(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    for (int i = 0; i < d->ncon; i++) {
        const bool moves[2] = {m->body_chainnum[m->geom_bodyid[d->contact[i].geom1]] > 0,
                               m->body_chainnum[m->geom_bodyid[d->contact[i].geom2]] > 0};
        phy_contact_terms c;
        if (moves[A] != moves[B] && contact_terms(m, d, w, &c, i)) {
            load_body(m, d, w, &c, moves[B] ? B : A);
        }
    }
}

/* ---- two moving bodies ---- */

/* A dof of one of the two chains, its column at P and what it does to W. */
typedef struct phy_path_dof {
    int dof, first, side; /* side: +1 moves B alone, -1 A alone, 0 both */
    double s[6], t[6], la[6], lb[6], carried[6], turn;
} phy_path_dof;

static SAL_INLINE void product(double r[6], const double M[6 * WIDE], const double x[6])
{
    for (int i = 0; i < 6; i++) {
        r[i] = sal_sp_dot(M + WIDE * i, x);
    }
}

/* r = LB x */
static SAL_INLINE void damping_product(double r[6], const phy_contact_terms *c, const double x[6])
{
    product(r, c->alike ? c->La : c->LB, x);
    for (int i = 0; i < 6 && c->alike; i++) {
        r[i] *= c->law.b[0];
    }
}

/* t = Theta s - La gam - LB psi,  la = La s,  lb = LB s,  carried = s x* W,  turn = c'w */
static SAL_INLINE void describe(phy_path_dof *path, const phy_deriv *w, const phy_contact_terms *c,
                                int dof, int side, const double arm[3])
{
    double x[6], y[6];
    path->dof = dof, path->first = w->first[dof], path->side = side;
    phy_column(x, w->s, dof);
    sal_sp_at_point(path->s, x, arm);
    path->turn = sal_v3_dot(c->map.spin, path->s);
    if (side == 0) {
        return;
    }
    product(path->t, c->Theta, path->s);
    product(path->la, c->La, path->s);
    damping_product(path->lb, c, path->s);
    sal_sp_cross_force(path->carried, path->s, c->W);
    phy_column(x, w->gam, dof);
    sal_sp_at_point(y, x, arm);
    product(x, c->La, y);
    sal_sp_addscaled(path->t, path->t, -1, x);
    phy_column(x, w->psi, dof);
    sal_sp_at_point(y, x, arm);
    damping_product(x, c, y);
    sal_sp_addscaled(path->t, path->t, -1, x);
}

/* The dofs of both chains; those that both share come first. */
static SAL_INLINE int walk(const sal_model *m, const sal_data *d, const phy_deriv *w,
                           const phy_contact_terms *c, phy_path_dof *path)
{
    const int common = phy_common_dofs(m, c->body[A], c->body[B]);
    int n = 0;
    for (int side = A; side <= B; side++) {
        const int body = c->body[side];
        const int *chain = m->chain_dof + m->body_chainadr[body];
        double arm[3];
        sal_v3_sub(arm, c->pos, d->subtree_com + 3 * m->body_rootid[body]);
        for (int k = side == A ? 0 : common; k < m->body_chainnum[body]; k++) {
            describe(path + n++, w, c, chain[k], k < common ? 0 : side == B ? 1 : -1, arm);
        }
    }
    return n;
}

/* Dq of the pair (i, k), tau_i -= side_i s_i'W:
 *     - side_i side_k s_i't_k  +  s_i'(s_k x* W)   where k carries i or W along, see above */
static SAL_INLINE double position_entry(const phy_path_dof *i, const phy_path_dof *k)
{
    const double relative = -i->side * k->side * sal_sp_dot(i->s, k->t);
    const bool before = k->first <= i->dof; /* k moves dof i, if they are on the same side */
    int sign = 0;
    if (i->side == k->side) {
        sign = (i->side > 0) == before ? 1 : 0;
    } else if (i->side > 0) {
        sign = -1;
    }
    return sign == 0 ? relative : relative + sign * sal_sp_dot(i->s, k->carried);
}

static SAL_INLINE void add_pair(const sal_model *m, phy_deriv *w, const phy_contact_terms *c,
                                const phy_path_dof *path, int n)
{
    for (int i = 0; i < n; i++) {
        const phy_path_dof *row = path + i;
        const double spin = c->anisotropic ? row->side * sal_sp_dot(row->s, c->spin) : 0;
        const size_t at = (size_t)row->dof * (size_t)m->nv;
        for (int k = 0; k < n && row->side != 0; k++) {
            const phy_path_dof *by = path + k;
            const size_t entry = at + (size_t)by->dof;
            if (by->side <= 0) { /* moves A */
                w->Dq[entry] -= spin * by->turn;
            }
            if (by->side != 0) {
                const int sign = row->side * by->side;
                w->Dq[entry] += position_entry(row, by);
                w->Dv[entry] += sign * sal_sp_dot(row->s, by->lb);
                w->Da[entry] += sign * sal_sp_dot(row->s, by->la);
            }
        }
    }
}

static phy_path_dof *take(sal_arena *arena, int dofs)
{
    return sal_arena_take(arena, (size_t)dofs, sizeof(phy_path_dof));
}

/* The longest chains of two bodies */
void phy_contact_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    int most = 0;
    for (int b = 0; b < m->nbody; b++) {
        most = m->body_chainnum[b] > most ? m->body_chainnum[b] : most;
    }
    take(arena, 2 * most);
    arena->used = mark;
}

PHY_LANED void phy_contact_pairs(const sal_model *m, sal_data *d, phy_deriv *w)
{
    for (int i = 0; i < d->ncon; i++) {
        const int b1 = m->geom_bodyid[d->contact[i].geom1],
                  b2 = m->geom_bodyid[d->contact[i].geom2];
        phy_contact_terms c;
        if (m->body_chainnum[b1] > 0 && m->body_chainnum[b2] > 0 && contact_terms(m, d, w, &c, i)) {
            const size_t mark = d->arena.used;
            phy_path_dof *path = take(&d->arena, m->body_chainnum[b1] + m->body_chainnum[b2]);
            if (path == NULL) {
                return;
            }
            add_pair(m, w, &c, path, walk(m, d, w, &c, path));
            d->arena.used = mark;
        }
    }
}
