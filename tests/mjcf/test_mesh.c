/* Meshes: what is known in closed form, MuJoCo 2.2.2's masses and frames, and files that cannot be
 * used. */
#include "tests/check.h"
#include "tests/mjcf/mjcf_compare.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

static sal_model *parse(const char *xml, bool compat222)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
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

/* Tetrahedron (0, x, y, z of length 1): volume 1/6, centre 1/4; about it I = m (3/80 (1 + [i = j])
 * + 1/80 ...): principal moments m/16 (the two
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

/* A box a x b x c in a corner: m = rho abc, I = m/12 (b^2 + c^2), ... largest first; bounds are its
 * half sizes. */
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

/* Points on a ball of radius 1: volume, inertia and bounds approach the ball's as 1/n; every corner
 * is on the hull. */
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
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
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
#ifdef SANITIZED
    SKIP("libmujoco 2.2.2 reads beyond the vertices of meshes, which the sanitizer ends");
#endif
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
                     "<mujoco><compiler autolimits='true' meshdir='%s/tests/mjcf/meshes' %s/>"
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

/* ---- what cannot be used ---- */

/* A folder with files that lie about themselves. */
static void write_bad_files(const char *folder)
{
    char text[256];
#define FILE_OF(name, bytes)                                                                       \
    {                                                                                              \
        name, bytes, sizeof bytes - 1                                                              \
    }
    const struct {
        const char *name, *bytes;
        size_t n;
    } files[] = {
        FILE_OF("empty.stl", ""),
        FILE_OF("short.stl", "tetra"),
        FILE_OF("ascii.stl",
                "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\nendsolid x\n"),
        FILE_OF("lies.msh", "\x40\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0"),
        FILE_OF("huge.msh", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        FILE_OF("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\n"),
        FILE_OF("zero.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 0 1 2\n"),
        FILE_OF("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"),
        FILE_OF("word.obj", "v 0 0 x\n"),
        FILE_OF("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"),
        FILE_OF("bytes.obj", "v 0 0\0 0\n"),
        FILE_OF("thing.ply", "ply\n"),
    };
#undef FILE_OF
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(text, sizeof text, "%s/%s", folder, files[i].name);
        CHECK(sal_file_write(text, files[i].bytes, files[i].n, NULL) == SAL_OK);
    }
    char count[84 + 4] = {0}; /* says 2^32 - 1 triangles */
    memset(count + 80, 0xff, 4);
    snprintf(text, sizeof text, "%s/count.stl", folder);
    CHECK(sal_file_write(text, count, sizeof count, NULL) == SAL_OK);
}

