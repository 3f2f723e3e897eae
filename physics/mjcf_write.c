/* mjcf_write.c: a compiled model as one flat MJCF file: no defaults, radians, explicit inertials, every pair of geoms that may touch as a
 * <pair> with its combined parameters. What it loads as moves exactly as the model did. */
#include "physics/collide.h"

#include <stdio.h>
#include <string.h>

typedef struct writer {
    const sal_model *m;
    sal_xml_doc doc;
    bool nomem;
    char prefix[64]; /* of the names given to unnamed geoms */
} writer;

/* ---- elements and attributes ---- */

static sal_xml *element(writer *w, sal_xml *parent, const char *tag)
{
    sal_xml *xml = w->nomem ? NULL : sal_xml_add(&w->doc, parent, tag);
    w->nomem = xml == NULL;
    return xml;
}

static void put(writer *w, sal_xml *xml, const char *name, const char *value)
{
    if (!w->nomem && sal_xml_set(xml, name, value, NULL) != SAL_OK) {
        w->nomem = true;
    }
}

static void put_reals(writer *w, sal_xml *xml, const char *name, const double *value, int n)
{
    sal_text text = {0};
    for (int i = 0; i < n; i++) {
        sal_text_add(&text, i == 0 ? "" : " ");
        sal_text_real(&text, value[i], 0);
    }
    w->nomem = w->nomem || text.failed;
    if (n > 0) {
        put(w, xml, name, text.data);
    }
    sal_text_clear(&text);
}

static void put_real(writer *w, sal_xml *xml, const char *name, double value)
{
    put_reals(w, xml, name, &value, 1);
}

static void put_int(writer *w, sal_xml *xml, const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    put(w, xml, name, text);
}

static void put_bool(writer *w, sal_xml *xml, const char *name, int value)
{
    put(w, xml, name, value ? "true" : "false");
}

/* Only if it is not what a reader assumes anyway. */
static void put_unless(writer *w, sal_xml *xml, const char *name, const double *value,
                       const double *usual, int n)
{
    if (memcmp(value, usual, (size_t)n * sizeof *value) != 0) {
        put_reals(w, xml, name, value, n);
    }
}

static void put_unless_zero(writer *w, sal_xml *xml, const char *name, double value)
{
    if (value != 0) {
        put_real(w, xml, name, value);
    }
}

/* c0 + c1 x + c2 x^2 as its coefficients, the first alone if it is all. */
static void put_polynomial(writer *w, sal_xml *xml, const char *name, double c0, const double c[2])
{
    const double all[3] = {c0, c[0], c[1]};
    const int n = c[1] != 0 ? 3 : c[0] != 0 ? 2 : c0 != 0 ? 1 : 0;
    put_reals(w, xml, name, all, n);
}

static void put_name(writer *w, sal_xml *xml, sal_object type, int id)
{
    const char *name = sal_model_name(w->m, type, id);
    if (name[0] != 0) {
        put(w, xml, "name", name);
    }
}

static void put_law(writer *w, sal_xml *xml, const char *const names[2], const double *solref,
                    const double *solimp)
{
    static const double usual_solref[2] = {0.02, 1};
    static const double usual_solimp[5] = {0.9, 0.95, 0.001, 0.5, 2};
    put_unless(w, xml, names[0], solref, usual_solref, 2);
    put_unless(w, xml, names[1], solimp, usual_solimp, 5);
}

static void put_pose(writer *w, sal_xml *xml, const double *pos, const double *quat)
{
    put_reals(w, xml, "pos", pos, 3);
    put_reals(w, xml, "quat", quat, 4);
}

/* ---- options ---- */

