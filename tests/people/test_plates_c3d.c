/* Force plates of C3D files, turned as laboratories have them, beside tables of the same forces: a
 * person's joints give the same. */
#include "tests/people/standing_person.h"
#include "tests/signals/c3d_file.h"

enum { FRAMES = 100, PER_FRAME = 10, SAMPLES = FRAMES * PER_FRAME, NPLATE = 2, NCHANNEL = 12 };
static const double below = .05, half[2] = {.3, .2};
/* m, z up: middles of the surfaces, and axes (x, y, z) of the plates, z down: one turned by 30
 * degrees, one by a quarter turn */
static const double middle[NPLATE][3] = {{.12, -.31, 0}, {.05, .27, 0}};
static const double axis[NPLATE][9] = {
    {.86602540378443865, .5, 0, .5, -.86602540378443865, 0, 0, 0, -1},
    {0, -1, 0, -1, 0, 0, 0, 0, -1},
};

/* What a file is like: samples before the person is there; TYPE of the first plate; the number of
 * the first frame; what the channels read without load, N and N mm */
static int idle, first_type, first_frame = 1;
static double offset[NCHANNEL];

/* Force on the foot, centre of pressure, free moment of a plate at a sample. */
static void known(int plate, int k, double f[3], double p[3], double *free_moment)
{
    const double t = (double)k / SAMPLES, wave = sin(6.283185307 * t);
    const double load = k < idle ? 0 : mass * gravity;
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    sal_v3_set(f, .04 * load * wave, .03 * load * (plate ? 1 : -1),
               load * (.5 + (plate ? -.1 : .1) * wave));
    sal_v3_set(p, .05 + .03 * wave, plate ? -y : y, 0);
    *free_moment = k < idle ? 0 : plate ? 2.5 : -4 * wave;
}

