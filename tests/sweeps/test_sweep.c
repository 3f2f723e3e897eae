/* Sweeps: what a file spans, how cells are named, whose turn it is, and what a cell leaves in the
 * folder. */
#include "tests/problems/problem_files.h"

#include "sweeps/folder.h"

/* A mass on a slide that is pushed from one place to another: solved in milliseconds. */
static const char puck[] = "<mujoco><option gravity='0 0 0'/><worldbody><body name='puck'>"
                           "<joint name='x' type='slide' axis='1 0 0'/>"
                           "<geom name='puck' size='.1' mass='2'/></body></worldbody>"
                           "<actuator><motor name='push' joint='x'/></actuator></mujoco>";
static const char push[] =
    "<problem name='push'><model file='puck.xml'/><time nstep='10' duration='1'/>"
    "<boundary type='open'><start qpos='0' qvel='0'/><end qpos='1' qvel='0'/></boundary>"
    "<cost><term name='effort' ctrl='all' weight='1'/></cost></problem>";

static const char *folder(void)
{
    return files_path("out");
}

static void write_files(const char *elements)
{
    static char text[4000];
    files_write("puck.xml", puck, strlen(puck));
    files_write("push.xml", push, strlen(push));
    snprintf(text, sizeof text, "<sweep name='s' problem='push.xml'>%s</sweep>", elements);
    files_write("sweep.xml", text, strlen(text));
}

/* The sweep with these elements, which must be good. */
static sal_sweep *read_sweep(const char *elements)
{
    sal_sweep *s = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    write_files(elements);
    CHECK_OK(sal_sweep_read(&s, files_path("sweep.xml"), NULL, &diag, &err), err);
    if (s == NULL && diag.text.data != NULL) {
        printf("%s", diag.text.data);
    }
    sal_diag_clear(&diag);
    if (s == NULL) {
        exit(1);
    }
    return s;
}

static const char *value(const sal_sweep *s, int point, int axis)
{
    return s->axis[axis].value[sal_sweep_value(s, point, axis)];
}

/* ---- what a file spans ---- */

static void axes_are_crossed_and_the_last_runs_fastest(void)
{
    sal_sweep *s = read_sweep("<axis name='mass' path='geom[puck]/mass' values='1 2 4'/>"
                              "<axis name='time' path='time/duration' range='.5 2' count='4'/>"
                              "<repeat count='2'/>");
    CHECK(s->npoint == 12 && s->ncell == 24);
    CHECK_TEXT(value(s, 0, 0), "1");
    CHECK_TEXT(value(s, 5, 0), "2"); /* 5 = 1 * 4 + 1 */
    CHECK_TEXT(value(s, 5, 1), "1");
    CHECK_TEXT(value(s, 11, 1), "2");
    CHECK(s->before[5] == -1);
    sal_sweep_free(s);
}

static void axes_may_go_together(void)
{
    sal_sweep *s = read_sweep(
        "<axis name='a' path='geom[puck]/mass' range='.01 100' count='5' log='true'/>"
        "<axis name='g' path='option/gravity' values='0 0 1; 0 0 2 ;0 0 3'/>"
        "<axis name='w' values='x y z' with='g'/>"
        "<axis name='n' path='option/gravity' values='1 2 3' with='g' template='0 0 -{}'/>");
    CHECK(s->npoint == 15 && s->ngroup == 2);
    static const double ratio[] = {.01, .1, 1, 10, 100};
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(s->axis[0].number[i], ratio[i], 1e-10 * ratio[i]);
    }
    CHECK_TEXT(value(s, 4, 1), "0 0 2");
    CHECK_TEXT(value(s, 4, 2), "y");
    CHECK_TEXT(s->axis[3].setting[2], "0 0 -3");
    CHECK(isnan(s->axis[1].number[0]) && isnan(s->axis[2].number[0]));
    sal_sweep_free(s);
}

/* Of a Halton sequence in two dimensions the first 36 = 4 * 9 numbers fall once into each box of
 * 1/4 x 1/9, shifted or not (shifts of the torus move boxes: counted from the shift, which the
 * first number gives). */
