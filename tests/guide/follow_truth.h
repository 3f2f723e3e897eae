/* follow_truth.h: a motion of models/person.xml that is known, what a draft makes of a recording of
 * it, and how far the poses that the drafted problem reads are from it. */
#ifndef SAL_TESTS_GUIDE_FOLLOW_TRUTH_H
#define SAL_TESTS_GUIDE_FOLLOW_TRUTH_H

#include "tests/problems/problem_files.h"

#include "base/quat.h"
#include "base/v3.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "problems/problem.h"
#include "problems/states.h"

#include <math.h>

enum { TRUTH_ROWS = 90, TRUTH_RATE = 30, NQ = 28 };

static sal_model *person;
static double truth[TRUTH_ROWS][NQ];

/* ---- the motion: two squats, turned about the vertical, the left foot where it is ---- */

static inline void make_truth(void)
{
    sal_err err = {0};
    sal_diag diag = {0};
    char path[1200];
    double foot[3] = {0}, stand[NQ];
    snprintf(path, sizeof path, "%s/models/person.xml", files_root());
    CHECK_OK(sal_model_load(&person, path, NULL, &diag, &err), err);
    sal_data *d = NULL;
    CHECK_OK(sal_data_new(&d, person, &err), err);
    sal_data_reset_key(person, d, 0);
    memcpy(stand, d->qpos, sizeof stand);
    const int body = sal_model_find(person, SAL_OBJ_BODY, "left_foot");
    for (int row = 0; row < TRUTH_ROWS; row++) {
        double *q = truth[row];
        const double bend = .25 - .25 * cos(2 * 3.14159265358979 * row / 45);
        memcpy(q, stand, sizeof stand);
        const double axis[3] = {0, 0, 1};
        q[0] = q[1] = 0;
        sal_quat_axisangle(q + 3, axis, .6);
        for (int side = 0; side < 2; side++) { /* hip, knee, ankle: the foot keeps its direction */
            double *leg = q + 16 + 6 * side;
            leg[2] += bend;
            leg[3] -= 2 * bend;
            leg[4] += bend;
        }
        q[10] = .3 * bend;
        memcpy(d->qpos, q, sizeof stand);
        sal_kinematics(person, d);
        for (int i = 0; i < 3; i++) {
            foot[i] = row == 0 ? d->xpos[3 * body + i] : foot[i];
            q[i] -= d->xpos[3 * body + i] - foot[i];
        }
    }
    sal_data_free(d);
    sal_diag_clear(&diag);
}

/* ---- what the draft makes of it ---- */

static sal_text draft_text, notes, recording;

/* A file of this name; what is in it has `rate` (NaN: it says so itself). */
static inline sal_status draft_of(const char *clip, double rate, sal_err *err)
{
    char model[1200];
    sal_diag diag = {0};
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    sal_text_clear(&recording);
    snprintf(model, sizeof model, "%s/models/person.xml", files_root());
    const sal_follow_request request = {.rate = rate,
                                        .clip_name = clip,
                                        .model_name = model,
                                        .recording = &recording,
                                        .recording_name = "table.csv"};
    const sal_status status =
        sal_follow_draft(&draft_text, &notes, NULL, person, files_path(clip), &request, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

static inline bool says(const sal_text *text, const char *what)
{
    const bool found = text->data != NULL && strstr(text->data, what) != NULL;
    if (!found) {
        printf("not said: %s\n%s\n", what, text->data == NULL ? "" : text->data);
    }
    return found;
}

/* Poses of the problem at the instants of the samples, beside the true ones: m and rad. */
static inline void compare(const sal_problem *p, double *place, double *turn)
{
    double q[NQ], v[NQ], scratch[4 * NQ];
    *place = *turn = 0;
    for (int row = 5; row + 5 < TRUTH_ROWS; row++) { /* the filter has ends */
        prb_states_at(p->recorded, person, row / (TRUTH_RATE * p->duration), q, NULL, scratch);
        sal_differentiate_pos(person, v, 1, truth[row], q);
        *place = fmax(*place, sal_v3_norm(v));
        for (int i = 3; i < person->nv; i++) {
            *turn = fmax(*turn, fabs(v[i]));
        }
    }
}

/* How far the poses that the draft reads are from the truth: m, rad. */
static inline void read_draft(double *place, double *turn)
{
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    *place = *turn = INFINITY;
    if (recording.length > 0) {
        files_write("table.csv", recording.data, recording.length);
    }
    files_write("p.xml", draft_text.data, strlen(draft_text.data));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK(p->recorded != NULL);
        compare(p, place, turn);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static inline void forget_truth(void)
{
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    sal_text_clear(&recording);
    sal_model_free(person);
}

#endif
