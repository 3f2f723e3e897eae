/* Force plates under a person who is known and stands still: what joints must give follows from
 * statics. And a person who stands on a box before he or she is on the floor. */
#include "exports/exports.h"
#include "tests/people/standing_person.h"

/* .3 m high until .5 s, then in free fall */
static double from_a_box(double t)
{
    const double fall = t > .5 ? .5 * gravity * (t - .5) * (t - .5) : 0;
    return fmax(0, .3 - fall);
}

/* The moment that the muscles of a right ankle, or hip, must give about an axis along y through the
 * joint, flexion (about -y) positive: what the floor's force N at x and the weight of all below do
 * not. */
static double statics(const char *joint, double N, double x)
{
    const int j = sal_model_find(m, SAL_OBJ_JOINT, joint), first = m->jnt_bodyid[j];
    const double at = d->xpos[3 * first];
    double moment = N * (x - at); /* about -y: a force upward ahead of the joint lifts the toes */
    for (int b = 1; b < m->nbody; b++) {
        int up = b;
        while (up > 0 && up != first) {
            up = m->body_parentid[up];
        }
        moment -= up == first ? m->body_mass[b] * gravity * (d->xipos[3 * b] - at) : 0;
    }
    return -moment;
}

static void joints_of_who_stands_still_give_what_statics_says(void)
{
    sal_result *r = NULL;
    sal_text notes = {0};
    sal_err err = {0};
    const double N[2] = {.4 * mass * gravity, .6 * mass * gravity};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    record("still.trc", 100, on_the_floor);
    write_plates("p.mot", N, (double[2]){.05, .02}, (double[2]){y, -y});
    CHECK_OK(invert(&r, &notes, "p.mot", &err), err);
    for (int t = 20; r != NULL && t < 80; t += 20) {
        const double *f = r->qfrc_inverse + t * m->nv;
        static const char *const joint[] = {"right_ankle_y", "right_knee", "right_hip_y"};
        CHECK_NEAR(f[2], 0, 1e-2); /* N: the plates carry the weight */
        for (int j = 0; j < 3; j++) {
            const int dof = m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, joint[j])];
            CHECK_NEAR(f[dof], statics(joint[j], N[0], .05), .05);
        }
        const int k = r->contact_offset[t];
        CHECK(r->contact_offset[t + 1] - k == 2);
        CHECK_NEAR(r->contact_force[6 * k], N[0], 1e-6);
        CHECK_NEAR(r->contact_pos[3 * k], .05, 1e-6);
        CHECK_NEAR(r->contact_pos[3 * k + 1], y, 1e-6);
    }
    CHECK(notes.data != NULL && strstr(notes.data, "under the right foot") != NULL);
    sal_plates_foot foot[SAL_PLATES_FEET];
    CHECK_OK(sal_plates_compare(foot, r, r, &err), err); /* with itself: no error at all */
    CHECK(foot[0].error == 0 && foot[0].pressure == 0);
    CHECK_NEAR(foot[1].off[0], 0, 1e-3); /* N m: low-passed once more */
    sal_text shown = {0};
    sal_plates_text(&shown, foot);
    CHECK(shown.data != NULL && strstr(shown.data, "left foot: vertical force") != NULL);
    sal_text_clear(&shown);
    sal_text_clear(&notes);
    sal_result_free(r);
}

/* The moments with the plates know nothing above 6 Hz, so a blow of one step is not held against
 * them: of 100 N m during 10 ms a Butterworth low-pass, forward and backward, leaves some 10. */
