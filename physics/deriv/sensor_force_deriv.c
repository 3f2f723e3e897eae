/* sensor_force_deriv.c: how the force and torque vary that the parent of a site's body exerts on it
 * (body_force.c). Along the site's axis e, at p from the centre O of the tree, one number of the
 * reading is
 *
 *     y = s'(F - E),    s = (0 ; e) of a force, (e ; p x e) of a torque
 *
 * with F what the motion of all that the body carries calls for, and E what acts on it from
 * outside. That is the generalised force of a dof s that comes last in the body and does not move.
 * So y has the derivatives of smooth_deriv.c, for k above (the body's own too; I and D of all that
 * it carries) and below:
 *
 *     Dq = s'(I alp_k + D psi_k)      Dv = s'(I chi_k + D s_k)      Da = s'I s_k
 *     Dq = s'y_k                      Dv = s'z_k                    Da = s'ml_k
 *
 * less  s'dE with the axes as they are, and for k above  (s_k x s)'E.
 */
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/deriv/step_deriv.h"
#include "physics/sensors/sensor.h"
#include "physics/tendon.h"

#define PHY_CELL double
#include "physics/deriv/inertial_row.h"

#include <string.h>

static int body_of(const sal_model *m, int i)
{
    return m->site_bodyid[m->sensor_objid[i]];
}

/* One tendon's force follows the other's length. */
static bool is_tied(const sal_model *m, int body)
{
    bool tied = false;
    for (int k = 0; k < m->neq && !(m->opt.disable & SAL_DSBL_EQUALITY); k++) {
        const int one = m->eq_obj1id[k], other = m->eq_obj2id[k];
        tied =
            tied ||
            (m->eq_type[k] == SAL_EQ_TENDON &&
             (phy_tendon_joins(m, one, body) || (other >= 0 && phy_tendon_joins(m, other, body))));
    }
    return tied;
}

/* Actuators along such a tendon, whose forces the inverse of integrator="discrete" finds anew */
static bool is_pulled(const sal_model *m, int body)
{
    const bool acts = phy_has_step_metric(m) && !(m->opt.disable & SAL_DSBL_ACTUATION);
    bool pulled = false;
    for (int i = 0; i < m->nu && acts; i++) {
        pulled = pulled || (m->actuator_trntype[i] == SAL_TRN_TENDON &&
                            phy_tendon_joins(m, m->actuator_trnid[i], body));
    }
    return pulled;
}

/* (The world's trees have no common centre.) */
bool phy_sensor_force_has_deriv(const sal_model *m, int i)
{
    const int body = body_of(m, i);
    return body > 0 && !is_tied(m, body) && !is_pulled(m, body);
}

void phy_sensor_force_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_deriv w;
    phy_deriv_take(m, arena, &w);
    phy_tendon_deriv_scratch(m, arena);
    phy_step_deriv_scratch(m, arena);
    arena->used = mark;
}

static phy_observer observer_of(const sal_model *m, const sal_data *d, int i)
{
    const int site = m->sensor_objid[i], body = body_of(m, i);
    phy_observer o = {.body = body, .n = 3};
    double p[3];
    sal_v3_sub(p, d->site_xpos + 3 * site, phy_centre(m, d, body));
    for (int r = 0; r < 3; r++) {
        double *s = o.s[r], e[3];
        sal_m3_column(e, d->site_xmat + 9 * site, r);
        if (m->sensor_type[i] == SAL_SENS_FORCE) {
            sal_v3_copy(s + 3, e);
        } else {
            sal_v3_copy(s, e);
            sal_v3_cross(s + 3, p, e);
        }
    }
    return o;
}

/* ---- s'F ---- */

static double column_dot(const double x[6], const double *columns, int k)
{
    double column[6];
    phy_column(column, columns, k);
    return sal_sp_dot(x, column);
}

static void add_above(const sal_model *m, const phy_deriv *w, const phy_observer *o,
                      double *const D[3])
{
    const phy_composite *c = w->composite + o->body;
    const int *chain = m->chain_dof + m->body_chainadr[o->body];
    for (int r = 0; r < o->n; r++) {
        double mm[6], rp[6];
        phy_inertia_times(mm, c->I, o->s[r]);
        phy_coriolis_transposed(rp, c->E, c->p, o->s[r]);
        for (int a = 0; a < m->body_chainnum[o->body]; a++) {
            const int k = chain[a], at = r * m->nv + k;
            D[0][at] += column_dot(mm, w->alp, k) + column_dot(rp, w->psi, k);
            D[1][at] += column_dot(mm, w->chi, k) + column_dot(rp, w->s, k);
            D[2][at] += column_dot(mm, w->s, k);
        }
    }
}

