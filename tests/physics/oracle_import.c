/* oracle_import.c: a sal_model copied from libmujoco's, so that the physics is tested without our own reader of MJCF. */
#include "tests/physics/oracle.h"

#include "physics/constants.h"

#include <math.h>
#include <string.h>

/* Names that are the same in both engines: real numbers, and integers of whatever width. */
#define SAME_REALS(X)                                                                              \
    X(qpos0, nq, 1)                                                                                \
    X(qpos_spring, nq, 1)                                                                          \
    X(body_pos, nbody, 3)                                                                          \
    X(body_quat, nbody, 4)                                                                         \
    X(body_ipos, nbody, 3)                                                                         \
    X(body_iquat, nbody, 4)                                                                        \
    X(body_mass, nbody, 1)                                                                         \
    X(body_inertia, nbody, 3)                                                                      \
    X(jnt_pos, njnt, 3)                                                                            \
    X(jnt_axis, njnt, 3)                                                                           \
    X(jnt_range, njnt, 2)                                                                          \
    X(jnt_margin, njnt, 1)                                                                         \
    X(jnt_stiffness, njnt, 1)                                                                      \
    X(jnt_solref, njnt, 2)                                                                         \
    X(jnt_solimp, njnt, 5)                                                                         \
    X(dof_armature, nv, 1)                                                                         \
    X(dof_damping, nv, 1)                                                                          \
    X(dof_frictionloss, nv, 1)                                                                     \
    X(dof_solref, nv, 2)                                                                           \
    X(dof_solimp, nv, 5)                                                                           \
    X(geom_size, ngeom, 3)                                                                         \
    X(geom_rbound, ngeom, 1)                                                                       \
    X(geom_pos, ngeom, 3)                                                                          \
    X(geom_quat, ngeom, 4)                                                                         \
    X(geom_friction, ngeom, 3)                                                                     \
    X(site_size, nsite, 3)                                                                         \
    X(site_pos, nsite, 3)                                                                          \
    X(site_quat, nsite, 4)                                                                         \
    X(cam_pos, ncam, 3)                                                                            \
    X(cam_quat, ncam, 4)                                                                           \
    X(actuator_gear, nu, 6)                                                                        \
    X(actuator_gainprm, nu, 10)                                                                    \
    X(actuator_biasprm, nu, 10)                                                                    \
    X(actuator_ctrlrange, nu, 2)                                                                   \
    X(actuator_forcerange, nu, 2)                                                                  \
    X(sensor_cutoff, nsensor, 1)                                                                   \
    X(eq_data, neq, 11)                                                                            \
    X(eq_solimp, neq, 5)                                                                           \
    X(eq_solref, neq, 2)                                                                           \
    X(tendon_damping, ntendon, 1)                                                                  \
    X(tendon_frictionloss, ntendon, 1)                                                             \
    X(tendon_margin, ntendon, 1)                                                                   \
    X(tendon_range, ntendon, 2)                                                                    \
    X(tendon_solimp_fri, ntendon, 5)                                                               \
    X(tendon_solimp_lim, ntendon, 5)                                                               \
    X(tendon_solref_fri, ntendon, 2)                                                               \
    X(tendon_solref_lim, ntendon, 2)                                                               \
    X(tendon_stiffness, ntendon, 1)                                                                \
    X(wrap_prm, nwrap, 1)
