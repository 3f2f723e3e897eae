/* steps_222.c: does each step of a motion lead to the next in libmujoco 2.2.2, in the model file of
 * its user?
 *
 *     steps_222 RESULT.h5 MODEL.xml            prints one JSON object:
 *
 *     as_it_is    largest one-step errors: positions (m, rad), velocities (relative to the largest
 *                 one, or to 1), activations
 *     converged   the same, when libmujoco's solver may iterate until nothing is left
 *     compat      when it is held against saltus with compat="2.2.2" instead of the motion: if this
 *                 is small, what is left above is what that switch changes
 *     differs     arrays of the compiled model that the switch changes
 *     rough       shapes that touch, and whose contacts 2.2.2 finds only approximately
 */
#include "tests/runs/replay_step.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

#include <stdio.h>

enum { ITERATIONS = 200 };

static const char *const shape[] = {"plane",     "height field", "sphere", "capsule",
                                    "ellipsoid", "cylinder",     "box",    "mesh"};
enum { SHAPES = sizeof shape / sizeof *shape };

typedef struct errors {
    double qpos, qvel, act;
} errors;

/* Pairs of shapes that touched */
typedef struct touched {
    bool pair[SHAPES][SHAPES];
} touched;

static int fail(const char *what)
{
    fprintf(stderr, "steps_222: %s\n", what);
    return 1;
}

static sal_model *load(const char *path, bool compat222)
{
    sal_model *m = NULL;
    sal_err err = {0};
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    if (sal_model_load(&m, path, &options, NULL, &err) != SAL_OK) {
        fprintf(stderr, "steps_222: %s\n", err.message);
    }
    return m;
}

static bool fits(const mjModel *m, const sal_model *of)
{
    return m->nq == of->nq && m->nv == of->nv && m->nu == of->nu && m->na == of->na;
}

static void note_contacts(const mjModel *m, const mjData *d, touched *all)
{
    for (int i = 0; i < d->ncon; i++) {
        const int a = m->geom_type[d->contact[i].geom1], b = m->geom_type[d->contact[i].geom2];
        all->pair[a < b ? a : b][a < b ? b : a] = true;
    }
}

