/* mesh_read.c: triangles from files.
 *
 *     STL   (binary) 80 bytes, uint32 count, then per triangle: normal, three vertices (float[3]
 *           each), uint16
 *     OBJ   (text) "v x y z", "f i/j/k i/j/k ..." with numbers from 1, or from -1 backwards; faces
 *           of the first object only
 *     MSH   int32 nvertex, nnormal, ntexcoord, nface; float vertex[3], normal[3], texcoord[2];
 *           int32 face[3]
 *
 * All little-endian. Equal vertices of an STL file become one; those of the others stay as they
 * are.
 */
#include "base/house.h"
#include "mjcf/mesh.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { STL_HEAD = 84, STL_FACE = 50, MSH_HEAD = 16, POLYGON_MAX = 256 };

static const double coordinate_max = 1e9;

mesh_format mesh_format_of(const char *file, const char *content_type)
{
    static const struct {
        const char *ending, *type;
    } formats[] = {[MESH_STL] = {".stl", "model/stl"},
                   [MESH_OBJ] = {".obj", "model/obj"},
                   [MESH_MSH] = {".msh", "model/vnd.mujoco.msh"}};
    const size_t n = strlen(file);
    for (int i = 0; i < (int)MESH_UNKNOWN; i++) {
        const bool ends = n > 4 && strcasecmp(file + n - 4, formats[i].ending) == 0;
        if (content_type != NULL ? strcmp(content_type, formats[i].type) == 0 : ends) {
            return (mesh_format)i;
        }
    }
    return MESH_UNKNOWN;
}

static sal_status bad_coordinate(sal_err *err, long vertex)
{
    return sal_fail(err, SAL_BADINPUT,
                    "vertex %ld is not finite, or has a coordinate larger than 1e9", vertex);
}

static bool usable(double x)
{
    return isfinite(x) && fabs(x) <= coordinate_max;
}

/* Room for vertices and faces; false (spec->nomem) without. */
static bool take(mjcf_spec *spec, spec_mesh *mesh, size_t nvert, size_t nface)
{
    mesh->vert = spec_take(spec, 3 * nvert + 1, sizeof *mesh->vert);
    mesh->face = spec_take(spec, 3 * nface + 1, sizeof *mesh->face);
    return mesh->vert != NULL && mesh->face != NULL;
}

/* ---- STL ---- */

static size_t hash_of(const float v[3])
{
    uint64_t h = 14695981039346656037U;
    for (int k = 0; k < 3; k++) {
        const float x = v[k] + 0.0F; /* -0 and 0 are one */
        uint32_t word;
        memcpy(&word, &x, sizeof word);
        h = (h ^ word) * 1099511628211U;
        h ^= h >> 29;
    }
    return (size_t)h;
}

/* The number of a vertex: that of an equal one, or a new one. `slot` [size, a power of two] holds
 * numbers + 1. */
static int vertex_number(spec_mesh *mesh, const float v[3], int *slot, size_t size)
{
    for (size_t i = hash_of(v);; i++) {
        int *at = &slot[i & (size - 1)];
        if (*at == 0) {
            for (int k = 0; k < 3; k++) {
                mesh->vert[3 * mesh->nvert + k] = (double)v[k];
            }
            *at = ++mesh->nvert;
            return *at - 1;
        }
        const double *known = mesh->vert + 3 * (*at - 1);
        if (known[0] == (double)v[0] && known[1] == (double)v[1] && known[2] == (double)v[2]) {
            return *at - 1;
        }
    }
}

