/* Instants side by side have the bits of each instant by itself: at every width, however many lanes
 * are filled and whatever the other lanes hold, numbers that are not finite included. Models of
 * ours and of the corpus, with both kinds of joints' damping, and as 2.2.2 takes them. */
#include "tests/check.h"
#include "tests/physics/corpus.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/abreast/abreast.h"

#include <math.h>
#include <string.h>

enum { MOST = 8 };

static int models, lanes_used, derivatives;

static void stir(const sal_model *m, sal_data *d, sal_rng *rng)
{
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = sal_rng_uniform(rng, -1, 1);
        d->qacc[i] = sal_rng_uniform(rng, -10, 10);
    }
    sal_integrate_pos(m, d->qpos, m->qpos0, d->qvel, 0.3);
    for (int i = 0; i < m->nmocap; i++) {
        d->mocap_pos[3 * i] += sal_rng_uniform(rng, -0.1, 0.1);
        d->mocap_quat[4 * i] = sal_rng_uniform(rng, 1, 2); /* of any length */
    }
}

static bool same(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_ints(const int *a, const int *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* The rows of constraints, with all that belongs to them */
static bool same_rows(const sal_data *a, const sal_data *b)
{
    const int n = a->nefc;
    const size_t rows = (size_t)n;
    bool alike = a->ncon == b->ncon && n == b->nefc && a->nJ == b->nJ;
    for (int i = 0; i < a->ncon && alike; i++) {
        const sal_contact *c = a->contact + i, *o = b->contact + i;
        alike = same(&c->dist, &o->dist, 1) && same(c->pos, o->pos, 3) &&
                same(c->frame, o->frame, 9) && same(&c->mu, &o->mu, 1) && c->pair == o->pair &&
                c->geom1 == o->geom1 && c->geom2 == o->geom2 && c->dim == o->dim &&
                c->efc_address == o->efc_address;
    }
    return alike && same_ints(a->efc_type, b->efc_type, n) && same_ints(a->efc_id, b->efc_id, n) &&
           same_ints(a->efc_J_rowadr, b->efc_J_rowadr, n) &&
           same_ints(a->efc_J_rownnz, b->efc_J_rownnz, n) &&
           same_ints(a->efc_J_colind, b->efc_J_colind, a->nJ) &&
           same_ints(a->efc_state, b->efc_state, n) && same(a->efc_J, b->efc_J, (size_t)a->nJ) &&
           same(a->efc_pos, b->efc_pos, rows) && same(a->efc_margin, b->efc_margin, rows) &&
           same(a->efc_frictionloss, b->efc_frictionloss, rows) &&
           same(a->efc_diagApprox, b->efc_diagApprox, rows) &&
           same(a->efc_KBIP, b->efc_KBIP, 4 * rows) && same(a->efc_D, b->efc_D, rows) &&
           same(a->efc_R, b->efc_R, rows) && same(a->efc_vel, b->efc_vel, rows) &&
           same(a->efc_aref, b->efc_aref, rows) && same(a->efc_acc, b->efc_acc, rows) &&
           same(a->efc_force, b->efc_force, rows);
}

/* All that the stages write before contacts, these, and what comes of it in the end */
static bool same_instant(const sal_model *m, const sal_data *a, const sal_data *b)
{
#define SAME(name, rows, columns) same(a->name, b->name, (size_t)m->rows *(size_t)(columns)) &&
    return SAME(qpos, nq, 1) SAME(xpos, nbody, 3) SAME(xquat, nbody, 4) SAME(xmat, nbody, 9)
        SAME(xipos, nbody, 3) SAME(ximat, nbody, 9) SAME(xanchor, njnt, 3) SAME(xaxis, njnt, 3)
            SAME(geom_xpos, ngeom, 3) SAME(geom_xmat, ngeom, 9) SAME(site_xpos, nsite, 3)
                SAME(site_xmat, nsite, 9) SAME(subtree_com, nbody, 3) SAME(cdof, nv, 6)
                    SAME(cinert, nbody, 10) SAME(cvel, nbody, 6) SAME(cdof_dot, nv, 6)
                        SAME(qfrc_bias, nv, 1) SAME(qfrc_passive, nv, 1)
                            SAME(actuator_length, nu, 1) SAME(actuator_velocity, nu, 1)
                                SAME(actuator_moment, nmoment, 1) SAME(qacc, nv, 1)
                                    SAME(qfrc_constraint, nv, 1) SAME(qfrc_inverse, nv, 1)
                                        SAME(sensordata, nsensordata, 1) same_rows(a, b);
#undef SAME
}

/* d->qacc is a, or a' of a step. */
static sal_status alone(const sal_model *m, sal_data *d, bool discrete, sal_err *err)
{
    if (!discrete) {
        return sal_inverse(m, d, err);
    }
    sal_status status = sal_position(m, d, err);
    if (status == SAL_OK) {
        sal_velocity(m, d);
        status = sal_inverse_discrete(m, d, d->qacc, err);
    }
    return status;
}

/* Limits of joints that act long before their margin, in every other instant */
enum { HELD = 8 };
static const sal_held_one held_one[HELD] = {{-1, 9}, {-2, 9}, {-3, 9}, {-4, 9},
                                            {-5, 9}, {-6, 9}, {-7, 9}, {-8, 9}};
static const sal_held held = {HELD, held_one};

static const sal_held *held_in(int i)
{
    return i % 2 == 1 ? &held : NULL;
}

/* Instants of m in the lanes of w, and each by itself */
typedef struct instants {
    const sal_model *m;
    phy_abreast *w;
    int n; /* that are compared */
    bool discrete;
    sal_data *alone[MOST];
    double *a[MOST];       /* qacc as it was given */
    double *D[2][MOST][3]; /* of the lanes; by itself */
} instants;

static void open_alone(instants *x, unsigned long seed)
{
    const size_t nv = (size_t)x->m->nv;
    sal_err err = {SAL_OK, ""};
    sal_rng rng = {seed};
    for (int i = 0; i < x->n; i++) {
        CHECK_OK(sal_data_new(&x->alone[i], x->m, &err), err);
        x->a[i] = sal_alloc(nv + 6 * nv * nv + 1, sizeof(double));
        CHECK(x->a[i] != NULL);
        for (int k = 0; k < 6; k++) {
            x->D[k / 3][i][k % 3] = x->a[i] + nv + (size_t)k * nv * nv;
        }
        stir(x->m, x->alone[i], &rng); /* as that lane was */
        memcpy(x->a[i], x->alone[i]->qacc, nv * sizeof(double));
        x->alone[i]->held = phy_abreast_data(x->w, i)->held = held_in(i);
    }
}

static void close_alone(instants *x)
{
    for (int i = 0; i < x->n; i++) {
        sal_data_free(x->alone[i]);
        sal_free(x->a[i]);
    }
}

/* The inverse of all; which have one; false: some have none */
static bool same_inverse(const instants *x, bool known[MOST])
{
    bool all = true;
    for (int i = 0; i < x->n; i++) {
        sal_err one = {SAL_OK, ""}, other = {SAL_OK, ""};
        const sal_status expected = alone(x->m, x->alone[i], x->discrete, &one);
        CHECK(phy_abreast_inverse(x->w, x->m, i, &other) == expected);
        CHECK(strcmp(one.message, other.message) == 0);
        known[i] = expected == SAL_OK;
        all = all && known[i];
    }
    return all;
}

/* Dq, Dv, Da of all, every entry of which is written, or the first reason why there are none */
static void same_derivatives(const instants *x)
{
    const size_t n = (size_t)x->m->nv * (size_t)x->m->nv;
    phy_abreast_jacobian J[MOST];
    sal_err one = {SAL_OK, ""}, other = {SAL_OK, ""};
    sal_status expected = SAL_OK;
    for (int i = 0; i < x->n; i++) {
        double *const *D = x->D[1][i];
        for (size_t k = 0; k < 3 * n; k++) {
            x->D[0][i][0][k] = NAN;
        }
        J[i] = (phy_abreast_jacobian){{x->D[0][i][0], x->D[0][i][1], x->D[0][i][2]}, x->a[i]};
        if (expected == SAL_OK) {
            expected = x->discrete ? sal_inverse_discrete_deriv(x->m, x->alone[i], D[0], D[1], D[2],
                                                                x->a[i], &one)
                                   : sal_inverse_deriv(x->m, x->alone[i], D[0], D[1], D[2], &one);
        }
    }
    CHECK(phy_abreast_deriv(x->w, x->m, J, x->n, x->discrete, &other) == expected);
    CHECK(strcmp(one.message, other.message) == 0);
    for (int i = 0; i < x->n && expected == SAL_OK; i++) {
        CHECK(same(x->D[0][i][0], x->D[1][i][0], 3 * n));
        derivatives++;
    }
}

/* n instants of m, the last of them with numbers that are not finite if `wild` */
static void compare(const sal_model *m, int width, int n, bool discrete, bool wild)
{
    const unsigned long seed = (unsigned long)(17 * n);
    sal_err err = {SAL_OK, ""};
    sal_rng rng = {seed};
    instants x = {.m = m, .discrete = discrete};
    bool known[MOST];
    phy_abreast_choose(width);
    CHECK_OK(phy_abreast_new(&x.w, m, &err), err);
    phy_abreast_choose(0);
    CHECK(width == 0 || phy_abreast_width(x.w) == width);
    const int count = n < phy_abreast_width(x.w) ? n : phy_abreast_width(x.w);
    for (int i = 0; i < count; i++) {
        stir(m, phy_abreast_data(x.w, i), &rng);
    }
    if (wild && m->nq > 0) {
        phy_abreast_data(x.w, count - 1)->qpos[m->nq - 1] = NAN;
        phy_abreast_data(x.w, count - 1)->qvel[0] = INFINITY;
    }
    x.n = count - wild;
    phy_abreast_place(x.w, m, count, discrete);
    if (!wild) {
        phy_abreast_bring(x.w, m);
    }
    open_alone(&x, seed);
    if (same_inverse(&x, known)) {
        same_derivatives(&x);
    }
    phy_abreast_bring(x.w, m); /* the first time, if there are wild ones: afterwards */
    for (int i = 0; i < x.n; i++) {
        CHECK(!known[i] || same_instant(m, x.alone[i], phy_abreast_data(x.w, i)));
        lanes_used++;
    }
    close_alone(&x);
    phy_abreast_free(x.w);
}

static void compare_file(const char *path, bool compat222)
{
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    if (sal_model_load(&m, path, &options, NULL, &err) != SAL_OK) {
        return; /* what this version refuses */
    }
    static const int widths[] = {0, 4, 8};
    for (int i = 0; i < 3; i++) {
        compare(m, widths[i], MOST, true, false);
        compare(m, widths[i], 3, false, false);
        compare(m, widths[i], 2, true, true);
    }
    models++;
    sal_model_free(m);
}

static void visit(const char *path, const char *name)
{
    (void)name;
    compare_file(path, false);
    compare_file(path, true);
}

static void same_bits(void)
{
    corpus_each_own("models", ".xml", visit);
    corpus_each("models", ".xml", visit);
    CHECK(models >= 20 && lanes_used > 20 * models && derivatives > 20 * models);
    printf("%d models, %d instants, %d of them with derivatives\n", models, lanes_used,
           derivatives);
}

/* Contact models other than soft, where the integrator lets them be */
static void compare_contact_models(const char *path, const char *name)
{
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    (void)name;
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    for (int model = SAL_CONTACT_SOFT + 1; model < SAL_NCONTACTMODELS; model++) {
        sal_contact_option o;
        sal_contact_defaults(&o, m, model);
        o.reach = 0.3;
        if (sal_model_contact(m, &o, &err) == SAL_OK) {
            compare(m, 0, MOST, true, false);
            compare(m, 4, 3, false, false);
            models++;
        }
    }
    sal_model_free(m);
}

static void same_bits_of_contact_models(void)
{
    models = lanes_used = derivatives = 0;
    corpus_each_own("models", ".xml", compare_contact_models);
    CHECK(models >= 20 && lanes_used > 5 * models && derivatives > 3 * models);
    printf("%d models, %d instants, %d of them with derivatives\n", models, lanes_used,
           derivatives);
}

/* Contacts with a height field, which each instant finds by itself */
static void same_bits_on_hills(void)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/physics/hills.xml", root == NULL ? "." : root);
    models = lanes_used = derivatives = 0;
    compare_file(path, false);
    CHECK(models == 1 && lanes_used > 20 && derivatives > 20);
    compare_contact_models(path, "hills");
    CHECK(models >= 3);
}

static void every_allocation_failing_once(void)
{
    sal_err err = {SAL_OK, ""};
    sal_model *m = NULL;
    static const char text[] = "<mujoco><worldbody><body><joint/><geom size='.1'/></body>"
                               "</worldbody></mujoco>";
    CHECK_OK(sal_model_parse(&m, "one.xml", text, sizeof text - 1, NULL, NULL, &err), err);
    int failures = 0;
    for (long n = 1;; n++) {
        phy_abreast *w = NULL;
        sal_alloc_fail_at(n);
        const sal_status status = phy_abreast_new(&w, m, &err);
        sal_alloc_fail_at(0);
        phy_abreast_free(w);
        if (status == SAL_OK) {
            break;
        }
        CHECK(status == SAL_NOMEM && w == NULL);
        failures++;
    }
    CHECK(failures >= 5); /* itself, its two blocks, data of two parts each */
    sal_model_free(m);
}

int main(void)
{
    RUN(same_bits);
    RUN(same_bits_of_contact_models);
    RUN(same_bits_on_hills);
    RUN(every_allocation_failing_once);
    return check_done();
}
