/* settings.h: parameters and motions from recordings; private to identify/ See fit.c. */
#ifndef SAL_IDENTIFY_SETTINGS_H
#define SAL_IDENTIFY_SETTINGS_H

#include "identify/parameter.h"
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

/* Estimates what a problem of identification is about. A result whatever it came to. */
sal_status idn_solve(sal_result **result, const sal_problem *p, int nthread, const sal_watch *watch,
                     sal_err *err);
void idn_settings_free(idn_settings *e);

#endif
