/* follow_reading.c: how the numbers of a recording are meant: which of its axes is up, whether w of
 * the quaternion comes first or last, degrees or radians, the order of joints without names.
 *
 * All readings that are possible are compared over some pairs of neighbouring samples by
 *
 *     score = .05 m/s
 *             + median speed of the lowest point of the model       m/s
 *             + 2/s   x  spread of its height (10 to 90 %), .5 at most      m
 *             + .2 m/s  x  its median height over that of the model's root, 1 at most
 *             + 1/s   x  mean tilt of the root from the home pose   rad, as m
 *             + 5/s   x  mean excess of joints over their ranges    rad, m
 *             + .05   x  mean rate of turning of the root           rad/s, as m/s (from angles)
 *
 * Read rightly, something mostly stands, at one height; on a belt, it moves with the belt. One who
 * jumps does not, but stays upright: lying on a side counts more than any jump. What the names of
 * columns say is believed unless another reading is far better. So is it that the axes of a body
 * whose rotation is a quaternion are the model's, z up, and not those of a world whose y is up
 * (as in Unity): a robot that stands still, unturned, is upright with both.
 */
#include "base/house.h"
#include "guide/follow.h"
#include "problems/floor.h"
#include "problems/result/result.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 120, WAYS = 64, READINGS = WAYS * GDE_ANGLES_CHOICES };
static const double ANY = 0.05;                       /* m/s: less makes no difference */
static const double SPREAD = 2, TILT = 1, EXCESS = 5; /* 1/s */
static const double JUMP = 0.5;                       /* m: a higher one tells no more */
static const double LEVEL = 0.2;                      /* m/s: floors mostly are at height 0 */
static const double TURNING = 0.05;                   /* m/rad */
static const double BETTER = 0.6;                     /* of the score of what the names say */
static const double CLOSE = GDE_CLOSE;                /* what is worth a word */
static const double AS_WELL = 0.9; /* an order of angles that is not that of the columns */
static const double MIXED = 0.9;   /* the root's angles have another unit than those of joints */
static const double RENAMED = 0.8; /* quaternions of a body whose y is up */
static const double DEGREE = 0.017453292519943295769;

/* What was compared, with what speaks against a reading: the best, the best of those that are not
 * conjugated, and the best total with each order of angles, and with each axis up: z, y, y also in
 * the body; and how well the best fits by itself. */
typedef struct comparison {
    gde_score best, plain, fit;
    double ordered[GDE_SEQUENCES], upright[3];
} comparison;

/* T, of (x, y, z) with y up -> (x, -z, y), as <data up="y"> has it: R becomes T R, or where the
 * axes of the body are those of the file, too, T R T' */
void gde_turn_up(const gde_reading *how, double turn[4])
{
    static const double T[4] = {0.70710678118654752440, 0.70710678118654752440, 0, 0};
    double turned[4], back[4];
    if (how->up == 'y') {
        sal_quat_mul(turned, T, turn);
        sal_quat_copy(turn, turned);
    }
    if (how->renamed) {
        sal_quat_conj(back, T);
        sal_quat_mul(turned, turn, back);
        sal_quat_copy(turn, turned);
    }
}

