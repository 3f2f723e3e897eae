/* cell_digest.c: what makes a cell. Its name is the digest of all that goes into it, and of nothing
 * else: the problem's file with the settings, in which files it names are replaced by digests of
 * what they contain, how it begins with a motion, and the names of the cells whose motion that may
 * be.
 */
#include "sweeps/folder.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MOST = 1 << 30 };

/* ---- settings ---- */

static void set(swp_cell_settings *c, const char *path, const char *value)
{
    c->list[c->options.nsetting++] = (sal_setting){path, value};
}

/* How the search begins with a motion. */
static void begin_with(swp_cell_settings *c, const sal_sweep *s, const char *folder, int point,
                       int source)
{
    const sal_continuation *how = &s->continuation[s->along[point]];
    snprintf(c->noise, sizeof c->noise, "%.17g", how->noise);
    set(c, "init/noise", c->noise);
    snprintf(c->nstart, sizeof c->nstart, "%d", how->nstart);
    set(c, "init/nstart", c->nstart);
    if (how->softness >= 0) {
        snprintf(c->softness, sizeof c->softness, "%.17g", how->softness);
        set(c, "solver/softness", c->softness);
    }
    snprintf(c->start, sizeof c->start, "%s.h5", s->hash[source]);
    snprintf(c->folder, sizeof c->folder, "%s/cells/%.2s/", folder, s->hash[source]);
    c->options.start = c->start;
    c->options.start_folder = c->folder;
}

