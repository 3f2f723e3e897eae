#include "problems/language/reader.h"
#include "problems/recordings/data.h"
#include "problems/recordings/read_states.h"
#include "problems/result/result.h"

#include <string.h>

/* ---- the name ---- */

/* "dir/walk.xml" -> "walk" */
static char *stem(prb_reader *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = prb_reader_copy(r, slash == NULL ? path : slash + 1);
    char *dot = name == NULL ? NULL : strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = 0;
    }
    return name;
}

char *prb_reader_folder_name(prb_reader *r, const char *tag, const char *path)
{
    const char *name = prb_grammar_text(tag, r->doc.root, "name");
    if (name == NULL) {
        return stem(r, path);
    }
    const size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_-.+");
    if (name[plain] != 0 || name[0] == '.' || name[0] == '-' || plain > 63) {
        sal_diag_error(
            r->diag, prb_reader_place(r->doc.root, "name"),
            "use at most 63 letters, digits, _ - . +; the result's folder gets this name",
            "'%.100s' is not allowed as the name of a %s", name, tag);
    }
    return prb_reader_copy(r, name);
}

/* ---- the file ---- */

static void keep_xml(prb_reader *r)
{
    sal_text text = {0};
    sal_xml_write(r->doc.root, &text);
    if (text.failed) {
        r->nomem = true;
        sal_text_clear(&text);
    }
    r->p->problem_xml = text.data;
}

/* Whether a term or the first guess is about a recording. */
static bool follows(const prb_reader *r)
{
    const sal_xml *cost = prb_reader_element(r, "cost"), *init = prb_reader_element(r, "init");
    bool any = init != NULL && sal_xml_find_attr(init, "data") != NULL;
    for (const sal_xml *c = cost == NULL ? NULL : cost->child; c != NULL; c = c->next) {
        any = any || sal_xml_find_attr(c, "data") != NULL;
    }
    return any;
}

/* Recordings that nobody would hear of. */
static bool lacks_estimate(prb_reader *r)
{
    static const struct {
        const char *tag, *help;
    } lone[] = {{"data",
                 "add <estimate/> to identify parameters, or <time> and <term data=\"all\"/> to "
                 "follow the recording"},
                {"parameter", "add <estimate/>, or remove it"}};
    for (size_t i = follows(r) ? 1 : 0; i < sizeof lone / sizeof lone[0]; i++) {
        const sal_xml *element = sal_xml_child(r->doc.root, lone[i].tag);
        if (element != NULL) {
            sal_diag_error(r->diag, element->place, lone[i].help, "<%s> needs <estimate>",
                           lone[i].tag);
            return true;
        }
    }
    return false;
}

static void keep_start(sal_problem *p)
{
    const prb_dataset *data = p->data;
    p->recording_start = data != NULL && data->nrecording == 1 ? data->recording[0].start : 0;
}

/* All that prb_read_head reads, from an open document. */
static bool read_root(prb_reader *r, const char *path, const sal_problem_options *options,
                      sal_status *status, sal_err *err)
{
    static const sal_problem_options none = {0};
    options = options == NULL ? &none : options;
    if ((r->p = prb_reader_alloc(r, 1, sizeof *r->p)) == NULL) {
        return false;
    }
    const sal_source *source = r->file = r->doc.sources;
    r->p->path = prb_reader_copy(r, path);
    r->p->given = options->function;
    r->p->ngiven = options->nfunction;
    sal_sha256_hex(r->p->sha256_problem, source->data, source->length);
    if (r->nomem || (*status = prb_read_settings(r, options)) != SAL_OK) {
        return false;
    }
    prb_grammar_check(r->doc.root, "problem", r->diag);
    if (strcmp(r->doc.root->tag, "problem") != 0) {
        return false;
    }
    keep_xml(r);
    r->p->name = prb_reader_folder_name(r, "problem", r->p->path);
    *status = prb_read_model(r, options, err);
    return *status == SAL_OK;
}

bool prb_read_head(prb_reader *r, const char *path, const sal_problem_options *options,
                   sal_status *status, sal_err *err)
{
    *status = sal_xml_read(&r->doc, path, r->diag, err);
    return *status == SAL_OK && read_root(r, path, options, status, err);
}

bool prb_reader_identifies(const prb_reader *r)
{
    return prb_reader_element(r, "estimate") != NULL;
}

void prb_read_motion(prb_reader *r)
{
    if (lacks_estimate(r)) {
        return;
    }
    prb_read_time(r);
    prb_read_boundary(r);
    if (sal_xml_child(r->doc.root, "data") != NULL) {
        prb_read_data(r);
        keep_start(r->p);
    }
    prb_read_cost(r);
    prb_read_require(r);
    prb_read_init(r);
    prb_read_solver(r);
    prb_read_whole_cycle(r);
}

sal_status prb_read_end(prb_reader *r, const char *path, sal_status status, sal_err *err)
{
    if (r->nomem) {
        status = sal_fail(err, SAL_NOMEM, "out of memory while reading '%.300s'", path);
    }
    status = status == SAL_OK ? sal_diag_status(r->diag, err) : status;
    sal_xml_free(&r->doc);
    return status;
}

