/* condition.h: conditions on named values, `speed>=1.5 mass<50 status='time limit'`; private to
 * signals/
 *
 *     condition = test { blank test }           all of them hold
 *     test      = NAME OP VALUE                 OP: = != < <= > >=, blanks around it do no harm
 *     VALUE     = word | 'text' | "text"        quoted where it has blanks or signs of comparison
 *
 * Two numbers compare as numbers, all else as text, byte by byte. What is not there is like the
 * empty text: it equals '' and nothing else, and is neither smaller nor greater than anything.
 */
#ifndef SAL_SIGNALS_CONDITION_H
#define SAL_SIGNALS_CONDITION_H

#include "signals/signals.h"

typedef struct sig_condition sig_condition;

/* Reads `text`, which stands at `place` (for messages; source NULL: nowhere); it must hold at least
 * one test. Unknown names and other faults go to diag. */
sal_status sig_condition_parse(sig_condition **c, const char *text, sal_place place,
                               const char *const *name, int nname, sal_diag *diag, sal_err *err);
void sig_condition_free(sig_condition *c);

/* The value of name[i] of those it was parsed with. */
typedef sal_value (*sig_condition_look)(void *user, int name);

bool sig_condition_holds(const sig_condition *c, sig_condition_look look, void *user);

/* Negative, 0, positive as a comes before, with or behind b: what is not there, then numbers, then
 * text. */
int sig_value_compare(const sal_value *a, const sal_value *b);
/* Text that is a number as a number; NULL as nothing. The text must outlive the value. */
sal_value sig_value_of(const char *text);
sal_value sig_value_number(double number);

/* "did you mean 'x'?", or which names there are; "" if none. */
void sig_name_help(char *help, size_t n, const char *wrong, const char *const *name, int nname);

#endif
