/* formats.h: one function for each format; private to exports/. Each fills the files of `out` that
 * the table of export.c gives it. */
#ifndef SAL_EXPORTS_FORMATS_H
#define SAL_EXPORTS_FORMATS_H

#include "exports/frames.h"

#include "runs/runs.h"
#include "signals/npz_write.h"

/* mjlab.c */
sal_status exp_write_mjlab(sal_export *out, const sal_result *r, const sal_export_options *options,
                           sal_err *err);
sal_status exp_write_beyondmimic(sal_export *out, const sal_result *r,
                                 const sal_export_options *options, sal_err *err);
/* arrays.c */
sal_status exp_write_arrays(sal_export *out, const sal_result *r, const sal_export_options *options,
                            sal_err *err);
/* unitree.c */
sal_status exp_write_unitree(sal_export *out, const sal_result *r,
                             const sal_export_options *options, sal_err *err);
/* opensim.c: states, or coordinates; moments; ground forces */
sal_status exp_write_states(sal_export *out, const sal_result *r, const sal_export_options *options,
                            sal_err *err);
sal_status exp_write_motion(sal_export *out, const sal_result *r, const sal_export_options *options,
                            sal_err *err);
/* gltf.c */
sal_status exp_write_gltf(sal_export *out, const sal_result *r, const sal_export_options *options,
                          sal_err *err);
/* ros.c */
sal_status exp_write_ros(sal_export *out, const sal_result *r, const sal_export_options *options,
                         sal_err *err);
/* keyframe.c */
sal_status exp_write_keyframe(sal_export *out, const sal_result *r,
                              const sal_export_options *options, sal_err *err);
/* bvh.c */
sal_status exp_write_bvh(sal_export *out, const sal_result *r, const sal_export_options *options,
                         sal_err *err);

/* ---- the gains of steps (gain.c) ---- */

typedef struct exp_gain {
    sal_gains *gains;
    const sal_result *given;
    /* [nu x n] two, and a row [n] */
    double *here, *there, *row;
} exp_gain;

/* To be cleared whatever is returned. */
sal_status exp_gain_new(exp_gain *g, const sal_result *given, sal_err *err);
void exp_gain_clear(exp_gain *g);
/* [nu x n] of step t of the motion, however many periods after the result's; good until the next
 * call. */
const double *exp_gain_at(exp_gain *g, int t);
/* The number of deviations, n */
int exp_gain_count(const exp_gain *g);

#endif
