/* mutate.h: a fuzzer for builds without libFuzzer: it changes good inputs a little, from a fixed
 * seed, and feeds them to LLVMFuzzerTestOneInput. What it finds are crashes, failed assertions, and
 * in sanitized builds leaks and bad accesses.
 */
#ifndef SAL_TESTS_FUZZ_MUTATE_H
#define SAL_TESTS_FUZZ_MUTATE_H

#include "tests/check.h"

#include "base/base.h"
#include "base/house.h"

#include <time.h>

enum { MUTANT_MAX = 20000 };

/* Words that break readers. */
static const char *const mutate_words[] = {
    "<",      ">",       "\"",         "'",         "/>",
    "&",      "&#0;",    "-1",         "0",         "1e999",
    "nan",    "inf",     "-",          "all",       " ",
    "\n",     "[#0]",    "2147483648", "\xff",      "<!--",
    "name",   "=",       "1e308",      "-0.0",      "99999999999999999999",
    ",",      ";",       "qpos0",      "time",      "#",
    "<body>", "</body>", "<joint/>",   "<default>", "<geom/>",
    "'ball'", "0 0 0 1", "class='c'",  "\t",        "end\n"};

static size_t mutate(unsigned char *data, size_t n, sal_rng *rng)
{
    const int changes = 1 + (int)(sal_rng_next(rng) % 4);
    for (int k = 0; k < changes; k++) {
        const size_t at = n == 0 ? 0 : (size_t)(sal_rng_next(rng) % n);
        const char *word =
            mutate_words[sal_rng_next(rng) % (sizeof mutate_words / sizeof mutate_words[0])];
        size_t length = strlen(word), cut = (size_t)(sal_rng_next(rng) % 12);
        switch (sal_rng_next(rng) % 4) {
        case 0: /* a byte */
            if (n > 0) {
                data[at] = (unsigned char)sal_rng_next(rng);
            }
            continue;
        case 1: /* something is cut out */
            length = 0;
            break;
        case 2: /* a word is put in */
            cut = 0;
            break;
        default: /* in place of something */
            break;
        }
        cut = cut > n - at ? n - at : cut;
        if (n - cut + length < MUTANT_MAX) {
            memmove(data + at + length, data + at + cut, n - at - cut);
            memcpy(data + at, word, length);
            n = n - cut + length;
        }
    }
    return n;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* With $FUZZ_SEEDS, a folder, the seeds are left there as files for a fuzzer, and nothing is
 * tried. */
static inline bool mutate_leaves(const void *seed, size_t n)
{
    static int number;
    char path[1024];
    const char *folder = getenv("FUZZ_SEEDS");
    if (folder == NULL) {
        return false;
    }
    snprintf(path, sizeof path, "%s/seed-%d", folder, number++);
    CHECK(sal_file_write(path, seed, n, NULL) == SAL_OK);
    return true;
}

/* Mutants of the seeds for about `seconds`, at least 50. Returns how many. */
static inline long mutate_all(const char *const *seeds, size_t nseed, double seconds)
{
    static unsigned char data[MUTANT_MAX];
    sal_rng rng = {1};
    struct timespec begin, now;
    long count = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    now = begin;
    for (size_t i = 0; i < nseed && mutate_leaves(seeds[i], strlen(seeds[i])); i++) {
        count++;
    }
    if (count > 0) {
        return count;
    }
    for (; count < 50 || difftime(now.tv_sec, begin.tv_sec) < seconds; count++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        const char *seed = seeds[(size_t)count % nseed];
        size_t n = strlen(seed);
        memcpy(data, seed, n);
        n = count < (long)nseed ? n : mutate(data, n, &rng);
        LLVMFuzzerTestOneInput(data, n);
    }
    return count;
}

#endif
