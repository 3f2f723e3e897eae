/* read_actuator.c: what the shortcuts mean as a <general> (MuJoCo documentation, "XML reference",
 * actuator). A class keeps one record for all of them, so each one says only what it changes:
 *
 *                  activation       gain             bias
 *     motor        none             1                none
 *     position     (filterexact)    kp
 *     -kp l - kv ldot; a damping ratio is kept as a positive coefficient until inertias are known
 *     velocity     none             kv               -kv ldot
 *     intvelocity  integrator       kp               as position
 *     damper       none             -kv ldot         none
 *     cylinder     filter           area             bias
 *     muscle       muscle           muscle           muscle, with the same parameters
 *     adhesion                      gain             none
 *     dcmotor      see actuator/read_dcmotor.c
 *     pid          see actuator/read_pid.c
 *     orientation  see actuator/read_orientation.c
 */
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

sal_place mjcf_place_of(const sal_xml *xml, const char *name)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    return attr == NULL ? xml->place : attr->name_place;
}

static void set_if_given(double *out, double said)
{
    if (!isnan(said)) {
        *out = said;
    }
}

static void imply_motor(spec_actuator *a)
{
    a->dyntype = SAL_DYN_NONE;
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = SAL_BIAS_NONE;
    a->gainprm[0] = 1;
}

/* The range that a servo inherits stands for `range`: not both. */
static void check_inherited(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a,
                            const char *range, const double given[2])
{
    if (a->inheritrange > 0 && (given[0] != 0 || given[1] != 0)) {
        mjcf_error(r, mjcf_place_of(xml, "inheritrange"), NULL,
                   "<%s> gives both %s and inheritrange; keep one of them", xml->tag, range);
    }
}

static void imply_servo(mjcf_reader *r, const sal_xml *xml, spec_actuator *a)
{
    const sal_xml_attr *kv = sal_xml_find_attr(xml, "kv");
    set_if_given(&a->gainprm[0], a->said.kp);
    if (r->spec->mujoco == SAL_MUJOCO_222) { /* later versions keep what a class says */
        memset(a->biasprm, 0, sizeof a->biasprm);
        a->dyntype = SAL_DYN_NONE;
    }
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = SAL_BIAS_AFFINE;
    a->biasprm[1] = -a->gainprm[0];
    if (!isnan(a->said.kv)) {
        a->biasprm[2] = -a->said.kv;
    }
    set_if_given(&a->biasprm[2], a->said.dampratio);
    if (kv != NULL && sal_xml_find_attr(xml, "dampratio") != NULL) {
        mjcf_error(r, kv->name_place, NULL, "<%s> gives both kv and dampratio; keep one of them",
                   xml->tag);
    }
}

static void imply_position(mjcf_reader *r, const sal_xml *xml, spec_actuator *a)
{
    imply_servo(r, xml, a);
    if (!isnan(a->said.timeconst[0])) {
        a->dynprm[0] = a->said.timeconst[0];
        a->dyntype = a->dynprm[0] > 0 ? SAL_DYN_FILTEREXACT : SAL_DYN_NONE;
    }
    check_inherited(r, xml, a, "ctrlrange", a->ctrlrange);
}

static void imply_velocity(spec_actuator *a)
{
    memset(a->biasprm, 0, sizeof a->biasprm);
    set_if_given(&a->gainprm[0], a->said.kv);
    a->dyntype = SAL_DYN_NONE;
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = SAL_BIAS_AFFINE;
    a->biasprm[2] = -a->gainprm[0];
}

static void imply_intvelocity(mjcf_reader *r, const sal_xml *xml, spec_actuator *a)
{
    const bool has_bias = a->biastype == SAL_BIAS_AFFINE; /* from a class */
    imply_servo(r, xml, a);
    a->dyntype = SAL_DYN_INTEGRATOR;
    a->actlimited = r->spec->mujoco == SAL_MUJOCO_222 ? SPEC_TRUE : a->actlimited;
    check_inherited(r, xml, a, "actrange", a->actrange);
    if (!has_bias) { /* MuJoCo 3.12 then gives it none, so that it is no servo */
        check_inherited(r, xml, a, "ctrlrange", a->ctrlrange);
    }
}