/* The same of a place. */
static void turn_up(double v[3])
{
    const double y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

static void read_pose(const gde_clip *c, const gde_reading *how, int row, double *q)
{
    double *turn = q + 3;
    for (int i = 0; i < 3; i++) {
        q[i] = how->unit * gde_clip_cell(c, row, c->place[i]);
    }
    if (how->up == 'y') {
        turn_up(q);
    }
    if (c->angles.column[0] >= 0) {
        gde_angles_turn(c, how, row, turn);
        return;
    }
    for (int i = 0; i < 4; i++) {
        turn[i] = gde_clip_cell(c, row, c->turn[how->w_last ? (i + 3) % 4 : i]);
        turn[i] = how->conjugated && i > 0 ? -turn[i] : turn[i];
    }
    sal_quat_normalise(turn);
    gde_turn_up(how, turn);
}

static bool is_of_root(const gde_clip *c, int column)
{
    const int *turn = c->angles.column;
    return turn[0] >= 0 && (column == turn[0] || column == turn[1] || column == turn[2]);
}

/* What an angle of a column is in rad: its unit says it, or the reading. */
double gde_clip_angle(const gde_clip *c, const gde_reading *how, int row, int column)
{
    const double said = gde_unit_size(c->s.column + column, NULL, 'A');
    const bool degrees = is_of_root(c, column) ? how->turn_degrees : how->degrees;
    return gde_clip_cell(c, row, column) * (said > 0 ? said : degrees ? DEGREE : 1);
}

/* A row as a pose of the model; what it does not say is as at home. */
static void read_row(const gde_clip *c, const gde_reading *how, int row, double *q)
{
    const sal_model *m = c->draft.m;
    const size_t nq = (size_t)m->nq;
    if (c->made != NULL) {
        memcpy(q, c->made + (size_t)row * nq, nq * sizeof *q);
        return;
    }
    memcpy(q, c->draft.pose, nq * sizeof *q);
    if (c->root >= 0) {
        read_pose(c, how, row, q + m->jnt_qposadr[c->root]);
    }
    for (int j = 0; j < m->njnt; j++) {
        const int column = m->jnt_type[j] >= SAL_JNT_SLIDE ? gde_clip_column(c, how, j) : -1;
        const double x = column < 0 ? (double)NAN
                         : m->jnt_type[j] == SAL_JNT_HINGE
                             ? gde_clip_angle(c, how, row, column) - c->turns[j]
                             : gde_clip_cell(c, row, column) * gde_slide_unit(c, j, column);
        if (!isnan(x)) {
            q[m->jnt_qposadr[j]] = c->sign[j] * x;
        }
    }
}

/* ---- the score of a reading ---- */

/* The lowest geom and where it is lowest; -1: none can touch the floor. */
static int lowest_geom(gde_draft *f, const double *q, double point[3], double *height, sal_err *err)
{
    int geom = -1;
    memcpy(f->d->qpos, q, (size_t)f->m->nq * sizeof(double));
    sal_kinematics(f->m, f->d);
    *height = DBL_MAX;
    if (sal_collide(f->wide, f->d, err) != SAL_OK) {
        return -1;
    }
    for (int i = 0; i < f->d->ncon; i++) {
        const sal_contact *con = f->d->contact + i;
        if (con->dist < *height) {
            *height = con->dist;
            geom = con->geom2; /* of which con->pos is half of the distance away */
            sal_v3_addscaled(point, con->pos, 0.5 * con->dist, con->frame);
        }
    }
    return geom;
}

void gde_clip_lowest(gde_clip *c, const double *q, const double *next, prb_step *step)
{
    gde_draft *f = &c->draft;
    double arm[3], local[3], moved[3], height, *point = step->point;
    sal_err err = {0};
    const int geom = lowest_geom(f, q, point, &height, &err);
    if (geom < 0) {
        *step = (prb_step){.at = 0};
        return;
    }
    sal_v3_sub(arm, point, f->d->geom_xpos + 3 * geom);
    sal_m3_multv(local, f->d->geom_xmat + 9 * geom, arm);
    memcpy(f->d->qpos, next, (size_t)f->m->nq * sizeof(double));
    sal_kinematics(f->m, f->d);
    sal_m3_mulv(moved, f->d->geom_xmat + 9 * geom, local);
    sal_v3_add(moved, moved, f->d->geom_xpos + 3 * geom);
    sal_v3_sub(moved, moved, point);
    sal_v3_scale(step->velocity, moved, c->rate);
    point[2] = height;
}

/* rad: between the vertical axes of the root there and at home */
static double tilt_of(const gde_clip *c, const double *q)
{
    double up[3], home[3];
    static const double z[3] = {0, 0, 1};
    if (c->root < 0) {
        return 0;
    }
    const int adr = c->draft.m->jnt_qposadr[c->root] + 3;
    double back[4];
    sal_quat_conj(back, c->draft.pose + adr);
    sal_quat_rotate(home, back, z);
    sal_quat_rotate(up, q + adr, home);
    return acos(fmin(1, fmax(-1, up[2])));
}

/* rad/s: angles that turn about their axes in another order go on less smoothly */
static double turning_of(const gde_clip *c, const double *q, const double *next)
{
    double back[4], between[4], w[3];
    if (c->root < 0 || c->angles.column[0] < 0) {
        return 0;
    }
    const int adr = c->draft.m->jnt_qposadr[c->root] + 3;
    sal_quat_conj(back, q + adr);
    sal_quat_mul(between, back, next + adr);
    sal_quat_log(w, between);
    return sal_v3_norm(w) * c->rate;
}

static double excess_of(const sal_model *m, const double *q)
{
    double sum = 0;
    int n = 0;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] >= SAL_JNT_SLIDE && m->jnt_limited[j]) {
            sum += gde_excess(m, j, q[m->jnt_qposadr[j]]);
            n++;
        }
    }
    return n == 0 ? 0 : sum / n;
}

