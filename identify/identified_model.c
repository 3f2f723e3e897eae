/* identified_model.c: the user's model file, with the numbers that were identified in their places.
 * All else stays as it is written: what changes is found by where it stands in the text. What
 * stands in an included file is changed there, and that file's text is put where it was included.
 */
#include "base/house.h"
#include "identify/identification.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 1000, DEPTH_MAX = 500, LINE = 512 };

/* A stretch of a source gives way to text. */
typedef struct edit {
    const sal_source *source;
    size_t from, length;
    sal_text text;
    int order;            /* of edits at the same place */
    const sal_xml *about; /* the body whose <inertial> it is */
} edit;

typedef struct edits {
    sal_xml_doc doc;
    edit *item;
    int n, capacity;
    bool nomem;
} edits;

static edit *add_edit(edits *e, const sal_source *source, size_t from, size_t length)
{
    edit *longer = sal_list_grow(e->item, e->n, &e->capacity, sizeof *longer);
    if (longer == NULL) {
        e->nomem = true;
        return NULL;
    }
    e->item = longer;
    e->item[e->n] = (edit){.source = source, .from = from, .length = length, .order = e->n};
    return &e->item[e->n++];
}

/* ---- places in the text ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where the line begins in which a tag's '<' stands, if nothing stands before it; else the '<'
 * itself. *indent: blanks between. */
static size_t line_of(const sal_source *s, size_t tag, size_t *indent)
{
    size_t start = tag;
    while (start > 0 && is_blank(s->data[start - 1])) {
        start--;
    }
    if (start > 0 && s->data[start - 1] != '\n') {
        start = tag;
    }
    *indent = tag - start;
    return start;
}

/* Behind the '>' of the tag that begins at `at`; quotes are respected. */
static size_t end_of_tag(const char *text, size_t at)
{
    char quote = 0;
    for (; text[at] != 0; at++) {
        if (quote != 0 && text[at] == quote) {
            quote = 0;
        } else if (quote != 0) {
            continue;
        } else if (text[at] == '"' || text[at] == '\'') {
            quote = text[at];
        } else if (text[at] == '>') {
            return at + 1;
        }
    }
    return at;
}

/* The '<' of the first element: behind declarations and comments. */
static size_t first_tag(const char *text)
{
    const char *at = text;
    while ((at = strchr(at, '<')) != NULL && (at[1] == '!' || at[1] == '?')) {
        const char *end = strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : strchr(at, '>');
        if (end == NULL) {
            break;
        }
        at = end + 1;
    }
    return at == NULL ? strlen(text) : (size_t)(at - text);
}

static size_t last_tag(const char *text)
{
    size_t at = strlen(text);
    while (at > 0 && strncmp(text + at, "</", 2) != 0) {
        at--;
    }
    return at;
}

/* ---- edits of elements ---- */

/* A line before the element, indented as it is; in front of it where it does not begin a line. */
static void insert_before(edits *e, const sal_xml *xml, const char *text)
{
    const sal_source *s = xml->place.source;
    size_t indent;
    const size_t at = line_of(s, xml->place.offset - 1, &indent);
    edit *x = add_edit(e, s, at, 0);
    if (x != NULL) {
        const bool inside = indent == 0 && at > 0 && s->data[at - 1] != '\n';
        sal_text_format(&x->text, "%*s%s%s", (int)indent, "", text, inside ? "" : "\n");
    }
}

static const sal_source *main_file(const edits *e)
{
    const sal_source *s = e->doc.sources;
    while (s->next != NULL) { /* the first that was read */
        s = s->next;
    }
    return s;
}

/* The first line of the model. */
static void insert_at_top(edits *e, const char *text)
{
    const sal_source *s = main_file(e);
    edit *x = add_edit(e, s, end_of_tag(s->data, first_tag(s->data)), 0);
    if (x != NULL) {
        sal_text_format(&x->text, "\n  %s", text);
    }
}

