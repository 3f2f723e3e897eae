#include "tests/signals/c3d_file.h"
#include "tests/signals/read_bytes.h"

/* A file of the corpus; false: it is not there. */
static bool read_corpus(const char *name)
{
    sal_err err = {0};
    const char *path = check_corpus(name);
    sig_clear(&signals);
    sal_diag_clear(&diag);
    if (path != NULL) {
        CHECK_OK(sig_read(&signals, path, NULL, &diag, &err), err);
    }
    return path != NULL;
}

/* ---- comma-separated values ---- */

static void tables_with_missing_cells(void)
{
    CHECK(read_text("a.csv",
                    "\xEF\xBB\xBFtime, hip [deg] ,\"left knee\",note\r\n"
                    "0,1.5,,start\r\n\r\n0.5,nan,-2e1,\r\n1,NA,3,\"end, all\"\r\n") == SAL_OK);
    CHECK_TEXT(signals.format, "csv");
    CHECK(signals.ncol == 4 && signals.nrow == 3 && signals.time == 0 && signals.rate <= 0);
    CHECK_TEXT(signals.column[1].name, "hip");
    CHECK_TEXT(signals.column[1].unit, "deg");
    CHECK_NEAR(at(0, "hip"), 1.5, 0);
    CHECK(isnan(at(1, "hip")) && isnan(at(2, "hip")) && isnan(at(0, "left_knee")));
    CHECK_NEAR(at(1, "left_knee"), -20, 0);
    CHECK(signals.column[3].text && !signals.column[2].text);
    CHECK(sig_find(&signals, "knee") == -1);
    CHECK_TEXT(sig_nearest(&signals, "left_kne"), "left_knee");
    const sal_place place = sig_signals_cell(&signals, 1, 2);
    CHECK(memcmp(signals.source.data + place.offset, "-2e1", place.length) == 0);
}

static void faults_of_tables(void)
{
    refuse("b.csv", "", "b.csv:1:1: error: the file is empty");
    refuse("b.csv", "t,x\n", "b.csv:1:4: error: there are no rows of numbers");
    refuse("b.csv", "t,x\n0,1\n1,2,3\n",
           "b.csv:3:1: error: this row has 3 cells, but there are 2 columns");
    refuse("b.csv", "t,x\n0,1\n1,l2\n2,3\n", "b.csv:3:3: error: 'l2' is not a number (column 'x')");
    refuse("b.csv", "t,x\n0,1\n1,inf\n",
           "b.csv:3:3: error: this number is not finite (column 'x')");
    refuse("b.csv", "t,\n0,1\n", "b.csv:1:3: error: column 2 has no name");
    CHECK(read_text("b.csv", "t,x,x\n0,1,2\n") == SAL_OK && diag.nwarning == 1);
    CHECK_NEAR(at(0, "x#2"), 2, 0);
    CHECK(read_text("b.dat", "t,x\n0,1\n") == SAL_BADINPUT);
    CHECK(strstr(diag.first, "is not that of a known format") != NULL);
}

/* Clips of robots come as bare numbers: the first row counts, and columns are named by place. */
static void tables_without_a_header(void)
{
    CHECK(read_text("a.csv", "\n0.25, -1e-3,7\r\n.5,,nan\n1,3,\"4\"\n") == SAL_OK);
    CHECK(signals.headless && signals.ncol == 3 && signals.nrow == 3 && signals.time == -1);
    CHECK(signals.rate <= 0 && diag.nwarning == 0);
    CHECK_NEAR(at(0, "column1"), .25, 0);
    CHECK_NEAR(at(0, "column2"), -1e-3, 0);
    CHECK_NEAR(at(2, "column3"), 4, 0);
    CHECK(isnan(at(1, "column2")) && isnan(at(1, "column3")));
    CHECK_TEXT(signals.column[2].unit, "");
    CHECK_TEXT(signals.remark.data, "the first line holds numbers, not names: the columns are "
                                    "named by their places, column1 to column3\n");
    const sal_place place = sig_signals_cell(&signals, 0, 1);
    CHECK(memcmp(signals.source.data + place.offset, "-1e-3", place.length) == 0);
    CHECK(read_text("a.csv", "7") == SAL_OK && signals.ncol == 1 && signals.nrow == 1);
    CHECK(read_text("a.csv", "t,1\n0,1\n") == SAL_OK && !signals.headless);
    CHECK(signals.remark.length == 0 && signals.nrow == 1 && signals.time == 0);
    CHECK(read_text("a.csv", "0,1,2\n3,4,5\n") == SAL_OK && signals.nrow == 2);
    CHECK(diag.nwarning == 1 && strstr(diag.text.data, "a.csv:1:1: warning: the first line holds "
                                                       "the numbers 0, 1, 2, ..") != NULL);
    refuse("b.csv", "1,2\n3\n", "b.csv:2:1: error: this row has 1 cell, but there are 2 columns");
    refuse("b.csv", "1,2\n3,x\n", "b.csv:2:3: error: 'x' is not a number (column 'column2')");
    refuse("b.csv", "1,inf\n3,4\n",
           "b.csv:1:3: error: this number is not finite (column 'column2')");
}

