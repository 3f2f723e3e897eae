/* Every attribute that the reader of models accepts takes effect, or something is said of it: a
 * value that is not the default changes the compiled model or the messages. What changes nothing is
 * listed with the reason; what is neither listed nor tried is a fault. */
#include "tests/check.h"
#include "tests/mjcf/takes_effect.inc"
#include "tests/sample.h"

#include "mjcf/reader.h"
#include "physics/physics.h"

#include <stdio.h>

enum { NSAMPLE = sizeof samples / sizeof samples[0] };

/* ---- what a model is ---- */

static void add_bytes(uint64_t *digest, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++) { /* FNV-1a */
        *digest = (*digest ^ byte[i]) * UINT64_C(1099511628211);
    }
}

/* Of all sizes, options, arrays and names */
static uint64_t model_digest(const sal_model *m)
{
    const int nq = m->nq, nv = m->nv, na = m->na, nu = m->nu, nmocap = m->nmocap;
    uint64_t digest = UINT64_C(14695981039346656037);
    const int sizes[] = {m->nq,    m->nv,     m->nu,      m->na,          m->nbody,        m->njnt,
                         m->ngeom, m->nsite,  m->nsensor, m->nsensordata, m->nkey,         m->npair,
                         m->neq,   m->nmocap, m->ntendon, m->ngravcomp,   m->name_modeladr};
    const sal_option *o = &m->opt;
    const double options[] = {o->timestep,    o->impratio,        o->tolerance,  o->density,
                              o->viscosity,   m->meaninertia,     o->gravity[0], o->wind[0],
                              o->magnetic[0], o->noslip_tolerance};
    const int words[] = {o->iterations, o->integrator,      o->cone,   o->solver,
                         o->disable,    o->disableactuator, o->enable, o->noslip_iterations};
    add_bytes(&digest, sizes, sizeof sizes);
    add_bytes(&digest, options, sizeof options);
    add_bytes(&digest, words, sizeof words);
#define ADD(type, name, rows, columns)                                                             \
    add_bytes(&digest, m->name, sizeof(type) * (size_t)m->rows * (size_t)(columns));
    SAL_MODEL_ARRAYS(ADD)
#undef ADD
    add_bytes(&digest, m->names, (size_t)m->nnames);
    return digest;
}

typedef struct outcome {
    uint64_t digest;
    sal_text said;
    int nerror, nwarning;
} outcome;

/* As a file in the folder of our meshes */
static void compile(outcome *o, const char *xml)
{
    char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/tests/mjcf/meshes/t.xml", root == NULL ? "." : root);
    *o = (outcome){0};
    sal_model_parse(&m, path, xml, strlen(xml), NULL, &diag, &err);
    o->digest = m == NULL ? 0 : model_digest(m);
    o->nerror = diag.nerror;
    o->nwarning = diag.nwarning;
    sal_text_add(&o->said, diag.text.data == NULL ? "" : diag.text.data);
    sal_diag_clear(&diag);
    sal_model_free(m);
}

/* ---- one attribute ---- */

/* Whether the attribute changes the model, or what is said of it; a name that is not known, or a
 * word that is not, is a fault of the sample. */
static bool takes_effect(const char *base, const char *with, const char *what)
{
    outcome before, after;
    compile(&before, base);
    compile(&after, with);
    const char *said = after.said.data == NULL ? "" : after.said.data;
    const bool known = strstr(said, "error: unknown ") == NULL &&
                       strstr(said, " cannot be '") == NULL &&
                       strstr(said, " is not one of ") == NULL;
    const bool good = before.digest != 0 || after.digest != 0;
    const bool changes = before.digest != after.digest || before.nerror != after.nerror ||
                         before.nwarning != after.nwarning;
    if (!known || !changes || !good) {
        printf("  %s %s\n  %s\n%s", what,
               !known  ? "is not read"
               : !good ? "stands in a model that is refused"
                       : "changes nothing",
               with, said);
    }
    sal_text_clear(&before.said);
    sal_text_clear(&after.said);
    return known && changes && good;
}

