/* Recordings: what <data> makes of files. Motions are written down from formulas, so that every
 * number that is read is known. */
#include "tests/memory.h"
#include "tests/problems/recordings/recordings.h"

/* ---- what is read ---- */

static void numbers_arrive(void)
{
    write_motion("a.csv", ROWS, NULL);
    sal_problem *p = read_format(
        "file='a.csv' up='z'",
        "<channel name='pose' body='cube' columns='x y z qw qx qy qz' sigma='1e-4 1e-3'/>"
        "<channel name='hip' joint='hip' columns='hip' sigma='1e-3' scale='2' offset='.1' "
        "delay='.01'/>"
        "<channel name='dhip' joint='hip' of='vel' columns='dhip' sigma='.1' scale='2'/>");
    if (p == NULL) {
        return;
    }
    const prb_dataset *d = p->data;
    const prb_recording *r = d->recording;
    CHECK(d->nchannel == 4 && d->nrecording == 1 && d->nvalue == 7 + 1 + 1 + 1);
    CHECK_TEXT(r->name, "a");
    CHECK_TEXT(r->cluster, "a");
    CHECK(r->nsample == ROWS);
    CHECK_NEAR(r->dt, .01, 0); /* a hundred a second, exactly */
    CHECK(d->channel[0].nres == 6 && d->channel[3].nres == 0);
    CHECK_NEAR(d->channel[0].sigma[2], 1e-4, 0);
    CHECK_NEAR(d->channel[0].sigma[3], 1e-3, 0);
    CHECK_NEAR(d->channel[1].scale, 2, 0);
    CHECK_NEAR(d->channel[1].offset, .1, 0);
    CHECK_NEAR(d->channel[1].delay, .01, 0);
    for (int k = 0; k < ROWS; k++) {
        double row[12];
        tossed_row(k, row);
        check_vector(sample(p, 0, k), row + 1, 3, 1e-15);
        check_vector(sample(p, 0, k) + 3, row + 4, 4, 1e-12);
        check_vector(sample(p, 0, k) + 7, row + 8, 2,
                     1e-15); /* scale is the channel's: what is measured stays */
        CHECK_NEAR(sample(p, 0, k)[9], row[11], 0);
    }
    sal_problem_free(p);
}

/* The same toss seen by who has y upward: his axes are x, z, -y of ours. */
static int y_up(int k, double row[12])
{
    (void)k;
    const double back[4] = {sqrt(.5), -sqrt(.5), 0, 0};
    double q[4];
    const double y = row[2];
    row[2] = row[3];
    row[3] = -y;
    sal_quat_mul(q, back, row + 4);
    memcpy(row + 4, q, sizeof q);
    for (int i = 1; i < 4; i++) {
        row[i] *= 1000;
    }
    for (int i = 4; i < 8;
         i++) { /* and with the sign of his quaternions as it comes, a little too long */
        row[i] *= k % 3 == 0 ? -1.01 : 1.01;
    }
    row[8] *= 180 / pi;
    return 12;
}

static void axes_and_units_are_turned(void)
{
    write_motion("b.csv", ROWS, y_up);
    sal_problem *p = read_format(
        "file='b.csv' up='y'",
        "<channel name='pose' body='cube' columns='x y z qw qx qy qz' units='mm' sigma='1e-4'/>"
        "<channel name='hip' joint='hip' columns='hip' units='deg' sigma='1e-3'/>"
        "<channel name='push' force='hand' columns='x y z x y z' units='N mm'/>");
    if (p == NULL) {
        return;
    }
    double sign = 0;
    for (int k = 0; k < ROWS; k++) {
        double row[12];
        tossed_row(k, row);
        const double *x = sample(p, 0, k);
        sign = k == 0 ? (x[3] * row[4] > 0 ? 1 : -1) : sign;
        check_vector(x, row + 1, 3, 1e-12);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(x[3 + i], sign * row[4 + i], 1e-12);
        }
        CHECK_NEAR(x[7], row[8], 1e-12);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(x[8 + i], 1000 * row[1 + i], 1e-9);
            CHECK_NEAR(x[11 + i], row[1 + i], 1e-12);
        }
    }
    CHECK(p->data->channel[2].n == 6 && p->data->channel[2].nres == 0);
    sal_problem_free(p);
}

