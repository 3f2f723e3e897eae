/* follow_sweep.c: saltus follow DIR|FILE --sweep: a problem for the recordings of a folder, of a
 * robot or of a person, or of a file that holds several, and a sweep over all that are read alike.
 *
 *     DIR/problem.xml    of the first recording
 *     DIR/sweep.xml      an axis with the names of all recordings; with it their files, floors,
 *                        durations and numbers of steps
 *     DIR/low/           the same of those in which not only feet are on the floor, which are
 *                        followed less closely, if there are others
 *     DIR/recordings/    tables of poses, of recordings that <data> does not read as they stand
 */
#include "cli/cli.h"

#include "base/house.h"
#include "guide/guide.h"
#include "signals/table.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CLIPS_MOST = 10000, NAME = 256 };

/* Recordings of a folder that one sweep is over, and the problem of the first. */
typedef struct group {
    int n, *clip;
    sal_text problem;
    /* they are read from tables of poses */
    bool tables;
} group;

typedef struct folder {
    /* what is common to all recordings */
    const sal_follow_request *asked;
    /* from the root; of each recording its name without ending, which all share, "" in a file */
    char path[PATH_MAX], ending[16];
    /* it is a file, and the recordings are its clips */
    bool is_file;
    /* from the root: the folder for tables of poses */
    char tables[PATH_MAX];
    int n;
    char (*name)[NAME];
    sal_follow_found *found;
    /* it can be followed */
    bool *good;
    /* [npair] pairs of the robot that are within each other in any of them */
    bool *apart;
    /* of those on feet, and of those in which not only feet are on the floor */
    group of[2];
} folder;

/* ---- which files ---- */

static const char *const of_robots[] = {".csv",  ".tsv", ".json", ".npz", ".pkl", ".pickle", ".h5",
                                        ".hdf5", ".mat", ".mot",  ".sto", ".bvh", ".txt"},
                         *const of_people[] = {".trc", ".c3d"};

/* Of such a name there are often notes beside the recordings. */
static const char of_notes[] = ".txt";

typedef struct endings {
    const char *const *list;
    size_t n;
} endings;

static endings endings_of(const cli_arguments *a)
{
    return a->given[CLI_OPT_PERSON] ? (endings){of_people, sizeof of_people / sizeof of_people[0]}
                                    : (endings){of_robots, sizeof of_robots / sizeof of_robots[0]};
}

static bool is_clip(const cli_arguments *a, const char *name)
{
    const endings e = endings_of(a);
    const char *dot = strrchr(name, '.');
    bool is = false;
    for (size_t i = 0; i < e.n && dot != NULL && name[0] != '.'; i++) {
        is = is || strcasecmp(dot, e.list[i]) == 0;
    }
    return is && strlen(name) < NAME;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int fail_too_many(const cli_arguments *a)
{
    sal_err err;
    return cli_fail(a,
                    sal_fail(&err, SAL_BADINPUT,
                             "'%.300s' holds more than %d recordings; divide them", a->file[0],
                             CLIPS_MOST),
                    &err);
}

static int fail_none(const cli_arguments *a)
{
    const endings e = endings_of(a);
    char list[160] = "";
    sal_err err;
    for (size_t i = 0, n = 0; i < e.n; i++) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i == 0 ? "" : ", ", e.list[i]);
    }
    return cli_fail(
        a, sal_fail(&err, SAL_BADINPUT, "'%.300s' holds no recordings (%s)", a->file[0], list),
        &err);
}

static bool is_of_notes(const char *ending)
{
    return strcasecmp(ending, of_notes) == 0;
}

/* The ending that most of the files have; that of notes only if there is no other. */
static const char *most_common_ending(const folder *f)
{
    const char *best = NULL;
    int most = 0;
    for (int i = 0; i < f->n; i++) {
        const char *ending = strrchr(f->name[i], '.');
        int n = 0;
        for (int k = i;
             k < f->n && !is_of_notes(ending) && (best == NULL || strcmp(ending, best) != 0); k++) {
            n += strcmp(strrchr(f->name[k], '.'), ending) == 0;
        }
        if (n > most) {
            best = ending;
            most = n;
        }
    }
    return best == NULL ? strrchr(f->name[0], '.') : best;
}

