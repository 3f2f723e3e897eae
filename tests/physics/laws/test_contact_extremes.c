/* Every contact model where it is hardest: 35 contacts under one body, so that J M^-1 J' is
 * singular, with no friction, some, and a thousand; nothing that touches; numbers that are not.
 * Evaluations take no memory. */
#include "tests/check.h"

#include "mjcf/mjcf.h"

enum { NMAX = 64, ACROSS = 7, ALONG = 5, STUDS = ACROSS * ALONG, STATES = 20, EVALUATIONS = 100 };

static void give(sal_model *m, int contact)
{
    sal_contact_option o;
    sal_err err;
    m->opt.tolerance = 0;
    m->opt.iterations = 300;
    m->opt.timestep = 0.01;
    sal_contact_defaults(&o, m, contact);
    CHECK_OK(sal_model_contact(m, &o, &err), err);
}

static sal_model *load_quadruped(int contact)
{
    sal_model *m = NULL;
    sal_err err;
    char path[512];
    snprintf(path, sizeof path, "%s/models/quadruped.xml", getenv("SALTUS_ROOT"));
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    give(m, contact);
    return m;
}

/* A sole of 35 studs, which all touch the floor at once; its mass is 2 kg */
static sal_model *load_sole(int contact, double friction)
{
    char xml[8000];
    sal_model *m = NULL;
    sal_err err;
    size_t n = (size_t)snprintf(xml, sizeof xml,
                                "<mujoco><option cone='elliptic'/><default><geom condim='3' "
                                "friction='%g .005 .0001'/></default><worldbody>"
                                "<geom type='plane' size='5 5 1'/><body name='sole'><freejoint/>"
                                "<inertial pos='0 0 .1' mass='2' diaginertia='.02 .03 .04'/>",
                                friction);
    for (int i = 0; i < STUDS; i++) {
        n += (size_t)snprintf(xml + n, sizeof xml - n, "<geom size='.05' pos='%g %g 0'/>",
                              0.1 * (i % ACROSS - 3), 0.1 * (i / ACROSS - 2));
    }
    snprintf(xml + n, sizeof xml - n, "</body></worldbody></mujoco>");
    CHECK_OK(sal_model_parse(&m, "sole", xml, strlen(xml), NULL, NULL, &err), err);
    give(m, contact);
    return m;
}

/* Falling onto the floor, which it is in by 1 mm, sliding and turning */
static void place_sole(sal_data *d)
{
    static const double v[6] = {0.4, -0.3, -0.5, 0.2, 0.1, 0.5};
    d->qpos[2] = 0.049;
    memcpy(d->qvel, v, sizeof v);
}

static double size_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = isfinite(x[i]) ? fmax(most, fabs(x[i])) : (double)INFINITY;
    }
    return most;
}

/* ---- memory ---- */

