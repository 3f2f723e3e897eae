/* pickle_arrays.c: what a program in Python wrote by pickle.dump: a dictionary of arrays of NumPy,
 * of numbers, and of lists of words, of numbers or of rows of numbers. Arrays are known by the
 * calls that would make them:
 *
 *     _reconstruct(..) with the state (version, shape, type, fortran, bytes)      up to protocol 4
 *     _frombuffer(bytes, type, shape, order)                                      from 5 on
 *     scalar(type, bytes)                                                         a lone number
 *     dtype("f8", ..) with the state (version, "<", ..)                           a type
 *     NumpyArrayWrapper() with the state {shape, order, dtype, ..}, and           by joblib
 *         behind it the numbers, without an instruction
 *
 * A dictionary with no array but one dictionary, a clip under its name, is that one.
 */
#include "base/house.h"
#include "signals/arrays.h"
#include "signals/inflate.h"
#include "signals/pickle.h"
#include "signals/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 4, SHOWN = 4, WORD_MOST = 9999 };

/* Item i; NULL: there is none. */
static const sig_value *item_of(const sig_pickle *p, const sig_value *list, int i)
{
    int at = list == NULL ? -1 : list->first;
    for (; at >= 0 && i > 0; i--) {
        at = p->cell[at].next;
    }
    return at < 0 ? NULL : p->value + p->cell[at].value;
}

static bool has_kind(const sig_value *x, sig_kind kind)
{
    return x != NULL && x->kind == kind;
}

/* The arguments of a call of this function; NULL: it is none. */
static const sig_value *call_of(const sig_pickle *p, const sig_value *x, const char *function)
{
    const sig_value *of = has_kind(x, SIG_CALL) ? item_of(p, x, 0) : NULL;
    return has_kind(of, SIG_FUNCTION) && sig_value_is(of, function) ? item_of(p, x, 1) : NULL;
}

static bool is_string(const sig_value *x)
{
    return has_kind(x, SIG_BYTES) || has_kind(x, SIG_WORD);
}

/* dtype("f8", ..) with the state (version, "<", ..) -> "<f8"; "": none that we know */
static void read_type(const sig_pickle *p, const sig_value *x, char descr[8])
{
    const sig_value *name = item_of(p, call_of(p, x, "dtype"), 0),
                    *order = item_of(p, item_of(p, x, 2), 1);
    descr[0] = 0;
    if (!is_string(name) || name->n < 2 || name->n > 6) {
        return;
    }
    const bool one = name->n == 2 && name->at[1] == '1',
               big = is_string(order) && order->n == 1 && order->at[0] == '>';
    snprintf(descr, 8, "%c%.*s", one ? '|' : big ? '>' : '<', (int)name->n, (const char *)name->at);
}

static bool read_shape(const sig_pickle *p, const sig_value *x, sig_array *a)
{
    const double most = 1e15;
    a->ndim = has_kind(x, SIG_LIST) ? x->count : 0;
    for (int i = 0; i < a->ndim && i < SIG_ARRAY_NDIM; i++) {
        const sig_value *n = item_of(p, x, i);
        if (!has_kind(n, SIG_NUMBER) || !(n->number >= 0 && n->number <= most)) {
            return false;
        }
        a->shape[i] = (size_t)n->number;
    }
    return has_kind(x, SIG_LIST);
}

/* What a dictionary has under a key; NULL: nothing. */
static const sig_value *entry_of(const sig_pickle *p, const sig_value *d, const char *key)
{
    for (int at = has_kind(d, SIG_DICTIONARY) ? d->first : -1; at >= 0 && p->cell[at].next >= 0;
         at = p->cell[p->cell[at].next].next) {
        const sig_value *name = p->value + p->cell[at].value;
        if (is_string(name) && sig_value_is(name, key)) {
            return p->value + p->cell[p->cell[at].next].value;
        }
    }
    return NULL;
}

static bool read_wrapped(const sig_pickle *p, const sig_value *x, sig_array *a)
{
    const sig_value *state = item_of(p, x, 2), *order = entry_of(p, state, "order");
    read_type(p, entry_of(p, state, "dtype"), a->descr);
    a->fortran = is_string(order) && sig_value_is(order, "F");
    a->item = sig_array_item(a->descr);
    return read_shape(p, entry_of(p, state, "shape"), a);
}

