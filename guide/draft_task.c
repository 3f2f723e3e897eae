/* draft_task.c: the tasks, what each needs, and which one a model suggests.
 *
 * Gaits: speeds and periods scale with the length of the legs l (Froude's law): v = F sqrt(g l),
 * T = P sqrt(l/g). F of walking is .4, a comfortable walk's; P is 3.4: 1 s for legs of .85 m.
 */
#include "base/house.h"
#include "guide/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gde_task tasks[] = {
    {"walk", 2, 0, true, GDE_SIDES, 0.6, 0.4, 3.4, 0.07, false, gde_write_gait,
     "on two feet in turn; with four, each a quarter of the cycle after the other"},
    {"run", 2, 2, true, GDE_SIDES, 0.4, 0.75, 2.4, 0.1, true, gde_write_gait,
     "on two feet, with flight"},
    {"trot", 4, 4, true, GDE_DIAGONALS, 0.5, 0.5, 3.0, 0.17, false, gde_write_gait,
     "on four feet, the diagonal pairs together"},
    {"pace", 4, 4, true, GDE_SIDES, 0.5, 0.5, 3.0, 0.15, false, gde_write_gait,
     "on four feet, those of one side together"},
    {"bound", 4, 4, true, GDE_ENDS, 0.5, 0.6, 3.0, 0.15, false, gde_write_gait,
     "on four feet, the front and the hind ones together"},
    {"hop", 1, 0, true, GDE_TOGETHER, 0.5, 0.15, 2.4, 0.12, false, gde_write_gait,
     "all feet together"},
    {"stand", 1, 0, false, GDE_TOGETHER, 1, 0, 0, 0, false, gde_write_stand, "at rest on its feet"},
    {"jump", 1, 0, false, GDE_TOGETHER, 1, 0, 0, 0, false, gde_write_jump,
     "up from rest, and down to rest on its feet"},
    {"get-up", 4, 0, false, GDE_TOGETHER, 1, 0, 0, 0, true, gde_write_get_up,
     "from lying on the floor to rest on four feet"},
    {"reach", 0, 0, false, GDE_TOGETHER, 1, 0, 0, 0, false, gde_write_reach,
     "with the end of an arm, from rest to rest"},
    {"move", 0, 0, false, GDE_TOGETHER, 1, 0, 0, 0, false, gde_write_move,
     "from the first keyframe to the second, or to rest"},
};
enum { NTASK = sizeof tasks / sizeof tasks[0], WALK = 0, TROT = 2, HOP = 5, REACH = 9, MOVE = 10 };

const char *sal_draft_task(int i, const char **doc)
{
    if (i < 0 || i >= NTASK) {
        return NULL;
    }
    if (doc != NULL) {
        *doc = tasks[i].doc;
    }
    return tasks[i].name;
}

static const gde_task *find_task(const char *name)
{
    for (int i = 0; i < NTASK; i++) {
        if (strcmp(tasks[i].name, name) == 0) {
            return &tasks[i];
        }
    }
    return NULL;
}

/* ---- what a model can do ---- */

static bool can(const gde_draft *f, const gde_task *task)
{
    const bool feet = task->least == 0 || (f->travel >= 0 && f->nfoot >= task->least);
    const bool fits = task->most == 0 || f->nfoot <= task->most;
    const bool arm = task->write != gde_write_reach || gde_reaching_body(f) > 0;
    return feet && fits && arm;
}

static void list_possible(const gde_draft *f, char *list, size_t room)
{
    size_t n = 0;
    list[0] = 0;
    for (int i = 0; i < NTASK; i++) {
        if (can(f, &tasks[i])) {
            snprintf(list + n, room - n, "%s%s", n > 0 ? ", " : "", tasks[i].name);
            n = strlen(list);
        }
    }
}

