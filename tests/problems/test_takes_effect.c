/* Every attribute that problem and sweep files may have takes effect, or something is said of it: a
 * value that is not the default changes what is read or the messages. An attribute of the language
 * that is not tried is a fault. */
#include "tests/check.h"
#include "tests/problems/problem_files.h"
#include "tests/sample.h"

#include "identify/identification.h"
#include "problems/language/grammar.h"
#include "problems/problem.h"
#include "problems/recordings/data.h"
#include "problems/states.h"
#include "sweeps/sweeps.h"

#include <math.h>

typedef struct sample {
    const char *tag;
    /* the file, @ where the attribute goes */
    const char *base;
    /* attributes with their values, each tried alone */
    const char *attrs;
} sample;

#include "tests/problems/takes_effect.inc"

enum { NSAMPLE = sizeof samples / sizeof samples[0] };

/* ---- what was read, in words ---- */

static void put(sal_text *out, const char *name, double x)
{
    sal_text_format(out, "%s %.17g\n", name, x);
}

static void put_all(sal_text *out, const char *name, const double *x, int n)
{
    for (int i = 0; x != NULL && i < n; i++) {
        put(out, name, x[i]);
    }
}

static void put_whole(sal_text *out, const char *name, const int *x, int n)
{
    for (int i = 0; x != NULL && i < n; i++) {
        put(out, name, x[i]);
    }
}

static void put_flags(sal_text *out, const char *name, const unsigned char *x, int n)
{
    for (int i = 0; x != NULL && i < n; i++) {
        put(out, name, x[i]);
    }
}

static void put_norm(sal_text *out, const sal_norm *norm)
{
    put(out, "norm", norm->kind);
    put(out, "p", norm->p);
    put(out, "q", norm->q);
}

static void put_feature(sal_text *out, const prb_feature *f, int nstep)
{
    const int rows = f->tabulated ? nstep + 1 : 1;
    sal_text_format(out, "feature %s\n", f->name == NULL ? "" : f->name);
    put(out, "quantity", f->quantity);
    put(out, "order", f->order);
    put(out, "by_force", f->by_force);
    put(out, "width", f->width);
    put(out, "sum", f->sum);
    put(out, "mean", f->mean);
    put(out, "dim", f->dim);
    put_whole(out, "object", f->object, f->nobject);
    put_whole(out, "with", f->with, f->nwith);
    put_whole(out, "component", f->component, f->dim);
    put_whole(out, "step", f->step, f->nstep);
    put_all(out, "target", f->target, f->reference == NULL ? rows * f->dim : 0);
}

static void put_functions(sal_text *out, const sal_problem *p)
{
    for (int i = 0; i < p->nfunction; i++) {
        sal_text_format(out, "function %s\n", p->function[i].name);
        put(out, "numbers", p->function[i].nx);
    }
    for (int i = 0; i < p->ninput; i++) {
        put_feature(out, p->input + i, p->nstep);
    }
}

static void put_image(sal_text *out, const sal_image *image, const sal_model *m)
{
    put_whole(out, "image", image->qpos_index, m->nq);
    put_all(out, "sign", image->qpos_sign, m->nq);
    put_all(out, "travel", image->travel, m->nq);
    put(out, "mirrored", image->mirrored);
    put(out, "turning", image->turning);
    put(out, "turn", image->turn);
}

static void put_endpoint(sal_text *out, const prb_endpoint *e, const sal_model *m)
{
    put_flags(out, "pos", e->pos, m->njnt);
    put_flags(out, "vel", e->vel, m->njnt);
    put_all(out, "qpos", e->qpos, m->nq);
    put_all(out, "qvel", e->qvel, m->nv);
}

static void put_data(sal_text *out, const prb_dataset *d)
{
    for (int i = 0; i < d->nchannel; i++) {
        const prb_channel *c = &d->channel[i];
        sal_text_format(out, "channel %s\n", c->name);
        put(out, "kind", c->kind);
        put(out, "id", c->id);
        put(out, "order", c->order);
        put(out, "scale", c->scale);
        put(out, "offset", c->offset);
        put(out, "delay", c->delay);
        put_all(out, "sigma", c->sigma, c->nres);
        put_norm(out, &c->norm);
    }
    for (int i = 0; i < d->nrecording; i++) {
        const prb_recording *r = &d->recording[i];
        sal_text_format(out, "recording %s %s\n", r->name, r->cluster == NULL ? "" : r->cluster);
        put(out, "start", r->start);
        put(out, "dt", r->dt);
        put_all(out, "value", r->value, r->nsample * d->nvalue);
    }
}

