#include "problems/read.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

static const char *const quantity_name[] = {
#define QUANTITY_NAME(code, name) name,
    SAL_QUANTITY_LIST(QUANTITY_NAME)
#undef QUANTITY_NAME
};
enum { NQUANTITY = sizeof quantity_name / sizeof quantity_name[0] };

/* ---- what a term is about ---- */

/* An attribute that the grammar does not know, and has complained about. */
static bool misspelt(const sal_xml *element)
{
    const sal_rules *rules = sal_grammar_element("term");
    for (int i = 0; i < element->nattr; i++) {
        if (sal_grammar_attribute(rules, element->attr[i].name) == NULL) {
            return true;
        }
    }
    return false;
}

/* The one attribute that names a quantity; NULL after an error. */
static const sal_xml_attr *find_quantity(sal_reader *r, const sal_xml *element, sal_term *term)
{
    const sal_xml_attr *found = NULL;
    for (int i = 0; i < element->nattr; i++) {
        const sal_xml_attr *a = &element->attr[i];
        for (int k = 0; k < NQUANTITY; k++) {
            if (strcmp(a->name, quantity_name[k]) != 0) {
                continue;
            }
            if (found != NULL) {
                sal_diag_error(r->diag, a->name_place, "make two terms of it",
                               "a term is about one quantity, not both '%s' and '%s'", found->name,
                               a->name);
                return NULL;
            }
            found = a;
            term->quantity = (sal_quantity)k;
        }
    }
    if (found == NULL && !misspelt(element)) {
        sal_diag_error(
            r->diag, element->place,
            "give it one of ctrl, force, joint, sensor, slip, impact, normal, flat, level, "
            "distance",
            "the term is about nothing");
    }
    return found;
}

/* ---- the objects it names ---- */

/* A geom on a body that moves whose two ends tell whether it lies flat: both as points; false after an error. */
static bool find_ends(sal_reader *r, const sal_word *word, int ends[2])
{
    const sal_model *m = r->p->model;
    const int geom = sal_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_NONE, word, NULL);
    if (geom < 0) {
        return false;
    }
    const int type = m->geom_type[geom];
    if (type != SAL_GEOM_CAPSULE && type != SAL_GEOM_CYLINDER && type != SAL_GEOM_BOX) {
        sal_diag_error(r->diag, word->place, "use a capsule, cylinder or box",
                       "geom '%s' has no two ends", word->text);
        return false;
    }
    for (int k = 0; k < 2; k++) {
        sal_word end = *word;
        const size_t n = strlen(word->text);
        end.text[n < SAL_WORD_MAX - 1 ? n : SAL_WORD_MAX - 2] = k == 0 ? '+' : '-';
        end.text[n < SAL_WORD_MAX - 1 ? n + 1 : SAL_WORD_MAX - 1] = 0;
        ends[k] = sal_reader_point(r, &end);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

/* Why a term cannot be about a sensor of this type, and what can be done instead; NULL: it can. */
static const char *why_no_term(int type, const char **help)
{
    switch (type) {
    case SAL_SENS_USER:
        *help = NULL;
        return "is the user's own and has no value";
    case SAL_SENS_CLOCK:
        *help = NULL;
        return "does not depend on the motion";
    case SAL_SENS_ACTUATORFRC:
    case SAL_SENS_JOINTACTFRC:
    case SAL_SENS_TENDONACTFRC:
        *help = "a term about 'ctrl' or 'force' weighs what actuators do";
        return "follows from the controls, which are found after the motion";
    default:
        return NULL;
    }
}

static int find_sensor(sal_reader *r, const sal_word *word)
{
    const int sensor = sal_reader_find(r, SAL_OBJ_SENSOR, SAL_OBJ_NONE, word, NULL);
    const char *help,
        *why = sensor < 0 ? NULL : why_no_term(r->p->model->sensor_type[sensor], &help);
    if (why != NULL) {
        sal_diag_error(r->diag, word->place, help, "sensor '%s' %s", word->text, why);
        return -1;
    }
    return sensor;
}

/* What the word names, as sal_term.object keeps it: one index, or two points; 0 after an error. */
static int find_objects(sal_reader *r, const sal_term *term, const sal_word *word, int object[2])
{
    bool body = false;
    object[0] = -1;
    switch (term->quantity) {
    case SAL_QTY_CTRL:
    case SAL_QTY_FORCE:
        object[0] = sal_reader_find(r, SAL_OBJ_ACTUATOR, SAL_OBJ_NONE, word, NULL);
        break;
    case SAL_QTY_JOINT:
        object[0] = sal_reader_find(r, SAL_OBJ_JOINT, SAL_OBJ_NONE, word, NULL);
        break;
    case SAL_QTY_SENSOR:
        object[0] = find_sensor(r, word);
        break;
    case SAL_QTY_SLIP:
    case SAL_QTY_IMPACT:
    case SAL_QTY_LEVEL:
        object[0] = sal_reader_point(r, word);
        break;
    case SAL_QTY_NORMAL:
        object[0] = sal_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_BODY, word, &body);
        break;
    case SAL_QTY_FLAT:
        return find_ends(r, word, object) ? 2 : 0;
    case SAL_QTY_DISTANCE: /* see distances */
        return 0;
    }
    const bool found = object[0] >= 0;
    object[0] = body ? -1 - object[0] : object[0];
    return found ? 1 : 0;
}

