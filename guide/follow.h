/* follow.h: a problem file for a motion that was recorded; private to guide/.
 *
 * The recording is read (follow.c), its columns are matched with the model (follow_columns.c; the
 * root's: follow_pose.c, by its names: follow_angles.c; qpos: follow_qpos.c), and the ways its
 * numbers could be meant are compared (follow_reading.c; units: follow_units.c; whole turns too
 * much: follow_turns.c).
 * Numbers out of their place are left out before (follow_stray.c).
 * What is probably not meant so is said (follow_signs.c, follow_suspect.c), and what is not used
 * (follow_unused.c). Of skeletons (follow_skeleton.c) and rotation vectors (follow_vectors.c) the
 * poses are computed (follow_rotations.c, follow_turn.c). What <data> does not read as it stands
 * becomes a table of poses (follow_table.c). A belt (follow_belt.c), its floor and its noise
 * (follow_floor.c), what else than feet touches it (follow_touch.c), and which parts of the robot
 * are within each other (follow_apart.c) are found. Then the problem is written (follow_write.c).
 * Markers of a person are matched and written by follow_person.c; follow_soles.c and
 * follow_stands.c look at which height and when he or she stands on the floor, follow_noise.c how
 * well each marker is followed.
 */
#ifndef SAL_GUIDE_FOLLOW_H
#define SAL_GUIDE_FOLLOW_H

#include "guide/draft.h"
#include "problems/recordings/belt.h"
#include "problems/root.h"
#include "signals/table.h"

/* How numbers are meant where the file does not say. */
typedef struct gde_reading {
    /* of the quaternion: w behind x y z; it turns the world into the body */
    bool w_last, conjugated;
    /* angles of joints, and of the root, are */
    bool degrees, turn_degrees;
    /* joints without names come body by body along each level of the tree, not along each branch */
    bool by_level;
    /* each joint without a name has the column of its partner on the other side */
    bool exchanged;
    /* 'y', 'z' */
    char up;
    /* m that a unit of length is */
    double unit;
    /* of the root's angles: which of the six orders */
    int sequence;
    /* with y up the axes of the body are those of the file, so that its y is up, too */
    bool renamed;
} gde_reading;

/* The root's rotation as angles about three axes of the body, where there is no quaternion. */
typedef struct gde_angles {
    /* [0] -1: there are none */
    int column[3];
    /* "xyz": the axes that they turn about, where z is up, and where y is */
    char about[2][4];
    /* their names say in which order they turn: which of the six orders; -1: they do not */
    int sequence;
    /* the axis that is up, if their names say so; 0: they do not */
    char up;
    /* they are a rotation vector: its direction is the axis, its length the angle */
    bool vector;
} gde_angles;

enum { GDE_TRUNK, GDE_HEAD, GDE_UPRIGHTS };

