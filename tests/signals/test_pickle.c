/* Dictionaries of arrays that pickle.dump of Python wrote, and what is none. */
#include "tests/signals/pickle_samples.inc"
#include "tests/signals/read_bytes.h"

#include "base/house.h"

#include <math.h>

#define SAMPLE(name) pickle_##name, sizeof pickle_##name

typedef struct sample {
    const unsigned char *bytes;
    size_t n;
} sample;

static const sample protocols[] = {
    {SAMPLE(protocol_2)}, {SAMPLE(protocol_3)},  {SAMPLE(protocol_4)}, {SAMPLE(protocol_5)},
    {SAMPLE(joblib)},     {SAMPLE(joblib_zlib)}, {SAMPLE(joblib_gzip)}};
enum { PROTOCOLS = sizeof protocols / sizeof protocols[0] };

static void check_place_and_turn(int row)
{
    CHECK_NEAR(at(row, "root_pos_0"), .1 * row, 1e-15);
    CHECK_NEAR(at(row, "root_pos_1"), -.5, 0);
    CHECK_NEAR(at(row, "root_pos_2"), 1 + .01 * row, 1e-15);
    CHECK_NEAR(at(row, "root_rot_2"), sin(.1 * row), 1e-15);
    CHECK_NEAR(at(row, "root_rot_3"), cos(.1 * row), 1e-15);
}

/* And of joblib, whose arrays stand between the instructions */
static void dictionaries_of_all_protocols(void)
{
    for (int k = 0; k < PROTOCOLS; k++) {
        CHECK(read_bytes("a.pkl", protocols[k].bytes, protocols[k].n) == SAL_OK);
        CHECK(signals.ncol == 3 + 4 + 2 && signals.nrow == 4 && signals.time == -1);
        CHECK_NEAR(signals.rate, 30, 0);
        for (int row = 0; row < 4 && signals.ncol == 9; row++) {
            check_place_and_turn(row);
            CHECK_NEAR(at(row, "dof_pos_0"), .25 * row, 0);
            CHECK_NEAR(at(row, "dof_pos_1"), -.5 * row, 0);
        }
        CHECK(strstr(signals.remark.data, "'note' is not read: it is no array\n") != NULL);
        CHECK(strstr(signals.remark.data, "local_body_pos") == NULL);
    }
}

/* The place of an array whose shape has a word in it is the next one's, with nothing left there. */
static void an_array_of_no_shape(void)
{
    unsigned char wrong[sizeof pickle_protocol_4];
    bool found = false;
    memcpy(wrong, pickle_protocol_4, sizeof wrong);
    for (size_t i = 0; i + 3 < sizeof wrong && !found; i++) { /* (4, 3) becomes (4, "") */
        found = wrong[i] == 'K' && wrong[i + 1] == 4 && wrong[i + 2] == 'K' && wrong[i + 3] == 3;
        wrong[i + 2] = found ? 0x8c : wrong[i + 2];
        wrong[i + 3] = found ? 0 : wrong[i + 3];
    }
    CHECK(found && read_bytes("a.pkl", wrong, sizeof wrong) == SAL_OK);
    CHECK(signals.ncol == 4 + 2 && signals.nrow == 4);
    CHECK(strstr(signals.remark.data, "'root_pos' is not read: it is no array\n") != NULL);
    for (int row = 0; row < 4 && signals.ncol == 6; row++) {
        CHECK_NEAR(at(row, "root_rot_2"), sin(.1 * row), 1e-15);
        CHECK_NEAR(at(row, "dof_pos_1"), -.5 * row, 0);
    }
}

