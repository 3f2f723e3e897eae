/* Estimates from recordings that the mechanics themselves made, without noise: what comes out is
 * what went in. */
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "base/rng.h"
#include "identify/identify.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

/* Two links, the second pushed at its end. */
static const char model[] =
    "<mujoco><compiler angle='radian'/><option timestep='.005' gravity='0 0 "
    "-9.81'/><worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 -5' "
    "friction='2'/><body name='upper' pos='0 0 1'>"
    "<joint name='shoulder' axis='0 1 0' damping='.1'/><geom type='capsule' fromto='0 0 0 0 0 -.4' "
    "size='.03' "
    "mass='1.5'/>"
    "<body name='lower' pos='0 0 -.4'><joint name='elbow' axis='0 1 0' damping='.05'/>"
    "<geom name='lower' type='capsule' fromto='0 0 0 0 0 -.3' size='.03' "
    "mass='.8'/></body></body></worldbody></mujoco>";

enum { SAMPLES = 80, RECORDINGS = 3 };

/* How a recording of `angle` is disturbed */
typedef struct instrument {
    double scale, offset, noise;
    int late; /* samples */
    /* rad: every tenth sample of the elbow is off by this */
    double wrong;
} instrument;

static double normal(sal_rng *rng)
{
    const double u = sal_rng_uniform(rng, 1e-12, 1), v = sal_rng_uniform(rng, 0, 6.283185307179586);
    return sqrt(-2 * log(u)) * cos(v);
}

/* A force that swings, at the end of the lower link, as force and moment at its middle. */
static void push(const sal_model *m, sal_data *d, double time, double x[6])
{
    const int body = sal_model_find(m, SAL_OBJ_BODY, "lower");
    const double *R = d->xmat + 9 * body, end[3] = {0, 0, -.3};
    x[0] = 4 * sin(7 * time), x[1] = 0, x[2] = 3 * cos(5 * time);
    for (int i = 0; i < 3; i++) {
        x[3 + i] = d->xpos[3 * body + i] + R[3 * i] * end[0] + R[3 * i + 1] * end[1] +
                   R[3 * i + 2] * end[2];
    }
    double arm[3];
    sal_v3_sub(arm, x + 3, d->xipos + 3 * body);
    memcpy(d->xfrc_applied + 6 * body, x, 3 * sizeof(double));
    sal_v3_cross(d->xfrc_applied + 6 * body + 3, arm, x);
}

static void record(const sal_model *m, int index, bool pushed, const instrument *how)
{
    double angle[SAMPLES][2], force[SAMPLES][6];
    sal_data *d = NULL;
    sal_err err;
    sal_text text = {0};
    sal_rng rng = {(uint64_t)index + 1};
    char name[40];
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[0] = .9 - .5 * index;
    d->qpos[1] = -.6 + .4 * index;
    for (int k = 0; k < SAMPLES; k++) {
        memcpy(angle[k], d->qpos, sizeof angle[k]);
        sal_kinematics(m, d);
        sal_com(m, d);
        memset(force[k], 0, sizeof force[k]);
        if (pushed) {
            push(m, d, k * m->opt.timestep, force[k]);
        }
        CHECK_OK(sal_step(m, d, &err), err);
    }
    sal_text_add(&text, "shoulder,elbow,fx,fy,fz,px,py,pz\n");
    for (int k = 0; k < SAMPLES; k++) {
        const int from = k - how->late > 0 ? k - how->late : 0;
        sal_text_format(&text, "%.15g,%.15g",
                        how->scale * angle[from][0] + how->offset + how->noise * normal(&rng),
                        angle[k][1] + how->noise * normal(&rng) + (k % 10 == 5 ? how->wrong : 0));
        for (int i = 0; i < 6; i++) {
            sal_text_format(&text, ",%.15g", force[k][i]);
        }
        sal_text_add(&text, "\n");
    }
    snprintf(name, sizeof name, "swing_%d.csv", index);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    sal_data_free(d);
}

static void make(bool pushed, const instrument *how)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err;
    files_write("arm.xml", model, strlen(model));
    CHECK_OK(sal_model_load(&m, files_path("arm.xml"), NULL, &diag, &err), err);
    for (int i = 0; i < RECORDINGS && m != NULL; i++) {
        record(m, i, pushed, how);
    }
    sal_model_free(m);
    sal_diag_clear(&diag);
}

static const char force_channel[] =
    "<channel name='push' force='lower' columns='fx fy fz px py pz'/>";

