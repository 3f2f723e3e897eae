/* The hard contact model in whole mechanisms: the gaps at the next instant, falls at large steps,
 * rest, sliding, no memory from the heap, input that cannot be. */
#include "tests/check.h"
#include "tests/physics/deriv/lively.h"

#include "mjcf/mjcf.h"

enum { NMAX = 64, STATES = 20 };

static sal_model *load(const char *name, double timestep, double reach)
{
    sal_model *m = NULL;
    sal_contact_option o;
    sal_err err;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.xml", getenv("SALTUS_ROOT"), name);
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    m->opt.timestep = timestep;
    sal_contact_defaults(&o, m, SAL_CONTACT_HARD);
    o.reach = reach;
    CHECK_OK(sal_model_contact(m, &o, &err), err);
    return m;
}

/* ---- gaps ---- */

/* How far the gap is from that of the contact of the pair that fits it best; infinite: none does */
static double misfit(const sal_data *d, int pair, double gap)
{
    double least = HUGE_VAL;
    for (int i = 0; i < d->ncon; i++) {
        least = d->contact[i].pair == pair ? fmin(least, fabs(d->contact[i].dist - gap)) : least;
    }
    return least;
}

/* Against what the collision functions find at the next instant, for everything on planes */
static void gaps_of(const char *name)
{
    sal_data *d = NULL, *next = NULL;
    sal_err err;
    sal_model *m = load(name, 0.02, 0.5);
    double v[NMAX], worst = 0;
    int found = 0;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_data_new(&next, m, &err), err);
    for (int k = 0; k < STATES; k++) {
        lively_state(m, d, k);
        CHECK_OK(sal_inverse(m, d, &err), err);
        for (int i = 0; i < m->nv; i++) {
            v[i] = d->qvel[i] + m->opt.timestep * d->qacc[i];
        }
        sal_integrate_pos(m, next->qpos, d->qpos, v, m->opt.timestep);
        CHECK_OK(sal_position(m, next, &err), err);
        for (int i = 0; i < d->ncon; i++) {
            const sal_contact *con = d->contact + i;
            const double gap = d->efc_next[con->efc_address];
            if (m->geom_type[con->geom1] == SAL_GEOM_PLANE && gap < 0.4) { /* within reach */
                worst = fmax(worst, misfit(next, con->pair, gap));
                found++;
            }
        }
    }
    printf("     %-9s %3d gaps: %.1e m\n", name, found, worst);
    CHECK(found > STATES && worst < 1e-12);
    sal_data_free(d);
    sal_data_free(next);
    sal_model_free(m);
}

static void gaps_are_those_of_the_next_instant(void)
{
    gaps_of("box");
    gaps_of("hopper");
    gaps_of("walker");
    gaps_of("quadruped");
}

/* ---- motions ---- */

/* m: the lowest point of a mechanism that falls for a second, from `height` above where it stands,
 * turning; the smallest distance of all contacts with planes */
static double lowest_of_fall(const char *name, double timestep, int *unsolved)
{
    sal_data *d = NULL;
    sal_err err;
    sal_model *m = load(name, timestep, 0.6);
    double low = 1;
    m->opt.disable |= SAL_DSBL_ACTUATION; /* stiff servos need short steps */
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[m->jnt_type[0] == SAL_JNT_FREE ? 2 : 1] += 0.2;
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = 0.3 * (i % 3) - 0.2;
    }
    *unsolved = 0;
    for (int k = 0; k * timestep < 1; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
        *unsolved += !d->solver_converged;
        CHECK_OK(sal_position(m, d, &err), err);
        for (int i = 0; i < d->ncon; i++) {
            low = m->geom_type[d->contact[i].geom1] == SAL_GEOM_PLANE
                      ? fmin(low, d->contact[i].dist)
                      : low;
        }
    }
    sal_data_free(d);
    sal_model_free(m);
    return low;
}

static void nothing_that_falls_penetrates(void)
{
    static const double timestep[] = {0.1, 0.02, 0.01, 0.001};
    static const char *const names[] = {"box", "hopper", "walker", "quadruped"};
    for (int n = 0; n < 4; n++) {
        /* in steps of .1 s the limp legs of the quadruped turn by radians: no motion is right */
        for (int i = n == 3; i < 4; i++) {
            int unsolved;
            const double low = lowest_of_fall(names[n], timestep[i], &unsolved);
            printf("     %-9s h = %-5g lowest %+.1e m, %d steps unsolved\n", names[n], timestep[i],
                   low, unsolved);
            CHECK(unsolved == 0);
            CHECK(low > 0);
        }
    }
}

