/* `saltus follow`: recordings of robots become problems that need no editing, and what `solve` and
 * `report` say of them. */
#include "tests/cli/command.h"
#include "tests/signals/pickle_samples.inc"

enum { ROWS = 31, RATE = 30 };

static const char two_hinges[] =
    "<mujoco><compiler angle='radian'/><worldbody><body><joint name='shoulder' axis='0 1 0'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' density='500'/><body pos='.3 0 0'>"
    "<joint name='elbow' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' "
    "density='500'/></body></body></worldbody><actuator><motor joint='shoulder' gear='50'/><motor "
    "joint='elbow' gear='50'/></actuator></mujoco>";

static const char *person(void)
{
    static char path[1100];
    snprintf(path, sizeof path, "%s/models/person.xml", files_root());
    return path;
}

/* The person of models/person.xml in the pose of its keyframe lifts its left arm: times, pose with
 * w last, and all joints. It stands, the last `lying` samples it lies on its back; the floor of the
 * recording is `floor` m up. */
static void write_poses(const char *name, double floor, int lying, bool headed)
{
    static const char header[] =
        "time,x,y,z,qx,qy,qz,qw,abdomen_z,abdomen_y,abdomen_x,left_shoulder_x,left_shoulder_y,"
        "left_elbow,right_shoulder_x,right_shoulder_y,right_elbow,left_hip_x,left_hip_z,left_hip_y,"
        "left_knee,left_ankle_y,left_ankle_x,right_hip_x,right_hip_z,right_hip_y,right_knee,"
        "right_ankle_y,right_ankle_x\n";
    static char text[20000];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, "%s", headed ? header : "");
    for (int i = 0; i < ROWS; i++) {
        const double lift = .4 * i / ROWS;
        if (headed) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%.9g,", (double)i / RATE);
        }
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "0,0,%.9g,0,%s,0,0,0,.1,%.9g,.3,.1,0,.3,0,0,.2,-.4,.2,0,0,0,.2,"
                              "-.4,.2,0\n",
                              (i < ROWS - lying ? .9114453 : .11) + floor,
                              i < ROWS - lying ? "0,0,1" : "-.70710678,0,.70710678", lift);
    }
    files_write(name, text, n);
}

static void write_clip(const char *name, double floor, bool headed)
{
    write_poses(name, floor, 0, headed);
}

static int follow(const char *clip, const char *options)
{
    char line[2600];
    snprintf(line, sizeof line, "follow %s --robot %s %s", files_path(clip), person(), options);
    return run(line);
}

static int followed(const char *problem, const char *verb, const char *options)
{
    char line[2600];
    snprintf(line, sizeof line, "%s %s %s", verb, files_path(problem), options);
    return run(line);
}

static void a_recording_becomes_a_motion(void)
{
    char to[300];
    write_clip("clip.csv", .03, true);
    snprintf(to, sizeof to, "-o %s", files_path("p.xml"));
    CHECK(follow("clip.csv", to) == 0);
    SAYS(errors, "the quaternion is x y z w");
    SAYS(errors, "floor of the recording: 0.03 m");
    CHECK(followed("p.xml", "check", "") == 0);
    SAYS(errors, "has the same value in all 31 samples"); /* nothing else */
    CHECK(strstr(errors, "error") == NULL);
    snprintf(to, sizeof to, "-o %s --threads 1 --json", files_path("r"));
    CHECK(followed("p.xml", "solve", to) == 0);
    SAYS(errors, "root force unexplained, of the weight");
    SAYS(errors, "joints from the recording (worst), degrees rms");
    SAYS(out, "\"recording\": {");
    SAYS(out, "\"root_unexplained\":");
    CHECK(followed("r/result.h5", "info", "") == 0);
    SAYS(out, "above the floor where it should stand, mm");
    snprintf(to, sizeof to, "-o %s", files_path("page.html"));
    CHECK(followed("r/result.h5", "report", to) == 0);
    slurp("page.html", out, sizeof out);
    SAYS(out, "<h2>Recording and motion</h2>");
    snprintf(to, sizeof to, "--plates %s", files_path("r/result.h5"));
    CHECK(followed("r/result.h5", "info", to) == 3); /* the feet of a robot are not known */
    SAYS(errors, "force plates need a model that `saltus person` made");
    CHECK(followed("r/result.h5", "report", to) == 3);
    CHECK(followed("p.xml", "info", to) == 2);
}