/* Its control says how much it damps, so that it must not be negative. */
static void check_control(mjcf_reader *r, sal_xml *xml, spec_actuator *a, bool in_default)
{
    a->ctrllimited = SPEC_TRUE;
    if (a->ctrlrange[0] < 0 || a->ctrlrange[1] < 0) {
        mjcf_error(r, mjcf_place_of(xml, "ctrlrange"), NULL,
                   "ctrlrange of <%s> is %g %g; its numbers must not be negative", xml->tag,
                   a->ctrlrange[0], a->ctrlrange[1]);
    }
    const bool given = r->spec->mujoco == SAL_MUJOCO_222
                           ? sal_xml_find_attr(xml, "ctrlrange") != NULL
                           : a->ctrlrange[0] != 0 || a->ctrlrange[1] != 0;
    if (!given && !in_default) {
        mjcf_error(r, xml->place, NULL, "<%s> needs the attribute 'ctrlrange'", xml->tag);
    }
}

static void imply_damper(mjcf_reader *r, sal_xml *xml, spec_actuator *a, bool in_default)
{
    /* later versions keep the coefficient of a class that is a damper */
    const bool kept = r->spec->mujoco != SAL_MUJOCO_222 && a->gaintype == SAL_GAIN_AFFINE;
    double kv = kept ? -a->gainprm[2] : 0;
    set_if_given(&kv, a->said.kv);
    if (kv < 0) {
        mjcf_error(r, mjcf_place_of(xml, "kv"), NULL,
                   "kv of <damper> is %g; it must not be negative", kv);
    }
    imply_motor(a);
    memset(a->gainprm, 0, sizeof a->gainprm);
    a->gaintype = SAL_GAIN_AFFINE;
    a->gainprm[2] = -kv;
    check_control(r, xml, a, in_default);
}

static void imply_cylinder(mjcf_reader *r, spec_actuator *a)
{
    const double d = a->said.diameter;
    set_if_given(&a->dynprm[0], a->said.timeconst[0]);
    set_if_given(&a->gainprm[0], a->said.area);
    if (!isnan(d) && (d >= 0 || r->spec->mujoco == SAL_MUJOCO_222)) {
        a->gainprm[0] = pi / 4 * d * d;
    }
    a->dyntype = SAL_DYN_FILTER;
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = SAL_BIAS_AFFINE;
}

/* What a class did not change gets the muscle's own default; later versions take a negative number
 * for not given. */
static void imply_muscle(mjcf_reader *r, spec_actuator *a)
{
    static const double standard[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    static const double standard_tau[2] = {0.01, 0.04};
    const double least = r->spec->mujoco == SAL_MUJOCO_222 ? -(double)INFINITY : 0;
    for (int k = 0; k < 9; k++) {
        const double said = a->said.muscle[k];
        if (a->gainprm[k] == (k == 0 ? 1 : 0)) {
            a->gainprm[k] = standard[k];
        }
        set_if_given(&a->gainprm[k], said >= least ? said : (double)NAN);
        a->biasprm[k] = a->gainprm[k];
    }
    for (int k = 0; k < 2; k++) {
        const double said = a->said.timeconst[k];
        if (a->dynprm[k] == (k == 0 ? 1 : 0)) {
            a->dynprm[k] = standard_tau[k];
        }
        set_if_given(&a->dynprm[k], said >= least ? said : (double)NAN);
    }
    set_if_given(&a->dynprm[2], a->said.tausmooth);
    a->dyntype = SAL_DYN_MUSCLE;
    a->gaintype = SAL_GAIN_MUSCLE;
    a->biastype = SAL_BIAS_MUSCLE;
}

static void imply_adhesion(mjcf_reader *r, sal_xml *xml, spec_actuator *a, bool in_default)
{
    if (r->spec->mujoco == SAL_MUJOCO_222) { /* nothing comes from a class */
        memset(a->gainprm, 0, sizeof a->gainprm);
        memset(a->biasprm, 0, sizeof a->biasprm);
        a->gainprm[0] = 1;
        a->dyntype = SAL_DYN_NONE;
    }
    set_if_given(&a->gainprm[0], a->said.gain);
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = SAL_BIAS_NONE;
    check_control(r, xml, a, in_default);
}

static spec_shortcut nothing_said(void)
{
    spec_shortcut s;
    double *number = &s.kp;
    for (size_t i = 0; i < sizeof s / sizeof *number; i++) {
        number[i] = (double)NAN;
    }
    return s;
}

void mjcf_read_actuator(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                        spec_actuator *a)
{
    spec_actuator unheard;
    if (rule->element == MJCF_EL_ADHESION && in_default && r->spec->mujoco == SAL_MUJOCO_222) {
        unheard = *a; /* checked only: 2.2.2 has no defaults of <adhesion> */
        a = &unheard;
    }
    a->said = nothing_said(); /* classes keep gains, not what they came from */
    mjcf_read_attrs(r, rule, xml, in_default, a);
    mjcf_imply_actuator(r, rule, xml, in_default, a);
}

/* A <general> that says nothing of the kind of its class */
static bool keeps_kind(const mjcf_rule *rule, const sal_xml *xml)
{
    static const char *const kind[] = {"dyntype", "gaintype", "biastype",
                                       "dynprm",  "gainprm",  "biasprm"};
    bool keeps = rule->element == MJCF_EL_GENERAL;
    for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
        keeps = keeps && sal_xml_find_attr(xml, kind[k]) == NULL;
    }
    return keeps;
}

