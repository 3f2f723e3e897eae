/* Recordings in HDF5 files of other programs: which arrays, clips, names and rates they have. */
#include "tests/signals/read_bytes.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>

/* ---- files as other programs write them ---- */

static hid_t file, within; /* within: makes groups on the way */

static void begin(const char *name)
{
    file = H5Fcreate(in_folder(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    within = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(within, 1);
}

static void end(void)
{
    H5Pclose(within);
    H5Fclose(file);
}

static void put_dataset(const char *path, hid_t type, hid_t memory, int ndim, const hsize_t *dims,
                        const void *data)
{
    const hid_t space = H5Screate_simple(ndim, dims, NULL);
    const hid_t set = H5Dcreate2(file, path, type, space, within, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

/* Number i of the array is first + i, in the file as one of single precision. */
static void put(const char *path, size_t rows, size_t columns, double first)
{
    static double x[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = first + i;
    }
    put_dataset(path, H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, columns > 0 ? 2 : 1,
                (hsize_t[]){rows, columns}, x);
}

static void put_lone(const char *path, double x)
{
    put_dataset(path, H5T_STD_I16LE, H5T_NATIVE_DOUBLE, 0, NULL, &x);
}

static void put_words(const char *path, const char *const *words, size_t n, bool fixed)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    char block[4][8] = {{0}};
    H5Tset_size(type, fixed ? sizeof block[0] : H5T_VARIABLE);
    for (size_t i = 0; i < n; i++) {
        snprintf(block[i], sizeof block[i], "%s", words[i]);
    }
    put_dataset(path, type, type, 1, (hsize_t[]){n}, fixed ? (const void *)block : words);
    H5Tclose(type);
}

static void put_attribute(const char *group, const char *name, double x)
{
    const hid_t space = H5Screate(H5S_SCALAR),
                a = H5Acreate_by_name(file, group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                      H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(a, H5T_NATIVE_DOUBLE, &x) >= 0);
    H5Aclose(a);
    H5Sclose(space);
}

static void put_names(const char *object, const char *name, const char *const *words, size_t n)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, (hsize_t[]){n}, NULL);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t a =
        H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(a, type, words) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
}

static sal_status read_it(const char *name, const char *clip)
{
    sal_err err = {0};
    sig_clear(&signals);
    sal_diag_clear(&diag);
    return sig_read_clip(&signals, in_folder(name), NULL, clip, &diag, &err);
}

/* ---- what is read of them ---- */

static void arrays_of_one_recording(void)
{
    static const char *const words[] = {"hip", "knee"};
    for (int fixed = 0; fixed < 2; fixed++) {
        begin("a.hdf5");
        put("observations/qpos", 3, 2, 10);
        put("observations/deep/qvel", 3, 2, 20);
        put("action", 3, 0, 30);
        put_words("joint_names", words, 2, fixed != 0);
        put_attribute("/", "fps", 50);
        end();
        CHECK(read_it("a.hdf5", NULL) == SAL_OK);
        CHECK_TEXT(signals.format, "hdf5");
        CHECK(signals.ncol == 5 && signals.nrow == 3);
        CHECK_NEAR(signals.rate, 50, 0);
        CHECK_NEAR(at(2, "qpos_1"), 15, 0);
        CHECK_NEAR(at(0, "qvel_1"), 21, 0);
        CHECK_NEAR(at(2, "action"), 32, 0);
        const int knee = sig_find(&signals, "qpos_1");
        CHECK(knee >= 0 && signals.column[knee].joint != NULL);
        CHECK_TEXT(knee >= 0 ? signals.column[knee].joint : NULL, "knee");
    }
}

/* Two of one last name are told apart by the groups that they do not share. */
static void names_that_occur_twice(void)
{
    begin("b.h5");
    put("log/left/q", 4, 0, 0);
    put("log/right/q", 4, 0, 10);
    put("log/right/time", 4, 0, 0);
    end();
    CHECK(read_it("b.h5", NULL) == SAL_OK);
    CHECK(signals.ncol == 3 && signals.time >= 0);
    CHECK_NEAR(at(1, "left/q"), 1, 0);
    CHECK_NEAR(at(1, "right/q"), 11, 0);
}

/* Groups side by side with the same arrays: `second` has `rows` rows, and is called so. */
static void write_two(const char *second, size_t rows)
{
    char path[64];
    begin("c.h5");
    put_lone("data/dt", 2);
    put("data/run_1/q", 3, 0, 0);
    put("data/run_1/obs/v", 3, 0, 5);
    snprintf(path, sizeof path, "data/%s/q", second);
    put(path, rows, 0, 100);
    snprintf(path, sizeof path, "data/%s/obs/v", second);
    put(path, rows, 0, 105);
    put("mask/train", 1, 0, 0);
    end();
}

static void groups_side_by_side_are_clips(void)
{
    sig_names names;
    sal_err err;
    static const char *const second[] = {"run_20", "walk"};
    for (size_t i = 0; i < 2; i++) {
        write_two(second[i], 3 + i); /* numbers of rows tell as well as names */
        CHECK_OK(sig_read_names(&names, in_folder("c.h5"), NULL, &err), err);
        CHECK(names.n == 2);
        CHECK_TEXT(names.n == 2 ? names.name[1] : NULL, second[i]);
        sig_names_clear(&names);
        CHECK(read_it("c.h5", second[i]) == SAL_OK);
        CHECK(signals.nrow == 3 + (int)i && signals.ncol == 2);
        CHECK_NEAR(signals.rate, .5, 0); /* of both */
        CHECK_NEAR(at(2, "q"), 102, 0);
        CHECK_NEAR(at(2, "v"), 107, 0);
    }
    CHECK(read_it("c.h5", NULL) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "it holds 2 clips: 'run_1', 'walk'") != NULL);
    CHECK(read_it("c.h5", "jump") == SAL_BADINPUT);
    CHECK(strstr(diag.first, "it holds no clip 'jump', but 'run_1', 'walk'") != NULL);
    write_two("walk", 3); /* neither: two parts of one recording */
    CHECK_OK(sig_read_names(&names, in_folder("c.h5"), NULL, &err), err);
    CHECK(names.n == 0);
    sig_names_clear(&names);
    CHECK(read_it("c.h5", NULL) == SAL_OK);
    CHECK_NEAR(at(2, "data/walk/q"), 102, 0);
    CHECK(read_it("c.h5", "walk") == SAL_OK); /* what is asked for by its name is meant */
    CHECK_NEAR(at(2, "q"), 102, 0);
    CHECK(read_it("c.h5", "jump") == SAL_BADINPUT);
    CHECK(strstr(diag.first, "it holds no group 'jump' of arrays") != NULL);
}

