#include "tests/fuzz/fuzz_hfield.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

enum { NSEED = 4 };

/* One image, or a file of MuJoCo's format: 4 x 5 numbers */
static size_t seed_file(unsigned char *to, int which)
{
    static const char *const images[NSEED - 1] = {"grey", "palette", "colours"};
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], *bytes = NULL;
    size_t n = 0;
    if (which == NSEED - 1) {
        static const int size[2] = {4, 5};
        float elevation[20];
        for (int i = 0; i < 20; i++) {
            elevation[i] = .1F * (float)(i % 7);
        }
        memcpy(to, size, sizeof size);
        memcpy(to + sizeof size, elevation, sizeof elevation);
        return sizeof size + sizeof elevation;
    }
    snprintf(path, sizeof path, "%s/tests/mjcf/hfields/%s.png", root == NULL ? "." : root,
             images[which]);
    CHECK(sal_text_read_file(path, MUTANT_MAX - 1, &bytes, &n, NULL) == SAL_OK);
    if (bytes != NULL) {
        memcpy(to, bytes, n);
    }
    sal_free(bytes);
    return n;
}

/* Each of them is read as it is; changed a little, it is read or refused. */
static void mutants_of_fields(void)
{
    static unsigned char seed[MUTANT_MAX], data[MUTANT_MAX];
    sal_rng rng = {7};
    int tried = 0;
    for (int i = 0; i < NSEED; i++) {
        const size_t n = seed_file(seed, i);
        sal_model *m = field_model(seed, n);
        CHECK(m != NULL);
        sal_model_free(m);
        const bool left = mutate_leaves(seed, n);
        const clock_t begin = clock();
        while (!left && clock() - begin < CLOCKS_PER_SEC) {
            memcpy(data, seed, n);
            data[sal_rng_next(&rng) % n] ^= (unsigned char)(1 << sal_rng_next(&rng) % 8);
            LLVMFuzzerTestOneInput(data, tried % 3 == 0 ? n : mutate(data, n, &rng));
            tried++;
        }
    }
    printf("  %d mutants\n", tried);
    CHECK(getenv("FUZZ_SEEDS") != NULL || tried >= 100);
}

int main(void)
{
    RUN(mutants_of_fields);
    files_remove();
    return check_done();
}
