/* compile_mesh.c: meshes from files or numbers, their hulls where they collide, and the geoms that
 * use them. */
#include "mjcf/compile.h"
#include "mjcf/mesh.h"
#include "mjcf/reader.h"
#include "physics/compiling.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 256 << 20 };

/* ---- where the numbers come from ---- */

static const char *folder_of_meshes(const spec_compiler *c)
{
    return c->meshdir != NULL ? c->meshdir : c->assetdir != NULL ? c->assetdir : "";
}

void spec_asset_path(sal_text *path, const mjcf_spec *spec, const spec_head *head,
                     const char *written)
{
    const spec_compiler *c = spec_compiler_of(spec, head);
    const spec_part *part = spec_part_with(spec, head->xml);
    const char *above = part == NULL ? spec->path : part->folder;
    const char *last = strrchr(written, '/');
    const char *file = c->strippath && last != NULL ? last + 1 : written;
    const char *dir = file[0] == '/' ? "" : folder_of_meshes(c);
    const char *slash = strrchr(above, '/');
    const size_t n = dir[0] != 0 && dir[strlen(dir) - 1] != '/';
    if (slash != NULL && file[0] != '/' && dir[0] != '/') {
        sal_text_addn(path, above, (size_t)(slash - above) + 1);
    }
    sal_text_format(path, "%s%s%s", dir, n > 0 ? "/" : "", file);
}

/* An error, or a warning if the mesh is only looked at. */
static void not_read(spec_work *w, spec_mesh *mesh, sal_status status, const sal_err *err)
{
    static const char help[] =
        "paths of meshes are relative to the folder of the model file and its meshdir";
    const sal_xml_attr *file = sal_xml_find_attr(mesh->head.xml, "file");
    int ngeom = 0;
    mesh->absent = status == SAL_BADPATH && spec_mesh_may_be_absent(w, mesh, &ngeom);
    if (mesh->absent && file != NULL) {
        char what[80] = "no geom uses this mesh";
        if (ngeom > 0) {
            snprintf(what, sizeof what, "%d geom%s only show%s this mesh and %s left out", ngeom,
                     ngeom == 1 ? "" : "s", ngeom == 1 ? "s" : "", ngeom == 1 ? "is" : "are");
        }
        sal_diag_warning(w->diag, file->value_place, help, "%s; %s", err->message, what);
    } else if (!mesh->absent) {
        spec_error(w, &mesh->head, "file", help, "%s", err->message);
    }
}

static void read_file(spec_work *w, spec_mesh *mesh, sal_err *err)
{
    sal_text path = {0};
    char *bytes = NULL;
    size_t n = 0;
    const mesh_format format = mesh_format_of(mesh->file, mesh->content_type);
    spec_asset_path(&path, w->spec, &mesh->head, mesh->file);
    sal_status status = path.failed ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
    if (status == SAL_OK && format == MESH_UNKNOWN) {
        spec_error(w, &mesh->head, "file", "convert it to .stl (binary), .obj or .msh",
                   "the mesh file '%.200s' has an unsupported format", mesh->file);
        status = SAL_BADINPUT;
    } else if (status == SAL_OK) {
        status = sal_text_read_file(path.data, FILE_MAX, &bytes, &n, err);
        if (status == SAL_BADPATH || status == SAL_BADINPUT) {
            not_read(w, mesh, status, err);
        }
    }
    if (status == SAL_OK) {
        status = mesh_read(w->spec, mesh, format, bytes, n, err);
        if (status == SAL_BADINPUT) {
            spec_error(w, &mesh->head, "file", NULL, "cannot use the mesh file '%.200s': %s",
                       mesh->file, err->message);
        }
    }
    w->spec->nomem = w->spec->nomem || status == SAL_NOMEM;
    mesh->whole = status == SAL_OK;
    sal_free(bytes);
    sal_text_clear(&path);
}

