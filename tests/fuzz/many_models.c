/* many_models.c: as many models as one likes through fuzz_model, reproducibly. They come in
 * families of sixteen: one is grown (five of six from the grammar of MJCF, one as URDF), the others
 * are changed copies of it. Family k of a seed is always the same. Meant for a sanitized build:
 *
 *     CC=clang meson setup build-many -Doptimization=2 -Ddebug=true -Db_sanitize=address,undefined
 *     ninja -C build-many tests/fuzz/many-models
 *     SALTUS_ROOT=. build-many/tests/fuzz/many-models 1000000 1
 *
 * usage: many-models COUNT SEED [FILE] [FROM]    from family FROM (0) on
 *        many-models FILE                        this one model
 *
 * What is being tried is kept in memory, and written to FILE, if given, when the program is about
 * to end by a fault or a model takes longer than a minute of work. The last lines say how many
 * models had what, how many of these were read, and how many evaluated. The sanitizer's defaults
 * below find as much as its own, sooner: freed memory is forbidden for the next 16 MB only, which
 * is more than one model takes; leaks are looked for at the end. ASAN_OPTIONS goes before them. */
#include "tests/fuzz/fuzz_model.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/mutate_xml.h"
#include "tests/fuzz/urdf_random.h"

#include <signal.h>
#include <sys/time.h>

enum { FAMILY = 16, TOO_LONG = 60 };

/* ---- the sanitizer ---- */

SAL_API const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=16:malloc_context_size=8:max_malloc_fill_size=0:"
           "detect_stack_use_after_return=0:intercept_tls_get_addr=0:"
           "allocator_release_to_os_interval_ms=-1";
}

SAL_API const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:print_stacktrace=1";
}

__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

/* ---- what is being tried ---- */

static struct {
    unsigned char data[MUTANT_MAX];
    size_t n;
    const char *path; /* where it is left */
    long family;
} now;

static void leave(void)
{
    FILE *file = now.path == NULL ? NULL : fopen(now.path, "wb");
    if (file != NULL) {
        fwrite(now.data, 1, now.n, file);
        fclose(file);
    }
    fprintf(stderr, "of family %ld\n", now.family);
}

static void leave_at(int number)
{
    if (number == SIGPROF) {
        fprintf(stderr, "a model takes longer than %d s\n", TOO_LONG);
    }
    leave();
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void watch(void)
{
    signal(SIGPROF, leave_at);
    signal(SIGABRT, leave_at);
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(leave);
    } else {
        signal(SIGSEGV, leave_at);
    }
}

/* ---- how many have what ---- */

static struct feature {
    const char *name, *word;
    long tried, read, used;
} features[] = {{.name = "all", .word = ""},
                {.name = "URDF", .word = "<robot"},
                {.name = "height field", .word = "type=\"hfield\""},
                {.name = "mesh", .word = "type=\"mesh\""},
                {.name = "composite", .word = "<composite "},
                {.name = "attach", .word = "<attach "},
                {.name = "replicate", .word = "<replicate "},
                {.name = "delay", .word = " delay=\""},
                {.name = "orientation", .word = "<orientation "},
                {.name = "pid", .word = "<pid "},
                {.name = "servo with state", .word = "slewmax=\""},
                {.name = "dcmotor", .word = "<dcmotor "},
                {.name = "muscle", .word = "<muscle "},
                {.name = "actuator", .word = "<actuator>"},
                {.name = "sensor", .word = "<sensor>"},
                {.name = "rangefinder", .word = "<rangefinder "},
                {.name = "contact sensor", .word = " reduce=\""},
                {.name = "spatial tendon", .word = "<spatial "},
                {.name = "equality", .word = "<equality>"},
                {.name = "contact pair", .word = "<pair "},
                {.name = "keyframe", .word = "<key "},
                {.name = "mocap", .word = "mocap=\"true\""},
                {.name = "default", .word = "<default"},
                {.name = "free joint", .word = "<freejoint"}};

