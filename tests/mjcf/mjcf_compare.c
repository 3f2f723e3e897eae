#include "tests/mjcf/mjcf_compare.h"

#include "tests/check.h"

#include "base/house.h"

#include <dirent.h>

static void compare(comparison *c, const char *what, const double *ours, const mjtNum *theirs,
                    int n)
{
    double scale = 1;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, isfinite(theirs[i]) ? fabs(theirs[i]) : 0);
    }
    for (int i = 0; i < n; i++) {
        const double error = ours[i] == theirs[i] ? 0 : fabs(ours[i] - theirs[i]) / scale;
        if (!(error <= c->worst)) {
            c->worst = error;
            c->where = what;
        }
        if (!(error <= c->tolerance)) {
            printf("    %s: %s[%d] = %.17g, MuJoCo %.17g\n", c->file, what, i, ours[i], theirs[i]);
            return;
        }
    }
}

static void compare_int(comparison *c, const char *what, const int *ours, const int *theirs, int n)
{
    for (int i = 0; i < n; i++) {
        if (ours[i] != theirs[i]) {
            printf("    %s: %s[%d] = %d, MuJoCo %d\n", c->file, what, i, ours[i], theirs[i]);
            c->worst = 1;
            c->where = what;
            return;
        }
    }
}

static void compare_byte(comparison *c, const char *what, const int *ours, const mjtByte *theirs,
                         int n)
{
    for (int i = 0; i < n; i++) {
        const int theirs_i = theirs[i];
        compare_int(c, what, ours + i, &theirs_i, 1);
    }
}

#define REAL(name, n, k) compare(&c, #name, s->name, m->name, (n) * (k))
#define INT(name, n)     compare_int(&c, #name, s->name, m->name, (n))
#define BYTE(name, n)    compare_byte(&c, #name, s->name, m->name, (n))

/* Rotations and inertial frames are compared by what they do: sign and, for equal inertias, axes
 * are free. */
static void inertia_tensor(double tensor[9], const double quat[4], const double inertia[3])
{
    double r[9], length[4];
    sal_quat_copy(length, quat);
    sal_quat_matrix(r, length);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            tensor[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) {
                tensor[3 * i + j] += r[3 * i + k] * inertia[k] * r[3 * j + k];
            }
        }
    }
}

static void compare_rotations(comparison *c, const char *what, const double *ours,
                              const double *theirs, int n)
{
    for (int i = 0; i < n; i++) {
        double a[9], b[9];
        sal_quat_matrix(a, ours + 4 * i);
        sal_quat_matrix(b, theirs + 4 * i);
        compare(c, what, a, b, 9);
    }
}

static bool same_sizes(comparison *c, const sal_model *s, const mjModel *m)
{
    const struct {
        const char *name;
        int ours, theirs;
    } sizes[] = {{"nq", s->nq, m->nq},
                 {"nv", s->nv, m->nv},
                 {"nu", s->nu, m->nu},
                 {"nbody", s->nbody, m->nbody},
                 {"njnt", s->njnt, m->njnt},
                 {"ngeom", s->ngeom, m->ngeom},
                 {"nsite", s->nsite, m->nsite},
                 {"ncam", s->ncam, m->ncam},
                 {"nM", s->nM, m->nM},
                 {"nsensor", s->nsensor, m->nsensor},
                 {"nsensordata", s->nsensordata, m->nsensordata},
                 {"nkey", s->nkey, m->nkey},
                 {"neq", s->neq, m->neq},
                 {"ntendon", s->ntendon, m->ntendon},
                 {"nwrap", s->nwrap, m->nwrap},
                 {"nmocap", s->nmocap, m->nmocap}};
    bool same = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].ours != sizes[i].theirs) {
            printf("    %s: %s = %d, MuJoCo %d\n", c->file, sizes[i].name, sizes[i].ours,
                   sizes[i].theirs);
            c->worst = 1;
            c->where = "sizes";
            same = false;
        }
    }
    return same;
}

