#include "tests/fuzz/fuzz_signals.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"
#include "tests/signals/c3d_file.h"
#include "tests/signals/npz_samples.inc"
#include "tests/signals/pickle_samples.inc"

/* Mutants of a file; `format` is the place in the fuzzer's list. */
static void mutants(int format, const void *file, size_t n)
{
    enum { COUNT = 250 };
    static unsigned char data[MUTANT_MAX + 1];
    sal_rng rng = {(uint64_t)format + 1};
    if (n >= MUTANT_MAX) {
        CHECK(false);
        return;
    }
    data[0] = (unsigned char)format;
    memcpy(data + 1, file, n);
    if (mutate_leaves(data, n + 1)) {
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        memcpy(data + 1, file, n);
        const size_t length = i == 0 ? n : mutate(data + 1, n, &rng);
        LLVMFuzzerTestOneInput(data, length + 1);
    }
}

static void mutants_of_texts(void)
{
    static const char *const seeds[] = {
        "time,hip [deg],x,y,z,qw,qx,qy,qz,\"a b\"\n0,1,0,0,0,1,0,0,0,w\n.1,,0,0,0,.6,.8,0,0,w\n",
        "w\nnRows=2\nnColumns=4\ninDegrees=yes\nendheader\ntime\tknee\tground_force_vx\thip_u\n"
        "0\t1\t2\t3\n1\t\tnan\t4\n",
        "PathFileType\t4\t(X/Y/Z)\tw.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t3\t1\tmm\n"
        "Frame#\tTime\tHEAD\t\t\n\t\tX1\tY1\tZ1\n\n1\t0\t1\t2\t3\n2\t.01\t\t\t\n3\t."
        "02\t900\t0\t0\n",
        "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yrotation Zrotation\nJOINT b {\n"
        "OFFSET 0 0 1\nCHANNELS 1 Xrotation\nEnd Site { OFFSET 1 2 3 }\n}\n}\nMOTION\nFrames: 2\n"
        "Frame Time: .01\n1 2 3 4\n5 6 7 8\n"};
    for (int i = 0; i < 4; i++) {
        mutants(i, seeds[i], strlen(seeds[i]));
    }
}

static bool a_point(int i, int k, double x[3])
{
    x[0] = i;
    x[1] = k;
    return i != 1;
}

static void mutants_of_c3d(void)
{
    for (int integers = 0; integers < 2; integers++) {
        const c3d_file f = {.npoint = 2,
                            .nframe = 3,
                            .first = 1,
                            .per_frame = 2,
                            .nchannel = 1,
                            .scale = integers ? .1 : -1,
                            .rate = 100,
                            .unit = "mm",
                            .screen = "+Z",
                            .labels = "LASIRASI",
                            .processor = 84,
                            .field = 3,
                            .point = a_point};
        sal_text t = {0};
        c3d_write(&t, &f);
        mutants(4, t.data, t.length);
        sal_text_clear(&t);
    }
}

static void mutants_of_arrays(void)
{
    static const char array[] =
        "\x93NUMPY\1\0\x3f\0{'descr': '<f8', 'fortran_order': False, 'shape': "
        "(3, 1), }   \n\1\2\3\4\5\6\7\0\1\2\3\4\5\6\7\0\1\2\3\4\5\6\7";
    mutants(5, npz_deflated, sizeof npz_deflated);
    mutants(5, npz_stored, sizeof npz_stored);
    mutants(6, array, sizeof array);
}

static void mutants_of_pickles(void)
{
    mutants(7, pickle_protocol_2, sizeof pickle_protocol_2);
    mutants(7, pickle_protocol_3, sizeof pickle_protocol_3);
    mutants(7, pickle_protocol_4, sizeof pickle_protocol_4);
    mutants(7, pickle_protocol_5, sizeof pickle_protocol_5);
    mutants(7, pickle_nested, sizeof pickle_nested);
    mutants(7, pickle_joblib_zlib, sizeof pickle_joblib_zlib);
    mutants(7, pickle_two, sizeof pickle_two);
    mutants(7, pickle_list, sizeof pickle_list);
    mutants(7, pickle_lists, sizeof pickle_lists);
    mutants(7, pickle_shared, sizeof pickle_shared);
    mutants(7, pickle_joblib, sizeof pickle_joblib);
}

static void mutants_of_json(void)
{
    static const char poses[] = "{\"FrameDuration\": 0.02, \"Frames\": [[0, 0, 1, 0, 0, 0, 1, .5], "
                                "[0, 0, 1, 0, 0, .6, .8, null]], \"joint_names\": [\"hip\"]}";
    mutants(8, poses, sizeof poses - 1);
}

int main(void)
{
    RUN(mutants_of_texts);
    RUN(mutants_of_c3d);
    RUN(mutants_of_arrays);
    RUN(mutants_of_pickles);
    RUN(mutants_of_json);
    files_remove();
    return check_done();
}