/* An array of joblib: of how many bytes what fills up to a round place is, that, the numbers; older
 * versions do not fill up. */
static bool take_wrapped(sig_pickle *p, int object)
{
    sig_array a = {0};
    if (!read_wrapped(p, p->value + object, &a) || a.item == 0 || a.ndim > SIG_ARRAY_NDIM) {
        return sig_pickle_fault(p, "an array in it has a type or a shape that is not read");
    }
    const sig_value *fill =
        entry_of(p, item_of(p, p->value + object, 2), "numpy_array_alignment_bytes");
    if (has_kind(fill, SIG_NUMBER)) {
        const unsigned char *length = sig_pickle_take(p, 1);
        if (length == NULL || sig_pickle_take(p, *length) == NULL) {
            return false;
        }
    }
    const size_t n = sig_array_count(&a) * a.item;
    const unsigned char *at = sig_pickle_take(p, n);
    return at != NULL && sig_pickle_add_bytes(p, object, at, n);
}

/* The bytes of protocol 2, of which each is a letter of Latin-1, written in UTF-8 */
static bool decode(sig_pickle *p, const sig_value *text, sig_array *a)
{
    a->own = sal_alloc(text->n + 1, 1);
    p->nomem = p->nomem || a->own == NULL;
    for (size_t i = 0; i < text->n && a->own != NULL; i++) {
        const unsigned char first = text->at[i];
        const bool two = (first & 0xfc) == 0xc0 && i + 1 < text->n;
        if (first >= 0x80 && !two) {
            return false;
        }
        a->own[a->n++] = (unsigned char)(two ? (first & 3) << 6 | (text->at[++i] & 0x3f) : first);
    }
    a->bytes = a->own;
    return a->own != NULL;
}

/* The bytes of an array's numbers; false: there are none. */
static bool take_data(sig_pickle *p, const sig_value *x, sig_array *a)
{
    const sig_value *text = item_of(p, call_of(p, x, "encode"), 0);
    if (has_kind(text, SIG_WORD)) {
        return decode(p, text, a);
    }
    if (!is_string(x)) {
        return false;
    }
    a->bytes = x->at;
    a->n = x->n;
    return true;
}

/* Whether it is an array. */
static bool read_array(sig_pickle *p, const sig_value *x, sig_array *a)
{
    const sig_value *type, *shape, *bytes, *args;
    if (call_of(p, x, SIG_WRAPPER) != NULL) {
        return read_wrapped(p, x, a) && take_data(p, item_of(p, x, 3), a);
    }
    if (call_of(p, x, "_reconstruct") != NULL) {
        const sig_value *state = item_of(p, x, 2), *fortran = item_of(p, state, 3);
        shape = item_of(p, state, 1);
        type = item_of(p, state, 2);
        bytes = item_of(p, state, 4);
        a->fortran = has_kind(fortran, SIG_NUMBER) && fortran->number != 0;
    } else if ((args = call_of(p, x, "_frombuffer")) != NULL) {
        const sig_value *order = item_of(p, args, 3);
        bytes = item_of(p, args, 0);
        type = item_of(p, args, 1);
        shape = item_of(p, args, 2);
        a->fortran = is_string(order) && sig_value_is(order, "F");
    } else {
        return false;
    }
    if (!read_shape(p, shape, a)) {
        return false;
    }
    read_type(p, type, a->descr);
    a->item = take_data(p, bytes, a) ? sig_array_item(a->descr) : 0;
    return !p->nomem;
}

static bool read_scalar(sig_pickle *p, const sig_value *x, sig_array *a)
{
    const sig_value *args = call_of(p, x, "scalar");
    if (args == NULL || !take_data(p, item_of(p, args, 1), a)) {
        return false;
    }
    read_type(p, item_of(p, args, 0), a->descr);
    a->item = sig_array_item(a->descr);
    return true;
}

static bool begin_array(sig_pickle *p, sig_array *a, size_t n)
{
    const bool well = sig_array_begin(a, n);
    p->nomem = p->nomem || !well;
    return well;
}

/* A number of Python, as one of NumPy */
static bool copy_number(sig_pickle *p, const sig_value *x, sig_array *a)
{
    if (!begin_array(p, a, 1)) {
        return false;
    }
    sig_array_put(a, 0, x->number);
    return true;
}

