/* draft.h: a problem file for a model nobody has said anything about; private to guide/.
 *
 * What the model shows is looked for in this order, each step with a file of its own: what travels
 * (draft_root.c), the pose it stands in and its feet (draft_pose.c, draft_feet.c), left and right
 * and where it faces (draft_side.c), how strong it is (draft_effort.c). Then a task is chosen
 * (draft_task.c) and written (draft_gait.c, draft_open.c, draft_reach.c).
 */
#ifndef SAL_GUIDE_DRAFT_H
#define SAL_GUIDE_DRAFT_H

#include "guide/guide.h"

enum { GDE_NAME = 256 };

typedef struct gde_foot {
    /* the body, and of all that is welded to it the lowest geom */
    int body, geom;
    /* the body that carries it, if it stands on the floor, too: a foot with toes; 0: it does not */
    int heel;
    /* m: centre of that geom as it stands, and its height as terms have it: of a sphere or capsule
     * that of the lowest point below it */
    double centre[3], height;
    /* m: how far it is from the floor */
    double sole;
    /* 1: left, -1: right, 0: neither name nor place tells */
    int side;
    /* 1: front, -1: hind, of four and more */
    int end;
} gde_foot;

typedef struct gde_draft {
    const sal_model *m;
    const sal_draft_request *request;
    sal_text *out;
    /* lines of what could not be found, and why; for the file and for the terminal */
    sal_text notes;
    /* at the pose; contacts are those of a model that sees only the floor */
    sal_model *wide;
    sal_data *d;
    /* [nq] */
    double *pose;
    /* the keyframe that the pose is; -1: it is no keyframe's */
    int key;
    /* the joint that travels, and its body; -1, 0: none */
    int travel, root;
    gde_foot *foot;
    int nfoot;
    /* m: from the floor to the highest joint between root and foot */
    double leg;
    /* N */
    double weight;
    /* direction in the floor plane that it faces; known: from left and right */
    double facing[2];
    bool facing_known;
    /* words of both sides, separated by blanks, as sal_image_mirror has them; mirrored: the model
     * is its own mirror image with them */
    char left[GDE_NAME], right[GDE_NAME];
    bool mirrored;
    /* [nu] actuator force that counts as 1, N or N m */
    double *strength;
    /* [nu] what it can give, N or N m; where nothing limits it, its strength */
    double *limit;
    const struct gde_task *task;
    /* why the model cannot do that, found while it was written; NULL: it can */
    const char *unable;
} gde_draft;

/* ---- draft.c ---- */

/* Looks at f->m: all that does not depend on the task. Released whatever is returned. */
sal_status gde_look(gde_draft *f, sal_err *err);
void gde_release(gde_draft *f);

/* ---- draft_root.c ---- */

void gde_find_root(gde_draft *f);

/* ---- draft_pose.c ---- */

/* Sets pose and key. */
sal_status gde_find_pose(gde_draft *f, sal_err *err);
/* Bends straight legs a little, where the pose is no keyframe's: with straight legs a foot cannot
 * be lifted to first order. */
sal_status gde_bend_legs(gde_draft *f, sal_err *err);

/* ---- draft_feet.c ---- */

/* Whether the other body is this one or hangs on it. */
bool gde_body_carries(const sal_model *m, int body, int other);
/* Whether the lowest body that can touch the floor carries no other body: it stands on its
 * feet. d->contact is that of the pose. */
bool gde_stands_on_feet(const gde_draft *f);
/* Sets foot, nfoot and leg. */
sal_status gde_find_feet(gde_draft *f, sal_err *err);
/* Centres and heights of the feet at the pose. */
void gde_place_feet(gde_draft *f);
/* Height of an end of a geom (sign) or its centre (0) over the floor, as terms have it; DBL_MAX:
 * there is no floor. */
double gde_point_height(const gde_draft *f, int geom, int sign);
/* The lowest bodies that carry no other: what would be feet, had they geoms that touch a floor. */
void gde_list_leg_ends(const gde_draft *f, char *list, size_t room);
/* The joint next to the root in the chain from root to body; -1: none. */
int gde_first_joint(const gde_draft *f, int body);

/* ---- draft_side.c ---- */

/* Sets facing, the sides and ends of feet, and the words of the mirror. */
void gde_find_sides(gde_draft *f);
void gde_find_mirror(gde_draft *f, const double ahead[2]);
/* Sets left and right: the words of each side that joints, or bodies of joints without names, are
 * called by. */
void gde_find_words(gde_draft *f);

/* ---- draft_effort.c ---- */

void gde_find_strength(gde_draft *f);
void gde_write_effort(const gde_draft *f);
/* Terms of the actuators' forces over x [nu], which is lost. */
void gde_write_forces(const gde_draft *f, double *x);

/* ---- draft_task.c ---- */

typedef enum gde_pattern {
    GDE_TOGETHER,
    GDE_SIDES,
    GDE_DIAGONALS,
    GDE_ENDS,
    GDE_IN_TURN
} gde_pattern;

typedef struct gde_task {
    const char *name;
    /* how many feet it needs: least, most (0: any number) */
    int least, most;
    /* a gait: which feet swing together; the share of the cycle in which a foot stands; speed over
     * sqrt(g l); period over sqrt(l/g); height of a step over l */
    bool gait;
    gde_pattern pattern;
    double duty, speed, period, lift;
    /* it is meant to leave the floor */
    bool flight;
    void (*write)(gde_draft *f);
    const char *doc;
} gde_task;

/* Sets the task: that of the request, or what the model suggests. */
sal_status gde_choose_task(gde_draft *f, sal_err *err);

