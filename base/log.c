#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void sal_say(const sal_log *log, sal_level level, const char *format, ...)
{
    if (log == NULL || log->write == NULL) {
        return;
    }
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log->write(log->user, level, line);
}
