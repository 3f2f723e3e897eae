/* parameter.c: from what an optimizer varies to the numbers of a model, and back. */
#include "identify/parameter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INERTIA = 10 };

void idn_parameters_free(idn_parameters *ps)
{
    if (ps == NULL) {
        return;
    }
    for (int i = 0; i < ps->nparameter; i++) {
        idn_parameter *p = &ps->parameter[i];
        for (int k = 0; k < p->ntarget; k++) {
            sal_free(p->target[k].path);
        }
        sal_free(p->target);
        sal_free(p->value); /* and all that stands behind it */
        sal_free(p->name);
    }
    sal_free(ps->parameter);
    sal_remodel_free(ps->remodel);
    sal_free(ps);
}

const idn_parameter *idn_parameters_of(const idn_parameters *ps, bool local, int i, int *k)
{
    for (int j = 0; j < ps->nparameter; j++) {
        const idn_parameter *p = &ps->parameter[j];
        if (p->local == local && i >= p->adr && i < p->adr + p->n) {
            *k = i - p->adr;
            return p;
        }
    }
    return NULL;
}

void idn_parameter_number_name(const idn_parameter *p, int k, char *out, size_t size)
{
    static const char *const part[INERTIA] = {"mass", "com x", "com y", "com z", "Ixx",
                                              "Iyy",  "Izz",   "Ixy",   "Ixz",   "Iyz"};
    if (p->map == IDN_MAP_INERTIA) {
        snprintf(out, size, "%.100s %s", p->name, part[k]);
    } else if (p->n > 1) {
        snprintf(out, size, "%.100s[%d]", p->name, k);
    } else {
        snprintf(out, size, "%.100s", p->name);
    }
}

/* ---- one number ---- */

static double value_of(const idn_parameter *p, int k, double u)
{
    switch (p->map) {
    case IDN_MAP_LOG:
        return exp(u);
    case IDN_MAP_BOUNDED:
        return p->lower[k] + (p->upper[k] - p->lower[k]) / (1 + exp(-u));
    case IDN_MAP_LINEAR:
    case IDN_MAP_INERTIA:
        break;
    }
    return u;
}

static double coordinate_of(const idn_parameter *p, int k, double v)
{
    switch (p->map) {
    case IDN_MAP_LOG:
        return log(v);
    case IDN_MAP_BOUNDED:
        return log((v - p->lower[k]) / (p->upper[k] - v));
    case IDN_MAP_LINEAR:
    case IDN_MAP_INERTIA:
        break;
    }
    return v;
}

/* dv/du at the value v */
static double slope_of(const idn_parameter *p, int k, double v)
{
    switch (p->map) {
    case IDN_MAP_LOG:
        return v;
    case IDN_MAP_BOUNDED:
        return (v - p->lower[k]) * (p->upper[k] - v) / (p->upper[k] - p->lower[k]);
    case IDN_MAP_LINEAR:
    case IDN_MAP_INERTIA:
        break;
    }
    return 1;
}

/* ---- one parameter ---- */

void idn_parameter_values(const idn_parameter *p, double *value, const double *u)
{
    if (p->map == IDN_MAP_INERTIA) {
        idn_inertia_values(value, u);
        return;
    }
    for (int k = 0; k < p->n; k++) {
        value[k] = value_of(p, k, u[k]);
    }
}

void idn_parameter_coordinates(const idn_parameter *p, double *u, const double *value)
{
    if (p->map == IDN_MAP_INERTIA) {
        idn_inertia_coordinates(u, value); /* the reader has seen to it that there are some */
        return;
    }
    for (int k = 0; k < p->n; k++) {
        u[k] = coordinate_of(p, k, value[k]);
    }
}

/* ---- all of them ---- */

void idn_parameters_start(const idn_parameters *ps, double *shared, double *local)
{
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        double *u = p->local ? local : shared;
        if (u != NULL) {
            idn_parameter_coordinates(p, u + p->adr, p->value);
        }
    }
}

void idn_parameters_nominal(const idn_parameters *ps, double *shared)
{
    idn_parameters_start(ps, shared, NULL);
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        double u[10];
        if (p->local || (p->map == IDN_MAP_INERTIA && !idn_inertia_coordinates(u, p->nominal))) {
            continue;
        }
        for (int k = 0; k < p->n; k++) {
            const double own =
                p->map == IDN_MAP_INERTIA ? u[k] : coordinate_of(p, k, p->nominal[k]);
            shared[p->adr + k] = isfinite(own) ? own : shared[p->adr + k];
        }
    }
}

static void values(const idn_parameters *ps, bool local, double *value, const double *u)
{
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        if (p->local == local) {
            idn_parameter_values(p, value + p->adr, u + p->adr);
        }
    }
}

void idn_parameters_values(const idn_parameters *ps, double *value, const double *shared)
{
    values(ps, false, value, shared);
}

void idn_parameters_local_values(const idn_parameters *ps, double *value, const double *local)
{
    values(ps, true, value, local);
}

void idn_parameters_slope(const idn_parameters *ps, double *slope, const double *shared)
{
    const size_t n = (size_t)ps->nshared;
    memset(slope, 0, n * n * sizeof *slope);
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        double *corner = p->local ? NULL : slope + (size_t)p->adr * (n + 1);
        double block[INERTIA * INERTIA];
        if (corner == NULL) {
            continue;
        }
        if (p->map == IDN_MAP_INERTIA) {
            idn_inertia_slope(block, shared + p->adr);
        }
        for (int k = 0; k < p->n; k++) {
            double *row = corner + (size_t)k * n;
            if (p->map == IDN_MAP_INERTIA) {
                memcpy(row, block + INERTIA * k, INERTIA * sizeof *row);
            } else {
                row[k] = slope_of(p, k, value_of(p, k, shared[p->adr + k]));
            }
        }
    }
}

void idn_parameters_bounds(const idn_parameters *ps, bool local, double *lower, double *upper)
{
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        for (int k = 0; k < p->n && p->local == local; k++) {
            const bool logs = p->map == IDN_MAP_LOG;
            const bool free = p->map == IDN_MAP_BOUNDED || p->map == IDN_MAP_INERTIA;
            const double lo = p->lower[k], hi = p->upper[k];
            lower[p->adr + k] = free || (logs && !(lo > 0)) ? -(double)INFINITY
                                : logs                      ? log(lo)
                                                            : lo;
            upper[p->adr + k] = free ? (double)INFINITY : logs ? log(hi) : hi;
        }
    }
}

/* The sigma of a bounded value, seen from u, is the sigma over the slope there. */
void idn_parameters_prior(const idn_parameters *ps, bool local, double *mean, double *weight)
{
    for (int i = 0; i < ps->nparameter; i++) {
        const idn_parameter *p = &ps->parameter[i];
        if (p->local != local) {
            continue;
        }
        idn_parameter_coordinates(p, mean + p->adr, p->prior);
        for (int k = 0; k < p->n; k++) {
            const double slope = p->map == IDN_MAP_BOUNDED ? slope_of(p, k, p->prior[k]) : 1;
            const double sigma = p->prior_sigma[k] / slope;
            weight[p->adr + k] = sigma > 0 ? 1 / (sigma * sigma) : 0;
        }
    }
}
