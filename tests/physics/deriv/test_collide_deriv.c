/* How contacts change when a shape moves: the maps beside four-point differences of the contact
 * list, through the whole position stage, with either shape of every pair of types on a free body,
 * the other held in random poses; and beside twelve calls of the collider. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/deriv/collide_map.h"

enum { SIZES = 4, POSES = 30, NUMBERS = 13, MAP = sizeof(phy_contact_map) / sizeof(double) };
#ifndef SOFTENED_FIELDS
#define SOFTENED_FIELDS false /* nothing but these */
#endif

static const double h = 6e-5;
/* of the largest number of the column, or 1; maps that are differences themselves */
static const double tolerance = 2e-8, kink = 1e-5, of_differences = 5e-6;

static const char *const names[SAL_NGEOMTYPES] = {"plane",     "hfield",   "sphere", "capsule",
                                                  "ellipsoid", "cylinder", "box",    "mesh"};

/* ---- two shapes ---- */

/* A geom somewhere on its body, or, to lie on another with a flat side, in its middle. */
static void add_geom(sal_text *xml, sal_rng *rng, int type, bool flat)
{
    double x[10];
    for (int i = 0; i < 10; i++) {
        x[i] = i < 3 ? sal_rng_uniform(rng, 0.05, 0.2) : sal_rng_uniform(rng, -1, 1);
    }
    if (flat) {
        sal_text_format(xml, "<geom type='%s' ", names[type]);
    } else {
        sal_text_format(xml, "<geom type='%s' pos='%g %g %g' quat='%g %g %g %g' margin='.02' ",
                        names[type], 0.1 * x[3], 0.1 * x[4], 0.1 * x[5], x[6], x[7], x[8], x[9]);
    }
    if (type == SAL_GEOM_MESH) {
        sal_text_add(xml, flat ? "mesh='prism'/>" : "mesh='stone'/>");
    } else if (type == SAL_GEOM_HFIELD) {
        sal_text_add(xml, "hfield='hills'/>");
    } else {
        sal_text_format(xml, "size='%g %g %g'/>", x[0], x[1], x[2]);
    }
}

static void add_hills(sal_text *xml, sal_rng *rng)
{
    sal_text_add(xml, "<hfield name='hills' size='.3 .25 .12 .1' nrow='4' ncol='5' elevation='");
    for (int i = 0; i < 20; i++) {
        sal_text_format(xml, "%.3f ", sal_rng_uniform(rng, 0, 1));
    }
    sal_text_add(xml, "'/>");
}

/* Shape `held` on a body that a mocap pose places, shape `moved` on a free one. */
static sal_model *two_shapes(sal_rng *rng, int held, int moved, bool compat222, bool flat)
{
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {0};
    sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_text_add(&xml, "<mujoco><asset><mesh name='stone' vertex='");
    for (int i = 0; i < 14; i++) { /* on an ellipsoid */
        double p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = sal_rng_uniform(rng, -1, 1);
        }
        sal_v3_normalise(p);
        sal_text_format(&xml, "%.6f %.6f %.6f ", 0.15 * p[0], 0.1 * p[1], 0.2 * p[2]);
    }
    sal_text_add(&xml, "'/><mesh name='prism' vertex='");
    for (int i = 0; i < 10; i++) { /* upright, of five sides */
        const double angle = 0.4 * 3.14159265358979 * (i % 5) + 0.1 * i;
        sal_text_format(&xml, "%.6f %.6f %.6f ", 0.15 * cos(angle), 0.2 * sin(angle),
                        i < 5 ? -0.1 : 0.1);
    }
    sal_text_add(&xml, "'/>");
    if (held == SAL_GEOM_HFIELD || moved == SAL_GEOM_HFIELD) {
        add_hills(&xml, rng);
    }
    sal_text_add(&xml, "</asset><worldbody><body mocap='true'>");
    add_geom(&xml, rng, held, flat);
    sal_text_add(&xml, "</body><body><freejoint/>");
    add_geom(&xml, rng, moved, flat);
    sal_text_add(&xml, "</body></worldbody></mujoco>");
    CHECK_OK(sal_model_parse(&m, "pair", xml.data, xml.length, &options, NULL, &err), err);
    sal_text_clear(&xml);
    return m;
}

