/* A cube of 1 kg under the hard contact model: position, rotation matrix, velocity (in the world),
 * angular velocity (in the body). */
#include "tests/physics/laws/hard_rows.h"

enum { CORNERS = 8 };
#define HALF    0.1
#define GRAVITY 9.81

typedef struct cube {
    double x[3], R[9], v[6], timestep;
    double corner[CORNERS][3];
    hard_rows rows;
} cube;

/* E = exp([a]x) and its right Jacobian: 1 + s [a] + c [a]^2, and 1 - c [a] + d [a]^2, with
 *     s = sin t/t,  c = (1 - cos t)/t^2,  d = (t - sin t)/t^3,  t = |a| */
static void exponential(double *E, double *Jr, const double *a)
{
    const double t2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], t = sqrt(t2);
    const double s = t > 1e-3 ? sin(t) / t : 1 - t2 / 6 * (1 - t2 / 20);
    const double half = t > 1e-3 ? sin(t / 2) / (t / 2) : 1 - t2 / 24 * (1 - t2 / 80);
    const double c = half * half / 2, d = t > 1e-2 ? (1 - s) / t2 : (1 - t2 / 20) / 6;
    for (int k = 0; k < 3; k++) {
        double unit[3] = {0}, once[3], twice[3];
        unit[k] = 1;
        cross(once, a, unit);
        cross(twice, a, once);
        for (int i = 0; i < 3; i++) {
            E[3 * i + k] = unit[i] + s * once[i] + c * twice[i];
            Jr[3 * i + k] = unit[i] - c * once[i] + d * twice[i];
        }
    }
}

static void multiply(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 9; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++) {
            out[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
        }
    }
}

/* The heights of the corners at the next pose, x + h v and R exp(h w), and their slopes by v and
 * w. */
static bool heights(double *s, double *G, const double *v, void *user)
{
    const cube *c = user;
    const double h = c->timestep, turn[3] = {h * v[3], h * v[4], h * v[5]};
    double E[9], Jr[9], R[9], lever[3];
    exponential(E, Jr, turn);
    multiply(R, c->R, E);
    for (int b = 0; b < CORNERS; b++) {
        const double *p = c->corner[b];
        s[b] = c->x[2] + h * v[2] + R[6] * p[0] + R[7] * p[1] + R[8] * p[2];
        cross(lever, p, R + 6);
        for (int k = 0; k < 3 && G != NULL; k++) {
            G[6 * b + k] = k == 2 ? h : 0;
            G[6 * b + 3 + k] = h * (lever[0] * Jr[k] + lever[1] * Jr[3 + k] + lever[2] * Jr[6 + k]);
        }
    }
    return true;
}

static void cube_new(cube *c, double timestep, double kappa, double mu)
{
    *c = (cube){.timestep = timestep, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    problem_of(&c->rows, 6, kappa, timestep);
    c->rows.p.gaps = heights;
    c->rows.p.user = c;
    for (int b = 0; b < CORNERS; b++) {
        for (int k = 0; k < 3; k++) {
            c->corner[b][k] = (b >> k & 1) != 0 ? HALF : -HALF;
        }
        c->rows.mu[b][0] = c->rows.mu[b][1] = mu;
        add_block(&c->rows, PHY_HARD_CONTACT, 3);
    }
}

/* One step; returns the smallest gap after it. */
static double cube_step(cube *c)
{
    static const int axis[3] = {2, 0, 1}; /* normal first */
    hard_rows *x = &c->rows;
    double E[9], Jr[9], R[9], s[CORNERS], low = (double)INFINITY;
    for (int i = 0; i < 6; i++) {
        x->M[7 * i] = i < 3 ? 1 : 2.0 / 3 * HALF * HALF;
        x->rhs[i] = x->M[7 * i] * c->v[i] - (i == 2 ? c->timestep * GRAVITY : 0);
    }
    for (int r = 0; r < 3 * CORNERS; r++) {
        double *row = x->J + 6 * r;
        for (int k = 0; k < 3; k++) {
            row[k] = k == axis[r % 3];
        }
        cross(row + 3, c->corner[r / 3], c->R + 3 * axis[r % 3]);
    }
    CHECK(forward(x, false) == SAL_OK);
    CHECK(x->result.is_solved);
    memcpy(c->v, x->v, sizeof c->v);
    heights(s, NULL, c->v, c);
    for (int b = 0; b < CORNERS; b++) {
        low = fmin(low, s[b]);
    }
    const double turn[3] = {c->timestep * c->v[3], c->timestep * c->v[4], c->timestep * c->v[5]};
    exponential(E, Jr, turn);
    multiply(R, c->R, E);
    memcpy(c->R, R, sizeof R);
    for (int k = 0; k < 3; k++) {
        c->x[k] += c->timestep * c->v[k];
    }
    return low;
}

static double energy(const cube *c)
{
    double sum = GRAVITY * c->x[2];
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * (i < 3 ? 1 : 2.0 / 3 * HALF * HALF) * c->v[i] * c->v[i];
    }
    return sum;
}

