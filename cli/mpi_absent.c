/* mpi_absent.c: no MPI was there when this was built. */
#include "cli/ranks.h"

#include <stdio.h>

sal_status cli_mpi_begin(sal_ranks *ranks, sal_err *err)
{
    (void)ranks;
    return sal_fail(err, SAL_UNSUPPORTED,
                    "mpirun started %d ranks, but this saltus is built without MPI; start it "
                    "without mpirun, or install libopenmpi-dev and openmpi-bin and build again "
                    "(meson setup --reconfigure -Dmpi=enabled build)",
                    cli_started_ranks());
}

bool cli_mpi_meet(double seconds)
{
    (void)seconds;
    return true;
}

void cli_mpi_end(void) {}

void cli_mpi_name(char name[CLI_MPI_NAME])
{
    snprintf(name, CLI_MPI_NAME, "none");
}

void cli_mpi_abort(int code)
{
    (void)code;
}
