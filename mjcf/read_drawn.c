/* read_drawn.c: elements that change nothing but what is drawn. Nothing of them is kept; a misspelt
 * name in them is said all the same. */
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

/* The attributes of an element, and the elements it may hold (MuJoCo documentation, "XML
 * reference"). */
static const mjcf_drawn drawn[] = {
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
    /* these only say which plugins there are; what uses one is refused */
    {"extension", "", "plugin"},
    {"plugin", "plugin", "instance"},
    {"instance", "name", "config"},
    {"config", "key value", ""},
    {"skin", "name file material rgba inflate vertex texcoord face group", "bone"},
    {"bone", "body bindpos bindquat vertid vertweight", ""},
};

enum { NDRAWN = sizeof drawn / sizeof drawn[0], WORDS_MAX = 40 };

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

const mjcf_drawn *mjcf_drawn_rules(size_t *n)
{
    *n = NDRAWN;
    return drawn;
}

/* What is about one object does not stand in a <default>. */
static void check_attr(mjcf_reader *r, const sal_xml *xml, const sal_xml_attr *attr,
                       const char *known)
{
    const bool in_default = xml->parent != NULL && strcmp(xml->parent->tag, "default") == 0;
    const char *own = strcmp(xml->tag, "light") == 0 ? "name class target texture" : "name class";
    const char *version;
    char help[128];
    if (!mjcf_lists(known, attr->name) || (in_default && mjcf_lists(own, attr->name))) {
        mjcf_error(r, attr->name_place, suggestion(r, help, known, attr->name),
                   "unknown attribute '%.100s' in <%s>%s", attr->name, xml->tag,
                   in_default ? " in <default>" : "");
    } else if (mjcf_is_younger(r, xml->tag, 0, attr->name, NULL, &version)) {
        char what[200];
        snprintf(what, sizeof what, "the attribute '%s' in <%s>", attr->name, xml->tag);
        mjcf_refuse_younger(r, attr->name_place, version, what);
    }
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
        check_attr(r, xml, &xml->attr[i], drawn[k].attrs);
    }
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        const char *version;
        if (!mjcf_lists(drawn[k].children, child->tag)) {
            mjcf_error(r, child->place, suggestion(r, help, drawn[k].children, child->tag),
                       "unknown element <%.100s> in <%s>", child->tag, xml->tag);
        } else if (mjcf_is_younger(r, child->tag, 0, NULL, NULL, &version)) {
            char what[128];
            snprintf(what, sizeof what, "the element <%.100s>", child->tag);
            mjcf_refuse_younger(r, child->place, version, what);
        } else {
            mjcf_check_drawn(r, child);
        }
    }
}
