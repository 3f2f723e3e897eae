/* stance.c: how left and right share the time on the ground.
 *
 *     stance of a body    the number of steps in which what cannot move bears it with W/100 or more
 *     its side            that of its name, or else, where the motion travels, that of its place:
 *                         mean over these steps of y = left . (x_body - x_root); |y| at least a
 *                         fifth of the largest of all bodies
 *     share of the left   sum of left stances / (sum of left + sum of right stances)
 *
 * The mirror image of a half cycle exchanges left and right, so that the whole cycle has 1/2.
 */
#include "problems/result/diagnose.h"
#include "problems/result/gait.h"

#include <math.h>

static const double LEAST_LOAD = 0.01, LEAST_PLACE = 0.2;

/* N: what carries each body at step t [nbody]. */
static void loads_of(const sal_result *r, int t, double *load)
{
    const sal_model *m = r->model;
    for (int b = 0; b < m->nbody; b++) {
        load[b] = 0;
    }
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        const int body1 = prb_contact_body(m, r->contact_geom[2 * k]),
                  body2 = prb_contact_body(m, r->contact_geom[2 * k + 1]);
        if ((body1 == 0) != (body2 == 0)) {
            load[body1 + body2] += r->contact_force[6 * k];
        }
    }
}

/* Steps on the ground of each body, and the sum of y over them. */
static void count_steps(const prb_gait *g, double *load, double *steps, double *place)
{
    const sal_result *r = g->r;
    const sal_model *m = r->model;
    const double left[3] = {-g->ahead[1], g->ahead[0], 0};
    for (int t = 0; t < r->nstep; t++) {
        loads_of(r, t, load);
        for (int b = 1; b < m->nbody; b++) {
            const double *x = r->xpos + 3 * (t * m->nbody + b),
                         *root = r->xpos + 3 * (t * m->nbody + m->body_rootid[b]);
            if (load[b] >= LEAST_LOAD * r->weight) {
                steps[b]++;
                place[b] += sal_v3_dot(left, x) - sal_v3_dot(left, root);
            }
        }
    }
}

static double share_of_left(const prb_gait *g, const double *steps, const double *place)
{
    const sal_model *m = g->r->model;
    double sum[2] = {0, 0}, widest = 0;
    for (int b = 1; b < m->nbody && !isnan(g->speed); b++) {
        widest = steps[b] > 0 ? fmax(widest, fabs(place[b] / steps[b])) : widest;
    }
    for (int b = 1; b < m->nbody; b++) {
        const double y = steps[b] > 0 ? place[b] / steps[b] : 0;
        const int named = prb_gait_side(m, SAL_OBJ_BODY, b);
        const bool apart = widest > 1e-6 && fabs(y) >= LEAST_PLACE * widest;
        const int side = named != 0 ? named : apart ? (y > 0 ? 1 : -1) : 0;
        if (side != 0) {
            sum[side < 0] += steps[b];
        }
    }
    if (sum[0] + sum[1] == 0 || (g->n == g->r->nstep && (sum[0] == 0 || sum[1] == 0))) {
        return (double)NAN; /* one side alone: nothing is shared */
    }
    return g->n > g->r->nstep ? 0.5 : sum[0] / (sum[0] + sum[1]);
}

bool prb_gait_stance(prb_gait *g)
{
    const size_t n = (size_t)g->r->model->nbody;
    double *work = sal_alloc(3 * n, sizeof *work);
    if (work != NULL) {
        count_steps(g, work, work + n, work + 2 * n);
        g->stance_left = share_of_left(g, work + n, work + 2 * n);
    }
    sal_free(work);
    return work != NULL;
}
