/* read_attr.c: from an element's attributes to a record, as the grammar table says. */
#include "mjcf/attach/attach.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 64, NUMBERS_MAX = 1 << 20 };

static const double number_limit = 1e15; /* beyond, products of lengths and masses overflow */

/* ---- rules ---- */

/* What MuJoCo passes over outside <worldbody>: a file of bodies that others include is a model
 * without bodies. */
static bool is_overlooked(const char *tag)
{
    return strcmp(tag, "body") == 0 || strcmp(tag, "frame") == 0;
}

const mjcf_rule *mjcf_rule_of(mjcf_reader *r, const sal_xml *xml, int parent)
{
    const mjcf_rule *rule = mjcf_find_rule(parent, xml->tag);
    if (rule == NULL) {
        const char *known[WORDS_MAX];
        char help[128];
        const size_t n = mjcf_tags(parent, known, WORDS_MAX);
        const bool moves =
            parent == MJCF_IN_WORLD && mjcf_find_rule(MJCF_IN_BODY, xml->tag) != NULL;
        const char *near = mjcf_suggestion(r, help, xml->tag, known, n);
        const bool set =
            xml->place.source != NULL && strcmp(xml->place.source->path, "override") == 0;
        const bool stray =
            !set && parent == MJCF_IN_ROOT && mjcf_find_rule(MJCF_IN_WORLD, xml->tag) != NULL;
        if (stray && r->spec->mujoco != SAL_MUJOCO_222 && is_overlooked(xml->tag)) {
            sal_diag_warning(r->diag, xml->place, "put it in <worldbody>",
                             "<%s> in <mujoco> has no effect, as in MuJoCo", xml->tag);
            return NULL;
        }
        mjcf_error(r, xml->place,
                   moves                 ? "put it in a <body>; the world cannot move"
                   : stray               ? "put it in <worldbody>"
                   : set && near == NULL ? "a path begins with an element of the problem file, if "
                                           "there is one, or of the model: "
                                           "option/timestep, joint[knee]/damping"
                                         : near,
                   "unknown element <%.100s> in <%.100s>", xml->tag, xml->parent->tag);
        return NULL;
    }
    if (rule->element == MJCF_EL_REFUSE) {
        mjcf_refuse(r, xml);
        return NULL;
    }
    const char *version;
    if (mjcf_is_younger(r, rule->tag, rule->parents, NULL, NULL, &version)) {
        char what[128];
        snprintf(what, sizeof what, "the element <%.100s>", xml->tag);
        mjcf_refuse_younger(r, xml->place, version, what);
        return NULL;
    }
    if (rule->element == MJCF_EL_SKIP) {
        mjcf_check_drawn(r, xml);
        return NULL;
    }
    if (rule->element == MJCF_EL_MATERIAL) {
        mjcf_check_drawn(r, xml);
    } else if (rule->inside == MJCF_IN_NOTHING && rule->element != MJCF_EL_FRAME &&
               xml->child != NULL && strcmp(xml->child->tag, "plugin") == 0) {
        mjcf_refuse(r, xml->child);
    } else if (rule->inside == MJCF_IN_NOTHING && rule->element != MJCF_EL_FRAME &&
               xml->child != NULL) {
        mjcf_error(r, xml->child->place, NULL, "unknown element <%.100s> in <%.100s>",
                   xml->child->tag, xml->tag);
    }
    return rule;
}

/* ---- numbers ---- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The place of n characters of the value; the whole value where entities make its text differ. */
static sal_place place_in(const sal_xml_attr *attr, size_t offset, size_t n)
{
    sal_place place = attr->value_place;
    if (place.source != NULL && strlen(attr->value) == place.length) {
        place.offset += offset;
        place.length = n;
    }
    return place;
}

static bool number_is_good(sal_diag *diag, const sal_xml_attr *attr, size_t at, size_t n, double x,
                           int flags)
{
    const int shown = n > 60 ? 60 : (int)n;
    const char *text = attr->value + at;
    const char *problem = NULL;
    if (isnan(x)) {
        problem = "it must be a number";
    } else if (isinf(x) && (flags & MJCF_INF) == 0) {
        problem = "it must be finite";
    } else if (isfinite(x) && fabs(x) > number_limit && (flags & MJCF_INF) == 0) {
        problem = "its absolute value must be at most 1e15";
    } else if ((flags & MJCF_POSITIVE) != 0 && !(x > 0)) {
        problem = "it must be positive";
    } else if ((flags & MJCF_FLOOR) == MJCF_NONNEG && !(x >= 0)) {
        problem = "it must not be negative";
    }
    if (problem != NULL) {
        sal_diag_error(diag, place_in(attr, at, n), NULL, "%s is %.*s; %s", attr->name, shown, text,
                       problem);
    }
    return problem == NULL;
}