static bool is_all(const sal_term *term, const sal_xml_attr *attr)
{
    return strcmp(attr->value, "all") == 0 &&
           (term->quantity == SAL_QTY_CTRL || term->quantity == SAL_QTY_FORCE ||
            term->quantity == SAL_QTY_JOINT);
}

static void all_objects(sal_reader *r, sal_term *term, const sal_xml_attr *attr)
{
    const bool joints = term->quantity == SAL_QTY_JOINT;
    const int n = sal_model_count(r->p->model, joints ? SAL_OBJ_JOINT : SAL_OBJ_ACTUATOR);
    if (n == 0) {
        sal_diag_error(r->diag, attr->value_place, NULL, "the model has no %s",
                       joints ? "joints" : "actuators");
    }
    term->object = sal_reader_alloc(r, (size_t)n, sizeof *term->object);
    for (int i = 0; i < n && term->object != NULL; i++) {
        term->object[i] = i;
    }
    term->nobject = term->object == NULL ? 0 : n;
}

static bool named_before(const sal_term *term, int object)
{
    for (int i = 0; i < term->nobject; i++) {
        if (term->object[i] == object) {
            return true;
        }
    }
    return false;
}

/* Whether the geom (or, for -1 - body, a geom of the body) is in any pair that may ever touch. */
static bool touches(const sal_model *m, int object)
{
    for (int i = 0; i < m->npair; i++) {
        const int one = m->pair_geom1[i], two = m->pair_geom2[i];
        if (object >= 0
                ? one == object || two == object
                : m->geom_bodyid[one] == -1 - object || m->geom_bodyid[two] == -1 - object) {
            return true;
        }
    }
    return false;
}

/* A term about forces of contact that cannot be has no effect. */
static void check_touch(sal_reader *r, const sal_term *term, int object, const sal_word *word)
{
    const bool normal = term->quantity == SAL_QTY_NORMAL;
    const bool by_force =
        term->by_force && (term->quantity == SAL_QTY_SLIP || term->quantity == SAL_QTY_IMPACT);
    if ((normal && !touches(r->p->model, object)) ||
        (by_force && !touches(r->p->model, r->p->point_geom[object]))) {
        sal_diag_error(r->diag, word->place,
                       "look at its contype and conaffinity, and at excluded pairs",
                       "'%s' never touches anything: it has no effect on the term", word->text);
    }
}

