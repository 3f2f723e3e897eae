/* follow.c: from a recording to a problem file: the route, and what is common to its steps. */
#include "guide/follow.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

enum { ROWS_LEAST = 12 };
static const double RATE_LEAST = 2; /* Hz: between slower samples no motion is known */
static const double WHOLE = 0.01;   /* a rate to interpolate at may be a whole number so near */
static const double STEP_LEAST = 0.004, STEP_MOST = 0.04; /* s */
static const double ROUNDING = 1e-9;

/* Of rows that are not evenly spaced: s between those that follow each other, in the mean; where
 * rows are lost it is longer, and does not count. */
static double mean_interval(const double *t, int n, bool *lost)
{
    const double most = 1.5 * (t[n - 1] - t[0]) / (n - 1);
    double sum = 0;
    int count = 0;
    for (int k = 1; k < n; k++) {
        if (t[k] - t[k - 1] <= most) {
            sum += t[k] - t[k - 1];
            count++;
        }
    }
    *lost = count < n - 1;
    return sum / count;
}

/* Times in s, by the unit that the file gives. */
static sal_status convert_times(sig_signals *s, sal_err *err)
{
    char of = 0;
    const sig_column *time = s->column + s->time;
    const double unit = time->unit[0] == 0 ? 1 : sig_unit(time->unit, &of);
    if (time->unit[0] != 0 && of != 's') {
        return sal_fail(err, SAL_BADINPUT,
                        "column '%.80s' of '%.200s': '%s' is not a known unit of time; s, ms, us "
                        "and ns are",
                        time->name, s->source.path, time->unit);
    }
    for (int row = 0; row < s->nrow; row++) {
        s->value[(size_t)row * (size_t)s->ncol + (size_t)s->time] *= unit;
    }
    return SAL_OK;
}

/* Where they are interpolated, <data> has samples from the first row to at most the last. */
static void judge_times(gde_clip *c)
{
    const double whole = round(c->rate);
    if (c->uneven) {
        c->rate = fabs(c->rate / whole - 1) < WHOLE ? whole : c->rate;
        c->seconds = floor(c->seconds * c->rate + 1e-6) / c->rate;
        gde_note(&c->draft, "rows are not evenly spaced: they are interpolated, %.6g a second",
                 c->rate);
    }
}

/* By times t [n], as <data> has them. */
static void set_rate(gde_clip *c, const sig_spacing *spacing, const int *at, const double *t, int n)
{
    c->uneven = !spacing->even;
    c->slowest = spacing->slowest;
    c->seconds = t[n - 1] - t[0];
    if (c->uneven) {
        c->rate = 1 / mean_interval(t, n, &c->rows_lost);
        return;
    }
    c->rate = 1 / spacing->dt;
    c->rows_lost = at[n - 1] > n - 1;
    const double whole = round(c->rate); /* times written with few decimals */
    if (fabs(c->rate / whole - 1) * at[n - 1] < 1e-2) {
        c->rate = whole;
        c->seconds = at[n - 1] / whole;
    }
}

static sal_status take_times(gde_clip *c, sal_err *err)
{
    const sig_signals *s = &c->s;
    sig_spacing spacing;
    double *t = sal_alloc((size_t)s->nrow, sizeof *t);
    int *at = sal_alloc((size_t)s->nrow, sizeof *at);
    for (int row = 0; row < s->nrow && t != NULL; row++) {
        t[row] = sig_time(s, 0, row);
    }
    const bool good = t != NULL && at != NULL && sig_spacing_find(&spacing, at, t, s->nrow);
    if (good) {
        set_rate(c, &spacing, at, t, s->nrow);
    }
    sal_free(t);
    sal_free(at);
    return good ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for the times of a recording");
}

double gde_clip_seconds(const gde_clip *c, int first, int last)
{
    return c->rows_lost ? sig_time(&c->s, c->rate, last) - sig_time(&c->s, c->rate, first)
                        : (last - first) / c->rate;
}

static sal_status check_timestep(const gde_clip *c, sal_err *err)
{
    const double h = c->request->timestep;
    if (h > 0 && h < STEP_LEAST * (1 - ROUNDING)) {
        return sal_fail(err, SAL_BADINPUT,
                        "the time step is %.4g s; a search for the motion of a recording takes %g "
                        "to %g s. For shorter steps solve without, then 'saltus harden RESULT "
                        "--timestep %.4g'",
                        h, STEP_LEAST, STEP_MOST, h);
    }
    if (h > STEP_MOST * (1 + ROUNDING)) {
        return sal_fail(err, SAL_BADINPUT,
                        "the time step is %.4g s; at most %g s are allowed, so that contacts are "
                        "seen",
                        h, STEP_MOST);
    }
    return SAL_OK;
}

