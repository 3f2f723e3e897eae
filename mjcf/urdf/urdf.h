/* urdf.h: a URDF file becomes an MJCF document, which is then read as any other; private to
 * mjcf/urdf/
 *
 *     <link>                    <body>; its <inertial>, <collision>, <visual>: <inertial>, <geom>
 *     <joint type="revolute">   <joint> of the body of its child, whose frame is the joint's origin
 *
 * Every element and attribute that is made stands where the URDF says it, for messages. Meanings
 * are those of MuJoCo 3.14, measured.
 */
#ifndef SAL_MJCF_URDF_H
#define SAL_MJCF_URDF_H

#include "base/house.h"
#include "mjcf/reader.h"
#include "mjcf/spec.h"

typedef struct mjcf_urdf_link {
    sal_xml *xml;
    const char *name;
    /* that it is the child of; NULL: none */
    sal_xml *joint;
    struct mjcf_urdf_link *parent;
    /* mjcf_urdf_link, in the order of their joints */
    spec_list child;
    /* made: its <body>, or <worldbody> */
    sal_xml *body;
    int depth;
} mjcf_urdf_link;

/* A mesh: URDF has only file names */
typedef struct mjcf_urdf_mesh {
    char name[256];
    const char *file;
    double scale[3];
    /* of the next of the same file */
    struct mjcf_urdf_mesh *next;
} mjcf_urdf_mesh;

typedef struct mjcf_urdf {
    sal_diag *diag;
    /* what is made */
    sal_xml_doc out;
    sal_xml *asset, *world;
    /* of the URDF file */
    const char *path;
    sal_mujoco mujoco;
    bool keeps_visual, strips;
    /* of its <compiler>; "" */
    const char *meshdir;
    /* mjcf_urdf_link, in the order of the file */
    spec_list link;
    spec_index links, colours, meshes, geoms;
    /* memory of all this */
    mjcf_spec pool;
    bool nomem;
} mjcf_urdf;

/* ---- reading (urdf_read.c) ---- */

/* The child of this tag. NULL where there is none (an error if it must be there), or, an error,
 * several. */
sal_xml *mjcf_urdf_child(mjcf_urdf *u, const sal_xml *xml, const char *tag, bool must);
/* The attribute; NULL where there is none, an error if it must be there. */
const sal_xml_attr *mjcf_urdf_attr(mjcf_urdf *u, const sal_xml *xml, const char *name, bool must);
/* Its n numbers; NULL where they are not given, or no numbers (an error). */
/* One number, which may be infinite; NULL: not given, or reported */
const sal_xml_attr *mjcf_urdf_bound(mjcf_urdf *u, const sal_xml *xml, const char *name,
                                    double *value);
const sal_xml_attr *mjcf_urdf_numbers(mjcf_urdf *u, const sal_xml *xml, const char *name,
                                      double *value, int n, bool must);
/* Warns of what has no meaning in a URDF, anywhere below the root; files for xacro are errors. */
void mjcf_urdf_check(mjcf_urdf *u, const sal_xml *root);

/* ---- writing (urdf_read.c) ---- */

/* A new element that stands where `from` stands; NULL without memory, as what is done to it. */
sal_xml *mjcf_urdf_put(mjcf_urdf *u, sal_xml *parent, const char *tag, const sal_xml *from);
/* An attribute that stands where `from` stands (NULL: where its element does). */
void mjcf_urdf_set(mjcf_urdf *u, sal_xml *xml, const char *name, const char *value,
                   const sal_xml_attr *from);
void mjcf_urdf_set_reals(mjcf_urdf *u, sal_xml *xml, const char *name, const double *value, int n,
                         const sal_xml_attr *from);
/* pos and euler of the <origin> of `from`, if it has one. */
void mjcf_urdf_put_origin(mjcf_urdf *u, sal_xml *xml, const sal_xml *from);
/* A copy of the element with all that is in it. */
void mjcf_urdf_copy(mjcf_urdf *u, sal_xml *parent, const sal_xml *from);

/* ---- the parts ---- */

/* The links of the file, and which is whose child; false: there is no tree (reported). */
bool mjcf_urdf_read_tree(mjcf_urdf *u, const sal_xml *root);
/* Colours of materials below an element, by their names. */
void mjcf_urdf_read_colours(mjcf_urdf *u, const sal_xml *xml);
/* Of the link: its inertia, and its geoms. */
void mjcf_urdf_put_inertial(mjcf_urdf *u, const mjcf_urdf_link *link);
void mjcf_urdf_put_geoms(mjcf_urdf *u, const mjcf_urdf_link *link);
/* Of its joint. */
void mjcf_urdf_put_joint(mjcf_urdf *u, const mjcf_urdf_link *link);
/* Equalities of all joints that mimic others. */
void mjcf_urdf_put_mimics(mjcf_urdf *u, sal_xml *out, const sal_xml *root);
/* The mesh that the element <mesh> of a URDF, `from`, means, for a geom. */
void mjcf_urdf_put_mesh(mjcf_urdf *u, sal_xml *geom, const sal_xml *from);

#endif
