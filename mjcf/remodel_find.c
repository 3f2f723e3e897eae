/* remodel_find.c: which records of a spec, and which numbers in them, a path means. */
#include "mjcf/remodel.h"

#include <math.h>
#include <string.h>

/* ---- records ---- */

/* Looks for the records of one element; copies that a <replicate> made stand at the same place. */
typedef struct search {
    const sal_xml *xml;
    void **record;
    int n, capacity;
    int parents; /* where such an element may stand, as bits; 0: not found */
    bool nomem;
} search;

static bool is_it(const search *s, const sal_xml *xml)
{
    return xml != NULL &&
           (xml == s->xml || (xml->place.source != NULL && s->xml->place.source != NULL &&
                              xml->place.offset == s->xml->place.offset));
}

static void look(search *s, const sal_xml *xml, void *record, int parents)
{
    if (!is_it(s, xml)) {
        return;
    }
    void **longer = sal_list_grow(s->record, s->n, &s->capacity, sizeof *longer);
    if (longer == NULL) {
        s->nomem = true;
        return;
    }
    s->record = longer;
    s->record[s->n++] = record;
    s->parents = parents;
}

/* Records that begin with a head. */
static void look_at_list(search *s, const spec_list *list, int parents)
{
    for (int i = 0; i < list->n; i++) {
        look(s, ((const spec_head *)list->item[i])->xml, list->item[i], parents);
    }
}

static void look_at_body(search *s, spec_body *b)
{
    look(s, b->head.xml, b, MJCF_IN_BODY);
    if (b->inertial != NULL) { /* the reader's own, which stays where it is */
        union {
            const spec_inertial *kept;
            void *record;
        } inertial = {b->inertial};
        look(s, b->inertial->head.xml, inertial.record, MJCF_IN_BODY);
    }
    look_at_list(s, &b->joint, MJCF_IN_BODY);
    look_at_list(s, &b->geom, MJCF_IN_BODY);
    look_at_list(s, &b->site, MJCF_IN_BODY);
    look_at_list(s, &b->camera, MJCF_IN_BODY);
}

/* Elements that occur once and are spread over the spec. */
static void look_at_root(search *s, mjcf_spec *spec, const char *tag)
{
    void *record = strcmp(tag, "option") == 0      ? (void *)&spec->option
                   : strcmp(tag, "compiler") == 0  ? (void *)&spec->compiler
                   : strcmp(tag, "statistic") == 0 ? (void *)spec
                                                   : NULL;
    if (record != NULL) {
        look(s, s->xml, record, MJCF_IN_ROOT);
    }
}

static void look_everywhere(search *s, mjcf_spec *spec)
{
    look_at_root(s, spec, s->xml->tag);
    for (int i = 0; i < spec->body.n; i++) {
        look_at_body(s, spec->body.item[i]);
    }
    look_at_list(s, &spec->pair, MJCF_IN_CONTACT);
    look_at_list(s, &spec->equality, MJCF_IN_EQUALITY);
    look_at_list(s, &spec->tendon, MJCF_IN_TENDON);
    for (int i = 0; i < spec->tendon.n; i++) {
        look_at_list(s, &((spec_tendon *)spec->tendon.item[i])->wrap,
                     MJCF_IN_FIXED | MJCF_IN_SPATIAL);
    }
    look_at_list(s, &spec->actuator, MJCF_IN_ACTUATOR);
    look_at_list(s, &spec->sensor, MJCF_IN_SENSOR);
    look_at_list(s, &spec->mesh, MJCF_IN_ASSET);
}

/* ---- attributes ---- */

static const mjcf_attr *find_attr(const mjcf_rule *rule, const char *name)
{
    for (const mjcf_attr *a = rule->attr; a != NULL && a->name != NULL; a++) {
        if (strcmp(a->name, name) == 0) {
            return a;
        }
    }
    return NULL;
}

/* The names that could have been meant: those of numbers. */
static const char *nearest(const mjcf_rule *rule, const char *name, bool body)
{
    enum { MOST = 64 };
    const char *known[MOST];
    size_t n = 0;
    for (const mjcf_attr *a = rule->attr; a->name != NULL && n < MOST - 3; a++) {
        if (a->kind == MJCF_REALS) {
            known[n++] = a->name;
        }
    }
    if (body) {
        known[n++] = "mass";
        known[n++] = "com";
        known[n++] = "inertia";
    }
    return sal_text_nearest(name, known, n);
}

