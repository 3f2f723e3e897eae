/* free.c: numbers that the search may choose within a range, and ends of a motion at rest: what a
 * motion is judged by in judge.c and warned of in diagnose_asked.c.
 */
#include "problems/result/diagnose.h"
#include "problems/result/result.h"
#include "problems/states.h"

#include <math.h>

int prb_free_of(prb_free free[PRB_NFREE], const sal_problem *p, const sal_result *r)
{
    int n = 0;
    if (p->duration_range[1] > p->duration_range[0]) {
        free[n++] = (prb_free){"duration", "s", r->nstep * r->timestep, p->duration_range};
    }
    if (r->image != NULL && p->travel == PRB_TRAVEL_FREE) {
        free[n++] = (prb_free){"travel", "m", prb_result_length(r), p->travel_range};
    }
    if (r->image != NULL && r->image->turning >= 0 && p->turn_range[1] > p->turn_range[0]) {
        free[n++] = (prb_free){"turn", "rad", r->image->turn, p->turn_range};
    }
    return n;
}

/* |x - (a + b)/2| / ((b - a)/2) for the range a .. b */
double prb_free_share(const prb_free *free)
{
    const double *range = free->range, half = (range[1] - range[0]) / 2;
    return half > 0 && isfinite(half) ? fabs(free->value - range[0] - half) / half : 0;
}

double prb_carried(const sal_result *r, int t)
{
    double sum = 0;
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        const int *geom = r->contact_geom + 2 * k;
        if ((prb_contact_body(r->model, geom[0]) == 0) !=
            (prb_contact_body(r->model, geom[1]) == 0)) {
            sum += r->contact_force[6 * k];
        }
    }
    return sum / r->weight;
}

int prb_rest_step(const sal_problem *p, const sal_result *r, int end)
{
    const prb_endpoint *e = end == 0 ? &p->start : &p->end;
    const bool rests = p->boundary == PRB_OPEN && prb_endpoint_rests(e, p->model->nv);
    return rests && prb_may_fall(r->model) ? (end == 0 ? 0 : r->nstep - 1) : -1;
}
