/* Equality constraints in the present behaviour: dJ/dt v against differences, the stored numbers of
 * a later MuJoCo, sites for bodies. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

static const char chain[] =
    "<mujoco><option timestep='0.001'><flag contact='disable'/></option><worldbody>"
    "<body name='a' pos='0 0 1'><joint name='a1' axis='0 1 0.3'/><joint name='a2' axis='1 0 0'/>"
    "<geom size='0.1' pos='0.2 0.05 0'/>"
    "<body name='t' pos='0.4 0 0'><joint name='s' type='slide' axis='1 1 0'/>"
    "<joint type='ball' pos='0.05 0 0'/><geom type='box' size='0.1 0.05 0.07'/>"
    "<site name='st' pos='0.1 0.02 0.03' euler='10 20 30'/></body></body>"
    "<body name='b' pos='0.5 0.2 1'><freejoint/><geom type='box' size='0.1 0.06 0.04'/>"
    "<site name='sb' pos='-0.1 0.01 0' euler='-20 5 70'/></body></worldbody><equality>"
    "<connect body1='t' body2='b' anchor='0.05 0.02 0.03'/>"
    "<weld body1='b' body2='a' torquescale='2.5' anchor='0.1 0 0.2'/>"
    "<weld body1='t' relpose='0.1 0.2 -0.3 0.9 0.1 0.2 0.3' "
    "torquescale='0.7'/>%s</equality></mujoco>";

static sal_model *parse(const char *extra)
{
    char text[4000];
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    snprintf(text, sizeof text, chain, extra);
    CHECK_OK(sal_model_parse(&m, "chain.xml", text, strlen(text), NULL, NULL, &err), err);
    return m;
}

static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k};
    double step[64];
    for (int i = 0; i < m->nv; i++) {
        step[i] = sal_rng_uniform(&rng, -0.5, 0.5);
        d->qvel[i] = sal_rng_uniform(&rng, -2, 2);
        d->qacc[i] = sal_rng_uniform(&rng, -3, 3);
    }
    sal_integrate_pos(m, d->qpos, m->qpos0, step, 1);
}

static void evaluate(const sal_model *m, sal_data *d)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_inverse(m, d, &err), err);
}

/* aref = -B J v - K d pos - dJ/dt v, the last one by central differences of J v along the motion
 * with qacc = 0 */
static void drift_is_the_rate_of_the_velocity(void)
{
    enum { ROWS = 64 };
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse("<joint joint1='a1' joint2='s' polycoef='0 1 2 0 0'/>");
    sal_data *d = NULL, *near = NULL;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_data_new(&near, m, &err), err);
    double worst = 0;
    for (int k = 0; k < 50; k++) {
        const double eps = 1e-5;
        double rate[ROWS] = {0};
        random_state(m, d, k);
        evaluate(m, d);
        CHECK(d->nefc == 16);
        for (int side = -1; side <= 1; side += 2) {
            memcpy(near->qvel, d->qvel, (size_t)m->nv * sizeof(double));
            sal_integrate_pos(m, near->qpos, d->qpos, d->qvel, side * eps);
            evaluate(m, near);
            for (int i = 0; i < d->nefc; i++) {
                rate[i] += side * near->efc_vel[i] / (2 * eps);
            }
        }
        for (int i = 0; i < d->nefc; i++) {
            const double *kbip = d->efc_KBIP + 4 * i;
            const double rest = -kbip[1] * d->efc_vel[i] - kbip[0] * kbip[2] * d->efc_pos[i];
            const double want = i < 15 ? -rate[i] : 0; /* not for joints */
            worst = fmax(worst, fabs(d->efc_aref[i] - rest - want) / (1 + fabs(rest)));
        }
    }
    printf("     dJ/dt v differs by %.1e\n", worst);
    CHECK(worst < 1e-8);
    sal_data_free(d);
    sal_data_free(near);
    sal_model_free(m);
}

