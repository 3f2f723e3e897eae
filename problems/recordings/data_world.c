/* data_world.c: whether recordings stand in the world of the model: what falls falls down, as fast
 * as gravity has it; what stands stands upright. */
#include "problems/recordings/belt.h"
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double *at_row(const prb_track *t, int k, int v)
{
    return t->value + (size_t)k * (size_t)t->data->nvalue + (size_t)v;
}

/* ---- falling ---- */

/* The parabola x = c + b s + a s^2/2 that fits rows k .. k + n - 1 best, s the time. */
typedef struct parabola {
    double a[3]; /* m/s^2 */
    double off;  /* root mean square of what it leaves, m */
} parabola;

/* By polynomials that are orthogonal over the rows: p_1 = s - mean, p_2 = s^2 - its projections.
 * False where numbers are missing. */
static bool fit(const prb_track *t, int v, int k, int n, parabola *p)
{
    enum { MOST = 64 };
    double s[MOST], p2[MOST], mean = 0, s2 = 0, s3 = 0, norm = 0, left = 0;
    for (int i = 0; i < n; i++) {
        mean += t->at[k + i] / n;
    }
    for (int i = 0; i < n; i++) {
        s[i] = t->at[k + i] - mean;
        s2 += s[i] * s[i];
        s3 += s[i] * s[i] * s[i];
    }
    for (int i = 0; i < n; i++) {
        p2[i] = s[i] * s[i] - s2 / n - s3 / s2 * s[i];
        norm += p2[i] * p2[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        double c = 0, b = 0, a = 0;
        for (int i = 0; i < n; i++) {
            const double x = *at_row(t, k + i, v + axis);
            c += x / n;
            b += x * s[i] / s2;
            a += x * p2[i] / norm;
        }
        for (int i = 0; i < n; i++) {
            const double off = *at_row(t, k + i, v + axis) - c - b * s[i] - a * p2[i];
            left += off * off / n;
        }
        p->a[axis] = 2 * a;
    }
    p->off = sqrt(left);
    return !isnan(left);
}

/* A stretch over which a body accelerates evenly. */
typedef struct fall {
    int row, n; /* windows that agree */
    double a[3];
} fall;

/* Windows of about 60 ms whose parabola bends eight times as much as it is off, one after another
 * and alike to a sixth. */
static void next_window(const prb_track *t, int v, int k, int n, fall *now)
{
    parabola p;
    const double time = t->at[k + n - 1] - t->at[k];
    const bool fits = fit(t, v, k, n, &p);
    const double size = sal_v3_norm(p.a);
    if (!fits || size * time * time / 8 < 8 * p.off) {
        now->n = 0;
        return;
    }
    double difference[3];
    sal_v3_sub(difference, p.a, now->a);
    if (now->n == 0 || sal_v3_norm(difference) > size / 6) {
        now->n = 0;
        now->row = k;
        now->a[0] = now->a[1] = now->a[2] = 0;
    }
    now->n++;
    for (int i = 0; i < 3; i++) {
        now->a[i] += (p.a[i] - now->a[i]) / now->n;
    }
}

/* The angle between a and the direction `axis`, 0..5: -x, +x, -y, .. */
static double angle_to(const double a[3], int axis)
{
    return acos(fmax(-1, fmin(1, a[axis / 2] * (axis % 2 ? 1 : -1) / sal_v3_norm(a))));
}

static bool is_free(const sal_model *m, int body)
{
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_parentid[b] == body) {
            return false;
        }
    }
    return m->body_jntnum[body] == 1 && m->jnt_type[m->body_jntadr[body]] == SAL_JNT_FREE;
}

/* Windows that make a fall; more of them, more alike, where it is one that should not be. */
enum { DOWN = 4, ALIKE = 3, SUSPECT = 6 };

/* The longest fall of each kind: as gravity has it, as fast but elsewhere, downwards but not as
 * fast. */
