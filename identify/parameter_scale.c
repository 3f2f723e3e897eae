/* parameter_scale.c: what changes and errors of a parameter are measured by. */
#include "identify/assess.h"

#include <math.h>
#include <string.h>

static const double MUTE = 1e3; /* error, in sizes, of which one knows nothing */

bool idn_is_logarithm(const sal_identification_parameter *p)
{
    return strcmp(p->map, "log") == 0;
}

double idn_size_of(const sal_identification_parameter *p)
{
    const double range = p->upper - p->lower, value = fabs(p->value);
    return idn_is_logarithm(p) ? 1 : isfinite(range) ? fmax(value, range) : value > 0 ? value : 1;
}

bool idn_is_unmeasured(const sal_identification_parameter *p, double information)
{
    const double least = 1 / (MUTE * idn_size_of(p));
    return !(information >= least * least);
}
