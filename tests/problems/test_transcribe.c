/* The least-squares form of the examples: its Jacobian against differences of its residuals along
 * random directions, and its images. */
#include "tests/problems/read_example.h"

#include "base/house.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

enum { BEYOND = 1000 };
static const double untouched = 7.25;

/* J d of all blocks for the tangent vector d */
static void product(const prb_transcription *tr, double *out, const double *J, const double *d)
{
    for (int t = 0; t < tr->nblock; t++) {
        const sal_block *block = tr->block + t;
        for (int i = 0; i < block->nres; i++) {
            double sum = 0;
            for (int k = 0; k < block->ncol; k++) {
                sum += J[tr->J_adr[t] + (size_t)(i * block->ncol + k)] * d[block->col[k]];
            }
            out[tr->r_adr[t] + (size_t)i] = sum;
        }
    }
}

/* At softness s, exact or by differences: |J d - (r(x + eps d) - r(x - eps d)) / 2 eps| small
 * beside the largest derivative of the same residual's step. */
static void compare_path(const char *name, int contact, double s, double agreement,
                         sal_derivatives derivatives)
{
    sal_err err;
    prb_transcription *tr = NULL;
    sal_problem *p = read_example(name);
    if (p == NULL) {
        return;
    }
    p->derivatives = derivatives;
    p->differences = SAL_FD_CENTRED;
    p->contact_model = contact;
    p->reach = 0.3;
    CHECK_OK(prb_transcription_new(&tr, p, 2, &err), err);
    const size_t rows = tr->r_adr[tr->nblock], nvar = (size_t)tr->layout.nvar;
    const size_t entries = tr->J_adr[tr->nblock];
    double *x = calloc((size_t)tr->layout.nx, sizeof(double)),
           *moved = calloc((size_t)tr->layout.nx, sizeof(double));
    double *r = calloc(4 * rows, sizeof(double)), *plus = r + rows, *minus = plus + rows,
           *Jd = minus + rows;
    double *J = calloc(entries + BEYOND, sizeof(double)), *d = calloc(2 * nvar, sizeof(double)),
           *step = d + nvar;
    for (size_t i = entries; i < entries + BEYOND; i++) {
        J[i] = untouched;
    }
    CHECK_OK(prb_guess(tr, x, 11, &err), err);
    CHECK_OK(tr->nls.stage(tr, s, 1, x, &err), err);
    CHECK_OK(tr->nls.linearise(tr, r, J, x, &err), err);
    for (size_t i = entries; i < entries + BEYOND; i++) {
        CHECK(J[i] == untouched);
    }
    sal_rng rng = {5};
    const double eps = 1e-7;
    for (int trial = 0; trial < 3; trial++) {
        for (size_t i = 0; i < nvar; i++) {
            d[i] = sal_rng_uniform(&rng, -1, 1);
        }
        for (int side = -1; side <= 1; side += 2) {
            for (size_t i = 0; i < nvar; i++) {
                step[i] = side * eps * d[i];
            }
            tr->nls.retract(tr, moved, x, step);
            CHECK_OK(tr->nls.residual(tr, side < 0 ? minus : plus, moved, &err), err);
        }
        product(tr, Jd, J, d);
        int bad = 0;
        for (int t = 0; t < tr->nblock; t++) {
            double scale = 0;
            for (size_t k = tr->r_adr[t]; k < tr->r_adr[t + 1]; k++) {
                scale = fmax(scale, fabs(Jd[k]));
            }
            for (size_t k = tr->r_adr[t]; k < tr->r_adr[t + 1]; k++) {
                bad += !(fabs(Jd[k] - (plus[k] - minus[k]) / (2 * eps)) <= agreement * scale);
            }
        }
        CHECK(bad == 0);
    }
    free(x), free(moved), free(r), free(J), free(d);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

static void compare_with(const char *name, int contact, double s, double agreement)
{
    compare_path(name, contact, s, agreement, SAL_DERIV_FD);
    compare_path(name, contact, s, agreement, SAL_DERIV_AUTO);
}

static void compare(const char *name, double s, double agreement)
{
    compare_with(name, SAL_CONTACT_SOFT, s, agreement);
}

static void walker(void)
{
    compare("walker_walk", 1, 1e-5);
    compare("walker_walk", 0.6, 1e-4);
}

static void other_contact_models(void)
{
    for (int contact = SAL_CONTACT_SOFT + 1; sal_contact_model_is_invertible(contact); contact++) {
        compare_with("walker_walk", contact, 1, 1e-5);
        compare_with("hopper_hop", contact, 0.5, 1e-4);
    }
}

static void hopper(void)
{
    compare("hopper_hop", 1, 1e-5);
}

/* Of a sensor's three numbers the last instant asks for the first two. */
static void some_numbers_of_the_last_instant(void)
{
    compare("box_right", 1, 1e-5);
}

static void pendulum_between_pinned_states(void)
{
    compare("pendulum_swingup", 1, 1e-6);
}

static void runner_with_a_free_duration(void)
{
    compare("walker_run", 0.5, 1e-3);
}

/* Sensors of every stage, on a foot that touches. */
static void what_is_felt(void)
{
    compare("../tests/problems/felt", 1, 1e-5);
    compare("../tests/problems/felt", 0.5, 1e-4);
}

/* Some instants, the last one too; means and integrals of a duration and travel that are free. */
static void instants_of_an_open_motion(void)
{
    compare("../tests/problems/instants_open", 0.5, 1e-5);
    compare("../tests/problems/instants_open", 0.4, 1e-5);
}

static void every_quantity(void)
{
    compare("../tests/problems/quantities", 0.4, 1e-5);
    compare("../tests/problems/quantities", 0.5, 1e-5);
    compare("../tests/problems/power", 0.5, 1e-5);
}

static void integrals_over_the_distance(void)
{
    compare("../tests/problems/instants_cycle", 0.5, 1e-5);
    compare("../tests/problems/instants_cycle", 0.4, 1e-5);
}

static void person_in_space(void)
{
    compare("humanoid_walk", 1, 1e-5);
}

/* q_N is the image of q_0 and q_{-1} that whose image is q_{N-1}: travelling 2 periods adds twice
 * the length, mirroring twice nothing. */
static void cycle_closes(void)
{
    sal_err err;
    prb_transcription *tr = NULL;
    sal_problem *p = read_example("humanoid_walk");
    if (p == NULL) {
        return;
    }
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    const int nq = p->model->nq, N = p->nstep;
    double *x = calloc((size_t)tr->layout.nx, sizeof(double)), once[64], twice[64];
    CHECK_OK(prb_guess(tr, x, 3, &err), err);
    prb_transcription_place(tr, x);
    CHECK_NEAR(tr->length, p->travel_value * p->duration, 1e-15);
    sal_image_apply(p->image, p->model, once, tr->q, tr->length);
    sal_image_apply(p->image, p->model, twice, once, tr->length);
    for (int i = 0; i < nq; i++) {
        CHECK_NEAR(twice[i], tr->q[i] + 2 * tr->length * p->image->travel[i], 1e-14);
        CHECK_NEAR(tr->q[(N + 1) * nq + i],
                   (sal_image_apply(p->image, p->model, once, tr->q + nq, tr->length), once[i]), 0);
    }
    sal_image_apply(p->image, p->model, once, tr->q, tr->length);
    for (int i = 0; i < nq; i++) {
        CHECK_NEAR(once[i], tr->q[N * nq + i], 1e-15);
    }
    free(x);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* value stays inside, its slope is its derivative, the inverse takes it back */
static void bounded_globals(void)
{
    const double range[2] = {-0.3, 1.1}, free_range[2] = {-(double)INFINITY, (double)INFINITY};
    double slope, unused;
    for (double u = -3; u <= 3; u += 0.25) {
        const double value = prb_bounded(range, u, &slope), eps = 1e-6;
        CHECK(value >= range[0] && value <= range[1]);
        const double above = prb_bounded(range, u + eps, &unused),
                     below = prb_bounded(range, u - eps, &unused);
        CHECK_NEAR(slope, (above - below) / (2 * eps), 1e-9);
        if (value > -0.28 && value < 1.08) {
            CHECK_NEAR(prb_bounded_inverse(range, value), u, 1e-12);
        }
        CHECK_NEAR(prb_bounded(free_range, u, &slope), u, 0);
        CHECK_NEAR(slope, 1, 0);
    }
    CHECK(isfinite(prb_bounded_inverse(range, 1.1)));
}

/* A motion that would rather last longer than it may ends at the bound, as physical as any. */
static void duration_at_its_bound(void)
{
    char path[1024];
    sal_problem *p = NULL;
    sal_result *result = NULL;
    sal_diag diag = {0};
    sal_err err;
    const char *root = getenv("SALTUS_ROOT");
    const sal_setting setting[] = {{"time/range", "0.5 0.52"}, {"init/nstart", "1"}};
    const sal_problem_options options = {.setting = setting, .nsetting = 2};
    snprintf(path, sizeof path, "%s/examples/walker_walk.xml", root == NULL ? "." : root);
    CHECK_OK(sal_problem_read(&p, path, &options, &diag, &err), err);
    CHECK_OK(sal_problem_solve(&result, p, 1, NULL, &err), err);
    if (result != NULL) {
        CHECK(result->exit_code == 0);
        CHECK(result->relative_to_weight <= 1e-10);
        const double duration = result->nstep * result->timestep;
        CHECK(duration <= 0.52 && duration > 0.515); /* left free up to .8 s it takes .6 s */
    }
    sal_result_free(result);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* Once its memory is there, a whole solve takes none: positions tried, derivatives, Jacobians,
 * assembly, factors, steps. */
static void solves_do_not_allocate(void)
{
    sal_problem *p = read_example("walker_walk");
    prb_transcription *tr = NULL;
    sal_optim *optim = NULL;
    sal_optim_result found = {0};
    sal_err err;
    if (p == NULL) {
        return;
    }
    CHECK_OK(prb_transcription_new(&tr, p, 2, &err), err);
    p->optim.nthread = 2;
    CHECK_OK(sal_optim_new(&optim, &tr->nls, &p->optim, &err), err);
    double *x = calloc((size_t)tr->layout.nx, sizeof(double));
    CHECK_OK(prb_guess(tr, x, 1, &err), err);
    const long before = sal_alloc_count();
    CHECK_OK(sal_solve(optim, x, &found, &err), err);
    CHECK(sal_alloc_count() == before);
    CHECK(found.stop == SAL_STOP_CONVERGED);
    CHECK(found.linearisations > 20 && found.polish_steps > 0);
    free(x);
    sal_optim_free(optim);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* A pendulum is one thread's; of a humanoid many have their share; nobody has a thread too many. */
static void small_problems_have_few_threads(void)
{
    static const struct {
        const char *name;
        int two, many;
    } examples[] = {{"pendulum_quick", 1, 1},
                    {"pendulum_swingup", 1, 1},
                    {"walker_walk", 2, 2},
                    {"humanoid_walk", 2, 6}};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        sal_problem *p = read_example(examples[i].name);
        if (p != NULL) {
            const int two = prb_transcription_crew(p, 2), many = prb_transcription_crew(p, 64);
            printf("     %s: %d dofs, %d steps: %d of 64 threads\n", examples[i].name, p->model->nv,
                   p->nstep, many);
            CHECK(prb_transcription_crew(p, 1) == 1);
            CHECK(two == examples[i].two && many == examples[i].many);
        }
        sal_problem_free(p);
    }
}

int main(void)
{
    RUN(small_problems_have_few_threads);
    RUN(solves_do_not_allocate);
    RUN(walker);
    RUN(other_contact_models);
    RUN(hopper);
    RUN(some_numbers_of_the_last_instant);
    RUN(pendulum_between_pinned_states);
    RUN(runner_with_a_free_duration);
    RUN(what_is_felt);
    RUN(instants_of_an_open_motion);
    RUN(every_quantity);
    RUN(integrals_over_the_distance);
    RUN(person_in_space);
    RUN(cycle_closes);
    RUN(bounded_globals);
    RUN(duration_at_its_bound);
    return check_done();
}
