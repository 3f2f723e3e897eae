/* read_data.c: <data>: what was recorded, in which files. */
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- channels ---- */

static int count_children(const sal_xml *element, const char *tag)
{
    int n = 0;
    for (const sal_xml *c = element->child; c != NULL; c = c->next) {
        n += strcmp(c->tag, tag) == 0;
    }
    return n;
}

static bool is_known(prb_reader *r, const prb_dataset *data, const prb_channel *c,
                     const sal_xml *element)
{
    for (int i = 0; i < data->nchannel; i++) {
        if (data->channel[i].name != NULL && strcmp(data->channel[i].name, c->name) == 0) {
            sal_diag_error(r->diag, prb_reader_place(element, "name"), NULL,
                           "two channels are named '%.100s'", c->name);
            return true;
        }
    }
    return false;
}

/* The channels of all <data>; elements[i] is that of channel i. False after an error. */
static bool read_channels(prb_reader *r, prb_dataset *data, const sal_xml **elements)
{
    bool good = true;
    int number = 0;
    for (const sal_xml *d = r->doc.root->child; d != NULL; d = d->next) {
        for (const sal_xml *e = d->child; strcmp(d->tag, "data") == 0 && e != NULL; e = e->next) {
            if (strcmp(e->tag, "channel") != 0) {
                continue;
            }
            prb_channel *c = data->channel + data->nchannel;
            c->data = number;
            c->adr = data->nvalue;
            elements[data->nchannel] = e;
            const bool read = prb_read_channel(r, e, c);
            good = c->name != NULL && !is_known(r, data, c, e) && read && good;
            data->nvalue += c->n;
            data->nchannel++;
        }
        number += strcmp(d->tag, "data") == 0;
    }
    return good;
}

/* ---- what is asked for ---- */

static double number_or(const sal_xml *element, const char *name, double otherwise)
{
    const double value = prb_grammar_real("data", element, name);
    return isnan(value) ? otherwise : value;
}

/* Axes must be stated as soon as there is anything that has any. */
static bool check_up(prb_reader *r, const prb_data_wish *w, const prb_dataset *data)
{
    for (int i = 0; i < data->nchannel && w->up == 0; i++) {
        const prb_channel *c = data->channel + i;
        if (w->channel[i] != NULL && prb_channel_is_placed(r->p->model, c)) {
            sal_diag_error(r->diag, w->element->place,
                           "set up=\"z\" or up=\"y\", as it was recorded",
                           "the vertical axis of channel '%.80s' is not known", c->name);
            return false;
        }
    }
    return true;
}

/* Whether `floor` moves a channel; false after an error: a slide that carries a mechanism cannot
 * turn. */
static bool check_moved(prb_reader *r, const sal_xml *element, const prb_dataset *data,
                        const prb_data_wish *w)
{
    static const double up[3] = {0, 0, 1};
    const sal_model *m = r->p->model;
    bool moves = false;
    for (int i = 0; i < data->nchannel; i++) {
        const prb_channel *c = data->channel + i;
        bool place;
        if (w->channel[i] == NULL) {
            continue;
        }
        if (w->tilted && prb_channel_is_part_of_root(m, c)) {
            sal_diag_error(r->diag, prb_reader_place(element, "floor"),
                           "set the slopes to 0, or use a channel with the pose of the body",
                           "joint channel '%.80s' is a part of a pose in the world, which turns "
                           "where the floor of the recording slopes",
                           c->name);
            return false;
        }
        moves = moves || prb_channel_is_placed(m, c) ||
                (fabs(prb_channel_carried(m, c, 0, up, &place)) > 0 && place);
    }
    if (w->moved && !moves) {
        sal_diag_warning(r->diag, prb_reader_place(element, "floor"), "remove it",
                         "floor has no effect, since no channel is a position, a pose or a force");
    }
    return true;
}

/* The floor z = h + sx x + sy y has the normal n = (-sx, -sy, 1). The smallest rotation that takes
 * n to z is the inverse of the one that takes z to n. False after an error. */
