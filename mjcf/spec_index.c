/* spec_index.c: names looked up in constant time: a table with open addressing, kept at most half
 * full. */
#include "mjcf/spec.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a (Fowler, Noll, Vo) */
static uint64_t hash(const char *name)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (const unsigned char *c = (const unsigned char *)name; *c != 0; c++) {
        h = (h ^ *c) * UINT64_C(1099511628211);
    }
    return h;
}

/* Where the name stands, or the free slot where it would. */
static spec_slot *slot_of(const spec_index *index, const char *name)
{
    const size_t mask = index->size - 1;
    size_t at = (size_t)hash(name) & mask;
    while (index->slot[at].name != NULL && strcmp(index->slot[at].name, name) != 0) {
        at = (at + 1) & mask;
    }
    return &index->slot[at];
}

static bool grow(mjcf_spec *spec, spec_index *index)
{
    spec_index bigger = {.n = index->n, .size = index->size == 0 ? 64 : 2 * index->size};
    bigger.slot = spec_take(spec, bigger.size, sizeof *bigger.slot);
    if (bigger.slot == NULL) {
        return false;
    }
    for (size_t i = 0; i < index->size; i++) {
        if (index->slot[i].name != NULL) {
            *slot_of(&bigger, index->slot[i].name) = index->slot[i];
        }
    }
    *index = bigger;
    return true;
}

void spec_index_put(mjcf_spec *spec, spec_index *index, const char *name, void *item)
{
    if (2 * (index->n + 1) > index->size && !grow(spec, index)) {
        return;
    }
    spec_slot *slot = slot_of(index, name);
    index->n += slot->name == NULL;
    *slot = (spec_slot){name, item};
}

void *spec_index_find(const spec_index *index, const char *name)
{
    return index->n == 0 ? NULL : slot_of(index, name)->item;
}