static void set_attribute(edits *e, const sal_xml *xml, const char *name, const char *value)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    const sal_source *s = xml->place.source;
    size_t end = xml->place.offset + xml->place.length;
    for (int i = 0; i < xml->nattr; i++) {
        const sal_place *v = &xml->attr[i].value_place;
        end = v->offset + v->length + 1 > end ? v->offset + v->length + 1 : end;
    }
    edit *x = attr == NULL ? add_edit(e, s, end, 0)
                           : add_edit(e, s, attr->value_place.offset, attr->value_place.length);
    if (x != NULL && attr == NULL) {
        sal_text_format(&x->text, " %s=\"%s\"", name, value);
    } else if (x != NULL) {
        sal_text_add(&x->text, value);
    }
}

static void remove_attribute(edits *e, const sal_xml *xml, const char *name)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    if (attr != NULL) {
        const sal_source *s = xml->place.source;
        size_t from = attr->name_place.offset;
        const size_t end = attr->value_place.offset + attr->value_place.length + 1;
        while (from > 0 && is_blank(s->data[from - 1])) {
            from--;
        }
        add_edit(e, s, from, end - from);
    }
}

static void numbers_text(sal_text *out, const double *value, int n)
{
    for (int k = 0; k < n; k++) {
        sal_text_add(out, k > 0 ? " " : "");
        sal_text_real(out, value[k], 0);
    }
}

static void set_numbers(edits *e, const sal_xml *xml, const char *name, const double *value, int n)
{
    sal_text text = {0};
    numbers_text(&text, value, n);
    e->nomem = e->nomem || text.failed;
    if (!text.failed) {
        set_attribute(e, xml, name, text.data);
    }
    sal_text_clear(&text);
}

/* ---- what becomes of an attribute ---- */

/* Of an option that the file does not have. */
static void add_element(edits *e, const sal_loose *l, const char *name)
{
    sal_text text = {0};
    sal_text_format(&text, "<%.*s %s=\"", (int)strcspn(l->path, "/"), l->path, name);
    numbers_text(&text, l->value, l->given);
    sal_text_add(&text, "\"/>");
    e->nomem = e->nomem || text.failed;
    if (!text.failed) {
        insert_at_top(e, text.data);
    }
    sal_text_clear(&text);
}

/* The number of a body: it has a name, or stands in the order of the model. */
static int body_id(const sal_model *m, const sal_xml_doc *doc, const sal_xml *body)
{
    const sal_xml_attr *name = sal_xml_find_attr(body, "name");
    int id = 0;
    if (name != NULL) {
        return sal_model_find(m, SAL_OBJ_BODY, name->value);
    }
    for (const sal_xml *x = doc->root; x != NULL;) {
        id += strcmp(x->tag, "body") == 0;
        if (x == body) {
            return id < m->nbody ? id : -1;
        }
        if (x->child != NULL) {
            x = x->child;
            continue;
        }
        while (x != NULL && x->next == NULL) {
            x = x->parent;
        }
        x = x == NULL ? NULL : x->next;
    }
    return -1;
}

/* diaginertia or fullinertia, in proportion to the mass. */
static void scale_inertia(edits *e, const sal_xml *inertial, double factor)
{
    static const char *const names[] = {"diaginertia", "fullinertia"};
    for (int i = 0; i < 2; i++) {
        const sal_xml_attr *attr = sal_xml_find_attr(inertial, names[i]);
        double value[6];
        int n = 0;
        for (const char *s = attr == NULL ? "" : attr->value; n < 6;) {
            const char *end;
            s += strspn(s, " \t\r\n");
            if (!sal_text_number(s, &end, &value[n])) {
                break;
            }
            value[n++] *= factor;
            s = end;
        }
        if (n > 0) {
            set_numbers(e, inertial, names[i], value, n);
        }
    }
}

static void write_inertial(edits *e, const sal_xml *body, const sal_model *m, int b)
{
    sal_text text = {0};
    sal_text_add(&text, "<inertial pos=\"");
    numbers_text(&text, m->body_ipos + 3 * b, 3);
    sal_text_add(&text, "\" quat=\"");
    numbers_text(&text, m->body_iquat + 4 * b, 4);
    sal_text_add(&text, "\" mass=\"");
    numbers_text(&text, m->body_mass + b, 1);
    sal_text_add(&text, "\" diaginertia=\"");
    numbers_text(&text, m->body_inertia + 3 * b, 3);
    sal_text_add(&text, "\"/>");
    e->nomem = e->nomem || text.failed;
    if (!text.failed && body->child != NULL) {
        insert_before(e, body->child, text.data);
        e->item[e->n - 1].about = body;
    }
    sal_text_clear(&text);
}

