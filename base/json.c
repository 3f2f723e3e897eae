#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- strings ---- */

static void add_string(sal_text *out, const char *string)
{
    static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    sal_text_add(out, "\"");
    for (const char *s = string; *s != 0;) {
        const char *found = strchr(special, *s);
        const size_t n = sal_text_utf8(s);
        if (found != NULL) {
            const char escape[2] = {'\\', letter[found - special]};
            sal_text_addn(out, escape, 2);
        } else if ((unsigned char)*s < 0x20 || *s == 0x7F) {
            sal_text_format(out, "\\u%04x", (unsigned)(unsigned char)*s);
        } else if (n == 0) {
            sal_text_add(out, "\xEF\xBF\xBD");
        } else {
            sal_text_addn(out, s, n);
        }
        s += n == 0 ? 1 : n;
    }
    sal_text_add(out, "\"");
}

/* ---- structure ---- */

static void new_line(sal_json *json)
{
    sal_text_add(json->out, "\n");
    for (int i = 0; i < json->depth; i++) {
        sal_text_add(json->out, "  ");
    }
}

/* What stands before a value: comma, line, name. */
static void begin_value(sal_json *json, const char *key, bool container)
{
    if (json->depth > 0) {
        const int top = json->depth - 1;
        assert((key != NULL) == (json->level[top].close == '}'));
        const bool own_line = json->lines && (key != NULL || container);
        if (json->level[top].any) {
            sal_text_add(json->out, own_line || !json->lines ? "," : ", ");
        }
        if (own_line) {
            new_line(json);
        }
        json->level[top].any = true;
        json->level[top].broken |= own_line;
    }
    if (key != NULL) {
        add_string(json->out, key);
        sal_text_add(json->out, json->lines ? ": " : ":");
    }
}

static void begin_container(sal_json *json, const char *key, const char *open, char close)
{
    assert(json->depth < SAL_JSON_DEPTH);
    begin_value(json, key, true);
    sal_text_add(json->out, open);
    json->level[json->depth].close = close;
    json->level[json->depth].any = json->level[json->depth].broken = false;
    json->depth++;
}

void sal_json_object(sal_json *json, const char *key)
{
    begin_container(json, key, "{", '}');
}

void sal_json_array(sal_json *json, const char *key)
{
    begin_container(json, key, "[", ']');
}

void sal_json_end(sal_json *json)
{
    assert(json->depth > 0);
    json->depth--;
    if (json->level[json->depth].broken) {
        new_line(json);
    }
    sal_text_addn(json->out, &json->level[json->depth].close, 1);
}

/* ---- values ---- */

void sal_json_number(sal_json *json, const char *key, double value)
{
    begin_value(json, key, false);
    if (isfinite(value)) {
        sal_text_real(json->out, value, 0);
    } else {
        sal_text_add(json->out, "null");
    }
}

void sal_json_integer(sal_json *json, const char *key, long long value)
{
    begin_value(json, key, false);
    sal_text_format(json->out, "%lld", value);
}

void sal_json_bool(sal_json *json, const char *key, bool value)
{
    begin_value(json, key, false);
    sal_text_add(json->out, value ? "true" : "false");
}

void sal_json_string(sal_json *json, const char *key, const char *value)
{
    begin_value(json, key, false);
    if (value == NULL) {
        sal_text_add(json->out, "null");
    } else {
        add_string(json->out, value);
    }
}

void sal_json_numbers(sal_json *json, const char *key, const double *value, int n)
{
    sal_json_array(json, key);
    for (int i = 0; i < n; i++) {
        sal_json_number(json, NULL, value[i]);
    }
    sal_json_end(json);
}
