/* What the options of a table ask for: lists of names, `speed,best=min:cost`. */
#include "signals/condition.h"
#include "sweeps/table.h"

#include <stdio.h>
#include <string.h>

static const char *const aggregate[] = {
#define AGGREGATE_NAME(code, name) name,
    SAL_AGGREGATE_LIST(AGGREGATE_NAME)
#undef AGGREGATE_NAME
};

static const char *const count[] = {"cells", "n", "holes"}; /* from SWP_AGGREGATE_CELLS on */

/* ---- the spelling of lists ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first `sign` in text that no brackets enclose, as in term[a,b], or its end. */
static const char *find_sign(const char *text, char sign)
{
    bool inside = false;
    for (; *text != 0 && (inside || *text != sign); text++) {
        inside = *text == '[' || (inside && *text != ']');
    }
    return text;
}

/* A copy without blanks around. */
static char *trimmed(swp_table_maker *m, const char *from, const char *to)
{
    while (from < to && is_blank(*from)) {
        from++;
    }
    while (to > from && is_blank(to[-1])) {
        to--;
    }
    return swp_table_copy(m, from, (size_t)(to - from));
}

/* Behind "min:" and the like, or NULL */
static const char *behind_aggregate(const char *text, swp_aggregate *which)
{
    for (int i = 0; i < SAL_AGGREGATE_NONE; i++) {
        const size_t n = strlen(aggregate[i]);
        if (strncmp(text, aggregate[i], n) == 0 && text[n] == ':') {
            *which = (swp_aggregate)i;
            return text + n + 1;
        }
    }
    return NULL;
}

static void append(swp_table_maker *m, swp_table_list *list, swp_table_item item)
{
    if ((list->n & (list->n - 1)) == 0) { /* 0, 1, 2, 4, ..: full */
        swp_table_item *more = swp_table_take(m, (size_t)list->n * 2 + 1, sizeof *more);
        if (more == NULL) {
            return;
        }
        if (list->n > 0) {
            memcpy(more, list->item, (size_t)list->n * sizeof *more);
        }
        list->item = more;
    }
    list->item[list->n++] = item;
}

static bool is_among(const swp_table_list *list, int n, const char *heading)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(list->item[i].heading, heading) == 0) {
            return true;
        }
    }
    return false;
}

static bool has(const swp_table_list *list, const char *heading)
{
    return is_among(list, list->n, heading);
}

/* ---- names ---- */

static const sal_place nowhere = {0};

static int find(swp_table_maker *m, const char *name, const char *option)
{
    char help[400];
    const int found = swp_table_find(m, name);
    if (found < 0 && name[0] == 0) {
        sal_diag_error(m->diag, nowhere, NULL, "%s: a name is missing", option);
    } else if (found < 0) {
        sig_name_help(help, sizeof help, name, m->names, m->nname);
        sal_diag_error(m->diag, nowhere, help, "%s: there is no '%.100s'", option, name);
    }
    return found;
}

static bool find_key(const swp_table_maker *m, const char *text, swp_table_item *item)
{
    for (int i = 0; i < m->key.n; i++) {
        if (strcmp(m->key.item[i].heading, text) == 0) {
            *item = m->key.item[i];
            return true;
        }
    }
    return false;
}

/* A column, or a key of the order, that `text` names; its heading is `text`. */
static bool read_source(swp_table_maker *m, const char *text, const char *option,
                        swp_table_item *item)
{
    *item = (swp_table_item){.heading = text, .name = -1, .aggregate = SAL_AGGREGATE_NONE};
    if (m->grouped && find_key(m, text, item)) {
        return true;
    }
    for (int i = 0; i < 3 && m->grouped; i++) {
        if (strcmp(text, count[i]) == 0) {
            item->aggregate = (swp_aggregate)(SWP_AGGREGATE_CELLS + i);
            return true;
        }
    }
    const char *source = behind_aggregate(text, &item->aggregate);
    item->name = find(m, source == NULL ? text : source, option);
    if (item->name >= 0 && source == NULL && m->grouped) {
        sal_diag_error(
            m->diag, nowhere,
            "write min: mean: median: max: std: sum: or count: before it, or name it in --group",
            "%s: the cells of a group may differ in '%.100s'", option, text);
        return false;
    }
    return item->name >= 0;
}

