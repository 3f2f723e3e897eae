/* target.c: what a quantity shall be: a constant, or a table over time, in the file or beside it.
 * Between two rows it is interpolated,
 *
 *     target(t) = a_k + (a_{k+1} - a_k) (t - t_k)/(t_{k+1} - t_k),   t_k <= t < t_{k+1}
 *
 * outside it is the nearest row's; t runs through the duration as given.
 */
#include "problems/language/reader.h"
#include "signals/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows of numbers, each with its time: time[n], value [n x dim]. */
typedef struct table {
    int n;
    const double *time, *value;
    int stride; /* from one time to the next, and from one row to the next */
} table;

static double table_at(const table *t, int column, double time)
{
    int k = 0;
    while (k + 1 < t->n && t->time[(k + 1) * t->stride] <= time) {
        k++;
    }
    const double t0 = t->time[k * t->stride], a0 = t->value[k * t->stride + column];
    if (k + 1 == t->n || time <= t0) {
        return a0;
    }
    const double t1 = t->time[(k + 1) * t->stride], a1 = t->value[(k + 1) * t->stride + column];
    return a0 + (a1 - a0) * (time - t0) / (t1 - t0);
}

/* f->target [(nstep + 1) x dim] */
static void tabulate(prb_reader *r, prb_feature *f, const table *t)
{
    const sal_problem *p = r->p;
    f->tabulated = true;
    f->target = prb_reader_alloc(r, (size_t)(p->nstep + 1) * (size_t)f->dim, sizeof *f->target);
    for (int k = 0; k <= p->nstep && f->target != NULL; k++) {
        for (int i = 0; i < f->dim; i++) {
            f->target[k * f->dim + i] = table_at(t, i, k * p->duration / p->nstep);
        }
    }
}

/* ---- numbers in the file ---- */

static bool ascends(const double *time, int n)
{
    for (int k = 1; k < n; k++) {
        if (!(time[k] > time[k - 1])) {
            return false;
        }
    }
    return true;
}

static void read_rows(prb_reader *r, const sal_xml *element, prb_feature *f,
                      const sal_xml_attr *times)
{
    const char *tag = element->tag;
    const int n = prb_grammar_reals(tag, element, "times", NULL, 0);
    const int given = prb_grammar_reals(tag, element, "target", NULL, 0);
    if (n < 1 || given != n * f->dim) {
        sal_diag_error(r->diag, prb_reader_place(element, "target"),
                       "target needs one row of numbers for each of the times",
                       "target has %d numbers; %d times with %d numbers each need %d", given, n,
                       f->dim, n * f->dim);
        return;
    }
    const int width = f->dim + 1;
    double *value = prb_reader_alloc(r, (size_t)given, sizeof *value);
    double *rows = prb_reader_alloc(r, (size_t)n * (size_t)width, sizeof *rows);
    double *time = prb_reader_alloc(r, (size_t)n, sizeof *time);
    if (value != NULL && rows != NULL && time != NULL) {
        prb_grammar_reals(tag, element, "times", time, n);
        prb_grammar_reals(tag, element, "target", value, given);
        for (int k = 0; k < n; k++) {
            rows[k * width] = time[k];
            memcpy(rows + k * width + 1, value + k * f->dim, (size_t)f->dim * sizeof *rows);
        }
        const table t = {n, rows, rows + 1, width};
        if (!ascends(time, n)) {
            sal_diag_error(r->diag, times->value_place, NULL, "times must increase");
        } else {
            tabulate(r, f, &t);
        }
    }
    sal_free(value);
    sal_free(rows);
    sal_free(time);
}

static void read_constant(prb_reader *r, const sal_xml *element, prb_feature *f,
                          const sal_xml_attr *attr)
{
    const int n = prb_grammar_reals(element->tag, element, "target", NULL, 0);
    if (n != 1 && n != f->dim) {
        sal_diag_error(r->diag, attr->value_place,
                       "give one number for each, or a single number for all",
                       "target has %d numbers; the quantity has %d", n, f->dim);
        return;
    }
    f->target = prb_reader_alloc(r, (size_t)f->dim, sizeof *f->target);
    if (f->target != NULL) {
        prb_grammar_reals(element->tag, element, "target", f->target, n);
        for (int i = n; i < f->dim; i++) {
            f->target[i] = f->target[0];
        }
    }
}

/* ---- a table beside the file ---- */

