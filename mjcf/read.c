/* read.c: a model from a file: includes, overrides, then section by section into a spec, which is
 * compiled. */
#include "mjcf/compile.h"
#include "mjcf/reader.h"
#include "mjcf/writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- includes ---- */

enum { FILES_MAX = 1000 };

/* A file that is part of the model, by what the system knows it by: one file may be written in many
 * ways. */
typedef struct file_id {
    dev_t device;
    ino_t inode;
} file_id;

typedef struct include_list {
    char *folder;  /* of the model, with its slash */
    file_id *file; /* [FILES_MAX + 1] */
    int n;
} include_list;

/* Puts the file on the list; false if it is there already. A file that cannot be found is left to
 * who reads it. */
static bool is_new(include_list *list, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return true;
    }
    for (int i = 0; i < list->n; i++) {
        if (list->file[i].device == info.st_dev && list->file[i].inode == info.st_ino) {
            return false;
        }
    }
    list->file[list->n++] = (file_id){info.st_dev, info.st_ino};
    return true;
}

/* Whether a path leads out of the folder it starts in. */
static bool climbs_out(const char *path)
{
    int depth = 0;
    bool out = path[0] == '/';
    while (*path != 0 && !out) {
        const size_t n = strcspn(path, "/");
        const bool up = n == 2 && path[0] == '.' && path[1] == '.';
        const bool stays = n == 0 || (n == 1 && path[0] == '.');
        depth += up ? -1 : stays ? 0 : 1;
        out = depth < 0;
        path += path[n] == 0 ? n : n + 1;
    }
    return out;
}

static void report_missing(mjcf_reader *r, sal_place place, const include_list *list,
                           const char *reason)
{
    char help[300];
    snprintf(help, sizeof help,
             "paths of included files are relative to the folder of the model, %.200s",
             list->folder[0] == 0 ? "./" : list->folder);
    mjcf_error(r, place, help, "%s", reason);
}

/* Replaces an include by what it names; false if it could not be (reported, or in status). */
static bool include(mjcf_reader *r, sal_xml *xml, include_list *list, sal_status *status,
                    sal_err *err)
{
    const sal_xml_attr *file = sal_xml_find_attr(xml, "file");
    sal_text path = {0};
    bool done = false;
    if (file == NULL || xml->nattr > 1 || xml->child != NULL) {
        mjcf_error(r, xml->place, "write <include file=\"PATH\"/>",
                   "<include> has exactly one attribute, 'file', and no children");
        return false;
    }
    const sal_place place = file->value_place;
    sal_text_format(&path, "%s%s", file->value[0] == '/' ? "" : list->folder, file->value);
    if (path.failed) {
        *status = sal_fail(err, SAL_NOMEM, "out of memory");
    } else if (list->n >= FILES_MAX) {
        mjcf_error(r, place, NULL,
                   "the model includes more than %d files, the most that are allowed", FILES_MAX);
    } else if (!is_new(list, path.data)) {
        mjcf_error(r, place, "include each file only once",
                   "the file '%.200s' is already part of this model", file->value);
    } else {
        sal_err reason = {0};
        if (climbs_out(file->value)) {
            sal_diag_warning(r->diag, place, NULL,
                             "the file '%.200s' lies outside the folder of the model", file->value);
        }
        const sal_status result = sal_xml_splice(r->doc, xml, path.data, r->diag, &reason);
        if (result == SAL_BADPATH) {
            report_missing(r, place, list, reason.message);
        } else if (result != SAL_OK && result != SAL_BADINPUT) {
            *status = sal_fail(err, result, "%s", reason.message);
        }
        done = result == SAL_OK;
    }
    sal_text_clear(&path);
    return done;
}

/* Replaces every include below `parent`, those inside included files too. */
static sal_status expand(mjcf_reader *r, sal_xml *parent, int depth, include_list *list,
                         sal_err *err)
{
    sal_status status = SAL_OK;
    sal_xml *before = NULL, *child = parent->child;
    if (depth > 600) {
        mjcf_error(r, parent->place, NULL,
                   "elements are nested too deeply: at most 600 levels are allowed");
        return SAL_OK;
    }
    while (child != NULL && status == SAL_OK) {
        if (strcmp(child->tag, "include") == 0 && include(r, child, list, &status, err)) {
            child = before == NULL ? parent->child : before->next; /* the first that came in */
            continue;
        }
        if (status == SAL_OK) {
            status = expand(r, child, depth + 1, list, err);
        }
        before = child;
        child = child->next;
    }
    return status;
}

