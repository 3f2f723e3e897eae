/* orientation.c: actuators in a row that turn a ball joint, or a site against another, with the
 * rotation q = exp(l), towards an orientation p (measured on MuJoCo 3.14, and tried beside it in
 * tests/physics/orientation_314.mjs):
 *
 *     p = exp(u), u a rotation vector     three actuators, one for each axis
 *     p = u / |u|, u a quaternion         a fourth is before them, for u_0, and exerts nothing;
 *                                         u = 0 means no rotation
 *     e = log(q* p)                       the rotation that is missing, in the axes of the joint's
 *                                         body or of the site, the short way
 *     torque = kp e - kv w                w the angular velocity;  |torque| <= most
 *
 * Implicit integrators count no slope of a torque at its limit. (MuJoCo compares the torque after
 * it has cut it, so that rounding decides whether it counts the slope.)
 *
 *     gainprm = (kp, which of the three axes, most; 0: no limit, 1 of a quaternion)
 *     biasprm = (0, -kp, -kv)             of the fourth kp = kv = 0, and its axis is -1
 */
#include "base/house.h"
#include "physics/actuator.h"

int phy_orientation_first(const sal_model *m, int i)
{
    return i - (int)m->actuator_gainprm[10 * i + 1];
}

int phy_orientation_inputs(const sal_model *m, int first, int *begin)
{
    const bool quat = m->actuator_gainprm[10 * first + 3] != 0;
    *begin = quat ? first - 1 : first;
    return quat ? 4 : 3;
}

void phy_orientation_target(int ninput, const double *u, double target[4])
{
    if (ninput == 3) {
        sal_quat_exp(target, u);
    } else {
        sal_quat_copy(target, u);
        sal_quat_normalise(target);
    }
}

void phy_orientation_error(const sal_data *d, int first, const double target[4], double e[3])
{
    double back[3], q[4], missing[4];
    sal_v3_scale(back, d->actuator_length + first, -1);
    sal_quat_exp(q, back);
    sal_quat_mul(missing, q, target);
    sal_quat_log(e, missing);
}

double phy_orientation_share(const sal_model *m, int first, const double torque[3])
{
    const double most = m->actuator_gainprm[10 * first + 2], size = sal_v3_norm(torque);
    return most > 0 && size > most ? most / size : 1;
}
