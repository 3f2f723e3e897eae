#include "tests/check.h"
#include "tests/memory.h"

#include "base/house.h"
#include "signals/h5.h"

static void plain_column(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    snprintf(name, SIG_H5_NAME, "%s%d", (const char *)ctx, (int)i);
    snprintf(unit, SIG_H5_NAME, "N m");
}

typedef struct item {
    char name[20];
    int n;
    double x;
} item;

typedef struct content {
    double h, q[6], empty[1];
    int n, ids[3];
    unsigned long seed;
    char status[32], *text;
    item items[2];
} content;

static content sample(void)
{
    static char text[] = "<a>\n \xC3\xB6 </a>";
    return (content){.h = 0.025,
                     .q = {1, -2.5, 1e-300, NAN, -INFINITY, 6},
                     .n = -7,
                     .ids = {3, 1, 2},
                     .seed = ~0UL,
                     .status = "converged",
                     .text = text,
                     .items = {{"one", 1, 0.5}, {"a name that is longe", 2, -1}}};
}

static void exchange(sig_h5 *f, content *c)
{
    const sig_h5_shape
        q = {.name = "q", .rank = 2, .dims = {2, 3}, .ncol = 3, .column = plain_column, .ctx = "q"},
        none = {.name = "none",
                .rank = 2,
                .dims = {2, 0},
                .ncol = 0,
                .column = plain_column,
                .ctx = "q"},
        ids = {
            .name = "ids", .rank = 1, .dims = {3}, .ncol = 1, .column = plain_column, .ctx = "id"};
    sig_h5_shape list = {
        .name = "name", .rank = 1, .dims = {2}, .ncol = 1, .column = plain_column, .ctx = "item"};
    sig_h5_attr_text(f, "status", c->status, sizeof c->status);
    sig_h5_attr_long(f, "seed", &c->seed);
    sig_h5_group(f, "numbers");
    sig_h5_attr_real(f, "timestep", &c->h);
    sig_h5_attr_int(f, "n", &c->n);
    sig_h5_reals(f, &q, c->q);
    sig_h5_reals(f, &none, c->empty);
    sig_h5_ints(f, &ids, c->ids);
    sig_h5_group(f, "items");
    sig_h5_texts_of(f, &list, c->items[0].name, sizeof(item), sizeof c->items[0].name);
    list.name = "n";
    sig_h5_ints_of(f, &list, &c->items[0].n, sizeof(item));
    list.name = "x";
    sig_h5_reals_of(f, &list, &c->items[0].x, sizeof(item));
    sig_h5_text(f, "xml", &c->text);
}

static sal_status make(char **bytes, size_t *n, sal_err *err)
{
    content c = sample();
    c.items[1].name[19] = 0;
    sig_h5 *f;
    sal_status status = sig_h5_create(&f, err);
    *bytes = NULL;
    if (status == SAL_OK) {
        char said[65] = "", is[65];
        exchange(f, &c);
        status = sig_h5_close(f, bytes, n, said, err);
        if (status == SAL_OK) {
            sal_sha256_hex(is, *bytes, *n);
            CHECK_TEXT(said, is);
        }
    }
    return status;
}

static sal_status take(content *c, const char *bytes, size_t n, sal_err *err)
{
    sig_h5 *f;
    sal_status status = sig_h5_open(&f, "test.h5", bytes, n, err);
    memset(c, 0, sizeof *c);
    if (status == SAL_OK) {
        exchange(f, c);
        status = sig_h5_close(f, NULL, NULL, NULL, err);
    }
    return status;
}

static void what_was_written_is_read(void)
{
    char *bytes;
    size_t n;
    sal_err err = {0};
    content c, was = sample();
    CHECK_OK(make(&bytes, &n, &err), err);
    CHECK_OK(take(&c, bytes, n, &err), err);
    CHECK(memcmp(c.q, was.q, sizeof c.q) == 0 && c.h == was.h && c.n == was.n);
    CHECK(memcmp(c.ids, was.ids, sizeof c.ids) == 0 && c.seed == was.seed);
    CHECK_TEXT(c.status, was.status);
    CHECK_TEXT(c.text, was.text);
    CHECK_TEXT(c.items[0].name, "one");
    CHECK_TEXT(c.items[1].name, "a name that is long");
    CHECK(c.items[1].n == 2 && c.items[1].x == -1);
    sal_free(c.text);
    sal_free(bytes);
}

