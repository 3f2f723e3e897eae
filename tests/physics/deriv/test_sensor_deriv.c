/* Exact derivatives of sensors against four-point differences of (q, v, a), on a model with free,
 * ball, hinge and slide joints, tendons, limits in use, and frames of every kind seen from frames
 * of every kind. */
#include "tests/spliced.h"

#include "base/house.h"
#include "physics/physics.h"

static const char *const at_site[] = {"accelerometer", "velocimeter", "gyro",
                                      "magnetometer",  "force",       "torque"};
static const char *const sites[] = {"clapper", "eye", "palm", "goal", "pin", "station"};
static const char *const of_frame[] = {"framepos",    "framequat",   "framexaxis",
                                       "frameyaxis",  "framezaxis",  "framelinvel",
                                       "frameangvel", "framelinacc", "frameangacc"};
static const char *const objects[][2] = {{"body", "hand"}, {"xbody", "bell"},    {"geom", "head"},
                                         {"site", "palm"}, {"camera", "camera"}, {"body", "bob"},
                                         {"site", "goal"}, {"geom", "floor"}};
static const char *const cameras[] = {"watcher", "porter", "tracker", "escort", "looker", "rider"};
static const char others[] =
    "<jointpos joint=\"wrist\"/><jointvel joint=\"reach\"/><ballquat joint=\"bell\"/>"
    "<ballangvel joint=\"bell\"/><jointlimitpos joint=\"bell\"/><jointlimitvel joint=\"bell\"/>"
    "<jointlimitpos joint=\"shoulder\"/><jointlimitvel joint=\"shoulder\"/>"
    "<tendonpos tendon=\"cord\"/><tendonpos tendon=\"sum\"/><tendonvel tendon=\"sum\"/>"
    "<tendonvel tendon=\"cord\"/><tendonlimitvel tendon=\"cord\"/><tendonlimitfrc tendon=\"cord\"/>"
    "<actuatorvel actuator=\"cord\"/><jointlimitfrc joint=\"bell\"/><jointlimitfrc "
    "joint=\"shoulder\"/><jointlimitfrc "
    "joint=\"reach\"/>"
    "<tendonlimitfrc tendon=\"sum\"/>"
    "<tendonlimitpos tendon=\"cord\"/><tendonlimitvel tendon=\"sum\"/>"
    "<actuatorpos actuator=\"cord\"/><actuatorpos actuator=\"wrist\"/><actuatorvel "
    "actuator=\"wrist\"/>"
    "<actuatorpos actuator=\"turn\"/><actuatorvel actuator=\"turn\"/>"
    "<actuatorpos actuator=\"aim\"/><actuatorvel actuator=\"aim\"/>"
    "<actuatorvel actuator=\"sum\"/><clock/><e_potential/><e_kinetic/>"
    "<subtreecom body=\"arm\"/><subtreecom body=\"world\"/><subtreelinvel body=\"trunk\"/>"
    "<subtreelinvel body=\"hand\"/><subtreelinvel body=\"world\"/><subtreeangmom body=\"arm\"/>"
    "<subtreeangmom body=\"trunk\"/><subtreeangmom body=\"world\"/><subtreeangmom body=\"bell\"/>"
    "<distance geom1=\"head\" geom2=\"fist\" cutoff=\"10\"/><distance body1=\"hand\" "
    "body2=\"bob\" cutoff=\"10\"/>"
    "<distance geom1=\"post\" geom2=\"belly\" cutoff=\"10\"/><distance geom1=\"head\" "
    "geom2=\"egg\" cutoff=\"0.01\"/>"
    "<force site=\"bolt\"/><torque site=\"bolt\"/><force site=\"tag\"/><torque site=\"tag\"/>"
    "<force site=\"elbow\"/><torque site=\"elbow\"/>"
    "<gyro site=\"palm\" cutoff=\"0.6\"/><framelinacc objtype=\"site\" objname=\"palm\" "
    "cutoff=\"4\"/>";

