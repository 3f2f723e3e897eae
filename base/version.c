#include "base/version.h"

#include "base/base.h"

const char *sal_version_text(void)
{
    return SAL_VERSION " (" SAL_GIT ")";
}

const char *sal_version(void)
{
    return SAL_VERSION;
}

const char *sal_version_commit(void)
{
    return SAL_GIT;
}
