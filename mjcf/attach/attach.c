/* attach.c: <attach> becomes the body of another model file, with all that depends on it,
 * before either is read. (MuJoCo documentation, "XML reference", attach and asset/model.)
 *
 * The sub-model is read as a model: its includes, its own sub-models, its <replicate>s. Its names
 * get the prefix; its default classes and the settings of its compiler stay its own; its options
 * and statistics do not come along. Its other sections are appended to those of the model. */
#include "mjcf/attach/attach.h"

#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = 1000, DEPTH_MAX = 20 };

/* <attach> */
typedef struct attach_said {
    const char *model, *prefix;
    /* what is attached: a body or a frame; NULL: all of the world */
    const sal_xml_attr *part;
} attach_said;

void mjcf_attach_set(mjcf_attach *a, sal_xml *xml, const char *name, const char *value)
{
    if (a->status == SAL_OK) {
        a->status = sal_xml_set(xml, name, value, a->err);
    }
    sal_xml_attr *attr = a->status == SAL_OK ? sal_xml_find_attr(xml, name) : NULL;
    if (attr != NULL && attr->value_place.source == NULL) {
        attr->name_place = attr->value_place = xml->place;
    }
}

void mjcf_attach_set_int(mjcf_attach *a, sal_xml *xml, const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    mjcf_attach_set(a, xml, name, text);
}

sal_xml *mjcf_attach_add(mjcf_attach *a, sal_xml *parent, const char *tag)
{
    sal_xml *xml = a->status == SAL_OK ? sal_xml_add(a->r->doc, parent, tag) : NULL;
    if (xml == NULL && a->status == SAL_OK) {
        a->status = sal_fail(a->err, SAL_NOMEM, "out of memory");
    } else if (xml != NULL) {
        xml->place = parent->place;
    }
    return xml;
}

/* ---- the file ---- */

static const sal_xml *model_named(const sal_xml *root, const char *name, const sal_xml **nameless)
{
    *nameless = NULL;
    for (const sal_xml *asset = root->child; asset != NULL; asset = asset->next) {
        for (const sal_xml *xml = asset->child; xml != NULL; xml = xml->next) {
            const bool is_model =
                strcmp(asset->tag, "asset") == 0 && strcmp(xml->tag, "model") == 0;
            const sal_xml_attr *said = is_model ? sal_xml_find_attr(xml, "name") : NULL;
            if (said != NULL && strcmp(said->value, name) == 0) {
                return xml;
            }
            *nameless = is_model && said == NULL && *nameless == NULL ? xml : *nameless;
        }
    }
    return NULL;
}

/* The file that a <model> names, relative to the folder of the model file. */
static void path_of(sal_text *path, const char *model_path, const char *file)
{
    const char *slash = strrchr(model_path, '/');
    if (file[0] != '/' && slash != NULL) {
        sal_text_addn(path, model_path, (size_t)(slash - model_path) + 1);
    }
    sal_text_add(path, file);
}

/* The root of the sub-model, read into `xml`; NULL (reported) if there is none. */
static sal_xml *read_file(mjcf_attach *a, sal_xml *xml, const sal_xml *model, const char *path)
{
    sal_err why = {0};
    const sal_xml_attr *file = sal_xml_find_attr(model, "file");
    const sal_status status = sal_xml_append(a->r->doc, xml, path, a->r->diag, &why);
    if (status == SAL_BADPATH) {
        mjcf_error(a->r, file->value_place,
                   "files of sub-models are relative to the folder of the model", "%s",
                   why.message);
    } else if (status != SAL_OK && status != SAL_BADINPUT) {
        a->status = sal_fail(a->err, status, "%s", why.message);
    }
    sal_xml *root = status == SAL_OK ? xml->last : NULL;
    if (root != NULL && strcmp(root->tag, "robot") == 0) {
        a->status = mjcf_from_urdf(root, path, a->r->spec->mujoco, a->r->diag, a->err);
        return a->status == SAL_OK ? root : NULL;
    }
    if (root != NULL && strcmp(root->tag, "mujoco") != 0) {
        mjcf_error(a->r, root->place, "a sub-model is an MJCF or URDF file",
                   "the root element of a model must be <mujoco> or <robot>, and this file has "
                   "<%.100s>",
                   root->tag);
        root = NULL;
    }
    return root;
}

/* ---- the sub-model on its own ---- */