static void all_sensors(sal_text *xml)
{
    for (size_t i = 0; i < sizeof at_site / sizeof *at_site; i++) {
        for (size_t k = 0; k < sizeof sites / sizeof *sites; k++) {
            if (i < 4 || k + 1 < sizeof sites / sizeof *sites) { /* no force on the world */
                sal_text_format(xml, "<%s site=\"%s\"/>", at_site[i], sites[k]);
            }
        }
    }
    const size_t n = sizeof objects / sizeof *objects;
    for (size_t i = 0; i < sizeof of_frame / sizeof *of_frame; i++) {
        for (size_t k = 0; k < n; k++) {
            const char *const *object = objects[k], *const *ref = objects[(k + 1 + i) % n];
            sal_text_format(xml, "<%s objtype=\"%s\" objname=\"%s\"/>", of_frame[i], object[0],
                            object[1]);
            if (strstr(of_frame[i], "acc") == NULL) {
                sal_text_format(xml,
                                "<%s objtype=\"%s\" objname=\"%s\" reftype=\"%s\" refname=\"%s\"/>",
                                of_frame[i], object[0], object[1], ref[0], ref[1]);
            }
        }
    }
    const size_t ncamera = sizeof cameras / sizeof *cameras;
    for (size_t c = 0; c < ncamera; c++) {
        for (size_t i = 0; i < sizeof of_frame / sizeof *of_frame; i++) {
            sal_text_format(xml, "<%s objtype=\"camera\" objname=\"%s\"/>", of_frame[i],
                            cameras[c]);
            if (strstr(of_frame[i], "acc") == NULL) {
                sal_text_format(xml,
                                "<%s objtype=\"camera\" objname=\"%s\" reftype=\"camera\" "
                                "refname=\"%s\"/>",
                                of_frame[i], cameras[c], cameras[(c + 1 + i) % ncamera]);
            }
        }
        sal_text_format(xml, "<camprojection site=\"%s\" camera=\"%s\"/>", sites[c], cameras[c]);
    }
    sal_text_add(xml, others);
}

static sal_model *load(void)
{
    sal_text sensors = {0};
    sal_text_add(&sensors, "<actuator><orientation name=\"turn\" joint=\"bell\" kp=\"1\"/>"
                           "<orientation name=\"aim\" site=\"palm\" refsite=\"tag\" "
                           "input=\"quat\" kp=\"1\"/></actuator><sensor>");
    all_sensors(&sensors);
    sal_text_add(&sensors, "</sensor>");
    sal_model *m = spliced("tests/physics/sensors.xml", sensors.data);
    sal_text_clear(&sensors);
    return m;
}

typedef struct state {
    sal_model *m;
    sal_data *d;
    double q[64], v[64], a[64];
} state;

/* Readings with variable i of the stage moved by step, into out */
static void read_at(state *s, sal_stage stage, int i, double step, double *out)
{
    sal_err err;
    double e[64] = {0};
    e[i] = stage == SAL_STAGE_POS ? step : 0;
    sal_integrate_pos(s->m, s->d->qpos, s->q, e, 1);
    memcpy(s->d->qvel, s->v, (size_t)s->m->nv * sizeof(double));
    memcpy(s->d->qacc, s->a, (size_t)s->m->nv * sizeof(double));
    s->d->qvel[i] += stage == SAL_STAGE_VEL ? step : 0;
    s->d->qacc[i] += stage == SAL_STAGE_ACC ? step : 0;
    CHECK_OK(sal_inverse(s->m, s->d, &err), err);
    memcpy(out, s->d->sensordata, (size_t)s->m->nsensordata * sizeof(double));
}

/* (8 (f1 - f-1) - (f2 - f-2)) / 12 h of all readings, by rows of variables */
static void differ(state *s, sal_stage stage, double *D)
{
    const double h = stage == SAL_STAGE_POS ? 1e-4 : 1e-2;
    const size_t n = (size_t)s->m->nsensordata;
    double *f = calloc(4 * n, sizeof *f);
    for (int i = 0; i < s->m->nv; i++) {
        for (int k = 0; k < 4; k++) {
            static const int step[] = {1, -1, 2, -2};
            read_at(s, stage, i, step[k] * h, f + (size_t)k * n);
        }
        for (size_t r = 0; r < n; r++) {
            D[(size_t)i * n + r] =
                (8 * (f[r] - f[n + r]) - (f[2 * n + r] - f[3 * n + r])) / (12 * h);
        }
    }
    free(f);
}

