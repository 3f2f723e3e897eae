/* damping.h: the damping mu of (H + mu I) d = -g, kept from one linearisation to the next.
 *
 *     accepted:  mu *= max(shrink, 1 - (2 gain - 1)^3), at least floor;  nu = 2
 *     rejected:  mu *= nu;  nu *= 2
 *
 * gain = actual / predicted decrease (Nielsen, "Damping parameter in Marquardt's method",
 * IMM-REP-1999-05, DTU, 1999)
 */
#ifndef SAL_OPTIM_DAMPING_H
#define SAL_OPTIM_DAMPING_H

typedef struct opt_damping {
    double mu;
    double nu;
    /* the most that one good step divides mu by, as a factor */
    double shrink;
    double floor;
    /* of a trust region instead; 0: not known yet */
    double radius;
} opt_damping;

void opt_damping_start(opt_damping *damping, double mu, double shrink, double floor);
void opt_damping_accept(opt_damping *damping, double gain);
/* `curvature`: the largest entry of diag H. Damping far below its rounding errors is raised to them
 * at once. */
void opt_damping_reject(opt_damping *damping, double curvature);


/* The trust region after a step of this length (Madsen, Nielsen, Tingleff, "Methods for non-linear
 * least squares problems", DTU, 2004, section 3.3): gain > 3/4: at least three times as long as the
 * step; < 1/4: halved, and shorter than the step. */
void opt_damping_resize(opt_damping *damping, double gain, double length);

#endif
