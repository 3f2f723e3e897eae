/* tests/problems/bad: broken problem files, what the command says about them and how it exits.
 * expected.txt has a paragraph for each:
 *
 *     FILE EXIT
 *         a line of its messages, or the beginning of one
 *
 * Lines come in this order, and there is no further error. With SALTUS_UPDATE=1 in the environment
 * what is said now is written there, to be read before it is kept: of errors all lines. A paragraph
 * without errors (exit code 4, whose figures differ from machine to machine) was written by hand,
 * and keeps those of its lines that are still said.
 */
#include "tests/cli/command.h"

#include "problems/language/grammar.h"

static char expected[200000];

static const char *folder(void)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/tests/problems/bad", root == NULL ? "." : root);
    return path;
}

static void read_expected(void)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/expected.txt", folder());
    FILE *in = fopen(path, "rb");
    const size_t n = in == NULL ? 0 : fread(expected, 1, sizeof expected - 1, in);
    expected[n] = 0;
    if (in != NULL) {
        fclose(in);
    }
}

/* Solves a file; `errors` then names files without the folder. */
static int solve(const char *name)
{
    char line[1400], prefix[1100];
    snprintf(line, sizeof line, "solve %s/%s -o %s", folder(), name, files_path("r.saltus"));
    const int code = run(line);
    const int n = snprintf(prefix, sizeof prefix, "%s/", folder());
    for (char *at = strstr(errors, prefix); at != NULL; at = strstr(at, prefix)) {
        memmove(at, at + n, strlen(at + n) + 1);
    }
    return code;
}

static void remove_result(void)
{
    char command[700];
    snprintf(command, sizeof command, "rm -rf %s", files_path("r.saltus"));
    CHECK(system(command) == 0);
}

/* Faults: lines with a place, or of the command itself. */
static bool is_fault(const char *line, size_t n)
{
    for (size_t i = 0; i + 7 <= n; i++) {
        if (memcmp(line + i, "error: ", 7) == 0) {
            return line[0] != ' ';
        }
    }
    return false;
}

static int count_faults(const char *text)
{
    int count = 0;
    for (const char *line = text; *line != 0;) {
        const size_t n = strcspn(line, "\n");
        count += is_fault(line, n);
        line += n + (line[n] == '\n');
    }
    return count;
}

/* The file's paragraph, and behind its first line; NULL without one. */
static const char *find_paragraph(const char *name, int *code)
{
    const size_t n = strlen(name);
    for (const char *at = expected; *at != 0;) {
        const size_t length = strcspn(at, "\n");
        if (strncmp(at, name, n) == 0 && at[n] == ' ') {
            *code = atoi(at + n);
            return at + length + (at[length] == '\n');
        }
        at += length + (at[length] == '\n');
    }
    return NULL;
}

/* The next line of a paragraph into text[n], without its four blanks; NULL behind the last. */
static const char *next_line(const char *line, char *text, size_t n)
{
    if (line == NULL || strncmp(line, "    ", 4) != 0) {
        return NULL;
    }
    const size_t length = strcspn(line, "\n");
    snprintf(text, n, "%.*s", (int)length - 4, line + 4);
    return line + length + (line[length] == '\n');
}

static void judge(const char *name)
{
    int code = -1, faults = 0;
    const int got = solve(name);
    const char *line = find_paragraph(name, &code), *said = errors;
    if (got != code || line == NULL) {
        printf("%s: exit code %d, expected %d: %s\n", name, got, code, errors);
        check_case_faults++;
    }
    char text[1000];
    for (const char *next = line; (next = next_line(next, text, sizeof text)) != NULL;) {
        const char *at = strstr(said, text);
        if (at == NULL) {
            printf("%s: no '%s' in: %s\n", name, text, said);
            check_case_faults++;
            return;
        }
        faults += is_fault(text, strlen(text));
        said = at + strlen(text);
    }
    if (line != NULL && count_faults(errors) != faults) {
        printf("%s: more errors than expected: %s\n", name, errors);
        check_case_faults++;
    }
    /* a problem without a solution ends in a complete result, a file that cannot be read in none */
    CHECK(exists("r.saltus/result.h5") == (got == 4) && exists("r.saltus") == (got == 4));
    if (got == 4) {
        char command[700];
        snprintf(command, sizeof command, "info %s", files_path("r.saltus"));
        CHECK(run(command) == 0);
        remove_result();
    }
}

/* Whether the paragraph has lines, and none of them a fault. */
static bool is_by_hand(const char *line)
{
    char text[1000];
    bool any = false;
    while ((line = next_line(line, text, sizeof text)) != NULL) {
        any = true;
        if (is_fault(text, strlen(text))) {
            return false;
        }
    }
    return any;
}

/* What is said now, faults and help; or what was written by hand, as far as it is still said, with
 * a word about what is not. */
