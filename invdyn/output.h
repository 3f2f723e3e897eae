/* output.h: one output at one instant. A kind of output is a row of the table in output_table.c and
 * the functions that this row names. */
#ifndef SAL_INVDYN_OUTPUT_H
#define SAL_INVDYN_OUTPUT_H

#include "invdyn/invdyn.h"
#include "physics/abreast/abreast.h"

struct inv_worker;

/* An instant whose stages of inverse dynamics are done. */
typedef struct inv_instant {
    const sal_model *m;
    sal_data *d;
    /* [nv] a_t */
    const double *a;
    /* [2 nu] z_t, then z_{t+1}; NULL: the motion is not driven */
    const double *z;
    /* derivatives of qfrc_inverse; NULL: they are not known yet */
    const phy_abreast_jacobian *force;
} inv_instant;

/* Where the Jacobian of an output by (q_t, v_t, a_t) goes, [n x nv] by rows. */
typedef struct inv_output_jacobian {
    double *q;
    double *v;
    double *a;
} inv_output_jacobian;

/* Outputs that are v_t or a_t itself. */
typedef enum inv_variable { INV_NO_VARIABLE, INV_VELOCITY, INV_ACCELERATION } inv_variable;

/* A kind of output. */
typedef struct inv_output_kind {
    /* The earliest stage after which it is known; where outputs of the kind differ: stage_of. */
    sal_stage stage;
    sal_stage (*stage_of)(const sal_model *m, const sal_output *output);
    /* Numbers it has; where outputs of the kind differ: count. */
    int n;
    int (*count)(const sal_model *m, const sal_output *output);
    /* y [n] at an instant at which the stages it needs are done. */
    void (*write)(const inv_instant *at, const sal_output *output, double *y);
    /* `write` reads coordinates, contacts and forces only: not where bodies are, how they move. */
    bool no_bodies;
    /* Whether exact derivatives are known, else why not; NULL: they are (of forces unless
     * sal_inverse_discrete_deriv says no). */
    bool (*has_deriv)(const sal_model *m, const sal_output *output, sal_err *err);
    /* Writes them as far as its stage depends on them; false: not at this state. What `write` needs
     * is done. NULL: zero or constant (see workspace.c), or all at once in drive.c. */
    bool (*deriv)(const inv_instant *at, const sal_output *output, inv_output_jacobian D);
    /* `deriv` is by qacc: what a_t is to that of the step is still to come. */
    bool by_qacc;
    /* Its derivatives by (q_t, v_t, a_t) are the same at every instant: never by differences. */
    bool constant;
    inv_variable variable;
    /* dy_i / d log h at fixed configurations, but for the laws of force; NULL: -Dv v - 2 Da a */
    double (*by_timestep)(const struct inv_worker *worker, int i);
    /* Of driven motions: dy_i / d (z_t, z_{t+1}) into z [2 nu], zero before; NULL: not driven. */
    void (*by_input)(const sal_model *m, const struct inv_worker *worker, int i, double *z);
} inv_output_kind;

/* The row of the output's kind (output_table.c). */
const inv_output_kind *inv_output_kind_of(const sal_output *output);
sal_stage inv_output_stage(const sal_model *m, const sal_output *output);
int inv_output_dim(const sal_model *m, const sal_output *output);

/* ---- what rows name ---- */

#define INV_OUTPUT_WRITE(name)                                                                     \
    void inv_##name##_write(const inv_instant *at, const sal_output *output, double *y)
#define INV_OUTPUT_DERIV(name)                                                                     \
    bool inv_##name##_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
#define INV_OUTPUT_COUNT(name) int inv_##name##_count(const sal_model *m, const sal_output *output)
#define INV_OUTPUT_STAGE(name)                                                                     \
    sal_stage inv_##name##_stage(const sal_model *m, const sal_output *output)
#define INV_OUTPUT_HAS_DERIV(name)                                                                 \
    bool inv_##name##_has_deriv(const sal_model *m, const sal_output *output, sal_err *err)

/* where things are (output_place.c) */
INV_OUTPUT_COUNT(joint);
INV_OUTPUT_WRITE(joint);
INV_OUTPUT_DERIV(joint);
INV_OUTPUT_WRITE(point);
INV_OUTPUT_DERIV(point);
INV_OUTPUT_WRITE(place);
INV_OUTPUT_DERIV(place);
INV_OUTPUT_WRITE(place_velocity);
INV_OUTPUT_DERIV(place_velocity);
INV_OUTPUT_WRITE(quat);
INV_OUTPUT_DERIV(quat);
/* D [n x nv] += scale times how n of x, y, z of a point, fixed to the body and about the centre of
 * its tree, move with q. */
void inv_body_place_deriv(const sal_model *m, const sal_data *d, double *D, int n, double scale,
                          const double arm[3], int body);

/* contacts as forces in the world (output_contact.c) */
INV_OUTPUT_WRITE(normal);
INV_OUTPUT_DERIV(normal);
INV_OUTPUT_WRITE(contact);
INV_OUTPUT_DERIV(contact);
INV_OUTPUT_WRITE(pressure);
INV_OUTPUT_DERIV(pressure);

/* what the physics has computed (output_data.c) */
INV_OUTPUT_COUNT(dof);
INV_OUTPUT_COUNT(actuator);
INV_OUTPUT_COUNT(input);
INV_OUTPUT_WRITE(force);
INV_OUTPUT_DERIV(force);
INV_OUTPUT_WRITE(velocity);
INV_OUTPUT_WRITE(acceleration);
INV_OUTPUT_WRITE(actuation);
INV_OUTPUT_WRITE(actuator_force);
INV_OUTPUT_WRITE(control);
INV_OUTPUT_WRITE(input);
INV_OUTPUT_STAGE(sensor);
INV_OUTPUT_COUNT(sensor);
INV_OUTPUT_WRITE(sensor);
INV_OUTPUT_HAS_DERIV(sensor);
INV_OUTPUT_DERIV(sensor);
INV_OUTPUT_WRITE(distance);
INV_OUTPUT_DERIV(distance);
INV_OUTPUT_STAGE(bulk);
INV_OUTPUT_WRITE(bulk);
INV_OUTPUT_DERIV(bulk);
INV_OUTPUT_STAGE(energy);
INV_OUTPUT_WRITE(energy);
INV_OUTPUT_HAS_DERIV(energy);
INV_OUTPUT_DERIV(energy);
INV_OUTPUT_WRITE(tendon);
INV_OUTPUT_DERIV(tendon);
INV_OUTPUT_WRITE(tendon_velocity);
INV_OUTPUT_DERIV(tendon_velocity);
INV_OUTPUT_WRITE(actuator_velocity);
INV_OUTPUT_DERIV(actuator_velocity);

#endif
