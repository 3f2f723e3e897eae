/* follow_belt.c: whether a recording was made on a belt: what stands moves backwards. A robot's
 * footholds are the lowest points of its model, a person's the markers that come low
 * (problems/recordings/belt.h). */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdlib.h>

/* What was found, and said of it. */
static void keep(gde_clip *c, const double walk[2])
{
    for (int i = 0; i < 2; i++) {
        c->belt[i] = round(1e3 * walk[i]) / 1e3 + 0.;
    }
    gde_note(&c->draft,
             "recorded on a belt of %.3g m/s: what stands moves at (%.3g, %.3g) m/s, z up; the "
             "motion goes over ground that rests",
             hypot(walk[0], walk[1]), 0. - c->belt[0], 0. - c->belt[1]);
}

/* ---- a robot ---- */

bool gde_clip_find_belt(const gde_clip *c, const prb_step *step, int n, const double *q,
                        const double *last, double walk[2], prb_foothold *at, double *height)
{
    const prb_root *base = &c->base;
    double travel[2] = {0};
    walk[0] = walk[1] = 0;
    for (int i = 0; i < 2 && base->body > 0; i++) {
        const int k = base->place[i];
        travel[i] = k < 0 ? 0 : base->along[i] * (last[k] - q[k]) / c->seconds;
    }
    const bool goes = base->body > 0 && (base->place[0] >= 0 || base->place[1] >= 0);
    return goes && prb_belt_of_steps(walk, step, n, travel, at, height);
}

/* The poses go along: x += t v, as <data belt> has it */
static void carry(gde_clip *c)
{
    const prb_root *base = &c->base;
    for (int row = 0; row < c->s.nrow; row++) {
        double *q = c->qpos + (size_t)row * (size_t)c->draft.m->nq;
        for (int i = 0; i < 2; i++) {
            if (base->place[i] >= 0) {
                q[base->place[i]] += row / c->rate * c->belt[i] * base->along[i];
            }
        }
    }
}

sal_status gde_clip_belt(gde_clip *c, sal_err *err)
{
    const size_t n = (size_t)c->s.nrow, nq = (size_t)c->draft.m->nq;
    double walk[2], *height = sal_alloc(n, sizeof *height);
    prb_step *step = sal_alloc(n, sizeof *step);
    prb_foothold *at = sal_alloc(n, sizeof *at);
    sal_status status = SAL_OK;
    if (height == NULL || step == NULL || at == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the feet of a recording");
        goto done;
    }
    for (size_t row = 0; row + 1 < n; row++) {
        const double *q = c->qpos + row * nq;
        gde_clip_lowest(c, q, q + nq, step + row);
        step[row].at = (double)row / c->rate;
    }
    if (gde_clip_find_belt(c, step, (int)n - 1, c->qpos, c->qpos + (n - 1) * nq, walk, at,
                           height)) {
        keep(c, walk);
        carry(c);
    }
done:
    sal_free(height);
    sal_free(step);
    sal_free(at);
    return status;
}

/* ---- a person ---- */

static bool place_of(const void *ctx, int point, int row, double x[3])
{
    return gde_marker_place(ctx, point, row, x);
}

sal_status gde_markers_belt(gde_clip *c, sal_err *err)
{
    const prb_points points = {c->s.nmarker, c->s.nrow, c->rate, c, place_of};
    double walk[2];
    bool found;
    const sal_status status = prb_belt_of_points(walk, &found, &points, err);
    if (status == SAL_OK && found) {
        keep(c, walk);
    }
    return status;
}

/* ---- what is written ---- */

void gde_write_belt(const gde_clip *c)
{
    if (c->belt[0] != 0 || c->belt[1] != 0) {
        sal_text_format(c->draft.out, " belt=\"%.9g %.9g\"", c->belt[0], c->belt[1]);
    }
}
