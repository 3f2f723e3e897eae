/* draft.c: a problem file to begin with, for a model nobody has said anything about.
 *
 *     feet      points of geoms that may touch a static plane, among the lowest of the mechanism as
 *               it stands
 *     root      a slide or free joint of a driven tree, free to travel along the floor
 *     cycle     where there are both; mirrored where the model is its own mirror image with two
 *               words in the names of joints exchanged
 *     speed     .4 sqrt(g l), a comfortable walk's Froude number, l the height of the root over the
 *               floor; period 1.15 s sqrt(l / 1 m)
 */
#include "base/house.h"
#include "guide/guide.h"
#include "problems/integrator.h"
#include "problems/problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEET_MAX = 16, NAME = 256, REALS_MAX = 60 };

typedef struct prb_draft {
    const sal_model *m;
    sal_text *out;
    sal_data *d; /* as it stands */
    int key;     /* the keyframe that it stands in; -1: home */
    int nfoot;
    char foot[FEET_MAX][NAME]; /* points, as a problem file names them */
    double height;             /* of the root's body over the lowest of them, m */
    int travel;                /* joint; -1: none */
    const char *left, *right;  /* words of the mirror, as sal_image_mirror has them; NULL: none */
} prb_draft;

/* ---- names ---- */

/* A name that a list of names can hold: not empty, no blanks. */
static bool is_word(const char *name)
{
    return name[0] != 0 && name[strcspn(name, " \t\r\n")] == 0 && strlen(name) < NAME - 2;
}

static void attribute(sal_text *out, const char *name, const char *value)
{
    sal_text_format(out, " %s=\"", name);
    sal_xml_escape(out, value);
    sal_text_add(out, "\"");
}

/* ---- how it stands ---- */

/* The keyframe whose name says that it stands, else the first that has a name. */
static int standing_key(const sal_model *m)
{
    int first = -1;
    for (int k = 0; k < m->nkey; k++) {
        const char *name = sal_model_name(m, SAL_OBJ_KEY, k);
        if (name[0] == 0) {
            continue;
        }
        if (strstr(name, "stand") != NULL || strstr(name, "home") != NULL) {
            return k;
        }
        first = first < 0 ? k : first;
    }
    return first;
}

static bool meets_a_plane(const sal_model *m, int geom)
{
    for (int i = 0; i < m->npair; i++) {
        const int one = m->pair_geom1[i], two = m->pair_geom2[i];
        const int other = one == geom ? two : two == geom ? one : -1;
        if (other >= 0 && m->geom_type[other] == SAL_GEOM_PLANE &&
            m->body_weldid[m->geom_bodyid[other]] == 0) {
            return true;
        }
    }
    return false;
}

/* Height of the lowest point of a geom's end over the plane below it; infinite without one. */
static double height_of(const sal_model *m, const sal_data *d, int geom, int sign)
{
    sal_point point = sal_point_geom(m, geom, sign);
    double x[3], normal[3];
    if (sal_point_settle(&point, m, d, NULL) != SAL_OK) {
        return DBL_MAX;
    }
    sal_m3_mulv(x, d->xmat + 9 * point.body, point.pos);
    sal_v3_add(x, x, d->xpos + 3 * point.body);
    sal_v3_sub(x, x, d->geom_xpos + 3 * point.plane);
    sal_m3_column(normal, d->geom_xmat + 9 * point.plane, 2);
    return sal_v3_dot(normal, x) - point.radius;
}

/* From which sign to which: a sphere is named by its centre, what has ends by them. 0, -1: not a
 * foot. */
static void ends_of(int type, int *first, int *last)
{
    const bool ends = type == SAL_GEOM_CAPSULE || type == SAL_GEOM_CYLINDER || type == SAL_GEOM_BOX;
    *first = ends ? -1 : 0;
    *last = ends ? 1 : type == SAL_GEOM_SPHERE ? 0 : -1;
}

