/* sweep_page_player.c: the motions of a sweep, one of which plays at a time: the best first, then
 * the others in the order of the grid, of many every so many. */
#include "pages/sweep_page.h"

/* A page is to open in a few seconds. */
enum { MOST_MOTIONS = 40, MOST_BYTES = 16 << 20 };

/* ---- what is read ---- */

static void take_note(page_page *p, const sal_err *why)
{
    if (p->nunread++ == 0) {
        p->unread = *why;
    }
}

/* Adds one, if it can be read. */
static sal_status add_motion(page_page *p, int cell, sal_err *err)
{
    sal_result *r = NULL;
    prb_gait *g = NULL;
    sal_err why = {0};
    sal_text name = {0};
    sal_status status = page_read_motion(p, cell, &r, &why, err);
    if (status == SAL_OK && r == NULL) {
        take_note(p, &why);
    } else if (status == SAL_OK) {
        status = prb_gait_new(&g, r, err);
    }
    if (g != NULL) {
        page_cell(p, cell, &name);
        p->player.failed |= name.failed;
        status = page_player_motion(g, p->nplayed, name.failed ? "" : name.data, &p->player, err);
        p->nplayed++;
    }
    sal_text_clear(&name);
    prb_gait_free(g);
    sal_result_free(r);
    return status;
}

/* Whether number i of n is among the so many that are spread evenly over them */
static bool is_spread(int i, int n, int most)
{
    return n <= most || (long long)i * most / n != ((long long)i + 1) * most / n;
}

sal_status page_add_player(page_page *p, sal_err *err)
{
    const int ncell = p->view->ncell, best = page_next_best(p, p->figure->value, -1);
    sal_status status = SAL_OK;
    for (int c = 0; c < ncell; c++) {
        p->nmotion += page_has_motion(p, c);
    }
    if (page_player_script == NULL || best < 0) {
        return SAL_OK;
    }
    status = add_motion(p, best, err);
    for (int c = 0, seen = 0; c < ncell && status == SAL_OK; c++) {
        if (!page_has_motion(p, c)) {
            continue;
        }
        const bool chosen = c != best && is_spread(seen++, p->nmotion, MOST_MOTIONS - 1);
        if (chosen && p->nplayed < MOST_MOTIONS && p->player.length < MOST_BYTES) {
            status = add_motion(p, c, err);
        }
    }
    return status;
}

/* ---- the section ---- */

static void say_unread(const page_page *p)
{
    if (p->nunread > 0) {
        sal_text_format(p->out,
                        "<p class=\"note broken\">%d of %d motions cannot be read, and do not "
                        "play. Of the first: ",
                        p->nunread, p->nmotion);
        page_html_text(p->out, p->unread.message);
        sal_text_add(p->out, "</p>\n");
    }
}

sal_status page_play(const page_page *p, sal_err *err)
{
    (void)err;
    if (p->nplayed == 0) {
        say_unread(p);
        return SAL_OK;
    }
    page_player_section_of_many(p->out);
    say_unread(p);
    if (p->nplayed + p->nunread < p->nmotion) {
        sal_text_format(
            p->out,
            "<p class=\"note\">%d of %d motions play here. <code>saltus table --columns "
            "point,motion</code> names the file of each, and <code>saltus report</code> "
            "makes its page.</p>\n",
            p->nplayed, p->nmotion);
    }
    sal_text_addn(p->out, p->player.data, p->player.length);
    p->out->failed |= p->player.failed;
    return SAL_OK;
}