/* How many entries of sensor i differ by more than the differences explain. */
static int faults(const state *s, int i, const double *exact, const double *D, const char *by)
{
    const sal_model *m = s->m;
    int n = 0;
    for (int r = 0; r < m->sensor_dim[i]; r++) {
        for (int k = 0; k < m->nv; k++) {
            const double a = exact[r * m->nv + k], b = D[k * m->nsensordata + m->sensor_adr[i] + r];
            if (!(fabs(a - b) <= 2e-7 * (1 + fabs(b)))) {
                n++;
                printf("sensor %d type %d row %d by %s%d: %.10g, differences %.10g\n", i,
                       m->sensor_type[i], r, by, k, a, b);
            }
        }
    }
    return n;
}

static void compare(state *s)
{
    const sal_model *m = s->m;
    const size_t n = (size_t)(m->nsensordata * m->nv);
    double *D[3], *own = calloc((size_t)(3 * 6 * m->nv), sizeof *own),
                  *out = calloc(n, sizeof *out);
    double *E[3] = {own, own + 6 * m->nv, own + 12 * m->nv};
    for (int stage = 0; stage < 3; stage++) {
        D[stage] = calloc(n, sizeof(double));
        differ(s, (sal_stage)stage, D[stage]);
    }
    read_at(s, SAL_STAGE_POS, 0, 0, out);
    for (int i = 0; i < m->nsensor; i++) {
        static const char *const by[] = {"q", "v", "a"};
        CHECK(sal_sensor_has_deriv(m, i));
        CHECK(sal_sensor_deriv(m, s->d, i, E[0], E[1], E[2]));
        for (int stage = 0; stage <= m->sensor_stage[i]; stage++) {
            CHECK(faults(s, i, E[stage], D[stage], by[stage]) == 0);
        }
    }
    for (int stage = 0; stage < 3; stage++) {
        free(D[stage]);
    }
    free(own);
    free(out);
}

static void random_state(state *s, sal_rng *rng)
{
    double e[64];
    for (int i = 0; i < s->m->nv; i++) {
        e[i] = sal_rng_uniform(rng, -0.6, 0.6);
        s->v[i] = sal_rng_uniform(rng, -1, 1);
        s->a[i] = sal_rng_uniform(rng, -3, 3);
    }
    sal_integrate_pos(s->m, s->q, s->m->qpos0, e, 1);
}

static void every_sensor_agrees_with_differences(void)
{
    state s;
    sal_err err;
    sal_rng rng = {5};
    s.m = load();
    CHECK_OK(sal_data_new(&s.d, s.m, &err), err);
    for (int k = 0; k < 4; k++) {
        random_state(&s, &rng);
        compare(&s);
    }
    sal_data_free(s.d);
    sal_model_free(s.m);
}

/* ---- contacts ---- */

/* numbers of a contact: force in its frame [6], in the world [3], place [3], normal force */
enum { MOST = 64, NUMBERS = 13 };

/* Forces of all contacts with variable i of the stage moved; false if there are others than there
 * were. */
static bool press(state *s, sal_stage stage, int i, double step, int ncon, const int *pair,
                  double *f)
{
    double out[4096];
    bool same;
    read_at(s, stage, i, step, out);
    same = s->d->ncon == ncon;
    for (int c = 0; c < ncon && same; c++) {
        same = s->d->contact[c].pair == pair[c];
        const sal_contact *contact = s->d->contact + c;
        double *to = f + NUMBERS * c;
        sal_contact_force(s->m, s->d, c, to);
        sal_m3_multv(to + 6, contact->frame, to);
        sal_v3_copy(to + 9, contact->pos);
        to[12] = to[0];
    }
    return same;
}

/* Exact derivatives of all numbers of contact c, into D by stages. */
static void contact_deriv(const state *s, int c, double *const D[3])
{
    const int nv = s->m->nv, rest = 6 * nv;
    sal_contact_weight weight[NUMBERS - 6] = {{.normal = 0}};
    for (int i = 0; i < 3; i++) {
        weight[i].force[i] = weight[3 + i].pos[i] = 1;
    }
    weight[6].normal = 1;
    sal_contact_force_deriv(s->m, s->d, c, 6, D[0], D[1], D[2]);
    CHECK(sal_contact_sum_deriv(s->m, s->d, c, NUMBERS - 6, weight, D[0] + rest, D[1] + rest,
                                D[2] + rest));
}

