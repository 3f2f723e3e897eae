/* schema.c: the grammar table as an XML Schema 1.0.
 *
 * The children of an element may stand in any order, each as often as the table says. Schemas have
 * no words for that where some may be repeated and others not; it is said in pieces that together
 * mean the same:
 *
 *   what can be counted   any number anywhere, and a key over them (exactly one) or a uniqueness
 *                         (at most one). That needs a field: of an
 *                         element without children its (empty) text, of one that must not lack an
 *                             attribute that it must have. Of what may stand any number of times
 *                             nothing is counted.
 *   the others            all their orders, written out: sequence(one of them, what can be counted,
 *                         orders of the rest)
 */
#include "guide/guide.h"
#include "problems/language/grammar.h"
#include "problems/problems.h"

#include <string.h>

enum { CHILDREN_MAX = 16 };

/* Opening and closing lines at the present depth. */
typedef struct prb_xsd {
    sal_text *out;
    int depth;
} prb_xsd;

static void line(prb_xsd *x, const char *text)
{
    x->depth -= text[1] == '/';
    sal_text_format(x->out, "%*s%s\n", 2 * x->depth, "", text);
    const size_t n = strlen(text);
    x->depth += text[1] != '/' && text[n - 2] != '/' && strstr(text, "</") == NULL;
}

#define LINE(x, ...)                                                                               \
    do {                                                                                           \
        sal_text text_ = {0};                                                                      \
        sal_text_format(&text_, __VA_ARGS__);                                                      \
        (x)->out->failed |= text_.failed;                                                          \
        if (!text_.failed) {                                                                       \
            line((x), text_.data);                                                                 \
        }                                                                                          \
        sal_text_clear(&text_);                                                                    \
    } while (0)

static void documentation(prb_xsd *x, const char *doc)
{
    sal_text text = {0};
    sal_text_add(&text, "<xs:annotation><xs:documentation>");
    sal_xml_escape(&text, doc);
    sal_text_add(&text, "</xs:documentation></xs:annotation>");
    x->out->failed |= text.failed;
    if (!text.failed) {
        line(x, text.data);
    }
    sal_text_clear(&text);
}

/* ---- values ---- */

/* One number of the rule's domain; finite, as the reader wants it. */
static void number_type(prb_xsd *x, const prb_rule *rule)
{
    const char *domain = rule->domain, *end;
    double lo, hi;
    line(x, "<xs:simpleType>");
    line(x, "<xs:restriction base=\"xs:double\">");
    LINE(x, "<xs:pattern value=\"%s\"/>",
         rule->type == PRB_VAL_WHOLE ? "[+\\-]?\\d+(\\.0*)?([eE]\\+?\\d+)?"
                                     : "[+\\-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+\\-]?\\d+)?");
    if (domain != NULL && sal_text_number(domain + 1, &end, &lo) &&
        sal_text_number(end + 1, &end, &hi)) {
        LINE(x, "<xs:min%s value=\"%.17g\"/>", domain[0] == '[' ? "Inclusive" : "Exclusive", lo);
        LINE(x, "<xs:max%s value=\"%.17g\"/>", *end == ']' ? "Inclusive" : "Exclusive", hi);
    }
    line(x, "</xs:restriction>");
    line(x, "</xs:simpleType>");
}

/* From `least` to `most` numbers. */
static void list_type(prb_xsd *x, const prb_rule *rule, int least, int most)
{
    line(x, "<xs:simpleType>");
    line(x, "<xs:restriction>");
    line(x, "<xs:simpleType>");
    line(x, "<xs:list>");
    number_type(x, rule);
    line(x, "</xs:list>");
    line(x, "</xs:simpleType>");
    LINE(x, "<xs:minLength value=\"%d\"/>", least);
    if (most > 0) {
        LINE(x, "<xs:maxLength value=\"%d\"/>", most);
    }
    line(x, "</xs:restriction>");
    line(x, "</xs:simpleType>");
}

static void word_type(prb_xsd *x, const char *words)
{
    line(x, "<xs:simpleType>");
    line(x, "<xs:restriction base=\"xs:string\">");
    for (const char *w = words + (words[0] == '|'); *w != 0; w += *w == '|') {
        const size_t n = strcspn(w, "|");
        LINE(x, "<xs:enumeration value=\"%.*s\"/>", (int)n, w);
        w += n;
    }
    line(x, "</xs:restriction>");
    line(x, "</xs:simpleType>");
}

