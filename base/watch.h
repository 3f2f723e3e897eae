/* watch.h: what lies between the arrays of one block. A build with the address sanitizer forbids
 * it, so that an access beyond an array is found even where another array follows; in all others
 * there is no gap, and these do nothing. */
#ifndef SAL_BASE_WATCH_H
#define SAL_BASE_WATCH_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define SAL_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SAL_WATCHED
#endif
#endif

#ifdef SAL_WATCHED
#include <sanitizer/asan_interface.h>
#endif

/* Bytes behind each array */
#ifdef SAL_WATCHED
enum { SAL_GAP = 64 };
#else
enum { SAL_GAP = 0 };
#endif

/* Nobody may read or write these bytes until they are allowed, or given back to the heap. They
 * end where eight-byte words do. */
static inline void sal_watch_forbid(const void *from, size_t bytes)
{
#ifdef SAL_WATCHED
    __asan_poison_memory_region(from, bytes);
#else
    (void)from, (void)bytes;
#endif
}

static inline void sal_watch_allow(const void *from, size_t bytes)
{
#ifdef SAL_WATCHED
    __asan_unpoison_memory_region(from, bytes);
#else
    (void)from, (void)bytes;
#endif
}

#endif
