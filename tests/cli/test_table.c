/* `saltus table` and `saltus sweep --status` of a small sweep: a pendulum with three motors, two
 * durations and two repeats, of which the weakest motor cannot lift it. */
#include "tests/cli/command.h"

#include "sweeps/folder.h"

enum { CELLS = 12, FIELDS = 40 };

static const char *at_root(const char *name)
{
    static char path[1100];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, name);
    return path;
}

static const char *sweep_folder(void)
{
    static char path[300];
    if (path[0] == 0) {
        snprintf(path, sizeof path, "%s/sweep", files_folder());
    }
    return path;
}

/* saltus table DIR and `options` */
static int table(const char *options)
{
    char line[2000];
    snprintf(line, sizeof line, "table %s %s", sweep_folder(), options);
    return run(line);
}

static int status(const char *options)
{
    char line[2000];
    snprintf(line, sizeof line, "sweep --status %s %s", sweep_folder(), options);
    return run(line);
}

/* ---- CSV (RFC 4180), read by somebody else ---- */

static char csv_text[sizeof out];
static char *csv_field[64][FIELDS];
static int csv_rows, csv_columns;

/* Takes the table in `out` apart; false if its rows have different numbers of fields. */
static bool read_csv(void)
{
    char *to = csv_text;
    bool even = true;
    int n = 0;
    csv_rows = csv_columns = 0;
    for (const char *s = out; *s != 0 && csv_rows < 64 && n < FIELDS;) {
        csv_field[csv_rows][n++] = to;
        const bool quoted = *s == '"';
        s += quoted;
        while (quoted ? *s != 0 && (*s != '"' || s[1] == '"')
                      : *s != ',' && *s != '\n' && *s != 0) {
            s += quoted && *s == '"';
            *to++ = *s++;
        }
        s += quoted;
        *to++ = 0;
        if (*s == '\n' || *s == 0) {
            even = even && (csv_rows == 0 || n == csv_columns);
            csv_columns = n;
            csv_rows++;
            n = 0;
        }
        s += *s != 0;
    }
    return even && n == 0;
}

static const char *cell(int row, const char *column)
{
    for (int i = 0; i < csv_columns; i++) {
        if (strcmp(csv_field[0][i], column) == 0) {
            return csv_field[row][i];
        }
    }
    return "(no such column)";
}

/* ---- the sweep ---- */

static void a_sweep_is_run(void)
{
    char text[3000], line[1000];
    snprintf(
        text, sizeof text,
        "<sweep name=\"pendulums\" problem=\"%s\">\n"
        "  <axis name=\"motor\" path=\"override/value\" values=\"8 9 1\" template=\"-{} {}\"/>\n"
        "  <axis name=\"duration\" path=\"time/duration\" values=\"2 2.5\"/>\n"
        "  <repeat count=\"2\" path=\"init/seed\"/>\n"
        "</sweep>\n",
        at_root("examples/pendulum_quick.xml"));
    files_write("s.xml", text, strlen(text));
    snprintf(line, sizeof line, "sweep %s -o %s -j 2 -q", files_path("s.xml"), sweep_folder());
    CHECK(run(line) == 6);
}

static void the_table_has_what_solve_finds(void)
{
    static const char *const motor[] = {"8", "9", "1"};
    char line[2000];
    CHECK(table("") == 6);
    SAYS(errors, "4 cells are without a solution (failed or unsolved)");
    CHECK(read_csv() && csv_rows == CELLS + 1);
    for (int i = 0; i < CELLS && csv_rows == CELLS + 1; i++) {
        CHECK_TEXT(cell(i + 1, "motor"), motor[i / 4]);
        CHECK_TEXT(cell(i + 1, "duration"), i / 2 % 2 == 0 ? "2" : "2.5");
        CHECK_TEXT(cell(i + 1, "repeat"), i % 2 == 0 ? "0" : "1");
        CHECK_TEXT(cell(i + 1, "status"), i < 8 ? "converged" : "infeasible");
        CHECK_TEXT(cell(i + 1, "reason"), i < 8 ? "" : "violated: ctrlrange of motor");
    }
    CHECK(table("-q --columns cost,figure:duration --where motor=8 --where duration=2.5 --where "
                "repeat=1") == 0);
    CHECK(errors[0] == 0 && read_csv() && csv_rows == 2);
    const double cost = strtod(cell(1, "cost"), NULL);
    CHECK_NEAR(strtod(cell(1, "figure:duration"), NULL), 2.5, 0);
    /* the example's own motor is that of 8 N m, and the second seed is 2 */
    snprintf(line, sizeof line,
             "solve -q %s -o %s --json --set time/duration=2.5 --set init/seed=2",
             at_root("examples/pendulum_quick.xml"), files_path("one"));
    CHECK(run(line) == 0);
    CHECK_NEAR(cost, json_number("cost"), 0);
}

