/* Our own models, judged by libmujoco: what they weigh, that they stand on the floor in their key
 * pose, that they touch nothing but the floor, and that those with a left and a right are their own
 * mirror image. */
#include "tests/check.h"

#include "base/base.h"
#include "base/house.h"

#include <mujoco/mujoco.h>

typedef struct engine {
    mjModel *m;
    mjData *d;
} engine;

static bool engine_load(engine *e, const char *name)
{
    char path[1024], message[512] = "";
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/models/%s.xml", root == NULL ? "." : root, name);
    e->m = mj_loadXML(path, NULL, message, sizeof message);
    e->d = e->m == NULL ? NULL : mj_makeData(e->m);
    CHECK_TEXT(message, "");
    CHECK(e->d != NULL);
    return e->d != NULL;
}

static void engine_free(engine *e)
{
    mj_deleteData(e->d);
    mj_deleteModel(e->m);
}

static const char *name_of(const mjModel *m, int type, int id)
{
    const char *name = mj_id2name(m, type, id);
    return name == NULL ? "" : name;
}

static void go_to_key(const engine *e, const char *key)
{
    const int k = mj_name2id(e->m, mjOBJ_KEY, key);
    CHECK(k >= 0);
    mj_resetDataKeyframe(e->m, e->d, k);
    mj_forward(e->m, e->d);
}

/* ---- sizes, masses, motors ---- */

static void check_sizes(const char *name, double mass, int nv, int nu)
{
    engine e;
    if (!engine_load(&e, name)) {
        return;
    }
    double sum = 0;
    for (int i = 0; i < e.m->nbody; i++) {
        sum += e.m->body_mass[i];
    }
    CHECK_NEAR(sum, mass, 1e-12 * mass);
    CHECK(e.m->nv == nv && e.m->nu == nu);
    for (int i = 0; i < e.m->nu; i++) {
        CHECK(e.m->actuator_ctrllimited[i]);
    }
    for (int i = 0; i < nv; i++) {
        CHECK_NEAR(e.m->dof_damping[i], 0, 0); /* all joint torque is the motors' */
    }
    engine_free(&e);
}

static void sizes_are_as_stated(void)
{
    check_sizes("pendulum", 1, 1, 1);
    check_sizes("acrobot", 2, 2, 1);
    check_sizes("cartpole", 1.1, 2, 1);
    check_sizes("particle", 1, 3, 3);
    check_sizes("parcel", 0.4, 6, 0);
    check_sizes("hopper", 20, 7, 4);
    check_sizes("walker", 70, 9, 6);
    check_sizes("person", 70, 27, 21);
}

/* Held level, the pendulum asks for m g l; its motor has at most a third of that. */
static void pendulum_is_too_weak_to_lift(void)
{
    engine e;
    if (!engine_load(&e, "pendulum")) {
        return;
    }
    e.d->qpos[0] = mjPI / 2;
    mj_inverse(e.m, e.d);
    const double hold = fabs(e.d->qfrc_inverse[0]);
    CHECK_NEAR(hold, 9.81, 1e-12);
    CHECK(e.m->actuator_gear[0] * e.m->actuator_ctrlrange[1] <= hold / 3);
    CHECK(e.m->actuator_gear[0] * e.m->actuator_ctrlrange[0] >= -hold / 3);
    engine_free(&e);
}

/* ---- standing ---- */

/* Height of a capsule's end (+1 along its z axis, -1 against it), or of a sphere's lowest point. */
static double end_height(const engine *e, int geom, int side)
{
    const double half = e->m->geom_type[geom] == mjGEOM_CAPSULE ? e->m->geom_size[3 * geom + 1] : 0;
    return e->d->geom_xpos[3 * geom + 2] + side * half * e->d->geom_xmat[9 * geom + 8] -
           e->m->geom_size[3 * geom];
}

/* The whole-body centre of mass lies over the feet: between the rearmost heel and the foremost
 * toe. */
static void check_balance(const engine *e)
{
    double heel = 1e9, toe = -1e9;
    for (int i = 0; i < e->m->ngeom; i++) {
        if (strstr(name_of(e->m, mjOBJ_GEOM, i), "foot") != NULL) {
            const double reach = e->m->geom_size[3 * i + 1] * e->d->geom_xmat[9 * i + 2];
            heel = fmin(heel, e->d->geom_xpos[3 * i] - reach);
            toe = fmax(toe, e->d->geom_xpos[3 * i] + reach);
        }
    }
    CHECK(heel < e->d->subtree_com[3] && e->d->subtree_com[3] < toe);
}

