/* score.c: prints how a followed motion compares with force plates:
 *     score RESULT.h5 MEASURED.h5
 * MEASURED.h5 is of `saltus follow --plates`. */
#include "base/house.h"
#include "problems/problems.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    sal_result *found = NULL, *measured = NULL;
    sal_err err = {0};
    sal_plates_foot foot[SAL_PLATES_FEET];
    if (argc != 3 || sal_result_read(&found, argv[1], &err) != SAL_OK ||
        sal_result_read(&measured, argv[2], &err) != SAL_OK ||
        sal_plates_compare(foot, found, measured, &err) != SAL_OK) {
        printf("%s\n", err.message);
        return 1;
    }
    printf("%s, root %.1e\n", found->status, found->relative_to_weight);
    for (int f = 0; f < SAL_PLATES_FEET; f++) {
        const sal_plates_foot *s = &foot[f];
        printf("  %s: Fz r %.3f rms %4.1f%%  Fx r %.3f  CoP %4.1f mm  Mz %.1f Nm  times %2.0f ms "
               "(%d)  ",
               f == 0 ? "right" : "left ", s->vertical, 100 * s->error, s->fore_aft,
               1e3 * s->pressure, s->free_moment, 1e3 * s->contact, s->ncontact);
        for (int j = 0; j < SAL_PLATES_JOINTS; j++) {
            printf("%s %.0f/%.0f (%+.0f%%) ", (const char *[]){"hip", "knee", "ankle"}[j],
                   s->found[j], s->measured[j], 100 * (s->found[j] / s->measured[j] - 1));
        }
        printf("\n");
    }
    sal_result_free(found);
    sal_result_free(measured);
    return 0;
}