static void random_quat(sal_rng *rng, double q[4])
{
    for (int k = 0; k < 4; k++) {
        q[k] = sal_rng_uniform(rng, -1, 1);
    }
    sal_quat_normalise(q);
}

/* The shapes near each other, from apart by the margin to one within the other. */
static void place(const sal_model *m, sal_data *d, sal_rng *rng)
{
    double way[3], n[3];
    random_quat(rng, d->mocap_quat);
    random_quat(rng, d->qpos + 3);
    for (int k = 0; k < 3; k++) {
        d->mocap_pos[k] = sal_rng_uniform(rng, -1, 1);
        way[k] = sal_rng_uniform(rng, -0.2, 0.2);
    }
    sal_v3_add(d->qpos, d->mocap_pos, way);
    sal_kinematics(m, d);
    for (int g = 0; g < 2; g++) {
        const double lift = sal_rng_uniform(rng, 0, 0.15);
        sal_m3_column(n, d->geom_xmat + 9 * g, 2);
        if (m->geom_type[g] == SAL_GEOM_PLANE) { /* a little above or below */
            sal_v3_sub(way, d->geom_xpos + 3 * (1 - g), d->geom_xpos + 3 * g);
            const double height = sal_v3_dot(way, n);
            sal_v3_addscaled(d->qpos, d->qpos, lift - height, n);
        }
    }
}

/* One on the other, each with a side of its own geom's axes but for a tilt, which leaves the sides
 * facing each other or, about an axis of the second, only an edge along a side; one cylinder in
 * five lies down, so that it touches along its wall; overlapping. */
static void stand(const sal_model *m, sal_data *d, sal_rng *rng)
{
    static const double tilts[4] = {1e-3, 0.02, 0.05, 0.5};
    const int kind = (int)sal_rng_uniform(rng, 0, 4), axis = (int)sal_rng_uniform(rng, 0, 2);
    const double yaw = sal_rng_uniform(rng, 0, 6), low = sal_rng_uniform(rng, 2e-3, 2e-2);
    const double small = sal_rng_uniform(rng, -0.04, 0.04);
    double turn[3] = {axis == 0 ? tilts[kind] : small, axis == 1 ? tilts[kind] : small, 0};
    double q[4], up[4] = {cos(yaw), 0, 0, sin(yaw)}, tilt[4], n[3], fromto[6];
    sal_err err = {0};
    random_quat(rng, d->mocap_quat);
    const double angle = sal_v3_normalise(turn);
    sal_quat_axisangle(tilt, turn, angle);
    sal_quat_mul(q, up, tilt);
    if (m->geom_type[1] == SAL_GEOM_CYLINDER && sal_rng_uniform(rng, 0, 1) < 0.2) {
        const double down[4] = {sqrt(0.5), sqrt(0.5), 0, 0};
        sal_quat_mul(tilt, q, down);
        memcpy(q, tilt, sizeof q);
    }
    sal_quat_mul(d->qpos + 3, d->mocap_quat, q);
    for (int k = 0; k < 3; k++) {
        d->mocap_pos[k] = sal_rng_uniform(rng, -1, 1);
    }
    sal_kinematics(m, d);
    sal_m3_column(n, d->xmat + 9, 2);
    sal_v3_addscaled(d->qpos, d->mocap_pos, 0.6, n);
    for (int k = 0; k < 2; k++) {
        d->qpos[k] += sal_rng_uniform(rng, -0.05, 0.05);
    }
    for (int round = 0; round < 40; round++) {
        CHECK_OK(sal_position(m, d, &err), err);
        const double gap = sal_geom_distance(m, d, 0, 1, 10, fromto);
        sal_v3_addscaled(d->qpos, d->qpos, -gap - (gap < 1e-6 ? low : 0), n);
        if (gap < 1e-6) {
            return;
        }
    }
}

/* ---- differences ---- */

/* dist, pos, frame */
static void numbers_of(const sal_contact *c, double out[NUMBERS])
{
    out[0] = c->dist;
    memcpy(out + 1, c->pos, 3 * sizeof(double));
    memcpy(out + 4, c->frame, 9 * sizeof(double));
}

/* The contact nearest to c after the free body has moved; false: as many are not there, or none is
 * near. */
