/* A projection that crawls in a few places: these are projected apart, which linearises few blocks,
 * and gives the same point for any number of threads and ranks, and when it is resumed. */
#include "tests/check.h"
#include "tests/optim/hall.h"

#include "base/memory.h"
#include "optim/optim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Block b has the variables x_b, y_b and feels those of b+1, too: terms x/10, y/10 and
 * (x_b+1 - x_b)/10, and the constraints
 *
 *     winds   10 (y - x^2) = 0      1 - x = 0
 *     turns   y = 1                 (1 - w) (x^3 - 3 x + 3) + w (x + 2.1) = 0,  w = min(1, 2.5 e)
 *     lifts   y = 1                 x^2 + 1/4 - e = 0
 *
 * All blocks wind from near (1, 1), but for two places: there blocks of the law `odd` begin at
 * (-1.2, 1), from where steps follow a winding valley, or at (1, 1), from where no direction leads
 * to the only root of the cubic, -2.1038, and none at all to that of the parabola unless the
 * block's softness e is 1/4. */
enum { BLOCKS = 400, NVAR = 2 * BLOCKS, NRES = 5, PART = 32, STATES_MOST = 100 };
enum { LONG = 600 }; /* blocks of a long motion */
static const int place[] = {60, 270};
/* Where there are many places, these are APART, and their constraints SLIGHT times as large. */
enum { APART = 50 };
static const double SLIGHT = 0.05;
static const double root = -2.1038034027355366;
typedef enum law { WINDS, TURNS, LIFTS } law;

typedef struct chain {
    law odd;
    /* other places wind, too: so many that their windows would be the whole */
    bool many;
    int nblock;
    int col[LONG][4];
    sal_segment seg[2];
    sal_block block[LONG];
    sal_nls nls;
    const unsigned char *soft;
    double softness;
    /* of the parts that follow */
    const double *point;
    /* blocks that were linearised, and how often the last of all was */
    long nlinearised, nwhole;
    /* 0: never */
    int stop_after;
    int ntold;
    void *state[STATES_MOST];
    size_t size[STATES_MOST];
    int nstate;
} chain;

static law law_of(const chain *p, int b)
{
    return b == place[0] || b == place[1] ? p->odd : WINDS;
}

static bool is_slight(const chain *p, int b)
{
    return p->many && b % APART == 0;
}

/* c [2] and its slopes C [2 x 2] at (x, y) */
static void constrain(const chain *p, int b, double x, double y, double c[2], double C[4])
{
    const law kind = law_of(p, b);
    const double e = p->soft != NULL && p->soft[b] ? p->softness : 0, w = fmin(1, 2.5 * e);
    memset(C, 0, 4 * sizeof(double));
    if (kind == WINDS) {
        const double scale = is_slight(p, b) ? SLIGHT : 1;
        c[0] = 10 * scale * (y - x * x), C[0] = -20 * scale * x, C[1] = 10 * scale;
        c[1] = scale * (1 - x), C[2] = -scale;
        return;
    }
    c[0] = y - 1, C[1] = 1;
    c[1] = kind == LIFTS ? x * x + 0.25 - e : (1 - w) * (x * x * x - 3 * x + 3) + w * (x + 2.1);
    C[2] = kind == LIFTS ? 2 * x : (1 - w) * (3 * x * x - 3) + w;
}

static void stand_at(void *ctx, const double *x)
{
    chain *p = ctx;
    p->point = x;
}

static sal_status linearise_part(void *ctx, double *r, double *J, int first, int n, int worker,
                                 sal_err *err)
{
    chain *p = ctx;
    (void)worker, (void)err;
    for (int b = first; b < first + n; b++, r += NRES) {
        const double *at = p->point + 2 * b;
        const int ncol = p->block[b].ncol;
        double C[4];
        r[0] = at[0] / 10, r[1] = at[1] / 10;
        r[2] = ncol == 4 ? (at[2] - at[0]) / 10 : 0;
        constrain(p, b, at[0], at[1], r + 3, C);
        if (J == NULL) {
            continue;
        }
        memset(J, 0, (size_t)(NRES * ncol) * sizeof(double));
        J[0] = J[ncol + 1] = 0.1;
        if (ncol == 4) {
            J[2 * ncol] = -0.1, J[2 * ncol + 2] = 0.1;
        }
        memcpy(J + 3 * ncol, C, 2 * sizeof(double));
        memcpy(J + 4 * ncol, C + 2, 2 * sizeof(double));
        J += NRES * ncol;
#pragma omp atomic
        p->nlinearised++;
        p->nwhole += b == p->nblock - 1; /* by one thread at a time */
    }
    return SAL_OK;
}

