/* The candidate pairs against MuJoCo 2.2.2: in random states, each of its contacts must belong to
 * one of our pairs, in our order, with the pair's parameters; and which pairs there are, against
 * rules worked out by hand. */
#include "tests/check.h"
#include "tests/mjcf/mjcf_compare.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <mujoco/mujoco.h>

static sal_model *load(const char *xml, bool compat222)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "t.xml", xml, strlen(xml), &options, NULL, &err), err);
    return m;
}

/* "0-1 0-2 ..." */
static void check_list(const char *xml, bool compat222, const char *expected)
{
    sal_model *m = load(xml, compat222);
    sal_text said = {0};
    sal_text_add(&said, "");
    for (int p = 0; m != NULL && p < m->npair; p++) {
        sal_text_format(&said, "%s%d-%d", p == 0 ? "" : " ", m->pair_geom1[p], m->pair_geom2[p]);
    }
    CHECK_TEXT(said.data, expected);
    sal_text_clear(&said);
    sal_model_free(m);
}

#define BALL      "<geom size='.1'/>"
#define CHAIN     "<body><joint/>" BALL "<body><joint/>" BALL "<body>" BALL "<body><joint/>" BALL
#define CHAIN_END "</body></body></body></body>"

static void parents_and_clusters_do_not_touch(void)
{
    /* world 0, links 1, 2, 3 fixed to 2, 4: neighbours are 1-{2,3} and {2,3}-4; the world touches
     * all */
    check_list("<mujoco><worldbody>" BALL CHAIN CHAIN_END "</worldbody></mujoco>", false,
               "0-1 0-2 0-3 0-4 1-4");
    check_list(
        "<mujoco><option><flag filterparent='disable'/></option><worldbody>" BALL CHAIN CHAIN_END
        "</worldbody></mujoco>",
        false, "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-4 3-4");
}

static void masks_and_excludes_are_respected(void)
{
    static const char *const world =
        "<mujoco><worldbody>"
        "<body name='a'><freejoint/><geom size='.1' contype='2' conaffinity='4'/></body>"
        "<body name='b'><freejoint/><geom size='.1' contype='4' conaffinity='0'/></body>"
        "<body name='c'><freejoint/><geom size='.1' contype='0' conaffinity='6'/></body>"
        "</worldbody>%s</mujoco>";
    char xml[1000];
    snprintf(xml, sizeof xml, "%.*s</mujoco>", (int)(strstr(world, "%s") - world), world);
    check_list(xml, false, "0-1 0-2 1-2"); /* 4 into a; 2 and 4 into c */
    snprintf(xml, sizeof xml, "%.*s<contact><exclude body1='c' body2='a'/></contact></mujoco>",
             (int)(strstr(world, "%s") - world), world);
    check_list(xml, false, "0-1 1-2");
}

static void explicit_pairs_come_first_and_replace(void)
{
    check_list("<mujoco><worldbody><geom name='f' type='plane' size='1 1 1'/>"
               "<body><freejoint/><geom name='a' size='.1'/><geom name='b' size='.1'/></body>"
               "<body><freejoint/><geom name='c' size='.1'/></body></worldbody>"
               "<contact><pair geom1='c' geom2='b'/><pair geom1='a' geom2='b'/><pair geom1='b' "
               "geom2='f'/></contact>"
               "</mujoco>",
               false, "0-2 0-1 0-3 1-2 2-3 1-3");
}

static void mocap_bodies_touch_what_moves(void)
{
    static const char xml[] = "<mujoco><worldbody>" BALL "<body mocap='true'>" BALL "</body>"
                              "<body mocap='true'>" BALL "<body>" BALL "</body></body>"
                              "<body><freejoint/>" BALL "</body></worldbody></mujoco>";
    check_list(xml, false, "0-4 1-4 2-4 3-4");
    check_list(xml, true, "0-4 1-4 2-4 3-4");
    /* a jointed child of a mocap body: 3.12 treats them as parent and child, 2.2.2 as world and
     * child */
    static const char child[] = "<mujoco><worldbody><body mocap='true'>" BALL "<body><joint/>" BALL
                                "</body></body></worldbody></mujoco>";
    check_list(child, false, "");
    check_list(child, true, "0-1");
}

/* A box and a ball against a ball: of the first pair the geom of the lower type is on the other
 * body. */
static void midphase_sorts_the_contacts_of_bodies(void)
{
    static const char bodies[] =
        "<worldbody><body><freejoint/><geom type='box' size='1 1 1'/><geom size='1'/></body>"
        "<body><freejoint/><geom size='1'/></body></worldbody></mujoco>";
    char text[500];
    snprintf(text, sizeof text, "<mujoco>%s", bodies);
    check_list(text, false, "1-2 2-0");
    check_list(text, true, "2-0 1-2");
    snprintf(text, sizeof text, "<mujoco><option><flag midphase='disable'/></option>%s", bodies);
    check_list(text, false, "2-0 1-2");
}

