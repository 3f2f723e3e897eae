/* clock.h: seconds that pass, also where the time of day is set. */
#ifndef SAL_BASE_CLOCK_H
#define SAL_BASE_CLOCK_H

/* s since a moment that stays the same as long as the machine runs. */
double sal_seconds_now(void);

#endif