/* A clip under its name; a rate of NumPy, an array by columns, whole numbers, names of joints */
static void a_dictionary_in_another(void)
{
    CHECK(read_bytes("a.pkl", SAMPLE(nested)) == SAL_OK);
    CHECK(signals.ncol == 9 && signals.nrow == 4);
    CHECK_NEAR(signals.rate, 30, 0);
    for (int row = 0; row < 4 && signals.ncol == 9; row++) {
        check_place_and_turn(row);
        CHECK_NEAR(at(row, "dof_pos_0"), 1, 0);
        CHECK_NEAR(at(row, "dof_pos_1"), 2, 0);
    }
    for (int k = 0; k < signals.ncol; k++) {
        const sig_column *c = signals.column + k;
        const bool knee = strcmp(c->name, "dof_pos_1") == 0,
                   hip = strcmp(c->name, "dof_pos_0") == 0;
        CHECK((c->joint != NULL) == (hip || knee));
        CHECK(c->joint == NULL || strcmp(c->joint, knee ? "knee" : "hip") == 0);
    }
}

/* One of several, by its name; and what has no such name. */
static void a_clip_of_several(void)
{
    static const char *const names[] = {"walk", "run", "wlk"};
    const char *path = in_folder("a.pkl");
    sal_err err = {0};
    CHECK_OK(sal_file_write(path, pickle_two, sizeof pickle_two, &err), err);
    for (int k = 0; k < 3; k++) {
        sig_clear(&signals);
        sal_diag_clear(&diag);
        const sal_status status = sig_read_clip(&signals, path, NULL, names[k], &diag, &err);
        CHECK(status == (k < 2 ? SAL_OK : SAL_BADINPUT));
        CHECK(k == 2 || (signals.nrow == 2 && signals.value[0] == (k == 0 ? 1 : 2)));
    }
    CHECK_TEXT(diag.first + strlen(folder) + 1,
               "a.pkl:1:1: error: it holds no clip 'wlk', but 'walk', 'run'");
    sig_clear(&signals);
    sal_diag_clear(&diag);
    const char *table = in_folder("a.csv");
    CHECK_OK(sal_file_write(table, "t,x\n0,1\n1,2\n", 12, &err), err);
    CHECK(sig_read_clip(&signals, table, NULL, "walk", &diag, &err) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "has no clips with names, such as 'walk'") != NULL);
    unlink(table);
}

/* Which there are; in a file of one without a name none. */
static void clips_have_names(void)
{
    const char *path = in_folder("a.pkl");
    sig_names names;
    sal_err err = {0};
    CHECK_OK(sal_file_write(path, pickle_two, sizeof pickle_two, &err), err);
    CHECK_OK(sig_read_names(&names, path, NULL, &err), err);
    CHECK(names.n == 2);
    if (names.n == 2) {
        CHECK_TEXT(names.name[0], "walk");
        CHECK_TEXT(names.name[1], "run");
    }
    sig_names_clear(&names);
    CHECK(names.n == 0);
    CHECK_OK(sal_file_write(path, pickle_joblib, sizeof pickle_joblib, &err), err);
    CHECK_OK(sig_read_names(&names, path, NULL, &err), err);
    CHECK(names.n == 1 && strcmp(names.name[0], "walk") == 0);
    sig_names_clear(&names);
    CHECK_OK(sal_file_write(path, pickle_list, sizeof pickle_list, &err), err);
    CHECK_OK(sig_read_names(&names, path, NULL, &err), err);
    CHECK(names.n == 0);
    sig_names_clear(&names);
    CHECK_OK(sal_file_write(path, "abc", 3, &err), err);
    CHECK(sig_read_names(&names, path, NULL, &err) == SAL_BADINPUT && names.n == 0);
    sig_names_clear(&names);
    const char *table = in_folder("a.csv");
    CHECK_OK(sal_file_write(table, "t,x\n0,1\n1,2\n", 12, &err), err);
    CHECK(sig_read_names(&names, table, NULL, &err) == SAL_BADINPUT && names.n == 0);
    CHECK(strstr(err.message, "has no clips with names: only files of Python") != NULL);
    unlink(table);
}