/* Of the recording to be used the user says which column is the time. */
static void times_go_forward(void)
{
    CHECK(read_text("t.csv", "t,x\n0,1\n1,2\n1,3\n.5,4\n,5\n1.5,6\n") == SAL_OK);
    CHECK(!sig_check_time(&signals, 0, &diag));
    CHECK(diag.nerror == 3);
    CHECK(strstr(diag.first, "t.csv:4:1: error: the time stands still: 1 comes after 1") != NULL);
    CHECK(strstr(diag.text.data, "t.csv:5:1: error: the time goes back: 0.5 comes after 1"));
    CHECK(strstr(diag.text.data, "t.csv:6:1: error: this row has no time"));
    CHECK(read_text("t.csv", "t,x\n0,1\n1,2\n") == SAL_OK);
    CHECK(sig_check_time(&signals, 0, &diag) && diag.nerror == 0);
}

/* ---- OpenSim ---- */

#define STO "Walk\nversion=1\nnRows=2\nnColumns=4\ninDegrees=yes\nendheader\n"

static void storages_in_degrees(void)
{
    CHECK(read_text("a.sto",
                    STO "time\t/jointset/hip/hip_r/value\t/jointset/hip/hip_r/speed\tpelvis_tx\t\n"
                        "   0.0\t 30\t\t1\t\n   0.1\t 31\t2\t1.5\t\n") == SAL_OK);
    CHECK(signals.ncol == 4 && signals.nrow == 2 && signals.time == 0);
    CHECK_TEXT(signals.column[0].unit, "s");
    CHECK_TEXT(signals.column[1].unit, "deg");
    CHECK_TEXT(signals.column[2].unit, "deg/s");
    CHECK_TEXT(signals.column[3].unit, "");
    CHECK(isnan(at(0, "/jointset/hip/hip_r/speed")));
    CHECK_NEAR(at(1, "pelvis_tx"), 1.5, 0);
    CHECK(read_text("a.mot", "name m.mot\ndatacolumns 3\ndatarows 1\notherdata 1\nrange 0 1\n"
                             "endheader\ntime ground_force_vx knee\n 0 1 2\n") == SAL_OK);
    CHECK(signals.ncol == 3 && signals.remark.length > 0);
    CHECK_NEAR(at(0, "knee"), 2, 0);
}

/* Not in OpenSim's own files, but it would be a name that nobody knows. */
static void units_in_storages(void)
{
    CHECK(read_text("a.sto", STO "time\tgrf_mx [N mm]\tgrf_px[mm]\tknee [rad]\n"
                                 "0\t1\t2\t3\n0.1\t1\t2\t3\n") == SAL_OK);
    CHECK_TEXT(signals.column[1].name, "grf_mx");
    CHECK_TEXT(signals.column[1].unit, "N mm");
    CHECK_TEXT(signals.column[2].name, "grf_px");
    CHECK_TEXT(signals.column[2].unit, "mm");
    CHECK_TEXT(signals.column[3].unit, "rad");
    CHECK(read_text("a.sto", STO "time\ta[1]\t[m]\tc [x y]\n0\t1\t2\t3\n1\t1\t2\t3\n") == SAL_OK);
    CHECK_TEXT(signals.column[1].name, "a[1]");
    CHECK_TEXT(signals.column[2].name, "[m]");
    CHECK_TEXT(signals.column[3].name, "c_[x_y]");
}