typedef struct gde_clip {
    /* the model, looked at as for a draft from nothing */
    gde_draft draft;
    const sal_follow_request *request;
    sig_signals s;
    /* Hz, s */
    double rate, seconds;
    /* s: sig_spacing */
    double slowest;
    /* some rows of a table with times are missing; its rows are not evenly spaced */
    bool rows_lost, uneven;
    /* of the motion that is sought */
    int nstep;
    double duration;
    /* the free joint whose pose was recorded, -1: none; and the columns of x y z and of the
     * quaternion as they follow each other in the file */
    int root, place[3], turn[4];
    /* what carries the robot over the floor: that joint, or slides and hinges that were recorded as
     * other joints are; body 0: none */
    prb_root base;
    gde_angles angles;
    /* 0: the names of its columns do not tell; 1: w first; 2: w last */
    int named_order;
    /* [njnt] column of each hinge and slide by its name, and of a table of poses the first of the
     * pose of a ball's body; -1: none */
    int *column;
    /* the first of as many columns without joints' names as there are hinges and slides; -1: none,
     * or all have names */
    int block;
    /* hinges and slides in both orders [njnt], and how many */
    int *by_branch, *by_level, nscalar;
    /* [njnt] joints of which the recording says nothing, in the order in which they are written */
    int *rests, nrest;
    /* trunk and head of a person that no marker shows, and that are kept upright */
    bool upright[GDE_UPRIGHTS];
    gde_reading how;
    /* s is the table of poses that takes the place of the recording */
    bool tabulated;
    /* [nrow x nq], [njnt]: poses that are no columns of the recording but were computed from them,
     * and of which joints; NULL: there are none */
    double *made;
    bool *known;
    /* [nrow x nq] */
    double *qpos;
    /* m and slopes along x and y: the floor of the recording is at z = h + sx x + sy y */
    double floor[3];
    /* m: of markers, of what the search finds of its height */
    double floor_sigma;
    /* [nmarker] the site that has the marker's name; -1: none, or it is never seen */
    int *site;
    /* [nmarker] m: of markers */
    double *sigma;
    /* m/s: the velocity of walking over a belt */
    double belt[2];
    /* s: <data gap=> of the columns that are followed; 0: none lacks a sample */
    double gap;
    /* [njnt] rad, m: of each sample */
    double *noise;
    /* [njnt] 1; -1 while the other sign of a hinge is tried */
    double *sign;
    /* [njnt] rad: whole turns by which the angles of a hinge are beside its range */
    double *turns;
    /* often other bodies than feet are on the floor, and which [nbody] */
    bool low, *touches;
    /* [nbody] feet and such bodies of which terms know points that can stand, and how many */
    bool *stands;
    int nstand;
    /* [npair] pairs of parts of the robot that are within each other */
    bool *apart;
} gde_clip;

/* ---- follow.c ---- */

/* Sets rate, seconds, rows_lost and uneven, as <data> has them; times become s. SAL_BADINPUT, all
 * of it in diag, where times do not grow. */
sal_status gde_clip_times(gde_clip *c, sal_diag *diag, sal_err *err);
/* From a row to a later one, s: by the rate, and by their times where rows between them are
 * missing. */
double gde_clip_seconds(const gde_clip *c, int first, int last);
/* Equal for equal texts. */
unsigned long long gde_digest(const sal_text *text);

/* ---- follow_columns.c ---- */

/* Sets root, place, turn, base, column and block. SAL_BADINPUT where the columns cannot be those of
 * this model. */
sal_status gde_clip_columns(gde_clip *c, sal_err *err);
/* The column of a hinge or slide as numbers are read; -1: none. */
int gde_clip_column(const gde_clip *c, const gde_reading *how, int joint);
/* Columns k .. of one array NAME_0, NAME_1, .. or NAME0, NAME1, .., or from 1 on: how many; 1: it
 * is none. */
int gde_array_at(const sig_signals *s, int k);
/* Whether no row of a column has a number. */
bool gde_column_is_empty(const gde_clip *c, int column);
/* Whether a column or an array may hold positions: its name says nothing of rates, forces, commands
 * or what is recorded of bodies. */
bool gde_may_be_position(const char *name);
/* Whether it is where the joint should be, by its name: what was measured goes before it. */
bool gde_is_wished(const char *name);
/* Letters and digits of a name alone, in lower case, without path and the usual endings. */
enum { GDE_WORD = 128 };
void gde_simplify(const char *name, char out[GDE_WORD]);

/* Whether one of these words [up to NULL] is in a name. */
bool gde_has_any(const char *name, const char *const *words);

/* The names of the columns, as many as have room, and ".." where there are more. */
void gde_list_columns(const sig_signals *s, char *list, size_t size);

/* ---- follow_pose.c ---- */

