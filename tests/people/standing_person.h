/* standing_person.h: a person who is known and stands still, what markers show of it, and inverse
 * dynamics with forces of plates, for tests. */
#ifndef SAL_TESTS_PEOPLE_STANDING_PERSON_H
#define SAL_TESTS_PEOPLE_STANDING_PERSON_H

#include "people/person.h"
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const worn[] = {"RASI",  "LASI", "RPSI",   "LPSI",   "C7",   "CLAV", "RSHO",
                                   "LSHO",  "RELB", "LELB",   "RWRA",   "LWRA", "RWRB", "LWRB",
                                   "RKNE",  "LKNE", "RMKNEE", "LMKNEE", "RANK", "LANK", "RMANK",
                                   "LMANK", "RHEE", "LHEE",   "RMT5",   "LMT5", "RMT1", "LMT1"};
enum { NWORN = sizeof worn / sizeof worn[0], RATE = 100 };
static const double mass = 70, gravity = 9.81;

static sal_model *m;
static sal_data *d;

/* Writes person.xml, and stands there. */
static inline void make_person(void)
{
    ppl_marker marker[NWORN];
    ppl_person p = {.mass = mass, .nmarker = NWORN, .marker = marker};
    sal_text text = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    for (int k = 0; k < PPL_NLENGTH; k++) {
        p.scale[k] = 1;
    }
    for (int i = 0; i < NWORN; i++) {
        marker[i] = (ppl_marker){.seen = 0};
        snprintf(marker[i].name, sizeof marker[i].name, "%s", worn[i]);
        marker[i].at = *ppl_landmark_of(worn[i], &marker[i].side);
        ppl_marker_place(&p, marker + i, marker[i].pos);
    }
    for (int k = 0; k < 2 * PPL_NPAD; k++) {
        p.pad[k / PPL_NPAD][k % PPL_NPAD] = k % PPL_NPAD < PPL_TOE_OUT ? -.055 : -.005;
    }
    ppl_write(&text, &p);
    files_write("person.xml", text.data, text.length);
    CHECK_OK(sal_model_load(&m, files_path("person.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_data_reset(m, d);
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_text_clear(&text);
    sal_diag_clear(&diag);
}

/* m/s: of a belt on which the person stands, along -x */
static double backward;

/* What the file calls a marker, in which frames it is seen, and how its axes are turned from y up;
 * NULL: as worn, always, not. */
static const char *(*called)(int marker);
static bool (*seen)(int marker, int frame);
static void (*turned)(double x[3]);

/* Frames `first` to `last`, in which markers are lost whose names begin with `side` ("": all), or
 * whole rows. last 0: nothing is lost. */
static struct {
    int first, last;
    const char *side;
    bool rows;
} lost;

static inline bool is_lost(int t, const char *marker)
{
    return lost.last > 0 && t >= lost.first && t <= lost.last &&
           (lost.rows || strncmp(marker, lost.side, strlen(lost.side)) == 0);
}

/* Markers of `n` frames, in m, y up, raised by height(t). */
static inline void record(const char *name, int n, double (*height)(double t))
{
    sal_text text = {0};
    const int gone = lost.rows && lost.last > 0 ? lost.last - lost.first + 1 : 0;
    sal_text_add(&text,
                 "PathFileType\t4\t(X/Y/Z)\tp.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers"
                 "\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n");
    sal_text_format(&text, "100\t100\t%d\t%d\tm\t100\t1\t%d\nFrame#\tTime", n - gone, NWORN,
                    n - gone);
    for (int i = 0; i < NWORN; i++) {
        sal_text_format(&text, "\t%s\t\t", called == NULL ? worn[i] : called(i));
    }
    sal_text_add(&text, "\n\t");
    for (int i = 1; i <= NWORN; i++) {
        sal_text_format(&text, "\tX%d\tY%d\tZ%d", i, i, i);
    }
    sal_text_add(&text, "\n\n");
    for (int t = 0; t < n; t++) {
        const double up = height((double)t / RATE);
        if (lost.rows && is_lost(t, "")) {
            continue;
        }
        sal_text_format(&text, "%d\t%.2f", t + 1, (double)t / RATE);
        for (int i = 0; i < NWORN; i++) {
            const double *x = d->site_xpos + 3 * sal_model_find(m, SAL_OBJ_SITE, worn[i]);
            double at[3] = {x[0] - backward * t / RATE, x[2] + up, -x[1]};
            if (is_lost(t, worn[i]) || (seen != NULL && !seen(i, t))) {
                sal_text_add(&text, "\t\t\t");
                continue;
            }
            if (turned != NULL) {
                turned(at);
            }
            sal_text_format(&text, "\t%.9f\t%.9f\t%.9f", at[0], at[1], at[2]);
        }
        sal_text_add(&text, "\n");
    }
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

static inline double on_the_floor(double t)
{
    (void)t;
    return 0;
}

/* N m: free moment of both plates */
static double twist;
/* What a cell of a plate has in row t, 0 to 2: force, 3 to 5: point, 6 to 8: moment; NULL: its
 * number. Or whether there is a row at all: of cell -1, NULL: there is. */
static const char *(*plate_cell)(int t, int plate, int cell);

static inline void write_row(sal_text *text, int t, int plate, double force, double x, double y)
{
    const double number[9] = {0, force, 0, x, 0, -y, 0, twist, 0};
    for (int k = 0; k < 9; k++) {
        const char *other = plate_cell == NULL ? NULL : plate_cell(t, plate, k);
        if (other != NULL) {
            sal_text_format(text, "\t%s", other);
        } else {
            sal_text_format(text, "\t%.9f", number[k]);
        }
    }
}

/* Two plates with forces (N) at points (x, y) of the floor. */
static inline void write_plates(const char *name, const double force[2], const double x[2],
                                const double y[2])
{
    sal_text text = {0};
    int nrow = 0;
    for (int t = 0; t < 140; t++) {
        nrow += plate_cell == NULL || plate_cell(t, 0, -1) == NULL;
    }
    sal_text_format(
        &text, "plates\nversion=1\nnRows=%d\nnColumns=19\ninDegrees=no\nendheader\ntime", nrow);
    for (int i = 1; i <= 2; i++) {
        static const char *const what[] = {"force", "force", "torque"}, *const stem[] = {"v", "p",
                                                                                         ""};
        for (int k = 0; k < 9; k++) {
            sal_text_format(&text, "\tground_%s_%d_%s%c", what[k / 3], i, stem[k / 3],
                            "xyz"[k % 3]);
        }
    }
    for (int t = 0; t < 140; t++) {
        if (plate_cell != NULL && plate_cell(t, 0, -1) != NULL) {
            continue;
        }
        sal_text_format(&text, "\n%.2f", (double)t / RATE);
        for (int i = 0; i < 2; i++) {
            write_row(&text, t, i, force[i], x[i], y[i]);
        }
    }
    sal_text_add(&text, "\n");
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

/* Inverse dynamics of markers with plates; belt: an attribute that <data> gets, or "". */
static inline sal_status invert_clip(sal_result **r, sal_text *notes, const char *clip,
                                     const char *belt, const char *plates, sal_err *err)
{
    char path[1200], model[1200];
    sal_text draft = {0}, problem = {0};
    sal_diag diag = {0};
    snprintf(path, sizeof path, "%s", files_path(clip));
    snprintf(model, sizeof model, "%s", files_path("person.xml"));
    const sal_follow_request request = {.rate = NAN, .clip_name = path, .model_name = model};
    *r = NULL;
    sal_status status = sal_follow_markers(&draft, NULL, NULL, m, path, &request, &diag, err);
    CHECK_OK(status, *err);
    const char *at = draft.data == NULL ? NULL : strstr(draft.data, "<data");
    if (at != NULL) {
        sal_text_addn(&problem, draft.data, (size_t)(at + 5 - draft.data));
        sal_text_format(&problem, " %s%s", belt, at + 5);
        status = sal_plates_inverse(r, notes, problem.data, files_path(plates), &diag, err);
    }
    if (status != SAL_OK && diag.nerror > 0) {
        sal_fail(err, status, "%s", diag.first);
    }
    sal_text_clear(&draft);
    sal_text_clear(&problem);
    sal_diag_clear(&diag);
    return status;
}

static inline sal_status invert(sal_result **r, sal_text *notes, const char *plates, sal_err *err)
{
    return invert_clip(r, notes, "still.trc", "", plates, err);
}

/* Whether the forces of a step are. */
static inline bool is_known(const sal_result *r, int t)
{
    return isfinite(r->qfrc_inverse[t * m->nv]);
}

/* The largest difference of joint moments where both have them, N m. */
static inline double difference(const sal_result *a, const sal_result *b)
{
    double most = 0;
    for (int t = 0; t < a->nstep; t++) {
        for (int i = 6; i < m->nv && is_known(a, t) && is_known(b, t); i++) {
            most =
                fmax(most, fabs(a->qfrc_inverse[t * m->nv + i] - b->qfrc_inverse[t * m->nv + i]));
        }
    }
    return most;
}

/* One allocation out of so many fails once: the fault is reported, and nothing is lost. */
static inline void fail_allocations(const char *plates, int every)
{
    sal_text problem = {0};
    char clip[1200], model[1200];
    sal_diag none = {0};
    sal_err why = {0};
    int n = 0;
    record("few.trc", 24, on_the_floor);
    snprintf(clip, sizeof clip, "%s", files_path("few.trc"));
    snprintf(model, sizeof model, "%s", files_path("person.xml"));
    const sal_follow_request request = {.rate = NAN, .clip_name = clip, .model_name = model};
    CHECK_OK(sal_follow_markers(&problem, NULL, NULL, m, clip, &request, &none, &why), why);
    for (bool all = false; !all && n < 20000; n += every) {
        sal_result *r = NULL;
        sal_text notes = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        memory_fails_at(n + 1);
        const sal_status status =
            sal_plates_inverse(&r, &notes, problem.data, files_path(plates), &diag, &err);
        all = memory_was_enough(n + 1);
        CHECK(status == SAL_NOMEM || (status == SAL_OK && !notes.failed));
        CHECK((r != NULL) == (status == SAL_OK));
        sal_result_free(r);
        sal_text_clear(&notes);
        sal_diag_clear(&diag);
    }
    printf("     %d allocations\n", n);
    CHECK(n > 100 && n < 20000);
    sal_text_clear(&problem);
    sal_diag_clear(&none);
}

#endif
