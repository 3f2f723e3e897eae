/* grid.c: the axes of a sweep and the points that they span.
 *
 * Axes of one group go together; the groups are crossed, the last running fastest: with n_g values
 * each, point number
 *     k = ((i_0 n_1 + i_1) n_2 + i_2) ..
 * A point begins with the motion of its neighbour one step nearer to where the first continuation
 * begins, or, where it stands there, the next continuation's; steps onto points that are left out
 * go on.
 */
#include "signals/condition.h"
#include "sweeps/folder.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 12, GROUPS_MAX = 32, POINTS_MAX = 100000000 };

static const char blanks[] = " \t\n\v\f\r";

char *swp_setting_text(swp_reader *r, const char *path, const char *value)
{
    const char *slash = strrchr(path, '/');
    const prb_rules *rules = slash == NULL ? NULL : prb_reader_kind(path);
    const prb_rule *rule = rules == NULL ? NULL : prb_grammar_attribute(rules, slash + 1);
    return rule != NULL && rule->type == PRB_VAL_FILE ? prb_reader_beside(&r->r, r->s->path, value)
                                                      : prb_reader_copy(&r->r, value);
}

/* ---- values ---- */

typedef struct list { /* texts, one zero-terminated after the other */
    sal_text text;
    int n;
} list;

/* Plans and tables are lines of cells: a value keeps no line ends and tabs. */
static void add(list *l, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sal_text_addn(&l->text, (unsigned char)text[i] < ' ' ? " " : text + i, 1);
    }
    sal_text_addn(&l->text, "", 1);
    l->n++;
}

/* Words between blanks, or between semicolons where there are any. */
static void split(list *l, const char *values)
{
    const bool wide = strchr(values, ';') != NULL;
    const char *end = wide ? ";" : blanks;
    for (const char *s = values; *s != 0;) {
        s += strspn(s, blanks);
        size_t n = strcspn(s, end);
        const char *next = s + n + (s[n] != 0);
        while (n > 0 && strchr(blanks, s[n - 1]) != NULL) {
            n--;
        }
        if (n > 0) {
            add(l, s, n);
        }
        s = next;
    }
}

/* x at the share 0..1 between the bounds */
static double between(const double range[2], bool logarithmic, double share)
{
    return logarithmic ? range[0] * pow(range[1] / range[0], share)
                       : range[0] + (range[1] - range[0]) * share;
}

/* The digits of i in that base behind the point, in reverse: Halton, "On the efficiency of certain
 * quasi-random sequences of points in evaluating multi-dimensional integrals", Numerische
 * Mathematik 2 (1960). */
static double radical_inverse(unsigned i, unsigned base)
{
    double value = 0, digit = 1.0;
    for (; i > 0; i /= base) {
        digit /= base;
        value += (i % base) * digit;
    }
    return value;
}

enum { SAMPLE_GRID, SAMPLE_RANDOM, SAMPLE_HALTON };

typedef struct sampling {
    int kind, count,
        dimension; /* dimension: of a Halton sequence, among the axes that go together */
    bool logarithmic;
    double range[2];
    sal_rng rng;
} sampling;

static void sample(list *l, sampling *s)
{
    static const unsigned prime[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31,
                                     37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79};
    enum { NPRIME = sizeof prime / sizeof prime[0] };
    const double shift = s->kind == SAMPLE_HALTON ? sal_rng_uniform(&s->rng, 0, 1) : 0;
    for (int i = 0; i < s->count; i++) {
        double share = s->count > 1 ? (double)i / (s->count - 1) : 0;
        if (s->kind == SAMPLE_RANDOM) {
            share = sal_rng_uniform(&s->rng, 0, 1);
        } else if (s->kind == SAMPLE_HALTON) {
            share = radical_inverse((unsigned)i + 1, prime[s->dimension % NPRIME]) + shift;
            share -= floor(share);
        }
        sal_text_real(&l->text, between(s->range, s->logarithmic, share), DIGITS);
        sal_text_addn(&l->text, "", 1);
        l->n++;
    }
}

/* The files a pattern names, without the sweep's folder. */
static void find_files(swp_reader *r, list *l, const char *pattern)
{
    glob_t found;
    char *path = prb_reader_beside(&r->r, r->s->path, pattern);
    const size_t folder = path == NULL ? 0 : strlen(path) - strlen(pattern);
    if (path != NULL && glob(path, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            add(l, found.gl_pathv[i] + folder, strlen(found.gl_pathv[i] + folder));
        }
        globfree(&found);
    }
    sal_free(path);
}

