/* recordings_csv.c: all recordings of an identification as one table: what was measured, what the
 * fit says, and what was predicted; a row for each sample. */
#include "identify/identify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The four that each number of a channel has. */
static const char *const kinds[] = {"measured", "fitted", "predicted", "nominal"};
enum { NKIND = sizeof kinds / sizeof kinds[0] };

/* A name between quotes if the table needs them (RFC 4180). */
static void put_name(sal_text *out, const char *prefix, const char *name, const char *suffix)
{
    const bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    sal_text_format(out, "%s%s", quoted ? "\"" : "", prefix);
    for (const char *c = name; *c != 0; c++) {
        sal_text_addn(out, c, 1);
        if (*c == '"') {
            sal_text_add(out, "\"");
        }
    }
    sal_text_format(out, "%s%s", suffix, quoted ? "\"" : "");
}

static void put_header(sal_text *out, const sal_identification_result *e)
{
    sal_text_add(out, "recording,held,time");
    for (int i = 0; i < e->nq; i++) {
        sal_text_format(out, ",qpos%d", i);
    }
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        for (int i = 0; i < of->n; i++) {
            char number[16] = "";
            if (of->n > 1) {
                snprintf(number, sizeof number, ":%d", i);
            }
            for (int k = 0; k < NKIND; k++) {
                char prefix[16];
                snprintf(prefix, sizeof prefix, "%s:", kinds[k]);
                sal_text_add(out, ",");
                put_name(out, prefix, of->name, number);
            }
        }
    }
    sal_text_add(out, "\n");
}

static void put_number(sal_text *out, double x)
{
    sal_text_add(out, ",");
    sal_text_real(out, x, 17);
}

/* A recording of the fit has steps between its samples, a predicted one its first state alone. */
static void put_sample(sal_text *out, const sal_identification_result *e,
                       const sal_identification_recording *r, int sample)
{
    const double *const kind[NKIND] = {r->measured, r->fitted, r->predicted, r->predicted_nominal};
    const int between = r->nsample > 1 ? r->nstep / (r->nsample - 1) : 0;
    const double *q =
        r->nstep > 0 || sample == 0 ? r->qpos + (size_t)(sample * between) * (size_t)e->nq : NULL;
    put_name(out, "", r->name, "");
    sal_text_format(out, ",%d", r->held);
    put_number(out, r->start + sample * r->dt);
    for (int i = 0; i < e->nq; i++) {
        put_number(out, q == NULL ? (double)NAN : q[i]);
    }
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        for (int i = of->adr; i < of->adr + of->n; i++) {
            for (int k = 0; k < NKIND; k++) {
                put_number(out, kind[k][(size_t)sample * (size_t)e->nvalue + (size_t)i]);
            }
        }
    }
    sal_text_add(out, "\n");
}

sal_status sal_identification_csv(const sal_result *result, sal_text *out, sal_err *err)
{
    const sal_identification_result *e = sal_identification_of(result);
    if (e == NULL) {
        return sal_fail(err, SAL_BADINPUT, "this result is not of an identification");
    }
    put_header(out, e);
    for (int i = 0; i < e->nrecording; i++) {
        for (int k = 0; k < e->recording[i].nsample; k++) {
            put_sample(out, e, e->recording + i, k);
        }
    }
    return out->failed ? sal_fail(err, SAL_NOMEM, "out of memory for a table") : SAL_OK;
}