static void halton_fills_the_square_evenly(void)
{
    sal_sweep *s =
        read_sweep("<axis name='a' path='geom[puck]/mass' range='1 2' count='36' sample='halton'/>"
                   "<axis name='b' path='time/duration' range='1 2' with='a'/>");
    int count[4][9] = {{0}};
    CHECK(s->npoint == 36);
    const double x0 = s->axis[0].number[0] - 1 - .5, y0 = s->axis[1].number[0] - 1 - 1. / 3;
    for (int i = 0; i < 36; i++) {
        double x = s->axis[0].number[i] - 1 - x0 + 1e-9, y = s->axis[1].number[i] - 1 - y0 + 1e-9;
        x -= floor(x), y -= floor(y);
        count[(int)(4 * x)][(int)(9 * y)]++;
    }
    /* 1..36 and not 0..35: box (0, 0) of 0 is that of 36 */
    for (int i = 0; i < 36; i++) {
        CHECK(count[i / 9][i % 9] == 1);
    }
    sal_sweep_free(s);
}

static void random_samples_depend_on_the_seed_alone(void)
{
    const char *axis =
        "<axis name='a' path='geom[puck]/mass' range='1 2' count='50' sample='random'/>";
    sal_sweep *a = read_sweep(axis), *b = read_sweep(axis);
    bool same = true, inside = true;
    double mean = 0;
    for (int i = 0; i < 50; i++) {
        same = same && strcmp(a->axis[0].value[i], b->axis[0].value[i]) == 0;
        inside = inside && a->axis[0].number[i] >= 1 && a->axis[0].number[i] <= 2;
        mean += a->axis[0].number[i] / 50;
    }
    CHECK(same && inside);
    CHECK_NEAR(mean, 1.5, 4 / sqrt(12.0 * 50));
    sal_sweep_free(a);
    sal_sweep_free(b);
}

static void files_are_found_beside_the_sweep(void)
{
    files_write("heavy_1.xml", puck, strlen(puck));
    files_write("heavy_2.xml", puck, strlen(puck));
    sal_sweep *s = read_sweep("<axis name='model' path='model/file' files='heavy_*.xml'/>");
    CHECK(s->npoint == 2);
    CHECK_TEXT(value(s, 1, 0), "heavy_2.xml");
    CHECK_TEXT(s->axis[0].setting[1], files_path("heavy_2.xml"));
    CHECK_TEXT(s->hash[0], s->hash[1]); /* the same bytes */
    sal_sweep_free(s);
}

/* 3 x 3 without its middle, from b = 2 along b, then from a = 3 along a. */
static void motions_are_handed_on_around_holes(void)
{
    sal_sweep *s = read_sweep("<axis name='a' path='geom[puck]/mass' values='1 2 3'/>"
                              "<axis name='b' path='time/duration' values='1 2 3'/>"
                              "<continuation axis='b' from='2'/><continuation axis='a' from='3'/>"
                              "<skip where='a=2 b=2'/>");
    /* points 0..7:  (1,1) (1,2) (1,3) (2,1) (2,3) (3,1) (3,2) (3,3) */
    static const int before[8] = {1, 6, 1, 5, 7, 6, -1, 6};
    CHECK(s->npoint == 8);
    for (int p = 0; p < 8 && s->npoint == 8; p++) {
        if (s->before[p] != before[p]) {
            printf("point %d begins with %d, not %d\n", p, s->before[p], before[p]);
            check_case_faults++;
        }
    }
    CHECK(s->order[0] == 6);
    sal_sweep_free(s);
}

typedef struct fault {
    const char *elements, *says;
} fault;