static sal_status write_flags(writer *w, sal_xml *option, sal_err *err)
{
    static const struct {
        int bit;
        const char *name;
    } flags[] = {
        {SAL_DSBL_CONSTRAINT,   "constraint"  },
        {SAL_DSBL_EQUALITY,     "equality"    },
        {SAL_DSBL_FRICTIONLOSS, "frictionloss"},
        {SAL_DSBL_LIMIT,        "limit"       },
        {SAL_DSBL_CONTACT,      "contact"     },
        {SAL_DSBL_GRAVITY,      "gravity"     },
        {SAL_DSBL_CLAMPCTRL,    "clampctrl"   },
        {SAL_DSBL_WARMSTART,    "warmstart"   },
        {SAL_DSBL_FILTERPARENT, "filterparent"},
        {SAL_DSBL_ACTUATION,    "actuation"   },
        {SAL_DSBL_REFSAFE,      "refsafe"     },
        {SAL_DSBL_SENSOR,       "sensor"      },
        {SAL_DSBL_SPRING,       "spring"      },
        {SAL_DSBL_DAMPER,       "damper"      },
        {SAL_DSBL_EULERDAMP,    "eulerdamp"   },
    };
    const int passive = SAL_DSBL_SPRING | SAL_DSBL_DAMPER;
    const int enable = w->m->opt.enable;
    int disable = w->m->opt.disable;
    const bool single = !w->m->compat222 && sal_meets_at_one_point(w->m);
    if (disable == 0 && enable == 0 && !single) {
        return SAL_OK;
    }
    sal_xml *flag = element(w, option, "flag");
    if (single) {
        put(w, flag, "multiccd", "disable");
    }
    if (w->m->compat222 && (disable & passive) == passive) {
        put(w, flag, "passive", "disable"); /* 2.2.2 has one flag for both */
        disable &= ~passive;
    }
    if (w->m->compat222 && (disable & (passive | SAL_DSBL_EULERDAMP)) != 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "MuJoCo 2.2.2 cannot disable springs, dampers or eulerdamp alone");
    }
    if (w->m->compat222 && (enable & SAL_ENBL_DIAGEXACT)) {
        return sal_fail(err, SAL_UNSUPPORTED, "MuJoCo 2.2.2 has no diagexact");
    }
    if (enable & SAL_ENBL_ENERGY) {
        put(w, flag, "energy", "enable");
    }
    if (enable & SAL_ENBL_DIAGEXACT) {
        put(w, flag, "diagexact", "enable");
    }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if ((disable & flags[i].bit) != 0) {
            put(w, flag, flags[i].name, "disable");
        }
    }
    return SAL_OK;
}

/* Groups of actuators that are off. */
static void put_groups(writer *w, sal_xml *option, int off)
{
    char text[128] = "";
    for (int g = 0; g <= 30; g++) {
        const size_t n = strlen(text);
        if ((off & (1 << g)) != 0) {
            snprintf(text + n, sizeof text - n, n == 0 ? "%d" : " %d", g);
        }
    }
    if (off != 0) {
        put(w, option, "actuatorgroupdisable", text);
    }
}

static sal_status write_option(writer *w, sal_xml *root, sal_err *err)
{
    static const char *const integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
    static const double no_wind[3] = {0, 0, 0}, field[3] = {0, -0.5, 0};
    const sal_option *o = &w->m->opt;
    if (o->sigma != 0) {
        return sal_fail(err, SAL_UNSUPPORTED, "a smoothed force law has no MJCF");
    }
    if (w->m->compat222 && o->integrator == SAL_INT_IMPLICITFAST) {
        return sal_fail(err, SAL_UNSUPPORTED, "MuJoCo 2.2.2 has no integrator implicitfast");
    }
    sal_xml *compiler = element(w, root, "compiler");
    put(w, compiler, "angle", "radian");
    put(w, compiler, "autolimits", "true");
    put(w, compiler, "inertiafromgeom", "false");
    if (w->m->compat222 && w->m->nmesh > 0 && w->m->mesh_inertia[0] == 1) {
        put(w, compiler, "exactmeshinertia", "true"); /* one for all meshes there */
    }
    sal_xml *option = element(w, root, "option");
    put_real(w, option, "timestep", o->timestep);
    put_reals(w, option, "gravity", o->gravity, 3);
    put_unless(w, option, "wind", o->wind, no_wind, 3);
    put_unless(w, option, "magnetic", o->magnetic, field, 3);
    put_unless_zero(w, option, "density", o->density);
    put_unless_zero(w, option, "viscosity", o->viscosity);
    put_real(w, option, "impratio", o->impratio);
    put(w, option, "cone", o->cone == SAL_CONE_ELLIPTIC ? "elliptic" : "pyramidal");
    put(w, option, "integrator", integrators[o->integrator]);
    put(w, option, "solver", "Newton");
    put(w, option, "tolerance", "0"); /* to the last digit */
    put(w, option, "iterations", "300");
    put_groups(w, option, o->disableactuator);
    if (w->m->nv > 0) {
        put_real(w, element(w, root, "statistic"), "meaninertia", w->m->meaninertia);
    }
    return write_flags(w, option, err);
}

/* ---- meshes ---- */

static bool is_written(const sal_model *m, int mesh)
{
    return mesh >= 0 && m->mesh_vertnum[mesh] > 0;
}

static void put_floats(writer *w, sal_xml *xml, const char *name, const float *value, size_t n)
{
    sal_text text = {0};
    for (size_t i = 0; i < n; i++) {
        sal_text_add(&text, i == 0 ? "" : " ");
        sal_text_real(&text, (double)value[i], 0);
    }
    w->nomem = w->nomem || text.failed;
    put(w, xml, name, w->nomem ? "" : text.data);
    sal_text_clear(&text);
}

static void put_ints(writer *w, sal_xml *xml, const char *name, const int *value, size_t n)
{
    sal_text text = {0};
    for (size_t i = 0; i < n; i++) {
        sal_text_format(&text, i == 0 ? "%d" : " %d", value[i]);
    }
    w->nomem = w->nomem || text.failed;
    put(w, xml, name, w->nomem ? "" : text.data);
    sal_text_clear(&text);
}

