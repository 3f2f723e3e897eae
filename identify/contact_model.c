/* contact_model.c: contact models other than soft in a fit.
 *
 * Their numbers are those of the model as its file says, whatever parameters are estimated: kappa,
 * where the file does not give it, by the masses there and the time step of the recording.
 *
 * At softness s, X(s) = X_own (X_soft / X_own)^s for the barrier and what bounds it. With W the
 * weight of all that moves, a body at rest on four points would hover 2 cm above the floor at
 * s = 1; `lift` makes up for it, so that it stays where it is with its own kappa:
 *
 *     kappa_soft = W/4 x .02 m (hard: times h)       lift = 4 (kappa(s) - kappa)/W
 *     friction begins to slip at 1 m/s, no impulse is stiffer than that of the weight, R is 3
 */
#include "identify/fit.h"

#include <math.h>

static const double soft_height = 0.02, soft_regulariser = 3;
/* of hard, over the impulse of the weight in a step */
static const double soft_firmest = 1, soft_slip = 1;
static const double points = 4;

static double between(double own, double soft, double s)
{
    return own * pow(soft / own, s);
}

/* of_step: what the weight does, in a step where the barrier is one of impulses */
static void soften(sal_contact_option *o, double of_step, double s)
{
    const double own = o->kappa;
    o->kappa_slip = between(own, fmax(soft_slip * of_step, own), s);
    o->kappa = between(own, fmax(of_step / points * soft_height, own), s);
    o->lift = points * (o->kappa - own) / of_step;
    o->firmest = between(o->firmest, fmin(soft_firmest * of_step, o->firmest), s);
    o->regulariser[0] = between(o->regulariser[0], soft_regulariser, s);
    o->regulariser[1] = fmax(o->regulariser[0], o->regulariser[1]);
}

sal_status idn_contact_give(const sal_problem *p, sal_model *m, double softness, sal_err *err)
{
    sal_model file = *p->model;
    sal_contact_option o;
    if (p->contact_model == SAL_CONTACT_SOFT) {
        return SAL_OK;
    }
    file.opt.timestep = m->opt.timestep;
    sal_contact_defaults(&o, &file, p->contact_model);
    o.kappa = isnan(p->kappa) ? o.kappa : p->kappa;
    o.reach = p->reach;
    if (softness > 0) {
        const bool of_impulse = p->contact_model == SAL_CONTACT_HARD;
        soften(&o, prb_weight(&file) * (of_impulse ? file.opt.timestep : 1), softness);
    }
    return sal_model_contact(m, &o, err);
}

sal_status idn_soften(const idn_fit *fit, sal_model *m, double *own, sal_err *err)
{
    if (fit->p->contact_model == SAL_CONTACT_SOFT) {
        idn_contact_soften(m, fit->stage->softness, own);
        return SAL_OK;
    }
    return idn_contact_give(fit->p, m, fit->stage->softness, err);
}

void idn_harden(const idn_fit *fit, sal_model *m, const double *own)
{
    sal_err ignored; /* it had its own numbers before */
    if (fit->p->contact_model == SAL_CONTACT_SOFT) {
        idn_contact_restore(m, fit->stage->softness, own);
    } else {
        idn_contact_give(fit->p, m, 0, &ignored);
    }
}
