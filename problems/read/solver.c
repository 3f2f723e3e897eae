#include "problems/language/reader.h"
#include "problems/quantity.h"
#include "problems/softening_schedule.h"

#include <math.h>
#include <string.h>

/* "soft final", or one number for both; NaN where nothing is given */
static void read_ramp(const sal_xml *smoothing, const char *name, prb_ramp *ramp)
{
    double value[2];
    const char *text = prb_grammar_text("smoothing", smoothing, name);
    const int n = text == NULL || strcmp(text, "2h") == 0
                      ? 0
                      : prb_grammar_reals("smoothing", smoothing, name, value, 2);
    ramp->soft = n < 1 ? (double)NAN : value[0];
    ramp->final = n < 1 ? (double)NAN : value[n - 1];
}

static void read_smoothing(prb_reader *r)
{
    const sal_xml *smoothing = prb_reader_element(r, "smoothing");
    const char *timeconst = prb_grammar_text("smoothing", smoothing, "timeconst");
#define READ_RAMP(name) read_ramp(smoothing, #name, &r->p->smoothing.name);
    PRB_SMOOTHING_LIST(READ_RAMP)
#undef READ_RAMP
    r->p->smoothing.timeconst_tied = timeconst != NULL && strcmp(timeconst, "2h") == 0;
}

/* Terms about sensors that only differences can differentiate. */
static void check_twins(prb_reader *r, const sal_xml *solver)
{
    const sal_problem *p = r->p;
    for (int k = 0; k < p->nterm; k++) {
        const prb_feature *f = &p->term[k].feature;
        if (prb_quantity_of(f)->object == PRB_OBJECT_SENSOR && f->nobject > 0 &&
            !sal_sensor_has_deriv(p->model, f->object[0])) {
            sal_diag_error(r->diag, prb_reader_place(solver, "derivatives"),
                           "use derivatives=\"auto\", which takes finite differences where needed",
                           "the sensor '%s' of term '%s' has no analytic derivatives",
                           sal_model_name(p->model, SAL_OBJ_SENSOR, f->object[0]), f->name);
        }
    }
}

/* What only a problem of motion can ask for, and `soft` alone can do */
static void check_soft_only(prb_reader *r, const sal_xml *solver)
{
    const sal_problem *p = r->p;
    const char *name = sal_contact_model_name(p->contact_model);
    if (p->contact_model == SAL_CONTACT_SOFT) {
        return;
    }
    if (!p->contact_table) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contact"),
                       "leave out contact=\"model\", or use contactmodel=\"soft\"",
                       "contact=\"model\" asks for the contacts of the model's file, which are "
                       "soft, but contactmodel is \"%s\"",
                       name);
    }
    if (p->finish != PRB_FINISH_NONE) {
        sal_diag_error(r->diag, prb_reader_place(solver, "finish"),
                       "leave out finish, or use contactmodel=\"soft\"",
                       "finish brings the motion into the contacts of the model's file, which are "
                       "soft, but contactmodel is \"%s\"",
                       name);
    }
}

static void check_contact_model(prb_reader *r, const sal_xml *solver)
{
    const sal_problem *p = r->p;
    const char *name = sal_contact_model_name(p->contact_model);
    if (!sal_contact_model_is_invertible(p->contact_model)) {
        sal_diag_error(
            r->diag, prb_reader_place(solver, "contactmodel"),
            "use contactmodel=\"soft\", \"logbarrier\", \"convex\" or \"hard\"; saltus simulate "
            "and saltus inverse take --contact-model with any of them",
            "the contact model \"%s\" has no inverse that a search can follow: its "
            "forces do not follow from the motion",
            name);
    }
    if (p->contact_model != SAL_CONTACT_SOFT && p->model != NULL &&
        p->model->opt.integrator != SAL_INT_EULER) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contactmodel"),
                       "add <override path=\"option/integrator\" value=\"Euler\"/>",
                       "the contact model \"%s\" needs the integrator Euler; the model's file has "
                       "another",
                       name);
    }
    if (p->contact_model != SAL_CONTACT_SOFT && p->model != NULL && p->model->nsurfacevel > 0) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contactmodel"),
                       "use contactmodel=\"soft\"",
                       "the contact model \"%s\" knows no surfaces that move, and the model has "
                       "geoms with surfacevel",
                       name);
    }
    if (p->contact_model != SAL_CONTACT_SOFT && p->model != NULL && p->model->nadhesion > 0) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contactmodel"),
                       "use contactmodel=\"soft\"",
                       "the contact model \"%s\" knows no contacts that stick, and the model has "
                       "geoms or pairs with adhesion",
                       name);
    }
}

static double real_or_nan(const sal_xml *solver, const char *name)
{
    return prb_grammar_text("solver", solver, name) == NULL
               ? (double)NAN
               : prb_grammar_real("solver", solver, name);
}

void prb_read_contact_model(prb_reader *r)
{
    sal_problem *p = r->p;
    const sal_xml *solver = prb_reader_element(r, "solver");
    p->contact_model = prb_grammar_choice("solver", solver, "contactmodel");
    p->reach = real_or_nan(solver, "reach");
    p->kappa = real_or_nan(solver, "kappa");
    check_contact_model(r, solver);
}

void prb_read_solver(prb_reader *r)
{
    sal_problem *p = r->p;
    const sal_xml *solver = prb_reader_element(r, "solver");
    sal_optim_defaults(&p->optim);
    p->optim.maxiter = (int)prb_grammar_whole("solver", solver, "maxiter");
    p->optim.maxtime = prb_grammar_real("solver", solver, "maxtime");
    p->optim.tolerance = prb_grammar_real("solver", solver, "tolerance");
    p->optim.cap = prb_grammar_real("solver", solver, "cap");
    p->optim.increments = (int)prb_grammar_whole("solver", solver, "increments");
    p->optim.step = (sal_step_method)prb_grammar_choice("solver", solver, "step");
    p->optim.factor = (sal_factor_method)prb_grammar_choice("solver", solver, "factor");
    p->optim.softness = prb_grammar_real("solver", solver, "softness");
    p->contact_table = prb_grammar_choice("solver", solver, "contact") == 0;
    p->finish = (prb_finish)prb_grammar_choice("solver", solver, "finish");
    p->derivatives = (sal_derivatives)prb_grammar_choice("solver", solver, "derivatives");
    p->differences = (sal_differences)prb_grammar_choice("solver", solver, "differences");
    read_smoothing(r);
    prb_read_contact_model(r);
    check_soft_only(r, solver);
    if (r->diag->nerror == 0 && p->model != NULL) {
        const sal_xml *time = prb_reader_element(r, "time");
        prb_smoothing_defaults(p, prb_grammar_real("time", time, "duration"));
        if (p->derivatives == SAL_DERIV_ANALYTIC) {
            check_twins(r, solver);
        }
    }
}