static void faults_are_named(void)
{
    static const fault faults[] = {
        {"<axis name='a'/>", "an <axis> without values"},
        {"<axis name='a' values='1' range='1 2' count='2'/>", "has both 'values' and 'range'"},
        {"<axis name='a' range='1 2'/>", "a range without 'count'"},
        {"<axis name='a' range='-1 2' count='3' log='true'/>", "begins above 0"},
        {"<axis name='a' values='1 2'/><axis name='b' values='1 2 3' with='a'/>",
         "they cannot go together"},
        {"<axis name='a' values='1'/><axis name='a' values='1'/>", "a second axis 'a'"},
        {"<axis name='a' values='1' with='c'/>", "there is no earlier axis 'c'"},
        {"<axis name='speed' values='1'/><continuation axis='sped'/>", "did you mean 'speed'?"},
        {"<axis name='a' values='1 2'/><continuation axis='a' from='3'/>",
         "none of the values of 'a'"},
        {"<axis name='a' files='none_*.xml'/>", "no file is named like this"},
        {"<axis name='a' values='1'/><skip where='b=1'/>", "'b'"},
        {"<axis name='a' values='1'/><skip where='a=1'/>", "every point is left out"},
        {"<axis name='a' path='geom[pick]/mass' values='1'/>", "pick"},
        {"<axis name='a' path='time/nstep' values='10 1'/>", "that was with a = 1"},
        {"<column figure='term[effor]'/>", "no figure 'term[effor]'"},
        {"<column figure='term[effor]'/>", "did you mean 'term[effort]'?"},
        {"<axis name='a' values='1 2'/><column figure='foo'/>", "no figure 'foo'"},
        {"<column figure='parameter[x]'/>", "no figure 'parameter[x]'"},
        {"<axs name='a'/>", "unknown element <axs>"},
        {"<axis name='a' range='0 1' count='200000'/><axis name='b' range='0 1' count='200000'/>",
         "more than"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sal_sweep *s = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        write_files(faults[i].elements);
        CHECK(sal_sweep_read(&s, files_path("sweep.xml"), NULL, &diag, &err) == SAL_BADINPUT);
        if (diag.text.data == NULL || strstr(diag.text.data, faults[i].says) == NULL) {
            printf("no '%s' in: %s\n", faults[i].says,
                   diag.text.data == NULL ? "" : diag.text.data);
            check_case_faults++;
        }
        sal_sweep_free(s);
        sal_diag_clear(&diag);
    }
}

/* Whatever cells may have: figures, axes, what tables know, and ranges that the search adds. */
static void columns_show_what_results_have(void)
{
    static const char *const good[] = {"cost",
                                       "term[effort]",
                                       "term[regulariser]",
                                       "mass",
                                       "seconds",
                                       "recorded[slip]",
                                       "stance_left",
                                       "repeat",
                                       "travel",
                                       "deviation[turn]",
                                       "finished",
                                       "reason",
                                       "as_asked",
                                       "constraint[ctrlrange of push]"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "<axis name='mass' path='geom[puck]/mass' values='1 2'/><column figure='%s'/>",
                 good[i]);
        sal_sweep *s = read_sweep(text);
        CHECK(s->ncolumn == 1);
        sal_sweep_free(s);
    }
}

/* ---- names ---- */

static void name_of(char hash[SAL_HASH_SIZE], const char *elements)
{
    sal_sweep *s = read_sweep(elements);
    memcpy(hash, s->hash[0], SAL_HASH_SIZE);
    sal_sweep_free(s);
}

/* The same problem however it is arrived at; another where anything differs that matters. */
static void cells_are_named_by_what_goes_into_them(void)
{
    char a[SAL_HASH_SIZE], b[SAL_HASH_SIZE];
    name_of(a, "<axis name='m' path='geom[puck]/mass' values='3 4'/>");
    name_of(b, "<set path='geom[puck]/mass' value='3'/><limit time='5'/><column figure='cost'/>");
    CHECK_TEXT(a, b);
    name_of(b, "<axis name='m' path='geom[puck]/mass' values='3.5'/>");
    CHECK(strcmp(a, b) != 0);
    sal_sweep *s = read_sweep("<axis name='m' path='geom[puck]/mass' values='3 4'/>"
                              "<continuation axis='m'/>");
    CHECK_TEXT(s->hash[0], a);
    char cold[SAL_HASH_SIZE];
    name_of(cold, "<axis name='m' path='geom[puck]/mass' values='4'/>");
    CHECK(strcmp(s->hash[1], cold) != 0); /* it begins with a motion */
    sal_sweep_free(s);
}

static void the_contents_of_files_count_not_their_names(void)
{
    char a[SAL_HASH_SIZE], b[SAL_HASH_SIZE];
    name_of(a, "<axis name='m' path='time/duration' values='1'/>");
    files_write("other.xml", puck, strlen(puck));
    name_of(b, "<axis name='m' path='time/duration' values='1'/><set path='model/file' "
               "value='other.xml'/>");
    CHECK_TEXT(a, b);
    const char *heavier = files_replace(puck, "mass='2'", "mass='3'");
    files_write("other.xml", heavier, strlen(heavier));
    name_of(b, "<axis name='m' path='time/duration' values='1'/><set path='model/file' "
               "value='other.xml'/>");
    CHECK(strcmp(a, b) != 0);
}

