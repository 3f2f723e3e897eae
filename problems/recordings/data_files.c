/* data_files.c: which files a <data> is about: those that patterns name, in the order of the
 * patterns and by their names, or those of the rows of an index table. */
#include "problems/recordings/data_read.h"
#include "signals/cell.h"
#include "signals/condition.h"

#include <fnmatch.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the list ---- */

/* A recording that is there twice would count twice. */
static void check_twice(prb_reader *r, const prb_data_files *files, const prb_data_file *file)
{
    for (int i = 0; i < files->n; i++) {
        const prb_data_file *other = files->file + i;
        if (strcmp(other->path, file->path) == 0 && other->start < file->stop &&
            file->start < other->stop) {
            sal_diag_error(r->diag, file->place, "leave it out by skip=",
                           "'%.300s' is named twice and would be used twice", file->path);
            return;
        }
    }
}

static bool add(prb_reader *r, prb_data_files *files, const prb_data_file *file)
{
    check_twice(r, files, file);
    prb_data_file *longer = sal_list_grow(files->file, files->n, &files->capacity, sizeof *longer);
    if (longer == NULL) {
        r->nomem = true;
        return false;
    }
    files->file = longer;
    files->file[files->n++] = *file;
    return true;
}

void prb_data_files_clear(prb_data_files *files)
{
    for (int i = 0; i < files->n; i++) {
        sal_free(files->file[i].path);
        sal_free(files->file[i].also);
        sal_free(files->file[i].cluster);
    }
    sal_free(files->file);
    sal_free(files->index.path);
    sal_free(files->index.data);
}

/* The stem of a path matches one of the words of `skip`. */
static bool is_skipped(const sal_xml *element, const char *path)
{
    const sal_xml_attr *a = sal_xml_find_attr(element, "skip");
    const char *slash = strrchr(path, '/');
    char stem[PRB_WORD_MAX], word[PRB_WORD_MAX];
    snprintf(stem, sizeof stem, "%s", slash == NULL ? path : slash + 1);
    char *dot = strrchr(stem, '.');
    for (const char *at = a == NULL ? "" : a->value; *at != 0;) {
        const size_t blank = strspn(at, " \t\n\r"), n = strcspn(at + blank, " \t\n\r");
        snprintf(word, sizeof word, "%.*s", (int)n, at + blank);
        at += blank + n;
        const bool whole = fnmatch(word, stem, 0) == 0;
        if (dot != NULL) {
            *dot = 0;
        }
        const bool is = whole || fnmatch(word, stem, 0) == 0;
        if (dot != NULL) {
            *dot = '.';
        }
        if (n > 0 && is) {
            return true;
        }
    }
    return false;
}

/* ---- patterns ---- */

/* Not a setting of the command line */
static bool stands_in_file(const prb_reader *r, const sal_xml_attr *a)
{
    return a->value_place.source == r->file;
}

static char *beside(prb_reader *r, const sal_xml_attr *a, const char *file)
{
    return stands_in_file(r, a) ? prb_reader_beside(r, r->p->path, file) : prb_reader_copy(r, file);
}

/* The files that a pattern names; a path without signs of a pattern is one file, whether it exists
 * or not. */
static void find_pattern(prb_reader *r, const sal_xml *element, const prb_word *word,
                         prb_data_files *files)
{
    glob_t found = {0};
    char *path = beside(r, word->attr, word->text);
    const int how = path == NULL ? GLOB_NOSPACE : glob(path, 0, NULL, &found);
    if (how == GLOB_NOSPACE) {
        r->nomem = true;
    } else if (how != 0 && strpbrk(word->text, "*?[") == NULL) {
        add(r, files,
            &(prb_data_file){path, NULL, NULL, -(double)INFINITY, (double)INFINITY, word->place});
        return;
    } else if (how != 0) {
        sal_diag_error(r->diag, word->place,
                       stands_in_file(r, word->attr)
                           ? "the pattern is relative to the folder of the problem file"
                           : "what --set says is relative to the current folder, not to that of "
                             "the problem file",
                       "no file matches '%.300s', so there are no recordings", path);
    }
    for (size_t i = 0; i < found.gl_pathc && how == 0; i++) {
        prb_data_file file = {NULL, NULL, NULL, -(double)INFINITY, (double)INFINITY, word->place};
        if (!is_skipped(element, found.gl_pathv[i])) {
            file.path = prb_reader_copy(r, found.gl_pathv[i]);
            if (file.path == NULL || !add(r, files, &file)) {
                sal_free(file.path);
                break;
            }
        }
    }
    globfree(&found);
    sal_free(path);
}

/* ---- index tables ---- */

enum { COLUMNS = 256 };

