/* saltus_failing: the command, whose k-th own allocation fails (SCARCE_OURS=k in the environment).
 * At the end it writes to the file SCARCE_REPORT how many there were. */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

int __real_main(int argc, char **argv); /* of the command; the linker (--wrap) tells them apart */
int __wrap_main(int argc, char **argv);

int __wrap_main(int argc, char **argv)
{
    const char *ours = getenv("SCARCE_OURS"), *report = getenv("SCARCE_REPORT");
    sal_alloc_fail_at(ours == NULL ? 0 : strtol(ours, NULL, 10));
    const int code = __real_main(argc, argv);
    FILE *out = report == NULL ? NULL : fopen(report, "w");
    if (out != NULL) {
        fprintf(out, "%ld\n", sal_alloc_count());
        fclose(out);
    }
    return code;
}