static bool read_floor(prb_reader *r, const sal_xml *element, const prb_dataset *data,
                       prb_data_wish *w)
{
    double plane[3], to_normal[4];
    const char *help = "floor is h sx sy: the floor is the plane z = h + sx x + sy y";
    const int n = prb_grammar_reals("data", element, "floor", plane, 3);
    if (n != 3) {
        sal_diag_error(r->diag, prb_reader_place(element, "floor"), help,
                       "floor has %d number%s, but three are needed", n, n == 1 ? "" : "s");
        return false;
    }
    if (fabs(plane[1]) > 1 || fabs(plane[2]) > 1) {
        sal_diag_error(r->diag, prb_reader_place(element, "floor"), help,
                       "the slopes of the floor are %g and %g, but must be from -1 to 1", plane[1],
                       plane[2]);
        return false;
    }
    sal_quat_z_to(to_normal, (const double[3]){-plane[1], -plane[2], 1});
    sal_quat_conj(w->level, to_normal);
    w->height = plane[0];
    w->tilted = fabs(plane[1]) > 0 || fabs(plane[2]) > 0;
    w->moved = w->tilted || fabs(plane[0]) > 0;
    return check_moved(r, element, data, w);
}

/* Of one number the second is 0. False after an error. */
static bool read_belt(prb_reader *r, const sal_xml *element, const prb_dataset *data,
                      prb_data_wish *w)
{
    bool carried = false, place;
    w->belt[1] = w->belt[2] = 0;
    const int n = prb_grammar_reals("data", element, "belt", w->belt, 2);
    if (n > 2) {
        sal_diag_error(r->diag, prb_reader_place(element, "belt"),
                       "belt is vx vy, or vx: the velocity of walking over the belt, m/s",
                       "belt has %d numbers, but one or two are needed", n);
        return false;
    }
    for (int i = 0; i < data->nchannel; i++) {
        for (int k = 0; k < data->channel[i].n && w->channel[i] != NULL; k++) {
            const double v =
                prb_channel_carried(r->p->model, data->channel + i, k, w->belt, &place);
            carried = carried || fabs(v) > 0;
        }
    }
    if (fabs(w->belt[0]) + fabs(w->belt[1]) > 0 && !carried) {
        sal_diag_warning(r->diag, prb_reader_place(element, "belt"), "remove it",
                         "belt has no effect, since no channel is a position, a pose or a force "
                         "with a point");
    }
    return true;
}

/* Something must be measured, not only known. */
static bool check_measured(prb_reader *r, const prb_data_wish *w, const prb_dataset *data)
{
    int measured = 0;
    for (int i = 0; i < data->nchannel; i++) {
        measured += w->channel[i] != NULL && data->channel[i].nres > 0;
    }
    if (measured == 0) {
        sal_diag_error(r->diag, w->element->place, "add a channel with body, joint, sensor or site",
                       "no channel of these recordings measures the motion");
    }
    return measured > 0;
}

static bool read_wish(prb_reader *r, const sal_xml *element, const prb_dataset *data,
                      const sal_xml **elements, prb_data_wish *w)
{
    const int up = prb_grammar_choice("data", element, "up");
    w->element = element;
    w->format = prb_grammar_text("data", element, "format");
    w->clip = prb_grammar_text("data", element, "clip");
    w->time = prb_grammar_text("data", element, "time");
    w->rate = number_or(element, "rate", 0);
    w->from = number_or(element, "from", -(double)INFINITY);
    w->to = number_or(element, "to", (double)INFINITY);
    w->resample = number_or(element, "resample", 0);
    w->lowpass = number_or(element, "lowpass", 0);
    w->gap = number_or(element, "gap", 0);
    w->jump = number_or(element, "jump", 0);
    const int onjump = prb_grammar_choice("data", element, "onjump");
    w->skips_jumps = onjump == 1;
    w->drops_jumps = onjump == 2;
    w->order = (int)prb_grammar_whole("data", element, "order");
    w->rest = (int)prb_grammar_whole("data", element, "rest");
    w->up = "\0zy"[up + 1];
    for (int i = 0; i < data->nchannel; i++) {
        w->channel[i] = data->channel[i].data == w->data ? elements[i] : NULL;
    }
    if (w->from >= w->to) {
        sal_diag_error(r->diag, prb_reader_place(element, "from"), NULL,
                       "from=%g s must be less than to=%g s", w->from, w->to);
        return false;
    }
    if (w->order % 2 != 0) {
        sal_diag_error(r->diag, prb_reader_place(element, "order"), NULL,
                       "order must be an even number");
        return false;
    }
    return check_up(r, w, data) && read_floor(r, element, data, w) &&
           read_belt(r, element, data, w) && check_measured(r, w, data);
}

/* ---- recordings ---- */

