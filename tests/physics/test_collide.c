/* Pairs of primitives: against libmujoco 2.2.2 on random poses, and against what a contact is: two
 * surface points, the nearest ones. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/collision/collide.h"

#include <mujoco/mujoco.h>

enum { POSES = 3000 };
#define DETECT 0.05

static const struct {
    const char *name1, *name2;
    int type1, type2;
    phy_collider *collide;
} pairs[] = {
    {"plane", "sphere", mjGEOM_PLANE, mjGEOM_SPHERE, phy_plane_sphere},
    {"plane", "capsule", mjGEOM_PLANE, mjGEOM_CAPSULE, phy_plane_capsule},
    {"plane", "ellipsoid", mjGEOM_PLANE, mjGEOM_ELLIPSOID, phy_plane_ellipsoid},
    {"plane", "cylinder", mjGEOM_PLANE, mjGEOM_CYLINDER, phy_plane_cylinder},
    {"plane", "box", mjGEOM_PLANE, mjGEOM_BOX, phy_plane_box},
    {"sphere", "sphere", mjGEOM_SPHERE, mjGEOM_SPHERE, phy_sphere_sphere},
    {"sphere", "capsule", mjGEOM_SPHERE, mjGEOM_CAPSULE, phy_sphere_capsule},
    {"capsule", "capsule", mjGEOM_CAPSULE, mjGEOM_CAPSULE, phy_capsule_capsule},
    {"sphere", "box", mjGEOM_SPHERE, mjGEOM_BOX, phy_sphere_box},
    {"capsule", "box", mjGEOM_CAPSULE, mjGEOM_BOX, phy_capsule_box},
    {"sphere", "cylinder", mjGEOM_SPHERE, mjGEOM_CYLINDER, phy_sphere_cylinder},
    {"box", "box", mjGEOM_BOX, mjGEOM_BOX, phy_box_box},
};
enum {
    BOX_BOX = sizeof pairs / sizeof *pairs - 1, /* these two differ from 2.2.2 */
    CYLINDER = BOX_BOX - 1,
    CAPSULE_BOX = CYLINDER - 1
};

/* Two shapes of random size and pose, near each other. */
typedef struct scene {
    double pos[2][3], mat[2][9], size[2][3];
    phy_meeting meeting;
} scene;

static void place(scene *s, sal_rng *rng, int pair, bool compat222)
{
    for (int i = 0; i < 2; i++) {
        double q[4];
        for (int k = 0; k < 4; k++) {
            q[k] = sal_rng_uniform(rng, -1, 1);
        }
        sal_quat_normalise(q);
        sal_quat_matrix(s->mat[i], q);
        for (int k = 0; k < 3; k++) {
            s->pos[i][k] = sal_rng_uniform(rng, -0.3, 0.3);
            s->size[i][k] = sal_rng_uniform(rng, 0.05, 0.25);
        }
    }
    if (pairs[pair].type1 == mjGEOM_PLANE) { /* not too deep, not too far */
        double n[3];
        sal_m3_column(n, s->mat[0], 2);
        sal_v3_addscaled(s->pos[1], s->pos[1], sal_rng_uniform(rng, -0.1, 0.4), n);
    }
    s->meeting = (phy_meeting){s->pos[0],
                               s->mat[0],
                               s->size[0],
                               s->pos[1],
                               s->mat[1],
                               s->size[1],
                               DETECT,
                               compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314,
                               !compat222,
                               (sal_geom_type)pairs[pair].type1,
                               (sal_geom_type)pairs[pair].type2,
                               {0},
                               {0},
                               {0}};
}

/* ---- libmujoco: the pair alone, poses and sizes written into its data ---- */

