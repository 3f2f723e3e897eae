/* One of several recordings in a file of Python, by its name. */
#include "tests/problems/problem_files.h"
#include "tests/signals/pickle_samples.inc"

#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "problems/problem.h"
#include "problems/states.h"

#include <math.h>

static const char arm[] =
    "<mujoco><compiler angle='radian'/><worldbody><body><joint name='shoulder' axis='0 1 0'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' density='500'/><body pos='.3 0 0'>"
    "<joint name='elbow' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' "
    "density='500'/></body></body></worldbody><actuator><motor joint='shoulder'/><motor "
    "joint='elbow'/></actuator></mujoco>";

static void the_clip_that_is_named_is_followed(void)
{
    static const char *const names[] = {"walk", "run"};
    sal_model *m = NULL;
    sal_err err = {0};
    sal_diag diag = {0};
    files_write("arm.xml", arm, sizeof arm - 1);
    files_write("clips.pkl", (const char *)pickle_clips, sizeof pickle_clips);
    CHECK_OK(sal_model_load(&m, files_path("arm.xml"), NULL, &diag, &err), err);
    for (int k = 0; k < 2 && m != NULL; k++) {
        sal_text problem = {0}, notes = {0};
        sal_problem *p = NULL;
        double q[2], scratch[8];
        const sal_follow_request request = {.rate = (double)NAN,
                                            .clip = names[k],
                                            .clip_name = "clips.pkl",
                                            .model_name = "arm.xml"};
        char path[1200], wanted[40];
        snprintf(path, sizeof path, "%s", files_path("clips.pkl"));
        CHECK_OK(sal_follow_draft(&problem, &notes, NULL, m, path, &request, &diag, &err), err);
        snprintf(wanted, sizeof wanted, " clip=\"%s\"", names[k]);
        CHECK(problem.data != NULL && strstr(problem.data, wanted) != NULL);
        files_write("p.xml", problem.data, problem.length);
        CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
        if (p != NULL) { /* a + t / 10, a - t / 10 */
            const double t = .5 * p->duration, a = k == 0 ? .25 : .5;
            prb_states_at(p->recorded, m, .5, q, NULL, scratch);
            CHECK_NEAR(q[0], a + .1 * t, 1e-3);
            CHECK_NEAR(q[1], a - .1 * t, 1e-3);
        }
        sal_problem_free(p);
        sal_text_clear(&problem);
        sal_text_clear(&notes);
    }
    sal_diag_clear(&diag);
    sal_model_free(m);
}

int main(void)
{
    RUN(the_clip_that_is_named_is_followed);
    files_remove();
    return check_done();
}
