/* person.h: the person that is made, and the files that make it; private to people/
 *
 * The person stands with x forward, y left, z up; angles are zero when he or she stands straight
 * with arms hanging. What is generic is said of the right side; the left one is its mirror image.
 */
#ifndef SAL_PEOPLE_PERSON_H
#define SAL_PEOPLE_PERSON_H

#include "people/people.h"

#include "physics/physics.h"

#include <stddef.h>

typedef enum ppl_segment {
    PPL_PELVIS,
    PPL_TORSO,
    PPL_HEAD,
    PPL_UPPER_ARM,
    PPL_LOWER_ARM,
    PPL_THIGH,
    PPL_SHANK,
    PPL_FOOT,
    PPL_TOES,
    PPL_NSEGMENT
} ppl_segment;

typedef enum ppl_side { PPL_RIGHT, PPL_LEFT, PPL_MIDDLE } ppl_side;

/* Lengths that are found, the same for both sides. */
typedef enum ppl_length {
    PPL_OF_PELVIS,
    PPL_OF_HIPS,
    PPL_OF_TRUNK,
    PPL_OF_SHOULDERS,
    PPL_OF_UPPER_ARM,
    PPL_OF_LOWER_ARM,
    PPL_OF_THIGH,
    PPL_OF_SHANK,
    PPL_OF_FOOT,
    PPL_NLENGTH
} ppl_length;

/* ---- generic.c: the generic person ---- */

#define PPL_STATURE    1.74 /* m */
/* m: how deep the heels, the deepest of the pads, sink beneath a person who is followed. The model's
 * file says it as the number `sole_depth`. */
#define PPL_SOLE_DEPTH .0275

typedef struct ppl_joint {
    const char *name;
    /* of the right side; y of the axis is the same on both, x and z change sign */
    double axis[3];
    /* degrees */
    double range[2];
} ppl_joint;

enum { PPL_MOST_JOINTS = 3 };

typedef struct ppl_bone {
    const char *name;
    ppl_segment parent;
    bool sided;
    /* m, from its parent, and which length each coordinate grows with; those that grow with it what
     * stands on the segment itself */
    double pos[3];
    ppl_length reach[3], grows[3];
    int njoint;
    ppl_joint joint[PPL_MOST_JOINTS];
} ppl_bone;

const ppl_bone *ppl_bone_of(ppl_segment segment);

/* Mass, centre of mass and moments of inertia about it of a segment, its lengths being those of the
 * generic person times `scale`; the masses of all segments of both sides are `mass` in all. */
typedef struct ppl_inertia {
    double mass, com[3], moment[3];
} ppl_inertia;
ppl_inertia ppl_inertia_of(ppl_segment segment, const double scale[PPL_NLENGTH], double mass);

/* ---- names.c: what markers are called ---- */

enum { PPL_NAME = 96 };

/* What is known of a marker by its name: the segment, the place on the generic person (right side
 * or middle), and how far it may be from there. */
typedef struct ppl_landmark {
    ppl_segment segment;
    double pos[3];
    /* m */
    double sigma;
    /* a marker of the toes, or of the ball of the foot: the recordings tell */
    bool toe;
} ppl_landmark;

/* NULL: no set that we know has such a name. */
const ppl_landmark *ppl_landmark_of(const char *name, ppl_side *side);
/* The middle of a segment of that name ("right_thigh", "pelvis"), anywhere on it; false: there is
 * none. */
bool ppl_segment_landmark(ppl_landmark *out, ppl_side *side, const char *name);
/* The letters and digits of a name behind its colon, without the side before them; false: there is
 * none. */
bool ppl_side_off(char word[PPL_NAME], const char *name);

/* ---- the person ---- */

typedef struct ppl_marker {
    /* as the files write it; how much of that all markers begin with ("Bob_") */
    char name[PPL_NAME];
    int prefix;
    ppl_landmark at;
    ppl_side side;
    /* in the frame of the segment, as found */
    double pos[3];
    /* m, root mean square of the distance; how often it was seen */
    double rms;
    int seen;
} ppl_marker;

/* Pads under each foot that the floor carries. */
typedef enum ppl_pad {
    PPL_HEEL_OUT,
    PPL_HEEL_IN,
    PPL_MIDDLE_OUT,
    PPL_BALL_OUT,
    PPL_BALL_IN,
    PPL_TOE_OUT,
    PPL_TOE_IN,
    PPL_TOE_TIP,
    PPL_NPAD
} ppl_pad;

