#include "optim/late.h"

#include "optim/assembly.h"

#include <limits.h>
#include <string.h>

void opt_late_owners(const opt_assembly *as, const int *begin, int nshare, int *owner)
{
    for (int c = 0; c < as->nvar; c++) {
        owner[c] = -1;
    }
    for (int k = 0; k < nshare; k++) {
        const int from = as->begun_at[begin[k]], to = as->begun_at[begin[k + 1]];
        for (int run = from; run < to; run++) {
            for (int c = as->begun[2 * run]; c < as->begun[2 * run + 1]; c++) {
                owner[c] = k;
            }
        }
    }
}

/* Pieces of block b's product that go to columns of shares before `share`, behind the first n of
 * all; their numbers from *at on. Lists may be NULL to count. Returns how many there are then. */
static int find_of_block(opt_late *late, const int *owner, int share, int b, int n, long *at)
{
    const opt_assembly *as = late->as;
    const int first = as->piece_at[b], end = as->piece_at[b + 1];
    int c = first < end ? opt_assembly_column(as, as->piece[first].to) : 0;
    for (int i = first; i < end; i++) {
        const opt_piece *piece = &as->piece[i];
        while (as->colptr[c + 1] <= piece->to) {
            c++;
        }
        if (owner[c] >= share) {
            continue;
        }
        if (late->piece != NULL) {
            late->piece[n] =
                (opt_piece){.from = (int)*at, .to = piece->to, .n = piece->n, .stride = 1};
            late->source[n] = i;
        }
        n++;
        *at += piece->n;
    }
    return n;
}

static sal_status find_all(opt_late *late, const int *owner)
{
    int n = 0;
    long at = 0;
    if (late->nshare == 1 && late->begin[0] == 0) {
        return SAL_OK; /* all columns are its own */
    }
    for (int k = 0; k < late->nshare; k++) {
        for (int b = late->begin[k]; b < late->begin[k + 1]; b++) {
            n = find_of_block(late, owner, k, b, n, &at);
            late->piece_at[b + 1] = n;
            late->at[b + 1] = (int)at;
            if (at > INT_MAX) {
                return SAL_NOMEM;
            }
        }
    }
    for (int b = late->begin[late->nshare]; b < late->as->nblock; b++) {
        late->piece_at[b + 1] = n;
        late->at[b + 1] = (int)at;
    }
    return SAL_OK;
}

static void place(opt_late *late, sal_layout *layout)
{
    const size_t nblock = (size_t)late->as->nblock;
    late->begin = sal_layout_take(layout, (size_t)late->nshare + 1, sizeof(int));
    late->at = sal_layout_take(layout, nblock + 1, sizeof(int));
    late->piece_at = sal_layout_take(layout, nblock + 1, sizeof(int));
}

static void place_pieces(opt_late *late, sal_layout *layout)
{
    const size_t n = (size_t)late->piece_at[late->as->nblock];
    late->piece = sal_layout_take(layout, n, sizeof(opt_piece));
    late->source = sal_layout_take(layout, n, sizeof(int));
}

static sal_status fill(opt_late *late, const int *begin, int *owner)
{
    sal_layout layout = {0};
    place(late, &layout);
    late->memory = sal_alloc(layout.size, 1);
    if (late->memory == NULL || owner == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = late->memory};
    place(late, &layout);
    memcpy(late->begin, begin, ((size_t)late->nshare + 1) * sizeof *begin);
    opt_late_owners(late->as, begin, late->nshare, owner);
    if (find_all(late, owner) != SAL_OK) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){0};
    place_pieces(late, &layout);
    late->pieces = sal_alloc(layout.size + 1, 1);
    if (late->pieces == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = late->pieces};
    place_pieces(late, &layout);
    return find_all(late, owner);
}

sal_status opt_late_new(opt_late **out, const opt_assembly *as, const int *begin, int nshare)
{
    opt_late *late = sal_alloc(1, sizeof *late);
    int *owner = sal_alloc((size_t)as->nvar, sizeof(int));
    sal_status status = SAL_NOMEM;
    if (late != NULL) {
        *late = (opt_late){.as = as, .nshare = nshare};
        status = fill(late, begin, owner);
    }
    sal_free(owner);
    if (status != SAL_OK) {
        opt_late_free(late);
        late = NULL;
    }
    *out = late;
    return status;
}

void opt_late_free(opt_late *late)
{
    if (late != NULL) {
        sal_free(late->memory);
        sal_free(late->pieces);
        sal_free(late);
    }
}

size_t opt_late_room(const opt_late *late)
{
    return (size_t)late->at[late->as->nblock];
}

void opt_late_keep(const opt_late *late, double *kept, int b, const double *square)
{
    for (int i = late->piece_at[b]; i < late->piece_at[b + 1]; i++) {
        const opt_piece *from = &late->as->piece[late->source[i]];
        double *to = kept + late->piece[i].from;
        for (int k = 0; k < from->n; k++) {
            to[k] = square[from->from + k * from->stride];
        }
    }
}

void opt_late_rest(const opt_late *late, double *H, int b, const double *square)
{
    const opt_assembly *as = late->as;
    const opt_piece *from = as->piece + as->piece_at[b], *end = as->piece + as->piece_at[b + 1];
    for (int i = late->piece_at[b]; i < late->piece_at[b + 1]; i++) {
        const opt_piece *skipped = as->piece + late->source[i];
        opt_kernel_scatter(H, square, from, (int)(skipped - from));
        from = skipped + 1;
    }
    opt_kernel_scatter(H, square, from, (int)(end - from));
}

void opt_late_add(const opt_late *late, double *H, const double *kept)
{
    opt_kernel_scatter(H, kept, late->piece, late->piece_at[late->as->nblock]);
}
