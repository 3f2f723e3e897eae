/* element_deriv_transmission.c: how actuators' lengths and moments change (transmission.c has their
 * formulas).
 *
 * All but those of joints and tendons are wrenches at points of bodies: what changes is where they
 * act and how their axes turn.
 */
#include "physics/actuator.h"
#include "physics/deriv/collide_deriv.h"
#include "physics/deriv/element_deriv.h"
#include "physics/tendon.h"

#include <string.h>

/* ---- joints and tendons ---- */

/* In the parent's frame m = R(q)'g turns with the joint:  dm = m x e_k; the length of a ball is
 *                                                         log(q).m, d log = J e_k. */
static void turn_joint(const phy_turn *p, int i)
{
    const sal_model *m = p->m;
    const int j = m->actuator_trnid[i], first = m->jnt_type[j] == SAL_JNT_FREE ? 3 : 0;
    const double *moment = p->d->actuator_moment + m->moment_rowadr[i] + first;
    const double *q = p->d->qpos + m->jnt_qposadr[j];
    if (m->jnt_type[j] == SAL_JNT_SLIDE || m->jnt_type[j] == SAL_JNT_HINGE) {
        p->dl[0] = moment[0];
        return;
    }
    double turn[4], w[3], J[9];
    sal_quat_copy(turn, q + first);
    sal_quat_normalise(turn);
    sal_quat_log(w, turn);
    sal_quat_log_deriv(J, w);
    for (int k = 0; k < 3; k++) {
        double e[3] = {0}, dm[3] = {0}, column[3];
        e[k] = 1;
        if (m->actuator_inparent[i]) {
            sal_v3_cross(dm, moment, e);
        }
        for (int r = 0; r < 3; r++) {
            p->N[(first + r) * p->n + first + k] = dm[r];
        }
        if (first == 0) {
            sal_m3_column(column, J, k);
            p->dl[k] = sal_v3_dot(column, moment) + sal_v3_dot(w, dm);
        }
    }
}

static void turn_tendon(const phy_turn *p, int i)
{
    const sal_model *m = p->m;
    const int t = m->actuator_trnid[i];
    const double gear = m->actuator_gear[6 * i];
    if (!phy_tendon_is_fixed(m, t)) {
        phy_tendon_turn(m, p->d, t, p->N, p->dl);
        for (int k = 0; k < p->n * p->n; k++) {
            p->N[k] *= gear;
        }
        for (int k = 0; k < p->n; k++) {
            p->dl[k] *= gear;
        }
        return;
    }
    for (int a = m->tendon_adr[t]; a < m->tendon_adr[t] + m->tendon_num[t]; a++) {
        int k = 0;
        while (p->dof[k] != m->jnt_dofadr[m->wrap_objid[a]]) {
            k++;
        }
        p->dl[k] += gear * m->wrap_prm[a];
    }
}

/* ---- sites ---- */

static void set_gear(const phy_turn *p, int i, int frame, phy_pull *pull)
{
    const double *R = p->d->site_xmat + 9 * frame, *gear = p->m->actuator_gear + 6 * i;
    sal_m3_mulv(pull->f, R, gear);
    sal_m3_mulv(pull->t, R, gear + 3);
}

/* The pull turns with a body. */
static void turn_pull(const phy_turn *p, phy_pull *change, const phy_pull *pull, int dof, int body)
{
    sal_v3_set(change->f, 0, 0, 0);
    sal_v3_set(change->t, 0, 0, 0);
    if (phy_dof_moves(p->m, dof, body)) {
        sal_v3_cross(change->f, p->d->cdof + 6 * dof, pull->f);
        sal_v3_cross(change->t, p->d->cdof + 6 * dof, pull->t);
    }
}

