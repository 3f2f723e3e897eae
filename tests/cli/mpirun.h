/* mpirun.h: the command as several ranks, which mpirun starts. */
#ifndef SAL_TESTS_CLI_MPIRUN_H
#define SAL_TESTS_CLI_MPIRUN_H

#include "tests/cli/command.h"

static const char *why_no_ranks; /* the tests cannot run; NULL: they can */

/* mpirun with these words, blanks between them */
static inline pid_t start_mpirun(const char *text)
{
    static char words[9000], mpirun[] = "mpirun";
    char *argv[64] = {mpirun};
    int argc = 1;
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    snprintf(words, sizeof words, "%s", text);
    for (char *w = strtok(words, " "); w != NULL && argc < 63; w = strtok(NULL, " ")) {
        argv[argc++] = w;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, files_path("out"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    posix_spawn_file_actions_addopen(&actions, 2, files_path("err"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    if (posix_spawnp(&pid, mpirun, &actions, NULL, argv, environ) != 0) {
        pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* n ranks of saltus with the words of `line`; options: of mpirun */
static inline pid_t start_ranks(int n, const char *options, const char *line)
{
    static char text[9000];
    snprintf(text, sizeof text, "--oversubscribe --bind-to none %s -n %d %s %s", options, n,
             program(), line);
    return start_mpirun(text);
}

static inline int run_ranks(int n, const char *line)
{
    return finish(start_ranks(n, "", line));
}

/* Looks whether there can be ranks. */
static inline void find_ranks(void)
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    tell_sanitizer("detect_leaks=0"); /* Open MPI leaves some memory when it ends */
    /* by exit codes: words of messages change, and these tests would be skipped in silence */
    const int code = finish(start_mpirun("--oversubscribe --bind-to none -n 2 true"));
    why_no_ranks = code < 0 || code == 127              ? "there is no mpirun"
                   : code != 0                          ? "mpirun does not start"
                   : run_ranks(2, "solve nothing") == 2 ? "saltus is built without MPI"
                                                        : NULL;
}

#endif