/* ---- sections ---- */

static void check_eulerseq(mjcf_reader *r, spec_compiler *c, const sal_xml *xml)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, "eulerseq");
    if (attr != NULL && (strlen(attr->value) != 3 || strspn(attr->value, "xyzXYZ") != 3)) {
        mjcf_error(r, attr->value_place, "for example xyz or ZYX",
                   "eulerseq is '%.20s'; it needs three letters, each one of x, y, z, X, Y, Z",
                   attr->value);
        c->eulerseq = "xyz";
    }
}

/* actuatorgroupdisable: groups 0 to 30, as bits */
static void read_groups(mjcf_reader *r, const sal_xml_attr *attr)
{
    double group[31];
    const int n = attr == NULL ? 0 : mjcf_read_numbers(r->diag, attr, group, 0, 31, MJCF_NONNEG);
    for (int i = 0; i < n; i++) {
        if (group[i] > 30 || group[i] != floor(group[i])) {
            mjcf_error(r, attr->value_place, NULL,
                       "actuator group %g does not exist; groups are whole numbers from 0 to 30",
                       group[i]);
            return;
        }
        r->spec->option.opt.disableactuator |= 1 << (int)group[i];
    }
}

static void read_option(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    spec_option *o = &r->spec->option;
    o->groups_off = NULL;
    mjcf_read_attrs(r, rule, xml, false, o);
    read_groups(r, o->groups_off);
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *inner = mjcf_rule_of(r, child, MJCF_IN_OPTION);
        if (inner != NULL) {
            mjcf_read_attrs(r, inner, child, false, &r->spec->flags);
        }
    }
}

static void read_lengthrange(mjcf_reader *r, spec_compiler *c, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_COMPILER);
        if (rule != NULL) {
            mjcf_read_attrs(r, rule, child, false, &c->lengthrange);
        }
    }
}

static void read_compiler(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    const int k = spec_part_of(r->spec, xml);
    spec_part *part = k == 0 ? NULL : r->spec->part.item[k - 1];
    spec_compiler *c = part == NULL ? &r->spec->compiler : &part->compiler;
    mjcf_read_attrs(r, rule, xml, false, c);
    check_eulerseq(r, c, xml);
    if (c->global && r->spec->mujoco != SAL_MUJOCO_222) {
        mjcf_error(r, sal_xml_find_attr(xml, "coordinate")->value_place,
                   "read the model as MuJoCo 2.2.2 does (compat=\"2.2.2\", --compat 2.2.2), or let "
                   "`saltus convert --compat 2.2.2` write it anew",
                   "coordinate=\"global\" in <compiler> was dropped by MuJoCo 3; MuJoCo 2.2.2 has "
                   "it");
        c->global = 0;
    }
    read_lengthrange(r, c, xml);
}

/* Only its colour: the rest is drawn by others, and not checked. */
static void read_material(mjcf_reader *r, sal_xml *xml)
{
    spec_material *material = spec_take(r->spec, 1, sizeof *material);
    if (material == NULL) {
        return;
    }
    const sal_xml_attr *rgba = sal_xml_find_attr(xml, "rgba");
    *material = (spec_material){.head.xml = xml, .rgba = {(double)NAN}};
    material->head.name = sal_xml_get(xml, "name");
    if (rgba != NULL) {
        mjcf_read_numbers(r->diag, rgba, material->rgba, 4, 4, 0);
    }
    spec_push(r->spec, &r->spec->material, material);
    if (material->head.name != NULL && !isnan(material->rgba[0])) {
        spec_index_put(r->spec, &r->spec->material_names, material->head.name, material);
    }
}

static void read_asset(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule = mjcf_rule_of(r, child, MJCF_IN_ASSET);
        if (rule != NULL && rule->element == MJCF_EL_MESH) {
            mjcf_read_mesh(r, rule, child);
        } else if (rule != NULL && rule->element == MJCF_EL_HFIELD) {
            mjcf_read_hfield(r, rule, child);
        } else if (rule != NULL && rule->element == MJCF_EL_MATERIAL) {
            read_material(r, child);
        } else if (rule != NULL && rule->element == MJCF_EL_MODEL) { /* <attach> has read it */
            char nothing[8];
            mjcf_read_attrs(r, rule, child, false, nothing);
        }
    }
}

