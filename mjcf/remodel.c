/* remodel.c: one model file, compiled again and again with other numbers. What was read stays in
 * memory: to compile, the spec goes back to what it was after reading, the numbers that are loose
 * take their values in its records, and the compiler does what it always does. So a model made here
 * is, bit for bit, the model that would be read from a file with these numbers.
 */
#include "mjcf/remodel.h"

#include "mjcf/compile.h"

#include <string.h>

static char *copy_text(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = sal_alloc(n, 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
    }
    return copy;
}

/* ---- the file ---- */

/* The document with all that it includes and all settings, as one text. */
static sal_status flatten(sal_text *flat, const char *name, const char *xml, size_t length,
                          const sal_load_options *options, sal_err *err)
{
    sal_xml_doc doc;
    sal_diag diag = {0};
    mjcf_spec none = {.mujoco = options->mujoco};
    mjcf_reader reader = {&none, &diag, &doc};
    sal_status status = sal_xml_parse_mixed(&doc, name, xml, length, &diag, err);
    if (status == SAL_OK) {
        status = mjcf_join(&reader, name, options, err);
    }
    if (status == SAL_OK) {
        status = sal_diag_status(&diag, err);
    }
    if (status == SAL_OK) {
        sal_xml_write(doc.root, flat);
        status = flat->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
    }
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
    return status;
}

static sal_status begin(sal_remodel **out, sal_remodel *r, sal_err *err)
{
    sal_status status = mjcf_remodel_read(r, err);
    sal_model *nominal = status == SAL_OK ? sal_alloc(1, sizeof *nominal) : NULL;
    if (status == SAL_OK) {
        status = nominal == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                                 : sal_remodel_make(r, nominal, err);
        r->nominal = nominal;
    }
    if (status != SAL_OK) {
        sal_remodel_free(r);
        return status;
    }
    *out = r;
    return SAL_OK;
}

sal_status sal_remodel_new(sal_remodel **out, const char *name, const char *xml, size_t length,
                           const sal_load_options *options, sal_err *err)
{
    const sal_load_options none = {0};
    const sal_load_options *o = options == NULL ? &none : options;
    sal_remodel *r = sal_alloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    r->mujoco = o->mujoco;
    r->name = copy_text(name);
    const sal_status status = r->name == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                                              : flatten(&r->flat, name, xml, length, o, err);
    if (status != SAL_OK) {
        sal_remodel_free(r);
        return status;
    }
    return begin(out, r, err);
}

sal_status sal_remodel_copy(sal_remodel **out, const sal_remodel *from, sal_err *err)
{
    sal_remodel *r = NULL;
    const sal_load_options options = {.mujoco = from->mujoco};
    sal_status status =
        sal_remodel_new(&r, from->name, from->flat.data, from->flat.length, &options, err);
    for (int i = 0; i < from->nloose && status == SAL_OK; i++) {
        int id;
        status = sal_remodel_loosen(r, from->loose[i].path, &id, err);
        if (status == SAL_OK) {
            r->loose[id].ngiven = from->loose[i].ngiven;
            memcpy(r->loose[id].value, from->loose[i].value,
                   (size_t)from->loose[i].n * sizeof(double));
        }
    }
    if (status != SAL_OK) {
        sal_remodel_free(r);
        r = NULL;
    }
    *out = r;
    return status;
}

void sal_remodel_free(sal_remodel *r)
{
    if (r == NULL) {
        return;
    }
    for (int i = 0; i < r->nloose; i++) {
        sal_free(r->loose[i].path);
        sal_free(r->loose[i].record);
        sal_free(r->loose[i].value);
    }
    sal_free(r->loose);
    for (int i = 0; i < r->nset; i++) {
        sal_free(r->set[i].said);
    }
    sal_free(r->set);
    spec_free(&r->spec);
    spec_forget(&r->memory);
    spec_forget(&r->raw);
    sal_xml_free(&r->plain);
    sal_xml_free(&r->doc);
    sal_diag_clear(&r->diag);
    sal_text_clear(&r->flat);
    sal_model_free(r->nominal);
    sal_free(r->name);
    sal_free(r);
}

