/* Every element and attribute that at least 4 of 393 real model files use, one by one: a tiny model
 * with it, and a sample value, is read; or it is one of the few things we refuse, and the error
 * names it. The list is the corpus's. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <unistd.h>

enum { LEAST_FILES = 4 };

/* How an element is written: around it (with @ in its place), the attributes it cannot do without,
 * and what it must hold. A row serves the attributes in `only` (NULL: all others of the
 * element). */
typedef struct context {
    const char *element, *only, *around, *needs, *inner;
} context;

#define TREE                                                                                       \
    "<worldbody><body name='b'><joint name='j' range='-1 1'/><joint name='k' type='slide'/>"       \
    "<geom name='g' size='.1'/><geom name='h' size='.1'/><site name='s'/></body>"                  \
    "<body name='c'/></worldbody>"                                                                 \
    "<tendon><fixed name='t' range='0 1'><joint joint='j' coef='1'/></fixed></tendon>"
#define MJCF_IN_BODY(attrs) "<worldbody><body " attrs ">@<geom size='.1'/></body></worldbody>"
#define SENSED              TREE "<sensor>@</sensor>"
#define MOVED               TREE "<actuator>@</actuator>"
#define CLASSES             "<default><default class='x'/></default>"
#define FRAME_SENSOR        SENSED, "objtype='body' objname='b'", ""

