/* controls.c: controls from a table. Row r holds from its time to that of row r + 1, or is
 * interpolated:
 *
 *     u(t) = u_r                                               t_r <= t < t_{r+1}
 *     u(t) = u_r + (u_{r+1} - u_r) (t - t_r)/(t_{r+1} - t_r)
 */
#include "runs/controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- which column is what ---- */

/* States and forces, as saltus' own tables carry them: a family and a number, or a family and a
 * name */
static bool is_known_output(const sal_model *m, const char *name)
{
    static const char *const known[] = {"qpos",         "qvel",         "qacc",
                                        "qfrc_inverse", "qfrc_passive", "qfrc_constraint",
                                        "qfrc_bias",    "sensordata"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t n = strlen(known[i]);
        if (strncmp(name, known[i], n) == 0 && (name[n] == ':' || sal_text_whole(name + n) >= 0)) {
            return true;
        }
    }
    const int act = strncmp(name, "act", 3) == 0 ? sal_text_whole(name + 3) : -1;
    return act >= 0 && act < m->na;
}

static void complain(const sal_model *m, const sig_csv_column *column, sal_diag *diag)
{
    const char **names = sal_alloc((size_t)m->nu, sizeof *names);
    const char *nearest = NULL;
    char hint[200] = "columns may be time, ctrl0.., ctrl:NAME or an actuator's name";
    for (int i = 0; i < m->nu && names != NULL; i++) {
        names[i] = sal_model_name(m, SAL_OBJ_ACTUATOR, i);
    }
    if (names != NULL) {
        nearest = sal_text_nearest(column->name, names, (size_t)m->nu);
    }
    if (nearest != NULL) {
        snprintf(hint, sizeof hint, "did you mean '%.100s'?", nearest);
    }
    sal_diag_error(diag, column->place, hint, "the model has no actuator '%.80s'", column->name);
    sal_free(names);
}

/* The actuator a column controls; -1: none, after a message where it should */
static int actuator_of(const sal_model *m, const sig_csv_column *column, sal_diag *diag)
{
    const char *name = column->name;
    const int own = sal_model_find(m, SAL_OBJ_ACTUATOR, name);
    if (own >= 0) {
        return own;
    }
    const int number = strncmp(name, "ctrl", 4) == 0 ? sal_text_whole(name + 4) : -1;
    const int named =
        strncmp(name, "ctrl:", 5) == 0 ? sal_model_find(m, SAL_OBJ_ACTUATOR, name + 5) : -1;
    if (number >= m->nu) {
        sal_diag_error(diag, column->place, NULL, "the model has only %d actuator%s", m->nu,
                       m->nu == 1 ? "" : "s");
    } else if (number < 0 && named < 0 && !is_known_output(m, name)) {
        complain(m, column, diag);
    }
    return number >= 0 && number < m->nu ? number : named;
}

static void choose_columns(run_controls *c, const sal_model *m, sal_diag *diag)
{
    const sig_csv *csv = &c->csv;
    const sal_place header = {&csv->source, csv->column[0].place.offset, 1};
    int time = -1;
    for (int i = 0; i < csv->ncol; i++) {
        const sig_csv_column *column = csv->column + i;
        if (strcmp(column->name, "time") == 0) {
            if (time >= 0) {
                sal_diag_error(diag, column->place, NULL, "there are two columns 'time'");
            }
            time = i;
            continue;
        }
        const int actuator = actuator_of(m, column, diag);
        for (int k = 0; actuator >= 0 && k < c->ncol; k++) {
            if (c->actuator[k] == actuator) {
                sal_diag_error(diag, column->place, NULL,
                               "this column gives the same control as column '%.80s'",
                               csv->column[c->pick[k]].name);
            }
        }
        if (actuator >= 0 && c->ncol < m->nu) {
            c->pick[c->ncol] = i;
            c->actuator[c->ncol++] = actuator;
        }
    }
    if (c->ncol == 0 && diag->nerror == 0) {
        sal_diag_error(diag, header,
                       "columns may be time, ctrl0.., ctrl:NAME or an actuator's name",
                       "no column of the table is the control of an actuator");
    }
    c->timed = time >= 0;
    if (c->timed) {
        memmove(c->pick + 1, c->pick, (size_t)c->ncol * sizeof *c->pick);
        c->pick[0] = time;
    }
}

