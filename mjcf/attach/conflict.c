/* conflict.c: <option> of a sub-model beside that of the model which attaches it, as conflict of
 * the model's <compiler> says:
 *     warning   the sub-model's has no effect
 *     error     nor here, and what both give must be the same
 *     merge     what only the sub-model gives is the model's, too; of what both give, the smaller
 *               time step and tolerance, the larger number of iterations, and what either turns off
 *               (or on, where it is off by default); what remains must be the same */
#include "mjcf/attach/attach.h"

#include <string.h>

typedef enum conflict_rule {
    CONFLICT_SAME,
    CONFLICT_LEAST,
    CONFLICT_MOST,
    CONFLICT_BOTH,
} conflict_rule;

static const struct {
    const char *attr;
    conflict_rule rule;
} rules[] = {
    {"timestep", CONFLICT_LEAST},
    {"tolerance", CONFLICT_LEAST},
    {"ls_tolerance", CONFLICT_LEAST},
    {"noslip_tolerance", CONFLICT_LEAST},
    {"ccd_tolerance", CONFLICT_LEAST},
    {"sleep_tolerance", CONFLICT_LEAST},
    {"iterations", CONFLICT_MOST},
    {"ls_iterations", CONFLICT_MOST},
    {"noslip_iterations", CONFLICT_MOST},
    {"ccd_iterations", CONFLICT_MOST},
    {"sdf_iterations", CONFLICT_MOST},
    {"sdf_initpoints", CONFLICT_MOST},
    {"actuatorgroupdisable", CONFLICT_BOTH},
};

/* Flags that are off by default */
static const char *const off[] = {"override", "energy", "fwdinv", "invdiscrete", "sleep"};

typedef struct conflict {
    mjcf_attach *a;
    sal_xml *parent;
    const char *policy;
    /* attributes of <option>, or of <flag> in it */
    bool flags;
} conflict;

/* ---- what the model itself gives ---- */

static bool is_own(const sal_xml *xml, const char *tag)
{
    return strcmp(xml->tag, tag) == 0 && sal_xml_find_attr(xml, MJCF_PART) == NULL;
}

/* Its element with that attribute, the last one; NULL: there is none. */
static sal_xml *given(const conflict *c, const char *name)
{
    sal_xml *found = NULL;
    for (sal_xml *xml = c->parent->child; xml != NULL; xml = xml->next) {
        if (!is_own(xml, "option")) {
            continue;
        }
        if (!c->flags && sal_xml_find_attr(xml, name) != NULL) {
            found = xml;
        }
        for (sal_xml *flag = xml->child; flag != NULL && c->flags; flag = flag->next) {
            found = sal_xml_find_attr(flag, name) != NULL ? flag : found;
        }
    }
    return found;
}

static const char *policy_of(const sal_xml *parent)
{
    const char *policy = "warning";
    for (const sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        const sal_xml_attr *said =
            is_own(xml, "compiler") ? sal_xml_find_attr(xml, "conflict") : NULL;
        policy = said != NULL ? said->value : policy;
    }
    return policy;
}

/* ---- two values ---- */

/* As many numbers as there are, of those that an option has; 0: a word */
static int numbers_of(const sal_xml_attr *attr, double x[8])
{
    sal_diag none = {0};
    const int n = mjcf_read_numbers(&none, attr, x, 1, 8, MJCF_INF);
    sal_diag_clear(&none);
    return n < 0 ? 0 : n;
}

static bool same_value(const sal_xml_attr *one, const sal_xml_attr *other)
{
    double x[8], y[8];
    const int n = numbers_of(one, x);
    bool same = n > 0 && n == numbers_of(other, y);
    for (int i = 0; i < n && same; i++) {
        same = x[i] == y[i];
    }
    return same || strcmp(one->value, other->value) == 0;
}

static conflict_rule rule_of(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].attr, name) == 0) {
            return rules[i].rule;
        }
    }
    return CONFLICT_SAME;
}

