/* compile_hfield.c: height fields from files, from numbers or flat, and the geoms that are such.
 *
 * Elevations are brought to 0 .. 1, as MuJoCo does, in floats:
 *     e := (e - min)/(max - min);   0 where all are equal
 */
#include "mjcf/compile.h"
#include "mjcf/hfield.h"
#include "mjcf/reader.h"

#include <float.h>
#include <limits.h>
#include <string.h>

enum { FILE_MAX = 256 << 20 };

static const char needs[] =
    "write file=, or nrow, ncol and elevation; without elevation the field is flat";

/* ---- where the numbers come from ---- */

static void read_file(spec_work *w, spec_hfield *field, spec_grid *grid)
{
    sal_text path = {0};
    sal_err err = {0};
    char *bytes = NULL;
    size_t n = 0;
    spec_asset_path(&path, w->spec, &field->head, field->file);
    sal_status status =
        path.failed ? SAL_NOMEM : sal_text_read_file(path.data, FILE_MAX, &bytes, &n, &err);
    if (status == SAL_BADPATH || status == SAL_BADINPUT) {
        spec_error(w, &field->head, "file",
                   "paths of height fields are relative to the folder of the model file and its "
                   "meshdir",
                   "%s", err.message);
    } else if (status == SAL_OK) {
        status = spec_read_grid(w->spec, field, grid, bytes, n, &err);
        if (status == SAL_BADINPUT) {
            spec_error(w, &field->head, "file", "it is a .png image, or a file of MuJoCo's format",
                       "cannot use the height field file '%.200s': %s", field->file, err.message);
        }
    }
    w->spec->nomem = w->spec->nomem || status == SAL_NOMEM;
    grid->data = status == SAL_OK ? grid->data : NULL;
    sal_free(bytes);
    sal_text_clear(&path);
}

/* The first row as written is the last: written as one sees the field from above. */
static void read_numbers(spec_work *w, spec_hfield *field, spec_grid *grid)
{
    const int n = grid->nrow * grid->ncol;
    double *value = spec_take(w->spec, (size_t)n, sizeof *value);
    const int have =
        value == NULL ? -1 : mjcf_read_numbers(w->diag, field->elevation_attr, value, n, n, 0);
    for (int i = 0; i < n && have == n; i++) {
        const int row = i / grid->ncol, column = i % grid->ncol;
        grid->data[(grid->nrow - 1 - row) * grid->ncol + column] = (float)value[i];
    }
    grid->data = have == n ? grid->data : NULL;
}

static void make_grid(spec_work *w, spec_hfield *field, spec_grid *grid)
{
    sal_err err = {0};
    if (field->nrow == 0 || field->ncol == 0) {
        spec_error(w, &field->head, NULL, needs,
                   "<hfield> needs the attribute 'file', or both 'nrow' and 'ncol'");
        return;
    }
    if (spec_check_grid(field->nrow, field->ncol, &err) != SAL_OK) {
        spec_error(w, &field->head, field->nrow < 2 ? "nrow" : "ncol", NULL, "%s", err.message);
        return;
    }
    *grid = (spec_grid){field->nrow, field->ncol, NULL};
    grid->data = spec_take(w->spec, (size_t)grid->nrow * (size_t)grid->ncol, sizeof *grid->data);
    if (field->elevation_attr != NULL && grid->data != NULL) {
        read_numbers(w, field, grid);
    }
}

/* ---- what is done with them ---- */

/* false (reported): one of them is not finite */
static bool normalise(spec_work *w, spec_hfield *field, const spec_grid *grid)
{
    const size_t n = (size_t)grid->nrow * (size_t)grid->ncol;
    float least = FLT_MAX, most = -FLT_MAX;
    for (size_t i = 0; i < n; i++) {
        const float e = grid->data[i];
        if (!(e >= -1e9F && e <= 1e9F)) {
            spec_error(w, &field->head, field->file != NULL ? "file" : "elevation", NULL,
                       "elevation %zu is not finite, or larger than 1e9", i);
            return false;
        }
        least = e < least ? e : least;
        most = e > most ? e : most;
    }
    for (size_t i = 0; i < n; i++) {
        grid->data[i] -= least;
        if (most > least) {
            grid->data[i] /= most - least;
        }
    }
    return true;
}