static bool is_list_of(const sig_pickle *p, const sig_value *x, sig_kind kind)
{
    bool all = has_kind(x, SIG_LIST) && x->count > 0;
    for (int at = all ? x->first : -1; at >= 0; at = p->cell[at].next) {
        all = all && p->value[p->cell[at].value].kind == kind;
    }
    return all;
}

static size_t numbers_most(void)
{
    return sal_reading_most(SIG_UNPACKED_MOST) / sizeof(double);
}

/* Of lists of as many numbers each, in a list; 0: it holds something else. What is too much is not
 * looked through: one list may be many rows. */
static int table_width(const sig_pickle *p, const sig_value *x)
{
    const sig_value *first = is_list_of(p, x, SIG_LIST) ? item_of(p, x, 0) : NULL;
    int width = first != NULL ? first->count : 0;
    const bool few = (size_t)width * (size_t)x->count <= numbers_most();
    for (int at = width > 0 && few ? x->first : -1; at >= 0; at = p->cell[at].next) {
        const sig_value *row = p->value + p->cell[at].value;
        width = row->count == width && is_list_of(p, row, SIG_NUMBER) ? width : 0;
    }
    return width;
}

/* Puts the numbers of a list behind the n that are there. */
static size_t put_numbers(const sig_pickle *p, const sig_value *x, sig_array *a, size_t n)
{
    for (int at = x->first; at >= 0; at = p->cell[at].next) {
        sig_array_put(a, n++, p->value[p->cell[at].value].number);
    }
    return n;
}

/* A list of numbers (width 0), or of rows of `width` numbers, as an array. */
static bool copy_list(sig_pickle *p, const sig_value *x, int width, sig_array *a)
{
    size_t n = 0;
    a->ndim = width > 0 ? 2 : 1;
    a->shape[0] = (size_t)x->count;
    a->shape[1] = (size_t)width;
    const size_t most = numbers_most(), count = sig_array_count(a);
    if (count > most) {
        p->help = "--max-size raises the limit, if you trust the file";
        return sig_pickle_fault(p, "'%.80s' has %zu numbers; at most %zu may be read", a->name,
                                count, most);
    }
    if (!begin_array(p, a, count)) {
        return false;
    }
    if (width == 0) {
        put_numbers(p, x, a, 0);
        return true;
    }
    for (int at = x->first; at >= 0; at = p->cell[at].next) {
        n = put_numbers(p, p->value + p->cell[at].value, a, n);
    }
    return true;
}

/* A list of words, as an array of them: each as long as the longest */
static bool copy_words(sig_pickle *p, const sig_value *x, sig_array *a)
{
    size_t longest = 1;
    for (int at = x->first; at >= 0; at = p->cell[at].next) {
        const sig_value *word = p->value + p->cell[at].value;
        longest = word->n > longest ? word->n : longest;
    }
    a->own = longest > WORD_MOST ? NULL : sal_alloc((size_t)x->count, longest);
    if (a->own == NULL) {
        p->nomem = longest <= WORD_MOST;
        return !p->nomem;
    }
    unsigned char *to = a->own;
    memset(to, 0, (size_t)x->count * longest);
    for (int at = x->first; at >= 0; at = p->cell[at].next, to += longest) {
        const sig_value *word = p->value + p->cell[at].value;
        memcpy(to, word->at, word->n);
    }
    a->bytes = a->own;
    a->n = (size_t)x->count * longest;
    a->ndim = 1;
    a->shape[0] = (size_t)x->count;
    snprintf(a->descr, sizeof a->descr, "|S%zu", longest);
    return true;
}

/* What stands under a key, as an array; what is none, or of no type that is read, is passed over
 * later. lists: those of numbers are read as well. */
