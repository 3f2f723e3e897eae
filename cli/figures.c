#include "cli/figures.h"

#include "problems/problem.h"

#include <math.h>

/* ---- lines or members ---- */

void cli_figures_begin(cli_figures *f, bool as_json)
{
    *f = (cli_figures){.as_json = as_json};
    f->json = (sal_json){.out = &f->text, .lines = true};
    if (as_json) {
        sal_json_object(&f->json, NULL);
    }
}

void cli_figures_number(cli_figures *f, const char *name, double value, const char *unit)
{
    if (f->as_json) {
        sal_json_number(&f->json, name, value);
    } else {
        sal_text_format(&f->text, "%-14s %.6g%s%s\n", name, value, unit[0] == 0 ? "" : " ", unit);
    }
}

void cli_figures_integer(cli_figures *f, const char *name, long long value)
{
    if (f->as_json) {
        sal_json_integer(&f->json, name, value);
    } else {
        sal_text_format(&f->text, "%-14s %lld\n", name, value);
    }
}

void cli_figures_text(cli_figures *f, const char *name, const char *value)
{
    if (f->as_json) {
        sal_json_string(&f->json, name, value);
    } else {
        sal_text_format(&f->text, "%-14s %s\n", name, value);
    }
}

int cli_figures_print(cli_figures *f, const cli_arguments *a)
{
    if (f->as_json) {
        sal_json_end(&f->json);
        sal_text_add(&f->text, "\n");
    }
    const int code = cli_write(a, &f->text, NULL);
    sal_text_clear(&f->text);
    return code;
}

/* ---- models ---- */

static double moving_mass(const sal_model *m)
{
    double mass = 0;
    for (int b = 0; b < m->nbody; b++) {
        mass += m->body_weldid[b] == 0 ? 0 : m->body_mass[b];
    }
    return mass;
}

void cli_figures_model(cli_figures *f, const sal_model *m)
{
    cli_figures_integer(f, "nq", m->nq);
    cli_figures_integer(f, "nv", m->nv);
    cli_figures_integer(f, "nu", m->nu);
    cli_figures_integer(f, "nbody", m->nbody);
    cli_figures_integer(f, "njnt", m->njnt);
    cli_figures_integer(f, "ngeom", m->ngeom);
    cli_figures_integer(f, "npair", m->npair);
    cli_figures_integer(f, "nsensor", m->nsensor);
    cli_figures_number(f, "mass", moving_mass(m), "kg");
    cli_figures_number(f, "timestep", m->opt.timestep, "s");
    cli_figures_text(f, "integrator", sal_integrator_name(m->opt.integrator));
    if (m->opt.contact.model != SAL_CONTACT_SOFT) {
        cli_figures_text(f, "contact_model", sal_contact_model_name(m->opt.contact.model));
        if (sal_contact_model_is_invertible(m->opt.contact.model)) {
            cli_figures_number(f, "kappa", m->opt.contact.kappa,
                               m->opt.contact.model == SAL_CONTACT_HARD ? "N m s" : "J");
        } else {
            cli_figures_number(f, "weight_equality", m->opt.contact.weight[0], "");
            cli_figures_number(f, "weight_contact", m->opt.contact.weight[1], "");
        }
        cli_figures_number(f, "reach", m->opt.contact.reach, "m");
        if (m->opt.contact.model == SAL_CONTACT_LOGBARRIER && m->opt.contact.firmest > 0) {
            cli_figures_number(f, "vbarrier", m->opt.contact.firmest, "N s");
        }
    }
    if (m->opt.solver != SAL_SOLVER_NEWTON) {
        cli_figures_text(f, "solver", sal_solver_name(m->opt.solver));
    }
    if (m->opt.noslip_iterations > 0) {
        cli_figures_integer(f, "noslip_iterations", m->opt.noslip_iterations);
    }
    cli_figures_text(f, "cone", m->opt.cone == SAL_CONE_ELLIPTIC ? "elliptic" : "pyramidal");
}

/* ---- problems ---- */

