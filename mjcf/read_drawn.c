/* read_drawn.c: elements that only change what is drawn. Nothing of them is kept; a misspelt name
 * in them is said all the same. */
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

/* The attributes of an element, and the elements it may hold (MuJoCo documentation, "XML
 * reference"). */
static const struct {
    const char *tag, *attrs, *children;
} drawn[] = {
    {"visual", "", "global quality headlight map scale rgba"},
    {"global",
     "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime "
     "ellipsoidinertia bvactive",
     ""},
    {"quality", "shadowsize offsamples numslices numstacks numquads", ""},
    {"headlight", "ambient diffuse specular active", ""},
    {"map",
     "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip "
     "shadowscale actuatortendon",
     ""},
    {"scale",
     "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength "
     "jointwidth actuatorlength "
     "actuatorwidth framelength framewidth constraint slidercrank frustum",
     ""},
    {"rgba",
     "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light "
     "selectpoint connect "
     "contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint "
     "slidercrank crankbroken "
     "frustum bv bvactive",
     ""},
    {"light",
     "name class type texture directional castshadow active pos dir attenuation cutoff exponent "
     "ambient diffuse specular "
     "intensity range bulbradius softness mode target",
     ""},
    {"texture",
     "name type colorspace content_type file gridsize gridlayout fileright fileleft fileup "
     "filedown filefront fileback "
     "builtin rgb1 rgb2 mark markrgb random width height hflip vflip nchannel",
     ""},
    {"material",
     "name class texture texrepeat texuniform emission specular shininess reflectance metallic "
     "roughness rgba",
     "layer"},
    {"layer", "texture role", ""},
    {"skin", "name file material rgba inflate vertex texcoord face group", "bone"},
    {"bone", "body bindpos bindquat vertid vertweight", ""},
};

enum { NDRAWN = sizeof drawn / sizeof drawn[0], WORDS_MAX = 40 };

/* Whether the word is in the list. */
static bool is_in(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strstr(list, word); n > 0 && at != NULL; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) {
            return true;
        }
    }
    return false;
}

/* "did you mean 'X'?" with the nearest word of the list, or NULL. */
static const char *suggestion(const mjcf_reader *r, char out[128], const char *list,
                              const char *word)
{
    char copy[700];
    const char *known[WORDS_MAX];
    size_t n = 0;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *w = copy; *w != 0 && n < WORDS_MAX;) {
        char *end = w + strcspn(w, " ");
        known[n++] = w;
        w = *end == 0 ? end : end + 1;
        *end = 0;
    }
    return mjcf_suggestion(r, out, word, known, n);
}

void mjcf_check_drawn(mjcf_reader *r, const sal_xml *xml)
{
    char help[128];
    int k = 0;
    while (k < NDRAWN && strcmp(drawn[k].tag, xml->tag) != 0) {
        k++;
    }
    if (k == NDRAWN) {
        return;
    }
    for (int i = 0; i < xml->nattr; i++) {
        const sal_xml_attr *attr = &xml->attr[i];
        if (!is_in(drawn[k].attrs, attr->name)) {
            mjcf_error(r, attr->name_place, suggestion(r, help, drawn[k].attrs, attr->name),
                       "unknown attribute '%.100s' in <%s>", attr->name, xml->tag);
        }
    }
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (is_in(drawn[k].children, child->tag)) {
            mjcf_check_drawn(r, child);
        } else {
            mjcf_error(r, child->place, suggestion(r, help, drawn[k].children, child->tag),
                       "unknown element <%.100s> in <%s>", child->tag, xml->tag);
        }
    }
}
