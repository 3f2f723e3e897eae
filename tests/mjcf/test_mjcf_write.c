/* What is written loads again, in our reader and in MuJoCo 2.2.2, as the same model. */
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/mjcf/mjcf_compare.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

/* ---- our model against our model ---- */

static double worst;
static const char *worst_where;

static void same_reals(const char *what, const double *a, const double *b, int n)
{
    double scale = 1;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, isfinite(a[i]) ? fabs(a[i]) : 0);
    }
    for (int i = 0; i < n; i++) {
        const double error = a[i] == b[i] ? 0 : fabs(a[i] - b[i]) / scale;
        if (!(error <= worst)) {
            worst = error;
            worst_where = what;
        }
    }
}

static bool is_left_out(const char *name)
{
    static const char *const names[] = {"geom_contype",    "geom_conaffinity", "pair_explicit",
                                        "name_bodyadr",    "name_jntadr",      "name_geomadr",
                                        "name_siteadr",    "name_camadr",      "name_actuatoradr",
                                        "name_sensoradr",  "name_keyadr",      "names",
                                        "name_eqadr",      "name_tendonadr",   "name_meshadr",
                                        "name_numericadr", "name_textadr",     "name_tupleadr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void same_bytes(const char *what, const char *type, const void *a, const void *b, size_t n)
{
    if (is_left_out(what)) {
        return;
    }
    if (strcmp(type, "double") == 0) {
        same_reals(what, a, b, (int)(n / sizeof(double)));
    } else if (strcmp(type, "int") == 0 && memcmp(a, b, n) != 0) {
        worst = 1;
        worst_where = what;
    }
}

static void same_models(const sal_model *a, const sal_model *b)
{
    const int nq = a->nq, nv = a->nv, nu = a->nu, na = a->na, nmocap = a->nmocap;
    worst = 0;
    worst_where = "-";
    CHECK(a->nq == b->nq && a->nv == b->nv && a->nbody == b->nbody && a->ngeom == b->ngeom &&
          a->npair == b->npair && a->nsensor == b->nsensor && a->nkey == b->nkey && a->nu == b->nu);
    if (check_case_faults > 0) {
        return;
    }
#define SAME(type, name, rows, columns)                                                            \
    same_bytes(#name, #type, a->name, b->name, (size_t)a->rows *(size_t)(columns) * sizeof(type));
    SAL_MODEL_ARRAYS(SAME)
#undef SAME
    same_reals("meaninertia", &a->meaninertia, &b->meaninertia, 1);
    CHECK(a->opt.disable == b->opt.disable && a->opt.cone == b->opt.cone);
    same_reals("gravity", a->opt.gravity, b->opt.gravity, 3);
}

static sal_model *read_back(const sal_text *text, bool compat222)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "written.xml", text->data, text->length, &options, NULL, &err),
             err);
    return m;
}

/* ---- the corpus ---- */

static void mujoco_agrees(const char *name, const sal_model *m, const sal_text *text)
{
    char path[] = "/tmp/saltus-write-XXXXXX", error[1000] = "";
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, text->data, text->length) == (ssize_t)text->length);
    close(fd);
    mjModel *theirs = mj_loadXML(path, NULL, error, sizeof error);
    unlink(path);
    if (theirs == NULL) {
        printf("  %s: %s\n", name, error);
        CHECK(theirs != NULL);
        return;
    }
    /* which axes of a cube are principal is decided by rounding */
    comparison c = {.file = name, .tolerance = m->nmesh > 0 ? 1e-7 : 1e-12, .written = true};
    compare_models(&c, m, theirs);
    CHECK(c.worst <= c.tolerance);
    CHECK(theirs->npair == m->npair);
    mj_deleteModel(theirs);
}

enum { LARGEST = 1000 }; /* dofs; what is written of larger models takes minutes to read */

static void write_one(const char *name, const char *path, bool compat222)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m = NULL;
    sal_text text = {0};
    sal_err err = {0};
    if (sal_model_load(&m, path, &options, NULL, &err) != SAL_OK) {
        return;
    }
    if (m->nv > LARGEST) {
        sal_model_free(m);
        return;
    }
    CHECK_OK(sal_model_write(m, &text, &err), err);
    sal_model *back = read_back(&text, compat222);
    if (back != NULL) {
        same_models(m, back);
        if (!(worst <= 1e-13)) {
            printf("  %s: %.1e %s\n", name, worst, worst_where);
        }
        CHECK(worst <= 1e-13);
        if (compat222) {
            mujoco_agrees(name, m, &text);
        }
    }
    sal_text_clear(&text);
    sal_model_free(back);
    sal_model_free(m);
}

