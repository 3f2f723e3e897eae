/* example_log.h: examples/logs/NAME.json, what the solve of an example must reproduce.
 *
 *     status, cost, linearisations   as found; "spread": by what share of them another compiler or
 *                                    library may differ
 *     unactuated                     force that nothing gives, of the weight: must be within the
 *                                    result's own tolerance
 *     success                        figures of the motion itself, each with the most that still
 *                                    counts as success
 *
 * SALTUS_UPDATE=1 in the environment rewrites the log of every example that a test solves; the
 * spread, which is judged by hand, stays. */
#ifndef SAL_TESTS_PROBLEMS_EXAMPLE_LOG_H
#define SAL_TESTS_PROBLEMS_EXAMPLE_LOG_H

#include "tests/check.h"

#include "base/house.h"
#include "problems/result/result.h"

typedef struct figure {
    const char *name;
    /* success: value <= most */
    double value;
    double most;
} figure;

static const double log_spread_cost = 0.05, log_spread_linearisations = 0.5; /* of a new log */

static inline const char *log_path(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/examples/logs/%s.json", root == NULL ? "." : root, name);
    return path;
}

/* What stands behind "key": after `from`; NULL if there is no such key. */
static inline const char *log_find(const char *from, const char *key)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = from == NULL ? NULL : strstr(from, quoted);
    return at == NULL ? NULL : at + strlen(quoted);
}

static inline double log_number(const char *from, const char *key)
{
    const char *at = log_find(from, key);
    return at == NULL ? (double)NAN : strtod(at, NULL);
}

/* Six digits: more would differ from one rounding to the next. */
static inline double log_rounded(double x)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", x);
    return strtod(digits, NULL);
}

static inline void log_write(const char *name, const char *old, const sal_result *r,
                             const figure *figures, int n)
{
    const char *spread = log_find(old, "spread");
    sal_text text = {0};
    sal_err err = {0};
    sal_json json = {.out = &text, .lines = true};
    sal_json_object(&json, NULL);
    sal_json_string(&json, "example", name);
    sal_json_string(&json, "status", r->status);
    sal_json_number(&json, "cost", log_rounded(r->cost));
    sal_json_integer(&json, "linearisations", r->optim.linearisations);
    sal_json_number(&json, "unactuated", log_rounded(r->relative_to_weight));
    sal_json_object(&json, "spread");
    sal_json_number(&json, "of_cost",
                    spread == NULL ? log_spread_cost : log_number(spread, "of_cost"));
    sal_json_number(&json, "of_linearisations",
                    spread == NULL ? log_spread_linearisations
                                   : log_number(spread, "of_linearisations"));
    sal_json_end(&json);
    sal_json_object(&json, "success");
    for (int i = 0; i < n; i++) {
        sal_json_object(&json, figures[i].name);
        sal_json_number(&json, "value", log_rounded(figures[i].value));
        sal_json_number(&json, "most", figures[i].most);
        sal_json_end(&json);
    }
    sal_json_end(&json);
    sal_json_end(&json);
    sal_text_add(&text, "\n");
    CHECK_OK(sal_file_write(log_path(name), text.data, text.length, &err), err);
    sal_text_clear(&text);
}

static inline void log_compare(const char *log, const sal_result *r, const figure *figures, int n)
{
    const char *status = log_find(log, "status"), *success = log_find(log, "success");
    const double cost = log_number(log, "cost"), steps = log_number(log, "linearisations");
    CHECK(status != NULL && strncmp(status + 1, r->status, strlen(r->status)) == 0);
    CHECK_NEAR(r->cost, cost, log_number(log, "of_cost") * cost);
    CHECK_NEAR(r->optim.linearisations, steps, log_number(log, "of_linearisations") * steps);
    for (int i = 0; i < n; i++) {
        const char *of = log_find(success, figures[i].name);
        CHECK_NEAR(log_number(of, "most"), figures[i].most, 1e-9 * figures[i].most);
        CHECK(log_number(of, "value") <= figures[i].most);
    }
}

/* The result is a success by its own figures, and that of the log. */
static inline void example_log(const char *name, const sal_result *r, const figure *figures, int n)
{
    char *log = NULL;
    size_t length;
    sal_err err = {0};
    const sal_status status = sal_text_read_file(log_path(name), 1 << 20, &log, &length, &err);
    for (int i = 0; i < n; i++) {
        printf("    %s %.3g (at most %g)\n", figures[i].name, figures[i].value, figures[i].most);
        CHECK(figures[i].value <= figures[i].most);
    }
    CHECK(r->relative_to_weight <= r->physical_tolerance);
    if (getenv("SALTUS_UPDATE") != NULL) {
        log_write(name, log, r, figures, n);
    } else {
        CHECK_OK(status, err);
        log_compare(log, r, figures, n);
    }
    sal_free(log);
}

#endif
