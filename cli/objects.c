/* objects.c: what a model consists of, as tables for people (at most 100 columns) or arrays of
 * objects in JSON. */
#include "cli/figures.h"

#include <string.h>

enum { NAME = 20 }; /* columns of a name; longer ones are cut, in JSON never */

/* One row: cells are added one by one, as columns of text or as members. */
typedef struct table {
    cli_figures *f;
    const sal_model *m;
} table;

typedef struct column {
    const char *title;
    int width;
} column;

/* Begins a table of n rows, with its titles: the kind of the objects, then the columns, after the
 * last a NULL title. */
static void begin(const table *t, const char *name, int n, const char *kind, const column *columns)
{
    if (t->f->as_json) {
        sal_json_array(&t->f->json, name);
        return;
    }
    if (n > 0) {
        sal_text_format(&t->f->text, "\n%4s %-*s", "", NAME, kind);
        for (; columns->title != NULL; columns++) {
            const int width = columns[1].title == NULL ? 0 : columns->width;
            sal_text_format(&t->f->text, " %-*s", width, columns->title);
        }
        sal_text_add(&t->f->text, "\n");
    }
}

static void end(const table *t)
{
    if (t->f->as_json) {
        sal_json_end(&t->f->json);
    }
}

static void row(const table *t, int id, const char *name)
{
    if (t->f->as_json) {
        sal_json_object(&t->f->json, NULL);
        sal_json_integer(&t->f->json, "id", id);
        sal_json_string(&t->f->json, "name", name);
        return;
    }
    sal_text_format(&t->f->text, "%4d ", id);
    const char *shown = name[0] == 0 ? "-" : name;
    if (strlen(shown) > NAME) {
        sal_text_format(&t->f->text, "%.*s.. ", NAME - 2, shown);
    } else {
        sal_text_format(&t->f->text, "%-*s ", NAME, shown);
    }
}

static void end_row(const table *t)
{
    if (t->f->as_json) {
        sal_json_end(&t->f->json);
        return;
    }
    sal_text *out = &t->f->text; /* without blanks at the end */
    while (!out->failed && out->length > 0 && out->data[out->length - 1] == ' ') {
        out->data[--out->length] = 0;
    }
    sal_text_add(out, "\n");
}

static void word(const table *t, const char *key, int width, const char *value)
{
    if (t->f->as_json) {
        sal_json_string(&t->f->json, key, value);
    } else if (strlen(value) > (size_t)width) {
        sal_text_format(&t->f->text, "%.*s.. ", width - 2, value);
    } else {
        sal_text_format(&t->f->text, "%-*s ", width, value[0] == 0 ? "-" : value);
    }
}

static void number(const table *t, const char *key, int width, double value)
{
    if (t->f->as_json) {
        sal_json_number(&t->f->json, key, value);
    } else {
        sal_text_format(&t->f->text, "%-*.4g ", width, value);
    }
}

static void whole(const table *t, const char *key, int width, int value)
{
    if (t->f->as_json) {
        sal_json_integer(&t->f->json, key, value);
    } else {
        sal_text_format(&t->f->text, "%-*d ", width, value);
    }
}

/* Two numbers, or a dash and null where there is no range. */
static void range(const table *t, const char *key, int width, bool given, const double value[2])
{
    char text[64] = "-";
    if (t->f->as_json && given) {
        sal_json_numbers(&t->f->json, key, value, 2);
    } else if (t->f->as_json) {
        sal_json_string(&t->f->json, key, NULL);
    } else {
        if (given) {
            snprintf(text, sizeof text, "%.4g %.4g", value[0], value[1]);
        }
        sal_text_format(&t->f->text, "%-*s ", width, text);
    }
}

static const char *name_of(const table *t, sal_object type, int id)
{
    return sal_model_name(t->m, type, id);
}

/* ---- the tree ---- */

