#include "tests/check.h"

#include "base/base.h"
#include "base/house.h"

static void write_sample(sal_text *text, bool lines)
{
    sal_json j = {.out = text, .lines = lines};
    sal_json_object(&j, NULL);
    sal_json_string(&j, "status", "converged");
    sal_json_number(&j, "cost", 0.1);
    sal_json_integer(&j, "exit_code", -4);
    sal_json_bool(&j, "physical", true);
    sal_json_numbers(&j, "range", (const double[]){1, -2.5}, 2);
    sal_json_array(&j, "terms");
    for (int i = 0; i < 2; i++) {
        sal_json_object(&j, NULL);
        sal_json_number(&j, "share", 0.5);
        sal_json_end(&j);
    }
    sal_json_end(&j);
    sal_json_array(&j, "none");
    sal_json_end(&j);
    sal_json_end(&j);
}

static void one_line_and_many_lines(void)
{
    sal_text text = {0};
    write_sample(&text, false);
    CHECK_TEXT(text.data,
               "{\"status\":\"converged\",\"cost\":0.1,\"exit_code\":-4,\"physical\":true,"
               "\"range\":[1,-2.5],\"terms\":[{\"share\":0.5},{\"share\":0.5}],"
               "\"none\":[]}");
    sal_text_clear(&text);
    write_sample(&text, true);
    CHECK_TEXT(text.data,
               "{\n  \"status\": \"converged\",\n  \"cost\": 0.1,\n  \"exit_code\": -4,\n"
               "  \"physical\": true,\n  \"range\": [1, -2.5],\n  \"terms\": [\n    {\n"
               "      \"share\": 0.5\n    },\n    {\n      \"share\": 0.5\n    }\n  ],\n"
               "  \"none\": []\n}");
    sal_text_clear(&text);
}

static void hostile_strings_are_escaped(void)
{
    sal_text text = {0};
    sal_json j = {.out = &text};
    sal_json_array(&j, NULL);
    sal_json_string(&j, NULL, "a\"b\\c\n\t\x01\x7F");
    sal_json_string(&j, NULL,
                    "Kn\xC3\xB6"
                    "chel \xF0\x9F\xA6\xB5");
    sal_json_string(&j, NULL, "bad \xFF\xC3 \xC0\x80 \xED\xA0\x80.");
    sal_json_string(&j, NULL, NULL);
    sal_json_end(&j);
    CHECK_TEXT(text.data, "[\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\","
                          "\"Kn\xC3\xB6"
                          "chel \xF0\x9F\xA6\xB5\","
                          "\"bad \xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD "
                          "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD.\",null]");
    sal_text_clear(&text);
}

static void numbers_read_back_exactly(void)
{
    sal_rng rng = {5};
    for (int i = 0; i < 2000; i++) {
        const double x = sal_rng_uniform(&rng, -1, 1) * pow(10, sal_rng_uniform(&rng, -300, 300));
        sal_text text = {0};
        const char *end;
        double back = 0;
        sal_text_real(&text, x, 0);
        CHECK(sal_text_number(text.data, &end, &back) && *end == 0);
        CHECK_NEAR(back, x, 0);
        sal_text_clear(&text);
    }
    sal_text text = {0};
    sal_json j = {.out = &text};
    sal_json_numbers(
        &j, NULL, (const double[]){0.3, 1e300, (double)NAN, -(double)INFINITY, 0x1p-1074, 2.0 / 3},
        6);
    CHECK_TEXT(text.data, "[0.3,1e+300,null,null,4.94065645841247e-324,0.6666666666666666]");
    sal_text_clear(&text);
    sal_text_real(&text, -(double)NAN, 17);
    sal_text_add(&text, " ");
    sal_text_real(&text, 0.1, 17);
    CHECK_TEXT(text.data, "nan 0.10000000000000001");
    sal_text_clear(&text);
}

static void whole_numbers_are_written_as_printf_does(void)
{
    static const double values[] = {
        0, -0.0, 1, -1, 10, 99, 100, 123456789, -999999, 999999999999999, 1e15, -1e15, 2e15, 1e18};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char expected[32];
        sal_text text = {0};
        snprintf(expected, sizeof expected, "%.15g", values[i]);
        sal_text_real(&text, values[i], 0);
        CHECK_TEXT(text.data, expected);
        sal_text_clear(&text);
    }
}

int main(void)
{
    RUN(one_line_and_many_lines);
    RUN(whole_numbers_are_written_as_printf_does);
    RUN(hostile_strings_are_escaped);
    RUN(numbers_read_back_exactly);
    return check_done();
}
