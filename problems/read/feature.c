/* feature.c: what a term or a constraint is about: one quantity, and the objects it is of. Its
 * target: target.c; its instants: when.c.
 */
#include "problems/floor.h"
#include "problems/read/objects.h"
#include "problems/touch.h"

#include <math.h>
#include <string.h>

/* ---- what it is about ---- */

/* An attribute that the grammar does not know, and has complained about. */
static bool misspelt(const sal_xml *element)
{
    const prb_rules *rules = prb_grammar_element(element->tag);
    for (int i = 0; i < element->nattr; i++) {
        if (prb_grammar_attribute(rules, element->attr[i].name) == NULL) {
            return true;
        }
    }
    return false;
}

/* The one attribute that names a quantity; NULL after an error. */
static const sal_xml_attr *find_quantity(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const sal_xml_attr *found = NULL;
    for (int i = 0; i < element->nattr; i++) {
        const sal_xml_attr *a = &element->attr[i];
        for (int k = 0; k < PRB_NQUANTITY; k++) {
            if (strcmp(a->name, prb_quantity_name(k)) != 0) {
                continue;
            }
            if (found != NULL) {
                sal_diag_error(r->diag, a->name_place, "write two elements instead",
                               "a %s can have only one quantity; this one has '%s' and '%s'",
                               element->tag, found->name, a->name);
                return NULL;
            }
            found = a;
            f->quantity = (prb_quantity_code)k;
        }
    }
    if (found == NULL && !misspelt(element)) {
        sal_text help = {0};
        const prb_rules *rules = prb_grammar_element(element->tag);
        for (int k = 0; k < PRB_NQUANTITY; k++) {
            if (prb_grammar_attribute(rules, prb_quantity_name(k)) != NULL) {
                sal_text_format(&help, "%s%s", k == 0 ? "add one of the attributes " : ", ",
                                prb_quantity_name(k));
            }
        }
        sal_diag_error(r->diag, element->place, help.data, "this <%s> names no quantity",
                       element->tag);
        sal_text_clear(&help);
    }
    return found;
}

/* ---- the objects it names ---- */

static bool is_all(const prb_feature *f, const sal_xml_attr *attr)
{
    return strcmp(attr->value, "all") == 0 && prb_quantity_of(f)->has_all;
}

/* Of geoms: those that move and may touch something. */
static bool is_one_of_all(const sal_model *m, sal_object kind, int i)
{
    return kind != SAL_OBJ_GEOM ||
           (m->body_weldid[m->geom_bodyid[i]] != 0 && prb_touches(m, i, NULL, 0));
}

/* All markers that may be beside their sites. */
static void all_markers(prb_reader *r, prb_feature *f, const sal_xml_attr *attr)
{
    const int n = r->p->noffset;
    f->object = prb_reader_alloc(r, (size_t)n, sizeof *f->object);
    for (int i = 0; i < n && f->object != NULL; i++) {
        f->object[f->nobject++] = i;
    }
    if (n == 0) {
        sal_diag_error(r->diag, attr->value_place, "add <channel site=\"..\"/> to <data>",
                       "no channel measures where the marker of a site is");
    }
}

static void all_objects(prb_reader *r, prb_feature *f, const sal_xml_attr *attr)
{
    if (prb_quantity_of(f)->object == PRB_OBJECT_MARKER) {
        all_markers(r, f, attr);
        return;
    }
    const sal_model *m = r->p->model;
    const sal_object kind = prb_reader_type(prb_quantity_of(f)->object);
    const int n = kind == SAL_OBJ_BODY ? 1 : sal_model_count(m, kind);
    f->object = prb_reader_alloc(r, (size_t)n, sizeof *f->object);
    for (int i = 0; i < n && f->object != NULL; i++) {
        if (is_one_of_all(m, kind, i)) {
            f->object[f->nobject++] = i;
        }
    }
    if (f->nobject == 0) {
        sal_diag_error(r->diag, attr->value_place, NULL, "the model has no %s",
                       kind == SAL_OBJ_JOINT    ? "joints"
                       : kind == SAL_OBJ_TENDON ? "tendons"
                       : kind == SAL_OBJ_GEOM   ? "geoms that move and touch anything"
                                                : "actuators");
    }
}

static bool named_before(const prb_feature *f, int object)
{
    for (int i = 0; i < f->nobject; i++) {
        if (f->object[i] == object) {
            return true;
        }
    }
    return false;
}

