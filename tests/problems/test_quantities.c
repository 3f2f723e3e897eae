/* The numbers of quantities at a first guess, against what they can be computed from otherwise; and what words in them stand for. */
#include "tests/problems/read_example.h"

#include "problems/transcribe.h"

typedef struct setup {
    sal_problem *p;
    sal_transcription *tr;
    sal_data *d;
    double *r;
    int t; /* the step that is looked at */
} setup;

/* The first guess of the problem with all quantities, at step t, at the final contact. */
static void begin(setup *s, int t)
{
    sal_err err;
    memset(s, 0, sizeof *s);
    s->t = t;
    s->p = read_example("../tests/problems/quantities");
    CHECK_OK(sal_transcription_new(&s->tr, s->p, 1, &err), err);
    sal_transcription *tr = s->tr;
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    s->r = calloc(tr->r_adr[tr->nblock], sizeof *s->r);
    CHECK_OK(sal_guess(tr, x, 3, &err), err);
    CHECK_OK(tr->nls.stage(tr, 0.3, 1, x, &err), err);
    CHECK_OK(tr->nls.residual(tr, s->r, x, &err), err);
    CHECK_OK(sal_data_new(&s->d, tr->model, &err), err);
    CHECK_OK(sal_motion_step(tr->model, s->d, tr->q + t * tr->model->nq, &err), err);
    free(x);
}

static void end(setup *s)
{
    sal_data_free(s->d);
    sal_transcription_free(s->tr);
    sal_problem_free(s->p);
    free(s->r);
}

/* The residuals of the term of that name. */
static const double *term(const setup *s, const char *name)
{
    const sal_transcription *tr = s->tr;
    for (int k = 0; k < s->p->nterm; k++) {
        int first;
        if (strcmp(s->p->term[k].feature.name, name) == 0 &&
            sal_class_segment(tr->class + tr->class_of[s->t], k, &first) != NULL) {
            return s->r + tr->r_adr[s->t] + first;
        }
    }
    CHECK(!"the term is there");
    return s->r;
}

static void near(const double *r, const double *expected, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(r[i], expected[i], 1e-10 * (1 + fabs(expected[i])));
    }
}

/* Momentum and angular momentum about the centre of mass of the bodies from `first` on, body by body. */
static void bodies(const setup *s, int first, double p[3], double L[3], double com[3])
{
    const sal_model *m = s->tr->model;
    double mass = 0;
    sal_v3_set(p, 0, 0, 0);
    sal_v3_set(L, 0, 0, 0);
    sal_v3_set(com, 0, 0, 0);
    for (int b = first; b < m->nbody; b++) {
        mass += m->body_mass[b];
        sal_v3_addscaled(com, com, m->body_mass[b], s->d->xipos + 3 * b);
    }
    sal_v3_scale(com, com, 1 / mass);
    for (int b = first; b < m->nbody; b++) {
        double v[3], w[3], arm[3], t[3], local[3];
        sal_object_velocity(m, s->d, v, w, SAL_OBJ_BODY, b, false);
        sal_v3_addscaled(p, p, m->body_mass[b], v);
        sal_v3_sub(arm, s->d->xipos + 3 * b, com);
        sal_v3_cross(t, arm, v);
        sal_v3_addscaled(L, L, m->body_mass[b], t);
        sal_m3_multv(local, s->d->ximat + 9 * b, w);
        for (int i = 0; i < 3; i++) {
            local[i] *= m->body_inertia[3 * b + i];
        }
        sal_m3_mulv(t, s->d->ximat + 9 * b, local);
        sal_v3_add(L, L, t);
    }
}

static void centre_of_mass_and_momenta(void)
{
    setup s;
    double p[3], L[3], com[3], arm[3][3];
    begin(&s, 4);
    const int trunk = sal_model_find(s.p->model, SAL_OBJ_BODY, "trunk"),
              hand = sal_model_find(s.p->model, SAL_OBJ_BODY, "arm");
    CHECK(trunk == 2 && hand == s.p->model->nbody - 1); /* the table stands before them */
    bodies(&s, trunk, p, L, com);
    com[2] -= 0.6; /* target */
    near(term(&s, "com"), com, 3);
    near(term(&s, "spin"), L, 3);
    const double mass = sal_bulk_mass(s.p->model, 0);
    sal_v3_scale(com, p, 1 / mass);
    near(term(&s, "com_vel"), com, 3);
    p[0] -= 1; /* target; a mean over ten steps */
    sal_v3_scale(p, p, 0.1);
    near(term(&s, "momentum"), p, 3);
    bodies(&s, hand, arm[0], arm[1], arm[2]);
    near(term(&s, "spin") + 3, arm[1], 3);
    end(&s);
}

static void energies_and_powers(void)
{
    setup s;
    begin(&s, 5);
    const sal_model *m = s.tr->model;
    sal_energy(m, s.d);
    const double *q = s.d->qvel, *f = s.d->qfrc_inverse, *e = s.d->energy;
    const double energy[3] = {e[1], e[0], e[0] + e[1]};
    near(term(&s, "energy"), energy, 3);
    const int shoulder = m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, "shoulder")],
              reach = m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, "reach")];
    const double net = f[shoulder] * q[shoulder] + f[reach] * q[reach];
    near(term(&s, "net"), &net, 1);
    end(&s);
}

