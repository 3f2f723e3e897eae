/* objects.c: what the names in a feature mean that are no plain lists of one kind: points of
 * bodies, geoms or bodies in contact, kinds of energy, the floor, and the quaternions of an
 * orientation. */
#include "problems/read/objects.h"

#include "problems/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- points ---- */

int prb_reader_most_points(const prb_reader *r)
{
    return r->p->model == NULL ? 0 : 8 * r->p->model->ngeom;
}

/* Whether the name is that of a body and of nothing that has a point of its own. */
static bool names_body(const sal_model *m, const char *text)
{
    const size_t n = strlen(text);
    char name[PRB_WORD_MAX];
    memcpy(name, text, n + 1);
    if (n > 1 && strchr("+-", name[n - 1]) != NULL) {
        name[n - 1] = 0;
    }
    return sal_model_find(m, SAL_OBJ_BODY, text) >= 0 &&
           sal_model_find(m, SAL_OBJ_GEOM, text) < 0 && sal_model_find(m, SAL_OBJ_SITE, text) < 0 &&
           sal_model_find(m, SAL_OBJ_GEOM, name) < 0;
}

/* The centre of a geom, with ends or without. */
static int geom_centre(prb_reader *r, const prb_word *word, int geom)
{
    char name[PRB_WORD_MAX + 8];
    const sal_model *m = r->p->model;
    snprintf(name, sizeof name, "%s centre", word->text);
    return prb_reader_moves(r, m->geom_bodyid[geom], word)
               ? prb_reader_add_point(r, name, sal_point_geom(m, geom, 0), geom)
               : -1;
}

/* A point, or the origin of a body; with `centre` the centre of any geom. */
static int place_of(prb_reader *r, bool centre, const prb_word *word)
{
    const sal_model *m = r->p->model;
    const int geom = sal_model_find(m, SAL_OBJ_GEOM, word->text);
    if (geom >= 0 && centre) {
        return geom_centre(r, word, geom);
    }
    if (!names_body(m, word->text)) {
        return prb_reader_point(r, word);
    }
    const int body = sal_model_find(m, SAL_OBJ_BODY, word->text);
    const sal_point point = {.body = body, .plane = -1};
    return prb_reader_moves(r, body, word) ? prb_reader_add_point(r, word->text, point, -1 - body)
                                           : -1;
}

/* Of a corner >= 0, the whole geom (-1), its ends + (-2) and - (-3): as a user would name it. */
static void geom_point_name(const sal_model *m, int geom, int which, char *name, size_t room)
{
    const char *own = sal_model_name(m, SAL_OBJ_GEOM, geom);
    char number[16];
    snprintf(number, sizeof number, "#%d", geom);
    own = own[0] == 0 ? number : own;
    if (which >= 0) {
        snprintf(name, room, "%s corner %d", own, which);
    } else {
        snprintf(name, room, "%s%s", own, which == -1 ? "" : which == -2 ? "+" : "-");
    }
}

/* Adds the corners of a box, the ends of a capsule or cylinder, a sphere to the feature's
 * points. */
static int geom_points(prb_reader *r, prb_feature *f, int geom)
{
    const sal_model *m = r->p->model;
    const int type = m->geom_type[geom];
    const bool box = type == SAL_GEOM_BOX, round = type == SAL_GEOM_SPHERE;
    const int n = box ? 8 : round ? 1 : 2;
    if (!box && !round && type != SAL_GEOM_CAPSULE && type != SAL_GEOM_CYLINDER) {
        return 0;
    }
    for (int k = 0; k < n; k++) {
        char name[PRB_WORD_MAX + 16];
        geom_point_name(m, geom, box ? k : round ? -1 : -2 - k, name, sizeof name);
        const sal_point point = box ? sal_point_corner(m, geom, k)
                                    : sal_point_geom(m, geom,
                                                     round    ? 0
                                                     : k == 0 ? 1
                                                              : -1);
        const int id = prb_reader_add_point(r, name, point, geom);
        bool known = id < 0;
        for (int i = 0; i < f->nobject; i++) {
            known = known || f->object[i] == id;
        }
        if (!known) {
            f->object[f->nobject++] = id;
        }
    }
    return n;
}