/* Forces of a contact that cannot be have no effect. */
static void check_touch(prb_reader *r, const prb_feature *f, int object, const prb_word *word)
{
    const prb_object_kind kind = prb_quantity_of(f)->object;
    const bool loaded = kind == PRB_OBJECT_SHAPE;
    const bool by_force = f->by_force && kind == PRB_OBJECT_FOOTHOLD;
    if (!loaded && !by_force) {
        return;
    }
    const int shape = loaded ? object : r->p->point_geom[object];
    if (!prb_touches(r->p->model, shape, f->with, f->nwith)) {
        const bool ever = prb_touches(r->p->model, shape, NULL, 0);
        sal_diag_error(r->diag, word->place,
                       "check its contype and conaffinity, and the excluded pairs of the model",
                       "'%s' can never touch %s, so it has no effect", word->text,
                       ever ? "what 'with' names" : "anything");
    }
}

static void named_objects(prb_reader *r, prb_feature *f, const sal_xml *element,
                          const sal_xml_attr *attr)
{
    const prb_object_kind kind = prb_quantity_of(f)->object;
    prb_word word = {.attr = attr};
    f->object = prb_reader_alloc(
        r, 2 * (size_t)prb_reader_count_words(attr) + (size_t)prb_reader_most_points(r),
        sizeof *f->object);
    const bool whole = kind == PRB_OBJECT_SENSOR || kind == PRB_OBJECT_FUNCTION;
    if (whole && f->object != NULL && prb_reader_whole(r, &word, element, attr->name)) {
        f->nobject = prb_reader_objects(r, kind, &word, f->object);
        return;
    }
    while (f->object != NULL && prb_reader_word(r, &word)) {
        int object[2];
        if (kind == PRB_OBJECT_FOOTHOLD && prb_reader_body_points(r, f, &word)) {
            continue;
        }
        const int n = prb_reader_objects(r, kind, &word, object);
        if (n > 0 && kind != PRB_OBJECT_POINT_PAIR && named_before(f, object[0])) {
            sal_diag_error(r->diag, word.place, "remove one of the two", "'%s' is named twice",
                           word.text);
        }
        for (int k = 0; k < n; k++) {
            check_touch(r, f, object[k], &word);
            f->object[f->nobject++] = object[k];
        }
    }
}

/* Two geoms that have a distance, which can change. */
static bool check_distance(prb_reader *r, const prb_word *word, const int geom[2])
{
    const sal_model *m = r->p->model;
    const int type1 = m->geom_type[geom[0]], type2 = m->geom_type[geom[1]];
    const int body1 = m->geom_bodyid[geom[0]], body2 = m->geom_bodyid[geom[1]];
    if (type1 <= SAL_GEOM_HFIELD && type2 <= SAL_GEOM_HFIELD) {
        sal_diag_error(r->diag, word->place, "name at least one geom that is no plane",
                       "the distance of two planes is not defined");
        return false;
    }
    if (m->body_weldid[body1] == m->body_weldid[body2]) {
        sal_diag_error(r->diag, word->place, NULL,
                       "'%s' and the geom before it move together, so their distance is constant",
                       word->text);
        return false;
    }
    return true;
}

/* Geoms two by two. */
static void distances(prb_reader *r, prb_feature *f, const sal_xml_attr *attr)
{
    prb_word word = {.attr = attr};
    f->object = prb_reader_alloc(r, (size_t)prb_reader_count_words(attr), sizeof *f->object);
    while (f->object != NULL && prb_reader_word(r, &word)) {
        int *geom = r->p->distance[r->p->ndistance];
        geom[0] = prb_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_NONE, &word, NULL);
        if (!prb_reader_word(r, &word)) {
            return;
        }
        geom[1] = prb_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_NONE, &word, NULL);
        if (geom[0] >= 0 && geom[1] >= 0 && check_distance(r, &word, geom)) {
            f->object[f->nobject++] = r->p->ndistance++;
        }
    }
}

/* Heights are those over planes; what is near by its load may be on a height field. */
static bool is_on_ground(const sal_model *m, const prb_feature *f)
{
    return prb_floor_has(m, SAL_GEOM_PLANE) || (f->by_force && prb_floor_has(m, SAL_GEOM_HFIELD));
}

