/* player_search.c: how the motion was found, for the player: cost and violation of the accepted
 * iterations of each start. */
#include "pages/player.h"

enum { MOST_STARTS = 64 };

static double number_of(const prb_iteration *i, int which)
{
    const double of[] = {i->linearisation, i->cost, i->violation};
    return of[which];
}

static void put_numbers(page_player *p, int start, const char *key, int which)
{
    const sal_result *r = p->g->r;
    size_t n = 0;
    for (int k = 0; k < r->niteration; k++) {
        if (r->iteration[k].start == start) {
            p->number[n++] = (float)number_of(r->iteration + k, which);
        }
    }
    page_player_numbers(p, key, n);
}

/* An identification has no violation. */
static void put_starts(page_player *p)
{
    const sal_result *r = p->g->r;
    int nstart = 0;
    for (int k = 0; k < r->niteration; k++) {
        nstart = r->iteration[k].start >= nstart ? r->iteration[k].start + 1 : nstart;
    }
    sal_json_array(&p->json, "starts");
    for (int s = 0; s < nstart && s < MOST_STARTS; s++) {
        sal_json_object(&p->json, NULL);
        sal_json_bool(&p->json, "shown", s == r->start);
        put_numbers(p, s, "linearisation", 0);
        put_numbers(p, s, "cost", 1);
        if (sal_identification_of(r) == NULL) {
            put_numbers(p, s, "violation", 2);
        }
        sal_json_end(&p->json);
    }
    sal_json_end(&p->json);
}

static void put_phases(page_player *p)
{
    const sal_result *r = p->g->r;
    sal_json_array(&p->json, "phases");
    for (int k = 0; k < r->niteration; k++) {
        if (page_begins_phase(r, k)) {
            sal_json_object(&p->json, NULL);
            sal_json_string(&p->json, "name", r->iteration[k].phase);
            sal_json_integer(&p->json, "at", r->iteration[k].linearisation);
            sal_json_end(&p->json);
        }
    }
    sal_json_end(&p->json);
}

void page_player_search(page_player *p)
{
    if (p->g->r->niteration > 0) {
        sal_json_object(&p->json, "search");
        put_starts(p);
        put_phases(p);
        sal_json_end(&p->json);
    }
}