/* Sets place, turn and named_order; false: no columns are a place and a quaternion of the root. */
bool gde_find_pose_of_root(gde_clip *c);
/* SAL_BADINPUT, with what is there in place of a pose */
sal_status gde_fail_pose(gde_clip *c, sal_err *err);
/* Whether one of n columns from `first` on is a joint's. */
bool gde_has_joint(const gde_clip *c, int first, int n);
/* Whether four columns from k on are a quaternion in all rows. */
bool gde_is_rotation(const sig_signals *s, int k);
/* Sets place and turn to three and four columns, of which these are the first. */
void gde_set_pose(gde_clip *c, int place, int turn);

/* ---- follow_qpos.c ---- */

/* The first column of qpos as the model has it, of whose columns the file does not say which
 * joints' they are; -1: there is none. */
int gde_find_qpos(const gde_clip *c);
/* Sets place, turn and column, or made and known. SAL_BADINPUT where it has no pose of the root. */
sal_status gde_take_qpos(gde_clip *c, int k, sal_err *err);
/* Sets place and turn to the pose of the root that stands before the joints that the file names in
 * qpos; false: there is none. */
bool gde_find_pose_in_qpos(gde_clip *c);

/* ---- follow_angles.c ---- */

/* Sets place, turn and named_order; false: no columns have the names of a place and a quaternion,
 * place[0] is -1 then. */
bool gde_find_named_turn(gde_clip *c);
/* Sets angles and place; false: no three columns are the root's angles. */
bool gde_find_angles(gde_clip *c);
/* Sets angles and place; false: no array has rows of a place, a rotation vector and the joints. */
bool gde_find_vector(gde_clip *c);
/* Sets sequence and renamed to the choice number i; false: names or `up` leave no such choice. */
enum { GDE_SEQUENCES = 6, GDE_ANGLES_CHOICES = 2 * GDE_SEQUENCES };
bool gde_angles_reading(const gde_clip *c, int i, gde_reading *how);
/* Whether the angles turn in the order of their columns, or as their names say. */
bool gde_angles_in_order(const gde_clip *c, const gde_reading *how);
/* The rotation of a row, with z up. */
void gde_angles_turn(const gde_clip *c, const gde_reading *how, int row, double turn[4]);
/* "z, x, y": the axes in the order in which they are turned about. */
void gde_angles_order(const gde_clip *c, const gde_reading *how, char out[8]);

/* ---- follow_reading.c ---- */

/* Sets how: of all readings that the names of the columns leave open, the one in which
 * soles slide least. Fills qpos. */
sal_status gde_clip_read(gde_clip *c, sal_err *err);
/* A rotation as the file has it becomes one with z up. */
void gde_turn_up(const gde_reading *how, double turn[4]);

/* How well a reading fits, less is better, m/s; and the median speed of the lowest point. */
typedef struct gde_score {
    double total, speed;
} gde_score;

/* Of a reading, with the turns and signs of the clip; q and next [nq] are scratch. */
gde_score gde_clip_judge(gde_clip *c, const gde_reading *how, double *q, double *next);
/* Another reading fits so much better that it is worth a word: a share of the score. */
#define GDE_CLOSE 0.9
/* An angle of the recording, rad. */
double gde_clip_angle(const gde_clip *c, const gde_reading *how, int row, int column);

/* Sets point and velocity: of the point of the model that is lowest in a pose, on the way to the
 * pose a sample later; 0 where nothing can touch a floor. */
void gde_clip_lowest(gde_clip *c, const double *q, const double *next, prb_step *step);

/* ---- follow_stray.c ---- */

/* Leaves out numbers of joints that are out of their place, and says it. */
sal_status gde_leave_strays(gde_clip *c, sal_err *err);

/* ---- follow_units.c ---- */

/* The unit of a column of numbers of this dimension (sig_unit), as the file says it, also by the
 * end of its name; "": it does not. own: the name of the joint, which may end so by itself; or
 * NULL. */
