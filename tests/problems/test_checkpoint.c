/* The copy of a checkpoint that survives a loss of power: when it is made, and what it is for. */
#include "tests/check.h"
#include "tests/folder.h"
#include "tests/problems/read_example.h"

#include "base/house.h"
#include "problems/solve/checkpoint.h"

#include <sys/stat.h>
#include <unistd.h>

static prb_fingerprint print = {.version = "v", .problem = "p", .model = "m"};
static sal_err err;

static bool is_there(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

/* A checkpoint whose state is n numbers, the first of them this one */
static void put_long(int number, size_t n, double *synced)
{
    int state[100] = {number};
    sal_text text = {0};
    const prb_checkpoint c = {
        .start = 2, .nstart = 3, .nstate = n * sizeof number, .state = state, .synced = synced};
    CHECK_OK(prb_checkpoint_write(in_folder("c"), &print, &c, &text, &err), err);
    sal_text_clear(&text);
}

static void put(int number, double *synced)
{
    put_long(number, 1, synced);
}

/* The number that was put; -1: there is nothing; -2: a fault */
static int get(void)
{
    prb_checkpoint c = {.start = 2, .nstart = 3};
    char *bytes;
    int number = -1;
    if (prb_checkpoint_read(in_folder("c"), &print, &c, &bytes, &err) != SAL_OK) {
        return -2;
    }
    if (bytes != NULL) {
        memcpy(&number, c.state, sizeof number);
    }
    sal_free(bytes);
    return number;
}

static void damage(const char *name)
{
    CHECK(truncate(in_folder(name), 20) == 0);
}

static void a_copy_is_made_every_few_seconds(void)
{
    double synced = 0;
    put(1, &synced);
    put(2, &synced);
    CHECK(synced > 0 && is_there("c/2") && !is_there("c/2.kept"));
    synced -= 100;
    put(3, &synced);
    CHECK(is_there("c/2.kept"));
    put(4, &synced);
    put(5, NULL);
    CHECK(get() == 5);
}

static void the_copy_is_read_where_the_newest_is_damaged(void)
{
    damage("c/2");
    CHECK(get() == 3);
    unlink(in_folder("c/2"));
    CHECK(get() == 3);
    put(6, NULL);
    CHECK(get() == 6);
    damage("c/2");
    damage("c/2.kept");
    CHECK(get() == -2);
    CHECK(strstr(err.message, "c/2' is damaged") != NULL);
}

static void one_of_another_problem_is_not_replaced_by_a_copy(void)
{
    double synced = 1;
    put(7, &synced);
    CHECK(is_there("c/2.kept"));
    print.problem[0] = 'q';
    CHECK(get() == -2);
    CHECK(strstr(err.message, "belongs to another problem") != NULL);
    print.problem[0] = 'p';
    CHECK(get() == 7);
}

/* Two files take turns: what is written over a longer one is whole, what is being written is not
 * read, and where the other file is gone the next one is made anew. */
static void files_take_turns(void)
{
    struct stat first = {0}, second = {0}, third = {0};
    put_long(8, 100, NULL);
    CHECK(get() == 8 && stat(in_folder("c/2"), &first) == 0);
    put(9, NULL);
    CHECK(get() == 9 && stat(in_folder("c/2"), &second) == 0);
    put(10, NULL);
    CHECK(get() == 10 && stat(in_folder("c/2"), &third) == 0);
    CHECK(first.st_size == second.st_size + 99 * (long)sizeof(int));
    CHECK(third.st_size == second.st_size && first.st_ino != second.st_ino);
    if (is_there("c/2.tmp")) { /* the file system exchanges names */
        CHECK(third.st_ino == first.st_ino);
        damage("c/2.tmp");
    }
    CHECK(get() == 10);
    unlink(in_folder("c/2.tmp"));
    put(11, NULL);
    CHECK(get() == 11);
}

/* It stops at linearisation *user. */
static bool stops(void *user, int start, const sal_progress *p)
{
    const int *last = user;
    (void)start;
    return p->linearisation < *last;
}

/* However rarely checkpoints are written, of a solve that is stopped nothing is lost. */
static void a_solve_that_is_stopped_is_kept_as_it_ends(void)
{
    sal_problem *p = read_example("hopper_hop");
    for (int last = 1; last < 30 && p != NULL; last += 7) {
        const sal_watch watch = {.progress = stops,
                                 .user = &last,
                                 .checkpoint = in_folder("c"),
                                 .checkpoint_unsynced = true};
        int linearisations[64] = {0};
        bool found = false;
        sal_result *r = NULL;
        CHECK_OK(sal_problem_solve(&r, p, 1, &watch, &err), err);
        CHECK_OK(sal_checkpoint_look(p, in_folder("c"), linearisations, &found, &err), err);
        CHECK(found && linearisations[0] == last);
        sal_result_free(r);
        sal_checkpoint_remove(in_folder("c"));
    }
    sal_problem_free(p);
}

static void all_is_removed(void)
{
    const char *const left[] = {"c/2.tmp", "c/.2.kept.17-0.tmp"};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(sal_file_write(in_folder(left[i]), "x", 1, &err), err);
    }
    sal_checkpoint_remove(in_folder("c"));
    CHECK(!is_there("c") && get() == -1);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        printf("cannot make a folder in /tmp\n");
        return 1;
    }
    RUN(a_copy_is_made_every_few_seconds);
    RUN(the_copy_is_read_where_the_newest_is_damaged);
    RUN(one_of_another_problem_is_not_replaced_by_a_copy);
    RUN(files_take_turns);
    RUN(all_is_removed);
    RUN(a_solve_that_is_stopped_is_kept_as_it_ends);
    rmdir(folder);
    return check_done();
}
