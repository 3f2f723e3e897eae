/* reader.h: reading MJCF into a spec; private to mjcf/
 *
 * One table (language/grammar.c) says which element may stand where, which attributes it has, of
 * which kind, and where in a record of the spec each one goes. Reading an element is then: find
 * its rule, let the table fill the record.
 */
#ifndef SAL_MJCF_READER_H
#define SAL_MJCF_READER_H

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "mjcf/spec.h"

typedef enum mjcf_kind {
    MJCF_NAME,    /* const char *: the string */
    MJCF_ATTR,    /* sal_xml_attr *: the attribute itself, numbers checked later */
    MJCF_REALS,   /* double[lo..hi] */
    MJCF_INT,     /* int */
    MJCF_INTS,    /* int[lo] */
    MJCF_WORD,    /* int, from the words */
    MJCF_STRING,  /* const char *, one of the words */
    MJCF_NUMBERS, /* checked to be numbers, not kept */
    MJCF_COUNT,   /* int: how many numbers there are */
    MJCF_SKIP,    /* without influence on the motion */
    MJCF_ZERO,    /* numbers that must all be zero, because anything else is not supported */
    MJCF_NEVER    /* not supported */
} mjcf_kind;

enum {
    MJCF_INF = 1,                   /* infinity is meaningful */
    MJCF_HERE = 2,                  /* not in a <default> */
    MJCF_MUST = 4,                  /* required */
    MJCF_POSITIVE = 8,              /* > 0 */
    MJCF_NONNEG = 16,               /* >= 0 */
    MJCF_FLOOR = 256 | MJCF_NONNEG, /* read if it is negative, too, and means 0 then */
    MJCF_SOLREF = 64, /* a reference: (time constant, damping ratio) or (-stiffness, -damping) */
    MJCF_MORE = 32,   /* 2.2.2 reads only lo of lo..hi numbers */
    MJCF_ALL = 128    /* 2.2.2 needs all hi of them */
};

typedef struct mjcf_word {
    const char *word;
    /* SPEC_OTHER: not supported */
    int value;
} mjcf_word;

typedef struct mjcf_attr {
    const char *name;
    mjcf_kind kind;
    /* numbers: exactly lo, or lo..hi with the rest unchanged */
    int lo, hi;
    size_t offset;
    /* ends with a NULL word */
    const mjcf_word *words;
    int flags;
} mjcf_attr;

/* Parents, as bits. */
enum {
    MJCF_IN_ROOT = 1 << 0,
    MJCF_IN_COMPILER = 1 << 1,
    MJCF_IN_OPTION = 1 << 2,
    MJCF_IN_DEFAULT = 1 << 3,
    MJCF_IN_CUSTOM = 1 << 4,
    MJCF_IN_TUPLE = 1 << 5,
    MJCF_IN_ASSET = 1 << 6,
    MJCF_IN_WORLD = 1 << 7,
    MJCF_IN_BODY = 1 << 8,
    MJCF_IN_CONTACT = 1 << 9,
    MJCF_IN_ACTUATOR = 1 << 10,
    MJCF_IN_SENSOR = 1 << 11,
    MJCF_IN_KEYFRAME = 1 << 12,
    MJCF_IN_EQUALITY = 1 << 13,
    MJCF_IN_TENDON = 1 << 14,
    MJCF_IN_FIXED = 1 << 15,
    MJCF_IN_SPATIAL = 1 << 16,
    MJCF_IN_COMPOSITE = 1 << 17,
    MJCF_IN_DEFORMABLE = 1 << 18,
    MJCF_IN_NOTHING = 0
};

