/* J v is the rate of pos. (Rows beside libmujoco: agreement.c.) */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "physics/constraint.h"

/* efc_vel of limits and contact normals is the rate of efc_pos, by centred differences along the
 * velocity. */
static void compare_rates(oracle *o, int *compared_rows)
{
    const double e = 1e-6;
    double pos[2][256], q[256];
    sal_err err;
    CHECK_OK(sal_inverse(o->m, o->d, &err), err);
    const int n = o->d->nefc;
    double vel[256] = {0};
    bool wanted[256] = {false};
    for (int i = 0; i < n && i < 256; i++) {
        const int type = o->d->efc_type[i];
        vel[i] = o->d->efc_vel[i];
        wanted[i] =
            type == SAL_EFC_LIMIT_JOINT || (type >= SAL_EFC_CONTACT_FRICTIONLESS &&
                                            o->d->contact[o->d->efc_id[i]].efc_address == i);
    }
    memcpy(q, o->d->qpos, (size_t)o->m->nq * sizeof *q);
    for (int side = 0; side < 2; side++) {
        sal_integrate_pos(o->m, o->d->qpos, q, o->d->qvel, side ? e : -e);
        CHECK_OK(sal_position(o->m, o->d, &err), err);
        if (o->d->nefc != n || n > 256) {
            return; /* one came or went */
        }
        memcpy(pos[side], o->d->efc_pos, (size_t)n * sizeof *q);
    }
    for (int i = 0; i < n; i++) {
        if (wanted[i]) {
            CHECK_NEAR((pos[1][i] - pos[0][i]) / (2 * e), vel[i], 1e-8 * (1 + fabs(vel[i])));
            ++*compared_rows;
        }
    }
}

static void row_velocities_are_rates_of_distances(void)
{
    static const char *const files[] = {"models/dmc_walker.xml",
                                        "models/mj222_humanoid.xml",
                                        "models/gym_pusher.xml",
                                        "models/gym_ant.xml",
                                        "reference/vectors/03_capsule_plane_condim.xml",
                                        "reference/vectors/05_ball_limit_friction.xml"};
    int rows = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = check_corpus(files[i]);
        oracle o;
        char why[512];
        if (path == NULL) {
            SKIP("no corpus");
        }
        CHECK(oracle_open(&o, path, why));
        o.m->opt.cone = SAL_CONE_ELLIPTIC;
        for (int k = 0; k < 100; k++) {
            oracle_state(&o, k, 0.1 * (1 + k % 4));
            compare_rates(&o, &rows);
        }
        oracle_close(&o);
    }
    printf("     %d rows\n", rows);
    CHECK(rows > 1000);
}

int main(void)
{
    RUN(row_velocities_are_rates_of_distances);
    return check_done();
}