static sal_status residual_part(void *ctx, double *r, const double *x, int first, int n,
                                sal_err *err)
{
    stand_at(ctx, x);
    return linearise_part(ctx, r, NULL, first, n, 0, err);
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const chain *p = ctx;
    return residual_part(ctx, r, x, 0, p->nblock, err);
}

static void move(void *ctx, double *out, const double *x, const double *d)
{
    const chain *p = ctx;
    for (int i = 0; i < 2 * p->nblock; i++) {
        out[i] = x[i] + d[i];
    }
}

static sal_status stage(void *ctx, double softness, double smoothing, double *x, sal_err *err)
{
    (void)ctx, (void)softness, (void)smoothing, (void)x, (void)err;
    return SAL_OK;
}

static sal_status soften(void *ctx, const unsigned char *soft, double softness, sal_err *err)
{
    chain *p = ctx;
    (void)err;
    p->soft = soft;
    p->softness = softness;
    return SAL_OK;
}

static bool tell(void *ctx, const sal_progress *told)
{
    chain *p = ctx;
    CHECK(told->linearisation > 0 && strcmp(told->phase, "end") != 0);
    return ++p->ntold < p->stop_after || p->stop_after == 0;
}

static void save(void *ctx, const sal_optim *optim)
{
    chain *p = ctx;
    if (p->nstate < STATES_MOST) {
        p->state[p->nstate] = malloc(sal_optim_state_size(optim));
        p->size[p->nstate] = sal_optim_state_save(optim, p->state[p->nstate]);
        p->nstate++;
    }
}

/* x [2 nblock] */
static void begin_of(chain *p, int nblock, law odd, double *x)
{
    *p = (chain){.odd = odd, .nblock = nblock};
    p->seg[0] = (sal_segment){.n = 3, .norm = {.kind = SAL_NORM_QUADRATIC}, .weight = 1};
    p->seg[1] = (sal_segment){.n = 2,
                              .norm = {.kind = SAL_NORM_QUADRATIC},
                              .weight = 100,
                              .constraint = true,
                              .tol = 1e-9};
    for (int b = 0; b < nblock; b++) {
        for (int k = 0; k < 4; k++) {
            p->col[b][k] = 2 * b + k;
        }
        p->block[b] = (sal_block){.nres = NRES,
                                  .ncol = b < nblock - 1 ? 4 : 2,
                                  .col = p->col[b],
                                  .nseg = 2,
                                  .seg = p->seg};
        const bool is_odd = b == place[0] || b == place[1];
        x[2 * b] = !is_odd ? 1 + 0.02 * sin(b) : odd == WINDS ? -1.2 : 1;
        x[2 * b + 1] = 1;
    }
    p->nls = (sal_nls){.ctx = p,
                       .nx = 2 * nblock,
                       .nvar = 2 * nblock,
                       .nblock = nblock,
                       .block = p->block,
                       .retract = move,
                       .residual = residual,
                       .place = stand_at,
                       .nworker = 3,
                       .linearise_part = linearise_part,
                       .part = PART,
                       .residual_part = residual_part,
                       .stage = stage,
                       .soften = soften,
                       .progress = tell};
}

static void begin(chain *p, law odd, double x[NVAR])
{
    begin_of(p, BLOCKS, odd, x);
}

static void end(chain *p)
{
    for (int i = 0; i < p->nstate; i++) {
        free(p->state[i]);
    }
}

static sal_status solve(chain *p, int nthread, double *x, sal_optim_result *found, sal_err *err)
{
    sal_optim *optim = NULL;
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.nthread = nthread;
    sal_status status = sal_optim_new(&optim, &p->nls, &options, err);
    if (status == SAL_OK) {
        status = sal_solve_nearest(optim, x, found, err);
    }
    sal_optim_free(optim);
    return status;
}

static sal_optim_result solve_from_the_start(chain *p, law odd, double x[NVAR])
{
    sal_optim_result found = {0};
    sal_err err = {SAL_OK, ""};
    begin(p, odd, x);
    CHECK_OK(solve(p, 1, x, &found, &err), err);
    return found;
}