static const context contexts[] = {
    {"mujoco", NULL, "!", "", ""},        /* ! the document itself */
    {"mujocoinclude", NULL, "?", "", ""}, /* ? an included file, see below */
    {"include", NULL, "?", "", ""},
    {"body", "childclass", CLASSES "<worldbody>@</worldbody>", "", ""},
    {"body", NULL, "<worldbody>@</worldbody>", "", "<geom size='.1'/>"},
    {"frame", NULL, "<worldbody>@</worldbody>", "", "<geom size='.1'/>"},
    {"replicate", NULL, "<worldbody>@</worldbody>", "count='2'", "<geom size='.1'/>"},
    {"inertial", "fullinertia", "<worldbody><body>@</body></worldbody>", "pos='0 0 0' mass='1'",
     ""},
    {"inertial", NULL, "<worldbody><body>@</body></worldbody>",
     "pos='0 0 0' mass='1' diaginertia='1 1 1'", ""},
    {"freejoint", NULL, "<worldbody><body>@<geom size='.1'/></body></worldbody>", "", ""},
    {"joint", "coef joint", TREE "<tendon><fixed>@</fixed></tendon>", "joint='j' coef='1'", ""},
    {"joint", "joint1 joint2 polycoef", TREE "<equality>@</equality>", "joint1='j' joint2='k'", ""},
    {"joint", "solref solimp", TREE "<equality>@</equality>", "joint1='j'", ""},
    {"joint", "class", CLASSES MJCF_IN_BODY(""), "", ""},
    {"joint", "limited margin solreflimit solimplimit", MJCF_IN_BODY(""), "range='-1 1'", ""},
    {"joint", "actuatorfrclimited", MJCF_IN_BODY(""), "actuatorfrcrange='-1 1'", ""},
    {"joint", NULL, MJCF_IN_BODY(""), "", ""},
    {"geom", "material", "<asset><material name='x'/></asset><worldbody>@</worldbody>", "size='.1'",
     ""},
    {"geom", "mesh",
     "<asset><mesh name='x' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>@</worldbody>",
     "type='mesh'", ""},
    {"geom", "class", CLASSES "<worldbody>@</worldbody>", "size='.1'", ""},
    {"geom", "fromto", "<worldbody>@</worldbody>", "type='capsule' size='.1'", ""},
    {"geom", "hfield",
     "<asset><hfield name='x' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody>@</worldbody>",
     "type='hfield'", ""},
    {"geom", NULL, "<worldbody>@</worldbody>", "size='.1'", ""},
    {"site", "site", TREE "<tendon><spatial>@<site site='s'/></spatial></tendon>", "", ""},
    {"site", "class", CLASSES "<worldbody>@</worldbody>", "", ""},
    {"site", "material", "<asset><material name='x'/></asset><worldbody>@</worldbody>", "", ""},
    {"site", NULL, "<worldbody>@</worldbody>", "", ""},
    {"camera", "focal focalpixel principal principalpixel", "<worldbody>@</worldbody>",
     "sensorsize='.1 .2'", ""},
    {"camera", NULL, "<worldbody><body name='b'/>@</worldbody>", "", ""},
    {"light", NULL, "<worldbody><body name='b'/>@</worldbody>", "", ""},
    {"worldbody", NULL, "@", "", ""},
    {"default", "class", "<default>@</default>", "", ""},
    {"default", NULL, "@", "", ""},
    {"asset", NULL, "@", "", ""},
    {"custom", NULL, "@", "", ""},
    {"sensor", NULL, "@", "", ""},
    {"actuator", NULL, "@", "", ""},
    {"keyframe", NULL, "@", "", ""},
    {"visual", NULL, "@", "", ""},
    {"option", NULL, "@", "", ""},
    {"size", NULL, "@", "", ""},
    {"statistic", NULL, "@", "", ""},
    {"compiler", NULL, "@", "", ""},
    {"extension", NULL, "@", "", "<plugin plugin='x'/>"},
    {"flag", NULL, "<option>@</option>", "", ""},
    {"global", NULL, "<visual>@</visual>", "", ""},
    {"headlight", NULL, "<visual>@</visual>", "", ""},
    {"map", NULL, "<visual>@</visual>", "", ""},
    {"quality", NULL, "<visual>@</visual>", "", ""},
    {"rgba", NULL, "<visual>@</visual>", "", ""},
    {"scale", NULL, "<visual>@</visual>", "", ""},
    {"texture", NULL, "<asset>@</asset>", "name='t' builtin='flat'", ""},
    {"material", "class", CLASSES "<asset>@</asset>", "name='m'", ""},
    {"material", NULL, "<asset>@</asset>", "name='m'", ""},
    {"mesh", "class", CLASSES "<asset>@</asset>", "name='x' vertex='0 0 0 1 0 0 0 1 0 0 0 1'", ""},
    {"mesh", "file", "<asset>@</asset>", "", ""},
    {"mesh", NULL, "<asset>@</asset>", "name='x' vertex='0 0 0 1 0 0 0 1 0 0 0 1'", ""},
    {"skin", NULL, "<asset>@</asset>", "file='x'", ""},
    {"hfield", "file", "<asset>@</asset>", "size='1 1 1 1'", ""},
    {"hfield", NULL, "<asset>@</asset>", "name='x' nrow='2' ncol='2' size='1 1 1 1'", ""},
    {"model", NULL, "?", "", ""}, /* test_attach attaches them */
    {"attach", NULL, "?", "", ""},
    {"plugin", "instance", "<worldbody><body>@</body></worldbody>", "", ""},
    {"plugin", NULL, "<extension>@</extension>", "", ""},
    {"instance", NULL, "<extension><plugin>@</plugin></extension>", "", ""},
    {"config", NULL, "<extension><plugin><instance>@</instance></plugin></extension>", "", ""},
    {"flexcomp", NULL, "<worldbody>@</worldbody>", "", ""},
    {"edge", NULL, "<worldbody><flexcomp>@</flexcomp></worldbody>", "", ""},
    {"elasticity", NULL, "<worldbody><flexcomp>@</flexcomp></worldbody>", "", ""},
    {"pin", NULL, "<worldbody><flexcomp>@</flexcomp></worldbody>", "", ""},
    {"contact", "selfcollide internal solref solimp condim conaffinity contype",
     "<worldbody><flexcomp>@</flexcomp></worldbody>", "", ""},
    {"contact", "name data reduce geom1 geom2 num", SENSED, "geom1='g' geom2='h'", ""},
    {"contact", NULL, "@", "", ""},
    {"pair", NULL, TREE "<contact>@</contact>", "geom1='g' geom2='h'", ""},
    {"exclude", NULL, TREE "<contact>@</contact>", "body1='b' body2='c'", ""},
    {"equality", "solref solimp", "<default>@</default>", "", ""},
    {"equality", NULL, "@", "", ""},
    {"connect", NULL, TREE "<equality>@</equality>", "body1='b' anchor='0 0 0'", ""},
    {"tendon", "tendon1", TREE "<equality>@</equality>", "", ""},
    {"tendon", "name solimp solref", TREE "<equality>@</equality>", "tendon1='t'", ""},
    {"tendon", "rgba width limited", "<default>@</default>", "", ""},
    {"tendon", NULL, "@", "", ""},
    {"fixed", "class", CLASSES TREE "<tendon>@</tendon>", "", "<joint joint='k' coef='1'/>"},
    {"fixed", NULL, TREE "<tendon>@</tendon>", "", "<joint joint='k' coef='1'/>"},
    {"spatial", "limited", TREE "<tendon>@</tendon>", "range='0 1'",
     "<site site='s'/><site site='w'/>"},
    {"spatial", NULL, TREE "<tendon>@</tendon>", "", "<site site='s'/><site site='w'/>"},
    {"motor", "ctrllimited", MOVED, "joint='j' ctrlrange='-1 1'", ""},
    {"motor", "tendon", MOVED, "", ""},
    {"motor", NULL, MOVED, "joint='j'", ""},
    {"position", "ctrllimited", MOVED, "joint='j' ctrlrange='-1 1'", ""},
    {"position", "tendon", MOVED, "", ""},
    {"position", "class", CLASSES MOVED, "joint='j'", ""},
    {"position", NULL, MOVED, "joint='j'", ""},
    {"general", "ctrllimited", MOVED, "joint='j' ctrlrange='-1 1'", ""},
    {"general", "tendon", MOVED, "", ""},
    {"general", "class", CLASSES MOVED, "joint='j'", ""},
    {"general", NULL, MOVED, "joint='j'", ""},
    {"numeric", NULL, "<custom>@</custom>", "name='n' data='1 2'", ""},
    {"text", NULL, "<custom>@</custom>", "name='n' data='a'", ""},
    {"key", "act",
     TREE "<actuator><general joint='j' dyntype='filter'/></actuator><keyframe>@</keyframe>", "",
     ""},
    {"key", "ctrl", TREE "<actuator><motor joint='j'/></actuator><keyframe>@</keyframe>", "", ""},
    {"key", "mpos", "<worldbody><body mocap='true'/></worldbody><keyframe>@</keyframe>", "", ""},
    {"key", NULL, TREE "<keyframe>@</keyframe>", "", ""},
    {"accelerometer", NULL, SENSED, "site='s'", ""},
    {"gyro", NULL, SENSED, "site='s'", ""},
    {"velocimeter", NULL, SENSED, "site='s'", ""},
    {"touch", NULL, SENSED, "site='s'", ""},
    {"force", NULL, SENSED, "site='s'", ""},
    {"torque", NULL, SENSED, "site='s'", ""},
    {"framepos", "refname reftype", SENSED, "objtype='body' objname='b' reftype='body' refname='c'",
     ""},
    {"framepos", NULL, FRAME_SENSOR},
    {"framequat", NULL, FRAME_SENSOR},
    {"framelinvel", NULL, FRAME_SENSOR},
    {"frameangvel", NULL, FRAME_SENSOR},
    {"framexaxis", NULL, FRAME_SENSOR},
    {"framezaxis", NULL, FRAME_SENSOR},
    {"jointpos", NULL, SENSED, "joint='j'", ""},
    {"subtreecom", NULL, SENSED, "body='b'", ""},
    {"subtreelinvel", NULL, SENSED, "body='b'", ""},
    {"user", NULL, SENSED, "dim='1'", ""},
};

