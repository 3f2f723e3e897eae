/* wanted.c: the list of outputs that are wanted of invdyn, each once. */
#include "problems/wanted.h"

#include <string.h>

static bool same_set(const unsigned char *a, const unsigned char *b, int n)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, (size_t)n) == 0);
}

static bool same(const sal_model *m, const sal_output *a, const sal_output *b)
{
    return a->kind == b->kind && a->id == b->id && a->other == b->other && a->load == b->load &&
           a->point.body == b->point.body && a->point.pos[0] == b->point.pos[0] &&
           a->point.pos[1] == b->point.pos[1] && a->point.pos[2] == b->point.pos[2] &&
           a->point.radius == b->point.radius && a->point.plane == b->point.plane &&
           same_set(a->geoms, b->geoms, m->ngeom) && same_set(a->others, b->others, m->ngeom);
}

int prb_wanted_number(prb_wanted *list, const sal_output *output)
{
    int i = 0;
    while (i < list->noutput && !same(list->tr->p->model, list->output + i, output)) {
        i++;
    }
    if (i == list->noutput) {
        list->output[list->noutput++] = *output;
    }
    return i;
}

void prb_want(prb_wanted *list, sal_output output)
{
    if (list->output != NULL) {
        list->own[list->nown] = prb_wanted_number(list, &output);
    }
    list->nown++;
}

/* Marks a geom, or for -1 - body all geoms of a body. */
static void mark(const sal_model *m, unsigned char *marks, const int *shape, int n)
{
    for (int i = 0; i < n; i++) {
        for (int g = 0; g < m->ngeom; g++) {
            const bool is_it = shape[i] >= 0 ? g == shape[i] : m->geom_bodyid[g] == -1 - shape[i];
            marks[g] = marks[g] || is_it;
        }
    }
}

void prb_want_contact(prb_wanted *list, sal_output output, const int *shape, int n, const int *with,
                      int nwith)
{
    const sal_model *m = list->tr->p->model;
    if (list->output != NULL) {
        unsigned char *geoms = list->marks + 2 * (size_t)list->nown * (size_t)m->ngeom,
                      *others = geoms + m->ngeom;
        mark(m, geoms, shape, n);
        mark(m, others, with, nwith);
        output.geoms = geoms;
        output.others = nwith > 0 ? others : NULL;
    }
    prb_want(list, output);
}
