/* Angles that were measured late, beside controls that were not. */
#include "tests/identify/driven.h"

/* steps before the recordings begin, in which the pendulum moves already, and behind their ends */
enum { AHEAD = 60 };

/* The angle of the file is that of `delay` ago, a whole number of steps; empty: before so many
 * samples it has none. */
static void record_late(const sal_model *m, int index, double delay, int empty)
{
    sal_data *d = NULL;
    sal_err err;
    sal_text text = {0};
    sal_rng rng = {(uint64_t)index + 31};
    double phase[3], angle[2 * AHEAD + DRIVEN_SAMPLES * DRIVEN_SUB];
    char name[40];
    const int late = (int)lround(delay / driven_dt * DRIVEN_SUB);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[0] = sal_rng_uniform(&rng, -1, 1);
    d->qvel[0] = sal_rng_uniform(&rng, -4, 4);
    for (int i = 0; i < 3; i++) {
        phase[i] = sal_rng_uniform(&rng, 0, 6.283185307179586);
    }
    for (int s = 0; s < 2 * AHEAD + DRIVEN_SAMPLES * DRIVEN_SUB; s++) {
        angle[s] = d->qpos[0];
        d->ctrl[0] = s < AHEAD ? 0 : driven_control(phase, (s - AHEAD) / DRIVEN_SUB);
        CHECK_OK(sal_step(m, d, &err), err);
    }
    sal_text_add(&text, "t,q,u\n");
    for (int k = 0; k < DRIVEN_SAMPLES; k++) {
        const double q = angle[AHEAD + k * DRIVEN_SUB - late] + driven_noise * sal_rng_normal(&rng);
        sal_text_format(&text, "%.9g,", k * driven_dt);
        if (k >= empty) {
            sal_text_format(&text, "%.9g", q);
        }
        sal_text_format(&text, ",%.9g\n", driven_control(phase, k));
    }
    snprintf(name, sizeof name, "swing_%d.csv", index);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    sal_data_free(d);
}

static void make_late(double delay, int empty)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err;
    files_write("arm.xml", driven_model, strlen(driven_model));
    CHECK_OK(sal_model_load(&m, files_path("arm.xml"), NULL, &diag, &err), err);
    for (int i = 0; i < DRIVEN_RECORDINGS && m != NULL; i++) {
        record_late(m, i, delay, empty);
    }
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* attributes of <estimate> */
static const char *held_out = "";

static sal_result *identify(const char *delay, const char *parameter, sal_err *err)
{
    char text[2000];
    sal_identification *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    snprintf(text, sizeof text,
             "<problem name='p'><model file='arm.xml'/>"
             "<data file='swing_*.csv' time='t' gap='.1'>"
             "<channel name='q' joint='q' columns='q' sigma='.002' %s/>"
             "<channel name='u' ctrl='m' columns='u'/></data>"
             "<parameter name='damping' path='joint[q]/damping' map='log' value='.03'/>"
             "<parameter name='mass' path='body[link]/mass' map='log' value='.6'/>%s"
             "<estimate sigma='.002' unit='force' norm='quadratic' substeps='5' "
             "%s/></problem>",
             delay, parameter, held_out);
    files_write("p.xml", text, strlen(text));
    sal_err why = {0};
    CHECK_OK(sal_identification_read(&p, files_path("p.xml"), NULL, &diag, &why), why);
    if (p != NULL) {
        sal_identification_solve(&r, p, 2, NULL, err);
    }
    sal_identification_free(p);
    sal_diag_clear(&diag);
    return r;
}

static double off(const sal_result *r, const char *name, double truth)
{
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    for (int k = 0; e != NULL && k < e->nparameter; k++) {
        if (strcmp(e->parameter[k].name, name) == 0) {
            return fabs(e->parameter[k].value - truth) / e->parameter[k].se;
        }
    }
    return (double)INFINITY;
}