static sal_status fail_rate(const sig_signals *s, sal_err *err)
{
    char list[200];
    gde_list_columns(s, list, sizeof list);
    const int words = sig_find(s, "time");
    if (words >= 0 && s->column[words].text) {
        return sal_fail(err, SAL_BADINPUT,
                        "column 'time' of '%.200s' holds words, but times are numbers (s); change "
                        "them, or leave the column out and give --rate HZ",
                        s->source.path);
    }
    if (s->headless) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' has no column of the time and no rate; give it by --rate HZ (30 "
                        "for clips that were retargeted from LAFAN1)",
                        s->source.path);
    }
    return sal_fail(err, SAL_BADINPUT,
                    "'%.200s' has no column of the time and no rate: none of its %d columns (%s) "
                    "is called time, t or timestamp; name one so, or give --rate HZ (30 for clips "
                    "that were retargeted from LAFAN1)",
                    s->source.path, s->ncol, list);
}

/* Samples that are too far apart may have times in other units. */
static sal_status fail_interval(const gde_clip *c, sal_err *err)
{
    const double interval = 1 / c->rate, most = 1 / RATE_LEAST;
    const char *unit = interval < 1e3 * most ? "ms" : interval < 1e6 * most ? "us" : "ns";
    return sal_fail(err, SAL_BADINPUT,
                    "the samples of '%.200s' are %.4g s apart; at most %g s are allowed. If its "
                    "times are in %s, call their column time_%s",
                    c->s.source.path, interval, most, unit, unit);
}

sal_status gde_clip_times(gde_clip *c, sal_diag *diag, sal_err *err)
{
    sig_signals *s = &c->s;
    const double asked = c->request->rate;
    sal_status status = check_timestep(c, err);
    if (status != SAL_OK) {
        return status;
    }
    if (s->nrow < ROWS_LEAST) {
        return sal_fail(err, SAL_BADINPUT, "'%.200s' has %d rows; at least %d are needed",
                        s->source.path, s->nrow, ROWS_LEAST);
    }
    if (s->time >= 0 && !sig_check_time(s, s->time, diag)) {
        return sal_diag_status(diag, err);
    }
    if (s->time >= 0) {
        status = convert_times(s, err);
        status = status == SAL_OK ? take_times(c, err) : status;
    } else {
        c->rate = s->rate > 0 ? s->rate : asked;
        c->seconds = (s->nrow - 1) / c->rate;
    }
    if (status != SAL_OK) {
        return status;
    }
    if (!(c->rate > 0) || !isfinite(c->rate)) {
        return fail_rate(s, err);
    }
    if (c->rate < RATE_LEAST) {
        return fail_interval(c, err);
    }
    if (asked > 0 && fabs(asked / c->rate - 1) > 5e-3) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' has %.4g samples per second, not %.4g (--rate)", s->source.path,
                        c->rate, asked);
    }
    return SAL_OK;
}

static bool is_afloat(const sal_model *m)
{
    bool afloat = false;
    for (int j = 0; j < m->njnt; j++) {
        afloat = afloat || m->jnt_type[j] == SAL_JNT_FREE;
    }
    return afloat;
}

/* Rows that hold zeros only, but for the time, are no pose of a root, which was not seen then (as
 * <data onjump="drop"> has it). */
static void leave_zeros(gde_clip *c)
{
    sig_signals *s = &c->s;
    int n = 0, first = 0;
    if (!is_afloat(c->draft.m)) {
        return;
    }
    for (int row = 0; row < s->nrow; row++) {
        double *x = s->value + (size_t)row * (size_t)s->ncol;
        bool zeros = true;
        for (int k = 0; k < s->ncol; k++) {
            zeros = zeros && (k == s->time || fabs(x[k]) <= 0);
        }
        for (int k = 0; k < s->ncol && zeros; k++) {
            x[k] = k == s->time ? x[k] : (double)NAN;
        }
        first = zeros && n == 0 ? row : first;
        n += zeros;
    }
    if (n > 0) {
        gde_note(&c->draft, "%d row%s zeros only, first row %d of numbers: %s left out", n,
                 n == 1 ? " holds" : "s hold", first + 1, n == 1 ? "it is" : "they are");
    }
}

