/* Recordings whose rate changes, and from which rows are lost: between two samples that there are,
 * the motion is known. */
#include "tests/problems/recordings/recordings.h"

#include "problems/recordings/track.h"

static const double hole[2] = {.2, .5}; /* s */

/* 100 samples per second, from .3 s on 50. */
static int half_as_fast(int k, double row[12])
{
    (void)row;
    return k > 30 && k % 2 == 1 ? 0 : 12;
}

/* 100, and from .15 s on 6.7 samples per second. */
static int very_slow(int k, double row[12])
{
    (void)row;
    return k > 15 && k % 15 != 0 ? 0 : 12;
}

/* Every third is there, and none for a while. */
static int seldom(int k, double row[12])
{
    const bool lost = row[0] > hole[0] && row[0] < hole[1];
    return k % 3 != 0 || lost ? 0 : 12;
}

static int loses_angle(int k, double row[12])
{
    row[8] = k % 4 == 2 || (row[0] > hole[0] && row[0] < hole[1]) ? (double)NAN : row[8];
    return 12;
}

/* No two steps are alike, and for a while there are no rows. */
static int uneven_with_hole(int k, double row[12])
{
    double moved[12];
    tossed_row(k, row);
    const double t = row[0] + .003 * sin(1.7 * k);
    tossed_row(0, moved);
    toss(t, moved + 1, moved + 4);
    moved[0] = t;
    moved[8] = .8 * sin(5 * t);
    memcpy(row, moved, sizeof moved);
    return t > hole[0] && t < hole[1] ? 0 : 12;
}

static sal_problem *read_rates(row_edit edit, const char *data)
{
    char channels[600];
    snprintf(channels, sizeof channels, "%s%s", pose, hip);
    write_motion("f.csv", ROWS, edit);
    return read_format(data, channels);
}

/* What is said of an instant of the motion, which began at `start`; whether anything is. */
static bool follows(const sal_problem *p, double t, double tolerance)
{
    double value[7], x[3], q[4];
    const double at = p->data->recording[0].start + t;
    const bool known = prb_track_at(p->data, p->data->channel + 1, t, value);
    if (known) {
        CHECK_NEAR(value[0], .8 * sin(5 * at), tolerance);
    }
    if (prb_track_at(p->data, p->data->channel, t, value)) {
        toss(at, x, q);
        check_vector(value, x, 3, tolerance);
        check_vector(value + 3, q, 4, tolerance);
    }
    return known;
}

/* Three steps alike are a rate, not rows that are missing: no gap= is needed. Lines over 10 ms are
 * off by h^2 x''/8, of .8 sin 5t 2.5e-4; cubics over 20 ms, whose slopes are off by h^2 x'''/6, by
 * h^3 x'''/24, 3.3e-5, and half as much again where a neighbour is nearer. */
static void slower_halves_are_interpolated(void)
{
    static const row_edit edits[] = {half_as_fast, loses_angle};
    for (int i = 0; i < 2; i++) {
        sal_problem *p =
            read_rates(edits[i], i == 0 ? "file='f.csv' up='z'" : "file='f.csv' up='z' gap='.35'");
        for (int k = 0; p != NULL && k < 57; k++) {
            const double t = k / 97.;
            const bool inside = i == 1 && t > hole[0] && t < hole[1] + .01; /* where row 50 lacks */
            CHECK(follows(p, t, 3e-4) != inside);
        }
        CHECK(p != NULL && p->data->recording[0].nsample >= ROWS - 1);
        CHECK(p != NULL && isnan(sample(p, 0, i == 0 ? 33 : 34)[7])); /* for an estimation */
        sal_problem_free(p);
    }
}

/* Cubics over 150 ms, as above: 1.4e-2; lines would be off by 5.6e-2. */
static void a_slow_part_is_interpolated(void)
{
    write_motion("f.csv", ROWS + 1, very_slow);
    sal_problem *p = read_format("file='f.csv' up='z'", hip);
    for (int k = 0; p != NULL && k < 58; k++) {
        double value = 0;
        CHECK(prb_track_at(p->data, p->data->channel, k / 97., &value));
        CHECK_NEAR(value, .8 * sin(5 * k / 97.), 2e-2);
    }
    sal_problem_free(p);
}

/* Of rows that are seldom the grid is theirs. */
static void what_lacks_longer_is_missing(void)
{
    sal_problem *p = read_rates(seldom, "file='f.csv' up='z' gap='.35'");
    for (int k = 0; p != NULL && k < 55; k++) {
        const double t = k / 97.;
        const bool inside = t > .18 && t < .51;
        CHECK(follows(p, t, 2.5e-3) != inside); /* lines over 30 ms: 2.3e-3 */
    }
    sal_problem_free(p);
}

/* As a resampled recording is. */
static void resampling_uses_what_there_is(void)
{
    sal_problem *p = read_rates(half_as_fast, "file='f.csv' up='z' resample='90'");
    for (int k = 0; p != NULL && k < p->data->recording[0].nsample; k++) {
        const double t = p->data->recording[0].start + k * p->data->recording[0].dt;
        CHECK_NEAR(sample(p, 0, k)[7], .8 * sin(5 * t), t < .56 ? 5e-5 : 2e-4);
    }
    CHECK(p != NULL && p->data->recording[0].nsample > 50);
    sal_problem_free(p);
    p = read_rates(uneven_with_hole, "file='f.csv' up='z' gap='.35' resample='80'");
    for (int k = 0; p != NULL && k < p->data->recording[0].nsample; k++) {
        const double t = p->data->recording[0].start + k * p->data->recording[0].dt;
        if (t > hole[0] + .013 && t < hole[1] - .013) {
            CHECK(isnan(sample(p, 0, k)[7]) && isnan(sample(p, 0, k)[3]));
        } else if (t < hole[0] - .013 || t > hole[1] + .013) {
            CHECK_NEAR(sample(p, 0, k)[7], .8 * sin(5 * t), 3e-4);
        }
    }
    CHECK(p != NULL && p->data->recording[0].nsample > 40);
    sal_problem_free(p);
}

int main(void)
{
    RUN(slower_halves_are_interpolated);
    RUN(a_slow_part_is_interpolated);
    RUN(what_lacks_longer_is_missing);
    RUN(resampling_uses_what_there_is);
    files_remove();
    return check_done();
}
