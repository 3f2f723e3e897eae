/* The page of a sweep, of views made by hand: what must be in it is counted here from how they were made. */
#define _GNU_SOURCE
#include "tests/folder.h"
#include "tests/problems/markup.h"
#include "tests/problems/motions.h"

#include "problems/sweep_page.h"

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
             strcmp(kind, "physical") == 0 ? "converged"
             : strcmp(kind, "poor") == 0   ? "infeasible"
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

/* 12 x 5 cells: two poor, one failed, two waiting, the others physical. */
enum { NX = 12, NY = 5, POOR1 = 3, POOR2 = 57, FAILED = 22, WAITING1 = 50, WAITING2 = 51 };

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
            const bool poor = c == POOR1 || c == POOR2;
            finish(m, c, poor ? "poor" : "physical", valley(c / NY, c % NY) + (poor ? 0.8 : 0));
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
    CHECK(count_elements(page->data) > 20);
    for (size_t i = 0; i < page->length; i += sal_text_utf8(page->data + i)) {
        if (sal_text_utf8(page->data + i) == 0) {
            CHECK(false);
            break;
        }
    }
    const char *const never[] = {"src=", "href=",  "url(http", "=\"nan",
                                 "nan ", "=\"inf", "=\"-inf",  "@import"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        CHECK(strstr(page->data, never[i]) == NULL);
    }
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
    /* cost and effort; the speed is no column: 57 cells have figures, of which two are poor */
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

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(a_grid_is_drawn_whole);
    RUN(nothing_is_there_yet);
    return check_done();
}
