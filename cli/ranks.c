#include "cli/ranks.h"

#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    sal_ranks ranks;
    bool joined, failed, lost;
    double expect; /* s: of the others, at the end; 0: as long as it takes */
    sal_text kept; /* what a rank above 0 has to say */
} us;

/* ---- how it was started: Open MPI's mpirun says so in the environment ---- */

/* A whole number from the environment, or -1 */
static int number_of(const char *name)
{
    const char *value = getenv(name);
    char *end;
    const long n = value == NULL ? -1 : strtol(value, &end, 10);
    return n < 0 || n > 1000000 || end == value || *end != 0 ? -1 : (int)n;
}

int cli_started_ranks(void)
{
    const int size = number_of("OMPI_COMM_WORLD_SIZE");
    return size > 1 ? size : 1;
}

int cli_started_rank(void)
{
    const int rank = number_of("OMPI_COMM_WORLD_RANK");
    return rank > 0 && cli_started_ranks() > 1 ? rank : 0;
}

int cli_rank_threads(int available)
{
    const int here = number_of("OMPI_COMM_WORLD_LOCAL_SIZE");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (here < 2 || cli_started_ranks() < 2) {
        return available;
    }
    const int each = (int)(cores / here);
    return each < 1 ? 1 : each < available ? each : available;
}

/* ---- what they say ---- */

void cli_ranks_put(const char *text)
{
    if (cli_started_rank() == 0) {
        cli_put(text);
    } else {
        sal_text_add(&us.kept, text);
    }
}

static void say_kept(void)
{
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    fprintf(stderr, "saltus: rank %d on %s:\n%s", us.ranks.rank, host,
            us.kept.data == NULL || us.kept.failed ? "failed\n" : us.kept.data);
}

/* ---- beginning and end ---- */

sal_status cli_ranks_begin(const sal_ranks **ranks, sal_err *err)
{
    *ranks = NULL;
    if (cli_started_ranks() < 2) {
        return SAL_OK;
    }
    const sal_status status = cli_mpi_begin(&us.ranks, err);
    if (status != SAL_OK) {
        return status;
    }
    us.joined = true;
    if (us.ranks.rank > 0) { /* rank 0 hears of them and tells the others */
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
    }
    *ranks = us.ranks.size > 1 ? &us.ranks : NULL;
    return SAL_OK;
}

void cli_ranks_fail(void)
{
    us.failed = true;
}

void cli_ranks_lost(void)
{
    us.lost = true;
}

void cli_ranks_expect(double seconds)
{
    us.expect = seconds;
}

/* MPI_Finalize would wait for the one that is gone. Open MPI ends all that still run with the code
 * of the one that aborts, unless another leaves without a word before that, or (mpirun
 * --enable-recovery) nobody but that one: hence rank 0 aborts, and others give it some time to. */
static void end_without_the_lost(int code)
{
    enum { TIME = 3 }; /* s */
    if (us.failed && us.ranks.rank > 0) {
        say_kept();
    }
    fflush(NULL);
    if (us.ranks.rank > 0 && !us.failed) {
        sleep(TIME);
        _exit(code);
    }
    cli_mpi_abort(code);
    _exit(code);
}

void cli_ranks_end(int code)
{
    static const double patience = 2; /* s: others that fail for the same reason come soon */
    if (us.joined && us.lost) {
        end_without_the_lost(code);
    }
    if (us.joined && !cli_mpi_meet(us.failed ? patience : us.expect)) {
        if (!us.failed && us.expect > 0) {
            end_without_the_lost(code);
        }
        if (us.ranks.rank > 0) {
            say_kept();
        }
        fflush(NULL);
        cli_mpi_abort(us.failed ? code : CLI_EXIT_STOPPED);
    }
    if (us.joined) {
        cli_mpi_end();
    }
    us.joined = false;
    sal_text_clear(&us.kept);
}
