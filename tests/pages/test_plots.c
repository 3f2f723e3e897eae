/* Plots for print: files that need nothing else, whose curves are the numbers of the result. */
#include "tests/identify/example_result.h"
#include "tests/problems/markup.h"
#include "tests/problems/motions.h"

#include "pages/pages.h"
#include "problems/problem.h"
#include "problems/result/gait.h"

static void plots_of(sal_plots *plots, const sal_result *r)
{
    sal_err err = {0};
    CHECK_OK(sal_result_plots(plots, r, &err), err);
    CHECK(plots->n > 0);
}

static const char *plot_named(const sal_plots *plots, const char *name)
{
    for (int i = 0; i < plots->n; i++) {
        if (strcmp(plots->plot[i].name, name) == 0) {
            return plots->plot[i].svg.data;
        }
    }
    printf("no plot '%s'\n", name);
    CHECK(false);
    return "";
}

/* ---- files ---- */

static void check_file(const sal_plot *plot)
{
    static const char *const never[] = {"class=",  "<style", "<script", "href", "src=",  "url(",
                                        "@import", "var(--", "=\"nan",  "nan ", "=\"inf"};
    double mm[2], box[2];
    CHECK(count_elements(plot->svg.data) > 5);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        if (strstr(plot->svg.data, never[i]) != NULL) {
            printf("%s: %s\n", plot->name, never[i]);
            CHECK(false);
        }
    }
    CHECK(sscanf(plot->svg.data,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?> <svg "
                 "xmlns=\"http://www.w3.org/2000/svg\" width=\"%lfmm\" height=\"%lfmm\" "
                 "viewBox=\"0 0 %lf %lf\" style=\"font:12px Helvetica,",
                 mm, mm + 1, box, box + 1) == 4);
    CHECK(mm[0] <= 178.01 && mm[1] > 10);
    CHECK_NEAR(mm[0] / box[0], mm[1] / box[1], 1e-4);
    if (mm[0] < 178) { /* letters of 12 are 8 pt: 1 pt = 25.4/72 mm */
        CHECK_NEAR(12 * mm[0] / box[0] * 72 / 25.4, 8, 0.02);
    }
    CHECK(strstr(plot->svg.data, "style=\"fill:#fff\"/>") != NULL);
    CHECK(strspn(plot->name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(plot->name));
}

static void check_files(const sal_plots *plots)
{
    for (int i = 0; i < plots->n; i++) {
        check_file(plots->plot + i);
        for (int k = 0; k < i; k++) {
            CHECK(strcmp(plots->plot[i].name, plots->plot[k].name) != 0);
        }
    }
}

static void each_plot_is_a_file_of_its_own(void)
{
    static void (*const make[])(motion *) = {motion_pendulum, motion_cycle, motion_identified};
    for (size_t i = 0; i < sizeof make / sizeof make[0]; i++) {
        motion a;
        sal_plots plots;
        make[i](&a);
        plots_of(&plots, a.r);
        check_files(&plots);
        sal_plots_clear(&plots);
        motion_clear(&a);
    }
}