/* what the channel of the elbow says besides its sigma */
static const char *elbow = "";

static sal_identification *read_problem(const char *extra, const char *parameters,
                                        const char *estimate)
{
    char text[4000];
    sal_identification *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='p'><model file='arm.xml'/><data file='swing_*.csv' rate='200' up='z' "
             "from='%s'>"
             "<channel name='shoulder' joint='shoulder' columns='shoulder' sigma='1e-4'/>"
             "<channel name='elbow' joint='elbow' columns='elbow' "
             "sigma='1e-4' %s/>%s</data>%s<estimate %s</estimate></problem>",
             "0", elbow, extra, parameters, estimate);
    files_write("p.xml", text, strlen(text));
    const sal_status status = sal_identification_read(&p, files_path("p.xml"), NULL, &diag, &err);
    if (status != SAL_OK) {
        check_case_faults++;
        printf("%s\n", diag.text.data == NULL ? err.message : diag.text.data);
    }
    sal_diag_clear(&diag);
    return p;
}

static sal_result *solve(sal_identification *p, int nthread)
{
    sal_result *r = NULL;
    sal_err err = {0};
    if (p != NULL) {
        CHECK_OK(sal_identification_solve(&r, p, nthread, NULL, &err), err);
    }
    sal_identification_free(p);
    return r;
}

static double value_of(const sal_result *r, const char *name)
{
    for (int k = 0; r != NULL && k < sal_identification_of(r)->nparameter; k++) {
        if (strcmp(sal_identification_of(r)->parameter[k].name, name) == 0) {
            return sal_identification_of(r)->parameter[k].value;
        }
    }
    return (double)NAN;
}

static const instrument exact = {.scale = 1};
static const char mass[] =
    "<parameter name='mass' path='body[lower]/mass' map='log' value='.5'/>"
    "<parameter name='damping' path='joint[elbow]/damping' map='log' value='.2'/>";

/* Numbers of a simulation, fitted to their last digits: no step lowers the cost any more, and
 * standard errors are rounding. That is no search that stalled. */
static void data_without_noise_are_fitted_to_the_end(void)
{
    make(true, &exact);
    sal_result *r = solve(read_problem(force_channel, mass, "sigma='.001' unit='force'>"), 2);
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    CHECK(e != NULL && r->exit_code == 0 && strcmp(r->status, "converged") == 0);
    CHECK(e != NULL && e->newton == 0 && sqrt(e->chi2 / e->freedom) < 1e-9);
    for (int k = 0; e != NULL && k < e->nsentence; k++) {
        CHECK(strstr(e->sentence[k], "converged") == NULL);
    }
    sal_result_free(r);
}

/* A measured force says how heavy what it pushes is, and leaves nothing unexplained; without it
 * nothing fits. */
static void measured_forces_explain_what_they_push(void)
{
    make(true, &exact);
    sal_result *r = solve(read_problem(force_channel, mass, "sigma='.001' unit='force'>"), 2);
    CHECK_NEAR(value_of(r, "mass"), .8, 1e-5);
    CHECK_NEAR(value_of(r, "damping"), .05, 1e-5);
    for (int t = 1; r != NULL && t + 1 < sal_identification_of(r)->recording[0].nstep; t++) {
        CHECK(fabs(sal_identification_of(r)->recording[0].unexplained[2 * t + 1]) < 1e-3);
    }
    const double with = r == NULL ? 0 : r->cost;
    sal_result_free(r);
    /* not to its end: the damping that fits best then is none */
    r = solve(read_problem("", mass, "sigma='.001' unit='force' maxiter='41'>"), 2);
    CHECK(r != NULL && r->cost > 1e3 * (with + 1));
    sal_result_free(r);
}

/* Eight samples of the elbow are wrong by 60 sigma: who tolerates outliers in this channel finds
 * what is true, who does not is misled. */
static void wrong_samples_are_tolerated_where_asked(void)
{
    const instrument flawed = {.scale = 1, .wrong = .006};
    static const char how[] = "sigma='.001' unit='force' norm='quadratic'>";
    make(true, &flawed);
    sal_result *r = solve(read_problem(force_channel, mass, how), 2);
    const double misled = fabs(value_of(r, "damping") - .05);
    sal_result_free(r);
    elbow = "norm='cauchy' p='2'";
    r = solve(read_problem(force_channel, mass, how), 2);
    elbow = "";
    const double tolerant = fabs(value_of(r, "damping") - .05);
    CHECK_NEAR(value_of(r, "mass"), .8, 1e-3);
    printf("     damping off by %.2g, tolerant %.2g\n", misled, tolerant);
    CHECK(tolerant < 1e-6 && misled > 20 * tolerant);
    sal_result_free(r);
}

