/* base.h: the ground floor. Everything above may use all of it; it knows nothing of mechanisms.
 *
 *   status.h    status codes, the error that every fallible function fills
 *   memory.h    allocation that tests can make fail, layout run twice, scratch arena
 *   log.h       messages to whoever listens
 *   parallel.h  the one parallel loop
 *   ranks.h     processes that share work, and how they talk
 *   rng.h       reproducible random numbers
 *   text.h      growing text, numbers from text, the nearest name
 *   diag.h      errors in input files, collected, with file:line:column and a caret
 *   file.h      whole files, replaced at once
 *   sha256.h    digests of files
 *   json.h      JSON text, member by member
 *   xml.h       an XML document with positions
 *   sincos.h    sines and cosines of many angles
 *   clones.h    functions compiled for several processors
 *   v3.h quat.h spatial.h dense.h   vectors, rotations, 6-D spatial algebra, small dense algebra
 */
#ifndef SAL_BASE_H
#define SAL_BASE_H

#include "base/clones.h"
#include "base/dense.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quat.h"
#include "base/ranks.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/sincos.h"
#include "base/sort.h"
#include "base/spatial.h"
#include "base/status.h"
#include "base/text.h"
#include "base/v3.h"
#include "base/xml.h"

/* Which saltus this is: "0.1.0", the commit it was built from, and both: "0.1.0 (commit)". */
SAL_API const char *sal_version(void);
SAL_API const char *sal_version_commit(void);
SAL_API const char *sal_version_text(void);

#endif