/* All numbers of an attribute, a multiple of three; -1 (reported) if they are not. */
static int read_triples(spec_work *w, const sal_xml_attr *attr, int most, double **value)
{
    const size_t room = strlen(attr->value) / 2 + 2;
    const int limit = room < (size_t)most ? (int)room : most;
    *value = spec_take(w->spec, (size_t)limit, sizeof **value);
    const int n = *value == NULL ? -1 : mjcf_read_numbers(w->diag, attr, *value, 0, limit, 0);
    if (n > 0 && n % 3 != 0) {
        sal_diag_error(w->diag, attr->value_place, NULL,
                       "%s needs a multiple of 3 numbers, and has %d", attr->name, n);
        return -1;
    }
    return n;
}

/* If none is given, or the attribute is empty, the mesh is its convex hull. */
static void read_faces(spec_work *w, spec_mesh *mesh)
{
    const sal_xml_attr *attr = mesh->face_attr;
    double *face;
    if (sal_xml_is_blank(attr)) {
        return;
    }
    const int n = read_triples(w, mesh->face_attr, 3 * MESH_FACES_MAX, &face);
    mesh->whole = n > 0;
    mesh->nface = n / 3;
    mesh->face = n > 0 ? spec_take(w->spec, (size_t)n, sizeof *mesh->face) : NULL;
    for (int i = 0; i < n && mesh->whole && mesh->face != NULL; i++) {
        if (!(face[i] >= 0 && face[i] < mesh->nvert && face[i] == floor(face[i]))) {
            spec_error(w, &mesh->head, "face", NULL,
                       "face %d refers to vertex %g, but the mesh has %d vertices, numbered from 0",
                       i / 3, face[i], mesh->nvert);
            mesh->whole = false;
            return;
        }
        mesh->face[i] = (int)face[i];
    }
}

/* Set from outside: as they are, not rounded, so that what follows varies smoothly. */
static void take_numbers(spec_work *w, spec_mesh *mesh)
{
    mesh->nvert = mesh->nset / 3;
    mesh->vert = spec_take(w->spec, (size_t)mesh->nset, sizeof *mesh->vert);
    mesh->whole = mesh->vert != NULL;
    if (mesh->whole) {
        memcpy(mesh->vert, mesh->set_vert, (size_t)mesh->nset * sizeof *mesh->vert);
    }
    if (mesh->whole) {
        read_faces(w, mesh);
    }
}

static void read_numbers(spec_work *w, spec_mesh *mesh)
{
    if (mesh->set_vert != NULL) {
        take_numbers(w, mesh);
        return;
    }
    if (mesh->vertex_attr == NULL) {
        spec_error(w, &mesh->head, NULL, NULL,
                   "<mesh> needs the attribute 'file', 'vertex' or 'builtin'");
        return;
    }
    const int n = read_triples(w, mesh->vertex_attr, 3 * MESH_VERTICES_MAX, &mesh->vert);
    mesh->nvert = n / 3;
    mesh->whole = n >= 0;
    for (int i = 0; i < n; i++) {
        mesh->vert[i] = (double)(float)mesh->vert[i];
        if (!(fabs(mesh->vert[i]) <= 1e9)) {
            spec_error(w, &mesh->head, "vertex", NULL, "vertex %d has a coordinate larger than 1e9",
                       i / 3);
            mesh->whole = false;
            return;
        }
    }
    if (mesh->whole) {
        read_faces(w, mesh);
    }
}

static void read_builtin(spec_work *w, spec_mesh *mesh, sal_err *err)
{
    double *prm = mesh->params;
    const char *at = mesh->params_attr == NULL ? "builtin" : "params";
    const int n =
        mesh->params_attr == NULL ? 0 : mjcf_read_numbers(w->diag, mesh->params_attr, prm, 0, 8, 0);
    const sal_status status = n < 0 ? SAL_BADINPUT : mesh_builtin(w->spec, mesh, prm, n, err);
    if (status == SAL_BADINPUT && n >= 0) {
        spec_error(w, &mesh->head, at, NULL, "%s", err->message);
    }
    w->spec->nomem = w->spec->nomem || status == SAL_NOMEM;
    mesh->whole = status == SAL_OK;
}

/* ---- what is done with them ---- */