bool prb_reader_body_points(prb_reader *r, prb_feature *f, const prb_word *word)
{
    const sal_model *m = r->p->model;
    int n = 0;
    if (!names_body(m, word->text) && !prb_only_shown(m, word->text)) {
        return false;
    }
    const int body = sal_model_find(m, SAL_OBJ_BODY, word->text);
    if (!prb_reader_moves(r, body, word)) {
        return true;
    }
    for (int g = 0; g < m->ngeom; g++) {
        if (m->geom_bodyid[g] == body && prb_touches(m, g, NULL, 0)) {
            n += geom_points(r, f, g);
        }
    }
    if (n == 0) {
        sal_diag_error(r->diag, word->place,
                       "the body needs a sphere, capsule, cylinder or box that can collide",
                       "body '%s' has no geom that can stand on the floor", word->text);
    }
    return true;
}

/* ---- contacts ---- */

static int shape_of(prb_reader *r, const prb_word *word, bool *found)
{
    bool body = false;
    if (prb_only_shown(r->p->model, word->text)) {
        *found = true;
        return -1 - sal_model_find(r->p->model, SAL_OBJ_BODY, word->text);
    }
    const int id = prb_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_BODY, word, &body);
    *found = id >= 0;
    return body ? -1 - id : id;
}

void prb_read_with(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const sal_xml_attr *attr = sal_xml_find_attr(element, "with");
    if (attr == NULL || r->p->model == NULL) {
        return;
    }
    prb_word word = {.attr = attr};
    f->with = prb_reader_alloc(r, (size_t)prb_reader_count_words(attr), sizeof *f->with);
    while (f->with != NULL && prb_reader_word(r, &word)) {
        bool found;
        const int object = shape_of(r, &word, &found);
        if (found) {
            f->with[f->nwith++] = object;
        }
    }
}

/* ---- bodies, energies ---- */

static int find_tree_body(prb_reader *r, const prb_word *word)
{
    const int body = prb_reader_find(r, SAL_OBJ_BODY, SAL_OBJ_NONE, word, NULL);
    if (body >= 0 && !(sal_bulk_mass(r->p->model, body) > 0)) {
        sal_diag_error(r->diag, word->place,
                       "name a body that can move, or one that carries a moving body",
                       "no part of '%.100s' can move", word->text);
        return -1;
    }
    return body;
}

static int energy_of(prb_reader *r, const prb_word *word)
{
    static const char *const kind[] = {"potential", "kinetic", "total"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(word->text, kind[k]) == 0) {
            return k;
        }
    }
    sal_diag_error(r->diag, word->place, "allowed: kinetic, potential, total",
                   "'%.40s' is not a kind of energy", word->text);
    return -1;
}

static int floor_of(prb_reader *r, const prb_word *word)
{
    static const char *const what[] = {"height", "slope"};
    for (int k = 0; k < 2; k++) {
        if (strcmp(word->text, what[k]) == 0) {
            return k;
        }
    }
    sal_diag_error(r->diag, word->place, "allowed: height, slope",
                   "the floor has no quantity '%.40s'", word->text);
    return -1;
}

/* ---- orientations ---- */

/* To unit length; false if there is none. */
static bool normalise(double q[4])
{
    double size = 0;
    for (int i = 0; i < 4; i++) {
        size += q[i] * q[i];
    }
    return size > 0.25 && sal_quat_normalise(q) > 0;
}