/* ---- whose turn it is ---- */

typedef struct fate { /* what became of cells in a run that is played */
    int begun[200], order[400], n;
} fate;

/* Plays a run in which `crash` of a hundred cells crash at each try; at most `hands` at once. */
static void play(const sal_sweep *s, int shard, int nshard, int crash, int hands, fate *f)
{
    sal_schedule *q;
    sal_err err;
    sal_rng rng = {(uint64_t)crash * 7 + (uint64_t)hands};
    int at_work[8], source[8], n = 0, tries;
    CHECK_OK(sal_schedule_new(&q, s, NULL, shard, nshard, &err), err);
    while (!sal_schedule_is_done(q)) {
        for (int c = 0; n < hands && c >= 0;) {
            c = sal_schedule_next(q, &source[n], &tries);
            if (c >= 0) {
                f->begun[c]++;
                f->order[f->n++] = c;
                at_work[n++] = c;
            }
        }
        CHECK(n > 0);
        if (n == 0) {
            break;
        }
        const int i = (int)(sal_rng_next(&rng) % (unsigned)n);
        sal_outcome out = {.cell = at_work[i], .source = source[i], .cost = 1 + at_work[i] % 7};
        out.kind = (int)(sal_rng_next(&rng) % 100) < crash ? SAL_CELL_CRASHED : SAL_CELL_PHYSICAL;
        sal_schedule_done(q, &out);
        at_work[i] = at_work[n - 1], source[i] = source[n - 1];
        n--;
    }
    sal_tally tally;
    sal_schedule_tally(q, &tally);
    CHECK(tally.waiting == 0 && tally.running == 0 && tally.physical + tally.failed == tally.cells);
    sal_schedule_free(q);
}

static const char chains[] = "<axis name='a' path='geom[puck]/mass' values='1 2 3 4 5'/>"
                             "<axis name='b' path='time/duration' range='1 2' count='6'/>"
                             "<continuation axis='b' from='1.4'/><repeat count='3'/>"
                             "<limit tries='3'/>";

static void every_cell_has_its_turn_after_those_before_it(void)
{
    sal_sweep *s = read_sweep(chains);
    for (int hands = 1; hands < 8; hands += 3) {
        fate f = {{0}, {0}, 0};
        int at[200];
        play(s, 0, 1, 0, hands, &f);
        CHECK(f.n == s->ncell);
        for (int i = 0; i < f.n; i++) {
            at[f.order[i]] = i;
        }
        for (int c = 0; c < s->ncell; c++) {
            const int before = s->before[c / 3];
            CHECK(f.begun[c] == 1);
            CHECK(before < 0 || at[c] > at[3 * before + 2]);
        }
    }
    sal_sweep_free(s);
}

static void what_crashes_is_tried_again_and_no_more(void)
{
    sal_sweep *s = read_sweep(chains);
    fate f = {{0}, {0}, 0};
    int most = 0;
    play(s, 0, 1, 60, 4, &f);
    for (int c = 0; c < s->ncell; c++) {
        CHECK(f.begun[c] >= 1 && f.begun[c] <= 3);
        most = f.begun[c] > most ? f.begun[c] : most;
    }
    CHECK(most == 3);
    sal_sweep_free(s);
}

static void shards_have_each_cell_once_and_whole_chains(void)
{
    sal_sweep *s = read_sweep(chains);
    fate all = {{0}, {0}, 0};
    for (int i = 0; i < 3; i++) {
        fate f = {{0}, {0}, 0};
        play(s, i, 3, 0, 2, &f);
        for (int c = 0; c < s->ncell; c++) {
            all.begun[c] += f.begun[c];
            CHECK(s->before[c / 3] < 0 || f.begun[c] == f.begun[3 * s->before[c / 3]]);
        }
    }
    for (int c = 0; c < s->ncell; c++) {
        CHECK(all.begun[c] == 1);
    }
    sal_sweep_free(s);
}

/* Chains along b hang together along a: a shard has whole ones, and of the others what leads to
 * them. */
