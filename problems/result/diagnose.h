/* diagnose.h: private to problems. Findings about a motion, as they are collected. */
#ifndef SAL_PROBLEMS_RESULT_DIAGNOSE_H
#define SAL_PROBLEMS_RESULT_DIAGNOSE_H

#include "problems/transcribe.h"

typedef struct prb_diagnosis {
    sal_finding *finding;
    int n;
    int capacity;
    /* memory ran out */
    bool failed;
} prb_diagnosis;

/* Adds a finding (findings.c): the sentence that the format makes, then the advice of its kind. */
void prb_diagnosis_add(prb_diagnosis *d, sal_finding_kind kind, const char *what, double value,
                       double time, const char *format, ...) SAL_PRINTF(6, 7);

/* Puts them in the order of SAL_FINDING_LIST; equals stay as they are. */
void prb_diagnosis_sort(prb_diagnosis *d);

/* What the motion alone shows: contacts, joints, forces (diagnose_motion.c). */
void prb_diagnose_motion(prb_diagnosis *d, const sal_result *result);

#endif
