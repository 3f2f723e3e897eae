#include "base/base.h"
#include "optim/optim.h"
#include <mxml.h> /* fault: the second */
#include <lapacke.h> /* fault: the second */
#include <suitesparse/cholmod.h> /* fault: the second */