/* Its copies are made with the settings of its own compiler. */
static void expand_replicates(mjcf_attach *a, sal_xml *root)
{
    mjcf_spec spec;
    mjcf_reader r = {&spec, a->r->diag, a->r->doc};
    const mjcf_rule *rule = mjcf_find_rule(MJCF_IN_ROOT, "compiler");
    spec_init(&spec, false);
    for (sal_xml *xml = root->child; xml != NULL && !spec.nomem; xml = xml->next) {
        if (strcmp(xml->tag, "compiler") == 0 && sal_xml_find_attr(xml, MJCF_PART) == NULL) {
            sal_diag none = {0}; /* who reads the sections reports it */
            mjcf_reader quiet = {&spec, &none, a->r->doc};
            mjcf_read_attrs(&quiet, rule, xml, false, &spec.compiler);
            sal_diag_clear(&none);
        }
    }
    mjcf_expand_replicates(&r, root);
    if (spec.nomem && a->status == SAL_OK) {
        a->status = sal_fail(a->err, SAL_NOMEM, "out of memory");
    }
    spec_free(&spec);
}

/* ---- its place in the model ---- */

static bool is_tree(const sal_xml *xml)
{
    return strcmp(xml->tag, "worldbody") == 0 || strcmp(xml->tag, "body") == 0 ||
           strcmp(xml->tag, "frame") == 0 || strcmp(xml->tag, "replicate") == 0;
}

/* The body or frame that the attribute of that name says */
static sal_xml *find_part(sal_xml *parent, const sal_xml_attr *part)
{
    for (sal_xml *xml = parent->child; xml != NULL; xml = xml->next) {
        const sal_xml_attr *said = sal_xml_find_attr(xml, "name");
        if (strcmp(xml->tag, part->name) == 0 && said != NULL &&
            strcmp(said->value, part->value) == 0) {
            return xml;
        }
        sal_xml *found = is_tree(xml) ? find_part(xml, part) : NULL;
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* What stands around it in the sub-model decides, with its nearest mark, to which part it belongs,
 * and within that part, which class its elements have. */
static void inherit(mjcf_attach *a, sal_xml *frame, const sal_xml *body, const sal_xml *root)
{
    const sal_xml_attr *class = NULL, *part = NULL;
    for (const sal_xml *xml = body->parent; xml != root && part == NULL; xml = xml->parent) {
        class = class == NULL ? sal_xml_find_attr(xml, "childclass") : class;
        part = sal_xml_find_attr(xml, MJCF_PART);
    }
    if (class != NULL) {
        mjcf_attach_set(a, frame, "childclass", class->value);
    }
    if (part != NULL) {
        mjcf_attach_set(a, frame, MJCF_PART, part->value);
    }
}

/* An <inertial> is of the body around the frame, which is not attached. */
static void leave_inertial(mjcf_attach *a, sal_xml *frame, sal_xml *waste)
{
    for (sal_xml *xml = frame->child, *next; xml != NULL; xml = next) {
        next = xml->next;
        if (strcmp(xml->tag, "frame") == 0) {
            leave_inertial(a, xml, waste);
        } else if (strcmp(xml->tag, "inertial") == 0) {
            sal_diag_warning(a->r->diag, xml->place, "attach the body",
                             "<inertial> of an attached frame is left out, as in MuJoCo");
            sal_xml_move(xml, waste);
        }
    }
}

/* The world of a sub-model is a body of its own where its name is said. */
static bool is_world(const sal_xml_attr *part)
{
    return strcmp(part->name, "body") == 0 && strcmp(part->value, "world") == 0;
}

/* A frame with the body or frame in it, as the last child of `xml`; with all of the world where
 * none is named. NULL (reported) if there is none. */
static sal_xml *take_bodies(mjcf_attach *a, sal_xml *xml, sal_xml *root, const attach_said *said)
{
    sal_xml *body = said->part == NULL ? NULL : find_part(root, said->part);
    const bool world = said->part != NULL && body == NULL && is_world(said->part);
    if (said->part != NULL && body == NULL && !world) {
        mjcf_error(a->r, said->part->value_place, NULL,
                   "there is no %s named '%.100s' in the sub-model '%.100s'", said->part->name,
                   said->part->value, said->model);
        return NULL;
    }
    sal_xml *frame = mjcf_attach_add(a, xml, "frame");
    if (frame == NULL || body != NULL) {
        if (frame != NULL) {
            inherit(a, frame, body, root);
            sal_xml_move(body, frame);
        }
        if (frame != NULL && strcmp(body->tag, "frame") == 0) {
            leave_inertial(a, body, xml);
        }
        return frame;
    }
    sal_xml *into = world ? mjcf_attach_add(a, frame, "body") : frame;
    if (world && into != NULL) {
        mjcf_attach_set(a, into, "name", said->part->value);
    }
    for (sal_xml *section = root->child; section != NULL && into != NULL; section = section->next) {
        while (strcmp(section->tag, "worldbody") == 0 && section->child != NULL) {
            sal_xml_move(section->child, into);
        }
    }
    return into == NULL ? NULL : frame;
}

static void mark(mjcf_attach *a, sal_xml *xml, int part)
{
    if (sal_xml_find_attr(xml, MJCF_PART) == NULL) {
        mjcf_attach_set_int(a, xml, MJCF_PART, part);
    }
}

static bool is_own_default(const sal_xml *xml)
{
    return strcmp(xml->tag, "default") == 0 && sal_xml_find_attr(xml, MJCF_PART) == NULL;
}

/* Its compiler and its main class, which a part always has. */
static void complete(mjcf_attach *a, sal_xml *root, const char *path, int part)
{
    const char *slash = strrchr(path, '/');
    sal_text folder = {0};
    sal_text_addn(&folder, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);
    if (folder.failed) {
        a->status = sal_fail(a->err, SAL_NOMEM, "out of memory");
    }
    sal_xml *compiler = mjcf_attach_add(a, root, "compiler");
    if (compiler != NULL) {
        mjcf_attach_set(a, compiler, MJCF_FOLDER, folder.data == NULL ? "" : folder.data);
        mark(a, compiler, part);
    }
    sal_text_clear(&folder);
    bool has_main = false;
    for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        if (is_own_default(xml)) {
            mjcf_check_main_class(a->r, xml);
            has_main = true;
        }
    }
    if (!has_main) {
        mjcf_attach_add(a, root, "default");
    }
    for (sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        if (is_own_default(xml) && sal_xml_find_attr(xml, "class") == NULL) {
            mjcf_attach_set(a, xml, "class", "main");
        }
    }
}

/* Moves its sections behind those of the model. */
static void move_sections(mjcf_attach *a, sal_xml *root, sal_xml *parent, sal_xml *waste, int part)
{
    static const char *const left[] = {"option", "size",      "statistic",
                                       "visual", "worldbody", "extension"};
    for (sal_xml *xml = root->child, *next; xml != NULL && a->status == SAL_OK; xml = next) {
        bool stays = false;
        next = xml->next;
        for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
            stays = stays || strcmp(xml->tag, left[i]) == 0;
        }
        if (stays && !(strcmp(xml->tag, "extension") == 0 && xml->child != NULL)) {
            continue;
        }
        for (sal_xml *item = xml->child, *after; item != NULL; item = after) {
            after = item->next;
            if (strcmp(xml->tag, "asset") == 0 && strcmp(item->tag, "model") == 0) {
                sal_xml_move(item, waste); /* it has done its work */
            }
        }
        mark(a, xml, part);
        sal_xml_move(xml, parent);
    }
}