static void evaluations_allocate_nothing(void)
{
    static double D[3][NMAX * NMAX];
    for (int contact = 0; contact < SAL_NCONTACTMODELS; contact++) {
        sal_model *m = load_quadruped(contact);
        sal_data *d = NULL;
        sal_err err;
        int rows = 0;
        CHECK_OK(sal_data_new(&d, m, &err), err);
        memcpy(d->qpos, m->key_qpos, (size_t)m->nq * sizeof(double)); /* it stands */
        const long before = sal_alloc_count();
        for (int i = 0; i < EVALUATIONS; i++) {
            CHECK_OK(sal_step(m, d, &err), err);
            CHECK_OK(sal_inverse(m, d, &err), err);
            rows += d->nefc;
            if (sal_contact_model_is_invertible(contact)) {
                CHECK_OK(sal_inverse_deriv(m, d, D[0], D[1], D[2], &err), err);
            }
        }
        CHECK(sal_alloc_count() == before);
        printf("     %-15s %d rows\n", sal_contact_model_name(contact), rows);
        CHECK(rows > EVALUATIONS);
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* ---- many contacts ---- */

/* What acts is what makes the motion: tau -> a -> tau. */
static double misfit_of_inverse(const sal_model *m, sal_data *d)
{
    sal_err err;
    double off = 0;
    CHECK_OK(sal_inverse(m, d, &err), err);
    for (int i = 0; i < m->nv; i++) {
        off = fmax(off, fabs(d->qfrc_inverse[i] - d->qfrc_applied[i]));
    }
    return off / fmax(size_of(d->qfrc_constraint, m->nv), size_of(d->qfrc_bias, m->nv));
}

/* How much of the force is lost to the rounding of the motion: where friction holds with hard
 * contacts, its impulse changes with the velocity of slip by up to (mu gamma)^2/kappa. */
static double rounding(double friction)
{
    return fmax(1e-9, 1e-13 * friction * friction);
}

static void sole_lands(int contact, double friction)
{
    const bool one_by_one = contact == SAL_CONTACT_DIAGONAL,
               searches = contact == SAL_CONTACT_COMPLEMENTARITY;
    sal_model *m = load_sole(contact, friction);
    sal_data *d = NULL;
    sal_err err;
    sal_status status = SAL_OK;
    int unsolved = 0, k = 0;
    double off = 0;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    place_sole(d);
    for (; k < (searches ? STATES / 10 : STATES) && status == SAL_OK; k++) {
        d->qfrc_applied[0] = 3;
        CHECK_OK(sal_forward(m, d, &err), err);
        CHECK(k > 0 || d->ncon == STUDS);
        CHECK(isfinite(size_of(d->qacc, m->nv)));
        unsolved += !d->solver_converged;
        off = d->solver_converged ? fmax(off, misfit_of_inverse(m, d)) : off;
        status = sal_advance(m, d, &err);
    }
    printf("     %-15s friction %-4g: %2d of %2d unsolved, inverse %.1e%s\n",
           sal_contact_model_name(contact), friction, unsolved, k, off,
           status == SAL_OK ? "" : ", diverges");
    CHECK(status == SAL_OK || (one_by_one && status == SAL_DIVERGED));
    CHECK(unsolved == 0 || searches);
    CHECK(off <= rounding(friction));
    sal_data_free(d);
    sal_model_free(m);
}

/* A solution is found, but where there may be none: complementarity says so. Of diagonal, whose
 * contacts do not know of each other, so many on one body make the simulation diverge, and that is
 * said. */
static void many_contacts_are_held(void)
{
    for (int contact = 0; contact < SAL_NCONTACTMODELS; contact++) {
        sole_lands(contact, 0);
        sole_lands(contact, 0.8);
        sole_lands(contact, 1e3);
    }
}

/* ---- none ---- */

static void without_contacts_it_falls(void)
{
    for (int contact = 0; contact < SAL_NCONTACTMODELS; contact++) {
        sal_model *m = load_sole(contact, 0.8);
        sal_data *d = NULL;
        sal_err err;
        CHECK_OK(sal_data_new(&d, m, &err), err);
        d->qpos[2] = 3;
        CHECK_OK(sal_forward(m, d, &err), err);
        CHECK(d->nefc == 0 && d->solver_converged);
        CHECK_NEAR(d->qacc[2], -9.81, 1e-12);
        CHECK_OK(sal_inverse(m, d, &err), err);
        CHECK(size_of(d->qfrc_inverse, m->nv) <= 1e-12);
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* ---- what is no number ---- */

static void breaks(const sal_model *m, sal_data *d, double *number, double bad)
{
    sal_err err = {0};
    *number = bad;
    CHECK(sal_step(m, d, &err) == SAL_DIVERGED);
    CHECK(err.message[0] != 0);
    sal_data_reset(m, d);
    d->qfrc_applied[0] = 0;
    place_sole(d);
}

static void what_is_not_finite_is_said(void)
{
    for (int contact = 0; contact < SAL_NCONTACTMODELS; contact++) {
        sal_model *m = load_sole(contact, 0.8);
        sal_data *d = NULL;
        sal_err err;
        CHECK_OK(sal_data_new(&d, m, &err), err);
        place_sole(d);
        breaks(m, d, d->qpos + 2, (double)NAN);
        breaks(m, d, d->qvel + 2, (double)NAN);
        breaks(m, d, d->qvel + 2, (double)INFINITY);
        breaks(m, d, d->qfrc_applied, (double)INFINITY);
        CHECK_OK(sal_step(m, d, &err), err); /* and then all is well again */
        place_sole(d);
        d->qvel[2] = (double)NAN;
        const sal_status status = sal_inverse(m, d, &err);
        CHECK(status != SAL_OK || !isfinite(size_of(d->qfrc_inverse, m->nv)));
        sal_data_free(d);
        sal_model_free(m);
    }
}

int main(void)
{
    RUN(evaluations_allocate_nothing);
    RUN(many_contacts_are_held);
    RUN(without_contacts_it_falls);
    RUN(what_is_not_finite_is_said);
    return check_done();
}
