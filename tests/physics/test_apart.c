/* Shapes that boxes around them part: never two that are within the margin by their nearest points,
 * and most of those that are not. */
#include "tests/check.h"

#include "base/house.h"
#include "physics/collision/apart.h"
#include "physics/collision/collide.h"
#include "physics/collision/support.h"

enum { POSES = 3000, FIRST = SAL_GEOM_SPHERE, LAST = SAL_GEOM_BOX };
static const double margins[] = {0.02, 0.2}, far_off = 10;

/* Two shapes of random size and pose */
typedef struct scene {
    double pos[2][3], mat[2][9], size[2][3];
    phy_solid solid[2];
} scene;

static void place(scene *s, sal_rng *rng, int type1, int type2)
{
    const int type[2] = {type1, type2};
    for (int i = 0; i < 2; i++) {
        double q[4];
        for (int k = 0; k < 4; k++) {
            q[k] = sal_rng_uniform(rng, -1, 1);
        }
        sal_quat_normalise(q);
        sal_quat_matrix(s->mat[i], q);
        for (int k = 0; k < 3; k++) {
            s->pos[i][k] = sal_rng_uniform(rng, -0.4, 0.4);
            s->size[i][k] = sal_rng_uniform(rng, 0.02, 0.25);
        }
        s->solid[i] = (phy_solid){(sal_geom_type)type[i], s->pos[i], s->mat[i], s->size[i]};
    }
}

static bool are_apart(const scene *s, double margin)
{
    phy_truth apart;
    phy_are_apart(&apart, s->solid, s->solid + 1, margin);
    return phy_any(&apart);
}

static double distance(const scene *s)
{
    const phy_solid *a = s->solid, *b = s->solid + 1;
    phy_shape A, B;
    phy_nearest r;
    phy_shape_set(&A, a->type, a->pos, a->mat, a->size, a->pos);
    phy_shape_set(&B, b->type, b->pos, b->mat, b->size, a->pos);
    return phy_nearest_points(&A, &B, far_off, &r) ? r.dist : far_off;
}

/* By the function of the two types, whose distance may be another: of two boxes, one along an axis
 */
static int contacts(const scene *s, double margin)
{
    const phy_solid *a = s->solid, *b = s->solid + 1;
    const phy_meeting p = {a->pos,         a->mat, a->size, b->pos,  b->mat, b->size, margin,
                           SAL_MUJOCO_314, true,   a->type, b->type, {0},    {0},     {0}};
    phy_touch touch[PHY_TOUCH_MAX];
    return phy_collide_meeting(&p, touch);
}

static void compare(int type1, int type2, double margin, sal_rng *rng)
{
    int beyond = 0, parted = 0, missed = 0, hidden = 0;
    for (int i = 0; i < POSES; i++) {
        scene s;
        place(&s, rng, type1, type2);
        const bool apart = are_apart(&s, margin), is = distance(&s) > margin;
        parted += apart;
        beyond += is;
        missed += apart && !is;
        hidden += apart && contacts(&s, margin) > 0;
    }
    printf("  types %d and %d, margin %g: %d of %d parted\n", type1, type2, margin, parted, beyond);
    CHECK(missed == 0);
    CHECK(hidden == 0);
    CHECK(beyond > POSES / 5 && beyond < POSES);
    CHECK(parted > beyond * 7 / 10);
}

static void parted_ones_are_beyond_the_margin(void)
{
    sal_rng rng = {41};
    for (int type1 = FIRST; type1 <= LAST; type1++) {
        for (int type2 = type1; type2 <= LAST; type2++) {
            for (size_t k = 0; k < sizeof margins / sizeof *margins; k++) {
                compare(type1, type2, margins[k], &rng);
            }
        }
    }
}

/* Along the way between the centres of two balls, to the last digit that counts */
static void spheres_are_parted_by_their_gap(void)
{
    scene s;
    sal_rng rng = {42};
    place(&s, &rng, SAL_GEOM_SPHERE, SAL_GEOM_SPHERE);
    const double reach = s.size[0][0] + s.size[1][0] + margins[0];
    for (int side = -1; side <= 1; side += 2) {
        sal_v3_copy(s.pos[1], s.pos[0]);
        s.pos[1][0] += reach + 2e-6 * (side + 1);
        CHECK(are_apart(&s, margins[0]) == (side > 0));
    }
}

int main(void)
{
    RUN(parted_ones_are_beyond_the_margin);
    RUN(spheres_are_parted_by_their_gap);
    return check_done();
}