static void compare_bodies(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    const int n = s->nbody;
    INT(body_parentid, n), INT(body_rootid, n), INT(body_weldid, n), INT(body_mocapid, n);
    INT(body_jntadr, n), INT(body_jntnum, n), INT(body_dofadr, n), INT(body_dofnum, n);
    INT(body_geomadr, n), INT(body_geomnum, n);
    REAL(body_pos, n, 3), REAL(body_ipos, n, 3), REAL(body_mass, n, 1);
    REAL(body_subtreemass, n, 1), REAL(body_invweight0, n, 2);
    compare_rotations(&c, "body_quat", s->body_quat, m->body_quat, n);
    for (int b = 0; b < n; b++) {
        double ours[9], theirs[9];
        inertia_tensor(ours, s->body_iquat + 4 * b, s->body_inertia + 3 * b);
        inertia_tensor(theirs, m->body_iquat + 4 * b, m->body_inertia + 3 * b);
        compare(&c, "body_inertia", ours, theirs, 9);
    }
    *compared = c;
}

static void compare_joints(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    INT(jnt_type, s->njnt), INT(jnt_qposadr, s->njnt), INT(jnt_dofadr, s->njnt);
    INT(jnt_bodyid, s->njnt), BYTE(jnt_limited, s->njnt);
    REAL(jnt_pos, s->njnt, 3), REAL(jnt_axis, s->njnt, 3);
    REAL(jnt_margin, s->njnt, 1), REAL(jnt_stiffness, s->njnt, 1);
    REAL(jnt_solref, s->njnt, 2), REAL(jnt_solimp, s->njnt, 5);
    for (int j = 0; j < s->njnt; j++) {
        if (s->jnt_type[j] != SAL_JNT_FREE) {
            compare(&c, "jnt_range", s->jnt_range + 2 * j, m->jnt_range + 2 * j, 2);
        }
    }
    INT(dof_bodyid, s->nv), INT(dof_jntid, s->nv), INT(dof_parentid, s->nv), INT(dof_Madr, s->nv);
    REAL(dof_armature, s->nv, 1), REAL(dof_damping, s->nv, 1), REAL(dof_frictionloss, s->nv, 1);
    REAL(dof_invweight0, s->nv, 1), REAL(dof_M0, s->nv, 1);
    REAL(dof_solref, s->nv, 2), REAL(dof_solimp, s->nv, 5);
    REAL(qpos0, s->nq, 1), REAL(qpos_spring, s->nq, 1);
    compare(&c, "meaninertia", &s->meaninertia, &m->stat.meaninertia, 1);
    *compared = c;
}

static void compare_geoms(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    const int n = s->ngeom;
    INT(geom_type, n), INT(geom_bodyid, n);
    if (!c.written) {
        INT(geom_contype, n), INT(geom_conaffinity, n);
    }
    INT(geom_condim, n), INT(geom_priority, n), INT(geom_group, n);
    REAL(geom_solmix, n, 1), REAL(geom_solref, n, 2), REAL(geom_solimp, n, 5);
    REAL(geom_size, n, 3), REAL(geom_rbound, n, 1), REAL(geom_pos, n, 3);
    REAL(geom_friction, n, 3), REAL(geom_margin, n, 1), REAL(geom_gap, n, 1);
    REAL(geom_fluid, n, 12);
    compare_rotations(&c, "geom_quat", s->geom_quat, m->geom_quat, n);
    INT(site_bodyid, s->nsite), INT(site_type, s->nsite);
    REAL(site_size, s->nsite, 3), REAL(site_pos, s->nsite, 3);
    compare_rotations(&c, "site_quat", s->site_quat, m->site_quat, s->nsite);
    INT(cam_bodyid, s->ncam);
    INT(cam_mode, s->ncam), INT(cam_targetbodyid, s->ncam);
    REAL(cam_pos, s->ncam, 3), REAL(cam_fovy, s->ncam, 1), REAL(cam_pos0, s->ncam, 3);
    REAL(cam_poscom0, s->ncam, 3), REAL(cam_mat0, s->ncam, 9);
    compare_rotations(&c, "cam_quat", s->cam_quat, m->cam_quat, s->ncam);
    *compared = c;
}

/* Ranges of muscles come from a simulation, in which the tolerances of the solvers add up. */
static void compare_lengthranges(comparison *c, const sal_model *s, const mjModel *m)
{
    for (int i = 0; i < s->nu; i++) {
        const double *ours = s->actuator_lengthrange + 2 * i;
        const double *theirs = m->actuator_lengthrange + 2 * i;
        const double width = fabs(theirs[1] - theirs[0]);
        if (!(fabs(ours[0] - theirs[0]) <= 1e-7 * width &&
              fabs(ours[1] - theirs[1]) <= 1e-7 * width)) {
            compare(c, "actuator_lengthrange", ours, theirs, 2);
        }
    }
}

