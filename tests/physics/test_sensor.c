/* Sensors of every type on every kind of object, accelerations of bodies and forces between them,
 * and rays, against libmujoco 2.2.2; readings that physics says beforehand. */
#include "tests/check.h"
#include "tests/physics/corpus.h"
#include "tests/physics/oracle.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

#include <unistd.h>

/* ---- a model with all sensors ---- */

static const char *const on_site[] = {"touch", "accelerometer", "velocimeter",  "gyro",
                                      "force", "torque",        "magnetometer", "rangefinder"};
static const char *const sites[] = {
    "station",  "bolt",      "clapper", "eye",  "skin_ball", "skin_capsule", "skin_box",
    "skin_egg", "skin_drum", "elbow",   "palm", "tag",       "goal",         "pin"};
static const char *const on_object[] = {"framepos",    "framequat",   "framexaxis",
                                        "frameyaxis",  "framezaxis",  "framelinvel",
                                        "frameangvel", "framelinacc", "frameangacc"};
static const char *const objects[][2] = {
    {"body", "hand"},     {"xbody", "hand"},     {"geom", "head"},     {"site", "palm"},
    {"camera", "camera"}, {"body", "world"},     {"site", "goal"},     {"xbody", "bell"},
    {"geom", "floor"},    {"camera", "watcher"}, {"camera", "porter"}, {"camera", "tracker"},
    {"camera", "escort"}, {"camera", "looker"},  {"camera", "rider"}};
static const char *const others[] = {
    "<jointpos joint=\"wrist\"/>",
    "<jointvel joint=\"reach\"/>",
    "<ballquat joint=\"bell\"/>",
    "<ballangvel joint=\"bell\"/>",
    "<jointlimitpos joint=\"bell\"/>",
    "<jointlimitvel joint=\"shoulder\"/>",
    "<jointlimitfrc joint=\"shoulder\"/>",
    "<tendonpos tendon=\"cord\"/>",
    "<tendonvel tendon=\"sum\"/>",
    "<tendonlimitpos tendon=\"cord\"/>",
    "<tendonlimitvel tendon=\"sum\"/>",
    "<tendonlimitfrc tendon=\"sum\"/>",
    "<actuatorpos actuator=\"cord\"/>",
    "<actuatorvel actuator=\"wrist\"/>",
    "<actuatorfrc actuator=\"sum\"/>",
    "<subtreecom body=\"arm\"/>",
    "<subtreelinvel body=\"trunk\"/>",
    "<subtreeangmom body=\"arm\"/>",
    "<clock/>",
    "<user dim=\"2\" objtype=\"body\" objname=\"arm\" datatype=\"real\" needstage=\"pos\"/>"};

#define COUNT(list) (sizeof list / sizeof *list)

/* Every second sensor again with a cutoff in the midst of its readings. */
static void add(sal_text *xml, const char *sensor, int *n)
{
    const size_t length = strlen(sensor) - 2;
    const bool unit = strstr(sensor, "axis") != NULL || strstr(sensor, "quat") != NULL;
    sal_text_add(xml, sensor);
    if (++*n % 2 == 0 && !unit) {
        sal_text_format(xml, "%.*s cutoff=\"0.4\"/>", (int)length, sensor);
    }
}

static void add_frames(sal_text *xml, int *n)
{
    char sensor[256];
    for (size_t k = 0; k < COUNT(on_object); k++) {
        const bool relative = strstr(on_object[k], "acc") == NULL;
        for (size_t a = 0; a < COUNT(objects); a++) {
            snprintf(sensor, sizeof sensor, "<%s objtype=\"%s\" objname=\"%s\"/>", on_object[k],
                     objects[a][0], objects[a][1]);
            add(xml, sensor, n);
            for (size_t b = 0; b < COUNT(objects) && relative; b++) {
                snprintf(sensor, sizeof sensor,
                         "<%s objtype=\"%s\" objname=\"%s\" reftype=\"%s\" refname=\"%s\"/>",
                         on_object[k], objects[a][0], objects[a][1], objects[b][0], objects[b][1]);
                add(xml, sensor, n);
            }
        }
    }
}

