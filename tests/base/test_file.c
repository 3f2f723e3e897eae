#include "tests/check.h"
#include "tests/folder.h"

#include "base/base.h"
#include "base/house.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

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

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        printf("cannot make a folder in /tmp\n");
        return 1;
    }
    RUN(a_file_is_replaced_and_nothing_is_left_beside_it);
    RUN(a_link_stays_a_link);
    RUN(faults_are_told);
    unlink(in_folder("a"));
    unlink(in_folder("link"));
    rmdir(folder);
    return check_done();
}