/* How far the floor is from height 0, over the height of the root at home; 1 at most. */
static double level_of(const gde_clip *c, double height)
{
    const double home = c->root < 0 ? 0 : c->draft.pose[c->draft.m->jnt_qposadr[c->root] + 2];
    return home > 0 ? fmin(1, fabs(height) / home) : 0;
}

gde_score gde_clip_judge(gde_clip *c, const gde_reading *how, double *q, double *next)
{
    prb_step step[SAMPLES];
    prb_foothold at[SAMPLES];
    double speed[SAMPLES], height[SAMPLES], walk[2], tilt = 0, excess = 0, turning = 0;
    const int rows = c->s.nrow - 1, n = rows < SAMPLES ? rows : SAMPLES;
    for (int i = 0; i < n; i++) {
        const int row = (int)((long long)i * rows / n);
        read_row(c, how, row, q);
        read_row(c, how, row + 1, next);
        gde_clip_lowest(c, q, next, step + i);
        step[i].at = row / c->rate;
        tilt += tilt_of(c, q) / n;
        excess += excess_of(c->draft.m, q) / n;
        turning += turning_of(c, q, next) / n;
    }
    read_row(c, how, 0, q);
    read_row(c, how, rows, next);
    gde_clip_find_belt(c, step, n, q, next, walk, at, height);
    for (int i = 0; i < n; i++) {
        const double *v = step[i].velocity, over[3] = {v[0] + walk[0], v[1] + walk[1], v[2]};
        speed[i] = sal_v3_norm(over);
        height[i] = step[i].point[2];
    }
    sal_sort(speed, n);
    sal_sort(height, n);
    const double spread = height[9 * (n - 1) / 10] - height[(n - 1) / 10];
    return (gde_score){ANY + speed[n / 2] + SPREAD * fmin(spread, JUMP) + TILT * tilt +
                           EXCESS * excess + TURNING * turning + LEVEL * level_of(c, height[n / 2]),
                       speed[n / 2]};
}

/* ---- choice ---- */

/* Whether angles of joints whose unit the file does not say can be in degrees: not all of them are
 * as radians are. Angles of a few degrees at most would be those of a robot that hardly bends a
 * joint, and what does not move slides less than what does: sliding cannot tell. */
static bool joints_may_be_degrees(const gde_clip *c)
{
    static const gde_reading orders[2] = {{.by_level = false}, {.by_level = true}};
    bool beyond[2] = {false, false};
    for (int i = 0; i < 2 * c->nscalar; i++) {
        const int joint = c->by_branch[i / 2];
        const int k = gde_clip_column(c, orders + i % 2, joint);
        beyond[i % 2] = beyond[i % 2] || (k >= 0 && gde_unit(c->s.column + k, NULL, 'A')[0] == 0 &&
                                          c->draft.m->jnt_type[joint] == SAL_JNT_HINGE &&
                                          gde_clip_cannot_be_radians(c, k, joint));
    }
    return beyond[0] && beyond[1] && !c->s.radians;
}

/* The same of the angles of the root. */
static bool root_may_be_degrees(const gde_clip *c)
{
    bool beyond = false;
    for (int i = 0; i < 3 && c->angles.column[0] >= 0; i++) {
        const int k = c->angles.column[i];
        beyond = beyond || (gde_unit(c->s.column + k, NULL, 'A')[0] == 0 &&
                            gde_clip_cannot_be_radians(c, k, -1));
    }
    return beyond && !c->s.radians;
}