/* Clips may have arrays that others lack; those of a whole robot are clips whatever their names and
 * numbers of rows. Words above them are of all, as are those that a dataset has as an attribute. */
static void clips_differ_in_what_they_hold(void)
{
    static const char *const words[] = {"hip", "knee"};
    for (int way = 0; way < 2; way++) {
        begin("g.h5");
        put("log/run/qpos", 3, 2, 0);
        put("log/run/note", 3, 0, 7);
        put("log/walk/qpos", 3, 2, 100);
        put("log/walk/time", 3, 0, 0);
        put_lone("log/info/mass", 3);
        if (way == 0) {
            put_words("log/joint_names", words, 2, false);
        } else {
            put_names("/log/walk/qpos", "joint_names", words, 2);
        }
        end();
        CHECK(read_it("g.h5", NULL) == SAL_BADINPUT);
        CHECK(strstr(diag.first, "it holds 2 clips: 'run', 'walk'") != NULL);
        CHECK(read_it("g.h5", "walk") == SAL_OK);
        CHECK(signals.ncol == 3);
        const int knee = sig_find(&signals, "qpos_1");
        CHECK(knee >= 0 && signals.column[knee].joint != NULL);
        CHECK_TEXT(knee >= 0 ? signals.column[knee].joint : NULL, "knee");
    }
}

static void what_holds_no_numbers_is_said(void)
{
    static const int block[16] = {0};
    begin("d.h5");
    put("q", 2, 0, 0);
    put_lone("rate", 10);
    put_dataset("image", H5T_STD_U8LE, H5T_NATIVE_INT, 4, (hsize_t[]){2, 2, 2, 2}, block);
    const hid_t pair = H5Tcreate(H5T_COMPOUND, sizeof block[0]);
    H5Tinsert(pair, "x", 0, H5T_NATIVE_INT);
    put_dataset("table", pair, pair, 1, (hsize_t[]){2}, block);
    H5Tclose(pair);
    end();
    CHECK(read_it("d.h5", NULL) == SAL_OK);
    CHECK(signals.ncol == 1 && signals.nrow == 2);
    CHECK(strstr(signals.remark.data,
                 "array 'image' is not read: it has more than three dimensions") != NULL);
    CHECK(strstr(signals.remark.data, "array 'table' is not read: it holds no numbers") != NULL);
    begin("d.h5");
    end();
    CHECK(read_it("d.h5", NULL) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "it holds no arrays") != NULL);
}

/* Groups that hold each other are no end of groups. */
static void links_may_go_in_circles(void)
{
    begin("e.h5");
    put("a/q", 2, 0, 0);
    H5Lcreate_hard(file, "/", file, "/a/again", H5P_DEFAULT, H5P_DEFAULT);
    end();
    const sal_status status = read_it("e.h5", NULL);
    CHECK(status == SAL_OK || status == SAL_BADINPUT);
}

static void damaged_files(void)
{
    static char bytes[20000];
    begin("f.h5");
    put("q", 100, 2, 0);
    end();
    FILE *f = fopen(in_folder("f.h5"), "rb");
    const size_t n = f == NULL ? 0 : fread(bytes, 1, sizeof bytes, f);
    if (f != NULL) {
        fclose(f);
    }
    CHECK(n > 1000 && n < sizeof bytes);
    CHECK(read_bytes("f.h5", bytes, n - 100) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "this is not an HDF5 file") != NULL);
    CHECK(read_bytes("f.h5", "text", 4) == SAL_BADINPUT);
    CHECK(read_bytes("f.h5", "", 0) == SAL_BADINPUT);
    exhaust("f.h5", bytes, n);
}

int main(void)
{
    static const char *const files[] = {"a.hdf5", "b.h5", "c.h5", "d.h5", "e.h5", "f.h5", "g.h5"};
    CHECK(mkdtemp(folder) != NULL);
    RUN(arrays_of_one_recording);
    RUN(names_that_occur_twice);
    RUN(groups_side_by_side_are_clips);
    RUN(clips_differ_in_what_they_hold);
    RUN(what_holds_no_numbers_is_said);
    RUN(links_may_go_in_circles);
    RUN(damaged_files);
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
