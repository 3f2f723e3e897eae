/* The page of a sweep, of views made by hand: what must be in it is counted here from how they were
 * made. */
#define _GNU_SOURCE
#include "tests/folder.h"
#include "tests/problems/markup.h"
#include "tests/problems/motions.h"

#include "pages/pages.h"
#include "pages/sweep_page.h"

#include <sys/stat.h>
#include <time.h>

/* ---- views ---- */

enum { MOST_AXES = 4, NFIGURE = 3 };

typedef struct made {
    sal_sweep_view view;
    sal_figure *figure;
    char (*text)[24];
} made;

/* Cells of n[0] x n[1] x .. points times nrepeat, all waiting; the last axis runs fastest. */
static void make(made *m, int naxis, char **axis, const int *n, int nrepeat)
{
    static char name[] = "made";
    sal_sweep_view *v = &m->view;
    int npoint = 1;
    for (int a = 0; a < naxis; a++) {
        npoint *= n[a];
    }
    *v = (sal_sweep_view){.folder = folder, .name = name, .naxis = naxis, .nrepeat = nrepeat};
    v->ncell = npoint * nrepeat;
    const size_t ncell = (size_t)v->ncell;
    v->axis = axis;
    v->hash = sal_alloc(ncell, sizeof *v->hash);
    v->value = sal_alloc(ncell * (size_t)naxis, sizeof(char *));
    v->point = sal_alloc(ncell, sizeof(int));
    v->repeat = sal_alloc(ncell, sizeof(int));
    v->record = sal_alloc(ncell, sizeof(sal_record));
    v->motion = sal_alloc(ncell, sizeof(bool));
    m->figure = sal_alloc(ncell * NFIGURE, sizeof(sal_figure));
    m->text = sal_alloc(ncell * MOST_AXES, sizeof *m->text);
    for (int c = 0; c < v->ncell; c++) {
        snprintf(v->hash[c], SAL_HASH_SIZE, "%064x", c);
        v->point[c] = c / nrepeat;
        v->repeat[c] = c % nrepeat;
        for (int a = naxis - 1, rest = v->point[c]; a >= 0; rest /= n[a--]) {
            char *text = m->text[c * MOST_AXES + a];
            snprintf(text, sizeof m->text[0], "%g", 1 + 0.5 * (rest % n[a]));
            v->value[c * naxis + a] = text;
        }
    }
}

static void clear(made *m)
{
    sal_free(m->view.hash);
    sal_free(m->view.value);
    sal_free(m->view.point);
    sal_free(m->view.repeat);
    sal_free(m->view.record);
    sal_free(m->view.motion);
    sal_free(m->figure);
    sal_free(m->text);
}

static void set_figure(sal_record *r, const char *name, const char *unit, double value)
{
    sal_figure *f = r->figure + r->nfigure++;
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->unit, sizeof f->unit, "%s", unit);
    f->value = value;
}

/* The cell is done, with cost, term[effort] and speed. */
static void finish(made *m, int c, const char *kind, double cost)
{
    sal_record *r = m->view.record + c;
    r->figure = m->figure + c * NFIGURE;
    r->nfigure = 0;
    snprintf(r->kind, sizeof r->kind, "%s", kind);
    snprintf(r->status, sizeof r->status, "%s",
             strcmp(kind, "physical") == 0   ? "converged"
             : strcmp(kind, "unsolved") == 0 ? "infeasible"
                                             : "failed");
    snprintf(r->version, sizeof r->version, "0.1.0 (test)");
    r->seconds = 2 + 0.1 * (c % 7);
    if (isfinite(cost)) {
        set_figure(r, "cost", "", cost);
        set_figure(r, "term[effort]", "", 0.4 * cost + 0.1);
        set_figure(r, "speed", "m/s", 1 + 0.001 * c);
    }
}

/* A valley along the first axis that moves with the second. */
static double valley(int i, int k)
{
    const double x = 1 + 0.5 * i, y = 1 + 0.5 * k;
    return 3 + 0.4 * (x - 1.5 - 0.8 * y) * (x - 1.5 - 0.8 * y) + 0.6 * y;
}

/* 12 x 5 cells: two unsolved, one failed, two waiting, the others physical. */
enum { NX = 12, NY = 5, UNSOLVED1 = 3, UNSOLVED2 = 57, FAILED = 22, WAITING1 = 50, WAITING2 = 51 };

