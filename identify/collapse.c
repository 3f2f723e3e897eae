/* collapse.c: masses that have almost vanished. Against forces that are known a mass can be told;
 * but a norm that forgives what it does not explain (Cauchy, Huber), and steps that are longer than
 * the mechanics allow, may prefer a mechanism that hardly resists: then nothing is left to explain.
 */
#include "identify/fit.h"

#include <string.h>

static const double MANY = 5; /* times lighter than where it started */
static const double LONG = 2; /* steps of the model in one of the fit */

static bool is_forgiving(const idn_fit *fit)
{
    return fit->stage->norm.kind != SAL_NORM_QUADRATIC;
}

void idn_collapse_say(const idn_fit *fit, const sal_identification_result *e, sal_text *out)
{
    const double step = fit->data->recording[fit->of[0].recording].dt / fit->substeps,
                 own = fit->p->model->opt.timestep;
    for (int k = 0; k < e->nparameter && fit->knows_forces && out->length == 0; k++) {
        const sal_identification_parameter *p = e->parameter + k;
        if (strcmp(p->unit, "kg") != 0 || !p->free || !(p->value * MANY < p->initial)) {
            continue;
        }
        sal_text_format(out,
                        "'%s' fell from %.3g to %.3g kg, though forces are known: is it so light? "
                        "A mechanism that hardly resists leaves little to explain.",
                        p->name, p->initial, p->value);
        if (is_forgiving(fit)) {
            sal_text_add(out, " Compare with norm=\"quadratic\", which doubts no force.");
        }
        if (step > LONG * own) {
            sal_text_format(
                out,
                " And compare with shorter steps: those of the fit are %.3g s, those of "
                "the model %.3g s; substeps=\"%.0f\" makes them equal.",
                step, own, fit->substeps * step / own);
        }
    }
}
