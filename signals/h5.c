/* h5.c: the door to libhdf5. Files are built and taken apart in memory (the core driver), so that
 * all reading and writing of disks, and its faults, are ours. */
#include "signals/h5.h"

#include "signals/h5_bytes.h"

#include <hdf5.h>
#include <stdint.h>
#include <string.h>

/* The type of texts so wide, made once */
enum { NSTRING = 64 };
typedef struct string {
    size_t width; /* 0: none yet */
    hid_t type;
} string;

struct sig_h5 {
    hid_t file, here;  /* the current group */
    hid_t group, data; /* writing: how groups and arrays are made */
    string string[NSTRING];
    bool writing;
    char path[320];
    sal_status status;
    sal_err err;
    H5E_auto2_t print; /* HDF5's own printing of errors, silenced meanwhile */
    void *print_data;
};

/* ---- faults ---- */

void sig_h5_fail(sig_h5 *f, sal_status code, const char *what)
{
    if (f->status != SAL_OK) {
        return;
    }
    f->status = code;
    if (f->writing) {
        sal_fail(&f->err, code, "cannot write a result file: %s", what);
    } else {
        sal_fail(&f->err, code, "cannot read the result '%s': %s", f->path, what);
    }
}

/* "array 'qpos' is missing", .. */
static void fail_about(sig_h5 *f, const char *kind, const char *name, const char *what)
{
    char message[256];
    snprintf(message, sizeof message, "%s '%.100s' %s", kind, name, what);
    sig_h5_fail(f, f->writing ? SAL_INTERNAL : SAL_BADINPUT, message);
}

bool sig_h5_failed(const sig_h5 *f)
{
    return f->status != SAL_OK;
}

bool sig_h5_writing(const sig_h5 *f)
{
    return f->writing;
}

static void *scratch(sig_h5 *f, size_t count, size_t size)
{
    void *block = f->status == SAL_OK ? sal_alloc(count, size) : NULL;
    if (block == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
    }
    return block;
}

/* ---- opening and closing ---- */

static sig_h5 *new_file(bool writing, const char *path)
{
    sig_h5 *f = sal_alloc(1, sizeof *f);
    if (f != NULL) {
        f->file = f->here = f->group = f->data = H5I_INVALID_HID;
        f->writing = writing;
        snprintf(f->path, sizeof f->path, "%.300s", path);
        H5Eget_auto2(H5E_DEFAULT, &f->print, &f->print_data);
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    }
    return f;
}

/* The name of a file in memory. HDF5 refuses an image by the name of a file that exists; this one
 * cannot. */
#define NOWHERE "/dev/null/saltus"

/* Access through memory; closing the file closes all that is open in it. 1.8's format has checksums
 * on all metadata. */
static hid_t memory_access(void)
{
    const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(fapl, 1U << 18, false);
    H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG);
    H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_V18);
    return fapl;
}

/* No times, which would differ. Links and attributes lie in the object's header: from the ninth on
 * HDF5 else builds a heap and a tree for them. */
static hid_t creation(hid_t class)
{
    enum { MANY = 256, FEWER = 192, EXPECTED = 24, LETTERS = 14 };
    const hid_t list = H5Pcreate(class);
    H5Pset_obj_track_times(list, false);
    if (class != H5P_DATASET_CREATE) {
        H5Pset_attr_phase_change(list, MANY, FEWER);
        H5Pset_link_phase_change(list, MANY, FEWER);
        H5Pset_est_link_info(list, EXPECTED, LETTERS);
    }
    return list;
}

sal_status sig_h5_create(sig_h5 **file, sal_err *err)
{
    sig_h5 *f = *file = new_file(true, "");
    if (f == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a result file");
    }
    const hid_t fapl = memory_access(), fcpl = creation(H5P_FILE_CREATE);
    f->group = creation(H5P_GROUP_CREATE);
    f->data = creation(H5P_DATASET_CREATE);
    f->file = H5Fcreate(NOWHERE, H5F_ACC_TRUNC, fcpl, fapl);
    H5Pclose(fcpl);
    H5Pclose(fapl);
    if (f->file < 0) {
        sig_h5_close(f, NULL, NULL, NULL, NULL);
        *file = NULL;
        return sal_fail(err, SAL_INTERNAL,
                        "cannot write a result file: the HDF5 library does not start");
    }
    sig_h5_group(f, "/");
    return SAL_OK;
}

