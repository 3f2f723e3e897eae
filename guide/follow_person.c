/* follow_person.c: the problem in which a model of a person follows recorded markers.
 *
 * Sites and markers belong together by their names. Up is the axis along which the mean heights of
 * the markers are most like those of the sites in the home pose. Settings: docs/people.md.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RATE = 100, RATE_LEAST = 80, RATE_MOST = 125; /* steps per second */
static const double LOWPASS = 8;                                  /* Hz */
static const double ANKLE = 0.2; /* highest over the toes, of the height of the root */
static const double FAST = 2.2;  /* m/s: faster than people walk */
static const double LONG = 0.1;  /* s: that all markers may be missing without a word */
/* Correlations with heights: of an axis that is up, of one that is not */
static const double ALIKE = 0.9, UNLIKE = 0.5;
enum { MARKERS_LEAST = 6 };

/* What a moment counts: the stronger the muscles, the less. The first whose word is in the name of
 * an actuator. */
static const struct {
    const char *term, *word;
    double weight;
} efforts[] = {{"hips", "_hip_", .5}, {"knees", "_knee", 1.4}, {"effort", "", 2}};
enum { EFFORTS = sizeof efforts / sizeof *efforts };

int gde_marker_site(const gde_clip *c, int marker)
{
    return c->site[marker];
}

bool gde_marker_place(const gde_clip *c, int marker, int row, double x[3])
{
    const double *from =
        c->s.value + (size_t)row * (size_t)c->s.ncol + (size_t)c->s.marker_column[marker];
    const bool y = c->how.up == 'y';
    x[0] = c->how.unit * from[0];
    x[1] = c->how.unit * (y ? -from[2] : from[1]);
    x[2] = c->how.unit * (y ? from[1] : from[2]);
    return sig_marker_is_seen(&c->s, marker, row);
}

/* Mean of a coordinate of a marker where it is known; NaN: nowhere. */
static double mean_of(const gde_clip *c, int marker, int axis)
{
    double sum = 0;
    int n = 0;
    for (int row = 0; row < c->s.nrow; row++) {
        const double x = c->s.value[(size_t)row * (size_t)c->s.ncol +
                                    (size_t)(c->s.marker_column[marker] + axis)];
        const bool seen = sig_marker_is_seen(&c->s, marker, row);
        sum += seen ? x : 0;
        n += seen;
    }
    return n == 0 ? (double)NAN : sum / n;
}

/* Correlation of the markers' means along an axis with the heights of their sites at home. */
static double likeness(const gde_clip *c, int axis)
{
    double n = 0, x = 0, z = 0, xx = 0, zz = 0, xz = 0;
    for (int i = 0; i < c->s.nmarker; i++) {
        const int site = gde_marker_site(c, i);
        const double mean = site < 0 ? (double)NAN : mean_of(c, i, axis);
        if (!isnan(mean)) {
            const double height = c->draft.d->site_xpos[3 * site + 2];
            n++, x += mean, z += height;
            xx += mean * mean, zz += height * height, xz += mean * height;
        }
    }
    return (xz - x * z / n) / sqrt((xx - x * x / n) * (zz - z * z / n) + 1e-300);
}

/* SAL_BADINPUT: markers are as high as the sites of the model along x, or upside down. */
static sal_status check_up(const gde_clip *c, sal_err *err)
{
    double best = 0;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        const double like = likeness(c, i);
        if (fabs(like) > fabs(best)) {
            best = like;
            axis = i;
        }
    }
    const bool wrong = axis == 0 || best < 0;
    if (!wrong || fabs(best) < ALIKE || likeness(c, c->how.up == 'y' ? 1 : 2) > UNLIKE) {
        return SAL_OK;
    }
    return sal_fail(
        err, SAL_BADINPUT,
        "in '%.200s' the markers are along %c%c as those of the model are upward "
        "(correlation %.2f): this direction is up. saltus needs recordings in which y or z "
        "is up: turn the axes where the recording is exported, or in the file",
        c->s.source.path, best < 0 ? '-' : '+', "xyz"[axis], fabs(best));
}

