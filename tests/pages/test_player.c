/* What the player of a page is given beside the motion: the search, recordings of an
 * identification, and the recording that a motion follows. */
#include "tests/identify/example_result.h"
#include "tests/problems/motions.h"

#include "pages/report.h"

#include <math.h>
#include <string.h>

static void blocks_of(const sal_result *r, sal_text *out)
{
    prb_gait *g = NULL;
    sal_err err = {0};
    CHECK_OK(prb_gait_new(&g, r, &err), err);
    if (g != NULL) {
        CHECK_OK(page_player_motion(g, 0, NULL, out, &err), err);
    }
    prb_gait_free(g);
}

/* Does the text hold these numbers as the member `key`? */
static bool holds(const sal_text *text, const char *key, const float *x, int n)
{
    sal_text member = {0};
    sal_text_format(&member, "\"%s\":\"", key);
    sal_text_base64(&member, x, (size_t)n * sizeof *x);
    sal_text_add(&member, "\"");
    const bool found = !member.failed && text->data != NULL && strstr(text->data, member.data);
    sal_text_clear(&member);
    return found;
}

/* Two starts, whose iterations are mixed; the second is the result. */
static void the_search_is_given_by_starts(void)
{
    static const prb_iteration iteration[] = {
        {.start = 0, .linearisation = 1, .phase = "soft", .cost = 9, .violation = 1e6},
        {.start = 1, .linearisation = 1, .phase = "soft", .cost = 7, .violation = 2e6},
        {.start = 0, .linearisation = 2, .phase = "path", .cost = 8, .violation = 30},
        {.start = 1, .linearisation = 3, .phase = "soft", .cost = 6, .violation = 4e5},
        {.start = 1, .linearisation = 4, .phase = "polish", .cost = 5, .violation = .25}};
    const float at[] = {1, 3, 4}, cost[] = {7, 6, 5}, violation[] = {2e6F, 4e5F, .25F},
                other[] = {9, 8};
    motion a;
    sal_text text = {0};
    motion_pendulum(&a);
    a.r->niteration = sizeof iteration / sizeof iteration[0];
    a.r->iteration = sal_alloc((size_t)a.r->niteration, sizeof *a.r->iteration);
    CHECK(a.r->iteration != NULL);
    if (a.r->iteration != NULL) {
        memcpy(a.r->iteration, iteration, sizeof iteration);
        a.r->start = 1;
        blocks_of(a.r, &text);
        CHECK(holds(&text, "linearisation", at, 3) && holds(&text, "cost", cost, 3));
        CHECK(holds(&text, "violation", violation, 3) && holds(&text, "cost", other, 2));
        CHECK(strstr(text.data, "\"starts\":[{\"shown\":false,") != NULL);
        CHECK(strstr(text.data, "\"phases\":[{\"name\":\"soft\",\"at\":1},"
                                "{\"name\":\"polish\",\"at\":4}]") != NULL);
    }
    sal_text_clear(&text);
    motion_clear(&a);
}

/* Of the other half of a mirrored cycle there is no recording; a place has one. */
static void an_unrolled_cycle_has_half_a_recording(void)
{
    motion a;
    sal_text text = {0};
    motion_cycle(&a);
    const int N = a.r->nstep, nq = a.m->nq, n = (N + 1) * nq;
    a.r->qpos_recorded = sal_alloc((size_t)n, sizeof(double));
    float *place = sal_alloc(2 * (size_t)N + 1, sizeof *place);
    CHECK(a.r->qpos_recorded != NULL && place != NULL);
    if (a.r->qpos_recorded != NULL && place != NULL) {
        memcpy(a.r->qpos_recorded, a.r->qpos, (size_t)n * sizeof(double));
        for (int t = 0; t <= 2 * N; t++) {
            place[t] = NAN;
            if (t <= N) {
                a.r->qpos_recorded[t * nq + 2] += .125;
                place[t] = (float)a.r->qpos_recorded[t * nq + 2];
            }
        }
        blocks_of(a.r, &text);
        CHECK(holds(&text, "values", place, 2 * N + 1));
    }
    sal_free(place);
    sal_text_clear(&text);
    motion_clear(&a);
}

/* The largest force of each step: of the model's dofs the first three do not turn. */
static void take_force(float *x, const sal_identification_recording *r, const sal_model *m)
{
    for (int t = 0; t <= r->nstep; t++) {
        x[t] = NAN;
        for (int i = 0; i < 3; i++) {
            x[t] = fmaxf(x[t], fabsf((float)r->unexplained[t * m->nv + i]));
        }
    }
}

static void take(float *x, const double *signal, int n, int stride)
{
    for (int t = 0; t < n; t++) {
        x[t] = (float)signal[t * stride];
    }
}

/* The first recording of the fit plays; each recording stands there once. */
static void recordings_are_given_with_their_signals(void)
{
    motion a;
    sal_text text = {0};
    motion_identified(&a);
    const sal_identification_result *e = sal_identification_of(a.r);
    const sal_identification_recording *r = e->recording;
    while (r->held) {
        r++;
    }
    const int most = r->nsample > r->nstep ? r->nsample : r->nstep + 1;
    float *x = sal_alloc((size_t)most, sizeof *x);
    CHECK(x != NULL);
    if (x != NULL) {
        blocks_of(a.r, &text);
        take(x, r->measured, r->nsample, e->nvalue);
        CHECK(holds(&text, "values", x, r->nsample));
        take(x, r->fitted, r->nsample, e->nvalue);
        CHECK(holds(&text, "values", x, r->nsample));
        take_force(x, r, a.m);
        CHECK(holds(&text, "values", x, r->nstep + 1));
        CHECK(strstr(text.data, "\"title\":\"residual\"") != NULL);
        CHECK(strstr(text.data, "\"recordings\":[{\"title\":\"Recording that plays\",") != NULL);
        CHECK(strstr(text.data, "\"name\":\"predicted\"") != NULL);
        CHECK(strstr(text.data, "\"violation\":") == NULL);
    }
    sal_free(x);
    sal_text_clear(&text);
    motion_clear(&a);
}

int main(void)
{
    RUN(the_search_is_given_by_starts);
    RUN(an_unrolled_cycle_has_half_a_recording);
    RUN(recordings_are_given_with_their_signals);
    return check_done();
}
