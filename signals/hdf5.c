/* Recordings in HDF5 files of other programs: every dataset of numbers is an array, and so is an
 * attribute of a group or the file that says the rate; tree.c and arrays.c make columns of them.
 * This file and h5.c alone know libhdf5.
 */
#include "signals/hdf5.h"

#include "signals/inflate.h"
#include "signals/reader.h"
#include "signals/tree.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Groups in groups, and what one file may have: links may go in circles. */
enum { DEPTH_MOST = 16, LEAVES_MOST = 1000000, NAME_MOST = 200, PATH_MOST = 1024 };

/* HDF5 refuses an image by the name of a file that exists; this one cannot. */
static const char nowhere[] = "/dev/null/saltus";

/* Leaves are asked for by their paths; this handle says that the path is that of an attribute. */
static const char attribute[] = "attribute";

typedef struct walk {
    hid_t file;
    sig_tree *tree;
    char path[PATH_MOST];
    bool nomem;
} walk;

/* ---- what the file holds ---- */

static sig_leaf_kind kind_of(hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    return class == H5T_INTEGER || class == H5T_FLOAT ? SIG_LEAF_NUMBERS
           : class == H5T_STRING                      ? SIG_LEAF_WORDS
                                                      : SIG_LEAF_OTHER;
}

/* Its type and shape; both are closed. */
static void add_leaf(walk *w, hid_t type, hid_t space, const void *handle)
{
    hsize_t dims[H5S_MAX_RANK] = {0};
    sig_leaf *leaf = w->tree->n < LEAVES_MOST ? sig_tree_add(w->tree, w->path) : NULL;
    const int ndim = H5Sget_simple_extent_ndims(space);
    if (leaf == NULL) {
        w->nomem = true;
    } else {
        const bool some = ndim >= 0 && H5Sget_simple_extent_dims(space, dims, NULL) >= 0 &&
                          H5Sget_simple_extent_type(space) != H5S_NULL;
        leaf->kind = some ? kind_of(type) : SIG_LEAF_OTHER;
        leaf->ndim = some ? ndim : 0;
        leaf->handle = handle;
        for (int i = 0; i < leaf->ndim && i < SIG_ARRAY_NDIM; i++) {
            leaf->shape[i] = (size_t)dims[i];
        }
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void add_dataset(walk *w, hid_t dataset)
{
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    add_leaf(w, type, space, NULL);
}

/* Appends a name to the path at hand; false: there is no room. */
static bool enter(walk *w, size_t length, const char *name)
{
    const int n =
        snprintf(w->path + length, PATH_MOST - length, "%s%s", length > 0 ? "/" : "", name);
    return n >= 0 && (size_t)n < PATH_MOST - length;
}

/* Of a group, or of a dataset: of the columns of this one, or of all. */
static void add_attribute(walk *w, hid_t object, size_t length, const char *name)
{
    if (H5Aexists(object, name) > 0 && enter(w, length, name)) {
        const hid_t a = H5Aopen(object, name, H5P_DEFAULT);
        const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
        add_leaf(w, type, space, attribute);
        H5Aclose(a);
    }
}

/* The rate, and the names of joints. */
static void add_attributes(walk *w, hid_t object, size_t length)
{
    static const char *const words[] = {"joint_names", "dof_names"};
    for (int i = 0; sig_rate_name(i) != NULL && !w->nomem; i++) {
        add_attribute(w, object, length, sig_rate_name(i));
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !w->nomem; i++) {
        add_attribute(w, object, length, words[i]);
    }
}

static void visit(walk *w, hid_t group, size_t length, int depth);

static void visit_link(walk *w, hid_t group, hsize_t i, size_t length, int depth)
{
    char name[NAME_MOST];
    H5L_info_t link;
    const ssize_t n = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                         sizeof name, H5P_DEFAULT);
    if (n <= 0 || (size_t)n >= sizeof name || H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD || !enter(w, length, name)) {
        return; /* names of that length, and what stands elsewhere */
    }
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    const H5I_type_t is = object < 0 ? H5I_BADID : H5Iget_type(object);
    if (is == H5I_GROUP && depth < DEPTH_MOST) {
        visit(w, object, strlen(w->path), depth + 1);
    } else if (is == H5I_DATASET) {
        add_dataset(w, object);
        add_attributes(w, object, strlen(w->path));
    }
    if (object >= 0) {
        H5Oclose(object);
    }
}

static void visit(walk *w, hid_t group, size_t length, int depth)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0) {
        return;
    }
    add_attributes(w, group, length);
    for (hsize_t i = 0; i < info.nlinks && !w->nomem; i++) {
        visit_link(w, group, i, length, depth);
    }
}

