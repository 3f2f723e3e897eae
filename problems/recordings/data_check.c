/* data_check.c: what is wrong with recorded numbers, or probably is: one by one, and beside each
 * other. */

#include "base/house.h"
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

static double length4(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

double prb_data_median(double *x, int n)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (!isnan(x[i])) {
            x[m++] = x[i];
        }
    }
    sal_sort(x, m);
    return m == 0 ? 0 : x[m / 2];
}

/* ---- quaternions ---- */

/* Names that end in w, x, y, z in another order */
static bool check_order(prb_track *t, const prb_channel *c, int from)
{
    static const char letters[] = "wxyzWXYZ";
    char last[5] = "";
    for (int k = 0; k < 4; k++) {
        const char *name = t->s.column[t->column[c->adr + from + k]].name;
        const size_t n = strlen(name);
        const char *at = n == 0 ? NULL : strchr(letters, name[n - 1]);
        last[k] = '?';
        if (at != NULL) {
            last[k] = letters[(at - letters) % 4];
        }
    }
    const bool named =
        strchr(last, 'w') && strchr(last, 'x') && strchr(last, 'y') && strchr(last, 'z');
    if (!named || strcmp(last, "wxyz") == 0) {
        return true;
    }
    sal_diag_error(t->r->diag, prb_reader_place(t->wish->channel[c - t->data->channel], "columns"),
                   "name the column of w first, then x y z",
                   "the quaternion of channel '%.80s' is in the order %s", c->name, last);
    return false;
}

static bool check_lengths(prb_track *t, const prb_channel *c, int from)
{
    for (int k = 0; k < t->n; k++) {
        const double length = length4(prb_track_row(t, k, c->adr + from));
        if (fabs(length - 1) > .02) {
            sal_diag_error(t->r->diag, prb_track_place(t, k, c->adr + from),
                           "check that the columns are those of w x y z",
                           "the quaternion of channel '%.80s' has length %.4g, not 1", c->name,
                           length);
            return false;
        }
    }
    return true;
}

void prb_track_straighten(const prb_track *t, int v)
{
    const double *last = NULL;
    for (int k = 0; k < t->n; k++) {
        double *q = t->value + (size_t)k * (size_t)t->data->nvalue + (size_t)v;
        const double length = length4(q);
        const double dot =
            last == NULL ? 1 : q[0] * last[0] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3];
        for (int j = 0; j < 4; j++) {
            q[j] /= dot < 0 ? -length : length;
        }
        last = isnan(length) ? last : q;
    }
}

/* ---- degrees ---- */

/* Whole turns taken out of an angle, of which the column has `scale` per radian. */
static void unwrap(const prb_track *t, int v, double scale)
{
    const double turn = 360 * SAL_DEGREE * fabs(scale);
    double turns = 0, last = (double)NAN;
    for (int k = 0; k < t->n; k++) {
        double *x = t->value + (size_t)k * (size_t)t->data->nvalue + (size_t)v;
        if (!isnan(*x) && !isnan(last)) {
            turns -= floor((*x - last) / turn + .5);
        }
        last = isnan(*x) ? last : *x;
        *x += turns * turn;
    }
}

typedef struct swing {
    double least, most, speed, drift; /* root mean square of the speed; speed from end to end */
} swing;

static swing swing_of(const prb_track *t, int v)
{
    swing s = {.least = (double)INFINITY, .most = -(double)INFINITY};
    int count = 0, first = -1, last = -1;
    for (int k = 0; k < t->n; k++) {
        const double x = *prb_track_row(t, k, v);
        if (isnan(x)) {
            continue;
        }
        s.least = fmin(s.least, x);
        s.most = fmax(s.most, x);
        if (last >= 0) {
            const double speed = (x - *prb_track_row(t, last, v)) / (t->at[k] - t->at[last]);
            s.speed += speed * speed;
            count++;
        }
        first = first < 0 ? k : first;
        last = k;
    }
    s.speed = count > 0 ? sqrt(s.speed / count) : 0;
    s.drift = last > first ? fabs(*prb_track_row(t, last, v) - *prb_track_row(t, first, v)) /
                                 (t->at[last] - t->at[first])
                           : 0;
    return s;
}

/* Of the joint, where s is of the column, of which the channel says scale and offset. */
static swing angle_of(const prb_channel *c, const swing *s)
{
    const double a = (s->least - c->offset) / c->scale, b = (s->most - c->offset) / c->scale;
    return (swing){.least = fmin(a, b),
                   .most = fmax(a, b),
                   .speed = s->speed / fabs(c->scale),
                   .drift = s->drift / fabs(c->scale)};
}