static bool says(const sal_xml *xml, const char *name, const char *value)
{
    const sal_xml_attr *attr = sal_xml_find_attr(xml, name);
    return attr != NULL && strcmp(attr->value, value) == 0;
}

/* Without springs, and where it touches nothing, not even itself, a <flex> is only drawn. */
static bool is_only_drawn(const sal_xml *flex)
{
    const sal_xml *contact = flex->child;
    return strcmp(flex->tag, "flex") == 0 && contact != NULL && contact->next == NULL &&
           strcmp(contact->tag, "contact") == 0 && says(contact, "contype", "0") &&
           says(contact, "conaffinity", "0") && says(contact, "selfcollide", "none") &&
           says(contact, "internal", "false");
}

/* Skins are only drawn. */
static void read_deformable(mjcf_reader *r, sal_xml *xml)
{
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        if (!is_only_drawn(child)) {
            mjcf_rule_of(r, child, MJCF_IN_DEFORMABLE);
        }
    }
}

static void read_section(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml)
{
    switch ((int)rule->element) {
    case MJCF_EL_COMPILER:
        read_compiler(r, rule, xml);
        break;
    case MJCF_EL_OPTION:
        read_option(r, rule, xml);
        break;
    case MJCF_EL_SIZE:
    case MJCF_EL_STATISTIC:
        mjcf_read_attrs(r, rule, xml, false, r->spec);
        break;
    case MJCF_EL_DEFAULT:
        mjcf_read_default(r, xml, rule, NULL);
        break;
    case MJCF_EL_CUSTOM:
        mjcf_read_custom(r, xml);
        break;
    case MJCF_EL_ASSET:
        read_asset(r, xml);
        break;
    case MJCF_EL_WORLDBODY:
        mjcf_read_world(r, xml);
        break;
    case MJCF_EL_DEFORMABLE:
        read_deformable(r, xml);
        break;
    case MJCF_EL_CONTACT:
        mjcf_read_contact(r, xml);
        break;
    case MJCF_EL_EQUALITY:
        mjcf_read_equalities(r, xml);
        break;
    case MJCF_EL_TENDON:
        mjcf_read_tendons(r, xml);
        break;
    case MJCF_EL_ACTUATOR:
        mjcf_read_actuators(r, xml);
        break;
    case MJCF_EL_SENSOR:
        mjcf_read_sensors(r, xml);
        break;
    case MJCF_EL_KEYFRAME:
        mjcf_read_keys(r, xml);
        break;
    default:
        break;
    }
}

static bool has_own_attrs(const mjcf_rule *rule)
{
    return rule->element == MJCF_EL_COMPILER || rule->element == MJCF_EL_OPTION ||
           rule->element == MJCF_EL_SIZE || rule->element == MJCF_EL_STATISTIC ||
           rule->element == MJCF_EL_DEFAULT;
}

/* Sections in the order in which they depend on one another, whatever their order in the file. */
static void read_sections(mjcf_reader *r, sal_xml *root)
{
    static const mjcf_element order[] = {MJCF_EL_COMPILER,  MJCF_EL_OPTION,    MJCF_EL_SIZE,
                                         MJCF_EL_STATISTIC, MJCF_EL_DEFAULT,   MJCF_EL_CUSTOM,
                                         MJCF_EL_ASSET,     MJCF_EL_WORLDBODY, MJCF_EL_CONTACT,
                                         MJCF_EL_EQUALITY,  MJCF_EL_TENDON,    MJCF_EL_ACTUATOR,
                                         MJCF_EL_SENSOR,    MJCF_EL_KEYFRAME,  MJCF_EL_DEFORMABLE};
    char nothing[8];
    mjcf_find_parts(r, root);
    for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        const mjcf_rule *rule =
            mjcf_rule_of(r, xml, MJCF_IN_ROOT); /* unknown ones are reported here */
        if (rule != NULL && !has_own_attrs(rule)) {
            mjcf_read_attrs(r, rule, xml, false, nothing);
        }
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (order[i] == MJCF_EL_WORLDBODY) {
            mjcf_expand_replicates(r, root);
        }
        for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
            const mjcf_rule *rule = mjcf_find_rule(MJCF_IN_ROOT, xml->tag);
            if (rule != NULL && rule->element == order[i]) {
                read_section(r, rule, xml);
            }
        }
    }
    mjcf_check_users(r, root);
}

