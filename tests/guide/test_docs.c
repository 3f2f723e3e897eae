/* The pages of docs/ contain the tables of the program as it knows them. SALTUS_UPDATE=1 in the
 * environment rewrites these parts. */
#include "cli/cli.h"
#include "tests/check.h"

#include "guide/markdown.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"
#include "problems/language/contact_choice.h"
#include "problems/language/grammar.h"
#include "problems/problems.h"
#include "problems/result/diagnose.h"

static void exit_codes(sal_text *out)
{
    sal_text_add(out, "| exit code | means |\n|---|---|\n");
#define EXIT_ROW(code, number, meaning) sal_text_format(out, "| %d | %s |\n", number, meaning);
    CLI_EXIT_LIST(EXIT_ROW)
#undef EXIT_ROW
}

static void findings(sal_text *out)
{
    sal_text_add(out, "| finding | level | advice |\n|---|---|---|\n");
#define FINDING_ROW(code, name, level, advice)                                                     \
    sal_text_format(out, "| %s | %d | %s |\n", name, level, advice);
    PRB_FINDING_LIST(FINDING_ROW)
#undef FINDING_ROW
}

/* The part of a page between two lines is what `write` says. */
static void part_is_up_to_date(const char *name, const char *begin_mark, const char *end_mark,
                               void (*write)(sal_text *out))
{
    char path[1024], *page;
    size_t length;
    sal_err err;
    sal_text fresh = {0};
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/docs/%s", root == NULL ? "." : root, name);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &page, &length, &err), err);
    const char *begin = page == NULL ? NULL : strstr(page, begin_mark);
    const char *end = page == NULL ? NULL : strstr(page, end_mark);
    CHECK(begin != NULL && end != NULL && begin < end);
    if (begin == NULL || end == NULL) {
        return;
    }
    begin += strlen(begin_mark);
    sal_text_addn(&fresh, page, (size_t)(begin - page));
    write(&fresh);
    sal_text_add(&fresh, end);
    const bool same = strcmp(fresh.data, page) == 0;
    if (!same && getenv("SALTUS_UPDATE") != NULL) {
        CHECK_OK(sal_file_write(path, fresh.data, fresh.length, &err), err);
    } else {
        CHECK(same);
    }
    sal_text_clear(&fresh);
    sal_free(page);
}

static void the_pages_are_up_to_date(void)
{
    part_is_up_to_date("problem_file.md", "<!-- table -->\n", "<!-- end of the table -->\n",
                       gde_markdown_problem);
    part_is_up_to_date("sweeps.md", "<!-- sweep table -->\n", "<!-- end of the sweep table -->\n",
                       gde_markdown_sweep);
    part_is_up_to_date("problem_file.md", "<!-- norms -->\n", "<!-- end of the norms -->\n",
                       gde_markdown_norms);
    part_is_up_to_date("command.md", "<!-- exit codes -->\n", "<!-- end of the exit codes -->\n",
                       exit_codes);
    part_is_up_to_date("command.md", "<!-- findings -->\n", "<!-- end of the findings -->\n",
                       findings);
    part_is_up_to_date("contact_models.md", "<!-- models -->\n", "<!-- end of the models -->\n",
                       gde_markdown_contact_models);
}

/* m: how deep the cube of models/box.xml gets that falls .2 m with steps of h */
static double depth_of_a_fall(int model, double h)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024];
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_contact_option o;
    sal_err err;
    double lowest = 1;
    snprintf(path, sizeof path, "%s/models/box.xml", root == NULL ? "." : root);
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    m->opt.timestep = h;
    sal_contact_defaults(&o, m, model);
    CHECK_OK(sal_model_contact(m, &o, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[2] = 0.45;
    for (double t = 0; t < 1; t += h) {
        CHECK_OK(sal_step(m, d, &err), err);
        lowest = fmin(lowest, d->qpos[2] - 0.25);
    }
    sal_data_free(d);
    sal_model_free(m);
    return -lowest;
}

/* The depths in the table of contact models, "6, 45 mm", are those of a fall. */
static void depths_of_contact_models_are_true(void)
{
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        const char *said = prb_contact_choice_of(i)->is[PRB_CONTACT_DEPTH];
        char *end;
        const double fine = strtod(said, &end), coarse = *end == ',' ? strtod(end + 1, NULL) : -1;
        const double mm[] = {1e3 * depth_of_a_fall(i, 0.01), 1e3 * depth_of_a_fall(i, 0.05)};
        printf("     %s: %.3g, %.3g mm\n", sal_contact_model_name(i), mm[0], mm[1]);
        CHECK_NEAR(fine, mm[0], 0.1 * fabs(mm[0]) + 1e-3);
        CHECK_NEAR(coarse, mm[1], 0.1 * fabs(mm[1]) + 1e-3);
    }
}

