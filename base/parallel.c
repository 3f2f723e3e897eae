#include "base/parallel.h"

#include <omp.h>

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

enum { THREADS_MAX = 1024, STACK = 8 << 20 };
double sal_parallel_share = 100e3;

/* ---- how many threads there are to be had ---- */

/* OpenMP ends the program when it cannot start a thread. So as many threads as it will ask for are
 * started before it does, wait until all are there, and end. */

typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
} gate;

static void *wait_at(void *data)
{
    gate *g = data;
    pthread_mutex_lock(&g->lock);
    while (!g->open) {
        pthread_cond_wait(&g->opened, &g->lock);
    }
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* How many of n threads start. */
static int try_threads(int n)
{
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    pthread_t thread[THREADS_MAX];
    pthread_attr_t attributes;
    int started = 0;
    if (pthread_attr_init(&attributes) != 0) {
        return 0;
    }
    size_t stack = 0;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < STACK) {
        pthread_attr_setstacksize(&attributes, STACK);
    }
    while (started < n && pthread_create(&thread[started], &attributes, wait_at, &g) == 0) {
        started++;
    }
    pthread_mutex_lock(&g.lock);
    g.open = true;
    pthread_cond_broadcast(&g.opened);
    pthread_mutex_unlock(&g.lock);
    for (int i = 0; i < started; i++) {
        pthread_join(thread[i], NULL);
    }
    pthread_attr_destroy(&attributes);
    return started;
}

/* OpenMP keeps for each thread that calls it the threads it has started for it; a forked process
 * has none of them. */
static int threads_to_be_had(int n)
{
    static _Thread_local pid_t process;
    static _Thread_local int had;
    const int wanted = n < THREADS_MAX ? n : THREADS_MAX;
    if (process != getpid()) {
        process = getpid();
        had = 1;
    }
    if (wanted > had) {
        had = 1 + try_threads(wanted - 1);
    }
    return wanted < had ? wanted : had;
}

/* ---- the loop ---- */

void sal_parallel_for(int n, int nthread, sal_task task, void *ctx)
{
    const bool alone =
        nthread <= 1 || n <= 1 || omp_get_active_level() >= omp_get_max_active_levels();
    const int threads = alone ? 1 : threads_to_be_had(nthread);
    if (threads <= 1) {
        for (int i = 0; i < n; i++) {
            task(ctx, i, 0);
        }
        return;
    }
#pragma omp parallel for schedule(static) default(none) shared(n, task, ctx) num_threads(threads)
    for (int i = 0; i < n; i++) {
        task(ctx, i, omp_get_thread_num());
    }
}

int sal_parallel_worth(int nthread, double work)
{
    return nthread > 1 && work >= 2 * sal_parallel_share ? nthread : 1;
}

int sal_parallel_crew(int nthread, double work)
{
    const double most = work / fmax(sal_parallel_share, 1e-3);
    return most >= nthread ? nthread : most > 1 ? (int)most : 1;
}

int sal_parallel_max(void)
{
    return omp_get_num_procs();
}