/* Sample values: of an attribute of one element, or of all ("") that have it. The first that fits
 * counts. */
static const struct {
    const char *element, *attribute, *value;
} samples[] = {
    {"frame", "pos", "1 2 3"},
    {"camera", "mode", "track"},
    {"camera", "resolution", "640 480"},
    {"camera", "focal", ".1 .2"},
    {"camera", "focalpixel", "300 300"},
    {"camera", "sensorsize", ".1 .2"},
    {"camera", "principal", ".1 .2"},
    {"camera", "principalpixel", "3 4"},
    {"light", "mode", "track"},
    {"light", "attenuation", "1 0 0"},
    {"body", "childclass", "x"},
    {"body", "mocap", "true"},
    {"body", "gravcomp", ".5"},
    {"compiler", "angle", "radian"},
    {"compiler", "meshdir", "meshes"},
    {"compiler", "texturedir", "textures/"},
    {"compiler", "autolimits", "true"},
    {"compiler", "inertiafromgeom", "auto"},
    {"compiler", "coordinate", "local"},
    {"compiler", "boundinertia", "1e-6"},
    {"compiler", "boundmass", ".001"},
    {"compiler", "inertiagrouprange", "0 2"},
    {"compiler", "settotalmass", "14"},
    {"compiler", "eulerseq", "zyx"},
    {"compiler", "balanceinertia", "true"},
    {"connect", "anchor", "0 0 1"},
    {"connect", "body2", "c"},
    {"exclude", "body2", "c"},
    {"", "body1", "b"},
    {"", "body2", "b"},
    {"fixed", "range", "-1 1"},
    {"spatial", "range", "0 2"},
    {"joint", "range", "-1 1"},
    {"joint", "axis", "0 1 0"},
    {"joint", "damping", "1.5"},
    {"joint", "type", "slide"},
    {"joint", "armature", ".1"},
    {"joint", "stiffness", "3"},
    {"joint", "frictionloss", ".1"},
    {"joint", "coef", "-2"},
    {"joint", "joint", "k"},
    {"joint", "ref", ".2"},
    {"joint", "springref", ".3"},
    {"joint", "springdamper", ".5 1"},
    {"joint", "margin", ".01"},
    {"joint", "polycoef", "0 1 0 0 0"},
    {"joint", "actuatorfrcrange", "-1 1"},
    {"joint", "joint1", "j"},
    {"joint", "joint2", "k"},
    {"geom", "type", "sphere"},
    {"geom", "mesh", "x"},
    {"geom", "hfield", "x"},
    {"geom", "material", "x"},
    {"geom", "friction", ".7 .1 .1"},
    {"geom", "fromto", "0 0 0 0 0 1"},
    {"geom", "fluidshape", "ellipsoid"},
    {"geom", "margin", ".01"},
    {"geom", "gap", ".01"},
    {"geom", "mass", "2"},
    {"geom", "density", "500"},
    {"geom", "priority", "1"},
    {"site", "type", "box"},
    {"site", "site", "w"},
    {"site", "material", "x"},
    {"site", "size", ".1 .1 .1"},
    {"inertial", "diaginertia", "1 1 1.5"},
    {"inertial", "fullinertia", "1 1 1.5 0 .1 0"},
    {"inertial", "mass", "2"},
    {"key", "qpos", ".1 .2"},
    {"key", "qvel", ".1 .2"},
    {"key", "ctrl", ".1"},
    {"key", "act", ".1"},
    {"key", "mpos", "1 2 3"},
    {"general", "gainprm", "5 0 0"},
    {"general", "biasprm", "0 -5 -1"},
    {"general", "biastype", "affine"},
    {"general", "dynprm", ".1"},
    {"general", "dyntype", "filter"},
    {"", "gear", "2"},
    {"", "kp", "10"},
    {"", "kv", "2"},
    {"", "dampratio", "1"},
    {"", "inheritrange", "1"},
    {"option", "timestep", ".01"},
    {"option", "integrator", "implicitfast"},
    {"option", "iterations", "20"},
    {"option", "solver", "Newton"},
    {"option", "ls_iterations", "20"},
    {"option", "tolerance", "1e-10"},
    {"option", "cone", "elliptic"},
    {"option", "impratio", "10"},
    {"option", "gravity", "0 0 -1"},
    {"option", "density", "1.2"},
    {"option", "viscosity", ".1"},
    {"option", "sdf_initpoints", "10"},
    {"option", "sdf_iterations", "10"},
    {"option", "noslip_iterations", "3"},
    {"flag", "", "enable"},
    {"size", "memory", "10M"},
    {"size", "", "2"},
    {"replicate", "count", "3"},
    {"replicate", "offset", "1 0 0"},
    {"replicate", "euler", "0 0 1"},
    {"replicate", "sep", "_"},
    {"numeric", "data", "1 2 3"},
    {"text", "data", "a b"},
    {"mesh", "scale", ".1 .1 .1"},
    {"hfield", "size", "1 1 1 1"},
    {"hfield", "nrow", "2"},
    {"hfield", "ncol", "2"},
    {"hfield", "elevation", "0 1 2 3"},
    {"user", "dim", "3"},
    {"contact", "data", "found"},
    {"contact", "reduce", "mindist"},
    {"contact", "num", "1"},
    {"contact", "geom1", "g"},
    {"contact", "geom2", "h"},
    {"pair", "geom1", "g"},
    {"pair", "geom2", "h"},
    {"pair", "friction", "1 1 .1 .1 .1"},
    {"statistic", "center", "0 0 1"},
    {"tendon", "tendon1", "t"},
    {"", "name", "a_name"},
    {"", "class", "x"},
    {"", "joint", "j"},
    {"", "tendon", "t"},
    {"", "site", "s"},
    {"", "body", "b"},
    {"", "objtype", "xbody"},
    {"", "objname", "c"},
    {"", "reftype", "xbody"},
    {"", "refname", "b"},
    {"", "pos", ".1 .2 .3"},
    {"", "quat", "0 1 0 0"},
    {"", "euler", "10 20 30"},
    {"", "zaxis", "1 0 1"},
    {"", "xyaxes", "0 1 0 -1 0 0"},
    {"", "size", ".1"},
    {"", "range", "-1 1"},
    {"", "ctrlrange", "-1 1"},
    {"", "forcerange", "-2 2"},
    {"", "ctrllimited", "true"},
    {"", "limited", "false"},
    {"", "actuatorfrclimited", "true"},
    {"", "solref", ".01 1"},
    {"", "solimp", ".9 .99 .001"},
    {"", "solreflimit", ".01 1"},
    {"", "solimplimit", "0 .99 .01"},
    {"", "condim", "4"},
    {"", "contype", "2"},
    {"", "conaffinity", "2"},
    {"", "rgba", "1 0 0 1"},
    {"", "user", "1 2"},
    {"", "group", "1"},
    {"", "target", "b"},
    {"", "cutoff", "5"},
    {"", "noise", ".1"},
    {"", "mass", "1"},
    {"", "width", ".01"},
    {"", "", "1"},
};

