/* names.c: what markers are called: the names of the usual sets, without regard to case and signs,
 * with the side before or behind them. */
#include "people/person.h"

#include <string.h>

/* How far a marker may be from where it is on the generic person: a bone under thin skin; a joint
 * centre, computed by others; soft tissue; a plate or a limb, somewhere on which it is. m */
#define BONE   .012
#define CENTRE .01
#define SOFT   .025
#define PLATE  .06

/* Names [separated by blanks] of one place; the name as it stands after the side was taken off, or
 * with `*` at its end anything that begins so. */
typedef struct entry {
    const char *names;
    bool sided;
    ppl_landmark at;
} entry;

static const entry entries[] = {
    /* pelvis; the origin is midway between the hips */
    {"asis asi iasd ias", true, {PPL_PELVIS, {.055, -.122, .085}, BONE, false}},
    {"psis psi ips", true, {PPL_PELVIS, {-.135, -.045, .09}, SOFT, false}},
    {"sacr sacrum sacral vsacral vsac s1 s2 midpsis",
     false,
     {PPL_PELVIS, {-.145, 0, .08}, SOFT, false}},
    {"iliaccrest crest icr ilcr ilc", true, {PPL_PELVIS, {-.02, -.14, .13}, SOFT, false}},
    {"hjc hjcreg hjcstudy hipjointcenter hipjointcentre hipcenter hipcentre hip",
     true,
     {PPL_PELVIS, {0, -.088, 0}, CENTRE, false}},
    {"midhip hip chip hips", false, {PPL_PELVIS, {0, 0, 0}, CENTRE, false}},
    /* torso: the origin is the lumbar joint; head: under the last neck vertebra */
    {"c7 cv7", false, {PPL_TORSO, {-.07, 0, .45}, SOFT, false}},
    {"t10 tv10", false, {PPL_TORSO, {-.09, 0, .22}, PLATE, false}},
    {"t8 tv8 t7 tv7 t6 t12 t2 tv2 l1 l4 l5", false, {PPL_TORSO, {-.09, 0, .2}, .15, false}},
    {"clav clavicle jugular ij sjn suprasternale stern man manubrium",
     false,
     {PPL_TORSO, {.055, 0, .40}, SOFT, false}},
    {"strn sternum xiphoid sxs xiph xyph px", false, {PPL_TORSO, {.09, 0, .25}, PLATE, false}},
    {"clavicle sternum sc clav", true, {PPL_TORSO, {.055, -.025, .40}, SOFT, false}},
    {"shoulder sho sh acr acromion acromium acrm acro ac sae",
     true,
     {PPL_TORSO, {-.01, -.175, .43}, SOFT, false}},
    {"sjc shoulderjointcenter shouldercenter",
     true,
     {PPL_TORSO, {-.015, -.185, .37}, CENTRE, false}},
    {"nave navel umbilicus", false, {PPL_TORSO, {.115, 0, 0}, PLATE, false}},
    {"neck", false, {PPL_TORSO, {-.02, 0, .43}, SOFT, false}},
    {"rbak rbac rback backoffset offset scap", false, {PPL_TORSO, {-.1, -.08, .28}, .15, false}},
    {"bak bac back scap scapula", true, {PPL_TORSO, {-.1, -.08, .28}, PLATE, false}},
    {"fhd", true, {PPL_HEAD, {.096, -.06, .175}, PLATE, false}},
    {"bhd", true, {PPL_HEAD, {-.084, -.06, .175}, PLATE, false}},
    {"eye", true, {PPL_HEAD, {.1, -.032, .165}, PLATE, false}},
    {"ear", true, {PPL_HEAD, {.016, -.08, .125}, PLATE, false}},
    {"tophead headtop vertex head", false, {PPL_HEAD, {.016, 0, .245}, PLATE, false}},
    {"fronthead headfront forehead nose", false, {PPL_HEAD, {.116, 0, .155}, PLATE, false}},
    {"rearhead headrear headback backhead", false, {PPL_HEAD, {-.094, 0, .155}, PLATE, false}},
    /* arms */
    {"upa uparm upperarm biceps bicep triceps humerus uarm arm delt deltoid ua*",
     true,
     {PPL_UPPER_ARM, {.01, -.045, -.16}, PLATE, false}},
    {"elb elbow elblat elbowlat latelbow lelbow lelb hle leu lee elbl elbowlateral lel",
     true,
     {PPL_UPPER_ARM, {-.005, -.045, -.28}, BONE, false}},
    {"elbmed elbowmed medelbow melbow melb hme mee elbm elbowmedial mel",
     true,
     {PPL_UPPER_ARM, {-.005, .04, -.28}, BONE, false}},
    {"ejc elbowjointcenter", true, {PPL_UPPER_ARM, {0, 0, -.285}, CENTRE, false}},
    {"forearm frm fra farm farmsup fa*", true, {PPL_LOWER_ARM, {.015, -.04, -.13}, PLATE, false}},
    {"wristradius wristrad wra radius rsp radialstyloid wristlat latwrist wrr wristr lwrist lw rs",
     true,
     {PPL_LOWER_ARM, {.035, -.01, -.26}, SOFT, false}},
    {"wristulna wrb ulna usp ulnarstyloid wristmed medwrist wru wristu mwrist mw us",
     true,
     {PPL_LOWER_ARM, {-.03, -.01, -.26}, SOFT, false}},
    {"wrist wri wr", true, {PPL_LOWER_ARM, {0, -.03, -.26}, .04, false}},
    {"wjc wristjointcenter", true, {PPL_LOWER_ARM, {0, 0, -.267}, CENTRE, false}},
    {"fin finger hand mcp* hm2 hm5 mc*", true, {PPL_LOWER_ARM, {0, -.02, -.34}, PLATE, false}},
    /* legs */
    {"gtr gtro gt gtroc trochanter gtrochanter greatertrochanter ftc troc",
     true,
     {PPL_THIGH, {-.01, -.07, .0}, SOFT, false}},
    {"thi* thigh* th1 th2 th3 th4 th5 th6 thlp thld quad ql*",
     true,
     {PPL_THIGH, {.02, -.075, -.2}, .09, false}},
    {"thap thad", true, {PPL_THIGH, {.075, -.01, -.2}, .09, false}},
    {"pat patella", true, {PPL_THIGH, {.05, 0, -.39}, .04, false}},
    {"knee kne kneelat latknee kneelateral lateralknee lknee lkne fle lfe lfc lek kneeouter kneel "
     "lepi latepicondyle lateralepicondyle",
     true,
     {PPL_THIGH, {-.003, -.055, -.405}, BONE, false}},
    {"kneemed medknee kneemedial medialknee mknee mkne kneem knem fme mfe mfc mek knm kneeinner "
     "mepi "
     "medepicondyle medialepicondyle",
     true,
     {PPL_THIGH, {-.003, .055, -.405}, BONE, false}},
    {"kjc kneejointcenter kneecenter", true, {PPL_THIGH, {0, 0, -.41}, CENTRE, false}},
    {"tib* tibia* shank* shk* sh1 sh2 sh3 sh4 sh5 sk1 sk2 sk3 sk4 tilat calf",
     true,
     {PPL_SHANK, {.01, -.055, -.18}, .09, false}},
    {"tiap tiad ati", true, {PPL_SHANK, {.04, 0, -.18}, .09, false}},
    {"tt tibialtuberosity ttc", true, {PPL_SHANK, {.05, -.005, -.06}, SOFT, false}},
    {"fh fibulahead fax hf hfb fibula", true, {PPL_SHANK, {-.02, -.05, -.04}, SOFT, false}},
    {"ankle ank anklelat latankle anklelateral lateralankle lankle lank lmal lateralmalleolus "
     "latmal mallat fal lm ankleouter anklel",
     true,
     {PPL_SHANK, {-.008, -.04, -.415}, BONE, false}},
    {"anklemed medankle anklemedial medialankle mankle mank mmal medialmalleolus medmal malmed "
     "tam mm med ankleinner anklem ankm",
     true,
     {PPL_SHANK, {.004, .04, -.41}, BONE, false}},
    {"ajc anklejointcenter anklecenter", true, {PPL_SHANK, {0, 0, -.42}, CENTRE, false}},
    /* feet; floor .085 under the ankle */
    {"heel hee calc cal fcc calcaneus heelback rearheel cal1 calcp",
     true,
     {PPL_FOOT, {-.07, 0, -.045}, BONE, false}},
    {"5meta 5met mt5 5mt met5 5thmet fifthmet metatarsal5 toe5 smalltoe fm5 vmh d5m p5mt meta5 "
     "toelat lattoe mtp5 5mtp vmt toelateral",
     true,
     {PPL_FOOT, {.11, -.055, -.052}, BONE, false}},
    {"1meta 1met mt1 1mt met1 1stmet firstmet metatarsal1 toe1 fm1 d1m meta1 toemed medtoe mtp1 "
     "1mtp toemedial p1mt fmt fmh",
     true,
     {PPL_FOOT, {.13, .045, -.05}, BONE, false}},
    {"toe mt2 2mt met2 fm2 d2m 2meta 2ndmet mtp2 2mtp forefoot mt23 dmt2 mt3 toe2 smt smh",
     true,
     {PPL_FOOT, {.135, 0, -.03}, SOFT, true}},
    {"toetip tiptoe bigtoe footindex hallux hlx hal toemid midtoe",
     true,
     {PPL_TOES, {.065, .015, -.005}, SOFT, false}},
    {"midfoot midfootsup midfootlat foot footlat mfoot cuboid navicular nav mfs mfl mt5b 5mtb p5m "
     "vmb mt1b d1mb",
     true,
     {PPL_FOOT, {.04, 0, -.02}, PLATE, false}},
};
enum { NENTRY = sizeof entries / sizeof entries[0] };