/* The same as a table, y up */
static void write_table(const char *name)
{
    sal_text text = {0};
    sal_text_add(&text, "plates\nversion=1\ninDegrees=no\nendheader\ntime");
    for (int i = 1; i <= NPLATE; i++) {
        static const char *const what[] = {"force", "force", "torque"}, *const stem[] = {"v", "p",
                                                                                         ""};
        for (int k = 0; k < 9; k++) {
            sal_text_format(&text, "\tground_%s_%d_%s%c", what[k / 3], i, stem[k / 3],
                            "xyz"[k % 3]);
        }
    }
    for (int k = 0; k < SAMPLES; k++) {
        sal_text_format(&text, "\n%.9g", k / (double)(RATE * PER_FRAME));
        for (int i = 0; i < NPLATE; i++) {
            double f[3], p[3], turn;
            known(i, k, f, p, &turn);
            sal_text_format(&text, "\t%.12g\t%.12g\t%.12g\t%.12g\t0\t%.12g\t0\t%.12g\t0", f[0],
                            f[2], -f[1], p[0], -p[1], turn);
        }
    }
    sal_text_add(&text, "\n");
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

/* ---- the same as a C3D file, z up, mm ---- */

/* The force on the plate and its moment about where it measures, as its channels have them. */
static double analog(int i, int number)
{
    const int channel = number % NCHANNEL, plate = channel / 6, part = channel % 6;
    double f[3], p[3], arm[3], force[3] = {0}, local[3] = {0}, moment[3], turn;
    known(plate, PER_FRAME * i + number / NCHANNEL, f, p, &turn);
    sal_v3_sub(arm, p, middle[plate]);
    for (int a = 0; a < 3; a++) {
        for (int k = 0; k < 3; k++) {
            force[a] -= axis[plate][3 * a + k] * f[k];
            local[a] += axis[plate][3 * a + k] * arm[k];
        }
    }
    local[2] -= below;
    sal_v3_cross(moment, local, force);
    moment[2] -= axis[plate][8] * turn;
    return (part < 3 ? force[part] : 1e3 * moment[part - 3]) + offset[channel];
}

static bool marker(int i, int k, double x[3])
{
    (void)i;
    sal_v3_scale(x, d->site_xpos + 3 * sal_model_find(m, SAL_OBJ_SITE, worn[k]), 1e3);
    return true;
}

static void groups(sal_text *t)
{
    static const double quadrant[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double type[NPLATE] = {first_type, 2},
                 origin[6] = {0, 0, -1e3 * below, 0, 0, -1e3 * below};
    double corner[NPLATE * 12], channel[NCHANNEL], scale[NCHANNEL];
    for (int k = 0; k < NPLATE * 12; k++) {
        const int plate = k / 12, a = k % 3;
        const double *at = quadrant[k / 3 % 4];
        corner[k] = 1e3 * (middle[plate][a] + at[0] * half[0] * axis[plate][a] +
                           at[1] * half[1] * axis[plate][3 + a]);
    }
    for (int k = 0; k < NCHANNEL; k++) {
        channel[k] = k + 1;
        scale[k] = 1;
    }
    c3d_group(t, 4, "ANALOG");
    c3d_group(t, 5, "FORCE_PLATFORM");
    c3d_texts(t, 4, "UNITS", "N  N  N  NmmNmmNmmN  N  N  NmmNmmNmm", 3, NCHANNEL);
    c3d_numbers(t, 4, "SCALE", 4, scale, NCHANNEL);
    c3d_number(t, 5, "USED", 2, NPLATE);
    c3d_numbers(t, 5, "TYPE", 2, type, NPLATE);
    c3d_grid(t, 5, "CORNERS", 4, corner, 12, NPLATE * 12);
    c3d_grid(t, 5, "ORIGIN", 4, origin, 3, NPLATE * 3);
    c3d_grid(t, 5, "CHANNEL", 2, channel, 6, NCHANNEL);
}

static void write_c3d(const char *name, void (*with)(sal_text *t))
{
    char labels[NWORN * 6 + 1];
    sal_text t = {0};
    for (int i = 0; i < NWORN; i++) {
        snprintf(labels + 6 * i, 7, "%-6s", worn[i]);
    }
    const c3d_file f = {.npoint = NWORN,
                        .nframe = FRAMES,
                        .first = first_frame,
                        .per_frame = PER_FRAME,
                        .nchannel = NCHANNEL,
                        .scale = -1,
                        .rate = RATE,
                        .unit = "mm",
                        .screen = "+Z",
                        .labels = labels,
                        .width = 6,
                        .processor = 84,
                        .point = marker,
                        .analog = analog,
                        .groups = with};
    c3d_write(&t, &f);
    files_write(name, t.data, t.length);
    sal_text_clear(&t);
}

/* ---- both ---- */

static bool says(const char *text, const char *part)
{
    return text != NULL && strstr(text, part) != NULL;
}

/* From step `first` on */
static void check_alike(const sal_result *a, const sal_result *b, int first, double tolerance)
{
    int compared = 0;
    for (int t = first; a != NULL && b != NULL && t < a->nstep; t++) {
        CHECK(isnan(a->qfrc_inverse[t * m->nv]) == isnan(b->qfrc_inverse[t * m->nv]));
        const int k = a->contact_offset[t], n = a->contact_offset[t + 1] - k,
                  l = b->contact_offset[t];
        CHECK(b->contact_offset[t + 1] - l == n);
        for (int i = 0; i < m->nv && n == NPLATE; i++) {
            CHECK_NEAR(a->qfrc_inverse[t * m->nv + i], b->qfrc_inverse[t * m->nv + i], tolerance);
        }
        for (int i = 0; i < n; i++) {
            for (int axes = 0; axes < 6; axes++) {
                CHECK_NEAR(a->contact_force[6 * (k + i) + axes],
                           b->contact_force[6 * (l + i) + axes], tolerance);
            }
            for (int axes = 0; axes < 3; axes++) {
                CHECK_NEAR(a->contact_pos[3 * (k + i) + axes], b->contact_pos[3 * (l + i) + axes],
                           1e-2 * tolerance);
            }
        }
        compared += n == NPLATE;
    }
    CHECK(compared > 30);
}

static void start(int samples)
{
    idle = samples;
    first_type = 2;
    memset(offset, 0, sizeof offset);
}

/* Of markers in a file of their own, and in the same file. */
static void plates_of_a_c3d_are_those_of_a_table(void)
{
    sal_err err = {0};
    sal_text notes[3] = {{0}};
    sal_result *r[3];
    start(0);
    record("still.trc", FRAMES, on_the_floor);
    write_table("p.mot");
    write_c3d("p.c3d", groups);
    CHECK_OK(invert(&r[0], &notes[0], "p.mot", &err), err);
    CHECK_OK(invert(&r[1], &notes[1], "p.c3d", &err), err);
    CHECK_OK(invert_clip(&r[2], &notes[2], "p.c3d", "", "p.c3d", &err), err);
    check_alike(r[0], r[1], 0, 1e-3);
    check_alike(r[0], r[2], 0, 1e-2);
    CHECK(says(notes[1].data, "plate 'plate1': 0.99 s under the right foot, 0.00 s under the "
                              "left"));
    CHECK(says(notes[1].data, "the file has the opposite, the force on the plate"));
    CHECK(!says(notes[1].data, "taken off")); /* never at rest */
    for (int i = 0; i < 3; i++) {
        sal_text_clear(&notes[i]);
        sal_result_free(r[i]);
    }
}

/* Offsets that are seen before the person is there do no harm. */
static void zeros_are_found(void)
{
    sal_err err = {0};
    sal_text notes[2] = {{0}};
    sal_result *r[2];
    start(300);
    write_table("later.mot");
    for (int k = 0; k < NCHANNEL; k++) {
        offset[k] = k % 6 < 3 ? 4 + k % 3 : 900;
    }
    write_c3d("later.c3d", groups);
    CHECK_OK(invert(&r[0], &notes[0], "later.mot", &err), err);
    CHECK_OK(invert(&r[1], &notes[1], "later.c3d", &err), err);
    check_alike(r[0], r[1], 32, 1e-3);
    /* sqrt(4^2 + 5^2 + 6^2) = 8.77; down on the plate counts against what it does */
    CHECK(says(notes[1].data, "plate 'plate2': reads 8.77 N, upward 6 N, for 0.3 s at rest; this "
                              "is taken off\n"));
    for (int i = 0; i < 2; i++) {
        sal_text_clear(&notes[i]);
        sal_result_free(r[i]);
    }
}

/* Who stands still on a belt is carried back along with the force. */
static void plates_go_along_with_a_belt(void)
{
    sal_err err = {0};
    sal_text notes[2] = {{0}};
    sal_result *r[2];
    start(0);
    write_table("p.mot");
    CHECK_OK(invert(&r[0], &notes[0], "p.mot", &err), err);
    backward = -.02; /* so slowly that 8 cm are not reached in the file's own axes */
    record("belt.trc", FRAMES, on_the_floor);
    backward = 0;
    CHECK_OK(invert_clip(&r[1], &notes[1], "belt.trc", "belt=\"-.02\"", "p.mot", &err), err);
    for (int t = 20; r[0] != NULL && r[1] != NULL && t < 80; t += 20) {
        const int k = r[0]->contact_offset[t], l = r[1]->contact_offset[t];
        CHECK(r[1]->contact_offset[t + 1] - l == NPLATE);
        CHECK_NEAR(r[1]->contact_pos[3 * l], r[0]->contact_pos[3 * k] - .02 * t / RATE, 1e-9);
        CHECK_NEAR(r[1]->contact_pos[3 * l + 1], r[0]->contact_pos[3 * k + 1], 1e-9);
    }
    for (int i = 0; i < 2; i++) {
        sal_text_clear(&notes[i]);
        sal_result_free(r[i]);
    }
}

/* ---- what is not read ---- */

static void files_without_plates_are_refused(void)
{
    sal_err err = {0};
    sal_text notes = {0};
    sal_result *r = NULL;
    start(0);
    write_c3d("bad.c3d", NULL);
    CHECK(invert(&r, &notes, "bad.c3d", &err) == SAL_BADINPUT && r == NULL);
    CHECK(says(err.message,
               "the file has no force plate that can be read: FORCE_PLATFORM names none"));
    files_write("bad.c3d", "nothing", 7);
    CHECK(invert(&r, &notes, "bad.c3d", &err) == SAL_BADINPUT && r == NULL);
    CHECK(says(err.message, "this is not a C3D file"));
    static const char csv[] = "t,force_vx [lbf],force_vy [lbf],force_vz [lbf],force_px,force_py,"
                              "force_pz\n0,0,0,9,0,0,0\n1,0,0,9,0,0,0\n";
    files_write("bad.csv", csv, strlen(csv));
    CHECK(invert(&r, &notes, "bad.csv", &err) == SAL_BADINPUT && r == NULL);
    CHECK(
        says(err.message, "'lbf' is not a known unit (column 'force_vx'); force plates are in N"));
    sal_text_clear(&notes);
}

/* What is measured on a plate of a type that is not read is missing, and said. */
static void plates_of_other_types_are_said(void)
{
    sal_err err = {0};
    sal_text notes = {0};
    sal_result *r = NULL;
    start(0);
    first_type = 5;
    write_c3d("five.c3d", groups);
    CHECK(invert(&r, &notes, "five.c3d", &err) == SAL_BADINPUT && r == NULL);
    CHECK(says(notes.data, "force plate 1, of type 5, is not read: only types 1 to 4 are read\n"));
    CHECK(says(notes.data, "a foot stands on no plate"));
    sal_text_clear(&notes);
}

/* A C3D file counts from its first frame, the markers' own file from 0. */
static void another_clock_is_said(void)
{
    sal_err err = {0};
    sal_text notes = {0};
    sal_result *r = NULL;
    start(0);
    first_frame = 301;
    write_c3d("clock.c3d", groups);
    first_frame = 1;
    CHECK(invert(&r, &notes, "clock.c3d", &err) == SAL_BADINPUT && r == NULL);
    CHECK(says(err.message, "the plates measured nothing during the motion: their file has 3.00 to "
                            "4.00 s, the markers are from 0.00 to 0.99 s. Both need one clock"));
    sal_text_clear(&notes);
}

static void allocations_may_fail(void)
{
    start(100);
    offset[2] = 5;
    write_c3d("few.c3d", groups);
    fail_allocations("few.c3d", 31);
}

int main(void)
{
    make_person();
    RUN(plates_of_a_c3d_are_those_of_a_table);
    RUN(zeros_are_found);
    RUN(plates_go_along_with_a_belt);
    RUN(files_without_plates_are_refused);
    RUN(plates_of_other_types_are_said);
    RUN(another_clock_is_said);
    RUN(allocations_may_fail);
    sal_data_free(d);
    sal_model_free(m);
    files_remove();
    return check_done();
}
