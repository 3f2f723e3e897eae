#include "tests/check.h"

#include "base/house.h"

static sal_source make_source(char *path, char *text)
{
    return (sal_source){.path = path, .data = text, .length = strlen(text)};
}

static void an_error_looks_as_designed(void)
{
    char path[] = "bad.xml";
    char text[] = "<problem>\n  <cost>\n    <!-- -->\n\n"
                  "    <term name=\"speed\" senser=\"torso_subtreelinvel\"/>\n  </cost>\n";
    const sal_source source = make_source(path, text);
    const sal_place place = {&source, (size_t)(strstr(text, "senser") - text), 6};
    sal_diag diag = {0};
    sal_err err;
    CHECK(sal_diag_status(&diag, &err) == SAL_OK);
    sal_diag_error(&diag, place, "did you mean 'sensor'?", "unknown attribute '%s' in <%s>",
                   "senser", "term");
    CHECK_TEXT(diag.text.data, "bad.xml:5:24: error: unknown attribute 'senser' in <term>\n"
                               "    5 |     <term name=\"speed\" senser=\"torso_subtreelinvel\"/>\n"
                               "      |                        ^~~~~~\n"
                               "      = help: did you mean 'sensor'?\n");
    CHECK(sal_diag_status(&diag, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "bad.xml:5:24: error: unknown attribute 'senser' in <term>");
    sal_diag_error(&diag, (sal_place){0}, NULL, "nowhere in particular");
    sal_diag_error(&diag, (sal_place){0}, NULL, "nor this");
    sal_diag_status(&diag, &err);
    CHECK_TEXT(err.message,
               "bad.xml:5:24: error: unknown attribute 'senser' in <term> (and 2 more errors)");
    sal_diag_clear(&diag);
}

static void columns_count_characters(void)
{
    char path[] = "u.xml";
    char text[] = "\t<\xC3\xA4\xC3\xB6 x='\x01'/>\r\nnext";
    const sal_source source = make_source(path, text);
    sal_diag diag = {0};
    sal_diag_error(&diag, (sal_place){&source, 7, 1}, NULL, "here");
    CHECK_TEXT(diag.text.data, "u.xml:1:6: error: here\n"
                               "    1 |  <\xC3\xA4\xC3\xB6 x='?'/>\n"
                               "      |      ^\n");
    sal_diag_clear(&diag);
}

static void long_lines_are_cut(void)
{
    char path[] = "l.xml", text[5001];
    memset(text, 'a', 5000);
    text[5000] = 0;
    const sal_source source = make_source(path, text);
    sal_diag diag = {0};
    sal_diag_error(&diag, (sal_place){&source, 3000, 4000}, NULL, "here");
    const char *second = strchr(diag.text.data, '\n') + 1;
    const char *third = strchr(second, '\n') + 1;
    CHECK(third - second < 130 && strlen(third) < 130);
    CHECK(strncmp(second, "    1 | ... aaa", 15) == 0);
    const char *caret = strchr(third, '^');
    CHECK(caret != NULL && caret[1] == '~' && (caret - third) < 100);
    sal_diag_clear(&diag);
}

static void the_end_of_the_file_has_a_place(void)
{
    char path[] = "e.xml", text[] = "<a>\n";
    const sal_source source = make_source(path, text);
    sal_diag diag = {0};
    sal_diag_error(&diag, (sal_place){&source, 400, 3}, NULL, "at the end");
    CHECK_TEXT(diag.text.data, "e.xml:2:1: error: at the end\n    2 | \n      | ^\n");
    sal_diag_clear(&diag);
}

static void a_flood_of_errors_is_counted(void)
{
    sal_diag diag = {0};
    for (int i = 0; i < 1000; i++) {
        sal_diag_error(&diag, (sal_place){0}, NULL, "number %d", i);
    }
    CHECK(diag.nerror == 1000);
    CHECK(strstr(diag.text.data, "number 49\n") != NULL);
    CHECK(strstr(diag.text.data, "number 50\n") == NULL);
    sal_diag_warning(&diag, (sal_place){0}, "use another", "old");
    CHECK(diag.nwarning == 1);
    CHECK(strstr(diag.text.data, "warning: old\n      = help: use another\n") != NULL);
    CHECK_TEXT(diag.first, "error: number 0");
    sal_diag_error(NULL, (sal_place){0}, NULL, "nobody listens");
    sal_diag_clear(&diag);
}

static void messages_stay_on_their_line(void)
{
    sal_diag diag = {0};
    sal_diag_error(&diag, (sal_place){0}, "a\nb", "name '%s'", "x\ny\033[0m");
    CHECK_TEXT(diag.text.data, "error: name 'x?y?[0m'\n      = help: a?b\n");
    sal_diag_clear(&diag);
}

int main(void)
{
    RUN(an_error_looks_as_designed);
    RUN(columns_count_characters);
    RUN(long_lines_are_cut);
    RUN(the_end_of_the_file_has_a_place);
    RUN(a_flood_of_errors_is_counted);
    RUN(messages_stay_on_their_line);
    return check_done();
}