static void named_objects(sal_reader *r, sal_term *term, const sal_xml *element,
                          const sal_xml_attr *attr)
{
    sal_word word = {.attr = attr};
    term->object =
        sal_reader_alloc(r, 2 * (size_t)sal_reader_count_words(attr), sizeof *term->object);
    if (term->quantity == SAL_QTY_SENSOR && term->object != NULL &&
        sal_reader_whole(r, &word, element, attr->name)) {
        term->nobject = find_objects(r, term, &word, term->object);
        return;
    }
    while (term->object != NULL && sal_reader_word(r, &word)) {
        int object[2];
        const int n = find_objects(r, term, &word, object);
        if (n > 0 && term->quantity != SAL_QTY_LEVEL && named_before(term, object[0])) {
            sal_diag_error(r->diag, word.place, "remove one of the two", "'%s' is named twice",
                           word.text);
        }
        for (int k = 0; k < n; k++) {
            check_touch(r, term, object[k], &word);
            term->object[term->nobject++] = object[k];
        }
    }
}

/* Two geoms that have a distance, which can change. */
static bool check_distance(sal_reader *r, const sal_word *word, const int geom[2])
{
    const sal_model *m = r->p->model;
    const int type1 = m->geom_type[geom[0]], type2 = m->geom_type[geom[1]];
    const int body1 = m->geom_bodyid[geom[0]], body2 = m->geom_bodyid[geom[1]];
    if (type1 <= SAL_GEOM_HFIELD && type2 <= SAL_GEOM_HFIELD) {
        sal_diag_error(r->diag, word->place, "name at least one geom that is no plane",
                       "two planes have no distance");
        return false;
    }
    if (m->body_weldid[body1] == m->body_weldid[body2]) {
        sal_diag_error(r->diag, word->place, NULL,
                       "'%s' and the geom before it move as one: their distance never changes",
                       word->text);
        return false;
    }
    return true;
}

/* Geoms two by two. */
static void distances(sal_reader *r, sal_term *term, const sal_xml_attr *attr)
{
    sal_word word = {.attr = attr};
    term->object = sal_reader_alloc(r, (size_t)sal_reader_count_words(attr), sizeof *term->object);
    while (term->object != NULL && sal_reader_word(r, &word)) {
        int *geom = r->p->distance[r->p->ndistance];
        geom[0] = sal_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_NONE, &word, NULL);
        if (!sal_reader_word(r, &word)) {
            return;
        }
        geom[1] = sal_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_NONE, &word, NULL);
        if (geom[0] >= 0 && geom[1] >= 0 && check_distance(r, &word, geom)) {
            term->object[term->nobject++] = r->p->ndistance++;
        }
    }
}

static bool has_floor(const sal_model *m)
{
    for (int g = 0; g < m->ngeom; g++) {
        if (m->geom_type[g] == SAL_GEOM_PLANE && m->body_weldid[m->geom_bodyid[g]] == 0) {
            return true;
        }
    }
    return false;
}

static void read_objects(sal_reader *r, sal_term *term, const sal_xml *element,
                         const sal_xml_attr *attr)
{
    const int nword = sal_reader_count_words(attr);
    const bool distance = term->quantity == SAL_QTY_DISTANCE;
    if ((term->quantity == SAL_QTY_LEVEL || distance) && nword % 2 != 0) {
        sal_diag_error(r->diag, attr->value_place,
                       distance ? "each two of them have a distance"
                                : "each two of them are compared",
                       "%s wants an even number of %s, not %d", attr->name,
                       distance ? "geoms" : "points", nword);
    }
    if (r->p->model == NULL) {
        return;
    }
    if (distance) {
        distances(r, term, attr);
        return;
    }
    if (is_all(term, attr)) {
        all_objects(r, term, attr);
        return;
    }
    const bool floor = term->quantity == SAL_QTY_SLIP || term->quantity == SAL_QTY_IMPACT ||
                       term->quantity == SAL_QTY_FLAT || term->quantity == SAL_QTY_LEVEL;
    if (floor && !has_floor(r->p->model)) {
        sal_diag_error(r->diag, attr->name_place, "a floor is a plane geom that does not move",
                       "'%s' needs a floor, and the model has none", attr->name);
    }
    named_objects(r, term, element, attr);
}