static bool add_entry(sig_pickle *p, sig_signals *s, sig_arrays *z, const sig_value *key,
                      const sig_value *x, bool lists)
{
    sig_array *a = z->list + z->n++;
    a->name = sig_word((const char *)key->at, key->n);
    if (a->name == NULL) {
        p->nomem = true;
        return false;
    }
    a->place = sig_list(s, "%.300s", a->name);
    if (has_kind(x, SIG_NUMBER)) {
        return copy_number(p, x, a);
    }
    if (is_list_of(p, x, SIG_WORD)) {
        return copy_words(p, x, a);
    }
    const int width = lists ? table_width(p, x) : 0;
    if (width > 0 || (lists && is_list_of(p, x, SIG_NUMBER))) {
        return copy_list(p, x, width, a);
    }
    if (!read_array(p, x, a) && !read_scalar(p, x, a)) {
        sal_text_format(&s->remark, "'%.80s' is not read: it is no array\n", a->name);
        sal_free(a->name);
        sal_free(a->own);
        *a = (sig_array){0}; /* the next entry's */
        z->n--;
        return !p->nomem;
    }
    if (a->item > 0 && a->ndim <= SIG_ARRAY_NDIM && sig_array_count(a) * a->item != a->n) {
        sal_diag_error(p->diag, a->place, NULL,
                       "array '%.80s' has %zu bytes of numbers, but its shape wants %zu", a->name,
                       a->n, sig_array_count(a) * a->item);
    }
    return true;
}

/* ---- the dictionary ---- */

/* The names of what stands in a dictionary: 'a', 'b' .. */
static void list_keys(const sig_pickle *p, const sig_value *d, char *out, size_t room)
{
    out[0] = 0;
    for (int i = 0; i < d->count / 2 && i < SHOWN; i++) {
        const sig_value *key = item_of(p, d, 2 * i);
        const size_t used = strlen(out);
        snprintf(out + used, room - used, "%s'%.*s'", i > 0 ? ", " : "",
                 is_string(key) ? (int)(key->n < 60 ? key->n : 60) : 0,
                 is_string(key) ? (const char *)key->at : "");
    }
}

/* What a dictionary holds: how many dictionaries, the last of them, the one of that name, and how
 * many arrays. */
typedef struct contents {
    int dictionaries, arrays;
    const sig_value *last, *named;
} contents;

static contents contents_of(const sig_pickle *p, const sig_value *d, const char *name)
{
    contents has = {0};
    for (int at = d->first; at >= 0 && p->cell[at].next >= 0; at = p->cell[p->cell[at].next].next) {
        const sig_value *key = p->value + p->cell[at].value,
                        *x = p->value + p->cell[p->cell[at].next].value;
        const bool inner = x->kind == SIG_DICTIONARY;
        has.dictionaries += inner;
        has.arrays += x->kind == SIG_CALL;
        has.last = inner ? x : has.last;
        has.named =
            inner && name != NULL && is_string(key) && sig_value_is(key, name) ? x : has.named;
    }
    return has;
}

static void fail_clip(sig_pickle *p, const sig_value *d, int dictionaries, const char *name)
{
    char keys[300];
    const bool more = d->count / 2 > SHOWN;
    list_keys(p, d, keys, sizeof keys);
    if (name != NULL) {
        p->help = "give the name of one of them";
        sig_pickle_fault(p, "it holds no clip '%.60s', but %s%s", name, keys, more ? " .." : "");
        return;
    }
    p->help = "say which: --clip NAME, or in a problem file <data clip=\"NAME\"/>; `saltus follow` "
              "takes all of them with --sweep";
    sig_pickle_fault(p, "it holds %d dictionaries: %s%s", dictionaries, keys, more ? " .." : "");
}

/* The dictionary of arrays: this, or the one of that name in it, or the only one; NULL after an
 * error. */
static const sig_value *find_arrays(sig_pickle *p, const sig_value *d, const char *name)
{
    for (int depth = 0; depth < DEPTH_MOST && has_kind(d, SIG_DICTIONARY); depth++) {
        const contents has = contents_of(p, d, name);
        if (has.named != NULL) {
            d = has.named;
            name = NULL;
            continue;
        }
        if (name == NULL && (has.arrays > 0 || has.dictionaries == 0)) {
            return d;
        }
        if (has.arrays > 0 || has.dictionaries != 1) {
            fail_clip(p, d, has.dictionaries, name);
            return NULL;
        }
        d = has.last;
    }
    sig_pickle_fault(p, "it holds no dictionary of arrays");
    return NULL;
}

/* The dictionary in which clips stand side by side; NULL: there is none. */
static const sig_value *find_clips(const sig_pickle *p, const sig_value *d)
{
    for (int depth = 0; depth < DEPTH_MOST && has_kind(d, SIG_DICTIONARY); depth++) {
        const contents has = contents_of(p, d, NULL);
        if (has.arrays > 0 || has.dictionaries == 0) {
            return NULL;
        }
        if (has.dictionaries > 1 || contents_of(p, has.last, NULL).arrays > 0) {
            return d;
        }
        d = has.last;
    }
    return NULL;
}

