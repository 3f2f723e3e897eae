/* Recordings in files of MATLAB, of version 5 and 7.3: variables, structures, names, clips. */
#include "tests/signals/read_bytes.h"

#include <math.h>
#include <matio.h>
#include <stdio.h>
#include <stdlib.h>

static mat_t *mat;

static void begin(const char *name, int version)
{
    mat = Mat_CreateVer(in_folder(name), NULL, version == 5 ? MAT_FT_MAT5 : MAT_FT_MAT73);
    CHECK(mat != NULL);
}

/* A matrix whose numbers are first, first + 1 .. as the file has them: column by column */
static matvar_t *matrix(const char *name, size_t rows, size_t columns, double first)
{
    static double x[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = first + i;
    }
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, (size_t[]){rows, columns}, x, 0);
}

static matvar_t *words(const char *name, const char *const *word, size_t n)
{
    matvar_t *cell[8] = {0};
    for (size_t i = 0; i < n; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s", word[i]);
        cell[i] =
            Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UINT8, 2, (size_t[]){1, strlen(text)}, text, 0);
    }
    return Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, (size_t[]){1, n}, cell, 0);
}

static void put(matvar_t *v)
{
    CHECK(v != NULL && Mat_VarWrite(mat, v, MAT_COMPRESSION_ZLIB) == 0);
    Mat_VarFree(v);
}

static void end(void)
{
    Mat_Close(mat);
}

static sal_status read_it(const char *name, const char *clip)
{
    sal_err err = {0};
    sig_clear(&signals);
    sal_diag_clear(&diag);
    return sig_read_clip(&signals, in_folder(name), NULL, clip, &diag, &err);
}

/* Instants are rows; or columns, as the time says that lies as well. */
static void variables_are_arrays(void)
{
    static const char *const names[] = {"hip", "knee"};
    static float single[] = {7, 8, 9};
    for (int version = 5; version <= 7; version += 2) {
        begin("a.mat", version);
        put(matrix("time", 1, 3, 0));
        put(matrix("q", 3, 2, 10));
        put(matrix("lying", 2, 3, 20));
        put(Mat_VarCreate("load", MAT_C_SINGLE, MAT_T_SINGLE, 2, (size_t[]){3, 1}, single, 0));
        put(words("joint_names", names, 2));
        end();
        CHECK(read_it("a.mat", NULL) == SAL_OK);
        CHECK_TEXT(signals.format, "mat");
        CHECK(signals.ncol == 6 && signals.nrow == 3 && signals.time >= 0);
        CHECK_NEAR(at(2, "time"), 2, 0);
        CHECK_NEAR(at(1, "q_0"), 11, 0);
        CHECK_NEAR(at(1, "q_1"), 14, 0);
        CHECK_NEAR(at(1, "lying_0"), 22, 0);
        CHECK_NEAR(at(1, "lying_1"), 23, 0);
        CHECK_NEAR(at(2, "load"), 9, 0);
        CHECK(strstr(signals.remark.data, "the instants of array 'lying' are its columns") != NULL);
        const int knee = sig_find(&signals, "q_1");
        CHECK(knee >= 0 && signals.column[knee].joint != NULL);
        CHECK_TEXT(knee >= 0 ? signals.column[knee].joint : NULL, "knee");
    }
}

/* As char(...) makes them, of one length */
static void names_may_be_a_matrix(void)
{
    char letters[] = "hkinpe e"; /* hip, knee: column by column */
    begin("a.mat", 5);
    put(matrix("time", 3, 1, 0));
    put(matrix("q", 3, 2, 10));
    put(Mat_VarCreate("joint_names", MAT_C_CHAR, MAT_T_UINT8, 2, (size_t[]){2, 4}, letters, 0));
    end();
    CHECK(read_it("a.mat", NULL) == SAL_OK);
    const int hip = sig_find(&signals, "q_0"), knee = sig_find(&signals, "q_1");
    CHECK_TEXT(hip >= 0 ? signals.column[hip].joint : NULL, "hip");
    CHECK_TEXT(knee >= 0 ? signals.column[knee].joint : NULL, "knee");
}

/* An array of n structures with fields q and fs; each has one row more. */
static void write_structures(int version, size_t n)
{
    static const char *fields[] = {"q", "fs"};
    begin("b.mat", version);
    matvar_t *all = Mat_VarCreateStruct("trial", 2, (size_t[]){1, n}, fields, 2);
    for (size_t i = 0; i < n; i++) {
        Mat_VarSetStructFieldByName(all, "q", i, matrix("q", 3 + i, 2, 100 * (double)i));
        Mat_VarSetStructFieldByName(all, "fs", i, matrix("fs", 1, 1, 50));
    }
    put(all);
    end();
}

