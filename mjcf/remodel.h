/* remodel.h: private to mjcf/ A model file held in memory, some of its numbers loose: see
 * remodel.c. */
#ifndef SAL_MJCF_REMODEL_H
#define SAL_MJCF_REMODEL_H

#include "mjcf/reader.h"

typedef struct mjcf_loose {
    char *path;
    sal_loose_kind kind;
    /* of an actuator, else NULL */
    sal_xml *xml;
    /* of a SAL_LOOSE_NUMBERS */
    const mjcf_rule *rule;
    const mjcf_attr *attr;
    /* [nrecord]: several where it stands in a <replicate> */
    void **record;
    /* 0 of an attribute: it is in no record, the text is read again */
    int nrecord;
    /* index of the body's, else -1 */
    int set;
    /* numbers there are; as many as the file says, or must */
    int n, said;
    /* the first ones, which are written */
    int ngiven;
    /* [2 n]: now, nominal */
    double *value;
    /* one number may stand for all */
    bool alike;
} mjcf_loose;

typedef struct mjcf_body_set {
    spec_body *body;
    spec_body_set *said;
} mjcf_body_set;

struct sal_remodel {
    char *name;
    sal_mujoco mujoco;
    sal_text flat;
    /* as it stands there, for paths */
    sal_xml_doc plain;
    /* what the spec was read from: copies of <replicate> are at the place of the original */
    sal_xml_doc doc;
    sal_diag diag;
    mjcf_spec spec;
    mjcf_reader reader;
    /* after reading */
    spec_memory raw;
    /* to compile from: the same, with meshes made unless they are loose */
    spec_memory memory;
    sal_model *nominal;
    mjcf_loose *loose;
    /* found: the last one that was asked for */
    int nloose, found;
    mjcf_body_set *set;
    int nset;
};

/* Reads r->flat into the spec and remembers it. */
sal_status mjcf_remodel_read(sal_remodel *r, sal_err *err);
/* From now on meshes are compiled anew. */
void mjcf_remodel_free_meshes(sal_remodel *r);

#endif
