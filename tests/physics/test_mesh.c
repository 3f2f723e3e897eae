/* Meshes: what is known in closed form, MuJoCo 2.2.2's masses and frames, and files that cannot be used. */
#include "tests/check.h"
#include "tests/physics/mjcf_compare.h"

#include "physics/physics.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

static sal_model *parse(const char *xml, bool compat222)
{
    const sal_load_options options = {.compat222 = compat222};
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "model.xml", xml, strlen(xml), &options, NULL, &err), err);
    return m;
}

static sal_model *with_mesh(const char *mesh, const char *geom)
{
    char xml[4000];
    snprintf(xml, sizeof xml,
             "<mujoco><asset><mesh name='m' %s/></asset><worldbody><body><freejoint/><geom "
             "mesh='m' %s/></body></worldbody></mujoco>",
             mesh, geom);
    return parse(xml, false);
}

/* ---- closed forms ---- */

/* Tetrahedron (0, x, y, z of length 1): volume 1/6, centre 1/4; about it I = m (3/80 (1 + [i = j]) + 1/80 ...): principal moments m/16 (the two
 * across the diagonal) and m/10 along it, m = density/6:  I_d = m/10, I_across = m/16. */
static void a_tetrahedron(void)
{
    sal_model *m = with_mesh("vertex='0 0 0 1 0 0 0 1 0 0 0 1'", "type='mesh' density='600'");
    if (m == NULL) {
        return;
    }
    CHECK_NEAR(m->body_mass[1], 100, 1e-12);
    CHECK_NEAR(m->body_inertia[3], 10, 1e-12);
    CHECK_NEAR(m->body_inertia[4], 6.25, 1e-12);
    CHECK_NEAR(m->body_inertia[5], 6.25, 1e-12);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(m->geom_pos[k], 0.25, 1e-15);
    }
    CHECK(m->mesh_hullnum[0] == 4 && m->mesh_hullfacenum[0] == 4);
    sal_model_free(m);
}

/* A box a x b x c in a corner: m = rho abc, I = m/12 (b^2 + c^2), ... largest first; bounds are its half sizes. */
static void a_box(void)
{
    sal_model *m = with_mesh("vertex='0 0 0 .5 0 0 0 .25 0 .5 .25 0 0 0 1 .5 0 1 0 .25 1 .5 .25 1' "
                             "refpos='1 2 3' scale='2 2 2'",
                             "type='mesh'");
    if (m == NULL) {
        return;
    }
    const double mass = 1000 * 1 * 0.5 * 2;
    CHECK_NEAR(m->body_mass[1], mass, 1e-9);
    CHECK_NEAR(m->body_inertia[3], mass / 12 * (1 + 4), 1e-9);
    CHECK_NEAR(m->body_inertia[4], mass / 12 * (0.25 + 4), 1e-9);
    CHECK_NEAR(m->body_inertia[5], mass / 12 * (0.25 + 1), 1e-9);
    CHECK_NEAR(m->geom_pos[0], 2 * (0.25 - 1), 1e-12);
    CHECK_NEAR(m->geom_pos[1], 2 * (0.125 - 2), 1e-12);
    CHECK_NEAR(m->geom_pos[2], 2 * (0.5 - 3), 1e-12);
    CHECK_NEAR(m->geom_size[0], 0.25, 1e-12);
    CHECK_NEAR(m->geom_size[1], 0.5, 1e-12);
    CHECK_NEAR(m->geom_size[2], 1, 1e-12);
    CHECK_NEAR(m->geom_rbound[0], sqrt(0.0625 + 0.25 + 1), 1e-12);
    sal_model_free(m);
}

/* Points on a ball of radius 1: volume, inertia and bounds approach the ball's as 1/n; every corner is on the hull. */
static void points_on_a_ball(void)
{
    sal_text mesh = {0};
    const int n = 2000;
    sal_text_add(&mesh, "<mujoco><asset><mesh name='m' inertia='convex' vertex='");
    for (int i = 0; i < n; i++) { /* a spiral of even density */
        const double z = 1 - (2 * i + 1.0) / n, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
        sal_text_format(&mesh, "%.9g %.9g %.9g ", r * cos(turn), r * sin(turn), z);
    }
    sal_text_add(&mesh, "'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m'/>"
                        "</body></worldbody></mujoco>");
    sal_model *m = parse(mesh.data, false);
    if (m != NULL) {
        const double mass = 4000 * acos(-1) / 3;
        CHECK_NEAR(m->body_mass[1] / mass, 1, 5e-3);
        CHECK_NEAR(m->body_inertia[3] / (0.4 * mass), 1, 1e-2);
        CHECK_NEAR(m->body_inertia[5] / (0.4 * mass), 1, 1e-2);
        CHECK_NEAR(m->geom_size[0], 1, 1e-2);
        CHECK(m->mesh_hullnum[0] == n && m->mesh_hullfacenum[0] == 2 * n - 4);
    }
    sal_model_free(m);
    sal_text_clear(&mesh);
}

