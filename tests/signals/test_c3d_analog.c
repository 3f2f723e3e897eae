/* Analog channels and force plates of C3D files: of plates on which forces are known, and of a real
 * laboratory's file, beside a program of our own that reads it by the book. */
#include "tests/memory.h"
#include "tests/signals/c3d_file.h"
#include "tests/signals/read_bytes.h"

#include "base/house.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a plate on which a force is known ---- */

/* m, N, N m: in the axes of the file, z up. The plate's surface, .6 by .4 m, is a hand's breadth
 * over z = 0, x of the plate along -y, y along -x, z down; it measures 50 mm below its surface. */
static const double force[3] = {40, -25, 600}, point[3] = {1.08, 2.15, .1}, free_moment = 7;
static const double middle[3] = {1, 2, .1}, below = .05;
static const double axis[9] = {0, -1, 0, -1, 0, 0, 0, 0, -1};

enum { ZERO_WORD = 32768, PER_FRAME = 4, IDLE = 4, FRAMES = 8 };
static const double GAIN = .5, SCALE[] = {.1, .1, .5, 20, 20, 10, .001};
static int sign;
static bool floats, posts;

static double corners[12], origin[3];

static void place(void)
{
    static const double at[4][2] = {{.3, .2}, {-.3, .2}, {-.3, -.2}, {.3, -.2}};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            corners[3 * k + i] = 1e3 * (middle[i] + at[k][0] * axis[i] + at[k][1] * axis[3 + i]);
        }
    }
    /* half the distances of four posts come first */
    origin[0] = posts ? 250 : 0;
    origin[1] = posts ? 150 : 0;
    origin[2] = 1e3 * below;
}

static void groups(sal_text *t)
{
    double offset[7], scale[7], channel[8] = {1, 2, 3, 4, 5, 6};
    for (int k = 0; k < 7; k++) {
        offset[k] = floats ? 0 : ZERO_WORD;
        scale[k] = SCALE[k];
    }
    const double zero[2] = {11, 11 + IDLE - 1};
    c3d_group(t, 4, "ANALOG");
    c3d_group(t, 5, "FORCE_PLATFORM");
    c3d_texts(t, 4, "FORMAT", "UNSIGNED", 8, 0);
    c3d_texts(t, 4, "UNITS", "N  N  N  NmmNmmNmmV  ", 3, 7);
    c3d_texts(t, 4, "LABELS", "FX1FY1FZ1MX1MY1MZ1EMG", 3, 7);
    c3d_number(t, 4, "GEN_SCALE", 4, GAIN);
    c3d_numbers(t, 4, "SCALE", 4, scale, 7);
    c3d_numbers(t, 4, "OFFSET", 2, offset, 7);
    c3d_number(t, 5, "USED", 2, 1);
    c3d_number(t, 5, "TYPE", 2, 2);
    c3d_numbers(t, 5, "ZERO", 2, zero, 2);
    c3d_grid(t, 5, "CORNERS", 4, corners, 3, 12);
    c3d_grid(t, 5, "ORIGIN", 4, origin, 3, 3);
    c3d_grid(t, 5, "CHANNEL", 2, channel, 6, 6);
}

/* What the plate measures of the force: M = r x F, r from where it measures to the point. */
static void measure(double v[6])
{
    double arm[3], local[3] = {0}, f[3] = {0}, m[3];
    sal_v3_sub(arm, point, middle);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            local[i] += axis[3 * i + k] * arm[k];
            f[i] += axis[3 * i + k] * force[k];
        }
    }
    local[2] -= below; /* z points down: from the sensor up to the surface */
    sal_v3_cross(m, local, f);
    m[2] += axis[8] * free_moment;
    for (int i = 0; i < 3; i++) {
        v[i] = sign * f[i];
        v[3 + i] = sign * 1e3 * m[i];
    }
}

/* The plate drifts by 5 N and 100 N mm; in the first frames nothing stands there. */
static double analog(int i, int k)
{
    const int channel = k % 7;
    double v[7];
    measure(v);
    v[6] = .25;
    const double drift = channel < 3 ? 5 : channel < 6 ? 100 : 0;
    const double x = (i < IDLE && channel < 6 ? 0 : v[channel]) + drift;
    return rint(x / (SCALE[channel] * GAIN)) + (floats ? 0 : ZERO_WORD);
}

