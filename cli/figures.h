/* figures.h: private to cli. Named figures, as lines for people or as members of a JSON object. */
#ifndef SAL_FIGURES_H
#define SAL_FIGURES_H

#include "cli/cli.h"

typedef struct sal_figures {
    sal_text text;
    sal_json json;
    bool as_json;
} sal_figures;

/* Begin with sal_figures_begin, end with sal_figures_print, which shows and releases. */
void sal_figures_begin(sal_figures *f, bool as_json);
void sal_figures_number(sal_figures *f, const char *name, double value, const char *unit);
void sal_figures_integer(sal_figures *f, const char *name, long long value);
void sal_figures_text(sal_figures *f, const char *name, const char *value);
int sal_figures_print(sal_figures *f, const sal_arguments *a);

/* What is to be said about each kind of file. */
void sal_figures_model(sal_figures *f, const sal_model *m);
/* Everything that a model has, in tables (objects.c). */
void sal_figures_objects(sal_figures *f, const sal_model *m);
void sal_figures_problem(sal_figures *f, const sal_problem *p);

#endif
