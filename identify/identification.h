/* settings.h: parameters and motions from recordings; private to identify/ See fit.c. */
#ifndef SAL_IDENTIFY_IDENTIFICATION_H
#define SAL_IDENTIFY_IDENTIFICATION_H

#include "identify/identify.h"
#include "identify/parameter.h"
#include "problems/language/reader.h"
#include "problems/recordings/data.h"

/* One stage of the continuation, from a soft and forgiving world to the final one. */
typedef struct idn_stage {
    double softness; /* of contacts: 1 soft .. 0 the model's own */
    double sigma;    /* of what no force explains */
    sal_norm norm;   /* of that, over sigma */
    bool kinematic;  /* accelerations are held small instead: no forces */
    int substeps;    /* of a sample */
    int maxiter;
    double tolerance; /* relative decrease of the cost that ends it */
    bool *freed;      /* [nparameter] which are estimated */
} idn_stage;

typedef struct idn_settings {
    bool fixed;     /* configurations are the data's, interpolated */
    bool in_force;  /* sigma in N and N m, else in m/s^2 of the mass that a dof moves */
    double holdout; /* share of the recordings that is left out */
    unsigned long seed;
    bool roll_all; /* recordings of the fit are predicted, too */
    int predict;   /* samples from which a held-out recording's first state is estimated, at most */
    int nstage;
    idn_stage *stage;
} idn_settings;

struct sal_identification {
    /* What a problem of motion has as well: name, files, model, recordings. Of time, boundary, cost and
     * start it has nothing. */
    sal_problem *base;
    idn_parameters *parameters;
    idn_settings *settings;
};

/* ---- the parts of a file; each reads into i what stands in r ---- */

void idn_read_parameters(prb_reader *r, sal_identification *i); /* read_parameter.c */
/* After recordings and parameters (read_settings.c). */
void idn_read_settings(prb_reader *r, sal_identification *i);
void idn_settings_free(idn_settings *settings);

#endif