static mjModel *two_geoms(const char *type1, const char *type2)
{
    char xml[1024], error[500] = "";
    const int length =
        snprintf(xml, sizeof xml,
                 "<mujoco><worldbody><geom name='a' type='%s' size='.1 .1 .1'/>"
                 "<body><freejoint/><geom name='b' type='%s' size='.1 .1 .1'/></body></worldbody>"
                 "<contact><pair geom1='a' geom2='b' margin='%g'/></contact></mujoco>",
                 type1, type2, DETECT);
    mjVFS *vfs = malloc(sizeof *vfs);
    mj_defaultVFS(vfs);
    mj_makeEmptyFileVFS(vfs, "pair.xml", length + 1);
    memcpy(vfs->filedata[mj_findFileVFS(vfs, "pair.xml")], xml, (size_t)length + 1);
    mjModel *m = mj_loadXML("pair.xml", vfs, error, sizeof error);
    if (m == NULL) {
        printf("%s\n", error);
        exit(1);
    }
    mj_deleteVFS(vfs);
    free(vfs);
    m->geom_rbound[1] = 10; /* no pose is too far for the narrow phase */
    m->geom_rbound[0] = m->geom_type[0] == mjGEOM_PLANE ? 0 : 10;
    return m;
}

static void their_contacts(mjModel *m, mjData *d, const scene *s)
{
    for (int i = 0; i < 2; i++) {
        memcpy(m->geom_size + 3 * i, s->size[i], sizeof s->size[i]);
        memcpy(d->geom_xpos + 3 * i, s->pos[i], sizeof s->pos[i]);
        memcpy(d->geom_xmat + 9 * i, s->mat[i], sizeof s->mat[i]);
    }
    mj_collision(m, d);
}

static void same_as_libmujoco(void)
{
    for (int p = 0; p < CYLINDER; p++) { /* theirs for sphere-cylinder is approximate */
        sal_rng rng = {11};
        mjModel *m = two_geoms(pairs[p].name1, pairs[p].name2);
        mjData *d = mj_makeData(m);
        int contacts = 0;
        mj_forward(m, d);
        for (int i = 0; i < POSES; i++) {
            scene s;
            phy_touch touch[PHY_TOUCH_MAX];
            place(&s, &rng, p, true);
            their_contacts(m, d, &s);
            const int count = pairs[p].collide(&s.meeting, touch);
            CHECK(count == d->ncon);
            for (int c = 0; c < count && c < d->ncon; c++) {
                CHECK_NEAR(touch[c].dist, d->contact[c].dist, 1e-14);
                for (int k = 0; k < 3; k++) {
                    CHECK_NEAR(touch[c].pos[k], d->contact[c].pos[k], 1e-14);
                    CHECK_NEAR(touch[c].normal[k], d->contact[c].frame[k], 1e-12);
                }
            }
            contacts += count;
        }
        printf("     %s-%s: %d contacts in %d poses\n", pairs[p].name1, pairs[p].name2, contacts,
               POSES);
        CHECK(contacts > POSES / 10);
        mj_deleteData(d);
        mj_deleteModel(m);
    }
}

/* ---- by itself ---- */

/* h(n) = max n.x over the shape, about its centre and in its axes */
static double support(int type, const double size[3], const double n[3])
{
    const double across = hypot(n[0], n[1]);
    switch (type) {
    case mjGEOM_SPHERE:
        return size[0];
    case mjGEOM_CAPSULE:
        return size[0] + size[1] * fabs(n[2]);
    case mjGEOM_CYLINDER:
        return size[0] * across + size[1] * fabs(n[2]);
    case mjGEOM_ELLIPSOID:
        return sqrt(pow(size[0] * n[0], 2) + pow(size[1] * n[1], 2) + pow(size[2] * n[2], 2));
    default:
        return size[0] * fabs(n[0]) + size[1] * fabs(n[1]) + size[2] * fabs(n[2]);
    }
}

