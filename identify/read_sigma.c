/* read_sigma.c: <sigma>: how far the model may be wrong at single joints. */
#include "identify/identification.h"

#include <math.h>
#include <string.h>

/* The largest force of an actuator; inf: it has no limit that is known.
 *     |force| <= forcerange,  or  |gain u| <= gain ctrlrange  of a motor */
static double strength(const sal_model *m, int actuator)
{
    const double *force = m->actuator_forcerange + 2 * actuator,
                 *ctrl = m->actuator_ctrlrange + 2 * actuator;
    if (m->actuator_forcelimited[actuator]) {
        return fmax(fabs(force[0]), fabs(force[1]));
    }
    const bool motor = m->actuator_gaintype[actuator] == SAL_GAIN_FIXED &&
                       m->actuator_biastype[actuator] == SAL_BIAS_NONE;
    return motor && m->actuator_ctrllimited[actuator]
               ? fabs(m->actuator_gainprm[10 * actuator]) * fmax(fabs(ctrl[0]), fabs(ctrl[1]))
               : (double)INFINITY;
}

/* The largest force at a slide or a hinge that its own actuators produce together; 0: the model
 * does not say. */
static double range_of_force(const sal_model *m, int joint)
{
    double sum = 0;
    const double *range = m->jnt_actfrcrange + 2 * joint;
    const int type = m->jnt_type[joint];
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] == SAL_TRN_JOINT && m->actuator_trnid[a] == joint) {
            sum += strength(m, a) * fabs(m->actuator_gear[6 * a]);
        }
    }
    if (m->jnt_actfrclimited[joint]) {
        const double most = fmax(fabs(range[0]), fabs(range[1]));
        sum = sum > 0 ? fmin(sum, most) : most;
    }
    return (type == SAL_JNT_HINGE || type == SAL_JNT_SLIDE) && isfinite(sum) ? sum : 0;
}

static void set_joint(idn_settings *e, const sal_model *m, int joint, double relative, bool force)
{
    static const int size[] = {
        [SAL_JNT_FREE] = 6, [SAL_JNT_BALL] = 3, [SAL_JNT_SLIDE] = 1, [SAL_JNT_HINGE] = 1};
    for (int i = 0; i < size[m->jnt_type[joint]]; i++) {
        e->relative[m->jnt_dofadr[joint] + i] = relative;
        e->as_force[m->jnt_dofadr[joint] + i] = force;
    }
}

static void read_all(prb_reader *r, idn_settings *e, const sal_xml *element, double relative,
                     bool ranges)
{
    const sal_model *m = r->p->model;
    int found = 0;
    for (int j = 0; j < m->njnt; j++) {
        const double range = ranges ? range_of_force(m, j) : 1;
        if (range > 0) {
            set_joint(e, m, j, relative * range, ranges);
            found++;
        }
    }
    if (found == 0) {
        sal_diag_error(r->diag, prb_reader_place(element, "of"),
                       "give value= in the unit of <estimate>, without of=\"range\"",
                       "the model limits the force of no joint");
    }
}

static void read_sigma(prb_reader *r, idn_settings *e, const sal_xml *element, double sigma)
{
    const sal_model *m = r->p->model;
    const bool ranges = prb_grammar_choice("sigma", element, "of") == 1;
    const double relative = prb_grammar_real("sigma", element, "value") / sigma;
    const sal_xml_attr *joint = sal_xml_find_attr(element, "joint");
    if (joint == NULL || !(relative > 0)) {
        return; /* as was said */
    }
    if (strcmp(joint->value, "all") == 0) {
        read_all(r, e, element, relative, ranges);
        return;
    }
    for (prb_word word = {.attr = joint}; prb_reader_word(r, &word);) {
        const int j = prb_reader_find(r, SAL_OBJ_JOINT, SAL_OBJ_NONE, &word, NULL);
        const double range = j < 0 ? 0 : ranges ? range_of_force(m, j) : 1;
        if (range > 0) {
            set_joint(e, m, j, relative * range, ranges);
        } else if (j >= 0) {
            sal_diag_error(r->diag, word.place,
                           "give the model a forcerange or actuatorfrcrange, or value= in the unit "
                           "of <estimate>",
                           "the model does not limit the force at joint '%.100s'", word.text);
        }
    }
}

void idn_read_sigmas(prb_reader *r, idn_settings *e, const sal_xml *element, double sigma)
{
    const size_t nv = r->p->model == NULL ? 0 : (size_t)r->p->model->nv;
    e->relative = prb_reader_alloc(r, nv + 1, sizeof *e->relative);
    e->as_force = prb_reader_alloc(r, nv + 1, sizeof *e->as_force);
    if (e->relative == NULL || e->as_force == NULL || nv == 0) {
        return;
    }
    for (size_t i = 0; i < nv; i++) {
        e->relative[i] = 1;
    }
    for (const sal_xml *c = element->child; c != NULL; c = c->next) {
        if (strcmp(c->tag, "sigma") == 0) {
            read_sigma(r, e, c, sigma);
        }
    }
}
