/* parameter.h: what is identified of a model; private to identify/
 *
 * A parameter is a few numbers v that stand in the model's file (or say how a channel measures).
 * What an optimizer varies is u, one number for each of v:
 *     linear  v = u      log  v = e^u      bounded  v = lo + (hi - lo) / (1 + e^-u)
 *     inertia of a body: ten numbers that are free while the body stays physical, see
 *         parameter_inertia.c
 * v says an attribute itself, or what its nominal number in the file is multiplied by, or what is
 * added to it; of one or of several attributes.
 */
#ifndef SAL_IDENTIFY_PARAMETER_H
#define SAL_IDENTIFY_PARAMETER_H

#include "identify/identify.h"
#include "problems/recordings/data.h"

typedef enum idn_map { IDN_MAP_LINEAR, IDN_MAP_LOG, IDN_MAP_BOUNDED, IDN_MAP_INERTIA } idn_map;
typedef enum idn_parameter_as { IDN_AS_VALUE, IDN_AS_SCALE, IDN_AS_OFFSET } idn_parameter_as;
typedef enum idn_channel_field {
    IDN_CHANNEL_OFFSET,
    IDN_CHANNEL_SCALE,
    IDN_CHANNEL_DELAY
} idn_channel_field;

/* Where a parameter goes. */
typedef struct idn_target {
    /* kind[name]/attribute, without a component */
    char *path;
    /* index; -1: of the model */
    int channel;
    idn_channel_field field;
    /* number of the attribute in the remodel */
    int loose;
    /* its numbers from first on */
    int first, n;
} idn_target;

typedef struct idn_parameter {
    char *name;
    /* numbers */
    int n;
    /* one for each recording */
    bool local;
    /* of its numbers among the shared, or the local ones */
    int adr;
    idn_map map;
    idn_parameter_as as;
    /* [n] where it starts; infinite: not bounded */
    double *value, *lower, *upper;
    double *prior,
        /* [n] of the value (of its logarithm where the map is; inertia: of u); sigma 0: none */
        *prior_sigma;
    /* [n] what the model's file says */
    double *nominal;
    char unit[16];
    /* [ntarget] */
    idn_target *target;
    int ntarget;
} idn_parameter;

typedef struct idn_parameters {
    int nparameter;
    int nshared;
    int nlocal;
    idn_parameter *parameter;
    /* of the model's file, all that is identified loose; not to be set: workers copy it */
    sal_remodel *remodel;
} idn_parameters;

void idn_parameters_free(idn_parameters *ps);

/* The parameter that has this number among the shared (or local) ones; *k: which of its numbers. */
const idn_parameter *idn_parameters_of(const idn_parameters *ps, bool local, int i, int *k);
/* The name of its k-th number: that of the parameter where it is the only one. */
void idn_parameter_number_name(const idn_parameter *p, int k, char *out, size_t size);

/* ---- parameter.c: u and v ---- */

/* Where all start: u of the shared [nshared] and the local ones [nlocal]; either may be NULL. */
void idn_parameters_start(const idn_parameters *ps, double *shared, double *local);
/* u of what the model's file says [nshared]; of the start, where that has none (0 of a logarithm,
 * what is beyond bounds). */
void idn_parameters_nominal(const idn_parameters *ps, double *shared);
/* v from u, of the shared, or the local ones. */
void idn_parameters_values(const idn_parameters *ps, double *value, const double *shared);
void idn_parameters_local_values(const idn_parameters *ps, double *value, const double *local);
/* dv/du [nshared x nshared] by rows, at u: blocks of one number, and of ten for an inertia. */
void idn_parameters_slope(const idn_parameters *ps, double *slope, const double *shared);
/* Of u: bounds; and the mean and the weight 1/sigma^2 (0: none) of its prior. [nshared] or
 * [nlocal] */
void idn_parameters_bounds(const idn_parameters *ps, bool local, double *lower, double *upper);
void idn_parameters_prior(const idn_parameters *ps, bool local, double *mean, double *weight);

/* Of one parameter, [n]. */
void idn_parameter_values(const idn_parameter *p, double *value, const double *u);
void idn_parameter_coordinates(const idn_parameter *p, double *u, const double *value);

/* ---- parameter_inertia.c ---- */

/* v: mass, centre of mass 3, inertia about it xx yy zz xy xz yz; u: Rucker and Wensing's
 * log-Cholesky numbers. False where the body is not physical, or so thin that it has no such
 * numbers. */
bool idn_inertia_coordinates(double u[10], const double v[10]);
void idn_inertia_values(double v[10], const double u[10]);
/* dv/du [10 x 10] by rows */
void idn_inertia_slope(double slope[100], const double u[10]);

/* ---- parameter_apply.c: u becomes a model ---- */

/* Of one worker. */
typedef struct idn_parameters_work idn_parameters_work;
sal_status idn_parameters_work_new(idn_parameters_work **out, const idn_parameters *ps,
                                   sal_err *err);
void idn_parameters_work_free(idn_parameters_work *work);
/* The file with the numbers of the last model. */
const sal_remodel *idn_parameters_work_remodel(const idn_parameters_work *work);
/* m, a copy of the problem's model, becomes the model with these u, whatever it was before: bit for
 * bit what a file with these numbers would give. local may be NULL where there are none.
 * SAL_DIVERGED, m unchanged, where there is no such model (a negative size, ..). */
sal_status idn_parameters_apply(const idn_parameters *ps, idn_parameters_work *work, sal_model *m,
                                const double *shared, const double *local, sal_err *err);
/* How the channels measure: [nchannel] each. */
void idn_parameters_channels(const idn_parameters *ps, const prb_dataset *data,
                             const double *shared, const double *local, double *scale,
                             double *offset, double *delay);

/* ---- identified_model.c ---- */

/* The text of the user's model file in which only what was identified has changed: e's values (of
 * the model's; what each recording has of its own stays), with their standard errors as comments.
 * Overrides and sensors of the problem are not in it. */
sal_status idn_identified_model(const sal_identification *i, const sal_identification_result *found,
                                sal_text *out, sal_err *err);

#endif
