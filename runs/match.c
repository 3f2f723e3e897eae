#include "runs/match.h"

#include <stdio.h>
#include <string.h>

static const char *const joint_types[] = {[SAL_JNT_FREE] = "a free joint",
                                          [SAL_JNT_BALL] = "a ball joint",
                                          [SAL_JNT_SLIDE] = "a slide",
                                          [SAL_JNT_HINGE] = "a hinge"};

/* The one of the same name; of what has none, the unnamed one of the same number. */
static int find(const sal_model *in, const sal_model *of, sal_object type, int id)
{
    const char *name = sal_model_name(of, type, id);
    if (name[0] == 0) {
        return id < sal_model_count(in, type) && sal_model_name(in, type, id)[0] == 0 ? id : -1;
    }
    for (int i = 0; i < sal_model_count(in, type); i++) {
        if (strcmp(sal_model_name(in, type, i), name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- what does not match ---- */

enum { SHOWN = 4 };

typedef struct faults {
    sal_text text;
    int n;
} faults;

/* Whether this one is to be shown; its sentence follows. */
static bool begin_fault(faults *f)
{
    f->n++;
    if (f->n <= SHOWN) {
        sal_text_add(&f->text, f->n > 1 ? "; " : "");
    }
    return f->n <= SHOWN;
}

static void missing(faults *f, const sal_model *m, sal_object type, int id, const char *whose,
                    const char *other)
{
    char label[SAL_LABEL_MAX];
    if (begin_fault(f)) {
        sal_text_format(&f->text, "%.60s (number %d of the %s) is not in the %s",
                        sal_model_label(m, type, id, label), id, whose, other);
    }
}

static void compare_joints(faults *f, const run_match *x)
{
    const sal_model *a = x->from, *b = x->to;
    char label[SAL_LABEL_MAX];
    for (int j = 0; j < a->njnt; j++) {
        const int k = x->joint[j] = find(b, a, SAL_OBJ_JOINT, j);
        if (k < 0) {
            missing(f, a, SAL_OBJ_JOINT, j, "result", "model");
        } else if (a->jnt_type[j] != b->jnt_type[k] && begin_fault(f)) {
            sal_text_format(&f->text,
                            "%.60s is %s in the result (number %d), %s in the model "
                            "(number %d)",
                            sal_model_label(a, SAL_OBJ_JOINT, j, label),
                            joint_types[a->jnt_type[j]], j, joint_types[b->jnt_type[k]], k);
        }
    }
    for (int k = 0; k < b->njnt; k++) {
        if (find(a, b, SAL_OBJ_JOINT, k) < 0) {
            missing(f, b, SAL_OBJ_JOINT, k, "model", "result");
        }
    }
}

static const char *activation(const sal_model *m, int i)
{
    const int n = m->actuator_actnum[i];
    return n > 1 ? "several activations" : n == 1 ? "an activation" : "no activation";
}

static void compare_actuators(faults *f, const run_match *x)
{
    const sal_model *a = x->from, *b = x->to;
    char label[SAL_LABEL_MAX];
    for (int i = 0; i < a->nu; i++) {
        const int k = x->actuator[i] = find(b, a, SAL_OBJ_ACTUATOR, i);
        if (k < 0) {
            missing(f, a, SAL_OBJ_ACTUATOR, i, "result", "model");
        } else if (a->actuator_actnum[i] != b->actuator_actnum[k] && begin_fault(f)) {
            sal_text_format(&f->text,
                            "%.60s has %s in the result (number %d), %s in the model "
                            "(number %d)",
                            sal_model_label(a, SAL_OBJ_ACTUATOR, i, label), activation(a, i), i,
                            activation(b, k), k);
        }
    }
    for (int k = 0; k < b->nu; k++) {
        if (find(a, b, SAL_OBJ_ACTUATOR, k) < 0) {
            missing(f, b, SAL_OBJ_ACTUATOR, k, "model", "result");
        }
    }
}

static sal_status report(faults *f, const run_match *x, sal_err *err)
{
    const sal_model *a = x->from, *b = x->to;
    if (f->n == 0) {
        return SAL_OK;
    }
    char more[40] = "";
    if (f->n > SHOWN) {
        snprintf(more, sizeof more, "; and %d more", f->n - SHOWN);
    }
    return sal_fail(
        err, SAL_BADINPUT,
        "the model does not match the result: joints: %d in the result, %d in the model; "
        "actuators: %d and %d; %.340s%s",
        a->njnt, b->njnt, a->nu, b->nu, f->text.failed ? "" : f->text.data, more);
}

sal_status run_match_new(run_match *x, const sal_model *from, const sal_model *to, sal_err *err)
{
    faults f = {0};
    *x = (run_match){.from = from, .to = to};
    x->joint = sal_alloc((size_t)from->njnt, sizeof(int));
    x->actuator = sal_alloc((size_t)from->nu, sizeof(int));
    x->body = sal_alloc((size_t)from->nbody, sizeof(int));
    x->source = sal_alloc((size_t)to->nbody, sizeof(int));
    if (x->joint == NULL || x->actuator == NULL || x->body == NULL || x->source == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    compare_joints(&f, x);
    compare_actuators(&f, x);
    for (int i = 0; i < from->nbody; i++) {
        x->body[i] = find(to, from, SAL_OBJ_BODY, i);
    }
    for (int i = 0; i < to->nbody; i++) {
        x->source[i] = find(from, to, SAL_OBJ_BODY, i);
    }
    const sal_status status = report(&f, x, err);
    sal_text_clear(&f.text);
    return status;
}

void run_match_clear(run_match *x)
{
    sal_free(x->joint);
    sal_free(x->actuator);
    sal_free(x->body);
    sal_free(x->source);
    *x = (run_match){0};
}

/* ---- numbers in the order of the other ---- */

static void copy(double *out, const double *in, int to, int from, int n, bool back)
{
    memcpy(out + (back ? from : to), in + (back ? to : from), (size_t)n * sizeof(double));
}

void run_match_qpos(const run_match *x, double *out, const double *in, bool back)
{
    static const int width[] = {
        [SAL_JNT_FREE] = 7, [SAL_JNT_BALL] = 4, [SAL_JNT_SLIDE] = 1, [SAL_JNT_HINGE] = 1};
    for (int j = 0; j < x->from->njnt; j++) {
        copy(out, in, x->to->jnt_qposadr[x->joint[j]], x->from->jnt_qposadr[j],
             width[x->from->jnt_type[j]], back);
    }
}

void run_match_dofs(const run_match *x, double *out, const double *in, bool back)
{
    for (int j = 0; j < x->from->njnt; j++) {
        copy(out, in, x->to->jnt_dofadr[x->joint[j]], x->from->jnt_dofadr[j],
             sal_joint_ndof(x->from->jnt_type[j]), back);
    }
}

void run_match_ctrl(const run_match *x, double *out, const double *in, bool back)
{
    for (int i = 0; i < x->from->nu; i++) {
        copy(out, in, x->actuator[i], i, 1, back);
    }
}

void run_match_act(const run_match *x, double *out, const double *in, bool back)
{
    for (int i = 0; i < x->from->nu; i++) {
        if (x->from->actuator_actadr[i] >= 0) {
            copy(out, in, x->to->actuator_actadr[x->actuator[i]], x->from->actuator_actadr[i],
                 x->from->actuator_actnum[i], back);
        }
    }
}
