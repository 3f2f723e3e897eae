/* pickle.c: the instructions of a pickle. */
#include "signals/pickle.h"

#include "base/house.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { VALUES_MOST = 1 << 22 };

bool sig_value_is(const sig_value *x, const char *word)
{
    return x->n == strlen(word) && memcmp(x->at, word, x->n) == 0;
}

/* ---- faults ---- */

bool sig_pickle_fault(sig_pickle *p, const char *format, ...)
{
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    sal_diag_error(p->diag, (sal_place){&p->s->source, 0, 1},
                   p->help != NULL ? p->help
                                   : "a dictionary of arrays of NumPy is read; in Python, "
                                     "numpy.savez('clip.npz', fps=.., root_pos=.., root_rot=.., "
                                     "dof_pos=..) writes such a file, too",
                   "%s", text);
    return false;
}

static bool fail_short(sig_pickle *p)
{
    return sig_pickle_fault(
        p, "the pickle ends in the middle of an instruction; is the file complete?");
}

/* ---- memory ---- */

/* The list with room for one more than n: itself, or a longer one in its place; NULL: there is
 * none, and it stays as it is. */
static void *grow(sig_pickle *p, void *list, int n, int *room, size_t size)
{
    if (n < *room) {
        return list;
    }
    if (n >= VALUES_MOST) {
        sig_pickle_fault(p, "it holds more than %d objects; long lists are not read, arrays are",
                         VALUES_MOST);
        return NULL;
    }
    const int more = *room == 0 ? 256 : 2 * *room;
    void *longer = sal_alloc((size_t)more, size);
    if (longer == NULL) {
        p->nomem = true;
        return NULL;
    }
    if (n > 0) {
        memcpy(longer, list, (size_t)n * size);
    }
    sal_free(list);
    *room = more;
    return longer;
}

/* A new value; -1: none. */
static int make(sig_pickle *p, sig_kind kind)
{
    sig_value *value = grow(p, p->value, p->nvalue, &p->value_room, sizeof *value);
    if (value == NULL) {
        return -1;
    }
    p->value = value;
    value[p->nvalue] = (sig_value){.kind = kind, .number = (double)NAN, .first = -1, .last = -1};
    return p->nvalue++;
}

static bool add_item(sig_pickle *p, int to, int item)
{
    sig_link *cell = grow(p, p->cell, p->ncell, &p->cell_room, sizeof *cell);
    if (cell == NULL) {
        return false;
    }
    p->cell = cell;
    cell[p->ncell] = (sig_link){item, -1};
    sig_value *list = p->value + to;
    *(list->last < 0 ? &list->first : &cell[list->last].next) = p->ncell;
    list->last = p->ncell++;
    list->count++;
    return true;
}

/* ---- the stack ---- */

