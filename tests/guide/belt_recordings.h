/* belt_recordings.h: recordings on a belt, made from recordings of others over the ground: what
 * moves at v there is seen by who stands beside a belt of speed V as moving at v - V. */
#ifndef SAL_TESTS_GUIDE_BELT_RECORDINGS_H
#define SAL_TESTS_GUIDE_BELT_RECORDINGS_H

#include "people/people.h"
#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "signals/table.h"

#include <math.h>
#include <string.h>

#define A "data/people/subject_a/"
#define B "data/people/subject_b/"

static sal_text draft_text, notes;
static sal_model *person[2], *robot;

static inline bool says(const sal_text *text, const char *what)
{
    return text->data != NULL && strstr(text->data, what) != NULL;
}

/* ---- recordings on a belt ---- */

/* Rows first .. first + n - 1 of the table of a robot (columns x, y, z up). */
static inline void write_clip(const char *name, const sig_signals *s, int first, int n,
                              const double v[2])
{
    sal_text text = {0};
    for (int k = 0; k < s->ncol; k++) {
        sal_text_format(&text, "%s%s", k > 0 ? "," : "", s->column[k].name);
    }
    for (int row = first; row < first + n; row++) {
        const double *x = s->value + (size_t)row * (size_t)s->ncol;
        const double t = x[s->time] - s->value[(size_t)first * (size_t)s->ncol + (size_t)s->time];
        for (int k = 0; k < s->ncol; k++) {
            const int axis = k == sig_find(s, "x") ? 0 : k == sig_find(s, "y") ? 1 : -1;
            sal_text_format(&text, "%s%.9g", k > 0 ? "," : "\n",
                            x[k] - (axis < 0 ? 0 : v[axis] * t));
        }
    }
    sal_text_add(&text, "\n");
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

/* Markers, y up: (x, y, z) of the file is (x, -z, y) there. */
static inline void write_markers(const char *name, const sig_signals *s, const double v[2])
{
    sal_text text = {0};
    sal_text_format(&text,
                    "PathFileType\t4\t(X/Y/Z)\tb.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\t"
                    "Units\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n%g\t%g\t%d\t%d\t%s\t%g"
                    "\t1\t%d\nFrame#\tTime",
                    s->rate, s->rate, s->nrow, s->nmarker, s->column[s->marker_column[0]].unit,
                    s->rate, s->nrow);
    for (int i = 0; i < s->nmarker; i++) {
        sal_text_format(&text, "\t%s\t\t", s->marker[i]);
    }
    sal_text_add(&text, "\n\t");
    for (int i = 1; i <= s->nmarker; i++) {
        sal_text_format(&text, "\tX%d\tY%d\tZ%d", i, i, i);
    }
    sal_text_add(&text, "\n\n");
    for (int row = 0; row < s->nrow; row++) {
        const double *x = s->value + (size_t)row * (size_t)s->ncol, t = row / s->rate;
        sal_text_format(&text, "%d\t%.9g", row + 1, x[s->time]);
        for (int i = 0; i < s->nmarker; i++) {
            const double *m = x + s->marker_column[i];
            if (isnan(m[0])) {
                sal_text_add(&text, "\t\t\t");
            } else {
                sal_text_format(&text, "\t%.9g\t%.9g\t%.9g", m[0] - v[0] * t, m[1],
                                m[2] + v[1] * t);
            }
        }
        sal_text_add(&text, "\n");
    }
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

/* ---- what follow says ---- */

static inline sal_status follow(const sal_model *m, const char *model, const char *clip)
{
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_follow_request request = {.rate = NAN, .clip_name = clip, .model_name = model};
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    const sal_status status =
        m == robot ? sal_follow_draft(&draft_text, &notes, NULL, m, clip, &request, &diag, &err)
                   : sal_follow_markers(&draft_text, &notes, NULL, m, clip, &request, &diag, &err);
    CHECK_OK(status, err);
    sal_diag_clear(&diag);
    return status;
}

/* The belt that was found is at most 3 % off, in size and direction. */
static inline void check_belt(const double v[2])
{
    double found[2] = {0};
    const char *at = draft_text.data == NULL ? NULL : strstr(draft_text.data, " belt=\"");
    CHECK(at != NULL && sscanf(at, " belt=\"%lf %lf\"", found, found + 1) == 2);
    CHECK(says(&notes, "recorded on a belt of "));
    const double off = hypot(found[0] - v[0], found[1] - v[1]) / hypot(v[0], v[1]);
    printf("     belt %.3g %.3g, found %.3g %.3g: %.1f %% off\n", v[0], v[1], found[0], found[1],
           100 * off);
    CHECK(off < .03);
}

static inline bool make_person(sal_model **m, const char *name, const char *walk, const char *stand,
                               double mass)
{
    char path[2][1200];
    const char *trial = path[0];
    sal_text model = {0}, said = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path[0], sizeof path[0], "%s", walk);
    snprintf(path[1], sizeof path[1], "%s", stand == NULL ? "" : stand);
    const sal_person_request request = {
        .trial = &trial, .ntrial = 1, .standing = stand == NULL ? NULL : path[1], .mass = mass};
    CHECK_OK(sal_person_model(&model, &said, &request, &diag, &err), err);
    if (model.data != NULL) {
        files_write(name, model.data, model.length);
        CHECK_OK(sal_model_load(m, files_path(name), NULL, &diag, &err), err);
    }
    sal_text_clear(&model);
    sal_text_clear(&said);
    sal_diag_clear(&diag);
    return *m != NULL;
}

static inline const char *corpus_path(const char *name)
{
    static char path[4][1200];
    static int next;
    const char *found = check_corpus(name);
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s", found == NULL ? "" : found);
    return found == NULL ? NULL : path[next];
}

static inline bool read_signals(sig_signals *s, const char *path)
{
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sig_read(s, path, NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return s->nrow > 0;
}

/* Models of both people; the robot. False where the corpus is not there. */
static inline bool models_are_there(void)
{
    sal_diag diag = {0};
    sal_err err = {0};
    if (person[0] != NULL) {
        return true;
    }
    if (check_corpus(A "walking1.trc") == NULL || check_corpus("robots/g1.xml") == NULL) {
        return false;
    }
    CHECK_OK(sal_model_load(&robot, corpus_path("robots/g1.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return make_person(&person[0], "a.xml", corpus_path(A "walking1.trc"),
                       corpus_path(A "static1.trc"), 63.5) &&
           make_person(&person[1], "b.xml", corpus_path(B "walking2.trc"), NULL, 94.4) &&
           robot != NULL;
}

/* Three seconds of each in which the robot goes straight, on a belt of its own mean velocity. */
static const struct {
    const char *name;
    int first;
    double v[2];
} straight[] = {{"data/g1_clips/walk1_subject1.csv", 280, {-.64, .03}},
                {"data/g1_clips/walk3_subject2.csv", 80, {.63, -.01}},
                {"data/g1_clips/run1_subject2.csv", 410, {-1.57, .19}},
                {"data/g1_clips/run2_subject1.csv", 365, {-1.21, .08}}};

static inline void belt_end(void)
{
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    sal_model_free(person[0]);
    sal_model_free(person[1]);
    sal_model_free(robot);
    files_remove();
}

#endif