static void a_blow_of_one_step_is_not_the_largest_moment(void)
{
    sal_result *measured = NULL, *found = NULL;
    sal_text notes = {0};
    sal_err err = {0};
    sal_plates_foot foot[SAL_PLATES_FEET] = {{0}};
    const double N[2] = {.4 * mass * gravity, .6 * mass * gravity};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    write_plates("p.mot", N, (double[2]){.05, .02}, (double[2]){y, -y});
    CHECK_OK(invert(&measured, &notes, "p.mot", &err), err);
    CHECK_OK(invert(&found, &notes, "p.mot", &err), err);
    if (measured != NULL && found != NULL) {
        const int dof = m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, "right_ankle_y")];
        const double sign = measured->qfrc_inverse[50 * m->nv + dof] < 0 ? -1 : 1;
        found->qfrc_inverse[50 * m->nv + dof] += sign * 100;
        CHECK_OK(sal_plates_compare(foot, found, measured, &err), err);
        const double more = sign * (foot[0].found[2] - foot[0].measured[2]);
        CHECK(more > 5 && more < 20);
    }
    sal_text_clear(&notes);
    sal_result_free(measured);
    sal_result_free(found);
}

/* Plates of whom no moment is known are an error, with a reason. */
static void check_refused(const double N[2], const double x[2], const double y[2], const char *said)
{
    sal_result *r = NULL;
    sal_text notes = {0};
    sal_err err = {0};
    write_plates("no.mot", N, x, y);
    CHECK(invert(&r, &notes, "no.mot", &err) == SAL_BADINPUT && r == NULL);
    CHECK(strstr(err.message, "no moment is known at any time") != NULL);
    CHECK(strstr(err.message, said) != NULL);
    sal_text_clear(&notes);
}

/* In other axes than the markers, in other units, later, or under both feet. */
static void plates_that_tell_nothing_are_refused(void)
{
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1], k = 1e-3;
    const double W = mass * gravity, half[2] = {.4 * W, .6 * W}, x[2] = {.05, .02},
                 sides[2] = {y, -y};
    check_refused(half, (double[2]){1.05, 1.02}, sides,
                  "that is nowhere near a foot, or between both. Plates and markers need the same "
                  "origin and axes");
    check_refused(half, (double[2]){50, 20}, (double[2]){1e3 * y, -1e3 * y},
                  "they would be under the feet if their points are in mm.");
    check_refused((double[2]){.4 * k * W, .6 * k * W}, x, sides,
                  "their largest vertical force, of all together, is 0.687 N, and the weight of "
                  "the model 687 N. Are they in kN?");
    check_refused((double[2]){.4, .6}, x, sides, "Are they in multiples of the weight?");
    check_refused((double[2]){W, 0}, (double[2]){.03, 0}, (double[2]){0, 0}, "between both");
    check_refused((double[2]){W, 0}, (double[2]){.03, 0}, (double[2]){.95 * y, 0},
                  "each foot its own");
}

/* What plates measure nothing is held against no motion. */
static void unknown_moments_are_no_figures(void)
{
    sal_result *r = NULL, *found = NULL;
    sal_text notes = {0}, shown = {0};
    sal_err err = {0};
    sal_plates_foot foot[SAL_PLATES_FEET] = {{0}};
    const double N[2] = {.4 * mass * gravity, .6 * mass * gravity};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    write_plates("p.mot", N, (double[2]){.05, .02}, (double[2]){y, -y});
    CHECK_OK(invert(&found, &notes, "p.mot", &err), err);
    CHECK_OK(invert(&r, &notes, "p.mot", &err), err);
    for (int t = 0; r != NULL && t <= r->nstep; t++) {
        r->contact_offset[t + 1] = r->ncontact = 0;
        for (int i = 0; i < m->nv && t < r->nstep; i++) {
            r->qfrc_inverse[t * m->nv + i] = NAN;
        }
    }
    if (r != NULL && found != NULL) {
        CHECK_OK(sal_plates_compare(foot, found, r, &err), err);
    }
    CHECK(isnan(foot[0].found[0]) && isnan(foot[1].measured[2]) && isnan(foot[0].off[1]));
    sal_plates_text(&shown, foot);
    CHECK(shown.data != NULL &&
          strstr(shown.data, "right foot: no force was measured under it") != NULL);
    CHECK(shown.data != NULL && strstr(shown.data, "nan") == NULL);
    sal_text_clear(&shown);
    sal_text_clear(&notes);
    sal_result_free(r);
    sal_result_free(found);
}