#define SAME_INTS(X)                                                                               \
    X(body_parentid, nbody, 1)                                                                     \
    X(body_rootid, nbody, 1)                                                                       \
    X(body_weldid, nbody, 1)                                                                       \
    X(body_mocapid, nbody, 1)                                                                      \
    X(body_jntadr, nbody, 1)                                                                       \
    X(body_jntnum, nbody, 1)                                                                       \
    X(body_dofadr, nbody, 1)                                                                       \
    X(body_dofnum, nbody, 1)                                                                       \
    X(body_geomadr, nbody, 1)                                                                      \
    X(body_geomnum, nbody, 1)                                                                      \
    X(jnt_type, njnt, 1)                                                                           \
    X(jnt_qposadr, njnt, 1)                                                                        \
    X(jnt_dofadr, njnt, 1)                                                                         \
    X(jnt_bodyid, njnt, 1)                                                                         \
    X(jnt_limited, njnt, 1)                                                                        \
    X(dof_bodyid, nv, 1)                                                                           \
    X(dof_jntid, nv, 1)                                                                            \
    X(dof_parentid, nv, 1)                                                                         \
    X(dof_Madr, nv, 1)                                                                             \
    X(geom_type, ngeom, 1)                                                                         \
    X(geom_bodyid, ngeom, 1)                                                                       \
    X(site_bodyid, nsite, 1)                                                                       \
    X(site_type, nsite, 1)                                                                         \
    X(cam_bodyid, ncam, 1)                                                                         \
    X(actuator_ctrllimited, nu, 1)                                                                 \
    X(actuator_forcelimited, nu, 1)                                                                \
    X(sensor_objid, nsensor, 1)                                                                    \
    X(sensor_refid, nsensor, 1)                                                                    \
    X(sensor_dim, nsensor, 1)                                                                      \
    X(sensor_adr, nsensor, 1)                                                                      \
    X(eq_active, neq, 1)                                                                           \
    X(eq_obj1id, neq, 1)                                                                           \
    X(eq_obj2id, neq, 1)                                                                           \
    X(eq_type, neq, 1)                                                                             \
    X(tendon_adr, ntendon, 1)                                                                      \
    X(tendon_limited, ntendon, 1)                                                                  \
    X(tendon_num, ntendon, 1)                                                                      \
    X(wrap_objid, nwrap, 1)

static int object_of(int mjobj)
{
    switch (mjobj) {
    case mjOBJ_BODY:
        return SAL_OBJ_BODY;
    case mjOBJ_XBODY:
        return SAL_OBJ_XBODY;
    case mjOBJ_GEOM:
        return SAL_OBJ_GEOM;
    case mjOBJ_SITE:
        return SAL_OBJ_SITE;
    case mjOBJ_CAMERA:
        return SAL_OBJ_CAMERA;
    case mjOBJ_ACTUATOR:
        return SAL_OBJ_ACTUATOR;
    case mjOBJ_JOINT:
        return SAL_OBJ_JOINT;
    case mjOBJ_TENDON:
        return SAL_OBJ_TENDON;
    default:
        return SAL_OBJ_NONE;
    }
}