static void faults_of_storages(void)
{
    refuse("b.sto", "Walk\nnRows=1\n", "b.sto:1:1: error: no line 'endheader' ends the header");
    refuse("b.sto", STO, "b.sto:7:1: error: no names of columns follow 'endheader'");
    refuse("b.sto", STO "time\ta\tb\tc\n0\t1\t2\t3\n",
           "b.sto:3:7: error: the header says 2 rows, but there are 1");
    refuse("b.sto", STO "a\ttime\tb\tc\n0\t1\t2\t3\n1\t1\t2\t3\n",
           "b.sto:7:1: error: the first column is 'time' in this format");
    refuse("b.sto", STO "time\ta\tb\tc\n1\t1\t2\t3\n0\t1\t2\t3\n",
           "b.sto:9:1: error: the time goes back: 0 comes after 1 (column 'time')");
    refuse("b.sto", STO "time\ta\tb\tc\n0\t1\t2\n1\t1\t2\t3\n",
           "b.sto:8:1: error: this row has 3 cells, but there are 4 columns");
    refuse("b.sto", STO "time\ta\tb\tc\n0\t1\t2\t3,5\n1\t1\t2\t3\n",
           "b.sto:8:7: error: '3,5' is not a number (column 'c')");
    refuse("b.sto", "x\nnRows=two\ninDegrees=maybe\nendheader\n",
           "b.sto:2:7: error: 'two' is not a count");
    refuse(
        "b.sto", "x\nDataType=Quaternion\nendheader\ntime\ta\n0\t1,0,0,0\n",
        "b.sto:2:10: error: cells of type Quaternion are not supported; the type must be double");
}

/* ---- tracks of markers ---- */

#define TRC(rate, frames, markers, units)                                                          \
    "PathFileType\t4\t(X/Y/Z) C:\\walk.trc\n"                                                      \
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\n" rate "\t\t100.0\t" frames \
    "\t\t" markers "\t " units "\t100\n"
#define TRC_NAMES "Frame#\tTime\tL ASIS\t\t\tR.ASIS\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"

static void tracks_of_markers(void)
{
    CHECK(read_text("a.trc", TRC("100", "3", "2", "mm") TRC_NAMES
                    "1\t0.00\t1\t2\t3\t4\t5\t6\t\r\n2\t0.01\t1.5\t2\t3\t\t\t\n3\t."
                    "02\t2\t2\t3\t0\t0\t0\n") == SAL_OK);
    CHECK(signals.nmarker == 2 && signals.ncol == 8 && signals.nrow == 3 && signals.time == 1);
    CHECK_NEAR(signals.rate, 100, 0);
    CHECK_TEXT(signals.marker[0], "L_ASIS");
    CHECK(sig_find_marker(&signals, "R.ASIS") == 1 && signals.marker_column[1] == 5);
    CHECK_TEXT(signals.column[5].name, "R.ASIS_X");
    CHECK_TEXT(signals.column[7].unit, "mm");
    CHECK_NEAR(at(1, "L_ASIS_X"), 1.5, 0);
    CHECK(isnan(at(1, "R.ASIS_Z")) && signals.up == 0);
    CHECK(diag.nwarning == 1 &&
          strstr(diag.text.data, "a.trc:9:13: warning: marker 'R.ASIS' stands at "
                                 "exactly 0 0 0 in 1 of 3 rows") != NULL);
}

/* A parabola with a sample 10 cm off; and a fall at 100 rows a second, which is smooth. */
static void markers_that_jump(void)
{
    sal_text text = {0};
    sal_text_add(&text, TRC("100", "20", "2", "m") TRC_NAMES);
    for (int i = 0; i < 20; i++) {
        const double t = .01 * i;
        sal_text_format(&text, "%d\t%g\t%g\t0\t1\t%g\t0\t1\n", i + 1, t, 3 * t - 5 * t * t,
                        3 * t - 5 * t * t + (i == 7 ? .1 : 0));
    }
    CHECK(read_text("a.trc", text.data) == SAL_OK && diag.nwarning == 0);
    CHECK(sig_warn_jumps(&signals, 0, &diag) == 0);
    CHECK(sig_warn_jumps(&signals, 1, &diag) == 3); /* to it, at it, from it */
    CHECK(diag.nwarning == 1 && strstr(diag.text.data, "a.trc:14:") != NULL);
    sal_text_clear(&text);
}

