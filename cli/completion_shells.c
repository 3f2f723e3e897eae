/* completion_shells.c: what bash, zsh and fish read, in the language of each. */
#include "cli/completion.h"

#include <string.h>

/* f for each option of the verb */
static void each_option(sal_text *out, const cli_verb *verb,
                        void (*f)(sal_text *out, const cli_verb *verb, int option))
{
    for (int i = 0; i < CLI_NOPTION; i++) {
        if (verb->takes[i]) {
            f(out, verb, i);
        }
    }
}

/* `text` with `mark` before each character that is one of `marked`; a ' ends the quotes that the
 * shell has around it, and begins them again. */
static void put_marked(sal_text *out, const char *text, const char *marked, const char *mark)
{
    for (; *text != 0; text++) {
        if (*text == '\'') {
            sal_text_add(out, "'\\''");
            continue;
        }
        sal_text_add(out, strchr(marked, *text) == NULL ? "" : mark);
        sal_text_addn(out, text, 1);
    }
}

/* ---- bash ---- */

static void bash_kind(sal_text *out, cli_completion_kind kind)
{
    switch (kind.word) {
    case CLI_WORD_FILE:
        sal_text_format(out, "_saltus_files %s", kind.list);
        break;
    case CLI_WORD_FOLDER:
        sal_text_add(out, "_saltus_folders");
        break;
    case CLI_WORD_CHOICE:
        sal_text_format(out, "_saltus_words '%s'", kind.list);
        break;
    case CLI_WORD_ANY:
        sal_text_add(out, "return");
        break;
    }
    sal_text_add(out, " ;;\n");
}

static void bash_value(sal_text *out, const cli_verb *verb, int option)
{
    sal_text text = {0};
    if (cli_option_at(option)->value != NULL) {
        sal_text_format(out, "    %s:%s) ", verb->name, cli_option_at(option)->name);
        bash_kind(out, cli_kind_of_value(verb, option, &text));
    }
    sal_text_clear(&text);
}

static void bash_option(sal_text *out, const cli_verb *verb, int option)
{
    (void)verb;
    sal_text_format(out, " %s", cli_option_at(option)->name);
}

void cli_complete_bash(sal_text *out)
{
    sal_text text = {0};
    const cli_verb *verb;
    sal_text_add(out,
                 "# bash completion of saltus; written by `saltus completion bash`\n"
                 "_saltus_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
                 "_saltus_folders() {\n"
                 "    compopt -o filenames 2>/dev/null\n"
                 "    mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
                 "}\n"
                 "# with one of these endings, or any; and folders\n"
                 "_saltus_files() {\n"
                 "    compopt -o filenames 2>/dev/null\n"
                 "    mapfile -t COMPREPLY < <(\n"
                 "        compgen -d -- \"$cur\"\n"
                 "        (($#)) || compgen -f -- \"$cur\"\n"
                 "        for ending in \"$@\"; do compgen -f -X \"!*.$ending\" -- \"$cur\"; done\n"
                 "    )\n"
                 "}\n"
                 "_saltus() {\n"
                 "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
                 "verb= i\n"
                 "    COMPREPLY=()\n"
                 "    for ((i = 1; i < COMP_CWORD && ${#verb} == 0; i++)); do\n"
                 "        [[ ${COMP_WORDS[i]} == -* ]] || verb=${COMP_WORDS[i]}\n"
                 "    done\n"
                 "    case $verb:$prev in\n    :*) _saltus_words '");
    for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
        sal_text_format(out, "%s ", verb->name);
    }
    sal_text_add(out, "--help --version'; return ;;\n");
    for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
        each_option(out, verb, bash_value);
    }
    sal_text_add(out, "    *)\n        case $verb:$cur in\n");
    for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
        sal_text_format(out, "        %s:-*) _saltus_words '", verb->name);
        each_option(out, verb, bash_option);
        sal_text_format(out, "' ;;\n        %s:*) ", verb->name);
        bash_kind(out, cli_kind_of_files(verb, &text));
    }
    sal_text_add(out, "        esac ;;\n    esac\n}\ncomplete -F _saltus saltus\n");
    sal_text_clear(&text);
}

/* ---- zsh ---- */

/* What stands behind the last colon of an argument of _arguments, within quotes */
static void zsh_kind(sal_text *out, cli_completion_kind kind)
{
    switch (kind.word) {
    case CLI_WORD_FILE:
        sal_text_add(out, kind.list[0] == 0 ? "_files" : "_files -g \"*.(");
        for (const char *c = kind.list; *c != 0; c++) {
            sal_text_addn(out, *c == ' ' ? "|" : c, 1);
        }
        sal_text_add(out, kind.list[0] == 0 ? "" : ")(-.)\"");
        break;
    case CLI_WORD_FOLDER:
        sal_text_add(out, "_files -/");
        break;
    case CLI_WORD_CHOICE:
        sal_text_format(out, "(%s)", kind.list);
        break;
    case CLI_WORD_ANY:
        sal_text_add(out, " ");
        break;
    }
    sal_text_add(out, "'");
}

