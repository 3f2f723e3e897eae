/* Numbers that are out of their place for a short time are left out where that is asked, and said;
 * all others stay as they are. */
#include "tests/problems/recordings/recordings.h"

enum { LONG_ROWS = 200 };

/* ---- what is wrong ---- */

static int none(int k, double row[12])
{
    (void)k, (void)row;
    return 12;
}

static int once(int k, double row[12])
{
    row[2] += k == 30 ? .2 : 0;
    return 12;
}

static int there_and_back(int k, double row[12])
{
    row[1] += k >= 30 && k < 42 ? .1 : 0;
    return 12;
}

static int wild(int k, double row[12])
{
    row[3] += k >= 30 && k < 35 ? .2 * cos(2 * k) : 0;
    return 12;
}

static int from_the_beginning(int k, double row[12])
{
    row[1] += k < 4 ? .2 : 0;
    return 12;
}

static int long_beginning(int k, double row[12])
{
    row[1] += k < 20 ? .2 : 0;
    return 12;
}

static int to_the_end(int k, double row[12])
{
    row[1] += k >= 195 ? .2 : 0;
    return 12;
}

static int turned(int k, double row[12])
{
    if (k == 50 || k == 51) {
        row[4] = row[6] = row[7] = 0;
        row[5] = 1;
    }
    return 12;
}

static int tumbling(int k, double row[12])
{
    if (k >= 50 && k < 56) {
        row[4] = cos(2 * k);
        row[5] = row[6] = 0;
        row[7] = sin(2 * k);
    }
    return 12;
}

static int angle(int k, double row[12])
{
    row[8] += k >= 70 && k < 73 ? 2 : 0;
    return 12;
}

static int zeros(int k, double row[12])
{
    for (int i = 1; i < 12 && (k == 30 || k == 60 || k == 61); i++) {
        row[i] = 0;
    }
    return 12;
}

static int far_for_long(int k, double row[12])
{
    row[1] += k >= 30 && k < 100 ? .3 : 0;
    return 12;
}

static int for_good(int k, double row[12])
{
    row[1] += k >= 100 ? .3 : 0;
    return 12;
}

/* ---- what is made of it ---- */

static sal_problem *read_with(row_edit edit, const char *more, const char *sigma, sal_text *text)
{
    char data[1000];
    write_motion("f.csv", LONG_ROWS, edit);
    snprintf(data, sizeof data,
             "<data file='f.csv' up='z' %s><channel name='pose' body='cube' columns='x y z qw qx "
             "qy qz' sigma='%s'/>%s%s</data>",
             more, sigma, hip, motor);
    return read_data(data, text);
}

/* Rows [from, to) of the pose, or of the angle, are missing, also from [again, until); all else is
 * as it was written. */
static void check_missing(const sal_problem *p, row_edit edit, bool pose_too, bool angle_too,
                          const int rows[4])
{
    int faults = 0;
    for (int k = 0; k < LONG_ROWS; k++) {
        const double *x = sample(p, 0, k);
        const bool lost = (k >= rows[0] && k < rows[1]) || (k >= rows[2] && k < rows[3]);
        double row[12];
        tossed_row(k, row);
        edit(k, row);
        for (int i = 0; i < 7; i++) {
            const double side = x[3] * row[4] + x[4] * row[5] + x[5] * row[6] + x[6] * row[7];
            const double sign = i >= 3 && side < 0 ? -1 : 1;
            faults += lost && pose_too ? !isnan(x[i]) : !(fabs(x[i] - sign * row[1 + i]) < 1e-9);
        }
        faults += lost && angle_too ? !isnan(x[7]) : !(fabs(x[7] - row[8]) < 1e-9);
    }
    CHECK(faults == 0);
}