/* The table does not depend on who solved what: here in one process, and cells copied together from
 * two folders. */
static void it_is_the_same_however_the_cells_came(void)
{
    char line[2000], command[1200];
    CHECK(table("-q --columns motor,duration,repeat,status,cost,term[effort],cell,from") == 6);
    char *first = strdup(out);
    for (int i = 1; i <= 2; i++) {
        snprintf(line, sizeof line, "sweep %s -o %s/part%d -j 1 -q --shard %d/2",
                 files_path("s.xml"), files_folder(), i, i);
        const int code = run(line);
        CHECK(code == 0 || code == 6);
    }
    snprintf(command, sizeof command, "cp -r %s/part2/cells/. %s/part1/cells/", files_folder(),
             files_folder());
    CHECK(system(command) == 0);
    snprintf(line, sizeof line,
             "table %s/part1 -q --columns motor,duration,repeat,status,cost,term[effort],cell,from",
             files_folder());
    CHECK(run(line) == 6);
    CHECK_TEXT(out, first);
    free(first);
}

static void formats(void)
{
    CHECK(table("-q --format json") == 6);
    const char *end = json_space(json_value(out));
    CHECK(out[0] == '[' && end != NULL && *end == 0);
    SAYS(out, "\"motor\":9,\"duration\":2.5,\"repeat\":1,\"status\":\"converged\"");
    CHECK(table("-q --format md") == 6);
    const size_t width = strcspn(out, "\n");
    int lines = 0;
    for (const char *s = out; *s != 0; s += strcspn(s, "\n") + 1, lines++) {
        CHECK(strcspn(s, "\n") == width && *s == '|' && s[width - 1] == '|');
    }
    CHECK(lines == CELLS + 2);
    char options[1000];
    snprintf(options, sizeof options, "-q -o %s --where status=converged", files_path("t.json"));
    CHECK(table(options) == 0 && out[0] == 0);
    slurp("t.json", out, sizeof out);
    CHECK(out[0] == '[' && strstr(out, "infeasible") == NULL);
    CHECK(table("--format xml") == 2);
    SAYS(errors, "--format must be csv, json or md");
}

static void the_best_groups_and_order(void)
{
    CHECK(table("-q --best --columns motor,duration,status,cost,motion") == 6);
    CHECK(read_csv() && csv_rows == CELLS / 2 + 1);
    for (int i = 1; i <= 4; i++) {
        CHECK(access(cell(i, "motion"), R_OK) == 0); /* and it can be played */
    }
    CHECK(cell(6, "cost")[0] == 0 && strcmp(cell(6, "status"), "infeasible") == 0);
    CHECK(table("-q --group motor --columns motor,cells,n,lowest=min:cost,holes --sort -lowest") ==
          6);
    CHECK(read_csv() && csv_rows == 4);
    CHECK_TEXT(cell(3, "motor"), "1");
    CHECK_TEXT(cell(3, "n"), "0");
    CHECK_TEXT(cell(3, "holes"), "4 infeasible");
    CHECK(strtod(cell(1, "lowest"), NULL) >= strtod(cell(2, "lowest"), NULL));
}

