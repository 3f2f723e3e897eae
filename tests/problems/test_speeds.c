/* One problem file serves all speeds from a stroll to a run: in at least 95 of 100 cells the gait
 * is physical and does what it should. */
#include "tests/check.h"
#include "tests/problems/speeds.h"

static void all_speeds(const sweep *s)
{
    int n = 0, physical = 0, good = 0;
    for (double speed = s->from; speed <= s->to + 1e-9; speed += s->step, n++) {
        cell c;
        CHECK(speeds_solve(s, speed, &c));
        physical += c.physical;
        good += c.good;
        if (!c.good) {
            printf("    %.1f m/s: %s, %.4f m/s, %d steps of flight, slip %.3f m/s, penetration "
                   "%.1f mm, "
                   "standing foot %.1f mm\n",
                   speed, c.physical ? "physical" : "not physical", c.of.speed, c.of.flight,
                   c.of.slip, 1e3 * c.of.penetration, 1e3 * c.stance);
        }
    }
    printf("    %s: %d of %d physical, %d of %d good\n", s->name, physical, n, good, n);
    CHECK(n >= 7);
    CHECK(100 * physical >= 95 * n);
    CHECK(100 * good >= 95 * n);
}

static void walker(void)
{
    all_speeds(&speeds_sweeps[0]);
}

static void humanoid(void)
{
    all_speeds(&speeds_sweeps[1]);
}

int main(void)
{
    RUN(walker);
    RUN(humanoid);
    return check_done();
}
