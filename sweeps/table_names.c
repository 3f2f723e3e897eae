/* What a table can show: axes, what records say of every cell, and the figures that any of them
 * holds. */
#include "signals/condition.h"
#include "sweeps/folder.h"
#include "sweeps/table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- memory ---- */

typedef struct block {
    struct block *next;
    _Alignas(16) char bytes[];
} block;

void *swp_table_take(swp_table_maker *m, size_t count, size_t size)
{
    const size_t limit = SIZE_MAX / 4;
    block *b =
        count > limit / (size == 0 ? 1 : size) ? NULL : sal_alloc(sizeof(block) + count * size, 1);
    if (b == NULL) {
        m->failed = true;
        return NULL;
    }
    b->next = m->table->words;
    m->table->words = b;
    return b->bytes;
}

char *swp_table_copy(swp_table_maker *m, const char *bytes, size_t n)
{
    char *copy = swp_table_take(m, n + 1, 1);
    if (copy != NULL) {
        memcpy(copy, bytes, n);
    }
    return copy;
}

void sal_table_free(sal_table *t)
{
    if (t != NULL) {
        for (block *b = t->words, *next; b != NULL; b = next) {
            next = b->next;
            sal_free(b);
        }
        sal_free(t);
    }
}

/* ---- names ---- */

static void grow(swp_table_maker *m)
{
    const int capacity = 2 * m->capacity + 64;
    swp_table_name *name = swp_table_take(m, (size_t)capacity, sizeof *name);
    const char **names = swp_table_take(m, (size_t)capacity, sizeof *names);
    if (name == NULL || names == NULL) {
        return;
    }
    if (m->nname > 0) {
        memcpy(name, m->name, (size_t)m->nname * sizeof *name);
        memcpy(names, m->names, (size_t)m->nname * sizeof *names);
    }
    m->name = name;
    m->names = names;
    m->capacity = capacity;
}

static int add(swp_table_maker *m, swp_table_kind kind, int axis, const char *name,
               const char *figure)
{
    if (m->nname == m->capacity) {
        grow(m);
    }
    if (name == NULL || m->nname == m->capacity) {
        return -1;
    }
    m->name[m->nname] = (swp_table_name){kind, axis, name, figure};
    m->names[m->nname] = name;
    return m->nname++;
}

