/* collapse.c: parameters that went far from where they started.
 *
 * Masses that have almost vanished: against forces that are known a mass can be told; but a norm
 * that forgives what it does not explain (Cauchy, Huber), and steps that are longer than the
 * mechanics allow, may prefer a mechanism that hardly resists: then nothing is left to explain.
 *
 * Where the fit is poor, any that is many times what it was: friction that stops whatever slides,
 * dampers without effect.
 */
#include "identify/fit.h"

#include <math.h>
#include <string.h>

static const double MANY = 5;   /* times lighter than where it started */
static const double FAR = 10;   /* times larger, or smaller, than where it started */
static const double POOR = 1.5; /* residuals over sigmas */
static const double LONG = 2;   /* steps of the model in one of the fit */

static bool is_forgiving(const idn_fit *fit)
{
    return fit->stage->norm.kind != SAL_NORM_QUADRATIC;
}

static bool has_vanished(const idn_fit *fit, const sal_identification_parameter *p)
{
    return fit->knows_forces && strcmp(p->unit, "kg") == 0 && p->value * MANY < p->initial;
}

static bool went_far(const sal_identification_result *e, const sal_identification_parameter *p)
{
    const double ratio = p->value / p->initial;
    return e->freedom > 0 && sqrt(e->chi2 / e->freedom) > POOR && strcmp(p->map, "log") == 0 &&
           (ratio > FAR || ratio * FAR < 1);
}

/* What to compare with. */
static void put_advice(const idn_fit *fit, sal_text *out)
{
    const double step = fit->data->recording[fit->of[0].recording].dt / fit->substeps,
                 own = fit->p->model->opt.timestep;
    if (is_forgiving(fit)) {
        sal_text_add(out, " Compare with norm=\"quadratic\", which doubts no force.");
    }
    if (step > LONG * own) {
        sal_text_format(out,
                        " Compare with shorter steps: those of the fit are %.3g s, those of the "
                        "model %.3g s; substeps=\"%.0f\" makes them equal.",
                        step, own, fit->substeps * step / own);
    }
}

void idn_collapse_say(const idn_fit *fit, const sal_identification_result *e, sal_text *out)
{
    for (int k = 0; k < e->nparameter && out->length == 0; k++) {
        const sal_identification_parameter *p = e->parameter + k;
        if (p->free && has_vanished(fit, p)) {
            sal_text_format(out,
                            "'%s' fell from %.3g to %.3g kg, though forces are known: is it so "
                            "light? A mechanism that hardly resists leaves little to explain.",
                            p->name, p->initial, p->value);
            put_advice(fit, out);
        } else if (p->free && went_far(e, p)) {
            sal_text_format(out,
                            "'%s' went from %.3g to %.3g, and the fit is poor: do not trust it. "
                            "Begin elsewhere, or give it a prior.",
                            p->name, p->initial, p->value);
            put_advice(fit, out);
        }
    }
}