static const struct {
    int mj;
    sal_sensor_type sal;
    sal_stage stage;
} sensor_types[] = {
    {mjSENS_TOUCH,          SAL_SENS_TOUCH,          SAL_STAGE_ACC},
    {mjSENS_ACCELEROMETER,  SAL_SENS_ACCELEROMETER,  SAL_STAGE_ACC},
    {mjSENS_VELOCIMETER,    SAL_SENS_VELOCIMETER,    SAL_STAGE_VEL},
    {mjSENS_GYRO,           SAL_SENS_GYRO,           SAL_STAGE_VEL},
    {mjSENS_MAGNETOMETER,   SAL_SENS_MAGNETOMETER,   SAL_STAGE_POS},
    {mjSENS_JOINTPOS,       SAL_SENS_JOINTPOS,       SAL_STAGE_POS},
    {mjSENS_JOINTVEL,       SAL_SENS_JOINTVEL,       SAL_STAGE_VEL},
    {mjSENS_ACTUATORPOS,    SAL_SENS_ACTUATORPOS,    SAL_STAGE_POS},
    {mjSENS_ACTUATORVEL,    SAL_SENS_ACTUATORVEL,    SAL_STAGE_VEL},
    {mjSENS_ACTUATORFRC,    SAL_SENS_ACTUATORFRC,    SAL_STAGE_ACC},
    {mjSENS_BALLQUAT,       SAL_SENS_BALLQUAT,       SAL_STAGE_POS},
    {mjSENS_BALLANGVEL,     SAL_SENS_BALLANGVEL,     SAL_STAGE_VEL},
    {mjSENS_FRAMEPOS,       SAL_SENS_FRAMEPOS,       SAL_STAGE_POS},
    {mjSENS_FRAMEQUAT,      SAL_SENS_FRAMEQUAT,      SAL_STAGE_POS},
    {mjSENS_FRAMEXAXIS,     SAL_SENS_FRAMEXAXIS,     SAL_STAGE_POS},
    {mjSENS_FRAMEYAXIS,     SAL_SENS_FRAMEYAXIS,     SAL_STAGE_POS},
    {mjSENS_FRAMEZAXIS,     SAL_SENS_FRAMEZAXIS,     SAL_STAGE_POS},
    {mjSENS_FRAMELINVEL,    SAL_SENS_FRAMELINVEL,    SAL_STAGE_VEL},
    {mjSENS_FRAMEANGVEL,    SAL_SENS_FRAMEANGVEL,    SAL_STAGE_VEL},
    {mjSENS_SUBTREECOM,     SAL_SENS_SUBTREECOM,     SAL_STAGE_POS},
    {mjSENS_SUBTREELINVEL,  SAL_SENS_SUBTREELINVEL,  SAL_STAGE_VEL},
    {mjSENS_SUBTREEANGMOM,  SAL_SENS_SUBTREEANGMOM,  SAL_STAGE_VEL},
    {mjSENS_TENDONPOS,      SAL_SENS_TENDONPOS,      SAL_STAGE_POS},
    {mjSENS_TENDONVEL,      SAL_SENS_TENDONVEL,      SAL_STAGE_VEL},
    {mjSENS_JOINTLIMITPOS,  SAL_SENS_JOINTLIMITPOS,  SAL_STAGE_POS},
    {mjSENS_JOINTLIMITVEL,  SAL_SENS_JOINTLIMITVEL,  SAL_STAGE_VEL},
    {mjSENS_JOINTLIMITFRC,  SAL_SENS_JOINTLIMITFRC,  SAL_STAGE_ACC},
    {mjSENS_TENDONLIMITPOS, SAL_SENS_TENDONLIMITPOS, SAL_STAGE_POS},
    {mjSENS_TENDONLIMITVEL, SAL_SENS_TENDONLIMITVEL, SAL_STAGE_VEL},
    {mjSENS_TENDONLIMITFRC, SAL_SENS_TENDONLIMITFRC, SAL_STAGE_ACC},
    {mjSENS_CLOCK,          SAL_SENS_CLOCK,          SAL_STAGE_POS},
};

static void import_sensor(sal_model *m, const mjModel *mjm, int i)
{
    m->sensor_type[i] = SAL_SENS_USER;
    m->sensor_stage[i] = SAL_STAGE_ACC;
    m->sensor_objtype[i] = object_of(mjm->sensor_objtype[i]);
    m->sensor_reftype[i] = object_of(mjm->sensor_reftype[i]);
    for (size_t k = 0; k < sizeof sensor_types / sizeof *sensor_types; k++) {
        if (sensor_types[k].mj == mjm->sensor_type[i]) {
            m->sensor_type[i] = (int)sensor_types[k].sal;
            m->sensor_stage[i] = (int)sensor_types[k].stage;
        }
    }
}

static void import_chains(sal_model *m)
{
    int n = 0;
    for (int b = 0; b < m->nbody; b++) {
        const int p = m->body_parentid[b];
        m->body_chainadr[b] = n;
        for (int k = 0; b > 0 && k < m->body_chainnum[p]; k++) {
            m->chain_dof[n++] = m->chain_dof[m->body_chainadr[p] + k];
        }
        for (int k = 0; k < m->body_dofnum[b]; k++) {
            m->chain_dof[n++] = m->body_dofadr[b] + k;
        }
        m->body_chainnum[b] = n - m->body_chainadr[b];
    }
}

static int chain_length(const mjModel *mjm)
{
    int n = 0;
    for (int b = 0; b < mjm->nbody; b++) {
        for (int a = b; a > 0; a = mjm->body_parentid[a]) {
            n += mjm->body_dofnum[a];
        }
    }
    return n;
}

