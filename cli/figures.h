/* figures.h: private to cli. Named figures, as lines for people or as members of a JSON object. */
#ifndef SAL_CLI_FIGURES_H
#define SAL_CLI_FIGURES_H

#include "cli/cli.h"

typedef struct cli_figures {
    sal_text text;
    sal_json json;
    bool as_json;
} cli_figures;

/* Begin with cli_figures_begin, end with cli_figures_print, which shows and releases. */
void cli_figures_begin(cli_figures *f, bool as_json);
void cli_figures_number(cli_figures *f, const char *name, double value, const char *unit);
void cli_figures_integer(cli_figures *f, const char *name, long long value);
void cli_figures_text(cli_figures *f, const char *name, const char *value);
int cli_figures_print(cli_figures *f, const cli_arguments *a);

/* What is to be said about each kind of file. */
void cli_figures_model(cli_figures *f, const sal_model *m);
/* Everything that a model has, in tables (objects.c). */
void cli_figures_objects(cli_figures *f, const sal_model *m);
void cli_figures_request(cli_figures *f, const sal_request *request);

#endif