static void count(unsigned came)
{
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        struct feature *f = &features[i];
        if (strstr((const char *)now.data, f->word) != NULL) {
            f->tried++;
            f->read += (came & MODEL_READ) != 0;
            f->used += (came & MODEL_USED) != 0;
        }
    }
}

static void report(long tried, clock_t begin)
{
    printf("%ld models, %ld read, %ld evaluated, %.0f per second\n", tried, features[0].read,
           features[0].used, (double)tried * CLOCKS_PER_SEC / (double)(clock() - begin));
    fflush(stdout);
}

static void report_features(void)
{
    printf("%-16s %12s %12s %12s\n", "with", "tried", "read", "evaluated");
    for (size_t i = 1; i < sizeof features / sizeof features[0]; i++) {
        const struct feature *f = &features[i];
        printf("%-16s %12ld %12ld %12ld\n", f->name, f->tried, f->read, f->used);
    }
}

/* ---- families ---- */

static size_t grow_one(char *grown, size_t room, long family, sal_rng *rng)
{
    return family % 6 == 5 ? urdf_random(grown, room, sal_rng_next(rng))
                           : mjcf_random(grown, room, sal_rng_next(rng));
}

/* Out of the grown model: an element more, numbers and elements changed, or both; sometimes bytes
 * changed. */
static void change(const char *grown, size_t n, sal_rng *rng)
{
    const unsigned kind = (unsigned)(sal_rng_next(rng) % 8);
    memcpy(now.data, grown, n);
    if (kind < 3) {
        n = mjcf_insert((char *)now.data, n, MUTANT_MAX, sal_rng_next(rng));
    }
    if (kind > 1 && kind < 7) {
        n = mutate_xml((char *)now.data, n, MUTANT_MAX, rng);
    }
    now.n = kind == 7 ? mutate(now.data, n, rng) : n;
}

static void try_now(void)
{
    now.data[now.n] = 0;
    const struct itimerval limit = {.it_value.tv_sec = TOO_LONG}; /* of work, not of the clock */
    setitimer(ITIMER_PROF, &limit, NULL);
    count(try_model((const char *)now.data, now.n));
}

static void try_family(uint64_t seed, long family, long most)
{
    static char grown[MUTANT_MAX];
    sal_rng of_seed = {seed}, rng = {sal_rng_next(&of_seed) + (uint64_t)family};
    rng.state = sal_rng_next(&rng);
    const size_t n = grow_one(grown, sizeof grown, family, &rng);
    now.family = family;
    for (long i = 0; i < FAMILY && i < most; i++) {
        if (i == 0) {
            memcpy(now.data, grown, n);
            now.n = n;
        } else {
            change(grown, n, &rng);
        }
        try_now();
    }
}

static void try_file(const char *path)
{
    char *text = NULL;
    if (sal_text_read_file(path, MUTANT_MAX - 1, &text, &now.n, NULL) != SAL_OK) {
        fprintf(stderr, "%s cannot be read, or has more than %d bytes\n", path, MUTANT_MAX - 1);
        exit(1);
    }
    memcpy(now.data, text, now.n);
    sal_free(text);
    try_now();
    printf("%s%s\n",
           features[0].used > 0   ? "evaluated"
           : features[0].read > 0 ? "read"
                                  : "refused: ",
           features[0].read > 0 ? "" : refusal.message);
}

int main(int argc, char **argv)
{
    watch();
    if (argc == 2 && strspn(argv[1], "0123456789") != strlen(argv[1])) {
        try_file(argv[1]);
        return 0;
    }
    const long most = argc > 1 ? atol(argv[1]) : 1000;
    const uint64_t seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    const long from = argc > 4 ? atol(argv[4]) : 0;
    const clock_t begin = clock();
    now.path = argc > 3 ? argv[3] : NULL;
    for (long i = 0; i < most; i += FAMILY) {
        try_family(seed, from + i / FAMILY, most - i);
        if (i % 10000 >= 10000 - FAMILY) {
            report(i + FAMILY, begin);
        }
    }
    report(most, begin);
    report_features();
    printf("%ld models without a finding\n", most);
    return 0;
}