static bool check(spec_work *w, const spec_hfield *field)
{
    static const char *const what[4] = {"half its length along x", "half its length along y",
                                        "the height of its highest point",
                                        "the depth of the ground below"};
    if (field->head.name == NULL || field->head.name[0] == 0) {
        spec_error(w, &field->head, "name", NULL, "<hfield> needs the attribute 'name' or 'file'");
    }
    for (int k = 0; k < 4; k++) {
        if (!(field->size[k] > 0)) {
            spec_error(w, &field->head, "size", NULL,
                       "size of <hfield>: number %d, %s, is %g; it must be positive", k + 1,
                       what[k], field->size[k]);
            return false;
        }
    }
    return true;
}

void spec_compile_hfields(spec_work *w)
{
    const spec_list *fields = &w->spec->hfield;
    w->hfields = spec_sort_names(w, fields, "hfield");
    for (int i = 0; i < fields->n && !w->spec->nomem; i++) {
        spec_hfield *field = fields->item[i];
        spec_grid grid = {0};
        field->head.id = i;
        if (field->data != NULL || !check(w, field)) {
            continue; /* compiled before, or reported */
        }
        if (field->file != NULL) {
            read_file(w, field, &grid);
        } else {
            make_grid(w, field, &grid);
        }
        if (grid.data != NULL && normalise(w, field, &grid)) {
            field->nrow = grid.nrow;
            field->ncol = grid.ncol;
            field->data = grid.data;
        }
    }
}

/* ---- geoms ---- */

bool spec_place_hfield(spec_work *w, spec_geom *g)
{
    if (g->type != SAL_GEOM_HFIELD) {
        spec_error(w, &g->head, "hfield", "write type=\"hfield\"",
                   "only a geom of type hfield has the attribute 'hfield'");
        return false;
    }
    if (g->hfield == NULL || g->mesh != NULL || !isnan(g->fromto[0])) {
        spec_error(w, &g->head,
                   g->hfield == NULL ? "type"
                   : g->mesh != NULL ? "mesh"
                                     : "fromto",
                   NULL,
                   "a geom of type hfield needs the attribute 'hfield', and has no mesh and no "
                   "fromto");
        return false;
    }
    const int id = spec_find(w, &w->hfields, &g->head, "hfield", g->hfield);
    if (id < 0) {
        return false;
    }
    const spec_hfield *field = w->spec->hfield.item[id];
    g->field = field;
    const double share = w->spec->mujoco == SAL_MUJOCO_222 ? 0.5 : 0.25;
    sal_v3_set(g->size, field->size[0], field->size[1],
               share * field->size[2] + 0.5 * field->size[3]);
    return field->data != NULL;
}

/* ---- into the model ---- */

void spec_fill_hfield_sizes(const mjcf_spec *spec, sal_model *m)
{
    m->nhfield = spec->hfield.n;
    for (int i = 0; i < spec->hfield.n; i++) {
        const spec_hfield *field = spec->hfield.item[i];
        const long n = (long)field->nrow * field->ncol;
        m->nhfielddata = n > INT_MAX - m->nhfielddata ? INT_MAX : m->nhfielddata + (int)n;
    }
}

void spec_fill_hfields(const mjcf_spec *spec, sal_model *m)
{
    int adr = 0;
    for (int i = 0; i < spec->hfield.n; i++) {
        const spec_hfield *field = spec->hfield.item[i];
        const int n = field->nrow * field->ncol;
        m->hfield_nrow[i] = field->nrow;
        m->hfield_ncol[i] = field->ncol;
        m->hfield_adr[i] = adr;
        memcpy(m->hfield_size + 4 * i, field->size, sizeof field->size);
        memcpy(m->hfield_data + adr, field->data, (size_t)n * sizeof *field->data);
        adr += n;
    }
}
