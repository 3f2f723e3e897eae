#include "tests/identify/example_result.h"
#include "tests/problems/markup.h"
#include "tests/problems/motions.h"

#include "pages/pages.h"
#include "pages/report.h"
#include "problems/problem.h"

#include <math.h>
#include <unistd.h>

static void page_of(const sal_result *r, sal_text *page)
{
    sal_err err = {0};
    CHECK_OK(sal_result_report(r, &(sal_report_options){.still = true}, page, &err), err);
    CHECK(count_elements(page->data) > 50);
    for (size_t i = 0; i < page->length; i += sal_text_utf8(page->data + i)) {
        if (sal_text_utf8(page->data + i) == 0) {
            CHECK(false);
            break;
        }
    }
    CHECK(strstr(page->data, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                             "'none'; style-src 'unsafe-inline'; base-uri 'none';") != NULL);
    /* one file that asks for no other; numbers in drawings are numbers */
    const char *const never[] = {"<script", "src=",   "href=",   "url(",   "=\"nan",
                                 "nan ",    "=\"inf", "=\"-inf", "@import"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        CHECK(strstr(page->data, never[i]) == NULL);
    }
}

static void pages_are_well_formed(void)
{
    motion a;
    sal_text page = {0};
    motion_pendulum(&a);
    page_of(a.r, &page);
    CHECK(strstr(page.data, "Physical: ") != NULL && strstr(page.data, "NOT PHYSICAL") == NULL);
    sal_text_clear(&page);
    motion_clear(&a);
    motion_hopper(&a, true);
    page_of(a.r, &page);
    CHECK(strstr(page.data, "NOT PHYSICAL") != NULL && strstr(page.data, "on root:1 at") != NULL);
    CHECK(strstr(page.data, "Contact timing") != NULL);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* A physical motion that is not as asked is not shown as a good one. */
static void what_was_asked_for_is_shown(void)
{
    motion a;
    sal_text page = {0};
    motion_pendulum(&a);
    a.r->judged = true;
    a.r->exit_code = 1;
    a.r->nrequirement = 2;
    a.r->requirement = sal_alloc(2, sizeof *a.r->requirement);
    a.r->requirement[0] = (prb_requirement_report){.name = "require/slip",
                                                   .what = "body 'foot' and the floor",
                                                   .unit = "m/s",
                                                   .found = .3,
                                                   .allowed = .1,
                                                   .time = .25};
    a.r->requirement[1] = (prb_requirement_report){.name = "require/load", .allowed = 2};
    page_of(a.r, &page);
    CHECK(strstr(page.data, "class=\"verdict warn\"") != NULL);
    CHECK(strstr(page.data, "Physical, but NOT AS ASKED: ") != NULL);
    CHECK(strstr(page.data, "1 of 2 requirements is not satisfied") != NULL);
    CHECK(strstr(page.data, "<summary>1 of 2 satisfied</summary>") != NULL);
    CHECK(strstr(page.data, "require/slip</th><td>body &#39;foot&#39; and the floor</td><td "
                            "class=\"num broken\">0.3</td><td class=\"num\">0.1 m/s</td><td "
                            "class=\"num\">0.25</td>") != NULL);
    CHECK(strstr(page.data, "stopped before it had converged") == NULL);
    sal_text_clear(&page);
    a.r->exit_code = 0;
    a.r->as_asked = true;
    page_of(a.r, &page);
    CHECK(strstr(page.data, "class=\"verdict good\"") != NULL);
    CHECK(strstr(page.data, "Physical, and as asked: ") != NULL);
    CHECK(strstr(page.data, "finished") == NULL);
    sal_text_clear(&page);
    a.r->to_finish = true;
    page_of(a.r, &page);
    CHECK(strstr(page.data, "<p>It is not finished: ") != NULL);
    sal_text_clear(&page);
    a.r->finished = true;
    page_of(a.r, &page);
    CHECK(strstr(page.data, "<p>It is finished: ") != NULL);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* 16 steps and their mirror image: eleven moments from t = 0 to the end of the period, all but the
 * start of the second half pale. */
static void a_mirrored_cycle_is_shown_whole(void)
{
    motion a;
    sal_text page = {0};
    motion_cycle(&a);
    page_of(a.r, &page);
    CHECK(count(page.data, "<g opacity=") == 9); /* every 4 of 32 steps */
    CHECK(count(page.data, "<g opacity=\"0.8\">") == 4);
    CHECK(strstr(page.data, ">0.64 s<") != NULL);
    CHECK(strstr(page.data, "key left") != NULL && strstr(page.data, "key right") != NULL);
    sal_text_clear(&page);
    prb_gait *g = NULL;
    sal_err err = {0};
    CHECK_OK(prb_gait_new(&g, a.r, &err), err);
    if (g != NULL) {
        CHECK_NEAR(g->speed, 0.4 / (16 * 0.02), 1e-12);
        CHECK_NEAR(g->period, 0.64, 1e-12);
        for (int t = 0; t < 16; t++) { /* the legs have changed places */
            CHECK_NEAR(g->qpos[(t + 16) * 9 + 7], g->qpos[t * 9 + 8], 1e-15);
            CHECK_NEAR(g->qpos[(t + 16) * 9], g->qpos[t * 9] + 0.4, 1e-15);
        }
    }
    prb_gait_free(g);
    motion_clear(&a);
}

/* One file with its own style; a model of many geoms gets fewer figures, not a larger file. */
static void a_picture_is_a_small_file_of_its_own(void)
{
    motion a;
    sal_text picture = {0};
    sal_err err = {0};
    motion_cycle(&a);
    CHECK_OK(sal_result_picture(a.r, &picture, &err), err);
    CHECK(strncmp(picture.data,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                  "xmlns=\"http://www.w3.org/2000/svg\" ",
                  79) == 0);
    CHECK(count_elements(picture.data) > 20);
    CHECK(count(picture.data, "<style>") == 1 && count(picture.data, "var(--left)") >= 2);
    CHECK(count(picture.data, "<g opacity=") == 6); /* every 6 of 32 steps */
    const char *const never[] = {"<figure", "<script", "src=", "href=", "url(", "=\"nan", "nan "};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        CHECK(strstr(picture.data, never[i]) == NULL);
    }
    sal_text_clear(&picture);
    motion_clear(&a);
}

static void sides_are_in_the_names(void)
{
    static const struct {
        const char *name;
        int side;
    } names[] = {{"left_hip", 1},   {"hip_right", -1}, {"LeftArm", 1},    {"upright", 0},
                 {"RearRight", -1}, {"l_hip", 1},      {"hip_R", -1},     {"knee", 0},
                 {"bright_L", 1},   {"left_right", 0}, {"x_leftmost", 1}, {"_", 0}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char xml[400];
        snprintf(xml, sizeof xml,
                 "<mujoco><worldbody><body><joint name='%s' type='hinge'/><geom size='1'/></body>"
                 "</worldbody></mujoco>",
                 names[i].name);
        sal_model *m = motion_model(xml);
        CHECK(prb_gait_side(m, SAL_OBJ_JOINT, 0) == names[i].side);
        sal_model_free(m);
    }
}

/* SHA-256 of "" and "abc" (FIPS 180-4, examples), in base 64 */
static void scripts_are_named_by_their_digest(void)
{
    sal_text t = {0};
    page_policy(&t, (const char *const[2]){"", NULL});
    CHECK(strstr(t.data, "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; ") !=
          NULL);
    sal_text_clear(&t);
    page_policy(&t, (const char *const[2]){NULL, "abc"});
    CHECK(strstr(t.data, "script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='; ") !=
          NULL);
    sal_text_clear(&t);
    page_policy(&t, (const char *const[2]){"abc", ""});
    CHECK(strstr(t.data,
                 "; script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=' "
                 "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; base-uri") != NULL);
    sal_text_clear(&t);
    page_policy(&t, (const char *const[2]){NULL, NULL});
    CHECK(strstr(t.data, "\"default-src 'none'; ") != NULL && strstr(t.data, "script") == NULL);
    sal_text_clear(&t);
}

static void hostile_texts_stay_text(void)
{
    static char name[] = "</title><script>alert(1)</script>", xml[] = "<a b='\"&'>\x01\xFF</pre>";
    motion a;
    sal_text page = {0};
    motion_pendulum(&a);
    a.p.name = name, a.p.problem_xml = xml;
    sal_result_free(a.r);
    motion_evaluate(&a, 0);
    a.r->nterm = a.r->nconstraint = a.r->nrequirement = 1;
    a.r->requirement = sal_alloc(1, sizeof *a.r->requirement);
    snprintf(a.r->requirement[0].name, sizeof a.r->requirement[0].name, "term[<script>%%n]/target");
    snprintf(a.r->requirement[0].what, sizeof a.r->requirement[0].what, "<script>%%f$");
    a.r->requirement[0].found = a.r->requirement[0].time = (double)NAN;
    a.r->judged = true;
    a.r->term = sal_alloc(1, sizeof *a.r->term);
    a.r->constraint = sal_alloc(1, sizeof *a.r->constraint);
    snprintf(a.r->term[0].name, 64, "<script>%%s$&");
    a.r->term[0].share = a.r->term[0].value = (double)NAN;
    snprintf(a.r->constraint[0].name, 64, "<script>%%d$");
    a.r->constraint[0].violation = (double)INFINITY;
    a.r->cost = -(double)INFINITY;
    a.r->relative_to_weight = (double)NAN;
    snprintf(a.r->status, sizeof a.r->status, "failed: <script>");
    page_of(a.r, &page);
    CHECK(strstr(page.data, "&lt;script&gt;%s$&amp;") != NULL);
    CHECK(strstr(page.data, "NOT PHYSICAL: failed: &lt;script&gt;") != NULL);
    CHECK(strstr(page.data, "term[&lt;script&gt;%n]/target</th><td>&lt;script&gt;%f$</td>") !=
          NULL);
    CHECK(strstr(page.data, "&lt;a b=&#39;&quot;&amp;&#39;&gt;\xEF\xBF\xBD\xEF\xBF\xBD") != NULL);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* All shapes, a motion that leaves the numbers, and one that does not move at all. */
static void nothing_breaks_the_drawing(void)
{
    static const char xml[] =
        "<mujoco><option timestep='.02'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<geom type='box' size='.1 .1 .1' pos='0 0 .1'/><body pos='0 0 1'>"
        "<joint type='ball' name='&lt;ball&gt;'/><geom type='sphere' size='.1'/>"
        "<geom type='box' size='.1 .2 .3' pos='.2 0 0' euler='10 20 30'/>"
        "<geom type='ellipsoid' size='.1 .2 .3' pos='.4 0 0' euler='40 20 30'/>"
        "<geom type='cylinder' size='.1 .3' pos='.6 0 0' euler='10 50 30'/>"
        "<geom type='capsule' size='.1 .3' pos='.8 0 0' euler='90 0 0'/></body></worldbody>"
        "</mujoco>";
    for (int which = 0; which < 3; which++) {
        motion a;
        sal_text page = {0};
        motion_allocate(&a, xml, 12);
        for (int t = 0; t < a.n + 2; t++) {
            a.q[4 * t] = 1;
        }
        motion_evaluate(&a, 0);
        for (int i = 0; i < 4 * 13 && which > 0; i++) {
            a.r->qpos[i] = which == 1 ? (double)NAN : 1e300 * a.r->qpos[i];
            a.r->xpos[i] = (double)NAN;
        }
        page_of(a.r, &page);
        CHECK(strstr(page.data, "&lt;ball&gt; rotation") != NULL);
        /* every 3 of 12 steps: figures are longer than high, and 7 would be over each other */
        CHECK(which > 0 ||
              (count(page.data, "<ellipse") == 5 && count(page.data, "<circle") == 10));
        sal_text_clear(&page);
        motion_clear(&a);
    }
}

/* Errors, words, recordings; nothing about forces that no actuator gives, terms and constraints. */
static void an_identification_has_a_page_of_its_own(void)
{
    motion a;
    sal_text page = {0};
    motion_identified(&a);
    page_of(a.r, &page);
    const char *const there[] = {"identified from 10 recordings, tested on 4",
                                 "half width, m",
                                 "\xC2\xB1 ",
                                 "not determined",
                                 "mass and gain cannot be distinguished",
                                 "<title>half width, friction: ",
                                 "residuals are nearly white",
                                 "is an input, not fitted",
                                 "The worst: toss_106",
                                 "Error of rotation at the end",
                                 "2 of 4 parameters cannot be determined from these data"};
    const char *const absent[] = {"PHYSICAL", "<h2>Cost", "<h2>Constraints",
                                  "unactuated force, of the weight", "<h2>Controls"};
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) {
        if (strstr(page.data, there[i]) == NULL) {
            printf("not there: %s\n", there[i]);
            CHECK(false);
        }
    }
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        CHECK(strstr(page.data, absent[i]) == NULL);
    }
    CHECK(count(page.data, "class=\"bar outlier\"") == 1);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* A column of their own. */
static void errors_by_fitting_anew_are_shown(void)
{
    static const char head[] = "<th class=\"num\">bootstrap</th>";
    motion a;
    sal_text page = {0};
    motion_identified(&a);
    page_of(a.r, &page);
    CHECK(strstr(page.data, head) == NULL);
    sal_text_clear(&page);
    sal_identification_result *e = idn_result_part(a.r);
    e->resampling = SAL_RESAMPLING_BOOTSTRAP;
    e->parameter[0].se_resampled = .0321;
    page_of(a.r, &page);
    CHECK(strstr(page.data, head) != NULL && strstr(page.data, ">0.032</td>") != NULL);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* Also when it is read from its file, and all else is good. */
static void a_search_that_may_go_on_is_no_good_verdict(void)
{
    static const char words[] = "one more step would change a parameter by 0.42 of its standard "
                                "error";
    motion a;
    sal_text page = {0};
    sal_result *read = NULL;
    sal_err err = {0};
    char path[] = P_tmpdir "/saltus-newton-XXXXXX";
    const int file = mkstemp(path);
    motion_identified(&a);
    sal_identification_result *e = idn_result_part(a.r);
    for (int k = 0; k < e->nparameter; k++) {
        e->parameter[k].se = .1;
        e->parameter[k].at_bound = 0;
    }
    e->newton = 0;
    page_of(a.r, &page);
    CHECK(strstr(page.data, "class=\"verdict good\"") != NULL && strstr(page.data, words) == NULL);
    sal_text_clear(&page);
    e->newton = .42;
    CHECK(file >= 0 && close(file) == 0);
    CHECK_OK(sal_result_write(a.r, path, &err), err);
    CHECK_OK(sal_request_read_result(&read, path, &err), err);
    if (read != NULL) {
        page_of(read, &page);
        CHECK(strstr(page.data, "class=\"verdict warn\"") != NULL);
        CHECK(strstr(page.data, words) != NULL);
    }
    sal_text_clear(&page);
    sal_result_free(read);
    unlink(path);
    motion_clear(&a);
}

/* A recording of one sample, no parameters, nothing predicted, names that mean something in
 * HTML. */
static void a_bare_identification_has_a_page(void)
{
    motion a;
    sal_text page = {0};
    sal_err err = {0};
    sal_identification_result *e = NULL;
    motion_pendulum(&a);
    const sal_identification_sizes sizes = {.nparameter = 1,
                                            .nlocal = 1,
                                            .nrecording = 2,
                                            .nchannel = 1,
                                            .nvalue = 1,
                                            .nresidual = 1,
                                            .nq = 1,
                                            .nv = 1};
    CHECK_OK(sal_identification_result_new(&e, &sizes, &err), err);
    if (e != NULL) {
        CHECK_OK(sal_identification_result_room(e, 1, 1, 1, &err), err);
        snprintf(e->parameter[0].name, sizeof e->parameter[0].name, "<b> & \"x\"");
        snprintf(e->recording[1].name, sizeof e->recording[1].name, "</svg>");
        e->channel[0].n = e->channel[0].nres = 1;
        e->sigma[0] = 1;
        e->recording[1].measured[0] = 1;
        e->recording[1].fitted[0] = e->recording[1].predicted[0] = 2;
        CHECK_OK(sal_identification_result_assess(e, &err), err);
        idn_result_attach(a.r, e);
    }
    page_of(a.r, &page);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* The page with what plays it: the still page, and three blocks more. */
static void a_page_plays(void)
{
    motion a;
    sal_text still = {0}, page = {0};
    sal_err err = {0};
    motion_cycle(&a);
    page_of(a.r, &still);
    CHECK_OK(sal_result_report(a.r, &(sal_report_options){.still = false}, &page, &err), err);
    const int blocks = sal_report_plays() ? 3 : 0;
    CHECK(count(page.data, "</script>") == blocks);
    CHECK(count(page.data, "<section id=\"player\" hidden=\"\">") == (blocks > 0));
    CHECK(count(page.data, "<svg") == count(still.data, "<svg"));
    CHECK(count(page.data, "script-src 'sha256-") == (blocks > 0));
    if (blocks > 0) { /* both halves of the cycle, and what moves with what */
        CHECK(strstr(page.data, "\"nstep\":32,\"timestep\":0.02,") != NULL);
        CHECK(strstr(page.data, "],\"cycle\":true,\"positions\":[{") != NULL);
        CHECK(strstr(page.data, "\"recorded\":{") == NULL);
    }
    sal_text_clear(&still);
    sal_text_clear(&page);
    motion_clear(&a);
}

/* Few points, but every peak, and the gap. */
static void long_lines_keep_their_peaks(void)
{
    enum { N = 10000, PEAK = 6543, GAP = 3000 };
    static double x[N], y[N];
    sal_text t = {0};
    page_chart c = {.out = &t, .x1 = N, .y0 = -1, .y1 = 1, .right = 1e5, .bottom = 1e5};
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = .1 * sin(.01 * i);
    }
    y[PEAK] = 1, y[PEAK + 1] = -1, y[GAP] = (double)NAN;
    page_chart_line(&c, x, y, N, "mid");
    CHECK(count(t.data, "L") + count(t.data, "M") <= 1000);
    CHECK(count(t.data, "M") == 2);
    CHECK(strstr(t.data, "L65430 0L65440 100000L") != NULL);
    CHECK(strstr(t.data, "M0 50000L") != NULL && strstr(t.data, "L99990 ") != NULL);
    sal_text_clear(&t);
    page_chart_line(&c, x, y, 1000, "mid");
    CHECK(count(t.data, "L") == 999);
    sal_text_clear(&t);
}

/* A still page of 10,000 steps, one foot loaded in the first half */
static void long_motions_have_small_pages(void)
{
    enum { STEPS = 10000 };
    motion a;
    prb_gait *g = NULL;
    sal_text t = {0};
    sal_err err = {0};
    motion_hopper(&a, true);
    CHECK_OK(prb_gait_new(&g, a.r, &err), err);
    if (g != NULL && g->ngroup > 0) {
        double *time = g->time, *normal = g->group[0].normal;
        static double long_time[STEPS + 1], load[STEPS];
        for (int k = 0; k < STEPS; k++) {
            long_time[k] = k * g->period / STEPS;
            load[k] = k < STEPS / 2 ? g->r->weight : 0;
        }
        const int n = g->n, groups = g->ngroup;
        g->time = long_time, g->group[0].normal = load, g->n = STEPS, g->ngroup = 1;
        CHECK_OK(page_report_contacts(g, &t, &err), err);
        CHECK(count(t.data, "<rect class=\"bar") == 1);
        CHECK(strstr(t.data, ">50 %<") != NULL);
        CHECK(t.length < 40000);
        sal_text_clear(&t);
        for (int k = 0; k < STEPS; k++) { /* another load in each of a thousand stretches */
            load[k] = g->r->weight * (k / 10 % 7) / 7;
        }
        CHECK_OK(page_report_contacts(g, &t, &err), err);
        CHECK(count(t.data, "<rect class=\"bar") > 100);
        CHECK(count(t.data, "<rect class=\"bar") <= 350);
        g->time = time, g->group[0].normal = normal, g->n = n, g->ngroup = groups;
        sal_text_clear(&t);
    }
    prb_gait_free(g);
    motion_clear(&a);
}

/* Both motions, what differs, names as text; terms of either. */
static void two_results_have_a_page_together(void)
{
    static const char *const name[] = {"one <b>", "two"};
    motion a, b;
    sal_text page = {0};
    sal_err err = {0};
    motion_cycle(&a);
    motion_pendulum(&b);
    b.r->nterm = 1;
    b.r->term = sal_alloc(1, sizeof *b.r->term);
    snprintf(b.r->term[0].name, sizeof b.r->term[0].name, "only & here");
    b.r->term[0].value = .25;
    const sal_result *const both[] = {a.r, b.r};
    CHECK_OK(sal_results_report(both, name, &(sal_report_options){.still = true}, &page, &err),
             err);
    CHECK(count_elements(page.data) > 50);
    CHECK(strstr(page.data, "A: one &lt;b&gt;") != NULL && strstr(page.data, "<b>") == NULL);
    CHECK(strstr(page.data, "term only &amp; here</th><td class=\"num\">\xE2\x80\x93</td>"
                            "<td class=\"num\">0.25</td>") != NULL);
    CHECK(strstr(page.data, "duration, s</th><td class=\"num\">0.64</td>") != NULL);
    CHECK(count(page.data, "class=\"strip\"") == 2 && count(page.data, "</script>") == 0);
    sal_text_clear(&page);
    CHECK_OK(sal_results_report(both, name, &(sal_report_options){.still = false}, &page, &err),
             err);
    CHECK(count(page.data, "</script>") == (sal_report_plays() ? 5 : 0));
    CHECK(!sal_report_plays() || (strstr(page.data, "id=\"motion1\"") != NULL &&
                                  strstr(page.data, "id=\"scene1\"") != NULL));
    sal_text_clear(&page);
    motion_clear(&a);
    motion_clear(&b);
}

static void names_cannot_end_a_block(void)
{
    motion a;
    prb_gait *g = NULL;
    sal_text text = {0};
    sal_err err = {0};
    motion_hopper(&a, true);
    CHECK_OK(prb_gait_new(&g, a.r, &err), err);
    if (g != NULL && g->ngroup > 0 && sal_report_plays()) {
        snprintf(g->group[0].name, sizeof g->group[0].name, "</script><b>&");
        CHECK_OK(page_player_data((const prb_gait *const[]){g}, 1, &text, &err), err);
        CHECK(count(text.data, "</script>") == 3);
        CHECK(strstr(text.data, "\"\\u003c/script>\\u003cb>\\u0026\"") != NULL);
        sal_text_clear(&text);
    }
    prb_gait_free(g);
    motion_clear(&a);
}

/* Where the first path of a figure begins and ends, pixels. */
static void width_of(const char *figure, double *left, double *right)
{
    const char *at = strstr(figure, " d=\"M");
    *left = (double)INFINITY, *right = -*left;
    for (at = at == NULL ? "" : at + 4; *at == 'M' || *at == 'L';) {
        char *end;
        const double x = strtod(at + 1, &end);
        *left = fmin(*left, x), *right = fmax(*right, x);
        strtod(end, &end);
        at = end;
    }
}

/* A bar of 2 m that lies there: neighbours stand 2 m apart and more, and are as large as before. */
static void long_bodies_stand_apart(void)
{
    static const char bar_xml[] =
        "<mujoco><option timestep='.02' gravity='0 0 0'/><worldbody><body><joint type='slide' "
        "axis='0 0 1'/><geom type='box' size='1 .1 .1'/></body></worldbody></mujoco>";
    const page_strip_look look = {.tallest = 270, .most = 11};
    const double v0[1] = {.01};
    motion a;
    prb_gait *g = NULL;
    sal_text t = {0};
    sal_err err = {0};
    motion_allocate(&a, bar_xml, 40);
    motion_simulate(&a, v0);
    CHECK_OK(prb_gait_new(&g, a.r, &err), err);
    CHECK_OK(page_report_strip(g, &look, &t, &err), err);
    double left, right, before = -1;
    int n = 0;
    for (const char *at = t.data; (at = strstr(at, "<g ")) != NULL; at++, n++) {
        width_of(at, &left, &right);
        CHECK(right - left > 80 && left > before + 2);
        before = right;
    }
    CHECK(n > 4);
    sal_text_clear(&t);
    prb_gait_free(g);
    motion_clear(&a);
}

/* A figure 1 m high and 0.2 m wide, but 0.8 m at its lowest levels */
static void stand(page_outline *o, int levels)
{
    page_outline_clear(o, 0, 1);
    for (int i = 0; i < PAGE_LEVELS; i++) {
        o->right[i] = i < levels ? .4 : .1;
        o->left[i] = -o->right[i];
    }
}

static void feet_may_cross_but_not_legs(void)
{
    page_outline one, other;
    stand(&one, PAGE_LEVELS / 8), stand(&other, PAGE_LEVELS / 8);
    CHECK_NEAR(page_outlines_apart(&one, &other), .2, 1e-12);
    stand(&one, PAGE_LEVELS / 2), stand(&other, PAGE_LEVELS / 2);
    CHECK_NEAR(page_outlines_apart(&one, &other), .8, 1e-12);
    one.high = other.high = .5; /* longer than high */
    stand(&one, 1), stand(&other, 1);
    one.high = other.high = .5;
    CHECK_NEAR(page_outlines_apart(&one, &other), .8, 1e-12);
    page_outline_clear(&other, 0, 1);
    CHECK(page_outlines_apart(&one, &other) == 0);
}

/* A rod at 45 degrees, and a corner of a mesh: what outlines say beside what geometry does. */
static void outlines_are_those_of_the_geoms(void)
{
    static const char xml[] =
        "<mujoco><asset><mesh name='corner' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
        "<geom type='capsule' fromto='-1 0 -1 1 0 1' size='.1'/><geom type='mesh' mesh='corner'/>"
        "</worldbody></mujoco>";
    const double ahead[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    sal_model *m = motion_model(xml);
    sal_data *d = NULL;
    sal_err err = {0};
    page_outline o;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_kinematics(m, d);
    page_outline_clear(&o, -2, 2);
    page_outline_add(&o, m, d, 0, ahead, up, 0);
    const int middle = PAGE_LEVELS / 2; /* from 0 to 1/16: x = z +- .1 sqrt(2) */
    CHECK_NEAR(o.right[middle], 1 / 16.0 + .1 * sqrt(2), .01);
    CHECK_NEAR(o.left[middle], -.1 * sqrt(2), .01);
    CHECK(o.right[0] < o.left[0] && o.right[PAGE_LEVELS - 1] < o.left[PAGE_LEVELS - 1]);
    CHECK_NEAR(d->geom_xpos[3] + page_geom_reach(m, d, 1, ahead), 1, 1e-8);
    page_outline_clear(&o, 0, 1);
    page_outline_add(&o, m, d, 1, ahead, up, 0);
    CHECK_NEAR(o.right[middle], .5, .02);
    CHECK_NEAR(o.left[middle], 0, .02);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(long_bodies_stand_apart);
    RUN(feet_may_cross_but_not_legs);
    RUN(outlines_are_those_of_the_geoms);
    RUN(a_page_plays);
    RUN(long_lines_keep_their_peaks);
    RUN(long_motions_have_small_pages);
    RUN(two_results_have_a_page_together);
    RUN(names_cannot_end_a_block);
    RUN(an_identification_has_a_page_of_its_own);
    RUN(errors_by_fitting_anew_are_shown);
    RUN(a_search_that_may_go_on_is_no_good_verdict);
    RUN(a_bare_identification_has_a_page);
    RUN(pages_are_well_formed);
    RUN(what_was_asked_for_is_shown);
    RUN(a_mirrored_cycle_is_shown_whole);
    RUN(a_picture_is_a_small_file_of_its_own);
    RUN(sides_are_in_the_names);
    RUN(scripts_are_named_by_their_digest);
    RUN(hostile_texts_stay_text);
    RUN(nothing_breaks_the_drawing);
    return check_done();
}