/* The element in a class of defaults that stands for one in its place: NULL if there is none. */
static const char *default_tag(const sample *s)
{
    const char *tag =
        strcmp(s->tag, "fixed") == 0 || strcmp(s->tag, "spatial") == 0 ? "tendon" : s->tag;
    const bool alone = (s->parents & (MJCF_IN_EQUALITY | MJCF_IN_FIXED | MJCF_IN_SPATIAL |
                                      MJCF_IN_DEFAULT | MJCF_IN_SENSOR | MJCF_IN_COMPOSITE)) != 0;
    const mjcf_rule *rule = alone ? NULL : mjcf_find_rule(MJCF_IN_DEFAULT, tag);
    return rule == NULL || strcmp(tag, "material") == 0 ? NULL : tag;
}

static const mjcf_attr *find_attr(const mjcf_rule *rule, const char *name)
{
    for (const mjcf_attr *a = rule->attr; a != NULL && a->name != NULL; a++) {
        if (strcmp(a->name, name) == 0) {
            return a;
        }
    }
    return NULL;
}

/* name='value' as it stands in the element, and the same in a class of defaults */
static void try_attr(const sample *s, const char *name, const char *text)
{
    char plain[SAMPLE_TEXT], with[SAMPLE_TEXT + 2 * SAMPLE_ATTR], what[SAMPLE_ATTR];
    const char *tag = default_tag(s);
    sample_insert(plain, s->base, "", "");
    sample_insert(with, s->base, name, text);
    snprintf(what, sizeof what, "%.200s in <%.20s>", text, s->tag);
    CHECK(takes_effect(plain, with, what));
    const mjcf_attr *a = tag == NULL ? NULL : find_attr(mjcf_find_rule(MJCF_IN_DEFAULT, tag), name);
    if (a == NULL || (a->flags & MJCF_HERE) != 0) {
        return;
    }
    sample_insert(plain, s->base, name, ""); /* the element itself says nothing */
    snprintf(with, sizeof with, "<mujoco><default><%.20s %s/></default>%s", tag, text,
             plain + strlen("<mujoco>"));
    snprintf(what, sizeof what, "%.200s in <%.20s> in <default>", text, tag);
    CHECK(takes_effect(plain, with, what));
}

/* ---- all of them ---- */

static void each_attribute_takes_effect(void)
{
    int n = 0;
    for (size_t i = 0; i < NSAMPLE; i++) {
        const char *list = samples[i].attrs;
        char name[SAMPLE_NAME], text[SAMPLE_ATTR];
        while (sample_next(&list, name, text)) {
            try_attr(&samples[i], name, text);
            n++;
        }
    }
    printf("  %d attributes\n", n);
}

static bool is_sampled(const mjcf_rule *rule, const char *attr)
{
    for (size_t i = 0; i < NSAMPLE; i++) {
        const sample *s = &samples[i];
        const char *tag = default_tag(s);
        const bool here = strcmp(s->tag, rule->tag) == 0 &&
                          (s->parents == rule->parents || (s->parents & rule->parents) != 0);
        const bool as_default =
            tag != NULL && strcmp(tag, rule->tag) == 0 && (rule->parents & MJCF_IN_DEFAULT) != 0;
        if ((here || as_default) && sample_has(s->attrs, attr)) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const char *tag, const char *attr)
{
    for (size_t i = 0; i < sizeof without_effect / sizeof without_effect[0]; i++) {
        const char *tags = without_effect[i].tags;
        if ((strcmp(tags, "*") == 0 || mjcf_lists(tags, tag)) &&
            mjcf_lists(without_effect[i].attrs, attr)) {
            return true;
        }
    }
    return false;
}

static void no_attribute_is_left_out(void)
{
    size_t n;
    const mjcf_rule *rules = mjcf_rules(&n);
    for (size_t i = 0; i < n; i++) {
        for (const mjcf_attr *a = rules[i].attr; a != NULL && a->name != NULL; a++) {
            const bool never = (rules[i].parents == MJCF_IN_DEFAULT && (a->flags & MJCF_HERE) != 0);
            const bool sampled = never || is_sampled(&rules[i], a->name);
            const bool listed = is_listed(rules[i].tag, a->name);
            if (!sampled && !listed) {
                printf("  no sample of %s in <%s>\n", a->name, rules[i].tag);
            }
            CHECK(sampled || listed);
        }
    }
}

int main(void)
{
    RUN(each_attribute_takes_effect);
    RUN(no_attribute_is_left_out);
    return check_done();
}
