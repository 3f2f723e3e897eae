/* Arrays in groups within groups, as columns of signals.
 *
 *     observations/qpos  observations/qvel  action        one recording
 *     data/demo_0/qpos   data/demo_1/qpos   data/fps      two: groups side by side that hold an
 *                                                         array of the same name are clips, if
 *                                                         their numbers of rows differ, or only
 *                                                         numbers in their names, or it is a whole
 *                                                         robot's
 *
 * An array has the last name of its path, or, where two have the same, all names behind the group
 * that they share. Lone numbers (the rate) and words (names of joints) above a clip are of all
 * clips.
 */
#include "signals/tree.h"

#include "base/house.h"
#include "signals/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tree ---- */

sig_leaf *sig_tree_add(sig_tree *t, const char *path)
{
    const size_t n = strlen(path);
    sig_leaf *grown = sal_list_grow(t->leaf, t->n, &t->room, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    t->leaf = grown;
    sig_leaf *leaf = grown + t->n;
    *leaf = (sig_leaf){.path = sal_alloc(n + 1, 1)};
    if (leaf->path == NULL) {
        return NULL;
    }
    memcpy(leaf->path, path, n);
    t->n++;
    return leaf;
}

void sig_tree_clear(sig_tree *t)
{
    for (int i = 0; i < t->n; i++) {
        sal_free(t->leaf[i].path);
    }
    sal_free(t->leaf);
    *t = (sig_tree){0};
}

/* ---- groups ---- */

/* Leaves first .. first+n-1, whose paths begin with the same `length` bytes: the names of the group
 * and those above it, and a '/'; none of the whole tree */
typedef struct group {
    int first, n;
    size_t length;
} group;

static const char *behind(const sig_tree *t, group g, int i)
{
    return t->leaf[g.first + i].path + g.length;
}

/* The group of leaf i of a group, one level below it; an array by itself is one of length 0. */
static group child_at(const sig_tree *t, group g, int i)
{
    const char *name = behind(t, g, i), *slash = strchr(name, '/');
    const size_t n = slash == NULL ? 0 : (size_t)(slash - name) + 1;
    group child = {g.first + i, 1, n == 0 ? 0 : g.length + n};
    while (n > 0 && i + child.n < g.n && strncmp(behind(t, g, i + child.n), name, n) == 0) {
        child.n++;
    }
    return child;
}

/* Whether it is an array of numbers with rows. */
static bool is_array(const sig_leaf *leaf)
{
    return leaf->kind == SIG_LEAF_NUMBERS && leaf->ndim > 0 && leaf->shape[0] > 1;
}

/* The leaf of a group that has this path within it; NULL: there is none. */
static const sig_leaf *leaf_of(const sig_tree *t, group g, const char *path)
{
    for (int i = 0; i < g.n; i++) {
        if (strcmp(behind(t, g, i), path) == 0) {
            return t->leaf + g.first + i;
        }
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The names of two groups side by side, but for numbers in them. */
static bool are_numbered(const sig_tree *t, group a, group b, size_t above)
{
    const char *x = t->leaf[a.first].path + above, *y = t->leaf[b.first].path + above;
    while (*x != '/' || *y != '/') {
        if (is_digit(*x) && is_digit(*y)) {
            for (; is_digit(*x); x++) {
            }
            for (; is_digit(*y); y++) {
            }
        } else if (*x++ != *y++) {
            return false;
        }
    }
    return true;
}

/* Of which there is one at each instant. */
static bool is_of_whole_robot(const char *path)
{
    static const char *const words[] = {"root", "base", "qpos", "pelvis"};
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        is = is || strstr(path, words[i]) != NULL;
    }
    return is;
}

/* Clips side by side: groups of `parent` that hold an array with this path */
typedef struct clips {
    group parent;
    const char *path;
} clips;

/* How many rows that array has in a group; 0: it is no clip. */
static size_t rows_of(const sig_tree *t, const clips *c, group child)
{
    const sig_leaf *leaf = child.length == 0 ? NULL : leaf_of(t, child, c->path);
    return leaf != NULL && is_array(leaf) ? leaf->shape[0] : 0;
}

static bool is_clip(const sig_tree *t, const clips *c, group child)
{
    return rows_of(t, c, child) > 0;
}

/* Whether groups that hold an array of this path are clips. */
static bool are_clips(const sig_tree *t, const clips *c)
{
    group first = {0}, child;
    size_t rows = 0;
    int n = 0;
    bool other = false, numbered = true;
    for (int i = 0; i < c->parent.n; i += child.n) {
        child = child_at(t, c->parent, i);
        const size_t own = rows_of(t, c, child);
        if (own == 0) {
            continue;
        }
        first = n == 0 ? child : first;
        rows = n++ == 0 ? own : rows;
        other = other || own != rows;
        numbered = numbered && are_numbered(t, first, child, c->parent.length);
    }
    return n > 1 && (other || numbered || is_of_whole_robot(c->path));
}

/* Those in a group, by one of the first arrays of its groups; path NULL: it holds no clips. */
static clips clips_in(const sig_tree *t, group g)
{
    enum { TRIED = 100 };
    group child;
    for (int i = 0, tried = 0; i < g.n; i += child.n) {
        child = child_at(t, g, i);
        for (int k = 0; k < child.n && child.length > 0 && tried < TRIED; k++) {
            const clips c = {g, behind(t, child, k)};
            const bool array = is_array(t->leaf + child.first + k);
            tried += array;
            if (array && are_clips(t, &c)) {
                return c;
            }
        }
    }
    return (clips){0};
}

/* Those of the highest group that holds any. */
static clips find_clips(const sig_tree *t, group g)
{
    clips found = clips_in(t, g);
    group child;
    for (int i = 0; i < g.n && found.path == NULL; i += child.n) {
        child = child_at(t, g, i);
        found = child.length > 0 ? find_clips(t, child) : found;
    }
    return found;
}

static group whole(const sig_tree *t)
{
    return (group){0, t->n, 0};
}

/* ---- one of the clips ---- */

/* How long the name of a child is. */
static int name_length(group g, group child)
{
    return (int)(child.length - g.length - 1);
}

static bool is_called(const sig_tree *t, group g, group child, const char *name)
{
    const size_t n = strlen(name);
    return child.length == g.length + n + 1 &&
           strncmp(behind(t, g, child.first - g.first), name, n) == 0;
}

static void fail_clip(sig_signals *s, const sig_tree *t, const clips *c, sal_diag *diag)
{
    enum { SHOWN = 4 };
    const group g = c->parent;
    char list[300] = "";
    int n = 0;
    group child;
    for (int i = 0; i < g.n; i += child.n) {
        child = child_at(t, g, i);
        const size_t used = strlen(list);
        if (is_clip(t, c, child) && n++ < SHOWN) {
            snprintf(list + used, sizeof list - used, "%s'%.*s'", used == 0 ? "" : ", ",
                     name_length(g, child) < 60 ? name_length(g, child) : 60, behind(t, g, i));
        }
    }
    const char *more = n > SHOWN ? " .." : "";
    const sal_place place =
        sig_list(s, "/%.*s", n == 0 ? 0 : (int)g.length, n == 0 ? "" : t->leaf[g.first].path);
    if (s->clip != NULL && n > 0) {
        sal_diag_error(diag, place, "give the name of one of them",
                       "it holds no clip '%.60s', but %s%s", s->clip, list, more);
    } else if (s->clip != NULL) {
        sal_diag_error(diag, place, NULL, "it holds no group '%.60s' of arrays", s->clip);
    } else {
        sal_diag_error(diag, place,
                       "say which: --clip NAME, or in a problem file <data clip=\"NAME\"/>; "
                       "`saltus follow` takes all of them with --sweep",
                       "it holds %d clips: %s%s", n, list, more);
    }
}

/* The group of that name in a group, or in one of its groups; n = 0: there is none with arrays. */
static group find_named(const sig_tree *t, group g, const char *name)
{
    group child, found = {0};
    for (int i = 0; i < g.n && found.n == 0; i += child.n) {
        child = child_at(t, g, i);
        for (int k = 0; k < child.n && child.length > 0 && is_called(t, g, child, name); k++) {
            found = is_array(t->leaf + child.first + k) ? child : found;
        }
        if (child.length > 0 && found.n == 0) {
            found = find_named(t, child, name);
        }
    }
    return found;
}

/* The clip that is asked for, or all where there are none; n = 0 after an error. */
static group choose_clip(sig_signals *s, const sig_tree *t, sal_diag *diag)
{
    const clips all = find_clips(t, whole(t));
    const group named = s->clip == NULL ? (group){0} : find_named(t, whole(t), s->clip);
    if (named.n > 0 || (all.path == NULL && s->clip == NULL)) {
        return named.n > 0 ? named : whole(t);
    }
    fail_clip(s, t, &all, diag);
    return (group){0};
}

sal_status sig_tree_names(sig_names *names, const sig_tree *t, sal_err *err)
{
    const clips all = find_clips(t, whole(t));
    const group g = all.parent;
    group child;
    names->name = sal_alloc((size_t)g.n + 1, sizeof *names->name);
    bool nomem = names->name == NULL;
    for (int i = 0; i < g.n && !nomem; i += child.n) {
        child = child_at(t, g, i);
        if (is_clip(t, &all, child)) {
            const size_t n = (size_t)name_length(g, child);
            char *name = names->name[names->n] = sal_alloc(n + 1, 1);
            nomem = name == NULL;
            if (name != NULL) {
                memcpy(name, behind(t, g, i), n);
                names->n++;
            }
        }
    }
    return nomem ? sal_fail(err, SAL_NOMEM, "out of memory for names") : SAL_OK;
}

/* ---- arrays ---- */

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* How many bytes the paths of a group share, up to a '/'. */
static size_t shared_length(const sig_tree *t, group g)
{
    size_t shared = (size_t)(last_name(t->leaf[g.first].path) - t->leaf[g.first].path);
    for (int i = 1; i < g.n; i++) {
        while (shared > 0 &&
               strncmp(t->leaf[g.first].path, t->leaf[g.first + i].path, shared) != 0) {
            do {
                shared--;
            } while (shared > 0 && t->leaf[g.first].path[shared - 1] != '/');
        }
    }
    return shared;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The last names of the leaves of a group, sorted; NULL: no memory. */
static const char **sort_names(const sig_tree *t, group g)
{
    const char **name = sal_alloc((size_t)g.n + 1, sizeof *name);
    for (int i = 0; i < g.n && name != NULL; i++) {
        name[i] = last_name(t->leaf[g.first + i].path);
    }
    if (name != NULL) {
        qsort(name, (size_t)g.n, sizeof *name, compare_names);
    }
    return name;
}

static bool is_unique(const char *const *sorted, int n, const char *name)
{
    const char *const *at = bsearch(&name, sorted, (size_t)n, sizeof *sorted, compare_names);
    return (at == sorted || strcmp(at[-1], name) != 0) &&
           (at == sorted + n - 1 || strcmp(at[1], name) != 0);
}

/* What the arrays of a recording are made with. */
typedef struct making {
    sig_signals *s;
    const sig_tree *t;
    sig_arrays arrays;
    sal_diag *diag;
    sal_err *err;
} making;

static sal_status add(making *m, const sig_leaf *leaf, const char *name)
{
    sal_err why = {0};
    if (leaf->kind == SIG_LEAF_OTHER) {
        sal_text_format(&m->s->remark, "array '%.80s' is not read: it holds no numbers\n", name);
        return SAL_OK;
    }
    sig_array *a = m->arrays.list + m->arrays.n++;
    *a = (sig_array){.name = sig_word(name, strlen(name)),
                     .item = leaf->kind == SIG_LEAF_NUMBERS,
                     .ndim = leaf->ndim,
                     .place = sig_list(m->s, "%s", leaf->path)};
    memcpy(a->shape, leaf->shape, sizeof a->shape);
    sal_status status = a->name == NULL                ? SAL_NOMEM
                        : leaf->ndim <= SIG_ARRAY_NDIM ? m->t->read(m->t->file, leaf, a, &why)
                                                       : SAL_OK; /* nobody asks for its numbers */
    if (status == SAL_BADINPUT) {
        sal_diag_error(m->diag, a->place, NULL, "array '%.80s': %s", name, why.message);
        return SAL_OK; /* go on: all faults are said at once */
    }
    return status == SAL_NOMEM
               ? sal_fail(m->err, SAL_NOMEM, "out of memory for the arrays of '%.300s'",
                          m->s->source.path)
               : status;
}

/* Lone numbers and words in the groups above that of the recording: those that stand beside
 * these. */
static sal_status add_above(making *m, group g)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < m->t->n && status == SAL_OK; i++) {
        const sig_leaf *leaf = m->t->leaf + i;
        const size_t n = (size_t)(last_name(leaf->path) - leaf->path);
        const bool is_above = (i < g.first || i >= g.first + g.n) && n < g.length &&
                              strncmp(leaf->path, m->t->leaf[g.first].path, n) == 0;
        const bool lone = leaf->kind == SIG_LEAF_NUMBERS && leaf->ndim == 0;
        if (is_above && (lone || leaf->kind == SIG_LEAF_WORDS)) {
            status = add(m, leaf, last_name(leaf->path));
        }
    }
    return status;
}

static sal_status add_group(making *m, group g)
{
    const size_t shared = shared_length(m->t, g);
    const char **sorted = sort_names(m->t, g);
    m->arrays.list = sal_alloc((size_t)m->t->n + 1, sizeof *m->arrays.list);
    if (m->arrays.list == NULL || sorted == NULL) {
        sal_free(sorted);
        return sal_fail(m->err, SAL_NOMEM, "out of memory for %d arrays", g.n);
    }
    sal_status status = SAL_OK;
    for (int i = 0; i < g.n && status == SAL_OK; i++) {
        const sig_leaf *leaf = m->t->leaf + g.first + i;
        const char *last = last_name(leaf->path);
        status = add(m, leaf, is_unique(sorted, g.n, last) ? last : leaf->path + shared);
    }
    sal_free(sorted);
    return status == SAL_OK ? add_above(m, g) : status;
}

sal_status sig_tree_read(sig_signals *s, const sig_tree *t, sal_diag *diag, sal_err *err)
{
    making m = {.s = s, .t = t, .diag = diag, .err = err};
    sal_status status = SAL_OK;
    const group g = choose_clip(s, t, diag);
    if (g.n > 0) {
        status = add_group(&m, g);
    } else if (t->n == 0) {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, NULL, "it holds no arrays");
    }
    status = status == SAL_OK ? sal_diag_status(diag, err) : status;
    status = status == SAL_OK ? sig_arrays_read(s, &m.arrays, diag, err) : status;
    sig_arrays_clear(&m.arrays);
    return status;
}
