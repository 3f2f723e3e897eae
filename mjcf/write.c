/* write.c: a compiled model as one flat MJCF file: no defaults, radians, explicit inertials, every
 * pair of geoms that may touch as a <pair> with its combined parameters. What it loads as moves
 * exactly as the model did. */
#include "mjcf/camera/camera.h"
#include "mjcf/mesh.h"
#include "mjcf/mjcf.h"
#include "mjcf/writer.h"
#include "physics/compiling.h"

/* ---- options ---- */

static sal_status write_flags(mjcf_writer *w, sal_xml *option, sal_err *err)
{
    const int passive = SAL_DSBL_SPRING | SAL_DSBL_DAMPER;
    const int enable = w->m->opt.enable;
    int disable = w->m->opt.disable;
    const bool single =
        w->m->mujoco == SAL_MUJOCO_312 && w->spec == NULL && phy_meets_at_one_point(w->m);
    if (disable == 0 && enable == 0 && !single) {
        return SAL_OK;
    }
    sal_xml *flag = mjcf_put_element(w, option, "flag");
    if (single) {
        disable |= SAL_DSBL_MULTICCD;
    }
    if (w->m->mujoco == SAL_MUJOCO_222 && (disable & passive) == passive) {
        mjcf_put(w, flag, "passive", "disable"); /* 2.2.2 has one flag for both */
        disable &= ~passive;
    }
    if (w->m->mujoco == SAL_MUJOCO_222 && (disable & (passive | SAL_DSBL_EULERDAMP)) != 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the model disables springs, dampers or eulerdamp separately, and MuJoCo "
                        "2.2.2 has no such flags");
    }
    if (w->m->mujoco == SAL_MUJOCO_222 && (enable & SAL_ENBL_DIAGEXACT)) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the model enables diagexact, and MuJoCo 2.2.2 has no such flag");
    }
    if (enable & SAL_ENBL_ENERGY) {
        mjcf_put(w, flag, "energy", "enable");
    }
    if (enable & SAL_ENBL_DIAGEXACT) {
        mjcf_put(w, flag, "diagexact", "enable");
    }
#define PUT_DISABLED(code, bit, name)                                                              \
    if ((disable & (code)) != 0) {                                                                 \
        mjcf_put(w, flag, name, "disable");                                                        \
    }
    SAL_DISABLE_LIST(PUT_DISABLED)
#undef PUT_DISABLED
    return SAL_OK;
}

/* Groups of actuators that are off. */
static void put_groups(mjcf_writer *w, sal_xml *option, int off)
{
    char text[128] = "";
    for (int g = 0; g <= 30; g++) {
        const size_t n = strlen(text);
        if ((off & (1 << g)) != 0) {
            snprintf(text + n, sizeof text - n, n == 0 ? "%d" : " %d", g);
        }
    }
    if (off != 0) {
        mjcf_put(w, option, "actuatorgroupdisable", text);
    }
}

/* Whether there is an actuator whose range of lengths was not looked for: then readers must not
 * look either. */
static bool lacks_lengths(const sal_model *m)
{
    bool has = false;
    for (int i = 0; i < m->nu; i++) {
        has = has || !(m->actuator_lengthrange[2 * i] < m->actuator_lengthrange[2 * i + 1]);
    }
    return has;
}

/* Newton finds the forces to the last digit; the others take as many sweeps as the user gave. */
static void write_solver(mjcf_writer *w, sal_xml *option)
{
    const sal_option *o = &w->m->opt;
    const bool is_exact = o->solver == SAL_SOLVER_NEWTON;
    mjcf_put(w, option, "solver", sal_solver_name(o->solver));
    mjcf_put_real(w, option, "tolerance", is_exact ? 0 : o->tolerance);
    mjcf_put_int(w, option, "iterations", is_exact ? 300 : o->iterations);
    if (o->noslip_iterations > 0) {
        mjcf_put_int(w, option, "noslip_iterations", o->noslip_iterations);
        mjcf_put_real(w, option, "noslip_tolerance", o->noslip_tolerance);
    }
}

