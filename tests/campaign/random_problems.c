/* random_problems.c: many random problems (random_problem.h), each solved by the command, and each
 * answer examined by a second method:
 *
 *     physical      converged, as asked or not, and one step of forward dynamics from each state
 *                   of the motion, under its controls, leads to the next
 *     confirmed     no solution, with a reason; eight other starts have found none, either. Or
 *                   refused, by `check` as well
 *     wrong         neither: replay differs, no reason was given, or "infeasible" where one of the
 *                   eight starts is physical
 *     undecided     the search gave up without a verdict on the problem (stalled, a limit), and one
 *                   of the eight starts is physical
 *     crash, hang   died by a signal or with an unknown exit code; needed more than CPU_MOST
 *                   seconds
 *
 * usage: random-problems COUNT SEED FOLDER [SECONDS [threads]]; writes a line for every problem
 * and, last, their sums. It begins no problem after SECONDS. The problem file of what is neither
 * physical nor confirmed stays in FOLDER. With `threads` each problem is solved by 1 to 4 threads
 * instead, and the bytes of the results are compared. Exit code 1 if there was any that is wrong, a
 * crash or a hang. */
#include "tests/campaign/random_problem.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CPU_MOST = 120, PATIENCE = 1800 }; /* s */

typedef enum verdict { PHYSICAL, CONFIRMED, WRONG, UNDECIDED, CRASH, HANG, NVERDICT } verdict;
static const char *const verdict_name[NVERDICT] = {"physical",  "confirmed", "wrong",
                                                   "undecided", "crash",     "hang"};

/* Largest error of one step of forward dynamics, relative to the size of the state */
static const double REPLAY = 1e-6;

static char folder[1000], saltus[1100], out[2000000];

static const char *in_folder(const char *name)
{
    static char path[4][1300];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[0], "%s/%s", folder, name);
    return path[next];
}