/* As the file had it, so that it is brought to its own axes as it was. */
static void write_mesh(writer *w, sal_xml *asset, int i)
{
    static const char *const inertias[] = {"legacy", "exact", "convex", "shell"};
    static const double ones[3] = {1, 1, 1}, zeros[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0};
    const sal_model *m = w->m;
    sal_xml *xml = element(w, asset, "mesh");
    put_name(w, xml, SAL_OBJ_MESH, i);
    put_floats(w, xml, "vertex", m->mesh_vert + 3 * m->mesh_vertadr[i],
               3 * (size_t)m->mesh_vertnum[i]);
    put_ints(w, xml, "face", m->mesh_face + 3 * m->mesh_faceadr[i], 3 * (size_t)m->mesh_facenum[i]);
    put_unless(w, xml, "scale", m->mesh_scale + 3 * i, ones, 3);
    put_unless(w, xml, "refpos", m->mesh_refpos + 3 * i, zeros, 3);
    put_unless(w, xml, "refquat", m->mesh_refquat + 4 * i, unit, 4);
    if (!m->compat222 && m->mesh_inertia[i] != 0) {
        put(w, xml, "inertia", inertias[m->mesh_inertia[i]]);
    }
    if (m->mesh_maxhullvert[i] >= 0) {
        put_int(w, xml, "maxhullvert", m->mesh_maxhullvert[i]);
    }
}

static void write_meshes(writer *w, sal_xml *root)
{
    sal_xml *asset = NULL;
    for (int i = 0; i < w->m->nmesh && !w->nomem; i++) {
        if (is_written(w->m, i)) {
            asset = asset == NULL ? element(w, root, "asset") : asset;
            write_mesh(w, asset, i);
        }
    }
}

/* ---- bodies ---- */

static void write_joint(writer *w, sal_xml *body, int j)
{
    static const char *const types[] = {"free", "ball", "slide", "hinge"};
    static const char *const limit_law[2] = {"solreflimit", "solimplimit"};
    static const char *const friction_law[2] = {"solreffriction", "solimpfriction"};
    const sal_model *m = w->m;
    const int type = m->jnt_type[j], dof = m->jnt_dofadr[j], q = m->jnt_qposadr[j];
    sal_xml *xml = element(w, body, "joint");
    put_name(w, xml, SAL_OBJ_JOINT, j);
    put(w, xml, "type", types[type]);
    if (type != SAL_JNT_FREE) {
        put_reals(w, xml, "pos", m->jnt_pos + 3 * j, 3);
        put_bool(w, xml, "limited", m->jnt_limited[j]);
        if (m->jnt_range[2 * j] != 0 || m->jnt_range[2 * j + 1] != 0) {
            put_reals(w, xml, "range", m->jnt_range + 2 * j, 2);
        }
    }
    if (type == SAL_JNT_SLIDE || type == SAL_JNT_HINGE) {
        put_reals(w, xml, "axis", m->jnt_axis + 3 * j, 3);
        put_unless_zero(w, xml, "ref", m->qpos0[q]);
        put_unless_zero(w, xml, "springref", m->qpos_spring[q]);
    }
    put_unless_zero(w, xml, "margin", m->jnt_margin[j]);
    put_polynomial(w, xml, "stiffness", m->jnt_stiffness[j], m->jnt_stiffnesspoly + 2 * j);
    put_polynomial(w, xml, "damping", m->dof_damping[dof], m->dof_dampingpoly + 2 * dof);
    if (m->jnt_actgravcomp[j] && !m->compat222) {
        put(w, xml, "actuatorgravcomp", "true");
    }
    put_unless_zero(w, xml, "armature", m->dof_armature[dof]);
    put_unless_zero(w, xml, "frictionloss", m->dof_frictionloss[dof]);
    if (m->jnt_actfrclimited[j]) {
        put_reals(w, xml, "actuatorfrcrange", m->jnt_actfrcrange + 2 * j, 2);
    }
    put_law(w, xml, limit_law, m->jnt_solref + 2 * j, m->jnt_solimp + 5 * j);
    put_law(w, xml, friction_law, m->dof_solref + 2 * dof, m->dof_solimp + 5 * dof);
}

static const char *geom_word(int type)
{
    static const char *const words[] = {"plane",     "hfield",   "sphere", "capsule",
                                        "ellipsoid", "cylinder", "box",    "mesh"};
    return words[type];
}

/* The geom's name, or one made from its id. */
static const char *geom_name(const writer *w, int g, char made[96])
{
    const char *name = sal_model_name(w->m, SAL_OBJ_GEOM, g);
    if (name[0] != 0) {
        return name;
    }
    snprintf(made, 96, "%s%d", w->prefix, g);
    return made;
}

/* Type, size and pose. A mesh is put where its file's frame is, from where it will be brought to its own axes again; one that
 * touches nothing is but its bounds. */
