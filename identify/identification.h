/* settings.h: parameters and motions from recordings; private to identify/ See fit.c. */
#ifndef SAL_IDENTIFY_IDENTIFICATION_H
#define SAL_IDENTIFY_IDENTIFICATION_H

#include "identify/identify.h"
#include "identify/parameter.h"
#include "problems/language/reader.h"
#include "problems/recordings/data.h"

/* One stage of the continuation, from a soft and forgiving world to the final one. */
typedef struct idn_stage {
    /* of contacts: 1 soft .. 0 the model's own */
    double softness;
    /* of what no force explains */
    double sigma;
    /* of that, over sigma */
    sal_norm norm;
    /* accelerations are held small instead: no forces */
    bool kinematic;
    /* of a sample */
    int substeps;
    int maxiter;
    /* relative decrease of the cost that ends it */
    double tolerance;
    /* [nparameter] which are estimated */
    bool *freed;
} idn_stage;

typedef struct idn_settings {
    /* configurations are the data's, interpolated */
    bool fixed;
    /* sigma in N and N m, else in m/s^2 of the mass that a dof moves */
    bool in_force;
    /* [nv] of a dof's sigma: over that of the stages; whether it is in N and N m in any case */
    double *relative;
    bool *as_force;
    /* share of the recordings that is left out */
    double holdout;
    unsigned long seed;
    /* recordings of the fit are predicted, too */
    bool roll_all;
    /* samples from which a held-out recording's first state is estimated, at most */
    int predict;
    /* how standard errors are found beside the sandwich; of a bootstrap: how often it fits anew */
    sal_identification_resampling errors;
    int resamples;
    int nstage;
    idn_stage *stage;
} idn_settings;

struct sal_identification {
    /* What a problem of motion has as well: name, files, model with its contact model, recordings.
     * Of time, boundary, cost and start it has nothing. */
    sal_problem *base;
    idn_parameters *parameters;
    idn_settings *settings;
};

/* ---- clusters.c ---- */

/* The cluster of each recording, cluster [nrecording], counted from 0 in the order in which they
 * appear; returns how many there are. */
int idn_clusters(const prb_dataset *data, int *cluster);
/* How many of them the settings leave out of the fit: all but one at most. */
int idn_clusters_held(const idn_settings *e, int ncluster);

/* ---- the parts of a file; each reads into i what stands in r ---- */

void idn_read_parameters(prb_reader *r, sal_identification *i); /* read_parameter.c */
/* After recordings and parameters (read_settings.c). */
void idn_read_settings(prb_reader *r, sal_identification *i);
/* The sigmas of joints, relative to the one of the last stage (read_sigma.c). */
void idn_read_sigmas(prb_reader *r, idn_settings *e, const sal_xml *element, double sigma);
/* <solver>: the contact model, which the base's model then has. Last (read_contact_model.c). */
void idn_read_contact_model(prb_reader *r);

/* ---- actuator_sensors.c ---- */

/* Of a sensor that reads actuators, the actuator or, of a jointactuatorfrc, the dof; -1: it is no
 * channel. */
int idn_actuator_reading(const sal_model *m, int sensor);
/* Whether there are channels of such sensors; complains of those that cannot be. */
bool idn_check_actuator_sensors(prb_reader *r, const sal_xml *element);

/* ---- contact_model.c ---- */

/* Gives m the problem's contact model, as soft as a stage says; a soft one is left alone. */
sal_status idn_contact_give(const sal_problem *p, sal_model *m, double softness, sal_err *err);

void idn_settings_free(idn_settings *settings);

#endif
