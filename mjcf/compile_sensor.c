/* compile_sensor.c: what sensors look at. */
#include "mjcf/compile.h"
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

enum { CONTACT_NUM_MAX = 10000, USER_MAX = 1000 };

static int frame_type(const char *word)
{
    static const struct {
        const char *word;
        int type;
    } types[] = {{"body", SAL_OBJ_BODY},
                 {"xbody", SAL_OBJ_XBODY},
                 {"geom", SAL_OBJ_GEOM},
                 {"site", SAL_OBJ_SITE},
                 {"camera", SAL_OBJ_CAMERA}};
    for (size_t i = 0; i < sizeof types / sizeof types[0] && word != NULL; i++) {
        if (strcmp(types[i].word, word) == 0) {
            return types[i].type;
        }
    }
    return SAL_OBJ_NONE;
}

static int find_frame(spec_work *w, const spec_sensor *s, int type, const char *attr,
                      const char *name)
{
    const spec_names *names = type == SAL_OBJ_GEOM     ? &w->geoms
                              : type == SAL_OBJ_SITE   ? &w->sites
                              : type == SAL_OBJ_CAMERA ? &w->cameras
                                                       : &w->bodies;
    return type == SAL_OBJ_NONE ? -1 : spec_find(w, names, &s->head, attr, name);
}

static void frame_objects(spec_work *w, spec_sensor *s)
{
    s->object_type = frame_type(s->objtype);
    if (s->objname != NULL) {
        s->object_id = find_frame(w, s, s->object_type, "objname", s->objname);
    }
    if ((s->reftype == NULL) != (s->refname == NULL)) {
        spec_error(w, &s->head, s->reftype == NULL ? "refname" : "reftype", NULL,
                   "<%s> gives only one of reftype and refname; give both or neither",
                   s->head.xml->tag);
    } else if (s->refname != NULL) {
        s->ref_type = frame_type(s->reftype);
        s->ref_id = find_frame(w, s, s->ref_type, "refname", s->refname);
    }
}

static void inside_objects(spec_work *w, spec_sensor *s)
{
    frame_objects(w, s);
    if (s->site != NULL) {
        s->ref_type = SAL_OBJ_SITE;
        s->ref_id = spec_find(w, &w->sites, &s->head, "site", s->site);
    }
}

/* The camera; NULL (reported) if its image has no pixels. */
static const spec_camera *has_pixels(spec_work *w, const spec_sensor *s, int camera)
{
    const spec_camera *c = camera < 0 ? NULL : w->spec->camera.item[camera];
    if (c != NULL && (c->resolution[0] < 1 || c->resolution[1] < 1)) {
        spec_error(w, &s->head, "camera", NULL,
                   "the camera '%.100s' has the resolution %d %d; <%s> needs at least 1 pixel each "
                   "way",
                   s->refname, c->resolution[0], c->resolution[1], s->head.xml->tag);
        return NULL;
    }
    return c;
}

/* A site, and the camera that sees it. */
static void projection_objects(spec_work *w, spec_sensor *s)
{
    if (s->object == NULL || s->refname == NULL) {
        return; /* reported as missing */
    }
    s->object_type = SAL_OBJ_SITE;
    s->object_id = spec_find(w, &w->sites, &s->head, "site", s->object);
    s->ref_type = SAL_OBJ_CAMERA;
    s->ref_id = spec_find(w, &w->cameras, &s->head, "camera", s->refname);
    has_pixels(w, s, s->ref_id);
}

