/* Standard errors from fits of other sets of recordings, against closed formulas: motions are held
 * at the data, so that an instrument's offset and scale are a regression, which can be done without
 * each cluster by hand. */
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "base/rng.h"
#include "identify/identify.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

static const char model[] =
    "<mujoco><compiler angle='radian'/><option timestep='.01'/><worldbody><body>"
    "<joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03' "
    "mass='1'/></body></worldbody><sensor><jointpos name='seen' joint='hinge'/></sensor></mujoco>";

enum { RECORDINGS = 12, MOST = 30 };
static const double SIGMA = .02;

/* what was written: angles, what the instrument read of them, which recordings belong together */
static double angle[RECORDINGS][MOST], seen[RECORDINGS][MOST];
static int length[RECORDINGS], cluster[RECORDINGS];

/* Each recording has an offset of its own beside the noise of its samples: they differ by more than
 * that noise. */
static void write_recordings(bool alike, int a_cluster)
{
    sal_rng rng = {7};
    sal_text index = {0};
    files_write("m.xml", model, strlen(model));
    sal_text_add(&index, "file,group\n");
    for (int i = 0; i < RECORDINGS; i++) {
        char name[40];
        sal_text text = {0};
        const double own = .05 * sal_rng_normal(&rng);
        length[i] = alike ? MOST : 10 + 7 * i % 20;
        cluster[i] = i / a_cluster;
        sal_text_add(&text, "q,s\n");
        for (int k = 0; k < length[i]; k++) {
            angle[i][k] = sin(.2 * k + i);
            seen[i][k] = 1.1 * angle[i][k] + .3 + own + SIGMA * sal_rng_normal(&rng);
            sal_text_format(&text, "%.17g,%.17g\n", angle[i][k], seen[i][k]);
        }
        snprintf(name, sizeof name, "r_%02d.csv", i);
        files_write(name, text.data, text.length);
        sal_text_format(&index, "%s,g%d\n", name, cluster[i]);
        sal_text_clear(&text);
    }
    files_write("index.csv", index.data, index.length);
    sal_text_clear(&index);
}

static const char offset[] = "<parameter name='offset' path='channel[seen]/offset' value='0'/>";
static const char both[] = "<parameter name='offset' path='channel[seen]/offset' value='0'/>"
                           "<parameter name='scale' path='channel[seen]/scale' value='1'/>";

/* NULL: refused, as the text in *why says. */
static sal_identification *read_problem(const char *parameters, const char *estimate, sal_text *why)
{
    char text[2000];
    sal_identification *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='p'><model file='m.xml'/>"
             "<data index='index.csv' cluster='group' rate='50'>"
             "<channel name='q' joint='hinge' columns='q' sigma='1e-3'/>"
             "<channel name='seen' sensor='seen' columns='s' sigma='%g'/></data>%s"
             "<estimate method='fixed' sigma='1e4' unit='force' norm='quadratic' %s/></problem>",
             SIGMA, parameters, estimate);
    files_write("p.xml", text, strlen(text));
    const sal_status status = sal_identification_read(&p, files_path("p.xml"), NULL, &diag, &err);
    if (why != NULL) {
        sal_text_add(why, diag.text.data == NULL ? "" : diag.text.data);
    } else if (status != SAL_OK) {
        check_case_faults++;
        printf("%s\n", diag.text.data == NULL ? err.message : diag.text.data);
    }
    sal_diag_clear(&diag);
    return p;
}

static sal_result *solve(const char *parameters, const char *estimate, int nthread,
                         const sal_watch *watch)
{
    sal_identification *p = read_problem(parameters, estimate, NULL);
    sal_result *r = NULL;
    sal_err err = {0};
    if (p != NULL) {
        CHECK_OK(sal_identification_solve(&r, p, nthread, watch, &err), err);
    }
    sal_identification_free(p);
    return r;
}

/* Least squares of seen = scale angle + offset over all clusters but one (-1: over all); the scale
 * is 1 where only the offset is sought. A prior on the offset, 0 with this weight. */
static void regress(bool only_offset, double weight, int without, double found[2])
{
    double n = weight * SIGMA * SIGMA, x = 0, xx = 0, y = 0, xy = 0;
    for (int i = 0; i < RECORDINGS; i++) {
        for (int k = 0; k < length[i] && cluster[i] != without; k++) {
            n += 1;
            x += angle[i][k];
            xx += angle[i][k] * angle[i][k];
            y += seen[i][k];
            xy += angle[i][k] * seen[i][k];
        }
    }
    found[1] = only_offset ? 1 : (n * xy - x * y) / (n * xx - x * x);
    found[0] = (y - found[1] * x) / n;
}