static void faults(void)
{
    CHECK(table("--columns motr,cost --where stats=1 --sort x --group y") == 3);
    SAYS(errors, "did you mean 'motor'?");
    SAYS(errors, "did you mean 'status'?");
    SAYS(errors, "5 errors");
    CHECK(run("table /nowhere") == 5);
    SAYS(errors, "not the folder of a sweep");
    char line[600];
    snprintf(line, sizeof line, "table %s", files_folder());
    CHECK(run(line) == 5);
    CHECK(run("table") == 2 && run("table a b") == 2);
}

/* One record is taken away, another cut short, and somebody holds a lock. */
static void while_it_runs(void)
{
    char path[600], *text;
    size_t n;
    sal_err err = {0};
    CHECK(status("") == 6);
    SAYS(out, "12 of 12 cells done: 8 physical, 4 unsolved, 0 failed; 0 running, 0 waiting");
    SAYS(out, "4 x infeasible: violated: ctrlrange of motor, first at motor=1 duration=2 repeat=0");
    CHECK(table("-q --columns cell --where repeat=0") == 6 && read_csv() && csv_rows == 7);
    char *hash[3] = {csv_field[1][0], csv_field[2][0], csv_field[3][0]};
    swp_cell_path(path, sizeof path, sweep_folder(), hash[0], ".tsv");
    CHECK(remove(path) == 0);
    swp_cell_path(path, sizeof path, sweep_folder(), hash[1], ".tsv");
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &n, &err), err);
    CHECK(truncate(path, (off_t)n / 2) == 0);
    const int lock = swp_cell_lock(sweep_folder(), hash[0], &err);
    CHECK(lock >= 0);
    CHECK(status("--json") == 6 && is_json(out));
    CHECK(json_number("cells") == 12 && json_number("done") == 10 && json_number("physical") == 6 &&
          json_number("unsolved") == 4);
    CHECK(json_number("running") == 1 && json_number("waiting") == 1 && json_number("failed") == 0);
    CHECK(json_number("left") >= 0 && json_number("last") >= 0);
    swp_cell_unlock(lock);
    CHECK(table("-q --where status=waiting") == 0 && read_csv() && csv_rows == 3);
    CHECK_TEXT(cell(1, "cost"), "");
    CHECK(table("--where kind=physical") == 0);
    CHECK(table("") == 6);
    SAYS(errors, "2 cells are not done");
    CHECK_OK(sal_file_write(path, text, n, &err), err);
    CHECK(status("") == 6);
    SAYS(out, "11 of 12 cells done: 7 physical");
    SAYS(out, "no process is working on this sweep");
    sal_free(text);
}

/* What the machine did is told apart from what physics forbids. */
static void failures_of_the_machine(void)
{
    sal_err err = {0};
    CHECK(table("-q --columns cell --where repeat=0") == 6 && read_csv() && csv_rows == 7);
    const sal_record r = {.status = "failed",
                          .kind = "time limit",
                          .exit_code = 1,
                          .tries = 2,
                          .version = "0 (other)",
                          .seconds = 77,
                          .reason = "more than 60 s"};
    CHECK_OK(swp_record_write(&r, sweep_folder(), csv_field[1][0], false, &err), err);
    CHECK(status("") == 6);
    SAYS(out, "1 failed; 0 running, 0 waiting");
    SAYS(out, "1 x time limit: more than 60 s, first at motor=8 duration=2 repeat=0");
    SAYS(out, "slowest   77 s, failed, at motor=8");
    SAYS(out, "1 of the cells by saltus 0 (other)");
    CHECK(table("-q --best --columns status,kind,reason,cost --where motor=8 --where duration=2 "
                "--where repeat=0") == 6 &&
          read_csv());
    CHECK_TEXT(out, "status,kind,reason,cost\nfailed,time limit,more than 60 s,\n");
    CHECK(table("-q --best --columns kind --where motor=8") ==
          0); /* the other repeat is a solution */
}

int main(void)
{
    RUN(a_sweep_is_run);
    RUN(the_table_has_what_solve_finds);
    RUN(it_is_the_same_however_the_cells_came);
    RUN(formats);
    RUN(the_best_groups_and_order);
    RUN(faults);
    RUN(while_it_runs);
    RUN(failures_of_the_machine);
    files_remove();
    return check_done();
}