typedef struct ppl_person {
    double mass;
    /* of the generic lengths */
    double scale[PPL_NLENGTH];
    int nmarker;
    ppl_marker *marker;
    /* m: height of the middle of each pad in the frame of the foot (of the toes), of both sides */
    double pad[2][PPL_NPAD];
    /* m, over all markers; frames that were fitted */
    double rms;
    int nframe;
} ppl_person;

/* Of a segment's joint from its parent's; of a marker on its segment, on the generic person grown
 * to these lengths. */
void ppl_bone_place(const ppl_person *person, ppl_segment segment, ppl_side side, double pos[3]);
void ppl_marker_place(const ppl_person *person, const ppl_marker *marker, double pos[3]);
/* Of a pad: its segment, how deep it sinks, m, its name; its middle in the segment's frame, and its
 * radius. */
ppl_segment ppl_pad_segment(ppl_pad pad);
double ppl_pad_depth(ppl_pad pad);
const char *ppl_pad_name(ppl_pad pad);
double ppl_pad_place(const ppl_person *person, ppl_pad pad, ppl_side side, double pos[3]);
/* "right_thigh" */
void ppl_segment_name(char out[32], ppl_segment segment, ppl_side side);

/* ---- trials.c: what was recorded ---- */

typedef struct ppl_trials {
    int nframe;
    /* [nframe x nmarker x 3] m, z up; NaN: not seen */
    double *place;
    /* [nframe] the recording of each frame, as the request names them, that of standing last */
    int *trial;
    int ntrial;
    /* the first marker that nobody knows; "": there is none */
    char unknown[PPL_NAME];
    /* [ntrial] m: height of the floor of each, as ppl_fit_soles finds it */
    double *floor;
} ppl_trials;

/* Reads the files: the markers of the person, and some frames of each. notes: what was left out. */
sal_status ppl_trials_read(ppl_trials *trials, ppl_person *person,
                           const sal_person_request *request, sal_text *notes, sal_diag *diag,
                           sal_err *err);
void ppl_trials_clear(ppl_trials *trials);
/* The file of a recording; that of standing is the last. */
const char *ppl_file_of(const sal_person_request *request, int trial);

/* ---- table.c: the laboratory's own names ---- */

typedef struct ppl_table {
    int n, capacity;
    char (*name)[2][PPL_NAME];
} ppl_table;
sal_status ppl_table_read(ppl_table *table, const char *path, sal_diag *diag, sal_err *err);
void ppl_table_clear(ppl_table *table);
bool ppl_table_has(const ppl_table *table, const char *name);
/* What a marker of this name is, by the table first; false: nobody knows. */
bool ppl_recognise(const ppl_table *table, const char *name, ppl_landmark *at, ppl_side *side);

/* ---- keypoints.c ---- */

/* Where the markers are keypoints of a video, those called knee, .. are joint centres, but for those
 * of the table; how many. */
int ppl_settle_keypoints(ppl_person *person, const ppl_table *table);

/* ---- mirrored.c ---- */

/* SAL_BADINPUT: left and right of the markers are exchanged, or an axis has the wrong sign. */
sal_status ppl_check_mirrored(const ppl_person *person, const ppl_trials *trials, sal_err *err);

/* ---- exchanged.c ---- */

/* Says which pairs of markers of the left and the right have each other's names. */
sal_status ppl_say_exchanged(sal_text *notes, const ppl_person *person, const ppl_trials *trials,
                             const sal_person_request *request, sal_err *err);

/* ---- fit.c, soles.c ---- */

/* Lengths and places of markers that fit the frames best, and the poses x [nframe x nq] of the
 * model of ppl_write. */
sal_status ppl_fit(ppl_person *person, const ppl_trials *trials, double height, double **x,
                   sal_err *err);
/* Heights of the pads: the lowest they come to is the floor. Sets trials->floor, too: 0 where it is
 * as near to height 0 as the soles of a foot can tell. */
sal_status ppl_fit_soles(ppl_person *person, const ppl_trials *trials, const double *x,
                         sal_err *err);

/* ---- write.c ---- */

/* The person as a model file. */
void ppl_write(sal_text *out, const ppl_person *person);
/* And compiled. */
sal_status ppl_compile(sal_model **m, const ppl_person *person, sal_err *err);

#endif
