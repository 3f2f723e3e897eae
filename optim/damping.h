/* damping.h: the damping mu of (H + mu I) d = -g, kept from one linearisation to the next.
 *
 *     accepted:  mu *= max(shrink, 1 - (2 gain - 1)^3), at least floor;  nu = 2
 *     rejected:  mu *= nu;  nu *= 2
 *
 * gain = actual / predicted decrease (Nielsen, "Damping parameter in Marquardt's method", IMM-REP-1999-05, DTU, 1999)
 */
#ifndef SAL_DAMPING_H
#define SAL_DAMPING_H

typedef struct sal_damping {
    double mu, nu;
    double shrink; /* the most that one good step divides mu by, as a factor */
    double floor;
} sal_damping;

void sal_damping_start(sal_damping *damping, double mu, double shrink, double floor);
void sal_damping_accept(sal_damping *damping, double gain);
/* `curvature`: the largest entry of diag H. Damping far below its rounding errors is raised to them at once. */
void sal_damping_reject(sal_damping *damping, double curvature);

#endif