static void turn_site(const phy_turn *p, int i)
{
    const int site = p->m->actuator_trnid[i];
    phy_pull pull = {.body = p->m->site_bodyid[site]}, change;
    sal_v3_copy(pull.at, p->d->site_xpos + 3 * site);
    set_gear(p, i, site, &pull);
    for (int k = 0; k < p->n; k++) {
        change.body = pull.body;
        phy_displacement(p, change.at, p->dof[k], pull.body, pull.at);
        turn_pull(p, &change, &pull, p->dof[k], pull.body);
        phy_turn_pull(p, &pull, &change, -1, k);
    }
}

/* Of  l = R_ref'(P - P_ref).g_p + log(q_ref* q).g_r with q = site_quat o body_quat for either: when
 *     a body turns by w, its q becomes
 * exp(R(site_quat) w) q. */
static double refsite_rate(const phy_turn *p, int i, int k, double moved[2][3])
{
    const sal_model *m = p->m;
    const int site[2] = {m->actuator_trnid[i], m->actuator_refid[i]}, dof = p->dof[k];
    const double *gear = m->actuator_gear + 6 * i, *w = p->d->cdof + 6 * dof;
    double q[2][4], back[4], turn[4], J[9], log[3], by[3] = {0}, apart[3], dapart[3], local[3];
    for (int e = 0; e < 2; e++) {
        const int body = m->site_bodyid[site[e]];
        double turned[3];
        sal_quat_mul(q[e], m->site_quat + 4 * site[e], p->d->xquat + 4 * body);
        sal_quat_rotate(turned, m->site_quat + 4 * site[e], w);
        if (phy_dof_moves(m, dof, body)) {
            sal_v3_addscaled(by, by, e == 0 ? 1 : -1, turned);
        }
    }
    sal_quat_conj(back, q[1]);
    sal_quat_mul(turn, back, q[0]);
    sal_quat_log(log, turn);
    sal_quat_log_deriv(J, log);
    sal_quat_rotate(local, back, by);
    sal_m3_multv(by, J, local);
    sal_v3_sub(apart, p->d->site_xpos + 3 * site[0], p->d->site_xpos + 3 * site[1]);
    sal_v3_sub(dapart, moved[0], moved[1]);
    if (phy_dof_moves(m, dof, m->site_bodyid[site[1]])) {
        sal_v3_addcross(dapart, apart, w); /* - w x apart */
    }
    sal_m3_multv(local, p->d->site_xmat + 9 * site[1], dapart);
    return sal_v3_dot(local, gear) + sal_v3_dot(by, gear + 3);
}

static void turn_refsite(const phy_turn *p, int i)
{
    const sal_model *m = p->m;
    const int site[2] = {m->actuator_trnid[i], m->actuator_refid[i]};
    const int body[2] = {m->site_bodyid[site[0]], m->site_bodyid[site[1]]};
    const int frame = phy_is_orientation(m, i) ? 0 : 1;
    phy_pull pull = {.body = body[0]}, change;
    set_gear(p, i, site[frame], &pull);
    for (int k = 0; k < p->n; k++) {
        double moved[2][3];
        for (int e = 0; e < 2; e++) {
            phy_displacement(p, moved[e], p->dof[k], body[e], p->d->site_xpos + 3 * site[e]);
        }
        p->dl[k] = refsite_rate(p, i, k, moved);
        turn_pull(p, &change, &pull, p->dof[k], body[frame]);
        for (int e = 0; e < 2; e++) { /* and back on the other */
            const double sign = e == 0 ? 1 : -1;
            phy_pull on = {.body = body[e]}, by = {.body = body[e]};
            sal_v3_copy(on.at, p->d->site_xpos + 3 * site[e]);
            sal_v3_scale(on.f, pull.f, sign);
            sal_v3_scale(on.t, pull.t, sign);
            sal_v3_copy(by.at, moved[e]);
            sal_v3_scale(by.f, change.f, sign);
            sal_v3_scale(by.t, change.t, sign);
            phy_turn_pull(p, &on, &by, m->mujoco == SAL_MUJOCO_222 ? -1 : body[1 - e], k);
        }
    }
}

/* ---- slider and crank ---- */