/* Recordings of a folder that have one ending, in the order of their names. */
static int list_files(folder *f, const cli_arguments *a, DIR *dir)
{
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (is_clip(a, e->d_name) && f->n == CLIPS_MOST) {
            return fail_too_many(a);
        }
        if (is_clip(a, e->d_name)) {
            snprintf(f->name[f->n++], NAME, "%s", e->d_name);
        }
    }
    qsort(f->name, (size_t)f->n, NAME, by_name);
    if (f->n == 0) {
        return fail_none(a);
    }
    snprintf(f->ending, sizeof f->ending, "%s", most_common_ending(f));
    int kept = 0;
    for (int i = 0; i < f->n; i++) {
        char *dot = strrchr(f->name[i], '.');
        if (strcmp(dot, f->ending) == 0) {
            *dot = 0;
            memmove(f->name[kept++], f->name[i], NAME);
        } else if (!is_of_notes(dot)) {
            cli_say("left out: '%s' is not a %s file like most", f->name[i], f->ending + 1);
        }
    }
    f->n = kept;
    return CLI_EXIT_OK;
}

/* Whether a list of values can hold it, and it has room. */
static bool is_name(const char *name)
{
    return name[0] != 0 && strlen(name) < NAME && strchr(name, ';') == NULL;
}

