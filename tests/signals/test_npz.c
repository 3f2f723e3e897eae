/* Arrays of NumPy: what NumPy wrote, and archives made byte by byte. */
#include "tests/signals/npz_samples.inc"
#include "tests/signals/read_bytes.h"
#include "tests/signals/zip_stored.h"

static void arrays_that_numpy_wrote(void)
{
    CHECK(read_bytes("a.npz", npz_deflated, sizeof npz_deflated) == SAL_OK);
    CHECK(signals.ncol == 5 && signals.nrow == 3 && signals.time == 0);
    CHECK_NEAR(signals.rate, 4, 0);
    CHECK_NEAR(at(1, "t"), .25, 0);
    CHECK_NEAR(at(2, "pos_0"), -5, 0);
    CHECK_NEAR(at(2, "pos_1"), 6, 0);
    CHECK(isnan(at(1, "pos_1")));
    CHECK_NEAR(at(2, "count"), -3, 0);
    CHECK_NEAR(at(0, "k"), -7, 0);
    CHECK_NEAR(at(2, "k"), 9, 0);
    CHECK(strstr(signals.remark.data, "array 'names' is not read") != NULL);
    CHECK(sig_signals_cell(&signals, 1, 2).length == strlen("row 1"));
    CHECK(read_bytes("a.npz", npz_stored, sizeof npz_stored) == SAL_OK);
    CHECK(signals.ncol == 2 && signals.nrow == 2 && signals.time == -1);
    CHECK_NEAR(at(1, "x_0"), 2.5, 0);
    CHECK_NEAR(at(0, "y"), 1, 0);
}

#define F8(shape) "{'descr': '<f8', 'fortran_order': False, 'shape': " shape ", }\n"

/* An archive with t [3] and an array x of this header and so many numbers, of which number 1 is
 * given. */
static void refuse_array(const char *header, int n, double one, const char *complaint)
{
    static const double t[3] = {0, 1, 2};
    double x[8] = {0, one};
    zip_stored z = {0};
    zip_add_array(&z, "t", F8("(3,)"), t, sizeof t);
    zip_add_array(&z, "x", header, x, (size_t)n * sizeof(double));
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_BADINPUT);
    CHECK_TEXT(diag.first + strlen(folder) + 1, complaint);
    sal_text_clear(&z.file);
}

static void faults_of_arrays(void)
{
    refuse_array(F8("(3,)"), 2, 0,
                 "b.npz:2:1: error: array 'x' has 16 bytes of numbers, but its shape wants 24");
    refuse_array(F8("(3,"), 3, 0, "b.npz:2:1: error: the header of array 'x' is broken");
    refuse_array("{'shape': (3,)}", 3, 0, "b.npz:2:1: error: the header of array 'x' is broken");
    refuse_array(F8("(999999999999999, 999999999999999)"), 3, 0,
                 "b.npz:2:1: error: array 'x' has 24 bytes of numbers, but its shape wants "
                 "2305843009213693944");
    refuse_array(F8("(3,)"), 3, (double)INFINITY,
                 "b.npz:4:1: error: a number is not finite here (column 'x')");
    refuse("b.npz", "t,x\n", "b.npz:1:1: error: not a ZIP archive: Not a zip archive");
    static const double t[3] = {0, 1, 2};
    zip_stored z = {0};
    zip_add_array(&z, "t", F8("(3,)"), t, sizeof t);
    zip_add_array(&z, "g", F8("(2,)"), t, 2 * sizeof(double));
    zip_add_array(&z, "z", "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", t, 16);
    zip_add_array(&z, "r", "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }", t,
                  24);
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_OK && signals.ncol == 1);
    CHECK(strstr(diag.text.data, "b.npz:2:1: warning: array 'g' has 2 rows, not the 3 of 't'"));
    CHECK(strstr(signals.remark.data, "array 'z' is not read") != NULL);
    CHECK(strstr(signals.remark.data, "array 'r' is not read") != NULL);
    z.file.data[z.file.length / 4]++; /* its checksum is another now */
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_BADINPUT);
    sal_text_clear(&z.file);
    CHECK(read_bytes("b.npz", npz_stored, sizeof npz_stored - 30) == SAL_BADINPUT);
}

