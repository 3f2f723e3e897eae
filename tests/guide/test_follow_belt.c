/* Belts under people and robots are found, and none where there is none. */
#include "tests/guide/belt_recordings.h"

static const struct {
    const char *name;
    int who;
    bool walks;
} trials[] = {{A "walking1.trc", 0, true}, {A "walkingTO1.trc", 0, true},
              {B "walking2.trc", 1, true}, {A "squats1.trc", 0, false},
              {A "static1.trc", 0, false}, {A "DJ1.trc", 0, false}};
enum { NTRIAL = sizeof trials / sizeof trials[0] };

/* People who walk over the ground, stand, squat and jump; robots that do all sorts of things. */
static void over_the_ground_there_is_no_belt(void)
{
    static const char *const clips[] = {
        "dance1_subject1", "dance2_subject3", "fallAndGetUp1_subject1",   "fight1_subject2",
        "walk2_subject3",  "run1_subject2",   "fightAndSports1_subject1", "jumps1_subject1",
        "walk3_subject2",  "run2_subject1",   "sprint1_subject2",         "walk1_subject1"};
    if (!models_are_there()) {
        SKIP("the corpus is not there");
    }
    for (int i = 0; i < NTRIAL; i++) {
        follow(person[trials[i].who], "x.xml", corpus_path(trials[i].name));
        CHECK(!says(&draft_text, "belt") && !says(&notes, "belt"));
    }
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
        char name[100];
        snprintf(name, sizeof name, "data/g1_clips/%s.csv", clips[i]);
        follow(robot, "x.xml", corpus_path(name));
        CHECK(!says(&draft_text, "belt") && !says(&notes, "belt"));
    }
}

static void belts_under_people_are_found(void)
{
    static const double belts[][2] = {{1.2, 0}, {.8, .3}, {1.3, -.05}};
    if (!models_are_there()) {
        SKIP("the corpus is not there");
    }
    for (int i = 0; i < NTRIAL; i++) {
        sig_signals s = {0};
        for (int k = 0; k < 3 && trials[i].walks && read_signals(&s, corpus_path(trials[i].name));
             k++) {
            write_markers("belt.trc", &s, belts[k]);
            follow(person[trials[i].who], "x.xml", files_path("belt.trc"));
            check_belt(belts[k]);
            sig_clear(&s);
        }
    }
}

static void belts_under_robots_are_found(void)
{
    if (!models_are_there()) {
        SKIP("the corpus is not there");
    }
    for (size_t i = 0; i < sizeof straight / sizeof straight[0]; i++) {
        sig_signals s = {0};
        if (read_signals(&s, corpus_path(straight[i].name))) {
            write_clip("belt.csv", &s, straight[i].first, 90, straight[i].v);
            follow(robot, "x.xml", files_path("belt.csv"));
            check_belt(straight[i].v);
        }
        sig_clear(&s);
    }
}

/* A model of the person who walked on the belt: each frame is fitted for itself. */
static void the_person_on_a_belt_is_the_same(void)
{
    static const double v[2] = {1.2, .1};
    sig_signals s = {0};
    sal_model *m = NULL;
    if (!models_are_there() || !read_signals(&s, corpus_path(A "walking1.trc"))) {
        SKIP("the corpus is not there");
    }
    write_markers("belt.trc", &s, v);
    sig_clear(&s);
    if (make_person(&m, "c.xml", files_path("belt.trc"), corpus_path(A "static1.trc"), 63.5)) {
        CHECK(m->nbody == person[0]->nbody && m->ngeom == person[0]->ngeom);
        for (int i = 0; i < 3 * m->nbody; i++) {
            CHECK_NEAR(m->body_pos[i], person[0]->body_pos[i], 1e-4);
        }
        for (int i = 0; i < 3 * m->ngeom; i++) { /* soles too */
            CHECK_NEAR(m->geom_pos[i], person[0]->geom_pos[i], 1e-4);
        }
    }
    sal_model_free(m);
}

int main(void)
{
    RUN(over_the_ground_there_is_no_belt);
    RUN(belts_under_people_are_found);
    RUN(belts_under_robots_are_found);
    RUN(the_person_on_a_belt_is_the_same);
    belt_end();
    return check_done();
}