/* Dirt in the heap between two writings must not reach the file. */
static void equal_contents_are_equal_bytes(void)
{
    char *bytes[2];
    size_t n[2];
    sal_err err = {0};
    CHECK_OK(make(bytes, n, &err), err);
    void *dirt[64];
    for (size_t i = 0; i < 64; i++) {
        dirt[i] = malloc(100 * (i + 1));
        memset(dirt[i], 0xA5, 100 * (i + 1));
    }
    for (size_t i = 0; i < 64; i++) {
        free(dirt[i]);
    }
    CHECK_OK(make(bytes + 1, n + 1, &err), err);
    CHECK(n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0);
    sal_free(bytes[0]);
    sal_free(bytes[1]);
}

static void every_damage_is_refused(void)
{
    char *bytes;
    size_t n;
    sal_err err = {0};
    sal_rng rng = {3};
    content c;
    CHECK_OK(make(&bytes, &n, &err), err);
    for (int round = 0; round < 3000; round++) {
        const size_t at = (size_t)(sal_rng_next(&rng) % n);
        const char old = bytes[at];
        bytes[at] = (char)(old ^ (char)(1U << (sal_rng_next(&rng) % 8)));
        const bool in_seal = at + 82 > n; /* then HDF5 itself judges */
        CHECK(take(&c, bytes, n, &err) == SAL_BADINPUT || in_seal);
        sal_free(c.text);
        bytes[at] = old;
    }
    for (size_t length = 0; length + 82 < n; length += 1 + n / 300) {
        CHECK(take(&c, bytes, length, &err) == SAL_BADINPUT);
        sal_free(c.text);
    }
    CHECK(strstr(err.message, "test.h5") != NULL && strstr(err.message, "truncated") != NULL);
    bytes[n / 2] ^= 1;
    CHECK(take(&c, bytes, n, &err) == SAL_BADINPUT &&
          strstr(err.message, "after it was written") != NULL);
    sal_free(bytes);
}

static void memory_that_runs_out_is_told(void)
{
    char *bytes;
    size_t n;
    sal_err err = {0};
    content c;
    sal_status status = SAL_NOMEM;
    for (long k = 1, whole = 0; !whole; k++) {
        memory_fails_at(k);
        status = make(&bytes, &n, &err);
        whole = memory_was_enough(k);
        CHECK(whole || status == SAL_NOMEM);
        CHECK((status == SAL_OK) == (bytes != NULL));
    }
    CHECK(status == SAL_OK);
    status = SAL_NOMEM;
    for (long k = 1, whole = 0; !whole; k++) {
        memory_fails_at(k);
        status = take(&c, bytes, n, &err);
        whole = memory_was_enough(k);
        CHECK(whole || status == SAL_NOMEM);
        sal_free(c.text);
    }
    CHECK(status == SAL_OK);
    sal_free(bytes);
}

static void labels_of_thousands_of_columns_fit(void)
{
    sal_err err = {0};
    sig_h5 *f;
    char *bytes;
    size_t n;
    const size_t columns =
        20000; /* their names exceed the 64 KB of an attribute in HDF5's old format */
    double *row = sal_alloc(columns, sizeof(double));
    const sig_h5_shape shape = {.name = "wide",
                                .rank = 2,
                                .dims = {1, columns},
                                .ncol = columns,
                                .column = plain_column,
                                .ctx = "column_with_a_long_name_"};
    CHECK_OK(sig_h5_create(&f, &err), err);
    sig_h5_reals(f, &shape, row);
    CHECK_OK(sig_h5_close(f, &bytes, &n, NULL, &err), err);
    CHECK_OK(sig_h5_open(&f, "wide", bytes, n, &err), err);
    sig_h5_reals(f, &shape, row);
    CHECK_OK(sig_h5_close(f, NULL, NULL, NULL, &err), err);
    sal_free(row);
    sal_free(bytes);
}

int main(void)
{
    RUN(what_was_written_is_read);
    RUN(equal_contents_are_equal_bytes);
    RUN(every_damage_is_refused);
    RUN(memory_that_runs_out_is_told);
    RUN(labels_of_thousands_of_columns_fit);
    return check_done();
}