/* The target, four numbers for each body, becomes the feature's reference. */
void prb_read_reference(prb_reader *r, const sal_xml *element, prb_feature *f)
{
    const int dim = f->dim;
    f->dim = 4 * f->nobject;
    prb_read_target(r, element, f);
    f->reference = f->target;
    f->target = NULL;
    const int n = f->tabulated ? (r->p->nstep + 1) * f->nobject : f->nobject;
    f->dim = dim;
    for (int k = 0; k < n && f->reference != NULL; k++) {
        if (!normalise(f->reference + 4 * k)) {
            const bool table = sal_xml_find_attr(element, "file") != NULL;
            sal_diag_error(r->diag, prb_reader_place(element, table ? "file" : "target"),
                           "give w x y z; in a table, consecutive quaternions must have the same "
                           "sign (q and -q are the same rotation)",
                           "the target of an orientation must be a quaternion of length 1");
            return;
        }
    }
}

/* ---- the kinds of object ---- */

/* A geom on a body that moves whose two ends tell whether it lies flat: both as points; 0 after an
 * error. */
static int find_ends(prb_reader *r, const prb_word *word, int ends[2])
{
    const sal_model *m = r->p->model;
    const int geom = prb_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_NONE, word, NULL);
    if (geom < 0) {
        return 0;
    }
    const int type = m->geom_type[geom];
    if (type != SAL_GEOM_CAPSULE && type != SAL_GEOM_CYLINDER && type != SAL_GEOM_BOX) {
        sal_diag_error(r->diag, word->place, "use a capsule, cylinder or box",
                       "geom '%s' has no two end points", word->text);
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        prb_word end = *word;
        const size_t n = strlen(word->text);
        end.text[n < PRB_WORD_MAX - 1 ? n : PRB_WORD_MAX - 2] = k == 0 ? '+' : '-';
        end.text[n < PRB_WORD_MAX - 1 ? n + 1 : PRB_WORD_MAX - 1] = 0;
        ends[k] = prb_reader_point(r, &end);
    }
    return ends[0] >= 0 && ends[1] >= 0 ? 2 : 0;
}

/* Why nothing can be about a sensor, and what can be done instead; NULL: it can. */
static const char *why_no_sensor(const sal_model *m, int sensor, const char **help)
{
    if (sal_sensor_feels_actuators(m, sensor)) {
        *help = "with compat=\"3.12\" such sensors leave tendons out";
        return "feels actuators through a tendon, whose forces are computed after the motion";
    }
    if (sal_sensor_reads_actuators(m, sensor)) {
        *help = "use the quantity 'ctrl' or 'force' instead";
        return "depends on the controls, which are computed after the motion";
    }
    switch (m->sensor_type[sensor]) {
    case SAL_SENS_USER:
        *help = NULL;
        return "is a user sensor, which has no value here";
    case SAL_SENS_CLOCK:
        *help = NULL;
        return "does not depend on the motion";
    default:
        return NULL;
    }
}

bool prb_reader_may_read(prb_reader *r, sal_place place, int sensor)
{
    const char *help, *why = why_no_sensor(r->p->model, sensor, &help);
    if (why != NULL) {
        const char *name = sal_model_name(r->p->model, SAL_OBJ_SENSOR, sensor);
        sal_diag_error(r->diag, place, help, "sensor '%s' %s", name == NULL ? "" : name, why);
    }
    return why == NULL;
}

static int find_sensor(prb_reader *r, const prb_word *word, int object[2])
{
    const int sensor = prb_reader_find(r, SAL_OBJ_SENSOR, SAL_OBJ_NONE, word, NULL);
    object[0] = sensor;
    return sensor >= 0 && prb_reader_may_read(r, word->place, sensor);
}


static int is_found(int object[2], int id)
{
    object[0] = id;
    return id >= 0;
}

static int find_actuator(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, prb_reader_find(r, SAL_OBJ_ACTUATOR, SAL_OBJ_NONE, word, NULL));
}

static int find_joint(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, prb_reader_find(r, SAL_OBJ_JOINT, SAL_OBJ_NONE, word, NULL));
}

static int find_tendon(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, prb_reader_find(r, SAL_OBJ_TENDON, SAL_OBJ_NONE, word, NULL));
}

static int find_tree(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, find_tree_body(r, word));
}