/* Whether it is a result of our own (problems/result/result_hdf5.c). */
static bool is_result(hid_t file)
{
    char format[16] = "";
    const hid_t a =
        H5Aexists(file, "format") > 0 ? H5Aopen(file, "format", H5P_DEFAULT) : H5I_INVALID_HID;
    const hid_t type = a < 0 ? H5I_INVALID_HID : H5Aget_type(a);
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Aget_storage_size(a) < sizeof format) {
        H5Aread(a, type, format);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (a >= 0) {
        H5Aclose(a);
    }
    return strcmp(format, "saltus") == 0;
}

/* Of a result the motion alone is a recording. */
static void visit_file(walk *w)
{
    static const char motion[] = "trajectory";
    const hid_t group =
        is_result(w->file) ? H5Gopen2(w->file, motion, H5P_DEFAULT) : H5I_INVALID_HID;
    if (group < 0) {
        visit(w, w->file, 0, 0);
        return;
    }
    if (enter(w, 0, motion)) {
        visit(w, group, strlen(motion), 1);
    }
    H5Gclose(group);
}

/* ---- numbers and words ---- */

static sal_status fail_read(sal_err *err)
{
    return sal_fail(err, SAL_BADINPUT,
                    "it is damaged, or compressed by a filter that libhdf5 does not have (such as "
                    "lzf of h5py; gzip is read)");
}

static hid_t open_leaf(const walk *w, const sig_leaf *leaf)
{
    const char *slash = strrchr(leaf->path, '/');
    char group[PATH_MOST];
    if (leaf->handle != attribute) {
        return H5Dopen2(w->file, leaf->path, H5P_DEFAULT);
    }
    snprintf(group, sizeof group, "/%.*s", slash == NULL ? 0 : (int)(slash - leaf->path),
             leaf->path);
    return H5Aopen_by_name(w->file, group, slash == NULL ? leaf->path : slash + 1, H5P_DEFAULT,
                           H5P_DEFAULT);
}

static bool fetch(const sig_leaf *leaf, hid_t object, hid_t type, void *out)
{
    return leaf->handle == attribute
               ? H5Aread(object, type, out) >= 0
               : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
}

static sal_status read_numbers(const sig_leaf *leaf, hid_t object, size_t n, sig_array *a,
                               sal_err *err)
{
    if (!sig_array_begin(a, n)) {
        return SAL_NOMEM;
    }
    return n == 0 || fetch(leaf, object, H5T_IEEE_F64LE, a->own) ? SAL_OK : fail_read(err);
}

/* Words of any length: HDF5 makes a block for each. */
static sal_status read_long_words(const sig_leaf *leaf, hid_t object, hid_t type, size_t n,
                                  sig_array *a, sal_err *err)
{
    char **word = sal_alloc(n, sizeof *word);
    const hid_t space = leaf->handle == attribute ? H5Aget_space(object) : H5Dget_space(object);
    sal_status status = word == NULL                      ? SAL_NOMEM
                        : fetch(leaf, object, type, word) ? SAL_OK
                                                          : fail_read(err);
    for (size_t i = 0; i < n && status == SAL_OK; i++) {
        sig_array_put_word(a, i, word[i] == NULL ? "" : word[i],
                           word[i] == NULL ? 0 : strlen(word[i]));
    }
    if (status == SAL_OK) {
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, word);
    }
    H5Sclose(space);
    sal_free(word);
    return status;
}

