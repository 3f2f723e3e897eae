/* read_idle.c: settings that MuJoCo follows and saltus does not. They are read, with a warning that
 * says what saltus does instead. */
#include "mjcf/reader.h"

#include <string.h>

static const struct {
    const char *tag, *attr;
    const char *word; /* NULL: any value */
    const char *instead;
    /* by this version, and with its compat; -1: by none */
    int followed;
} idle[] = {
    {"flag", "invdiscrete", "enable",
     "the inverse dynamics of a motion is discrete in time with and without it", -1},
    {"flag", "multiccd", "enable", "each pair of convex geoms has one contact", SAL_MUJOCO_314},
    {"flag", "sensornoise", "enable", "sensors are computed without noise", -1},
    {"flag", "sleep", "enable", "all bodies are simulated at all times", -1},
    {"replicate", "quat", NULL, "the copies are turned by euler", SAL_MUJOCO_222},
    {"compiler", "convexhull", "false", "meshes collide with their convex hulls", -1},
    {"option", "collision", "predefined",
     "MuJoCo 3 dropped it, and all geoms may collide whose contype and conaffinity match",
     SAL_MUJOCO_222},
    {"option", "collision", "dynamic", "MuJoCo 3 dropped it, and each <pair> may collide, too",
     SAL_MUJOCO_222},
};

void mjcf_warn_of_idle(mjcf_reader *r, const char *tag, const sal_xml_attr *attr)
{
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        if (strcmp(idle[i].tag, tag) == 0 && strcmp(idle[i].attr, attr->name) == 0 &&
            (idle[i].word == NULL || strcmp(idle[i].word, attr->value) == 0) &&
            idle[i].followed != (int)r->spec->mujoco) {
            sal_diag_warning(r->diag, attr->value_place, "leave it out",
                             "%s=\"%s\" in <%s> has no effect: %s", attr->name, attr->value, tag,
                             idle[i].instead);
        }
    }
}
