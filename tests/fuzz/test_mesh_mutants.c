#include "tests/fuzz/fuzz_mesh.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

/* Our own mesh files, each as every kind of inertia, a little changed. */
static void mutants_of_meshes(void)
{
    static const char *const files[] = {"bracket.obj", "wedge.MSH", "stone.stl"};
    static const unsigned char formats[] = {MESH_OBJ << 1, MESH_MSH << 1, MESH_STL << 1};
    const char *root = getenv("SALTUS_ROOT");
    static unsigned char text[MUTANT_MAX];
    sal_rng rng = {3};
    int tried = 0;
    for (int i = 0; i < 3; i++) {
        char path[1024], *bytes = NULL;
        size_t n = 0;
        snprintf(path, sizeof path, "%s/tests/mjcf/meshes/%s", root == NULL ? "." : root, files[i]);
        CHECK(sal_text_read_file(path, MUTANT_MAX - 2, &bytes, &n, NULL) == SAL_OK);
        text[0] = formats[i];
        if (bytes != NULL) {
            memcpy(text + 1, bytes, n);
        }
        const bool left = bytes != NULL && mutate_leaves(text, n + 1);
        const clock_t begin = clock();
        while (!left && bytes != NULL && clock() - begin < CLOCKS_PER_SEC) {
            text[0] = (unsigned char)(formats[i] | (sal_rng_next(&rng) & 0x59));
            memcpy(text + 1, bytes, n);
            if (tried % 8 == 0) { /* numbers of a header */
                text[1 + (sal_rng_next(&rng) % 100)] ^=
                    (unsigned char)(1 << sal_rng_next(&rng) % 8);
                LLVMFuzzerTestOneInput(text, n + 1);
            } else {
                LLVMFuzzerTestOneInput(text, 1 + mutate(text + 1, n, &rng));
            }
            tried++;
        }
        sal_free(bytes);
    }
    printf("  %d mutants\n", tried);
    CHECK(tried >= 100);
}

int main(void)
{
    RUN(mutants_of_meshes);
    return check_done();
}