/* The mass of a body, its centre, or all of its inertia. Where that came from geoms, an <inertial>
 * says it now. */
static void change_body(edits *e, const sal_xml *body, const sal_loose *l, const sal_model *m)
{
    static const char *const others[] = {"axisangle", "xyaxes", "zaxis", "euler", "fullinertia"};
    const sal_xml *inertial = sal_xml_child(body, "inertial");
    const int b = body_id(m, &e->doc, body);
    if (b < 0) {
        return;
    }
    if (inertial == NULL) {
        for (int i = 0; i < e->n; i++) { /* once for mass and centre */
            if (e->item[i].about == body) {
                return;
            }
        }
        write_inertial(e, body, m, b);
        return;
    }
    if (l->kind != SAL_LOOSE_COM) {
        set_numbers(e, inertial, "mass", m->body_mass + b, 1);
    }
    if (l->kind == SAL_LOOSE_MASS) {
        scale_inertia(e, inertial, l->value[0] / l->nominal[0]);
        return;
    }
    set_numbers(e, inertial, "pos", m->body_ipos + 3 * b, 3);
    if (l->kind == SAL_LOOSE_INERTIA) {
        set_numbers(e, inertial, "diaginertia", m->body_inertia + 3 * b, 3);
        set_numbers(e, inertial, "quat", m->body_iquat + 4 * b, 4);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            remove_attribute(e, inertial, others[i]);
        }
    }
}

static sal_status change(edits *e, const sal_loose *l, const sal_model *m, sal_err *err)
{
    char name[SAL_XML_ATTRIBUTE_MAX];
    sal_xml *xml;
    const sal_status status = sal_xml_find_path(&xml, name, &e->doc, l->path, err);
    if (status != SAL_OK) {
        return status;
    }
    if (l->kind == SAL_LOOSE_NUMBERS || l->kind == SAL_LOOSE_VERTICES) {
        if (xml == NULL) {
            add_element(e, l, name);
        } else {
            set_numbers(e, xml, name, l->value, l->given);
        }
    } else {
        change_body(e, xml, l, m);
    }
    return SAL_OK;
}

/* ---- comments ---- */

/* In a comment no two dashes may meet. xml NULL: of the whole model. */
static void comment(edits *e, const sal_xml *xml, const char *text)
{
    char line[LINE + 16] = "<!-- ";
    size_t n = strlen(line);
    for (const char *c = text; *c != 0 && n < LINE; c++) {
        if (*c == '-' && line[n - 1] == '-') {
            line[n++] = ' ';
        }
        line[n++] = *c;
    }
    memcpy(line + n, " -->", 5);
    if (xml == NULL) {
        insert_at_top(e, line);
    } else {
        insert_before(e, xml, line);
    }
}

/* "size = 0.05127 +- 3e-05 m" */
static void describe(char line[LINE], const idn_parameter *p, const sal_identification_parameter *v)
{
    static const char *const as[] = {
        [IDN_AS_VALUE] = "", [IDN_AS_SCALE] = " times", [IDN_AS_OFFSET] = " added to"};
    char error[64];
    if (isnan(v->se)) {
        snprintf(error, sizeof error, "(held)");
    } else if (isinf(v->se)) {
        snprintf(error, sizeof error, "(not determined by the data)");
    } else {
        snprintf(error, sizeof error, "+- %.2g (standard error)", v->se);
    }
    snprintf(line, LINE, "%.96s = %.6g %s%s%s%s%s", v->name, v->value, error,
             p->unit[0] == 0 ? "" : " ", p->unit, as[p->as],
             p->as == IDN_AS_VALUE ? "" : " the value in the model file");
}