/* Of all points that may touch the floor: the lowest, or (write) those at most `most` high. */
static double look_at_feet(prb_draft *f, double most, bool write)
{
    const sal_model *m = f->m;
    double lowest = DBL_MAX;
    for (int g = 0; g < m->ngeom; g++) {
        int first, last;
        const char *name = sal_model_name(m, SAL_OBJ_GEOM, g);
        ends_of(m->geom_type[g], &first, &last);
        if (m->body_weldid[m->geom_bodyid[g]] == 0 || !is_word(name) || !meets_a_plane(m, g)) {
            continue;
        }
        for (int sign = first; sign <= last; sign += last > 0 ? 2 : 1) {
            const double height = height_of(m, f->d, g, sign);
            lowest = fmin(lowest, height);
            if (write && height <= most && f->nfoot < FEET_MAX) {
                snprintf(f->foot[f->nfoot++], NAME, "%s%s", name,
                         sign < 0   ? "-"
                         : sign > 0 ? "+"
                                    : "");
            }
        }
    }
    return lowest;
}

/* ---- what travels ---- */

static bool is_driven(const sal_model *m, int root)
{
    for (int i = 0; i < m->nu; i++) {
        const int joint = m->actuator_trnid[i];
        if (m->actuator_trntype[i] != SAL_TRN_JOINT ||
            m->body_rootid[m->jnt_bodyid[joint]] == root) {
            return true;
        }
    }
    return false;
}

static bool is_actuated(const sal_model *m, int joint)
{
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] == SAL_TRN_JOINT && m->actuator_trnid[i] == joint) {
            return true;
        }
    }
    return false;
}

/* A joint that carries a driven tree along the floor, nothing holding it back. */
static bool may_travel(const prb_draft *f, int j)
{
    const sal_model *m = f->m;
    const double *axis = f->d->xaxis + 3 * j, *poly = m->jnt_stiffnesspoly + 2 * j;
    const int type = m->jnt_type[j], body = m->jnt_bodyid[j];
    const bool level = fabs(axis[2]) < 1e-6;
    return m->body_parentid[body] == 0 && is_driven(m, body) && !is_actuated(m, j) &&
           (type == SAL_JNT_FREE || (type == SAL_JNT_SLIDE && level)) && !m->jnt_limited[j] &&
           m->jnt_stiffness[j] == 0 && poly[0] == 0 && poly[1] == 0 &&
           is_word(sal_model_name(m, SAL_OBJ_JOINT, j));
}

/* Does the model go on as its own (mirror) image after travelling along the joint? */
static bool travels_as(const prb_draft *f, int joint, const char *left, const char *right)
{
    static const double ahead[2] = {1, 0};
    const sal_model *m = f->m;
    sal_image *image;
    if (sal_image_new(&image, m, NULL) != SAL_OK) {
        return false;
    }
    bool good = left == NULL || sal_image_mirror(image, m, left, right, NULL) == SAL_OK;
    bool partners = left == NULL;
    for (int i = 0; i < m->nv && good; i++) {
        partners = partners || image->dof_index[i] != i;
    }
    const bool sideways = left != NULL && m->jnt_type[joint] == SAL_JNT_SLIDE &&
                          fabs(f->d->xaxis[3 * joint + 1]) > 1e-6;
    good = good && partners && !sideways &&
           sal_image_travel(image, m, joint, m->jnt_type[joint] == SAL_JNT_FREE ? ahead : NULL,
                            NULL) == SAL_OK;
    sal_image_free(image);
    return good;
}

static void find_travel(prb_draft *f)
{
    static const char *const words[][2] = {{"left", "right"},
                                           {"Left", "Right"},
                                           {"LEFT", "RIGHT"},
                                           {"l", "r"},
                                           {"L", "R"},
                                           {"FL RL", "FR RR"},
                                           {"FL HL", "FR HR"},
                                           {"LF LH", "RF RH"},
                                           {"fl rl", "fr rr"},
                                           {"fl hl", "fr hr"},
                                           {"lf lh", "rf rh"},
                                           {"left l", "right r"},
                                           {"Left L", "Right R"},
                                           {"left L", "right R"}};
    for (int j = 0; j < f->m->njnt; j++) {
        if (!may_travel(f, j)) {
            continue;
        }
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (travels_as(f, j, words[i][0], words[i][1])) {
                f->travel = j;
                f->left = words[i][0];
                f->right = words[i][1];
                return;
            }
        }
        if (f->travel < 0 && travels_as(f, j, NULL, NULL)) {
            f->travel = j;
        }
    }
}

/* ---- writing ---- */

