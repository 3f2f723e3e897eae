/* contact_model.c: hard contacts in a fit.
 *
 * Their numbers are those of the model as its file says, whatever parameters are estimated: kappa,
 * where the problem does not give it, by the masses there and the time step of the recording.
 *
 * At softness s, X(s) = X_own (X_soft / X_own)^s for the barrier and what bounds it. With I the
 * impulse of the weight of all that moves in a step, a body at rest on four points would hover 2 cm
 * above the floor at s = 1; `lift` makes up for it, so that it stays where it is with its own
 * kappa:
 *
 *     kappa_soft = I/4 x .02 m                lift = 4 (kappa(s) - kappa)/I
 *     kappa_slip_soft = I x 1 m/s             firmest_soft = I
 *
 * An impulse that is larger than changes the velocity of all that moves by .5 m/s grows along its
 * tangent in a fit, microns deeper than the barrier would have it: recordings pass through what is
 * touched by more, and the slope of kappa/gap there lets no search go on.
 */
#include "identify/fit.h"

#include <math.h>

static const double soft_height = 0.02, soft_slip = 1, points = 4;
static const double stopped = 0.5; /* m/s */

static double between(double own, double soft, double s)
{
    return own * pow(soft / own, s);
}

static void soften(sal_contact_option *o, double impulse, double s)
{
    const double own = o->kappa;
    o->kappa_slip = between(own, fmax(soft_slip * impulse, own), s);
    o->kappa = between(own, fmax(impulse / points * soft_height, own), s);
    o->lift = points * (o->kappa - own) / impulse;
    o->firmest = between(o->firmest, fmin(impulse, o->firmest), s);
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
    o.reach = isnan(p->reach) ? o.reach : p->reach;
    o.firmest = fmin(o.firmest, stopped * sal_bulk_mass(&file, 0));
    if (softness > 0) {
        soften(&o, prb_weight(&file) * file.opt.timestep, softness);
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