typedef struct falls {
    fall right, aside, slow;
    int axis; /* of aside */
} falls;

static void keep(falls *found, const fall *now, double g)
{
    const double off = fabs(sal_v3_norm(now->a) / g - 1);
    if (now->n >= ALIKE && off < .12 && angle_to(now->a, DOWN) < .2) {
        found->right = *now;
    }
    for (int axis = 0; axis < 6 && now->n >= SUSPECT; axis++) {
        const double angle = angle_to(now->a, axis);
        if (axis == DOWN && angle < .07 && now->n > found->slow.n) {
            found->slow = *now;
        } else if (axis != DOWN && off < .07 && angle < .1 && now->n > found->aside.n) {
            found->aside = *now;
            found->axis = axis;
        }
    }
}

/* To a thousandth of the size; never -0 */
static double rounded(double x, double size)
{
    return floor(1000 * x / size + .5) * (size / 1000) + 0.;
}

/* What an even acceleration that is not gravity's says; false after an error. */
static bool judge(prb_track *t, const prb_channel *c, const falls *found, double g)
{
    static const char *const name[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    char text[400];
    const fall *f = found->aside.n > 0 ? &found->aside : &found->slow;
    if (f->n == 0) {
        return true;
    }
    const sal_place place = prb_track_place(t, f->row, c->adr);
    const double size = sal_v3_norm(f->a), ratio = size / g;
    snprintf(text, sizeof text,
             "from this row on channel '%.60s' has a constant acceleration of (%.3g, %.3g, %.3g) "
             "m/s2, z up: it falls",
             c->name, rounded(f->a[0], size), rounded(f->a[1], size), rounded(f->a[2], size));
    const size_t n = strlen(text);
    const bool aside = f == &found->aside;
    if (aside) {
        snprintf(text + n, sizeof text - n, " towards %s; axes may be exchanged",
                 name[found->axis]);
    } else {
        snprintf(text + n, sizeof text - n,
                 ", but with %.3g times the acceleration of gravity; the rate may be %.4g times "
                 "the true one, or lengths are in other units",
                 ratio, sqrt(ratio));
    }
    const char *help =
        aside ? "check up= and the order of columns=" : "check rate=, time= and units=";
    if ((!aside && fabs(ratio - 1) < .25) || (t->wish->falls && f->n < 3 * SUSPECT / 2)) {
        prb_track_doubt(t, PRB_DOUBT_GRAVITY, place, help, text);
        return true;
    }
    sal_diag_error(t->r->diag, place, help, "%s", text);
    return false;
}

static bool check_fall(prb_track *t, const prb_channel *c)
{
    enum { LEAST = 8, MOST = 60 };
    const double dt = (t->at[t->n - 1] - t->at[0]) / (t->n - 1);
    const double g = -t->r->p->model->opt.gravity[2];
    const int wanted = (int)ceil(.05 / dt), n = wanted < LEAST  ? LEAST
                                                : wanted > MOST ? MOST
                                                                : wanted;
    fall now = {0};
    falls found = {0};
    for (int k = 0; k + n <= t->n; k++) {
        next_window(t, c->adr, k, n, &now);
        keep(&found, &now, g);
    }
    if (found.right.n > 0) {
        t->wish->falls =
            true; /* as it should: others are no more than doubted, if they do it shortly */
        return true;
    }
    return judge(t, c, &found, g);
}

bool prb_track_check_fall(prb_track *t)
{
    const sal_model *m = t->r->p->model;
    const double *g = m->opt.gravity;
    const bool plain =
        fabs(g[0]) + fabs(g[1]) <= 0 && g[2] < 0 && !(m->opt.disable & SAL_DSBL_GRAVITY);
    bool good = true;
    for (int i = 0; i < t->data->nchannel && plain; i++) {
        const prb_channel *c = t->data->channel + i;
        if (t->wish->channel[i] != NULL && c->kind == PRB_CHANNEL_BODY && is_free(m, c->id)) {
            good = check_fall(t, c) && good;
        }
    }
    return good;
}

/* ---- standing ---- */

/* Over the markers: how heights in the home pose go with a coordinate of the recording, averaged
 * over time. */
typedef struct comparison {
    int n;
    double correlation[3], slope; /* slope: of the coordinate that fits best */
} comparison;

static int mean_place(const prb_track *t, const prb_channel *c, double mean[3])
{
    int count = 0;
    mean[0] = mean[1] = mean[2] = 0;
    for (int k = 0; k < t->n; k++) {
        const double *x = at_row(t, k, c->adr);
        if (!isnan(x[0] + x[1] + x[2])) {
            count++;
            for (int i = 0; i < 3; i++) {
                mean[i] += (x[i] - mean[i]) / count;
            }
        }
    }
    return count;
}

static bool is_marker(const prb_track *t, int i)
{
    return t->wish->channel[i] != NULL && t->data->channel[i].kind == PRB_CHANNEL_SITE;
}

/* Covariances of height h and coordinates x, one marker after another */
static comparison compare_heights(const prb_track *t, const double *site_xpos)
{
    comparison found = {0};
    double h = 0, x[3] = {0}, hh = 0, hx[3] = {0}, xx[3] = {0};
    for (int i = 0; i < t->data->nchannel; i++) {
        double mean[3];
        const prb_channel *c = t->data->channel + i;
        if (!is_marker(t, i) || mean_place(t, c, mean) == 0) {
            continue;
        }
        const double height = site_xpos[3 * c->id + 2];
        found.n++;
        h += height;
        hh += height * height;
        for (int k = 0; k < 3; k++) {
            x[k] += mean[k];
            xx[k] += mean[k] * mean[k];
            hx[k] += height * mean[k];
        }
    }
    const double n = found.n > 0 ? found.n : 1, varies = hh - h * h / n;
    double best = 0;
    for (int k = 0; k < 3; k++) {
        const double with = hx[k] - h * x[k] / n, own = xx[k] - x[k] * x[k] / n;
        found.correlation[k] = varies > 0 && own > 0 ? with / sqrt(varies * own) : 0;
        if (fabs(found.correlation[k]) > best) {
            best = fabs(found.correlation[k]);
            found.slope = with / varies;
        }
    }
    found.n = varies > .04 * n ? found.n : 0; /* heights that differ by .2 m */
    return found;
}

static bool judge_standing(prb_track *t, const comparison *found)
{
    int best = 0;
    const double *r = found->correlation;
    for (int k = 1; k < 3; k++) {
        best = fabs(r[k]) > fabs(r[best]) ? k : best;
    }
    if (found->n < 6 || fabs(r[best]) < .9) {
        return true;
    }
    if (best != 2 || r[best] < 0) {
        if (r[2] > .5) {
            return true;
        }
        sal_diag_error(t->r->diag, prb_reader_place(t->wish->element, "up"),
                       "check up= and the order of columns=",
                       "the markers of '%.200s' are not upright: heights of the model correlate "
                       "with their %c%c (%.2f; with z: %.2f), z up; axes may be exchanged",
                       t->file->path, r[best] < 0 ? '-' : '+', "xyz"[best], fabs(r[best]), r[2]);
        return false;
    }
    if (found->slope < .2 || found->slope > 5) {
        sal_diag_error(t->r->diag, prb_reader_place(t->wish->element, "up"),
                       "set units= in the channels",
                       "the markers of '%.200s' are %.3g times as high as those of the model; "
                       "lengths may be in other units",
                       t->file->path, found->slope);
        return false;
    }
    return true;
}

bool prb_track_check_upright(prb_track *t)
{
    sal_err err;
    sal_data *d = NULL;
    int nmarker = 0;
    bool good = true;
    for (int i = 0; i < t->data->nchannel; i++) {
        nmarker += is_marker(t, i);
    }
    if (nmarker < 6) {
        return true;
    }
    if (sal_data_new(&d, t->r->p->model, &err) != SAL_OK) {
        t->r->nomem = true;
        return false;
    }
    sal_kinematics(t->r->p->model, d);
    const comparison found = compare_heights(t, d->site_xpos);
    good = judge_standing(t, &found);
    sal_data_free(d);
    return good;
}

/* ---- carrying ---- */

/* The mean of all recorded forces together: what carries a mechanism points up. Forces of which
 * that cannot be said are small beside the weight. */
void prb_track_check_forces(prb_track *t)
{
    char text[300];
    double mean[3] = {0}, mass = 0;
    int first = -1;
    const sal_model *m = t->r->p->model;
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        double own[3];
        if (t->wish->channel[i] != NULL && c->kind == PRB_CHANNEL_FORCE &&
            mean_place(t, c, own) > 0) {
            first = first < 0 ? i : first;
            sal_v3_add(mean, mean, own);
        }
    }
    for (int b = 1; b < m->nbody; b++) {
        mass += m->body_mass[b];
    }
    const double size = sal_v3_norm(mean), weight = mass * sal_v3_norm(m->opt.gravity);
    if (first < 0 || size < .3 * weight || size > 3 * weight || mean[2] > .5 * size) {
        return;
    }
    snprintf(text, sizeof text,
             "the mean of the recorded forces is (%.3g, %.3g, %.3g) N, z up: as large as the "
             "weight of %.3g N, but not upward",
             rounded(mean[0], size), rounded(mean[1], size), rounded(mean[2], size), weight);
    prb_track_doubt(t, PRB_DOUBT_FORCE, t->s.column[t->column[t->data->channel[first].adr]].place,
                    "check up= and the order of columns=; perhaps it is the force on the ground, "
                    "which has the opposite sign",
                    text);
}

