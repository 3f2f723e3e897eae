/* read_parameter.c: <parameter>. */
#include "identify/identification.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INERTIA = 10 };

/* ---- paths ---- */

/* "kind[name]/attribute[k]": cuts off [k]; -1 if there is none, -2 after an error. */
static int cut_component(prb_reader *r, prb_word *word)
{
    char *slash = strrchr(word->text, '/');
    char *bracket = slash == NULL ? NULL : strchr(slash, '[');
    const size_t n = strlen(word->text);
    if (bracket == NULL) {
        return -1;
    }
    if (word->text[n - 1] == ']') {
        word->text[n - 1] = 0;
    }
    const int k = sal_text_whole(bracket + 1);
    if (k < 0) {
        sal_diag_error(r->diag, word->place, "write attribute[0] for its first number",
                       "'%.100s' is not a path of a number", word->text);
        return -2;
    }
    *bracket = 0;
    return k;
}

/* channel[NAME]/offset */
static bool find_channel(prb_reader *r, const prb_word *word, idn_target *t)
{
    static const char *const fields[] = {[IDN_CHANNEL_OFFSET] = "offset",
                                         [IDN_CHANNEL_SCALE] = "scale",
                                         [IDN_CHANNEL_DELAY] = "delay"};
    enum { NFIELD = 3, NAMES = 200 };
    const prb_dataset *data = r->p->data;
    const char *from = word->text + strlen("channel["), *slash = strrchr(word->text, '/');
    const size_t n = slash == NULL || slash <= from ? 0 : (size_t)(slash - from) - 1;
    const char *known[NAMES];
    int nknown = 0;
    for (int c = 0; data != NULL && c < data->nchannel; c++) {
        const char *name = data->channel[c].name;
        if (strlen(name) == n && memcmp(name, from, n) == 0) {
            t->channel = c;
        }
        if (nknown < NAMES) {
            known[nknown++] = name;
        }
    }
    if (t->channel < 0) {
        char wrong[PRB_WORD_MAX], help[200];
        snprintf(wrong, sizeof wrong, "%.*s", (int)n, from);
        const char *near = sal_text_nearest(wrong, known, (size_t)nknown);
        snprintf(help, sizeof help, "did you mean '%.100s'?", near == NULL ? "" : near);
        sal_diag_error(r->diag, word->place, near == NULL ? NULL : help,
                       "'%.100s': no <channel> is named '%.100s'", word->text, wrong);
        return false;
    }
    for (int k = 0; k < NFIELD; k++) {
        if (strcmp(slash + 1, fields[k]) == 0) {
            t->field = (idn_channel_field)k;
            return true;
        }
    }
    sal_diag_error(r->diag, word->place, "offset, scale or delay",
                   "'%.100s': '%.60s' of a channel cannot be estimated", word->text, slash + 1);
    return false;
}

/* How many numbers of the attribute there are, where as many are given for the parameter; 0 after
 * an error. *alike: the first stands for all. */
static int numbers_of(prb_reader *r, const sal_loose *l, idn_parameter_as as, int given,
                      const prb_word *word, bool *alike)
{
    *alike = (as == IDN_AS_SCALE && given <= 1) ||
             (as == IDN_AS_VALUE && given == 1 && l->alike && l->n > 1);
    if (given == 0 || *alike) {
        return l->alike && given == 1 ? l->n : l->said;
    }
    if (given <= l->n && (given >= l->least || as == IDN_AS_SCALE)) {
        return given;
    }
    sal_diag_error(r->diag, word->place, NULL, "'%.100s' has %d number%s, and %d %s given",
                   word->text, l->n, l->n == 1 ? "" : "s", given, given == 1 ? "is" : "are");
    return 0;
}