static void parameters_combine(void)
{
    sal_model *m = load(
        "<mujoco><worldbody>"
        "<geom type='plane' size='0 0 1' friction='.5 .1 .2' condim='4' margin='.03' gap='.02'"
        " solmix='1' solref='.1 .5'/>"
        "<body><freejoint/><geom size='1' friction='.7 0 .1' margin='.01' gap='.005' solmix='3'"
        " solref='.3 .9'/></body>"
        "<body><freejoint/><geom size='1' priority='1' condim='1' friction='0 0 0' solref='-5 "
        "-6'/></body>"
        "</worldbody></mujoco>",
        false);
    CHECK(m->npair == 3 && m->pair_dim[0] == 4 && m->pair_dim[1] == 1 && m->pair_dim[2] == 1);
    static const double friction[5] = {0.7, 0.7, 0.1, 0.2, 0.2};
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(m->pair_friction[i], friction[i], 0);
        CHECK_NEAR(m->pair_friction[5 + i], 1e-5, 0); /* never quite zero */
    }
    CHECK_NEAR(m->pair_solref[0], 0.25 * 0.1 + 0.75 * 0.3, 1e-16);
    CHECK_NEAR(m->pair_include[0], 0.04, 1e-16); /* margins and gaps add */
    CHECK_NEAR(m->pair_detect[0], 0.065, 1e-16);
    CHECK(m->pair_solref[2] == -5 && m->pair_solref[4] == -5);
    sal_model_free(m);
}

static void old_margins_take_the_larger(void)
{
    sal_model *m = load(
        "<mujoco><worldbody><geom type='plane' size='0 0 1' margin='.03' gap='.02'/>"
        "<body><freejoint/><geom size='1' margin='.01' gap='.005'/></body></worldbody></mujoco>",
        true);
    CHECK_NEAR(m->pair_detect[0], 0.03, 0);
    CHECK_NEAR(m->pair_include[0], 0.01, 1e-17);
    sal_model_free(m);
}

/* ---- MuJoCo's contacts ---- */

static bool matches(const sal_model *s, int p, const mjContact *c)
{
    return s->pair_geom1[p] == c->geom1 && s->pair_geom2[p] == c->geom2;
}

static void check_contact(const char *name, const sal_model *s, int p, const mjContact *c)
{
    bool same = s->pair_dim[p] == c->dim && s->pair_include[p] == c->includemargin &&
                c->dist <= s->pair_detect[p];
    for (int i = 0; i < 5; i++) {
        same = same && fabs(s->pair_friction[5 * p + i] - c->friction[i]) <= 1e-15 &&
               fabs(s->pair_solimp[5 * p + i] - c->solimp[i]) <= 1e-15;
    }
    for (int i = 0; i < 2; i++) {
        same = same && fabs(s->pair_solref[2 * p + i] - c->solref[i]) <= 1e-13;
    }
    if (!same) {
        printf("  %s: contact of geoms %d and %d differs\n", name, c->geom1, c->geom2);
    }
    CHECK(same);
}

/* Contacts come in the order of our pairs. */
static int check_contacts(const char *name, const sal_model *s, const mjData *d)
{
    int p = 0;
    for (int i = 0; i < d->ncon; i++) {
        const mjContact *c = d->contact + i;
        while (p < s->npair && !matches(s, p, c)) {
            p++;
        }
        if (p == s->npair) {
            printf("  %s: geoms %d and %d touch out of order, or are no pair\n", name, c->geom1,
                   c->geom2);
            CHECK(p < s->npair);
            return d->ncon;
        }
        check_contact(name, s, p, c);
    }
    return d->ncon;
}

static void random_state(const mjModel *m, mjData *d, sal_rng *rng)
{
    mj_resetData(m, d);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = sal_rng_uniform(rng, -1, 1);
    }
    mj_integratePos(m, d->qpos, d->qvel, sal_rng_uniform(rng, 0, 2));
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == mjJNT_FREE) { /* near where it was posed, and each other */
            for (int k = 0; k < 3; k++) {
                d->qpos[m->jnt_qposadr[j] + k] *= 0.5;
            }
        }
    }
}

static long compare_contacts(const char *name, const char *path)
{
    char error[1000];
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    sal_model *s = NULL;
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    if (m == NULL || sal_model_load(&s, path, &options, NULL, NULL) != SAL_OK) {
        mj_deleteModel(m);
        return -1;
    }
    mjData *d = mj_makeData(m);
    sal_rng rng = {1};
    long contacts = 0;
    for (int i = 0; i < 100 && m->nv > 0 && m->nv < 200; i++) {
        random_state(m, d, &rng);
        mj_fwdPosition(m, d);
        contacts += check_contacts(name, s, d);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    sal_model_free(s);
    return contacts;
}

static void ignore(const char *message)
{
    (void)message;
}

static void mujoco_finds_contacts_only_at_our_pairs(void)
{
    char *names[512];
    const int n = list_corpus_models(names);
    int touching = 0;
    long contacts = 0;
    if (n == 0) {
        SKIP("the corpus is absent");
    }
    mju_user_warning = ignore;
    for (int i = 0; i < n; i++) {
        char name[600];
        snprintf(name, sizeof name, "models/%s", names[i]);
        const long found = compare_contacts(names[i], check_corpus(name));
        touching += found > 0;
        contacts += found > 0 ? found : 0;
        free(names[i]);
    }
    printf("  %ld contacts in %d models\n", contacts, touching);
    CHECK(touching >= 20);
}

int main(void)
{
    RUN(parents_and_clusters_do_not_touch);
    RUN(masks_and_excludes_are_respected);
    RUN(explicit_pairs_come_first_and_replace);
    RUN(mocap_bodies_touch_what_moves);
    RUN(midphase_sorts_the_contacts_of_bodies);
    RUN(parameters_combine);
    RUN(old_margins_take_the_larger);
    RUN(mujoco_finds_contacts_only_at_our_pairs);
    return check_done();
}
