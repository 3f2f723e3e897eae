/* identification.c: a problem of identification: its memory, and what others may ask of it. */
#include "identify/identification.h"

void sal_identification_free(sal_identification *i)
{
    if (i == NULL) {
        return;
    }
    idn_parameters_free(i->parameters);
    idn_settings_free(i->settings);
    sal_problem_free(i->base);
    sal_free(i);
}

sal_identification_summary sal_identification_sum_up(const sal_identification *i)
{
    sal_identification_summary s = {.nstage = i->settings->nstage};
    sal_problem_recordings(&s.recordings, i->base);
    s.nparameter = i->parameters == NULL ? 0 : i->parameters->nshared;
    s.nlocal = i->parameters == NULL ? 0 : i->parameters->nlocal;
    return s;
}