/* One path: false after an error. p->n is set by the first. */
static bool read_target(prb_reader *r, idn_parameters *ps, idn_parameter *p, prb_word *word,
                        int given)
{
    idn_target *t = &p->target[p->ntarget];
    sal_err err = {0};
    bool alike = false;
    *t = (idn_target){.channel = -1, .loose = -1, .n = 1};
    const int component = cut_component(r, word);
    if (component == -2) {
        return false;
    }
    if (strncmp(word->text, "channel[", strlen("channel[")) == 0) {
        if (!find_channel(r, word, t)) {
            return false;
        }
    } else {
        const sal_status status = sal_remodel_loosen(ps->remodel, word->text, &t->loose, &err);
        if (status != SAL_OK) {
            r->nomem = r->nomem || status == SAL_NOMEM;
            sal_diag_error(r->diag, word->place, NULL, "%s", err.message);
            return false;
        }
        const sal_loose l = sal_remodel_loose(ps->remodel, t->loose);
        if (component >= l.n) {
            sal_diag_error(r->diag, word->place, "numbers are counted from 0",
                           "'%.100s' has %d numbers", word->text, l.n);
            return false;
        }
        t->first = component < 0 ? 0 : component;
        t->n = component < 0 ? numbers_of(r, &l, p->as, given, word, &alike) : 1;
        sal_remodel_write_first(ps->remodel, t->loose, t->first + t->n);
    }
    t->path = prb_reader_copy(r, word->text);
    p->ntarget++;
    const int n = alike ? 1 : t->n;
    if (p->ntarget > 1 && p->n != n && n > 0) {
        sal_diag_error(r->diag, word->place, NULL,
                       "'%.100s' has %d numbers, but the path before it has %d", word->text, n,
                       p->n);
        return false;
    }
    p->n = n;
    return n > 0;
}

/* ---- numbers ---- */

/* The k-th of a list, of which the last may stand for all. */
static double nth(const double *list, int n, int k)
{
    return list[k < n ? k : n - 1];
}

static bool whole_inertia(const idn_parameters *ps, const idn_parameter *p)
{
    return p->target[0].channel < 0 &&
           sal_remodel_loose(ps->remodel, p->target[0].loose).kind == SAL_LOOSE_INERTIA;
}

static double file_value(const prb_reader *r, const idn_parameters *ps, const idn_target *t, int k)
{
    if (t->channel < 0) {
        return sal_remodel_loose(ps->remodel, t->loose).nominal[t->first + k];
    }
    const prb_channel *c = &r->p->data->channel[t->channel];
    return t->field == IDN_CHANNEL_OFFSET  ? c->offset
           : t->field == IDN_CHANNEL_SCALE ? c->scale
                                           : c->delay;
}

static bool allocate(prb_reader *r, idn_parameter *p)
{
    double *block = prb_reader_alloc(r, 6 * (size_t)p->n, sizeof *block);
    double **part[] = {&p->value, &p->lower, &p->upper, &p->prior, &p->prior_sigma, &p->nominal};
    for (size_t k = 0; k < sizeof part / sizeof part[0] && block != NULL; k++) {
        *part[k] = block + k * (size_t)p->n;
    }
    return block != NULL;
}

/* What the file says, and what the parameter begins with. */
static bool read_values(prb_reader *r, const idn_parameters *ps, idn_parameter *p,
                        const sal_xml *xml, int given)
{
    double *list = prb_reader_alloc(r, (size_t)given + 1, sizeof *list);
    bool known = list != NULL;
    prb_grammar_reals("parameter", xml, "value", list, given);
    for (int k = 0; k < p->n && known; k++) {
        const double file = file_value(r, ps, &p->target[0], k);
        const double own = p->as == IDN_AS_VALUE ? file : p->as == IDN_AS_SCALE ? 1 : 0;
        p->nominal[k] = own;
        p->value[k] = given > 0 ? nth(list, given, k) : own;
        if (isnan(file) && (given == 0 || p->as != IDN_AS_VALUE)) {
            sal_diag_error(r->diag, prb_reader_place(xml, "path"),
                           p->as == IDN_AS_VALUE ? "give a value here, or in the model file"
                                                 : "give it in the model file",
                           "the model file does not give '%.100s'", p->target[0].path);
            known = false;
        }
    }
    sal_free(list);
    return known;
}

