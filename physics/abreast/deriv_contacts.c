/* deriv_contacts.c: contacts of spheres and capsules with planes that rest, as loads of several
 * instants at once: physics/deriv/contact_deriv.c, whose names and formulas these are, for at most
 * three rows with one B. The law is asked for each instant by itself.
 *
 * What is zero in every such contact is left out. That keeps the bits: loads are sums that begin at
 * zero, so that no number of theirs is ever minus zero, and a zero of either sign changes no other.
 */
#include "physics/abreast/turn.h"
#include "physics/abreast/wide_deriv.h"

#include <string.h>

enum { ROWS = 3 };

/* The numbers of phy_contact_law that are needed, of one instant and of all; zero in lanes without
 * force, and of rows that the contact has not */
#define LAW(type) type force[ROWS], H[ROWS * ROWS], kap[ROWS], b, rho

typedef struct law_of_one {
    LAW(double);
} law_of_one;

typedef struct law_of_all {
    LAW(phy_real);
} law_of_all;

enum { LAW_NUMBERS = sizeof(law_of_one) / sizeof(double) };

/* 3 x 6 matrices by the columns of w and those of u, 3 x 3 each */
typedef struct halves {
    phy_real w[9], u[9];
} halves;

/* What is found on the way to a load */
typedef struct terms {
    phy_real dist, frame[9], arm[3];
    phy_real W[3];               /* the force */
    phy_real B[6];               /* Y of the body that moves */
    halves map;                  /* of P */
    phy_real turn[9];            /* of w alone: a capsule's frame */
    halves slope, moment, force; /* rows of djar; of Theta */
    phy_real La[9];              /* of forces and u, at P */
    bool turns;
} terms;

/* ---- at P ---- */

/* phy_map_plane_point, with l = r + dist/2 */
static SAL_INLINE void map_point(terms *c, double r)
{
    const phy_real *n = c->frame, l = r + 0.5 * c->dist, none = {0};
    phy_real *w = c->map.w;
    w[0] = w[4] = w[8] = none;
    w[1] = l * n[2], w[2] = -l * n[1];
    w[3] = -l * n[2], w[5] = l * n[0];
    w[6] = l * n[1], w[7] = -l * n[0];
    for (int i = 0; i < 3; i++) {
        const phy_real half = -0.5 * n[i];
        for (int k = 0; k < 3; k++) {
            c->map.u[3 * i + k] = half * n[k];
        }
        c->map.u[4 * i] += 1;
    }
}

/* theta = n s: ride_on_capsule in collide_deriv.c */
static SAL_INLINE void map_turn(terms *c, const phy_real *mat)
{
    const phy_real *n = c->frame, none = {0};
    phy_real z[3], across[3], lean;
    phy_m3_column(z, mat, 2);
    phy_v3_cross(across, z, c->frame + 6);
    phy_v3_dot(&lean, c->frame + 3, z);
    const phy_truth leans = lean > 1e-12;
    for (int i = 0; i < 3; i++) {
        const phy_real scale = n[i] / lean;
        for (int k = 0; k < 3; k++) {
            const phy_real turn = scale * across[k];
            phy_choose(c->turn + 3 * i + k, &leans, &turn, &none);
        }
    }
}

/* Y = G + B V at P; the world has none. */
static SAL_INLINE void jar_velocity(terms *c, const phy_real *G, const phy_real *V,
                                    const phy_real *b)
{
    phy_real turned[3];
    for (int j = 0; j < 6; j++) {
        c->B[j] = G[j] + *b * V[j];
    }
    phy_v3_cross(turned, c->B, c->arm);
    phy_v3_add(c->B + 3, c->B + 3, turned);
}

/* r += s a */
static SAL_INLINE void add_scaled(phy_real r[3], const phy_real *s, const phy_real a[3])
{
    for (int j = 0; j < 3; j++) {
        r[j] += *s * a[j];
    }
}