/* ---- one axis ---- */

/* The axis of that name among the first n; -1. */
static int find_axis(const sal_sweep *s, const char *name, int n)
{
    for (int a = 0; a < n; a++) {
        if (s->axis[a].name != NULL && strcmp(s->axis[a].name, name) == 0) {
            return a;
        }
    }
    return -1;
}

static void no_axis(swp_reader *r, const sal_xml *element, const char *attribute, const char *name,
                    int n)
{
    char help[300];
    const char *names[256];
    int count = 0;
    for (int a = 0; a < n && count < 256; a++) {
        names[count++] = r->s->axis[a].name;
    }
    sig_name_help(help, sizeof help, name, names, count);
    sal_diag_error(r->r.diag, prb_reader_place(element, attribute), help[0] == 0 ? NULL : help,
                   "there is no %saxis '%.100s'", element->tag[0] == 'a' ? "earlier " : "", name);
}

/* Puts the axis into a group; the one it goes `with`, or -1. */
static int join_group(swp_reader *r, const sal_xml *e, sal_axis *axis)
{
    sal_sweep *s = r->s;
    const char *with = prb_grammar_text("axis", e, "with");
    const int partner = with == NULL ? -1 : find_axis(s, with, s->naxis);
    if (with != NULL && partner < 0) {
        no_axis(r, e, "with", with, s->naxis);
    }
    axis->group = partner >= 0 ? s->axis[partner].group : s->ngroup++;
    if (s->ngroup > GROUPS_MAX) {
        sal_diag_error(r->r.diag, e->place, NULL, "more than %d axes that are crossed", GROUPS_MAX);
        s->ngroup = GROUPS_MAX;
    }
    return partner;
}

/* How a range is sampled; false after an error. */
static bool read_sampling(swp_reader *r, const sal_xml *e, const sal_axis *axis, int partner,
                          sampling *out)
{
    const sal_sweep *s = r->s;
    const sal_xml_attr *kind = sal_xml_find_attr(e, "sample");
    const long count = prb_grammar_whole("axis", e, "count");
    *out = (sampling){.kind = prb_grammar_choice("axis", e, "sample"),
                      .logarithmic = prb_grammar_choice("axis", e, "log") == 1,
                      .count = count > 0      ? (int)count
                               : partner >= 0 ? s->axis[partner].nvalue
                                              : 0};
    prb_grammar_reals("axis", e, "range", out->range, 2);
    const sal_xml *other = r->root->child;
    for (int a = -1; partner >= 0 && kind == NULL && other != NULL; other = other->next) {
        a += strcmp(other->tag, "axis") == 0; /* as the one it goes with */
        if (a == partner && strcmp(other->tag, "axis") == 0) {
            out->kind = prb_grammar_choice("axis", other, "sample");
        }
    }
    for (int a = 0; a < s->naxis; a++) {
        out->dimension += s->axis[a].group == axis->group;
    }
    out->rng.state = (uint64_t)prb_grammar_whole("sweep", r->root, "seed") * 1000003U +
                     (uint64_t)s->naxis * 7919U;
    if (out->count == 0) {
        sal_diag_error(r->r.diag, prb_reader_place(e, "range"), "add count=\"10\", say",
                       "a range without 'count'");
    }
    if (out->logarithmic && !(out->range[0] > 0)) {
        sal_diag_error(r->r.diag, prb_reader_place(e, "range"), NULL,
                       "with log=\"true\" a range begins above 0");
        return false;
    }
    return out->count > 0;
}