/* 0 on the surface; the signed distance, but for the ellipsoid */
static double outside(int type, const double size[3], const double x[3])
{
    const double rho = hypot(x[0], x[1]);
    double out = 0, deepest = -1;
    switch (type) {
    case mjGEOM_PLANE:
        return x[2];
    case mjGEOM_SPHERE:
        return sal_v3_norm(x) - size[0];
    case mjGEOM_CAPSULE:
        return hypot(rho, fmax(fabs(x[2]) - size[1], 0)) - size[0];
    case mjGEOM_CYLINDER:
        return rho > size[0] && fabs(x[2]) > size[1] ? hypot(rho - size[0], fabs(x[2]) - size[1])
                                                     : fmax(rho - size[0], fabs(x[2]) - size[1]);
    case mjGEOM_ELLIPSOID:
        return pow(x[0] / size[0], 2) + pow(x[1] / size[1], 2) + pow(x[2] / size[2], 2) - 1;
    default:
        for (int k = 0; k < 3; k++) {
            const double beyond = fabs(x[k]) - size[k];
            out += beyond > 0 ? beyond * beyond : 0;
            deepest = fmax(deepest, beyond);
        }
        return out > 0 ? sqrt(out) : deepest;
    }
}

/* The surface points  pos -+ n dist/2 lie on their shapes (of a capsule on a plane: the ball at the
 *                     upper end bottoms out inside). */
static void check_surfaces(const scene *s, int p, const phy_touch *touch, bool nearest)
{
    const bool inside = !nearest && pairs[p].type2 == mjGEOM_CAPSULE;
    const bool second = !nearest && p == CAPSULE_BOX; /* its ball, not the capsule */
    const int type[2] = {pairs[p].type1, pairs[p].type2};
    for (int i = 0; i < 2; i++) {
        double point[3], local[3];
        sal_v3_addscaled(point, touch->pos, (i ? 0.5 : -0.5) * touch->dist, touch->normal);
        sal_v3_sub(point, point, s->pos[i]);
        sal_m3_multv(local, s->mat[i], point);
        const double out = outside(type[i], s->size[i], local);
        CHECK(out <= 1e-13 && (out >= -1e-13 || (inside && i == 1) || (second && i == 0)));
    }
}

/* The two planes across n through the surface points hold the shapes apart: no two points can be
 * nearer than dist; if dist < 0, moving shape 2 by -dist n parts them. */
static void check_separation(const scene *s, int p, const phy_touch *touch)
{
    double n[3], local[3], offset[3];
    sal_v3_copy(n, touch->normal);
    CHECK_NEAR(sal_v3_norm(n), 1, 1e-13);
    sal_m3_multv(local, s->mat[0], n);
    const double top =
        pairs[p].type1 == mjGEOM_PLANE ? 0 : support(pairs[p].type1, s->size[0], local);
    sal_v3_scale(n, n, -1);
    sal_m3_multv(local, s->mat[1], n);
    const double bottom = support(pairs[p].type2, s->size[1], local);
    sal_v3_sub(offset, s->pos[1], s->pos[0]);
    CHECK_NEAR(touch->dist, sal_v3_dot(touch->normal, offset) - top - bottom, 1e-12);
}

/* The capsule's axis meets the box: then its contacts are MuJoCo's balls, not the least way out.
 * (Slabs: x in [-1,1] and |c_k + x a_k| <= s_k for all k.) */
static bool pierced(const scene *s)
{
    double z[3], a[3], c[3], offset[3], low = -1, high = 1;
    sal_m3_column(z, s->mat[0], 2);
    sal_m3_multv(a, s->mat[1], z);
    sal_v3_sub(offset, s->pos[0], s->pos[1]);
    sal_m3_multv(c, s->mat[1], offset);
    for (int k = 0; k < 3; k++) {
        const double rise = s->size[0][1] * a[k];
        const double x1 = (s->size[1][k] - c[k]) / rise, x2 = (-s->size[1][k] - c[k]) / rise;
        low = fmax(low, fmin(x1, x2));
        high = fmin(high, fmax(x1, x2));
    }
    return low <= high;
}