static void faults_of_tracks(void)
{
    refuse("b.trc", "t,x\n", "b.trc:1:1: error: the header has 1 of its five lines");
    refuse("b.trc", TRC("100", "1", "2", "in") TRC_NAMES,
           "b.trc:3:18: error: Units are m, mm or cm");
    refuse("b.trc", TRC("fast", "1", "2", "mm") TRC_NAMES,
           "b.trc:3:1: error: 'fast' is not a number that can stand here");
    refuse("b.trc", TRC("100", "1", "3", "mm") TRC_NAMES "1\t0\t1\t2\t3\t4\t5\t6\n",
           "b.trc:3:15: error: the header says 3 markers, but names 2");
    refuse("b.trc", TRC("100", "2", "2", "mm") TRC_NAMES "1\t0\t1\t2\t3\t4\t5\t6\n",
           "b.trc:3:12: error: the header says 2 frames, but there are 1");
    refuse("b.trc", TRC("100", "1", "2", "mm") TRC_NAMES "1\t0\t1\t2\t3\t4\t5\n",
           "b.trc:7:1: error: this row has 7 cells, but there are 8 columns");
    refuse("b.trc",
           TRC("100", "2", "2", "mm") TRC_NAMES "1\t.1\t1\t2\t3\t4\t5\t6\n2\t0\t1\t2\t3\t4\t5\t6\n",
           "b.trc:8:3: error: the time goes back: 0 comes after 0.1 (column 'Time')");
    refuse("b.trc",
           TRC("100", "1", "2", "mm") "Frame#\tTime\tA\t\t\tB\n\t\tX1\tZ1\tY1\tX2\tY2\tZ2\n1\t0\n",
           "b.trc:5:6: error: Y is expected here, under 'A_Y'");
    refuse(
        "b.trc", TRC("100", "1", "2", "mm") "Frame#\tTime\tA\tB\n\t\tX1\n",
        "b.trc:4:15: error: this name is over a Y or Z column, not over the X column of a marker");
    CHECK(read_text("b.trc", TRC("120", "2", "2", "mm") TRC_NAMES
                    "1\t0\t1\t2\t3\t4\t5\t6\n2\t.01\t1\t2\t3\t4\t5\t6\n") == SAL_OK);
    CHECK(strstr(diag.text.data,
                 "b.trc:3:1: warning: the header says 120 rows a second, but the times "
                 "make 100") != NULL);
}

/* ---- C3D ---- */

static bool a_point(int i, int k, double x[3])
{
    x[0] = 100 + i;
    x[1] = 200 * k - 4 * i;
    x[2] = -1000.5;
    return k != 1 || i != 2; /* the second point is missing in the third frame */
}

static c3d_file a_file(double scale)
{
    return (c3d_file){.npoint = 3,
                      .nframe = 5,
                      .first = 11,
                      .per_frame = 10,
                      .nchannel = 2,
                      .scale = scale,
                      .rate = 100,
                      .unit = "mm",
                      .labels = "LASIRASIL TO",
                      .processor = 84,
                      .point = a_point};
}

static sal_status read_c3d(const c3d_file *f, size_t cut)
{
    sal_text t = {0};
    c3d_write(&t, f);
    const sal_status status = read_bytes("a.c3d", t.data, t.length - cut);
    sal_text_clear(&t);
    return status;
}

