/* reader.h: private to problems. How a problem file becomes a sal_problem, part by part. A reader
 * goes on after a fault, so that all faults are reported at once; memory that ran out is remembered
 * in `nomem`.
 */
#ifndef SAL_PROBLEMS_LANGUAGE_READER_H
#define SAL_PROBLEMS_LANGUAGE_READER_H

#include "problems/language/grammar.h"
#include "problems/problem.h"

typedef struct prb_reader {
    sal_problem *p;
    sal_xml_doc doc;
    /* the problem file, among the sources of doc */
    const sal_source *file;
    /* of init/result, where that is an option; NULL */
    const char *start_folder;
    /* of a mirrored cycle whose model is not quite its own mirror image: the averaged one, and
     * which object is whose image; else NULL */
    sal_model *symmetric;
    sal_twins *twins;
    /* a problem is read again: its first guess is given otherwise */
    bool again;
    /* where its model lies then; NULL: where the problem says */
    const char *model_path;
    /* a model that need not be read once more; NULL */
    struct prb_known_model *known;
    sal_diag *diag;
    bool nomem;
} prb_reader;

/* ---- reader.c: names in lists, and what they name ---- */

enum { PRB_WORD_MAX = 256 };

/* One word of an attribute's list, with its place. */
typedef struct prb_word {
    const sal_xml_attr *attr;
    /* of the word in the attribute's value */
    size_t end;
    char text[PRB_WORD_MAX];
    sal_place place;
} prb_word;

/* The next word of word->attr; false at the end. Begin with {.attr = a}. A word that is too long is
 * reported and skipped. */
bool prb_reader_word(prb_reader *r, prb_word *word);
/* The whole value as one name, which may contain blanks; false if there is no such attribute, or it
 * is too long. */
bool prb_reader_whole(prb_reader *r, prb_word *word, const sal_xml *element, const char *name);
int prb_reader_count_words(const sal_xml_attr *attr);
/* The object of that name, or -1 after an error with a suggestion. `other` (SAL_OBJ_NONE: none) is
 * looked up second; *second says that it was found there. */
int prb_reader_find(prb_reader *r, sal_object type, sal_object other, const prb_word *word,
                    bool *second);
/* The point that the word names (GEOM+, GEOM-, GEOM or a site) as an index into p->point, added if
 * it is new; -1 after an error. */
int prb_reader_point(prb_reader *r, const prb_word *word);
/* Adds a point. The geom it belongs to, or -1 - its body. -1: out of memory. The same name twice is
 * one point. */
int prb_reader_add_point(prb_reader *r, const char *name, sal_point point, int geom);
/* True if the geom belongs to a body that moves; else an error. */
bool prb_reader_moves(prb_reader *r, int body, const prb_word *word);

/* The most points that bodies add to a problem. */
int prb_reader_most_points(const prb_reader *r);

/* Attributes `norm` and `p` of an element <tag>; an error or a warning where they do not go
 * together. */
void prb_reader_norm(prb_reader *r, const char *tag, const sal_xml *element, sal_norm *norm);

/* A zeroed block, or NULL and nomem. */
void *prb_reader_alloc(prb_reader *r, size_t count, size_t size);
char *prb_reader_copy(prb_reader *r, const char *text);

/* What the root, <tag>, is named, else its file: the name of a folder. */
char *prb_reader_folder_name(prb_reader *r, const char *tag, const char *path);

/* ---- places ---- */

/* Of the attribute's value; of the element if it is not given. */
sal_place prb_reader_place(const sal_xml *element, const char *name);
/* The element's name in the file, NULL if it is absent: tag is one that occurs at most once. */
const sal_xml *prb_reader_element(const prb_reader *r, const char *tag);

/* The error that an element has the name of another of its kind. */
void prb_reader_named_twice(prb_reader *r, const sal_xml *element, const char *name);

/* The path that an attribute names: relative to the problem file, from the command line to the
 * current folder; to be freed. NULL without memory or attribute. */
char *prb_reader_file(prb_reader *r, const sal_xml *element, const char *name);

