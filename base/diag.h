/* diag.h: faults found in input files. They are collected, so that a user sees all of them at once:
 *
 *     bad.xml:5:24: error: unknown attribute 'senser' in <term>
 *         5 |     <term name="speed" senser="torso_subtreelinvel" ...
 *           |                        ^~~~~~
 *           = help: did you mean 'sensor'?
 *
 * and, in a file that another includes, where that was: "= included at main.xml:3:6".
 */
#ifndef SAL_BASE_DIAG_H
#define SAL_BASE_DIAG_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

SAL_BEGIN_C

typedef struct sal_source sal_source; /* a file's name and text, see xml.h */

/* A stretch of a source; source NULL: nowhere in particular. */
typedef struct sal_place {
    const sal_source *source;
    /* bytes */
    size_t offset, length;
} sal_place;

typedef struct sal_diag {
    /* all messages as they are shown */
    sal_text text;
    /* the first error's line without the source excerpt */
    char first[400];
    /* errors beyond the 50th are counted, not shown */
    int nerror, nwarning;
    /* of the errors: the same words at the same place as one before, not shown (copied elements) */
    int nrepeated;
} sal_diag;

SAL_API void sal_diag_error(sal_diag *diag, sal_place place, const char *help, const char *format,
                            ...) SAL_PRINTF(4, 5);
SAL_API void sal_diag_warning(sal_diag *diag, sal_place place, const char *help, const char *format,
                              ...) SAL_PRINTF(4, 5);
/* An error where the source has a NUL byte, which no text has; whether it has none. */
SAL_API bool sal_diag_check_text(sal_diag *diag, const sal_source *source);
/* Further errors will only be counted: looking for suggestions is of no use. */
SAL_API bool sal_diag_is_full(const sal_diag *diag);
SAL_API void sal_diag_clear(sal_diag *diag);
/* Appends what another has collected, and clears that. to may be NULL. */
SAL_API void sal_diag_join(sal_diag *to, sal_diag *from);

/* SAL_OK if no error was reported; else SAL_BADINPUT with the first one's line (and "and N more")
 * in err. */
SAL_API sal_status sal_diag_status(const sal_diag *diag, sal_err *err);

SAL_END_C

#endif
