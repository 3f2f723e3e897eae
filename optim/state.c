/* state.c: a solve between two turns, as bytes.
 *
 *     head { magic, version, sizes, pattern }   opt_state   x [nx]   kept [nx]   good [nx]
 *     active [nrow]
 *     where a stretch is soft:                  which blocks are [nblock]
 *     where there was a step to learn from:     its multipliers [nrow]
 *     itself and the gradient before it [nvar]
 *     where there are secants:                  their pairs
 *     sha256 of all before
 *
 * All else is made anew: the stage from softness and smoothing, the value of the point from x, and
 * the linear model by the next turn.
 */
#include "base/house.h"
#include "optim/solver.h"

#include <stdint.h>
#include <string.h>

enum { VERSION = 6, SEAL = 64 };

typedef struct head {
    char magic[8];
    int version, valued;
    int nx, nvar, nrow, nblock;
    uint64_t pattern; /* of what does not change during a solve */
} head;

static uint64_t mix(uint64_t hash, int number)
{
    return (hash ^ (uint64_t)(uint32_t)number) * 0x100000001b3U; /* FNV-1a */
}

static uint64_t pattern_of(const sal_nls *nls)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (int b = 0; b < nls->nblock; b++) {
        const sal_block *block = &nls->block[b];
        hash = mix(mix(mix(hash, block->nres), block->ncol), block->nseg);
        for (int i = 0; i < block->ncol; i++) {
            hash = mix(hash, block->col[i]);
        }
        for (int s = 0; s < block->nseg; s++) {
            const sal_segment *seg = &block->seg[s];
            hash = mix(mix(hash, seg->n), seg->constraint + 2 * seg->range);
        }
    }
    return hash;
}

static head head_of(const sal_optim *o)
{
    head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, "salstate", sizeof h.magic);
    h.version = VERSION;
    h.nx = o->nls->nx, h.nvar = o->nls->nvar, h.nrow = o->nrow, h.nblock = o->nls->nblock;
    h.pattern = pattern_of(o->nls);
    return h;
}

/* The vectors that are saved with a state; a length of 0 where it does not need one. */
typedef struct part {
    void *data;
    size_t n; /* bytes */
} part;

enum { PARTS = 9 };

static void parts_of(const sal_optim *o, const opt_state *state, part parts[PARTS])
{
    const size_t nx = (size_t)o->nls->nx * sizeof(double),
                 nvar = (size_t)o->nls->nvar * sizeof(double), nrow = (size_t)o->nrow;
    const part all[PARTS] = {
        {o->now.x, nx},
        {o->kept, nx},
        {o->good, nx},
        {o->active, nrow},
        {o->soft, state->stretching ? (size_t)o->nls->nblock : 0},
        {o->lambda, state->moved ? nrow * sizeof(double) : 0},
        {o->secant.step, state->moved ? nvar : 0},
        {o->secant.gradient, state->moved ? nvar : 0},
        {o->secant.pairs, state->npair > 0 ? 2 * OPT_PAIRS * nvar : 0},
    };
    memcpy(parts, all, sizeof all);
}

static size_t size_of(const sal_optim *o, const opt_state *state)
{
    part parts[PARTS];
    size_t n = sizeof(head) + sizeof(opt_state) + SEAL;
    parts_of(o, state, parts);
    for (int i = 0; i < PARTS; i++) {
        n += parts[i].n;
    }
    return n;
}

size_t sal_optim_state_size(const sal_optim *o)
{
    const opt_state most = {.moved = true, .npair = OPT_PAIRS, .stretching = true};
    return size_of(o, &most);
}

static void *put(void *to, const void *from, size_t n)
{
    return (char *)memcpy(to, from, n) + n;
}

static const void *get(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    return (const char *)from + n;
}

size_t sal_optim_state_save(const sal_optim *o, void *bytes)
{
    const size_t n = size_of(o, &o->state);
    part parts[PARTS];
    head h = head_of(o);
    opt_state state = {0};
    char seal[SEAL + 1];
    void *at = bytes;
    h.valued = o->now.valued;
    memcpy(&state, &o->state, sizeof state); /* with its padding, which is zero */
    state.elapsed = opt_elapsed(o);
    at = put(at, &h, sizeof h);
    at = put(at, &state, sizeof state);
    parts_of(o, &o->state, parts);
    for (int i = 0; i < PARTS; i++) {
        at = put(at, parts[i].data, parts[i].n);
    }
    sal_sha256_hex(seal, bytes, n - SEAL);
    memcpy(at, seal, SEAL);
    return n;
}

static sal_status check(const sal_optim *o, const void *bytes, size_t n, head *h, opt_state *state,
                        sal_err *err)
{
    const head mine = head_of(o);
    char seal[SEAL + 1];
    if (n < sizeof *h || memcmp(bytes, mine.magic, sizeof mine.magic) != 0) {
        return sal_fail(err, SAL_BADINPUT, "this is not the saved state of a solve");
    }
    memcpy(h, bytes, sizeof *h);
    if (h->version != mine.version) {
        return sal_fail(err, SAL_BADINPUT,
                        "the saved state has version %d; this program reads only version %d: start "
                        "the solve anew",
                        h->version, mine.version);
    }
    if (h->nx != mine.nx || h->nvar != mine.nvar || h->nrow != mine.nrow ||
        h->nblock != mine.nblock || h->pattern != mine.pattern) {
        return sal_fail(err, SAL_BADINPUT,
                        "the saved state belongs to a problem with other variables or residuals: "
                        "start the solve anew");
    }
    /* the seal first: what stands in a damaged state may not even be read */
    const size_t least = sizeof *h + sizeof *state + SEAL;
    sal_sha256_hex(seal, bytes, n < SEAL ? 0 : n - SEAL);
    if (n < least || memcmp(seal, (const char *)bytes + n - SEAL, SEAL) != 0) {
        return sal_fail(
            err, SAL_BADINPUT,
            "the saved state of the solve is truncated or damaged: start the solve anew");
    }
    memcpy(state, (const char *)bytes + sizeof *h, sizeof *state);
    return n == size_of(o, state) ? SAL_OK
                                  : sal_fail(err, SAL_BADINPUT,
                                             "the saved state has %zu bytes, and this problem "
                                             "needs %zu: start the solve anew",
                                             n, size_of(o, state));
}

sal_status opt_state_load(sal_optim *o, const void *bytes, size_t n, sal_err *err)
{
    head h;
    opt_state state = {0};
    part parts[PARTS];
    sal_status status = check(o, bytes, n, &h, &state, err);
    if (status != SAL_OK) {
        return status;
    }
    const void *at = (const char *)bytes + sizeof h + sizeof state, *x = at;
    parts_of(o, &state, parts);
    for (int i = 0; i < PARTS; i++) {
        at = get(parts[i].data, at, parts[i].n);
    }
    o->state.stretching = state.stretching;
    o->state.stretch = state.stretch;
    status = opt_point_stage(o, state.softness, state.smoothing, err);
    get(o->now.x, x, parts[0].n); /* which the stage may have changed a second time */
    if (status == SAL_OK && h.valued) {
        status = opt_point_value(o, err);
    }
    memcpy(&o->state, &state, sizeof state); /* after that, which counts an evaluation */
    o->rows = opt_phase_rows(o->state.phase);
    return status;
}
