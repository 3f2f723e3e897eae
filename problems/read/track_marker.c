/* track_marker.c: which recorded markers may be beside their sites: those that terms or constraints
 * name with marker="..", so that the search finds where they are. */
#include "problems/quantity.h"
#include "problems/recordings/data.h"
#include "problems/recordings/track.h"

#include <string.h>

/* Whether a channel measures where the marker of this site is. */
static bool is_measured(const sal_problem *p, int site)
{
    for (int i = 0; p->data != NULL && i < p->data->nchannel; i++) {
        const prb_channel *c = p->data->channel + i;
        if (c->kind == PRB_CHANNEL_SITE && c->id == site) {
            return true;
        }
    }
    return false;
}

static bool names(const sal_xml_attr *attr, const char *site)
{
    const size_t n = strlen(site);
    if (strcmp(attr->value, "all") == 0) {
        return true;
    }
    for (const char *at = attr->value; n > 0 && (at = strstr(at, site)) != NULL; at += n) {
        const bool begins = at == attr->value || strchr(" \t\n\r", at[-1]) != NULL;
        if (begins && (at[n] == 0 || strchr(" \t\n\r", at[n]) != NULL)) {
            return true;
        }
    }
    return false;
}

/* Whether a term, a constraint or the input of a function is about the marker of this site. */
static bool is_sought(const prb_reader *r, const char *site)
{
    for (const sal_xml *list = r->doc.root->child; list != NULL; list = list->next) {
        for (const sal_xml *c = list->child; c != NULL; c = c->next) {
            const sal_xml_attr *attr = sal_xml_find_attr(c, "marker");
            if (attr != NULL && names(attr, site)) {
                return true;
            }
        }
    }
    return false;
}

void prb_track_markers(prb_reader *r)
{
    sal_problem *p = r->p;
    const sal_model *m = p->model;
    const size_t nsite = (size_t)m->nsite;
    p->offset = prb_reader_alloc(r, nsite, sizeof *p->offset);
    p->init_offset = prb_reader_alloc(r, 3 * nsite, sizeof *p->init_offset);
    const bool room = p->offset != NULL && p->init_offset != NULL;
    for (int site = 0; site < m->nsite && room; site++) {
        if (is_measured(p, site) && is_sought(r, sal_model_name(m, SAL_OBJ_SITE, site))) {
            p->offset[p->noffset++] = site;
        }
    }
}

int prb_track_marker(const sal_problem *p, const prb_channel *c)
{
    for (int i = 0; i < p->noffset && c->kind == PRB_CHANNEL_SITE; i++) {
        if (p->offset[i] == c->id) {
            return 1 + i;
        }
    }
    return 0;
}

static bool is_followed(const sal_problem *p, int marker)
{
    for (int k = 0; k < p->nterm; k++) {
        if (p->term[k].feature.offset == 1 + marker) {
            return true;
        }
    }
    return false;
}

void prb_check_markers(prb_reader *r, const sal_xml *list)
{
    const sal_problem *p = r->p;
    for (const sal_xml *c = list == NULL ? NULL : list->child; c != NULL; c = c->next) {
        const sal_xml_attr *attr = sal_xml_find_attr(c, "marker");
        for (int i = 0; i < p->noffset && attr != NULL; i++) {
            const char *site = sal_model_name(p->model, SAL_OBJ_SITE, p->offset[i]);
            if (names(attr, site) && !is_followed(p, i)) {
                sal_diag_warning(r->diag, attr->name_place,
                                 "add <term data=\"..\"/> for its channel, or remove it",
                                 "where marker '%s' is beside its site has no effect, since no "
                                 "term follows it",
                                 site);
            }
        }
    }
}