/* ---- draft_props.c ---- */

/* A joint of a tree that nothing drives. */
bool gde_is_prop(const sal_model *m, int joint);
bool gde_has_props(const sal_model *m);
/* The pose with props at rest: what hangs in the air falls, the rest is held. Unchanged where they
 * find no rest. */
void gde_settle_props(gde_draft *f);
/* The pose with free props at rest behind a robot on feet; d has its kinematics and distances. */
void gde_lay_props_behind(gde_draft *f);
/* The pose with the arm where contacts and limits push it, without gravity and actuators. */
void gde_relax_arm(gde_draft *f);
/* The pose, let go without actuators until it is at rest; unchanged where it finds no rest. */
void gde_lie_down(gde_draft *f);
/* A joint without actuator that springs hold, such as the tip of a finger: it comes to rest by
 * itself, and nothing can make it do so at an instant. */
bool gde_is_sprung(const sal_model *m, int joint);
/* ` joint=".." qvel="0"` of all joints but props and what only springs hold. */
void gde_write_rest(const gde_draft *f);

/* ---- draft_way.c: where an arm can go ---- */

/* Displacements of joints from the pose, and the time they take. */
typedef struct gde_way {
    /* [nv] rad, m */
    double *by;
    /* s */
    double seconds;
    /* it hits nothing, and the actuators can follow it */
    bool found;
} gde_way;

/* Moves a pose that is in something to the nearest that was found free; not a keyframe's. */
void gde_clear_pose(gde_draft *f);
/* The way of the hinges that carry the body; way->by has room [nv]. */
void gde_find_way(gde_draft *f, int body, gde_way *way);

/* ---- draft_gait.c, draft_open.c, draft_get_up.c, draft_reach.c: after <model> ---- */

void gde_write_gait(gde_draft *f);
void gde_write_stand(gde_draft *f);
void gde_write_jump(gde_draft *f);
void gde_write_get_up(gde_draft *f);
void gde_write_reach(gde_draft *f);
/* The body at the end of a fixed arm, moved by most actuated joints; 0: none. */
int gde_reaching_body(const gde_draft *f);
void gde_write_move(gde_draft *f);

/* A list of words over lines of at most 100 columns, begun at some column. */
typedef struct gde_words {
    sal_text *out;
    size_t column;
    int n;
} gde_words;

/* ---- draft_terms.c: what several tasks write ---- */

void gde_write_upright(const gde_draft *f, const char *weight);
void gde_write_posture(const gde_draft *f, const char *weight);
void gde_write_feet(gde_draft *f);
/* The points of the feet, both ends of a capsule, of a box its middle. Returns how high feet stand,
 * each by its lowest point, m: the most of it. */
double gde_write_soles(const gde_draft *f, gde_words *words);
/* Whether a geom can touch the floor */
bool gde_meets_floor(const gde_draft *f, int geom);

/* ---- draft_require.c ---- */

/* A body by its name, or by those of its geoms where that is none or a geom has it too. */
void gde_body_words(const gde_draft *f, gde_words *words, int body);
/* Whether terms know points of a geom, or of a body, that can stand on the floor: of spheres,
 * capsules, cylinders and boxes; d->contact is that of the pose. */
bool gde_geom_has_points(const sal_model *m, int geom);
bool gde_has_points(const gde_draft *f, int body);
/* The words of a foot: of its body and of the one behind its toes. */
void gde_foot_words(const gde_draft *f, gde_words *words, const gde_foot *foot);
bool gde_is_of_foot(const gde_draft *f, const gde_foot *foot, int body);
/* What is required of a motion on feet; of one that lies down, too. */
void gde_write_require(const gde_draft *f);
void gde_write_require_depth(const gde_draft *f);

/* ---- draft_terms.c, the end of a file ---- */

void gde_write_smoothing(const gde_draft *f);
/* Where there is no smoothing to write. */
void gde_write_finish(const gde_draft *f);
/* ` qpos=".."`: the pose; props to more digits, for they hardly sink into what they lie on. */
void gde_write_pose(const gde_draft *f, size_t column);
void gde_write_init(const gde_draft *f, int nstart);
/* What is asked for, else the usual one to two digits. */
double gde_seconds(const gde_draft *f, double usual);
/* range: free between .6 and 1.5 of it, if no duration is asked for. */
void gde_write_seconds(const gde_draft *f, int nstep, double seconds, bool range);

/* ---- draft_text.c ---- */

/* Begins ` name="`. */
gde_words gde_words_begin(sal_text *out, size_t column, const char *name);
void gde_word(gde_words *w, const char *word);
/* To four digits; to seven. */
void gde_number_word(gde_words *w, double x);
void gde_exact_word(gde_words *w, double x);
void gde_words_end(gde_words *w);
/* How a problem file names an object: by its name, or "#3" where that is none or holds blanks. */
const char *gde_name(const sal_model *m, sal_object type, int id, char text[GDE_NAME]);
/* The same of a keyframe, whose name may hold blanks. */
const char *gde_key_name(const sal_model *m, int key, char text[GDE_NAME]);
void gde_attribute(sal_text *out, const char *name, const char *value);
/* To two significant digits. */
double gde_rounded(double x);
/* The notes, the end of the comment that holds them, <problem>, named after a file, and <model>. */
void gde_write_opening(const gde_draft *f, sal_text *out, const char *named, const char *model);
/* A line of what could not be found. */
void gde_note(gde_draft *f, const char *format, ...) SAL_PRINTF(2, 3);

#endif
