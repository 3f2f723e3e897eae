/* keypoints.c: joint centres that a program found in videos. They are called RHip, RKnee, .., where
 * markers of these names would be on the skin beside the joint. What tells the two apart is that
 * nobody wears a marker called "hip" with none on the bones of the pelvis. */
#include "people/person.h"

#include <string.h>

static const struct {
    const char *keypoint, *centre;
} joints[] = {{"shoulder", "RSJC"},
              {"elbow", "REJC"},
              {"wrist", "RWJC"},
              {"knee", "RKJC"},
              {"ankle", "RAJC"}};

/* Which of them the marker is; -1: none. */
static int joint_of(const ppl_marker *m)
{
    char word[PPL_NAME];
    const bool sided = ppl_side_off(word, m->name + m->prefix);
    for (int j = 0; j < (int)(sizeof joints / sizeof joints[0]); j++) {
        if (sided && strcmp(word, joints[j].keypoint) == 0) {
            return j;
        }
    }
    return -1;
}

/* A hip is called just so, and no marker is on the skin of the pelvis, but for those which are
 * computed from the keypoints ("r.ASIS_study"). */
static bool are_keypoints(const ppl_person *p)
{
    const ppl_landmark *centre = ppl_landmark_of("RHJC", &(ppl_side){0});
    bool hip = false, skin = false;
    char word[PPL_NAME];
    for (int i = 0; i < p->nmarker; i++) {
        const ppl_marker *m = p->marker + i;
        const bool pelvis = m->at.segment == PPL_PELVIS && m->at.sigma > centre->sigma;
        hip = hip || (ppl_side_off(word, m->name + m->prefix) && strcmp(word, "hip") == 0);
        skin = skin || (pelvis && strstr(m->name, "study") == NULL);
    }
    return hip && !skin;
}

int ppl_settle_keypoints(ppl_person *p, const ppl_table *table)
{
    int n = 0;
    const bool are = are_keypoints(p);
    for (int i = 0; i < p->nmarker && are; i++) {
        ppl_marker *m = p->marker + i;
        const int j = joint_of(m);
        if (j >= 0 && !ppl_table_has(table, m->name) &&
            !ppl_table_has(table, m->name + m->prefix)) {
            m->at = *ppl_landmark_of(joints[j].centre, &(ppl_side){0});
            n++;
        }
    }
    return n;
}
