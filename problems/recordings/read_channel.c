/* read_channel.c: <channel>: what it measures of the model, and how exactly. */
#include "problems/recordings/data_read.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *attribute;
    prb_channel_kind kind;
    sal_object object;
} kinds[] = {
    {"body", PRB_CHANNEL_BODY, SAL_OBJ_BODY},       {"joint", PRB_CHANNEL_JOINT, SAL_OBJ_JOINT},
    {"sensor", PRB_CHANNEL_SENSOR, SAL_OBJ_SENSOR}, {"site", PRB_CHANNEL_SITE, SAL_OBJ_SITE},
    {"ctrl", PRB_CHANNEL_CTRL, SAL_OBJ_ACTUATOR},   {"force", PRB_CHANNEL_FORCE, SAL_OBJ_BODY},
};

enum { NKIND = sizeof kinds / sizeof kinds[0] };

/* ---- what its numbers are ---- */

static bool is_ball(const sal_model *m, const prb_channel *c)
{
    return c->kind == PRB_CHANNEL_JOINT && m->jnt_type[c->id] == SAL_JNT_BALL;
}

int prb_channel_quaternion(const sal_model *m, const prb_channel *c)
{
    if (c->kind == PRB_CHANNEL_BODY) {
        return c->n == 7 ? 3 : -1;
    }
    return is_ball(m, c) && c->order == 0 ? 0 : -1;
}

bool prb_channel_is_placed(const sal_model *m, const prb_channel *c)
{
    if (c->kind != PRB_CHANNEL_SENSOR) {
        return c->kind == PRB_CHANNEL_BODY || c->kind == PRB_CHANNEL_SITE ||
               c->kind == PRB_CHANNEL_FORCE;
    }
    const int type = m->sensor_type[c->id];
    return (type >= SAL_SENS_FRAMEPOS && type <= SAL_SENS_FRAMEANGACC &&
            m->sensor_refid[c->id] < 0) ||
           (type >= SAL_SENS_SUBTREECOM && type <= SAL_SENS_SUBTREEANGMOM) ||
           type == SAL_SENS_GEOMNORMAL || type == SAL_SENS_GEOMFROMTO;
}

/* Whether number k begins a point of the world, which has a place, not only a direction. */
bool prb_channel_begins_point(const sal_model *m, const prb_channel *c, int k)
{
    if (c->kind == PRB_CHANNEL_SENSOR) {
        const int type = m->sensor_type[c->id];
        return type == SAL_SENS_FRAMEPOS || type == SAL_SENS_SUBTREECOM ||
               type == SAL_SENS_GEOMFROMTO;
    }
    return c->kind == PRB_CHANNEL_FORCE ? k == 3 : k == 0;
}

/* A slide joint of a body of the world, with nothing before it that turns: the part along its
 * axis. */
static double along_slide(const sal_model *m, int joint, const double v[3])
{
    const int body = m->jnt_bodyid[joint];
    double axis[3];
    for (int j = m->body_jntadr[body]; j < joint; j++) {
        if (m->jnt_type[j] != SAL_JNT_SLIDE) {
            return 0;
        }
    }
    if (m->jnt_type[joint] != SAL_JNT_SLIDE || m->body_parentid[body] != 0) {
        return 0;
    }
    sal_quat_rotate(axis, m->body_quat + 4 * body, m->jnt_axis + 3 * joint);
    return sal_v3_dot(axis, v);
}

bool prb_channel_is_part_of_root(const sal_model *m, const prb_channel *c)
{
    const int body = c->kind == PRB_CHANNEL_JOINT ? m->jnt_bodyid[c->id] : 0;
    bool slides = false;
    for (int i = 0; i < m->body_jntnum[body] && m->body_parentid[body] == 0; i++) {
        slides = slides || m->jnt_type[m->body_jntadr[body] + i] == SAL_JNT_SLIDE;
    }
    return slides;
}

double prb_channel_carried(const sal_model *m, const prb_channel *c, int k, const double v[3],
                           bool *place)
{
    if (c->kind == PRB_CHANNEL_JOINT) {
        *place = c->order == 0;
        return along_slide(m, c->id, v);
    }
    const int type = c->kind == PRB_CHANNEL_SENSOR ? m->sensor_type[c->id] : -1;
    *place = prb_channel_begins_point(m, c, k - k % 3);
    const bool speed = type == SAL_SENS_FRAMELINVEL || type == SAL_SENS_SUBTREELINVEL;
    return prb_channel_is_placed(m, c) && k < c->n - (c->n % 3) && (*place || speed) ? v[k % 3] : 0;
}

/* How many numbers of a joint, or 0 after an error. */
static int joint_size(prb_reader *r, const prb_word *word, int joint, int order)
{
    static const int size[][2] = {[SAL_JNT_FREE] = {0, 0},
                                  [SAL_JNT_BALL] = {4, 3},
                                  [SAL_JNT_SLIDE] = {1, 1},
                                  [SAL_JNT_HINGE] = {1, 1}};
    const int n = size[r->p->model->jnt_type[joint]][order];
    if (n == 0) {
        sal_diag_error(r->diag, word->place, "use body= for its pose",
                       "joint '%.100s' is a free joint", word->text);
    }
    return n;
}

