/* replay_oracle.h: results in libmujoco 2.2.2. */
#ifndef SAL_TESTS_PROBLEMS_REPLAY_ORACLE_H
#define SAL_TESTS_PROBLEMS_REPLAY_ORACLE_H

#include "tests/problems/solve_file.h"
#include "tests/runs/replay_step.h"

static const double replay_tolerance = 1e-8;

static inline sal_result *replay_solve(const char *name)
{
    static const sal_setting one = {"init/nstart", "1"};
    char file[128];
    snprintf(file, sizeof file, "examples/%s.xml", name);
    return solve_file(
        file, &(sal_problem_options){.setting = &one, .nsetting = 1, .mujoco = SAL_MUJOCO_222});
}

static inline mjModel *replay_load(const char *xml)
{
    static mjVFS vfs;
    char message[500] = "";
    const int length = (int)strlen(xml);
    mjModel *m = NULL;
    mj_defaultVFS(&vfs);
    if (mj_makeEmptyFileVFS(&vfs, "model.xml", length) == 0) {
        memcpy(vfs.filedata[mj_findFileVFS(&vfs, "model.xml")], xml, (size_t)length);
        m = mj_loadXML("model.xml", &vfs, message, sizeof message);
    }
    mj_deleteVFS(&vfs);
    CHECK_TEXT(message, "");
    return m;
}

/* Solves examples/NAME.xml with the behaviour of 2.2.2 from one start, loads the result's own model
 * file in libmujoco, takes each step of the motion there, driven by ctrl, and checks where it
 * leads. */
static inline void replay_oracle(const char *name)
{
    sal_result *r = replay_solve(name);
    mjModel *m = r == NULL ? NULL : replay_load(r->model_xml);
    CHECK(r != NULL && r->exit_code == 0);
    CHECK(m != NULL);
    if (m != NULL) {
        mjData *d = mj_makeData(m);
        double q = 0, v = 0, act = 0;
        CHECK(m->nq == r->model->nq && m->nu == r->model->nu && m->na == r->model->na &&
              r->nstep > 0);
        for (int t = 0; t < r->nstep; t++) {
            replay_step(m, d, r, t, &q, &v, &act);
        }
        printf("%s: largest one-step error %.1e in q, %.1e in v, %.1e in act, %d contacts\n", name,
               q, v, act, r->contact_offset[r->nstep]);
        CHECK_NEAR(q, 0, replay_tolerance);
        CHECK_NEAR(v, 0, replay_tolerance);
        CHECK_NEAR(act, 0, 1e-12);
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    sal_result_free(r);
}

#endif