static void bodies(const table *t)
{
    static const column columns[] = {
        {"parent", 18}, {"mass (kg)", 10}, {"inertia (kg m^2)", 29}, {"subtree", 8}, {NULL, 0}};
    const sal_model *m = t->m;
    begin(t, "bodies", m->nbody, "body", columns);
    for (int b = 0; b < m->nbody; b++) {
        row(t, b, name_of(t, SAL_OBJ_BODY, b));
        word(t, "parent", 18, b == 0 ? "" : name_of(t, SAL_OBJ_BODY, m->body_parentid[b]));
        number(t, "mass", 10, m->body_mass[b]);
        if (t->f->as_json) {
            sal_json_numbers(&t->f->json, "inertia", m->body_inertia + 3 * b, 3);
        } else {
            for (int k = 0; k < 3; k++) {
                sal_text_format(&t->f->text, "%-9.3g ", m->body_inertia[3 * b + k]);
            }
        }
        number(t, "subtreemass", 8, m->body_subtreemass[b]);
        end_row(t);
    }
    end(t);
}

static const char *joint_word(int type)
{
    static const char *const words[] = {[SAL_JNT_FREE] = "free",
                                        [SAL_JNT_BALL] = "ball",
                                        [SAL_JNT_SLIDE] = "slide",
                                        [SAL_JNT_HINGE] = "hinge"};
    return words[type];
}

static void joints(const table *t)
{
    static const column columns[] = {
        {"type", 5},  {"qpos", 4},    {"dof", 4},       {"range (rad, m)", 15},
        {"body", 15}, {"damping", 7}, {"stiffness", 9}, {"armature", 8},
        {NULL, 0}};
    const sal_model *m = t->m;
    begin(t, "joints", m->njnt, "joint", columns);
    for (int j = 0; j < m->njnt; j++) {
        const int dof = m->jnt_dofadr[j];
        row(t, j, name_of(t, SAL_OBJ_JOINT, j));
        word(t, "type", 5, joint_word(m->jnt_type[j]));
        whole(t, "qpos", 4, m->jnt_qposadr[j]);
        whole(t, "dof", 4, dof);
        range(t, "range", 15, m->jnt_limited[j], m->jnt_range + 2 * j);
        word(t, "body", 15, name_of(t, SAL_OBJ_BODY, m->jnt_bodyid[j]));
        number(t, "damping", 7, m->dof_damping[dof]);
        number(t, "stiffness", 9, m->jnt_stiffness[j]);
        number(t, "armature", 8, m->dof_armature[dof]);
        if (t->f->as_json) {
            sal_json_number(&t->f->json, "frictionloss", m->dof_frictionloss[dof]);
        }
        end_row(t);
    }
    end(t);
}

static const char *geom_word(int type)
{
    static const char *const words[] = {[SAL_GEOM_PLANE] = "plane",
                                        [SAL_GEOM_HFIELD] = "hfield",
                                        [SAL_GEOM_SPHERE] = "sphere",
                                        [SAL_GEOM_CAPSULE] = "capsule",
                                        [SAL_GEOM_ELLIPSOID] = "ellipsoid",
                                        [SAL_GEOM_CYLINDER] = "cylinder",
                                        [SAL_GEOM_BOX] = "box",
                                        [SAL_GEOM_MESH] = "mesh"};
    return words[type];
}

static void geoms(const table *t)
{
    static const column columns[] = {{"type", 9},   {"size (m)", 22}, {"body", 16}, {"friction", 8},
                                     {"condim", 6}, {"pairs", 5},     {NULL, 0}};
    const sal_model *m = t->m;
    begin(t, "geoms", m->ngeom, "geom", columns);
    int *pairs = sal_alloc((size_t)m->ngeom + 1, sizeof *pairs);
    for (int p = m->nkindlisted; p < m->npair && pairs != NULL; p++) { /* those that are listed */
        pairs[m->pair_geom1[p]]++;
        pairs[m->pair_geom2[p]]++;
    }
    for (int g = 0; g < m->ngeom && pairs != NULL; g++) {
        const double *size = m->geom_size + 3 * g;
        row(t, g, name_of(t, SAL_OBJ_GEOM, g));
        word(t, "type", 9, geom_word(m->geom_type[g]));
        if (t->f->as_json) {
            sal_json_numbers(&t->f->json, "size", size, 3);
        } else {
            char text[64];
            snprintf(text, sizeof text, "%.4g %.4g %.4g", size[0], size[1], size[2]);
            sal_text_format(&t->f->text, "%-22s ", text);
        }
        word(t, "body", 16, name_of(t, SAL_OBJ_BODY, m->geom_bodyid[g]));
        number(t, "friction", 8, m->geom_friction[3 * g]);
        whole(t, "condim", 6, m->geom_condim[g]);
        whole(t, "pairs", 5, pairs[g]);
        end_row(t);
    }
    t->f->text.failed = t->f->text.failed || pairs == NULL;
    sal_free(pairs);
    end(t);
}