static void clear_recording(prb_recording *rec)
{
    sal_free(rec->name);
    sal_free(rec->file);
    sal_free(rec->cluster);
    sal_free(rec->value);
    *rec = (prb_recording){0};
}

static bool is_taken(const prb_dataset *data, const char *name)
{
    for (int i = 0; i < data->nrecording; i++) {
        if (strcmp(data->recording[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The file's name without folder and ending, and a number where that is taken. */
static char *name_of(prb_reader *r, const prb_dataset *data, const char *path)
{
    char name[PRB_WORD_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name - 16, "%s", slash == NULL ? path : slash + 1);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = 0;
    }
    const size_t n = strlen(name);
    for (int i = 2; is_taken(data, name); i++) {
        snprintf(name + n, 16, "#%d", i);
    }
    return prb_reader_copy(r, name);
}

/* How often what was warned of came again. */
static void repeat_doubts(prb_reader *r, const prb_data_wish *w)
{
    static const char *const what[] = {
        [PRB_DOUBT_GRAVITY] = "falls",       [PRB_DOUBT_ANGLE] = "angles",
        [PRB_DOUBT_VELOCITY] = "velocities", [PRB_DOUBT_FOLDED] = "samples",
        [PRB_DOUBT_UNIT] = "units",          [PRB_DOUBT_FORCE] = "forces",
        [PRB_DOUBT_RATE] = "rates",          [PRB_DOUBT_STILL] = "channels",
        [PRB_DOUBT_BELT] = "feet",           [PRB_DOUBT_JUMP] = "places"};
    for (int i = 0; i < PRB_NDOUBT; i++) {
        if (w->doubts[i] > 1) {
            sal_diag_warning(r->diag, w->element->place, NULL,
                             "there %s %d more such warning%s about the %s of these recordings",
                             w->doubts[i] == 2 ? "is" : "are", w->doubts[i] - 1,
                             w->doubts[i] == 2 ? "" : "s", what[i]);
        }
    }
}

/* ---- jumps ---- */

static void note_jumps(prb_reader *r, prb_data_wish *w, prb_dataset *data)
{
    prb_recording *rec = data->recording + data->nrecording - 1;
    if (rec->name != NULL) {
        sal_text_format(&w->jumping, "%s%s", w->njump == 0 ? "" : ", ", rec->name);
    }
    r->nomem = r->nomem || w->jumping.failed;
    w->njump++;
    if (w->skips_jumps) {
        clear_recording(rec);
        data->nrecording--;
    }
}

/* All recordings with jumps at once: who has hundreds of files wants to know of all that are
 * wrong. */
static void tell_jumps(prb_reader *r, const prb_data_wish *w, int nfile)
{
    const sal_place place = w->element->place;
    const char *names = w->jumping.data == NULL ? "" : w->jumping.data;
    if (w->njump == 0 || r->nomem) {
        return;
    }
    if (!w->skips_jumps) {
        if (w->njump > 1) {
            sal_diag_error(r->diag, place,
                           "set onjump=\"skip\" to leave them out, or jump= if the jumps are real",
                           "%d of %d recordings have jumps: %s", w->njump, nfile, names);
        }
    } else if (w->njump == nfile) {
        sal_diag_error(r->diag, prb_reader_place(w->element, "onjump"),
                       "look at the recordings; set jump= if the jumps are real",
                       "all %d recordings have jumps, so none is left", nfile);
    } else {
        sal_diag_warning(r->diag, prb_reader_place(w->element, "onjump"), NULL,
                         "%d of %d recordings have jumps and are left out: %s", w->njump, nfile,
                         names);
    }
}

/* ---- copies ---- */

/* Whether any number of a recording is not the same throughout: things at rest look alike. */
static bool is_moved(const prb_dataset *data, const prb_recording *rec)
{
    const size_t width = (size_t)data->nvalue * sizeof(double);
    for (int k = 1; k < rec->nsample; k++) {
        if (memcmp(rec->value, rec->value + (size_t)k * (size_t)data->nvalue, width) != 0) {
            return true;
        }
    }
    return false;
}

/* A copy of a file under another name would count twice, like a file that is named twice. */
static void check_copy(prb_reader *r, const prb_dataset *data, const prb_data_file *file)
{
    const prb_recording *rec = data->recording + data->nrecording - 1;
    const size_t size = (size_t)rec->nsample * (size_t)data->nvalue * sizeof(double);
    for (const prb_recording *other = data->recording; other < rec; other++) {
        const bool same = other->data == rec->data && other->nsample == rec->nsample &&
                          fabs(other->dt - rec->dt) < 1e-9 * rec->dt && other->value != NULL &&
                          strcmp(other->file, rec->file) != 0 &&
                          memcmp(other->value, rec->value, size) == 0;
        if (same && is_moved(data, rec)) {
            sal_diag_error(r->diag, file->place, "leave one of them out by skip=",
                           "'%.300s' has the same samples as '%.300s'; they would be used twice",
                           rec->file, other->file);
            return;
        }
    }
}

static void read_files(prb_reader *r, prb_data_wish *w, const prb_data_files *files,
                       prb_dataset *data)
{
    prb_recording *all =
        prb_reader_alloc(r, (size_t)data->nrecording + (size_t)files->n + 1, sizeof *all);
    if (all == NULL) {
        return;
    }
    if (data->nrecording > 0) {
        memcpy(all, data->recording, (size_t)data->nrecording * sizeof *all);
    }
    sal_free(data->recording);
    data->recording = all;
    for (int i = 0; i < files->n && !r->nomem; i++) {
        prb_recording *rec = all + data->nrecording;
        const prb_data_file *file = files->file + i;
        prb_track track = {.r = r, .wish = w, .data = data, .file = file};
        rec->data = w->data;
        rec->name = name_of(r, data, file->path);
        rec->file = prb_reader_copy(r, file->path);
        rec->cluster = prb_reader_copy(r, file->cluster != NULL ? file->cluster
                                          : rec->name != NULL   ? rec->name
                                                                : "");
        data->nrecording++;
        const bool good = prb_track_read(&track, rec);
        if (track.jumps) {
            note_jumps(r, w, data);
        } else if (good && rec->file != NULL) {
            check_copy(r, data, file);
        }
    }
    repeat_doubts(r, w);
    tell_jumps(r, w, files->n);
}

static void read_one(prb_reader *r, const sal_xml *element, int number, prb_dataset *data,
                     const sal_xml **elements)
{
    prb_data_files files = {0};
    prb_data_wish wish = {.data = number};
    const int before = r->diag->nerror;
    wish.channel = prb_reader_alloc(r, (size_t)data->nchannel + 1, sizeof *wish.channel);
    if (wish.channel != NULL && read_wish(r, element, data, elements, &wish)) {
        prb_data_find_files(r, element, &files);
        if (r->diag->nerror == before && !r->nomem) {
            read_files(r, &wish, &files, data);
        }
    }
    prb_data_files_clear(&files);
    sal_text_clear(&wish.jumping);
    sal_free(wish.channel);
}

void prb_read_data(prb_reader *r)
{
    int ndata = 0, nchannel = 0, number = 0;
    for (const sal_xml *d = r->doc.root->child; d != NULL; d = d->next) {
        const bool is = strcmp(d->tag, "data") == 0;
        ndata += is;
        nchannel += is ? count_children(d, "channel") : 0;
    }
    if (ndata == 0 || r->p->model == NULL) {
        if (ndata == 0) {
            sal_diag_error(r->diag, r->doc.root->place, "add <data>, which names the recordings",
                           "an identification needs recordings");
        }
        return;
    }
    prb_dataset *data = r->p->data = prb_reader_alloc(r, 1, sizeof *data);
    const sal_xml **elements = prb_reader_alloc(r, (size_t)nchannel + 1, sizeof *elements);
    if (data != NULL) {
        data->channel = prb_reader_alloc(r, (size_t)nchannel + 1, sizeof *data->channel);
    }
    const bool good = data != NULL && data->channel != NULL && elements != NULL &&
                      read_channels(r, data, elements);
    for (const sal_xml *d = r->doc.root->child; d != NULL && good && !r->nomem; d = d->next) {
        if (strcmp(d->tag, "data") == 0) {
            read_one(r, d, number++, data, elements);
        }
    }
    sal_free(elements);
}

void prb_dataset_free(prb_dataset *data)
{
    if (data == NULL) {
        return;
    }
    for (int i = 0; i < data->nchannel; i++) {
        sal_free(data->channel[i].name);
        sal_free(data->channel[i].sigma);
    }
    for (int i = 0; i < data->nrecording; i++) {
        clear_recording(data->recording + i);
    }
    sal_free(data->channel);
    sal_free(data->recording);
    sal_free(data);
}
