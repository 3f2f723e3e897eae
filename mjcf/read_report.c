/* read_report.c: a fault with its place, and the word that was probably meant; an element that is
 * not supported, and what comes nearest to it. */
#include "mjcf/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mjcf_error(mjcf_reader *r, sal_place place, const char *help, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    sal_diag_error(r->diag, place, help, "%s", message);
}

const char *mjcf_suggestion(const mjcf_reader *r, char out[128], const char *word,
                            const char *const *known, size_t n)
{
    const char *nearest = sal_diag_is_full(r->diag) ? NULL : sal_text_nearest(word, known, n);
    if (nearest == NULL) {
        return NULL;
    }
    snprintf(out, 128, "did you mean '%.80s'?", nearest);
    return out;
}

/* ---- what is not supported ---- */

static const char *const deform =
    "bodies cannot deform here; what comes nearest are bodies with joints that have a stiffness, "
    "or <composite type=\"cable\">";

/* What to write instead, by the element, or by the beginning of a plugin's name. */
static const struct {
    const char *word, *help;
} instead[] = {
    {"flexcomp", deform},
    {"flex", deform},
    {"flexvert", deform},
    {"flexstrain", deform},
    {"distance", "MuJoCo has dropped it; a <tendon> with a range limits a distance, too"},
    {"mujoco.elasticity.cable", "leave it out, and give the joints a stiffness"},
    {"mujoco.elasticity", deform},
    {"mujoco.pid", "use <position>, or <general> with gains of its own"},
    {"mujoco.sensor.touch", "use <touch> or <contact>"},
    {"mujoco.sdf", "use a mesh, or geoms of simple shape"},
    {"sdf", "use type=\"mesh\", whose convex hull touches, or geoms of simple shape"},
    {"user", "a program of the user's computes it; there is no such program here"},
    {"plugin", "plugins are programs that MuJoCo runs; use elements of MJCF only"},
};

static const char *help_for(const char *word, bool whole)
{
    for (size_t i = 0; word != NULL && i < sizeof instead / sizeof instead[0]; i++) {
        const size_t n = strlen(instead[i].word);
        if (whole ? strcmp(word, instead[i].word) == 0 : strncmp(word, instead[i].word, n) == 0) {
            return instead[i].help;
        }
    }
    return NULL;
}

const char *mjcf_help_for_word(const char *word)
{
    return help_for(word, true);
}

/* Of a <plugin>: what it says, or that of the instance it names, in <extension>; or NULL. */
static const sal_xml_attr *plugin_of(const mjcf_reader *r, const sal_xml *xml)
{
    const sal_xml_attr *plugin = sal_xml_find_attr(xml, "plugin"),
                       *instance = sal_xml_find_attr(xml, "instance");
    const sal_xml *section = plugin == NULL && instance != NULL ? r->doc->root->child : NULL;
    for (; section != NULL; section = section->next) {
        const bool here = strcmp(section->tag, "extension") == 0;
        for (const sal_xml *p = here ? section->child : NULL; p != NULL; p = p->next) {
            for (const sal_xml *i = p->child; i != NULL; i = i->next) {
                const sal_xml_attr *name = sal_xml_find_attr(i, "name");
                if (name != NULL && strcmp(name->value, instance->value) == 0) {
                    return sal_xml_find_attr(p, "plugin");
                }
            }
        }
    }
    return plugin;
}

void mjcf_refuse(mjcf_reader *r, const sal_xml *xml)
{
    const sal_xml_attr *plugin = strcmp(xml->tag, "plugin") == 0 ? plugin_of(r, xml) : NULL;
    if (plugin != NULL) {
        const sal_xml_attr *said = sal_xml_find_attr(xml, "plugin");
        const char *help = help_for(plugin->value, false);
        mjcf_error(r, said == NULL ? xml->place : said->value_place,
                   help == NULL ? help_for("plugin", true) : help,
                   "<plugin> is not supported, here '%.100s'", plugin->value);
    } else {
        mjcf_error(r, xml->place, help_for(xml->tag, true), "<%.100s> is not supported", xml->tag);
    }
}
