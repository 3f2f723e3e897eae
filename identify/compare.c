/* compare.c: where two identifications differ. */
#include "identify/result_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sal_identification_parameter *parameter_like(const sal_identification_result *e,
                                                          const char *name)
{
    int k = 0;
    while (k < e->nparameter && strcmp(e->parameter[k].name, name) != 0) {
        k++;
    }
    return k < e->nparameter ? e->parameter + k : NULL;
}

void idn_result_compare(prb_comparison *c, const void *first, const void *second)
{
    const sal_identification_result *a = first, *b = second;
    if (a == NULL || b == NULL) {
        prb_compare_texts(c, "parameter", "identification", a == NULL ? "none" : "present",
                          b == NULL ? "none" : "present");
        return;
    }
    for (int k = 0; k < a->nparameter; k++) {
        const sal_identification_parameter *p = a->parameter + k, *q = parameter_like(b, p->name);
        char se[SAL_IDENTIFICATION_NAME + 20];
        snprintf(se, sizeof se, "standard error of %s", p->name);
        prb_compare_numbers(c, "parameter", p->name, p->value, q == NULL ? (double)NAN : q->value);
        prb_compare_numbers(c, "parameter", se, p->se, q == NULL ? (double)NAN : q->se);
    }
    for (int k = 0; k < b->nparameter; k++) {
        const sal_identification_parameter *q = b->parameter + k;
        if (parameter_like(a, q->name) == NULL) {
            prb_compare_numbers(c, "parameter", q->name, (double)NAN, q->value);
        }
    }
    prb_compare_numbers(c, "recordings", "number", a->nrecording, b->nrecording);
    prb_compare_numbers(c, "recordings", "clusters", a->ncluster, b->ncluster);
}
