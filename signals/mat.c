/* Recordings in MATLAB's files, .mat of versions 5 to 7.3: every variable of numbers is an array,
 * and so is every field of a structure, under the structure's name; trial(1), trial(2) .. of an
 * array of structures are groups trial_1, trial_2 ..; tree.c and arrays.c make columns of them. A
 * vector is a column whether it stands or lies. The only file that knows libmatio, which reads a
 * damaged file as far as it gets: what its format can tell is looked at before ("MAT-File Format",
 * The MathWorks).
 */
#include "signals/hdf5.h"
#include "signals/inflate.h"
#include "signals/reader.h"
#include "signals/tree.h"

#include <matio.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Structures in structures */
enum { DEPTH_MOST = 16, PATH_MOST = 1024 };

typedef struct walk {
    sig_tree *tree;
    char path[PATH_MOST];
    bool nomem;
} walk;

/* ---- what the file holds ---- */

static size_t count(const matvar_t *v)
{
    size_t n = 1;
    for (int i = 0; i < v->rank; i++) {
        n = v->dims[i] > 0 && n > SIZE_MAX / 64 / v->dims[i] ? SIZE_MAX / 64 : n * v->dims[i];
    }
    return n;
}

static bool is_word(const matvar_t *v)
{
    return v != NULL && v->class_type == MAT_C_CHAR && v->rank == 2 && v->dims[0] <= 1;
}

/* Words of one length, one below the other */
static bool is_matrix_of_words(const matvar_t *v)
{
    return v->class_type == MAT_C_CHAR && v->rank == 2 && v->dims[0] > 1 && v->data != NULL &&
           v->data_size > 0;
}

/* A cell array of words */
static bool holds_words(const matvar_t *v)
{
    const size_t n = v->class_type == MAT_C_CELL && v->data != NULL ? count(v) : 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_word(((matvar_t *const *)v->data)[i])) {
            return false;
        }
    }
    return n > 0;
}

static sig_leaf_kind kind_of(const matvar_t *v)
{
    const bool numbers = v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64 &&
                         !v->isComplex && v->rank >= 2 && (v->data != NULL || count(v) == 0);
    const bool words = holds_words(v) || is_matrix_of_words(v);
    return numbers ? SIG_LEAF_NUMBERS : words ? SIG_LEAF_WORDS : SIG_LEAF_OTHER;
}

static void add_leaf(walk *w, const matvar_t *v)
{
    sig_leaf *leaf = sig_tree_add(w->tree, w->path);
    if (leaf == NULL) {
        w->nomem = true;
        return;
    }
    leaf->kind = kind_of(v);
    leaf->handle = v;
    if (leaf->kind == SIG_LEAF_OTHER) {
        return;
    }
    if (is_matrix_of_words(v)) {
        leaf->ndim = 1;
        leaf->shape[0] = v->dims[0];
        return;
    }
    const bool flat = v->rank == 2 && (v->dims[0] == 1 || v->dims[1] == 1);
    leaf->ndim = !flat ? v->rank : count(v) == 1 && leaf->kind == SIG_LEAF_NUMBERS ? 0 : 1;
    leaf->shape[0] = flat ? count(v) : v->dims[0];
    for (int i = 1; i < leaf->ndim && i < SIG_ARRAY_NDIM; i++) {
        leaf->shape[i] = v->dims[i];
    }
}

/* Appends a name to the path at hand, with a number where there are several. */
static bool enter(walk *w, size_t length, const char *name, size_t i, size_t n)
{
    char number[32] = "";
    if (n > 1) {
        snprintf(number, sizeof number, "_%zu", i + 1);
    }
    const int size = snprintf(w->path + length, PATH_MOST - length, "%s%s%s", length > 0 ? "/" : "",
                              name, number);
    return size >= 0 && (size_t)size < PATH_MOST - length;
}

/* Those of a structure stand side by side. */
static void visit(walk *w, matvar_t *v, size_t length, const char *name, int depth)
{
    const size_t n = v->class_type == MAT_C_STRUCT && v->data != NULL ? count(v) : 0;
    if (n == 0) {
        if (enter(w, length, name, 0, 1)) {
            add_leaf(w, v);
        }
        return;
    }
    const size_t nfield = Mat_VarGetNumberOfFields(v);
    char *const *fields = Mat_VarGetStructFieldnames(v);
    for (size_t i = 0; i < n && fields != NULL && depth < DEPTH_MOST; i++) {
        if (!enter(w, length, name, i, n)) {
            continue;
        }
        const size_t inner = strlen(w->path);
        for (size_t k = 0; k < nfield && !w->nomem; k++) {
            matvar_t *field = ((matvar_t *const *)v->data)[i * nfield + k];
            if (field != NULL) {
                visit(w, field, inner, fields[k], depth + 1);
            }
        }
    }
}

