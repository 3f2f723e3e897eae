/* What outputs are, against what they can be computed from otherwise: sensors of MuJoCo's, sums
 * over contacts, differences over time. */
#include "tests/spliced.h"

#include "base/house.h"
#include "invdyn/workspace.h"

enum { NQMAX = 64, NOUTPUT = 24 };

static const char readings[] =
    "<sensor><subtreecom name=\"com\" body=\"trunk\"/><subtreelinvel name=\"vel\" "
    "body=\"trunk\"/><subtreeangmom name=\"spin\" body=\"trunk\"/><e_potential name=\"low\"/>"
    "<e_kinetic name=\"fast\"/><framequat name=\"turn\" objtype=\"xbody\" objname=\"hand\"/>"
    "<framepos name=\"place\" objtype=\"site\" objname=\"palm\"/><framelinvel name=\"rate\" "
    "objtype=\"site\" objname=\"palm\"/><tendonpos name=\"length\" tendon=\"cord\"/><tendonvel "
    "name=\"pull\" tendon=\"cord\"/></sensor>";

typedef struct motion {
    sal_model *m;
    sal_data *d;
    double q[3 * NQMAX];
    double y[256];
    int noutput;
    sal_output output[NOUTPUT];
} motion;

static void begin(motion *s, sal_model *m, double size, unsigned seed)
{
    sal_err err;
    sal_rng rng = {seed};
    double e[NQMAX];
    memset(s, 0, sizeof *s);
    s->m = m;
    m->opt.timestep = 0.01;
    CHECK_OK(sal_data_new(&s->d, m, &err), err);
    memcpy(s->q, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int k = 0; k < 3; k++) {
        double *q = s->q + k * m->nq;
        for (int i = 0; i < m->nv; i++) {
            e[i] = sal_rng_uniform(&rng, -size, size) * (k == 0 ? 10 : 1);
        }
        sal_integrate_pos(m, q, k == 0 ? m->qpos0 : q - m->nq, e, 1);
    }
}

/* Adds an output; returns its number. */
static int add(motion *s, sal_output output)
{
    s->output[s->noutput] = output;
    return s->noutput++;
}

static void evaluate(motion *s)
{
    sal_err err;
    sal_invdyn *w = NULL;
    CHECK_OK(
        sal_invdyn_new(&w, s->m, s->output, s->noutput, SAL_DERIV_AUTO, SAL_FD_FORWARD, 1, &err),
        err);
    CHECK_OK(sal_invdyn_eval(w, s->m, s->y, &(sal_motion){.nstep = 1, .q = s->q}, &err), err);
    sal_invdyn_free(w);
    CHECK_OK(sal_motion_step(s->m, s->d, s->q, &err), err);
}

static void end(motion *s)
{
    sal_data_free(s->d);
    sal_model_free(s->m);
}

static void is_sensor(const motion *s, int output, const char *name)
{
    const int i = sal_model_find(s->m, SAL_OBJ_SENSOR, name);
    CHECK(i >= 0 && s->output[output].n == s->m->sensor_dim[i]);
    for (int r = 0; r < s->output[output].n; r++) {
        const double read = s->d->sensordata[s->m->sensor_adr[i] + r];
        CHECK_NEAR(s->y[s->output[output].adr + r], read, 1e-12 * (1 + fabs(read)));
    }
}

static void readings_of_sensors(void)
{
    motion s;
    begin(&s, spliced("tests/physics/sensors.xml", readings), 0.05, 3);
    const sal_model *m = s.m;
    const int trunk = sal_model_find(m, SAL_OBJ_BODY, "trunk"),
              hand = sal_model_find(m, SAL_OBJ_BODY, "hand"),
              cord = sal_model_find(m, SAL_OBJ_TENDON, "cord");
    const sal_point palm = sal_point_site(m, sal_model_find(m, SAL_OBJ_SITE, "palm"));
    static const char *const name[] = {"com",  "vel",   "spin", "low",    "fast",
                                       "turn", "place", "rate", "length", "pull"};
    for (int which = SAL_BULK_COM; which <= SAL_BULK_ANGMOM; which++) {
        add(&s, (sal_output){.kind = SAL_OUT_BULK, .id = trunk, .other = which});
    }
    add(&s, (sal_output){.kind = SAL_OUT_ENERGY, .id = 0});
    add(&s, (sal_output){.kind = SAL_OUT_ENERGY, .id = 1});
    add(&s, (sal_output){.kind = SAL_OUT_QUAT, .id = hand});
    add(&s, (sal_output){.kind = SAL_OUT_PLACE, .point = palm});
    add(&s, (sal_output){.kind = SAL_OUT_PLACE_VELOCITY, .point = palm});
    add(&s, (sal_output){.kind = SAL_OUT_TENDON, .id = cord});
    add(&s, (sal_output){.kind = SAL_OUT_TENDON_VELOCITY, .id = cord});
    evaluate(&s);
    for (int i = 0; i < s.noutput; i++) {
        is_sensor(&s, i, name[i]);
    }
    end(&s);
}

/* A sensor is evaluated where an output reads one, and only there. */
static void sensors_that_nothing_reads_are_left_out(void)
{
    motion s;
    begin(&s, spliced("tests/physics/sensors.xml", readings), 0.05, 4);
    const sal_output outputs[] = {{.kind = SAL_OUT_FORCE}, {.kind = SAL_OUT_SENSOR, .id = 0}};
    for (int n = 1; n <= 2; n++) {
        sal_err err;
        sal_invdyn *w = NULL;
        s.noutput = 0;
        for (int i = 0; i < n; i++) {
            add(&s, outputs[i]);
        }
        CHECK_OK(sal_invdyn_new(&w, s.m, s.output, n, SAL_DERIV_AUTO, SAL_FD_FORWARD, 1, &err),
                 err);
        CHECK_OK(sal_invdyn_eval(w, s.m, s.y, &(sal_motion){.nstep = 1, .q = s.q}, &err), err);
        const double *read = w->worker->d->sensordata;
        int nread = 0;
        for (int i = 0; i < s.m->nsensordata; i++) {
            nread += read[i] != 0;
        }
        CHECK((nread > 0) == (n == 2));
        sal_invdyn_free(w);
    }
    end(&s);
}

