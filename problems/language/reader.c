#include "problems/language/reader.h"

#include <stdio.h>
#include <string.h>

enum { HELP_MAX = 400, LISTED_MAX = 12 };

/* ---- memory, places ---- */

void *prb_reader_alloc(prb_reader *r, size_t count, size_t size)
{
    void *block = sal_alloc(count, size);
    r->nomem = r->nomem || block == NULL;
    return block;
}

char *prb_reader_copy(prb_reader *r, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = prb_reader_alloc(r, n, 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
    }
    return copy;
}

sal_place prb_reader_place(const sal_xml *element, const char *name)
{
    if (element == NULL) {
        return (sal_place){0};
    }
    const sal_xml_attr *a = sal_xml_find_attr(element, name);
    return a == NULL || a->value_place.source == NULL ? element->place : a->value_place;
}

const sal_xml *prb_reader_element(const prb_reader *r, const char *tag)
{
    const prb_rules *rules = prb_grammar_element(tag);
    if (rules == NULL || rules->parent[0] == 0) {
        return r->doc.root;
    }
    const sal_xml *parent = prb_reader_element(r, rules->parent); /* as deep as the table */
    return parent == NULL ? NULL : sal_xml_child(parent, tag);
}

void prb_reader_named_twice(prb_reader *r, const sal_xml *element, const char *name)
{
    sal_diag_error(r->diag, prb_reader_place(element, "name"), "give each a name of its own",
                   "two elements <%s> have the name '%.64s'", element->tag, name);
}

/* ---- words ---- */

static const char blanks[] = " \t\n\v\f\r";

int prb_reader_count_words(const sal_xml_attr *attr)
{
    int count = 0;
    for (const char *s = attr->value + strspn(attr->value, blanks); *s != 0;
         s += strspn(s, blanks)) {
        s += strcspn(s, blanks);
        count++;
    }
    return count;
}

static void too_long(prb_reader *r, sal_place place, size_t n)
{
    sal_diag_error(r->diag, place, NULL, "this name has %zu characters, which is too long", n);
}

bool prb_reader_whole(prb_reader *r, prb_word *word, const sal_xml *element, const char *name)
{
    const sal_xml_attr *attr = element == NULL ? NULL : sal_xml_find_attr(element, name);
    const size_t n = attr == NULL ? 0 : strlen(attr->value);
    *word = (prb_word){.attr = attr, .end = n};
    if (n == 0) {
        return false;
    }
    word->place = attr->value_place;
    if (n >= PRB_WORD_MAX) {
        too_long(r, word->place, n);
        return false;
    }
    memcpy(word->text, attr->value, n + 1);
    return true;
}

bool prb_reader_word(prb_reader *r, prb_word *word)
{
    for (;;) {
        const char *value = word->attr->value;
        const size_t start = word->end + strspn(value + word->end, blanks);
        const size_t n = strcspn(value + start, blanks);
        if (n == 0) {
            return false;
        }
        word->end = start + n;
        word->place = word->attr->value_place;
        if (word->place.length == strlen(value)) { /* no entities: the text is what stands there */
            word->place.offset += start;
            word->place.length = n;
        }
        if (n < PRB_WORD_MAX) {
            memcpy(word->text, value + start, n);
            word->text[n] = 0;
            return true;
        }
        too_long(r, word->place, n);
    }
}

/* ---- objects of the model ---- */

/* The nearest name, or those there are. */
static void suggest(prb_reader *r, sal_object type, sal_object other, const char *wrong,
                    char help[HELP_MAX])
{
    const sal_model *m = r->p->model;
    const int first = sal_model_count(m, type), n = first + sal_model_count(m, other);
    const char **names = prb_reader_alloc(r, (size_t)n + 1, sizeof *names);
    help[0] = 0;
    if (names == NULL) {
        return;
    }
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        names[i] = i < first ? sal_model_name(m, type, i) : sal_model_name(m, other, i - first);
    }
    const char *nearest = sal_text_nearest(wrong, names, (size_t)n);
    if (nearest != NULL) {
        snprintf(help, HELP_MAX, "did you mean '%.100s'?", nearest);
    } else {
        int listed = 0;
        for (int i = 0; i < n && used < HELP_MAX && listed <= LISTED_MAX; i++) {
            if (names[i][0] != 0) {
                used += (size_t)snprintf(help + used, HELP_MAX - used, "%s%s",
                                         listed == 0 ? "the model has " : ", ",
                                         listed == LISTED_MAX ? ".." : names[i]);
                listed++;
            }
        }
        if (listed == 0) {
            snprintf(help, HELP_MAX, "the model has no named %s%s", sal_object_word(type),
                     n == 0 ? "" : "; #0 is the first in the list of 'saltus info'");
        }
    }
    sal_free(names);
}

int prb_reader_find(prb_reader *r, sal_object type, sal_object other, const prb_word *word,
                    bool *second)
{
    char help[HELP_MAX];
    int id = sal_model_find(r->p->model, type, word->text);
    if (second != NULL) {
        *second = false;
    }
    if (id < 0 && other != SAL_OBJ_NONE) {
        id = sal_model_find(r->p->model, other, word->text);
        *second = id >= 0;
    }
    if (id < 0) {
        suggest(r, type, other, word->text, help);
        sal_diag_error(r->diag, word->place, help[0] == 0 ? NULL : help,
                       "the model has no %s%s%s '%.100s'", sal_object_word(type),
                       other == SAL_OBJ_NONE ? "" : " or ",
                       other == SAL_OBJ_NONE ? "" : sal_object_word(other), word->text);
    }
    return id;
}

