#include "identify/request.h"
#include "sweeps/folder.h"

#include <stdio.h>
#include <string.h>

/* ---- the parts ---- */

/* The sweep's name becomes that of a folder, so it is spelt as a problem's. */
static void read_head(swp_reader *r, const char *path)
{
    const char *problem = prb_grammar_text("sweep", r->root, "problem");
    r->s->path = prb_reader_copy(&r->r, path);
    r->s->name = prb_reader_folder_name(&r->r, "sweep", path);
    r->s->problem_path = problem == NULL ? NULL : prb_reader_beside(&r->r, path, problem);
}

/* <set>, then the settings of the command line. */
static void read_settings(swp_reader *r, const sal_problem_options *options)
{
    sal_sweep *s = r->s;
    int n = options->nsetting;
    for (const sal_xml *c = r->root->child; c != NULL; c = c->next) {
        n += strcmp(c->tag, "set") == 0;
    }
    s->setting = prb_reader_alloc(&r->r, (size_t)n + 1, sizeof *s->setting);
    for (const sal_xml *c = r->root->child; c != NULL && !r->r.nomem; c = c->next) {
        const bool is = strcmp(c->tag, "set") == 0;
        const char *path = is ? prb_grammar_text("set", c, "path") : NULL;
        const char *value = is ? prb_grammar_text("set", c, "value") : NULL;
        if (path != NULL && value != NULL) {
            s->setting[s->nsetting++] =
                (sal_setting){prb_reader_copy(&r->r, path), swp_setting_text(r, path, value)};
        }
    }
    for (int i = 0; i < options->nsetting && !r->r.nomem; i++) {
        s->setting[s->nsetting++] =
            (sal_setting){prb_reader_copy(&r->r, options->setting[i].path),
                          prb_reader_copy(&r->r, options->setting[i].value)};
    }
}

static void read_repeat(swp_reader *r)
{
    sal_sweep *s = r->s;
    const sal_xml *repeat = sal_xml_child(r->root, "repeat");
    s->nrepeat = 1;
    if (repeat == NULL) {
        return;
    }
    const long count = prb_grammar_whole("repeat", repeat, "count");
    const char *path = prb_grammar_text("repeat", repeat, "path");
    s->nrepeat = count < 1 ? 1 : (int)count;
    s->repeat_path = path == NULL ? NULL : prb_reader_copy(&r->r, path);
    s->repeat_first = prb_grammar_whole("repeat", repeat, "first");
    s->keep = (sal_keep)prb_grammar_choice("repeat", repeat, "keep");
    if (s->keep == SAL_KEEP_NONE && sal_xml_child(r->root, "continuation") != NULL) {
        sal_diag_error(r->r.diag, prb_reader_place(repeat, "keep"), "keep the best",
                       "no motion is kept, and <continuation> begins with them");
    }
}

static void read_limit(swp_reader *r)
{
    const sal_xml *limit = sal_xml_child(r->root, "limit");
    const double time = prb_grammar_real("limit", limit, "time"),
                 memory = prb_grammar_real("limit", limit, "memory");
    r->s->cell_time = time > 0 ? time : 0;
    r->s->cell_memory = memory > 0 ? memory * 1e9 : 0;
    r->s->tries = (int)prb_grammar_whole("limit", limit, "tries");
}

int swp_columns(prb_reader *r, const sal_xml *root, sal_table_column **column)
{
    int most = 0, n = 0;
    for (const sal_xml *c = root->child; c != NULL; c = c->next) {
        most += strcmp(c->tag, "column") == 0;
    }
    *column = prb_reader_alloc(r, (size_t)most, sizeof **column);
    for (const sal_xml *c = root->child; c != NULL && !r->nomem; c = c->next) {
        const bool is = strcmp(c->tag, "column") == 0;
        const char *figure = is ? prb_grammar_text("column", c, "figure") : NULL;
        const char *name = is ? prb_grammar_text("column", c, "name") : NULL;
        if (figure != NULL) {
            (*column)[n++] = (sal_table_column){prb_reader_copy(r, name == NULL ? figure : name),
                                                prb_reader_copy(r, figure)};
        }
    }
    return n;
}

/* ---- the problem under the sweep's settings ---- */

/* Reads the problem as one point sets it; what is wrong with that is said of the axis. False after
 * an error. */
static bool try_point(swp_reader *r, int point, sal_status *status, sal_err *err)
{
    swp_cell_settings c;
    sal_request request = {0};
    const int before = r->r.diag->nerror;
    *status = swp_cell_settings_of(&c, r->s, "", point * r->s->nrepeat, -1, err);
    if (*status == SAL_OK) {
        *status =
            idn_request_read(&request, r->s->problem_path, &c.options, r->s->known, r->r.diag, err);
        sal_free(c.list);
    }
    sal_request_clear(&request);
    return *status == SAL_OK && r->r.diag->nerror == before;
}

static void name_point(swp_reader *r, int point)
{
    sal_text text = {0};
    for (int a = 0; a < r->s->naxis; a++) {
        sal_text_format(&text, "%s%s = %.60s", a > 0 ? ", " : "", r->s->axis[a].name,
                        r->s->axis[a].value[sal_sweep_value(r->s, point, a)]);
    }
    if (!text.failed && text.length > 0) {
        sal_diag_warning(r->r.diag, r->root->place, NULL, "that was with %.400s", text.data);
    }
    sal_text_clear(&text);
}