/* What is refused, by element (attribute NULL: always). */
static const struct {
    const char *element, *attribute;
} refused[] = {
    {"flexcomp", NULL},
    {"plugin", "instance"},
    {"edge", NULL},
    {"elasticity", NULL},
    {"pin", NULL},
    {"contact", "selfcollide internal solref solimp condim conaffinity contype"},
};


static bool in_words(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strstr(words, word); n > 0 && at != NULL; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) {
            return true;
        }
    }
    return false;
}

#define LISTED(list, element_, attribute_)                                                         \
    listed(&(list)[0].element, sizeof(list) / sizeof(list)[0], element_, attribute_)

/* `pairs`: element, attributes (NULL: all of it), n times. */
static bool listed(const char *const *pairs, size_t n, const char *element, const char *attribute)
{
    for (size_t i = 0; i < n; i++) {
        const char *words = pairs[2 * i + 1];
        if (strcmp(pairs[2 * i], element) == 0 && (words == NULL || in_words(words, attribute))) {
            return true;
        }
    }
    return false;
}

static const context *context_of(const char *element, const char *attribute)
{
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
        const context *c = &contexts[i];
        if (strcmp(c->element, element) == 0 && (c->only == NULL || in_words(c->only, attribute))) {
            return c;
        }
    }
    return NULL;
}

