/* small_robot.h: robots of a few lines, tables of numbers as recordings of them, and what the draft
 * makes of these. */
#ifndef SAL_TESTS_GUIDE_SMALL_ROBOT_H
#define SAL_TESTS_GUIDE_SMALL_ROBOT_H

#include "tests/problems/problem_files.h"

#include "base/quat.h"
#include "base/v3.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "problems/problem.h"
#include "problems/states.h"

#include <math.h>

static sal_text small_draft, small_notes, small_table;
static sal_model *small_model;

static inline void small_load(const char *xml)
{
    sal_diag diag = {0};
    sal_err err = {0};
    sal_model_free(small_model);
    small_model = NULL;
    files_write("robot.xml", xml, strlen(xml));
    CHECK_OK(sal_model_load(&small_model, files_path("robot.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
}

/* Rows of ncol numbers under a line of names. */
static inline void small_write(const char *head, const double *x, int nrow, int ncol)
{
    sal_text text = {0};
    sal_text_add(&text, head);
    for (int i = 0; i < nrow * ncol; i++) {
        sal_text_format(&text, "%s%.9g", i % ncol == 0 ? "\n" : ",", x[i]);
    }
    sal_text_add(&text, "\n");
    files_write("clip.csv", text.data, text.length);
    sal_text_clear(&text);
}

static inline void small_draft_of(const char *clip)
{
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_follow_request request = {.rate = (double)NAN,
                                        .clip_name = clip,
                                        .model_name = "robot.xml",
                                        .recording = &small_table,
                                        .recording_name = "table.csv"};
    sal_text_clear(&small_draft);
    sal_text_clear(&small_notes);
    sal_text_clear(&small_table);
    CHECK_OK(sal_follow_draft(&small_draft, &small_notes, NULL, small_model, files_path(clip),
                              &request, &diag, &err),
             err);
    sal_diag_clear(&diag);
}

static inline bool small_says(const sal_text *text, const char *what)
{
    return text->data != NULL && strstr(text->data, what) != NULL;
}

/* The problem that was drafted, as `solve` reads it; NULL: it does not. */
static inline sal_problem *small_problem(void)
{
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (small_table.length > 0) {
        files_write("table.csv", small_table.data, small_table.length);
    }
    files_write("p.xml", small_draft.data == NULL ? "" : small_draft.data, small_draft.length);
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p == NULL) {
        printf("%s\n", diag.text.data == NULL ? "" : diag.text.data);
    }
    sal_diag_clear(&diag);
    return p;
}

/* How far the poses of the problem are from rows of nq numbers, m and rad; the filter has ends. */
static inline double small_farthest(const double *rows, int nrow, double rate)
{
    sal_problem *p = small_problem();
    double most = p == NULL ? (double)INFINITY : 0;
    double q[64], v[64], scratch[4 * 64];
    for (int row = 5; row + 5 < nrow && p != NULL; row++) {
        prb_states_at(p->recorded, small_model, row / (rate * p->duration), q, NULL, scratch);
        sal_differentiate_pos(small_model, v, 1, rows + row * small_model->nq, q);
        for (int i = 0; i < small_model->nv; i++) {
            most = fmax(most, fabs(v[i]));
        }
    }
    sal_problem_free(p);
    return most;
}

static inline void small_forget(void)
{
    sal_text_clear(&small_draft);
    sal_text_clear(&small_notes);
    sal_text_clear(&small_table);
    sal_model_free(small_model);
}

#endif
