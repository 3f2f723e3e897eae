/* The sweep finds what looking at every pair finds: the same contacts in the same order, from any
 * state before. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/collision/sweep.h"
#include "physics/compiling.h"
#include "physics/physics.h"

enum { BODIES = 60, STATES = 200 };

/* Bodies of every shape that float, a plane, and a box of the world. */
static sal_model *crowd(void)
{
    static const char *const types[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder"};
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {0};
    sal_text_add(&xml, "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                       "<geom type='box' size='.3 .2 .1' margin='.05'/>");
    for (int i = 0; i < BODIES; i++) {
        sal_text_format(&xml,
                        "<body><freejoint/><geom type='%s' size='.1 .08 .12' margin='%g'/></body>",
                        types[i % 5], i % 7 == 0 ? 0.03 : 0);
    }
    sal_text_add(&xml, "</worldbody></mujoco>");
    CHECK_OK(sal_model_parse(&m, "crowd", xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    return m;
}

static void place(const sal_model *m, sal_data *d, sal_rng *rng, double spread)
{
    for (int i = 0; i < m->nq; i++) {
        d->qpos[i] = sal_rng_uniform(rng, -1, 1) * (i % 7 < 3 ? spread : 1);
    }
    sal_kinematics(m, d);
}

static void same_contacts_in_the_same_order(void)
{
    sal_model *m = crowd();
    sal_data *d = NULL, *all = NULL;
    sal_err err = {0};
    sal_rng rng = {3};
    int contacts = 0;
    CHECK(m->nsweep == m->ngeom);
    m->nconmax = 3000;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_model plain = *m;
    plain.nsweep = 0;
    CHECK_OK(sal_data_new(&all, &plain, &err), err);
    for (int k = 0; k < STATES; k++) {
        place(m, d, &rng, k % 10 == 9 ? 0.1 : k % 3 == 0 ? 4 : 1);
        memcpy(all->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        sal_kinematics(&plain, all);
        CHECK_OK(sal_collide(m, d, &err), err);
        CHECK_OK(sal_collide(&plain, all, &err), err);
        d->sweep_rest = 0; /* crowded as they may be */
        CHECK(d->ncon == all->ncon && d->arena.used == 0);
        CHECK(memcmp(d->contact, all->contact, (size_t)d->ncon * sizeof *d->contact) == 0);
        contacts += d->ncon;
    }
    printf("     %d contacts in %d states\n", contacts, STATES);
    CHECK(contacts > 10000);
    sal_data_free(d);
    sal_data_free(all);
    sal_model_free(m);
}

/* Where much is near the sweep rests; wide margins and places that are no numbers do it no harm. */
static void it_rests_in_a_crowd(void)
{
    sal_model *m = crowd();
    sal_data *d = NULL;
    sal_err err = {0};
    sal_rng rng = {4};
    m->nconmax = 8000;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    place(m, d, &rng, 0.05);
    CHECK_OK(sal_collide(m, d, &err), err);
    const int crowded = d->ncon;
    CHECK(d->sweep_rest > 0);
    CHECK_OK(sal_collide(m, d, &err), err);
    CHECK(d->ncon == crowded);
    sal_data_reset(m, d);
    CHECK(d->sweep_rest == 0);
    place(m, d, &rng, 4);
    d->geom_xpos[9] = (double)NAN;
    CHECK_OK(sal_collide(m, d, &err), err);
    m->pair_detect[7] = 1e6;
    sal_model_margins(m);
    CHECK(m->sweep_margin == 1e6);
    sal_data_free(d);
    sal_model_free(m);
}

static void small_models_are_not_swept(void)
{
    CHECK(!phy_sweep_pays(20, 190) && !phy_sweep_pays(200, 1000) && phy_sweep_pays(45, 915));
}

int main(void)
{
    RUN(same_contacts_in_the_same_order);
    RUN(it_rests_in_a_crowd);
    RUN(small_models_are_not_swept);
    return check_done();
}
