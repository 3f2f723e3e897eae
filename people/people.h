/* people.h: a model of a person from the markers that he or she wore (docs/people.md); the public
 * header of people/
 *
 *     sal_person_model { names -> trials -> generic person -> fit -> soles -> text }
 */
#ifndef SAL_PEOPLE_H
#define SAL_PEOPLE_H

#include "base/base.h"

SAL_BEGIN_C

typedef struct sal_person_request {
    /* files of markers: [ntrial], and one in which the person stands, NULL: none */
    const char *const *trial;
    int ntrial;
    const char *standing;
    /* a table of two columns, marker and what it is: a name of the usual sets, or a segment; NULL:
     * none */
    const char *names;
    /* kg */
    double mass;
    /* m; 0: not known */
    double height;
} sal_person_request;

/* The person as a model file (MJCF): `model`. What was recognised and what was left out, lengths
 * and errors, a line each: `notes`. Faults of the files go to diag. The caller clears both texts,
 * whatever is returned. */
sal_status sal_person_model(sal_text *model, sal_text *notes, const sal_person_request *request,
                            sal_diag *diag, sal_err *err);

SAL_END_C

#endif