/* Their forces follow from controls, not from the motion; joint and actuator have outputs. */
static void sensors_of_actuators_are_refused(void)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
        "<actuator><motor name='m' joint='j'/></actuator>"
        "<sensor><jointpos joint='j'/><actuatorfrc name='f' actuator='m'/>"
        "<jointactuatorfrc joint='j'/></sensor></mujoco>";
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    for (int i = 0; i < 3 && m != NULL; i++) {
        sal_output output = {.kind = SAL_OUT_SENSOR, .id = i};
        sal_invdyn *w = NULL;
        const sal_status status =
            sal_invdyn_new(&w, m, &output, 1, SAL_DERIV_AUTO, SAL_FD_CENTRED, 1, &err);
        CHECK(status == (i == 0 ? SAL_OK : SAL_UNSUPPORTED));
        CHECK(i != 1 || strstr(err.message, "sensor 'f' reads actuators") != NULL);
        sal_invdyn_free(w);
    }
    sal_model_free(m);
}

/* Newton's law for all that moves: m c'' = m g + contacts + f on the free joint, which has the
 * whole mechanism behind it; and the centre of mass of the whole is that of the bodies that move,
 * whatever stands beside them. */
static void forces_move_the_whole(void)
{
    motion s;
    double carried = 0;
    for (unsigned seed = 1; seed <= 5; seed++) {
        unsigned char geoms[64] = {0};
        begin(&s, spliced("models/person.xml", NULL), 0.02, seed);
        const sal_model *m = s.m;
        for (int g = 0; g < m->ngeom; g++) {
            geoms[g] = m->body_weldid[m->geom_bodyid[g]] != 0;
        }
        s.q[2] -= 0.05, s.q[m->nq + 2] -= 0.05, s.q[2 * m->nq + 2] -= 0.05;
        add(&s, (sal_output){.kind = SAL_OUT_BULK, .id = 0, .other = SAL_BULK_LINACC});
        add(&s, (sal_output){.kind = SAL_OUT_CONTACT, .geoms = geoms});
        add(&s, (sal_output){.kind = SAL_OUT_FORCE});
        add(&s, (sal_output){.kind = SAL_OUT_BULK, .id = 0, .other = SAL_BULK_COM});
        evaluate(&s);
        const double mass = sal_bulk_mass(m, 0), *y = s.y;
        for (int i = 0; i < 3; i++) {
            const double sum = mass * m->opt.gravity[i] + y[s.output[1].adr + i] +
                               y[s.output[2].adr + i] + s.d->qfrc_passive[i];
            CHECK_NEAR(mass * y[i], sum, 1e-9 * (1 + fabs(sum)));
            CHECK_NEAR(y[s.output[3].adr + i], s.d->subtree_com[3 + i], 1e-12);
        }
        carried += y[s.output[1].adr + 2];
        end(&s);
    }
    CHECK(carried > 1);
}

static const char bench[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 1'/><body name='table' pos='3 0 "
    "1'><geom type='box' size='1 1 1'/></body>"
    "<body name='left' pos='0 .2 %g'><freejoint/><geom name='left' size='.1' mass='2'/></body>"
    "<body name='right' pos='.3 -.2 %g'><freejoint/><geom name='right' size='.1' mass='2'/></body>"
    "</worldbody></mujoco>";

static void stand(motion *s, double left, double right, unsigned char *geoms)
{
    sal_text xml = {0};
    sal_err err;
    sal_model *m = NULL;
    sal_text_format(&xml, bench, left, right);
    CHECK_OK(sal_model_parse(&m, "bench.xml", xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    begin(s, m, 0, 1);
    for (int g = 0; g < m->ngeom; g++) {
        geoms[g] = m->body_weldid[m->geom_bodyid[g]] != 0;
    }
    add(s, (sal_output){.kind = SAL_OUT_PRESSURE, .geoms = geoms, .load = 0.1});
    add(s, (sal_output){.kind = SAL_OUT_BULK, .id = 0, .other = SAL_BULK_COM});
    add(s, (sal_output){.kind = SAL_OUT_CONTACT, .geoms = geoms});
    evaluate(s);
}

/* Two balls: in the air the centre of pressure is midway; with one on the ground below it, but for
 * load / (N + load). */
static void pressure_is_where_the_load_is(void)
{
    motion s;
    unsigned char geoms[8];
    stand(&s, 1, 1, geoms);
    CHECK_NEAR(s.y[0], 0.15, 1e-15);
    CHECK_NEAR(s.y[1], 0, 1e-15);
    CHECK_NEAR(s.y[2], 0.15, 1e-15); /* the table does not count */
    CHECK(s.y[7] == 0);
    end(&s);
    stand(&s, 0.099, 1, geoms);
    const double N = s.y[7], pull = 0.1 / (N + 0.1);
    CHECK(N > 1);
    CHECK_NEAR(s.y[0], 0.15 * pull, 1e-12);
    CHECK_NEAR(s.y[1], 0.2 * (1 - pull), 1e-12);
    end(&s);
}

int main(void)
{
    RUN(readings_of_sensors);
    RUN(sensors_that_nothing_reads_are_left_out);
    RUN(sensors_of_actuators_are_refused);
    RUN(forces_move_the_whole);
    RUN(pressure_is_where_the_load_is);
    return check_done();
}