/* The clips of a file. */
static int list_names(folder *f, const cli_arguments *a)
{
    sig_names names;
    sal_err err;
    sal_status status = sig_read_names(&names, f->path, a->value[CLI_OPT_FORMAT], &err);
    for (int i = 0; i < names.n && f->n < CLIPS_MOST; i++) {
        if (is_name(names.name[i])) {
            snprintf(f->name[f->n++], NAME, "%s", names.name[i]);
        } else {
            cli_say("left out: '%.300s': its name is empty, is longer than %d bytes, or has a ';'",
                    names.name[i], NAME - 1);
        }
    }
    const bool more = names.n > CLIPS_MOST;
    sig_names_clear(&names);
    f->is_file = true;
    if (more) {
        return fail_too_many(a);
    }
    if (status == SAL_OK && f->n == 0) {
        status = sal_fail(&err, SAL_BADINPUT,
                          "'%.300s' holds no recordings with names; --sweep is for a folder, or "
                          "for a file of several",
                          a->file[0]);
    }
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

/* The recordings of a folder, or the clips of a file. */
static int list_clips(folder *f, const cli_arguments *a)
{
    struct stat file;
    sal_err err;
    const bool found = realpath(a->file[0], f->path) != NULL && stat(f->path, &file) == 0;
    if (found && S_ISREG(file.st_mode)) {
        return list_names(f, a);
    }
    DIR *dir = found ? opendir(f->path) : NULL;
    if (dir == NULL) {
        return cli_fail(a,
                        sal_fail(&err, SAL_BADPATH,
                                 "'%.300s' is no folder or file that can be read", a->file[0]),
                        &err);
    }
    const int code = list_files(f, a, dir);
    closedir(dir);
    return code;
}

/* ---- what each is ---- */

static void leave_out(const folder *f, int i, const char *why)
{
    cli_say("left out: '%s%s': %s", f->name[i], f->ending, why);
}

static void name_table(const folder *f, int i, char path[PATH_MAX + NAME])
{
    snprintf(path, PATH_MAX + NAME, "%s/%s.csv", f->tables, f->name[i]);
}

static int write_table(const folder *f, const cli_arguments *a, int i, const sal_text *table)
{
    char path[PATH_MAX + NAME];
    sal_err err;
    name_table(f, i, path);
    sal_status status = sal_file_make_folder(a->value[CLI_OPT_OUTPUT], NULL, &err);
    status = status == SAL_OK ? sal_file_make_folder(f->tables, NULL, &err) : status;
    return status == SAL_OK ? cli_write(a, table, path) : cli_fail(a, status, &err);
}

typedef struct drafted {
    sal_text problem, notes, table;
} drafted;

static void forget(drafted *d)
{
    sal_text_clear(&d->problem);
    sal_text_clear(&d->notes);
    sal_text_clear(&d->table);
}

/* Drafts number i; `like` says how all are read. False, and *code where nothing can go on: it is
 * left out. */
static bool draft_clip(folder *f, const cli_arguments *a, const sal_model *m,
                       const sal_follow_request *like, int i, drafted *d, int *code)
{
    char clip[PATH_MAX + NAME + 20], path[PATH_MAX + NAME];
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(clip, sizeof clip, "%s%s%s%s", f->path, f->is_file ? "" : "/",
             f->is_file ? "" : f->name[i], f->ending);
    name_table(f, i, path);
    sal_follow_request request = *like;
    request.clip = f->is_file ? f->name[i] : NULL;
    request.clip_name = clip;
    request.recording = &d->table;
    request.recording_name = path;
    const sal_status status = (a->given[CLI_OPT_PERSON] ? sal_follow_markers : sal_follow_draft)(
        &d->problem, &d->notes, f->found + i, m, clip, &request, &diag, &err);
    if (status == SAL_NOMEM) {
        *code = cli_fail(a, status, &err);
    } else if (status != SAL_OK) {
        leave_out(f, i, err.message);
    }
    sal_diag_clear(&diag);
    return status == SAL_OK;
}

/* Whether a table of its poses, if it needs one, may have its name. */
static bool may_be_table(const folder *f, int i, const drafted *d)
{
    const bool may = d->table.length == 0 || strchr(f->name[i], '/') == NULL;
    if (!may) {
        leave_out(f, i, "its poses need a table, whose name cannot have a '/'");
    }
    return may;
}

/* The recording of a group whose columns the most are read like; -1: there is none. */
static int find_like(const folder *f, bool low)
{
    int best = -1, most = 0;
    for (int i = 0; i < f->n; i++) {
        int n = 0;
        for (int k = 0; k < f->n && f->good[i] && f->found[i].low == low; k++) {
            n += f->good[k] && f->found[k].low == low && f->found[k].reading == f->found[i].reading;
        }
        if (n > most) {
            most = n;
            best = i;
        }
    }
    return best;
}

/* To those that are read alike; of these the problem of the first is kept. */
static int put_clip(folder *f, const cli_arguments *a, const sal_model *m,
                    const sal_follow_request *like, int i)
{
    group *g = &f->of[f->found[i].low];
    drafted d = {0};
    int code = CLI_EXIT_OK;
    const bool first = g->n == 0;
    g->clip[g->n++] = i;
    if ((first || g->tables) && draft_clip(f, a, m, like, i, &d, &code)) {
        g->tables = d.table.length > 0;
        if (first) {
            cli_say_lines(a, &d.notes);
            sal_text_add(&g->problem, d.problem.data == NULL ? "" : d.problem.data);
        }
        code = g->tables ? write_table(f, a, i, &d.table) : code;
    }
    forget(&d);
    return code;
}

/* The folder for tables, from the root. */
static void name_tables(folder *f, const char *dir)
{
    char here[PATH_MAX] = "";
    const bool inside = dir[0] != '/' && getcwd(here, sizeof here) != NULL;
    snprintf(f->tables, sizeof f->tables, "%.2000s%s%.2000s/recordings", here, inside ? "/" : "",
             dir);
}

static int look_at_clips(folder *f, const cli_arguments *a, const sal_model *m)
{
    char model[PATH_MAX];
    sal_err err;
    sal_follow_request like = *f->asked;
    like.many = true;
    like.apart = f->apart;
    const char *given = a->value[a->given[CLI_OPT_PERSON] ? CLI_OPT_PERSON : CLI_OPT_ROBOT];
    like.model_name = realpath(given, model) == NULL ? "" : model;
    int code = CLI_EXIT_OK;
    name_tables(f, a->value[CLI_OPT_OUTPUT]);
    for (int i = 0; i < f->n && code == CLI_EXIT_OK; i++) {
        drafted d = {0};
        f->good[i] = draft_clip(f, a, m, &like, i, &d, &code) && may_be_table(f, i, &d);
        forget(&d);
    }
    const int typical[2] = {find_like(f, false), find_like(f, true)};
    for (int i = 0; i < f->n && code == CLI_EXIT_OK; i++) {
        const int k = f->good[i] ? typical[f->found[i].low] : -1;
        if (k >= 0 && f->found[i].reading == f->found[k].reading) {
            code = put_clip(f, a, m, &like, i);
        } else if (k >= 0) {
            leave_out(f, i,
                      a->given[CLI_OPT_PERSON]
                          ? "its markers or units are others than those of most; follow it by "
                            "itself"
                          : "its columns or units are others than those of most, or an angle is a "
                            "turn beside its range; follow it by itself");
        }
    }
    if (code != CLI_EXIT_OK || f->of[0].n + f->of[1].n > 0) {
        return code;
    }
    return cli_fail(a, sal_fail(&err, SAL_BADINPUT, "none of the recordings can be followed"),
                    &err);
}

/* ---- the sweep ---- */

static void begin_axis(sal_text *out, const char *name, const char *path, const char *rest)
{
    sal_text_format(out, "  <axis name=\"%s\" path=\"%s\"%s values=\"", name, path, rest);
}

/* Which file, or clip of the file */
static void write_clips(const folder *f, const group *g, sal_text *out)
{
    if (f->is_file && !g->tables) {
        begin_axis(out, "clip", "data/clip", "");
    } else {
        sal_text_add(out, "  <axis name=\"clip\" path=\"data/file\" template=\"");
        sal_xml_escape(out, g->tables ? f->tables : f->path);
        sal_text_format(out, "/{}%s\" values=\"", g->tables ? ".csv" : f->ending);
    }
    for (int i = 0; i < g->n; i++) {
        sal_text_add(out, i > 0 ? ";" : "");
        sal_xml_escape(out, f->name[g->clip[i]]);
    }
    sal_text_add(out, g->n == 1 ? ";\"/>\n" : "\"/>\n");
}

/* Where at least one was recorded on a belt */
static void write_belts(const folder *f, const group *g, sal_text *out)
{
    bool any = false;
    for (int i = 0; i < g->n; i++) {
        any = any || f->found[g->clip[i]].belt[0] != 0 || f->found[g->clip[i]].belt[1] != 0;
    }
    if (!any) {
        return;
    }
    begin_axis(out, "belt", "data/belt", " with=\"clip\"");
    for (int i = 0; i < g->n; i++) {
        const double *v = f->found[g->clip[i]].belt;
        sal_text_format(out, "%s%.9g %.9g", i > 0 ? ";" : "", v[0], v[1]);
    }
    sal_text_add(out, g->n == 1 ? ";\"/>\n" : "\"/>\n");
}

static double number_of(const folder *f, const group *g, int i, size_t offset)
{
    double x;
    memcpy(&x, (const char *)(f->found + g->clip[i]) + offset, sizeof x);
    return x;
}

/* A number of sal_follow_found, at this offset, where it is not the same in all. */
static void write_number(const folder *f, const group *g, sal_text *out, const char *name,
                         size_t offset)
{
    char path[40];
    bool differs = false;
    for (int i = 0; i < g->n; i++) {
        differs = differs || fabs(number_of(f, g, i, offset) - number_of(f, g, 0, offset)) > 0;
    }
    if (!differs) {
        return;
    }
    snprintf(path, sizeof path, "data/%s", name);
    begin_axis(out, name, path, " with=\"clip\"");
    for (int i = 0; i < g->n; i++) {
        sal_text_format(out, "%s%.9g", i > 0 ? " " : "", number_of(f, g, i, offset));
    }
    sal_text_add(out, "\"/>\n");
}

/* Where rates differ, so do time steps. */
static void write_timeconst(const folder *f, const group *g, sal_text *out)
{
    const double first = f->found[g->clip[0]].timeconst;
    bool any = false;
    for (int i = 0; i < g->n; i++) {
        any = any || fabs(f->found[g->clip[i]].timeconst - first) > 0;
    }
    if (!any) {
        return;
    }
    begin_axis(out, "timeconst", "smoothing/timeconst", " with=\"clip\"");
    for (int i = 0; i < g->n; i++) {
        sal_text_format(out, "%s0.05 %.4g", i > 0 ? ";" : "", f->found[g->clip[i]].timeconst);
    }
    sal_text_add(out, "\"/>\n");
}

static void write_sweep(const folder *f, const group *g, sal_text *out)
{
    static const char *const columns[] = {
        "recorded[root]",  "recorded[depth]", "recorded[hover]",   "recorded[slip]",
        "recorded[load]",  "found[root]",     "found[depth]",      "found[deepest]",
        "found[slip]",     "found[load]",     "deviation[joints]", "deviation[place]",
        "deviation[turn]", "linearisations"};
    sal_text_format(out,
                    "<!-- All recordings of a %s: 'saltus sweep sweep.xml', then 'saltus table "
                    "DIR' or 'saltus report DIR'. -->\n<sweep problem=\"problem.xml\">\n",
                    f->is_file ? "file" : "folder");
    write_clips(f, g, out);
    begin_axis(out, "floor", "data/floor", " with=\"clip\"");
    for (int i = 0; i < g->n; i++) {
        const double *x = f->found[g->clip[i]].floor;
        sal_text_format(out, "%s%.9g %.9g %.9g", i > 0 ? ";" : "", x[0], x[1], x[2]);
    }
    sal_text_add(out, g->n == 1 ? ";\"/>\n" : "\"/>\n");
    write_belts(f, g, out);
    write_number(f, g, out, "gap", offsetof(sal_follow_found, gap));
    write_number(f, g, out, "from", offsetof(sal_follow_found, from));
    write_number(f, g, out, "resample", offsetof(sal_follow_found, resample));
    write_number(f, g, out, "lowpass", offsetof(sal_follow_found, lowpass));
    begin_axis(out, "nstep", "time/nstep", " with=\"clip\"");
    for (int i = 0; i < g->n; i++) {
        sal_text_format(out, "%s%d", i > 0 ? " " : "", f->found[g->clip[i]].nstep);
    }
    sal_text_add(out, "\"/>\n");
    begin_axis(out, "duration", "time/duration", " with=\"clip\"");
    for (int i = 0; i < g->n; i++) {
        sal_text_format(out, "%s%.9g", i > 0 ? " " : "", f->found[g->clip[i]].duration);
    }
    sal_text_add(out, "\"/>\n");
    write_timeconst(f, g, out);
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        sal_text_format(out, "  <column figure=\"%s\"/>\n", columns[k]);
    }
    sal_text_add(out, "</sweep>\n");
}