static void places_that_crawl_are_linearised_apart(void)
{
    chain p, whole;
    double x[NVAR], y[NVAR];
    sal_err err = {SAL_OK, ""};
    sal_optim_result other = {0};
    const sal_optim_result found = solve_from_the_start(&p, WINDS, x);
    begin(&whole, WINDS, y);
    whole.nls.residual_part = NULL; /* so that windows cannot be evaluated */
    CHECK_OK(solve(&whole, 1, y, &other, &err), err);
    CHECK(found.stop == SAL_STOP_CONVERGED && found.violation <= 1);
    CHECK(other.stop == SAL_STOP_CONVERGED && other.violation <= 1);
    for (int i = 0; i < NVAR; i++) {
        CHECK_NEAR(x[i], 1, 1e-8);
        CHECK_NEAR(y[i], 1, 1e-8);
    }
    CHECK(other.linearisations > 12 && other.linearisations * (long)BLOCKS == whole.nlinearised);
    CHECK(3 * p.nlinearised < 2 * whole.nlinearised);
    CHECK(found.linearisations < other.linearisations && p.ntold > found.linearisations);
}

/* Places that keep 5 % of the violation are so many that the windows of all would be the whole: the
 * two worst places are solved apart. */
static void the_worst_of_many_places_come_first(void)
{
    chain p, whole;
    double x[NVAR], y[NVAR];
    sal_err err = {SAL_OK, ""};
    sal_optim_result found = {0}, other = {0};
    begin(&p, WINDS, x);
    begin(&whole, WINDS, y);
    p.many = whole.many = true;
    for (int b = 0; b < BLOCKS; b += APART) {
        x[2 * b] = y[2 * b] = -1.2;
    }
    whole.nls.residual_part = NULL;
    CHECK_OK(solve(&p, 1, x, &found, &err), err);
    CHECK_OK(solve(&whole, 1, y, &other, &err), err);
    CHECK(found.stop == SAL_STOP_CONVERGED && other.stop == SAL_STOP_CONVERGED);
    CHECK(p.ntold > found.linearisations && whole.ntold == other.linearisations);
    CHECK(p.nlinearised < whole.nlinearised);
    for (int i = 0; i < NVAR; i++) { /* of a slight one x to 1e-9 / .05, y = x^2 to twice that */
        CHECK_NEAR(x[i], 1, 5e-8);
    }
}

/* Two places wind, all others meet their constraints: what is a long motion does not wait until it
 * crawls, and needs one turn of all. */
static void few_places_of_a_long_motion_are_finished_apart(void)
{
    static chain p[2];
    double x[2 * LONG];
    long whole[2];
    sal_err err = {SAL_OK, ""};
    for (int k = 0; k < 2; k++) {
        sal_optim_result found = {0};
        begin_of(&p[k], k == 0 ? LONG : LONG - 1, WINDS, x);
        for (int b = 0; b < p[k].nblock; b++) {
            x[2 * b] = b == place[0] || b == place[1] ? x[2 * b] : 1;
        }
        CHECK_OK(solve(&p[k], 1, x, &found, &err), err);
        CHECK(found.stop == SAL_STOP_CONVERGED && found.violation <= 1);
        for (int i = 0; i < 2 * p[k].nblock; i++) {
            CHECK_NEAR(x[i], 1, 1e-8);
        }
        whole[k] = p[k].nwhole;
    }
    CHECK(whole[0] == 1 && whole[1] > 2);
}

static void where_hard_constraints_fail_a_window_softens(void)
{
    chain p;
    double x[NVAR];
    const sal_optim_result found = solve_from_the_start(&p, TURNS, x);
    CHECK(found.stop == SAL_STOP_CONVERGED && found.violation <= 1 && found.softness == 0);
    CHECK(p.soft == NULL);
    for (int b = 0; b < BLOCKS; b++) {
        CHECK_NEAR(x[2 * b], b == place[0] || b == place[1] ? root : 1, 1e-8);
    }
}

static void a_window_that_stays_soft_is_of_no_use(void)
{
    chain p;
    double x[NVAR];
    const sal_optim_result found = solve_from_the_start(&p, LIFTS, x);
    CHECK(found.stop == SAL_STOP_INFEASIBLE && found.violation > 1 && found.softness == 0);
    CHECK(p.soft == NULL);
    for (int b = 0; b < BLOCKS; b++) {
        CHECK_NEAR(x[2 * b], b == place[0] || b == place[1] ? 0 : 1, 1e-2);
    }
}

static void threads_give_the_same_bits(void)
{
    chain p;
    double x[NVAR], y[NVAR];
    sal_err err = {SAL_OK, ""};
    const sal_optim_result found = solve_from_the_start(&p, TURNS, x);
    for (int nthread = 2; nthread <= 3; nthread++) {
        sal_optim_result other = {0};
        begin(&p, TURNS, y);
        CHECK_OK(solve(&p, nthread, y, &other, &err), err);
        CHECK(memcmp(x, y, sizeof x) == 0 && other.linearisations == found.linearisations);
    }
}

