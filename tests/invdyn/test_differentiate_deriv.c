/* Exact Jacobians of motions against centred differences: every kind of output on models with free,
 * ball, hinge and slide joints, damping that steps treat implicitly, limits, contacts, tendons and
 * bonds in use. The two are different paths: they agree, but not to the last bit. */
#include "tests/spliced.h"

#include "base/house.h"
#include "invdyn/invdyn.h"

enum { NSTEP = 4, NVMAX = 64, NYMAX = 900, NOUTPUT = 120 };

typedef struct setup {
    sal_model *m;
    int noutput, ny;
    double q[(NSTEP + 2) * NVMAX];
    sal_output output[NOUTPUT];
    unsigned char geoms[64], one[64], floor[64];
} setup;

static const char readings[] =
    "<sensor><accelerometer site=\"palm\"/><framelinacc objtype=\"body\" objname=\"bob\"/>"
    "<frameangacc objtype=\"site\" objname=\"clapper\"/><framelinvel objtype=\"site\" "
    "objname=\"palm\" reftype=\"xbody\" refname=\"trunk\"/><framequat objtype=\"site\" "
    "objname=\"eye\"/><subtreeangmom body=\"trunk\"/><subtreecom body=\"trunk\"/>"
    "<e_kinetic/><e_potential/><tendonpos tendon=\"cord\"/><jointlimitvel joint=\"bell\"/>"
    "<distance body1=\"hand\" body2=\"bob\" cutoff=\"10\"/><camprojection site=\"eye\" "
    "camera=\"watcher\"/><framezaxis objtype=\"camera\" objname=\"looker\"/></sensor>";
static const char mixed[] = "<sensor><rangefinder name=\"far\" site=\"eye\"/><force "
                            "site=\"palm\"/><touch site=\"skin_ball\"/>"
                            "<tendonvel tendon=\"cord\"/><gyro site=\"palm\"/></sensor>";

static void add(setup *s, sal_output output)
{
    s->output[s->noutput++] = output;
}

/* What terms can be about beyond that: places, contacts in the world, the bodies as one, energy,
 * tendons. */
static void add_quantities(setup *s)
{
    const sal_model *m = s->m;
    const int last = m->nbody - 1, child = m->nbody > 2 ? 2 : 1;
    for (int g = 0; g < m->ngeom; g++) {
        s->one[g] = m->geom_bodyid[g] == m->geom_bodyid[m->ngeom - 1];
        s->floor[g] = m->body_weldid[m->geom_bodyid[g]] == 0;
        s->geoms[g] = !s->floor[g];
    }
    for (int k = 0; k < 2; k++) {
        const sal_point point = sal_point_geom(m, m->ngeom - 1 - k, 1);
        add(s, (sal_output){.kind = SAL_OUT_PLACE, .point = point});
        add(s, (sal_output){.kind = SAL_OUT_PLACE_VELOCITY, .point = point});
        add(s, (sal_output){.kind = SAL_OUT_ENERGY, .id = k});
        add(s, (sal_output){.kind = SAL_OUT_QUAT, .id = k == 0 ? last : child});
        add(s, (sal_output){
                   .kind = SAL_OUT_PRESSURE, .geoms = k == 0 ? s->one : s->geoms, .load = 20});
    }
    add(s, (sal_output){.kind = SAL_OUT_CONTACT, .geoms = s->one});
    add(s, (sal_output){.kind = SAL_OUT_CONTACT, .geoms = s->geoms, .others = s->floor});
    for (int which = SAL_BULK_COM; which <= SAL_BULK_LINACC; which++) {
        add(s, (sal_output){.kind = SAL_OUT_BULK, .id = 0, .other = which});
        add(s, (sal_output){.kind = SAL_OUT_BULK, .id = child, .other = which});
        add(s, (sal_output){.kind = SAL_OUT_BULK, .id = last, .other = which});
    }
    for (int t = 0; t < m->ntendon; t++) {
        add(s, (sal_output){.kind = SAL_OUT_TENDON, .id = t});
        add(s, (sal_output){.kind = SAL_OUT_TENDON_VELOCITY, .id = t});
    }
    for (int a = 0; a < m->nu; a++) {
        add(s, (sal_output){.kind = SAL_OUT_ACTUATOR_VELOCITY, .id = a});
    }
}