/* A weld of sites written in bodies: the same force on the mechanism. */
static void sites_stand_for_bodies(void)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = parse("<connect site1='st' site2='sb'/><weld site1='sb' site2='st'/>");
    sal_data *d = NULL;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int k = 0; k < 10; k++) {
        random_state(m, d, k);
        evaluate(m, d);
        CHECK(d->nefc == 24);
        for (int i = 0; i < 3; i++) {
            const double *p = d->site_xpos;
            CHECK_NEAR(d->efc_pos[15 + i], p[i] - p[3 + i], 1e-13);
            CHECK_NEAR(d->efc_pos[18 + i], p[3 + i] - p[i], 1e-13);
        }
        /* the angle between the sites: |vec| of the difference of their orientations */
        double turn[9], relative[9], q[4];
        for (int i = 0; i < 9; i++) {
            turn[i] = d->site_xmat[3 * (i % 3) + i / 3];
        }
        sal_m3_mul(relative, turn, d->site_xmat + 9);
        sal_quat_from_matrix(q, relative);
        CHECK_NEAR(sal_v3_norm(d->efc_pos + 21), sal_v3_norm(q + 1), 1e-12);
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- a later MuJoCo's numbers ---- */

static void take(double *x, int n, const char *from, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":[", key);
    const char *at = strstr(from, quoted);
    CHECK(at != NULL);
    at = at == NULL ? "" : at + strlen(quoted);
    for (int i = 0; i < n; i++) {
        char *end;
        x[i] = strtod(at, &end);
        CHECK(end != at);
        at = *end == ',' ? end + 1 : end;
    }
}

static void same(const double *x, int n, const char *from, const char *key)
{
    double want[512], scale = 1e-6, worst = 0;
    take(want, n, from, key);
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(want[i]));
        worst = fmax(worst, fabs(x[i] - want[i]));
    }
    if (!(worst <= 1e-11 * scale)) {
        printf("%s: off by %g of %g\n", key, worst, scale);
    }
    CHECK(worst <= 1e-11 * scale);
}

static void stored_numbers_of_the_present_come_out(void)
{
    const char *path = check_corpus("reference/vectors/06_equality.xml");
    sal_err err = {SAL_OK, ""};
    sal_model *m = NULL;
    sal_data *d = NULL;
    char *text = NULL;
    size_t length;
    int states = 0, touchless = 0;
    if (path == NULL) {
        SKIP("no corpus");
    }
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    m->opt.disable |= SAL_DSBL_CONTACT; /* rows of equalities do not depend on contacts */
    path = check_corpus("reference/vectors/head/06_equality.json");
    CHECK_OK(sal_text_read_file(path, 1 << 22, &text, &length, &err), err);
    for (const char *s = strstr(text, "\"states\""); s != NULL && (s = strstr(s + 1, "\"qpos\":["));
         states++) {
        take(d->qpos, m->nq, s, "qpos");
        take(d->qvel, m->nv, s, "qvel");
        take(d->qacc, m->nv, s, "qacc");
        CHECK_OK(sal_inverse(m, d, &err), err);
        const int n = 18;
        same(d->efc_pos, n, s, "efc_pos");
        same(d->efc_R, n, s, "efc_R");
        same(d->efc_vel, n, s, "efc_vel");
        same(d->efc_aref, n, s, "efc_aref");
        same(d->efc_force, n, s, "efc_force");
        const char *list = strstr(s, "\"contact\":[");
        if (list != NULL && list[11] == ']') {
            touchless++;
            same(d->qfrc_constraint, m->nv, s, "qfrc_constraint");
            same(d->qfrc_inverse, m->nv, s, "qfrc_inverse");
        }
    }
    printf("     %d states, %d of them without contacts\n", states, touchless);
    CHECK(states == 4 && touchless > 0);
    sal_free(text);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(drift_is_the_rate_of_the_velocity);
    RUN(sites_stand_for_bodies);
    RUN(stored_numbers_of_the_present_come_out);
    return check_done();
}