/* What means nothing when it is 0 means nothing when it is less, in MuJoCo too. */
static double raised(sal_diag *diag, const sal_xml_attr *attr, sal_place place, double x, int flags)
{
    if ((flags & MJCF_FLOOR) != MJCF_FLOOR || !(x < 0)) {
        return x;
    }
    sal_diag_warning(diag, place, NULL, "%s is %g: as in MuJoCo, this means 0", attr->name, x);
    return 0;
}

static void count_error(sal_diag *diag, const sal_xml_attr *attr, int lo, int hi, int n)
{
    char wanted[64];
    if (lo == hi) {
        snprintf(wanted, sizeof wanted, "%d number%s", lo, lo == 1 ? "" : "s");
    } else {
        snprintf(wanted, sizeof wanted, "%d to %d numbers", lo, hi);
    }
    sal_diag_error(diag, attr->value_place, NULL, "%.100s needs %s, and has %s%d", attr->name,
                   wanted, n > hi ? "at least " : "", n);
}

int mjcf_read_numbers(sal_diag *diag, const sal_xml_attr *attr, double *value, int lo, int hi,
                      int flags)
{
    const char *s = attr->value;
    int n = 0;
    for (;; n++) {
        while (is_space(*s)) {
            s++;
        }
        if (*s == 0) {
            break;
        }
        size_t length = 1;
        while (s[length] != 0 && !is_space(s[length])) {
            length++;
        }
        const size_t at = (size_t)(s - attr->value);
        const char *end = s;
        double x = 0;
        if (!sal_text_number(s, &end, &x) || end != s + length) {
            sal_diag_error(diag, place_in(attr, at, length), NULL, "%.100s: '%.*s' is not a number",
                           attr->name, length > 60 ? 60 : (int)length, s);
            return -1;
        }
        if (n >= hi) {
            n++;
            break;
        }
        if (!number_is_good(diag, attr, at, length, x, flags)) {
            return -1;
        }
        x = raised(diag, attr, place_in(attr, at, length), x, flags);
        if (value != NULL) {
            value[n] = x;
        }
        s += length;
    }
    if (n < lo || n > hi) {
        count_error(diag, attr, lo, hi, n);
        return -1;
    }
    return n;
}

static void read_ints(mjcf_reader *r, const mjcf_attr *rule, const sal_xml_attr *attr, int *value)
{
    double x[4];
    if (mjcf_read_numbers(r->diag, attr, x, rule->lo, rule->hi, rule->flags) < 0) {
        return;
    }
    for (int i = 0; i < rule->lo; i++) {
        if (fabs(x[i]) > 2147483647.0 || x[i] != (double)(int)x[i]) {
            mjcf_error(r, attr->value_place, NULL,
                       "%s: %.17g is not a whole number between -2147483648 and 2147483647",
                       attr->name, x[i]);
            return;
        }
        value[i] = (int)x[i];
    }
}

static void read_zeros(mjcf_reader *r, const sal_xml_attr *attr, const char *tag)
{
    double x[16];
    const int n = mjcf_read_numbers(r->diag, attr, x, 1, 16, 0);
    for (int i = 0; i < n; i++) {
        if (x[i] != 0) {
            mjcf_error(r, attr->name_place, NULL, "%s in <%s> is not supported unless it is 0",
                       attr->name, tag);
            return;
        }
    }
}

/* ---- words ---- */

static const mjcf_word *read_word(mjcf_reader *r, const mjcf_rule *element, const mjcf_attr *rule,
                                  const sal_xml_attr *attr)
{
    const char *tag = element->tag, *version;
    const char *known[WORDS_MAX];
    size_t n = 0;
    for (const mjcf_word *w = rule->words; w->word != NULL; w++) {
        if (strcmp(w->word, attr->value) == 0) {
            if (w->value == SPEC_OTHER) {
                mjcf_error(r, attr->value_place, mjcf_help_for_word(w->word),
                           "%s=\"%s\" in <%s> is not supported", attr->name, w->word, tag);
                return NULL;
            }
            if (mjcf_is_younger(r, tag, element->parents, attr->name, w->word, &version)) {
                char what[200];
                snprintf(what, sizeof what, "%s=\"%s\" in <%s>", attr->name, w->word, tag);
                mjcf_refuse_younger(r, attr->value_place, version, what);
                return NULL;
            }
            return w;
        }
        if (n < WORDS_MAX) {
            known[n++] = w->word;
        }
    }
    char all[256] = "allowed:";
    for (size_t i = 0; i < n; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s %s", i == 0 ? "" : ",", known[i]);
    }
    char near[128];
    const char *help = mjcf_suggestion(r, near, attr->value, known, n);
    mjcf_error(r, attr->value_place, help != NULL ? help : all, "%s in <%s> cannot be '%.60s'",
               attr->name, tag, attr->value);
    return NULL;
}

