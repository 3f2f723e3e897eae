/* folder.h: a scratch folder for the files of one test program. */
#ifndef SAL_TESTS_FOLDER_H
#define SAL_TESTS_FOLDER_H

#include <stdio.h>

static char folder[] = P_tmpdir "/saltus-test-XXXXXX"; /* made by mkdtemp in main */

/* The path of a file in it, good for the next three calls. */
static inline const char *in_folder(const char *name)
{
    static char path[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

#endif
