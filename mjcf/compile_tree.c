/* compile_tree.c: the tree of bodies and their joints: ids, welds, checks, degrees to radians. */
#include "base/house.h"
#include "mjcf/compile.h"

#include <stdlib.h>
#include <string.h>

/* ---- joints ---- */

static void joint_axis(spec_work *w, spec_joint *j)
{
    if (j->type == SAL_JNT_FREE || j->type == SAL_JNT_BALL) {
        sal_v3_set(j->axis, 0, 0, 1);
        if (j->type == SAL_JNT_FREE) {
            sal_v3_set(j->pos, 0, 0, 0);
        }
    } else if (sal_v3_norm(j->axis) < 1e-14) {
        spec_error(w, &j->head, "axis", NULL,
                   "the axis of this joint is zero; it must be a nonzero vector");
        sal_v3_set(j->axis, 0, 0, 1);
    }
    if (j->frame != NULL && j->type != SAL_JNT_FREE) {
        const spec_frame at = {{j->pos[0], j->pos[1], j->pos[2]}, {1, 0, 0, 0}};
        spec_frame moved;
        double axis[3];
        spec_frame_mul(&moved, j->frame, &at);
        sal_v3_copy(j->pos, moved.pos);
        sal_quat_rotate(axis, j->frame->quat, j->axis);
        sal_v3_copy(j->axis, axis);
    }
    if (j->type == SAL_JNT_BALL) {
        sal_v3_set(j->axis, 0, 0, 1);
    }
    sal_v3_normalise(j->axis);
}

static void joint_limits(spec_work *w, spec_joint *j)
{
    if (j->type == SAL_JNT_FREE) {
        j->limited = 0;
        j->force_limited = 0;
        return;
    }
    j->limited = spec_limited(w, &j->head, j->limited, j->range, "range");
    if (j->limited && j->type == SAL_JNT_BALL && j->range[0] != 0) {
        spec_error(w, &j->head, "range", "the second number is the largest angle",
                   "the range of a ball joint must begin with 0");
    }
    j->force_limited =
        spec_limited(w, &j->head, j->force_limited, j->force_range, "actuatorfrcrange") &&
        j->type != SAL_JNT_BALL; /* it has no effect there */
}

static void compile_joint(spec_work *w, spec_joint *j)
{
    joint_axis(w, j);
    joint_limits(w, j);
    if (spec_compiler_of(w->spec, &j->head)->degree &&
        (j->type == SAL_JNT_HINGE || j->type == SAL_JNT_BALL)) {
        const double unit = j->limited ? SAL_DEGREE : 1; /* as in MuJoCo; it may be inherited */
        j->range[0] *= unit;
        j->range[1] *= unit;
        j->ref *= SAL_DEGREE;
        j->springref *= SAL_DEGREE;
    }
    const double *sd = j->springdamper;
    if ((sd[0] != 0 || sd[1] != 0) && !(sd[0] > 0 && sd[1] > 0)) {
        spec_error(w, &j->head, "springdamper", "write springdamper=\"TIMECONSTANT DAMPINGRATIO\"",
                   "springdamper is %g %g; both numbers must be positive", sd[0], sd[1]);
    }
}

static int dofs_of(const spec_joint *j)
{
    return j->type == SAL_JNT_FREE ? 6 : j->type == SAL_JNT_BALL ? 3 : 1;
}

/* Which joints may stand together on one body. */
static void check_joints(spec_work *w, const spec_body *b)
{
    int dofs = 0;
    bool ball = false, free = false;
    for (int i = 0; i < b->joint.n; i++) {
        const spec_joint *j = b->joint.item[i];
        dofs += dofs_of(j);
        if (j->type == SAL_JNT_FREE && b->joint.n > 1) {
            spec_error(w, &j->head, NULL, NULL, "a free joint must be the only joint of its body");
        }
        if (ball && (j->type == SAL_JNT_BALL || j->type == SAL_JNT_HINGE)) {
            spec_error(w, &j->head, NULL, "put the two joints on two bodies, one inside the other",
                       "a body cannot have a ball or hinge joint after a ball joint");
        }
        ball = ball || j->type == SAL_JNT_BALL;
        free = free || j->type == SAL_JNT_FREE;
    }
    if (dofs > 6 && !free) {
        spec_error(
            w, &b->head, NULL, NULL,
            "the joints of this body have %d degrees of freedom together; at most 6 are allowed",
            dofs);
    }
}