/* 1 s of recording in steps of 1/60 s, which is what 0.0167 means. */
static void time_steps_are_as_asked(void)
{
    static const struct {
        const char *option, *time, *contact;
    } rows[] = {{"--timestep .0167", "nstep=\"60\" duration=\"1\"", "timeconst=\"0.05 0.03334\""},
                {"--timestep .008", "nstep=\"125\" duration=\"1\"", "timeconst=\"0.05 0.016\""},
                {"--timestep .005", "nstep=\"200\" duration=\"1\"", "timeconst=\"0.05 0.016\""}};
    char to[300];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(follow("clip.csv", rows[i].option) == 0);
        SAYS(out, rows[i].time);
        SAYS(out, rows[i].contact);
        CHECK((strstr(errors, "what lands at 1 m/s sinks in by 12 mm") != NULL) == (i == 0));
    }
    CHECK(follow("clip.csv", "--timestep .002") == 3);
    SAYS(errors, "the time step is 0.002 s; a search for the motion of a recording takes 0.004 to "
                 "0.04 s. For shorter steps solve without, then 'saltus harden RESULT --timestep "
                 "0.002'");
    CHECK(follow("clip.csv", "--timestep .05") == 3);
    SAYS(errors, "the time step is 0.05 s; at most 0.04 s are allowed");
    CHECK(follow("clip.csv", "--timestep model") == 0);
    SAYS(out, "nstep=\"200\" duration=\"1\"");
    snprintf(to, sizeof to, "--timestep .0167 -o %s", files_path("coarse.xml"));
    CHECK(follow("clip.csv", to) == 0);
    snprintf(to, sizeof to, "-o %s --threads 1 --json", files_path("coarse"));
    CHECK(followed("coarse.xml", "solve", to) == 0);
    SAYS(out, "\"nstep\": 60");
    SAYS(out, "\"as_asked\": true");
}

/* Where terms find height and slopes of the recording's floor, these are said. */
static void a_floor_that_is_found_is_said(void)
{
    static const char terms[] = "<term name=\"height\" floor=\"height\" sigma=\".01\"/>"
                                "<term name=\"slope\" floor=\"slope\" sigma=\".01\"/></cost>";
    static char text[60000];
    char to[300];
    slurp("p.xml", text, sizeof text);
    const char *problem = files_replace(text, "</cost>", terms);
    files_write("sloped.xml", problem, strlen(problem));
    snprintf(to, sizeof to, "-o %s --threads 1 --json", files_path("sloped"));
    CHECK(followed("sloped.xml", "solve", to) == 0);
    SAYS(errors, "  floor of the recordings: ");
    SAYS(errors, "  floor of the recordings: rises by ");
    SAYS(out, "\"floor\": ");
    SAYS(out, "\"floor_slope\": [");
    CHECK(followed("sloped/result.h5", "info", "") == 0);
    SAYS(out, "m, how far that of the recordings is over that of the model");
    SAYS(out, "floor_slope_x");
    SAYS(out, "how that of the recordings rises along y, ");
}

