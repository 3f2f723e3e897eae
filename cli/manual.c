/* manual.c: manual pages, in the language of man(7), from the tables of verbs, options and exit
 * codes: what `saltus help` says, as man shows it. */
#include "cli/cli.h"
#include "cli/date.h"

#include <ctype.h>
#include <string.h>

enum { WIDTH = 72 }; /* of a line of the page's source, but for what its last word adds */

/* ---- text ---- */

/* One character: those that man(7) reads as a command or as a typographic sign are written so that
 * they come out as they are. A hyphen that begins a word is that of an option. */
static void put_letter(sal_text *out, char c, bool begins)
{
    switch (c) {
    case '\\':
        sal_text_add(out, "\\e");
        break;
    case '-':
        sal_text_add(out, begins ? "\\-" : "-");
        break;
    case '`':
    case '\'':
        sal_text_add(out, "\\(aq");
        break;
    case '~':
        sal_text_add(out, "\\(ti");
        break;
    case '^':
        sal_text_add(out, "\\(ha");
        break;
    default:
        sal_text_addn(out, &c, 1);
    }
}

static void put_word(sal_text *out, const char *word, size_t n)
{
    bool begins = true;
    if (word[0] == '.') {
        sal_text_add(out, "\\&"); /* no command */
    }
    for (size_t i = 0; i < n; i++) {
        put_letter(out, word[i], begins);
        begins = begins && !isalnum((unsigned char)word[i]);
    }
}

/* Words that man fills lines with, up to a newline or the end. */
static void put_filled(sal_text *out, const char *text)
{
    size_t column = 0;
    while (*text != 0 && *text != '\n') {
        const size_t n = strcspn(text, " \n");
        const size_t from = out->length;
        if (column > 0) {
            sal_text_add(out, column + 1 + n > WIDTH ? "\n" : " ");
            column = column + 1 + n > WIDTH ? 0 : column;
        }
        put_word(out, text, n);
        column += out->length - from;
        text += n + strspn(text + n, " ");
    }
    sal_text_add(out, "\n");
}

/* In bold (B) or italic (I) letters */
static void put_font(sal_text *out, char font, const char *word)
{
    sal_text_format(out, "\\f%c", font);
    for (size_t i = 0; word[i] != 0; i++) {
        put_letter(out, word[i], word[i] == '-');
    }
    sal_text_add(out, "\\fR");
}

static void put_item(sal_text *out, const char *name, const char *value, const char *doc)
{
    sal_text_add(out, ".TP\n");
    put_font(out, 'B', name);
    if (value != NULL && value[0] != 0) {
        sal_text_add(out, " ");
        put_font(out, 'I', value);
    }
    sal_text_add(out, "\n");
    put_filled(out, doc);
}

/* Where a line is a name and what it means, with blanks between ("csv          a table"): the
 * length of the name; else 0. */
static size_t name_length(const char *line)
{
    const size_t n = strcspn(line, "\n");
    for (size_t i = 1; i + 2 < n && i < 14; i++) {
        if (line[i] == ' ' && line[i + 1] == ' ') {
            return i;
        }
    }
    return 0;
}

/* The lines of a verb's help. Items, what follows them, and what is said of an option stand on
 * their own; other lines follow each other. */