static void put_shape(writer *w, sal_xml *xml, int g)
{
    const sal_model *m = w->m;
    const int mesh = m->geom_dataid[g];
    const double *at = m->geom_pos + 3 * g, *turn = m->geom_quat + 4 * g;
    double pos[3], quat[4], back[4];
    if (!is_written(m, mesh)) {
        double size[3];
        sal_v3_copy(size, m->geom_size + 3 * g);
        for (int k = 0; k < 3 && mesh >= 0; k++) {
            size[k] = fmax(size[k], 1e-6); /* it may be flat */
        }
        put(w, xml, "type", geom_word(mesh >= 0 ? SAL_GEOM_BOX : m->geom_type[g]));
        put_reals(w, xml, "size", size, 3);
        put_pose(w, xml, at, turn);
        return;
    }
    sal_quat_conj(back, m->mesh_quat + 4 * mesh);
    sal_quat_mul(quat, turn, back);
    sal_quat_rotate(pos, quat, m->mesh_pos + 3 * mesh);
    sal_v3_sub(pos, at, pos);
    put(w, xml, "type", "mesh");
    put(w, xml, "mesh", sal_model_name(m, SAL_OBJ_MESH, mesh));
    put_pose(w, xml, pos, quat);
}

static void write_geom(writer *w, sal_xml *body, int g)
{
    static const char *const law[2] = {"solref", "solimp"};
    static const double friction[3] = {1, 0.005, 0.0001}, one = 1;
    const sal_model *m = w->m;
    char made[96];
    double rgba[4];
    sal_xml *xml = element(w, body, "geom");
    put(w, xml, "name", geom_name(w, g, made));
    put_shape(w, xml, g);
    put(w, xml, "contype", "0"); /* the pairs below say what touches */
    put(w, xml, "conaffinity", "0");
    put_int(w, xml, "condim", m->geom_condim[g]);
    if (m->geom_group[g] != 0) {
        put_int(w, xml, "group", m->geom_group[g]);
    }
    if (m->geom_priority[g] != 0) {
        put_int(w, xml, "priority", m->geom_priority[g]);
    }
    put_unless(w, xml, "friction", m->geom_friction + 3 * g, friction, 3);
    put_unless(w, xml, "solmix", m->geom_solmix + g, &one, 1);
    put_law(w, xml, law, m->geom_solref + 2 * g, m->geom_solimp + 5 * g);
    put_unless_zero(w, xml, "margin", m->geom_margin[g]);
    put_unless_zero(w, xml, "gap", m->geom_gap[g]);
    if (m->geom_fluid[12 * g] > 0) {
        put(w, xml, "fluidshape", "ellipsoid");
        put_reals(w, xml, "fluidcoef", m->geom_fluid + 12 * g + 1, 5);
    }
    for (int k = 0; k < 4; k++) { /* four digits are enough for an eye */
        rgba[k] = round((double)m->geom_rgba[4 * g + k] * 1e4) / 1e4;
    }
    put_reals(w, xml, "rgba", rgba, 4);
}

static void write_site(writer *w, sal_xml *body, int s)
{
    sal_xml *xml = element(w, body, "site");
    put_name(w, xml, SAL_OBJ_SITE, s);
    put(w, xml, "type", geom_word(w->m->site_type[s]));
    put_reals(w, xml, "size", w->m->site_size + 3 * s, 3);
    put_pose(w, xml, w->m->site_pos + 3 * s, w->m->site_quat + 4 * s);
}

static void write_camera(writer *w, sal_xml *body, int c)
{
    sal_xml *xml = element(w, body, "camera");
    put_name(w, xml, SAL_OBJ_CAMERA, c);
    put_pose(w, xml, w->m->cam_pos + 3 * c, w->m->cam_quat + 4 * c);
}

static sal_xml *start_body(writer *w, sal_xml *parent, int b)
{
    const sal_model *m = w->m;
    sal_xml *xml = element(w, parent, "body");
    put_name(w, xml, SAL_OBJ_BODY, b);
    put_pose(w, xml, m->body_pos + 3 * b, m->body_quat + 4 * b);
    if (m->body_mocapid[b] >= 0) {
        put(w, xml, "mocap", "true");
    }
    put_unless_zero(w, xml, "gravcomp", m->body_gravcomp[b]);
    sal_xml *inertial = element(w, xml, "inertial");
    put_pose(w, inertial, m->body_ipos + 3 * b, m->body_iquat + 4 * b);
    put_real(w, inertial, "mass", m->body_mass[b]);
    put_reals(w, inertial, "diaginertia", m->body_inertia + 3 * b, 3);
    return xml;
}

