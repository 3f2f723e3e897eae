/* Members that share variables, against dense equations built without the optimizer; and what must
 * not matter to them: threads, ranks, memory. */
#include "tests/check.h"
#include "tests/optim/hall.h"
#include "tests/optim/wire.h"

#include <lapacke.h>

enum { XMOST = 400, NMOST = 60 };

static void start(sal_rng *rng, double *x, int nx, double *p, int nshared)
{
    for (int i = 0; i < nx; i++) {
        x[i] = sal_rng_uniform(rng, -.3, .3);
    }
    for (int k = 0; k < nshared; k++) {
        p[k] = sal_rng_uniform(rng, -.3, .3);
    }
}

/* ---- the account ---- */

/* S = C - B' H^-1 B and g_p - B' H^-1 g of a member from its dense equations */
static void dense_schur(const wire *w, int i, const double *x, const double *p, double *S,
                        double *score, double *cost)
{
    static double H[NMOST * NMOST], A[NMOST * NMOST], Y[NMOST * (WIRE_SHARED + 1)];
    double g[NMOST];
    const int ns = w->nls.nshared,
              own = w->member[i].nblock * w->member[i].size + w->member[i].nlocal;
    const int n = own + ns;
    *cost = wire_dense(w, i, x, p, H, g);
    for (int a = 0; a < own; a++) {
        memcpy(A + a * own, H + a * n, (size_t)own * sizeof *A);
        memcpy(Y + a * (ns + 1), H + a * n + own, (size_t)ns * sizeof *Y);
        Y[a * (ns + 1) + ns] = g[a];
    }
    CHECK(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', own, ns + 1, A, own, Y, ns + 1) == 0);
    for (int k = 0; k < ns; k++) {
        score[k] = g[own + k];
        for (int l = 0; l < ns; l++) {
            S[k * ns + l] = H[(own + k) * n + own + l];
        }
        for (int a = 0; a < own; a++) {
            score[k] -= H[(own + k) * n + a] * Y[a * (ns + 1) + ns];
            for (int l = 0; l < ns; l++) {
                S[k * ns + l] -= H[(own + k) * n + a] * Y[a * (ns + 1) + l];
            }
        }
    }
}

static void account_is_the_schur_complement(void)
{
    static wire w;
    static double x[XMOST];
    double p[WIRE_SHARED], S[WIRE_MEMBERS][WIRE_SHARED * WIRE_SHARED],
        score[WIRE_MEMBERS][WIRE_SHARED], cost[WIRE_MEMBERS], S1[WIRE_SHARED * WIRE_SHARED],
        score1[WIRE_SHARED], cost1;
    sal_rng rng = {3};
    sal_err err;
    sal_joint *j;
    const int nx = wire_make(&w, WIRE_MEMBERS, WIRE_SHARED, .1);
    start(&rng, x, nx, p, WIRE_SHARED);
    CHECK_OK(sal_joint_new(&j, &w.nls, 2, &err), err);
    CHECK_OK(sal_joint_information(j, x, p, S[0], score[0], cost, &err), err);
    const double *at = x;
    for (int i = 0; i < WIRE_MEMBERS; at += w.member[i++].nx) {
        dense_schur(&w, i, at, p, S1, score1, &cost1);
        CHECK_NEAR(cost[i], cost1, 1e-12 * cost1);
        for (int k = 0; k < WIRE_SHARED; k++) {
            CHECK_NEAR(score[i][k], score1[k], 1e-10);
            for (int l = 0; l < WIRE_SHARED; l++) {
                CHECK_NEAR(S[i][k * WIRE_SHARED + l], S1[k * WIRE_SHARED + l], 1e-10);
            }
        }
    }
    sal_joint_free(j);
}

/* ---- the minimum ---- */

/* Largest entry of the gradient of all, by p and by each member */
static double gradient(const wire *w, const double *x, const double *p, double *gp)
{
    static double H[NMOST * NMOST];
    double g[NMOST], most = 0;
    memset(gp, 0, (size_t)w->nls.nshared * sizeof *gp);
    for (int i = 0; i < w->nls.nmember; x += w->member[i++].nx) {
        wire_dense(w, i, x, p, H, g);
        const int own = w->member[i].nblock * w->member[i].size + w->member[i].nlocal;
        for (int a = 0; a < own; a++) {
            most = fmax(most, fabs(g[a]));
        }
        for (int k = 0; k < w->nls.nshared; k++) {
            gp[k] += g[own + k];
        }
    }
    return most;
}

static void gradient_vanishes_at_the_minimum(void)
{
    static wire w;
    static double x[XMOST];
    double p[WIRE_SHARED], gp[WIRE_SHARED];
    sal_rng rng = {4};
    sal_err err;
    sal_joint *j;
    sal_joint_stage stage;
    sal_joint_result found;
    const int nx = wire_make(&w, WIRE_MEMBERS, WIRE_SHARED, .05);
    start(&rng, x, nx, p, WIRE_SHARED);
    sal_joint_stage_defaults(&stage);
    stage.tolerance = 1e-15;
    stage.maxiter = 200;
    CHECK_OK(sal_joint_new(&j, &w.nls, 1, &err), err);
    CHECK_OK(sal_joint_minimise(j, x, p, &stage, &found, &err), err);
    CHECK(found.stop == SAL_STOP_CONVERGED);
    CHECK_NEAR(gradient(&w, x, p, gp), 0, 1e-6);
    for (int k = 0; k < WIRE_SHARED; k++) {
        CHECK_NEAR(gp[k], 0, 1e-6);
    }
    sal_joint_free(j);
}

/* ---- one step ---- */

/* The Gauss-Newton step of all variables at once from dense equations, shared ones last */
static int dense_step(const wire *w, const double *x, const double *p, double *d)
{
    static double all[XMOST * XMOST], H[NMOST * NMOST];
    double g[NMOST];
    const int ns = w->nls.nshared;
    int n = ns, at = 0;
    for (int i = 0; i < w->nls.nmember; i++) {
        n += w->member[i].nx;
    }
    memset(all, 0, sizeof all);
    memset(d, 0, (size_t)n * sizeof *d);
    for (int i = 0; i < w->nls.nmember; at += w->member[i++].nx) {
        const int own = w->member[i].nx, m = own + ns;
        wire_dense(w, i, x + at, p, H, g);
        for (int a = 0; a < m; a++) {
            const int row = a < own ? at + a : n - ns + a - own;
            d[row] -= g[a];
            for (int b = 0; b < m; b++) {
                all[row * n + (b < own ? at + b : n - ns + b - own)] += H[a * m + b];
            }
        }
    }
    CHECK(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', n, 1, all, n, d, 1) == 0);
    return n;
}

/* Residuals that are linear, norms that are squares: the first step goes all the way, but for the
 * damping of the shared, which it takes in fifths. */
static void linear_members_take_the_dense_step(void)
{
    static wire w;
    static double x[XMOST], d[XMOST];
    double p[WIRE_SHARED], p0[WIRE_SHARED];
    sal_rng rng = {5};
    sal_err err;
    sal_joint *j;
    sal_joint_stage stage;
    sal_joint_result found;
    const int nx = wire_make(&w, WIRE_MEMBERS, WIRE_SHARED, 0);
    w.window_norm.kind = SAL_NORM_QUADRATIC;
    w.plain = true;
    static double x0[XMOST];
    start(&rng, x, nx, p, WIRE_SHARED);
    memcpy(x0, x, sizeof x);
    memcpy(p0, p, sizeof p);
    const int n = dense_step(&w, x, p, d);
    sal_joint_stage_defaults(&stage);
    stage.cap_x = stage.cap_local = stage.cap_p = 1e3;
    stage.tolerance = 0;
    stage.maxiter = 9;
    CHECK_OK(sal_joint_new(&j, &w.nls, 1, &err), err);
    CHECK_OK(sal_joint_minimise(j, x, p, &stage, &found, &err), err);
    for (int i = 0; i < nx; i++) {
        CHECK_NEAR(x[i], x0[i] + d[i], 1e-7);
    }
    for (int k = 0; k < WIRE_SHARED; k++) {
        CHECK_NEAR(p[k], p0[k] + d[n - WIRE_SHARED + k], 1e-7);
    }
    sal_joint_free(j);
}

/* ---- what a stage says ---- */

typedef struct game {
    wire w;
    double x[XMOST], p[WIRE_SHARED];
    int nx, nthread;
    sal_joint *joint;
    sal_joint_stage stage;
    sal_joint_result found;
    sal_status status;
    sal_err err;
    seat seat;
    sal_ranks ranks;
} game;

static void set_up(game *g, double bend)
{
    sal_rng rng = {6};
    memset(g, 0, sizeof *g);
    g->nx = wire_make(&g->w, WIRE_MEMBERS, WIRE_SHARED, bend);
    start(&rng, g->x, g->nx, g->p, WIRE_SHARED);
    sal_joint_stage_defaults(&g->stage);
    g->stage.maxiter = 40;
    g->stage.tolerance = 1e-12;
    g->nthread = 1;
}

static void play(game *g)
{
    if (g->joint == NULL) {
        g->status = sal_joint_new(&g->joint, &g->w.nls, g->nthread, &g->err);
    }
    if (g->joint != NULL) {
        g->status = sal_joint_minimise(g->joint, g->x, g->p, &g->stage, &g->found, &g->err);
    }
}

static void end(game *g)
{
    sal_joint_free(g->joint);
    g->joint = NULL;
}

static void bounds_held_variables_and_priors_are_kept(void)
{
    static game g;
    static const unsigned char held[WIRE_SHARED] = {0, 0, 1, 0, 0, 0};
    static const double weight[WIRE_SHARED] = {0, 50, 0, 0, 1e3, 0},
                        mean[WIRE_SHARED] = {NAN, .3, 0, 0, -.2, 0};
    double lower[WIRE_SHARED], upper[WIRE_SHARED], gp[WIRE_SHARED];
    set_up(&g, .05);
    for (int k = 0; k < WIRE_SHARED; k++) {
        lower[k] = k == 0 ? .1 : (double)-INFINITY;
        upper[k] = k == 5 ? -.05 : (double)INFINITY;
    }
    const double start2 = g.p[2];
    g.stage.held = held;
    g.stage.mean = mean;
    g.stage.weight = weight;
    g.stage.lower = lower;
    g.stage.upper = upper;
    g.stage.maxiter = 200;
    g.stage.tolerance = 1e-15;
    play(&g);
    CHECK_OK(g.status, g.err);
    gradient(&g.w, g.x, g.p, gp);
    CHECK_NEAR(g.p[2], start2, 0);
    CHECK_NEAR(g.p[1] - .3, -gp[1] / 50, 1e-7); /* where data and prior balance */
    CHECK_NEAR(g.p[4] + .2, -gp[4] / 1e3, 1e-7);
    CHECK_NEAR(gp[3], 0, 1e-6);
    CHECK(g.p[0] >= .1 && g.p[5] <= -.05);
    CHECK(g.p[0] > .1 ? fabs(gp[0]) < 1e-6 : gp[0] > 0);
    CHECK(g.p[5] < -.05 ? fabs(gp[5]) < 1e-6 : gp[5] < 0);
    CHECK(g.p[0] == .1 || g.p[5] == -.05); /* or the case would show nothing */
    end(&g);
}

static void locals_may_be_held(void)
{
    static game g;
    set_up(&g, .05);
    g.stage.hold_locals = true;
    static double x0[XMOST];
    memcpy(x0, g.x, sizeof x0);
    play(&g);
    CHECK_OK(g.status, g.err);
    int at = 0;
    for (int i = 0; i < WIRE_MEMBERS; at += g.w.member[i++].nx) {
        const int nchain = g.w.member[i].nblock * g.w.member[i].size;
        for (int k = 0; k < g.w.member[i].nx; k++) {
            CHECK((g.x[at + k] == x0[at + k]) == (k >= nchain));
        }
    }
    end(&g);
}

/* A step of the chain, the locals and the shared is at most its cap. */
static void steps_are_capped(void)
{
    static game g;
    static double x0[XMOST];
    double p0[WIRE_SHARED], most[3] = {0};
    set_up(&g, 0);
    memcpy(x0, g.x, sizeof x0);
    memcpy(p0, g.p, sizeof p0);
    g.stage.maxiter = 1;
    g.stage.cap_x = 1e-3;
    g.stage.cap_local = 2e-3;
    g.stage.cap_p = 3e-3;
    play(&g);
    int at = 0;
    for (int i = 0; i < WIRE_MEMBERS; at += g.w.member[i++].nx) {
        const int nchain = g.w.member[i].nblock * g.w.member[i].size;
        for (int k = 0; k < g.w.member[i].nx; k++) {
            double *longest = &most[k >= nchain];
            *longest = fmax(*longest, fabs(g.x[at + k] - x0[at + k]));
        }
    }
    for (int k = 0; k < WIRE_SHARED; k++) {
        most[2] = fmax(most[2], fabs(g.p[k] - p0[k]));
    }
    CHECK_NEAR(most[0], 1e-3, 1e-12);
    CHECK_NEAR(most[1], 2e-3, 1e-12);
    CHECK_NEAR(most[2], 3e-3, 1e-12);
    end(&g);

    double size[WIRE_SHARED];
    set_up(&g, 0);
    for (int k = 0; k < WIRE_SHARED; k++) {
        size[k] = 1 + k;
    }
    g.stage.maxiter = 1;
    g.stage.cap_p = 1e-3;
    g.stage.size = size;
    play(&g);
    double length = 0;
    for (int k = 0; k < WIRE_SHARED; k++) {
        length = fmax(length, fabs(g.p[k] - p0[k]) / size[k]);
    }
    CHECK_NEAR(length, 1e-3, 1e-12);
    end(&g);
}

/* ---- what must not matter ---- */

static bool same(const game *a, const game *b)
{
    return a->status == b->status && a->found.stop == b->found.stop &&
           a->found.linearisations == b->found.linearisations &&
           a->found.evaluations == b->found.evaluations && a->found.refused == b->found.refused &&
           memcmp(&a->found.cost, &b->found.cost, sizeof a->found.cost) == 0 &&
           memcmp(a->x, b->x, sizeof a->x) == 0 && memcmp(a->p, b->p, sizeof a->p) == 0;
}

static game one, many[RANKS_MOST];

static void threads_do_not_matter(void)
{
    set_up(&one, .3);
    play(&one);
    CHECK_OK(one.status, one.err);
    for (int nthread = 2; nthread <= 16; nthread *= 2) {
        set_up(many, .3);
        many->nthread = nthread;
        play(many);
        CHECK(same(&one, many));
        end(many);
    }
    end(&one);
}

static void *play_thread(void *ctx)
{
    play(ctx);
    return NULL;
}

/* Ranks set up alike, but for what `differ` does */
static void play_ranks(int size, void (*differ)(game *g, int rank))
{
    static hall h;
    pthread_t thread[RANKS_MOST];
    hall_open(&h, size);
    for (int k = 0; k < size; k++) {
        set_up(many + k, .3);
        many[k].ranks = hall_ranks(&many[k].seat, &h, k, size);
        many[k].w.nls.ranks = &many[k].ranks;
        if (differ != NULL) {
            differ(many + k, k);
        }
    }
    for (int k = 0; k < size; k++) {
        CHECK(pthread_create(thread + k, NULL, play_thread, many + k) == 0);
    }
    for (int k = 0; k < size; k++) {
        pthread_join(thread[k], NULL);
        end(many + k);
    }
    hall_close(&h);
}

static void ranks_do_not_matter(void)
{
    set_up(&one, .3);
    play(&one);
    for (int size = 2; size <= RANKS_MOST; size++) {
        play_ranks(size, NULL);
        for (int k = 0; k < size; k++) {
            CHECK(same(&one, many + k));
        }
    }
    end(&one);
}

static void two_threads(game *g, int rank)
{
    g->nthread = 2 + rank;
}

static void ranks_may_have_threads(void)
{
    set_up(&one, .3);
    play(&one);
    play_ranks(3, two_threads);
    for (int k = 0; k < 3; k++) {
        CHECK(same(&one, many + k));
    }
    end(&one);
}

static void stop_rank_0(game *g, int rank)
{
    g->w.stop_at = rank == 0 ? 3 : 0;
}

static void rank_0_ends_it_for_all(void)
{
    play_ranks(3, stop_rank_0);
    for (int k = 0; k < 3; k++) {
        CHECK(many[k].found.stop == SAL_STOP_INTERRUPTED && many[k].found.linearisations == 3);
    }
}

static void refuse_on_rank_1(game *g, int rank)
{
    g->w.refuse = rank == 1 ? 6 : -1;
}

static void a_fault_of_one_is_that_of_all(void)
{
    play_ranks(3, refuse_on_rank_1);
    for (int k = 0; k < 3; k++) {
        CHECK(many[k].status == SAL_NOMEM && many[k].found.stop == SAL_STOP_FAILED);
        CHECK_TEXT(many[k].err.message, "member 6 has had enough");
    }
}

static void differ_on_rank_1(game *g, int rank)
{
    g->p[0] += rank == 1 ? 1e-3 : 0;
}

static void ranks_that_differ_are_told(void)
{
    play_ranks(2, differ_on_rank_1);
    for (int k = 0; k < 2; k++) {
        CHECK(many[k].status == SAL_INTERNAL);
    }
}

/* ---- divergence, stages, memory, numbers ---- */

/* A member that cannot be evaluated where it wants to go stays on this side. */
static void divergence_rejects_a_point(void)
{
    static game g;
    static double x0[XMOST];
    int member = 0, at = 0;
    set_up(&g, .05);
    memcpy(x0, g.x, sizeof x0);
    play(&g);
    const double before = g.found.cost;
    while (g.x[at] < x0[at] + .1) {
        at += g.w.member[member++].nx;
    }
    const double limit = .5 * (g.x[at] + x0[at]);
    end(&g);
    set_up(&g, .05);
    g.w.diverge = member;
    g.w.diverge_above = limit;
    play(&g);
    CHECK_OK(g.status, g.err);
    CHECK(g.x[at] > x0[at] && g.x[at] <= limit && g.found.cost > before);
    g.x[at] = limit + 1;
    play(&g);
    CHECK(g.status == SAL_DIVERGED);
    char message[128];
    snprintf(message, sizeof message,
             "the cost of member %d is not finite (NaN or infinite) at the initial guess", member);
    CHECK_TEXT(g.err.message, message);
    end(&g);
}

/* Blocks that no residual feels do not move, and nothing else is the worse for them. */
static void what_nothing_determines_stays(void)
{
    static game g;
    double S[WIRE_MEMBERS * WIRE_SHARED * WIRE_SHARED];
    set_up(&g, .05);
    g.w.blind = 1;
    g.stage.maxiter = 200;
    const double before = g.x[g.w.member[0].nx];
    play(&g);
    CHECK_OK(g.status, g.err);
    CHECK(g.found.stop == SAL_STOP_CONVERGED);
    for (int k = 0; k < g.w.member[1].nblock * g.w.member[1].size; k++) {
        CHECK(isfinite(g.x[g.w.member[0].nx + k]));
    }
    CHECK(g.x[g.w.member[0].nx] == before);
    CHECK_OK(sal_joint_information(g.joint, g.x, g.p, S, NULL, NULL, &g.err), g.err);
    CHECK(isfinite(S[WIRE_SHARED * WIRE_SHARED]));
    end(&g);
}

static void derivatives_that_are_not_numbers_are_named(void)
{
    static game g;
    set_up(&g, .05);
    g.w.poison = 3;
    play(&g);
    CHECK(g.status == SAL_SINGULAR || g.status == SAL_DIVERGED);
    CHECK(strstr(g.err.message, "member 3") != NULL);
    end(&g);
}

/* A stage goes on with the damping of members that the one before has left: two are as good as one.
 * That of the shared begins anew. */
static void damping_of_members_outlives_a_stage(void)
{
    static game g;
    unsigned char held[WIRE_SHARED];
    memset(held, 1, sizeof held);
    set_up(&g, .3);
    g.stage.held = held;
    g.stage.maxiter = 20;
    play(&g);
    const double whole = g.found.cost;
    end(&g);
    set_up(&g, .3);
    g.stage.held = held;
    g.stage.maxiter = 7;
    play(&g);
    CHECK(g.found.stop == SAL_STOP_MAXITER && g.found.linearisations == 7);
    g.stage.maxiter = 13;
    play(&g);
    CHECK(g.found.cost == whole);
    end(&g);
}

static void nothing_is_allocated_while_minimising(void)
{
    static game g;
    double S[WIRE_MEMBERS * WIRE_SHARED * WIRE_SHARED];
    set_up(&g, .3);
    g.nthread = 2;
    play(&g);
    const long before = sal_alloc_count();
    play(&g);
    CHECK_OK(sal_joint_information(g.joint, g.x, g.p, S, NULL, NULL, &g.err), g.err);
    CHECK(sal_alloc_count() == before);
    end(&g);
}

static void every_allocation_may_fail(void)
{
    static game g;
    set_up(&g, .3);
    for (int n = 1;; n++) {
        sal_alloc_fail_at(n);
        sal_err err;
        sal_joint *j;
        const sal_status status = sal_joint_new(&j, &g.w.nls, 2, &err);
        sal_alloc_fail_at(0);
        sal_joint_free(j);
        if (status == SAL_OK) {
            CHECK(n == 4);
            break;
        }
        CHECK(status == SAL_NOMEM && j == NULL);
        CHECK_TEXT(err.message, "out of memory for 12 members that share 6 variables");
    }
}

static void refuse_new(const sal_member *member, int nmember, int nshared, const char *message)
{
    static game g;
    sal_joint *j;
    sal_err err = {0};
    set_up(&g, 0);
    g.w.nls.member = member;
    g.w.nls.nmember = nmember;
    g.w.nls.nshared = nshared;
    CHECK(sal_joint_new(&j, &g.w.nls, 1, &err) != SAL_OK && j == NULL);
    CHECK_TEXT(err.message, message);
}

static void sizes_are_checked(void)
{
    refuse_new(NULL, 0, 2,
               "the fit has 0 members and 2 shared variables; it needs at least 1 member and 0 "
               "shared variables");
    refuse_new(&(sal_member){6, 2, 3, 0}, 1, -1,
               "the fit has 1 members and -1 shared variables; it needs at least 1 member and 0 "
               "shared variables");
    refuse_new(
        &(sal_member){6, 2, 0, 0}, 1, 1,
        "member 0 has impossible sizes: 2 blocks of size 0 and 0 local variables in 6 numbers");
    refuse_new(
        &(sal_member){6, 2, 3, 7}, 1, 1,
        "member 0 has impossible sizes: 2 blocks of size 3 and 7 local variables in 6 numbers");
    refuse_new(
        (sal_member[]){{6, 2, 3, 0}, {8, -1, 3, 1}}, 2, 1,
        "member 1 has impossible sizes: -1 blocks of size 3 and 1 local variables in 8 numbers");
    refuse_new(&(sal_member){6, 2000000000, 2000000000, 0}, 1, 1,
               "member 0, with 2000000000 blocks of size 2000000000, makes the fit too large: use "
               "fewer or smaller members");
}

static void refuse_play(game *g, const char *message)
{
    play(g);
    CHECK(g->status == SAL_BADINPUT && g->found.stop == SAL_STOP_FAILED);
    CHECK_TEXT(g->err.message, message);
    end(g);
}

static void numbers_are_checked(void)
{
    static game g;
    static const double low[WIRE_SHARED] = {0, 0, 1, 0, 0, 0},
                        high[WIRE_SHARED] = {1, 1, 0, 1, 1, 1};
    set_up(&g, 0);
    g.x[7] = NAN;
    refuse_play(&g, "x[7] is not finite (NaN or infinite)");
    set_up(&g, 0);
    g.p[4] = INFINITY;
    refuse_play(&g, "shared variable 4 is not finite (NaN or infinite)");
    set_up(&g, 0);
    g.stage.lower = low;
    g.stage.upper = high;
    refuse_play(&g, "shared variable 2 has the range [1, 0]; the first number must not be greater "
                    "than the second");
    set_up(&g, 0);
    g.stage.weight = low;
    refuse_play(&g, "maxiter, tolerance and caps of a stage must be at least 0, and a stage with "
                    "weights needs means");
    static const double bad[WIRE_SHARED] = {0, -1, 0, 0, 0, 0};
    set_up(&g, 0);
    g.stage.weight = bad;
    g.stage.mean = low;
    refuse_play(&g, "the prior of shared variable 1 has weight -1 and mean 0; the weight must be "
                    "finite and at least 0, the mean finite");
}

static void too_many_residuals_at_once_are_refused(void)
{
    static game g;
    set_up(&g, 0);
    g.w.too_many = 2;
    play(&g);
    CHECK(g.status == SAL_FULL);
    CHECK_TEXT(g.err.message,
               "65 residuals are added in one call; at most 64 are allowed: use several calls");
    end(&g);
}

/* libomp keeps what it knew of threads that made their own teams, as the ranks here do, when these
 * end. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp";
}

int main(void)
{
    RUN(account_is_the_schur_complement);
    RUN(gradient_vanishes_at_the_minimum);
    RUN(linear_members_take_the_dense_step);
    RUN(bounds_held_variables_and_priors_are_kept);
    RUN(locals_may_be_held);
    RUN(steps_are_capped);
    RUN(threads_do_not_matter);
    RUN(ranks_do_not_matter);
    RUN(ranks_may_have_threads);
    RUN(rank_0_ends_it_for_all);
    RUN(a_fault_of_one_is_that_of_all);
    RUN(ranks_that_differ_are_told);
    RUN(divergence_rejects_a_point);
    RUN(what_nothing_determines_stays);
    RUN(derivatives_that_are_not_numbers_are_named);
    RUN(damping_of_members_outlives_a_stage);
    RUN(nothing_is_allocated_while_minimising);
    RUN(every_allocation_may_fail);
    RUN(sizes_are_checked);
    RUN(numbers_are_checked);
    RUN(too_many_residuals_at_once_are_refused);
    return check_done();
}