bool mjcf_is_model(const sal_xml *root)
{
    return strcmp(root->tag, "mujoco") == 0 || strcmp(root->tag, "robot") == 0;
}

/* What to do with a model of another format */
static const char *other_format(const char *root)
{
    return strcmp(root, "sdf") == 0
               ? "this is an SDF file; convert it to URDF or MJCF first, for example with sdf2urdf"
           : strcmp(root, "OpenSimDocument") == 0 ? "this is a model of OpenSim; convert it to "
                                                    "MJCF first, for example with MyoConverter"
                                                  : NULL;
}

/* Namespaces, and where editors find the schema of a document ("xsi:noNamespaceSchemaLocation") */
static bool is_of_xml(const char *attr)
{
    return strcmp(attr, "xmlns") == 0 || strchr(attr, ':') != NULL;
}

static bool root_is_good(mjcf_reader *r, sal_xml *root)
{
    if (strcmp(root->tag, "mujoco") != 0) {
        mjcf_error(r, root->place, other_format(root->tag),
                   "the root element of a model must be <mujoco> (MJCF) or <robot> (URDF), and "
                   "this file has <%.100s>",
                   root->tag);
        return false;
    }
    for (int i = 0; i < root->nattr; i++) {
        const char *said = root->attr[i].name;
        if (strcmp(said, "model") != 0 && !(is_of_xml(said) && r->spec->mujoco != SAL_MUJOCO_222)) {
            mjcf_error(r, root->attr[i].name_place, NULL, "unknown attribute '%.100s' in <mujoco>",
                       said);
        }
    }
    const char *name = sal_xml_get(root, "model");
    r->spec->root = root;
    r->spec->model = name == NULL ? "" : name;
    return true;
}

/* ---- the whole way ---- */

static sal_status apply_settings(sal_xml_doc *doc, const sal_load_options *o, sal_diag *diag,
                                 sal_err *err)
{
    for (int i = 0; i < o->nsetting; i++) {
        sal_err reason = {0};
        const sal_place place = o->place == NULL ? (sal_place){0} : o->place[i];
        const sal_status status =
            sal_xml_set_path(doc, o->setting[i].path, o->setting[i].value, &reason);
        if (status == SAL_OK) {
            doc->sources->from = place; /* the setting is a source of its own */
        } else if (status == SAL_BADINPUT) {
            sal_diag_error(diag, place, NULL, "%s", reason.message);
        } else if (status != SAL_OK) {
            return sal_fail(err, status, "%s", reason.message);
        }
    }
    return SAL_OK;
}

/* The folder of a path with its slash, to be released with sal_free; NULL without memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *folder = sal_alloc(n + 1, 1);
    if (folder != NULL) {
        memcpy(folder, path, n);
    }
    return folder;
}

sal_status mjcf_include_all(mjcf_reader *r, sal_xml *root, const char *path, sal_err *err)
{
    include_list list = {.folder = folder_of(path)};
    list.file = sal_alloc(FILES_MAX + 1, sizeof *list.file);
    sal_status status = list.folder == NULL || list.file == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory")
                            : SAL_OK;
    if (status == SAL_OK) {
        is_new(&list, path);
        status = expand(r, root, 0, &list, err);
    }
    sal_free(list.folder);
    sal_free(list.file);
    return status;
}

/* A URDF becomes MJCF. Includes, sub-models, then overrides. If a part is missing we stop there:
 * more messages would be noise. */
sal_status mjcf_join(mjcf_reader *r, const char *path, const sal_load_options *o, sal_err *err)
{
    const int before = r->diag->nerror;
    sal_status status = SAL_OK;
    if (strcmp(r->doc->root->tag, "robot") == 0) {
        status = mjcf_from_urdf(r->doc->root, path, o->mujoco, r->diag, err);
    }
    if (status == SAL_OK && r->diag->nerror == before) {
        status = mjcf_include_all(r, r->doc->root, path, err);
    }
    if (status == SAL_OK && r->diag->nerror == before && o->mujoco != SAL_MUJOCO_222) {
        status = mjcf_expand_attaches(r, r->doc->root, path, err);
    }
    if (status == SAL_OK && r->diag->nerror == before) {
        status = apply_settings(r->doc, o, r->diag, err);
    }
    return status;
}

