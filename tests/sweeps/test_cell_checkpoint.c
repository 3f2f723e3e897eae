/* A cell that is cut short goes on from its checkpoint, to the same bytes; and when there is none,
 * or none that it can use. */
#include "tests/problems/problem_files.h"

#include "sweeps/folder.h"

static const char pend[] =
    "<mujoco model='pend'><compiler angle='radian'/><worldbody><body>"
    "<joint name='hinge' type='hinge' axis='0 1 0' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -1' size='.05' mass='1'/></body></worldbody>"
    "<actuator><motor joint='hinge' name='m' gear='20'/></actuator></mujoco>";

static const char reach[] =
    "<problem name='reach'><model file='pend.xml'/><time nstep='20' duration='1'/>"
    "<boundary type='open'><start qpos='0'/><end qpos='2'/></boundary>"
    "<cost><term name='effort' ctrl='all'/></cost></problem>";

static const char masses[] = "<sweep name='s' problem='reach.xml'>"
                             "<axis name='m' path='geom[#0]/mass' values='1 2'/></sweep>";

static const char starts[] = "<sweep name='s' problem='reach.xml'>"
                             "<set path='init/nstart' value='3'/>"
                             "<set path='init/noise' value='.1'/>"
                             "<axis name='m' path='geom[#0]/mass' values='1 2'/></sweep>";