static void ignore(const char *message)
{
    (void)message;
}

static void the_corpus_survives_a_round_trip(void)
{
    char *names[512];
    const int n = list_corpus_models(names);
    if (n == 0) {
        SKIP("the corpus is absent");
    }
    mju_user_warning = ignore;
    for (int i = 0; i < n; i++) {
        char name[600];
        snprintf(name, sizeof name, "models/%s", names[i]);
        write_one(names[i], check_corpus(name), true);
        write_one(names[i], check_corpus(name), false);
        free(names[i]);
    }
}

/* ---- a model with a bit of everything ---- */

static const char everything[] =
    "<mujoco model='a &lt;b&gt;'>\n"
    "  <compiler angle='degree'/>\n"
    "  <option timestep='0.01' cone='elliptic' impratio='3'><flag warmstart='disable'/></option>\n"
    "  <worldbody>\n"
    "    <geom type='plane' size='0 0 1' margin='.01' gap='.005'/>\n"
    "    <body name='hand' mocap='true' pos='1 0 1'><geom name='geom_0' size='.1'/></body>\n"
    "    <body pos='0 0 1' euler='0 30 0'>\n"
    "      <freejoint name='root'/>\n"
    "      <geom type='capsule' size='.1 .3' condim='4' friction='.5 .01'/>\n"
    "      <site name='tip' pos='0 0 .3'/>\n"
    "      <camera name='eye' pos='0 .1 0'/>\n"
    "      <body name='arm' pos='0 .2 0'>\n"
    "        <joint name='ball' type='ball' range='0 60' damping='1' stiffness='2'/>\n"
    "        <geom type='box' size='.1 .2 .3' solref='-100 -10' priority='1'/>\n"
    "        <body pos='0 0 .5'>\n"
    "          <joint name='knee' axis='1 1 0' range='-10 80' ref='5' springref='7' margin='.02'\n"
    "                 frictionloss='.1' armature='.01' solimplimit='.8 .9'/>\n"
    "          <joint name='slide' type='slide' axis='0 0 1' range='-1 1' limited='false'/>\n"
    "          <site name='heel' pos='0 .1 .4' euler='0 0 20'/><geom name='shin' type='cylinder' "
    "fromto='0 0 0 0 .1 .4' size='.05'/>\n"
    "        </body>\n"
    "      </body>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "  <contact><pair geom1='shin' geom2='geom_0' condim='6' margin='.1'/></contact>\n"
    "  <actuator>\n"
    "    <motor name='m' joint='knee' gear='30' ctrlrange='-1 1'/>\n"
    "    <position joint='slide' kp='10' forcerange='-5 5'/>\n"
    "    <general jointinparent='ball' gear='1 2 3' gaintype='affine' gainprm='1 2 3'/>\n"
    "    <motor site='tip' refsite='heel' gear='1 0 2 0 0 3' group='2'/>\n"
    "    <motor cranksite='tip' slidersite='heel' cranklength='2'/>\n"
    "    <adhesion body='arm' ctrlrange='0 1' gain='4'/>\n"
    "    <cylinder joint='knee' timeconst='.2' diameter='.3' bias='0 1 2'/>\n"
    "    <intvelocity joint='slide' kp='7' actrange='-1 2'/>\n"
    "    <muscle joint='knee' lengthrange='-1 1' force='80'/><muscle joint='knee'/>\n"
    "  </actuator>\n"
    "  <sensor>\n"
    "    <framepos name='p' objtype='geom' objname='shin' reftype='camera' refname='eye'/>\n"
    "    <jointpos joint='knee' cutoff='2'/><gyro site='tip'/><clock/>\n"
    "    <subtreecom body='arm'/><actuatorfrc actuator='m' noise='.1'/>\n"
    "    <user dim='4' needstage='vel' objtype='joint' objname='knee'/><touch "
    "site='tip'/><ballquat joint='ball'/>\n"
    "  </sensor>\n"
    "  <keyframe>\n"
    "    <key name='k' time='1' qpos='0 0 2 1 0 0 0 2 0 0 0 .3 .4' ctrl='1 2 3 4 5 6 7 8 9 10' "
    "act='.1 .2 .3 .4' mpos='3 2 1'/>\n"
    "    <key/>\n"
    "  </keyframe>\n"
    "</mujoco>\n";