static double natural_bound(const idn_parameters *ps, const idn_parameter *p)
{
    if (p->map == IDN_MAP_LOG) {
        return 0;
    }
    const idn_target *t = &p->target[0];
    return p->as == IDN_AS_VALUE && t->channel < 0 ? sal_remodel_loose(ps->remodel, t->loose).lower
                                                   : -(double)INFINITY;
}

static void read_range(prb_reader *r, const idn_parameters *ps, idn_parameter *p,
                       const sal_xml *xml)
{
    double range[2] = {natural_bound(ps, p), (double)INFINITY};
    const bool given = prb_grammar_reals("parameter", xml, "range", range, 2) == 2;
    for (int k = 0; k < p->n; k++) {
        p->lower[k] = range[0];
        p->upper[k] = range[1];
    }
    if (p->map == IDN_MAP_BOUNDED && !(given && range[0] < range[1])) {
        sal_diag_error(r->diag, prb_reader_place(xml, "map"), "write range=\"LOWER UPPER\"",
                       "a bounded parameter needs a range");
        p->map = IDN_MAP_LINEAR;
    }
}

static void read_prior(prb_reader *r, idn_parameter *p, const sal_xml *xml)
{
    const char *const names[2] = {"prior", "sigma"};
    double *const out[2] = {p->prior, p->prior_sigma};
    int count[2];
    memcpy(p->prior, p->value, (size_t)p->n * sizeof *p->prior);
    for (int i = 0; i < 2; i++) {
        count[i] = prb_grammar_reals("parameter", xml, names[i], NULL, 0);
        if (count[i] > 1 && count[i] != p->n) {
            sal_diag_error(r->diag, prb_reader_place(xml, names[i]), NULL,
                           "%s has %d numbers, and the parameter %d", names[i], count[i], p->n);
            return;
        }
        prb_grammar_reals("parameter", xml, names[i], out[i], p->n);
        for (int k = count[i]; k < p->n && count[i] > 0; k++) {
            out[i][k] = out[i][0];
        }
    }
    if (count[0] > 0 && count[1] == 0) {
        sal_diag_error(r->diag, prb_reader_place(xml, "prior"),
                       "add its standard deviation: sigma=\"..\"", "a prior needs a sigma");
    }
}

/* ---- what cannot be ---- */

static void check_inertia(prb_reader *r, const idn_parameter *p, const sal_xml *xml)
{
    double u[INERTIA];
    const sal_place place = prb_reader_place(xml, "path");
    const bool plain =
        sal_xml_find_attr(xml, "map") == NULL && sal_xml_find_attr(xml, "range") == NULL;
    if (!plain || p->as != IDN_AS_VALUE || p->n != INERTIA) {
        sal_diag_error(
            r->diag, place, "leave out map, range, as and components",
            "the inertia of a body is estimated as a whole; it always stays physically valid");
    } else if (!idn_inertia_coordinates(u, p->value) || !idn_inertia_coordinates(u, p->prior)) {
        sal_diag_error(
            r->diag, place,
            "make each principal inertia less than the sum of the other two, and the mass "
            "positive",
            "no body of positive mass and volume has this inertia");
    }
}

static void check_value(prb_reader *r, const idn_parameter *p, const sal_xml *xml, int k)
{
    const sal_place place = prb_reader_place(xml, "value");
    const double v = p->value[k], lo = p->lower[k], hi = p->upper[k];
    const double *const logged[2] = {p->value, p->prior};
    for (int i = 0; i < 2 && p->map == IDN_MAP_LOG; i++) {
        if (!(logged[i][k] > 0)) {
            sal_diag_error(r->diag, i == 0 ? place : prb_reader_place(xml, "prior"),
                           "write map=\"linear\", or start from a small positive number",
                           "'%.100s' is %g, and map=\"log\" needs a positive number", p->name,
                           logged[i][k]);
            return;
        }
    }
    if (v < lo || v > hi) {
        sal_diag_error(r->diag, place, NULL, "'%.100s' starts at %g, outside its range %g to %g",
                       p->name, v, lo, hi);
    } else if ((v == lo || v == hi) && p->map == IDN_MAP_BOUNDED) {
        sal_diag_error(r->diag, place, "start inside the range", "'%.100s' starts at its bound %g",
                       p->name, v);
    } else if (v == lo || v == hi) {
        sal_diag_warning(r->diag, place,
                         "start inside the range, so that it may change in both directions",
                         "'%.100s' starts at its bound %g", p->name, v);
    }
    if (p->map == IDN_MAP_BOUNDED && !(p->prior[k] > lo && p->prior[k] < hi)) {
        sal_diag_error(r->diag, prb_reader_place(xml, "prior"), NULL,
                       "the prior %g of '%.100s' is not inside its range", p->prior[k], p->name);
    }
}