sal_status sig_h5_open(sig_h5 **file, const char *path, const char *bytes, size_t n, sal_err *err)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    *file = NULL;
    if (n < 8 || memcmp(bytes, signature, 8) != 0) {
        return sal_fail(err, SAL_BADINPUT, "'%.300s' is not a result: it is not an HDF5 file",
                        path);
    }
    if (!sig_h5_is_whole(bytes, n)) {
        return sal_fail(
            err, SAL_BADINPUT,
            "cannot read the result '%.300s': it was damaged or changed after it was written",
            path);
    }
    sig_h5 *f = new_file(false, path);
    if (f == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory while reading '%.300s'", path);
    }
    char *image = sal_alloc(n, 1); /* HDF5 takes what may be written */
    const hid_t fapl = memory_access();
    if (image != NULL) {
        memcpy(image, bytes, n);
        H5Pset_file_image(fapl, image, n);
        f->file = H5Fopen(NOWHERE, H5F_ACC_RDONLY, fapl);
    }
    H5Pclose(fapl);
    sal_free(image);
    if (f->file < 0) {
        sig_h5_close(f, NULL, NULL, NULL, NULL);
        return sal_fail(err, image == NULL ? SAL_NOMEM : SAL_BADINPUT,
                        "cannot read the result '%.300s': %s", path,
                        image == NULL ? "out of memory" : "the file is truncated or damaged");
    }
    *file = f;
    sig_h5_group(f, "/");
    return SAL_OK;
}

/* The file's bytes, complete and sealed. */
static void take_image(sig_h5 *f, char **bytes, size_t *n, char sha256[65])
{
    sal_sha256 sha;
    const ssize_t size =
        H5Fflush(f->file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(f->file, NULL, 0);
    const size_t length = size > 0 ? (size_t)size : 0;
    *bytes = scratch(f, length + SIG_H5_SEAL, 1);
    if (*bytes == NULL) {
        return;
    }
    if (size <= 0 || H5Fget_file_image(f->file, *bytes, length) != size) {
        sig_h5_fail(f, SAL_INTERNAL, "the HDF5 library does not return the content of the file");
        sal_free(*bytes);
        *bytes = NULL;
        return;
    }
    sig_h5_mend(*bytes, length);
    sig_h5_seal(*bytes + length, *bytes, length, &sha);
    if (sha256 != NULL) {
        sal_sha256_end(&sha, sha256);
    }
    *n = length + SIG_H5_SEAL;
}

/* What closing the file does not close. */
static void close_types(sig_h5 *f)
{
    for (int i = 0; i < NSTRING; i++) {
        if (f->string[i].width > 0) {
            H5Tclose(f->string[i].type);
        }
    }
    if (f->group >= 0) {
        H5Pclose(f->group);
    }
    if (f->data >= 0) {
        H5Pclose(f->data);
    }
}

sal_status sig_h5_close(sig_h5 *f, char **bytes, size_t *n, char sha256[65], sal_err *err)
{
    if (f->here >= 0) {
        H5Gclose(f->here);
    }
    if (f->writing && bytes != NULL) {
        *bytes = NULL;
        *n = 0;
        if (f->status == SAL_OK) {
            take_image(f, bytes, n, sha256);
        }
    }
    if (f->file >= 0) {
        H5Fclose(f->file);
    }
    close_types(f);
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, f->print, f->print_data);
    const sal_status status = f->status;
    if (status != SAL_OK && err != NULL) {
        *err = f->err;
    }
    sal_free(f);
    return status;
}

bool sig_h5_has_group(const sig_h5 *f, const char *name)
{
    return f->status == SAL_OK && H5Lexists(f->file, name, H5P_DEFAULT) > 0;
}

void sig_h5_group(sig_h5 *f, const char *name)
{
    if (f->here >= 0) {
        H5Gclose(f->here);
        f->here = H5I_INVALID_HID;
    }
    if (f->status != SAL_OK) {
        return;
    }
    if (!f->writing || strcmp(name, "/") == 0 || sig_h5_has_group(f, name)) {
        f->here = H5Gopen2(f->file, name, H5P_DEFAULT);
    } else {
        f->here = H5Gcreate2(f->file, name, H5P_DEFAULT, f->group, H5P_DEFAULT);
    }
    if (f->here < 0) {
        fail_about(f, "group", name, "is missing or damaged");
    }
}

