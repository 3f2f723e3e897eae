/* How the command shows an identification: tables of at most 100 columns, JSON, a page,
 * differences. */
#include "tests/cli/command.h"
#include "tests/identify/example_result.h"

static int verb(const char *name, const char *file, const char *option, const char *other)
{
    char words[2600];
    snprintf(words, sizeof words, "%s %s %s %s", name, files_path(file), option,
             other[0] == 0 ? "" : files_path(other));
    return run(words);
}

/* One whose search stopped early, and one that converged. */
static void make_files(void)
{
    motion a;
    sal_err err = {0};
    motion_identified(&a);
    CHECK_OK(sal_result_write(a.r, files_path("one.h5"), &err), err);
    idn_result_part(a.r)->parameter[0].value *= 1.01;
    snprintf(a.r->status, sizeof a.r->status, "iteration limit");
    a.r->exit_code = 1;
    CHECK_OK(sal_result_write(a.r, files_path("two.h5"), &err), err);
    motion_clear(&a);
}

static void lines_for_people(void)
{
    CHECK(verb("info", "one.h5", "", "") == 0);
    SAYS(out, "  half width (m)");
    SAYS(out, "0.05152");
    SAYS(out, "not determined");
    SAYS(out, "10 recordings in the fit, 10 clusters");
    SAYS(out, "4 recordings held out, predicted");
    SAYS(out, " rad rms; nominal ");
    SAYS(out, "* mass and gain cannot be distinguished: only their ratio is determined.");
    CHECK(strstr(out, "unactuated") == NULL && strstr(out, "slip") == NULL);
    size_t longest = 0;
    for (const char *line = out; *line != 0; line += strcspn(line, "\n") + 1) {
        const size_t n = strcspn(line, "\n");
        longest = n > longest ? n : longest;
    }
    CHECK(longest > 80 && longest <= 100);
}

static void json_for_programs(void)
{
    CHECK(verb("info", "one.h5", "--json", "") == 0 && is_json(out));
    SAYS(out, "\"estimate\": {");
    SAYS(out, "\"name\": \"half width\"");
    SAYS(out, "\"correlation\": [");
    SAYS(out, "\"se\": null"); /* not determined */
    SAYS(out, "\"held\": {");
    SAYS(out, "\"name\": \"toss_106\"");
    SAYS(out, "\"account\": [");
}

static void a_page_and_differences(void)
{
    CHECK(verb("report", "one.h5", "-o", "page.html") == 0);
    CHECK(exists("page.html") && strstr(errors, "not a solution") == NULL);
    CHECK(verb("report", "two.h5", "-o", "page.html") == 0);
    SAYS(errors, "this estimate is not a solution; its status is 'iteration limit'");
    CHECK(verb("diff", "one.h5", "", "one.h5") == 0);
    CHECK_TEXT(out, "equal\n");
    CHECK(verb("diff", "one.h5", "", "two.h5") == 1);
    SAYS(out, "parameter   half width                       0.05152 -> 0.0520352");
}

int main(void)
{
    make_files();
    RUN(lines_for_people);
    RUN(json_for_programs);
    RUN(a_page_and_differences);
    files_remove();
    return check_done();
}