/* djar_l = r'( w x y + u x w_Y + w_Y x dP - theta x y ) + kap ddist */
static SAL_INLINE void jar_slope(terms *c, const law_of_all *law, int l)
{
    const phy_real *r = c->frame + 3 * l;
    phy_real *w = c->slope.w + 3 * l, *u = c->slope.u + 3 * l, x[3];
    phy_v3_cross(w, c->B + 3, r);
    phy_v3_cross(u, c->B, r);
    phy_v3_cross(x, r, c->B);
    for (int j = 0; j < 3; j++) {
        for (int k = 1; k < 3; k++) { /* all but its column j, which is zero */
            w[(j + k) % 3] += x[j] * c->map.w[3 * j + (j + k) % 3];
        }
        add_scaled(u, x + j, c->map.u + 3 * j);
    }
    phy_v3_cross(x, r, c->B + 3);
    for (int j = 0; j < 3 && c->turns; j++) {
        add_scaled(w, x + j, c->turn + 3 * j);
    }
    add_scaled(u, law->kap + l, c->frame);
}

/* r = s a + ..: the first of a sum, or another */
static SAL_INLINE void sum_scaled(phy_real r[3], const phy_real *s, const phy_real a[3], bool first)
{
    for (int j = 0; j < 3; j++) {
        if (first) {
            r[j] = *s * a[j];
        } else {
            r[j] += *s * a[j];
        }
    }
}

/* Theta = - sum e_j H_jl slope_l,  La = sum e_j H_jl e_l' */
static SAL_INLINE void add_law(terms *c, const law_of_all *law)
{
    for (int j = 0; j < ROWS; j++) {
        const phy_real *r = c->frame + 3 * j;
        phy_real w[3], u[3], la[3];
        for (int l = 0; l < ROWS; l++) {
            const phy_real *weight = law->H + ROWS * j + l;
            sum_scaled(w, weight, c->slope.w + 3 * l, l == 0);
            sum_scaled(u, weight, c->slope.u + 3 * l, l == 0);
            sum_scaled(la, weight, c->frame + 3 * l, l == 0);
        }
        for (int i = 0; i < 3; i++) {
            const phy_real back = -r[i];
            sum_scaled(c->force.w + 3 * i, &back, w, j == 0);
            sum_scaled(c->force.u + 3 * i, &back, u, j == 0);
            sum_scaled(c->La + 3 * i, r + i, la, j == 0);
        }
    }
}

/* M = - f x map, 3 x 3; or M -= .. */
static SAL_INLINE void subtract_crossed(phy_real M[9], const phy_real f[3], const phy_real map[9],
                                        bool first)
{
    for (int j = 0; j < 3; j++) {
        const phy_real column[3] = {map[j], map[3 + j], map[6 + j]};
        phy_real x[3];
        phy_v3_cross(x, f, column);
        for (int i = 0; i < 3; i++) {
            if (first) {
                M[3 * i + j] = -x[i];
            } else {
                M[3 * i + j] -= x[i];
            }
        }
    }
}

/* theta x g, rho g ddist, dP x force */
static SAL_INLINE void add_geometry(terms *c, const phy_real *rho)
{
    subtract_crossed(c->moment.w, c->W, c->map.w, true);
    subtract_crossed(c->moment.u, c->W, c->map.u, true);
    if (c->turns) {
        subtract_crossed(c->force.w, c->W, c->turn, false);
    }
    for (int i = 0; i < 3; i++) {
        const phy_real scale = *rho * c->W[i];
        add_scaled(c->force.u + 3 * i, &scale, c->frame);
    }
}

/* ---- about O ---- */

/* M := X'M X of the rows of moments and forces */
static SAL_INLINE void shift(halves *moment, halves *force, const phy_real arm[3])
{
    for (int i = 0; i < 3; i++) {
        phy_real t[3];
        phy_v3_cross(t, arm, moment->u + 3 * i);
        phy_v3_add(moment->w + 3 * i, moment->w + 3 * i, t);
        phy_v3_cross(t, arm, force->u + 3 * i);
        phy_v3_add(force->w + 3 * i, force->w + 3 * i, t);
    }
    for (int i = 0; i < 3; i++) { /* moments += arm x forces */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const phy_real back = -arm[k];
        add_scaled(moment->w + 3 * i, arm + j, force->w + 3 * k);
        add_scaled(moment->u + 3 * i, arm + j, force->u + 3 * k);
        add_scaled(moment->w + 3 * i, &back, force->w + 3 * j);
        add_scaled(moment->u + 3 * i, &back, force->u + 3 * j);
    }
}

