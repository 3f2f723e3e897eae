/* kernel.c: the stages that are computed for several instants at once, and the way of their
 * numbers into the lanes and back. */
#include "physics/abreast/kernel.h"

#include "physics/abreast/deriv_kernel.h"
#include "physics/abreast/turn.h"
#include "physics/fluid.h"
#include "physics/scratch.h"
#include "physics/tendon.h"
#include "physics/width.h"

static phy_real *take_lag(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv, sizeof(phy_real));
}

/* Places all in a block, the instants themselves first; run twice, to measure and to place. */
static void lay_out(phy_instants *x, const sal_model *m, sal_layout *layout)
{
    sal_layout_take(layout, 1, sizeof *x);
#define PHY_PLACE(name, rows, columns)                                                             \
    x->name = sal_layout_take(layout, (size_t)m->rows * (size_t)(columns), sizeof(phy_real));
    PHY_GIVEN_ARRAYS(PHY_PLACE)
    PHY_FOUND_ARRAYS(PHY_PLACE)
    PHY_MASS_ARRAYS(PHY_PLACE)
    PHY_ACTUATOR_ARRAYS(PHY_PLACE)
#undef PHY_PLACE
    x->near_pair = sal_layout_take(layout, (size_t)m->npair, sizeof *x->near_pair);
    x->near_lanes = sal_layout_take(layout, (size_t)m->npair, sizeof *x->near_lanes);
    x->limit_joint = sal_layout_take(layout, (size_t)m->njnt, sizeof *x->limit_joint);
    x->limit_lanes = sal_layout_take(layout, (size_t)m->njnt, sizeof *x->limit_lanes);
    x->near_met = sal_layout_take(layout, (size_t)m->npair, sizeof *x->near_met);
    x->met_room = phy_touching_room(m);
    x->met = sal_layout_take(layout, (size_t)x->met_room.contacts, sizeof *x->met);
    x->met_number = sal_layout_take(layout, (size_t)x->met_room.numbers, sizeof *x->met_number);
    x->met_by_lane = sal_layout_take(layout, (size_t)x->met_room.numbers, sizeof *x->met_number);
    x->arena = (sal_arena){0};
    phy_kinematics_scratch(m, &x->arena);
    phy_rne_scratch(m, &x->arena);
    take_lag(m, &x->arena);
    x->arena.used = 0;
    x->arena.size = x->arena.need;
    x->arena.base = sal_layout_take(layout, x->arena.size, 1);
}

static size_t size(const sal_model *m)
{
    phy_instants x = {0};
    sal_layout layout = {NULL, 0};
    lay_out(&x, m, &layout);
    return layout.size;
}

static void begin(const sal_model *m, void *block)
{
    sal_layout layout = {block, 0};
    lay_out(block, m, &layout);
}

static void pack_all(const sal_model *m, phy_instants *x, sal_data *const *d)
{
    double *from[PHY_WIDTH];
#define PHY_PACK(name, rows, columns)                                                              \
    for (int l = 0; l < PHY_WIDTH; l++) {                                                          \
        from[l] = d[l]->name;                                                                      \
    }                                                                                              \
    phy_pack(x->name, from, m->rows *(columns));
    PHY_GIVEN_ARRAYS(PHY_PACK)
#undef PHY_PACK
}

#define PHY_UNPACK(name, rows, columns)                                                            \
    for (int l = 0; l < PHY_WIDTH; l++) {                                                          \
        to[l] = d[l]->name;                                                                        \
    }                                                                                              \
    phy_unpack(to, x->name, m->rows *(columns));

static void bring_some(const sal_model *m, phy_instants *x, sal_data *const *d, unsigned what)
{
    double *to[PHY_WIDTH];
    const unsigned lacking = what & ~x->brought;
    if (lacking & PHY_GEOMS) {
        PHY_GEOM_ARRAYS(PHY_UNPACK)
    }
    if (lacking & PHY_BODIES) {
        PHY_BODY_ARRAYS(PHY_UNPACK)
    }
    if (lacking & PHY_FURTHER) {
        PHY_FURTHER_ARRAYS(PHY_UNPACK)
    }
    x->brought |= what;
}

static void bring(const sal_model *m, void *block, sal_data *const *d)
{
    bring_some(m, block, d, PHY_ALL_FOUND);
}

static void unpack_all(const sal_model *m, phy_instants *x, sal_data *const *d, bool damped,
                       unsigned what)
{
    double *to[PHY_WIDTH];
    PHY_INVERSE_ARRAYS(PHY_UNPACK)
    if (x->actuated) {
        PHY_ACTUATOR_ARRAYS(PHY_UNPACK)
    }
    if (m->mujoco == SAL_MUJOCO_222) {
        PHY_UNPACK(qpos, nq, 1) /* its quaternions have been made units */
    }
    if (damped) {
        PHY_UNPACK(qacc, nv, 1)
        PHY_MASS_ARRAYS(PHY_UNPACK)
    }
    for (int l = 0; l < PHY_WIDTH; l++) {
        d[l]->composed = d[l]->factored = damped;
    }
    for (int l = 0; l < PHY_WIDTH; l++) {
        to[l] = x->met_by_lane + l * x->met_room.numbers;
    }
    phy_unpack(to, x->met_number, x->nmet_number);
    x->brought = 0;
    bring_some(m, x, d, what);
}

