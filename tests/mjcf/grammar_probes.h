/* grammar_probes.h: the smallest documents that hold one element, or one attribute, of the grammar
 * of models, for asking what a version of MuJoCo knows. */
#ifndef SAL_TESTS_MJCF_GRAMMAR_PROBES_H
#define SAL_TESTS_MJCF_GRAMMAR_PROBES_H

#include "tests/mjcf/takes_effect.inc"
#include "tests/sample.h"

#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

enum { PROBE_SIZE = 400 };

/* What we say of a document's names. */
typedef enum probe_verdict {
    PROBE_READ,        /* they are known, whatever else is wrong */
    PROBE_YOUNGER,     /* a later version added one */
    PROBE_UNSUPPORTED, /* one is known, and not supported */
    PROBE_UNKNOWN
} probe_verdict;

/* about: as below */
static inline probe_verdict probe_ask(const char *xml, const char *about, bool compat222,
                                      sal_text *said)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_model_parse(&m, "t.xml", xml, strlen(xml), &options, &diag, &err);
    const char *text = diag.text.data == NULL ? "" : diag.text.data;
    const bool bad_word = strchr(about, '=') != NULL && strstr(text, " cannot be '") != NULL;
    sal_text_add(said, text);
    const probe_verdict verdict = strstr(text, " does not have ") != NULL ? PROBE_YOUNGER
                                  : strstr(text, "error: unknown ") != NULL || bad_word
                                      ? PROBE_UNKNOWN
                                  : strstr(text, " is not supported") != NULL ? PROBE_UNSUPPORTED
                                                                              : PROBE_READ;
    sal_model_free(m);
    sal_diag_clear(&diag);
    return verdict;
}

/* Called with a document and what it is about: "TAG", "TAG ATTRIBUTE", "TAG ATTRIBUTE='VALUE'". */
typedef void probe_use(void *context, const char *xml, const char *about);

typedef struct probe_place {
    int parent;
    const char *open, *close;
} probe_place;

/* What stands around an element below this parent. */
static const probe_place probe_places[] = {
    {MJCF_IN_ROOT, "", ""},
    {MJCF_IN_COMPILER, "<compiler>", "</compiler>"},
    {MJCF_IN_OPTION, "<option>", "</option>"},
    {MJCF_IN_DEFAULT, "<default>", "</default>"},
    {MJCF_IN_CUSTOM, "<custom>", "</custom>"},
    {MJCF_IN_TUPLE, "<custom><tuple name='t'>", "</tuple></custom>"},
    {MJCF_IN_ASSET, "<asset>", "</asset>"},
    {MJCF_IN_WORLD, "<worldbody>", "</worldbody>"},
    {MJCF_IN_BODY, "<worldbody><body>", "</body></worldbody>"},
    {MJCF_IN_CONTACT, "<contact>", "</contact>"},
    {MJCF_IN_ACTUATOR, "<actuator>", "</actuator>"},
    {MJCF_IN_SENSOR, "<sensor>", "</sensor>"},
    {MJCF_IN_KEYFRAME, "<keyframe>", "</keyframe>"},
    {MJCF_IN_EQUALITY, "<equality>", "</equality>"},
    {MJCF_IN_TENDON, "<tendon>", "</tendon>"},
    {MJCF_IN_FIXED, "<tendon><fixed>", "</fixed></tendon>"},
    {MJCF_IN_SPATIAL, "<tendon><spatial>", "</spatial></tendon>"},
};
enum { NPROBE_PLACE = sizeof probe_places / sizeof probe_places[0] };

static inline void probe_one(probe_use *use, void *context, const probe_place *place,
                             const char *tag, const char *attr)
{
    char xml[PROBE_SIZE], about[SAMPLE_ATTR];
    snprintf(xml, sizeof xml, "<mujoco>%s<%s%s%s%s/>%s</mujoco>", place->open, tag,
             attr == NULL ? "" : " ", attr == NULL ? "" : attr, attr == NULL ? "" : "='1.1'",
             place->close);
    snprintf(about, sizeof about, "%s%s%s", tag, attr == NULL ? "" : " ", attr == NULL ? "" : attr);
    use(context, xml, about);
}