/* Flags and numbers of <option>. */
static void import_option(sal_model *m, const mjModel *mjm)
{
    static const int flags[][2] = {
        {mjDSBL_CONSTRAINT,   SAL_DSBL_CONSTRAINT              },
        {mjDSBL_EQUALITY,     SAL_DSBL_EQUALITY                },
        {mjDSBL_FRICTIONLOSS, SAL_DSBL_FRICTIONLOSS            },
        {mjDSBL_LIMIT,        SAL_DSBL_LIMIT                   },
        {mjDSBL_CONTACT,      SAL_DSBL_CONTACT                 },
        {mjDSBL_PASSIVE,      SAL_DSBL_SPRING | SAL_DSBL_DAMPER},
        {mjDSBL_GRAVITY,      SAL_DSBL_GRAVITY                 },
        {mjDSBL_CLAMPCTRL,    SAL_DSBL_CLAMPCTRL               },
        {mjDSBL_ACTUATION,    SAL_DSBL_ACTUATION               },
        {mjDSBL_REFSAFE,      SAL_DSBL_REFSAFE                 },
        {mjDSBL_SENSOR,       SAL_DSBL_SENSOR                  },
    };
    m->opt.timestep = mjm->opt.timestep, m->opt.impratio = mjm->opt.impratio;
    m->opt.tolerance = mjm->opt.tolerance, m->opt.iterations = mjm->opt.iterations;
    m->opt.cone = mjm->opt.cone == mjCONE_ELLIPTIC ? SAL_CONE_ELLIPTIC : SAL_CONE_PYRAMIDAL;
    memcpy(m->opt.gravity, mjm->opt.gravity, sizeof m->opt.gravity);
    memcpy(m->opt.magnetic, mjm->opt.magnetic, sizeof m->opt.magnetic);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        m->opt.disable |= mjm->opt.disableflags & flags[k][0] ? flags[k][1] : 0;
    }
}

static bool excluded(const mjModel *mjm, int b1, int b2)
{
    for (int i = 0; i < mjm->nexclude; i++) {
        if (mjm->exclude_signature[i] == ((b1 + 1) << 16) + b2 + 1) {
            return true;
        }
    }
    return false;
}

/* Geoms of different clusters, not parent and child, whose masks agree, not listed as <pair>. */
static bool may_touch(const mjModel *mjm, int g1, int g2)
{
    const int b1 = mjm->geom_bodyid[g1], b2 = mjm->geom_bodyid[g2];
    const int w1 = mjm->body_weldid[b1], w2 = mjm->body_weldid[b2];
    const int p1 = mjm->body_weldid[mjm->body_parentid[w1]],
              p2 = mjm->body_weldid[mjm->body_parentid[w2]];
    if (w1 == w2 || excluded(mjm, b1, b2) ||
        !((mjm->geom_contype[g1] & mjm->geom_conaffinity[g2]) |
          (mjm->geom_contype[g2] & mjm->geom_conaffinity[g1]))) {
        return false;
    }
    for (int i = 0; i < mjm->npair; i++) {
        const int a = mjm->pair_geom1[i], b = mjm->pair_geom2[i];
        if ((a == g1 && b == g2) || (a == g2 && b == g1)) {
            return false;
        }
    }
    return mjm->opt.disableflags & mjDSBL_FILTERPARENT || w1 == 0 || w2 == 0 ||
           (w1 != p2 && w2 != p1);
}

static void combine(const mjModel *mjm, sal_model *m, int p, int g1, int g2)
{
    const int f = mjm->geom_priority[g1] - mjm->geom_priority[g2];
    const double s1 = mjm->geom_solmix[g1], s2 = mjm->geom_solmix[g2];
    const double mix = f > 0                                ? 1
                       : f < 0                              ? 0
                       : s1 < SAL_MINVAL && s2 < SAL_MINVAL ? 0.5
                       : s1 < SAL_MINVAL                    ? 0
                       : s2 < SAL_MINVAL                    ? 1
                                                            : s1 / (s1 + s2);
    const double *r1 = mjm->geom_solref + 2 * g1, *r2 = mjm->geom_solref + 2 * g2;
    double friction[3];
    for (int k = 0; k < 3; k++) {
        const double a = mjm->geom_friction[3 * g1 + k], b = mjm->geom_friction[3 * g2 + k];
        friction[k] = fmax(1e-5, f > 0 ? a : f < 0 ? b : fmax(a, b));
    }
    m->pair_dim[p] = f > 0                                         ? mjm->geom_condim[g1]
                     : f < 0                                       ? mjm->geom_condim[g2]
                     : mjm->geom_condim[g1] > mjm->geom_condim[g2] ? mjm->geom_condim[g1]
                                                                   : mjm->geom_condim[g2];
    for (int k = 0; k < 5; k++) {
        m->pair_friction[5 * p + k] = friction[(const int[]){0, 0, 1, 2, 2}[k]];
        m->pair_solimp[5 * p + k] =
            mix * mjm->geom_solimp[5 * g1 + k] + (1 - mix) * mjm->geom_solimp[5 * g2 + k];
    }
    for (int k = 0; k < 2; k++) {
        m->pair_solref[2 * p + k] = f != 0 || (r1[0] > 0 && r2[0] > 0)
                                        ? mix * r1[k] + (1 - mix) * r2[k]
                                        : fmin(r1[k], r2[k]);
    }
    m->pair_detect[p] = fmax(mjm->geom_margin[g1], mjm->geom_margin[g2]);
    m->pair_include[p] = m->pair_detect[p] - fmax(mjm->geom_gap[g1], mjm->geom_gap[g2]);
}