static void joint_object(spec_work *w, spec_sensor *s, const char *name)
{
    s->object_type = SAL_OBJ_JOINT;
    s->object_id = spec_find(w, &w->joints, &s->head, "joint", name);
    if (s->object_id < 0) {
        return;
    }
    const spec_joint *j = w->spec->joint.item[s->object_id];
    const bool scalar = j->type == SAL_JNT_HINGE || j->type == SAL_JNT_SLIDE;
    if ((s->type == SAL_SENS_JOINTPOS || s->type == SAL_SENS_JOINTVEL ||
         s->type == SAL_SENS_JOINTACTFRC) &&
        !scalar) {
        spec_error(w, &s->head, "joint", NULL,
                   "<%s> needs a slide or hinge joint; '%.100s' is neither", s->head.xml->tag,
                   name);
    } else if ((s->type == SAL_SENS_BALLQUAT || s->type == SAL_SENS_BALLANGVEL) &&
               j->type != SAL_JNT_BALL) {
        spec_error(w, &s->head, "joint", NULL,
                   "<%s> needs a ball joint; '%.100s' is of another type", s->head.xml->tag, name);
    } else if (s->type >= SAL_SENS_JOINTLIMITPOS && s->type <= SAL_SENS_JOINTLIMITFRC &&
               !j->limited) {
        spec_error(w, &s->head, "joint", NULL, "<%s> needs a joint with limits; '%.100s' has none",
                   s->head.xml->tag, name);
    }
}

static bool is_tendon_sensor(int type)
{
    return type == SAL_SENS_TENDONPOS || type == SAL_SENS_TENDONVEL ||
           type == SAL_SENS_TENDONACTFRC ||
           (type >= SAL_SENS_TENDONLIMITPOS && type <= SAL_SENS_TENDONLIMITFRC);
}

static void tendon_object(spec_work *w, spec_sensor *s, const char *name)
{
    s->object_type = SAL_OBJ_TENDON;
    s->object_id = spec_find(w, &w->tendons, &s->head, "tendon", name);
    if (s->type >= SAL_SENS_TENDONLIMITPOS && s->object_id >= 0 &&
        !((const spec_tendon *)w->spec->tendon.item[s->object_id])->limited) {
        spec_error(w, &s->head, "tendon", NULL,
                   "<%s> needs a tendon with limits; '%.100s' has none", s->head.xml->tag, name);
    }
}

static void actuator_object(spec_work *w, spec_sensor *s, const char *name)
{
    s->object_type = SAL_OBJ_ACTUATOR;
    s->object_id = spec_find(w, &w->actuators, &s->head, "actuator", name);
    const spec_actuator *a = s->object_id < 0 ? NULL : w->spec->actuator.item[s->object_id];
    const bool several =
        a != NULL && ((a->pid.inputs > 1 && !a->pid.fed) || (a->motor.inputs > 1 && !a->motor.fed));
    if (s->type == SAL_SENS_ACTUATORFRC && several) {
        const char *kind = a->head.xml->tag;
        char help[64];
        snprintf(help, sizeof help, "give the <%s> one input", kind);
        spec_error(w, &s->head, "actuator", help,
                   "<%s> of a <%s> of several inputs is not supported", s->head.xml->tag, kind);
    } else if (a != NULL && a->orientation.given && a->orientation.part > 0) {
        spec_error(w, &s->head, "actuator", "name the <orientation> itself",
                   "<%s> of one axis of an <orientation> is not supported", s->head.xml->tag);
    } else if (a != NULL && a->orientation.given) {
        s->dim = 3;
    }
}

/* <user> may name an object, of any kind; what we have no table of stays without. */
static void user_object(spec_work *w, spec_sensor *s)
{
    if (s->objtype == NULL || s->objname == NULL) {
        return;
    }
    const bool joint = strcmp(s->objtype, "joint") == 0;
    const bool actuator = strcmp(s->objtype, "actuator") == 0;
    const bool tendon = strcmp(s->objtype, "tendon") == 0;
    const int type = joint      ? SAL_OBJ_JOINT
                     : tendon   ? SAL_OBJ_TENDON
                     : actuator ? SAL_OBJ_ACTUATOR
                                : frame_type(s->objtype);
    const spec_names *names = joint                    ? &w->joints
                              : tendon                 ? &w->tendons
                              : actuator               ? &w->actuators
                              : type == SAL_OBJ_GEOM   ? &w->geoms
                              : type == SAL_OBJ_SITE   ? &w->sites
                              : type == SAL_OBJ_CAMERA ? &w->cameras
                                                       : &w->bodies;
    if (type != SAL_OBJ_NONE) {
        s->object_type = type;
        s->object_id = spec_find(w, names, &s->head, "objname", s->objname);
    }
}

