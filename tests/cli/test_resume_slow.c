/* Interrupted at 20 random moments and resumed, some of them several times: equal bits, and no line
 * of the record lost or doubled. */
#include "tests/cli/resume.h"

#include "base/house.h"

typedef struct task {
    const char *example, *options;
    int starts, tries;
} task;

/* Lines after which the signal comes, and how long after. */
static void cut(const task *t, const char *line, const char *record, int lines, sal_rng *rng)
{
    const int number = sal_rng_uniform(rng, 0, 1) < 0.5 ? SIGINT : SIGKILL;
    const int n = (int)sal_rng_uniform(rng, 0, lines);
    const double late = sal_rng_uniform(rng, 0, 0.02);
    const int code = cut_short(line, record, n, late, number);
    printf("     %s: signal %d after %d of %d lines, exit code %d\n", t->example, number, n, lines,
           code);
    CHECK(code == 0 || code == 130 || code == 128 + SIGKILL || code == 128 + SIGINT);
}

static void interrupt(const task *t, unsigned long seed)
{
    static char text[400000];
    sal_rng rng = {seed};
    char options[400], folder[40], whole[40], record[60], line[4000];
    snprintf(whole, sizeof whole, "%s-whole", t->example);
    CHECK(run(solve_line(t->example, whole, t->options)) == 0);
    snprintf(record, sizeof record, "%s/iterations.jsonl", whole);
    slurp(record, text, sizeof text);
    const int lines = lines_of(text);
    for (int k = 0; k < t->tries; k++) {
        snprintf(folder, sizeof folder, "%s-%d", t->example, k);
        snprintf(record, sizeof record, "%s/iterations.jsonl", folder);
        snprintf(line, sizeof line, "%s", solve_line(t->example, folder, t->options));
        cut(t, line, record, lines, &rng);
        snprintf(options, sizeof options, "%s --resume", t->options);
        snprintf(line, sizeof line, "%s", solve_line(t->example, folder, options));
        for (int more = k % 3; more > 0; more--) {
            cut(t, line, record, lines, &rng);
        }
        CHECK(run(line) == 0);
        CHECK(same_folder(whole, folder, t->starts));
    }
}

static void one_start(void)
{
    const task t = {"hopper_hop", "--threads 1 --set init/nstart=1", 1, 10};
    interrupt(&t, 1);
}

static void several_starts(void)
{
    const task t = {"walker_walk", "--threads 2 --set init/nstart=3", 3, 10};
    interrupt(&t, 2);
}

/* Over stages with and without motions that are sought first. */
static void identifications(void)
{
    const task tasks[] = {{"identify_pendulum", "--threads 1", 1, 6},
                          {"identify_finger", "--threads 2", 1, 6}};
    interrupt(&tasks[0], 4);
    interrupt(&tasks[1], 5);
}

int main(void)
{
    RUN(identifications);
    RUN(one_start);
    RUN(several_starts);
    files_remove();
    return check_done();
}