static sal_sweep *read_sweep(const char *text)
{
    sal_sweep *s = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("pend.xml", pend, strlen(pend));
    files_write("reach.xml", reach, strlen(reach));
    files_write("sweep.xml", text, strlen(text));
    CHECK_OK(sal_sweep_read(&s, files_path("sweep.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    if (s == NULL) {
        exit(1);
    }
    return s;
}

/* ---- cells that are watched ---- */

typedef struct count {
    int told;  /* linearisations, of all starts */
    int first; /* the number of the first one; 0: none was told */
    int most;  /* after which it is to stop */
} count;

static bool on_progress(void *user, int start, const sal_progress *p)
{
    count *c = user;
    (void)start;
    c->first = c->first == 0 ? p->linearisation : c->first;
    return ++c->told < c->most;
}

/* Solves a cell into a folder, until so many linearisations were told. */
static sal_outcome_kind solve(count *c, const sal_sweep *s, const char *folder, int cell, int most)
{
    char path[600];
    sal_err err = {0};
    sal_outcome out;
    *c = (count){.most = most};
    const sal_watch watch = {.progress = on_progress, .user = c};
    snprintf(path, sizeof path, "%s", files_path(folder));
    CHECK_OK(sal_sweep_begin(s, path, &err), err);
    sal_sweep_solve(&out, s, path, cell, -1, 1, 1, &watch);
    return out.kind;
}

enum { TO_THE_END = 1000000 };

static const char *checkpoint_of(const sal_sweep *s, const char *folder, int cell)
{
    static char path[1000];
    char base[600];
    snprintf(base, sizeof base, "%s", files_path(folder));
    swp_cell_checkpoint(path, sizeof path, base, s->hash[cell]);
    return path;
}

static bool has_checkpoint(const sal_sweep *s, const char *folder, int cell)
{
    return access(checkpoint_of(s, folder, cell), F_OK) == 0;
}

static bool same_motion(const sal_sweep *s, const char *a, const char *b, int cell)
{
    char one[1000], other[1000], base[600], *x = NULL, *y = NULL;
    size_t n = 0, m = 1;
    snprintf(base, sizeof base, "%s", files_path(a));
    sal_sweep_motion(one, sizeof one, base, s->hash[cell]);
    snprintf(base, sizeof base, "%s", files_path(b));
    sal_sweep_motion(other, sizeof other, base, s->hash[cell]);
    const bool same = sal_text_read_file(one, 1 << 30, &x, &n, NULL) == SAL_OK &&
                      sal_text_read_file(other, 1 << 30, &y, &m, NULL) == SAL_OK && n == m &&
                      memcmp(x, y, n) == 0;
    sal_free(x);
    sal_free(y);
    return same;
}

/* ---- the cases ---- */

static void a_cell_goes_on_where_it_was_cut_short(void)
{
    sal_sweep *s = read_sweep(masses);
    count whole, first, second, third;
    CHECK(solve(&whole, s, "whole", 0, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(!has_checkpoint(s, "whole", 0) && whole.told > 10);
    CHECK(solve(&first, s, "cut", 0, 3) == SAL_CELL_STOPPED);
    CHECK(has_checkpoint(s, "cut", 0) && !has_checkpoint(s, "cut", 1));
    CHECK(solve(&second, s, "cut", 0, 4) == SAL_CELL_STOPPED);
    CHECK(second.first == 4 && has_checkpoint(s, "cut", 0));
    CHECK(solve(&third, s, "cut", 0, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(third.first == 8 && first.told + second.told + third.told == whole.told);
    CHECK(!has_checkpoint(s, "cut", 0) && same_motion(s, "whole", "cut", 0));
    sal_sweep_free(s);
}

static void so_does_one_of_several_starts(void)
{
    sal_sweep *s = read_sweep(starts);
    count whole, part;
    CHECK(solve(&whole, s, "starts", 1, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(solve(&part, s, "starts-cut", 1, whole.told / 2) == SAL_CELL_STOPPED);
    const int told = part.told;
    CHECK(solve(&part, s, "starts-cut", 1, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(told + part.told == whole.told);
    CHECK(!has_checkpoint(s, "starts-cut", 1) && same_motion(s, "starts", "starts-cut", 1));
    sal_sweep_free(s);
}

static void what_is_of_no_use_is_removed(void)
{
    sal_sweep *s = read_sweep(masses);
    char own[1000], file[1100];
    count c;
    CHECK(solve(&c, s, "whole", 1, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(solve(&c, s, "other", 0, 5) == SAL_CELL_STOPPED); /* of another cell */
    snprintf(own, sizeof own, "%s", checkpoint_of(s, "other", 1));
    CHECK(rename(checkpoint_of(s, "other", 0), own) == 0);
    CHECK(solve(&c, s, "other", 1, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(c.first == 1 && !has_checkpoint(s, "other", 1) && same_motion(s, "whole", "other", 1));

    CHECK(solve(&c, s, "damaged", 1, 5) == SAL_CELL_STOPPED);
    snprintf(file, sizeof file, "%s/0", checkpoint_of(s, "damaged", 1));
    CHECK(truncate(file, 100) == 0);
    CHECK(solve(&c, s, "damaged", 1, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(c.first == 1 && !has_checkpoint(s, "damaged", 1));
    CHECK(same_motion(s, "whole", "damaged", 1));
    sal_sweep_free(s);
}

static void short_cells_have_none(void)
{
    sal_sweep *s = read_sweep(masses);
    sal_outcome out;
    sal_err err = {0};
    char path[600];
    count c = {.most = 5};
    const sal_watch watch = {.progress = on_progress, .user = &c, .checkpoint_after = 1e6};
    snprintf(path, sizeof path, "%s", files_path("short"));
    CHECK_OK(sal_sweep_begin(s, path, &err), err);
    sal_sweep_solve(&out, s, path, 0, -1, 1, 1, &watch);
    CHECK(out.kind == SAL_CELL_STOPPED && c.told == 5 && !has_checkpoint(s, "short", 0));
    sal_sweep_free(s);
}

/* A cell that failed, or ran out of time, begins anew; and what was left beside a finished one, by
 * a process that was killed in between, is removed. */
static void it_ends_with_the_cell(void)
{
    sal_sweep *s = read_sweep(masses);
    sal_schedule *q = NULL;
    sal_err err = {0};
    char path[600], end[1000];
    count c;
    snprintf(path, sizeof path, "%s", files_path("ends"));
    CHECK(solve(&c, s, "ends", 0, 5) == SAL_CELL_STOPPED);
    sal_sweep_begin_anew(s, path, 0);
    CHECK(!has_checkpoint(s, "ends", 0));
    CHECK(solve(&c, s, "ends", 0, 5) == SAL_CELL_STOPPED && c.first == 1);
    const sal_outcome failed = {.cell = 0, .source = -1, .kind = SAL_CELL_CRASHED};
    CHECK_OK(sal_sweep_fail(s, path, &failed, 2, &err), err);
    CHECK(!has_checkpoint(s, "ends", 0));

    CHECK(solve(&c, s, "ends", 0, TO_THE_END) == SAL_CELL_PHYSICAL);
    CHECK(solve(&c, s, "left", 0, 5) == SAL_CELL_STOPPED);
    snprintf(end, sizeof end, "%s", checkpoint_of(s, "ends", 0));
    CHECK(rename(checkpoint_of(s, "left", 0), end) == 0 && has_checkpoint(s, "ends", 0));
    CHECK_OK(sal_schedule_new(&q, s, path, 0, 1, &err), err);
    CHECK(!has_checkpoint(s, "ends", 0));
    sal_schedule_free(q);
    sal_sweep_free(s);
}

int main(void)
{
    RUN(a_cell_goes_on_where_it_was_cut_short);
    RUN(so_does_one_of_several_starts);
    RUN(what_is_of_no_use_is_removed);
    RUN(short_cells_have_none);
    RUN(it_ends_with_the_cell);
    files_remove();
    return check_done();
}
