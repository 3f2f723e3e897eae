#include "tests/physics/look.h"

#include <math.h>
#include <string.h>

#define BREAK 1e-5  /* m or rad */
#define MOVED 1e-12 /* the same: less is rounding */

/* ---- contacts and rows --------------------------------------------------------------------------------------------------------- */

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

/* ---- zones ----------------------------------------------------------------------------------------------------------------------- */

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

/* ---- what is smooth ---------------------------------------------------------------------------------------------------------------- */

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

/* ---- what has breakpoints ---------------------------------------------------------------------------------------------------------- */

static bool near_breakpoint(const double solimp[5], double x)
{
    const double width = solimp[2], mid = solimp[3];
    if (solimp[0] == solimp[1] || width <= SAL_MINVAL) {
        return false;
    }
    x = fabs(x);
    return x < BREAK || fabs(x - width) < BREAK || (solimp[4] > 1 && fabs(x - mid * width) < BREAK);
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
            const double scale = r >= 3 && m->compat222 ? m->eq_data[11 * id + 10] : 1;
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

static void gauge(look *l, double x, bool near)
{
    l->gauge[l->ngauge] = x;
    l->near[l->ngauge++] = near;
}

static void look_at_gauges(look *l, const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) { /* contacts become rows */
        const double x = d->contact[i].dist - m->pair_include[d->contact[i].pair];
        gauge(l, x, fabs(x) < BREAK);
    }
    for (int i = 0, rows; i < d->nefc; i += rows) { /* impedances break, limits cease to be */
        const bool limit =
            d->efc_type[i] == SAL_EFC_LIMIT_JOINT || d->efc_type[i] == SAL_EFC_LIMIT_TENDON;
        const double *solimp, x = violation_of(m, d, i, &solimp, &rows);
        gauge(l, x, (limit && x > -BREAK) || (solimp != NULL && near_breakpoint(solimp, x)));
    }
    for (int t = 0; t < m->ntendon; t++) { /* slack springs begin to pull */
        const double *rest = m->tendon_lengthspring + 2 * t, x = d->ten_length[t];
        gauge(l, x,
              m->tendon_stiffness[t] != 0 && rest[0] < rest[1] &&
                  (fabs(x - rest[0]) < BREAK || fabs(x - rest[1]) < BREAK));
    }
}

/* ---- looks --------------------------------------------------------------------------------------------------------------------------- */

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
        sal_free(l->near);
        l->smooth = sal_alloc(2 * (size_t)reals, sizeof *l->smooth);
        l->near = sal_alloc((size_t)reals, sizeof *l->near);
        l->real_room = reals;
    }
    l->gauge = l->smooth + l->real_room;
    return l->code != NULL && l->smooth != NULL && l->near != NULL;
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
    sal_free(l->near);
    memset(l, 0, sizeof *l);
}

doubt look_change(const look *a, const look *b)
{
    if (a->nrow != b->nrow || memcmp(a->code, b->code, (size_t)a->nrow * sizeof(int)) != 0) {
        return DOUBT_ROWS;
    }
    for (int i = 0; i < a->ngauge; i++) { /* what does not move breaks nothing */
        if (a->near[i] && fabs(a->gauge[i] - b->gauge[i]) > MOVED) {
            return DOUBT_BREAK;
        }
    }
    return memcmp(a->code, b->code, (size_t)a->ncode * sizeof(int)) != 0 ? DOUBT_ZONE : DOUBT_NONE;
}

double look_roughness(const look l[5], double h)
{
    double worst = 0;
    for (int i = 0; i < l[0].nsmooth; i++) {
        const double here = l[0].smooth[i], inner = l[1].smooth[i] + l[2].smooth[i];
        const double fourth = l[3].smooth[i] + l[4].smooth[i] - 4 * inner + 6 * here;
        worst = fmax(worst, fabs(fourth) / h / fmax(1, fabs(here)));
    }
    return worst;
}
