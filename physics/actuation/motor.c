/* motor.c: controllers and motors with states (MuJoCo documentation, "MuJoCo DC Motor Model";
 * measured on MuJoCo 3.14, and tried beside it in tests/physics/actuator_states_314.mjs). With the
 * control u, the length l, the timestep h, and those of these states that the parameters ask for,
 * in this order,
 *
 *     s    the control of the step before         s' = u within s +- h slew;     else  s' = u
 *     x    an integral                            xdot = s' - l, not outwards where |x| >= most
 *     T    how much warmer the winding is than its surroundings
 *     z    how far the bristles of friction are bent
 *     i    the current
 *
 * the controller asks for the force
 *
 *     f = gain s' + ki x + b0 + b1 l + b2 ldot + f_u
 *
 * and a <pid> exerts it. f_u and V_u are what further controls ask for, those of the actuators
 * that follow, which exert nothing themselves. A motor (K > 0) is given the voltage that would
 * exert f if it were cold and the current there at once:
 *
 *     V = R/K f + K ldot                          within +- Vmax,   + V_u
 *     R_T = R (1 + alpha (T + Ta - T0))           else R
 *     i_end = (V - K ldot)/R_T                    where the current goes
 *     idot = (i_end - i)/te                       within +- its largest rate
 *     Tdot = (R_T i^2 - T/RT)/C                   without a state i that of i_end
 *
 *     force = K (i + te (1 - exp(-h/te)) idot)    the current at the end of the step; else K i_end
 *
 * Friction (LuGre) is in no range, as cogging is not:
 *
 *     g = F_C + (F_S - F_C) exp(-(ldot/v_S)^2)
 *     zdot = ldot - sigma0 |ldot|/g z             integrated exactly for a constant ldot
 *     force = -sigma0 z - sigma1 zdot
 *
 *     dynprm     te, largest idot, RT, C, Ta, sigma0, sigma1, slew, most
 *     gainprm    gain, K, alpha, T0, R, ki, how many further controls, Vmax, what controls it (an
 *                <input> of mjcf);   of a further control  0, its share in f, in V, its <input>
 *     biasprm    b0, b1, b2, three of cogging, F_C, F_S, v_S
 */
#include "physics/motor.h"

#include "base/house.h"

#include <math.h>

phy_motor_states phy_motor_states_of(const double *dynprm, const double *gainprm)
{
    phy_motor_states s = {-1, -1, -1, -1, -1, 0};
    const bool electric = gainprm[1] > 0;
    if (dynprm[7] > 0) {
        s.slew = s.n++;
    }
    if (gainprm[5] > 0) {
        s.integral = s.n++;
    }
    if (electric && dynprm[2] > 0) {
        s.temperature = s.n++;
    }
    if (dynprm[5] > 0) {
        s.bristle = s.n++;
    }
    if (electric && dynprm[0] > 0) {
        s.current = s.n++;
    }
    return s;
}

