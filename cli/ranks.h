/* ranks.h: private to cli. Several processes of the command that were started together, by mpirun,
 * and share the work of one.
 *
 * What rank 0 prints the user sees; the others keep to themselves what they have to say, unless
 * they alone have failed.
 */
#ifndef SAL_CLI_RANKS_H
#define SAL_CLI_RANKS_H

#include "base/base.h"

/* How many processes were started together, and which of them this one is, as the environment says
 * (ranks.c). 1 and 0: it was started alone. */
int cli_started_ranks(void);
int cli_started_rank(void);
/* Threads for each of those on this machine, if there are so many in all. */
int cli_rank_threads(int available);
/* What this process has to say: to standard error, or kept. */
void cli_ranks_put(const char *text);

/* Where several were started: joins them. *ranks is NULL for one that is alone. (ranks.c) */
sal_status cli_ranks_begin(const sal_ranks **ranks, sal_err *err);
/* This process has failed: if the others have not when it leaves them, they are ended. */
void cli_ranks_fail(void);
/* Another rank is gone, or may be: at the end it is not waited for, and all are ended. */
void cli_ranks_lost(void);
/* From now on the others come to the end within so many seconds, or count as lost: who is killed
 * after the last message would be waited for without end. */
void cli_ranks_expect(double seconds);
/* code: the exit code of this one, and of all if they have to be ended by it. */
void cli_ranks_end(int code);

/* The same with MPI (mpi.c), or without it (mpi_absent.c), which is a fault. */
sal_status cli_mpi_begin(sal_ranks *ranks, sal_err *err);
/* Waits until all ranks have come here, for at most so many seconds (0: as long as it takes);
 * false: they have not. */
bool cli_mpi_meet(double seconds);
void cli_mpi_end(void);
/* Which MPI it is: "Open MPI v4.1.4"; "none". Also before cli_mpi_begin. */
enum { CLI_MPI_NAME = 100 };
void cli_mpi_name(char name[CLI_MPI_NAME]);
/* Ends the processes of all ranks. */
void cli_mpi_abort(int code);

#endif
