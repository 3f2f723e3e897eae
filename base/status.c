#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *sal_status_text(sal_status code)
{
    static const char *const text[] = {
#define SAL_STATUS_TEXT(code, text) text,
        SAL_STATUS_LIST(SAL_STATUS_TEXT)
#undef SAL_STATUS_TEXT
    };
    const unsigned index = (unsigned)code;
    return index < sizeof text / sizeof text[0] ? text[index] : "an unknown status";
}

sal_status sal_fail(sal_err *err, sal_status code, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        err->code = code;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return code;
}
