/* Contacts and limits that are held as they are, and kept on their side of where they begin. */
#include "tests/problems/read_example.h"

#include "mjcf/mjcf.h"
#include "problems/states.h"
#include "problems/transcribe.h"

/* A ball and a capsule on one slide over the floor, the capsule's ends at heights that differ by
 * .1 mm; the slide has a limit. */
static const char rig[] =
    "<mujoco><option timestep=\".01\"/><worldbody><geom name=\"floor\" type=\"plane\" "
    "size=\"0 0 .1\"/><body><joint name=\"up\" type=\"slide\" axis=\"0 0 1\" "
    "limited=\"true\" range=\"-.003 .1\"/>"
    "<geom name=\"ball\" type=\"sphere\" size=\".05\" pos=\"0 0 .05\"/>"
    "<geom name=\"rod\" type=\"capsule\" size=\".05\" fromto=\"1 0 .0505 2 0 .0506\"/>"
    "</body></worldbody></mujoco>";

enum { BALL, ROD };

static sal_model *load_rig(void)
{
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "rig", rig, sizeof rig - 1, NULL, NULL, &err), err);
    return m;
}

/* What contacts and limits do to the slide at a height that it goes down from at .3 m/s */
static double force_at(const sal_model *m, sal_data *d, double height)
{
    sal_err err = {0};
    d->qpos[0] = height;
    d->qvel[0] = -0.3;
    d->qacc[0] = 0;
    CHECK_OK(sal_inverse(m, d, &err), err);
    return d->qfrc_constraint[0];
}

/* The contact of the ball alone */
static int pair_of(const sal_model *m, int geom)
{
    for (int i = 0; i < m->npair; i++) {
        if (m->pair_geom2[i] == geom + 1) {
            return i;
        }
    }
    CHECK(false);
    return 0;
}

static void a_held_contact_acts_on_where_it_would_end(void)
{
    sal_model *m = load_rig();
    sal_data *d = NULL;
    sal_err err = {0};
    const double e = 1e-9;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK(force_at(m, d, -e) > 1 && force_at(m, d, e) == 0); /* it jumps */
    prb_hold_widen(m);
    const sal_held_one acts = {8 * pair_of(m, BALL), 0.003}, rests = {acts.key, -0.0004};
    const sal_held on = {1, &acts}, off = {1, &rests};
    d->held = &on;
    const double at = force_at(m, d, 0), above = force_at(m, d, 0.002);
    CHECK_NEAR(force_at(m, d, -e), at, 1e-6 * at);
    CHECK_NEAR(force_at(m, d, e), at, 1e-6 * at);
    /* of what is farther up the spring pulls: K d0 r with no more damping */
    CHECK(above < at && above > 0);
    CHECK_NEAR(force_at(m, d, 0.001), 0.5 * (at + above), 1e-9 * at);
    CHECK(force_at(m, d, 0.0031) == 0);
    d->held = &off;
    CHECK(force_at(m, d, -0.0003) == 0 && force_at(m, d, -0.00045) > 0);
    sal_data_free(d);
    sal_model_free(m);
}

/* The ends of a capsule begin one after the other: each is held by itself. */
static void ends_of_a_capsule_are_held_by_themselves(void)
{
    sal_model *m = load_rig();
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    prb_hold_widen(m);
    force_at(m, d, -0.00055);
    int key[2], n = 0;
    for (int i = 0; i < d->ncon; i++) {
        if (d->contact[i].pair == pair_of(m, ROD) && n < 2) {
            key[n++] = sal_held_contact(m, d, d->contact + i);
        }
    }
    CHECK(n == 2 && key[0] != key[1]);
    sal_data_free(d);
    sal_model_free(m);
}

static void limits_are_held(void)
{
    sal_model *m = load_rig();
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    m->jnt_range[0] = 0.05; /* far above the floor */
    const sal_held_one one = {sal_held_limit(0, 0), 0.003};
    const sal_held held = {1, &one};
    CHECK(force_at(m, d, 0.05 + 1e-9) == 0 && force_at(m, d, 0.05 - 1e-9) > 0);
    const double at = force_at(m, d, 0.05 - 1e-9);
    d->held = &held;
    CHECK_NEAR(force_at(m, d, 0.05 + 1e-9), at, 1e-6 * at);
    CHECK(force_at(m, d, 0.0531) == 0);
    CHECK_NEAR(prb_limit_gap(m, d->qpos, 0, 0), 0.0031, 1e-15);
    CHECK(prb_limit_gap(m, d->qpos, 0, 1) > 0.04);
    sal_data_free(d);
    sal_model_free(m);
}