/* Text that is not all blank. */
static void text_type(prb_xsd *x)
{
    line(x, "<xs:simpleType>");
    line(x, "<xs:restriction base=\"xs:string\">");
    line(x, "<xs:pattern value=\"\\s*\\S[\\s\\S]*\"/>");
    line(x, "</xs:restriction>");
    line(x, "</xs:simpleType>");
}

static void value_type(prb_xsd *x, const prb_rule *rule)
{
    switch (rule->type) {
    case PRB_VAL_TEXT:
        line(x, "<xs:simpleType><xs:restriction base=\"xs:string\"/></xs:simpleType>");
        break;
    case PRB_VAL_NAME:
    case PRB_VAL_NAMES:
    case PRB_VAL_FILE:
        text_type(x);
        break;
    case PRB_VAL_CHOICE:
        word_type(x, rule->domain);
        break;
    case PRB_VAL_WHOLE:
    case PRB_VAL_REAL:
        number_type(x, rule);
        break;
    case PRB_VAL_REALS:
        list_type(x, rule, 1, 0);
        break;
    case PRB_VAL_PAIR:
    case PRB_VAL_RANGE:
        list_type(x, rule, 2, 2);
        break;
    case PRB_VAL_RAMP:
        list_type(x, rule, 1, 2);
        break;
    case PRB_VAL_TIMES:
        line(x, "<xs:simpleType>");
        line(x, "<xs:union>");
        list_type(x, rule, 1, 2);
        word_type(x, "2h");
        line(x, "</xs:union>");
        line(x, "</xs:simpleType>");
        break;
    }
}

static void attributes(prb_xsd *x, const prb_rules *element)
{
    for (int k = 0; k < element->nattr; k++) {
        const prb_rule *rule = &element->attr[k];
        if (rule->preset == NULL || rule->preset == prb_required) {
            LINE(x, "<xs:attribute name=\"%s\"%s>", rule->name,
                 rule->preset == prb_required ? " use=\"required\"" : "");
        } else {
            LINE(x, "<xs:attribute name=\"%s\" default=\"%s\">", rule->name, rule->preset);
        }
        documentation(x, rule->doc);
        value_type(x, rule);
        line(x, "</xs:attribute>");
    }
}

/* ---- elements ---- */

static bool has_children(const prb_rules *element)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i].parent, element->tag) == 0) {
            return true;
        }
    }
    return element->mjcf;
}

static const char *required_attribute(const prb_rules *element)
{
    for (int k = 0; k < element->nattr; k++) {
        if (element->attr[k].preset == prb_required) {
            return element->attr[k].name;
        }
    }
    return NULL;
}

/* How often it must stand at least. What a problem of motions must have, one of identification may
 * not: a schema cannot tell them apart. */
static int least(const prb_rules *element)
{
    const bool depends =
        strcmp(element->parent, "problem") == 0 && prb_grammar_of_motions(element->tag);
    return depends ? 0 : element->least;
}

static bool is_counted(const prb_rules *element)
{
    const bool any = element->least == 0 && element->most == 0;
    return any || !has_children(element) ||
           (element->least == 1 && element->most == 1 && required_attribute(element) != NULL);
}

/* Children that are counted, or those that are not, into list [CHILDREN_MAX]; their number. */
static int children(const prb_rules *element, bool counted, const prb_rules **list)
{
    int n, count = 0;
    const prb_rules *all = prb_grammar(&n);
    for (int i = 0; i < n && count < CHILDREN_MAX; i++) {
        if (strcmp(all[i].parent, element->tag) == 0 && is_counted(&all[i]) == counted) {
            list[count++] = &all[i];
        }
    }
    return count;
}

/* TAG.counted: one of the children that are counted */
static void counted_group(prb_xsd *x, const prb_rules *element)
{
    const prb_rules *child[CHILDREN_MAX];
    const int n = children(element, true, child);
    if (n == 0) {
        return;
    }
    LINE(x, "<xs:group name=\"%s.counted\">", element->tag);
    line(x, "<xs:choice>");
    for (int i = 0; i < n; i++) {
        LINE(x, "<xs:element name=\"%s\" type=\"%s\"/>", child[i]->tag, child[i]->tag);
    }
    line(x, "</xs:choice>");
    line(x, "</xs:group>");
}

/* Any number of them; at least one where there is one kind, which must not lack and may be
 * repeated. */