static void points_of_c3d(void)
{
    for (int integers = 0; integers < 2; integers++) {
        c3d_file f = a_file(integers ? .5 : -1);
        f.screen = integers ? "+Z" : NULL;
        CHECK(read_c3d(&f, 0) == SAL_OK && diag.nwarning == 0);
        CHECK(signals.nmarker == 3 && signals.ncol == 11 && signals.nrow == 5);
        CHECK(signals.time == -1);
        CHECK_NEAR(signals.rate, 100, 0);
        CHECK_NEAR(signals.start, .1, 1e-15);
        CHECK(signals.up == (integers ? 'z' : 0));
        CHECK_TEXT(signals.marker[2], "L_TO");
        CHECK_TEXT(signals.column[4].name, "RASI_Y");
        CHECK_TEXT(signals.column[4].unit, "mm");
        CHECK_NEAR(at(3, "RASI_Y"), 188, 0);
        CHECK_NEAR(at(4, "LASI_Z"), -1000.5, 0);
        CHECK_NEAR(at(0, "L_TO_X"), 100, 0);
        CHECK(isnan(at(2, "RASI_X")) && isnan(at(2, "RASI_Z")) && !isnan(at(2, "LASI_X")));
        CHECK(strcmp(signals.remark.data,
                     "2 analog channels, 1000 samples a second: a row has the mean of those "
                     "around its instant\n") == 0);
        /* samples 1000, 1002, .. 1018 of every frame: from five before to five behind, the
         * outermost half; the first row has its own sample */
        CHECK_NEAR(at(0, "analog_1"), 1000, 0);
        CHECK_NEAR(at(3, "analog_1"), 1009, 1e-12);
        CHECK_NEAR(at(3, "analog_2"), 1010, 1e-12);
        const sal_place place = sig_signals_cell(&signals, 2, 3);
        CHECK(memcmp(signals.source.data + place.offset, "frame 13\n", 9) == 0);
    }
}

static void long_files_of_c3d(void)
{
    c3d_file f = a_file(-1);
    f.nframe = 70000;
    f.first = 1;
    f.field = 70000;
    f.per_frame = 0;
    CHECK(read_c3d(&f, 0) == SAL_OK);
    CHECK(signals.nrow == 70000);
    CHECK_NEAR(at(69999, "LASI_X"), 100 + 69999, 0);
    f = a_file(-1);
    f.field = 99;
    CHECK(read_c3d(&f, 0) == SAL_OK && signals.nrow == 5 && diag.nwarning == 1);
    f.labels = "LASIRASI";
    CHECK(read_c3d(&f, 0) == SAL_OK && diag.nwarning == 2);
    CHECK(strstr(diag.text.data, "point 3 has no label; it is called 'point_3'") != NULL);
}

static void refuse_c3d(const c3d_file *f, size_t cut, const char *complaint)
{
    CHECK(read_c3d(f, cut) == SAL_BADINPUT);
    CHECK_TEXT(diag.first + strlen(folder) + 1, complaint);
}

static void faults_of_c3d(void)
{
    c3d_file f = a_file(-1);
    refuse_c3d(&f, 512,
               "a.c3d:1:1: error: the header says 5 frames from block 4 on, but the file "
               "has room for 4");
    refuse_c3d(&f, 1600, "a.c3d:1:1: error: this is not a C3D file");
    f.processor = 85;
    refuse_c3d(&f, 0,
               "a.c3d:1:1: error: the file has the number format of DEC processors; only Intel's "
               "is supported");
    f = a_file(-1);
    f.nframe = 0;
    refuse_c3d(&f, 0, "a.c3d:1:1: error: the file has no frames");
    f = a_file(-1);
    f.rate = 0;
    refuse_c3d(&f, 0, "a.c3d:1:1: error: POINT:RATE is 0");
    f = a_file(-1);
    f.npoint = 0;
    refuse_c3d(&f, 0, "a.c3d:1:1: error: the file has no markers");
}

/* ---- skeletons ---- */

#define BVH                                                                                        \
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 1 0\n\tCHANNELS 6 Xposition Yposition Zposition "         \
    "Zrotation Xrotation Yrotation\n\tJOINT Left Leg {\n\tOFFSET .5 -1 2\n\tCHANNELS 1 "           \
    "Yrotation\n\tEnd Site\n{ OFFSET 0 -3 0 }\n}\n}\n"

static void skeletons(void)
{
    CHECK(read_text("a.bvh",
                    BVH "MOTION\nFrames: 2\nFrame Time: .01\n1 2 3 4 5 6 7\n1 2 3 4 5 6 8 \n") ==
          SAL_OK);
    CHECK(signals.ncol == 7 && signals.nrow == 2 && signals.njoint == 3 && signals.time == -1);
    CHECK_NEAR(signals.rate, 100, 1e-12);
    CHECK_TEXT(signals.column[3].name, "Hips_Zrotation");
    CHECK_TEXT(signals.column[3].unit, "deg");
    CHECK_TEXT(signals.column[0].unit, "");
    CHECK_NEAR(at(1, "Left_Leg_Yrotation"), 8, 0);
    const sig_joint *leg = signals.joint + 1, *end = signals.joint + 2;
    CHECK(leg->parent == 0 && leg->column == 6 && leg->nchannel == 1 &&
          signals.joint[0].parent == -1);
    CHECK_NEAR(leg->offset[2], 2, 0);
    CHECK_TEXT(end->name, "Left_Leg_End");
    CHECK(end->parent == 1 && end->nchannel == 0);
    CHECK_NEAR(end->offset[1], -3, 0);
}