static bool after(const sal_model *m, sal_data *d, const sal_contact *c, int ncon,
                  const double move[7], double out[NUMBERS])
{
    sal_err err = {0};
    double least = 1e-3;
    memcpy(d->qpos, move, 7 * sizeof(double));
    CHECK_OK(sal_position(m, d, &err), err);
    const sal_contact *best = NULL;
    for (int i = 0; i < d->ncon; i++) {
        double off[3];
        sal_v3_sub(off, d->contact[i].pos, c->pos);
        if (sal_v3_norm(off) < least && d->contact[i].prism == c->prism) {
            least = sal_v3_norm(off);
            best = d->contact + i;
        }
    }
    if (best == NULL || d->ncon != ncon) {
        return false;
    }
    numbers_of(best, out);
    return true;
}

/* d dist, dP, theta along dof k by four points; false: a kink lies in between. */
static bool differences(const sal_model *m, sal_data *d, const sal_contact *c, int ncon,
                        const double q[7], int k, double out[7])
{
    double f[4][NUMBERS], near[NUMBERS], wide[NUMBERS], slope[NUMBERS], largest = 1, bend = 0;
    const double v[6] = {k == 0, k == 1, k == 2, k == 3, k == 4, k == 5};
    for (int i = 0; i < 4; i++) {
        static const double at[4] = {-2, -1, 1, 2};
        double move[7];
        sal_integrate_pos(m, move, q, v, at[i] * h);
        if (!after(m, d, c, ncon, move, f[i])) {
            return false;
        }
    }
    for (int i = 0; i < NUMBERS; i++) {
        near[i] = (f[2][i] - f[1][i]) / (2 * h);
        wide[i] = (f[3][i] - f[0][i]) / (4 * h);
        slope[i] = (4 * near[i] - wide[i]) / 3;
        largest = fmax(largest, fabs(slope[i]));
        bend = fmax(bend, fabs(near[i] - wide[i]));
    }
    memcpy(out, slope, 4 * sizeof(double));
    sal_v3_set(out + 4, 0, 0, 0);
    for (int row = 0; row < 3; row++) {
        double turn[3];
        sal_v3_cross(turn, c->frame + 3 * row, slope + 4 + 3 * row);
        sal_v3_addscaled(out + 4, out + 4, 0.5, turn);
    }
    return bend <= kink * largest;
}

/* The same by the maps. */
static void by_maps(const sal_model *m, const sal_data *d, const sal_contact *c,
                    const phy_contact_map *map, int k, double out[7])
{
    double xi[6] = {0}, lever[3];
    const int body = m->jnt_bodyid[0];
    xi[3 + k % 3] = k < 3;
    if (k >= 3) {
        sal_m3_column(xi, d->xmat + 9 * body, k - 3);
        sal_v3_sub(lever, c->pos, d->xpos + 3 * body);
        sal_v3_cross(xi + 3, xi, lever);
    }
    const bool second = m->geom_bodyid[c->geom2] == body;
    for (int i = 0; i < 7; i++) {
        const double *row = i == 0  ? map->dist
                            : i < 4 ? map->pos + 6 * (i - 1)
                                    : map->turn + 6 * (i - 4);
        out[i] = sal_v3_dot(row, xi) + sal_v3_dot(row + 3, xi + 3);
        if (!second) { /* together, less shape 2 alone */
            const double common = i == 0  ? 0
                                  : i < 4 ? xi[2 + i]
                                          : xi[i - 4] + c->frame[i - 4] * sal_v3_dot(map->spin, xi);
            out[i] = common - out[i];
        }
    }
}

typedef struct tally {
    int contacts, columns, kinks, wrong, odd, many;
    bool flat;
    double tolerance;
    double worst;
    double upright;        /* of a height field's contacts */
    phy_contact_map spoil; /* what to multiply the maps by */
} tally;

static tally no_tally(void)
{
    tally t = {.tolerance = tolerance};
    for (int i = 0; i < MAP; i++) {
        ((double *)&t.spoil)[i] = 1;
    }
    return t;
}