/* to = x or to += x. (The first is added to zero.) */
static SAL_INLINE void sum(phy_real *to, const phy_real *x, bool first)
{
    *to = first ? *x + 0 : *to + *x;
}

static SAL_INLINE void sum_matrix(phy_real to[36], const halves *moment, const halves *force,
                                  bool first)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            sum(to + 6 * i + k, moment->w + 3 * i + k, first);
            sum(to + 6 * i + 3 + k, moment->u + 3 * i + k, first);
            sum(to + 18 + 6 * i + k, force->w + 3 * i + k, first);
            sum(to + 18 + 6 * i + 3 + k, force->u + 3 * i + k, first);
        }
    }
}

/* La, which at P has nothing but rows of forces and columns of u; and LB = B La */
static SAL_INLINE void sum_damping(phy_loads_abreast *to, const terms *c, const phy_real *b,
                                   bool first)
{
    halves moment, force;
    phy_copy(force.u, c->La, 9);
    for (int i = 0; i < 3; i++) {
        phy_v3_cross(force.w + 3 * i, c->arm, c->La + 3 * i);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int column = 0; column < 3; column++) {
            moment.w[3 * i + column] =
                c->arm[j] * force.w[3 * k + column] - c->arm[k] * force.w[3 * j + column];
            moment.u[3 * i + column] =
                c->arm[j] * force.u[3 * k + column] - c->arm[k] * force.u[3 * j + column];
        }
    }
    sum_matrix(to->La, &moment, &force, first);
    for (int k = 0; k < 9; k++) {
        moment.w[k] *= *b, moment.u[k] *= *b;
        force.w[k] *= *b, force.u[k] *= *b;
    }
    sum_matrix(to->LB, &moment, &force, first);
}

static SAL_INLINE void sum_wrench(phy_real to[6], const terms *c, bool first)
{
    phy_real moment[3];
    phy_v3_cross(moment, c->arm, c->W);
    for (int j = 0; j < 3; j++) {
        sum(to + j, moment + j, first);
        sum(to + 3 + j, c->W + j, first);
    }
}

/* Zero in lanes without force, whatever stands there */
static SAL_INLINE void keep(phy_real *x, int n, const phy_truth *which)
{
    for (int j = 0; j < n; j++) {
        x[j] = (phy_real)((phy_truth)x[j] & *which);
    }
}

/* A contact of a pair; met: see phy_met */
static void load_body(const sal_model *m, const phy_instants *x, phy_wide_deriv *w, int pair,
                      const phy_real *met, const law_of_all *law, unsigned lanes)
{
    const int geom = m->pair_geom2[pair], body = m->geom_bodyid[geom];
    const bool first = w->subtree[body] == NULL;
    phy_loads_abreast *to = w->subtree[body] = w->load + body;
    phy_truth which;
    terms c;
    c.dist = *met, c.turns = m->geom_type[geom] == SAL_GEOM_CAPSULE;
    phy_lanes_of_bits(&which, lanes);
    phy_copy(c.frame, met + 4, 9);
    phy_v3_sub(c.arm, met + 1, x->subtree_com + 3 * m->body_rootid[body]);
    jar_velocity(&c, w->G + PHY_WIDE * body, x->cvel + 6 * body, &law->b);
    keep(&c.dist, 1, &which);
    keep(c.frame, 9, &which);
    keep(c.arm, 3, &which);
    keep(c.B, 6, &which);
    for (int j = 0; j < ROWS; j++) {
        sum_scaled(c.W, law->force + j, c.frame + 3 * j, j == 0);
    }
    map_point(&c, m->geom_size[3 * geom]);
    if (c.turns) {
        map_turn(&c, x->geom_xmat + 9 * geom);
    }
    for (int l = 0; l < ROWS; l++) {
        jar_slope(&c, law, l);
    }
    add_law(&c, law);
    add_geometry(&c, &law->rho);
    shift(&c.moment, &c.force, c.arm);
    sum_wrench(to->W, &c, first);
    sum_damping(to, &c, &law->b, first);
    sum_matrix(to->Th, &c.moment, &c.force, first);
}

