#include "problems/problems.h"
#include "invdyn/invdyn.h"
#include "optim/optim.h" /* fault: joins */
#include "problems/row.h" /* fault: private */
#include <cholmod.h>
#include <lapacke.h>
#include <hdf5.h>
#include <matio.h>
#include <png.h>