/* One way to say what each joint's sigma is, and others to say the same. */
static void sigma_is_of_each_joint(void)
{
    static const char range[] = "<override path='joint[elbow]/actuatorfrcrange' value='-4 3'/>";
    static const struct {
        const char *extra, *estimate;
    } same[] = {
        {"", "sigma='.002' unit='force'><sigma joint='shoulder' value='.004'/>"},
        {"", "sigma='.004' unit='force'><sigma joint='elbow' value='.002'/>"},
        {"", "sigma='.005' unit='force'><sigma joint='all' value='.004'/>"
             "<sigma joint='elbow' value='.002'/>"},
        {range, "sigma='.004' unit='force'><sigma joint='elbow' value='.0005' of='range'/>"},
        {range, "sigma='.004' unit='force'><sigma joint='all' value='.0005' of='range'/>"},
    };
    const instrument noisy = {.scale = 1, .noise = 1e-4};
    make(true, &noisy);
    double cost = (double)NAN, found = (double)NAN;
    sal_result *r = solve(read_problem(force_channel, mass, "sigma='.004' unit='force'>"), 2);
    const double other = r == NULL ? 0 : r->cost;
    sal_result_free(r);
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        char parameters[1000];
        snprintf(parameters, sizeof parameters, "%s%s", mass, same[k].extra);
        r = solve(read_problem(force_channel, parameters, same[k].estimate), 2);
        cost = k == 0 && r != NULL ? r->cost : cost;
        found = k == 0 ? value_of(r, "mass") : found;
        CHECK(r != NULL && fabs(r->cost / cost - 1) < 1e-9);
        CHECK_NEAR(value_of(r, "mass") / found, 1, 1e-7);
        sal_result_free(r);
    }
    CHECK(cost > 1.001 * other); /* the elbow is trusted more than before */
}

/* The last stage has as many iterations as it needs; with fewer, or where it ends too early, it is
 * said that it did. */
static void the_search_comes_to_its_end(void)
{
    static const struct {
        const char *estimate, *status;
        int code;
    } cases[] = {
        {"sigma='.001' unit='force'>", "converged", 0},
        {"sigma='.001' unit='force' maxiter='12'>", "iteration limit", 1},
        {"sigma='.001' unit='force'><stage sigma='.01'/><stage/>", "converged", 0},
        {"sigma='.001' unit='force'><stage sigma='.01' maxiter='1'/><stage/>", "converged", 0},
        {"sigma='.001' unit='force'><stage sigma='.01' maxiter='1'/><stage maxiter='2'/>",
         "iteration limit", 1},
        {"sigma='.001' unit='force'><stage sigma='.01' maxiter='1'/><stage tolerance='1'/>",
         "stalled", 1},
    };
    const instrument noisy = {.scale = 1, .noise = 1e-4};
    make(true, &noisy);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sal_result *r = solve(read_problem(force_channel, mass, cases[k].estimate), 2);
        CHECK(r != NULL);
        if (r != NULL) {
            printf("     %s after %d iterations, cost %.10g, mass %.6g\n", r->status, r->niteration,
                   r->cost, value_of(r, "mass"));
            CHECK_TEXT(r->status, cases[k].status);
            CHECK(r->exit_code == cases[k].code);
            CHECK(strstr(cases[k].estimate, "maxiter='12'") == NULL || r->niteration <= 12);
        }
        sal_result_free(r);
    }
}

/* Clocks that are late, gauges that are stretched and shifted. */
static void instruments_are_calibrated(void)
{
    const instrument crooked = {.scale = 1.1, .offset = .04, .late = 2};
    make(false, &crooked);
    sal_result *r =
        solve(read_problem("",
                           "<parameter name='scale' path='channel[shoulder]/scale' value='1'/>"
                           "<parameter name='offset' path='channel[shoulder]/offset' value='0'/>"
                           "<parameter name='delay' path='channel[shoulder]/delay' value='.004'/>",
                           "sigma='.01'>"),
              2);
    CHECK_NEAR(value_of(r, "scale"), 1.1, 2e-3);
    CHECK_NEAR(value_of(r, "offset"), .04, 2e-3);
    CHECK_NEAR(value_of(r, "delay"), .01, 2e-4);
    sal_result_free(r);
}

/* Without noise the data may be taken for the motion; with noise that is differentiated twice they
 * may not. */
