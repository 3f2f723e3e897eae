/* problem_files.h: a small walker and a problem about it, for tests that read problem files. */
#ifndef SAL_TESTS_PROBLEMS_PROBLEM_FILES_H
#define SAL_TESTS_PROBLEMS_PROBLEM_FILES_H

#include "tests/check.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two legs of one link, feet of two capsules; also what no problem wants: sensors of no use, a
 * static site, a mesh-less oddity. */
static const char files_model[] =
    "<mujoco model='m'>\n"
    "  <compiler angle='radian'/>\n"
    "  <option timestep='0.01'/>\n"
    "  <worldbody>\n"
    "    <geom name='floor' type='plane' size='5 5 .1'/>\n"
    "    <site name='mark'/>\n"
    "    <body name='torso' pos='0 0 1'>\n"
    "      <joint name='rootx' type='slide' axis='1 0 0'/>\n"
    "      <joint name='rooty' type='slide' axis='0 1 0'/>\n"
    "      <joint name='rootz' type='slide' axis='0 0 1'/>\n"
    "      <joint name='pitch' type='hinge' axis='0 1 0'/>\n"
    "      <geom name='torso' type='ellipsoid' size='.1 .1 .3'/>\n"
    "      <site name='nose' pos='.1 0 .2'/>\n"
    "      <geom name='ghost' size='.1' contype='0' conaffinity='0'/>\n"
    "      <body name='left_leg' pos='0 .1 -.3'>\n"
    "        <joint name='left_hip' type='hinge' axis='0 1 0' range='-1 1' limited='true'/>\n"
    "        <geom name='left_shank' type='capsule' fromto='0 0 0 0 0 -.5' size='.05'/>\n"
    "        <geom name='left_foot' type='capsule' fromto='.2 0 -.6 -.1 0 -.6' size='.04'/>\n"
    "      </body>\n"
    "      <body name='right_leg' pos='0 -.1 -.3'>\n"
    "        <joint name='right_hip' type='hinge' axis='0 1 0' range='-1 1' limited='true'/>\n"
    "        <geom name='right_shank' type='capsule' fromto='0 0 0 0 0 -.5' size='.05'/>\n"
    "        <geom name='right_foot' type='capsule' fromto='.2 0 -.6 -.1 0 -.6' size='.04'/>\n"
    "      </body>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "  <actuator>\n"
    "    <motor name='left_hip' joint='left_hip' gear='50' ctrlrange='-1 1' ctrllimited='true'/>\n"
    "    <motor name='right_hip' joint='right_hip' gear='50' ctrlrange='-1 1' "
    "ctrllimited='true'/>\n"
    "  </actuator>\n"
    "  <sensor>\n"
    "    <touch name='toe' site='nose'/>\n"
    "    <user name='own' dim='2' objtype='body' objname='torso' datatype='real' "
    "needstage='acc'/>\n"
    "    <clock name='clock'/>\n"
    "    <actuatorfrc name='pull' actuator='left_hip'/>\n"
    "    <framezaxis name='up' objtype='xbody' objname='torso'/>\n"
    "  </sensor>\n"
    "  <keyframe>\n"
    "    <key name='stand' qpos='0 0 -.1 0 .2 .2'/>\n"
    "    <key name='go' qpos='1 0 0 0 .3 .4' qvel='1 0 0 0 0 2'/>\n"
    "  </keyframe>\n"
    "</mujoco>\n";

static const char files_problem[] = "<problem name=\"test\">\n"
                                    "  <model file=\"m.xml\"/>\n"
                                    "  <time nstep=\"10\" duration=\"0.5\"/>\n"
                                    "  <boundary type=\"cycle\" mirror=\"left_ right_\">\n"
                                    "    <travel joint=\"rootx\" speed=\"1.5\"/>\n"
                                    "  </boundary>\n"
                                    "  <cost>\n"
                                    "    <term name=\"effort\" ctrl=\"all\" weight=\"2\"/>\n"
                                    "  </cost>\n"
                                    "  <init key=\"stand\"/>\n"
                                    "  <solver maxiter=\"7\"/>\n"
                                    "</problem>\n";

/* A new folder, removed with all its files at the end of the program; in $TMPDIR, or /tmp. */
static inline const char *files_folder(void)
{
    static char folder[100];
    static bool made;
    if (!made) {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.60s/saltus-test-XXXXXX",
                 parent == NULL || parent[0] == 0 ? P_tmpdir : parent);
        made = mkdtemp(folder) != NULL;
    }
    return folder;
}

static inline const char *files_path(const char *name)
{
    static char path[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[0], "%s/%s", files_folder(), name);
    return path[next];
}

/* The root of the project, as an absolute path: what a file in the folder names, it finds. */
static inline const char *files_root(void)
{
    static char *whole;
    const char *root = getenv("SALTUS_ROOT");
    if (whole == NULL) {
        whole = realpath(root == NULL ? "." : root, NULL);
    }
    return whole == NULL ? "." : whole;
}

static inline void files_write(const char *name, const char *text, size_t n)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", files_folder(), name);
    remove(path); /* a new file: some file systems write a truncated one to the disk at once */
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(text, 1, n, out) != n || fclose(out) != 0) {
        printf("cannot write %s\n", path);
        exit(1);
    }
}

/* text with the first `from` replaced by `to`; valid until the fourth call after this one. */
static inline const char *files_replace(const char *text, const char *from, const char *to)
{
    static char *kept[4];
    static int next;
    const char *at = strstr(text, from);
    char *copy = malloc(strlen(text) + strlen(to) + 1);
    if (at == NULL || copy == NULL) {
        printf("no '%s' in the text\n", from);
        check_case_faults++;
        free(copy);
        return text;
    }
    sprintf(copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    next = (next + 1) % 4;
    free(kept[next]);
    return kept[next] = copy;
}

static inline void files_remove(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", files_folder());
    if (system(command) != 0) {
        printf("cannot remove %s\n", files_folder());
    }
}

#endif