/* One end of a distance: a geom, or all geoms of a body. */
static void distance_end(spec_work *w, spec_sensor *s, int end, int *type, int *id)
{
    static const char *const attrs[2][2] = {{"geom1", "body1"}, {"geom2", "body2"}};
    const char *geom = end == 0 ? s->geom1 : s->geom2, *body = end == 0 ? s->body1 : s->body2;
    if ((geom == NULL) == (body == NULL)) {
        spec_error(w, &s->head, geom == NULL ? NULL : attrs[end][1], NULL,
                   "<%s> needs exactly one of %s and %s", s->head.xml->tag, attrs[end][0],
                   attrs[end][1]);
        return;
    }
    *type = geom != NULL ? SAL_OBJ_GEOM : SAL_OBJ_BODY;
    *id = spec_find(w, geom != NULL ? &w->geoms : &w->bodies, &s->head, attrs[end][geom == NULL],
                    geom != NULL ? geom : body);
}

static bool is_distance(int type)
{
    return type >= SAL_SENS_GEOMDIST && type <= SAL_SENS_GEOMFROMTO;
}

static bool is_rangefinder(int type)
{
    return type == SAL_SENS_RANGEFINDER;
}

static bool any_sensor(const mjcf_spec *spec, bool (*is_one)(int type))
{
    bool any = false;
    for (int i = 0; i < spec->sensor.n && !any; i++) {
        any = is_one(((const spec_sensor *)spec->sensor.item[i])->type);
    }
    return any;
}

bool spec_sensors_cast_rays(const mjcf_spec *spec)
{
    return any_sensor(spec, is_rangefinder);
}

bool spec_sensors_see_shapes(const mjcf_spec *spec)
{
    return any_sensor(spec, is_rangefinder) || any_sensor(spec, is_distance);
}

static void distance_objects(spec_work *w, spec_sensor *s)
{
    distance_end(w, s, 0, &s->object_type, &s->object_id);
    distance_end(w, s, 1, &s->ref_type, &s->ref_id);
    if (s->object_id >= 0 && s->object_type == s->ref_type && s->object_id == s->ref_id) {
        spec_error(w, &s->head, s->ref_type == SAL_OBJ_GEOM ? "geom2" : "body2", NULL,
                   "<%s> needs two different %s", s->head.xml->tag,
                   s->ref_type == SAL_OBJ_GEOM ? "geoms" : "bodies");
    }
}

/* ---- what a sensor says of each contact or ray ---- */

typedef struct data_word {
    const char *word; /* NULL: the end */
    int numbers;
} data_word;

/* The bits of `data`, words in the order of the list, the first if it says nothing; reports others.
 * `all`: these words */
static int data_bits(spec_work *w, spec_sensor *s, const data_word *list, const char *all,
                     int *numbers)
{
    int bits = 0, next = 0;
    for (const char *at = s->data == NULL || s->data[0] == 0 ? list[0].word : s->data; *at != 0;) {
        const size_t n = strcspn(at, " \t\r\n");
        int k = next;
        while (n > 0 && list[k].word != NULL &&
               (strlen(list[k].word) != n || strncmp(list[k].word, at, n) != 0)) {
            k++;
        }
        if (n > 0 && list[k].word == NULL) {
            spec_error(w, &s->head, "data", NULL,
                       "'%.*s' in data is unknown, repeated or out of order: write some of %s, in "
                       "this order",
                       n > 60 ? 60 : (int)n, at, all);
            return bits;
        }
        if (n > 0) {
            bits |= 1 << k;
            *numbers += list[k].numbers;
            next = k + 1;
        }
        at += n + strspn(at + n, " \t\r\n");
    }
    return bits;
}

/* ---- rays ---- */