static bool a_point(int i, int k, double x[3])
{
    x[0] = x[1] = x[2] = 100 + i + k;
    return true;
}

static c3d_file a_file(void)
{
    place();
    return (c3d_file){.npoint = 1,
                      .nframe = FRAMES,
                      .first = 11,
                      .per_frame = PER_FRAME,
                      .nchannel = 7,
                      .scale = floats ? -1 : .1,
                      .rate = 100,
                      .unit = "mm",
                      .labels = "LASI",
                      .processor = 84,
                      .point = a_point,
                      .analog = analog,
                      .groups = groups};
}

static sal_status read_file(const c3d_file *f)
{
    sal_text t = {0};
    c3d_write(&t, f);
    const sal_status status = read_bytes("a.c3d", t.data, t.length);
    sal_text_clear(&t);
    return status;
}

static void wrench_of(int plate, int row, double w[9])
{
    static const char *const name[] = {"fx", "fy", "fz", "px", "py", "pz", "tx", "ty", "tz"};
    for (int i = 0; i < 9; i++) {
        char column[32];
        snprintf(column, sizeof column, "plate%d_%s", plate, name[i]);
        w[i] = at(row, column);
    }
}

/* Moment about the middle of the plate of the force at `point`, and its free moment. */
static void known_moment(double m[3])
{
    double arm[3];
    sal_v3_sub(arm, point, middle);
    sal_v3_cross(m, arm, force);
    m[2] += free_moment;
}

/* In words and in floats, measured as the force on the plate and as that of the plate. */
static void a_known_force_is_read(void)
{
    for (int kind = 0; kind < 4; kind++) {
        double w[9], m[3];
        floats = kind & 1;
        sign = kind & 2 ? -1 : 1;
        const c3d_file f = a_file();
        CHECK(read_file(&f) == SAL_OK && diag.nwarning == 0);
        CHECK(signals.nmarker == 1 && signals.ncol == 3 + 9 + 1);
        wrench_of(1, FRAMES - 1, w);
        known_moment(m);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(w[i], force[i], .15); /* half of what a word is: .025, .125 N */
            CHECK_NEAR(w[3 + i], middle[i], 1e-6);
            CHECK_NEAR(w[6 + i], m[i], .025); /* 5 N mm; .125 N at .1 m */
        }
        wrench_of(1, 1, w);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(w[i], 0, 1e-9);
            CHECK_NEAR(w[6 + i], 0, 1e-9);
        }
        CHECK_NEAR(at(5, "EMG"), .25, 1e-6);
        CHECK_TEXT(signals.column[sig_find(&signals, "EMG")].unit, "V");
        CHECK_TEXT(signals.column[sig_find(&signals, "plate1_tx")].unit, "Nm");
        CHECK((strstr(signals.remark.data, "the file has the opposite") != NULL) == (sign < 0));
        CHECK(strstr(signals.remark.data, "7 analog channels, 400 samples a second") != NULL);
    }
}

/* Plates alone have a row for each sample, with the clock of the markers; and every allocation may
 * fail. */
static void plates_have_rows_of_their_own(void)
{
    sal_err err = {0};
    double w[9];
    floats = false;
    sign = 1;
    const c3d_file f = a_file();
    sal_text t = {0};
    c3d_write(&t, &f);
    CHECK_OK(sal_file_write(in_folder("a.c3d"), t.data, t.length, &err), err);
    sal_text_clear(&t);
    sal_status status = SAL_NOMEM;
    for (long k = 1, whole = 0; !whole; k++) {
        sig_clear(&signals);
        sal_diag_clear(&diag);
        memory_fails_at(k);
        status = sig_read_plates(&signals, in_folder("a.c3d"), &diag, &err);
        whole = memory_was_enough(k);
        CHECK(status == SAL_OK || status == SAL_NOMEM);
    }
    CHECK(status == SAL_OK && signals.ncol == 9 && signals.nrow == FRAMES * PER_FRAME);
    CHECK_NEAR(signals.rate, 400, 1e-9);
    CHECK_NEAR(sig_time(&signals, signals.rate, 6), .1 + 6 / 400., 1e-12); /* frame 11 at 100 Hz */
    for (int row = IDLE * PER_FRAME - 1; row <= IDLE * PER_FRAME; row++) {
        wrench_of(1, row, w);
        CHECK_NEAR(w[2], row < IDLE * PER_FRAME ? 0 : force[2], .15);
    }
}