/* (G - 1)/G sum (a_c - mean)^2 */
static void jackknife(bool only_offset, double weight, int G, double error[2])
{
    double a[RECORDINGS][2], mean[2] = {0}, sum[2] = {0};
    for (int c = 0; c < G; c++) {
        regress(only_offset, weight, c, a[c]);
        for (int i = 0; i < 2; i++) {
            mean[i] += a[c][i] / G;
        }
    }
    for (int c = 0; c < G; c++) {
        for (int i = 0; i < 2; i++) {
            sum[i] += (a[c][i] - mean[i]) * (a[c][i] - mean[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        error[i] = sqrt((G - 1.) / G * sum[i]);
    }
}

static void is_a_jackknife(const char *parameters, int n, int G)
{
    double value[2], error[2];
    sal_result *r = solve(parameters, "errors='jackknife'", 1, NULL);
    regress(n == 1, 0, -1, value);
    jackknife(n == 1, 0, G, error);
    if (r != NULL) {
        const sal_identification_result *e = sal_identification_of(r);
        CHECK(e->resampling == SAL_RESAMPLING_JACKKNIFE && e->nresample == G && e->resamples == G &&
              e->ncluster == G);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(e->parameter[i].value, value[i], 1e-6 * error[i]);
            CHECK_NEAR(e->parameter[i].se_resampled, error[i], 1e-5 * error[i]);
        }
    }
    sal_result_free(r);
}

static void errors_are_those_of_a_jackknife(void)
{
    write_recordings(false, 1);
    is_a_jackknife(offset, 1, RECORDINGS);
    is_a_jackknife(both, 2, RECORDINGS);
}

/* Recordings of a cluster are left out together. */
static void clusters_are_left_out_as_a_whole(void)
{
    write_recordings(false, 2);
    is_a_jackknife(offset, 1, RECORDINGS / 2);
    is_a_jackknife(both, 2, RECORDINGS / 2);
}

/* Its part of the error is w/(n/sigma^2 + w)^2, by which the fits do not differ. */
static void a_prior_has_an_error_of_its_own(void)
{
    const double weight = 1 / (.001 * .001);
    double value[2], error[2], n = 0;
    write_recordings(false, 1);
    for (int i = 0; i < RECORDINGS; i++) {
        n += length[i];
    }
    sal_result *r = solve("<parameter name='offset' path='channel[seen]/offset' value='0' "
                          "prior='0' sigma='.001'/>",
                          "errors='jackknife'", 1, NULL);
    regress(true, weight, -1, value);
    jackknife(true, weight, RECORDINGS, error);
    if (r != NULL) {
        const sal_identification_parameter *p = sal_identification_of(r)->parameter;
        const double A = n / (SIGMA * SIGMA) + weight,
                     se = sqrt(error[0] * error[0] + weight / (A * A));
        CHECK(se > 1.001 * error[0]);
        CHECK_NEAR(p->value, value[0], 1e-6 * se);
        CHECK_NEAR(p->se_resampled, se, 1e-5 * se);
    }
    sal_result_free(r);
}

/* Recordings of one length, each with the mean m_i of what it says of the offset: that of G of them
 * drawn at random has the variance sum (m_i - m)^2/G^2, and G/(G - 1) makes up for the mean that is
 * theirs. Of 400 draws the error is known to 1 in (2 400)^1/2 = 28. */
static void errors_are_those_of_a_bootstrap(void)
{
    double value[2], sum = 0;
    const double G = RECORDINGS;
    write_recordings(true, 1);
    regress(true, 0, -1, value);
    for (int i = 0; i < RECORDINGS; i++) {
        double mean = 0;
        for (int k = 0; k < MOST; k++) {
            mean += (seen[i][k] - angle[i][k]) / MOST;
        }
        sum += (mean - value[0]) * (mean - value[0]);
    }
    const double error = sqrt(sum / (G * G) * G / (G - 1));
    double found[3] = {0};
    static const char *const how[3] = {"errors='bootstrap' resamples='400'",
                                       "errors='bootstrap' resamples='400' seed='2'",
                                       "errors='bootstrap' resamples='400'"};
    for (int k = 0; k < 3; k++) {
        sal_result *r = solve(offset, how[k], k == 2 ? 3 : 1, NULL);
        found[k] = r == NULL ? 0 : sal_identification_of(r)->parameter[0].se_resampled;
        CHECK(r == NULL || sal_identification_of(r)->nresample == 400);
        CHECK_NEAR(found[k], error, 4 / sqrt(800.) * error);
        sal_result_free(r);
    }
    CHECK(found[0] != found[1]);
    CHECK(found[0] == found[2]); /* threads do not change a bit */
}

/* Stops at the third fit. */
static bool stop_at_third(void *user, int start, const sal_progress *p)
{
    (void)start;
    *(int *)user += strcmp(p->phase, "refit3") == 0;
    return strcmp(p->phase, "refit3") != 0;
}

static void what_was_stopped_is_kept(void)
{
    int asked = 0;
    const sal_watch watch = {.progress = stop_at_third, .user = &asked};
    write_recordings(false, 1);
    sal_result *r = solve(offset, "errors='jackknife'", 1, &watch);
    CHECK(asked == 1);
    if (r != NULL) {
        const sal_identification_result *e = sal_identification_of(r);
        double value[2];
        regress(true, 0, -1, value);
        CHECK_TEXT(r->status, sal_stop_text(SAL_STOP_INTERRUPTED));
        CHECK(e->nresample == 2 && e->resamples == RECORDINGS);
        CHECK(isnan(e->parameter[0].se_resampled) && isfinite(e->parameter[0].se));
        CHECK_NEAR(e->parameter[0].value, value[0], 1e-6 * e->parameter[0].se);
        bool said = false;
        for (int i = 0; i < e->nsentence; i++) {
            said =
                said || strstr(e->sentence[i], "12 fits of the jackknife 2 came to an end") != NULL;
        }
        CHECK(said);
    }
    sal_result_free(r);
}

static void is_refused(int a_cluster, const char *estimate, const char *saying)
{
    sal_text why = {0};
    write_recordings(false, a_cluster);
    sal_identification *p = read_problem(offset, estimate, &why);
    CHECK(p == NULL);
    if (why.data == NULL || strstr(why.data, saying) == NULL) {
        check_case_faults++;
        printf("not said: %s\n%s\n", saying, why.data == NULL ? "" : why.data);
    }
    sal_text_clear(&why);
    sal_identification_free(p);
}

static void what_cannot_be_is_refused(void)
{
    is_refused(3, "errors='jackknife'",
               "a jackknife needs at least 5 clusters of recordings in the fit; there are 4");
    is_refused(12, "errors='bootstrap'",
               "a bootstrap needs at least 5 clusters of recordings in the fit; there is 1");
    is_refused(2, "errors='bootstrap' holdout='.3'", "there are 4"); /* of six two are left out */
    is_refused(1, "errors='jackknife' resamples='50'", "'resamples' belongs to a bootstrap");
    is_refused(1, "errors='bootstrap' resamples='19'", "resamples");
}

/* Predictions with given parameters estimate nothing, and fit nothing anew. */
static void given_parameters_have_no_errors(void)
{
    write_recordings(false, 1);
    sal_identification *p = read_problem(offset, "errors='jackknife'", NULL);
    sal_result *r = NULL;
    sal_err err = {0};
    if (p != NULL) {
        CHECK_OK(sal_identification_predict(&r, p, 1, &err), err);
        CHECK(r != NULL && sal_identification_of(r)->resampling == SAL_RESAMPLING_NONE);
    }
    sal_result_free(r);
    sal_identification_free(p);
}

static void memory_runs_out(void)
{
    write_recordings(false, 2);
    sal_identification *p = read_problem(offset, "errors='jackknife'", NULL);
    int n = 0, step = 1;
    for (bool all = p == NULL; !all && n < 1000000; n += step) {
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
        step = n > 300 ? 29 : 1; /* six fits ask for the same */
    }
    printf("     %d allocations\n", n);
    CHECK(n > 1000);
    sal_identification_free(p);
}

int main(void)
{
    RUN(errors_are_those_of_a_jackknife);
    RUN(clusters_are_left_out_as_a_whole);
    RUN(a_prior_has_an_error_of_its_own);
    RUN(errors_are_those_of_a_bootstrap);
    RUN(what_was_stopped_is_kept);
    RUN(what_cannot_be_is_refused);
    RUN(given_parameters_have_no_errors);
    RUN(memory_runs_out);
    files_remove();
    return check_done();
}
