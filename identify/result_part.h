/* result_part.h: what was identified, as a part of the result of a motion; private to identify/ */
#ifndef SAL_IDENTIFY_RESULT_PART_H
#define SAL_IDENTIFY_RESULT_PART_H

#include "identify/identify.h"
#include "problems/result/part.h"

/* Makes `found` a part of the result, which frees it. */
void idn_result_attach(sal_result *r, sal_identification_result *found);
/* That part, to be filled or changed; NULL: the result has none. */
sal_identification_result *idn_result_part(const sal_result *r);

/* ---- what a result does with it (problems/result/part.h) ---- */

/* result_hdf5.c: /parameter, /local, /channel, /recording; identified_xml of /provenance. */
void idn_result_store(sig_h5 *f, const sal_model *m, void **part);
/* figures.c */
sal_status idn_result_figures(const sal_result *r, sal_figure **figure, int *n, sal_err *err);
/* compare.c */
void idn_result_compare(prb_comparison *c, const void *first, const void *second);

/* As prb_figure_names (figures.c). */
void idn_figure_names(sal_text *names, const sal_identification *i);

#endif