static void expand_root(mjcf_attach *a, sal_xml *root, const char *path);

/* The sub-model of an <attach>, ready to be moved, or NULL (reported); *path is its file. */
static sal_xml *read_model(mjcf_attach *a, sal_xml *root, sal_xml *xml, const char *path,
                           const attach_said *said, sal_text *file)
{
    const sal_xml *nameless, *model = model_named(root, said->model, &nameless);
    const bool by_file = model == NULL && nameless != NULL;
    model = by_file ? nameless : model;
    const sal_xml_attr *name = model == NULL ? NULL : sal_xml_find_attr(model, "file");
    if (name == NULL) {
        mjcf_error(a->r,
                   model == NULL ? sal_xml_find_attr(xml, "model")->value_place : model->place,
                   "write <asset><model name=\"NAME\" file=\"FILE\"/></asset>",
                   model == NULL ? "there is no sub-model named '%.100s'"
                                 : "the sub-model '%.100s' has no file",
                   said->model);
        return NULL;
    }
    path_of(file, path, name->value);
    sal_xml *child = file->failed ? NULL : read_file(a, xml, model, file->data);
    const sal_xml_attr *own = child == NULL ? NULL : sal_xml_find_attr(child, "model");
    if (child != NULL && by_file && (own == NULL || strcmp(own->value, said->model) != 0)) {
        mjcf_error(a->r, sal_xml_find_attr(xml, "model")->value_place,
                   "give every <model> in <asset> a name", "there is no sub-model named '%.100s'",
                   said->model);
        return NULL;
    }
    return child;
}

