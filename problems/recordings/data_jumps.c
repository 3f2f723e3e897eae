/* data_jumps.c: numbers of a recording that are out of their place: a marker that was lost, or
 * taken for another, a row of zeros. */
#include "base/house.h"
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 4 }; /* numbers of a vector: those of a quaternion */

/* n numbers from v on, in each row */
typedef struct path {
    prb_track *t;
    int v, n;
    /* s, the mean time between two rows */
    double h;
    /* what is taken for a jump, and by how much the path usually bends */
    double limit, usual;
} path;

/* ---- where ---- */

/* How the path bends at row k, its second difference over steps of h:
 *     s_k = 2 h^2 ((x_{k+1} - x_k)/h_+ - (x_k - x_{k-1})/h_-) / (h_+ + h_-) */
static void bend(const path *p, int k, double s[MOST])
{
    const double *at = p->t->at, h = p->h;
    const double after = fmax(at[k + 1] - at[k], .5 * h), before = fmax(at[k] - at[k - 1], .5 * h);
    const double *a = prb_track_row(p->t, k - 1, p->v), *b = prb_track_row(p->t, k, p->v),
                 *c = prb_track_row(p->t, k + 1, p->v);
    for (int i = 0; i < p->n; i++) {
        s[i] = 2 * h * h * ((c[i] - b[i]) / after - (b[i] - a[i]) / before) / (after + before);
    }
}

/* Sets usual; false: no memory. */
static bool look(path *p)
{
    double s[MOST], *work = prb_reader_alloc(p->t->r, (size_t)p->t->n, sizeof(double));
    if (work == NULL) {
        return false;
    }
    for (int k = 1; k + 1 < p->t->n; k++) {
        bend(p, k, s);
        double square = 0;
        for (int i = 0; i < p->n; i++) {
            square += s[i] * s[i];
        }
        work[k] = sqrt(square);
    }
    p->usual = prb_data_median(work + 1, p->t->n - 2);
    sal_free(work);
    return true;
}

/* An impact bends a path one way; a number that is out of its place bends it there and back: what
 * counts is sqrt(-s_k s_{k+1}). */
typedef struct jump {
    int row, count; /* the first, and how many */
    double most;    /* the largest */
} jump;

/* least: what is never taken for a jump; jumps [rows], may be NULL: whether there is one from the
 * row before to this one. */
static jump find_jumps(path *p, double least, bool *jumps)
{
    jump found = {0};
    p->limit = fmax(least, 20 * p->usual);
    double last[MOST] = {0}, s[MOST];
    for (int k = 1; k + 1 < p->t->n; k++) {
        double back = 0;
        bend(p, k, s);
        for (int i = 0; i < p->n; i++) {
            back -= s[i] * last[i];
            last[i] = s[i];
        }
        const bool jumped = back > p->limit * p->limit;
        if (jumped) {
            found.row = found.count++ == 0 ? k : found.row;
            found.most = fmax(found.most, sqrt(back));
        }
        if (jumps != NULL) {
            jumps[k] = jumped;
        }
    }
    return found;
}

/* ---- leaving them out ---- */

static void drop(const prb_track *t, const prb_channel *c, int k)
{
    for (int v = c->adr; v < c->adr + c->n; v++) {
        t->value[(size_t)k * (size_t)t->data->nvalue + (size_t)v] = (double)NAN;
    }
}

static bool has_rotation(const prb_track *t)
{
    bool has = false;
    for (int i = 0; i < t->data->nchannel; i++) {
        has = has || (t->wish->channel[i] != NULL &&
                      prb_channel_quaternion(t->r->p->model, t->data->channel + i) >= 0);
    }
    return has;
}

/* All numbers of the row are 0, as some programs write what they did not see: with a rotation among
 * them that is no pose. */