/* ---- the floor ---- */

/* z = h + sx x + sy y in the recording's axes */
static const double recorded_floor[3] = {.13, .04, -.03};

/* The rotation, by rows, that takes the floor's unit normal n to z about n x z; its closed form is
 *     [ 1 - nx nx/(1 + nz)     - nx ny/(1 + nz)   -nx ]
 *     [   - nx ny/(1 + nz)   1 - ny ny/(1 + nz)   -ny ]
 *     [     nx                   ny                nz ] */
static void levelling(double r[9])
{
    const double sx = recorded_floor[1], sy = recorded_floor[2], s = sqrt(1 + sx * sx + sy * sy);
    const double n[3] = {-sx / s, -sy / s, 1 / s};
    const double rows[9] = {1 - n[0] * n[0] / (1 + n[2]),
                            -n[0] * n[1] / (1 + n[2]),
                            -n[0],
                            -n[0] * n[1] / (1 + n[2]),
                            1 - n[1] * n[1] / (1 + n[2]),
                            -n[1],
                            n[0],
                            n[1],
                            n[2]};
    memcpy(r, rows, sizeof rows);
}

/* The toss as seen by who has such a floor: p = R' p' + (0, 0, h), q = R' q' */
static int above_a_slope(int k, double row[12])
{
    double r[9], back[9], q_back[4], p[3], q[4];
    (void)k;
    levelling(r);
    for (int i = 0; i < 9; i++) {
        back[i] = r[i % 3 * 3 + i / 3];
    }
    sal_m3_mulv(p, back, row + 1);
    sal_quat_from_matrix(q_back, back);
    sal_quat_mul(q, q_back, row + 4);
    memcpy(row + 1, p, sizeof p);
    memcpy(row + 4, q, sizeof q);
    row[3] += recorded_floor[0];
    return 12;
}

static int above_a_slope_y_up(int k, double row[12])
{
    above_a_slope(k, row);
    const double z = row[3], half[4] = {sqrt(.5), -sqrt(.5), 0, 0}; /* (x, y, z) -> (x, z, -y) */
    double q[4];
    row[3] = -row[2];
    row[2] = z;
    sal_quat_mul(q, half, row + 4);
    memcpy(row + 4, q, sizeof q);
    return 12;
}

/* Points are moved and turned, directions are turned, and what is no vector of the world stays. */
static void floors_are_levelled(void)
{
    static const char channels[] =
        "<channel name='pose' body='cube' columns='x y z qw qx qy qz' sigma='1e-4'/>"
        "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
        "<channel name='push' force='hand' columns='x y z x y z x y z'/>"
        "<channel name='there' sensor='there' columns='x y z' sigma='1e-3'/>"
        "<channel name='speed' sensor='speed' columns='x y z' sigma='1e-3'/>";
    double level[9];
    levelling(level);
    for (int y = 0; y < 2; y++) {
        write_motion("s.csv", ROWS, y ? above_a_slope_y_up : above_a_slope);
        sal_problem *p = read_format(y ? "file='s.csv' floor='.13 .04 -.03' up='y'"
                                       : "file='s.csv' floor='.13 .04 -.03' up='z'",
                                     channels);
        for (int k = 0; p != NULL && k < ROWS; k++) {
            double row[12], raised[3];
            tossed_row(k, row);
            const double *x = sample(p, 0, k), sign = x[3] * row[4] > 0 ? 1 : -1;
            for (int i = 0; i < 3; i++) { /* what is turned alone stands R (0, 0, h) further on */
                raised[i] = row[1 + i] + level[3 * i + 2] * recorded_floor[0];
            }
            check_vector(x, row + 1, 3, 1e-12);
            for (int i = 0; i < 4; i++) {
                CHECK_NEAR(x[3 + i], sign * row[4 + i], 1e-12);
            }
            CHECK_NEAR(x[7], row[8], 1e-15);
            check_vector(x + 8, raised, 3, 1e-12);
            check_vector(x + 11, row + 1, 3, 1e-12);
            check_vector(x + 14, raised, 3, 1e-12);
            check_vector(x + 17, row + 1, 3, 1e-12);
            check_vector(x + 20, raised, 3, 1e-12);
        }
        sal_problem_free(p);
    }
}

