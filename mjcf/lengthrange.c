/* lengthrange.c: how short and how long muscles can get, where the file does not say: from the
 * limits of what they act on, or by pulling and pushing them through a simulation without gravity,
 * contact and passive forces (MuJoCo documentation, "Modeling", "Length range"):
 *
 *     v := v exp(-h / timeconst),     applied force = -+ moment' accel / |M^-1 moment'|,
 *     step by h
 *
 * for inttotal seconds; in the last `interval` of them the length must stay within tolrange of the
 * range found.
 */
#include "mjcf/compile.h"
#include "physics/compiling.h"

#include <string.h>

/* a hundred times as many as usual */
#define MOST_STEPS 100000.0

typedef struct search {
    const spec_lengthrange *how;
    sal_model *m; /* with nothing but limits and equalities */
    sal_data *d;
    double *x; /* [nv] */
} search;

/* One step of the simulation; the length before it. */
static sal_status advance(search *s, int i, int side, double *length, sal_err *err)
{
    const spec_lengthrange *how = s->how;
    const double decay = exp(-s->m->opt.timestep / fmax(0.01, how->timeconst));
    const size_t nv = (size_t)s->m->nv;
    double norm = 0;
    for (size_t k = 0; k < nv; k++) {
        s->d->qvel[k] *= decay;
    }
    const sal_status status = sal_position(s->m, s->d, err);
    if (status != SAL_OK) {
        return status;
    }
    *length = s->d->actuator_length[i];
    sal_factor(s->m, s->d);
    memset(s->x, 0, nv * sizeof *s->x);
    phy_actuator_pull(s->m, s->d, s->x, i, 1);
    memcpy(s->d->qfrc_applied, s->x, nv * sizeof *s->x);
    sal_solve_m(s->m, s->d, s->x);
    for (size_t k = 0; k < nv; k++) {
        norm += s->x[k] * s->x[k];
    }
    double scale = how->accel / fmax(SAL_MINVAL, sqrt(norm));
    scale = how->maxforce > 0 && scale > how->maxforce ? how->maxforce : scale;
    for (size_t k = 0; k < nv; k++) {
        s->d->qfrc_applied[k] *= side == 0 ? -scale : scale;
    }
    return sal_step(s->m, s->d, err);
}

/* The least (side 0) or greatest length that actuator i reaches, and how much it varies at the
 * end. */
static sal_status extreme(search *s, int i, int side, double *found, double *variation,
                          sal_err *err)
{
    double low = 0, high = 0, length = 0;
    bool any = false;
    sal_status status = SAL_OK;
    sal_data_reset(s->m, s->d);
    while (status == SAL_OK && s->d->time < s->how->inttotal) {
        status = advance(s, i, side, &length, err);
        if (s->d->time > s->how->inttotal - s->how->interval) {
            low = any ? fmin(low, length) : length;
            high = any ? fmax(high, length) : length;
            any = true;
        }
    }
    *found = side == 0 ? low : high;
    *variation = high - low;
    return status;
}

/* Whether the search ends after steps that one can wait for; reports it. */
static bool ends(spec_work *w, const spec_lengthrange *how, const spec_actuator *a)
{
    const double steps = how->inttotal / how->timestep;
    if (steps <= MOST_STEPS * (1 + 1e-9)) {
        return true;
    }
    spec_error(w, &a->head, NULL,
               "give the attribute lengthrange to this actuator, or increase timestep in "
               "<lengthrange>",
               "the length range of this actuator cannot be computed: in <lengthrange>, inttotal "
               "is %g s and timestep %g s, %g steps; at most %.0f steps are allowed",
               how->inttotal, how->timestep, steps, MOST_STEPS);
    return false;
}