static sal_status no_attribute(const mjcf_rule *rule, const mjcf_attr *attr, const char *path,
                               const char *name, sal_err *err)
{
    const bool body = rule->element == MJCF_EL_BODY;
    const char *near = nearest(rule, name, body);
    if (attr != NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': the attribute %s of <%s> cannot be a parameter: it is not a "
                        "real number that affects the motion",
                        path, name, rule->tag);
    }
    return sal_fail(err, SAL_BADINPUT, "'%.200s': <%s> has no attribute '%.100s'%s%s%s", path,
                    rule->tag, name, near == NULL ? "" : "; did you mean '",
                    near == NULL ? "" : near, near == NULL ? "" : "'?");
}

/* How many of a geom's sizes mean something. */
static int sizes(int type)
{
    static const int n[SAL_NGEOMTYPES] = {
        [SAL_GEOM_PLANE] = 3,     [SAL_GEOM_SPHERE] = 1,   [SAL_GEOM_CAPSULE] = 2,
        [SAL_GEOM_ELLIPSOID] = 3, [SAL_GEOM_CYLINDER] = 2, [SAL_GEOM_BOX] = 3,
    };
    return n[type] > 0 ? n[type] : 1;
}

static bool is_size(const mjcf_rule *rule, const mjcf_attr *attr)
{
    return (rule->element == MJCF_EL_GEOM || rule->element == MJCF_EL_SITE) &&
           strcmp(attr->name, "size") == 0;
}

static int type_of(const mjcf_rule *rule, const void *record)
{
    const spec_geom *g = record;
    const spec_site *s = record;
    return rule->element == MJCF_EL_GEOM ? g->type : s->type;
}

static bool one_for_all(const mjcf_rule *rule, const mjcf_attr *attr, const void *record)
{
    if (is_size(rule, attr)) {
        const int type = type_of(rule, record);
        return type == SAL_GEOM_BOX || type == SAL_GEOM_ELLIPSOID;
    }
    return rule->element == MJCF_EL_MESH && strcmp(attr->name, "scale") == 0;
}

static bool is_angle(const mjcf_loose *l)
{
    static const char *const names[] = {"ref", "springref", "range"};
    if (l->kind != SAL_LOOSE_NUMBERS || l->rule->element == MJCF_EL_FIXED ||
        l->rule->element == MJCF_EL_SPATIAL || (l->rule->parents & MJCF_IN_ACTUATOR) != 0) {
        return false;
    }
    if (strcmp(l->attr->name, "euler") == 0) {
        return true;
    }
    if (l->rule->element != MJCF_EL_JOINT) {
        return false;
    }
    const int type = ((const spec_joint *)l->record[0])->type;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(l->attr->name, names[i]) == 0) {
            return type == SAL_JNT_HINGE || type == SAL_JNT_BALL;
        }
    }
    return false;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

/* By what they are, also where MJCF does not insist. */
static bool numbers_are_positive(const mjcf_loose *l)
{
    static const char *const names[] = {"size",      "damping",  "armature", "frictionloss",
                                        "stiffness", "kp",       "kv",       "density",
                                        "viscosity", "friction", "solmix",   NULL};
    if (l->kind == SAL_LOOSE_NUMBERS) {
        return (l->attr->flags & (MJCF_NONNEG | MJCF_POSITIVE)) != 0 ||
               is_one_of(l->attr->name, names);
    }
    return l->kind == SAL_LOOSE_MASS;
}

static const char *unit_of(const mjcf_loose *l, bool degrees)
{
    static const char *const lengths[] = {"size",   "fromto",      "margin", "gap",
                                          "anchor", "cranklength", NULL};
    const char *name = l->attr == NULL ? "" : l->attr->name;
    if (l->kind == SAL_LOOSE_MASS || strcmp(name, "mass") == 0) {
        return "kg";
    }
    if (l->kind == SAL_LOOSE_COM || l->kind == SAL_LOOSE_VERTICES || strcmp(name, "pos") == 0 ||
        is_one_of(name, lengths)) {
        return "m";
    }
    if (is_angle(l)) {
        return degrees ? "deg" : "rad";
    }
    if (l->attr != NULL && l->rule->element == MJCF_EL_OPTION) {
        return strcmp(name, "gravity") == 0 ? "m/s^2" : strcmp(name, "wind") == 0 ? "m/s" : "";
    }
    return strcmp(name, "density") == 0 ? "kg/m^3" : strcmp(name, "fovy") == 0 ? "deg" : "";
}

/* ---- new ones ---- */