/* l = g (a - root),  a = s.d, root = sqrt(a^2 + r^2 - d.d); dl/dd = g (s (1 - a/root) + d/root),
 *                    dl/ds = g d (1 - a/root) */
typedef struct crank {
    double s[3], d[3], a, root, gear;
    double by_d[3], by_s[3];
} crank;

static void set_crank(const phy_turn *p, int i, crank *c)
{
    const int site = p->m->actuator_trnid[i], slider = p->m->actuator_refid[i];
    const double rod = p->m->actuator_cranklength[i];
    sal_m3_column(c->s, p->d->site_xmat + 9 * slider, 2);
    sal_v3_sub(c->d, p->d->site_xpos + 3 * site, p->d->site_xpos + 3 * slider);
    c->a = sal_v3_dot(c->s, c->d);
    const double inside = c->a * c->a + rod * rod - sal_v3_dot(c->d, c->d);
    c->root = inside > 0 ? sqrt(inside) : 0;
    c->gear = p->m->actuator_gear[6 * i];
    const double share = c->root > 0 ? 1 - c->a / c->root : 1;
    sal_v3_scale(c->by_d, c->s, c->gear * share);
    sal_v3_addscaled(c->by_d, c->by_d, c->root > 0 ? c->gear / c->root : 0, c->d);
    sal_v3_scale(c->by_s, c->d, c->gear * share);
}

/* How by_d and by_s change with s and d. */
static void crank_change(const crank *c, const double ds[3], const double dd[3], double by_d[3],
                         double by_s[3])
{
    const double share = c->root > 0 ? 1 - c->a / c->root : 1;
    sal_v3_scale(by_d, ds, c->gear * share);
    sal_v3_scale(by_s, dd, c->gear * share);
    if (c->root > 0) {
        const double da = sal_v3_dot(ds, c->d) + sal_v3_dot(c->s, dd);
        const double droot = (c->a * da - sal_v3_dot(c->d, dd)) / c->root;
        const double dshare = c->gear * (c->a * droot / c->root - da) / c->root;
        sal_v3_addscaled(by_d, by_d, dshare, c->s);
        sal_v3_addscaled(by_d, by_d, c->gear / c->root, dd);
        sal_v3_addscaled(by_d, by_d, -c->gear * droot / (c->root * c->root), c->d);
        sal_v3_addscaled(by_s, by_s, dshare, c->d);
    }
}

static void turn_crank(const phy_turn *p, int i)
{
    const sal_model *m = p->m;
    const int site[2] = {m->actuator_trnid[i], m->actuator_refid[i]};
    const int body[2] = {m->site_bodyid[site[0]], m->site_bodyid[site[1]]};
    crank c;
    phy_pull pull[2] = {{.body = body[0]}, {.body = body[1]}};
    set_crank(p, i, &c);
    for (int e = 0; e < 2; e++) {
        sal_v3_copy(pull[e].at, p->d->site_xpos + 3 * site[e]);
        sal_v3_scale(pull[e].f, c.by_d, e == 0 ? 1 : -1);
    }
    sal_v3_cross(pull[1].t, c.s, c.by_s);
    for (int k = 0; k < p->n; k++) {
        phy_pull change[2] = {{.body = body[0]}, {.body = body[1]}};
        double ds[3] = {0}, dd[3], by_d[3], by_s[3];
        for (int e = 0; e < 2; e++) {
            phy_displacement(p, change[e].at, p->dof[k], body[e], pull[e].at);
        }
        if (phy_dof_moves(m, p->dof[k], body[1])) {
            sal_v3_cross(ds, p->d->cdof + 6 * p->dof[k], c.s);
        }
        sal_v3_sub(dd, change[0].at, change[1].at);
        crank_change(&c, ds, dd, by_d, by_s);
        p->dl[k] = sal_v3_dot(c.by_d, dd) + sal_v3_dot(c.by_s, ds);
        sal_v3_copy(change[0].f, by_d);
        sal_v3_scale(change[1].f, by_d, -1);
        sal_v3_cross(change[1].t, ds, c.by_s);
        sal_v3_addcross(change[1].t, c.s, by_s);
        for (int e = 0; e < 2; e++) {
            phy_turn_pull(p, pull + e, change + e, -1, k);
        }
    }
}

