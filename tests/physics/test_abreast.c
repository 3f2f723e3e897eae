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

static int models, lanes_used;

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

/* n instants of m, the last of them with numbers that are not finite if `wild` */
static void compare(const sal_model *m, int width, int n, bool discrete, bool wild)
{
    sal_err err = {SAL_OK, ""};
    phy_abreast *w = NULL;
    sal_data *d = NULL;
    sal_rng rng = {(unsigned long)(17 * n)};
    phy_abreast_choose(width);
    CHECK_OK(phy_abreast_new(&w, m, &err), err);
    phy_abreast_choose(0);
    CHECK(width == 0 || phy_abreast_width(w) == width);
    const int count = n < phy_abreast_width(w) ? n : phy_abreast_width(w);
    for (int i = 0; i < count; i++) {
        stir(m, phy_abreast_data(w, i), &rng);
    }
    if (wild && m->nq > 0) {
        phy_abreast_data(w, count - 1)->qpos[m->nq - 1] = NAN;
        phy_abreast_data(w, count - 1)->qvel[0] = INFINITY;
    }
    phy_abreast_place(w, m, count, discrete);
    if (!wild) {
        phy_abreast_bring(w, m);
    }
    for (int i = 0; i < count - wild; i++) {
        sal_data *lane = phy_abreast_data(w, i);
        sal_err one = {SAL_OK, ""}, other = {SAL_OK, ""};
        CHECK_OK(sal_data_new(&d, m, &err), err);
        sal_rng again = {(unsigned long)(17 * n)};
        for (int k = 0; k <= i; k++) { /* as that lane was */
            sal_data_reset(m, d);
            stir(m, d, &again);
        }
        d->held = lane->held = held_in(i);
        const sal_status expected = alone(m, d, discrete, &one);
        CHECK(phy_abreast_inverse(w, m, i, &other) == expected);
        CHECK(strcmp(one.message, other.message) == 0);
        phy_abreast_bring(w, m); /* the first time, if there are wild ones: afterwards */
        CHECK(expected != SAL_OK || same_instant(m, d, lane));
        lanes_used++;
        sal_data_free(d);
    }
    phy_abreast_free(w);
}

static void compare_file(const char *path, bool compat222)
{
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    const sal_load_options options = {.compat222 = compat222};
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
    CHECK(models >= 20 && lanes_used > 20 * models);
    printf("%d models, %d instants\n", models, lanes_used);
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
    CHECK(failures >= 4); /* itself, its block, data of two parts each */
    sal_model_free(m);
}

int main(void)
{
    RUN(same_bits);
    RUN(every_allocation_failing_once);
    return check_done();
}
