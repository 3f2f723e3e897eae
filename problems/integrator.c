#include "problems/integrator.h"

#include <stdio.h>

/* The steps of implicit integrators take the actuators' slopes into account. Where these depend on
 * ctrl, or on whether the force is at its limit, the force of a motion does not follow from the
 * motion alone. */
static bool slope_depends_on_ctrl(const sal_model *m, int i)
{
    const double *g = m->actuator_gainprm + 10 * i, *b = m->actuator_biasprm + 10 * i;
    const bool by_length = m->opt.integrator == SAL_INT_DISCRETE; /* as well as by velocity */
    const bool gain =
        m->actuator_gaintype[i] != SAL_GAIN_FIXED &&
        (m->actuator_gaintype[i] != SAL_GAIN_AFFINE || g[2] != 0 || (by_length && g[1] != 0));
    const bool bias =
        m->actuator_biastype[i] != SAL_BIAS_NONE &&
        (m->actuator_biastype[i] != SAL_BIAS_AFFINE || b[2] != 0 || (by_length && b[1] != 0));
    return gain || (bias && m->actuator_forcelimited[i] && m->mujoco != SAL_MUJOCO_222);
}

bool prb_integrator_is_invertible(const sal_model *m, char why[300])
{
    if (m->opt.integrator == SAL_INT_RK4) {
        snprintf(why, 300,
                 "the model's integrator RK4 has no inverse (each of its steps takes four "
                 "evaluations of the dynamics)");
        return false;
    }
    for (int i = 0; i < m->nu && m->opt.integrator != SAL_INT_EULER; i++) {
        if (slope_depends_on_ctrl(m, i)) {
            char actuator[SAL_LABEL_MAX];
            snprintf(why, 300,
                     "the model's integrator %s has no inverse with %s, because its "
                     "damping depends on its control or its forcerange",
                     sal_integrator_name(m->opt.integrator),
                     sal_model_label(m, SAL_OBJ_ACTUATOR, i, actuator));
            return false;
        }
    }
    return true;
}

const char *prb_left_out_of_inverse(const sal_model *m)
{
    return m->opt.noslip_iterations > 0
               ? "noslip_iterations of the model are left out: their friction, which does not "
                 "slip, "
                 "follows from no motion, so the inverse dynamics have the friction of the soft "
                 "constraints"
               : NULL;
}