static void explicit_pair(const mjModel *mjm, sal_model *m, int p, int i)
{
    m->pair_explicit[p] = 1;
    m->pair_dim[p] = mjm->pair_dim[i];
    memcpy(m->pair_friction + 5 * p, mjm->pair_friction + 5 * i, 5 * sizeof(double));
    memcpy(m->pair_solref + 2 * p, mjm->pair_solref + 2 * i, 2 * sizeof(double));
    memcpy(m->pair_solimp + 5 * p, mjm->pair_solimp + 5 * i, 5 * sizeof(double));
    m->pair_detect[p] = mjm->pair_margin[i];
    m->pair_include[p] = mjm->pair_margin[i] - mjm->pair_gap[i];
}

static void set_geoms(const mjModel *mjm, sal_model *m, int p, int g1, int g2)
{
    const bool swap = mjm->geom_type[g1] > mjm->geom_type[g2];
    m->pair_geom1[p] = swap ? g2 : g1;
    m->pair_geom2[p] = swap ? g1 : g2;
}

/* Counts the pairs of geoms, or writes them to m, body pair by body pair: those of <pair> first, then the others. */
static int list_pairs(const mjModel *mjm, sal_model *m)
{
    int n = 0;
    for (int b1 = 0; b1 < mjm->nbody; b1++) {
        for (int b2 = b1 + 1; b2 < mjm->nbody; b2++) {
            for (int i = 0; i < mjm->npair; i++) {
                if (mjm->pair_signature[i] == ((b1 + 1) << 16) + b2 + 1) {
                    if (m != NULL) {
                        set_geoms(mjm, m, n, mjm->pair_geom1[i], mjm->pair_geom2[i]);
                        explicit_pair(mjm, m, n, i);
                    }
                    n++;
                }
            }
            for (int k = 0; k < mjm->body_geomnum[b1] * mjm->body_geomnum[b2]; k++) {
                const int g1 = mjm->body_geomadr[b1] + k / mjm->body_geomnum[b2];
                const int g2 = mjm->body_geomadr[b2] + k % mjm->body_geomnum[b2];
                if (may_touch(mjm, g1, g2)) {
                    if (m != NULL) {
                        set_geoms(mjm, m, n, g1, g2);
                        combine(mjm, m, n, g1, g2);
                    }
                    n++;
                }
            }
        }
    }
    return n;
}

/* Counts the dofs of tendon t (m NULL), or writes them to ten_dof: of all chains of its sites and geoms, or its joints. */
static int tendon_dofs(const mjModel *mjm, int t, int *dof)
{
    int n = 0;
    for (int i = 0; i < mjm->nv; i++) {
        bool depends = false;
        for (int k = mjm->tendon_adr[t]; k < mjm->tendon_adr[t] + mjm->tendon_num[t]; k++) {
            const int type = mjm->wrap_type[k], id = mjm->wrap_objid[k];
            if (type == mjWRAP_JOINT) {
                depends = depends || mjm->jnt_dofadr[id] == i;
            } else if (type != mjWRAP_PULLEY) {
                const int *body = type == mjWRAP_SITE ? mjm->site_bodyid : mjm->geom_bodyid;
                for (int b = body[id]; b > 0; b = mjm->body_parentid[b]) {
                    depends = depends || mjm->dof_bodyid[i] == b;
                }
            }
        }
        if (depends && dof != NULL) {
            dof[n] = i;
        }
        n += depends;
    }
    return n;
}