static void shards_of_a_tree_have_what_they_begin_with(void)
{
    sal_sweep *s = read_sweep("<axis name='a' path='geom[puck]/mass' values='1 2 3 4 5'/>"
                              "<axis name='b' path='time/duration' range='1 2' count='6'/>"
                              "<continuation axis='b' from='1.4'/>"
                              "<continuation axis='a' from='3'/>");
    fate all = {{0}, {0}, 0};
    for (int i = 0; i < 2; i++) {
        fate f = {{0}, {0}, 0};
        play(s, i, 2, 0, 2, &f);
        for (int c = 0; c < s->ncell; c++) {
            all.begun[c] += f.begun[c];
            CHECK(f.begun[c] == 0 || s->before[c] < 0 || f.begun[s->before[c]] == 1);
        }
        CHECK(f.n == (i == 0 ? 18 : 13)); /* masses 3, 4, 5 or so; 2, 1, and where 3 begins */
    }
    for (int c = 0; c < s->ncell; c++) {
        CHECK(all.begun[c] == 1 + (s->before[c] < 0)); /* the first of all is solved by both */
    }
    sal_sweep_free(s);
}

/* ---- the folder ---- */

/* Solves what is to be done, one after the other; how many cells were solved. */
static int run(const sal_sweep *s)
{
    sal_schedule *q;
    sal_err err;
    int source, tries, cell, solved = 0;
    CHECK_OK(sal_sweep_begin(s, folder(), &err), err);
    CHECK_OK(sal_schedule_new(&q, s, folder(), 0, 1, &err), err);
    while ((cell = sal_schedule_next(q, &source, &tries)) >= 0) {
        sal_outcome out;
        sal_sweep_solve(&out, s, folder(), cell, source, tries, 1, NULL);
        solved += !out.found;
        if (sal_schedule_done(q, &out)) {
            CHECK_OK(sal_sweep_fail(s, folder(), &out, tries, &err), err);
        }
    }
    CHECK(sal_schedule_is_done(q));
    sal_schedule_free(q);
    return solved;
}

/* F = m a: effort of a unit of mass once, scaled by m^2; cost = mean of u^2 / 2. */
static void records_hold_the_figures(void)
{
    sal_sweep *s = read_sweep("<axis name='m' path='geom[puck]/mass' values='1 3'/>");
    sal_sweep_view *v = NULL;
    sal_err err;
    CHECK(run(s) == 2);
    CHECK_OK(sal_sweep_look(&v, folder(), &err), err);
    if (v != NULL && v->ncell == 2) {
        const double light = swp_record_figure(&v->record[0], "cost");
        CHECK(light > 0);
        CHECK_NEAR(swp_record_figure(&v->record[1], "cost"), 9 * light, 1e-2 * light);
        CHECK_NEAR(swp_record_figure(&v->record[0], "term[effort]"), light, 1e-3 * light);
        CHECK_NEAR(swp_record_figure(&v->record[0], "duration"), 1, 1e-12);
        CHECK_NEAR(swp_record_figure(&v->record[1], "weight"), 3 * 9.81, 1e-9);
        CHECK(v->motion[0] && v->motion[1]);
        CHECK_TEXT(v->record[0].status, "converged");
        CHECK_TEXT(v->value[1], "3");
        CHECK_TEXT(v->axis[0], "m");
    }
    sal_sweep_view_free(v);
    sal_sweep_free(s);
}

static void damage_cell(const sal_sweep *s, int cell, const char *ending)
{
    char path[1024];
    swp_cell_path(path, sizeof path, folder(), s->hash[cell], ending);
    FILE *f = fopen(path, "r+b");
    CHECK(f != NULL);
    if (f != NULL) {
        fseek(f, 100, SEEK_SET);
        fputc('#', f);
        fputc('<', f);
        fclose(f);
    }
}

static void what_is_finished_and_whole_is_not_done_again(void)
{
    const char *few =
                   "<axis name='d' path='time/duration' values='1 2 3'/><continuation axis='d'/>",
               *more =
                   "<axis name='d' path='time/duration' values='1 2 3 4'/><continuation axis='d'/>";
    sal_sweep *s = read_sweep(few);
    CHECK(run(s) == 3);
    CHECK(run(s) == 0);
    damage_cell(s, 1, ".h5");
    CHECK(run(s) == 1); /* and what began with it is what it was */
    damage_cell(s, 2, ".tsv");
    CHECK(run(s) == 1);
    sal_sweep_free(s);
    s = read_sweep(more);
    CHECK(run(s) == 1);
    sal_sweep_free(s);
}