/* ---- adhesion ---- */

/* How point and normal of a contact move with a dof: all is carried along by what moves the first
 * body, and what moves one body alone moves it against the other. */
static void contact_change(const phy_turn *p, const sal_contact *c, const phy_contact_map *map,
                           int dof, double point[3], double normal[3])
{
    const int body[2] = {p->m->geom_bodyid[c->geom1], p->m->geom_bodyid[c->geom2]};
    double twist[6], turn[3] = {0}, column[3];
    bool moves[2];
    for (int e = 0; e < 2; e++) {
        moves[e] = phy_dof_moves(p->m, dof, body[e]);
    }
    sal_v3_set(point, 0, 0, 0);
    if (!moves[0] && !moves[1]) {
        sal_v3_set(normal, 0, 0, 0);
        return;
    }
    phy_point_column(p->m, p->d, column, dof, c->pos);
    const double against = (moves[1] ? 1 : 0) - (moves[0] ? 1 : 0);
    sal_v3_scale(twist, p->d->cdof + 6 * dof, against);
    sal_v3_scale(twist + 3, column, against);
    for (int r = 0; r < 3; r++) {
        point[r] = sal_sp_dot(map->pos + 6 * r, twist) + (moves[0] ? column[r] : 0);
        turn[r] = sal_sp_dot(map->turn + 6 * r, twist) + (moves[0] ? p->d->cdof[6 * dof + r] : 0);
    }
    sal_v3_cross(normal, turn, c->frame);
}

static void turn_adhesion(const phy_turn *p, int i)
{
    const sal_model *m = p->m;
    const sal_data *d = p->d;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < d->ncon; c++) {
            const sal_contact *con = d->contact + c;
            const int body[2] = {m->geom_bodyid[con->geom1], m->geom_bodyid[con->geom2]};
            phy_contact_map map;
            if (body[0] != m->actuator_trnid[i] && body[1] != m->actuator_trnid[i]) {
                continue;
            }
            if (pass == 0) {
                count++;
                continue;
            }
            phy_contact_map_at(m, d, c, &map);
            for (int k = 0; k < p->n; k++) {
                phy_pull change = {0};
                double normal[3];
                contact_change(p, con, &map, p->dof[k], change.at, normal);
                for (int e = 0; e < 2; e++) {
                    const double share = (e == 0 ? 1.0 : -1.0) / count;
                    phy_pull pull = {.body = body[e]};
                    sal_v3_copy(pull.at, con->pos);
                    sal_v3_scale(pull.f, con->frame, share);
                    sal_v3_scale(change.f, normal, share);
                    phy_turn_pull(p, &pull, &change, -1, k);
                }
            }
        }
    }
}

void phy_transmission_turn(const sal_model *m, const sal_data *d, int i, double *N, double *dl)
{
    const int n = m->moment_rownnz[i];
    const phy_turn p = {
        .m = m, .d = d, .n = n, .dof = m->moment_colind + m->moment_rowadr[i], .N = N, .dl = dl};
    memset(N, 0, (size_t)n * (size_t)n * sizeof *N);
    memset(dl, 0, (size_t)n * sizeof *dl);
    switch ((sal_transmission)m->actuator_trntype[i]) {
    case SAL_TRN_JOINT:
        turn_joint(&p, i);
        break;
    case SAL_TRN_TENDON:
        turn_tendon(&p, i);
        break;
    case SAL_TRN_SITE:
        if (m->actuator_refid[i] < 0) {
            turn_site(&p, i);
        } else {
            turn_refsite(&p, i);
        }
        break;
    case SAL_TRN_SLIDERCRANK:
        turn_crank(&p, i);
        break;
    case SAL_TRN_BODY:
        turn_adhesion(&p, i);
        break;
    }
}