static sal_status write_option(mjcf_writer *w, sal_xml *root, sal_err *err)
{
    static const double no_wind[3] = {0, 0, 0}, field[3] = {0, -0.5, 0};
    const sal_option *o = &w->m->opt;
    if (o->sigma != 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "MJCF cannot describe a model whose constraint forces are smoothed: sigma "
                        "is %g; set it to 0",
                        o->sigma);
    }
    if (w->m->mujoco == SAL_MUJOCO_222 && o->integrator == SAL_INT_IMPLICITFAST) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "MuJoCo 2.2.2 has no integrator=\"implicitfast\"; use Euler or implicit");
    }
    sal_xml *compiler = mjcf_put_element(w, root, "compiler");
    mjcf_put(w, compiler, "angle", "radian");
    mjcf_put(w, compiler, "autolimits", "true");
    mjcf_put(w, compiler, "inertiafromgeom", "false");
    if (w->m->mujoco == SAL_MUJOCO_222 && w->m->nmesh > 0 && w->m->mesh_inertia[0] == 1) {
        mjcf_put(w, compiler, "exactmeshinertia", "true"); /* one for all meshes there */
    }
    if (lacks_lengths(w->m)) {
        mjcf_put(w, mjcf_put_element(w, compiler, "lengthrange"), "mode", "none");
    }
    sal_xml *option = mjcf_put_element(w, root, "option");
    mjcf_put_real(w, option, "timestep", o->timestep);
    mjcf_put_reals(w, option, "gravity", o->gravity, 3);
    mjcf_put_unless(w, option, "wind", o->wind, no_wind, 3);
    mjcf_put_unless(w, option, "magnetic", o->magnetic, field, 3);
    mjcf_put_unless_zero(w, option, "density", o->density);
    mjcf_put_unless_zero(w, option, "viscosity", o->viscosity);
    mjcf_put_real(w, option, "impratio", o->impratio);
    mjcf_put(w, option, "cone", o->cone == SAL_CONE_ELLIPTIC ? "elliptic" : "pyramidal");
    mjcf_put(w, option, "integrator", sal_integrator_name(o->integrator));
    if (w->spec == NULL) { /* else as the file says */
        write_solver(w, option);
    }
    put_groups(w, option, o->disableactuator);
    if (w->m->nv > 0 && w->spec == NULL) {
        mjcf_put_real(w, mjcf_put_element(w, root, "statistic"), "meaninertia", w->m->meaninertia);
    }
    const sal_status status = write_flags(w, option, err);
    if (status == SAL_OK && w->spec != NULL && !w->nomem) {
        mjcf_write_settings(w, root, option);
    }
    return status;
}

/* ---- meshes ---- */

/* Whether a mesh stands in the file. Of those that the user gave, all that were read. */
static bool is_written(const mjcf_writer *w, int mesh)
{
    const spec_mesh *all = mesh < 0 || w->spec == NULL ? NULL : w->spec->mesh.item[mesh];
    return all != NULL ? all->whole && (all->used || !w->spec->compiler.discardvisual)
                       : mesh >= 0 && (w->m->mesh_vertnum[mesh] > 0 ||
                                       w->m->mesh_builtin[mesh] != SPEC_BUILTIN_NONE);
}

static void put_floats(mjcf_writer *w, sal_xml *xml, const char *name, const float *value, size_t n)
{
    sal_text text = {0};
    for (size_t i = 0; i < n; i++) {
        sal_text_add(&text, i == 0 ? "" : " ");
        sal_text_real(&text, (double)value[i], 0);
    }
    w->nomem = w->nomem || text.failed;
    mjcf_put(w, xml, name, w->nomem ? "" : text.data);
    sal_text_clear(&text);
}

static void put_ints(mjcf_writer *w, sal_xml *xml, const char *name, const int *value, size_t n)
{
    sal_text text = {0};
    for (size_t i = 0; i < n; i++) {
        sal_text_format(&text, i == 0 ? "%d" : " %d", value[i]);
    }
    w->nomem = w->nomem || text.failed;
    mjcf_put(w, xml, name, w->nomem ? "" : text.data);
    sal_text_clear(&text);
}

/* A scale that mirrors has turned the faces of the spec over (MuJoCo 2.2.2 does that with files
 * only): they are turned back, and over again when they are read. Those of a model are as in the
 * file. */