static void put_help(sal_text *out, const char *text)
{
    bool item = true;
    while (*text != 0) {
        const size_t n = name_length(text);
        char name[20];
        if (n > 0) {
            snprintf(name, sizeof name, "%.*s", (int)n, text);
            put_item(out, name, NULL, text + n + strspn(text + n, " "));
        } else {
            if (item || strncmp(text, "--", 2) == 0) {
                sal_text_add(out, ".PP\n");
            }
            put_filled(out, text);
        }
        item = n > 0;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* ---- sections ---- */

/* title and section, day, source, book; words are not parted, lines may be of any length */
static void put_head(sal_text *out, const char *name)
{
    sal_text_add(out, ".TH \"");
    for (const char *c = name; *c != 0; c++) {
        put_letter(out, (char)toupper((unsigned char)*c), *c == '-');
    }
    sal_text_format(out, "\" 1 %s \"saltus %s\" \"saltus manual\"\n.nh\n.ad l\n", CLI_DATE,
                    sal_version());
}

static void put_name(sal_text *out, const char *name, const char *doc)
{
    sal_text_add(out, ".SH NAME\n");
    for (const char *c = name; *c != 0; c++) {
        put_letter(out, *c, *c == '-');
    }
    sal_text_add(out, " \\-\n");
    put_filled(out, doc);
}

static void put_exits(sal_text *out)
{
    sal_text_add(out, ".SH EXIT STATUS\n");
#define EXIT_ITEM(code, number, meaning) put_item(out, #number, NULL, meaning);
    CLI_EXIT_LIST(EXIT_ITEM)
#undef EXIT_ITEM
}

/* Lines as they are */
static void put_example(sal_text *out, const char *text)
{
    sal_text_add(out, ".SH EXAMPLES\n.nf\n");
    bool begins = true;
    for (; *text != 0; text++) {
        put_letter(out, *text, begins && *text == '-');
        begins = *text == ' ' || *text == '-';
    }
    sal_text_add(out, "\n.fi\n");
}

/* All pages but that of `but`, or but the first where that is NULL */
static void put_others(sal_text *out, const cli_verb *but)
{
    sal_text_add(out, ".SH SEE ALSO\n");
    if (but != NULL) {
        sal_text_add(out, ".BR saltus (1),\n");
    }
    const char *between = "";
    for (int i = 0; cli_verb_at(i) != NULL; i++) {
        if (cli_verb_at(i) != but) {
            sal_text_format(out, "%s.BR saltus\\-%s (1)", between, cli_verb_at(i)->name);
            between = ",\n";
        }
    }
    sal_text_add(out, "\n");
}

/* ---- pages ---- */

static void put_synopsis(sal_text *out, const cli_verb *verb)
{
    sal_text_format(out, ".SH SYNOPSIS\n.B saltus %s\n", verb->name);
    if (verb->files[0] != 0) {
        put_font(out, 'I', verb->files);
        sal_text_add(out, "\n");
    }
    for (int i = 0; i < CLI_NOPTION; i++) {
        const cli_option_row *row = cli_option_at(i);
        if (verb->takes[i]) {
            sal_text_add(out, "[");
            put_font(out, 'B', row->name);
            sal_text_add(out, row->value == NULL ? "" : "\\ ");
            put_font(out, 'I', row->value == NULL ? "" : row->value);
            sal_text_add(out, "]\n");
        }
    }
}

/* takes [CLI_NOPTION] */
static void put_options(sal_text *out, const bool *takes)
{
    sal_text_add(out, ".SH OPTIONS\n");
    for (int i = 0; i < CLI_NOPTION; i++) {
        const cli_option_row *row = cli_option_at(i);
        if (takes[i]) {
            put_item(out, row->name, row->value, row->doc);
        }
    }
}

static void put_verb_page(sal_text *out, const cli_verb *verb)
{
    char name[40];
    snprintf(name, sizeof name, "saltus-%s", verb->name);
    put_head(out, name);
    put_name(out, name, verb->doc);
    put_synopsis(out, verb);
    sal_text_add(out, ".SH DESCRIPTION\n");
    sal_text_format(out, "This verb of\n.BR saltus (1)\nserves to\n");
    put_filled(out, verb->doc);
    out->length -= !out->failed; /* the newline: the sentence ends here */
    sal_text_add(out, ".\n");
    if (verb->more != NULL) {
        put_help(out, verb->more);
    }
    put_options(out, verb->takes);
    put_exits(out);
    put_example(out, verb->example);
    put_others(out, verb);
}

static void put_first_page(sal_text *out)
{
    static const bool common[CLI_NOPTION] = {[CLI_OPT_QUIET] = true,
                                             [CLI_OPT_VERBOSE] = true,
                                             [CLI_OPT_COLOR] = true,
                                             [CLI_OPT_HELP] = true,
                                             [CLI_OPT_VERSION] = true};
    put_head(out, "saltus");
    put_name(out, "saltus", "trajectory optimization through contact");
    sal_text_add(out, ".SH SYNOPSIS\n.B saltus\n.I VERB ARGUMENTS\n[\\fIOPTIONS\\fR]\n"
                      ".SH DESCRIPTION\n");
    put_filled(out, "saltus computes motions of mechanisms that touch the world. A model (MJCF) "
                    "describes the mechanism, a problem file the task. The verbs are these; each "
                    "has a page of its own.");
    for (int i = 0; cli_verb_at(i) != NULL; i++) {
        put_item(out, cli_verb_at(i)->name, cli_verb_at(i)->files, cli_verb_at(i)->doc);
    }
    sal_text_add(out, ".PP\n");
    put_filled(out, "Options may stand at any place of the command line; -- ends them. A path - is "
                    "standard input or standard output. Results go to standard output, messages to "
                    "standard error.");
    put_options(out, common);
    put_exits(out);
    sal_text_add(out, ".SH ENVIRONMENT\n");
    put_item(out, "NO_COLOR", NULL,
             "where it is set, messages have no colours without --color=always");
    put_example(out, "saltus new robot.xml --task walk --speed 1 -o walk.xml\n"
                     "saltus solve walk.xml\n"
                     "saltus report walk.saltus");
    put_others(out, NULL);
}

int cli_manual(const cli_arguments *a)
{
    const cli_verb *verb = a->nfile == 0 ? NULL : cli_find_verb(a->file[0]);
    if (a->nfile > 0 && verb == NULL) {
        return cli_refuse_verb(a->file[0]);
    }
    sal_text text = {0};
    if (verb == NULL) {
        put_first_page(&text);
    } else {
        put_verb_page(&text, verb);
    }
    const int code = cli_write(a, &text, a->value[CLI_OPT_OUTPUT]);
    sal_text_clear(&text);
    return code;
}