/* sensors.xml with its <sensor/> filled */
static void all_sensors(sal_text *xml)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], sensor[256], *text;
    size_t length;
    sal_err err;
    int n = 0;
    snprintf(path, sizeof path, "%s/tests/physics/sensors.xml", root == NULL ? "." : root);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &length, &err), err);
    const char *gap = strstr(text, "<sensor/>");
    sal_text_format(xml, "%.*s<sensor>", (int)(gap - text), text);
    for (size_t k = 0; k < COUNT(on_site); k++) {
        for (size_t s = 0; s < COUNT(sites); s++) {
            snprintf(sensor, sizeof sensor, "<%s site=\"%s\"/>", on_site[k], sites[s]);
            add(xml, sensor, &n);
        }
    }
    add_frames(xml, &n);
    for (size_t k = 0; k < COUNT(others); k++) {
        add(xml, others[k], &n);
    }
    sal_text_format(xml, "</sensor>%s", gap + strlen("<sensor/>"));
    sal_free(text);
}

/* ---- both engines ---- */

/* False, saying why, if one of the engines does not take it. */
static bool open_file(oracle *o, const char *path)
{
    char why[512];
    sal_err err = {0};
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    memset(o, 0, sizeof *o);
    o->mjm = mj_loadXML(path, NULL, why, sizeof why);
    if (o->mjm == NULL || o->mjm->nv > ORACLE_NVMAX ||
        sal_model_load(&o->m, path, &options, NULL, &err) != SAL_OK) {
        mj_deleteModel(o->mjm);
        return false;
    }
    CHECK_OK(sal_data_new(&o->d, o->m, &err), err);
    o->mjm->nconmax = 1000, o->mjm->njmax = 3000;
    o->mjd = mj_makeData(o->mjm);
    return true;
}

static void open_text(oracle *o, const sal_text *xml)
{
    char path[] = "/tmp/saltus-sensor-XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, xml->data, xml->length) == (ssize_t)xml->length);
    close(fd);
    const bool open = open_file(o, path);
    if (!open) {
        fprintf(stderr, "one of the engines refuses the model of all sensors\n");
        exit(1);
    }
    unlink(path);
}

/* Forces on bodies, half of them none. */
static void push(oracle *o, int k)
{
    sal_rng rng = {(uint64_t)k + 1000};
    for (int i = 6; i < 6 * o->m->nbody; i++) {
        o->d->xfrc_applied[i] = k % 2 == 0 ? 0 : sal_rng_uniform(&rng, -5, 5);
    }
    memcpy(o->mjd->xfrc_applied, o->d->xfrc_applied, 6 * (size_t)o->m->nbody * sizeof(double));
}

typedef struct tally {
    double worst, worst_force;
    long n, touching;
} tally;

/* Worst sensor by sensor, against the size of the reading or of the forces at play. */
static void compare(tally *t, const oracle *o, double tolerance)
{
    const sal_model *m = o->m;
    for (int i = 0; i < m->nsensor; i++) {
        const int adr = m->sensor_adr[i], n = m->sensor_dim[i];
        double scale = 1e-3, e = 0;
        for (int k = adr; k < adr + n; k++) {
            scale = fmax(scale, fabs(o->mjd->sensordata[k]));
        }
        for (int k = adr; k < adr + n; k++) {
            e = fmax(e, fabs(o->d->sensordata[k] - o->mjd->sensordata[k]) / scale);
        }
        if (!(e <= tolerance)) {
            printf("sensor %d type %d obj %d %d ref %d: %g, expected %g\n", i, m->sensor_type[i],
                   m->sensor_objtype[i], m->sensor_objid[i], m->sensor_refid[i],
                   o->d->sensordata[adr], o->mjd->sensordata[adr]);
        }
        CHECK(e <= tolerance);
        t->worst = fmax(t->worst, e);
        t->n += n;
        t->touching += m->sensor_type[i] == SAL_SENS_TOUCH && o->mjd->sensordata[adr] > 0;
    }
}

static void compare_forces(tally *t, oracle *o, double tolerance)
{
    const int n = 6 * o->m->nbody;
    sal_body_force(o->m, o->d);
    mj_rnePostConstraint(o->mjm, o->mjd);
    const double e[] = {oracle_error(o->d->cacc, o->mjd->cacc, n),
                        oracle_error(o->d->cfrc_ext, o->mjd->cfrc_ext, n),
                        oracle_error(o->d->cfrc_int, o->mjd->cfrc_int, n)};
    for (int k = 0; k < 3; k++) {
        CHECK(e[k] <= tolerance);
        t->worst_force = fmax(t->worst_force, e[k]);
    }
}

