/* state.c: a solve between two turns, as bytes.
 *
 *     head { magic, version, sizes, pattern }   sal_state   x [nx]   kept [nx]   active [nrow]   sha256 of all before
 *
 * All else is made anew: the stage from softness and smoothing, the value of the point from x, and the linear model by the next turn.
 */
#include "optim/solver.h"

#include <stdint.h>
#include <string.h>

enum { VERSION = 1, SEAL = 64 };

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

size_t sal_optim_state_size(const sal_optim *o)
{
    return sizeof(head) + sizeof(sal_state) + 2 * (size_t)o->nls->nx * sizeof(double) +
           (size_t)o->nrow + SEAL;
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

void sal_optim_state_save(const sal_optim *o, void *bytes)
{
    const size_t nx = (size_t)o->nls->nx * sizeof(double), n = sal_optim_state_size(o);
    head h = head_of(o);
    sal_state state;
    char seal[SEAL + 1];
    void *at = bytes;
    h.valued = o->now.valued;
    memcpy(&state, &o->state, sizeof state); /* with its padding, which is zero */
    state.elapsed = sal_optim_elapsed(o);
    at = put(at, &h, sizeof h);
    at = put(at, &state, sizeof state);
    at = put(at, o->now.x, nx);
    at = put(at, o->kept, nx);
    at = put(at, o->active, (size_t)o->nrow);
    sal_sha256_hex(seal, bytes, n - SEAL);
    memcpy(at, seal, SEAL);
}

static sal_status check(const sal_optim *o, const void *bytes, size_t n, head *h, sal_err *err)
{
    const head mine = head_of(o);
    char seal[SEAL + 1];
    if (n < sizeof *h || memcmp(bytes, mine.magic, sizeof mine.magic) != 0) {
        return sal_fail(err, SAL_BADINPUT, "this is not the state of a solve");
    }
    memcpy(h, bytes, sizeof *h);
    if (h->version != mine.version) {
        return sal_fail(err, SAL_BADINPUT, "the state of a solve is of version %d, not %d",
                        h->version, mine.version);
    }
    if (h->nx != mine.nx || h->nvar != mine.nvar || h->nrow != mine.nrow ||
        h->nblock != mine.nblock || h->pattern != mine.pattern) {
        return sal_fail(err, SAL_BADINPUT, "the state is that of another problem");
    }
    if (n != sal_optim_state_size(o)) {
        return sal_fail(err, SAL_BADINPUT, "the state of a solve is truncated");
    }
    sal_sha256_hex(seal, bytes, n - SEAL);
    return memcmp(seal, (const char *)bytes + n - SEAL, SEAL) == 0
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT, "the state of a solve is damaged");
}

sal_status sal_state_load(sal_optim *o, const void *bytes, size_t n, sal_err *err)
{
    const size_t nx = (size_t)o->nls->nx * sizeof(double);
    head h;
    sal_state state;
    sal_status status = check(o, bytes, n, &h, err);
    if (status != SAL_OK) {
        return status;
    }
    const void *at = get(&state, (const char *)bytes + sizeof h, sizeof state), *x = at;
    at = get(o->now.x, at, nx);
    at = get(o->kept, at, nx);
    get(o->active, at, (size_t)o->nrow);
    status = sal_point_stage(o, state.softness, state.smoothing, err);
    get(o->now.x, x, nx); /* which the stage may have changed a second time */
    if (status == SAL_OK && h.valued) {
        status = sal_point_value(o, err);
    }
    memcpy(&o->state, &state, sizeof state); /* after that, which counts an evaluation */
    o->rows = sal_phase_rows(o->state.phase);
    return status;
}
