/* orientation.c: three actuators in a row that turn a ball joint, with the rotation q = exp(l),
 * towards the orientation exp(u), u their controls (measured on MuJoCo 3.14, and tried beside it in
 * tests/physics/orientation_314.mjs):
 *
 *     e = log(q* exp(u))         the rotation that is missing, in the body's axes, the short way
 *     torque = kp e - kv w       w the angular velocity;  |torque| <= most
 *
 * Implicit integrators count no slope of a torque at its limit. (MuJoCo compares the torque after
 * it has cut it, so that rounding decides whether it counts the slope.)
 *
 *     gainprm = (kp, which of the three axes, most; 0: no limit)      biasprm = (0, -kp, -kv)
 */
#include "physics/actuator.h"

int phy_orientation_first(const sal_model *m, int i)
{
    return i - (int)m->actuator_gainprm[10 * i + 1];
}

void phy_orientation_error(const sal_data *d, int first, const double u[3], double e[3])
{
    double back[3], q[4], target[4], missing[4];
    sal_v3_scale(back, d->actuator_length + first, -1);
    sal_quat_exp(q, back);
    sal_quat_exp(target, u);
    sal_quat_mul(missing, q, target);
    sal_quat_log(e, missing);
}

double phy_orientation_share(const sal_model *m, int first, const double torque[3])
{
    const double most = m->actuator_gainprm[10 * first + 2], size = sal_v3_norm(torque);
    return most > 0 && size > most ? most / size : 1;
}