static void refuse_pickle(const unsigned char *bytes, size_t n, const char *complaint,
                          const char *help)
{
    CHECK(read_bytes("a.pkl", bytes, n) == SAL_BADINPUT);
    CHECK_TEXT(diag.first + strlen(folder) + 1, complaint);
    CHECK(diag.text.data != NULL && strstr(diag.text.data, help) != NULL);
}

static void what_is_no_dictionary_of_arrays(void)
{
    static const unsigned char ends[] = {0x80, 4, ']'}, text[] = "abc", squeezed[] = "BZh9",
                               elsewhere[] = {0x80, 4, 'N', 'Q', '.'},
                               nothing[] = {0x80, 4, 'h', 0, '.'}, unmarked[] = {0x80, 4, 't'},
                               bare[] = {0x80, 4, 'R'}, unknown[] = {0x80, 4, 0xff};
    refuse_pickle(SAMPLE(two), "a.pkl:1:1: error: it holds 2 dictionaries: 'walk', 'run'",
                  "--clip NAME");
    refuse_pickle(SAMPLE(list), "a.pkl:1:1: error: it holds no dictionary of arrays",
                  "a dictionary of arrays of NumPy is read");
    refuse_pickle(squeezed, sizeof squeezed,
                  "a.pkl:1:1: error: it does not begin as a pickle of protocol 2 or later does; it "
                  "is compressed",
                  "joblib.load");
    refuse_pickle(text, 3,
                  "a.pkl:1:1: error: it does not begin as a pickle of protocol 2 or later does",
                  "numpy.savez");
    refuse_pickle(ends, sizeof ends,
                  "a.pkl:1:1: error: the pickle ends in the middle of an instruction; is the file "
                  "complete?",
                  "");
    refuse_pickle(elsewhere, sizeof elsewhere,
                  "a.pkl:1:1: error: its data are in another file, as PyTorch has them", "");
    refuse_pickle(nothing, sizeof nothing,
                  "a.pkl:1:1: error: the pickle names an object that it does not have", "");
    refuse_pickle(unmarked, sizeof unmarked,
                  "a.pkl:1:1: error: an instruction of the pickle wants a mark that is not there",
                  "");
    refuse_pickle(bare, sizeof bare,
                  "a.pkl:1:1: error: an instruction of the pickle wants more than there is on its "
                  "stack",
                  "");
    refuse_pickle(unknown, sizeof unknown,
                  "a.pkl:1:1: error: instruction 0xff at byte 2 of the pickle is none that is read",
                  "");
}

/* What a file may unpack to has a limit, too. */
static void it_may_unpack_to_so_much(void)
{
    const sal_reading usual = {.most = 0};
    static const unsigned char damaged[] = {0x78, 0x5e, 0xff, 0xff};
    sal_reading_set(&(sal_reading){.most = 600});
    CHECK(read_bytes("a.pkl", SAMPLE(joblib_zlib)) == SAL_BADINPUT);
    CHECK(strstr(diag.first, "a.pkl': it unpacks to 601 bytes") != NULL);
    sal_reading_set(&(sal_reading){.most = 2000});
    CHECK(read_bytes("a.pkl", SAMPLE(joblib_zlib)) == SAL_OK && signals.ncol == 9);
    sal_reading_set(&usual);
    refuse_pickle(damaged, sizeof damaged,
                  "a.pkl:1:1: error: it cannot be unpacked; is the file complete?", "");
}

/* Lists of numbers and of rows are arrays, where there is no array: beside one they are something
 * else. */
