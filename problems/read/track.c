/* track.c: a term that follows a recording. <term data=".."/> becomes a term for each channel,
 * named TERM:CHANNEL,
 *
 *     weight/sigma^2 x mean over steps of norm(true - measured)
 *
 * for the quadratic norm; in general weight x norm((true - measured)/sigma). Steps at which the
 * channel says nothing do not count, and the weight shrinks as they do.
 */
#include "problems/recordings/track.h"

#include "problems/quantity.h"
#include "problems/read/objects.h"
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A part of a channel that is a quantity of one object: `n` numbers from `first` on, of which the
 * sigmas are sigma[0..dim-1] */
typedef struct part {
    const prb_channel *c;
    prb_quantity_code quantity;
    int object, order;
    int first, n; /* in the sample */
    int dim;
    const double *sigma;
    const char *suffix;
} part;

/* ---- what a channel is about ---- */

static int body_point(prb_reader *r, int body)
{
    const sal_point point = {.body = body, .plane = -1};
    return prb_reader_add_point(r, sal_model_name(r->p->model, SAL_OBJ_BODY, body), point,
                                -1 - body);
}

static int site_point(prb_reader *r, int site)
{
    const sal_model *m = r->p->model;
    return prb_reader_add_point(r, sal_model_name(m, SAL_OBJ_SITE, site), sal_point_site(m, site),
                                -1 - m->site_bodyid[site]);
}

/* The quantities of a channel; 0 after an error. */
static int parts_of(prb_reader *r, const prb_channel *c, sal_place place, part out[2])
{
    out[0] = (part){c, PRB_QTY_SENSOR, c->id, c->order, 0, c->n, c->nres, c->sigma, ""};
    switch (c->kind) {
    case PRB_CHANNEL_BODY:
        out[0].quantity = PRB_QTY_POSITION;
        out[0].object = body_point(r, c->id);
        out[0].n = out[0].dim = 3;
        if (c->n == 7) {
            out[1] =
                (part){c, PRB_QTY_ORIENTATION, c->id, 0, 3, 4, 3, c->sigma + 3, ":orientation"};
        }
        return c->n == 7 ? 2 : 1;
    case PRB_CHANNEL_SITE:
        out[0].quantity = PRB_QTY_POSITION;
        out[0].object = site_point(r, c->id);
        return 1;
    case PRB_CHANNEL_SENSOR:
        return prb_reader_may_read(r, place, c->id);
    case PRB_CHANNEL_CTRL:
        out[0].quantity = PRB_QTY_CTRL;
        return 1;
    case PRB_CHANNEL_JOINT:
        out[0].quantity = PRB_QTY_JOINT;
        if (c->n == 1 || c->order > 0) {
            return 1;
        }
        break;
    case PRB_CHANNEL_FORCE:
        break;
    }
    sal_diag_error(r->diag, place, "follow the pose of a body instead",
                   "a term cannot follow channel '%s', which is %s", c->name,
                   c->kind == PRB_CHANNEL_FORCE ? "an external force" : "a ball joint's position");
    return 0;
}

/* ---- targets ---- */

static bool known_at_end(const prb_reader *r, const prb_feature *f)
{
    return r->p->boundary == PRB_OPEN && prb_quantity_of(f)->counts_at_end(r->p->model, f);
}

/* How a part's numbers follow where everything is 1 m higher; NULL: they do not. */
static double *fall_of(prb_reader *r, const part *a)
{
    static const double up[3] = {0, 0, 1};
    double *fall = prb_reader_alloc(r, (size_t)a->n, sizeof *fall), most = 0;
    for (int i = 0; i < a->n && fall != NULL && a->quantity != PRB_QTY_ORIENTATION; i++) {
        bool place;
        const double along = prb_channel_carried(r->p->model, a->c, a->first + i, up, &place);
        fall[i] = place ? along : 0;
        most = fmax(most, fabs(fall[i]));
    }
    if (most > 0) {
        return fall;
    }
    sal_free(fall);
    return NULL;
}

