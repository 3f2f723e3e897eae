/* plates_tell.c: what inverse dynamics with force plates found, in words. */
#include "runs/plates_inverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double OTHER = .5; /* of the mass: more is another unit, or another person */
static const double WEIGHED = .1, MISWEIGHED = .15; /* s; of the mass */
/* m: what is left, over the force. Hicks et al. ("Is my model good enough?", J. Biomech. Eng. 137,
 * 2015) allow for moments of 1 % of the height of the centre of mass times the force, 1 cm, after
 * the motion was adjusted to the plates. Nothing is adjusted here: centres of mass and of pressure
 * may be off by 1 to 3 cm, and are in recordings of several people. */
static const double LEVER = .04;

/* Steps of a plate that are left out, and why; none: nothing is said. */
static void tell_steps(const run_inverse *c, int plate, const run_steps *steps, const char *why)
{
    const char *name = c->plates.s.column[c->plates.plate[plate].force].name;
    if (steps->n > 0) {
        sal_text_format(c->notes, "plate '%.*s': for %.2f s, between %.2f and %.2f s, %s",
                        (int)strlen(name) - 3, name, c->h * steps->n, c->h * steps->first,
                        c->h * steps->last, why);
    }
}

static void tell_plates(const run_inverse *c)
{
    char far[160];
    snprintf(far, sizeof far,
             "its centre of pressure is more than %g m from both feet: it bears both, or something "
             "else. These times are left out\n",
             RUN_REACH);
    for (int i = 0; i < c->plates.n; i++) {
        const char *name = c->plates.s.column[c->plates.plate[i].force].name;
        sal_text_format(
            c->notes, "plate '%.*s': %.2f s under the right foot, %.2f s under the left\n",
            (int)strlen(name) - 3, name, c->h * c->seen[i].of[0], c->h * c->seen[i].of[1]);
        tell_steps(c, i, &c->seen[i].unknown,
                   "force, point or moment are no numbers, or rows are missing; these times are "
                   "left out\n");
        tell_steps(c, i, &c->seen[i].neither, far);
        tell_steps(c, i, &c->seen[i].both,
                   "it carries one foot while the other, too, stands on the floor, on no other "
                   "plate: it bears both. These times are left out\n");
    }
}

/* Plates whose file is shorter than the motion, but not elsewhere. */
static void tell_span(const run_inverse *c)
{
    const sig_signals *s = &c->plates.s;
    const double first = sig_time(s, s->rate, 0), last = sig_time(s, s->rate, s->nrow - 1),
                 end = c->begin + c->p->nstep * c->h;
    if (first < end && last > c->begin && (first > c->begin + c->h || last < end - c->h)) {
        sal_text_format(c->notes,
                        "the file of the plates has %.2f to %.2f s, the markers are from %.2f to "
                        "%.2f s; other times are left out\n",
                        first, last, c->begin, end);
    }
}

/* What is left between measured and needed once these are scaled, rms, over the measured: with
 * another mass almost nothing; of a motion that is too fast for the low-pass much. */
static double unlike(const run_inverse *c, double ratio)
{
    const double rest =
        c->load.measured2 - 2 * ratio * c->load.both + ratio * ratio * c->load.needed2;
    return sqrt(fmax(0, rest) / c->load.measured2);
}

/* The mass of the model beside what the plates carry. */
static void tell_mass(const run_inverse *c)
{
    const double n = c->load.n, measured = c->load.measured / fmax(1, n),
                 needed = c->load.needed / fmax(1, n), ratio = measured / needed,
                 mass = c->weight / sal_v3_norm(c->m->opt.gravity);
    if (n * c->h < WEIGHED || !(fabs(ratio - 1) > MISWEIGHED) || unlike(c, ratio) > MISWEIGHED) {
        return;
    }
    const char *unit = run_unit_of_force(c, ratio * c->weight);
    sal_text_format(c->notes,
                    "the plates carry %.0f N on the mean while they bear every foot that stands; "
                    "the model, of %.3g kg, needs %.0f N then. With %.3g kg both would be equal: "
                    "is the mass of the model that of the person",
                    measured, mass, needed, ratio * mass);
    if (unit != NULL && fabs(ratio - 1) > OTHER) {
        sal_text_format(c->notes, "? Or are the forces in %s", unit);
    }
    sal_text_add(c->notes, "?\n");
}

/* Whether there are steps at which a plate is unknown. */
static bool lacks_numbers(const run_inverse *c)
{
    int n = 0;
    for (int i = 0; i < c->plates.n; i++) {
        n += c->seen[i].unknown.n;
    }
    return n > 0;
}

/* Steps at which plates are loaded: under a foot, or not. */
static void count(const run_inverse *c, int *under, int *beside)
{
    *under = *beside = 0;
    for (int i = 0; i < c->plates.n; i++) {
        *beside += c->seen[i].neither.n;
        *under += c->seen[i].of[0] + c->seen[i].of[1];
    }
}

