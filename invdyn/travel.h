/* travel.h: part of sal_image_travel. */
#ifndef SAL_INVDYN_TRAVEL_H
#define SAL_INVDYN_TRAVEL_H

#include "invdyn/invdyn.h"

/* SAL_BADINPUT, and why, if a tendon, an equality constraint or a passive force stays behind when the joint travels. */
sal_status inv_image_check_travel(const sal_image *image, const sal_model *m, int joint,
                                  sal_err *err);

#endif
