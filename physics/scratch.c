/* scratch.c: see scratch.h. */
#include "physics/scratch.h"

sal_status phy_scratch_status(const sal_data *d, sal_err *err)
{
    return d->arena.need <= d->arena.size
               ? SAL_OK
               : sal_fail(err, SAL_INTERNAL,
                          "the scratch memory of the data has %zu bytes, and at least %zu are "
                          "needed: this is a fault of saltus (physics/scratch.h)",
                          d->arena.size, d->arena.need);
}