void spec_check_free(spec_work *w)
{
    for (int i = 0; i < w->spec->body.n; i++) {
        const spec_body *b = w->spec->body.item[i];
        const spec_joint *j = b->joint.n == 1 ? b->joint.item[0] : NULL;
        if (j != NULL && j->type == SAL_JNT_FREE && b->parent != NULL &&
            b->parent->parent != NULL) {
            spec_error(w, &j->head, NULL, NULL,
                       "a free joint is allowed only on a body that is a child of the world");
        }
    }
}

/* ---- bodies ---- */

static void drop_visual_geoms(spec_body *b)
{
    int n = 0;
    for (int i = 0; i < b->geom.n; i++) {
        const spec_geom *g = b->geom.item[i];
        if (g->contype != 0 || g->conaffinity != 0) {
            b->geom.item[n++] = b->geom.item[i];
        }
    }
    b->geom.n = n;
}

void spec_number_bodies(mjcf_spec *spec)
{
    int nmocap = 0;
    for (int i = 0; i < spec->body.n; i++) {
        spec_body *b = spec->body.item[i];
        b->head.id = i;
        b->weld = b->joint.n > 0 ? i : b->parent == NULL ? 0 : b->parent->weld;
        b->mocapid = b->mocap ? nmocap++ : -1;
    }
}

void spec_compile_tree(spec_work *w)
{
    mjcf_spec *spec = w->spec;
    spec_number_bodies(spec);
    for (int i = 0; i < spec->body.n; i++) {
        spec_body *b = spec->body.item[i];
        if (b->mocap && b->parent != NULL && (b->parent->parent != NULL || b->joint.n > 0)) {
            spec_error(w, &b->head, "mocap", NULL,
                       "a mocap body must be a child of the world and have no joints");
        }
        for (int k = 0; k < b->joint.n; k++) {
            compile_joint(w, b->joint.item[k]);
        }
        check_joints(w, b);
        if (spec->compiler.discardvisual && spec->mujoco == SAL_MUJOCO_222) {
            drop_visual_geoms(b); /* 2.2.2 forgets their mass too */
        }
    }
}

/* ---- flat lists ---- */

static void refer(mjcf_spec *spec, spec_index *names, const char *name, void *by)
{
    if (name != NULL && name[0] != 0) {
        spec_index_put(spec, names, name, by);
    }
}

spec_index spec_referenced_geoms(mjcf_spec *spec)
{
    spec_index names = {0};
    for (int i = 0; i < spec->pair.n; i++) {
        spec_pair *p = spec->pair.item[i];
        refer(spec, &names, p->geom1, p);
        refer(spec, &names, p->geom2, p);
    }
    for (int i = 0; i < spec->tendon.n; i++) {
        const spec_tendon *t = spec->tendon.item[i];
        for (int k = 0; k < t->wrap.n; k++) {
            spec_wrap *wrap = t->wrap.item[k];
            refer(spec, &names, wrap->type == SAL_WRAP_SPHERE ? wrap->name : NULL, wrap);
        }
    }
    for (int i = 0; i < spec->sensor.n; i++) {
        spec_sensor *s = spec->sensor.item[i];
        const char *word[2] = {s->objname, s->refname}, *types[2] = {s->objtype, s->reftype};
        for (int k = 0; k < 2; k++) {
            const bool geom = types[k] != NULL && strcmp(types[k], "geom") == 0;
            refer(spec, &names, geom ? word[k] : NULL, s);
        }
        refer(spec, &names, s->geom1, s);
        refer(spec, &names, s->geom2, s);
    }
    return names;
}