static const struct {
    const char *mesh, *geom, *said;
} bad[] = {
    {"file='missing.stl'", "type='mesh'", "No such file"},
    {"file='.'", "type='mesh'", "has an unsupported format"},
    {"file='empty.stl'", "type='mesh'", "does not match its size of 0 bytes"},
    {"file='short.stl'", "type='mesh'", "does not match its size of 5 bytes"},
    {"file='ascii.stl'", "type='mesh'", "ASCII"},
    {"file='count.stl'", "type='mesh'", "4294967295 triangles"},
    {"file='lies.msh'", "type='mesh'", "does not match its size of 16 bytes"},
    {"file='huge.msh'", "type='mesh'", "does not match its size of 16 bytes"},
    {"file='index.obj'", "type='mesh'", "vertex 9, but the mesh has 4 vertices"},
    {"file='zero.obj'", "type='mesh'", "line 5"},
    {"file='nan.obj'", "type='mesh'", "vertex 0 is not finite"},
    {"file='word.obj'", "type='mesh'", "line 1: 'v' needs three numbers"},
    {"file='two.obj'", "type='mesh'", "at least 4 vertices, and has 2"},
    {"file='bytes.obj'", "type='mesh'", "must be text"},
    {"file='thing.ply'", "type='mesh'", "has an unsupported format"},
    {"file='index.obj' content_type='model/gltf'", "type='mesh'", "has an unsupported format"},
    {"", "type='mesh'", "the attribute 'file', 'vertex' or 'builtin'"},
    {"file='missing.stl' vertex='0 0 0'", "type='mesh'", "gives both file and vertex"},
    {"builtin='sphere' params='1' vertex='0 0 0'", "type='mesh'", "gives both builtin and vertex"},
    {"builtin='sphere'", "type='mesh'", "needs 1 number in params (subdivision), and has 0"},
    {"builtin='cone' params='5'", "type='mesh'",
     "needs 2 numbers in params (number of sides, radius"},
    {"builtin='sphere' params='5'", "type='mesh'", "must be from 0 to 4"},
    {"builtin='hemisphere' params='-1'", "type='mesh'", "must be from 0 to 10"},
    {"builtin='supersphere' params='2 1 1'", "type='mesh'", "must be from 3 to 1000"},
    {"builtin='supersphere' params='5 1 -1'", "type='mesh'", "must not be negative"},
    {"builtin='supertorus' params='5 0 1 1'", "type='mesh'", "the radius of a supertorus is 0"},
    {"builtin='supertorus' params='5 .5 1 0'", "type='mesh'", "must be positive"},
    {"builtin='ball' params='3'", "type='mesh'", "builtin in <mesh> cannot be 'ball'"},
    {"vertex='0 0 0 1 0 0 0 1 0'", "type='mesh'", "at least 4 vertices"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1 5'", "type='mesh'", "multiple of 3"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 nan'", "type='mesh'", "vertex is nan; it must be a number"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 inf'", "type='mesh'", "finite"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1e12'", "type='mesh'", "larger than 1e9"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'", "type='mesh'",
     "refers to vertex 4, but the mesh has 4 vertices"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 -1'", "type='mesh'", "refers to vertex -1"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 .5'", "type='mesh'", "refers to vertex 0.5"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 3'", "type='mesh'", "multiple of 3"},
    {"vertex='0 0 0 1 0 0 0 1 0 1 1 0'", "type='mesh'", "all its vertices lie in one plane"},
    {"vertex='0 0 0 1 1 1 2 2 2 3 3 3'", "type='mesh'", "all its vertices lie in one plane"},
    {"vertex='1 1 1 1 1 1 1 1 1 1 1 1'", "type='mesh'", "all its vertices lie in one plane"},
    {"vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2'", "type='mesh' contype='0' conaffinity='0'",
     "its volume is zero"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='1 0 1'", "type='mesh'", "its volume is zero"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' refquat='0 0 0 0'", "type='mesh'", "refquat is zero"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 0 3 1 0 2 3 1 3 2' inertia='exact'",
     "type='mesh'", "oriented inwards"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 3 2' inertia='exact'",
     "type='mesh'", "in the same order"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1' maxhullvert='3'", "type='mesh'",
     "maxhullvert is 3; it must be greater than 3"},
    {"builtin='plate'", "type='mesh'",
     "builtin=\"plate\" needs 2 numbers in params (two resolutions), and has 0"},
    {"builtin='plate' params='1 4'", "type='mesh' contype='0' conaffinity='0'",
     "the first of params is 1; for builtin=\"plate\" it must be from 2 to 1000"},
    {"builtin='plate' params='4 1001'", "type='mesh'",
     "the second of params is 1001; for builtin=\"plate\" it must be from 2 to 1000"},
    {"builtin='plate' params='3 3'", "type='mesh'", "all its vertices lie in one plane"},
    {"builtin='wedge' params='4 4 30 30'", "type='mesh'",
     "builtin=\"wedge\" needs 5 numbers in params (two resolutions, two angles, gamma), and has 4"},
    {"builtin='wedge' params='4 0 30 30 0'", "type='mesh'",
     "the second of params is 0; for builtin=\"wedge\" it must be from 1 to 1000"},
    {"builtin='wedge' params='4 4 30 91 0'", "type='mesh'",
     "the angles of a wedge are 30 and 91 degrees; they must be above 0, at most 180 and 90"},
    {"builtin='wedge' params='4 4 30 30 2'", "type='mesh'",
     "gamma of a wedge is 2; it must be from 0 to 1"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1'", "type='mesh' shellinertia='true'",
     "write inertia=\"shell\" in the <mesh>"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1'", "type='plane' size='1 1 1'",
     "a geom of type plane cannot have a mesh"},
    {"vertex='0 0 0 1 0 0 0 1 0 0 0 1'", "type='mesh' mesh='other'", "no mesh named 'other'"},
};

