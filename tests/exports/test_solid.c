/* Surfaces of geoms: closed, outside out, with the volume that the shape has; meshes where they
 * collide. */
#include "exports/solid.h"
#include "tests/check.h"
#include "tests/memory.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

#include <math.h>

static const char xml[] =
    "<mujoco><asset>"
    "<mesh name='wedge' scale='2 1 -1' refpos='.1 .2 .3' refquat='.9 .1 .2 .3' "
    "vertex='0 0 0  .4 0 0  0 .3 0  0 0 .5' face='0 2 1  0 1 3  0 3 2  1 2 3'/>"
    "<mesh name='cloud' vertex='0 0 0  .4 0 0  0 .3 0  0 0 .5  .1 .1 .1'/></asset>"
    "<worldbody><geom type='plane' size='0 2 1'/><body pos='0 0 3'><freejoint/>"
    "<geom type='sphere' size='.3'/><geom type='capsule' size='.1 .4'/>"
    "<geom type='ellipsoid' size='.1 .2 .3'/><geom type='cylinder' size='.2 .3'/>"
    "<geom type='box' size='.1 .2 .3'/><geom type='mesh' mesh='wedge'/>"
    "<geom type='mesh' mesh='cloud'/></body></worldbody></mujoco>";

static const double PI = 3.14159265358979323846;

static void corner(const exp_solid *s, const float *of, int triangle, int k, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (double)of[3 * s->corner[3 * triangle + k] + (unsigned)i];
    }
}

/* m^3: sum of x1 . (x2 x x3)/6 over the triangles, which is that of the inside if they face out */
static double volume(const exp_solid *s)
{
    double sum = 0;
    for (int t = 0; t < s->ntriangle; t++) {
        double x[3][3], normal[3];
        for (int k = 0; k < 3; k++) {
            CHECK(s->corner[3 * t + k] < (unsigned)s->nvertex);
            corner(s, s->vertex, t, k, x[k]);
        }
        sal_v3_cross(normal, x[1], x[2]);
        sum += sal_v3_dot(x[0], normal) / 6;
    }
    return sum;
}

/* Normals have length 1 and are on the side to which the triangle faces. */
static void check_normals(const exp_solid *s)
{
    for (int t = 0; t < s->ntriangle && s->normal != NULL; t++) {
        double x[3][3], a[3], b[3], facing[3], normal[3];
        for (int k = 0; k < 3; k++) {
            corner(s, s->vertex, t, k, x[k]);
        }
        sal_v3_sub(a, x[1], x[0]);
        sal_v3_sub(b, x[2], x[0]);
        sal_v3_cross(facing, a, b);
        for (int k = 0; k < 3; k++) {
            corner(s, s->normal, t, k, normal);
            CHECK_NEAR(sal_v3_norm(normal), 1, 1e-6);
            CHECK(sal_v3_norm(facing) < 1e-9 || sal_v3_dot(facing, normal) > 0);
        }
    }
}

static sal_model *parse(void)
{
    sal_model *m = NULL;
    sal_err err = {0};
    sal_diag diag = {0};
    CHECK_OK(sal_model_parse(&m, "solids.xml", xml, strlen(xml), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return m;
}

static void volumes_are_those_of_the_shapes(void)
{
    const struct {
        double volume, least; /* of it: round shapes are cut by the triangles */
    } of[] = {{0, 0},
              {4 / 3. * PI * .027, .95},
              {PI * .01 * (.8 + 4 / 3. * .1), .95},
              {4 / 3. * PI * .006, .95},
              {PI * .04 * .6, .95},
              {.048, 1},
              {2 * .4 * .3 * .5 / 6, 1},
              {.4 * .3 * .5 / 6, 1}};
    sal_model *m = parse();
    for (int g = 0; m != NULL && g < m->ngeom; g++) {
        exp_solid s;
        sal_err err = {0};
        CHECK_OK(exp_solid_new(&s, m, g, 20, &err), err);
        const double found = volume(&s);
        printf("geom %d: %d triangles, %.5g of %.5g m^3\n", g, s.ntriangle, found, of[g].volume);
        CHECK(s.ntriangle >= 2 && found <= of[g].volume * (1 + 1e-5) + 1e-9);
        CHECK(found >= of[g].volume * of[g].least * (1 - 1e-5) - 1e-9);
        check_normals(&s);
        if (g == 0) {
            CHECK_NEAR((double)fabsf(s.vertex[0]), 20, 1e-6);
            CHECK_NEAR((double)fabsf(s.vertex[1]), 2, 1e-6);
        }
        exp_solid_clear(&s);
    }
    sal_model_free(m);
}

/* The hull that collides has the same vertices. */
static void meshes_stand_where_they_collide(void)
{
    sal_model *m = parse();
    for (int g = 6; m != NULL && g < 8; g++) {
        const int mesh = m->geom_dataid[g];
        exp_solid s;
        sal_err err = {0};
        CHECK_OK(exp_solid_new(&s, m, g, 20, &err), err);
        for (int i = 0; i < m->mesh_hullnum[mesh]; i++) {
            const int h = m->mesh_hulladr[mesh] + i, v = m->hull_id[h];
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR((double)s.vertex[3 * v + k], m->hull_vert[3 * h + k], 1e-6);
            }
        }
        exp_solid_clear(&s);
    }
    sal_model_free(m);
}

static void memory_runs_out(void)
{
    sal_model *m = parse();
    for (int g = 0; m != NULL && g < m->ngeom; g++) {
        sal_status status = SAL_NOMEM;
        for (long n = 1, whole = 0; !whole; n++) {
            exp_solid s;
            sal_err err;
            memory_fails_at(n);
            status = exp_solid_new(&s, m, g, 20, &err);
            whole = memory_was_enough(n);
            CHECK(status == SAL_NOMEM || whole);
            exp_solid_clear(&s);
        }
        CHECK(status == SAL_OK);
    }
    sal_model_free(m);
}

int main(void)
{
    RUN(volumes_are_those_of_the_shapes);
    RUN(meshes_stand_where_they_collide);
    RUN(memory_runs_out);
    return check_done();
}