/* What stands in bodies is numbered body by body, so one pass serves all. */
static void write_tree(writer *w, sal_xml *root, sal_xml **bodies)
{
    const sal_model *m = w->m;
    int j = 0, g = 0, s = 0, c = 0;
    for (int b = 0; b < m->nbody && !w->nomem; b++) {
        bodies[b] =
            b == 0 ? element(w, root, "worldbody") : start_body(w, bodies[m->body_parentid[b]], b);
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
            write_camera(w, bodies[b], c);
        }
    }
}

/* ---- lists ---- */

static void write_pair(writer *w, sal_xml *contact, int p)
{
    static const double none[2] = {0, 0};
    const sal_model *m = w->m;
    const double detect = m->pair_detect[p], include = m->pair_include[p];
    char made1[96], made2[96];
    sal_xml *xml = element(w, contact, "pair");
    put(w, xml, "geom1", geom_name(w, m->pair_geom1[p], made1));
    put(w, xml, "geom2", geom_name(w, m->pair_geom2[p], made2));
    put_int(w, xml, "condim", m->pair_dim[p]);
    put_reals(w, xml, "friction", m->pair_friction + 5 * p, 5);
    put_reals(w, xml, "solref", m->pair_solref + 2 * p, 2);
    if (!m->compat222) {
        put_unless(w, xml, "solreffriction", m->pair_solreffriction + 2 * p, none, 2);
    }
    put_reals(w, xml, "solimp", m->pair_solimp + 5 * p, 5);
    put_unless_zero(w, xml, "margin", m->compat222 ? detect : include);
    put_unless_zero(w, xml, "gap", detect - include);
}

/* Ends of a connect or weld: sites if they were given so, else bodies. */
static void put_ends(writer *w, sal_xml *xml, int i)
{
    const sal_model *m = w->m;
    const int *site = m->eq_site + 2 * i;
    if (site[0] >= 0) {
        put(w, xml, "site1", sal_model_name(m, SAL_OBJ_SITE, site[0]));
        put(w, xml, "site2", sal_model_name(m, SAL_OBJ_SITE, site[1]));
        return;
    }
    put(w, xml, "body1", sal_model_name(m, SAL_OBJ_BODY, m->eq_obj1id[i]));
    if (m->eq_obj2id[i] > 0) {
        put(w, xml, "body2", sal_model_name(m, SAL_OBJ_BODY, m->eq_obj2id[i]));
    }
    put_reals(w, xml, "anchor", m->eq_data + 11 * i, 3);
    if (m->eq_type[i] == SAL_EQ_WELD) {
        put_reals(w, xml, "relpose", m->eq_data + 11 * i + 3, 7);
    }
}

static void write_equality(writer *w, sal_xml *list, int i)
{
    static const char *const tags[] = {"connect", "weld", "joint", "tendon"};
    static const char *const law[2] = {"solref", "solimp"};
    const sal_model *m = w->m;
    const int type = m->eq_type[i];
    sal_xml *xml = element(w, list, tags[type]);
    put_name(w, xml, SAL_OBJ_EQUALITY, i);
    if (!m->eq_active[i]) {
        put(w, xml, "active", "false");
    }
    if (type == SAL_EQ_JOINT || type == SAL_EQ_TENDON) {
        const bool joint = type == SAL_EQ_JOINT;
        const sal_object object = joint ? SAL_OBJ_JOINT : SAL_OBJ_TENDON;
        put(w, xml, joint ? "joint1" : "tendon1", sal_model_name(m, object, m->eq_obj1id[i]));
        if (m->eq_obj2id[i] >= 0) {
            put(w, xml, joint ? "joint2" : "tendon2", sal_model_name(m, object, m->eq_obj2id[i]));
        }
        put_reals(w, xml, "polycoef", m->eq_data + 11 * i, 5);
    } else {
        put_ends(w, xml, i);
    }
    if (type == SAL_EQ_WELD) {
        put_real(w, xml, "torquescale", m->eq_data[11 * i + 10]);
    }
    put_law(w, xml, law, m->eq_solref + 2 * i, m->eq_solimp + 5 * i);
}

static void write_wrap(writer *w, sal_xml *tendon, int i)
{
    static const char *const tags[] = {"joint", "pulley", "site", "geom", "geom"};
    const sal_model *m = w->m;
    const int type = m->wrap_type[i], id = m->wrap_objid[i];
    sal_xml *xml = element(w, tendon, tags[type]);
    char made[96];
    switch ((sal_wrap_type)type) {
    case SAL_WRAP_JOINT:
        put(w, xml, "joint", sal_model_name(m, SAL_OBJ_JOINT, id));
        put_real(w, xml, "coef", m->wrap_prm[i]);
        break;
    case SAL_WRAP_PULLEY:
        put_real(w, xml, "divisor", m->wrap_prm[i]);
        break;
    case SAL_WRAP_SITE:
        put(w, xml, "site", sal_model_name(m, SAL_OBJ_SITE, id));
        break;
    case SAL_WRAP_SPHERE:
    case SAL_WRAP_CYLINDER:
        put(w, xml, "geom", geom_name(w, id, made));
        if (m->wrap_side[i] >= 0) {
            put(w, xml, "sidesite", sal_model_name(m, SAL_OBJ_SITE, m->wrap_side[i]));
        }
        break;
    }
}

