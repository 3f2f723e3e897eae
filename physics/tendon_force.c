/* tendon_force.c: what spatial tendons do to the bodies along their paths. With f the force that
 * lengthens the tendon, a straight part from P_0 to P_1 with direction u puts
 *
 *     -f u / divisor at P_0,      f u / divisor at P_1
 *
 * on the two bodies; the arc over a geom adds nothing, its ends are points of the geom's body.
 *
 *     f = spring + damper + sum gear actuator_force + sum dl' rows - armature lddot
 *
 * with the rows of limits, friction and equalities, and lddot = J a + dJ/dt v.
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/stages.h"
#include "physics/tendon.h"

/* d pos / d length of the row of an equality between tendons:  pos = y - y_0 - poly(x - x_0) */
static double equality_slope(const sal_model *m, const sal_data *d, int i, int t)
{
    const double *c = m->eq_data + 11 * i;
    const int other = m->eq_obj2id[i];
    const double u = other < 0 ? 0 : d->ten_length[other] - m->tendon_length0[other];
    const double slope = phy_equality_slope(c, u);
    return (m->eq_obj1id[i] == t ? 1 : 0) - (other == t ? slope : 0);
}

/* The rows of a limit are J and -J. */
static double limit_slope(const sal_model *m, const sal_data *d, int row, int t)
{
    const double *J = d->efc_J + d->efc_J_rowadr[row], *length = d->ten_J + m->tendon_Jadr[t];
    double product = 0;
    for (int k = 0; k < m->tendon_Jnum[t]; k++) {
        product += J[k] * length[k];
    }
    return product < 0 ? -1 : 1;
}

static double force_of_rows(const sal_model *m, const sal_data *d, int t)
{
    double f = 0;
    for (int row = 0; row < d->nefc; row++) {
        const int type = d->efc_type[row], id = d->efc_id[row];
        if (type == SAL_EFC_EQUALITY && m->eq_type[id] == SAL_EQ_TENDON) {
            f += equality_slope(m, d, id, t) * d->efc_force[row];
        } else if (type == SAL_EFC_FRICTION_TENDON && id == t) {
            f += d->efc_force[row];
        } else if (type == SAL_EFC_LIMIT_TENDON && id == t) {
            f += limit_slope(m, d, row, t) * d->efc_force[row];
        }
    }
    return f;
}

static double force_of_actuators(const sal_model *m, const sal_data *d, int t)
{
    double f = 0;
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] == SAL_TRN_TENDON && m->actuator_trnid[i] == t) {
            f += m->actuator_gear[6 * i] * d->actuator_force[i];
        }
    }
    return f;
}

/* J a + dJ/dt v */
static double length_acceleration(const sal_model *m, const sal_data *d, int t)
{
    double a = phy_tendon_drift(m, d, t);
    for (int k = m->tendon_Jadr[t]; k < m->tendon_Jadr[t] + m->tendon_Jnum[t]; k++) {
        a += d->ten_J[k] * d->qacc[m->ten_dof[k]];
    }
    return a;
}

double phy_tendon_force(const sal_model *m, const sal_data *d, int t)
{
    double f = phy_tendon_spring(m, d, t) + force_of_actuators(m, d, t) + force_of_rows(m, d, t);
    if (m->tendon_armature[t] > 0) {
        f -= m->tendon_armature[t] * length_acceleration(m, d, t);
    }
    return f;
}

static void pull(const sal_model *m, sal_data *d, const phy_straight *p, double f)
{
    static const double none[3] = {0};
    double u[3];
    sal_v3_sub(u, p->point[1], p->point[0]);
    sal_v3_normalise(u);
    sal_v3_scale(u, u, f / p->divisor);
    phy_add_external(m, d, p->body[0], -1, u, none, p->point[0]);
    phy_add_external(m, d, p->body[1], 1, u, none, p->point[1]);
}

void phy_tendon_external(const sal_model *m, sal_data *d)
{
    for (int t = 0; t < m->ntendon; t++) {
        const double f = phy_tendon_is_fixed(m, t) ? 0 : phy_tendon_force(m, d, t);
        phy_straight straight[2];
        double arc;
        for (phy_span span = {0}; f != 0 && phy_tendon_span(m, t, &span);) {
            const int n = phy_tendon_straights(m, d, &span, straight, &arc);
            for (int k = 0; k < n; k++) {
                pull(m, d, straight + k, f);
            }
        }
    }
}
