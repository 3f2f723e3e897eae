/* quantity_floor.c: the floor of the recordings that terms follow, found along with the motion. */
#include "problems/quantity.h"

#include <math.h>
#include <string.h>

static bool names(const prb_feature *f, int what)
{
    for (int k = 0; k < f->nobject; k++) {
        if (f->object[k] == what) {
            return true;
        }
    }
    return false;
}

bool prb_floor_is_free(const sal_problem *p, int what)
{
    for (int k = 0; k < p->nterm + p->nconstraint + p->ninput; k++) {
        const prb_feature *f = prb_terms_feature(p, k);
        if (prb_quantity_of(f)->object == PRB_OBJECT_FLOOR && names(f, what)) {
            return true;
        }
    }
    return false;
}

prb_recorded_floor prb_floor_unknown(void)
{
    const double nan = (double)NAN;
    return (prb_recorded_floor){nan, {nan, nan}, {nan, nan}};
}

prb_recorded_floor prb_floor_found(const prb_transcription *tr)
{
    prb_recorded_floor floor = prb_floor_unknown();
    if (tr->layout.global[PRB_GLOBAL_FLOOR] >= 0) {
        floor.height = tr->floor.height;
    }
    if (tr->layout.global[PRB_GLOBAL_SLOPE] >= 0) {
        memcpy(floor.slope, tr->floor.slope, sizeof floor.slope);
        memcpy(floor.centre, tr->floor.centre, sizeof floor.centre);
    }
    return floor;
}

int prb_floor_count(const sal_model *m, int what)
{
    (void)m;
    return what == PRB_FLOOR_HEIGHT ? 1 : 2;
}

const char *prb_floor_unit(const sal_model *m, const prb_feature *f, int what, int i)
{
    (void)m, (void)f, (void)i;
    return what == PRB_FLOOR_HEIGHT ? "m" : "";
}

void prb_floor_want(prb_wanted *list, const prb_feature *f)
{
    (void)list;
    (void)f;
}

/* Height and slopes are variables themselves. */
void prb_floor_write(prb_writer *w)
{
    const prb_recorded_floor *floor = &w->tr->floor;
    for (int k = 0; k < w->feature->nobject; k++) {
        if (w->feature->object[k] == PRB_FLOOR_HEIGHT) {
            prb_row_put_floor(w, PRB_GLOBAL_FLOOR, 1);
            prb_row_end(w, floor->height);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            prb_row_put_floor(w, PRB_GLOBAL_SLOPE + i, 1);
            prb_row_end(w, floor->slope[i]);
        }
    }
}

/* The smallest rotation R that takes the floor's normal n = (-a, -b, 1)/L to z, a and b the slopes,
 * L^2 = 1 + a^2 + b^2, M = L (L + 1):
 *
 *             ( -a^2/M  -a b/M     a/L    )
 *     R - 1 = ( -a b/M  -b^2/M     b/L    )        its quaternion (L + 1, -b, a, 0)/sqrt(2 M)
 *             ( -a/L    -b/L    1/L - 1   )
 *
 * and d L/d a = a/L, d M/d a = (2 L + 1) a/L. */
void prb_floor_level(prb_level *level, const double slope[2])
{
    const double L = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]), M = L * (L + 1),
                 root = sqrt(2 * M), u[4] = {L + 1, -slope[1], slope[0], 0};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            level->turn[3 * i + j] = -slope[i] * slope[j] / M;
        }
        level->turn[3 * i + 2] = slope[i] / L;
        level->turn[6 + i] = -slope[i] / L;
    }
    level->turn[8] = 1 / L - 1;
    for (int c = 0; c < 4; c++) {
        level->quat[c] = u[c] / root;
    }
    for (int k = 0; k < 2; k++) { /* by slope k */
        double *D = level->turn_deriv[k];
        const double dL = slope[k] / L, dM = (2 * L + 1) * dL,
                     du[4] = {dL, k == 1 ? -1 : 0, k == 0 ? 1 : 0, 0};
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                const double d = (i == k ? slope[j] : 0) + (j == k ? slope[i] : 0);
                D[3 * i + j] = (slope[i] * slope[j] * dM / M - d) / M;
            }
            D[3 * i + 2] = ((i == k ? 1 : 0) - slope[i] * dL / L) / L;
            D[6 + i] = -D[3 * i + 2];
        }
        D[8] = -dL / (L * L);
        for (int c = 0; c < 4; c++) {
            level->quat_deriv[k][c] = (du[c] - u[c] * dM / (2 * M)) / root;
        }
    }
}
