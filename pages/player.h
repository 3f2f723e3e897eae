/* player.h: the JSON of a motion, and the parts of it that have files of their own; private to
 * pages/ */
#ifndef SAL_PAGES_PLAYER_H
#define SAL_PAGES_PLAYER_H

#include "pages/report.h"

typedef struct page_player {
    const prb_gait *g;
    /* the whole period: the result, or what it unrolls to */
    const sal_result *r;
    sal_result *own;
    const sal_model *m;
    sal_data *d;
    sal_json json;
    /* [largest array] */
    float *number;
    sal_text letters;
} page_player;

/* Column i of n rows of so many numbers, into p->number; NaN where there is none. */
void page_player_column(page_player *p, const double *data, int n, int stride, int i);
/* The first n of p->number as a member of the JSON. */
void page_player_numbers(page_player *p, const char *key, size_t n);

/* How it was found: cost and violation over the linearisations (player_search.c). */
void page_player_search(page_player *p);
/* Of an identification: some recordings, measured and fitted (player_recordings.c). */
void page_player_recordings(page_player *p);

#endif