/* Every element that is drawn, and each of its attributes. */
static inline void probe_drawn(probe_use *use, void *context)
{
    static const struct {
        const char *tag;
        probe_place place;
    } places[] = {
        {"visual", {0, "", ""}},
        {"light", {0, "<worldbody>", "</worldbody>"}},
        {"light", {0, "<default>", "</default>"}},
        {"texture", {0, "<asset>", "</asset>"}},
        {"material", {0, "<asset>", "</asset>"}},
        {"material", {0, "<default>", "</default>"}},
        {"layer", {0, "<asset><material name='m'>", "</material></asset>"}},
        {"extension", {0, "", ""}},
        {"plugin", {0, "<extension>", "</extension>"}},
        {"instance", {0, "<extension><plugin>", "</plugin></extension>"}},
        {"config", {0, "<extension><plugin><instance>", "</instance></plugin></extension>"}},
        {"skin", {0, "<asset>", "</asset>"}},
        {"bone", {0, "<asset><skin>", "</skin></asset>"}},
    };
    static const probe_place in_visual = {0, "<visual>", "</visual>"};
    size_t n;
    const mjcf_drawn *drawn = mjcf_drawn_rules(&n);
    for (size_t i = 0; i < n; i++) {
        bool listed = false;
        for (size_t k = 0; k <= sizeof places / sizeof places[0]; k++) {
            const bool last = k == sizeof places / sizeof places[0];
            if (last ? listed : strcmp(places[k].tag, drawn[i].tag) != 0) {
                continue;
            }
            const probe_place *place = last ? &in_visual : &places[k].place;
            listed = true;
            probe_one(use, context, place, drawn[i].tag, NULL);
            for (const char *a = drawn[i].attrs; *a != 0;) {
                char attr[60];
                const size_t length = strcspn(a, " ");
                snprintf(attr, sizeof attr, "%.*s", (int)length, a);
                probe_one(use, context, place, drawn[i].tag, attr);
                a += length + (a[length] == ' ');
            }
        }
    }
}

/* Every element of the grammar at each of its places, and each of its attributes. */
static inline void probe_grammar(probe_use *use, void *context)
{
    size_t n;
    const mjcf_rule *rule = mjcf_rules(&n);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < NPROBE_PLACE; k++) {
            if ((rule[i].parents & probe_places[k].parent) == 0) {
                continue;
            }
            probe_one(use, context, &probe_places[k], rule[i].tag, NULL);
            for (const mjcf_attr *a = rule[i].attr; a != NULL && a->name != NULL; a++) {
                probe_one(use, context, &probe_places[k], rule[i].tag, a->name);
            }
        }
    }
    probe_drawn(use, context);
}

static inline void probe_word(probe_use *use, void *context, const sample *s, const mjcf_attr *a,
                              const char *word)
{
    char xml[SAMPLE_TEXT], attr[SAMPLE_ATTR], about[SAMPLE_ATTR + 40];
    snprintf(attr, sizeof attr, "%s='%s'", a->name, word);
    snprintf(about, sizeof about, "%s %s", s->tag, attr);
    sample_insert(xml, s->base, a->name, attr);
    use(context, xml, about);
}

/* Every value of the attributes that are words, in the samples of these. */
static inline void probe_words(probe_use *use, void *context)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const sample *s = &samples[i];
        const mjcf_rule *rule = mjcf_find_rule(s->parents, s->tag);
        const char *list = s->attrs;
        char name[SAMPLE_NAME], text[SAMPLE_ATTR];
        while (rule != NULL && sample_next(&list, name, text)) {
            for (const mjcf_attr *a = rule->attr; a->name != NULL; a++) {
                const bool here = strcmp(a->name, name) == 0;
                for (const mjcf_word *w = here ? a->words : NULL; w != NULL && w->word != NULL;
                     w++) {
                    probe_word(use, context, s, a, w->word);
                }
            }
        }
    }
}

#endif
