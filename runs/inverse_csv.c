/* inverse_csv.c: the forces of a recorded motion, or of independent states, from a table.
 *
 *     qpos, qvel, qacc       independent states: the continuous inverse of each row, at the model's
 *                            time step
 *     time, qpos             a motion: v_t = (q_t (-) q_{t-1}) / h, a_t = (v_{t+1} - v_t) / h, the
 *                            discrete inverse; first and last row have no
 *                            neighbour on one side and stay nan
 *
 * A row with nan among its numbers (or, in a motion, beside one) gives nan.
 */
#include "problems/integrator.h"
#include "problems/recordings/read_states.h"
#include "problems/result/result.h"
#include "runs/runs.h"
#include "runs/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QPOS = PRB_FAMILY_QPOS, QVEL = PRB_FAMILY_QVEL, QACC = PRB_FAMILY_QACC };

typedef struct task {
    sal_model *m; /* a copy: its time step may become the table's */
    sal_data *d;
    const sal_inverse_options *options;
    sig_csv csv;
    sal_diag *diag;
    bool motion;
    int time;               /* column, or -1 */
    int *pick, npick;       /* columns in the order of a row: [time] qpos [qvel qacc] */
    int *found;             /* [nq + 2 nv] column of each number, or -1 */
    int given[PRB_NFAMILY]; /* how many columns of a family there are */
    int nrow;
    double *data; /* [nrow x npick] */
    sal_place *place;
    sal_text *out, *contacts;
    int unsolved, first_unsolved; /* rows whose contact model found no exact forces */
    double residual;              /* the largest */
} task;

/* ---- which column is what ---- */

/* The first of a family's numbers in `found`. */
static int family_start(const sal_model *m, int family)
{
    return family == QPOS ? 0 : family == QVEL ? m->nq : m->nq + m->nv;
}

static void take_column(task *t, int i)
{
    const sig_csv_column *column = t->csv.column + i;
    const char *name = column->name;
    int family;
    if (strcmp(name, "time") == 0) {
        if (t->time >= 0) {
            sal_diag_error(t->diag, column->place, NULL, "there are two columns 'time'");
        }
        t->time = i;
        return;
    }
    const int number = prb_state_column(t->m, column, &family, t->diag);
    if (number >= 0) {
        int *slot = t->found + family_start(t->m, family) + number;
        if (*slot >= 0) {
            sal_diag_error(t->diag, column->place, NULL,
                           "this column gives the same number as column '%.80s'",
                           t->csv.column[*slot].name);
        }
        *slot = i;
        t->given[family]++;
    }
}

static void require_family(task *t, int family)
{
    const sal_place header = {&t->csv.source, t->csv.column[0].place.offset, 1};
    const prb_column kind = family == QPOS ? PRB_COL_QPOS : PRB_COL_QVEL;
    for (int i = 0; i < prb_family_size(t->m, family); i++) {
        const int column = t->found[family_start(t->m, family) + i];
        if (column < 0) {
            char name[PRB_COLUMN_NAME];
            prb_column_name(name, t->m, kind, i, "");
            sal_diag_error(t->diag, header, NULL, "column '%s%d' (or '%s:%s') is missing",
                           prb_family_name[family], i, prb_family_name[family], name);
        } else {
            t->pick[t->npick++] = column;
        }
    }
}

static void choose_columns(task *t)
{
    const sal_place header = {&t->csv.source, t->csv.column[0].place.offset, 1};
    for (int i = 0; i < t->csv.ncol; i++) {
        take_column(t, i);
    }
    t->motion = t->given[QVEL] == 0 && t->given[QACC] == 0;
    if (!t->motion || t->time >= 0) {
        if (t->motion) {
            t->pick[t->npick++] = t->time;
        }
        require_family(t, QPOS);
        if (!t->motion) {
            require_family(t, QVEL);
            require_family(t, QACC);
        }
    } else {
        sal_diag_error(
            t->diag, header,
            "a motion needs the columns time and qpos; independent states need qpos, qvel and qacc",
            "the table has no column 'time' and no columns of qvel and qacc");
    }
}

/* ---- time ---- */

static double *row_of(const task *t, int row)
{
    return t->data + (size_t)row * (size_t)t->npick;
}

static void check_integrator(task *t)
{
    char why[300];
    if (!prb_integrator_is_invertible(t->m, why)) {
        sal_diag_error(t->diag, (sal_place){&t->csv.source, t->csv.column[0].place.offset, 1},
                       "use --set option/integrator=Euler, or give independent states, with "
                       "columns of qvel and qacc",
                       "%s", why);
    }
}

static void say_what_is_left_out(const task *t)
{
    const char *left_out = prb_left_out_of_inverse(t->m);
    if (left_out != NULL) {
        sal_diag_warning(t->diag, (sal_place){0}, "use --set option/noslip_iterations=0", "%s",
                         left_out);
    }
}

/* h from the first and last time; every row must lie within a hundredth of it from its place on the
 * uniform grid. */