static void read_objects(prb_reader *r, prb_feature *f, const sal_xml *element,
                         const sal_xml_attr *attr)
{
    const int nword = prb_reader_count_words(attr);
    const prb_object_kind kind = prb_quantity_of(f)->object;
    const bool distance = kind == PRB_OBJECT_GEOM_PAIR;
    if ((kind == PRB_OBJECT_POINT_PAIR || distance) && nword % 2 != 0) {
        sal_diag_error(r->diag, attr->value_place,
                       distance ? "the distance is taken between the first and second geom, the "
                                  "third and fourth, and so on"
                                : "the first point is compared with the second, the third with the "
                                  "fourth, and so on",
                       "%s needs an even number of %s; there are %d", attr->name,
                       distance ? "geoms" : "points", nword);
    }
    if (r->p->model == NULL) {
        return;
    }
    if (distance) {
        distances(r, f, attr);
        return;
    }
    if (is_all(f, attr)) {
        all_objects(r, f, attr);
        return;
    }
    if (prb_object_is_over_floor(kind) && !is_on_ground(r->p->model, f)) {
        sal_diag_error(r->diag, attr->name_place,
                       kind == PRB_OBJECT_FOOTHOLD
                           ? "a floor is a plane geom that does not move; with near=\"force\" a "
                             "height field serves as well"
                           : "a floor is a plane geom that does not move",
                       "'%s' needs a floor, and the model has none", attr->name);
    }
    named_objects(r, f, element, attr);
}

/* An attribute that the quantity does not understand: which others do. */
static void refuse_use(prb_reader *r, const sal_xml *element, const prb_feature *f,
                       const sal_xml_attr *a, unsigned use)
{
    const bool few = use != PRB_USE_TARGET;
    sal_text help = {0};
    for (int k = 0; k < PRB_NQUANTITY; k++) {
        if (((prb_quantity_row(k)->uses & use) != 0) == few) {
            const char *first =
                few ? "it is allowed for " : "it is allowed for all quantities except ";
            sal_text_format(&help, "%s'%s'", help.length > 0 ? ", " : first, prb_quantity_name(k));
        }
    }
    sal_diag_error(r->diag, a->name_place, help.data,
                   "'%s' cannot be used in a %s of the quantity '%s'", a->name, element->tag,
                   prb_quantity_name((int)f->quantity));
    sal_text_clear(&help);
}

/* Attributes that only some quantities understand; of those not named here all do. */
static void check_use(prb_reader *r, const sal_xml *element, const prb_feature *f)
{
    static const struct {
        const char *name;
        unsigned use;
    } part[] = {
        {"of", PRB_USE_OF},     {"near", PRB_USE_NEAR}, {"width", PRB_USE_WIDTH},
        {"with", PRB_USE_WITH}, {"sum", PRB_USE_SUM},   {"target", PRB_USE_TARGET},
    };
    const prb_quantity *q = prb_quantity_of(f);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        const sal_xml_attr *a = sal_xml_find_attr(element, part[i].name);
        if (a != NULL && (q->uses & part[i].use) == 0) {
            refuse_use(r, element, f, a, part[i].use);
        }
    }
    const sal_xml_attr *width = sal_xml_find_attr(element, "width");
    if (width != NULL && f->by_force) {
        sal_diag_error(r->diag, width->name_place, "remove it, or write near=\"height\"",
                       "'width' has no effect with near=\"force\"");
    }
    if ((q->uses & PRB_USE_OF) != 0 && f->order > q->most_order) {
        sal_diag_error(r->diag, prb_reader_place(element, "of"), "allowed: pos, vel",
                       "the acceleration of a tendon is not supported");
    }
}

/* ---- components ---- */

/* x, y, z or a place from 0; -1 if it is neither */
static int component_of(const char *text)
{
    const char *end = text;
    double value;
    if (text[0] >= 'x' && text[0] <= 'z' && text[1] == 0) {
        return text[0] - 'x';
    }
    const bool whole = sal_text_number(text, &end, &value) && *end == 0 && value >= 0 &&
                       value <= 1e6 && value == floor(value);
    return whole ? (int)value : -1;
}

/* Marks component k, a letter's in each object, else of all numbers. The first of those; dim: there
 * is none. */
static int choose(const sal_model *m, const prb_feature *all, bool letter, int k,
                  unsigned char *chosen, int dim)
{
    int first = dim;
    for (int i = 0; i < dim; i++) {
        if ((letter ? prb_feature_part(m, all, i).i : i) == k) {
            first = first < i ? first : i;
            chosen[i] = 1;
        }
    }
    return first;
}