static void add_below(const sal_model *m, const phy_deriv *w, const phy_observer *o,
                      double *const D[3])
{
    for (int k = 0; k < m->nv; k++) {
        const int body = m->dof_bodyid[k];
        for (int r = 0; r < o->n && body != o->body && phy_is_carried(m, body, o->body); r++) {
            const int at = r * m->nv + k;
            D[0][at] += column_dot(o->s[r], w->y, k);
            D[1][at] += column_dot(o->s[r], w->z, k);
            D[2][at] += column_dot(o->s[r], w->ml, k);
        }
    }
}

/* ---- s'E ---- */

/* Dq -= (s_k x s)'E */
static void axes_turn(const sal_model *m, const sal_data *d, const phy_observer *o, double *Dq)
{
    const int *chain = m->chain_dof + m->body_chainadr[o->body];
    double E[6] = {0};
    for (int b = o->body; b < m->nbody; b++) {
        if (phy_is_carried(m, b, o->body)) {
            sal_sp_addscaled(E, E, 1, d->cfrc_ext + 6 * b);
        }
    }
    for (int a = 0; a < m->body_chainnum[o->body]; a++) {
        for (int r = 0; r < o->n; r++) {
            double turned[6];
            sal_sp_cross_motion(turned, d->cdof + 6 * chain[a], o->s[r]);
            Dq[r * m->nv + chain[a]] -= sal_sp_dot(turned, E);
        }
    }
}

/* xfrc_applied, which stays as it is at points that move */
static void less_applied(const sal_model *m, const sal_data *d, const phy_observer *o, double *Dq)
{
    for (int b = o->body; b < m->nbody; b++) {
        const int *chain = m->chain_dof + m->body_chainadr[b];
        phy_pull pull = {.body = b}, change = {.body = b};
        sal_v3_copy(pull.at, d->xipos + 3 * b);
        sal_v3_copy(pull.f, d->xfrc_applied + 6 * b);
        for (int a = 0; a < m->body_chainnum[b] && sal_v3_norm(pull.f) > 0; a++) {
            phy_point_column(m, d, change.at, chain[a], pull.at);
            phy_observe(m, d, o, -1, &pull, &change, Dq, chain[a]);
        }
    }
}

/* Of one body that is carried: its force and torque on geom2 by the sign,
 *     s'(arm x F + T ; F),    arm = P - O */
static void less_contact(const sal_model *m, sal_data *d, const phy_observer *o, int i,
                         double *const D[3])
{
    const sal_contact *contact = d->contact + i;
    const bool first = phy_is_carried(m, m->geom_bodyid[contact->geom1], o->body);
    const bool second = phy_is_carried(m, m->geom_bodyid[contact->geom2], o->body);
    double local[6], F[3], arm[3];
    if (first == second || contact->efc_address < 0) {
        return;
    }
    sal_contact_weight weight[PHY_SEEN] = {{.normal = 0}};
    sal_contact_force(m, d, i, local);
    sal_m3_multv(F, contact->frame, local);
    sal_v3_sub(arm, contact->pos, phy_centre(m, d, o->body));
    for (int r = 0; r < o->n; r++) {
        const double *s = o->s[r], sign = second ? -1 : 1;
        sal_contact_weight *w = weight + r;
        sal_sp_point_velocity(w->force, s, arm);
        sal_v3_cross(w->pos, F, s);
        sal_v3_scale(w->force, w->force, sign);
        sal_v3_scale(w->pos, w->pos, sign);
        sal_v3_scale(w->torque, s, sign);
    }
    sal_contact_sum_deriv(m, d, i, o->n, weight, D[0], D[1], D[2]);
}

static void less_joined(const sal_model *m, sal_data *d, const phy_deriv *w, const phy_observer *o,
                        double *const D[3])
{
    int rows;
    for (int row = 0; row < d->nefc && d->efc_type[row] == SAL_EFC_EQUALITY; row += rows) {
        const int type = m->eq_type[d->efc_id[row]];
        rows = type == SAL_EQ_WELD ? 6 : type == SAL_EQ_CONNECT ? 3 : 1;
        if (rows > 1) {
            phy_joined_seen(m, d, w, o, row, -1, D);
        }
    }
}

void phy_sensor_force_deriv(const sal_model *m, sal_data *d, int i, double *const D[3])
{
    const size_t mark = d->arena.used;
    phy_deriv w = {.Dq = NULL};
    if (!phy_deriv_take(m, &d->arena, &w)) {
        return;
    }
    phy_deriv_clear(m, &w);
    const phy_observer o = observer_of(m, d, i);

    phy_smooth_columns(m, d, &w);
    phy_smooth_rows(m, &w);
    add_above(m, &w, &o, D);
    add_below(m, &w, &o, D);

    axes_turn(m, d, &o, D[0]);
    less_applied(m, d, &o, D[0]);
    for (int c = 0; c < d->ncon; c++) {
        less_contact(m, d, &o, c, D);
    }
    less_joined(m, d, &w, &o, D);
    for (int t = 0; t < m->ntendon; t++) {
        if (phy_tendon_joins(m, t, o.body)) {
            phy_tendon_seen(m, d, &w, &o, t, -1, D);
        }
    }
    d->arena.used = mark;
}
