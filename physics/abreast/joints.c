/* joints.c: of several instants at once: which joints are at their limits, and the actuators of
 * slides and hinges. */
#include "physics/actuator.h"

void phy_near_limits(const sal_model *m, phy_instants *d)
{
    d->nlimit = 0;
    for (int j = 0; j < m->njnt; j++) {
        const double *range = m->jnt_range + 2 * j, margin = m->jnt_margin[j];
        const phy_real q = d->qpos[m->jnt_qposadr[j]];
        phy_truth near = ~(phy_truth){0}; /* a ball: each instant asks by itself */
        if (!m->jnt_limited[j]) {
            continue;
        }
        if (m->jnt_type[j] == SAL_JNT_SLIDE || m->jnt_type[j] == SAL_JNT_HINGE) {
            near = (q - range[0] < margin) | (range[1] - q < margin);
        }
        if (phy_any(&near)) {
            d->limit_joint[d->nlimit] = j;
            d->limit_lanes[d->nlimit++] = phy_bits(&near);
        }
    }
}

bool phy_joint_actuators(const sal_model *m, phy_instants *d)
{
    for (int i = 0; i < m->nu; i++) {
        if (!phy_is_of_scalar_joint(m, i)) {
            return false;
        }
        phy_joint_actuator(m, d, i);
        phy_actuator_rate(m, d, i);
    }
    return true;
}
