/* version.h: which saltus this is. meson.build takes its version from here. */
#ifndef SAL_BASE_VERSION_H
#define SAL_BASE_VERSION_H

#include "base/status.h"

SAL_BEGIN_C

#define SAL_VERSION_MAJOR 0
#define SAL_VERSION_MINOR 1
#define SAL_VERSION_PATCH 0

/* Of the library, which may be newer than these headers: "0.1.0"; the commit it was built from; and
 * both, "0.1.0 (commit)". */
SAL_API const char *sal_version(void);
SAL_API const char *sal_version_commit(void);
SAL_API const char *sal_version_text(void);

SAL_END_C

#endif