static bool push(sig_pickle *p, int value)
{
    int *stack = value < 0 ? NULL : grow(p, p->stack, p->nstack, &p->stack_room, sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    p->stack = stack;
    stack[p->nstack++] = value;
    return true;
}

/* -1: there is none. */
static int pop(sig_pickle *p)
{
    if (p->nstack == 0 || p->value[p->stack[p->nstack - 1]].kind == SIG_MARK) {
        sig_pickle_fault(p, "an instruction of the pickle wants more than there is on its stack");
        return -1;
    }
    return p->stack[--p->nstack];
}

static int top(sig_pickle *p)
{
    const int value = pop(p);
    p->nstack += value >= 0;
    return value;
}

/* The place on the stack behind the last mark, which is taken off with all behind it; -1: there is
 * no mark. */
static int cut(sig_pickle *p)
{
    int k = p->nstack;
    while (k > 0 && p->value[p->stack[k - 1]].kind != SIG_MARK) {
        k--;
    }
    if (k == 0) {
        sig_pickle_fault(p, "an instruction of the pickle wants a mark that is not there");
        return -1;
    }
    p->nstack = k - 1;
    return k;
}

/* All behind the last mark become items of `to`, or of what lies before the mark (-1). */
static bool gather(sig_pickle *p, int to)
{
    const int end = p->nstack, begin = cut(p);
    if (begin < 0) {
        return false;
    }
    const bool own = to >= 0;
    const int list = own ? to : top(p);
    bool good = list >= 0;
    for (int k = begin; k < end && good; k++) {
        good = add_item(p, list, p->stack[k]);
    }
    return good && (!own || push(p, list));
}

/* A list of the last n on the stack. */
static bool take_last(sig_pickle *p, sig_kind kind, int n)
{
    int item[3];
    for (int k = n - 1; k >= 0; k--) {
        item[k] = pop(p);
        if (item[k] < 0) {
            return false;
        }
    }
    const int list = make(p, kind);
    bool good = list >= 0;
    for (int k = 0; k < n && good; k++) {
        good = add_item(p, list, item[k]);
    }
    return good && push(p, list);
}

/* ---- what instructions hold ---- */

const unsigned char *sig_pickle_take(sig_pickle *p, size_t n)
{
    if ((size_t)(p->end - p->at) < n) {
        fail_short(p);
        return NULL;
    }
    p->at += n;
    return p->at - n;
}

/* A number of n bytes, at most 8, the lowest first. */
static bool take_whole(sig_pickle *p, size_t n, uint64_t *x)
{
    const unsigned char *b = sig_pickle_take(p, n);
    *x = 0;
    if (b == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        *x |= (uint64_t)b[i] << 8 * i;
    }
    return true;
}

static bool push_number(sig_pickle *p, double x)
{
    const int k = make(p, SIG_NUMBER);
    if (k >= 0) {
        p->value[k].number = x;
    }
    return push(p, k);
}

static bool push_unsigned(sig_pickle *p, size_t n)
{
    uint64_t x;
    return take_whole(p, n, &x) && push_number(p, (double)x);
}

/* Two's complement, of any length; beyond 8 bytes it is none that a clip has. */
static bool push_signed(sig_pickle *p, size_t n)
{
    uint64_t x = 0;
    if (n > 8) {
        return sig_pickle_take(p, n) != NULL && push_number(p, (double)NAN);
    }
    if (!take_whole(p, n, &x)) {
        return false;
    }
    const bool negative = n > 0 && x >> (8 * n - 1) != 0;
    const uint64_t above = n < 8 ? ~(uint64_t)0 << 8 * n : 0;
    return push_number(p, negative ? -(double)(~(x | above) + 1) : (double)x);
}

/* Eight bytes, the highest first */
static bool push_float(sig_pickle *p)
{
    uint64_t bits = 0;
    double x;
    const unsigned char *b = sig_pickle_take(p, sizeof x);
    if (b == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof x; i++) {
        bits = bits << 8 | b[i];
    }
    memcpy(&x, &bits, sizeof x);
    return push_number(p, x);
}

static bool push_slice(sig_pickle *p, sig_kind kind, const unsigned char *at, size_t n)
{
    const int k = make(p, kind);
    if (k >= 0) {
        p->value[k].at = at;
        p->value[k].n = n;
    }
    return push(p, k);
}

/* Words or bytes whose length is a number of `size` bytes before them. */
static bool push_string(sig_pickle *p, sig_kind kind, size_t size)
{
    uint64_t n;
    if (!take_whole(p, size, &n)) {
        return false;
    }
    if (n > (uint64_t)(p->end - p->at)) {
        return fail_short(p);
    }
    const unsigned char *at = sig_pickle_take(p, (size_t)n);
    return at != NULL && push_slice(p, kind, at, (size_t)n);
}

/* Two lines, the module and the name of a function; that of the module does not matter. */
static bool push_named(sig_pickle *p)
{
    const unsigned char *line = p->at;
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        line = p->at;
        const unsigned char *end = memchr(line, '\n', (size_t)(p->end - line));
        if (end == NULL) {
            return fail_short(p);
        }
        n = (size_t)(end - line);
        p->at = end + 1;
    }
    return push_slice(p, SIG_FUNCTION, line, n);
}

static bool push_stacked(sig_pickle *p)
{
    const int name = pop(p), module = name < 0 ? -1 : pop(p);
    return module >= 0 && push_slice(p, SIG_FUNCTION, p->value[name].at, p->value[name].n);
}

/* ---- the memory of the pickle ---- */

static bool remember(sig_pickle *p, uint64_t place)
{
    const int value = top(p);
    if (value < 0) {
        return false;
    }
    while ((uint64_t)p->nmemo <= place) {
        int *memo = grow(p, p->memo, p->nmemo, &p->memo_room, sizeof *memo);
        if (memo == NULL) {
            return false;
        }
        p->memo = memo;
        memo[p->nmemo++] = -1;
    }
    p->memo[place] = value;
    return true;
}

static bool remember_at(sig_pickle *p, size_t size)
{
    uint64_t place;
    return take_whole(p, size, &place) && remember(p, place);
}

static bool recall(sig_pickle *p, size_t size)
{
    uint64_t place;
    if (!take_whole(p, size, &place)) {
        return false;
    }
    return place < (uint64_t)p->nmemo && p->memo[place] >= 0
               ? push(p, p->memo[place])
               : sig_pickle_fault(p, "the pickle names an object that it does not have");
}

/* ---- instructions ---- */

/* The item of what lies on the stack before it: one, or a key and its value */
static bool append(sig_pickle *p, int n)
{
    int item[2] = {-1, -1};
    for (int k = n - 1; k >= 0; k--) {
        item[k] = pop(p);
        if (item[k] < 0) {
            return false;
        }
    }
    const int list = top(p);
    bool good = list >= 0;
    for (int k = 0; k < n && good; k++) {
        good = add_item(p, list, item[k]);
    }
    return good;
}

bool sig_pickle_add_bytes(sig_pickle *p, int to, const unsigned char *at, size_t n)
{
    const int bytes = make(p, SIG_BYTES);
    if (bytes < 0) {
        return false;
    }
    p->value[bytes].at = at;
    p->value[bytes].n = n;
    return add_item(p, to, bytes);
}

/* The state of an object. Behind one that joblib makes for an array the array follows, without an
 * instruction. */
