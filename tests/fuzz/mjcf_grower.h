/* mjcf_grower.h: what grows a model (mjcf_random.h, urdf_random.h): chance, text, numbers. */
#ifndef SAL_TESTS_FUZZ_MJCF_GROWER_H
#define SAL_TESTS_FUZZ_MJCF_GROWER_H

#include "base/base.h"
#include "mjcf/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mjcf_grower {
    sal_rng rng;
    char *out;
    size_t n;
    size_t room;
    /* how many objects of a kind have a name: its letter and a number */
    int named[256];
    int nq;
    int nv;
    int nu;
    int nmocap;
    /* letter of the last objtype or reftype */
    char object;
    /* that may still be written */
    int elements;
    /* makes mistakes */
    bool wild;
    /* of the body: it is the world's child, it has a free joint */
    bool top;
    bool free;
    /* the last name of a kind that was referred to */
    unsigned picked[256];
    /* which file the model of <asset> is */
    int part[8];
    /* which joints are balls */
    int ball[8];
    int nball;
    /* of the element */
    const char *tag;
} grower;

static bool grow_is_one_of(const char *word, const char *list)
{
    char padded[64];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(list, padded) != NULL;
}

static unsigned grow_pick(grower *g, unsigned n)
{
    return (unsigned)(sal_rng_next(&g->rng) % n);
}

static bool grow_chance(grower *g, unsigned percent)
{
    return grow_pick(g, 100) < percent;
}

SAL_PRINTF(2, 3) static void grow_say(grower *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(g->out + g->n, g->room - g->n, format, args);
    va_end(args);
    g->n = n < 0 || (size_t)n >= g->room - g->n ? g->room - 1 : g->n + (size_t)n;
}

/* The same of mistakes. */
static bool grow_errs(grower *g, unsigned percent)
{
    return g->wild && grow_chance(g, percent);
}

static void grow_number(grower *g, bool positive)
{
    static const char *const wrong[] = {"nan", "1e15", "-1e15", "1e-300", "inf", "1e999", "x", "-"};
    const double x = sal_rng_uniform(&g->rng, positive ? 0.05 : -1, 1);
    if (grow_errs(g, 1)) {
        grow_say(g, "%s", wrong[grow_pick(g, 8)]);
    } else if (grow_chance(g, 30)) {
        grow_say(g, "%d", positive ? 1 + (int)grow_pick(g, 3) : (int)grow_pick(g, 4) - 1);
    } else {
        grow_say(g, "%.2g", x);
    }
}

#endif