static void compare_actuators(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    static const int transmissions[] = {[mjTRN_JOINT] = SAL_TRN_JOINT,
                                        [mjTRN_JOINTINPARENT] = SAL_TRN_JOINT,
                                        [mjTRN_SLIDERCRANK] = SAL_TRN_SLIDERCRANK,
                                        [mjTRN_TENDON] = SAL_TRN_TENDON,
                                        [mjTRN_SITE] = SAL_TRN_SITE,
                                        [mjTRN_BODY] = SAL_TRN_BODY};
    INT(actuator_gaintype, s->nu), INT(actuator_biastype, s->nu), INT(actuator_group, s->nu);
    BYTE(actuator_ctrllimited, s->nu), BYTE(actuator_forcelimited, s->nu);
    BYTE(actuator_actlimited, s->nu);
    for (int i = 0; i < s->nu; i++) {
        const int dyntype =
            m->actuator_dyntype[i] == mjDYN_MUSCLE ? SAL_DYN_MUSCLE : m->actuator_dyntype[i];
        compare_int(&c, "actuator_trnid", s->actuator_trnid + i, m->actuator_trnid + 2 * i, 1);
        compare_int(&c, "actuator_refid", s->actuator_refid + i, m->actuator_trnid + 2 * i + 1, 1);
        compare_int(&c, "actuator_dyntype", s->actuator_dyntype + i, &dyntype, 1);
        compare_int(&c, "actuator_trntype", s->actuator_trntype + i,
                    &transmissions[m->actuator_trntype[i]], 1);
        const int inparent = m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
        compare_int(&c, "actuator_inparent", s->actuator_inparent + i, &inparent, 1);
    }
    REAL(actuator_dynprm, s->nu, 10), REAL(actuator_actrange, s->nu, 2);
    REAL(actuator_cranklength, s->nu, 1);
    compare_lengthranges(&c, s, m);
    REAL(actuator_gear, s->nu, 6), REAL(actuator_gainprm, s->nu, 10);
    REAL(actuator_biasprm, s->nu, 10), REAL(actuator_ctrlrange, s->nu, 2);
    REAL(actuator_forcerange, s->nu, 2), REAL(actuator_acc0, s->nu, 1);
    REAL(actuator_length0, s->nu, 1);
    *compared = c;
}

static void compare_equalities(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    INT(eq_type, s->neq), INT(eq_obj1id, s->neq);
    BYTE(eq_active, s->neq), REAL(eq_solref, s->neq, 2), REAL(eq_solimp, s->neq, 5);
    for (int i = 0; i < s->neq; i++) {
        const double *ours = s->eq_data + 11 * i, *theirs = m->eq_data + mjNEQDATA * i;
        const int type = s->eq_type[i], n = type == SAL_EQ_CONNECT ? 6
                                            : type == SAL_EQ_WELD  ? 6
                                                                   : 5;
        compare(&c, "eq_data", ours, theirs, n);
        if (type == SAL_EQ_WELD) {
            compare_rotations(&c, "eq_data", ours + 6, theirs + 6, 1);
            compare(&c, "torquescale", ours + 10, theirs + 10, 1);
        }
        compare_int(&c, "eq_obj2id", s->eq_obj2id + i, m->eq_obj2id + i, 1);
    }
    *compared = c;
}

static void compare_tendons(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    const int n = s->ntendon;
    INT(tendon_adr, n), INT(tendon_num, n), BYTE(tendon_limited, n), INT(wrap_objid, s->nwrap);
    REAL(tendon_range, n, 2), REAL(tendon_margin, n, 1), REAL(tendon_stiffness, n, 1);
    REAL(tendon_damping, n, 1), REAL(tendon_frictionloss, n, 1), REAL(tendon_length0, n, 1);
    REAL(tendon_invweight0, n, 1), REAL(tendon_solref_lim, n, 2), REAL(tendon_solimp_lim, n, 5);
    REAL(tendon_solref_fri, n, 2), REAL(tendon_solimp_fri, n, 5);
    for (int t = 0; t < n; t++) {
        compare(&c, "lengthspring", s->tendon_lengthspring + 2 * t, m->tendon_lengthspring + t, 1);
    }
    for (int i = 0; i < s->nwrap; i++) {
        const bool geom = s->wrap_type[i] >= SAL_WRAP_SPHERE;
        const double prm = geom ? s->wrap_side[i] : s->wrap_prm[i];
        const int type = s->wrap_type[i] + mjWRAP_JOINT; /* in the same order */
        compare_int(&c, "wrap_type", &type, m->wrap_type + i, 1);
        compare(&c, "wrap_prm", &prm, m->wrap_prm + i, 1);
    }
    *compared = c;
}

