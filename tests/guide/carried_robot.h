/* carried_robot.h: models/person.xml carried by three slides and three hinges in place of its free
 * joint, and the known motion (follow_truth.h) as a recording of them. */
#ifndef SAL_TESTS_GUIDE_CARRIED_ROBOT_H
#define SAL_TESTS_GUIDE_CARRIED_ROBOT_H

#include "tests/guide/follow_truth.h"

/* The slide that lifts it points down; it is carried by a body that is turned. */
static const char carried_joints[] =
    "<joint name='go_x' type='slide' axis='0 -1 0' limited='false'/>"
    "<joint name='go_y' type='slide' axis='1 0 0' limited='false'/>"
    "<joint name='go_z' type='slide' axis='0 0 -1' limited='false'/>"
    "<joint name='turn_z' axis='0 0 1' limited='false'/>"
    "<joint name='turn_y' axis='0 1 0' limited='false'/>"
    "<joint name='turn_x' axis='1 0 0' limited='false'/>";
enum { CARRIED = 6, HOPS = NQ - 7 };

static sal_model *carried;
static char carried_path[1200];

/* The file with the joints `by`, in the folder of the test; shanks and feet touch nothing, or as
 * they do. */
static inline sal_model *load_carried(const char *by, bool touches)
{
    static const char *const below[] = {"\"left_shank\"",       "\"left_foot_outer\"",
                                        "\"left_foot_inner\"",  "\"right_shank\"",
                                        "\"right_foot_outer\"", "\"right_foot_inner\""};
    sal_model *m = NULL;
    sal_err err = {0};
    sal_diag diag = {0};
    char path[1200], text[40000] = "";
    snprintf(path, sizeof path, "%s/models/person.xml", files_root());
    FILE *f = fopen(path, "r");
    const size_t n = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);
    CHECK(n > 1000 && n < sizeof text - 1);
    if (f != NULL) {
        fclose(f);
    }
    text[n] = 0;
    const char *changed = files_replace(text, "<freejoint name=\"root\"/>", by);
    changed = files_replace(changed, "<body name=\"pelvis\" pos=\"0 0 .9286\">",
                            "<body name=\"pelvis\" pos=\"0 0 .9286\" euler=\"0 0 90\">");
    for (size_t i = 0; i < sizeof below / sizeof below[0] && !touches; i++) {
        char geom[80], ghost[120];
        snprintf(geom, sizeof geom, "<geom name=%s", below[i]);
        snprintf(ghost, sizeof ghost, "%s conaffinity=\"0\"", geom);
        changed = files_replace(changed, geom, ghost);
    }
    /* keyframes are of another number of coordinates */
    const char *end = strstr(changed, "<keyframe>");
    sal_text out = {0};
    sal_text_format(&out, "%.*s</mujoco>\n", (int)(end == NULL ? 0 : end - changed), changed);
    files_write("carried.xml", out.data, out.length);
    sal_text_clear(&out);
    snprintf(carried_path, sizeof carried_path, "%s", files_path("carried.xml"));
    CHECK_OK(sal_model_load(&m, carried_path, NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return m;
}

/* The coordinates of a row of the truth, whose root turns about the vertical alone. The body is
 * turned by a quarter, so that its y axis is the world's -x. */
static inline void carried_row(const double *q, double *out)
{
    out[0] = q[0];
    out[1] = q[1];
    out[2] = .9286 - q[2];
    out[3] = 2 * atan2(q[6], q[3]) - 3.14159265358979 / 2;
    out[4] = out[5] = 0;
    memcpy(out + CARRIED, q + 7, HOPS * sizeof *out);
}

/* `rows` rows, the first `first` columns left out, raised by `up`. */
static inline void write_carried(int first, int rows, double up)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "time");
    for (int j = first; j < carried->njnt; j++) {
        fprintf(f, ",%s", sal_model_name(carried, SAL_OBJ_JOINT, j));
    }
    for (int row = 0; row < rows; row++) {
        double q[CARRIED + HOPS];
        carried_row(truth[row], q);
        q[2] -= up;
        fprintf(f, "\n%.9g", (double)row / TRUTH_RATE);
        for (int i = first; i < CARRIED + HOPS; i++) {
            fprintf(f, ",%.9g", q[i]);
        }
    }
    fclose(f);
}

static inline sal_status draft_carried(sal_err *err)
{
    sal_diag diag = {0};
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    const sal_follow_request request = {
        .rate = (double)NAN, .clip_name = "clip.csv", .model_name = carried_path};
    const sal_status status = sal_follow_draft(&draft_text, &notes, NULL, carried,
                                               files_path("clip.csv"), &request, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

#endif
