/* command.h: the command as a user runs it, for tests: its exit code, and what it wrote to standard
 * output (`out`) and standard error (`errors`). */
#ifndef SAL_TESTS_CLI_COMMAND_H
#define SAL_TESTS_CLI_COMMAND_H

#include "tests/problems/problem_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

/* ---- running it ---- */

/* Another option of the address sanitizer, where it watches, for all programs that are started from
 * now on. */
static inline void tell_sanitizer(const char *option)
{
#ifdef SANITIZED
    static char options[1000];
    const char *before = getenv("ASAN_OPTIONS");
    snprintf(options, sizeof options, "%s%s%s", before == NULL ? "" : before,
             before == NULL ? "" : ":", option);
    setenv("ASAN_OPTIONS", options, 1);
#else
    (void)option;
#endif
}

static char out[200000], errors[200000];

static inline void slurp(const char *name, char *text, size_t size)
{
    FILE *in = fopen(files_path(name), "rb");
    const size_t n = in == NULL ? 0 : fread(text, 1, size - 1, in);
    text[n] = 0;
    if (in != NULL) {
        fclose(in);
    }
}

static inline const char *program(void)
{
    static char path[1024];
    const char *build = getenv("SALTUS_BUILD");
    snprintf(path, sizeof path, "%s/cli/saltus", build == NULL ? "build" : build);
    return path;
}

static bool lead_group; /* what is started leads a group of processes of its own */

/* Starts saltus with the words of `line`; a word ends at a blank. Its standard error goes to
 * `terminal`, or to a file if that is -1. */
static inline pid_t start_on(const char *line, int terminal)
{
    static char words[4000];
    char *argv[64];
    int argc = 0;
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    snprintf(words, sizeof words, "%s", line);
    argv[argc++] = (char *)(size_t)(const void *)"saltus";
    for (char *w = strtok(words, " "); w != NULL && argc < 63; w = strtok(NULL, " ")) {
        argv[argc++] = w;
    }
    argv[argc] = NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, files_path("out"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    if (terminal >= 0) {
        posix_spawn_file_actions_adddup2(&actions, terminal, 2);
    } else {
        posix_spawn_file_actions_addopen(&actions, 2, files_path("err"),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0666);
    }
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, lead_group ? POSIX_SPAWN_SETPGROUP : 0);
    if (posix_spawn(&pid, program(), &actions, &attributes, argv, environ) != 0) {
        printf("FAIL %s cannot be started\n0 passed, 1 failed, 0 skipped\n", program());
        exit(1); /* a signal to process -1 would reach all */
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static inline pid_t start(const char *line)
{
    return start_on(line, -1);
}

/* The exit code; 128 + signal if it died. */
static inline int finish(pid_t pid)
{
    int status = 0;
    if (waitpid(pid, &status, 0) != pid) {
        return -1;
    }
    slurp("out", out, sizeof out);
    slurp("err", errors, sizeof errors);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline int run(const char *line)
{
    return finish(start(line));
}

/* A line of the command; every word that begins with @ is a file of the test's folder. */
static inline int go(const char *line)
{
    char full[4000];
    size_t n = 0;
    for (char before = ' '; *line != 0 && n + 1 < sizeof full; before = *line++) {
        if (*line == '@' && before == ' ') {
            n += (size_t)snprintf(full + n, sizeof full - n, "%s/", files_folder());
        } else {
            full[n++] = *line;
        }
    }
    full[n < sizeof full ? n : sizeof full - 1] = 0;
    return run(full);
}

static inline bool exists(const char *name)
{
    return access(files_path(name), F_OK) == 0;
}

/* How many files and folders the test's folder has, without out and err. */
static inline int count_files(void)
{
    int n = 0;
    DIR *folder = opendir(files_folder());
    for (struct dirent *e = NULL; folder != NULL && (e = readdir(folder)) != NULL;) {
        n += e->d_name[0] != '.' && strcmp(e->d_name, "out") != 0 && strcmp(e->d_name, "err") != 0;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return n;
}

#define SAYS(text, part)                                                                           \
    (strstr((text), (part)) != NULL                                                                \
         ? (void)0                                                                                 \
         : (void)(check_case_faults++,                                                             \
                  printf("%s:%d: no '%s' in: %s\n", __FILE__, __LINE__, (part), (text))))

/* ---- JSON (RFC 8259), to see that it is some ---- */

static inline const char *json_value(const char *s);

static inline const char *json_space(const char *s)
{
    return s == NULL ? NULL : s + strspn(s, " \t\r\n");
}

static inline const char *json_string(const char *s)
{
    if (s == NULL || *s != '"') {
        return NULL;
    }
    for (s++; *s != '"'; s++) {
        if (*s == 0 || (unsigned char)*s < 0x20 || (*s == '\\' && *++s == 0)) {
            return NULL;
        }
    }
    return s + 1;
}

/* Members or items, up to the closing bracket. */
static inline const char *json_list(const char *s, char close)
{
    s = json_space(s + 1);
    if (*s == close) {
        return s + 1;
    }
    for (;;) {
        if (close == '}') {
            s = json_space(json_string(s));
            if (s == NULL || *s != ':') {
                return NULL;
            }
            s = json_space(s + 1);
        }
        s = json_space(json_value(s));
        if (s == NULL || (*s != ',' && *s != close)) {
            return NULL;
        }
        if (*s == close) {
            return s + 1;
        }
        s = json_space(s + 1);
    }
}

static inline const char *json_value(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(s, words[i], strlen(words[i])) == 0) {
            return s + strlen(words[i]);
        }
    }
    if (*s == '"') {
        return json_string(s);
    }
    if (*s == '{' || *s == '[') {
        return json_list(s, *s == '{' ? '}' : ']');
    }
    const size_t n = strspn(s, "+-.0123456789eE");
    return n == 0 ? NULL : s + n;
}

/* Exactly one object. */
static inline bool is_json(const char *text)
{
    const char *end = *json_space(text) != '{' ? NULL : json_space(json_value(json_space(text)));
    return end != NULL && *end == 0;
}

/* The number behind "key": in the JSON in `out`; NaN if there is none. */
static inline double json_number(const char *key)
{
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(out, quoted);
    return at == NULL ? (double)NAN : strtod(at + strlen(quoted), NULL);
}

/* Children of a process, at most n; how many there are. */
static inline int children_of(pid_t parent, pid_t *child, int n)
{
    int found = 0;
    DIR *list = opendir("/proc");
    for (struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        char path[300], line[512] = "";
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *in = e->d_name[0] < '0' || e->d_name[0] > '9' ? NULL : fopen(path, "r");
        if (in != NULL && fgets(line, sizeof line, in) != NULL) {
            const char *end = strrchr(line, ')'); /* PID (NAME) STATE PARENT */
            char state = 0;
            int above = 0;
            if (end != NULL && sscanf(end + 1, " %c %d", &state, &above) == 2 &&
                above == (int)parent && state != 'Z' && found < n) {
                child[found++] = (pid_t)atoi(e->d_name);
            }
        }
        if (in != NULL) {
            fclose(in);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return found;
}

#endif
