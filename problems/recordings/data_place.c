/* data_place.c: where the numbers of a recording stand in its file, and when; doubts about them. */
#include "problems/recordings/data_read.h"

sal_place prb_track_place(const prb_track *t, int k, int v)
{
    return t->column[v] < t->nown ? sig_signals_cell(&t->s, t->row[k], t->column[v])
                                  : t->s.column[t->column[v]].place;
}

double prb_track_time(const prb_track *t, int row)
{
    if (t->time >= 0) {
        return t->unit * t->s.value[(size_t)row * (size_t)t->s.ncol + (size_t)t->time];
    }
    return t->s.start + row / (t->wish->rate > 0 ? t->wish->rate : t->s.rate);
}

void prb_track_doubt(prb_track *t, prb_data_doubt doubt, sal_place place, const char *help,
                     const char *text)
{
    if (t->wish->doubts[doubt]++ == 0) {
        sal_diag_warning(t->r->diag, place, help, "%s", text);
    }
}
