#include "optim/spread.h"

#include "optim/assembly.h"
#include "optim/talk.h"

#include <limits.h>
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

    /* what blocks add to columns of earlier slices: pieces of their products, packed one after the
     * other */
    int *late_at;     /* [nblock+1] numbers */
    int *piece_at;    /* [nblock+1] */
    opt_piece *piece; /* from the packed numbers to H */
    int *source;      /* of each: the assembly's piece */
    int nadd;
    opt_piece *add; /* those to columns that this rank needs */

    int *row_at; /* [nblock+1] numbers of J in rows of sums */
    double *row;

    void *memory;
};

/* ---- slices ---- */

int opt_spread_part(const sal_ranks *ranks, int nblock, int most)
{
    if (!sal_ranks_are_many(ranks) || nblock == 0) {
        return most;
    }
    const int each = (nblock + ranks->size - 1) / ranks->size, npart = (each + most - 1) / most;
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

/* owner[c]: the rank whose slice has the block that begins column c; -1: no block knows it */
static void find_owners(const opt_spread *s, int *owner)
{
    const opt_assembly *as = s->as;
    for (int c = 0; c < as->nvar; c++) {
        owner[c] = -1;
    }
    for (int k = 0; k < s->ranks->size; k++) {
        const int from = as->begun_at[s->begin[k]], to = as->begun_at[s->begin[k + 1]];
        for (int run = from; run < to; run++) {
            for (int c = as->begun[2 * run]; c < as->begun[2 * run + 1]; c++) {
                owner[c] = k;
            }
        }
    }
}

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

/* Pieces of block b's product that go to columns owned by ranks before `rank`, their numbers packed
 * from *at on; s->piece may be NULL to count. */
static int find_late(opt_spread *s, const int *owner, int rank, int b, int n, long *at)
{
    const opt_assembly *as = s->as;
    const sal_block *block = &as->block[b];
    for (int i = 0; i < block->ncol; i++) {
        const int c = block->col[i];
        if (owner[c] >= rank) {
            continue;
        }
        const opt_piece *begin = as->piece + as->piece_at[b],
                        *end = as->piece + as->piece_at[b + 1];
        const opt_piece *from = opt_piece_from(begin, end, as->colptr[c]),
                        *to = opt_piece_from(begin, end, as->colptr[c + 1]);
        for (const opt_piece *piece = from; piece < to; piece++, n++) {
            if (s->piece != NULL) {
                s->piece[n] =
                    (opt_piece){.from = (int)*at, .to = piece->to, .n = piece->n, .stride = 1};
                s->source[n] = (int)(piece - as->piece);
                s->add[s->nadd] = s->piece[n];
                s->nadd += is_needed(s, c);
            }
            *at += piece->n;
        }
    }
    return n;
}

static sal_status find_all_late(opt_spread *s, const int *owner)
{
    int n = 0;
    long at = 0;
    for (int k = 0; k < s->ranks->size; k++) {
        for (int b = s->begin[k]; b < s->begin[k + 1]; b++) {
            n = find_late(s, owner, k, b, n, &at);
            s->piece_at[b + 1] = n;
            s->late_at[b + 1] = (int)at;
            if (at > INT_MAX) {
                return SAL_NOMEM;
            }
        }
    }
    return SAL_OK;
}

/* Numbers of J in rows of sums */
static sal_status find_rows(opt_spread *s)
{
    const opt_assembly *as = s->as;
    long at = 0;
    for (int b = 0; b < as->nblock; b++) {
        const sal_block *block = &as->block[b];
        for (int k = 0; k < block->nseg; k++) {
            at += block->seg[k].sum == 0 ? 0 : (long)block->seg[k].n * block->ncol;
        }
        if (at > INT_MAX) {
            return SAL_NOMEM;
        }
        s->row_at[b + 1] = (int)at;
    }
    return SAL_OK;
}

/* ---- creation ---- */

static void place(opt_spread *s, sal_layout *layout)
{
    const size_t size = (size_t)s->ranks->size, nblock = (size_t)s->as->nblock;
    s->begin = sal_layout_take(layout, size + 1, sizeof(int));
    opt_talk_place(&s->talk, s->ranks, layout);
    s->late_at = sal_layout_take(layout, nblock + 1, sizeof(int));
    s->piece_at = sal_layout_take(layout, nblock + 1, sizeof(int));
    s->row_at = sal_layout_take(layout, nblock + 1, sizeof(int));
    s->diagonal = sal_layout_take(layout, (size_t)s->as->nvar, sizeof(double));
}

static sal_status find_all(opt_spread *s, int *owner)
{
    const size_t nblock = (size_t)s->as->nblock, size = (size_t)s->ranks->size;
    find_owners(s, owner);
    find_runs(s, owner, s->talk.n);
    find_half_runs(s);
    sal_status status = find_all_late(s, owner);
    status = status == SAL_OK ? find_rows(s) : status;
    if (status != SAL_OK) {
        return status;
    }
    const size_t npiece = (size_t)s->piece_at[nblock], nrun = (size_t)s->nround * size,
                 nhalf = HALVES * (size_t)s->nhalf_round;
    s->run_at = sal_alloc(nrun + 1, sizeof(size_t));
    s->run_n = sal_alloc(nrun + 1, sizeof(size_t));
    s->half_at = sal_alloc(nhalf + 1, sizeof(size_t));
    s->half_n = sal_alloc(nhalf + 1, sizeof(size_t));
    s->move = sal_alloc((size_t)s->nmove + 1, sizeof(move));
    s->source = sal_alloc(npiece + 1, sizeof(int));
    s->row = sal_alloc((size_t)s->row_at[nblock] + 1, sizeof(double));
    s->add = sal_alloc(npiece + 1, sizeof(opt_piece));
    s->piece = sal_alloc(npiece + 1, sizeof(opt_piece));
    if (s->run_at == NULL || s->run_n == NULL || s->source == NULL || s->row == NULL ||
        s->piece == NULL || s->add == NULL || s->move == NULL || s->half_at == NULL ||
        s->half_n == NULL) {
        return SAL_NOMEM;
    }
    find_runs(s, owner, s->talk.n);
    find_half_runs(s);
    return find_all_late(s, owner);
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
        sal_free(s->source);
        sal_free(s->row);
        sal_free(s->piece);
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
    return s == NULL ? 0 : (size_t)s->late_at[s->as->nblock];
}

void opt_spread_keep(const opt_spread *s, double *H, int b, const double *square)
{
    for (int i = s == NULL ? 0 : s->piece_at[b]; s != NULL && i < s->piece_at[b + 1]; i++) {
        const opt_piece *from = &s->as->piece[s->source[i]];
        double *to = H + s->as->nvalue + s->piece[i].from;
        for (int k = 0; k < from->n; k++) {
            to[k] = square[from->from + k * from->stride];
        }
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
    opt_spread_collect(s, late, s->late_at);
    opt_kernel_scatter(H, late, s->add, s->nadd);
    if (s->nhalf_round > 0) {
        share_diagonal(s, H);
    }
}

/* ---- rows of sums ---- */

void opt_spread_keep_rows(opt_spread *s, const double *dense, int first, int n)
{
    for (int b = first; b < first + n; b++) {
        const sal_block *block = &s->as->block[b];
        double *to = s->row + s->row_at[b];
        for (int k = 0; k < block->nseg; k++) {
            const size_t size = (size_t)block->seg[k].n * (size_t)block->ncol;
            if (block->seg[k].sum != 0) {
                memcpy(to, dense, size * sizeof(double));
                to += size;
            }
            dense += size;
        }
    }
}

void opt_spread_sums(opt_spread *s, double *D)
{
    if (s == NULL || s->as->nsum == 0) {
        return;
    }
    opt_spread_collect(s, s->row, s->row_at);
    for (int b = 0; b < s->as->nblock; b++) {
        opt_sums_add(s->as, D, s->row + s->row_at[b], b);
    }
}
