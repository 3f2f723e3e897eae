/* diagnose.h: private to problems. Findings about a motion, as they are collected. */
#ifndef SAL_DIAGNOSE_H
#define SAL_DIAGNOSE_H

#include "problems/transcribe.h"

typedef struct sal_diagnosis {
    sal_finding *finding;
    int n, capacity;
    bool failed; /* memory ran out */
} sal_diagnosis;

/* Adds a finding: the sentence that the format makes, then the advice of its kind. */
void sal_diagnosis_add(sal_diagnosis *d, sal_finding_kind kind, const char *what, double value,
                       double time, const char *format, ...) SAL_PRINTF(6, 7);

/* What the motion alone shows: contacts, joints, forces (diagnose_motion.c). */
void sal_diagnose_motion(sal_diagnosis *d, const sal_result *result);

#endif