/* The element of a target; NULL: it is of a channel. */
static sal_xml *element_of(edits *e, const idn_target *target)
{
    char name[SAL_XML_ATTRIBUTE_MAX];
    sal_xml *xml = NULL;
    if (target->channel < 0) {
        sal_xml_find_path(&xml, name, &e->doc, target->path, NULL);
    }
    return xml;
}

/* Once before each element, however many of its numbers are the parameter's. */
static void comment_parameter(edits *e, const idn_parameter *p,
                              const sal_identification_result *found)
{
    char line[LINE];
    for (int t = 0; t < p->ntarget; t++) {
        sal_xml *xml = element_of(e, &p->target[t]);
        bool said = false;
        for (int before = 0; before < t; before++) {
            said = said || element_of(e, &p->target[before]) == xml;
        }
        if (said) {
            continue;
        }
        for (int k = 0; k < p->n && !p->local; k++) {
            describe(line, p, &found->parameter[p->adr + k]);
            comment(e, xml, line);
        }
        if (p->local) {
            snprintf(line, sizeof line, "%.100s: each recording has its own value", p->name);
            comment(e, xml, line);
        }
    }
}

/* ---- the text ---- */

static int in_order(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->order - y->order;
}

/* Whether something changes in a source, or in what it includes. */
static bool is_touched(const edits *e, const sal_source *s, int depth)
{
    for (int i = 0; i < e->n; i++) {
        if (e->item[i].source == s) {
            return true;
        }
    }
    for (const sal_source *c = e->doc.sources; c != NULL && depth < DEPTH_MAX; c = c->next) {
        if (c->from.source == s && is_touched(e, c, depth + 1)) {
            return true;
        }
    }
    return false;
}

static void render(edits *e, const sal_source *s, size_t from, size_t end, sal_text *out,
                   int depth);

/* The text of what was included, without its root, where the include stood. */
static void inline_source(edits *e, const sal_source *c, sal_text *out, int depth)
{
    const size_t from = end_of_tag(c->data, first_tag(c->data)), end = last_tag(c->data);
    render(e, c, from, end, out, depth + 1);
}

/* The next include in [from, end) whose text changes; NULL: none. */
static const sal_source *next_include(const edits *e, const sal_source *s, size_t from, size_t end)
{
    const sal_source *next = NULL;
    for (const sal_source *c = e->doc.sources; c != NULL; c = c->next) {
        if (c->from.source == s && c->from.offset > from && c->from.offset < end &&
            (next == NULL || c->from.offset < next->from.offset) && is_touched(e, c, 0)) {
            next = c;
        }
    }
    return next;
}

static void render_plain(edits *e, const sal_source *s, size_t from, size_t end, sal_text *out)
{
    for (int i = 0; i < e->n; i++) {
        const edit *x = &e->item[i];
        if (x->source == s && x->from >= from && x->from < end) {
            sal_text_addn(out, s->data + from, x->from - from);
            sal_text_add(out, x->text.data == NULL ? "" : x->text.data);
            from = x->from + x->length;
        }
    }
    sal_text_addn(out, s->data + from, end - from);
}

static void render(edits *e, const sal_source *s, size_t from, size_t end, sal_text *out, int depth)
{
    const sal_source *c;
    while (depth < DEPTH_MAX && (c = next_include(e, s, from, end)) != NULL) {
        const size_t tag = c->from.offset - 1;
        const size_t after = end_of_tag(s->data, tag);
        render_plain(e, s, from, tag, out);
        inline_source(e, c, out, depth);
        from = after;
        if (s->data[after - 2] != '/') { /* <include file=".."></include> */
            from = end_of_tag(s->data, after);
        }
    }
    render_plain(e, s, from, end, out);
}

/* ---- the way ---- */

/* The document of the model's file; of a URDF, whose elements are others, as MJCF. */
static sal_status read_file(edits *e, const char *path, sal_mujoco mujoco, sal_diag *unused,
                            sal_err *err)
{
    sal_text text = {0};
    sal_status status = sal_xml_read_mixed(&e->doc, path, unused, err);
    if (status == SAL_OK && strcmp(e->doc.root->tag, "robot") == 0) {
        sal_xml_free(&e->doc);
        status = sal_urdf_convert(&text, path, mujoco, err);
        if (status == SAL_OK) {
            status = sal_xml_parse_mixed(&e->doc, path, text.data, text.length, unused, err);
        }
    }
    sal_text_clear(&text);
    return status;
}