/* Columns that are named; a marker is one of them. */
static int count_columns(const sal_xml *element)
{
    const sal_xml_attr *a = sal_xml_find_attr(element, "columns");
    return a == NULL ? 0 : prb_reader_count_words(a);
}

/* A quaternion is no vector of numbers that could be compared one by one; what actuators add to a
 * force is computed after the motion. */
static int sensor_size(prb_reader *r, const prb_word *word, int sensor)
{
    const int type = r->p->model->sensor_type[sensor];
    if (type == SAL_SENS_FRAMEQUAT || type == SAL_SENS_BALLQUAT) {
        sal_diag_error(r->diag, word->place, "use body= or joint= instead",
                       "sensor '%.100s' reads a quaternion", word->text);
        return 0;
    }
    if (sal_sensor_feels_actuators(r->p->model, sensor)) {
        sal_diag_error(
            r->diag, word->place, "with compat=\"3.12\" such sensors leave tendons out",
            "sensor '%.100s' feels actuators through a tendon, whose forces are not known",
            word->text);
        return 0;
    }
    if (type == SAL_SENS_CLOCK || type == SAL_SENS_USER) {
        sal_diag_error(r->diag, word->place, "remove the channel",
                       "sensor '%.100s' is a %s sensor, which the motion does not change",
                       word->text, type == SAL_SENS_CLOCK ? "clock" : "user");
        return 0;
    }
    return r->p->model->sensor_dim[sensor];
}

/* How many numbers the channel has: what is measured says it, or the columns do, of which a single
 * one is a marker. 0 after an error. */
static int size_of(prb_reader *r, const sal_xml *element, const prb_word *word,
                   const prb_channel *c)
{
    const int named = count_columns(element);
    switch (c->kind) {
    case PRB_CHANNEL_JOINT:
        return joint_size(r, word, c->id, c->order);
    case PRB_CHANNEL_SENSOR:
        return sensor_size(r, word, c->id);
    case PRB_CHANNEL_SITE:
        return 3;
    case PRB_CHANNEL_CTRL:
        return 1;
    case PRB_CHANNEL_BODY:
        return named == 1 ? 3 : named == 3 || named == 7 ? named : 0;
    case PRB_CHANNEL_FORCE:
        break;
    }
    return named == 3 || named == 6 || named == 9 ? named : 0;
}

static bool check_columns(prb_reader *r, const sal_xml *element, const prb_channel *c)
{
    static const char *const help[] = {
        [PRB_CHANNEL_BODY] = "allowed: three columns for its position; seven for its pose, x y z "
                             "and a quaternion w x y z",
        [PRB_CHANNEL_JOINT] =
            "allowed: one column; for a ball joint four (w x y z), or three for its velocity",
        [PRB_CHANNEL_SENSOR] = "give as many columns as the sensor has numbers",
        [PRB_CHANNEL_SITE] = "give three columns, or a marker",
        [PRB_CHANNEL_CTRL] = "one",
        [PRB_CHANNEL_FORCE] = "allowed: three columns for the force, three more for the point "
                              "where it acts, three more for a torque",
    };
    const int named = count_columns(element);
    const bool marker = named == 1 && c->n == 3;
    const bool counted = c->kind == PRB_CHANNEL_BODY || c->kind == PRB_CHANNEL_FORCE;
    if (c->n == 0 && !counted) {
        return false; /* as was said */
    }
    if (named == 0 || (c->n > 0 && (named == c->n || marker))) {
        return named > 0;
    }
    sal_diag_error(r->diag, prb_reader_place(element, "columns"), help[c->kind],
                   "%d column%s do%s not fit this channel", named, named == 1 ? "" : "s",
                   named == 1 ? "es" : "");
    return false;
}

/* ---- how exactly ---- */

/* One deviation for all numbers of the residual, one for each, or of a pose one of position and one
 * of rotation. */
static bool read_sigma(prb_reader *r, const sal_xml *element, prb_channel *c)
{
    enum { MOST = 16 };
    double sigma[MOST];
    const int n = prb_grammar_reals("channel", element, "sigma", sigma, MOST);
    const bool pose = c->kind == PRB_CHANNEL_BODY && c->nres == 6 && n == 2;
    c->sigma = prb_reader_alloc(r, (size_t)c->nres + 1, sizeof(double));
    if (c->sigma == NULL || c->nres == 0) {
        return c->sigma != NULL;
    }
    if (n <= 0) {
        sal_diag_error(r->diag, element->place,
                       "sigma is the standard deviation of the measurement",
                       "the channel needs 'sigma'");
        return false;
    }
    if (n != 1 && n != c->nres && !pose) {
        sal_diag_error(r->diag, prb_reader_place(element, "sigma"),
                       c->nres == 6 ? "allowed: one number, two (position, rotation) or six" : NULL,
                       "sigma has %d numbers, but the channel has %d", n, c->nres);
        return false;
    }
    for (int k = 0; k < c->nres; k++) {
        c->sigma[k] = sigma[n == 1 ? 0 : pose ? k / 3 : k];
    }
    return true;
}

