/* markdown.h: the tables of the problem language as Markdown, for the pages in docs/; private to
 * guide/. */
#ifndef SAL_GUIDE_MARKDOWN_H
#define SAL_GUIDE_MARKDOWN_H

#include "base/base.h"

/* The table of elements and attributes for docs/problem_file.md; that of sweep files for
 * docs/sweeps.md; the norms for docs/problem_file.md; which contact model to choose for
 * docs/contact_models.md. */
void gde_markdown_problem(sal_text *out);
void gde_markdown_sweep(sal_text *out);
void gde_markdown_norms(sal_text *out);
void gde_markdown_contact_models(sal_text *out);

#endif
