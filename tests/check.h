/* check.h: how a test program is written.
 *
 *     static void half_turn_is_exact(void) { CHECK_NEAR(q[0], 0, 0); }
 *     int main(void) { RUN(half_turn_is_exact); return check_done(); }
 *
 * Every RUN is one case. A failed check prints its place, marks the case failed and goes on; SKIP
 * ends the case as skipped, with its reason. The last line says `N passed, N failed, N skipped`;
 * the exit code is 0, 1 if a case failed, 77 if all were skipped.
 */
#ifndef SAL_TESTS_CHECK_H
#define SAL_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defined where the address sanitizer watches */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#endif

static int check_passed, check_failed, check_skipped, check_case_faults;
static const char *check_skip_reason;

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0                                                                         \
                 : (void)(check_case_faults++,                                                     \
                          printf("%s:%d: false: %s\n", __FILE__, __LINE__, #condition)))

/* |a - b| <= tolerance; NaN fails */
#define CHECK_NEAR(a, b, tolerance) check_near((a), (b), (tolerance), #a, __FILE__, __LINE__)
#define CHECK_TEXT(a, b)            check_text((a), (b), __FILE__, __LINE__)
#define CHECK_OK(call, err)                                                                        \
    ((call) == SAL_OK ? (void)0                                                                    \
                      : (void)(check_case_faults++, printf("%s:%d: %s: %s\n", __FILE__, __LINE__,  \
                                                           #call, (err).message)))

#define RUN(test) check_run(test, #test)
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        check_skip_reason = (reason);                                                              \
        return;                                                                                    \
    } while (0)

static inline void check_near(double a, double b, double tolerance, const char *what,
                              const char *file, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        check_case_faults++;
        printf("%s:%d: %s = %.17g, expected %.17g within %g\n", file, line, what, a, b, tolerance);
    }
}

static inline void check_text(const char *a, const char *b, const char *file, int line)
{
    if (a == NULL || strcmp(a, b) != 0) {
        check_case_faults++;
        printf("%s:%d: \"%s\", expected \"%s\"\n", file, line, a == NULL ? "(null)" : a, b);
    }
}

static inline void check_run(void (*test)(void), const char *name)
{
    check_case_faults = 0;
    check_skip_reason = NULL;
    test();
    if (check_case_faults > 0) {
        check_failed++;
        printf("FAIL %s\n", name);
    } else if (check_skip_reason != NULL) {
        check_skipped++;
        printf("skip %s: %s\n", name, check_skip_reason);
    } else {
        check_passed++;
        printf("ok   %s\n", name);
    }
    fflush(stdout);
}

static inline int check_done(void)
{
    printf("%d passed, %d failed, %d skipped\n", check_passed, check_failed, check_skipped);
    return check_failed > 0 ? 1 : check_passed == 0 ? 77 : 0;
}

/* Path of a file of the corpus ($SALTUS_CORPUS/name) in a static buffer, or NULL if it is not
 * there. */
static inline const char *check_corpus(const char *name)
{
    static char path[1024];
    const char *corpus = getenv("SALTUS_CORPUS");
    snprintf(path, sizeof path, "%s/%s", corpus == NULL ? "../shared" : corpus, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fclose(file);
    return path;
}

#endif