static void import_tendons(sal_model *m, const mjModel *mjm)
{
    static const int types[] = {[mjWRAP_JOINT] = SAL_WRAP_JOINT,
                                [mjWRAP_PULLEY] = SAL_WRAP_PULLEY,
                                [mjWRAP_SITE] = SAL_WRAP_SITE,
                                [mjWRAP_SPHERE] = SAL_WRAP_SPHERE,
                                [mjWRAP_CYLINDER] = SAL_WRAP_CYLINDER};
    int adr = 0;
    for (int t = 0; t < m->ntendon; t++) {
        m->tendon_Jadr[t] = adr;
        adr += m->tendon_Jnum[t] = tendon_dofs(mjm, t, m->ten_dof + adr);
        m->tendon_lengthspring[2 * t] = m->tendon_lengthspring[2 * t + 1] =
            mjm->tendon_lengthspring[t];
    }
    for (int i = 0; i < m->nwrap; i++) {
        m->wrap_type[i] = types[mjm->wrap_type[i]];
        const bool geom = m->wrap_type[i] >= SAL_WRAP_SPHERE;
        m->wrap_side[i] = geom ? (int)lround(mjm->wrap_prm[i]) : -1;
        m->wrap_prm[i] = geom ? 0 : m->wrap_prm[i];
    }
    for (int i = 0; i < m->nu; i++) {
        m->actuator_trntype[i] =
            mjm->actuator_trntype[i] == mjTRN_TENDON ? SAL_TRN_TENDON : SAL_TRN_JOINT;
    }
    for (int i = 0; i < 2 * m->neq; i++) {
        m->eq_site[i] = -1;
    }
}

sal_model *oracle_import(const mjModel *mjm, sal_err *err)
{
    sal_model *m = sal_alloc(1, sizeof *m);
    m->nq = mjm->nq, m->nv = mjm->nv, m->nu = mjm->nu, m->nbody = mjm->nbody, m->njnt = mjm->njnt;
    m->ngeom = mjm->ngeom, m->nsite = mjm->nsite, m->ncam = mjm->ncam, m->nsensor = mjm->nsensor;
    m->nsensordata = mjm->nsensordata, m->nmocap = mjm->nmocap, m->nM = mjm->nM;
    m->npair = list_pairs(mjm, NULL), m->nchain = chain_length(mjm), m->nnames = 1,
    m->compat222 = true;
    m->neq = mjm->neq, m->ntendon = mjm->ntendon, m->nwrap = mjm->nwrap;
    for (int t = 0; t < mjm->ntendon; t++) {
        m->ntenJ += tendon_dofs(mjm, t, NULL);
    }
    if (sal_model_allocate(m, err) != SAL_OK) {
        return NULL;
    }
#define COPY_REALS(name, rows, columns)                                                            \
    memcpy(m->name, mjm->name, (size_t)mjm->rows *(columns) * sizeof *m->name);
#define COPY_INTS(name, rows, columns)                                                             \
    for (int i = 0; i < mjm->rows; i++) {                                                          \
        m->name[i] = mjm->name[i];                                                                 \
    }
    SAME_REALS(COPY_REALS)
    SAME_INTS(COPY_INTS)
    import_option(m, mjm);
    import_chains(m);
    import_tendons(m, mjm);
    for (int i = 0; i < m->nu; i++) {
        m->actuator_trnid[i] = mjm->actuator_trnid[2 * i];
        m->actuator_inparent[i] = mjm->actuator_trntype[i] == mjTRN_JOINTINPARENT;
        m->actuator_gaintype[i] =
            mjm->actuator_gaintype[i] == mjGAIN_AFFINE ? SAL_GAIN_AFFINE : SAL_GAIN_FIXED;
        m->actuator_biastype[i] =
            mjm->actuator_biastype[i] == mjBIAS_AFFINE ? SAL_BIAS_AFFINE : SAL_BIAS_NONE;
    }
    for (int i = 0; i < m->nsensor; i++) {
        import_sensor(m, mjm, i);
    }
    m->npair = list_pairs(mjm, m);
    sal_model_capacity(m);
    return sal_model_constants(m, err) == SAL_OK ? m : NULL;
}