/* ---- attributes ---- */

/* Of the file, until the next one is asked for */
static hid_t string_type(sig_h5 *f, size_t length)
{
    const size_t width = length > 0 ? length : 1;
    string *s = f->string + width % NSTRING;
    if (s->width != width) {
        if (s->width > 0) {
            H5Tclose(s->type);
        }
        *s = (string){width, H5Tcopy(H5T_C_S1)};
        H5Tset_size(s->type, width);
        H5Tset_strpad(s->type, H5T_STR_NULLPAD);
        H5Tset_cset(s->type, H5T_CSET_UTF8);
    }
    return s->type;
}

static void write_attr(sig_h5 *f, hid_t object, const char *name, hid_t stored, hid_t type,
                       hid_t space, const void *value)
{
    const hid_t attr = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attr < 0 || H5Awrite(attr, type, value) < 0) {
        fail_about(f, "attribute", name, "cannot be written");
    }
    if (attr >= 0) {
        H5Aclose(attr);
    }
}

/* Opens a scalar attribute of the wanted class; a fault if it is another. */
static hid_t open_attr(sig_h5 *f, const char *name, H5T_class_t class)
{
    if (f->status != SAL_OK) {
        return H5I_INVALID_HID;
    }
    const hid_t attr = H5Aopen(f->here, name, H5P_DEFAULT);
    if (attr < 0) {
        fail_about(f, "attribute", name, "is missing or damaged");
        return attr;
    }
    const hid_t space = H5Aget_space(attr), type = H5Aget_type(attr);
    const bool good = space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Tget_class(type) == class &&
                      (class != H5T_STRING || H5Tis_variable_str(type) == 0);
    if (type >= 0) {
        H5Tclose(type);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (!good) {
        fail_about(f, "attribute", name, "is not of the expected type");
        H5Aclose(attr);
        return H5I_INVALID_HID;
    }
    return attr;
}

/* Writes or reads one number. */
static void attr_number(sig_h5 *f, const char *name, hid_t stored, hid_t type, void *value)
{
    if (f->status != SAL_OK) {
        return;
    }
    if (f->writing) {
        const hid_t space = H5Screate(H5S_SCALAR);
        write_attr(f, f->here, name, stored, type, space, value);
        H5Sclose(space);
        return;
    }
    const hid_t attr = open_attr(f, name, H5Tget_class(stored));
    if (attr >= 0) {
        if (H5Aread(attr, type, value) < 0) {
            fail_about(f, "attribute", name, "cannot be read");
        }
        H5Aclose(attr);
    }
}

void sig_h5_attr_real(sig_h5 *f, const char *name, double *value)
{
    attr_number(f, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, value);
}

void sig_h5_attr_int(sig_h5 *f, const char *name, int *value)
{
    attr_number(f, name, H5T_STD_I32LE, H5T_NATIVE_INT, value);
}

void sig_h5_attr_long(sig_h5 *f, const char *name, unsigned long *value)
{
    attr_number(f, name, H5T_STD_U64LE, H5T_NATIVE_ULONG, value);
}

static void read_attr_text(sig_h5 *f, const char *name, char *value, size_t n)
{
    const hid_t attr = open_attr(f, name, H5T_STRING);
    if (attr < 0) {
        return;
    }
    const hid_t stored = H5Aget_type(attr);
    const size_t width = H5Tget_size(stored);
    char *whole = width > n ? NULL : scratch(f, width + 1, 1);
    if (width > n) {
        fail_about(f, "attribute", name, "is too long");
    } else if (whole != NULL) {
        if (H5Aread(attr, stored, whole) < 0 || strlen(whole) >= n) {
            fail_about(f, "attribute", name, "cannot be read");
        } else {
            memcpy(value, whole, strlen(whole) + 1);
        }
    }
    sal_free(whole);
    H5Tclose(stored);
    H5Aclose(attr);
}

void sig_h5_attr_text(sig_h5 *f, const char *name, char *value, size_t n)
{
    if (f->status != SAL_OK) {
        return;
    }
    if (!f->writing) {
        read_attr_text(f, name, value, n);
        return;
    }
    const hid_t type = string_type(f, strlen(value)), space = H5Screate(H5S_SCALAR);
    write_attr(f, f->here, name, type, type, space, value);
    H5Sclose(space);
}

/* ---- arrays ---- */

/* Attribute `name` with n texts of SIG_H5_NAME bytes, stored as wide as the longest; space: n */
static void write_labels(sig_h5 *f, hid_t object, const char *name, char *labels, size_t n,
                         hid_t space)
{
    size_t width = 1;
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(labels + i * SIG_H5_NAME);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < n; i++) {
        memmove(labels + i * width, labels + i * SIG_H5_NAME, width);
    }
    const hid_t type = string_type(f, width);
    write_attr(f, object, name, type, type, space, labels);
}

