/* many_models.c: as many models as one likes through fuzz_model, reproducibly: every sixteenth is
 * grown from the grammar, those between are changed copies of it. Meant for a sanitized build
 * without the fuzzer's own instrumentation:
 *
 *     meson setup build-many -Dbuildtype=debugoptimized -Db_sanitize=address,undefined
 *     ninja -C build-many tests/fuzz/many-models
 *     build-many/tests/fuzz/many-models 1000000 1
 *
 * usage: many-models COUNT SEED [FILE]; what is being tried stands in FILE, if given, so that a
 * crash leaves its input behind. */
#include "tests/fuzz/fuzz_model.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

enum { CHANGED = 15 };

static void note(const char *path, const unsigned char *data, size_t n)
{
    FILE *file = path == NULL ? NULL : fopen(path, "wb");
    if (file != NULL) {
        fwrite(data, 1, n, file);
        fclose(file);
    }
}

/* Out of the grown model: an element more, or bytes changed, or both. */
static size_t change(unsigned char *data, const char *grown, size_t n, sal_rng *rng)
{
    memcpy(data, grown, n);
    const unsigned kind = (unsigned)(sal_rng_next(rng) % 3);
    if (kind != 0) {
        n = mjcf_insert((char *)data, n, MUTANT_MAX, sal_rng_next(rng));
    }
    return kind == 1 ? n : mutate(data, n, rng);
}

int main(int argc, char **argv)
{
    static char grown[MUTANT_MAX];
    static unsigned char data[MUTANT_MAX];
    const long count = argc > 1 ? atol(argv[1]) : 1000;
    sal_rng rng = {argc > 2 ? (uint64_t)atol(argv[2]) : 1};
    const char *path = argc > 3 ? argv[3] : NULL;
    const clock_t begin = clock();
    size_t n = 0;
    for (long i = 0; i < count; i++) {
        size_t length;
        if (i % (CHANGED + 1) == 0) {
            length = n = mjcf_random(grown, sizeof grown, sal_rng_next(&rng));
            memcpy(data, grown, n);
        } else {
            length = change(data, grown, n, &rng);
        }
        note(path, data, length);
        LLVMFuzzerTestOneInput(data, length);
        if ((i + 1) % 10000 == 0) {
            printf("%ld models, %.0f per second\n", i + 1,
                   (double)(i + 1) * CLOCKS_PER_SEC / (double)(clock() - begin));
            fflush(stdout);
        }
    }
    printf("%ld models without a finding\n", count);
    return 0;
}