bool prb_reader_moves(prb_reader *r, int body, const prb_word *word)
{
    const bool moves = r->p->model->body_weldid[body] != 0;
    if (!moves) {
        sal_diag_error(r->diag, word->place, "name an object on a body that can move",
                       "'%.100s' cannot move", word->text);
    }
    return moves;
}

/* ---- points ---- */

/* GEOM+, GEOM-: the geom's id and the sign; else -1 */
static int geom_end(const sal_model *m, const char *text, int *sign)
{
    char name[PRB_WORD_MAX];
    const size_t n = strlen(text);
    *sign = n < 2 ? 0 : text[n - 1] == '+' ? 1 : text[n - 1] == '-' ? -1 : 0;
    if (*sign == 0) {
        return -1;
    }
    memcpy(name, text, n - 1);
    name[n - 1] = 0;
    return sal_model_find(m, SAL_OBJ_GEOM, name);
}

static bool has_ends(prb_reader *r, int geom, const prb_word *word)
{
    const int type = r->p->model->geom_type[geom];
    const bool good = type == SAL_GEOM_SPHERE || type == SAL_GEOM_CAPSULE ||
                      type == SAL_GEOM_CYLINDER || type == SAL_GEOM_BOX;
    if (!good) {
        sal_diag_error(r->diag, word->place, "use a sphere, capsule, cylinder or box, or a site",
                       "the geom of '%.100s' has no end points", word->text);
    }
    return good;
}

int prb_reader_add_point(prb_reader *r, const char *name, sal_point point, int geom)
{
    sal_problem *p = r->p;
    for (int i = 0; i < p->npoint; i++) {
        if (strcmp(p->point_name[i], name) == 0) {
            return i;
        }
    }
    char *copy = prb_reader_copy(r, name);
    if (copy == NULL) {
        return -1;
    }
    p->point[p->npoint] = point;
    p->point_geom[p->npoint] = geom;
    p->point_name[p->npoint] = copy;
    return p->npoint++;
}

int prb_reader_point(prb_reader *r, const prb_word *word)
{
    const sal_model *m = r->p->model;
    for (int i = 0; i < r->p->npoint; i++) {
        if (strcmp(r->p->point_name[i], word->text) == 0) {
            return i;
        }
    }
    int sign;
    bool site = false;
    int id = geom_end(m, word->text, &sign);
    if (id < 0) {
        sign = 0;
        id = prb_reader_find(r, SAL_OBJ_GEOM, SAL_OBJ_SITE, word, &site);
    }
    if (id < 0) {
        return -1;
    }
    const int body = site ? m->site_bodyid[id] : m->geom_bodyid[id];
    if (!prb_reader_moves(r, body, word) || (!site && !has_ends(r, id, word))) {
        return -1;
    }
    const sal_point point = site ? sal_point_site(m, id) : sal_point_geom(m, id, sign);
    return prb_reader_add_point(r, word->text, point, site ? -1 - body : id);
}

/* ---- norms ---- */

void prb_reader_norm(prb_reader *r, const char *tag, const sal_xml *element, sal_norm *norm)
{
    const sal_xml_attr *p = sal_xml_find_attr(element, "p");
    norm->kind = (sal_norm_kind)prb_grammar_choice(tag, element, "norm");
    norm->p = prb_grammar_real(tag, element, "p");
    norm->q = 2;
    if (norm->kind == SAL_NORM_POWER && (p == NULL || norm->p < 1)) {
        sal_diag_error(r->diag, prb_reader_place(element, p == NULL ? "norm" : "p"),
                       "for example p=\"1.5\"",
                       "the norm 'power' needs an exponent p of at least 1");
    }
    if (p != NULL && norm->kind == SAL_NORM_QUADRATIC) {
        sal_diag_warning(r->diag, p->name_place, "remove 'p', or choose a norm that uses it",
                         "'p' has no effect on the norm 'quadratic'");
    }
}

/* ---- names of files ---- */

char *prb_reader_beside(prb_reader *r, const char *base, const char *file)
{
    const char *slash = strrchr(base, '/');
    const size_t folder = file[0] == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - base);
    char *path = prb_reader_alloc(r, folder + strlen(file) + 1, 1);
    if (path != NULL) {
        memcpy(path, base, folder);
        memcpy(path + folder, file, strlen(file) + 1);
    }
    return path;
}

char *prb_reader_file(prb_reader *r, const sal_xml *element, const char *name)
{
    const sal_xml_attr *attr = element == NULL ? NULL : sal_xml_find_attr(element, name);
    if (attr == NULL) {
        return NULL;
    }
    if (attr->value_place.source == r->file) { /* relative to the file in which it stands */
        return prb_reader_beside(r, r->p->path, attr->value);
    }
    const bool start =
        r->start_folder != NULL && strcmp(element->tag, "init") == 0 && strcmp(name, "result") == 0;
    return start ? prb_reader_beside(r, r->start_folder, attr->value)
                 : prb_reader_copy(r, attr->value);
}