/* Texts to pointers, and what is set: the value, or the template with it. */
static void keep_values(swp_reader *r, sal_axis *axis, list *l, const char *template)
{
    const size_t n = (size_t)l->n;
    axis->value = prb_reader_alloc(&r->r, n, sizeof(char *));
    axis->setting = prb_reader_alloc(&r->r, n, sizeof(char *));
    axis->number = prb_reader_alloc(&r->r, n, sizeof(double));
    size_t *at = prb_reader_alloc(&r->r, 2 * n, sizeof *at), place = 0;
    r->r.nomem = r->r.nomem || l->text.failed;
    for (int i = 0; i < l->n && !r->r.nomem; i++) {
        at[2 * i] = place;
        place += strlen(l->text.data + place) + 1;
    }
    for (int i = 0; i < l->n && !r->r.nomem; i++) {
        char *value = prb_reader_copy(&r->r, l->text.data + at[2 * i]);
        char *set =
            value == NULL || axis->path == NULL ? NULL : swp_setting_text(r, axis->path, value);
        at[2 * i + 1] = l->text.length;
        for (const char *t = template == NULL ? "{}" : template; set != NULL && *t != 0;) {
            const size_t plain = strcspn(t, "{");
            sal_text_addn(&l->text, t, plain);
            t += plain;
            const bool hole = t[0] == '{' && t[1] == '}';
            sal_text_addn(&l->text, hole ? set : t, hole ? strlen(set) : *t != 0);
            t += hole ? 2 : *t != 0;
        }
        sal_text_addn(&l->text, "", 1);
        sal_free(set);
        sal_free(value);
    }
    r->r.nomem = r->r.nomem || l->text.failed;
    for (int i = 0; i < l->n && !r->r.nomem; i++) {
        const char *end;
        axis->value[i] = l->text.data + at[2 * i];
        axis->setting[i] = l->text.data + at[2 * i + 1];
        if (!sal_text_number(axis->value[i], &end, &axis->number[i]) || *end != 0) {
            axis->number[i] = (double)NAN;
        }
    }
    sal_free(at);
    axis->nvalue = l->n;
    axis->text = l->text.data;
}

/* Which of the three says what the values are; NULL after an error. */
static const char *source_of(swp_reader *r, const sal_xml *e)
{
    static const char *const source[] = {"values", "range", "files"};
    const char *found = NULL;
    for (int i = 0; i < 3; i++) {
        const sal_xml_attr *attr = sal_xml_find_attr(e, source[i]);
        if (attr != NULL && found != NULL) {
            sal_diag_error(r->r.diag, attr->name_place, "remove one of the two",
                           "<axis> has both '%s' and '%s'", found, source[i]);
            return NULL;
        }
        found = attr != NULL ? source[i] : found;
    }
    if (found == NULL) {
        sal_diag_error(r->r.diag, e->place, "add values=\"..\", range=\"..\" or files=\"..\"",
                       "an <axis> without values");
    }
    return found;
}

static void read_axis(swp_reader *r, const sal_xml *e)
{
    sal_sweep *s = r->s;
    sal_axis *axis = &s->axis[s->naxis];
    const char *name = prb_grammar_text("axis", e, "name"),
               *path = prb_grammar_text("axis", e, "path"), *source = source_of(r, e);
    sampling how;
    list values = {0};
    if (name == NULL || source == NULL) {
        return;
    }
    if (find_axis(s, name, s->naxis) >= 0 || strpbrk(name, blanks) != NULL) {
        sal_diag_error(r->r.diag, prb_reader_place(e, "name"), NULL,
                       find_axis(s, name, s->naxis) >= 0 ? "a second axis '%.100s'"
                                                         : "the name '%.100s' has blanks",
                       name);
        return;
    }
    const int partner = join_group(r, e, axis);
    axis->name = prb_reader_copy(&r->r, name);
    axis->path = path == NULL ? NULL : prb_reader_copy(&r->r, path);
    if (strcmp(source, "values") == 0) {
        split(&values, prb_grammar_text("axis", e, "values"));
    } else if (strcmp(source, "files") == 0) {
        find_files(r, &values, prb_grammar_text("axis", e, "files"));
    } else if (read_sampling(r, e, axis, partner, &how)) {
        sample(&values, &how);
    }
    if (values.n == 0) {
        sal_diag_error(r->r.diag, prb_reader_place(e, source), NULL,
                       source[0] == 'f' ? "no file is named like this"
                                        : "an axis wants at least one value");
    } else if (partner >= 0 && values.n != s->axis[partner].nvalue) {
        sal_diag_error(r->r.diag, prb_reader_place(e, "with"), NULL,
                       "%d values, but '%.100s' has %d: they cannot go together", values.n,
                       s->axis[partner].name, s->axis[partner].nvalue);
    }
    keep_values(r, axis, &values, prb_grammar_text("axis", e, "template"));
    s->naxis++;
}

void swp_read_axes(swp_reader *r)
{
    size_t n = 0;
    for (const sal_xml *c = r->root->child; c != NULL; c = c->next) {
        n += strcmp(c->tag, "axis") == 0;
    }
    r->s->axis = prb_reader_alloc(&r->r, n + 1, sizeof *r->s->axis);
    for (const sal_xml *c = r->root->child; c != NULL && !r->r.nomem; c = c->next) {
        if (strcmp(c->tag, "axis") == 0) {
            read_axis(r, c);
        }
    }
}

