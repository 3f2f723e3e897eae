/* First guesses: keyframes at times, tables, results; how they meet pinned ends and travel; and
 * faults, each at its place. */
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "problems/recordings/read_states.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

static sal_err err;
static sal_diag diag;

static sal_problem *read_text(const char *text)
{
    sal_problem *p;
    sal_diag_clear(&diag);
    files_write("m.xml", files_model, strlen(files_model));
    files_write("p.xml", text, strlen(text));
    sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err);
    if (p == NULL && diag.nerror == 0) {
        printf("%s\n", err.message);
    }
    return p;
}

static const char cycle_boundary[] = "<boundary type=\"cycle\" mirror=\"left_ right_\">\n"
                                     "    <travel joint=\"rootx\" speed=\"1.5\"/>\n"
                                     "  </boundary>";

/* files_problem with another <init>, and with another boundary if that is not NULL. */
static sal_problem *read_init(const char *init, const char *boundary)
{
    const char *text = files_replace(files_problem, "<init key=\"stand\"/>", init);
    sal_problem *p =
        read_text(boundary == NULL ? text : files_replace(text, cycle_boundary, boundary));
    CHECK(p != NULL);
    if (p == NULL) {
        printf("%s", diag.text.data == NULL ? "" : diag.text.data);
    }
    return p;
}

/* The guess of p: q_k stands at (k + 1) nq. The caller frees. */
static double *guess_of(const sal_problem *p)
{
    prb_transcription *tr;
    const size_t n = (size_t)((p->nstep + 3) * p->model->nq);
    double *q = calloc(n, sizeof *q);
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    CHECK_OK(prb_guess(tr, x, 1, &err), err);
    prb_transcription_place(tr, x);
    memcpy(q, tr->q, (size_t)((p->nstep + 2) * p->model->nq) * sizeof *q);
    free(x);
    prb_transcription_free(tr);
    return q;
}

enum { NQ = 6, LEFT = 4, RIGHT = 5 };

/* stand has hips .2 .2, go .3 .4 and x = 1: evenly over an open motion, and at given times. */
static void keyframes_one_after_another(void)
{
    sal_problem *p =
        read_init("<init keys='stand go stand' noise='0'/>", "<boundary type='open'/>");
    if (p != NULL) {
        double *q = guess_of(p);
        CHECK_NEAR(q[NQ + RIGHT], .2, 1e-15);
        CHECK_NEAR(q[3 * NQ + RIGHT], .2 + .2 * .4, 1e-14); /* k = 2 of 10: two fifths of the way */
        CHECK_NEAR(q[3 * NQ], .4, 1e-14);
        CHECK_NEAR(q[6 * NQ + RIGHT], .4, 1e-14);
        CHECK_NEAR(q[11 * NQ + RIGHT], .2, 1e-14);
        free(q);
    }
    sal_problem_free(p);
    p = read_init("<init keys='stand go' times='.1 .2' noise='0'/>", "<boundary type='open'/>");
    if (p != NULL) {
        double *q = guess_of(p);
        CHECK_NEAR(q[3 * NQ + RIGHT], .2, 1e-14); /* .1 s, k = 2 */
        CHECK_NEAR(q[4 * NQ + RIGHT], .3, 1e-14);
        CHECK_NEAR(q[5 * NQ + RIGHT], .4, 1e-14);
        CHECK_NEAR(q[9 * NQ + RIGHT], .4, 1e-14);
        free(q);
    }
    sal_problem_free(p);
}

/* In a mirrored cycle the last keyframe leads to the image of the first, and all travel as far as
 * they should. */
static void keyframes_come_round(void)
{
    sal_problem *p = read_init("<init keys='go' noise='0' ground='false'/>", NULL);
    if (p == NULL) {
        return;
    }
    double *q = guess_of(p);
    for (int k = 0; k <= 10; k++) {
        CHECK_NEAR(q[(k + 1) * NQ + LEFT], .3 + .1 * k / 10, 1e-14); /* the hips change places */
        CHECK_NEAR(q[(k + 1) * NQ + RIGHT], .4 - .1 * k / 10, 1e-14);
        CHECK_NEAR(q[(k + 1) * NQ], 1 + .75 * k / 10, 1e-14); /* 1.5 m/s for .5 s */
    }
    free(q);
    sal_problem_free(p);
    /* what keyframes travel themselves is not added again: x from 0 to 1 in half of the time would
     * be 2 */
    p = read_init("<init keys='stand go' noise='0' ground='false'/>", NULL);
    if (p != NULL) {
        q = guess_of(p);
        CHECK_NEAR(q[6 * NQ], .375, 1e-14);
        CHECK_NEAR(q[6 * NQ + LEFT], .3, 1e-14);
        free(q);
    }
    sal_problem_free(p);
}

