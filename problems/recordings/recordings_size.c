/* recordings_size.c: how much was recorded, in figures. */
#include "problems/problem.h"
#include "problems/recordings/data.h"

bool sal_problem_recordings(sal_recordings_size *size, const sal_problem *p)
{
    *size = (sal_recordings_size){0};
    if (p->data == NULL) {
        return false;
    }
    size->nrecording = p->data->nrecording;
    size->nchannel = p->data->nchannel;
    for (int i = 0; i < p->data->nrecording; i++) {
        const prb_recording *r = p->data->recording + i;
        size->nsample += r->nsample;
        size->seconds += r->nsample > 1 ? (r->nsample - 1) * r->dt : 0;
    }
    return true;
}
