#include "tests/physics/deriv/look.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

#define MOVED 1e-12 /* the same: less is rounding */

/* ---- contacts and rows ---- */

static void put(look *l, int code)
{
    l->code[l->ncode++] = code;
}

static void look_at_rows(look *l, const sal_data *d)
{
    put(l, d->ncon);
    put(l, d->nefc);
    for (int i = 0; i < d->ncon; i++) {
        put(l, d->contact[i].pair);
        put(l, d->contact[i].efc_address);
    }
    for (int i = 0; i < d->nefc; i++) {
        put(l, d->efc_type[i]);
        put(l, d->efc_id[i]);
    }
    l->nrow = l->ncode;
}

/* ---- zones ---- */

/* Where x is beside -s and s. */
static int side_of(double x, double s)
{
    return (x > -s) + (x > s);
}

static double jar_of(const sal_data *d, int row)
{
    double acc = 0;
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int at = d->efc_J_rowadr[row] + k;
        acc += d->efc_J[at] * d->qacc[d->efc_J_colind[at]];
    }
    return acc - d->efc_aref[row];
}

/* Of an elliptic cone: 0 top, 1 middle, 2 bottom. */
static int cone_zone(const double *jar, const double *mu, double m, int dim)
{
    double square = 0;
    for (int j = 1; j < dim; j++) {
        square += mu[j - 1] * mu[j - 1] * jar[j] * jar[j];
    }
    const double N = m * jar[0], T = sqrt(square);
    return N >= m * T ? 0 : m * N + T <= 0 ? 2 : 1;
}

/* With smoothing, of all the points over which the force is averaged. */
static void look_at_cone(look *l, const sal_model *m, const sal_data *d, const sal_contact *c)
{
    const double *mu = m->pair_friction + 5 * c->pair, sigma = m->opt.sigma;
    double jar[6];
    for (int j = 0; j < c->dim; j++) {
        jar[j] = jar_of(d, c->efc_address + j);
    }
    put(l, cone_zone(jar, mu, c->mu, c->dim));
    for (int j = 0; j < c->dim && sigma > 0; j++) {
        const double here = jar[j];
        jar[j] = here + sigma;
        put(l, cone_zone(jar, mu, c->mu, c->dim));
        jar[j] = here - sigma;
        put(l, cone_zone(jar, mu, c->mu, c->dim));
        jar[j] = here;
    }
}

static void look_at_zones(look *l, const sal_model *m, const sal_data *d)
{
    const double sigma = m->opt.sigma;
    for (int i = 0, n; i < d->nefc; i += n) {
        const double jar = jar_of(d, i), bound = d->efc_R[i] * d->efc_frictionloss[i];
        n = 1;
        switch ((sal_efc_type)d->efc_type[i]) {
        case SAL_EFC_EQUALITY:
            break;
        case SAL_EFC_FRICTION_DOF:
        case SAL_EFC_FRICTION_TENDON:
            put(l, side_of(jar - bound, sigma));
            put(l, side_of(jar + bound, sigma));
            break;
        case SAL_EFC_LIMIT_JOINT:
        case SAL_EFC_LIMIT_TENDON:
        case SAL_EFC_CONTACT_FRICTIONLESS:
        case SAL_EFC_CONTACT_PYRAMIDAL:
            put(l, side_of(jar, sigma));
            break;
        case SAL_EFC_CONTACT_ELLIPTIC:
            look_at_cone(l, m, d, d->contact + d->efc_id[i]);
            n = d->contact[d->efc_id[i]].dim;
            break;
        }
    }
}

/* ---- what is smooth ---- */

static void add_smooth(look *l, const double *x, int n)
{
    if (n > 0) {
        memcpy(l->smooth + l->nsmooth, x, (size_t)n * sizeof *x);
    }
    l->nsmooth += n;
}

static void look_at_shapes(look *l, const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        if (c->efc_address >= 0) {
            add_smooth(l, &c->dist, 1);
            add_smooth(l, c->pos, 3);
            add_smooth(l, c->frame, c->dim == 1 ? 3 : 9);
        }
    }
    for (int i = 0; i < d->nefc && d->efc_type[i] < SAL_EFC_CONTACT_FRICTIONLESS; i++) {
        add_smooth(l, d->efc_pos + i, 1);
    }
    add_smooth(l, d->ten_length, m->ntendon);
    add_smooth(l, d->ten_J, m->ntenJ);
}

/* ---- what has breakpoints ---- */

/* How far a violation is from where its impedance breaks. */
static double gap_of(const double solimp[5], double x)
{
    const double width = solimp[2], mid = solimp[3];
    if (solimp[0] == solimp[1] || width <= SAL_MINVAL) {
        return (double)INFINITY;
    }
    x = fabs(x);
    const double ends = fmin(x, fabs(x - width));
    return solimp[4] > 1 ? fmin(ends, fabs(x - mid * width)) : ends;
}

