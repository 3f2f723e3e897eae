/* bench_hard.c: the hard contact model alone: impulses, potentials and derivatives of contacts per
 * second, and iterations and time of its forward solver over the number of contacts. One thread. */
#include "bench/stopwatch.h"
#include "tests/physics/laws/hard_rows.h"

enum { SAMPLES = 1000, REPEATS = 200, SOLVES = 20 };

/* Contacts of one shape, gaps and slips over several decades. */
typedef struct contacts {
    phy_hard_block block;
    phy_hard_relax relax;
    double mu[PHY_HARD_DIM], s[SAMPLES], w[SAMPLES][PHY_HARD_DIM];
    double sum; /* so that nothing is left out */
} contacts;

static void impulses(contacts *c)
{
    for (int i = 0; i < SAMPLES; i++) {
        double f[PHY_HARD_DIM];
        phy_hard_inverse(f, &c->block, &c->relax, c->s[i], c->w[i]);
        c->sum += f[0] + f[c->block.dim - 1];
    }
}

static void potentials(contacts *c)
{
    for (int i = 0; i < SAMPLES; i++) {
        phy_hard_value value;
        phy_hard_potential(&value, &c->block, &c->relax, c->s[i], c->w[i]);
        c->sum += value.slip;
    }
}

static void derivatives(contacts *c)
{
    for (int i = 0; i < SAMPLES; i++) {
        phy_hard_slopes slopes;
        phy_hard_deriv(&slopes, &c->block, &c->relax, c->s[i], c->w[i]);
        c->sum += slopes.s[0] + slopes.w[c->block.dim + 1];
    }
}

/* Millions of contacts per second, the best of several rounds. */
static double rate(void (*work)(contacts *c), contacts *c)
{
    double best = 0;
    for (int round = 0; round < 7; round++) {
        const double begin = stopwatch_seconds(STOPWATCH_THREAD);
        for (int i = 0; i < REPEATS; i++) {
            work(c);
        }
        const double seconds = stopwatch_seconds(STOPWATCH_THREAD) - begin;
        best = fmax(best, 1e-6 * SAMPLES * REPEATS / seconds);
    }
    return best;
}

static void closed_law(void)
{
    static contacts c;
    sal_rng rng = {1};
    c.relax = (phy_hard_relax){1e-4, 1e-4, 1e-6};
    for (int i = 0; i < SAMPLES; i++) {
        c.s[i] = pow(10, sal_rng_uniform(&rng, -5, -1));
        for (int j = 0; j < PHY_HARD_DIM; j++) {
            c.w[i][j] = sal_rng_normal(&rng) * pow(10, sal_rng_uniform(&rng, -4, 1));
            c.mu[j] = 0.5;
        }
    }
    printf("closed law, millions of contacts/s\n%8s%12s%12s%12s\n", "dim", "impulse", "potential",
           "deriv");
    for (int dim = 1; dim <= 6; dim++) {
        if (dim == 2 || dim == 5) {
            continue;
        }
        c.block = (phy_hard_block){.kind = PHY_HARD_CONTACT, .dim = dim, .mu = c.mu};
        printf("%8d%12.1f%12.1f%12.1f\n", dim, rate(impulses, &c), rate(potentials, &c),
               rate(derivatives, &c));
    }
    printf("(sum %g)\n", c.sum);
}

static void solver(void)
{
    static const int numbers[6] = {1, 2, 5, 10, 20, 35};
    static const double kappas[3] = {1e-4, 1e-6, 1e-8};
    static hard_rows x;
    printf("forward, %d dofs, dims 1, 3, 4, 6 mixed beyond 2 contacts\n%10s%10s%10s%12s%12s%10s\n",
           MOST_DOFS, "kappa", "contacts", "solved", "iterations", "most", "us");
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 6; i++) {
            sal_rng rng = {2};
            int solved = 0, steps = 0, most = 0;
            double seconds = 0;
            for (int n = 0; n < SOLVES; n++) {
                draw_rows(&x, &rng, numbers[i]);
                x.p.relax = (phy_hard_relax){kappas[k], kappas[k], 0};
                const double begin = stopwatch_seconds(STOPWATCH_THREAD);
                forward(&x, false);
                seconds += stopwatch_seconds(STOPWATCH_THREAD) - begin;
                solved += x.result.is_solved;
                steps += x.result.steps;
                most = x.result.steps > most ? x.result.steps : most;
            }
            printf("%10.0e%10d%9d/%d%12.1f%12d%10.0f\n", kappas[k], numbers[i], solved, SOLVES,
                   (double)steps / SOLVES, most, 1e6 * seconds / SOLVES);
        }
    }
}

int main(void)
{
    closed_law();
    solver();
    return 0;
}