/* ---- four posts ---- */

static void groups_of_posts(sal_text *t)
{
    const double channel[8] = {1, 2, 3, 4, 5, 6, 7, 8}, scale[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    c3d_group(t, 4, "ANALOG");
    c3d_group(t, 5, "FORCE_PLATFORM");
    c3d_texts(t, 4, "UNITS", "NNNNNNNN", 1, 8);
    c3d_numbers(t, 4, "SCALE", 4, scale, 8);
    c3d_number(t, 5, "USED", 2, 1);
    c3d_number(t, 5, "TYPE", 2, 3);
    c3d_grid(t, 5, "CORNERS", 4, corners, 3, 12);
    c3d_grid(t, 5, "ORIGIN", 4, origin, 3, 3);
    c3d_grid(t, 5, "CHANNEL", 2, channel, 8, 8);
}

/* Fx at +b, at -b, Fy at +a, at -a, Fz of the posts in the quadrants 1 to 4 */
static const double post[8] = {30, -10, 5, 20, -100, -200, -300, -400};

static double analog_of_posts(int i, int k)
{
    (void)i;
    return post[k % 8];
}

static void four_posts_are_one_plate(void)
{
    static const double at_post[8][3] = {{0, .15, .05},     {0, -.15, .05},  {.25, 0, .05},
                                         {-.25, 0, .05},    {.25, .15, .05}, {-.25, .15, .05},
                                         {-.25, -.15, .05}, {.25, -.15, .05}};
    double w[9], f[3] = {0}, m[3] = {0};
    floats = posts = true;
    c3d_file file = a_file();
    file.nchannel = 8;
    file.analog = analog_of_posts;
    file.groups = groups_of_posts;
    posts = false;
    CHECK(read_file(&file) == SAL_OK);
    for (int k = 0; k < 8; k++) {
        double one[3] = {0}, turn[3];
        one[k < 2 ? 0 : k < 4 ? 1 : 2] = post[k];
        sal_v3_cross(turn, at_post[k], one);
        sal_v3_add(f, f, one);
        sal_v3_add(m, m, turn);
    }
    wrench_of(1, 3, w);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(w[i], axis[i] * f[0] + axis[3 + i] * f[1] + axis[6 + i] * f[2], 1e-4);
        CHECK_NEAR(w[6 + i], axis[i] * m[0] + axis[3 + i] * m[1] + axis[6 + i] * m[2], 1e-4);
    }
}

/* ---- a centre of pressure, and volts ---- */

/* By columns, as the file has it: crosstalk of a few percent; N and N mm a volt */
static double volts[6] = {.4, -.3, 2, .5, -.25, .125}, matrix[36];

static void fill_matrix(void)
{
    for (int column = 0; column < 6; column++) {
        for (int row = 0; row < 6; row++) {
            const double main = row < 3 ? 300 : 40e3, other = (row < 3 ? 1 : 1e3) * (row - column);
            matrix[6 * column + row] = row == column ? main : other;
        }
    }
}

static void groups_of_type(sal_text *t, int type, const char *units)
{
    const double channel[6] = {1, 2, 3, 4, 5, 6}, scale[6] = {1, 1, 1, 1, 1, 1};
    c3d_group(t, 4, "ANALOG");
    c3d_group(t, 5, "FORCE_PLATFORM");
    c3d_texts(t, 4, "UNITS", units, 3, 6);
    c3d_numbers(t, 4, "SCALE", 4, scale, 6);
    c3d_number(t, 5, "USED", 2, 1);
    c3d_number(t, 5, "TYPE", 2, type);
    c3d_grid(t, 5, "CORNERS", 4, corners, 3, 12);
    c3d_grid(t, 5, "ORIGIN", 4, origin, 3, 3);
    c3d_grid(t, 5, "CHANNEL", 2, channel, 6, 6);
}

static void groups_of_pressure(sal_text *t)
{
    groups_of_type(t, 1, "N  N  N  mm mm Nmm");
}

static void groups_of_volts(sal_text *t)
{
    groups_of_type(t, 4, "V  V  V  V  V  V  ");
    c3d_grid(t, 5, "CAL_MATRIX", 4, matrix, 6, 36);
}

static void groups_without_matrix(sal_text *t)
{
    groups_of_type(t, 4, "V  V  V  V  V  V  ");
}

