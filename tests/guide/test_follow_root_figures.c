/* One recording of one robot, carried by a free joint, or by slides and hinges: the same figures of
 * the recording, and motions that are as near to it. */
#include "tests/guide/carried_robot.h"

#include "problems/result/result.h"
#include "runs/runs.h"

enum { ROWS = 40 };

static bool solve(sal_recorded *c)
{
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    bool known = false;
    files_write("p.xml", draft_text.data, draft_text.length);
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    }
    if (r != NULL) {
        CHECK(prb_result_is_solved(r));
        CHECK_OK(sal_recorded_compare(c, &known, r, &err), err);
    }
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return known;
}

static void write_free(void)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "time,root_x,root_y,root_z,root_qw,root_qx,root_qy,root_qz");
    for (int j = 1; j < person->njnt; j++) {
        fprintf(f, ",%s", sal_model_name(person, SAL_OBJ_JOINT, j));
    }
    for (int row = 0; row < ROWS; row++) {
        fprintf(f, "\n%.9g", (double)row / TRUTH_RATE);
        for (int n = 0; n < NQ; n++) {
            fprintf(f, ",%.9g", truth[row][n]);
        }
    }
    fclose(f);
}

static void check_alike(double a, double b, double share)
{
    CHECK(fabs(a - b) <= share * fmax(fabs(a), fabs(b)));
}

static void either_way(void)
{
    sal_recorded one, other;
    sal_err err = {0};
    write_free();
    CHECK_OK(draft_of("clip.csv", (double)NAN, &err), err);
    const bool first = solve(&one);
    write_carried(0, ROWS, 0);
    CHECK_OK(draft_carried(&err), err);
    const bool second = solve(&other);
    CHECK(first && second);
    if (first && second) {
        const sal_recorded_figures *a = &one.recording, *b = &other.recording;
        printf("     root %.3g and %.3g, depth %.3g and %.3g m, slip %.3g and %.3g m/s\n", a->root,
               b->root, a->depth, b->depth, a->slip, b->slip);
        printf("     joints %.3g and %.3g rad, place %.3g and %.3g m, turn %.3g and %.3g rad\n",
               one.joints, other.joints, one.place, other.place, one.turn, other.turn);
        check_alike(a->root, b->root, .02);
        check_alike(a->depth, b->depth, .02);
        check_alike(a->slip, b->slip, .05);
        check_alike(a->load.value, b->load.value, .02);
        check_alike(one.joints, other.joints, .3);
        check_alike(one.place, other.place, .3);
        CHECK(other.turn < .1 && one.turn < .1);
    }
    sal_recorded_clear(&one);
    sal_recorded_clear(&other);
}

int main(void)
{
    make_truth();
    carried = load_carried(carried_joints, true);
    RUN(either_way);
    sal_model_free(carried);
    forget_truth();
    files_remove();
    return check_done();
}
