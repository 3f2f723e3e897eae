/* tactile.c: tactile sensors. They feel at the vertices of a mesh, its taxels, which stand in the
 * frame of a geom as the mesh's vertices stand in that of its inertia. MuJoCo knows two directions
 * at each vertex of a plate and of a wedge, along which sliding is felt:
 *
 *     plate    y, z
 *     wedge    t = (-v_z, 0, v_x) / |.|  and  t x v,   of the vertex v
 *
 * They are turned by refquat and scaled as normals are, n_i / scale_i, to length one.
 */
#include "mjcf/compile.h"
#include "mjcf/mesh.h"

static const spec_mesh *mesh_of(spec_work *w, const spec_sensor *s)
{
    const int id = spec_find(w, &w->meshes, &s->head, "mesh", s->refname);
    const spec_mesh *mesh = id < 0 ? NULL : w->spec->mesh.item[id];
    if (mesh != NULL && mesh->builtin != SPEC_BUILTIN_PLATE &&
        mesh->builtin != SPEC_BUILTIN_WEDGE) {
        spec_error(w, &s->head, "mesh", "make a mesh with builtin=\"plate\" or builtin=\"wedge\"",
                   "<tactile> needs a mesh with two directions at each vertex, which only the "
                   "builtin meshes plate and wedge have; '%.100s' is none",
                   s->refname);
        return NULL;
    }
    if (mesh != NULL && mesh->scale[0] * mesh->scale[1] * mesh->scale[2] == 0) {
        spec_error(
            w, &mesh->head, "scale", "make it small instead",
            "<tactile> needs directions at the vertices of the mesh, and a scale of 0 leaves "
            "none");
    }
    return mesh;
}

/* Whether contacts of the body are looked for; MuJoCo asks for it. */
static bool collides(const mjcf_spec *spec, int body)
{
    const spec_body *b = spec->body.item[body];
    bool any = false;
    for (int i = 0; i < b->geom.n && !any; i++) {
        const spec_geom *g = b->geom.item[i];
        any = g->contype != 0 || g->conaffinity != 0;
    }
    return any;
}

/* ---- height fields, to which MuJoCo has no distance ---- */

static bool are_paired(const mjcf_spec *spec, const spec_geom *a, const spec_geom *b)
{
    bool paired = false;
    for (int i = 0; i < spec->pair.n && !paired; i++) {
        const spec_pair *p = spec->pair.item[i];
        paired = (p->id1 == a->head.id && p->id2 == b->head.id) ||
                 (p->id2 == a->head.id && p->id1 == b->head.id);
    }
    return paired;
}

static bool are_excluded(const mjcf_spec *spec, const spec_geom *a, const spec_geom *b)
{
    const int low = a->body < b->body ? a->body : b->body, high = a->body + b->body - low;
    bool excluded = false;
    for (int i = 0; i < spec->exclude.n && !excluded; i++) {
        const spec_exclude *e = spec->exclude.item[i];
        excluded = e->id1 == low && e->id2 == high;
    }
    return excluded;
}

static bool may_touch(const mjcf_spec *spec, const spec_geom *a, const spec_geom *b)
{
    return are_paired(spec, a, b) || (spec_masks_meet(a, b) && !are_excluded(spec, a, b));
}

/* The first geom that moves with the body `weld` and may touch the field; NULL: none. */
static const spec_geom *touched(const mjcf_spec *spec, const spec_geom *field, int weld)
{
    for (int i = 0; i < spec->geom.n; i++) {
        const spec_geom *g = spec->geom.item[i];
        if (((const spec_body *)spec->body.item[g->body])->weld == weld &&
            may_touch(spec, field, g)) {
            return g;
        }
    }
    return NULL;
}

static void refuse_fields(spec_work *w, const spec_sensor *s, int body)
{
    const mjcf_spec *spec = w->spec;
    const int weld = ((const spec_body *)spec->body.item[body])->weld;
    for (int i = 0; i < spec->geom.n; i++) {
        const spec_geom *field = spec->geom.item[i];
        const bool apart = ((const spec_body *)spec->body.item[field->body])->weld != weld;
        if (field->type == SAL_GEOM_HFIELD && apart && touched(spec, field, weld) != NULL) {
            spec_error(w, &s->head, "geom",
                       "keep the two apart with contype and conaffinity, or with <exclude>",
                       "<tactile> does not feel height fields, but its body may touch '%.100s'",
                       field->hfield == NULL ? "" : field->hfield);
            return;
        }
    }
}