/* What cannot be in radians is in degrees, and what else there is probably, too; or it is not. */
static bool may_be_degrees(const gde_clip *c, const gde_reading *how)
{
    const bool joints = joints_may_be_degrees(c), root = root_may_be_degrees(c);
    return (!how->degrees && !how->turn_degrees) || (how->degrees && joints) ||
           (how->turn_degrees && root);
}

/* Reading number i of all that may be; false: the file or the model leaves no such choice. */
static bool reading(const gde_clip *c, int i, gde_reading *how)
{
    *how = (gde_reading){.w_last = i & 1,
                         .up = i & 2 ? 'y' : 'z',
                         .degrees = i & 4,
                         .by_level = i & 8,
                         .conjugated = i & 16,
                         .turn_degrees = i & 32};
    if (c->made != NULL) {
        how->unit = 1;
        return i == 0;
    }
    how->unit = gde_place_unit(c, how->up);
    const bool known_up = c->s.up != 0 && how->up != c->s.up;
    const int choice = i / WAYS;
    const bool angles = c->angles.column[0] >= 0;
    how->renamed = !angles && choice == 1;
    if (angles ? how->w_last || how->conjugated || !gde_angles_reading(c, choice, how)
               : choice > 1 || how->turn_degrees || (how->renamed && how->up != 'y')) {
        return false;
    }
    return !(c->root < 0 && (how->w_last || how->up == 'y' || how->conjugated)) && !known_up &&
           !(c->block < 0 && how->by_level) && may_be_degrees(c, how);
}

/* Whether the names of the columns say that w stands elsewhere. */
static bool is_against_names(const gde_clip *c, const gde_reading *how)
{
    return c->named_order != 0 && how->w_last != (c->named_order == 2);
}

/* Angles and lengths without a unit are in radians and m, and joints in the order of the model. */
static bool is_unusual(const gde_reading *how)
{
    return how->degrees || how->turn_degrees || how->by_level || how->unit != 1;
}

static bool is_mixed(const gde_clip *c, const gde_reading *how)
{
    return c->angles.column[0] >= 0 && how->degrees != how->turn_degrees;
}

static const char *order_name(const gde_reading *how)
{
    return how->w_last ? "x y z w" : "w x y z";
}

static void note_vector(gde_clip *c, gde_score best)
{
    const sal_model *m = c->draft.m;
    const int *at = c->angles.column;
    gde_note(
        &c->draft,
        "pose of '%s' from columns %s .. %s (place) and %s .. %s (rotation vector): %c is up%s "
        "(soles slide %.2g m/s in the median)",
        sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]), c->s.column[c->place[0]].name,
        c->s.column[c->place[2]].name, c->s.column[at[0]].name, c->s.column[at[2]].name, c->how.up,
        c->how.renamed ? ", also in the body" : "", best.speed);
}

static void note_angles(gde_clip *c, gde_score best)
{
    const sal_model *m = c->draft.m;
    char order[8];
    gde_angles_order(c, &c->how, order);
    gde_note(
        &c->draft,
        "pose of '%s' from columns %s, %s, %s (place) and %s, %s, %s (angles): %c is up%s, the "
        "body turns about its %s in this order%s (soles slide %.2g m/s in the median)",
        sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]), c->s.column[c->place[0]].name,
        c->s.column[c->place[1]].name, c->s.column[c->place[2]].name,
        c->s.column[c->angles.column[0]].name, c->s.column[c->angles.column[1]].name,
        c->s.column[c->angles.column[2]].name, c->how.up,
        c->how.renamed ? ", also in the body" : "", order,
        c->angles.sequence >= 0           ? ""
        : gde_angles_in_order(c, &c->how) ? ", that of the columns"
                                          : ", which fits best",
        best.speed);
}

/* Other orders of angles that fit nearly as well. */
static void note_orders(gde_clip *c, const comparison *made)
{
    char order[8];
    for (int i = 0; i < GDE_SEQUENCES && c->angles.column[0] >= 0; i++) {
        if (i != c->how.sequence && made->ordered[i] < made->best.total / CLOSE) {
            gde_reading how = c->how;
            how.sequence = i;
            gde_angles_order(c, &how, order);
            gde_note(&c->draft, "angles about %s in this order would fit nearly as well", order);
        }
    }
}