static void write_tendon(writer *w, sal_xml *list, int t)
{
    static const char *const limit_law[2] = {"solreflimit", "solimplimit"};
    static const char *const friction_law[2] = {"solreffriction", "solimpfriction"};
    const sal_model *m = w->m;
    const int adr = m->tendon_adr[t];
    const double *range = m->tendon_range + 2 * t, *rest = m->tendon_lengthspring + 2 * t;
    sal_xml *xml = element(w, list, m->wrap_type[adr] == SAL_WRAP_JOINT ? "fixed" : "spatial");
    put_name(w, xml, SAL_OBJ_TENDON, t);
    put_bool(w, xml, "limited", m->tendon_limited[t]);
    if (range[0] != 0 || range[1] != 0) {
        put_reals(w, xml, "range", range, 2);
    }
    put_unless_zero(w, xml, "margin", m->tendon_margin[t]);
    put_reals(w, xml, "springlength", rest, rest[0] == rest[1] ? 1 : 2);
    put_polynomial(w, xml, "stiffness", m->tendon_stiffness[t], m->tendon_stiffnesspoly + 2 * t);
    put_polynomial(w, xml, "damping", m->tendon_damping[t], m->tendon_dampingpoly + 2 * t);
    put_unless_zero(w, xml, "armature", m->tendon_armature[t]);
    put_unless_zero(w, xml, "frictionloss", m->tendon_frictionloss[t]);
    if (m->tendon_actfrclimited[t]) {
        put_bool(w, xml, "actuatorfrclimited", true);
        put_reals(w, xml, "actuatorfrcrange", m->tendon_actfrcrange + 2 * t, 2);
    }
    put_law(w, xml, limit_law, m->tendon_solref_lim + 2 * t, m->tendon_solimp_lim + 5 * t);
    put_law(w, xml, friction_law, m->tendon_solref_fri + 2 * t, m->tendon_solimp_fri + 5 * t);
    for (int i = adr; i < adr + m->tendon_num[t]; i++) {
        write_wrap(w, xml, i);
    }
}

static void put_transmission(writer *w, sal_xml *xml, int i)
{
    static const struct {
        sal_object object;
        const char *attr, *ref;
    } kinds[] = {
        [SAL_TRN_JOINT] = {SAL_OBJ_JOINT,  "joint",     NULL        },
        [SAL_TRN_TENDON] = {SAL_OBJ_TENDON, "tendon",    NULL        },
        [SAL_TRN_SITE] = {SAL_OBJ_SITE,   "site",      "refsite"   },
        [SAL_TRN_SLIDERCRANK] = {SAL_OBJ_SITE,   "cranksite", "slidersite"},
        [SAL_TRN_BODY] = {SAL_OBJ_BODY,   "body",      NULL        },
    };
    const sal_model *m = w->m;
    const int type = m->actuator_trntype[i];
    put(w, xml, m->actuator_inparent[i] ? "jointinparent" : kinds[type].attr,
        sal_model_name(m, kinds[type].object, m->actuator_trnid[i]));
    if (m->actuator_refid[i] >= 0) {
        put(w, xml, kinds[type].ref, sal_model_name(m, SAL_OBJ_SITE, m->actuator_refid[i]));
    }
    if (type == SAL_TRN_SLIDERCRANK) {
        put_real(w, xml, "cranklength", m->actuator_cranklength[i]);
    }
}

static void put_activation(writer *w, sal_xml *xml, int i)
{
    static const char *const words[] = {"none", "integrator", "filter", "filterexact", "muscle"};
    const sal_model *m = w->m;
    put(w, xml, "dyntype", words[m->actuator_dyntype[i]]);
    put_reals(w, xml, "dynprm", m->actuator_dynprm + 10 * i, 10);
    if (m->actuator_actadr[i] >= 0) {
        put_bool(w, xml, "actlimited", m->actuator_actlimited[i]);
        put_reals(w, xml, "actrange", m->actuator_actrange + 2 * i, 2);
        if (m->actuator_actearly[i]) {
            put_bool(w, xml, "actearly", true);
        }
    }
}

