/* ranks.c: which members are whose, and what the ranks tell each other. */
#include "optim/joint/joint.h"

void opt_joint_own(const sal_joint *j, int *begin, int *end)
{
    *begin = j->begin == NULL ? 0 : j->begin[j->nls->ranks->rank];
    *end = j->begin == NULL ? j->nmember : j->begin[j->nls->ranks->rank + 1];
}

void opt_joint_collect(sal_joint *j, double *x, size_t each, const size_t *at)
{
    for (int k = 0; j->begin != NULL && k < j->nls->ranks->size; k++) {
        const int begin = j->begin[k], end = j->begin[k + 1];
        j->talk.at[k] = at == NULL ? (size_t)begin * each : at[begin];
        j->talk.n[k] = at == NULL ? (size_t)(end - begin) * each : at[end] - at[begin];
    }
    if (j->begin != NULL) {
        opt_talk_collect(&j->talk, x, j->talk.at, j->talk.n);
    }
}

sal_status opt_joint_agree(sal_joint *j, sal_status status, sal_err *err)
{
    return j->begin == NULL ? status : opt_talk_agree(&j->talk, status, err);
}
