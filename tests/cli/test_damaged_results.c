/* Results that are cut off, have a wrong bit, or are something else: every verb that reads one says
 * so in one message, exit code 3, and libhdf5 prints nothing of its own. */
#include "tests/cli/sweep.h"

#include <hdf5.h>

static char *whole; /* a result */
static size_t length;
enum {
    SEAL = 82
}; /* its last line, by which saltus knows that it is whole: without it libhdf5
                       has to find out */

/* ---- the verbs; @ is the test's folder ---- */

static const char *const verbs[] = {"info @bad.h5",
                                    "report @bad.h5 -o @page.html",
                                    "export @bad.h5 --to csv",
                                    "export @bad.h5 --to npz -o @m.npz",
                                    "export @bad.h5 --to mjlab -o @m.npz",
                                    "export @bad.h5 --to sto -q -o @m.sto",
                                    "export @bad.h5 --to bvh -o @m.bvh",
                                    "replay @bad.h5",
                                    "export @bad.h5 --to mjcf -o @m.xml",
                                    "diff @bad.h5 @good.h5",
                                    "diff @good.h5 @bad.h5",
                                    "solve @guess.xml -q -o @guess",
                                    "harden @bad.h5 --refine 2 --problem @reach.xml -q -o @hard"};
enum { NVERB = sizeof verbs / sizeof verbs[0] };

static int count_lines_with(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; at != NULL && (at = strstr(at, part)) != NULL;) {
        n++;
        at = strchr(at, '\n');
    }
    return n;
}

/* libhdf5's stack of errors begins "HDF5-DIAG: Error detected in HDF5 (1.10.8) thread 0:", and its
 * lines have names of its functions, such as H5Fopen(). */
static bool hdf5_is_silent(void)
{
    return strstr(errors, "HDF5-DIAG") == NULL && strstr(errors, "major:") == NULL &&
           strstr(errors, "minor:") == NULL && strstr(errors, "H5F") == NULL &&
           strstr(errors, "H5D") == NULL;
}

/* One message: a line with "error: ", or a line of the command itself. */
static bool one_message(void)
{
    const int faults = count_lines_with(errors, "error: ");
    return faults == 1 || (faults == 0 && count_lines_with(errors, "saltus: ") == 1);
}

static void refuses(const char *verb, const char *what)
{
    const int code = go(verb);
    const bool good = code == 3 && hdf5_is_silent() && one_message() && out[0] == 0;
    if (!good) {
        printf("     %s, %s: exit code %d\n%s\n", verb, what, code, errors);
    }
    CHECK(good);
}

static void refused_by_all(const char *what)
{
    for (int v = 0; v < NVERB; v++) {
        refuses(verbs[v], what);
    }
}

static void put_bad(const char *bytes, size_t n)
{
    files_write("bad.h5", bytes, n);
}

/* ---- the damages ---- */

static void make_a_result(void)
{
    sal_err err = {0};
    sweep_files();
    const char *guess =
        files_replace(sweep_problem, "</problem>", "  <init result=\"bad.h5\"/>\n</problem>");
    files_write("guess.xml", guess, strlen(guess));
    CHECK(go("solve @reach.xml -q -o @made") == 0);
    CHECK_OK(sal_text_read_file(files_path("made/result.h5"), 1 << 30, &whole, &length, &err), err);
    CHECK(length > SEAL && memcmp(whole + length - SEAL, "\n# saltus sha256 ", 17) == 0);
    files_write("good.h5", whole, length);
    put_bad(whole, length);
    for (int v = 0; v < NVERB; v++) {
        CHECK(go(verbs[v]) == 0);
        CHECK(hdf5_is_silent());
    }
}

static void cut_off(void)
{
    const size_t left[] = {0, 8, 100, length / 4, length / 2, length - SEAL - 1, length - 1};
    for (size_t k = 0; k < sizeof left / sizeof left[0]; k++) {
        char what[60];
        snprintf(what, sizeof what, "%zu of %zu bytes", left[k], length);
        put_bad(whole, left[k]);
        if (k == 0 || k == 4) {
            refused_by_all(what);
        } else {
            refuses(verbs[k % NVERB], what);
        }
    }
}

static void with_a_wrong_bit(void)
{
    for (size_t k = 0; k < 12; k++) {
        char what[60];
        const size_t at = (length - SEAL) * k / 12;
        snprintf(what, sizeof what, "byte %zu of %zu", at, length);
        whole[at] ^= 4;
        put_bad(whole, length);
        whole[at] ^= 4;
        if (k == 6) {
            refused_by_all(what);
        } else {
            refuses(verbs[k % NVERB], what);
        }
    }
}

