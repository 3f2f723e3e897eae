/* belt.c: whether a recording was made on a belt.
 *
 * A foot that stands has the velocity of what it stands on. That velocity is the one that most
 * footholds share, the greatest of
 *
 *     K(c) = sum_i 1/(1 + |v_i - c|^2/NEAR^2)
 *
 * and near it the mean of those that are no farther from it than feet slip. On ground that rests it
 * is 0. It is that of a belt if c is large, K(c) is more than twice K(0),
 * a good part of the footholds have it, in at least three quarters of the recording, and the body
 * does not go along: what slides or is carried takes the body with it.
 */
#include "problems/recordings/belt.h"

#include "base/house.h"

#include <float.h>
#include <math.h>

static const double NEAR = 0.1;               /* m/s */
static const double LEAST = 0.2;              /* m/s: of a belt */
static const double BETTER = 2;               /* than ground that rests */
static const double SHARE = 0.2;              /* of the footholds */
static const double ALONG = 0.5;              /* of the velocity: the body goes along */
static const double FEET = 0.03, LOW = 0.015; /* m: over the lowest point; over its own lowest */
static const double SLIP = 0.05;              /* m/s: of markers on shoes */
static const double LEVEL = 0.1;              /* m/s: upward, of what stands */
/* The same of a mechanism, whose feet slip by themselves in retargeted clips; over the median of
 * its lowest points. */
static const double STEP_LOW = 0.03, STEP_SLIP = 0.2, STEP_LEVEL = 0.15;
enum { TRIED = 200, ROUNDS = 30, QUARTERS = 4, FEW = 20 };

static double support(const prb_foothold *at, int n, const double c[2])
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double off = hypot(at[i].v[0] - c[0], at[i].v[1] - c[1]) / NEAR;
        sum += 1 / (1 + off * off);
    }
    return sum;
}

static void find_common(double c[2], const prb_foothold *at, int n, double slip)
{
    double most = -1;
    const int tried = n < TRIED ? n : TRIED;
    for (int k = 0; k < tried; k++) {
        const double *v = at[(int)((long long)k * n / tried)].v, now = support(at, n, v);
        if (now > most) {
            most = now;
            c[0] = v[0];
            c[1] = v[1];
        }
    }
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0, mean[2] = {0};
        for (int i = 0; i < n; i++) {
            const double off = hypot(at[i].v[0] - c[0], at[i].v[1] - c[1]) / slip;
            const double w = 1 / ((1 + off * off) * (1 + off * off));
            sum += w;
            mean[0] += w * at[i].v[0];
            mean[1] += w * at[i].v[1];
        }
        c[0] = mean[0] / sum;
        c[1] = mean[1] / sum;
    }
}

/* In how many quarters of the time something has this velocity */
static int quarters(const prb_foothold *at, int n, const double c[2])
{
    const double length = at[n - 1].at - at[0].at;
    bool seen[QUARTERS] = {false};
    int count = 0;
    for (int i = 0; i < n; i++) {
        const int k = (int)(QUARTERS * (at[i].at - at[0].at) / (length * (1 + 1e-9) + DBL_MIN));
        if (hypot(at[i].v[0] - c[0], at[i].v[1] - c[1]) < NEAR) {
            count += !seen[k];
            seen[k] = true;
        }
    }
    return count;
}

bool prb_belt_find(double walk[2], const prb_foothold *at, int n, double slip,
                   const double travel[2])
{
    static const double rest[2] = {0};
    double c[2] = {0};
    walk[0] = walk[1] = 0;
    if (n < FEW) {
        return false;
    }
    find_common(c, at, n, slip);
    const double speed = hypot(c[0], c[1]), own = support(at, n, c);
    if (!(speed > LEAST) || own < BETTER * support(at, n, rest) || own < SHARE * n ||
        quarters(at, n, c) < QUARTERS - 1 ||
        (travel[0] * c[0] + travel[1] * c[1]) / speed > ALONG * speed) {
        return false;
    }
    walk[0] = -c[0];
    walk[1] = -c[1];
    return true;
}

