#include "identify/request.h"
#include "runs/runs.h"
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

/* ---- what columns name ---- */

/* All that a column can show of a result of this request, a line each */
static void name_all(sal_text *names, const sal_sweep *s, const sal_request *request)
{
    static const char *const source[] = {
#define SOURCE_NAME(code, name) name,
        SAL_TABLE_SOURCE_LIST(SOURCE_NAME)
#undef SOURCE_NAME
    };
    idn_request_figure_names(names, request);
    sal_recorded_figure_names(names);
    for (size_t i = 0; i < sizeof source / sizeof source[0]; i++) {
        sal_text_format(names, "%s\n", source[i]);
    }
    for (int a = 0; a < s->naxis; a++) {
        sal_text_format(names, "%s\n", s->axis[a].name);
    }
}

/* The lines of a text, which it is cut into; *n of them. The caller frees. */
static const char **cut(prb_reader *r, sal_text *text, int *n)
{
    int lines = 0;
    for (const char *c = text->data; c != NULL && *c != 0; c++) {
        lines += *c == '\n';
    }
    const char **line = prb_reader_alloc(r, (size_t)lines + 1, sizeof *line);
    *n = 0;
    for (char *c = text->data; line != NULL && *n < lines; c = strchr(c, 0) + 1) {
        c[strcspn(c, "\n")] = 0;
        line[(*n)++] = c;
    }
    return line;
}

/* The range of an actuator is one that only the search adds: constraint[ctrlrange of knee]. */
static bool is_of_range(const char *figure)
{
    return strncmp(figure, "constraint[", 11) == 0 && strstr(figure, "range of ") != NULL;
}

/* A figure that no result will have: its column would be empty. */
static void check_columns(swp_reader *r, const sal_request *request)
{
    sal_text names = {0};
    int n = 0;
    name_all(&names, r->s, request);
    r->r.nomem = r->r.nomem || names.failed;
    const char **name = names.failed ? NULL : cut(&r->r, &names, &n);
    for (const sal_xml *c = r->root->child; c != NULL && name != NULL; c = c->next) {
        const char *figure =
            strcmp(c->tag, "column") == 0 ? prb_grammar_text("column", c, "figure") : NULL;
        bool known = figure == NULL || is_of_range(figure);
        for (int k = 0; k < n && !known; k++) {
            known = strcmp(name[k], figure) == 0;
        }
        if (!known) {
            char help[200];
            const char *nearest = sal_text_nearest(figure, name, (size_t)n);
            snprintf(help, sizeof help, "did you mean '%.80s'?", nearest == NULL ? "" : nearest);
            sal_diag_error(
                r->r.diag, prb_reader_place(c, "figure"),
                nearest == NULL
                    ? "see docs/sweeps.md#figures; terms, constraints and parameters are "
                      "written term[NAME], constraint[NAME], parameter[NAME]"
                    : help,
                "the results of this problem have no figure '%.80s'", figure);
        }
    }
    sal_free(name);
    sal_text_clear(&names);
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
    const bool good = *status == SAL_OK && r->r.diag->nerror == before;
    if (good && point == 0) {
        check_columns(r, &request);
    }
    sal_request_clear(&request);
    return good;
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
    for (int i = 0; i < (ends[1] > 0 ? 2 : 1) && r->r.diag->nerror == 0; i++) {
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
