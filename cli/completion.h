/* completion.h: private to cli. What a word of the command line may be, for shells that complete
 * it. */
#ifndef SAL_CLI_COMPLETION_H
#define SAL_CLI_COMPLETION_H

#include "cli/cli.h"

typedef enum cli_word {
    /* whatever it is: a number, a name */
    CLI_WORD_ANY,
    /* a file with one of the endings, any file where there are none; or a folder, on the way */
    CLI_WORD_FILE,
    CLI_WORD_FOLDER,
    /* one of the words */
    CLI_WORD_CHOICE
} cli_word;

typedef struct cli_completion_kind {
    cli_word word;
    /* endings without the point, or words, with blanks between */
    const char *list;
} cli_completion_kind;

/* What the files of a verb are, and the values of an option of it (completion.c). `text` holds
 * words that are put together. */
cli_completion_kind cli_kind_of_files(const cli_verb *verb, sal_text *text);
cli_completion_kind cli_kind_of_value(const cli_verb *verb, int option, sal_text *text);

/* What a shell reads (completion_shells.c) */
void cli_complete_bash(sal_text *out);
void cli_complete_zsh(sal_text *out);
void cli_complete_fish(sal_text *out);

#endif