/* Every step of the motion, and whether saltus takes it as libmujoco does. */
static sal_status compare(const mjModel *m, mjData *d, const sal_result *r, const sal_model *own,
                          errors e[2], touched *all, sal_err *err)
{
    sal_data *s = NULL;
    sal_status status = sal_data_new(&s, own, err);
    for (int t = 0; t < r->nstep && status == SAL_OK; t++) {
        replay_step(m, d, r, t, &e[0].qpos, &e[0].qvel, &e[0].act);
        note_contacts(m, d, all);
        sal_data_reset(own, s);
        memcpy(s->qpos, r->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
        memcpy(s->qvel, r->qvel + t * m->nv, (size_t)m->nv * sizeof(double));
        memcpy(s->act, r->act + t * m->na, (size_t)m->na * sizeof(double));
        memcpy(s->ctrl, r->ctrl + t * m->nu, (size_t)m->nu * sizeof(double));
        status = sal_step(own, s, err);
        replay_against(m, d, s->qpos, s->qvel, s->act, &e[1].qpos, &e[1].qvel, &e[1].act);
    }
    sal_data_free(s);
    return status;
}

static double fastest(const sal_result *r)
{
    double most = 1;
    for (int i = 0; i < (r->nstep + 1) * r->model->nv; i++) {
        most = fmax(most, fabs(r->qvel[i]));
    }
    return most;
}

static void add_errors(sal_json *json, const char *key, const errors *e, double velocity)
{
    sal_json_object(json, key);
    sal_json_number(json, "qpos", e->qpos);
    sal_json_number(json, "qvel", e->qvel / velocity);
    sal_json_number(json, "act", e->act);
    sal_json_end(json);
}

/* The arrays that have other sizes or other bytes in b */
static void add_differences(sal_json *json, const sal_model *a, const sal_model *b)
{
    const int nq = a->nq, nv = a->nv, nu = a->nu, na = a->na, nmocap = a->nmocap;
    sal_json_array(json, "differs");
#define COMPARE(type, name, rows, columns)                                                         \
    if (a->rows != b->rows ||                                                                      \
        memcmp(a->name, b->name, (size_t)a->rows * (size_t)(columns) * sizeof(type)) != 0) {       \
        sal_json_string(json, NULL, #name);                                                        \
    }
    SAL_MODEL_ARRAYS(COMPARE)
#undef COMPARE
    (void)nq, (void)nv;
    sal_json_end(json);
}

/* Boxes with boxes; ellipsoids, cylinders and meshes with all but planes */
static void add_rough(sal_json *json, const touched *all)
{
    sal_json_array(json, "rough");
    for (int a = 1; a < SHAPES; a++) {
        for (int b = a; b < SHAPES; b++) {
            const bool boxes = a == mjGEOM_BOX && b == mjGEOM_BOX;
            const bool curved = a == mjGEOM_ELLIPSOID || a == mjGEOM_CYLINDER ||
                                b == mjGEOM_ELLIPSOID || b == mjGEOM_CYLINDER || b == mjGEOM_MESH;
            char text[60];
            snprintf(text, sizeof text, "%s and %s", shape[a], shape[b]);
            if (all->pair[a][b] && (boxes || curved)) {
                sal_json_string(json, NULL, text);
            }
        }
    }
    sal_json_end(json);
}

static int judge(const mjModel *given, const sal_result *r, sal_model *model[2])
{
    mjModel *m = mj_copyModel(NULL, given);
    mjData *d = mj_makeData(m);
    errors found[2] = {{0}}, converged[2] = {{0}};
    touched all = {0};
    sal_text text = {0};
    sal_json json = {.out = &text};
    sal_err err = {0};
    sal_status status = compare(m, d, r, model[1], found, &all, &err);
    m->opt.tolerance = 0;
    m->opt.iterations = ITERATIONS;
    model[1]->opt.tolerance = 0;
    model[1]->opt.iterations = ITERATIONS;
    status = status == SAL_OK ? compare(m, d, r, model[1], converged, &all, &err) : status;
    sal_json_object(&json, NULL);
    add_errors(&json, "as_it_is", &found[0], fastest(r));
    add_errors(&json, "converged", &converged[0], fastest(r));
    add_errors(&json, "compat", &converged[1], fastest(r));
    add_differences(&json, model[0], model[1]);
    add_rough(&json, &all);
    sal_json_end(&json);
    mj_deleteData(d);
    mj_deleteModel(m);
    if (status == SAL_OK && !text.failed) {
        puts(text.data);
    }
    sal_text_clear(&text);
    return status == SAL_OK ? 0 : fail(err.message);
}

int main(int argc, char **argv)
{
    sal_result *r = NULL;
    sal_err err = {0};
    char message[500] = "";
    int code = 1;
    if (argc != 3 || sal_result_read(&r, argv[1], &err) != SAL_OK) {
        return fail(argc == 3 ? err.message : "usage: steps_222 RESULT.h5 MODEL.xml");
    }
    mjModel *m = mj_loadXML(argv[2], NULL, message, sizeof message);
    sal_model *model[2] = {NULL, NULL};
    if (m == NULL) {
        fail(message);
    } else {
        model[0] = load(argv[2], false);
        model[1] = load(argv[2], true);
    }
    if (model[0] != NULL && model[1] != NULL) {
        code = fits(m, model[1]) && fits(m, r->model) ? judge(m, r, model)
                                                      : fail("the model is not that of the result");
    }
    sal_model_free(model[0]);
    sal_model_free(model[1]);
    mj_deleteModel(m);
    sal_result_free(r);
    return code;
}