/* ---- the grid ---- */

/* Values of a group. */
static int size_of(const sal_sweep *s, int group)
{
    for (int a = 0; a < s->naxis; a++) {
        if (s->axis[a].group == group) {
            return s->axis[a].nvalue;
        }
    }
    return 1;
}

/* How far apart neighbours in a group are in the numbers of the grid. */
static int stride_of(const sal_sweep *s, int group)
{
    int stride = 1;
    for (int g = s->ngroup - 1; g > group; g--) {
        stride *= size_of(s, g);
    }
    return stride;
}

static int index_in(const sal_sweep *s, int grid, int group)
{
    return grid / stride_of(s, group) % size_of(s, group);
}

int sal_sweep_value(const sal_sweep *s, int point, int axis)
{
    return index_in(s, s->grid[point], s->axis[axis].group);
}

/* ---- what is left out ---- */

typedef struct place { /* for conditions */
    const sal_sweep *s;
    int grid;
} place;

static sal_value look(void *user, int axis)
{
    const place *p = user;
    const sal_axis *a = &p->s->axis[axis];
    const int i = index_in(p->s, p->grid, a->group);
    return sig_value_of(a->value[i]);
}

/* The conditions of all <skip>, into skip [as many]; their number. */
static int read_skips(swp_reader *r, sig_condition **skip)
{
    const sal_sweep *s = r->s;
    const char **names = prb_reader_alloc(&r->r, (size_t)s->naxis, sizeof *names);
    int n = 0;
    for (int a = 0; a < s->naxis && names != NULL; a++) {
        names[a] = s->axis[a].name;
    }
    for (const sal_xml *c = r->root->child; c != NULL && !r->r.nomem; c = c->next) {
        sal_err err;
        const char *where =
            strcmp(c->tag, "skip") == 0 ? prb_grammar_text("skip", c, "where") : NULL;
        if (where == NULL) {
            continue;
        }
        const sal_status status = sig_condition_parse(&skip[n], where, prb_reader_place(c, "where"),
                                                      names, s->naxis, r->r.diag, &err);
        r->r.nomem = r->r.nomem || status == SAL_NOMEM;
        n += status == SAL_OK;
    }
    sal_free(names);
    return n;
}

/* Fills s->grid with the points that stay. */
static void choose_points(swp_reader *r, int ngrid)
{
    sal_sweep *s = r->s;
    size_t most = 0;
    for (const sal_xml *c = r->root->child; c != NULL; c = c->next) {
        most += strcmp(c->tag, "skip") == 0;
    }
    sig_condition **skip = prb_reader_alloc(&r->r, most, sizeof(sig_condition *));
    const int nskip = skip == NULL ? 0 : read_skips(r, skip);
    s->grid = prb_reader_alloc(&r->r, (size_t)ngrid, sizeof *s->grid);
    for (int k = 0; k < ngrid && s->grid != NULL; k++) {
        place here = {s, k};
        bool out = false;
        for (int i = 0; i < nskip; i++) {
            out = out || sig_condition_holds(skip[i], look, &here);
        }
        if (!out) {
            s->grid[s->npoint++] = k;
        }
    }
    for (int i = 0; i < nskip; i++) {
        sig_condition_free(skip[i]);
    }
    sal_free(skip);
    if (s->npoint == 0 && !r->r.nomem && r->r.diag->nerror == 0) {
        sal_diag_error(r->r.diag, r->root->place, NULL, "every point is left out by <skip>");
    }
}

/* ---- continuation ---- */

static void read_continuation(swp_reader *r, const sal_xml *e)
{
    sal_sweep *s = r->s;
    sal_continuation *c = &s->continuation[s->ncontinuation];
    const char *name = prb_grammar_text("continuation", e, "axis"),
               *from = prb_grammar_text("continuation", e, "from");
    const int axis = name == NULL ? -1 : find_axis(s, name, s->naxis);
    const double softness = prb_grammar_real("continuation", e, "softness");
    if (axis < 0) {
        if (name != NULL) {
            no_axis(r, e, "axis", name, s->naxis);
        }
        return;
    }
    *c = (sal_continuation){.axis = axis,
                            .noise = prb_grammar_real("continuation", e, "noise"),
                            .softness = isnan(softness) ? -1 : softness,
                            .nstart = (int)prb_grammar_whole("continuation", e, "nstart")};
    const sal_value wanted = sig_value_of(from);
    while (from != NULL && c->from < s->axis[axis].nvalue) {
        const sal_value value = sig_value_of(s->axis[axis].value[c->from]);
        if (sig_value_compare(&value, &wanted) == 0) {
            break;
        }
        c->from++;
    }
    if (s->nrepeat > 1 && c->noise <= 0 && strcmp(s->repeat_path, "init/seed") == 0) {
        sal_diag_warning(r->r.diag, e->place, "give them noise",
                         "the %d repeats of a point that begin with a motion are the same",
                         s->nrepeat);
    }
    if (c->from == s->axis[axis].nvalue) {
        sal_diag_error(r->r.diag, prb_reader_place(e, "from"), NULL,
                       "'%.100s' is none of the values of '%.100s'", from, name);
        return;
    }
    s->ncontinuation++;
}

