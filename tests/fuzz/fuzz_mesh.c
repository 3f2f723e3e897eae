/* Any bytes as a mesh file, of the kind that the first byte says: vertices, faces and a hull that
 * fit each other, or a reason. A mesh that is whole falls on a plane and touches others without a
 * crash. */
#include "mjcf/mesh.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_hull(const spec_hull *h, int npoint)
{
    int lists = 0;
    must(h->nvert >= 4 && h->nface >= 4 && h->nedge <= h->nvert + 3 * h->nface);
    for (int i = 0; i < h->nvert; i++) {
        must(h->vert[i] >= 0 && h->vert[i] < npoint && h->edgeadr[i] < h->nedge);
    }
    for (int i = 0; i < h->nedge; i++) {
        lists += h->edge[i] < 0;
        must(h->edge[i] < h->nvert);
    }
    for (int i = 0; i < 3 * h->nface; i++) {
        must(h->face[i] >= 0 && h->face[i] < h->nvert);
    }
    must(lists == h->nvert);
}

static void check_sides(mjcf_spec *spec, spec_mesh *mesh)
{
    sal_err err = {0};
    const spec_hull *h = &mesh->hull;
    must(mesh_polygons(spec, mesh, &err) == SAL_OK);
    must(h->npoly <= h->nface && h->npolyvert <= 4 * h->nface);
    int ended = 0;
    for (int i = 0, n = 0; i < h->npolyvert; i++) {
        const bool end = h->polyvert[i] < 0;
        must(h->polyvert[i] < h->nvert && (!end || n >= 3));
        n = end ? 0 : n + 1;
        ended += end;
    }
    must(ended == h->npoly);
}

static void use(mjcf_spec *spec, spec_mesh *mesh)
{
    sal_err err = {0};
    for (int i = 0; i < 3 * mesh->nface; i++) {
        must(mesh->face[i] >= 0 && mesh->face[i] < mesh->nvert);
    }
    const bool hull =
        mesh_hull(spec, &mesh->hull, mesh->vert, mesh->nvert, mesh->maxhullvert, &err) == SAL_OK;
    if (hull) {
        check_hull(&mesh->hull, mesh->nvert);
        check_sides(spec, mesh);
    }
    if (mesh->nface == 0 || (!hull && mesh->inertia == SPEC_INERTIA_CONVEX)) {
        return;
    }
    if (mesh_measure(spec, mesh, &err) == SAL_OK) {
        must(mesh->volume > 0 && isfinite(mesh->box[0] + mesh->box[1] + mesh->box[2]));
        for (int i = 0; i < 3 * mesh->nvert; i++) {
            must(isfinite(mesh->point[i]));
        }
    } else {
        must(err.message[0] != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    if (length < 1) {
        return 0;
    }
    mjcf_spec spec;
    sal_err err = {0};
    spec_init(&spec, data[0] & 1);
    const spec_class *class = spec.classes.item[0];
    spec_mesh mesh = class->mesh;
    mesh.density = 1000;
    mesh.inertia = data[0] >> 3 & 3;
    mesh.maxhullvert = data[0] & 64 ? 6 : -1;
    char *bytes = malloc(length);
    memcpy(bytes, data + 1, length - 1);
    bytes[length - 1] = 0;
    const mesh_format format = (mesh_format)(data[0] >> 1 & 3);
    if (mesh_read(&spec, &mesh, format, bytes, length - 1, &err) == SAL_OK) {
        use(&spec, &mesh);
    } else {
        must(err.message[0] != 0);
    }
    free(bytes);
    spec_free(&spec);
    return 0;
}