static sal_status simulate(spec_work *w, search *s, const spec_actuator *a, double range[2], int i,
                           sal_err *err)
{
    sal_err reason = {0};
    double variation[2] = {0, 0};
    if (!ends(w, s->how, a)) {
        return SAL_OK;
    }
    for (int side = 0; side < 2; side++) {
        const sal_status status = extreme(s, i, side, range + side, variation + side, &reason);
        if (status == SAL_DIVERGED) {
            spec_error(w, &a->head, NULL, "give the attribute lengthrange",
                       "the length range of this actuator cannot be computed: the simulation that "
                       "searches for it is unstable");
            return SAL_OK;
        }
        if (status != SAL_OK) {
            return sal_fail(err, status, "%s", reason.message);
        }
    }
    if (!(range[0] < range[1])) {
        spec_error(
            w, &a->head, NULL, "give the attribute lengthrange",
            "the length range of this actuator cannot be computed: its length does not change");
    } else if (fmax(variation[0], variation[1]) > s->how->tolrange * (range[1] - range[0])) {
        spec_error(w, &a->head, NULL, "give the attribute lengthrange, or limit the joints",
                   "the length range of this actuator cannot be computed: the simulation found %g "
                   "to %g, but still varies by %g",
                   range[0], range[1], fmax(variation[0], variation[1]));
    }
    return SAL_OK;
}

/* The range of what the actuator acts on, as it is, if that is limited. */
static bool copy_limit(const sal_model *m, int i, double range[2])
{
    const int id = m->actuator_trnid[i];
    if (m->actuator_trntype[i] == SAL_TRN_JOINT && m->jnt_limited[id]) {
        memcpy(range, m->jnt_range + 2 * id, 2 * sizeof *range);
        return true;
    }
    if (m->actuator_trntype[i] == SAL_TRN_TENDON && m->tendon_limited[id]) {
        memcpy(range, m->tendon_range + 2 * id, 2 * sizeof *range);
        return true;
    }
    return false;
}

static bool needs_range(const spec_work *w, const sal_model *m, int i)
{
    const spec_lengthrange *how = &w->spec->compiler.lengthrange;
    const double *range = m->actuator_lengthrange + 2 * i;
    const bool muscle =
        m->actuator_gaintype[i] == SAL_GAIN_MUSCLE || m->actuator_biastype[i] == SAL_BIAS_MUSCLE;
    const bool wanted = how->mode == SPEC_MODE_ALL || (how->mode == SPEC_MODE_MUSCLE && muscle);
    return wanted && !(how->useexisting && range[0] < range[1]);
}

static sal_status open_search(search *s, const sal_model *m, sal_err *err)
{
    sal_status status = sal_model_copy(&s->m, m, err);
    if (status == SAL_OK) {
        s->m->opt.timestep = s->how->timestep;
        s->m->opt.integrator = SAL_INT_EULER;
        s->m->opt.disable |= SAL_DSBL_FRICTIONLOSS | SAL_DSBL_CONTACT | SAL_DSBL_SPRING |
                             SAL_DSBL_DAMPER | SAL_DSBL_GRAVITY | SAL_DSBL_ACTUATION |
                             SAL_DSBL_SENSOR;
        status = sal_data_new(&s->d, s->m, err);
    }
    s->x = sal_alloc((size_t)m->nv, sizeof *s->x);
    return status == SAL_OK && s->x == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}

sal_status spec_find_lengthranges(spec_work *w, sal_model *m, sal_err *err)
{
    search s = {.how = &w->spec->compiler.lengthrange};
    sal_status status = SAL_OK;
    for (int i = 0; i < m->nu && status == SAL_OK; i++) {
        double *range = m->actuator_lengthrange + 2 * i;
        if (!needs_range(w, m, i) || (s.how->uselimit && copy_limit(m, i, range))) {
            continue;
        }
        if (s.m == NULL) {
            status = open_search(&s, m, err);
        }
        if (status == SAL_OK) {
            status = simulate(w, &s, w->spec->actuator.item[i], range, i, err);
        }
    }
    sal_data_free(s.d);
    sal_model_free(s.m);
    sal_free(s.x);
    return status;
}
