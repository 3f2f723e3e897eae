/* read_dcmotor.c: what a <dcmotor> means as a <general> (MuJoCo documentation, "MuJoCo DC Motor
 * Model"; measured on MuJoCo 3.14, and tried beside it in tests/physics/actuator_314.mjs).
 *
 *     V = R i + K ldot,   force = K i         V the voltage, i the current, K the motor constant
 *
 * so that, with the ctrl u as the voltage,
 *
 *     force = K/R u - K^2/R ldot
 *
 * A controller asks for a force, and knows how fast the motor turns: V = R/K force + K ldot, so
 * that K and R fall out:
 *
 *     force = kp (pos - l) + kd (vel - ldot) + ff + K/R voltage
 *
 * u being one of pos, vel, ff, the others 0. One of several inputs is several actuators, as a <pid>
 * is (read_pid.c). Where there is a limit to their sum, a sensor of it, or a current or
 * temperature, the first exerts it all, and the others only say their controls. Cogging adds
 * A sin(N l + phase), which no limit cuts. Without it these are gains and biases of a <general>.
 * What has a state (inductance, temperature, ki, a slew rate, friction of LuGre), a largest
 * voltage, and what further controls feed, is in physics/actuation/motor.c; of several inputs only
 * the first has states.
 */
#include "mjcf/reader.h"

#include <string.h>

enum { INPUT_POS, INPUT_VEL, INPUT_FF, INPUT_VOLTAGE, INPUT_COUNT };

static const char *const words[INPUT_COUNT] = {"pos", "vel", "ff", "voltage"};

static double said(double number, double otherwise)
{
    return isnan(number) ? otherwise : number;
}

/* K: the mean of the torque constant Kt and the constant Ke of the back-EMF, which are the same in
 * SI units, or the one that is known. Without Ke a voltage and the speed that it makes say it. */
static double motor_constant(const spec_actuator *a)
{
    const spec_shortcut *s = &a->said;
    const bool new = !isnan(s->motorconst[0]);
    const double kt = new ? s->motorconst[0] : a->motor.constant;
    const double ke = said(s->motorconst[1], 0), speed = said(s->nominal[2], 0);
    const double nominal = speed > 0 && s->nominal[0] > 0 ? s->nominal[0] / speed : 0;
    const double other = ke > 0 ? ke : nominal;
    return kt > 0 && other > 0 ? sqrt(kt * other) : fmax(kt, other);
}

/* R, or from a voltage V and the torque at which it stalls the motor: K V / torque */
static double resistance(const spec_actuator *a, double constant)
{
    const spec_shortcut *s = &a->said;
    const double torque = said(s->nominal[1], 0);
    const double known = said(s->resistance, a->motor.resistance);
    return known == 0 && torque > 0 ? constant * s->nominal[0] / torque : known;
}

/* |force| <= saturation[0], or else |i| <= saturation[1] */
static void limit(spec_actuator *a, double constant)
{
    double *s = a->motor.saturation;
    for (int k = 0; k < 3; k++) {
        s[k] = said(a->said.saturation[k], s[k]);
    }
    const double most = s[0] > 0 ? s[0] : constant * s[1];
    if (!isnan(a->said.saturation[0]) && most > 0) {
        a->forcerange[0] = -most;
        a->forcerange[1] = most;
        a->forcelimited = SPEC_TRUE;
    }
}

/* ---- states ---- */

/* L/R, or the time constant itself */
static void read_current(mjcf_reader *r, const sal_xml *xml, spec_actuator *a, double resistance)
{
    const double L = said(a->said.inductance[0], 0);
    a->motor.time_constant = said(a->said.inductance[1], a->motor.time_constant);
    if (L > 0 && resistance > 0) {
        a->motor.time_constant = L / resistance;
    } else if (L > 0) {
        mjcf_error(r, mjcf_place_of(xml, "inductance"), "write the resistance beside it",
                   "inductance of <dcmotor> needs the resistance of the motor");
    }
}

