/* engine_smooth.c: Table 1 of Todorov, Erez, Tassa (IROS 2012): evaluations of the dynamics without
 * contacts a second, beside libmujoco 2.2.2 in the same run. */
#include "bench/stopwatch.h"
#include "bench/tables/tables.h"

#include "base/rng.h"
#include "mjcf/mjcf.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1 << 14, MOST_DOFS = 64 };

typedef struct smooth {
    sal_model *m;
    sal_data *d;
    mjModel *mjm;
    mjData *mjd;
    bool with_solution;
    double jacp[3 * MOST_DOFS], jacr[3 * MOST_DOFS], x[MOST_DOFS];
} smooth;

static const char BODY[] = "<geom type='capsule' size='.03 .1' contype='0' conaffinity='0'/>";

/* 34 dofs: three free bodies, three on ball joints, three sliding, four on hinges */
static void isolated(char *xml)
{
    static const char *const joints[4] = {"free", "ball", "slide", "hinge"};
    int n = snprintf(xml, TEXT, "<mujoco><worldbody>");
    for (int i = 0; i < 13; i++) {
        n += snprintf(xml + n, (size_t)(TEXT - n), "<body pos='%d 0 1'><joint type='%s'/>%s</body>",
                      i, joints[i < 9 ? i / 3 : 3], BODY);
    }
    snprintf(xml + n, (size_t)(TEXT - n), "</worldbody></mujoco>");
}

/* 31 hinges one behind the other */
static void chain(char *xml)
{
    int n = snprintf(xml, TEXT, "<mujoco><worldbody>");
    for (int i = 0; i < 31; i++) {
        n += snprintf(xml + n, (size_t)(TEXT - n),
                      "<body pos='0 0 .2'><joint type='hinge' axis='%d %d 0'/>%s", i % 2, 1 - i % 2,
                      BODY);
    }
    for (int i = 0; i < 31; i++) {
        n += snprintf(xml + n, (size_t)(TEXT - n), "</body>");
    }
    snprintf(xml + n, (size_t)(TEXT - n), "</worldbody></mujoco>");
}

/* 32 dofs: a free palm; four fingers of five hinges and a thumb of six, which part at the palm */
static void hand(char *xml)
{
    int n = snprintf(xml, TEXT, "<mujoco><worldbody><body><joint type='free'/>%s", BODY);
    for (int finger = 0; finger < 5; finger++) {
        const int joints = finger == 0 ? 6 : 5;
        for (int i = 0; i < joints; i++) {
            n += snprintf(xml + n, (size_t)(TEXT - n),
                          "<body pos='%g 0 .1'><joint type='hinge' axis='%d %d 0'/>%s",
                          i == 0 ? 0.05 * finger : 0, i == 0, i > 0, BODY);
        }
        for (int i = 0; i < joints; i++) {
            n += snprintf(xml + n, (size_t)(TEXT - n), "</body>");
        }
    }
    snprintf(xml + n, (size_t)(TEXT - n), "</body></worldbody></mujoco>");
}

/* 29 dofs: a free pelvis with a waist of three hinges, two legs of six, two arms of four */
static void humanoid(char *xml)
{
    static const struct {
        int joints;
        double at;
    } limbs[4] = {{6, -.1}, {6, .1}, {4, -.2}, {4, .2}};
    int n = snprintf(xml, TEXT, "<mujoco><worldbody><body><joint type='free'/>%s", BODY);
    for (int limb = 0; limb < 4; limb++) {
        if (limb == 2) { /* arms hang from a trunk */
            n += snprintf(xml + n, (size_t)(TEXT - n),
                          "<body pos='0 0 .2'><joint axis='1 0 0'/><joint axis='0 1 0'/>"
                          "<joint axis='0 0 1'/>%s",
                          BODY);
        }
        for (int i = 0; i < limbs[limb].joints; i += 2) { /* two hinges at each body */
            n += snprintf(xml + n, (size_t)(TEXT - n),
                          "<body pos='0 %g -.2'><joint axis='1 0 0'/><joint axis='0 1 0'/>%s",
                          i == 0 ? limbs[limb].at : 0, BODY);
        }
        for (int i = 0; i < limbs[limb].joints; i += 2) {
            n += snprintf(xml + n, (size_t)(TEXT - n), "</body>");
        }
    }
    snprintf(xml + n, (size_t)(TEXT - n), "</body></body></worldbody></mujoco>");
}