static int object_type(int theirs)
{
    switch (theirs) {
    case mjOBJ_BODY:
        return SAL_OBJ_BODY;
    case mjOBJ_XBODY:
        return SAL_OBJ_XBODY;
    case mjOBJ_JOINT:
        return SAL_OBJ_JOINT;
    case mjOBJ_GEOM:
        return SAL_OBJ_GEOM;
    case mjOBJ_SITE:
        return SAL_OBJ_SITE;
    case mjOBJ_CAMERA:
        return SAL_OBJ_CAMERA;
    case mjOBJ_TENDON:
        return SAL_OBJ_TENDON;
    case mjOBJ_ACTUATOR:
        return SAL_OBJ_ACTUATOR;
    default:
        return SAL_OBJ_NONE;
    }
}

static void compare_sensors(comparison *compared, const sal_model *s, const mjModel *m)
{
    comparison c = *compared;
    INT(sensor_dim, s->nsensor), INT(sensor_adr, s->nsensor);
    REAL(sensor_cutoff, s->nsensor, 1), REAL(sensor_noise, s->nsensor, 1);
    for (int i = 0; i < s->nsensor; i++) {
        const int stage = m->sensor_needstage[i] - mjSTAGE_POS, type = m->sensor_objtype[i];
        const int objtype = object_type(type), reftype = object_type(m->sensor_reftype[i]);
        compare_int(&c, "sensor_stage", s->sensor_stage + i, &stage, 1);
        if (s->sensor_type[i] == SAL_SENS_USER) {
            continue;
        }
        compare_int(&c, "sensor_objtype", s->sensor_objtype + i, &objtype, 1);
        compare_int(&c, "sensor_reftype", s->sensor_reftype + i, &reftype, 1);
        if (objtype != SAL_OBJ_NONE) {
            compare_int(&c, "sensor_objid", s->sensor_objid + i, m->sensor_objid + i, 1);
        }
        compare_int(&c, "sensor_refid", s->sensor_refid + i, m->sensor_refid + i, 1);
    }
    REAL(key_time, s->nkey, 1), REAL(key_qpos, s->nkey, s->nq), REAL(key_qvel, s->nkey, s->nv);
    REAL(key_act, s->nkey, s->na);
    REAL(key_ctrl, s->nkey, s->nu), REAL(key_mpos, s->nkey, 3 * s->nmocap);
    REAL(key_mquat, s->nkey, 4 * s->nmocap);
    *compared = c;
}

static void compare_names(comparison *c, const sal_model *s, const mjModel *m)
{
    const struct {
        sal_object ours;
        int theirs, n;
    } kinds[] = {
        {SAL_OBJ_BODY, mjOBJ_BODY, s->nbody},       {SAL_OBJ_JOINT, mjOBJ_JOINT, s->njnt},
        {SAL_OBJ_GEOM, mjOBJ_GEOM, s->ngeom},       {SAL_OBJ_SITE, mjOBJ_SITE, s->nsite},
        {SAL_OBJ_CAMERA, mjOBJ_CAMERA, s->ncam},    {SAL_OBJ_EQUALITY, mjOBJ_EQUALITY, s->neq},
        {SAL_OBJ_TENDON, mjOBJ_TENDON, s->ntendon}, {SAL_OBJ_ACTUATOR, mjOBJ_ACTUATOR, s->nu},
        {SAL_OBJ_SENSOR, mjOBJ_SENSOR, s->nsensor}, {SAL_OBJ_KEY, mjOBJ_KEY, s->nkey}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (int i = 0; i < kinds[k].n; i++) {
            const char *theirs = mj_id2name(m, kinds[k].theirs, i);
            const char *ours = sal_model_name(s, kinds[k].ours, i);
            if (c->written && kinds[k].ours == SAL_OBJ_GEOM && ours[0] == 0) {
                continue; /* it got a name */
            }
            if (strcmp(ours, theirs == NULL ? "" : theirs) != 0) {
                printf("    %s: name '%s', MuJoCo '%s'\n", c->file, ours, theirs);
                c->worst = 1;
                c->where = "names";
            }
        }
    }
}