static void sites(const table *t)
{
    static const column columns[] = {{"body", 18}, {"position in it (m)", 20}, {NULL, 0}};
    const sal_model *m = t->m;
    begin(t, "sites", m->nsite, "site", columns);
    for (int s = 0; s < m->nsite; s++) {
        const double *pos = m->site_pos + 3 * s;
        row(t, s, name_of(t, SAL_OBJ_SITE, s));
        word(t, "body", 18, name_of(t, SAL_OBJ_BODY, m->site_bodyid[s]));
        if (t->f->as_json) {
            sal_json_numbers(&t->f->json, "pos", pos, 3);
        } else {
            sal_text_format(&t->f->text, "%.4g %.4g %.4g", pos[0], pos[1], pos[2]);
        }
        end_row(t);
    }
    end(t);
}

/* ---- lists ---- */

static void tendons(const table *t)
{
    static const column columns[] = {{"length (m)", 10}, {"range", 15}, {"stiffness", 9},
                                     {"damping", 8},     {"dofs", 6},   {NULL, 0}};
    const sal_model *m = t->m;
    begin(t, "tendons", m->ntendon, "tendon", columns);
    for (int i = 0; i < m->ntendon; i++) {
        row(t, i, name_of(t, SAL_OBJ_TENDON, i));
        number(t, "length", 10, m->tendon_length0[i]);
        range(t, "range", 15, m->tendon_limited[i], m->tendon_range + 2 * i);
        number(t, "stiffness", 9, m->tendon_stiffness[i]);
        number(t, "damping", 8, m->tendon_damping[i]);
        whole(t, "dofs", 6, m->tendon_Jnum[i]);
        end_row(t);
    }
    end(t);
}

static void equalities(const table *t)
{
    static const column columns[] = {{"type", 8}, {"first", 18}, {"second", 18}, {NULL, 0}};
    static const char *const words[] = {"connect", "weld", "joint", "tendon"};
    const sal_model *m = t->m;
    begin(t, "equalities", m->neq, "equality", columns);
    for (int i = 0; i < m->neq; i++) {
        const int type = m->eq_type[i];
        const sal_object kind = type == SAL_EQ_JOINT    ? SAL_OBJ_JOINT
                                : type == SAL_EQ_TENDON ? SAL_OBJ_TENDON
                                                        : SAL_OBJ_BODY;
        row(t, i, name_of(t, SAL_OBJ_EQUALITY, i));
        word(t, "type", 8, words[type]);
        word(t, "first", 18, name_of(t, kind, m->eq_obj1id[i]));
        word(t, "second", 18, name_of(t, kind, m->eq_obj2id[i]));
        end_row(t);
    }
    end(t);
}

static sal_object moved_object(int trntype)
{
    switch ((sal_transmission)trntype) {
    case SAL_TRN_JOINT:
        return SAL_OBJ_JOINT;
    case SAL_TRN_TENDON:
        return SAL_OBJ_TENDON;
    case SAL_TRN_SITE:
    case SAL_TRN_SLIDERCRANK:
        return SAL_OBJ_SITE;
    case SAL_TRN_BODY:
        break;
    }
    return SAL_OBJ_BODY;
}