typedef enum mjcf_element {
    MJCF_EL_COMPILER,
    MJCF_EL_LENGTHRANGE,
    MJCF_EL_OPTION,
    MJCF_EL_FLAG,
    MJCF_EL_SIZE,
    MJCF_EL_STATISTIC,
    MJCF_EL_DEFAULT,
    MJCF_EL_CUSTOM,
    MJCF_EL_NUMERIC,
    MJCF_EL_TEXT,
    MJCF_EL_TUPLE,
    MJCF_EL_ELEMENT,
    MJCF_EL_ASSET,
    MJCF_EL_MATERIAL,
    MJCF_EL_MESH,
    MJCF_EL_HFIELD,
    MJCF_EL_WORLDBODY,
    MJCF_EL_BODY,
    MJCF_EL_FRAME,
    MJCF_EL_REPLICATE,
    MJCF_EL_ATTACH,
    MJCF_EL_COMPOSITE,
    MJCF_EL_COMP_JOINT,
    MJCF_EL_COMP_TENDON,
    MJCF_EL_COMP_GEOM,
    MJCF_EL_COMP_SITE,
    MJCF_EL_COMP_SKIN,
    MJCF_EL_COMP_PIN,
    MJCF_EL_MODEL,
    MJCF_EL_INERTIAL,
    MJCF_EL_JOINT,
    MJCF_EL_FREEJOINT,
    MJCF_EL_GEOM,
    MJCF_EL_SITE,
    MJCF_EL_CAMERA,
    MJCF_EL_CONTACT,
    MJCF_EL_PAIR,
    MJCF_EL_EXCLUDE,
    MJCF_EL_EQUALITY,
    MJCF_EL_CONNECT,
    MJCF_EL_WELD,
    MJCF_EL_EQ_JOINT,
    MJCF_EL_EQ_TENDON,
    MJCF_EL_EQ_DEFAULT,
    MJCF_EL_TENDON,
    MJCF_EL_FIXED,
    MJCF_EL_SPATIAL,
    MJCF_EL_TENDON_DEFAULT,
    MJCF_EL_WRAP_JOINT,
    MJCF_EL_WRAP_SITE,
    MJCF_EL_WRAP_GEOM,
    MJCF_EL_WRAP_PULLEY,
    MJCF_EL_ACTUATOR,
    MJCF_EL_GENERAL,
    MJCF_EL_MOTOR,
    MJCF_EL_POSITION,
    MJCF_EL_VELOCITY,
    MJCF_EL_INTVELOCITY,
    MJCF_EL_DAMPER,
    MJCF_EL_CYLINDER,
    MJCF_EL_MUSCLE,
    MJCF_EL_ADHESION,
    MJCF_EL_DCMOTOR,
    MJCF_EL_PID,
    MJCF_EL_ORIENTATION,
    MJCF_EL_SENSOR,
    MJCF_EL_A_SENSOR,
    MJCF_EL_KEYFRAME,
    MJCF_EL_KEY,
    MJCF_EL_SKIP, /* rendering only */
    MJCF_EL_DEFORMABLE,
    MJCF_EL_REFUSE /* not supported */
} mjcf_element;

typedef struct mjcf_rule {
    const char *tag;
    mjcf_element element;
    /* where it may stand; which bit its children see */
    int parents, inside;
    const mjcf_attr *attr;
} mjcf_rule;

typedef struct mjcf_reader {
    mjcf_spec *spec;
    sal_diag *diag;
    sal_xml_doc *doc;
} mjcf_reader;

/* The whole table. */
const mjcf_rule *mjcf_rules(size_t *n);
/* The rule of an element below a parent, or NULL. */
const mjcf_rule *mjcf_find_rule(int parent, const char *tag);
/* The rule of an element that is to be read. NULL if it is unknown or not supported (reported), or
 * only for rendering. */
const mjcf_rule *mjcf_rule_of(mjcf_reader *r, const sal_xml *xml, int parent);
/* All tags that may stand below a parent, for suggestions; at most n. */
size_t mjcf_tags(int parent, const char **tags, size_t n);

/* Fills a record from the element's attributes: reports unknown ones, bad values and missing
 * ones. */
void mjcf_read_attrs(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                     void *record);
/* Reads exactly or at most n numbers of an attribute; reports and returns -1 if it cannot, else how
 * many there were. */
int mjcf_read_numbers(sal_diag *diag, const sal_xml_attr *attr, double *value, int lo, int hi,
                      int flags);