/* Radians that go far beyond the joint's range, or to and fro over more than two turns faster than
 * mechanisms do, while the same number of degrees would not. */
static bool looks_like_degrees(const sal_model *m, int joint, const swing *s)
{
    const double *range = m->jnt_range + 2 * joint;
    if (m->jnt_limited[joint]) {
        const double width = range[1] - range[0], slack = .2 * width;
        const bool far =
            s->most > range[1] + fmax(width, 1) || s->least < range[0] - fmax(width, 1);
        return far && s->least * SAL_DEGREE > range[0] - slack &&
               s->most * SAL_DEGREE < range[1] + slack;
    }
    return s->most - s->least > 720 * SAL_DEGREE && s->speed > 15 && s->drift < .3 * s->speed;
}

/* Without a range, angles of many radians within what is a turn in degrees: a wheel may turn so, a
 * limb does not. */
static bool may_be_degrees(const sal_model *m, int joint, const swing *s)
{
    const double turns = 4;
    return !m->jnt_limited[joint] && s->most - s->least > turns * 360 * SAL_DEGREE &&
           s->most <= 360 && s->least >= -360;
}

/* Angles that are mostly outside the joint's range: the other sign, or another zero. */
static void doubt_range(prb_track *t, const prb_channel *c, const sig_column *column)
{
    char text[300];
    int outside = 0, count = 0;
    const sal_model *m = t->r->p->model;
    const double *range = m->jnt_range + 2 * c->id, slack = .1 * (range[1] - range[0]);
    for (int k = 0; k < t->n && m->jnt_limited[c->id]; k++) {
        const double x = (*prb_track_row(t, k, c->adr) - c->offset) / c->scale;
        outside += x < range[0] - slack || x > range[1] + slack;
        count += !isnan(x);
    }
    if (2 * outside > count) {
        snprintf(text, sizeof text,
                 "channel '%.80s' is outside the range of its joint, %.4g .. %.4g rad, in %d of %d "
                 "samples",
                 c->name, range[0], range[1], outside, count);
        prb_track_doubt(t, PRB_DOUBT_ANGLE, column->place,
                        "check its sign (scale=\"-1\") and its zero (offset=)", text);
    }
}

static bool check_angle(prb_track *t, const prb_channel *c)
{
    char text[400];
    const sal_model *m = t->r->p->model;
    if (c->kind != PRB_CHANNEL_JOINT || m->jnt_type[c->id] != SAL_JNT_HINGE || c->order != 0) {
        return true;
    }
    const sal_xml *element = t->wish->channel[c - t->data->channel];
    const sig_column *column = t->s.column + t->column[c->adr];
    const bool said = sal_xml_find_attr(element, "units") != NULL;
    const swing s = swing_of(t, c->adr), angle = angle_of(c, &s);
    const bool radians = fabs(t->factor[c->adr] - 1) < 1e-12;
    if (radians && looks_like_degrees(m, c->id, &angle)) {
        snprintf(text, sizeof text,
                 "column '%.80s' ranges from %.4g to %.4g, read as radians (channel '%.80s'): "
                 "these may be degrees",
                 column->name, s.least, s.most, c->name);
        if (said) {
            prb_track_doubt(t, PRB_DOUBT_ANGLE, column->place, NULL, text);
        } else {
            sal_diag_error(t->r->diag, column->place,
                           "set units=\"deg\" in the channel, or units=\"rad\" if they are radians",
                           "%s", text);
        }
        return said;
    }
    if (radians && !said && column->unit[0] == 0 && may_be_degrees(m, c->id, &angle)) {
        snprintf(text, sizeof text,
                 "column '%.80s' ranges from %.4g to %.4g, read as radians (channel '%.80s'), and "
                 "its joint has no range to compare with: these may be degrees",
                 column->name, s.least, s.most, c->name);
        prb_track_doubt(t, PRB_DOUBT_ANGLE, column->place,
                        "set units=\"deg\" in the channel, or units=\"rad\" if they are radians",
                        text);
    }
    doubt_range(t, c, column);
    const double raw = (angle.most - angle.least) / SAL_DEGREE,
                 far = fmax(fabs(angle.most), fabs(angle.least)) / SAL_DEGREE;
    if (said && !radians && raw > .3 && far < 6.3 && t->s.column[t->column[c->adr]].unit[0] == 0) {
        snprintf(text, sizeof text,
                 "column '%.80s' ranges from %.4g to %.4g, read as degrees (channel '%.80s'): "
                 "these may be radians",
                 column->name, s.least / SAL_DEGREE, s.most / SAL_DEGREE, c->name);
        prb_track_doubt(t, PRB_DOUBT_ANGLE, column->place, NULL, text);
    }
    return true;
}

