/* result_hdf5.c: what an identification found, as groups of a result's file (docs/result.md). Each
 * call stores a member, or fills it from the file. */
#include "identify/result_part.h"
#include "problems/result/result_store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 20000 }; /* parameters: their correlations have so many rows and columns */
enum { MOST_RESAMPLES = 1 << 24 };

/* X(type, member): what is known of each number of a list */
#define PARAMETER_LIST(X)                                                                          \
    X(real, nominal)                                                                               \
    X(real, initial)                                                                               \
    X(real, value)                                                                                 \
    X(real, lower)                                                                                 \
    X(real, upper)                                                                                 \
    X(real, prior_sigma)                                                                           \
    X(real, weight)                                                                                \
    X(real, se)                                                                                    \
    X(real, se_hessian)                                                                            \
    X(int, free)                                                                                   \
    X(int, at_bound)

#define CHANNEL_LIST(X)                                                                            \
    X(int, kind)                                                                                   \
    X(int, n)                                                                                      \
    X(int, adr)                                                                                    \
    X(int, nres)                                                                                   \
    X(int, res_adr)                                                                                \
    X(real, rms)                                                                                   \
    X(real, lag1)                                                                                  \
    X(real, ljung_box)                                                                             \
    X(real, freedom)                                                                               \
    X(int, count)                                                                                  \
    X(int, white)

#define RECORDING_LIST(X)                                                                          \
    X(int, held, "1", held)                                                                        \
    X(int, nsample, "1", nsample)                                                                  \
    X(int, nstep, "1", nstep)                                                                      \
    X(real, start, "s", start)                                                                     \
    X(real, dt, "s", dt)                                                                           \
    X(real, timestep, "s", timestep)                                                               \
    X(real, cost, "1", cost)                                                                       \
    X(int, nresidual, "1", nresidual)                                                              \
    X(int, nvariable, "1", nvariable)                                                              \
    X(real, rms, "1", rms)                                                                         \
    X(int, outlier, "1", outlier)                                                                  \
    X(real, diverged, "s", rollout.diverged)                                                       \
    X(real, position, "m", rollout.position)                                                       \
    X(real, rotation, "rad", rollout.rotation)                                                     \
    X(real, position_rms, "m", rollout.position_rms)                                               \
    X(real, rotation_rms, "rad", rollout.rotation_rms)                                             \
    X(real, nominal_diverged, "s", rollout_nominal.diverged)                                       \
    X(real, nominal_position, "m", rollout_nominal.position)                                       \
    X(real, nominal_rotation, "rad", rollout_nominal.rotation)                                     \
    X(real, nominal_position_rms, "m", rollout_nominal.position_rms)                               \
    X(real, nominal_rotation_rms, "rad", rollout_nominal.rotation_rms)

/* X(member, rows, columns, kind, unit): arrays of one recording; signals have rows of samples */
#define MOTION_LIST(X)                                                                             \
    X(time, r->nstep + 1, 1, PRB_COL_ONE, "s")                                                     \
    X(qpos, r->nstep + 1, m->nq, PRB_COL_QPOS, NULL)                                               \
    X(qvel, r->nstep + 1, m->nv, PRB_COL_QVEL, NULL)                                               \
    X(unexplained, r->nstep + 1, m->nv, PRB_COL_QFRC, NULL)

#define SIGNAL_LIST(X)                                                                             \
    X(measured)                                                                                    \
    X(fitted)                                                                                      \
    X(predicted)                                                                                   \
    X(predicted_nominal)

/* ---- names of columns ---- */

/* Value i of a sample: the channel's name, with an index behind a colon where it has several. */
static void name_value(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const sal_identification_result *e = ctx;
    snprintf(name, SIG_H5_NAME, "value:%zu", i);
    snprintf(unit, SIG_H5_NAME, "1");
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        const int k = (int)i - of->adr;
        if (k >= 0 && k < of->n) {
            snprintf(name, SIG_H5_NAME, of->n == 1 ? "%s" : "%s:%d", of->name, k);
            snprintf(unit, SIG_H5_NAME, "%s", of->unit[0] == 0 || k >= of->nres ? "1" : of->unit);
        }
    }
}

