/* recorded.h: a recording beside the motion that follows it; private to runs/.
 *
 *     recorded.c           both over all steps: the figures
 *     recorded_forces.c    one step of the recording: the best forces that contacts could give,
 *                          and how deep it is within itself
 *     recorded_show.c      as a table, in words and as JSON
 */
#ifndef SAL_RUNS_RECORDED_H
#define SAL_RUNS_RECORDED_H

#include "problems/recordings/belt.h"
#include "problems/result/result.h"
#include "problems/root.h"
#include "runs/runs.h"

/* One step: what the figures are made of. */
typedef struct run_instant {
    /* share of the weight */
    double root;
    /* m over the floor, negative in it; DBL_MAX: nothing can touch a floor */
    double lowest;
    /* m: of the deepest contact of the mechanism with itself, and its geoms; 0: none */
    double inside;
    int geom[2];
    /* share of the weight that the centre of mass asks of the floor */
    double asked;
    /* N, and N m/s */
    double load, sliding;
    /* of the lowest point */
    prb_step step;
} run_instant;

typedef struct run_recording {
    const sal_result *r;
    const sal_model *m;
    /* without contacts and limits; sees the floor from any height */
    sal_model *bare, *wide;
    sal_data *d;
    double weight;
    /* steps on either side from which velocities and accelerations are taken */
    int span;
    /* what carries the mechanism over the floor; body 0: nothing */
    prb_root root;
    /* [nv] rad/s, .. and N m: of the step at hand */
    double *qvel, *qacc, *force;
    /* nedge of at most `most` edges of cones of contacts near the floor, four of each: [most x nv]
     * their forces on each dof, [most] how strong each is, how fast its point slides, m/s, and what
     * its square costs */
    int most, nedge;
    double *edge, *strength, *sliding, *price;
    /* [nv x 3] */
    double *jac;
} run_recording;

sal_status run_recording_begin(run_recording *w, const sal_result *r, sal_err *err);
void run_recording_end(run_recording *w);
/* Step t of the poses q [T x nq]: fills the instant, and force [nv] with what joints must give. */
sal_status run_recording_at(run_recording *w, const double *q, int t, run_instant *now,
                            sal_err *err);

#endif