static bool overlap(const idn_target *a, const idn_target *b)
{
    if (a->channel >= 0 || b->channel >= 0) {
        return a->channel == b->channel && a->field == b->field;
    }
    return a->loose == b->loose && a->first < b->first + b->n && b->first < a->first + a->n;
}

static void check_owners(prb_reader *r, const idn_parameters *ps, const idn_parameter *p, int t,
                         sal_place place)
{
    for (const idn_parameter *q = ps->parameter; q <= p; q++) {
        for (int k = 0; k < (q == p ? t : q->ntarget); k++) {
            if (overlap(&q->target[k], &p->target[t])) {
                sal_diag_error(r->diag, place, "each number may belong to one parameter only",
                               "'%.100s' is estimated by '%.100s' already", p->target[t].path,
                               q->name);
                return;
            }
        }
    }
}

static void check_name(prb_reader *r, const idn_parameters *ps, const idn_parameter *p,
                       const sal_xml *xml)
{
    for (const idn_parameter *q = ps->parameter; q < p; q++) {
        if (strcmp(q->name, p->name) == 0) {
            sal_diag_error(r->diag, prb_reader_place(xml, "name"), NULL,
                           "a second parameter is named '%.100s'", p->name);
            return;
        }
    }
}

/* ---- one element ---- */

static void read_targets(prb_reader *r, idn_parameters *ps, idn_parameter *p, const sal_xml *xml,
                         int given, bool *sound)
{
    const sal_xml_attr *path = sal_xml_find_attr(xml, "path");
    p->target = prb_reader_alloc(r, (size_t)prb_reader_count_words(path) + 1, sizeof *p->target);
    for (prb_word word = {.attr = path}; p->target != NULL && prb_reader_word(r, &word);) {
        *sound = read_target(r, ps, p, &word, given) && *sound;
        if (*sound) {
            check_owners(r, ps, p, p->ntarget - 1, word.place);
        }
    }
    *sound = *sound && p->ntarget > 0;
}

static void set_map(const idn_parameters *ps, idn_parameter *p, const sal_xml *xml)
{
    const int map = prb_grammar_choice("parameter", xml, "map");
    p->map = whole_inertia(ps, p)    ? IDN_MAP_INERTIA
             : map >= 0              ? (idn_map)map
             : p->as == IDN_AS_SCALE ? IDN_MAP_LOG
                                     : IDN_MAP_LINEAR;
    if (p->target[0].channel < 0 && p->as != IDN_AS_SCALE) {
        snprintf(p->unit, sizeof p->unit, "%s",
                 sal_remodel_loose(ps->remodel, p->target[0].loose).unit);
    } else if (p->target[0].channel >= 0 && p->target[0].field == IDN_CHANNEL_DELAY) {
        snprintf(p->unit, sizeof p->unit, "s");
    }
}