static void name_channel(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const sal_identification_result *e = ctx;
    snprintf(name, SIG_H5_NAME, "%s", e->channel[i].name);
    snprintf(unit, SIG_H5_NAME, "%s", e->channel[i].unit[0] == 0 ? "1" : e->channel[i].unit);
}

static void name_local(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const sal_identification_result *e = ctx;
    snprintf(name, SIG_H5_NAME, "%s", e->local[i].name);
    snprintf(unit, SIG_H5_NAME, "%s", e->local[i].unit[0] == 0 ? "1" : e->local[i].unit);
}

static void name_parameter(const void *ctx, size_t i, char name[SIG_H5_NAME],
                           char unit[SIG_H5_NAME])
{
    const sal_identification_result *e = ctx;
    snprintf(name, SIG_H5_NAME, "%s", e->parameter[i].name);
    snprintf(unit, SIG_H5_NAME, "1");
}

typedef void (*namer)(const void *, size_t, char *, char *);

/* rows x n numbers; rows < 0: a vector of n */
static void table(sig_h5 *f, const sal_identification_result *e, const char *name, int rows, int n,
                  namer column, double *data)
{
    const sig_h5_shape shape = {.name = name,
                                .rank = rows < 0 ? 1 : 2,
                                .dims = {rows < 0 ? (size_t)n : (size_t)rows, (size_t)n},
                                .ncol = (size_t)n,
                                .column = column,
                                .ctx = e};
    sig_h5_reals(f, &shape, data);
}

/* ---- groups ---- */

#define EXCHANGE_real(name, unit, n, first, member)                                                \
    prb_store_list_reals(f, name, unit, n, &(first)->member, sizeof *(first));
#define EXCHANGE_int(name, unit, n, first, member)                                                 \
    prb_store_list_ints(f, name, n, &(first)->member, sizeof *(first));
#define EXCHANGE_TEXT(name, n, first, member)                                                      \
    prb_store_list_texts(f, name, n, (first)->member, sizeof *(first), sizeof(first)->member)

static void exchange_parameters(sig_h5 *f, int n, sal_identification_parameter *p)
{
    EXCHANGE_TEXT("name", n, p, name);
    EXCHANGE_TEXT("unit", n, p, unit);
    EXCHANGE_TEXT("map", n, p, map);
#define EXCHANGE(type, member) EXCHANGE_##type(#member, "1", n, p, member)
    PARAMETER_LIST(EXCHANGE)
#undef EXCHANGE
    if (sig_h5_writing(f) ||
        sig_h5_has(f, "se_freedom")) { /* files of earlier versions have none */
        EXCHANGE_real("se_freedom", "1", n, p, freedom);
    }
}

static void exchange_findings(sig_h5 *f, sal_identification_result *e)
{
    const size_t stride = sizeof e->sentence[0];
    sig_h5_attr_real(f, "chi2", &e->chi2);
    sig_h5_attr_real(f, "freedom", &e->freedom);
    sig_h5_attr_int(f, "ncluster", &e->ncluster);
    sig_h5_attr_int(f, "sandwich", &e->sandwich);
    if (sig_h5_writing(f) ? e->newton > 0 : sig_h5_has_attr(f, "newton")) {
        sig_h5_attr_real(f, "newton", &e->newton);
    }
    if (e->nparameter > 0) {
        table(f, e, "correlation", e->nparameter, e->nparameter, name_parameter, e->correlation);
        table(f, e, "eigenvalue", -1, e->nparameter, name_parameter, e->eigenvalue);
    }
    if (!sig_h5_writing(f)) {
        e->sentence = prb_store_list_room(f, "account", &e->nsentence, stride);
    }
    char none[SAL_IDENTIFICATION_TEXT] = "";
    prb_store_list_texts(f, "account", e->nsentence, e->nsentence > 0 ? e->sentence[0] : none,
                         stride, stride);
}