/* Of resistance, capacity and their product, a time constant, two are enough. */
static void read_thermal(mjcf_reader *r, const sal_xml *xml, spec_actuator *a)
{
    double *t = a->motor.thermal;
    bool given = t[0] > 0;
    for (int k = 0; k < 6; k++) {
        t[k] = said(a->said.thermal[k], k == 2 ? 0 : t[k]);
        given = given || (k < 3 && t[k] != 0);
    }
    if (t[0] == 0 && t[1] > 0) {
        t[0] = t[2] / t[1];
    } else if (t[1] == 0 && t[0] > 0) {
        t[1] = t[2] / t[0];
    }
    if (given && !(t[0] > 0 && t[1] > 0)) {
        mjcf_error(r, mjcf_place_of(xml, "thermal"), "write thermal=\"resistance capacity ..\"",
                   "thermal of <dcmotor> needs two positive numbers of resistance, capacity and "
                   "time constant");
    }
}

/* What holds a controller's voltage; one that is the control itself is not held (as in MuJoCo). */
static double largest_voltage(const spec_actuator *a, int input)
{
    return input == INPUT_VOLTAGE ? 0 : a->motor.controller[5];
}

/* input: what the first control is */
static bool is_electric(const spec_actuator *a, int input)
{
    return a->motor.time_constant > 0 || a->motor.thermal[0] > 0 || largest_voltage(a, input) > 0;
}

static void imply_motor(spec_actuator *a, int input, double K, double R)
{
    const double *c = a->motor.controller, *t = a->motor.thermal;
    const double *friction = a->motor.lugre;
    if (!is_electric(a, input) && c[1] == 0 && c[3] == 0 && !(friction[0] > 0) && !a->motor.fed) {
        return;
    }
    const int further = a->motor.fed ? a->motor.inputs - 1 : 0;
    const double dyn[] = {a->motor.time_constant,
                          a->motor.saturation[2],
                          t[0],
                          t[1],
                          t[5],
                          friction[0],
                          friction[1],
                          c[3],
                          c[4]};
    const double gain[] = {
        a->gainprm[0], K, t[3], t[4], R, c[1], further, largest_voltage(a, input), input};
    a->dyntype = SAL_DYN_MOTOR;
    memset(a->dynprm, 0, sizeof a->dynprm);
    memcpy(a->dynprm, dyn, sizeof dyn);
    memcpy(a->gainprm, gain, sizeof gain);
    sal_v3_copy(a->biasprm + 6, friction + 2);
}

/* ---- inputs ---- */

/* Its inputs, in their order, and how many; 0 if the text is no such list */
static int inputs_of(const spec_actuator *a, int input[INPUT_COUNT])
{
    const int n = mjcf_parse_inputs(a->motor.input, words, INPUT_COUNT, input);
    if (n == 0) {
        input[0] = INPUT_VOLTAGE;
        return 1;
    }
    return n > 0 ? n : 0;
}

static void check_inputs(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a, int n)
{
    if (n == 0) {
        mjcf_error(r, mjcf_place_of(xml, "input"),
                   "write some of pos, vel, ff and voltage, in this order",
                   "input '%.100s' of <dcmotor> is not supported", a->motor.input);
    }
}

/* input: the first */
static void check_controller(mjcf_reader *r, const sal_xml *xml, const spec_actuator *a, int input)
{
    const double *c = a->motor.controller;
    if (input == INPUT_VOLTAGE && (c[0] != 0 || c[1] != 0 || c[2] != 0 || c[3] != 0)) {
        mjcf_error(r, mjcf_place_of(xml, "controller"), "write input=\"pos\", \"vel\" or \"ff\"",
                   "controller of <dcmotor> needs an input to control, and the input is a voltage");
    } else if (c[1] != 0 && input != INPUT_POS) {
        mjcf_error(
            r, mjcf_place_of(xml, "controller"), "write input=\"pos\"",
            "controller of <dcmotor> gives a gain of the integral (the second number), which "
            "needs the input pos");
    }
}

/* MuJoCo takes what a class says for other kinds as its own: gainprm for a largest voltage, dynprm
 * for the numbers of a state. */
