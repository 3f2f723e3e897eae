/* How the force that a motion needs varies with numbers of the model: against differences of whole
 * evaluations of two models. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <float.h>

static sal_err err;

static const char chain[] =
    "<mujoco><option timestep='.004' gravity='.3 0 -9.81' %s/>"
    "<default><geom solref='.03 1' solimp='.8 .9 .02 .5 2'/></default>"
    "<worldbody><geom name='floor' type='plane' size='5 5 .1' condim='6' friction='.8 .02 .01'/>"
    "<body name='box' pos='0 0 .1'><freejoint/>"
    "  <inertial pos='.01 .02 .03' quat='.9 .1 .3 .2' mass='2' diaginertia='.02 .03 .04'/>"
    "  <geom name='box' type='box' size='.1 .12 .11' friction='.7'/></body>"
    "<body name='upper' pos='1 0 .6'><joint name='hip' axis='0 1 .2' damping='%s' stiffness='3 .5 "
    ".2' armature='.02'"
    "   springref='5' frictionloss='.4' range='-20 20'/>"
    "  <inertial pos='.02 0 -.2' mass='1.5' fullinertia='.03 .04 .02 .001 .002 -.001'/>"
    "  <geom name='thigh' type='capsule' fromto='0 0 0 0 .1 -.3' size='.04'/>"
    "  <body name='lower' pos='0 .1 -.3'><joint name='knee' type='ball' damping='%s' "
    "stiffness='2'/>"
    "    <geom name='shank' type='capsule' fromto='0 0 0 0 0 -.3' size='.05' mass='.8' condim='6' "
    "friction='.6 .01 .02'/>"
    "  </body></body></worldbody>"
    "<equality><connect name='pin' body1='lower' anchor='0 0 0'/></equality></mujoco>";

/* Paths, and which numbers of it. */
static const struct numbers {
    const char *path;
    int n;
} numbers[] = {
    {"body[box]/mass", 1},        {"body[box]/com", 3},           {"body[box]/inertia", 10},
    {"body[upper]/inertia", 10},  {"geom[shank]/mass", 1},        {"joint[hip]/armature", 1},
    {"joint[hip]/damping", 1},    {"joint[knee]/damping", 1},     {"joint[hip]/stiffness", 3},
    {"joint[knee]/stiffness", 1}, {"joint[hip]/frictionloss", 1}, {"option/gravity", 3},
    {"geom[floor]/friction", 3},  {"geom[shank]/friction", 3},    {"geom[box]/solref", 2},
    {"geom[box]/size", 3},        {"geom[box]/pos", 3},           {"geom[floor]/pos", 3},
    {"geom[shank]/solimp", 5},
};

/* A state with contacts, limits and friction at work, and how it goes on. */
static void pose(const sal_model *m, sal_data *d, int k, double *a)
{
    sal_data_reset(m, d);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = .6 * sin(1 + 3 * i + 5 * k);
        a[i] = 4 * sin(2 + 7 * i + 3 * k);
    }
    sal_integrate_pos(m, d->qpos, d->qpos, d->qvel, .1);
    d->qpos[2] = .1 + .01 * sin(k);
    d->qpos[7] = .5;
}

static void force_at(const sal_model *m, sal_data *d, int k, double *a)
{
    pose(m, d, k, a);
    CHECK_OK(sal_position(m, d, &err), err);
    sal_velocity(m, d);
    CHECK_OK(sal_inverse_discrete(m, d, a, &err), err);
}

/* Of hard contacts; NULL: soft ones */
static const sal_contact_option *law;

static void give_law(sal_model *m)
{
    if (law != NULL) {
        CHECK_OK(sal_model_contact(m, law, &err), err);
    }
}

static sal_model *model_at(sal_remodel *r, int id, int k, double x)
{
    sal_model *m = NULL;
    const double now = sal_remodel_loose(r, id).nominal[k];
    CHECK_OK(sal_model_copy(&m, sal_remodel_nominal(r), &err), err);
    sal_remodel_set(r, id, k, now + x);
    CHECK_OK(sal_remodel_make(r, m, &err), err);
    sal_remodel_set(r, id, k, now);
    give_law(m);
    return m;
}

typedef struct outcome {
    double worst;
    int tried, contacts;
} outcome;

