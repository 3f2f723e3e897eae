/* attach.h: a sub-model in a model, before either is read; private to mjcf/
 *
 * <attach> is replaced by the elements of the sub-model, all names prefixed. What belongs to sub-
 * model number k (from 1) is marked: the sections of its file, and the topmost of its elements
 * among the bodies, have the attribute MJCF_PART="k". Its <compiler> and its default classes come
 * along so marked. The marks are attributes, so that they outlive writing a document as text. */
#ifndef SAL_MJCF_ATTACH_H
#define SAL_MJCF_ATTACH_H

#include "mjcf/reader.h"

/* No attribute in a file may begin so. */
#define MJCF_MARK   "saltus-"
#define MJCF_PART   MJCF_MARK "part"
/* of a <compiler>: the folder that its files are relative to, with its slash */
#define MJCF_FOLDER MJCF_MARK "folder"
/* of a joint, an actuator, a mocap body: a number of its own, by which keyframes find it */
#define MJCF_ID     MJCF_MARK "id"
/* of a <composite> in copies: what the names of its bodies end with */
#define MJCF_SUFFIX MJCF_MARK "suffix"

typedef struct mjcf_attach {
    mjcf_reader *r;
    sal_err *err;
    /* of memory and the like; faults of files go to r->diag */
    sal_status status;
    /* sub-models, elements that keyframes know */
    int npart, nid;
    int depth;
} mjcf_attach;

/* A new last child of `parent`, with its place; NULL, with `status`: no memory. */
sal_xml *mjcf_attach_add(mjcf_attach *a, sal_xml *parent, const char *tag);
/* Sets an attribute; places are those of the element. */
void mjcf_attach_set(mjcf_attach *a, sal_xml *xml, const char *name, const char *value);
void mjcf_attach_set_int(mjcf_attach *a, sal_xml *xml, const char *name, int value);

/* Puts the prefix before all names in the model `root`, and takes those elements of its lists away
 * that need what is not in `kept`, taken out of it. They go into `waste`. */
void mjcf_attach_names(mjcf_attach *a, sal_xml *root, const char *prefix, sal_xml *kept,
                       sal_xml *waste);
/* <option> of the sub-model `root` beside that of the model `parent`. */
void mjcf_attach_options(mjcf_attach *a, sal_xml *parent, const sal_xml *root);
/* The numbers of the keyframes of the model `root`, each with the element that it belongs to. */
void mjcf_attach_keys(mjcf_attach *a, sal_xml *root);

#endif
