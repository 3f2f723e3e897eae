/* Ten thousand cells: `saltus table` and `saltus sweep --status` take less than two seconds of
 * processor time each. */
#include "tests/cli/command.h"

#include "sweeps/folder.h"

#include <sys/resource.h>

enum { CELLS = 10000, FIGURES = 25, SIDE = 100 };

static void hash_of(int cell, char hash[SAL_HASH_SIZE])
{
    char name[32];
    snprintf(name, sizeof name, "cell %d", cell);
    sal_sha256_hex(hash, name, strlen(name));
}

static void write_cell(int cell, const char *hash)
{
    static sal_figure figure[FIGURES];
    sal_err err = {0};
    for (int k = 0; k < FIGURES; k++) {
        snprintf(figure[k].name, sizeof figure[k].name,
                 k == 0  ? "cost"
                 : k < 9 ? "term[t%d]"
                         : "figure%d",
                 k);
        figure[k].value = 1 / (1 + cell + 1e-3 * k);
    }
    sal_record r = {.tries = 1,
                    .seconds = 1e-3 * cell,
                    .version = "test",
                    .nfigure = FIGURES,
                    .figure = figure,
                    .status = "converged"};
    snprintf(r.kind, sizeof r.kind, "%s", sal_outcome_name(SAL_CELL_PHYSICAL));
    if (cell % 50 == 0) {
        snprintf(r.kind, sizeof r.kind, "%s", sal_outcome_name(SAL_CELL_TIMEOUT));
        snprintf(r.status, sizeof r.status, "failed");
        snprintf(r.reason, sizeof r.reason, "more than 60 s");
        r.nfigure = 0;
    }
    CHECK_OK(swp_record_write(&r, files_folder(), hash, false, &err), err);
}

static void a_folder_is_made(void)
{
    static const char sweep[] = "<sweep name=\"many\" problem=\"p.xml\">\n  <axis name=\"a\" "
                                "path=\"x/y\" values=\"1\"/>\n</sweep>\n";
    sal_text plan = {0};
    char name[32], hash[SAL_HASH_SIZE];
    mkdir(files_path("cells"), 0777);
    for (unsigned i = 0; i < 256; i++) {
        snprintf(name, sizeof name, "cells/%02x", i);
        mkdir(files_path(name), 0777);
    }
    sal_text_add(&plan, "# saltus plan 1\ncell\tpoint\tbefore\trepeat\tspeed\tmass\n");
    for (int i = 0; i < CELLS; i++) {
        hash_of(i, hash);
        sal_text_format(&plan, "%s\t%d\t-1\t0\t%.17g\t%d\n", hash, i, .01 * (i / SIDE), i % SIDE);
        write_cell(i, hash);
    }
    files_write("plan.tsv", plan.data, plan.length);
    files_write("sweep.xml", sweep, strlen(sweep));
    sal_text_clear(&plan);
}

/* Processor time of all commands so far, s */
static double spent(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static void takes_less_than(double most, const char *line, int code)
{
    const double begin = spent();
    CHECK(run(line) == code);
    const double time = spent() - begin;
    printf("%.2f s: %.90s\n", time, line);
#ifndef SANITIZED
    CHECK(time < most);
#else
    (void)most;
#endif
}

static void tables_are_quick(void)
{
    static const char *const options[] = {
        "--format csv", "--format json", "--format md", "--best --sort -cost,speed --where mass<50",
        "--group speed --columns speed,n,mean:cost,median:figure20,holes"};
    char line[600];
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        snprintf(line, sizeof line, "table %s %s -q -o %s", files_folder(), options[i],
                 files_path("table"));
        takes_less_than(2, line, 6);
    }
    snprintf(line, sizeof line, "table %s -q --columns n,cells,mean:mass --sort n", files_folder());
    takes_less_than(2, line, 6);
    /* masses 0 .. 99, all equally often, but for the multiples of 50: (99 * 100 / 2 - 50) / 98 */
    CHECK_TEXT(out, "n,cells,mean:mass\n9800,10000,50\n");
    snprintf(line, sizeof line, "sweep --status %s", files_folder());
    takes_less_than(2, line, 6);
    SAYS(out, "10000 of 10000 cells done: 9800 physical, 0 unsolved, 200 failed");
    SAYS(out, "200 x time limit: more than 60 s, first at speed=0 mass=0");
}

int main(void)
{
    RUN(a_folder_is_made);
    RUN(tables_are_quick);
    files_remove();
    return check_done();
}
