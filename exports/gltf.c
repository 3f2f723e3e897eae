/* gltf.c: the mechanism and its motion as glTF 2.0, binary (.glb): a node for each body, which an
 * animation moves, with the surfaces of its geoms below it.
 *
 * The world's z becomes glTF's y by the root node. Nodes: 0 the world, b body b, nbody + k the k-th
 * geom that is shown. All numbers stand in one buffer: surfaces, times, then of each body that
 * moves its places and its quaternions (x y z w).
 */
#include "exports/formats.h"
#include "exports/solid.h"

#include "base/house.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double RATE = 30, ENDLESS = 20; /* Hz; m, of a plane without end */
enum { FLOATS = 5126, UNSIGNED = 5125, VERTICES = 34962, CORNERS = 34963 };

typedef struct accessor {
    size_t offset, bytes;
    int count, components, type, target;
    double least[3], most[3];
} accessor;

typedef struct gltf {
    exp_frames f;
    const sal_model *m;
    sal_text bytes;
    int naccessor, ngeom;
    accessor *accessor;
    /* [ngeom] which geoms are shown; their first accessor, how many they have */
    int *geom, *first, *own;
    /* [nbody] first accessor of the motion; -1: it does not move */
    int *motion;
    int time;
} gltf;

/* ---- the buffer ---- */

/* Numbers of 4 bytes; the order of the machine, the lowest byte first, is glTF's. */
static int put(gltf *g, const void *numbers, int count, int components, int type, int target)
{
    accessor *a = g->accessor + g->naccessor;
    *a = (accessor){.offset = g->bytes.length,
                    .bytes = 4 * (size_t)count * (size_t)components,
                    .count = count,
                    .components = components,
                    .type = type,
                    .target = target};
    for (int k = 0; k < 3; k++) {
        a->least[k] = INFINITY;
        a->most[k] = -INFINITY;
    }
    for (int i = 0; i < count * components && components <= 3 && type == FLOATS; i++) {
        const double x = (double)((const float *)numbers)[i];
        a->least[i % components] = fmin(a->least[i % components], x);
        a->most[i % components] = fmax(a->most[i % components], x);
    }
    sal_text_addn(&g->bytes, numbers, a->bytes);
    return g->naccessor++;
}

static sal_status put_solids(gltf *g, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < g->ngeom && status == SAL_OK; i++) {
        exp_solid s;
        status = exp_solid_new(&s, g->m, g->geom[i], ENDLESS, err);
        g->first[i] = g->naccessor;
        if (status == SAL_OK && s.ntriangle > 0) {
            put(g, s.corner, 3 * s.ntriangle, 1, UNSIGNED, CORNERS);
            put(g, s.vertex, s.nvertex, 3, FLOATS, VERTICES);
            if (s.normal != NULL) {
                put(g, s.normal, s.nvertex, 3, FLOATS, VERTICES);
            }
        }
        g->own[i] = g->naccessor - g->first[i];
        exp_solid_clear(&s);
    }
    return status;
}

static void put_places(gltf *g, int body, float *buffer)
{
    const exp_frames *f = &g->f;
    for (int k = 0; k < f->n; k++) {
        const double *x = f->xpos + 3 * ((ptrdiff_t)k * g->m->nbody + body);
        for (int i = 0; i < 3; i++) {
            buffer[3 * k + i] = (float)x[i];
        }
    }
    put(g, buffer, f->n, 3, FLOATS, 0);
}

/* Quaternions of successive frames have the same sign, so that what is between them is, too. */
static void put_turns(gltf *g, int body, float *buffer)
{
    const exp_frames *f = &g->f;
    const double *before = f->xquat + 4 * body;
    double sign = 1;
    for (int k = 0; k < f->n; k++) {
        const double *q = f->xquat + 4 * ((ptrdiff_t)k * g->m->nbody + body);
        const double dot =
            q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3];
        sign = dot < 0 ? -sign : sign;
        for (int i = 0; i < 4; i++) {
            buffer[4 * k + i] = (float)(sign * q[(i + 1) % 4]);
        }
        before = q;
    }
    put(g, buffer, f->n, 4, FLOATS, 0);
}