/* The first and the last point; what lies between is looked at when its turn comes. */
static sal_status try_problem(swp_reader *r, sal_err *err)
{
    const int ends[2] = {0, r->s->npoint - 1};
    sal_status status = SAL_OK;
    r->s->known = prb_reader_alloc(&r->r, 1, sizeof *r->s->known);
    for (int i = 0; i < (ends[1] > 0 ? 2 : 1); i++) {
        if (try_point(r, ends[i], &status, err)) {
            continue;
        }
        if (status == SAL_BADPATH) { /* it stands in a file */
            sal_diag_error(r->r.diag, prb_reader_place(r->root, "problem"), NULL, "%s",
                           err->message);
        } else if (status == SAL_BADINPUT) {
            name_point(r, ends[i]);
        }
        return status == SAL_BADPATH || status == SAL_BADINPUT ? SAL_OK : status;
    }
    return SAL_OK;
}

/* ---- the file ---- */

static void keep_xml(swp_reader *r)
{
    sal_text text = {0};
    sal_xml_write(r->root, &text);
    r->r.nomem = r->r.nomem || text.failed;
    r->s->sweep_xml = text.data;
}

static sal_status read_parts(swp_reader *r, const char *path, const sal_problem_options *options,
                             sal_err *err)
{
    prb_grammar_check(r->root, "sweep", r->r.diag);
    if (strcmp(r->root->tag, "sweep") != 0) {
        return SAL_OK;
    }
    keep_xml(r);
    read_head(r, path);
    read_settings(r, options);
    read_repeat(r);
    read_limit(r);
    r->s->ncolumn = swp_columns(&r->r, r->root, &r->s->column);
    if (!r->r.nomem) {
        swp_read_axes(r);
    }
    if (r->r.diag->nerror > 0 || r->r.nomem) {
        return SAL_OK;
    }
    swp_read_points(r);
    if (r->r.diag->nerror > 0 || r->r.nomem) {
        return SAL_OK;
    }
    sal_status status = try_problem(r, err);
    if (status == SAL_OK && r->r.diag->nerror == 0) {
        status = swp_name_cells(r->s, options->mujoco, err);
    }
    return status;
}

sal_status sal_sweep_read(sal_sweep **s, const char *path, const sal_problem_options *options,
                          sal_diag *diag, sal_err *err)
{
    static const sal_problem_options none = {0};
    sal_diag own = {0};
    swp_reader r = {.r = {.diag = diag == NULL ? &own : diag}};
    *s = NULL;
    sal_status status = sal_xml_read(&r.r.doc, path, r.r.diag, err);
    if (status != SAL_OK) {
        goto done;
    }
    r.root = r.r.doc.root;
    r.r.file = r.r.doc.sources;
    r.s = prb_reader_alloc(&r.r, 1, sizeof *r.s);
    if (r.s != NULL) {
        status = read_parts(&r, path, options == NULL ? &none : options, err);
    }
    if (r.r.nomem) {
        status = sal_fail(err, SAL_NOMEM, "out of memory while reading '%.300s'", path);
    }
    status = status == SAL_OK ? sal_diag_status(r.r.diag, err) : status;
    if (status == SAL_OK) {
        *s = r.s;
        r.s = NULL;
    }
done:
    sal_sweep_free(r.s);
    sal_xml_free(&r.r.doc);
    sal_diag_clear(&own);
    return status;
}

/* ---- the end ---- */

/* A text of a setting that is a copy of our own; those of others are constant. */
static void free_own(const char *text)
{
    void *block;
    memcpy(&block, &text, sizeof block);
    sal_free(block);
}

static void free_settings(sal_setting *list, int n)
{
    for (int i = 0; i < n; i++) {
        free_own(list[i].path);
        free_own(list[i].value);
    }
    sal_free(list);
}

void sal_sweep_free(sal_sweep *s)
{
    if (s == NULL) {
        return;
    }
    for (int a = 0; a < s->naxis; a++) {
        sal_free(s->axis[a].name);
        sal_free(s->axis[a].path);
        sal_free(s->axis[a].value);
        sal_free(s->axis[a].setting);
        sal_free(s->axis[a].number);
        sal_free(s->axis[a].text);
    }
    for (int i = 0; i < s->ncolumn; i++) {
        sal_free(s->column[i].name);
        sal_free(s->column[i].figure);
    }
    free_settings(s->setting, s->nsetting);
    sal_free(s->axis);
    sal_free(s->column);
    sal_free(s->name);
    sal_free(s->path);
    sal_free(s->problem_path);
    sal_free(s->sweep_xml);
    sal_free(s->grid);
    sal_free(s->before);
    sal_free(s->order);
    sal_free(s->continuation);
    sal_free(s->along);
    sal_free(s->repeat_path);
    sal_free(s->hash);
    if (s->known != NULL) {
        prb_known_model_clear(s->known);
    }
    sal_free(s->known);
    sal_free(s);
}