static void bad_meshes_are_refused(void)
{
    char folder[] = "/tmp/saltus-mesh-XXXXXX", path[300], xml[2000], remove_all[300];
    CHECK(mkdtemp(folder) != NULL);
    write_bad_files(folder);
    snprintf(path, sizeof path, "%s/model.xml", folder);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sal_model *m = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        const bool named = strstr(bad[i].geom, "mesh='other'") != NULL;
        snprintf(xml, sizeof xml,
                 "<mujoco><asset><mesh name='m' %s/></asset><worldbody><body><freejoint/><geom %s "
                 "%s/></body></worldbody></mujoco>",
                 bad[i].mesh, named ? "" : "mesh='m'", bad[i].geom);
        const sal_status status = sal_model_parse(&m, path, xml, strlen(xml), NULL, &diag, &err);
        CHECK(status == SAL_BADINPUT && m == NULL);
        if (diag.text.data == NULL || strstr(diag.text.data, bad[i].said) == NULL) {
            printf("%s %s\n  says: %s  not: %s\n", bad[i].mesh, bad[i].geom,
                   diag.text.data == NULL ? "" : diag.text.data, bad[i].said);
            CHECK(false);
        }
        sal_diag_clear(&diag);
        sal_model_free(m);
    }
    snprintf(remove_all, sizeof remove_all, "rm -r %s", folder);
    CHECK(system(remove_all) == 0);
}

/* Lines of an OBJ file end with \n, \r\n or \r. */
static void lines_may_end_in_three_ways(void)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    static const char *const lines[] = {"# a comment", "v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1",
                                        "f 1 3 2",     "f 1 2 4", "f 1 4 3", "f 2 3 4"};
    const char *xml = "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody><body>"
                      "<freejoint/><geom type='mesh' mesh='m' density='600'/></body></worldbody>"
                      "</mujoco>";
    char folder[] = P_tmpdir "/saltus-mesh-XXXXXX", path[300];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/m.obj", folder);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        char text[300] = "", model[300];
        sal_model *m = NULL;
        sal_err err = {0};
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", lines[i], ends[e]);
        }
        CHECK(sal_file_write(path, text, strlen(text), NULL) == SAL_OK);
        snprintf(model, sizeof model, "%s/model.xml", folder);
        CHECK_OK(sal_model_parse(&m, model, xml, strlen(xml), NULL, NULL, &err), err);
        if (m != NULL) {
            CHECK_NEAR(m->body_mass[1], 100, 1e-12); /* as in a_tetrahedron */
            CHECK(m->nmeshvert == 4);
            sal_model_free(m);
        }
    }
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}

/* No vertex of the file lies outside the hull's faces, and every face has its corners'
 * neighbours. */
static void hulls_hold_their_points(void)
{
    sal_rng rng = {5};
    for (int round = 0; round < 20; round++) {
        sal_text xml = {0};
        sal_text_add(&xml, "<mujoco><asset><mesh name='m' vertex='");
        for (int i = 0; i < 3 * (10 + 20 * round); i++) { /* some on a grid: flat sides */
            const double x = sal_rng_uniform(&rng, -1, 1);
            sal_text_format(&xml, "%.4f ", round % 2 ? x : rint(3 * x) / 3);
        }
        sal_text_add(&xml,
                     "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
        sal_model *m = round == 0 ? NULL : parse(xml.data, false);
        sal_text_clear(&xml);
        if (m == NULL) {
            continue;
        }
        double worst = 0, r[9];
        sal_quat_matrix(r, m->mesh_quat);
        for (int f = 0; f < m->nhullface; f++) {
            const int *face = m->hull_face + 3 * f;
            const double *a = m->hull_vert + 3 * face[0];
            double p[3], q[3], n[3], x[3], l[3];
            sal_v3_sub(p, m->hull_vert + 3 * face[1], a);
            sal_v3_sub(q, m->hull_vert + 3 * face[2], a);
            sal_v3_cross(n, p, q);
            if (sal_v3_normalise(n) < 1e-6) {
                continue; /* a splinter in a flat side */
            }
            for (int i = 0; i < m->nmeshvert; i++) {
                for (int k = 0; k < 3; k++) {
                    x[k] = (double)m->mesh_vert[3 * i + k] - m->mesh_pos[k];
                }
                sal_m3_multv(l, r, x);
                sal_v3_sub(l, l, a);
                worst = fmax(worst, sal_v3_dot(l, n));
            }
        }
        CHECK(worst < 2e-6); /* floats */
        sal_model_free(m);
    }
}

int main(void)
{
    RUN(a_tetrahedron);
    RUN(a_box);
    RUN(points_on_a_ball);
    RUN(as_in_mujoco_222);
    RUN(bad_meshes_are_refused);
    RUN(lines_may_end_in_three_ways);
    RUN(hulls_hold_their_points);
    return check_done();
}
