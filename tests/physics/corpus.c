#include "tests/physics/corpus.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static void each(const char *root, const char *folder, const char *ending,
                 void (*visit)(const char *path, const char *name))
{
    char directory[1024], path[2048];
    struct dirent **entry;
    snprintf(directory, sizeof directory, "%s/%s", root, folder);
    const int n = scandir(directory, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (ends_in(entry[i]->d_name, ending)) {
            snprintf(path, sizeof path, "%s/%s", directory, entry[i]->d_name);
            visit(path, entry[i]->d_name);
        }
        free(entry[i]);
    }
    if (n >= 0) {
        free(entry);
    }
}

void corpus_each(const char *folder, const char *ending,
                 void (*visit)(const char *path, const char *name))
{
    const char *corpus = getenv("SALTUS_CORPUS");
    each(corpus == NULL ? "../shared" : corpus, folder, ending, visit);
}

void corpus_each_own(const char *folder, const char *ending,
                     void (*visit)(const char *path, const char *name))
{
    const char *root = getenv("SALTUS_ROOT");
    each(root == NULL ? ".." : root, folder, ending, visit);
}

void corpus_below(const char *folder, const char *ending,
                  void (*visit)(const char *path, const char *name))
{
    char path[2048];
    struct dirent **entry;
    const int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (name[0] != '.') {
            corpus_below(path, ending, visit); /* of a file: none */
        }
        if (ends_in(name, ending)) {
            visit(path, name);
        }
        free(entry[i]);
    }
    if (n >= 0) {
        free(entry);
    }
}