/* Beside the plates, half of the weight is missing. */
static void a_foot_beside_the_plates_is_said(void)
{
    sal_result *r = NULL;
    sal_text notes = {0};
    sal_err err = {0};
    const double N[2] = {.5 * mass * gravity, 0};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    write_plates("one.mot", N, (double[2]){.03, 0}, (double[2]){y, 0});
    CHECK(invert(&r, &notes, "one.mot", &err) == SAL_BADINPUT);
    CHECK(notes.data != NULL && strstr(notes.data, "a foot stands on no plate") != NULL);
    CHECK(notes.data != NULL && strstr(notes.data, "bears both") == NULL);
    sal_text_clear(&notes);
    sal_result_free(r);
}

/* m: where the plates must push so that nothing turns: below the centre of mass. */
static double balance(void)
{
    double sum = 0;
    for (int b = 1; b < m->nbody; b++) {
        sum += m->body_mass[b] * d->xipos[3 * b] / mass;
    }
    return sum;
}

/* Plates whose points, moments or forces do not go with the person, and what is said. */
static void what_does_not_fit_is_said(void)
{
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1], x = balance();
    const struct {
        double share, aside, twist;
        const char *said[2];
    } cases[] = {
        {1, 0, 0, {NULL, NULL}},
        {1, .06, 0, {"acted 0.06 m from where they do", "origin, axes and clock"}},
        {1, 0, 5000, {"acted 15 m from where they do", "Are its moments in N mm?"}},
        {.8, 0, 0, {"the model, of 70 kg, needs 687 N then. With 56 kg both would be equal", NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_result *r = NULL;
        sal_text notes = {0};
        sal_err err = {0};
        const double N = cases[i].share * mass * gravity / 2;
        twist = cases[i].twist;
        write_plates("odd.mot", (double[2]){N, N}, (double[2]){x, x},
                     (double[2]){y + cases[i].aside, -y + cases[i].aside});
        twist = 0;
        CHECK_OK(invert(&r, &notes, "odd.mot", &err), err);
        const char *text = notes.data == NULL ? "" : notes.data;
        for (int k = 0; k < 2 && cases[i].said[k] != NULL; k++) {
            CHECK(strstr(text, cases[i].said[k]) != NULL);
        }
        CHECK((strstr(text, "acted") != NULL) == (i == 1 || i == 2));
        CHECK((strstr(text, "both would be equal") != NULL) == (i == 3));
        sal_text_clear(&notes);
        sal_result_free(r);
    }
}

/* Of row t of a table of OpenSim's, from its time on; "": there is none. */
static const char *row_at(const sal_export *out, int file, const char *time)
{
    char begin[40];
    snprintf(begin, sizeof begin, "\n%s\t", time);
    const char *text = out->file[file].text.data, *at = text == NULL ? NULL : strstr(text, begin);
    return at == NULL ? "" : at + strlen(begin);
}

/* Where it is not known what plates bear, no file says that it is nothing; and a motion that begins
 * later than its recording says when. */
static void exports_say_what_is_unknown(void)
{
    sal_result *r = NULL, *back = NULL;
    sal_text notes = {0};
    sal_err err = {0};
    sal_export out = {0};
    const sal_export_options options = {.cycles = 1};
    const double N[2] = {.4 * mass * gravity, .6 * mass * gravity};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    write_plates("p.mot", N, (double[2]){.05, .02}, (double[2]){y, -y});
    CHECK_OK(invert(&r, &notes, "p.mot", &err), err);
    if (r == NULL) {
        return;
    }
    CHECK_OK(sal_result_export(&out, r, sal_export_find("mot"), &options, &err), err);
    for (int file = 1; file < 3; file++) { /* moments, forces */
        CHECK(strncmp(row_at(&out, file, "0"), "nan\tnan\t", 8) == 0);
        CHECK(strncmp(row_at(&out, file, "0.98"), "nan\tnan\t", 8) == 0);
        const char *row = row_at(&out, file, "0.5");
        CHECK(row[0] != 0 && memchr(row, 'n', strcspn(row, "\n")) == NULL);
        CHECK(strstr(out.file[file].text.data, "of the recording") == NULL);
    }
    sal_export_clear(&out);
    r->recording_start = 1.08;
    CHECK_OK(sal_result_write(r, files_path("r.h5"), &err), err);
    CHECK_OK(sal_result_read(&back, files_path("r.h5"), &err), err);
    CHECK_OK(sal_result_export(&out, back, sal_export_find("sto"), &options, &err), err);
    for (int file = 0; file < 3; file++) {
        CHECK(strstr(out.file[file].text.data,
                     "\ntime 0 is 1.08 s of the recording\nendheader\n") != NULL);
    }
    sal_export_clear(&out);
    sal_text_clear(&notes);
    sal_result_free(back);
    sal_result_free(r);
}

/* The time on a box is left out, so that the motion begins later than the recording. */
static void the_start_of_a_recording_is_kept(void)
{
    sal_result *r = NULL;
    sal_text notes = {0};
    sal_err err = {0};
    const double N[2] = {.5 * mass * gravity, .5 * mass * gravity};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    write_plates("p.mot", N, (double[2]){.05, .02}, (double[2]){y, -y});
    record("box.trc", 140, from_a_box);
    CHECK_OK(invert_clip(&r, &notes, "box.trc", "", "p.mot", &err), err);
    CHECK(r != NULL && r->recording_start >= .5 && r->recording_start <= .62);
    sal_text_clear(&notes);
    sal_result_free(r);
}

static void files_that_are_no_plates_are_refused(void)
{
    static const struct {
        const char *text, *said;
    } rows[] = {
        {"a\nendheader\ntime\tx\n0\t1\n1\t2\n", "has no force plates"},
        {"a\nendheader\ntime\tforce_vx\tforce_vy\tforce_vz\n0\t0\t9\t0\n1\t0\t9\t0\n",
         "does not say where the force"},
        {"a\nendheader\ntime\tforce_vx\tforce_vy\tforce_vz\tforce_px\tforce_py\tforce_pz\n"
         "0\t0\t-9\t0\t0\t0\t0\n1\t0\t-9\t0\t0\t0\t0\n",
         "force on the plates?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sal_result *r = NULL;
        sal_text notes = {0};
        sal_err err = {0};
        files_write("bad.mot", rows[i].text, strlen(rows[i].text));
        CHECK(invert(&r, &notes, "bad.mot", &err) == SAL_BADINPUT && r == NULL);
        CHECK(strstr(err.message, rows[i].said) != NULL);
        sal_text_clear(&notes);
    }
}

/* The seconds at which the motion begins: after the box was left. */
static void the_time_on_a_box_is_left_out(void)
{
    sal_text problem = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_follow_request request = {.rate = NAN, .clip_name = "b.trc", .model_name = "m.xml"};
    record("box.trc", 150, from_a_box);
    CHECK_OK(
        sal_follow_markers(&problem, &notes, NULL, m, files_path("box.trc"), &request, &diag, &err),
        err);
    const char *from = problem.data == NULL ? NULL : strstr(problem.data, " from=\"");
    CHECK(from != NULL && atof(from + 7) >= .5 && atof(from + 7) <= .62);
    CHECK(notes.data != NULL && strstr(notes.data, "stand on something else") != NULL);
    sal_text_clear(&problem);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
}

static void allocations_may_fail(void)
{
    fail_allocations("p.mot", 7);
}

int main(void)
{
    make_person();
    RUN(joints_of_who_stands_still_give_what_statics_says);
    RUN(a_blow_of_one_step_is_not_the_largest_moment);
    RUN(plates_that_tell_nothing_are_refused);
    RUN(unknown_moments_are_no_figures);
    RUN(a_foot_beside_the_plates_is_said);
    RUN(what_does_not_fit_is_said);
    RUN(exports_say_what_is_unknown);
    RUN(the_start_of_a_recording_is_kept);
    RUN(files_that_are_no_plates_are_refused);
    RUN(the_time_on_a_box_is_left_out);
    RUN(allocations_may_fail);
    sal_data_free(d);
    sal_model_free(m);
    files_remove();
    return check_done();
}
