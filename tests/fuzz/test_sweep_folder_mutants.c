#include "tests/fuzz/fuzz_sweep_folder.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

#define OTHER_HASH "cd00000000000000000000000000000000000000000000000000000000000002"
#define MARK       "\n===\n"

static const char plan[] =
    "# saltus plan 1\ncell\tpoint\tbefore\trepeat\tspeed\tmodel\n" FOLDER_HASH
    "\t0\t-1\t0\t.5\ta b\n" OTHER_HASH "\t1\t0\t0\t1\tc\n";

static const char record[] = "# saltus record "
                             "1\nstatus\tconverged\nkind\tphysical\nexit_"
                             "code\t0\ntries\t1\nfrom\t\nversion\t1 (x)\nseconds\t0.25\n"
                             "reason\t\nbytes\t12\nsha256\t" FOLDER_HASH
                             "\nfigure\tcost\t1.5\t\nfigure\tterm[a&b]\tnan\tN\nend\n";

static const char sweep[] = "<sweep name=\"s\" problem=\"p.xml\">\n  <axis name=\"speed\" "
                            "path=\"travel/speed\" values=\".5 1\"/>\n"
                            "  <column name=\"effort\" figure=\"term[a&amp;b]\"/>\n</sweep>\n";

static void mutants_of_folders(void)
{
    static char seeds[2][4000];
    snprintf(seeds[0], sizeof seeds[0], "%s" MARK "%s" MARK "%s", plan, record, sweep);
    snprintf(seeds[1], sizeof seeds[1], "%s" MARK MARK "%s", plan, sweep);
    CHECK(mutate_all((const char *const[]){seeds[0], seeds[1]}, 2, 2) >= 50);
}

/* What was not damaged is read. */
static void the_seeds_are_good(void)
{
    static char seed[4000];
    sal_sweep_view *view;
    sal_err err = {0};
    snprintf(seed, sizeof seed, "%s" MARK "%s" MARK "%s", plan, record, sweep);
    write_folder(seed, strlen(seed));
    CHECK_OK(sal_sweep_look(&view, files_folder(), &err), err);
    if (view == NULL) {
        return;
    }
    CHECK(view->ncell == 2 && view->naxis == 2 && view->ncolumn == 1 && view->nrepeat == 1);
    CHECK_TEXT(view->value[1], "a b");
    CHECK_TEXT(view->record[0].status, "converged");
    CHECK(view->record[0].nfigure == 2 && view->record[0].bytes == 12 && !view->motion[0]);
    CHECK_TEXT(view->record[0].figure[1].name, "term[a&b]");
    CHECK(isnan(view->record[0].figure[1].value));
    CHECK_TEXT(view->record[1].status, "");
    sal_sweep_view_free(view);
}

int main(void)
{
    RUN(the_seeds_are_good);
    RUN(mutants_of_folders);
    files_remove();
    return check_done();
}