static const gde_task *suggested(const gde_draft *f)
{
    const bool fixed = f->root == 0 && f->m->nkey < 2;
    const int i = f->nfoot == 0   ? (fixed && can(f, &tasks[REACH]) ? REACH : MOVE)
                  : f->nfoot == 1 ? HOP
                  : f->nfoot == 4 ? TROT
                                  : WALK;
    return &tasks[i];
}

/* ---- what is asked for ---- */

static sal_status fail_unknown(const char *name, sal_err *err)
{
    char list[200] = "";
    for (int i = 0; i < NTASK; i++) {
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                 tasks[i].name);
    }
    return sal_fail(err, SAL_UNSUPPORTED, "unknown task '%.60s'; the tasks are %s", name, list);
}

/* A speed, a direction and a turn are for what travels. */
static sal_status check_options(const sal_draft_request *r, const gde_task *task, sal_err *err)
{
    const char *option = !isnan(r->speed)          ? "--speed"
                         : !isnan(r->direction[0]) ? "--direction"
                         : !isnan(r->turn)         ? "--turn"
                                                   : NULL;
    return task->gait || option == NULL
               ? SAL_OK
               : sal_fail(err, SAL_UNSUPPORTED,
                          "%s needs a task that travels (walk, run, trot, pace, bound, hop); the "
                          "task is '%s'",
                          option, task->name);
}

sal_status sal_draft_check(const sal_draft_request *r, sal_err *err)
{
    const gde_task *task = r->task == NULL ? NULL : find_task(r->task);
    if (r->task != NULL && task == NULL) {
        return fail_unknown(r->task, err);
    }
    return task == NULL ? SAL_OK : check_options(r, task, err);
}

/* Why the model cannot do the task. */
static sal_status refuse(const gde_draft *f, const gde_task *task, sal_err *err)
{
    char list[200], why[400];
    list_possible(f, list, sizeof list);
    if (task->least == 0) {
        snprintf(why, sizeof why,
                 "the model has no arm: no hinge that an actuator moves, on a base that is fixed");
    } else if (f->travel < 0) {
        snprintf(why, sizeof why,
                 "the model has no root that can travel: a free joint, or a slide without "
                 "actuator, limit and spring, that carries actuators");
    } else if (f->nfoot == 0) {
        char ends[300];
        gde_list_leg_ends(f, ends, sizeof ends);
        snprintf(why, sizeof why,
                 "it needs feet, and the ends of the legs (%s) have no geoms that can touch a "
                 "static plane",
                 ends);
    } else {
        snprintf(why, sizeof why, "the model stands on %d %s, and '%s' needs %s%d", f->nfoot,
                 f->nfoot == 1 ? "foot" : "feet", task->name,
                 task->most == task->least ? "" : "at least ", task->least);
    }
    return sal_fail(err, SAL_UNSUPPORTED,
                    "task '%s' cannot be drafted: %s; the tasks for this model are %s", task->name,
                    why, list);
}

sal_status gde_choose_task(gde_draft *f, sal_err *err)
{
    const sal_draft_request *r = f->request;
    const gde_task *task = r->task == NULL ? suggested(f) : find_task(r->task);
    if (task == NULL) {
        return fail_unknown(r->task, err);
    }
    if (!can(f, task)) {
        return refuse(f, task, err);
    }
    if (r->task == NULL) {
        char list[200];
        list_possible(f, list, sizeof list);
        gde_note(f, "no task was asked for: the model suggests '%s' (possible: %s)", task->name,
                 list);
    }
    f->task = task;
    const sal_status status = check_options(r, task, err);
    const bool slides = f->travel >= 0 && f->m->jnt_type[f->travel] == SAL_JNT_SLIDE;
    if (status == SAL_OK && slides && (!isnan(r->direction[0]) || !isnan(r->turn))) {
        char joint[SAL_LABEL_MAX];
        return sal_fail(err, SAL_UNSUPPORTED,
                        "%s needs a root with a free joint; the model travels along %s",
                        isnan(r->turn) ? "--direction" : "--turn",
                        sal_model_label(f->m, SAL_OBJ_JOINT, f->travel, joint));
    }
    return status;
}
