/* remodel.h: private to mjcf/ A model file held in memory, some of its numbers loose: see remodel.c. */
#ifndef SAL_MJCF_REMODEL_H
#define SAL_MJCF_REMODEL_H

#include "mjcf/reader.h"

typedef struct mjcf_loose {
    char *path;
    sal_loose_kind kind;
    sal_xml *xml;          /* of an actuator, else NULL */
    const mjcf_rule *rule; /* of a SAL_LOOSE_NUMBERS */
    const mjcf_attr *attr;
    void **record; /* [nrecord]: several where it stands in a <replicate> */
    int nrecord;   /* 0 of an attribute: it is in no record, the text is read again */
    int set;       /* index of the body's, else -1 */
    int n, said;   /* numbers there are; as many as the file says, or must */
    int ngiven;    /* the first ones, which are written */
    double *value; /* [2 n]: now, nominal */
    bool alike;    /* one number may stand for all */
} mjcf_loose;

typedef struct mjcf_body_set {
    spec_body *body;
    spec_body_set *said;
} mjcf_body_set;

struct sal_remodel {
    char *name;
    bool compat222;
    sal_text flat;
    sal_xml_doc plain; /* as it stands there, for paths */
    sal_xml_doc
        doc; /* what the spec was read from: copies of <replicate> are at the place of the original */
    sal_diag diag;
    mjcf_spec spec;
    mjcf_reader reader;
    spec_memory raw;    /* after reading */
    spec_memory memory; /* to compile from: the same, with meshes made unless they are loose */
    sal_model *nominal;
    mjcf_loose *loose;
    int nloose, found; /* found: the last one that was asked for */
    mjcf_body_set *set;
    int nset;
};

/* Reads r->flat into the spec and remembers it. */
sal_status mjcf_remodel_read(sal_remodel *r, sal_err *err);
/* From now on meshes are compiled anew. */
void mjcf_remodel_free_meshes(sal_remodel *r);

#endif