/* Replaces this process by the command, with limits on time and memory. */
static void become(char *const *argv)
{
    const struct rlimit cpu = {CPU_MOST, CPU_MOST + 5}, space = {4UL << 30, 4UL << 30},
                        core = {0, 0};
    const int to = open(in_folder("out"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int errors = open(in_folder("err"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(to, 1);
    dup2(errors, 2);
#if !defined(__SANITIZE_ADDRESS__)
    setrlimit(RLIMIT_AS, &space);
#endif
    (void)space;
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
    alarm(PATIENCE);
    execv(saltus, argv);
    _exit(127);
}

/* The words of `line`, separated by blanks. Returns the exit code, or minus a signal; what it wrote
 * to standard output is in `out`. */
static int run(const char *line)
{
    static char words[8000];
    char *argv[60];
    int argc = 0, status = 0;
    snprintf(words, sizeof words, "saltus %s", line);
    for (char *w = strtok(words, " "); w != NULL && argc < 59; w = strtok(NULL, " ")) {
        argv[argc++] = w;
    }
    argv[argc] = NULL;
    const pid_t pid = fork();
    if (pid == 0) {
        become(argv);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        return -SIGKILL;
    }
    FILE *in = fopen(in_folder("out"), "rb");
    out[in == NULL ? 0 : fread(out, 1, sizeof out - 1, in)] = 0;
    if (in != NULL) {
        fclose(in);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* The number behind the first "key": in `out` */
static double number(const char *key)
{
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(out, quoted);
    return at == NULL ? (double)NAN : strtod(at + strlen(quoted), NULL);
}

static void word(const char *key, char *to, size_t size)
{
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"%s\": \"", key);
    const char *at = strstr(out, quoted);
    snprintf(to, size, "%.*s", at == NULL ? 0 : (int)strcspn(at + strlen(quoted), "\""),
             at == NULL ? "" : at + strlen(quoted));
}

/* Whether forward dynamics make the motion that was found; `why` if not. */
static bool replays(const char *options, char *why, size_t size)
{
    char line[4000];
    snprintf(line, sizeof line, "replay %s %s --json", in_folder("solved"), options);
    if (run(line) != 0) {
        snprintf(why, size, "replay fails");
        return false;
    }
    const double qpos = number("qpos"), qvel = number("qvel");
    snprintf(why, size, "one step differs by %.1e, %.1e/s", qpos, qvel);
    return qpos <= REPLAY && qvel <= 1e3 * REPLAY;
}

static int solve(const char *name, const char *options)
{
    char line[4000];
    snprintf(line, sizeof line, "solve %s -o %s -q --json %s", in_folder("problem.xml"),
             in_folder(name), options);
    return run(line);
}

/* Whether an answer of this exit code is a motion, as asked or not */
static bool is_motion(int code)
{
    return code == 0 || (code == 1 && strstr(out, "\"physical\": true") != NULL);
}

static bool others_are_physical(uint64_t seed)
{
    char options[200];
    snprintf(options, sizeof options,
             "--threads 1 --set init/nstart=8 --set init/noise=0.1 --set init/seed=%lu --set "
             "solver/maxtime=200",
             (unsigned long)(seed + 1000));
    return is_motion(solve("others", options));
}

static verdict examine(int code, uint64_t seed, char *status, size_t size, char *why, size_t room)
{
    char line[2000];
    word("status", status, size);
    if (code == -SIGXCPU || code == -SIGALRM || code == -SIGKILL) {
        return HANG;
    }
    if (code < 0 || code > 4) {
        snprintf(why, room, "exit code %d", code);
        return CRASH;
    }
    if (is_motion(code)) {
        return replays("", why, room) || replays("--forces", why, room) ? PHYSICAL : WRONG;
    }
    if (code == 2 || code == 3) {
        word("message", why, room);
        snprintf(line, sizeof line, "check %s", in_folder("problem.xml"));
        return run(line) == 3 && why[0] != 0 ? CONFIRMED : WRONG;
    }
    const bool reason = strstr(out, "\"level\": 2") != NULL;
    const char *text = reason ? strstr(out, "\"text\": \"") : NULL;
    snprintf(why, room, "%.*s", text == NULL ? 0 : (int)strcspn(text + 9, "\""),
             text == NULL ? "" : text + 9);
    if (others_are_physical(seed)) {
        return code == 4 ? WRONG : UNDECIDED;
    }
    return reason ? CONFIRMED : WRONG;
}

static void keep(uint64_t seed, verdict v)
{
    char name[100];
    snprintf(name, sizeof name, "%s-%lu.xml", verdict_name[v], (unsigned long)seed);
    rename(in_folder("problem.xml"), in_folder(name));
}

/* Makes problem.xml; `model` is the name of its model's file. */
static void write_problem(uint64_t seed, const char **kind, char *model, size_t size)
{
    const char *root = getenv("SALTUS_ROOT"), *corpus = getenv("SALTUS_CORPUS");
    sal_err err = {0};
    sal_text text = {0};
    if (random_problem_write(&text, kind, root == NULL ? "." : root,
                             corpus == NULL ? "../shared" : corpus, seed, &err) != SAL_OK ||
        sal_file_write(in_folder("problem.xml"), text.data, text.length, &err) != SAL_OK) {
        printf("%lu: no problem: %s\n", (unsigned long)seed, err.message);
        exit(2);
    }
    const char *file = strstr(text.data, "file=\""),
               *end = file == NULL ? NULL : strchr(file + 6, '"');
    if (end != NULL) {
        const char *name = end;
        while (name > file + 6 && name[-1] != '/') {
            name--;
        }
        snprintf(model, size, "%.*s", (int)(end - name), name);
    }
    sal_text_clear(&text);
}

static verdict try_problem(uint64_t seed)
{
    const char *kind = "";
    char status[100] = "", why[600] = "", model[200] = "";
    write_problem(seed, &kind, model, sizeof model);
    const int code = solve("solved", "--threads 1");
    const verdict v = examine(code, seed, status, sizeof status, why, sizeof why);
    printf("%lu\t%s\t%s\t%s\t%s\t%s\n", (unsigned long)seed, verdict_name[v], status, kind, model,
           why);
    fflush(stdout);
    if (v != PHYSICAL && v != CONFIRMED) {
        keep(seed, v);
    }
    return v;
}

static bool read_solved(char **bytes, size_t *n)
{
    return sal_text_read_file(in_folder("solved/result.h5"), (size_t)1 << 30, bytes, n, NULL) ==
           SAL_OK;
}

/* Whether 2 to 4 threads give the result that one gives, to the last byte. */
static verdict try_threads(uint64_t seed)
{
    const char *kind = "";
    char model[200] = "", options[40], *first = NULL;
    size_t length = 0;
    bool same = true;
    write_problem(seed, &kind, model, sizeof model);
    for (int n = 1; n <= 4 && same; n++) {
        char *bytes = NULL;
        size_t size = 0;
        snprintf(options, sizeof options, "--threads %d", n);
        solve("solved", options);
        const bool read = read_solved(&bytes, &size);
        if (n == 1) {
            first = bytes, length = size;
        } else {
            same = read == (first != NULL) && size == length &&
                   (!read || memcmp(bytes, first, size) == 0);
            sal_free(bytes);
        }
    }
    sal_free(first);
    printf("%lu\t%s\t%s\t%s\n", (unsigned long)seed, same ? "same" : "DIFFERS", kind, model);
    fflush(stdout);
    if (!same) {
        keep(seed, WRONG);
    }
    return same ? PHYSICAL : WRONG;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 10, first = argc > 2 ? atol(argv[2]) : 1;
    const double seconds = argc > 4 ? atof(argv[4]) : 1e9;
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    const bool threads = argc > 5 && strcmp(argv[5], "threads") == 0;
    const char *build = getenv("SALTUS_BUILD");
    const time_t begin = time(NULL);
    long sum[NVERDICT] = {0}, tried = 0;
    snprintf(folder, sizeof folder, "%s", argc > 3 ? argv[3] : ".");
    snprintf(saltus, sizeof saltus, "%s/cli/saltus", build == NULL ? "build" : build);
    for (; tried < count && difftime(time(NULL), begin) < seconds; tried++) {
        const uint64_t seed = (uint64_t)(first + tried);
        sum[threads ? try_threads(seed) : try_problem(seed)]++;
    }
    printf("problems %ld", tried);
    for (int v = 0; v < NVERDICT; v++) {
        printf(" %s %ld", verdict_name[v], sum[v]);
    }
    printf("\n");
    return sum[WRONG] + sum[CRASH] + sum[HANG] > 0;
}
