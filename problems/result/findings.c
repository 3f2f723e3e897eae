/* findings.c: the list of findings about a motion, as a diagnosis collects them. */
#include "problems/result/diagnose.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *advice;
    int level;
} kinds[] = {
#define KIND_ROW(code, name, level, advice) {name, advice, level},
    PRB_FINDING_LIST(KIND_ROW)
#undef KIND_ROW
};

void prb_diagnosis_add(prb_diagnosis *d, prb_finding_kind kind, const char *what, double value,
                       double time, const char *format, ...)
{
    sal_finding *more = sal_list_grow(d->finding, d->n, &d->capacity, sizeof *more);
    if (more == NULL) {
        d->failed = true;
        return;
    }
    d->finding = more;
    sal_finding *finding = d->finding + d->n++;
    va_list args;
    *finding = (sal_finding){.level = kinds[kind].level, .value = value, .time = time};
    snprintf(finding->kind, sizeof finding->kind, "%s", kinds[kind].name);
    snprintf(finding->what, sizeof finding->what, "%s", what);
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    const size_t n = strlen(finding->text);
    snprintf(finding->text + n, sizeof finding->text - n, ": %s", kinds[kind].advice);
}

static int rank(const sal_finding *finding)
{
    int k = 0;
    while (k < PRB_NFINDING && strcmp(kinds[k].name, finding->kind) != 0) {
        k++;
    }
    return k;
}

void prb_diagnosis_sort(prb_diagnosis *d)
{
    for (int i = 1; i < d->n; i++) {
        const sal_finding moved = d->finding[i];
        int k = i;
        for (; k > 0 && rank(&d->finding[k - 1]) > rank(&moved); k--) {
            d->finding[k] = d->finding[k - 1];
        }
        d->finding[k] = moved;
    }
}