/* The model has been loaded, so its files are sound. */
static sal_status read_files(edits *e, const char *path, sal_mujoco mujoco, sal_err *err)
{
    sal_diag unused = {0};
    sal_status status = read_file(e, path, mujoco, &unused, err);
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - path);
    for (int files = 0; files < FILES_MAX && status == SAL_OK; files++) {
        sal_xml *include = sal_xml_descendant(e->doc.root, "include");
        const char *file = include == NULL ? NULL : sal_xml_get(include, "file");
        sal_text full = {0};
        if (file == NULL) {
            break;
        }
        sal_text_format(&full, "%.*s%s", file[0] == '/' ? 0 : folder, path, file);
        status = full.failed ? sal_fail(err, SAL_NOMEM, "out of memory")
                             : sal_xml_splice(&e->doc, include, full.data, &unused, err);
        sal_text_clear(&full);
    }
    sal_diag_clear(&unused);
    return status;
}

/* u of the values that were found */
static sal_status final_model(const idn_parameters *ps, const sal_identification_result *e,
                              idn_parameters_work *work, sal_model *m, sal_err *err)
{
    double *v = sal_alloc(2 * (size_t)ps->nshared + 1, sizeof *v);
    if (v == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    for (int k = 0; k < ps->nshared; k++) {
        v[k] = e->parameter[k].value;
    }
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *q = &ps->parameter[i];
        if (!q->local) {
            idn_parameter_coordinates(q, v + ps->nshared + q->adr, v + q->adr);
        }
    }
    const sal_status status = idn_parameters_apply(ps, work, m, v + ps->nshared, NULL, err);
    sal_free(v);
    return status;
}

/* What no parameter of all recordings is about stays as it is written. */
static bool is_shared(const idn_parameters *ps, int id)
{
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        for (int t = 0; t < p->ntarget; t++) {
            if (!p->local && p->target[t].channel < 0 && p->target[t].loose == id) {
                return true;
            }
        }
    }
    return false;
}

sal_status idn_identified_model(const sal_identification *i, const sal_identification_result *found,
                                sal_text *out, sal_err *err)
{
    const idn_parameters *ps = i->parameters;
    edits e = {0};
    idn_parameters_work *work = NULL;
    sal_model *m = NULL;
    sal_status status = idn_parameters_work_new(&work, ps, err);
    if (status == SAL_OK) {
        status = sal_model_copy(&m, i->base->model, err);
    }
    if (status == SAL_OK) {
        status = final_model(ps, found, work, m, err);
    }
    if (status == SAL_OK) {
        status = read_files(&e, i->base->model_path, m->mujoco, err);
    }
    for (int k = 0; k < ps->nparameter && status == SAL_OK; k++) {
        comment_parameter(&e, &ps->parameter[k], found);
    }
    for (int id = 0; id < sal_remodel_count(ps->remodel) && status == SAL_OK; id++) {
        const sal_loose l = sal_remodel_loose(idn_parameters_work_remodel(work), id);
        status = is_shared(ps, id) ? change(&e, &l, m, err) : SAL_OK;
    }
    if (status == SAL_OK && !e.nomem) {
        const sal_source *file = main_file(&e);
        if (e.n > 0) {
            qsort(e.item, (size_t)e.n, sizeof *e.item, in_order);
        }
        render(&e, file, 0, file->length, out, 0);
    }
    for (int k = 0; k < e.n; k++) {
        e.nomem = e.nomem || e.item[k].text.failed;
        sal_text_clear(&e.item[k].text);
    }
    if (status == SAL_OK && (e.nomem || out->failed)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
    }
    sal_free(e.item);
    sal_xml_free(&e.doc);
    idn_parameters_work_free(work);
    sal_model_free(m);
    return status;
}
