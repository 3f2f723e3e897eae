/* completion.c: what the words of a command line may be. The tables of verbs and options say which
 * words there are; here stands what they name. */
#include "cli/completion.h"

#include "guide/guide.h"

#include <string.h>

#define SIGNALS  "csv sto mot trc bvh json npz pkl h5 mat c3d"
#define MARKERS  "trc c3d"
#define XML      "xml"
#define MODELS   "xml urdf"
#define RESULTS  "h5"
#define ANYTHING "xml urdf h5"
#define FORCES   "mot sto csv c3d h5"
#define A(x)     CLI_WORD_##x

static const cli_completion_kind files_of_verb[CLI_NVERB] = {
    [CLI_VERB_SOLVE] = {A(FILE), XML},
    [CLI_VERB_HARDEN] = {A(FILE), RESULTS},
    [CLI_VERB_PREDICT] = {A(FILE), "xml h5"},
    [CLI_VERB_SWEEP] = {A(FILE), XML},
    [CLI_VERB_NEW] = {A(FILE), MODELS},
    [CLI_VERB_FOLLOW] = {A(FILE), SIGNALS},
    [CLI_VERB_PERSON] = {A(FILE), MARKERS},
    [CLI_VERB_CHECK] = {A(FILE), MODELS},
    [CLI_VERB_INFO] = {A(FILE), ANYTHING},
    [CLI_VERB_CONVERT] = {A(FILE), MODELS},
    [CLI_VERB_IMPORT] = {A(FILE), SIGNALS},
    [CLI_VERB_INVERSE] = {A(FILE), "xml urdf csv"},
    [CLI_VERB_SIMULATE] = {A(FILE), MODELS},
    [CLI_VERB_REPLAY] = {A(FILE), RESULTS},
    [CLI_VERB_EXPORT] = {A(FILE), RESULTS},
    [CLI_VERB_REPORT] = {A(FILE), RESULTS},
    [CLI_VERB_DIFF] = {A(FILE), ANYTHING},
    [CLI_VERB_TABLE] = {A(FOLDER), ""},
    [CLI_VERB_COMPLETION] = {A(CHOICE), "bash zsh fish"},
};

static const cli_completion_kind values_of_option[CLI_NOPTION] = {
    [CLI_OPT_OUTPUT] = {A(FILE), ""},         [CLI_OPT_COMPAT] = {A(CHOICE), "3.14 3.12 2.2.2"},
    [CLI_OPT_CONTROLS] = {A(FILE), "csv"},    [CLI_OPT_INTERPOLATE] = {A(CHOICE), "hold linear"},
    [CLI_OPT_MODEL] = {A(FILE), MODELS},      [CLI_OPT_TIMESTEP] = {A(CHOICE), "model"},
    [CLI_OPT_CONTACT] = {A(CHOICE), "model"}, [CLI_OPT_STATIC] = {A(FILE), MARKERS},
    [CLI_OPT_MARKERS] = {A(FILE), "csv"},     [CLI_OPT_PROBLEM] = {A(FILE), XML},
    [CLI_OPT_ROBOT] = {A(FILE), MODELS},      [CLI_OPT_PERSON] = {A(FILE), MODELS},
    [CLI_OPT_PLATES] = {A(FILE), FORCES},     [CLI_OPT_COLOR] = {A(CHOICE), "auto always never"},
};

static void put_word(sal_text *text, const char *word)
{
    sal_text_format(text, "%s%s", text->length > 0 ? " " : "", word);
}

static cli_completion_kind choice(const sal_text *text)
{
    return (cli_completion_kind){CLI_WORD_CHOICE, text->failed ? "" : text->data};
}

cli_completion_kind cli_kind_of_files(const cli_verb *verb, sal_text *text)
{
    const cli_verb_id id = cli_id_of_verb(verb);
    const char *kind;
    text->length = 0;
    if (id == CLI_VERB_HELP || id == CLI_VERB_MANUAL || id == CLI_VERB_EXPLAIN) {
        for (int i = 0; id == CLI_VERB_EXPLAIN && sal_topic(i, &kind) != NULL; i++) {
            put_word(text, sal_topic(i, &kind));
        }
        for (int i = 0; cli_verb_at(i) != NULL; i++) {
            put_word(text, cli_verb_at(i)->name);
        }
        return choice(text);
    }
    return files_of_verb[id];
}

cli_completion_kind cli_kind_of_value(const cli_verb *verb, int option, sal_text *text)
{
    const cli_verb_id id = cli_id_of_verb(verb);
    text->length = 0;
    if (option == CLI_OPT_FORMAT) {
        return (cli_completion_kind){CLI_WORD_CHOICE,
                                     id == CLI_VERB_TABLE ? "csv json md" : SIGNALS};
    }
    if (option == CLI_OPT_TO) {
        for (int i = 0; cli_export_format_name(i) != NULL; i++) {
            put_word(text, cli_export_format_name(i));
        }
        return choice(text);
    }
    if (option == CLI_OPT_TASK) {
        for (int i = 0; sal_draft_task(i, NULL) != NULL; i++) {
            put_word(text, sal_draft_task(i, NULL));
        }
        return choice(text);
    }
    if (option == CLI_OPT_CONTACTMODEL) {
        for (int i = 0; sal_contact_model_name(i) != NULL; i++) {
            put_word(text, sal_contact_model_name(i));
        }
        return choice(text);
    }
    return values_of_option[option];
}

int cli_completion(const cli_arguments *a)
{
    static const struct {
        const char *name;
        void (*write)(sal_text *out);
    } shells[] = {
        {"bash", cli_complete_bash}, {"zsh", cli_complete_zsh}, {"fish", cli_complete_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(shells[i].name, a->file[0]) == 0) {
            sal_text text = {0};
            shells[i].write(&text);
            const int code = cli_write(a, &text, a->value[CLI_OPT_OUTPUT]);
            sal_text_clear(&text);
            return code;
        }
    }
    cli_say("error: the shell must be bash, zsh or fish; it is '%.100s'", a->file[0]);
    return CLI_EXIT_USAGE;
}
