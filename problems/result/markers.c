/* markers.c: where recorded markers were found to be beside their sites: in a result, in its file,
 * and where a search begins with it. */
#include "problems/result/result_store.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sal_status prb_markers_found(sal_result *r, const prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    r->marker = sal_alloc((size_t)p->noffset, sizeof *r->marker);
    if (r->marker == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", p->noffset);
    }
    r->nmarker = p->noffset;
    for (int i = 0; i < p->noffset; i++) {
        prb_marker_report *marker = r->marker + i;
        char text[SAL_LABEL_MAX];
        snprintf(marker->site, sizeof marker->site, "%s",
                 prb_short_name(p->model, SAL_OBJ_SITE, p->offset[i], text));
        memcpy(marker->offset, tr->offset + 3 * i, sizeof marker->offset);
    }
    return SAL_OK;
}

double prb_markers_beside(const sal_result *r, int *farthest)
{
    double sum = 0, most = -1;
    for (int i = 0; i < r->nmarker; i++) {
        const double *o = r->marker[i].offset, square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
        sum += square;
        if (square > most) {
            most = square;
            *farthest = i;
        }
    }
    return sqrt(sum / r->nmarker);
}

void prb_store_marker_fit(sig_h5 *f, prb_marker_fit *fit)
{
    if (sig_h5_writing(f) ? isnan(fit->rms) : !sig_h5_has_group(f, "marker_fit")) {
        return;
    }
    sig_h5_group(f, "marker_fit");
    sig_h5_attr_real(f, "rms", &fit->rms);
    sig_h5_attr_real(f, "worst", &fit->worst);
    sig_h5_attr_text(f, "site", fit->site, sizeof fit->site);
    sig_h5_attr_real(f, "model", &fit->model);
}

void prb_store_markers(sig_h5 *f, sal_result *r)
{
    static const char *const axis[] = {"x", "y", "z"};
    const size_t stride = sizeof *r->marker;
    if (sig_h5_writing(f) ? r->nmarker == 0 : !sig_h5_has_group(f, "marker")) {
        return;
    }
    sig_h5_group(f, "marker");
    if (!sig_h5_writing(f)) {
        r->marker = prb_store_list_room(f, "site", &r->nmarker, stride);
    }
    prb_marker_report none = {0}, *first = r->nmarker > 0 ? r->marker : &none;
    prb_store_list_texts(f, "site", r->nmarker, first->site, stride, sizeof first->site);
    for (int i = 0; i < 3; i++) {
        prb_store_list_reals(f, axis[i], "m", r->nmarker, &first->offset[i], stride);
    }
}

void prb_begin_markers(sal_problem *p, const sal_result *from)
{
    for (int i = 0; i < p->noffset; i++) {
        char text[SAL_LABEL_MAX];
        const char *site = prb_short_name(p->model, SAL_OBJ_SITE, p->offset[i], text);
        for (int k = 0; k < from->nmarker; k++) {
            if (strcmp(from->marker[k].site, site) == 0) {
                memcpy(p->init_offset + 3 * i, from->marker[k].offset,
                       sizeof from->marker[k].offset);
            }
        }
    }
}