static void contacts(void)
{
    setup s;
    double sum[3] = {0}, N = 0, place[2] = {0};
    begin(&s, 2);
    const sal_model *m = s.tr->model;
    const int foot = sal_model_find(m, SAL_OBJ_GEOM, "foot");
    for (int i = 0; i < s.d->ncon; i++) {
        const sal_contact *c = s.d->contact + i;
        double f[6], world[3];
        sal_contact_force(m, s.d, i, f);
        sal_m3_multv(world, c->frame, f);
        CHECK(c->geom2 == foot); /* nothing else touches */
        sal_v3_add(sum, sum, world);
        N += f[0];
        place[0] += f[0] * c->pos[0];
        place[1] += f[0] * c->pos[1];
    }
    CHECK(N > 1);
    const double *r = term(&s, "contact"), onfloor = sum[2], load = N - 20;
    const double target[6] = {sum[0], sum[1], sum[2] - 10, sum[0], sum[1], sum[2] - 10};
    near(r, target, 6);
    near(term(&s, "floor"), &onfloor, 1);
    near(term(&s, "load"), &load, 1);
    const double light = 1e-3 * s.tr->weight;
    const int geoms[3] = {foot - 1, foot, sal_model_find(m, SAL_OBJ_GEOM, "hand")};
    double cop[2];
    for (int i = 0; i < 2; i++) {
        double middle = 0;
        for (int k = 0; k < 3; k++) {
            middle += s.d->geom_xpos[3 * geoms[k] + i] / 3;
        }
        cop[i] = (place[i] + light * middle) / (N + light) - (i == 0 ? 0.1 : 0);
    }
    near(term(&s, "cop"), cop, 2);
    end(&s);
}

static void places_and_turns(void)
{
    setup s;
    begin(&s, 3);
    const sal_model *m = s.tr->model;
    const int palm = sal_model_find(m, SAL_OBJ_SITE, "palm"),
              arm = sal_model_find(m, SAL_OBJ_BODY, "arm"),
              trunk = sal_model_find(m, SAL_OBJ_BODY, "trunk");
    const double share = 0.3, *x = s.d->site_xpos + 3 * palm, *body = s.d->xpos + 3 * arm;
    const double track[2] = {x[0] - share, x[1] - share}, high = body[2] - share;
    near(term(&s, "track"), track, 2); /* palm x y; foot- z; arm z */
    near(term(&s, "track") + 3, &high, 1);
    const double height[2] = {x[2] - 0.5, s.d->xpos[3 * trunk + 2] - 0.05 - 0.5};
    near(term(&s, "height"), height, 1);
    near(term(&s, "height") + 2, height + 1, 1); /* the geom, whose radius is .05, comes first */
    double target[4] = {0.9, 0.1, 0.3, 0.2}, turned[4], r[3], q[4];
    sal_quat_normalise(target);
    sal_v3_copy(r, term(&s, "turn"));
    sal_quat_exp(turned, r); /* target (x) exp(r) is the body's orientation */
    sal_quat_mul(q, target, turned);
    const double sign = q[0] * s.d->xquat[4 * arm] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(sign * q[i], s.d->xquat[4 * arm + i], 1e-12);
    }
    end(&s);
}

static const sal_feature *feature(const sal_problem *p, const char *name)
{
    for (int k = 0; k < p->nterm; k++) {
        if (strcmp(p->term[k].feature.name, name) == 0) {
            return &p->term[k].feature;
        }
    }
    CHECK(!"the term is there");
    return &p->term[0].feature;
}

/* A body stands on what it has: the ends of the foot's capsule, the corners of the hand's box; a shape that never touches does not count. */
static void bodies_stand_on_their_geoms(void)
{
    sal_problem *p = read_example("../tests/problems/quantities");
    const sal_feature *slip = feature(p, "slip"), *cop = feature(p, "all");
    const int foot = sal_model_find(p->model, SAL_OBJ_GEOM, "foot"),
              hand = sal_model_find(p->model, SAL_OBJ_GEOM, "hand");
    CHECK(slip->nobject == 10 && slip->dim == 20);
    for (int k = 0; k < slip->nobject; k++) {
        CHECK(p->point_geom[slip->object[k]] == (k < 2 ? foot : hand));
    }
    CHECK(cop->nobject == 2 && cop->nwith == 2 && cop->dim == 2);
    CHECK(feature(p, "floor")->dim == 1 && feature(p, "com")->object[0] == 0);
    sal_problem_free(p);
}

int main(void)
{
    RUN(centre_of_mass_and_momenta);
    RUN(energies_and_powers);
    RUN(contacts);
    RUN(places_and_turns);
    RUN(bodies_stand_on_their_geoms);
    return check_done();
}