static bool build(sig_pickle *p)
{
    if (!append(p, 1)) {
        return false;
    }
    const int object = p->stack[p->nstack - 1], first = p->value[object].first;
    const sig_value *function = first < 0 ? NULL : p->value + p->cell[first].value;
    const bool wrapper = p->value[object].kind == SIG_CALL && function->kind == SIG_FUNCTION &&
                         sig_value_is(function, SIG_WRAPPER);
    return !wrapper || p->take_array(p, object);
}

static bool drop(sig_pickle *p)
{
    const bool marked = p->nstack > 0 && p->value[p->stack[p->nstack - 1]].kind == SIG_MARK;
    p->nstack -= marked;
    return marked || pop(p) >= 0;
}

static bool do_values(sig_pickle *p, unsigned char what)
{
    uint64_t x;
    switch (what) {
    case 'N':
        return push(p, make(p, SIG_NONE));
    case 0x88: /* True */
    case 0x89:
        return push_number(p, what == 0x88);
    case 'K':
        return push_unsigned(p, 1);
    case 'M':
        return push_unsigned(p, 2);
    case 'J':
        return push_signed(p, 4);
    case 0x8a:
        return take_whole(p, 1, &x) && push_signed(p, (size_t)x);
    case 'G':
        return push_float(p);
    case 0x8c:
    case 'U':
        return push_string(p, SIG_WORD, 1);
    case 'X':
    case 'T':
        return push_string(p, SIG_WORD, 4);
    case 0x8d:
        return push_string(p, SIG_WORD, 8);
    case 'C':
        return push_string(p, SIG_BYTES, 1);
    case 'B':
        return push_string(p, SIG_BYTES, 4);
    case 0x8e:
    case 0x96: /* that can be written to */
        return push_string(p, SIG_BYTES, 8);
    case 'P':
    case 'Q':
        return sig_pickle_fault(p, "its data are in another file, as PyTorch has them");
    default:
        return sig_pickle_fault(p,
                                "instruction 0x%02x at byte %td of the pickle is none that is read",
                                what, p->at - p->begin - 1);
    }
}

static bool do_lists(sig_pickle *p, unsigned char what)
{
    switch (what) {
    case ')':
    case ']':
    case 0x8f: /* a set */
        return push(p, make(p, SIG_LIST));
    case '}':
        return push(p, make(p, SIG_DICTIONARY));
    case 0x85:
    case 0x86:
    case 0x87:
        return take_last(p, SIG_LIST, what - 0x84);
    case '(':
        return push(p, make(p, SIG_MARK));
    case 't':
    case 'l':
    case 0x91: /* a set that does not change */
        return gather(p, make(p, SIG_LIST));
    case 'd':
        return gather(p, make(p, SIG_DICTIONARY));
    case 'e':
    case 'u':
    case 0x90:
        return gather(p, -1);
    case 'a':
        return append(p, 1);
    case 's':
        return append(p, 2);
    default:
        return do_values(p, what);
    }
}

static bool follow(sig_pickle *p, unsigned char what)
{
    switch (what) {
    case 0x80: /* the protocol */
        return sig_pickle_take(p, 1) != NULL;
    case 0x95: /* how long the next instructions are */
        return sig_pickle_take(p, 8) != NULL;
    case 'c':
        return push_named(p);
    case 0x93:
        return push_stacked(p);
    case 'R':
    case 0x81:
        return take_last(p, SIG_CALL, 2);
    case 0x92:
        return pop(p) >= 0 && take_last(p, SIG_CALL, 2);
    case 'b':
        return build(p);
    case '0':
        return drop(p);
    case '1':
        return cut(p) >= 0;
    case '2':
        return push(p, top(p));
    case 'q':
        return remember_at(p, 1);
    case 'r':
        return remember_at(p, 4);
    case 0x94:
        return remember(p, (uint64_t)p->nmemo);
    case 'h':
        return recall(p, 1);
    case 'j':
        return recall(p, 4);
    case 0x98: /* that cannot be written to */
        return top(p) >= 0;
    default:
        return do_lists(p, what);
    }
}

bool sig_pickle_run(sig_pickle *p, int *root)
{
    *root = -1;
    if (p->at >= p->end || *p->at != 0x80) {
        static const char marks[] = "B]\xfd\x04"; /* of bz2, lzma, xz, lz4 */
        const bool compressed = p->at < p->end && *p->at != 0 && strchr(marks, *p->at) != NULL;
        p->help = compressed ? "where joblib wrote it: in Python, numpy.savez('clip.npz', "
                               "**joblib.load('clip.pkl')) writes a file that is read"
                             : NULL;
        return sig_pickle_fault(p, "it does not begin as a pickle of protocol 2 or later does%s",
                                compressed ? "; it is compressed" : "");
    }
    while (p->at < p->end) {
        const unsigned char what = *p->at++;
        if (what == '.') {
            *root = pop(p);
            return *root >= 0;
        }
        if (!follow(p, what)) {
            return false;
        }
    }
    return fail_short(p);
}

void sig_pickle_clear(sig_pickle *p)
{
    void *const lists[] = {p->value, p->cell, p->stack, p->memo};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        sal_free(lists[i]);
    }
}
