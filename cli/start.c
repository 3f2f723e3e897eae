/* start.c: what is settled before the command does anything: settings that libraries read when they
 * are loaded, standard streams, signals, room for the stack. */
#include "cli/start.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes of stack. All verbs do with a hundredth of that, but libraries may want more. */
enum { STACK_LEAST = 1 << 20, STACK_WANTED = 8 << 20 };

/* ---- before the libraries ---- */

/* The value of "NAME=VALUE" in an environment, or NULL. */
static const char *look_up(char *const *environment, const char *name)
{
    const size_t n = strlen(name);
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=') {
            return *environment + n + 1;
        }
    }
    return NULL;
}

/* Raises the limit as far as is allowed; true if that is not enough. */
static bool stack_is_small(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_WANTED) {
        return false;
    }
    limit.rlim_cur = limit.rlim_max < STACK_WANTED ? limit.rlim_max : STACK_WANTED;
    setrlimit(RLIMIT_STACK, &limit);
    return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_LEAST;
}

/* OpenBLAS and OpenMP read their settings from the environment when they are loaded, so that the
 * command starts itself again with those it needs:
 *
 * - OpenBLAS on one thread. It would start one for each core at once, and try again for ever where
 *   it gets no memory for them; all threads are ours.
 * - Threads of OpenMP that wait for each other spin, by default for milliseconds; on a busy machine
 *   they thereby keep the work itself waiting, and a solve takes ten times as long. 1000 rounds in
 *   place of 300,000 do on an idle one as well. The user may have chosen.
 * - Stacks of these threads that do not depend on a small `ulimit -s`.
 *
 * This runs before the constructors of the libraries (a .preinit_array, System V ABI, "Dynamic
 * linking", Initialization), and before sanitizers are ready. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void
settle(int argc, char **argv, char **environment)
{
    static char blas[] = "OPENBLAS_NUM_THREADS=1", spin[] = "GOMP_SPINCOUNT=1000",
                stack[] = "OMP_STACKSIZE=8M";
    (void)argc;
    char *add[3];
    size_t nadd = 0, n = 0;
    const char *value = look_up(environment, "OPENBLAS_NUM_THREADS");
    if (value == NULL || strcmp(value, "1") != 0) {
        add[nadd++] = blas;
    }
    if (look_up(environment, "OMP_WAIT_POLICY") == NULL &&
        look_up(environment, "GOMP_SPINCOUNT") == NULL) {
        add[nadd++] = spin;
    }
    if (stack_is_small() && look_up(environment, "OMP_STACKSIZE") == NULL) {
        add[nadd++] = stack;
    }
    while (environment[n] != NULL) {
        n++;
    }
    char **changed = nadd == 0 ? NULL : malloc((n + nadd + 1) * sizeof *changed);
    if (changed == NULL) {
        return;
    }
    memcpy(changed, add, nadd * sizeof *add); /* the first of several is heard */
    memcpy(changed + nadd, environment, (n + 1) * sizeof *changed);
    execve("/proc/self/exe", argv, changed); /* without /proc: as it is */
    free(changed);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = settle;

/* ---- streams and signals ---- */

void cli_start(void)
{
    static const int mode[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            open("/dev/null", mode[fd]); /* the lowest number that is free */
        }
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* ---- the stack ---- */

typedef struct job {
    int (*work)(void *ctx);
    void *ctx;
    int code;
} job;

static void *do_job(void *data)
{
    job *j = data;
    j->code = j->work(j->ctx);
    return NULL;
}

int cli_with_stack(int (*work)(void *ctx), void *ctx)
{
    struct rlimit limit;
    job j = {work, ctx, 0};
    pthread_t thread;
    pthread_attr_t attributes;
    bool started = false;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_LEAST &&
        pthread_attr_init(&attributes) == 0) {
        started = pthread_attr_setstacksize(&attributes, STACK_WANTED) == 0 &&
                  pthread_create(&thread, &attributes, do_job, &j) == 0;
        pthread_attr_destroy(&attributes);
    }
    if (!started) {
        return work(ctx);
    }
    pthread_join(thread, NULL);
    return j.code;
}