/* Without the seal libhdf5 reads what is damaged. What it does not notice may count. */
static void with_a_wrong_bit_and_no_seal(void)
{
    int noticed = 0;
    for (size_t k = 0; k < 40; k++) {
        const size_t at = k < 10 ? 5 * k : (length - SEAL) * (k - 10) / 30 + 3;
        whole[at] ^= 0x15;
        put_bad(whole, length - SEAL);
        whole[at] ^= 0x15;
        const char *verb = verbs[k % NVERB];
        const int code = go(verb);
        const bool good = hdf5_is_silent() && (code == 0 || code == 1 || code == 3 || code == 4);
        noticed += code == 3 && one_message();
        if (!good || (code == 3 && !one_message())) {
            printf("     %s, byte %zu: exit code %d\n%s\n", verb, at, code, errors);
        }
        CHECK(good && (code != 3 || one_message()));
    }
    printf("     %d of 40 noticed\n", noticed);
    CHECK(noticed > 5);
}

static void what_is_something_else(void)
{
    static const char text[] = "time,qpos0\n0,0\n1,1\n";
    static char noise[5000];
    put_bad(text, strlen(text));
    refused_by_all("a table");
    sal_rng rng = {3};
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (char)(sal_rng_next(&rng) & 0xFF);
    }
    put_bad(noise, sizeof noise);
    refused_by_all("noise");
    memcpy(noise, whole, 8); /* the signature of HDF5 */
    put_bad(noise, sizeof noise);
    refused_by_all("noise that begins like HDF5");
}

/* ---- HDF5 files that are no results ---- */

static void put_dataset(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size)
{
    const hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void an_empty_file_of_hdf5(void)
{
    const hid_t file = H5Fcreate(files_path("bad.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(file >= 0);
    H5Fclose(file);
    refused_by_all("an empty HDF5 file");
}

/* A dataset of another type or shape, a group in its place, or nothing. */
static void datasets_of_another_type(void)
{
    static const hsize_t odd[] = {3, 1};
    for (int k = 0; k < 5; k++) {
        char what[60];
        put_bad(whole, length - SEAL);
        const hid_t file = H5Fopen(files_path("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
        CHECK(file >= 0 && H5Ldelete(file, "trajectory/qpos", H5P_DEFAULT) >= 0);
        switch (k) {
        case 0:
            break;
        case 1:
            put_dataset(file, "trajectory/qpos", H5T_NATIVE_INT, 0, NULL);
            break;
        case 2:
            put_dataset(file, "trajectory/qpos", H5T_C_S1, 2, odd);
            break;
        case 3:
            put_dataset(file, "trajectory/qpos", H5T_NATIVE_DOUBLE, 2, odd);
            break;
        default:
            H5Gclose(H5Gcreate2(file, "trajectory/qpos", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        }
        H5Fclose(file);
        snprintf(what, sizeof what, "another qpos (%d)", k);
        for (int v = k % 2; v < NVERB; v += 2) {
            refuses(verbs[v], what);
        }
    }
}

/* ---- cells of a sweep ---- */

/* The table has its figures from records; the page shows no motion. A cell whose motion is damaged
 * is solved again. */
static void cells_of_a_sweep(void)
{
    sweep_write("small.xml", sweep_small);
    CHECK(run(sweep_line("small.xml", "sweep", "-q -j 1 --threads 1")) == 0);
    CHECK(run(sweep_line("small.xml", "again", "-q -j 1 --threads 1")) == 0);
    const standing s = stand("sweep");
    int damaged = 0;
    for (int i = 0; i < s.n; i++) {
        char name[120];
        snprintf(name, sizeof name, "sweep/cells/%.2s/%.70s", s.file[i].name, s.file[i].name);
        if (is_motion(&s.file[i])) {
            damaged++;
            CHECK(truncate(files_path(name), 60 * damaged) == 0);
        }
    }
    free(s.file);
    CHECK(damaged == 6);
    CHECK(go("table @sweep") == 0);
    CHECK(errors[0] == 0 && out[0] != 0);
    const int code = go("report @sweep -o @sweep.html");
    CHECK((code == 0 || code == 3) && hdf5_is_silent());
    CHECK(go("sweep --status @sweep") == 0);
    CHECK(errors[0] == 0);
    CHECK(run(sweep_line("small.xml", "sweep", "-q -j 1 --threads 1")) == 0);
    CHECK(errors[0] == 0 && same_cells("sweep", "again"));
}

int main(void)
{
    RUN(make_a_result);
    if (whole != NULL && length > SEAL) {
        RUN(cut_off);
        RUN(with_a_wrong_bit);
        RUN(with_a_wrong_bit_and_no_seal);
        RUN(what_is_something_else);
        RUN(an_empty_file_of_hdf5);
        RUN(datasets_of_another_type);
    }
    RUN(cells_of_a_sweep);
    sal_free(whole);
    files_remove();
    return check_done();
}
