/* How far the sweep in a folder is: what came of its cells, how fast they come, what went wrong,
 * which were slow. */
#include "cli/cli.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RATE_CELLS = 100, SLOWEST = 5, REASONS = 10 };

typedef struct group { /* of cells that share a text */
    const char *kind, *text;
    int n, first;
} group;

typedef struct state {
    const sal_sweep_view *view;
    int done, physical, unsolved, failed, running, waiting;
    double rate; /* cells/s, of the last ones; NaN: fewer than two */
    double last; /* s since the last one came; NaN: none has */
    double left; /* s; NaN: nobody knows, or nobody is at work */
    int nreason, nversion, nslow;
    group *reason, *version; /* most frequent first */
    int slow[SLOWEST];
} state;

/* ---- counting ---- */

static bool is_kind(const sal_record *r, sal_outcome_kind kind)
{
    return strcmp(r->kind, sal_outcome_name(kind)) == 0;
}

static void count(state *s)
{
    for (int i = 0; i < s->view->ncell; i++) {
        const sal_record *r = s->view->record + i;
        if (r->status[0] != 0) {
            s->done++;
            s->physical += is_kind(r, SAL_CELL_PHYSICAL);
            s->unsolved += is_kind(r, SAL_CELL_UNSOLVED);
        }
    }
    s->failed = s->done - s->physical - s->unsolved;
}

/* Whoever works on a cell holds a lock on its own byte of the file; halves are looked at apart, for
 * the system names any one of several. */
static int count_locks(int file, off_t from, off_t to)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = to - from};
    if (from >= to || fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) {
        return 0;
    }
    const off_t begin = lock.l_start, end = lock.l_len == 0 ? to : begin + lock.l_len;
    return 1 + count_locks(file, from, begin) + count_locks(file, end, to);
}

static int count_running(const char *folder)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/lock", folder);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    const int n = count_locks(file, 0, (off_t)1 << 62);
    close(file);
    return n;
}

/* ---- time ---- */