static void zsh_option(sal_text *out, const cli_verb *verb, int option)
{
    sal_text text = {0};
    const cli_option_row *row = cli_option_at(option);
    const bool repeated = option == CLI_OPT_SET || option == CLI_OPT_WHERE;
    sal_text_format(out, " \\\n            '%s%s[", repeated ? "*" : "", row->name);
    put_marked(out, row->doc, "[]:\\", "\\");
    sal_text_add(out, "]");
    if (row->value != NULL) {
        sal_text_add(out, ":");
        put_marked(out, row->value, ":\\", "\\");
        sal_text_add(out, ":");
        zsh_kind(out, cli_kind_of_value(verb, option, &text));
    } else {
        sal_text_add(out, "'");
    }
    sal_text_clear(&text);
}

void cli_complete_zsh(sal_text *out)
{
    sal_text text = {0};
    const cli_verb *verb;
    sal_text_add(out, "#compdef saltus\n# written by `saltus completion zsh`\n"
                      "_saltus() {\n"
                      "    local -a verbs\n"
                      "    verbs=(\n");
    for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
        sal_text_format(out, "        '%s:", verb->name);
        put_marked(out, verb->doc, ":\\", "\\");
        sal_text_add(out, "'\n");
    }
    sal_text_add(out, "    )\n"
                      "    if ((CURRENT == 2)); then\n"
                      "        _describe -t verbs verb verbs\n"
                      "        return\n"
                      "    fi\n"
                      "    shift words\n"
                      "    ((CURRENT--))\n"
                      "    case $words[1] in\n");
    for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
        sal_text_format(out, "    %s)\n        _arguments", verb->name);
        each_option(out, verb, zsh_option);
        if (verb->most > 0) {
            sal_text_format(out, " \\\n            '*:%s:", verb->files);
            zsh_kind(out, cli_kind_of_files(verb, &text));
        }
        sal_text_add(out, " ;;\n");
    }
    sal_text_add(out, "    esac\n}\n_saltus \"$@\"\n");
    sal_text_clear(&text);
}

/* ---- fish ---- */

/* -x: it takes a value that is no file, unless -F says so; -f: no files are offered */
static void fish_kind(sal_text *out, cli_completion_kind kind)
{
    switch (kind.word) {
    case CLI_WORD_FILE:
        sal_text_format(out, kind.list[0] == 0 ? " -F" : " -k -a '(_saltus_files %s)'", kind.list);
        break;
    case CLI_WORD_FOLDER:
        sal_text_add(out, " -a '(__fish_complete_directories)'");
        break;
    case CLI_WORD_CHOICE:
        sal_text_format(out, " -a '%s'", kind.list);
        break;
    case CLI_WORD_ANY:
        break;
    }
}

static void fish_option(sal_text *out, const cli_verb *verb, int option)
{
    sal_text text = {0};
    const cli_option_row *row = cli_option_at(option);
    const bool word = row->name[1] == '-';
    sal_text_format(out, "complete -c saltus -n '__fish_seen_subcommand_from %s' -%c %s -d '",
                    verb->name, word ? 'l' : 's', row->name + (word ? 2 : 1));
    put_marked(out, row->doc, "\\", "\\");
    sal_text_add(out, "'");
    if (row->value != NULL) {
        const cli_completion_kind kind = cli_kind_of_value(verb, option, &text);
        sal_text_add(out, kind.word == CLI_WORD_FILE && kind.list[0] == 0 ? " -r" : " -x");
        fish_kind(out, kind);
    }
    sal_text_add(out, "\n");
    sal_text_clear(&text);
}

void cli_complete_fish(sal_text *out)
{
    sal_text text = {0};
    const cli_verb *verb;
    sal_text_add(out, "# fish completion of saltus; written by `saltus completion fish`\n"
                      "# files with one of these endings, and folders\n"
                      "function _saltus_files\n"
                      "    for ending in $argv\n"
                      "        __fish_complete_suffix .$ending\n"
                      "    end | string match -r \"(?:/|\\\\.(?:\"(string join '|' $argv)\"))"
                      "(?:\\t.*)?\\$\" -e | sort -u\n"
                      "end\n"
                      "complete -c saltus -f\n"
                      "complete -c saltus -n __fish_use_subcommand -l version -d 'show the "
                      "version'\n");
    for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
        sal_text_format(out, "complete -c saltus -n __fish_use_subcommand -a %s -d '", verb->name);
        put_marked(out, verb->doc, "\\", "\\");
        sal_text_add(out, "'\n");
        each_option(out, verb, fish_option);
        if (verb->most > 0) {
            sal_text_format(out, "complete -c saltus -n '__fish_seen_subcommand_from %s'",
                            verb->name);
            fish_kind(out, cli_kind_of_files(verb, &text));
            sal_text_add(out, "\n");
        }
    }
    sal_text_clear(&text);
}
