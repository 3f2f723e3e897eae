/* compile_object.c: what refers to bodies, joints, geoms and sites by name: pairs, excludes, actuators, sensors; tendons and equality
 * constraints have files of their own. */
#include "physics/spec.h"

#include <string.h>

/* ---- contact ---- */

static bool condim_is_good(int condim)
{
    return condim == 1 || condim == 3 || condim == 4 || condim == 6;
}

static void compile_pair(spec_work *w, spec_pair *p)
{
    p->id1 = p->geom1 == NULL ? -1 : spec_find(w, &w->geoms, &p->head, "geom1", p->geom1);
    p->id2 = p->geom2 == NULL ? -1 : spec_find(w, &w->geoms, &p->head, "geom2", p->geom2);
    if (!condim_is_good(p->condim)) {
        spec_error(w, &p->head, "condim", NULL, "condim must be 1, 3, 4 or 6");
    }
    if (p->id1 < 0 || p->id2 < 0) {
        return;
    }
    if (p->id1 == p->id2) {
        spec_error(w, &p->head, "geom2", NULL, "a geom cannot touch itself");
    }
    p->body1 = ((const spec_geom *)w->spec->geom.item[p->id1])->body;
    p->body2 = ((const spec_geom *)w->spec->geom.item[p->id2])->body;
    if (p->body1 > p->body2) {
        const int id = p->id1, body = p->body1;
        p->id1 = p->id2, p->body1 = p->body2;
        p->id2 = id, p->body2 = body;
    }
}

static void compile_exclude(spec_work *w, spec_exclude *e)
{
    e->id1 = e->body1 == NULL ? -1 : spec_find(w, &w->bodies, &e->head, "body1", e->body1);
    e->id2 = e->body2 == NULL ? -1 : spec_find(w, &w->bodies, &e->head, "body2", e->body2);
    if (e->id1 > e->id2) {
        const int id = e->id1;
        e->id1 = e->id2;
        e->id2 = id;
    }
}

/* ---- actuators ---- */

/* inheritrange = f: the range of what is moved, f times as wide about its middle. */
static void inherit_range(spec_work *w, spec_actuator *a, const spec_head *head,
                          const double range[2])
{
    const bool given = sal_xml_find_attr(a->head.xml, "ctrlrange") != NULL;
    if (isnan(a->inheritrange) || !(a->inheritrange > 0) ||
        strcmp(a->head.xml->tag, "position") != 0 || given) {
        return;
    }
    if (!(range[0] < range[1])) {
        spec_error(w, &a->head, "inheritrange", NULL, "the %s '%.100s' has no range to inherit",
                   a->trntype == SAL_TRN_JOINT ? "joint" : "tendon",
                   head->name == NULL ? "" : head->name);
        return;
    }
    const double middle = (range[0] + range[1]) / 2;
    const double radius = (range[1] - range[0]) / 2 * a->inheritrange;
    a->ctrlrange[0] = middle - radius;
    a->ctrlrange[1] = middle + radius;
}