typedef struct player {
    chain p;
    seat seat;
    sal_ranks ranks;
    double x[NVAR];
    sal_optim_result found;
    sal_status status;
} player;

static void *play(void *ctx)
{
    player *one = ctx;
    sal_err err = {SAL_OK, ""};
    one->status = solve(&one->p, 1, one->x, &one->found, &err);
    return NULL;
}

static void ranks_have_the_same_bits(void)
{
    enum { RANKS = 3 };
    static player players[RANKS];
    static hall h;
    pthread_t thread[RANKS];
    chain alone;
    double x[NVAR];
    const sal_optim_result found = solve_from_the_start(&alone, TURNS, x);
    hall_open(&h, RANKS);
    for (int k = 0; k < RANKS; k++) {
        begin(&players[k].p, TURNS, players[k].x);
        players[k].ranks = hall_ranks(&players[k].seat, &h, k, RANKS);
        players[k].p.nls.ranks = &players[k].ranks;
        CHECK(pthread_create(&thread[k], NULL, play, &players[k]) == 0);
    }
    for (int k = 0; k < RANKS; k++) {
        CHECK(pthread_join(thread[k], NULL) == 0);
        CHECK(players[k].status == SAL_OK && players[k].found.violation == found.violation);
        CHECK(memcmp(players[k].x, x, sizeof x) == 0);
        CHECK(players[k].found.linearisations == found.linearisations);
    }
    hall_close(&h);
}

static void resumed_it_has_the_same_bits(void)
{
    chain p;
    double x[NVAR], y[NVAR];
    sal_err err = {SAL_OK, ""};
    sal_optim_result found = {0};
    begin(&p, TURNS, x);
    p.nls.checkpoint = save;
    CHECK_OK(solve(&p, 1, x, &found, &err), err);
    CHECK(p.nstate > 3 && p.nstate < STATES_MOST);
    p.nls.checkpoint = NULL;
    for (int i = 0; i < p.nstate; i++) {
        sal_optim *optim = NULL;
        sal_optim_options options;
        sal_optim_result other = {0};
        sal_optim_defaults(&options);
        CHECK_OK(sal_optim_new(&optim, &p.nls, &options, &err), err);
        CHECK_OK(sal_solve_resume(optim, p.state[i], p.size[i], y, &other, &err), err);
        CHECK(memcmp(x, y, sizeof x) == 0 && other.linearisations == found.linearisations);
        sal_optim_free(optim);
    }
    end(&p);
}

static void the_user_may_stop_it_in_a_window(void)
{
    chain p;
    double x[NVAR];
    for (int after = 1; after < 12; after++) {
        sal_optim_result found = {0};
        sal_err err = {SAL_OK, ""};
        begin(&p, TURNS, x);
        p.stop_after = after;
        CHECK_OK(solve(&p, 1, x, &found, &err), err);
        CHECK(found.stop == SAL_STOP_INTERRUPTED);
        /* the turn under way is told of; where a window had just ended, one of the next, too */
        CHECK(p.ntold <= after + 2);
    }
}

/* (That nothing leaks on the way is the leak sanitizer's to say, in the sanitized build.) */
static void every_failed_allocation_is_reported(void)
{
    chain p;
    double x[NVAR];
    long n = 0;
    sal_status status = SAL_NOMEM;
    while (status != SAL_OK && n < 1000) {
        sal_optim_result found = {0};
        sal_err err = {SAL_OK, ""};
        begin(&p, TURNS, x);
        sal_alloc_fail_at(++n);
        status = solve(&p, 1, x, &found, &err);
        sal_alloc_fail_at(0);
        CHECK(status == SAL_OK || (status == SAL_NOMEM && err.message[0] != '\0'));
    }
    CHECK(n > 40 && n < 1000);
}

int main(void)
{
    RUN(places_that_crawl_are_linearised_apart);
    RUN(the_worst_of_many_places_come_first);
    RUN(few_places_of_a_long_motion_are_finished_apart);
    RUN(where_hard_constraints_fail_a_window_softens);
    RUN(a_window_that_stays_soft_is_of_no_use);
    RUN(threads_give_the_same_bits);
    RUN(ranks_have_the_same_bits);
    RUN(resumed_it_has_the_same_bits);
    RUN(the_user_may_stop_it_in_a_window);
    RUN(every_failed_allocation_is_reported);
    return check_done();
}