/* Which axis is up, the unit of length, and a belt. */
static sal_status find_world(gde_clip *c, sal_err *err)
{
    const char *unit = c->s.column[c->s.marker_column[0]].unit;
    const bool y = c->s.up != 0 ? c->s.up == 'y' : likeness(c, 1) > likeness(c, 2);
    c->how.up = y ? 'y' : 'z';
    c->how.unit = strcmp(unit, "mm") == 0 ? 1e-3 : strcmp(unit, "cm") == 0 ? 1e-2 : 1;
    const sal_status status = check_up(c, err);
    return status == SAL_OK ? gde_markers_belt(c, err) : status;
}

/* Rows of a table with times that are missing before a row. */
static int rows_missing(const gde_clip *c, int row)
{
    const double steps =
        row > 0 && c->rows_lost ? round(gde_clip_seconds(c, row - 1, row) * c->rate) : 1;
    return steps > 1 ? (int)steps - 1 : 0;
}

/* Rows, one after the other, in which a marker is lost, or, of -1, every marker that is followed;
 * *from: the row before them. */
static int longest_loss(const gde_clip *c, int marker, int *from)
{
    int most = 0;
    *from = 0;
    for (int row = 0, lost = 0, seen = 0; row < c->s.nrow; row++) {
        bool here = false;
        for (int i = marker < 0 ? 0 : marker; i < (marker < 0 ? c->s.nmarker : marker + 1); i++) {
            here = here || (gde_marker_site(c, i) >= 0 && sig_marker_is_seen(&c->s, i, row));
        }
        lost += rows_missing(c, row) + !here;
        if (lost > most) {
            *from = seen;
            most = lost;
        }
        seen = here ? row : seen;
        lost = here ? 0 : lost;
    }
    return most;
}

/* s: longest time for which a marker that is followed is lost. */
static double longest_gap(const gde_clip *c)
{
    int most = 0, from;
    for (int i = 0; i < c->s.nmarker; i++) {
        const int lost = gde_marker_site(c, i) >= 0 ? longest_loss(c, i, &from) : 0;
        most = lost > most ? lost : most;
    }
    return most == 0 ? 0 : (most + 1) / c->rate;
}

static void list(sal_text *names, const char *name)
{
    sal_text_format(names, "%s%s", names->length > 0 ? ", " : "", name);
}

static void note_list(gde_clip *c, const char *why, sal_text *names)
{
    if (names->length > 0) {
        gde_note(&c->draft, "left out%s: %.900s", why, names->data);
    }
    sal_text_clear(names);
}

/* Markers with a site that no row from `first` to `last` shows have none any more: nothing can
 * follow them. */
static void drop_unseen(gde_clip *c, int first, int last, sal_text *dropped)
{
    for (int i = 0; i < c->s.nmarker; i++) {
        bool seen = c->site[i] < 0;
        for (int row = first; row <= last && !seen; row++) {
            seen = sig_marker_is_seen(&c->s, i, row);
        }
        if (!seen) {
            list(dropped, c->s.marker[i]);
            c->site[i] = -1;
        }
    }
}

static void note_gap(gde_clip *c)
{
    int from = 0;
    const double seconds = (longest_loss(c, -1, &from) + 1) / c->rate;
    if (seconds > LONG) {
        gde_note(&c->draft,
                 "all markers are missing for %.3g s, from %.4g s on: there the motion only keeps "
                 "to the other terms of the cost",
                 seconds, sig_time(&c->s, c->rate, from));
    }
}

/* Which markers are followed, and which are not. */
static sal_status match(gde_clip *c, sal_err *err)
{
    sal_text lost = {0}, unseen = {0};
    int n = 0;
    c->site = sal_alloc((size_t)c->s.nmarker, sizeof *c->site);
    if (c->site == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", c->s.nmarker);
    }
    for (int i = 0; i < c->s.nmarker; i++) {
        c->site[i] = sal_model_find(c->draft.m, SAL_OBJ_SITE, c->s.marker[i]);
        if (c->site[i] < 0) {
            list(&lost, c->s.marker[i]);
        }
    }
    drop_unseen(c, 0, c->s.nrow - 1, &unseen);
    for (int i = 0; i < c->s.nmarker; i++) {
        n += c->site[i] >= 0;
    }
    gde_note(&c->draft, "%d of %d markers are sites of the model%s", n, c->s.nmarker,
             unseen.length > 0 ? " and are seen" : "");
    note_list(c, "", &lost);
    note_list(c, ", for no row of the recording shows them", &unseen);
    return n >= MARKERS_LEAST
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "%d of the %d markers of '%.200s' have the name of a site of the model "
                          "and are seen; at least %d are needed. `saltus person` makes a model "
                          "with the markers "
                          "of a recording",
                          n, c->s.nmarker, c->s.source.path, MARKERS_LEAST);
}