static void write_model(prb_draft *f, const char *file)
{
    char why[300];
    sal_text_add(f->out, "  <model");
    attribute(f->out, "file", file);
    sal_text_add(f->out, f->m->compat222 ? " compat=\"2.2.2\"/>\n" : "/>\n");
    if (!prb_integrator_is_invertible(f->m, why)) {
        sal_text_add(f->out, "  <override path=\"option/integrator\" value=\"Euler\"/>  <!-- the "
                             "model's own integrator has no inverse -->\n");
    }
}

/* Orientation of a free root's body, by a sensor of its own. */
static int upright_body(const prb_draft *f)
{
    const int body = f->travel < 0 ? 0 : f->m->jnt_bodyid[f->travel];
    const bool turns = f->travel >= 0 && f->m->jnt_type[f->travel] == SAL_JNT_FREE;
    return turns && sal_model_name(f->m, SAL_OBJ_BODY, body)[0] != 0 &&
                   sal_model_find(f->m, SAL_OBJ_SENSOR, "root_zaxis") < 0
               ? body
               : 0;
}

static void write_sensor(const prb_draft *f)
{
    const int body = upright_body(f);
    if (body > 0) {
        sal_text_add(f->out, "  <sensor>\n    <framezaxis name=\"root_zaxis\" objtype=\"xbody\"");
        attribute(f->out, "objname", sal_model_name(f->m, SAL_OBJ_BODY, body));
        sal_text_add(f->out, "/>\n  </sensor>\n");
    }
}

/* Two significant digits. */
static double rounded(double x)
{
    char text[32];
    const char *end;
    snprintf(text, sizeof text, "%.2g", x);
    sal_text_number(text, &end, &x);
    return x;
}

/* The words of both lists, pair by pair: "FL FR; RL RR" */
static void write_mirror(const prb_draft *f)
{
    const char *left = f->left, *right = f->right, *before = "";
    sal_text_add(f->out, " mirror=\"");
    while (*left != 0) {
        const int nleft = (int)strcspn(left, " "), nright = (int)strcspn(right, " ");
        sal_text_format(f->out, "%s%.*s %.*s", before, nleft, left, nright, right);
        left += nleft + (left[nleft] == ' ');
        right += nright + (right[nright] == ' ');
        before = "; ";
    }
    sal_text_add(f->out, "\"");
}

static void write_cycle(const prb_draft *f)
{
    const bool mirror = f->left != NULL, free = f->m->jnt_type[f->travel] == SAL_JNT_FREE;
    const double length = fmin(fmax(f->height, 0.05), 20);
    const double period = rounded(1.15 * sqrt(length) / (mirror ? 2 : 1));
    sal_text_format(f->out,
                    "  <time nstep=\"%d\" duration=\"%.9g\"/>      <!-- s%s; range=\"%.9g %.9g\" "
                    "makes it free -->\n",
                    mirror ? 20 : 40, period,
                    mirror ? ": half a cycle; the other half is its mirror image" : "",
                    rounded(period / 2), rounded(2 * period));
    sal_text_add(f->out, "  <boundary type=\"cycle\"");
    if (mirror) {
        write_mirror(f);
    }
    sal_text_add(f->out,
                 ">        <!-- or type=\"open\" with <start/> and <end/> -->\n    <travel");
    attribute(f->out, "joint", sal_model_name(f->m, SAL_OBJ_JOINT, f->travel));
    sal_text_format(f->out,
                    "%s speed=\"%.9g\"/>  <!-- m/s; or value (m), or range=\"lo hi\" (m); without "
                    "them it is free -->\n",
                    free ? " direction=\"1 0\"" : "", rounded(0.4 * sqrt(9.81 * length)));
    sal_text_add(f->out, "  </boundary>\n");
}

static void write_reals(sal_text *out, const char *name, const double *x, int n)
{
    sal_text_format(out, " %s=\"", name);
    for (int i = 0; i < n; i++) {
        sal_text_add(out, i > 0 ? " " : "");
        sal_text_real(out, x[i], 0);
    }
    sal_text_add(out, "\"");
}