#define HEADER(type, fortran, shape)                                                               \
    "{'descr': '" type "', 'fortran_order': " fortran ", 'shape': " shape ", }\n"

/* Bodies have a column for each number: element (r, i, j) of C's order stands at (r 3 + i) 2 + j,
 * of Fortran's at r + 2 (i + 3 j); here it is 100 r + 10 i + j in both. */
static void arrays_of_bodies(void)
{
    double c[12], fortran[12];
    zip_stored z = {0};
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 2; j++) {
                c[(r * 3 + i) * 2 + j] = fortran[r + 2 * (i + 3 * j)] = 100 * r + 10 * i + j;
            }
        }
    }
    zip_add_array(&z, "c", F8("(2, 3, 2)"), c, sizeof c);
    zip_add_array(&z, "f", HEADER("<f8", "True", "(2, 3, 2)"), fortran, sizeof fortran);
    zip_add_array(&z, "deep", F8("(2, 1, 3, 2)"), c, sizeof c);
    zip_end(&z);
    CHECK(read_bytes("a.npz", z.file.data, z.file.length) == SAL_OK);
    CHECK(signals.nrow == 2 && signals.ncol == 12 && signals.time == -1 && diag.nwarning == 0);
    for (int k = 0; k < 24; k++) {
        char name[16];
        const int r = k / 12, i = k / 4 % 3, j = k / 2 % 2;
        snprintf(name, sizeof name, "%c_%d_%d", "cf"[k % 2], i, j);
        CHECK_NEAR(at(r, name), 100 * r + 10 * i + j, 0);
    }
    CHECK_TEXT(signals.remark.data, "array 'deep' is not read: it has more than three "
                                    "dimensions\n");
    sal_text_clear(&z.file);
}

/* An archive with x [3], y [3 x 2] and an array of this name, header and numbers [n]. */
static sal_status read_beside(const char *name, const char *header, const void *data, size_t n)
{
    static const double x[6] = {0, 1, 2, 3, 4, 5};
    zip_stored z = {0};
    zip_add_array(&z, name, header, data, n);
    zip_add_array(&z, "x", F8("(3,)"), x, 3 * sizeof(double));
    zip_add_array(&z, "y", F8("(3, 2)"), x, sizeof x);
    zip_end(&z);
    const sal_status status = read_bytes("b.npz", z.file.data, z.file.length);
    sal_text_clear(&z.file);
    return status;
}

static void rates_of_clips(void)
{
    static const char *const names[] = {"rate",
                                        "fs",
                                        "fps",
                                        "framerate",
                                        "frame_rate",
                                        "frequency",
                                        "mocap_framerate",
                                        "mocap_frame_rate"};
    const double rate = 120;
    const long long whole = 50;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CHECK(read_beside(names[i], F8("()"), &rate, 8) == SAL_OK && signals.ncol == 3);
        CHECK_NEAR(signals.rate, 120, 0);
        CHECK(read_beside(names[i], HEADER("<i8", "False", "(1,)"), &whole, 8) == SAL_OK);
        CHECK_NEAR(signals.rate, 50, 0);
        CHECK(signals.ncol == 3 && signals.nrow == 3 && diag.nwarning == 0);
    }
    CHECK(read_beside("gain", F8("()"), &rate, 8) == SAL_OK && signals.rate <= 0);
    CHECK_TEXT(signals.remark.data, "array 'gain' is not read: it is a lone number\n");
    const double none = 0, each[3] = {30, 30, 30};
    CHECK(read_beside("fps", F8("(1,)"), &none, 8) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "b.npz:1:1: error: 'fps' is 0, but a rate is more than 0") != NULL);
    CHECK(read_beside("fps", F8("(3,)"), each, 24) == SAL_OK && signals.ncol == 4);
    zip_stored z = {0};
    zip_add_array(&z, "fs", F8("()"), &rate, 8);
    zip_add_array(&z, "fps", F8("(1,)"), each, 8);
    zip_add_array(&z, "x", F8("(3,)"), each, 24);
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "b.npz:2:1: error: 'fps' says 30 rows a second, but 'fs' says 120"));
    sal_text_clear(&z.file);
}