static void lists_of_numbers(void)
{
    CHECK(read_bytes("a.pkl", SAMPLE(lists)) == SAL_OK);
    CHECK(signals.ncol == 4 && signals.nrow == 2);
    CHECK_NEAR(signals.rate, 50, 0);
    CHECK_NEAR(at(0, "frames_1"), 2.5, 0);
    CHECK_NEAR(at(1, "frames_2"), 6, 0);
    CHECK_NEAR(at(1, "marks"), 7, 0);
    CHECK(strstr(signals.remark.data, "'ragged' is not read: it is no array\n") != NULL);
    CHECK(read_bytes("a.pkl", SAMPLE(beside)) == SAL_OK);
    CHECK(signals.ncol == 3 && signals.nrow == 2);
    CHECK(strstr(signals.remark.data, "'marks' is not read: it is no array\n") != NULL);
}

static void one_list_may_be_many_rows(void)
{
    const sal_reading usual = {.most = 0};
    CHECK(read_bytes("a.pkl", SAMPLE(shared)) == SAL_OK);
    CHECK(signals.ncol == 20 && signals.nrow == 20);
    sal_reading_set(&(sal_reading){.most = 20 * 20 * 8 - 1});
    refuse_pickle(SAMPLE(shared),
                  "a.pkl:1:1: error: 'frames' has 400 numbers; at most 399 may be read",
                  "--max-size raises the limit");
    sal_reading_set(&usual);
}

/* Wherever it ends, and whatever becomes of an array's shape */
static void files_that_are_cut_or_wrong(void)
{
    for (int k = 0; k < PROTOCOLS; k++) {
        for (size_t n = 0; n < protocols[k].n; n++) {
            CHECK(read_bytes("a.pkl", protocols[k].bytes, n) == SAL_BADINPUT);
        }
    }
    unsigned char wrong[sizeof pickle_protocol_4];
    memcpy(wrong, pickle_protocol_4, sizeof wrong);
    bool found = false;
    for (size_t i = 0; i + 3 < sizeof wrong && !found; i++) { /* (4, 3) becomes (5, 3) */
        found = wrong[i] == 'K' && wrong[i + 1] == 4 && wrong[i + 2] == 'K' && wrong[i + 3] == 3;
        wrong[i + 1] = (unsigned char)(wrong[i + 1] + found);
    }
    CHECK(found);
    refuse_pickle(wrong, sizeof wrong,
                  "a.pkl:2:1: error: array 'root_pos' has 96 bytes of numbers, but its shape wants "
                  "120",
                  "");
}

static void memory_runs_out(void)
{
    exhaust("a.pkl", SAMPLE(protocol_2));
    exhaust("a.pkl", SAMPLE(protocol_5));
    exhaust("a.pkl", SAMPLE(nested));
    exhaust("a.pkl", SAMPLE(lists));
    exhaust("a.pkl", SAMPLE(joblib));
    exhaust("a.pkl", SAMPLE(joblib_zlib));
}

/* Without the text of the listing names can be read. */
static void memory_runs_out_over_names(void)
{
    const char *path = in_folder("a.pkl");
    sig_names names;
    sal_err err = {0};
    CHECK_OK(sal_file_write(path, pickle_two, sizeof pickle_two, &err), err);
    for (long k = 1, enough = 0; !enough; k++) {
        memory_fails_at(k);
        const sal_status status = sig_read_names(&names, path, NULL, &err);
        enough = memory_was_enough(k);
        CHECK(status == SAL_NOMEM || (status == SAL_OK && names.n == 2));
        sig_names_clear(&names);
    }
}

int main(void)
{
    static const char *const files[] = {"a.pkl"};
    CHECK(mkdtemp(folder) != NULL);
    RUN(dictionaries_of_all_protocols);
    RUN(a_dictionary_in_another);
    RUN(a_clip_of_several);
    RUN(clips_have_names);
    RUN(an_array_of_no_shape);
    RUN(what_is_no_dictionary_of_arrays);
    RUN(lists_of_numbers);
    RUN(one_list_may_be_many_rows);
    RUN(files_that_are_cut_or_wrong);
    RUN(it_may_unpack_to_so_much);
    RUN(memory_runs_out);
    RUN(memory_runs_out_over_names);
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
