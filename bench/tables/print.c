/* print.c: how the tables look, and on which machine they were made. */
#include "bench/tables/tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The processor's name as Linux has it */
static void processor(char *name, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "an unknown processor");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

void print_machine(void)
{
    char name[256];
    processor(name, sizeof name);
    printf("The tables of the papers beside ours. Here: %s, %ld cores, compiler %s; one thread of "
           "them.\n",
           name, sysconf(_SC_NPROCESSORS_ONLN), __VERSION__);
}

void print_title(const char *paper, const char *what)
{
    printf("\n%s: %s\n", paper, what);
    fflush(stdout);
}

void print_head(const char *what, const char *unit)
{
    printf("  %-44s %10s %20s   %s\n", what, "paper", "ours", unit);
}

void print_remark(const char *text)
{
    printf("  - %s\n", text);
}

void print_row(const char *what, const char *paper, const char *note, const char *format, ...)
{
    char ours[128];
    va_list args;
    va_start(args, format);
    vsnprintf(ours, sizeof ours, format, args);
    va_end(args);
    printf("  %-44s %10s %20s   %s\n", what, paper == NULL ? "-" : paper, ours,
           note == NULL ? "" : note);
    fflush(stdout);
}

void print_ratio(const char *what, double paper, double ours)
{
    char theirs[32], note[32];
    snprintf(theirs, sizeof theirs, "%.6g", paper);
    snprintf(note, sizeof note, "x %.3g", ours / paper);
    print_row(what, theirs, note, "%.4g", ours);
}

void table_check(sal_status status, const char *what)
{
    if (status != SAL_OK) {
        fprintf(stderr, "%s: %s\n", what, sal_status_text(status));
        exit(1);
    }
}