static bool has_other_transmission(const sal_xml *xml)
{
    static const char *const names[] = {"slidersite", "cranksite", "site", "refsite", "body"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (sal_xml_find_attr(xml, names[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* What the actuator acts on, by name. */
static void find_transmission(spec_work *w, spec_actuator *a)
{
    const struct {
        const char *attr, *name;
        int type;
        const spec_names *names;
    } kinds[] = {
        {"joint",         a->joint,         SAL_TRN_JOINT,  &w->joints },
        {"jointinparent", a->jointinparent, SAL_TRN_JOINT,  &w->joints },
        {"tendon",        a->tendon,        SAL_TRN_TENDON, &w->tendons},
    };
    const char *first = NULL;
    a->trnid = -1;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (kinds[k].name == NULL) {
            continue;
        }
        if (first != NULL) {
            spec_error(w, &a->head, kinds[k].attr, NULL, "%s and %s both say what is moved", first,
                       kinds[k].attr);
            return;
        }
        first = kinds[k].attr;
        a->trntype = kinds[k].type;
        a->trnid = spec_find(w, kinds[k].names, &a->head, kinds[k].attr, kinds[k].name);
    }
    if (first == NULL && !has_other_transmission(a->head.xml)) { /* those were reported already */
        spec_error(w, &a->head, NULL, NULL, "<%s> needs the attribute 'joint'", a->head.xml->tag);
    }
}

static void compile_actuator(spec_work *w, spec_actuator *a)
{
    find_transmission(w, a);
    if (a->trnid >= 0 && a->trntype == SAL_TRN_JOINT) {
        const spec_joint *j = w->spec->joint.item[a->trnid];
        inherit_range(w, a, &j->head, j->range);
    } else if (a->trnid >= 0) {
        const spec_tendon *t = w->spec->tendon.item[a->trnid];
        inherit_range(w, a, &t->head, t->range);
    }
    a->ctrllimited = spec_limited(w, &a->head, a->ctrllimited, a->ctrlrange, "ctrlrange");
    a->forcelimited = spec_limited(w, &a->head, a->forcelimited, a->forcerange, "forcerange");
}

/* ---- sensors ---- */

static int frame_type(const char *word)
{
    static const struct {
        const char *word;
        int type;
    } types[] = {
        {"body",   SAL_OBJ_BODY  },
        {"xbody",  SAL_OBJ_XBODY },
        {"geom",   SAL_OBJ_GEOM  },
        {"site",   SAL_OBJ_SITE  },
        {"camera", SAL_OBJ_CAMERA}
    };
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
    const int id = type == SAL_OBJ_NONE ? -1 : spec_find(w, names, &s->head, attr, name);
    if (type == SAL_OBJ_CAMERA && id >= 0 &&
        !((const spec_camera *)w->spec->camera.item[id])->fixed) {
        spec_error(w, &s->head, attr, NULL,
                   "a sensor on a camera that is not fixed to its body is not supported");
    }
    return id;
}

static void frame_objects(spec_work *w, spec_sensor *s)
{
    s->object_type = frame_type(s->objtype);
    if (s->objname != NULL) {
        s->object_id = find_frame(w, s, s->object_type, "objname", s->objname);
    }
    if ((s->reftype == NULL) != (s->refname == NULL)) {
        spec_error(w, &s->head, s->reftype == NULL ? "refname" : "reftype", NULL,
                   "reftype and refname are given together or not at all");
    } else if (s->refname != NULL) {
        s->ref_type = frame_type(s->reftype);
        s->ref_id = find_frame(w, s, s->ref_type, "refname", s->refname);
    }
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
    if ((s->type == SAL_SENS_JOINTPOS || s->type == SAL_SENS_JOINTVEL) && !scalar) {
        spec_error(w, &s->head, "joint", NULL, "<%s> needs a slide or hinge joint",
                   s->head.xml->tag);
    } else if ((s->type == SAL_SENS_BALLQUAT || s->type == SAL_SENS_BALLANGVEL) &&
               j->type != SAL_JNT_BALL) {
        spec_error(w, &s->head, "joint", NULL, "<%s> needs a ball joint", s->head.xml->tag);
    } else if (s->type >= SAL_SENS_JOINTLIMITPOS && s->type <= SAL_SENS_JOINTLIMITFRC &&
               !j->limited) {
        spec_error(w, &s->head, "joint", NULL, "<%s> needs a joint with limits", s->head.xml->tag);
    }
}

static bool is_tendon_sensor(int type)
{
    return type == SAL_SENS_TENDONPOS || type == SAL_SENS_TENDONVEL ||
           (type >= SAL_SENS_TENDONLIMITPOS && type <= SAL_SENS_TENDONLIMITFRC);
}

static void tendon_object(spec_work *w, spec_sensor *s, const char *name)
{
    s->object_type = SAL_OBJ_TENDON;
    s->object_id = spec_find(w, &w->tendons, &s->head, "tendon", name);
    if (s->type >= SAL_SENS_TENDONLIMITPOS && s->object_id >= 0 &&
        !((const spec_tendon *)w->spec->tendon.item[s->object_id])->limited) {
        spec_error(w, &s->head, "tendon", NULL, "<%s> needs a tendon with limits",
                   s->head.xml->tag);
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

static void sensor_object(spec_work *w, spec_sensor *s)
{
    s->object_type = s->ref_type = SAL_OBJ_NONE;
    s->object_id = s->ref_id = -1;
    if (s->type >= SAL_SENS_FRAMEPOS && s->type <= SAL_SENS_FRAMEANGACC) {
        frame_objects(w, s);
    } else if (s->type == SAL_SENS_USER) {
        user_object(w, s);
    } else if (s->object == NULL) {
        return; /* clock; or reported as missing */
    } else if (s->type <= SAL_SENS_RANGEFINDER) {
        s->object_type = SAL_OBJ_SITE;
        s->object_id = spec_find(w, &w->sites, &s->head, "site", s->object);
    } else if (is_tendon_sensor(s->type)) {
        tendon_object(w, s, s->object);
    } else if (s->type >= SAL_SENS_ACTUATORPOS && s->type <= SAL_SENS_ACTUATORFRC) {
        s->object_type = SAL_OBJ_ACTUATOR;
        s->object_id = spec_find(w, &w->actuators, &s->head, "actuator", s->object);
    } else if (s->type >= SAL_SENS_SUBTREECOM) {
        s->object_type = SAL_OBJ_BODY;
        s->object_id = spec_find(w, &w->bodies, &s->head, "body", s->object);
    } else {
        joint_object(w, s, s->object);
    }
}

static void compile_sensor(spec_work *w, spec_sensor *s)
{
    enum { AXIS = 2, QUATERNION = 3 };
    sensor_object(w, s);
    const bool unit = (s->type >= SAL_SENS_FRAMEQUAT && s->type <= SAL_SENS_FRAMEZAXIS) ||
                      s->type == SAL_SENS_BALLQUAT ||
                      (s->type == SAL_SENS_USER && s->datatype >= AXIS);
    if (unit && s->cutoff > 0) {
        spec_error(w, &s->head, "cutoff", NULL, "cutoff is not possible for axes and quaternions");
    }
    const int needed = s->datatype == AXIS ? 3 : s->datatype == QUATERNION ? 4 : s->dim;
    if (s->type == SAL_SENS_USER && s->dim != needed) {
        spec_error(w, &s->head, "dim", NULL, "this datatype needs dim=\"%d\"", needed);
    }
}

void spec_compile_objects(spec_work *w)
{
    sal_spec *spec = w->spec;
    for (int i = 0; i < spec->pair.n; i++) {
        compile_pair(w, spec->pair.item[i]);
    }
    for (int i = 0; i < spec->exclude.n; i++) {
        compile_exclude(w, spec->exclude.item[i]);
    }
    spec_compile_tendons(w);
    spec_compile_equalities(w);
    for (int i = 0; i < spec->actuator.n; i++) {
        compile_actuator(w, spec->actuator.item[i]);
    }
    for (int i = 0; i < spec->sensor.n; i++) {
        compile_sensor(w, spec->sensor.item[i]);
    }
}
