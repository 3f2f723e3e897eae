/* read_custom.c: <custom>: numbers, texts and tuples that a model carries for its users, from the
 * file to the model. */
#include "mjcf/compile.h"
#include "mjcf/reader.h"

#include <string.h>

enum { NUMERIC_MAX = 500, USER_MAX = 1 << 20 }; /* the first is MuJoCo's */

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

/* ---- user data of elements, which is not kept ---- */

/* In the order of spec->nuser */
static const char *const sizes[] = {"nuser_body", "nuser_jnt",    "nuser_geom",     "nuser_site",
                                    "nuser_cam",  "nuser_tendon", "nuser_actuator", "nuser_sensor"};

/* `memory` replaces the two others, which MuJoCo reads beside it in another <size> only. */
static void check_memory(mjcf_reader *r, const sal_xml *size)
{
    const sal_xml_attr *memory = sal_xml_find_attr(size, "memory");
    const sal_xml_attr *other = sal_xml_find_attr(size, "njmax");
    other = other == NULL ? sal_xml_find_attr(size, "nstack") : other;
    if (memory != NULL && other != NULL) {
        mjcf_error(r, other->name_place, NULL, "<size> gives both memory and %s; keep one of them",
                   other->name);
    }
}

/* -1: as many as there are */
static void check_sizes(mjcf_reader *r, const sal_xml *root)
{
    for (const sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        const size_t n = strcmp(xml->tag, "size") == 0 ? sizeof sizes / sizeof sizes[0] : 0;
        if (n > 0) {
            check_memory(r, xml);
        }
        for (size_t k = 0; k < n; k++) {
            const sal_xml_attr *attr = sal_xml_find_attr(xml, sizes[k]);
            if (attr != NULL && r->spec->nuser[k] < -1) {
                mjcf_error(r, attr->value_place, "leave it out",
                           "%s is %d; it must be -1 (as many as there are) or more", attr->name,
                           r->spec->nuser[k]);
            }
        }
    }
}

static void check_user(mjcf_reader *r, const spec_head *head, int k, int n)
{
    const int most = r->spec->nuser[k];
    if (most < 0 || n <= most) {
        return;
    }
    const sal_xml_attr *user = sal_xml_find_attr(head->xml, "user");
    mjcf_error(r, user == NULL ? head->xml->place : user->value_place, "raise it, or leave it out",
               "user has %d number%s%s; %s in <size> allows %d", n, n == 1 ? "" : "s",
               user == NULL ? " (of a class)" : "", sizes[k], most);
}

static void check_list(mjcf_reader *r, const spec_list *list, int k)
{
    for (int i = 0; i < list->n; i++) {
        const spec_head *head = list->item[i];
        check_user(r, head, k, head->nuser);
    }
}

void mjcf_check_users(mjcf_reader *r, const sal_xml *root)
{
    check_sizes(r, root);
    check_list(r, &r->spec->body, 0);
    for (int i = 0; i < r->spec->body.n; i++) {
        const spec_body *body = r->spec->body.item[i];
        check_list(r, &body->joint, 1);
        check_list(r, &body->geom, 2);
        check_list(r, &body->site, 3);
        check_list(r, &body->camera, 4);
    }
    check_list(r, &r->spec->tendon, 5);
    check_list(r, &r->spec->actuator, 6);
    for (int i = 0; i < r->spec->sensor.n; i++) {
        const spec_sensor *s = r->spec->sensor.item[i];
        sal_diag none = {0}; /* reported where it is read */
        const int n =
            s->user_attr == NULL ? 0 : mjcf_read_numbers(&none, s->user_attr, NULL, 0, USER_MAX, 0);
        sal_diag_clear(&none);
        check_user(r, &s->head, 7, n);
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