/* ---- one attribute into its place ---- */

static void *place_of(void *record, const mjcf_attr *rule)
{
    return (char *)record + rule->offset;
}

/* (time constant, damping ratio) are both positive, (-stiffness, -damping) both not */
static void warn_of_mixed(mjcf_reader *r, const sal_xml_attr *attr, const char *tag,
                          const double solref[2])
{
    if ((solref[0] > 0) != (solref[1] > 0)) {
        const bool friction = strcmp(tag, "pair") == 0 && strcmp(attr->name, "solreffriction") == 0;
        sal_diag_warning(r->diag, attr->value_place,
                         "write two positive numbers (TIMECONSTANT DAMPINGRATIO), or two negative "
                         "ones (-STIFFNESS -DAMPING)",
                         "%s in <%s> is %g %g, which has no effect: as in MuJoCo, %s is used "
                         "instead",
                         attr->name, tag, solref[0], solref[1],
                         friction ? "the solref of the pair" : "0.02 1");
    }
}

/* Whether MuJoCo 2.2.2 reads as many numbers; reports it. */
static bool count_is_old(mjcf_reader *r, const mjcf_attr *rule, const sal_xml_attr *attr,
                         const char *tag, int n)
{
    if ((rule->flags & MJCF_MORE) != 0 && n > rule->lo) {
        char what[200];
        snprintf(what, sizeof what, "%d numbers in %s of <%s>", n, attr->name, tag);
        mjcf_refuse_younger(r, attr->value_place,
                            strcmp(attr->name, "springlength") == 0 ? "2.3.1" : "3.7.0", what);
        return false;
    }
    if ((rule->flags & MJCF_ALL) != 0 && n < rule->hi) {
        mjcf_error(r, attr->value_place, "add zeros, or do not ask for compat 2.2.2",
                   "with compat=\"2.2.2\" %s needs %d numbers, and has %d", attr->name, rule->hi,
                   n);
        return false;
    }
    return true;
}

static void store_reals(mjcf_reader *r, const mjcf_attr *rule, const sal_xml_attr *attr,
                        const char *tag, double *out)
{
    double x[16];
    const int n = mjcf_read_numbers(r->diag, attr, x, rule->lo, rule->hi, rule->flags);
    if (n > 0 && r->spec->mujoco == SAL_MUJOCO_222 && !count_is_old(r, rule, attr, tag, n)) {
        return;
    }
    if (n > 0) {
        memcpy(out, x, (size_t)n * sizeof *x);
        if ((rule->flags & MJCF_SOLREF) != 0) {
            warn_of_mixed(r, attr, tag, out);
        }
    }
}

static void read_attr(mjcf_reader *r, const mjcf_rule *element, const mjcf_attr *rule,
                      sal_xml_attr *attr, void *record)
{
    void *out = place_of(record, rule);
    switch (rule->kind) {
    case MJCF_NAME:
        *(const char **)out = attr->value;
        break;
    case MJCF_ATTR:
        *(sal_xml_attr **)out = attr;
        break;
    case MJCF_REALS:
        store_reals(r, rule, attr, element->tag, out);
        break;
    case MJCF_INT:
    case MJCF_INTS:
        read_ints(r, rule, attr, out);
        break;
    case MJCF_WORD: {
        const mjcf_word *word = read_word(r, element, rule, attr);
        if (word != NULL) {
            *(int *)out = word->value;
        }
        break;
    }
    case MJCF_STRING:
        if (read_word(r, element, rule, attr) != NULL && rule->offset > 0) {
            *(const char **)out = attr->value;
        }
        break;
    case MJCF_COUNT: {
        const int n = mjcf_read_numbers(r->diag, attr, NULL, 0, NUMBERS_MAX, MJCF_INF);
        *(int *)out = n < 0 ? 0 : n;
        break;
    }
    case MJCF_NUMBERS:
        mjcf_read_numbers(r->diag, attr, NULL, 0, NUMBERS_MAX, MJCF_INF);
        break;
    case MJCF_SKIP:
        break;
    case MJCF_ZERO:
        read_zeros(r, attr, element->tag);
        break;
    case MJCF_NEVER:
        mjcf_error(r, attr->name_place, NULL, "%s in <%s> is not supported", attr->name,
                   element->tag);
        break;
    }
}

