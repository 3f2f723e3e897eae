/* read_custom.c: <custom>: numbers, texts and tuples that a model carries for its users, from the
 * file to the model. */
#include "mjcf/compile.h"
#include "mjcf/reader.h"

#include <string.h>

enum { NUMERIC_MAX = 500 }; /* MuJoCo's */

static void *keep(mjcf_reader *r, spec_list *list, const void *record, size_t size)
{
    void *place = spec_take(r->spec, 1, size);
    if (place == NULL || !spec_push(r->spec, list, place)) {
        return NULL;
    }
    memcpy(place, record, size);
    return place;
}

/* ---- reading ---- */

static void read_numeric(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    spec_numeric numeric = {.head.xml = xml};
    double value[NUMERIC_MAX];
    mjcf_read_attrs(r, rule, xml, false, &numeric);
    const bool sized = sal_xml_find_attr(xml, "size") != NULL;
    if (sized && (numeric.size < 1 || numeric.size > NUMERIC_MAX)) {
        mjcf_error(r, xml->place, NULL, "size in <numeric> is %d; it must be from 1 to %d",
                   numeric.size, NUMERIC_MAX);
        return;
    }
    if (!sized && numeric.data == NULL) {
        mjcf_error(r, xml->place, NULL, "<numeric> needs the attribute 'data' or 'size'");
        return;
    }
    const int most = sized ? numeric.size : NUMERIC_MAX;
    int n = 0;
    if (numeric.data != NULL) {
        n = mjcf_read_numbers(r->diag, numeric.data, value, sized ? 0 : 1, most, MJCF_INF);
    }
    if (n < 0) {
        return;
    }
    numeric.size = sized ? numeric.size : n;
    numeric.value = spec_take(r->spec, (size_t)numeric.size, sizeof *numeric.value);
    if (numeric.value != NULL) {
        memcpy(numeric.value, value, (size_t)n * sizeof *value);
        keep(r, &r->spec->numeric, &numeric, sizeof numeric);
    }
}

static void read_text(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    spec_text text = {.head.xml = xml};
    mjcf_read_attrs(r, rule, xml, false, &text);
    if (text.data != NULL && text.data[0] == 0) {
        mjcf_error(r, xml->place, NULL, "data in <text> must not be empty");
    }
    keep(r, &r->spec->text, &text, sizeof text);
}

static void read_tuple(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    spec_tuple tuple = {.head.xml = xml};
    mjcf_read_attrs(r, rule, xml, false, &tuple);
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *inner = mjcf_rule_of(r, child, MJCF_IN_TUPLE);
        if (inner != NULL) {
            spec_element element = {.head.xml = child};
            mjcf_read_attrs(r, inner, child, false, &element);
            keep(r, &tuple.element, &element, sizeof element);
        }
    }
    if (xml->child == NULL) {
        mjcf_error(r, xml->place, NULL, "a <tuple> needs at least one <element>");
    }
    keep(r, &r->spec->tuple, &tuple, sizeof tuple);
}

void mjcf_read_custom(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_CUSTOM);
        if (rule != NULL && rule->element == MJCF_EL_NUMERIC) {
            read_numeric(r, rule, child);
        } else if (rule != NULL && rule->element == MJCF_EL_TEXT) {
            read_text(r, rule, child);
        } else if (rule != NULL) {
            read_tuple(r, rule, child);
        }
    }
}

/* ---- compiling ---- */

static void find_element(spec_work *w, spec_element *e)
{
    const struct {
        const char *word;
        int type;
        const spec_names *names;
    } kinds[] = {
        {"body", SAL_OBJ_BODY, &w->bodies},
        {"xbody", SAL_OBJ_XBODY, &w->bodies},
        {"joint", SAL_OBJ_JOINT, &w->joints},
        {"geom", SAL_OBJ_GEOM, &w->geoms},
        {"site", SAL_OBJ_SITE, &w->sites},
        {"camera", SAL_OBJ_CAMERA, &w->cameras},
        {"tendon", SAL_OBJ_TENDON, &w->tendons},
        {"actuator", SAL_OBJ_ACTUATOR, &w->actuators},
        {"equality", SAL_OBJ_EQUALITY, &w->equalities},
        {"sensor", SAL_OBJ_SENSOR, &w->sensors},
        {"key", SAL_OBJ_KEY, &w->keys},
        {"numeric", SAL_OBJ_NUMERIC, &w->numerics},
        {"text", SAL_OBJ_TEXT, &w->texts},
        {"tuple", SAL_OBJ_TUPLE, &w->tuples},
    };
    static const char *const others[] = {"light",   "mesh",     "skin", "hfield",
                                         "texture", "material", "pair", "exclude"};
    e->type = SAL_OBJ_NONE;
    e->id = -1;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(e->objtype, kinds[i].word) == 0) {
            e->type = kinds[i].type;
            e->id = spec_find(w, kinds[i].names, &e->head, "objname", e->objname);
            return;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(e->objtype, others[i]) == 0) {
            return;
        }
    }
    spec_error(w, &e->head, "objtype", NULL, "objtype in <element> cannot be '%.60s'", e->objtype);
}

void spec_compile_tuples(spec_work *w)
{
    for (int i = 0; i < w->spec->tuple.n; i++) {
        const spec_tuple *tuple = w->spec->tuple.item[i];
        for (int k = 0; k < tuple->element.n; k++) {
            spec_element *e = tuple->element.item[k];
            if (e->objtype != NULL && e->objname != NULL) { /* else reported */
                find_element(w, e);
            }
        }
    }
}

void spec_size_custom(const mjcf_spec *spec, sal_model *m)
{
    m->nnumeric = spec->numeric.n;
    m->ntext = spec->text.n;
    m->ntuple = spec->tuple.n;
    for (int i = 0; i < spec->numeric.n; i++) {
        m->nnumericdata += ((const spec_numeric *)spec->numeric.item[i])->size;
    }
    for (int i = 0; i < spec->text.n; i++) {
        m->ntextdata += (int)strlen(((const spec_text *)spec->text.item[i])->data) + 1;
    }
    for (int i = 0; i < spec->tuple.n; i++) {
        m->ntupledata += ((const spec_tuple *)spec->tuple.item[i])->element.n;
    }
}

void spec_fill_custom(const mjcf_spec *spec, sal_model *m)
{
    int adr = 0;
    for (int i = 0; i < m->nnumeric; i++) {
        const spec_numeric *s = spec->numeric.item[i];
        m->numeric_adr[i] = adr;
        m->numeric_size[i] = s->size;
        memcpy(m->numeric_data + adr, s->value, (size_t)s->size * sizeof(double));
        adr += s->size;
    }
    adr = 0;
    for (int i = 0; i < m->ntext; i++) {
        const spec_text *s = spec->text.item[i];
        m->text_adr[i] = adr;
        memcpy(m->text_data + adr, s->data, strlen(s->data) + 1);
        adr += (int)strlen(s->data) + 1;
    }
    adr = 0;
    for (int i = 0; i < m->ntuple; i++) {
        const spec_tuple *s = spec->tuple.item[i];
        m->tuple_adr[i] = adr;
        m->tuple_size[i] = s->element.n;
        for (int k = 0; k < s->element.n; k++, adr++) {
            const spec_element *e = s->element.item[k];
            m->tuple_objtype[adr] = e->type;
            m->tuple_objid[adr] = e->id;
            m->tuple_objprm[adr] = e->prm;
        }
    }
}