/* What another program would read of the motion can be followed again. */
static void an_exported_clip_is_followed(void)
{
    char to[300];
    snprintf(to, sizeof to, "--to beyondmimic -o %s", files_path("again.npz"));
    CHECK(followed("r/result.h5", "export", to) == 0);
    CHECK(follow("again.npz", "") == 0);
    SAYS(errors, "are of the joints that the file names");
    SAYS(out, "columns=\"body_pos_w_0_0");
    for (int i = 0; i < 2; i++) { /* with names of all that has a velocity, or forces beside */
        const char *format = i == 0 ? "npz" : "csv", *name = i == 0 ? "all.npz" : "all.csv";
        snprintf(to, sizeof to, "--to %s -o %s", format, files_path(name));
        CHECK(followed("r/result.h5", "export", to) == 0);
        CHECK(follow(name, "") == 0);
        SAYS(errors, i == 0 ? "from columns qpos_0 .. qpos_6" : "from columns qpos0 .. qpos6");
        SAYS(out, i == 0 ? "columns=\"qpos_7\"" : "columns=\"qpos7\"");
    }
    snprintf(to, sizeof to, "--to unitree -o %s", files_path("again.csv"));
    CHECK(followed("r/result.h5", "export", to) == 0);
    CHECK(follow("again.csv", "--rate 30") == 0);
    SAYS(errors, "in the order of the model");
}

/* The skeleton of the motion, against the clip of its joints. */
static void an_exported_skeleton_is_followed(void)
{
    static char table[40000], clip[40000];
    char to[300], *a = table, *b = clip;
    snprintf(to, sizeof to, "--to bvh -o %s", files_path("again.bvh"));
    CHECK(followed("r/result.h5", "export", to) == 0);
    CHECK(follow("again.bvh", "") == 3);
    SAYS(errors, "name its file by -o FILE");
    snprintf(to, sizeof to, "-o %s", files_path("again.xml"));
    CHECK(follow("again.bvh", to) == 0);
    SAYS(errors, "written to 'again_recording.csv'");
    CHECK(followed("again.xml", "check", "") == 0);
    slurp("again_recording.csv", table, sizeof table);
    slurp("again.csv", clip, sizeof clip);
    a = strchr(a, '\n');
    for (int row = 0; row < ROWS - 1 && a != NULL && *b != 0; row++) {
        double ours[29], theirs[28];
        for (int i = 0; i < 29; i++) {
            ours[i] = strtod(a + 1, &a);
        }
        for (int i = 0; i < 28; i++) {
            theirs[i] = strtod(i > 0 || row > 0 ? b + 1 : b, &b);
        }
        CHECK_NEAR(ours[0], (double)row / RATE, 1e-8);
        for (int i = 0; i < 28; i++) {
            const int k = i == 3 ? 6 : i > 3 && i < 7 ? i - 1 : i; /* w is last there */
            CHECK_NEAR(ours[i + 1], theirs[k], 1e-6);
        }
    }
    CHECK(a != NULL && strlen(a) > 1 && strtod(a + 1, &a) > .9);
}

static void a_folder_of_skeletons_becomes_a_sweep(void)
{
    char line[900], name[300];
    static char text[400000];
    snprintf(name, sizeof name, "%s", files_path("bones"));
    CHECK(mkdir(name, 0700) == 0);
    slurp("again.bvh", text, sizeof text);
    files_write("bones/a.BVH", text, strlen(text));
    files_write("bones/b.BVH", text, strlen(text));
    files_write("bones/READ_ME.txt", "notes", 5); /* said by nobody to be a recording */
    files_write("bones/0.csv", "time,x\n0,1\n1,2\n", 14);
    snprintf(line, sizeof line, "--sweep -o %s", files_path("boned"));
    CHECK(follow("bones", line) == 0);
    SAYS(errors, "left out: '0.csv' is not a BVH file like most");
    CHECK(strstr(errors, "READ_ME") == NULL);
    slurp("boned/sweep.xml", out, sizeof out);
    SAYS(out, "/boned/recordings/{}.csv\" values=\"a;b\"");
    slurp("boned/recordings/b.csv", out, sizeof out);
    SAYS(out, "time,root_x,root_y");
    CHECK(followed("boned/problem.xml", "check", "") == 0);
}

