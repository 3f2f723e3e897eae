/* generic.c: the generic person: segments, joints, and how mass is distributed. */
#include "people/person.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ALL(length)                                                                                \
    {                                                                                              \
        PPL_OF_##length, PPL_OF_##length, PPL_OF_##length                                          \
    }

/* Lengths are those between the centres of joints of a person of 1.74 m, between those that de
 * Leva gives for men and women; the places of hips and shoulders are our own round numbers. */
static const ppl_bone bones[PPL_NSEGMENT] = {
    [PPL_PELVIS] = {"pelvis", PPL_PELVIS, false, {0}, ALL(PELVIS), ALL(PELVIS), 0, {{0}}},
    [PPL_TORSO] = {"torso",
                   PPL_PELVIS,
                   false,
                   {-.037, 0, .146},
                   ALL(PELVIS),
                   {PPL_OF_TRUNK, PPL_OF_SHOULDERS, PPL_OF_TRUNK},
                   3,
                   {{"abdomen_y", {0, 1, 0}, {-60, 120}},
                    {"abdomen_x", {1, 0, 0}, {-60, 60}},
                    {"abdomen_z", {0, 0, 1}, {-80, 80}}}},
    [PPL_HEAD] = {"head",
                  PPL_TORSO,
                  false,
                  {.004, 0, .4454},
                  {PPL_OF_TRUNK, PPL_OF_SHOULDERS, PPL_OF_TRUNK},
                  {PPL_OF_TRUNK, PPL_OF_SHOULDERS, PPL_OF_TRUNK},
                  3,
                  {{"neck_y", {0, 1, 0}, {-80, 60}},
                   {"neck_x", {1, 0, 0}, {-50, 50}},
                   {"neck_z", {0, 0, 1}, {-80, 80}}}},
    [PPL_UPPER_ARM] = {"upper_arm",
                       PPL_TORSO,
                       true,
                       {-.015, -.185, .37},
                       {PPL_OF_TRUNK, PPL_OF_SHOULDERS, PPL_OF_TRUNK},
                       ALL(UPPER_ARM),
                       3,
                       {{"shoulder_y", {-.7071, -.7071, 0}, {-120, 200}},
                        {"shoulder_x", {-.7071, .7071, 0}, {-60, 200}},
                        {"shoulder_z", {0, 0, -1}, {-120, 120}}}},
    [PPL_LOWER_ARM] = {"lower_arm",
                       PPL_UPPER_ARM,
                       true,
                       {0, 0, -.285},
                       ALL(UPPER_ARM),
                       ALL(LOWER_ARM),
                       2,
                       {{"elbow", {0, -1, 0}, {-10, 160}}, {"pronation", {0, 0, -1}, {-120, 120}}}},
    [PPL_THIGH] = {"thigh",
                   PPL_PELVIS,
                   true,
                   {0, -.088, 0},
                   ALL(HIPS),
                   ALL(THIGH),
                   3,
                   {{"hip_y", {0, -1, 0}, {-60, 150}},
                    {"hip_x", {-1, 0, 0}, {-50, 90}},
                    {"hip_z", {0, 0, -1}, {-70, 70}}}},
    [PPL_SHANK] = {"shank",
                   PPL_THIGH,
                   true,
                   {0, 0, -.41},
                   ALL(THIGH),
                   ALL(SHANK),
                   1,
                   {{"knee", {0, -1, 0}, {-165, 15}}}},
    [PPL_FOOT] = {"foot",
                  PPL_SHANK,
                  true,
                  {0, 0, -.42},
                  ALL(SHANK),
                  ALL(FOOT),
                  2,
                  {{"ankle_y", {0, -1, 0}, {-70, 60}}, {"ankle_x", {-1, 0, 0}, {-50, 50}}}},
    [PPL_TOES] = {"toes",
                  PPL_FOOT,
                  true,
                  {.125, 0, -.055},
                  ALL(FOOT),
                  ALL(FOOT),
                  1,
                  {{"toes", {0, -1, 0}, {-40, 80}}}},
};