/* ---- a mechanism ---- */

bool prb_belt_of_steps(double walk[2], const prb_step *step, int n, const double travel[2],
                       prb_foothold *foothold, double *height)
{
    int stand = 0;
    for (int i = 0; i < n; i++) {
        height[i] = step[i].point[2];
    }
    sal_sort(height, n);
    for (int i = 0; i < n; i++) {
        if (step[i].point[2] < height[n / 2] + STEP_LOW && fabs(step[i].velocity[2]) < STEP_LEVEL) {
            foothold[stand++] =
                (prb_foothold){step[i].at, {step[i].velocity[0], step[i].velocity[1]}};
        }
    }
    return prb_belt_find(walk, foothold, stand, STEP_SLIP, travel);
}

/* ---- points ---- */

/* Sorted heights give the lowest that the point comes to, in one row of twenty; DBL_MAX: it is
 * hardly ever seen. */
static double lowest(const prb_points *p, int point, double *height)
{
    int n = 0;
    for (int row = 0; row < p->nrow; row++) {
        double x[3];
        if (p->place(p->ctx, point, row, x)) {
            height[n++] = x[2];
        }
    }
    sal_sort(height, n);
    return n < p->nrow / 2 ? DBL_MAX : height[n / 20];
}

/* How far it goes from the first row to the last in which it was seen, by the time. */
static bool travel_of(const prb_points *p, int point, double v[2])
{
    double first[3] = {0}, last[3] = {0};
    int a = 0, b = p->nrow - 1;
    while (a < b && !p->place(p->ctx, point, a, first)) {
        a++;
    }
    while (b > a && !p->place(p->ctx, point, b, last)) {
        b--;
    }
    if (b - a < p->nrow / 2) {
        return false;
    }
    v[0] = (last[0] - first[0]) * p->rate / (b - a);
    v[1] = (last[1] - first[1]) * p->rate / (b - a);
    return true;
}

/* Where a point stands; by time, for all points are asked in each row. */
static int find_footholds(const prb_points *p, const double *low, prb_foothold *at)
{
    double least = DBL_MAX;
    int n = 0;
    for (int i = 0; i < p->npoint; i++) {
        least = fmin(least, low[i]);
    }
    for (int row = 1; row + 1 < p->nrow; row++) {
        for (int i = 0; i < p->npoint; i++) {
            double x[3], before[3], after[3];
            if (low[i] > least + FEET || !p->place(p->ctx, i, row, x) || x[2] > low[i] + LOW ||
                !p->place(p->ctx, i, row - 1, before) || !p->place(p->ctx, i, row + 1, after)) {
                continue;
            }
            const double half = .5 * p->rate;
            if (fabs(after[2] - before[2]) * half < LEVEL) {
                at[n++] = (prb_foothold){
                    row / p->rate, {(after[0] - before[0]) * half, (after[1] - before[1]) * half}};
            }
        }
    }
    return n;
}

sal_status prb_belt_of_points(double walk[2], bool *found, const prb_points *p, sal_err *err)
{
    const size_t npoint = (size_t)p->npoint, nrow = (size_t)p->nrow;
    double *low = sal_alloc(npoint + nrow + 1, sizeof *low), travel[2] = {0};
    prb_foothold *at = sal_alloc(npoint * nrow + 1, sizeof *at);
    sal_status status = SAL_OK;
    int n = 0;
    *found = false;
    walk[0] = walk[1] = 0;
    if (low == NULL || at == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the feet of a recording");
        goto done;
    }
    for (int i = 0; i < p->npoint; i++) {
        double v[2];
        low[i] = lowest(p, i, low + npoint);
        if (travel_of(p, i, v)) {
            n++;
            travel[0] += (v[0] - travel[0]) / n;
            travel[1] += (v[1] - travel[1]) / n;
        }
    }
    *found = n > 0 && prb_belt_find(walk, at, find_footholds(p, low, at), SLIP, travel);
done:
    sal_free(low);
    sal_free(at);
    return status;
}