/* When a cell's record was written, s since the epoch; NaN: unknown */
static double written_at(const sal_sweep_view *v, int cell)
{
    char path[4200];
    struct stat info;
    sal_sweep_motion(path, sizeof path, v->folder, v->hash[cell]);
    const size_t n = strlen(path);
    if (n < 3) {
        return (double)NAN;
    }
    memcpy(path + n - 3, ".tsv", 5); /* beside HASH.h5 */
    return stat(path, &info) != 0
               ? (double)NAN
               : (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
}

static int later_first(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* rate = (k - 1) / (t_1 - t_k) over the last k records */
static void measure_rate(state *s, double *when)
{
    struct timespec now;
    int n = 0;
    for (int i = 0; i < s->view->ncell; i++) {
        when[n] = s->view->record[i].status[0] == 0 ? (double)NAN : written_at(s->view, i);
        n += !isnan(when[n]);
    }
    s->rate = s->last = s->left = (double)NAN;
    if (n == 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return;
    }
    qsort(when, (size_t)n, sizeof *when, later_first);
    const int k = n < RATE_CELLS ? n : RATE_CELLS;
    const double span = when[0] - when[k - 1];
    s->last = fmax(0, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - when[0]);
    s->rate = k > 1 && span > 0 ? (k - 1) / span : (double)NAN;
    s->left = s->running > 0 ? (s->waiting + s->running) / s->rate : (double)NAN;
}

/* ---- groups ---- */

static int more_first(const void *a, const void *b)
{
    const group *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n)
                        : (x->first > y->first) - (x->first < y->first);
}

static void add_to(group *list, int *n, const char *kind, const char *text, int cell)
{
    for (int i = 0; i < *n; i++) {
        if (strcmp(list[i].text, text) == 0 && strcmp(list[i].kind, kind) == 0) {
            list[i].n++;
            return;
        }
    }
    list[(*n)++] = (group){kind, text, 1, cell};
}

static void collect(state *s)
{
    char here[sizeof s->view->record->version];
    snprintf(here, sizeof here, "%s", sal_version_text());
    for (int i = 0; i < s->view->ncell; i++) {
        const sal_record *r = s->view->record + i;
        if (r->status[0] == 0) {
            continue;
        }
        if (!is_kind(r, SAL_CELL_PHYSICAL)) {
            add_to(s->reason, &s->nreason, is_kind(r, SAL_CELL_UNSOLVED) ? r->status : r->kind,
                   r->reason, i);
        }
        if (strcmp(r->version, here) != 0) {
            add_to(s->version, &s->nversion, "", r->version, i);
        }
        int at = s->nslow < SLOWEST ? s->nslow++ : SLOWEST;
        for (; at > 0 && s->view->record[s->slow[at - 1]].seconds < r->seconds; at--) {
            if (at < SLOWEST) {
                s->slow[at] = s->slow[at - 1];
            }
        }
        if (at < SLOWEST) {
            s->slow[at] = i;
        }
    }
    qsort(s->reason, (size_t)s->nreason, sizeof(group), more_first);
    qsort(s->version, (size_t)s->nversion, sizeof(group), more_first);
}

/* ---- for people ---- */

/* "12 s", "3.5 min", "2.1 h", "4 d" */
static const char *span_of(double seconds, char text[32])
{
    const double unit = seconds < 100 ? 1 : seconds < 6000 ? 60 : seconds < 200000 ? 3600 : 86400;
    snprintf(text, 32, "%.*g %s", 2 + (seconds / unit >= 100), seconds / unit,
             unit < 2      ? "s"
             : unit < 61   ? "min"
             : unit < 3601 ? "h"
                           : "d");
    return text;
}

static void name_cell(const sal_sweep_view *v, int cell)
{
    for (int k = 0; k < v->naxis; k++) {
        printf(" %s=%s", v->axis[k], v->value[cell * v->naxis + k]);
    }
    if (v->nrepeat > 1) {
        printf(" repeat=%d", v->repeat[cell]);
    }
    puts("");
}

static void show_rate(const state *s)
{
    char span[32];
    if (s->done == 0) {
        return;
    }
    if (!isnan(s->rate)) {
        const double unit = s->rate >= 1 ? 1 : s->rate >= 1. / 60 ? 60 : 3600;
        printf("rate      %.*f cells %s, ", s->rate * unit < 10, s->rate * unit,
               unit < 2    ? "a second"
               : unit < 61 ? "a minute"
                           : "an hour");
    } else {
        printf("rate      ");
    }
    printf("last cell finished %s ago", span_of(s->last, span));
    if (!isnan(s->left)) {
        printf("; about %s left", span_of(s->left, span));
    } else if (s->running == 0 && s->waiting > 0) {
        printf("; no process is working on this sweep");
    }
    puts("");
}

static void show_lines(const state *s)
{
    const sal_sweep_view *v = s->view;
    printf("%s: %d of %d cells done: %d physical, %d unsolved, %d failed; %d running, %d waiting\n",
           v->name, s->done, v->ncell, s->physical, s->unsolved, s->failed, s->running, s->waiting);
    show_rate(s);
    for (int i = 0; i < s->nreason && i < REASONS; i++) {
        const group *g = s->reason + i;
        const bool more = g->text[0] != 0 && strcmp(g->text, g->kind) != 0;
        printf("%-9s %d x %s%s%s, first at", i == 0 ? "holes" : "", g->n, g->kind, more ? ": " : "",
               more ? g->text : "");
        name_cell(v, g->first);
    }
    if (s->nreason > REASONS) {
        printf("          and %d other reasons\n", s->nreason - REASONS);
    }
    for (int i = 0; i < s->nslow; i++) {
        printf("%-9s %.3g s, %s, at", i == 0 ? "slowest" : "", v->record[s->slow[i]].seconds,
               v->record[s->slow[i]].status);
        name_cell(v, s->slow[i]);
    }
    for (int i = 0; i < s->nversion; i++) {
        printf("%-9s %d of the cells by saltus %s; this is saltus %s\n", i == 0 ? "versions" : "",
               s->version[i].n, s->version[i].text, sal_version_text());
    }
}

/* ---- for programs ---- */

static void json_cell(sal_json *json, const sal_sweep_view *v, int cell)
{
    sal_json_string(json, "cell", v->hash[cell]);
    sal_json_object(json, "at");
    for (int k = 0; k < v->naxis; k++) {
        const char *value = v->value[cell * v->naxis + k], *end;
        double number;
        if (sal_text_number(value, &end, &number) && *end == 0 && isfinite(number)) {
            sal_json_number(json, v->axis[k], number);
        } else {
            sal_json_string(json, v->axis[k], value);
        }
    }
    sal_json_end(json);
    sal_json_integer(json, "repeat", v->repeat[cell]);
}

static void json_groups(sal_json *json, const state *s)
{
    sal_json_array(json, "holes");
    for (int i = 0; i < s->nreason; i++) {
        sal_json_object(json, NULL);
        sal_json_string(json, "kind", s->reason[i].kind);
        sal_json_string(json, "reason", s->reason[i].text);
        sal_json_integer(json, "cells", s->reason[i].n);
        sal_json_object(json, "first");
        json_cell(json, s->view, s->reason[i].first);
        sal_json_end(json);
        sal_json_end(json);
    }
    sal_json_end(json);
    sal_json_array(json, "slowest");
    for (int i = 0; i < s->nslow; i++) {
        sal_json_object(json, NULL);
        sal_json_number(json, "seconds", s->view->record[s->slow[i]].seconds);
        sal_json_string(json, "status", s->view->record[s->slow[i]].status);
        json_cell(json, s->view, s->slow[i]);
        sal_json_end(json);
    }
    sal_json_end(json);
    sal_json_array(json, "versions");
    for (int i = 0; i < s->nversion; i++) {
        sal_json_object(json, NULL);
        sal_json_string(json, "version", s->version[i].text);
        sal_json_integer(json, "cells", s->version[i].n);
        sal_json_end(json);
    }
    sal_json_end(json);
}

static int show_json(const cli_arguments *a, const state *s)
{
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    sal_json_object(&json, NULL);
    sal_json_string(&json, "name", s->view->name);
    sal_json_string(&json, "folder", s->view->folder);
    sal_json_integer(&json, "cells", s->view->ncell);
    sal_json_integer(&json, "done", s->done);
    sal_json_integer(&json, "physical", s->physical);
    sal_json_integer(&json, "unsolved", s->unsolved);
    sal_json_integer(&json, "failed", s->failed);
    sal_json_integer(&json, "running", s->running);
    sal_json_integer(&json, "waiting", s->waiting);
    sal_json_number(&json, "rate", s->rate);
    sal_json_number(&json, "last", s->last);
    sal_json_number(&json, "left", s->left);
    json_groups(&json, s);
    sal_json_end(&json);
    sal_text_add(&text, "\n");
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    return code;
}

/* ---- the status ---- */

static int show(const cli_arguments *a, const sal_sweep_view *view)
{
    const size_t n = (size_t)view->ncell;
    state s = {.view = view};
    double *when = sal_alloc(n + 1, sizeof *when);
    s.reason = sal_alloc(n, sizeof *s.reason);
    s.version = sal_alloc(n, sizeof *s.version);
    int code = CLI_EXIT_OK;
    if (when == NULL || s.reason == NULL || s.version == NULL) {
        sal_err err;
        code = cli_fail(a, sal_fail(&err, SAL_NOMEM, "out of memory for %zu cells", n), &err);
        goto done;
    }
    count(&s);
    s.running = count_running(view->folder);
    s.waiting = view->ncell - s.done - s.running;
    s.waiting = s.waiting < 0 ? 0 : s.waiting; /* cells may be tried again that are done */
    measure_rate(&s, when);
    collect(&s);
    if (a->given[CLI_OPT_JSON]) {
        code = show_json(a, &s);
    } else if (!a->given[CLI_OPT_QUIET]) {
        show_lines(&s);
    }
    code = code == CLI_EXIT_OK && s.unsolved + s.failed > 0 ? CLI_EXIT_CELLS : code;
done:
    sal_free(when);
    sal_free(s.reason);
    sal_free(s.version);
    return code;
}

int cli_sweep_status(const cli_arguments *a)
{
    sal_sweep_view *view;
    sal_err err = {0};
    const sal_status status = sal_sweep_look(&view, a->file[0], &err);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    const int code = show(a, view);
    sal_sweep_view_free(view);
    return code;
}