static void put_motion(gltf *g, float *buffer)
{
    const exp_frames *f = &g->f;
    for (int k = 0; k < f->n; k++) {
        buffer[k] = (float)f->time[k];
    }
    g->time = put(g, buffer, f->n, 1, FLOATS, 0);
    for (int b = 1; b < g->m->nbody; b++) {
        g->motion[b] = g->m->body_weldid[b] == 0 ? -1 : g->naccessor;
        if (g->motion[b] >= 0) {
            put_places(g, b, buffer);
            put_turns(g, b, buffer);
        }
    }
}

/* ---- nodes ---- */

static void write_pose(sal_json *j, const double pos[3], const double quat[4])
{
    const double xyzw[4] = {quat[1], quat[2], quat[3], quat[0]};
    sal_json_numbers(j, "translation", pos, 3);
    sal_json_numbers(j, "rotation", xyzw, 4);
}

/* Nodes below a body: its geoms; below the world also all bodies. */
static void write_children(sal_json *j, const gltf *g, int body)
{
    int n = body == 0 ? g->m->nbody - 1 : 0;
    for (int i = 0; i < g->ngeom; i++) {
        n += g->m->geom_bodyid[g->geom[i]] == body;
    }
    if (n == 0) {
        return; /* glTF has no empty lists */
    }
    sal_json_array(j, "children");
    for (int b = 1; b < g->m->nbody && body == 0; b++) {
        sal_json_integer(j, NULL, b);
    }
    for (int i = 0; i < g->ngeom; i++) {
        if (g->m->geom_bodyid[g->geom[i]] == body) {
            sal_json_integer(j, NULL, g->m->nbody + i);
        }
    }
    sal_json_end(j);
}

/* Number of a mesh, of those geoms that have a surface */
static int mesh_number(const gltf *g, int geom)
{
    int n = 0;
    for (int i = 0; i < geom; i++) {
        n += g->own[i] > 0;
    }
    return n;
}

static void write_nodes(sal_json *j, const gltf *g)
{
    static const double none[3] = {0, 0, 0};
    static const double up[4] = {0.70710678118654752440, -0.70710678118654752440, 0, 0};
    const sal_model *m = g->m;
    char name[PRB_COLUMN_NAME];
    sal_json_array(j, "nodes");
    for (int b = 0; b < m->nbody; b++) {
        sal_json_object(j, NULL);
        prb_object_name(name, m, SAL_OBJ_BODY, b);
        sal_json_string(j, "name", name);
        write_pose(j, b == 0 ? none : g->f.xpos + 3 * b, b == 0 ? up : g->f.xquat + 4 * b);
        write_children(j, g, b);
        sal_json_end(j);
    }
    for (int i = 0; i < g->ngeom; i++) {
        const int geom = g->geom[i];
        sal_json_object(j, NULL);
        prb_object_name(name, m, SAL_OBJ_GEOM, geom);
        sal_json_string(j, "name", name);
        write_pose(j, m->geom_pos + 3 * geom, m->geom_quat + 4 * geom);
        if (g->own[i] > 0) {
            sal_json_integer(j, "mesh", mesh_number(g, i));
        }
        sal_json_end(j);
    }
    sal_json_end(j);
}

/* ---- surfaces ---- */

