/* schedule.c: whose turn it is. A point is open once the point before it is done: then its cells
 * stand in line. What a run finds in the folder is done from the beginning, provided that it began
 * with the motion it would begin with now.
 */
#include "base/house.h"
#include "sweeps/folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double AWAY = 0.25; /* s until cells of other runs are looked at again */

enum { NOT_OURS, WAITING, RUNNING, DONE, FAILED };

struct sal_schedule {
    const sal_sweep *s;
    const char *folder;
    unsigned char *state;  /* [ncell] */
    unsigned char *kind;   /* [ncell] of those that are done or failed: sal_outcome_kind */
    int *tries;            /* [ncell] in this run */
    double *cost;          /* [ncell] */
    int *left;             /* [npoint] cells that are neither done nor failed */
    int *source;           /* [npoint] the cell whose motion its cells begin with; -1: none */
    int *give;             /* [npoint] the cell whose motion those after it begin with; -1: none */
    int *after_at, *after; /* [npoint + 1], [npoint] points that begin with one's motion */
    int *line, head, tail; /* [ncell + 1] a ring of cells in line */
    int *away, naway;      /* [ncell] cells that another run has */
    double wake;           /* when these are looked at again */
    sal_tally tally;
    void *memory;
};

/* ---- memory ---- */

static void place(sal_schedule *q, sal_layout *layout)
{
    const size_t ncell = (size_t)q->s->ncell, npoint = (size_t)q->s->npoint;
    q->state = sal_layout_take(layout, ncell, 1);
    q->kind = sal_layout_take(layout, ncell, 1);
    q->tries = sal_layout_take(layout, ncell, sizeof(int));
    q->cost = sal_layout_take(layout, ncell, sizeof(double));
    q->left = sal_layout_take(layout, npoint, sizeof(int));
    q->source = sal_layout_take(layout, npoint, sizeof(int));
    q->give = sal_layout_take(layout, npoint, sizeof(int));
    q->after_at = sal_layout_take(layout, npoint + 1, sizeof(int));
    q->after = sal_layout_take(layout, npoint, sizeof(int));
    q->line = sal_layout_take(layout, ncell + 1, sizeof(int));
    q->away = sal_layout_take(layout, ncell, sizeof(int));
}

void sal_schedule_free(sal_schedule *q)
{
    if (q != NULL) {
        sal_free(q->memory);
        sal_free(q);
    }
}

/* The points after each point, in their order. */
static void list_after(sal_schedule *q)
{
    const sal_sweep *s = q->s;
    for (int p = 0; p < s->npoint; p++) {
        if (s->before[p] >= 0) {
            q->after_at[s->before[p] + 1]++;
        }
    }
    for (int p = 0; p < s->npoint; p++) {
        q->after_at[p + 1] += q->after_at[p];
    }
    for (int p = 0; p < s->npoint; p++) { /* each list's begin moves to its end, .. */
        if (s->before[p] >= 0) {
            q->after[q->after_at[s->before[p]]++] = p;
        }
    }
    memmove(q->after_at + 1, q->after_at,
            (size_t)s->npoint * sizeof(int)); /* where the next begins */
    q->after_at[0] = 0;
}

static void make_ours(sal_schedule *q, int point)
{
    const int n = q->s->nrepeat;
    for (int k = 0; k < n; k++) {
        q->tally.cells += q->state[point * n + k] == NOT_OURS;
        q->state[point * n + k] = WAITING;
    }
}

/* Every nshard-th chain is ours: points along the first continuation, of which one begins with
 * another's motion; and, as others may be out of reach, those that ours begin with, whosever they
 * are. */
static void share(sal_schedule *q, int shard, int nshard)
{
    const sal_sweep *s = q->s;
    int *owner = q->give, chain = 0; /* lent: nothing has been given yet */
    for (int i = 0; i < s->npoint; i++) {
        const int p = s->order[i];
        owner[p] = s->along[p] == 0 ? owner[s->before[p]] : chain++ % nshard;
        q->left[p] = s->nrepeat;
    }
    for (int i = s->npoint - 1; i >= 0; i--) { /* what comes after a point has had its turn */
        const int p = s->order[i];
        if (owner[p] == shard) {
            make_ours(q, p);
        }
        if (q->state[p * s->nrepeat] != NOT_OURS && s->before[p] >= 0) {
            make_ours(q, s->before[p]);
        }
    }
    q->tally.waiting = q->tally.cells;
}

/* ---- the line ---- */

static void stand_in_line(sal_schedule *q, int cell)
{
    q->line[q->tail] = cell;
    q->tail = (q->tail + 1) % (q->s->ncell + 1);
}