static void everything_survives_a_round_trip(void)
{
    for (int compat222 = 0; compat222 < 2; compat222++) {
        const sal_load_options options = {
            .mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314,
            .setting = &(sal_setting){"compiler/autolimits", "true"},
            .nsetting = 1,
        };
        sal_model *m = NULL;
        sal_text text = {0};
        sal_err err = {0};
        CHECK_OK(
            sal_model_parse(&m, "all.xml", everything, strlen(everything), &options, NULL, &err),
            err);
        if (m == NULL) {
            return;
        }
        CHECK_OK(sal_model_write(m, &text, &err), err);
        sal_model *back = read_back(&text, compat222);
        same_models(m, back);
        if (!(worst <= 1e-14)) {
            printf("  %.1e %s\n", worst, worst_where);
        }
        CHECK(worst <= 1e-14);
        CHECK_TEXT(back->names + back->name_modeladr, "a <b>");
        CHECK(strstr(text.data, "name=\"geom_1\"") == NULL); /* ids make names unique */
        if (compat222) {
            mujoco_agrees("everything", m, &text);
        }
        sal_text_clear(&text);
        sal_model_free(m);
        sal_model_free(back);
    }
}

static const char plate[] =
    "<mujoco><worldbody><body name='plate'><freejoint/>"
    "<inertial pos='0 0 0' mass='2' diaginertia='1 .69 .31'/></body></worldbody></mujoco>";

/* A plate has A + B = C, which rounding must not break when its mass is set. */
static void plates_of_any_total_mass_survive_a_round_trip(void)
{
    for (int i = 0; i < 100; i++) {
        char mass[16];
        snprintf(mass, sizeof mass, "%.2f", 0.1 + 0.07 * i);
        const sal_load_options options = {
            .mujoco = SAL_MUJOCO_222,
            .setting = &(sal_setting){"compiler/settotalmass", mass},
            .nsetting = 1,
        };
        sal_model *m = NULL;
        sal_text text = {0};
        sal_err err = {0};
        CHECK_OK(sal_model_parse(&m, "plate.xml", plate, strlen(plate), &options, NULL, &err), err);
        if (m == NULL) {
            return;
        }
        CHECK_OK(sal_model_write(m, &text, &err), err);
        sal_model *back = read_back(&text, true);
        mujoco_agrees("plate", m, &text);
        sal_text_clear(&text);
        sal_model_free(m);
        sal_model_free(back);
    }
}

/* Half of a sensor's size, from a default class, stands beside a camera's own fovy. */
static void half_a_sensor_survives_a_round_trip(void)
{
    static const char camera[] = "<mujoco><default><camera sensorsize='0 .7'/></default><worldbody>"
                                 "<camera name='c' fovy='30'/></worldbody></mujoco>";
    const sal_load_options options = {0};
    sal_model *m = NULL;
    sal_text text = {0};
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "c.xml", camera, strlen(camera), &options, NULL, &err), err);
    CHECK_OK(sal_model_write(m, &text, &err), err);
    sal_model *back = read_back(&text, false);
    CHECK(back != NULL && back->cam_fovy[0] == 30);
    sal_text_clear(&text);
    sal_model_free(m);
    sal_model_free(back);
}

static void plates_take_any_mass(void)
{
    sal_remodel *r = NULL;
    sal_model *m = NULL;
    sal_err err = {0};
    int id = -1;
    CHECK_OK(sal_remodel_new(&r, "plate.xml", plate, strlen(plate), NULL, &err), err);
    CHECK_OK(sal_model_copy(&m, sal_remodel_nominal(r), &err), err);
    CHECK_OK(sal_remodel_loosen(r, "body[plate]/mass", &id, &err), err);
    for (int i = 0; i < 100; i++) {
        sal_remodel_set(r, id, 0, 0.1 + 0.07 * i);
        CHECK_OK(sal_remodel_make(r, m, &err), err);
    }
    sal_model_free(m);
    sal_remodel_free(r);
}

