/* `saltus report` of the folder of a sweep: a pendulum with two motors, of which the weaker cannot
 * lift it in time, and three durations. */
#include "tests/cli/command.h"
#include "tests/problems/markup.h"

#include "physics/physics.h"

static char page[2000000];

/* those that a search can follow, as SAL_CONTACT_LIST has them first */
#define MODELS " soft logbarrier convex hard"
enum { SEARCHED = SAL_CONTACT_HARD + 1 };

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

/* The same problem under each contact model: an axis may set a word. */
static void contact_models_are_an_axis(void)
{
    char text[2000], line[1000], path[600];
    int n = snprintf(text, sizeof text,
                     "<sweep name='models' problem='%s/examples/pendulum_quick.xml'>"
                     "<axis name='model' path='solver/contactmodel' "
                     "values='" MODELS "'/></sweep>",
                     files_root());
    files_write("models.xml", text, (size_t)n);
    snprintf(path, sizeof path, "%s", files_path("models.xml"));
    snprintf(line, sizeof line, "sweep -q %s -o %s", path, files_path("models"));
    CHECK(run(line) == 0);
    snprintf(line, sizeof line, "table %s --format csv", files_path("models"));
    CHECK(run(line) == 0);
    snprintf(line, sizeof line, "report -q %s", files_path("models"));
    for (int i = 0; i < SEARCHED; i++) { /* in this order, each solved */
        char row[64];
        snprintf(row, sizeof row, "\n%s,", sal_contact_model_name(i));
        SAYS(out, row);
    }
    CHECK(count(out, "converged") == SEARCHED);
    CHECK(run(line) == 0);
    read_page(files_path("models/page.html"));
    CHECK(strstr(page, "<h2>By model</h2>") != NULL);
    CHECK(count(page, "<rect class=\"bar fine\"") % SEARCHED == 0);
    n = snprintf(text, sizeof text,
                 "<sweep problem='%s/examples/pendulum_quick.xml'>"
                 "<axis name='model' path='solver/contactmodel' values='soft sfot'/></sweep>",
                 files_root());
    files_write("models.xml", text, (size_t)n);
    snprintf(line, sizeof line, "sweep -q %s -o %s", path, files_path("none"));
    CHECK(run(line) == 3);
    SAYS(errors, "contactmodel cannot be 'sfot'; allowed: soft");
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
    RUN(contact_models_are_an_axis);
    RUN(what_is_missing_is_said);
    files_remove();
    return check_done();
}