static void write_meshes(sal_json *j, const gltf *g)
{
    sal_json_array(j, "meshes");
    for (int i = 0; i < g->ngeom; i++) {
        if (g->own[i] == 0) {
            continue;
        }
        sal_json_object(j, NULL);
        sal_json_array(j, "primitives");
        sal_json_object(j, NULL);
        sal_json_object(j, "attributes");
        sal_json_integer(j, "POSITION", g->first[i] + 1);
        if (g->own[i] > 2) {
            sal_json_integer(j, "NORMAL", g->first[i] + 2);
        }
        sal_json_end(j);
        sal_json_integer(j, "indices", g->first[i]);
        sal_json_integer(j, "material", mesh_number(g, i));
        sal_json_end(j);
        sal_json_end(j);
        sal_json_end(j);
    }
    sal_json_end(j);
}

/* glTF's colours are linear, those of models as a screen shows them (sRGB). */
static double linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void write_materials(sal_json *j, const gltf *g)
{
    sal_json_array(j, "materials");
    for (int i = 0; i < g->ngeom; i++) {
        const float *rgba = g->m->geom_rgba + 4 * g->geom[i];
        double colour[4];
        if (g->own[i] == 0) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            const double c = fmin(1, fmax(0, (double)rgba[k]));
            colour[k] = k < 3 ? linear(c) : c;
        }
        sal_json_object(j, NULL);
        sal_json_object(j, "pbrMetallicRoughness");
        sal_json_numbers(j, "baseColorFactor", colour, 4);
        sal_json_number(j, "metallicFactor", 0);
        sal_json_number(j, "roughnessFactor", 0.7);
        sal_json_end(j);
        if (colour[3] < 1) {
            sal_json_string(j, "alphaMode", "BLEND");
        }
        sal_json_bool(j, "doubleSided", true);
        sal_json_end(j);
    }
    sal_json_end(j);
}

/* ---- the animation ---- */

static void write_channels(sal_json *j, const gltf *g)
{
    int sampler = 0;
    sal_json_array(j, "channels");
    for (int b = 1; b < g->m->nbody; b++) {
        for (int part = 0; part < 2 && g->motion[b] >= 0; part++) {
            sal_json_object(j, NULL);
            sal_json_integer(j, "sampler", sampler++);
            sal_json_object(j, "target");
            sal_json_integer(j, "node", b);
            sal_json_string(j, "path", part == 0 ? "translation" : "rotation");
            sal_json_end(j);
            sal_json_end(j);
        }
    }
    sal_json_end(j);
}

static void write_animation(sal_json *j, const gltf *g)
{
    sal_json_array(j, "animations");
    sal_json_object(j, NULL);
    sal_json_string(j, "name", "motion");
    write_channels(j, g);
    sal_json_array(j, "samplers");
    for (int b = 1; b < g->m->nbody; b++) {
        for (int part = 0; part < 2 && g->motion[b] >= 0; part++) {
            sal_json_object(j, NULL);
            sal_json_integer(j, "input", g->time);
            sal_json_integer(j, "output", g->motion[b] + part);
            sal_json_string(j, "interpolation", "LINEAR");
            sal_json_end(j);
        }
    }
    sal_json_end(j);
    sal_json_end(j);
    sal_json_end(j);
}

/* ---- the buffer's description ---- */

static void write_accessors(sal_json *j, const gltf *g)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    sal_json_array(j, "accessors");
    for (int i = 0; i < g->naccessor; i++) {
        const accessor *a = g->accessor + i;
        sal_json_object(j, NULL);
        sal_json_integer(j, "bufferView", i);
        sal_json_integer(j, "componentType", a->type);
        sal_json_integer(j, "count", a->count);
        sal_json_string(j, "type", types[a->components]);
        if (a->type == FLOATS && a->components <= 3) {
            sal_json_numbers(j, "min", a->least, a->components);
            sal_json_numbers(j, "max", a->most, a->components);
        }
        sal_json_end(j);
    }
    sal_json_end(j);
    sal_json_array(j, "bufferViews");
    for (int i = 0; i < g->naccessor; i++) {
        const accessor *a = g->accessor + i;
        sal_json_object(j, NULL);
        sal_json_integer(j, "buffer", 0);
        sal_json_integer(j, "byteOffset", (long long)a->offset);
        sal_json_integer(j, "byteLength", (long long)a->bytes);
        if (a->target != 0) {
            sal_json_integer(j, "target", a->target);
        }
        sal_json_end(j);
    }
    sal_json_end(j);
    sal_json_array(j, "buffers");
    sal_json_object(j, NULL);
    sal_json_integer(j, "byteLength", (long long)g->bytes.length);
    sal_json_end(j);
    sal_json_end(j);
}