static void make_grid(made *m)
{
    static char speed[] = "speed", mass[] = "mass";
    static char *axis[] = {speed, mass};
    const int n[] = {NX, NY};
    make(m, 2, axis, n, 1);
    for (int c = 0; c < NX * NY; c++) {
        if (c == FAILED) {
            finish(m, c, "time limit", (double)NAN);
            snprintf(m->view.record[c].reason, sizeof m->view.record[c].reason,
                     "it took longer than 60 s");
        } else if (c != WAITING1 && c != WAITING2) {
            const bool unsolved = c == UNSOLVED1 || c == UNSOLVED2;
            finish(m, c, unsolved ? "unsolved" : "physical",
                   valley(c / NY, c % NY) + (unsolved ? 0.8 : 0));
        }
    }
}

/* Motions of some cells. */
static void add_motion(made *m, int c)
{
    motion a;
    sal_err err = {0};
    char path[512], *slash;
    sal_sweep_motion(path, sizeof path, folder, m->view.hash[c]);
    for (slash = path + strlen(folder); (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    motion_cycle(&a);
    CHECK_OK(sal_result_write(a.r, path, &err), err);
    m->view.motion[c] = true;
    motion_clear(&a);
}

/* ---- pages ---- */

/* The page is also kept, to be looked at, where SALTUS_PAGES says. */
static void page_of(const made *m, sal_text *page, const char *name)
{
    sal_err err = {0};
    CHECK_OK(sal_sweep_report(&m->view, page, &err), err);
    char *markup = strdup(page->data);
    empty_scripts(markup);
    CHECK(count_elements(markup) > 20);
    for (size_t i = 0; i < page->length; i += sal_text_utf8(page->data + i)) {
        if (sal_text_utf8(page->data + i) == 0) {
            CHECK(false);
            break;
        }
    }
    const char *const never[] = {"src=", "href=",  "url(http", "=\"nan",
                                 "nan ", "=\"inf", "=\"-inf",  "@import"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        CHECK(strstr(markup, never[i]) == NULL);
    }
    free(markup);
    const char *pages = getenv("SALTUS_PAGES");
    if (pages != NULL) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s.html", pages, name);
        CHECK_OK(sal_file_write(path, page->data, page->length, &err), err);
    }
}

/* Between two marks of the page; "" where the first is not there. */
static const char *part_of(const sal_text *page, const char *from, const char *to)
{
    static char part[4000000];
    const char *begin = strstr(page->data, from), *end = begin == NULL ? NULL : strstr(begin, to);
    snprintf(part, sizeof part, "%.*s", end == NULL ? 0 : (int)(end - begin),
             begin == NULL ? "" : begin);
    return part;
}

static void a_grid_is_drawn_whole(void)
{
    made m;
    sal_text page = {0};
    make_grid(&m);
    add_motion(&m, 0);
    add_motion(&m, 26);
    add_motion(&m, NX * NY - 1);
    page_of(&m, &page, "grid");
    CHECK(strstr(page.data, "INCOMPLETE: 2 of 60 cells are still waiting.") != NULL);
    /* cost and effort; the speed is no column: 57 cells have figures, of which two are unsolved */
    const char *curves = part_of(&page, "<h2>Over speed</h2>", "</section>");
    CHECK(count(curves, "<svg class=\"chart\"") == 2);
    CHECK(count(curves, "class=\"curve\"") == 2 * NY);
    CHECK(count(curves, "<circle class=\"dot\"") == 2 * 55);
    CHECK(count(curves, "<circle class=\"ring\"") == 2 * 2 + 1); /* and that of the legend */
    curves = part_of(&page, "<h2>Over mass</h2>", "</section>");
    CHECK(count(curves, "class=\"curve\"") == 2 * NX);
    CHECK(count(curves, "<circle class=\"dot\"") == 2 * 55);
    const char *maps = part_of(&page, "<h2>speed \xC3\x97 mass</h2>", "</section>");
    CHECK(count(maps, "<svg class=\"chart heat\"") == 2);
    CHECK(count(maps, "</title></rect>") == 2 * NX * NY);
    CHECK(count(maps, "class=\"hole\"><title>speed 3, mass 2: time limit: it took longer than 60 s"
                      "</title>") == 2);
    CHECK(count(maps, "class=\"waits\"><title>") == 2 * 2);
    CHECK(count(maps, "class=\"lowest\" x=") == 2 + 1);
    CHECK(count(page.data, "<tr><td>") == NX * NY + 2); /* the table; two kinds of failure */
    CHECK(strstr(page.data, "<td>59</td>") != NULL);
    CHECK(count(page.data, "<svg class=\"strip\"") ==
          6); /* the best three, and three along the speed */
    sal_text_clear(&page);
    clear(&m);
}

static void nothing_is_there_yet(void)
{
    made m;
    sal_text page = {0};
    make_grid(&m);
    for (int c = 0; c < m.view.ncell; c++) {
        m.view.record[c] = (sal_record){0};
    }
    page_of(&m, &page, "waiting");
    CHECK(strstr(page.data, "INCOMPLETE: 60 of 60") != NULL);
    CHECK(strstr(page.data, "<svg class=\"chart") == NULL);
    sal_text_clear(&page);
    m.view.ncell = 0;
    page_of(&m, &page, "empty");
    CHECK(strstr(page.data, "There are no cells.") != NULL);
    sal_text_clear(&page);
    clear(&m);
}

/* Scatter plots of two axes that go together; the third is of names, and crossed with them. */
static void samples_are_scattered(void)
{
    static char a[] = "a", b[] = "b", gait[] = "gait";
    static char *axis[] = {a, b, gait};
    enum { NSAMPLE = 40, NNAME = 3 };
    const int n[] = {NSAMPLE, 1, NNAME};
    static const char *const names[NNAME] = {"walk", "run", "a hop that has a very long name"};
    made m;
    sal_text page = {0};
    make(&m, 3, axis, n, 1);
    for (int c = 0; c < m.view.ncell; c++) {
        const double x = fmod(0.618034 * (c / NNAME + 1), 1),
                     y = fmod(0.7548777 * (c / NNAME + 1), 1);
        snprintf(m.text[c * MOST_AXES], sizeof *m.text, "%.6f", x);
        snprintf(m.text[c * MOST_AXES + 1], sizeof *m.text, "%.6f", y);
        snprintf(m.text[c * MOST_AXES + 2], sizeof *m.text, "%.23s", names[c % NNAME]);
        finish(&m, c, c % 17 == 5 ? "unsolved" : "physical", (x - 0.3) * (x - 0.3) + y + c % NNAME);
    }
    page_of(&m, &page, "sample");
    const char *part = part_of(&page, "<h2>Over a (a sample)</h2>", "</section>");
    CHECK(count(part, "<svg class=\"chart\"") == 2);
    CHECK(count(part, "<circle class=\"dot\"") + count(part, "<circle class=\"ring\"") ==
          2 * NSAMPLE * NNAME);
    CHECK(strstr(part, "colour: <b>b</b>") != NULL);
    CHECK(strstr(page.data, "<h2>Over b (a sample)</h2>") != NULL);
    CHECK(strstr(page.data, " \xC3\x97 gait</h2>") == NULL); /* maps need two axes */
    CHECK(strstr(page.data, "Complete: ") != NULL);
    sal_text_clear(&page);
    clear(&m);
}

/* Axes that rise together are one. */
static void what_runs_together_is_one_axis(void)
{
    static char mass[] = "mass", strength[] = "strength", speed[] = "speed";
    static char *axis[] = {mass, strength, speed};
    const int n[] = {4, 1, 5};
    made m;
    sal_text page = {0};
    make(&m, 3, axis, n, 1);
    for (int c = 0; c < m.view.ncell; c++) {
        snprintf(m.text[c * MOST_AXES + 1], sizeof *m.text, "%d", 100 * (c / 5 + 1));
        finish(&m, c, "physical", 1 + c);
    }
    page_of(&m, &page, "together");
    CHECK(strstr(page.data, "a sweep of 20 points: 4 mass (with strength) \xC3\x97 5 speed") !=
          NULL);
    CHECK(strstr(page.data, "<h2>speed \xC3\x97 mass (with strength)</h2>") != NULL);
    CHECK(strstr(page.data, "(a sample)") == NULL);
    sal_text_clear(&page);
    clear(&m);
}

/* The command repeats what the sweep sets, in its order, in words of a shell. */
static void a_failed_cell_can_be_solved_alone(void)
{
    static const char xml[] =
        "<sweep problem='a b.xml'><axis name='x' path='geom[#0]/mass' template='{} it&apos;s {}'/>"
        "<repeat count='2' first='7'/><set path='time/nstep' value='9'/>"
        "<continuation axis='y' nstart='5'/><continuation axis='x' noise='.1' softness='.5'/>"
        "<axis name='y' path='travel/speed'/></sweep>";
    static char x[] = "x", y[] = "y";
    static char *axis[] = {x, y};
    const int n[] = {3, 2};
    made m;
    sal_text page = {0};
    sal_err err = {0};
    make(&m, 2, axis, n, 2);
    CHECK_OK(sal_file_write(in_folder("sweep.xml"), xml, sizeof xml - 1, &err), err);
    for (int c = 0; c < m.view.ncell; c++) {
        finish(&m, c, c == 9 ? "crashed" : "physical", 1 + c);
    }
    snprintf(m.view.record[9].from, SAL_HASH_SIZE, "%064x", 5); /* x 2, y 1: from x 1.5 */
    page_of(&m, &page, "alone");
    char wanted[900];
    snprintf(wanted, sizeof wanted,
             "<code>saltus solve &#39;a b.xml&#39; --set time/nstep=9 --set "
             "&#39;geom[#0]/mass=2 it&#39;\\&#39;&#39;s 2&#39; --set travel/speed=1 --set "
             "init/seed=8 --set "
             "init/noise=.1 --set init/nstart=1 --set solver/softness=.5 --set "
             "init/result=%s/cells/00/%064x.h5</code>",
             folder, 5);
    CHECK(strstr(page.data, wanted) != NULL);
    CHECK(strstr(page.data, "<code>travel/speed</code>") != NULL);
    CHECK(strstr(page.data, "<b>y, m/s</b>") != NULL);
    remove(in_folder("sweep.xml"));
    sal_text_clear(&page);
    clear(&m);
}

/* A thousand seeds of one problem: nine tenths physical, costs in three heaps. */
static void seeds_have_a_distribution(void)
{
    made m;
    sal_text page = {0};
    enum { NSEED = 1000 };
    make(&m, 0, NULL, NULL, NSEED);
    for (int c = 0; c < NSEED; c++) {
        const double heap = c % 4 == 0 ? 10 : c % 4 == 1 ? 12 : 15;
        finish(&m, c, c % 10 == 9 ? "unsolved" : "physical", heap * (1 + 2e-6 * (c / 10)));
    }
    page_of(&m, &page, "seeds");
    /* the lowest of c % 4 == 0 is c = 0; all of that heap, less those of c % 10 == 9 (none: 9 + 10
     * k is odd), lie within 1 % */
    CHECK(strstr(page.data,
                 "Of 1000 cells that are done, 900 (90\xC2\xA0%) are physical; of these 250 are "
                 "within 1\xC2\xA0%, 250 within 10\xC2\xA0% of the lowest cost; lowest 10,") !=
          NULL);
    int sum = 0;
    const char *part = part_of(&page, "<h2>Distribution", "</section>");
    for (const char *s = strstr(part, "<title>"); s != NULL; s = strstr(s + 1, "<title>")) {
        int cells = 0;
        sum += sscanf(s, "<title>%d cells", &cells) == 1 ? cells : 0;
    }
    CHECK(sum == NSEED);
    sal_text_clear(&page);
    clear(&m);
}

/* Two repeats of each: the lower physical one counts, even where the other, which is no solution,
 * is lower still. */
static void the_best_repeat_stands_for_its_point(void)
{
    static char speed[] = "speed";
    static char *axis[] = {speed};
    const int n[] = {3};
    made m;
    sal_text page = {0};
    page_page *p = NULL;
    sal_err err = {0};
    make(&m, 1, axis, n, 3);
    const double cost[9] = {3, 2, 4, 5, 7, 6, 9, 8, 7};
    for (int c = 0; c < 9; c++) {
        finish(&m, c,
               c == 3 || c == 7 ? "unsolved"
               : c == 8         ? "crashed"
                                : "physical",
               c == 8 ? (double)NAN : cost[c]);
    }
    CHECK_OK(page_new(&p, &m.view, &page, &err), err);
    if (p != NULL) {
        CHECK(p->best[0] == 1 && p->best[1] == 5 && p->best[2] == 6);
        CHECK(p->count[PAGE_CELL_PHYSICAL] == 6 && p->count[PAGE_CELL_UNSOLVED] == 2 &&
              p->count[PAGE_CELL_FAILED] == 1);
    }
    page_free(p);
    sal_text_clear(&page);
    clear(&m);
}

static void hostile_names_stay_text(void)
{
    static char first[] = "</title><script>alert(1)</script>", second[] = "a\"b'&<\x01\xFF%s$";
    static char *axis[] = {first, second};
    static sal_table_column column[2];
    static char figure[] = "cost", title[] = "<b>&\"%d$", absent[] = "no such";
    const int n[] = {3, 3};
    made m;
    sal_text page = {0};
    make(&m, 2, axis, n, 1);
    m.view.name = first;
    column[0] = (sal_table_column){title, figure};
    column[1] = (sal_table_column){absent, absent};
    m.view.column = column;
    m.view.ncolumn = 2;
    for (int c = 0; c < 9; c++) {
        snprintf(m.text[c * MOST_AXES + 1], sizeof *m.text, "<i>%d&\"'$%%", c % 3);
        finish(&m, c, c == 4 ? "crashed" : "physical",
               c == 2   ? (double)INFINITY
               : c == 3 ? 1e300
                        : -c);
        m.view.motion[c] = true; /* it is not there */
        snprintf(m.view.record[c].reason, sizeof m.view.record[c].reason, "<script>%%n$</script>");
        snprintf(m.figure[c * NFIGURE].unit, sizeof m.figure->unit, "<u>$%%s");
    }
    page_of(&m, &page, "hostile");
    const int nscript = sal_report_plays() ? 2 : 1; /* our own: of the table, and the player */
    CHECK(count(page.data, "<script>") == nscript);
    sal_text policy = {0}, own[2] = {{0}, {0}};
    const char *script = page.data;
    for (int k = 0; k < nscript && (script = strstr(script, "<script>")) != NULL; k++) {
        script += strlen("<script>");
        sal_text_addn(&own[k], script, (size_t)(strstr(script, "</script>") - script));
    }
    page_policy(&policy, (const char *const[2]){own[0].data, own[1].data});
    CHECK(strstr(page.data, policy.data) != NULL); /* and only these may run */
    sal_text_clear(&policy);
    sal_text_clear(&own[0]);
    sal_text_clear(&own[1]);
    CHECK(strstr(page.data, "&lt;script&gt;%n$&lt;/script&gt;") != NULL);
    CHECK(strstr(page.data, "a&quot;b&#39;&amp;&lt;\xEF\xBF\xBD\xEF\xBF\xBD%s$") != NULL);
    CHECK(strstr(page.data, "The motion cannot be read: ") != NULL);
    if (sal_report_plays()) { /* that of cell 0 is there, of an earlier case */
        CHECK(strstr(page.data, "7 of 8 motions cannot be read, and do not play. Of the first: ") !=
              NULL);
    }
    sal_text_clear(&page);
    clear(&m);
}

/* 100 x 100 cells: less than a few megabytes, in less than three seconds. */
static void ten_thousand_cells_fit(void)
{
    static char x[] = "x", y[] = "y";
    static char *axis[] = {x, y};
    const int n[] = {100, 100};
    made m;
    sal_text page = {0};
    make(&m, 2, axis, n, 1);
    for (int c = 0; c < m.view.ncell; c++) {
        if (c % 97 != 5) {
            finish(&m, c, c % 31 == 7 ? "unsolved" : "physical", valley(c / 100, c % 100));
        }
    }
    const clock_t begin = clock();
    page_of(&m, &page, "many");
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("10000 cells: %.2f MB in %.2f s\n", 1e-6 * (double)page.length, seconds);
    CHECK(page.length < 3000000);
    CHECK(seconds < 3);
    const char *maps = part_of(&page, "<h2>x \xC3\x97 y</h2>", "</section>");
    CHECK(count(maps, "h1v1h-1z") == 2 * 100 * 100);
    CHECK(strstr(page.data, "The first 2000 of 10000") != NULL);
    sal_text_clear(&page);
    clear(&m);
}

/* So do ten thousand points drawn at random, and a thousand values against three. */
static void large_samples_and_long_axes_fit(void)
{
    static char a[] = "a", b[] = "b", c3[] = "c";
    static char *axis[] = {a, b, c3};
    for (int which = 0; which < 2; which++) {
        const int n[] = {which == 0 ? 10000 : 1000, 1, which == 0 ? 1 : 3};
        made m;
        sal_text page = {0};
        make(&m, 3, axis, n, 1);
        for (int c = 0; c < m.view.ncell; c++) {
            for (int k = 0; k < 3 && which == 0; k++) {
                snprintf(m.text[c * MOST_AXES + k], sizeof *m.text, "%.7f",
                         fmod((0.61803399 + 0.1234567 * k) * (c + 1), 1));
            }
            finish(&m, c, c % 5 == 0 ? "unsolved" : "physical", 1 + fmod(0.37 * c, 1));
        }
        const clock_t begin = clock();
        page_of(&m, &page, which == 0 ? "large_sample" : "long_axis");
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        printf("%d cells: %.2f MB in %.2f s\n", m.view.ncell, 1e-6 * (double)page.length, seconds);
        CHECK(page.length < 4000000);
        CHECK(seconds < 3);
        if (which == 0) {
            CHECK(strstr(page.data, "(about 2000 of 10000 are drawn)") != NULL);
            /* about 2000 in each of two charts, of which a fifth are no solution: there is no
             * pattern in which are drawn */
            const char *part = part_of(&page, "<h2>Over b (a sample)</h2>", "</section>");
            CHECK_NEAR(count(part, "<circle"), 2 * 2000, 300);
            CHECK_NEAR(count(part, "<circle class=\"ring\""), 2 * 400,
                       120); /* three standard deviations */
        } else {
            CHECK(strstr(page.data, "<h2>a \xC3\x97 c</h2>") != NULL);
        }
        sal_text_clear(&page);
        clear(&m);
    }
}

/* Distances in Oklab between colours of the map, from its definition: sRGB -> linear -> LMS -> cube
 * root -> Lab. */
static void to_lab(double lab[3], const char *colour)
{
    unsigned byte[3];
    double c[3];
    CHECK(sscanf(colour, "#%2x%2x%2x", byte, byte + 1, byte + 2) == 3);
    for (int i = 0; i < 3; i++) {
        const double v = byte[i] / 255.0;
        c[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    const double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]),
                 m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]),
                 s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static void colours_are_evenly_spaced(void)
{
    static page_page p;
    double least = 1, most = 0, before[3], lab[3];
    page_map(&p);
    to_lab(before, p.map[0]);
    for (int i = 15; i < PAGE_PAGE_NMAP;
         i += 15) { /* bytes are coarse: a step of one counts little over 15 */
        to_lab(lab, p.map[i]);
        CHECK(lab[0] > before[0]); /* lighter all the way: it reads in grey as well */
        const double distance =
            hypot(hypot(lab[0] - before[0], lab[1] - before[1]), lab[2] - before[2]);
        least = fmin(least, distance), most = fmax(most, distance);
        memcpy(before, lab, sizeof before);
    }
    printf("steps of %.4f to %.4f in Oklab\n", least, most);
    CHECK(most < 1.12 * least);
    CHECK_TEXT(page_map_colour(&p, 1, 1, 3), p.map[0]);
    CHECK_TEXT(page_map_colour(&p, 99, 1, 3), p.map[PAGE_PAGE_NMAP - 1]);
    CHECK_TEXT(page_map_colour(&p, 2, 2, 2), p.map[128]);
}

