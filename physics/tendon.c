/* tendon.c: lengths of tendons, how they change with the dofs, and what follows.
 *
 *     fixed      l = sum coef q, of a free joint its x        J = coef
 *     spatial    l = sum (|P1 - P0| + arcs) / divisor
 *     J = sum u' (Jp(P1) - Jp(P0)) / divisor,   u = (P1 - P0) / |P1 - P0|
 *
 * over the straight parts of the path. Arcs add length only: both their ends are fixed to the
 * geom's body, along which the tendon slides. (MuJoCo documentation, "Computation", "Actuation
 * model"; "XML reference", "spatial".)
 */
#include "physics/tendon.h"

#include "base/house.h"
#include "physics/stages.h"

#include <float.h>
#include <string.h>

/* ---- length and Jacobian ---- */

/* J += scale (u . (u_k + w_k x (P - c))) over the dofs of the body from the common-th on */
static void add_point(const sal_model *m, sal_data *d, int t, const double point[3], int body,
                      int common, const double force[3])
{
    const int at = m->tendon_Jadr[t];
    double arm[3], wrench[6];
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
    sal_v3_cross(wrench, arm, force);
    sal_v3_copy(wrench + 3, force);
    phy_row_add_wrench(m, d, d->ten_J + at, m->ten_dof + at, body, common, wrench);
}

static void add_straight(const sal_model *m, sal_data *d, int t, const phy_straight *p)
{
    double u[3], back[3];
    sal_v3_sub(u, p->point[1], p->point[0]);
    d->ten_length[t] += sal_v3_normalise(u) / p->divisor;
    if (p->body[0] == p->body[1]) {
        return;
    }
    const int common = phy_common_dofs(m, p->body[0], p->body[1]);
    sal_v3_scale(back, u, -1 / p->divisor);
    sal_v3_scale(u, u, 1 / p->divisor);
    add_point(m, d, t, p->point[0], p->body[0], common, back);
    add_point(m, d, t, p->point[1], p->body[1], common, u);
}

bool phy_tendon_span(const sal_model *m, int t, phy_span *span)
{
    const int end = m->tendon_adr[t] + m->tendon_num[t];
    int i = m->tendon_adr[t] + span->next;
    if (span->next == 0) {
        span->divisor = 1;
    }
    while (i + 1 < end &&
           (m->wrap_type[i] == SAL_WRAP_PULLEY || m->wrap_type[i + 1] == SAL_WRAP_PULLEY)) {
        span->divisor = m->wrap_type[i] == SAL_WRAP_PULLEY ? m->wrap_prm[i] : span->divisor;
        i++;
    }
    if (i + 1 >= end) {
        return false;
    }
    const bool straight = m->wrap_type[i + 1] == SAL_WRAP_SITE;
    const int last = straight ? i + 1 : i + 2;
    span->s0 = m->wrap_objid[i];
    span->s1 = m->wrap_objid[last];
    span->geom = straight ? -1 : m->wrap_objid[i + 1];
    span->side = straight ? -1 : m->wrap_side[i + 1];
    span->cylinder = m->wrap_type[i + 1] == SAL_WRAP_CYLINDER;
    span->next = last - m->tendon_adr[t];
    return true;
}

int phy_tendon_straights(const sal_model *m, const sal_data *d, const phy_span *s,
                         phy_straight straight[2], double *arc)
{
    const int b0 = m->site_bodyid[s->s0], b1 = m->site_bodyid[s->s1], g = s->geom;
    const double *p0 = d->site_xpos + 3 * s->s0, *p1 = d->site_xpos + 3 * s->s1;
    double meet[3], leave[3], length = -1;
    if (g >= 0) {
        const phy_roller roller = {d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size[3 * g],
                                   s->cylinder};
        const double *side = s->side < 0 ? NULL : d->site_xpos + 3 * s->side;
        length = phy_tendon_wrap(meet, leave, p0, p1, side, &roller);
    }
    const bool wraps = g >= 0 && length >= 0;
    *arc = wraps ? length : 0;
    for (int k = 0; k < (wraps ? 2 : 1); k++) {
        phy_straight *p = straight + k;
        p->body[0] = k == 0 ? b0 : m->geom_bodyid[g];
        p->body[1] = wraps && k == 0 ? m->geom_bodyid[g] : b1;
        sal_v3_copy(p->point[0], k == 0 ? p0 : leave);
        sal_v3_copy(p->point[1], wraps && k == 0 ? meet : p1);
        p->divisor = s->divisor;
    }
    return wraps ? 2 : 1;
}