static void put_faces(mjcf_writer *w, sal_xml *xml, const int *face, int n, const double scale[3])
{
    int *copy = sal_alloc(3 * (size_t)n + 1, sizeof *copy);
    w->nomem = w->nomem || copy == NULL;
    if (w->nomem) {
        sal_free(copy);
        return;
    }
    memcpy(copy, face, 3 * (size_t)n * sizeof *copy);
    if (scale[0] * scale[1] * scale[2] < 0 && w->m->mujoco != SAL_MUJOCO_222) {
        mesh_turn_faces(copy, n);
    }
    put_ints(w, xml, "face", copy, 3 * (size_t)n);
    sal_free(copy);
}

static void put_triangles(mjcf_writer *w, sal_xml *xml, int i)
{
    const sal_model *m = w->m;
    const double ones[3] = {1, 1, 1};
    if (w->spec == NULL) {
        put_floats(w, xml, "vertex", m->mesh_vert + 3 * m->mesh_vertadr[i],
                   3 * (size_t)m->mesh_vertnum[i]);
        put_ints(w, xml, "face", m->mesh_face + 3 * m->mesh_faceadr[i],
                 3 * (size_t)m->mesh_facenum[i]);
        return;
    }
    const spec_mesh *mesh = w->spec->mesh.item[i];
    mjcf_put_reals(w, xml, "vertex", mesh->vert, 3 * mesh->nvert);
    if (mesh->file != NULL || mesh->face_attr != NULL || mesh->builtin != SPEC_BUILTIN_NONE) {
        /* else they are the hull's */
        put_faces(w, xml, mesh->face, mesh->nface, mesh->used ? mesh->scale : ones);
    }
}

/* As the file had it, so that it is brought to its own axes as it was. */
static void write_mesh(mjcf_writer *w, sal_xml *asset, int i)
{
    static const char *const inertias[] = {"legacy", "exact", "convex", "shell"};
    static const double ones[3] = {1, 1, 1}, zeros[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0};
    const sal_model *m = w->m;
    sal_xml *xml = mjcf_put_element(w, asset, "mesh");
    mjcf_put_name(w, xml, SAL_OBJ_MESH, i);
    if (m->mesh_builtin[i] != SPEC_BUILTIN_NONE) {
        int n;
        mjcf_put(w, xml, "builtin", mesh_builtin_word((spec_builtin)m->mesh_builtin[i], &n));
        mjcf_put_reals(w, xml, "params", m->mesh_params + 5 * i, n);
    } else {
        put_triangles(w, xml, i);
    }
    mjcf_put_unless(w, xml, "scale", m->mesh_scale + 3 * i, ones, 3);
    mjcf_put_unless(w, xml, "refpos", m->mesh_refpos + 3 * i, zeros, 3);
    mjcf_put_unless(w, xml, "refquat", m->mesh_refquat + 4 * i, unit, 4);
    if (m->mujoco != SAL_MUJOCO_222 && m->mesh_inertia[i] != 0) {
        mjcf_put(w, xml, "inertia", inertias[m->mesh_inertia[i]]);
    }
    if (m->mesh_maxhullvert[i] >= 0) {
        mjcf_put_int(w, xml, "maxhullvert", m->mesh_maxhullvert[i]);
    }
}

static void write_meshes(mjcf_writer *w, sal_xml *root, sal_xml *asset)
{
    for (int i = 0; i < w->m->nmesh && !w->nomem; i++) {
        if (is_written(w, i)) {
            asset = asset == NULL ? mjcf_put_element(w, root, "asset") : asset;
            write_mesh(w, asset, i);
        }
    }
}

/* ---- bodies ---- */

