/* younger.c: what the format has got since MuJoCo 2.2.2, and with which version (the changelog of
 * MuJoCo; tests/mjcf/test_grammar_222.c asks libmujoco 2.2.2 whether the list is complete). Models
 * that are read as 2.2.2 reads them must not use it, nor those read as 3.12 what is of 3.13 on. */
#include "mjcf/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACTUATORS "general motor position velocity intvelocity damper cylinder muscle adhesion"
#define SENSORS                                                                                    \
    "touch accelerometer velocimeter gyro force torque magnetometer rangefinder jointpos "         \
    "jointvel ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc actuatorpos "          \
    "actuatorvel actuatorfrc framepos framequat framexaxis frameyaxis framezaxis framelinvel "     \
    "frameangvel framelinacc frameangacc subtreecom subtreelinvel subtreeangmom clock "            \
    "tendonpos tendonvel tendonlimitpos tendonlimitvel tendonlimitfrc"

/* Lists of words: elements; their attributes (NULL: the elements themselves); values of one
 * attribute (NULL: the attributes themselves). */
static const struct {
    const char *tags, *attrs, *words, *version;
    /* where the elements stand, as MJCF_IN_ bits; 0: anywhere */
    int parents;
} younger[] = {
    {"extension", NULL, NULL, "2.3.0", 0},
    {"deformable", NULL, NULL, "3.0.0", 0},
    {"frame", NULL, NULL, "3.1.0", 0},
    {"model attach", NULL, NULL, NULL, 0},
    {"replicate", NULL, NULL, "3.1.5", 0},
    {"jointactuatorfrc", NULL, NULL, "2.3.7", 0},
    {"camprojection", NULL, NULL, "3.0.0", 0},
    {"rangefinder", "camera data", NULL, NULL, 0},
    {"distance normal fromto", NULL, NULL, "3.1.6", MJCF_IN_SENSOR},
    {"e_potential e_kinetic", NULL, NULL, "3.3.0", 0},
    {"tendonactuatorfrc", NULL, NULL, "3.3.1", 0},
    {"insidesite contact", NULL, NULL, "3.3.5", MJCF_IN_SENSOR},
    {"tactile", NULL, NULL, NULL, MJCF_IN_SENSOR},
    {"layer", NULL, NULL, "3.2.5", 0},
    {"dcmotor", NULL, NULL, "3.7.0", 0},
    {"orientation", NULL, NULL, "3.11.0", 0},
    {"pid", NULL, NULL, "3.12.0", 0},

    {"compiler", "assetdir conflict", NULL, NULL, 0},
    {"compiler", "alignfree", NULL, "3.2.3", 0},
    {"compiler", "saveinertial", NULL, "3.3.1", 0},
    {"lengthrange", "interval", NULL, "2.3.3", 0},
    {"option", "o_friction sleep_tolerance", NULL, NULL, 0},
    {"option", "ls_iterations ls_tolerance sdf_iterations sdf_initpoints", NULL, "3.0.0", 0},
    {"option", "actuatorgroupdisable", NULL, "3.0.1", 0},
    {"option", "ccd_iterations ccd_tolerance", NULL, "3.2.3", 0},
    {"flag", "sleep", NULL, NULL, 0},
    {"flag", "midphase", NULL, "2.3.3", 0},
    {"flag", "eulerdamp invdiscrete island", NULL, "3.0.0", 0},
    {"flag", "autoreset", NULL, "3.2.1", 0},
    {"flag", "nativeccd", NULL, "3.2.3", 0},
    {"flag", "spring damper", NULL, "3.3.6", 0},
    {"flag", "diagexact", NULL, "3.9.0", 0},
    {"size", "memory", NULL, "2.3.0", 0},
    {"material", "metallic roughness", NULL, "3.1.5", 0},
    {"mesh", "material octree_maxdepth builtin params needsdf", NULL, NULL, 0},
    {"mesh", "content_type", NULL, "2.3.7", 0},
    {"mesh", "maxhullvert", NULL, "3.2.0", 0},
    {"mesh", "inertia", NULL, "3.2.5", 0},
    {"hfield", "content_type", NULL, "2.3.7", 0},
    {"hfield", "elevation", NULL, NULL, 0},
    {"body", "sleep", NULL, NULL, 0},
    {"composite", "vertex initial curve size quat", NULL, NULL, 0},
    {"body", "gravcomp", NULL, "2.3.1", 0},
    {"joint", "actuatorfrcrange actuatorfrclimited", NULL, "3.0.0", 0},
    {"joint", "actuatorgravcomp", NULL, "3.1.4", 0},
    {"freejoint", "align", NULL, "3.2.3", 0},
    {"geom", "adhesion surfacevel", NULL, "3.11.0", 0},
    {"site", "mesh", NULL, "3.13.0", MJCF_IN_BODY | MJCF_IN_WORLD | MJCF_IN_DEFAULT},
    {"camera", "projection output", NULL, NULL, 0},
    {"camera", "resolution focal focalpixel principal principalpixel sensorsize", NULL, "3.0.0", 0},
    {"camera", "orthographic", NULL, "3.2.0", 0},
    {"pair", "solreffriction", NULL, "2.3.6", 0},
    {"pair", "adhesion", NULL, "3.11.0", 0},
    {"connect weld", "site1 site2", NULL, "3.2.3", 0},
    {"fixed spatial", "armature actuatorfrcrange actuatorfrclimited", NULL, "3.3.1", 0},
    {ACTUATORS, "delay nsample interp", NULL, NULL, 0},
    {ACTUATORS, "armature damping", NULL, "3.7.0", 0},
    {"general", "actdim", NULL, NULL, 0},
    {"general", "actearly", NULL, "3.0.0", 0},
    {"intvelocity", "actlimited", NULL, NULL, 0},
    {"position intvelocity", "kv", NULL, "3.1.0", 0},
    {"position intvelocity", "inheritrange", NULL, "3.1.3", 0},
    {"position intvelocity", "dampratio", NULL, "3.1.6", 0},
    {"position", "timeconst", NULL, "3.1.6", 0},
    {"muscle", "tausmooth", NULL, "2.3.6", 0},
    {SENSORS, "delay nsample interp interval", NULL, NULL, 0},

    {"global", "cameraid realtime", NULL, NULL, 0},
    {"global", "ellipsoidinertia", NULL, "2.3.4", 0},
    {"global", "orthographic", NULL, "3.2.0", 0},
    {"scale rgba", "frustum", NULL, "3.0.0", 0},
    {"global rgba", "bv bvactive", NULL, "3.1.2", 0},
    {"light", "texture intensity range softness", NULL, NULL, 0},
    {"light", "bulbradius", NULL, "3.1.5", 0},
    {"light", "type", NULL, "3.3.3", 0},
    {"texture", "colorspace nchannel", NULL, NULL, 0},
    {"texture", "content_type", NULL, "2.3.7", 0},

    {"tactile", "cutoff", NULL, "3.13 or 3.14", 0},
    {"composite", "type", "cable", NULL, 0},
    {"flag", "ipc", NULL, "3.14.0", 0},

    {"option", "integrator", "implicitfast", "2.3.3", 0},
    {"option", "integrator", "discrete", "3.13.0", 13},
    {"general", "dyntype", "filterexact", "3.0.0", 0},
};