static void exchange_channels(sig_h5 *f, sal_identification_result *e)
{
    sal_identification_channel none = {0}, *c = e->nchannel > 0 ? e->channel : &none;
    EXCHANGE_TEXT("name", e->nchannel, c, name);
    EXCHANGE_TEXT("unit", e->nchannel, c, unit);
    EXCHANGE_TEXT("text", e->nchannel, c, text);
#define EXCHANGE(type, member) EXCHANGE_##type(#member, "1", e->nchannel, c, member)
    CHANNEL_LIST(EXCHANGE)
#undef EXCHANGE
    prb_store_list_reals(f, "sigma", "1", e->nresidual, e->sigma, sizeof(double));
}

static void exchange_recordings(sig_h5 *f, sal_identification_result *e)
{
    sal_identification_recording none = {0}, *r = e->nrecording > 0 ? e->recording : &none;
    EXCHANGE_TEXT("name", e->nrecording, r, name);
    EXCHANGE_TEXT("cluster", e->nrecording, r, cluster);
#define EXCHANGE(type, name, unit, member) EXCHANGE_##type(#name, unit, e->nrecording, r, member)
    RECORDING_LIST(EXCHANGE)
#undef EXCHANGE
}

/* ---- one recording ---- */

/* The group of recording i: its name without what a path cannot hold, and told apart from those
 * before it. */
static void group_name(const sal_identification_result *e, int i, char *path, size_t n)
{
    int same = 0;
    for (int k = 0; k < i; k++) {
        same += strcmp(e->recording[k].name, e->recording[i].name) == 0;
    }
    const int begin = snprintf(path, n, "recording/");
    const char *name = e->recording[i].name;
    snprintf(path + begin, n - (size_t)begin, name[0] == 0 || same > 0 ? "%s~%d" : "%s", name, i);
    for (char *s = path + begin; *s != 0; s++) {
        if (*s == '/' || *s == '.') {
            *s = '_';
        }
    }
}

