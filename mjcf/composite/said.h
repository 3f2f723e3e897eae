/* said.h: what <composite> and the elements in it say; private to mjcf/ */
#ifndef SAL_MJCF_COMPOSITE_SAID_H
#define SAL_MJCF_COMPOSITE_SAID_H

#include "mjcf/spec.h"

typedef enum spec_comp_type {
    SPEC_COMP_NONE,
    SPEC_COMP_PARTICLE,
    SPEC_COMP_GRID,
    SPEC_COMP_ROPE,
    SPEC_COMP_LOOP,
    SPEC_COMP_CLOTH,
    SPEC_COMP_BOX,
    SPEC_COMP_CYLINDER,
    SPEC_COMP_ELLIPSOID,
    SPEC_COMP_CABLE
} spec_comp_type;

/* What the elements in it speak of. */
typedef enum spec_comp_kind {
    SPEC_COMP_MAIN,
    SPEC_COMP_TWIST,
    SPEC_COMP_STRETCH,
    SPEC_COMP_SHEAR,
    SPEC_COMP_NKIND
} spec_comp_kind;

/* <composite> */
typedef struct spec_comp_said {
    int type;
    const char *prefix;
    double count[3];
    double spacing;
    double offset[3];
    double flatinertia;
    double solref_smooth[2], solimp_smooth[5];
    /* of cables */
    const char *initial, *curve;
    sal_xml_attr *vertex;
    double size[3];
    double quat[4];
} spec_comp_said;

/* <joint> and <tendon> in it, with the equality constraint that holds each at rest. */
typedef struct spec_comp_joint {
    int kind;
    spec_joint joint;
    double solref_fix[2], solimp_fix[5];
} spec_comp_joint;

typedef struct spec_comp_tendon {
    int kind;
    spec_tendon tendon;
    double solref_fix[2], solimp_fix[5];
} spec_comp_tendon;

#endif