/* The rows that are used, and which markers these do not show. */
static sal_status find_rows(gde_clip *c, int *first, int *last, sal_err *err)
{
    sal_text unseen = {0};
    const sal_status status = gde_clip_on_floor(c, first, last, err);
    if (status == SAL_OK) {
        drop_unseen(c, *first, *last, &unseen);
        note_list(c, ", for the time that is used does not show them", &unseen);
    }
    return status;
}

static double lowpass_of(const gde_clip *c)
{
    return c->rate > 2.5 * LOWPASS ? LOWPASS : 0;
}

/* From row `first` on */
static void write_data(const gde_clip *c, const char *clip, int first)
{
    sal_text *out = c->draft.out;
    const double gap = longest_gap(c);
    const char up[2] = {c->how.up, 0};
    sal_text_add(out, "  <data");
    gde_attribute(out, "file", clip);
    gde_attribute(out, "up", up);
    if (c->floor[0] != 0) {
        sal_text_format(out, " floor=\"%.9g 0 0\"", c->floor[0]);
    }
    gde_write_belt(c);
    if (first > 0) {
        sal_text_format(out, " from=\"%.9g\"", sig_time(&c->s, c->rate, first));
    }
    if (gap > 0) {
        sal_text_format(out, " gap=\"%.3g\"", gap);
    }
    sal_text_add(out, " onjump=\"drop\"");
    if (lowpass_of(c) > 0) {
        sal_text_format(out, " lowpass=\"%.3g\"", lowpass_of(c));
    }
    sal_text_add(out, ">\n");
    for (int i = 0; i < c->s.nmarker; i++) {
        if (gde_marker_site(c, i) >= 0) {
            sal_text_add(out, "    <channel");
            gde_attribute(out, "name", c->s.marker[i]);
            gde_attribute(out, "site", c->s.marker[i]);
            gde_attribute(out, "columns", c->s.marker[i]);
            sal_text_format(out, " sigma=\"%.2g\"/>\n", c->sigma[i]);
        }
    }
    sal_text_add(out, "  </data>\n");
}

static int effort_of(const sal_model *m, int actuator)
{
    const char *name = sal_model_name(m, SAL_OBJ_ACTUATOR, actuator);
    int k = 0;
    while (k < EFFORTS - 1 && (name == NULL || strstr(name, efforts[k].word) == NULL)) {
        k++;
    }
    return k;
}

/* A term for each kind that the model has; of other models one for all. */
static void write_efforts(const gde_clip *c)
{
    const sal_model *m = c->draft.m;
    sal_text *out = c->draft.out;
    int many[EFFORTS] = {0};
    char text[GDE_NAME];
    for (int i = 0; i < m->nu; i++) {
        many[effort_of(m, i)]++;
    }
    for (int k = 0; k < EFFORTS; k++) {
        if (many[k] == 0) {
            continue;
        }
        sal_text_format(out, "    <term name=\"%s\" weight=\"%.3g\"", efforts[k].term,
                        efforts[k].weight);
        gde_words words = gde_words_begin(out, 32, "ctrl");
        if (many[k] == m->nu) {
            gde_word(&words, "all");
        }
        for (int i = 0; i < m->nu && many[k] < m->nu; i++) {
            if (effort_of(m, i) == k) {
                gde_word(&words, gde_name(m, SAL_OBJ_ACTUATOR, i, text));
            }
        }
        gde_words_end(&words);
        sal_text_add(out, "/>\n");
    }
}

static bool stands_on(const gde_draft *f, int body)
{
    bool stands = false;
    for (int g = 0; g < f->m->ngeom; g++) {
        stands =
            stands || (f->m->body_weldid[f->m->geom_bodyid[g]] == body && gde_meets_floor(f, g));
    }
    return stands;
}

