/* identification.c: a problem of identification: its memory, and what others may ask of it. */
#include "identify/identification.h"

#include <string.h>

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

sal_status sal_identification_take(sal_identification *i, const sal_identification_result *found,
                                   sal_err *err)
{
    idn_parameters *ps = i->parameters;
    for (int k = 0; k < ps->nshared; k++) {
        int at;
        char name[SAL_IDENTIFICATION_NAME];
        const idn_parameter *p = idn_parameters_of(ps, false, k, &at);
        const sal_identification_parameter *from = NULL;
        idn_parameter_number_name(p, at, name, sizeof name);
        for (int j = 0; j < found->nparameter; j++) {
            from = strcmp(found->parameter[j].name, name) == 0 ? found->parameter + j : from;
        }
        if (from == NULL) {
            return sal_fail(err, SAL_BADINPUT,
                            "the result has no parameter '%s', which the problem asks for", name);
        }
        p->value[at] = from->value;
    }
    return SAL_OK;
}