static void compare(tally *t, const double a[7], const double b[7])
{
    double largest = 1, off = 0;
    for (int i = 0; i < 7; i++) {
        largest = fmax(largest, fabs(b[i]));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    t->columns++;
    t->worst = fmax(t->worst, off / largest);
    t->wrong += !(off <= (t->upright > 0 ? of_differences : t->tolerance) * largest);
}

/* The maps of all contacts, each number multiplied by its `spoil`; those that differences of the
 * collider do not confirm are odd. */
static void take_maps(const sal_model *m, const sal_data *d, tally *t, phy_contact_map *map)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        phy_contact_map other;
        phy_contact_map_at(m, d, i, map + i);
        phy_map_hybrid(m, d, c, &other);
        double largest = 1, off = 0, *ours = (double *)&map[i];
        const double *theirs = (const double *)&other, *spoil = (const double *)&t->spoil;
        for (int k = 0; k < MAP - 3; k++) { /* all but spin */
            const bool hinted = m->geom_type[c->geom1] == SAL_GEOM_PLANE && k >= 24;
            largest = fmax(largest, fabs(ours[k]));
            off = fmax(off, hinted ? 0 : fabs(ours[k] - theirs[k]));
        }
        t->odd += !(off <= 1e-6 * largest);
        for (int k = 0; k < MAP; k++) {
            ours[k] *= spoil[k];
        }
    }
}

static void one_state(const sal_model *m, sal_data *d, sal_rng *rng, tally *t)
{
    sal_err err = {0};
    double q[7];
    sal_contact contact[PHY_TOUCH_MAX];
    phy_contact_map map[PHY_TOUCH_MAX];
    if (t->flat) {
        stand(m, d, rng);
    } else {
        place(m, d, rng);
    }
    memcpy(q, d->qpos, sizeof q);
    CHECK_OK(sal_position(m, d, &err), err);
    const int ncon = d->ncon;
    t->many += ncon > 1;
    take_maps(m, d, t, map);
    memcpy(contact, d->contact, (size_t)ncon * sizeof *contact);
    for (int i = 0; i < ncon; i++) {
        t->contacts++;
        for (int k = 0; k < 6; k++) {
            double fd[7], ours[7];
            if (!differences(m, d, contact + i, ncon, q, k, fd)) {
                t->kinks++;
                continue;
            }
            memcpy(d->qpos, q, sizeof q);
            sal_kinematics(m, d);
            by_maps(m, d, contact + i, map + i, k, ours);
            compare(t, ours, fd);
        }
    }
}

static void pair_of(int held, int moved, bool compat222, tally *t)
{
    sal_rng rng = {(uint64_t)(100 * held + moved)};
    for (int s = 0; s < SIZES; s++) {
        sal_model *m = two_shapes(&rng, held, moved, compat222, t->flat);
        sal_data *d = NULL;
        sal_err err = {0};
        CHECK_OK(sal_data_new(&d, m, &err), err);
        m->pair_upright[0] = t->upright;
        for (int i = 0; i < POSES; i++) {
            one_state(m, d, &rng, t);
        }
        sal_data_free(d);
        sal_model_free(m);
    }
}

/* Beside a kink the four points do not say; of random states few are. */
static void judge(const tally *t)
{
    CHECK(t->contacts >= 40);
    CHECK(t->wrong == 0);
    CHECK(t->kinks <= 0.03 * t->columns);
    CHECK(t->odd <= 0.03 * t->contacts);
}

static void all_pairs(bool compat222)
{
    int contacts = 0, columns = 0, kinks = 0, odd = 0;
    double worst = 0;
    for (int a = 0; a < SAL_NGEOMTYPES; a++) {
        for (int b = 0; b < SAL_NGEOMTYPES; b++) {
            tally t = no_tally();
            const bool field = a == SAL_GEOM_HFIELD || b == SAL_GEOM_HFIELD; /* not said in 2.2.2 */
            if (b == SAL_GEOM_PLANE || (a <= SAL_GEOM_HFIELD && b <= SAL_GEOM_HFIELD) ||
                (field && compat222)) {
                continue;
            }
            pair_of(a, b, compat222, &t);
            judge(&t);
            contacts += t.contacts;
            columns += t.columns;
            kinks += t.kinks;
            odd += t.odd;
            worst = fmax(worst, t.worst);
        }
    }
    printf("     %d contacts: %d columns within %.1e, %d beside kinks; %d contacts beside kinks of "
           "the collider\n",
           contacts, columns, worst, kinks, odd);
}

/* The corners of a mesh are rounded to floats, so that a side is flat to 1e-7 of its size only.
 * Which of a cap's corners are kept jumps more often than those of other sides, because they span
 * the same. */