/* ---- rows ---- */

static int width(const run_controls *c)
{
    return c->ncol + (c->timed ? 1 : 0);
}

static const double *row_of(const run_controls *c, int row)
{
    return c->data + (size_t)row * (size_t)width(c);
}

/* Where a row's number that is not finite stands, or -1 */
static int gap_in(const run_controls *c, int row)
{
    for (int i = 0; i < width(c); i++) {
        if (!isfinite(row_of(c, row)[i])) {
            return i;
        }
    }
    return -1;
}

static void check_rows(run_controls *c, sal_diag *diag)
{
    if (c->nrow > 1 && gap_in(c, c->nrow - 1) >= (c->timed ? 1 : 0)) {
        c->nrow--;
    }
    if (c->nrow == 0) {
        sal_diag_error(diag, (sal_place){&c->csv.source, 0, 1}, NULL, "the table has no rows");
    }
    for (int r = 0; r < c->nrow; r++) {
        const int gap = gap_in(c, r);
        if (gap >= 0) {
            sal_diag_error(diag, c->place[r], NULL,
                           "the value in column '%.80s' is not a finite number",
                           c->csv.column[c->pick[gap]].name);
            return;
        }
        if (c->timed && r > 0 && !(row_of(c, r)[0] > row_of(c, r - 1)[0])) {
            sal_diag_error(diag, c->place[r], NULL,
                           "times must increase: %.9g s comes after %.9g s", row_of(c, r)[0],
                           row_of(c, r - 1)[0]);
            return;
        }
    }
}

sal_status run_controls_read(run_controls *c, const sal_model *m, const char *path, bool linear,
                             sal_diag *diag, sal_err *err)
{
    *c = (run_controls){.linear = linear};
    sal_status status = sig_csv_open(&c->csv, path, diag, err);
    if (status != SAL_OK) {
        return status;
    }
    c->pick = sal_alloc((size_t)m->nu + 1, sizeof *c->pick);
    c->actuator = sal_alloc((size_t)m->nu + 1, sizeof *c->actuator);
    if (c->pick == NULL || c->actuator == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the columns of a table");
    }
    choose_columns(c, m, diag);
    status = sal_diag_status(diag, err);
    if (status == SAL_OK) {
        status = sig_csv_read(&c->csv, c->pick, width(c), &c->data, &c->place, &c->nrow, diag, err);
    }
    if (status == SAL_OK) {
        check_rows(c, diag);
        status = sal_diag_status(diag, err);
    }
    return status;
}

void run_controls_clear(run_controls *c)
{
    sal_free(c->pick);
    sal_free(c->actuator);
    sal_free(c->data);
    sal_free(c->place);
    sig_csv_clear(&c->csv);
    *c = (run_controls){0};
}

/* ---- in time ---- */

double run_controls_length(const run_controls *c, const sal_model *m, double begin)
{
    return c->timed ? row_of(c, c->nrow - 1)[0] - begin : c->nrow * m->opt.timestep;
}

/* The last row whose time is not after t, or 0; times are as exact as a step's share of 1e-6 */
static int row_at(const run_controls *c, double t)
{
    int low = 0, high = c->nrow;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row_of(c, middle)[0] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void run_controls_at(const run_controls *c, const sal_model *m, double *ctrl, int k, double time)
{
    const int skip = c->timed ? 1 : 0, last = c->nrow - 1;
    const double t = time + 1e-6 * m->opt.timestep;
    const int row = c->timed ? row_at(c, t) : k < last ? k : last;
    const double *u = row_of(c, row), *next = row_of(c, row < last ? row + 1 : last);
    double share = 0;
    if (c->linear && c->timed && row < last && time > u[0]) {
        share = (time - u[0]) / (next[0] - u[0]);
    }
    for (int i = 0; i < c->ncol; i++) {
        const double u0 = u[i + skip];
        ctrl[c->actuator[i]] = share > 0 ? u0 + share * (next[i + skip] - u0) : u0;
    }
}
