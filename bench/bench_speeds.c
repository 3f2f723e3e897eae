/* bench_speeds.c: one problem file asked for many speeds, and whether every gait is one: the tables
 * of docs/benchmarks.md.
 *
 *     bench_speeds [NAME [FROM TO STEP]]      examples/NAME.xml; without arguments both files, over
 *                                             all of their speeds
 */
#include "tests/problems/speeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool bench(const sweep *s)
{
    int n = 0, physical = 0, good = 0;
    printf("\n%s\n\n| m/s | physical | goal | speed | step s | flight steps | slip m/s | "
           "penetration mm | ctrl² | heel and toe mm | linearisations |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|\n",
           s->name);
    for (double speed = s->from; speed <= s->to + 1e-9; speed += s->step, n++) {
        cell c;
        if (!speeds_solve(s, speed, &c)) {
            return false;
        }
        physical += c.physical;
        good += c.good;
        printf("| %.1f | %s | %s | %.4f | %.3f | %d | %.3f | %.1f | %.3f | %.1f | %d |\n", speed,
               c.physical ? "yes" : "NO", c.good ? "met" : "MISSED", c.of.speed, c.duration,
               c.of.flight, c.of.slip, 1e3 * c.of.penetration, c.of.ctrl2, 1e3 * c.stance,
               c.linearisations);
        fflush(stdout);
    }
    printf("\nphysical %d of %d, all goals met %d of %d\n", physical, n, good, n);
    return true;
}

int main(int argc, char **argv)
{
    bool all = true;
    for (int i = 0; i < SPEEDS_SWEEPS; i++) {
        sweep s = speeds_sweeps[i];
        if (argc > 1 && strcmp(argv[1], s.name) != 0) {
            continue;
        }
        if (argc > 4) {
            s.from = strtod(argv[2], NULL), s.to = strtod(argv[3], NULL),
            s.step = strtod(argv[4], NULL);
        }
        all = bench(&s) && all;
    }
    return all ? 0 : 1;
}
