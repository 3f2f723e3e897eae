/* alternatives.h: other readings of recordings that fit poorly; private to identify/ */
#ifndef SAL_IDENTIFY_ALTERNATIVES_H
#define SAL_IDENTIFY_ALTERNATIVES_H

#include "identify/fit.h"

/* Whether what was found leaves far more than the sigmas say. */
bool idn_fits_poorly(const sal_identification_result *found);
/* A sentence about the reading that fits clearly better; none is added where there is none. */
sal_status idn_find_alternative(const idn_fit *fit, sal_text *out, sal_err *err);

#endif