static void compare_flags(comparison *c, const sal_model *s, const mjModel *m)
{
    static const struct {
        int ours, theirs;
    } flags[] = {
        {SAL_DSBL_CONSTRAINT, mjDSBL_CONSTRAINT},
        {SAL_DSBL_EQUALITY, mjDSBL_EQUALITY},
        {SAL_DSBL_FRICTIONLOSS, mjDSBL_FRICTIONLOSS},
        {SAL_DSBL_LIMIT, mjDSBL_LIMIT},
        {SAL_DSBL_CONTACT, mjDSBL_CONTACT},
        {SAL_DSBL_SPRING, mjDSBL_PASSIVE},
        {SAL_DSBL_DAMPER, mjDSBL_PASSIVE},
        {SAL_DSBL_GRAVITY, mjDSBL_GRAVITY},
        {SAL_DSBL_CLAMPCTRL, mjDSBL_CLAMPCTRL},
        {SAL_DSBL_WARMSTART, mjDSBL_WARMSTART},
        {SAL_DSBL_FILTERPARENT, mjDSBL_FILTERPARENT},
        {SAL_DSBL_ACTUATION, mjDSBL_ACTUATION},
        {SAL_DSBL_REFSAFE, mjDSBL_REFSAFE},
        {SAL_DSBL_SENSOR, mjDSBL_SENSOR},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const int ours = (s->opt.disable & flags[i].ours) != 0;
        const int theirs = (m->opt.disableflags & flags[i].theirs) != 0;
        compare_int(c, "disable", &ours, &theirs, 1);
    }
}

static void compare_option(comparison *c, const sal_model *s, const mjModel *m)
{
    compare_flags(c, s, m);
    compare(c, "timestep", &s->opt.timestep, &m->opt.timestep, 1);
    compare(c, "gravity", s->opt.gravity, m->opt.gravity, 3);
    compare(c, "magnetic", s->opt.magnetic, m->opt.magnetic, 3);
    compare(c, "impratio", &s->opt.impratio, &m->opt.impratio, 1);
    if (!c->written) {
        compare(c, "tolerance", &s->opt.tolerance, &m->opt.tolerance, 1);
        compare_int(c, "iterations", &s->opt.iterations, &m->opt.iterations, 1);
    }
    const int solver = m->opt.solver == mjSOL_PGS  ? SAL_SOLVER_PGS
                       : m->opt.solver == mjSOL_CG ? SAL_SOLVER_CG
                                                   : SAL_SOLVER_NEWTON;
    compare_int(c, "solver", &s->opt.solver, &solver, 1);
    compare_int(c, "noslip_iterations", &s->opt.noslip_iterations, &m->opt.noslip_iterations, 1);
    if (m->opt.noslip_iterations > 0) {
        compare(c, "noslip_tolerance", &s->opt.noslip_tolerance, &m->opt.noslip_tolerance, 1);
    }
    compare_int(c, "integrator", &s->opt.integrator, &m->opt.integrator, 1);
    compare_int(c, "cone", &s->opt.cone, &m->opt.cone, 1);
}

void compare_models(comparison *c, const sal_model *s, const mjModel *m)
{
    c->worst = 0;
    c->where = "-";
    if (same_sizes(c, s, m)) {
        compare_option(c, s, m);
        compare_bodies(c, s, m);
        compare_joints(c, s, m);
        compare_geoms(c, s, m);
        compare_equalities(c, s, m);
        compare_tendons(c, s, m);
        compare_actuators(c, s, m);
        compare_sensors(c, s, m);
        compare_names(c, s, m);
    }
}

/* ---- the corpus ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int list_corpus_models(char *names[512])
{
    char folder[1024];
    const char *readme = check_corpus("models/MANIFEST.csv");
    if (readme == NULL) {
        return 0;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(readme, '/') - readme), readme);
    DIR *dir = opendir(folder);
    int n = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL && n < 512; entry = readdir(dir)) {
        const size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0) {
            names[n++] = strdup(entry->d_name);
        }
    }
    closedir(dir);
    qsort(names, (size_t)n, sizeof *names, by_name);
    return n;
}
