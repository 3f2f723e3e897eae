/* status.h: one list of outcomes, and the error that carries one with its message.
 *
 * Every function that can fail returns a sal_status and takes a sal_err * as its last argument
 * (NULL is allowed: the caller then has only the code). The message is one sentence a stranger can
 * act on; it is written by the function that found the fault, and callers pass it on unchanged.
 */
#ifndef SAL_BASE_STATUS_H
#define SAL_BASE_STATUS_H

#if defined(__GNUC__)
#define SAL_API               __attribute__((visibility("default")))
#define SAL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SAL_API
#define SAL_PRINTF(fmt, args)
#endif

/* Around the declarations of a public header, so that C++ programs may include it. */
#ifdef __cplusplus
#define SAL_BEGIN_C extern "C" {
#define SAL_END_C   }
#else
#define SAL_BEGIN_C
#define SAL_END_C
#endif

SAL_BEGIN_C

/* X(code, text) */
#define SAL_STATUS_LIST(X)                                                                         \
    X(SAL_OK, "success")                                                                           \
    X(SAL_NOMEM, "out of memory")                                                                  \
    X(SAL_BADINPUT, "bad input")                                                                   \
    X(SAL_BADPATH, "a path cannot be opened, read or written")                                     \
    X(SAL_UNSUPPORTED, "not supported")                                                            \
    X(SAL_FULL, "a capacity is exceeded")                                                          \
    X(SAL_DIVERGED, "a number is not finite")                                                      \
    X(SAL_SINGULAR, "a matrix cannot be factorised")                                               \
    X(SAL_INTERRUPTED, "interrupted")                                                              \
    X(SAL_INTERNAL, "an internal error")

typedef enum sal_status {
#define SAL_STATUS_ENUM(code, text) code,
    SAL_STATUS_LIST(SAL_STATUS_ENUM)
#undef SAL_STATUS_ENUM
} sal_status;

typedef struct sal_err {
    sal_status code;
    char message[512];
} sal_err;

/* The text of a code, e.g. "out of memory". Never NULL. */
SAL_API const char *sal_status_text(sal_status code);

/* Fills err (if not NULL) and returns code, so that a fault is one line: return sal_fail(err,
 * SAL_FULL, "..."). */
SAL_API sal_status sal_fail(sal_err *err, sal_status code, const char *format, ...)
    SAL_PRINTF(3, 4);

SAL_END_C

#endif