/* Whatever allocation fails, it is said and nothing is lost. */
static void memory_may_run_out(void)
{
    made m;
    make_grid(&m);
    for (long n = 1; n < 200; n++) {
        sal_text page = {0};
        sal_err err = {0};
        sal_alloc_fail_at(n);
        const sal_status status = sal_sweep_report(&m.view, &page, &err);
        sal_alloc_fail_at(0);
        CHECK(status == SAL_OK || status == SAL_NOMEM);
        sal_text_clear(&page);
        if (status == SAL_OK) {
            CHECK(n > 5);
            break;
        }
    }
    clear(&m);
}

/* One axis of words: a bar for each word, one that is no solution, and one that failed. */
static void words_have_bars(void)
{
    static char model[] = "model";
    static char *axis[] = {model};
    static const char *const names[] = {"soft", "convex", "a very long name of it", "hard"};
    static const char *const kinds[] = {"physical", "physical", "unsolved", "crashed"};
    const double cost[] = {2, -1, 4, (double)NAN};
    const int n[] = {4};
    made m;
    sal_text page = {0};
    make(&m, 1, axis, n, 1);
    for (int c = 0; c < 4; c++) {
        snprintf(m.text[c * MOST_AXES], sizeof *m.text, "%s", names[c]);
        finish(&m, c, kinds[c], cost[c]);
    }
    page_of(&m, &page, "words");
    const char *bars = part_of(&page, "<h2>By model</h2>", "</section>");
    CHECK(count(bars, "<svg class=\"chart bars\"") == 2); /* cost and effort */
    CHECK(count(bars, "<rect class=\"bar fine\"") == 2 * 2);
    CHECK(count(bars, "<rect class=\"bar unsolved\"") == 2 * 2);
    CHECK(count(bars, ">a very long name\xE2\x80\xA6</text>") == 2);
    CHECK(strstr(bars, "<title>model convex: converged</title>") != NULL);
    CHECK(strstr(bars, ">-1</text>") != NULL && strstr(bars, ">crashed") != NULL);
    /* from 0 to 2 is twice as long as from 0 to -1 */
    const char *first = strstr(bars, "<rect class=\"bar fine\"");
    double x[2] = {0}, width[2] = {0};
    for (int i = 0; i < 2 && first != NULL; i++) {
        x[i] = atof(strstr(first, " x=\"") + 4);
        width[i] = atof(strstr(first, " width=\"") + 8);
        first = strstr(first + 1, "<rect class=\"bar fine\"");
    }
    CHECK_NEAR(width[0], 2 * width[1], 0.3);
    CHECK_NEAR(x[1] + width[1], x[0], 0.3);
    sal_text_clear(&page);
    clear(&m);
}