static void noise_is_no_force(void)
{
    const instrument noisy = {.scale = 1, .noise = 1e-4};
    make(false, &exact);
    sal_result *r = solve(
        read_problem("", mass, "method='fixed' sigma='.001' unit='force' norm='quadratic'>"), 2);
    CHECK_NEAR(value_of(r, "damping"), .05, 1e-6);
    sal_result_free(r);
    make(false, &noisy);
    r = solve(read_problem("", mass, "method='fixed' sigma='.001' unit='force' norm='quadratic'>"),
              2);
    const double fixed = fabs(value_of(r, "damping") - .05);
    sal_result_free(r);
    r = solve(read_problem("", mass, "sigma='.001' unit='force' norm='quadratic'>"), 2);
    const double full = fabs(value_of(r, "damping") - .05);
    CHECK(full < .02 * .05 && fixed > 3 * full);
    sal_result_free(r);
}

static void what_nothing_feels_is_an_error(void)
{
    make(false, &exact);
    sal_identification *p = read_problem(
        "", "<parameter name='rub' path='geom[floor]/friction[0]' map='log' value='3'/>",
        "sigma='.3'>");
    sal_result *r = NULL;
    sal_err err = {0};
    CHECK(p != NULL && sal_identification_solve(&r, p, 1, NULL, &err) != SAL_OK);
    CHECK(strstr(err.message, "'rub'") != NULL && strstr(err.message, "no effect") != NULL);
    sal_result_free(r);
    sal_identification_free(p);
}

/* Prediction with what was found is that of the fit itself; with other values it is another. */
static void given_parameters_predict(void)
{
    static const char how[] = "sigma='.001' unit='force' rollout='all'>";
    const instrument noisy = {.scale = 1, .noise = 1e-4};
    make(true, &noisy);
    sal_identification *p = read_problem(force_channel, mass, how);
    sal_result *fit = solve(read_problem(force_channel, mass, how), 2), *given = NULL,
               *found = NULL;
    sal_err err = {0};
    if (p != NULL && fit != NULL) {
        CHECK_OK(sal_identification_predict(&given, p, 2, &err), err);
        CHECK_OK(sal_identification_take(p, sal_identification_of(fit), &err), err);
        CHECK_OK(sal_identification_predict(&found, p, 2, &err), err);
    }
    for (int i = 0; i < RECORDINGS && given != NULL && found != NULL; i++) {
        const double by_fit = sal_identification_of(fit)->recording[i].channel_predicted[0],
                     by_found = sal_identification_of(found)->recording[i].channel_predicted[0],
                     by_given = sal_identification_of(given)->recording[i].channel_predicted[0];
        CHECK(by_fit > 0 && fabs(by_found / by_fit - 1) < 1e-6 && by_given > 10 * by_fit);
        CHECK(sal_identification_of(found)->recording[i].held == 1);
    }
    CHECK(given != NULL && given->exit_code == 0 && value_of(given, "mass") == .5);
    if (p != NULL && fit != NULL) {
        sal_identification *other =
            read_problem(force_channel, "<parameter name='tip' path='body[lower]/mass'/>", how);
        CHECK(other != NULL &&
              sal_identification_take(other, sal_identification_of(fit), &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, "no parameter 'tip'") != NULL);
        sal_identification_free(other);
    }
    sal_result_free(given);
    sal_result_free(found);
    sal_result_free(fit);
    sal_identification_free(p);
}

static void predictions_run_out_of_memory(void)
{
    make(true, &exact);
    sal_identification *p = read_problem(force_channel, mass, "sigma='.001' unit='force'>");
    int n = 0;
    for (bool all = p == NULL; !all && n < 100000; n++) {
        sal_result *r = NULL;
        sal_err err = {0};
        memory_fails_at(n + 1);
        const sal_status status = sal_identification_predict(&r, p, 1, &err);
        all = memory_was_enough(n + 1);
        CHECK(status == SAL_OK || status == SAL_NOMEM);
        CHECK(!all || status == SAL_OK);
        sal_result_free(r);
    }
    printf("     %d allocations\n", n);
    CHECK(n > 100);
    sal_identification_free(p);
}

static void threads_do_not_change_a_bit(void)
{
    make(true, &exact);
    sal_result *one = solve(read_problem(force_channel, mass, "sigma='.001' unit='force'>"), 1),
               *three = solve(read_problem(force_channel, mass, "sigma='.001' unit='force'>"), 3);
    CHECK(one != NULL && three != NULL && one->cost == three->cost &&
          value_of(one, "mass") == value_of(three, "mass"));
    sal_result_free(one);
    sal_result_free(three);
}

