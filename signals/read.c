/* read.c: a file of signals by the reader of its format. */
#include "signals/reader.h"
#include "signals/table.h"

#include <stdio.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 30)

/* ---- formats ---- */

typedef struct reader {
    const char *format;
    /* up to a NULL */
    const char *ending[4];
    bool binary;
    sal_status (*read)(sig_signals *s, sal_diag *diag, sal_err *err);
    /* where force plates have rows of their own, NULL: they are columns of the table */
    sal_status (*read_plates)(sig_signals *s, sal_diag *diag, sal_err *err);
    /* the names of its clips, NULL: it has none */
    sal_status (*read_names)(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err);
} reader;

static const reader readers[] = {
    {"csv", {".csv", ".tsv", ".txt"}, false, sig_read_csv, NULL, NULL},
    {"sto", {".sto", ".mot"}, false, sig_read_sto, NULL, NULL},
    {"trc", {".trc"}, false, sig_read_trc, NULL, NULL},
    {"bvh", {".bvh"}, false, sig_read_bvh, NULL, NULL},
    {"json", {".json"}, false, sig_read_json, NULL, NULL},
    {"npz", {".npz"}, true, sig_read_npz, NULL, NULL},
    {"pickle", {".pkl", ".pickle"}, true, sig_read_pickle, NULL, sig_pickle_names},
    {"hdf5", {".h5", ".hdf5"}, true, sig_read_hdf5, NULL, sig_hdf5_names},
    {"mat", {".mat"}, true, sig_read_mat, NULL, sig_mat_names},
    {"c3d", {".c3d"}, true, sig_read_c3d, sig_read_c3d_plates, NULL},
};

enum { NREADER = sizeof readers / sizeof readers[0] };

static bool ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    if (n < m) {
        return false;
    }
    for (size_t i = 0; i < m; i++) {
        const char c = path[n - m + i];
        if (c != ending[i] && !(c >= 'A' && c <= 'Z' && c - 'A' + 'a' == ending[i])) {
            return false;
        }
    }
    return true;
}

static bool has_one_of(const char *path, const char *const *endings)
{
    while (*endings != NULL && !ends_with(path, *endings)) {
        endings++;
    }
    return *endings != NULL;
}

static bool has_ending(const reader *r, const char *path)
{
    return has_one_of(path, r->ending);
}

static const reader *find_reader(const char *path, const char *format)
{
    for (int i = 0; i < NREADER; i++) {
        const reader *r = readers + i;
        if (format != NULL ? strcmp(format, r->format) == 0 : has_ending(r, path)) {
            return r;
        }
    }
    return NULL;
}

/* "csv, sto, ..." */
static void list_formats(char *out, size_t n)
{
    size_t used = 0;
    for (int i = 0; i < NREADER && used < n; i++) {
        used +=
            (size_t)snprintf(out + used, n - used, "%s%s", i == 0 ? "" : ", ", readers[i].format);
    }
}

/* What to do with a file that no reader reads: what Python reads it can write so that one does. */
static const char *advice(const char *path)
{
    static const char *const python[] = {".npy", ".pt", ".pth", ".joblib", NULL};
    static const char *const scenes[] = {".fbx", ".glb", ".gltf", ".usd", ".usda", ".blend", NULL};
    if (has_one_of(path, python)) {
        return "in Python, numpy.savez('clip.npz', fps=.., root_pos=.., root_rot=.., "
               "dof_pos=..) writes its arrays as a file that is read";
    }
    return has_one_of(path, scenes) ? "let the program that wrote it export the motion as .bvh, or "
                                      "as a table of poses (.csv)"
                                    : "say format=, or rename it";
}

