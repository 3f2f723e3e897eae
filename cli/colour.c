/* colour.c: which words of messages have a colour on a terminal. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum { AUTO, ALWAYS, NEVER } coloured;

bool cli_colour(const char *when)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(words[i], when) == 0) {
            coloured = i == 0 ? AUTO : i == 1 ? ALWAYS : NEVER;
            return true;
        }
    }
    return false;
}

bool cli_says_on_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && term[0] != 0 && strcmp(term, "dumb") != 0;
}

/* NO_COLOR as https://no-color.org says: set, and not empty. */
bool cli_is_coloured(void)
{
    const char *no = getenv("NO_COLOR");
    return coloured == ALWAYS ||
           (coloured == AUTO && (no == NULL || no[0] == 0) && cli_says_on_terminal());
}

/* Words that say what kind of line it is: behind nothing but blanks, "saltus: ", "verdict: " or a
 * place ("file:5:24: "). ECMA-48, 8.3.117 */
static const struct {
    const char *word, *colour;
} kinds[] = {{"error:", "\033[1;31m"},       {"warning:", "\033[1;33m"},
             {"WARNING:", "\033[1;33m"},     {"= help:", "\033[1;36m"},
             {"not physical", "\033[1;31m"}, {"physical, but not as asked", "\033[1;33m"},
             {"physical", "\033[1;32m"}};

static bool is_behind_head(const char *line, size_t n)
{
    const bool digit = n >= 3 && line[n - 3] >= '0' && line[n - 3] <= '9';
    return strspn(line, " ") >= n || (n == 8 && strncmp(line, "saltus: ", n) == 0) ||
           (n == 11 && strncmp(line, "  verdict: ", n) == 0) ||
           (digit && strncmp(line + n - 2, ": ", 2) == 0);
}

/* A line of n characters, and the first such word in colour. */
static void put_coloured(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const size_t length = strlen(kinds[k].word);
            if (strncmp(line + i, kinds[k].word, length) == 0 && is_behind_head(line, i)) {
                fprintf(stderr, "%.*s%s%s\033[0m%.*s", (int)i, line, kinds[k].colour, kinds[k].word,
                        (int)(n - i - length), line + i + length);
                return;
            }
        }
    }
    fprintf(stderr, "%.*s", (int)n, line);
}

void cli_put(const char *lines)
{
    if (!cli_is_coloured()) {
        fputs(lines, stderr);
        return;
    }
    while (*lines != 0) {
        const size_t n = strcspn(lines, "\n"), whole = n + (lines[n] == '\n');
        put_coloured(lines, whole);
        lines += whole;
    }
}
