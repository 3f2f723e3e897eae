/* marker_fit.c: how far recorded markers are from the sites that follow them, in the motion found.
 * The model of a person that `saltus person` made says as its numbers rms_MARKER how far they were
 * from the poses of which it was made. */
#include "problems/solve/marker_fit.h"

#include "base/house.h"
#include "problems/recordings/track.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>

/* Moves what was recorded onto the floor as it was found: z = height + slope . ((x, y) - centre)
 * becomes z = 0 (row.c). */
static void move_to_floor(const prb_recorded_floor *floor, double x[3])
{
    const bool sloped = isfinite(floor->slope[0]);
    if (sloped) {
        prb_level level;
        const double arm[3] = {x[0] - floor->centre[0], x[1] - floor->centre[1], x[2]};
        prb_floor_level(&level, floor->slope);
        for (int i = 0; i < 3; i++) {
            x[i] += sal_v3_dot(level.turn + 3 * i, arm);
        }
    }
    x[2] -= isfinite(floor->height) ? floor->height : 0;
}

/* Where a site, or what was found to be beside it, is in row t. */
static void place_of(const sal_problem *p, const sal_result *r, const prb_channel *c, int t,
                     double x[3])
{
    const sal_model *m = r->model;
    const int body = m->site_bodyid[c->id], k = prb_track_marker(p, c);
    const double *xpos = r->xpos + 3 * (t * m->nbody + body),
                 *xquat = r->xquat + 4 * (t * m->nbody + body);
    double at[3];
    sal_v3_copy(at, m->site_pos + 3 * c->id);
    if (k > 0 && k <= r->nmarker) {
        sal_v3_add(at, at, r->marker[k - 1].offset);
    }
    sal_quat_rotate(x, xquat, at);
    sal_v3_add(x, x, xpos);
}

/* The sum of squares over the motion; *n: in how many rows the marker was seen. */
static double squares_of(const sal_problem *p, const sal_result *r, const prb_channel *c, int *n)
{
    double sum = 0;
    *n = 0;
    for (int t = 0; t <= r->nstep; t++) {
        double seen[3], site[3];
        if (prb_track_at(p->data, c, t * r->timestep, seen)) {
            move_to_floor(&r->floor, seen);
            place_of(p, r, c, t, site);
            sal_v3_sub(site, site, seen);
            sum += sal_v3_dot(site, site);
            ++*n;
        }
    }
    return sum;
}

/* m; NaN: the model does not say. */
static double model_rms(const sal_model *m, const char *site)
{
    char name[96];
    snprintf(name, sizeof name, "rms_%s", site);
    const int i = sal_model_find(m, SAL_OBJ_NUMERIC, name);
    return i < 0 || m->numeric_size[i] == 0 ? (double)NAN : m->numeric_data[m->numeric_adr[i]];
}

void prb_markers_measure(const sal_problem *p, sal_result *r)
{
    prb_marker_fit *fit = &r->marker_fit;
    double all = 0, model = 0, worst = -1;
    int rows = 0, known = 0;
    for (int i = 0; p->data != NULL && i < p->data->nchannel; i++) {
        const prb_channel *c = p->data->channel + i;
        int n = 0;
        const double sum = c->kind == PRB_CHANNEL_SITE ? squares_of(p, r, c, &n) : 0;
        if (n == 0) {
            continue;
        }
        char text[SAL_LABEL_MAX];
        const char *site = prb_short_name(r->model, SAL_OBJ_SITE, c->id, text);
        const double was = model_rms(r->model, site);
        all += sum;
        rows += n;
        model += isnan(was) ? 0 : n * was * was;
        known += isnan(was) ? 0 : n;
        if (sum / n > worst) {
            worst = sum / n;
            snprintf(fit->site, sizeof fit->site, "%.63s", site);
        }
    }
    fit->rms = rows > 0 ? sqrt(all / rows) : (double)NAN;
    fit->worst = rows > 0 ? sqrt(worst) : (double)NAN;
    fit->model = 2 * known > rows ? sqrt(model / known) : (double)NAN;
}
