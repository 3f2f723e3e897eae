/* The hard contact model under a mechanism: a limp humanoid falls to the ground and comes to rest.
 * Its geoms are spheres and capsules: the ends of these are the points that touch. */
#include "tests/physics/laws/hard_fall.h"

#define DROP 0.22

/* What the closed law makes of the motion: the largest force (N, N m) that is left over where none
 * acts but contact. */
static double replay(fall *x)
{
    const int nv = x->m->nv;
    double s[FALL_BLOCKS] = {0}, left = 0;
    fall_gaps(s, NULL, x->v, x);
    for (int b = 0; b < x->p.nblock; b++) {
        double w[3] = {0};
        const int row = x->block[b].row;
        for (int k = 0; k < nv * x->block[b].dim; k++) {
            w[k / nv] += x->J[row * nv + k] * x->v[k % nv];
        }
        CHECK(phy_hard_inverse(x->f + row, &x->block[b], &x->p.relax, s[b], w) == PHY_HARD_EXACT);
    }
    for (int i = 0; i < nv; i++) {
        double sum = -x->rhs[i];
        for (int k = 0; k < nv; k++) {
            sum += x->M[i * nv + k] * x->v[k];
        }
        for (int r = 0; r < x->p.nrow; r++) {
            sum -= x->J[r * nv + i] * x->f[r];
        }
        left = fmax(left, fabs(sum) / x->timestep);
    }
    return left;
}

/* The number of steps that were not solved; -1: no model. */
static int drop(double timestep, bool with_limits)
{
    static fall x;
    const char *path = check_corpus("models/dmc_humanoid.xml");
    int unsolved = 0, iterations = 0, most = 0, n = (int)(1.5 / timestep + 0.5);
    double limit, low = (double)INFINITY, tight = (double)INFINITY, speed = 0, left = 0;
    sal_model *m = NULL;
    sal_err err = {0};
    if (path == NULL) {
        return -1;
    }
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    fall_new(&x, m, &(fall_option){timestep, 1e-8, 0.7, with_limits, NULL});
    x.d->qpos[2] += DROP - fall_lowest(&x, &limit);
    for (int i = 0; i < n; i++) {
        fall_solve(&x);
        unsolved += !x.result.is_solved;
        iterations += x.result.steps;
        most = x.result.steps > most ? x.result.steps : most;
        left = fmax(left, replay(&x));
        fall_move(&x);
        low = fmin(low, fall_lowest(&x, &limit));
        tight = fmin(tight, limit);
    }
    for (int k = 0; k < x.m->nv; k++) {
        speed = fmax(speed, fabs(x.d->qvel[k]));
    }
    printf(
        "note: h %g, %d points, %d limits: %d of %d solved, %.1f (%d) iterations, lowest %.1e m, "
        "limits %.1e, speed at the end %.2g, left over %.1e N\n",
        timestep, x.npoint, x.nlimit, n - unsolved, n, (double)iterations / n, most, low, tight,
        speed, left);
    fall_free(&x);
    CHECK(unsolved > 0 || low > 0);
    CHECK(left < 0.01); /* heights are rounded to 2e-16 m of 3e-10: 1e-6 of forces up to 10 kN */
    return unsolved;
}

static void a_humanoid_falls(void)
{
    static const double timestep[3] = {0.1, 0.05, 0.01};
    for (int i = 0; i < 3; i++) {
        for (int with_limits = 0; with_limits < 2; with_limits++) {
            const int unsolved = drop(timestep[i], with_limits == 1);
            if (unsolved < 0) {
                SKIP("no corpus");
            }
            CHECK(unsolved == 0);
        }
    }
}

int main(void)
{
    RUN(a_humanoid_falls);
    return check_done();
}