static void write_actuator(writer *w, sal_xml *list, int i)
{
    static const char *const gains[] = {"fixed", "affine", "muscle"};
    static const char *const biases[] = {"none", "affine", "muscle"};
    const sal_model *m = w->m;
    const double *lengths = m->actuator_lengthrange + 2 * i;
    sal_xml *xml = element(w, list, "general");
    put_name(w, xml, SAL_OBJ_ACTUATOR, i);
    put_transmission(w, xml, i);
    put_reals(w, xml, "gear", m->actuator_gear + 6 * i, 6);
    if (m->actuator_dyntype[i] != SAL_DYN_NONE) {
        put_activation(w, xml, i);
    }
    if (lengths[0] < lengths[1]) {
        put_reals(w, xml, "lengthrange", lengths, 2);
    }
    put(w, xml, "gaintype", gains[m->actuator_gaintype[i]]);
    put(w, xml, "biastype", biases[m->actuator_biastype[i]]);
    put_reals(w, xml, "gainprm", m->actuator_gainprm + 10 * i, 10);
    put_reals(w, xml, "biasprm", m->actuator_biasprm + 10 * i, 10);
    put_bool(w, xml, "ctrllimited", m->actuator_ctrllimited[i]);
    put_reals(w, xml, "ctrlrange", m->actuator_ctrlrange + 2 * i, 2);
    put_bool(w, xml, "forcelimited", m->actuator_forcelimited[i]);
    put_reals(w, xml, "forcerange", m->actuator_forcerange + 2 * i, 2);
    if (m->actuator_group[i] != 0) {
        put_int(w, xml, "group", m->actuator_group[i]);
    }
}

static void put_object(writer *w, sal_xml *xml, const char *type_attr, const char *name_attr,
                       int type, int id)
{
    char made[96];
    const char *name =
        type == SAL_OBJ_GEOM ? geom_name(w, id, made) : sal_model_name(w->m, (sal_object)type, id);
    if (type_attr != NULL) {
        static const char *const words[] = {
            [SAL_OBJ_BODY] = "body",     [SAL_OBJ_XBODY] = "xbody",
            [SAL_OBJ_JOINT] = "joint",   [SAL_OBJ_GEOM] = "geom",
            [SAL_OBJ_SITE] = "site",     [SAL_OBJ_CAMERA] = "camera",
            [SAL_OBJ_TENDON] = "tendon", [SAL_OBJ_ACTUATOR] = "actuator"};
        put(w, xml, type_attr, words[type]);
    }
    put(w, xml, name_attr, name);
}

static void put_contact_sensor(writer *w, sal_xml *xml, int i)
{
    static const char *const words[] = {
#define DATA_WORD(code, word, numbers) word,
        SAL_CONTACT_DATA_LIST(DATA_WORD)
#undef DATA_WORD
    };
    static const char *const reduces[] = {"none", "mindist", "maxforce", "netforce"};
    static const char *const attrs[2][SAL_OBJ_NONE] = {
        {[SAL_OBJ_GEOM] = "geom1",
         [SAL_OBJ_BODY] = "body1",
         [SAL_OBJ_XBODY] = "subtree1",
         [SAL_OBJ_SITE] = "site"},
        {[SAL_OBJ_GEOM] = "geom2",                        [SAL_OBJ_BODY] = "body2", [SAL_OBJ_XBODY] = "subtree2"}
    };
    const sal_model *m = w->m;
    const int *prm = m->sensor_intprm + 3 * i;
    const int type[2] = {m->sensor_objtype[i], m->sensor_reftype[i]};
    const int id[2] = {m->sensor_objid[i], m->sensor_refid[i]};
    char data[64] = "";
    for (int k = 0; k < 2; k++) {
        if (type[k] != SAL_OBJ_NONE) {
            put_object(w, xml, NULL, attrs[k][type[k]], type[k], id[k]);
        }
    }
    for (int k = 0; k < SAL_NCONDATA; k++) {
        if (prm[0] & (1 << k)) {
            const size_t n = strlen(data);
            snprintf(data + n, sizeof data - n, "%s%s", n == 0 ? "" : " ", words[k]);
        }
    }
    put(w, xml, "data", data);
    put(w, xml, "reduce", reduces[prm[1]]);
    put_int(w, xml, "num", prm[2]);
}