static bool is_blank(const prb_track *t, int k)
{
    const double *x = t->s.value + (size_t)t->row[k] * (size_t)t->s.ncol;
    bool blank = true;
    for (int v = 0; v < t->data->nvalue; v++) {
        blank = blank && (t->column[v] < 0 || fabs(x[t->column[v]]) <= 0);
    }
    return blank;
}

void prb_track_drop_zeros(prb_track *t)
{
    char text[200];
    int n = 0, first = 0;
    if (!t->wish->drops_jumps || !has_rotation(t)) {
        return;
    }
    for (int k = 0; k < t->n; k++) {
        if (is_blank(t, k)) {
            first = n++ == 0 ? k : first;
            for (int i = 0; i < t->data->nchannel; i++) {
                if (t->wish->channel[i] != NULL) {
                    drop(t, t->data->channel + i, k);
                }
            }
        }
    }
    if (n > 0) {
        snprintf(text, sizeof text, "%d row%s zeros only, first at %.4g s: %s left out", n,
                 n == 1 ? " holds" : "s hold", t->at[first], n == 1 ? "it is" : "they are");
        prb_track_doubt(t, PRB_DOUBT_JUMP, t->s.row[t->row[first]], NULL, text);
    }
}

/* Rows [from, to) between two jumps */
typedef struct stretch {
    int from, to;
    /* rows of the best chain of stretches, each of which leads to the next, that ends with this
     * one; and the one before it, -1: none */
    int rows, last;
    bool chosen;
} stretch;

enum { STRETCHES_MOST = 500, STEADY = 4 };
static const double FAR = 5;        /* limits: what stays elsewhere by less is not said */
static const double END_MOST = 0.1; /* s */

/* How many; STRETCHES_MOST: more than that. */
static int find_stretches(const path *p, const bool *jumps, stretch *s)
{
    int n = 0;
    for (int k = 0; k < p->t->n && n < STRETCHES_MOST; k++) {
        if (k == 0 || jumps[k]) {
            s[n++] = (stretch){.from = k};
        }
        s[n - 1].to = k + 1;
    }
    return n;
}

/* m/s, ..: how fast the path is as a stretch ends, or begins; NaN: it is too short to say. */
static double speed(const path *p, const stretch *s, bool end, int i)
{
    const int k = end ? s->to - 1 : s->from + 1;
    if (s->to - s->from < STEADY) {
        return (double)NAN;
    }
    return (prb_track_row(p->t, k, p->v)[i] - prb_track_row(p->t, k - 1, p->v)[i]) /
           (p->t->at[k] - p->t->at[k - 1]);
}

/* How far stretch b, times `sign`, begins from where stretch a leads:
 *     |x_b - x_a - (v_a + v_b) T/2|
 * at the end of a and the beginning of b, T between them */
static double distance(const path *p, const stretch *a, const stretch *b, double sign)
{
    const double time = p->t->at[b->from] - p->t->at[a->to - 1];
    double square = 0;
    for (int i = 0; i < p->n; i++) {
        const double va = speed(p, a, true, i), vb = sign * speed(p, b, false, i);
        const double both = isnan(va) && isnan(vb) ? 0
                            : isnan(va)            ? 2 * vb
                            : isnan(vb)            ? 2 * va
                                                   : va + vb;
        const double off = sign * prb_track_row(p->t, b->from, p->v)[i] -
                           prb_track_row(p->t, a->to - 1, p->v)[i] - .5 * both * time;
        square += off * off;
    }
    return sqrt(square);
}

/* Whether stretch a leads to stretch b, which comes later: the distance is at most
 *     limit + 5/12 usual (T/h)^2
 * where the second term is the error of the trapezoid if the acceleration changes by five times
 * what it usually is. Of quaternions q and -q are one rotation. */
static bool leads(const path *p, const stretch *a, const stretch *b)
{
    const double steps = (p->t->at[b->from] - p->t->at[a->to - 1]) / p->h,
                 most = p->limit + 5. / 12 * p->usual * steps * steps;
    return distance(p, a, b, 1) <= most || (p->n == 4 && distance(p, a, b, -1) <= most);
}

