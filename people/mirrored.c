/* mirrored.c: whether the markers are those of a person, or of a mirror image: names of the left
 * and the right are exchanged, or an axis has the wrong sign. Each frame compares the markers of
 * pelvis, torso and head, which hardly bend, with their places on the generic person who stands
 * (base/handed.h). Eight recordings of four people have .97 to .997 in the mean, mirrored as much
 * below 0. */
#include "people/person.h"

#include "base/house.h"

#include <math.h>

static const double FEW = 0.1; /* of the frames */

/* Of a marker on the person who stands, all angles zero, in the frame of the pelvis. */
static void standing_place(const ppl_person *person, const ppl_marker *marker, double pos[3])
{
    ppl_marker_place(person, marker, pos);
    for (ppl_segment s = marker->at.segment; s != PPL_PELVIS; s = ppl_bone_of(s)->parent) {
        double joint[3];
        ppl_bone_place(person, s, marker->side, joint);
        sal_v3_add(pos, pos, joint);
    }
}

static bool hardly_bends(ppl_segment segment)
{
    return segment == PPL_PELVIS || segment == PPL_TORSO || segment == PPL_HEAD;
}

sal_status ppl_check_mirrored(const ppl_person *person, const ppl_trials *trials, sal_err *err)
{
    const size_t n = 3 * (size_t)person->nmarker;
    int mirrored = 0;
    double *stands = sal_alloc(n, sizeof *stands);
    if (stands == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", person->nmarker);
    }
    for (int i = 0; i < person->nmarker; i++) {
        standing_place(person, person->marker + i, stands + 3 * i);
        if (!hardly_bends(person->marker[i].at.segment)) {
            stands[3 * i] = (double)NAN;
        }
    }
    for (int t = 0; t < trials->nframe; t++) {
        const double *seen = trials->place + (size_t)t * n;
        mirrored += sal_is_mirrored(stands, seen, person->nmarker);
    }
    sal_free(stands);
    return mirrored <= FEW * trials->nframe
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "in %d of %d frames the markers of pelvis and trunk are the mirror image "
                          "of a person's: the names of left and right are exchanged, or an axis of "
                          "the recording has the wrong sign; exchange the names, or turn the axis",
                          mirrored, trials->nframe);
}
