/* arrays.c: all arrays of a result under their names (docs/result.md), as an .npz of float64. */
#include "exports/formats.h"

#include <string.h>

typedef struct naming {
    const sal_model *m;
    prb_column kind;
    const char *array;
} naming;

static void name_column(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    const naming *c = ctx;
    prb_column_name(text, c->m, c->kind, (int)i, c->array);
}

static void add_names(sig_npz *z, const sal_model *m, const char *name, prb_column kind, int n)
{
    const naming c = {m, kind, name};
    sig_npz_add_words(z, name, (size_t)n, name_column, &c);
}

static void name_body(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    prb_object_name(text, ctx, SAL_OBJ_BODY, (int)i);
}

static void name_geom(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    prb_object_name(text, ctx, SAL_OBJ_GEOM, (int)i);
}

/* The rows of time. Poses have an index for the body; readings that were not taken are left out. */
static void add_rows(sig_npz *z, const sal_result *r, bool sensors)
{
    const sal_model *m = r->model;
    const size_t T = (size_t)r->nstep + 1;
    const struct {
        const char *name;
        const double *data;
        int n;
        prb_column kind;
    } rows[] = {
#define EXP_ROW(name, columns, kind, unit) {#name, r->name, columns, kind},
        PRB_RESULT_ROWS(EXP_ROW)
#undef EXP_ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t n = (size_t)rows[i].n, own = rows[i].kind == PRB_COL_BODY_QUAT ? 4 : 3;
        if (rows[i].kind == PRB_COL_ONE) {
            sig_npz_add(z, &(sig_npz_array){rows[i].name, "<f8", 1, {T}, rows[i].data});
        } else if (rows[i].kind == PRB_COL_BODY_POS || rows[i].kind == PRB_COL_BODY_QUAT) {
            sig_npz_add(z,
                        &(sig_npz_array){rows[i].name, "<f8", 3, {T, n / own, own}, rows[i].data});
        } else if (rows[i].kind != PRB_COL_SENSOR || sensors) {
            sig_npz_add(z, &(sig_npz_array){rows[i].name, "<f8", 2, {T, n}, rows[i].data});
        }
    }
}

/* Whole numbers, by a buffer that has room for them */
static void add_whole(sig_npz *z, const char *name, const int *data, size_t rows, size_t columns,
                      double *buffer)
{
    for (size_t i = 0; i < rows * columns; i++) {
        buffer[i] = data[i];
    }
    const int ndim = columns > 1 ? 2 : 1;
    sig_npz_add(z, &(sig_npz_array){name, "<i8", ndim, {rows, columns}, buffer});
}

static void add_contacts(sig_npz *z, const sal_result *r, double *buffer)
{
    const size_t K = (size_t)r->ncontact;
    add_whole(z, "contact_offset", r->contact_offset, (size_t)r->nstep + 2, 1, buffer);
    add_whole(z, "contact_geom", r->contact_geom, K, 2, buffer);
    sig_npz_add(z, &(sig_npz_array){"contact_pos", "<f8", 2, {K, 3}, r->contact_pos});
    sig_npz_add(z, &(sig_npz_array){"contact_frame", "<f8", 2, {K, 9}, r->contact_frame});
    sig_npz_add(z, &(sig_npz_array){"contact_dist", "<f8", 1, {K}, r->contact_dist});
    sig_npz_add(z, &(sig_npz_array){"contact_force", "<f8", 2, {K, 6}, r->contact_force});
    sig_npz_add(z, &(sig_npz_array){"contact_slip", "<f8", 1, {K}, r->contact_slip});
}

static sal_status add_gains(sig_npz *z, const sal_result *given, int nstep, sal_err *err)
{
    exp_gain g;
    double *all = NULL;
    sal_status status = exp_gain_new(&g, given, err);
    if (status == SAL_OK) {
        const size_t nu = (size_t)given->model->nu, n = (size_t)exp_gain_count(&g),
                     T = (size_t)nstep;
        all = sal_alloc(T * nu * n, sizeof *all);
        for (size_t t = 0; t < T && all != NULL; t++) {
            memcpy(all + t * nu * n, exp_gain_at(&g, (int)t), nu * n * sizeof *all);
        }
        if (all == NULL) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for gains of %d steps", nstep);
        } else {
            sig_npz_add(z, &(sig_npz_array){"gain", "<f8", 3, {T, nu, n}, all});
        }
    }
    sal_free(all);
    exp_gain_clear(&g);
    return status;
}

static sal_status add_all(sig_npz *z, const sal_result *given, const sal_result *r, bool gains,
                          sal_err *err)
{
    const sal_model *m = r->model;
    const size_t most = 2 * (size_t)r->ncontact + (size_t)r->nstep + 2;
    double *buffer = sal_alloc(most, sizeof *buffer);
    if (buffer == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d contacts", r->ncontact);
    }
    sig_npz_add(z, &(sig_npz_array){"timestep", "<f8", 0, {0}, &r->timestep});
    add_rows(z, r, r == given);
    add_contacts(z, r, buffer);
    add_names(z, m, "qpos_names", PRB_COL_QPOS, m->nq);
    add_names(z, m, "dof_names", PRB_COL_DOF, m->nv);
    add_names(z, m, "ctrl_names", PRB_COL_CTRL, m->nu);
    add_names(z, m, "sensor_names", PRB_COL_SENSOR, m->nsensordata);
    sig_npz_add_words(z, "body_names", (size_t)m->nbody, name_body, m);
    sig_npz_add_words(z, "geom_names", (size_t)m->ngeom, name_geom, m);
    sal_free(buffer);
    return gains ? add_gains(z, given, r->nstep, err) : SAL_OK;
}

sal_status exp_write_arrays(sal_export *out, const sal_result *r, const sal_export_options *options,
                            sal_err *err)
{
    sal_result *whole = NULL;
    sig_npz *z = NULL;
    sal_status status = sal_result_unroll(&whole, r, options->cycles, err);
    status = status == SAL_OK ? sig_npz_create(&z, err) : status;
    if (status == SAL_OK) {
        status = add_all(z, r, whole != NULL ? whole : r, options->gains, err);
    }
    const sal_status closed = sig_npz_close(z, status == SAL_OK ? &out->file[0].text : NULL, err);
    sal_result_free(whole);
    return status == SAL_OK ? closed : status;
}