static double clip(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* within +- most; most = 0: unlimited */
static double within(double x, double most)
{
    return most > 0 ? clip(x, -most, most) : x;
}

typedef struct view { /* one of them, at the state */
    phy_motor_states at;
    const double *dyn, *gain, *bias, *act;
    double l, ldot, h;
    double resistance;          /* R_T */
    double fed_force, fed_volt; /* f_u, V_u */
} view;

static view look(const sal_model *m, const sal_data *d, int i)
{
    view x = {.dyn = m->actuator_dynprm + 10 * i,
              .gain = m->actuator_gainprm + 10 * i,
              .bias = m->actuator_biasprm + 10 * i,
              .l = d->actuator_length[i],
              .ldot = d->actuator_velocity[i],
              .h = m->opt.timestep};
    x.at = phy_motor_states_of(x.dyn, x.gain);
    x.act = d->act + (x.at.n > 0 ? m->actuator_actadr[i] : 0);
    x.resistance = x.gain[4];
    if (x.at.temperature >= 0) {
        const double T = x.act[x.at.temperature] + x.dyn[4];
        x.resistance *= 1 + x.gain[2] * (T - x.gain[3]);
    }
    x.resistance = fmax(SAL_MINVAL, x.resistance);
    for (int k = i + 1; k <= i + (int)x.gain[6]; k++) {
        const double u = phy_control(m, d, k), *share = m->actuator_gainprm + 10 * k + 1;
        x.fed_force += share[0] * u;
        x.fed_volt += share[1] * u;
    }
    return x;
}

int phy_motor_fed_by(const sal_model *m, int i)
{
    for (int k = i - 1; k >= 0 && k >= i - 3; k--) {
        if (phy_is_motor(m, k)) {
            return m->actuator_gainprm[10 * k + 6] >= i - k ? k : -1;
        }
    }
    return -1;
}

/* s' */
static double slewed(const view *x, double u)
{
    if (x->at.slew < 0) {
        return u;
    }
    const double s = x->act[x->at.slew], most = x->h * x->dyn[7];
    return clip(u, s - most, s + most);
}

/* f, of s' */
static double asked(const view *x, double s)
{
    const double integral = x->at.integral < 0 ? 0 : x->gain[5] * x->act[x->at.integral];
    return x->gain[0] * s + integral + x->bias[0] + x->bias[1] * x->l + x->bias[2] * x->ldot +
           x->fed_force;
}

/* V, before its limit */
static double voltage(const view *x, double f)
{
    return x->gain[4] / x->gain[1] * f + x->gain[1] * x->ldot;
}

/* i_end, of V */
static double end_current(const view *x, double V)
{
    return (within(V, x->gain[7]) + x->fed_volt - x->gain[1] * x->ldot) / x->resistance;
}

/* idot, before its limit */
static double current_rate(const view *x, double end)
{
    return (end - x->act[x->at.current]) / x->dyn[0];
}

/* The integral of exp(-t/te) over h */
static double current_span(const view *x, double h)
{
    return -x->dyn[0] * expm1(-h / x->dyn[0]);
}

/* ---- force ---- */

/* d force / d i_end */
static double by_end_current(const view *x)
{
    const double K = x->gain[1];
    return x->at.current < 0 ? K : K * current_span(x, x->h) / x->dyn[0];
}

double phy_motor_slope(const sal_model *m, const sal_data *d, int i)
{
    const view x = look(m, d, i);
    const double K = x.gain[1], viscous = x.at.bristle < 0 ? 0 : x.dyn[6];
    const double share = K > 0 ? by_end_current(&x) / K * x.gain[4] / x.resistance : 1;
    return x.bias[2] * share - viscous;
}

double phy_motor_length_slope(const sal_model *m, const sal_data *d, int i)
{
    const view x = look(m, d, i);
    const double K = x.gain[1];
    return x.bias[1] * (K > 0 ? by_end_current(&x) / K : 1);
}

/* The law of f becomes that of K i. */
static phy_actuator_law electric(const view *x, const phy_actuator_law *f)
{
    const double K = x->gain[1], most = x->gain[7], V = voltage(x, f->force);
    const double end = end_current(x, V);
    const bool full = most > 0 && !(fabs(V) < most);
    double by_end = by_end_current(x), force = K * end;
    if (x->at.current >= 0) {
        const double rate = current_rate(x, end), limited = within(rate, x->dyn[1]);
        force = K * (x->act[x->at.current] + current_span(x, x->h) * limited);
        by_end = limited == rate ? by_end : 0;
    }
    const double scale = full ? 0 : x->gain[4] / K * by_end / x->resistance;
    return (phy_actuator_law){.force = force,
                              .by_length = scale * f->by_length,
                              .by_velocity =
                                  full ? -K * by_end / x->resistance : scale * f->by_velocity,
                              .by_input = scale * f->by_input};
}

phy_actuator_law phy_motor_law(const sal_model *m, const sal_data *d, int i, double u)
{
    const view x = look(m, d, i);
    const double s = slewed(&x, u);
    const phy_actuator_law f = {.force = asked(&x, s),
                                .by_length = x.bias[1],
                                .by_velocity = x.bias[2],
                                .by_input = s == u ? x.gain[0] : 0};
    return x.gain[1] > 0 ? electric(&x, &f) : f;
}

double phy_motor_by_control(const sal_model *m, const sal_data *d, int i, double u, int k)
{
    const view x = look(m, d, i);
    const double *share = m->actuator_gainprm + 10 * k + 1, K = x.gain[1], most = x.gain[7];
    if (!(K > 0)) {
        return share[0];
    }
    const double V = voltage(&x, asked(&x, slewed(&x, u))), end = end_current(&x, V);
    const bool full = most > 0 && !(fabs(V) < most);
    const double rate = x.at.current >= 0 ? current_rate(&x, end) : 0;
    const double by_end = within(rate, x.dyn[1]) == rate ? by_end_current(&x) : 0;
    return by_end / x.resistance * (share[1] + (full ? 0 : x.gain[4] / K * share[0]));
}

/* ---- friction ---- */

/* a = -sigma0 |ldot|/g, and its slope by ldot */
static double bristle_decay(const view *x, double *slope)
{
    const double *friction = x->bias + 6, sigma = x->dyn[5];
    const double ratio = x->ldot / fmax(SAL_MINVAL, friction[2]);
    const double drop = (friction[1] - friction[0]) * exp(-ratio * ratio);
    const double g = fmax(SAL_MINVAL, friction[0] + drop);
    const double dg = g > SAL_MINVAL ? -2 * ratio * drop / fmax(SAL_MINVAL, friction[2]) : 0;
    const double speed = fabs(x->ldot), sign = x->ldot < 0 ? -1 : x->ldot > 0 ? 1 : 0;
    *slope = -sigma * (sign - speed * dg / g) / g;
    return -sigma * speed / g;
}

double phy_motor_friction(const sal_model *m, const sal_data *d, int i, double *slope)
{
    const view x = look(m, d, i);
    double turn = 0;
    *slope = 0;
    if (x.at.bristle < 0) {
        return 0;
    }
    const double z = x.act[x.at.bristle], rate = bristle_decay(&x, &turn) * z + x.ldot;
    *slope = -x.dyn[6] * (turn * z + 1);
    return -x.dyn[5] * z - x.dyn[6] * rate;
}

/* z after a time h: exp(a h) z + (exp(a h) - 1)/a ldot */
static double next_bristle(const view *x, double h)
{
    double slope;
    const double a = bristle_decay(x, &slope), z = x->act[x->at.bristle];
    return exp(a * h) * z + (fabs(a) > SAL_MINVAL ? expm1(a * h) / a : h) * x->ldot;
}

/* ---- states ---- */

/* xdot, not outwards where |x| >= most */
static double integral_rate(const view *x, double s)
{
    const double rate = s - x->l, most = x->dyn[8], integral = x->act[x->at.integral];
    if (most > 0 && integral >= most) {
        return fmin(rate, 0);
    }
    return most > 0 && integral <= -most ? fmax(rate, 0) : rate;
}

void phy_motor_rates(const sal_model *m, sal_data *d, int i, double u)
{
    const view x = look(m, d, i);
    const double s = slewed(&x, u);
    double *rate = d->act_dot + (x.at.n > 0 ? m->actuator_actadr[i] : 0), end = 0;
    if (x.at.slew >= 0) {
        rate[x.at.slew] = (s - x.act[x.at.slew]) / x.h;
    }
    if (x.at.integral >= 0) {
        rate[x.at.integral] = integral_rate(&x, s);
    }
    if (x.at.temperature >= 0 || x.at.current >= 0) {
        end = end_current(&x, voltage(&x, asked(&x, s)));
    }
    if (x.at.temperature >= 0) {
        const double current = x.at.current >= 0 ? x.act[x.at.current] : end;
        const double heat = x.resistance * current * current;
        rate[x.at.temperature] = (heat - x.act[x.at.temperature] / x.dyn[2]) / x.dyn[3];
    }
    if (x.at.bristle >= 0) {
        double slope;
        rate[x.at.bristle] = bristle_decay(&x, &slope) * x.act[x.at.bristle] + x.ldot;
    }
    if (x.at.current >= 0) {
        rate[x.at.current] = within(current_rate(&x, end), x.dyn[1]);
    }
}

/* A motor's integral stays within its limit; that of a <pid> passes it by a step. */
void phy_motor_advance(const sal_model *m, sal_data *d, int i, const double *rate, double h)
{
    const view x = look(m, d, i);
    const int adr = x.at.n > 0 ? m->actuator_actadr[i] : 0;
    double *act = d->act + adr;
    for (int k = 0; k < x.at.n; k++) {
        if (k == x.at.bristle) {
            act[k] = next_bristle(&x, h);
            continue;
        }
        act[k] += rate[adr + k] * (k == x.at.current ? current_span(&x, h) : h);
        if (k == x.at.integral && x.gain[1] > 0) {
            act[k] = within(act[k], x.dyn[8]);
        }
    }
}