static const mjcf_attr *find_attr(const mjcf_rule *rule, const char *name, bool in_default)
{
    for (const mjcf_attr *a = rule->attr; a->name != NULL; a++) {
        if (a->name[0] == name[0] && strcmp(a->name, name) == 0 &&
            !(in_default && (a->flags & MJCF_HERE) != 0)) {
            return a;
        }
    }
    return NULL;
}

static void unknown_attr(mjcf_reader *r, const mjcf_rule *rule, const sal_xml_attr *attr,
                         bool in_default)
{
    const char *known[WORDS_MAX];
    char help[128];
    size_t n = 0;
    for (const mjcf_attr *a = rule->attr; a->name != NULL && n < WORDS_MAX; a++) {
        if (!(in_default && (a->flags & MJCF_HERE) != 0)) {
            known[n++] = a->name;
        }
    }
    mjcf_error(r, attr->name_place, mjcf_suggestion(r, help, attr->name, known, n),
               "unknown attribute '%.100s' in <%s>%s", attr->name, rule->tag,
               in_default ? " in <default>" : "");
}

/* Marks of sub-models and copies are no attributes of MJCF; no file has them (attach/attach.c). */
static bool is_mark(const mjcf_reader *r, const sal_xml_attr *attr)
{
    return r->spec->mujoco != SAL_MUJOCO_222 &&
           strncmp(attr->name, MJCF_MARK, strlen(MJCF_MARK)) == 0;
}

/* Numbers, or the name of what an element refers to and can do without */
static bool may_be_empty(const mjcf_attr *rule)
{
    static const char *const names[] = {"body2",    "joint2",  "tendon2", "site2",
                                        "sidesite", "refsite", "mesh",    "hfield"};
    bool is_name = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        is_name = is_name || strcmp(rule->name, names[i]) == 0;
    }
    return rule->kind == MJCF_REALS || rule->kind == MJCF_INT || rule->kind == MJCF_INTS ||
           rule->kind == MJCF_ZERO || rule->kind == MJCF_ATTR ||
           (rule->kind == MJCF_NAME && is_name && (rule->flags & MJCF_MUST) == 0);
}

/* Where the value of such an attribute is empty, MuJoCo goes on as if it were not there; 2.2.2 says
 * that numbers are missing. */
static void drop_empty(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default)
{
    for (int i = xml->nattr - 1; i >= 0 && r->spec->mujoco != SAL_MUJOCO_222; i--) {
        const sal_xml_attr *attr = &xml->attr[i];
        const mjcf_attr *a =
            sal_xml_is_blank(attr) ? find_attr(rule, attr->name, in_default) : NULL;
        if (a != NULL && may_be_empty(a)) {
            sal_diag_warning(r->diag, attr->name_place, "leave it out",
                             "%s in <%s> is empty, and counts as not given, as in MuJoCo",
                             attr->name, rule->tag);
            sal_xml_unset(xml, attr->name);
        }
    }
}

void mjcf_read_attrs(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                     void *record)
{
    drop_empty(r, rule, xml, in_default);
    for (int i = 0; i < xml->nattr; i++) {
        sal_xml_attr *attr = &xml->attr[i];
        const mjcf_attr *a = find_attr(rule, attr->name, in_default);
        const char *version;
        attr->used = true;
        if (is_mark(r, attr)) {
            continue;
        }
        if (a == NULL) {
            unknown_attr(r, rule, attr, in_default);
        } else if (mjcf_is_younger(r, rule->tag, rule->parents, attr->name, NULL, &version)) {
            char what[200];
            snprintf(what, sizeof what, "the attribute '%s' in <%s>", attr->name, rule->tag);
            mjcf_refuse_younger(r, attr->name_place, version, what);
        } else {
            read_attr(r, rule, a, attr, record);
            mjcf_warn_of_idle(r, rule->tag, attr);
        }
    }
    for (const mjcf_attr *a = rule->attr; a->name != NULL && !in_default; a++) {
        if ((a->flags & MJCF_MUST) != 0 && sal_xml_find_attr(xml, a->name) == NULL) {
            mjcf_error(r, xml->place, NULL, "<%s> needs the attribute '%s'", rule->tag, a->name);
        }
    }
}
