/* sweep.h: a small sweep, its folder as it stands, and its processes. */
#ifndef SAL_TESTS_CLI_SWEEP_H
#define SAL_TESTS_CLI_SWEEP_H

#include "tests/cli/command.h"

#include "base/base.h"
#include "base/house.h"

#include <limits.h>

/* A pendulum that is brought from rest to an angle. Six steps take a millisecond or two. */
static const char sweep_model[] =
    "<mujoco model='pend'>\n"
    "  <compiler angle='radian'/>\n"
    "  <worldbody><body>\n"
    "    <joint name='hinge' type='hinge' axis='0 1 0' damping='.1'/>\n"
    "    <geom type='capsule' fromto='0 0 0 0 0 -1' size='.05' mass='1'/>\n"
    "  </body></worldbody>\n"
    "  <actuator><motor joint='hinge' name='m' gear='20'/></actuator>\n"
    "</mujoco>\n";

static const char sweep_problem[] = "<problem name=\"reach\">\n"
                                    "  <model file=\"pend.xml\"/>\n"
                                    "  <time nstep=\"6\" duration=\".6\"/>\n"
                                    "  <boundary type=\"open\">\n"
                                    "    <start qpos=\"0\"/><end qpos=\"1\"/>\n"
                                    "  </boundary>\n"
                                    "  <cost><term name=\"effort\" ctrl=\"all\"/></cost>\n"
                                    "</problem>\n";

/* Two by three cells, the second axis with the better part of the work */
static const char sweep_small[] =
    "<sweep name=\"small\" problem=\"reach.xml\">\n"
    "  <axis name=\"damping\" path=\"joint[hinge]/damping\" values=\".1 .2\"/>\n"
    "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2 3\"/>\n"
    "</sweep>\n";

/* Cells of so many steps that each takes some tenths of a second */
static const char sweep_long[] = "<sweep name=\"long\" problem=\"reach.xml\">\n"
                                 "  <set path=\"time/nstep\" value=\"4000\"/>\n"
                                 "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2 3\"/>\n"
                                 "</sweep>\n";

static inline void sweep_files(void)
{
    files_write("pend.xml", sweep_model, strlen(sweep_model));
    files_write("reach.xml", sweep_problem, strlen(sweep_problem));
}

static inline void sweep_write(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* "sweep FILE -o FOLDER OPTIONS" */
static inline const char *sweep_line(const char *file, const char *folder, const char *options)
{
    static char line[2000];
    snprintf(line, sizeof line, "sweep %s -o %s %s", files_path(file), files_path(folder), options);
    return line;
}

/* ---- the folder ---- */

enum { KEPT_MOST = 5000 };

/* a file under cells/ */
typedef struct kept {
    /* without the folder */
    char name[NAME_MAX + 1];
    ino_t inode;
    struct timespec time;
    char sha256[65];
} kept;

typedef struct standing {
    /* files, records, and what unfinished writing has left */
    int n;
    int nrecord;
    int nother;
    kept *file;
} standing;

static inline int kept_order(const void *a, const void *b)
{
    return strcmp(((const kept *)a)->name, ((const kept *)b)->name);
}

static inline void standing_add(standing *s, const char *path, const char *name)
{
    struct stat info;
    char *bytes = NULL;
    size_t n = 0;
    if (s->n == KEPT_MOST || stat(path, &info) != 0) {
        return;
    }
    kept *k = &s->file[s->n++];
    *k = (kept){.inode = info.st_ino, .time = info.st_mtim};
    snprintf(k->name, sizeof k->name, "%s", name);
    if (sal_text_read_file(path, (size_t)1 << 30, &bytes, &n, NULL) == SAL_OK) {
        sal_sha256_hex(k->sha256, bytes, n);
    }
    sal_free(bytes);
    const char *end = strrchr(name, '.');
    const bool motion = end != NULL && strcmp(end, ".h5") == 0, hidden = name[0] == '.';
    s->nrecord += !hidden && !motion;
    s->nother += hidden;
}

/* All files under FOLDER/cells, by name. To be freed: file. */
static inline standing stand(const char *folder)
{
    standing s = {.file = calloc(KEPT_MOST, sizeof *s.file)};
    char path[600];
    for (unsigned i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "%s/cells/%02x", files_path(folder), i);
        DIR *list = opendir(path);
        const size_t length = strlen(path);
        for (struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
            if (e->d_name[0] != '.') { /* a checkpoint of a cell may be written again */
                snprintf(path + length, sizeof path - length, "/%s", e->d_name);
                standing_add(&s, path, e->d_name);
            }
        }
        if (list != NULL) {
            closedir(list);
        }
    }
    qsort(s.file, (size_t)s.n, sizeof *s.file, kept_order);
    return s;
}

static inline const kept *find_kept(const standing *s, const char *name)
{
    kept key;
    snprintf(key.name, sizeof key.name, "%s", name);
    return bsearch(&key, s->file, (size_t)s->n, sizeof *s->file, kept_order);
}

static inline bool is_motion(const kept *k)
{
    return strlen(k->name) > 3 && strcmp(k->name + strlen(k->name) - 3, ".h5") == 0;
}

/* All of `a` is in `b`, not written again since. */
static inline bool is_untouched(const standing *a, const standing *b)
{
    for (int i = 0; i < a->n; i++) {
        const kept *k = &a->file[i], *now = find_kept(b, k->name);
        if (now == NULL || now->inode != k->inode || now->time.tv_sec != k->time.tv_sec ||
            now->time.tv_nsec != k->time.tv_nsec || strcmp(now->sha256, k->sha256) != 0) {
            printf("     %s was written again\n", k->name);
            return false;
        }
    }
    return true;
}

/* The same cells, with motions of equal bytes, and nothing else. */
static inline bool same_cells(const char *a, const char *b)
{
    const standing x = stand(a), y = stand(b);
    bool same = x.n == y.n && x.n > 0 && x.nother == 0 && y.nother == 0;
    for (int i = 0; i < x.n && same; i++) {
        const kept *k = find_kept(&y, x.file[i].name);
        same = k != NULL && (!is_motion(k) || strcmp(k->sha256, x.file[i].sha256) == 0);
    }
    free(x.file);
    free(y.file);
    return same;
}

static inline int records_in(const char *folder)
{
    const standing s = stand(folder);
    free(s.file);
    return s.nrecord;
}

/* The table of a folder, in `out` */
static inline const char *table_of(const char *folder)
{
    char line[400];
    snprintf(line, sizeof line, "table %s", files_path(folder));
    const int code = run(line);
    CHECK(code == 0 || code == 6);
    return out;
}

static inline bool same_table(const char *a, const char *b)
{
    static char first[sizeof out];
    snprintf(first, sizeof first, "%s", table_of(a));
    return strcmp(first, table_of(b)) == 0;
}

/* ---- its processes ---- */

static inline void rest(double seconds)
{
    const long whole = (long)seconds;
    nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL);
}

/* A worker of a run that has just begun, once there is one; it is given some time to be at work. */
static inline pid_t a_worker_of(pid_t run)
{
    pid_t child = 0;
    for (int i = 0; i < 2000 && children_of(run, &child, 1) == 0; i++) {
        rest(0.005);
    }
    rest(0.05);
    return child;
}

#endif