static void check_stand(const char *name, int feet)
{
    engine e;
    if (!engine_load(&e, name)) {
        return;
    }
    go_to_key(&e, "stand");
    int touching = 0;
    for (int i = 0; i < e.m->ngeom; i++) {
        if (e.m->geom_type[i] == mjGEOM_PLANE) {
            continue;
        }
        const double a = end_height(&e, i, 1), b = end_height(&e, i, -1);
        CHECK(a > -1e-3 && b > -1e-3);
        if (strstr(name_of(e.m, mjOBJ_GEOM, i), "foot") != NULL) {
            CHECK_NEAR(a, 0, 1e-6); /* toe and heel: the foot is flat */
            CHECK_NEAR(b, 0, 1e-6);
            CHECK(e.d->geom_xmat[9 * i + 2] > .999); /* its z axis runs from heel to toe */
            touching++;
        }
    }
    CHECK(touching == feet);
    for (int i = 0; i < e.m->njnt; i++) {
        const double q = e.d->qpos[e.m->jnt_qposadr[i]], *range = e.m->jnt_range + 2 * i;
        CHECK(!e.m->jnt_limited[i] || (range[0] <= q && q <= range[1]));
    }
    check_balance(&e);
    engine_free(&e);
}

static void feet_are_flat_on_the_floor(void)
{
    check_stand("hopper", 1);
    check_stand("walker", 2);
    check_stand("person", 4);
}

static void quadruped_stands_on_four_points(void)
{
    engine e;
    if (!engine_load(&e, "quadruped")) {
        return;
    }
    go_to_key(&e, "stand");
    for (int i = 0, feet = 0; i < e.m->ngeom; i++) {
        if (e.m->geom_type[i] == mjGEOM_SPHERE) {
            CHECK_NEAR(end_height(&e, i, 1), 0, 1e-4);
            CHECK(++feet <= 4);
        }
    }
    check_balance(&e);
    engine_free(&e);
}

/* ---- contacts ---- */

static void random_pose(const engine *e, sal_rng *rng)
{
    go_to_key(e, "stand");
    for (int i = 0; i < e->m->njnt; i++) {
        double *q = e->d->qpos + e->m->jnt_qposadr[i];
        *q += sal_rng_uniform(rng, -1, 1);
        if (e->m->jnt_type[i] == mjJNT_FREE) {
            for (int k = 1; k < 7; k++) {
                q[k] += .5 * sal_rng_uniform(rng, -1, 1);
            }
            mju_normalize4(q + 3);
        }
    }
}

/* No two geoms but the floor and another may touch. Sunk into the floor: one or two contacts for
 * every geom, condim 3. */
static void check_contacts(const char *name, int height)
{
    engine e;
    if (!engine_load(&e, name)) {
        return;
    }
    for (int i = 1; i < e.m->ngeom; i++) {
        for (int j = 1; j < e.m->ngeom; j++) {
            CHECK((e.m->geom_contype[i] & e.m->geom_conaffinity[j]) == 0);
        }
    }
    go_to_key(&e, "stand");
    e.d->qpos[height] -= 3;
    mj_forward(e.m, e.d);
    CHECK(e.d->ncon >= e.m->ngeom - 1);
    for (int i = 0; i < e.d->ncon; i++) {
        CHECK(e.d->contact[i].dim == 3);
        CHECK_TEXT(name_of(e.m, mjOBJ_GEOM, e.d->contact[i].geom1), "floor");
    }
    engine_free(&e);
}

static void only_the_floor_is_touched(void)
{
    check_contacts("hopper", 1);
    check_contacts("walker", 1);
    check_contacts("person", 2);
}

/* ---- mirror ---- */

/* The partner of an object: left and right exchanged in its name. */
static int partner(const mjModel *m, int type, int id)
{
    char name[128];
    snprintf(name, sizeof name, "%s", name_of(m, type, id));
    if (strncmp(name, "left_", 5) == 0) {
        snprintf(name, sizeof name, "right_%s", name_of(m, type, id) + 5);
    } else if (strncmp(name, "right_", 6) == 0) {
        snprintf(name, sizeof name, "left_%s", name_of(m, type, id) + 6);
    }
    return mj_name2id(m, type, name);
}

/* Hinge: a rotation axis a is mirrored to (-a_x, a_y, -a_z); slide: to (a_x, -a_y, a_z). */
static double mirror_sign(const engine *e, int joint)
{
    const double *a = e->d->xaxis + 3 * joint;
    const double *b = e->d->xaxis + 3 * partner(e->m, mjOBJ_JOINT, joint);
    const double dot = -a[0] * b[0] + a[1] * b[1] - a[2] * b[2];
    const double sign = e->m->jnt_type[joint] == mjJNT_SLIDE ? -dot : dot;
    CHECK_NEAR(fabs(sign), 1, 1e-12); /* axes of partners are mirror images, up to sign */
    return sign > 0 ? 1 : -1;
}

typedef struct mirror {
    int dof[64];
    double sign[64];
} mirror;