/* ---- how it is measured ---- */

static void read_target(sal_reader *r, const sal_xml *element, sal_term *term)
{
    const sal_xml_attr *attr = sal_xml_find_attr(element, "target");
    const int n = sal_grammar_reals("term", element, "target", NULL, 0);
    const int size =
        r->p->model == NULL || term->nobject == 0 ? 0 : sal_term_dim(r->p->model, term);
    if (attr == NULL || size == 0) {
        return;
    }
    if (n != 1 && n != size) {
        sal_diag_error(r->diag, attr->value_place, "a single number stands for all",
                       "target has %d numbers; the residual has %d", n, size);
        return;
    }
    term->target = sal_reader_alloc(r, (size_t)size, sizeof *term->target);
    if (term->target != NULL) {
        term->ntarget = size;
        sal_grammar_reals("term", element, "target", term->target, n);
        for (int i = n; i < size; i++) {
            term->target[i] = term->target[0];
        }
    }
}

static void read_norm(sal_reader *r, const sal_xml *element, sal_term *term)
{
    const int kind = sal_grammar_choice("term", element, "norm");
    const sal_xml_attr *p = sal_xml_find_attr(element, "p"), *q = sal_xml_find_attr(element, "q");
    term->norm.kind = (sal_norm_kind)kind;
    term->norm.p = sal_grammar_real("term", element, "p");
    term->norm.q = sal_grammar_real("term", element, "q");
    if (term->norm.kind == SAL_NORM_POWER && (p == NULL || term->norm.p < 1)) {
        sal_diag_error(r->diag, sal_reader_place(element, p == NULL ? "norm" : "p"),
                       "such as p=\"1.5\"", "norm power needs its exponent p, at least 1");
    }
    if (p != NULL && term->norm.kind == SAL_NORM_QUADRATIC) {
        sal_diag_warning(r->diag, p->name_place, "set a norm that uses it",
                         "'p' has no effect on the quadratic norm");
    }
    if (q != NULL && term->norm.kind != SAL_NORM_SMOOTHABS2) {
        sal_diag_warning(r->diag, q->name_place, NULL, "only the norm smoothabs2 uses 'q'");
    }
}

static void read_weight(sal_reader *r, const sal_xml *element, sal_term *term)
{
    const double sigma = sal_grammar_real("term", element, "sigma");
    const double soft = sal_grammar_real("term", element, "softweight");
    const sal_xml_attr *weight = sal_xml_find_attr(element, "weight");
    term->weight = sal_grammar_real("term", element, "weight");
    if (!isnan(sigma)) {
        term->weight = 1 / (sigma * sigma);
        if (weight != NULL) {
            sal_diag_error(r->diag, sal_xml_find_attr(element, "sigma")->name_place,
                           "sigma means weight = 1/sigma²; remove one of the two",
                           "a term has a weight or a sigma, not both");
        }
    }
    term->softweight = isnan(soft) ? term->weight : soft;
    if (term->weight == 0 && term->softweight == 0) {
        sal_diag_warning(r->diag, sal_reader_place(element, "weight"), NULL,
                         "weight 0: the term has no effect");
    }
}