/* One more at the end of an array; NULL without memory. */
static void *grow(void *array, int n, size_t size)
{
    void *bigger = sal_alloc((size_t)n + 1, size);
    if (bigger != NULL && n > 0) {
        memcpy(bigger, array, (size_t)n * size);
    }
    if (bigger != NULL) {
        sal_free(array);
    }
    return bigger;
}

/* The same numbers by another path, or -1. */
static int find_same(const sal_remodel *r, const mjcf_loose *l, const char *path)
{
    for (int i = 0; i < r->nloose; i++) {
        const mjcf_loose *o = &r->loose[i];
        const bool text = l->kind == SAL_LOOSE_NUMBERS && l->nrecord == 0;
        if (o->kind == l->kind && o->set == l->set && o->attr == l->attr &&
            (text ? strcmp(o->path, path) == 0
                  : l->nrecord == 0 || (o->nrecord > 0 && o->record[0] == l->record[0]))) {
            return i;
        }
    }
    return -1;
}

static void clear_loose(mjcf_loose *l)
{
    sal_free(l->path);
    sal_free(l->record);
    sal_free(l->value);
}

static sal_status add_loose(sal_remodel *r, mjcf_loose *l, const char *path, sal_err *err)
{
    r->found = find_same(r, l, path);
    if (r->found >= 0) {
        clear_loose(l);
        return SAL_OK;
    }
    const size_t length = strlen(path) + 1;
    l->path = sal_alloc(length, 1);
    mjcf_loose *bigger = grow(r->loose, r->nloose, sizeof *l);
    r->loose = bigger == NULL ? r->loose : bigger;
    if (bigger == NULL || l->path == NULL || l->value == NULL) {
        clear_loose(l);
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memcpy(l->path, path, length);
    l->ngiven = l->said;
    memcpy(l->value + l->n, l->value, (size_t)l->n * sizeof *l->value);
    r->found = r->nloose;
    r->loose[r->nloose++] = *l;
    return SAL_OK;
}

/* What is said of that body; -1 without memory. */
static int set_of(sal_remodel *r, spec_body *body)
{
    for (int i = 0; i < r->nset; i++) {
        if (r->set[i].body == body) {
            return i;
        }
    }
    mjcf_body_set *bigger = grow(r->set, r->nset, sizeof *bigger);
    spec_body_set *said = sal_alloc(1, sizeof *said);
    r->set = bigger == NULL ? r->set : bigger;
    if (bigger == NULL || said == NULL) {
        sal_free(said);
        return -1;
    }
    said->mass = said->com[0] = said->inertia[0] = (double)NAN;
    r->set[r->nset] = (mjcf_body_set){body, said};
    return r->nset++;
}

/* The number of the body in the nominal model; -1: it has become a part of another. */
static int body_id(const sal_remodel *r, const spec_body *body)
{
    if (r->memory.spec.body.n != r->nominal->nbody) { /* fused: what is left has names */
        return body->head.name == NULL ? -1
                                       : sal_model_find(r->nominal, SAL_OBJ_BODY, body->head.name);
    }
    for (int i = 0; i < r->spec.body.n; i++) {
        if (r->spec.body.item[i] == body) {
            return i;
        }
    }
    return -1;
}

/* Mass, centre of mass, inertia R diag(I) R' of the nominal body. */
static void body_nominal(const sal_model *m, int b, double value[10])
{
    const double *inertia = m->body_inertia + 3 * b;
    double rot[9], full[9];
    sal_quat_matrix(rot, m->body_iquat + 4 * b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            full[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) {
                full[3 * i + j] += rot[3 * i + k] * inertia[k] * rot[3 * j + k];
            }
        }
    }
    value[0] = m->body_mass[b];
    sal_v3_copy(value + 1, m->body_ipos + 3 * b);
    sal_v3_set(value + 4, full[0], full[4], full[8]);
    sal_v3_set(value + 7, full[1], full[2], full[5]);
}