/* The time between rows, in single precision too: 1/30f is 0.0333333351. */
static void intervals_of_clips(void)
{
    static const char *const names[] = {"dt", "timestep", "time_step", "frame_time"};
    const float interval = 1.0F / 30;
    const double slow = 0.4, none = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CHECK(read_beside(names[i], HEADER("<f4", "False", "()"), &interval, 4) == SAL_OK);
        CHECK_NEAR(signals.rate, 30, 0);
        CHECK(read_beside(names[i], F8("(1,)"), &slow, 8) == SAL_OK && signals.ncol == 3);
        CHECK_NEAR(signals.rate, 2.5, 1e-15);
    }
    CHECK(read_beside("dt", F8("()"), &none, 8) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "b.npz:1:1: error: 'dt' is 0, but a rate is more than 0") != NULL);
}

/* IEEE 754: 1, -2, the largest; the least of all and the least with a leading one; 1/3. */
static void numbers_of_two_bytes(void)
{
    static const unsigned short bits[6] = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x0400, 0x3555};
    static const double wanted[6] = {1, -2, 65504, 0x1p-24, 0x1p-14, 0x1.554p-2};
    CHECK(read_beside("h", HEADER("<f2", "False", "(3, 2)"), bits, sizeof bits) == SAL_OK);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(at(i / 2, i % 2 ? "h_1" : "h_0"), wanted[i], 0);
    }
}

/* The last index of (3, 2, 1) has one value: columns are those of (3, 2). */
static void a_last_index_of_one_value(void)
{
    static const double x[6] = {0, 1, 2, 3, 4, 5};
    CHECK(read_beside("dof", F8("(3, 2, 1)"), x, sizeof x) == SAL_OK && signals.ncol == 5);
    CHECK_NEAR(at(1, "dof_0"), 2, 0);
    CHECK_NEAR(at(2, "dof_1"), 5, 0);
}

static const char *joint_of(const char *column)
{
    const int k = sig_find(&signals, column);
    return k < 0 || signals.column[k].joint == NULL ? "" : signals.column[k].joint;
}

/* Words of as many letters as the longest has; those of bodies, and of another number, are not
 * those of joints. */
static void names_of_joints(void)
{
    static const unsigned wide[2][4] = {{'h', 'i', 'p', 0}, {'k', 'n', 'e', 'e'}};
    static const char narrow[] = "hip\0knee";
    CHECK(read_beside("joint_names", HEADER("<U4", "False", "(2,)"), wide, 32) == SAL_OK);
    CHECK_TEXT(joint_of("y_0"), "hip");
    CHECK_TEXT(joint_of("y_1"), "knee");
    CHECK_TEXT(joint_of("x"), "");
    CHECK(read_beside("dof_names", HEADER("|S4", "False", "(2,)"), narrow, 8) == SAL_OK);
    CHECK_TEXT(joint_of("y_1"), "knee");
    CHECK(read_beside("dof_names", HEADER("|S4", "False", "(2,)"), narrow, 7) == SAL_OK);
    CHECK_TEXT(joint_of("y_1"), "");
    CHECK(read_beside("body_names", HEADER("|S4", "False", "(2,)"), narrow, 8) == SAL_OK);
    CHECK_TEXT(joint_of("y_1"), "");
    CHECK(read_beside("dof_names", HEADER("|S2", "False", "(4,)"), narrow, 8) == SAL_OK);
    CHECK_TEXT(joint_of("y_1"), "");
    zip_stored z = {0};
    zip_add_array(&z, "joints", HEADER("|S4", "False", "(2,)"), narrow, 8);
    zip_add_array(&z, "y", F8("(2, 2)"), wide, 32);
    zip_end(&z);
    exhaust("a.npz", z.file.data, z.file.length);
    sal_text_clear(&z.file);
}

