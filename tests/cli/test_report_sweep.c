/* `saltus report` of the folder of a sweep: a pendulum with two motors, of which the weaker cannot
 * lift it in time, and three durations. */
#include "tests/cli/command.h"
#include "tests/problems/markup.h"

static char page[2000000];

/* The page at a path; "" if there is none. */
static void read_page(const char *path)
{
    FILE *in = fopen(path, "rb");
    const size_t n = in == NULL ? 0 : fread(page, 1, sizeof page - 1, in);
    page[n] = 0;
    if (in != NULL) {
        fclose(in);
    }
}

static void make_sweep(void)
{
    char text[2000], line[1000], path[600];
    const int n = snprintf(text, sizeof text,
                           "<sweep name='lift' problem='%s/examples/pendulum_quick.xml'>"
                           "<set path='solver/maxiter' value='60'/>"
                           "<axis name='torque' path='motor[motor]/ctrlrange' template='-{} {}' "
                           "values='.2 8'/>"
                           "<axis name='time' path='time/duration' values='2 2.5 3'/></sweep>",
                           files_root());
    files_write("lift.xml", text, (size_t)n);
    snprintf(path, sizeof path, "%s", files_path("lift.xml"));
    snprintf(line, sizeof line, "sweep -q %s -o %s", path, files_path("lift"));
    CHECK(run(line) == 6); /* three cells are no solution: 0.2 N m against a weight of 9.81 N m */
}

static void a_page_of_a_sweep(void)
{
    char line[1000], other[600];
    make_sweep();
    snprintf(line, sizeof line, "report %s", files_path("lift"));
    CHECK(run(line) == 0);
    SAYS(errors, "lift/page.html");
    read_page(files_path("lift/page.html"));
    empty_scripts(page);
    CHECK(count_elements(page) > 100);
    CHECK(strstr(page, "<h1>lift</h1>") != NULL);
    CHECK(strstr(page, "a sweep of 6 points: 2 torque \xC3\x97 3 time") != NULL);
    CHECK(strstr(page, "Complete: 3 of 6 cells are physical and converged.") != NULL);
    CHECK(strstr(page, "<h2>Over time</h2>") != NULL);
    CHECK(strstr(page, "<h2>time \xC3\x97 torque</h2>") != NULL);
    CHECK(strstr(page, "Cells without a solution") != NULL);
    CHECK(strstr(page, "&lt;sweep name=") != NULL);
    CHECK(count(page, "<svg class=\"strip\"") == 6); /* the best three; one for each duration */
    CHECK(count(page, "class=\"lowest\" x=") >= 1);
    CHECK(count(page, "<tr><td>") == 6 + 1);
    snprintf(other, sizeof other, "%s", files_path("else.html"));
    snprintf(line, sizeof line, "report -q %s -o %s", files_path("lift"), other);
    CHECK(run(line) == 0 && errors[0] == 0);
    read_page(other);
    CHECK(strstr(page, "</html>") != NULL);
}

/* Half of it is gone, and what is left of a motion is rubbish: the page says so. */
static void what_is_missing_is_said(void)
{
    char line[1000];
    files_write("lift/sweep.xml", "<sweep", 6);
    snprintf(line, sizeof line, "report %s", files_path("lift"));
    CHECK(run(line) == 3);
    files_write("lift/sweep.xml", "<sweep name='lift'/>", 20);
    files_write("lift/plan.tsv", "rubbish", 7);
    CHECK(run(line) == 3);
    snprintf(line, sizeof line, "report %s", files_path("no_such"));
    CHECK(run(line) == 5);
}

int main(void)
{
    RUN(a_page_of_a_sweep);
    RUN(what_is_missing_is_said);
    files_remove();
    return check_done();
}
