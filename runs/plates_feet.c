/* plates_feet.c: the feet of a model of a person, and which of them is at a point of the floor. */
#include "runs/plates.h"

#include <math.h>
#include <stdio.h>

sal_status run_feet_find(run_foot foot[RUN_NFOOT], const sal_model *m, sal_err *err)
{
    static const char *const pads[] = {"heel_out", "heel_in", "toe_out", "toe_in"};
    for (int i = 0; i < RUN_NFOOT; i++) {
        const char *side = i == 0 ? "right" : "left";
        char name[32];
        int geom[4];
        snprintf(name, sizeof name, "%s_foot", side);
        foot[i].body = sal_model_find(m, SAL_OBJ_BODY, name);
        bool found = foot[i].body >= 0;
        for (int k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s_%s", side, pads[k]);
            geom[k] = sal_model_find(m, SAL_OBJ_GEOM, name);
            found = found && geom[k] >= 0;
        }
        if (!found) {
            return sal_fail(err, SAL_BADINPUT,
                            "the model has no body '%s_foot' with geoms '%s_heel_out', "
                            "'%s_heel_in', '%s_toe_out' and '%s_toe_in'; force plates need a model "
                            "that `saltus person` made",
                            side, side, side, side, side);
        }
        foot[i].heel[0] = geom[0], foot[i].heel[1] = geom[1];
        foot[i].toe[0] = geom[2], foot[i].toe[1] = geom[3];
    }
    return SAL_OK;
}

/* Of a point from the line from heel to toes, along the floor */
static double distance_of(const run_foot *foot, const sal_data *d, const double point[3])
{
    double heel[2], way[2], off[2];
    for (int k = 0; k < 2; k++) {
        heel[k] = (d->geom_xpos[3 * foot->heel[0] + k] + d->geom_xpos[3 * foot->heel[1] + k]) / 2;
        way[k] =
            (d->geom_xpos[3 * foot->toe[0] + k] + d->geom_xpos[3 * foot->toe[1] + k]) / 2 - heel[k];
        off[k] = point[k] - heel[k];
    }
    const double square = way[0] * way[0] + way[1] * way[1];
    const double along = (off[0] * way[0] + off[1] * way[1]) / fmax(square, 1e-12);
    const double share = fmin(1, fmax(0, along));
    return hypot(off[0] - share * way[0], off[1] - share * way[1]);
}

int run_feet_nearest(const run_foot foot[RUN_NFOOT], const sal_data *d, const double point[3],
                     double *distance)
{
    const double right = distance_of(foot, d, point), left = distance_of(foot + 1, d, point);
    *distance = fmin(right, left);
    return left < right;
}
