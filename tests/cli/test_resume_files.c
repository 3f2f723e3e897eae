/* A checkpoint belongs to what the files contained that the problem and the model name: --resume
 * notices when one of them has changed since. */
#include "tests/cli/resume.h"

static const char model[] =
    "<mujoco model='pend'>\n"
    "  <compiler angle='radian'/>\n"
    "  <asset><mesh name='bob' file='bob.obj'/></asset>\n"
    "  <include file='more.xml'/>\n"
    "  <worldbody><body name='arm'>\n"
    "    <joint name='hinge' type='hinge' axis='0 1 0' damping='.1'/>\n"
    "    <geom type='capsule' fromto='0 0 0 0 0 -1' size='.05' mass='1'/>\n"
    "    <geom type='mesh' mesh='bob' pos='0 0 -1' mass='.1' contype='0' conaffinity='0'/>\n"
    "  </body></worldbody>\n"
    "</mujoco>\n";

static const char more[] = "<mujocoinclude>\n"
                           "  <actuator><motor joint='hinge' name='m' gear='20'/></actuator>\n"
                           "  <keyframe><key name='up' qpos='3'/></keyframe>\n"
                           "</mujocoinclude>\n";

static const char bob[] = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\n"
                          "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/* 1,000 steps: it takes some tenths of a second. */
#define HEAD                                                                                       \
    "  <model file=\"model.xml\"/>\n"                                                              \
    "  <time nstep=\"1000\" duration=\"3\"/>\n"

/* A file for everything that may come from one */
static const char tables[] = "<problem name=\"tables\">\n" HEAD "  <boundary type=\"open\">\n"
                             "    <start file=\"start.csv\"/><end qpos=\"1\"/>\n"
                             "  </boundary>\n"
                             "  <data file=\"seen.csv\" time=\"t\">\n"
                             "    <channel name=\"seen\" joint=\"hinge\" columns=\"angle\"\n"
                             "      sigma=\".01\"/>\n"
                             "  </data>\n"
                             "  <cost>\n"
                             "    <term name=\"effort\" ctrl=\"all\"/>\n"
                             "    <term name=\"path\" joint=\"hinge\" file=\"target.csv\"/>\n"
                             "    <term name=\"turn\" orientation=\"arm\" file=\"turn.csv\"/>\n"
                             "    <term name=\"follow\" data=\"seen\" weight=\"1e-3\"/>\n"
                             "  </cost>\n"
                             "  <constraints>\n"
                             "    <constraint name=\"gate\" joint=\"hinge\" at=\"1\" tol=\"1e-3\"\n"
                             "      file=\"gate.csv\"/>\n"
                             "  </constraints>\n"
                             "  <init file=\"guess.csv\"/>\n"
                             "  <solver maxiter=\"8\"/>\n"
                             "</problem>\n";

static const char results[] = "<problem name=\"results\">\n" HEAD "  <boundary type=\"open\">\n"
                              "    <start qpos=\"0\"/><end result=\"end.h5\"/>\n"
                              "  </boundary>\n"
                              "  <cost><term name=\"effort\" ctrl=\"all\"/></cost>\n"
                              "  <init result=\"guess.h5\"/>\n"
                              "</problem>\n";

static const char keys[] = "<problem name=\"keys\">\n" HEAD "  <boundary type=\"open\">\n"
                           "    <start qpos=\"0\"/><end qpos=\"1\"/>\n"
                           "  </boundary>\n"
                           "  <cost><term name=\"effort\" ctrl=\"all\"/></cost>\n"
                           "  <init key=\"up\"/>\n"
                           "</problem>\n";

