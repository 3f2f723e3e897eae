/* ranks.h: private to cli/sweep. What ranks that share a sweep tell each other.
 *
 *     rank 0 (ranks.c)                               rank k (crew.c)
 *     opens the sweep and its folder                 reads the sweep
 *     BEGIN: the sweep's digest, a file to look for  is it the same sweep, is it the same folder?
 *                                                    READY, or FAULT, which ends all
 *     CELL: to whom has an idle worker               .. a worker solves it, and writes it to the
 *                                                    folder ..
 *                                                    OUTCOME
 *     STOP                                           ends its workers, OUTCOME of what they had
 *                                                    LEFT
 *
 * Cells themselves and the motions they begin with go through the folder. Both sides say BEAT now
 * and then: who is silent for too long is gone.
 */
#ifndef SAL_CLI_SWEEP_RANKS_H
#define SAL_CLI_SWEEP_RANKS_H

#include "cli/sweep/sweep.h"

enum { CLI_TAG_ORDER = 1, CLI_TAG_REPORT };

typedef enum cli_rank_order_what {
    CLI_ORDER_BEGIN,
    CLI_ORDER_BEAT,
    CLI_ORDER_CELL,
    CLI_ORDER_STOP
} cli_rank_order_what;

typedef struct cli_rank_order {
    cli_rank_order_what what;
    /* of STOP: somebody is gone, and all are ended in the end */
    bool lost;
    /* of CELL */
    cli_pool_task task;
    /* of BEGIN: digest of all cells' names */
    char sweep[SAL_HASH_SIZE];
    /* of BEGIN: a file in the folder, and who wrote it */
    char token[SAL_HASH_SIZE + 8], host[64];
} cli_rank_order;

typedef enum cli_rank_report_what {
    CLI_REPORT_BEAT,
    CLI_REPORT_READY,
    CLI_REPORT_OUTCOME,
    CLI_REPORT_FAULT, /* outcome.why says what */
    CLI_REPORT_LEFT
} cli_rank_report_what;

typedef struct cli_rank_report {
    cli_rank_report_what what;
    /* workers that have nothing to do, after so many cells that were given */
    int idle, given;
    /* somebody asked this rank to stop */
    bool stop;
    char host[64];
    cli_pool_task task;
    sal_outcome out;
} cli_rank_report;

static const double CLI_CELLS_PATIENCE = 5; /* s for cells to end when all is stopped */
static const double CLI_BEATS = 10; /* within the time after which one who is silent is gone */
static const double CLI_SLOW =
    20; /* times that may pass until one is ready: it reads the sweep, and the folder */

/* Digest of the names of all cells. */
void cli_run_digest(const cli_run *run, char digest[SAL_HASH_SIZE]);
/* DIR/name */
void cli_run_path(const cli_run *run, const char *name, char *path, size_t n);

/* One rank's part of a sweep that many share; the exit code. */
int cli_sweep_chief(const cli_arguments *a);
int cli_sweep_crew(const cli_arguments *a);

/* A rest that becomes longer as long as nothing happens: no core is busy with waiting. */
static inline double cli_longer_nap(double nap)
{
    static const double shortest = 2e-4, longest = 2e-3; /* s */
    return nap < shortest ? shortest : nap < longest / 1.5 ? 1.5 * nap : longest;
}

#endif
