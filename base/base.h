/* base.h: what the public headers of all rooms share. Installed as one file, <saltus/base.h>.
 *
 *   status.h    status codes, and the error that every function that can fail fills in
 *   memory.h    allocation, layouts that are run twice, scratch arena
 *   text.h      growing text, numbers from text, the nearest name
 *   diag.h      errors in input files, collected, with file:line:column and a caret
 *   log.h       messages of the library, sent to whoever listens
 *   ranks.h     processes that share work, and how they talk
 *   reading.h   whole files, read; how large they may be
 *
 * The rooms of this project include base/house.h, which has all of base.
 *
 * Threads: a function may be called from several threads at once, as long as no two of them write
 * to the same object. Objects named const are only read. Process-wide settings (locale, floating
 * point, OpenMP, BLAS) are never changed; ours is set by sal_reading_set alone.
 *
 * ABI: until version 1.0 a new minor version may change structs and functions; a patch version
 * does neither. The ABI is what the installed headers declare: their functions, and the structs
 * whose members they show. Of structs without members there (sal_problem, sal_result, ..) only
 * functions know the size, and any version may change it. Structs that users fill in, whose name
 * ends in _options, and sal_watch grow only at the end: begin with {0}. Compile against the headers
 * of the library that you link: sal_version() is that of the library, SAL_VERSION_MAJOR.. that of
 * the headers.
 */
#ifndef SAL_BASE_H
#define SAL_BASE_H

#include "base/diag.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks.h"
#include "base/reading.h"
#include "base/status.h"
#include "base/text.h"
#include "base/version.h"

#endif
