/* log.h: what the library has to say on the way. The library never prints: it calls whoever
 * listens. */
#ifndef SAL_BASE_LOG_H
#define SAL_BASE_LOG_H

#include "base/status.h"

SAL_BEGIN_C

typedef enum sal_level { SAL_DEBUG, SAL_INFO, SAL_WARNING } sal_level;

typedef struct sal_log {
    /* NULL: nobody listens */
    void (*write)(void *user, sal_level level, const char *message);
    void *user;
} sal_log;

/* Sends one formatted line (without newline) to log; log may be NULL. */
SAL_API void sal_say(const sal_log *log, sal_level level, const char *format, ...) SAL_PRINTF(3, 4);

SAL_END_C

#endif