static void faults_of_skeletons(void)
{
    refuse("b.bvh", "", "b.bvh:1:1: error: the file ends, but HIERARCHY is expected here");
    refuse("b.bvh", "HIERARCHY\nJOINT a {\n",
           "b.bvh:2:1: error: 'JOINT' was read, but ROOT or MOTION is expected");
    refuse("b.bvh", "HIERARCHY\nROOT a {\nCHANNELS 9\n}\n",
           "b.bvh:3:10: error: '9' was read, but a number of channels from 0 to 6 is expected");
    refuse("b.bvh", "HIERARCHY\nROOT a {\nCHANNELS 1 Wrotation\n}\n",
           "b.bvh:3:12: error: 'Wrotation' was read, but a channel, like Xposition or Zrotation, "
           "is expected");
    refuse("b.bvh", BVH, "b.bvh:13:1: error: the file ends, but ROOT or MOTION is expected here");
    refuse("b.bvh", BVH "MOTION\nFrames: 2\nFrame Time: 0\n",
           "b.bvh:15:13: error: the time between frames is not more than 0");
    refuse("b.bvh", BVH "MOTION\nFrames: 2\nFrame Time: .1\n",
           "b.bvh:15:14: error: there are no rows of numbers");
    refuse("b.bvh", BVH "MOTION\nFrames: 2\nFrame Time: .1\n1 2 3 4 5 6 7\n",
           "b.bvh:14:9: error: the header says 2 frames, but there are 1");
    refuse("b.bvh", BVH "MOTION\nFrames: 2\nFrame Time: .1\n1 2 3 4 5 6 7\n1 2 3 4 5 6\n",
           "b.bvh:17:1: error: this row has 6 cells, but there are 7 columns");
}

static void recorded_skeletons(void)
{
    if (!read_corpus("data/mocap/cmu_bvh/scaled_131_01.bvh")) {
        SKIP("no corpus");
    }
    CHECK(signals.nrow == 995 && signals.ncol == 96 && diag.nwarning == 0);
    CHECK_NEAR(at(0, "Hips_Xposition"), .295202, 0);
    CHECK_NEAR(signals.rate, 120, .01);
    CHECK_TEXT(signals.joint[3].name, "LeftKnee");
    CHECK_NEAR(signals.joint[3].offset[1], -.386656, 0);
    CHECK(read_corpus("data/mocap/cmu_bvh/scaled_131_03.bvh") && signals.nrow == 1248);
}

static void recorded_markers(void)
{
    if (!read_corpus("data/gait/walk_3d_apache/markers_walk.trc")) {
        SKIP("no corpus");
    }
    CHECK(signals.nmarker == 41 && signals.nrow == 238 && signals.ncol == 125);
    CHECK_NEAR(signals.rate, 100, 0);
    CHECK_NEAR(at(1, "R.Shoulder_X"), -641.082, 0);
    CHECK(diag.nwarning == 0);
    for (int i = 0; i < signals.nmarker; i++) {
        CHECK(sig_warn_jumps(&signals, i, &diag) == 0);
    }
}