/* ---- accelerometers ---- */

/* They feel gravity: what they read is about 9.81 m/s^2, as a rule. */
static void check_accelerometer(prb_track *t, const prb_channel *c)
{
    char text[300];
    const sal_model *m = t->r->p->model;
    const double g = sal_v3_norm(m->opt.gravity);
    if (c->kind != PRB_CHANNEL_SENSOR || m->sensor_type[c->id] != SAL_SENS_ACCELEROMETER ||
        !(g > 5)) {
        return;
    }
    double *size = prb_reader_alloc(t->r, (size_t)t->n, sizeof(double));
    for (int k = 0; size != NULL && k < t->n; k++) {
        size[k] = sal_v3_norm(prb_track_row(t, k, c->adr)) / fabs(c->scale);
    }
    const double usual = size == NULL ? g : prb_data_median(size, t->n);
    sal_free(size);
    if (usual < .15 * g || usual > 5 * g) {
        snprintf(text, sizeof text,
                 "channel '%.80s' typically reads %.3g m/s2, but an accelerometer at rest reads "
                 "gravity, %.4g m/s2",
                 c->name, usual, g);
        prb_track_doubt(t, PRB_DOUBT_UNIT, t->s.column[t->column[c->adr]].place,
                        "check whether it is in g (units=\"g\") and whether gravity was subtracted",
                        text);
    }
}

/* ---- speeds ---- */

/* Whether b measures the velocity of what a measures the position of. */
static bool is_speed_of(const sal_model *m, const prb_channel *a, const prb_channel *b)
{
    if (a->data != b->data || a->order != 0) {
        return false;
    }
    if (b->kind == PRB_CHANNEL_JOINT) {
        return a->kind == PRB_CHANNEL_JOINT && b->order == 1 && a->id == b->id && a->n == 1;
    }
    const int type = b->kind == PRB_CHANNEL_SENSOR ? m->sensor_type[b->id] : -1;
    const int object = type < 0 ? -1 : m->sensor_objid[b->id];
    if (type == SAL_SENS_JOINTVEL) {
        return a->kind == PRB_CHANNEL_JOINT && a->id == object && a->n == 1;
    }
    if (type != SAL_SENS_FRAMELINVEL || m->sensor_refid[b->id] >= 0 || object != a->id) {
        return false;
    }
    return (a->kind == PRB_CHANNEL_BODY && m->sensor_objtype[b->id] == SAL_OBJ_XBODY) ||
           (a->kind == PRB_CHANNEL_SITE && m->sensor_objtype[b->id] == SAL_OBJ_SITE);
}

/* The factor f of the best fit v = f dx/dt, and how well that goes: the correlation. */
static double speed_factor(const prb_track *t, const prb_channel *a, const prb_channel *b,
                           double *correlation)
{
    double vd = 0, vv = 0, dd = 0;
    for (int k = 1; k + 1 < t->n; k++) {
        for (int i = 0; i < b->n; i++) {
            const double d =
                (*prb_track_row(t, k + 1, a->adr + i) - *prb_track_row(t, k - 1, a->adr + i)) /
                (t->at[k + 1] - t->at[k - 1]) / a->scale;
            const double v = (*prb_track_row(t, k, b->adr + i) - b->offset) / b->scale;
            if (!isnan(d) && !isnan(v)) {
                vd += v * d;
                vv += v * v;
                dd += d * d;
            }
        }
    }
    *correlation = vv > 0 && dd > 0 ? vd / sqrt(vv * dd) : 0;
    return dd > 0 ? vd / dd : 0;
}

static bool near(double a, double b)
{
    return fabs(a / b - 1) < .15;
}

static bool check_speed(prb_track *t, const prb_channel *a, const prb_channel *b)
{
    double correlation;
    const double f = speed_factor(t, a, b, &correlation);
    if (t->n < 20 || fabs(correlation) < .9 || near(f, 1)) {
        return true;
    }
    const char *cause =
        near(f, 1 / SAL_DEGREE) || near(f, SAL_DEGREE) ? "one of the two is in degrees: set units="
        : near(f, -1) ? "one of the two has the opposite sign: set scale=\"-1\""
                      : "the rate or the units are wrong: check time=, rate= and units=";
    if (fabs(f - 1) < .3) {
        char text[400];
        snprintf(text, sizeof text,
                 "channel '%.80s' is %.4g times the rate of change of channel '%.80s'", b->name, f,
                 a->name);
        prb_track_doubt(t, PRB_DOUBT_VELOCITY, t->s.column[t->column[b->adr]].place, cause, text);
        return true;
    }
    sal_diag_error(
        t->r->diag, t->s.column[t->column[b->adr]].place, cause,
        "channel '%.80s' is %.4g times the rate of change of channel '%.80s' (correlation %.3f)",
        b->name, f, a->name, correlation);
    return false;
}

