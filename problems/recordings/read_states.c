/* read_states.c: states from a table or from a result. */
#include "problems/recordings/read_states.h"

#include "problems/result/result.h"

#include <math.h>
#include <string.h>

/* ---- a table ---- */

typedef struct table {
    const sal_model *m;
    sig_csv csv;
    int *pick, npick; /* columns that count; */
    int *number; /* [npick] what they hold: -1 time, a number of qpos, or nq + a number of qvel */
    int nrow;
    double *data; /* [nrow x npick] */
    sal_place *place;
    sal_diag *diag;
} table;

static void take_column(table *t, int i)
{
    const sig_csv_column *column = t->csv.column + i;
    int family = PRB_FAMILY_QPOS, number = -1;
    if (strcmp(column->name, "time") != 0) {
        number = prb_state_column(t->m, column, &family, t->diag);
        if (number < 0 || family == PRB_FAMILY_QACC) {
            return;
        }
        number += family == PRB_FAMILY_QVEL ? t->m->nq : 0;
    }
    for (int k = 0; k < t->npick; k++) {
        if (t->number[k] == number) {
            sal_diag_error(t->diag, column->place, NULL,
                           "this column gives the same number as column '%.80s'",
                           t->csv.column[t->pick[k]].name);
            return;
        }
    }
    t->pick[t->npick] = i;
    t->number[t->npick++] = number;
}

static bool has(const table *t, int number)
{
    for (int k = 0; k < t->npick; k++) {
        if (t->number[k] == number) {
            return true;
        }
    }
    return false;
}

/* A joint is given whole or not at all. first: its first number; returns 1 if it is given. */
static unsigned char is_given(table *t, prb_column kind, int first, int n)
{
    const int offset = kind == PRB_COL_QVEL ? t->m->nq : 0;
    const sal_place header = {&t->csv.source, t->csv.column[0].place.offset, 1};
    int count = 0, missing = -1;
    for (int i = n - 1; i >= 0; i--) {
        const bool there = has(t, offset + first + i);
        count += there;
        missing = there ? missing : i;
    }
    if (count > 0 && count < n) {
        char name[PRB_COLUMN_NAME];
        prb_column_name(name, t->m, kind, first + missing, "");
        sal_diag_error(t->diag, header, "give all numbers of a joint or none",
                       "column '%s:%s' is missing", kind == PRB_COL_QPOS ? "qpos" : "qvel", name);
    }
    return count == n;
}

static void find_joints(table *t, prb_states *s)
{
    const sal_model *m = t->m;
    bool any = false;
    for (int j = 0; j < m->njnt; j++) {
        const int ndof = sal_joint_ndof(m->jnt_type[j]);
        const int npos = ndof + (m->jnt_type[j] <= SAL_JNT_BALL ? 1 : 0);
        s->pos[j] = is_given(t, PRB_COL_QPOS, m->jnt_qposadr[j], npos);
        s->vel[j] = is_given(t, PRB_COL_QVEL, m->jnt_dofadr[j], ndof);
        any = any || s->pos[j] || s->vel[j];
    }
    if (!any && t->diag->nerror == 0) {
        sal_diag_error(t->diag, (sal_place){&t->csv.source, t->csv.column[0].place.offset, 1},
                       "columns may be time, qpos0.., qvel0.., qpos:JOINT[:k], qvel:JOINT[:k]",
                       "no column of the table is the position of a joint");
    }
}

/* The numbers of a row to their places; the first fault is told. */
static bool take_row(table *t, prb_states *s, int row)
{
    const sal_model *m = t->m;
    const double *from = t->data + (size_t)row * (size_t)t->npick;
    double *qpos = s->qpos + (size_t)row * (size_t)m->nq,
           *qvel = s->qvel + (size_t)row * (size_t)m->nv;
    s->time[row] = row;
    for (int k = 0; k < t->npick; k++) {
        const int number = t->number[k];
        if (!isfinite(from[k])) {
            sal_diag_error(t->diag, t->place[row], NULL,
                           "the value in column '%.80s' is not a finite number",
                           t->csv.column[t->pick[k]].name);
            return false;
        }
        *(number < 0       ? s->time + row
          : number < m->nq ? qpos + number
                           : qvel + number - m->nq) = from[k];
    }
    if (row > 0 && !(s->time[row] > s->time[row - 1])) {
        sal_diag_error(t->diag, t->place[row], NULL,
                       "times must increase: %.9g s comes after %.9g s", s->time[row],
                       s->time[row - 1]);
        return false;
    }
    if (!prb_quaternions_exist(m, qpos)) {
        sal_diag_error(t->diag, t->place[row], "write 1 0 0 0 for no rotation",
                       "this row has a quaternion of length zero");
        return false;
    }
    sal_normalise_pos(m, qpos);
    return true;
}

static sal_status fill(table *t, prb_states *s, const double *pose, sal_err *err)
{
    if (t->nrow == 0) {
        sal_diag_error(t->diag, (sal_place){&t->csv.source, 0, 1}, NULL, "the table has no rows");
        return sal_diag_status(t->diag, err);
    }
    const sal_status status = prb_states_new(s, t->m, t->nrow, pose, err);
    if (status != SAL_OK) {
        return status;
    }
    s->timed = has(t, -1);
    find_joints(t, s);
    for (int row = 0; row < t->nrow && t->diag->nerror == 0; row++) {
        take_row(t, s, row);
    }
    return sal_diag_status(t->diag, err);
}