sal_status swp_cell_settings_of(swp_cell_settings *c, const sal_sweep *s, const char *folder,
                                int cell, int source, sal_err *err)
{
    const int point = cell / s->nrepeat;
    *c = (swp_cell_settings){0};
    c->list = sal_alloc((size_t)s->nsetting + (size_t)s->naxis + 4, sizeof(sal_setting));
    if (c->list == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    for (int i = 0; i < s->nsetting; i++) {
        set(c, s->setting[i].path, s->setting[i].value);
    }
    for (int a = 0; a < s->naxis; a++) {
        if (s->axis[a].path != NULL) {
            set(c, s->axis[a].path, s->axis[a].setting[sal_sweep_value(s, point, a)]);
        }
    }
    if (s->repeat_path != NULL) {
        snprintf(c->number, sizeof c->number, "%ld", s->repeat_first + cell % s->nrepeat);
        set(c, s->repeat_path, c->number);
    }
    if (source >= 0) {
        begin_with(c, s, folder, point, source);
    }
    c->options.setting = c->list;
    return SAL_OK;
}

/* ---- digests of files ---- */

typedef struct digest {
    char *path, hex[65];
    struct digest *next;
} digest;

typedef struct namer {
    const sal_sweep *s;
    char *problem; /* the text of the problem's file */
    size_t length;
    sal_mujoco mujoco;
    digest *known;
} namer;

/* Of a model: its files, and what they and their meshes compile to. What cannot be loaded is the
 * cells' affair. */
static sal_status digest_model(const namer *n, const char *path, char hex[65], sal_err *err)
{
    sal_sha256 sha;
    sal_text text = {0};
    sal_model *model = NULL;
    sal_diag unused = {0};
    char files[65] = "";
    const sal_load_options options = {.mujoco = n->mujoco};
    sal_status status = prb_model_digest(path, files, err);
    if (status == SAL_OK) {
        status = sal_model_load(&model, path, &options, &unused, err);
    }
    if (status == SAL_OK) {
        status = sal_model_write(model, &text, err);
    }
    sal_sha256_begin(&sha);
    sal_sha256_add(&sha, files, strlen(files));
    sal_sha256_add(&sha, text.data == NULL ? "" : text.data, text.length);
    sal_sha256_end(&sha, hex);
    sal_text_clear(&text);
    sal_model_free(model);
    sal_diag_clear(&unused);
    return status == SAL_NOMEM ? status : SAL_OK;
}

static sal_status digest_bytes(const char *path, char hex[65], sal_err *err)
{
    char *bytes = NULL;
    size_t length = 0;
    const sal_status status = sal_text_read_file(path, FILE_MOST, &bytes, &length, err);
    sal_sha256_hex(hex, bytes == NULL ? "" : bytes, length);
    sal_free(bytes);
    return status == SAL_NOMEM ? status : SAL_OK;
}

/* The digest of a file, each read once. */
static sal_status digest_of(namer *n, const char *path, bool model, const char **hex, sal_err *err)
{
    for (const digest *d = n->known; d != NULL; d = d->next) {
        if (strcmp(d->path, path) == 0) {
            *hex = d->hex;
            return SAL_OK;
        }
    }
    digest *d = sal_alloc(1, sizeof *d);
    char *copy = sal_alloc(strlen(path) + 1, 1);
    if (d == NULL || copy == NULL) {
        sal_free(d);
        sal_free(copy);
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memcpy(copy, path, strlen(path) + 1);
    *d = (digest){.path = copy, .next = n->known};
    n->known = d;
    *hex = d->hex;
    return model ? digest_model(n, path, d->hex, err) : digest_bytes(path, d->hex, err);
}

/* ---- names ---- */

/* The path of the file an attribute names, as the reader of problems finds it. */
static void file_path(const namer *n, const prb_reader *r, const sal_xml_attr *attr,
                      char path[PATH_MAX])
{
    const char *problem = n->s->problem_path, *slash = strrchr(problem, '/');
    const bool inside = attr->value_place.source == r->file && attr->value[0] != '/';
    const int folder = inside && slash != NULL ? (int)(slash + 1 - problem) : 0;
    snprintf(path, PATH_MAX, "%.*s%s", folder, problem, attr->value);
}

/* Replaces the files that an element and those in it name by their digests. */
static sal_status replace_files(namer *n, const prb_reader *r, sal_xml *element, sal_err *err)
{
    const prb_rules *rules = prb_grammar_element(element->tag);
    sal_status status = SAL_OK;
    for (int i = 0; rules != NULL && i < rules->nattr && status == SAL_OK; i++) {
        const sal_xml_attr *attr = rules->attr[i].type == PRB_VAL_FILE
                                       ? sal_xml_find_attr(element, rules->attr[i].name)
                                       : NULL;
        char path[PATH_MAX];
        const char *hex = NULL;
        if (attr != NULL) {
            file_path(n, r, attr, path);
            status = digest_of(n, path, strcmp(element->tag, "model") == 0, &hex, err);
            status =
                status == SAL_OK ? sal_xml_set(element, rules->attr[i].name, hex, err) : status;
        }
    }
    for (sal_xml *c = element->child;
         c != NULL && status == SAL_OK && rules != NULL && !rules->mjcf; c = c->next) {
        status = replace_files(n, r, c, err); /* as deep as the table */
    }
    return status;
}

/* The problem as the cell sets it. */
static sal_status add_problem(namer *n, int cell, sal_sha256 *sha, sal_err *err)
{
    sal_diag unused = {0};
    prb_reader r = {.diag = &unused};
    swp_cell_settings c;
    sal_text text = {0};
    sal_status status = swp_cell_settings_of(&c, n->s, "", cell, -1, err);
    if (status != SAL_OK) {
        return status;
    }
    status = sal_xml_parse(&r.doc, n->s->problem_path, n->problem, n->length, &unused, err);
    r.file = r.doc.sources;
    if (status == SAL_OK) {
        status = prb_read_settings(&r, &c.options);
    }
    status = status == SAL_OK ? replace_files(n, &r, r.doc.root, err) : status;
    if (status == SAL_OK) {
        sal_xml_write(r.doc.root, &text);
        sal_sha256_add(sha, text.data, text.length);
    }
    if (text.failed || r.nomem) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
    }
    sal_text_clear(&text);
    sal_xml_free(&r.doc);
    sal_diag_clear(&unused);
    sal_free(c.list);
    return status;
}

/* How it begins with a motion, and with which. */
static void add_before(const sal_sweep *s, int point, sal_sha256 *sha)
{
    const sal_continuation *how = &s->continuation[s->along[point]];
    char text[120];
    const int n = snprintf(text, sizeof text, "begins noise %.17g softness %.17g nstart %d\n",
                           how->noise, how->softness, how->nstart);
    sal_sha256_add(sha, text, (size_t)n);
    for (int k = 0; k < s->nrepeat; k++) {
        sal_sha256_add(sha, s->hash[s->before[point] * s->nrepeat + k], SAL_HASH_SIZE);
    }
}

static sal_status name_cell(namer *n, sal_sweep *s, int cell, sal_err *err)
{
    static const char kind[] = "saltus cell 1\n";
    const int point = cell / s->nrepeat;
    sal_sha256 sha;
    sal_sha256_begin(&sha);
    sal_sha256_add(&sha, kind, sizeof kind - 1);
    const sal_status status = add_problem(n, cell, &sha, err);
    if (s->before[point] >= 0) {
        add_before(s, point, &sha);
    }
    sal_sha256_end(&sha, s->hash[cell]);
    return status;
}

sal_status swp_name_cells(sal_sweep *s, sal_mujoco mujoco, sal_err *err)
{
    namer n = {.s = s, .mujoco = mujoco};
    s->hash = sal_alloc((size_t)s->ncell, sizeof *s->hash);
    sal_status status =
        s->hash == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory for %d cells", s->ncell)
            : sal_text_read_file(s->problem_path, FILE_MOST, &n.problem, &n.length, err);
    for (int i = 0; i < s->npoint && status == SAL_OK; i++) {
        for (int k = 0; k < s->nrepeat && status == SAL_OK; k++) {
            status = name_cell(&n, s, s->order[i] * s->nrepeat + k, err);
        }
    }
    for (digest *d = n.known, *next; d != NULL; d = next) {
        next = d->next;
        sal_free(d->path);
        sal_free(d);
    }
    sal_free(n.problem);
    return status;
}