/* What rolls over the floor: of a foot whose toes are a body of their own, what carries these. It
 * has geoms of its own to stand on, and begins at the ankle, not at the knee. */
int gde_sole_of(const gde_draft *f, int foot)
{
    const double *x = f->d->xpos;
    const int body = f->m->body_weldid[f->m->body_parentid[foot]];
    const bool low =
        x[3 * body + 2] - x[3 * foot + 2] < ANKLE * (x[3 * f->root + 2] - x[3 * foot + 2]);
    return body > 0 && low && stands_on(f, body) ? body : foot;
}

/* Feet come to the floor, roll and leave it gently: a foot that is lifted by some millimetres and
 * put down elsewhere, within a tenth of a second, is seen by no marker, but takes half of the
 * weight from one foot to the other. The norm grows slowly beyond p, since heels meet the floor
 * faster in every step. Toes do not count: they leave it fast. */
static void write_landing(const gde_clip *c)
{
    const gde_draft *f = &c->draft;
    if (f->nfoot == 0) {
        return;
    }
    sal_text_add(f->out, "    <term name=\"landing\" weight=\"300\" norm=\"cauchy\" p=\"0.2\" "
                         "width=\"0.004\"");
    gde_words words = gde_words_begin(f->out, 12, "impact");
    for (int i = 0; i < f->nfoot; i++) {
        gde_body_words(f, &words, gde_sole_of(f, f->foot[i].body));
    }
    gde_words_end(&words);
    sal_text_add(f->out, "/>  <!-- m/s -->\n");
}

/* m/s: how fast the markers of the root go from row `first` to row `last`, over the belt. */
static double speed_of(const gde_clip *c, int first, int last)
{
    double way[2] = {0}, a[3], b[3];
    int n = 0;
    for (int i = 0; i < c->s.nmarker; i++) {
        const int site = gde_marker_site(c, i);
        if (site >= 0 && c->draft.m->site_bodyid[site] == c->draft.root &&
            gde_marker_place(c, i, first, a) && gde_marker_place(c, i, last, b)) {
            way[0] += b[0] - a[0];
            way[1] += b[1] - a[1];
            n++;
        }
    }
    const double seconds = fmax(1 / c->rate, gde_clip_seconds(c, first, last)),
                 each = fmax(1, n) * seconds;
    return hypot(way[0] / each + c->belt[0], way[1] / each + c->belt[1]);
}

static void note_speed(gde_clip *c, int first, int last)
{
    const double speed = speed_of(c, first, last);
    if (speed > FAST) {
        gde_note(&c->draft,
                 "the person moves at %.2g m/s: the settings are for walking, squats and landings, "
                 "and the forces of a run were not compared with plates",
                 speed);
    }
}

/* Of rows `first` to `last` */
static void write_problem(gde_clip *c, const char *clip, const char *model, int first, int last)
{
    sal_text *out = c->draft.out;
    const double usual = c->rate >= RATE_LEAST && c->rate <= RATE_MOST ? c->rate : RATE,
                 rate = c->request->timestep > 0 ? gde_asked_rate(c) : usual;
    c->nstep = (int)floor(gde_clip_seconds(c, first, last) * rate + 5e-3);
    c->duration = c->nstep / rate;
    gde_note_unseen(c);
    gde_note_timestep(c);
    note_speed(c, first, last);
    note_gap(c);
    gde_clip_head(&c->draft, clip, model);
    write_data(c, clip, first);
    sal_text_format(out, "  <time nstep=\"%d\" duration=\"%.9g\"/>\n  <boundary type=\"open\"/>\n",
                    c->nstep, c->duration);
    sal_text_add(out, "  <cost>\n"
                      "    <term name=\"markers\" data=\"all\"/>\n");
    write_efforts(c);
    gde_write_unseen(c);
    sal_text_add(
        out, "    <term name=\"smooth\" com=\"all\" of=\"acc\" sigma=\"2\"/>  <!-- m/s^2 -->\n"
             "    <term name=\"calm\" joint=\"all\" of=\"acc\" sigma=\"50\"/>  <!-- rad/s^2 -->\n");
    write_landing(c);
    sal_text_format(out, "    <term name=\"floor\" floor=\"height\" sigma=\"%.3g\"/>  <!-- m -->\n",
                    c->floor_sigma);
    sal_text_add(out, "  </cost>\n"
                      "  <require penetration=\"0.08\" slip=\"0.3\"/>  <!-- m, m/s -->\n");
    sal_text_add(out, c->draft.m->nkey > 0 ? "  <init data=\"all\" key=\"#0\"/>\n"
                                           : "  <init data=\"all\"/>\n");
    sal_text_add(out, "  <solver softness=\"0.7\" increments=\"30\" cap=\"0.1\">\n"
                      "    <smoothing width=\"0.05 0.024\" dmax=\"0.8 0.96\" impratio=\"1 12\"/>\n"
                      "  </solver>\n</problem>\n");
}