#undef PHY_UNPACK

/* What a sensor may read */
static unsigned read_by_sensor(const sal_model *m, int i)
{
    const bool of_body = m->sensor_objtype[i] == SAL_OBJ_XBODY && m->sensor_refid[i] < 0;
    switch (m->sensor_type[i]) {
    case SAL_SENS_JOINTPOS:
    case SAL_SENS_JOINTVEL:
        return 0;
    case SAL_SENS_FRAMEPOS:
    case SAL_SENS_FRAMEQUAT:
    case SAL_SENS_FRAMEXAXIS:
    case SAL_SENS_FRAMEYAXIS:
    case SAL_SENS_FRAMEZAXIS:
        return of_body ? PHY_BODIES : PHY_ALL_FOUND;
    default:
        return PHY_ALL_FOUND;
    }
}

/* Geoms that have not met in the lanes, or whose contacts ask once more where they are */
static bool reads_geoms(const sal_model *m, const phy_instants *x, sal_data *const *d)
{
    bool reads = !phy_lists_pairs(m) || m->nadhesion > 0 || m->nsurfacevel > 0;
    for (int i = 0; i < x->nnear && !reads; i++) {
        reads = x->near_met[i] < 0;
    }
    for (int l = 0; l < PHY_WIDTH && !reads; l++) {
        reads = d[l]->held != NULL;
    }
    return reads;
}

/* Spatial tendons, equalities, what surrounds a body, and actuators of anything but slides and
 * hinges may read where bodies are and how they move; M, where it is asked for, is made of their
 * inertias. */
static unsigned read_by_inverse(const sal_model *m, const phy_instants *x, sal_data *const *d,
                                bool inertial)
{
    unsigned what = 0;
    bool all = !inertial || !x->actuated || phy_tendons_touch_bodies(m) || m->neq > 0 ||
               m->ngravcomp > 0 || phy_fluid_acts(m) || m->opt.enable != 0 ||
               phy_has_step_metric(m) || m->nhistory > 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        all = all || d[l]->callback.passive != NULL;
    }
    for (int i = 0; i < m->nsensor; i++) {
        what |= read_by_sensor(m, i);
    }
    return all ? PHY_ALL_FOUND : what | (reads_geoms(m, x, d) ? PHY_GEOMS : 0);
}

static bool has_friction(const sal_model *m)
{
    int i = 0;
    while (i < m->nv && !(m->dof_frictionloss[i] > 0)) {
        i++;
    }
    return i < m->nv;
}

/* qacc := a,  which was a' */
static void damp(const sal_model *m, phy_instants *x)
{
    const size_t mark = x->arena.used;
    phy_real *lag = take_lag(m, &x->arena);
    phy_mass_of_bodies(m, x);
    phy_factor_mass(m, x);
    phy_damping_lag(m, x, lag, x->qacc);
    for (int i = 0; i < m->nv; i++) {
        x->qacc[i] += lag[i];
    }
    x->arena.used = mark;
}

static void place(const sal_model *m, void *block, sal_data *const *d, phy_abreast_end end)
{
    phy_instants *x = block;
    pack_all(m, x, d);
    phy_kinematics(m, x);
    phy_com(m, x);
    phy_bias_force(m, x);
    if (end == PHY_ABREAST_DAMPED) {
        damp(m, x);
    }
    if (end != PHY_ABREAST_BIAS) {
        phy_inertial_force_of_bodies(m, x, x->qfrc_inverse, x->qacc);
    }
    phy_joint_passive_force(m, x);
    x->actuated = phy_joint_actuators(m, x);
    if (phy_lists_pairs(m)) { /* else each instant sweeps */
        phy_near_pairs(m, x);
        phy_touching(m, x);
    }
    phy_near_limits(m, x);
    x->has_friction = has_friction(m);
    unpack_all(m, x, d, end == PHY_ABREAST_DAMPED,
               read_by_inverse(m, x, d, end != PHY_ABREAST_BIAS));
}

static phy_placed placed(const void *block, int i)
{
    const phy_instants *x = block;
    return (phy_placed){{x->near_pair, x->near_lanes, x->nnear},
                        {x->limit_joint, x->limit_lanes, x->nlimit},
                        i,
                        x->has_friction,
                        x->actuated,
                        x->met,
                        x->near_met,
                        x->nmet,
                        x->met_by_lane + i * x->met_room.numbers,
                        0};
}

const phy_abreast_kernel phy_abreast_kernel_here = {
    PHY_WIDTH, size, begin, place, bring, placed, &phy_deriv_kernel_here};