bool mjcf_lists(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strstr(list, word); n > 0 && at != NULL; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) {
            return true;
        }
    }
    return false;
}

/* Whether both say nothing, or the list has the word. */
static bool matches(const char *list, const char *word)
{
    return list == NULL ? word == NULL : word != NULL && mjcf_lists(list, word);
}

/* Versions after 3.12 are those from 3.13 on: 3.12.0 has been the only 3.12 */
static bool is_after(sal_mujoco mujoco, const char *version)
{
    const long minor =
        version != NULL && strncmp(version, "3.", 2) == 0 ? strtol(version + 2, NULL, 10) : 0;
    return mujoco == SAL_MUJOCO_222 || (mujoco == SAL_MUJOCO_312 && minor > 12);
}

bool mjcf_is_younger(const mjcf_reader *r, const char *tag, int parents, const char *attr,
                     const char *word, const char **version)
{
    const sal_mujoco mujoco = r->spec->mujoco;
    const size_t n = mujoco == SAL_MUJOCO_314 ? 0 : sizeof younger / sizeof younger[0];
    for (size_t i = 0; i < n; i++) {
        const bool here = younger[i].parents == 0 || (younger[i].parents & parents) != 0;
        if (here && mjcf_lists(younger[i].tags, tag) && matches(younger[i].attrs, attr) &&
            matches(younger[i].words, word) && is_after(mujoco, younger[i].version)) {
            *version = younger[i].version;
            return true;
        }
    }
    return false;
}

void mjcf_refuse_younger(mjcf_reader *r, sal_place place, const char *version, const char *what)
{
    char help[80];
    const char *name = sal_mujoco_name(r->spec->mujoco);
    snprintf(help, sizeof help, "leave it out, or do not ask for compat %s", name);
    mjcf_error(r, place, help, "compat=\"%s\" does not have %s; %s%s added it", name, what,
               version == NULL ? "a later version of MuJoCo" : "MuJoCo ",
               version == NULL ? "" : version);
}
