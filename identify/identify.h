/* identify.h: parameters of a mechanism, and its motions, from recordings (docs/identification.md);
 * the public header of identify/.
 *
 *     sal_identification_read -> sal_identification_solve -> result (sal_identification_of) ->
 *         page, tables
 *
 * A result of it is that of the first recording's motion, with what was identified as a part.
 */
#ifndef SAL_IDENTIFY_H
#define SAL_IDENTIFY_H

#include "problems/problems.h"

SAL_BEGIN_C

/* ---- the problem ---- */

/* A problem file with <estimate>: model, recordings, parameters, stages. */
typedef struct sal_identification sal_identification;

/* As sal_problem_read; a file without <estimate> is refused. The caller frees. */
SAL_API sal_status sal_identification_read(sal_identification **i, const char *path,
                                           const sal_problem_options *options, sal_diag *diag,
                                           sal_err *err);
SAL_API void sal_identification_free(sal_identification *i);

typedef struct sal_identification_summary {
    sal_recordings_size recordings;
    /* numbers that all recordings share */
    int nparameter;
    /* numbers of each recording */
    int nlocal;
    int nstage;
} sal_identification_summary;
SAL_API sal_identification_summary sal_identification_sum_up(const sal_identification *i);

/* Estimates parameters and motions; a result whatever it came to, as from sal_problem_solve. The
 * caller frees. No checkpoints are kept. */
SAL_API sal_status sal_identification_solve(sal_result **result, const sal_identification *i,
                                            int nthread, const sal_watch *watch, sal_err *err);

/* All recordings, predicted by forward simulation with the parameters' starting values; nothing is
 * estimated but the state with which each prediction begins. The caller frees. */
SAL_API sal_status sal_identification_predict(sal_result **result, const sal_identification *i,
                                              int nthread, sal_err *err);

/* ---- a problem file of either kind ---- */

/* one of the two, the other is NULL */
typedef struct sal_request {
    sal_problem *motion;
    sal_identification *identification;
} sal_request;

/* Reads what the file asks for. As sal_problem_read. The caller clears. */
SAL_API sal_status sal_request_read(sal_request *t, const char *path,
                                    const sal_problem_options *options, sal_diag *diag,
                                    sal_err *err);
SAL_API void sal_request_clear(sal_request *t);
SAL_API const char *sal_request_name(const sal_request *t);
SAL_API const sal_model *sal_request_model(const sal_request *t);
SAL_API const char *sal_request_model_path(const sal_request *t);
/* The most starts that the search may have, at least 1. */
SAL_API int sal_request_nstart(const sal_request *t);
/* *has: whether r is a result of this very file, with these settings, this model and this data. */
SAL_API sal_status sal_request_has_result(bool *has, const sal_request *t, const sal_result *r,
                                          sal_err *err);
/* As sal_checkpoint_look; linearisations [nstart]. */
SAL_API sal_status sal_request_checkpoint_look(const sal_request *t, const char *folder,
                                               int *linearisations, bool *found, sal_err *err);
/* sal_problem_solve or sal_identification_solve. */
SAL_API sal_status sal_request_solve(sal_result **result, const sal_request *t, int nthread,
                                     const sal_watch *watch, sal_err *err);
/* As sal_result_read, with what was identified. */
SAL_API sal_status sal_request_read_result(sal_result **result, const char *path, sal_err *err);

/* ---- what was identified ---- */

enum { SAL_IDENTIFICATION_NAME = 96, SAL_IDENTIFICATION_UNIT = 24, SAL_IDENTIFICATION_TEXT = 512 };

/* X(code, name): which recordings are fitted anew for standard errors: none; all but those of one
 * cluster, for each cluster; those of clusters drawn at random */
#define SAL_IDENTIFICATION_RESAMPLING_LIST(X)                                                      \
    X(SAL_RESAMPLING_NONE, "sandwich")                                                             \
    X(SAL_RESAMPLING_JACKKNIFE, "jackknife")                                                       \
    X(SAL_RESAMPLING_BOOTSTRAP, "bootstrap")

typedef enum sal_identification_resampling {
#define SAL_RESAMPLING_ENUM(code, name) code,
    SAL_IDENTIFICATION_RESAMPLING_LIST(SAL_RESAMPLING_ENUM)
#undef SAL_RESAMPLING_ENUM
} sal_identification_resampling;