/* ---- the three lists ---- */

static void read_group(swp_table_maker *m, const char *text)
{
    for (const char *end; text != NULL; text = *end == 0 ? NULL : end + 1) {
        end = find_sign(text, ',');
        const char *name = trimmed(m, text, end);
        swp_table_item item = {.heading = name, .aggregate = SAL_AGGREGATE_NONE};
        item.name = name == NULL ? -1 : find(m, name, "--group");
        if (item.name >= 0) {
            append(m, &m->key, item);
        }
    }
}

/* [HEADING=]SOURCE; a SOURCE that the usual columns have is not shown again. */
static void read_column(swp_table_maker *m, const char *text, const char *end, int usual)
{
    const char *equals = find_sign(text, '=');
    const bool named = equals < end;
    const char *source = trimmed(m, named ? equals + 1 : text, end);
    const char *heading = named ? trimmed(m, text, equals) : source;
    swp_table_item item;
    if (source == NULL || heading == NULL || !read_source(m, source, "--columns", &item)) {
        return;
    }
    item.heading = heading;
    if (heading[0] == 0) {
        sal_diag_error(m->diag, nowhere, NULL, "--columns: '=%.100s' has no heading", source);
    } else if (!named && is_among(&m->column, usual, heading)) {
        return;
    } else if (has(&m->column, heading)) {
        sal_diag_error(m->diag, nowhere, "HEADING=NAME gives one of them another name",
                       "--columns: '%.100s' is there twice", heading);
    } else {
        append(m, &m->column, item);
    }
}

static void read_columns(swp_table_maker *m, const char *text)
{
    const int usual = m->column.n;
    for (const char *end; text != NULL; text = *end == 0 ? NULL : end + 1) {
        end = find_sign(text, ',');
        read_column(m, text, end, usual);
    }
}

static bool find_heading(const swp_table_maker *m, const char *text, swp_table_item *item)
{
    for (int i = 0; i < m->column.n; i++) {
        if (strcmp(m->column.item[i].heading, text) == 0) {
            *item = m->column.item[i];
            return true;
        }
    }
    return false;
}

static void read_order(swp_table_maker *m, const char *text)
{
    for (const char *end; text != NULL; text = *end == 0 ? NULL : end + 1) {
        end = find_sign(text, ',');
        const char *word = trimmed(m, text, end);
        swp_table_item item;
        if (word == NULL) {
            return;
        }
        const char *name = word + (word[0] == '-');
        if (find_heading(m, name, &item) || read_source(m, name, "--sort", &item)) {
            item.descending = word[0] == '-';
            append(m, &m->order, item);
        }
    }
}

static bool has_aggregate(const char *text)
{
    swp_aggregate which;
    for (const char *end; text != NULL; text = *end == 0 ? NULL : end + 1) {
        end = find_sign(text, ',');
        const char *equals = find_sign(text, '='), *source = equals < end ? equals + 1 : text;
        while (is_blank(*source)) {
            source++;
        }
        if (behind_aggregate(source, &which) != NULL) {
            return true;
        }
    }
    return false;
}

/* ---- what is shown by default ---- */

static void show(swp_table_maker *m, const char *heading, int name, swp_aggregate aggregated)
{
    if (heading != NULL && !has(&m->column, heading)) {
        append(m, &m->column,
               (swp_table_item){.heading = heading, .name = name, .aggregate = aggregated});
    }
}

static bool is_text(swp_table_kind kind)
{
    return kind == SAL_TABLE_STATUS || kind == SAL_TABLE_KIND || kind == SAL_TABLE_REASON ||
           kind == SAL_TABLE_CELL || kind == SAL_TABLE_FROM || kind == SAL_TABLE_MOTION ||
           kind == SAL_TABLE_VERSION;
}

