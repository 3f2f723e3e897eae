/* hfield_read.c: elevations from files of MuJoCo's format:
 *
 *     int32 nrow, ncol; float elevation[nrow][ncol], the first row at -y; little-endian
 */
#include "base/house.h"
#include "mjcf/hfield.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { HEAD = 8 };

sal_status spec_check_grid(long nrow, long ncol, sal_err *err)
{
    if (nrow < 2 || ncol < 2) {
        return sal_fail(err, SAL_BADINPUT,
                        "a height field needs at least 2 rows and 2 columns, and has %ld and %ld",
                        nrow, ncol);
    }
    if (nrow > SPEC_ELEVATIONS_MAX || ncol > SPEC_ELEVATIONS_MAX / nrow) {
        return sal_fail(err, SAL_BADINPUT,
                        "a height field has at most %d elevations, and this one %ld x %ld",
                        SPEC_ELEVATIONS_MAX, nrow, ncol);
    }
    return SAL_OK;
}

static int32_t int_at(const char *bytes)
{
    const uint32_t word = sal_bytes_word(bytes);
    int32_t x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static sal_status read_binary(mjcf_spec *spec, spec_grid *grid, const char *bytes, size_t n,
                              sal_err *err)
{
    if (n < HEAD) {
        return sal_fail(err, SAL_BADINPUT, "it has %zu bytes, less than its head", n);
    }
    grid->nrow = int_at(bytes);
    grid->ncol = int_at(bytes + 4);
    const sal_status status = spec_check_grid(grid->nrow, grid->ncol, err);
    if (status != SAL_OK) {
        return status;
    }
    const size_t count = (size_t)grid->nrow * (size_t)grid->ncol;
    if (n != HEAD + 4 * count) {
        return sal_fail(err, SAL_BADINPUT,
                        "%d x %d elevations take %zu bytes, and it has %zu (int32 nrow, ncol, then "
                        "floats)",
                        grid->nrow, grid->ncol, HEAD + 4 * count, n);
    }
    grid->data = spec_take(spec, count, sizeof *grid->data);
    for (size_t i = 0; i < count && grid->data != NULL; i++) {
        grid->data[i] = sal_bytes_float(bytes + HEAD + 4 * i);
    }
    return grid->data == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

sal_status spec_read_grid(mjcf_spec *spec, const spec_hfield *field, spec_grid *grid,
                          const char *bytes, size_t n, sal_err *err)
{
    const char *type = field->content_type;
    const size_t length = strlen(field->file);
    const bool is_png = type != NULL
                            ? strcmp(type, "image/png") == 0
                            : length > 4 && strcasecmp(field->file + length - 4, ".png") == 0;
    if (is_png) {
        return spec_read_png(spec, grid, bytes, n, err);
    }
    if (type != NULL && strcmp(type, "image/vnd.mujoco.hfield") != 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "content_type must be image/png or image/vnd.mujoco.hfield");
    }
    return read_binary(spec, grid, bytes, n, err);
}
