/* exports.h: the motion of a result in files for other programs; docs/exports.md says what each of
 * them holds. */
#ifndef SAL_EXPORTS_H
#define SAL_EXPORTS_H

#include "problems/problems.h"

/* A format, and which of the options it can follow */
typedef struct sal_export_format {
    const char *name, *does;
    /* how its files usually end */
    const char *ending;
    /* Hz, where none is asked for; 0: the rows of the result, which --rate cannot change */
    double rate;
    bool gains;
    /* not a text */
    bool binary;
    /* more than one file: it needs a name */
    bool several;
} sal_export_format;

/* NULL: there is none of that name; the formats in order, NULL after the last. */
const sal_export_format *sal_export_find(const char *name);
const sal_export_format *sal_export_format_at(int i);

typedef struct sal_export_options {
    /* Hz; 0: that of the format */
    double rate;
    /* whole periods of a cycle, of a mirrored one both halves; 0: one, but where a format holds the
     * rows of the result, just these */
    int cycles;
    /* also the gains of the feedback about the motion (runs/runs.h) */
    bool gains;
} sal_export_options;

typedef struct sal_export_file {
    /* what its name has instead of the ending: "_forces.mot"; "": it has the name asked for */
    const char *ending;
    sal_text text;
} sal_export_file;

enum { SAL_EXPORT_FILES = 3 };

typedef struct sal_export {
    int n;
    sal_export_file file[SAL_EXPORT_FILES];
} sal_export;

/* SAL_BADINPUT: an option that the format cannot follow */
sal_status sal_export_check(const sal_export_format *format, const sal_export_options *options,
                            sal_err *err);
/* SAL_BADINPUT: also where the motion, or its model, is none that the format can hold. To be
 * cleared whatever is returned. */
sal_status sal_result_export(sal_export *out, const sal_result *result,
                             const sal_export_format *format, const sal_export_options *options,
                             sal_err *err);
void sal_export_clear(sal_export *out);

/* So many whole periods of a cycle as an open motion, of a mirrored one both halves of each; its
 * contacts and forces are computed from the configurations. Its sensors have no values. *whole ==
 * NULL: that is what the result is already. SAL_BADINPUT: more than one period of an open motion.
 * The caller frees. */
sal_status sal_result_unroll(sal_result **whole, const sal_result *result, int cycles,
                             sal_err *err);

#endif