/* The walker with the contacts of its file, at a guess whose feet are near the floor. */
static prb_transcription *transcribe(sal_problem **p, double **x)
{
    prb_transcription *tr = NULL;
    sal_err err = {0};
    *p = read_example("walker_walk");
    *x = NULL;
    if (*p != NULL) {
        (*p)->contact_table = false;
        CHECK_OK(prb_transcription_new(&tr, *p, 1, &err), err);
        *x = calloc((size_t)tr->layout.nx, sizeof **x);
        CHECK_OK(prb_guess(tr, *x, 11, &err), err);
        CHECK_OK(tr->nls.stage(tr, 0, 0, *x, &err), err);
    }
    return tr;
}

/* Where it is held a motion needs the same forces, to the last bit; and they change little where
 * one close by would meet the floor otherwise. */
static void a_motion_is_held_as_it_is(void)
{
    sal_problem *p;
    double *x, *r[4], most[2] = {0};
    sal_err err = {0};
    prb_transcription *tr = transcribe(&p, &x);
    if (tr == NULL) {
        return;
    }
    const size_t rows = tr->r_adr[tr->nblock];
    double *d = calloc((size_t)tr->layout.nvar, sizeof *d);
    double *moved = calloc((size_t)tr->layout.nx, sizeof *moved);
    sal_rng rng = {3};
    for (int i = 0; i < tr->layout.nvar; i++) {
        d[i] = sal_rng_uniform(&rng, -1, 1) * 1e-9;
    }
    for (int k = 0; k < 4; k++) {
        r[k] = calloc(rows, sizeof **r);
    }
    for (int held = 0; held < 2; held++) {
        if (held) {
            CHECK_OK(prb_hold(tr, x, &err), err);
            CHECK_OK(tr->nls.stage(tr, 0, 0, x, &err), err);
        }
        CHECK_OK(tr->nls.residual(tr, r[2 * held], x, &err), err);
        tr->nls.retract(tr, moved, x, d);
        CHECK_OK(tr->nls.residual(tr, r[2 * held + 1], moved, &err), err);
        for (size_t i = 0; i < rows; i++) {
            most[held] = fmax(most[held], fabs(r[2 * held + 1][i] - r[2 * held][i]));
        }
    }
    CHECK(memcmp(r[0], r[2], rows * sizeof **r) == 0);
    CHECK(most[1] <= most[0] && most[1] < 1);
    for (int k = 0; k < 4; k++) {
        free(r[k]);
    }
    free(d), free(moved), free(x);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* Sides of a ball that comes down through the floor: above it at first, then in it. */
static void contacts_and_limits_are_kept_on_their_side(void)
{
    sal_problem *p = read_example("walker_walk");
    sal_err err = {0};
    prb_states *states = sal_alloc(1, sizeof *states);
    if (p == NULL || states == NULL) {
        return;
    }
    const int nq = p->model->nq, before = p->nconstraint;
    sal_model_free(p->model);
    p->model = load_rig();
    p->nstep = 7;
    CHECK(nq >= p->model->nq);
    CHECK_OK(prb_states_new(states, p->model, p->nstep + 2, p->init_qpos, &err), err);
    const double height[] = {0, 0.02, 0.004, 0.0002, -0.0002, -0.00055, -0.004, -0.02, 0};
    memcpy(states->qpos, height, sizeof height);
    p->init_states = states;
    CHECK_OK(prb_keep_sides(p, &err), err);
    int rows = 0;
    for (int k = before; k < p->nconstraint; k++) {
        const prb_constraint *c = p->constraint + k;
        const prb_feature *f = &c->feature;
        const bool joint = f->quantity == PRB_QTY_JOINT;
        rows += f->nstep;
        CHECK(c->range && f->nobject == 1 && (joint || f->quantity == PRB_QTY_HEIGHT));
        for (int i = 0; i < f->nstep; i++) {
            const double h = height[f->step[i] + 1];
            const double pos[3] = {0, 0.0005, 0.0006};
            double value = h; /* of the slide */
            if (!joint) {
                const sal_point *point = p->point + f->object[0];
                value += point->pos[0] < 0.5 ? pos[0] : 0; /* the ball is at the origin */
                value += p->model->geom_type[p->point_geom[f->object[0]]] == SAL_GEOM_CAPSULE
                             ? point->pos[0] < 1.5 ? pos[1] : pos[2]
                             : 0;
            }
            CHECK(value >= c->lower[0] && value <= c->upper[0]);
            CHECK(isfinite(c->lower[0]) != isfinite(c->upper[0]));
            CHECK(isfinite(c->lower[0]) ? c->lower[0] > -0.0031 : c->upper[0] < 1e-5);
        }
    }
    /* within 5 mm: the ball at 5 steps; both ends of the rod at 5; the limit at -.003 at 4 */
    CHECK(rows == 5 + 2 * 5 + 4);
    sal_problem_free(p);
}

int main(void)
{
    RUN(a_held_contact_acts_on_where_it_would_end);
    RUN(ends_of_a_capsule_are_held_by_themselves);
    RUN(limits_are_held);
    RUN(a_motion_is_held_as_it_is);
    RUN(contacts_and_limits_are_kept_on_their_side);
    return check_done();
}
