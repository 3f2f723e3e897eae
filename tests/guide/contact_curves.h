/* contact_curves.h: what the figures of docs/contact_models.md show, as numbers. */
#ifndef SAL_TESTS_GUIDE_CONTACT_CURVES_H
#define SAL_TESTS_GUIDE_CONTACT_CURVES_H

enum { CURVE_POINTS = 640 };

/* y is NaN where there is nothing to be drawn. */
typedef struct contact_curve {
    int n;
    double x[CURVE_POINTS], y[CURVE_POINTS];
} contact_curve;

/* Of a contact model, sal_contact_model, with its default numbers */
typedef void contact_curve_of(contact_curve *c, int model);

/* ---- 1 kg on a point, steps of 10 ms, friction .5 ---- */

/* mm, N: what presses on what is held still so far away */
contact_curve_of contact_force_by_gap;
/* log10 m/s, N: what rubs on what slides steadily at that speed and presses with its weight */
contact_curve_of contact_friction_by_slip;
/* m/s, mm: how far above the floor it slides then */
contact_curve_of contact_height_by_slip;

/* ---- models/box.xml: a cube of 1 kg, friction .5 ---- */

/* How high above the floor after a fall of .2 m: s, m in steps of .1 s; s, mm in steps of .01 s */
contact_curve_of contact_coarse_fall, contact_landing;
/* Set on the floor, it slides at 4.08 m/s. s, mm: how high; s, m/s: how fast; s, log10 m: how far
 * from the line along which it began */
contact_curve_of contact_height_of_slide, contact_speed_of_slide, contact_drift_of_slide;
/* A push of 1.5 N, three tenths of what friction holds. s, mm: how high it stands; s, log10 m: how
 * far it was pushed */
contact_curve_of contact_height_at_rest, contact_creep_at_rest;

#endif