static void collect_names(sig_pickle *p, const sig_value *root, sig_names *names)
{
    const sig_value *d = find_clips(p, root);
    if (d == NULL) {
        return;
    }
    names->name = sal_alloc((size_t)d->count / 2 + 1, sizeof *names->name);
    p->nomem = names->name == NULL;
    for (int at = d->first; at >= 0 && p->cell[at].next >= 0 && !p->nomem;
         at = p->cell[p->cell[at].next].next) {
        const sig_value *key = p->value + p->cell[at].value;
        if (is_string(key) &&
            has_kind(p->value + p->cell[p->cell[at].next].value, SIG_DICTIONARY)) {
            char *name = names->name[names->n] = sal_alloc(key->n + 1, 1);
            p->nomem = name == NULL;
            names->n += !p->nomem;
            if (name != NULL) {
                memcpy(name, key->at, key->n);
            }
        }
    }
}

static bool collect(sig_pickle *p, sig_signals *s, const sig_value *root, sig_arrays *z)
{
    const sig_value *d = find_arrays(p, root, s->clip);
    if (d == NULL) {
        return false;
    }
    z->list = sal_alloc((size_t)d->count / 2 + 1, sizeof *z->list);
    if (z->list == NULL) {
        p->nomem = true;
        return false;
    }
    bool good = true;
    const bool lists =
        contents_of(p, d, NULL).arrays == 0; /* beside arrays they are something else */
    for (int at = d->first; at >= 0 && p->cell[at].next >= 0 && good;
         at = p->cell[p->cell[at].next].next) {
        const sig_value *key = p->value + p->cell[at].value,
                        *x = p->value + p->cell[p->cell[at].next].value;
        good = !is_string(key) || x->kind == SIG_NONE || add_entry(p, s, z, key, x, lists);
    }
    return good;
}

/* ---- the file ---- */

/* A pickle and what it holds */
typedef struct opened {
    unsigned char *bytes;
    sig_pickle p;
    /* NULL: a fault, in diag */
    const sig_value *root;
} opened;

static sal_status open_pickle(opened *o, sig_signals *s, sal_diag *diag, sal_err *err)
{
    size_t n;
    int root;
    *o = (opened){.bytes = sig_bytes(s, &n)};
    if (sig_is_deflated(o->bytes, n)) { /* by joblib, or gzip */
        const sal_status unpacked = sig_inflate(s, &o->bytes, &n, diag, err);
        if (unpacked != SAL_OK) {
            return unpacked;
        }
    }
    o->p = (sig_pickle){.s = s,
                        .diag = diag,
                        .at = o->bytes,
                        .begin = o->bytes,
                        .end = o->bytes + n,
                        .take_array = take_wrapped};
    o->root = sig_pickle_run(&o->p, &root) ? o->p.value + root : NULL;
    return SAL_OK;
}

/* What was wrong with it */
static sal_status judge(const opened *o, const sal_diag *diag, sal_err *err)
{
    return o->p.nomem ? sal_fail(err, SAL_NOMEM, "out of memory for '%.300s'", o->p.s->source.path)
                      : sal_diag_status(diag, err);
}

static void close_pickle(opened *o)
{
    sig_pickle_clear(&o->p);
    sal_free(o->bytes);
}

sal_status sig_read_pickle(sig_signals *s, sal_diag *diag, sal_err *err)
{
    opened o;
    sig_arrays z = {0};
    sal_status status = open_pickle(&o, s, diag, err);
    if (status == SAL_OK) {
        if (o.root != NULL) {
            collect(&o.p, s, o.root, &z);
        }
        status = judge(&o, diag, err);
    }
    status = status == SAL_OK ? sig_arrays_read(s, &z, diag, err) : status;
    sig_arrays_clear(&z);
    close_pickle(&o);
    return status;
}

sal_status sig_pickle_names(sig_signals *s, sig_names *names, sal_diag *diag, sal_err *err)
{
    opened o;
    sal_status status = open_pickle(&o, s, diag, err);
    if (status == SAL_OK) {
        if (o.root != NULL) {
            collect_names(&o.p, o.root, names);
        }
        status = judge(&o, diag, err);
    }
    close_pickle(&o);
    return status;
}