static sal_status load(sig_signals *s, const char *path, sal_diag *diag, sal_err *err)
{
    const size_t n = strlen(path);
    sal_err why = {0};
    const sal_status status =
        sal_text_read_file(path, FILE_LIMIT, &s->source.data, &s->source.length, &why);
    if (status == SAL_BADINPUT) {
        sal_diag_error(diag, (sal_place){0}, NULL, "%s", why.message);
    }
    if (status != SAL_OK) {
        return sal_fail(err, status, "%s", why.message);
    }
    s->source.path = sal_alloc(n + 1, 1);
    if (s->source.path == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memcpy(s->source.path, path, n);
    return SAL_OK;
}

/* NULL: by the ending of the path */
static const char *said_format(const char *format)
{
    return format != NULL && strcmp(format, "auto") == 0 ? NULL : format;
}

static bool has_clips(const reader *r)
{
    return r != NULL && r->read_names != NULL;
}

/* How a file is to be read */
typedef struct reading {
    const char *format, *clip;
    bool plates;
    /* not NULL: only which clips it has */
    sig_names *names;
} reading;

/* Motions in JSON often end in .txt, as tables do. */
static const reader *by_content(const reader *r, const sal_source *source)
{
    const reader *json = find_reader("", "json");
    return json != NULL && r->read == sig_read_csv && sig_is_json(source) ? json : r;
}

static sal_status read_with(const reader *r, sig_signals *s, const reading *how, sal_diag *diag,
                            sal_err *err)
{
    if (how->names != NULL) {
        return r->read_names(s, how->names, diag, err);
    }
    const sal_status status = how->plates && r->read_plates != NULL ? r->read_plates(s, diag, err)
                                                                    : r->read(s, diag, err);
    return status == SAL_OK ? sig_unique(s, diag, err) : status;
}

static sal_status read_as(sig_signals *s, const char *path, const reading *how, sal_diag *diag,
                          sal_err *err)
{
    const char *format = said_format(how->format);
    char known[100];
    sal_diag own = {0}; /* whatever else was wrong before */
    *s = (sig_signals){.time = -1, .clip = how->clip};
    const reader *r = find_reader(path, format);
    sal_status status = SAL_OK;
    list_formats(known, sizeof known);
    if (r == NULL && format != NULL) {
        sal_diag_error(&own, (sal_place){0}, NULL,
                       "'%.100s' is not a format of signals; the formats are %s", format, known);
    } else if (r == NULL) {
        sal_diag_error(&own, (sal_place){0}, advice(path),
                       "the ending of '%.300s' is not that of a known format: %s", path, known);
    } else if ((how->clip != NULL || how->names != NULL) && !has_clips(r)) {
        sal_diag_error(&own, (sal_place){0}, NULL,
                       "'%.300s' has no clips with names%s%.100s%s: only files of Python "
                       "(.pkl), HDF5 (.h5) and MATLAB (.mat) have them",
                       path, how->clip != NULL ? ", such as '" : "",
                       how->clip != NULL ? how->clip : "", how->clip != NULL ? "'" : "");
    } else {
        status = load(s, path, &own, err);
        r = status == SAL_OK && format == NULL ? by_content(r, &s->source) : r;
        s->format = r->format;
        if (status == SAL_OK && !r->binary) {
            sal_diag_check_text(&own, &s->source);
            status = sal_diag_status(&own, err);
        }
        status = status == SAL_OK ? read_with(r, s, how, &own, err) : status;
    }
    status = status == SAL_OK ? sal_diag_status(&own, err) : status;
    sal_diag_join(diag, &own);
    return status;
}

sal_status sig_read(sig_signals *s, const char *path, const char *format, sal_diag *diag,
                    sal_err *err)
{
    return read_as(s, path, &(reading){.format = format}, diag, err);
}

sal_status sig_read_clip(sig_signals *s, const char *path, const char *format, const char *clip,
                         sal_diag *diag, sal_err *err)
{
    return read_as(s, path, &(reading){.format = format, .clip = clip}, diag, err);
}

sal_status sig_read_names(sig_names *names, const char *path, const char *format, sal_err *err)
{
    sig_signals s;
    sal_diag diag = {0};
    *names = (sig_names){0};
    const sal_status status =
        read_as(&s, path, &(reading){.format = format, .names = names}, &diag, err);
    sal_diag_clear(&diag);
    sig_clear(&s);
    return status;
}

void sig_names_clear(sig_names *names)
{
    for (int i = 0; i < names->n; i++) {
        sal_free(names->name[i]);
    }
    sal_free(names->name);
    *names = (sig_names){0};
}

sal_status sig_read_plates(sig_signals *s, const char *path, sal_diag *diag, sal_err *err)
{
    return read_as(s, path, &(reading){.plates = true}, diag, err);
}

bool sig_has_clips(const char *path, const char *format)
{
    return has_clips(find_reader(path, said_format(format)));
}