static void what_is_out_of_its_place_is_left_out(void)
{
    static const struct {
        row_edit edit;
        bool pose, angle;
        int rows[4];
        const char *said;
    } cases[] = {
        {once,
         true,
         false,
         {30, 31},
         "channel 'pose' is out of its place in 1 sample, first at 0.3"},
        {there_and_back, true, false, {30, 42}, "in 12 samples, first at 0.3 s: they are left out"},
        {wild, true, false, {30, 35}, "in 5 samples, first at 0.3 s"},
        {from_the_beginning, true, false, {0, 4}, "in 4 samples, first at 0 s"},
        {to_the_end, true, false, {195, 200}, "in 5 samples, first at 1.95 s"},
        {turned, true, false, {50, 52}, "in 2 samples, first at 0.5 s"},
        {tumbling, true, false, {50, 56}, "in 6 samples, first at 0.5 s"},
        {angle, false, true, {70, 73}, "channel 'hip' is out of its place in 3 samples"},
        {zeros, true, true, {30, 31, 60, 62}, "3 rows hold zeros only, first at 0.3 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_text text = {0};
        printf("     %s\n", cases[i].said);
        sal_problem *p = read_with(cases[i].edit, "onjump='drop'", "1e-2 1e-1", &text);
        CHECK(text.data != NULL && strstr(text.data, cases[i].said) != NULL);
        CHECK(p != NULL);
        if (p != NULL) {
            check_missing(p, cases[i].edit, cases[i].pose, cases[i].angle, cases[i].rows);
        }
        sal_problem_free(p);
        sal_text_clear(&text);
    }
}

static void what_is_in_its_place_stays(void)
{
    static const int rows[4] = {0};
    static const char *const ways[] = {"", "onjump='drop'"};
    for (int i = 0; i < 2; i++) {
        sal_text text = {0};
        sal_problem *p = read_with(none, ways[i], "1e-4 1e-3", &text);
        CHECK(p != NULL && text.length == 0);
        if (p != NULL) {
            check_missing(p, none, true, true, rows);
        }
        sal_problem_free(p);
        sal_text_clear(&text);
    }
}

/* A body that is elsewhere for longer than half a second was perhaps carried there: an error where
 * it is far beside sigma, else said. */
static void what_is_elsewhere_for_long_is_not_left_out(void)
{
    static const struct {
        row_edit edit;
        const char *sigma, *said;
    } cases[] = {
        {far_for_long, "1e-4 1e-3", "f.csv:32:5: error: channel 'pose' jumps by about"},
        {long_beginning, "0.1 1e-1",
         "f.csv:22:5: warning: channel 'pose' jumps to this row, at 0.2"},
        {for_good, "1e-4 1e-3", "error: channel 'pose' jumps by about 0.3 m to this row"},
        {for_good, "0.1 1e-1", "f.csv:102:3: warning: channel 'pose' jumps to this row, at 1 s"},
    };
    static const int rows[4] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_text text = {0};
        sal_problem *p = read_with(cases[i].edit, "onjump='drop'", cases[i].sigma, &text);
        const bool warns = strstr(cases[i].said, "warning") != NULL;
        CHECK(text.data != NULL && strstr(text.data, cases[i].said) != NULL);
        CHECK((p != NULL) == warns);
        CHECK(warns || strstr(text.data, "for more than 0.5 s") != NULL);
        CHECK(warns || strstr(text.data, "warning") == NULL);
        if (p != NULL) {
            check_missing(p, cases[i].edit, true, true, rows);
        }
        sal_problem_free(p);
        sal_text_clear(&text);
    }
}

/* Without onjump="drop" these are errors, as they were. */
static void nothing_is_left_out_unasked(void)
{
    static const row_edit edits[] = {once, there_and_back, zeros};
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        sal_text text = {0};
        sal_problem *p = read_with(edits[i], "", "1e-4 1e-3", &text);
        CHECK(p == NULL && text.data != NULL && strstr(text.data, "error: ") != NULL);
        CHECK(text.data != NULL && strstr(text.data, "left out") == NULL);
        sal_problem_free(p);
        sal_text_clear(&text);
    }
}

int main(void)
{
    RUN(what_is_out_of_its_place_is_left_out);
    RUN(what_is_in_its_place_stays);
    RUN(what_is_elsewhere_for_long_is_not_left_out);
    RUN(nothing_is_left_out_unasked);
    files_remove();
    return check_done();
}