static void find_step(task *t)
{
    const int n = t->nrow;
    if (n < 3) {
        sal_diag_error(t->diag, (sal_place){&t->csv.source, 0, 1}, NULL,
                       "a motion needs at least 3 rows; there %s %d", n == 1 ? "is" : "are", n);
        return;
    }
    const double first = row_of(t, 0)[0], h = (row_of(t, n - 1)[0] - first) / (n - 1);
    if (!(h > 0) || !isfinite(h)) {
        sal_diag_error(t->diag, t->place[n - 1], NULL,
                       "the last time must be greater than the first");
        return;
    }
    for (int i = 0; i < n; i++) {
        const double time = row_of(t, i)[0];
        if (!(fabs(time - (first + i * h)) <= 0.01 * h)) {
            sal_diag_error(t->diag, t->place[i], "resample the motion at equal intervals",
                           "times are not evenly spaced: this row has %.9g s, but with steps of "
                           "%.9g s it should have %.9g s",
                           time, h, first + i * h);
            return;
        }
    }
    if (fabs(h - t->m->opt.timestep) > 1e-9 * h) { /* else: the model's own, to the last digit */
        t->m->opt.timestep = h;
    }
}

/* ---- rows ---- */

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool row_is_complete(const task *t, int row)
{
    return row >= 0 && row < t->nrow && all_finite(row_of(t, row), t->npick);
}

/* Contact models whose forces come from a solver in this direction, too */
static void watch_solver(task *t, int row)
{
    if (!sal_contact_model_is_invertible(t->m->opt.contact.model) && t->d->nefc > 0 &&
        !t->d->solver_converged) {
        t->first_unsolved = t->unsolved == 0 ? row : t->first_unsolved;
        t->unsolved++;
        t->residual = fmax(t->residual, t->d->solver_gradient);
    }
}

/* The inverse of one row, if it has all it needs; false: it has not. */
static bool invert_row(task *t, int row, double *window, sal_status *status, sal_err *err)
{
    const sal_model *m = t->m;
    sal_data *d = t->d;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    for (int k = t->motion ? -1 : 0; k <= (t->motion ? 1 : 0); k++) {
        if (!row_is_complete(t, row + k)) {
            return false;
        }
        double *q = window + (size_t)(k + 1) * nq;
        memcpy(q, row_of(t, row + k) + (t->motion ? 1 : 0), nq * sizeof(double));
        sal_normalise_pos(m, q);
    }
    if (t->motion) {
        *status = sal_motion_step(m, d, window, err);
    } else {
        memcpy(d->qpos, window + nq, nq * sizeof(double));
        memcpy(d->qvel, row_of(t, row) + nq, nv * sizeof(double));
        memcpy(d->qacc, row_of(t, row) + nq + nv, nv * sizeof(double));
        *status = sal_inverse(m, d, err);
    }
    if (*status == SAL_OK && !all_finite(d->qfrc_inverse, m->nv)) {
        *status = sal_fail(err, SAL_DIVERGED, "the forces of this row are not finite");
    }
    if (*status == SAL_OK) {
        watch_solver(t, row);
    }
    return true;
}

static void add_numbers(sal_text *out, const double *x, int n, bool known)
{
    for (int i = 0; i < n; i++) {
        sal_text_add(out, i > 0 ? "," : "");
        sal_text_real(out, known ? x[i] : (double)NAN, 17);
    }
}

static void write_header(const task *t)
{
    static const char *const names[] = {"qfrc_inverse", "qfrc_passive", "qfrc_constraint",
                                        "qfrc_bias"};
    for (int b = 0; b < (t->options->full ? 4 : 1); b++) {
        for (int i = 0; i < t->m->nv; i++) {
            sal_text_format(t->out, "%s%s%d", b + i > 0 ? "," : "", names[b], i);
        }
    }
    sal_text_add(t->out, "\n");
    if (t->contacts != NULL) {
        sal_text_add(t->contacts,
                     "row,geom1,geom2,dist,pos0,pos1,pos2,frame0,frame1,frame2,frame3,frame4,"
                     "frame5,frame6,frame7,frame8,force0,force1,force2,force3,force4,force5\n");
    }
}

static void write_row(const task *t, bool known)
{
    const sal_data *d = t->d;
    const double *const blocks[] = {d->qfrc_inverse, d->qfrc_passive, d->qfrc_constraint,
                                    d->qfrc_bias};
    for (int b = 0; b < (t->options->full ? 4 : 1); b++) {
        sal_text_add(t->out, b > 0 ? "," : "");
        add_numbers(t->out, blocks[b], t->m->nv, known);
    }
    sal_text_add(t->out, "\n");
}

