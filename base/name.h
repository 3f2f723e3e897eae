/* name.h: words within names: 'left' is in left_hip, lefthip and rearLeft, not in cleft. */
#ifndef SAL_BASE_NAME_H
#define SAL_BASE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `word` [n >= 0] begins at name[at] where no other word goes on. A word of at most `whole`
 * letters has to end there too: 'l' is in thigh_l, not in lower. False for n = 0. */
bool sal_name_word_at(const char *name, size_t at, const char *word, size_t n, size_t whole);

#endif
