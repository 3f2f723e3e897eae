/* compile_object.c: what refers to bodies and geoms by name: pairs and excludes; actuators,
 * tendons, equality constraints and sensors have files of their own. */
#include "mjcf/camera/camera.h"

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
        spec_error(w, &p->head, "condim", NULL, "condim is %d; it must be 1, 3, 4 or 6", p->condim);
    }
    if (p->id1 < 0 || p->id2 < 0) {
        return;
    }
    if (p->id1 == p->id2) {
        spec_error(w, &p->head, "geom2", NULL,
                   "<pair> names geom '%.100s' twice; it needs two different geoms", p->geom2);
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

void spec_compile_objects(spec_work *w)
{
    mjcf_spec *spec = w->spec;
    for (int i = 0; i < spec->pair.n; i++) {
        compile_pair(w, spec->pair.item[i]);
    }
    for (int i = 0; i < spec->exclude.n; i++) {
        compile_exclude(w, spec->exclude.item[i]);
    }
    spec_compile_actuators(w); /* they add to joints and tendons */
    spec_compile_tendons(w);
    spec_compile_equalities(w);
    for (int i = 0; i < spec->camera.n; i++) {
        spec_compile_camera(w, spec->camera.item[i]);
    }
    for (int i = 0; i < spec->sensor.n; i++) {
        spec_compile_sensor(w, spec->sensor.item[i]);
    }
    spec_compile_histories(w);
    spec_compile_tuples(w);
}
