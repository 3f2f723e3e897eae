/* table.c: the laboratory's own names of markers: a table of two columns with a header. */
#include "people/person.h"

#include "base/house.h"
#include "signals/cell.h"

#include <stdio.h>
#include <string.h>

static void take(char out[PPL_NAME], const sal_source *s, const sig_cell *c)
{
    const size_t n = c->end - c->begin, most = PPL_NAME - 1;
    memcpy(out, s->data + c->begin, n < most ? n : most);
    out[n < most ? n : most] = 0;
}

static bool is_known(const char *name)
{
    ppl_side side;
    ppl_landmark at;
    return ppl_landmark_of(name, &side) != NULL || ppl_segment_landmark(&at, &side, name);
}

/* One row; false where there is no memory. */
static bool read_row(ppl_table *t, const sal_source *s, size_t *at, sal_diag *diag)
{
    const int n = sig_cell_count(s, *at, ',');
    const sig_cell first = sig_cell_next(s, *at, ',');
    if (n != 2) {
        sal_diag_error(diag, sig_cell_place(s, &first),
                       "write MARKER,WHAT: a marker of the recordings, and what it is",
                       "a row must have two columns; the number of its columns is %d", n);
        for (sig_cell c = first;; c = sig_cell_next(s, c.next, ',')) {
            *at = c.next;
            if (c.last) {
                return true;
            }
        }
    }
    const sig_cell second = sig_cell_next(s, first.next, ',');
    *at = second.next;
    void *grown = sal_list_grow(t->name, t->n, &t->capacity, sizeof *t->name);
    if (grown == NULL) {
        return false;
    }
    t->name = grown;
    take(t->name[t->n][0], s, &first);
    take(t->name[t->n][1], s, &second);
    const bool header = t->n == 0 && strcmp(t->name[0][0], "marker") == 0;
    if (!header && !is_known(t->name[t->n][1])) {
        sal_diag_error(diag, sig_cell_place(s, &second),
                       "name a marker of the usual sets, such as RASI or R_calc, or a segment: "
                       "pelvis, torso, right_thigh, left_foot, ..",
                       "nothing is known as '%.90s'", t->name[t->n][1]);
    }
    t->n += !header;
    return true;
}

sal_status ppl_table_read(ppl_table *table, const char *path, sal_diag *diag, sal_err *err)
{
    char shown[512];
    sal_source s = {.path = shown};
    sal_status status = sal_text_read_file(path, 1U << 20, &s.data, &s.length, err);
    if (status != SAL_OK) {
        return status;
    }
    snprintf(shown, sizeof shown, "%s", path);
    size_t at = sig_cell_start(&s);
    while (status == SAL_OK && sig_cell_find_row(&s, &at)) {
        status =
            read_row(table, &s, &at, diag) ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory");
    }
    status = status == SAL_OK ? sal_diag_status(diag, err) : status;
    sal_free(s.data);
    return status;
}

void ppl_table_clear(ppl_table *table)
{
    sal_free(table->name);
    *table = (ppl_table){0};
}

/* What the table says that it is; NULL: nothing. */
static const char *named(const ppl_table *table, const char *name)
{
    for (int i = 0; i < table->n; i++) {
        if (strcmp(table->name[i][0], name) == 0) {
            return table->name[i][1];
        }
    }
    return NULL;
}

bool ppl_table_has(const ppl_table *table, const char *name)
{
    return named(table, name) != NULL;
}

bool ppl_recognise(const ppl_table *table, const char *name, ppl_landmark *at, ppl_side *side)
{
    const char *own = named(table, name);
    name = own != NULL ? own : name;
    const ppl_landmark *known = ppl_landmark_of(name, side);
    if (known != NULL) {
        *at = *known;
    }
    return known != NULL || ppl_segment_landmark(at, side, name);
}
