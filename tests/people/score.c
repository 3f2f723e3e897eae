/* score.c: prints how a followed motion compares with force plates:
 *     score RESULT.h5 PLATES.mot MARKERS.trc BEGIN FIRST LAST */
#include "tests/people/plates.h"

#include "identify/identify.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    sal_result *r = NULL;
    sig_signals plates = {0}, markers = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    plates_score score;
    if (argc != 7 || sal_request_read_result(&r, argv[1], &err) != SAL_OK ||
        sig_read(&plates, argv[2], NULL, &diag, &err) != SAL_OK ||
        sig_read(&markers, argv[3], NULL, &diag, &err) != SAL_OK) {
        printf("%s %s\n", err.message, diag.text.data == NULL ? "" : diag.text.data);
        return 1;
    }
    const double begin = atof(argv[4]), first = atof(argv[5]), last = atof(argv[6]);
    if (!plates_compare(&score, r, &plates, begin, first, last)) {
        return 1;
    }
    printf("%s, markers %.1f mm, root %.1e\n", r->status,
           1e3 * plates_markers(r, &markers, begin, first, last), r->relative_to_weight);
    for (int f = 0; f < 2; f++) {
        const plates_foot *s = &score.foot[f];
        printf("  %s: Fz r %.3f rms %4.1f%%  Fx r %.3f  CoP %4.1f mm  Mz %.1f Nm  times %2.0f ms "
               "(%d)  ",
               f == 0 ? "right" : "left ", s->correlation, 100 * s->rms, s->fore_aft,
               1e3 * s->pressure, s->free_moment, 1e3 * s->contact, s->ncontact);
        for (int j = 0; j < PLATES_NJOINT; j++) {
            printf("%s %.0f/%.0f (%+.0f%%) ", (const char *[]){"hip", "knee", "ankle"}[j],
                   s->moment[j], s->measured[j], 100 * (s->moment[j] / s->measured[j] - 1));
        }
        printf("\n");
    }
    return 0;
}