void spec_tactile_objects(spec_work *w, spec_sensor *s)
{
    if (s->geom1 == NULL || s->refname == NULL) {
        return; /* reported as missing */
    }
    const spec_mesh *mesh = mesh_of(w, s);
    s->object_type = SAL_OBJ_MESH;
    s->object_id = mesh == NULL ? -1 : mesh->head.id;
    s->ref_type = SAL_OBJ_GEOM;
    s->ref_id = spec_find(w, &w->geoms, &s->head, "geom", s->geom1);
    if (mesh == NULL || s->ref_id < 0) {
        return;
    }
    const int body = ((const spec_geom *)w->spec->geom.item[s->ref_id])->body;
    if (!collides(w->spec, body)) {
        spec_error(w, &s->head, "geom", "give a geom of the body contype or conaffinity",
                   "<tactile> feels what touches its body, but no geom of the body of '%.100s' "
                   "collides",
                   s->geom1);
    }
    refuse_fields(w, s, body);
    s->intprm[1] = mesh->nvert;
    s->dim = 3 * mesh->nvert;
    if (s->dim > SPEC_SENSOR_NUMBERS_MAX) {
        spec_error(w, &s->head, "mesh", "take a mesh with fewer vertices",
                   "<tactile> would have %d numbers; at most %d are allowed", s->dim,
                   SPEC_SENSOR_NUMBERS_MAX);
    }
}

/* ---- into the model ---- */

/* The two directions at a vertex, in the axes in which it stands. */
static void directions(const spec_mesh *mesh, const double v[3], double axis[6])
{
    sal_v3_set(axis, 0, 1, 0);
    sal_v3_set(axis + 3, 0, 0, 1);
    if (mesh->builtin == SPEC_BUILTIN_WEDGE) {
        sal_v3_set(axis, -v[2], 0, v[0]);
        sal_v3_normalise(axis);
        sal_v3_cross(axis + 3, axis, v);
    }
}

static void fill_taxel(const spec_mesh *mesh, sal_mujoco mujoco, int vertex, double pos[3],
                       double axis[6])
{
    double quat[4], turn[9], own[9], moved[3];
    sal_quat_copy(quat, mesh->refquat);
    sal_quat_normalise(quat);
    sal_quat_matrix(turn, quat);
    sal_quat_matrix(own, mesh->at.quat);
    directions(mesh, mesh->vert + 3 * vertex, axis);
    for (int k = 0; k < 3; k++) { /* MuJoCo keeps floats */
        pos[k] = (double)(float)mesh->point[3 * vertex + k];
    }
    for (int k = 0; k < 2; k++) {
        double *a = axis + 3 * k;
        sal_m3_multv(moved, turn, a);
        for (int c = 0; c < 3; c++) {
            a[c] = moved[c] / mesh->scale[c];
        }
        sal_v3_normalise(a);
        if (mujoco != SAL_MUJOCO_312) { /* which takes them for world axes */
            sal_m3_multv(moved, own, a);
            sal_v3_copy(a, moved);
        }
    }
}

void spec_fill_taxels(const mjcf_spec *spec, sal_model *m)
{
    int end = 0;
    for (int i = 0; i < spec->mesh.n; i++) {
        const spec_mesh *mesh = spec->mesh.item[i];
        m->mesh_builtin[i] = mesh->tactile ? mesh->builtin : SPEC_BUILTIN_NONE;
        for (int k = 0; k < 5 && mesh->tactile; k++) {
            m->mesh_params[5 * i + k] = mesh->params[k];
        }
    }
    for (int i = 0; i < spec->sensor.n; i++) {
        const spec_sensor *s = spec->sensor.item[i];
        if (s->type != SAL_SENS_TACTILE) {
            continue;
        }
        m->sensor_intprm[3 * i] = end;
        for (int k = 0; k < s->intprm[1]; k++, end++) {
            fill_taxel(spec->mesh.item[s->object_id], m->mujoco, k, m->taxel_pos + 3 * end,
                       m->taxel_axis + 6 * end);
        }
    }
}
