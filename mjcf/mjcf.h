/* mjcf.h: mechanisms as MJCF says them: read and compiled into a model, written again, and the same
 * model with other numbers. */
#ifndef SAL_MJCF_H
#define SAL_MJCF_H

#include "base/base.h"
#include "physics/physics.h"

SAL_BEGIN_C

/* an override: see sal_xml_set_path */
typedef struct sal_setting {
    const char *path;
    const char *value;
} sal_setting;

typedef struct sal_load_options {
    sal_mujoco mujoco;
    /* [nsetting], applied in order before the file is understood */
    const sal_setting *setting;
    int nsetting;
    /* [nsetting] where each is written, for messages; NULL: nowhere */
    const sal_place *place;
    /* also warn of what will hurt optimization */
    bool advise;
} sal_load_options;

/* Reads MJCF and compiles it. options may be NULL. All faults of the file go to diag; SAL_BADPATH
 * if `path` cannot be read. The caller frees. */
SAL_API sal_status sal_model_load(sal_model **m, const char *path, const sal_load_options *options,
                                  sal_diag *diag, sal_err *err);
/* The same from memory; includes are looked up beside `name`. */
SAL_API sal_status sal_model_parse(sal_model **m, const char *name, const char *xml, size_t length,
                                   const sal_load_options *options, sal_diag *diag, sal_err *err);
/* The model as one flat MJCF file that loads alone in MuJoCo and moves the same. */
SAL_API sal_status sal_model_write(const sal_model *m, sal_text *out, sal_err *err);

/* A model's file, MJCF or URDF, as one flat MJCF file without classes, includes and other files: it
 * loads as the same model here and in MuJoCo. Left out is what is only drawn. Arguments and errors
 * as of sal_model_load. */
SAL_API sal_status sal_model_convert(sal_text *out, const char *path,
                                     const sal_load_options *options, sal_diag *diag, sal_err *err);
/* A URDF file as MJCF, element by element, as that version of MuJoCo reads it: its warnings are
 * left out. */
SAL_API sal_status sal_urdf_convert(sal_text *out, const char *path, sal_mujoco mujoco,
                                    sal_err *err);

/* ---- the same model with other numbers (remodel.c, remodel_find.c) ---- */

/* A model file in memory, some of whose numbers are loose. One thread at a time; copies are
 * independent. */
typedef struct sal_remodel sal_remodel;
/* Of a file's text as in sal_model_parse. SAL_BADINPUT with the first fault. The caller frees. */
SAL_API sal_status sal_remodel_new(sal_remodel **r, const char *name, const char *xml,
                                   size_t length, const sal_load_options *options, sal_err *err);
SAL_API sal_status sal_remodel_copy(sal_remodel **copy, const sal_remodel *r, sal_err *err);
SAL_API void sal_remodel_free(sal_remodel *r);
/* Makes the numbers of an attribute loose, in the file's units: its number among the loose ones.
 * The path is that of an override; besides
 *     body[NAME]/mass      the inertia keeps its ratio to it
 *     body[NAME]/com       in the body's frame
 *     body[NAME]/inertia   mass, centre of mass 3, inertia about it in the body's axes xx yy zz xy
 *                          xz yz
 * SAL_BADINPUT, with a suggestion, where there is no such thing. */
SAL_API sal_status sal_remodel_loosen(sal_remodel *r, const char *path, int *id, sal_err *err);
typedef struct sal_loose {
    const char *path;
    sal_loose_kind kind;
    /* numbers it has */
    int n;
    /* the first ones, that the file says, or that MJCF asks for */
    int said;
    /* the first ones, that are written */
    int given;
    /* [n] now */
    const double *value;
    /* [n]; NaN: not a number that the file or a default says */
    const double *nominal;
    /* fewer cannot be given */
    int least;
    /* lengths along axes: one number may stand for all */
    bool alike;
    /* no number is less; -inf */
    double lower;
    /* "" where it depends */
    const char *unit;
} sal_loose;
SAL_API sal_loose sal_remodel_loose(const sal_remodel *r, int id);
SAL_API int sal_remodel_count(const sal_remodel *r);
/* At least the first n numbers will be written; else those said. */
SAL_API void sal_remodel_write_first(sal_remodel *r, int id, int n);
SAL_API void sal_remodel_set(sal_remodel *r, int id, int k, double value);
/* m, made by sal_model_copy of any model of this file (or zeroed), becomes the model with the
 * numbers set: bit for bit that of a file which says them. SAL_DIVERGED, m unchanged, where no
 * model has these numbers. */
SAL_API sal_status sal_remodel_make(sal_remodel *r, sal_model *m, sal_err *err);
/* The model with the file's own numbers. */
SAL_API const sal_model *sal_remodel_nominal(const sal_remodel *r);

SAL_END_C

#endif
