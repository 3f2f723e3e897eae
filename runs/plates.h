/* plates.h: forces of the floor on the feet of a person, as force plates measured them; private to
 * runs/.
 *
 *     plates_read.c       a file of plates
 *     plates_rows.c       wrenches at instants, z up
 *     plates_rest.c       what they read while nothing stands on them
 *     plates_feet.c       which foot stands on which plate
 *     plates_inverse.c    inverse dynamics with these forces: a result (plates_inverse.h)
 *     plates_compare.c    that beside a motion that was found without them
 *     plates_show.c       the same in words and as JSON
 *     plates_units.c      what their numbers would be in other units
 */
#ifndef SAL_RUNS_PLATES_H
#define SAL_RUNS_PLATES_H

#include "problems/result/result.h"
#include "runs/runs.h"
#include "signals/table.h"

enum { RUN_PLATES_MOST = 16, RUN_NFOOT = 2 };
/* Of poses, of plates, and of moments that are compared (prb_lowpass): Hz */
enum { RUN_LOWPASS = 6, RUN_LOWPASS_ORDER = 2 };

/* A force at a point of the floor, and the torque about that point. */
typedef struct run_wrench {
    double force[3], point[3], torque[3];
} run_wrench;

typedef struct run_plates {
    sig_signals s;
    int n;
    sig_plate plate[RUN_PLATES_MOST];
    /* which axis of the file is up */
    char up;
    /* what a unit of its points and moments is, besides what the file says: 1 */
    double metre, newton_metre;
    /* N: what is no more is no load; s: between known rows that far apart forces are interpolated
     * (run_plates_measure) */
    double faint, bridged;
} run_plates;

/* notes: what is said of a C3D file's plates, a line each. SAL_BADINPUT: no plates, no time, units
 * that are unknown, plates that press on nothing. */
sal_status run_plates_read(run_plates *p, const char *path, sal_text *notes, sal_diag *diag,
                           sal_err *err);
/* Takes off what the plates of a C3D file read at rest, and says it. */
sal_status run_plates_rest(run_plates *p, sal_text *notes, sal_err *err);
void run_plates_clear(run_plates *p);
/* SI units that one of a column is; 0: unknown. */
double run_plates_unit(const run_plates *p, int column);

/* Finds `faint` and `bridged`. */
sal_status run_plates_measure(run_plates *p, sal_err *err);
/* The mean of the known rows from t - span/2 to t + span/2, s, or what two neighbours say between
 * them; false: nothing is known of then. */
bool run_plates_at(const run_plates *p, int plate, double t, double span, run_wrench *w);
/* Whether t is not before the first row, nor behind the last one. */
bool run_plates_cover(const run_plates *p, double t, double span);

/* What a plate's vertical force is in a row of the file, N; may be NaN. */
double run_plates_vertical(const run_plates *p, int plate, int row);
/* The force of that row, z up, N; zeros where it has none. */
void run_plates_force(const run_plates *p, int plate, int row, double f[3]);
/* The point of that row, z up, m; zeros where it has none. */
void run_plates_point(const run_plates *p, int plate, int row, double x[3]);

/* Feet of a model of `saltus person`: right, left. */
typedef struct run_foot {
    int body;
    /* geoms under heel and toes */
    int heel[2], toe[2];
} run_foot;

/* SAL_BADINPUT: the model has no such feet. */
sal_status run_feet_find(run_foot foot[RUN_NFOOT], const sal_model *m, sal_err *err);
/* The foot that is nearest to a point of the floor at the pose of d, and how far from the line from
 * heel to toes it is, m. */
int run_feet_nearest(const run_foot foot[RUN_NFOOT], const sal_data *d, const double point[3],
                     double *distance);

#endif