/* Between two keyframes, else from one, else from home, at rest. */
static void write_open(const prb_draft *f)
{
    const sal_model *m = f->m;
    int key[2], nkey = 0;
    for (int k = 0; k < m->nkey && nkey < 2; k++) {
        if (sal_model_name(m, SAL_OBJ_KEY, k)[0] != 0) {
            key[nkey++] = k;
        }
    }
    sal_text_add(f->out, "  <time nstep=\"50\" duration=\"1\"/>      <!-- s; range=\"0.5 2\" makes "
                         "it free -->\n  <boundary type=\"open\">              <!-- joints that "
                         "are not pinned here are free -->\n    <start");
    if (nkey > 0) {
        attribute(f->out, "key", sal_model_name(m, SAL_OBJ_KEY, key[0]));
    } else if (m->nq <= REALS_MAX) {
        write_reals(f->out, "qpos", m->qpos0, m->nq);
        sal_text_add(f->out, " qvel=\"0\"");
    } else {
        sal_text_add(f->out, " qvel=\"0\"");
    }
    sal_text_add(f->out, "/>\n");
    if (nkey > 1) {
        sal_text_add(f->out, "    <end");
        attribute(f->out, "key", sal_model_name(m, SAL_OBJ_KEY, key[1]));
        sal_text_add(f->out, "/>\n");
    } else {
        sal_text_add(f->out, "    <!-- <end qpos=\"..\" qvel=\"0\"/>: rad, m, quaternions for ball "
                             "and free joints; or key=\"..\" -->\n");
    }
    sal_text_add(f->out, "  </boundary>\n");
}

/* The points in lines of at most 100 columns. */
static void write_points(const prb_draft *f, const char *quantity)
{
    size_t column = 20 + 2 * strlen(quantity);
    sal_text_format(f->out, "    <term name=\"%s\" %s=\"", quantity, quantity);
    for (int i = 0; i < f->nfoot; i++) {
        const size_t n = strlen(f->foot[i]) + 1;
        const bool fits = column + n < 98;
        sal_text_add(f->out, i == 0 ? "" : fits ? " " : "\n            ");
        column = (fits ? column : 12) + n;
        sal_xml_escape(f->out, f->foot[i]);
    }
    sal_text_add(f->out, "\" weight=\"4\"/>\n");
}

/* Keeps a root upright: its axis as it stands, or the hinges of a root of slides and hinges. */
static void write_upright(const prb_draft *f)
{
    const sal_model *m = f->m;
    const int body = upright_body(f);
    if (body > 0) {
        const double *R = f->d->xmat + 9 * body;
        sal_text_format(
            f->out,
            "    <term name=\"upright\" sensor=\"root_zaxis\" target=\"%.3g %.3g %.3g\" "
            "weight=\"0.25\"/>  <!-- rad -->\n",
            R[2] + 0.0, R[5] + 0.0, R[8] + 0.0);
        return;
    }
    for (int j = 0; f->travel >= 0 && j < m->njnt; j++) {
        if (m->jnt_bodyid[j] == m->jnt_bodyid[f->travel] && m->jnt_type[j] == SAL_JNT_HINGE &&
            !is_actuated(m, j) && is_word(sal_model_name(m, SAL_OBJ_JOINT, j))) {
            sal_text_add(f->out, "    <term name=\"upright\"");
            attribute(f->out, "joint", sal_model_name(m, SAL_OBJ_JOINT, j));
            sal_text_format(f->out, " target=\"%.3g\" weight=\"0.25\"/>  <!-- rad -->\n",
                            f->d->qpos[m->jnt_qposadr[j]]);
            return;
        }
    }
}

/* ctrl of motors has a range of about one; a servo's or an unlimited one has any size. */
static void write_effort(const prb_draft *f)
{
    const sal_model *m = f->m;
    double weight = 0;
    bool motors = m->nu > 0;
    for (int i = 0; i < m->nu; i++) {
        motors = motors && m->actuator_biastype[i] == SAL_BIAS_NONE && m->actuator_ctrllimited[i];
    }
    for (int b = 0; b < m->nbody; b++) {
        weight += m->body_weldid[b] == 0 ? 0 : 9.81 * m->body_mass[b];
    }
    if (m->nu == 0) {
        sal_text_add(f->out, "    <term name=\"calm\" joint=\"all\" of=\"vel\" weight=\"0.01\"/>  "
                             "<!-- rad/s, m/s: the model has no actuators -->\n");
    } else if (motors) {
        sal_text_add(f->out, "    <term name=\"effort\" ctrl=\"all\" weight=\"1\"/>  <!-- the "
                             "actuators' units; or force=\"all\" in N, N m -->\n");
    } else {
        sal_text_format(f->out,
                        "    <term name=\"effort\" force=\"all\" sigma=\"%.3g\"/>  <!-- N, N m: "
                        "sigma is a fifth of the weight; or ctrl=\"all\" -->\n",
                        fmin(fmax(weight / 5, 1e-6), 1e6));
    }
}

