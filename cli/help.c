/* help.c: what the command says of itself: how it is used, and for --version which saltus it is and
 * the libraries that it uses. The first line of that is for scripts, the others are for reports of
 * faults. */
#include "cli/built.h"
#include "cli/cli.h"
#include "cli/ranks.h"

#include "pages/pages.h"

#include <cblas.h>

static void line(const char *name, const char *value)
{
    printf("%-11s %s\n", name, value);
}

static void show_version(void)
{
    char mpi[CLI_MPI_NAME];
    cli_mpi_name(mpi);
    printf("saltus %s\n", sal_version_text());
    line("compiler", CLI_BUILT_COMPILER ", " CLI_BUILT_TYPE);
    line("BLAS", openblas_get_config()); /* the one that runs; "OpenBLAS 0.3.21 ..." */
    line("SuiteSparse", CLI_BUILT_SUITESPARSE ", CHOLMOD " CLI_BUILT_CHOLMOD);
    line("HDF5", CLI_BUILT_HDF5);
    line("mxml", CLI_BUILT_MXML);
    line("libzip", CLI_BUILT_ZIP);
    line("qhull", CLI_BUILT_QHULL);
    line("OpenMP", CLI_BUILT_OPENMP);
    line("MPI", mpi);
    line("pages", sal_report_plays() ? "play" : "are still: " CLI_STILL);
}

int cli_help(const cli_arguments *a)
{
    if (a->given[CLI_OPT_VERSION]) {
        show_version();
        return CLI_EXIT_OK;
    }
    const cli_verb *verb = a->nfile == 0 ? NULL : cli_find_verb(a->file[0]);
    if (a->nfile > 0 && verb == NULL) {
        return cli_refuse_verb(a->file[0]);
    }
    cli_usage(stdout, verb);
    return CLI_EXIT_OK;
}
