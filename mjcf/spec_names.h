/* spec_names.h: how what has a name is found again; private to mjcf/ */
#ifndef SAL_MJCF_SPEC_NAMES_H
#define SAL_MJCF_SPEC_NAMES_H

#include "base/house.h"

/* Items by name. */
typedef struct spec_slot {
    const char *name;
    void *item;
} spec_slot;

typedef struct spec_index {
    spec_slot *slot;
    size_t n;
    size_t size;
} spec_index;

typedef struct spec_name {
    const char *name;
    int id;
    sal_xml *xml;
} spec_name;

/* The names of one kind of object, sorted. */
typedef struct spec_names {
    const char *kind;
    spec_name *name;
    int n;
} spec_names;

#endif
