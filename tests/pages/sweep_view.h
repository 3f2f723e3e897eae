/* sweep_view.h: the view of a sweep that was never run, written by hand.
 *
 * Axes speed (.5, 1, 1.5) and mass (30, 40), two repeats: 12 cells. Figures: cost, term[effort],
 * speed (as it came out), and, from cell 6 on, also slip.
 *
 *   point speed mass   cost of repeat 0, 1
 *     0    .5    30    4, 3
 *     1    .5    40    5, 6
 *     2   1      30    2, infeasible (cost 1)
 *     3   1      40    time limit, crashed
 *     4   1.5    30    7, 7
 *     5   1.5    40    invalid, not done
 */
#ifndef SAL_TESTS_PAGES_SWEEP_VIEW_H
#define SAL_TESTS_PAGES_SWEEP_VIEW_H

#include "problems/problems.h"
#include "sweeps/sweeps.h"

#include <stdio.h>
#include <string.h>

enum { VIEW_CELLS = 12, VIEW_FIGURES = 4 };

typedef struct test_view {
    sal_sweep_view view;
    sal_record record[VIEW_CELLS];
    sal_figure figure[VIEW_CELLS][VIEW_FIGURES];
    char hash[VIEW_CELLS][SAL_HASH_SIZE];
    char *value[2 * VIEW_CELLS];
    char *axis[2];
    int point[VIEW_CELLS];
    int repeat[VIEW_CELLS];
    bool motion[VIEW_CELLS];
    char text[64];
    sal_table_column column[3];
} test_view;

static inline void view_figure(sal_record *r, const char *name, double value)
{
    sal_figure *f = r->figure + r->nfigure++;
    snprintf(f->name, sizeof f->name, "%s", name);
    f->value = value;
}

static inline void view_record(test_view *v, int cell, sal_outcome_kind kind, const char *status,
                               const char *reason, double cost)
{
    sal_record *r = v->record + cell;
    const bool solved = kind == SAL_CELL_PHYSICAL || kind == SAL_CELL_UNSOLVED;
    snprintf(r->status, sizeof r->status, "%s", status);
    snprintf(r->kind, sizeof r->kind, "%s", sal_outcome_name(kind));
    snprintf(r->reason, sizeof r->reason, "%s", reason);
    snprintf(r->version, sizeof r->version, "0.5");
    r->exit_code = kind == SAL_CELL_PHYSICAL ? 0 : kind == SAL_CELL_UNSOLVED ? 4 : 1;
    r->tries = solved ? 1 : 2;
    r->seconds = .25 * cell;
    r->figure = v->figure[cell];
    v->motion[cell] = solved;
    if (solved) {
        view_figure(r, "cost", cost);
        view_figure(r, "term[effort]", cost / 8);
        view_figure(r, "speed", .5 + .5 * (v->point[cell] / 2) + 1e-3 * cell);
    }
    if (solved && cell >= 6) {
        view_figure(r, "slip", .1 * cell);
    }
}

static inline void view_make(test_view *v)
{
    static const char words[] = "folder\0name\0speed\0mass\0.5\0001\0001.5\00030\00040";
    *v = (test_view){0};
    memcpy(v->text, words, sizeof words);
    char *word[9], *at = v->text;
    for (int i = 0; i < 9; i++, at += strlen(at) + 1) {
        word[i] = at;
    }
    v->axis[0] = word[2];
    v->axis[1] = word[3];
    for (int i = 0; i < VIEW_CELLS; i++) {
        v->point[i] = i / 2;
        v->repeat[i] = i % 2;
        v->value[2 * i] = word[4 + i / 4];
        v->value[2 * i + 1] = word[7 + i / 2 % 2];
        snprintf(v->hash[i], SAL_HASH_SIZE, "%064d", i);
    }
    static const double cost[VIEW_CELLS] = {4, 3, 5, 6, 2, 1, 0, 0, 7, 7, 0, 0};
    for (int i = 0; i < VIEW_CELLS; i++) {
        if (cost[i] > 0 && i != 5) {
            view_record(v, i, SAL_CELL_PHYSICAL, "converged", "", cost[i]);
        }
    }
    view_record(v, 5, SAL_CELL_UNSOLVED, "infeasible", "", cost[5]);
    view_record(v, 6, SAL_CELL_TIMEOUT, "failed", "more than 60 s", 0);
    view_record(v, 7, SAL_CELL_CRASHED, "failed", "signal 11, \"Segmentation fault\"", 0);
    view_record(v, 10, SAL_CELL_INVALID, "failed", "no such joint", 0);
    v->view = (sal_sweep_view){.folder = word[0],
                               .name = word[1],
                               .naxis = 2,
                               .nrepeat = 2,
                               .ncell = VIEW_CELLS,
                               .axis = v->axis,
                               .column = v->column,
                               .hash = v->hash,
                               .value = v->value,
                               .point = v->point,
                               .repeat = v->repeat,
                               .record = v->record,
                               .motion = v->motion};
}

#endif
