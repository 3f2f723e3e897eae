/* sensor_subtree_deriv.c: sensors of all that hangs from a body, and of the mechanism's energy. */
#include "base/house.h"
#include "physics/sensors/sensor.h"
#include "physics/subtree.h"

static void subtree_deriv(const sal_model *m, sal_data *d, int i, sal_bulk which, double *Dq,
                          double *Dv)
{
    const int body = m->sensor_objid[i];
    const double mass = m->body_subtreemass[body];
    phy_subtree of = {.body = body, .mass = mass < SAL_MINVAL ? SAL_MINVAL : mass};
    sal_v3_copy(of.com, d->subtree_com + 3 * body);
    sal_v3_scale(of.p, d->subtree_linvel + 3 * body, of.mass);
    phy_subtree_deriv(m, d, which, &of, Dq, Dv);
}

bool phy_sensor_sees_subtree(int type)
{
    return type == SAL_SENS_SUBTREECOM || type == SAL_SENS_SUBTREELINVEL ||
           type == SAL_SENS_SUBTREEANGMOM || type == SAL_SENS_E_POTENTIAL ||
           type == SAL_SENS_E_KINETIC;
}

void phy_sensor_subtree_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv)
{
    switch (m->sensor_type[i]) {
    case SAL_SENS_E_POTENTIAL:
        sal_potential_energy_deriv(m, d, Dq);
        break;
    case SAL_SENS_E_KINETIC:
        sal_kinetic_energy_deriv(m, d, Dq, Dv);
        break;
    case SAL_SENS_SUBTREECOM:
        subtree_deriv(m, d, i, SAL_BULK_COM, Dq, Dv);
        break;
    case SAL_SENS_SUBTREELINVEL:
        subtree_deriv(m, d, i, SAL_BULK_LINVEL, Dq, Dv);
        break;
    default:
        subtree_deriv(m, d, i, SAL_BULK_ANGMOM, Dq, Dv);
        break;
    }
}