static sal_status stl_faces(spec_mesh *mesh, const char *bytes, size_t count, sal_err *err)
{
    size_t size = 16;
    while (size < 6 * count) {
        size *= 2;
    }
    int *slot = sal_alloc(size, sizeof *slot);
    if (slot == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    sal_status status = SAL_OK;
    for (size_t i = 0; i < 3 * count && status == SAL_OK; i++) {
        const char *at = bytes + STL_HEAD + STL_FACE * (i / 3) + 12 * (i % 3 + 1);
        const float v[3] = {sal_bytes_float(at), sal_bytes_float(at + 4), sal_bytes_float(at + 8)};
        if (!usable((double)v[0]) || !usable((double)v[1]) || !usable((double)v[2])) {
            status = bad_coordinate(err, (long)i);
        } else {
            mesh->face[i] = vertex_number(mesh, v, slot, size);
        }
    }
    mesh->nface = (int)count;
    sal_free(slot);
    return status;
}

static sal_status read_stl(mjcf_spec *spec, spec_mesh *mesh, const char *bytes, size_t n,
                           sal_err *err)
{
    const bool text = n >= 5 && memcmp(bytes, "solid", 5) == 0;
    const size_t count = n < STL_HEAD ? 0 : sal_bytes_word(bytes + 80);
    if (n < STL_HEAD || (n - STL_HEAD) / STL_FACE != count || (n - STL_HEAD) % STL_FACE != 0) {
        return text
                   ? sal_fail(err, SAL_BADINPUT,
                              "this is an ASCII STL file; only binary STL is supported: convert it")
                   : sal_fail(err, SAL_BADINPUT,
                              "its header gives %zu triangles, which does not match its size of "
                              "%zu bytes",
                              count, n);
    }
    if (count == 0 || count > MESH_FACES_MAX) {
        return sal_fail(err, SAL_BADINPUT, "it has %zu triangles; 1 to %d are allowed", count,
                        MESH_FACES_MAX);
    }
    if (!take(spec, mesh, 3 * count, count)) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    return stl_faces(mesh, bytes, count, err);
}

/* ---- MSH ---- */

static sal_status read_msh(mjcf_spec *spec, spec_mesh *mesh, const char *bytes, size_t n,
                           sal_err *err)
{
    size_t size[4] = {0}, wanted = MSH_HEAD; /* vertices, normals, texture coordinates, faces */
    static const size_t each[4] = {12, 12, 8, 12};
    for (size_t i = 0; i < 4 && n >= MSH_HEAD; i++) {
        size[i] = sal_bytes_word(bytes + 4 * i);
        wanted += each[i] * size[i]; /* below 2^39 */
    }
    if (n < MSH_HEAD || wanted != n) {
        return sal_fail(err, SAL_BADINPUT, "its header does not match its size of %zu bytes", n);
    }
    if (size[0] > MESH_VERTICES_MAX || size[3] > MESH_FACES_MAX) {
        return sal_fail(
            err, SAL_BADINPUT,
            "it has more than %d vertices or more than %d faces, the most that are allowed",
            MESH_VERTICES_MAX, MESH_FACES_MAX);
    }
    if (!take(spec, mesh, size[0], size[3])) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    mesh->nvert = (int)size[0];
    mesh->nface = (int)size[3];
    for (size_t i = 0; i < 3 * size[0]; i++) {
        mesh->vert[i] = (double)sal_bytes_float(bytes + MSH_HEAD + 4 * i);
        if (!usable(mesh->vert[i])) {
            return bad_coordinate(err, (long)(i / 3));
        }
    }
    const char *faces = bytes + (n - 12 * size[3]);
    for (size_t i = 0; i < 3 * size[3]; i++) {
        const uint32_t index = sal_bytes_word(faces + 4 * i);
        if (index >= size[0]) {
            return sal_fail(
                err, SAL_BADINPUT,
                "face %zu refers to vertex %u, but the mesh has %zu vertices, numbered from 0",
                i / 3, (unsigned)index, size[0]);
        }
        mesh->face[i] = (int)index;
    }
    return SAL_OK;
}

/* ---- OBJ ---- */

typedef struct obj_reader {
    spec_mesh *mesh; /* vert NULL: only counts */
    sal_mujoco mujoco;
    long line;
    long nvert, nface;
    bool faces, closed; /* there were faces; the first object is over */
} obj_reader;

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t') {
        s++;
    }
    return s;
}

static bool ends_line(const char *s)
{
    return *s == 0 || *s == '\n' || *s == '\r' || *s == '#';
}

static sal_status obj_vertex(obj_reader *r, const char *s, sal_err *err)
{
    for (int k = 0; k < 3; k++) {
        double x;
        s = skip_blanks(s);
        if (ends_line(s) || !sal_text_number(s, &s, &x)) {
            return sal_fail(err, SAL_BADINPUT, "line %ld: 'v' needs three numbers", r->line);
        }
        if (!usable(x)) {
            return bad_coordinate(err, r->nvert);
        }
        if (r->mesh->vert != NULL) {
            r->mesh->vert[3 * r->nvert + k] = (double)(float)x;
        }
    }
    r->nvert++;
    return SAL_OK;
}

/* One corner of a face, "i", "i/j", "i//k" or "i/j/k", of which only i counts; -1 if it is none. */
static long obj_corner(const obj_reader *r, const char **s)
{
    const bool back = **s == '-';
    long i = 0;
    const char *digit = back ? *s + 1 : *s;
    if (*digit < '0' || *digit > '9') {
        return -1;
    }
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        i = i < 100000000 ? 10 * i + (*digit - '0') : i;
    }
    while (!ends_line(digit) && *digit != ' ' && *digit != '\t') {
        digit++;
    }
    *s = digit;
    return i == 0 ? -1 : back ? r->nvert - i : i - 1;
}

/* A quadrilateral a b c d is cut along the shorter diagonal, a c or b d, by MuJoCo 3.14. */
static void cut_shorter(const obj_reader *r, int *face)
{
    const double *vert = r->mesh->vert;
    const int quad[4] = {face[0], face[1], face[2], face[5]};
    float square[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        if (quad[i] >= r->nvert) {
            return; /* not read yet, or never */
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            const float along = (float)vert[3 * quad[i + 2] + k] - (float)vert[3 * quad[i] + k];
            square[i] += along * along;
        }
    }
    if (!(square[0] < square[1])) {
        face[2] = face[5] = quad[3];
        face[3] = quad[1];
        face[4] = quad[2];
    }
}