static void maps_of_flat_sides_are_differences(void)
{
    for (int a = SAL_GEOM_CYLINDER; a < SAL_NGEOMTYPES; a++) {
        for (int b = SAL_GEOM_CYLINDER; b < SAL_NGEOMTYPES; b++) {
            tally t = no_tally();
            const bool cap = a == SAL_GEOM_CYLINDER || b == SAL_GEOM_CYLINDER;
            const double jumps = cap ? 0.25 : 0.03;
            t.flat = true;
            t.tolerance = a == SAL_GEOM_MESH || b == SAL_GEOM_MESH ? 2e-7 : tolerance;
            pair_of(a, b, false, &t);
            printf("     %s on %s: %d contacts, %d poses with several; %d columns within %.1e, %d "
                   "beside kinks, %d odd\n",
                   names[b], names[a], t.contacts, t.many, t.columns, t.worst, t.kinks, t.odd);
            CHECK(t.many >= 40);
            CHECK(t.wrong == 0);
            CHECK(t.kinks <= jumps * t.columns);
            CHECK(t.odd <= jumps * t.contacts);
        }
    }
}

static void maps_are_differences(void)
{
    all_pairs(false);
}

static void maps_are_differences_in_compat(void)
{
    all_pairs(true);
}

/* A height field's contacts whose normals are turned to those of its triangles, in part and
 * wholly. */
static void softened_fields_have_maps(void)
{
    static const double upright[] = {0.3, 1};
    for (int b = SAL_GEOM_SPHERE; b < SAL_NGEOMTYPES; b++) {
        for (int i = 0; i < 2; i++) {
            tally t = no_tally();
            t.upright = upright[i];
            pair_of(SAL_GEOM_HFIELD, b, false, &t);
            printf("     hfield, %s, upright %g: %d contacts, %d columns within %.1e, %d beside "
                   "kinks\n",
                   names[b], upright[i], t.contacts, t.columns, t.worst, t.kinks);
            judge(&t);
        }
    }
}

/* Each number of the maps wrong by a thousandth, one after the other. */
static void a_wrong_number_is_found(void)
{
    for (int i = 0; i < MAP; i++) {
        tally t = no_tally();
        ((double *)&t.spoil)[i] = 1.001;
        pair_of(SAL_GEOM_BOX, SAL_GEOM_CAPSULE, false, &t);
        CHECK(t.wrong > 0);
    }
}

/* ---- where a derivative does not exist ---- */

/* Two geoms, as posed; the maps of all their contacts are of this world, and shifts change the
 * distance as they must. */