/* Forces, rates, every joint and every sensor, a point of the last geom, its distance from the
 * first. */
static void begin(setup *s, const char *name, const char *sensors, int seed)
{
    sal_err err;
    sal_data *d = NULL;
    memset(s, 0, sizeof *s);
    s->m = spliced(name, sensors);
    sal_model *m = s->m;
    m->opt.timestep = 0.02;
    memset(s->geoms, 1, sizeof s->geoms);
    sal_output point = {.kind = SAL_OUT_POINT, .point = sal_point_geom(m, m->ngeom - 1, 1)};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_kinematics(m, d);
    CHECK_OK(sal_point_settle(&point.point, m, d, &err), err);
    sal_data_free(d);
    add(s, (sal_output){.kind = SAL_OUT_FORCE});
    add(s, (sal_output){.kind = SAL_OUT_VELOCITY});
    add(s, (sal_output){.kind = SAL_OUT_ACCELERATION});
    add(s, (sal_output){.kind = SAL_OUT_DISTANCE, .id = 0, .other = m->ngeom - 1});
    add(s, point);
    add(s, (sal_output){.kind = SAL_OUT_NORMAL, .geoms = s->geoms});
    for (int j = 0; j < m->njnt; j++) {
        add(s, (sal_output){.kind = SAL_OUT_JOINT, .id = j});
    }
    for (int i = 0; i < m->nsensor; i++) {
        if (!sal_sensor_reads_actuators(m, i) && !sal_sensor_feels_actuators(m, i)) {
            add(s, (sal_output){.kind = SAL_OUT_SENSOR, .id = i});
        }
    }
    add_quantities(s);
    sal_rng rng = {(unsigned)seed};
    double e[NVMAX];
    for (int i = 0; i < m->nv; i++) {
        e[i] = sal_rng_uniform(&rng, -0.5, 0.5);
    }
    sal_integrate_pos(m, s->q, m->qpos0, e, 1);
    for (int k = 1; k < NSTEP + 2; k++) {
        for (int i = 0; i < m->nv; i++) {
            e[i] = sal_rng_uniform(&rng, -0.02, 0.02);
        }
        sal_integrate_pos(m, s->q + k * m->nq, s->q + (k - 1) * m->nq, e, 1);
    }
}

static double *differentiate(setup *s, const sal_model *mh, sal_derivatives how)
{
    sal_err err;
    sal_invdyn *w = NULL;
    CHECK_OK(sal_invdyn_new(&w, s->m, s->output, s->noutput, how, SAL_FD_CENTRED, 1, &err), err);
    s->ny = sal_invdyn_noutput(w);
    double *y = calloc((size_t)(NSTEP * s->ny), sizeof *y);
    double *Y = calloc((size_t)(NSTEP * s->ny * (3 * s->m->nv + 1)), sizeof *Y);
    CHECK_OK(sal_invdyn_diff(w, s->m, mh, y, Y, &(sal_motion){.nstep = NSTEP, .q = s->q}, &err),
             err);
    sal_invdyn_free(w);
    free(y);
    return Y;
}

/* Largest difference of an output's rows over a group of columns, relative to their largest
 * entry. */
static double worst(const setup *s, const double *a, const double *b, const sal_output *output,
                    int first, int n)
{
    const int width = 3 * s->m->nv + 1;
    double difference = 0, size = 1e-3;
    for (int t = 0; t < NSTEP; t++) {
        for (int r = output->adr; r < output->adr + output->n; r++) {
            const size_t row = (size_t)(t * s->ny + r) * (size_t)width;
            for (int k = first; k < first + n; k++) {
                difference = fmax(difference, fabs(a[row + (size_t)k] - b[row + (size_t)k]));
                size = fmax(size, fabs(b[row + (size_t)k]));
            }
        }
    }
    return difference / size;
}

