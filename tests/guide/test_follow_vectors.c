/* A recording is an npz of rotation vectors, joint by joint, or of qpos, or of a root and angles in
 * the way of retargeting programs. The drafted problem reads the poses that were recorded. */
#include "tests/guide/follow_truth.h"

#include "signals/npz_write.h"

/* ---- a figure with balls, hinges in threes, or one hinge where the recording has three ---- */

/* A pelvis with two legs of two parts each, on feet: the second leg is turned in its place. */
static const char figure_xml[] =
    "<mujoco>\n"
    "  <compiler angle=\"radian\"/>\n"
    "  <option timestep=\".01\"/>\n"
    "  <worldbody>\n"
    "    <geom name=\"floor\" type=\"plane\" size=\"5 5 .1\"/>\n"
    "    <body name=\"pelvis\" pos=\"0 0 .95\">\n"
    "      <freejoint name=\"root\"/>\n"
    "      <geom type=\"box\" size=\".1 .15 .1\"/>\n"
    "      <body name=\"left_leg\" pos=\"0 .1 -.05\">\n"
    "        %s\n"
    "        <geom type=\"capsule\" fromto=\"0 0 0 0 0 -.4\" size=\".05\"/>\n"
    "        <body name=\"left_foot\" pos=\"0 0 -.85\">\n"
    "          %s\n"
    "          <geom type=\"box\" pos=\".05 0 -.03\" size=\".12 .05 .02\"/>\n"
    "        </body>\n"
    "      </body>\n"
    "      <body name=\"right_leg\" pos=\"0 -.1 -.05\" quat=\".8 0 0 .6\">\n"
    "        %s\n"
    "        <geom type=\"capsule\" fromto=\"0 0 0 0 0 -.4\" size=\".05\"/>\n"
    "        <body name=\"right_foot\" pos=\"0 0 -.85\" quat=\".8 0 0 -.6\">\n"
    "          %s\n"
    "          <geom type=\"box\" pos=\".05 0 -.03\" size=\".12 .05 .02\"/>\n"
    "        </body>\n"
    "      </body>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "</mujoco>\n";
static const char *const part_name[] = {"pelvis", "left_leg", "right_leg", "left_foot",
                                        "right_foot"};
enum { PARTS = 5, SAMPLES = 60, HZ = 60 };

static sal_model *figure;
static sal_data *d;
static double vectors[SAMPLES][3 * PARTS], place[SAMPLES][3], poses[SAMPLES][7 + 4 * PARTS];

static void joints_of(char *out, size_t n, const char *name, char kind)
{
    if (kind == 'b') {
        snprintf(out, n, "<joint name=\"%s\" type=\"ball\"/>", name);
    } else {
        snprintf(out, n,
                 "<joint name=\"%s_y\" axis=\"0 1 0\"/>%s<joint name=\"%s_x\" axis=\"1 0 0\"/>"
                 "<joint name=\"%s_z\" axis=\".1 .2 1\"/>%s",
                 name, kind == '1' ? "<!--" : "", name, name, kind == '1' ? "-->" : "");
    }
}

