/* saltus: the command. Its verbs are in verbs.c, one file each. */
#include "cli/cli.h"
#include "cli/ranks.h"

#include <cblas.h>

#include <stdlib.h>
#include <unistd.h>

/* Threads that wait for each other spin, by default for milliseconds; on a busy machine they thereby keep the work itself waiting, and a solve
 * takes ten times as long. A hundredth of that does on an idle one as well. OpenMP reads such settings before main: the command starts itself
 * again with them, unless the user has chosen. */
static void spin_briefly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL &&
        setenv("GOMP_SPINCOUNT", "5000", 1) == 0) {
        execv("/proc/self/exe", argv); /* without /proc: as it is */
    }
}

/* The standard output may be a full disk. */
static int finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        sal_cli_say("error: cannot write to the standard output");
        return code == SAL_EXIT_OK ? SAL_EXIT_BADPATH : code;
    }
    return code;
}

/* Ranks above 0 work in silence. */
static int run(sal_arguments *a)
{
    if (!cli_ranks_begin(&a->ranks)) {
        return SAL_EXIT_USAGE;
    }
    if (a->ranks != NULL && a->ranks->rank > 0) {
        a->given[SAL_OPT_QUIET] = true;
        a->given[SAL_OPT_VERBOSE] = a->given[SAL_OPT_JSON] = false;
    }
    const int code = a->verb->run(a);
    cli_ranks_end(code);
    return code;
}

int main(int argc, char **argv)
{
    spin_briefly(argv);
    sal_arguments a;
    int code = SAL_EXIT_USAGE;
    if (sal_arguments_parse(&a, argc, argv)) {
        /* All threads are ours: factorisations run beside each other, not inside each other. After the number of threads was chosen,
         * since OpenBLAS may change OpenMP's default with its own. */
        openblas_set_num_threads(1);
        code = run(&a);
    } else if (cli_started_rank() > 0) {
        code =
            SAL_EXIT_OK; /* rank 0 says it, if mpirun does not end it first because another has failed */
    }
    sal_arguments_free(&a);
    return finish(code);
}