/* dof i of the mirrored motion is sign[i] times dof dof[i] of the motion. */
static void mirror_of(const engine *e, mirror *r)
{
    static const double free_sign[6] = {1, -1, 1, -1, 1, -1};
    mj_resetData(e->m, e->d);
    mj_kinematics(e->m, e->d);
    for (int j = 0; j < e->m->njnt; j++) {
        const int adr = e->m->jnt_dofadr[j], other = partner(e->m, mjOBJ_JOINT, j);
        const bool is_free = e->m->jnt_type[j] == mjJNT_FREE;
        CHECK(other >= 0);
        for (int k = 0; k < (is_free ? 6 : 1); k++) {
            r->dof[adr + k] = e->m->jnt_dofadr[other] + k;
            r->sign[adr + k] = is_free ? free_sign[k] : mirror_sign(e, j);
        }
    }
}

static void mirror_pose(const engine *e, const mirror *r, double *to, const double *from)
{
    for (int j = 0; j < e->m->njnt; j++) {
        const int adr = e->m->jnt_qposadr[j], dof = e->m->jnt_dofadr[j];
        if (e->m->jnt_type[j] == mjJNT_FREE) {
            static const double sign[7] = {1, -1, 1, 1, -1, 1, -1};
            for (int k = 0; k < 7; k++) {
                to[adr + k] = sign[k] * from[adr + k];
            }
        } else {
            const int other = e->m->dof_jntid[r->dof[dof]];
            to[adr] = r->sign[dof] * from[e->m->jnt_qposadr[other]];
        }
    }
}

/* Every geom is where its partner's mirror image is, and limits, motors and the mass matrix agree:
 * M(mirror q)_ij = sign_i sign_j M(q)_{dof_i dof_j}. */
static void check_mirror(const char *name)
{
    engine e;
    if (!engine_load(&e, name)) {
        return;
    }
    mirror r;
    mirror_of(&e, &r);
    enum { MAX = 64 };
    double q[MAX], mirrored[MAX], x[3 * MAX], mass[MAX * MAX], mirrored_mass[MAX * MAX];
    const int nv = e.m->nv;
    sal_rng rng = {7};
    for (int trial = 0; trial < 20; trial++) {
        random_pose(&e, &rng);
        memcpy(q, e.d->qpos, (size_t)e.m->nq * sizeof *q);
        mirror_pose(&e, &r, mirrored, q);
        mj_forward(e.m, e.d);
        memcpy(x, e.d->geom_xpos, 3 * (size_t)e.m->ngeom * sizeof *x);
        mj_fullM(e.m, mass, e.d->qM);
        memcpy(e.d->qpos, mirrored, (size_t)e.m->nq * sizeof *q);
        mj_forward(e.m, e.d);
        mj_fullM(e.m, mirrored_mass, e.d->qM);
        for (int i = 1; i < e.m->ngeom; i++) {
            const double *a = x + 3 * i;
            const double *b = e.d->geom_xpos + 3 * partner(e.m, mjOBJ_GEOM, i);
            CHECK_NEAR(b[0], a[0], 1e-12);
            CHECK_NEAR(b[1], -a[1], 1e-12);
            CHECK_NEAR(b[2], a[2], 1e-12);
        }
        for (int i = 0; i < nv * nv; i++) {
            const int row = i / nv, col = i % nv;
            CHECK_NEAR(mirrored_mass[i],
                       r.sign[row] * r.sign[col] * mass[r.dof[row] * nv + r.dof[col]], 1e-11);
        }
    }
    for (int j = 0; j < e.m->njnt; j++) {
        const double *a = e.m->jnt_range + 2 * j;
        const double *b = e.m->jnt_range + 2 * partner(e.m, mjOBJ_JOINT, j);
        const bool same = r.sign[e.m->jnt_dofadr[j]] > 0;
        CHECK_NEAR(b[0], same ? a[0] : -a[1], 1e-15);
        CHECK_NEAR(b[1], same ? a[1] : -a[0], 1e-15);
    }
    for (int i = 0; i < e.m->nu; i++) {
        const int other = partner(e.m, mjOBJ_ACTUATOR, i);
        CHECK_NEAR(e.m->actuator_gear[6 * i], e.m->actuator_gear[6 * other], 0);
        CHECK(e.m->actuator_trnid[2 * other] ==
              partner(e.m, mjOBJ_JOINT, e.m->actuator_trnid[2 * i]));
    }
    engine_free(&e);
}

static void left_and_right_are_mirror_images(void)
{
    check_mirror("walker");
    check_mirror("person");
    check_mirror("quadruped");
}

int main(void)
{
    RUN(sizes_are_as_stated);
    RUN(pendulum_is_too_weak_to_lift);
    RUN(feet_are_flat_on_the_floor);
    RUN(quadruped_stands_on_four_points);
    RUN(only_the_floor_is_touched);
    RUN(left_and_right_are_mirror_images);
    return check_done();
}
