#include "base/name.h"

#include <string.h>

typedef enum letter { LOWER, UPPER, DIGIT, OTHER } letter;

static letter letter_of(char c)
{
    return c >= 'a' && c <= 'z'   ? LOWER
           : c >= 'A' && c <= 'Z' ? UPPER
           : c >= '0' && c <= '9' ? DIGIT
                                  : OTHER;
}

/* Whether two letters that follow each other belong to one word: pelvis, FL, 11, and Left. */
static bool belong(char first, char second)
{
    const letter a = letter_of(first), b = letter_of(second);
    return (a == b && a != OTHER) || (a == UPPER && b == LOWER);
}

bool sal_name_word_at(const char *name, size_t at, const char *word, size_t n, size_t whole)
{
    const char *here = name + at;
    return n > 0 && strncmp(here, word, n) == 0 && !(at > 0 && belong(here[-1], here[0])) &&
           (n > whole || !belong(here[n - 1], here[n]));
}