static void contacts_are_nearest_points(void)
{
    sal_rng rng = {12};
    for (int p = 0; p < BOX_BOX; p++) {
        int contacts = 0;
        for (int i = 0; i < POSES; i++) {
            scene s;
            phy_touch touch[PHY_TOUCH_MAX];
            place(&s, &rng, p, false);
            const int count =
                p == CAPSULE_BOX && pierced(&s) ? 0 : pairs[p].collide(&s.meeting, touch);
            int nearest = 0;
            for (int c = 0; c < count; c++) {
                CHECK(touch[c].dist <= DETECT);
                nearest = touch[c].dist < touch[nearest].dist ? c : nearest;
            }
            for (int c = 0; c < count; c++) {
                check_surfaces(&s, p, touch + c, c == nearest);
            }
            if (count > 0) {
                check_separation(&s, p, touch + nearest);
            }
            contacts += count;
        }
        CHECK(contacts > POSES / 10);
    }
}

/* max n.x - min n.x between the boxes: how far apart, or how deep, along n */
static double gap_along(const scene *s, const double n[3])
{
    double local1[3], local2[3], offset[3];
    sal_m3_multv(local1, s->mat[0], n);
    sal_m3_multv(local2, s->mat[1], n);
    sal_v3_sub(offset, s->pos[1], s->pos[0]);
    return fabs(sal_v3_dot(n, offset)) - support(mjGEOM_BOX, s->size[0], local1) -
           support(mjGEOM_BOX, s->size[1], local2);
}

/* Both surface points of every contact lie on their boxes; all share one normal, and no other
 * direction parts the boxes sooner, but for the twentieth by which a face is preferred to an edge.
 * Where random directions part them, there is no contact. */
static void boxes_touch_at_their_surfaces(void)
{
    sal_rng rng = {14};
    int seen[PHY_TOUCH_MAX + 1] = {0};
    for (int i = 0; i < POSES; i++) {
        scene s;
        phy_touch touch[PHY_TOUCH_MAX];
        double best = -HUGE_VAL, n[3];
        place(&s, &rng, BOX_BOX, false);
        const int count = phy_box_box(&s.meeting, touch);
        for (int k = 0; k < 300; k++) {
            for (int c = 0; c < 3; c++) {
                n[c] = sal_rng_uniform(&rng, -1, 1);
            }
            sal_v3_normalise(n);
            best = fmax(best, gap_along(&s, n));
        }
        CHECK(count == 0 || best <= DETECT);
        for (int c = 0; c < count; c++) {
            const double gap = gap_along(&s, touch[0].normal);
            CHECK(touch[c].dist <= DETECT && touch[c].dist >= gap - 1e-14);
            CHECK(gap > 0 || best <= gap + 0.051 * fabs(gap));
            CHECK(memcmp(touch[c].normal, touch[0].normal, sizeof touch[0].normal) == 0);
            if (gap <= 0) { /* apart, two edges may pass each other beyond their ends */
                check_surfaces(&s, BOX_BOX, touch + c, true);
            }
        }
        seen[count]++;
    }
    CHECK(seen[1] > 100 && seen[2] > 10 && seen[3] > 100 && seen[4] > 100 && seen[5] > 10);
}

/* A box turned by 45 degrees on its like: the corners of the octagon that their faces share. A
 * lesser box on a larger: its own. */
static void boxes_stand_on_each_other(void)
{
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, c = sqrt(0.5);
    const double turned[9] = {c, -c, 0, c, c, 0, 0, 0, 1};
    const double size[3] = {0.1, 0.1, 0.1}, small[3] = {0.05, 0.06, 0.1}, origin[3] = {0};
    const double above[3] = {0, 0, 0.199};
    phy_meeting p = {origin,         identity, size,         above,        turned, size, 0,
                     SAL_MUJOCO_314, false,    SAL_GEOM_BOX, SAL_GEOM_BOX, {0},    {0},  {0}};
    phy_touch touch[PHY_TOUCH_MAX];
    CHECK(phy_box_box(&p, touch) == 8);
    for (int i = 0; i < 8; i++) {
        const double x = fabs(touch[i].pos[0]), y = fabs(touch[i].pos[1]);
        CHECK_NEAR(touch[i].dist, -0.001, 1e-15);
        CHECK_NEAR(touch[i].pos[2], 0.0995, 1e-15);
        CHECK_NEAR(fmax(x, y), 0.1, 1e-15);
        CHECK_NEAR(fmin(x, y), 0.1 * (sqrt(2) - 1), 1e-15);
    }
    p.mat2 = identity;
    p.size2 = small;
    CHECK(phy_box_box(&p, touch) == 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(fabs(touch[i].pos[0]), 0.05, 1e-15);
        CHECK_NEAR(fabs(touch[i].pos[1]), 0.06, 1e-15);
        CHECK_NEAR(touch[i].normal[2], 1, 0);
    }
}