static void add_span(const sal_model *m, sal_data *d, int t, const phy_span *s)
{
    phy_straight straight[2];
    double arc;
    const int n = phy_tendon_straights(m, d, s, straight, &arc);
    d->ten_length[t] += arc / s->divisor;
    for (int k = 0; k < n; k++) {
        add_straight(m, d, t, straight + k);
    }
}

/* What the terms of J at a dof may be in size: |s_v| + |s_w| |P - c| over the sites of the path */
static double size_of_terms(const sal_model *m, const sal_data *d, int t, int dof)
{
    const double *s = d->cdof + 6 * dof, turn = sal_v3_norm(s), shift = sal_v3_norm(s + 3);
    double size = 0;
    for (phy_span span = {0}; phy_tendon_span(m, t, &span);) {
        const int site[2] = {span.s0, span.s1};
        for (int k = 0; k < 2; k++) {
            double arm[3];
            const int root = m->body_rootid[m->site_bodyid[site[k]]];
            sal_v3_sub(arm, d->site_xpos + 3 * site[k], d->subtree_com + 3 * root);
            size += (shift + turn * sal_v3_norm(arm)) / span.divisor;
        }
    }
    return size;
}

/* Entries of J that are no more than the rounding errors of their terms are zero: the length does
 * not change with the dof (a site lies on its axis). The row of a limit would have a force of 1e15
 * or more, and a dof what that is times the rounding error. */
static void drop_rounding(const sal_model *m, sal_data *d, int t)
{
    static const double suspect = 1e-12; /* larger ones are not asked: the terms take time */
    double *J = d->ten_J + m->tendon_Jadr[t];
    for (int k = 0; k < m->tendon_Jnum[t]; k++) {
        if (J[k] != 0 && fabs(J[k]) < suspect &&
            fabs(J[k]) <=
                2 * DBL_EPSILON * size_of_terms(m, d, t, m->ten_dof[m->tendon_Jadr[t] + k])) {
            J[k] = 0;
        }
    }
}

static void spatial(const sal_model *m, sal_data *d, int t)
{
    for (phy_span span = {0}; phy_tendon_span(m, t, &span);) {
        add_span(m, d, t, &span);
    }
    drop_rounding(m, d, t);
}

static void fixed(const sal_model *m, sal_data *d, int t)
{
    const int *dof = m->ten_dof + m->tendon_Jadr[t];
    double *J = d->ten_J + m->tendon_Jadr[t];
    for (int i = m->tendon_adr[t]; i < m->tendon_adr[t] + m->tendon_num[t]; i++) {
        const int j = m->wrap_objid[i];
        int at = 0;
        while (dof[at] != m->jnt_dofadr[j]) {
            at++;
        }
        d->ten_length[t] += m->wrap_prm[i] * d->qpos[m->jnt_qposadr[j]];
        /* a joint named twice: 2.2.2 adds to the length, but keeps the last coefficient */
        J[at] = m->wrap_prm[i] + (m->mujoco == SAL_MUJOCO_222 ? 0 : J[at]);
    }
}

void sal_tendon(const sal_model *m, sal_data *d)
{
    memset(d->ten_J, 0, (size_t)m->ntenJ * sizeof *d->ten_J);
    for (int t = 0; t < m->ntendon; t++) {
        d->ten_length[t] = 0;
        if (phy_tendon_is_fixed(m, t)) {
            fixed(m, d, t);
        } else {
            spatial(m, d, t);
        }
    }
}

/* ---- what follows ---- */

void phy_tendon_pull(const sal_model *m, const sal_data *d, double *r, int t, double f)
{
    const int adr = m->tendon_Jadr[t];
    for (int k = adr; k < adr + m->tendon_Jnum[t]; k++) {
        r[m->ten_dof[k]] += d->ten_J[k] * f;
    }
}

/* ldot = J v */
void phy_tendon_velocity(const sal_model *m, sal_data *d)
{
    for (int t = 0; t < m->ntendon; t++) {
        const int adr = m->tendon_Jadr[t];
        double rate = 0;
        for (int k = adr; k < adr + m->tendon_Jnum[t]; k++) {
            rate += d->ten_J[k] * d->qvel[m->ten_dof[k]];
        }
        d->ten_velocity[t] = rate;
    }
}

double phy_tendon_stretch(const sal_model *m, const sal_data *d, int t)
{
    const double *rest = m->tendon_lengthspring + 2 * t, l = d->ten_length[t];
    return l > rest[1] ? l - rest[1] : l < rest[0] ? l - rest[0] : 0;
}