const ppl_bone *ppl_bone_of(ppl_segment segment)
{
    return bones + segment;
}

void ppl_segment_name(char out[32], ppl_segment segment, ppl_side side)
{
    const char *prefix = side == PPL_RIGHT ? "right_" : side == PPL_LEFT ? "left_" : "";
    snprintf(out, 32, "%s%s", prefix, bones[segment].name);
}

/* ---- mass ---- */

/* P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics
 * 29 (1996) 1223-1230: means of what it gives for women and men, in shares of the whole mass and
 * of the length of the part. The pelvis is its lower trunk, the torso its middle and upper trunk,
 * the head that with the neck, the lower arm its forearm with the hand. A tenth of the foot is the
 * toes: our guess.
 *
 * De Leva has the centres on the lines between joints. How far they are before or behind these is
 * from R. Dumas, L. Cheze, J.-P. Verriest, "Adjustments to McConville et al. and Young et al. body
 * segment inertial parameters", J. Biomechanics 40 (2007) 543-553, means of women and men in shares
 * of the length: thigh -.059, shank -.049, upper arm -.028, pelvis .010 from the joint between the
 * fifth lumbar vertebra and the sacrum, trunk -.026 from the line between that joint and the one
 * under the last neck vertebra, head and neck -.066 from the latter. The former joint is then at
 * (-.05, 0, .085) in the pelvis, -.01 from the torso's joint along x of the torso; the latter at
 * .004. */
typedef struct part {
    ppl_segment segment;
    /* share of the mass of the whole */
    double mass;
    /* of the generic person: m from the segment's joint */
    double com[3];
    /* m, about its own centre, along the axes of the segment */
    double gyration[3];
} part;

static const part parts[] = {
    {PPL_PELVIS, .1182, {-.05, 0, .0557}, {.0857, .0780, .0843}},      /* length .1636 */
    {PPL_TORSO, .1549, {-.014, 0, .1156}, {.0963, .0775, .0929}},      /* .2104 */
    {PPL_TORSO, .15705, {-.014, 0, .3265}, {.1141, .0745, .1074}},     /* .2350 */
    {PPL_HEAD, .0681, {-.017, 0, .1236}, {.0698, .0742, .0635}},       /* .2433 */
    {PPL_UPPER_ARM, .0263, {-.008, 0, -.1642}, {.0802, .0754, .0436}}, /* .285 */
    {PPL_LOWER_ARM, .0150, {0, 0, -.1219}, {.0717, .0697, .0287}},     /* .267 */
    {PPL_LOWER_ARM, .00585, {0, 0, -.3301}, {.0476, .0397, .0302}},    /* .0821 */
    {PPL_THIGH, .1447, {-.024, 0, -.1580}, {.1431, .1421, .0638}},     /* .41 */
    {PPL_SHANK, .0457, {-.020, 0, -.1837}, {.1088, .1069, .0407}},     /* .42 */
    {PPL_FOOT, .0133 * .9, {.0375, 0, -.035}, {.0300, .0550, .0550}},  /* .2432 */
    {PPL_TOES, .0133 * .1, {.03, 0, 0}, {.0200, .0200, .0250}},
};
enum { NPART = sizeof parts / sizeof parts[0] };

static double whole(void)
{
    double sum = 0;
    for (int i = 0; i < NPART; i++) {
        sum += (bones[parts[i].segment].sided ? 2 : 1) * parts[i].mass;
    }
    return sum;
}

/* About the common centre c:  I_xx = sum m (k_x^2 + (y - c_y)^2 + (z - c_z)^2), and so on round.
 * Products of inertia are left out: the parts lie nearly on one axis. */
