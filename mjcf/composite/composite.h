/* composite.h: bodies that <composite> stands for; private to mjcf/ */
#ifndef SAL_MJCF_COMPOSITE_H
#define SAL_MJCF_COMPOSITE_H

#include "mjcf/compile.h"
#include "mjcf/composite/said.h"
#include "mjcf/reader.h"

typedef struct mjcf_composite {
    mjcf_reader *r;
    sal_xml *xml;
    spec_comp_said said;
    int count[3];
    /* how many of these are more than one */
    int dim;
    spec_geom geom;
    spec_site site;
    spec_comp_joint joint[SPEC_COMP_NKIND];
    spec_comp_tendon tendon[SPEC_COMP_NKIND];
    /* is there such a joint, a tendon? */
    bool has[SPEC_COMP_NKIND];
    /* pairs of numbers of bodies that stay where they are */
    double *pin;
    int npin;
    /* where it stands */
    spec_body *body;
    const spec_frame *frame;
} mjcf_composite;

/* A name from the prefix and what follows; "" without memory. */
const char *mjcf_composite_name(mjcf_composite *c, const char *format, ...) SAL_PRINTF(2, 3);
const char *mjcf_composite_joined(mjcf_composite *c, const char *head, const char *tail);
/* A body in `parent`, and what stands in it. */
spec_body *mjcf_composite_body(mjcf_composite *c, spec_body *parent, const char *name);
spec_geom *mjcf_composite_geom(mjcf_composite *c, spec_body *body, const char *name);
spec_site *mjcf_composite_site(mjcf_composite *c, spec_body *body, const char *name);
spec_joint *mjcf_composite_joint(mjcf_composite *c, spec_body *body, spec_comp_kind kind, int type,
                                 const char *name);
/* A constraint that holds the joint or tendon of that name. */
void mjcf_composite_hold(mjcf_composite *c, int type, const char *name, const double solref[2],
                         const double solimp[5]);
void mjcf_composite_exclude(mjcf_composite *c, const char *body1, const char *body2);

/* The bodies of each type; faults are reported. */
void mjcf_composite_cable(mjcf_composite *c);
void mjcf_composite_old(mjcf_composite *c);
void mjcf_composite_solid(mjcf_composite *c);

#endif
