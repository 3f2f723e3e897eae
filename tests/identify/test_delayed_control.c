/* Controls that were recorded with another clock than the motion: they act from sample to sample as
 * they are held, earlier or later, and the delay is found. */
#include "tests/identify/driven.h"

static void found(const sal_result *r, const char *name, double truth, double at_most)
{
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    bool seen = false;
    for (int k = 0; e != NULL && k < e->nparameter; k++) {
        if (strcmp(e->parameter[k].name, name) == 0) {
            const double off = fabs(e->parameter[k].value - truth), se = e->parameter[k].se;
            seen = true;
            CHECK(off <= 2.5 * se && se < at_most);
            if (!(off <= 2.5 * se && se < at_most)) {
                printf("%s: %g instead of %g, +- %g\n", name, e->parameter[k].value, truth, se);
            }
        }
    }
    CHECK(seen);
}

static sal_result *identify(const char *channel, const char *delay)
{
    char parameters[400];
    snprintf(parameters, sizeof parameters,
             "<parameter name='damping' path='joint[q]/damping' map='log' value='.03'/>%s", delay);
    return driven_identify("", channel, parameters);
}

/* None; as many whole steps of the mechanics; one within a step, and a late one. */
static void delays_of_held_controls_are_found(void)
{
    static const double delays[] = {0, -.014, -.0313, .0127};
    for (int i = 0; i < 4; i++) {
        driven_make(delays[i]);
        sal_result *r = identify("", "<parameter name='delay' path='channel[u]/delay'/>");
        found(r, "delay", delays[i], 2e-4);
        found(r, "damping", .05, 2e-3);
        sal_result_free(r);
    }
}

/* A delay that is known is no worse to fit than none. */
static void a_known_delay_fits(void)
{
    double rms[2];
    driven_make(0);
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            driven_make(-.03);
        }
        sal_result *r = identify(i == 0 ? "" : "delay='-.03'", "");
        found(r, "damping", .05, 2e-3);
        rms[i] = r == NULL ? (double)NAN : r->cost;
        sal_result_free(r);
    }
    CHECK_NEAR(rms[1], rms[0], .02 * rms[0]);
}

int main(void)
{
    RUN(delays_of_held_controls_are_found);
    RUN(a_known_delay_fits);
    return check_done();
}