/* ---- resting ---- */

typedef struct markers {
    const prb_track *t;
    /* [n] the channel of each */
    const int *channel;
} markers;

static bool place_of(const void *ctx, int point, int row, double x[3])
{
    const markers *m = ctx;
    const double *at = at_row(m->t, row, m->t->data->channel[m->channel[point]].adr);
    sal_v3_copy(x, at);
    return !isnan(x[0] + x[1] + x[2]);
}

/* Feet of markers alone: where the bodies of joint angles are is known later. */
void prb_track_check_belt(prb_track *t)
{
    sal_err err;
    char text[300], help[120];
    double walk[2];
    bool found = false;
    int n = 0, *channel = prb_reader_alloc(t->r, (size_t)t->data->nchannel + 1, sizeof *channel);
    for (int i = 0; i < t->data->nchannel && channel != NULL; i++) {
        if (is_marker(t, i)) {
            channel[n++] = i;
        }
    }
    if (channel != NULL && n >= 6) {
        const markers ctx = {t, channel};
        const prb_points points = {n, t->n, (t->n - 1) / (t->at[t->n - 1] - t->at[0]), &ctx,
                                   place_of};
        const sal_status status = prb_belt_of_points(walk, &found, &points, &err);
        t->r->nomem = t->r->nomem || status == SAL_NOMEM;
    }
    if (found) {
        const double *belt = t->wish->belt;
        snprintf(
            text, sizeof text,
            "feet that stand move at (%.3g, %.3g) m/s, z up, while the body does not go along: "
            "was it recorded on a belt?",
            rounded(-walk[0], 10), rounded(-walk[1], 10));
        snprintf(help, sizeof help, "write belt=\"%.3g %.3g\" if it was",
                 rounded(belt[0] + walk[0], 10), rounded(belt[1] + walk[1], 10));
        prb_track_doubt(t, PRB_DOUBT_BELT, t->wish->element->place, help, text);
    }
    sal_free(channel);
}