static void all_types_agree(void)
{
    sal_text xml = {0};
    oracle o;
    sal_err err;
    tally inverse = {0}, forward = {0};
    int contacts = 0, elsewhere = 0;
    all_sensors(&xml);
    open_text(&o, &xml);
    o.m->opt.tolerance = o.mjm->opt.tolerance = 0;
    o.m->opt.iterations = o.mjm->opt.iterations = 300;
    for (int k = 0; k < 100; k++) {
        oracle_state(&o, k, k % 2 == 0 ? 2 : 0.3);
        push(&o, k);
        o.d->time = o.mjd->time = 0.1 * k;
        CHECK_OK(sal_inverse(o.m, o.d, &err), err);
        mj_inverse(o.mjm, o.mjd);
        contacts += o.d->ncon;
        if (oracle_judged_elsewhere(&o)) {
            elsewhere++;
            continue;
        }
        compare(&inverse, &o, 1e-9);
        compare_forces(&inverse, &o, 1e-9);
        CHECK_OK(sal_forward(o.m, o.d, &err), err);
        mj_forward(o.mjm, o.mjd);
        compare(&forward, &o, 1e-7);
        sal_actuation(o.m, o.d); /* what the inverse repeats */
    }
    printf("  %d sensors, %ld readings, %ld times touched; inverse %.1e, forces %.1e, forward "
           "%.1e; %d contacts, %d states judged "
           "elsewhere\n",
           o.m->nsensor, inverse.n, inverse.touching, inverse.worst, inverse.worst_force,
           forward.worst, contacts, elsewhere);
    CHECK(inverse.n > 30000 && inverse.touching > 100);
    oracle_close(&o);
    sal_text_clear(&xml);
}

/* ---- rays ---- */

static const char shapes[] =
    "<mujoco><asset><mesh name='m' scale='2 1 .5' refpos='.1 .2 .3' refquat='.9 .1 .3 0' vertex='"
    "-.2 -.2 -.2 .3 -.2 -.2 -.2 .3 -.2 -.2 -.2 .4 .3 .3 .3' face='0 2 1 0 1 3 0 3 2 1 2 4 1 4 3 2 "
    "3 4'/>"
    "</asset><worldbody>"
    "<geom type='plane' size='1 2 .1' pos='0 0 -1' euler='10 0 0'/>"
    "<geom type='plane' size='0 0 .1' pos='0 0 -2'/>"
    "<body pos='.5 0 0' euler='20 40 60'><geom size='.3'/></body>"
    "<body pos='-.5 .3 0' euler='70 40 60'><geom type='capsule' size='.2 .4'/></body>"
    "<body pos='0 .9 .5' euler='20 -40 60'><geom type='ellipsoid' size='.2 .4 .1'/></body>"
    "<body pos='0 -.6 .5' euler='120 40 60'><geom type='cylinder' size='.3 .2'/></body>"
    "<body pos='.3 -.3 1' euler='20 140 60'><geom type='box' size='.3 .2 .1'/>"
    "<geom type='sphere' size='.2' pos='0 0 .3' rgba='1 0 0 0'/></body>"
    "<body pos='-.6 -.4 .8' euler='20 40 160'><geom type='mesh' mesh='m' contype='0' "
    "conaffinity='0'/>"
    "<site name='s'/></body></worldbody><sensor><rangefinder site='s'/></sensor></mujoco>";

static void rays_agree(void)
{
    sal_text xml = {0};
    sal_rng rng = {5};
    oracle o;
    sal_err err;
    int hits[8] = {0};
    double worst = 0;
    sal_text_add(&xml, shapes);
    open_text(&o, &xml);
    CHECK_OK(sal_position(o.m, o.d, &err), err);
    mj_kinematics(o.mjm, o.mjd);
    for (int k = 0; k < 20000; k++) {
        double from[3], dir[3];
        int theirs, ours;
        for (int i = 0; i < 3; i++) {
            from[i] = sal_rng_uniform(&rng, -1.5, 1.5);
            dir[i] = sal_rng_uniform(&rng, -2, 2);
        }
        const int exclude = k % 9 - 1;
        const double a = sal_ray(o.m, o.d, from, dir, exclude, &ours);
        const double b = mj_ray(o.mjm, o.mjd, from, dir, NULL, 1, exclude, &theirs);
        CHECK(ours == theirs);
        worst = ours == theirs ? fmax(worst, fabs(a - b) / fmax(1, b)) : worst;
        hits[ours < 0 ? 1 : o.m->geom_type[ours]]++;
    }
    printf("  rays met %d planes, %d spheres, %d capsules, %d ellipsoids, %d cylinders, %d boxes, "
           "%d meshes, %d nothing; worst %.0e\n",
           hits[SAL_GEOM_PLANE], hits[SAL_GEOM_SPHERE], hits[SAL_GEOM_CAPSULE],
           hits[SAL_GEOM_ELLIPSOID], hits[SAL_GEOM_CYLINDER], hits[SAL_GEOM_BOX],
           hits[SAL_GEOM_MESH], hits[1], worst);
    CHECK(worst < 1e-6); /* vertices of 2.2.2 are floats */
    for (int i = 0; i < 8; i++) {
        CHECK(hits[i] > 100);
    }
    oracle_close(&o);
    sal_text_clear(&xml);
}

