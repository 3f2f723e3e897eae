/* saltus: the command. Its verbs are in verbs.c, one file each. */
#include "cli/cli.h"

#include <cblas.h>

#include <stdlib.h>

/* The standard output may be a full disk. */
static int finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        sal_cli_say("error: cannot write to the standard output");
        return code == SAL_EXIT_OK ? SAL_EXIT_BADPATH : code;
    }
    return code;
}

int main(int argc, char **argv)
{
    sal_arguments a;
    int code = SAL_EXIT_USAGE;
    if (sal_arguments_parse(&a, argc, argv)) {
        /* All threads are ours: factorisations run beside each other, not inside each other. After the number of threads was chosen,
         * since OpenBLAS may change OpenMP's default with its own. */
        openblas_set_num_threads(1);
        code = a.verb->run(&a);
    }
    sal_arguments_free(&a);
    return finish(code);
}
