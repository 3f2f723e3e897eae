#include "tests/check.h"
#include "tests/folder.h"

#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *name, const char *text)
{
    const int fd = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

static sal_status read_some(const char *path, size_t limit, char *text, size_t size, sal_err *err)
{
    char *data;
    size_t n;
    const sal_status status = sal_text_read_file(path, limit, &data, &n, err);
    snprintf(text, size, "%s", data == NULL ? "" : data);
    sal_free(data);
    return status;
}

static void a_limit_for_all_replaces_those_of_formats(void)
{
    char text[100];
    sal_err err = {0};
    put("ten", "0123456789");
    CHECK(sal_reading_most(5) == 5);
    CHECK(read_some(in_folder("ten"), 5, text, sizeof text, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "ten': it has 10 bytes, but at most 5 bytes are allowed") != NULL);
    sal_reading_set(&(sal_reading){.most = 20});
    CHECK(sal_reading_most(5) == 20);
    CHECK_OK(read_some(in_folder("ten"), 5, text, sizeof text, &err), err);
    CHECK_TEXT(text, "0123456789");
    sal_reading_set(&(sal_reading){.most = 9});
    CHECK(read_some(in_folder("ten"), 50, text, sizeof text, &err) == SAL_BADINPUT);
    sal_reading_set(&(sal_reading){0});
}

/* What is suggested is enough, and an argument that the command takes. */
static void a_refusal_says_what_to_do(void)
{
    sal_err err = {0};
    CHECK(sal_reading_refuse("it has", 3.2e9, (size_t)1 << 30, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message,
               "it has 2.98 GB, but at most 1 GB are allowed; if this is what you mean "
               "to read, allow it with --max-size 4G");
    CHECK(sal_reading_refuse("it has", 0, (size_t)64 << 20, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message,
               "it has more than 64 MB, but at most 64 MB are allowed; if this is what "
               "you mean to read, allow it with --max-size 128M");
    CHECK(sal_reading_refuse("it has", 3000, 1024, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "--max-size 4096") != NULL);
}

static void files_that_were_read_are_known(void)
{
    char text[100], name[10];
    sal_err err = {0};
    put("a", "1");
    put("b", "2");
    CHECK_OK(read_some(in_folder("a"), 5, text, sizeof text, &err), err);
    CHECK(!sal_was_read(in_folder("a")));
    sal_reading_set(&(sal_reading){.notes = true});
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "f%d", i);
        put(name, "x");
        CHECK_OK(read_some(in_folder(name), 5, text, sizeof text, &err), err);
    }
    CHECK_OK(read_some(in_folder("a"), 5, text, sizeof text, &err), err);
    CHECK(symlink("a", in_folder("c")) == 0);
    CHECK(sal_was_read(in_folder("a")) && sal_was_read(in_folder("c")));
    CHECK(!sal_was_read(in_folder("b")) && !sal_was_read(in_folder("none")));
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "f%d", i);
        CHECK(sal_was_read(in_folder(name)));
        unlink(in_folder(name));
    }
    unlink(in_folder("c"));
    sal_reading_set(&(sal_reading){0});
}

/* A file that is read again takes no more memory. */
static void a_file_is_noted_once(void)
{
    char text[100];
    sal_err err = {0};
    long taken[2];
    for (int notes = 0; notes < 2; notes++) {
        sal_reading_set(&(sal_reading){.notes = notes == 1});
        CHECK_OK(read_some(in_folder("a"), 5, text, sizeof text, &err), err);
        taken[notes] = -sal_alloc_count();
        for (int i = 0; i < 2000; i++) {
            CHECK_OK(read_some(in_folder("a"), 5, text, sizeof text, &err), err);
        }
        taken[notes] += sal_alloc_count();
    }
    CHECK(taken[0] > 0 && taken[1] == taken[0]);
    sal_reading_set(&(sal_reading){0});
}

/* What counts are the bytes of all files together. */
static void files_share_a_limit(void)
{
    char *data;
    size_t n;
    sal_err err = {0};
    CHECK_OK(sal_text_read_more(in_folder("ten"), 15, 25, &data, &n, &err), err);
    CHECK(n == 10);
    sal_free(data);
    CHECK(sal_text_read_more(in_folder("ten"), 16, 25, &data, &n, &err) == SAL_BADINPUT);
    CHECK(data == NULL && strstr(err.message, "with what was read before it, it has 26 bytes, but "
                                              "at most 25 bytes are allowed") != NULL);
    CHECK(sal_text_read_more(in_folder("ten"), 30, 25, &data, &n, &err) == SAL_BADINPUT);
    sal_reading_set(&(sal_reading){.most = 20});
    CHECK(sal_text_read_more(in_folder("ten"), 11, 100, &data, &n, &err) == SAL_BADINPUT);
    sal_reading_set(&(sal_reading){0});
}

/* Its bytes come once; later reads have them too. */
static void a_pipe_can_be_read_again(void)
{
    char text[100], head[3] = "", path[40];
    int ends[2];
    sal_err err = {0};
    CHECK(pipe(ends) == 0 && write(ends[1], "abcdef", 6) == 6 && close(ends[1]) == 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    sal_reading_set(&(sal_reading){.pipes = true});
    CHECK(sal_text_read_head(path, head, 2) == 2 && strcmp(head, "ab") == 0);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(read_some(path, 10, text, sizeof text, &err), err);
        CHECK_TEXT(text, "abcdef");
    }
    CHECK(read_some(path, 5, text, sizeof text, &err) == SAL_BADINPUT);
    CHECK(dup2(ends[0], 0) == 0); /* standard input, which is at its end */
    CHECK_OK(read_some("-", 10, text, sizeof text, &err), err);
    CHECK_TEXT(text, "");
    sal_reading_set(&(sal_reading){0});
    CHECK(read_some("-", 10, text, sizeof text, &err) == SAL_BADPATH);
    close(ends[0]);
}

static void a_head_is_what_there_is(void)
{
    char head[4] = "";
    CHECK(sal_text_read_head(in_folder("ten"), head, 3) == 3 && strcmp(head, "012") == 0);
    CHECK(sal_text_read_head(in_folder("a"), head, 3) == 1);
    CHECK(sal_text_read_head(in_folder("none"), head, 3) == 0);
    CHECK(sal_text_read_head(folder, head, 3) == 0);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        printf("cannot make a folder in /tmp\n");
        return 1;
    }
    RUN(a_limit_for_all_replaces_those_of_formats);
    RUN(a_refusal_says_what_to_do);
    RUN(files_that_were_read_are_known);
    RUN(a_file_is_noted_once);
    RUN(files_share_a_limit);
    RUN(a_pipe_can_be_read_again);
    RUN(a_head_is_what_there_is);
    unlink(in_folder("a"));
    unlink(in_folder("b"));
    unlink(in_folder("ten"));
    rmdir(folder);
    return check_done();
}