/* An element whose class has a kind of actuator that leaves others nothing (reported) */
static bool is_of_other_kind(mjcf_reader *r, const mjcf_rule *rule, const sal_xml *xml,
                             bool in_default, const spec_actuator *a)
{
    const struct {
        bool given;
        mjcf_element element;
        const char *tag;
    } kinds[] = {{a->motor.given, MJCF_EL_DCMOTOR, "dcmotor"},
                 {a->pid.given, MJCF_EL_PID, "pid"},
                 {a->orientation.given, MJCF_EL_ORIENTATION, "orientation"}};
    const char *kind = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        kind = kinds[k].given && rule->element != kinds[k].element ? kinds[k].tag : kind;
    }
    if (kind == NULL || (in_default && keeps_kind(rule, xml))) {
        return false;
    }
    char help[64];
    snprintf(help, sizeof help, "write a class of its own for <%s>", kind);
    mjcf_error(r, xml->place, help, "<%s> of a class that has a <%s> is not supported", xml->tag,
               kind);
    return true;
}

void mjcf_imply_actuator(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                         spec_actuator *a)
{
    if (is_of_other_kind(r, rule, xml, in_default, a)) {
        return;
    }
    switch ((int)rule->element) {
    case MJCF_EL_MOTOR:
        imply_motor(a);
        break;
    case MJCF_EL_POSITION:
        imply_position(r, xml, a);
        break;
    case MJCF_EL_VELOCITY:
        imply_velocity(a);
        break;
    case MJCF_EL_INTVELOCITY:
        imply_intvelocity(r, xml, a);
        break;
    case MJCF_EL_DAMPER:
        imply_damper(r, xml, a, in_default);
        break;
    case MJCF_EL_CYLINDER:
        imply_cylinder(r, a);
        break;
    case MJCF_EL_MUSCLE:
        imply_muscle(r, a);
        break;
    case MJCF_EL_ADHESION:
        imply_adhesion(r, xml, a, in_default);
        break;
    case MJCF_EL_DCMOTOR:
        mjcf_imply_dcmotor(r, xml, in_default, a);
        break;
    case MJCF_EL_PID:
        mjcf_imply_pid(r, xml, in_default, a);
        break;
    case MJCF_EL_ORIENTATION:
        mjcf_imply_orientation(r, xml, in_default, a);
        break;
    default:
        break;
    }
}

void mjcf_read_actuators(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_ACTUATOR);
        spec_actuator *a = rule == NULL ? NULL : spec_take(r->spec, 1, sizeof *a);
        if (a != NULL) {
            *a = mjcf_class_of(r, child, NULL)->actuator;
            a->head = (spec_head){.xml = child, .nuser = a->head.nuser};
            mjcf_read_actuator(r, rule, child, false, a);
            spec_push(r->spec, &r->spec->actuator, a);
        }
        if (a != NULL && rule->element == MJCF_EL_DCMOTOR) {
            mjcf_read_dcmotor_parts(r, child, a);
        } else if (a != NULL && rule->element == MJCF_EL_PID) {
            mjcf_read_pid_parts(r, child, a);
        } else if (a != NULL && rule->element == MJCF_EL_ORIENTATION) {
            mjcf_read_orientation_parts(r, child, a);
        }
    }
}