/* ---- which contacts ---- */

/* Which of a pair's bodies move: neither or both, or one alone */
typedef enum movers { NOT_ONE, FIRST, SECOND } movers;

static movers movers_of(const sal_model *m, int pair)
{
    const bool moves1 = m->body_chainnum[m->geom_bodyid[m->pair_geom1[pair]]] > 0,
               moves2 = m->body_chainnum[m->geom_bodyid[m->pair_geom2[pair]]] > 0;
    return moves1 == moves2 ? NOT_ONE : moves1 ? FIRST : SECOND;
}

/* The next contact of an instant that is of the pair, or -1: another stands before it that is a
 * load. */
static int next_of(const sal_model *m, const sal_data *d, int *at, int pair)
{
    while (*at < d->ncon && d->contact[*at].pair != pair &&
           movers_of(m, d->contact[*at].pair) == NOT_ONE) {
        ++*at;
    }
    return *at < d->ncon && d->contact[*at].pair == pair ? (*at)++ : -1;
}

/* false: not of the kind that is known here; has_force: else whether there is a law */
static bool law_at(law_of_one *to, const sal_model *m, const sal_data *d, int i, bool *has_force)
{
    phy_contact_law one;
    memset(to, 0, sizeof *to);
    *has_force = phy_contact_law_at(m, d, i, &one);
    if (!*has_force) {
        return true;
    }
    if (one.dim > ROWS) {
        return false;
    }
    for (int j = 0; j < one.dim; j++) {
        to->force[j] = one.force[j];
        to->kap[j] = one.kap[j];
        for (int l = 0; l < one.dim; l++) {
            to->H[ROWS * j + l] = one.H[one.dim * j + l];
        }
    }
    to->b = one.b[0];
    to->rho = one.rho;
    return one.dim < 2 || one.b[1] == one.b[0];
}

/* Contact k of those that are known side by side; at: where the contacts of each instant go on */
static bool load_met(const sal_model *m, const phy_instants *x, phy_wide_deriv *w,
                     sal_data *const *d, int n, int k, int at[PHY_WIDTH])
{
    const phy_met *met = x->met + k;
    const movers which = movers_of(m, met->pair);
    law_of_one one[PHY_WIDTH];
    double *from[PHY_WIDTH];
    unsigned lanes = 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        const bool there = l < n && (met->lanes >> l & 1);
        const int i = there ? next_of(m, d[l], at + l, met->pair) : -1;
        bool has_force = false;
        from[l] = one[l].force;
        if (there && (i < 0 || which == FIRST)) {
            return false;
        }
        if (!there || which == NOT_ONE) {
            memset(one + l, 0, sizeof one[l]);
        } else if (!law_at(one + l, m, d[l], i, &has_force)) {
            return false;
        }
        lanes |= (unsigned)has_force << l;
    }
    if (lanes != 0) {
        law_of_all all;
        phy_pack(all.force, from, LAW_NUMBERS);
        load_body(m, x, w, met->pair, x->met_number + met->at, &all, lanes);
        w->loaded[m->geom_bodyid[m->pair_geom2[met->pair]]] |= (unsigned char)lanes;
    }
    return true;
}

/* Laws of velocities, contacts that stick and surfaces that move load bodies otherwise. */
static bool loads_are_known(const sal_model *m)
{
    return phy_lists_pairs(m) && !phy_is_of_step(m) && m->nadhesion == 0 && m->nsurfacevel == 0;
}

bool phy_contacts_abreast(const sal_model *m, const phy_instants *x, phy_wide_deriv *w,
                          sal_data *const *d, int n)
{
    int at[PHY_WIDTH] = {0};
    bool known = loads_are_known(m);
    memset(w->loaded, 0, (size_t)m->nbody * sizeof *w->loaded);
    memset(w->subtree, 0, (size_t)m->nbody * sizeof *w->subtree);
    for (int k = 0; k < x->nmet && known; k++) {
        known = load_met(m, x, w, d, n, k, at);
    }
    for (int l = 0; l < n && known; l++) {
        known = next_of(m, d[l], at + l, -1) < 0 && at[l] == d[l]->ncon;
    }
    w->alike = known;
    return known;
}