const char *gde_unit(const sig_column *column, const char *own, char dimension);
/* What one of it is in SI units; 0: it is not known. */
double gde_unit_size(const sig_column *column, const char *own, char dimension);
/* m that one of the numbers of a slide is. */
double gde_slide_unit(const gde_clip *c, int joint, int column);
/* The name without a unit of this dimension at its end; false: it has none. */
bool gde_strip_unit(const char *name, char dimension, char out[GDE_WORD]);
/* Whether an actuator pushes this body of the world, as rotors do. */
bool gde_is_pushed(const sal_model *m, int body);
/* Whether it can leave the floor otherwise than by its limbs: it is pushed, or thrown. */
bool gde_can_fly(const sal_model *m, int body);
/* m that one of the numbers of the root's place is, if that axis is up. */
double gde_place_unit(const gde_clip *c, char up);
/* "mm", "cm", "in", "m" */
const char *gde_unit_name(double unit);
void gde_note_unit(gde_clip *c);

/* ---- follow_signs.c ---- */

/* Says which hinges of the legs would fit better with the other sign; `best` is the score as they
 * are, q and next [nq] are scratch. */
void gde_note_signs(gde_clip *c, gde_score best, double *q, double *next);

/* ---- follow_turns.c ---- */

/* Sets turns, as angles are read. */
void gde_clip_set_turns(gde_clip *c, const gde_reading *how);
/* Whether a column (of a hinge, or joint -1: of the root) as radians has angles that it cannot
 * have. */
bool gde_clip_cannot_be_radians(const gde_clip *c, int column, int joint);
void gde_note_turns(gde_clip *c);

/* ---- follow_suspect.c ---- */

/* Says which joints are probably not meant so; qpos is there. */
void gde_note_suspects(gde_clip *c);

/* ---- follow_unused.c ---- */

/* Says which columns of the recording are not used. */
void gde_note_unused(gde_clip *c);

/* ---- follow_skeleton.c ---- */

/* Sets made and known from a skeleton's rotations. SAL_BADINPUT where it is another than the
 * model's. */
sal_status gde_clip_skeleton(gde_clip *c, sal_err *err);

/* ---- follow_vectors.c ---- */

bool gde_has_vectors(const gde_clip *c);
/* The same from rotation vectors; SAL_BADINPUT where their number is not that of the model's
 * bodies. */
sal_status gde_clip_vectors(gde_clip *c, sal_err *err);

/* ---- follow_turn.c ---- */

/* How far a hinge or slide at q is beyond its range, rad, m. */
double gde_excess(const sal_model *m, int joint, double q);
/* Whether rotations of the body tell those of its joints: a ball, or three hinges at most. */
bool gde_can_turn(const sal_model *m, int body);
/* Sets the joints of a body in q so that they turn it as near to `turn` as they can: with hinges
 * near where they are in q, or anywhere. What is left, rad. */
double gde_turn_joints(const sal_model *m, int body, const double turn[4], bool anywhere,
                       double *q);

/* ---- follow_table.c ---- */

/* Room for made and known. */
sal_status gde_make_room(gde_clip *c, sal_err *err);
/* SAL_BADINPUT if one of n columns that such poses are computed from lacks a number. */
sal_status gde_check_numbers(const gde_clip *c, int first, int n, sal_err *err);

/* A number of the recording. */
double gde_clip_cell(const gde_clip *c, int row, int column);
/* If <data> does not read what the poses were made of, they take the place of the recording: as a
 * table for request->recording. */
sal_status gde_clip_tabulate(gde_clip *c, sal_err *err);

/* ---- follow_belt.c ---- */

/* Whether the steps [n] are those of who walks on a belt; q, last: the first and the last pose. at
 * and height [n] are scratch. */
bool gde_clip_find_belt(const gde_clip *c, const prb_step *step, int n, const double *q,
                        const double *last, double walk[2], prb_foothold *at, double *height);
