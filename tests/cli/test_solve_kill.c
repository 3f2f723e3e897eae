/* After a kill at any moment it is as if a solve had not been, or had ended, or it goes on. */
#include "tests/check.h"
#include "tests/cli/kill_at.h"
#include "tests/cli/resume.h"
#include "tests/cli/sweep.h"

#include "base/house.h"

/* "solve reach.xml -o FOLDER -q OPTIONS" */
static const char *reach_line(const char *folder, const char *options)
{
    static char line[4000];
    char problem[1024];
    snprintf(problem, sizeof problem, "%s", files_path("reach.xml"));
    snprintf(line, sizeof line, "solve %.900s -o %.900s -q --threads 1 %.900s", problem,
             files_path(folder), options);
    return line;
}

/* ---- killed ---- */

/* Names in a folder, hidden ones too. */
static int count_in(const char *name)
{
    int n = 0;
    DIR *list = opendir(files_path(name));
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    }
    if (list != NULL) {
        closedir(list);
    }
    return n;
}

static void remove_all(const char *name)
{
    char line[1100];
    snprintf(line, sizeof line, "rm -rf %s", files_path(name));
    CHECK(system(line) == 0);
}

/* result.h5 and run.json are both of the run that is marked, or both of the one before, or there is
 * neither. */
static void check_pair(const char *folder, const char *mark, bool older)
{
    static char text[20000];
    char result[100], account[100];
    snprintf(result, sizeof result, "%s/result.h5", folder);
    snprintf(account, sizeof account, "%s/run.json", folder);
    CHECK(exists(result) == exists(account));
    CHECK(!older || exists(result));
    if (exists(result) && exists(account)) {
        slurp(account, text, sizeof text);
        const bool is_new = strstr(text, mark) != NULL;
        CHECK(same_file(result, is_new ? "new/result.h5" : "old/result.h5"));
        CHECK(is_new || older);
    }
}

/* Kills a solve at every change of the disk. */
static void kill_everywhere(bool older, bool asks)
{
    static const char mark[] = "--set term[effort]/weight=3";
    char line[4000], info[1100];
    int n = 1, code = 0;
    for (;; n++) {
        remove_all("cut");
        if (older) {
            CHECK(run(reach_line("cut", "")) == 0);
        }
        snprintf(line, sizeof line, "%s", reach_line("cut", mark));
        code = killed_at(line, n);
        if (code != 128 + SIGKILL) {
            break;
        }
        if (asks) {
            snprintf(info, sizeof info, "info %s", files_path("cut"));
            code = run(info);
            CHECK(code == (exists("cut/result.h5") ? 0 : 5) || code == 3);
            check_pair("cut", "weight=3", older);
        }
        /* it starts again, or goes on; it may have been about to end */
        const bool goes_on = !older && (n % 2 == 0 || exists("cut/result.h5"));
        snprintf(line, sizeof line, "%s %s", mark, goes_on ? "--resume" : "");
        CHECK(run(reach_line("cut", line)) == 0);
        check_pair("cut", "weight=3", older);
        CHECK(same_folder("cut", "new", 1));
        CHECK(count_in("cut") == 3);
    }
    printf("     killed at %d changes\n", n - 1);
    CHECK(code == 0 && n > 10);
}

static void a_kill_at_any_moment_leaves_both_or_neither(void)
{
    sweep_files();
    CHECK(run(reach_line("old", "")) == 0);
    CHECK(run(reach_line("new", "--set term[effort]/weight=3")) == 0);
    char line[4000];
    snprintf(line, sizeof line, "%s", reach_line("new", "--set term[effort]/weight=3"));
    if (killed_at(line, 1000000) == -1) {
        SKIP("a process cannot be watched here");
    }
    kill_everywhere(false, true);
    kill_everywhere(true, true);
}

int main(void)
{
    RUN(a_kill_at_any_moment_leaves_both_or_neither);
    return check_done();
}
