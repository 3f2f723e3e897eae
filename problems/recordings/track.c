/* track.c: what a recording says of an instant of a motion. */
#include "problems/recordings/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Durations and times are written with few decimals: so much of a sample beyond the last one, the
 * last one holds. */
static const double beyond = .01;

const prb_recording *prb_track_recording(const prb_dataset *data, const prb_channel *c)
{
    const prb_recording *found = NULL;
    for (int i = 0; i < data->nrecording; i++) {
        if (data->recording[i].data == c->data) {
            if (found != NULL) {
                return NULL;
            }
            found = &data->recording[i];
        }
    }
    return found;
}

/* Where the quaternion of a sample stands among its n numbers; -1: there is none. */
static int quaternion_of(const prb_channel *c)
{
    return c->kind == PRB_CHANNEL_BODY && c->n == 7    ? 3
           : c->kind == PRB_CHANNEL_JOINT && c->n == 4 ? 0
                                                       : -1;
}

/* measured = scale true + offset, but for quaternions */
static void undo(const prb_channel *c, double *value)
{
    const int quat = quaternion_of(c);
    for (int i = 0; i < c->n; i++) {
        if (quat < 0 || i < quat || i >= quat + 4) {
            value[i] = (value[i] - c->offset) / c->scale;
        }
    }
}

/* Between samples of which some are missing, at sample k + share; false where too many are. */
static bool bridge(const prb_dataset *data, const prb_recording *rec, const prb_channel *c, int k,
                   double share, double *value)
{
    bool known = share > 0 || (k > 0 && k < rec->nsample - 1);
    for (int i = 0; i < c->n && known; i++) {
        const prb_signal s = {.dt = rec->dt,
                              .x = rec->value + c->adr + i,
                              .n = rec->nsample,
                              .stride = data->nvalue,
                              .reach = rec->reach,
                              .straight = prb_channel_is_straight(c)};
        value[i] = prb_signal_at(&s, k, (k + share) * rec->dt);
        known = isfinite(value[i]);
    }
    return known;
}

bool prb_track_at(const prb_dataset *data, const prb_channel *c, double t, double *value)
{
    const double slack = 1e-6; /* of a sample: times are sums of steps */
    const prb_recording *rec = prb_track_recording(data, c);
    const double at = rec == NULL ? -1 : (t + c->delay) / rec->dt;
    if (!(at >= -slack) || at > rec->nsample - 1 + beyond) {
        return false;
    }
    const int last = rec->nsample - 1, k = (int)fmin(fmax(floor(at + slack), 0), last);
    const double part = k == last ? 0 : fmax(at - k, 0), share = part < slack ? 0 : part;
    const double *a = rec->value + (size_t)k * (size_t)data->nvalue + c->adr,
                 *b = share > 0 ? a + data->nvalue : a;
    const int quat = quaternion_of(c);
    double dot = 0;
    for (int i = quat; i < quat + 4 && quat >= 0; i++) {
        dot += a[i] * b[i];
    }
    bool known = true;
    for (int i = 0; i < c->n; i++) {
        const double sign = quat >= 0 && i >= quat && i < quat + 4 && dot < 0 ? -1 : 1;
        value[i] = a[i] + share * (sign * b[i] - a[i]);
        known = known && isfinite(value[i]);
    }
    known = known || bridge(data, rec, c, k, share, value);
    if (quat >= 0 && known) {
        known = sal_quat_normalise(value + quat) > 0.1;
    }
    undo(c, value);
    return known;
}

/* ---- the channels that an attribute names ---- */

static bool lasts(prb_reader *r, const prb_channel *c, sal_place place)
{
    const prb_recording *rec = prb_track_recording(r->p->data, c);
    if (rec == NULL) {
        sal_diag_error(
            r->diag, place, "name one file, without wildcards",
            "a term can follow only one recording; channel '%s' belongs to none or to several",
            c->name);
        return false;
    }
    if (rec->nsample == 0 && r->diag->nerror > 0) {
        return false; /* it could not be read, which is said */
    }
    const double length = (rec->nsample - 1) * rec->dt;
    if (r->p->duration > length + beyond * rec->dt) {
        sal_diag_error(r->diag, place,
                       "shorten time/duration, or include more of the recording by 'from' and 'to'",
                       "the motion lasts %.9g s, but the recording of channel '%s' only %.9g s",
                       r->p->duration, c->name, length);
        return false;
    }
    return true;
}

static int find_channel(prb_reader *r, const prb_word *word)
{
    const prb_dataset *data = r->p->data;
    const char **names = prb_reader_alloc(r, (size_t)data->nchannel, sizeof *names);
    const char *near = NULL;
    char help[PRB_WORD_MAX + 32] = "";
    int found = -1;
    for (int i = 0; i < data->nchannel && names != NULL; i++) {
        names[i] = data->channel[i].name;
        found = strcmp(names[i], word->text) == 0 ? i : found;
    }
    if (found < 0 && names != NULL) {
        near = sal_text_nearest(word->text, names, (size_t)data->nchannel);
        snprintf(help, sizeof help, "did you mean '%.100s'?", near == NULL ? "" : near);
        sal_diag_error(r->diag, word->place, near == NULL ? NULL : help,
                       "there is no channel '%.100s'", word->text);
    }
    sal_free(names);
    return found;
}

bool prb_track_channels(prb_reader *r, const sal_xml *element, const char *attribute,
                        unsigned char *chosen)
{
    const prb_dataset *data = r->p->data;
    const sal_xml_attr *attr = sal_xml_find_attr(element, attribute);
    const int before = r->diag->nerror;
    if (data == NULL || data->nchannel == 0) {
        if (prb_reader_element(r, "data") == NULL) {
            sal_diag_error(r->diag, attr->name_place, "add <data> with its <channel>s",
                           "there is no recording to follow");
        }
        return false;
    }
    const bool all = strcmp(attr->value, "all") == 0;
    memset(chosen, all ? 1 : 0, (size_t)data->nchannel);
    prb_word word = {.attr = attr};
    while (!all && prb_reader_word(r, &word)) {
        const int c = find_channel(r, &word);
        if (c >= 0) {
            chosen[c] = 1;
        }
    }
    for (int i = 0; i < data->nchannel && r->diag->nerror == before; i++) {
        if (chosen[i]) {
            lasts(r, &data->channel[i], attr->value_place);
        }
    }
    return r->diag->nerror == before;
}