static int which_up(const gde_reading *how)
{
    return how->up == 'z' ? 0 : how->renamed ? 2 : 1;
}

/* Another axis that fits nearly as well. */
static void note_uprights(gde_clip *c, const comparison *made)
{
    static const char *const names[3] = {"z", "y", "y, also in the body,"};
    for (int i = 0; i < 3 && c->root >= 0 && c->angles.column[0] < 0; i++) {
        if (i != which_up(&c->how) && made->upright[i] < made->best.total / CLOSE) {
            gde_note(&c->draft,
                     "with %s up the recording would fit nearly as well: look whether the robot is "
                     "upright in it ('saltus report' of a result shows it)",
                     names[i]);
        }
    }
}

/* The joints in the order in which they are read, so that a reader sees it: the first few, and the
 * last. */
static void note_block(gde_clip *c)
{
    enum { SHOWN = 4 };
    const sal_model *m = c->draft.m;
    const int *order = c->how.by_level ? c->by_level : c->by_branch;
    char list[SHOWN * PRB_COLUMN_NAME + 40] = "";
    for (int i = 0; i < c->nscalar; i++) {
        const size_t used = strlen(list);
        char name[PRB_COLUMN_NAME];
        prb_object_name(name, m, SAL_OBJ_JOINT, order[i]);
        if (i < SHOWN || i == c->nscalar - 1) {
            snprintf(list + used, sizeof list - used, "%s%.80s",
                     i == 0       ? ""
                     : i <= SHOWN ? ", "
                                  : " .. ",
                     name);
        }
    }
    gde_note(&c->draft,
             "columns %s .. without names of joints: the %d joints in the order of %s: %s",
             c->s.column[c->block].name, c->nscalar,
             c->how.by_level ? "the levels of the tree" : "the model", list);
}

/* Columns without names whose sides seem to be exchanged. This is said, not done: a gait with its
 * sides exchanged is a gait half a cycle later. */
static void note_exchange(gde_clip *c, gde_score best, double *q, double *next)
{
    gde_reading other = c->how;
    other.exchanged = true;
    gde_find_words(&c->draft);
    if (c->block < 0 || c->draft.left[0] == 0) {
        return;
    }
    gde_clip_set_turns(c, &other);
    const gde_score found = gde_clip_judge(c, &other, q, next);
    gde_clip_set_turns(c, &c->how);
    if (found.total < CLOSE * best.total) {
        gde_note(
            &c->draft,
            "with left and right exchanged (such as FR FL RR RL in place of FL FR RL RR) these "
            "columns fit better (soles slide %.2g, not %.2g m/s): if that is their order, give "
            "them the names of the joints in %s",
            found.speed, best.speed,
            strcmp(c->s.format, "csv") == 0 ? "a first line" : "an array 'joint_names'");
    }
}

static void note_reading(gde_clip *c, gde_score best)
{
    gde_draft *f = &c->draft;
    if (c->angles.column[0] >= 0 && c->angles.vector) {
        note_vector(c, best);
    } else if (c->angles.column[0] >= 0) {
        note_angles(c, best);
    } else if (c->root >= 0 && c->made == NULL) {
        gde_note(
            f,
            "pose of '%s' from columns %s .. %s: %c is up%s, the quaternion is %s (soles slide "
            "%.2g m/s in the median)",
            sal_model_name(f->m, SAL_OBJ_BODY, f->m->jnt_bodyid[c->root]),
            c->s.column[c->place[0]].name, c->s.column[c->turn[3]].name, c->how.up,
            c->how.renamed ? ", also in the body" : "", order_name(&c->how), best.speed);
    }
    if (is_against_names(c, &c->how)) {
        gde_note(f, "the names of the columns of the quaternion say otherwise; `solve` goes by "
                    "names: if they are wrong, change them");
    }
    if (c->block >= 0) {
        note_block(c);
    }
    if (is_mixed(c, &c->how)) {
        gde_note(f, "angles of joints are in %s, those of '%s' in %s",
                 c->how.degrees ? "degrees" : "radians",
                 sal_model_name(f->m, SAL_OBJ_BODY, f->m->jnt_bodyid[c->root]),
                 c->how.turn_degrees ? "degrees" : "radians");
    } else if (c->how.degrees) {
        gde_note(f, "angles are in degrees");
    }
    gde_note_unit(c);
}

