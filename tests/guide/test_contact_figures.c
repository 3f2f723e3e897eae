/* The figures of docs/contact_models.md are those of the contact models as they are, drawn by what
 * draws the charts of `saltus report`. SALTUS_UPDATE=1 in the environment draws them anew. */
#include "tests/check.h"
#include "tests/guide/contact_curves.h"

#include "base/house.h"
#include "pages/report.h"
#include "physics/physics.h"

typedef struct panel {
    const char *title, *xlabel, *ylabel;
    contact_curve_of *curve;
    /* x and y are powers of ten */
    bool log_x, log;
    /* the range of y, unless both are 0 */
    double low, high;
} panel;

/* Two panels side by side, and below them two more */
enum { ACROSS = 2, MOST_PANELS = 4 };
static const struct figure {
    const char *file;
    int npanel;
    panel panel[MOST_PANELS];
} figures[] = {
    {"laws",
     2,
     {{"held still", "gap, mm", "normal force, N", contact_force_by_gap, false, false, 0, 40},
      {"sliding steadily", "slip speed, m/s", "friction, N", contact_friction_by_slip, true, false,
       0, 6}}},
    {"fall",
     2,
     {{"steps of 0.1 s", "time, s", "height, m", contact_coarse_fall, false, false, 0, 0},
      {"steps of 0.01 s: the landing", "time, s", "height, mm", contact_landing, false, false, -8,
       8}}},
    {"rest",
     2,
     {{"height", "time, s", "height, mm", contact_height_at_rest, false, false, 0, 0},
      {"creep", "time, s", "distance, m", contact_creep_at_rest, false, true, -7, 0}}},
    {"slide",
     4,
     {{"lift of what slides steadily", "slip speed, m/s", "height, mm", contact_height_by_slip,
       false, false, 0, 0},
      {"height, set down at 4 m/s", "time, s", "height, mm", contact_height_of_slide, false, false,
       0, 0},
      {"speed", "time, s", "speed, m/s", contact_speed_of_slide, false, false, 0, 0},
      {"off the straight line", "time, s", "distance, m", contact_drift_of_slide, false, true, -18,
       0}}},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* ---- drawing ---- */

/* Colours of Okabe and Ito, as in plots for print; lighter where the reader's page is dark */
static const char style[] =
    ":root{color-scheme:light dark;--card:#fff;--ink:#1b2330;--muted:#5b6675;--rule:#d9dee6;"
    "--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#000;--s4:#a34f86;--s5:#a87400}"
    "@media(prefers-color-scheme:dark){:root{--card:#191f27;--ink:#e5e9ef;--muted:#b3bcc8;"
    "--rule:#323b48;--s0:#6cb0f0;--s1:#f58a4b;--s2:#3fc8ae;--s3:#fff;--s4:#e29ccb;--s5:#e6b94a}}"
    "text{fill:var(--muted);font:12px Helvetica,Arial,'Liberation "
    "Sans',sans-serif}.head{fill:var(--ink);font-weight:600}"
    ".tx,.lx{text-anchor:middle}.ty{text-anchor:end}.sup{font-size:9px}"
    ".axis,.tick,.zero,.gridline,.line{fill:none}.gridline{stroke:var(--rule)}"
    ".axis,.tick,.zero{stroke:var(--muted)}"
    ".line{stroke-width:1.8;stroke-linejoin:round}.s0{stroke:var(--s0)}"
    ".s1{stroke:var(--s1);stroke-dasharray:7 3}.s2{stroke:var(--s2);stroke-dasharray:7 3 1.5 3}"
    ".s3{stroke:var(--s3)}.s4{stroke:var(--s4);stroke-dasharray:3 2}"
    ".s5{stroke:var(--s5);stroke-dasharray:1.5 3}";

static void draw_panel(sal_text *out, const panel *p)
{
    static const char *const styles[] = {"s0", "s1", "s2", "s3", "s4", "s5"};
    static contact_curve curve[SAL_NCONTACTMODELS];
    page_chart c = {.out = out,
                    .title = p->title,
                    .xlabel = p->xlabel,
                    .ylabel = p->ylabel,
                    .x0 = HUGE_VAL,
                    .x1 = -HUGE_VAL,
                    .y0 = HUGE_VAL,
                    .y1 = -HUGE_VAL,
                    .log = p->log,
                    .log_x = p->log_x,
                    .print = true};
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        p->curve(&curve[i], i);
        page_chart_extend(&c.x0, &c.x1, curve[i].x, curve[i].n, 1);
        page_chart_extend(&c.y0, &c.y1, curve[i].y, curve[i].n, 1);
        page_chart_key(&c, styles[i], sal_contact_model_name(i));
    }
    if (p->low < p->high) {
        c.y0 = p->low, c.y1 = p->high;
    }
    page_chart_begin(&c);
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        for (int k = 0; k < curve[i].n; k++) { /* beyond the frame */
            const double y = curve[i].y[k];
            curve[i].y[k] = y >= c.y0 && y <= c.y1 ? y : (double)NAN;
        }
        page_chart_line(&c, curve[i].x, curve[i].y, curve[i].n, styles[i]);
    }
    page_chart_end(&c);
}