/* Where there is nothing else. */
static void recordings_may_be_texts(void)
{
    char folder[300], line[900];
    snprintf(folder, sizeof folder, "%s", files_path("texts"));
    CHECK(mkdir(folder, 0700) == 0);
    files_write("texts/notes.dat", "notes", 5);
    snprintf(line, sizeof line, "--sweep -o %s", files_path("texted"));
    CHECK(follow("texts", line) == 3);
    SAYS(errors, "holds no recordings (.csv, .tsv, .json, .npz, .pkl, .pickle, .h5, .hdf5, .mat, "
                 ".mot, .sto, .bvh, .txt)");
    write_clip("texts/a.txt", 0, true);
    write_clip("texts/b.txt", .02, true);
    CHECK(follow("texts", line) == 0);
    slurp("texted/sweep.xml", out, sizeof out);
    SAYS(out, "texts/{}.txt\" values=\"a;b\"");
}

static void a_folder_becomes_a_sweep(void)
{
    char folder[300], line[900];
    snprintf(folder, sizeof folder, "%s", files_path("clips"));
    CHECK(mkdir(folder, 0700) == 0);
    write_clip("clips/a.csv", 0, true);
    write_clip("clips/b.csv", .02, true);
    files_write("clips/c.csv", "time,x\n0,1\n1,2\n", 14);
    write_poses("clips/d.csv", 0, 4, true);
    write_clip("clips/Odd.csv", 0, true); /* the first in the order of names */
    slurp("clips/Odd.csv", errors, sizeof errors);
    const char *odd = files_replace(errors, "time,x,y,z", "time,px,py,pz");
    files_write("clips/Odd.csv", odd, strlen(odd));
    snprintf(line, sizeof line, "--sweep -o %s", files_path("audit"));
    CHECK(follow("clips", line) == 0);
    SAYS(errors, "left out: 'c.csv'");
    SAYS(errors, "left out: 'Odd.csv': its columns or units are others than those of most");
    SAYS(errors, "audit/low/results"); /* the two sweeps go to folders of their own */
    SAYS(errors, "body 'torso' touches the floor, too");
    slurp("audit/sweep.xml", out, sizeof out);
    SAYS(out, "values=\"a;b\"");
    slurp("audit/low/sweep.xml", out, sizeof out);
    SAYS(out, "values=\"d;\"");
    slurp("audit/low/problem.xml", out, sizeof out);
    SAYS(out, "<term name=\"slip\" weight=\"16\"");
    snprintf(line, sizeof line, "-o %s -q", files_path("audit/out"));
    CHECK(followed("audit/sweep.xml", "sweep", line) == 0);
    CHECK(followed("audit/out", "table", "--format csv") == 0);
    SAYS(out, "clip,floor,nstep,duration,status,recorded[root]");
    SAYS(out, "\nb,0.02 0 0,90,1,converged");
    snprintf(line, sizeof line, "--timestep .0167 --sweep -o %s", files_path("coarse_audit"));
    CHECK(follow("clips", line) == 0);
    slurp("coarse_audit/sweep.xml", out, sizeof out);
    SAYS(out, "path=\"time/nstep\" with=\"clip\" values=\"60 60\"");
    CHECK(follow("clips", "--sweep") == 2);
    SAYS(errors, "--sweep needs -o DIR");
}

