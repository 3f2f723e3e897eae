/* free.c: numbers that the search may choose within a range, and ends of a motion at rest: what a
 * motion is judged by in judge.c and warned of in diagnose_asked.c.
 */
#include "problems/quantity.h"
#include "problems/result/diagnose.h"
#include "problems/result/result.h"
#include "problems/states.h"

#include <math.h>
#include <stdio.h>

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

/* Whether a geom is of a tree that only contacts can carry. */
static bool must_be_carried(const sal_model *m, int geom)
{
    const int body = prb_contact_body(m, geom);
    return body != 0 && prb_tree_is_free(m, m->body_rootid[body]);
}

/* The weight of all such trees, N */
static double weight_to_carry(const sal_model *m)
{
    double mass = 0;
    for (int b = 1; b < m->nbody; b++) {
        const bool counts = m->body_weldid[b] != 0 && prb_tree_is_free(m, m->body_rootid[b]);
        mass += counts ? m->body_mass[b] : 0;
    }
    return -m->opt.gravity[2] * mass;
}

/* A contact's force, in the axes of its frame (rows), acts on its second geom. */
double prb_carried(const sal_result *r, int t)
{
    double sum = 0;
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        const int *geom = r->contact_geom + 2 * k;
        const double *f = r->contact_force + 6 * k, *frame = r->contact_frame + 9 * k;
        const bool first = must_be_carried(r->model, geom[0]),
                   second = must_be_carried(r->model, geom[1]);
        const double up = f[0] * frame[2] + f[1] * frame[5] + f[2] * frame[8];
        sum += (second - first) * up;
    }
    return sum / weight_to_carry(r->model);
}

void prb_free_name(char name[100], const sal_model *m)
{
    char first[PRB_COLUMN_NAME] = "";
    int n = 0;
    bool all = true;
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_parentid[b] != 0 || m->body_weldid[b] == 0) {
            continue;
        }
        const bool is_free = prb_tree_is_free(m, b);
        all = all && is_free;
        n += is_free;
        if (is_free && n == 1) {
            prb_object_word(first, m, SAL_OBJ_BODY, b);
        }
    }
    if (all) {
        snprintf(name, 100, "the mechanism");
    } else if (n == 1) {
        snprintf(name, 100, "body '%.60s'", first);
    } else {
        snprintf(name, 100, "body '%.60s' and %d more", first, n - 1);
    }
}

int prb_rest_step(const sal_problem *p, const sal_result *r, int end)
{
    const prb_endpoint *e = end == 0 ? &p->start : &p->end;
    const bool rests = p->boundary == PRB_OPEN && prb_endpoint_rests(e, p->model->nv);
    return rests && prb_may_fall(r->model) ? (end == 0 ? 0 : r->nstep - 1) : -1;
}