/* `file` as seen from the folder of the file `base`; to be freed. */
char *prb_reader_beside(prb_reader *r, const char *base, const char *file);
/* The element of a problem file that a path of a setting names; NULL: it is the model's. */
const prb_rules *prb_reader_kind(const char *path);
/* The model's file with sensors and overrides, its numbers to be made loose. */
sal_status prb_reader_remodel(prb_reader *r, sal_remodel **remodel, sal_err *err);
/* The digest of a model's file and all that it includes. */
sal_status prb_model_digest(const char *path, char hex[65], sal_err *err);

struct prb_states;
/* The states of the table (name "file") or the result that an attribute names; pose: of the joints
 * that a table lacks (NULL: home). False after an error. */
bool prb_reader_states(prb_reader *r, struct prb_states *s, const double *pose,
                       const sal_xml *element, const char *name);
/* The result that an attribute names, or NULL after an error. */
sal_result *prb_reader_result(prb_reader *r, const sal_xml *element, const char *name);

/* ---- problem.c: a whole file ---- */

/* Opens the file and reads what every problem has: its text with the settings, its name, its model.
 * False: nothing more can be read; *status says why, or SAL_OK where diag does. options may be
 * NULL. */
bool prb_read_head(prb_reader *r, const char *path, const sal_problem_options *options,
                   sal_status *status, sal_err *err);
/* Whether the file asks for an identification: it has <estimate>. */
bool prb_reader_identifies(const prb_reader *r);
/* All that says what a motion is to be. */
void prb_read_motion(prb_reader *r);
/* Closes the file. What the reading came to, given the status so far; r->p is then the caller's. */
sal_status prb_read_end(prb_reader *r, const char *path, sal_status status, sal_err *err);

/* ---- the parts; each reads what stands in its element into r->p. p->model may be NULL: names are
 * then not looked up ---- */

sal_status prb_read_settings(prb_reader *r, const sal_problem_options *options);
/* SAL_BADPATH only if the model's path came with a setting. */
sal_status prb_read_model(prb_reader *r, const sal_problem_options *options, sal_err *err);
void prb_read_time(prb_reader *r);
void prb_read_boundary(prb_reader *r);
/* What the elements <tag> of an open motion pin (endpoint.c). */
void prb_read_endpoint(prb_reader *r, const char *tag, prb_endpoint *e);
void prb_endpoint_clear(prb_endpoint *e);
void prb_read_cost(prb_reader *r); /* and the constraints */
/* What is required of the motion that is found (require.c). */
void prb_read_require(prb_reader *r);
/* How a term is measured: norm, weight, per (measure.c). */
void prb_read_measure(prb_reader *r, const sal_xml *element, prb_term *term);
void prb_read_init(prb_reader *r);
/* After all parts: where r->symmetric is there, what was read becomes r->p->half, and r->p the
 * problem of the whole cycle (whole_cycle.c). */
void prb_read_whole_cycle(prb_reader *r);
void prb_read_solver(prb_reader *r);
/* Of <solver> what identifications have, too: contactmodel, kappa, reach. */
void prb_read_contact_model(prb_reader *r);
void prb_read_data(prb_reader *r);

/* What a <term> or <constraint> is about; its parts: target, and instants. Needs model, time and
 * boundary. */
void prb_read_feature(prb_reader *r, const sal_xml *element, prb_feature *f);
/* The same of an <input>: a quantity and its objects alone. */
void prb_read_input(prb_reader *r, const sal_xml *element, prb_feature *f);
/* The functions of the program and their inputs (function.c). Room for points is there. */
void prb_read_functions(prb_reader *r);
void prb_read_target(prb_reader *r, const sal_xml *element, prb_feature *f);
void prb_read_when(prb_reader *r, const sal_xml *element, prb_feature *f);
/* What holds at every instant, where nothing else is said, does so at the end of an open motion,
 * too (a mean is that of the steps). */
void prb_read_always(prb_reader *r, prb_feature *f);
void prb_feature_clear(prb_feature *f);

/* nq numbers of attribute `name` into a new array, quaternions normalised; NULL after an error, or
 * without a model. */
double *prb_read_qpos(prb_reader *r, const char *tag, const sal_xml *element, const char *name);

#endif
