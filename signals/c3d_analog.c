/* Analog channels of a C3D file. A sample is (word - ANALOG:OFFSET) ANALOG:SCALE ANALOG:GEN_SCALE;
 * a frame of markers has several, of which the first belongs to its instant. A row has their mean
 * from half a frame before its instant to half a frame behind it, so that nothing is delayed, and
 * what is faster than the markers does not fold back.
 */
#include "signals/c3d_analog.h"

#include "signals/reader.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LISTS = 100 };

/* ---- what the file says of them ---- */

/* ANALOG:NAME, and NAME2, NAME3, .. where it has more than 255: to[0], to[step], .. */
static void take_numbers(sig_c3d_analog *a, const char *name, double *to, size_t step)
{
    double x[255];
    for (int list = 1, done = 0; list <= MOST_LISTS && done < a->nchannel; list++) {
        char which[24];
        snprintf(which, sizeof which, list == 1 ? "%s" : "%s%d", name, list);
        const int n = sig_c3d_numbers(a->c, "ANALOG", which, x, 255);
        for (int i = 0; i < n && done < a->nchannel; i++, done++) {
            /* what counts from 0 to 65535 stands in a signed word */
            const double own =
                a->is_unsigned && strcmp(name, "OFFSET") == 0 && x[i] < 0 ? x[i] + 65536 : x[i];
            *(double *)((char *)to + (size_t)done * step) = own;
        }
        if (n == 0) {
            return;
        }
    }
}

static void describe_channels(sig_c3d_analog *a)
{
    double gain = 1;
    char format[16] = "";
    sig_c3d_text(a->c, "ANALOG", "FORMAT", 0, format, sizeof format);
    a->is_unsigned = strcmp(format, "UNSIGNED") == 0 && a->h->word == 2;
    sig_c3d_numbers(a->c, "ANALOG", "GEN_SCALE", &gain, 1);
    for (int i = 0; i < a->nchannel; i++) {
        a->channel[i].scale = 1;
        sig_c3d_listed(a->c, "ANALOG", "UNITS", i, a->channel[i].unit, sizeof a->channel[i].unit);
    }
    take_numbers(a, "SCALE", &a->channel[0].scale, sizeof *a->channel);
    take_numbers(a, "OFFSET", &a->channel[0].offset, sizeof *a->channel);
    for (int i = 0; i < a->nchannel; i++) {
        a->channel[i].scale *= gain;
    }
}

sal_status sig_c3d_analog_open(sig_c3d_analog *a, sal_diag *diag, sal_err *err)
{
    const int per_frame = a->h->per_frame;
    a->sign = 1;
    if (a->h->nanalog == 0) {
        return SAL_OK;
    }
    if (per_frame < 1 || a->h->nanalog % per_frame != 0) {
        sal_diag_error(diag, (sal_place){&a->c->s->source, 0, 1}, NULL,
                       "the header says that a frame has %d analog numbers, and %d samples of each "
                       "channel; the first must be a multiple of the second",
                       a->h->nanalog, per_frame);
        return sal_diag_status(diag, err);
    }
    a->nchannel = a->h->nanalog / per_frame;
    a->channel = sal_alloc((size_t)a->nchannel, sizeof *a->channel);
    if (a->channel == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d analog channels", a->nchannel);
    }
    describe_channels(a);
    const sal_status status = sig_c3d_plates_open(a, err);
    a->ncol = SIG_C3D_WRENCH * a->nplate;
    for (int i = 0; i < a->nchannel; i++) {
        a->ncol += !a->channel[i].taken;
    }
    return status;
}

void sig_c3d_analog_close(sig_c3d_analog *a)
{
    sal_free(a->channel);
    sal_free(a->plate);
}

/* ---- columns ---- */

sal_status sig_c3d_analog_name(sig_c3d_analog *a, int first, sal_err *err)
{
    sig_signals *s = a->c->s;
    int k = first;
    sal_status status = SAL_OK;
    for (int i = 0; i < a->nplate && status == SAL_OK; i++, k += SIG_C3D_WRENCH) {
        status = sig_c3d_plate_name(a, i, k, err);
    }
    for (int i = 0; i < a->nchannel && status == SAL_OK; i++) {
        char name[128];
        if (a->channel[i].taken) {
            continue;
        }
        if (!sig_c3d_listed(a->c, "ANALOG", "LABELS", i, name, sizeof name)) {
            snprintf(name, sizeof name, "analog_%d", i + 1);
        }
        status = sig_name(s, k, name, strlen(name), "",
                          sig_list(s, "analog channel %d: %s", i + 1, name), err);
        snprintf(s->column[k].unit, sizeof s->column[k].unit, "%s", a->channel[i].unit);
        k++;
    }
    if (a->nchannel > 0) {
        sal_text_format(&s->remark,
                        "%d analog channels, %.9g samples a second: a row has the mean of those "
                        "around its instant\n",
                        a->nchannel, a->h->per_frame * a->h->rate);
    }
    return status;
}

/* ---- numbers ---- */

double sig_c3d_analog_sample(const sig_c3d_analog *a, int channel, long long at)
{
    const sig_c3d_header *h = a->h;
    const size_t frame = (size_t)(at / h->per_frame), part = (size_t)(at % h->per_frame);
    const unsigned char *b =
        a->c->bytes + sig_c3d_frame(h, frame) +
        h->word * (4 * (size_t)h->npoint + part * (size_t)a->nchannel + (size_t)channel);
    const double word = h->word == 4     ? sig_c3d_real(b)
                        : a->is_unsigned ? sig_c3d_word(b)
                                         : sig_c3d_integer(b);
    return (word - a->channel[channel].offset) * a->channel[channel].scale;
}

/* By trapezia, where a frame has an even number of samples. Before the first frame there is
 * nothing: its row has the sample of its instant. */
double sig_c3d_analog_value(const sig_c3d_analog *a, int channel, long long frame)
{
    const long long at = frame * a->h->per_frame, half = frame > 0 ? a->h->per_frame / 2 : 0;
    const double edge = half > 0 && a->h->per_frame % 2 == 0 ? .5 : 1;
    double sum = 0, weight = 0;
    for (long long k = -half; k <= half; k++) {
        const double w = k == half || k == -half ? edge : 1;
        sum += w * sig_c3d_analog_sample(a, channel, at + k);
        weight += w;
    }
    return sum / weight;
}

void sig_c3d_analog_fill(const sig_c3d_analog *a, int first)
{
    const sig_signals *s = a->c->s;
    for (int row = 0; row < s->nrow && a->ncol > 0; row++) {
        double *to = s->value + (size_t)row * (size_t)s->ncol + (size_t)first;
        for (int i = 0; i < a->nplate; i++, to += SIG_C3D_WRENCH) {
            sig_c3d_plate_fill(a, i, row, sig_c3d_analog_value, to);
        }
        for (int i = 0; i < a->nchannel; i++) {
            if (!a->channel[i].taken) {
                *to++ = sig_c3d_analog_value(a, i, row);
            }
        }
    }
}