/* ---- numbers and words ---- */

/* Number i of a variable, in the order of the file. */
static double number(const matvar_t *v, size_t i)
{
    switch ((int)v->class_type) {
    case MAT_C_DOUBLE:
        return ((const double *)v->data)[i];
    case MAT_C_SINGLE:
        return (double)((const float *)v->data)[i];
    case MAT_C_INT8:
        return ((const int8_t *)v->data)[i];
    case MAT_C_UINT8:
        return ((const uint8_t *)v->data)[i];
    case MAT_C_INT16:
        return ((const int16_t *)v->data)[i];
    case MAT_C_UINT16:
        return ((const uint16_t *)v->data)[i];
    case MAT_C_INT32:
        return ((const int32_t *)v->data)[i];
    case MAT_C_UINT32:
        return ((const uint32_t *)v->data)[i];
    case MAT_C_INT64:
        return (double)((const int64_t *)v->data)[i];
    default:
        return (double)((const uint64_t *)v->data)[i];
    }
}

/* Bytes of a number in memory */
static size_t size_of(const matvar_t *v)
{
    static const size_t sizes[] = {8, 4, 1, 1, 2, 2, 4, 4, 8, 8};
    return sizes[v->class_type - MAT_C_DOUBLE];
}

/* Column by column; words end in blanks where others are longer. */
static sal_status read_matrix_of_words(const matvar_t *v, sig_array *a)
{
    const size_t n = v->dims[0], wide = (size_t)v->data_size;
    if (!sig_array_begin_words(a, n)) {
        return SAL_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        char letters[SIG_WORD_MOST];
        size_t length = 0;
        for (size_t k = 0; k < v->dims[1] && k < SIG_WORD_MOST; k++) {
            letters[k] = ((const char *)v->data)[(k * n + i) * wide];
            length = letters[k] == ' ' ? length : k + 1;
        }
        sig_array_put_word(a, i, letters, length);
    }
    return SAL_OK;
}

static sal_status read_words(const matvar_t *v, sig_array *a)
{
    const size_t n = count(v);
    if (!sig_array_begin_words(a, n)) {
        return SAL_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        const matvar_t *word = ((matvar_t *const *)v->data)[i];
        const size_t length = word->data == NULL ? 0 : count(word),
                     wide = word->data_size > 0 ? (size_t)word->data_size : 1;
        char letters[SIG_WORD_MOST];
        size_t k = 0;
        for (; k < length && k < SIG_WORD_MOST; k++) {
            letters[k] = ((const char *)word->data)[k * wide]; /* the lower byte */
        }
        sig_array_put_word(a, i, letters, k);
    }
    return SAL_OK;
}

/* The first index runs fastest. */
static sal_status read_leaf(void *file, const sig_leaf *leaf, sig_array *a, sal_err *err)
{
    const matvar_t *v = leaf->handle;
    const size_t n = count(v);
    (void)file;
    if (leaf->kind == SIG_LEAF_WORDS) {
        return is_matrix_of_words(v) ? read_matrix_of_words(v, a) : read_words(v, a);
    }
    if (v->data_size != (int)size_of(v) || n > v->nbytes / size_of(v) ||
        n > sal_reading_most(SIG_UNPACKED_MOST) / sizeof(double)) {
        return sal_fail(err, SAL_BADINPUT, "it is damaged, or has more numbers than may be read");
    }
    if (!sig_array_begin(a, n)) {
        return SAL_NOMEM;
    }
    a->fortran = leaf->ndim > 1;
    for (size_t i = 0; i < n; i++) {
        sig_array_put(a, i, number(v, i));
    }
    return SAL_OK;
}

/* ---- the file ---- */

/* All variables of a file, which the leaves of the tree point into */
typedef struct variables {
    matvar_t **list;
    int n, room;
} variables;