/* Three points of the floor z = .2 + .1 x - .05 y, worked out by hand; they become the floor z = 0
 * and keep their distances. A floor that is level only moves. */
static void what_lies_on_the_floor_gets_height_0(void)
{
    static const double on[5][3] = {{0, 0, .2}, {2, 0, .4}, {0, 4, 0}, {2, 4, .2}, {-4, 2, -.3}};
    static const char site[] = "<channel name='m' site='s0' columns='x y z' sigma='.1'/>";
    const char *const attributes[] = {"file='f.csv' up='z' rate='50' jump='0' floor='.2 .1 -.05'",
                                      "file='f.csv' up='z' rate='50' jump='0' floor='.2 0 0'"};
    sal_text text = {0};
    sal_text_add(&text, "x,y,z,u\n");
    for (int k = 0; k < 5; k++) {
        sal_text_format(&text, "%.17g,%.17g,%.17g,0\n", on[k][0], on[k][1], on[k][2]);
    }
    files_write("f.csv", text.data, text.length);
    sal_text_clear(&text);
    sal_problem *p = read_format(attributes[0], site);
    for (int k = 0; p != NULL && k < 5; k++) {
        const double *x = sample(p, 0, k), *o = on[k];
        CHECK_NEAR(x[2], 0, 1e-15);
        CHECK_NEAR(x[0] * x[0] + x[1] * x[1], o[0] * o[0] + o[1] * o[1] + (o[2] - .2) * (o[2] - .2),
                   1e-13);
    }
    sal_problem_free(p);
    p = read_format(attributes[1], site);
    for (int k = 0; p != NULL && k < 5; k++) {
        check_vector(sample(p, 0, k), (const double[3]){on[k][0], on[k][1], on[k][2] - .2}, 3, 0);
    }
    sal_problem_free(p);
}

static void a_floor_for_nothing(void)
{
    char data[1000];
    sal_text text = {0};
    write_motion("a.csv", ROWS, NULL);
    snprintf(data, sizeof data, "<data file='a.csv' floor='.1 0 0'>%s%s</data>", hip, motor);
    sal_problem *p = read_data(data, &text);
    CHECK(p != NULL && text.data != NULL &&
          strstr(text.data, "p.xml:3:27: warning: floor has no effect, since no channel is a "
                            "position, a pose or a force") != NULL);
    sal_problem_free(p);
    sal_text_clear(&text);
}

static void units_stand_in_the_header(void)
{
    const char text[] =
        "time [ms],hip [deg],u\n0,0,0\n10,18,0\n20,36,0\n30,54,0\n40,72,0\n50,90,0\n";
    files_write("u.csv", text, strlen(text));
    sal_problem *p = read_format("file='u.csv'", hip);
    if (p != NULL) {
        CHECK_NEAR(p->data->recording[0].dt, .01, 0);
        CHECK_NEAR(sample(p, 0, 5)[0], pi / 2, 1e-14);
    }
    sal_problem_free(p);
}

static void patterns_name_recordings(void)
{
    write_motion("run_1.csv", ROWS, NULL);
    write_motion("run_2.csv", ROWS - 10, NULL);
    write_motion("run_3.csv", ROWS - 5, NULL);
    CHECK(mkdir(files_path("again"), 0700) == 0);
    write_motion("again/run_1.csv", ROWS - 1, NULL);
    sal_problem *p = read_format("file='run_[12].csv run_3.csv again/run_1.csv' skip='run_2'", hip);
    if (p != NULL && p->data->nrecording == 3) {
        CHECK_TEXT(p->data->recording[0].name, "run_1");
        CHECK_TEXT(p->data->recording[1].name, "run_3");
        CHECK_TEXT(p->data->recording[2].name, "run_1#2");
    } else {
        CHECK(p != NULL && p->data->nrecording == 3);
    }
    sal_problem_free(p);
}