/* The clips of a file: which is said by an axis, and so is how much of it is missing. */
static void a_file_of_clips_becomes_a_sweep(void)
{
    char line[900];
    files_write("arm.xml", two_hinges, sizeof two_hinges - 1);
    files_write("clips.pkl", (const char *)pickle_clips, sizeof pickle_clips);
    files_write("one.csv", "time,x\n0,1\n1,2\n", 14);
    snprintf(line, sizeof line, "follow %s --sweep --robot %s -o %s", files_path("clips.pkl"),
             files_path("arm.xml"), files_path("arms"));
    CHECK(run(line) == 0);
    slurp("arms/sweep.xml", out, sizeof out);
    SAYS(out, "<axis name=\"clip\" path=\"data/clip\" values=\"walk;run\"/>");
    CHECK(strstr(out, "data/gap") == NULL);
    slurp("arms/problem.xml", out, sizeof out);
    SAYS(out, "clips.pkl\" clip=\"walk\"");
    snprintf(line, sizeof line, "-o %s -q", files_path("arms/out"));
    CHECK(followed("arms/sweep.xml", "sweep", line) == 0);
    CHECK(followed("arms/out", "table", "--format csv") == 0);
    SAYS(out, "\nwalk,");
    SAYS(out, "\nrun,");
    CHECK(follow("one.csv", "--sweep -o x") == 3);
    SAYS(errors, "one.csv' has no clips with names: only files of Python (.pkl), HDF5 (.h5) and "
                 "MATLAB (.mat) have them");
    files_write("single.pkl", (const char *)pickle_protocol_2, sizeof pickle_protocol_2);
    CHECK(follow("single.pkl", "--sweep -o x") == 3);
    SAYS(errors, "single.pkl' holds no recordings with names; --sweep is for a folder");
    CHECK(follow("none.pkl", "--sweep -o x") == 5);
    SAYS(errors, "none.pkl' is no folder or file that can be read");
}

/* Of two recordings the second lacks 12 rows. */
static void a_sweep_knows_what_is_missing(void)
{
    static char text[20000];
    char line[900], folder[300];
    snprintf(folder, sizeof folder, "%s", files_path("holes"));
    CHECK(mkdir(folder, 0700) == 0);
    write_clip("holes/a.csv", 0, true);
    slurp("holes/a.csv", text, sizeof text);
    const char *at = text;
    for (int row = 0; row < 10; row++) {
        at = strchr(at, '\n') + 1;
    }
    char *from = text + (at - text);
    for (int row = 0; row < 12; row++) {
        at = strchr(at, '\n') + 1;
    }
    memmove(from, at, strlen(at) + 1);
    files_write("holes/b.csv", text, strlen(text));
    snprintf(line, sizeof line, "--sweep -o %s", files_path("holed"));
    CHECK(follow("holes", line) == 0);
    slurp("holed/sweep.xml", out, sizeof out);
    SAYS(out, "<axis name=\"gap\" path=\"data/gap\" with=\"clip\" values=\"0.1 0.44\"/>");
}

/* The rows 0, every, 2 every, .. of a table, every third of all by `late` s later. */
static void thin(const char *from, const char *to, int every, double late)
{
    static char text[20000], left[20000];
    slurp(from, text, sizeof text);
    size_t n = 0;
    int row = -1;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), row++) {
        char *rest = strchr(line, ',');
        if (row < 0) {
            n += (size_t)snprintf(left + n, sizeof left - n, "%s\n", line);
        } else if (row % every == 0) {
            n += (size_t)snprintf(left + n, sizeof left - n, "%.9g%s\n",
                                  strtod(line, NULL) + (row % 3 == 1 ? late : 0), rest);
        }
    }
    files_write(to, left, n);
}

/* Slow recordings have no filter, and uneven ones are interpolated: the sweep says so of each. */
static void a_sweep_has_any_rates(void)
{
    char line[900], folder[300];
    snprintf(folder, sizeof folder, "%s", files_path("rates"));
    CHECK(mkdir(folder, 0700) == 0);
    write_clip("rates/a.csv", 0, true);
    thin("rates/a.csv", "rates/slow.csv", 2, 0);
    thin("rates/a.csv", "rates/uneven.csv", 1, .008);
    snprintf(line, sizeof line, "--sweep -o %s", files_path("rated"));
    CHECK(follow("rates", line) == 0);
    CHECK(strstr(errors, "left out") == NULL);
    slurp("rated/problem.xml", out, sizeof out);
    SAYS(out, " lowpass=\"6\"");
    slurp("rated/sweep.xml", out, sizeof out);
    SAYS(out, "values=\"a;slow;uneven\"");
    SAYS(out, "<axis name=\"lowpass\" path=\"data/lowpass\" with=\"clip\" values=\"6 0 6\"/>");
    SAYS(out, "<axis name=\"resample\" path=\"data/resample\" with=\"clip\" values=\"0 0 30\"/>");
    snprintf(line, sizeof line, "-o %s -q", files_path("rated/out"));
    CHECK(followed("rated/sweep.xml", "sweep", line) == 0);
    CHECK(followed("rated/out", "table", "--format csv") == 0);
    SAYS(out, "\nslow,");
}