static void open_point(sal_schedule *q, int point)
{
    for (int k = 0; k < q->s->nrepeat; k++) {
        if (q->state[point * q->s->nrepeat + k] == WAITING) {
            stand_in_line(q, point * q->s->nrepeat + k);
        }
    }
}

/* The physical cell of lowest cost; the first of equals; -1: none is. */
static int best_of(const sal_schedule *q, int point)
{
    int best = -1;
    for (int k = 0; k < q->s->nrepeat; k++) {
        const int c = point * q->s->nrepeat + k;
        const bool good = q->state[c] == DONE && q->kind[c] == SAL_CELL_PHYSICAL;
        best = good && (best < 0 || q->cost[c] < q->cost[best]) ? c : best;
    }
    return best;
}

/* With keep="best" the other motions have had their time. */
static void drop_motions(const sal_schedule *q, int point, int best)
{
    char path[4200];
    for (int k = 0; k < q->s->nrepeat && q->s->keep == SAL_KEEP_BEST && q->folder != NULL; k++) {
        const int c = point * q->s->nrepeat + k;
        if (c != best && best >= 0) {
            sal_sweep_motion(path, sizeof path, q->folder, q->s->hash[c]);
            unlink(path);
        }
    }
}

/* All cells of a point are done: what begins with its motion may begin. */
static void close_point(sal_schedule *q, int point)
{
    const int best = best_of(q, point);
    drop_motions(q, point, best);
    q->give[point] = best >= 0 ? best : q->source[point];
    for (int i = q->after_at[point]; i < q->after_at[point + 1]; i++) {
        q->source[q->after[i]] = q->give[point];
        open_point(q, q->after[i]);
    }
}

static void settle(sal_schedule *q, int cell, int state, sal_outcome_kind kind, double cost)
{
    q->state[cell] = (unsigned char)state;
    q->kind[cell] = (unsigned char)kind;
    q->cost[cell] = cost;
    q->left[cell / q->s->nrepeat]--;
    q->tally.physical += state == DONE && kind == SAL_CELL_PHYSICAL;
    q->tally.unsolved += state == DONE && kind == SAL_CELL_UNSOLVED;
    q->tally.failed += state == FAILED;
}

/* ---- what is there already ---- */

typedef struct found { /* the records of a point's cells that count */
    sal_record record;
    bool counts;
} found;

static sal_status look_at(const sal_schedule *q, int cell, const char *from, found *f, sal_err *err)
{
    const sal_status status =
        swp_record_read(&f->record, q->folder, q->s->hash[cell], &f->counts, err);
    const sal_outcome_kind kind = swp_record_kind(&f->record);
    f->counts = status == SAL_OK && f->counts && strcmp(f->record.from, from) == 0 &&
                (kind == SAL_CELL_PHYSICAL || kind == SAL_CELL_UNSOLVED);
    if (f->counts) { /* who wrote the record may have been killed before this */
        swp_cell_drop_checkpoint(q->folder, q->s->hash[cell]);
    }
    return status;
}

/* Of cells whose motion should be there but is not, none counts. Where the best is to be kept and
 * all are done, the others need not be. */
static void look_at_motions(const sal_schedule *q, int point, found *f)
{
    const int n = q->s->nrepeat;
    int best = -1;
    bool all = true;
    for (int k = 0; k < n; k++) {
        all = all && f[k].counts;
        if (f[k].counts && swp_record_kind(&f[k].record) == SAL_CELL_PHYSICAL &&
            (best < 0 || swp_record_figure(&f[k].record, "cost") <
                             swp_record_figure(&f[best].record, "cost"))) {
            best = k;
        }
    }
    for (int k = 0; k < n && q->s->keep != SAL_KEEP_NONE; k++) {
        const bool needed = q->s->keep == SAL_KEEP_ALL || !all || best < 0 || k == best;
        f[k].counts = f[k].counts && (!needed || swp_record_has_motion(&f[k].record, q->folder,
                                                                       q->s->hash[point * n + k]));
    }
}

/* Takes over what is done of a point whose turn has come. */
static sal_status take_over(sal_schedule *q, int point, found *f, sal_err *err)
{
    const sal_sweep *s = q->s;
    const int source = q->source[point];
    sal_status status = SAL_OK;
    for (int k = 0; k < s->nrepeat && status == SAL_OK; k++) {
        status = look_at(q, point * s->nrepeat + k, source < 0 ? "" : s->hash[source], &f[k], err);
    }
    if (status == SAL_OK) {
        look_at_motions(q, point, f);
    }
    for (int k = 0; k < s->nrepeat; k++) {
        if (f[k].counts && status == SAL_OK) {
            settle(q, point * s->nrepeat + k, DONE, swp_record_kind(&f[k].record),
                   swp_record_figure(&f[k].record, "cost"));
            q->tally.waiting--;
            q->tally.reused++;
        }
        swp_record_clear(&f[k].record);
        f[k].counts = false;
    }
    return status;
}

