/* png_read.c: images by libpng. Its errors leave by a jump, so that all it needs is in one struct
 * that outlives it. */
#include "base/house.h"
#include "mjcf/hfield.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

typedef struct image {
    const char *bytes;
    size_t n, at;
    png_structp png;
    png_infop info;
    char fault[128];
    mjcf_spec *spec;
    spec_grid *grid;
    sal_err *err;
    sal_status status;
} image;

static void fail(png_structp png, png_const_charp message)
{
    image *im = png_get_error_ptr(png);
    snprintf(im->fault, sizeof im->fault, "%s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void take_bytes(png_structp png, png_bytep to, size_t n)
{
    image *im = png_get_io_ptr(png);
    if (n > im->n - im->at) {
        png_error(png, "the file ends too early");
    }
    memcpy(to, im->bytes + im->at, n);
    im->at += n;
}

/* Grey and palettes to eight bits a channel, sixteen cut to their upper eight. */
static void transform(image *im)
{
    png_set_expand(im->png);
    png_set_strip_16(im->png);
    (void)png_set_interlace_handling(im->png);
    png_read_update_info(im->png, im->info);
}

static void read_rows(image *im)
{
    const size_t nrow = (size_t)im->grid->nrow, ncol = (size_t)im->grid->ncol;
    const size_t step = png_get_channels(im->png, im->info);
    const size_t row_size = png_get_rowbytes(im->png, im->info);
    png_bytep pixel = spec_take(im->spec, nrow, row_size);
    png_bytepp row = spec_take(im->spec, nrow, sizeof *row);
    im->grid->data = spec_take(im->spec, nrow * ncol, sizeof *im->grid->data);
    if (pixel == NULL || row == NULL || im->grid->data == NULL) {
        im->status = sal_fail(im->err, SAL_NOMEM, "out of memory");
        return;
    }
    for (size_t r = 0; r < nrow; r++) {
        row[r] = pixel + r * row_size;
    }
    png_read_image(im->png, row);
    for (size_t r = 0; r < nrow; r++) {
        for (size_t c = 0; c < ncol; c++) {
            im->grid->data[(nrow - 1 - r) * ncol + c] = (float)row[r][step * c];
        }
    }
}

static void read_image(image *im)
{
    if (setjmp(png_jmpbuf(im->png)) != 0) {
        im->status = sal_fail(im->err, SAL_BADINPUT, "it is no whole PNG image: %s", im->fault);
        return;
    }
    png_set_read_fn(im->png, im, take_bytes);
    png_set_user_limits(im->png, SPEC_ELEVATIONS_MAX, SPEC_ELEVATIONS_MAX);
    png_read_info(im->png, im->info);
    im->grid->nrow = (int)png_get_image_height(im->png, im->info);
    im->grid->ncol = (int)png_get_image_width(im->png, im->info);
    im->status = spec_check_grid(im->grid->nrow, im->grid->ncol, im->err);
    if (im->status == SAL_OK) {
        transform(im);
        read_rows(im);
    }
}

sal_status spec_read_png(mjcf_spec *spec, spec_grid *grid, const char *bytes, size_t n,
                         sal_err *err)
{
    image im = {.bytes = bytes, .n = n, .spec = spec, .grid = grid, .err = err};
    im.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &im, fail, ignore);
    im.info = im.png == NULL ? NULL : png_create_info_struct(im.png);
    if (im.info == NULL) {
        im.status = sal_fail(err, SAL_NOMEM, "out of memory");
    } else {
        read_image(&im);
    }
    png_destroy_read_struct(&im.png, &im.info, NULL);
    return im.status;
}
