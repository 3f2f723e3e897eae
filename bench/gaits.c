/* gaits.c: the tasks of a dense prototype of this method, posed for its models with its settings,
 * solved by the command from seeds 1 to 4, beside what the prototype found. */
#include "bench/stopwatch.h"
#include "tests/problems/measure.h"

#include "problems/result/result.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

enum { SEEDS = 4, LINEARISATIONS = 100 };
static const double CTRL2_RATIO = 1.2;

typedef struct task {
    const char *name, *model;
    double ctrl2;             /* of the prototype: median */
    int linearisations;       /* of the prototype: median */
    double penetration, slip; /* limits, m, m/s */
} task;

static const task tasks[] = {
    {"walker_walk", "dmc_walker", 0.295, 68, 0.008, 0.05},
    {"hopper_hop", "dmc_hopper", 2.07, 62, 0.012, 0.35},
    {"humanoid_walk", "mj222_humanoid", 0.20, 55, 0.008, 0.05},
    {"walker_run", "dmc_walker", 1.8, 65, 0.010, 0.1},
};

static const char *folder(const char *variable, const char *otherwise)
{
    const char *path = getenv(variable);
    return path == NULL ? otherwise : path;
}

/* Runs `saltus solve` and waits for it; its exit code, or -1. */
static int run_solve(const char *problem, const char *model, const char *seed, const char *out)
{
    char program[1024];
    char solve[] = "solve", set[] = "--set", one[] = "init/nstart=1", quiet[] = "-q", to[] = "-o",
         threads[] = "--threads", single[] = "1";
    char *file = strdup(problem), *with = strdup(model), *from = strdup(seed),
         *folder_out = strdup(out);
    char *argv[] = {program, solve, file, set,        with,    set,    one, set,
                    from,    quiet, to,   folder_out, threads, single, NULL};
    int status = -1;
    pid_t pid;
    snprintf(program, sizeof program, "%s/cli/saltus", folder("SALTUS_BUILD", "build"));
    if (posix_spawn(&pid, program, NULL, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid) {
        status = -1;
    }
    free(file), free(with), free(from), free(folder_out);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

typedef struct outcome {
    bool physical;
    measure of;
    int linearisations;
} outcome;

static bool solve(const task *t, int seed, outcome *o)
{
    char problem[1024], model[1024], start[64], out[1024], file[1100];
    sal_result *r = NULL;
    sal_err err = {0};
    snprintf(problem, sizeof problem, "%s/bench/problems/%s.xml", folder("SALTUS_ROOT", "."),
             t->name);
    snprintf(model, sizeof model, "model/file=%s/models/%s.xml",
             folder("SALTUS_CORPUS", "../shared"), t->model);
    snprintf(start, sizeof start, "init/seed=%d", seed);
    snprintf(out, sizeof out, "%s/bench/%s_%d.saltus", folder("SALTUS_BUILD", "build"), t->name,
             seed);
    snprintf(file, sizeof file, "%s/result.h5", out);
    const int code = run_solve(problem, model, start, out);
    if (code < 0 || code == 2 || code == 3 || code == 5 ||
        sal_result_read(&r, file, &err) != SAL_OK) {
        printf("  seed %d: no result (exit code %d) %s\n", seed, code, err.message);
        return false;
    }
    *o = (outcome){.physical = code == 0 && r->relative_to_weight <= r->physical_tolerance,
                   .of = measure_result(r),
                   .linearisations = r->optim.linearisations};
    printf("  seed %d  %-12s unactuated %.0e  ctrl^2 %6.3f  penetration %5.1f mm  slip %.3f m/s  "
           "flight %2d  "
           "%3d linearisations\n",
           seed, r->status, r->relative_to_weight, o->of.ctrl2, 1e3 * o->of.penetration, o->of.slip,
           o->of.flight, o->linearisations);
    sal_result_free(r);
    return true;
}

static const char *verdict(bool good)
{
    return good ? "ok" : "short";
}

static bool bench(const task *t)
{
    double ctrl2[SEEDS], penetration[SEEDS], slip[SEEDS], linearisations[SEEDS];
    int physical = 0;
    printf("%s on %s\n", t->name, t->model);
    for (int i = 0; i < SEEDS; i++) {
        outcome o;
        if (!solve(t, i + 1, &o)) {
            return false;
        }
        physical += o.physical;
        ctrl2[i] = o.of.ctrl2;
        penetration[i] = o.of.penetration;
        slip[i] = o.of.slip;
        linearisations[i] = o.linearisations;
    }
    const double u2 = stopwatch_median(ctrl2, SEEDS), depth = stopwatch_median(penetration, SEEDS),
                 speed = stopwatch_median(slip, SEEDS),
                 effort = stopwatch_median(linearisations, SEEDS);
    printf("  physical %d of %d   medians: ctrl^2 %.3f, prototype %.3f, ratio %.2f (%s)   "
           "penetration %.1f mm (%s)   "
           "slip %.3f m/s (%s)   %.0f linearisations, prototype %d (%s)\n",
           physical, SEEDS, u2, t->ctrl2, u2 / t->ctrl2, verdict(u2 <= CTRL2_RATIO * t->ctrl2),
           1e3 * depth, verdict(depth <= t->penetration), speed, verdict(speed <= t->slip), effort,
           t->linearisations, verdict(effort <= LINEARISATIONS));
    return true;
}

int main(void)
{
    char path[1024];
    bool all = true;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        snprintf(path, sizeof path, "%s/models/%s.xml", folder("SALTUS_CORPUS", "../shared"),
                 tasks[i].model);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            printf("%s: skipped, there is no %s\n", tasks[i].name, path);
            continue;
        }
        fclose(file);
        all = bench(tasks + i) && all;
    }
    return all ? 0 : 1;
}
