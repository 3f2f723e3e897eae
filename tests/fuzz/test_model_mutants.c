#include "tests/fuzz/fuzz_model.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

/* A little of everything that the reader knows. */
static const char everything[] =
    "<mujoco model='m'><compiler autolimits='true' eulerseq='zyx' discardvisual='true'/>"
    "<option cone='elliptic'><flag contact='enable' override='disable'/></option><size nkey='2'/>"
    "<default class='main'><geom size='.1'/><default class='c'><geom size='.1 .2 .3' "
    "solref='.01 1'/><joint damping='1'/><position kp='3'/></default></default>"
    "<asset><material name='mat' rgba='1 0 0 1'/></asset><custom><numeric name='n' data='1'/>"
    "</custom><worldbody><geom name='floor' type='plane' size='0 0 1' condim='6'/>"
    "<body name='hand' mocap='true' pos='1 0 1'><geom/></body>"
    "<composite type='cable' prefix='w' curve='s' count='4 1 1' size='1 0 0' offset='0 2 0'>"
    "<joint kind='main' damping='1'/><geom type='capsule' size='.02'/></composite>"
    "<body name='b' pos='0 0 1' euler='10 0 0'><freejoint name='f'/><geom class='c' type='box' "
    "material='mat'/><site name='s' fromto='0 0 0 1 0 0' type='capsule'/><camera name='eye'/>"
    "<frame pos='1 0 0' zaxis='1 1 0'><body name='d' childclass='c'><joint name='j' range='-9 9' "
    "axis='1 1 0' springdamper='.1 1' frictionloss='1'/><geom name='g' type='capsule' "
    "fromto='0 0 0 0 0 .3'/><geom pos='1 0 0' mass='2' contype='0' conaffinity='0'/>"
    "<body><inertial pos='0 0 0' mass='1' fullinertia='1 2 2.5 .1 .2 .3'/><joint name='l' "
    "type='ball' range='0 40'/><joint name='p' type='slide'/><geom type='ellipsoid' "
    "gap='.01'/></body></body></frame></body></worldbody>"
    "<contact><pair geom1='g' geom2='floor' condim='4'/><exclude body1='b' body2='d'/></contact>"
    "<actuator><motor name='a' joint='j' ctrlrange='-1 1'/><position class='c' joint='p' "
    "dampratio='1'/><general jointinparent='l' gear='1 2 3' biastype='affine'/></actuator>"
    "<sensor><gyro name='w' site='s'/><framepos objtype='camera' objname='eye' reftype='xbody' "
    "refname='d'/><jointpos joint='j' cutoff='1'/><user dim='2'/><subtreecom body='b'/></sensor>"
    "<keyframe><key name='k' ctrl='1 2 3 4 5' mpos='1 2 3' time='1'/></keyframe></mujoco>";

/* Models grown from the grammar: of 1000, some hundred are good, and all of them go through what
 * the fuzzer does. */
static void grown_models(void)
{
    static char text[MUTANT_MAX];
    int good = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        const size_t n = mjcf_random(text, sizeof text, seed);
        sal_model *m = parse(text, n, SAL_MUJOCO_314);
        good += m != NULL;
        sal_model_free(m);
        LLVMFuzzerTestOneInput((const uint8_t *)text, n);
    }
    CHECK(good >= 100);
}

static void mutants_of_models(void)
{
    static const char *const files[] = {"models/walker.xml", "models/person.xml"};
    const char *root = getenv("SALTUS_ROOT");
    const char *seeds[3] = {everything};
    char *texts[2] = {NULL, NULL};
    size_t nseed = 1;
    for (int i = 0; i < 2; i++) {
        char path[1024];
        size_t n;
        snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, files[i]);
        if (sal_text_read_file(path, MUTANT_MAX - 1, &texts[i], &n, NULL) == SAL_OK) {
            seeds[nseed++] = texts[i];
        }
    }
    CHECK(nseed == 3);
    CHECK(mutate_all(seeds, nseed, 5) > 100);
    sal_free(texts[0]);
    sal_free(texts[1]);
}

int main(void)
{
    RUN(grown_models);
    RUN(mutants_of_models);
    return check_done();
}
