/* track.h: motions that follow a recording; private to problems/. A recording's first sample is the
 * motion's time 0. */
#ifndef SAL_PROBLEMS_RECORDINGS_TRACK_H
#define SAL_PROBLEMS_RECORDINGS_TRACK_H

#include "problems/language/reader.h"
#include "problems/recordings/data.h"

struct prb_states;

/* ---- track.c ---- */

/* What the channel says of time t of the motion, its scale, offset and delay undone, in value
 * [c->n]: linear between two samples, the nearer of two signs of a quaternion; a cubic over missing
 * ones, as far as the recording reaches; up to a hundredth of a sample beyond the last one, that
 * one. False where it says nothing. */
bool prb_track_at(const prb_dataset *data, const prb_channel *c, double t, double *value);
/* The recording of a channel; NULL if its <data> has none, or several. */
const prb_recording *prb_track_recording(const prb_dataset *data, const prb_channel *c);
/* Marks the channels that an attribute names, or `all` [nchannel]; false after an error, also where
 * one has no recording that lasts as long as the motion. */
bool prb_track_channels(prb_reader *r, const sal_xml *element, const char *attribute,
                        unsigned char *chosen);

/* ---- track.c: <term data=".."/> ---- */

/* The most terms that elements <term data=".."/> become. */
/* Finds p->floor_centre, where the slope of the floor is searched. */
void prb_track_centre(prb_reader *r);
/* track_marker.c: sets p->offset; 1 + the place of a channel's site there, 0: none; warns of
 * markers named by terms or constraints that no term follows. */
void prb_track_markers(prb_reader *r);
int prb_track_marker(const sal_problem *p, const prb_channel *c);
void prb_check_markers(prb_reader *r, const sal_xml *list);
size_t prb_track_most_terms(const prb_reader *r, const sal_xml *cost);
/* Adds a term for each channel to p->term, which has room for them. */
void prb_read_track(prb_reader *r, const sal_xml *element);

/* ---- kinematics.c: <init data=".."/> ---- */

/* The poses that fit the chosen channels best, of steps 0..N at shares of the duration. */
sal_status prb_track_poses(struct prb_states *s, const sal_problem *p, const unsigned char *chosen,
                           sal_err *err);

#endif