/* Number k of an attribute, in several states. */
static void compare(sal_remodel *r, int id, int k, const char *path, outcome *all)
{
    enum { STATES = 4, MOST = 16 };
    const double h = 1e-5;
    sal_model *low = model_at(r, id, k, -h), *high = model_at(r, id, k, h),
              *m = model_at(r, id, k, 0);
    sal_model_change change;
    sal_data *d = NULL, *moved = NULL;
    double a[MOST], out[MOST], below[MOST];
    CHECK(sal_model_change_of(&change, low, high, 2 * h));
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_data_new(&moved, m, &err), err);
    for (int s = 0; s < STATES; s++) {
        double largest = .1, worst = 0, force = 0;
        force_at(low, moved, s, a);
        memcpy(below, moved->qfrc_inverse, sizeof below[0] * (size_t)m->nv);
        force_at(high, moved, s, a);
        force_at(m, d, s, a);
        CHECK(sal_inverse_parameter_deriv(m, d, &change, a, out));
        for (int i = 0; i < m->nv; i++) {
            const double difference = (moved->qfrc_inverse[i] - below[i]) / (2 * h);
            largest = fmax(largest, fabs(difference));
            worst = fmax(worst, fabs(out[i] - difference));
            force = fmax(force, fabs(moved->qfrc_inverse[i]));
        }
        /* forces of hard contacts that penetrate are large: the difference is known to rounding */
        worst = fmax(0, worst - 8 * DBL_EPSILON * force / (2 * h));
        all->contacts += d->ncon;
        all->tried++;
        if (!(worst / largest <= 1e-6)) {
            printf("%s[%d], state %d: off by %g of %g\n", path, k, s, worst, largest);
            CHECK(0);
        }
        all->worst = fmax(all->worst, worst / largest);
    }
    sal_model_free(low);
    sal_model_free(high);
    sal_model_free(m);
    sal_data_free(d);
    sal_data_free(moved);
}

/* What acts on joints at the end of a step has no derivatives, and solref means nothing there. */
static bool is_of_soft(const char *path)
{
    static const char *const words[] = {"damping", "stiffness", "frictionloss", "solref", "solimp"};
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        is = is || strstr(path, words[i]) != NULL;
    }
    return is;
}

static void twins_are_differences(const char *options, const char *damping)
{
    char xml[4000];
    sal_remodel *r = NULL;
    outcome all = {0};
    snprintf(xml, sizeof xml, chain, options, damping, damping);
    CHECK_OK(sal_remodel_new(&r, "chain.xml", xml, strlen(xml), NULL, &err), err);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && r != NULL; i++) {
        int id = -1;
        if ((strstr(numbers[i].path, "damping") != NULL && damping[0] == '0') ||
            (law != NULL && is_of_soft(numbers[i].path))) {
            continue; /* damping that begins there has a kink */
        }
        sal_remodel *own = NULL; /* mass and inertia of one body exclude one another */
        CHECK_OK(sal_remodel_copy(&own, r, &err), err);
        CHECK_OK(sal_remodel_loosen(own, numbers[i].path, &id, &err), err);
        sal_remodel_write_first(own, id, numbers[i].n);
        for (int k = 0; k < numbers[i].n && id >= 0; k++) {
            compare(own, id, k, numbers[i].path, &all);
        }
        sal_remodel_free(own);
    }
    CHECK(all.contacts > all.tried);
    printf("     %d derivatives, %d contacts, off by at most %.1e of the largest\n", all.tried,
           all.contacts, all.worst);
    sal_remodel_free(r);
}

static void elliptic_cones(void)
{
    twins_are_differences("cone='elliptic' impratio='3'", "0");
}

static void pyramids(void)
{
    twins_are_differences("cone='pyramidal'", "0");
}

static void implicit_damping(void)
{
    twins_are_differences("cone='elliptic'", "1.7");
}

/* lift: m, by which everything is as if it were farther apart. Without it the box penetrates, and
 * its impulse is on the tangent. */
static void hard_contacts(double lift)
{
    sal_model *m = NULL;
    char xml[4000];
    sal_contact_option hard;
    snprintf(xml, sizeof xml, chain, "", "1.7", "1.7");
    CHECK_OK(sal_model_parse(&m, "chain.xml", xml, strlen(xml), NULL, NULL, &err), err);
    sal_contact_defaults(&hard, m, SAL_CONTACT_HARD);
    hard.reach = .1;
    hard.kappa = .01;
    hard.firmest = 2;
    hard.lift = lift;
    law = &hard;
    twins_are_differences("", "1.7");
    law = NULL;
    sal_model_free(m);
}

static void hard_contacts_apart(void)
{
    hard_contacts(.04);
}

static void hard_contacts_that_penetrate(void)
{
    hard_contacts(0);
}

static void what_moves_contacts_has_none(void)
{
    char xml[4000];
    sal_remodel *r = NULL;
    static const char *const paths[] = {"geom[thigh]/fromto", "body[lower]/pos",
                                        "geom[shank]/margin", "option/density"};
    snprintf(xml, sizeof xml, chain, "", "0", "0");
    CHECK_OK(sal_remodel_new(&r, "chain.xml", xml, strlen(xml), NULL, &err), err);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        int id;
        sal_model_change change;
        CHECK_OK(sal_remodel_loosen(r, paths[i], &id, &err), err);
        sal_model *low = model_at(r, id, 0, 0), *high = model_at(r, id, 0, 1e-5);
        CHECK(!sal_model_change_of(&change, low, high, 1e-5));
        sal_model_free(low);
        sal_model_free(high);
    }
    sal_remodel_free(r);
}

int main(void)
{
    RUN(elliptic_cones);
    RUN(pyramids);
    RUN(implicit_damping);
    RUN(hard_contacts_apart);
    RUN(hard_contacts_that_penetrate);
    RUN(what_moves_contacts_has_none);
    return check_done();
}
