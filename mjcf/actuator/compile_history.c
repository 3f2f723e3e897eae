/* compile_history.c: delays of actuators and sensors, and the intervals of sensors (measured on
 * MuJoCo 3.14, and tried beside it in tests/physics/delay_314.mjs). A delay takes its values from a
 * history of nsample samples, which must reach back as far; MuJoCo takes the oldest where it does
 * not. */
#include "mjcf/compile.h"
#include "physics/compiling.h"

#include <stdio.h>

/* Samples of one history (MuJoCo's limit), and numbers of all: 1 GiB */
enum { SAMPLES_MAX = 1 << 24, NUMBERS_MAX = 1 << 27 };

static void check_interval(spec_work *w, const spec_head *head, const spec_history *h)
{
    const double period = h->interval[0], phase = h->interval[1];
    const char *tag = head->xml->tag;
    if (period < 0) {
        spec_error(w, head, "interval", NULL, "interval of <%s> is %g s; it must not be negative",
                   tag, period);
    } else if (phase > 0 || (period > 0 && phase <= -period)) {
        spec_error(w, head, "interval", NULL,
                   "phase of <%s>, the second number of interval, is %g s; it must be within "
                   "-interval and 0",
                   tag, phase);
    } else if (period > 0 && h->nsample <= 0) {
        sal_diag_warning(
            w->diag, sal_xml_find_attr(head->xml, "interval")->value_place, "write nsample=\"1\"",
            "interval of <%s> has no effect without nsample: it reads at each step", tag);
    }
}

/* How many samples a history needs: one each step or period, the newest a step ago or longer */
static double samples_needed(const spec_history *h, double step)
{
    const double period = h->interval[0];
    return period > step ? 1 + ceil((h->delay - step) / period - 1e-9)
                         : ceil(h->delay / step - 1e-9);
}

/* MuJoCo takes the newest sample of an actuator, and a sensor shows what it does without. */
static void warn_of_negative(spec_work *w, const spec_head *head, const spec_history *h, bool late)
{
    const sal_xml_attr *said = sal_xml_find_attr(head->xml, "delay");
    const sal_place at = said == NULL ? head->xml->place : said->value_place;
    if (h->delay < 0) {
        sal_diag_warning(w->diag, at, late ? "write delay=\"0\" for none" : NULL,
                         "delay of <%s> is %g s; a negative one %s", head->xml->tag, h->delay,
                         late ? "is one of a time step, as in MuJoCo" : "has no effect");
    }
}

static void check_delay(spec_work *w, const spec_head *head, const spec_history *h)
{
    const double step = w->spec->option.opt.timestep, needed = samples_needed(h, step);
    const char *tag = head->xml->tag;
    char help[40] = "write a shorter delay";
    if (needed <= SAMPLES_MAX) {
        snprintf(help, sizeof help, "write nsample=\"%.0f\"", fmax(1, needed));
    }
    if (h->nsample > SAMPLES_MAX) {
        spec_error(w, head, "nsample", NULL, "nsample of <%s> is %d; it must be at most %d", tag,
                   h->nsample, SAMPLES_MAX);
    } else if (h->delay > 0 && h->nsample <= 0) {
        spec_error(w, head, "delay", help,
                   "delay of <%s> needs a history to take its values from, and nsample, the "
                   "number of samples in it, is %d",
                   tag, h->nsample);
    } else if (h->delay > 0 && h->nsample < needed) {
        const sal_xml_attr *said = sal_xml_find_attr(head->xml, "delay");
        sal_diag_warning(w->diag, said == NULL ? head->xml->place : said->value_place, help,
                         "delay of <%s> is %g s, but %d sample%s reach%s back %g s only, which is "
                         "then the delay",
                         tag, h->delay, h->nsample, h->nsample == 1 ? "" : "s",
                         h->nsample == 1 ? "es" : "", h->nsample * fmax(step, h->interval[0]));
    }
}

/* The further actuators that an element stands for say what the first says. */
static bool is_further(const spec_actuator *a)
{
    return a->motor.part > 0 || a->pid.part > 0 || a->orientation.part > 0;
}

void spec_compile_histories(spec_work *w)
{
    double numbers = 0;
    for (int i = 0; i < w->spec->actuator.n; i++) {
        const spec_actuator *a = w->spec->actuator.item[i];
        if (!is_further(a)) {
            check_delay(w, &a->head, &a->history);
            warn_of_negative(w, &a->head, &a->history, a->history.nsample > 0);
        }
        numbers += (double)phy_history_size(a->history.nsample, 1);
    }
    for (int i = 0; i < w->spec->sensor.n; i++) {
        const spec_sensor *s = w->spec->sensor.item[i];
        check_interval(w, &s->head, &s->history);
        check_delay(w, &s->head, &s->history);
        warn_of_negative(w, &s->head, &s->history, false);
        numbers += (double)phy_history_size(s->history.nsample, s->dim);
    }
    if (numbers > NUMBERS_MAX && w->diag->nerror == w->first_error) {
        sal_diag_error(w->diag, (sal_place){0}, "write a smaller nsample",
                       "the histories of actuators and sensors hold %.3g numbers, more than %d",
                       numbers, NUMBERS_MAX);
    }
}

/* Its two numbers in the model, and its place; -1: none */
static int fill(const spec_history *h, int dim, sal_model *m, int history[2])
{
    const int n = h->nsample > 0 ? h->nsample : 0, adr = m->nhistory;
    history[0] = n;
    history[1] = n > 0 ? h->interp : SAL_INTERP_ZOH;
    m->nhistory += (int)phy_history_size(n, dim);
    return n > 0 ? adr : -1;
}

void spec_fill_histories(const mjcf_spec *spec, sal_model *m)
{
    for (int i = 0; i < m->nu; i++) {
        const spec_history *h = &((const spec_actuator *)spec->actuator.item[i])->history;
        m->actuator_delay[i] = h->delay;
        m->actuator_historyadr[i] = fill(h, 1, m, m->actuator_history + 2 * i);
    }
    for (int i = 0; i < m->nsensor; i++) {
        const spec_history *h = &((const spec_sensor *)spec->sensor.item[i])->history;
        m->sensor_delay[i] = h->delay;
        m->sensor_interval[2 * i] = h->interval[0];
        m->sensor_interval[2 * i + 1] = h->interval[1];
        m->sensor_historyadr[i] = fill(h, m->sensor_dim[i], m, m->sensor_history + 2 * i);
    }
}
