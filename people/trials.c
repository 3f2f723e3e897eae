/* trials.c: some frames of each recording, in metres, z up. */
#include "people/person.h"

#include "base/house.h"
#include "signals/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Frames that are taken of a recording, evenly spaced: of one that moves, of one that stands. */
enum { MOVING = 60, STANDING = 12 };
static const double MOST = .67;    /* of the names: they begin alike */
static const double CLEARLY = 1.5; /* of the distance of trunk and legs along y or z */
static const double NARROW = 0.1,
                    WIDE = 1.5; /* m: from the middle of a person, half of the markers */

typedef struct file {
    sig_signals s;
    /* axis that points up: 1, 2 */
    int up;
    double metre;
    int nframe;
    /* what most names of its markers begin with */
    char prefix[PPL_NAME];
    /* [s.nmarker] of the person, -1: left out */
    int *marker;
} file;

typedef struct reading {
    ppl_person *person;
    ppl_table table;
    int capacity;
    int nfile;
    file *file;
    sal_text unknown;
} reading;

/* ---- markers ---- */

static int find_marker(const ppl_person *p, const char *name)
{
    for (int i = 0; i < p->nmarker; i++) {
        if (strcmp(p->marker[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool has_word(const sal_text *list, const char *word)
{
    const size_t n = strlen(word);
    const char *at = list->data;
    while (at != NULL && (at = strstr(at, word)) != NULL) {
        if ((at == list->data || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) {
            return true;
        }
        at += n;
    }
    return false;
}

/* How long a beginning, up to a sign that parts words, most names have in common: the name of the
 * person. Half of them may begin with a side, R_ or L_. */
static void find_prefix(const sig_signals *s, char prefix[PPL_NAME])
{
    int longest = 0;
    for (int i = 0; i < s->nmarker; i++) {
        const char *name = s->marker[i];
        for (int k = longest + 1; name[k - 1] != 0 && k < PPL_NAME; k++) {
            int alike = 0;
            for (int m = 0; m < s->nmarker && strchr("_.- ", name[k - 1]) != NULL; m++) {
                alike += strncmp(s->marker[m], name, (size_t)k) == 0;
            }
            if (alike > MOST * s->nmarker) {
                longest = k;
                snprintf(prefix, PPL_NAME, "%.*s", k, name);
            }
        }
    }
}

/* What it is by its name, or by what of its name is behind the prefix. */
static bool recognise(const reading *r, const file *f, const char *name, ppl_marker *new)
{
    new->prefix = 0;
    if (ppl_recognise(&r->table, name, &new->at, &new->side)) {
        return true;
    }
    new->prefix = strncmp(name, f->prefix, strlen(f->prefix)) == 0 ? (int)strlen(f->prefix) : 0;
    return new->prefix > 0 && ppl_recognise(&r->table, name + new->prefix, &new->at, &new->side);
}

/* A name behind what it says of the person */
static const char *own_name(const char *name, int prefix)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL ? colon + 1 : name + prefix;
}

/* The marker of other files with the same own name, or -1: programs may call one person otherwise
 * in each recording. */
static int find_own(const ppl_person *p, const file *f, const char *name, int prefix)
{
    for (int i = 0; i < p->nmarker; i++) {
        const ppl_marker *other = p->marker + i;
        if (strcmp(own_name(other->name, other->prefix), own_name(name, prefix)) == 0 &&
            sig_find_marker(&f->s, other->name) < 0) {
            return i;
        }
    }
    return -1;
}

/* Adds the marker if it is recognised and new; its index, -1: it is left out, -2: no memory. */
static int add_marker(reading *r, const file *f, const char *name)
{
    ppl_person *p = r->person;
    ppl_marker new = {.rms = 0};
    int known = find_marker(p, name);
    if (known >= 0) {
        return known;
    }
    if (!recognise(r, f, name, &new)) {
        if (!has_word(&r->unknown, name)) {
            sal_text_format(&r->unknown, "%s%s", r->unknown.length > 0 ? " " : "", name);
        }
        return r->unknown.failed ? -2 : -1;
    }
    known = find_own(p, f, name, new.prefix);
    if (known >= 0) {
        return known;
    }
    snprintf(new.name, sizeof new.name, "%s", name);
    void *grown = sal_list_grow(p->marker, p->nmarker, &r->capacity, sizeof *p->marker);
    if (grown == NULL) {
        return -2;
    }
    p->marker = grown;
    p->marker[p->nmarker] = new;
    return p->nmarker++;
}

static sal_status match(reading *r, file *f, sal_err *err)
{
    find_prefix(&f->s, f->prefix);
    f->marker = sal_alloc((size_t)f->s.nmarker, sizeof *f->marker);
    for (int k = 0; k < f->s.nmarker; k++) {
        const int at = f->marker == NULL ? -2 : add_marker(r, f, f->s.marker[k]);
        if (at == -2) {
            return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", f->s.nmarker);
        }
        f->marker[k] = at;
    }
    return SAL_OK;
}

/* ---- one file ---- */

/* Where a marker is in a row, in the file's axes and units; false: it was not seen. */
static bool look(const file *f, int row, int marker, double at[3])
{
    const double *x = f->s.value + (size_t)row * (size_t)f->s.ncol + f->s.marker_column[marker];
    memcpy(at, x, 3 * sizeof *at);
    return sig_marker_is_seen(&f->s, marker, row);
}

/* How far trunk and legs lie apart along each axis; false: one of them was not seen. */
static bool find_apart(const reading *r, const file *f, double apart[3])
{
    double high[3] = {0}, low[3] = {0};
    int nhigh = 0, nlow = 0;
    for (int row = 0; row < f->s.nrow; row += 1 + f->s.nrow / 50) {
        for (int k = 0; k < f->s.nmarker; k++) {
            double at[3];
            if (f->marker[k] < 0 || !look(f, row, k, at)) {
                continue;
            }
            const ppl_segment s = r->person->marker[f->marker[k]].at.segment;
            const bool up = s == PPL_PELVIS || s == PPL_TORSO || s == PPL_HEAD,
                       down = s == PPL_SHANK || s == PPL_FOOT || s == PPL_TOES;
            for (int i = 0; i < 3; i++) {
                high[i] += up ? at[i] : 0;
                low[i] += down ? at[i] : 0;
            }
            nhigh += up;
            nlow += down;
        }
    }
    for (int i = 0; i < 3 && nhigh > 0 && nlow > 0; i++) {
        apart[i] = high[i] / nhigh - low[i] / nlow;
    }
    return nhigh > 0 && nlow > 0;
}

/* Up is y or z, along which trunk and legs lie farther apart. SAL_BADINPUT: they lie farther apart
 * along x, or upside down; what follows the recording knows no such axes. */
static sal_status find_up(const reading *r, file *f, const char *path, sal_err *err)
{
    double apart[3];
    int other = 0;
    f->up = f->s.up == 'z' ? 2 : 1;
    if (!find_apart(r, f, apart)) {
        return SAL_OK;
    }
    f->up = apart[2] > apart[1] ? 2 : 1;
    for (int i = 1; i < 3; i++) {
        other = -apart[i] > fabs(apart[other]) ? i : other;
    }
    return fabs(apart[other]) <= CLEARLY * fmax(0, apart[f->up])
               ? SAL_OK
               : sal_fail(
                     err, SAL_BADINPUT,
                     "in '%.300s' the trunk is from the legs on along %c%c: this direction is up. "
                     "saltus needs recordings in which y or z is up: turn the axes where "
                     "the recording is exported, or in the file",
                     path, apart[other] < 0 ? '-' : '+', "xyz"[other]);
}

static const struct {
    const char *name;
    double metre;
} units[] = {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}};
enum { NUNIT = sizeof units / sizeof units[0] };

static bool find_unit(file *f, const char *path, sal_diag *diag)
{
    const sig_column *c = f->s.column + f->s.marker_column[0];
    for (int i = 0; i < NUNIT; i++) {
        if (strcmp(c->unit, units[i].name) == 0) {
            f->metre = units[i].metre;
            return true;
        }
    }
    sal_diag_error(diag, c->place, "markers must be in m, cm or mm",
                   "the unit of the markers of '%.300s' is '%s'", path, c->unit);
    return false;
}

/* Within which distance of their middle (the median of each coordinate) half of the markers of the
 * person are in a row, in the file's units. x [4 x nmarker] is anyone's. */
static double half_within(const file *f, int row, double *x)
{
    const int most = f->s.nmarker;
    double middle[3], at[3];
    int n = 0;
    for (int k = 0; k < most; k++) {
        if (f->marker[k] >= 0 && look(f, row, k, at)) {
            for (int i = 0; i < 3; i++) {
                x[i * most + n] = at[i];
            }
            n++;
        }
    }
    for (int i = 0; i < 3 && n > 0; i++) {
        memcpy(x + 3 * most, x + i * most, (size_t)n * sizeof *x);
        middle[i] = sal_median(x + 3 * most, n);
    }
    for (int k = 0; k < n; k++) {
        const double off[3] = {x[k] - middle[0], x[most + k] - middle[1],
                               x[2 * most + k] - middle[2]};
        x[3 * most + k] = sal_v3_norm(off);
    }
    return n == 0 ? 0 : sal_median(x + 3 * most, n);
}

/* Whether the markers are as far apart as a person's are; if not, in which unit they would be. */
static sal_status check_unit(const file *f, const char *path, sal_diag *diag, sal_err *err)
{
    const sig_column *c = f->s.column + f->s.marker_column[0];
    double *x = sal_alloc(4 * (size_t)f->s.nmarker, sizeof *x);
    if (x == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", f->s.nmarker);
    }
    const double apart = half_within(f, f->s.nrow / 2, x);
    sal_free(x);
    if (!(apart > 0) || (f->metre * apart > NARROW && f->metre * apart < WIDE)) {
        return SAL_OK;
    }
    const char *fits = NULL;
    for (int i = 0; i < NUNIT; i++) {
        if (units[i].metre * apart > NARROW && units[i].metre * apart < WIDE) {
            fits = units[i].name;
        }
    }
    char help[100] = "";
    if (fits != NULL) {
        snprintf(help, sizeof help, "the numbers seem to be in %s: say so where the file says %s",
                 fits, c->unit);
    }
    sal_diag_error(
        diag, c->place, fits == NULL ? NULL : help,
        "half of the markers of '%.200s' are within %.2g m of their middle in the middle "
        "of the recording; of a person it is about 0.4 m",
        path, f->metre * apart);
    return sal_diag_status(diag, err);
}

static sal_status read_file(reading *r, file *f, const char *path, bool standing, sal_diag *diag,
                            sal_err *err)
{
    sal_status status = sig_read(&f->s, path, NULL, diag, err);
    if (status != SAL_OK) {
        return status;
    }
    if (f->s.nmarker == 0) {
        return sal_fail(err, SAL_BADINPUT,
                        "'%.300s' has no markers; give a file of markers (.trc, .c3d)", path);
    }
    const int most = standing ? STANDING : MOVING;
    f->nframe = f->s.nrow < most ? f->s.nrow : most;
    status = match(r, f, err);
    if (status == SAL_OK && !find_unit(f, path, diag)) {
        status = sal_diag_status(diag, err);
    }
    if (status == SAL_OK) {
        status = find_up(r, f, path, err);
    }
    if (status == SAL_OK) {
        status = check_unit(f, path, diag, err);
    }
    return status;
}

/* ---- frames ---- */

/* The axis that is up becomes z; the others follow round. Y up: x, -z, y. */
static void turn(const file *f, const double from[3], double to[3])
{
    const int up = f->up, a = (up + 1) % 3, b = (up + 2) % 3;
    const double x[3] = {f->metre * from[a], f->metre * from[b], f->metre * from[up]};
    to[0] = up == 1 ? x[1] : x[0];
    to[1] = up == 1 ? -x[0] : x[1];
    to[2] = x[2];
}

static void take_frames(const reading *r, const file *f, double *place, int *trial)
{
    const size_t n = (size_t)r->person->nmarker;
    for (int k = 0; k < f->nframe; k++) {
        const int row = f->nframe < 2 ? 0 : (int)((long)k * (f->s.nrow - 1) / (f->nframe - 1));
        trial[k] = (int)(f - r->file);
        for (int i = 0; i < f->s.nmarker; i++) {
            double at[3];
            if (f->marker[i] >= 0 && look(f, row, i, at)) {
                double *to = place + ((size_t)k * n + (size_t)f->marker[i]) * 3;
                turn(f, at, to);
                r->person->marker[f->marker[i]].seen++;
            }
        }
    }
}

static sal_status all_frames(const reading *r, ppl_trials *t, sal_err *err)
{
    const size_t n = 3 * (size_t)r->person->nmarker;
    size_t at = 0;
    for (int i = 0; i < r->nfile; i++) {
        t->nframe += r->file[i].nframe;
    }
    t->ntrial = r->nfile;
    t->place = sal_alloc((size_t)t->nframe * n, sizeof *t->place);
    t->trial = sal_alloc((size_t)t->nframe, sizeof *t->trial);
    t->floor = sal_alloc((size_t)t->ntrial, sizeof *t->floor);
    if (t->place == NULL || t->trial == NULL || t->floor == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d frames", t->nframe);
    }
    for (size_t i = 0; i < (size_t)t->nframe * n; i++) {
        t->place[i] = NAN;
    }
    for (int i = 0; i < r->nfile; i++) {
        take_frames(r, r->file + i, t->place + at * n, t->trial + at);
        at += (size_t)r->file[i].nframe;
    }
    return SAL_OK;
}

/* Markers that no frame shows are nothing that could be fitted. */
static void drop_unseen(ppl_person *p, ppl_trials *t, sal_text *notes)
{
    const int before = p->nmarker;
    double *to = t->place;
    int n = 0;
    for (int f = 0; f < t->nframe; f++) {
        for (int i = 0; i < before; i++) {
            const double *from = t->place + 3 * ((size_t)f * (size_t)before + (size_t)i);
            if (p->marker[i].seen > 0) {
                memmove(to, from, 3 * sizeof *to);
                to += 3;
            }
        }
    }
    for (int i = 0; i < before; i++) {
        if (p->marker[i].seen > 0) {
            p->marker[n++] = p->marker[i];
        } else {
            sal_text_format(notes, "%s%s", i == n ? "in no frame seen, left out: " : ", ",
                            p->marker[i].name);
        }
    }
    if (n < before) {
        sal_text_add(notes, "\n");
    }
    p->nmarker = n;
}

/* ---- all ---- */

/* Which of a foot's markers are on its toes: where the heel was seen beside a marker of the toes or
 * the ball, and the outer ball too, the toes are a quarter farther from the heel than that. */
static void settle_toes(ppl_person *p, const ppl_trials *t)
{
    for (int i = 0; i < p->nmarker; i++) {
        ppl_marker *toe = p->marker + i;
        double far[2] = {0, 0};
        int n = 0, heel = -1, ball = -1;
        for (int k = 0; k < p->nmarker && toe->at.toe; k++) {
            const ppl_marker *m = p->marker + k;
            const bool same = m->side == toe->side && m->at.segment == PPL_FOOT;
            heel = same && m->at.pos[0] < -.05 ? k : heel;
            ball = same && m->at.pos[0] > .1 && m->at.pos[1] < -.05 ? k : ball;
        }
        for (int f = 0; f < t->nframe && heel >= 0 && ball >= 0; f++) {
            const double *x = t->place + (size_t)f * 3 * (size_t)p->nmarker;
            const double *h = x + (size_t)heel * 3, *b = x + (size_t)ball * 3, *o = x + 3 * i;
            const double d[2] = {hypot(hypot(o[0] - h[0], o[1] - h[1]), o[2] - h[2]),
                                 hypot(hypot(b[0] - h[0], b[1] - h[1]), b[2] - h[2])};
            if (isfinite(d[0]) && isfinite(d[1])) {
                far[0] += d[0], far[1] += d[1], n++;
            }
        }
        if (n > 0 && far[0] > 1.25 * far[1]) {
            toe->at = (ppl_landmark){PPL_TOES, {.065, 0, .02}, toe->at.sigma, true};
        }
    }
}

static void say_unknown(const reading *r, sal_text *notes)
{
    if (r->unknown.length > 0) {
        sal_text_format(notes, "not known, left out: %s\n", r->unknown.data);
    }
}

static void say_keypoints(int n, sal_text *notes)
{
    if (n > 0) {
        sal_text_format(notes,
                        "%d keypoints of a video (hips without markers on the pelvis): knees, "
                        "ankles, shoulders, elbows and wrists are taken for joint centres\n",
                        n);
    }
}

static sal_status read_all(reading *r, const sal_person_request *q, ppl_trials *t, sal_diag *diag,
                           sal_err *err)
{
    sal_status status = SAL_OK;
    if (q->names != NULL) {
        status = ppl_table_read(&r->table, q->names, diag, err);
    }
    for (int i = 0; i < r->nfile && status == SAL_OK; i++) {
        status = read_file(r, r->file + i, ppl_file_of(q, i), i == q->ntrial, diag, err);
    }
    return status == SAL_OK ? all_frames(r, t, err) : status;
}

sal_status ppl_trials_read(ppl_trials *trials, ppl_person *person,
                           const sal_person_request *request, sal_text *notes, sal_diag *diag,
                           sal_err *err)
{
    reading r = {.person = person, .nfile = request->ntrial + (request->standing != NULL)};
    sal_status status;
    r.file = sal_alloc((size_t)r.nfile, sizeof *r.file);
    if (r.file == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d files", r.nfile);
    }
    status = read_all(&r, request, trials, diag, err);
    if (status == SAL_OK) {
        snprintf(trials->unknown, sizeof trials->unknown, "%.*s",
                 r.unknown.length > 0 ? (int)strcspn(r.unknown.data, " ") : 0,
                 r.unknown.length > 0 ? r.unknown.data : "");
        drop_unseen(person, trials, notes);
        settle_toes(person, trials);
        say_keypoints(ppl_settle_keypoints(person, &r.table), notes);
        say_unknown(&r, notes);
    }
    for (int i = 0; i < r.nfile; i++) {
        sig_clear(&r.file[i].s);
        sal_free(r.file[i].marker);
    }
    sal_free(r.file);
    ppl_table_clear(&r.table);
    sal_text_clear(&r.unknown);
    return status;
}

const char *ppl_file_of(const sal_person_request *request, int trial)
{
    return trial < request->ntrial ? request->trial[trial] : request->standing;
}

void ppl_trials_clear(ppl_trials *trials)
{
    sal_free(trials->place);
    sal_free(trials->trial);
    sal_free(trials->floor);
    *trials = (ppl_trials){0};
}