/* An arm stands on no floor, and has no root: these are not said. Names of its joints have its name
 * before them in the file, and the whole motion is that of one of them. */
static void an_arm_follows(void)
{
    static const char arm[] =
        "<mujoco><worldbody><body><geom size='.1'/><joint name='a' axis='0 1 0' range='-180 180'/>"
        "<body pos='.3 0 0'><geom size='.1' pos='.2 0 0'/><joint name='b' axis='0 0 1'/></body>"
        "</body></worldbody><actuator><motor joint='a' ctrlrange='-50 50'/><motor joint='b' "
        "ctrlrange='-50 50'/></actuator></mujoco>";
    static char text[4000];
    char line[2600];
    size_t n = (size_t)snprintf(text, sizeof text, "time,my_arm_a,my_arm_b\n");
    for (int i = 0; i < ROWS; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%.9g,%.9g,%.9g\n", (double)i / RATE,
                              .5 + .2 * sin(.1 * i), .3 * cos(.1 * i));
    }
    files_write("arm.xml", arm, strlen(arm));
    files_write("arm.csv", text, n);
    size_t used = (size_t)snprintf(line, sizeof line, "follow %s", files_path("arm.csv"));
    used += (size_t)snprintf(line + used, sizeof line - used, " --robot %s", files_path("arm.xml"));
    snprintf(line + used, sizeof line - used, " -o %s", files_path("arm_p.xml"));
    CHECK(run(line) == 0);
    SAYS(errors, "'myarm' stands before the names of joints in the recording");
    snprintf(line, sizeof line, "-o %s", files_path("arm_r"));
    CHECK(followed("arm_p.xml", "solve", line) == 0);
    SAYS(errors, "largest torque over its limit");
    SAYS(errors, "joints from the recording (worst), degrees rms");
    CHECK(strstr(errors, "floor") == NULL && strstr(errors, "root") == NULL);
}

static void faults_are_said(void)
{
    char line[1400];
    write_clip("bare.csv", 0, false);
    CHECK(follow("bare.csv", "") == 3);
    SAYS(errors, "no column of the time and no rate; give it by --rate HZ");
    files_write("few.csv", "time,x\n0,1\n1,2\n", 14);
    CHECK(follow("few.csv", "") == 3);
    SAYS(errors, "at least 12 are needed");
    CHECK(follow("none.csv", "") == 5);
    snprintf(line, sizeof line, "follow %s", files_path("clip.csv"));
    CHECK(run(line) == 2);
    SAYS(errors, "--robot is missing");
    CHECK(follow("clip.csv", "--plates forces.mot") == 2);
    SAYS(errors, "--plates is for recordings of persons");
    CHECK(run("follow trials --person p.xml --sweep --plates forces.mot") == 2);
    SAYS(errors, "--plates is for one recording, not with --sweep");
    snprintf(line, sizeof line, "-o %s", files_path("p.xml"));
    CHECK(follow("clip.csv", line) == 2); /* a problem that somebody may have edited */
    SAYS(errors, "would be overwritten");
}

int main(void)
{
    RUN(a_recording_becomes_a_motion);
    RUN(time_steps_are_as_asked);
    RUN(a_floor_that_is_found_is_said);
    RUN(an_exported_clip_is_followed);
    RUN(an_exported_skeleton_is_followed);
    RUN(a_folder_of_skeletons_becomes_a_sweep);
    RUN(recordings_may_be_texts);
    RUN(a_folder_becomes_a_sweep);
    RUN(a_file_of_clips_becomes_a_sweep);
    RUN(a_sweep_knows_what_is_missing);
    RUN(a_sweep_has_any_rates);
    RUN(an_arm_follows);
    RUN(faults_are_said);
    files_remove();
    return check_done();
}