/* The nearest point that stays, from point `point` towards where c begins; -1. */
static int step_back(const sal_sweep *s, const int *point_of, int point, const sal_continuation *c)
{
    const int group = s->axis[c->axis].group, stride = stride_of(s, group);
    int grid = s->grid[point], i = index_in(s, grid, group);
    while (i != c->from) {
        const int by = i > c->from ? -1 : 1;
        i += by;
        grid += by * stride;
        if (point_of[grid] >= 0) {
            return point_of[grid];
        }
    }
    return -1;
}

/* How many motions come before each point's, one after the other; then points by that number, else
 * as they are. */
static void put_in_order(swp_reader *r)
{
    sal_sweep *s = r->s;
    const size_t n = (size_t)s->npoint;
    int *depth = prb_reader_alloc(&r->r, n, sizeof *depth),
        *at = prb_reader_alloc(&r->r, n + 2, sizeof *at);
    s->order = prb_reader_alloc(&r->r, n, sizeof *s->order);
    for (int p = 0; p < s->npoint && !r->r.nomem; p++) {
        for (int q = s->before[p]; q >= 0; q = s->before[q]) {
            depth[p]++;
        }
        at[depth[p] + 1]++;
    }
    for (size_t d = 0; d < n && !r->r.nomem; d++) {
        at[d + 1] += at[d];
    }
    for (int p = 0; p < s->npoint && !r->r.nomem; p++) {
        s->order[at[depth[p]]++] = p;
    }
    sal_free(depth);
    sal_free(at);
}

static void connect(swp_reader *r, int ngrid)
{
    sal_sweep *s = r->s;
    int *point_of = prb_reader_alloc(&r->r, (size_t)ngrid, sizeof *point_of);
    s->before = prb_reader_alloc(&r->r, (size_t)s->npoint, sizeof *s->before);
    s->along = prb_reader_alloc(&r->r, (size_t)s->npoint, sizeof *s->along);
    if (r->r.nomem) {
        sal_free(point_of);
        return;
    }
    memset(point_of, -1, (size_t)ngrid * sizeof *point_of);
    for (int p = 0; p < s->npoint; p++) {
        point_of[s->grid[p]] = p;
        s->before[p] = s->along[p] = -1;
    }
    for (int p = 0; p < s->npoint; p++) {
        for (int c = 0; c < s->ncontinuation && s->before[p] < 0; c++) {
            s->before[p] = step_back(s, point_of, p, &s->continuation[c]);
            s->along[p] = s->before[p] < 0 ? -1 : c;
        }
    }
    sal_free(point_of);
    put_in_order(r);
}

void swp_read_points(swp_reader *r)
{
    sal_sweep *s = r->s;
    double ngrid = s->nrepeat;
    size_t n = 0;
    for (int g = 0; g < s->ngroup; g++) {
        ngrid *= size_of(s, g);
    }
    if (ngrid > POINTS_MAX) {
        sal_diag_error(r->r.diag, r->root->place, NULL,
                       "%.0f cells are more than the %d there can be", ngrid, POINTS_MAX);
        return;
    }
    for (const sal_xml *c = r->root->child; c != NULL; c = c->next) {
        n += strcmp(c->tag, "continuation") == 0;
    }
    s->continuation = prb_reader_alloc(&r->r, n, sizeof *s->continuation);
    for (const sal_xml *c = r->root->child; c != NULL && !r->r.nomem; c = c->next) {
        if (strcmp(c->tag, "continuation") == 0) {
            read_continuation(r, c);
        }
    }
    choose_points(r, (int)(ngrid / s->nrepeat));
    if (!r->r.nomem && r->r.diag->nerror == 0) {
        connect(r, (int)(ngrid / s->nrepeat));
        s->ncell = s->npoint * s->nrepeat;
    }
}