/* A worker may die after it has finished, and before it has said so. */
static void what_is_done_does_not_fail(void)
{
    sal_sweep *s = read_sweep("<axis name='d' path='time/duration' values='1.3'/>");
    const sal_outcome out = {.cell = 0, .source = -1, .kind = SAL_CELL_CRASHED};
    sal_err err;
    CHECK(run(s) == 1);
    CHECK_OK(sal_sweep_fail(s, folder(), &out, 2, &err), err);
    CHECK(run(s) == 0);
    sal_sweep_free(s);
}

static int count_motions(const sal_sweep *s)
{
    char path[1024];
    int n = 0;
    for (int c = 0; c < s->ncell; c++) {
        sal_sweep_motion(path, sizeof path, folder(), s->hash[c]);
        n += access(path, R_OK) == 0;
    }
    return n;
}

static void only_the_best_motions_are_kept_if_so_asked(void)
{
    sal_sweep *s = read_sweep("<axis name='d' path='time/duration' values='1.1 2.1'/>"
                              "<repeat count='3' keep='best'/><set path='init/noise' value='.1'/>");
    CHECK(run(s) == 6);
    CHECK(count_motions(s) == 2);
    CHECK(run(s) == 0);
    sal_sweep_free(s);
    s = read_sweep(
        "<axis name='d' path='time/duration' values='1.2 2.2'/><repeat count='2' keep='none'/>");
    CHECK(run(s) == 4);
    CHECK(count_motions(s) == 0);
    CHECK(run(s) == 0);
    sal_sweep_free(s);
}

static void what_makes_no_problem_is_recorded_with_its_reason(void)
{
    sal_sweep *s = read_sweep("<axis name='n' path='time/nstep' values='10 2 12'/>");
    sal_sweep_view *v = NULL;
    sal_err err;
    run(s);
    CHECK_OK(sal_sweep_look(&v, folder(), &err), err);
    if (v != NULL) {
        CHECK_TEXT(v->record[1].status, "failed");
        CHECK_TEXT(v->record[1].kind, "invalid");
        CHECK(strstr(v->record[1].reason, "nstep") != NULL);
    }
    sal_sweep_view_free(v);
    sal_sweep_free(s);
}

/* The plan is what a reader believes; it must not fall over a damaged one. */
static void a_damaged_plan_is_refused(void)
{
    sal_sweep *s = read_sweep("<axis name='n' values='1 2'/>");
    char path[300], *text = NULL;
    size_t n = 0;
    sal_err err;
    CHECK_OK(sal_sweep_begin(s, folder(), &err), err);
    snprintf(path, sizeof path, "%s/plan.tsv", folder());
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &n, &err), err);
    for (size_t length = 0; length < n; length += 7) {
        sal_sweep_view *v = NULL;
        CHECK_OK(sal_file_replace(path, text, length, &err), err);
        const sal_status status = sal_sweep_look(&v, folder(), &err);
        CHECK(status == SAL_BADINPUT || (status == SAL_OK && v->ncell < 2));
        sal_sweep_view_free(v);
    }
    CHECK_OK(sal_file_replace(path, text, n, &err), err);
    sal_free(text);
    sal_sweep_free(s);
}

int main(void)
{
    RUN(axes_are_crossed_and_the_last_runs_fastest);
    RUN(axes_may_go_together);
    RUN(halton_fills_the_square_evenly);
    RUN(random_samples_depend_on_the_seed_alone);
    RUN(files_are_found_beside_the_sweep);
    RUN(motions_are_handed_on_around_holes);
    RUN(faults_are_named);
    RUN(columns_show_what_results_have);
    RUN(cells_are_named_by_what_goes_into_them);
    RUN(the_contents_of_files_count_not_their_names);
    RUN(every_cell_has_its_turn_after_those_before_it);
    RUN(what_crashes_is_tried_again_and_no_more);
    RUN(shards_have_each_cell_once_and_whole_chains);
    RUN(shards_of_a_tree_have_what_they_begin_with);
    RUN(records_hold_the_figures);
    RUN(what_is_finished_and_whole_is_not_done_again);
    RUN(what_is_done_does_not_fail);
    RUN(only_the_best_motions_are_kept_if_so_asked);
    RUN(what_makes_no_problem_is_recorded_with_its_reason);
    RUN(a_damaged_plan_is_refused);
    files_remove();
    return check_done();
}