static void write_paragraph(FILE *file, const char *name, const char *said, int code)
{
    char text[1000];
    int before;
    const char *old = find_paragraph(name, &before);
    const bool by_hand = is_by_hand(old) && count_faults(said) == 0;
    fprintf(file, "%s %d\n", name, code);
    while (by_hand && (old = next_line(old, text, sizeof text)) != NULL) {
        if (strstr(said, text) != NULL) {
            fprintf(file, "    %s\n", text);
        } else {
            printf("%s: no longer '%s' in: %s\n", name, text, said);
        }
    }
    for (const char *line = said; *line != 0 && !by_hand;) {
        const size_t n = strcspn(line, "\n");
        const char *help = strstr(line, "= help: ");
        if (is_fault(line, n)) {
            fprintf(file, "    %.*s\n", (int)n, line);
        } else if (help != NULL && help < line + n) {
            fprintf(file, "    %.*s\n", (int)(line + n - help), help);
        }
        line += n + (line[n] == '\n');
    }
}

/* Hand-written lines stay, those that are no longer said go; faults are written anew. */
static void update_keeps_what_was_written_by_hand(void)
{
    static const char *const was = "a.xml 4\n    infeasible: cost\n    gone\n    hovers\n"
                                   "b.xml 3\n    b.xml:1:1: error: old\n";
    static const char *const wanted = "a.xml 4\n    infeasible: cost\n    hovers\n"
                                      "b.xml 3\n    b.xml:1:1: error: new\n    = help: so\n";
    char text[1000] = "";
    snprintf(expected, sizeof expected, "%s", was);
    FILE *file = fopen(files_path("expected.txt"), "w+b");
    CHECK(file != NULL);
    if (file != NULL) {
        write_paragraph(file, "a.xml", "infeasible: cost 3\nit hovers\n", 4);
        write_paragraph(file, "b.xml", "b.xml:1:1: error: new\n      = help: so\n", 3);
        rewind(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
    }
    CHECK_TEXT(text, wanted);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void every_file_is_refused_as_expected(void)
{
    static char name[300][64];
    size_t n = 0;
    DIR *bad = opendir(folder());
    for (struct dirent *e = NULL; bad != NULL && (e = readdir(bad)) != NULL;) {
        const char *ending = strrchr(e->d_name, '.');
        if (ending != NULL && strcmp(ending, ".xml") == 0 && n < 300) {
            snprintf(name[n++], sizeof name[0], "%.63s", e->d_name);
        }
    }
    if (bad != NULL) {
        closedir(bad);
    }
    qsort(name, n, sizeof name[0], by_name);
    char path[1100];
    snprintf(path, sizeof path, "%s/expected.txt", folder());
    read_expected();
    FILE *file = getenv("SALTUS_UPDATE") == NULL ? NULL : fopen(path, "wb");
    for (size_t i = 0; i < n && file != NULL; i++) {
        const int code = solve(name[i]);
        write_paragraph(file, name[i], errors, code);
        remove_result();
    }
    if (file != NULL) {
        fclose(file);
    }
    read_expected();
    for (size_t i = 0; i < n; i++) {
        judge(name[i]);
    }
    printf("     %zu files\n", n);
    CHECK(n >= 30);
}

/* Whether an element of this name in the text has the attribute. */
static bool has_attribute(const char *text, const char *tag, const char *name)
{
    char open[80], attribute[80];
    snprintf(open, sizeof open, "<%s ", tag);
    snprintf(attribute, sizeof attribute, " %s=", name);
    for (const char *at = strstr(text, open); at != NULL; at = strstr(at + 1, open)) {
        const char *end = strchr(at, '>'), *found = strstr(at, attribute);
        if (found != NULL && (end == NULL || found < end)) {
            return true;
        }
    }
    return false;
}

/* All files of the folder, one after the other; the caller frees. */
static char *read_all(void)
{
    char command[1200];
    snprintf(command, sizeof command, "cat %s/*.xml", folder());
    FILE *in = popen(command, "r");
    char *text = calloc(1 << 20, 1);
    const size_t n = in == NULL || text == NULL ? 0 : fread(text, 1, (1 << 20) - 1, in);
    CHECK(n > 0 && n < (1 << 20) - 1);
    CHECK(in != NULL && pclose(in) == 0);
    return text;
}

/* What a problem file can hold stands in a broken one; so what is said of it was read before it was
 * kept. An attribute that is new to the table is missed here. What terms, constraints and inputs
 * have in common is read by the same functions. */
static void every_attribute_is_in_a_broken_file(void)
{
    int n;
    const prb_rules *rules = prb_grammar(&n);
    char *text = read_all();
    for (int i = 0; i < n && text != NULL; i++) {
        const bool problem = strcmp(prb_grammar_root(rules + i)->tag, "problem") == 0;
        for (int k = 0; k < rules[i].nattr && problem; k++) {
            const char *name = rules[i].attr[k].name;
            const bool as_term =
                strcmp(rules[i].tag, "constraint") == 0 || strcmp(rules[i].tag, "input") == 0;
            const bool is_there = has_attribute(text, rules[i].tag, name) ||
                                  (as_term && has_attribute(text, "term", name));
            if (!is_there) {
                printf("     no file has %s/%s\n", rules[i].tag, name);
            }
            CHECK(is_there);
        }
    }
    free(text);
}

int main(void)
{
    RUN(update_keeps_what_was_written_by_hand);
    RUN(every_file_is_refused_as_expected);
    RUN(every_attribute_is_in_a_broken_file);
    files_remove();
    return check_done();
}