/* A polygon as a fan of triangles about its first corner, but for quadrilaterals in 3.14. */
static sal_status obj_face(obj_reader *r, const char *s, sal_err *err)
{
    long first = -1, last = -1;
    int n = 0;
    for (s = skip_blanks(s); !ends_line(s); s = skip_blanks(s), n++) {
        const long corner = obj_corner(r, &s);
        if (corner < 0 || corner >= MESH_VERTICES_MAX || n == POLYGON_MAX) {
            return sal_fail(err, SAL_BADINPUT, "line %ld: 'f' needs 3 to %d numbers of vertices",
                            r->line, POLYGON_MAX);
        }
        if (n >= 2) {
            if (r->mesh->vert != NULL) {
                int *face = r->mesh->face + 3 * r->nface;
                face[0] = (int)first, face[1] = (int)last, face[2] = (int)corner;
            }
            r->nface++;
        }
        first = n == 0 ? corner : first;
        last = corner;
    }
    if (n == 4 && r->mujoco == SAL_MUJOCO_314 && r->mesh->vert != NULL) {
        cut_shorter(r, r->mesh->face + 3 * (r->nface - 2));
    }
    r->faces = true;
    return SAL_OK; /* a face of one or two vertices is none */
}

static sal_status obj_line(obj_reader *r, const char *s, sal_err *err)
{
    s = skip_blanks(s);
    const bool spaced = s[0] != 0 && (s[1] == ' ' || s[1] == '\t');
    if (spaced && s[0] == 'v') {
        return obj_vertex(r, s + 1, err);
    }
    if (spaced && s[0] == 'f' && !r->closed) {
        return obj_face(r, s + 1, err);
    }
    if ((s[0] == 'o' || s[0] == 'g') && (spaced || ends_line(s + 1))) {
        r->closed = r->faces;
    }
    return SAL_OK; /* the rest is for the eye */
}

/* Lines end with \n, \r\n or, in old files, \r. */
static const char *next_line(const char *s, const char *end)
{
    while (s < end && *s != '\n' && *s != '\r') {
        s++;
    }
    s += end - s > 1 && s[0] == '\r' && s[1] == '\n';
    return s < end ? s + 1 : end;
}

static sal_status obj_lines(obj_reader *r, const char *bytes, size_t n, sal_err *err)
{
    const char *s = bytes, *end = bytes + n;
    while (s < end) {
        r->line++;
        const sal_status status = obj_line(r, s, err);
        if (status != SAL_OK) {
            return status;
        }
        if (r->nvert > MESH_VERTICES_MAX || r->nface > MESH_FACES_MAX) {
            return sal_fail(
                err, SAL_BADINPUT,
                "it has more than %d vertices or more than %d faces, the most that are allowed",
                MESH_VERTICES_MAX, MESH_FACES_MAX);
        }
        s = next_line(s, end);
    }
    return SAL_OK;
}

static int line_of(const char *bytes, const char *at)
{
    int line = 1;
    for (; bytes < at; bytes++) {
        line += *bytes == '\n';
    }
    return line;
}

/* Once to count, once to keep. */
static sal_status read_obj(mjcf_spec *spec, spec_mesh *mesh, const char *bytes, size_t n,
                           sal_err *err)
{
    obj_reader count = {.mesh = mesh, .mujoco = spec->mujoco}, keep = count;
    if (memchr(bytes, 0, n) != NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "an OBJ file must be text, and line %d of this file contains a NUL byte",
                        line_of(bytes, memchr(bytes, 0, n)));
    }
    mesh->vert = NULL;
    sal_status status = obj_lines(&count, bytes, n, err);
    if (status != SAL_OK) {
        return status;
    }
    if (!take(spec, mesh, (size_t)count.nvert, (size_t)count.nface)) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    status = obj_lines(&keep, bytes, n, err);
    mesh->nvert = (int)count.nvert;
    mesh->nface = (int)count.nface;
    for (int i = 0; i < 3 * mesh->nface && status == SAL_OK; i++) {
        if (mesh->face[i] >= mesh->nvert) {
            status = sal_fail(
                err, SAL_BADINPUT,
                "a face refers to vertex %d, but the mesh has %d vertices, numbered from 1",
                mesh->face[i] + 1, mesh->nvert);
        }
    }
    return status;
}

sal_status mesh_read(mjcf_spec *spec, spec_mesh *mesh, mesh_format format, const char *bytes,
                     size_t n, sal_err *err)
{
    mesh->nvert = mesh->nface = 0;
    switch (format) {
    case MESH_STL:
        return read_stl(spec, mesh, bytes, n, err);
    case MESH_OBJ:
        return read_obj(spec, mesh, bytes, n, err);
    case MESH_MSH:
        return read_msh(spec, mesh, bytes, n, err);
    case MESH_UNKNOWN:
        break;
    }
    return sal_fail(err, SAL_BADINPUT, "its name must end in .stl, .obj or .msh");
}