static void write_contacts(const task *t, int row)
{
    for (int i = 0; i < t->d->ncon; i++) {
        const sal_contact *c = t->d->contact + i;
        double force[6];
        sal_contact_force(t->m, t->d, i, force);
        sal_text_format(t->contacts, "%d,%d,%d,", row, c->geom1, c->geom2);
        add_numbers(t->contacts, &c->dist, 1, true);
        sal_text_add(t->contacts, ",");
        add_numbers(t->contacts, c->pos, 3, true);
        sal_text_add(t->contacts, ",");
        add_numbers(t->contacts, c->frame, 9, true);
        sal_text_add(t->contacts, ",");
        add_numbers(t->contacts, force, 6, true);
        sal_text_add(t->contacts, "\n");
    }
}

/* The farthest turn of a motion, if it is far */
static void warn_of_turn(const task *t, double turn, int joint, int row)
{
    static const double FAR = 0.5; /* rad */
    if (turn > FAR) {
        char name[SAL_LABEL_MAX];
        sal_diag_warning(t->diag, t->place[row],
                         "give the motion at smaller time steps, interpolated if need be",
                         "%s turns by %.3g rad from the row before to this "
                         "one; more than %g rad in a step makes velocities and forces inexact",
                         sal_model_label(t->m, SAL_OBJ_JOINT, joint, name), turn, FAR);
    }
}

static void warn_of_solver(const task *t)
{
    if (t->unsolved > 0) {
        sal_diag_warning(t->diag, t->place[t->first_unsolved],
                         "give the motion at smaller time steps, or use another contact model",
                         "the contact model %s found no exact forces in %d of %d rows, here first: "
                         "its conditions are met to %.2g of the velocities of contacts",
                         sal_contact_model_name(t->m->opt.contact.model), t->unsolved, t->nrow,
                         t->residual);
    }
}

static sal_status invert_rows(task *t, sal_err *err)
{
    double *window = sal_alloc(3 * (size_t)t->m->nq, sizeof(double)), farthest = 0;
    int far_joint = -1, far_row = 0;
    if (window == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a configuration");
    }
    write_header(t);
    for (int row = 0; row < t->nrow; row++) {
        sal_status status = SAL_OK;
        sal_err why = {0};
        const bool known = invert_row(t, row, window, &status, &why);
        if (status != SAL_OK) {
            sal_diag_error(t->diag, t->place[row], NULL, "%s", why.message);
        }
        if (known && t->motion) {
            int joint;
            const double turn = run_turn(t->m, t->d->qvel, &joint);
            if (turn > farthest) {
                farthest = turn, far_joint = joint, far_row = row;
            }
        }
        write_row(t, known && status == SAL_OK);
        if (known && status == SAL_OK && t->contacts != NULL) {
            write_contacts(t, row);
        }
    }
    sal_free(window);
    warn_of_turn(t, farthest, far_joint, far_row);
    warn_of_solver(t);
    if (t->out->failed || (t->contacts != NULL && t->contacts->failed)) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the forces of %d rows", t->nrow);
    }
    return sal_diag_status(t->diag, err);
}

/* ---- the whole ---- */

static sal_status prepare(task *t, const sal_model *m, const char *path, sal_err *err)
{
    const size_t n = (size_t)m->nq + 2 * (size_t)m->nv;
    sal_status status = sal_model_copy(&t->m, m, err);
    status = status == SAL_OK ? sal_data_new(&t->d, m, err) : status;
    t->time = -1;
    t->found = sal_alloc(n, sizeof(int));
    t->pick = sal_alloc(n + 1, sizeof(int));
    if (t->found == NULL || t->pick == NULL) {
        return status != SAL_OK
                   ? status
                   : sal_fail(err, SAL_NOMEM, "out of memory for the columns of a table");
    }
    for (size_t i = 0; i < n; i++) {
        t->found[i] = -1;
    }
    status = status == SAL_OK ? sig_csv_open(&t->csv, path, t->diag, err) : status;
    if (status == SAL_OK) {
        choose_columns(t);
        status = sal_diag_status(t->diag, err);
    }
    return status;
}

sal_status sal_inverse_csv(const sal_model *m, const char *path, const sal_inverse_options *options,
                           sal_text *out, sal_text *contacts, sal_diag *diag, sal_err *err)
{
    static const sal_inverse_options plain = {0};
    sal_diag own = {0};
    task t = {.options = options == NULL ? &plain : options,
              .out = out,
              .contacts = contacts,
              .diag = diag == NULL ? &own : diag};
    sal_status status = prepare(&t, m, path, err);
    if (status == SAL_OK) {
        status = sig_csv_read(&t.csv, t.pick, t.npick, &t.data, &t.place, &t.nrow, t.diag, err);
    }
    if (status == SAL_OK) {
        say_what_is_left_out(&t);
    }
    if (status == SAL_OK && t.motion) {
        check_integrator(&t);
        find_step(&t);
        status = sal_diag_status(t.diag, err);
    }
    status = status == SAL_OK ? invert_rows(&t, err) : status;
    sal_free(t.data);
    sal_free(t.place);
    sal_free(t.pick);
    sal_free(t.found);
    sig_csv_clear(&t.csv);
    sal_data_free(t.d);
    sal_model_free(t.m);
    sal_diag_clear(&own);
    return status;
}