static void write_description(sal_text *out, const gltf *g)
{
    sal_json json = {.out = out}, *j = &json;
    sal_json_object(j, NULL);
    sal_json_object(j, "asset");
    sal_json_string(j, "version", "2.0");
    sal_json_string(j, "generator", "saltus");
    sal_json_end(j);
    sal_json_integer(j, "scene", 0);
    sal_json_array(j, "scenes");
    sal_json_object(j, NULL);
    sal_json_array(j, "nodes");
    sal_json_integer(j, NULL, 0);
    sal_json_end(j);
    sal_json_end(j);
    sal_json_end(j);
    write_nodes(j, g);
    if (mesh_number(g, g->ngeom) > 0) {
        write_meshes(j, g);
        write_materials(j, g);
    }
    write_animation(j, g);
    write_accessors(j, g);
    sal_json_end(j);
}

/* ---- the file ---- */

static void put_word(sal_text *out, uint32_t word)
{
    sal_text_addn(out, (const char *)&word, sizeof word);
}

/* A header, and two chunks whose lengths are multiples of 4 */
static void write_file(sal_text *out, const gltf *g, sal_text *description)
{
    while (description->length % 4 != 0) {
        sal_text_add(description, " ");
    }
    put_word(out, 0x46546C67); /* glTF */
    put_word(out, 2);
    put_word(out, (uint32_t)(12 + 8 + description->length + 8 + g->bytes.length));
    put_word(out, (uint32_t)description->length);
    put_word(out, 0x4E4F534A); /* JSON */
    sal_text_addn(out, description->data, description->length);
    put_word(out, (uint32_t)g->bytes.length);
    put_word(out, 0x004E4942); /* BIN */
    sal_text_addn(out, g->bytes.data, g->bytes.length);
}

static sal_status make(gltf *g, sal_text *out, sal_err *err)
{
    const size_t ngeom = (size_t)g->m->ngeom, nbody = (size_t)g->m->nbody;
    sal_text description = {0};
    int *numbers = sal_alloc(3 * ngeom + nbody + 1, sizeof *numbers);
    float *buffer = sal_alloc(4 * (size_t)g->f.n + 1, sizeof *buffer);
    g->accessor = sal_alloc(3 * ngeom + 2 * nbody + 1, sizeof *g->accessor);
    sal_status status = SAL_OK;
    if (numbers == NULL || buffer == NULL || g->accessor == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for an export");
    } else {
        g->geom = numbers, g->first = numbers + ngeom, g->own = g->first + ngeom;
        g->motion = g->own + ngeom;
        g->ngeom = exp_solid_shown(g->m, g->geom);
        status = put_solids(g, err);
    }
    if (status == SAL_OK) {
        put_motion(g, buffer);
        write_description(&description, g);
        if (description.failed || g->bytes.failed) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for an export");
        } else {
            write_file(out, g, &description);
        }
    }
    sal_free(numbers);
    sal_free(buffer);
    sal_text_clear(&description);
    return status;
}

sal_status exp_write_gltf(sal_export *out, const sal_result *r, const sal_export_options *options,
                          sal_err *err)
{
    gltf g = {.m = r->model};
    sal_status status = exp_frames_new(&g.f, r, options, RATE, err);
    status = status == SAL_OK ? make(&g, &out->file[0].text, err) : status;
    exp_frames_clear(&g.f);
    sal_free(g.accessor);
    sal_text_clear(&g.bytes);
    return status;
}