typedef struct table { /* one row at a time */
    const sal_source *source;
    int ncol, nrow;
    char *name[COLUMNS], *cell[COLUMNS];
    sal_place place[COLUMNS];
    int file, also, cluster, start, stop; /* columns, -1: none */
} table;

/* The cells of a row into words; returns how many there are. */
static int read_cells(prb_reader *r, const sal_source *s, size_t *at, char **word, sal_place *place)
{
    int n = 0;
    sig_cell c = {0};
    for (; !c.last; n++) {
        c = sig_cell_next(s, *at, ',');
        *at = c.next;
        if (n < COLUMNS) {
            sal_free(word[n]);
            word[n] = prb_reader_alloc(r, c.end - c.begin + 1, 1);
            if (word[n] == NULL) {
                return -1;
            }
            memcpy(word[n], s->data + c.begin, c.end - c.begin);
            place[n] = sig_cell_place(s, &c);
            place[n].length += place[n].length == 0;
        }
    }
    return n;
}

static int find_name(const table *t, const char *name)
{
    for (int i = 0; i < t->ncol; i++) {
        if (strcmp(t->name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static sal_value look(void *user, int name)
{
    return sig_value_of(((const table *)user)->cell[name]);
}

/* A time of a row; `otherwise` where the table has none. */
static double time_of(prb_reader *r, const table *t, int column, double otherwise)
{
    const char *end = NULL;
    double value = otherwise;
    if (column < 0 || t->cell[column][0] == 0) {
        return otherwise;
    }
    if (!sal_text_number(t->cell[column], &end, &value) || *end != 0) {
        sal_diag_error(r->diag, t->place[column], NULL, "'%.60s' is not a time in s",
                       t->cell[column]);
        return otherwise;
    }
    return value;
}

static void add_row(prb_reader *r, const sal_xml *element, const table *t, prb_data_files *files)
{
    prb_data_file file = {.path = prb_reader_beside(r, t->source->path, t->cell[t->file]),
                          .start = time_of(r, t, t->start, -(double)INFINITY),
                          .stop = time_of(r, t, t->stop, (double)INFINITY),
                          .place = t->place[t->file]};
    if (t->cell[t->file][0] == 0) {
        sal_diag_error(r->diag, file.place, NULL, "this row names no file");
    }
    if (file.start >= file.stop) {
        sal_diag_error(r->diag, t->place[t->start], NULL, "start %g s is not before stop %g s",
                       file.start, file.stop);
    }
    if (file.path != NULL && !is_skipped(element, file.path)) {
        if (t->cluster >= 0 && t->cell[t->cluster][0] != 0) {
            file.cluster = prb_reader_copy(r, t->cell[t->cluster]);
        }
        if (t->also >= 0 && t->cell[t->also][0] != 0) {
            file.also = prb_reader_beside(r, t->source->path, t->cell[t->also]);
        }
        if (add(r, files, &file)) {
            return;
        }
    }
    sal_free(file.path);
    sal_free(file.also);
    sal_free(file.cluster);
}

/* Which columns say what; false after an error. */
static bool choose(prb_reader *r, const sal_xml *element, table *t)
{
    char help[300];
    const sal_xml_attr *cluster = sal_xml_find_attr(element, "cluster");
    const bool named = cluster != NULL && strcmp(cluster->value, "file") != 0;
    t->file = find_name(t, "file");
    t->also = find_name(t, "also");
    t->start = find_name(t, "start");
    t->stop = find_name(t, "stop");
    t->cluster = named ? find_name(t, cluster->value) : -1;
    if (named && t->cluster < 0) {
        sig_name_help(help, sizeof help, cluster->value, (const char *const *)t->name, t->ncol);
        sal_diag_error(r->diag, cluster->value_place, help,
                       "the index table has no column '%.100s'", cluster->value);
        return false;
    }
    if (t->file < 0) {
        sal_diag_error(r->diag, t->place[0],
                       "this column must name a file in each row, relative to the table",
                       "the index table has no column 'file'");
    }
    return t->file >= 0;
}

/* All rows that `where` admits. */
static void read_rows(prb_reader *r, const sal_xml *element, table *t, size_t at,
                      prb_data_files *files)
{
    sal_err err;
    sal_diag own = {0};
    sig_condition *where = NULL;
    const sal_xml_attr *a = sal_xml_find_attr(element, "where");
    const sal_status status =
        a == NULL ? SAL_OK
                  : sig_condition_parse(&where, a->value, a->value_place,
                                        (const char *const *)t->name, t->ncol, &own, &err);
    sal_diag_join(r->diag, &own);
    r->nomem = r->nomem || status == SAL_NOMEM;
    while (status == SAL_OK && !r->nomem && sig_cell_find_row(t->source, &at)) {
        const size_t begin = at;
        const int n = read_cells(r, t->source, &at, t->cell, t->place);
        t->nrow++;
        if (n < 0) {
            break;
        }
        if (n != t->ncol) {
            sal_diag_error(r->diag, (sal_place){t->source, begin, 1}, NULL,
                           "this row has %d cells, but the header names %d columns", n, t->ncol);
        } else if (where == NULL || sig_condition_holds(where, look, t)) {
            add_row(r, element, t, files);
        }
    }
    sig_condition_free(where);
}

static void read_index(prb_reader *r, const sal_xml *element, prb_data_files *files)
{
    sal_err err;
    table t = {.source = &files->index};
    sal_source *s = &files->index;
    const sal_place place = prb_reader_place(element, "index");
    const int before = r->diag->nerror;
    s->path = prb_reader_file(r, element, "index");
    if (s->path == NULL) {
        return;
    }
    const sal_status status =
        sal_text_read_file(s->path, (size_t)1 << 28, &s->data, &s->length, &err);
    if (status != SAL_OK) {
        r->nomem = r->nomem || status == SAL_NOMEM;
        sal_diag_error(r->diag, place, "the path is relative to the problem file", "%s",
                       err.message);
        return;
    }
    if (!sal_diag_check_text(r->diag, s)) {
        return;
    }
    size_t at = sig_cell_start(s);
    if (!sig_cell_find_row(s, &at)) {
        sal_diag_error(r->diag, (sal_place){s, 0, 1}, "the first line must name the columns",
                       "the index table is empty");
        return;
    }
    t.ncol = read_cells(r, s, &at, t.name, t.place);
    if (t.ncol > COLUMNS) {
        sal_diag_error(r->diag, t.place[0], NULL,
                       "the index table has %d columns; at most %d are supported", t.ncol, COLUMNS);
    } else if (t.ncol > 0 && choose(r, element, &t)) {
        read_rows(r, element, &t, at, files);
        if (files->n == 0 && r->diag->nerror == before) {
            sal_diag_error(r->diag, place, t.nrow == 0 ? NULL : "check where= and skip=",
                           "none of the %d rows of the index table is selected", t.nrow);
        }
    }
    for (int i = 0; i < COLUMNS; i++) {
        sal_free(t.name[i]);
        sal_free(t.cell[i]);
    }
}

/* ---- files that were recorded along ---- */

/* One for each file, in the same order. */
static void find_also(prb_reader *r, const sal_xml *element, prb_data_files *files)
{
    prb_data_files other = {0};
    const int before = r->diag->nerror;
    const sal_xml_attr *a = sal_xml_find_attr(element, "also");
    if (a == NULL) {
        return;
    }
    for (prb_word word = {.attr = a}; prb_reader_word(r, &word);) {
        find_pattern(r, element, &word, &other);
    }
    if (other.n != files->n && r->diag->nerror == before) {
        sal_diag_error(r->diag, a->value_place,
                       "give one file in also= for each in file=, or name both in an index table",
                       "file= names %d file%s, but also= names %d", files->n,
                       files->n == 1 ? "" : "s", other.n);
    }
    for (int i = 0; i < other.n && other.n == files->n; i++) {
        files->file[i].also = other.file[i].path;
        other.file[i].path = NULL;
    }
    prb_data_files_clear(&other);
}

/* ---- both ---- */

void prb_data_find_files(prb_reader *r, const sal_xml *element, prb_data_files *files)
{
    const sal_xml_attr *a = sal_xml_find_attr(element, "file");
    const bool index = sal_xml_find_attr(element, "index") != NULL;
    static const char *const of_index[] = {"where", "cluster"};
    const int before = r->diag->nerror;
    *files = (prb_data_files){0};
    if ((a != NULL) == index) {
        sal_diag_error(r->diag, index ? a->name_place : element->place,
                       "use file= to name files, or index= to name a table of files",
                       index ? "<data> cannot have both 'file' and 'index'"
                             : "<data> needs 'file' or 'index'");
        return;
    }
    for (int i = 0; i < 2 && !index; i++) {
        const sal_xml_attr *other = sal_xml_find_attr(element, of_index[i]);
        if (other != NULL && strcmp(other->value, "file") != 0) {
            sal_diag_error(r->diag, other->name_place, "it selects by columns of the index table",
                           "'%s' needs 'index'", of_index[i]);
        }
    }
    if (index && sal_xml_find_attr(element, "also") != NULL) {
        sal_diag_error(r->diag, prb_reader_place(element, "also"), NULL,
                       "an index table names these files in its column 'also'");
        return;
    }
    if (index) {
        read_index(r, element, files);
        return;
    }
    for (prb_word word = {.attr = a}; prb_reader_word(r, &word);) {
        find_pattern(r, element, &word, files);
    }
    if (files->n == 0 && r->diag->nerror == before) {
        sal_diag_error(r->diag, a->value_place, "check skip=", "there are no recordings left");
    }
    find_also(r, element, files);
}