static void write_sensor(writer *w, sal_xml *list, int i)
{
    static const char *const tags[] = {
#define SENSOR_TAG(code, element, dim, stage, datatype) element,
        SAL_SENSOR_LIST(SENSOR_TAG)
#undef SENSOR_TAG
    };
    static const char *const stages[] = {"pos", "vel", "acc"};
    static const char *const datatypes[] = {"real", "positive", "axis", "quaternion"};
    static const char *const attrs[] = {
        [SAL_OBJ_BODY] = "body",     [SAL_OBJ_JOINT] = "joint",   [SAL_OBJ_SITE] = "site",
        [SAL_OBJ_CAMERA] = "camera", [SAL_OBJ_TENDON] = "tendon", [SAL_OBJ_ACTUATOR] = "actuator"};
    const sal_model *m = w->m;
    const int type = m->sensor_type[i], object = m->sensor_objtype[i];
    sal_xml *xml = element(w, list, tags[type]);
    put_name(w, xml, SAL_OBJ_SENSOR, i);
    const bool user = type == SAL_SENS_USER;
    if (user && m->sensor_objid[i] < 0) {
        if (m->compat222) { /* it wants one */
            put_object(w, xml, "objtype", "objname", SAL_OBJ_BODY, 0);
        }
    } else if (type == SAL_SENS_INSIDESITE) {
        put_object(w, xml, "objtype", "objname", object, m->sensor_objid[i]);
        put_object(w, xml, NULL, "site", SAL_OBJ_SITE, m->sensor_refid[i]);
    } else if (type == SAL_SENS_CONTACT) {
        put_contact_sensor(w, xml, i);
    } else if (type >= SAL_SENS_GEOMDIST && type <= SAL_SENS_GEOMFROMTO) {
        put_object(w, xml, NULL, object == SAL_OBJ_GEOM ? "geom1" : "body1", object,
                   m->sensor_objid[i]);
        put_object(w, xml, NULL, m->sensor_reftype[i] == SAL_OBJ_GEOM ? "geom2" : "body2",
                   m->sensor_reftype[i], m->sensor_refid[i]);
    } else if (user || (type >= SAL_SENS_FRAMEPOS && type <= SAL_SENS_FRAMEANGACC)) {
        put_object(w, xml, "objtype", "objname", object, m->sensor_objid[i]);
        if (m->sensor_refid[i] >= 0) {
            put_object(w, xml, "reftype", "refname", m->sensor_reftype[i], m->sensor_refid[i]);
        }
    } else if (m->sensor_objid[i] >= 0) {
        put_object(w, xml, NULL, attrs[object], object, m->sensor_objid[i]);
    }
    if (user) {
        put(w, xml, "datatype", datatypes[m->sensor_datatype[i]]);
        put_int(w, xml, "dim", m->sensor_dim[i]);
        put(w, xml, "needstage", stages[m->sensor_stage[i]]);
    }
    put_unless_zero(w, xml, "cutoff", m->sensor_cutoff[i]);
    put_unless_zero(w, xml, "noise", m->sensor_noise[i]);
}

static void write_key(writer *w, sal_xml *list, int i)
{
    const sal_model *m = w->m;
    sal_xml *xml = element(w, list, "key");
    put_name(w, xml, SAL_OBJ_KEY, i);
    put_unless_zero(w, xml, "time", m->key_time[i]);
    put_reals(w, xml, "qpos", m->key_qpos + i * m->nq, m->nq);
    put_reals(w, xml, "qvel", m->key_qvel + i * m->nv, m->nv);
    put_reals(w, xml, "act", m->key_act + i * m->na, m->na);
    put_reals(w, xml, "ctrl", m->key_ctrl + i * m->nu, m->nu);
    put_reals(w, xml, "mpos", m->key_mpos + 3 * i * m->nmocap, 3 * m->nmocap);
    put_reals(w, xml, "mquat", m->key_mquat + 4 * i * m->nmocap, 4 * m->nmocap);
}

static void write_list(writer *w, sal_xml *root, const char *tag, int n,
                       void (*write_one)(writer *, sal_xml *, int))
{
    sal_xml *list = n > 0 ? element(w, root, tag) : NULL;
    for (int i = 0; i < n && !w->nomem; i++) {
        write_one(w, list, i);
    }
}

/* Whether a geom already has a name of the prefix and digits. */
static bool prefix_is_taken(const writer *w)
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
static void choose_prefix(writer *w)
{
    snprintf(w->prefix, sizeof w->prefix, "geom_");
    for (int longer = 1; longer < 50 && prefix_is_taken(w); longer++) {
        snprintf(w->prefix, sizeof w->prefix, "geom_%.*s", longer,
                 "__________________________________________________");
    }
}

sal_status sal_model_write(const sal_model *m, sal_text *out, sal_err *err)
{
    writer w = {.m = m};
    sal_status status = SAL_OK;
    sal_xml **bodies = sal_alloc((size_t)m->nbody, sizeof(void *));
    sal_xml *root = element(&w, NULL, "mujoco");
    w.nomem = w.nomem || bodies == NULL;
    choose_prefix(&w);
    put(&w, root, "model", m->names + m->name_modeladr);
    if (!w.nomem) {
        status = write_option(&w, root, err);
    }
    if (status == SAL_OK && !w.nomem) {
        write_meshes(&w, root);
        write_tree(&w, root, bodies);
        write_list(&w, root, "contact", m->npair, write_pair);
        write_list(&w, root, "equality", m->neq, write_equality);
        write_list(&w, root, "tendon", m->ntendon, write_tendon);
        write_list(&w, root, "actuator", m->nu, write_actuator);
        write_list(&w, root, "sensor", m->nsensor, write_sensor);
        write_list(&w, root, "keyframe", m->nkey, write_key);
    }
    if (status == SAL_OK && !w.nomem) {
        sal_xml_write(root, out);
        w.nomem = out->failed;
    }
    sal_xml_free(&w.doc);
    sal_free(bodies);
    return status == SAL_OK && w.nomem ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}
