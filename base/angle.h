/* angle.h: degrees and radians. */
#ifndef SAL_BASE_ANGLE_H
#define SAL_BASE_ANGLE_H

/* pi / 180: rad = degrees * SAL_DEGREE */
#define SAL_DEGREE 0.017453292519943295

#endif