/* The components of one word; *last: the first one of the word before. */
static void add_component(prb_reader *r, const prb_feature *all, unsigned char *chosen, int *last,
                          const prb_word *word)
{
    const int k = component_of(word->text), dim = all->dim;
    const int first = k < 0 ? dim : choose(r->p->model, all, word->text[0] >= 'x', k, chosen, dim);
    if (first == dim) {
        sal_diag_error(r->diag, word->place,
                       k < 0 ? "components are counted from 0; x, y, z mean 0, 1, 2" : NULL,
                       k < 0 ? "'%.40s' is not a component"
                             : "component %.40s does not exist; the quantity has %d components",
                       word->text, dim);
    } else if (first <= *last) {
        sal_diag_error(r->diag, word->place, NULL,
                       "components must be named in increasing order, each only once");
    }
    *last = first;
}

/* f->dim, and which numbers those are */
static void read_components(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const sal_xml_attr *attr = sal_xml_find_attr(element, "component");
    f->dim = f->nobject == 0 ? 0 : prb_feature_dim(r->p->model, f);
    if (attr == NULL || f->dim == 0) {
        return;
    }
    const prb_feature all = *f;
    prb_word word = {.attr = attr};
    int last = -1;
    unsigned char *chosen = prb_reader_alloc(r, (size_t)all.dim, sizeof *chosen);
    f->component = prb_reader_alloc(r, (size_t)all.dim, sizeof *f->component);
    f->dim = 0;
    while (chosen != NULL && prb_reader_word(r, &word)) {
        add_component(r, &all, chosen, &last, &word);
    }
    for (int i = 0; i < all.dim && chosen != NULL && f->component != NULL; i++) {
        if (chosen[i]) {
            f->component[f->dim++] = i;
        }
    }
    sal_free(chosen);
}

/* ---- all of it ---- */

/* The quantity and the numbers of it that count. NULL after an error. */
static const sal_xml_attr *read_quantity(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const char *tag = element->tag;
    const sal_xml_attr *quantity = find_quantity(r, element, f);
    f->order = prb_grammar_choice(tag, element, "of");
    f->by_force = prb_grammar_choice(tag, element, "near") == 1;
    f->width = prb_grammar_real(tag, element, "width");
    f->sum = prb_grammar_choice(tag, element, "sum") == 1;
    if (quantity != NULL) {
        check_use(r, element, f);
        prb_read_with(r, element, f);
        read_objects(r, f, element, quantity);
        if (f->quantity == PRB_QTY_FUNCTION && f->nobject > 0) {
            const prb_function *function = r->p->function + f->object[0];
            f->given = function->given;
            f->ends = function->ends;
            f->nobject = f->given == NULL ? 0 : 1; /* it is missing, which has been said */
        }
    }
    if (r->p->model != NULL && quantity != NULL) {
        read_components(r, element, f);
    }
    return quantity;
}

static void check_name(prb_reader *r, const sal_xml *element, const char *name)
{
    if (strlen(name) > 63 || strpbrk(name, "[]\n\r\t") != NULL) {
        sal_diag_error(r->diag, prb_reader_place(element, "name"),
                       "use at most 63 characters, without square brackets",
                       "'%.80s' is not allowed as the name of a %s", name, element->tag);
    }
}

void prb_read_feature(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const char *tag = element->tag, *name = prb_grammar_text(tag, element, "name");
    f->name = prb_reader_copy(r, name == NULL ? "" : name);
    f->mean = prb_grammar_choice(tag, element, "mean") == 1;
    check_name(r, element, f->name == NULL ? "" : f->name);
    const sal_xml_attr *quantity = read_quantity(r, element, f);
    if (r->p->model != NULL && quantity != NULL) {
        if (prb_quantity_of(f)->turns) {
            prb_read_reference(r, element, f);
        } else {
            prb_read_target(r, element, f);
        }
    }
    prb_read_when(r, element, f);
    if (r->p->model != NULL && quantity != NULL && strcmp(tag, "constraint") == 0) {
        prb_read_always(r, f);
    }
}

void prb_read_input(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    (void)read_quantity(r, element, f);
}

void prb_feature_clear(prb_feature *f)
{
    sal_free(f->name);
    sal_free(f->object);
    sal_free(f->with);
    sal_free(f->reference);
    sal_free(f->fall);
    sal_free(f->arm);
    sal_free(f->component);
    sal_free(f->target);
    sal_free(f->step);
}
