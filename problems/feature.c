/* feature.c: the features of a problem: what its terms are about, then its constraints,
 * then the inputs of its functions. */
#include "problems/transcribe.h"

#include <math.h>

const prb_feature *prb_terms_feature(const sal_problem *p, int k)
{
    const int measured = p->nterm + p->nconstraint;
    return k < p->nterm   ? &p->term[k].feature
           : k < measured ? &p->constraint[k - p->nterm].feature
                          : p->input + (k - measured);
}

int prb_terms_instants(const sal_problem *p, int k)
{
    const prb_feature *f = prb_terms_feature(p, k);
    return f->nstep > 0 ? f->nstep : p->nstep;
}

double prb_terms_extent(const prb_transcription *tr, prb_per per)
{
    const double duration = tr->timestep * tr->p->nstep;
    return per == PRB_PER_TIME     ? 1
           : per == PRB_PER_MOTION ? duration
                                   : duration / fmax(fabs(tr->length), 1e-12);
}