static void an_index_names_recordings(void)
{
    const char text[] =
        "file, day, start, stop, twin\nrun_1.csv, monday, .1, .3,\nrun_2.csv, monday,,, \n"
        "run_3.csv, tuesday,,,run_1\nrun_3.csv,\"tuesday, late\",.2,,\n";
    files_write("index.csv", text, strlen(text));
    sal_problem *p = read_format("index='index.csv' cluster='day' where=\"twin=''\"", hip);
    CHECK(p != NULL && p->data->nrecording == 3);
    if (p != NULL && p->data->nrecording == 3) {
        const prb_recording *r = p->data->recording;
        CHECK_TEXT(r[0].cluster, "monday");
        CHECK_TEXT(r[1].cluster, "monday");
        CHECK_TEXT(r[2].cluster, "tuesday, late");
        CHECK(r[0].nsample == 21 && r[1].nsample == ROWS - 10 && r[2].nsample == ROWS - 25);
        CHECK_NEAR(r[0].start, .1, 1e-15);
        CHECK_NEAR(sample(p, 0, 0)[0], .8 * sin(.5), 1e-12);
    }
    sal_problem_free(p);
}

/* Several <data> have channels of their own; numbers of others are missing. */
static void several_kinds_of_recordings(void)
{
    char data[2000];
    write_motion("a.csv", ROWS, NULL);
    snprintf(data, sizeof data,
             "<data file='a.csv' from='.2'>%s%s</data>\n<data name='flight' file='a.csv' up='z' "
             "to='.1'>%s<channel name='v' "
             "ctrl='motor' columns='u'/></data>",
             hip, motor, pose);
    sal_problem *p = read_data(data, NULL);
    if (p != NULL) {
        CHECK(p->data->nrecording == 2 && p->data->nvalue == 2 + 8);
        CHECK(p->data->recording[0].data == 0 && p->data->recording[1].data == 1);
        CHECK(p->data->recording[0].nsample == 40 && p->data->recording[1].nsample == 11);
        CHECK(isnan(sample(p, 0, 0)[2]) && isnan(sample(p, 1, 0)[0]));
        CHECK_NEAR(sample(p, 1, 10)[2], .1 + toss_v[0] * .1, 1e-12);
    }
    sal_problem_free(p);
}

/* A force plate with a clock of four times the rate, which begins a little earlier. */
static void another_instrument_records_along(void)
{
    sal_text text = {0};
    sal_text_add(&text, "t [ms],fx,fy,fz\n");
    for (int k = 0; k < 4 * ROWS; k++) {
        const double t = .0025 * k - .1;
        sal_text_format(&text, "%.1f,%.6f,%.6f,%.6f\n", 1000 * t, 10 * t, 30 + t, 100. - 20 * t);
    }
    files_write("plate.csv", text.data, text.length);
    sal_text_clear(&text);
    write_motion("a.csv", ROWS, NULL);
    sal_problem *p =
        read_format("file='a.csv' also='plate.csv' up='y' to='.4'",
                    "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
                    "<channel name='push' force='hand' columns='fx fy fz' units='kN'/>");
    for (int k = 0; p != NULL && k <= 40; k++) {
        const double t = .01 * k, f[3] = {1e4 * t, -1e5 + 2e4 * t, 3e4 + 1e3 * t};
        check_vector(sample(p, 0, k) + 1, f, 3, 2e-3);
        CHECK_NEAR(sample(p, 0, k)[0], .8 * sin(5 * t), 1e-12);
    }
    CHECK(p != NULL && p->data->recording[0].nsample == 41);
    sal_problem_free(p);
    const char index[] = "file,also\na.csv,plate.csv\n";
    files_write("index.csv", index, strlen(index));
    p = read_format("index='index.csv' up='y' to='.4'",
                    "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
                    "<channel name='push' force='hand' columns='fx fy fz'/>");
    CHECK(p != NULL && fabs(sample(p, 0, 0)[2] + 100) < 1e-9);
    sal_problem_free(p);
}

/* ---- gaps, instants, filters ---- */

static int holes(int k, double row[12])
{
    row[8] = k >= 20 && k < 25 ? (double)NAN : row[8];
    row[4] = k == 7 ? (double)NAN : row[4];
    return k >= 40 && k < 43 ? 0 : 12;
}

static void what_is_missing_stays_missing(void)
{
    char channels[600];
    write_motion("h.csv", ROWS, holes);
    snprintf(channels, sizeof channels, "%s%s", pose, hip);
    sal_problem *p = read_format("file='h.csv' up='z' gap='.06' lowpass='20'", channels);
    if (p == NULL) {
        return;
    }
    CHECK(p->data->recording[0].nsample == ROWS);
    for (int k = 0; k < ROWS; k++) {
        const bool row = k >= 40 && k < 43, gone = k >= 20 && k < 25;
        CHECK(isnan(sample(p, 0, k)[7]) == (row || gone));
        CHECK(isnan(sample(p, 0, k)[3]) == (row || k == 7));
    }
    sal_problem_free(p);
}