/* ---- names ---- */

/* Letters (small) and digits of a name behind its last colon: "Bob:R_HJC" is "rhjc". */
static void letters_of(char *out, size_t n, const char *name)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const char *colon = strrchr(name, ':');
    size_t k = 0;
    for (const char *c = colon == NULL ? name : colon + 1; *c != 0 && k + 1 < n; c++) {
        const char *capital = strchr(capitals, *c);
        const char *at = capital == NULL ? c : letters + (capital - capitals);
        if (strchr(letters, *at) != NULL) {
            out[k++] = *at;
        }
    }
    out[k] = 0;
}

/* The same, without "study" at its end */
static void plain(char *out, size_t n, const char *name)
{
    letters_of(out, n, name);
    const size_t k = strlen(out);
    if (k > 5 && strcmp(out + k - 5, "study") == 0) {
        out[k - 5] = 0;
    }
}

/* Whether `word` is one of the names in the list. */
static bool is_among(const char *names, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = names; *at != 0 && n > 0;) {
        const size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0) {
            return true;
        }
        if (at[length - 1] == '*' && n >= length - 1 && memcmp(at, word, length - 1) == 0) {
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

static const ppl_landmark *find(const char *word, bool sided)
{
    for (int i = 0; i < NENTRY; i++) {
        if (entries[i].sided == sided && is_among(entries[i].names, word)) {
            return &entries[i].at;
        }
    }
    return NULL;
}

/* Takes the word off the beginning or the end of the name. */
static bool strip(char *out, const char *name, const char *word, bool front)
{
    const size_t n = strlen(name), k = strlen(word);
    if (n <= k || memcmp(front ? name : name + n - k, word, k) != 0) {
        return false;
    }
    memcpy(out, front ? name + k : name, n - k);
    out[n - k] = 0;
    return true;
}

const ppl_landmark *ppl_landmark_of(const char *name, ppl_side *side)
{
    static const char *const words[] = {"right", "left", "r", "l"};
    char whole[PPL_NAME], rest[PPL_NAME];
    plain(whole, sizeof whole, name);
    const ppl_landmark *found = find(whole, false);
    *side = PPL_MIDDLE;
    for (int k = 0; k < 8 && found == NULL; k++) {
        const int word = 2 * (k / 4) + k % 2;
        if (strip(rest, whole, words[word], k % 4 < 2)) {
            found = find(rest, true);
            *side = k % 2 == 0 ? PPL_RIGHT : PPL_LEFT;
        }
    }
    return found;
}

bool ppl_side_off(char word[PPL_NAME], const char *name)
{
    static const char *const sides[] = {"right", "left", "r", "l"};
    char whole[PPL_NAME];
    bool sided = false;
    letters_of(whole, PPL_NAME, name);
    for (int k = 0; k < 4 && !sided; k++) {
        sided = strip(word, whole, sides[k], true);
    }
    return sided;
}

bool ppl_segment_landmark(ppl_landmark *out, ppl_side *side, const char *name)
{
    char own[32];
    for (int s = 0; s < PPL_NSEGMENT; s++) {
        const ppl_bone *bone = ppl_bone_of((ppl_segment)s);
        for (int k = 0; k < 3; k++) {
            if (bone->sided != (k != PPL_MIDDLE)) {
                continue;
            }
            ppl_segment_name(own, (ppl_segment)s, (ppl_side)k);
            if (strcmp(own, name) == 0) {
                const double scale[PPL_NLENGTH] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
                const ppl_inertia middle = ppl_inertia_of((ppl_segment)s, scale, 1);
                *out = (ppl_landmark){.segment = (ppl_segment)s, .sigma = .15};
                memcpy(out->pos, middle.com, sizeof out->pos);
                *side = (ppl_side)k;
                return true;
            }
        }
    }
    return false;
}
