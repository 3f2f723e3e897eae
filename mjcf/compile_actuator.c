/* compile_actuator.c: actuators: what they act on, by name; their ranges and parameters checked;
 * the model's arrays. */
#include "mjcf/compile.h"
#include "physics/compiling.h"

#include <stdio.h>
#include <string.h>

/* ---- what they act on ---- */

typedef struct target {
    const char *attr, *name;
    int type;
    const spec_names *names;
} target;

/* The target that is given, of several the last in the order of the table, as in MuJoCo; NULL
 * (reported) if there is none, or another one beside a crank. */
static const target *find_target(spec_work *w, const spec_actuator *a, const target *kind, int n)
{
    const target *found = NULL;
    for (int k = 0; k < n; k++) {
        const bool two = kind[k].name != NULL && found != NULL;
        const bool crank = a->cranksite != NULL && (a->site != NULL || a->body != NULL);
        if (two && !crank && w->spec->mujoco != SAL_MUJOCO_222) {
            sal_diag_warning(w->diag, a->head.xml->place, "keep one of them",
                             "<%s> gives two transmissions, %s and %s; as in MuJoCo, %s counts",
                             a->head.xml->tag, found->attr, kind[k].attr, kind[k].attr);
        } else if (two) {
            spec_error(w, &a->head, kind[k].attr, NULL,
                       "<%s> gives two transmissions, %s and %s; keep one of them",
                       a->head.xml->tag, found->attr, kind[k].attr);
            return NULL;
        }
        found = kind[k].name != NULL ? &kind[k] : found;
    }
    if (found == NULL) {
        const bool adhesion = strcmp(a->head.xml->tag, "adhesion") == 0;
        spec_error(w, &a->head, NULL, NULL, "<%s> needs the attribute '%s'", a->head.xml->tag,
                   adhesion ? "body" : "joint");
    }
    return found;
}

static void find_second_site(spec_work *w, spec_actuator *a)
{
    const bool crank = a->cranksite != NULL;
    if (a->refsite != NULL && a->site == NULL) {
        spec_error(w, &a->head, "refsite", NULL, "refsite needs the attribute 'site', too");
    } else if (a->refsite != NULL && a->body != NULL) {
        spec_error(w, &a->head, "body", "leave body or refsite out",
                   "body counts instead of site, and has no refsite");
    } else if (a->refsite != NULL) {
        a->refid = spec_find(w, &w->sites, &a->head, "refsite", a->refsite);
    }
    if (!crank && (a->slidersite != NULL || a->cranklength != 0)) {
        spec_error(w, &a->head, a->slidersite != NULL ? "slidersite" : "cranklength", NULL,
                   "%s needs the attribute 'cranksite', too",
                   a->slidersite != NULL ? "slidersite" : "cranklength");
    } else if (crank && a->slidersite == NULL) {
        spec_error(w, &a->head, "cranksite", NULL,
                   "cranksite needs the attribute 'slidersite', too");
    } else if (crank) {
        a->refid = spec_find(w, &w->sites, &a->head, "slidersite", a->slidersite);
        if (!(a->cranklength > 0)) {
            spec_error(w, &a->head, "cranklength", NULL, "cranklength is %g; it must be positive",
                       a->cranklength);
        }
    }
}

static void find_transmission(spec_work *w, spec_actuator *a)
{
    const target kinds[] = {
        {"joint", a->joint, SAL_TRN_JOINT, &w->joints},
        {"jointinparent", a->jointinparent, SAL_TRN_JOINT, &w->joints},
        {"tendon", a->tendon, SAL_TRN_TENDON, &w->tendons},
        {"site", a->site, SAL_TRN_SITE, &w->sites},
        {"cranksite", a->cranksite, SAL_TRN_SLIDERCRANK, &w->sites},
        {"body", a->body, SAL_TRN_BODY, &w->bodies},
    };
    const target *t = find_target(w, a, kinds, (int)(sizeof kinds / sizeof kinds[0]));
    a->trnid = a->refid = -1;
    if (t != NULL) {
        a->trntype = t->type;
        a->trnid = spec_find(w, t->names, &a->head, t->attr, t->name);
    }
    find_second_site(w, a);
}

/* ---- ranges ---- */

/* inheritrange = f: a servo's range is that of what it moves, f times as wide about the middle: the
 * range of the activation where the control is integrated, else of the control. */