static sal_status open_clip(gde_clip *c, const char *path, sal_diag *diag, sal_err *err)
{
    const size_t n = (size_t)c->draft.m->njnt + 1;
    sal_status status = sig_read_clip(&c->s, path, c->request->format, c->request->clip, diag, err);
    if (status == SAL_OK && c->s.nmarker > 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s' holds markers, not the joint angles of a robot; they must be "
                        "retargeted to the robot first",
                        path);
    }
    c->column = sal_alloc(n, sizeof *c->column);
    c->by_branch = sal_alloc(n, sizeof *c->by_branch);
    c->by_level = sal_alloc(n, sizeof *c->by_level);
    c->rests = sal_alloc(n, sizeof *c->rests);
    c->noise = sal_alloc(n, sizeof *c->noise);
    c->turns = sal_alloc(n, sizeof *c->turns);
    c->sign = sal_alloc(n, sizeof *c->sign);
    if (c->column == NULL || c->by_branch == NULL || c->by_level == NULL || c->rests == NULL ||
        c->noise == NULL || c->turns == NULL || c->sign == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the columns of a recording");
    }
    for (size_t j = 0; j < n; j++) {
        c->column[j] = -1;
        c->noise[j] = c->turns[j] = 0;
        c->sign[j] = 1;
    }
    status = status == SAL_OK ? gde_clip_times(c, diag, err) : status;
    if (status == SAL_OK) {
        leave_zeros(c);
    }
    return status;
}

static void release(gde_clip *c)
{
    gde_release(&c->draft);
    sig_clear(&c->s);
    sal_free(c->column);
    sal_free(c->by_branch);
    sal_free(c->by_level);
    sal_free(c->rests);
    sal_free(c->qpos);
    sal_free(c->made);
    sal_free(c->known);
    sal_free(c->noise);
    sal_free(c->turns);
    sal_free(c->sign);
    sal_free(c->touches);
    sal_free(c->stands);
    sal_free(c->apart);
}

/* FNV-1a */
unsigned long long gde_digest(const sal_text *text)
{
    unsigned long long sum = 14695981039346656037ULL;
    for (const char *at = text->data; at != NULL && *at != 0; at++) {
        sum = (sum ^ (unsigned char)*at) * 1099511628211ULL;
    }
    return sum;
}

/* Of the names and the meaning of all columns that are used. */
static unsigned long long reading_of(const gde_clip *c)
{
    sal_text text = {0};
    sal_text_format(&text, "%d %d %d %d %c %g %d %s", c->tabulated, c->how.w_last, c->how.degrees,
                    c->how.by_level, c->how.up, c->how.unit, c->root < 0,
                    c->s.time < 0 ? "" : c->s.column[c->s.time].name);
    for (int i = 0; i < 4 && c->root >= 0; i++) {
        sal_text_format(&text, " %s %s", c->s.column[c->place[i % 3]].name,
                        c->s.column[c->turn[i]].name);
    }
    for (int i = 0; i < c->nscalar; i++) {
        const int k = gde_clip_column(c, &c->how, c->by_branch[i]);
        sal_text_format(&text, " %s %g", k < 0 ? "" : c->s.column[k].name,
                        c->turns[c->by_branch[i]]);
    }
    const unsigned long long digest = gde_digest(&text);
    sal_text_clear(&text);
    return digest;
}

sal_status sal_follow_draft(sal_text *out, sal_text *notes, sal_follow_found *found,
                            const sal_model *m, const char *clip, const sal_follow_request *request,
                            sal_diag *diag, sal_err *err)
{
    static const sal_draft_request nothing = {
        .speed = NAN, .direction = {NAN, NAN}, .turn = NAN, .seconds = NAN};
    gde_clip c = {.draft = {.m = m, .request = &nothing, .out = out}, .request = request};
    sal_status status = open_clip(&c, clip, diag, err);
    status = status == SAL_OK ? gde_look(&c.draft, err) : status;
    if (status == SAL_OK) {
        judge_times(&c);
    }
    status = status == SAL_OK ? gde_clip_columns(&c, err) : status;
    status = status == SAL_OK ? gde_leave_strays(&c, err) : status;
    status = status == SAL_OK ? gde_clip_read(&c, err) : status;
    if (status == SAL_OK) {
        gde_note_suspects(&c);
        gde_note_unused(&c);
    }
    status = status == SAL_OK ? gde_clip_tabulate(&c, err) : status;
    status = status == SAL_OK ? gde_clip_belt(&c, err) : status;
    status = status == SAL_OK ? gde_clip_floor(&c, err) : status;
    status = status == SAL_OK ? gde_clip_touch(&c, err) : status;
    status = status == SAL_OK ? gde_clip_apart(&c, err) : status;
    if (status == SAL_OK) {
        gde_clip_noise(&c);
        gde_clip_write(&c, request->clip_name, request->model_name);
        if (found != NULL) {
            *found = (sal_follow_found){.nstep = c.nstep,
                                        .duration = c.duration,
                                        .gap = c.gap,
                                        .resample = gde_clip_resample(&c),
                                        .lowpass = gde_clip_lowpass(&c),
                                        .timeconst = gde_clip_timeconst(&c),
                                        .low = c.low};
            memcpy(found->floor, c.floor, sizeof found->floor);
            memcpy(found->belt, c.belt, sizeof found->belt);
            found->reading = reading_of(&c);
        }
        if (notes != NULL && c.draft.notes.length > 0) {
            sal_text_add(notes, c.draft.notes.data);
        }
    }
    release(&c);
    return status;
}