static int write_files(const cli_arguments *a, const char *dir, const sal_text *problem,
                       const sal_text *sweep)
{
    char path[2][PATH_MAX];
    sal_err err;
    const sal_status status = sal_file_make_folder(dir, NULL, &err);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    snprintf(path[0], PATH_MAX, "%.4000s/problem.xml", dir);
    snprintf(path[1], PATH_MAX, "%.4000s/sweep.xml", dir);
    int code = CLI_EXIT_OK;
    for (int i = 0; i < 2 && code == CLI_EXIT_OK; i++) {
        code = cli_may_write(a, path[i], CLI_CONTENT_TEXT);
    }
    code = code == CLI_EXIT_OK ? cli_write(a, problem, path[0]) : code;
    code = code == CLI_EXIT_OK ? cli_write(a, sweep, path[1]) : code;
    if (code == CLI_EXIT_OK && !a->given[CLI_OPT_QUIET]) {
        cli_say("wrote %s and %s; next: saltus sweep %s -o %s/results", path[0], path[1], path[1],
                dir);
    }
    return code;
}

static int make_sweep(const cli_arguments *a, const folder *f, const group *g, const char *dir)
{
    sal_text sweep = {0};
    write_sweep(f, g, &sweep);
    const int code = write_files(a, dir, &g->problem, &sweep);
    sal_text_clear(&sweep);
    return code;
}

