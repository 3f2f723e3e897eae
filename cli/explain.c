/* What a word of the language or of the command means. */
#include "cli/cli.h"

#include <string.h>

enum { TOPICS_MAX = 400, LINE = 96 };

static const struct {
    int code;
    const char *number, *meaning;
} exits[] = {
#define EXIT_ROW(code, number, meaning) {code, #number, meaning},
    SAL_EXIT_LIST(EXIT_ROW)
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
    for (n = 0; sal_cli_verb(n) != NULL; n++) {
        if (n == i) {
            return sal_cli_verb(n)->name;
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
    printf("\n\n'saltus explain TOPIC' says more; an attribute of one element is TOPIC "
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
        sal_cli_say("error: nothing is known about '%.100s'; did you mean '%s'?", word, nearest);
    } else {
        sal_cli_say("error: nothing is known about '%.100s'; 'saltus explain' lists the topics",
                    word);
    }
    return SAL_EXIT_USAGE;
}

int sal_cli_explain(const sal_arguments *a)
{
    if (a->nfile == 0) {
        list();
        return SAL_EXIT_OK;
    }
    sal_text text = {0};
    const char *word = a->file[0];
    bool found = sal_topic_explain(&text, word);
    const int code = sal_cli_write(a, &text, NULL);
    sal_text_clear(&text);
    const sal_verb *verb = sal_cli_find_verb(word);
    if (verb != NULL) {
        sal_cli_usage(stdout, verb);
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
