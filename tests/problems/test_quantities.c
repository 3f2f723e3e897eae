/* The numbers of quantities at a first guess, against what they can be computed from otherwise; and
 * what words in them stand for. */
#include "tests/folder.h"
#include "tests/problems/read_example.h"

#include "base/house.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

#include <unistd.h>

typedef struct setup {
    sal_problem *p;
    prb_transcription *tr;
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
    CHECK_OK(prb_transcription_new(&s->tr, s->p, 1, &err), err);
    prb_transcription *tr = s->tr;
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    s->r = calloc(tr->r_adr[tr->nblock], sizeof *s->r);
    CHECK_OK(prb_guess(tr, x, 3, &err), err);
    CHECK_OK(tr->nls.stage(tr, 0.3, 1, x, &err), err);
    CHECK_OK(tr->nls.residual(tr, s->r, x, &err), err);
    CHECK_OK(sal_data_new(&s->d, tr->model, &err), err);
    CHECK_OK(sal_motion_step(tr->model, s->d, tr->q + t * tr->model->nq, &err), err);
    free(x);
}

static void end(setup *s)
{
    sal_data_free(s->d);
    prb_transcription_free(s->tr);
    sal_problem_free(s->p);
    free(s->r);
}

/* The residuals of the term of that name. */
static const double *term(const setup *s, const char *name)
{
    const prb_transcription *tr = s->tr;
    for (int k = 0; k < s->p->nterm; k++) {
        int first;
        if (strcmp(s->p->term[k].feature.name, name) == 0 &&
            prb_class_segment(tr->class + tr->class_of[s->t], k, &first) != NULL) {
            return s->r + tr->r_adr[s->t] + first;
        }
    }
    printf("    the term is not there\n");
    check_case_faults++;
    return s->r;
}

static void near(const double *r, const double *expected, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(r[i], expected[i], 1e-10 * (1 + fabs(expected[i])));
    }
}

/* Momentum and angular momentum about the centre of mass of the bodies from `first` on, body by
 * body. */
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

static const prb_feature *feature(const sal_problem *p, const char *name)
{
    for (int k = 0; k < p->nterm; k++) {
        if (strcmp(p->term[k].feature.name, name) == 0) {
            return &p->term[k].feature;
        }
    }
    printf("    the term is not there\n");
    check_case_faults++;
    return &p->term[0].feature;
}

/* A body stands on what it has: the ends of the foot's capsule, the corners of the hand's box; a
 * shape that never touches does not count. */