/* Four corners carry it: s = kappa n/(m g h). A push along x drifts it along y by nothing. */
static void a_box_rests_and_slides(void)
{
    sal_data *d = NULL;
    sal_err err;
    sal_model *m = load("box", 0.01, 0.1);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[2] = 0.2505;
    for (int k = 0; k < 300; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
    }
    const double rest = m->opt.contact.kappa * 4 / (1 * 9.81 * m->opt.timestep);
    printf("     rests %.6g m above the floor, by formula %.6g\n", d->qpos[2] - 0.25, rest);
    CHECK_NEAR(d->qpos[2] - 0.25, rest, 0.01 * rest);
    const double y = d->qpos[1];
    d->qvel[0] = 3;
    for (int k = 0; k < 100; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
        CHECK(d->solver_converged);
    }
    /* v^2/(2 mu g), and the half step by which friction acts late */
    printf("     slides %.6g m, drifts %.1e m\n", d->qpos[0], d->qpos[1] - y);
    CHECK_NEAR(d->qpos[0], 9 / (2 * 0.5 * 9.81) - 0.5 * 3 * m->opt.timestep, 0.01);
    CHECK(fabs(d->qpos[1] - y) <= 1e-9);
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- what nothing may change, what cannot be ---- */

static void steps_allocate_nothing_and_repeat(void)
{
    sal_data *d = NULL;
    sal_err err;
    sal_model *m = load("quadruped", 0.01, 0.05);
    double q[2][NMAX];
    CHECK_OK(sal_data_new(&d, m, &err), err);
    const long before = sal_alloc_count();
    for (int run = 0; run < 2; run++) {
        sal_data_reset(m, d);
        for (int k = 0; k < 60; k++) {
            d->qfrc_applied[k % m->nv] = 3;
            CHECK_OK(sal_step(m, d, &err), err);
            CHECK_OK(sal_inverse(m, d, &err), err);
            d->qfrc_applied[k % m->nv] = 0;
        }
        memcpy(q[run], d->qpos, (size_t)m->nq * sizeof(double));
    }
    CHECK(sal_alloc_count() == before);
    CHECK(memcmp(q[0], q[1], (size_t)m->nq * sizeof(double)) == 0);
    CHECK(d->arena.need <= d->arena.size);
    sal_data_free(d);
    sal_model_free(m);
}

static void degenerate_input_ends_in_a_status(void)
{
    static const double extreme[] = {0, 1e3};
    sal_data *d = NULL;
    sal_err err;
    sal_model *m = load("quadruped", 0.01, 0.05);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int e = 0; e < 2; e++) {
        int unsolved = 0;
        for (int i = 0; i < 5 * m->npair; i++) {
            m->pair_friction[i] = extreme[e];
        }
        for (int k = 0; k < STATES; k++) {
            lively_state(m, d, k);
            CHECK_OK(sal_forward(m, d, &err), err);
            unsolved += !d->solver_converged;
        }
        printf("     friction %g: %d of %d unsolved\n", extreme[e], unsolved, STATES);
        CHECK(unsolved <= (e == 0 ? 0 : STATES / 2));
    }
    lively_state(m, d, 1);
    d->qvel[0] = (double)NAN;
    CHECK(sal_step(m, d, &err) == SAL_DIVERGED);
    lively_state(m, d, 1);
    d->qfrc_applied[0] = (double)INFINITY;
    CHECK(sal_step(m, d, &err) == SAL_DIVERGED);
    d->qfrc_applied[0] = 0;
    lively_state(m, d, 1);
    m->opt.disable |= SAL_DSBL_CONSTRAINT;
    CHECK_OK(sal_step(m, d, &err), err);
    CHECK(d->nefc == 0 && d->solver_converged);
    sal_data_free(d);
    sal_model_free(m);
}

/* A data that was made for another contact model has no room for what this one needs. */
static void a_data_of_before_is_refused(void)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_contact_option o;
    sal_err err;
    char path[512];
    snprintf(path, sizeof path, "%s/models/box.xml", getenv("SALTUS_ROOT"));
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_contact_defaults(&o, m, SAL_CONTACT_HARD);
    CHECK_OK(sal_model_contact(m, &o, &err), err);
    CHECK(sal_inverse(m, d, &err) == SAL_INTERNAL);
    sal_data_reset(m, d);
    CHECK(sal_step(m, d, &err) == SAL_INTERNAL);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(gaps_are_those_of_the_next_instant);
    RUN(nothing_that_falls_penetrates);
    RUN(a_box_rests_and_slides);
    RUN(steps_allocate_nothing_and_repeat);
    RUN(degenerate_input_ends_in_a_status);
    RUN(a_data_of_before_is_refused);
    return check_done();
}
