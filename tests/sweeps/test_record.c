/* Records of cells: what was written is read, what is not whole is not there. */
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "sweeps/folder.h"

#define HASH "ab3456789012345678901234567890123456789012345678901234567890abcd"

static sal_record sample(sal_figure figure[2])
{
    figure[0] = (sal_figure){"term[a]", "N", .1 + .2};
    figure[1] = (sal_figure){"slip", "m/s", (double)NAN};
    return (sal_record){.status = "infeasible",
                        .kind = "unsolved",
                        .exit_code = 4,
                        .tries = 2,
                        .from = HASH,
                        .version = "1 (x)",
                        .reason = "a\tb\nc <d> \"e\" \xC3\xA9",
                        .seconds = 1e-3,
                        .bytes = 123456789012,
                        .sha256 = HASH,
                        .nfigure = 2,
                        .figure = figure};
}

static void make_folders(void)
{
    mkdir(files_path("cells"), 0777);
    mkdir(files_path("cells/ab"), 0777);
}

static void what_was_written_is_read(void)
{
    sal_figure figure[2];
    const sal_record was = sample(figure);
    sal_record r;
    sal_err err = {0};
    bool found;
    CHECK_OK(swp_record_read(&r, files_folder(), HASH, &found, &err), err);
    CHECK(!found);
    CHECK_OK(swp_record_write(&was, files_folder(), HASH, false, &err), err);
    CHECK_OK(swp_record_read(&r, files_folder(), HASH, &found, &err), err);
    CHECK(found && r.nfigure == 2);
    CHECK_TEXT(r.status, was.status);
    CHECK_TEXT(r.kind, was.kind);
    CHECK_TEXT(r.from, was.from);
    CHECK_TEXT(r.version, was.version);
    CHECK_TEXT(r.reason, "a b c <d> \"e\" \xC3\xA9"); /* on one line */
    CHECK_TEXT(r.sha256, was.sha256);
    CHECK(r.exit_code == 4 && r.tries == 2 && r.bytes == was.bytes);
    CHECK_NEAR(r.seconds, was.seconds, 0);
    if (r.nfigure == 2) {
        CHECK_TEXT(r.figure[0].name, "term[a]");
        CHECK_TEXT(r.figure[1].unit, "m/s");
        CHECK_NEAR(r.figure[0].value, was.figure[0].value, 0);
        CHECK(isnan(r.figure[1].value));
    }
    swp_record_clear(&r);
}

static bool is_read(const char *text, size_t n)
{
    sal_record r;
    sal_err err;
    bool found;
    files_write("cells/ab/" HASH ".tsv", text, n);
    CHECK_OK(swp_record_read(&r, files_folder(), HASH, &found, &err), err);
    CHECK(found || (r.figure == NULL && r.status[0] == 0));
    swp_record_clear(&r);
    return found;
}

/* Earlier versions called an unsolved cell "poor". */
static void a_record_of_an_earlier_version_is_read(void)
{
    sal_figure figure[2];
    sal_record old = sample(figure), r;
    sal_err err = {0};
    bool found;
    snprintf(old.kind, sizeof old.kind, "poor");
    CHECK_OK(swp_record_write(&old, files_folder(), HASH, false, &err), err);
    CHECK_OK(swp_record_read(&r, files_folder(), HASH, &found, &err), err);
    CHECK(found && swp_record_kind(&r) == SAL_CELL_UNSOLVED);
    CHECK_TEXT(r.kind, "unsolved");
    swp_record_clear(&r);
}

static void what_is_not_whole_is_not_there(void)
{
    sal_figure figure[2];
    const sal_record was = sample(figure);
    sal_err err = {0};
    char *text;
    size_t n;
    CHECK_OK(swp_record_write(&was, files_folder(), HASH, false, &err), err);
    CHECK_OK(sal_text_read_file(files_path("cells/ab/" HASH ".tsv"), 10000, &text, &n, &err), err);
    CHECK(is_read(text, n));
    for (size_t i = 0; i < n; i++) {
        CHECK(!is_read(text, i)); /* cut short anywhere */
    }
    static const char *const change[][2] = {{"# saltus record 1", "# saltus record 2"},
                                            {"status\tinfeasible", "status\t"},
                                            {"tries\t2", "tries\tx"},
                                            {"tries\t2", "tries\t-1"},
                                            {"tries\t2", "tries\t1.5"},
                                            {"tries\t2\n", ""},
                                            {"kind", "king"},
                                            {"figure\tslip", "figur\tslip"},
                                            {"\tnan\t", "\t\t"},
                                            {"bytes\t1", "bytes\t1e20 "},
                                            {"end\n", "end\nend\n"},
                                            {"end\n", "end\n\n"},
                                            {"sha256\t", "sha256\t0"}};
    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        const char *bad = files_replace(text, change[i][0], change[i][1]);
        CHECK(!is_read(bad, strlen(bad)));
    }
    text[n / 2] = 0;
    CHECK(!is_read(text, n));
    sal_free(text);
}

static int synced;

/* In place of that of the system */
int fsync(int fd)
{
    (void)fd;
    synced++;
    return 0;
}

static void it_waits_for_the_disk_if_it_is_told_to(void)
{
    sal_figure figure[2];
    const sal_record was = sample(figure);
    sal_err err = {0};
    CHECK_OK(swp_record_write(&was, files_folder(), HASH, false, &err), err);
    CHECK(synced == 0);
    CHECK_OK(swp_record_write(&was, files_folder(), HASH, true, &err), err);
    CHECK(synced == 2); /* file and folder */
}

static void memory_that_runs_out_is_told(void)
{
    sal_figure figure[2];
    const sal_record was = sample(figure);
    sal_status status = SAL_NOMEM;
    sal_record r;
    sal_err err = {0};
    bool found = false;
    CHECK_OK(swp_record_write(&was, files_folder(), HASH, false, &err), err);
    for (long k = 1, whole = 0; !whole; k++) {
        memory_fails_at(k);
        status = swp_record_read(&r, files_folder(), HASH, &found, &err);
        whole = memory_was_enough(k);
        CHECK(whole || status == SAL_NOMEM);
        CHECK((status == SAL_OK) == (r.nfigure == 2));
        swp_record_clear(&r);
    }
    CHECK(status == SAL_OK && found);
    for (long k = 1, whole = 0; !whole; k++) {
        memory_fails_at(k);
        status = swp_record_write(&was, files_folder(), HASH, false, &err);
        whole = memory_was_enough(k);
        CHECK(whole ? status == SAL_OK : status == SAL_NOMEM);
    }
}

int main(void)
{
    make_folders();
    RUN(what_was_written_is_read);
    RUN(a_record_of_an_earlier_version_is_read);
    RUN(what_is_not_whole_is_not_there);
    RUN(it_waits_for_the_disk_if_it_is_told_to);
    RUN(memory_that_runs_out_is_told);
    files_remove();
    return check_done();
}