static void list_geoms(mjcf_spec *spec, const spec_index *referenced, spec_body *b)
{
    int kept = 0;
    for (int i = 0; i < b->geom.n; i++) {
        spec_geom *g = b->geom.item[i];
        if (spec->compiler.discardvisual && g->contype == 0 && g->conaffinity == 0 &&
            (g->head.name == NULL || spec_index_find(referenced, g->head.name) == NULL)) {
            continue;
        }
        g->head.id = spec->geom.n;
        g->body = b->head.id;
        b->geom.item[kept++] = g;
        spec_push(spec, &spec->geom, g);
    }
    b->geom.n = kept;
}

static void list_body(mjcf_spec *spec, const spec_index *referenced, spec_body *b, int *nq, int *nv)
{
    for (int i = 0; i < b->joint.n; i++) {
        spec_joint *j = b->joint.item[i];
        j->head.id = spec->joint.n;
        j->body = b->head.id;
        j->qposadr = *nq;
        j->dofadr = *nv;
        *nv += dofs_of(j);
        *nq += j->type == SAL_JNT_FREE ? 7 : j->type == SAL_JNT_BALL ? 4 : 1;
        spec_push(spec, &spec->joint, j);
    }
    list_geoms(spec, referenced, b);
    for (int i = 0; i < b->site.n; i++) {
        spec_site *s = b->site.item[i];
        s->head.id = spec->site.n;
        s->body = b->head.id;
        spec_push(spec, &spec->site, s);
    }
    for (int i = 0; i < b->camera.n; i++) {
        spec_camera *c = b->camera.item[i];
        c->head.id = spec->camera.n;
        c->body = b->head.id;
        spec_push(spec, &spec->camera, c);
    }
}

static int before(const void *a, const void *b)
{
    const spec_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->id - y->id;
}

spec_names spec_sort_names(spec_work *w, const spec_list *list, const char *kind)
{
    spec_names names = {.kind = kind};
    names.name = spec_take(w->spec, (size_t)list->n, sizeof *names.name);
    for (int i = 0; i < list->n && names.name != NULL; i++) {
        const spec_head *head = list->item[i];
        if (head->name != NULL && head->name[0] != 0) {
            names.name[names.n++] = (spec_name){head->name, i, head->xml};
        }
    }
    if (names.n > 0) {
        qsort(names.name, (size_t)names.n, sizeof *names.name, before);
    }
    for (int i = 1; i < names.n; i++) {
        if (strcmp(names.name[i].name, names.name[i - 1].name) == 0) {
            const spec_head head = {.xml = names.name[i].xml};
            spec_error(w, &head, "name", NULL,
                       "another %s already has the name '%.100s'; names must be unique", kind,
                       names.name[i].name);
        }
    }
    return names;
}

void spec_compile_lists(spec_work *w)
{
    mjcf_spec *spec = w->spec;
    const spec_index referenced =
        spec->compiler.discardvisual ? spec_referenced_geoms(spec) : (spec_index){0};
    int nq = 0, nv = 0;
    for (int i = 0; i < spec->body.n; i++) {
        list_body(spec, &referenced, spec->body.item[i], &nq, &nv);
    }
    w->bodies = spec_sort_names(w, &spec->body, "body");
    spec_sort_names(w, &spec->frame, "frame");
    w->numerics = spec_sort_names(w, &spec->numeric, "numeric");
    w->texts = spec_sort_names(w, &spec->text, "text");
    w->tuples = spec_sort_names(w, &spec->tuple, "tuple");
    w->joints = spec_sort_names(w, &spec->joint, "joint");
    w->geoms = spec_sort_names(w, &spec->geom, "geom");
    w->sites = spec_sort_names(w, &spec->site, "site");
    w->cameras = spec_sort_names(w, &spec->camera, "camera");
    w->tendons = spec_sort_names(w, &spec->tendon, "tendon");
    w->actuators = spec_sort_names(w, &spec->actuator, "actuator");
    w->sensors = spec_sort_names(w, &spec->sensor, "sensor");
    w->keys = spec_sort_names(w, &spec->key, "keyframe");
    spec_sort_names(w, &spec->pair, "pair");
    spec_sort_names(w, &spec->exclude, "exclude");
    w->equalities = spec_sort_names(w, &spec->equality, "equality constraint");
}
