/* access.c: what users read of a result. */
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

const char *sal_result_status(const sal_result *r)
{
    return r->status;
}

int sal_result_exit_code(const sal_result *r)
{
    return r->exit_code;
}

int sal_result_as_asked(const sal_result *r)
{
    return !r->judged ? -1 : r->as_asked ? 1 : 0;
}

int sal_result_finished(const sal_result *r)
{
    return !r->to_finish ? -1 : r->finished ? 1 : 0;
}

const sal_model *sal_result_model(const sal_result *r)
{
    return r->model;
}

int sal_result_nstep(const sal_result *r)
{
    return r->nstep;
}

double sal_result_cost(const sal_result *r)
{
    return r->cost;
}

double sal_result_weight(const sal_result *r)
{
    return r->weight;
}

/* The share of a tolerance that is used; 0 of 0 is nothing. */
static double share(double violation, double tolerance)
{
    return violation == 0 ? 0 : violation / tolerance;
}

double sal_result_violation(const sal_result *r)
{
    double most = share(r->relative_to_weight, r->physical_tolerance);
    for (int k = 0; k < r->nconstraint && !isnan(most); k++) {
        const double one = share(r->constraint[k].violation, r->constraint[k].tolerance);
        most = one <= most ? most : one;
    }
    return most;
}

const sal_finding *sal_result_findings(const sal_result *r, int *n)
{
    *n = r->nfinding;
    return r->finding;
}

const double *sal_result_array(const sal_result *r, const char *name, int *nrow, int *ncol)
{
    const sal_model *m = r->model;
#define ARRAY(type, array, rows, columns)                                                          \
    if (_Generic((type)0, double : strcmp(name, #array) == 0, int : false)) {                      \
        *nrow = rows;                                                                              \
        *ncol = columns;                                                                           \
        return _Generic((type)0, double : r->array, int : NULL);                                   \
    }
#define ARRAY_OF_ROWS(name, columns, kind, unit) ARRAY(double, name, r->nstep + 1, columns)
#define ARRAY_OF_CONTACTS(type, name, columns, kind, unit)                                         \
    ARRAY(type, contact_##name, r->ncontact, columns)
    PRB_RESULT_ROWS(ARRAY_OF_ROWS)
    PRB_RESULT_CONTACTS(ARRAY_OF_CONTACTS)
#undef ARRAY
#undef ARRAY_OF_ROWS
#undef ARRAY_OF_CONTACTS
    *nrow = *ncol = 0;
    return NULL;
}

const int *sal_result_contacts(const sal_result *r, const int **offset)
{
    *offset = r->contact_offset;
    return r->contact_geom;
}
