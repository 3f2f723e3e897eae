/* follow_unused.c: columns of a recording that are not used, though they may be positions: joints
 * that the model does not have, or whose names it writes in another way. Rates, forces, what was
 * wished of joints and what is recorded of bodies are not worth a word; of an array, NAME_0,
 * NAME_1, .., one column in use is enough.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <string.h>

enum { NAMED = 6 };

static bool is_in(const int *columns, int n, int k)
{
    bool found = false;
    for (int i = 0; i < n; i++) {
        found = found || columns[i] == k;
    }
    return found;
}

static bool is_used(const gde_clip *c, int k)
{
    const bool angles = c->angles.column[0] >= 0 && is_in(c->angles.column, 3, k),
               turn = c->angles.column[0] < 0 && is_in(c->turn, 4, k),
               pose = c->root >= 0 && (is_in(c->place, 3, k) || turn || angles),
               block = c->block >= 0 && k >= c->block && k < c->block + c->nscalar;
    return k == c->s.time || pose || block || is_in(c->column, c->draft.m->njnt, k);
}

/* Without the numbers at its end: of an array, the name. */
static size_t stem_of(const char *name)
{
    size_t n = strlen(name);
    for (size_t end = n; end > 0;) {
        size_t k = end;
        while (k > 0 && name[k - 1] >= '0' && name[k - 1] <= '9') {
            k--;
        }
        if (k == end || k == 0 || name[k - 1] != '_') {
            break;
        }
        n = end = k - 1;
    }
    return n;
}

/* The column behind the last of the array of column k, or of the same name otherwise. */
static int end_of(const sig_signals *s, int k)
{
    const char *name = s->column[k].name;
    const size_t n = stem_of(name);
    int end = k + 1;
    while (end < s->ncol && n < strlen(name) && stem_of(s->column[end].name) == n &&
           strncmp(s->column[end].name, name, n) == 0) {
        end++;
    }
    return end;
}

void gde_note_unused(gde_clip *c)
{
    const sig_signals *s = &c->s;
    sal_text list = {0};
    int n = 0;
    for (int k = 0, end; k < s->ncol && c->made == NULL; k = end) {
        const char *name = s->column[k].name;
        bool used = s->column[k].text || !gde_may_be_position(name) || gde_is_wished(name),
             numbers = false;
        end = end_of(s, k);
        for (int i = k; i < end; i++) {
            used = used || is_used(c, i);
            numbers = numbers || !gde_column_is_empty(c, i);
        }
        if (!used && numbers && n++ < NAMED) {
            sal_text_format(&list, "%s'%.*s'", n > 1 ? ", " : "", (int)stem_of(name), name);
        }
    }
    if (n > 0) {
        const char *names = list.data == NULL ? "" : list.data, *more = n > NAMED ? " .." : "";
        gde_note(&c->draft,
                 n == 1 ? "column %s%s is not used: no joint of the model has this name. If it is "
                          "one of its joints, give it that name"
                        : "columns %s%s are not used: no joints of the model have these names. If "
                          "they are joints of it, give them their names",
                 names, more);
    }
    sal_text_clear(&list);
}