static void exchange_recording(sig_h5 *f, sal_identification_result *e, const sal_model *m, int i)
{
    sal_identification_recording *r = e->recording + i;
    char path[2 * SAL_IDENTIFICATION_NAME];
    group_name(e, i, path, sizeof path);
    sig_h5_group(f, path);
#define EXCHANGE(member, rows, ncol, kind, unit)                                                   \
    prb_store_double(f, &(const prb_columns){m, kind, #member, unit}, rows, ncol, r->member);
    MOTION_LIST(EXCHANGE)
#undef EXCHANGE
#define EXCHANGE(member) table(f, e, #member, r->nsample, e->nvalue, name_value, r->member);
    SIGNAL_LIST(EXCHANGE)
#undef EXCHANGE
    table(f, e, "channel_rms", -1, e->nchannel, name_channel, r->channel_rms);
    table(f, e, "channel_predicted", -1, e->nchannel, name_channel, r->channel_predicted);
    table(f, e, "channel_nominal", -1, e->nchannel, name_channel, r->channel_nominal);
    if (e->nlocal > 0) {
        table(f, e, "local", -1, e->nlocal, name_local, r->local);
    }
}

/* ---- all of it ---- */

/* Reading: room for what the lists tell; NULL after a fault. */
static sal_identification_result *make_room(sig_h5 *f, const sal_model *m)
{
    sal_identification_sizes sizes = {.nq = m->nq, .nv = m->nv};
    sal_identification_result *e = NULL;
    sal_err err;
    sig_h5_group(f, "parameter");
    sizes.nparameter = sig_h5_has(f, "name") ? (int)sig_h5_rows(f, "name") : 0;
    sig_h5_group(f, "local");
    sizes.nlocal = (int)sig_h5_rows(f, "name");
    sig_h5_group(f, "channel");
    sizes.nchannel = (int)sig_h5_rows(f, "name");
    sizes.nresidual = (int)sig_h5_rows(f, "sigma");
    sig_h5_attr_int(f, "nvalue", &sizes.nvalue);
    sig_h5_group(f, "recording");
    sizes.nrecording = (int)sig_h5_rows(f, "name");
    if (!sig_h5_failed(f) && (sizes.nvalue < 0 || sizes.nparameter > MOST)) {
        sig_h5_fail(f, SAL_BADINPUT, "it contradicts itself");
    }
    if (!sig_h5_failed(f) && sal_identification_result_new(&e, &sizes, &err) != SAL_OK) {
        sig_h5_fail(f, SAL_NOMEM, err.message);
    }
    return e;
}

/* What later readers rely on without looking. */
static bool is_sound(const sal_identification_result *e)
{
    bool good = true;
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        good = good && of->n > 0 && of->adr >= 0 && of->adr <= e->nvalue - of->n && of->nres >= 0 &&
               of->nres <= of->n && of->res_adr >= 0 && of->res_adr <= e->nresidual - of->nres;
    }
    for (int i = 0; i < e->nrecording; i++) {
        const sal_identification_recording *r = e->recording + i;
        good =
            good && r->nsample >= 0 && r->nstep >= 0 && r->nsample < 1 << 28 && r->nstep < 1 << 28;
    }
    return good;
}

/* The model file with the values found, beside the other texts. */
static void exchange_model(sig_h5 *f, sal_identification_result *e)
{
    sig_h5_group(f, "provenance");
    if (sig_h5_writing(f) ? e->model_xml != NULL : sig_h5_has(f, "identified_xml")) {
        sig_h5_text(f, "identified_xml", &e->model_xml);
    }
}

/* Fits of other sets of recordings, and the errors that they gave. */
static void exchange_resamples(sig_h5 *f, sal_identification_result *e)
{
    sal_err err;
    int n = e->nresample, resamples = e->resamples;
    if (sig_h5_writing(f) ? e->resampling == SAL_RESAMPLING_NONE
                          : !sig_h5_has_group(f, "resample")) {
        return;
    }
    sig_h5_group(f, "resample");
    sig_h5_attr_int(f, "method", &e->resampling);
    sig_h5_attr_int(f, "wanted", &resamples);
    sig_h5_attr_int(f, "done", &n);
    if (sig_h5_failed(f)) {
        return;
    }
    if (n < 0 || n > resamples || resamples > MOST_RESAMPLES) {
        sig_h5_fail(f, SAL_BADINPUT, "it contradicts itself");
    } else if (!sig_h5_writing(f) &&
               sal_identification_result_resamples(e, resamples, &err) != SAL_OK) {
        sig_h5_fail(f, SAL_NOMEM, err.message);
    } else {
        e->nresample = n;
        table(f, e, "value", n, e->nparameter, name_parameter, e->resample);
        prb_store_list_reals(f, "se", "1", e->nparameter, &e->parameter->se_resampled,
                             sizeof *e->parameter);
    }
}

static void exchange_lists(sig_h5 *f, sal_identification_result *e)
{
    sal_identification_parameter nobody = {0};
    sig_h5_group(f, "parameter");
    exchange_parameters(f, e->nparameter, e->nparameter > 0 ? e->parameter : &nobody);
    exchange_findings(f, e);
    exchange_resamples(f, e);
    sig_h5_group(f, "local");
    exchange_parameters(f, e->nlocal, e->nlocal > 0 ? e->local : &nobody);
    sig_h5_group(f, "channel");
    sig_h5_attr_int(f, "nvalue", &e->nvalue);
    exchange_channels(f, e);
    sig_h5_group(f, "recording");
    exchange_recordings(f, e);
}

void idn_result_store(sig_h5 *f, const sal_model *m, void **part)
{
    const bool writing = sig_h5_writing(f);
    if (!writing && sig_h5_has_group(f, "recording")) {
        *part = make_room(f, m);
    }
    sal_identification_result *e = *part;
    if (e == NULL) {
        return;
    }
    exchange_model(f, e);
    exchange_lists(f, e);
    if (!sig_h5_failed(f) && !is_sound(e)) {
        sig_h5_fail(f, SAL_BADINPUT, "it contradicts itself");
    }
    for (int i = 0; i < e->nrecording && !sig_h5_failed(f); i++) {
        sal_identification_recording *rec = e->recording + i;
        sal_err err;
        if (!writing &&
            sal_identification_result_room(e, i, rec->nsample, rec->nstep, &err) != SAL_OK) {
            sig_h5_fail(f, SAL_NOMEM, err.message);
        } else if (rec->nsample > 0) {
            exchange_recording(f, e, m, i);
        }
    }
}
