/* bench_states.c: the rate of inverse dynamics of many states in C, for bench_python.py.
 *
 *     bench_states MODEL STATES N THREADS
 *
 * STATES holds qpos [N x nq], qvel, qacc [N x nv] as doubles, one array behind the other. To
 * standard output: the seconds of one call for all of them (of one thread its processor time), and
 * the sum of all forces. */
#include "bench/stopwatch.h"

#include "base/house.h"
#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

#include <cblas.h>

#include <stdio.h>
#include <stdlib.h>

static double *read_states(const char *path, size_t n)
{
    double *x = sal_alloc(n, sizeof *x);
    FILE *f = fopen(path, "rb");
    if (x == NULL || f == NULL || fread(x, sizeof *x, n, f) != n) {
        fprintf(stderr, "cannot read %zu numbers from '%s'\n", n, path);
        exit(1);
    }
    fclose(f);
    return x;
}

/* After a call that warms up */
static double seconds_of(const sal_model *m, const sal_states *s, int nthread)
{
    const stopwatch clock = nthread == 1 ? STOPWATCH_THREAD : STOPWATCH_WALL;
    sal_err err = {0};
    double begin = 0;
    for (int round = 0; round < 2; round++) {
        begin = stopwatch_seconds(clock);
        if (sal_states_inverse(m, s, nthread, &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
    }
    return stopwatch_seconds(clock) - begin;
}

int main(int argc, char **argv)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (argc != 5) {
        fprintf(stderr, "usage: bench_states MODEL STATES N THREADS\n");
        return 2;
    }
    openblas_set_num_threads(1);
    if (sal_model_load(&m, argv[1], NULL, &diag, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const int n = (int)strtol(argv[3], NULL, 10), nthread = (int)strtol(argv[4], NULL, 10);
    const size_t nq = (size_t)n * (size_t)m->nq, nv = (size_t)n * (size_t)m->nv;
    double *x = read_states(argv[2], nq + 2 * nv), *force = sal_alloc(nv, sizeof *force);
    const sal_states s = {
        .n = n, .qpos = x, .qvel = x + nq, .qacc = x + nq + nv, .qfrc_inverse = force};
    const double seconds = seconds_of(m, &s, nthread);
    double sum = 0;
    for (size_t i = 0; i < nv; i++) {
        sum += force[i];
    }
    printf("%.9g %.17g\n", seconds, sum);
    sal_free(x), sal_free(force);
    sal_diag_clear(&diag);
    sal_model_free(m);
    return 0;
}