static void write_joint(mjcf_writer *w, sal_xml *body, int j)
{
    static const char *const types[] = {"free", "ball", "slide", "hinge"};
    static const char *const limit_law[2] = {"solreflimit", "solimplimit"};
    static const char *const friction_law[2] = {"solreffriction", "solimpfriction"};
    const sal_model *m = w->m;
    const int type = m->jnt_type[j], dof = m->jnt_dofadr[j], q = m->jnt_qposadr[j];
    sal_xml *xml = mjcf_put_element(w, body, "joint");
    mjcf_put_name(w, xml, SAL_OBJ_JOINT, j);
    mjcf_put(w, xml, "type", types[type]);
    if (type != SAL_JNT_FREE) {
        mjcf_put_reals(w, xml, "pos", m->jnt_pos + 3 * j, 3);
        mjcf_put_bool(w, xml, "limited", m->jnt_limited[j]);
        if (m->jnt_range[2 * j] != 0 || m->jnt_range[2 * j + 1] != 0) {
            mjcf_put_reals(w, xml, "range", m->jnt_range + 2 * j, 2);
        }
    }
    if (type == SAL_JNT_SLIDE || type == SAL_JNT_HINGE) {
        mjcf_put_reals(w, xml, "axis", m->jnt_axis + 3 * j, 3);
        mjcf_put_unless_zero(w, xml, "ref", m->qpos0[q]);
        mjcf_put_unless_zero(w, xml, "springref", m->qpos_spring[q]);
    }
    mjcf_put_unless_zero(w, xml, "margin", m->jnt_margin[j]);
    mjcf_put_polynomial(w, xml, "stiffness", m->jnt_stiffness[j], m->jnt_stiffnesspoly + 2 * j);
    mjcf_put_polynomial(w, xml, "damping", m->dof_damping[dof], m->dof_dampingpoly + 2 * dof);
    if (m->jnt_actgravcomp[j] && m->mujoco != SAL_MUJOCO_222) {
        mjcf_put(w, xml, "actuatorgravcomp", "true");
    }
    mjcf_put_unless_zero(w, xml, "armature", m->dof_armature[dof]);
    mjcf_put_unless_zero(w, xml, "frictionloss", m->dof_frictionloss[dof]);
    if (m->jnt_actfrclimited[j]) {
        mjcf_put_reals(w, xml, "actuatorfrcrange", m->jnt_actfrcrange + 2 * j, 2);
    }
    mjcf_put_law(w, xml, limit_law, m->jnt_solref + 2 * j, m->jnt_solimp + 5 * j);
    mjcf_put_law(w, xml, friction_law, m->dof_solref + 2 * dof, m->dof_solimp + 5 * dof);
}

static const char *geom_word(int type)
{
    static const char *const words[] = {"plane",     "hfield",   "sphere", "capsule",
                                        "ellipsoid", "cylinder", "box",    "mesh"};
    return words[type];
}

/* Type, size and pose. A mesh is put where its file's frame is, from where it will be brought to
 * its own axes again; one that touches nothing is but its bounds. */
static void put_shape(mjcf_writer *w, sal_xml *xml, int g)
{
    const sal_model *m = w->m;
    const int mesh = m->geom_dataid[g];
    const double *at = m->geom_pos + 3 * g, *turn = m->geom_quat + 4 * g;
    double pos[3], quat[4], back[4];
    if (m->geom_type[g] == SAL_GEOM_HFIELD) {
        mjcf_put_hfield(w, xml, g);
        return;
    }
    if (!is_written(w, mesh)) {
        double size[3];
        sal_v3_copy(size, m->geom_size + 3 * g);
        for (int k = 0; k < 3 && mesh >= 0; k++) {
            size[k] = fmax(size[k], 1e-6); /* it may be flat */
        }
        mjcf_put(w, xml, "type", geom_word(mesh >= 0 ? SAL_GEOM_BOX : m->geom_type[g]));
        mjcf_put_reals(w, xml, "size", size, 3);
        mjcf_put_pose(w, xml, at, turn);
        return;
    }
    sal_quat_conj(back, m->mesh_quat + 4 * mesh);
    sal_quat_mul(quat, turn, back);
    sal_quat_rotate(pos, quat, m->mesh_pos + 3 * mesh);
    sal_v3_sub(pos, at, pos);
    mjcf_put(w, xml, "type", "mesh");
    mjcf_put(w, xml, "mesh", sal_model_name(m, SAL_OBJ_MESH, mesh));
    mjcf_put_pose(w, xml, pos, quat);
}

/* The motion of its surface, in the axes of the pose above */
static void put_surface(mjcf_writer *w, sal_xml *xml, int g)
{
    const sal_model *m = w->m;
    const int mesh = m->geom_dataid[g];
    double motion[6], turn[3];
    memcpy(motion, m->geom_surfacevel + 6 * g, sizeof motion);
    if (!(sal_v3_norm(motion) > 0 || sal_v3_norm(motion + 3) > 0)) {
        return;
    }
    if (m->geom_type[g] == SAL_GEOM_MESH && is_written(w, mesh)) { /* R a - R b x pos,  R b */
        const double *q = m->mesh_quat + 4 * mesh;
        sal_quat_rotate(motion, q, m->geom_surfacevel + 6 * g);
        sal_quat_rotate(motion + 3, q, m->geom_surfacevel + 6 * g + 3);
        sal_v3_cross(turn, motion + 3, m->mesh_pos + 3 * mesh);
        sal_v3_sub(motion, motion, turn);
    }
    mjcf_put_reals(w, xml, "surfacevel", motion, 6);
}