/* What the random poses never meet. */
static void parallel_capsules_touch_twice(void)
{
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double size1[3] = {0.1, 0.5}, size2[3] = {0.1, 0.3};
    const double pos1[3] = {0}, pos2[3] = {0.15, 0, 0.4};
    const phy_meeting p = {pos1,
                           identity,
                           size1,
                           pos2,
                           identity,
                           size2,
                           0,
                           SAL_MUJOCO_314,
                           false,
                           SAL_GEOM_CAPSULE,
                           SAL_GEOM_CAPSULE,
                           {0},
                           {0},
                           {0}};
    phy_touch touch[PHY_TOUCH_MAX];
    CHECK(phy_capsule_capsule(&p, touch) == 2);
    /* the stretch both share is z = .1 .. .5; its ends, midway between the axes */
    const double ends[2] = {0.5, 0.1};
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(touch[i].dist, -0.05, 1e-15);
        CHECK_NEAR(touch[i].pos[0], 0.075, 1e-15);
        CHECK_NEAR(touch[i].pos[2], ends[i], 1e-15);
        CHECK_NEAR(touch[i].normal[0], 1, 1e-15);
    }
}

static void centres_may_coincide(void)
{
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double turned[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0}; /* z axis along -y */
    const double size[3] = {0.1, 0.2, 0.3}, pos[3] = {1, 2, 3};
    phy_meeting p = {pos,
                     identity,
                     size,
                     pos,
                     identity,
                     size,
                     0,
                     SAL_MUJOCO_314,
                     false,
                     SAL_GEOM_SPHERE,
                     SAL_GEOM_SPHERE,
                     {0},
                     {0},
                     {0}};
    phy_touch touch[PHY_TOUCH_MAX];
    CHECK(phy_sphere_sphere(&p, touch) == 1);
    CHECK_NEAR(touch[0].dist, -0.2, 0);
    CHECK_NEAR(touch[0].normal[0], 1, 0);
    p.mat2 = turned;
    CHECK(phy_sphere_sphere(&p, touch) == 1);
    CHECK_NEAR(touch[0].normal[0], 1, 1e-15); /* z x (-y) */
    /* a centre in a box leaves by the nearest face: .1 to the face x = -.1 */
    p.mat2 = identity;
    CHECK(phy_sphere_box(&p, touch) == 1);
    CHECK_NEAR(touch[0].dist, -0.2, 1e-15);
    CHECK_NEAR(touch[0].normal[0], 1, 0);
    p.mujoco = SAL_MUJOCO_222;
    CHECK(phy_sphere_box(&p, touch) == 1);
    CHECK_NEAR(touch[0].dist, -0.1, 0);
}

static void upright_cylinder_stands_on_four_points(void)
{
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double size[3] = {0.1, 0.2, 0}, origin[3] = {0}, above[3] = {0, 0, 0.199};
    const phy_meeting p = {
        origin,         identity,          size, above, identity, size, 0, SAL_MUJOCO_314, false,
        SAL_GEOM_PLANE, SAL_GEOM_CYLINDER, {0},  {0},   {0}};
    phy_touch touch[PHY_TOUCH_MAX];
    const int count = phy_plane_cylinder(&p, touch);
    CHECK(count == 3); /* the upper rim is too high */
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(touch[i].dist, -0.001, 1e-16);
        CHECK_NEAR(hypot(touch[i].pos[0], touch[i].pos[1]), 0.1, 1e-15);
    }
}