static void read_one(prb_reader *r, idn_parameters *ps, const sal_xml *xml)
{
    idn_parameter *p = &ps->parameter[ps->nparameter];
    const char *name = prb_grammar_text("parameter", xml, "name");
    const int given = prb_grammar_reals("parameter", xml, "value", NULL, 0);
    bool sound = name != NULL && prb_grammar_text("parameter", xml, "path") != NULL && given >= 0;
    if (!sound) {
        return; /* the grammar has said so */
    }
    p->name = prb_reader_copy(r, name);
    if (p->name == NULL) {
        return;
    }
    p->as = (idn_parameter_as)prb_grammar_choice("parameter", xml, "as");
    p->local = prb_grammar_choice("parameter", xml, "each") == 1;
    ps->nparameter++;
    read_targets(r, ps, p, xml, given, &sound);
    check_name(r, ps, p, xml);
    if (!sound || r->nomem || !allocate(r, p)) {
        p->n = 0;
        return;
    }
    set_map(ps, p, xml);
    if (!read_values(r, ps, p, xml, given)) {
        return;
    }
    read_range(r, ps, p, xml);
    read_prior(r, p, xml);
    if (p->map == IDN_MAP_INERTIA) {
        check_inertia(r, p, xml);
    }
    for (int k = 0; k < p->n && p->map != IDN_MAP_INERTIA; k++) {
        check_value(r, p, xml, k);
    }
    int *total = p->local ? &ps->nlocal : &ps->nshared;
    p->adr = *total;
    *total += p->n;
}

/* ---- what has no effect ---- */