static bool is_mistaken(const spec_actuator *a, int input)
{
    bool mistaken = input != INPUT_VOLTAGE && a->gainprm[7] != 0;
    if (a->dyntype == SAL_DYN_MOTOR) { /* read again: these are its own */
        return false;
    }
    for (size_t k = 2; k < sizeof a->dynprm / sizeof a->dynprm[0]; k++) {
        mistaken = mistaken || a->dynprm[k] != 0;
    }
    return mistaken;
}

/* controlled: by another input than the voltage alone */
static void imply_general(spec_actuator *a, int input, bool controlled, double K, double R)
{
    const double kp = a->motor.controller[0], kd = a->motor.controller[2];
    const double gain[INPUT_COUNT] = {kp, kd, 1, K / R};
    if (a->dyntype == SAL_DYN_MOTOR) {
        memset(a->dynprm, 0, sizeof a->dynprm);
    }
    memset(a->gainprm, 0, sizeof a->gainprm);
    memset(a->biasprm, 0, sizeof a->biasprm);
    a->dyntype = SAL_DYN_NONE;
    a->gaintype = SAL_GAIN_FIXED;
    a->inheritrange = 0;
    a->gainprm[0] = gain[input];
    if (a->motor.part > 0) { /* the motor turns once */
        a->biastype = SAL_BIAS_NONE;
        if (a->motor.fed) {
            const bool volts = input == INPUT_VOLTAGE;
            const double share[4] = {0, volts ? 0 : gain[input], volts ? 1 : 0, input};
            memcpy(a->gainprm, share, sizeof share);
        }
        a->armature = 0;
        memset(a->damping, 0, sizeof a->damping);
        return;
    }
    a->biastype = a->motor.cogging[0] != 0 ? SAL_BIAS_COGGING : SAL_BIAS_AFFINE;
    a->biasprm[1] = controlled ? -kp : 0;
    a->biasprm[2] = controlled ? -kd : -K * K / R;
    if (a->motor.cogging[0] != 0) {
        sal_v3_copy(a->biasprm + 3, a->motor.cogging);
    }
    imply_motor(a, input, K, R);
}

void mjcf_imply_dcmotor(mjcf_reader *r, const sal_xml *xml, bool in_default,
                        spec_actuator *actuator)
{
    spec_actuator *a = actuator;
    const double K = motor_constant(a), R = resistance(a, K);
    a->motor.given = true;
    limit(a, K);
    if (a->motor.part == 0) {
        read_current(r, xml, a, R);
        read_thermal(r, xml, a);
    }
    if (in_default) { /* a part of the numbers will do */
        a->motor.constant = fmax(0, K);
        a->motor.resistance = fmax(0, R);
    } else if (!(K > 0)) {
        mjcf_error(r, mjcf_place_of(xml, "motorconst"), "write motorconst=\"K\", in N m/A",
                   "the motor constant of <dcmotor> must be positive");
    } else if (!(R > 0)) {
        mjcf_error(r, mjcf_place_of(xml, "resistance"), "write resistance=\"R\", in Ohm",
                   "the resistance of <dcmotor> must be positive");
    } else {
        int input[INPUT_COUNT] = {INPUT_VOLTAGE};
        a->motor.inputs = inputs_of(a, input);
        if (a->motor.part == 0) {
            a->motor.fed =
                a->motor.inputs > 1 &&
                (a->forcelimited == SPEC_TRUE || is_electric(a, input[0]) || mjcf_is_watched(xml));
            check_inputs(r, xml, a, a->motor.inputs);
            check_controller(r, xml, a, input[0]);
        }
        if (a->motor.part == 0 && is_mistaken(a, input[0])) {
            mjcf_error(r, xml->place, "write a class of its own for <dcmotor>",
                       "<dcmotor> of a class with gainprm or dynprm of others is not supported");
        }
        imply_general(a, input[a->motor.part], input[0] != INPUT_VOLTAGE, K, R);
    }
}

void mjcf_read_dcmotor_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first)
{
    int input[INPUT_COUNT] = {0};
    const int n = inputs_of(first, input);
    for (int part = 1; part < n; part++) {
        spec_actuator *a = mjcf_add_part(r, first, words[input[part]]);
        if (a != NULL) {
            a->motor.part = part;
            mjcf_imply_dcmotor(r, xml, false, a);
        }
    }
}