static char mesh_file[80], field_file[1024];

static const char *sample_of(const char *element, const char *attribute)
{
    if (strcmp(element, "mesh") == 0 && strcmp(attribute, "file") == 0) {
        return mesh_file;
    }
    if (strcmp(element, "hfield") == 0 && strcmp(attribute, "file") == 0) {
        return field_file;
    }
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const bool here = samples[i].element[0] == 0 || strcmp(samples[i].element, element) == 0;
        if (here &&
            (samples[i].attribute[0] == 0 || strcmp(samples[i].attribute, attribute) == 0)) {
            return samples[i].value;
        }
    }
    return "1";
}

/* <element attribute='sample' the rest of what it needs> */
static void write_element(sal_text *out, const context *c, const char *attribute)
{
    sal_text_format(out, "<%s", c->element);
    if (attribute[0] != 0) {
        sal_text_format(out, " %s='%s'", attribute, sample_of(c->element, attribute));
    }
    for (const char *at = c->needs; *at != 0;) { /* NAME='VALUE' NAME='VALUE' */
        const char *equals = strchr(at, '='), *end = strchr(equals + 2, '\'') + 1;
        if (strncmp(at, attribute, (size_t)(equals - at)) != 0 || attribute[equals - at] != 0) {
            sal_text_add(out, " ");
            sal_text_addn(out, at, (size_t)(end - at));
        }
        at = *end == ' ' ? end + 1 : end;
    }
    sal_text_format(out, ">%s</%s>", c->inner, c->element);
}

