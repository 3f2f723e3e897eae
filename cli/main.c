/* saltus: the command. Its verbs are in verbs.c, one file each. */
#include "cli/cli.h"
#include "cli/ranks.h"
#include "cli/start.h"

#include <cblas.h>

/* The standard output may be a full disk. */
static int finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_say("error: cannot write to standard output");
        return code == CLI_EXIT_OK ? CLI_EXIT_BADPATH : code;
    }
    return code;
}

/* What does a verb's work: one file each. */
static int (*const works[CLI_NVERB])(const cli_arguments *a) = {
    [CLI_VERB_SOLVE] = cli_solve,
    [CLI_VERB_HARDEN] = cli_harden,
    [CLI_VERB_PREDICT] = cli_predict,
    [CLI_VERB_SWEEP] = cli_sweep,
    [CLI_VERB_NEW] = cli_new,
    [CLI_VERB_CHECK] = cli_check,
    [CLI_VERB_INFO] = cli_info,
    [CLI_VERB_IMPORT] = cli_import,
    [CLI_VERB_INVERSE] = cli_inverse,
    [CLI_VERB_SIMULATE] = cli_simulate,
    [CLI_VERB_REPLAY] = cli_replay,
    [CLI_VERB_EXPORT] = cli_export,
    [CLI_VERB_REPORT] = cli_report,
    [CLI_VERB_DIFF] = cli_diff,
    [CLI_VERB_CONVERT] = cli_convert,
    [CLI_VERB_TABLE] = cli_table,
    [CLI_VERB_EXPLAIN] = cli_explain,
    [CLI_VERB_SCHEMA] = cli_schema,
    [CLI_VERB_HELP] = cli_help,
    [CLI_VERB_FOLLOW] = cli_follow,
    [CLI_VERB_PERSON] = cli_person,
    [CLI_VERB_MANUAL] = cli_manual,
    [CLI_VERB_COMPLETION] = cli_completion,
};

/* Ranks above 0 work in silence. */
static int run(cli_arguments *a)
{
    sal_err err;
    if (cli_ranks_begin(&a->ranks, &err) != SAL_OK) {
        cli_say("error: %s", err.message);
        return CLI_EXIT_USAGE;
    }
    if (a->ranks != NULL && a->ranks->rank > 0) {
        a->given[CLI_OPT_QUIET] = true;
        a->given[CLI_OPT_VERBOSE] = a->given[CLI_OPT_JSON] = false;
    }
    const cli_verb_id verb = cli_id_of_verb(a->verb);
    const bool folder = verb == CLI_VERB_SOLVE || verb == CLI_VERB_HARDEN ||
                        verb == CLI_VERB_PREDICT || verb == CLI_VERB_SWEEP; /* is named by -o */
    sal_reading_set(&(sal_reading){.most = a->most, .pipes = true, .notes = true});
    int code = cli_check_pipes(a);
    code = code == CLI_EXIT_OK && !folder ? cli_check_output(a) : code;
    code = code == CLI_EXIT_OK ? works[verb](a) : code;
    cli_ranks_end(code);
    return code;
}

typedef struct words {
    int argc;
    char **argv;
} words;

/* The whole command; its exit code. */
static int answer(void *ctx)
{
    const words *w = ctx;
    cli_arguments a;
    int code;
    if (cli_arguments_parse(&a, w->argc, w->argv)) {
        /* All threads are ours: factorisations run beside each other, not inside each other. After
         * the number of threads was chosen, since OpenBLAS may change OpenMP's default with its
         * own. */
        openblas_set_num_threads(1);
        code = run(&a);
    } else if (cli_started_rank() > 0) {
        /* rank 0 says it, if mpirun does not end it first because another has failed */
        code = CLI_EXIT_OK;
    } else {
        code = a.starved ? CLI_EXIT_STOPPED : CLI_EXIT_USAGE;
    }
    cli_arguments_free(&a);
    return finish(code);
}

int main(int argc, char **argv)
{
    words w = {argc, argv};
    cli_start();
    return cli_with_stack(answer, &w);
}