/* What an <attach> says; false (reported) if it is not complete. */
static bool read_said(mjcf_attach *a, sal_xml *xml, attach_said *said)
{
    const int before = a->r->diag->nerror;
    const sal_xml_attr *body = sal_xml_find_attr(xml, "body"),
                       *frame = sal_xml_find_attr(xml, "frame");
    char nothing[8];
    *said = (attach_said){.model = sal_xml_get(xml, "model"),
                          .prefix = sal_xml_get(xml, "prefix"),
                          .part = body == NULL ? frame : body};
    if (said->model == NULL || said->prefix == NULL) {
        mjcf_error(a->r, xml->place,
                   "write <attach model=\"NAME\" body=\"NAME\" prefix=\"NAME_\"/>",
                   "<attach> needs the attribute '%s'", said->model == NULL ? "model" : "prefix");
        return false;
    }
    if (body != NULL && frame != NULL) {
        mjcf_error(a->r, frame->name_place, "leave one of them out",
                   "<attach> has both a body and a frame");
    }
    mjcf_read_attrs(a->r, mjcf_find_rule(MJCF_IN_BODY, "attach"), xml, false, nothing);
    return a->r->diag->nerror == before;
}

/* Replaces one <attach> of the model `root`, whose file is `path`, by what it names. */
static void attach(mjcf_attach *a, sal_xml *root, sal_xml *xml, const char *path)
{
    attach_said said;
    sal_text file = {0};
    const int before = a->r->diag->nerror, part = ++a->npart;
    if (!read_said(a, xml, &said)) {
        return;
    }
    if (part > PARTS_MAX || a->depth > DEPTH_MAX) {
        mjcf_error(a->r, xml->place, "does a model attach itself?",
                   "more than %d elements <attach>, or %d levels of them", PARTS_MAX, DEPTH_MAX);
        return;
    }
    sal_xml *child = read_model(a, root, xml, path, &said, &file), *frame = NULL;
    if (child != NULL) {
        expand_root(a, child, file.data);
        mjcf_attach_options(a, root, child);
    }
    if (child != NULL && a->status == SAL_OK && a->r->diag->nerror == before) {
        expand_replicates(a, child);
        mjcf_attach_keys(a, child);
        frame = a->r->diag->nerror == before ? take_bodies(a, xml, child, &said) : NULL;
    }
    if (frame != NULL && a->status == SAL_OK) {
        mark(a, frame, part);
        complete(a, child, file.data, part);
        mjcf_attach_names(a, child, said.prefix, frame, xml);
        move_sections(a, child, root, xml, part);
        sal_xml *holder = mjcf_attach_add(a, xml, "holder");
        if (holder != NULL) {
            sal_xml_move(frame, holder);
            sal_xml_replace(xml, holder);
        }
    }
    sal_text_clear(&file);
}

/* ---- all of them ---- */

static void expand_below(mjcf_attach *a, sal_xml *root, sal_xml *parent, const char *path)
{
    for (sal_xml *xml = parent->child, *next; xml != NULL && a->status == SAL_OK; xml = next) {
        next = xml->next;
        if (strcmp(xml->tag, "attach") == 0) {
            attach(a, root, xml, path);
        } else if (is_tree(xml)) {
            expand_below(a, root, xml, path);
        }
    }
}

static void refuse_marks(mjcf_attach *a, const sal_xml *xml)
{
    for (int i = 0; i < xml->nattr; i++) {
        if (strncmp(xml->attr[i].name, MJCF_MARK, strlen(MJCF_MARK)) == 0) {
            mjcf_error(a->r, xml->attr[i].name_place, NULL,
                       "unknown attribute '%.100s' in <%.100s>", xml->attr[i].name, xml->tag);
        }
    }
    for (const sal_xml *child = xml->child; child != NULL; child = child->next) {
        refuse_marks(a, child);
    }
}

static void expand_root(mjcf_attach *a, sal_xml *root, const char *path)
{
    const int before = a->r->diag->nerror;
    a->depth++;
    refuse_marks(a, root);
    if (a->status == SAL_OK && a->depth > 1) {
        a->status = mjcf_include_all(a->r, root, path, a->err);
    }
    for (sal_xml *xml = root->child; xml != NULL && a->r->diag->nerror == before; xml = xml->next) {
        if (is_tree(xml)) {
            expand_below(a, root, xml, path);
        }
    }
    a->depth--;
}

sal_status mjcf_expand_attaches(mjcf_reader *r, sal_xml *root, const char *path, sal_err *err)
{
    mjcf_attach a = {.r = r, .err = err, .status = SAL_OK};
    expand_root(&a, root, path);
    return a.status;
}
