/* A solve that ranks share has the bits of one that nobody shares. The ranks are threads here. */
#include "tests/check.h"
#include "tests/optim/bead.h"
#include "tests/optim/hall.h"

#include "base/base.h"

enum { NX = 2 * BEADS + 1 };

/* ---- beads by parts ---- */

typedef struct player {
    bead bead; /* first: it is the context of its own functions */
    seat seat;
    sal_ranks ranks;
    sal_optim_options options;
    int evaluated; /* blocks */
    int refuse_at; /* evaluations after which a residual fails; 0: none does */
    double x[NX], lost[NX];
    sal_optim_result found;
    sal_status status;
    sal_err err;
} player;

static sal_status residual_part(void *ctx, double *r, const double *x, int first, int n,
                                sal_err *err)
{
    player *p = ctx;
    double all[BEADS * BEAD_RES];
    p->evaluated += n;
    if (p->refuse_at > 0 && --p->refuse_at == 0) {
        return sal_fail(err, SAL_NOMEM, "rank %d has lost its beads", p->seat.rank);
    }
    const sal_status status = bead_residual(&p->bead, all, x, err);
    memcpy(r, all + first * BEAD_RES, (size_t)(n * BEAD_RES) * sizeof *r);
    return status;
}

static void place(void *ctx, const double *x)
{
    player *p = ctx;
    memcpy(p->lost, x, sizeof p->lost);
}

static sal_status linearise_part(void *ctx, double *r, double *J, int first, int n, int worker,
                                 sal_err *err)
{
    player *p = ctx;
    double all[BEADS * BEAD_RES], Jall[BEADS * BEAD_RES * BEAD_COL];
    (void)worker;
    const sal_status status = bead_linearise(&p->bead, all, Jall, p->lost, err);
    memcpy(r, all + first * BEAD_RES, (size_t)(n * BEAD_RES) * sizeof *r);
    memcpy(J, Jall + first * BEAD_RES * BEAD_COL, (size_t)(n * BEAD_RES * BEAD_COL) * sizeof *J);
    return status;
}

static void *play(void *ctx)
{
    player *p = ctx;
    sal_optim *optim = NULL;
    p->status = sal_optim_new(&optim, &p->bead.nls, &p->options, &p->err);
    if (p->status == SAL_OK) {
        p->status = sal_solve(optim, p->x, &p->found, &p->err);
    }
    sal_optim_free(optim);
    return NULL;
}

typedef struct game {
    sal_factor_method factor;
    bool sum;            /* of the costs' residuals over the cycle */
    int part;            /* blocks linearised at a time, at most */
    int stop_at;         /* linearisation at which rank 0 wants to end */
    int refuse, refuser; /* evaluation at which a rank fails, and which */
} game;

static void set_up(player *p, const game *g, hall *h, int rank, int size)
{
    memset(p, 0, sizeof *p);
    make_bead(&p->bead, p->x);
    p->bead.seg[1].sum = g->sum;
    p->bead.refuse_at = rank == 0 ? g->stop_at : 0;
    p->bead.nls.part = g->part;
    p->bead.nls.residual_part = residual_part;
    p->bead.nls.place = place;
    p->bead.nls.linearise_part = linearise_part;
    p->refuse_at = rank == g->refuser ? g->refuse : 0;
    p->ranks = hall_ranks(&p->seat, h, rank, size);
    p->bead.nls.ranks = size > 1 ? &p->ranks : NULL;
    sal_optim_defaults(&p->options);
    p->options.factor = g->factor;
}

/* All ranks solve; one alone has no ranks. */
static void play_all(player *players, const game *g, int size)
{
    static hall h;
    pthread_t thread[RANKS_MOST];
    hall_open(&h, size);
    for (int k = 0; k < size; k++) {
        set_up(players + k, g, &h, k, size);
    }
    for (int k = 0; k < size; k++) {
        CHECK(pthread_create(thread + k, NULL, play, players + k) == 0);
    }
    for (int k = 0; k < size; k++) {
        pthread_join(thread[k], NULL);
    }
    hall_close(&h);
}

static player one, many[RANKS_MOST];

static bool same(const player *a, const player *b)
{
    return a->status == b->status && a->found.stop == b->found.stop &&
           a->found.linearisations == b->found.linearisations &&
           a->found.evaluations == b->found.evaluations &&
           memcmp(&a->found.cost, &b->found.cost, sizeof a->found.cost) == 0 &&
           memcmp(a->x, b->x, sizeof a->x) == 0;
}

/* ---- cases ---- */

static void check_games(const game *g, sal_stop stop)
{
    play_all(&one, g, 1);
    CHECK_OK(one.status, one.err);
    CHECK(one.found.stop == stop);
    for (int size = 2; size <= RANKS_MOST; size++) {
        play_all(many, g, size);
        for (int k = 0; k < size; k++) {
            CHECK(same(&one, many + k));
        }
    }
}

static void every_rank_has_the_bits_of_one(void)
{
    /* dense blocks in two halves, a cycle and a border, by parts of one block and of many; any
     * pattern */
    check_games(&(game){.factor = SAL_FACTOR_BANDED, .part = 1}, SAL_STOP_CONVERGED);
    check_games(&(game){.factor = SAL_FACTOR_BANDED, .part = 100}, SAL_STOP_CONVERGED);
    check_games(&(game){.factor = SAL_FACTOR_CHOLMOD, .part = 5}, SAL_STOP_CONVERGED);
}

static void sums_over_slices_keep_their_order(void)
{
    const game g = {.factor = SAL_FACTOR_BANDED, .sum = true, .part = 3};
    play_all(&one, &g, 1);
    check_games(&g, one.found.stop);
}

static void each_evaluates_its_slice(void)
{
    play_all(many, &(game){.factor = SAL_FACTOR_BANDED, .part = 4}, 4);
    for (int k = 0; k < 4; k++) {
        CHECK(many[k].evaluated == many[k].found.evaluations * BEADS / 4);
    }
}

static void rank_0_ends_it_for_all(void)
{
    check_games(&(game){.factor = SAL_FACTOR_BANDED, .part = 4, .stop_at = 7},
                SAL_STOP_INTERRUPTED);
}

static void a_fault_of_one_is_that_of_all(void)
{
    play_all(many, &(game){.factor = SAL_FACTOR_BANDED, .part = 4, .refuse = 9, .refuser = 2}, 3);
    for (int k = 0; k < 3; k++) {
        CHECK(many[k].status == SAL_NOMEM);
        CHECK_TEXT(many[k].err.message, "rank 2 has lost its beads");
    }
}

int main(void)
{
    RUN(every_rank_has_the_bits_of_one);
    RUN(sums_over_slices_keep_their_order);
    RUN(each_evaluates_its_slice);
    RUN(rank_0_ends_it_for_all);
    RUN(a_fault_of_one_is_that_of_all);
    return check_done();
}