/* M, bias, the poses of the bodies and their Jacobians; then M^-1 x */
static void ours(void *ctx)
{
    smooth *s = ctx;
    sal_kinematics(s->m, s->d);
    sal_com(s->m, s->d);
    sal_crb(s->m, s->d);
    sal_velocity(s->m, s->d);
    for (int i = 1; i < s->m->nbody; i++) {
        sal_jac_body(s->m, s->d, s->jacp, s->jacr, i);
    }
    if (s->with_solution) {
        sal_factor(s->m, s->d);
        memcpy(s->x, s->d->qfrc_bias, (size_t)s->m->nv * sizeof *s->x);
        sal_solve_m(s->m, s->d, s->x);
    }
}

static void theirs(void *ctx)
{
    smooth *s = ctx;
    mj_kinematics(s->mjm, s->mjd);
    mj_comPos(s->mjm, s->mjd);
    mj_crb(s->mjm, s->mjd);
    mj_fwdVelocity(s->mjm, s->mjd);
    for (int i = 1; i < s->mjm->nbody; i++) {
        mj_jacBody(s->mjm, s->mjd, s->jacp, s->jacr, i);
    }
    if (s->with_solution) {
        mj_factorM(s->mjm, s->mjd);
        mj_solveM(s->mjm, s->mjd, s->x, s->mjd->qfrc_bias, 1);
    }
}

static bool open_smooth(smooth *s, const char *xml)
{
    static mjVFS files;
    char error[256] = "";
    sal_err err;
    *s = (smooth){.m = table_model_text(xml)};
    table_check(sal_data_new(&s->d, s->m, &err), "smooth");
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "table.xml", (int)strlen(xml));
    memcpy(files.filedata[0], xml, strlen(xml));
    s->mjm = mj_loadXML("table.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (s->mjm == NULL) {
        print_remark(error);
        return false;
    }
    s->mjd = mj_makeData(s->mjm);
    sal_rng rng = {3};
    for (int i = 0; i < s->m->nv; i++) {
        s->d->qvel[i] = s->mjd->qvel[i] = sal_rng_normal(&rng);
    }
    return true;
}

static void print_model(const table_effort *effort, const char *name, void (*write)(char *xml),
                        const double paper[2])
{
    static smooth s;
    static char xml[TEXT];
    write(xml);
    if (open_smooth(&s, xml)) {
        for (int with = 0; with < 2; with++) {
            char what[96], note[64], text[32];
            s.with_solution = with == 1;
            const race r = stopwatch_race(ours, &s, theirs, &s, effort->rounds, effort->batch,
                                          STOPWATCH_THREAD);
            snprintf(what, sizeof what, "%s (%d dofs)%s", name, s.m->nv,
                     with ? ", with M\\tau" : "");
            snprintf(text, sizeof text, "%.0f", paper[with]);
            snprintf(note, sizeof note, "x %.3g; x %.2f of libmujoco 2.2.2 here (%.4g)",
                     1 / r.a / paper[with], r.ratio, 1 / r.b);
            print_row(what, text, note, "%.4g", 1 / r.a);
        }
    }
    mj_deleteData(s.mjd);
    mj_deleteModel(s.mjm);
    sal_data_free(s.d);
    sal_model_free(s.m);
}

void engine_smooth(const table_effort *effort)
{
    print_title("Todorov, Erez, Tassa 2012, Table 1",
                "evaluations of the smooth dynamics a second, one thread");
    print_remark(
        "The paper: MuJoCo of 2012, averages over four processors of about 3 GHz: M, bias, poses, "
        "Jacobians of all bodies; then factorisation of M and back-substitution.");
    print_remark("Its models are not published. Here: mechanisms of its numbers of dofs, made of "
                 "capsules (the "
                 "humanoid: waist, two legs, two arms).");
    print_remark("Not reproduced: the column SD/FAST.");
    print_head("model", "1/s");
    print_model(effort, "Isolated", isolated, (const double[]){151000, 133000});
    print_model(effort, "Chain", chain, (const double[]){103000, 41000});
    print_model(effort, "Hand", hand, (const double[]){101000, 76000});
    print_model(effort, "Humanoid", humanoid, (const double[]){123000, 75000});
}