static void defaults_are_values_the_table_allows(void)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < all[i].nattr; k++) {
            const prb_rule *rule = &all[i].attr[k];
            char why[200] = "";
            const bool good = rule->preset == NULL || rule->preset == prb_required ||
                              prb_grammar_allows(rule, rule->preset, why, sizeof why);
            CHECK_TEXT(good ? "" : why, "");
        }
    }
}

/* Every sensor stands on docs/sensors.md. */
static void the_page_of_sensors_is_complete(void)
{
    static const char *const elements[] = {
#define ELEMENT(code, element, dim, stage, datatype) element,
        SAL_SENSOR_LIST(ELEMENT)
#undef ELEMENT
    };
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], quoted[64], *page;
    size_t length;
    sal_err err;
    snprintf(path, sizeof path, "%s/docs/sensors.md", root == NULL ? "." : root);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &page, &length, &err), err);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        snprintf(quoted, sizeof quoted, "`%s`", elements[i]);
        if (strstr(page, quoted) == NULL) {
            printf("  docs/sensors.md lacks %s\n", quoted);
        }
        CHECK(strstr(page, quoted) != NULL);
    }
    sal_free(page);
}

/* "linearisations" of examples/logs/NAME.json; -1: there is no such log */
static int logged_linearisations(const char *root, const char *name, int n)
{
    char path[1024], *log;
    size_t length;
    sal_err err;
    snprintf(path, sizeof path, "%s/examples/logs/%.*s.json", root, n, name);
    if (sal_text_read_file(path, 1 << 20, &log, &length, &err) != SAL_OK) {
        return -1;
    }
    const char *key = strstr(log, "\"linearisations\": ");
    const int value = key == NULL ? -1 : atoi(key + strlen("\"linearisations\": "));
    sal_free(log);
    return value;
}

/* The fifth cell of a row; NULL: it has fewer. */
static const char *fifth_cell(const char *row, const char *end)
{
    int bars = 0;
    for (const char *c = row; c < end; c++) {
        bars += *c == '|';
        if (bars == 5) {
            return c + 1;
        }
    }
    return NULL;
}

/* The tables of docs/benchmarks.md count linearisations as the logs of the examples do. */
static void linearisations_are_those_of_the_logs(void)
{
    const char *root = getenv("SALTUS_ROOT") == NULL ? "." : getenv("SALTUS_ROOT");
    char path[1024], *page;
    size_t length;
    sal_err err;
    int rows = 0;
    snprintf(path, sizeof path, "%s/docs/benchmarks.md", root);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &page, &length, &err), err);
    for (const char *row = strstr(page, "\n| `"); row != NULL; row = strstr(row + 1, "\n| `")) {
        const char *name = row + strlen("\n| `"), *end = strchr(name, '\n');
        const int n = (int)strcspn(name, "`"), logged = logged_linearisations(root, name, n);
        const char *cell = end == NULL ? NULL : fifth_cell(row + 1, end);
        if (logged < 0 || cell == NULL) {
            continue;
        }
        if (atoi(cell) != logged) {
            printf("  docs/benchmarks.md: %.*s has %d linearisations, the log %d\n", n, name,
                   atoi(cell), logged);
        }
        CHECK(atoi(cell) == logged);
        rows++;
    }
    CHECK(rows >= 10);
    sal_free(page);
}

int main(void)
{
    RUN(linearisations_are_those_of_the_logs);
    RUN(the_page_of_sensors_is_complete);
    RUN(the_pages_are_up_to_date);
    RUN(depths_of_contact_models_are_true);
    RUN(defaults_are_values_the_table_allows);
    return check_done();
}