/* Chooses the chain of stretches that has the most rows. */
static void choose(const path *p, stretch *s, int n)
{
    int best = 0;
    for (int b = 0; b < n; b++) {
        s[b].last = -1;
        s[b].rows = 0;
        for (int a = 0; a < b; a++) {
            if (s[a].rows > s[b].rows && leads(p, s + a, s + b)) {
                s[b].rows = s[a].rows;
                s[b].last = a;
            }
        }
        s[b].rows += s[b].to - s[b].from;
        best = s[b].rows > s[best].rows ? b : best;
    }
    for (int k = best; k >= 0; k = s[k].last) {
        s[k].chosen = true;
    }
}

static bool is_short(const path *p, int from, int to, double most)
{
    return p->t->at[to - 1] - p->t->at[from] + p->h <= most * (1 + 1e-9);
}

/* What was not chosen is left out where that is short, at the ends shorter: there nothing tells on
 * which side of a jump the path is right. The first row of what is not short, and is far away; -1:
 * there is none. */
static int leave_out(const path *p, const prb_channel *c, const stretch *s, int n)
{
    char text[300];
    prb_track *t = p->t;
    path far = *p;
    int first = -1, count = 0, moved = -1;
    far.limit *= FAR;
    for (int i = 0, next; i < n; i = next + 1) {
        for (next = i; next < n && !s[next].chosen; next++) {
        }
        if (next == i) {
            continue;
        }
        const int from = s[i].from, to = s[next - 1].to;
        const double most = i == 0 || next == n ? END_MOST : PRB_DROP_MOST;
        if (!is_short(p, from, to, most)) { /* what is chosen may as well be what is elsewhere */
            const int k = i > 0 ? i : next;
            moved = moved < 0 && !leads(&far, s + k - 1, s + k) ? s[k].from : moved;
            continue;
        }
        first = count == 0 ? from : first;
        count += to - from;
        for (int k = from; k < to; k++) {
            drop(t, c, k);
        }
    }
    if (count > 0) {
        snprintf(text, sizeof text,
                 "channel '%.80s' is out of its place in %d sample%s, first at %.4g s: %s left out",
                 c->name, count, count == 1 ? "" : "s", t->at[first],
                 count == 1 ? "it is" : "they are");
        prb_track_doubt(t, PRB_DOUBT_JUMP, prb_track_place(t, first, p->v), NULL, text);
    }
    if (count > 0 && p->n == MOST) {
        prb_track_straighten(t, p->v); /* again, without what was left out */
    }
    return moved;
}

static void say_moved(const path *p, const prb_channel *c, int row)
{
    char text[300];
    snprintf(text, sizeof text,
             "channel '%.80s' jumps to this row, at %.4g s, and stays there: is it one recording?",
             c->name, p->t->at[row]);
    prb_track_doubt(p->t, PRB_DOUBT_JUMP, prb_track_place(p->t, row, p->v),
                    "use a part of it by from= and to=", text);
}

/* Leaves out what is out of its place by more than `least`, for a short time; false: no memory.
 * moved: as in leave_out. */
static bool drop_jumps(path *p, const prb_channel *c, double least, int *moved)
{
    bool *jumps = prb_reader_alloc(p->t->r, (size_t)p->t->n, sizeof *jumps);
    stretch *s = prb_reader_alloc(p->t->r, STRETCHES_MOST, sizeof *s);
    const bool good = jumps != NULL && s != NULL;
    if (good) {
        jumps[0] = jumps[p->t->n - 1] = false;
    }
    if (good && find_jumps(p, least, jumps).count > 0) {
        const int n = find_stretches(p, jumps, s);
        if (n < STRETCHES_MOST) { /* else it is noise */
            choose(p, s, n);
            *moved = leave_out(p, c, s, n);
        }
    }
    sal_free(jumps);
    sal_free(s);
    return good;
}