/* Points in their order, as far as those before them are done. */
static sal_status look(sal_schedule *q, sal_err *err)
{
    const sal_sweep *s = q->s;
    found *f = sal_alloc((size_t)s->nrepeat, sizeof *f);
    sal_status status = f == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
    for (int i = 0; i < s->npoint && status == SAL_OK; i++) {
        const int p = s->order[i], before = s->before[p];
        if (q->state[p * s->nrepeat] == NOT_OURS || (before >= 0 && q->left[before] > 0)) {
            continue;
        }
        q->source[p] = before < 0 ? -1 : q->give[before];
        status = q->folder == NULL ? SAL_OK : take_over(q, p, f, err);
        if (status == SAL_OK && q->left[p] == 0) {
            const int best = best_of(q, p);
            drop_motions(q, p, best);
            q->give[p] = best >= 0 ? best : q->source[p];
        } else if (status == SAL_OK) {
            open_point(q, p);
        }
    }
    sal_free(f);
    return status;
}

sal_status sal_schedule_new(sal_schedule **out, const sal_sweep *s, const char *folder, int shard,
                            int nshard, sal_err *err)
{
    sal_schedule *q = sal_alloc(1, sizeof *q);
    *out = NULL;
    if (q == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a schedule");
    }
    *q = (sal_schedule){.s = s, .folder = folder};
    sal_layout layout = {0};
    place(q, &layout);
    q->memory = sal_alloc(layout.size, 1);
    sal_status status =
        q->memory == NULL
            ? sal_fail(err, SAL_NOMEM, "out of memory for a schedule of %d cells", s->ncell)
            : SAL_OK;
    if (status == SAL_OK) {
        layout = (sal_layout){.base = q->memory};
        place(q, &layout);
        list_after(q);
        share(q, shard, nshard);
        status = look(q, err);
    }
    if (status != SAL_OK) {
        sal_schedule_free(q);
        return status;
    }
    *out = q;
    return SAL_OK;
}

/* ---- in a run ---- */

int sal_schedule_next(sal_schedule *q, int *source, int *tries)
{
    if (q->head == q->tail && q->naway > 0 && sal_seconds_now() >= q->wake) {
        for (int i = 0; i < q->naway; i++) {
            stand_in_line(q, q->away[i]);
        }
        q->naway = 0;
    }
    if (q->head == q->tail) {
        return -1;
    }
    const int cell = q->line[q->head];
    q->head = (q->head + 1) % (q->s->ncell + 1);
    q->state[cell] = RUNNING;
    q->tally.waiting--;
    q->tally.running++;
    *source = q->source[cell / q->s->nrepeat];
    *tries = q->tries[cell] + 1;
    return cell;
}

/* Whether the machine may do better another time. */
static bool is_worth_another(sal_outcome_kind kind)
{
    return kind == SAL_CELL_CRASHED || kind == SAL_CELL_TIMEOUT || kind == SAL_CELL_NOMEM;
}

/* Not done: it waits again, in line or for another run. */
static void put_back(sal_schedule *q, int cell, bool away)
{
    q->state[cell] = WAITING;
    q->tally.waiting++;
    if (away) {
        q->away[q->naway++] = cell;
        q->wake = sal_seconds_now() + AWAY;
    } else {
        stand_in_line(q, cell);
    }
}

bool sal_schedule_done(sal_schedule *q, const sal_outcome *out)
{
    const int cell = out->cell;
    const bool done = out->kind == SAL_CELL_PHYSICAL || out->kind == SAL_CELL_UNSOLVED,
               never = out->kind == SAL_CELL_BUSY || out->kind == SAL_CELL_STOPPED ||
                       out->kind == SAL_CELL_UNWRITTEN;
    q->tally.running--;
    q->tries[cell] += !never;
    if (never || (is_worth_another(out->kind) && q->tries[cell] < q->s->tries)) {
        put_back(q, cell, out->kind == SAL_CELL_BUSY);
        return false;
    }
    settle(q, cell, done ? DONE : FAILED, out->kind, out->cost);
    q->tally.reused += out->found;
    if (q->left[cell / q->s->nrepeat] == 0) {
        close_point(q, cell / q->s->nrepeat);
    }
    return !done;
}

void sal_schedule_tally(const sal_schedule *q, sal_tally *tally)
{
    *tally = q->tally;
}

bool sal_schedule_is_done(const sal_schedule *q)
{
    return q->tally.waiting == 0 && q->tally.running == 0;
}