/* The hull, where it is needed: to collide, for faces that were not given, for the inertia. */
static sal_status make_hull(mjcf_spec *spec, spec_mesh *mesh, sal_err *err)
{
    const bool faceless = mesh->nface == 0;
    if (!mesh->collides && !faceless && mesh->inertia != SPEC_INERTIA_CONVEX) {
        return SAL_OK;
    }
    const sal_status status =
        mesh_hull(spec, &mesh->hull, mesh->vert, mesh->nvert, mesh->maxhullvert, err);
    if (status == SAL_OK && faceless) {
        mesh->nface = mesh->hull.nface;
        mesh->face = spec_take(spec, 3 * (size_t)mesh->nface, sizeof *mesh->face);
        for (int i = 0; i < 3 * mesh->nface && mesh->face != NULL; i++) {
            mesh->face[i] = mesh->hull.vert[mesh->hull.face[i]];
        }
    }
    return spec->nomem ? SAL_NOMEM : status;
}

static void process(spec_work *w, spec_mesh *mesh)
{
    sal_err err = {0};
    if (mesh->nvert < 4) {
        spec_error(w, &mesh->head, mesh->file != NULL ? "file" : "vertex", NULL,
                   "a mesh needs at least 4 vertices, and has %d", mesh->nvert);
        mesh->whole = false;
        return;
    }
    sal_status status = make_hull(w->spec, mesh, &err);
    if (status == SAL_OK && mesh->used) {
        status = mesh_measure(w->spec, mesh, &err);
    }
    if (status == SAL_OK && mesh->collides && w->spec->mujoco == SAL_MUJOCO_314) {
        status = mesh_polygons(w->spec, mesh, &err);
    }
    if (status == SAL_BADINPUT) {
        spec_error(w, &mesh->head, mesh->file != NULL ? "file" : NULL,
                   "if the mesh is only for display: write inertia=\"shell\" in <mesh>, and "
                   "contype=\"0\" conaffinity=\"0\" in its geoms",
                   "the mesh '%.100s' cannot be used: %s",
                   mesh->head.name == NULL ? "" : mesh->head.name, err.message);
    }
    w->spec->nomem = w->spec->nomem || status == SAL_NOMEM;
    mesh->whole = status == SAL_OK;
}

static void check_settings(spec_work *w, spec_mesh *mesh)
{
    if (mesh->maxhullvert != -1 && mesh->maxhullvert <= 3) {
        spec_error(w, &mesh->head, "maxhullvert", NULL,
                   "maxhullvert is %d; it must be greater than 3, or -1 for no limit",
                   mesh->maxhullvert);
    }
    if (mesh->head.name == NULL || mesh->head.name[0] == 0) {
        spec_error(w, &mesh->head, "name", NULL, "<mesh> needs the attribute 'name' or 'file'");
    }
    if (mesh->file != NULL && mesh->vertex_attr != NULL) {
        spec_error(w, &mesh->head, "vertex", NULL,
                   "<mesh> gives both file and vertex; keep one of them");
    }
    if (mesh->builtin != SPEC_BUILTIN_NONE && (mesh->file != NULL || mesh->vertex_attr != NULL)) {
        spec_error(w, &mesh->head, "builtin", NULL,
                   "<mesh> gives both builtin and %s; keep one of them",
                   mesh->file != NULL ? "file" : "vertex");
    }
    if (!(mesh->refquat[0] != 0 || sal_v3_norm(mesh->refquat + 1) > 0)) {
        spec_error(w, &mesh->head, "refquat", NULL,
                   "refquat is zero; it must be a nonzero quaternion");
    }
    if (mesh->inertia < 0) {
        mesh->inertia = spec_compiler_of(w->spec, &mesh->head)->exactmeshinertia
                            ? SPEC_INERTIA_EXACT
                            : SPEC_INERTIA_LEGACY;
    }
    if (mesh->builtin == SPEC_BUILTIN_PLATE) {
        mesh->inertia = SPEC_INERTIA_SHELL; /* whatever it says: it has no volume */
    }
}

static spec_mesh *mesh_named(const spec_work *w, const char *name)
{
    const spec_names *names = &w->meshes;
    int lo = 0, hi = names->n - 1;
    while (lo <= hi) {
        const int mid = (lo + hi) / 2, order = strcmp(names->name[mid].name, name);
        if (order == 0) {
            return w->spec->mesh.item[names->name[mid].id];
        }
        lo = order < 0 ? mid + 1 : lo;
        hi = order < 0 ? hi : mid - 1;
    }
    return NULL;
}

