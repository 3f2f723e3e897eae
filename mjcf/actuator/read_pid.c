/* read_pid.c: what a <pid> means as a <general> (measured on MuJoCo 3.14, and tried beside it in
 * tests/physics/actuator_314.mjs).
 *
 *     force = kp (pos - l) + kv (vel - ldot) + ff + b     b a constant that a class may give
 *
 * Those of pos, vel and ff that `input` names are controls, in this order; the others are 0. An
 * actuator of ours has one control, so that a <pid> of several is as many actuators on the same
 * transmission, whose forces add up. The first has the bias:
 *
 *     input   gain
 *     pos     kp         bias of the first: b - kp l - kv ldot, of the others: none
 *     vel     kv
 *     ff      1
 *
 * The first bears the name of the element, NAME, the others NAME.vel and NAME.ff. Where the sum has
 * a range, or a sensor shows it, the first exerts it all, and the others only say their controls.
 * The first has what has a state, too: the integral of pos - l, times ki, or else pos at a slew
 * rate (physics/actuation/motor.c).
 */
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

enum { INPUT_POS, INPUT_VEL, INPUT_FF, INPUT_COUNT };

static const char *const words[INPUT_COUNT] = {"pos", "vel", "ff"};

/* ---- inputs ---- */

int mjcf_parse_inputs(const char *text, const char *const *word, int nword, int *input)
{
    int n = 0, next = 0;
    const char *at = text == NULL ? "" : text;
    while (*(at += strspn(at, " \t\r\n")) != 0) {
        const size_t length = strcspn(at, " \t\r\n");
        while (next < nword &&
               !(strlen(word[next]) == length && strncmp(at, word[next], length) == 0)) {
            next++;
        }
        if (next == nword) {
            return -1;
        }
        input[n++] = next++;
        at += length;
    }
    return n;
}

/* Its inputs, in their order, and how many; 0 if the text is no such list */
static int inputs_of(const spec_actuator *a, int input[INPUT_COUNT])
{
    const int n = mjcf_parse_inputs(a->pid.input, words, INPUT_COUNT, input);
    if (n == 0) { /* as if nothing were said */
        input[0] = INPUT_POS;
        input[1] = INPUT_VEL;
        return 2;
    }
    return n > 0 ? n : 0;
}

static void check_inputs(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a, int n,
                         const int *input)
{
    const bool ratio = a->pid.bias[2] > 0;
    bool pos = false, vel = false;
    for (int k = 0; k < n; k++) {
        pos = pos || input[k] == INPUT_POS;
        vel = vel || input[k] == INPUT_VEL;
    }
    if (n == 0) {
        mjcf_error(r, mjcf_place_of(xml, "input"), "write some of pos, vel and ff, in this order",
                   "input '%.100s' of <pid> is not supported", a->pid.input);
    } else if (ratio && (vel || !pos)) {
        mjcf_error(r, mjcf_place_of(xml, "dampratio"), "write kv instead",
                   "dampratio of <pid> is supported only with the inputs pos and pos ff");
    }
}