/* What is taken as known has no residual: no sigma, and no norm of it. */
static bool check_known(prb_reader *r, const sal_xml *element, const prb_channel *c)
{
    static const char *const of_residual[] = {"sigma", "norm", "p"};
    const bool known = c->kind == PRB_CHANNEL_CTRL || c->kind == PRB_CHANNEL_FORCE;
    for (size_t k = 0; known && k < sizeof of_residual / sizeof of_residual[0]; k++) {
        if (sal_xml_find_attr(element, of_residual[k]) != NULL) {
            sal_diag_error(r->diag, prb_reader_place(element, of_residual[k]),
                           "remove it; the recorded values are used as they are",
                           "a channel of 'ctrl' or 'force' cannot have '%s', since it is taken as "
                           "known",
                           of_residual[k]);
            return false;
        }
    }
    return true;
}

/* Scale and offset of a pose are its position's; a rotation alone has none. */
static bool check_calibration(prb_reader *r, const sal_xml *element, const prb_channel *c)
{
    const char *name = fabs(c->scale - 1) > 0 ? "scale" : fabs(c->offset) > 0 ? "offset" : NULL;
    if (fabs(c->scale) <= 0) {
        sal_diag_error(r->diag, prb_reader_place(element, "scale"), NULL,
                       "the scale of a channel cannot be 0");
        return false;
    }
    if (name != NULL && prb_channel_quaternion(r->p->model, c) == 0) {
        sal_diag_error(r->diag, prb_reader_place(element, name), NULL,
                       "a rotation cannot have '%s'", name);
        return false;
    }
    return true;
}

/* ---- the channel ---- */

/* Which object it is about; false after an error. */
static bool find_object(prb_reader *r, const sal_xml *element, prb_word *word, prb_channel *c)
{
    int given = 0;
    const char *name = NULL;
    for (int i = 0; i < NKIND; i++) {
        if (sal_xml_find_attr(element, kinds[i].attribute) == NULL) {
            continue;
        }
        if (given++ > 0) {
            sal_diag_error(r->diag, prb_reader_place(element, kinds[i].attribute), NULL,
                           "a channel can measure only one object; this one names '%s' and '%s'",
                           name, kinds[i].attribute);
            return false;
        }
        name = kinds[i].attribute;
        if (!prb_reader_whole(r, word, element, name)) {
            return false;
        }
        c->kind = kinds[i].kind;
        c->id = r->p->model == NULL ? -1
                                    : prb_reader_find(r, kinds[i].object, SAL_OBJ_NONE, word, NULL);
    }
    if (given == 0) {
        sal_diag_error(r->diag, element->place, "add one of body, joint, sensor, site, ctrl, force",
                       "this <channel> names no object");
    }
    return given == 1 && c->id >= 0;
}

bool prb_read_channel(prb_reader *r, const sal_xml *element, prb_channel *c)
{
    prb_word word;
    const char *name = prb_grammar_text("channel", element, "name");
    c->id = -1;
    c->name = prb_reader_copy(r, name == NULL ? "" : name);
    if (!find_object(r, element, &word, c)) {
        return false;
    }
    const int of = prb_grammar_choice("channel", element, "of");
    if (of > 0 && c->kind != PRB_CHANNEL_JOINT) {
        sal_diag_error(r->diag, prb_reader_place(element, "of"),
                       "use a sensor to measure a velocity",
                       "of=\"vel\" is possible only with joint=");
        return false;
    }
    c->order = of > 0 ? of : 0;
    if (prb_grammar_choice("channel", element, "unwrap") == 1 &&
        (c->kind != PRB_CHANNEL_JOINT || c->order != 0 ||
         r->p->model->jnt_type[c->id] != SAL_JNT_HINGE)) {
        sal_diag_error(r->diag, prb_reader_place(element, "unwrap"), NULL,
                       "'unwrap' is possible only for the angle of a hinge joint");
        return false;
    }
    c->n = size_of(r, element, &word, c);
    if (!check_columns(r, element, c)) {
        return false;
    }
    const bool known = c->kind == PRB_CHANNEL_CTRL || c->kind == PRB_CHANNEL_FORCE;
    c->nres = known ? 0 : c->n - (prb_channel_quaternion(r->p->model, c) >= 0);
    c->scale = prb_grammar_real("channel", element, "scale");
    c->offset = prb_grammar_real("channel", element, "offset");
    c->delay = prb_grammar_real("channel", element, "delay");
    prb_reader_norm(r, "channel", element, &c->norm);
    return check_calibration(r, element, c) && check_known(r, element, c) &&
           read_sigma(r, element, c);
}