ppl_inertia ppl_inertia_of(ppl_segment segment, const double scale[PPL_NLENGTH], double mass)
{
    const ppl_length *grows = bones[segment].grows;
    ppl_inertia sum = {0};
    for (int i = 0; i < NPART; i++) {
        for (int k = 0; k < 3 && parts[i].segment == segment; k++) {
            sum.com[k] += parts[i].mass * scale[grows[k]] * parts[i].com[k];
        }
        sum.mass += parts[i].segment == segment ? parts[i].mass : 0;
    }
    for (int k = 0; k < 3; k++) {
        sum.com[k] /= sum.mass;
    }
    for (int i = 0; i < NPART; i++) {
        double off[3];
        for (int k = 0; k < 3; k++) {
            off[k] = scale[grows[k]] * parts[i].com[k] - sum.com[k];
        }
        for (int k = 0; k < 3 && parts[i].segment == segment; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            const double gyration = scale[grows[2]] * parts[i].gyration[k];
            sum.moment[k] +=
                parts[i].mass * (gyration * gyration + off[a] * off[a] + off[b] * off[b]);
        }
    }
    const double unit = mass / whole();
    sum.mass *= unit;
    for (int k = 0; k < 3; k++) {
        sum.moment[k] *= unit;
    }
    return sum;
}

/* ---- places ---- */

static void grow(const double scale[PPL_NLENGTH], const ppl_length by[3], const double at[3],
                 ppl_side side, double pos[3])
{
    for (int k = 0; k < 3; k++) {
        const double mirror = k == 1 && side == PPL_LEFT ? -1 : 1;
        pos[k] = mirror * scale[by[k]] * at[k];
    }
}

void ppl_bone_place(const ppl_person *person, ppl_segment segment, ppl_side side, double pos[3])
{
    grow(person->scale, bones[segment].reach, bones[segment].pos, side, pos);
}

void ppl_marker_place(const ppl_person *person, const ppl_marker *marker, double pos[3])
{
    grow(person->scale, bones[marker->at.segment].grows, marker->at.pos, marker->side, pos);
}

/* Pads of the generic foot: x, y; the radius does not grow, nor does how deep they sink beneath a
 * person, with the contacts of docs/people.md. */
static const struct {
    const char *name;
    ppl_segment segment;
    double x, y, radius, depth;
} pads[PPL_NPAD] = {
    [PPL_HEEL_OUT] = {"heel_out", PPL_FOOT, -.042, -.022, .03, PPL_SOLE_DEPTH},
    [PPL_HEEL_IN] = {"heel_in", PPL_FOOT, -.042, .022, .03, PPL_SOLE_DEPTH},
    [PPL_MIDDLE_OUT] = {"middle_out", PPL_FOOT, .035, -.038, .025, .0235},
    [PPL_BALL_OUT] = {"ball_out", PPL_FOOT, .095, -.042, .025, .0235},
    [PPL_BALL_IN] = {"ball_in", PPL_FOOT, .115, .033, .025, .0235},
    [PPL_TOE_OUT] = {"toe_out", PPL_TOES, .03, -.03, .02, .0235},
    [PPL_TOE_IN] = {"toe_in", PPL_TOES, .045, .02, .02, .0235},
    [PPL_TOE_TIP] = {"toe_tip", PPL_TOES, .073, .005, .02, .0235},
};

ppl_segment ppl_pad_segment(ppl_pad pad)
{
    return pads[pad].segment;
}

double ppl_pad_depth(ppl_pad pad)
{
    return pads[pad].depth;
}

const char *ppl_pad_name(ppl_pad pad)
{
    return pads[pad].name;
}

double ppl_pad_place(const ppl_person *person, ppl_pad pad, ppl_side side, double pos[3])
{
    const double scale = person->scale[PPL_OF_FOOT];
    pos[0] = scale * pads[pad].x;
    pos[1] = (side == PPL_LEFT ? -1 : 1) * scale * pads[pad].y;
    pos[2] = person->pad[side == PPL_LEFT][pad];
    return pads[pad].radius;
}
