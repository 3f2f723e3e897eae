/* player_recordings.c: recordings of an identification for the player: what was measured, what the
 * motion found has, and what a simulation of the model found predicts. The first is the recording
 * that plays, whole; beside it those that the still page shows, as many as are small enough. */
#include "pages/player.h"

#include <math.h>

/* numbers of the recordings that do not play, together */
enum { MOST_SHOWN = 5, MOST_NUMBERS = 200000 };

typedef struct choice {
    struct {
        int id;
        const char *title;
    } of[MOST_SHOWN];
    int n;
} choice;

static void choose(choice *c, int id, const char *title)
{
    for (int i = 0; i < c->n; i++) {
        if (c->of[i].id == id) {
            return;
        }
    }
    c->of[c->n].id = id;
    c->of[c->n++].title = title;
}

static void choose_held(choice *c, const sal_identification_result *e)
{
    for (int i = 0; i < e->nrecording; i++) {
        if (e->recording[i].held) {
            choose(c, i, "Held out, the first");
            return;
        }
    }
}

/* The motion of the result is that of the first recording of the fit. */
static void choose_all(choice *c, const sal_identification_result *e, page_ranked *list)
{
    for (int i = 0; i < e->nrecording && c->n == 0; i++) {
        if (!e->recording[i].held) {
            choose(c, i, "Recording that plays");
        }
    }
    int n = c->n == 0 ? 0 : page_rank(e, 0, SAL_MEASURE_FIT, list);
    if (n > 0) {
        choose(c, list[n - 1].id, "The worst of the fit");
        choose(c, list[n / 2].id, "The one in the middle of the fit");
    }
    n = c->n == 0 ? 0 : page_rank(e, 1, SAL_MEASURE_POSITION, list);
    if (n > 0) {
        choose(c, list[(n - 1) / 2].id, "Held out, the one in the middle");
        choose(c, list[n - 1].id, "Held out, the worst");
    } else if (c->n > 0) { /* where no body is seen */
        choose_held(c, e);
    }
}

/* ---- one recording ---- */

typedef struct shown {
    const sal_identification_result *e;
    const sal_identification_recording *r;
} shown;

static bool is_empty(const shown *s, const double *signal, int value)
{
    bool any = false;
    for (int t = 0; t < s->r->nsample; t++) {
        any = any || isfinite(signal[(ptrdiff_t)t * s->e->nvalue + value]);
    }
    return !any;
}

/* One line; with `aside` the axis is not made for it: the line may leave the chart. */
static void put_line(page_player *p, const shown *s, const char *name, const double *signal,
                     int value, bool aside)
{
    if (is_empty(s, signal, value)) {
        return;
    }
    sal_json_object(&p->json, NULL);
    sal_json_string(&p->json, "name", name);
    if (aside) {
        sal_json_bool(&p->json, "aside", true);
    }
    page_player_column(p, signal, s->r->nsample, s->e->nvalue, value);
    page_player_numbers(p, "values", (size_t)s->r->nsample);
    sal_json_end(&p->json);
}

/* dt: s, between its numbers */
static void begin_group(page_player *p, const char *title, const char *unit, double dt)
{
    sal_json_object(&p->json, NULL);
    sal_json_string(&p->json, "title", title);
    sal_json_string(&p->json, "unit", unit);
    sal_json_number(&p->json, "dt", dt);
    sal_json_array(&p->json, "lines");
}

static void end_group(page_player *p)
{
    sal_json_end(&p->json);
    sal_json_end(&p->json);
}

static void put_value(page_player *p, const shown *s, const sal_identification_channel *c, int k)
{
    const sal_identification_recording *r = s->r;
    const int value = c->adr + k;
    char title[SAL_IDENTIFICATION_NAME + 16];
    page_value_name(c, k, title, sizeof title);
    begin_group(p, title, page_value_unit(c, k), r->dt);
    put_line(p, s, "measured", r->measured, value, false);
    put_line(p, s, "fitted", r->fitted, value, false);
    put_line(p, s, "predicted, nominal", r->predicted_nominal, value, true);
    put_line(p, s, "predicted", r->predicted, value, isfinite(r->rollout.diverged));
    end_group(p);
}

