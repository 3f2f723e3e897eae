/* clones.h: functions compiled several times, for processors with wider registers too; which one
 * runs is chosen when the program starts.
 *
 * Nothing is contracted (no fused multiplication and addition) and no sum changes its order, so
 * every choice gives the same bits.
 */
#ifndef SAL_BASE_CLONES_H
#define SAL_BASE_CLONES_H

/* SAL_CLONES("avx512f", "avx2") void f(..): also for these. The address sanitizer is not awake yet
 * when the choice is made; clang 14 finds such a function only within its own file. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define SAL_CLONES(...) __attribute__((target_clones(__VA_ARGS__, "default")))
#else
#define SAL_CLONES(...)
#endif

/* SAL_WIDE void f(..) needs a processor with registers of 512 bits: call it where sal_is_wide(). */
#if defined(__x86_64__) && defined(__linux__)
#define SAL_WIDE      __attribute__((target("avx512f")))
#define sal_is_wide() (__builtin_cpu_supports("avx512f") != 0)
#else
#define SAL_WIDE
#define sal_is_wide() false
#endif

/* What such a function calls must be compiled as part of it: static SAL_INLINE void g(..). */
#define SAL_INLINE inline __attribute__((always_inline))

#endif
