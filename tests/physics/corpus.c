#include "tests/physics/corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void corpus_each(const char *folder, const char *ending,
                 void (*visit)(const char *path, const char *name))
{
    char directory[1024], path[2048];
    struct dirent **entry;
    const char *corpus = getenv("SALTUS_CORPUS");
    snprintf(directory, sizeof directory, "%s/%s", corpus == NULL ? "../shared" : corpus, folder);
    const int n = scandir(directory, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const size_t length = strlen(entry[i]->d_name), tail = strlen(ending);
        if (length > tail && strcmp(entry[i]->d_name + length - tail, ending) == 0) {
            snprintf(path, sizeof path, "%s/%s", directory, entry[i]->d_name);
            visit(path, entry[i]->d_name);
        }
        free(entry[i]);
    }
    if (n >= 0) {
        free(entry);
    }
}
