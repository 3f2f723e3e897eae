/* What a word of the language or of the command means; and the language as a schema. */
#include "cli/cli.h"

#include "guide/guide.h"

#include <string.h>

enum { TOPICS_MAX = 400, LINE = 96 };

static const struct {
    int code;
    const char *number, *meaning;
} exits[] = {
#define EXIT_ROW(code, number, meaning) {code, #number, meaning},
    CLI_EXIT_LIST(EXIT_ROW)
#undef EXIT_ROW
};

enum { NEXIT = sizeof exits / sizeof exits[0] };

/* The i-th of all topics: those of problem files, verbs, exit codes. */
static const char *topic(int i, const char **kind)
{
    int n = 0;
    for (; sal_topic(n, kind) != NULL; n++) {
        if (n == i) {
            return sal_topic(n, kind);
        }
    }
    i -= n;
    *kind = "verbs";
    for (n = 0; cli_verb_at(n) != NULL; n++) {
        if (n == i) {
            return cli_verb_at(n)->name;
        }
    }
    *kind = "exit codes";
    return i - n < NEXIT ? exits[i - n].number : NULL;
}

/* All topics, kind by kind. */
static void list(void)
{
    const char *kind, *before = "", *name;
    int column = 0;
    for (int i = 0; (name = topic(i, &kind)) != NULL; i++) {
        const int width = (int)strlen(name) + 2;
        if (strcmp(kind, before) != 0) {
            printf("%s%s\n", i > 0 ? "\n\n" : "", kind);
            column = 0;
        } else if (column + width > LINE) {
            putchar('\n');
            column = 0;
        }
        printf("  %s", name);
        column += width;
        before = kind;
    }
    printf("\n\n'saltus explain TOPIC' explains a topic; write an attribute of an element as "
           "element/attribute.\n");
}

static int unknown(const char *word)
{
    const char *names[TOPICS_MAX], *kind;
    size_t n = 0;
    while (n < TOPICS_MAX && (names[n] = topic((int)n, &kind)) != NULL) {
        n++;
    }
    const char *slash = strchr(word, '/');
    const char *nearest = sal_text_nearest(slash == NULL ? word : slash + 1, names, n);
    if (nearest != NULL) {
        cli_say("error: unknown topic '%.100s'; did you mean '%s'?", word, nearest);
    } else {
        cli_say("error: unknown topic '%.100s'; 'saltus explain' lists the topics", word);
    }
    return CLI_EXIT_USAGE;
}

int cli_explain(const cli_arguments *a)
{
    if (a->nfile == 0) {
        list();
        return CLI_EXIT_OK;
    }
    sal_text text = {0};
    const char *word = a->file[0];
    bool found = sal_topic_explain(&text, word);
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    const cli_verb *verb = cli_find_verb(word);
    if (verb != NULL) {
        cli_usage(stdout, verb);
        found = true;
    }
    for (int i = 0; i < NEXIT; i++) {
        if (strcmp(exits[i].number, word) == 0) {
            printf("exit code %s: %s\n", word, exits[i].meaning);
            found = true;
        }
    }
    return found ? code : unknown(word);
}

int cli_schema(const cli_arguments *a)
{
    sal_text text = {0};
    sal_schema(&text);
    const int code = cli_write(a, &text, a->value[CLI_OPT_OUTPUT]);
    sal_text_clear(&text);
    return code;
}