/* Whether a term or constraint finds how the floor slopes. */
static bool slope_is_found(const prb_reader *r)
{
    for (const sal_xml *list = r->doc.root->child; list != NULL; list = list->next) {
        for (const sal_xml *c = list->child; c != NULL; c = c->next) {
            const sal_xml_attr *attr = sal_xml_find_attr(c, "floor");
            if (attr != NULL && strstr(attr->value, "slope") != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the places that a channel has at row t of the motion to their sum; how many there are. */
static int add_places(const sal_problem *p, const prb_channel *c, int t, double *value,
                      double sum[2])
{
    const bool known = prb_channel_is_placed(p->model, c) &&
                       prb_track_at(p->data, c, t * p->duration / p->nstep, value);
    int n = 0;
    for (int k = 0; known && k + 3 <= c->n; k += 3) {
        if (prb_channel_begins_point(p->model, c, k)) {
            sum[0] += value[k];
            sum[1] += value[k + 1];
            n++;
        }
    }
    return n;
}

void prb_track_centre(prb_reader *r)
{
    sal_problem *p = r->p;
    double *value, sum[2] = {0, 0};
    int n = 0;
    if (p->data == NULL || !slope_is_found(r)) {
        return;
    }
    value = prb_reader_alloc(r, (size_t)p->data->nvalue + 1, sizeof *value);
    for (int i = 0; i < p->data->nchannel && value != NULL; i++) {
        for (int t = 0; t <= p->nstep; t++) {
            n += add_places(p, p->data->channel + i, t, value, sum);
        }
    }
    p->floor_centre[0] = sum[0] / fmax(n, 1);
    p->floor_centre[1] = sum[1] / fmax(n, 1);
    sal_free(value);
}

/* What turns where the floor slopes, of the table of a part: see prb_feature. */
static void add_arm(prb_reader *r, const part *a, const double *table, prb_feature *f)
{
    const sal_problem *p = r->p;
    const int nrow = p->nstep + 1;
    if (!prb_channel_is_placed(p->model, a->c)) {
        return;
    }
    f->arm = prb_reader_alloc(r, (size_t)nrow * (size_t)a->n, sizeof *f->arm);
    for (int i = 0; i < nrow * a->n && f->arm != NULL; i++) {
        const int k = i % a->n, axis = k % 3;
        const bool place = prb_channel_begins_point(p->model, a->c, a->first + k - axis);
        f->arm[i] = table[i] - (place && axis < 2 ? p->floor_centre[axis] : 0);
    }
}

/* f->target or f->reference by steps, and the steps at which the channel says something among those
 * at which the term counts; how many that may be in *asked */
static void tabulate(prb_reader *r, const part *a, prb_feature *f, int *asked)
{
    const sal_problem *p = r->p;
    const int nrow = p->nstep + 1, last = known_at_end(r, f) ? p->nstep : p->nstep - 1;
    double *table = prb_reader_alloc(r, (size_t)nrow * (size_t)a->n, sizeof *table);
    int *step = prb_reader_alloc(r, (size_t)nrow, sizeof *step), n = 0, given = f->nstep;
    double *value = prb_reader_alloc(r, (size_t)a->c->n, sizeof *value);
    *asked = 0;
    for (int t = 0; t < nrow && table != NULL && step != NULL && value != NULL; t++) {
        bool counts = t <= last && given == 0;
        for (int i = 0; i < given; i++) {
            counts = counts || f->step[i] == t;
        }
        const bool known = prb_track_at(p->data, a->c, t * p->duration / p->nstep, value);
        const double *row = known ? value + a->first : t > 0 ? table + (t - 1) * a->n : NULL;
        for (int i = 0; i < a->n && row != NULL; i++) {
            table[t * a->n + i] = row[i];
        }
        *asked += counts;
        if (counts && known) {
            step[n++] = t;
        }
    }
    sal_free(value);
    sal_free(f->step);
    f->step = step;
    f->nstep = n;
    f->tabulated = true;
    if (prb_quantity_of(f)->turns) {
        for (int t = 0; t < nrow && table != NULL; t++) {
            sal_quat_normalise(table + 4 * t); /* also of those before the first */
        }
        f->reference = table;
        f->turned = slope_is_found(r);
    } else {
        f->target = table;
        f->fall = fall_of(r, a);
        if (table != NULL && slope_is_found(r)) {
            add_arm(r, a, table, f);
        }
    }
}

/* Of numbers i .. i + dim - 1 alone. */
static void take(prb_reader *r, const part *a, prb_feature *f, int i, int dim)
{
    const int nrow = r->p->nstep + 1;
    f->dim = dim;
    if (dim == a->dim) {
        return;
    }
    f->component = prb_reader_alloc(r, (size_t)dim, sizeof *f->component);
    for (int k = 0; k < dim && f->component != NULL; k++) {
        f->component[k] = i + k;
    }
    if (f->fall != NULL) {
        memmove(f->fall, f->fall + i, (size_t)dim * sizeof *f->fall);
    }
    for (int t = 0; t < nrow && f->target != NULL; t++) { /* in place: forwards */
        memmove(f->target + t * dim, f->target + t * a->n + i, (size_t)dim * sizeof *f->target);
    }
}

/* ---- terms ---- */

/* weight x norm(r/sigma) as a norm of r: those of second degree shrink with sigma^2, and their p
 * grows with sigma. */
static void scale_norm(prb_term *term, double sigma)
{
    double degree = 2;
    switch (term->norm.kind) {
    case SAL_NORM_POWER:
        degree = term->norm.p;
        break;
    case SAL_NORM_L2:
    case SAL_NORM_SMOOTHABS:
    case SAL_NORM_SMOOTHABS2:
    case SAL_NORM_SOFTPLUS:
        degree = 1;
        term->norm.p *= sigma;
        break;
    case SAL_NORM_QUADRATIC:
    case SAL_NORM_HUBER:
    case SAL_NORM_CAUCHY:
    case SAL_NORM_GEMANMCCLURE:
    case SAL_NORM_COSH:
    case SAL_NORM_BARRIER:
        term->norm.p *= sigma;
        break;
    }
    term->weight /= pow(sigma, degree);
    term->softweight /= pow(sigma, degree);
}

/* TERM:CHANNEL, with what the part adds */
static char *name_of(prb_reader *r, const sal_xml *element, const part *a, const char *axis)
{
    sal_text name = {0};
    const char *own = prb_grammar_text("term", element, "name");
    sal_text_format(&name, "%s:%s%s%s", own == NULL ? "" : own, a->c->name, a->suffix, axis);
    if (strlen(name.data == NULL ? "" : name.data) > 63) {
        sal_diag_error(r->diag, prb_reader_place(element, "name"), "use at most 63 characters",
                       "'%s' is not allowed as the name of a term", name.data);
    }
    r->nomem = r->nomem || name.failed;
    char *copy = prb_reader_copy(r, name.data == NULL ? "" : name.data);
    sal_text_clear(&name);
    return copy;
}

/* The term's own norm, else that of the channel, with p and q of the term's own. In units of
 * sigma. */
static sal_norm norm_of(const sal_xml *element, const prb_channel *c, const prb_term *like)
{
    if (sal_xml_find_attr(element, "norm") != NULL) {
        return like->norm;
    }
    sal_norm norm = c->norm;
    if (sal_xml_find_attr(element, "p") != NULL) {
        norm.p = prb_grammar_real("term", element, "p");
    }
    if (sal_xml_find_attr(element, "q") != NULL) {
        norm.q = prb_grammar_real("term", element, "q");
    }
    return norm;
}

/* A term without a norm may have p and q for the norms of its channels. */
static void check_norms(prb_reader *r, const sal_xml *element, const unsigned char *chosen)
{
    const sal_xml_attr *p = sal_xml_find_attr(element, "p"), *q = sal_xml_find_attr(element, "q");
    bool uses_p = false, uses_q = false;
    for (int i = 0; i < r->p->data->nchannel; i++) {
        const prb_channel *c = r->p->data->channel + i;
        uses_p = uses_p || (chosen[i] && c->norm.kind != SAL_NORM_QUADRATIC);
        uses_q = uses_q || (chosen[i] && c->norm.kind == SAL_NORM_SMOOTHABS2);
        if (chosen[i] && p != NULL && c->norm.kind == SAL_NORM_POWER &&
            prb_grammar_real("term", element, "p") < 1) {
            sal_diag_error(r->diag, p->value_place, "for example p=\"1.5\"",
                           "the norm 'power' of channel '%s' needs an exponent p of at least 1",
                           c->name);
        }
    }
    if (p != NULL && !uses_p) {
        sal_diag_warning(r->diag, p->name_place, "give the term or the channels a 'norm'",
                         "'p' has no effect on the norm 'quadratic' of the channels");
    }
    if (q != NULL && !uses_q) {
        sal_diag_warning(r->diag, q->name_place, "give the term the norm 'smoothabs2'",
                         "'q' has no effect; only the norm 'smoothabs2' uses it");
    }
}

/* A term for each run of equal sigmas. */
static void add_part(prb_reader *r, const sal_xml *element, const part *a, const prb_term *like)
{
    sal_problem *p = r->p;
    if (slope_is_found(r) && prb_channel_is_part_of_root(r->p->model, a->c)) {
        sal_diag_error(r->diag, prb_reader_place(element, "data"),
                       "follow the pose of the body instead, or remove the term floor=\"slope\"",
                       "joint channel '%s' is a part of a pose in the world, which turns where the "
                       "floor of the recording slopes",
                       a->c->name);
    }
    for (int i = 0, dim; i < a->dim; i += dim) {
        for (dim = 1; i + dim < a->dim && a->sigma[i + dim] == a->sigma[i]; dim++) {
        }
        const char axis[3] = {':', (char)('x' + (a->dim == 3 ? i : 0)), 0};
        prb_term *term = &p->term[p->nterm];
        prb_feature *f = &term->feature;
        int asked;
        *term = *like;
        f->name = name_of(r, element, a, dim < a->dim ? axis : "");
        f->quantity = a->quantity;
        f->order = a->order;
        f->object = prb_reader_alloc(r, 1, sizeof *f->object);
        p->nterm++;
        if (f->object == NULL) {
            return;
        }
        f->object[0] = a->object;
        f->nobject = 1;
        f->offset = prb_track_marker(p, a->c);
        prb_read_when(r, element, f);
        tabulate(r, a, f, &asked);
        take(r, a, f, i, dim);
        term->norm = norm_of(element, a->c, like);
        scale_norm(term, a->sigma[i]);
        term->weight *= (double)f->nstep / fmax(asked, 1);
        term->softweight *= (double)f->nstep / fmax(asked, 1);
        if (f->nstep == 0 && r->diag->nerror == 0) { /* else it may be what could not be read */
            sal_diag_error(r->diag, prb_reader_place(element, "data"), "remove it",
                           "channel '%s' has no samples within this motion", a->c->name);
        }
    }
}

/* What says what a term is about does not go with `data`. */
static bool check_attributes(prb_reader *r, const sal_xml *element)
{
    static const char *const own[] = {"name", "data", "weight", "softweight", "norm",  "p",
                                      "q",    "per",  "at",     "window",     "steps", NULL};
    bool good = true;
    for (int i = 0; i < element->nattr; i++) {
        bool is_own = false;
        for (int k = 0; own[k] != NULL; k++) {
            is_own = is_own || strcmp(element->attr[i].name, own[k]) == 0;
        }
        if (!is_own) {
            good = false;
            sal_diag_error(
                r->diag, element->attr[i].name_place,
                "remove it; the elements <channel> define what is followed, and with which sigma",
                "'%s' cannot be used together with 'data'", element->attr[i].name);
        }
    }
    return good;
}

void prb_read_track(prb_reader *r, const sal_xml *element)
{
    const prb_dataset *data = r->p->data;
    const int nchannel = data == NULL ? 0 : data->nchannel;
    unsigned char *chosen = prb_reader_alloc(r, (size_t)nchannel + 1, sizeof *chosen);
    prb_term like = {0};
    if (chosen != NULL && check_attributes(r, element) &&
        prb_track_channels(r, element, "data", chosen) && r->p->model != NULL) {
        prb_read_measure(r, element, &like);
        if (sal_xml_find_attr(element, "norm") == NULL) {
            check_norms(r, element, chosen);
        }
        for (int i = 0; i < nchannel; i++) {
            part parts[2];
            const int n =
                chosen[i] ? parts_of(r, &data->channel[i], prb_reader_place(element, "data"), parts)
                          : 0;
            for (int k = 0; k < n; k++) {
                add_part(r, element, &parts[k], &like);
            }
        }
    }
    sal_free(chosen);
}

size_t prb_track_most_terms(const prb_reader *r, const sal_xml *cost)
{
    size_t n = 0, each = 0;
    for (int i = 0; r->p->data != NULL && i < r->p->data->nchannel; i++) {
        each += (size_t)r->p->data->channel[i].nres;
    }
    for (const sal_xml *c = cost == NULL ? NULL : cost->child; c != NULL; c = c->next) {
        n += sal_xml_find_attr(c, "data") != NULL ? each : 0;
    }
    return n;
}