/* Of all that the problem says of markers and joints */
static unsigned long long reading_of(const gde_clip *c)
{
    sal_text text = {0};
    sal_text_format(&text, "%c %g", c->how.up, c->how.unit);
    for (int i = 0; i < c->s.nmarker; i++) {
        if (gde_marker_site(c, i) >= 0) {
            sal_text_format(&text, " %s", c->s.marker[i]);
        }
    }
    for (int i = 0; i < c->nrest; i++) {
        sal_text_format(&text, " %d", c->rests[i]);
    }
    const unsigned long long digest = gde_digest(&text);
    sal_text_clear(&text);
    return digest;
}

/* It begins half an interval before the first row that is used, whatever is lost of its time in
 * text. */
static sal_follow_found found_of(const gde_clip *c, int first)
{
    return (sal_follow_found){.floor = {c->floor[0], c->floor[1], c->floor[2]},
                              .belt = {c->belt[0], c->belt[1]},
                              .gap = longest_gap(c),
                              .lowpass = lowpass_of(c),
                              .from = sig_time(&c->s, c->rate, first) - .5 / c->rate,
                              .nstep = c->nstep,
                              .duration = c->duration,
                              .reading = reading_of(c)};
}

sal_status sal_follow_markers(sal_text *out, sal_text *notes, sal_follow_found *found,
                              const sal_model *m, const char *clip,
                              const sal_follow_request *request, sal_diag *diag, sal_err *err)
{
    gde_clip c = {.draft = {.m = m, .out = out}, .request = request};
    int first = 0, last = 0;
    sal_status status = sig_read_clip(&c.s, clip, request->format, request->clip, diag, err);
    if (status == SAL_OK && c.s.nmarker == 0) {
        status = sal_fail(err, SAL_BADINPUT,
                          "'%.200s' holds no markers (.trc, .c3d); for joint angles of a robot use "
                          "--robot",
                          clip);
    }
    status = status == SAL_OK ? gde_clip_times(&c, diag, err) : status;
    status = status == SAL_OK ? match(&c, err) : status;
    status = status == SAL_OK ? gde_look(&c.draft, err) : status;
    if (status == SAL_OK) {
        sal_data_reset(m, c.draft.d);
        sal_kinematics(m, c.draft.d);
        status = sal_collide(c.draft.wide, c.draft.d, err);
    }
    if (status == SAL_OK) {
        status = find_world(&c, err);
    }
    status = status == SAL_OK ? gde_check_mirrored(&c, err) : status;
    status = status == SAL_OK ? gde_markers_floor(&c, err) : status;
    status = status == SAL_OK ? gde_markers_sigma(&c, err) : status;
    status = status == SAL_OK ? gde_find_unseen(&c, err) : status;
    if (status == SAL_OK) {
        status = find_rows(&c, &first, &last, err);
    }
    if (status == SAL_OK) {
        write_problem(&c, request->clip_name, request->model_name, first, last);
        if (found != NULL) {
            *found = found_of(&c, first);
        }
        if (notes != NULL && c.draft.notes.length > 0) {
            sal_text_add(notes, c.draft.notes.data);
        }
    }
    sal_free(c.site);
    sal_free(c.sigma);
    sal_free(c.rests);
    gde_release(&c.draft);
    sig_clear(&c.s);
    return status;
}