/* A cylinder that hardly leans on a plane: its deepest point is known in closed form,
 *
 *     dist = z - h |a_z| - r sqrt(a_x^2 + a_y^2)
 *
 * and found as well however near the axis a is to the normal. (MuJoCo makes the difference of the
 * two a unit vector, which is off by the rounding of the difference over its length.) */
static void leaning_cylinder_is_as_deep_as_its_rim(void)
{
    static const double lean[] = {.3, .03, 6e-3, 1.2e-3, 1e-4, 1e-6};
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double size[3] = {0.03, 0.002, 0}, origin[3] = {0};
    double worst = 0;
    for (int k = 0; k < 600; k++) {
        sal_rng rng = {(uint64_t)k};
        const double about = sal_rng_uniform(&rng, -3, 3), by = lean[k % 6];
        const double turn[3] = {by * cos(about), by * sin(about), 0};
        const double pos[3] = {-.08, .02, sal_rng_uniform(&rng, .001, .002)};
        double q[4], mat[9];
        sal_quat_exp(q, turn);
        sal_quat_matrix(mat, q);
        const phy_meeting p = {
            origin,         identity,          size, pos, mat, size, 0, SAL_MUJOCO_314, false,
            SAL_GEOM_PLANE, SAL_GEOM_CYLINDER, {0},  {0}, {0}};
        const long double z = pos[2], h = size[1], r = size[0];
        const long double dist = z - h * fabsl(mat[8]) - r * hypotl(mat[2], mat[5]);
        phy_touch touch[PHY_TOUCH_MAX];
        const int count = phy_plane_cylinder(&p, touch);
        double deepest = 1;
        for (int i = 0; i < count; i++) {
            deepest = fmin(deepest, touch[i].dist);
        }
        worst = fmax(worst, fabs(deepest - (double)dist));
    }
    CHECK_NEAR(worst, 0, 2e-17);
}

/* ---- the list: a plane and another geom above it ---- */

typedef struct pair_model {
    sal_model m;
    sal_data *d;
} pair_model;

static void open_pair(pair_model *o, sal_geom_type type1, sal_geom_type type2)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    sal_err err;
    memset(o, 0, sizeof *o);
    o->m.nbody = 2, o->m.ngeom = 2, o->m.npair = 1, o->m.nnames = 1;
    CHECK_OK(sal_model_allocate(&o->m, &err), err);
    o->m.geom_type[0] = (int)type1, o->m.geom_type[1] = (int)type2;
    o->m.geom_rbound[0] = type1 == SAL_GEOM_PLANE ? 0 : 0.5;
    o->m.geom_rbound[1] = 0.5;
    o->m.body_mocapid[0] = o->m.body_mocapid[1] = -1;
    o->m.pair_geom2[0] = 1;
    o->m.pair_dim[0] = 3;
    o->m.pair_detect[0] = 0.01;
    for (int i = 0; i < 6; i++) {
        o->m.geom_size[i] = 0.25;
    }
    sal_model_capacity(&o->m);
    CHECK_OK(sal_data_new(&o->d, &o->m, &err), err);
    memcpy(o->d->geom_xmat, identity, sizeof identity);
    memcpy(o->d->geom_xmat + 9, identity, sizeof identity);
}

static void close_pair(pair_model *o)
{
    sal_data_free(o->d);
    sal_free(o->m.block);
}

static void unsupported_pairs_fail_when_they_meet(void)
{
    pair_model o;
    sal_err err;
    open_pair(&o, SAL_GEOM_HFIELD, SAL_GEOM_HFIELD);
    o.d->geom_xpos[5] = 1.02;
    CHECK_OK(sal_collide(&o.m, o.d, &err), err);
    o.d->geom_xpos[5] = 1.005;
    CHECK(sal_collide(&o.m, o.d, &err) == SAL_UNSUPPORTED);
    CHECK(strstr(err.message, "(hfield) and geom") != NULL);
    close_pair(&o);
}