static void structures_are_groups(void)
{
    sig_names names;
    sal_err err;
    for (int version = 5; version <= 7; version += 2) {
        write_structures(version, 1);
        CHECK(read_it("b.mat", NULL) == SAL_OK);
        CHECK(signals.ncol == 2 && signals.nrow == 3);
        CHECK_NEAR(signals.rate, 50, 0);
        CHECK_NEAR(at(2, "q_1"), 5, 0);
        write_structures(version, 2);
        CHECK_OK(sig_read_names(&names, in_folder("b.mat"), NULL, &err), err);
        CHECK(names.n == 2);
        CHECK_TEXT(names.n == 2 ? names.name[1] : NULL, "trial_2");
        sig_names_clear(&names);
        CHECK(read_it("b.mat", "trial_2") == SAL_OK);
        CHECK(signals.ncol == 2 && signals.nrow == 4);
        CHECK_NEAR(at(3, "q_1"), 107, 0);
        CHECK(read_it("b.mat", NULL) == SAL_BADINPUT);
        CHECK(strstr(diag.first, "it holds 2 clips: 'trial_1', 'trial_2'") != NULL);
    }
}

static void what_holds_no_numbers_is_said(void)
{
    static char text[] = "notes";
    static double parts[2][6];
    mat_complex_split_t both = {parts[0], parts[1]};
    begin("c.mat", 5);
    put(matrix("q", 3, 2, 0));
    put(Mat_VarCreate("z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, (size_t[]){3, 2}, &both, MAT_F_COMPLEX));
    put(Mat_VarCreate("about", MAT_C_CHAR, MAT_T_UINT8, 2, (size_t[]){1, 5}, text, 0));
    end();
    CHECK(read_it("c.mat", NULL) == SAL_OK);
    CHECK(signals.ncol == 2);
    CHECK(strstr(signals.remark.data, "array 'z' is not read: it holds no numbers") != NULL);
    CHECK(strstr(signals.remark.data, "array 'about' is not read: it holds no numbers") != NULL);
}

/* The bytes of a file with 200 numbers of that version */
static size_t write_bytes(char *bytes, size_t room, int version)
{
    begin("d.mat", version);
    put(matrix("q", 100, 2, 0));
    end();
    FILE *f = fopen(in_folder("d.mat"), "rb");
    const size_t n = f == NULL ? 0 : fread(bytes, 1, room, f);
    if (f != NULL) {
        fclose(f);
    }
    CHECK(n > 200 && n < room);
    return n;
}

/* libmatio would read what is there, and zeros for the rest. */
static void damaged_files(void)
{
    static char bytes[20000];
    size_t n = write_bytes(bytes, sizeof bytes, 7);
    CHECK(read_bytes("d.mat", bytes, n / 2) == SAL_BADINPUT);
    n = write_bytes(bytes, sizeof bytes, 5);
    for (size_t k = 0; k < n; k++) {
        CHECK(read_bytes("d.mat", bytes, k) == SAL_BADINPUT);
    }
    int same = 0;
    for (size_t k = 144; k < n; k++) { /* of what is compressed; a few bits of it say nothing */
        bytes[k] ^= 16;
        if (read_bytes("d.mat", bytes, n) == SAL_OK) {
            same++;
            CHECK_NEAR(at(99, "q_0"), 99, 0);
            CHECK_NEAR(at(99, "q_1"), 199, 0);
        } else {
            CHECK(strstr(diag.first, "the file is damaged, or unpacks to more than") != NULL);
        }
        bytes[k] ^= 16;
    }
    CHECK(same < 4);
    CHECK(read_bytes("d.mat", "text", 4) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "this is not a file of MATLAB, version 5 to 7.3") != NULL);
    exhaust("d.mat", bytes, n);
}

int main(void)
{
    static const char *const files[] = {"a.mat", "b.mat", "c.mat", "d.mat"};
    CHECK(mkdtemp(folder) != NULL);
    RUN(variables_are_arrays);
    RUN(names_may_be_a_matrix);
    RUN(structures_are_groups);
    RUN(what_holds_no_numbers_is_said);
    RUN(damaged_files);
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