/* one number that all recordings share */
typedef struct sal_identification_parameter {
    char name[SAL_IDENTIFICATION_NAME];
    char unit[SAL_IDENTIFICATION_UNIT];
    /* "linear", "log", "bounded": what of it is varied, u */
    char map[16];
    /* 0: held all the time */
    int free;
    /* nominal: as the model says; NaN, -inf, inf */
    double nominal, initial, value, lower, upper;
    /* of u, NaN: none; 1/prior_sigma^2, 0 */
    double prior_sigma, weight;
    /* assessed: standard errors by recording (what is reported), and from the Hessian times s; inf:
     * not determined, NaN: held, or on a bound */
    double se;
    double se_hessian;
    /* of the standard error: degrees of freedom; inf: it is known as well as the sigmas are */
    double freedom;
    /* from fits of other sets of recordings (sal_identification_result.resampling); NaN: none */
    double se_resampled;
    /* -1: on the lower, 1: on the upper */
    int at_bound;
} sal_identification_parameter;

typedef struct sal_identification_channel {
    char name[SAL_IDENTIFICATION_NAME];
    char unit[SAL_IDENTIFICATION_UNIT];
    /* prb_channel_kind; its values and residuals in a sample */
    int kind, n, adr, nres, res_adr;
    /* assessed, over the recordings of the fit, in units of sigma: root mean square; correlation of
     * neighbours; Ljung-Box Q with its freedoms */
    double rms;
    double lag1;
    double ljung_box;
    double freedom;
    /* of residuals */
    int count;
    /* 1: they are, or nearly */
    int white;
    char text[SAL_IDENTIFICATION_TEXT];
} sal_identification_channel;

/* of a rollout */
typedef struct sal_identification_rollout {
    /* s after its begin; NaN: it did not */
    double diverged;
    /* of the bodies' places and attitudes, m and rad; NaN: none is measured */
    /* at the end; over time */
    double position, rotation, position_rms, rotation_rms;
} sal_identification_rollout;

typedef struct sal_identification_recording {
    char name[SAL_IDENTIFICATION_NAME];
    char cluster[SAL_IDENTIFICATION_NAME];
    /* left out of the fit */
    int held;
    int nsample;
    int nstep;
    /* s: of the first sample in the file; of samples; of steps */
    double start, dt, timestep;
    double cost;
    /* numbers that were made small, its own variables */
    int nresidual, nvariable;
    /* [nstep+1 x 1, nq, nv, nv]; N, N m */
    double *time, *qpos, *qvel, *unexplained;
    /* [nsample x nvalue] NaN: missing. predicted: by forward rollout of the model found, and of the
     * nominal one, from the same first state */
    double *measured;
    double *fitted;
    double *predicted;
    double *predicted_nominal;
    /* [nlocal] parameters of its own */
    double *local;
    /* assessed */
    /* of its measurements, in units of sigma */
    double rms;
    int outlier;
    /* [nchannel] in units of sigma, NaN: not measured here */
    double *channel_rms;
    /* [nchannel] rms errors of the rollouts, in the channel's unit; of a pose its place, of a ball
     * joint its rotation */
    double *channel_predicted;
    double *channel_nominal;
    sal_identification_rollout rollout;
    sal_identification_rollout rollout_nominal;
    void *block;
} sal_identification_recording;

typedef struct sal_identification_result {
    int nparameter;
    int nlocal;
    int nchannel;
    int nvalue;
    int nresidual;
    int nrecording;
    int nq;
    int nv;
    int nsentence;
    sal_identification_parameter *parameter;
    /* [nlocal] name, unit, map, lower, upper; value: mean, se: scatter over recordings */
    sal_identification_parameter *local;
    sal_identification_channel *channel;
    sal_identification_recording *recording;
    /* [nresidual] */
    double *sigma;
    /* from the optimizer, over u; not in the file. slope: d value/d u [n x n]; S, score:
     * [nrecording x n x n], [nrecording x n], those of held ones 0 */
    double *slope;
    double *S;
    double *score;
    /* assessed */
    /* [n x n] NaN where there is no standard error */
    double *correlation;
    /* [n] of the scaled information of the data, increasing */
    double *eigenvalue;
    /* s^2 = chi2/freedom */
    double chi2, freedom;
    int ncluster;
    /* 1: se is the sandwich; 0: too few clusters, it is from the Hessian */
    int sandwich;
    /* fits of other sets of recordings: how those are chosen (sal_identification_resampling), how
     * many were to be made, how many of them came to an end, and the values that these found
     * [nresample x nparameter] (NaN: their stage holds it; NULL: none) */
    int resampling;
    int resamples;
    int nresample;
    double *resample;
    /* how far a step of Newton's method would still move a parameter, over its standard error, at
     * most, where this is a good part of it; 0: it is not, a prior pulls, or nothing was
     * estimated */
    double newton;
    /* what the data could not tell, and what stands out */
    char (*sentence)[SAL_IDENTIFICATION_TEXT];
    /* the user's model file with the values found; NULL: none was written */
    char *model_xml;
    void *block;
} sal_identification_result;