sal_status prb_states_read(prb_states *s, const sal_model *m, const char *path, const double *pose,
                           sal_diag *diag, sal_err *err)
{
    sal_diag own = {0}; /* whatever else was wrong before */
    table t = {.m = m, .diag = &own};
    *s = (prb_states){0};
    sal_status status = sig_csv_open(&t.csv, path, &own, err);
    if (status == SAL_OK) {
        t.pick = sal_alloc((size_t)t.csv.ncol, sizeof(int));
        t.number = sal_alloc((size_t)t.csv.ncol, sizeof(int));
        status = t.pick == NULL || t.number == NULL
                     ? sal_fail(err, SAL_NOMEM, "out of memory for the columns of a table")
                     : SAL_OK;
    }
    for (int i = 0; i < t.csv.ncol && status == SAL_OK; i++) {
        take_column(&t, i);
    }
    status = status == SAL_OK ? sal_diag_status(&own, err) : status;
    if (status == SAL_OK) {
        status = sig_csv_read(&t.csv, t.pick, t.npick, &t.data, &t.place, &t.nrow, &own, err);
    }
    status = status == SAL_OK ? fill(&t, s, pose, err) : status;
    sal_diag_join(diag, &own);
    sal_free(t.pick);
    sal_free(t.number);
    sal_free(t.data);
    sal_free(t.place);
    sig_csv_clear(&t.csv);
    return status;
}

/* ---- a result ---- */

/* The joint of the result that has the name (unnamed: the place) and the type of joint j of m; -1:
 * none. */
static int partner(const sal_model *m, const sal_model *other, int j)
{
    const char *name = sal_model_name(m, SAL_OBJ_JOINT, j);
    const int k = name[0] != 0 ? sal_model_find(other, SAL_OBJ_JOINT, name) : j;
    const bool there = k >= 0 && k < other->njnt && other->jnt_type[k] == m->jnt_type[j] &&
                       (name[0] != 0 || sal_model_name(other, SAL_OBJ_JOINT, k)[0] == 0);
    return there ? k : -1;
}

/* Row of the result; before its first the one that leads to it, beyond its last that of its
 * image. */
static void take_row_of(const sal_result *r, int row, double *qpos, double *qvel)
{
    const sal_model *m = r->model;
    const int N = r->nstep, own = row > N ? row - N : row < 0 ? 0 : row;
    if (row > N) {
        sal_image_apply(r->image, m, qpos, r->qpos + own * m->nq, prb_result_length(r));
        sal_image_velocity(r->image, m, qvel, r->qvel + own * m->nv);
        return;
    }
    memcpy(qpos, row < 0 ? r->qpos_before : r->qpos + own * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(qvel, r->qvel + own * m->nv, (size_t)m->nv * sizeof(double));
}

/* Row 2 N + 1 of two periods, half cycles, is row 1 again, moved along twice. */
static void take_second_return(const sal_result *r, double *qpos, double *qvel)
{
    const sal_model *m = r->model;
    const double length = 2 * prb_result_length(r);
    memcpy(qvel, r->qvel + m->nv, (size_t)m->nv * sizeof(double));
    for (int i = 0; i < m->nq; i++) {
        qpos[i] = r->qpos[m->nq + i] + r->image->travel[i] * length;
    }
}

static sal_status take_rows(prb_states *s, const sal_model *m, const sal_result *r, int first,
                            const int *partners, sal_err *err)
{
    const sal_model *from = r->model;
    double *qpos = sal_alloc((size_t)from->nq + (size_t)from->nv, sizeof(double));
    if (qpos == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a state");
    }
    double *qvel = qpos + from->nq;
    for (int row = 0; row < s->nrow; row++) {
        if (first + row > 2 * r->nstep) {
            take_second_return(r, qpos, qvel);
        } else {
            take_row_of(r, first + row, qpos, qvel);
        }
        s->time[row] = (first + row) * r->timestep;
        for (int j = 0; j < m->njnt; j++) {
            const int k = partners[j], ndof = sal_joint_ndof(m->jnt_type[j]);
            const int npos = ndof + (m->jnt_type[j] <= SAL_JNT_BALL ? 1 : 0);
            memcpy(s->qpos + row * m->nq + m->jnt_qposadr[j], qpos + from->jnt_qposadr[k],
                   (size_t)npos * sizeof(double));
            memcpy(s->qvel + row * m->nv + m->jnt_dofadr[j], qvel + from->jnt_dofadr[k],
                   (size_t)ndof * sizeof(double));
        }
    }
    sal_free(qpos);
    return SAL_OK;
}

sal_status prb_states_of_result(prb_states *s, const sal_model *m, const sal_result *r, int periods,
                                bool around, sal_err *err)
{
    const int before = around, after = around && r->image != NULL;
    int *partners = sal_alloc((size_t)m->njnt, sizeof *partners);
    *s = (prb_states){0};
    sal_status status =
        partners == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory for a result's joints")
            : prb_states_new(s, m, before + periods * r->nstep + 1 + after, m->qpos0, err);
    for (int j = 0; j < m->njnt && status == SAL_OK; j++) {
        s->pos[j] = s->vel[j] = 1;
        partners[j] = partner(m, r->model, j);
        if (partners[j] < 0) {
            char name[SAL_LABEL_MAX];
            status = sal_fail(err, SAL_BADINPUT,
                              "the result has no joint that matches %s: one of the same type and "
                              "name (if it has none, number)",
                              sal_model_label(m, SAL_OBJ_JOINT, j, name));
        }
    }
    if (status == SAL_OK) {
        s->timed = true;
        s->smooth = around;
        status = take_rows(s, m, r, -before, partners, err);
    }
    sal_free(partners);
    return status;
}