static void inherit_range(spec_work *w, spec_actuator *a)
{
    const bool servo = a->gaintype == SAL_GAIN_FIXED && a->biastype == SAL_BIAS_AFFINE &&
                       a->gainprm[0] == -a->biasprm[1];
    const spec_joint *j = NULL;
    const spec_tendon *t = NULL;
    if (!(a->inheritrange > 0) || !servo || a->trnid < 0) {
        return;
    }
    if (a->trntype == SAL_TRN_JOINT) {
        j = w->spec->joint.item[a->trnid];
    } else if (a->trntype == SAL_TRN_TENDON) {
        t = w->spec->tendon.item[a->trnid];
    }
    if (a->dyntype != SAL_DYN_NONE && a->dyntype != SAL_DYN_INTEGRATOR &&
        a->dyntype != SAL_DYN_FILTEREXACT && a->dyntype != SAL_DYN_MOTOR) {
        spec_error(w, &a->head, "inheritrange", NULL,
                   "inheritrange is allowed only in <position> and <intvelocity>");
    } else if ((j == NULL && t == NULL) ||
               (j != NULL && (j->type == SAL_JNT_FREE || j->type == SAL_JNT_BALL))) {
        spec_error(w, &a->head, "inheritrange", NULL,
                   "inheritrange needs an actuator on a hinge joint, a slide joint or a tendon");
    } else {
        const double *range = j != NULL ? j->range : t->range;
        const char *name = j != NULL ? j->head.name : t->head.name;
        double *out = a->dyntype == SAL_DYN_INTEGRATOR ? a->actrange : a->ctrlrange;
        if (!(range[0] < range[1])) {
            spec_error(w, &a->head, "inheritrange", NULL, "the %s '%.100s' has no range to inherit",
                       j != NULL ? "joint" : "tendon", name == NULL ? "" : name);
        }
        const double middle = (range[0] + range[1]) / 2;
        const double radius = (range[1] - range[0]) / 2 * a->inheritrange;
        out[0] = middle - radius;
        out[1] = middle + radius;
    }
}

/* How many activations it has */
static int activations(const spec_actuator *a)
{
    return a->dyntype == SAL_DYN_MOTOR ? phy_motor_states_of(a->dynprm, a->gainprm).n
                                       : a->dyntype != SAL_DYN_NONE;
}

/* What a class of another kind says of activations means other things there. */
static bool is_motor_of_another_class(spec_work *w, const spec_actuator *a)
{
    const bool ranged = a->actrange[0] != 0 || a->actrange[1] != 0;
    if (a->dyntype != SAL_DYN_MOTOR || !(ranged || a->actlimited == SPEC_TRUE || a->actearly)) {
        return false;
    }
    char help[64];
    snprintf(help, sizeof help, "write a class of its own for <%s>", a->head.xml->tag);
    spec_error(w, &a->head, NULL, help,
               "a <%s> with a state, of a class with actrange or actearly, is not supported",
               a->head.xml->tag);
    return true;
}

static void check_activation(spec_work *w, spec_actuator *a, bool *stateful)
{
    const bool ranged = a->actrange[0] != 0 || a->actrange[1] != 0;
    const int states = activations(a);
    const bool has_state = states > 0;
    if (is_motor_of_another_class(w, a)) {
        a->actlimited = false;
    } else if (!has_state && (ranged || a->actlimited == SPEC_TRUE)) {
        spec_error(w, &a->head, ranged ? "actrange" : "actlimited", NULL,
                   "%s is not allowed for an actuator without activation (dyntype=\"none\")",
                   ranged ? "actrange" : "actlimited");
        a->actlimited = false;
    } else {
        a->actlimited = spec_limited(w, &a->head, a->actlimited, a->actrange, "actrange");
    }
    if (a->actdim != -1 && a->actdim != states) {
        spec_error(w, &a->head, "actdim", NULL, "actdim of this actuator is %d; it must be %d",
                   a->actdim, states);
    }
    if (w->spec->mujoco == SAL_MUJOCO_222 && *stateful && !has_state) {
        spec_error(w, &a->head, NULL, NULL,
                   "in MuJoCo 2.2.2, actuators without activation must come before those with "
                   "activation: move this one up");
    }
    *stateful = *stateful || has_state;
}

/* ---- parameters ---- */

static void check_muscle(spec_work *w, const spec_actuator *a, const double *prm)
{
    if (!(prm[0] < prm[1])) {
        spec_error(w, &a->head, "range", NULL,
                   "range of this muscle is %g %g; the first number must be less than the second",
                   prm[0], prm[1]);
    } else if (!(prm[4] < 1 && prm[5] > 1)) {
        spec_error(w, &a->head, prm[4] < 1 ? "lmax" : "lmin", NULL,
                   "this muscle has lmin %g and lmax %g; it needs lmin < 1 < lmax", prm[4], prm[5]);
    } else if (!(prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0)) {
        spec_error(w, &a->head, NULL, NULL,
                   "scale, vmax, fpmax and fvmax of this muscle are %g, %g, %g and %g; they must "
                   "be positive",
                   prm[3], prm[6], prm[7], prm[8]);
    }
}