static int make_sweeps(const cli_arguments *a, const sal_model *m, folder *f)
{
    const char *dir = a->value[CLI_OPT_OUTPUT];
    char low[PATH_MAX];
    int code = list_clips(f, a);
    code = code == CLI_EXIT_OK ? look_at_clips(f, a, m) : code;
    snprintf(low, sizeof low, "%.4000s/low", dir);
    if (code == CLI_EXIT_OK && f->of[0].n > 0) {
        code = make_sweep(a, f, &f->of[0], dir);
    }
    if (code == CLI_EXIT_OK && f->of[1].n > 0) {
        code = make_sweep(a, f, &f->of[1], f->of[0].n > 0 ? low : dir);
    }
    return code;
}

int cli_follow_sweep(const cli_arguments *a, const sal_model *m, const sal_follow_request *asked)
{
    folder f = {.asked = asked,
                .name = sal_alloc(CLIPS_MOST, NAME),
                .found = sal_alloc(CLIPS_MOST, sizeof(sal_follow_found)),
                .good = sal_alloc(CLIPS_MOST, sizeof(bool)),
                .apart = sal_alloc((size_t)m->npair, sizeof(bool)),
                .of = {{.clip = sal_alloc(CLIPS_MOST, sizeof(int))},
                       {.clip = sal_alloc(CLIPS_MOST, sizeof(int))}}};
    sal_err err;
    int code = CLI_EXIT_USAGE;
    if (f.name == NULL || f.found == NULL || f.good == NULL || f.apart == NULL ||
        f.of[0].clip == NULL || f.of[1].clip == NULL) {
        code = cli_fail(a, sal_fail(&err, SAL_NOMEM, "out of memory for a list of files"), &err);
    } else if (!a->given[CLI_OPT_OUTPUT]) {
        cli_say("error: --sweep needs -o DIR, the folder for the problem and the sweep");
    } else {
        code = make_sweeps(a, m, &f);
    }
    for (int i = 0; i < 2; i++) {
        sal_free(f.of[i].clip);
        sal_text_clear(&f.of[i].problem);
    }
    sal_free(f.name);
    sal_free(f.found);
    sal_free(f.good);
    sal_free(f.apart);
    return code;
}