/* One along a site's z axis, or one through each pixel of a camera. */
static void ray_objects(spec_work *w, spec_sensor *s)
{
    static const data_word words[] = {
#define RAY_DATA(code, word, numbers) {word, numbers},
        SAL_RAY_DATA_LIST(RAY_DATA){NULL, 0}
#undef RAY_DATA
    };
    int numbers = 0;
    if ((s->object == NULL) == (s->refname == NULL)) {
        spec_error(w, &s->head, s->object == NULL ? NULL : "camera", NULL,
                   "<rangefinder> needs exactly one of site and camera");
        return;
    }
    s->intprm[0] = data_bits(w, s, words, "dist, dir, origin, point, normal, depth", &numbers);
    s->dim = numbers;
    if (s->object != NULL) {
        s->object_type = SAL_OBJ_SITE;
        s->object_id = spec_find(w, &w->sites, &s->head, "site", s->object);
        return;
    }
    s->object_type = SAL_OBJ_CAMERA;
    s->object_id = spec_find(w, &w->cameras, &s->head, "camera", s->refname);
    const spec_camera *c = has_pixels(w, s, s->object_id);
    const double all = c == NULL ? 1 : (double)c->resolution[0] * c->resolution[1] * numbers;
    if (all > SPEC_SENSOR_NUMBERS_MAX) {
        spec_error(w, &s->head, "camera", "lower the camera's resolution, or say less of each ray",
                   "<rangefinder> would have %.0f numbers; at most %d are allowed", all,
                   SPEC_SENSOR_NUMBERS_MAX);
    } else {
        s->dim = (int)all;
    }
}

/* ---- contacts ---- */

/* One side of a contact: at most one of `names`, of these types; -1: whatever it is. */
static void contact_side(spec_work *w, spec_sensor *s, const char *const names[4],
                         const char *const attrs[4], int *type, int *id)
{
    static const int types[4] = {SAL_OBJ_GEOM, SAL_OBJ_BODY, SAL_OBJ_XBODY, SAL_OBJ_SITE};
    for (int k = 0; k < 4; k++) {
        if (names[k] == NULL) {
            continue;
        }
        if (*type != SAL_OBJ_NONE) {
            spec_error(w, &s->head, attrs[k], NULL,
                       "only one of these attributes is allowed together: %s, %s, %s%s", attrs[0],
                       attrs[1], attrs[2], attrs[3][0] == 's' ? ", site" : "");
            return;
        }
        *type = types[k];
        *id = spec_find(w,
                        k == 0   ? &w->geoms
                        : k == 3 ? &w->sites
                                 : &w->bodies,
                        &s->head, attrs[k], names[k]);
    }
}

static void contact_objects(spec_work *w, spec_sensor *s)
{
    static const char *const attrs[2][4] = {{"geom1", "body1", "subtree1", "site"},
                                            {"geom2", "body2", "subtree2", ""}};
    const char *const first[4] = {s->geom1, s->body1, s->subtree1, s->site};
    const char *const second[4] = {s->geom2, s->body2, s->subtree2, NULL};
    static const data_word words[] = {
#define CONTACT_DATA(code, word, numbers) {word, numbers},
        SAL_CONTACT_DATA_LIST(CONTACT_DATA){NULL, 0}
#undef CONTACT_DATA
    };
    int numbers = 0;
    contact_side(w, s, first, attrs[0], &s->object_type, &s->object_id);
    contact_side(w, s, second, attrs[1], &s->ref_type, &s->ref_id);
    s->intprm[0] =
        data_bits(w, s, words, "found, force, torque, dist, pos, normal, tangent", &numbers);
    s->intprm[1] = s->reduce;
    s->intprm[2] = s->num;
    if (s->num < 1 || s->num > CONTACT_NUM_MAX) {
        spec_error(w, &s->head, "num", NULL, "num is %d; it must be from 1 to %d", s->num,
                   CONTACT_NUM_MAX);
        s->num = 1;
    }
    s->dim = s->num * numbers;
}