bool mjcf_is_watched(const sal_xml *actuator)
{
    const sal_xml_attr *name = sal_xml_find_attr(actuator, "name");
    const sal_xml *root = actuator->parent == NULL ? NULL : actuator->parent->parent;
    for (const sal_xml *list = root == NULL ? NULL : root->child; list != NULL; list = list->next) {
        const bool sensors = name != NULL && strcmp(list->tag, "sensor") == 0;
        for (const sal_xml *s = sensors ? list->child : NULL; s != NULL; s = s->next) {
            const sal_xml_attr *of = sal_xml_find_attr(s, "actuator");
            if (strcmp(s->tag, "actuatorfrc") == 0 && of != NULL &&
                strcmp(of->value, name->value) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_fed(const sal_xml *xml, const spec_actuator *a)
{
    const bool ranged = a->forcerange[0] != 0 || a->forcerange[1] != 0;
    return a->pid.inputs > 1 && (a->forcelimited == SPEC_TRUE ||
                                 (a->forcelimited == SPEC_AUTO && ranged) || mjcf_is_watched(xml));
}

static void check_states(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a, int input)
{
    const bool integrates = a->pid.ki > 0, slews = a->pid.slew > 0;
    const char *attr = integrates ? "ki" : "slewmax";
    if (integrates && slews) {
        mjcf_error(r, mjcf_place_of(xml, attr), "keep one of them",
                   "ki and slewmax of <pid> together are not supported");
    } else if ((integrates || slews) && input != INPUT_POS) {
        mjcf_error(r, mjcf_place_of(xml, attr), "write input=\"pos\"",
                   "%s of <pid> needs the input pos", attr);
    } else if (integrates && a->pid.imax < 0) {
        mjcf_error(r, mjcf_place_of(xml, "imax"), NULL, "imax of <pid> must not be negative");
    } else if ((integrates || slews || a->pid.fed) && a->pid.bias[0] != 0) {
        mjcf_error(r, a->pid.fed ? xml->place : mjcf_place_of(xml, attr),
                   "write a class of its own for <pid>",
                   "%s of a <pid> of a class with a constant bias is not supported",
                   a->pid.fed ? "a limited or shown force" : attr);
    }
}

/* ---- gains ---- */

static void read_bias(mjcf_reader *r, const sal_xml *xml, spec_actuator *a)
{
    const spec_shortcut *s = &a->said;
    if (!a->pid.given) { /* of a class of another kind */
        memcpy(a->pid.bias, a->biasprm, sizeof a->pid.bias);
    }
    a->pid.given = true;
    a->pid.bias[1] = isnan(s->kp) ? a->pid.bias[1] : -s->kp;
    a->pid.bias[2] = isnan(s->kv) ? a->pid.bias[2] : -s->kv;
    a->pid.bias[2] = isnan(s->dampratio) ? a->pid.bias[2] : s->dampratio;
    if (sal_xml_find_attr(xml, "kv") != NULL && sal_xml_find_attr(xml, "dampratio") != NULL) {
        mjcf_error(r, mjcf_place_of(xml, "kv"), NULL,
                   "<pid> gives both kv and dampratio; keep one of them");
    }
}

static void check_position_range(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a)
{
    const bool ranged = sal_xml_find_attr(xml, "posrange") != NULL;
    if (ranged && sal_xml_find_attr(xml, "ctrlrange") != NULL) {
        mjcf_error(r, mjcf_place_of(xml, "posrange"), NULL,
                   "<pid> gives both posrange and ctrlrange, which are the same; keep one of them");
    } else if (a->inheritrange > 0 && (a->ctrlrange[0] != 0 || a->ctrlrange[1] != 0)) {
        mjcf_error(r, mjcf_place_of(xml, "inheritrange"), NULL,
                   "<pid> gives both %s and inheritrange; keep one of them",
                   ranged ? "posrange" : "ctrlrange");
    }
}

/* The range of an input other than pos; ctrllimited is not about it. */
static void set_range(mjcf_reader *r, const sal_xml *xml, spec_actuator *a, int input)
{
    const double *range = input == INPUT_VEL ? a->pid.velrange : a->pid.ffrange;
    const char *attr = input == INPUT_VEL ? "velrange" : "ffrange";
    const bool given = range[0] != 0 || range[1] != 0;
    memcpy(a->ctrlrange, range, sizeof a->ctrlrange);
    a->inheritrange = 0;
    a->ctrllimited = given ? SPEC_TRUE : SPEC_FALSE;
    if (given && !(range[0] < range[1])) {
        mjcf_error(r, mjcf_place_of(xml, attr), NULL,
                   "%s of <pid> is %g %g; its first number must be less than the second", attr,
                   range[0], range[1]);
        a->ctrllimited = SPEC_FALSE;
    }
}

static void imply_general(spec_actuator *a, int input)
{
    const double *bias = a->pid.bias;
    const double gain[INPUT_COUNT] = {-bias[1], -bias[2], 1};
    memset(a->gainprm, 0, sizeof a->gainprm);
    memset(a->biasprm, 0, sizeof a->biasprm);
    memset(a->dynprm, 0, sizeof a->dynprm);
    a->dyntype = SAL_DYN_NONE;
    a->gaintype = SAL_GAIN_FIXED;
    a->biastype = a->pid.part == 0 ? SAL_BIAS_AFFINE : SAL_BIAS_NONE;
    a->gainprm[0] = gain[input];
    a->dynprm[0] = 1;
    if (a->pid.part == 0 && (a->pid.ki > 0 || a->pid.slew > 0 || a->pid.fed)) {
        a->dyntype = SAL_DYN_MOTOR;
        a->dynprm[0] = 0;
        a->dynprm[7] = a->pid.slew;
        a->dynprm[8] = a->pid.imax;
        a->gainprm[5] = a->pid.ki;
        a->gainprm[6] = a->pid.fed ? a->pid.inputs - 1 : 0;
        a->gainprm[8] = input;
    }
    if (a->pid.part == 0) {
        memcpy(a->biasprm, bias, sizeof a->pid.bias);
    } else { /* the motor turns once */
        if (a->pid.fed) {
            const double share[4] = {0, gain[input], 0, input};
            memcpy(a->gainprm, share, sizeof share);
            memset(a->forcerange, 0, sizeof a->forcerange);
            a->forcelimited = SPEC_FALSE;
        }
        a->armature = 0;
        memset(a->damping, 0, sizeof a->damping);
    }
}

void mjcf_imply_pid(mjcf_reader *r, const sal_xml *xml, bool in_default, spec_actuator *actuator)
{
    spec_actuator *a = actuator;
    int input[INPUT_COUNT] = {0};
    read_bias(r, xml, a);
    if (in_default) { /* a part of the numbers will do */
        return;
    }
    a->pid.inputs = inputs_of(a, input);
    const int which = input[a->pid.part];
    if (a->pid.part == 0) {
        a->pid.fed = is_fed(xml, a);
        check_inputs(r, xml, a, a->pid.inputs, input);
        check_states(r, xml, a, input[0]);
    }
    a->pid.servo = which == INPUT_POS;
    if (a->pid.servo) {
        check_position_range(r, xml, a);
    } else {
        set_range(r, xml, a, which);
    }
    imply_general(a, which);
}

/* NAME.part; NULL where there is no name */
static const char *part_name(mjcf_reader *r, const char *name, const char *part)
{
    if (name == NULL || name[0] == 0) {
        return NULL;
    }
    const size_t size = strlen(name) + strlen(part) + 2;
    char *text = spec_take(r->spec, size, 1);
    if (text != NULL) {
        snprintf(text, size, "%s.%s", name, part);
    }
    return text;
}

spec_actuator *mjcf_add_part(mjcf_reader *r, const spec_actuator *first, const char *part)
{
    spec_actuator *a = spec_keep(r->spec, &r->spec->actuator, first, sizeof *first);
    if (a != NULL) {
        a->head.name = part_name(r, first->head.name, part);
    }
    return a;
}

void mjcf_read_pid_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first)
{
    int input[INPUT_COUNT] = {0};
    const int n = inputs_of(first, input);
    for (int part = 1; part < n; part++) {
        spec_actuator *a = mjcf_add_part(r, first, words[input[part]]);
        if (a != NULL) {
            a->pid.part = part;
            mjcf_imply_pid(r, xml, false, a);
        }
    }
}
