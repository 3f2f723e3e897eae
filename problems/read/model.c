#include "problems/integrator.h"
#include "problems/language/reader.h"
#include "problems/read/known_model.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LIMIT = 4000, FILE_LIMIT = 64 * 1024 * 1024 };

/* ---- settings of the command line ---- */

/* The element of that kind, added with its parents where it is missing; NULL without memory. Only
 * kinds that occur once. */
static sal_xml *ensure(prb_reader *r, const prb_rules *rules)
{
    if (rules->parent[0] == 0) {
        return r->doc.root;
    }
    sal_xml *parent = ensure(r, prb_grammar_element(rules->parent)); /* as deep as the table */
    if (parent == NULL) {
        return NULL;
    }
    sal_xml *element = sal_xml_child(parent, rules->tag);
    if (element == NULL) {
        element = sal_xml_add(&r->doc, parent, rules->tag);
        r->nomem = r->nomem || element == NULL;
    }
    return element;
}

/* What is not the problem's is an override of the model. */
static sal_status add_override(prb_reader *r, const sal_setting *s, sal_err *err)
{
    sal_xml *element = sal_xml_add(&r->doc, r->doc.root, "override");
    if (element == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    const sal_status status = sal_xml_set(element, "path", s->path, err);
    return status != SAL_OK ? status : sal_xml_set(element, "value", s->value, err);
}

const prb_rules *prb_reader_kind(const char *path)
{
    char kind[64];
    const size_t n = strcspn(path, "[/");
    if (n == 0 || n >= sizeof kind) {
        return NULL;
    }
    memcpy(kind, path, n);
    kind[n] = 0;
    const prb_rules *rules = prb_grammar_element(kind);
    return rules != NULL && strcmp(prb_grammar_root(rules)->tag, "problem") == 0 ? rules : NULL;
}

static sal_status apply(prb_reader *r, const sal_setting *s, sal_err *err)
{
    const prb_rules *rules = prb_reader_kind(s->path);
    if (rules == NULL) {
        return add_override(r, s, err);
    }
    const bool plain = strchr(s->path, '[') == NULL && strcmp(rules->tag, "problem") != 0;
    if (plain && ensure(r, rules) == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    return sal_xml_set_path(&r->doc, s->path, s->value, err);
}

/* The motion that the search begins with, in place of what <init> says. */
static void begin_with(prb_reader *r, const sal_problem_options *options)
{
    static const char *const others[] = {"keys", "times", "file"};
    sal_xml *init = ensure(r, prb_grammar_element("init"));
    sal_err err;
    for (size_t i = 0; init != NULL && i < sizeof others / sizeof others[0]; i++) {
        sal_xml_unset(init, others[i]);
    }
    r->nomem =
        r->nomem || init == NULL || sal_xml_set(init, "result", options->start, &err) != SAL_OK;
    r->start_folder = options->start_folder;
}

sal_status prb_read_settings(prb_reader *r, const sal_problem_options *options)
{
    if (strcmp(r->doc.root->tag, "problem") != 0) {
        return SAL_OK; /* the grammar will say so */
    }
    for (int i = 0; i < options->nsetting; i++) {
        sal_err why = {0};
        const sal_status status = apply(r, &options->setting[i], &why);
        if (status == SAL_NOMEM) {
            r->nomem = true;
            return status;
        }
        if (status != SAL_OK) {
            sal_diag_error(r->diag, (sal_place){0}, NULL, "%s", why.message);
        }
    }
    if (options->start != NULL) {
        begin_with(r, options);
    }
    return SAL_OK;
}

/* ---- where the model lies ---- */

static bool set_by_option(const sal_problem_options *options, const char *path)
{
    for (int i = 0; i < options->nsetting; i++) {
        if (strcmp(options->setting[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- overrides ---- */

static int count_overrides(const prb_reader *r)
{
    int n = 0;
    for (const sal_xml *c = r->doc.root->child; c != NULL; c = c->next) {
        n += strcmp(c->tag, "override") == 0;
    }
    return n;
}

/* The settings for the model; those of the file first, then those of the command line, which were
 * added behind them; and where they stand. */
static sal_setting *overrides(prb_reader *r, sal_place **places, int *n)
{
    const size_t most = (size_t)count_overrides(r);
    sal_setting *list = prb_reader_alloc(r, most, sizeof *list);
    *places = prb_reader_alloc(r, most, sizeof **places);
    *n = 0;
    for (const sal_xml *c = r->doc.root->child; c != NULL && !r->nomem; c = c->next) {
        const bool is = strcmp(c->tag, "override") == 0;
        const char *path = is ? prb_grammar_text("override", c, "path") : NULL;
        const char *value = is ? prb_grammar_text("override", c, "value") : NULL;
        if (path == NULL || value == NULL) {
            continue;
        }
        if (prb_reader_kind(path) != NULL) {
            sal_diag_error(r->diag, prb_reader_place(c, "path"),
                           "change it in the problem file itself, or by --set",
                           "'%.100s' is an element of the problem, not of the model", path);
            continue;
        }
        (*places)[*n] = prb_reader_place(c, "path");
        list[(*n)++] = (sal_setting){path, value};
    }
    return list;
}

/* ---- the fingerprint: of the model's file and all it includes, in the order in which they are
 * read ---- */

static void hash_sources(const sal_source *s, sal_sha256 *sha, int left)
{
    if (s != NULL && left > 0) {
        hash_sources(s->next, sha, left - 1); /* the list is in reverse order */
        sal_sha256_add(sha, s->data, s->length);
    }
}

/* The model has been loaded, so its files are sound; memory may still run out. */
sal_status prb_model_digest(const char *path, char hex[65], sal_err *err)
{
    sal_xml_doc doc;
    sal_diag unused = {0};
    sal_sha256 sha;
    int files = 1;
    sal_status status = sal_xml_read_mixed(&doc, path, &unused, err);
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - path);
    while (status == SAL_OK && files < 1000) {
        const bool urdf = strcmp(doc.root->tag, "robot") == 0; /* it includes nothing */
        sal_xml *include = urdf ? NULL : sal_xml_descendant(doc.root, "include");
        const char *file = include == NULL ? NULL : sal_xml_get(include, "file");
        char full[PATH_LIMIT];
        if (file == NULL) {
            break;
        }
        snprintf(full, sizeof full, "%.*s%s", file[0] == '/' ? 0 : folder, path, file);
        status = sal_xml_splice(&doc, include, full, &unused, err);
        files++;
    }
    sal_sha256_begin(&sha);
    hash_sources(doc.sources, &sha, files);
    sal_sha256_end(&sha, hex);
    sal_xml_free(&doc);
    sal_diag_clear(&unused);
    return status;
}

/* ---- what a problem asks of its model ---- */

static void check_integrator(prb_reader *r, sal_place place)
{
    char why[300];
    if (!prb_integrator_is_invertible(r->p->model, why)) {
        sal_diag_error(r->diag, place,
                       "add <override path=\"option/integrator\" value=\"Euler\"/>, or use --set "
                       "option/integrator=Euler",
                       "%s", why);
    }
}

/* Why what an actuator does cannot be part of a motion; NULL if it can. */
static const char *obstacle(const sal_model *m, int i)
{
    const int joint = m->actuator_trnid[i], type = m->actuator_trntype[i];
    const bool turns = (type == SAL_TRN_JOINT && m->jnt_type[joint] == SAL_JNT_BALL) ||
                       (type == SAL_TRN_SITE && m->actuator_refid[i] >= 0);
    if (type == SAL_TRN_BODY) {
        return "acts through the contacts of a body, which appear and disappear";
    }
    if (m->actuator_biastype[i] == SAL_BIAS_COGGING && m->actuator_forcelimited[i]) {
        return "has cogging beside a saturation";
    }
    if (m->actuator_dyntype[i] == SAL_DYN_MOTOR) {
        return "has a state that follows the motion, a largest voltage, or several inputs whose "
               "force is limited or shown by a sensor";
    }
    if (m->actuator_gaintype[i] == SAL_GAIN_ORIENTATION) {
        return "turns a joint towards an orientation, about all of its axes at a time";
    }
    if (m->mujoco != SAL_MUJOCO_222 && turns && m->actuator_dyntype[i] == SAL_DYN_INTEGRATOR &&
        m->actuator_biastype[i] == SAL_BIAS_AFFINE) {
        return "integrates the target of a rotational servo, whose direction of rotation can "
               "switch";
    }
    return NULL;
}

static void check_actuators(prb_reader *r, sal_place place)
{
    const sal_model *m = r->p->model;
    for (int i = 0; i < m->nu; i++) {
        const char *why = obstacle(m, i);
        if (why != NULL) {
            const bool motor = m->actuator_dyntype[i] == SAL_DYN_MOTOR;
            char name[SAL_LABEL_MAX];
            sal_diag_error(r->diag, place,
                           motor ? "write it without what has a state, or use <motor> or <position>"
                                 : "use actuators on joints, tendons, sites or slider-cranks",
                           "%s %s; this is not supported in a problem",
                           sal_model_label(m, SAL_OBJ_ACTUATOR, i, name), why);
        }
    }
}

static void check_delays(prb_reader *r, sal_place place)
{
    sal_err why;
    if (sal_model_prompt(r->p->model, "a problem", &why) != SAL_OK) {
        sal_diag_error(
            r->diag, place,
            "solve without it: write delay=\"0\" and interval=\"0\" in the model, or use "
            "--set KIND[NAME]/delay=0",
            "%s", why.message);
    }
}

/* A problem's motion is one of the forces that the inverse knows, to the last digit, and so are its
 * replays: whatever solver the model's user prefers. */
static void choose_solver(prb_reader *r, sal_place place)
{
    const char *left_out = prb_left_out_of_inverse(r->p->model);
    if (left_out != NULL) {
        sal_diag_warning(r->diag, place,
                         "add <override path=\"option/noslip_iterations\" value=\"0\"/>", "%s",
                         left_out);
    }
    r->p->model->opt.noslip_iterations = 0;
    r->p->model->opt.solver = SAL_SOLVER_NEWTON;
}

static void check_model(prb_reader *r, sal_place place)
{
    if (r->p->model->nv == 0) {
        sal_diag_error(r->diag, place, NULL, "the model has no joints, so nothing can move");
    }
    check_integrator(r, place);
    check_actuators(r, place);
    check_delays(r, place);
    choose_solver(r, place);
}

/* ---- sensors of the problem: they are put at the end of the model's text, which keeps the lines
 * before them ---- */

static const char *last_tag(const char *text)
{
    const char *last = NULL;
    for (const char *at = strstr(text, "</mujoco"); at != NULL; at = strstr(at + 1, "</mujoco")) {
        last = at;
    }
    return last;
}

static sal_status model_text(sal_text *text, const char *path, const sal_xml *sensor, sal_err *err)
{
    char *data;
    size_t length;
    const sal_status status = sal_text_read_file(path, FILE_LIMIT, &data, &length, err);
    if (status != SAL_OK) {
        return status;
    }
    const char *end = sensor == NULL ? NULL : last_tag(data);
    sal_text_addn(text, data, end == NULL ? length : (size_t)(end - data));
    if (end != NULL) {
        sal_xml_write(sensor, text);
        sal_text_add(text, end);
    }
    sal_free(data);
    return text->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

static sal_status load_with_sensors(sal_model **m, const char *path, const sal_xml *sensor,
                                    const sal_load_options *options, sal_diag *diag, sal_err *err)
{
    sal_text text = {0};
    sal_status status = model_text(&text, path, sensor, err);
    if (status == SAL_OK) {
        status = sal_model_parse(m, path, text.data, text.length, options, diag, err);
    }
    sal_text_clear(&text);
    return status;
}

sal_status prb_reader_remodel(prb_reader *r, sal_remodel **remodel, sal_err *err)
{
    const sal_problem *p = r->p;
    sal_load_options load = {.mujoco = p->mujoco};
    sal_place *places;
    sal_text text = {0};
    sal_setting *settings = overrides(r, &places, &load.nsetting);
    load.setting = settings;
    sal_status status =
        r->nomem ? sal_fail(err, SAL_NOMEM, "out of memory")
                 : model_text(&text, p->model_path, prb_reader_element(r, "sensor"), err);
    *remodel = NULL;
    if (status == SAL_OK) {
        status = sal_remodel_new(remodel, p->model_path, text.data, text.length, &load, err);
    }
    sal_text_clear(&text);
    sal_free(settings);
    sal_free(places);
    return status;
}

/* ---- the model ---- */

static sal_status read_files(prb_reader *r, const sal_load_options *load, sal_err *why)
{
    sal_problem *p = r->p;
    const sal_xml *sensor = prb_reader_element(r, "sensor");
    const sal_status status =
        sensor == NULL ? sal_model_load(&p->model, p->model_path, load, r->diag, why)
                       : load_with_sensors(&p->model, p->model_path, sensor, load, r->diag, why);
    return status == SAL_OK ? prb_model_digest(p->model_path, p->sha256_model, why) : status;
}

/* All that the model depends on but what its files hold; each text with its zero. */
static void write_key(sal_text *key, const prb_reader *r, const sal_load_options *load)
{
    const sal_xml *sensor = prb_reader_element(r, "sensor");
    sal_text_addn(key, r->p->model_path, strlen(r->p->model_path) + 1);
    sal_text_addn(key, sal_mujoco_name(load->mujoco), strlen(sal_mujoco_name(load->mujoco)) + 1);
    for (int i = 0; i < load->nsetting; i++) {
        sal_text_addn(key, load->setting[i].path, strlen(load->setting[i].path) + 1);
        sal_text_addn(key, load->setting[i].value, strlen(load->setting[i].value) + 1);
    }
    if (sensor != NULL) {
        sal_xml_write(sensor, key);
    }
}

static sal_status read_or_copy(prb_reader *r, const sal_load_options *load, sal_err *why)
{
    sal_problem *p = r->p;
    sal_text key = {0};
    sal_status status;
    if (r->known == NULL) {
        return read_files(r, load, why);
    }
    write_key(&key, r, load);
    if (prb_known_model_is(r->known, &key)) {
        memcpy(p->sha256_model, r->known->sha256, sizeof p->sha256_model);
        status = sal_model_copy(&p->model, r->known->model, why);
    } else {
        status = read_files(r, load, why);
        if (status == SAL_OK) {
            prb_known_model_keep(r->known, &key, p->model, p->sha256_model);
        }
    }
    sal_text_clear(&key);
    return status;
}

static sal_status load(prb_reader *r, const sal_xml *element, bool by_option, sal_err *err)
{
    sal_problem *p = r->p;
    const sal_place place = prb_reader_place(element, "file");
    sal_err why = {0};
    sal_load_options load = {.mujoco = p->mujoco};
    sal_place *places;
    sal_setting *settings = overrides(r, &places, &load.nsetting);
    if (r->nomem) {
        sal_free(settings);
        sal_free(places);
        return SAL_OK;
    }
    load.setting = settings;
    load.place = places;
    const int before = r->diag->nerror;
    const sal_status status = read_or_copy(r, &load, &why);
    sal_free(settings);
    sal_free(places);
    if (status == SAL_BADPATH && !by_option) {
        const char *file = prb_grammar_text("model", element, "file");
        sal_diag_error(r->diag, place,
                       file[0] == '/' ? NULL : "the path is relative to the problem file", "%s",
                       why.message);
        return SAL_OK;
    }
    if (status == SAL_BADINPUT && r->diag->nerror == before) {
        sal_diag_error(r->diag, place, NULL, "%s", why.message);
    }
    if (status == SAL_OK || status == SAL_BADINPUT) {
        return SAL_OK;
    }
    return sal_fail(err, status, "%s", why.message);
}

static sal_status find_drive(sal_problem *p, sal_err *err)
{
    prb_actuation_map *map;
    const sal_status status = prb_actuation_map_new(&map, p->model, err);
    if (status == SAL_OK) {
        p->driven = map->driven;
    }
    prb_actuation_map_free(map);
    return status;
}

sal_status prb_read_model(prb_reader *r, const sal_problem_options *options, sal_err *err)
{
    const sal_xml *element = prb_reader_element(r, "model");
    const char *file = element == NULL ? NULL : prb_grammar_text("model", element, "file");
    const bool by_option = set_by_option(options, "model/file");
    const int written = prb_grammar_choice("model", element, "compat"); /* in the enum's order */
    r->p->mujoco = options->mujoco != SAL_MUJOCO_314 ? options->mujoco : (sal_mujoco)written;
    if (file == NULL) {
        return SAL_OK;
    }
    r->p->model_path = r->model_path != NULL ? prb_reader_copy(r, r->model_path)
                                             : prb_reader_file(r, element, "file");
    if (r->p->model_path == NULL) {
        return SAL_OK;
    }
    const sal_status status = load(r, element, by_option, err);
    if (status == SAL_OK && r->p->model != NULL && r->p->model->nkind > 0) {
        sal_diag_error(r->diag, prb_reader_place(element, "file"),
                       "set contype and conaffinity so that fewer geoms can meet",
                       "the model has more than 4 million pairs of geoms that may touch, which is "
                       "more than problems can be solved with");
        return SAL_OK;
    }
    if (status == SAL_OK && r->p->model != NULL) {
        check_model(r, prb_reader_place(element, "file"));
        return find_drive(r->p, err);
    }
    return status;
}