static int find_body(prb_reader *r, const prb_word *word, int object[2])
{
    const int body = prb_reader_find(r, SAL_OBJ_BODY, SAL_OBJ_NONE, word, NULL);
    return is_found(object, body) && prb_reader_moves(r, body, word);
}

static int find_shape(prb_reader *r, const prb_word *word, int object[2])
{
    bool found;
    object[0] = shape_of(r, word, &found);
    return found;
}

static int find_point(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, prb_reader_point(r, word));
}

static int find_high_point(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, place_of(r, false, word));
}

static int find_place(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, place_of(r, true, word));
}

static int find_energy(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, energy_of(r, word));
}

static int find_function(prb_reader *r, const prb_word *word, int object[2])
{
    const sal_problem *p = r->p;
    for (int i = 0; i < p->nfunction; i++) {
        if (p->function[i].name != NULL && strcmp(p->function[i].name, word->text) == 0) {
            return is_found(object, i);
        }
    }
    sal_diag_error(r->diag, word->place, "add <function name=\"..\"> with its inputs to <problem>",
                   "there is no <function> '%.64s'", word->text);
    return 0;
}

static int find_floor(prb_reader *r, const prb_word *word, int object[2])
{
    return is_found(object, floor_of(r, word));
}

static int find_marker(prb_reader *r, const prb_word *word, int object[2])
{
    const sal_problem *p = r->p;
    const int site = prb_reader_find(r, SAL_OBJ_SITE, SAL_OBJ_NONE, word, NULL);
    for (int i = 0; i < p->noffset; i++) {
        if (p->offset[i] == site) {
            return is_found(object, i);
        }
    }
    if (site >= 0) {
        sal_diag_error(r->diag, word->place,
                       "add <channel site=\"..\"/> to <data>, or name another site",
                       "no channel measures where the marker of site '%s' is", word->text);
    }
    return 0;
}

/* The type of what `all` stands for and how a word is looked up, by kind. */
static const struct {
    sal_object type;
    int (*find)(prb_reader *r, const prb_word *word, int object[2]);
} kinds[] = {
    [PRB_OBJECT_ACTUATOR] = {SAL_OBJ_ACTUATOR, find_actuator},
    [PRB_OBJECT_JOINT] = {SAL_OBJ_JOINT, find_joint},
    [PRB_OBJECT_SENSOR] = {SAL_OBJ_SENSOR, find_sensor},
    [PRB_OBJECT_TENDON] = {SAL_OBJ_TENDON, find_tendon},
    [PRB_OBJECT_TREE] = {SAL_OBJ_BODY, find_tree},
    [PRB_OBJECT_BODY] = {SAL_OBJ_BODY, find_body},
    [PRB_OBJECT_SHAPE] = {SAL_OBJ_GEOM, find_shape},
    [PRB_OBJECT_FOOTHOLD] = {SAL_OBJ_NONE, find_point},
    [PRB_OBJECT_HIGH_POINT] = {SAL_OBJ_NONE, find_high_point},
    [PRB_OBJECT_PLACE] = {SAL_OBJ_NONE, find_place},
    [PRB_OBJECT_POINT_PAIR] = {SAL_OBJ_NONE, find_point},
    [PRB_OBJECT_GEOM_ENDS] = {SAL_OBJ_NONE, find_ends},
    /* two words: see distances in feature.c */
    [PRB_OBJECT_GEOM_PAIR] = {SAL_OBJ_NONE, NULL},
    [PRB_OBJECT_ENERGY] = {SAL_OBJ_NONE, find_energy},
    [PRB_OBJECT_FLOOR] = {SAL_OBJ_NONE, find_floor},
    [PRB_OBJECT_MARKER] = {SAL_OBJ_NONE, find_marker},
    [PRB_OBJECT_FUNCTION] = {SAL_OBJ_NONE, find_function},
};

sal_object prb_reader_type(prb_object_kind kind)
{
    return kinds[kind].type;
}

int prb_reader_objects(prb_reader *r, prb_object_kind kind, const prb_word *word, int object[2])
{
    return kinds[kind].find(r, word, object);
}