static sal_status refuse_conjugated(const gde_clip *c, gde_score plain, gde_score best,
                                    sal_err *err)
{
    return sal_fail(err, SAL_BADINPUT,
                    "the quaternions of '%.200s' seem to turn the world into the body: read so, "
                    "soles slide %.2g m/s in the median, otherwise %.2g m/s. Change the signs of "
                    "x, y and z in the file",
                    c->s.source.path, best.speed, plain.speed);
}

/* What speaks against a reading, but for how it fits: its score is divided by that. */
static double factor_of(const gde_clip *c, const gde_reading *how)
{
    const bool renamed = how->renamed && c->angles.column[0] < 0;
    return (is_against_names(c, how) ? BETTER : 1) * (is_unusual(how) ? BETTER : 1) *
           (how->conjugated ? BETTER : 1) * (renamed ? RENAMED : 1) *
           (gde_angles_in_order(c, how) ? 1 : AS_WELL) * (is_mixed(c, how) ? MIXED : 1);
}

/* Sets how; q and next are scratch. */
static void choose(gde_clip *c, comparison *made, double *q, double *next)
{
    gde_reading how;
    made->plain = made->best;
    for (int i = 0; i < GDE_SEQUENCES; i++) {
        made->ordered[i] = made->upright[i % 3] = (double)INFINITY;
    }
    for (int i = 0; i < READINGS; i++) {
        if (!reading(c, i, &how)) {
            continue;
        }
        gde_clip_set_turns(c, &how);
        const gde_score found = gde_clip_judge(c, &how, q, next);
        const double factor = factor_of(c, &how);
        if (!how.conjugated && found.total < made->plain.total) {
            made->plain = found;
        }
        made->upright[which_up(&how)] = fmin(made->upright[which_up(&how)], found.total / factor);
        made->ordered[how.sequence] = fmin(made->ordered[how.sequence], found.total / factor);
        if (found.total / factor < made->best.total) {
            made->best = (gde_score){found.total / factor, found.speed};
            made->fit = found;
            c->how = how;
        }
    }
}

/* Angles of hinges go on from the row before, without jumps by whole turns. */
static void unwrap(const sal_model *m, double *q)
{
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_HINGE) {
            double *angle = q + m->jnt_qposadr[j];
            *angle -= 360 * DEGREE * round((*angle - angle[-m->nq]) / (360 * DEGREE));
        }
    }
}

sal_status gde_clip_read(gde_clip *c, sal_err *err)
{
    const sal_model *m = c->draft.m;
    const size_t nq = (size_t)m->nq;
    double *q = sal_alloc(2 * nq + 1, sizeof *q);
    comparison made = {.best = {(double)INFINITY, 0}};
    c->qpos = sal_alloc((size_t)c->s.nrow * nq + 1, sizeof *c->qpos);
    if (q == NULL || c->qpos == NULL) {
        sal_free(q);
        return sal_fail(err, SAL_NOMEM, "out of memory for the poses of a recording");
    }
    choose(c, &made, q, q + nq);
    if (c->how.conjugated) {
        sal_free(q);
        return refuse_conjugated(c, made.plain, made.best, err);
    }
    gde_clip_set_turns(c, &c->how);
    note_reading(c, made.best);
    gde_note_turns(c);
    note_orders(c, &made);
    note_uprights(c, &made);
    note_exchange(c, made.fit, q, q + nq);
    gde_note_signs(c, made.fit, q, q + nq);
    sal_free(q);
    for (int row = 0; row < c->s.nrow; row++) {
        read_row(c, &c->how, row, c->qpos + (size_t)row * nq);
        if (row > 0) {
            unwrap(m, c->qpos + (size_t)row * nq);
        }
    }
    return SAL_OK;
}
