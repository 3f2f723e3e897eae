#include "base/v3.h"
#include "physics/physics.h" /* fault: upwards */
#include "v3.h" /* fault: not from the root */
#include "../base/v3.h" /* fault: not from the root */
#include <mxml.h>
