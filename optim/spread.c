#include "optim/spread.h"

#include "optim/assembly.h"
#include "optim/late.h"
#include "optim/talk.h"

#include <string.h>

enum { HALVES = 2, BETWEEN = HALVES };
enum { TAG = 1 };

/* Entries of H that go from one rank to another */
typedef struct move {
    int from, to;
    size_t at, n;
} move;

struct opt_spread {
    const opt_assembly *as;
    const sal_ranks *ranks;
    int *begin; /* [size+1] first block of each rank's slice */
    opt_talk talk;

    const unsigned char *half; /* [nvar] while they are found; NULL: all are between */

    /* columns of H that all need: those of a slice are runs of successive ones; one of each slice
     * is collected at a time */
    int nround;
    size_t *run_at, *run_n; /* [nround x size] */
    /* those that only the rank of a half needs, which are another's */
    int nmove;
    move *move;
    /* variables of a half are such runs, too */
    int nhalf_round;
    size_t *half_at, *half_n; /* [nhalf_round x 2] */
    double *diagonal;         /* [nvar] */

    opt_late *late; /* what blocks add to columns of earlier slices */
    int nadd;
    opt_piece *add; /* that to columns that this rank needs */

    void *memory;
};

/* ---- slices ---- */

int opt_spread_part(const sal_ranks *ranks, int nshare, int nblock, int most)
{
    const int n = nshare * (sal_ranks_are_many(ranks) ? ranks->size : 1);
    if (n <= 1 || nblock == 0) {
        return most;
    }
    const int each = (nblock + n - 1) / n, npart = (each + most - 1) / most;
    return (each + npart - 1) / npart;
}

static void cut(opt_spread *s, int per_part)
{
    const int nblock = s->as->nblock, size = s->ranks->size;
    const int each = (nblock + size - 1) / size,
              whole = (each + per_part - 1) / per_part * per_part;
    for (int k = 0; k <= size; k++) {
        const long begin = (long)k * whole;
        s->begin[k] = begin < nblock ? (int)begin : nblock;
    }
}

int opt_spread_first(const opt_spread *s, int nblock, int *end)
{
    *end = s == NULL ? nblock : s->begin[s->ranks->rank + 1];
    return s == NULL ? 0 : s->begin[s->ranks->rank];
}

/* ---- whose is which column of H ---- */

static int half_of(const opt_spread *s, int c)
{
    return s->half == NULL ? BETWEEN : s->half[c];
}

/* The rank that eliminates a half */
static int leader_of(const opt_spread *s, int half)
{
    return half == 0 ? 0 : s->ranks->size - 1;
}

static bool is_needed(const opt_spread *s, int c)
{
    const int half = half_of(s, c);
    return half == BETWEEN || leader_of(s, half) == s->ranks->rank;
}

/* Sorts a run of columns begin .. end-1 of one owner and one half; lists may be NULL to count.
 * count [size]: runs of each rank so far, the i-th of rank k at i x size + k. */
static void sort_run(opt_spread *s, int owner, int begin, int end, size_t *count)
{
    const int half = half_of(s, begin);
    const size_t at = (size_t)s->as->colptr[begin], n = (size_t)s->as->colptr[end] - at;
    if (half == BETWEEN) {
        const size_t i = count[owner]++;
        s->nround = count[owner] > (size_t)s->nround ? (int)count[owner] : s->nround;
        if (s->run_at != NULL) {
            s->run_at[i * (size_t)s->ranks->size + (size_t)owner] = at;
            s->run_n[i * (size_t)s->ranks->size + (size_t)owner] = n;
        }
    } else if (leader_of(s, half) != owner) {
        if (s->move != NULL) {
            s->move[s->nmove] = (move){owner, leader_of(s, half), at, n};
        }
        s->nmove++;
    }
}

static void find_runs(opt_spread *s, const int *owner, size_t *count)
{
    const opt_assembly *as = s->as;
    memset(count, 0, (size_t)s->ranks->size * sizeof *count);
    s->nmove = 0;
    for (int c = 0, end; c < as->nvar; c = end) {
        for (end = c + 1;
             end < as->nvar && owner[end] == owner[c] && half_of(s, end) == half_of(s, c);) {
            end++;
        }
        if (owner[c] >= 0) {
            sort_run(s, owner[c], c, end, count);
        }
    }
}

