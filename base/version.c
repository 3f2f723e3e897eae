#include "base/version.h"

#include "base/commit.h"

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)
#define VERSION_TEXT                                                                               \
    TEXT_OF(SAL_VERSION_MAJOR) "." TEXT_OF(SAL_VERSION_MINOR) "." TEXT_OF(SAL_VERSION_PATCH)

const char *sal_version(void)
{
    return VERSION_TEXT;
}

const char *sal_version_commit(void)
{
    return SAL_COMMIT;
}

const char *sal_version_text(void)
{
    return VERSION_TEXT " (" SAL_COMMIT ")";
}