static int find_column(const sig_csv *csv, const char *name)
{
    for (int i = 0; i < csv->ncol; i++) {
        if (strcmp(csv->column[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void no_column(prb_reader *r, const sig_csv *csv, sal_place place, const char *name)
{
    const char **names = prb_reader_alloc(r, (size_t)csv->ncol, sizeof *names);
    char help[200] = "";
    for (int i = 0; i < csv->ncol && names != NULL; i++) {
        names[i] = csv->column[i].name;
    }
    const char *nearest = names == NULL ? NULL : sal_text_nearest(name, names, (size_t)csv->ncol);
    if (nearest != NULL) {
        snprintf(help, sizeof help, "did you mean '%.100s'?", nearest);
    }
    sal_diag_error(r->diag, place, help[0] == 0 ? NULL : help, "the table has no column '%.80s'",
                   name);
    sal_free(names);
}

/* pick[0] the time, then the target's; false after an error */
static bool pick_columns(prb_reader *r, const sal_xml *element, const sig_csv *csv, int *pick,
                         int dim)
{
    const sal_xml_attr *columns = sal_xml_find_attr(element, "columns");
    const sal_place place = prb_reader_place(element, columns == NULL ? "file" : "columns");
    int n = 0;
    bool known = true;
    pick[0] = find_column(csv, "time");
    if (pick[0] < 0) {
        no_column(r, csv, prb_reader_place(element, "file"), "time");
        return false;
    }
    if (columns != NULL) {
        prb_word word = {.attr = columns};
        for (; prb_reader_word(r, &word); n++) {
            const int column = find_column(csv, word.text);
            if (column < 0) {
                no_column(r, csv, word.place, word.text);
                known = false;
            }
            pick[1 + (n < dim ? n : 0)] = column;
        }
    } else {
        for (int i = 0; i < csv->ncol; i++) {
            if (i != pick[0]) {
                pick[1 + (n < dim ? n : 0)] = i;
                n++;
            }
        }
    }
    if (n != dim) {
        sal_diag_error(r->diag, place,
                       columns == NULL ? "name the columns of the target: columns=\"..\"" : NULL,
                       "%d columns are given as the target; the quantity has %d numbers", n, dim);
    }
    return known && n == dim;
}

/* Rows whose times ascend and whose numbers are finite. */
static bool check_rows(prb_reader *r, const double *data, const sal_place *rows, int nrow,
                       int width)
{
    if (nrow == 0) {
        sal_diag_error(r->diag, rows == NULL ? (sal_place){0} : rows[0], NULL,
                       "the table has no rows");
        return false;
    }
    for (int k = 0; k < nrow; k++) {
        for (int i = 0; i < width; i++) {
            if (!isfinite(data[k * width + i])) {
                sal_diag_error(r->diag, rows[k], NULL, "a target must be a finite number");
                return false;
            }
        }
        if (k > 0 && !(data[k * width] > data[(k - 1) * width])) {
            sal_diag_error(r->diag, rows[k], NULL, "times must increase: %g comes after %g",
                           data[k * width], data[(k - 1) * width]);
            return false;
        }
    }
    return true;
}

static void read_table(prb_reader *r, const sal_xml *element, prb_feature *f,
                       const sal_xml_attr *attr)
{
    sig_csv csv = {0};
    sal_err why = {0};
    double *data = NULL;
    sal_place *rows = NULL;
    int nrow = 0;
    char *path = prb_reader_file(r, element, attr->name);
    int *pick = prb_reader_alloc(r, (size_t)f->dim + 1, sizeof *pick);
    if (path == NULL || pick == NULL) {
        goto done;
    }
    const sal_status status = sig_csv_open(&csv, path, r->diag, &why);
    if (status == SAL_BADPATH) {
        sal_diag_error(r->diag, attr->value_place,
                       attr->value[0] == '/' ? NULL : "the path is relative to the problem file",
                       "%s", why.message);
    }
    if (status != SAL_OK || !pick_columns(r, element, &csv, pick, f->dim)) {
        goto done;
    }
    if (sig_csv_read(&csv, pick, f->dim + 1, &data, &rows, &nrow, r->diag, &why) == SAL_OK &&
        check_rows(r, data, rows, nrow, f->dim + 1)) {
        const table t = {nrow, data, data + 1, f->dim + 1};
        tabulate(r, f, &t);
    }
done:
    sal_free(data);
    sal_free(rows);
    sal_free(pick);
    sal_free(path);
    sig_csv_clear(&csv);
}

void prb_read_target(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const sal_xml_attr *target = sal_xml_find_attr(element, "target"),
                       *times = sal_xml_find_attr(element, "times"),
                       *file = sal_xml_find_attr(element, "file"),
                       *columns = sal_xml_find_attr(element, "columns");
    if (columns != NULL && file == NULL) {
        sal_diag_error(r->diag, columns->name_place, "add the table: file=\"..\"",
                       "'columns' without 'file'");
    }
    if (file != NULL && (target != NULL || times != NULL)) {
        sal_diag_error(r->diag, file->name_place, "remove one of the two",
                       "the target is given twice, by 'file' and by '%s'",
                       target != NULL ? "target" : "times");
        return;
    }
    if (times != NULL && target == NULL) {
        sal_diag_error(r->diag, times->name_place,
                       "add target=\"..\", with one row of numbers for each time",
                       "'times' without 'target'");
        return;
    }
    if (f->dim == 0) {
        return;
    }
    if (file != NULL) {
        read_table(r, element, f, file);
    } else if (times != NULL) {
        read_rows(r, element, f, times);
    } else if (target != NULL) {
        read_constant(r, element, f, target);
    }
}
