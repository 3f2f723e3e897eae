/* recordings_size.c: what a problem with recordings is made of, in figures. */
#include "identify/settings.h"

bool sal_problem_recordings(sal_recordings_size *what, const sal_problem *p)
{
    *what = (sal_recordings_size){0};
    if (p->data == NULL) {
        return false;
    }
    what->nrecording = p->data->nrecording;
    what->nchannel = p->data->nchannel;
    for (int i = 0; i < p->data->nrecording; i++) {
        const prb_recording *r = p->data->recording + i;
        what->nsample += r->nsample;
        what->seconds += r->nsample > 1 ? (r->nsample - 1) * r->dt : 0;
    }
    what->nparameter = p->parameters == NULL ? 0 : p->parameters->nshared;
    what->nlocal = p->parameters == NULL ? 0 : p->parameters->nlocal;
    what->nstage = p->identification_settings == NULL ? 0 : p->identification_settings->nstage;
    return true;
}