static void sensor_object(spec_work *w, spec_sensor *s)
{
    s->object_type = s->ref_type = SAL_OBJ_NONE;
    s->object_id = s->ref_id = -1;
    if (s->type >= SAL_SENS_FRAMEPOS && s->type <= SAL_SENS_FRAMEANGACC) {
        frame_objects(w, s);
    } else if (s->type == SAL_SENS_USER) {
        user_object(w, s);
    } else if (s->type == SAL_SENS_INSIDESITE) {
        inside_objects(w, s);
    } else if (s->type == SAL_SENS_RANGEFINDER) {
        ray_objects(w, s);
    } else if (s->type == SAL_SENS_CAMPROJECTION) {
        projection_objects(w, s);
    } else if (is_distance(s->type)) {
        distance_objects(w, s);
    } else if (s->type == SAL_SENS_CONTACT) {
        contact_objects(w, s);
    } else if (s->type == SAL_SENS_TACTILE) {
        spec_tactile_objects(w, s);
    } else if (s->object == NULL) {
        return; /* clock; or reported as missing */
    } else if (s->type <= SAL_SENS_RANGEFINDER) {
        s->object_type = SAL_OBJ_SITE;
        s->object_id = spec_find(w, &w->sites, &s->head, "site", s->object);
    } else if (is_tendon_sensor(s->type)) {
        tendon_object(w, s, s->object);
    } else if (s->type >= SAL_SENS_ACTUATORPOS && s->type <= SAL_SENS_ACTUATORFRC) {
        actuator_object(w, s, s->object);
    } else if (s->type >= SAL_SENS_SUBTREECOM) {
        s->object_type = SAL_OBJ_BODY;
        s->object_id = spec_find(w, &w->bodies, &s->head, "body", s->object);
    } else {
        joint_object(w, s, s->object);
    }
}

/* Sensors that ask whether something is within a site: its shape must be one that is known. */
static void check_site_shape(spec_work *w, const spec_sensor *s)
{
    const bool inside = s->type == SAL_SENS_INSIDESITE;
    const bool asks = inside || s->type == SAL_SENS_TOUCH || s->type == SAL_SENS_CONTACT;
    const int type = inside ? s->ref_type : s->object_type, id = inside ? s->ref_id : s->object_id;
    if (asks && type == SAL_OBJ_SITE && id >= 0 &&
        ((const spec_site *)w->spec->site.item[id])->mesh != NULL) {
        spec_error(w, &s->head, "site", "use a site of type box or ellipsoid",
                   "<%s> on a site of type mesh is not supported", s->head.xml->tag);
    }
}

static void read_user(spec_work *w, spec_sensor *s)
{
    if (s->user_attr == NULL) {
        return;
    }
    const size_t most = strlen(s->user_attr->value) / 2 + 1;
    const int room = most < USER_MAX ? (int)most : USER_MAX;
    s->user = spec_take(w->spec, (size_t)room, sizeof *s->user);
    const int n =
        s->user == NULL ? 0 : mjcf_read_numbers(w->diag, s->user_attr, s->user, 0, room, 0);
    s->nuser = n > 0 ? n : 0;
}

void spec_compile_sensor(spec_work *w, spec_sensor *s)
{
    sensor_object(w, s);
    check_site_shape(w, s);
    read_user(w, s);
    if (s->type == SAL_SENS_RANGEFINDER && w->spec->mujoco == SAL_MUJOCO_222) {
        s->datatype = SAL_DATA_POSITIVE; /* its -1, nothing seen, is not cut */
    }
    const bool axis = s->datatype == SAL_DATA_AXIS, quat = s->datatype == SAL_DATA_QUATERNION;
    if ((axis || quat) && s->cutoff > 0 && !is_distance(s->type)) {
        spec_error(w, &s->head, "cutoff", NULL,
                   "cutoff is not allowed for sensors of axes and quaternions: leave it out");
    }
    const int needed = axis ? 3 : quat ? 4 : s->dim;
    if (s->type == SAL_SENS_USER && s->dim != needed) {
        spec_error(w, &s->head, "dim", NULL, "dim is %d; this datatype needs dim=\"%d\"", s->dim,
                   needed);
    }
}