/* ---- MuJoCo 2.2.2 ---- */

static void ignore(const char *message)
{
    (void)message;
}

/* Written there, loaded by both as compat="2.2.2". */
static void compare_222(const char *xml, double tolerance)
{
    char path[] = "/tmp/saltus-mesh-XXXXXX", error[1000] = "";
    close(mkstemp(path));
    sal_file_write(path, xml, strlen(xml), NULL);
    const sal_load_options options = {.compat222 = true};
    sal_model *s = NULL;
    sal_err err = {0};
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    CHECK(m != NULL);
    CHECK_OK(sal_model_load(&s, path, &options, NULL, &err), err);
    if (m == NULL || s == NULL) {
        printf("%s\n", error);
    } else {
        comparison c = {.file = "mesh", .tolerance = tolerance};
        compare_models(&c, s, m);
        CHECK(c.worst <= tolerance);
        sal_text written = {0};
        CHECK_OK(sal_model_write(s, &written, &err), err);
        sal_file_write(path, written.data, written.length, NULL);
        mjModel *w = mj_loadXML(path, NULL, error, sizeof error);
        CHECK(w != NULL);
        if (strstr(xml, "contype='0'") != NULL) { /* written as its bounds */
            mj_deleteModel(w);
            w = NULL;
        }
        if (w != NULL) {
            comparison cw = {.file = "written mesh", .tolerance = 1e-9, .written = true};
            compare_models(&cw, s, w);
            CHECK(cw.worst <= 1e-9);
        } else {
            printf("%s\n", error);
        }
        mj_deleteModel(w);
        sal_text_clear(&written);
    }
    remove(path);
    sal_model_free(s);
    mj_deleteModel(m);
}

static void as_in_mujoco_222(void)
{
    static const char *const geoms[] = {
        "<geom type='mesh' mesh='a'/>",
        "<geom type='mesh' mesh='b' pos='.1 .2 .3' euler='10 20 30'/>",
        "<geom type='mesh' mesh='c' mass='2'/><geom type='mesh' mesh='d'/>",
        "<geom type='mesh' mesh='d' contype='0' conaffinity='0'/>",
        "<geom type='sphere' mesh='a'/>",
        "<geom type='box' mesh='b' fitscale='1.5' pos='.1 .2 .3' euler='10 20 30'/>",
        "<geom type='capsule' mesh='c'/>",
        "<geom type='cylinder' mesh='d'/>",
        "<geom type='ellipsoid' mesh='a'/>",
    };
    static const char *const compilers[] = {"", "exactmeshinertia='true'", "fitaabb='true'"};
    const char *root = getenv("SALTUS_ROOT");
    mju_user_warning = ignore;
    for (size_t k = 0; k < sizeof compilers / sizeof compilers[0]; k++) {
        for (size_t i = 0; i < sizeof geoms / sizeof geoms[0]; i++) {
            char xml[4000];
            snprintf(xml, sizeof xml,
                     "<mujoco><compiler autolimits='true' meshdir='%s/tests/physics/meshes' %s/>"
                     "<asset><mesh name='a' file='bracket.obj'/><mesh name='b' file='stone.stl' "
                     "scale='1 -2 1'/><mesh name='c' file='wedge.MSH' refpos='.1 .2 .3' "
                     "refquat='.9 .1 .2 .3'/><mesh name='d' vertex='0 0 0 .1 0 0 0 .12 0 0 0 .09 "
                     ".08 .07 .06'/></asset>"
                     "<worldbody><geom type='plane' size='1 1 .1'/><body><freejoint/>%s</body>"
                     "</worldbody></mujoco>",
                     root == NULL ? "." : root, compilers[k], geoms[i]);
            const int before = check_case_faults;
            compare_222(xml, 1e-12);
            if (check_case_faults > before) {
                printf("  with %s %s\n", compilers[k], geoms[i]);
            }
        }
    }
}

int main(void)
{
    RUN(a_tetrahedron);
    RUN(a_box);
    RUN(points_on_a_ball);
    RUN(as_in_mujoco_222);
    return check_done();
}
