/* kill_at.h: a command that is killed when it is about to change something on the disk, for tests.
 * It is watched as a debugger does. */
#ifndef SAL_TESTS_CLI_KILL_AT_H
#define SAL_TESTS_CLI_KILL_AT_H

#include "tests/cli/command.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>

/* Whether this call makes, renames, empties or removes a file or folder, or writes to one. */
static inline bool changes_the_disk(const struct __ptrace_syscall_info *call)
{
    const unsigned long long nr = call->entry.nr;
    return (nr == SYS_openat && (call->entry.args[2] & O_CREAT) != 0) || nr == SYS_renameat ||
           nr == SYS_renameat2 || nr == SYS_unlinkat || nr == SYS_mkdirat || nr == SYS_fsync ||
#ifdef SYS_rename
           nr == SYS_rename || nr == SYS_unlink || nr == SYS_mkdir || nr == SYS_rmdir ||
#endif
           nr == SYS_ftruncate;
}

static inline pid_t start_watched(char **argv)
{
    char log[1100], errs[1100];
    snprintf(log, sizeof log, "%s", files_path("out"));
    snprintf(errs, sizeof errs, "%s", files_path("err"));
    const pid_t pid = fork();
    if (pid == 0) {
        const int o = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int e = open(errs, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (dup2(o, 1) < 0 || dup2(e, 2) < 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
            _exit(127);
        }
        execv(program(), argv);
        _exit(127);
    }
    return pid;
}

/* Runs the words of `line` and kills them at the n-th such call, before it is done. The exit code;
 * 128 + SIGKILL if it came that far; -1 if it cannot be watched here. */
static inline int killed_at(const char *line, int n)
{
    static char words[4000];
    char *argv[64], name[] = "saltus";
    int argc = 0, status = 0, seen = 0;
    snprintf(words, sizeof words, "%s", line);
    argv[argc++] = name;
    for (char *w = strtok(words, " "); w != NULL && argc < 63; w = strtok(NULL, " ")) {
        argv[argc++] = w;
    }
    argv[argc] = NULL;
    const pid_t pid = start_watched(argv);
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, pid, NULL,
               (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)) != 0) {
        kill(pid, SIGKILL);
        return -1;
    }
    long deliver = 0;
    while (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)deliver) == 0 &&
           waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        struct __ptrace_syscall_info call = {0};
        deliver = WSTOPSIG(status);
        if (deliver != (SIGTRAP | 0x80)) {
            deliver = deliver == SIGTRAP ? 0 : deliver; /* it starts itself again */
            continue;
        }
        deliver = 0;
        if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof call, &call) > 0 &&
            call.op == PTRACE_SYSCALL_INFO_ENTRY && changes_the_disk(&call) && ++seen == n) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            return 128 + SIGKILL;
        }
    }
    slurp("out", out, sizeof out);
    slurp("err", errors, sizeof errors);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
