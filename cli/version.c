/* version.c: which saltus this is, and the libraries that it uses. The first line is for scripts,
 * the others are for reports of faults. */
#include "cli/built.h"
#include "cli/cli.h"
#include "cli/ranks.h"

#include "pages/pages.h"

#include <cblas.h>

static void line(const char *name, const char *value)
{
    printf("%-11s %s\n", name, value);
}

void cli_version(void)
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
    line("pages", sal_report_plays() ? "play" : "are still (built without Node.js)");
}
