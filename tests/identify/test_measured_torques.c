/* What actuators do was measured beside the motion: it is that of the recorded controls, at the
 * instants of the samples, and tells the gains of a servo. */
#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "base/rng.h"
#include "identify/identify.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

static const char model[] =
    "<mujoco><option timestep='.002'/><worldbody>"
    "<body name='link'><joint name='q' axis='0 1 0' damping='.05'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03' mass='.8'/></body>"
    "<body name='wheel' pos='0 1 0'><joint name='p' axis='0 1 0' damping='.1'/>"
    "<geom type='cylinder' size='.1 .02' euler='90 0 0' mass='2'/></body></worldbody>"
    "<tendon><fixed name='belt'><joint joint='p' coef='.5'/></fixed></tendon>"
    "<actuator><position name='servo' joint='q' kp='12' kv='.5'/>"
    "<motor name='drive' tendon='belt' gear='3'/></actuator>"
    "<sensor><actuatorfrc name='torque' actuator='servo'/>"
    "<jointactuatorfrc name='shaft' joint='p'/>"
    "<tendonactuatorfrc name='pull' tendon='belt'/>"
    "<actuatorfrc name='cut' actuator='servo' cutoff='1'/><clock name='clock'/></sensor></mujoco>";

enum { SAMPLES = 120, RECORDINGS = 4, SUB = 5 };

static const double DT = .01, NOISE = 1e-3;

static double wave(int which, int index, double t)
{
    const double phase = index + 3 * which;
    return .7 * sin(6 * t + phase) + .4 * sin(17 * t + 2 * phase);
}

static void record(const sal_model *m, int index)
{
    sal_data *d = NULL;
    sal_err err;
    sal_text text = {0};
    sal_rng rng = {(uint64_t)index + 5};
    char name[40];
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_text_add(&text, "t,q,p,u,w,torque,shaft,pull\n");
    for (int k = 0; k < SAMPLES; k++) {
        for (int i = 0; i < 2; i++) {
            d->ctrl[i] = wave(i, index, k * DT);
        }
        CHECK_OK(sal_forward(m, d, &err), err);
        sal_text_format(&text, "%.9g", k * DT);
        for (int i = 0; i < 2; i++) {
            sal_text_format(&text, ",%.9g", d->qpos[i] + NOISE * sal_rng_normal(&rng));
        }
        sal_text_format(&text, ",%.17g,%.17g", d->ctrl[0], d->ctrl[1]);
        for (int i = 0; i < 3; i++) {
            sal_text_format(&text, ",%.9g", d->sensordata[i] + .01 * sal_rng_normal(&rng));
        }
        sal_text_add(&text, "\n");
        for (int s = 0; s < SUB; s++) {
            CHECK_OK(sal_step(m, d, &err), err);
        }
    }
    snprintf(name, sizeof name, "run_%d.csv", index);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    sal_data_free(d);
}

static void make(void)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err;
    files_write("arm.xml", model, strlen(model));
    CHECK_OK(sal_model_load(&m, files_path("arm.xml"), NULL, &diag, &err), err);
    for (int i = 0; i < RECORDINGS && m != NULL; i++) {
        record(m, i);
    }
    sal_model_free(m);
    sal_diag_clear(&diag);
}

static const char channels[] =
    "<channel name='torque' sensor='torque' columns='torque' sigma='.01'/>"
    "<channel name='shaft' sensor='shaft' columns='shaft' sigma='.01'/>"
    "<channel name='pull' sensor='pull' columns='pull' sigma='.01'/>";
static const char controls[] = "<channel name='u' ctrl='servo' columns='u'/>"
                               "<channel name='w' ctrl='drive' columns='w'/>";

static sal_status read_with(sal_identification **p, const char *measured, const char *known,
                            const char *estimate, sal_diag *diag, sal_err *err)
{
    char text[3000];
    snprintf(text, sizeof text,
             "<problem name='p'><model file='arm.xml'/><data file='run_*.csv' time='t'>"
             "<channel name='q' joint='q' columns='q' sigma='.001'/>"
             "<channel name='p' joint='p' columns='p' sigma='.001'/>%s%s</data>"
             "<parameter name='kp' path='position[servo]/kp' map='log' value='8'/>"
             "<parameter name='kv' path='position[servo]/kv' map='log' value='.3'/>"
             "<parameter name='mass' path='body[link]/mass' map='log' value='1'/>%s</problem>",
             measured, known, estimate);
    files_write("p.xml", text, strlen(text));
    return sal_identification_read(p, files_path("p.xml"), NULL, diag, err);
}

static const char estimate[] =
    "<estimate sigma='.002' unit='force' norm='quadratic' substeps='5'/>";

static sal_result *identify(int threads)
{
    sal_identification *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(read_with(&p, channels, controls, estimate, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_identification_solve(&r, p, threads, NULL, &err), err);
    }
    sal_identification_free(p);
    sal_diag_clear(&diag);
    return r;
}

static void gains_of_a_servo_are_found(void)
{
    static const double truth[] = {12, .5, .8}, at_most[] = {.01, .02, .01};
    sal_result *r = identify(2), *alone = identify(1);
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    CHECK(e != NULL && e->nparameter == 3);
    for (int k = 0; e != NULL && k < e->nparameter; k++) {
        const double off = fabs(e->parameter[k].value - truth[k]), se = e->parameter[k].se;
        CHECK(off < 3.5 * se && se < at_most[k] * truth[k]);
    }
    CHECK(r != NULL && alone != NULL && r->cost == alone->cost);
    sal_result_free(r);
    sal_result_free(alone);
}

static void refused(const char *measured, const char *known, const char *text, const char *said)
{
    sal_identification *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK(read_with(&p, measured, known, text, &diag, &err) != SAL_OK);
    CHECK(diag.nerror > 0 && strstr(diag.first, said) != NULL);
    sal_identification_free(p);
    sal_diag_clear(&diag);
}

static void what_is_no_channel_is_said(void)
{
    static const char kinematic[] = "<estimate><stage dynamics='kinematic'/></estimate>";
    refused("<channel name='c' sensor='cut' columns='torque' sigma='1'/>", controls, estimate,
            "channel 'c': sensor 'cut' has a cutoff, which hides forces");
    refused("<channel name='c' sensor='clock' columns='t' sigma='1'/>", controls, estimate,
            "sensor 'clock' is a clock sensor, which the motion does not change");
    refused(channels, "", kinematic, "the controls of actuator 'servo' are not given");
}

/* A motion that is searched for has no controls before it is found. */
static void no_term_follows_them(void)
{
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    static const char text[] =
        "<problem name='p'><model file='arm.xml'/><time nstep='20' duration='.2'/>"
        "<data file='run_0.csv' time='t'>"
        "<channel name='torque' sensor='torque' columns='torque' sigma='.01'/></data>"
        "<cost><term name='follow' data='all'/></cost></problem>";
    files_write("f.xml", text, strlen(text));
    CHECK(sal_problem_read(&p, files_path("f.xml"), NULL, &diag, &err) != SAL_OK);
    CHECK(diag.nerror > 0 &&
          strstr(diag.first, "sensor 'torque' depends on the controls, which are computed after "
                             "the motion") != NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

int main(void)
{
    make();
    RUN(gains_of_a_servo_are_found);
    RUN(what_is_no_channel_is_said);
    RUN(no_term_follows_them);
    files_remove();
    return check_done();
}