static int order_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void mark_tactile(const spec_work *w)
{
    for (int i = 0; i < w->spec->sensor.n; i++) {
        const spec_sensor *s = w->spec->sensor.item[i];
        const bool names = s->type == SAL_SENS_TACTILE && s->refname != NULL;
        spec_mesh *mesh = names ? mesh_named(w, s->refname) : NULL;
        if (mesh != NULL) {
            mesh->used = mesh->tactile = true;
        }
    }
}

/* Meshes of geoms that may touch others: by their bits, or by a <pair>; all, if sensors look at
 * shapes. */
static void mark_used(spec_work *w)
{
    const mjcf_spec *spec = w->spec;
    const bool seen = spec_sensors_see_shapes(spec);
    const char **paired = spec_take(w->spec, 2 * (size_t)spec->pair.n + 1, sizeof *paired);
    size_t n = 0;
    for (int i = 0; i < spec->pair.n && paired != NULL; i++) {
        const spec_pair *p = spec->pair.item[i];
        paired[n] = p->geom1 == NULL ? "" : p->geom1;
        paired[n + 1] = p->geom2 == NULL ? "" : p->geom2;
        n += 2;
    }
    if (n > 0) {
        qsort(paired, n, sizeof *paired, order_strings);
    }
    for (int b = 0; b < spec->body.n; b++) {
        const spec_body *body = spec->body.item[b];
        for (int i = 0; i < body->geom.n; i++) {
            const spec_geom *g = body->geom.item[i];
            spec_mesh *mesh = g->mesh == NULL ? NULL : mesh_named(w, g->mesh);
            if (mesh != NULL) {
                const bool touches =
                    seen || g->contype != 0 || g->conaffinity != 0 ||
                    (g->head.name != NULL && n > 0 &&
                     bsearch(&g->head.name, paired, n, sizeof *paired, order_strings) != NULL);
                mesh->used = true;
                mesh->collides = mesh->collides || (touches && g->type == SAL_GEOM_MESH);
            }
        }
    }
}

void spec_compile_meshes(spec_work *w)
{
    const spec_list *meshes = &w->spec->mesh;
    w->meshes = spec_sort_names(w, meshes, "mesh");
    mark_used(w);
    mark_tactile(w);
    for (int i = 0; i < meshes->n && !w->spec->nomem; i++) {
        spec_mesh *mesh = meshes->item[i];
        sal_err err = {0};
        mesh->head.id = i;
        check_settings(w, mesh);
        if (mesh->builtin != SPEC_BUILTIN_NONE) {
            read_builtin(w, mesh, &err);
        } else if (mesh->file != NULL) {
            read_file(w, mesh, &err);
        } else {
            read_numbers(w, mesh);
        }
        if (mesh->whole) {
            process(w, mesh);
        }
    }
}

/* ---- geoms ---- */