/* -k(x) x - b(|ldot|) ldot */
double phy_tendon_spring(const sal_model *m, const sal_data *d, int t)
{
    double f = 0;
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        const double x = phy_tendon_stretch(m, d, t), *k = m->tendon_stiffnesspoly + 2 * t;
        f -= x * (m->tendon_stiffness[t] + x * (k[0] + x * k[1]));
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        const double v = d->ten_velocity[t], speed = fabs(v);
        const double *b = m->tendon_dampingpoly + 2 * t;
        f -= v * (m->tendon_damping[t] + speed * (b[0] + speed * b[1]));
    }
    return f;
}

void phy_tendon_passive(const sal_model *m, sal_data *d)
{
    for (int t = 0; t < m->ntendon; t++) {
        const double f = phy_tendon_spring(m, d, t);
        if (f != 0) {
            phy_tendon_pull(m, d, d->qfrc_passive, t, f);
        }
    }
}

/* ---- armature ---- */

/* Whether dof j < i is one of those above i in its chain. */
static bool is_above(const sal_model *m, int j, int i)
{
    while (i > j) {
        i = m->dof_parentid[i];
    }
    return i == j;
}

/* M += armature J'J, for dofs one above the other: row i of M goes up its chain, and the tendon's
 * dofs before i with it. */
void phy_tendon_inertia(const sal_model *m, sal_data *d)
{
    for (int t = 0; t < m->ntendon; t++) {
        const int *dof = m->ten_dof + m->tendon_Jadr[t];
        const double *J = d->ten_J + m->tendon_Jadr[t], armature = m->tendon_armature[t];
        for (int i = 0; i < m->tendon_Jnum[t] && armature > 0; i++) {
            const phy_row row = phy_row_of(m, dof[i]);
            double *M = d->qM + row.adr;
            for (int k = 0, j = i; k < row.n && j >= 0;) {
                const int above = phy_row_dof(row, k);
                M[k] += above == dof[j] ? armature * J[i] * J[j] : 0;
                k += above >= dof[j];
                j -= above <= dof[j];
            }
        }
    }
}

void phy_tendon_inertial_force(const sal_model *m, const sal_data *d, double *r, const double *a)
{
    for (int t = 0; t < m->ntendon; t++) {
        const int *dof = m->ten_dof + m->tendon_Jadr[t];
        const double *J = d->ten_J + m->tendon_Jadr[t], armature = m->tendon_armature[t];
        for (int i = 0; i < m->tendon_Jnum[t] && armature > 0; i++) {
            r[dof[i]] += armature * J[i] * J[i] * a[dof[i]];
            for (int j = 0; j < i; j++) {
                const double M = is_above(m, dof[j], dof[i]) ? armature * J[i] * J[j] : 0;
                r[dof[i]] += M * a[dof[j]];
                r[dof[j]] += M * a[dof[i]];
            }
        }
    }
}

/* dJ/dt v of a straight part, with r = P1 - P0, l = |r|:   ( u.rddot + |rdot|^2/l - (u.rdot)^2/l )
 *                                                          / divisor */
static double part_drift(const sal_model *m, const sal_data *d, const phy_straight *p)
{
    double v0[3], v1[3], a0[3], a1[3], u[3], w[3], wdot[3];
    phy_point_drift(m, d, v0, w, a0, wdot, p->point[0], p->body[0]);
    phy_point_drift(m, d, v1, w, a1, wdot, p->point[1], p->body[1]);
    sal_v3_sub(v1, v1, v0);
    sal_v3_sub(a1, a1, a0);
    sal_v3_sub(u, p->point[1], p->point[0]);
    const double l = sal_v3_normalise(u), along = sal_v3_dot(u, v1);
    const double turn = l > SAL_MINVAL ? (sal_v3_dot(v1, v1) - along * along) / l : 0;
    return (sal_v3_dot(u, a1) + turn) / p->divisor;
}

double phy_tendon_drift(const sal_model *m, const sal_data *d, int t)
{
    double drift = 0, arc;
    phy_straight straight[2];
    for (phy_span s = {0}; phy_tendon_span(m, t, &s);) {
        phy_tendon_straights(m, d, &s, straight, &arc);
        drift += part_drift(m, d, straight);
    }
    return drift;
}

void phy_tendon_bias(const sal_model *m, sal_data *d)
{
    for (int t = 0; t < m->ntendon; t++) {
        const double armature = m->tendon_armature[t];
        if (armature > 0 && !phy_tendon_is_fixed(m, t)) { /* J of a fixed tendon does not change */
            phy_tendon_pull(m, d, d->qfrc_bias, t, armature * phy_tendon_drift(m, d, t));
        }
    }
}