static void slopes_of_the_heights(void)
{
    static cube c;
    double s[CORNERS], low[CORNERS], G[6 * CORNERS], E[9], Jr[9];
    double v[6] = {0.3, -0.2, 0.5, 2, -3, 1};
    cube_new(&c, 0.1, 1e-4, 0.5);
    exponential(E, Jr, (const double[]){0.3, 0.5, -0.2});
    memcpy(c.R, E, sizeof E);
    CHECK(heights(s, G, v, &c));
    for (int k = 0; k < 6; k++) {
        const double here = v[k], h = 1e-5;
        v[k] = here - h;
        heights(low, NULL, v, &c);
        v[k] = here + h;
        heights(s, NULL, v, &c);
        v[k] = here;
        for (int b = 0; b < CORNERS; b++) {
            CHECK_NEAR((s[b] - low[b]) / (2 * h), G[6 * b + k], 1e-10);
        }
    }
}

/* A tumbling cube falls: no corner is ever below the ground, no step gains energy, and it comes to
 * rest above it by kappa n/(m g h), n = 4 corners. */
static void a_cube_never_penetrates(void)
{
    static const double timestep[3] = {0.1, 0.01, 0.001};
    static cube c;
    for (int i = 0; i < 3; i++) {
        const double h = timestep[i];
        double Jr[9], low = (double)INFINITY, gain = -(double)INFINITY, last = 0;
        const int n = (int)(2 / h + 0.5);
        int steps = 0, most = 0, jams = 0;
        cube_new(&c, h, 1e-10, 0.5);
        exponential(c.R, Jr, (const double[]){0.4, 0.7, -0.2});
        c.x[2] = 0.5;
        memcpy(c.v, (const double[]){0.5, 0.2, 0, 3, -2, 1}, sizeof c.v);
        for (int k = 0; k < n; k++) {
            const double before = energy(&c);
            last = cube_step(&c);
            low = fmin(low, last);
            gain = fmax(gain, energy(&c) - before);
            steps += c.rows.result.steps;
            most = c.rows.result.steps > most ? c.rows.result.steps : most;
            jams += c.rows.result.jams;
        }
        printf("note: h %g: lowest %.2e, largest gain %.1e J, rest %.3e, %.1f (%d) iterations, %d "
               "jams in %d steps\n",
               h, low, gain, last, (double)steps / n, most, jams, n);
        CHECK(low > 0);
        CHECK(gain < 1e-6);
        CHECK_NEAR(last, 4e-10 / (GRAVITY * h), 0.01 * 4e-10 / (GRAVITY * h));
    }
}

/* Coulomb: it comes to rest after |v|^2/(2 mu g), less |v| h/2 as each step moves with the velocity
 * at its end, straight ahead. */
static void a_cube_slides_straight(void)
{
    static cube c;
    const double v[2] = {4, 0.8}, speed = sqrt(16.64), h = 0.01;
    cube_new(&c, h, 1e-10, 0.25);
    c.x[2] = HALF + 4e-10 / (GRAVITY * h);
    c.v[0] = v[0];
    c.v[1] = v[1];
    double low = (double)INFINITY;
    for (int k = 0; k < 200; k++) {
        low = fmin(low, cube_step(&c));
    }
    const double drift = (c.x[1] * v[0] - c.x[0] * v[1]) / speed;
    const double travel = (c.x[0] * v[0] + c.x[1] * v[1]) / speed;
    printf("note: drift %.1e, travel %.6f\n", drift, travel);
    CHECK(low > 0);
    CHECK_NEAR(drift, 0, 1e-9);
    CHECK_NEAR(travel, 16.64 / (2 * 0.25 * GRAVITY) - speed * h / 2, 1e-3);
}

int main(void)
{
    RUN(slopes_of_the_heights);
    RUN(a_cube_never_penetrates);
    RUN(a_cube_slides_straight);
    return check_done();
}