static bool has_taxels(const sal_model *m, int g)
{
    bool has = false;
    for (int i = 0; i < m->nsensor && m->ntaxel > 0 && !has; i++) {
        has = m->sensor_type[i] == SAL_SENS_TACTILE && m->sensor_refid[i] == g;
    }
    return has;
}

/* What it may touch; where pairs say so, nothing else: without conaffinity a contype touches
 * nothing, but <tactile> asks for one. */
static void put_bits(mjcf_writer *w, sal_xml *xml, int g)
{
    const int contype = w->spec == NULL ? has_taxels(w->m, g) : w->m->geom_contype[g];
    const int conaffinity = w->spec == NULL ? 0 : w->m->geom_conaffinity[g];
    if (contype != 1) {
        mjcf_put_int(w, xml, "contype", contype);
    }
    if (conaffinity != 1) {
        mjcf_put_int(w, xml, "conaffinity", conaffinity);
    }
}

static void write_geom(mjcf_writer *w, sal_xml *body, int g)
{
    static const char *const law[2] = {"solref", "solimp"};
    static const double friction[3] = {1, 0.005, 0.0001}, one = 1;
    const sal_model *m = w->m;
    char made[96];
    double rgba[4];
    sal_xml *xml = mjcf_put_element(w, body, "geom");
    if (w->spec == NULL || w->named[g] || sal_model_name(m, SAL_OBJ_GEOM, g)[0] != 0) {
        mjcf_put(w, xml, "name", mjcf_geom_name(w, g, made));
    }
    put_shape(w, xml, g);
    put_bits(w, xml, g);
    mjcf_put_int(w, xml, "condim", m->geom_condim[g]);
    if (m->geom_group[g] != 0) {
        mjcf_put_int(w, xml, "group", m->geom_group[g]);
    }
    if (m->geom_priority[g] != 0) {
        mjcf_put_int(w, xml, "priority", m->geom_priority[g]);
    }
    mjcf_put_unless(w, xml, "friction", m->geom_friction + 3 * g, friction, 3);
    mjcf_put_unless(w, xml, "solmix", m->geom_solmix + g, &one, 1);
    mjcf_put_law(w, xml, law, m->geom_solref + 2 * g, m->geom_solimp + 5 * g);
    mjcf_put_unless_zero(w, xml, "margin", m->geom_margin[g]);
    mjcf_put_unless_zero(w, xml, "gap", m->geom_gap[g]);
    mjcf_put_unless_zero(w, xml, "adhesion", m->geom_adhesion[g]);
    put_surface(w, xml, g);
    if (m->geom_fluid[12 * g] > 0) {
        mjcf_put(w, xml, "fluidshape", "ellipsoid");
        mjcf_put_reals(w, xml, "fluidcoef", m->geom_fluid + 12 * g + 1, 5);
    }
    for (int k = 0; k < 4; k++) { /* four digits are enough for an eye */
        rgba[k] = round((double)m->geom_rgba[4 * g + k] * 1e4) / 1e4;
    }
    mjcf_put_reals(w, xml, "rgba", rgba, 4);
}

static void write_site(mjcf_writer *w, sal_xml *body, int s)
{
    sal_xml *xml = mjcf_put_element(w, body, "site");
    mjcf_put_name(w, xml, SAL_OBJ_SITE, s);
    mjcf_put(w, xml, "type", geom_word(w->m->site_type[s]));
    mjcf_put_reals(w, xml, "size", w->m->site_size + 3 * s, 3);
    mjcf_put_pose(w, xml, w->m->site_pos + 3 * s, w->m->site_quat + 4 * s);
}

