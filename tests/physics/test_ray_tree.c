/* Rays against meshes by their trees of boxes: the bits of a walk over all faces with the triangle
 * test alone, written here anew, and the first face of several that are as near. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/collision/ray.h"
#include "physics/physics.h"

enum { RAYS = 3000 };

/* Of 5120 faces; with faces that stand twice at one place; of four faces; of many in one plane; of
 * 10,000. */
static const char *const assets[] = {
    "<mesh name='m' builtin='sphere' params='4' scale='1 .7 .4'/>",
    ("<mesh name='m' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1' "
     "face='0 1 2 1 2 0 0 1 3 3 0 1 2 3 4 4 2 3'/>"),
    "<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3'/>",
    "<mesh name='m' builtin='cone' params='64 .5'/>",
    "<mesh name='m' builtin='supertorus' params='72 .3 1 1'/>",
};

static sal_model *model_with(const char *asset)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {0};
    sal_text_format(&xml,
                    "<mujoco><asset>%s</asset><worldbody><geom type='mesh' mesh='m'/><site "
                    "name='s'/></worldbody><sensor><rangefinder site='s'/></sensor></mujoco>",
                    asset);
    CHECK_OK(sal_model_parse(&m, "t.xml", xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    return m;
}

/* One after the other, the first of the nearest */
static double by_all(const sal_model *m, const double from[3], const double dir[3], int *face)
{
    double corner[3][3], found = -1;
    *face = -1;
    for (int f = 0; f < m->mesh_facenum[0]; f++) {
        for (int k = 0; k < 3; k++) {
            phy_file_vertex(m, 0, m->mesh_face[3 * f + k], corner[k]);
        }
        const double x = phy_ray_triangle(corner[0], corner[1], corner[2], from, dir);
        if (x >= 0 && (*face < 0 || x < found)) {
            found = x;
            *face = f;
        }
    }
    return found;
}

/* A point of a face: within it, on an edge, or a corner. */
static void point_of(const sal_model *m, sal_rng *rng, int where, double out[3])
{
    const int f = (int)sal_rng_uniform(rng, 0, m->mesh_facenum[0] - 1e-9);
    double corner[3], weight[3] = {1, 0, 0};
    if (where < 2) {
        weight[1] = where == 0 ? sal_rng_uniform(rng, 0, .5) : .5;
        weight[2] = where == 0 ? sal_rng_uniform(rng, 0, .5) : 0;
        weight[0] = 1 - weight[1] - weight[2];
    }
    sal_v3_set(out, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
        phy_file_vertex(m, 0, m->mesh_face[3 * f + k], corner);
        sal_v3_addscaled(out, out, weight[k], corner);
    }
}

/* From near and far, from inside, towards faces, edges and corners, and along axes. */
static void draw(const sal_model *m, sal_rng *rng, int k, double from[3], double dir[3])
{
    double to[3];
    const double spread = k % 5 == 0 ? 100 : k % 5 == 1 ? .2 : 2;
    for (int i = 0; i < 3; i++) {
        from[i] = sal_rng_uniform(rng, -spread, spread);
        dir[i] = sal_rng_uniform(rng, -2, 2);
    }
    if (k % 4 != 0) {
        point_of(m, rng, k % 4 - 1, to);
        sal_v3_sub(dir, to, from);
    }
    if (k % 7 == 0) {
        from[0] = dir[1] = 0;
        dir[0] = k % 2 == 0 ? 0. : -0.;
    }
    if (k % 7 == 1) { /* above a corner */
        point_of(m, rng, 2, from);
        from[2] = 3;
        sal_v3_set(dir, 0, 0, -1);
    }
}

static void same_bits(const char *asset)
{
    sal_model *m = model_with(asset);
    sal_rng rng = {7};
    int met = 0, other[2] = {0, 0};
    const int trees = m->ntreeface;
    for (int k = 0; k < RAYS; k++) {
        double from[3], dir[3];
        int face, face_all, face_listed;
        draw(m, &rng, k, from, dir);
        const double x = phy_ray_faces(m, 0, from, dir, &face);
        m->ntreeface = 0;
        const double listed = phy_ray_faces(m, 0, from, dir, &face_listed);
        m->ntreeface = trees;
        const double all = by_all(m, from, dir, &face_all);
        other[0] += memcmp(&x, &listed, sizeof x) != 0 || face != face_listed;
        other[1] += memcmp(&x, &all, sizeof x) != 0 || face != face_all;
        met += face_all >= 0;
    }
    printf("  %d faces, %d boxes: %d of %d rays met; %d other than without boxes, %d than by the "
           "triangle test alone\n",
           m->mesh_facenum[0], m->nmeshtree, met, RAYS, other[0], other[1]);
    CHECK((m->nmeshtree > 0) == (m->mesh_facenum[0] > 16) && met > RAYS / 4);
    CHECK(other[0] == 0 && other[1] == 0);
    sal_model_free(m);
}

static void every_mesh(void)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        same_bits(assets[i]);
    }
}

/* All faces are in the tree once, and in the boxes of their parts. */
static void trees_hold_all(void)
{
    sal_model *m = model_with(assets[0]);
    const int n = m->mesh_facenum[0];
    char *seen = sal_alloc((size_t)n, 1);
    for (int i = 0; i < n; i++) {
        CHECK(m->tree_face[i] >= 0 && m->tree_face[i] < n && seen[m->tree_face[i]]++ == 0);
    }
    sal_free(seen);
    sal_model_free(m);
}

/* A ray within the plane of faces meets none of them where it passes at a distance. */
static void along_a_plane(void)
{
    sal_model *m =
        model_with("<mesh name='m' inertia='shell' vertex='.1 .3 .7 .2 .5 .1 .9 .4 .3 .5 .5 .5' "
                   "face='0 1 2'/>");
    double a[3], b[3], c[3], from[3], dir[3];
    sal_rng rng = {3};
    int face, by_chance = 0;
    phy_file_vertex(m, 0, 0, a);
    phy_file_vertex(m, 0, 1, b);
    phy_file_vertex(m, 0, 2, c);
    for (int k = 0; k < RAYS; k++) {
        sal_v3_sub(dir, b, c);
        sal_v3_scale(dir, dir, sal_rng_uniform(&rng, -3, 3));
        sal_v3_scale(from, c, 3);
        sal_v3_addscaled(from, from, -2, a);
        by_all(m, from, dir, &face);
        by_chance += face >= 0;
        CHECK(phy_ray_faces(m, 0, from, dir, &face) == -1);
    }
    printf("  by the triangle test alone %d of %d rays along a plane meet what they pass\n",
           by_chance, RAYS);
    sal_model_free(m);
}

int main(void)
{
    RUN(every_mesh);
    RUN(trees_hold_all);
    RUN(along_a_plane);
    return check_done();
}
