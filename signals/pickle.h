/* pickle.h: what a pickle of Python holds, as values; nothing of it is executed; private to
 * signals/.
 *
 * A pickle is a list of instructions for a stack (Python, Lib/pickletools.py). Those that build
 * data are followed. Where others would call a function, the call is kept: its name, its arguments,
 * and the state that the object gets afterwards.
 */
#ifndef SAL_SIGNALS_PICKLE_H
#define SAL_SIGNALS_PICKLE_H

#include "signals/table.h"

typedef enum sig_kind {
    SIG_NONE,
    SIG_NUMBER,
    SIG_WORD,
    SIG_BYTES,
    SIG_FUNCTION,
    SIG_LIST,
    SIG_DICTIONARY,
    SIG_CALL,
    SIG_MARK
} sig_kind;

/* A value, or a call: its items are the function, its arguments, and if it has one the state. Of a
 * dictionary they are keys and values by turns. */
typedef struct sig_value {
    sig_kind kind;
    double number;
    /* of words, bytes, and the name of a function: in the pickle */
    const unsigned char *at;
    size_t n;
    /* items: the first and the last cell, -1: none */
    int first, last, count;
} sig_value;

typedef struct sig_link {
    int value, next;
} sig_link;

typedef struct sig_pickle sig_pickle;
struct sig_pickle {
    const sig_signals *s;
    sal_diag *diag;
    /* the next instruction, and all of them */
    const unsigned char *at, *begin, *end;
    sig_value *value;
    sig_link *cell;
    /* values; those that are remembered by their numbers, -1: none */
    int *stack, *memo;
    int nvalue, value_room, ncell, cell_room, nstack, stack_room, nmemo, memo_room;
    bool nomem;
    /* with the next fault; NULL: the usual */
    const char *help;
    /* takes what follows an object of joblib for an array; false: a fault */
    bool (*take_array)(sig_pickle *p, int object);
};

/* The function of such an object */
#define SIG_WRAPPER "NumpyArrayWrapper"

/* Sets root: what the pickle between at and end holds; false: a fault, in diag, or no memory. */
bool sig_pickle_run(sig_pickle *p, int *root);
void sig_pickle_clear(sig_pickle *p);
/* The next n bytes; NULL, a fault: there are not so many. */
const unsigned char *sig_pickle_take(sig_pickle *p, size_t n);
/* Adds bytes of the pickle to the items of a value. */
bool sig_pickle_add_bytes(sig_pickle *p, int to, const unsigned char *at, size_t n);
/* An error about the file; returns false. */
bool sig_pickle_fault(sig_pickle *p, const char *format, ...) SAL_PRINTF(2, 3);
/* Whether it is this word, or the name of this function. */
bool sig_value_is(const sig_value *x, const char *word);

#endif