/* Files of one recording may have other clocks: some begin at 0, some at their first frame; or
 * other axes, or units. */
static sal_status tell_nothing(run_inverse *c, sal_err *err)
{
    const sig_signals *s = &c->plates.s;
    const double first = sig_time(s, s->rate, 0), last = sig_time(s, s->rate, s->nrow - 1),
                 end = c->begin + c->p->nstep * c->h;
    int beside, under;
    sal_text why = {0};
    count(c, &under, &beside);
    if (c->p->nstep * c->h < 2 * RUN_EDGE + c->h) {
        sal_text_format(&why,
                        "the recording lasts %.3g s, and its first and last %g s have no moments",
                        c->p->nstep * c->h, RUN_EDGE);
    } else if (first > end || last < c->begin) {
        sal_text_format(&why,
                        "the plates measured nothing during the motion: their file has %.2f to "
                        "%.2f s, the markers are from %.2f to %.2f s. Both need one clock",
                        first, last, c->begin, end);
    } else if (under > beside) {
        sal_text_add(&why, "there is no time at which the plates bear every foot that stands, each "
                           "foot its own, and markers tell how the person moves");
    } else if (beside > 0) {
        sal_text_add(&why, "where the plates are loaded, "
                           "that is nowhere near a foot, or between both. Plates and markers need "
                           "the same origin and axes");
        run_units_of_place(c, &why);
    } else if (lacks_numbers(c)) {
        sal_text_add(&why, "forces, points or moments of the plates are no numbers, or rows are "
                           "missing");
    } else {
        sal_text_add(&why, "the plates measured nothing during the motion");
        run_units_of_nothing(c, &why);
    }
    const sal_status status =
        why.failed ? sal_fail(err, SAL_NOMEM, "out of memory for a message")
                   : sal_fail(err, SAL_BADINPUT, "no moment is known at any time: %s", why.data);
    sal_text_clear(&why);
    return status;
}

/* What is left on the root. */
typedef struct rest {
    /* of known steps; of those with more force than is usual */
    int n, many;
    /* over the weight, N m, N: rms; the largest of the first, and when */
    double force, moment, push, most, when;
} rest;

static rest rest_of(const run_inverse *c)
{
    const sal_result *r = c->r;
    rest x = {0};
    for (int t = 0; t < r->nstep; t++) {
        const double *left = r->qfrc_unactuated + t * c->m->nv,
                     *push = r->qfrc_constraint + t * c->m->nv;
        const double force = sal_v3_norm(left) / c->weight;
        if (!isfinite(force)) {
            continue;
        }
        x.force += force * force;
        x.moment += sal_v3_dot(left + 3, left + 3);
        x.push += sal_v3_dot(push, push);
        x.when = force > x.most ? r->time[t] : x.when;
        x.most = fmax(x.most, force);
        x.many += force > RUN_UNEXPLAINED;
        x.n++;
    }
    x.force = sqrt(x.force / x.n);
    x.moment = sqrt(x.moment / x.n);
    x.push = sqrt(x.push / x.n);
    return x;
}

static void tell_root(const run_inverse *c, const rest *x)
{
    sal_text_format(
        c->notes, "left on the root: %.3g of the weight rms (most %.3g, at %.2f s), %.3g N m rms\n",
        x->force, x->most, x->when, x->moment);
    if (x->many > 0) {
        sal_text_format(
            c->notes,
            "for %.2f s more than %g of the weight is left: the person touches something "
            "that is no plate, moves faster than %g Hz shows, or has no markers on what "
            "moves. Do not trust the moments of these times\n",
            c->h * x->many, RUN_UNEXPLAINED, (double)RUN_LOWPASS);
    }
    if (x->moment > LEVER * x->push) {
        sal_text_format(c->notes,
                        "the moment that is left is as large as if the forces of the plates, %.3g "
                        "N rms, acted %.2g m from where they do; more than %g m is not usual. Do "
                        "plates and markers have the same origin, axes and clock? Do not trust "
                        "the moments\n",
                        x->push, x->moment / x->push, LEVER);
        run_units_of_moment(c);
    }
}

sal_status run_inverse_tell(run_inverse *c, sal_err *err)
{
    int under, beside;
    tell_span(c);
    tell_plates(c);
    tell_mass(c);
    count(c, &under, &beside);
    if (c->beside > 0 && under > 0) {
        sal_text_format(c->notes,
                        "for %.2f s a foot stands on no plate; these times are left out\n",
                        c->h * c->beside);
    }
    const rest x = rest_of(c);
    if (x.n == 0) {
        return tell_nothing(c, err);
    }
    tell_root(c, &x);
    return SAL_OK;
}
