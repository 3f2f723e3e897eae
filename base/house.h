/* base/house.h: all of base, for the rooms of this project; not installed. It knows nothing of
 * mechanisms.
 *
 *   base.h      what the public headers share
 *   parallel.h  the one parallel loop
 *   rng.h       reproducible random numbers
 *   file.h      whole files, replaced at once
 *   bytes.h     numbers of binary files
 *   sha256.h    digests of files
 *   json.h      JSON text, member by member
 *   name.h      words within names
 *   xml.h       an XML document with positions
 *   sort.h      numbers in increasing order
 *   sincos.h    sines and cosines of many angles
 *   clock.h     seconds that pass
 *   clones.h    functions compiled for several processors
 *   angle.h     degrees and radians
 *   handed.h    mirror images
 *   v3.h quat.h spatial.h dense.h   vectors, rotations, 6-D spatial algebra, small dense algebra
 */
#ifndef SAL_BASE_HOUSE_H
#define SAL_BASE_HOUSE_H

#include "base/angle.h"
#include "base/base.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/clones.h"
#include "base/dense.h"
#include "base/file.h"
#include "base/handed.h"
#include "base/json.h"
#include "base/name.h"
#include "base/parallel.h"
#include "base/quat.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/sincos.h"
#include "base/sort.h"
#include "base/spatial.h"
#include "base/v3.h"
#include "base/xml.h"

#endif
