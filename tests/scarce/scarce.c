/* scarce.c: a system that runs out of something, loaded before the libraries of a program
 * (LD_PRELOAD; glibc). The environment says of what:
 *
 * - SCARCE_MEMORY=k: the k-th allocation since main began fails, once.
 * - SCARCE_THREADS=n: only n threads can run beside the first.
 * - SCARCE_FORKS=n: only n processes can be started.
 * - SCARCE_REPORT=FILE: "COUNT NAME" is written there: how many allocations there were until the
 *   end, or until one failed, and the library that asked for that one.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))
#define CALLER  __builtin_return_address(0)

static long memory_at, threads_most = -1, forks_left = -1;
static const char *report;
static atomic_long count, threads;
static atomic_bool begun;

static long number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtol(text, NULL, 10);
}

/* Needs no memory. */
static void say(const void *caller)
{
    char line[300];
    Dl_info info = {0};
    const int fd = report == NULL ? -1 : open(report, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0) {
        const char *name = caller != NULL && dladdr(caller, &info) != 0 ? info.dli_fname : "-";
        const char *slash = strrchr(name, '/');
        const int n = snprintf(line, sizeof line, "%ld %s\n", atomic_load(&count),
                               slash == NULL ? name : slash + 1);
        (void)!write(fd, line, (size_t)n);
        close(fd);
    }
}

/* ---- memory: under glibc's own names, which it offers for this ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

static int is_refused(const void *caller)
{
    if (!atomic_load(&begun) || atomic_fetch_add(&count, 1) + 1 != memory_at) {
        return 0;
    }
    say(caller);
    errno = ENOMEM;
    return 1;
}

VISIBLE void *malloc(size_t n)
{
    return is_refused(CALLER) ? NULL : __libc_malloc(n);
}

VISIBLE void *calloc(size_t n, size_t size)
{
    return is_refused(CALLER) ? NULL : __libc_calloc(n, size);
}

VISIBLE void *realloc(void *block, size_t n)
{
    return is_refused(CALLER) ? NULL : __libc_realloc(block, n);
}

VISIBLE void *aligned_alloc(size_t alignment, size_t n)
{
    return is_refused(CALLER) ? NULL : __libc_memalign(alignment, n);
}

VISIBLE int posix_memalign(void **block, size_t alignment, size_t n)
{
    *block = is_refused(CALLER) ? NULL : __libc_memalign(alignment, n);
    return *block == NULL ? ENOMEM : 0;
}

VISIBLE char *strdup(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = is_refused(CALLER) ? NULL : __libc_malloc(n);
    return copy == NULL ? NULL : memcpy(copy, text, n);
}

/* ---- threads and processes ---- */

typedef int create_thread(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*work)(void *), void *data);
typedef pid_t create_process(void);

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

typedef struct job {
    void *(*work)(void *);
    void *data;
} job;

static void *do_job(void *data)
{
    const job j = *(job *)data;
    free(data);
    void *result = j.work(j.data);
    atomic_fetch_sub(&threads, 1);
    return result;
}

VISIBLE int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*work)(void *), void *data)
{
    create_thread *create;
    *(void **)&create = next("pthread_create");
    job *j = __libc_malloc(sizeof *j);
    if (j == NULL || (threads_most >= 0 && atomic_load(&threads) >= threads_most)) {
        free(j);
        return EAGAIN;
    }
    *j = (job){work, data};
    atomic_fetch_add(&threads, 1);
    const int code = create(thread, attributes, do_job, j);
    if (code != 0) {
        atomic_fetch_sub(&threads, 1);
        free(j);
    }
    return code;
}

VISIBLE pid_t fork(void)
{
    create_process *create;
    *(void **)&create = next("fork");
    if (forks_left == 0) {
        errno = EAGAIN;
        return -1;
    }
    forks_left -= forks_left > 0;
    return create();
}

/* ---- beginning and end ---- */

typedef int start_main(int (*main)(int, char **, char **), int argc, char **argv,
                       void (*init)(void), void (*fini)(void), void (*loader)(void), void *stack);

static int (*main_of_program)(int argc, char **argv, char **environment);

static int run_main(int argc, char **argv, char **environment)
{
    memory_at = number("SCARCE_MEMORY", 0);
    threads_most = number("SCARCE_THREADS", -1);
    forks_left = number("SCARCE_FORKS", -1);
    report = getenv("SCARCE_REPORT");
    atomic_store(&begun, 1);
    return main_of_program(argc, argv, environment);
}

__attribute__((destructor)) static void end(void)
{
    if (atomic_load(&begun) && (memory_at == 0 || atomic_load(&count) < memory_at)) {
        atomic_store(&begun, 0);
        say(NULL);
    }
}

int __libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);

VISIBLE int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                              void (*init)(void), void (*fini)(void), void (*loader)(void),
                              void *stack)
{
    start_main *start;
    *(void **)&start = next("__libc_start_main");
    main_of_program = main;
    return start(run_main, argc, argv, init, fini, loader, stack);
}
