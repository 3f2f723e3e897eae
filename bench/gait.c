#include "bench/gait.h"

#include "problems/result/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gait_problem(sal_problem **p, const char *file, const char *model, unsigned long seed,
                  bool compat222)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], digits[32];
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, file);
    snprintf(digits, sizeof digits, "%lu", seed);
    const sal_setting settings[] = {
        {"init/nstart", "1"}, {"init/seed", digits}, {"model/file", model}};
    const sal_problem_options options = {.setting = settings,
                                         .nsetting = model == NULL ? 2 : 3,
                                         .mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    const bool read = sal_problem_read(p, path, &options, &diag, &err) == SAL_OK;
    if (!read) {
        fprintf(stderr, "%s: %s\n", path, err.message);
    }
    sal_diag_clear(&diag);
    return read;
}

/* The result's own model file, as any user of MuJoCo would load it. */
static bool load_mujoco(gait *g)
{
    static mjVFS vfs; /* large */
    char message[500] = "";
    const char *xml = g->result->model_xml;
    const int length = (int)strlen(xml);
    mj_defaultVFS(&vfs);
    if (mj_makeEmptyFileVFS(&vfs, "model.xml", length) == 0) {
        memcpy(vfs.filedata[mj_findFileVFS(&vfs, "model.xml")], xml, (size_t)length);
        g->mjm = mj_loadXML("model.xml", &vfs, message, sizeof message);
    }
    mj_deleteVFS(&vfs);
    if (g->mjm == NULL) {
        fprintf(stderr, "%s: libmujoco cannot load the result's model: %s\n", g->name, message);
        return false;
    }
    g->mjd = mj_makeData(g->mjm);
    return true;
}

bool gait_open(gait *g, const char *name)
{
    char file[200];
    snprintf(file, sizeof file, "examples/%s.xml", name);
    const bool opened = gait_open_file(g, file, NULL);
    g->name = name;
    return opened;
}

bool gait_open_file(gait *g, const char *file, const char *model)
{
    sal_err err = {0};
    *g = (gait){.name = file};
    if (!gait_problem(&g->problem, file, model, 1, true)) {
        return false;
    }
    sal_status status = sal_problem_solve(&g->result, g->problem, 1, NULL, &err);
    status = status == SAL_OK ? sal_data_new(&g->d, g->result->model, &err) : status;
    if (status != SAL_OK) {
        fprintf(stderr, "%s: %s\n", file, err.message);
        return false;
    }
    const sal_result *r = g->result;
    g->contacts = (double)r->contact_offset[r->nstep] / r->nstep;
    return load_mujoco(g);
}

void gait_close(gait *g)
{
    mj_deleteData(g->mjd);
    mj_deleteModel(g->mjm);
    sal_data_free(g->d);
    sal_result_free(g->result);
    sal_problem_free(g->problem);
}

void gait_state(const gait *g, int t)
{
    const sal_result *r = g->result;
    const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv, row = (size_t)t;
    memcpy(g->d->qpos, r->qpos + row * nq, nq * sizeof(double));
    memcpy(g->d->qvel, r->qvel + row * nv, nv * sizeof(double));
    memcpy(g->d->qacc, r->qacc + row * nv, nv * sizeof(double));
}

void gait_state_mujoco(const gait *g, int t)
{
    const sal_result *r = g->result;
    const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv, row = (size_t)t;
    memcpy(g->mjd->qpos, r->qpos + row * nq, nq * sizeof(double));
    memcpy(g->mjd->qvel, r->qvel + row * nv, nv * sizeof(double));
    memcpy(g->mjd->qacc, r->qacc + row * nv, nv * sizeof(double));
}

double gait_disagreement(const gait *g)
{
    double worst = 0;
    for (int t = 0; t < g->result->nstep; t++) {
        sal_err err = {0};
        double largest = 0, difference = 0;
        gait_state(g, t);
        gait_state_mujoco(g, t);
        if (sal_inverse(g->result->model, g->d, &err) != SAL_OK) {
            return (double)INFINITY;
        }
        mj_inverse(g->mjm, g->mjd);
        for (int i = 0; i < g->mjm->nv; i++) {
            largest = fmax(largest, fabs(g->mjd->qfrc_inverse[i]));
            difference = fmax(difference, fabs(g->d->qfrc_inverse[i] - g->mjd->qfrc_inverse[i]));
        }
        worst = fmax(worst, difference / largest);
    }
    return worst;
}
