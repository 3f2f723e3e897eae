/* Force plates with rows that have no numbers, or that are not there. */
#include "tests/people/standing_person.h"

/* Which rows and cells are no numbers; without rows: they are not there at all. */
static struct {
    int first, last, from, to;
    bool rows;
} unknown;

static const char *is_unknown(int t, int plate, int cell)
{
    const bool here = t >= unknown.first && t <= unknown.last;
    if (cell < 0) {
        return here && unknown.rows ? "" : NULL;
    }
    return here && !unknown.rows && plate == 0 && cell >= unknown.from && cell <= unknown.to ? "nan"
                                                                                             : NULL;
}

/* The right foot stands up at row 100: what its plate says from then on. */
static const char *after_force;
static const char *after_point;

static const char *is_lifted(int t, int plate, int cell)
{
    if (t < 100 || plate != 0 || cell < 0) {
        return NULL;
    }
    return t == 100 && cell < 3 ? "0.3" : cell < 3 ? after_force : after_point;
}

/* Both feet bear so much, N, at (x, y). */
static double N[2], x[2], y[2];

static sal_result *standing(const char *(*rows)(int t, int plate, int cell), sal_text *notes)
{
    sal_result *r = NULL;
    sal_err err = {0};
    plate_cell = rows;
    write_plates("p.mot", N, x, y);
    plate_cell = NULL;
    CHECK_OK(invert(&r, notes, "p.mot", &err), err);
    return r;
}

static void unknown_rows_of_a_loaded_plate_are_left_out(void)
{
    static const struct {
        int first, last, from, to;
        bool rows;
        const char *said;
    } cases[] = {
        {60, 65, 0, 8, false, "plate 'ground_force_1': for 0.06 s, between 0.60 and 0.65 s, "},
        {60, 65, 0, 0, true, "plate 'ground_force_1': for 0.06 s, between 0.60 and 0.65 s, "},
        {60, 61, 1, 1, false, "plate 'ground_force_1': for 0.02 s, between 0.60 and 0.61 s, "},
        {60, 65, 3, 3, false,
         "between 0.60 and 0.65 s, force, point or moment are no numbers, or "
         "rows are missing; these times are left out\n"},
        {60, 65, 7, 7, false, "plate 'ground_force_1': for 0.06 s, between 0.60 and 0.65 s, "},
    };
    sal_text none = {0};
    sal_result *whole = standing(NULL, &none);
    CHECK(none.data != NULL && strstr(none.data, "no numbers") == NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && whole != NULL; i++) {
        const int first = unknown.first = cases[i].first, last = unknown.last = cases[i].last;
        unknown.from = cases[i].from, unknown.to = cases[i].to, unknown.rows = cases[i].rows;
        sal_text notes = {0};
        sal_result *r = standing(is_unknown, &notes);
        for (int t = 0; r != NULL && t < r->nstep; t++) {
            CHECK(is_known(r, t) == (is_known(whole, t) && (t < first - 8 || t > last + 8)));
        }
        CHECK(r != NULL && difference(r, whole) < 1e-3);
        CHECK(notes.data != NULL && strstr(notes.data, cases[i].said) != NULL);
        sal_text_clear(&notes);
        sal_result_free(r);
    }
    sal_text_clear(&none);
    sal_result_free(whole);
}

static void one_row_is_interpolated(void)
{
    sal_text notes = {0};
    sal_result *whole = standing(NULL, &notes);
    unknown.first = unknown.last = 60;
    unknown.from = 0, unknown.to = 8;
    for (int rows = 0; rows < 2; rows++) {
        unknown.rows = rows == 1;
        sal_result *r = standing(is_unknown, &notes);
        CHECK(whole != NULL && r != NULL && is_known(r, 60) && difference(r, whole) < 1e-3);
        sal_result_free(r);
    }
    CHECK(notes.data != NULL && strstr(notes.data, "no numbers") == NULL);
    sal_text_clear(&notes);
    sal_result_free(whole);
}

/* An unloaded plate has no centre of pressure, 0/0; some files have no force, either. */
static void a_plate_without_load_needs_no_numbers(void)
{
    static const char *const force[] = {"0", "0.4", "nan"};
    sal_text notes = {0};
    after_force = after_point = "0";
    sal_result *zeros = standing(is_lifted, &notes);
    CHECK(zeros != NULL && is_known(zeros, 80));
    after_point = "nan";
    for (size_t i = 0; i < sizeof force / sizeof force[0]; i++) {
        after_force = force[i];
        sal_result *r = standing(is_lifted, &notes);
        for (int t = 0; r != NULL && zeros != NULL && t < r->nstep; t++) {
            CHECK(is_known(r, t) == is_known(zeros, t));
        }
        CHECK(r != NULL && zeros != NULL && difference(r, zeros) < .5);
        sal_result_free(r);
    }
    CHECK(notes.data != NULL && strstr(notes.data, "no numbers") == NULL);
    sal_text_clear(&notes);
    sal_result_free(zeros);
}

int main(void)
{
    make_person();
    N[0] = .4 * mass * gravity, N[1] = .6 * mass * gravity;
    x[0] = .05, x[1] = .02;
    y[0] = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    y[1] = -y[0];
    record("still.trc", 140, on_the_floor);
    RUN(unknown_rows_of_a_loaded_plate_are_left_out);
    RUN(one_row_is_interpolated);
    RUN(a_plate_without_load_needs_no_numbers);
    sal_data_free(d);
    sal_model_free(m);
    files_remove();
    return check_done();
}