/* Warns of a setting that has an effect in MuJoCo and none in saltus. */
void mjcf_warn_of_idle(mjcf_reader *r, const char *tag, const sal_xml_attr *attr);
void mjcf_error(mjcf_reader *r, sal_place place, const char *help, const char *format, ...)
    SAL_PRINTF(4, 5);
/* "did you mean 'X'?" in out, X being the nearest of the known words; NULL if none is near. */
/* Reports an element that is not supported, a plugin with its name, and what comes nearest. */
void mjcf_refuse(mjcf_reader *r, const sal_xml *xml);
/* What to write instead of a keyword that is not supported; NULL: not known. */
const char *mjcf_help_for_word(const char *word);
const char *mjcf_suggestion(const mjcf_reader *r, char out[128], const char *word,
                            const char *const *known, size_t n);

/* Whether the list of words, separated by spaces, has this one. */
bool mjcf_lists(const char *list, const char *word);
/* Whether the model is read as MuJoCo 2.2.2 reads it, and that does not know this element (attr
 * NULL) below these parents, its attribute (word NULL) or value; *version that added it (NULL: not
 * known). */
bool mjcf_is_younger(const mjcf_reader *r, const char *tag, int parents, const char *attr,
                     const char *word, const char **version);
/* Reports `what`, "the element <frame>". */
void mjcf_refuse_younger(mjcf_reader *r, sal_place place, const char *version, const char *what);

/* An element that is only drawn: its attributes, and the elements it may hold, as words. */
typedef struct mjcf_drawn {
    const char *tag, *attrs, *children;
} mjcf_drawn;
/* The table of these. */
const mjcf_drawn *mjcf_drawn_rules(size_t *n);
/* Reports unknown names in an element that is for rendering only. */
void mjcf_check_drawn(mjcf_reader *r, const sal_xml *xml);

/* Sections. */
/* An error where the outermost <default> has another name than 'main', which only 2.2.2 reads. */
void mjcf_check_main_class(mjcf_reader *r, const sal_xml *xml);
void mjcf_read_default(mjcf_reader *r, sal_xml *xml, const mjcf_rule *rule, spec_class *parent);
/* Every <replicate> becomes frames, one a copy; what refers to its content is copied, too. The
 * compiler's settings must be known. */
void mjcf_expand_replicates(mjcf_reader *r, sal_xml *root);
/* The kind of object that an element of this tag is, or that an attribute names; SAL_OBJ_NONE if
 * none that copies and sub-models rename. */
int mjcf_object_type(const char *tag);
int mjcf_reference_type(const sal_xml *xml, const char *attr);
/* In lists of names, the kind of a <composite>. */
enum { MJCF_COMPOSITE = -1 };
/* Whether the <composite> (a cable) makes an object of that kind and name. */
bool mjcf_composite_makes(const sal_xml *xml, int type, const char *name);
/* Replaces every <include> below the root of a model whose file is `path`. */
sal_status mjcf_include_all(mjcf_reader *r, sal_xml *root, const char *path, sal_err *err);
/* Every <attach> becomes the elements of the sub-model it names (attach/attach.c). */
sal_status mjcf_expand_attaches(mjcf_reader *r, sal_xml *root, const char *path, sal_err *err);
/* Starts the list of sub-models. */
void mjcf_find_parts(mjcf_reader *r, const sal_xml *root);
/* The number that a mark says. */
int mjcf_mark_number(const sal_xml_attr *attr);
/* A file's name without its folder and its extension: where it begins, and its length. */
const char *mjcf_stem(const char *file, size_t *n);
void mjcf_read_custom(mjcf_reader *r, sal_xml *xml);
/* Reports user data that is longer than <size> says. */
void mjcf_check_users(mjcf_reader *r, const sal_xml *root);
void mjcf_read_world(mjcf_reader *r, sal_xml *xml);
/* The bodies that a <composite> in `body` and `frame` (NULL: none) stands for. */
void mjcf_read_composite(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, spec_body *body,
                         const spec_frame *frame);
