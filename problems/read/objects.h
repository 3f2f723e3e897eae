/* objects.h: what the words of a feature name, by the kind of object that its quantity is of. */
#ifndef SAL_PROBLEMS_READ_OBJECTS_H
#define SAL_PROBLEMS_READ_OBJECTS_H

#include "problems/language/reader.h"
#include "problems/quantity.h"

/* What the word names, as prb_feature.object keeps it: one index, or two points; 0 after an error.
 * Not for pairs of geoms, which are two words. */
int prb_reader_objects(prb_reader *r, prb_object_kind kind, const prb_word *word, int object[2]);
/* Whether a sensor can be read of a motion alone; says why not. */
bool prb_reader_may_read(prb_reader *r, sal_place place, int sensor);
/* The model's type of all objects of a kind; SAL_OBJ_NONE: they are of several. */
sal_object prb_reader_type(prb_object_kind kind);
/* Adds the points with which a body can stand on the floor to f->object; false if the word names no
 * body, or a geom or site as well. */
bool prb_reader_body_points(prb_reader *r, prb_feature *f, const prb_word *word);
void prb_read_with(prb_reader *r, const sal_xml *element, prb_feature *f);
/* The target of an orientation. */
void prb_read_reference(prb_reader *r, const sal_xml *element, prb_feature *f);

#endif
