/* plates_inverse.h: inverse dynamics with force plates, while it is at work; private to runs/.
 *
 *     plates_unseen.c     when markers do not tell how the person moves
 *     plates_stance.c     when a foot stands on no plate of its own
 *     plates_inverse.c    the forces
 *     plates_tell.c       what is said of them
 *     plates_units.c      what speaks for other units
 */
#ifndef SAL_RUNS_PLATES_INVERSE_H
#define SAL_RUNS_PLATES_INVERSE_H

#include "problems/problem.h"
#include "problems/states.h"
#include "runs/plates.h"

/* Of the weight: less is noise of the plate; a foot that no plate bears. */
#define RUN_LOADED      .02
#define RUN_UNEXPLAINED .2
/* m from the line from heel to toes: else no foot's */
#define RUN_REACH       .08
/* s: what the low-pass has wrong at both ends of a recording */
#define RUN_EDGE        .08

/* Steps at which a plate bears something, the first and last of them */
typedef struct run_steps {
    int n, first, last;
} run_steps;

typedef struct run_inverse {
    const sal_problem *p;
    prb_states poses;
    const sal_model *m;
    /* without contacts and limits */
    sal_model *bare;
    sal_data *d;
    run_plates plates;
    run_foot foot[RUN_NFOOT];
    int floor;
    double begin, h, weight;
    sal_result *r;
    /* [3 x nq], [nv], [4 nv] */
    double *window, *push, *scratch;
    /* [n plates x (nstep + 1) x 6] low-passed */
    double *wrench;
    /* [nstep] 1: this step has no forces */
    unsigned char *left_out;
    /* [nstep x RUN_NFOOT] 1: the foot is as low as one that carries something, 2: and
     * as slow */
    unsigned char *stands;
    /* [n plates] steps of each foot; of neither; of one foot while the other stands on none; of
     * which the file says nothing */
    struct {
        int of[RUN_NFOOT];
        run_steps neither, both, unknown;
    } seen[RUN_PLATES_MOST];
    /* steps at which a foot stands on no plate; which feet plates bear, of the step at hand */
    int beside;
    bool borne[RUN_NFOOT];
    /* of steps at which plates bear every foot that stands: how many, what they measure, what the
     * model needs, and the sums of squares and products of both; N */
    struct {
        int n;
        double measured, needed, measured2, both, needed2;
    } load;
    sal_text *notes;
} run_inverse;

void run_steps_add(run_steps *s, int t);

/* ---- plates_inverse.c ---- */

/* What a plate measured at step t, at the place to which a belt is carried along with the poses,
 * and on the floor that was moved to z = 0 with them: plates are at its height, or at 0. */
bool run_inverse_plate(const run_inverse *c, int plate, int t, run_wrench *w);

/* ---- plates_unseen.c ---- */

/* Leaves out the steps at which moments would be those of a pose that no marker tells, before that
 * is low-passed, and says them. Hz: of the low-pass; s: how far it reaches. */
sal_status run_inverse_unseen(run_inverse *c, double cutoff, double reach, sal_err *err);

/* ---- plates_stance.c ---- */

/* Sets `stands`, and leaves out the steps at which a foot stands on no plate of its own, of poses
 * that are low-passed already. */
sal_status run_inverse_stance(run_inverse *c, sal_err *err);

/* ---- plates_units.c: what speaks for other units ---- */

/* The unit in which forces whose mean is so many N would be about the weight; NULL: none. */
const char *run_unit_of_force(const run_inverse *c, double mean);
/* Of plates that are never loaded, added to a sentence. */
void run_units_of_nothing(const run_inverse *c, sal_text *out);
/* Of plates that are loaded where no foot is, added to a sentence. */
void run_units_of_place(run_inverse *c, sal_text *out);
/* Of moments about the vertical that are too large: sentences of their own, in notes. */
void run_units_of_moment(const run_inverse *c);

/* ---- plates_tell.c ---- */

/* SAL_BADINPUT, with the reason: no moment is known at any time. */
sal_status run_inverse_tell(run_inverse *c, sal_err *err);

#endif