static void check_parameters(spec_work *w, const spec_actuator *a)
{
    if (a->gaintype == SAL_GAIN_MUSCLE) {
        check_muscle(w, a, a->gainprm);
    }
    bool same = a->gaintype == SAL_GAIN_MUSCLE;
    for (size_t i = 0; i < sizeof a->gainprm / sizeof a->gainprm[0]; i++) {
        same = same && a->gainprm[i] == a->biasprm[i];
    }
    if (a->biastype == SAL_BIAS_MUSCLE && !same) {
        check_muscle(w, a, a->biasprm);
    }
}

/* What a callback of MuJoCo's user computes. Without one the gain is 1, and the bias 0. */
static void do_without_callbacks(spec_work *w, spec_actuator *a)
{
    static const double one[10] = {1};
    const bool gain = a->gaintype == SPEC_USER, bias = a->biastype == SPEC_USER;
    if (gain) {
        a->gaintype = SAL_GAIN_FIXED;
        memcpy(a->gainprm, one, sizeof one);
    }
    if (bias) {
        a->biastype = SAL_BIAS_NONE;
        memset(a->biasprm, 0, sizeof a->biasprm);
    }
    for (int i = 0; i < 2; i++) {
        if (i == 0 ? gain : bias) {
            const sal_xml_attr *at =
                sal_xml_find_attr(a->head.xml, i == 0 ? "gaintype" : "biastype");
            sal_diag_warning(w->diag, at == NULL ? a->head.xml->place : at->value_place, NULL,
                             "%s=\"user\" asks a callback of the user's program: as in MuJoCo "
                             "without one, the %s is %d",
                             i == 0 ? "gaintype" : "biastype", i == 0 ? "gain" : "bias", i == 0);
        }
    }
}

/* Armature and damping of a motor, seen through its gear, are the joint's or the tendon's. */
static void reflect(spec_work *w, const spec_actuator *a)
{
    const double gear2 = a->gear[0] * a->gear[0];
    const double *b = a->damping;
    if (a->armature == 0 && b[0] == 0 && b[1] == 0 && b[2] == 0) {
        return;
    }
    if (a->trntype != SAL_TRN_JOINT && a->trntype != SAL_TRN_TENDON) {
        spec_error(w, &a->head, a->armature != 0 ? "armature" : "damping", NULL,
                   "armature and damping are allowed only for an actuator on a joint or a tendon");
    } else if (a->trnid >= 0 && a->trntype == SAL_TRN_JOINT) {
        spec_joint *j = w->spec->joint.item[a->trnid];
        j->motor_armature += gear2 * a->armature;
        for (int k = 0; k < 3; k++) {
            j->motor_damping[k] += gear2 * b[k];
        }
    } else if (a->trnid >= 0) {
        spec_tendon *t = w->spec->tendon.item[a->trnid];
        t->armature += gear2 * a->armature;
        for (int k = 0; k < 3; k++) {
            t->damping[k] += gear2 * b[k];
        }
    }
}

/* Servos that turn take the shorter way round (physics/actuation/actuator.c, `period`). Neither a
 * <dcmotor> does, nor a <pid> whose control is another than the position, and what is left of them
 * when they are compiled does not say what they were. */
static void check_servo(spec_work *w, const spec_actuator *a)
{
    const spec_joint *j =
        a->trntype == SAL_TRN_JOINT && a->trnid >= 0 ? w->spec->joint.item[a->trnid] : NULL;
    const bool turns = (j != NULL && j->type == SAL_JNT_BALL) ||
                       (a->trntype == SAL_TRN_SITE && a->refsite != NULL);
    const bool goes = a->motor.given || (a->pid.given && !a->pid.servo);
    if (a->pid.given && a->dyntype == SAL_DYN_MOTOR && turns) {
        const char *attr = a->pid.ki > 0 ? "ki" : a->pid.slew > 0 ? "slewmax" : "forcerange";
        spec_error(w, &a->head, attr, NULL,
                   "%s of a <pid>%s is not supported on a ball joint or between sites", attr,
                   a->pid.ki > 0 || a->pid.slew > 0 ? ""
                                                    : " of several inputs, or a sensor of its "
                                                      "force,");
    }
    if (goes && turns && a->gainprm[0] != 0 && a->gainprm[0] == -a->biasprm[1]) {
        spec_error(w, &a->head, "input", a->pid.given ? "write another kp" : NULL,
                   a->pid.given
                       ? "a <pid> of this input whose gain is its kp is not supported on a "
                         "ball joint or between sites"
                       : "a <dcmotor> that controls a position is not supported on a ball "
                         "joint or between sites");
    }
}

