/* person.c: saltus person. */
#include "cli/cli.h"
#include "people/people.h"

#include <string.h>

static void say_notes(const cli_arguments *a, const sal_text *notes)
{
    for (const char *line = notes->data; line != NULL && *line != 0 && !a->given[CLI_OPT_QUIET];) {
        const int n = (int)strcspn(line, "\n");
        cli_say("%.*s", n, line);
        line += n + 1;
    }
}

int cli_person(const cli_arguments *a)
{
    const sal_person_request request = {.trial = a->file,
                                        .ntrial = a->nfile,
                                        .standing = a->value[CLI_OPT_STATIC],
                                        .names = a->value[CLI_OPT_MARKERS],
                                        .mass = a->mass,
                                        .height = a->height};
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    if (!a->given[CLI_OPT_MASS]) {
        cli_say("error: 'person' needs the mass of the person; add --mass KG");
        return CLI_EXIT_USAGE;
    }
    int code = cli_check_output(a);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status = sal_person_model(&model, &notes, &request, &diag, &err);
    code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK) {
        say_notes(a, &notes);
        code = cli_write(a, &model, a->value[CLI_OPT_OUTPUT]);
    }
    sal_text_clear(&model);
    sal_text_clear(&notes);
    return code;
}