static void what_mjcf_cannot_say_is_refused(void)
{
    static const char tiny[] = "<mujoco/>";
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    sal_model *m = NULL;
    sal_text text = {0};
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "t.xml", tiny, strlen(tiny), &options, NULL, &err), err);
    m->opt.sigma = 1;
    CHECK(sal_model_write(m, &text, &err) == SAL_UNSUPPORTED);
    CHECK_TEXT(err.message, "MJCF cannot describe a model whose constraint forces are smoothed: "
                            "sigma is 1; set it to 0");
    m->opt.sigma = 0;
    m->opt.disable = SAL_DSBL_EULERDAMP;
    CHECK(sal_model_write(m, &text, &err) == SAL_UNSUPPORTED);
    m->opt.disable = SAL_DSBL_SPRING | SAL_DSBL_DAMPER;
    CHECK_OK(sal_model_write(m, &text, &err), err);
    CHECK(strstr(text.data, "passive=\"disable\"") != NULL);
    sal_text_clear(&text);
    sal_model_free(m);
}

/* Also where nothing moves: a model that is read can be written and read again. */
static void what_becomes_too_large_or_too_small_is_refused(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"<mujoco><worldbody><body><geom type='capsule' size='1e3 "
         ".58'/></body></worldbody></mujoco>",
         "t.xml:1:21: error: a moment of inertia of this body is 1.67825e+18; it must be at most "
         "1e15"},
        {"<mujoco><worldbody><frame pos='1e15 0 0'><body pos='1e15 0 0'/></frame></worldbody>"
         "</mujoco>",
         "t.xml:1:43: error: this body is at a distance of 2e+15; it must be at most 1e15"},
        {"<mujoco><worldbody><frame pos='1e15 0 0'><geom pos='1e15 0 0' size='1'/></frame>"
         "</worldbody></mujoco>",
         "error: a position of a geom becomes 2e+15; it must be at most 1e15"},
        {"<mujoco><compiler settotalmass='.36'/><worldbody><body><joint/><geom size='.1'/></body>"
         "<body><geom size='1e4' density='1e5'/></body></worldbody></mujoco>",
         "t.xml:1:51: error: settotalmass leaves this body, which has a joint, no mass or no "
         "inertia"},
        {"<mujoco><worldbody><body><joint springdamper='1e-9 .35'/><geom size='1'/></body>"
         "</worldbody></mujoco>",
         "error: the stiffness of a joint becomes 1.67552e+18; it must be at most 1e15"},
        {"<mujoco><worldbody><body><joint/><geom size='1' adhesion='1e15'/></body>"
         "<geom size='1' adhesion='1e15'/></worldbody></mujoco>",
         "error: the adhesion of two geoms becomes 2e+15; it must be at most 1e15"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_model *m = NULL;
        sal_err err = {0};
        CHECK(sal_model_parse(&m, "t.xml", cases[i].text, strlen(cases[i].text), NULL, NULL,
                              &err) == SAL_BADINPUT);
        CHECK_TEXT(err.message, cases[i].error);
        sal_model_free(m);
    }
}

static void every_allocation_may_fail(void)
{
    sal_model *m = NULL;
    sal_err err = {0};
    const sal_load_options options = {.mujoco = SAL_MUJOCO_314};
    CHECK_OK(sal_model_parse(&m, "all.xml", everything, strlen(everything), &options, NULL, &err),
             err);
    if (m == NULL) {
        return;
    }
    sal_status status = SAL_NOMEM;
    for (long n = 1, whole = 0; !whole; n++) {
        sal_text text = {0};
        memory_fails_at(n);
        status = sal_model_write(m, &text, &err);
        whole = memory_was_enough(n);
        CHECK(status == SAL_NOMEM || whole);
        sal_text_clear(&text);
    }
    CHECK(status == SAL_OK);
    sal_model_free(m);
}

int main(void)
{
    RUN(everything_survives_a_round_trip);
    RUN(plates_of_any_total_mass_survive_a_round_trip);
    RUN(half_a_sensor_survives_a_round_trip);
    RUN(plates_take_any_mass);
    RUN(what_mjcf_cannot_say_is_refused);
    RUN(what_becomes_too_large_or_too_small_is_refused);
    RUN(every_allocation_may_fail);
    RUN(the_corpus_survives_a_round_trip);
    return check_done();
}