static void recorded_tables(void)
{
    if (!read_corpus("data/gait/walk_3d_apache/coordinates.sto")) {
        SKIP("no corpus");
    }
    CHECK(signals.ncol == 32 && signals.nrow == 1350 && diag.nwarning == 1);
    CHECK(strstr(diag.text.data,
                 "coordinates.sto:3:10: warning: the header says 40 columns, but 32 "
                 "are named") != NULL);
    CHECK_NEAR(at(1, "/jointset/ground_pelvis/pelvis_tilt/value"), 0.002224118967975702, 0);
    CHECK_TEXT(signals.column[1].unit, "");
    CHECK(read_corpus("data/gait/walk_3d_apache/id_walk.sto") && signals.ncol == 32);
    CHECK(read_corpus("data/gait/walk_3d_apache/grf_walk.mot") && signals.nrow == 4778);
    CHECK(read_corpus("data/cube_toss/csv/toss_141.csv") && signals.ncol == 14);
    CHECK_NEAR(at(1, "qw"), -0.6863414, 0);
    CHECK(diag.nwarning == 0 && read_corpus("data/cube_toss/index.csv"));
    CHECK(signals.column[sig_find(&signals, "file")].text);
    CHECK(read_corpus("data/multiarm_pendulum/double_free_swing.csv") && signals.nrow == 40001);
    CHECK(read_corpus("data/dfki_double_pendulum/A0_055032.csv") && signals.time == 0);
}

/* A clip of a robot as its makers publish it: 36 numbers a row, neither names nor times. */
static void recorded_clips_without_a_header(void)
{
    sal_text bare = {0};
    if (!read_corpus("data/g1_clips/walk1_subject1.csv")) {
        SKIP("no corpus");
    }
    const char *line = strchr(signals.source.data, '\n');
    for (const char *end; line != NULL && line[1] != 0; line = end) {
        const char *cells = strchr(line, ',') + 1;
        end = strchr(cells, '\n');
        sal_text_addn(&bare, cells, end == NULL ? strlen(cells) : (size_t)(end + 1 - cells));
    }
    const int n = signals.nrow * signals.ncol;
    double *named = malloc((size_t)n * sizeof *named);
    CHECK(signals.nrow == 600 && signals.ncol == 37 && !signals.headless);
    memcpy(named, signals.value, (size_t)n * sizeof *named);
    CHECK(read_text("a.csv", bare.data) == SAL_OK && signals.headless);
    CHECK(signals.nrow == 600 && signals.ncol == 36 && diag.nwarning == 0);
    for (int i = 0; i < n && n == 600 * 37 && signals.ncol == 36; i++) {
        if (i % 37 > 0) {
            CHECK_NEAR(signals.value[i / 37 * 36 + i % 37 - 1], named[i], 0);
        }
    }
    CHECK(sig_find(&signals, "column36") == 35);
    sal_text_clear(&bare);
    free(named);
}

/* ---- memory that runs out ---- */

static void memory_runs_out(void)
{
    static const char csv[] = "t,x,x\n0,1,2\n1,2,3\n";
    static const char sto[] = STO "time\ta\tb\tc\n0\t1\t2\t3\n1\t1\t2\t3\n";
    static const char trc[] = TRC("100", "1", "2", "mm") TRC_NAMES "1\t0\t1\t2\t3\t4\t5\t6\n";
    static const char bvh[] = BVH "MOTION\nFrames: 1\nFrame Time: .01\n1 2 3 4 5 6 7\n";
    const c3d_file f = a_file(-1);
    sal_text t = {0};
    c3d_write(&t, &f);
    exhaust("a.csv", csv, strlen(csv));
    exhaust("a.csv", "1,2,3\n2,3,4\n", 12);
    exhaust("a.sto", sto, strlen(sto));
    exhaust("a.trc", trc, strlen(trc));
    exhaust("a.bvh", bvh, strlen(bvh));
    exhaust("a.c3d", t.data, t.length);
    sal_text_clear(&t);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    RUN(tables_with_missing_cells);
    RUN(faults_of_tables);
    RUN(tables_without_a_header);
    RUN(times_go_forward);
    RUN(storages_in_degrees);
    RUN(units_in_storages);
    RUN(faults_of_storages);
    RUN(tracks_of_markers);
    RUN(markers_that_jump);
    RUN(faults_of_tracks);
    RUN(points_of_c3d);
    RUN(long_files_of_c3d);
    RUN(faults_of_c3d);
    RUN(skeletons);
    RUN(faults_of_skeletons);
    RUN(recorded_skeletons);
    RUN(memory_runs_out);
    RUN(recorded_tables);
    RUN(recorded_clips_without_a_header);
    RUN(recorded_markers);
    static const char *const files[] = {"a.csv", "b.csv", "b.dat", "t.csv", "a.sto", "a.mot",
                                        "b.sto", "a.trc", "b.trc", "a.c3d", "a.bvh", "b.bvh"};
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