/* Three axes, one of them logarithmic, one of names: a map of two shows of each place the lowest
 * over the third, and says at which value that is. */
static void a_third_axis_is_minimised_over(void)
{
    static char width[] = "width", robot[] = "robot", gain[] = "gain";
    static char *axis[] = {width, robot, gain};
    static const char *const names[] = {"models/small.xml", "models/tall.xml",
                                        "models/humanoid.xml"};
    const int n[] = {7, 3, 4};
    made m;
    sal_text page = {0};
    make(&m, 3, axis, n, 1);
    for (int c = 0; c < m.view.ncell; c++) {
        const int i = c / 12, j = c / 4 % 3, k = c % 4;
        snprintf(m.text[c * MOST_AXES], sizeof *m.text, "%g", pow(10, i - 4));
        snprintf(m.text[c * MOST_AXES + 1], sizeof *m.text, "%.23s", names[j]);
        finish(&m, c, i == 6 && j == 2 ? "unsolved" : "physical",
               10 + (i - 3) * (i - 3) + 3 * j + 0.5 * abs(k - 2));
    }
    page_of(&m, &page, "three");
    CHECK(strstr(page.data, "a sweep of 84 points: 7 width \xC3\x97 3 robot \xC3\x97 4 gain") !=
          NULL);
    const char *maps = part_of(&page, "<h2>width \xC3\x97 robot</h2>", "</section>");
    CHECK(count(maps, "</title></rect>") == 2 * 7 * 3);
    CHECK(strstr(maps, "<title>width 0.1, robot models/small.xml, gain 2: 10</title>") != NULL);
    CHECK(strstr(maps,
                 "<title>width 100, robot models/humanoid.xml, gain 2: 25; infeasible</title>") !=
          NULL);
    CHECK(strstr(page.data, "<h2>width \xC3\x97 gain</h2>") != NULL);
    CHECK(strstr(page.data, "<h2>gain \xC3\x97 robot</h2>") != NULL);
    const char *curves = part_of(&page, "<h2>Over width</h2>", "</section>");
    CHECK(count(curves, "class=\"curve\"") == 2 * 3);
    CHECK(strstr(curves, "class=\"tx\">0.0001</text>") != NULL); /* ticks at powers of ten */
    CHECK(strstr(curves, "class=\"tx\">100</text>") != NULL);
    sal_text_clear(&page);
    clear(&m);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(a_grid_is_drawn_whole);
    RUN(nothing_is_there_yet);
    RUN(samples_are_scattered);
    RUN(what_runs_together_is_one_axis);
    RUN(a_third_axis_is_minimised_over);
    RUN(words_have_bars);
    RUN(a_failed_cell_can_be_solved_alone);
    RUN(seeds_have_a_distribution);
    RUN(the_best_repeat_stands_for_its_point);
    RUN(hostile_names_stay_text);
    RUN(ten_thousand_cells_fit);
    RUN(large_samples_and_long_axes_fit);
    RUN(colours_are_evenly_spaced);
    RUN(memory_may_run_out);
    return check_done();
}
