/* A user's program: two turns of 90 degrees about z are one of 180. */
#include <math.h>
#include <saltus/base.h>
#include <saltus/optim.h>
#include <saltus/physics.h>

int main(void)
{
    const double axis[3] = {0, 0, 1}, quarter = acos(0.0);
    double turn[4], half[4];
    sal_quat_axisangle(turn, axis, quarter);
    sal_quat_mul(half, turn, turn);
    return fabs(fabs(half[3]) - 1) < 1e-15 && fabs(half[0]) < 1e-15 ? 0 : 1;
}