static void show_aggregate(swp_table_maker *m, const char *heading, int name, swp_aggregate which)
{
    const size_t n = strlen(aggregate[which]), length = strlen(heading);
    char *words = swp_table_take(m, n + length + 2, 1);
    if (words != NULL && !is_text(m->name[name].kind)) {
        memcpy(words, aggregate[which], n);
        words[n] = ':';
        memcpy(words + n + 1, heading, length + 1);
        show(m, words, name, which);
    }
}

/* The columns that the sweep's file names, or the cost and all terms */
static void show_figures(swp_table_maker *m)
{
    const sal_sweep_view *v = m->view;
    for (int i = 0; i < v->ncolumn; i++) {
        const int name = swp_table_figure(m, v->column[i].figure);
        if (name >= 0 && m->grouped) {
            show_aggregate(m, v->column[i].name, name, SAL_AGGREGATE_MEAN);
        } else if (name >= 0) {
            show(m, v->column[i].name, name, SAL_AGGREGATE_NONE);
        }
    }
    const int cost = v->ncolumn > 0 ? -1 : swp_table_figure(m, "cost");
    if (cost >= 0 && m->grouped) {
        show_aggregate(m, "cost", cost, SAL_AGGREGATE_MIN);
        show_aggregate(m, "cost", cost, SAL_AGGREGATE_MEAN);
        show_aggregate(m, "cost", cost, SAL_AGGREGATE_MAX);
    } else if (cost >= 0) {
        show(m, "cost", cost, SAL_AGGREGATE_NONE);
    }
    for (int i = 0; i < m->nname && cost >= 0 && !m->grouped; i++) {
        if (m->name[i].kind == SWP_TABLE_FIGURE && strncmp(m->name[i].figure, "term[", 5) == 0) {
            show(m, m->name[i].name, i, SAL_AGGREGATE_NONE);
        }
    }
}

static void show_groups(swp_table_maker *m)
{
    for (int i = 0; i < m->key.n; i++) {
        show(m, m->key.item[i].heading, m->key.item[i].name, SAL_AGGREGATE_NONE);
    }
    show(m, "cells", -1, SWP_AGGREGATE_CELLS);
    show(m, "n", -1, SWP_AGGREGATE_PHYSICAL);
    show_figures(m);
    if (m->table->nhole + m->table->nwaiting > 0) {
        show(m, "holes", -1, SWP_AGGREGATE_HOLES);
    }
}

/* A column for what is physical but not so (as_asked, finished), if there is any such cell. */
static void show_lacking(swp_table_maker *m, const char *figure, const char *heading)
{
    const int name = m->no_figures ? -1 : swp_table_find(m, figure);
    bool any = false;
    for (int i = 0; i < m->nmember && name >= 0; i++) {
        const sal_value v = swp_table_look(m, name, m->member[i], false);
        any = any || (swp_table_is_physical(m, m->member[i]) && v.number == 0);
    }
    if (any && !has(&m->column, heading)) {
        show(m, heading, name, SAL_AGGREGATE_NONE);
    }
}

static void show_cells(swp_table_maker *m)
{
    for (int i = 0; i < m->view->naxis; i++) {
        show(m, m->view->axis[i], swp_table_find(m, m->view->axis[i]), SAL_AGGREGATE_NONE);
    }
    if (m->view->nrepeat > 1) {
        show(m, "repeat", swp_table_find(m, "repeat"), SAL_AGGREGATE_NONE);
    }
    show(m, "status", swp_table_find(m, "status"), SAL_AGGREGATE_NONE);
    show_lacking(m, "figure:as_asked", "as_asked");
    show_lacking(m, "figure:finished", "finished");
    show_figures(m);
    if (m->table->nhole > 0) {
        show(m, "reason", swp_table_find(m, "reason"), SAL_AGGREGATE_NONE);
    }
}

void swp_table_columns(swp_table_maker *m)
{
    const sal_table_options *o = m->options;
    const bool also = o->columns != NULL && o->columns[0] == '+';
    const char *columns = also ? o->columns + 1 : o->columns;
    m->grouped = o->group != NULL || has_aggregate(columns);
    read_group(m, o->group);
    if (columns == NULL || also) {
        (m->grouped ? show_groups : show_cells)(m);
    }
    if (columns != NULL) {
        read_columns(m, columns);
    }
    read_order(m, o->sort);
}