static void travel(cli_figures *f, const sal_problem *p)
{
    if (p->image != NULL && p->image->turning >= 0) {
        const bool free = p->turn_range[1] > p->turn_range[0];
        cli_figures_number(f, "turn", p->image->turn, free ? "rad (free)" : "rad");
    }
    switch (p->travel) {
    case PRB_TRAVEL_SPEED:
        cli_figures_number(f, "speed", p->travel_value, "m/s");
        break;
    case PRB_TRAVEL_VALUE:
        cli_figures_number(f, "travel", p->travel_value, "m");
        break;
    case PRB_TRAVEL_FREE:
        cli_figures_text(f, "travel", "free");
        break;
    case PRB_TRAVEL_NONE:
        break;
    }
}

static void term_names(cli_figures *f, const sal_problem *p)
{
    if (f->as_json) {
        sal_json_array(&f->json, "terms");
    } else {
        sal_text_format(&f->text, "%-14s", "terms");
    }
    for (int i = 0; i < p->nterm; i++) {
        if (f->as_json) {
            sal_json_string(&f->json, NULL, p->term[i].feature.name);
        } else {
            sal_text_format(&f->text, " %s", p->term[i].feature.name);
        }
    }
    if (f->as_json) {
        sal_json_end(&f->json);
    } else {
        sal_text_add(&f->text, "\n");
    }
}

/* Of an end's positions and velocities, those that are pinned. */
static int pinned(const sal_problem *p, const prb_endpoint *e)
{
    int n = 0;
    for (int i = 0; i < p->model->nv && e->pos != NULL; i++) {
        n += e->pos[p->model->dof_jntid[i]] + e->vel[p->model->dof_jntid[i]];
    }
    return n;
}

/* Configurations that are variables, in their tangent space, what actuators do, and the globals. */
static int variables(const sal_problem *p)
{
    const int nv = p->model->nv;
    const int inputs =
        !p->driven ? 0 : p->nstep * p->model->nu + (p->boundary == PRB_OPEN ? p->model->na : 0);
    const bool free_duration = p->duration_range[1] > p->duration_range[0];
    const int globals = free_duration + (p->travel == PRB_TRAVEL_FREE);
    if (p->boundary == PRB_CYCLE) {
        const bool turns = p->image->turning >= 0;
        return p->nstep * nv + inputs + globals + (p->turn_range[1] > p->turn_range[0]) -
               (turns ? 2 : 0);
    }
    return (p->nstep + 2) * nv - pinned(p, &p->start) - pinned(p, &p->end) + inputs + globals;
}

/* `seconds` is what their length together is called. */
static void recordings(cli_figures *f, const sal_recordings_size *size, const char *seconds)
{
    cli_figures_integer(f, "recordings", size->nrecording);
    cli_figures_integer(f, "samples", size->nsample);
    cli_figures_number(f, seconds, size->seconds, "s, all recordings together");
    cli_figures_integer(f, "channels", size->nchannel);
}

static void identification(cli_figures *f, const sal_identification_summary *what)
{
    recordings(f, &what->recordings, "duration");
    cli_figures_integer(f, "parameters", what->nparameter);
    cli_figures_integer(f, "locals", what->nlocal);
    cli_figures_integer(f, "stages", what->nstage);
}

static void motion(cli_figures *f, const sal_problem *p)
{
    const bool free_duration = p->duration_range[1] > p->duration_range[0];
    cli_figures_text(f, "boundary",
                     p->boundary == PRB_OPEN ? "open"
                     : p->image->mirrored    ? "mirrored cycle"
                     : p->half != NULL       ? "cycle, first its half with the averaged model"
                                             : "cycle");
    cli_figures_integer(f, "nstep", p->nstep);
    cli_figures_number(f, "duration", p->duration, free_duration ? "s (free)" : "s");
    cli_figures_number(f, "step", p->duration / p->nstep, "s");
    travel(f, p);
    term_names(f, p);
    cli_figures_integer(f, "variables", variables(p));
    cli_figures_integer(f, "starts", p->nstart);
}

void cli_figures_request(cli_figures *f, const sal_request *request)
{
    sal_recordings_size size;
    cli_figures_text(f, "problem", sal_request_name(request));
    cli_figures_text(f, "model", sal_request_model_path(request));
    if (request->identification != NULL) {
        const sal_identification_summary what = sal_identification_sum_up(request->identification);
        identification(f, &what);
        return;
    }
    motion(f, request->motion);
    if (sal_problem_recordings(&size, request->motion)) { /* which it follows */
        recordings(f, &size, "recorded");
    }
}