/* Whether the sub-model's value replaces the model's */
static bool prevails(const conflict *c, const sal_xml_attr *theirs, const sal_xml_attr *ours)
{
    double x[8] = {0}, y[8] = {0};
    bool is_off = false;
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        is_off = is_off || strcmp(off[i], theirs->name) == 0;
    }
    if (c->flags) {
        return strcmp(theirs->value, is_off ? "enable" : "disable") == 0;
    }
    numbers_of(theirs, x);
    numbers_of(ours, y);
    return rule_of(theirs->name) == CONFLICT_LEAST ? x[0] < y[0] : x[0] > y[0];
}

/* ---- merging ---- */

/* Into an element of the model; NULL: into one of its own. */
static void give(const conflict *c, sal_xml *into, const sal_xml_attr *theirs, const char *value)
{
    if (into == NULL) {
        into = mjcf_attach_add(c->a, c->parent, "option");
        if (into != NULL) {
            into->place = theirs->name_place;
            into = c->flags ? mjcf_attach_add(c->a, into, "flag") : into;
        }
    }
    if (into != NULL) {
        mjcf_attach_set(c->a, into, theirs->name, value);
    }
    sal_xml_attr *attr = into == NULL ? NULL : sal_xml_find_attr(into, theirs->name);
    if (attr != NULL) {
        attr->name_place = theirs->name_place;
        attr->value_place = theirs->value_place;
    }
}

static void unite(const conflict *c, sal_xml *into, const sal_xml_attr *theirs, const char *ours)
{
    sal_text both = {0};
    sal_text_format(&both, "%s %s", ours, theirs->value);
    if (both.failed && c->a->status == SAL_OK) {
        c->a->status = sal_fail(c->a->err, SAL_NOMEM, "out of memory");
    } else if (!both.failed) {
        give(c, into, theirs, both.data);
    }
    sal_text_clear(&both);
}

static void meet(const conflict *c, const sal_xml_attr *theirs)
{
    const bool merge = strcmp(c->policy, "merge") == 0;
    sal_xml *into = given(c, theirs->name);
    const sal_xml_attr *ours = into == NULL ? NULL : sal_xml_find_attr(into, theirs->name);
    if (ours == NULL && merge) {
        give(c, NULL, theirs, theirs->value);
    } else if (ours == NULL || same_value(theirs, ours)) {
        return;
    } else if (!merge || (!c->flags && rule_of(theirs->name) == CONFLICT_SAME)) {
        mjcf_error(c->a->r, theirs->value_place, "write the same in both, or leave one of them out",
                   "%.60s of this sub-model is '%.60s', and '%.60s' in the model that attaches it, "
                   "with conflict=\"%s\"",
                   theirs->name, theirs->value, ours->value, c->policy);
    } else if (!c->flags && rule_of(theirs->name) == CONFLICT_BOTH) {
        unite(c, into, theirs, ours->value);
    } else if (prevails(c, theirs, ours)) {
        give(c, into, theirs, theirs->value);
    }
}

static void meet_all(conflict *c, const sal_xml *option)
{
    c->flags = false;
    for (int i = 0; i < option->nattr; i++) {
        meet(c, &option->attr[i]);
    }
    c->flags = true;
    for (const sal_xml *flag = option->child; flag != NULL; flag = flag->next) {
        for (int i = 0; i < flag->nattr; i++) {
            meet(c, &flag->attr[i]);
        }
    }
}

void mjcf_attach_options(mjcf_attach *a, sal_xml *parent, const sal_xml *root)
{
    conflict c = {.a = a, .parent = parent, .policy = policy_of(parent)};
    bool warned = false;
    for (const sal_xml *xml = root->child; xml != NULL && a->status == SAL_OK; xml = xml->next) {
        if (!is_own(xml, "option") || (xml->nattr == 0 && xml->child == NULL)) {
            continue;
        }
        if (strcmp(c.policy, "warning") != 0) {
            meet_all(&c, xml);
        }
        if (strcmp(c.policy, "merge") != 0 && !warned) {
            warned = true;
            sal_diag_warning(a->r->diag, xml->place, "write it in the model that attaches this one",
                             "<option> of a sub-model has no effect, as in MuJoCo");
        }
    }
}