static sal_status loosen_body(sal_remodel *r, const search *s, const char *path,
                              sal_loose_kind kind, sal_err *err)
{
    const int b = body_id(r, s->record[0]);
    double value[10];
    if (s->n > 1 || b < 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': a parameter needs exactly one body of the compiled model, but "
                        "this body is copied by <replicate> or merged with its parent (fusestatic)",
                        path);
    }
    if (!(r->nominal->body_mass[b] > 0)) {
        return sal_fail(
            err, SAL_BADINPUT,
            "'%.200s': the body has no mass, so its inertial properties cannot be parameters",
            path);
    }
    mjcf_loose l = {.kind = kind, .xml = NULL, .set = set_of(r, s->record[0])};
    for (int i = 0; i < r->nloose; i++) {
        const mjcf_loose *o = &r->loose[i];
        if (l.set >= 0 && o->set == l.set && o->kind != kind &&
            (kind == SAL_LOOSE_INERTIA || o->kind == SAL_LOOSE_INERTIA)) {
            return sal_fail(err, SAL_BADINPUT,
                            "'%.200s' and '%.200s' set the same values (inertia includes mass and "
                            "com); keep one of them",
                            path, o->path);
        }
    }
    body_nominal(r->nominal, b, value);
    l.n = l.said = kind == SAL_LOOSE_MASS ? 1 : kind == SAL_LOOSE_COM ? 3 : 10;
    l.value = l.set < 0 ? NULL : sal_alloc(2 * (size_t)l.n, sizeof *l.value);
    if (l.value != NULL) {
        memcpy(l.value, kind == SAL_LOOSE_COM ? value + 1 : value, (size_t)l.n * sizeof *value);
    }
    return add_loose(r, &l, path, err);
}

static sal_status loosen_vertices(sal_remodel *r, search *s, const char *path, sal_err *err)
{
    const spec_mesh *mesh = s->record[0];
    sal_diag none = {0};
    if (mesh->vertex_attr == NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': the vertices of this mesh are in a file; only those of an "
                        "attribute 'vertex' can be parameters",
                        path);
    }
    const int most = (int)(strlen(mesh->vertex_attr->value) / 2 + 2);
    mjcf_loose l = {.kind = SAL_LOOSE_VERTICES, .record = s->record, .nrecord = 1, .set = -1};
    l.value = sal_alloc(2 * (size_t)most, sizeof *l.value);
    l.n = l.value == NULL ? 0 : mjcf_read_numbers(&none, mesh->vertex_attr, l.value, 0, most, 0);
    l.said = l.n;
    s->record = NULL; /* now the attribute's */
    sal_diag_clear(&none);
    return add_loose(r, &l, path, err);
}

static int count_numbers(const sal_xml_attr *attr)
{
    double value[16];
    sal_diag none = {0};
    const int n = attr == NULL ? 0 : mjcf_read_numbers(&none, attr, value, 0, 16, MJCF_INF);
    sal_diag_clear(&none);
    return n;
}

static sal_status loosen_numbers(sal_remodel *r, search *s, const char *path, const mjcf_rule *rule,
                                 const mjcf_attr *attr, sal_err *err)
{
    const bool actuator = (rule->parents & MJCF_IN_ACTUATOR) != 0;
    const int written = count_numbers(sal_xml_find_attr(s->xml, attr->name));
    mjcf_loose l = {.kind = SAL_LOOSE_NUMBERS,
                    .xml = actuator ? ((spec_head *)s->record[0])->xml : NULL,
                    .rule = rule,
                    .attr = attr,
                    .record = s->record,
                    .nrecord = s->n,
                    .set = -1,
                    .n = attr->hi,
                    .said = written > 0 ? written : attr->lo};
    if (is_size(rule, attr)) {
        l.n = l.said = sizes(type_of(rule, s->record[0]));
    }
    l.alike = one_for_all(rule, attr, s->record[0]);
    l.value = sal_alloc(2 * (size_t)l.n, sizeof *l.value);
    if (l.value != NULL) {
        memcpy(l.value, (const char *)s->record[0] + attr->offset, (size_t)l.n * sizeof *l.value);
    }
    s->record = NULL; /* now the attribute's */
    return add_loose(r, &l, path, err);
}

/* Of a <frame> or <replicate>, which are gone from the spec: numbers of the text. */
static sal_status loosen_text(sal_remodel *r, const search *s, const char *path, const char *name,
                              sal_err *err)
{
    const mjcf_rule *rule = mjcf_find_rule(MJCF_IN_BODY, s->xml->tag);
    const bool known =
        rule != NULL && (rule->element == MJCF_EL_FRAME || rule->element == MJCF_EL_REPLICATE);
    const mjcf_attr *attr = known ? find_attr(rule, name) : NULL;
    sal_diag none = {0};
    if (!known) {
        return sal_fail(err, SAL_BADINPUT, "'%.200s': the numbers of <%s> cannot be parameters",
                        path, s->xml->tag);
    }
    if (attr == NULL || attr->kind != MJCF_REALS) {
        return no_attribute(rule, attr, path, name, err);
    }
    mjcf_loose l = {.kind = SAL_LOOSE_NUMBERS, .rule = rule, .attr = attr, .set = -1};
    const sal_xml_attr *written = sal_xml_find_attr(s->xml, name);
    l.n = l.said = attr->hi;
    l.value = sal_alloc(2 * (size_t)l.n, sizeof *l.value);
    if (l.value != NULL && written != NULL) {
        mjcf_read_numbers(&none, written, l.value, l.n, l.n, attr->flags);
        sal_diag_clear(&none);
    } else if (l.value != NULL && strcmp(name, "pos") != 0 && strcmp(name, "offset") != 0) {
        l.value[0] = (double)NAN;
    }
    return add_loose(r, &l, path, err);
}