static const char identify[] =
    "<problem name=\"identify\">\n"
    "  <model file=\"model.xml\"/>\n"
    "  <data index=\"index.csv\" cluster=\"day\" time=\"t\">\n"
    "    <channel name=\"seen\" joint=\"hinge\" columns=\"angle\" sigma=\".005\"/>\n"
    "    <channel name=\"torque\" ctrl=\"m\" columns=\"u\"/>\n"
    "  </data>\n"
    "  <parameter name=\"damping\" path=\"joint[hinge]/damping\" map=\"log\" value=\".05\"/>\n"
    "  <estimate sigma=\".05\" unit=\"force\" norm=\"quadratic\"/>\n"
    "</problem>\n";

/* ---- files ---- */

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* A swing of the pendulum, more or less: t, the angle, the control; a line for each step. */
static void put_swing(const char *name, const char *head, double height, int n, double step)
{
    static char text[400000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s\n", head);
    for (int i = 0; i < n && at < sizeof text; i++) {
        const double t = i * step;
        at += (size_t)snprintf(text + at, sizeof text - at, "%g,%.12g%s\n", t,
                               height * sin(3.8 * t), strchr(head, 'u') == NULL ? "" : ",0");
    }
    put(name, text);
}

static void put_all(void)
{
    put("model.xml", model);
    put("more.xml", more);
    put("bob.obj", bob);
    put("tables.xml", tables);
    put("results.xml", results);
    put("keys.xml", keys);
    put("identify.xml", identify);
    put("start.csv", "qpos0,qvel0\n0,0\n");
    put("target.csv", "time,angle\n0,0\n3,1\n");
    put("turn.csv", "time,w,x,y,z\n0,1,0,0,0\n3,.8,0,.6,0\n");
    put("gate.csv", "time,angle\n0,0\n3,.9\n");
    put_swing("seen.csv", "t,angle", 0.3, 301, 0.01);
    put("guess.csv", "time,qpos0\n0,0\n3,1\n");
    put_swing("day1.csv", "t,angle,u", 0.3, 400, 0.01);
    put_swing("day2.csv", "t,angle,u", 0.2, 400, 0.01);
    put("index.csv", "file,day\nday1.csv,a\nday2.csv,b\n");
}

/* A result whose pose is that at its end */
static void put_result(const char *name, const char *end)
{
    char line[3000], from[600];
    snprintf(line, sizeof line,
             "solve %s/keys.xml -q -o %s/made --set time/nstep=30 --set end/qpos=%s",
             files_folder(), files_folder(), end);
    CHECK(run(line) == 0);
    snprintf(from, sizeof from, "%s", files_path("made/result.h5"));
    CHECK(rename(from, files_path(name)) == 0);
}

/* ---- what is noticed ---- */

static const char *line_of(const char *problem, const char *folder, const char *options)
{
    static char line[3000];
    char file[600];
    snprintf(file, sizeof file, "%s/%s.xml", files_folder(), problem);
    snprintf(line, sizeof line, "solve %s -q -o %s %s", file, files_path(folder), options);
    return line;
}

/* Kills a solve of the problem when it has written a few lines. */
static void kill_early(const char *problem)
{
    char record[80], line[3000];
    snprintf(record, sizeof record, "%s/iterations.jsonl", problem);
    snprintf(line, sizeof line, "%s", line_of(problem, problem, "--threads 1"));
    CHECK(cut_short(line, record, 2, 0, SIGKILL) == 128 + SIGKILL);
    snprintf(record, sizeof record, "%s/checkpoint/0", problem);
    CHECK(exists(record));
}

/* With another file of that name it does not go on, and says what is not as it was. */
static void notices(const char *problem, const char *name, const char *other, const char *says)
{
    char kept[600], path[600];
    snprintf(kept, sizeof kept, "%s", files_path("kept"));
    snprintf(path, sizeof path, "%s", files_path(name));
    CHECK(rename(path, kept) == 0);
    put(name, other);
    const int code = run(line_of(problem, problem, "--resume"));
    if (code != 3) {
        printf("     %s of %s\n", name, problem);
    }
    CHECK(code == 3);
    SAYS(errors, says);
    CHECK(rename(kept, path) == 0);
}

static const char of_data[] = "belongs to other data: a table, recording or result that the "
                              "problem names has changed; solve without --resume";

static void goes_on(const char *problem)
{
    char whole[80];
    snprintf(whole, sizeof whole, "%s-whole", problem);
    CHECK(run(line_of(problem, problem, "--threads 2 --resume")) <= 1);
    CHECK(strstr(errors, "warning") == NULL);
    CHECK(run(line_of(problem, whole, "--threads 1")) <= 1);
    CHECK(same_folder(whole, problem, 1));
}

static void tables_are_known(void)
{
    static char other_swing[400000];
    put_swing("other.csv", "t,angle", 0.31, 301, 0.01);
    slurp("other.csv", other_swing, sizeof other_swing);
    kill_early("tables");
    notices("tables", "start.csv", "qpos0,qvel0\n.01,0\n", of_data);
    notices("tables", "target.csv", "time,angle\n0,0\n3,1.5\n", of_data);
    notices("tables", "turn.csv", "time,w,x,y,z\n0,1,0,0,0\n3,.6,0,.8,0\n", of_data);
    notices("tables", "gate.csv", "time,angle\n0,0\n3,.8\n", of_data);
    notices("tables", "seen.csv", other_swing, of_data);
    notices("tables", "guess.csv", "time,qpos0\n0,0\n1,2\n3,1\n", of_data);
    goes_on("tables");
    CHECK(run(line_of("tables", "tables", "--resume")) <= 1); /* a result that is finished */
    SAYS(errors, "nothing to resume");
    notices("tables", "target.csv", "time,angle\n0,0\n3,1.5\n",
            "of other settings or of other data");
}

static void results_are_known(void)
{
    char other[600], kept[600];
    put_result("end.h5", "1");
    put_result("guess.h5", "1");
    put_result("other.h5", "1.2");
    snprintf(other, sizeof other, "%s", files_path("other.h5"));
    snprintf(kept, sizeof kept, "%s", files_path("kept"));
    kill_early("results");
    for (int k = 0; k < 2; k++) {
        char path[600];
        snprintf(path, sizeof path, "%s", files_path(k == 0 ? "end.h5" : "guess.h5"));
        CHECK(rename(path, kept) == 0 && rename(other, path) == 0);
        CHECK(run(line_of("results", "results", "--resume")) == 3);
        SAYS(errors, of_data);
        CHECK(rename(path, other) == 0 && rename(kept, path) == 0);
    }
    goes_on("results");
}

static void files_of_the_model_are_known(void)
{
    static const char of_model[] = "belongs to another model or other settings; solve without";
    static const char heavier[] = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .2\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    kill_early("keys");
    notices("keys", "bob.obj", heavier, of_model);
    notices("keys", "more.xml",
            "<mujocoinclude>\n"
            "  <actuator><motor joint='hinge' name='m' gear='20'/></actuator>\n"
            "  <keyframe><key name='up' qpos='2'/></keyframe>\n"
            "</mujocoinclude>\n",
            of_model);
    goes_on("keys");
}

static void recordings_are_known(void)
{
    static char other_day[400000];
    put_swing("day3.csv", "t,angle,u", 0.21, 400, 0.01);
    slurp("day3.csv", other_day, sizeof other_day);
    kill_early("identify");
    notices("identify", "index.csv", "file,day\nday1.csv,a\nday2.csv,a\n", of_data);
    notices("identify", "index.csv", "file,day\nday2.csv,b\nday1.csv,a\n", of_data);
    notices("identify", "index.csv", "file,day,stop\nday1.csv,a,2\nday2.csv,b,4\n", of_data);
    notices("identify", "day2.csv", other_day, of_data);
    goes_on("identify");
}

int main(void)
{
    put_all();
    RUN(tables_are_known);
    RUN(results_are_known);
    RUN(files_of_the_model_are_known);
    RUN(recordings_are_known);
    files_remove();
    return check_done();
}