static void make_figure(char kind)
{
    char joint[4][300], xml[4000];
    sal_diag diag = {0};
    sal_err err = {0};
    joints_of(joint[0], 300, "lh", kind);
    joints_of(joint[1], 300, "la", kind);
    joints_of(joint[2], 300, "rh", kind);
    joints_of(joint[3], 300, "ra", kind);
    const int n = snprintf(xml, sizeof xml, figure_xml, joint[0], joint[1], joint[2], joint[3]);
    files_write("figure.xml", xml, (size_t)n);
    sal_data_free(d);
    sal_model_free(figure);
    d = NULL;
    figure = NULL;
    CHECK_OK(sal_model_load(&figure, files_path("figure.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_data_new(&d, figure, &err), err);
    sal_diag_clear(&diag);
}

/* ---- its motion: it sways on its feet ---- */

/* In axes of the body model: y up, z ahead; the axes of the model are (z, x, y) of these. */
static void to_vector(double out[3], const double ours[3])
{
    sal_v3_set(out, ours[1], ours[2], ours[0]);
}

static void make_motion(void)
{
    for (int row = 0; row < SAMPLES; row++) {
        const double a = .2 * sin(.2 * row), b = .15 * cos(.2 * row);
        const double lean[3] = {b, a, .1}, back[3] = {-b, -a, 0}, none[3] = {0, 0, 0};
        double upright[4] = {.5, .5, .5, .5}, turn[4], world[4], own[4], w[3];
        const double *turns[PARTS] = {lean, none, none, back, back};
        for (int i = 0; i < PARTS; i++) {
            to_vector(vectors[row] + 3L * i, turns[i]);
        }
        sal_quat_exp(turn, lean); /* of the model's axes */
        sal_quat_copy(world, turn);
        sal_quat_mul(own, world, upright); /* of the file's: R_f = R A */
        sal_quat_log(w, own);
        sal_v3_copy(vectors[row], w);
        const double foot[3] = {0, .1, -.9};
        double arm[3];
        sal_quat_rotate(arm, turn, foot);
        sal_v3_set(place[row], -arm[0], .1 - arm[1], .05 - arm[2]);
    }
}

static void write_npz(const char *name, const sig_npz_array *arrays, size_t n)
{
    sig_npz *z = NULL;
    sal_text text = {0};
    sal_err err = {0};
    const double rate = HZ;
    CHECK_OK(sig_npz_create(&z, &err), err);
    for (size_t i = 0; i < n; i++) {
        sig_npz_add(z, arrays + i);
    }
    sig_npz_add(z, &(sig_npz_array){"mocap_framerate", "<f8", 1, {1}, &rate});
    CHECK_OK(sig_npz_close(z, &text, &err), err);
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

/* ---- what is read ---- */

static sal_status draft_figure(const char *clip, sal_err *err)
{
    sal_diag diag = {0};
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    sal_text_clear(&recording);
    const sal_follow_request request = {.rate = NAN,
                                        .clip_name = clip,
                                        .model_name = "figure.xml",
                                        .recording = &recording,
                                        .recording_name = "table.csv"};
    const sal_status status =
        sal_follow_draft(&draft_text, &notes, NULL, figure, files_path(clip), &request, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

/* Rotations of the bodies in the world, of what the drafted problem begins with, from those of the
 * recording: R_f A' R_0. */
static double furthest(void)
{
    static const double away[4] = {.5, -.5, -.5, -.5};
    static const int above[PARTS] = {-1, 0, 0, 1, 2};
    double worst = 0, q[40], scratch[160], home[PARTS][4], turn[PARTS][4], next[4], own[4], w[3];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    int body[PARTS];
    if (recording.length > 0) {
        files_write("table.csv", recording.data, recording.length);
    }
    files_write("p.xml", draft_text.data, strlen(draft_text.data));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    memcpy(d->qpos, figure->qpos0, (size_t)figure->nq * sizeof(double));
    sal_kinematics(figure, d);
    for (int i = 0; i < PARTS; i++) {
        body[i] = sal_model_find(figure, SAL_OBJ_BODY, part_name[i]);
        sal_quat_copy(home[i], d->xquat + 4 * body[i]);
    }
    for (int row = 8; row + 8 < SAMPLES && p != NULL; row++) {
        prb_states_at(p->recorded, figure, row / (HZ * p->duration), q, NULL, scratch);
        memcpy(d->qpos, q, (size_t)figure->nq * sizeof(double));
        sal_kinematics(figure, d);
        for (int i = 0; i < PARTS; i++) {
            double expected[4], back[4];
            sal_quat_exp(own, vectors[row] + 3L * i);
            if (above[i] < 0) {
                sal_quat_copy(turn[i], own);
            } else {
                sal_quat_mul(turn[i], turn[above[i]], own);
            }
            sal_quat_mul(next, turn[i], away);
            sal_quat_mul(expected, next, home[i]);
            sal_quat_conj(back, expected);
            sal_quat_mul(next, back, d->xquat + 4 * body[i]);
            sal_quat_log(w, next);
            worst = fmax(worst, sal_v3_norm(w));
        }
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return worst;
}

static void rotation_vectors_are_those_of_balls_and_hinges(void)
{
    const sig_npz_array arrays[] = {{"poses", "<f8", 2, {SAMPLES, 3L * PARTS}, vectors[0]},
                                    {"trans", "<f8", 2, {SAMPLES, 3}, place[0]}};
    make_motion();
    write_npz("a.npz", arrays, 2);
    for (int i = 0; i < 2; i++) {
        sal_err err = {0};
        make_figure("b3"[i]);
        CHECK_OK(draft_figure("a.npz", &err), err);
        CHECK(says(&notes, "rotation vectors poses_0 ..: of the 5 bodies with joints, in the order "
                           "of the levels of the tree"));
        CHECK(says(&notes, "in the world z is up and x ahead, in the joints y is up and z ahead"));
        CHECK(says(&draft_text, i == 0 ? "<channel name=\"lh\" body=\"left_leg\" columns=\"lh_x"
                                       : "<channel name=\"lh_y\" joint=\"lh_y\" columns=\"lh_y\""));
        CHECK_NEAR(furthest(), 0, 5e-3);
    }
}

static void other_numbers_of_joints_are_refused(void)
{
    static const double more[SAMPLES][72];
    const sig_npz_array arrays[] = {{"poses", "<f8", 2, {SAMPLES, 72}, more[0]},
                                    {"trans", "<f8", 2, {SAMPLES, 3}, place[0]}},
                        hands[] = {{"poses", "<f8", 2, {SAMPLES, 3L * PARTS}, vectors[0]},
                                   {"trans", "<f8", 2, {SAMPLES, 3}, place[0]}};
    sal_err err = {0};
    write_npz("a.npz", arrays, 2);
    CHECK(draft_figure("a.npz", &err) == SAL_BADINPUT &&
          strstr(err.message, "rotation vectors of 24 joints, the root and 23 more") != NULL &&
          strstr(err.message, "has 4 bodies with joints below its root") != NULL);
    for (int row = 0; row < SAMPLES; row++) { /* a hip about x, where its only hinge is about y */
        vectors[row][3] = vectors[row][5] = 1.5;
    }
    make_figure('1');
    write_npz("a.npz", hands, 2);
    CHECK(draft_figure("a.npz", &err) == SAL_BADINPUT &&
          strstr(err.message, "cannot make the rotations of") != NULL);
}

/* ---- qpos; a root and angles ---- */

static void qpos_is_read_as_it_is(void)
{
    double *const all = poses[0]; /* rows of nq, one behind the other */
    sal_err err = {0};
    make_motion();
    for (int i = 0; i < 2; i++) {
        make_figure("b3"[i]);
        for (int row = 0; row < SAMPLES; row++) {
            double *q = all + (size_t)row * (size_t)figure->nq, lean[3] = {0, .1, 0}, next[4];
            memcpy(q, figure->qpos0, (size_t)figure->nq * sizeof *q);
            q[0] = 1e-3 * row;
            sal_quat_exp(q + 3, lean);
            sal_v3_set(lean, .2 * sin(.2 * row), .3 * cos(.2 * row), 0);
            sal_quat_exp(next, lean);
            memcpy(q + 7, next, (i == 0 ? 4 : 3) * sizeof *q);
        }
        const sig_npz_array array = {"qpos", "<f8", 2, {SAMPLES, (size_t)figure->nq}, all};
        write_npz("q.npz", &array, 1);
        CHECK_OK(draft_figure("q.npz", &err), err);
        CHECK((recording.length > 0) == (i == 0));
        sal_problem *p = NULL;
        sal_diag diag = {0};
        double q[40], scratch[160], v[40];
        files_write("table.csv", recording.data == NULL ? "" : recording.data, recording.length);
        files_write("p.xml", draft_text.data, strlen(draft_text.data));
        CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
        for (int row = 8; row + 8 < SAMPLES && p != NULL; row++) {
            prb_states_at(p->recorded, figure, row / (HZ * p->duration), q, NULL, scratch);
            sal_differentiate_pos(figure, v, 1, all + (size_t)row * (size_t)figure->nq, q);
            v[2] = 0; /* it stands on no floor */
            for (int k = 0; k < figure->nv; k++) {
                CHECK_NEAR(v[k], 0, 5e-3);
            }
        }
        sal_problem_free(p);
        sal_diag_clear(&diag);
    }
}

static void retargeted_motions_have_w_last(void)
{
    static double root[TRUTH_ROWS][3], turn[TRUTH_ROWS][4], joints[TRUTH_ROWS][NQ - 7];
    double from, about;
    sal_err err = {0};
    for (int row = 0; row < TRUTH_ROWS; row++) {
        sal_v3_copy(root[row], truth[row]);
        for (int i = 0; i < 4; i++) {
            turn[row][i] = truth[row][3 + (i + 1) % 4];
        }
        memcpy(joints[row], truth[row] + 7, sizeof joints[row]);
    }
    const double rate = TRUTH_RATE;
    const sig_npz_array arrays[] = {{"fps", "<f8", 1, {1}, &rate},
                                    {"root_pos", "<f8", 2, {TRUTH_ROWS, 3}, root[0]},
                                    {"root_rot", "<f8", 2, {TRUTH_ROWS, 4}, turn[0]},
                                    {"dof_pos", "<f8", 2, {TRUTH_ROWS, NQ - 7}, joints[0]}};
    sig_npz *z = NULL;
    sal_text text = {0};
    CHECK_OK(sig_npz_create(&z, &err), err);
    for (int i = 0; i < 4; i++) {
        sig_npz_add(z, arrays + i);
    }
    CHECK_OK(sig_npz_close(z, &text, &err), err);
    files_write("r.npz", text.data, text.length);
    sal_text_clear(&text);
    CHECK_OK(draft_of("r.npz", (double)NAN, &err), err);
    CHECK(says(&notes, "the quaternion is x y z w"));
    CHECK(says(&draft_text, "columns=\"root_pos_0 root_pos_1"));
    read_draft(&from, &about);
    CHECK_NEAR(from, 0, 4e-3);
    CHECK_NEAR(about, 0, 4e-3);
}

int main(void)
{
    RUN(make_truth);
    RUN(rotation_vectors_are_those_of_balls_and_hinges);
    RUN(other_numbers_of_joints_are_refused);
    RUN(qpos_is_read_as_it_is);
    RUN(retargeted_motions_have_w_last);
    sal_data_free(d);
    sal_model_free(figure);
    forget_truth();
    files_remove();
    return check_done();
}
