/* view.c: what is in the folder of a sweep: its plan, and the records of the cells that are done. A
 * run may be adding to it. */
#include "sweeps/folder.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t PLAN_MOST = (size_t)1 << 36;
static const char head[] = "# saltus plan 1\ncell\tpoint\tbefore\trepeat";

void sal_sweep_view_free(sal_sweep_view *v)
{
    if (v == NULL) {
        return;
    }
    for (int c = 0; c < v->ncell && v->record != NULL; c++) {
        swp_record_clear(&v->record[c]);
    }
    for (int i = 0; i < v->ncolumn; i++) {
        sal_free(v->column[i].name);
        sal_free(v->column[i].figure);
    }
    sal_free(v->folder);
    sal_free(v->name);
    sal_free(v->axis);
    sal_free(v->column);
    sal_free(v->hash);
    sal_free(v->value);
    sal_free(v->point);
    sal_free(v->repeat);
    sal_free(v->record);
    sal_free(v->motion);
    sal_free(v->text);
    sal_free(v);
}

/* ---- the plan ---- */

static int count(const char *text, char c)
{
    int n = 0;
    for (const char *s = text; (s = strchr(s, c)) != NULL; s++) {
        n++;
    }
    return n;
}

static sal_status damaged(const sal_sweep_view *v, int line, sal_err *err)
{
    return sal_fail(err, SAL_BADINPUT,
                    "line %d of '%.300s/plan.tsv' is damaged; saltus sweep writes it anew", line,
                    v->folder);
}

/* The field that begins at *at, which ends where the next begins, or the line. */
static char *field(char **at)
{
    char *begin = *at, *end = begin + strcspn(begin, "\t");
    *at = end + (*end != 0);
    *end = 0;
    return begin;
}

/* A line "hash point before repeat value.." */
static bool read_line(sal_sweep_view *v, int c, char *line)
{
    if (count(line, '\t') != 3 + v->naxis) {
        return false;
    }
    const char *hash = field(&line), *point = field(&line);
    field(&line);
    const char *repeat = field(&line);
    if (strlen(hash) != SAL_HASH_SIZE - 1 ||
        strspn(hash, "0123456789abcdef") != SAL_HASH_SIZE - 1) {
        return false;
    }
    memcpy(v->hash[c], hash, SAL_HASH_SIZE);
    v->point[c] = sal_text_whole(point);
    v->repeat[c] = sal_text_whole(repeat);
    v->nrepeat = v->repeat[c] >= v->nrepeat ? v->repeat[c] + 1 : v->nrepeat;
    for (int a = 0; a < v->naxis; a++) {
        v->value[c * v->naxis + a] = field(&line);
    }
    return v->point[c] >= 0 && v->repeat[c] >= 0;
}

/* The next line of the text, which ends there from now on; NULL: no whole one is left. */
static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (end == NULL) {
        return NULL;
    }
    *end = 0;
    *text = end + 1;
    return line;
}

static sal_status read_plan(sal_sweep_view *v, sal_err *err)
{
    const int lines = count(v->text, '\n') - 2;
    char *text = v->text + sizeof head - 1, *titles = next_line(&text);
    if (strncmp(v->text, head, sizeof head - 1) != 0 || titles == NULL || lines < 0) {
        return damaged(v, 1, err);
    }
    const size_t n = (size_t)lines, naxis = (size_t)count(titles, '\t');
    v->naxis = (int)naxis;
    v->axis = sal_alloc(naxis, sizeof(char *));
    v->hash = sal_alloc(n, sizeof *v->hash);
    v->value = sal_alloc(n * naxis, sizeof(char *));
    v->point = sal_alloc(n, sizeof(int));
    v->repeat = sal_alloc(n, sizeof(int));
    v->record = sal_alloc(n, sizeof(sal_record));
    v->motion = sal_alloc(n, sizeof(bool));
    if (v->axis == NULL || v->hash == NULL || v->value == NULL || v->point == NULL ||
        v->repeat == NULL || v->record == NULL || v->motion == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d cells", lines);
    }
    titles += naxis > 0; /* the blank in front of the first */
    for (size_t a = 0; a < naxis; a++) {
        v->axis[a] = field(&titles);
    }
    for (v->nrepeat = 1; v->ncell < lines; v->ncell++) {
        char *line = next_line(&text);
        if (line == NULL || !read_line(v, v->ncell, line)) {
            return damaged(v, v->ncell + 3, err);
        }
    }
    return SAL_OK;
}

/* ---- the sweep's own file ---- */

static sal_status read_sweep(sal_sweep_view *v, sal_err *err)
{
    char path[PATH_MAX];
    sal_diag unused = {0};
    prb_reader r = {.diag = &unused};
    snprintf(path, sizeof path, "%s/sweep.xml", v->folder);
    const sal_status status = sal_xml_read(&r.doc, path, &unused, err);
    if (status == SAL_OK) {
        v->name = prb_reader_folder_name(&r, "sweep", v->folder);
        v->ncolumn = swp_columns(&r, r.doc.root, &v->column);
    }
    sal_xml_free(&r.doc);
    sal_diag_clear(&unused);
    return r.nomem ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}

static sal_status read_records(sal_sweep_view *v, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int c = 0; c < v->ncell && status == SAL_OK; c++) {
        char path[PATH_MAX];
        bool found;
        status = swp_record_read(&v->record[c], v->folder, v->hash[c], &found, err);
        if (status == SAL_OK && found && v->record[c].bytes > 0) {
            sal_sweep_motion(path, sizeof path, v->folder, v->hash[c]);
            v->motion[c] = access(path, R_OK) == 0;
        }
    }
    return status;
}

sal_status sal_sweep_look(sal_sweep_view **view, const char *folder, sal_err *err)
{
    char path[PATH_MAX];
    size_t n;
    sal_sweep_view *v = sal_alloc(1, sizeof *v);
    *view = NULL;
    if (v != NULL) {
        *v = (sal_sweep_view){.folder = sal_alloc(strlen(folder) + 1, 1)};
    }
    if (v == NULL || v->folder == NULL) {
        sal_sweep_view_free(v);
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memcpy(v->folder, folder, strlen(folder) + 1);
    snprintf(path, sizeof path, "%s/plan.tsv", folder);
    sal_status status = sal_text_read_file(path, PLAN_MOST, &v->text, &n, err);
    if (status == SAL_BADPATH) {
        status = sal_fail(err, SAL_BADPATH,
                          "'%.300s' is not the folder of a sweep: it has no plan.tsv", folder);
    }
    status = status == SAL_OK ? read_plan(v, err) : status;
    status = status == SAL_OK ? read_sweep(v, err) : status;
    status = status == SAL_OK ? read_records(v, err) : status;
    if (status != SAL_OK) {
        sal_sweep_view_free(v);
        return status;
    }
    *view = v;
    return SAL_OK;
}