/* ---- by path ---- */

static sal_status loosen_found(sal_remodel *r, search *s, const char *path, const char *name,
                               sal_err *err)
{
    static const char *const whole[] = {"mass", "com", "inertia"};
    const mjcf_rule *rule = s->n == 0 ? NULL : mjcf_find_rule(s->parents, s->xml->tag);
    if (rule == NULL) {
        return loosen_text(r, s, path, name, err);
    }
    for (int k = 0; k < 3 && rule->element == MJCF_EL_BODY; k++) {
        if (strcmp(name, whole[k]) == 0) {
            return loosen_body(r, s, path, (sal_loose_kind)(SAL_LOOSE_MASS + k), err);
        }
    }
    const mjcf_attr *attr = find_attr(rule, name);
    if (rule->element == MJCF_EL_MESH && r->memory.spec.meshed) {
        mjcf_remodel_free_meshes(r);
    }
    if (attr != NULL && rule->element == MJCF_EL_MESH && strcmp(name, "vertex") == 0) {
        return loosen_vertices(r, s, path, err);
    }
    if (attr == NULL || attr->kind != MJCF_REALS) {
        return no_attribute(rule, attr, path, name, err);
    }
    if (rule->element == MJCF_EL_OPTION && strcmp(name, "timestep") == 0) {
        return sal_fail(
            err, SAL_BADINPUT,
            "'%.200s': the time step cannot be a parameter; it must be that of the data", path);
    }
    if ((rule->parents & (MJCF_IN_ACTUATOR | MJCF_IN_SENSOR)) != 0 &&
        (strcmp(name, "delay") == 0 || strcmp(name, "interval") == 0)) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.200s': times of actuators and sensors cannot be parameters", path);
    }
    return loosen_numbers(r, s, path, rule, attr, err);
}

sal_status sal_remodel_loosen(sal_remodel *r, const char *path, int *id, sal_err *err)
{
    char name[SAL_XML_ATTRIBUTE_MAX];
    sal_xml *xml;
    sal_status status = sal_xml_find_path(&xml, name, &r->plain, path, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_xml missing = {.tag = NULL};
    char tag[SAL_XML_ATTRIBUTE_MAX];
    if (xml == NULL) { /* an element that occurs once and is not there: its defaults are */
        const size_t n = strcspn(path, "/");
        if (n >= sizeof tag) {
            return sal_fail(err, SAL_BADINPUT, "'%.200s': the model has no such element", path);
        }
        memcpy(tag, path, n);
        tag[n] = 0;
        missing.tag = tag;
    }
    spec_return(&r->spec, &r->memory);
    search s = {.xml = xml == NULL ? &missing : xml};
    look_everywhere(&s, &r->spec);
    if (s.nomem) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
    } else if (s.n == 0 && xml == NULL) {
        status = sal_fail(err, SAL_BADINPUT, "'%.200s': the model has no element <%s>", path, tag);
    } else {
        status = loosen_found(r, &s, path, name, err);
    }
    sal_free(s.record);
    *id = status == SAL_OK ? r->found : -1;
    return status;
}

sal_loose sal_remodel_loose(const sal_remodel *r, int id)
{
    const mjcf_loose *l = &r->loose[id];
    const bool degrees = is_angle(l) && r->spec.compiler.degree;
    return (sal_loose){.path = l->path,
                       .kind = l->kind,
                       .n = l->n,
                       .given = l->ngiven,
                       .value = l->value,
                       .said = l->said,
                       .nominal = l->value + l->n,
                       .least = l->kind == SAL_LOOSE_NUMBERS ? l->attr->lo : l->n,
                       .alike = l->alike,
                       .lower = numbers_are_positive(l) ? 0 : -(double)INFINITY,
                       .unit = unit_of(l, degrees)};
}

int sal_remodel_count(const sal_remodel *r)
{
    return r->nloose;
}

void sal_remodel_write_first(sal_remodel *r, int id, int n)
{
    mjcf_loose *l = &r->loose[id];
    l->ngiven = n > l->ngiven ? n : l->ngiven;
}