/* Runs of successive variables of each half, the i-th of half h at 2 i + h; lists may be NULL to
 * count. */
static void find_half_runs(opt_spread *s)
{
    int count[HALVES] = {0};
    for (int c = 0, end; c < s->as->nvar; c = end) {
        const int half = half_of(s, c);
        for (end = c + 1; end < s->as->nvar && half_of(s, end) == half;) {
            end++;
        }
        if (half == BETWEEN) {
            continue;
        }
        const int i = HALVES * count[half]++ + half;
        s->nhalf_round = count[half] > s->nhalf_round ? count[half] : s->nhalf_round;
        if (s->half_at != NULL) {
            s->half_at[i] = (size_t)c;
            s->half_n[i] = (size_t)(end - c);
        }
    }
}

/* What is kept for columns that this rank needs */
static void find_added(opt_spread *s)
{
    const opt_late *late = s->late;
    for (int i = 0; i < late->piece_at[s->as->nblock]; i++) {
        s->add[s->nadd] = late->piece[i];
        s->nadd += is_needed(s, opt_assembly_column(s->as, late->piece[i].to));
    }
}

/* ---- creation ---- */

static void place(opt_spread *s, sal_layout *layout)
{
    const size_t size = (size_t)s->ranks->size;
    s->begin = sal_layout_take(layout, size + 1, sizeof(int));
    opt_talk_place(&s->talk, s->ranks, layout);
    s->diagonal = sal_layout_take(layout, (size_t)s->as->nvar, sizeof(double));
}

static sal_status find_all(opt_spread *s, int *owner)
{
    const size_t size = (size_t)s->ranks->size;
    opt_late_owners(s->as, s->begin, s->ranks->size, owner);
    find_runs(s, owner, s->talk.n);
    find_half_runs(s);
    if (opt_late_new(&s->late, s->as, s->begin, s->ranks->size) != SAL_OK) {
        return SAL_NOMEM;
    }
    const size_t npiece = (size_t)s->late->piece_at[s->as->nblock], nrun = (size_t)s->nround * size,
                 nhalf = HALVES * (size_t)s->nhalf_round;
    s->run_at = sal_alloc(nrun + 1, sizeof(size_t));
    s->run_n = sal_alloc(nrun + 1, sizeof(size_t));
    s->half_at = sal_alloc(nhalf + 1, sizeof(size_t));
    s->half_n = sal_alloc(nhalf + 1, sizeof(size_t));
    s->move = sal_alloc((size_t)s->nmove + 1, sizeof(move));
    s->add = sal_alloc(npiece + 1, sizeof(opt_piece));
    if (s->run_at == NULL || s->run_n == NULL || s->add == NULL || s->move == NULL ||
        s->half_at == NULL || s->half_n == NULL) {
        return SAL_NOMEM;
    }
    find_runs(s, owner, s->talk.n);
    find_half_runs(s);
    find_added(s);
    return SAL_OK;
}

sal_status opt_spread_new(opt_spread **spread, const opt_assembly *as, const sal_ranks *ranks,
                          int per_part, const unsigned char *half, sal_err *err)
{
    opt_spread *s = sal_alloc(1, sizeof *s);
    int *owner = sal_alloc((size_t)as->nvar, sizeof(int));
    sal_status status = SAL_NOMEM;
    if (s == NULL || owner == NULL) {
        goto done;
    }
    *s = (opt_spread){.as = as, .ranks = ranks, .half = half};
    sal_layout layout = {0};
    place(s, &layout);
    s->memory = sal_alloc(layout.size, 1);
    if (s->memory == NULL) {
        goto done;
    }
    layout = (sal_layout){.base = s->memory};
    place(s, &layout);
    cut(s, per_part);
    status = find_all(s, owner);
    s->half = NULL;
done:
    sal_free(owner);
    if (status != SAL_OK) {
        opt_spread_free(s);
        s = NULL;
        sal_fail(err, status, "not enough memory to share %d blocks among %d ranks", as->nblock,
                 ranks->size);
    }
    *spread = s;
    return status;
}

void opt_spread_free(opt_spread *s)
{
    if (s != NULL) {
        sal_free(s->run_at);
        sal_free(s->run_n);
        opt_late_free(s->late);
        sal_free(s->add);
        sal_free(s->move);
        sal_free(s->half_at);
        sal_free(s->half_n);
        sal_free(s->memory);
        sal_free(s);
    }
}