/* Force, place of the pressure from the middle of the surface, free moment, in the plate's axes */
static double analog_of_pressure(int i, int k)
{
    double v[6] = {0}, arm[3];
    (void)i;
    sal_v3_sub(arm, point, middle);
    for (int n = 0; n < 3; n++) {
        for (int l = 0; l < 3; l++) {
            v[n] += sign * axis[3 * n + l] * force[l];
            v[3 + n] += n < 2 ? 1e3 * axis[3 * n + l] * arm[l] : 0;
        }
    }
    v[5] = sign * 1e3 * axis[8] * free_moment;
    return v[k % 6];
}

static double analog_of_volts(int i, int k)
{
    (void)i;
    return volts[k % 6];
}

static c3d_file of_six(void (*of_groups)(sal_text *t), double (*of_analog)(int i, int k))
{
    floats = true;
    c3d_file f = a_file();
    f.nchannel = 6;
    f.groups = of_groups;
    f.analog = of_analog;
    return f;
}

/* Type 1, measured as the force on the plate and as that of the plate */
static void a_centre_of_pressure_is_read(void)
{
    for (sign = -1; sign <= 1; sign += 2) {
        double w[9], m[3];
        const c3d_file f = of_six(groups_of_pressure, analog_of_pressure);
        CHECK(read_file(&f) == SAL_OK && signals.ncol == 3 + 9);
        wrench_of(1, 2, w);
        known_moment(m);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(w[i], force[i], 1e-4);
            CHECK_NEAR(w[3 + i], middle[i], 1e-6);
            CHECK_NEAR(w[6 + i], m[i], 1e-4);
        }
    }
}

/* Type 4: W = C V, then as type 2 */
static void volts_become_forces(void)
{
    double w[9], local[6] = {0}, below_it[3], shift[3];
    sign = 1;
    fill_matrix();
    const c3d_file f = of_six(groups_of_volts, analog_of_volts);
    CHECK(read_file(&f) == SAL_OK && signals.ncol == 3 + 9);
    for (int row = 0; row < 6; row++) {
        for (int column = 0; column < 6; column++) {
            local[row] += matrix[6 * column + row] * volts[column] * (row < 3 ? 1 : 1e-3);
        }
    }
    sal_v3_set(below_it, 0, 0, -below);
    sal_v3_cross(shift, below_it, local);
    wrench_of(1, 2, w);
    const double up = local[2] > 0 ? -1 : 1; /* z points down: what stands there is pushed up */
    for (int i = 0; i < 3; i++) {
        double push = 0, turn = 0;
        for (int k = 0; k < 3; k++) {
            push += up * axis[3 * k + i] * local[k];
            turn += up * axis[3 * k + i] * (local[3 + k] - shift[k]);
        }
        CHECK_NEAR(w[i], push, 1e-3);
        CHECK_NEAR(w[6 + i], turn, 1e-3);
    }
    const c3d_file bare = of_six(groups_without_matrix, analog_of_volts);
    CHECK(read_file(&bare) == SAL_OK && signals.ncol == 3 + 6);
    CHECK(strstr(signals.remark.data, "force plate 1, of type 4, is not read: "
                                      "FORCE_PLATFORM:CAL_MATRIX, by which its volts become "
                                      "forces, is not there\n") != NULL);
}

/* ---- what cannot be read ---- */

static void groups_of_another_type(sal_text *t)
{
    c3d_group(t, 5, "FORCE_PLATFORM");
    const double channel[6] = {1, 2, 3, 4, 5, 99}, type[2] = {7, 2}, both[12] = {1, 2, 3, 4, 5, 6};
    double twice[24];
    memcpy(twice, corners, sizeof corners);
    memcpy(twice + 12, corners, sizeof corners);
    double channels[12];
    memcpy(channels, both, 6 * sizeof *both);
    memcpy(channels + 6, channel, sizeof channel);
    c3d_number(t, 5, "USED", 2, 2);
    c3d_numbers(t, 5, "TYPE", 2, type, 2);
    c3d_grid(t, 5, "CORNERS", 4, twice, 12, 24);
    c3d_grid(t, 5, "CHANNEL", 2, channels, 6, 12);
}