/* A table is stretched over the motion; joints that it lacks keep the pose; what is pinned is
 * met. */
static void a_table(void)
{
    const char *table = "time,qpos:left_hip,note,qpos5\n0,.1,1,.5\n1,.3,1,.1\n3,.3,1,.1\n";
    files_write("t.csv", table, strlen(table));
    sal_problem *p = read_init("<init key='go' file='t.csv'/>", "<boundary type='open'/>");
    if (p != NULL) {
        CHECK(p->init_noise == 0 && !p->init_ground);
        CHECK(diag.nwarning == 1 && strstr(diag.text.data, "t.csv:1:20: warning: column 'note'"));
        double *q = guess_of(p);
        CHECK_NEAR(q[NQ + LEFT], .1, 1e-15);
        CHECK_NEAR(q[3 * NQ + LEFT], .1 + .2 * .6, 1e-14); /* .2 of 3 s */
        CHECK_NEAR(q[3 * NQ + RIGHT], .5 - .4 * .6, 1e-14);
        CHECK_NEAR(q[11 * NQ + LEFT], .3, 1e-14);
        CHECK_NEAR(q[3 * NQ], 1, 0); /* x of go */
        free(q);
    }
    sal_problem_free(p);
    p = read_init("<init file='t.csv'/>",
                  "<boundary type='open'><start joint='left_hip' qpos='.2'/>"
                  "<end joint='rootx left_hip' qpos='2 .5'/></boundary>");
    if (p != NULL) {
        double *q = guess_of(p);
        CHECK_NEAR(q[NQ + LEFT], .2, 1e-15);
        CHECK_NEAR(q[3 * NQ + LEFT], .1 + .2 * .6 + .8 * .1 + .2 * .2, 1e-14);
        CHECK_NEAR(q[3 * NQ], .4, 1e-14);
        CHECK_NEAR(q[11 * NQ + LEFT], .5, 1e-15);
        free(q);
    }
    sal_problem_free(p);
}

/* A result of other size, duration and travel; of half a cycle for the whole, and of the whole for
 * half. */
static void a_result(void)
{
    sal_problem *p = read_init("<init key='stand'/>", NULL), *whole, *half, *again;
    sal_result *result = NULL;
    if (p == NULL) {
        return;
    }
    CHECK_OK(sal_problem_solve(&result, p, 1, NULL, &err), err);
    CHECK_OK(sal_result_write(result, files_path("half.h5"), &err), err);
    whole = read_init("<init result='half.h5'/>",
                      "<boundary type='cycle'><travel joint='rootx'/></boundary>");
    if (whole != NULL) {
        const double length = result->qpos[10 * NQ] - result->qpos[0];
        double *q = guess_of(whole);
        CHECK_NEAR(whole->travel_value, 2 * length, 1e-12); /* there and its image */
        for (int k = 0; k < 10; k++) {                      /* 10 steps of 2 rows each */
            const double *row = result->qpos + 2 * k % 10 * NQ;
            CHECK_NEAR(q[(k + 1) * NQ + LEFT], row[k < 5 ? LEFT : RIGHT], 1e-12);
            CHECK_NEAR(q[(k + 1) * NQ], row[0] + (k < 5 ? 0 : length), 1e-12);
        }
        free(q);
    }
    sal_problem_free(whole);
    half = read_init("<init result='half.h5'/>", NULL);
    CHECK(half != NULL && half->init_states->nrow == 13);
    sal_problem_free(half);
    const char *text =
        files_replace(files_problem, "<init key=\"stand\"/>", "<init result='half.h5'/>");
    text = files_replace(text, "nstep=\"10\" duration=\"0.5\"",
                         "nstep='20' duration='.4' range='.3 .8'");
    again = read_text(files_replace(text, " speed=\"1.5\"", ""));
    CHECK(again != NULL);
    if (again != NULL) {
        double *q = guess_of(again);
        CHECK_NEAR(again->duration, .5, 1e-12);
        CHECK_NEAR(q[3 * NQ + LEFT], result->qpos[NQ + LEFT], 1e-12); /* k = 2 of 20 is 1 of 10 */
        const double *row =
            result->qpos + LEFT; /* between two rows: as smooth as the motion itself */
        CHECK_NEAR(q[2 * NQ + LEFT],
                   (9 * row[0] + 9 * row[NQ] - result->qpos_before[LEFT] - row[2 * NQ]) / 16,
                   1e-12);
        free(q);
    }
    sal_problem_free(again);
    sal_result_free(result);
    sal_problem_free(p);
}

