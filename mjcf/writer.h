/* writer.h: what both halves of the writer write with: elements and attributes of the document that
 * is being made; private to mjcf/. */
#ifndef SAL_MJCF_WRITER_H
#define SAL_MJCF_WRITER_H

#include "base/house.h"
#include "mjcf/spec.h"
#include "physics/physics.h"

#include <stdio.h>
#include <string.h>

typedef struct mjcf_writer {
    const sal_model *m;
    sal_xml_doc doc;
    bool nomem;
    /* what the model was compiled from: then all of it is written; NULL: what moves */
    const mjcf_spec *spec;
    /* [ngeom] of all: geoms that others name */
    bool *named;
    /* of the names given to unnamed geoms */
    char prefix[64];
} mjcf_writer;

/* ---- elements and attributes ---- */

static inline sal_xml *mjcf_put_element(mjcf_writer *w, sal_xml *parent, const char *tag)
{
    sal_xml *xml = w->nomem ? NULL : sal_xml_add(&w->doc, parent, tag);
    w->nomem = xml == NULL;
    return xml;
}

static inline void mjcf_put(mjcf_writer *w, sal_xml *xml, const char *name, const char *value)
{
    if (!w->nomem && sal_xml_set(xml, name, value, NULL) != SAL_OK) {
        w->nomem = true;
    }
}

static inline void mjcf_put_reals(mjcf_writer *w, sal_xml *xml, const char *name,
                                  const double *value, int n)
{
    sal_text text = {0};
    for (int i = 0; i < n; i++) {
        sal_text_add(&text, i == 0 ? "" : " ");
        sal_text_real(&text, value[i], 0);
    }
    w->nomem = w->nomem || text.failed;
    if (n > 0) {
        mjcf_put(w, xml, name, text.data);
    }
    sal_text_clear(&text);
}

static inline void mjcf_put_real(mjcf_writer *w, sal_xml *xml, const char *name, double value)
{
    mjcf_put_reals(w, xml, name, &value, 1);
}

static inline void mjcf_put_int(mjcf_writer *w, sal_xml *xml, const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    mjcf_put(w, xml, name, text);
}

static inline void mjcf_put_bool(mjcf_writer *w, sal_xml *xml, const char *name, int value)
{
    mjcf_put(w, xml, name, value ? "true" : "false");
}

/* Only if it is not what a reader assumes anyway. */
static inline void mjcf_put_unless(mjcf_writer *w, sal_xml *xml, const char *name,
                                   const double *value, const double *usual, int n)
{
    if (memcmp(value, usual, (size_t)n * sizeof *value) != 0) {
        mjcf_put_reals(w, xml, name, value, n);
    }
}

static inline void mjcf_put_unless_zero(mjcf_writer *w, sal_xml *xml, const char *name,
                                        double value)
{
    if (value != 0) {
        mjcf_put_real(w, xml, name, value);
    }
}

/* c0 + c1 x + c2 x^2 as its coefficients, the first alone if it is all. */
static inline void mjcf_put_polynomial(mjcf_writer *w, sal_xml *xml, const char *name, double c0,
                                       const double c[2])
{
    const double all[3] = {c0, c[0], c[1]};
    const int n = c[1] != 0 ? 3 : c[0] != 0 ? 2 : c0 != 0 ? 1 : 0;
    mjcf_put_reals(w, xml, name, all, n);
}

static inline void mjcf_put_name(mjcf_writer *w, sal_xml *xml, sal_object type, int id)
{
    const char *name = sal_model_name(w->m, type, id);
    if (name[0] != 0) {
        mjcf_put(w, xml, "name", name);
    }
}

static inline void mjcf_put_law(mjcf_writer *w, sal_xml *xml, const char *const names[2],
                                const double *solref, const double *solimp)
{
    static const double usual_solref[2] = {0.02, 1};
    static const double usual_solimp[5] = {0.9, 0.95, 0.001, 0.5, 2};
    mjcf_put_unless(w, xml, names[0], solref, usual_solref, 2);
    mjcf_put_unless(w, xml, names[1], solimp, usual_solimp, 5);
}

static inline void mjcf_put_pose(mjcf_writer *w, sal_xml *xml, const double *pos,
                                 const double *quat)
{
    mjcf_put_reals(w, xml, "pos", pos, 3);
    mjcf_put_reals(w, xml, "quat", quat, 4);
}

/* The geom's name, or one made from its id. */
static inline const char *mjcf_geom_name(const mjcf_writer *w, int g, char made[96])
{
    const char *name = sal_model_name(w->m, SAL_OBJ_GEOM, g);
    if (name[0] != 0) {
        return name;
    }
    snprintf(made, 96, "%s%d", w->prefix, g);
    return made;
}

/* write_hfield.c: all height fields, below *asset (made where there is one). SAL_UNSUPPORTED:
 * compat="2.2.2" cannot say elevations. */
sal_status mjcf_write_hfields(mjcf_writer *w, sal_xml *root, sal_xml **asset, sal_err *err);
/* Type, field and pose of a geom that is one. */
void mjcf_put_hfield(mjcf_writer *w, sal_xml *geom, int g);

/* ---- where all is written (write_whole.c) ---- */

/* What options, statistics and sizes the file says that the model does not hold. */
void mjcf_write_settings(mjcf_writer *w, sal_xml *root, sal_xml *option);
/* The pairs and excludes of the file. */
void mjcf_write_contact(mjcf_writer *w, sal_xml *root);
/* Finds the geoms that others name. */
void mjcf_mark_named(mjcf_writer *w);

/* A model as a file; spec as above. */
sal_status mjcf_write(const sal_model *m, const mjcf_spec *spec, sal_text *out, sal_err *err);

/* Everything behind the tree: contacts, equality constraints, tendons, actuators, sensors,
 * keyframes. */
void mjcf_write_lists(mjcf_writer *w, sal_xml *root);

#endif