static sal_xml *start_body(mjcf_writer *w, sal_xml *parent, int b)
{
    const sal_model *m = w->m;
    sal_xml *xml = mjcf_put_element(w, parent, "body");
    mjcf_put_name(w, xml, SAL_OBJ_BODY, b);
    mjcf_put_pose(w, xml, m->body_pos + 3 * b, m->body_quat + 4 * b);
    if (m->body_mocapid[b] >= 0) {
        mjcf_put(w, xml, "mocap", "true");
    }
    mjcf_put_unless_zero(w, xml, "gravcomp", m->body_gravcomp[b]);
    sal_xml *inertial = mjcf_put_element(w, xml, "inertial");
    mjcf_put_pose(w, inertial, m->body_ipos + 3 * b, m->body_iquat + 4 * b);
    mjcf_put_real(w, inertial, "mass", m->body_mass[b]);
    mjcf_put_reals(w, inertial, "diaginertia", m->body_inertia + 3 * b, 3);
    return xml;
}

/* What stands in bodies is numbered body by body, so one pass serves all. */
static void write_tree(mjcf_writer *w, sal_xml *root, sal_xml **bodies)
{
    const sal_model *m = w->m;
    int j = 0, g = 0, s = 0, c = 0;
    for (int b = 0; b < m->nbody && !w->nomem; b++) {
        bodies[b] = b == 0 ? mjcf_put_element(w, root, "worldbody")
                           : start_body(w, bodies[m->body_parentid[b]], b);
        for (; j < m->njnt && m->jnt_bodyid[j] == b; j++) {
            write_joint(w, bodies[b], j);
        }
        for (; g < m->ngeom && m->geom_bodyid[g] == b; g++) {
            write_geom(w, bodies[b], g);
        }
        for (; s < m->nsite && m->site_bodyid[s] == b; s++) {
            write_site(w, bodies[b], s);
        }
        for (; c < m->ncam && m->cam_bodyid[c] == b; c++) {
            mjcf_write_camera(w, bodies[b], c);
        }
    }
}

/* Whether a geom already has a name of the prefix and digits. */
static bool prefix_is_taken(const mjcf_writer *w)
{
    const size_t n = strlen(w->prefix);
    for (int g = 0; g < w->m->ngeom; g++) {
        const char *name = sal_model_name(w->m, SAL_OBJ_GEOM, g);
        if (strncmp(name, w->prefix, n) == 0 &&
            strspn(name + n, "0123456789") == strlen(name + n)) {
            return true;
        }
    }
    return false;
}

/* "geom_", longer if a name in use begins so. */
static void choose_prefix(mjcf_writer *w)
{
    snprintf(w->prefix, sizeof w->prefix, "geom_");
    for (int longer = 1; longer < 50 && prefix_is_taken(w); longer++) {
        snprintf(w->prefix, sizeof w->prefix, "geom_%.*s", longer,
                 "__________________________________________________");
    }
}

sal_status mjcf_write(const sal_model *m, const mjcf_spec *spec, sal_text *out, sal_err *err)
{
    mjcf_writer w = {.m = m, .spec = spec};
    sal_status status = SAL_OK;
    sal_xml **bodies = sal_alloc((size_t)m->nbody, sizeof(void *));
    sal_xml *root = mjcf_put_element(&w, NULL, "mujoco");
    w.named = sal_alloc((size_t)m->ngeom + 1, sizeof *w.named);
    w.nomem = w.nomem || bodies == NULL || w.named == NULL;
    choose_prefix(&w);
    mjcf_put(&w, root, "model", m->names + m->name_modeladr);
    if (spec == NULL && m->nkind > 0) {
        status =
            sal_fail(err, SAL_UNSUPPORTED,
                     "the model has too many pairs of geoms to be written as a list of <pair>");
    }
    if (status == SAL_OK && !w.nomem) {
        status = write_option(&w, root, err);
    }
    if (status == SAL_OK && !w.nomem) {
        sal_xml *asset = NULL;
        mjcf_mark_named(&w);
        status = mjcf_write_hfields(&w, root, &asset, err);
        write_meshes(&w, root, asset);
        write_tree(&w, root, bodies);
        mjcf_write_lists(&w, root);
    }
    if (status == SAL_OK && !w.nomem) {
        sal_xml_write(root, out);
        w.nomem = out->failed;
    }
    sal_xml_free(&w.doc);
    sal_free(bodies);
    sal_free(w.named);
    return status == SAL_OK && w.nomem ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}

sal_status sal_model_write(const sal_model *m, sal_text *out, sal_err *err)
{
    return mjcf_write(m, NULL, out, err);
}