static sal_status read_words(const sig_leaf *leaf, hid_t object, size_t n, sig_array *a,
                             sal_err *err)
{
    const hid_t type = leaf->handle == attribute ? H5Aget_type(object) : H5Dget_type(object);
    const size_t size = H5Tget_size(type);
    sal_status status = sig_array_begin_words(a, n) ? SAL_OK : SAL_NOMEM;
    if (status == SAL_OK && H5Tis_variable_str(type) > 0) {
        status = read_long_words(leaf, object, type, n, a, err);
    } else if (status == SAL_OK && n > 0 && size > 0 && size < SIG_UNPACKED_MOST / n) {
        char *bytes = sal_alloc(n, size);
        status = bytes == NULL                      ? SAL_NOMEM
                 : fetch(leaf, object, type, bytes) ? SAL_OK
                                                    : fail_read(err);
        for (size_t i = 0; i < n && status == SAL_OK; i++) {
            sig_array_put_word(a, i, bytes + i * size, strnlen(bytes + i * size, size));
        }
        sal_free(bytes);
    }
    H5Tclose(type);
    return status;
}

/* What an array may unpack to */
static size_t numbers_most(void)
{
    return sal_reading_most(SIG_UNPACKED_MOST) / sizeof(double);
}

static sal_status read_leaf(void *file, const sig_leaf *leaf, sig_array *a, sal_err *err)
{
    const size_t n = sig_array_count(a);
    const hid_t object = open_leaf(file, leaf);
    sal_status status;
    if (n > numbers_most()) {
        status = sal_fail(err, SAL_BADINPUT, "it has more than the %zu numbers that may be read",
                          numbers_most());
    } else if (object < 0) {
        status = fail_read(err);
    } else {
        status = leaf->kind == SIG_LEAF_WORDS ? read_words(leaf, object, n, a, err)
                                              : read_numbers(leaf, object, n, a, err);
    }
    if (object >= 0 && leaf->handle == attribute) {
        H5Aclose(object);
    } else if (object >= 0) {
        H5Dclose(object);
    }
    return status;
}

/* ---- the file ---- */

static struct {
    H5E_auto2_t print;
    void *data;
} voice;

void sig_hdf5_mute(void)
{
    H5Eget_auto2(H5E_DEFAULT, &voice.print, &voice.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void sig_hdf5_unmute(void)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, voice.print, voice.data);
}

/* From memory; closing the file closes all that is open in it. */
static hid_t open_image(unsigned char *bytes, size_t n)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1U << 18, false);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_file_image(access, bytes, n);
    const hid_t file = H5Fopen(nowhere, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* What is done with the tree of a file: names == NULL: its columns. */
static sal_status use_tree(walk *w, sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err)
{
    visit_file(w);
    return w->nomem        ? sal_fail(err, SAL_NOMEM, "out of memory for the arrays of '%.300s'",
                                      s->source.path)
           : names != NULL ? sig_tree_names(names, w->tree, err)
                           : sig_tree_read(s, w->tree, diag, err);
}

static sal_status read_file(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err)
{
    size_t n;
    unsigned char *bytes = sig_bytes(s, &n);
    sig_tree tree = {.read = read_leaf};
    sal_status status;
    sig_hdf5_mute();
    walk w = {.file = n > 0 ? open_image(bytes, n) : H5I_INVALID_HID, .tree = &tree};
    tree.file = &w;
    if (w.file < 0) {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, "is the file complete?",
                       "this is not an HDF5 file");
        status = sal_diag_status(diag, err);
    } else {
        status = use_tree(&w, s, names, diag, err);
        H5Fclose(w.file);
    }
    sig_hdf5_unmute();
    sig_tree_clear(&tree);
    sal_free(bytes);
    return status;
}

sal_status sig_read_hdf5(sig_signals *s, sal_diag *diag, sal_err *err)
{
    return read_file(s, NULL, diag, err);
}

sal_status sig_hdf5_names(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err)
{
    return read_file(s, names, diag, err);
}