/* Sets belt, and carries qpos along. */
sal_status gde_clip_belt(gde_clip *c, sal_err *err);
/* Sets belt, of markers; how.up and how.unit are known. */
sal_status gde_markers_belt(gde_clip *c, sal_err *err);
/* The attribute, if there is a belt. */
void gde_write_belt(const gde_clip *c);

/* ---- follow_floor.c ---- */

/* Sets floor, and moves qpos onto it. */
sal_status gde_clip_floor(gde_clip *c, sal_err *err);
/* Sets noise. */
void gde_clip_noise(gde_clip *c);

/* ---- follow_touch.c ---- */

/* Sets low, touches and stands. */
sal_status gde_clip_touch(gde_clip *c, sal_err *err);

/* ---- follow_apart.c ---- */

/* Sets apart, and says which parts of the robot are within each other. */
sal_status gde_clip_apart(gde_clip *c, sal_err *err);
/* The constraints that keep them apart, if there are any. */
void gde_write_apart(const gde_clip *c);

/* ---- follow_person.c ---- */

/* The site of the model that has the marker's name; -1: none, or the marker is never seen. */
int gde_marker_site(const gde_clip *c, int marker);
/* Where it is in a row, m, z up, as <data up> has it; false: it is not seen. */
bool gde_marker_place(const gde_clip *c, int marker, int row, double x[3]);
/* The body of a leg that rolls over the floor: its last, or the one that carries its toes. */
int gde_sole_of(const gde_draft *f, int foot);

/* ---- follow_mirrored.c ---- */

/* SAL_BADINPUT: the markers are the mirror image of the model's; its home pose is in draft.d. */
sal_status gde_check_mirrored(const gde_clip *c, sal_err *err);

/* ---- follow_soles.c ---- */

/* Sets the height of floor, and floor_sigma, of markers: how.up and how.unit are known, the home
 * pose is in draft.d. */
sal_status gde_markers_floor(gde_clip *c, sal_err *err);

/* ---- follow_noise.c ---- */

/* m: sets sigma [nmarker] of the markers that are sites of the model. */
sal_status gde_markers_sigma(gde_clip *c, sal_err *err);

/* ---- follow_unseen.c ---- */

/* Sets upright and rests: what no marker of a person shows. */
sal_status gde_find_unseen(gde_clip *c, sal_err *err);
void gde_note_unseen(gde_clip *c);
/* The terms by which a trunk and a head without markers stay upright, and `rests` near home. */
void gde_write_unseen(const gde_clip *c);

/* ---- follow_stands.c ---- */

/* The foot of a person that a marker is on, 0 right, 1 left; -1: none. */
int gde_marker_foot(const gde_clip *c, int marker);

/* The first and last row of the longest time in which a person, whose home pose is in draft.d, does
 * not stand on something that is higher than the floor. */
sal_status gde_clip_on_floor(gde_clip *c, int *first, int *last, sal_err *err);

/* ---- follow_gaps.c ---- */

/* Sets gap, and says where samples are missing for longer than is usual. */
void gde_clip_gaps(gde_clip *c);

/* ---- follow_write.c ---- */

/* The file up to its <model>. */
void gde_clip_head(const gde_draft *f, const char *clip, const char *model);
void gde_clip_write(gde_clip *c, const char *clip, const char *model);
/* Hz, of <data lowpass= resample=>; 0: there is none. */
double gde_clip_lowpass(const gde_clip *c);
double gde_clip_resample(const gde_clip *c);
/* s: of contacts at the end. */
double gde_clip_timeconst(const gde_clip *c);
/* The term by which the joints in `rests` stay near home, if there are any; sigma: rad, m. */
void gde_write_unrecorded(const gde_clip *c, double sigma);
void gde_note_unrecorded(gde_clip *c);
/* Hz, of time steps that were asked for. */
double gde_asked_rate(const gde_clip *c);
/* Notes what long time steps, that were asked for, make of contacts. */
void gde_note_timestep(gde_clip *c);

#endif