static void bodies_stand_on_their_geoms(void)
{
    sal_problem *p = read_example("../tests/problems/quantities");
    const prb_feature *slip = feature(p, "slip"), *cop = feature(p, "all");
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

static void is_called(const sal_problem *p, const char *term, int i, const char *name,
                      const char *unit)
{
    char text[64];
    const prb_feature *f = feature(p, term);
    prb_feature_label(p, f, i, text, sizeof text);
    CHECK_TEXT(text, name);
    CHECK_TEXT(prb_feature_unit(p, f, i), unit);
}

static void numbers_have_names_and_units(void)
{
    sal_problem *p = read_example("../tests/problems/quantities");
    is_called(p, "contact", 4, "leg y", "N");
    is_called(p, "floor", 0, "all named z", "N");
    is_called(p, "cop", 1, "all named y", "m");
    is_called(p, "height", 1, "foot+", "m");
    is_called(p, "slip", 3, "foot- 1", "m/s");
    is_called(p, "slip", 4, "hand corner 0 0", "m/s");
    is_called(p, "track", 2, "foot- z", "m");
    is_called(p, "com_acc", 5, "arm z", "m/s^2");
    is_called(p, "spin", 0, "trunk x", "kg m^2/s");
    is_called(p, "energy", 2, "total", "J");
    is_called(p, "power", 1, "shoulder", "W");
    is_called(p, "hip", 1, "hip y", "rad");
    is_called(p, "hip", 5, "root z", "m");
    is_called(p, "hip", 8, "root rz", "rad");
    sal_problem_free(p);
}

/* ---- found motions keep them ---- */

static const char *const swings[] = {
    "<constraint name='c' position='tip' component='x z' target='.3 2.1' at='end' tol='1e-5'/>",
    "<constraint name='c' com='all' component='z' target='1.245' at='end'/>"
    "<constraint name='m' momentum='all' at='end'/>",
    "<constraint name='c' energy='total' target='13.5' at='end'/>",
    "<constraint name='c' orientation='pole' target='1 0 1 0' at='end'/>",
    "<constraint name='c' position='tip' component='z' target='2.1' at='end'/>"
    "<constraint name='p' power='push' range='-4 4'/>",
};

/* A cart throws its pole up, to where or as fast as a constraint says; looked at in the result, by
 * other means. */
static void look(const sal_result *r, int which)
{
    const sal_model *m = r->model;
    sal_err err;
    sal_data *d = NULL;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    memcpy(d->qpos, r->qpos + r->nstep * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, r->qvel + r->nstep * m->nv, (size_t)m->nv * sizeof(double));
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    sal_energy(m, d);
    const double *tip = d->site_xpos;
    if (which == 0) {
        CHECK_NEAR(tip[0], 0.3, 1e-5);
    }
    if (which == 0 || which == 4) {
        CHECK_NEAR(tip[2], 2.1, 1e-5);
    }
    if (which == 1) { /* 1 kg at 1.2 m, .1 kg half a metre beyond */
        CHECK_NEAR((1.2 + 0.1 * (1.2 - 0.5 * cos(d->qpos[1]))) / 1.1, 1.245, 2e-6);
    }
    if (which == 2) {
        CHECK_NEAR(d->energy[0] + d->energy[1], 13.5, 1e-4);
    }
    if (which == 3) {
        CHECK_NEAR(tip[0] - d->qpos[0], -1, 1e-5);
    }
    for (int t = 0; t < r->nstep && which == 4; t++) {
        CHECK(fabs(r->ctrl[t] * r->qvel[2 * t]) <= 4 + 1e-4);
    }
    sal_data_free(d);
}

static void found_motions_keep_them(void)
{
    const char *root = getenv("SALTUS_ROOT");
    char *whole = realpath(root == NULL ? "." : root, NULL);
    CHECK(whole != NULL && mkdtemp(folder) != NULL);
    for (int which = 0; which < (int)(sizeof swings / sizeof *swings); which++) {
        sal_problem *p = NULL;
        sal_result *r = NULL;
        sal_diag diag = {0};
        sal_err err;
        sal_text xml = {0};
        sal_text_format(&xml,
                        "<problem name='swing'><model file='%s/models/cartpole.xml'/><time "
                        "nstep='60' duration='2.5'/><boundary type='open'><start "
                        "key='hang'/></boundary><cost><term name='effort' "
                        "ctrl='all'/></cost><constraints>%s</constraints></problem>",
                        whole, swings[which]);
        const char *path = in_folder("swing.xml");
        CHECK_OK(sal_file_write(path, xml.data, xml.length, &err), err);
        CHECK_OK(sal_problem_read(&p, path, NULL, &diag, &err), err);
        if (p != NULL) {
            CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
        }
        CHECK(r != NULL && r->exit_code == 0);
        if (r != NULL) {
            look(r, which);
        }
        sal_result_free(r);
        sal_problem_free(p);
        sal_diag_clear(&diag);
        sal_text_clear(&xml);
        unlink(path);
    }
    free(whole);
    rmdir(folder);
}

int main(void)
{
    RUN(centre_of_mass_and_momenta);
    RUN(energies_and_powers);
    RUN(contacts);
    RUN(places_and_turns);
    RUN(bodies_stand_on_their_geoms);
    RUN(numbers_have_names_and_units);
    RUN(found_motions_keep_them);
    return check_done();
}