static void nothing_that_is_read(void)
{
    zip_stored z = {0};
    zip_add_array(&z, "motion", HEADER("|O", "False", "()"), "abcdefgh", 8);
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_BADINPUT);
    CHECK(strstr(diag.text.data, "= help: array 'motion' is not read: its type is none of") !=
          NULL);
    sal_text_clear(&z.file);
}

/* Without a time the rows are those of most arrays; what has others is a shape, a list, .. */
static void rows_that_most_arrays_have(void)
{
    const double shape[16] = {0};
    CHECK(read_beside("betas", F8("(16,)"), shape, sizeof shape) == SAL_OK);
    CHECK(signals.nrow == 3 && signals.ncol == 3 && diag.nwarning == 1);
    CHECK(strstr(diag.text.data, "b.npz:1:1: warning: array 'betas' has 16 rows, not the 3 of 'x': "
                                 "it is not read") != NULL);
    CHECK_TEXT(signals.remark.data,
               "array 'betas' is not read: it does not have a row for every instant\n");
    CHECK(read_beside("one", F8("(1, 2)"), shape, 16) == SAL_OK && signals.nrow == 3);
    CHECK(diag.nwarning == 1 && signals.ncol == 3);
    CHECK(read_beside("empty", F8("(0, 999999999999999, 999999999999999)"), shape, 0) == SAL_OK);
    CHECK(diag.nwarning == 1 && signals.ncol == 3);
    zip_stored z = {0};
    zip_add_array(&z, "p", F8("(4,)"), shape, 32);
    zip_add_array(&z, "q", F8("(2,)"), shape, 16);
    zip_add_array(&z, "r", F8("(1,)"), shape, 8);
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_BADINPUT);
    CHECK_TEXT(diag.first + strlen(folder) + 1,
               "b.npz:1:1: error: which rows are the instants is not clear: 'p' has 4 rows, 'q' "
               "has 2, and as many arrays have the one number as the other");
    CHECK(strstr(diag.text.data, "or add an array 'time'") != NULL);
    sal_text_clear(&z.file);
    z.n = 0;
    zip_add_array(&z, "p", F8("(1,)"), shape, 8);
    zip_add_array(&z, "q", F8("(0,)"), shape, 0);
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_BADINPUT);
    CHECK_TEXT(diag.first + strlen(folder) + 1,
               "b.npz:2:1: error: array 'q' has 0 rows, but 'p' has 1");
    sal_text_clear(&z.file);
    z.n = 0;
    zip_add_array(&z, "q", F8("(0, 999999999999999, 999999999999999)"), shape, 0);
    zip_end(&z);
    CHECK(read_bytes("b.npz", z.file.data, z.file.length) == SAL_FULL);
    sal_text_clear(&z.file);
}

static void memory_runs_out(void)
{
    exhaust("a.npz", npz_deflated, sizeof npz_deflated);
    exhaust("a.npz", npz_stored, sizeof npz_stored);
}

int main(void)
{
    static const char *const files[] = {"a.npz", "b.npz"};
    CHECK(mkdtemp(folder) != NULL);
    RUN(arrays_that_numpy_wrote);
    RUN(faults_of_arrays);
    RUN(arrays_of_bodies);
    RUN(rates_of_clips);
    RUN(intervals_of_clips);
    RUN(numbers_of_two_bytes);
    RUN(a_last_index_of_one_value);
    RUN(names_of_joints);
    RUN(nothing_that_is_read);
    RUN(rows_that_most_arrays_have);
    RUN(memory_runs_out);
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