/* ---- values ---- */

void sal_remodel_set(sal_remodel *r, int id, int k, double value)
{
    r->loose[id].value[k] = value;
}

/* What the table of the grammar asks of a number. */
static bool is_allowed(const mjcf_loose *l, double x)
{
    const int flags = l->attr == NULL ? 0 : l->attr->flags;
    return !isnan(x) && (isfinite(x) || (flags & MJCF_INF) != 0) &&
           !((flags & MJCF_POSITIVE) != 0 && !(x > 0)) &&
           !((flags & MJCF_NONNEG) != 0 && !(x >= 0));
}

/* SAL_DIVERGED: a fit may try another value */
static sal_status bad_value(const mjcf_loose *l, double x, sal_err *err)
{
    const int flags = l->attr == NULL ? MJCF_POSITIVE : l->attr->flags; /* NULL: a mass */
    return sal_fail(err, SAL_DIVERGED, "parameter '%s' has the value %g; it must be %s", l->path, x,
                    (flags & MJCF_POSITIVE) != 0 ? "positive"
                    : (flags & MJCF_NONNEG) != 0 ? "at least 0"
                                                 : "finite");
}

static sal_status write_numbers(sal_remodel *r, const mjcf_loose *l, sal_err *err)
{
    for (int k = 0; k < l->ngiven; k++) {
        if (!is_allowed(l, l->value[k])) {
            return bad_value(l, l->value[k], err);
        }
    }
    for (int i = 0; i < l->nrecord; i++) {
        void *record = l->record[i];
        memcpy((char *)record + l->attr->offset, l->value, (size_t)l->ngiven * sizeof *l->value);
        if (l->rule->element == MJCF_EL_FIXED || l->rule->element == MJCF_EL_SPATIAL) {
            spec_tendon *t = record;
            if (strcmp(l->attr->name, "springlength") == 0 && l->ngiven == 1) {
                t->springlength[1] = t->springlength[0];
            }
        } else if ((l->rule->parents & MJCF_IN_ACTUATOR) != 0) {
            mjcf_imply_actuator(&r->reader, l->rule, l->xml, false, record);
        }
    }
    return SAL_OK;
}

/* Of a body: into what is said of its inertia from outside. */
static void write_body(const mjcf_loose *l, spec_body_set *set)
{
    if (l->kind == SAL_LOOSE_MASS) {
        set->mass = l->value[0];
    } else if (l->kind == SAL_LOOSE_COM) {
        sal_v3_copy(set->com, l->value);
    } else {
        set->mass = l->value[0];
        sal_v3_copy(set->com, l->value + 1);
        memcpy(set->inertia, l->value + 4, sizeof set->inertia);
    }
}

static sal_status write_values(sal_remodel *r, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < r->nset; i++) {
        r->set[i].body->set = r->set[i].said;
    }
    for (int i = 0; i < r->nloose && status == SAL_OK; i++) {
        const mjcf_loose *l = &r->loose[i];
        if (l->kind == SAL_LOOSE_NUMBERS) {
            status = write_numbers(r, l, err);
        } else if (l->kind == SAL_LOOSE_VERTICES) {
            spec_mesh *mesh = l->record[0];
            mesh->set_vert = l->value;
            mesh->nset = l->n;
        } else if (l->kind != SAL_LOOSE_MASS || l->value[0] > 0) {
            write_body(l, r->set[l->set].said);
        } else {
            status = bad_value(l, l->value[0], err);
        }
    }
    return status;
}

/* ---- the model ---- */

/* The first message without its place, which is in a text that nobody sees. */
static sal_status compile_failed(const char *first, sal_err *err)
{
    const char *mark = "error: ", *text = strstr(first, mark);
    return sal_fail(err, SAL_DIVERGED,
                    "the model cannot be compiled with these values of the parameters: %.400s",
                    text == NULL ? first : text + strlen(mark));
}

/* Data of the nominal model serve all the others. */
static bool fits_data(const sal_model *n, const sal_model *m)
{
    return n == NULL || (m->nefcmax <= n->nefcmax && m->nJmax <= n->nJmax &&
                         m->nconmax <= n->nconmax && m->nmoment <= n->nmoment && m->na == n->na);
}

