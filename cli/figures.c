#include "cli/figures.h"

#include <math.h>

/* ---- lines or members ---- */

void sal_figures_begin(sal_figures *f, bool as_json)
{
    *f = (sal_figures){.as_json = as_json};
    f->json = (sal_json){.out = &f->text, .lines = true};
    if (as_json) {
        sal_json_object(&f->json, NULL);
    }
}

void sal_figures_number(sal_figures *f, const char *name, double value, const char *unit)
{
    if (f->as_json) {
        sal_json_number(&f->json, name, value);
    } else {
        sal_text_format(&f->text, "%-14s %.6g%s%s\n", name, value, unit[0] == 0 ? "" : " ", unit);
    }
}

void sal_figures_integer(sal_figures *f, const char *name, long long value)
{
    if (f->as_json) {
        sal_json_integer(&f->json, name, value);
    } else {
        sal_text_format(&f->text, "%-14s %lld\n", name, value);
    }
}

void sal_figures_text(sal_figures *f, const char *name, const char *value)
{
    if (f->as_json) {
        sal_json_string(&f->json, name, value);
    } else {
        sal_text_format(&f->text, "%-14s %s\n", name, value);
    }
}

int sal_figures_print(sal_figures *f, const sal_arguments *a)
{
    if (f->as_json) {
        sal_json_end(&f->json);
        sal_text_add(&f->text, "\n");
    }
    const int code = sal_cli_write(a, &f->text, NULL);
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

void sal_figures_model(sal_figures *f, const sal_model *m)
{
    static const char *const integrator[] = {"Euler", "RK4", "implicit", "implicitfast"};
    sal_figures_integer(f, "nq", m->nq);
    sal_figures_integer(f, "nv", m->nv);
    sal_figures_integer(f, "nu", m->nu);
    sal_figures_integer(f, "nbody", m->nbody);
    sal_figures_integer(f, "njnt", m->njnt);
    sal_figures_integer(f, "ngeom", m->ngeom);
    sal_figures_integer(f, "npair", m->npair);
    sal_figures_integer(f, "nsensor", m->nsensor);
    sal_figures_number(f, "mass", moving_mass(m), "kg");
    sal_figures_number(f, "timestep", m->opt.timestep, "s");
    sal_figures_text(f, "integrator", integrator[m->opt.integrator]);
    sal_figures_text(f, "cone", m->opt.cone == SAL_CONE_ELLIPTIC ? "elliptic" : "pyramidal");
}

/* ---- problems ---- */

static void travel(sal_figures *f, const sal_problem *p)
{
    if (p->image != NULL && p->image->turning >= 0) {
        const bool free = p->turn_range[1] > p->turn_range[0];
        sal_figures_number(f, "turn", p->image->turn, free ? "rad (free)" : "rad");
    }
    switch (p->travel) {
    case SAL_TRAVEL_SPEED:
        sal_figures_number(f, "speed", p->travel_value, "m/s");
        break;
    case SAL_TRAVEL_VALUE:
        sal_figures_number(f, "travel", p->travel_value, "m");
        break;
    case SAL_TRAVEL_FREE:
        sal_figures_text(f, "travel", "free");
        break;
    case SAL_TRAVEL_NONE:
        break;
    }
}

static void term_names(sal_figures *f, const sal_problem *p)
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
static int pinned(const sal_problem *p, const sal_endpoint *e)
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
        !p->driven ? 0 : p->nstep * p->model->nu + (p->boundary == SAL_OPEN ? p->model->na : 0);
    const bool free_duration = p->duration_range[1] > p->duration_range[0];
    const int globals = free_duration + (p->travel == SAL_TRAVEL_FREE);
    if (p->boundary == SAL_CYCLE) {
        const bool turns = p->image->turning >= 0;
        return p->nstep * nv + inputs + globals + (p->turn_range[1] > p->turn_range[0]) -
               (turns ? 2 : 0);
    }
    return (p->nstep + 2) * nv - pinned(p, &p->start) - pinned(p, &p->end) + inputs + globals;
}

static void identification(sal_figures *f, const sal_identification *what)
{
    sal_figures_integer(f, "recordings", what->nrecording);
    sal_figures_integer(f, "samples", what->nsample);
    sal_figures_number(f, "duration", what->seconds, "s, of all recordings");
    sal_figures_integer(f, "channels", what->nchannel);
    sal_figures_integer(f, "parameters", what->nparameter);
    sal_figures_integer(f, "locals", what->nlocal);
    sal_figures_integer(f, "stages", what->nstage);
}

void sal_figures_problem(sal_figures *f, const sal_problem *p)
{
    sal_identification what;
    const bool free_duration = p->duration_range[1] > p->duration_range[0];
    sal_figures_text(f, "problem", p->name);
    sal_figures_text(f, "model", p->model_path);
    if (sal_problem_identifies(&what, p)) {
        identification(f, &what);
        return;
    }
    sal_figures_text(f, "boundary",
                     p->boundary == SAL_OPEN ? "open"
                     : p->image->mirrored    ? "mirrored cycle"
                                             : "cycle");
    sal_figures_integer(f, "nstep", p->nstep);
    sal_figures_number(f, "duration", p->duration, free_duration ? "s (free)" : "s");
    sal_figures_number(f, "step", p->duration / p->nstep, "s");
    travel(f, p);
    term_names(f, p);
    sal_figures_integer(f, "variables", variables(p));
    sal_figures_integer(f, "starts", p->nstart);
}