static void write_model(sal_text *out, const context *c, const char *attribute)
{
    if (c->around[0] == '!') {
        sal_text_format(out, "<mujoco%s><worldbody/></mujoco>",
                        attribute[0] != 0 ? " model='a name'" : "");
        return;
    }
    const char *at = strchr(c->around, '@');
    sal_text_add(out, "<mujoco><worldbody><site name='w'/></worldbody>");
    sal_text_addn(out, c->around, (size_t)(at - c->around));
    write_element(out, c, attribute);
    sal_text_format(out, "%s</mujoco>", at + 1);
}

typedef struct tally {
    int read, refused;
} tally;

static void try_one(tally *t, const char *element, const char *attribute)
{
    const context *c = context_of(element, attribute);
    sal_text text = {0};
    sal_model *m = NULL;
    sal_err err = {0};
    if (c == NULL) {
        printf("  no sample model for <%s>\n", element);
        CHECK(c != NULL);
        return;
    }
    if (c->around[0] == '?') { /* test_mjcf and test_attach join files */
        return;
    }
    write_model(&text, c, attribute);
    const bool good =
        sal_model_parse(&m, "t.xml", text.data, text.length, NULL, NULL, &err) == SAL_OK;
    const bool named = strstr(err.message, element) != NULL || strstr(err.message, "<flexcomp>") ||
                       strstr(err.message, "<extension>");
    if (LISTED(refused, element, attribute)) {
        CHECK(!good && named);
        t->refused++;
    } else {
        if (!good) {
            printf("  %s\n    %s\n", text.data, err.message);
        }
        CHECK(good);
        t->read++;
    }
    sal_model_free(m);
    sal_text_clear(&text);
}

static const char tetrahedron[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static void what_real_models_use_is_read(void)
{
    const char *path = check_corpus("reference/mjcf_in_the_wild/mjcf_usage.csv");
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    char line[256], element[64], attribute[64];
    tally t = {0};
    int files;
    if (file == NULL) {
        SKIP("the corpus is absent");
    }
    char folder[] = "/tmp/saltus-usage-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    snprintf(mesh_file, sizeof mesh_file, "%s/t.obj", folder);
    const char *root = getenv("SALTUS_ROOT");
    snprintf(field_file, sizeof field_file, "%s/tests/mjcf/hfields/grey.png",
             root == NULL ? "." : root);
    FILE *mesh = fopen(mesh_file, "w");
    CHECK(mesh != NULL && fputs(tetrahedron, mesh) >= 0 && fclose(mesh) == 0);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%63[^,],%63[^,],%d", element, attribute, &files) == 3 &&
            files >= LEAST_FILES) {
            try_one(&t, element, attribute[0] == '(' ? "" : attribute);
        }
    }
    fclose(file);
    remove(mesh_file);
    rmdir(folder);
    printf("  %d elements and attributes are read, %d refused\n", t.read, t.refused);
    CHECK(t.read > 390 && t.refused < 60);
}

int main(void)
{
    RUN(what_real_models_use_is_read);
    return check_done();
}
