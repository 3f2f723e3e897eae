/* Any lines as the words of a command line: a message, or arguments that a verb can work with. */
#include "cli/cli.h"
#include "cli/ranks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static FILE *nowhere;
static long said;

#undef stderr
#define stderr (said++, nowhere)
#include "cli/arguments.c" /* NOLINT(bugprone-suspicious-include): what is tried */
#include "cli/colour.c"    /* NOLINT(bugprone-suspicious-include): a word of it is read there */
#include "cli/verbs.c"     /* NOLINT(bugprone-suspicious-include): and its table */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

void cli_say(const char *format, ...)
{
    said += format[0] != 0;
}

int cli_started_ranks(void)
{
    return 1;
}

int cli_rank_threads(int available)
{
    return available;
}

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check(const cli_arguments *a)
{
    must(a->verb != NULL && a->nfile <= CLI_FILES_MAX && a->nthread >= 1 && a->nworker >= 0);
    must(a->shard >= 0 && a->shard < a->nshard && a->memory >= 0 && a->patience > 0);
    must(a->given[CLI_OPT_HELP] || a->given[CLI_OPT_VERSION] || a->nfile >= a->verb->least);
    for (int i = 0; i < a->nsetting; i++) {
        must(a->setting[i].path[0] != 0 && a->setting[i].value != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    enum { WORDS = 100 };
    char *text = malloc(length + 1), *argv[WORDS + 1];
    int argc = 0;
    nowhere = nowhere == NULL ? fopen("/dev/null", "w") : nowhere;
    if (text == NULL || nowhere == NULL) {
        free(text);
        return 0;
    }
    if (length > 0) {
        memcpy(text, data, length);
    }
    text[length] = 0;
    argv[argc++] = text + length;
    for (char *word = text; word != NULL && argc < WORDS;) {
        char *end = strchr(word, '\n');
        if (end != NULL) {
            *end++ = 0;
        }
        argv[argc++] = word;
        word = end;
    }
    argv[argc] = NULL;
    cli_arguments a;
    said = 0;
    if (cli_arguments_parse(&a, argc, argv)) {
        check(&a);
    } else {
        must(said > 0);
    }
    cli_arguments_free(&a);
    free(text);
    return 0;
}