/* Where a marker is on its body is found from recordings of places, also where nothing but that is
 * unknown: the mechanism that was recorded had it elsewhere than the file says. */
static void markers_are_found_on_their_bodies(void)
{
    static const char here[] = "<site name='tip' pos='0 0 -.2'/></body></body>",
                      there[] = "<site name='tip' pos='.02 .05 -.28'/></body></body>",
                      bodies[] = "mass='.8'/><site name='mid' pos='.03 0 -.1'/></body></body>",
                      marked[] = "mass='1.5'/><site name='high' pos='.03 0 -.1'/>";
    static const char problem[] =
        "<problem name='p'><model file='marked.xml'/><data file='places.csv' rate='50' up='z'>"
        "<channel name='high' site='high' columns='high.x high.y high.z' sigma='.001'/>"
        "<channel name='mid' site='mid' columns='mid.x mid.y mid.z' sigma='.001'/>"
        "<channel name='tip' site='tip' columns='tip.x tip.y tip.z' sigma='.001'/></data>"
        "<parameter name='tip' path='site[tip]/pos'/>"
        "<estimate><stage dynamics='kinematic' sigma='1e5'/></estimate></problem>";
    const char *marks = files_replace(files_replace(model, "mass='1.5'/>", marked),
                                      "mass='.8'/></body></body>", bodies);
    const char *was = files_replace(marks, "</body></body>", there),
               *says = files_replace(marks, "</body></body>", here);
    sal_text text = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_identification *i = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("was.xml", was, strlen(was));
    files_write("marked.xml", says, strlen(says));
    CHECK_OK(sal_model_load(&m, files_path("was.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_text_add(&text, "high.x,high.y,high.z,mid.x,mid.y,mid.z,tip.x,tip.y,tip.z\n");
    for (int k = 0; k < 20; k++) {
        d->qpos[0] = .5 * sin(.3 * k), d->qpos[1] = .8 * cos(.2 * k);
        sal_kinematics(m, d);
        for (int n = 0; n < 9; n++) {
            sal_text_format(&text, "%.15g%s", d->site_xpos[n], n < 8 ? "," : "\n");
        }
    }
    files_write("places.csv", text.data, text.length);
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_identification_read(&i, files_path("p.xml"), NULL, &diag, &err), err);
    sal_result *r = solve(i, 1);
    CHECK_NEAR(value_of(r, "tip[0]"), .02, 1e-6);
    CHECK_NEAR(value_of(r, "tip[1]"), .05, 1e-6);
    CHECK_NEAR(value_of(r, "tip[2]"), -.28, 1e-6);
    sal_result_free(r);
    sal_data_free(d);
    sal_model_free(m);
    sal_text_clear(&text);
    sal_diag_clear(&diag);
}

#ifdef SANITIZED
enum { EVERY = 6 };
#else
enum { EVERY = 1 };
#endif

static void memory_runs_out(void)
{
    make(true, &exact);
    sal_identification *p = read_problem(
        force_channel, mass, "sigma='.001' unit='force' holdout='.4'><stage maxiter='2'/>");
    int n = 0;
    for (bool all = p == NULL; !all && n < 100000; n += EVERY) {
        sal_result *r = NULL;
        sal_err err = {0};
        memory_fails_at(n + 1);
        const sal_status status = sal_identification_solve(&r, p, 1, NULL, &err);
        all = memory_was_enough(n + 1);
        if (status != SAL_OK && status != SAL_NOMEM) {
            check_case_faults++;
            printf("allocation %d: %s\n", n + 1, err.message);
        }
        sal_result_free(r);
    }
    printf("     %d allocations\n", n);
    CHECK(n > 100);
    sal_identification_free(p);
}

int main(void)
{
    RUN(data_without_noise_are_fitted_to_the_end);
    RUN(measured_forces_explain_what_they_push);
    RUN(wrong_samples_are_tolerated_where_asked);
    RUN(sigma_is_of_each_joint);
    RUN(the_search_comes_to_its_end);
    RUN(instruments_are_calibrated);
    RUN(noise_is_no_force);
    RUN(what_nothing_feels_is_an_error);
    RUN(given_parameters_predict);
    RUN(predictions_run_out_of_memory);
    RUN(threads_do_not_change_a_bit);
    RUN(markers_are_found_on_their_bodies);
    RUN(memory_runs_out);
    files_remove();
    return check_done();
}