/* A result at another speed, its duration free: the same steps on the same ground, faster; as far
 * as the range lets it. Travels .75 m in .5 s. */
static void a_result_at_another_speed(void)
{
    static const char *const time[] = {"duration='.5' range='.3 .8'",
                                       "duration='.5' range='.45 .8'", "duration='.5'"};
    static const double duration[] = {.375, .45, .5};
    sal_result *result = NULL;
    CHECK_OK(sal_result_read(&result, files_path("half.h5"), &err), err);
    for (int i = 0; i < 3 && result != NULL; i++) {
        const char *text =
            files_replace(files_problem, "<init key=\"stand\"/>", "<init result='half.h5'/>");
        text = files_replace(text, "speed=\"1.5\"", "speed='2'");
        sal_problem *p = read_text(files_replace(text, "duration=\"0.5\"", time[i]));
        CHECK(p != NULL);
        if (p != NULL) {
            double *q = guess_of(p);
            CHECK_NEAR(p->duration, duration[i], 1e-12);
            for (int k = 0; k < 10; k++) {
                const double *row = result->qpos + k * NQ;
                CHECK_NEAR(q[(k + 1) * NQ] - row[0], k / 10. * (2 * duration[i] - .75), 1e-12);
                CHECK_NEAR(q[(k + 1) * NQ + LEFT], row[LEFT], 1e-12);
            }
            free(q);
        }
        sal_problem_free(p);
    }
    sal_result_free(result);
}

/* ---- pinned by tables ---- */

static void ends_from_tables_and_results(void)
{
    const char *table = "time,qpos0,qvel:rootx,qpos:pitch,qvel:pitch\n"
                        "0,.1,1,.3,.4\n.5,.3,2,.5,.6\n";
    files_write("t.csv", table, strlen(table));
    sal_problem *p = read_init("", "<boundary type='open'><start file='t.csv' time='.25'/>"
                                   "<start joint='rooty' qpos='.7'/>"
                                   "<end joint='pitch' file='t.csv' fixed='qvel'/>"
                                   "<end joint='rootx' file='t.csv' row='0' fixed='qpos'/>"
                                   "</boundary>");
    if (p == NULL) {
        return;
    }
    const unsigned char start[] = {1, 1, 0, 1, 0, 0}, end[] = {0, 0, 0, 1, 0, 0};
    CHECK(memcmp(p->start.pos, start, 6) == 0 && memcmp(p->end.vel, end, 6) == 0);
    CHECK(p->start.vel[0] && !p->start.vel[1] && p->end.pos[0] && !p->end.pos[3]);
    CHECK_NEAR(p->start.qpos[0], .2, 1e-15);
    CHECK_NEAR(p->start.qvel[0], 1.5, 1e-15);
    CHECK_NEAR(p->start.qpos[1], .7, 0);
    CHECK_NEAR(p->end.qvel[3], .6, 0);
    CHECK_NEAR(p->end.qpos[0], .1, 0);
    sal_problem_free(p);
    p = read_init("", "<boundary type='open'><start result='half.h5' time='.1'/>"
                      "<end result='half.h5'/></boundary>");
    sal_result *result;
    CHECK_OK(sal_result_read(&result, files_path("half.h5"), &err), err);
    if (p != NULL && result != NULL) {
        CHECK(p->start.fixed_pos && p->start.fixed_vel && p->end.fixed_pos);
        for (int i = 0; i < NQ; i++) {
            CHECK_NEAR(p->start.qpos[i], result->qpos[2 * NQ + i], 1e-14); /* h = .05 s */
            CHECK_NEAR(p->start.qvel[i], result->qvel[2 * NQ + i], 1e-12);
            CHECK_NEAR(p->end.qpos[i], result->qpos[10 * NQ + i], 1e-14);
        }
    }
    sal_result_free(result);
    sal_problem_free(p);
}

/* ---- faults ---- */

