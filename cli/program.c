/* program.c: other programs that the command has do something (rsvg-convert, chromium, ffmpeg). */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child; `theirs`: its end of the pipe to `stream`, or -1. */
static void become(const char *const *argv, bool heard, int stream, int theirs)
{
    const int nothing = open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; i <= (heard ? STDOUT_FILENO : STDERR_FILENO); i++) {
        dup2(i == stream && theirs >= 0 ? theirs : nothing, i);
    }
    if (theirs >= 0) {
        close(theirs);
    }
    char *const *words; /* which are only read, though execvp does not say so */
    memcpy(&words, &argv, sizeof words);
    execvp(words[0], words);
    _exit(CLI_PROGRAM_ABSENT);
}

pid_t cli_program_start(const char *const *argv, bool heard)
{
    const pid_t pid = fork();
    if (pid == 0) {
        become(argv, heard, -1, -1);
    }
    return pid;
}

pid_t cli_program_pipe(const char *const *argv, int stream, FILE **ours)
{
    int ends[2];
    *ours = NULL;
    if (pipe(ends) != 0) {
        return -1;
    }
    const int theirs = stream == STDIN_FILENO ? ends[0] : ends[1],
              own = stream == STDIN_FILENO ? ends[1] : ends[0];
    fcntl(own, F_SETFD, FD_CLOEXEC);
    const pid_t pid = fork();
    if (pid == 0) {
        become(argv, false, stream, theirs);
    }
    close(theirs);
    *ours = pid < 0 ? NULL : fdopen(own, stream == STDIN_FILENO ? "wb" : "rb");
    if (*ours == NULL) {
        close(own);
    }
    return pid;
}

int cli_program_end(pid_t pid)
{
    int ended = 0;
    while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}