/* ---- the check ---- */

static void complain(prb_track *t, const prb_channel *c, const path *p, const jump *found,
                     const char *unit)
{
    prb_data_wish *wish = t->wish;
    if (!t->jumps && wish->njump == 0 && !wish->skips_jumps) { /* the first shows what is meant */
        sal_diag_error(
            t->r->diag, prb_track_place(t, found->row, p->v),
            wish->drops_jumps
                ? "for more than 0.5 s: was the marker confused with another? Leave out the "
                  "channel, or this part by from=, to=, or, if the jump is real, set jump="
                : "check whether the marker was lost or confused with another: leave these numbers "
                  "out by onjump=\"drop\", this part by from=, to=, the recording by "
                  "onjump=\"skip\", or, if the jump is real, set jump=",
            "channel '%.80s' jumps by about %.3g %s to this row%s", c->name, found->most, unit,
            found->count > 2 ? ", and elsewhere" : "");
    }
    t->jumps = true;
}

/* What is never taken for a jump, as an error, and as what may be dropped */
typedef struct least {
    double error, drop;
} least;

/* In units of a column that a channel scales */
static least floor_of(const least *of, double scale, double k, double noise)
{
    return (least){k * fmax(scale * of->error, noise), scale * of->drop};
}

/* Numbers v .. v + n - 1 of a channel, of which unit is given: all but quaternions are scaled */
static bool check_jumps(prb_track *t, const prb_channel *c, int v, int n, least of,
                        const char *unit)
{
    path p = {.t = t, .v = v, .n = n, .h = (t->at[t->n - 1] - t->at[0]) / (t->n - 1)};
    int moved = -1;
    if (!look(&p) ||
        (t->wish->drops_jumps && !drop_jumps(&p, c, fmin(of.drop, of.error), &moved))) {
        return false;
    }
    jump found = find_jumps(&p, of.error, NULL);
    found.most /= n == 4 ? 1 : fabs(c->scale);
    if (found.count == 0 && moved >= 0) {
        say_moved(&p, c, moved);
    }
    if (found.count == 0) {
        return true;
    }
    if (n == 1 && fabs(found.most / (2 * 180 * SAL_DEGREE) - 1) < .2 && unit[0] == 'r') {
        sal_diag_error(
            t->r->diag, prb_track_place(t, found.row, v),
            "add unwrap=\"true\" to the channel to make it continuous",
            "channel '%.80s' jumps by a whole turn, because its angle is limited to one turn",
            c->name);
        return false;
    }
    complain(t, c, &p, &found, unit);
    return false;
}

bool prb_track_check_jumps(prb_track *t, const prb_channel *c)
{
    static const least length = {.008, .03}, angle = {.02, .6}, turn = {.15, .15}; /* m, rad, 1 */
    const int quaternion = prb_channel_quaternion(t->r->p->model, c);
    const double k = t->wish->jump, noise = 10 * c->sigma[0], scale = fabs(c->scale);
    const bool slides =
        c->kind == PRB_CHANNEL_JOINT && t->r->p->model->jnt_type[c->id] == SAL_JNT_SLIDE;
    const least one = slides ? length : angle;
    bool good = true;
    if (!(k > 0) || t->n < 8 || c->order != 0) {
        return true;
    }
    if (c->kind == PRB_CHANNEL_BODY || c->kind == PRB_CHANNEL_SITE) {
        good = check_jumps(t, c, c->adr, 3, floor_of(&length, scale, k, noise), "m");
    } else if (c->kind == PRB_CHANNEL_JOINT && quaternion < 0) {
        good = check_jumps(t, c, c->adr, 1, floor_of(&one, scale, k, noise), slides ? "m" : "rad");
    }
    if (quaternion >= 0) {
        good = check_jumps(t, c, c->adr + quaternion, 4, (least){k * turn.error, turn.drop},
                           "(of its quaternion)") &&
               good;
    }
    return good;
}
