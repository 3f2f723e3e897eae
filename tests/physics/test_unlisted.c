/* Models of so many geoms that their pairs are not listed have the contacts of those that list
 * them: beside a crowd, thousands of geoms far away change neither contacts nor their order, bit by
 * bit. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/compiling.h"
#include "physics/physics.h"

enum { BODIES = 40, STATES = 60, FAR = 2100 };

/* Bodies of several shapes and kinds that hang together in twos, a moved body, a plane, boxes of
 * the world, pairs of their own and bodies that do not meet; `far` adds two bodies with thousands
 * of geoms. */
static void write_crowd(sal_text *xml, bool far, const char *flags)
{
    static const char *const types[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder"};
    sal_text_format(xml, "<mujoco><option><flag %s/></option><worldbody>", flags);
    sal_text_add(xml, "<geom name='floor' type='plane' size='1 1 1' pos='0 0 -.6'/>"
                      "<geom type='box' size='.3 .2 .1' margin='.05'/>"
                      "<geom type='box' size='.3 .2 .1' pos='.3 0 0'/>"
                      "<body mocap='true'><geom type='capsule' size='.1 .2'/></body>");
    for (int i = 0; i < BODIES; i++) {
        sal_text_format(
            xml,
            "<body name='b%d'><freejoint/><geom name='g%d' type='%s' size='.1 .08 .12' "
            "margin='%g' condim='%d'/><geom type='%s' size='.05 .06 .04' pos='.1 .1 .1' "
            "contype='%d' conaffinity='3' priority='%d'/>"
            "<body name='c%d' pos='.2 0 0'><joint/><geom type='%s' size='.09 .1 .07'/>"
            "<geom type='sphere' size='.06' pos='.1 0 0' friction='.%d'/></body></body>",
            i, i, types[i % 5], i % 7 == 0 ? 0.03 : 0.0, i % 3 == 0 ? 4 : 3, types[i * 3 % 5],
            i % 4, i % 2, i, types[(i + 2) % 5], i % 3 + 5);
    }
    for (int b = 0; b < 2 && far; b++) {
        sal_text_format(xml, "<body pos='0 %d 0'><joint type='slide'/>", 50 * b);
        for (int i = 0; i < FAR; i++) {
            sal_text_format(xml, "<geom size='.1' mass='.01' pos='%d 0 100'/>", 1000 + i);
        }
        sal_text_add(xml, "</body>");
    }
    sal_text_add(xml, "</worldbody><contact>");
    for (int i = 0; i < BODIES; i += 5) {
        sal_text_format(xml, "<exclude body1='b%d' body2='b%d'/>", i + 2, i + 1);
        sal_text_format(xml, "<pair geom1='g%d' geom2='g%d' margin='.5' condim='1'/>", i + 4, i);
        sal_text_format(xml, "<pair geom1='g%d' geom2='floor' margin='.1'/>", i + 1);
    }
    sal_text_format(xml, "<pair geom1='g1' geom2='g2' margin='.2'/></contact></mujoco>");
}

static sal_model *crowd(bool far, const char *flags, sal_mujoco mujoco)
{
    const sal_load_options options = {.mujoco = mujoco};
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {0};
    write_crowd(&xml, far, flags);
    CHECK_OK(sal_model_parse(&m, "crowd", xml.data, xml.length, &options, NULL, &err), err);
    sal_text_clear(&xml);
    return m;
}

static void place(const sal_model *m, sal_data *d, sal_rng *rng, double spread)
{
    for (int i = 0; i < m->nq; i++) {
        d->qpos[i] = sal_rng_uniform(rng, -1, 1) * (i % 8 < 3 ? spread : 1);
    }
}

static bool same_numbers(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* All of two contacts but the number of their pair, whose parameters are compared. */
static bool same_contact(const sal_model *m, const sal_contact *a, const sal_model *n,
                         const sal_contact *b)
{
    const size_t p = (size_t)a->pair, q = (size_t)b->pair;
    sal_contact c = *b;
    c.pair = a->pair;
    return a->dist == b->dist && same_numbers(a->pos, b->pos, 3) &&
           same_numbers(a->frame, b->frame, 9) && a->geom1 == b->geom1 && a->geom2 == b->geom2 &&
           a->dim == b->dim && a->prism == b->prism && a->efc_address == b->efc_address &&
           same_numbers(m->pair_friction + 5 * p, n->pair_friction + 5 * q, 5) &&
           same_numbers(m->pair_solref + 2 * p, n->pair_solref + 2 * q, 2) &&
           same_numbers(m->pair_solimp + 5 * p, n->pair_solimp + 5 * q, 5) &&
           same_numbers(m->pair_detect + p, n->pair_detect + q, 1) &&
           same_numbers(m->pair_include + p, n->pair_include + q, 1) &&
           m->pair_sides[p] == n->pair_sides[q] && m->pair_explicit[p] == n->pair_explicit[q] &&
           c.pair == a->pair;
}

/* Contacts, rows and forces of both in random states; returns how many contacts. */
static int compare(const sal_model *m, sal_data *d, const sal_model *n, sal_data *e, sal_rng *rng)
{
    int contacts = 0;
    sal_err err = {0};
    for (int k = 0; k < STATES; k++) {
        place(m, d, rng, k % 10 == 9 ? 0.3 : k % 3 == 0 ? 4 : 1);
        memcpy(e->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        CHECK_OK(sal_inverse(m, d, &err), err);
        CHECK_OK(sal_inverse(n, e, &err), err);
        CHECK(d->ncon == e->ncon && d->nefc == e->nefc && e->arena.used == 0);
        for (int i = 0; i < d->ncon && i < e->ncon; i++) {
            CHECK(same_contact(m, d->contact + i, n, e->contact + i));
        }
        CHECK(same_numbers(d->qfrc_inverse, e->qfrc_inverse, (size_t)m->nv));
        contacts += d->ncon;
    }
    return contacts;
}

static void compare_crowds(const char *flags, sal_mujoco mujoco)
{
    sal_model *m = crowd(false, flags, mujoco), *n = crowd(true, flags, mujoco);
    sal_data *d = NULL, *e = NULL;
    sal_err err = {0};
    sal_rng rng = {7};
    CHECK(m->nkind == 0 && n->nkind > 0 && n->nkind < 200 && n->npair < 40000);
    CHECK_OK(phy_data_new_small(&d, m, &err), err);
    CHECK_OK(phy_data_new_small(&e, n, &err), err);
    const int contacts = compare(m, d, n, e, &rng);
    printf("     %d contacts in %d states, %d kinds of geoms\n", contacts, STATES, n->nkind);
    CHECK(contacts > 5000);
    sal_data_free(d);
    sal_data_free(e);
    sal_model_free(m);
    sal_model_free(n);
}

static void contacts_are_those_of_listed_pairs(void)
{
    compare_crowds("contact='enable'", SAL_MUJOCO_314);
    compare_crowds("filterparent='disable'", SAL_MUJOCO_314);
    compare_crowds("midphase='disable'", SAL_MUJOCO_312);
    compare_crowds("contact='enable'", SAL_MUJOCO_222);
}

/* Neither what the sweep saw before nor the thread that has the data shows; nothing is
 * allocated. */
static void contacts_depend_on_the_state_only(void)
{
    sal_model *m = crowd(true, "contact='enable'", SAL_MUJOCO_314);
    sal_data *kept = NULL, *fresh = NULL;
    sal_err err = {0};
    sal_rng rng = {11};
    CHECK_OK(phy_data_new_small(&kept, m, &err), err);
    CHECK_OK(phy_data_new_small(&fresh, m, &err), err);
    const long allocated = sal_alloc_count();
    for (int k = 0; k < 10; k++) {
        place(m, kept, &rng, 1);
        sal_data_reset(m, fresh);
        memcpy(fresh->qpos, kept->qpos, (size_t)m->nq * sizeof(double));
        memset(fresh->sweep_order, 0, (size_t)m->nsweep * sizeof *fresh->sweep_order);
        sal_kinematics(m, kept);
        sal_kinematics(m, fresh);
        CHECK_OK(sal_collide(m, kept, &err), err);
        CHECK_OK(sal_collide(m, fresh, &err), err);
        CHECK(kept->ncon > 0 && kept->ncon == fresh->ncon);
        CHECK(memcmp(kept->contact, fresh->contact, (size_t)kept->ncon * sizeof *kept->contact) ==
              0);
    }
    CHECK(sal_alloc_count() == allocated);
    kept->geom_xpos[9] = (double)NAN;
    CHECK_OK(sal_collide(m, kept, &err), err);
    sal_data_free(kept);
    sal_data_free(fresh);
    sal_model_free(m);
}

/* A margin without end, more contacts than there is room for, and a list that cannot be written */
static void ends_are_clean(void)
{
    sal_model *m = crowd(true, "contact='enable'", SAL_MUJOCO_314);
    sal_data *d = NULL;
    sal_err err = {0};
    sal_rng rng = {5};
    sal_text text = {0};
    m->nconmax = 10;
    CHECK_OK(phy_data_new_small(&d, m, &err), err);
    place(m, d, &rng, 0.3);
    sal_kinematics(m, d);
    CHECK(sal_collide(m, d, &err) == SAL_FULL && d->arena.used == 0);
    m->pair_detect[0] = 1e6;
    sal_model_margins(m);
    CHECK(m->sweep_margin == 1e6);
    CHECK(sal_model_write(m, &text, &err) == SAL_UNSUPPORTED);
    sal_text_clear(&text);
    sal_data_free(d);
    sal_model_free(m);
}

/* Ten thousand geoms that may all meet, of as many bodies */
static void write_many(sal_text *xml, int bodies)
{
    sal_text_add(xml, "<mujoco><worldbody>");
    for (int i = 0; i < bodies; i++) {
        sal_text_format(xml,
                        "<body pos='%d %d 0'><freejoint/><geom size='.6 .6 .6' type='%s'/></body>",
                        i % 100, i / 100, i % 2 ? "box" : "sphere");
    }
    sal_text_add(xml, "</worldbody></mujoco>");
}

static void ten_thousand_bodies_load(void)
{
    enum { MANY = 10000 };
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    write_many(&xml, MANY);
    CHECK_OK(sal_model_parse(&m, "many", xml.data, xml.length, NULL, NULL, &err), err);
    CHECK(m->ngeom == MANY && m->npair == 4 && m->nv == 6 * MANY);
    CHECK_OK(phy_data_new_small(&d, m, &err), err);
    sal_data_reset(m, d);
    CHECK_OK(sal_inverse(m, d, &err), err);
    CHECK(d->ncon >= 2 * 99 * 100); /* each meets its neighbours */
    sal_data_free(d);
    sal_model_free(m);
    sal_text_clear(&xml);
}

static void memory_that_runs_out_is_an_error(void)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {0};
    write_many(&xml, 3000);
    sal_alloc_fail_at(0);
    const long before = sal_alloc_count();
    CHECK_OK(sal_model_parse(&m, "many", xml.data, xml.length, NULL, NULL, &err), err);
    sal_model_free(m);
    const long n = sal_alloc_count() - before;
    for (long k = 1, at; k <= 20; k++) { /* the last ones: the compiler's */
        at = k <= 14 ? n - k + 1 : k * n / 20;
        sal_alloc_fail_at(at);
        CHECK(sal_model_parse(&m, "many", xml.data, xml.length, NULL, NULL, &err) == SAL_NOMEM);
        CHECK(m == NULL);
    }
    sal_alloc_fail_at(0);
    sal_text_clear(&xml);
}

int main(void)
{
    RUN(contacts_are_those_of_listed_pairs);
    RUN(contacts_depend_on_the_state_only);
    RUN(ends_are_clean);
    RUN(ten_thousand_bodies_load);
    RUN(memory_that_runs_out_is_an_error);
    return check_done();
}