static void check_orientation(spec_work *w, const spec_actuator *a)
{
    if (!a->orientation.given || a->orientation.part > 0) {
        return;
    }
    const bool joint = a->trnid >= 0 && a->trntype == SAL_TRN_JOINT;
    if (joint && ((const spec_joint *)w->spec->joint.item[a->trnid])->type != SAL_JNT_BALL) {
        spec_error(w, &a->head, "joint", NULL, "<orientation> needs a ball joint");
    }
    if (a->site != NULL && a->refsite == NULL) {
        spec_error(w, &a->head, "site", "write refsite=\"NAME\", the site against which it turns",
                   "<orientation> of a site needs a refsite");
    }
    if (a->forcelimited && a->forcerange[0] != 0) {
        spec_error(
            w, &a->head, "forcerange", "write forcerange=\"0 MOST\"",
            "forcerange of <orientation> is %g %g; it limits the size of the torque, so that "
            "it begins with 0",
            a->forcerange[0], a->forcerange[1]);
    }
}

void spec_compile_actuators(spec_work *w)
{
    bool stateful = false;
    for (int i = 0; i < w->spec->actuator.n; i++) {
        spec_actuator *a = w->spec->actuator.item[i];
        do_without_callbacks(w, a);
        find_transmission(w, a);
        inherit_range(w, a);
        a->ctrllimited = spec_limited(w, &a->head, a->ctrllimited, a->ctrlrange, "ctrlrange");
        a->forcelimited = spec_limited(w, &a->head, a->forcelimited, a->forcerange, "forcerange");
        check_activation(w, a, &stateful);
        check_parameters(w, a);
        check_servo(w, a);
        check_orientation(w, a);
        reflect(w, a);
    }
}

/* ---- the model's arrays ---- */

/* An upper bound of the nonzeros: all dofs for each actuator whose row is not known to be short. */
void spec_size_actuators(const mjcf_spec *spec, sal_model *m)
{
    long entries = m->nv; /* the pattern is found with this much room behind the last row */
    for (int i = 0; i < spec->actuator.n; i++) {
        const spec_actuator *a = spec->actuator.item[i];
        const bool joint = a->trntype == SAL_TRN_JOINT, tendon = a->trntype == SAL_TRN_TENDON;
        entries += joint    ? sal_joint_ndof(((const spec_joint *)spec->joint.item[a->trnid])->type)
                   : tendon ? ((const spec_tendon *)spec->tendon.item[a->trnid])->ndof
                            : m->nv;
        m->na += activations(a);
    }
    m->nmoment = (int)entries;
}

static void fill_actuator(sal_model *m, const spec_actuator *s, int i)
{
    m->actuator_trntype[i] = s->trntype;
    m->actuator_trnid[i] = s->trnid;
    m->actuator_refid[i] = s->refid;
    m->actuator_inparent[i] = s->jointinparent != NULL && s->trntype == SAL_TRN_JOINT;
    m->actuator_group[i] = s->group;
    m->actuator_dyntype[i] = s->dyntype;
    m->actuator_gaintype[i] = s->gaintype;
    m->actuator_biastype[i] = s->biastype;
    m->actuator_ctrllimited[i] = s->ctrllimited;
    m->actuator_forcelimited[i] = s->forcelimited;
    m->actuator_actlimited[i] = s->actlimited;
    m->actuator_actearly[i] = s->actearly && m->mujoco != SAL_MUJOCO_222;
    m->actuator_cranklength[i] = s->cranklength;
    memcpy(m->actuator_gear + 6 * i, s->gear, sizeof s->gear);
    memcpy(m->actuator_dynprm + 10 * i, s->dynprm, sizeof s->dynprm);
    memcpy(m->actuator_gainprm + 10 * i, s->gainprm, sizeof s->gainprm);
    memcpy(m->actuator_biasprm + 10 * i, s->biasprm, sizeof s->biasprm);
    memcpy(m->actuator_ctrlrange + 2 * i, s->ctrlrange, sizeof s->ctrlrange);
    memcpy(m->actuator_forcerange + 2 * i, s->forcerange, sizeof s->forcerange);
    memcpy(m->actuator_actrange + 2 * i, s->actrange, sizeof s->actrange);
    memcpy(m->actuator_lengthrange + 2 * i, s->lengthrange, sizeof s->lengthrange);
    if (s->orientation.given) { /* the range is that of all three together */
        m->actuator_gainprm[10 * i + 2] = s->forcelimited ? s->forcerange[1] : 0;
        m->actuator_forcelimited[i] = 0;
        memset(m->actuator_forcerange + 2 * i, 0, sizeof s->forcerange);
    }
}

void spec_fill_actuators(const mjcf_spec *spec, sal_model *m)
{
    int adr = 0;
    for (int i = 0; i < m->nu; i++) {
        const spec_actuator *s = spec->actuator.item[i];
        fill_actuator(m, s, i);
        m->actuator_actnum[i] = activations(s);
        m->actuator_actadr[i] = m->actuator_actnum[i] == 0 ? -1 : adr;
        adr += m->actuator_actnum[i];
    }
    phy_moment_pattern(m);
}
