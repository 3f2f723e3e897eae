/* folder.c: the folder of a sweep, which is all that runs of it share.
 *
 * Whoever works on a cell has locked a byte of DIR/lock, numbered by the first 60 bits of the
 * cell's name. The system gives it back when the process ends, however it ends.
 */
#include "sweeps/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_DIGITS = 15 };

void swp_cell_path(char *path, size_t n, const char *folder, const char *hash, const char *ending)
{
    snprintf(path, n, "%s/cells/%.2s/%s%s", folder, hash, hash, ending);
}

void sal_sweep_motion(char *path, size_t n, const char *folder, const char *hash)
{
    swp_cell_path(path, n, folder, hash, ".h5");
}

/* ---- locks ---- */

int swp_cell_lock(const char *folder, const char *hash, sal_err *err)
{
    char path[PATH_MAX], digits[LOCK_DIGITS + 1] = "";
    long holder;
    int fd;
    snprintf(path, sizeof path, "%s/lock", folder);
    memcpy(digits, hash, LOCK_DIGITS);
    const sal_lock_answer answer =
        sal_file_lock(path, strtoll(digits, NULL, 16), &fd, &holder, err);
    return answer == SAL_LOCK_MINE ? fd : answer == SAL_LOCK_TAKEN ? -1 : -2;
}

void swp_cell_unlock(int lock)
{
    close(lock);
}

void swp_cell_sweep_up(const char *folder, const char *hash)
{
    char path[PATH_MAX], begin[SAL_HASH_SIZE + 1];
    snprintf(path, sizeof path, "%s/cells/%.2s", folder, hash);
    snprintf(begin, sizeof begin, ".%s", hash); /* as sal_file_replace names what it writes */
    DIR *list = opendir(path);
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        if (strncmp(e->d_name, begin, strlen(begin)) == 0) {
            unlinkat(dirfd(list), e->d_name, 0);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

void swp_cell_checkpoint(char *path, size_t n, const char *folder, const char *hash)
{
    snprintf(path, n, "%s/cells/%.2s/.%s.checkpoint", folder, hash, hash);
}

void swp_cell_drop_checkpoint(const char *folder, const char *hash)
{
    char path[PATH_MAX];
    swp_cell_checkpoint(path, sizeof path, folder, hash);
    sal_checkpoint_remove(path);
}

/* ---- the plan ---- */

static void add_plan(sal_text *out, const sal_sweep *s)
{
    sal_text_add(out, "# saltus plan 1\ncell\tpoint\tbefore\trepeat");
    for (int a = 0; a < s->naxis; a++) {
        sal_text_format(out, "\t%s", s->axis[a].name);
    }
    sal_text_add(out, "\n");
    for (int c = 0; c < s->ncell; c++) {
        const int point = c / s->nrepeat;
        sal_text_format(out, "%s\t%d\t%d\t%d", s->hash[c], point, s->before[point], c % s->nrepeat);
        for (int a = 0; a < s->naxis; a++) {
            sal_text_format(out, "\t%s", s->axis[a].value[sal_sweep_value(s, point, a)]);
        }
        sal_text_add(out, "\n");
    }
}

static sal_status make_folder(const char *path, sal_err *err)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? SAL_OK
               : sal_fail(err, SAL_BADPATH, "cannot make the folder '%.300s': %s", path,
                          strerror(errno));
}

/* DIR, DIR/cells, DIR/cells/00 .. ff */
static sal_status make_folders(const char *folder, sal_err *err)
{
    char path[PATH_MAX];
    sal_status status = make_folder(folder, err);
    snprintf(path, sizeof path, "%s/cells", folder);
    status = status == SAL_OK ? make_folder(path, err) : status;
    for (unsigned i = 0; i < 256 && status == SAL_OK; i++) {
        snprintf(path, sizeof path, "%s/cells/%02x", folder, i);
        status = make_folder(path, err);
    }
    return status;
}

/* Written unless it is there already: two runs of one sweep begin alike. */
static sal_status keep_file(const char *folder, const char *name, const sal_text *text,
                            sal_err *err)
{
    char path[PATH_MAX], *old = NULL;
    size_t n = 0;
    sal_err unused;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool same = sal_text_read_file(path, (size_t)1 << 40, &old, &n, &unused) == SAL_OK &&
                      n == text->length && memcmp(old, text->data, n) == 0;
    sal_free(old);
    return same ? SAL_OK : sal_file_write(path, text->data, text->length, err);
}

sal_status sal_sweep_begin(const sal_sweep *s, const char *folder, sal_err *err)
{
    sal_text plan = {0}, xml = {0};
    add_plan(&plan, s);
    sal_text_add(&xml, s->sweep_xml);
    sal_status status = plan.failed || xml.failed ? sal_fail(err, SAL_NOMEM, "out of memory")
                                                  : make_folders(folder, err);
    /* first the plan: a sweep.xml without one is not ours */
    status = status == SAL_OK ? keep_file(folder, "plan.tsv", &plan, err) : status;
    status = status == SAL_OK ? keep_file(folder, "sweep.xml", &xml, err) : status;
    sal_text_clear(&plan);
    sal_text_clear(&xml);
    return status;
}