static int no_control(int k, double row[12])
{
    row[11] = k >= 10 && k < 14 ? (double)NAN : row[11];
    row[11] = k >= ROWS - 2 ? (double)NAN : row[11];
    row[1] = k < 5 ? 0 : 50, row[2] = 0, row[3] = 0;
    row[4] = k < 5 ? (double)NAN : row[4]; /* where a force acts that there is not */
    return 12;
}

/* What acts is known at every sample: bridged by straight lines. */
static void what_acts_is_bridged(void)
{
    write_motion("n.csv", ROWS, no_control);
    sal_problem *p = read_format("file='n.csv' gap='.04' up='z'",
                                 "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
                                 "<channel name='push' force='hand' columns='x y z qw qx qy'/>");
    if (p == NULL) {
        return;
    }
    const double a = 3 * sin(.02 * 9), b = 3 * sin(.02 * 14);
    for (int k = 10; k < 14; k++) {
        CHECK_NEAR(sample(p, 0, k)[7], a + (k - 9) / 5. * (b - a), 1e-12);
    }
    CHECK_NEAR(sample(p, 0, ROWS - 1)[7], 3 * sin(.02 * (ROWS - 3)), 1e-12);
    CHECK_NEAR(sample(p, 0, 4)[4], 0, 0);
    CHECK(sample(p, 0, 5)[4] > .5);
    sal_problem_free(p);
}

/* A cubic whose slopes are off by h^2 x'''/6 is off by h^3 x'''/24: of .8 sin 5t, and h up to 16
 * ms, 2e-5. */
static void uneven_samples_are_resampled(void)
{
    char channels[600];
    write_motion("e.csv", ROWS, uneven);
    snprintf(channels, sizeof channels, "%s%s", pose, hip);
    sal_problem *p = read_format("file='e.csv' up='z' resample='80'", channels);
    if (p == NULL) {
        return;
    }
    const prb_recording *r = p->data->recording;
    CHECK_NEAR(r->dt, 1. / 80, 1e-15);
    for (int k = 0; k < r->nsample; k++) {
        double x[3], q[4];
        const double t = r->start + k * r->dt;
        toss(t, x, q);
        const bool inside = k > 0 && k + 2 < r->nsample; /* where slopes have two neighbours */
        check_vector(sample(p, 0, k), x, 3, inside ? 1e-12 : 2e-4); /* a parabola is one */
        check_vector(sample(p, 0, k) + 3, q, 4, inside ? 2e-5 : 2e-4);
        CHECK_NEAR(sample(p, 0, k)[7], .8 * sin(5 * t), inside ? 2e-5 : 2e-4);
    }
    sal_problem_free(p);
}

static int waves(int k, double row[12])
{
    row[8] = sin(2 * pi * 10 * .01 * k); /* at the cutoff */
    row[10] = .3 + .2 * .01 * k;         /* a line */
    return 12;
}

/* Butterworth forward and backward: |H|^2 = 1/2 at the cutoff, without delay; a line passes, as its
 * reflection continues it. */
static void the_filter_does_not_delay(void)
{
    enum { N = 400 };
    write_motion("w.csv", N, waves);
    sal_problem *p =
        read_format("file='w.csv' lowpass='10' order='4'",
                    "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
                    "<channel name='knee' joint='knee' columns='knee' sigma='1e-3'/>"
                    "<channel name='raw' joint='slide' columns='hip' sigma='1e-3' lowpass='0'/>");
    if (p == NULL) {
        return;
    }
    for (int k = 0; k < N; k++) {
        const double wave = sin(2 * pi * 10 * .01 * k);
        if (k > 50 && k < N - 50) {
            CHECK_NEAR(sample(p, 0, k)[0], wave / 2, 1e-5); /* ends are felt no further */
        }
        CHECK_NEAR(sample(p, 0, k)[1], .3 + .002 * k, 1e-6);
        CHECK_NEAR(sample(p, 0, k)[2], wave, 1e-12);
        CHECK_NEAR(sample(p, 0, k)[3], 3 * sin(.02 * k), 1e-12); /* controls are not filtered */
    }
    sal_problem_free(p);
}