/* ---- what physics says ---- */

/* A ball of 1 kg falls; a box of 2 kg stands on the floor under another of 3 kg that is part of it,
 * a scale between them. */
static const char standing[] =
    "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='ball' pos='3 0 90'><freejoint/><geom size='.1' mass='1'/><site name='ball' "
    "pos='.05 0 0'/></body>"
    "<body name='low' pos='0 0 .1'><freejoint/><geom type='box' size='.2 .2 .1' mass='2'/>"
    "<site name='sole' type='box' size='.3 .3 .05' pos='0 0 -.1'/>"
    "<site name='heel' type='sphere' size='.1' pos='-.2 -.2 -.1'/>"
    "<body name='high' pos='0 0 .2'><geom type='box' size='.1 .1 .1' mass='3' pos='.05 0 0'/><site "
    "name='scale' pos='0 0 -.1'/></body>"
    "</body></worldbody><sensor><accelerometer site='ball'/><accelerometer site='sole'/><force "
    "site='scale'/>"
    "<torque site='scale'/><touch site='sole'/><touch site='heel'/><rangefinder "
    "site='ball'/></sensor></mujoco>";

static void weights_and_falls_are_felt(void)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "t.xml", standing, strlen(standing), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int k = 0; k < 3000; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
    }
    /* it leans a little: its axes see gravity along g, and the load's centre at r from the scale */
    const double *s = d->sensordata, up[3] = {0, 0, 9.81}, r[3] = {0.05, 0, 0.1};
    double g[3], torque[3];
    sal_m3_multv(g, d->site_xmat + 9 * sal_model_find(m, SAL_OBJ_SITE, "scale"), up);
    sal_v3_cross(torque, r, g);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(s[k], 0, 1e-12);
        CHECK_NEAR(s[3 + k], g[k], 1e-6);
        CHECK_NEAR(s[6 + k], 3 * g[k], 1e-5);
        CHECK_NEAR(s[9 + k], 3 * torque[k], 1e-5);
    }
    CHECK_NEAR(s[12], 5 * 9.81, 1e-4);
    CHECK(s[13] > 0.1 * s[12] &&
          s[13] < 0.5 * s[12]); /* one corner of four, the load leans away from it */
    CHECK_NEAR(s[14], -1, 0);   /* it looks up */
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- the user's own ---- */

static void weigh(const sal_model *m, const sal_data *d, int i, double *out, void *user)
{
    CHECK(m->sensor_type[i] == SAL_SENS_USER && m->sensor_dim[i] == 2);
    out[0] = *(const double *)user * d->qpos[0];
    out[1] = -5;
}

static void users_sensors_are_called(void)
{
    static const char xml[] =
        "<mujoco><worldbody><body name='b'><joint type='slide'/><geom "
        "size='.1'/></body></worldbody>"
        "<sensor><user dim='2' cutoff='3' needstage='pos'/></sensor></mujoco>";
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    double factor = 7;
    CHECK_OK(sal_model_parse(&m, "t.xml", xml, strlen(xml), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[0] = 0.25;
    CHECK_OK(sal_position(m, d, &err), err);
    CHECK(d->sensordata[0] == 0 && d->sensordata[1] == 0);
    d->callback = (sal_callback){.sensor = weigh, .user = &factor};
    CHECK_OK(sal_position(m, d, &err), err);
    CHECK(d->sensordata[0] == 1.75 && d->sensordata[1] == -3);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(all_types_agree);
    RUN(rays_agree);
    RUN(weights_and_falls_are_felt);
    RUN(users_sensors_are_called);
    return check_done();
}