/* The violation of row i, its impedance (NULL: constant), and how many rows share them. */
static double violation_of(const sal_model *m, const sal_data *d, int i, const double **solimp,
                           int *rows)
{
    const int id = d->efc_id[i];
    double square = 0;
    *rows = 1;
    *solimp = NULL;
    switch ((sal_efc_type)d->efc_type[i]) {
    case SAL_EFC_EQUALITY:
        *solimp = m->eq_solimp + 5 * id;
        *rows = m->eq_type[id] == SAL_EQ_CONNECT ? 3 : m->eq_type[id] == SAL_EQ_WELD ? 6 : 1;
        for (int r = 0; r < *rows; r++) {
            const double scale =
                r >= 3 && m->mujoco == SAL_MUJOCO_222 ? m->eq_data[11 * id + 10] : 1;
            square += scale * scale * d->efc_pos[i + r] * d->efc_pos[i + r];
        }
        return sqrt(square);
    case SAL_EFC_LIMIT_JOINT:
        *solimp = m->jnt_solimp + 5 * id;
        break;
    case SAL_EFC_LIMIT_TENDON:
        *solimp = m->tendon_solimp_lim + 5 * id;
        break;
    case SAL_EFC_CONTACT_ELLIPTIC:
        *rows = d->contact[id].dim;
        *solimp = m->pair_solimp + 5 * d->contact[id].pair;
        break;
    case SAL_EFC_CONTACT_FRICTIONLESS:
    case SAL_EFC_CONTACT_PYRAMIDAL:
        *solimp = m->pair_solimp + 5 * d->contact[id].pair;
        break;
    case SAL_EFC_FRICTION_DOF:
    case SAL_EFC_FRICTION_TENDON:
        break;
    }
    return d->efc_pos[i] - d->efc_margin[i];
}

static void gauge(look *l, double x, double gap)
{
    l->gauge[l->ngauge] = x;
    l->gap[l->ngauge++] = gap;
}

static void look_at_gauges(look *l, const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) { /* contacts become rows */
        const double x = d->contact[i].dist - m->pair_include[d->contact[i].pair];
        gauge(l, x, fabs(x));
    }
    for (int i = 0, rows; i < d->nefc; i += rows) { /* impedances break, limits cease to be */
        const bool limit =
            d->efc_type[i] == SAL_EFC_LIMIT_JOINT || d->efc_type[i] == SAL_EFC_LIMIT_TENDON;
        const double *solimp, x = violation_of(m, d, i, &solimp, &rows);
        const double gap = solimp == NULL ? (double)INFINITY : gap_of(solimp, x);
        gauge(l, x, limit ? fmin(gap, fabs(x)) : gap);
    }
    for (int t = 0; t < m->ntendon; t++) { /* slack springs begin to pull */
        const double *rest = m->tendon_lengthspring + 2 * t, x = d->ten_length[t];
        const bool slack = m->tendon_stiffness[t] != 0 && rest[0] < rest[1];
        gauge(l, x, slack ? fmin(fabs(x - rest[0]), fabs(x - rest[1])) : (double)INFINITY);
    }
}

/* ---- looks ---- */

static bool make_room(look *l, const sal_model *m, const sal_data *d)
{
    const int codes = 2 + 2 * d->ncon + 16 * d->nefc;
    const int reals = 13 * d->ncon + d->nefc + m->ntendon + m->ntenJ + 1;
    if (codes > l->code_room || l->code == NULL) {
        sal_free(l->code);
        l->code = sal_alloc((size_t)codes, sizeof *l->code);
        l->code_room = codes;
    }
    if (reals > l->real_room || l->smooth == NULL) {
        sal_free(l->smooth);
        l->smooth = sal_alloc(3 * (size_t)reals, sizeof *l->smooth);
        l->real_room = reals;
    }
    l->gauge = l->smooth + l->real_room;
    l->gap = l->gauge + l->real_room;
    return l->code != NULL && l->smooth != NULL;
}

bool look_at(look *l, const look *first, const sal_model *m, const sal_data *d)
{
    l->nrow = l->ncode = l->nsmooth = l->ngauge = 0;
    if (first != NULL && (d->ncon != first->code[0] || d->nefc != first->code[1])) {
        return true;
    }
    if (!make_room(l, m, d)) {
        return false;
    }
    look_at_rows(l, d);
    look_at_zones(l, m, d);
    look_at_shapes(l, m, d);
    look_at_gauges(l, m, d);
    return true;
}

void look_free(look *l)
{
    sal_free(l->code);
    sal_free(l->smooth);
    memset(l, 0, sizeof *l);
}

doubt look_change(const look *a, const look *b, double reach)
{
    if (a->nrow != b->nrow || memcmp(a->code, b->code, (size_t)a->nrow * sizeof(int)) != 0) {
        return DOUBT_ROWS;
    }
    for (int i = 0; i < a->ngauge; i++) {
        const double moved = fabs(a->gauge[i] - b->gauge[i]);
        if (moved > MOVED && reach * moved >= a->gap[i]) {
            return DOUBT_BREAK;
        }
    }
    return memcmp(a->code, b->code, (size_t)a->ncode * sizeof(int)) != 0 ? DOUBT_ZONE : DOUBT_NONE;
}

/* Fourth difference of number i of three looks on either side, the nearer and the farther ones. */
static double fourth(const look *l, int i, int nearer, int farther)
{
    const double inner = l[nearer].smooth[i] + l[nearer + 1].smooth[i];
    return l[farther].smooth[i] + l[farther + 1].smooth[i] - 4 * inner + 6 * l[0].smooth[i];
}

double look_roughness(const look l[7], double h)
{
    double worst = 0;
    for (int i = 0; i < l[0].nsmooth; i++) {
        const double size = fmax(1, fabs(l[0].smooth[i]));
        const double whole = fourth(l, i, 1, 3) / (h * size);
        const double half = fourth(l, i, 5, 1) / (0.5 * h * size);
        const bool curved = whole * half > 0 && whole / half > 6 && whole / half < 11;
        worst = curved ? worst : fmax(worst, fmax(fabs(whole), fabs(half)));
    }
    return worst;
}