/* Attributes that only some quantities understand. */
static void check_use(sal_reader *r, const sal_xml *element, const sal_term *term)
{
    enum {
        FREE = 1U << SAL_QTY_CTRL | 1U << SAL_QTY_FORCE | 1U << SAL_QTY_JOINT |
               1U << SAL_QTY_SENSOR | 1U << SAL_QTY_NORMAL | 1U << SAL_QTY_DISTANCE,
        MOVING = 1U << SAL_QTY_SLIP | 1U << SAL_QTY_IMPACT,
        HIGH = 1U << SAL_QTY_FLAT | 1U << SAL_QTY_LEVEL
    };
    static const struct {
        const char *name;
        unsigned quantities; /* bits */
        const char *help;
    } use[] = {
        {"of",     1U << SAL_QTY_JOINT, "only 'joint' has it"                                                },
        {"target", FREE,                "'ctrl', 'force', 'joint', 'sensor', 'normal' and 'distance' have it"},
        {"near",   MOVING,              "only 'slip' and 'impact' have it"                                   },
        {"width",  MOVING | HIGH,       "'slip', 'impact', 'flat' and 'level' have it"                       },
    };
    for (size_t i = 0; i < sizeof use / sizeof use[0]; i++) {
        const sal_xml_attr *a = sal_xml_find_attr(element, use[i].name);
        if (a != NULL && !(use[i].quantities >> term->quantity & 1U)) {
            sal_diag_error(r->diag, a->name_place, use[i].help,
                           "'%s' has no meaning in a term about '%s'", a->name,
                           quantity_name[term->quantity]);
        }
    }
    const sal_xml_attr *width = sal_xml_find_attr(element, "width");
    if (width != NULL && term->by_force) {
        sal_diag_error(r->diag, width->name_place, "remove it, or write near=\"height\"",
                       "the nearness by force has no width");
    }
}

/* ---- terms ---- */

static void read_term(sal_reader *r, const sal_xml *element, sal_term *term)
{
    const char *name = sal_grammar_text("term", element, "name");
    const sal_xml_attr *quantity = find_quantity(r, element, term);
    term->name = sal_reader_copy(r, name == NULL ? "" : name);
    term->order = sal_grammar_choice("term", element, "of");
    term->by_force = sal_grammar_choice("term", element, "near") == 1;
    term->width = sal_grammar_real("term", element, "width");
    read_norm(r, element, term);
    read_weight(r, element, term);
    if (quantity != NULL) {
        check_use(r, element, term);
        read_objects(r, term, element, quantity);
        read_target(r, element, term);
    }
}

static void check_name(sal_reader *r, const sal_xml *element, int k)
{
    const sal_term *term = r->p->term;
    const sal_place place = sal_reader_place(element, "name");
    if (term[k].name == NULL || term[k].name[0] == 0) {
        return;
    }
    if (strlen(term[k].name) > 63 || strpbrk(term[k].name, "[]\n\r\t") != NULL) {
        sal_diag_error(r->diag, place, "at most 63 characters, without brackets",
                       "'%.80s' cannot be the name of a term", term[k].name);
    }
    for (int i = 0; i < k; i++) {
        if (term[i].name != NULL && strcmp(term[i].name, term[k].name) == 0) {
            sal_diag_error(r->diag, place, "names tell terms apart", "two terms are named '%.64s'",
                           term[k].name);
            return;
        }
    }
}

/* Room for the points of all terms. */
static bool allocate(sal_reader *r, const sal_xml *cost)
{
    sal_problem *p = r->p;
    size_t nterm = 0, npoint = 0;
    for (const sal_xml *c = cost->child; c != NULL; c = c->next) {
        nterm += strcmp(c->tag, "term") == 0;
        for (int i = 0; i < c->nattr; i++) {
            npoint += 2 * (size_t)sal_reader_count_words(&c->attr[i]);
        }
    }
    p->term = sal_reader_alloc(r, nterm, sizeof *p->term);
    p->point = sal_reader_alloc(r, npoint, sizeof *p->point);
    p->point_geom = sal_reader_alloc(r, npoint, sizeof *p->point_geom);
    p->distance = sal_reader_alloc(r, npoint, sizeof *p->distance);
    p->point_name = sal_reader_alloc(r, npoint, sizeof *p->point_name);
    return !r->nomem;
}

void sal_read_cost(sal_reader *r)
{
    const sal_xml *cost = sal_reader_element(r, "cost");
    if (cost == NULL || !allocate(r, cost)) {
        return;
    }
    for (const sal_xml *c = cost->child; c != NULL; c = c->next) {
        if (strcmp(c->tag, "term") == 0) {
            read_term(r, c, &r->p->term[r->p->nterm]);
            check_name(r, c, r->p->nterm);
            r->p->nterm++;
        }
    }
}
