#include "tests/check.h"
#include "tests/folder.h"

#include "base/base.h"
#include "base/house.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what is asked of the disk, in its order: s(ync), r(ename), sync of a f(older) ---- */

static char asked[20];

static void ask(char what)
{
    const size_t n = strlen(asked);
    if (n + 1 < sizeof asked) {
        asked[n] = what;
    }
}

/* In place of those of the system */
int fsync(int fd)
{
    struct stat info;
    ask(fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) ? 'f' : 's');
    return 0;
}

/* so often another process takes the new file for one that was left */
static int stolen;

int rename(const char *from, const char *to)
{
    ask('r');
    if (stolen > 0) {
        stolen--;
        unlink(from);
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static void check_content(const char *name, const char *expected)
{
    char *data = NULL;
    size_t n;
    sal_err err = {0};
    CHECK_OK(sal_text_read_file(in_folder(name), 1000, &data, &n, &err), err);
    CHECK_TEXT(data, expected);
    sal_free(data);
}

static int entries(void)
{
    int n = 0;
    DIR *dir = opendir(folder);
    while (readdir(dir) != NULL) {
        n++;
    }
    closedir(dir);
    return n - 2;
}

static void a_file_is_replaced_and_nothing_is_left_beside_it(void)
{
    sal_err err = {0};
    CHECK_OK(sal_file_write(in_folder("a"), "one", 3, &err), err);
    check_content("a", "one");
    chmod(in_folder("a"), 0640);
    CHECK_OK(sal_file_write(in_folder("a"), "second", 6, &err), err);
    check_content("a", "second");
    struct stat info;
    CHECK(stat(in_folder("a"), &info) == 0 && (info.st_mode & 0777) == 0640);
    CHECK(entries() == 1);
}

static void a_link_stays_a_link(void)
{
    sal_err err = {0};
    struct stat info;
    CHECK(symlink("a", in_folder("link")) == 0);
    CHECK_OK(sal_file_write(in_folder("link"), "third", 5, &err), err);
    CHECK(lstat(in_folder("link"), &info) == 0 && S_ISLNK(info.st_mode));
    check_content("a", "third");
    CHECK(entries() == 2);
}

/* The file before it is renamed, its folder afterwards. */
static void it_is_synced_around_the_renaming(void)
{
    sal_err err = {0};
    memset(asked, 0, sizeof asked);
    CHECK_OK(sal_file_write(in_folder("a"), "x", 1, &err), err);
    CHECK_TEXT(asked, "srf");
    memset(asked, 0, sizeof asked);
    CHECK_OK(sal_file_replace(in_folder("a"), "x", 1, &err), err);
    CHECK_TEXT(asked, "r");
    memset(asked, 0, sizeof asked);
    CHECK_OK(sal_file_make_folder(in_folder("new"), NULL, &err), err);
    CHECK_TEXT(asked, "f");
    rmdir(in_folder("new"));
}

/* The new name has the new file at every moment; the old name has the other one, or nothing. */
static void files_exchange_their_names(void)
{
    sal_err err = {0};
    CHECK_OK(sal_file_write(in_folder("x"), "new", 3, &err), err);
    CHECK(sal_file_exchange(in_folder("x"), in_folder("y")) == 0);
    check_content("y", "new");
    CHECK(access(in_folder("x"), F_OK) != 0);
    CHECK_OK(sal_file_write(in_folder("x"), "newer", 5, &err), err);
    CHECK(sal_file_exchange(in_folder("x"), in_folder("y")) == 0);
    check_content("y", "newer");
    if (access(in_folder("x"), F_OK) == 0) {
        check_content("x", "new");
    }
    unlink(in_folder("x"));
    CHECK(sal_file_exchange(in_folder("x"), in_folder("y")) == -1 && errno == ENOENT);
    check_content("y", "newer");
    unlink(in_folder("y"));
}

static void faults_are_told(void)
{
    sal_err err = {0};
    CHECK(sal_file_write(folder, "x", 1, &err) == SAL_BADPATH);
    CHECK(strstr(err.message, "directory") != NULL);
    CHECK(sal_file_write(in_folder("none/x"), "x", 1, &err) == SAL_BADPATH);
    CHECK(strstr(err.message, "none/x") != NULL);
    CHECK(sal_file_write("/dev/full", "x", 1, &err) == SAL_BADPATH);
    CHECK(strstr(err.message, "space") != NULL);
    CHECK_OK(sal_file_write("/dev/null", "x", 1, &err), err);
    CHECK(entries() == 2);
}

static bool is_there(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

static void put(const char *name)
{
    const int fd = open(in_folder(name), O_WRONLY | O_CREAT, 0666);
    CHECK(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0);
}

/* A process that has locked a file, and tells so. */
static pid_t start_holder(const char *name)
{
    int ends[2];
    char word = 0;
    CHECK(pipe(ends) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        int fd;
        long holder;
        const bool mine = sal_file_lock(in_folder(name), 0, &fd, &holder, NULL) == SAL_LOCK_MINE;
        word = mine ? 'y' : 'n';
        _exit(write(ends[1], &word, 1) == 1 ? pause() : 1);
    }
    close(ends[1]);
    CHECK(read(ends[0], &word, 1) == 1 && word == 'y');
    close(ends[0]);
    return pid;
}

static void stop_holder(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void temporary_files_tell_what_they_become(void)
{
    static const struct {
        const char *name;
        size_t length;
    } known[] = {{".result.h5.12-0.tmp", 9},
                 {".a.1-2.tmp", 1},
                 {"..run.json.x.next.7-31.tmp", 16},
                 {".a.b.1-0.tmp", 3},
                 {"a.1-0.tmp", 0},
                 {".1-0.tmp", 0},
                 {"..1-0.tmp", 0},
                 {".a.x-0.tmp", 0},
                 {".a.1-.tmp", 0},
                 {".a.-1.tmp", 0},
                 {".a.1-0.tmp.c", 0},
                 {".a.tmp", 0},
                 {".tmp", 0},
                 {"", 0},
                 {".a1-0.tmp", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        printf("     %s\n", known[i].name);
        CHECK(sal_file_temporary(known[i].name) == known[i].length);
    }
}

/* Of this path, and nobody holds it: it is removed; other names are not ours. */
static void what_killed_processes_left_is_removed(void)
{
    static const char *const others[] = {".b.1-0.tmp",   ".a.b.1-0.tmp", ".a.x-0.tmp", "a.1-0.tmp",
                                         ".a.1-0.tmp.c", ".a.tmp",       ".a.1-.tmp"};
    sal_err err = {0};
    const pid_t pid = start_holder(".a.1-3.tmp");
    put(".a.1-0.tmp");
    put(".a.999999-12.tmp");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        put(others[i]);
    }
    CHECK_OK(sal_file_replace(in_folder("a"), "new", 3, &err), err);
    CHECK(is_there(".a.1-0.tmp"));
    CHECK_OK(sal_file_write(in_folder("a"), "new", 3, &err), err);
    CHECK(!is_there(".a.1-0.tmp") && !is_there(".a.999999-12.tmp"));
    CHECK(is_there(".a.1-3.tmp")); /* being written */
    stop_holder(pid);
    CHECK_OK(sal_file_write(in_folder("a"), "new", 3, &err), err);
    CHECK(!is_there(".a.1-3.tmp"));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        CHECK(is_there(others[i]));
        unlink(in_folder(others[i]));
    }
}

static void a_lock_ends_with_its_process(void)
{
    sal_err err = {0};
    int fd;
    long holder;
    const pid_t pid = start_holder("lock");
    CHECK(sal_file_lock(in_folder("lock"), 0, &fd, &holder, &err) == SAL_LOCK_TAKEN);
    CHECK(holder == pid && fd < 0);
    CHECK(sal_file_lock(in_folder("lock"), 1, &fd, &holder, &err) == SAL_LOCK_MINE);
    close(fd);
    stop_holder(pid);
    CHECK(sal_file_lock(in_folder("lock"), 0, &fd, &holder, &err) == SAL_LOCK_MINE);
    close(fd);
    CHECK(sal_file_lock(in_folder("none/lock"), 0, &fd, &holder, &err) == SAL_LOCK_FAILED);
    CHECK(strstr(err.message, "none/lock") != NULL);
    unlink(in_folder("lock"));
}

static void folders_are_made(void)
{
    sal_err err = {0};
    bool made = false;
    CHECK_OK(sal_file_make_folder(in_folder("sub/"), &made, &err), err);
    CHECK(made && is_there("sub"));
    CHECK_OK(sal_file_make_folder(in_folder("sub"), &made, &err), err);
    CHECK(!made);
    CHECK(sal_file_make_folder(in_folder("none/sub"), &made, &err) == SAL_BADPATH);
    rmdir(in_folder("sub"));
}

/* Two processes write one file: what one has not renamed yet, the other removes. */
static void what_is_swept_up_too_early_is_written_again(void)
{
    sal_err err;
    char path[1200];
    snprintf(path, sizeof path, "%s", in_folder("shared.tsv"));
    stolen = 3;
    CHECK_OK(sal_file_write(path, "one", 3, &err), err);
    check_content("shared.tsv", "one");
    stolen = 1;
    CHECK_OK(sal_file_replace(path, "two", 3, &err), err);
    check_content("shared.tsv", "two");
    stolen = 100000;
    asked[0] = 0;
    CHECK(sal_file_write(path, "three", 5, &err) == SAL_BADPATH);
    stolen = 0;
    check_content("shared.tsv", "two");
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        printf("cannot make a folder in /tmp\n");
        return 1;
    }
    RUN(a_file_is_replaced_and_nothing_is_left_beside_it);
    RUN(a_link_stays_a_link);
    RUN(it_is_synced_around_the_renaming);
    RUN(files_exchange_their_names);
    RUN(faults_are_told);
    RUN(temporary_files_tell_what_they_become);
    RUN(what_killed_processes_left_is_removed);
    RUN(what_is_swept_up_too_early_is_written_again);
    RUN(a_lock_ends_with_its_process);
    RUN(folders_are_made);
    unlink(in_folder("a"));
    unlink(in_folder("link"));
    rmdir(folder);
    return check_done();
}