static void actuators(const table *t)
{
    static const column columns[] = {
        {"on", 20}, {"gear", 8}, {"ctrl", 13}, {"force (N, N m)", 15}, {"dynamics", 11}, {NULL, 0}};
    static const char *const dynamics[] = {
        [SAL_DYN_NONE] = "none",     [SAL_DYN_INTEGRATOR] = "integrator",
        [SAL_DYN_FILTER] = "filter", [SAL_DYN_FILTEREXACT] = "filterexact",
        [SAL_DYN_MUSCLE] = "muscle", [SAL_DYN_MOTOR] = "motor"};
    const sal_model *m = t->m;
    begin(t, "actuators", m->nu, "actuator", columns);
    for (int i = 0; i < m->nu; i++) {
        row(t, i, name_of(t, SAL_OBJ_ACTUATOR, i));
        word(t, "on", 20, name_of(t, moved_object(m->actuator_trntype[i]), m->actuator_trnid[i]));
        number(t, "gear", 8, m->actuator_gear[6 * i]);
        range(t, "ctrlrange", 13, m->actuator_ctrllimited[i], m->actuator_ctrlrange + 2 * i);
        range(t, "forcerange", 15, m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
        word(t, "dynamics", 11, dynamics[m->actuator_dyntype[i]]);
        end_row(t);
    }
    end(t);
}

static void sensors(const table *t)
{
    static const column columns[] = {
        {"type", 16}, {"of", 20}, {"sensordata", 11}, {"cutoff", 6}, {NULL, 0}};
    static const char *const tags[] = {
#define SENSOR_TAG(code, element, ...) element,
        SAL_SENSOR_LIST(SENSOR_TAG)
#undef SENSOR_TAG
    };
    const sal_model *m = t->m;
    begin(t, "sensors", m->nsensor, "sensor", columns);
    for (int i = 0; i < m->nsensor; i++) {
        const int adr = m->sensor_adr[i], last = adr + m->sensor_dim[i] - 1;
        char where[32];
        snprintf(where, sizeof where, last > adr ? "%d..%d" : "%d", adr, last);
        row(t, i, name_of(t, SAL_OBJ_SENSOR, i));
        word(t, "type", 16, tags[m->sensor_type[i]]);
        word(t, "of", 20, name_of(t, (sal_object)m->sensor_objtype[i], m->sensor_objid[i]));
        if (t->f->as_json) {
            sal_json_integer(&t->f->json, "adr", adr);
            sal_json_integer(&t->f->json, "dim", m->sensor_dim[i]);
        } else {
            sal_text_format(&t->f->text, "%-11s ", where);
        }
        number(t, "cutoff", 6, m->sensor_cutoff[i]);
        end_row(t);
    }
    end(t);
}

static void keyframes(const table *t)
{
    static const column columns[] = {{"time (s)", 8}, {NULL, 0}};
    begin(t, "keyframes", t->m->nkey, "keyframe", columns);
    for (int i = 0; i < t->m->nkey; i++) {
        row(t, i, name_of(t, SAL_OBJ_KEY, i));
        number(t, "time", 8, t->m->key_time[i]);
        end_row(t);
    }
    end(t);
}

/* ---- options ---- */

static void disabled(cli_figures *f, const sal_model *m)
{
    static const struct {
        int bit;
        const char *name;
    } flags[] = {
#define DISABLED(code, bit, name) {(code), name},
        SAL_DISABLE_LIST(DISABLED)
#undef DISABLED
    };
    sal_text text = {0};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (m->opt.disable & flags[i].bit) {
            sal_text_format(&text, "%s%s", text.length > 0 ? " " : "", flags[i].name);
        }
    }
    if (text.length > 0) {
        cli_figures_text(f, "disabled", text.data);
    }
    f->text.failed = f->text.failed || text.failed;
    sal_text_clear(&text);
}

static void options(cli_figures *f, const sal_model *m)
{
    if (f->as_json) {
        sal_json_numbers(&f->json, "gravity", m->opt.gravity, 3);
    } else {
        sal_text_format(&f->text, "%-14s %.6g %.6g %.6g m/s^2\n", "gravity", m->opt.gravity[0],
                        m->opt.gravity[1], m->opt.gravity[2]);
    }
    cli_figures_number(f, "impratio", m->opt.impratio, "");
    if (m->opt.density > 0 || m->opt.viscosity > 0) {
        cli_figures_number(f, "density", m->opt.density, "kg/m^3");
        cli_figures_number(f, "viscosity", m->opt.viscosity, "Pa s");
    }
    disabled(f, m);
}

void cli_figures_objects(cli_figures *f, const sal_model *m)
{
    const table t = {f, m};
    options(f, m);
    bodies(&t);
    joints(&t);
    geoms(&t);
    sites(&t);
    tendons(&t);
    equalities(&t);
    actuators(&t);
    sensors(&t);
    keyframes(&t);
}