sal_status mjcf_read_spec(mjcf_reader *r, const char *path, sal_mujoco mujoco, sal_err *err)
{
    spec_init(r->spec, mujoco);
    r->spec->path = path;
    if (!r->spec->nomem && root_is_good(r, r->doc->root)) {
        read_sections(r, r->doc->root);
    }
    return r->spec->nomem ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

/* written: the model as a file, if not NULL */
static sal_status build(sal_model **m, sal_xml_doc *doc, const char *path,
                        const sal_load_options *options, sal_text *written, sal_diag *diag,
                        sal_err *err)
{
    const sal_load_options none = {0};
    const sal_load_options *o = options == NULL ? &none : options;
    const int before = diag->nerror;
    sal_status status = SAL_OK;
    mjcf_spec spec = {0};
    mjcf_reader r = {&spec, diag, doc};
    if (mjcf_is_model(doc->root)) { /* else only that is reported */
        status = mjcf_join(&r, path, o, err);
    }
    if (status == SAL_OK && diag->nerror == before) {
        status = mjcf_read_spec(&r, path, o->mujoco, err);
    }
    if (status == SAL_OK && diag->nerror == before) {
        status = spec_compile(m, &spec, diag, err);
    }
    if (status == SAL_OK && diag->nerror == before && o->advise) {
        status = mjcf_advise(&spec, *m, diag, err);
    }
    if (status == SAL_OK && diag->nerror == before && written != NULL) {
        status = mjcf_write(*m, &spec, written, err);
    }
    spec_free(&spec);
    return status;
}

/* What was found in the document, as a status; frees the document, and a model that is not good. */
static sal_status finish(sal_model **m, sal_xml_doc *doc, sal_status status, int before,
                         const sal_diag *diag, sal_err *err)
{
    sal_xml_free(doc);
    if ((status == SAL_OK || status == SAL_BADINPUT) && diag->text.failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory");
    }
    if ((status == SAL_OK || status == SAL_BADINPUT) && diag->nerror > before) {
        status = sal_diag_status(diag, err);
    }
    if (status != SAL_OK) {
        sal_model_free(*m);
        *m = NULL;
    }
    return status;
}

static sal_status load(sal_model **m, const char *path, const sal_load_options *options,
                       sal_text *written, sal_diag *diag, sal_err *err)
{
    sal_xml_doc doc;
    sal_diag own = {0}, *to = diag == NULL ? &own : diag;
    const int before = to->nerror;
    *m = NULL;
    sal_status status = sal_xml_read_mixed(&doc, path, to, err);
    if (status == SAL_OK) {
        status = build(m, &doc, path, options, written, to, err);
    }
    status = finish(m, &doc, status, before, to, err);
    sal_diag_clear(&own);
    return status;
}

sal_status sal_model_load(sal_model **m, const char *path, const sal_load_options *options,
                          sal_diag *diag, sal_err *err)
{
    return load(m, path, options, NULL, diag, err);
}

sal_status sal_model_convert(sal_text *out, const char *path, const sal_load_options *options,
                             sal_diag *diag, sal_err *err)
{
    sal_model *m;
    const sal_status status = load(&m, path, options, out, diag, err);
    sal_model_free(m);
    return status;
}

sal_status sal_urdf_convert(sal_text *out, const char *path, sal_mujoco mujoco, sal_err *err)
{
    sal_xml_doc doc;
    sal_diag diag = {0};
    sal_status status = sal_xml_read_mixed(&doc, path, &diag, err);
    if (status == SAL_OK) {
        status = mjcf_from_urdf(doc.root, path, mujoco, &diag, err);
    }
    if (status == SAL_OK) {
        status = sal_diag_status(&diag, err);
    }
    if (status == SAL_OK) {
        sal_xml_write(doc.root, out);
        status = out->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
    }
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
    return status;
}

sal_status sal_model_parse(sal_model **m, const char *name, const char *xml, size_t length,
                           const sal_load_options *options, sal_diag *diag, sal_err *err)
{
    sal_xml_doc doc;
    sal_diag own = {0}, *to = diag == NULL ? &own : diag;
    const int before = to->nerror;
    *m = NULL;
    sal_status status = sal_xml_parse_mixed(&doc, name, xml, length, to, err);
    if (status == SAL_OK) {
        status = build(m, &doc, name, options, NULL, to, err);
    }
    status = finish(m, &doc, status, before, to, err);
    sal_diag_clear(&own);
    return status;
}
