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
    sal_identification_result *e = idn_result_part(a.r);
    e->resampling = SAL_RESAMPLING_JACKKNIFE;
    CHECK_OK(sal_identification_result_resamples(e, 10, &err), err);
    e->nresample = 10;
    for (int k = 0; k < e->nparameter; k++) { /* variance 9/10 10 (.004)^2: error .012 */
        for (int i = 0; i < e->nresample; i++) {
            e->resample[i * e->nparameter + k] = e->parameter[k].value + (i % 2 ? .004 : -.004);
        }
    }
    CHECK_OK(sal_identification_result_assess(e, &err), err);
    CHECK_OK(sal_result_write(a.r, files_path("three.h5"), &err), err);
    motion_clear(&a);
}

static void lines_have_room(void)
{
    size_t longest = 0;
    for (const char *line = out; *line != 0; line += strcspn(line, "\n") + 1) {
        const size_t n = strcspn(line, "\n");
        longest = n > longest ? n : longest;
    }
    CHECK(longest > 80 && longest <= 100);
}

static void lines_for_people(void)
{
    CHECK(verb("info", "one.h5", "", "") == 0);
    CHECK(strstr(out, "jackknife") == NULL);
    SAYS(out, "  half width (m)");
    SAYS(out, "0.05152");
    SAYS(out, "not determined");
    SAYS(out, "10 recordings in the fit, 10 clusters");
    SAYS(out, "4 recordings held out, predicted");
    SAYS(out, " rad rms; nominal ");
    SAYS(out, "* mass and gain cannot be distinguished: only their ratio is determined.");
    CHECK(strstr(out, "unactuated") == NULL && strstr(out, "slip") == NULL);
    lines_have_room();
}

/* Errors from fits of other sets of recordings, beside the others, wherever these are shown. */
static void errors_by_fitting_anew(void)
{
    CHECK(verb("info", "three.h5", "", "") == 0);
    SAYS(out, "error jackknife  (Hessian)");
    SAYS(out, "    0.012 ");
    SAYS(out, "* The standard error of ");
    SAYS(out, " from the jackknife is ");
    lines_have_room();
    CHECK(verb("info", "three.h5", "--json", "") == 0 && is_json(out));
    SAYS(out, "\"se_resampled\": 0.012");
    SAYS(out, "\"method\": \"jackknife\"");
    SAYS(out, "\"wanted\": 10");
    SAYS(out, "\"done\": 10");
    CHECK(verb("info", "one.h5", "--json", "") == 0);
    CHECK(strstr(out, "resampl") == NULL);
    CHECK(verb("report", "three.h5", "-o", "page.html") == 0 && exists("page.html"));
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
    slurp("page.html", out, sizeof out);
    SAYS(out, "the value with its 95 % interval");
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
    RUN(errors_by_fitting_anew);
    RUN(json_for_programs);
    RUN(a_page_and_differences);
    files_remove();
    return check_done();
}