static void a_part_of_several_is_there_as_a_whole_and_in_pieces(void)
{
    motion a;
    sal_plots plots;
    motion_hopper(&a, true);
    plots_of(&plots, a.r);
    CHECK(count(plot_named(&plots, "positions"), "<title>") == 3);
    CHECK(count(plot_named(&plots, "positions_root_position_x_y_z"), "<title>") == 1);
    CHECK(count(plot_named(&plots, "positions_hip"), "<title>") == 1);
    CHECK(count(plot_named(&plots, "contact_timing"), "<title>") == 1);
    CHECK(strstr(plot_named(&plots, "positions_hip"), ">left</text>") != NULL);
    CHECK(strstr(plot_named(&plots, "positions_hip"), ">right</text>") != NULL);
    CHECK(strstr(plot_named(&plots, "motion"), ">force of the floor</text>") != NULL);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

static void an_identification_has_plots_of_its_own(void)
{
    motion a;
    sal_plots plots;
    motion_identified(&a);
    plots_of(&plots, a.r);
    CHECK(strstr(plot_named(&plots, "correlations"), "<rect") != NULL);
    CHECK(strstr(plot_named(&plots, "recordings"), ">measured</text>") != NULL);
    for (int i = 0; i < plots.n; i++) {
        CHECK(strncmp(plots.plot[i].name, "controls", 8) != 0);
    }
    sal_plots_clear(&plots);
    motion_clear(&a);
}

/* Names that mean something in XML or in a path, and names that become the same. */
static void hostile_names_make_harmless_files(void)
{
    static const char xml[] =
        "<mujoco><option timestep='.02'/><worldbody><body><joint name='a/../b' axis='0 1 0'/>"
        "<geom size='.1'/><body><joint name='A b&lt;' axis='0 1 0'/><geom size='.1'/><body>"
        "<joint name='&quot;class=&quot;&amp;' axis='0 1 0'/><geom size='.1'/></body></body></body>"
        "</worldbody></mujoco>";
    motion a;
    sal_plots plots;
    motion_allocate(&a, xml, 12);
    motion_evaluate(&a, 0);
    plots_of(&plots, a.r);
    plot_named(&plots, "positions_a_b");
    plot_named(&plots, "positions_a_b_2");
    for (int i = 0; i < plots.n; i++) {
        CHECK(count_elements(plots.plot[i].svg.data) > 5);
        CHECK(strchr(plots.plot[i].name, '/') == NULL);
    }
    CHECK(strstr(plot_named(&plots, "positions"), "&quot;class=&quot;&amp;") != NULL);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

/* ---- curves ---- */

/* Numbers along an axis, from its first and its last tick. */
typedef struct axis {
    double at[2], value[2];
    int n;
} axis;

static void note_tick(axis *a, double at, double value)
{
    const int i = a->n++ > 0;
    a->at[i] = at, a->value[i] = value;
}

static double value_at(const axis *a, double at)
{
    return a->value[0] + (at - a->at[0]) / (a->at[1] - a->at[0]) * (a->value[1] - a->value[0]);
}

static void read_axes(axis *x, axis *y, const char *svg)
{
    *x = *y = (axis){.n = 0};
    for (const char *s = strstr(svg, " d=\"M"); s != NULL; s = strstr(s + 1, " d=\"M")) {
        double at[2], to[3], value;
        if (sscanf(s,
                   " d=\"M%lf %lfH%lf\"/><text x=\"%lf\" y=\"%lf\" style=\"text-anchor:end\">%lf",
                   at, at + 1, to, to + 1, to + 2, &value) == 6) {
            note_tick(y, at[1], value);
        } else if (sscanf(s,
                          " d=\"M%lf %lfv4\"/><text x=\"%lf\" y=\"%lf\" "
                          "style=\"text-anchor:middle\">%lf",
                          at, at + 1, to, to + 1, &value) == 5) {
            note_tick(x, at[0], value);
        }
    }
    CHECK(x->n >= 2 && y->n >= 2);
}

/* The curve of this colour goes through (time[t], y[t]), t = 0 .. n-1, as far as hundredths of a
 * unit show it. */
static void check_curve(const char *svg, const char *colour, const double *time, const double *y,
                        int n)
{
    axis ax, ay;
    char mark[120];
    int t = 0;
    read_axes(&ax, &ay, svg);
    snprintf(mark, sizeof mark, "stroke-linejoin:round;stroke:%s", colour);
    for (const char *line = strstr(svg, mark); line != NULL;
         line = strstr(line + 1, mark)) { /* keys come first: they have no L */
        const char *d = strstr(line, " d=\"M"), *end = d == NULL ? NULL : strchr(d, '>');
        if (d != NULL && memchr(d, 'L', (size_t)(end - d)) != NULL) {
            double at[2];
            int used = 0;
            for (d += strlen(" d=\""); t < n && sscanf(d + 1, "%lf %lf%n", at, at + 1, &used) == 2;
                 d += 1 + used, t++) {
                CHECK_NEAR(value_at(&ax, at[0]), time[t],
                           0.011 * fabs(value_at(&ax, 1) - value_at(&ax, 0)));
                CHECK_NEAR(value_at(&ay, at[1]), y[t],
                           0.011 * fabs(value_at(&ay, 1) - value_at(&ay, 0)));
            }
            break;
        }
    }
    CHECK(t == n);
}

static void curves_are_the_numbers_of_the_result(void)
{
    motion a;
    sal_plots plots;
    motion_pendulum(&a);
    plots_of(&plots, a.r);
    check_curve(plot_named(&plots, "positions"), "#000", a.r->time, a.r->qpos, a.r->nstep + 1);
    check_curve(plot_named(&plots, "controls"), "#000", a.r->time, a.r->ctrl, a.r->nstep);
    check_curve(plot_named(&plots, "torques"), "#000", a.r->time, a.r->qfrc_actuator, a.r->nstep);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

/* A control of at most 1, by a gear of 2 */
static void limits_of_torques_are_drawn(void)
{
    motion a;
    sal_plots plots;
    axis x, y;
    double found[2] = {0, 0}, at[3];
    int n = 0;
    motion_pendulum(&a);
    plots_of(&plots, a.r);
    const char *svg = plot_named(&plots, "torques");
    read_axes(&x, &y, svg);
    for (const char *s = strstr(svg, "dasharray:4 3\""); s != NULL;
         s = strstr(s + 1, "dasharray:4 3\"")) {
        if (sscanf(s, "dasharray:4 3\" d=\"M%lf %lfH%lf", at, at + 1, at + 2) == 3 && n < 2) {
            found[n++] = value_at(&y, at[1]);
        }
    }
    CHECK(n == 2);
    CHECK_NEAR(fmin(found[0], found[1]), -2, 0.02);
    CHECK_NEAR(fmax(found[0], found[1]), 2, 0.02);
    CHECK(strstr(svg, ">limit</text>") != NULL && strstr(svg, ">torque, N m</text>") != NULL);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

/* In the second half the right leg does what the left one did. */
static void the_other_half_of_a_cycle_is_the_image(void)
{
    enum { N = 16 };
    motion a;
    sal_plots plots;
    double time[2 * N], torque[2 * N];
    motion_cycle(&a);
    plots_of(&plots, a.r);
    for (int side = 0; side < 2; side++) {
        for (int t = 0; t < 2 * N; t++) {
            const int dof = 6 + (t < N ? side : 1 - side);
            time[t] = 0.02 * t;
            torque[t] = a.r->qfrc_actuator[(t % N) * a.m->nv + dof];
        }
        check_curve(plot_named(&plots, "torques"), side == 0 ? "#0072b2" : "#d55e00", time, torque,
                    2 * N);
    }
    CHECK(strstr(plot_named(&plots, "torques"), ">half cycle</text>") != NULL);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

static void contact_forces_are_those_of_the_result(void)
{
    motion a;
    sal_plots plots;
    prb_gait *g = NULL;
    sal_err err = {0};
    double load[60];
    motion_hopper(&a, false);
    plots_of(&plots, a.r);
    CHECK_OK(prb_gait_new(&g, a.r, &err), err);
    CHECK(g != NULL && g->ngroup == 2);
    for (int k = 0; g != NULL && k < g->ngroup; k++) {
        for (int t = 0; t < 60; t++) {
            load[t] = g->group[k].normal[t] / a.r->weight;
        }
        check_curve(plot_named(&plots, "contact_forces"),
                    prb_gait_side(a.m, SAL_OBJ_BODY, g->group[k].body) > 0 ? "#0072b2" : "#d55e00",
                    g->time, load, 60);
    }
    prb_gait_free(g);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

static void terms_have_their_shares(void)
{
    motion a;
    sal_plots plots;
    motion_pendulum(&a);
    a.r->nterm = 2;
    a.r->term = sal_alloc(2, sizeof *a.r->term);
    a.r->term[0] = (prb_term_report){.name = "effort", .value = 3, .share = .75};
    a.r->term[1] = (prb_term_report){.name = "slip", .value = 1, .share = .25};
    a.r->cost = 4;
    plots_of(&plots, a.r);
    const char *svg = plot_named(&plots, "cost"), *bar = strstr(svg, "\"fill:#0072b2\"");
    double wide[2] = {0, 1};
    for (int k = 0; k < 2 && bar != NULL; k++) {
        sscanf(strstr(bar, "width=\""), "width=\"%lf", wide + k);
        bar = strstr(bar + 1, "\"fill:#0072b2\"");
    }
    CHECK_NEAR(wide[0], 3 * wide[1], 0.05);
    CHECK(strstr(svg, ">effort</text>") != NULL && strstr(svg, "Cost: 4<") != NULL);
    sal_plots_clear(&plots);
    motion_clear(&a);
}

int main(void)
{
    RUN(each_plot_is_a_file_of_its_own);
    RUN(a_part_of_several_is_there_as_a_whole_and_in_pieces);
    RUN(an_identification_has_plots_of_its_own);
    RUN(hostile_names_make_harmless_files);
    RUN(curves_are_the_numbers_of_the_result);
    RUN(limits_of_torques_are_drawn);
    RUN(the_other_half_of_a_cycle_is_the_image);
    RUN(contact_forces_are_those_of_the_result);
    RUN(terms_have_their_shares);
    return check_done();
}