static int comes_to_rest(int k, double row[12])
{
    row[8] = k < 20 ? .02 * (20 - k) : .0001 * (k % 2);
    return 12;
}

static void rest_is_cut(void)
{
    write_motion("r.csv", ROWS, comes_to_rest);
    sal_problem *p = read_format("file='r.csv' rest='7'", hip);
    if (p != NULL) {
        CHECK(p->data->recording[0].nsample == 20 + 7); /* the last that moves is number 19 */
    }
    sal_problem_free(p);
}

static void angles_are_unwrapped(void)
{
    write_motion("v.csv", ROWS, wrapped);
    sal_problem *p =
        read_format("file='v.csv'",
                    "<channel name='hip' joint='hip' columns='hip' unwrap='true' sigma='1e-3'/>");
    if (p != NULL) {
        CHECK_NEAR(sample(p, 0, ROWS - 1)[0], 12 * .01 * (ROWS - 1), 1e-12);
    }
    sal_problem_free(p);
}
/* Whichever piece of memory cannot be had: an error that says so, and nothing is lost. */
static void memory_runs_out(void)
{
    char text[3000];
    sal_problem *p = NULL;
    int n = 0;
    write_motion("a.csv", ROWS, uneven);
    write_motion("b.csv", ROWS + 5, NULL);
    const char index[] = "file,day,also\na.csv,1,b.csv\n";
    files_write("index.csv", index, strlen(index));
    snprintf(text, sizeof text,
             "<problem name='test'><model file='m.xml'/><data index='index.csv' where='day=1' "
             "cluster='day' up='z' "
             "resample='50' lowpass='10' rest='3'>%s%s</data><estimate/></problem>",
             pose, motor);
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", text, strlen(text));
    for (bool all = false; !all && n < 100000; n++) {
        sal_diag diag = {0};
        sal_err err = {0};
        sal_problem_free(p);
        p = NULL;
        memory_fails_at(n + 1);
        const sal_status status = read_base(&p, &diag, &err);
        all = memory_was_enough(n + 1);
        if (status != SAL_OK && status != SAL_NOMEM) {
            check_case_faults++;
            printf("allocation %d: %s\n", n + 1, err.message);
        }
        sal_diag_clear(&diag);
    }
    printf("     %d allocations\n", n);
    CHECK(p != NULL && p->data->nrecording == 1);
    sal_problem_free(p);
}

/* ---- real recordings ---- */

static void real_recordings_are_read(void)
{
    char data[3000];
    const char *index = check_corpus("data/cube_toss/index.csv");
    if (index == NULL) {
        SKIP("no corpus");
    }
    snprintf(data, sizeof data,
             "<data index='%s' where=\"duplicate_of=''\" cluster='recording' up='z' "
             "rest='20'>%s%s</data>",
             index, pose, "<channel name='speed' sensor='speed' columns='vx vy vz' sigma='.1'/>");
    sal_text text = {0};
    sal_problem *p = read_data(data, &text); /* the motor of the arm is not recorded */
    CHECK(p == NULL && text.data != NULL &&
          strstr(text.data, "error: the controls of actuator 'motor' are not given") != NULL);
    CHECK(text.data != NULL && strstr(text.data, "warning") == NULL);
    sal_problem_free(p);
    sal_text_clear(&text);
}

int main(void)
{
    RUN(numbers_arrive);
    RUN(axes_and_units_are_turned);
    RUN(floors_are_levelled);
    RUN(what_lies_on_the_floor_gets_height_0);
    RUN(a_floor_for_nothing);
    RUN(units_stand_in_the_header);
    RUN(patterns_name_recordings);
    RUN(an_index_names_recordings);
    RUN(several_kinds_of_recordings);
    RUN(another_instrument_records_along);
    RUN(what_is_missing_stays_missing);
    RUN(what_acts_is_bridged);
    RUN(uneven_samples_are_resampled);
    RUN(the_filter_does_not_delay);
    RUN(rest_is_cut);
    RUN(angles_are_unwrapped);
    RUN(memory_runs_out);
    RUN(real_recordings_are_read);
    files_remove();
    return check_done();
}
