/* A motion over its whole cycle: how left and right share the time on the ground. */
#include "tests/problems/motions.h"

#include "problems/result/gait.h"

/* The hopper with other words for left and right, of as many letters */
static void rename_sides(char *xml, const char *left, const char *right)
{
    for (char *at = xml; *at != 0; at++) {
        if (strncmp(at, "left", 4) == 0) {
            memcpy(at, left, 4);
        } else if (strncmp(at, "right", 5) == 0) {
            memcpy(at, right, 5);
        }
    }
}

/* Its legs are on the ground for three steps and for one, under half the weight; then neither. */
static void stand(sal_result *r)
{
    const int left = 2, right = 3; /* geoms; 0: the floor */
    CHECK(r->ncontact >= 5);
    for (int t = 0; t <= r->nstep; t++) {
        r->contact_offset[t] = t < 5 ? t : 5;
    }
    r->ncontact = 5;
    for (int k = 0; k < 5; k++) {
        r->contact_geom[2 * k] = 0;
        r->contact_geom[2 * k + 1] = k == 1 ? right : left;
        r->contact_force[6 * k] = k < 4 ? r->weight / 2 : r->weight / 200; /* less than counts */
    }
}

static double share_of(const sal_result *r)
{
    prb_gait *g = NULL;
    sal_err err = {0};
    CHECK_OK(prb_gait_new(&g, r, &err), err);
    const double share = g == NULL ? -1 : g->stance_left;
    prb_gait_free(g);
    return share;
}

/* Simulated as motion_hopper is. */
static void make(motion *a, const char *xml)
{
    const double v0[8] = {0.3, 0, -1, 0.1, 0.2, -0.1, 0.4, -0.5};
    motion_allocate(a, xml, 60);
    motion_simulate(a, v0);
    stand(a->r);
}

static void sides_are_told_by_names(void)
{
    motion a;
    make(&a, hopper_xml);
    CHECK_NEAR(share_of(a.r), 0.75, 1e-15);
    a.r->travel[0] = -0.3; /* whatever its way */
    CHECK_NEAR(share_of(a.r), 0.75, 1e-15);
    motion_clear(&a);
}

static void or_by_places(void)
{
    static char xml[sizeof hopper_xml];
    motion a;
    memcpy(xml, hopper_xml, sizeof xml);
    rename_sides(xml, "port", "board");
    make(&a, xml);
    CHECK(isnan(share_of(a.r))); /* it does not travel: nothing tells */
    a.r->travel[0] = 0.3;
    CHECK_NEAR(share_of(a.r), 0.75, 1e-15);
    a.r->travel[0] = -0.3;
    CHECK_NEAR(share_of(a.r), 0.25, 1e-15);
    motion_clear(&a);
}

static void the_image_of_a_half_does_the_same(void)
{
    motion a;
    motion_cycle(&a);
    const double share = share_of(a.r);
    CHECK(isnan(share) || share == 0.5);
    stand(a.r);
    CHECK_NEAR(share_of(a.r), 0.5, 1e-15);
    motion_clear(&a);
}

static void one_side_alone_shares_nothing(void)
{
    motion a;
    make(&a, hopper_xml);
    a.r->contact_force[6] = 0;
    CHECK(isnan(share_of(a.r)));
    motion_clear(&a);
}

int main(void)
{
    RUN(sides_are_told_by_names);
    RUN(or_by_places);
    RUN(the_image_of_a_half_does_the_same);
    RUN(one_side_alone_shares_nothing);
    return check_done();
}
