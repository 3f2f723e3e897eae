#include "base/base.h"
#include "base/v3.h" /* fault: private */
#include "optim/optim.h" /* fault: a neighbour */
  #  include "invdyn/invdyn.h" /* fault: upwards */
#include "physics/kinematics.h"
#include <mpi.h>
#include <mpi.h> /* fault: a second time */
#include <mujoco/mujoco.h> /* fault: the oracle */