/* The first n of p->number as a group of one line */
static void put_alone(page_player *p, const char *title, const char *unit, double dt, int n)
{
    begin_group(p, title, unit, dt);
    sal_json_object(&p->json, NULL);
    sal_json_string(&p->json, "name", title);
    page_player_numbers(p, "values", (size_t)n);
    sal_json_end(&p->json);
    end_group(p);
}

/* The root mean square of each sample's residuals. */
static void put_residual(page_player *p, const shown *s)
{
    double *one = sal_alloc((size_t)s->e->nresidual + 1, sizeof *one);
    if (one == NULL) {
        p->letters.failed = true;
        return;
    }
    for (int t = 0; t < s->r->nsample; t++) {
        p->number[t] = (float)sal_identification_sample_rms(s->e, s->r, t, one);
    }
    sal_free(one);
    put_alone(p, "residual", "rms / sigma", s->r->dt, s->r->nsample);
}

/* The largest force, or torque, of each step that nothing explains. */
static void put_unexplained(page_player *p, const shown *s, bool turns)
{
    const int nv = p->m->nv;
    bool any = false;
    for (int t = 0; t <= s->r->nstep; t++) {
        double most = NAN;
        for (int i = 0; i < nv; i++) {
            if (prb_result_dof_turns(p->m, i) == turns) {
                most = fmax(most, fabs(s->r->unexplained[(ptrdiff_t)t * nv + i]));
            }
        }
        p->number[t] = (float)most;
        any = any || isfinite(most);
    }
    if (any) {
        put_alone(p, turns ? "unactuated torque" : "unactuated force", turns ? "N m" : "N",
                  s->r->timestep, s->r->nstep + 1);
    }
}

/* What of a fit is worth a look by itself; a recording that was held out has no motion. */
static void put_fit(page_player *p, const shown *s)
{
    if (!s->r->held) {
        put_residual(p, s);
        put_unexplained(p, s, false);
        put_unexplained(p, s, true);
    }
}

/* Is there something to hold its measurements against? */
static bool is_met(const shown *s, int channel)
{
    return !isnan(s->r->channel_rms[channel]) || !isnan(s->r->channel_predicted[channel]);
}

static void put_recording(page_player *p, const shown *s, const char *title, bool plays)
{
    sal_json_object(&p->json, NULL);
    sal_json_string(&p->json, "title", title);
    sal_json_string(&p->json, "name", s->r->name);
    sal_json_bool(&p->json, "plays", plays);
    sal_json_array(&p->json, "channels");
    for (int c = 0; c < s->e->nchannel; c++) {
        for (int k = 0; k < s->e->channel[c].n && is_met(s, c); k++) {
            put_value(p, s, s->e->channel + c, k);
        }
    }
    put_fit(p, s);
    sal_json_end(&p->json);
    sal_json_end(&p->json);
}

void page_player_recordings(page_player *p)
{
    const sal_identification_result *e = sal_identification_of(p->g->r);
    page_ranked *list = e == NULL ? NULL : sal_alloc((size_t)e->nrecording + 1, sizeof *list);
    choice c = {0};
    double numbers = 0;
    if (list == NULL) {
        p->letters.failed |= e != NULL;
        return;
    }
    choose_all(&c, e, list);
    sal_free(list);
    sal_json_array(&p->json, "recordings");
    for (int i = 0; i < c.n; i++) {
        const shown s = {e, e->recording + c.of[i].id};
        numbers += i == 0 ? 0 : 3.0 * s.r->nsample * e->nvalue;
        if (s.r->nsample > 1 && numbers <= MOST_NUMBERS) {
            put_recording(p, &s, c.of[i].title, i == 0);
        }
    }
    sal_json_end(&p->json);
}