/* Arrays of the model that move nothing by themselves: those of geoms go into pairs. */
static bool is_idle(const char *array)
{
    static const char *const idle[] = {"geom_friction", "geom_solref", "geom_solimp",
                                       "geom_solmix",   "geom_margin", "geom_gap",
                                       "geom_rgba",     "sensor_noise"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        if (strcmp(array, idle[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool unlike(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) != 0;
}

static bool moves_it(const char *array, const void *a, const void *b, size_t size)
{
    return unlike(a, b, size) && !is_idle(array);
}

/* Whether the model differs from another of the same file in anything that moves it. */
static bool differs(const sal_model *a, const sal_model *b)
{
    const sal_option *x = &a->opt, *y = &b->opt;
    const int nq = a->nq, nv = a->nv, nu = a->nu, na = a->na, nmocap = a->nmocap;
    bool any = a->nblock != b->nblock || unlike(x->gravity, y->gravity, sizeof x->gravity) ||
               unlike(x->wind, y->wind, sizeof x->wind) ||
               unlike(x->magnetic, y->magnetic, sizeof x->magnetic) || x->density != y->density ||
               x->viscosity != y->viscosity || x->impratio != y->impratio ||
               a->meaninertia != b->meaninertia;
#define IDN_COMPARE(type, name, rows, columns)                                                     \
    any |= moves_it(#name, a->name, b->name, (size_t)a->rows * (size_t)(columns) * sizeof(type));
    SAL_MODEL_ARRAYS(IDN_COMPARE)
#undef IDN_COMPARE
    (void)nq, (void)nv, (void)nu, (void)na, (void)nmocap;
    return any;
}

/* What a small change of a parameter does to the model. */
typedef enum effect { EFFECT_NONE, EFFECT_FELT, EFFECT_REFUSED } effect;

/* Moves u of a number by a little, into its range. Where no model can be made so, it goes the other
 * way, then less far; what is made at last, and was not at first, has felt it. None is: refused,
 * err says why. */
static effect effect_of(const idn_parameters *ps, idn_parameters_work *work, sal_model *m[2],
                        const idn_parameter *p, int k, double *u, sal_err *err)
{
    enum { SMALL = 1000, TRIES = 8 };
    double *x = (p->local ? u + ps->nshared : u) + p->adr + k;
    const double kept = *x, most = (fabs(kept) + 1) / SMALL;
    double step = p->map == IDN_MAP_LINEAR && kept + most > p->upper[k] ? -most : most;
    effect found = EFFECT_REFUSED;
    for (int i = 0; i < TRIES && found == EFFECT_REFUSED; i++) {
        *x = kept + step;
        if (idn_parameters_apply(ps, work, m[1], u, u + ps->nshared, err) == SAL_OK) {
            found = i > 0 || differs(m[0], m[1]) ? EFFECT_FELT : EFFECT_NONE;
        }
        step = i % 2 == 0 ? -step : -step / SMALL;
    }
    *x = kept;
    return found;
}

/* Where the path of a parameter stands. */
static sal_place path_of(const prb_reader *r, const idn_parameter *p)
{
    for (const sal_xml *c = r->doc.root->child; c != NULL; c = c->next) {
        const sal_xml_attr *name =
            strcmp(c->tag, "parameter") == 0 ? sal_xml_find_attr(c, "name") : NULL;
        if (name != NULL && strcmp(name->value, p->name) == 0) {
            return prb_reader_place(c, "path");
        }
    }
    return (sal_place){0};
}

static sal_status check_effects(prb_reader *r, const idn_parameters *ps, sal_err *err)
{
    idn_parameters_work *work = NULL;
    sal_model *m[2] = {NULL, NULL};
    double *u = prb_reader_alloc(r, (size_t)(ps->nshared + ps->nlocal) + 1, sizeof *u);
    sal_status status = u == NULL ? SAL_NOMEM : idn_parameters_work_new(&work, ps, err);
    for (int i = 0; i < 2 && status == SAL_OK; i++) {
        status = sal_model_copy(&m[i], r->p->model, err);
    }
    if (status == SAL_OK) {
        idn_parameters_start(ps, u, u + ps->nshared);
        status = idn_parameters_apply(ps, work, m[0], u, u + ps->nshared, err);
    }
    if (status == SAL_DIVERGED) {
        sal_diag_error(r->diag, (sal_place){0}, NULL, "%s", err->message);
        status = SAL_OK;
        goto done;
    }
    for (int i = 0; i < ps->nparameter && status == SAL_OK; i++) {
        const idn_parameter *p = &ps->parameter[i];
        effect all = p->target[0].channel >= 0 ? EFFECT_FELT : EFFECT_NONE;
        sal_err why = {0};
        for (int k = 0; k < p->n && all == EFFECT_NONE; k++) {
            all = effect_of(ps, work, m, p, k, u, &why);
        }
        if (all == EFFECT_REFUSED) {
            sal_diag_error(r->diag, path_of(r, p), NULL, "'%.100s' cannot vary: %s", p->name,
                           why.message);
        } else if (all == EFFECT_NONE) {
            sal_diag_error(
                r->diag, path_of(r, p),
                "the model may give it in another way (fromto, mesh, another element), or "
                "another value may override it: the larger friction of two geoms counts, and "
                "that of the higher priority",
                "'%.100s' has no effect: '%.100s' changes nothing in the model", p->name,
                p->target[0].path);
        }
    }
done:
    idn_parameters_work_free(work);
    sal_model_free(m[0]);
    sal_model_free(m[1]);
    sal_free(u);
    return status;
}

/* ---- all ---- */

void idn_read_parameters(prb_reader *r, sal_identification *i)
{
    sal_err err = {0};
    size_t n = 0;
    idn_parameters *ps = r->p->model == NULL ? NULL : prb_reader_alloc(r, 1, sizeof *ps);
    for (const sal_xml *c = r->doc.root->child; c != NULL; c = c->next) {
        n += strcmp(c->tag, "parameter") == 0;
    }
    if (ps == NULL) {
        return;
    }
    i->parameters = ps;
    ps->parameter = prb_reader_alloc(r, n + 1, sizeof *ps->parameter);
    const int before = r->diag->nerror;
    sal_status status =
        ps->parameter == NULL ? SAL_NOMEM : prb_reader_remodel(r, &ps->remodel, &err);
    for (const sal_xml *c = r->doc.root->child; c != NULL && status == SAL_OK; c = c->next) {
        if (strcmp(c->tag, "parameter") == 0) {
            read_one(r, ps, c);
        }
    }
    if (status == SAL_OK && !r->nomem && r->diag->nerror == before) {
        status = check_effects(r, ps, &err);
    }
    r->nomem = r->nomem || status == SAL_NOMEM;
    if (status != SAL_OK && status != SAL_NOMEM) {
        sal_diag_error(r->diag, (sal_place){0}, NULL, "%s", err.message);
    }
}