static bool read_all(variables *all, mat_t *mat)
{
    matvar_t *v;
    while ((v = Mat_VarReadNext(mat)) != NULL) {
        matvar_t **grown = sal_list_grow(all->list, all->n, &all->room, sizeof(matvar_t *));
        if (grown == NULL) {
            Mat_VarFree(v);
            return false;
        }
        all->list = grown;
        all->list[all->n++] = v;
    }
    return true;
}

static void free_all(variables *all)
{
    for (int i = 0; i < all->n; i++) {
        Mat_VarFree(all->list[i]);
    }
    sal_free(all->list);
}

/* What is done with the tree of a file: names == NULL: its columns. */
static sal_status use_file(mat_t *mat, sig_signals *s, sig_names *names, sal_diag *diag,
                           sal_err *err)
{
    sig_tree tree = {.read = read_leaf};
    walk w = {.tree = &tree};
    variables all = {0};
    w.nomem = !read_all(&all, mat);
    for (int i = 0; i < all.n && !w.nomem; i++) {
        visit(&w, all.list[i], 0, all.list[i]->name == NULL ? "" : all.list[i]->name, 0);
    }
    const sal_status status =
        w.nomem         ? sal_fail(err, SAL_NOMEM, "out of memory for '%.300s'", s->source.path)
        : names != NULL ? sig_tree_names(names, &tree, err)
                        : sig_tree_read(s, &tree, diag, err);
    sig_tree_clear(&tree);
    free_all(&all);
    return status;
}

/* ---- whether it is whole ---- */

/* A header, then elements of 4 bytes for the type, 4 for the number of bytes, and these */
enum { HEADER = 128, VERSION_AT = 124, ENDIAN_AT = 126, TAG = 8, COMPRESSED = 15 };

static size_t word_at(const unsigned char *b, int n, bool little)
{
    size_t x = 0;
    for (int i = 0; i < n; i++) {
        x |= (size_t)b[i] << 8 * (little ? i : n - 1 - i);
    }
    return x;
}

/* Whether its elements end where the file does, and what is compressed can be unpacked, to no more
 * than may be read. */
static bool is_whole(const unsigned char *bytes, size_t n, bool little)
{
    size_t at = HEADER, room = sal_reading_most(SIG_UNPACKED_MOST);
    while (n - at >= TAG) {
        const size_t type = word_at(bytes + at, 4, little),
                     size = word_at(bytes + at + 4, 4, little);
        at += TAG;
        if (size > n - at) {
            return false;
        }
        if (type == COMPRESSED) {
            const size_t unpacked = sig_unpacked_size(bytes + at, size, room);
            if (unpacked > room) {
                return false;
            }
            room -= unpacked;
        }
        at += size;
    }
    return at == n;
}

/* NULL: it may be read; else why not */
static const char *why_not(const unsigned char *bytes, size_t n)
{
    const bool little = n > HEADER && bytes[ENDIAN_AT] == 'I' && bytes[ENDIAN_AT + 1] == 'M',
               big = n > HEADER && bytes[ENDIAN_AT] == 'M' && bytes[ENDIAN_AT + 1] == 'I';
    const size_t version = little || big ? word_at(bytes + VERSION_AT, 2, little) : 0;
    if (version != 0x100 && version != 0x200) {
        return "this is not a file of MATLAB, version 5 to 7.3";
    }
    return version == 0x200 || is_whole(bytes, n, little)
               ? NULL
               : "the file is damaged, or unpacks to more than may be read";
}

static sal_status read_file(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err)
{
    size_t n;
    unsigned char *bytes = sig_bytes(s, &n);
    const char *why = why_not(bytes, n);
    sal_free(bytes); /* libmatio reads the file by itself */
    sal_status status;
    sig_hdf5_mute(); /* version 7.3 is HDF5 */
    mat_t *mat = why == NULL ? Mat_Open(s->source.path, MAT_ACC_RDONLY) : NULL;
    if (mat == NULL) {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, "is the file complete?", "%s",
                       why == NULL ? "libmatio cannot read the file" : why);
        status = sal_diag_status(diag, err);
    } else {
        status = use_file(mat, s, names, diag, err);
        Mat_Close(mat);
    }
    sig_hdf5_unmute();
    return status;
}

sal_status sig_read_mat(sig_signals *s, sal_diag *diag, sal_err *err)
{
    return read_file(s, NULL, diag, err);
}

sal_status sig_mat_names(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err)
{
    return read_file(s, names, diag, err);
}
