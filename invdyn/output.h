/* output.h: one output at one instant. */
#ifndef SAL_INVDYN_OUTPUT_H
#define SAL_INVDYN_OUTPUT_H

#include "invdyn/invdyn.h"

#define INV_FAR_AWAY 1e10 /* m: no two geoms are farther apart */

/* The earliest stage after which the output is known. */
sal_stage inv_output_stage(const sal_model *m, const sal_output *output);
/* Numbers it has. */
int inv_output_dim(const sal_model *m, const sal_output *output);
/* y [n] of one output; the stages it needs are done; acceleration: a_t [nv]. */
void inv_output_write(const sal_model *m, sal_data *d, const sal_output *output, double *y,
                      const double *acceleration);

/* v_t or a_t itself. */
bool inv_output_is_variable(const sal_output *output);

/* Of a driven motion: known with what drives it only. */
bool inv_output_is_driven(const sal_output *output);

/* Where the Jacobian of an output by (q_t, v_t, a_t) goes, [n x nv] by rows. */
typedef struct inv_output_jacobian {
    double *q, *v, *a;
} inv_output_jacobian;

/* Whether its exact derivatives are known; those of forces unless sal_inverse_discrete_deriv says no. */
bool inv_output_has_deriv(const sal_model *m, const sal_output *output);
/* Writes them as far as the output's stage depends on them; false: not at this state. What inv_output_write needs is done; a_t [nv]. */
bool inv_output_deriv(const sal_model *m, sal_data *d, const sal_output *output,
                      inv_output_jacobian D, const double *acceleration);

/* ---- contacts as forces in the world (output_contact.c) ---- */

/* SAL_OUT_CONTACT, SAL_OUT_PRESSURE, and their exact derivatives by (q_t, v_t, qacc); false where contacts have none. */
void inv_output_contact(const sal_model *m, const sal_data *d, const sal_output *output,
                        double y[3]);
void inv_output_pressure(const sal_model *m, const sal_data *d, const sal_output *output,
                         double y[2]);
bool inv_output_contact_deriv(const sal_model *m, const sal_data *d, const sal_output *output,
                              inv_output_jacobian D);
bool inv_output_pressure_deriv(const sal_model *m, const sal_data *d, const sal_output *output,
                               inv_output_jacobian D);

/* D [n x nv] += scale times how n of x, y, z of a point, fixed to the body and about the centre of its tree, move with q. */
void inv_place_deriv(const sal_model *m, const sal_data *d, double *D, int n, double scale,
                     const double arm[3], int body);

#endif
