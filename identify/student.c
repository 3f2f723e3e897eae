/* student.c: Student's distribution: how many standard errors an interval reaches whose standard
 * error is itself estimated.
 *
 *     P(|t| < sqrt(f) tan a) = integral_0^a cos^(f-1) / integral_0^(pi/2) cos^(f-1)
 *
 * a is found by Newton's method, the integral by Simpson's rule; both are smooth for f >= 1.
 */
#include "identify/assess.h"

#include <math.h>

static const double NORMAL = 1.959963984540054; /* of infinitely many freedoms */
static const double MANY = 1e6, HALF_TURN = 3.141592653589793;
enum { PIECES = 200, STEPS = 60 };

static double integral(double f, double a)
{
    double sum = 0;
    for (int i = 0; i <= PIECES; i++) {
        const double weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
        sum += weight * pow(cos(a * i / PIECES), f - 1);
    }
    return sum * a / (3 * PIECES);
}

double sal_identification_reach(const sal_identification_parameter *p)
{
    return p->se * idn_student(p->freedom);
}

double idn_student(double freedom)
{
    if (!(freedom < MANY)) {
        return NORMAL;
    }
    const double f = fmax(freedom, 1);
    const double want = 0.95 * 0.5 * sqrt(HALF_TURN) * exp(lgamma(f / 2) - lgamma((f + 1) / 2));
    double a = 0; /* from below: the integrand decreases, and no step goes beyond */
    for (int i = 0; i < STEPS; i++) {
        const double step = (want - integral(f, a)) / pow(cos(a), f - 1);
        a += step;
        if (fabs(step) <= 1e-14 * a) {
            break;
        }
    }
    return sqrt(f) * tan(a);
}