void mjcf_read_mesh(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml);
void mjcf_read_hfield(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml);
void mjcf_read_contact(mjcf_reader *r, sal_xml *xml);
void mjcf_read_equalities(mjcf_reader *r, sal_xml *xml);
void mjcf_read_tendons(mjcf_reader *r, sal_xml *xml);
void mjcf_read_actuators(mjcf_reader *r, sal_xml *xml);
void mjcf_read_sensors(mjcf_reader *r, sal_xml *xml);
void mjcf_read_keys(mjcf_reader *r, sal_xml *xml);

/* Warns of what hurts optimization: kinks in forces, poses that begin with contact, next to no
 * inertia. */
sal_status mjcf_advise(const mjcf_spec *spec, const sal_model *m, sal_diag *diag, sal_err *err);

/* The class that an element names in its attribute, else `otherwise` (NULL: the main class).
 * Reports an unknown one. */
const spec_class *mjcf_class_of(mjcf_reader *r, const sal_xml *xml, const spec_class *otherwise);
const spec_class *mjcf_find_class(const mjcf_spec *spec, const char *name);

/* Fills a tendon from an element of its kind; in a class and in <tendon> alike. */
void mjcf_read_tendon(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                      spec_tendon *tendon);

/* Fills an actuator from an element of its kind; in a class and in <actuator> alike. */
void mjcf_read_actuator(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                        spec_actuator *actuator);
/* The gains and biases that its shortcuts mean; again, where one of these has changed. */
void mjcf_imply_actuator(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, bool in_default,
                         spec_actuator *actuator);
/* What a <dcmotor> means as a <general>; a class keeps its numbers only. actuator/read_dcmotor.c */
void mjcf_imply_dcmotor(mjcf_reader *r, const sal_xml *xml, bool in_default,
                        spec_actuator *actuator);
/* The actuators of its inputs after the first. */
void mjcf_read_dcmotor_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first);
/* Whether a sensor shows the force of an actuator of several inputs, which then is one of them.
 * actuator/read_pid.c */
bool mjcf_is_watched(const sal_xml *actuator);
/* What an input of a <pid> means as a <general>; a class keeps its numbers only. Those after the
 * first become actuators of their own, which read_pid_parts adds. actuator/read_pid.c */
void mjcf_imply_pid(mjcf_reader *r, const sal_xml *xml, bool in_default, spec_actuator *actuator);
void mjcf_read_pid_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first);
/* The same of an <orientation>, three actuators. actuator/read_orientation.c */
void mjcf_imply_orientation(mjcf_reader *r, const sal_xml *xml, bool in_default,
                            spec_actuator *actuator);
void mjcf_read_orientation_parts(mjcf_reader *r, const sal_xml *xml, const spec_actuator *first);
/* Which of these words a text names, one after the other in their order, and how many; -1 if it is
 * no such list. */
int mjcf_parse_inputs(const char *text, const char *const *word, int nword, int *input);
/* A further actuator of the element whose first is given: a copy of it, named NAME.part where that
 * has a name. NULL (and spec->nomem) without memory. actuator/read_pid.c */
spec_actuator *mjcf_add_part(mjcf_reader *r, const spec_actuator *first, const char *part);
/* The place of an attribute, or of the element where it came from a class. */
sal_place mjcf_place_of(const sal_xml *xml, const char *name);

/* Whether this is the root of a model's file, MJCF or URDF. */
bool mjcf_is_model(const sal_xml *root);
/* Makes MJCF of the <robot> of a URDF of that path; faults go to diag (urdf/urdf.c). */
sal_status mjcf_from_urdf(sal_xml *root, const char *path, sal_mujoco mujoco, sal_diag *diag,
                          sal_err *err);

/* The way of a file into a spec: its includes and the settings of o, the spec of such a document
 * (spec->root set if that is a model's). */
sal_status mjcf_join(mjcf_reader *r, const char *path, const sal_load_options *o, sal_err *err);
sal_status mjcf_read_spec(mjcf_reader *r, const char *path, sal_mujoco mujoco, sal_err *err);

#endif