static void faults_of_tables_have_their_place(void)
{
    static const struct {
        const char *table, *error;
    } bad[] = {
        {"time,qpos:left_hop\n0,1\n", "t.csv:1:6: error: the model has no joint 'left_hop'"},
        {"time,qpos9\n0,1\n", "t.csv:1:6: error: the model has only 6 numbers in qpos"},
        {"time,qpos0,qpos:rootx\n0,1,2\n",
         "t.csv:1:12: error: this column gives the same number as column 'qpos0'"},
        {"time,qpos0\n0,1\n0,2\n", "t.csv:3:1: error: times must increase: 0 s comes after 0 s"},
        {"time,qpos0\n0,1\n1,nan\n",
         "t.csv:3:1: error: the value in column 'qpos0' is not a finite number"},
        {"time,qpos0\n0,a\n", "t.csv:2:3: error: 'a' is not a number (column 'qpos0')"},
        {"time,qpos0\n", "t.csv:1:1: error: the table has no rows"},
        {"time\n0\n", "t.csv:1:1: error: no column of the table is the position of a joint"},
        {"time,ctrl0\n0,1\n",
         "t.csv:1:1: error: no column of the table is the position of a joint"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        files_write("t.csv", bad[i].table, strlen(bad[i].table));
        sal_problem *p = read_text(
            files_replace(files_problem, "<init key=\"stand\"/>", "<init file='t.csv'/>"));
        CHECK(p == NULL && diag.nerror == 2); /* there, and where the table is named */
        const char *found = diag.text.data == NULL ? "" : diag.text.data;
        if (strstr(found, bad[i].error) == NULL) {
            printf("no '%s' in\n%s", bad[i].error, found);
            check_case_faults++;
        }
        sal_problem_free(p);
    }
}

static void a_table_must_hold_what_is_pinned(void)
{
    files_write("t.csv", "qpos0\n1\n", 8);
    const char *open =
        files_replace(files_problem, cycle_boundary,
                      "<boundary type='open'><start joint='pitch' file='t.csv'/></boundary>");
    CHECK(read_text(open) == NULL);
    CHECK(strstr(err.message, "the table has no column for the position of joint 'pitch'") != NULL);
    open = files_replace(open, "joint='pitch'", "fixed='qvel'");
    CHECK(read_text(open) == NULL);
    CHECK(strstr(err.message, "the table has no column for the velocity of joint 'rootx'") != NULL);
    open = files_replace(open, "fixed='qvel'", "row='1'");
    CHECK(read_text(open) == NULL);
    CHECK(strstr(err.message, "row 1 does not exist; there is 1") != NULL);
}

/* Reading each kind of guess with memory that runs out anywhere: SAL_NOMEM, and nothing is left
 * behind. */
static void every_allocation_may_fail(void)
{
    static const char *const init[] = {"<init keys='stand go'/>", "<init file='t.csv'/>",
                                       "<init result='half.h5'/>"};
    const char *table = "time,qpos:left_hip,qvel:left_hip\n0,.1,1\n1,.3,1\n";
    files_write("t.csv", table, strlen(table));
    for (int k = 0; k < 3; k++) {
        const char *text = files_replace(files_problem, "<init key=\"stand\"/>", init[k]);
        if (k == 1) {
            text = files_replace(text, cycle_boundary,
                                 "<boundary type='open'><start file='t.csv'/>"
                                 "<end result='half.h5'/></boundary>");
        }
        files_write("p.xml", text, strlen(text));
        long n = 1;
        for (bool enough = false; !enough; n += 1 + n / 40) { /* some */
            sal_problem *p;
            sal_diag_clear(&diag);
            memory_fails_at(n);
            const sal_status status = sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err);
            enough = memory_was_enough(n);
            sal_problem_free(p);
            if (status != (enough ? SAL_OK : SAL_NOMEM)) {
                printf("allocation %ld of %s: %s\n", n, init[k], err.message);
                check_case_faults++;
            }
        }
        CHECK(n > 50);
    }
}

int main(void)
{
    RUN(keyframes_one_after_another);
    RUN(keyframes_come_round);
    RUN(a_table);
    RUN(a_result);
    RUN(a_result_at_another_speed);
    RUN(ends_from_tables_and_results);
    RUN(faults_of_tables_have_their_place);
    RUN(a_table_must_hold_what_is_pinned);
    RUN(every_allocation_may_fail);
    sal_diag_clear(&diag);
    files_remove();
    return check_done();
}