/* Returns the largest force that was compared. */
static double compare_contacts(state *s)
{
    double f[4][NUMBERS * MOST], largest = 0, out[4096];
    int pair[MOST];
    const int nv = s->m->nv;
    read_at(s, SAL_STAGE_POS, 0, 0, out);
    const int ncon = s->d->ncon;
    double *D[3], *all = calloc((size_t)(3 * NUMBERS * ncon * nv) + 1, sizeof *all);
    CHECK(ncon <= MOST);
    for (int c = 0; c < ncon; c++) {
        pair[c] = s->d->contact[c].pair;
        for (int stage = 0; stage < 3; stage++) {
            D[stage] = all + NUMBERS * nv * (3 * c + stage);
        }
        contact_deriv(s, c, D);
    }
    for (int stage = 0; stage < 3; stage++) {
        const double h = stage == SAL_STAGE_POS ? 2e-6 : 1e-4;
        double scale = 0;
        for (int c = 0; c < ncon; c++) {
            for (int e = 0; e < NUMBERS * nv; e++) {
                scale = fmax(scale, fabs(all[NUMBERS * nv * (3 * c + stage) + e]));
            }
        }
        for (int i = 0; i < nv; i++) {
            static const int step[] = {1, -1, 2, -2};
            bool same = true;
            for (int k = 0; k < 4; k++) {
                same = same && press(s, (sal_stage)stage, i, step[k] * h, ncon, pair, f[k]);
            }
            for (int r = 0; r < NUMBERS * ncon && same; r++) {
                const int c = r / NUMBERS, number = r % NUMBERS;
                const double slope = (8 * (f[0][r] - f[1][r]) - (f[2][r] - f[3][r])) / (12 * h);
                const double exact = all[NUMBERS * nv * (3 * c + stage) + number * nv + i];
                const bool place = number >= 9 && number < 12;
                largest = fmax(largest, place ? 0 : fabs(f[0][r]));
                if (f[0][NUMBERS * c] > 0) { /* the place of others is not asked for */
                    CHECK_NEAR(exact, slope, place ? 1e-6 : 1e-6 * scale);
                }
            }
        }
    }
    free(all);
    return largest;
}

/* As on belts and turntables */
static void move_surfaces(sal_model *m, sal_rng *rng)
{
    for (int i = 0; i < 6 * m->ngeom; i++) {
        m->geom_surfacevel[i] = sal_rng_uniform(rng, -1, 1);
    }
    m->nsurfacevel = m->ngeom;
}

/* As of magnets */
static void make_sticky(sal_model *m, sal_rng *rng)
{
    for (int i = 0; i < m->npair; i++) {
        m->pair_adhesion[i] = sal_rng_uniform(rng, 0, 10);
        m->pair_detect[i] += 0.03;
    }
    m->nadhesion = m->npair;
    sal_model_margins(m);
}

static void contact_forces_agree_with_differences(void)
{
    for (int kind = 0; kind < 6; kind++) {
        state s;
        sal_err err;
        sal_rng rng = {6};
        double largest = 0;
        s.m = load();
        s.m->opt.cone = kind % 2;
        if (kind / 2 == 1) {
            move_surfaces(s.m, &rng);
        } else if (kind / 2 == 2) {
            make_sticky(s.m, &rng);
        }
        s.m->opt.disable |= SAL_DSBL_SENSOR;
        CHECK_OK(sal_data_new(&s.d, s.m, &err), err);
        for (int k = 0; k < 6; k++) {
            random_state(&s, &rng);
            largest = fmax(largest, compare_contacts(&s));
        }
        CHECK(largest > 1);
        sal_data_free(s.d);
        sal_model_free(s.m);
    }
}

int main(void)
{
    RUN(every_sensor_agrees_with_differences);
    RUN(contact_forces_agree_with_differences);
    return check_done();
}
