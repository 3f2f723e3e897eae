#include "tests/check.h"

#include "base/base.h"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_number(const char *text, double expected, const char *rest)
{
    const char *end = NULL;
    double value = -1;
    CHECK(sal_text_number(text, &end, &value));
    CHECK(value == expected || (isnan(value) && isnan(expected)));
    CHECK_TEXT(end, rest);
}

static void numbers_are_read_in_every_spelling(void)
{
    check_number("1", 1, "");
    check_number(" -.5 2", -0.5, " 2");
    check_number("+5.", 5, "");
    check_number("1e-3x", 1e-3, "x");
    check_number("1e", 1, "e"); /* an exponent needs digits */
    check_number("2E+2", 200, "");
    check_number("INF", (double)INFINITY, "");
    check_number("-infinity,", -(double)INFINITY, ",");
    check_number("nan", (double)NAN, "");
    check_number("0.1", 0.1, "");
    check_number("1e999", (double)INFINITY, "");
    check_number("0x10", 0, "x10"); /* no hexadecimal numbers */
}

static void what_is_no_number_is_refused(void)
{
    static const char *const bad[] = {"", " ", ".", "-", "+-1", "e5", "abc", ".e1", "$x", "--1"};
    const char *end;
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!sal_text_number(bad[i], &end, &value));
    }
    char lengthy[2000];
    memset(lengthy, '1', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = 0;
    CHECK(!sal_text_number(lengthy, &end, &value));
}

static void numbers_do_not_depend_on_the_locale(void)
{
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL) {
        SKIP("the locale de_DE.UTF-8 is not installed");
    }
    check_number("2.5", 2.5, "");
    setlocale(LC_NUMERIC, "C");
}

static void the_nearest_name_is_found(void)
{
    static const char *const names[] = {"sensor", "joint", "force", "pos", "name"};
    CHECK_TEXT(sal_text_nearest("senser", names, 5), "sensor");
    CHECK_TEXT(sal_text_nearest("jiont", names, 5), "joint"); /* a swap counts once */
    CHECK_TEXT(sal_text_nearest("FORCE", names, 5), "force");
    CHECK_TEXT(sal_text_nearest("forec", names, 5), "force");
    CHECK(sal_text_nearest("quaternion", names, 5) == NULL);
    CHECK(sal_text_nearest("x", names, 5) == NULL);
    CHECK(sal_text_nearest("", names, 5) == NULL);
}

static void text_grows(void)
{
    sal_text text = {0};
    for (int i = 0; i < 1000; i++) {
        sal_text_format(&text, "%d,", i);
    }
    sal_text_add(&text, "end");
    CHECK(!text.failed);
    CHECK(text.length == 10 * 2 + 90 * 3 + 900 * 4 + 3);
    CHECK_TEXT(text.data + text.length - 7, "999,end");
    sal_text_clear(&text);
    CHECK(text.data == NULL);
}

/* Vectors of RFC 4648, section 10, and the last letters */
static void bytes_become_letters(void)
{
    static const char *const vector[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xFF\xEF\xBE", "/+++"},
    };
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        sal_text text = {0};
        sal_text_add(&text, "=");
        sal_text_base64(&text, vector[i][0], strlen(vector[i][0]));
        CHECK(strcmp(text.data + 1, vector[i][1]) == 0);
        sal_text_clear(&text);
    }
}

static void text_without_memory_says_so(void)
{
    sal_text text = {0};
    sal_alloc_fail_at(1);
    sal_text_add(&text, "lost");
    CHECK(text.failed);
    sal_text_add(&text, "also lost");
    CHECK(text.length == 0);
    sal_text_clear(&text);
    sal_alloc_fail_at(0);
}

static void files_are_read_whole(void)
{
    char name[] = "/tmp/saltus-text-XXXXXX";
    const int fd = mkstemp(name);
    sal_err err;
    char *data;
    size_t n;
    CHECK(fd >= 0 && write(fd, "a\0b", 3) == 3);
    close(fd);
    CHECK_OK(sal_text_read_file(name, 100, &data, &n, &err), err);
    CHECK(n == 3 && memcmp(data, "a\0b", 4) == 0);
    sal_free(data);
    CHECK(sal_text_read_file(name, 2, &data, &n, &err) == SAL_BADINPUT && data == NULL);
    CHECK(strstr(err.message, "it has 3 bytes, but at most 2 bytes are allowed") != NULL);
    sal_alloc_fail_at(1);
    CHECK(sal_text_read_file(name, 100, &data, &n, &err) == SAL_NOMEM);
    sal_alloc_fail_at(0);
    unlink(name);
}

static void bad_paths_are_named(void)
{
    sal_err err;
    char *data;
    size_t n;
    CHECK(sal_text_read_file("/nowhere/at.all", 100, &data, &n, &err) == SAL_BADPATH);
    CHECK_TEXT(err.message, "cannot read '/nowhere/at.all': No such file or directory");
    CHECK(sal_text_read_file("/tmp", 100, &data, &n, &err) == SAL_BADPATH);
    CHECK_TEXT(err.message, "cannot read '/tmp': it is a directory");
    CHECK(sal_text_read_file("/dev/zero", 100000, &data, &n, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "it has more than 97.66 kB, but at most 97.66 kB") != NULL);
    CHECK(sal_text_read_file("", 100, &data, &n, NULL) == SAL_BADPATH);
}

int main(void)
{
    RUN(numbers_are_read_in_every_spelling);
    RUN(what_is_no_number_is_refused);
    RUN(numbers_do_not_depend_on_the_locale);
    RUN(the_nearest_name_is_found);
    RUN(text_grows);
    RUN(bytes_become_letters);
    RUN(text_without_memory_says_so);
    RUN(files_are_read_whole);
    RUN(bad_paths_are_named);
    return check_done();
}
