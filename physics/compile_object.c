/* compile_object.c: what refers to bodies, joints, geoms and sites by name: pairs, excludes, actuators; tendons, equality
 * constraints and sensors have files of their own. */
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
        spec_compile_sensor(w, spec->sensor.item[i]);
    }
}