static void put_solver(sal_text *out, const sal_problem *p)
{
    const sal_optim_options *o = &p->optim;
    const double numbers[] = {o->maxiter,       o->maxtime,       o->tolerance,   o->cap,
                              o->reach,         o->increments,    o->softness,    o->factor,
                              o->step,          p->contact_table, p->finish,      p->derivatives,
                              p->differences,   p->init_noise,    p->init_ground, p->nstart,
                              p->nmore,         (double)p->seed,  p->init_travel, p->init_turn,
                              p->contact_model, p->kappa,         p->reach};
    put_all(out, "solver", numbers, (int)(sizeof numbers / sizeof numbers[0]));
#define PUT_RAMP(name)                                                                             \
    put(out, #name, p->smoothing.name.soft);                                                       \
    put(out, #name, p->smoothing.name.final);
    PRB_SMOOTHING_LIST(PUT_RAMP)
#undef PUT_RAMP
}

static void put_model(sal_text *out, const sal_model *m)
{
    sal_text_format(out, "model\n");
    CHECK(sal_model_write(m, out, NULL) == SAL_OK);
}

static void put_problem(sal_text *out, const sal_problem *p)
{
    const double numbers[] = {
        p->nstep,           p->duration,      p->duration_range[0], p->duration_range[1],
        p->boundary,        p->travel,        p->travel_value,      p->travel_range[0],
        p->travel_range[1], p->turn_range[0], p->turn_range[1],     p->mujoco == SAL_MUJOCO_222,
        p->nrefine,         p->npoint,        p->ndistance,         p->mirrortol};
    sal_text_format(out, "name %s\n", p->name);
    put_all(out, "problem", numbers, (int)(sizeof numbers / sizeof numbers[0]));
    put_whole(out, "refine", p->refine, p->nrefine);
    if (p->image != NULL) {
        put_image(out, p->image, p->model);
    }
    put_endpoint(out, &p->start, p->model);
    put_endpoint(out, &p->end, p->model);
    for (int i = 0; i < p->nterm; i++) {
        put_feature(out, &p->term[i].feature, p->nstep);
        put_norm(out, &p->term[i].norm);
        put(out, "weight", p->term[i].weight);
        put(out, "softweight", p->term[i].softweight);
        put(out, "per", p->term[i].per);
        put(out, "tol", p->term[i].tol);
    }
    for (int i = 0; i < p->nconstraint; i++) {
        const prb_constraint *c = &p->constraint[i];
        put_feature(out, &c->feature, p->nstep);
        put(out, "tol", c->tol);
        put_all(out, "lower", c->lower, c->range ? c->feature.dim : 0);
        put_all(out, "upper", c->upper, c->range ? c->feature.dim : 0);
    }
    put_functions(out, p);
    const double required[] = {p->require.penetration, p->require.ownpenetration, p->require.slip,
                               p->require.load,        p->require.selfcontact,    p->require.rest,
                               p->require.bound};
    put_all(out, "require", required, (int)(sizeof required / sizeof required[0]));
    put_whole(out, "only", p->require.only, p->require.nonly);
    put_all(out, "init", p->init_qpos, p->model->nq);
    if (p->init_states != NULL) {
        const prb_states *s = p->init_states;
        put_all(out, "time", s->time, s->nrow);
        put_all(out, "states", s->qpos, s->nrow * p->model->nq);
    }
    put_solver(out, p);
    if (p->data != NULL) {
        put_data(out, p->data);
    }
    put_model(out, p->model);
}

static void put_identification(sal_text *out, const sal_identification *i)
{
    const idn_settings *s = i->settings;
    const int nparameter = i->parameters->nparameter;
    for (int k = 0; k < nparameter; k++) {
        const idn_parameter *p = &i->parameters->parameter[k];
        sal_text_format(out, "parameter %s %s\n", p->name, p->target[0].path);
        put(out, "local", p->local);
        put(out, "map", p->map);
        put(out, "as", p->as);
        put_all(out, "value", p->value, p->n);
        put_all(out, "lower", p->lower, p->n);
        put_all(out, "upper", p->upper, p->n);
        put_all(out, "prior", p->prior, p->n);
        put_all(out, "sigma", p->prior_sigma, p->n);
    }
    const double numbers[] = {s->fixed,   s->in_force, s->holdout, (double)s->seed, s->roll_all,
                              s->predict, s->nstage,   s->errors,  s->resamples};
    put_all(out, "settings", numbers, (int)(sizeof numbers / sizeof numbers[0]));
    for (int k = 0; k < i->base->model->nv; k++) {
        put(out, "relative", s->relative[k]);
        put(out, "as force", s->as_force[k]);
    }
    for (int k = 0; k < s->nstage; k++) {
        const idn_stage *g = &s->stage[k];
        const double stage[] = {g->softness, g->sigma,   g->kinematic,
                                g->substeps, g->maxiter, g->tolerance};
        put_all(out, "stage", stage, (int)(sizeof stage / sizeof stage[0]));
        put_norm(out, &g->norm);
        for (int n = 0; n < nparameter; n++) {
            put(out, "free", g->freed[n]);
        }
    }
    put_data(out, i->base->data);
}

static void put_sweep(sal_text *out, const sal_sweep *s)
{
    const double numbers[] = {s->npoint, s->nrepeat,      (double)s->repeat_first,
                              s->keep,   s->cell_time,    s->cell_memory,
                              s->tries,  s->ncontinuation};
    sal_text_format(out, "sweep %s\n", s->name);
    put_all(out, "sweep", numbers, (int)(sizeof numbers / sizeof numbers[0]));
    for (int i = 0; i < s->naxis; i++) {
        sal_text_format(out, "axis %s %s\n", s->axis[i].name,
                        s->axis[i].path == NULL ? "" : s->axis[i].path);
    }
    for (int i = 0; i < s->ncontinuation; i++) {
        const sal_continuation *c = &s->continuation[i];
        const double values[] = {c->axis, c->from, c->noise, c->softness, c->nstart};
        put_all(out, "continuation", values, (int)(sizeof values / sizeof values[0]));
    }
    for (int i = 0; i < s->ncolumn; i++) {
        sal_text_format(out, "column %s %s\n", s->column[i].name, s->column[i].figure);
    }
    for (int i = 0; i < s->ncell; i++) { /* of all that goes into a cell */
        sal_text_format(out, "cell %s\n", s->hash[i]);
    }
}

typedef struct outcome {
    sal_text text;
    sal_text said;
    bool read;
} outcome;

/* Of functions that a file may name */
static bool nothing(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)user, (void)step, (void)x, (void)nx, (void)J;
    r[0] = 0;
    return true;
}

static const sal_function given[] = {
    {"f", 1, nothing, NULL}, {"g", 1, nothing, NULL}, {"h", 1, nothing, NULL}};

static void read_file(outcome *o, const char *xml)
{
    sal_diag diag = {0};
    sal_err err = {0};
    *o = (outcome){0};
    files_write("t.xml", xml, strlen(xml));
    if (strncmp(xml, "<sweep", 6) == 0) {
        sal_sweep *s = NULL;
        o->read = sal_sweep_read(&s, files_path("t.xml"), NULL, &diag, &err) == SAL_OK;
        if (o->read) {
            put_sweep(&o->text, s);
        }
        sal_sweep_free(s);
    } else if (strstr(xml, "<estimate") != NULL) {
        sal_identification *i = NULL;
        o->read = sal_identification_read(&i, files_path("t.xml"), NULL, &diag, &err) == SAL_OK;
        if (o->read) {
            put_identification(&o->text, i);
        }
        sal_identification_free(i);
    } else {
        const sal_problem_options options = {.function = given,
                                             .nfunction = sizeof given / sizeof *given};
        sal_problem *p = NULL;
        o->read = sal_problem_read(&p, files_path("t.xml"), &options, &diag, &err) == SAL_OK;
        if (o->read) {
            put_problem(&o->text, p);
        }
        sal_problem_free(p);
    }
    sal_text_add(&o->said, diag.text.data == NULL ? "" : diag.text.data);
    sal_diag_clear(&diag);
}

/* ---- one attribute ---- */

static void try_attr(const sample *s, const char *name, const char *text)
{
    char plain[SAMPLE_TEXT], with[SAMPLE_TEXT];
    outcome before, after;
    sample_insert(plain, s->base, "", "");
    sample_insert(with, s->base, name, text);
    read_file(&before, plain);
    read_file(&after, with);
    const bool good = before.read || after.read;
    const bool changes =
        before.read != after.read || strcmp(before.text.data == NULL ? "" : before.text.data,
                                            after.text.data == NULL ? "" : after.text.data) != 0;
    if (!good || !changes) {
        printf("  %s in <%s> %s\n  %s\n%s", text, s->tag,
               good ? "changes nothing" : "stands in a file that is refused", with,
               after.said.data == NULL ? "" : after.said.data);
    }
    CHECK(good && changes);
    sal_text_clear(&before.text);
    sal_text_clear(&before.said);
    sal_text_clear(&after.text);
    sal_text_clear(&after.said);
}

/* ---- all of them ---- */

static void write_text(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* A recording of 61 rows, 100 Hz; from row 30 on further by `jump`, the row `gap` missing. */
static void write_recording(const char *name, double phase, double jump, int gap)
{
    sal_text text = {0};
    sal_text_add(&text, "time,hip,knee,x,y,z\n");
    for (int i = 0; i <= 60; i++) {
        const double t = .01 * i, hip = .2 * sin(3 * t + phase) + (i >= 30 ? jump : 0);
        if (i == gap) {
            sal_text_format(&text, "%.17g,,%.17g,%.17g,0,1\n", t, hip / 2, t);
        } else {
            sal_text_format(&text, "%.17g,%.17g,%.17g,%.17g,0,1\n", t, hip, hip / 2, t);
        }
    }
    write_text(name, text.data);
    sal_text_clear(&text);
}

static void write_files(void)
{
    static const char free_model[] =
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 1'>"
        "<freejoint name='root'/><geom size='.1'/></body></worldbody></mujoco>";
    static const char limbs[] =
        "<mujoco><worldbody><body name='torso'><joint name='left_hip' axis='0 1 0'/>"
        "<geom size='.1' pos='0 0 -.5'/><body><joint name='right_hip' axis='0 1 0'/>"
        "<geom size='.1' pos='0 0 -1'/></body></body></worldbody></mujoco>";
    const char *tendon = "<tendon><fixed name='t'><joint joint='left_hip' coef='1'/></fixed>"
                         "</tendon></mujoco>";
    write_text("m.xml", files_replace(files_model, "</mujoco>", tendon));
    write_text("m2.xml", files_replace(files_replace(files_model, "</mujoco>", tendon),
                                       "pos='0 0 1'", "pos='0 0 2'"));
    write_text("free.xml", free_model);
    write_text("i.xml", limbs);
    write_text("driven.xml",
               files_replace(limbs, "</mujoco>",
                             "<actuator><motor name='left_hip' joint='left_hip'/></actuator>"
                             "</mujoco>"));
    write_text("p0.xml", MOTION(""));
    write_text("p1.xml", MOTION("<solver maxiter='3'/>"));
    write_text("targets.csv", "time,a,b\n0,1,2\n.5,3,4\n");
    write_text("states.csv", "time,qpos:left_hip,qvel:left_hip\n0,.1,1\n.1,.2,2\n.2,.5,3\n");
    write_text("motion.csv", "time,qpos:left_hip\n0,.1\n.1,.2\n.2,.5\n");
    write_text("motion2.csv", "time,qpos:left_hip\n0,.1\n.1,.3\n.2,.5\n");
    write_text("also.csv", "time,extra\n0,.1\n.6,.2\n");
    write_text("index.csv", "file,mass\nr.csv,1\ns.csv,3\n");
    write_text("index1.csv", "file,mass\nr.csv,1\n");
    write_recording("r.csv", 0, 0, -1);
    write_recording("s.csv", 1, 0, -1);
    write_recording("t.csv", 2, 0, -1);
    write_recording("u.csv", 3, 0, -1);
    write_recording("v.csv", 4, 0, -1);
    write_recording("jump.csv", 0, 1, -1);
    write_recording("turns.csv", 0, 6.283185307179586, -1);
    write_recording("gap.csv", 0, 0, 30);
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_err err = {0};
    write_text("solve.xml", MOTION("<init more='0'/><solver maxiter='1'/>"));
    CHECK_OK(sal_problem_read(&p, files_path("solve.xml"), NULL, NULL, &err), err);
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    CHECK_OK(sal_result_write(r, files_path("r.h5"), &err), err);
    sal_result_free(r);
    sal_problem_free(p);
}

static void each_attribute_takes_effect(void)
{
    int n = 0;
    write_files();
    for (size_t i = 0; i < NSAMPLE; i++) {
        const char *list = samples[i].attrs;
        char name[SAMPLE_NAME], text[SAMPLE_ATTR];
        while (sample_next(&list, name, text)) {
            try_attr(&samples[i], name, text);
            n++;
        }
    }
    printf("  %d attributes\n", n);
}

static bool is_sampled(const char *tag, const char *attr)
{
    for (size_t i = 0; i < NSAMPLE; i++) {
        if (strcmp(samples[i].tag, tag) == 0 && sample_has(samples[i].attrs, attr)) {
            return true;
        }
    }
    return false;
}

/* Names that --set, <override> and axes use, and nothing else does. */
static bool is_for_paths(const char *tag, const char *attr)
{
    return strcmp(tag, "data") == 0 && strcmp(attr, "name") == 0;
}

static void no_attribute_is_left_out(void)
{
    int n;
    const prb_rules *elements = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < elements[i].nattr; k++) {
            /* one value only */
            const bool single = elements[i].attr[k].type == PRB_VAL_CHOICE &&
                                strchr(elements[i].attr[k].domain, '|') == NULL;
            const bool sampled = is_sampled(elements[i].tag, elements[i].attr[k].name) ||
                                 is_for_paths(elements[i].tag, elements[i].attr[k].name);
            if (!sampled && !single) {
                printf("  no sample of %s in <%s>\n", elements[i].attr[k].name, elements[i].tag);
            }
            CHECK(sampled || single);
        }
    }
}

int main(void)
{
    RUN(each_attribute_takes_effect);
    RUN(no_attribute_is_left_out);
    return check_done();
}