static void counted(prb_xsd *x, const prb_rules *element)
{
    const prb_rules *child[CHILDREN_MAX];
    const int n = children(element, true, child);
    if (n > 0) {
        LINE(x, "<xs:group ref=\"%s.counted\" minOccurs=\"%d\" maxOccurs=\"unbounded\"/>",
             element->tag, n == 1 && child[0]->most == 0 ? least(child[0]) : 0);
    }
}

/* All orders of the children that are left. As deep as there are such children. */
static void orders(prb_xsd *x, const prb_rules *element, const prb_rules *const *left, int nleft)
{
    bool needed = false;
    for (int i = 0; i < nleft; i++) {
        needed |= least(left[i]) > 0;
    }
    LINE(x, "<xs:choice%s>", needed ? "" : " minOccurs=\"0\"");
    for (int i = 0; i < nleft; i++) {
        const prb_rules *rest[CHILDREN_MAX];
        for (int k = 0; k < nleft; k++) {
            if (k != i) {
                rest[k - (k > i)] = left[k];
            }
        }
        line(x, "<xs:sequence>");
        LINE(x, "<xs:element name=\"%s\" type=\"%s\"/>", left[i]->tag, left[i]->tag);
        counted(x, element);
        if (nleft > 1) {
            orders(x, element, rest, nleft - 1);
        }
        line(x, "</xs:sequence>");
    }
    line(x, "</xs:choice>");
}

static void content(prb_xsd *x, const prb_rules *element)
{
    const prb_rules *child[CHILDREN_MAX];
    const int n = children(element, false, child);
    line(x, "<xs:sequence>");
    counted(x, element);
    if (n > 0) {
        orders(x, element, child, n);
    }
    if (element->mjcf) {
        line(x, "<xs:any processContents=\"skip\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>");
    }
    line(x, "</xs:sequence>");
}

static void element_type(prb_xsd *x, const prb_rules *element)
{
    counted_group(x, element);
    LINE(x, "<xs:complexType name=\"%s\">", element->tag);
    documentation(x, element->doc);
    if (has_children(element)) {
        content(x, element);
        attributes(x, element);
    } else {
        line(x, "<xs:simpleContent>");
        line(x, "<xs:extension base=\"nothing\">");
        attributes(x, element);
        line(x, "</xs:extension>");
        line(x, "</xs:simpleContent>");
    }
    line(x, "</xs:complexType>");
}

/* An element that may stand once in its parent, or must. */
static void count_one(prb_xsd *x, const prb_rules *root, const prb_rules *e)
{
    const char *kind = least(e) > 0 ? "key" : "unique";
    const bool in_root = strcmp(e->parent, root->tag) == 0, nests = has_children(e);
    LINE(x, "<xs:%s name=\"%s_%s\">", kind, e->parent, e->tag);
    LINE(x, "<xs:selector xpath=\"%s%s\"/>", in_root ? "" : ".//", in_root ? "." : e->parent);
    LINE(x, "<xs:field xpath=\"%s%s%s\"/>", e->tag, nests ? "/@" : "",
         nests ? required_attribute(e) : "");
    LINE(x, "</xs:%s>", kind);
}

/* A root, and how often what is counted may stand in its parent. */
static void root_element(prb_xsd *x, const prb_rules *root)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    LINE(x, "<xs:element name=\"%s\" type=\"%s\">", root->tag, root->tag);
    for (int i = 0; i < n; i++) {
        const bool below = &all[i] != root && prb_grammar_root(&all[i]) == root;
        if (below && all[i].most == 1 && is_counted(&all[i])) {
            count_one(x, root, &all[i]);
        }
    }
    line(x, "</xs:element>");
}

void sal_schema(sal_text *out)
{
    int n;
    const prb_rules *all = prb_grammar(&n);
    prb_xsd x = {.out = out};
    sal_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    line(&x, "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">");
    for (int i = 0; i < n; i++) {
        if (all[i].parent[0] == 0) {
            root_element(&x, &all[i]);
        }
    }
    line(&x, "<xs:simpleType name=\"nothing\">");
    line(&x, "<xs:restriction base=\"xs:token\"><xs:maxLength value=\"0\"/></xs:restriction>");
    line(&x, "</xs:simpleType>");
    for (int i = 0; i < n; i++) {
        element_type(&x, &all[i]);
    }
    line(&x, "</xs:schema>");
}