static void full_list_is_an_error(void)
{
    pair_model o;
    sal_err err;
    open_pair(&o, SAL_GEOM_PLANE, SAL_GEOM_BOX);
    o.d->geom_xpos[5] = 0.2;
    CHECK_OK(sal_collide(&o.m, o.d, &err), err);
    CHECK(o.d->ncon == 4);
    o.m.nconmax = 3;
    CHECK(sal_collide(&o.m, o.d, &err) == SAL_FULL);
    CHECK(strstr(err.message, "nconmax") != NULL);
    close_pair(&o);
}

/* Two stacks of 30 boxes in the same place: 900 pairs of boxes touch, with 4 points or more each;
 * rows of two hinges are short enough that all have room. */
static void a_pile_has_room(void)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    sal_text_add(&xml, "<mujoco><worldbody>");
    for (int stack = 0; stack < 2; stack++) {
        sal_text_format(&xml, "<body><joint axis='%d 0 1'/>", stack);
        for (int i = 0; i < 30; i++) {
            sal_text_format(&xml, "<geom type='box' size='1 1 1' pos='0 0 %g'/>", 1e-3 * i);
        }
        sal_text_add(&xml, "</body>");
    }
    sal_text_add(&xml, "</worldbody></mujoco>");
    CHECK_OK(sal_model_parse(&m, "pile.xml", xml.data, xml.length, NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_position(m, d, &err), err);
    CHECK(d->ncon >= 4 * 900);
    sal_data_free(d);
    sal_model_free(m);
    sal_text_clear(&xml);
}

static void no_contact_when_switched_off_or_not_a_number(void)
{
    pair_model o;
    sal_err err;
    open_pair(&o, SAL_GEOM_PLANE, SAL_GEOM_SPHERE);
    o.d->geom_xpos[5] = 0.2;
    CHECK_OK(sal_collide(&o.m, o.d, &err), err);
    CHECK(o.d->ncon == 1);
    o.m.opt.disable = SAL_DSBL_CONTACT;
    CHECK_OK(sal_collide(&o.m, o.d, &err), err);
    CHECK(o.d->ncon == 0);
    o.m.opt.disable = 0;
    o.d->geom_xpos[5] = nan("");
    CHECK_OK(sal_collide(&o.m, o.d, &err), err);
    CHECK(o.d->ncon == 0);
    close_pair(&o);
}

/* Right-handed and orthonormal for every normal. */
static void frames_are_rotations(void)
{
    pair_model o;
    sal_err err;
    sal_rng rng = {13};
    open_pair(&o, SAL_GEOM_SPHERE, SAL_GEOM_SPHERE);
    for (int i = 0; i < 1000; i++) {
        double across[3];
        for (int k = 0; k < 3; k++) {
            o.d->geom_xpos[3 + k] = sal_rng_uniform(&rng, -0.25, 0.25);
        }
        CHECK_OK(sal_collide(&o.m, o.d, &err), err);
        CHECK(o.d->ncon == 1);
        const double *f = o.d->contact[0].frame;
        sal_v3_cross(across, f, f + 3);
        CHECK_NEAR(sal_v3_dot(f, f + 3), 0, 1e-15);
        CHECK_NEAR(sal_v3_norm(f + 3), 1, 1e-15);
        CHECK_NEAR(sal_v3_dot(across, f + 6), 1, 1e-14);
        /* the first tangent is as near the y axis as it can be, or the z axis */
        CHECK(fabs(f[1]) < 0.5 ? f[4] > 0.8 : f[5] > 0.8 || fabs(f[1]) >= 0.5);
    }
    close_pair(&o);
}

int main(void)
{
    RUN(same_as_libmujoco);
    RUN(contacts_are_nearest_points);
    RUN(boxes_touch_at_their_surfaces);
    RUN(boxes_stand_on_each_other);
    RUN(parallel_capsules_touch_twice);
    RUN(centres_may_coincide);
    RUN(upright_cylinder_stands_on_four_points);
    RUN(leaning_cylinder_is_as_deep_as_its_rim);
    RUN(unsupported_pairs_fail_when_they_meet);
    RUN(full_list_is_an_error);
    RUN(a_pile_has_room);
    RUN(no_contact_when_switched_off_or_not_a_number);
    RUN(frames_are_rotations);
    return check_done();
}