sal_status sal_problem_read(sal_problem **p, const char *path, const sal_problem_options *options,
                            sal_diag *diag, sal_err *err)
{
    sal_diag own = {0};
    prb_reader r = {.diag = diag == NULL ? &own : diag};
    sal_status status = SAL_OK;
    *p = NULL;
    if (prb_read_head(&r, path, options, &status, err)) {
        if (prb_reader_identifies(&r)) {
            sal_diag_error(
                r.diag, prb_reader_element(&r, "estimate")->place,
                "read it with sal_identification_read or sal_request_read",
                "<estimate> asks for an identification; a problem of motion is expected");
        } else {
            prb_read_motion(&r);
        }
    }
    status = prb_read_end(&r, path, status, err);
    if (status == SAL_OK) {
        *p = r.p;
    } else {
        sal_problem_free(r.p);
    }
    sal_diag_clear(&own);
    return status;
}

/* ---- the same once more ---- */

sal_status prb_problem_again(sal_problem **again, const sal_problem *p, const sal_setting *setting,
                             int nsetting, bool gentle, sal_err *err)
{
    sal_diag diag = {0};
    prb_reader r = {.diag = &diag, .again = true, .model_path = p->model_path};
    const sal_problem_options options = {.setting = setting,
                                         .nsetting = nsetting,
                                         .mujoco = p->mujoco,
                                         .function = p->given,
                                         .nfunction = p->ngiven};
    sal_status status =
        sal_xml_parse(&r.doc, p->path, p->problem_xml, strlen(p->problem_xml), &diag, err);
    *again = NULL;
    if (status == SAL_OK && read_root(&r, p->path, &options, &status, err)) {
        r.p->gentle = gentle;
        prb_read_motion(&r);
    }
    status = prb_read_end(&r, p->path, status, err);
    if (status == SAL_OK) {
        memcpy(r.p->sha256_problem, p->sha256_problem, sizeof p->sha256_problem);
        *again = r.p;
    } else {
        if (diag.nerror > 0) {
            sal_fail(err, status, "%s", diag.first);
        }
        sal_problem_free(r.p);
    }
    sal_diag_clear(&diag);
    return status;
}

sal_status prb_problem_of_result(sal_problem **p, const sal_result *r, const char *path,
                                 const char *model_path, const sal_setting *setting, int nsetting,
                                 sal_err *err)
{
    sal_problem as_solved = {.problem_xml = r->problem_xml, .mujoco = r->mujoco};
    sal_status status = prb_result_text(&as_solved.path, path, strlen(path), err);
    if (status == SAL_OK && model_path != NULL) {
        status = prb_result_text(&as_solved.model_path, model_path, strlen(model_path), err);
    }
    memcpy(as_solved.sha256_problem, r->sha256_problem, sizeof r->sha256_problem);
    *p = NULL;
    if (status == SAL_OK) {
        status = prb_problem_again(p, &as_solved, setting, nsetting, false, err);
    }
    sal_free(as_solved.path);
    sal_free(as_solved.model_path);
    return status;
}

/* ---- the end ---- */

void sal_problem_free(sal_problem *p)
{
    if (p == NULL) {
        return;
    }
    for (int i = 0; i < p->nterm; i++) {
        prb_feature_clear(&p->term[i].feature);
    }
    for (int i = 0; i < p->nconstraint; i++) {
        prb_feature_clear(&p->constraint[i].feature);
        sal_free(p->constraint[i].lower);
        sal_free(p->constraint[i].upper);
    }
    sal_free(p->constraint);
    for (int i = 0; i < p->nfunction; i++) {
        sal_free(p->function[i].name);
    }
    for (int i = 0; i < p->ninput; i++) {
        prb_feature_clear(p->input + i);
    }
    sal_free(p->function);
    sal_free(p->input);
    sal_free(p->require.only);
    for (int i = 0; i < p->npoint; i++) {
        sal_free(p->point_name[i]);
    }
    sal_free(p->term);
    sal_free(p->point);
    sal_free(p->point_geom);
    sal_free(p->point_name);
    sal_free(p->distance);
    sal_free(p->init_qpos);
    struct prb_states *const states[] = {p->init_states, p->recorded};
    for (int i = 0; i < 2; i++) {
        if (states[i] != NULL) {
            prb_states_clear(states[i]);
            sal_free(states[i]);
        }
    }
    prb_endpoint_clear(&p->start);
    prb_endpoint_clear(&p->end);
    sal_free(p->offset);
    sal_free(p->init_offset);
    prb_dataset_free(p->data);
    sal_problem_free(p->half);
    sal_image_free(p->image);
    sal_model_free(p->model);
    sal_free(p->name);
    sal_free(p->path);
    sal_free(p->model_path);
    sal_free(p->problem_xml);
    sal_free(p);
}

const char *sal_problem_name(const sal_problem *p)
{
    return p->name;
}

const sal_model *sal_problem_model(const sal_problem *p)
{
    return p->model;
}

int sal_problem_nstep(const sal_problem *p)
{
    return p->nstep;
}