/* What was measured of the time before the recording begins is as if it were not there. */
static void samples_before_the_motion_are_left_out(void)
{
    sal_err err = {0};
    make_late(.036, 0);
    sal_result *r = identify("delay='.036'", "", &err);
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    CHECK(off(r, "damping", .05) < 3 && off(r, "mass", .8) < 3);
    if (e != NULL) {
        const sal_identification_recording *rec = e->recording;
        CHECK(isnan(rec->fitted[3 * e->nvalue]) && !isnan(rec->fitted[4 * e->nvalue]));
        CHECK(!isnan(rec->fitted[(rec->nsample - 1) * e->nvalue]));
    }
    make_late(.036, 4);
    sal_result *empty = identify("delay='.036'", "", &err);
    const sal_identification_result *same = empty == NULL ? NULL : sal_identification_of(empty);
    CHECK(e != NULL && same != NULL && e->freedom == same->freedom);
    CHECK(r != NULL && empty != NULL && fabs(r->cost / empty->cost - 1) < .02);
    sal_result_free(r);
    sal_result_free(empty);
}

/* What was measured early is of a time behind the end of the motion, at last. */
static void samples_behind_the_motion_are_left_out(void)
{
    sal_err err = {0};
    make_late(-.036, 0);
    sal_result *r = identify("delay='-.036'", "", &err);
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    CHECK(off(r, "damping", .05) < 3 && off(r, "mass", .8) < 3);
    if (e != NULL) {
        const sal_identification_recording *rec = e->recording;
        CHECK(!isnan(rec->fitted[0]) && !isnan(rec->fitted[(rec->nsample - 5) * e->nvalue]));
        CHECK(isnan(rec->fitted[(rec->nsample - 4) * e->nvalue]));
    }
    sal_result_free(r);
}

/* A delay that is sought, from near and from far. */
static void a_delay_is_found(void)
{
    static const struct {
        double delay;
        const char *from;
        bool said;
    } cases[] = {{.006, "0", false}, {.036, ".03", false}, {.036, "0", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_err err = {0};
        char parameter[200];
        make_late(cases[i].delay, 0);
        snprintf(parameter, sizeof parameter,
                 "<parameter name='delay' path='channel[q]/delay' value='%s'/>", cases[i].from);
        sal_result *r = identify("", parameter, &err);
        const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
        if (!cases[i].said) {
            CHECK(off(r, "delay", cases[i].delay) < 3);
            CHECK(off(r, "damping", .05) < 3 && off(r, "mass", .8) < 3);
        }
        const bool said =
            e != NULL && e->nsentence > 0 &&
            strstr(e->sentence[0], "delay of channel 'q' was sought from 0 s") != NULL;
        CHECK(e != NULL && said == cases[i].said);
        sal_result_free(r);
    }
}

/* What is held out is predicted from its first samples that are compared: as many as without. */
static void predictions_begin_where_something_is_compared(void)
{
    static const char *const cases[][2] = {{"delay='.1'", ""},
                                           {"", "<parameter name='delay' path='channel[q]/delay' "
                                                "value='.096'/>"}};
    for (size_t i = 0; i < 2; i++) {
        sal_err err = {0};
        make_late(.1, 0);
        held_out = "holdout='.3' rollout='all'";
        sal_result *r = identify(cases[i][0], cases[i][1], &err);
        held_out = "";
        const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
        CHECK(e != NULL);
        for (int k = 0; e != NULL && k < e->nrecording; k++) {
            const sal_identification_recording *rec = e->recording + k;
            CHECK(isnan(rec->predicted[8 * e->nvalue]));
            CHECK(fabs(rec->predicted[30 * e->nvalue] - rec->measured[30 * e->nvalue]) < .02);
            CHECK(fabs(rec->predicted[140 * e->nvalue] - rec->measured[140 * e->nvalue]) < .05);
        }
        sal_result_free(r);
    }
}

static void delays_in_other_units_are_refused(void)
{
    sal_err err = {0};
    make_late(.006, 0);
    CHECK(identify("delay='6'", "", &err) == NULL && err.code == SAL_BADINPUT);
    CHECK_TEXT(err.message, "the delay of channel 'q' is 6 s, but recording 'swing_0' lasts 1.49 "
                            "s; delays are in seconds");
    CHECK(identify("", "<parameter name='delay' path='channel[q]/delay' value='6'/>", &err) ==
          NULL);
    CHECK(strstr(err.message, "the delay of channel 'q' is 6 s") != NULL);
}

int main(void)
{
    RUN(samples_before_the_motion_are_left_out);
    RUN(samples_behind_the_motion_are_left_out);
    RUN(a_delay_is_found);
    RUN(predictions_begin_where_something_is_compared);
    RUN(delays_in_other_units_are_refused);
    files_remove();
    return check_done();
}