/* ---- talk ---- */

void opt_spread_collect(opt_spread *s, double *x, const int *at)
{
    for (int k = 0; s != NULL && k < s->ranks->size; k++) {
        s->talk.at[k] = (size_t)at[s->begin[k]];
        s->talk.n[k] = (size_t)(at[s->begin[k + 1]] - at[s->begin[k]]);
    }
    if (s != NULL) {
        opt_talk_collect(&s->talk, x, s->talk.at, s->talk.n);
    }
}

/* ---- halves ---- */

bool opt_spread_leads(const opt_spread *s, int half)
{
    return s == NULL || leader_of(s, half) == s->ranks->rank;
}

/* at, n: of each half */
static void collect_halves(opt_spread *s, double *x, const size_t *at, const size_t *n)
{
    for (int k = 0; k < s->ranks->size; k++) {
        s->talk.at[k] = s->talk.n[k] = 0;
    }
    for (int h = 0; h < HALVES; h++) {
        s->talk.at[leader_of(s, h)] = at[h];
        s->talk.n[leader_of(s, h)] = n[h];
    }
    opt_talk_collect(&s->talk, x, s->talk.at, s->talk.n);
}

void opt_spread_halves(opt_spread *s, double *x, size_t n)
{
    collect_halves(s, x, (const size_t[HALVES]){0, n}, (const size_t[HALVES]){n, n});
}

void opt_spread_variables(opt_spread *s, double *v)
{
    for (int i = 0; i < s->nhalf_round; i++) {
        const size_t at = HALVES * (size_t)i;
        collect_halves(s, v, s->half_at + at, s->half_n + at);
    }
}

/* ---- agreement ---- */

sal_status opt_spread_agree(opt_spread *s, sal_status status, sal_err *err)
{
    return s == NULL ? status : opt_talk_agree(&s->talk, status, err);
}

void opt_spread_follow(opt_spread *s, const double *x, int n, void *bytes, size_t nbyte)
{
    if (s != NULL) {
        opt_talk_follow(&s->talk, x, (size_t)n, bytes, nbyte);
    }
}

/* ---- H ---- */

size_t opt_spread_room(const opt_spread *s)
{
    return s == NULL ? 0 : opt_late_room(s->late);
}

void opt_spread_keep(const opt_spread *s, double *H, int b, const double *square)
{
    if (s != NULL) {
        opt_late_keep(s->late, H + s->as->nvalue, b, square);
    }
}

/* The columns of halves to the ranks that eliminate them, one run after the other: every rank meets
 * them in the same order. */
static void move_columns(opt_spread *s, double *H)
{
    const sal_ranks *r = s->ranks;
    for (const move *m = s->move; m < s->move + s->nmove && s->talk.status == SAL_OK; m++) {
        if (m->from == r->rank) {
            s->talk.status =
                r->send(r->ctx, m->to, TAG, H + m->at, m->n * sizeof(double), &s->talk.err);
        } else if (m->to == r->rank) {
            s->talk.status =
                r->receive(r->ctx, m->from, TAG, H + m->at, m->n * sizeof(double), &s->talk.err);
        }
    }
}

static void share_diagonal(opt_spread *s, double *H)
{
    const opt_assembly *as = s->as;
    for (int c = 0; c < as->nvar; c++) {
        s->diagonal[c] = H[as->colptr[c]];
    }
    opt_spread_variables(s, s->diagonal);
    for (int c = 0; c < as->nvar; c++) {
        H[as->colptr[c]] = s->diagonal[c];
    }
}

void opt_spread_hessian(opt_spread *s, double *H)
{
    if (s == NULL) {
        return;
    }
    double *late = H + s->as->nvalue;
    for (int i = 0; i < s->nround; i++) {
        const size_t at = (size_t)i * (size_t)s->ranks->size;
        opt_talk_collect(&s->talk, H, s->run_at + at, s->run_n + at);
    }
    move_columns(s, H);
    opt_spread_collect(s, late, s->late->at);
    opt_kernel_scatter(H, late, s->add, s->nadd);
    if (s->nhalf_round > 0) {
        share_diagonal(s, H);
    }
}
