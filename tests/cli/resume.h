/* resume.h: solves that are cut short and go on, for tests. */
#ifndef SAL_TESTS_CLI_RESUME_H
#define SAL_TESTS_CLI_RESUME_H

#include "tests/check.h"
#include "tests/cli/command.h"

#include "base/base.h"

static inline const char *example_of(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/examples/%s.xml", root == NULL ? "." : root, name);
    return path;
}

/* "solve examples/NAME.xml -o FOLDER -q OPTIONS" */
static inline const char *solve_line(const char *name, const char *folder, const char *options)
{
    static char line[4000];
    snprintf(line, sizeof line, "solve %.900s -o %.900s -q %.900s", example_of(name),
             files_path(folder), options);
    return line;
}

static inline int lines_of(const char *text)
{
    int n = 0;
    for (; *text != 0; text++) {
        n += *text == '\n';
    }
    return n;
}

/* Waits until the solve's record has so many lines and, if there are any, these words; false if the
 * solve has ended before. */
static inline bool wait_for_record(pid_t pid, const char *record, int lines, const char *words)
{
    static char text[4000000];
    siginfo_t ended = {0};
    for (int i = 0; i < 60000 && ended.si_pid == 0; i++) {
        slurp(record, text, sizeof text);
        if (lines_of(text) >= lines && (words == NULL || strstr(text, words) != NULL)) {
            return true;
        }
        nanosleep(&(struct timespec){0, 500000}, NULL);
        waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    return ended.si_pid == 0;
}

/* Starts the solve anew or again, and sends it a signal `late` s after n lines of its record;
 * returns its exit code. */
static inline int cut_short(const char *line, const char *record, int n, double late, int number)
{
    const pid_t pid = start(line);
    wait_for_record(pid, record, n, NULL);
    nanosleep(&(struct timespec){0, (long)(1e9 * late)}, NULL);
    kill(pid, number);
    return finish(pid);
}

/* Kills a solve into the folder at the ninth linearisation of one of its starts, which leaves the
 * checkpoint of that start. */
static inline void kill_in_start(const char *line, const char *folder, int number)
{
    char record[80], words[80], checkpoint[80];
    snprintf(record, sizeof record, "%s/iterations.jsonl", folder);
    snprintf(words, sizeof words, "{\"start\":%d,\"linearisation\":9,", number);
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint/%d", folder, number);
    const pid_t pid = start(line);
    CHECK(wait_for_record(pid, record, 1, words));
    kill(pid, SIGKILL);
    CHECK(finish(pid) == 128 + SIGKILL);
    CHECK(exists(checkpoint));
}

static inline bool same_file(const char *a, const char *b)
{
    char *x = NULL, *y = NULL;
    size_t n = 0, m = 1;
    char path[1200];
    snprintf(path, sizeof path, "%s", files_path(a));
    const bool read = sal_text_read_file(path, (size_t)1 << 30, &x, &n, NULL) == SAL_OK &&
                      sal_text_read_file(files_path(b), (size_t)1 << 30, &y, &m, NULL) == SAL_OK;
    const bool same = read && n == m && memcmp(x, y, n) == 0;
    sal_free(x);
    sal_free(y);
    return same;
}

/* The lines of one start, without their seconds, in their order. */
static inline void lines_of_start(const char *record, int start, char *to, size_t size)
{
    static char text[400000];
    char begin[40];
    size_t n = 0;
    slurp(record, text, sizeof text);
    snprintf(begin, sizeof begin, "{\"start\":%d,", start);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *seconds = strstr(line, "\"seconds\"");
        if (strncmp(line, begin, strlen(begin)) == 0 && seconds != NULL) {
            n += (size_t)snprintf(to + n, n < size ? size - n : 0, "%.*s\n", (int)(seconds - line),
                                  line);
        }
    }
    to[n < size ? n : size - 1] = 0;
}

/* The same result, and the same record but for the seconds. */
static inline bool same_folder(const char *a, const char *b, int starts)
{
    static char x[400000], y[400000];
    char one[100], other[100];
    snprintf(one, sizeof one, "%s/result.h5", a);
    snprintf(other, sizeof other, "%s/result.h5", b);
    bool same = same_file(one, other);
    snprintf(one, sizeof one, "%s/iterations.jsonl", a);
    snprintf(other, sizeof other, "%s/iterations.jsonl", b);
    for (int i = 0; i < starts; i++) {
        lines_of_start(one, i, x, sizeof x);
        lines_of_start(other, i, y, sizeof y);
        same = same && x[0] != 0 && strcmp(x, y) == 0;
    }
    return same;
}

#endif