static void stands(const char *geom1, const char *geom2, bool compat222, int contacts)
{
    static const char cube[] = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1";
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_text_format(&xml,
                    "<mujoco><asset><mesh name='cube' vertex='%s' scale='.1 .1 .1'/></asset>"
                    "<worldbody><geom %s/><body><freejoint/><geom %s/></body></worldbody></mujoco>",
                    cube, geom1, geom2);
    CHECK_OK(sal_model_parse(&m, "two", xml.data, xml.length, &options, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_position(m, d, &err), err);
    if (d->ncon < contacts) {
        printf("%s, %s: %d contacts\n", geom1, geom2, d->ncon);
    }
    CHECK(d->ncon >= contacts);
    for (int i = 0; i < d->ncon; i++) {
        phy_contact_map map;
        phy_contact_map_at(m, d, i, &map);
        for (int k = 0; k < MAP; k++) {
            CHECK_NEAR(((const double *)&map)[k], 0, 1e3);
        }
        for (int k = 0; k < 3 && !compat222; k++) {
            CHECK_NEAR(map.dist[3 + k], d->contact[i].frame[k], 1e-9);
        }
    }
    sal_data_free(d);
    sal_model_free(m);
    sal_text_clear(&xml);
}

static void no_derivative_does_no_harm(void)
{
    static const struct {
        const char *geom1, *geom2;
        int contacts;
    } pair[] = {
        {"type='capsule' size='.1 .2'", "type='capsule' size='.1 .2' pos='.19 0 .1'", 2},
        {"type='capsule' size='.1 .2'", "type='capsule' size='.1 .2' pos='0 0 .5'", 1},
        {"type='capsule' size='.1 .2'", "type='capsule' size='.1 .2' euler='90 0 0'", 1},
        {"type='sphere' size='.1'", "type='sphere' size='.2'", 1},
        {"type='sphere' size='.1'", "type='capsule' size='.2 .1'", 1},
        {"type='sphere' size='.1'", "type='box' size='.2 .3 .4'", 1},
        {"type='sphere' size='.1'", "type='box' size='.2 .3 .4' pos='.2 0 0'", 1},
        {"type='sphere' size='.1'", "type='cylinder' size='.2 .3'", 1},
        {"type='sphere' size='.1'", "type='ellipsoid' size='.2 .2 .2' pos='.25 0 0'", 1},
        {"type='sphere' size='.1' pos='0 0 .35'", "type='cylinder' size='.2 .3'", 1},
        {"type='plane' size='1 1 1'", "type='capsule' size='.1 .2' pos='0 0 .29'", 1},
        {"type='plane' size='1 1 1'", "type='capsule' size='.1 .2' pos='0 0 .09' euler='90 0 0'",
         2},
        {"type='plane' size='1 1 1'", "type='cylinder' size='.1 .2' pos='0 0 .19'", 3},
        {"type='plane' size='1 1 1'", "type='cylinder' size='.1 .2' pos='0 0 .09' euler='90 0 0'",
         2},
        {"type='plane' size='1 1 1'", "type='box' size='.1 .2 .3' pos='0 0 .29'", 4},
        {"type='plane' size='1 1 1'", "type='mesh' mesh='cube' pos='0 0 .09'", 3},
        {"type='plane' size='1 1 1'", "type='ellipsoid' size='.1 .1 .1' pos='0 0 .09'", 1},
        {"type='box' size='.3 .3 .1'", "type='box' size='.1 .2 .1' pos='0 0 .19'", 4},
        {"type='box' size='.1 .1 .1'", "type='box' size='.1 .1 .1' pos='0 0 .19'", 4},
        {"type='box' size='.1 .1 .1'", "type='box' size='.1 .1 .1' pos='.05 .07 .19'", 4},
        {"type='box' size='.1 .1 .1'", "type='box' size='.1 .1 .1' pos='0 0 .19' euler='0 0 45'",
         8},
        {"type='box' size='.3 .3 .1'", "type='cylinder' size='.1 .2' pos='0 0 .29'", 1},
        {"type='box' size='.3 .3 .1'", "type='cylinder' size='.1 .2' pos='0 0 .19' euler='90 0 0'",
         1},
        {"type='box' size='.3 .3 .1'", "type='capsule' size='.1 .2' pos='0 0 .19' euler='90 0 0'",
         2},
        {"type='box' size='.3 .3 .1'", "type='capsule' size='.1 .2' pos='0 0 .39'", 1},
        {"type='box' size='.3 .3 .1'", "type='mesh' mesh='cube' pos='0 0 .19'", 1},
        {"type='box' size='.1 .1 .1'", "type='mesh' mesh='cube' pos='0 0 .19' euler='0 0 30'", 1},
        {"type='box' size='.3 .3 .1'", "type='ellipsoid' size='.1 .1 .1' pos='0 0 .19'", 1},
        {"type='cylinder' size='.1 .2'", "type='cylinder' size='.1 .2' pos='.05 0 .39'", 1},
        {"type='cylinder' size='.1 .2'", "type='cylinder' size='.1 .2' pos='.19 0 .1'", 1},
        {"type='cylinder' size='.1 .2'", "type='capsule' size='.1 .2' pos='.19 0 .1'", 1},
        {"type='ellipsoid' size='.1 .1 .1'", "type='ellipsoid' size='.1 .1 .1' pos='.1 .1 0'", 1},
        {"type='mesh' mesh='cube'", "type='mesh' mesh='cube' pos='.05 .05 .19'", 1},
    };
    const int n = (int)(sizeof pair / sizeof *pair);
    for (int i = 0; i < 2 * n; i++) {
        stands(pair[i / 2].geom1, pair[i / 2].geom2, i % 2 == 1, pair[i / 2].contacts);
    }
    printf("     %d pairs, each in both modes\n", n);
}

int main(void)
{
    if (SOFTENED_FIELDS) {
        RUN(softened_fields_have_maps);
        return check_done();
    }
    RUN(maps_are_differences);
    RUN(maps_are_differences_in_compat);
    RUN(maps_of_flat_sides_are_differences);
    RUN(a_wrong_number_is_found);
    RUN(no_derivative_does_no_harm);
    return check_done();
}