/* Plates of other types, or with channels that are not there, are said; their channels remain. */
static void other_plates_are_said(void)
{
    floats = true;
    sign = 1;
    c3d_file f = a_file();
    f.groups = groups_of_another_type;
    CHECK(read_file(&f) == SAL_OK && signals.ncol == 3 + 7);
    CHECK(strstr(signals.remark.data, "force plate 1, of type 7, is not read: only types 1 to 4 "
                                      "are read\n") != NULL);
    CHECK(strstr(signals.remark.data, "force plate 2, of type 2, is not read: it has channels that "
                                      "the file does not have\n") != NULL);
    CHECK(sig_find(&signals, "analog_7") >= 0);
}

static void memory_runs_out(void)
{
    floats = false;
    sign = -1;
    const c3d_file f = a_file();
    sal_text t = {0};
    c3d_write(&t, &f);
    exhaust("a.c3d", t.data, t.length);
    sal_text_clear(&t);
}

/* ---- a sprinter over eight plates ---- */

/* The middle of the markers of a forefoot that is down (below 90 mm); m. */
static bool forefoot(int row, const char *side, double mean[2])
{
    static const char *const name[] = {"TOE", "P1MT", "P5MT"};
    mean[0] = mean[1] = 0;
    for (int i = 0; i < 3; i++) {
        char column[32];
        double x[3];
        for (int k = 0; k < 3; k++) {
            snprintf(column, sizeof column, "%s%s_%c", side, name[i], "XYZ"[k]);
            x[k] = at(row, column);
        }
        if (!(x[2] < 90)) {
            return false;
        }
        mean[0] += 1e-3 * x[0] / 3;
        mean[1] += 1e-3 * x[1] / 3;
    }
    return true;
}

/* The plates' numbers are those of c3d_rules.py, and where they carry more than 1000 N, the centre
 * of pressure is under the forefoot that is down, no farther than half a foot from its middle. */
static void a_sprinter_runs_over_plates(void)
{
    const char *path = check_corpus("data/people/sprint.c3d"), *root = getenv("SALTUS_ROOT");
    char line[2500];
    sal_err err = {0};
    if (path == NULL) {
        SKIP("no corpus");
    }
    sig_clear(&signals);
    CHECK_OK(sig_read(&signals, path, NULL, &diag, &err), err);
    CHECK(signals.nmarker == 53 && signals.ncol == 3 * 53 + 8 * 9 + 12);
    int n = snprintf(line, sizeof line, "python3 %s/tests/signals/c3d_rules.py %s",
                     root == NULL ? "." : root, path);
    for (int row = 3; row < 324; row += 8) {
        n += snprintf(line + n, sizeof line - (size_t)n, " %d", row);
    }
    FILE *in = popen(line, "r");
    int compared = 0, under = 0;
    double farthest = 0;
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        int row, plate;
        double is[9], was[7], foot[2];
        CHECK(sscanf(line, "%d %d %lf %lf %lf %lf %lf %lf %lf", &row, &plate, was, was + 1, was + 2,
                     was + 3, was + 4, was + 5, was + 6) == 9);
        wrench_of(plate, row, is);
        const double p[3] = {is[3] - is[7] / is[2], is[4] + is[6] / is[2], is[5]};
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(is[i], was[i], 1e-3);
            CHECK_NEAR(1e3 * p[i], was[3 + i], 1e-2);
        }
        const double tz = is[8] - (p[0] - is[3]) * is[1] + (p[1] - is[4]) * is[0];
        CHECK_NEAR(1e3 * tz, was[6], 1);
        compared++;
        if (is[2] > 1000) {
            CHECK(forefoot(row, plate % 4 == 2 || plate == 7 ? "R" : "L", foot));
            farthest = fmax(farthest, hypot(p[0] - foot[0], p[1] - foot[1]));
            under++;
        }
    }
    CHECK(in != NULL && pclose(in) == 0);
    printf("     %d loads; %d beyond 1000 N, at most %.0f mm from the middle of the forefoot\n",
           compared, under, 1e3 * farthest);
    CHECK(compared >= 12 && under >= 8 && farthest < .12);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    RUN(a_known_force_is_read);
    RUN(plates_have_rows_of_their_own);
    RUN(four_posts_are_one_plate);
    RUN(a_centre_of_pressure_is_read);
    RUN(volts_become_forces);
    RUN(other_plates_are_said);
    RUN(memory_runs_out);
    RUN(a_sprinter_runs_over_plates);
    static const char *const files[] = {"a.c3d"};
    read_end(files, 1);
    return check_done();
}
