/* sensor_limit.c: which row of the constraints a sensor of a limit watches. */
#include "physics/sensors/sensor.h"

int phy_limit_row(const sal_model *m, const sal_data *d, int i)
{
    const bool tendon = m->sensor_objtype[i] == SAL_OBJ_TENDON;
    const int type = tendon ? SAL_EFC_LIMIT_TENDON : SAL_EFC_LIMIT_JOINT;
    for (int row = 0; row < d->nefc; row++) {
        if (d->efc_type[row] == type && d->efc_id[row] == m->sensor_objid[i]) {
            return row;
        }
    }
    return -1;
}