/* What a result identified; NULL: it is of a motion alone. */
SAL_API const sal_identification_result *sal_identification_of(const sal_result *r);
/* Parameters start from what was found of them. SAL_BADINPUT: a parameter is not there. */
SAL_API sal_status sal_identification_take(sal_identification *i,
                                           const sal_identification_result *found, sal_err *err);

/* All recordings as one table, a row for each sample: what was measured, fitted and predicted. */
SAL_API sal_status sal_identification_csv(const sal_result *result, sal_text *out, sal_err *err);

/* Room for so many of each; everything is 0, numbers that are assessed later are NaN. */
typedef struct sal_identification_sizes {
    int nparameter;
    int nlocal;
    int nchannel;
    int nvalue;
    int nresidual;
    int nrecording;
    int nq;
    int nv;
} sal_identification_sizes;
SAL_API sal_status sal_identification_result_new(sal_identification_result **e,
                                                 const sal_identification_sizes *sizes,
                                                 sal_err *err);
/* Room for the values of so many fits of other sets of recordings; none is there yet. */
SAL_API sal_status sal_identification_result_resamples(sal_identification_result *e, int resamples,
                                                       sal_err *err);
SAL_API const char *sal_identification_resampling_name(int resampling);
/* Room for the motion and the signals of a recording. */
SAL_API sal_status sal_identification_result_room(sal_identification_result *e, int recording,
                                                  int nsample, int nstep, sal_err *err);
SAL_API void sal_identification_result_free(sal_identification_result *e);
/* The value lies within this of the true one with probability 0.95: its standard error times
 * Student's quantile of its freedoms. NaN or inf where the error is. */
SAL_API double sal_identification_reach(const sal_identification_parameter *p);
/* From what the fit filled in: standard errors, sentences, figures of channels, recordings and
 * rollouts (docs/identification.md says how). */
SAL_API sal_status sal_identification_result_assess(sal_identification_result *e, sal_err *err);

/* X(code, name, unit, member of a recording): what recordings are compared by */
#define SAL_IDENTIFICATION_MEASURE_LIST(X)                                                         \
    X(SAL_MEASURE_FIT, "fit", "sigma", rms)                                                        \
    X(SAL_MEASURE_POSITION, "position", "m", rollout.position)                                     \
    X(SAL_MEASURE_ROTATION, "rotation", "rad", rollout.rotation)                                   \
    X(SAL_MEASURE_POSITION_RMS, "position_rms", "m", rollout.position_rms)                         \
    X(SAL_MEASURE_ROTATION_RMS, "rotation_rms", "rad", rollout.rotation_rms)                       \
    X(SAL_MEASURE_NOMINAL_POSITION, "nominal_position", "m", rollout_nominal.position)             \
    X(SAL_MEASURE_NOMINAL_ROTATION, "nominal_rotation", "rad", rollout_nominal.rotation)

typedef enum sal_identification_measure {
#define SAL_MEASURE_ENUM(code, name, unit, member) code,
    SAL_IDENTIFICATION_MEASURE_LIST(SAL_MEASURE_ENUM)
#undef SAL_MEASURE_ENUM
        SAL_NMEASURE
} sal_identification_measure;

typedef struct sal_quartiles {
    /* recordings that have it; 0: the others are NaN */
    int n;
    double low;
    double median;
    double high;
} sal_quartiles;

/* Root mean square of a recording's residuals at one sample, over sigma; scratch [nresidual]. */
SAL_API double sal_identification_sample_rms(const sal_identification_result *e,
                                             const sal_identification_recording *r, int sample,
                                             double *scratch);
SAL_API double sal_identification_measured(const sal_identification_recording *r,
                                           sal_identification_measure what);
/* Over the recordings of the fit, or those held out. */
SAL_API sal_status sal_identification_quartiles(sal_quartiles *q,
                                                const sal_identification_result *e, bool held,
                                                sal_identification_measure what, sal_err *err);
/* Of the rms errors of channel c in rollouts, of the model found or the nominal one; in the
 * channel's unit. */
SAL_API sal_status sal_identification_channel_quartiles(sal_quartiles *q,
                                                        const sal_identification_result *e,
                                                        bool held, int c, bool nominal,
                                                        sal_err *err);
SAL_API const char *sal_identification_measure_name(sal_identification_measure what);
SAL_API const char *sal_identification_measure_unit(sal_identification_measure what);

SAL_END_C

#endif