/* names and units */
static void write_columns(sig_h5 *f, hid_t object, const sig_h5_shape *shape)
{
    char *names = scratch(f, shape->ncol, SIG_H5_NAME);
    char *units = scratch(f, shape->ncol, SIG_H5_NAME);
    for (size_t i = 0; i < shape->ncol && units != NULL; i++) {
        shape->column(shape->ctx, i, names + i * SIG_H5_NAME, units + i * SIG_H5_NAME);
    }
    if (units != NULL) {
        const hid_t space = H5Screate_simple(1, (const hsize_t[]){shape->ncol}, NULL);
        write_labels(f, object, "names", names, shape->ncol, space);
        write_labels(f, object, "units", units, shape->ncol, space);
        H5Sclose(space);
    }
    sal_free(units);
    sal_free(names);
}

static size_t entries(const sig_h5_shape *shape)
{
    size_t n = 1;
    for (int i = 0; i < shape->rank; i++) {
        n *= shape->dims[i];
    }
    return n;
}

static void write_array(sig_h5 *f, const sig_h5_shape *shape, hid_t stored, hid_t type,
                        const void *data)
{
    hsize_t dims[3] = {0};
    for (int i = 0; i < shape->rank; i++) {
        dims[i] = shape->dims[i];
    }
    const hid_t space = H5Screate_simple(shape->rank, dims, NULL);
    const hid_t set =
        H5Dcreate2(f->here, shape->name, stored, space, H5P_DEFAULT, f->data, H5P_DEFAULT);
    if (set < 0 ||
        (entries(shape) > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) {
        fail_about(f, "array", shape->name, "cannot be written");
    } else {
        write_columns(f, set, shape);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
}

static bool shape_is(hid_t space, const sig_h5_shape *shape)
{
    hsize_t dims[3] = {0};
    if (H5Sget_simple_extent_ndims(space) != shape->rank ||
        H5Sget_simple_extent_dims(space, dims, NULL) != shape->rank) {
        return false;
    }
    for (int i = 0; i < shape->rank; i++) {
        if (dims[i] != shape->dims[i]) {
            return false;
        }
    }
    return true;
}

static void read_array(sig_h5 *f, const sig_h5_shape *shape, hid_t stored, hid_t type, void *data)
{
    const hid_t set = H5Dopen2(f->here, shape->name, H5P_DEFAULT);
    if (set < 0) {
        fail_about(f, "array", shape->name, "is missing or damaged");
        return;
    }
    const hid_t space = H5Dget_space(set), found = H5Dget_type(set);
    if (space < 0 || found < 0 || !shape_is(space, shape)) {
        fail_about(f, "array", shape->name,
                   "has not the shape that the model and the number of steps require");
    } else if (H5Tget_class(found) != H5Tget_class(stored) ||
               (H5Tget_class(stored) == H5T_STRING && H5Tequal(found, stored) <= 0)) {
        fail_about(f, "array", shape->name, "is not of the expected type");
    } else if (entries(shape) > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        fail_about(f, "array", shape->name, "cannot be read");
    }
    if (found >= 0) {
        H5Tclose(found);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    H5Dclose(set);
}

static void array(sig_h5 *f, const sig_h5_shape *shape, hid_t stored, hid_t type, void *data)
{
    if (f->status != SAL_OK) {
        return;
    }
    if (f->writing) {
        write_array(f, shape, stored, type, data);
    } else {
        read_array(f, shape, stored, type, data);
    }
}

void sig_h5_reals(sig_h5 *f, const sig_h5_shape *shape, double *data)
{
    array(f, shape, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, data);
}

void sig_h5_ints(sig_h5 *f, const sig_h5_shape *shape, int *data)
{
    array(f, shape, H5T_STD_I32LE, H5T_NATIVE_INT, data);
}

/* ---- arrays spread over structs ---- */

/* Copies n items of `size` bytes, `from_stride` and `to_stride` bytes apart. */
static void move_items(char *to, size_t to_stride, const char *from, size_t from_stride, size_t n,
                       size_t size)
{
    for (size_t i = 0; i < n; i++) {
        memcpy(to + i * to_stride, from + i * from_stride, size);
    }
}

static void spread(sig_h5 *f, const sig_h5_shape *shape, hid_t stored, hid_t type, size_t size,
                   char *first, size_t stride)
{
    const size_t n = shape->dims[0];
    char *packed = scratch(f, n, size);
    if (packed == NULL) {
        return;
    }
    if (f->writing) {
        move_items(packed, size, first, stride, n, size);
    }
    array(f, shape, stored, type, packed);
    if (!f->writing && f->status == SAL_OK) {
        move_items(first, stride, packed, size, n, size);
    }
    sal_free(packed);
}

void sig_h5_reals_of(sig_h5 *f, const sig_h5_shape *shape, double *first, size_t stride)
{
    spread(f, shape, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double), (char *)first, stride);
}

void sig_h5_ints_of(sig_h5 *f, const sig_h5_shape *shape, int *first, size_t stride)
{
    spread(f, shape, H5T_STD_I32LE, H5T_NATIVE_INT, sizeof(int), (char *)first, stride);
}

void sig_h5_texts_of(sig_h5 *f, const sig_h5_shape *shape, char *first, size_t stride, size_t width)
{
    const size_t n = shape->dims[0];
    char *packed = scratch(f, n, width);
    if (packed == NULL) {
        return;
    }
    for (size_t i = 0; i < n && f->writing; i++) {
        memcpy(packed + i * width, first + i * stride, strlen(first + i * stride));
    }
    const hid_t type = string_type(f, width);
    array(f, shape, type, type, packed);
    for (size_t i = 0; i < n && !f->writing && f->status == SAL_OK; i++) {
        memcpy(first + i * stride, packed + i * width, width - 1);
        first[i * stride + width - 1] = 0;
    }
    sal_free(packed);
}

/* ---- texts ---- */

static void text_column(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    (void)i;
    snprintf(name, SIG_H5_NAME, "%s", (const char *)ctx);
    snprintf(unit, SIG_H5_NAME, "1");
}

/* Length of the text stored as `name`; SIZE_MAX if it is none. */
static size_t text_length(sig_h5 *f, const char *name)
{
    size_t width = SIZE_MAX;
    const hid_t set = H5Dopen2(f->here, name, H5P_DEFAULT);
    const hid_t type = set < 0 ? H5I_INVALID_HID : H5Dget_type(set);
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0) {
        width = H5Tget_size(type);
    }
    if (width == SIZE_MAX) {
        fail_about(f, "text", name, "is missing or damaged");
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return width;
}

void sig_h5_text(sig_h5 *f, const char *name, char **text)
{
    if (f->status != SAL_OK) {
        return;
    }
    const size_t length = f->writing ? strlen(*text) : text_length(f, name);
    const size_t width = length > 0 ? length : 1;
    char *copy = length == SIZE_MAX ? NULL : scratch(f, width + 1, 1);
    if (copy == NULL) {
        return;
    }
    if (f->writing) {
        memcpy(copy, *text, length);
    }
    const sig_h5_shape scalar = {.name = name, .ncol = 1, .column = text_column, .ctx = name};
    const hid_t type = string_type(f, width);
    array(f, &scalar, type, type, copy);
    if (f->writing || f->status != SAL_OK) {
        sal_free(copy);
    } else {
        *text = copy;
    }
}

bool sig_h5_has(const sig_h5 *f, const char *name)
{
    return f->status == SAL_OK && H5Lexists(f->here, name, H5P_DEFAULT) > 0;
}

bool sig_h5_has_attr(const sig_h5 *f, const char *name)
{
    return f->status == SAL_OK && H5Aexists(f->here, name) > 0;
}

size_t sig_h5_rows(sig_h5 *f, const char *name)
{
    hsize_t dims[3] = {0};
    if (f->status != SAL_OK) {
        return 0;
    }
    const hid_t set = H5Dopen2(f->here, name, H5P_DEFAULT);
    const hid_t space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set);
    const int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 3 || H5Sget_simple_extent_dims(space, dims, NULL) < 0 ||
        dims[0] > INT32_MAX / 2) {
        fail_about(f, "array", name, "is missing or damaged");
        dims[0] = 0;
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return (size_t)dims[0];
}
