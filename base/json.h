/* json.h: JSON text (RFC 8259), written member by member.
 *
 *     sal_json j = {.out = &text, .lines = true};
 *     sal_json_object(&j, NULL);
 *     sal_json_string(&j, "status", "converged");
 *     sal_json_number(&j, "cost", 1.5);
 *     sal_json_array(&j, "stages");  ...  sal_json_end(&j);
 *     sal_json_end(&j);
 *
 * Commas, quotes and escapes are the writer's care. `key` is the member's name inside an object and
 * NULL inside an array or at the root. Memory that ran out shows in text.failed.
 */
#ifndef SAL_BASE_JSON_H
#define SAL_BASE_JSON_H

#include "base/text.h"

enum { SAL_JSON_DEPTH = 32 };

typedef struct sal_json {
    sal_text *out;
    /* a line for every member of an object and for every object in an array; false: all in one
     * line */
    bool lines;
    int depth;
    struct {
        /* ] or } */
        char close;
        /* something was written; a line was begun */
        bool any, broken;
    } level[SAL_JSON_DEPTH];
} sal_json;

/* Begins an object or array; nesting at most SAL_JSON_DEPTH. */
void sal_json_object(sal_json *json, const char *key);
void sal_json_array(sal_json *json, const char *key);
/* Ends the innermost of them. */
void sal_json_end(sal_json *json);

/* As few digits as read back to the same double; what is not finite becomes null. */
void sal_json_number(sal_json *json, const char *key, double value);
void sal_json_integer(sal_json *json, const char *key, long long value);
void sal_json_bool(sal_json *json, const char *key, bool value);
/* NULL becomes null; bytes that are not UTF-8 become U+FFFD. */
void sal_json_string(sal_json *json, const char *key, const char *value);
void sal_json_numbers(sal_json *json, const char *key, const double *value, int n);

#endif