/* Whether b is a gyroscope on the body of whose pose a is. */
static bool is_gyro_of(const sal_model *m, const prb_channel *a, const prb_channel *b)
{
    return a->data == b->data && a->kind == PRB_CHANNEL_BODY && a->n == 7 &&
           b->kind == PRB_CHANNEL_SENSOR && m->sensor_type[b->id] == SAL_SENS_GYRO &&
           m->site_bodyid[m->sensor_objid[b->id]] == a->id;
}

/* The speed |w| = 2 |dq/dt| of a unit quaternion, beside that of a gyroscope, whose axes do not
 * matter then. */
static bool check_gyro(prb_track *t, const prb_channel *a, const prb_channel *b)
{
    double vd = 0, vv = 0, dd = 0;
    for (int k = 1; k + 1 < t->n; k++) {
        const double *before = prb_track_row(t, k - 1, a->adr + 3),
                     *after = prb_track_row(t, k + 1, a->adr + 3), *w = prb_track_row(t, k, b->adr);
        double q[4];
        for (int i = 0; i < 4; i++) {
            q[i] = (after[i] - before[i]) / (t->at[k + 1] - t->at[k - 1]);
        }
        const double d = 2 * length4(q), v = sal_v3_norm(w) / fabs(b->scale);
        if (!isnan(d) && !isnan(v)) {
            vd += v * d;
            vv += v * v;
            dd += d * d;
        }
    }
    const double f = dd > 0 ? vd / dd : 0;
    if (t->n < 20 || vd < .9 * sqrt(vv * dd) || fabs(f - 1) < .4) {
        return true;
    }
    const bool degrees = near(f, 1 / SAL_DEGREE) || near(f, SAL_DEGREE);
    sal_diag_error(t->r->diag, t->s.column[t->column[b->adr]].place,
                   degrees ? "set units=" : "check time=, rate= and units=",
                   "channel '%.80s' is %.4g times the angular velocity of channel '%.80s': %s",
                   b->name, f, a->name,
                   degrees ? "degrees were read as radians" : "the rate or the units are wrong");
    return false;
}

/* ---- all of it ---- */

/* Numbers of an instrument are never all the same. */
static void check_still(prb_track *t, const prb_channel *c)
{
    char text[200];
    for (int v = c->adr; v < c->adr + c->n; v++) {
        for (int k = 1; k < t->n; k++) {
            if (!(fabs(*prb_track_row(t, k, v) - *prb_track_row(t, 0, v)) <= 0)) {
                return;
            }
        }
    }
    snprintf(text, sizeof text,
             "channel '%.80s' has the same value in all %d samples; perhaps nothing was measured",
             c->name, t->n);
    prb_track_doubt(t, PRB_DOUBT_STILL, t->s.column[t->column[c->adr]].place, NULL, text);
}

static bool check_channel(prb_track *t, const prb_channel *c)
{
    const int quaternion = prb_channel_quaternion(t->r->p->model, c);
    if (quaternion >= 0) {
        if (!check_order(t, c, quaternion) || !check_lengths(t, c, quaternion)) {
            return false;
        }
        prb_track_straighten(t, c->adr + quaternion);
    }
    if (prb_grammar_choice("channel", t->wish->channel[c - t->data->channel], "unwrap") == 1) {
        unwrap(t, c->adr, c->scale);
    }
    check_accelerometer(t, c);
    if (c->nres > 0) {
        check_still(t, c);
    }
    return check_angle(t, c) && prb_track_check_jumps(t, c);
}

bool prb_track_check(prb_track *t)
{
    bool good = true;
    const int n = t->data->nchannel;
    prb_track_drop_zeros(t);
    for (int i = 0; i < n; i++) {
        good = (t->wish->channel[i] == NULL || check_channel(t, t->data->channel + i)) && good;
    }
    for (int i = 0; i < n * n && good; i++) {
        const prb_channel *a = t->data->channel + i / n, *b = t->data->channel + i % n;
        if (t->wish->channel[i / n] != NULL && is_speed_of(t->r->p->model, a, b)) {
            good = check_speed(t, a, b);
        } else if (t->wish->channel[i / n] != NULL && is_gyro_of(t->r->p->model, a, b)) {
            good = check_gyro(t, a, b);
        }
    }
    if (good) {
        prb_track_check_forces(t);
        prb_track_check_belt(t);
    }
    return good && prb_track_check_fall(t) && prb_track_check_upright(t);
}