static int find_figure(const swp_table_maker *m, const char *name)
{
    for (int i = 0; i < m->nname; i++) {
        if (m->name[i].kind == SWP_TABLE_FIGURE && strcmp(m->name[i].figure, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_name(const swp_table_maker *m, const char *name)
{
    for (int i = 0; i < m->nname; i++) {
        if (strcmp(m->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A figure that something else is called like is called figure:NAME. */
static int add_figure(swp_table_maker *m, const char *figure)
{
    const bool taken = find_name(m, figure) >= 0;
    char *name = swp_table_take(m, strlen(figure) + 8, 1);
    if (name == NULL) {
        return -1;
    }
    memcpy(name, "figure:", 8);
    memcpy(name + 7, figure, strlen(figure) + 1);
    return add(m, SWP_TABLE_FIGURE, 0, taken ? name : name + 7, name + 7);
}

int swp_table_find(swp_table_maker *m, const char *name)
{
    const bool figure = strncmp(name, "figure:", 7) == 0;
    const int found = figure ? find_figure(m, name + 7) : find_name(m, name);
    return found < 0 && m->no_figures && name[0] != 0 ? add_figure(m, figure ? name + 7 : name)
                                                      : found;
}

int swp_table_figure(swp_table_maker *m, const char *name)
{
    int found = find_figure(m, name);
    found = found < 0 ? find_name(m, name) : found;
    return found < 0 ? add_figure(m, name) : found;
}

/* Figures are mostly the same and in the same order in all records: `last` is the record before. */
static void collect_record(swp_table_maker *m, const sal_record *r, const sal_record *last)
{
    for (int i = 0; i < r->nfigure && !m->failed; i++) {
        const char *name = r->figure[i].name;
        const bool same =
            last != NULL && i < last->nfigure && strcmp(last->figure[i].name, name) == 0;
        if (!same && find_figure(m, name) < 0) {
            add_figure(m, name);
        }
    }
}

void swp_table_collect(swp_table_maker *m)
{
    static const char *const source[] = {
#define SOURCE_NAME(code, name) name,
        SAL_TABLE_SOURCE_LIST(SOURCE_NAME)
#undef SOURCE_NAME
    };
    const sal_sweep_view *v = m->view;
    const sal_record *last = NULL;
    for (int i = 0; i < v->naxis; i++) {
        add(m, SAL_TABLE_AXIS, i, v->axis[i], NULL);
    }
    for (int i = 0; i < SAL_TABLE_AXIS; i++) {
        if (find_name(m, source[i]) < 0) {
            add(m, (swp_table_kind)i, 0, source[i], NULL);
        }
    }
    for (int i = 0; i < v->ncell && !m->failed; i++) {
        if (v->record[i].nfigure > 0) {
            collect_record(m, v->record + i, last);
            last = v->record + i;
        }
    }
    m->no_figures = last == NULL;
    swp_table_figure(m, "cost"); /* conditions may name what cells will have */
    for (int i = 0; i < v->ncolumn; i++) {
        swp_table_figure(m, v->column[i].figure);
    }
}

/* ---- values ---- */

static sal_value text(const char *t)
{
    return (sal_value){t, (double)NAN};
}

const char *swp_table_fate(const sal_record *r)
{
    const bool unsolved = strcmp(r->kind, sal_outcome_name(SAL_CELL_UNSOLVED)) == 0;
    return r->status[0] == 0 ? "waiting" : unsolved ? r->status : r->kind;
}

static const char *reason(const sal_record *r)
{
    const bool solved =
        r->status[0] == 0 || strcmp(r->kind, sal_outcome_name(SAL_CELL_PHYSICAL)) == 0;
    return solved || r->reason[0] != 0 ? r->reason : swp_table_fate(r);
}

static sal_value motion(swp_table_maker *m, int cell)
{
    char path[4096];
    if (!m->view->motion[cell]) {
        return text("");
    }
    sal_sweep_motion(path, sizeof path, m->view->folder, m->view->hash[cell]);
    return text(swp_table_copy(m, path, strlen(path)));
}

sal_value swp_table_look(swp_table_maker *m, int name, int cell, bool hole)
{
    const sal_sweep_view *v = m->view;
    const sal_record *r = v->record + cell;
    const bool done = r->status[0] != 0;
    switch (m->name[name].kind) {
    case SAL_TABLE_AXIS:
        return sig_value_of(v->value[cell * v->naxis + m->name[name].axis]);
    case SAL_TABLE_POINT:
        return sig_value_number(v->point[cell]);
    case SAL_TABLE_REPEAT:
        return sig_value_number(v->repeat[cell]);
    case SAL_TABLE_STATUS:
        return text(done ? r->status : "waiting");
    case SAL_TABLE_KIND:
        return text(done ? r->kind : "");
    case SAL_TABLE_EXIT_CODE:
        return sig_value_number(done ? r->exit_code : (double)NAN);
    case SAL_TABLE_REASON:
        return text(reason(r));
    case SAL_TABLE_CELL:
        return text(v->hash[cell]);
    case SAL_TABLE_FROM:
        return text(r->from);
    case SAL_TABLE_MOTION:
        return motion(m, cell);
    case SAL_TABLE_TRIES:
        return sig_value_number(done ? r->tries : (double)NAN);
    case SAL_TABLE_SECONDS:
        return sig_value_number(done ? r->seconds : (double)NAN);
    case SAL_TABLE_VERSION:
        return text(r->version);
    case SWP_TABLE_FIGURE:
        break;
    }
    return sig_value_number(hole ? (double)NAN : swp_record_figure(r, m->name[name].figure));
}