/* A primitive of the size of the box of the same inertia. */
static void fit_inertia(double size[3], int type, const double box[3])
{
    const double round = (box[0] + box[1]) / 2;
    switch ((sal_geom_type)type) {
    case SAL_GEOM_SPHERE:
        sal_v3_set(size, (box[0] + box[1] + box[2]) / 3, 0, 0);
        break;
    case SAL_GEOM_CAPSULE:
        sal_v3_set(size, round, fmax(0, box[2] - round / 2), 0);
        break;
    case SAL_GEOM_CYLINDER:
        sal_v3_set(size, round, box[2], 0);
        break;
    case SAL_GEOM_ELLIPSOID:
    case SAL_GEOM_BOX:
        sal_v3_copy(size, box);
        break;
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
}

/* Of the size of the bounds, whose half sizes are h. */
static void fit_bounds(double size[3], int type, const double h[3])
{
    const double across = fmax(h[0], h[1]);
    sal_v3_copy(size, h);
    if (type == SAL_GEOM_SPHERE) {
        sal_v3_set(size, fmax(across, h[2]), 0, 0);
    } else if (type == SAL_GEOM_CYLINDER) {
        sal_v3_set(size, across, h[2], 0);
    } else if (type == SAL_GEOM_CAPSULE) {
        sal_v3_set(size, across, fmax(0, h[2] - across), 0);
    }
}

/* 2.2.2: around all points, seen from the middle c of the bounds. */
static void fit_points(double size[3], int type, const spec_mesh *mesh, const double c[3])
{
    double far = 0, across = 0, high = 0, cap = 0, d[3];
    for (int i = 0; i < mesh->nvert; i++) {
        sal_v3_sub(d, mesh->point + 3 * i, c);
        far = fmax(far, sal_v3_norm(d));
        across = fmax(across, sqrt(d[0] * d[0] + d[1] * d[1]));
        high = fmax(high, fabs(d[2]));
    }
    for (int i = 0; i < mesh->nvert; i++) { /* what the round end does not cover */
        sal_v3_sub(d, mesh->point + 3 * i, c);
        const double square = across * across - d[0] * d[0] - d[1] * d[1];
        cap = fmax(cap, fabs(d[2]) - sqrt(fmax(square, 0)));
    }
    if (type == SAL_GEOM_SPHERE) {
        sal_v3_set(size, far, 0, 0);
    } else if (type == SAL_GEOM_CYLINDER) {
        sal_v3_set(size, across, high, 0);
    } else if (type == SAL_GEOM_CAPSULE) {
        sal_v3_set(size, across, cap, 0);
    }
}

/* 2.2.2 puts the middle of the bounds, in the mesh's own axes, where the geom's frame is. */
static void fit(const mjcf_spec *spec, spec_geom *g, const spec_mesh *mesh)
{
    const spec_frame said = g->at;
    double half[3];
    spec_frame_mul(&g->at, &g->at, &mesh->at);
    spec_frame middle = {{0, 0, 0}, {1, 0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        half[k] = (mesh->aabb[3 + k] - mesh->aabb[k]) / 2;
        middle.pos[k] = (mesh->aabb[3 + k] + mesh->aabb[k]) / 2;
    }
    if (spec_compiler_of(spec, &g->head)->fitaabb) {
        fit_bounds(g->size, g->type, half);
        if (spec->mujoco == SAL_MUJOCO_222) {
            fit_points(g->size, g->type, mesh, middle.pos);
            sal_quat_copy(middle.quat, mesh->at.quat);
            spec_frame_mul(&g->at, &said, &middle);
        } else {
            spec_frame_mul(&g->at, &g->at, &middle);
        }
    } else {
        fit_inertia(g->size, g->type, mesh->box);
    }
    sal_v3_scale(g->size, g->size, g->fitscale);
}

/* The motion (a; b) of its surface in the mesh's own axes:  R'(a + b x pos),  R'b */
static void turn_surface(spec_geom *g, const spec_frame *at)
{
    double a[3], b[3], back[4];
    sal_v3_copy(a, g->surfacevel);
    sal_v3_copy(b, g->surfacevel + 3);
    sal_v3_addcross(a, b, at->pos);
    sal_quat_conj(back, at->quat);
    sal_quat_rotate(g->surfacevel, back, a);
    sal_quat_rotate(g->surfacevel + 3, back, b);
}

bool spec_place_mesh(spec_work *w, spec_geom *g)
{
    spec_mesh *mesh = g->mesh == NULL ? NULL : mesh_named(w, g->mesh);
    if (mesh == NULL) {
        if (g->mesh != NULL) {
            spec_find(w, &w->meshes, &g->head, "mesh", g->mesh);
        } else {
            spec_error(w, &g->head, "type", NULL, "a geom of type mesh needs the attribute 'mesh'");
        }
        return false;
    }
    if (g->type == SAL_GEOM_PLANE) {
        spec_error(w, &g->head, "mesh", NULL, "a geom of type plane cannot have a mesh");
        return false;
    }
    if (!isnan(g->fromto[0])) {
        spec_error(w, &g->head, "fromto", NULL, "fromto is not allowed for a geom with a mesh");
        return false;
    }
    if (g->shellinertia && g->type == SAL_GEOM_MESH) { /* of a shape fitted to one it may be said */
        spec_error(w, &g->head, "shellinertia",
                   w->spec->mujoco == SAL_MUJOCO_222
                       ? "read the file as one of a later version, and write inertia=\"shell\" in "
                         "the <mesh>"
                       : "write inertia=\"shell\" in the <mesh> instead",
                   "shellinertia is not allowed for a geom of type mesh");
        return false;
    }
    if (!mesh->whole || mesh->point == NULL) {
        return false; /* reported */
    }
    turn_surface(g, &mesh->at);
    if (g->type != SAL_GEOM_MESH) {
        fit(w->spec, g, mesh);
        return true;
    }
    spec_frame_mul(&g->at, &g->at, &mesh->at);
    g->shape = mesh;
    for (int k = 0; k < 3; k++) {
        g->size[k] = fmax(fabs(mesh->aabb[k]), fabs(mesh->aabb[3 + k]));
    }
    g->volume = mesh->volume;
    for (int k = 0; k < 3; k++) { /* of density 1 */
        const double p = mesh->box[(k + 1) % 3], q = mesh->box[(k + 2) % 3];
        g->inertia[k] = mesh->volume * (p * p + q * q) / 3;
    }
    return true;
}

/* ---- into the model ---- */

void spec_fill_mesh_sizes(const mjcf_spec *spec, sal_model *m)
{
    const bool cast = spec_sensors_cast_rays(spec);
    m->nmesh = spec->mesh.n;
    for (int i = 0; i < spec->mesh.n; i++) {
        const spec_mesh *s = spec->mesh.item[i];
        if (s->collides) {
            m->nmeshvert += s->nvert;
            m->nmeshface += s->nface;
            m->nmeshtree += cast ? phy_ray_tree_size(s->nface) : 0;
            m->ntreeface += cast ? s->nface : 0;
            m->nhullvert += s->hull.nvert;
            m->nhulledge += s->hull.nedge;
            m->nhullface += s->hull.nface;
            m->nhullpoly += s->hull.npoly;
            m->nhullpolyvert += s->hull.npolyvert;
            m->nhullpolymap += s->hull.npolyvert - s->hull.npoly + s->hull.nvert;
        }
    }
}

/* Where the next mesh begins in each list. */
typedef struct mesh_ends {
    int vert, face, tree, hull, edge, hullface, poly, polyvert, polymap;
} mesh_ends;

/* MuJoCo begins there to look for the farthest corner, and with floats decides which of several
 * it is. */
static void fill_extrema(sal_model *m, int mesh, const double *vert, int n)
{
    for (int k = 0; k < 27; k++) {
        const int right = k / 9 - 1, forth = k / 3 % 3 - 1, up = k % 3 - 1;
        float most = -FLT_MAX;
        for (int i = 0; i < n; i++) {
            const float x = (float)vert[3 * i], y = (float)vert[3 * i + 1],
                        z = (float)vert[3 * i + 2],
                        along = x * (float)right + y * (float)forth + z * (float)up;
            if (along > most) {
                most = along;
                m->mesh_extrema[27 * mesh + k] = i;
            }
        }
    }
}

/* By its first three corners, where they are before MuJoCo rounds them to floats */
static void polygon_normal(const spec_mesh *s, const int *corner, double normal[3])
{
    const double *a = s->point + 3 * s->hull.vert[corner[0]];
    double b[3], c[3];
    sal_v3_sub(b, s->point + 3 * s->hull.vert[corner[1]], a);
    sal_v3_sub(c, s->point + 3 * s->hull.vert[corner[2]], a);
    sal_v3_cross(normal, b, c);
    const double length = sal_v3_norm(normal);
    sal_v3_set(b, 1, 0, 0);
    sal_v3_scale(normal, length < 1e-14 ? b : normal, length < 1e-14 ? 1 : 1 / length);
}

/* Of each side its corners and normal, of each corner its sides */
static void fill_polygons(const spec_mesh *s, sal_model *m, mesh_ends *at)
{
    const spec_hull *h = &s->hull;
    int *adr = m->hull_polymapadr + at->hull, *vert = m->hull_polyvert + at->polyvert;
    for (int i = 0, poly = at->poly; i < h->npolyvert; i++) {
        vert[i] = h->polyvert[i];
        if (i == 0 || vert[i - 1] < 0) {
            m->hull_polyadr[poly] = at->polyvert + i;
            polygon_normal(s, h->polyvert + i, m->hull_polynormal + 3 * poly++);
        }
        if (vert[i] >= 0) {
            adr[vert[i]]++;
        }
    }
    for (int k = 0; k < h->nvert; k++) { /* the end of each list, from which it is filled */
        at->polymap += adr[k];
        m->hull_polymap[at->polymap] = -1;
        adr[k] = at->polymap++;
    }
    at->polyvert += h->npolyvert;
    at->poly += h->npoly;
    for (int i = h->npolyvert - 1, poly = at->poly; i >= 0; i--) {
        if (vert[i] < 0) {
            poly--;
        } else {
            m->hull_polymap[--adr[vert[i]]] = poly;
        }
    }
}

static void fill_shape(const spec_mesh *s, sal_model *m, mesh_ends *at)
{
    const int i = s->head.id;
    const spec_hull *h = &s->hull;
    m->mesh_vertnum[i] = s->nvert;
    m->mesh_facenum[i] = s->nface;
    m->mesh_hullnum[i] = h->nvert;
    m->mesh_hullfacenum[i] = h->nface;
    for (int k = 0; k < 3 * s->nvert; k++) {
        m->mesh_vert[3 * at->vert + k] = (float)s->vert[k];
    }
    memcpy(m->mesh_face + 3 * at->face, s->face, 3 * (size_t)s->nface * sizeof *s->face);
    if (m->mujoco != SAL_MUJOCO_222 &&
        mesh_is_mirrored(s)) { /* who reads them written will turn them again */
        mesh_turn_faces(m->mesh_face + 3 * at->face, s->nface);
    }
    for (int k = 0; k < h->nvert; k++) {
        double *vert = m->hull_vert + 3 * (at->hull + k);
        for (int c = 0; c < 3; c++) { /* MuJoCo keeps floats */
            vert[c] = (double)(float)s->point[3 * h->vert[k] + c];
        }
        m->hull_id[at->hull + k] = h->vert[k];
        m->hull_edgeadr[at->hull + k] = at->edge + h->edgeadr[k];
    }
    fill_extrema(m, i, m->hull_vert + 3 * at->hull, h->nvert);
    fill_polygons(s, m, at);
    memcpy(m->hull_edge + at->edge, h->edge, (size_t)h->nedge * sizeof *h->edge);
    memcpy(m->hull_face + 3 * at->hullface, h->face, 3 * (size_t)h->nface * sizeof *h->face);
    at->vert += s->nvert;
    at->face += s->nface;
    at->tree += phy_ray_tree_size(s->nface);
    at->hull += h->nvert;
    at->edge += h->nedge;
    at->hullface += h->nface;
}

void spec_fill_meshes(const mjcf_spec *spec, sal_model *m)
{
    mesh_ends at = {0};
    for (int i = 0; i < spec->mesh.n; i++) {
        const spec_mesh *s = spec->mesh.item[i];
        m->mesh_vertadr[i] = at.vert;
        m->mesh_faceadr[i] = at.face;
        m->mesh_treeadr[i] = at.tree;
        m->mesh_hulladr[i] = at.hull;
        m->mesh_hullfaceadr[i] = at.hullface;
        m->mesh_inertia[i] = s->inertia;
        m->mesh_maxhullvert[i] = s->maxhullvert;
        sal_v3_copy(m->mesh_scale + 3 * i, s->scale);
        sal_v3_copy(m->mesh_refpos + 3 * i, s->refpos);
        sal_quat_copy(m->mesh_refquat + 4 * i, s->refquat);
        sal_v3_copy(m->mesh_pos + 3 * i, s->at.pos);
        sal_quat_copy(m->mesh_quat + 4 * i, s->at.quat);
        if (s->collides) {
            fill_shape(s, m, &at);
        }
    }
    phy_ray_trees(m);
}