static void draw(sal_text *out, const struct figure *f)
{
    enum { GAP = 8, HEIGHT = PAGE_PRINT_HEIGHT + 2 * 16 /* of the legend */ };
    const double width = ACROSS * (PAGE_PRINT_WIDTH + GAP) - GAP;
    page_svg_put(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                 "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 % %\" width=\"%\" "
                 "role=\"img\">\n<style>$</style>\n",
                 width, (double)HEIGHT * f->npanel / ACROSS, width, style);
    sal_text_format(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"var(--card)\"/>\n");
    for (int i = 0; i < f->npanel; i++) {
        page_svg_put(out, "<g transform=\"translate(%,%)\">\n",
                     (double)(i % ACROSS) * (PAGE_PRINT_WIDTH + GAP),
                     (double)(i / ACROSS) * HEIGHT);
        draw_panel(out, &f->panel[i]);
        sal_text_add(out, "</g>\n");
    }
    sal_text_add(out, "</svg>\n");
}

/* ---- comparing ---- */

/* Is the same drawn, up to half a pixel? Rounding differs between machines. */
static bool looks_alike(const char *a, const char *b)
{
    while (*a != 0 && *b != 0) {
        const char *after_a, *after_b;
        double x, y;
        const bool number = (*a >= '0' && *a <= '9') || *a == '-' || *a == '.';
        if (number && sal_text_number(a, &after_a, &x) && sal_text_number(b, &after_b, &y)) {
            if (!(fabs(x - y) <= 0.5)) {
                return false;
            }
            a = after_a, b = after_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static void figures_are_up_to_date(void)
{
    const char *root = getenv("SALTUS_ROOT");
    for (int i = 0; i < FIGURES; i++) {
        char path[1024], *old = NULL;
        size_t length;
        sal_text fresh = {0};
        sal_err err;
        snprintf(path, sizeof path, "%s/docs/contact_models/%s.svg", root == NULL ? "." : root,
                 figures[i].file);
        draw(&fresh, &figures[i]);
        if (getenv("SALTUS_UPDATE") != NULL) {
            CHECK_OK(sal_file_write(path, fresh.data, fresh.length, &err), err);
        } else {
            CHECK_OK(sal_text_read_file(path, 1 << 20, &old, &length, &err), err);
            CHECK(old != NULL && looks_alike(old, fresh.data));
        }
        sal_text_clear(&fresh);
        sal_free(old);
    }
}

static void differences_are_found(void)
{
    CHECK(looks_alike("M1.25 3L2 -4", "M1.5 3L2 -4.1"));
    CHECK(!looks_alike("M1.25 3L2 -4", "M1.25 3L3 -4"));
    CHECK(!looks_alike("M1.25 3L2 -4", "M1.25 3M2 -4"));
    CHECK(!looks_alike("M1.25 3L2 -4", "M1.25 3L2 -4Z"));
}

/* ---- what the captions say ---- */

static double last(contact_curve_of *of, int model)
{
    static contact_curve c;
    of(&c, model);
    return c.y[c.n - 1];
}

static double most(contact_curve_of *of, int model)
{
    static contact_curve c;
    of(&c, model);
    double y = c.y[0];
    for (int i = 1; i < c.n; i++) {
        y = fmax(y, c.y[i]);
    }
    return y;
}

/* Friction ends at mu m g = .5 9.81 N; what slides at 3 m/s is lifted by mu v h. */
static void laws_are_those_of_the_page(void)
{
    for (int model = 0; model < SAL_NCONTACTMODELS; model++) {
        const double friction = most(contact_friction_by_slip, model);
        CHECK_NEAR(friction, 0.5 * 9.81, (model == SAL_CONTACT_LOGBARRIER ? 0.1 : 5e-3) * friction);
    }
    CHECK_NEAR(last(contact_height_by_slip, SAL_CONTACT_CONVEX), 0.5 * 3e3 * 0.01, 0.1);
    CHECK_NEAR(last(contact_height_by_slip, SAL_CONTACT_COMPLEMENTARITY), 0, 1e-6);
    /* kappa over the impulse of a weight in a step, which all of it stands on */
    CHECK_NEAR(last(contact_height_by_slip, SAL_CONTACT_HARD), 0.5, 1e-3);
}

/* m/s: over the second half */
static double creep(int model)
{
    static contact_curve c;
    contact_creep_at_rest(&c, model);
    const int end = c.n - 1, middle = end / 2;
    return (pow(10, c.y[end]) - pow(10, c.y[middle])) / (c.x[end] - c.x[middle]);
}

/* Of hard it creeps at r x/(1 - x^2), r = kappa/(mu gamma) of each of four corners, x what share of
 * the bound of friction pushes it, of complementarity at h P/m; and it stops at the deceleration
 * mu g. */
static void boxes_move_as_the_page_says(void)
{
    const double h = 0.01, push = 1.5, gamma = 9.81 * h / 4, kappa = 5e-4 * 9.81 * h;
    const double share = push / (0.5 * 9.81);
    const double slow = kappa / (0.5 * gamma) * share / (1 - share * share);
    CHECK_NEAR(creep(SAL_CONTACT_HARD), slow, 0.05 * slow);
    CHECK_NEAR(creep(SAL_CONTACT_COMPLEMENTARITY), h * push, 0.02 * h * push);
    CHECK_NEAR(last(contact_height_at_rest, SAL_CONTACT_HARD), 4 * 0.5, 0.05);
    for (int model = SAL_CONTACT_HARD; model <= SAL_CONTACT_COMPLEMENTARITY; model++) {
        static contact_curve speed;
        contact_speed_of_slide(&speed, model);
        for (int i = 0; i < 80; i++) {
            CHECK_NEAR(speed.y[i], hypot(4, 0.8) - 0.5 * 9.81 * speed.x[i], 0.1);
        }
        CHECK(fabs(speed.y[90]) < 0.02);
    }
}

int main(void)
{
    RUN(laws_are_those_of_the_page);
    RUN(boxes_move_as_the_page_says);
    RUN(differences_are_found);
    RUN(figures_are_up_to_date);
    return check_done();
}