static void write_cost(const prb_draft *f, bool cycle)
{
    sal_text_add(f->out, "  <cost>  <!-- sum over terms of weight x mean over the steps of half "
                         "the square; each term names one of\n            ");
    for (int i = 0; i < PRB_NQUANTITY; i++) {
        sal_text_format(f->out, "%s%s", i % 12 == 11 ? "\n            " : " ",
                        prb_quantity_name(i));
    }
    sal_text_add(f->out, " -->\n");
    write_effort(f);
    if (cycle) {
        write_upright(f);
        sal_text_add(f->out, "    <!-- feet: velocity near the floor, m/s -->\n");
        write_points(f, "slip");
        write_points(f, "impact");
    }
    sal_text_add(f->out, "  </cost>\n");
    if (cycle) {
        sal_text_add(f->out,
                     "  <!-- <require penetration=\"0.01\" slip=\"0.1\" only=\"..\"/>: what "
                     "the motion is judged by; m, m/s, names of the feet -->\n");
    }
}

static void write_init(const prb_draft *f)
{
    sal_text_add(f->out, "  <init");
    if (f->key >= 0) {
        attribute(f->out, "key", sal_model_name(f->m, SAL_OBJ_KEY, f->key));
    }
    sal_text_add(f->out,
                 " noise=\"0.02\" nstart=\"1\" more=\"8\" seed=\"1\"/>  <!-- noise: rad, m; of "
                 "several starts the best result is kept -->\n");
}

static void write_all(prb_draft *f, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash == NULL ? file : slash + 1;
    const bool cycle = f->nfoot > 0 && f->travel >= 0;
    sal_text_add(f->out, "<!-- A first problem for this model. SI units, angles in radians. "
                         "'saltus check' finds errors,\n     'saltus solve' finds the motion, "
                         "'saltus explain WORD' explains an element or attribute. -->\n<problem");
    char name[NAME];
    snprintf(name, sizeof name, "%.*s", (int)fmin((double)strcspn(base, "."), NAME - 1), base);
    if (name[0] != 0) {
        attribute(f->out, "name", name);
    }
    sal_text_add(f->out, ">\n");
    write_model(f, file);
    if (cycle) {
        write_sensor(f);
        write_cycle(f);
    } else {
        write_open(f);
    }
    write_cost(f, cycle);
    write_init(f);
    sal_text_add(f->out, "  <solver maxiter=\"400\"/>\n</problem>\n");
}

/* Where it stands, on what, and what can travel. */
static void look(prb_draft *f)
{
    const sal_model *m = f->m;
    f->key = standing_key(m);
    memcpy(f->d->qpos, f->key < 0 ? m->qpos0 : m->key_qpos + (size_t)f->key * (size_t)m->nq,
           (size_t)m->nq * sizeof(double));
    sal_kinematics(m, f->d);
    f->travel = -1;
    find_travel(f);
    if (f->travel < 0) {
        return;
    }
    const double lowest = look_at_feet(f, 0, false);
    f->height = f->d->xpos[3 * m->jnt_bodyid[f->travel] + 2] - lowest;
    if (lowest < DBL_MAX) {
        look_at_feet(f, lowest + fmax(0.005, 0.01 * f->height), true);
    }
}

sal_status sal_problem_draft(sal_text *out, const sal_model *m, const char *file, sal_err *err)
{
    prb_draft f = {.m = m, .out = out};
    if (m->nv == 0) {
        return sal_fail(err, SAL_BADINPUT, "the model has no joints, so nothing can move");
    }
    const sal_status status = sal_data_new(&f.d, m, err);
    if (status == SAL_OK) {
        look(&f);
        write_all(&f, file);
        sal_data_free(f.d);
    }
    return status;
}
