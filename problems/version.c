#include "problems/version.h"

#include "problems/problems.h"

const char *sal_version_text(void)
{
    return SAL_VERSION " (" SAL_GIT ")";
}
