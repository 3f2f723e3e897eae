/* absent_mesh.c: meshes that are only for display may be missing. A geom only shows its mesh where
 * it touches nothing, weighs nothing, moves no fluid, and nothing speaks of it; without the file
 * such geoms are left out, and nothing that is computed changes.
 */
#include "mjcf/compile.h"

#include <math.h>
#include <string.h>

static bool weighs(const mjcf_spec *spec, const spec_body *b, const spec_geom *g)
{
    const bool by_inertial =
        b->inertial != NULL && spec_compiler_of(spec, &b->head)->inertiafromgeom != SPEC_TRUE;
    return b->parent != NULL && !by_inertial && g->mass != 0 &&
           (!isnan(g->mass) || g->density != 0);
}

static bool only_shows(const mjcf_spec *spec, const spec_index *referenced, const spec_body *b,
                       const spec_geom *g)
{
    return g->contype == 0 && g->conaffinity == 0 && !weighs(spec, b, g) && g->fluid == 0 &&
           (g->head.name == NULL || spec_index_find(referenced, g->head.name) == NULL);
}

/* The geoms of a mesh by name: how many there are; -1: one of them does more than show it. */
static int count_geoms(const mjcf_spec *spec, const spec_index *referenced, const char *mesh)
{
    int n = 0;
    for (int i = 0; i < spec->body.n; i++) {
        const spec_body *b = spec->body.item[i];
        for (int k = 0; k < b->geom.n; k++) {
            const spec_geom *g = b->geom.item[k];
            if (g->mesh == NULL || strcmp(g->mesh, mesh) != 0) {
                continue;
            }
            if (!only_shows(spec, referenced, b, g)) {
                return -1;
            }
            n++;
        }
    }
    return n;
}

bool spec_mesh_may_be_absent(spec_work *w, const spec_mesh *mesh, int *ngeom)
{
    mjcf_spec *spec = w->spec;
    if (mesh->head.name == NULL || spec_sensors_see_shapes(spec)) {
        return false;
    }
    const spec_index referenced = spec_referenced_geoms(spec);
    *ngeom = count_geoms(spec, &referenced, mesh->head.name);
    return *ngeom >= 0;
}

void spec_drop_absent(mjcf_spec *spec)
{
    for (int m = 0; m < spec->mesh.n; m++) {
        const spec_mesh *mesh = spec->mesh.item[m];
        for (int i = 0; i < spec->body.n && mesh->absent; i++) {
            spec_body *b = spec->body.item[i];
            int kept = 0;
            for (int k = 0; k < b->geom.n; k++) {
                const spec_geom *g = b->geom.item[k];
                if (g->mesh == NULL || strcmp(g->mesh, mesh->head.name) != 0) {
                    b->geom.item[kept++] = b->geom.item[k];
                }
            }
            b->geom.n = kept;
        }
    }
}