/* ---- what is in no record: poses of frames, offsets of replicates ---- */

static bool is_text(const mjcf_loose *l)
{
    return l->kind == SAL_LOOSE_NUMBERS && l->nrecord == 0;
}

static bool has_text(const sal_remodel *r)
{
    for (int i = 0; i < r->nloose; i++) {
        if (is_text(&r->loose[i])) {
            return true;
        }
    }
    return false;
}

/* Gives another remodel of this file, which has read what is text, the other numbers. */
static sal_status hand_over(const sal_remodel *r, sal_remodel *to, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < r->nloose && status == SAL_OK; i++) {
        const mjcf_loose *l = &r->loose[i];
        int id;
        if (is_text(l)) {
            continue;
        }
        status = sal_remodel_loosen(to, l->path, &id, err);
        if (status == SAL_OK) {
            to->loose[id].ngiven = l->ngiven;
            memcpy(to->loose[id].value, l->value, (size_t)l->n * sizeof *l->value);
        }
    }
    return status;
}

/* The slow way: the file is read with these numbers. */
static sal_status make_from_text(const sal_remodel *r, sal_model *m, sal_err *err)
{
    sal_remodel *fresh = NULL;
    sal_err reason = {0};
    const size_t n = (size_t)r->nloose;
    sal_setting *setting = sal_alloc(n, sizeof *setting);
    sal_text *value = sal_alloc(n, sizeof *value);
    sal_load_options options = {.mujoco = r->mujoco, .setting = setting};
    bool nomem = setting == NULL || value == NULL;
    for (int i = 0; i < r->nloose && !nomem; i++) {
        const mjcf_loose *l = &r->loose[i];
        for (int k = 0; k < l->ngiven && is_text(l); k++) {
            sal_text_format(&value[i], "%.17g ", l->value[k]);
        }
        nomem = value[i].failed;
        if (is_text(l) && !nomem) {
            setting[options.nsetting++] = (sal_setting){l->path, value[i].data};
        }
    }
    sal_status status =
        nomem ? sal_fail(&reason, SAL_NOMEM, "out of memory")
              : sal_remodel_new(&fresh, r->name, r->flat.data, r->flat.length, &options, &reason);
    if (status == SAL_OK) {
        status = hand_over(r, fresh, &reason);
    }
    if (status == SAL_OK) {
        status = sal_remodel_make(fresh, m, &reason);
    }
    for (size_t i = 0; i < n && value != NULL; i++) {
        sal_text_clear(&value[i]);
    }
    sal_free(value);
    sal_free(setting);
    sal_remodel_free(fresh);
    return status == SAL_BADINPUT ? compile_failed(reason.message, err)
           : status != SAL_OK     ? sal_fail(err, status, "%s", reason.message)
                                  : SAL_OK;
}

sal_status sal_remodel_make(sal_remodel *r, sal_model *m, sal_err *err)
{
    sal_model *made = NULL;
    if (has_text(r)) {
        return make_from_text(r, m, err);
    }
    spec_return(&r->spec, &r->memory);
    sal_diag_clear(&r->diag);
    r->diag = (sal_diag){0};
    sal_status status = write_values(r, err);
    if (status == SAL_OK) {
        status = spec_compile(&made, &r->spec, &r->diag, err);
    }
    if (status == SAL_OK && r->diag.nerror > 0) {
        status = compile_failed(r->diag.first, err);
    }
    if (status == SAL_OK && !fits_data(r->nominal, made)) {
        status = sal_fail(err, SAL_DIVERGED,
                          "with these values of the parameters, the model has constraints, "
                          "contacts or activations that it does not have with the values of its "
                          "file");
    }
    if (status == SAL_OK) {
        sal_free(m->block);
        *m = *made;
        sal_free(made);
        return SAL_OK;
    }
    sal_model_free(made);
    return status;
}

const sal_model *sal_remodel_nominal(const sal_remodel *r)
{
    return r->nominal;
}
