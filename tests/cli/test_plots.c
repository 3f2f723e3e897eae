/* Plots of a result, as a user gets them: which files there are, and what stands in their way. */
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

#include "problems/problems.h"

#include <sys/stat.h>

static const char drawn[] = "motion positions controls torques cost iterations";

static void make_result(void)
{
    if (!exists("reach/result.h5")) {
        sweep_files();
        CHECK(go("solve @reach.xml -q -o @reach") == 0);
    }
}

static int count_ending(const char *folder, const char *ending)
{
    int n = 0;
    DIR *d = opendir(files_path(folder));
    for (struct dirent *e = NULL; d != NULL && (e = readdir(d)) != NULL;) {
        const size_t length = strlen(e->d_name), tail = strlen(ending);
        n += length > tail && strcmp(e->d_name + length - tail, ending) == 0;
    }
    if (d != NULL) {
        closedir(d);
    }
    return n;
}

/* A program of the search path, run with an option (or NULL) and a file of the test's folder; its
 * exit code, or -1: there is none. What it says is in `out`. */
static int run_tool(const char *name, const char *option, const char *file)
{
    char words[3][1200];
    char *argv[] = {words[0], words[1], option == NULL ? NULL : words[2], NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    snprintf(words[0], sizeof words[0], "%s", name);
    snprintf(words[1], sizeof words[1], "%s", option == NULL ? files_path(file) : option);
    snprintf(words[2], sizeof words[2], "%s", files_path(file));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, files_path("out"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    const int fault = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return fault == 0 ? finish(pid) : -1;
}

static bool have_converter(void)
{
    return run_tool("rsvg-convert", "--version", "out") >= 0;
}

/* ---- what is written ---- */

static void every_plot_is_written_and_named(void)
{
    char names[100], file[100], said[200];
    make_result();
    CHECK(go("report @reach --plots @figs1") == 0);
    snprintf(names, sizeof names, "%s", drawn);
    for (char *word = strtok(names, " "); word != NULL; word = strtok(NULL, " ")) {
        snprintf(file, sizeof file, "figs1/%s.svg", word);
        snprintf(said, sizeof said, "/figs1/%s.svg", word);
        CHECK(exists(file));
        SAYS(errors, said);
    }
    const int n = count_ending("figs1", ".svg");
    CHECK(n >= 4 && count_ending("figs1", ".tmp") == 0 && !exists("reach/page.html"));
    CHECK(go("report @reach -q --plots @figs1") == 0 && out[0] == 0 && errors[0] == 0);
    CHECK(count_ending("figs1", ".svg") == n);
}

/* By programs that are not ours */
static void svg_files_are_well_formed(void)
{
    make_result();
    CHECK(go("report @reach -q --plots @figs2") == 0);
    const int code = run_tool("xmllint", "--noout", "figs2/positions.svg");
    if (code < 0) {
        SKIP("there is no xmllint");
    }
    CHECK(code == 0);
    CHECK(run_tool("xmllint", "--noout", "figs2/motion.svg") == 0);
}

static void pdf_files_have_the_width_of_a_column(void)
{
    double wide = 0, high = 0;
    make_result();
    if (!have_converter()) {
        SKIP("there is no rsvg-convert");
    }
    CHECK(go("report @reach --plots @figs3") == 0);
    SAYS(errors, "/figs3/positions.svg, .pdf\n");
    CHECK(count_ending("figs3", ".pdf") == count_ending("figs3", ".svg"));
    if (run_tool("pdfinfo", NULL, "figs3/positions.pdf") < 0) {
        SKIP("there is no pdfinfo");
    }
    const char *size = strstr(out, "Page size:");
    CHECK(size != NULL && sscanf(size, "Page size: %lf x %lf pts", &wide, &high) == 2);
    CHECK_NEAR(wide * 25.4 / 72, 88, 0.3);
    CHECK(high > 90 && high < 200 && strstr(out, "Pages:           1\n") != NULL);
    CHECK(run_tool("pdffonts", NULL, "figs3/positions.pdf") < 0 || strstr(out, " yes ") != NULL);
}

/* The curve that is drawn is that of result.h5. */
static void the_numbers_are_those_of_the_file(void)
{
    static char svg[100000];
    sal_result *r = NULL;
    sal_err err = {0};
    double x = 0, y = 0, tick[2] = {0, 0}, value[2] = {0, 0}, skip[3];
    int n = 0;
    make_result();
    CHECK(go("report @reach -q --plots @figs4") == 0);
    CHECK_OK(sal_result_read(&r, files_path("reach/result.h5"), &err), err);
    slurp("figs4/positions.svg", svg, sizeof svg);
    for (const char *s = strstr(svg, " d=\"M"); s != NULL; s = strstr(s + 1, " d=\"M")) {
        double at[2], number;
        if (sscanf(s,
                   " d=\"M%lf %lfH%lf\"/><text x=\"%lf\" y=\"%lf\" style=\"text-anchor:end\">%lf",
                   at, at + 1, skip, skip + 1, skip + 2, &number) == 6) {
            const int i = n++ > 0;
            tick[i] = at[1], value[i] = number;
        }
    }
    const char *line = strstr(svg, "stroke-linejoin:round;stroke:#000\" d=\"M");
    CHECK(n >= 2 && line != NULL && r != NULL);
    const char *last = line == NULL ? NULL : strchr(line, '>');
    while (last != NULL && *last != 'L') {
        last--;
    }
    CHECK(last != NULL && sscanf(last, "L%lf %lf", &x, &y) == 2);
    if (r != NULL && n >= 2) {
        int rows = 0, columns = 0;
        const double *q = sal_result_array(r, "qpos", &rows, &columns);
        const double per = (value[1] - value[0]) / (tick[1] - tick[0]);
        CHECK(q != NULL && rows > 1 && columns == 1);
        CHECK_NEAR(value[0] + per * (y - tick[0]), q == NULL ? 0 : q[rows - 1], 0.011 * fabs(per));
    }
    sal_result_free(r);
}

/* ---- converters ---- */

static void without_a_converter_there_are_no_pdf_files(void)
{
    char path[4000];
    make_result();
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    CHECK(go("report @reach --plots @figs5") == 0);
    setenv("PATH", path, 1);
    SAYS(errors, "no PDF files were written: rsvg-convert is not installed");
    SAYS(errors, "librsvg2-bin");
    CHECK(strstr(strstr(errors, "librsvg2-bin") + 1, "librsvg2-bin") == NULL);
    CHECK(count_ending("figs5", ".svg") >= 4 && count_ending("figs5", ".pdf") == 0);
}

static void a_converter_that_fails_leaves_nothing(void)
{
    char path[4000], with[5000];
    make_result();
    files_write("rsvg-convert", "#!/bin/sh\necho half >\"$3\"\nexit 1\n", 33);
    CHECK(chmod(files_path("rsvg-convert"), 0755) == 0);
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    snprintf(with, sizeof with, "%s:%s", files_folder(), path);
    setenv("PATH", with, 1);
    CHECK(go("report @reach --plots @figs6") == 5);
    setenv("PATH", path, 1);
    SAYS(errors, "error: rsvg-convert cannot make '");
    CHECK(count_ending("figs6", ".pdf") == 0 && count_ending("figs6", ".tmp") == 0);
}

/* ---- faults ---- */

static void files_of_another_kind_stay(void)
{
    static char now[100];
    make_result();
    CHECK(mkdir(files_path("figs7"), 0777) == 0);
    files_write("figs7/torques.svg", "mine", 4);
    CHECK(go("report @reach --plots @figs7") == 2);
    SAYS(errors, "figs7/torques.svg' would be overwritten: it is a text");
    SAYS(errors, "give another path with --plots");
    slurp("figs7/torques.svg", now, sizeof now);
    CHECK_TEXT(now, "mine");
    CHECK(count_ending("figs7", ".svg") == 1); /* nothing was written before that was seen */
    CHECK(unlink(files_path("figs7/torques.svg")) == 0);
    files_write("figs7/motion.pdf", "mine", 4);
    CHECK(go("report @reach --plots @figs7") == 2);
    SAYS(errors, "figs7/motion.pdf' would be overwritten");
}

static void faults_are_said(void)
{
    make_result();
    files_write("file", "x", 1);
    CHECK(go("report @reach --plots @file") == 5);
    SAYS(errors, "file' is not a folder, and --plots writes files into one");
    CHECK(go("report @reach --plots /proc/nowhere") == 5);
    SAYS(errors, "cannot make the folder '/proc/nowhere'");
    CHECK(go("report @reach --plots @no/such") == 5);
    CHECK(go("report @reach --plots -") == 2);
    CHECK(go("report @reach --plots @figs8 -o @p.html") == 2);
    SAYS(errors, "--plots and -o cannot be used together");
    CHECK(go("report @reach --plots @figs8 --plates @reach") == 2);
    CHECK(go("report @none.h5 --plots @figs8") == 5 && !exists("figs8"));
    CHECK(go("report @pend.xml --plots @figs8") != 0 && !exists("figs8"));
    CHECK(mkdir(files_path("sweep"), 0777) == 0);
    files_write("sweep/plan.tsv", "x", 1);
    CHECK(go("report @sweep --plots @figs8") == 2 && !exists("figs8"));
    SAYS(errors, "--plots is for one result, and this is the folder of a sweep");
}

int main(void)
{
    RUN(every_plot_is_written_and_named);
    RUN(svg_files_are_well_formed);
    RUN(pdf_files_have_the_width_of_a_column);
    RUN(the_numbers_are_those_of_the_file);
    RUN(without_a_converter_there_are_no_pdf_files);
    RUN(a_converter_that_fails_leaves_nothing);
    RUN(files_of_another_kind_stay);
    RUN(faults_are_said);
    files_remove();
    return check_done();
}