/* contact: sal_contact_model */
static void compare_steps(const char *name, const char *sensors, int seed, int integrator,
                          int contact, double by_motion, double by_step)
{
    setup s;
    sal_err err;
    sal_model *mh = NULL;
    sal_contact_option o;
    begin(&s, name, sensors, seed);
    s.m->opt.integrator = integrator;
    sal_contact_defaults(&o, s.m, contact);
    CHECK_OK(sal_model_contact(s.m, &o, &err), err);
    CHECK_OK(sal_model_copy(&mh, s.m, &err), err);
    mh->opt.timestep = s.m->opt.timestep * (1 + SAL_FD_STEP);
    double *exact = differentiate(&s, mh, SAL_DERIV_AUTO);
    double *fd = differentiate(&s, mh, SAL_DERIV_FD);
    const int width = 3 * s.m->nv + 1;
    CHECK(memcmp(exact, fd, (size_t)(NSTEP * s.ny * width) * sizeof(double)) != 0);
    for (int k = 0; k < s.noutput; k++) {
        const double motion = worst(&s, exact, fd, s.output + k, 0, width - 1);
        const double step = worst(&s, exact, fd, s.output + k, width - 1, 1);
        if (!(motion <= by_motion && step <= by_step)) {
            printf("%s output %d kind %d id %d: %g by the motion, %g by the step\n", name, k,
                   (int)s.output[k].kind, s.output[k].id, motion, step);
        }
        CHECK(motion <= by_motion);
        CHECK(step <= by_step);
    }
    free(exact);
    free(fd);
    sal_model_free(mh);
    sal_model_free(s.m);
}

static void compare(const char *name, const char *sensors, int seed, double by_motion,
                    double by_step)
{
    compare_steps(name, sensors, seed, SAL_INT_EULER, SAL_CONTACT_SOFT, by_motion, by_step);
}

static void steps_of_other_integrators(void)
{
    compare_steps("tests/physics/sensors.xml", readings, 8, SAL_INT_IMPLICIT, SAL_CONTACT_SOFT,
                  1e-6, 1e-4);
    compare_steps("tests/physics/sensors.xml", readings, 9, SAL_INT_IMPLICITFAST, SAL_CONTACT_SOFT,
                  1e-6, 1e-4);
    compare_steps("models/person.xml", NULL, 10, SAL_INT_IMPLICIT, SAL_CONTACT_SOFT, 1e-6, 1e-4);
}

static void all_that_has_a_twin(void)
{
    for (int seed = 1; seed <= 3; seed++) {
        compare("tests/physics/sensors.xml", readings, seed, 1e-6, 1e-4);
    }
}

static void a_mixed_set(void)
{
    compare("tests/physics/sensors.xml", mixed, 4, 1e-6, 1e-4);
}

static void our_models(void)
{
    compare("models/walker.xml", NULL, 5, 1e-6, 1e-4);
    compare("models/hopper.xml", NULL, 6, 1e-6, 1e-4);
    compare("models/person.xml", NULL, 7, 1e-6, 1e-4);
}

static void other_contact_models(void)
{
    for (int contact = SAL_CONTACT_SOFT + 1; sal_contact_model_is_invertible(contact); contact++) {
        compare_steps("models/walker.xml", NULL, 5, SAL_INT_EULER, contact, 1e-6, 1e-4);
        compare_steps("models/person.xml", NULL, 7, SAL_INT_EULER, contact, 1e-6, 1e-4);
    }
}

static void refuse(setup *s, const char *why)
{
    sal_err err = {0};
    sal_invdyn *w = NULL;
    CHECK(sal_invdyn_new(&w, s->m, s->output, s->noutput, SAL_DERIV_ANALYTIC, SAL_FD_FORWARD, 1,
                         &err) == SAL_UNSUPPORTED);
    CHECK(w == NULL && strstr(err.message, why) != NULL);
}

static void what_has_no_twin_is_named(void)
{
    setup s;
    sal_err err;
    sal_invdyn *w = NULL;
    begin(&s, "tests/physics/sensors.xml", mixed, 1);
    refuse(&s, "sensor 'far' has no exact derivatives");
    sal_model_free(s.m);
    begin(&s, "tests/physics/sensors.xml", readings, 1);
    CHECK_OK(
        sal_invdyn_new(&w, s.m, s.output, s.noutput, SAL_DERIV_ANALYTIC, SAL_FD_FORWARD, 1, &err),
        err);
    sal_invdyn_free(w);
    s.m->opt.enable |= SAL_ENBL_DIAGEXACT;
    refuse(&s, "diagexact");
    sal_model_free(s.m);
}

int main(void)
{
    RUN(all_that_has_a_twin);
    RUN(a_mixed_set);
    RUN(steps_of_other_integrators);
    RUN(our_models);
    RUN(other_contact_models);
    RUN(what_has_no_twin_is_named);
    return check_done();
}
